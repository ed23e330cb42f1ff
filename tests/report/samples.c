#include "samples.h"

#include <math.h>
#include <stdio.h>

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

static const double rising[] = { 0, .25, .5, .75, 1 };
static const double gapped[] = { NAN, .5, NAN, 1, 0 };

#define TEXT(string)                                                                                         \
    {                                                                                                        \
        .kind = CELL_TEXT, .text = (string)                                                                  \
    }
#define WHOLE(number)                                                                                        \
    {                                                                                                        \
        .kind = CELL_WHOLE, .whole = (number)                                                                \
    }
#define REAL(number)                                                                                         \
    {                                                                                                        \
        .kind = CELL_REAL, .real = (number)                                                                  \
    }
#define PERCENT(number)                                                                                      \
    {                                                                                                        \
        .kind = CELL_PERCENT, .real = (number)                                                               \
    }
#define ABSENT(reason)                                                                                       \
    {                                                                                                        \
        .kind = CELL_ABSENT, .why = (reason)                                                                 \
    }
#define NOTHING                                                                                              \
    {                                                                                                        \
        .kind = CELL_NOTHING                                                                                 \
    }
#define SPAN(ms)                                                                                             \
    {                                                                                                        \
        .kind = CELL_SPAN, .whole = (ms)                                                                     \
    }
#define DAY(number)                                                                                          \
    {                                                                                                        \
        .kind = CELL_DAY, .whole = (number)                                                                  \
    }
#define TRUTH(yes)                                                                                           \
    {                                                                                                        \
        .kind = CELL_TRUTH, .whole = (yes)                                                                   \
    }
#define MOMENT(ms, east)                                                                                     \
    {                                                                                                        \
        .kind = CELL_MOMENT, .whole = (ms), .utc_offset_s = (east)                                           \
    }
#define SHARE(number, from, to)                                                                              \
    {                                                                                                        \
        .kind = CELL_SHARE, .real = (number), .has_interval = true, .low = (from), .high = (to)              \
    }
#define WORST(number)                                                                                        \
    {                                                                                                        \
        .kind = CELL_REAL, .real = (number), .stands_out = true                                              \
    }
#define TREND(number, values)                                                                                \
    {                                                                                                        \
        .kind = CELL_PERCENT, .real = (number), .trend = (values), .trend_count = COUNT(values)              \
    }

static const struct report_column learner_columns[] = {
    { .name = "learner", .title = "learner", .kind = CELL_TEXT },
    { .name = "last_seen", .title = "last seen", .kind = CELL_MOMENT, .rank = 2 },
    { .name = "questions", .title = "questions", .kind = CELL_WHOLE },
    { .name = "first_try", .title = "first try right", .kind = CELL_SHARE, .bar = true, .interval = true },
    { .name = "mastery", .title = "mastery", .kind = CELL_PERCENT, .decimals = 1, .rank = 1 },
    { .name = "minutes", .title = "time", .unit = "min", .kind = CELL_SPAN, .rank = 3 },
    { .name = "slowest", .title = "slowest answer", .kind = CELL_SPAN, .rank = 4 },
    { .name = "joined", .title = "joined", .kind = CELL_DAY, .rank = 5 },
    { .name = "quiet", .title = "gone quiet", .kind = CELL_TRUTH, .rank = 1 },
    { .name = "discrimination", .title = "discrimination", .kind = CELL_REAL, .decimals = 2, .rank = 1 },
    { .name = "skewness", .title = "skewness", .kind = CELL_REAL, .decimals = 6, .detail = true },
    { .name = "remark", .title = "remark", .kind = CELL_TEXT, .rank = 1 },
};

/* 2026-11-30T10:55:54.321Z */
#define WHEN 1796036154321

