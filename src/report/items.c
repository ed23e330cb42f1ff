/* The report `items`: a line a question, the choices, why some should be looked at, and each pack's figures.
 */
#include "item.h"
#include "people.h"

#include <quiztutor/message.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum item_column {
    ITEM_QUESTION,
    ITEM_PACK,
    ITEM_REVISION,
    ITEM_OLDER,
    ITEM_TYPE,
    ITEM_N,
    ITEM_OMITTED,
    ITEM_UNDONE,
    ITEM_FACILITY,
    ITEM_DISCRIMINATION,
    ITEM_EFFICIENCY,
    ITEM_MEDIAN,
    ITEM_GUESS,
    ITEM_REPORTS,
    ITEM_FLAG_WORDS,
    ITEM_PROMPT,
    ITEM_MARKS,
    ITEM_SITTINGS,
    ITEM_REST,
    ITEM_WEIGHT,
    ITEM_ALPHA,
    ITEM_COLUMNS
};

static const struct report_column item_columns[ITEM_COLUMNS] = {
    [ITEM_QUESTION] = { .name = "question", .title = N_("question"), .kind = CELL_TEXT },
    [ITEM_PACK] = { .name = "pack", .title = N_("pack"), .kind = CELL_TEXT, .rank = 9 },
    [ITEM_REVISION] = { .name = "revision", .title = N_("revision"), .kind = CELL_TEXT, .rank = 10 },
    [ITEM_OLDER] = { .name = "older", .title = N_("older revision"), .kind = CELL_TRUTH, .rank = 11 },
    [ITEM_TYPE] = { .name = "type", .title = N_("question type"), .kind = CELL_TEXT, .rank = 12 },
    [ITEM_N] = { .name = "n", .title = N_("n"), .kind = CELL_WHOLE },
    [ITEM_OMITTED] = { .name = "omitted", .title = N_("omitted"), .kind = CELL_WHOLE, .rank = 4 },
    [ITEM_UNDONE] = { .name = "undone", .title = N_("undone"), .kind = CELL_WHOLE, .rank = 8 },
    [ITEM_FACILITY] = { .name = "facility",
                        .title = N_("facility"),
                        .kind = CELL_PERCENT,
                        .bar = true,
                        .interval = true },
    [ITEM_DISCRIMINATION] = { .name = "discrimination", .title = N_("discrimination"), .kind = CELL_REAL },
    [ITEM_EFFICIENCY] = { .name = "discriminative_efficiency",
                          .title = N_("efficiency"),
                          .kind = CELL_PERCENT,
                          .rank = 5 },
    [ITEM_MEDIAN] = { .name = "median_time",
                      .title = N_("median time"),
                      .unit = "s",
                      .kind = CELL_SPAN,
                      .rank = 3 },
    [ITEM_GUESS] = { .name = "guess_score", .title = N_("guess score"), .kind = CELL_PERCENT, .rank = 6 },
    [ITEM_REPORTS] = { .name = "reports", .title = N_("reported"), .kind = CELL_WHOLE, .rank = 2 },
    [ITEM_FLAG_WORDS] = { .name = "flags",
                          .title = N_("flags"),
                          .kind = CELL_TEXT,
                          .leads = true,
                          .rank = 1 },
    [ITEM_PROMPT] = { .name = "prompt",
                      .title = N_("prompt"),
                      .kind = CELL_TEXT,
                      .detail = true,
                      .rank = 13 },
    [ITEM_MARKS] = { .name = "marks",
                     .title = N_("marks"),
                     .kind = CELL_REAL,
                     .decimals = 2,
                     .detail = true,
                     .rank = 7 },
    [ITEM_SITTINGS] = { .name = "sittings", .title = N_("sittings"), .kind = CELL_WHOLE, .detail = true },
    [ITEM_REST] = { .name = "rest_score", .title = N_("rest score"), .kind = CELL_TEXT, .detail = true },
    [ITEM_WEIGHT] = { .name = "effective_weight",
                      .title = N_("effective weight"),
                      .kind = CELL_PERCENT,
                      .decimals = 1,
                      .detail = true },
    [ITEM_ALPHA] = { .name = "alpha_if_deleted",
                     .title = N_("alpha if deleted"),
                     .kind = CELL_REAL,
                     .decimals = 3,
                     .detail = true },
};

