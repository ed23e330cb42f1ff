/* Scenes of a tutor's tables: a class, a learner, questions, and the choices of one. */
#include "samples_table.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { ROWS = 24 };

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))
#define TEXT(words, folded)                                                                                  \
    {                                                                                                        \
        .text = (words), .key = (folded), .number = NAN, .bar = NAN                                          \
    }
#define NUMBER(words, n)                                                                                     \
    {                                                                                                        \
        .text = (words), .number = (n), .bar = NAN                                                           \
    }
#define FLAGGED(words, n)                                                                                    \
    {                                                                                                        \
        .text = (words), .number = (n), .bar = NAN, .stands_out = true                                       \
    }
#define SHARE(words, n, interval)                                                                            \
    {                                                                                                        \
        .text = (words), .beside = (interval), .number = (n), .bar = (float)(n)                              \
    }
#define WORST(words, n, interval)                                                                            \
    {                                                                                                        \
        .text = (words), .beside = (interval), .number = (n), .bar = (float)(n), .stands_out = true          \
    }
#define ABSENT(reason)                                                                                       \
    {                                                                                                        \
        .why = (reason), .number = NAN, .bar = NAN                                                           \
    }
#define NOTHING                                                                                              \
    {                                                                                                        \
        .number = NAN, .bar = NAN                                                                            \
    }

static const char none[] = "no answers yet";

static const char *const others[] = { "class", "questions", "misconceptions", "problems" };
static const char *const notes[] = {
    "Attempts used: the first of each learner at each question, since later ones have seen the explanation.",
    "312 attempts of 9 learners, on days from 2026-11-02 to 2026-11-30 that begin at 04:00.",
    "Only the group 4b.",
};

/* ---- the class ---- */

