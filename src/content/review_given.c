/* Parametrised questions: every combination of their values, beyond DERIVE_COMBINATIONS a sample. */
#include "review_private.h"

#include "derive_instance.h"

#include <quiztutor/derive.h>
#include <quiztutor/message.h>
#include <quiztutor/random.h>

#include <stdio.h>
#include <string.h>

/* One kind of fault: the first combination that has it, and how many do. */
struct tally {
    int count;
    const char *subject;
    char message[sizeof((struct instance_report *)0)->message];
    int picks[DERIVE_NAMES];
};

enum { SAMPLE_STATE = 1 }; /* equal packs give equal samples */

/* The combination of a number, or drawn: the last name changes fastest. */
static void pick(const struct parameters *parameters, int64_t number, struct random_stream *stream,
                 int *picks)
{
    for (int draw = parameters_draws(parameters) - 1; draw >= 0; draw--) {
        int ways = parameters_ways(parameters, draw);
        picks[draw] = stream ? (int)random_below(stream, (uint64_t)ways) : (int)(number % ways);
        number /= ways;
    }
}

static void count_fault(struct tally *tally, const struct instance_report *report, const int *picks)
{
    if (tally->count++ > 0)
        return;
    tally->subject = report->subject;
    memcpy(tally->message, report->message, sizeof tally->message);
    memcpy(tally->picks, picks, sizeof tally->picks);
}

/* Where the text that a fault is about stands: within the answer key, if it is none of `derive` and no prompt
 * that got too long. */
static struct place place_of(struct review *review, const char *subject)
{
    const struct question *question = review->question;
    const struct parameters *parameters = question->parameters;
    const struct review_spots *spots = review->spots;
    struct place start = spots->key.line > 0 ? spots->key : spots->start, until = { 0 };
    if (review->number + 1 < review->pack->question_count) {
        const struct place *next = &spots[1].start;
        until.end_line = next->line;
        until.end_column = next->column;
    }
    for (int i = 0; i < spots->choice_count; i++)
        if (question->key.choices.items[i].text == subject)
            return spots->choices[i];
    for (int i = 0; i < parameters->derived_count; i++)
        if (parameters->derived[i].expression == subject)
            start = place_at(parameters->derived[i].line, parameters->derived[i].column, 0);
    if (subject == question->prompt)
        start = spots->prompt;
    return review_spot(review, &start, &until, subject, (ptrdiff_t)strlen(subject));
}

static void tell(struct review *review, enum instance_fault fault, const struct tally *tally, int tried)
{
    const struct parameters *parameters = review->question->parameters;
    char count[160], message[700];
    struct arena arena;
    arena_init(&arena);
    const char *values = parameters_say(parameters, tally->picks, &arena);
    if (!values) {
        arena_finish(&arena);
        review->failed = true;
        return;
    }
    if (parameters_combinations(parameters) > tried)
        snprintf(count, sizeof count, tr("in %d of %d combinations tried"), tally->count, tried);
    else
        snprintf(count, sizeof count, tr("in %d of %d combinations"), tally->count, tried);
    snprintf(message, sizeof message, tr("%s, with %s (%s)"), tally->message, values, count);
    arena_finish(&arena);
    struct place place = place_of(review, tally->subject);
    if (fault == INSTANCE_WRONG)
        report_error(&review->report, &place, "given-wrong",
                     tr("choose other values, or make the tolerance smaller"), "%s", message);
    else
        review_tell(review, fault == INSTANCE_SAME ? REVIEW_GIVEN_SAME : REVIEW_GIVEN_FAILS, &place,
                    tr("choose other values; these are never shown"), "%s", message);
}

void given_values(struct review *review)
{
    const struct question *question = review->question;
    const struct parameters *parameters = question->parameters;
    struct tally tallies[INSTANCE_MEMORY] = { 0 };
    struct random_stream stream = { SAMPLE_STATE };
    int64_t all = parameters_combinations(parameters);
    int tried = all > DERIVE_COMBINATIONS ? DERIVE_COMBINATIONS : (int)all;
    for (int i = 0; i < tried && !review->failed; i++) {
        struct instance_report report;
        struct question instance;
        struct arena arena;
        int picks[DERIVE_NAMES] = { 0 };
        pick(parameters, i, all > tried ? &stream : NULL, picks);
        arena_init(&arena);
        if (!instance_make(&instance, question, picks, &arena, true, &report)) {
            if (report.fault == INSTANCE_MEMORY)
                review->failed = true;
            else
                count_fault(&tallies[report.fault], &report, picks);
        }
        arena_finish(&arena);
    }
    for (enum instance_fault fault = INSTANCE_FAILS; fault < INSTANCE_MEMORY && !review->failed; fault++) {
        bool allowed =
            (fault == INSTANCE_FAILS && review_allows(review, review->number, REVIEW_GIVEN_FAILS)) ||
            (fault == INSTANCE_SAME && review_allows(review, review->number, REVIEW_GIVEN_SAME));
        if (tallies[fault].count && !allowed)
            tell(review, fault, &tallies[fault], tried);
    }
}