enum choice_column {
    CHOICE_QUESTION,
    CHOICE_PACK,
    CHOICE_REVISION,
    CHOICE_TEXT,
    CHOICE_KEY,
    CHOICE_CHOSEN,
    CHOICE_SHARE,
    CHOICE_CORRELATION,
    CHOICE_COLUMNS
};

static const struct report_column choice_columns[CHOICE_COLUMNS] = {
    [CHOICE_QUESTION] = { .name = "question", .title = N_("question"), .kind = CELL_TEXT },
    [CHOICE_PACK] = { .name = "pack", .title = N_("pack"), .kind = CELL_TEXT, .rank = 3 },
    [CHOICE_REVISION] = { .name = "revision", .title = N_("revision"), .kind = CELL_TEXT, .detail = true },
    [CHOICE_TEXT] = { .name = "choice", .title = N_("choice"), .kind = CELL_TEXT },
    [CHOICE_KEY] = { .name = "right", .title = N_("right"), .kind = CELL_TRUTH },
    [CHOICE_CHOSEN] = { .name = "chosen", .title = N_("chosen"), .kind = CELL_WHOLE },
    [CHOICE_SHARE] = { .name = "share", .title = N_("share"), .kind = CELL_SHARE, .bar = true, .rank = 1 },
    [CHOICE_CORRELATION] = { .name = "correlation", .title = N_("correlation"), .kind = CELL_REAL },
};

static const struct report_column flag_columns[] = {
    { .name = "question", .title = N_("question"), .kind = CELL_TEXT },
    { .name = "pack", .title = N_("pack"), .kind = CELL_TEXT, .rank = 1 },
    { .name = "revision", .title = N_("revision"), .kind = CELL_TEXT, .detail = true },
    { .name = "flag", .title = N_("finding"), .kind = CELL_TEXT },
    { .name = "reason", .title = N_("reason"), .kind = CELL_TEXT },
};
enum { FLAG_COLUMNS = sizeof flag_columns / sizeof *flag_columns };

enum pack_figure {
    PACK_SITTINGS,
    PACK_COMPLETE,
    PACK_REST,
    PACK_ALPHA_FIGURE,
    PACK_ERROR_RATIO,
    PACK_STANDARD_ERROR,
    PACK_MEAN,
    PACK_MEDIAN,
    PACK_DEVIATION,
    PACK_SKEWNESS,
    PACK_KURTOSIS,
    PACK_AVERAGE,
    PACK_ACCURACY,
    PACK_BONUS,
    FIGURES_OF_PACK
};

/* Facts where the report is of one pack, columns of a table where it is of several. */
static const struct report_column pack_columns[1 + FIGURES_OF_PACK] = {
    { .name = "pack", .title = N_("pack"), .kind = CELL_TEXT },
    [1 + PACK_SITTINGS] = { .name = "sittings", .title = N_("sittings"), .kind = CELL_WHOLE },
    [1 + PACK_COMPLETE] = { .name = "complete_sittings",
                            .title = N_("complete sittings"),
                            .kind = CELL_WHOLE,
                            .rank = 1 },
    [1 + PACK_REST] = { .name = "rest_score", .title = N_("rest score"), .kind = CELL_TEXT, .rank = 4 },
    [1 + PACK_ALPHA_FIGURE] = { .name = "alpha",
                                .title = N_("Cronbach's alpha"),
                                .kind = CELL_PERCENT,
                                .decimals = 1 },
    [1 + PACK_ERROR_RATIO] = { .name = "error_ratio",
                               .title = N_("error ratio"),
                               .kind = CELL_PERCENT,
                               .decimals = 1,
                               .rank = 2 },
    [1 + PACK_STANDARD_ERROR] = { .name = "standard_error",
                                  .title = N_("standard error"),
                                  .unit = N_("marks"),
                                  .kind = CELL_REAL,
                                  .decimals = 2,
                                  .rank = 3 },
    [1 + PACK_MEAN] = { .name = "mean",
                        .title = N_("mean"),
                        .unit = N_("marks"),
                        .kind = CELL_REAL,
                        .decimals = 2,
                        .detail = true },
    [1 + PACK_MEDIAN] = { .name = "median",
                          .title = N_("median"),
                          .unit = N_("marks"),
                          .kind = CELL_REAL,
                          .decimals = 2,
                          .detail = true },
    [1 + PACK_DEVIATION] = { .name = "standard_deviation",
                             .title = N_("standard deviation"),
                             .unit = N_("marks"),
                             .kind = CELL_REAL,
                             .decimals = 2,
                             .detail = true },
    [1 + PACK_SKEWNESS] = { .name = "skewness",
                            .title = N_("skewness"),
                            .kind = CELL_REAL,
                            .decimals = 3,
                            .detail = true },
    [1 + PACK_KURTOSIS] = { .name = "kurtosis",
                            .title = N_("kurtosis"),
                            .kind = CELL_REAL,
                            .decimals = 3,
                            .detail = true },
    [1 + PACK_AVERAGE] = { .name = "average",
                           .title = N_("certainty marks, average"),
                           .kind = CELL_REAL,
                           .decimals = 2,
                           .rank = 5 },
    [1 + PACK_ACCURACY] = { .name = "accuracy",
                            .title = N_("certainty marks, accuracy"),
                            .kind = CELL_SHARE,
                            .rank = 6 },
    [1 + PACK_BONUS] = { .name = "bonus",
                         .title = N_("certainty marks, bonus"),
                         .kind = CELL_REAL,
                         .decimals = 2,
                         .rank = 7 },
};

