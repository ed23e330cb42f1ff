/* Exams as view models, while they run. */
#include "presenter_private.h"

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

const char *present_exam_title(struct arena *arena, const struct sitting *sitting)
{
    int packs = sitting->options.pack_count;
    return packs == 1 ? sitting->options.packs[0]->title
                      : arena_print(arena, ntr("%d pack", "%d packs", packs), packs);
}

bool presenter_exam_session(struct presenter *presenter, const struct sitting *sitting)
{
    struct arena *arena = &presenter->session_arena;
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

bool present_sat(struct present *present, struct question_model *model, const struct sitting *sitting,
                 int place)
{
    const struct exam_entry *entry = &sitting->exam.entries[place];
    struct showing showing;
    sitting_showing(sitting, place, &showing);
    if (!present_asked(present, model, entry->pack, &showing))
        return false;
    model->learner = sitting->record.learner.name;
    model->number = place + 1;
    model->of = sitting->exam.count;
    model->hint_count = 0;
    model->certainty = sitting->certainty;
    model->exam = true;
    model->flagged = entry->flagged;
    model->has_response = !exam_is_open(entry);
    const struct answer none = { .blank = true };
    present_given(present, model, &showing, entry->answered ? &entry->answer : &none);
    return !present->failed;
}

bool presenter_exam_question(struct presenter *presenter, struct sitting *sitting)
{
    struct present present = present_in(presenter, &presenter->question_arena);
    struct showing showing;
    struct exam_count count;
    arena_finish(present.arena);
    if (!sitting_current(sitting, &showing) ||
        !present_sat(&present, &presenter->question, sitting, sitting->exam.current))
        return false;
    exam_tally(&sitting->exam, &count);
    presenter->question.answered = count.answered + count.blank;
    presenter_exam_time(presenter, sitting);
    return true;
}

const char *present_exam_heading(struct arena *arena, const struct sitting *sitting, int place,
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
    struct present present = present_in(presenter, &presenter->exam_arena);
    struct exam_count count;
    arena_finish(&presenter->exam_arena);
    struct overview_row *rows =
        arena_alloc(&presenter->exam_arena, (exam->count + 1) * (ptrdiff_t)sizeof *rows);
    const char *title = present_exam_title(&presenter->exam_arena, sitting);
    if (!rows || !title)
        return false;
    exam_tally(exam, &count);
    const char *heading = NULL;
    for (int i = 0; i < exam->count; i++) {
        const struct exam_entry *entry = &exam->entries[i];
        heading = present_exam_heading(&presenter->exam_arena, sitting, i, heading);
        const struct question *question = sitting->showings[i].question;
        rows[i] = (struct overview_row){
            .prompt = present_words(&present, question, question->prompt),
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
    return !present.failed;
}
