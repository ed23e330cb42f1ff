/*
 * Packs made by chance go through Moodle XML and QTI and come back: all that the format can hold is the same.
 * What is written is read by Python's parser, too (test_xml_written.py).
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
    unsigned types, parts; /* that it can hold */
};

/* Where all choices are right, each-decision and net-correct are the same, and come back as the latter. */
static void settle_rules(const struct pack *pack)
{
    for (int i = 0; i < pack->question_count; i++) {
        struct question *question = (struct question *)(uintptr_t)&pack->questions[i];
        if (question->type == QUESTION_MULTIPLE_CHOICE && question->marking == MARKING_EACH_DECISION &&
            question->key.choices.correct == question->key.choices.count)
            question->marking = MARKING_NET_CORRECT;
    }
}

/* There and back. */
static void go(const struct format *format, unsigned types, unsigned parts, uint64_t seed)
{
    struct generate generate;
    struct reading reading;
    struct export export;
    struct error error = { 0 };
    generate_pack(&generate, seed, types, parts);
    settle_rules(&generate.pack);
    export_init(&export, &generate.pack);
    if (!format->writer(&export, &error))
        fail_msg("%s, seed %llu: %s", format->name, (unsigned long long)seed, error.message);
    const char *bytes = buffer_get(&export.out);
    bool read = reading_begin(&reading, format->reader, bytes, export.out.length);
    const char *difference = !read           ? reading.error.message
                             : !reading.pack ? "nothing was taken"
                                             : generate_difference(&generate.pack, reading.pack, parts);
    if (difference) {
        for (ptrdiff_t i = 0; i < reading.import.line_count; i++)
            if (reading.import.lines[i].what)
                print_error("line %d: %s\n", reading.import.lines[i].line, reading.import.lines[i].what);
        fail_msg("%s, seed %llu: %s\n%s", format->name, (unsigned long long)seed, difference,
                 strncmp(bytes, "PK", 2) == 0 ? "(a package)" : bytes);
    }
    reading_finish(&reading);
    export_finish(&export);
    generate_finish(&generate);
}

static void round_trips(const struct format *format)
{
    static const unsigned rare = GENERATE_HOSTILE | GENERATE_PARAGRAPHS | GENERATE_MARKUP;
    for (uint64_t seed = 1; seed <= (uint64_t)slice_of(SEEDS); seed++)
        go(format, format->types, seed % 3 ? format->parts : format->parts & ~rare, seed);
}

#define ALL(except) (GENERATE_ALL & ~(unsigned)(except))

#define TYPE(name) (1u << QUESTION_##name)

enum {
    MOODLE = GENERATE_HEAD | GENERATE_INTRO | GENERATE_MISCONCEPTIONS | GENERATE_PINS | GENERATE_CHOICE_IDS |
             GENERATE_SOURCE | GENERATE_RELATIVE | GENERATE_UNIT | GENERATE_IGNORE | GENERATE_PARAMETERS
};

static void moodle_xml(void **state)
{
    /* multiple choice is net-correct there, orders know all rules, pairs have a share each; only choices say
     * whether they are shuffled */
    static const struct format formats[] = {
        { "Moodle XML", moodle_xml_write, moodle_xml_read, TYPE(SINGLE_CHOICE) | TYPE(MULTIPLE_CHOICE),
          ALL(MOODLE | GENERATE_MARKING) },
        { "Moodle XML", moodle_xml_write, moodle_xml_read, TYPE(TRUE_FALSE) | TYPE(NUMBER) | TYPE(TEXT),
          ALL(MOODLE | GENERATE_SHUFFLE) },
        { "Moodle XML", moodle_xml_write, moodle_xml_read, TYPE(ORDER), ALL(MOODLE | GENERATE_SHUFFLE) },
        { "Moodle XML", moodle_xml_write, moodle_xml_read, TYPE(MATCH),
          ALL(MOODLE | GENERATE_MARKING | GENERATE_NET_CORRECT | GENERATE_SHUFFLE) },
    };
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        round_trips(&formats[i]);
}

enum {
    QTI12 = GENERATE_HEAD | GENERATE_MISCONCEPTIONS | GENERATE_CHOICE_IDS | GENERATE_SOURCE | GENERATE_TAGS |
            GENERATE_UNIT | GENERATE_IGNORE | GENERATE_PARAMETERS | GENERATE_INTRO
};

static void qti12(void **state)
{
    static const struct format formats[] = {
        { "QTI 1.2", qti12_write, qti_read, TYPE(SINGLE_CHOICE) | TYPE(MULTIPLE_CHOICE), ALL(QTI12) },
        { "QTI 1.2", qti12_write, qti_read, TYPE(TRUE_FALSE) | TYPE(NUMBER) | TYPE(TEXT),
          ALL(QTI12 | GENERATE_SHUFFLE) },
        { "QTI 1.2", qti12_write, qti_read, TYPE(ORDER) | TYPE(MATCH),
          ALL(QTI12 | GENERATE_SHUFFLE | GENERATE_MARKING | GENERATE_NET_CORRECT) },
    };
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        round_trips(&formats[i]);
}

enum { QTI21 = QTI12 | GENERATE_HINTS };

static void qti21(void **state)
{
    static const struct format formats[] = {
        { "QTI 2.1", qti21_write, qti_read, TYPE(SINGLE_CHOICE) | TYPE(MULTIPLE_CHOICE),
          ALL(QTI21 | GENERATE_MARKING) },
        { "QTI 2.1", qti21_write, qti_read, TYPE(MULTIPLE_CHOICE),
          ALL(QTI21 | GENERATE_MARKING | GENERATE_NET_CORRECT) },
        { "QTI 2.1", qti21_write, qti_read, TYPE(TRUE_FALSE) | TYPE(NUMBER) | TYPE(TEXT),
          ALL(QTI21 | GENERATE_SHUFFLE | GENERATE_FEEDBACK) },
        { "QTI 2.1", qti21_write, qti_read, TYPE(ORDER) | TYPE(MATCH),
          ALL(QTI21 | GENERATE_SHUFFLE | GENERATE_MARKING | GENERATE_NET_CORRECT) },
    };
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        round_trips(&formats[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(moodle_xml), cmocka_unit_test(qti12),
                                        cmocka_unit_test(qti21) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
