/*
 * A gradebook file, by external id. Moodle's CSV import (grade/import/csv) maps "ID number" to a user and any
 * column to a grade item; an item that is made by it goes to 100, and a grade above 100 is refused: so grades
 * are per cents. Canvas (lib/gradebook_importer.rb) wants its own columns in their order up to Section, finds
 * learners by SIS User ID, and takes "Points Possible" from a row of that name.
 */
#include "grades.h"

#include "work.h"

#include <quiztutor/message.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 5 + GRADES_PACKS };

/* What lines are made of, in the report's arena: also once its building is over. */
struct view {
    const struct grades_learner *learners; /* by name */
    const struct grades_mark *marks;       /* of the learners in that order */
    struct grades_pack packs[GRADES_PACKS];
    int pack_count, count, at;
    bool canvas;
};

static int fixed_columns(bool canvas)
{
    return canvas ? 5 : 1;
}

static double share_of(const struct grades_pack *pack, const struct grades_mark *mark)
{
    double of = pack->by_sitting ? mark->marks : pack->possible - mark->out;
    return of > 0 ? mark->mark / of : 0;
}

static void write_line(const struct view *view, int place, struct report_cell *cells)
{
    const struct grades_learner *learner = &view->learners[place];
    int column = 0;
    if (view->canvas) {
        cells[0] = build_text(learner->name);
        cells[2] = build_text(learner->external_id);
        cells[3] = build_text(learner->login);
        column = fixed_columns(true);
    } else {
        cells[column++] = build_text(learner->external_id);
    }
    for (int i = 0; i < view->pack_count; i++) {
        const struct grades_mark *mark = &view->marks[(ptrdiff_t)place * view->pack_count + i];
        double share = share_of(&view->packs[i], mark);
        if (mark->any)
            cells[column + i] =
                view->canvas ? build_real(share * view->packs[i].possible) : build_percent(100 * share);
    }
}

/* Canvas' second row, named as its own export names it. */
static void write_possible(const struct view *view, struct report_cell *cells)
{
    cells[0] = build_text("    Points Possible");
    for (int i = 0; i < view->pack_count; i++)
        cells[fixed_columns(true) + i] = build_real(view->packs[i].possible);
}

static int next_line(void *context, struct report_cell *cells, struct error *error)
{
    struct view *view = context;
    (void)error;
    if (view->at - view->canvas == view->count)
        return 0;
    if (view->canvas && view->at == 0)
        write_possible(view, cells);
    else
        write_line(view, view->at - view->canvas, cells);
    view->at++;
    return 1;
}

/* What Canvas would not take for an assignment: its own columns, and a number in brackets, which is an id. */
static bool is_refused(const char *title)
{
    static const char *const reserved[] = { "Current Score",  "Current Points", "Current Grade",
                                            "Final Score",    "Final Points",   "Final Grade",
                                            "Override Score", "Override Grade", "Override Status" };
    static const char *const columns[] = { "Student",     "LastName", "FirstName",      "ID",
                                           "SIS User ID", "Section",  "Integration ID", "SIS Login ID",
                                           "Root Account" };
    size_t length = strlen(title);
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strstr(title, reserved[i]))
            return true;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (strcmp(title, columns[i]) == 0)
            return true;
    size_t digits = 0;
    while (length > digits + 1 && strchr("0123456789", title[length - 2 - digits]))
        digits++;
    return digits && title[length - 1] == ')' && length > digits + 1 && title[length - 2 - digits] == '(';
}

/* A column's name is the pack's title; its id where that would not be taken, or another pack has it too. */
static void name_columns(struct grades *grades, bool canvas)
{
    for (int i = 0; i < grades->pack_count; i++) {
        struct grades_pack *pack = &grades->packs[i];
        bool own = !canvas || !is_refused(pack->title);
        for (int k = 0; own && k < grades->pack_count; k++)
            own = k == i || strcmp(grades->packs[k].title, pack->title) != 0;
        if (!own || strcmp(pack->title, "ID number") == 0)
            pack->title = pack->id;
    }
}

