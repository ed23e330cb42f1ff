/* Exams as view models: while they run, and handed in. */
#include "presenter_private.h"

#include <quiztutor/grade.h>
#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MINUTE = 60000 };

/* "24 min left" */
static void write_time_left(char *text, size_t size, int64_t left)
{
    int minutes = (int)((left + MINUTE / 2) / MINUTE);
    if (left < 0)
        *text = '\0';
    else if (left == 0)
        snprintf(text, size, "%s", tr("time is up"));
    else if (left < MINUTE)
        snprintf(text, size, "%s", tr("less than a minute left"));
    else if (minutes < 120)
        snprintf(text, size, ntr("%d min left", "%d min left", minutes), minutes);
    else
        snprintf(text, size, tr("%d h %d min left"), minutes / 60, minutes % 60);
}

/* "60 min, extended from 30": NULL where the time is as the pack says. */
static const char *write_extended(struct presenter *presenter, const struct sitting *sitting)
{
    const struct sitting_allowance *allowance = &sitting->allowance;
    char whole[TEXT_NUMBER], before[TEXT_NUMBER];
    if (allowance->minutes <= 0 || (allowance->factor <= 1 && allowance->extended <= 0))
        return NULL;
    text_number(whole, (double)sitting->time.limit_ms / MINUTE);
    text_number(before, allowance->minutes);
    snprintf(presenter->extended, sizeof presenter->extended, tr("%s min, extended from %s"), whole, before);
    return presenter->extended;
}

bool presenter_exam_time(struct presenter *presenter, const struct sitting *sitting)
{
    char before[sizeof presenter->time_left];
    memcpy(before, presenter->time_left, sizeof before);
    write_time_left(presenter->time_left, sizeof presenter->time_left, sitting_left(sitting));
    const char *left = *presenter->time_left ? presenter->time_left : NULL;
    presenter->question.time_left = presenter->overview.time_left = left;
    presenter->overview.extended = write_extended(presenter, sitting); /* a tutor may add to it */
    return strcmp(before, presenter->time_left) != 0;
}

