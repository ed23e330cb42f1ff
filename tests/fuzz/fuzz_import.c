/*
 * Any bytes at all as a file of another system, in the format that FUZZ_FORMAT names (an enum
 * exchange_format) or in that which they are recognised as (EXCHANGE_FORMATS): nothing crashes, a refused
 * file has an error, every question of a read one has its line of report, and what was read can be written as
 * a pack that loads to as many questions. Built with libFuzzer by tests/fuzz/run; with replay.c as an
 * ordinary test.
 */
#ifdef FUZZ_HEAVY
#include "archive.h"
#endif

#include <quiztutor/exchange.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef FUZZ_FORMAT
#define FUZZ_FORMAT EXCHANGE_FORMATS
#endif

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static void broken(const char *what)
{
    fprintf(stderr, "broken: %s\n", what);
    abort();
}

static void expect_error(const struct error *error)
{
    if (error->code == ERROR_NONE || !*error->message)
        broken("a refused file has no error");
}

/* Each line has what its fate asks for, and the questions are those that were taken. */
static void expect_lines(const struct import *import)
{
    ptrdiff_t taken = 0;
    for (ptrdiff_t i = 0; i < import->line_count; i++) {
        const struct import_line *line = &import->lines[i];
        if (!line->name || line->line < 0)
            broken("a line of report without a name");
        if ((line->fate == IMPORT_LEFT_OUT) != (line->id == NULL))
            broken("only what is left out has no id");
        if ((line->fate == IMPORT_TAKEN) != (line->what == NULL))
            broken("a change or a reason is missing, or too much");
        taken += line->fate != IMPORT_LEFT_OUT;
    }
    if (taken != import->count)
        broken("lines of report and questions differ in number");
}

static void expect_pack(const struct import *import)
{
    struct diagnostics list;
    struct error error = { .code = ERROR_NONE };
    struct buffer yaml;
    struct pack *pack = NULL;
    diagnostics_init(&list);
    buffer_init(&yaml);
    if (!exchange_write_import(&yaml, import) || yaml.failed)
        broken("what was read can't be written");
    if (!pack_load_bytes(&pack, "import.yaml", buffer_get(&yaml), yaml.length, &list, &error)) {
        struct buffer told;
        buffer_init(&told);
        diagnostics_print(&list, &told);
        fprintf(stderr, "%s%s\n%s\n", buffer_get(&told), error.message, buffer_get(&yaml));
        broken("what was written does not load");
    }
    if (pack->question_count != import->count)
        broken("questions were lost on the way");
    pack_destroy(pack);
    buffer_finish(&yaml);
    diagnostics_finish(&list);
}

static exchange_read *reader(const char *bytes, ptrdiff_t length)
{
    enum exchange_format format = FUZZ_FORMAT;
    static bool added;
    if (!added) {
#ifdef FUZZ_HEAVY
        exchange_add_heavy();
#endif
        if (!hash_start())
            broken("no hashes");
        added = true;
    }
    enum exchange_format found = exchange_find(bytes, length);
    if (format == EXCHANGE_FORMATS)
        format = found;
    const struct exchange_part *part = format < EXCHANGE_FORMATS ? exchange_part(format) : NULL;
    return part ? part->read : NULL;
}

static void try_import(const char *bytes, ptrdiff_t length)
{
    struct import import;
    struct error error = { .code = ERROR_NONE };
    exchange_read *read = reader(bytes, length);
    if (!read)
        return;
    import_init(&import, "import.txt");
    bool done = read(&import, bytes, length, &error);
    if (!done)
        expect_error(&error);
    else if (import.failed)
        broken("no memory, and nobody was told");
    else
        expect_lines(&import);
    if (done) {
        import_name_pack(&import);
        if (import.count)
            expect_pack(&import);
    }
    import_finish(&import);
}

#ifdef FUZZ_HEAVY
static const char item[] =
    "<assessmentItem identifier='i' title='t'><responseDeclaration identifier='R' cardinality='single' "
    "baseType='identifier'><correctResponse><value>a</value></correctResponse></responseDeclaration>"
    "<itemBody><choiceInteraction responseIdentifier='R' maxChoices='1'><prompt>Which?</prompt>"
    "<simpleChoice identifier='a'>one</simpleChoice><simpleChoice identifier='b'>two</simpleChoice>"
    "</choiceInteraction></itemBody></assessmentItem>";

static bool begins(const char *bytes, ptrdiff_t length, const char *with)
{
    ptrdiff_t size = (ptrdiff_t)strlen(with);
    return length >= size && memcmp(bytes, with, (size_t)size) == 0;
}

/* A database or a manifest by itself is packed here: no change by chance gets past an archive's checksums. */
static bool try_packed(const char *bytes, ptrdiff_t length)
{
    const char *entry = NULL;
    struct buffer packed;
    if (FUZZ_FORMAT == EXCHANGE_APKG && begins(bytes, length, "SQLite format 3"))
        entry = "collection.anki2";
    else if (FUZZ_FORMAT == EXCHANGE_QTI21 && begins(bytes, length, "<manifest"))
        entry = "imsmanifest.xml";
    if (!entry)
        return false;
    struct archive_writer *writer = archive_write_begin();
    buffer_init(&packed);
    archive_write_add(writer, entry, bytes, length);
    archive_write_add(writer, "item.xml", item, (ptrdiff_t)sizeof item - 1);
    if (!archive_write_end(writer, &packed, NULL))
        broken("an archive can't be written");
    try_import(packed.data, packed.length);
    buffer_finish(&packed);
    return true;
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    const char *bytes = size ? (const char *)input : ""; /* as a file without a byte in it is */
#ifdef FUZZ_HEAVY
    if (try_packed(bytes, (ptrdiff_t)size))
        return 0;
#endif
    try_import(bytes, (ptrdiff_t)size);
    return 0;
}