static struct report_column *make_columns(struct grades *grades, bool canvas)
{
    static const char *const canvas_names[] = { "Student", "ID", "SIS User ID", "SIS Login ID", "Section" };
    int fixed = fixed_columns(canvas), count = fixed + grades->pack_count;
    struct report_column *columns = build_room(grades->build, count * (ptrdiff_t)sizeof *columns);
    for (int i = 0; columns && i < count; i++) {
        const char *name = i >= fixed ? grades->packs[i - fixed].title
                           : canvas   ? canvas_names[i]
                                      : "ID number";
        columns[i] = (struct report_column){ .name = name, .title = name, .kind = CELL_TEXT };
        if (i >= fixed) {
            columns[i].kind = canvas ? CELL_REAL : CELL_PERCENT;
            columns[i].decimals = 2;
        }
    }
    return columns;
}

static int compare_names(const void *one, const void *other)
{
    const struct grades_learner *a = one, *b = other;
    int order = strcmp(a->name ? a->name : "", b->name ? b->name : "");
    return order ? order : strcmp(a->external_id, b->external_id);
}

/* Those with a grade and an external id, by name. */
static bool make_view(struct grades *grades, struct view *view, bool canvas)
{
    struct build *build = grades->build;
    int packs = grades->pack_count, all = grades->ids.count;
    struct grades_learner *learners = build_room(build, all * (ptrdiff_t)sizeof *learners);
    struct grades_mark *marks = build_room(build, (ptrdiff_t)all * packs * (ptrdiff_t)sizeof *marks);
    int count = 0;
    if (!learners || !marks)
        return false;
    for (int i = 0; i < all; i++)
        if (grades->learners[i].graded && grades->learners[i].external_id)
            learners[count++] = grades->learners[i];
    qsort(learners, (size_t)count, sizeof *learners, compare_names);
    for (int i = 0; i < count; i++) {
        int place = places_find(&grades->ids, &learners[i].id, sizeof learners[i].id);
        memcpy(&marks[(ptrdiff_t)i * packs], &grades->marks[(ptrdiff_t)place * packs],
               (size_t)packs * sizeof *marks);
    }
    *view = (struct view){
        .learners = learners, .marks = marks, .pack_count = packs, .count = count, .canvas = canvas
    };
    memcpy(view->packs, grades->packs, sizeof view->packs);
    return true;
}

static void write_table(struct grades *grades, struct view *view)
{
    struct build *build = grades->build;
    int columns = fixed_columns(view->canvas) + view->pack_count;
    struct report_column *made = make_columns(grades, view->canvas);
    const char *empty = tr("No learner with an external id has a grade.");
    if (!made)
        return;
    if ((int64_t)view->count * columns > GRADES_HELD) {
        build_add_table(build, &(struct report_table){ .name = "grades",
                                                       .empty = empty,
                                                       .columns = made,
                                                       .column_count = columns,
                                                       .row_count = -1,
                                                       .next = next_line,
                                                       .context = view });
        return;
    }
    struct build_table table;
    build_table_start(&table, build, made, columns);
    if (view->canvas)
        write_possible(view, build_table_row(&table, NULL));
    for (int i = 0; i < view->count; i++)
        write_line(view, i,
                   build_table_row(&table, view->learners[i].login ? view->learners[i].login
                                                                   : view->learners[i].name));
    build_table_add(&table, "grades", NULL, empty);
    build_table_finish(&table);
}

/* ---- notes ---- */

static void note_without_id(struct grades *grades)
{
    struct build *build = grades->build;
    struct buffer names;
    int count = 0;
    buffer_init(&names);
    for (int i = 0; i < grades->ids.count; i++) {
        const struct grades_learner *learner = &grades->learners[i];
        if (!learner->graded || learner->external_id)
            continue;
        if (count++ < GRADES_NAMED)
            buffer_print(&names, "%s%s", count > 1 ? ", " : "", learner->name ? learner->name : "");
    }
    if (count > GRADES_NAMED)
        buffer_text(&names, ", …");
    build->failed = build->failed || names.failed;
    if (count)
        build_note(build, build_say(build,
                                    ntr("Not written, since %d learner has no external id: %s.",
                                        "Not written, since %d learners have no external id: %s.", count),
                                    count, buffer_get(&names)));
    buffer_finish(&names);
}