/* "2026-11-30T14:05:00+01:00" */
static void write_deadline(char *text, size_t size, const struct sitting *sitting)
{
    int64_t at = clock_wall(&sitting->clock) + sitting_left(sitting);
    int offset = clock_offset(&sitting->clock, at), minutes = (offset < 0 ? -offset : offset) / 60;
    time_t seconds = (time_t)(at / 1000 + offset);
    struct tm then;
    char moment[32] = "";
    if (gmtime_r(&seconds, &then))
        strftime(moment, sizeof moment, "%Y-%m-%dT%H:%M:%S", &then);
    snprintf(text, size, "%s%c%02d:%02d", moment, offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

static const char *exam_title(struct arena *arena, const struct sitting *sitting)
{
    int packs = sitting->options.pack_count;
    return packs == 1 ? sitting->options.packs[0]->title
                      : arena_print(arena, ntr("%d pack", "%d packs", packs), packs);
}

bool presenter_exam_session(struct presenter *presenter, const struct sitting *sitting)
{
    struct arena *arena = &presenter->exam_arena;
    const struct practice_options *options = &sitting->options;
    arena_finish(arena);
    const char **packs = arena_alloc(arena, (options->pack_count + 1) * (ptrdiff_t)sizeof *packs);
    if (!packs)
        return false;
    for (int i = 0; i < options->pack_count; i++)
        packs[i] = options->packs[i]->id;
    uuid_format(presenter->session_id, &sitting->record.id);
    presenter->session = (struct session_model){
        .session = presenter->session_id,
        .learner = sitting->record.learner.name,
        .seed = sitting->exam.seed,
        .mode = plan_mode_name(MODE_ALL),
        .packs = packs,
        .pack_count = options->pack_count,
        .questions = sitting->exam.count,
        .resumed = sitting->resumed,
        .exam = true,
        .minutes = (double)sitting->time.limit_ms / MINUTE,
    };
    if (sitting->time.limit_ms && sitting->begun) {
        write_deadline(presenter->deadline, sizeof presenter->deadline, sitting);
        presenter->session.deadline = presenter->deadline;
    }
    return true;
}

/* Where not every pack has a time or a pass mark, what that means for all of them. */
static void write_shared(char *text, size_t size, const struct sitting *sitting)
{
    const struct practice_options *options = &sitting->options;
    int timed = 0, passed = 0;
    *text = '\0';
    if (sitting->resumed)
        return; /* as was said when it began */
    for (int i = 0; i < options->pack_count; i++) {
        timed += options->packs[i]->exam_minutes > 0;
        passed += options->packs[i]->exam_pass > 0;
    }
    bool part = timed && timed < options->pack_count && sitting->minutes <= 0;
    if (part)
        snprintf(text, size,
                 ntr("\nOnly %d of %d packs sets a time; it is the time for all of them.",
                     "\nOnly %d of %d packs set a time; theirs together is the time for all of them.", timed),
                 timed, options->pack_count);
    size_t length = strlen(text);
    if (passed && sitting->pass <= 0)
        snprintf(text + length, size - length,
                 ntr("\nNo pass mark, since only %d of %d packs has one.",
                     "\nNo pass mark, since only %d of %d packs have one.", passed),
                 passed, options->pack_count);
}

void presenter_exam_note(struct presenter *presenter, const struct sitting *sitting)
{
    char minutes[TEXT_NUMBER], pass[TEXT_NUMBER], questions[80], time[160], mark[120] = "", shared[300];
    int count = sitting->exam.count;
    const char *runs = "", *extended = write_extended(presenter, sitting);
    text_number(minutes, (double)sitting->time.limit_ms / MINUTE);
    text_number(pass, sitting->pass);
    snprintf(questions, sizeof questions, ntr("%d question", "%d questions", count), count);
    if (extended)
        snprintf(time, sizeof time, "%s", extended);
    else if (sitting->time.limit_ms)
        snprintf(time, sizeof time, tr("%s min"), minutes);
    else
        snprintf(time, sizeof time, "%s", tr("no time limit"));
    if (sitting->pass > 0)
        snprintf(mark, sizeof mark, tr(", passed with %s%% of the marks"), pass);
    if (sitting->time.limit_ms)
        runs = sitting->begun ? tr("The time runs now, also while you are away.")
                              : tr("The time runs from when you begin, also while you are away.");
    write_shared(shared, sizeof shared, sitting);
    snprintf(presenter->exam_note, sizeof presenter->exam_note, "%s, %s%s.%s\n%s%s%s", questions, time, mark,
             shared, tr("Nothing is marked before you hand in. Until then you can go back to any question."),
             *runs ? "\n" : "", runs);
}

/* A question of the exam as it was asked. */
static void present_entry(struct question_model *model, const struct sitting *sitting,
                          const struct showing *showing, int place)
{
    const struct exam_entry *entry = &sitting->exam.entries[place];
    const struct question *question = entry->question;
    const struct section *section = entry->section ? &entry->pack->sections[entry->section - 1] : NULL;
    *model = (struct question_model){
        .pack = entry->pack->id,
        .pack_title = entry->pack->title,
        .learner = sitting->record.learner.name,
        .question = question->id,
        .type = question_type_name(question->type),
        .number = place + 1,
        .of = sitting->exam.count,
        .prompt = question->prompt,
        .figure = question->figure,
        .choice_count = showing->count,
        .many = question->type == QUESTION_MULTIPLE_CHOICE,
        .truth = question->type == QUESTION_TRUE_FALSE,
        .certainty = sitting->certainty,
        .section = section ? section->title : NULL,
        .intro = section ? section->intro : NULL,
        .intro_figure = section ? section->intro_figure : NULL,
        .exam = true,
        .flagged = entry->flagged,
        .has_response = !exam_is_open(entry),
    };
    for (int i = 0; i < showing->count; i++) {
        model->choices[i] = present_choice(showing, i);
        model->given[i] = entry->answered && present_choice_picked(showing, &entry->answer, i);
    }
}

bool presenter_exam_question(struct presenter *presenter, struct sitting *sitting)
{
    struct showing showing;
    if (!sitting_current(sitting, &showing))
        return false;
    struct exam_count count;
    exam_tally(&sitting->exam, &count);
    present_entry(&presenter->question, sitting, &showing, sitting->exam.current);
    presenter->question.answered = count.answered + count.blank;
    presenter_exam_time(presenter, sitting);
    return true;
}

/* What the question at a place stands under at a glance and on the paper: its section, or its pack where
 * several are asked. `before`: what the one before it stands under. NULL for nothing. */
static const char *exam_heading(struct arena *arena, const struct sitting *sitting, int place,
                                const char *before)
{
    const struct exam_entry *entry = &sitting->exam.entries[place];
    const char *title = entry->section                    ? entry->pack->sections[entry->section - 1].title
                        : sitting->options.pack_count > 1 ? entry->pack->title
                                                          : NULL;
    if (place && entry[-1].pack == entry->pack && entry[-1].section == entry->section)
        return before;
    if (!title || !before || strcmp(before, title) != 0)
        return title;
    const char *whole = arena_print(arena, "%s (%s)", title, entry->pack->id); /* as another pack has it */
    return whole ? whole : title;
}

bool presenter_exam_overview(struct presenter *presenter, const struct sitting *sitting)
{
    const struct exam *exam = &sitting->exam;
    struct overview_model *model = &presenter->overview;
    struct exam_count count;
    arena_finish(&presenter->exam_arena);
    struct overview_row *rows =
        arena_alloc(&presenter->exam_arena, (exam->count + 1) * (ptrdiff_t)sizeof *rows);
    const char *title = exam_title(&presenter->exam_arena, sitting);
    if (!rows || !title)
        return false;
    exam_tally(exam, &count);
    const char *heading = NULL;
    for (int i = 0; i < exam->count; i++) {
        const struct exam_entry *entry = &exam->entries[i];
        heading = exam_heading(&presenter->exam_arena, sitting, i, heading);
        rows[i] = (struct overview_row){
            .prompt = entry->question->prompt,
            .section = heading,
            .answered = entry->answered,
            .blank = entry->blank,
            .flagged = entry->flagged,
        };
    }
    *model = (struct overview_model){
        .title = title,
        .learner = sitting->record.learner.name,
        .count = exam->count,
        .answered = count.answered,
        .open = count.open,
        .flagged = count.flagged,
        .blank = count.blank,
        .rows = rows,
    };
    presenter_exam_time(presenter, sitting);
    return true;
}

static bool present_paper_result(struct arena *arena, struct result_model *model,
                                 const struct sitting *sitting, int place)
{
    static const enum verdict_kind kinds[OUTCOMES] = {
        [OUTCOME_RIGHT] = VERDICT_RIGHT,
        [OUTCOME_PARTLY] = VERDICT_PARTLY,
        [OUTCOME_WRONG] = VERDICT_WRONG,
        [OUTCOME_OMITTED] = VERDICT_SKIPPED,
    };
    const struct sitting_result *result = &sitting->results[place];
    const struct question *question = sitting->exam.entries[place].question;
    struct showing showing;
    struct buffer feedback;
    sitting_showing(sitting, place, &showing);
    memset(model, 0, sizeof *model);
    present_entry(&model->question, sitting, &showing, place);
    model->verdict = kinds[result->verdict.outcome];
    model->mark = result->verdict.mark;
    model->marks = result->verdict.marks;
    model->certainty = result->certainty;
    model->certainty_mark =
        grade_certainty_mark(result->verdict.outcome, result->verdict.share, result->certainty);
    const char **answers = arena_alloc(arena, (showing.count + 1) * (ptrdiff_t)sizeof *answers);
    if (!answers)
        return false;
    model->answer = answers;
    for (int i = 0; i < showing.count; i++) {
        model->picked[i] = present_choice_picked(&showing, &result->answer, i);
        model->right[i] = present_choice_right(&showing, i);
        if (model->picked[i])
            model->response[model->response_count++] = present_choice(&showing, i);
        if (model->right[i])
            answers[model->answer_count++] = present_choice(&showing, i);
    }
    char *attempt = arena_alloc(arena, 37);
    if (!attempt)
        return false;
    uuid_format(attempt, &result->attempt);
    model->attempt = attempt;
    buffer_init(&feedback);
    marking_feedback(&feedback, question, &result->answer);
    bool done = present_text(arena, &feedback, &model->feedback);
    buffer_finish(&feedback);
    model->explanation = question->explanation;
    model->explanation_figure = question->explanation_figure;
    model->source = question->source;
    model->last = place == sitting->exam.count - 1;
    return done;
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
    model->title = exam_title(arena, sitting);
    if (!results || !sections || !model->title || !present_paper_note(arena, sitting, &model->note))
        return false;
    const char *heading = NULL;
    for (int i = 0; i < count; i++) {
        if (!present_paper_result(arena, &results[i], sitting, i))
            return false;
        heading = exam_heading(arena, sitting, i, heading);
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
