/* One question's state in the words of a learner, and its forgetting curve. */
#include "schedule_known.h"

#include <quiztutor/curve.h>
#include <quiztutor/day.h>
#include <quiztutor/markup.h>
#include <quiztutor/message.h>

#include <math.h>
#include <string.h>

enum { MINUTE_MS = 60000, FIELD = 11 };

/* One explanation being written. `line` is the field's text. */
struct explaining {
    const struct known *known;
    const struct whose *whose;
    const struct schedule *schedule;
    struct output *output;
    struct buffer line;
};

static void explain_end(struct explaining *explaining, const char *word)
{
    if (explaining->line.failed)
        explaining->output->text.failed = true;
    else
        output_field(explaining->output, FIELD, word, buffer_get(&explaining->line));
    buffer_clear(&explaining->line);
}

/* "12 days", "1.4 days", "3 hours", "2 minutes": a stability. */
static void explain_span(struct buffer *out, double days)
{
    int whole = (int)lround(days), hours = (int)lround(days * 24), minutes = (int)lround(days * 1440);
    if (days >= 9.95)
        buffer_print(out, ntr("%d day", "%d days", whole), whole);
    else if (days >= 0.995)
        buffer_print(out, tr("%.1f days"), days);
    else if (hours >= 2)
        buffer_print(out, ntr("%d hour", "%d hours", hours), hours);
    else
        buffer_print(out, ntr("%d minute", "%d minutes", minutes > 0 ? minutes : 1),
                     minutes > 0 ? minutes : 1);
}

static void explain_answers(struct explaining *explaining)
{
    static const char *const lasts[OUTCOMES] = {
        [OUTCOME_RIGHT] = N_("right"),
        [OUTCOME_PARTLY] = N_("partly right"),
        [OUTCOME_WRONG] = N_("wrong"),
        [OUTCOME_OMITTED] = N_("left out"),
    };
    const struct store_schedule *is = &explaining->known->is;
    struct buffer *line = &explaining->line;
    char day[DAY_TEXT];
    day_words(day, clock_day(is->answered_at, explaining->whose->offset, explaining->whose->starts),
              explaining->whose->today);
    buffer_print(line, ntr("answered %d time, ", "answered %d times, ", is->counted), is->counted);
    buffer_print(line, tr("%d right; last %s: %s"), is->right, day, tr(lasts[is->last]));
    if (explaining->known->graded_anew)
        buffer_print(line,
                     ntr("; as marked when given: %d was graded anew since, which reports count by",
                         "; as marked when given: %d were graded anew since, which reports count by",
                         explaining->known->graded_anew),
                     explaining->known->graded_anew);
    explain_end(explaining, tr("Answers"));
}

static void explain_state(struct explaining *explaining)
{
    const struct schedule *schedule = explaining->schedule;
    struct buffer *line = &explaining->line;
    if (schedule->phase == PHASE_NEW)
        buffer_text(line, tr("new: no answer has said yet how well you know it"));
    else if (schedule->phase == PHASE_LEARNING)
        buffer_print(line, tr("being learned: it comes back after minutes, step %d of 2, before days pass"),
                     schedule->step + 1);
    else if (schedule->phase == PHASE_RELEARNING)
        buffer_text(line, tr("being learned again: forgotten after it had been known; it comes back after "
                             "minutes before days pass"));
    else
        buffer_text(line, tr("known: it comes back after days, before you are likely to forget it"));
    explain_end(explaining, tr("State"));
}

static void explain_memory(struct explaining *explaining)
{
    struct buffer *line = &explaining->line;
    const struct fsrs_memory *memory = &explaining->schedule->memory;
    buffer_text(line, tr("you would still know it with a chance of 9 in 10 after "));
    explain_span(line, memory->stability);
    buffer_print(line, tr(" (its stability); difficulty %.1f, of 1, easy, to 10"), memory->difficulty);
    explain_end(explaining, tr("Memory"));
    if (explaining->schedule->last_day >= explaining->whose->today) /* days are whole: 100% would mislead */
        buffer_text(line, tr("answered today: the chance that you know it falls from tomorrow on"));
    else
        buffer_print(line, tr("you know it with a chance of %d%%"),
                     (int)lround(100 * known_chance(explaining->known, explaining->whose)));
    explain_end(explaining, tr("Today"));
}

/* "at 14:32" of the local time now. */
static void explain_time(struct buffer *out, const struct whose *whose, int64_t at)
{
    int64_t minute = (at + whose->offset * (int64_t)1000) / MINUTE_MS % 1440;
    buffer_print(out, tr("at %02d:%02d"), (int)minute / 60, (int)minute % 60);
}