static const struct table_column class_columns[] = {
    { .heading = "learner" },
    { .heading = "last seen", .largest_first = true, .rank = 3 },
    { .heading = "sessions", .right = true, .largest_first = true, .rank = 5 },
    { .heading = "questions", .right = true, .largest_first = true, .rank = 2 },
    { .heading = "right at first try (%)", .right = true },
    { .heading = "mastery (%)", .right = true, .rank = 1 },
    { .heading = "time (min)", .right = true, .largest_first = true, .rank = 4 },
    { .heading = "stuck at", .right = true, .largest_first = true, .rank = 1 },
    { .heading = "gone quiet", .rank = 1 },
};
static const struct table_cell class_cells[] = {
    TEXT("Ben Okafor", "ben okafor"),
    NUMBER("2026-11-12 16:40", 12),
    NUMBER("3", 3),
    NUMBER("21", 21),
    WORST("19", .19, "(8–40)"),
    SHARE("5", .05, NULL),
    NUMBER("12.0", 12),
    FLAGGED("3", 3),
    { .text = "yes", .number = 1, .bar = NAN, .stands_out = true },
    TEXT("فاطمة الزهراء", "فاطمة الزهراء"),
    NUMBER("2026-11-29 10:05", 29),
    NUMBER("6", 6),
    NUMBER("34", 34),
    WORST("38", .38, "(24–55)"),
    SHARE("15", .15, NULL),
    NUMBER("41.5", 41.5),
    FLAGGED("1", 1),
    NUMBER("no", 0),
    TEXT("山田太郎", "山田太郎"),
    NUMBER("2026-11-30 08:55", 30),
    NUMBER("9", 9),
    NUMBER("34", 34),
    SHARE("56", .56, "(39–71)"),
    SHARE("29", .29, NULL),
    NUMBER("63.0", 63),
    NUMBER("0", 0),
    NUMBER("no", 0),
    TEXT("Zoe\xcc\x88 de\xcc\x81 Souza e\xcc\x81", "zoë dé souza é"),
    NUMBER("2026-11-28 19:20", 28),
    NUMBER("5", 5),
    NUMBER("33", 33),
    SHARE("61", .61, "(44–76)"),
    SHARE("33", .33, NULL),
    NUMBER("38.0", 38),
    NUMBER("0", 0),
    NUMBER("no", 0),
    TEXT("=HYPERLINK(\"x\")", "=hyperlink(\"x\")"),
    NUMBER("2026-11-27 12:00", 27),
    NUMBER("4", 4),
    NUMBER("30", 30),
    SHARE("70", .7, "(52–83)"),
    SHARE("40", .4, NULL),
    NUMBER("29.5", 29.5),
    NUMBER("0", 0),
    NUMBER("no", 0),
    TEXT("O'Neil, \"Sam\"", "o'neil, \"sam\""),
    NUMBER("2026-11-30 09:10", 30.1),
    NUMBER("7", 7),
    NUMBER("34", 34),
    SHARE("79", .79, "(63–90)"),
    SHARE("62", .62, NULL),
    NUMBER("55.0", 55),
    NUMBER("0", 0),
    NUMBER("no", 0),
    TEXT("<script>alert(1)</script>", "<script>alert(1)</script>"),
    NUMBER("2026-11-26 18:00", 26),
    NUMBER("8", 8),
    NUMBER("34", 34),
    SHARE("88", .88, "(73–95)"),
    SHARE("71", .71, NULL),
    NUMBER("70.5", 70.5),
    NUMBER("0", 0),
    NUMBER("no", 0),
    TEXT("Ana", "ana"),
    NUMBER("2026-11-30 09:30", 30.2),
    NUMBER("12", 12),
    NUMBER("34", 34),
    SHARE("97", .97, "(85–99)"),
    SHARE("94", .94, NULL),
    NUMBER("102.0", 102),
    NUMBER("0", 0),
    NUMBER("no", 0),
    TEXT("Nia", "nia"),
    ABSENT(none),
    NUMBER("0", 0),
    NUMBER("0", 0),
    ABSENT(none),
    ABSENT(none),
    NUMBER("0.0", 0),
    NUMBER("0", 0),
    ABSENT(none),
};
static const char *const class_ids[] = {
    "ben", "fatima", "yamada", "zoe", "h", "sam", "script", "ana", "nia"
};
static const struct table_fact class_facts[] = {
    { "learners", "9", NULL },   { "with answers", "8", NULL }, { "stuck somewhere", "2", NULL },
    { "gone quiet", "1", NULL }, { "sessions", "54", NULL },    { "right at first try", "64% (58–69)", NULL },
    { "mastery", "43%", NULL },  { "time", "411.5 min", NULL }, { "median of the share", "65%", NULL },
};
static int class_order[ROWS];
static struct table_width class_widths[COUNT(class_columns)];
static struct table_work class_work = { class_order, 0, class_widths };
static const struct table_model class_model = {
    .title = "The class",
    .subtitle = "group 4b",
    .file = "class.csv",
    .opens_what = "learner",
    .tables = 2,
    .name = "Learners",
    .others = others,
    .other_count = COUNT(others),
    .column_count = COUNT(class_columns),
    .row_count = COUNT(class_ids),
    .columns = class_columns,
    .cells = class_cells,
    .ids = class_ids,
    .opens = class_ids,
    .fact_count = COUNT(class_facts),
    .facts = class_facts,
    .note_count = COUNT(notes),
    .notes = notes,
    .work = &class_work,
};

static void show(struct view *view, const struct table_model *model)
{
    view_table_measure(model);
    view_show_table(view, model, &view_table_top, false);
}

void set_table_class(struct view *view)
{
    show(view, &class_model);
}

/* A row whose figures are not available. */
void set_table_absent(struct view *view)
{
    show(view, &class_model);
    view->place.cursor = COUNT(class_ids) - 1;
    view->place.column = 4;
}

void set_table_empty(struct view *view)
{
    static struct table_model model;
    model = class_model;
    model.row_count = model.tables = 0;
    model.opens_what = NULL;
    model.empty = "No learners.";
    show(view, &model);
}

/* ---- a learner ---- */

