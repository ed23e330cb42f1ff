/*
 * A tutor's walk over reports made by hand: what a table shows of a report, where rows lead, what becomes of
 * a report that can't be made, and what is written of what is shown. report_make is this file's own.
 */
#include "present_report.h"
#include "tutor_walk.h"

#include <quiztutor/memory.h>
#include <quiztutor/text.h>

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* ---- reports ---- */

static const struct report_column class_columns[] = {
    { .name = "learner", .title = "learner", .kind = CELL_TEXT },
    { .name = "last_seen", .title = "last seen", .kind = CELL_MOMENT, .rank = 3 },
    { .name = "share", .title = "right", .kind = CELL_SHARE, .bar = true, .interval = true },
    { .name = "questions", .title = "questions", .kind = CELL_WHOLE, .rank = 1 },
    { .name = "time", .title = "time", .unit = "min", .kind = CELL_SPAN, .decimals = 1, .rank = 4 },
    { .name = "login", .title = "login", .kind = CELL_TEXT, .detail = true },
};
enum { LEARNER_COLUMNS = 6, LEARNERS = 5 };

static const double trend[] = { .25, NAN, 1 };
#define TEXT(words)                                                                                          \
    {                                                                                                        \
        .kind = CELL_TEXT, .text = (words)                                                                   \
    }
#define WHOLE(n)                                                                                             \
    {                                                                                                        \
        .kind = CELL_WHOLE, .whole = (n)                                                                     \
    }
#define NONE                                                                                                 \
    {                                                                                                        \
        .kind = CELL_ABSENT, .why = "no answers yet"                                                         \
    }
#define MOMENT(days)                                                                                         \
    {                                                                                                        \
        .kind = CELL_MOMENT, .whole = (days)*86400000LL, .utc_offset_s = 3600                                \
    }
#define SHARE(n)                                                                                             \
    {                                                                                                        \
        .kind = CELL_SHARE, .real = (n), .has_interval = true, .low = (n) / 2, .high = ((n) + 1) / 2         \
    }
static struct report_cell class_rows[LEARNERS * LEARNER_COLUMNS] = {
    { .kind = CELL_TEXT, .text = "Ben", .stands_out = true },
    MOMENT(20000),
    SHARE(.25),
    WHOLE(8),
    { .kind = CELL_SPAN, .whole = 90000 },
    TEXT("ben"),
    TEXT("=HYPERLINK(\"x\")"),
    MOMENT(20003),
    SHARE(.5),
    WHOLE(4),
    { .kind = CELL_SPAN, .whole = 60000 },
    { .kind = CELL_NOTHING },
    TEXT("فاطمة"),
    MOMENT(20001),
    { .kind = CELL_SHARE, .real = .5, .trend = trend, .trend_count = 3 },
    WHOLE(9),
    { .kind = CELL_SPAN, .whole = 0 },
    { .kind = CELL_NOTHING },
    TEXT("a\033[31m\nb"),
    MOMENT(20002),
    { .kind = CELL_SHARE, .real = NAN },
    WHOLE(1),
    { .kind = CELL_SPAN, .whole = 30000 },
    TEXT("esc"),
    TEXT("<script>"),
    NONE,
    NONE,
    WHOLE(0),
    { .kind = CELL_SPAN, .whole = 0 },
    { .kind = CELL_NOTHING },
};
static const char *class_opens[LEARNERS] = { "ben", "=HYPERLINK(\"x\")", "فاطمة", "esc", "<script>" };
static const struct report_column stuck_columns[] = {
    { .name = "learner", .title = "learner", .kind = CELL_TEXT },
    { .name = "pack", .title = "pack", .kind = CELL_TEXT },
    { .name = "question", .title = "question", .kind = CELL_TEXT },
};
static const struct report_cell stuck_rows[] = { TEXT("Ben"), TEXT("p"), TEXT("q2") };
static struct report_table class_tables[2] = {
    { .name = "class", .empty = "No learners.", .columns = class_columns, .column_count = LEARNER_COLUMNS },
    { .name = "stuck_at",
      .title = "Who is stuck at what",
      .columns = stuck_columns,
      .column_count = 3,
      .rows = stuck_rows,
      .row_count = 1 },
};
static const struct report_fact class_facts[] = {
    { .name = "more", .title = "more", .cell = WHOLE(7), .detail = true },
    { .name = "learners", .title = "learners", .cell = WHOLE(5) },
    { .name = "median", .title = "median", .cell = SHARE(.5) },
    { .name = "alpha", .title = "alpha", .cell = NONE },
};
static const char *const labels[] = { "Mon", "Tue", "Wed" };
static const double values[] = { 2, NAN, 8 };
static const struct report_chart class_charts[] = {
    { .name = "due", .title = "Due", .unit = "min", .labels = labels, .values = values, .count = 3 },
};
static const char *const class_notes[] = { "Attempts used: the first." };

