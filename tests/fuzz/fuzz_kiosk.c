/*
 * Any bytes at all as a kiosk's file: nothing crashes, a refused one has an error, a taken one keeps its
 * promises. Built with libFuzzer by tests/fuzz/run; without it, replay.c runs files and folders as an
 * ordinary test.
 */
#include "kiosk_config_file.h"

#include <quiztutor/text.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Clocks that are set forward on the evening of every tenth day, and back on that of every fifteenth. */
static int offset(void *context, int64_t wall)
{
    int64_t day = wall / 86400000;
    (void)context;
    return day % 15 < 5 || (day % 15 < 10 && wall % 86400000 > 72000000) ? 7200 : 3600;
}

static void expect(bool fine)
{
    if (!fine)
        abort();
}

/* Not empty, UTF-8, and nothing in it that drives a terminal. */
static void expect_text(const char *text)
{
    int32_t code;
    expect(text && *text);
    for (ptrdiff_t length = (ptrdiff_t)strlen(text); length > 0;) {
        int taken = text_decode(text, length, &code);
        expect(code != TEXT_BAD && !text_forbidden(code) && code != '\r');
        text += taken;
        length -= taken;
    }
}

static void expect_names(const struct kiosk_names *names)
{
    expect(names->count >= 0 && names->count <= KIOSK_LISTED);
    for (int i = 0; i < names->count; i++) {
        const struct kiosk_name *name = &names->items[i];
        expect_text(name->text);
        expect(name->key && *name->key && name->line >= 1 && name->column >= 1);
        expect(name->end_column >= name->column);
        for (int k = 0; k < i && k < 30; k++)
            expect(strcmp(names->items[k].key, name->key) != 0);
    }
}

static void expect_exam(const struct kiosk_exam *exam)
{
    expect_text(exam->pack.text);
    expect(exam->until > exam->from && exam->minutes >= 0 && exam->minutes <= 1440);
    expect_names(&exam->groups);
    expect(exam->groups.count > 0 || kiosk_exam_open(exam, exam->from, NULL, 0));
    expect(!kiosk_exam_open(exam, exam->until, NULL, 0));
}

static void expect_config(const struct kiosk_config *config)
{
    if (config->welcome)
        expect_text(config->welcome);
    expect(!config->welcome || strlen(config->welcome) <= KIOSK_WELCOME);
    if (config->store)
        expect(config->store[0] == '/');
    expect_names(&config->content);
    for (int i = 0; i < config->content.count; i++)
        expect(config->content.items[i].text[0] == '/');
    expect_names(&config->packs);
    expect_names(&config->groups);
    expect(config->idle >= 0 && config->idle <= 120 && config->countdown >= 0 && config->countdown <= 600);
    expect(config->pin >= 0 && config->pin <= KIOSK_PIN_NONE && config->roster >= 0 && config->roster <= 1);
    expect(config->theme >= 0 && config->theme <= 3 && config->signs >= 0 && config->signs <= 3);
    expect(!config->tutor_code || secret_is_kept(config->tutor_code));
    if (config->backups.folder)
        expect(config->backups.folder[0] == '/' && config->backups.keep >= 1 && config->backups.hours >= 1);
}

static void expect_diagnostics(const struct diagnostics *list)
{
    struct buffer out;
    buffer_init(&out);
    diagnostics_print(list, &out);
    for (ptrdiff_t i = 0; i < out.length; i++)
        expect((unsigned char)out.data[i] >= 0x20 || out.data[i] == '\n' || out.data[i] == '\t');
    for (ptrdiff_t i = 0; i < list->count; i++)
        expect(list->items[i].line >= 1 && list->items[i].column >= 1 && *list->items[i].message);
    buffer_finish(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct clock clock = { .offset = offset };
    struct kiosk_config config = { .path = "/etc/quiztutor/kiosk.yaml" };
    struct kiosk_draft draft = { .config = &config, .clock = &clock, .below = KIOSK_ROWS };
    struct diagnostics list;
    struct error error = { .code = ERROR_NONE };
    struct source source;
    diagnostics_init(&list);
    arena_init(&config.arena);
    source_borrow(&source, (const char *)bytes, (ptrdiff_t)size);
    bool read = kiosk_file_read(&draft, config.path, &source, &list, &error);
    expect(read == (list.errors == 0) && error.code == ERROR_NONE);
    expect_diagnostics(&list);
    if (read) {
        expect_config(&config);
        for (ptrdiff_t i = 0; i < draft.exam_count; i++)
            expect_exam(&draft.exams[i]);
    }
    source_finish(&source);
    memory_free(draft.exams);
    arena_finish(&config.arena);
    diagnostics_finish(&list);
    return 0;
}