static const double packs_trend[] = { .2, NAN, .45, .6, .85 }, other_trend[] = { .5, .5, .4 };
static const struct table_column learner_columns[] = {
    { .heading = "pack or topic" },
    { .heading = "seen", .right = true, .largest_first = true, .rank = 2 },
    { .heading = "right at first try (%)", .right = true },
    { .heading = "mastered", .right = true, .largest_first = true, .rank = 1 },
    { .heading = "recalled now (%)", .right = true, .rank = 3 },
    { .heading = "time (min)", .right = true, .largest_first = true, .rank = 4 },
};
static const struct table_cell learner_cells[] = {
    TEXT("Training Across Many Devices, and what they say to each other meanwhile",
         "training across many devices, and what they say to each other meanwhile"),
    NUMBER("34", 34),
    { .text = "65", .beside = "(48–79)", .number = .65, .bar = .65f, .trend = packs_trend, .trend_count = 5 },
    NUMBER("12", 12),
    SHARE("81", .81, NULL),
    NUMBER("41.5", 41.5),
    TEXT("A tour of quiztutor", "a tour of quiztutor"),
    NUMBER("3", 3),
    { .text = "33",
      .beside = "(6–79)",
      .number = .33,
      .bar = .33f,
      .trend = other_trend,
      .trend_count = 3,
      .stands_out = true },
    NUMBER("0", 0),
    ABSENT("no question of it is learnt yet"),
    NUMBER("2.0", 2),
};
static const char *const learner_ids[] = { "training", "tour" };
static const struct table_fact learner_facts[] = {
    { "seen", "37", NULL },
    { "right at first try", "62% (46–76)", NULL },
    { "mastered", "12", NULL },
    { "recalled now", NULL, "no question is learnt yet" },
    { "days in a row", "4", NULL },
    { "time", "43.5 min", NULL },
    { "weakest topic", "tensor", NULL },
};
static const char *const weeks[] = { "2026-11-02", "2026-11-09", "2026-11-16", "2026-11-23", "2026-11-30" };
static const char *const week_texts[] = { "20%", NULL, "45%", "60%", "85%" };
static const char *const days[] = { "Mon 30 Nov", "Tue 1 Dec", "Wed 2 Dec" };
static const char *const day_texts[] = { "12", "3", "0" };
static const double day_values[] = { 1, .25, 0 };
static const struct table_chart learner_charts[] = {
    { "Right at first try, by week", true, weeks, week_texts, packs_trend, 5 },
    { "Due in the days to come", false, days, day_texts, day_values, 3 },
};
static int learner_order[ROWS];
static struct table_width learner_widths[COUNT(learner_columns)];
static struct table_work learner_work = { learner_order, 0, learner_widths };
static const struct table_model learner_model = {
    .title = "Progress",
    .subtitle = "فاطمة الزهراء",
    .file = "progress.csv",
    .opens_what = "questions",
    .depth = 1,
    .table = 0,
    .tables = 4,
    .name = "Packs and topics",
    .others = others,
    .other_count = COUNT(others),
    .column_count = COUNT(learner_columns),
    .row_count = COUNT(learner_ids),
    .columns = learner_columns,
    .cells = learner_cells,
    .ids = learner_ids,
    .opens = learner_ids,
    .fact_count = COUNT(learner_facts),
    .facts = learner_facts,
    .chart_count = COUNT(learner_charts),
    .charts = learner_charts,
    .note_count = COUNT(notes),
    .notes = notes,
    .work = &learner_work,
};

void set_table_learner(struct view *view)
{
    show(view, &learner_model);
}

/* ---- questions ---- */

static const struct table_column item_columns[] = {
    { .heading = "question" },
    { .heading = "asked", .rank = 3 },
    { .heading = "n", .right = true, .largest_first = true, .rank = 2 },
    { .heading = "facility (%)", .right = true },
    { .heading = "discrimination", .right = true },
    { .heading = "discriminative efficiency (%)", .right = true, .rank = 4 },
    { .heading = "median time (s)", .right = true, .largest_first = true, .rank = 5 },
    { .heading = "guess score (%)", .right = true, .rank = 6 },
    { .heading = "flags", .rank = 1 },
};
#define ITEM(id, prompt, n, facility, share, interval, discrimination, d, flags)                             \
    TEXT(id, id), TEXT(prompt, prompt), NUMBER(n, 30), SHARE(facility, share, interval),                     \
        NUMBER(discrimination, d), NUMBER("20.0", 20), NUMBER("14.0", 14), NUMBER("33.3", 33.3),             \
        TEXT(flags, flags)
static const struct table_cell item_cells[] = {
    TEXT("collective", "collective"),
    TEXT("What does a tensor-parallel layer exchange in every forward pass?",
         "what does a tensor-parallel layer exchange in every forward pass?"),
    NUMBER("30", 30),
    WORST("17", .17, "(7–34)"),
    FLAGGED("-15.6", -15.6),
    NUMBER("-20.0", -20),
    NUMBER("41.0", 41),
    NUMBER("33.3", 33.3),
    { .text = "key probably wrong; the strong choose another answer",
      .key = "key probably wrong; the strong choose another answer",
      .number = NAN,
      .bar = NAN,
      .stands_out = true },
    ITEM("stages", "which strategy splits whole layers into stages?", "30", "50", .5, "(33–67)", "18.6", 18.6,
         "a choice nobody takes"),
    ITEM("bubble", "why does a pipeline have a bubble?", "29", "52", .52, "(34–69)", "23.4", 23.4, ""),
    ITEM("shard", "what is sharded by stage 3?", "28", "61", .61, "(42–77)", "72.8", 72.8, ""),
    TEXT("warm-up", "warm-up"),
    TEXT("what is this?", "what is this?"),
    NUMBER("2", 2),
    ABSENT("fewer than 3 attempts"),
    ABSENT("fewer than 3 attempts"),
    ABSENT("fewer than 3 attempts"),
    NUMBER("9.0", 9),
    NUMBER("50.0", 50),
    TEXT("", ""),
};
static const char *const item_ids[] = { "tmd/collective", "tmd/stages", "tmd/bubble", "tmd/shard",
                                        "tmd/warm-up" };