enum { VOIDED_NAMED = 20 };

struct items_report {
    struct build_table items, choices, flags, packs;
    struct build_made made;
    struct places learners;
    int pack_count, packs_with;
    struct report_cell figures[FIGURES_OF_PACK]; /* of the last pack with attempts */
    bool certainty, below_zero, mixed, whole;
    bool hints;         /* flags of few answers */
    const char *voided; /* questions whose answers are all voided; NULL: none */
    int voided_count;
};

static struct report_cell figure_cell(const struct figure *figure, struct report_cell (*make)(double))
{
    return figure->known ? make(figure->value)
                         : build_absent(tr(figure->why ? figure->why : N_("no attempts")));
}

static struct report_cell facility_cell(const struct item *item)
{
    struct report_cell cell = build_percent(100 * item->shares / (double)item->count);
    cell.has_interval = true;
    statistics_wilson(item->shares, item->count > INT32_MAX ? INT32_MAX : (int)item->count, &cell.low,
                      &cell.high);
    cell.low *= 100;
    cell.high *= 100;
    return cell;
}

static const char *flag_words(struct build *build, const struct item *item)
{
    const char *words = NULL;
    for (int i = 0; i < ITEM_FLAGS; i++)
        if (item->flags[i])
            words = words ? build_say(build, "%s, %s", words, item_flag_name((enum item_flag)i))
                          : item_flag_name((enum item_flag)i);
    if (words && item->count < ITEM_SOUND)
        words = build_say(build, ntr("%s (of %lld answer)", "%s (of %lld answers)", item->count), words,
                          (long long)item->count);
    return words;
}

static const char *rest_words(bool complete)
{
    return complete ? tr("total of the other questions") : tr("mean share of the other questions");
}

/* The name of a question, told apart from what it was before its key or text was another. */
static struct report_cell question_cell(const struct items *items, const struct item *item)
{
    struct report_cell cell = build_text(item->question);
    if (items->items[item->newest] != item)
        cell.note = tr("older revision");
    return cell;
}

