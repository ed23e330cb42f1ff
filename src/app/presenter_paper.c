/* An exam that is handed in: the paper, with every explanation. */
#include "presenter_private.h"

#include <quiztutor/grade.h>
#include <quiztutor/message.h>

#include <string.h>
#include <time.h>

static bool present_paper_result(struct present *present, struct result_model *model,
                                 const struct sitting *sitting, int place)
{
    const struct sitting_result *result = &sitting->results[place];
    struct showing showing;
    sitting_showing(sitting, place, &showing);
    memset(model, 0, sizeof *model);
    char *attempt = arena_alloc(present->arena, 37);
    if (!attempt || !present_sat(present, &model->question, sitting, place) ||
        !present_marked(present, model, &showing, &result->answer, &result->verdict))
        return false;
    uuid_format(attempt, &result->attempt);
    model->attempt = attempt;
    model->certainty = result->certainty;
    model->certainty_mark =
        grade_certainty_mark(result->verdict.outcome, result->verdict.share, result->certainty);
    model->last = place == sitting->exam.count - 1;
    return true;
}

/* The result goes to its section: of the pack, or the pack itself where several are asked. */
static void add_to_section(struct paper_section *sections, int *count, const struct sitting *sitting,
                           int place, const struct result_model *result)
{
    const struct exam_entry *entry = &sitting->exam.entries[place], *before = place ? entry - 1 : NULL;
    bool parts = sitting->options.pack_count > 1 || entry->section;
    if (!parts)
        return;
    if (!before || before->pack != entry->pack || before->section != entry->section)
        sections[(*count)++] =
            (struct paper_section){ .title = entry->section ? entry->pack->sections[entry->section - 1].title
                                                            : entry->pack->title };
    sections[*count - 1].mark += result->mark;
    sections[*count - 1].marks += result->marks;
}

static void add_result(struct paper_model *model, const struct result_model *result)
{
    model->mark += result->mark;
    model->marks += result->marks;
    model->right += result->verdict == VERDICT_RIGHT;
    model->partly += result->verdict == VERDICT_PARTLY;
    model->wrong += result->verdict == VERDICT_WRONG;
    model->omitted += result->verdict == VERDICT_SKIPPED;
    model->sure += result->certainty > 0;
    model->certainty_marks += result->certainty_mark;
}

static const char *paper_time_up(struct arena *arena, const struct sitting *sitting)
{
    time_t seconds = (time_t)(sitting->over_at / 1000 + clock_offset(&sitting->clock, sitting->over_at));
    struct tm then;
    char hour[8] = "";
    if (gmtime_r(&seconds, &then))
        strftime(hour, sizeof hour, "%H:%M", &then);
    return arena_print(arena, tr("Time was up at %s."), hour);
}

/* What has to be said of the paper, in *note: NULL for nothing. */
static bool present_paper_note(struct arena *arena, const struct sitting *sitting, const char **note)
{
    int gone = sitting->gone.count;
    const char *late = sitting->time_up ? paper_time_up(arena, sitting) : "";
    *note = late;
    if (late && gone)
        *note = arena_print(arena, "%s%s%s", late, *late ? " " : "",
                            arena_print(arena,
                                        ntr("%d question is gone from its pack or was changed there: it "
                                            "counts, but can't be shown.",
                                            "%d questions are gone from their pack or were changed there: "
                                            "they count, but can't be shown.",
                                            gone),
                                        gone));
    bool done = *note != NULL;
    if (!sitting->time_up && !gone)
        *note = NULL;
    return done;
}

/* What left the paper counts as it was handed in. */
static void add_gone(struct paper_model *model, struct paper_section *sections,
                     const struct sitting_gone *gone)
{
    model->gone = gone->count;
    model->mark += gone->mark;
    model->marks += gone->marks;
    model->right += gone->outcomes[OUTCOME_RIGHT];
    model->partly += gone->outcomes[OUTCOME_PARTLY];
    model->wrong += gone->outcomes[OUTCOME_WRONG];
    model->omitted += gone->outcomes[OUTCOME_OMITTED];
    model->sure += gone->sure;
    model->certainty_marks += gone->certainty_marks;
    if (gone->count && model->section_count)
        sections[model->section_count++] = (struct paper_section){ .title = tr("gone or changed"),
                                                                   .mark = gone->mark,
                                                                   .marks = gone->marks };
}

bool presenter_exam_paper(struct presenter *presenter, const struct sitting *sitting)
{
    struct arena *arena = &presenter->paper_arena;
    struct present present = present_in(presenter, arena);
    struct paper_model *model = &presenter->paper;
    int count = sitting->exam.count;
    arena_finish(arena);
    *model = (struct paper_model){ .learner = sitting->record.learner.name,
                                   .count = count,
                                   .has_pass = sitting->pass > 0,
                                   .pass = sitting->pass,
                                   .elapsed_ms = sitting->used_ms };
    struct result_model *results = arena_alloc(arena, (count + 1) * (ptrdiff_t)sizeof *results);
    struct paper_section *sections = arena_alloc(arena, (count + 2) * (ptrdiff_t)sizeof *sections);
    model->title = present_exam_title(arena, sitting);
    if (!results || !sections || !model->title || !present_paper_note(arena, sitting, &model->note))
        return false;
    const char *heading = NULL;
    for (int i = 0; i < count; i++) {
        if (!present_paper_result(&present, &results[i], sitting, i))
            return false;
        heading = present_exam_heading(arena, sitting, i, heading);
        results[i].question.section = heading;
        add_result(model, &results[i]);
        add_to_section(sections, &model->section_count, sitting, i, &results[i]);
    }
    add_gone(model, sections, &sitting->gone);
    model->results = results;
    model->sections = sections;
    double wanted = model->pass / 100 * model->marks;
    model->passed = model->has_pass && model->mark >= wanted - 1e-9 * wanted;
    return true;
}
