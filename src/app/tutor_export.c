/* Writing the table that is shown to a file, in any of the formats of reports. */
#include "tutor_walk.h"

#include <quiztutor/message.h>

#include <stdlib.h>
#include <string.h>

static bool format_of(const char *path, enum report_to *to, struct error *error)
{
    static const struct {
        const char *ending;
        enum report_to to;
    } rows[] = { { ".csv", TO_CSV },
                 { ".json", TO_JSON },
                 { ".html", TO_HTML },
                 { ".htm", TO_HTML },
                 { ".txt", TO_TEXT } };
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof rows / sizeof *rows; i++)
        if (strcasecmp(dot, rows[i].ending) == 0) {
            *to = rows[i].to;
            return true;
        }
    return error_set(error, ERROR_INPUT, tr("the name has to end in .csv, .json, .html or .txt"));
}

static bool put(void *context, const char *text, ptrdiff_t length, struct error *error)
{
    struct buffer *out = context;
    buffer_add(out, text, length);
    return !out->failed || error_memory(error);
}

/* What is written: the report with one table, whose rows are those shown. */
struct export
{
    struct walk *walk;
    struct report report; /* as it was made */
    bool reported;
    const struct report_table *table; /* of it */
    struct report_table own;
    int *positions; /* of each row of the table, among those shown; −1: it is not */
    int places;
    struct report_cell *cells;
    struct arena arena; /* texts of rows that are made one by one */
    const char **notes;
    struct buffer bytes;
};

static bool copy_text(const char **text, struct arena *arena)
{
    if (!*text)
        return true;
    *text = arena_text(arena, *text, (ptrdiff_t)strlen(*text));
    return *text != NULL;
}

static bool take_row(struct export *export, const struct report_cell *row, int place, bool streams,
                     struct error *error)
{
    int position = place < export->places ? export->positions[place] : -1,
        columns = export->table->column_count;
    if (position < 0)
        return true;
    struct report_cell *cells = &export->cells[(ptrdiff_t)position * columns];
    memcpy(cells, row, (size_t)columns * sizeof *cells);
    for (int i = 0; streams && i < columns; i++) {
        cells[i].trend_count = 0; /* there are none in tables as long as that */
        if (!copy_text(&cells[i].text, &export->arena) || !copy_text(&cells[i].why, &export->arena))
            return error_memory(error);
    }
    return true;
}

static bool stream_rows(struct export *export, struct error *error)
{
    const struct report_table *table = export->table;
    ptrdiff_t size = (table->column_count + 1) * (ptrdiff_t)sizeof(struct report_cell);
    struct report_cell *row = memory_alloc(size);
    int step = 1;
    bool done = row || error_memory(error);
    for (int place = 0; done && step == 1 && place < export->places; place++) {
        memset(row, 0, (size_t)size);
        for (int i = 0; i < table->column_count; i++)
            row[i].kind = CELL_NOTHING;
        step = table->next(table->context, row, error);
        done = step >= 0 && (step == 0 || take_row(export, row, place, true, error));
    }
    memory_free(row);
    return done;
}

/* Which rows of the table are shown where. */
static bool find_positions(struct export *export, struct error *error)
{
    const struct presented *shown = &export->walk->shown;
    for (int i = 0; i < shown->model.row_count; i++)
        if (shown->rows[i] >= export->places)
            export->places = shown->rows[i] + 1;
    export->positions = memory_alloc(export->places * (ptrdiff_t)sizeof *export->positions);
    if (!export->positions)
        return error_memory(error);
    for (int i = 0; i < export->places; i++)
        export->positions[i] = -1;
    for (int i = 0; i < shown->work.shown; i++)
        export->positions[shown->rows[shown->work.order[i]]] = i;
    return true;
}

