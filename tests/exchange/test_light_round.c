/*
 * Packs made by chance go through CSV, Markdown and Anki's text and come back: all that the format can hold
 * is the same, and what it can't is told.
 */
#include "../slice.h"
#include "generate.h"
#include "reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SEEDS = 400 };

struct format {
    const char *name;
    exchange_write *writer;
    exchange_read *reader;
    exchange_recognise *recognise;
    unsigned types, parts; /* that it can hold */
};

/* There and back; what is told is passed over. The caller finishes the reading. */
static void go(const struct format *format, const struct pack *pack, struct reading *reading, uint64_t seed)
{
    struct export export;
    struct error error = { 0 };
    export_init(&export, pack);
    if (!format->writer(&export, &error))
        fail_msg("%s, seed %llu: %s", format->name, (unsigned long long)seed, error.message);
    const char *bytes = buffer_get(&export.out);
    assert_true(format->recognise(bytes, export.out.length));
    bool read = reading_begin(reading, format->reader, bytes, export.out.length);
    const char *difference = !read            ? reading->error.message
                             : !reading->pack ? "nothing was taken"
                                              : generate_difference(pack, reading->pack, format->parts);
    if (difference) {
        for (ptrdiff_t i = 0; i < reading->import.line_count; i++)
            if (reading->import.lines[i].what)
                print_error("line %d: %s\n", reading->import.lines[i].line, reading->import.lines[i].what);
        fail_msg("%s, seed %llu: %s\n%s", format->name, (unsigned long long)seed, difference, bytes);
    }
    for (ptrdiff_t i = 0; i < reading->import.line_count; i++)
        if (reading->import.lines[i].fate != IMPORT_TAKEN && format->parts & GENERATE_SHUFFLE)
            fail_msg("%s, seed %llu: line %d: %s\n%s", format->name, (unsigned long long)seed,
                     reading->import.lines[i].line, reading->import.lines[i].what, bytes);
    export_finish(&export);
}

static const struct format anki;

static void round_trips(const struct format *format, unsigned without)
{
    for (uint64_t seed = 1; seed <= (uint64_t)slice_of(SEEDS); seed++) {
        struct generate generate;
        struct reading reading;
        unsigned parts = format->parts & ~without;
        if (format == &anki && seed % 3) /* "::" parts decks */
            parts &= ~(unsigned)GENERATE_SECTIONS;
        if (seed % 3 == 0) /* the plain case, where marks and lines are not in the way of a fault's cause */
            parts &= ~(unsigned)(GENERATE_HOSTILE | GENERATE_PARAGRAPHS);
        generate_pack(&generate, seed, format->types, parts);
        struct format narrowed = *format;
        narrowed.parts = parts;
        go(&narrowed, &generate.pack, &reading, seed);
        reading_finish(&reading);
        generate_finish(&generate);
    }
}

static const unsigned all_types = (1u << QUESTION_TYPES) - 1;

static const struct format csv = {
    .name = "csv",
    .writer = csv_write,
    .reader = csv_read,
    .recognise = csv_recognise,
    .types = (1u << QUESTION_TYPES) - 1,
    .parts = GENERATE_ALL & ~(unsigned)(GENERATE_HEAD | GENERATE_PARAMETERS),
};
static const struct format markdown = {
    .name = "markdown",
    .writer = markdown_write,
    .reader = markdown_read,
    .recognise = markdown_recognise,
    .types = (1u << QUESTION_TYPES) - 1,
    .parts = GENERATE_ALL & ~(unsigned)(GENERATE_HEAD | GENERATE_PARAMETERS),
};
static const struct format anki = {
    .name = "anki",
    .writer = anki_write,
    .reader = anki_read,
    .recognise = anki_recognise,
    .types = 1u << QUESTION_RECALL,
    .parts = GENERATE_SECTIONS | GENERATE_PARAGRAPHS | GENERATE_HOSTILE | GENERATE_MARKUP,
};

static void csv_round(void **state)
{
    (void)state;
    assert_int_equal(csv.types, all_types);
    round_trips(&csv, 0);
    round_trips(&csv, GENERATE_MARKUP);
}

static void markdown_round(void **state)
{
    (void)state;
    round_trips(&markdown, 0);
    round_trips(&markdown, GENERATE_MARKUP);
}

static void anki_round(void **state)
{
    (void)state;
    round_trips(&anki, 0);
    round_trips(&anki, GENERATE_MARKUP);
}

/* Each allocation of a writer fails once: it must be told, and nothing may leak. */
static void no_memory(void **state)
{
    const struct format *formats[] = { &csv, &markdown, &anki };
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct generate generate;
        bool done = false;
        generate_pack(&generate, 7, all_types, formats[i]->parts);
        for (long n = 1; !done; n++) {
            struct export export;
            struct error error = { 0 };
            memory_fail_after(n);
            export_init(&export, &generate.pack);
            done = formats[i]->writer(&export, &error);
            void *probe = memory_alloc(1);
            bool none_failed = probe != NULL;
            memory_free(probe);
            memory_fail_after(0);
            if (done && !none_failed) { /* it may be the probe that failed first */
                memory_fail_after(n + 1);
                struct export again;
                export_init(&again, &generate.pack);
                assert_true(formats[i]->writer(&again, &error));
                memory_fail_after(0);
                export_finish(&again);
            }
            assert_true(done || error.code == ERROR_MEMORY);
            export_finish(&export);
        }
        generate_finish(&generate);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_round),
        cmocka_unit_test(markdown_round),
        cmocka_unit_test(anki_round),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