/* Due by a step of minutes. */
static void explain_step(struct explaining *explaining)
{
    const struct schedule *schedule = explaining->schedule;
    const struct whose *whose = explaining->whose;
    struct buffer *line = &explaining->line;
    int step = (int)((schedule->due_at - schedule->last_at) / MINUTE_MS);
    int left = (int)((schedule->due_at - whose->now + MINUTE_MS - 1) / MINUTE_MS);
    if (known_is_due(explaining->known, whose)) {
        buffer_text(line, tr("now"));
    } else if (schedule->due_at - whose->now < 1440 * (int64_t)MINUTE_MS) {
        buffer_print(line, ntr("in %d minute, ", "in %d minutes, ", left), left);
        explain_time(line, whose, schedule->due_at);
    } else { /* the clock went back */
        char day[DAY_TEXT];
        day_words(day, schedule->due_day, whose->today);
        buffer_text(line, day);
    }
    buffer_print(line,
                 ntr(": a step of %d minute follows the last answer",
                     ": a step of %d minutes follows the last answer", step),
                 step);
}

/* Due on a day, and why that one. */
static void explain_day(struct explaining *explaining)
{
    const struct schedule *schedule = explaining->schedule;
    const struct known *known = explaining->known;
    const struct whose *whose = explaining->whose;
    struct buffer *line = &explaining->line;
    char day[DAY_TEXT];
    int ahead = (int)(schedule->due_day - whose->today), wanted = (int)lround(100 * known->retention);
    int natural = fsrs_interval(&whose->parameters, schedule->memory.stability, known->retention);
    day_words(day, schedule->due_day, whose->today);
    if (ahead < 0)
        buffer_print(line, tr("now, since %s"), day);
    else if (ahead == 0)
        buffer_text(line, tr("now"));
    else if (ahead == 1)
        buffer_text(line, day);
    else
        buffer_print(line, ntr("%s, in %d day", "%s, in %d days", ahead), day, ahead);
    buffer_print(line,
                 ntr(": the chance falls to the %d%% wanted %d day after the last answer",
                     ": the chance falls to the %d%% wanted %d days after the last answer", natural),
                 wanted, natural);
    if (schedule->interval != natural)
        buffer_print(line,
                     ntr("; it was given %d day, so that what was learnt together comes apart",
                         "; it was given %d days, so that what was learnt together comes apart",
                         schedule->interval),
                     schedule->interval);
}

static void explain_due(struct explaining *explaining)
{
    const struct known *known = explaining->known;
    struct buffer *line = &explaining->line;
    if (known->is.suspended)
        buffer_text(line, tr("never, while it is suspended"));
    else if (known->overturned)
        buffer_text(line, tr("now: its key has changed so that what was right is wrong; it starts anew"));
    else if (!known_is_scheduled(known))
        buffer_text(line, tr("with the new ones: so far it was only left out"));
    else if (explaining->schedule->due_at)
        explain_step(explaining);
    else
        explain_day(explaining);
    explain_end(explaining, tr("Due"));
}

static void explain_lapses(struct explaining *explaining)
{
    int lapses = explaining->schedule->lapses;
    if (!lapses)
        return;
    buffer_print(&explaining->line,
                 ntr("%d time after it had been known", "%d times after it had been known", lapses), lapses);
    if (lapses >= SCHEDULE_LEECH)
        buffer_text(&explaining->line, tr(": that is often; read its explanation once more, or suspend it"));
    explain_end(explaining, tr("Forgotten"));
}

/* Days with a right answer that rule out guessing: guess ^ days ≤ 0.05, as schedule_mastered has it. */
static int explain_days_wanted(double guess)
{
    int days = 1;
    for (double chance = guess; chance > 0.05 && days < 100; days++)
        chance *= guess;
    return days;
}

static void explain_mastered(struct explaining *explaining)
{
    const struct schedule *schedule = explaining->schedule;
    struct buffer *line = &explaining->line;
    double guess = grade_guess(explaining->known->question);
    int wanted = explain_days_wanted(guess);
    if (known_is_mastered(explaining->known)) {
        buffer_text(line, tr("yes"));
        explain_end(explaining, tr("Mastered"));
        return;
    }
    buffer_text(line, tr("not yet"));
    const char *part = tr(": missing is ");
    if (schedule->memory.stability < SCHEDULE_MASTERED) {
        buffer_text(line, part);
        buffer_print(line, tr("a stability of %d days"), SCHEDULE_MASTERED);
        part = tr(", and ");
    } else if (schedule->phase != PHASE_REVIEW) {
        buffer_text(line, part);
        buffer_text(line, tr("that its steps of minutes are over"));
        part = tr(", and ");
    }
    if (schedule->run < wanted) {
        int left = wanted - schedule->run;
        buffer_text(line, part);
        buffer_print(line, ntr("a right answer on %d more day", "right answers on %d more days", left), left);
        if (guess > 0)
            buffer_print(line, tr(" (a guess is right with a chance of %d%%)"), (int)lround(100 * guess));
    }
    explain_end(explaining, tr("Mastered"));
}