static void add_item(struct items_report *is, const struct items *items, const struct item *item)
{
    struct build *build = items->build;
    bool newest = items->items[item->newest] == item;
    struct report_cell *cells = build_table_row(&is->items, item->opens);
    const struct item_figures *figures = &item->figures;
    const char *flags = flag_words(build, item);
    bool sound = item->count >= ITEM_SOUND;
    is->hints = is->hints || (flags && !sound);
    cells[ITEM_QUESTION] = question_cell(items, item);
    cells[ITEM_PACK] = build_text(items->pack);
    cells[ITEM_REVISION] = build_text(item->revision);
    cells[ITEM_OLDER] = build_truth(!newest);
    cells[ITEM_TYPE] =
        item->type ? build_text(item->type) : build_absent(tr("the question's text is not known"));
    cells[ITEM_N] = build_whole(item->count);
    cells[ITEM_OMITTED] = build_whole(item->omitted);
    cells[ITEM_FACILITY] = facility_cell(item);
    cells[ITEM_DISCRIMINATION] = figure_cell(&figures->discrimination, build_real);
    cells[ITEM_EFFICIENCY] = figure_cell(&figures->discriminative_efficiency, build_percent);
    cells[ITEM_MEDIAN] =
        item->median_ms < 0 ? build_absent(tr("times are not known")) : build_span(item->median_ms);
    cells[ITEM_GUESS] = item->guess < 0 ? build_absent(tr("the question's text is not known"))
                                        : build_percent(100 * item->guess);
    if (newest) {
        cells[ITEM_UNDONE] = build_whole(item->undone);
        cells[ITEM_REPORTS] = build_whole(item->reported);
    }
    cells[ITEM_FLAG_WORDS] = build_text(flags);
    cells[ITEM_FLAG_WORDS].stands_out = sound && flags;
    cells[ITEM_DISCRIMINATION].stands_out = sound && item->flags[FLAG_NEGATIVE];
    cells[ITEM_FACILITY].stands_out = sound && (item->flags[FLAG_EASY] || item->flags[FLAG_HARD]);
    cells[ITEM_PROMPT] = build_text(item->prompt);
    cells[ITEM_MARKS] = build_real(item->marks);
    cells[ITEM_SITTINGS] = build_whole(item->sittings);
    cells[ITEM_REST] = build_text(rest_words(items->complete && newest));
    cells[ITEM_WEIGHT] = figure_cell(&figures->effective_weight, build_percent);
    cells[ITEM_ALPHA] = figure_cell(&figures->alpha_if_deleted, build_real);
}

static void add_choices(struct items_report *is, const struct items *items, const struct item *item)
{
    for (int i = 0; i < item->answer_count; i++) {
        const struct item_answer *answer = &item->answers[i];
        struct report_cell *cells = build_table_row(&is->choices, item->opens);
        cells[CHOICE_QUESTION] = question_cell(items, item);
        cells[CHOICE_PACK] = build_text(items->pack);
        cells[CHOICE_REVISION] = build_text(item->revision);
        cells[CHOICE_TEXT] = build_text(answer->label);
        cells[CHOICE_KEY] = build_truth(answer->right);
        cells[CHOICE_CHOSEN] = build_whole(answer->chosen);
        cells[CHOICE_SHARE] = build_share((double)answer->chosen / (double)item->count);
        cells[CHOICE_CORRELATION] = figure_cell(&answer->correlation, build_real);
        cells[CHOICE_CORRELATION].stands_out = item->count >= ITEM_SOUND && !answer->right &&
                                               answer->correlation.known && answer->correlation.value > 0 &&
                                               (item->flags[FLAG_STRONG_CHOICE] || item->flags[FLAG_KEY]);
    }
}

static void add_flags(struct items_report *is, const struct items *items, const struct item *item)
{
    for (int i = 0; i < ITEM_FLAGS; i++) {
        if (!item->flags[i])
            continue;
        struct report_cell *cells = build_table_row(&is->flags, item->opens);
        cells[0] = question_cell(items, item);
        cells[1] = build_text(items->pack);
        cells[2] = build_text(item->revision);
        cells[3] = build_text(item_flag_name((enum item_flag)i));
        cells[4] = build_text(item->count < ITEM_SOUND
                                  ? build_say(items->build,
                                              ntr("%s (of %lld answer)", "%s (of %lld answers)", item->count),
                                              item->flags[i], (long long)item->count)
                                  : item->flags[i]);
    }
}

/* Bonus: a tenth of what certainty marks give beyond the best single certainty at this accuracy: p, 4p − 2 or
 * 9p − 6 (Gardner-Medwin and Gahan 2003, "Formative and summative confidence-based assessment"). */