static const struct report_cell learner_rows[] = {
    TEXT("=HYPERLINK(\"x\")"),
    MOMENT(WHEN, 3600),
    WHOLE(6),
    SHARE(5 / 6., .436497, .969949),
    PERCENT(83.333333333333329),
    SPAN(400000),
    SPAN(12345),
    DAY(20787),
    TRUTH(0),
    WORST(-15.617376188860607),
    REAL(.075066),
    TEXT("+1, or more\nand a second line"),

    TEXT("Doe, Jane \"JD\""),
    MOMENT(0, 0),
    WHOLE(0),
    ABSENT("fewer than 3 attempts"),
    ABSENT("fewer than 3 attempts"),
    SPAN(0),
    NOTHING,
    DAY(0),
    TRUTH(1),
    ABSENT("no variance"),
    ABSENT("no variance"),
    NOTHING,

    TEXT("\xd9\x84\xd9\x8a\xd9\x84\xd9\x89 \xd8\xa7\xd9\x84\xd8\xb9\xd9\x84\xd9\x8a"),
    MOMENT(WHEN, -34200),
    WHOLE(12345),
    SHARE(1, .7, 1),
    TREND(66.6, rising),
    SPAN(5400000),
    SPAN(5400000),
    DAY(-1),
    TRUTH(0),
    REAL(0.1),
    REAL(-0.0),
    TEXT("'quoted'"),

    TEXT("<script>alert(1)</script>"),
    MOMENT(-1, 0),
    WHOLE(-7),
    SHARE(0, 0, .39),
    TREND(0, gapped),
    SPAN(59999),
    SPAN(250),
    DAY(20788),
    TRUTH(1),
    REAL(NAN),
    REAL(1e300),
    TEXT("@home & \"away\" <b>bold</b> &amp; 'x'"),

    /* family of three joined into one, and an e with a combining acute */
    TEXT("Zoe\xcc\x81 \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7"),
    ABSENT("never seen"),
    WHOLE(3),
    SHARE(1 / 3., .061492, .792345),
    PERCENT(INFINITY),
    SPAN(61000),
    SPAN(3600000),
    DAY(20789),
    TRUTH(0),
    REAL(1. / 3),
    REAL(2),
    TEXT("-- a long remark that goes on and on until it must be wrapped within its own column, whatever the "
         "width of "
         "the window is"),

    TEXT("\xe6\x9d\x8e\xe5\xb0\x8f\xe9\xbe\x99"),
    NOTHING,
    WHOLE(9),
    SHARE(.5, .2, .8),
    PERCENT(50),
    SPAN(1),
    SPAN(1000),
    DAY(20790),
    TRUTH(0),
    REAL(12),
    REAL(3),
    TEXT("\tescape \x1b[31mred\x1b[0m, override \xe2\x80\xae"
         "txt, bad \xff\xc3 bytes"),
};

static const char *const opens[] = { "1", "2", "3", "4", "5", "6" };

static const struct report_column question_columns[] = {
    { .name = "question", .title = "question", .kind = CELL_TEXT },
    { .name = "facility", .title = "facility", .kind = CELL_PERCENT, .decimals = 2, .bar = true },
};

static const struct report_table full_tables[] = {
    { .name = "learners",
      .title = "Learners",
      .columns = learner_columns,
      .column_count = COUNT(learner_columns),
      .rows = learner_rows,
      .row_count = COUNT(learner_rows) / COUNT(learner_columns),
      .opens = opens },
    { .name = "items",
      .title = "Questions & answers",
      .empty = "nobody has answered a question yet",
      .columns = question_columns,
      .column_count = COUNT(question_columns) },
};

static const struct report_fact full_facts[] = {
    { .name = "learners_seen", .title = "learners", .cell = WHOLE(6) },
    { .name = "alpha", .title = "Cronbach's alpha", .decimals = 1, .cell = PERCENT(36.36363636363637) },
    { .name = "standard_error",
      .title = "standard error",
      .decimals = 2,
      .unit = "marks",
      .cell = REAL(.966092) },
    { .name = "median_time", .title = "median time", .cell = SPAN(400000) },
    { .name = "first_try_share", .title = "first try right", .cell = SHARE(.7, .5, .85) },
    { .name = "by_week", .title = "by week", .cell = TREND(50, gapped) },
    { .name = "from", .title = "first day", .cell = DAY(20787) },
    { .name = "last_seen", .title = "last seen", .cell = MOMENT(WHEN, 3600) },
    { .name = "certain", .title = "certainty was asked", .cell = TRUTH(1) },
    { .name = "pack", .title = "pack", .cell = TEXT("<Training> \"across\" many & devices") },
    { .name = "error_ratio", .title = "error ratio", .cell = ABSENT("different items were shown") },
    { .name = "kurtosis", .title = "kurtosis", .decimals = 6, .detail = true, .cell = REAL(-1.549587) },
    { .name = "broken", .title = "a figure that is none", .detail = true, .cell = REAL(NAN) },
    { .name = "empty", .title = "nothing to say", .cell = NOTHING },
};

static const char *const topics[] = { "pipeline", "data & \"tensor\" <parallel>",
                                      "a topic whose name is so long that no chart has room for all of it" };
static const double topic_values[] = { .8, NAN, .333333 };
static const char *const weeks[] = { "2026-11-02", "2026-11-09", "2026-11-16", "2026-11-23", "2026-11-30" };
static const double week_values[] = { 12, 7.5, NAN, 30, 41 };

static const struct report_chart full_charts[] = {
    { .name = "topics",
      .title = "By topic",
      .share = true,
      .labels = topics,
      .values = topic_values,
      .count = 3 },
    { .name = "weeks",
      .title = "Minutes a week",
      .line = true,
      .unit = "min",
      .labels = weeks,
      .values = week_values,
      .count = 5 },
};

static const char *const full_notes[] = {
    "first attempts; 6 learners; 2026-11-02 to 2026-11-30; newest revision",
    "95% intervals by Wilson's formula, a long note that has to be wrapped in a narrow window, and <escaped> "
    "in a page",
};

void sample_bare(struct report *report)
{
    *report = (struct report){ .kind = REPORT_CLASS, .title = "Class" };
}