static bool pick_rows(struct export *export, struct error *error)
{
    const struct report_table *table = export->table;
    int shown = export->walk->shown.work.shown;
    export->own = *table;
    export->own.opens = NULL;
    export->own.continues = false;
    export->own.next = NULL;
    export->cells =
        memory_zero(((ptrdiff_t)shown * table->column_count + 1) * (ptrdiff_t)sizeof *export->cells);
    if (!export->cells)
        return error_memory(error);
    for (int i = 0; table->row_count >= 0 && i < export->places; i++)
        if (!take_row(export, &table->rows[(ptrdiff_t)i * table->column_count], i, false, error))
            return false;
    export->own.rows = export->cells;
    export->own.row_count = shown;
    return table->row_count >= 0 || stream_rows(export, error);
}

/* A table that is made row by row can be read once, and was, to be shown: it is made again. */
static bool make(struct export *export, struct error *error)
{
    struct walk *walk = export->walk;
    const struct walk_level *level = walk_level(walk);
    if (!walk_report(walk, &export->report, error))
        return false;
    export->reported = true;
    if (!walk_present(walk, &export->report, error))
        return false;
    for (int again = 0; again < 2; again++) {
        const struct report *report = &export->report;
        int table = level->question ? present_find_table(report, "choices") : level->table;
        if (table < 0 || table >= report->table_count)
            return error_set(error, ERROR_NOT_FOUND, tr("there is no table to write"));
        export->table = &report->tables[table];
        if (again || export->table->row_count >= 0)
            return true;
        report_finish(&export->report);
        export->reported = walk_report(walk, &export->report, error);
        if (!export->reported)
            return false;
    }
    return true;
}

/* The report says that it is not all. */
static bool add_note(struct export *export, struct report *out, struct error *error)
{
    const struct presented *shown = &export->walk->shown;
    const char *filter = walk_level(export->walk)->place.filter;
    ptrdiff_t count = out->note_count;
    export->notes = memory_alloc((count + 1) * (ptrdiff_t)sizeof *export->notes);
    if (!export->notes)
        return error_memory(error);
    if (count)
        memcpy(export->notes, out->notes, (size_t)count * sizeof *export->notes);
    out->notes = export->notes;
    if (!*filter)
        return true;
    export->notes[count] = arena_print(&export->arena, tr("Only the %d of %d rows that hold \"%s\"."),
                                       shown->work.shown, shown->model.row_count, filter);
    out->note_count++;
    return export->notes[count] || error_memory(error);
}

static bool write(struct export *export, enum report_to to, const char *path, struct error *error)
{
    struct report out = export->report;
    struct report_look look = { 0 };
    struct report_sink sink = { put, &export->bytes };
    out.tables = &export->own;
    out.table_count = 1;
    return add_note(export, &out, error) && report_write(&out, to, &look, &sink, error) &&
           export->walk->tutor->write(path, &export->bytes, error);
}

/* As shells do it. */
static char *expand(const char *path)
{
    const char *home = getenv("HOME");
    struct buffer whole;
    if (strncmp(path, "~/", 2) != 0 || !home || !*home)
        return memory_text(path);
    buffer_init(&whole);
    buffer_print(&whole, "%s%s", home, path + 1);
    char *kept = whole.failed ? NULL : memory_text(buffer_get(&whole));
    buffer_finish(&whole);
    return kept;
}

bool walk_export(struct walk *walk, const char *path, struct error *error)
{
    struct export export = { .walk = walk };
    enum report_to to = TO_CSV;
    char *whole = expand(path);
    if (!whole)
        return error_memory(error);
    arena_init(&export.arena);
    buffer_init(&export.bytes);
    bool done = format_of(whole, &to, error) && make(&export, error) && find_positions(&export, error) &&
                pick_rows(&export, error) && write(&export, to, whole, error);
    if (export.reported)
        report_finish(&export.report);
    memory_free(export.positions);
    memory_free(export.cells);
    memory_free(export.notes);
    arena_finish(&export.arena);
    buffer_finish(&export.bytes);
    memory_free(whole);
    return done;
}