static const struct report_column topic_columns[] = {
    { .name = "pack", .title = "pack", .kind = CELL_TEXT },
    { .name = "topic", .title = "topic", .kind = CELL_TEXT },
    { .name = "pack_id", .title = "pack's id", .kind = CELL_TEXT, .detail = true },
};
static const struct report_cell topic_rows[] = { TEXT("Title"), TEXT("tag"), TEXT("p") };
static const struct report_table progress_tables[] = {
    { .name = "topics", .columns = topic_columns, .column_count = 3, .rows = topic_rows, .row_count = 1 },
};

static const struct report_column item_columns[] = {
    { .name = "question", .title = "question", .kind = CELL_TEXT },
    { .name = "pack", .title = "pack", .kind = CELL_TEXT, .rank = 9 },
    { .name = "revision", .title = "revision", .kind = CELL_TEXT, .rank = 10 },
    { .name = "facility", .title = "facility", .kind = CELL_PERCENT, .interval = true },
    { .name = "discrimination", .title = "discrimination", .kind = CELL_REAL },
    { .name = "prompt", .title = "prompt", .kind = CELL_TEXT, .detail = true },
};
static const struct report_cell item_rows[] = {
    TEXT("q1"),
    TEXT("p"),
    TEXT("r1"),
    { .kind = CELL_PERCENT, .real = 50 },
    { .kind = CELL_REAL, .real = 30 },
    TEXT("One?"),
    TEXT("q2"),
    TEXT("p"),
    TEXT("r2"),
    { .kind = CELL_PERCENT, .real = 25 },
    { .kind = CELL_REAL, .real = -5 },
    TEXT("Two?"),
    TEXT("q2"),
    TEXT("p"),
    TEXT("r1"),
    NONE,
    NONE,
    TEXT("Two of old?"),
};
static const struct report_column choice_columns[] = {
    { .name = "question", .title = "question", .kind = CELL_TEXT },
    { .name = "pack", .title = "pack", .kind = CELL_TEXT, .rank = 3 },
    { .name = "revision", .title = "revision", .kind = CELL_TEXT, .rank = 4 },
    { .name = "choice", .title = "choice", .kind = CELL_TEXT },
    { .name = "share", .title = "share", .kind = CELL_SHARE, .bar = true },
};
static const struct report_cell choice_rows[] = {
    TEXT("q1"), TEXT("p"), TEXT("r1"), TEXT("A"), { .kind = CELL_SHARE, .real = .5 },
    TEXT("q2"), TEXT("p"), TEXT("r2"), TEXT("B"), { .kind = CELL_SHARE, .real = .25 },
    TEXT("q2"), TEXT("p"), TEXT("r2"), TEXT("C"), { .kind = CELL_SHARE, .real = .75 },
    TEXT("q2"), TEXT("p"), TEXT("r1"), TEXT("D"), { .kind = CELL_SHARE, .real = 1 },
};
static const struct report_table item_tables[] = {
    { .name = "items", .columns = item_columns, .column_count = 6, .rows = item_rows, .row_count = 3 },
    { .name = "choices",
      .title = "Choices",
      .columns = choice_columns,
      .column_count = 5,
      .rows = choice_rows,
      .row_count = 4 },
};

static bool refused, streams;
static int made, open_reports, streamed;
static struct report_filter asked; /* the last one, its texts copied */
static char asked_learner[64], asked_pack[64], asked_tag[64];

static int next_row(void *context, struct report_cell *row, struct error *error)
{
    (void)context;
    (void)error;
    if (streamed == LEARNERS)
        return 0;
    static char name[64]; /* lasts until the next call */
    memcpy(row, &class_rows[(ptrdiff_t)streamed * LEARNER_COLUMNS], LEARNER_COLUMNS * sizeof *row);
    snprintf(name, sizeof name, "%s", row[0].text);
    row[0].text = name;
    streamed++;
    return 1;
}

