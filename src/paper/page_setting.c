/*
 * Texts that are set, found again when they are measured, put, or come once more on another page: of copies
 * of a sheet nearly all texts are the same. The ones used last are kept.
 */
#include "page_private.h"

#include <quiztutor/memory.h>

#include <string.h>

static uint64_t mix(uint64_t hash, const void *bytes, size_t length)
{
    /* FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
    const unsigned char *at = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t hash_text(const struct page_text *text, ptrdiff_t length)
{
    uint64_t hash = mix(0xcbf29ce484222325u, text->text, (size_t)length);
    const unsigned char rest[] = { (unsigned char)text->face, text->markup, text->far_side };
    hash = mix(hash, &text->width, sizeof text->width);
    hash = mix(hash, &text->scale, sizeof text->scale);
    return mix(hash, rest, sizeof rest);
}

static bool same(const struct page_setting *setting, const struct page_text *text, ptrdiff_t length)
{
    const struct page_text *of = &setting->text;
    /* widths come out of the same arithmetic each time, so that equal ones are so to the last bit */
    return setting->length == length && of->face == text->face && !(of->width < text->width) &&
           !(of->width > text->width) && !(of->scale < text->scale) && !(of->scale > text->scale) &&
           of->markup == text->markup && of->far_side == text->far_side &&
           memcmp(of->text, text->text, (size_t)length) == 0;
}

static void take_out(struct page_settings *settings, struct page_setting *setting)
{
    if (setting->older)
        setting->older->newer = setting->newer;
    else
        settings->oldest = setting->newer;
    if (setting->newer)
        setting->newer->older = setting->older;
    else
        settings->newest = setting->older;
}

static void put_newest(struct page_settings *settings, struct page_setting *setting)
{
    setting->newer = NULL;
    setting->older = settings->newest;
    if (settings->newest)
        settings->newest->newer = setting;
    else
        settings->oldest = setting;
    settings->newest = setting;
}

static void setting_destroy(struct page_setting *setting)
{
    if (setting->layout)
        g_object_unref(setting->layout);
    memory_free(setting->lines);
    memory_free(setting);
}

static void drop_oldest(struct page_settings *settings)
{
    struct page_setting *setting = settings->oldest;
    struct page_setting **link = &settings->chains[setting->hash % PAGE_CHAINS];
    while (*link != setting)
        link = &(*link)->chain;
    *link = setting->chain;
    take_out(settings, setting);
    settings->count--;
    settings->bytes -= setting->length;
    setting_destroy(setting);
}

void page_settings_finish(struct page_settings *settings)
{
    while (settings->oldest)
        drop_oldest(settings);
}

static struct page_setting *setting_create(const struct page_text *text, ptrdiff_t length, uint64_t hash)
{
    struct page_setting *setting = memory_zero((ptrdiff_t)sizeof *setting + length + 1);
    if (!setting)
        return NULL;
    char *copy = (char *)(setting + 1);
    memcpy(copy, text->text, (size_t)length + 1);
    setting->text = *text;
    setting->text.text = copy;
    setting->length = length;
    setting->hash = hash;
    return setting;
}

const struct page_setting *page_setting_find(struct pages *pages, const struct page_text *text,
                                             struct error *error)
{
    struct page_settings *settings = &pages->settings;
    ptrdiff_t length = (ptrdiff_t)strlen(text->text);
    uint64_t hash = hash_text(text, length);
    struct page_setting **chain = &settings->chains[hash % PAGE_CHAINS];
    for (struct page_setting *setting = *chain; setting; setting = setting->chain)
        if (setting->hash == hash && same(setting, text, length)) {
            take_out(settings, setting);
            put_newest(settings, setting);
            return setting;
        }
    struct page_setting *setting = setting_create(text, length, hash);
    if (!setting) {
        error_memory(error);
        return NULL;
    }
    if (!page_lay(pages, setting, error)) {
        setting_destroy(setting);
        return NULL;
    }
    while (settings->oldest &&
           (settings->count >= PAGE_SETTINGS || settings->bytes + length > PAGE_SETTING_BYTES))
        drop_oldest(settings);
    setting->chain = *chain;
    *chain = setting;
    put_newest(settings, setting);
    settings->count++;
    settings->bytes += length;
    return setting;
}
