/* Rules about what the whole pack shows to who looks for patterns: lengths and places of right choices. */
#include "review_private.h"

#include "review_chance.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <string.h>

enum { PATTERN_LEAST = 5 }; /* questions, below which nothing is a pattern */

/* The choice that is longer than all others, -1 where there is none. */
static int longest_of(const struct question *question)
{
    int best = -1, length = -1;
    for (int i = 0; i < question->key.choices.count; i++) {
        int seen = text_graphemes(question->key.choices.items[i].text);
        if (seen == length)
            best = -1;
        if (seen > length) {
            length = seen;
            best = i;
        }
    }
    return best;
}

static bool has_wrong_choice(const struct question *question)
{
    return review_has_choices(question) && question->key.choices.correct < question->key.choices.count;
}

/* Room for a number a question; NULL without memory, which ends the review. */
static double *trials_of(struct review *review)
{
    double *trials = memory_alloc(review->pack->question_count * (ptrdiff_t)sizeof *trials);
    review->failed = review->failed || !trials;
    return trials;
}

/* Under an author without habits the longest choice is right as often as any other. */
void longest_often(struct review *review)
{
    double *trials = trials_of(review);
    ptrdiff_t count = 0, hits = 0;
    for (int i = 0; trials && i < review->pack->question_count; i++) {
        const struct question *question = &review->pack->questions[i];
        if (!has_wrong_choice(question) || review_allows(review, i, REVIEW_LONGEST_OFTEN))
            continue;
        int longest = longest_of(question);
        if (longest < 0)
            continue;
        trials[count++] = (double)question->key.choices.correct / question->key.choices.count;
        hits += question->key.choices.items[longest].correct;
    }
    struct chance chance;
    if (trials && !chance_of(trials, count, hits, &chance))
        review->failed = true;
    memory_free(trials);
    if (review->failed || count < PATTERN_LEAST || chance.upper >= REVIEW_UNLIKELY)
        return;
    char odds[REVIEW_ODDS];
    review_tell(
        review, REVIEW_LONGEST_OFTEN, &review->outline.head,
        tr("lengthen wrong choices or shorten right ones, until it is right about as often as chance "
           "has it"),
        tr("the longest choice is a right one in %td of the %td questions that have one; by chance in "
           "about %.0f, in %td or more %s"),
        hits, count, chance.expected, hits, review_odds(odds, chance.upper));
}

/* The place of the answer where it is always the same: from 0; -1 where it is shuffled or there are several.
 */
static int fixed_place(const struct question *question, int *places)
{
    *places = 2;
    if (question->type == QUESTION_TRUE_FALSE)
        return question->key.truth ? 0 : 1;
    if (question->type != QUESTION_SINGLE_CHOICE || question->shuffle || question->key.choices.count < 2)
        return -1;
    *places = question->key.choices.count;
    return review_right_choice(question);
}

/* How often one place is the right one. */
struct place_count {
    ptrdiff_t count, hits;
    struct chance chance;
};

/* False when this place is as chance has it, or there is no memory. */
static bool count_place(struct review *review, bool truths, int place, double *trials,
                        struct place_count *out)
{
    out->count = out->hits = 0;
    double expected = 0, variance = 0;
    for (int i = 0; i < review->pack->question_count; i++) {
        const struct question *question = &review->pack->questions[i];
        int places, right = fixed_place(question, &places);
        bool truth = question->type == QUESTION_TRUE_FALSE;
        if (right < 0 || truth != truths || place >= places || review_allows(review, i, REVIEW_PLACE_SKEW))
            continue;
        double p = 1.0 / places;
        trials[out->count++] = p;
        expected += p;
        variance += p * (1 - p);
        out->hits += right == place;
    }
    double far = (double)out->hits - expected;
    if (out->count < PATTERN_LEAST || far * far < 4 * variance) /* quick: surely nothing */
        return false;
    if (!chance_of(trials, out->count, out->hits, &out->chance))
        review->failed = true;
    return !review->failed;
}

