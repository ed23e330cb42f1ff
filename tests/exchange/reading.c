#include "reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

bool reading_begin(struct reading *reading, exchange_read *reader, const char *bytes, ptrdiff_t length)
{
    struct diagnostics list;
    struct buffer yaml;
    *reading = (struct reading){ .pack = NULL };
    import_init(&reading->import, "a/made-up.xml");
    bool read = reader(&reading->import, bytes, length, &reading->error);
    assert_true(read == (reading->error.code == ERROR_NONE));
    assert_false(reading->import.failed);
    if (!read || !reading->import.count)
        return read;
    import_name_pack(&reading->import);
    buffer_init(&yaml);
    diagnostics_init(&list);
    assert_true(exchange_write_import(&yaml, &reading->import));
    if (!pack_load_bytes(&reading->pack, "imported.yaml", buffer_get(&yaml), yaml.length, &list, NULL)) {
        struct buffer out;
        buffer_init(&out);
        diagnostics_print(&list, &out);
        fail_msg("does not load:\n%s\n%s", buffer_get(&out), buffer_get(&yaml));
    }
    diagnostics_finish(&list);
    buffer_finish(&yaml);
    return true;
}

bool reading_text(struct reading *reading, exchange_read *reader, const char *text)
{
    return reading_begin(reading, reader, text, (ptrdiff_t)strlen(text));
}

void reading_finish(struct reading *reading)
{
    pack_destroy(reading->pack);
    import_finish(&reading->import);
}

const struct question *reading_question(const struct reading *reading, const char *id)
{
    int place = reading->pack ? pack_find(reading->pack, id) : -1;
    if (place < 0) {
        struct buffer ids;
        buffer_init(&ids);
        for (ptrdiff_t i = 0; i < reading->import.line_count; i++)
            buffer_print(&ids, " %s: %s;", reading->import.lines[i].id ? reading->import.lines[i].id : "-",
                         reading->import.lines[i].what ? reading->import.lines[i].what : "");
        fail_msg("no question %s, but%s", id, buffer_get(&ids));
    }
    return &reading->pack->questions[place];
}

const char *reading_said(const struct reading *reading, int line)
{
    assert_true(line < reading->import.line_count);
    const char *what = reading->import.lines[line].what;
    return what ? what : "";
}

void reading_linear(exchange_read *reader, const char *head, const char *unit, const char *tail)
{
    struct buffer text;
    struct import import;
    struct error error;
    const char *hole = strstr(unit, "%d");
    buffer_init(&text);
    buffer_text(&text, head);
    for (int i = 0; text.length < 2 * 1000 * 1000; i++)
        if (hole)
            buffer_print(&text, "%.*s%d%s", (int)(hole - unit), unit, i, hole + 2);
        else
            buffer_text(&text, unit);
    buffer_text(&text, tail);
    import_init(&import, "a/made-up.xml");
    clock_t start = clock();
    reader(&import, text.data, text.length, &error);
    double used = (double)(clock() - start) / CLOCKS_PER_SEC;
    import_finish(&import);
    buffer_finish(&text);
    if (used > 10)
        fail_msg("2 MB of %s take %.1f s", unit, used);
}
