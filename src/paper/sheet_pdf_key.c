/*
 * Answer keys, which are printed together after the last sheet. Copies of a sheet have most of their texts in
 * common, so each text is kept once.
 */
#include "sheet_pdf.h"

#include <string.h>

static unsigned long text_hash(const char *text)
{
    /* FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
    unsigned long hash = 0xcbf29ce484222325u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

/* Where a text stands in the table, or would. */
static struct sheet_pdf_words *find(struct sheet_pdf_words *words, ptrdiff_t capacity, const char *text,
                                    unsigned long hash)
{
    ptrdiff_t at = (ptrdiff_t)(hash % (unsigned long)capacity);
    while (words[at].text && (words[at].hash != hash || strcmp(words[at].text, text) != 0))
        at = at + 1 < capacity ? at + 1 : 0;
    return &words[at];
}

static bool make_room(struct sheet_printer *printer)
{
    if (printer->word_count * 2 < printer->word_capacity)
        return true;
    ptrdiff_t capacity = printer->word_capacity ? printer->word_capacity * 2 : 256;
    struct sheet_pdf_words *words = memory_zero(capacity * (ptrdiff_t)sizeof *words);
    if (!words)
        return false;
    for (ptrdiff_t i = 0; i < printer->word_capacity; i++)
        if (printer->words[i].text)
            *find(words, capacity, printer->words[i].text, printer->words[i].hash) = printer->words[i];
    memory_free(printer->words);
    printer->words = words;
    printer->word_capacity = capacity;
    return true;
}

/* NULL for NULL, and without memory. */
static const char *keep(struct sheet_printer *printer, const char *text)
{
    if (!text || !make_room(printer))
        return NULL;
    unsigned long hash = text_hash(text);
    struct sheet_pdf_words *words = find(printer->words, printer->word_capacity, text, hash);
    if (!words->text) {
        words->text = arena_text(&printer->kept, text, (ptrdiff_t)strlen(text));
        words->hash = hash;
        printer->word_count += words->text != NULL;
    }
    return words->text;
}

bool sheet_pdf_keep(struct sheet_printer *printer, const struct sheet_flow *flow, struct error *error)
{
    int count = flow->count - flow->key;
    if (count == 0)
        return true;
    struct sheet_block *blocks = arena_alloc(&printer->kept, count * (ptrdiff_t)sizeof *blocks);
    const char *footer = keep(printer, flow->key_footer);
    if (!blocks || !footer ||
        !memory_grow(&printer->keys, &printer->key_capacity, printer->key_count + 1, sizeof *printer->keys))
        return error_memory(error);
    for (int i = 0; i < count; i++) {
        blocks[i] = flow->blocks[flow->key + i];
        blocks[i].text = keep(printer, blocks[i].text);
        blocks[i].other = keep(printer, blocks[i].other);
        if ((flow->blocks[flow->key + i].text && !blocks[i].text) ||
            (flow->blocks[flow->key + i].other && !blocks[i].other))
            return error_memory(error);
    }
    struct sheet_pdf_key *key = &printer->keys[printer->key_count++];
    *key = (struct sheet_pdf_key){ .blocks = blocks, .footer = footer, .count = count };
    memcpy(key->id, flow->id, sizeof key->id);
    return true;
}

void sheet_pdf_keys_finish(struct sheet_printer *printer)
{
    memory_free(printer->keys);
    memory_free(printer->words);
    arena_finish(&printer->kept);
}