bool report_make(struct report *report, enum report_kind kind, struct store *const *stores, int store_count,
                 struct library *library, const struct report_filter *filter, const struct clock *clock,
                 struct error *error)
{
    (void)stores, (void)store_count, (void)library, (void)clock;
    *report = (struct report){ .kind = kind, .title = report_kind_name(kind), .subtitle = filter->learner };
    asked = *filter;
    snprintf(asked_learner, sizeof asked_learner, "%s", filter->learner ? filter->learner : "-");
    snprintf(asked_pack, sizeof asked_pack, "%s", filter->pack ? filter->pack : "-");
    snprintf(asked_tag, sizeof asked_tag, "%s", filter->tag ? filter->tag : "-");
    made++;
    if (refused)
        return error_set(error, ERROR_NOT_FOUND, "no learner \"x\"");
    void *trial = memory_alloc(1);
    if (!trial)
        return error_memory(error);
    memory_free(trial);
    open_reports++;
    report->notes = class_notes;
    report->note_count = 1;
    if (kind == REPORT_CLASS) {
        class_tables[0].rows = streams ? NULL : class_rows;
        class_tables[0].row_count = streams ? -1 : LEARNERS;
        class_tables[0].next = streams ? next_row : NULL;
        class_tables[0].opens = streams ? NULL : class_opens;
        streamed = 0;
        report->tables = class_tables;
        report->table_count = 2;
        report->facts = class_facts;
        report->fact_count = 4;
        report->charts = class_charts;
        report->chart_count = 1;
    } else if (kind == REPORT_PROGRESS) {
        report->tables = progress_tables;
        report->table_count = 1;
    } else if (kind == REPORT_ITEMS) {
        report->tables = item_tables;
        report->table_count = 2;
    }
    return true;
}

void report_finish(struct report *report)
{
    (void)report;
    open_reports--;
}

/* ---- the walk ---- */

static struct buffer written;
static char written_to[256];
static bool unwritable;

static bool keep_written(const char *path, const struct buffer *bytes, struct error *error)
{
    if (unwritable)
        return error_set(error, ERROR_FULL, "no room");
    snprintf(written_to, sizeof written_to, "%s", path);
    buffer_finish(&written);
    buffer_init(&written);
    buffer_add(&written, bytes->data, bytes->length);
    return !written.failed || error_memory(error);
}

static struct tutor tutor = { .kind = REPORT_CLASS, .filter = { .group = "4b" }, .write = keep_written };
static struct walk walk;
static struct error error;

static int start(void **state)
{
    (void)state;
    refused = streams = unwritable = false;
    made = open_reports = 0;
    error = (struct error){ 0 };
    tutor.clock = clock_system();
    tutor.kind = REPORT_CLASS;
    walk_init(&walk, &tutor, false);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    walk_finish(&walk);
    assert_int_equal(open_reports, 0);
    buffer_finish(&written);
    buffer_init(&written);
    return 0;
}

static const struct table_cell *at(int row, int column)
{
    const struct table_model *model = walk_model(&walk);
    return &model->cells[row * model->column_count + column];
}

static void test_presented(void **state)
{
    (void)state;
    assert_true(walk_make(&walk, &error));
    const struct table_model *model = walk_model(&walk);
    assert_int_equal(model->column_count, 5); /* without details */
    assert_int_equal(model->row_count, LEARNERS);
    assert_int_equal(model->tables, 2);
    assert_string_equal(model->columns[2].heading, "right (%)");
    assert_string_equal(model->columns[4].heading, "time (min)");
    assert_true(model->columns[2].right && !model->columns[2].largest_first);
    assert_true(model->columns[3].largest_first && model->columns[3].rank == 1);
    assert_string_equal(model->file, "class.csv");
    assert_string_equal(model->opens_what, "learner");
    assert_string_equal(at(0, 0)->text, "Ben");
    assert_string_equal(at(0, 0)->key, "ben");
    assert_true(at(0, 0)->stands_out && !at(1, 0)->stands_out);
    assert_string_equal(at(0, 1)->text, "2024-10-04 01:00");
    assert_string_equal(at(0, 2)->text, "25");
    assert_string_equal(at(0, 2)->beside, "(12–62)");
    assert_true(at(0, 2)->bar > .24 && at(0, 2)->bar < .26);
    assert_true(at(0, 2)->number == .25 && !at(0, 2)->key);
    assert_string_equal(at(0, 4)->text, "1.5");
    assert_string_equal(at(2, 0)->text, "فاطمة");
    assert_int_equal(at(2, 2)->trend_count, 3);
    assert_true(at(2, 2)->trend[0] == .25 && isnan(at(2, 2)->trend[1]));
    assert_null(at(2, 2)->beside);
    assert_string_equal(at(3, 0)->text, "a\\x1b[31m b");          /* in one line, and drives no terminal */
    assert_string_equal(at(3, 2)->why, "it can't be worked out"); /* a number that is none */
    assert_null(at(3, 2)->text);
    assert_true(isnan(at(3, 2)->number) && isnan(at(3, 2)->bar));
    assert_string_equal(at(4, 1)->why, "no answers yet");
    assert_int_equal(model->fact_count, 4);
    assert_string_equal(model->facts[0].label, "learners"); /* details come last */
    assert_string_equal(model->facts[1].text, "50% (25–75)");
    assert_string_equal(model->facts[2].why, "no answers yet");
    assert_string_equal(model->facts[3].label, "more");
    assert_string_equal(model->charts[0].texts[2], "8 min");
    assert_null(model->charts[0].texts[1]);
    assert_true(model->charts[0].values[0] == .25 && model->charts[0].values[2] == 1);
    assert_true(isnan(model->charts[0].values[1]));
    assert_string_equal(model->notes[0], class_notes[0]);
    assert_string_equal(asked.group, "4b");
}