static void certainty_figures(const struct items *items, struct report_cell *cells)
{
    const struct item_certainty *certainty = &items->certainty;
    double count = (double)(certainty->given + certainty->omitted);
    if (!certainty->given) {
        cells[PACK_AVERAGE] = cells[PACK_ACCURACY] = cells[PACK_BONUS] =
            build_absent(tr("nobody was asked how sure they were"));
        return;
    }
    double average = certainty->marks / count, accuracy = certainty->shares / count;
    double best = fmax(accuracy, fmax(4 * accuracy - 2, 9 * accuracy - 6));
    cells[PACK_AVERAGE] = build_real(average);
    cells[PACK_ACCURACY] = build_share(accuracy);
    cells[PACK_BONUS] = build_real((average - best) / 10);
}

static void pack_figures(const struct items *items, struct report_cell *cells)
{
    struct test_figures test = items->test;
    if (!items->complete) {
        struct figure none = {
            .why = items->sitting_count < 3
                       ? N_("fewer than 3 sittings")
                       : N_("different items were shown: fewer than 3 sittings are complete")
        };
        test = (struct test_figures){ none, none, none, none, none, none, none, none };
    }
    cells[PACK_SITTINGS] = build_whole(items->sitting_count);
    cells[PACK_COMPLETE] = build_whole(items->complete_count);
    cells[PACK_REST] = build_text(rest_words(items->complete));
    cells[PACK_ALPHA_FIGURE] = figure_cell(&test.alpha, build_percent);
    cells[PACK_ALPHA_FIGURE].stands_out = test.alpha.known && test.alpha.value < 0;
    cells[PACK_ERROR_RATIO] = figure_cell(&test.error_ratio, build_percent);
    cells[PACK_STANDARD_ERROR] = figure_cell(&test.standard_error, build_real);
    cells[PACK_MEAN] = figure_cell(&test.mean, build_real);
    cells[PACK_MEDIAN] = figure_cell(&test.median, build_real);
    cells[PACK_DEVIATION] = figure_cell(&test.deviation, build_real);
    cells[PACK_SKEWNESS] = figure_cell(&test.skewness, build_real);
    cells[PACK_KURTOSIS] = figure_cell(&test.kurtosis, build_real);
    certainty_figures(items, cells);
}

static void add_pack(struct items_report *is, const struct items *items)
{
    struct report_cell *cells = build_table_row(&is->packs, build_copy(items->build, items->pack));
    cells[0] = build_text(build_copy(items->build, items->pack));
    pack_figures(items, is->figures);
    memcpy(cells + 1, is->figures, sizeof is->figures);
    is->packs_with++;
    is->certainty = is->certainty || items->certainty.given;
    is->below_zero = is->below_zero || (items->test.alpha.known && items->test.alpha.value < 0);
    is->mixed = is->mixed || !items->complete;
    is->whole = is->whole || items->complete;
    is->made.revisions += items->count;
    is->made.questions += items->newest_count;
}

/* By the pack's order, then by id; older revisions below, the newest of them first. */
static int item_order(const void *one, const void *other)
{
    const struct item *a = *(const struct item *const *)one, *b = *(const struct item *const *)other;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    int order = strcmp(a->question, b->question);
    if (order)
        return order;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->newest_at != b->newest_at)
        return a->newest_at > b->newest_at ? -1 : 1;
    return strcmp(a->revision, b->revision);
}

static bool add_rows(struct items_report *is, const struct items *items)
{
    struct item **sorted = memory_alloc((items->count + 1) * (ptrdiff_t)sizeof *sorted);
    if (!sorted)
        return error_memory(items->build->error);
    for (int i = 0; i < items->count; i++) {
        sorted[i] = items->items[i];
        sorted[i]->rank = !item_is_newest(items, i);
    }
    if (items->count)
        qsort(sorted, (size_t)items->count, sizeof *sorted, item_order);
    for (int i = 0; i < items->count; i++) {
        add_item(is, items, sorted[i]);
        add_choices(is, items, sorted[i]);
        add_flags(is, items, sorted[i]);
    }
    memory_free(sorted);
    return true;
}