static void note_ids(struct build *build, const struct view *view)
{
    int changed = 0;
    for (int i = 0; i < view->count; i++)
        changed += strchr("=+-@\t'", view->learners[i].external_id[0]) != NULL;
    if (changed)
        build_note(build, build_say(build,
                                    ntr("%d external id begins like a formula and has a ' before it in the "
                                        "file: take that off.",
                                        "%d external ids begin like formulas and have a ' before them in the "
                                        "file: take those off.",
                                        changed),
                                    changed));
}

static void write_notes(struct grades *grades, const struct view *view)
{
    struct build *build = grades->build;
    int64_t without = 0;
    bool sitting = view->pack_count && view->packs[0].by_sitting;
    for (int i = 0; i < grades->ids.count; i++) {
        grades->made.learners += grades->learners[i].graded;
        without += !grades->learners[i].graded;
    }
    grades->made.revisions = -1;
    build_note_made(build, &grades->made);
    build_note(build, sitting
                          ? tr("A grade is the marks got of the marks of what was presented.")
                          : tr("A grade is the marks got of all the pack's marks: a question that was not "
                               "answered counts nothing."));
    build_note(build,
               view->canvas
                   ? tr("Canvas finds learners by SIS User ID; the points possible stand in their row.")
                   : tr("Grades are per cents. Map ID number to useridnumber. Moodle takes an empty grade "
                        "of a new item for 0: with several packs, make the items first."));
    if (grades->voided_questions)
        build_note(build, build_say(build,
                                    ntr("%d question was voided and counts for nobody: its marks are not "
                                        "among the possible ones either.",
                                        "%d questions were voided and count for nobody: their marks are "
                                        "not among the possible ones either.",
                                        grades->voided_questions),
                                    grades->voided_questions));
    note_without_id(grades);
    note_ids(build, view);
    if (without)
        build_note(build, build_say(build,
                                    ntr("%lld learner has no grade and is not written.",
                                        "%lld learners have no grade and are not written.", without),
                                    (long long)without));
    if (grades->gone)
        build_note(build,
                   build_say(build,
                             ntr("%lld attempt is at a question that its pack has no more, and is left "
                                 "out.",
                                 "%lld attempts are at questions that their pack has no more, and are "
                                 "left out.",
                                 grades->gone),
                             (long long)grades->gone));
}

bool build_grades(struct build *build)
{
    const char *book = build->filter->gradebook;
    bool canvas = book && strcmp(book, "canvas") == 0;
    if (!canvas && !(book && strcmp(book, "moodle") == 0))
        return error_set(build->error, ERROR_USAGE,
                         tr("grades are for a gradebook: --for moodle or --for canvas"));
    struct grades *grades = memory_zero(sizeof *grades);
    if (!grades)
        return error_memory(build->error);
    grades->build = build;
    places_init(&grades->ids);
    places_init(&grades->questions);
    build_made_start(&grades->made);
    build->report->title = canvas ? tr("Grades for Canvas") : tr("Grades for Moodle");
    build->report->subtitle = work_subtitle(build);
    bool done = grades_read(grades);
    struct view *view = build_room(build, (ptrdiff_t)sizeof *view);
    if (done && view) {
        name_columns(grades, canvas);
        if (make_view(grades, view, canvas)) {
            write_table(grades, view);
            write_notes(grades, view);
        }
    }
    places_finish(&grades->questions);
    places_finish(&grades->ids);
    memory_free(grades->learners);
    memory_free(grades->marks);
    memory_free(grades->known);
    memory_free(grades->voids);
    memory_free(grades);
    return done;
}