static const struct table_fact item_facts[] = {
    { "alpha", "36.4%", NULL },
    { "error ratio", "79.8%", NULL },
    { "standard error", "0.97", NULL },
    { "sittings", "30", NULL },
};
static int item_order[ROWS];
static struct table_width item_widths[COUNT(item_columns)];
static struct table_work item_work = { item_order, 0, item_widths };
static const struct table_model item_model = {
    .title = "Questions",
    .subtitle = "Training Across Many Devices",
    .file = "items.csv",
    .opens_what = "choices",
    .depth = 2,
    .tables = 1,
    .others = others,
    .other_count = COUNT(others),
    .column_count = COUNT(item_columns),
    .row_count = COUNT(item_ids),
    .columns = item_columns,
    .cells = item_cells,
    .ids = item_ids,
    .opens = item_ids,
    .fact_count = COUNT(item_facts),
    .facts = item_facts,
    .note_count = COUNT(notes),
    .notes = notes,
    .work = &item_work,
};

void set_table_items(struct view *view)
{
    show(view, &item_model);
}

/* ---- choices ---- */

static const struct table_column choice_columns[] = {
    { .heading = "choice" },
    { .heading = "right", .rank = 1 },
    { .heading = "chosen", .right = true, .largest_first = true },
    { .heading = "share (%)", .right = true },
    { .heading = "with the rest (correlation)", .right = true, .rank = 2 },
    { .heading = "misconception", .rank = 3 },
};
static const struct table_cell choice_cells[] = {
    TEXT("Gradients, by an all-reduce", "gradients, by an all-reduce"),
    NUMBER("no", 0),
    FLAGGED("17", 17),
    WORST("57", .57, NULL),
    FLAGGED("0.31", .31),
    TEXT("data-for-tensor", "data-for-tensor"),
    TEXT("Partial results, by an all-reduce", "partial results, by an all-reduce"),
    NUMBER("yes", 1),
    NUMBER("5", 5),
    SHARE("17", .17, NULL),
    NUMBER("-0.16", -.16),
    NOTHING,
    TEXT("Weights", "weights"),
    NUMBER("no", 0),
    NUMBER("8", 8),
    SHARE("27", .27, NULL),
    NUMBER("-0.12", -.12),
    NOTHING,
    TEXT("Nothing", "nothing"),
    NUMBER("no", 0),
    NUMBER("0", 0),
    SHARE("0", 0., NULL),
    ABSENT("nobody chose it"),
    NOTHING,
};
static const char *const choice_ids[] = { "1", "2", "3", "4" };
static const char *const choice_opens[4] = { NULL };
static const struct table_fact choice_facts[] = {
    { "asked", "What does a tensor-parallel layer exchange in every forward pass?", NULL },
    { "n", "30", NULL },
    { "facility", "17% (7–34)", NULL },
    { "discrimination", "-15.6", NULL },
    { "flags", "key probably wrong; the strong choose another answer", NULL },
};
static int choice_order[ROWS];
static struct table_width choice_widths[COUNT(choice_columns)];
static struct table_work choice_work = { choice_order, 0, choice_widths };
static const struct table_model choice_model = {
    .title = "Choices",
    .subtitle = "collective",
    .file = "choices.csv",
    .depth = 3,
    .tables = 1,
    .others = others,
    .other_count = COUNT(others),
    .column_count = COUNT(choice_columns),
    .row_count = COUNT(choice_ids),
    .columns = choice_columns,
    .cells = choice_cells,
    .ids = choice_ids,
    .opens = choice_opens,
    .fact_count = COUNT(choice_facts),
    .facts = choice_facts,
    .note_count = COUNT(notes),
    .notes = notes,
    .work = &choice_work,
};

void set_table_choices(struct view *view)
{
    show(view, &choice_model);
}