/* A question of which nothing is left that counts has no row: it must not vanish without a word. */
static void list_voided(struct items_report *is, const struct items *items)
{
    struct build *build = items->build;
    for (int i = 0; i < items->voided.count; i++) {
        const char *question = items->voided.keys[i].bytes;
        bool left = false;
        for (int k = 0; !left && k < items->count; k++)
            left = strcmp(items->items[k]->question, question) == 0;
        if (left)
            continue;
        is->voided_count++;
        if (is->voided_count <= VOIDED_NAMED)
            is->voided = is->voided ? build_say(build, "%s, %s/%s", is->voided, items->pack, question)
                                    : build_say(build, "%s/%s", items->pack, question);
    }
}

static bool one_pack(struct build *build, void *context, const char *pack)
{
    struct items_report *is = context;
    struct items items;
    items_init(&items, build, build_copy(build, pack));
    bool done = items_gather(&items, &is->made, &is->learners) && items_count_reports(&items) &&
                (items_figure(&items) || error_memory(build->error)) && add_rows(is, &items);
    if (done)
        list_voided(is, &items);
    if (done && items.count)
        add_pack(is, &items);
    items_finish(&items);
    return done;
}

static void add_facts(struct build *build, const struct items_report *is)
{
    if (is->packs_with != 1)
        return;
    for (int i = 0; i < FIGURES_OF_PACK; i++) {
        const struct report_column *column = &pack_columns[1 + i];
        struct report_fact fact = { .name = column->name,
                                    .title = tr(column->title),
                                    .unit = column->unit,
                                    .cell = is->figures[i],
                                    .decimals = column->decimals,
                                    .detail = column->detail || (i >= PACK_AVERAGE && !is->certainty) };
        build_fact(build, &fact);
    }
}

static void add_notes(struct build *build, const struct items_report *is)
{
    build_note_made(build, &is->made);
    build_note(
        build,
        tr("A sitting is a learner's chosen attempts at one pack. Omitted answers count 0; what was not "
           "presented is left out."));
    if (is->whole)
        build_note(
            build,
            tr("Discrimination, efficiency, effective weight and alpha are of the complete sittings, by the "
               "formulas of Moodle's quiz statistics; n and facility are of all attempts used."));
    if (is->mixed)
        build_note(build,
                   tr("Where fewer than 3 sittings are complete, the rest score is the mean share over the "
                      "learner's other questions, at least 3."));
    if (is->voided)
        build_note(build,
                   build_say(build,
                             ntr("%d question has no row, since its answers were voided: %s%s.",
                                 "%d questions have no row, since their answers were voided: %s%s.",
                                 is->voided_count),
                             is->voided_count, is->voided, is->voided_count > VOIDED_NAMED ? ", …" : ""));
    if (is->hints)
        build_note(build,
                   build_say(build, tr("Flags of fewer than %d answers are hints: they do not stand out."),
                             ITEM_SOUND));
    if (is->below_zero)
        build_note(build,
                   tr("Alpha is below 0 where questions go against each other: together they vary less than "
                      "each by itself, and so the error ratio is above 100%."));
}

bool build_items(struct build *build)
{
    struct items_report is = { 0 };
    struct report *report = build->report;
    build_made_start(&is.made);
    places_init(&is.learners);
    build_table_start(&is.items, build, item_columns, ITEM_COLUMNS);
    build_table_start(&is.choices, build, choice_columns, CHOICE_COLUMNS);
    build_table_start(&is.flags, build, flag_columns, FLAG_COLUMNS);
    build_table_start(&is.packs, build, pack_columns, 1 + FIGURES_OF_PACK);
    report->title = tr("Questions");
    report->subtitle = build_packs_titles(build);
    bool done = build_each_pack(build, one_pack, &is);
    if (done) {
        add_facts(build, &is);
        build_table_add(&is.items, "items", NULL, tr("no attempts"));
        build_table_add(&is.choices, "choices", tr("Choices"), tr("no choices are known"));
        build_table_add(&is.flags, "flags", tr("To be looked at"), tr("nothing stands out"));
        if (is.packs_with > 1)
            build_table_add(&is.packs, "packs", tr("Packs"), NULL);
        add_notes(build, &is);
    }
    build_table_finish(&is.items);
    build_table_finish(&is.choices);
    build_table_finish(&is.flags);
    build_table_finish(&is.packs);
    places_finish(&is.learners);
    return done;
}