static void tell_place(struct review *review, bool truths, int place, const struct place_count *found)
{
    char odds[REVIEW_ODDS];
    bool more = (double)found->hits > found->chance.expected;
    const char *hint = truths ? tr("turn some statements round")
                              : tr("move right choices to other places, or let them be shuffled");
    review_odds(odds, more ? found->chance.upper : found->chance.lower);
    if (truths)
        review_tell(review, REVIEW_PLACE_SKEW, &review->outline.head, hint,
                    tr("%td of %td statements are true; by chance about %.0f, so far from it %s"),
                    found->hits, found->count, found->chance.expected, odds);
    else
        review_tell(
            review, REVIEW_PLACE_SKEW, &review->outline.head, hint,
            tr("choice %d is the right one in %td of %td questions that are not shuffled; by chance in "
               "about %.0f, so far from it %s"),
            place + 1, found->hits, found->count, found->chance.expected, odds);
}

/* The place that is the farthest from chance, of `places` that were looked at. */
static void look_at_places(struct review *review, bool truths, int places, double *trials)
{
    struct place_count worst = { 0 }, found;
    double least = 1;
    int where = -1;
    for (int place = 0; place < places && !review->failed; place++) {
        if (!count_place(review, truths, place, trials, &found))
            continue;
        double tail = found.chance.upper < found.chance.lower ? found.chance.upper : found.chance.lower;
        if (tail < least) {
            least = tail;
            worst = found;
            where = place;
        }
    }
    /* both ends of each place were looked at: the more looks, the more must be seen */
    if (!review->failed && where >= 0 && least * 2 * places < REVIEW_UNLIKELY)
        tell_place(review, truths, where, &worst);
}

void place_skew(struct review *review)
{
    double *trials = trials_of(review);
    int most = 0;
    for (int i = 0; i < review->pack->question_count; i++) {
        int places;
        const struct question *question = &review->pack->questions[i];
        if (question->type != QUESTION_TRUE_FALSE && fixed_place(question, &places) >= 0 && places > most)
            most = places;
    }
    if (trials) {
        look_at_places(review, false, most, trials);
        look_at_places(review, true, 1, trials);
    }
    memory_free(trials);
}

/* A run of questions whose answer is at one place. */
struct run {
    int first, last, place; /* questions in pack->questions; place from 0 */
    ptrdiff_t length;
};

static void tell_run(struct review *review, const struct run *run, double probability)
{
    char odds[REVIEW_ODDS];
    const struct question *first = &review->pack->questions[run->first],
                          *last = &review->pack->questions[run->last];
    review_tell(
        review, REVIEW_PLACE_RUN, &review->outline.questions[run->first].key,
        tr("move right choices to other places, or let them be shuffled"),
        tr("choice %d is the right one %td times running, from \"%s\" to \"%s\" in line %d; chance does "
           "so at most %s"),
        run->place + 1, run->length, first->id, last->id, last->line, review_odds(odds, probability));
}

/* The longest run of questions that always come in this order, choices too. */
void place_run(struct review *review)
{
    if (review->pack->shuffle == SHUFFLE_ALL)
        return;
    double *trials = trials_of(review);
    struct run run = { .length = 0 }, longest = { .length = 0 };
    ptrdiff_t count = 0;
    for (int i = 0; trials && i < review->pack->question_count; i++) {
        int places, place = fixed_place(&review->pack->questions[i], &places);
        if (place < 0 || review_allows(review, i, REVIEW_PLACE_RUN))
            continue;
        trials[count++] = 1.0 / places;
        if (run.length == 0 || place != run.place)
            run = (struct run){ .first = i, .place = place };
        run.last = i;
        run.length++;
        if (run.length > longest.length)
            longest = run;
    }
    double probability = trials ? chance_of_run(trials, count, longest.length) : 1;
    memory_free(trials);
    if (!review->failed && longest.length >= PATTERN_LEAST && probability < REVIEW_UNLIKELY)
        tell_run(review, &longest, probability);
}