static void test_walk(void **state)
{
    (void)state;
    assert_true(walk_make(&walk, &error));
    walk_level(&walk)->place.cursor = 3;
    snprintf(walk_level(&walk)->place.filter, VIEW_FIELD, "%s", "b");
    view_table_arrange(walk_model(&walk), &walk_level(&walk)->place); /* Ben, and what has a b in it */
    walk_level(&walk)->place.cursor = 1;
    assert_true(walk_open(&walk, 3, &error)); /* the learner, by login */
    assert_string_equal(asked_learner, "esc");
    assert_int_equal(walk_model(&walk)->depth, 1);
    assert_string_equal(walk_model(&walk)->opens_what, "questions");
    assert_string_equal(walk_level(&walk)->place.filter, "");
    assert_true(walk_open(&walk, 0, &error)); /* the pack's questions: of all learners */
    assert_string_equal(asked_learner, "-");
    assert_string_equal(asked_pack, "p");
    assert_string_equal(asked_tag, "tag");
    assert_string_equal(asked.group, "4b");
    assert_string_equal(walk_model(&walk)->opens_what, "choices");
    assert_int_equal(walk.shown.work.order[0], 1); /* the worst on top */
    assert_true(walk_open(&walk, 1, &error));      /* q2 as it is now */
    const struct table_model *model = walk_model(&walk);
    assert_int_equal(model->depth, 3);
    assert_int_equal(model->tables, 1);
    assert_null(model->opens_what);
    assert_int_equal(model->row_count, 2);
    assert_int_equal(model->column_count, 3); /* revision, choice, share */
    assert_string_equal(at(0, 1)->text, "B");
    assert_string_equal(at(1, 1)->text, "C");
    assert_string_equal(model->subtitle, "q2");
    assert_string_equal(model->facts[0].label, "prompt"); /* what is asked, then its figures */
    assert_string_equal(model->facts[0].text, "Two?");
    assert_string_equal(model->facts[2].text, "25%");
    int before = made;
    assert_true(walk_open(&walk, 0, &error)); /* a choice opens nothing */
    assert_int_equal(made, before);
    assert_true(walk_back(&walk, &error));
    assert_int_equal(walk_level(&walk)->place.cursor, 0);
    assert_true(walk_open(&walk, 2, &error)); /* q2 as it was */
    assert_int_equal(walk_model(&walk)->row_count, 1);
    assert_string_equal(walk_model(&walk)->facts[0].text, "Two of old?");
    assert_true(walk_back(&walk, &error));
    assert_true(walk_back(&walk, &error));
    assert_true(walk_back(&walk, &error));
    assert_int_equal(walk.depth, 0);
    assert_string_equal(walk_level(&walk)->place.filter, "b"); /* as it was left */
    assert_int_equal(walk_level(&walk)->place.cursor, 1);
    assert_string_equal(walk_model(&walk)->ids[walk.shown.work.order[1]], walk_model(&walk)->ids[3]);
    assert_true(walk_back(&walk, &error));
    assert_int_equal(walk.depth, 0);
}