static void explain_marks(struct explaining *explaining)
{
    const struct store_schedule *is = &explaining->known->is;
    if (!is->starred && !is->suspended)
        return;
    buffer_text(&explaining->line, is->starred && is->suspended ? tr("starred, suspended")
                                   : is->starred                ? tr("starred")
                                                                : tr("suspended"));
    explain_end(explaining, tr("Marks"));
}

static void explain_rules(struct explaining *explaining)
{
    static const char *const fitted[] = { N_("the published parameters"),
                                          N_("parameters fitted to everyone's answers"),
                                          N_("parameters fitted to your answers") };
    buffer_print(&explaining->line, tr("%s; wanted: a chance of %d%% when it is due"),
                 tr(fitted[explaining->whose->fitted]), (int)lround(100 * explaining->known->retention));
    explain_end(explaining, tr("By"));
}

static double explain_chance(const void *context, double day)
{
    const struct explaining *explaining = context;
    return fsrs_retrievability(&explaining->whose->parameters, explaining->schedule->memory.stability, day);
}

/* From the last answer to the day it is due, or today, and some way beyond. */
static void explain_curve(struct explaining *explaining)
{
    const struct schedule *schedule = explaining->schedule;
    const struct output *output = explaining->output;
    struct curve_mark marks[3];
    char answered[DAY_TEXT], due[DAY_TEXT];
    struct buffer first, last;
    int64_t today = explaining->whose->today - schedule->last_day,
            ahead = schedule->due_day - schedule->last_day;
    bool comes = !explaining->known->is.suspended && !explaining->known->overturned;
    int count = 0;
    buffer_init(&first);
    buffer_init(&last);
    today = today > 0 ? today : 0;
    day_short(answered, schedule->last_day);
    day_short(due, schedule->due_day);
    buffer_print(&first, tr("answered %s"), answered);
    buffer_print(&last, tr("due %s"), due);
    marks[count++] = (struct curve_mark){ 0, buffer_get(&first) };
    if (comes && ahead < today)
        marks[count++] = (struct curve_mark){ (double)ahead, buffer_get(&last) };
    marks[count++] = (struct curve_mark){ (double)today, tr("today") };
    if (comes && ahead >= today)
        marks[count++] = (struct curve_mark){ (double)ahead, buffer_get(&last) };
    double days = 1.4 * (double)(today > ahead ? today : ahead);
    struct curve curve = { .chance = explain_chance,
                           .context = explaining,
                           .days = days > 2 ? days : 2,
                           .wanted = explaining->known->retention,
                           .marks = marks,
                           .mark_count = count,
                           .columns = output->columns ? output->columns : OUTPUT_WIDTH,
                           .ascii = output->ascii };
    buffer_char(&explaining->output->text, '\n');
    curve_draw(&explaining->output->text, &curve);
    buffer_finish(&first);
    buffer_finish(&last);
}

void known_explain(const struct known *known, const struct whose *whose, struct output *output)
{
    struct explaining explaining = { known, whose, &known->is.schedule, output, { 0 } };
    buffer_init(&explaining.line);
    if (known->question->markup)
        markup_render(&explaining.line, known->question->prompt, false);
    else
        buffer_text(&explaining.line, known->question->prompt);
    output_text(output, buffer_get(&explaining.line));
    buffer_clear(&explaining.line);
    buffer_print(&explaining.line, tr("%s/%s, %s"), known->pack->id, known->question->id, whose->learner);
    output_text(output, buffer_get(&explaining.line));
    buffer_clear(&explaining.line);
    buffer_char(&output->text, '\n');
    if (!known->is.seen) {
        buffer_text(&explaining.line, tr("never: it is new"));
        explain_end(&explaining, tr("Answers"));
    } else {
        explain_answers(&explaining);
        explain_state(&explaining);
        if (known_is_scheduled(known))
            explain_memory(&explaining);
        explain_due(&explaining);
        explain_lapses(&explaining);
        explain_mastered(&explaining);
    }
    explain_marks(&explaining);
    explain_rules(&explaining);
    if (output->figures && known_is_scheduled(known))
        explain_curve(&explaining);
    buffer_finish(&explaining.line);
}