void sample_full(struct report *report)
{
    *report = (struct report){ .kind = REPORT_ITEMS,
                               .title = "Class of <2026> & \"friends\"",
                               .subtitle = "Training Across Many Devices",
                               .facts = full_facts,
                               .fact_count = COUNT(full_facts),
                               .charts = full_charts,
                               .chart_count = COUNT(full_charts),
                               .tables = full_tables,
                               .table_count = COUNT(full_tables),
                               .notes = full_notes,
                               .note_count = COUNT(full_notes) };
}

static const char *const letters[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l" };
static const double below[] = { -15.617376, 72.760688, 0, -100 };
static const double none[] = { NAN, INFINITY, -INFINITY };
static const double zeros[] = { 0, 0 };
static const double many[] = { 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048 };
static const double shares[] = { .1, .9, 1, 0 };
static const double small[] = { .0001, .0003, -.0002 };

static const struct report_chart edge_charts[] = {
    { .name = "below", .title = "Below zero", .labels = letters, .values = below, .count = 4, .decimals = 1 },
    { .name = "below_line",
      .title = "Below zero, as a line",
      .line = true,
      .labels = letters,
      .values = below,
      .count = 4 },
    { .name = "none", .title = "Nothing finite", .labels = letters, .values = none, .count = 3 },
    { .name = "none_line",
      .title = "Nothing finite, as a line",
      .line = true,
      .labels = letters,
      .values = none,
      .count = 3 },
    { .name = "zeros", .title = "Zeros", .labels = letters, .values = zeros, .count = 2 },
    { .name = "empty", .title = "Empty", .labels = letters, .values = zeros },
    { .name = "one", .title = "One point", .line = true, .labels = letters, .values = many, .count = 1 },
    { .name = "many", .title = "Many", .line = true, .labels = letters, .values = many, .count = 12 },
    { .name = "shares",
      .title = "Shares",
      .line = true,
      .share = true,
      .labels = letters,
      .values = shares,
      .count = 4 },
    { .name = "small",
      .title = "Small",
      .line = true,
      .labels = letters,
      .values = small,
      .count = 3,
      .decimals = 4 },
};

void sample_charts(struct report *report)
{
    *report = (struct report){ .kind = REPORT_PROGRESS,
                               .title = "Charts",
                               .charts = edge_charts,
                               .chart_count = COUNT(edge_charts),
                               .details = true };
}

static const struct report_column stream_columns[] = {
    { .name = "attempt", .title = "attempt", .kind = CELL_WHOLE },
    { .name = "learner", .title = "learner", .kind = CELL_TEXT },
    { .name = "mark", .title = "mark", .kind = CELL_REAL, .decimals = 2, .interval = true },
    { .name = "trend", .title = "trend", .kind = CELL_PERCENT },
    { .name = "answered_at", .title = "answered", .kind = CELL_MOMENT, .rank = 1 },
    { .name = "elapsed", .title = "elapsed", .unit = "s", .kind = CELL_SPAN, .decimals = 1, .detail = true },
};

/* The texts change from row to row in the same place, as those of a database do. */
static int stream_next(void *context, struct report_cell *cells, struct error *error)
{
    struct sample_stream *stream = context;
    int64_t at = stream->at++;
    if (at == stream->rows) {
        if (!stream->fails)
            return 0;
        error_set(error, ERROR_DAMAGED, "row %lld can't be read", (long long)at);
        return -1;
    }
    snprintf(stream->text, sizeof stream->text, at % 7 ? "learner %lld" : "fewer than %lld attempts",
             (long long)(at % 1000));
    for (int i = 0; i < 4; i++)
        stream->trend[i] = (double)((at + i) % 5) / 4;
    cells[0] = (struct report_cell)WHOLE(at + 1);
    cells[1] = (struct report_cell)TEXT(stream->text);
    cells[2] = (struct report_cell){
        .kind = CELL_REAL, .real = (double)at / 3, .has_interval = at % 2, .low = 0, .high = 1
    };
    cells[3] = (struct report_cell){
        .kind = CELL_PERCENT, .real = (double)(at % 100), .trend = stream->trend, .trend_count = 4
    };
    cells[4] = (struct report_cell)MOMENT(WHEN + at * 1000, 3600);
    if (at % 7 == 0) /* left as it came in otherwise: absent, without a reason */
        cells[5] = (struct report_cell)ABSENT(stream->text);
    else if (at % 2)
        cells[5] = (struct report_cell)SPAN(at);
    return 1;
}

void sample_streaming(struct sample_stream *stream, int64_t rows, bool fails)
{
    *stream = (struct sample_stream){ .rows = rows, .fails = fails };
    stream->table = (struct report_table){ .name = "attempts",
                                           .title = "Attempts",
                                           .empty = "no attempts",
                                           .columns = stream_columns,
                                           .column_count = COUNT(stream_columns),
                                           .row_count = -1,
                                           .next = stream_next,
                                           .context = stream };
    stream->report = (struct report){
        .kind = REPORT_ATTEMPTS, .title = "Attempts", .tables = &stream->table, .table_count = 1
    };
}