static void test_tables(void **state)
{
    (void)state;
    assert_true(walk_make(&walk, &error));
    assert_true(walk_table(&walk, 1, &error));
    assert_string_equal(walk_model(&walk)->name, "Who is stuck at what");
    assert_string_equal(walk_model(&walk)->opens_what, "choices");
    assert_true(walk_open(&walk, 0, &error)); /* of any revision */
    assert_string_equal(asked_pack, "p");
    assert_int_equal(walk_model(&walk)->row_count, 3);
    assert_true(walk_back(&walk, &error));
    assert_int_equal(walk_model(&walk)->table, 1);
    assert_true(walk_see(&walk, 1, &error));
    assert_int_equal(walk.depth, 0);
    assert_int_equal(walk_level(&walk)->kind, REPORT_ITEMS);
    assert_string_equal(asked_pack, "-");
    assert_true(walk_see(&walk, 2, &error)); /* a report that has no table here */
    assert_int_equal(walk_model(&walk)->row_count, 0);
    assert_int_equal(walk_model(&walk)->column_count, 0);
    assert_true(walk_see(&walk, 0, &error));
    assert_int_equal(walk_model(&walk)->row_count, LEARNERS);
}

/* What can't be made leaves the tutor where they are. */
static void test_refused(void **state)
{
    (void)state;
    refused = true;
    assert_false(walk_make(&walk, &error));
    assert_null(walk_model(&walk));
    refused = false;
    assert_true(walk_make(&walk, &error));
    walk_level(&walk)->place.cursor = 2;
    for (int way = 0; way < 5; way++) {
        refused = true;
        error = (struct error){ 0 };
        bool went = way == 0   ? walk_open(&walk, 0, &error)
                    : way == 1 ? walk_make(&walk, &error)
                    : way == 2 ? walk_table(&walk, 1, &error)
                    : way == 3 ? walk_see(&walk, 1, &error)
                               : walk_export(&walk, "x.csv", &error);
        assert_false(went);
        assert_string_equal(error.message, "no learner \"x\"");
        assert_non_null(walk_model(&walk));
        assert_int_equal(walk.depth, 0);
        assert_int_equal(walk_level(&walk)->kind, REPORT_CLASS);
        assert_int_equal(walk_level(&walk)->table, 0);
        assert_int_equal(walk_level(&walk)->place.cursor, 2);
        assert_int_equal(walk_model(&walk)->row_count, LEARNERS);
        refused = false;
        assert_true(walk_make(&walk, &error));
    }
    assert_true(walk_open(&walk, 0, &error));
    refused = true;
    assert_false(walk_back(&walk, &error));
    assert_int_equal(walk.depth, 1);
    assert_string_equal(walk_model(&walk)->title, "progress");
}

/* The first goes behind the third. */
static void turn(void)
{
    struct report_cell first[LEARNER_COLUMNS];
    const char *opens = class_opens[0];
    memcpy(first, class_rows, sizeof first);
    memmove(class_rows, class_rows + LEARNER_COLUMNS, 2 * sizeof first);
    memcpy(class_rows + (ptrdiff_t)2 * LEARNER_COLUMNS, first, sizeof first);
    memmove(class_opens, class_opens + 1, 2 * sizeof *class_opens);
    class_opens[2] = opens;
}

/* The cursor stays on its row when others come before it. */
static void test_anew(void **state)
{
    (void)state;
    assert_true(walk_make(&walk, &error));
    struct table_place *place = &walk_level(&walk)->place;
    place->cursor = 1;
    for (int round = 0; round < 3; round++) { /* until all are as they were */
        turn();
        assert_true(walk_make(&walk, &error));
        assert_int_equal(place->cursor, round == 0 ? 0 : round == 1 ? 2 : 1);
    }
    /* the same where it was opened and is gone back to */
    assert_true(walk_open(&walk, 1, &error));
    turn();
    assert_true(walk_back(&walk, &error));
    assert_int_equal(place->cursor, 0);
    turn();
    turn();
}

static void see_written(const char *text)
{
    if (!strstr(buffer_get(&written), text))
        fail_msg("no \"%s\" in\n%s", text, buffer_get(&written));
}

static void test_export(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) { /* a table that is held, and one that is made row by row */
        streams = way == 1;
        assert_true(walk_make(&walk, &error));
        assert_int_equal(walk_model(&walk)->row_count, LEARNERS);
        struct table_place *place = &walk_level(&walk)->place;
        *place = view_table_top;
        place->sort = 3; /* questions: the most first */
        view_table_arrange(walk_model(&walk), place);
        assert_true(walk_export(&walk, "x/class.CSV", &error));
        assert_string_equal(written_to, "x/class.CSV");
        const char *csv = buffer_get(&written);
        assert_int_equal(
            strncmp(csv, "learner,last_seen,share,share_low,share_high,questions,time,login\r\n",
                    strlen("learner,last_seen,share,share_low,share_high,questions,time,login\r\n")),
            0);
        const char *found[] = { "\r\nفاطمة,", "\r\nBen,", "\r\n\"'=HYPERLINK(\"\"x\"\")\",", "31m\nb\",",
                                "\r\n<script>," };
        for (size_t i = 0, before = 0; i < 5; i++) {
            const char *row = strstr(csv, found[i]);
            assert_non_null(row);
            assert_true((size_t)(row - csv) > before);
            before = (size_t)(row - csv);
        }
        snprintf(place->filter, VIEW_FIELD, "%s", "script");
        view_table_arrange(walk_model(&walk), place);
        assert_true(walk_export(&walk, "class.html", &error));
        see_written("&lt;script&gt;");
        see_written("Only the 1 of 5 rows that hold");
        assert_null(strstr(buffer_get(&written), "Ben"));
        assert_true(walk_export(&walk, "class.json", &error));
        see_written("\"learner\":\"<script>\"");
        assert_true(walk_export(&walk, "class.txt", &error));
        see_written("<script>");
        see_written("Attempts used");
        assert_null(strstr(buffer_get(&written), "Ben"));
        snprintf(place->filter, VIEW_FIELD, "%s", "nobody");
        view_table_arrange(walk_model(&walk), place);
        assert_true(walk_export(&walk, "class.csv", &error)); /* a heading alone */
        assert_null(strstr(buffer_get(&written), "script"));
        place->filter[0] = '\0';
    }
    static const char *const wrong[] = { "class", "class.pdf", "", ".csv/", "a.csv/b", "class.csv." };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(walk_export(&walk, wrong[i], &error));
        assert_int_equal(error.code, ERROR_INPUT);
        assert_non_null(walk_model(&walk));
    }
    unwritable = true;
    assert_false(walk_export(&walk, "class.csv", &error));
    assert_int_equal(error.code, ERROR_FULL);
    assert_non_null(walk_model(&walk));
}

static void test_export_choices(void **state)
{
    (void)state;
    tutor.kind = REPORT_ITEMS;
    walk_init(&walk, &tutor, false);
    assert_true(walk_make(&walk, &error));
    assert_true(walk_open(&walk, 1, &error));
    assert_string_equal(walk_model(&walk)->file, "choices.csv");
    assert_true(walk_export(&walk, "choices.csv", &error));
    assert_string_equal(buffer_get(&written), "question,pack,revision,choice,share\r\n"
                                              "q2,p,r2,B,0.25\r\nq2,p,r2,C,0.75\r\n");
}

/* Without memory at any point: told, and nothing is lost or leaks. */
static void test_memory(void **state)
{
    (void)state;
    for (int way = 0; way < 5; way++) {
        streams = way == 4;
        bool done = false;
        int allocations = 1;
        for (; !done; allocations++) {
            assert_true(allocations < 2000);
            walk_init(&walk, &tutor, true);
            assert_true(way == 0 || walk_make(&walk, &error));
            error = (struct error){ 0 };
            memory_fail_after(allocations);
            done = way == 0   ? walk_make(&walk, &error)
                   : way == 1 ? walk_open(&walk, 0, &error)
                   : way == 2 ? walk_table(&walk, 1, &error)
                              : walk_export(&walk, "x.csv", &error);
            memory_fail_after(0);
            if (!done) {
                assert_int_equal(error.code, ERROR_MEMORY);
                if (walk_model(&walk)) /* what is shown is whole */
                    assert_int_equal(walk_model(&walk)->row_count, LEARNERS);
            }
            walk_finish(&walk);
            assert_int_equal(open_reports, 0);
        }
        assert_true(allocations > 3);
    }
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_presented, start, stop),
        cmocka_unit_test_setup_teardown(test_walk, start, stop),
        cmocka_unit_test_setup_teardown(test_tables, start, stop),
        cmocka_unit_test_setup_teardown(test_refused, start, stop),
        cmocka_unit_test_setup_teardown(test_anew, start, stop),
        cmocka_unit_test_setup_teardown(test_export, start, stop),
        cmocka_unit_test_setup_teardown(test_export_choices, start, stop),
        cmocka_unit_test_setup_teardown(test_memory, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
