/* Answers that carry shares of the marks, as other systems keep them, made into a pack's keys. */
#include "import_private.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>
#include <quiztutor/text.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAMED = 30 }; /* columns of an answer that a report names */

/* Shares are kept with five decimals at most: 33.33333 is a third. */
static bool near(double one, double other)
{
    return fabs(one - other) < 0.02;
}

static const char *named(struct import *import, const char *text)
{
    return import_brief(import, text ? text : "", NAMED);
}

/* ---- choices ---- */

/* Which rule gives the shares back, or comes nearest, and what is lost then. */
static void find_rule(struct import *import, struct question *question, const struct choice *choices,
                      const double *shares, int count, int correct)
{
    bool even = true, zero = true, mirrored = true;
    double sum = 0, each = 100.0 / correct;
    for (int i = 0; i < count; i++) {
        if (choices[i].correct) {
            sum += shares[i];
            even = even && near(shares[i], each);
        } else {
            zero = zero && near(shares[i], 0);
            mirrored = mirrored && near(shares[i], -each);
        }
    }
    question->marking = MARKING_NET_CORRECT;
    if (!even)
        import_change(
            import, "%s",
            tr("the right choices had weights of their own; here each counts the same (net-correct)"));
    else if (!mirrored && zero && correct < count)
        import_change(import, "%s",
                      tr("wrong choices took nothing; here each takes as much as a right one gives "
                         "(net-correct)"));
    else if (!mirrored && correct < count)
        import_change(import, "%s",
                      tr("wrong choices had weights of their own; here each takes as much as a right one "
                         "gives (net-correct)"));
    if (even && !near(sum, 100) && fabs(sum - 100) > 0.5)
        import_change(import, tr("the weights of the right choices came to %g %%"), sum);
}

bool import_choices(struct import *import, struct question *question, struct choice *choices,
                    const double *shares, int count, bool single)
{
    int correct = 0;
    for (int i = 0; i < count; i++) {
        choices[i].correct = single ? near(shares[i], 100) : shares[i] > 0;
        correct += choices[i].correct;
        if (single && !choices[i].correct && fabs(shares[i]) > 1e-9)
            import_change(import, tr("\"%s\" gave %g %%; here it is wrong"), named(import, choices[i].text),
                          shares[i]);
    }
    if (!correct) {
        import_leave_out(import, "%s",
                         single ? tr("no choice gives the full mark") : tr("none of its choices is right"));
        return false;
    }
    question->type = single && correct == 1 ? QUESTION_SINGLE_CHOICE : QUESTION_MULTIPLE_CHOICE;
    question->key.choices.items = choices;
    question->key.choices.count = count;
    question->key.choices.correct = correct;
    question->marking = MARKING_ALL_OR_NOTHING;
    if (single && correct > 1)
        import_change(import, "%s",
                      tr("any one of its right choices gave the full mark; here all of them must be chosen"));
    else if (!single)
        find_rule(import, question, choices, shares, count, correct);
    return true;
}

/* ---- pairs ---- */

bool import_pairs(struct import *import, struct question *question, const char *const *lefts,
                  const char *const *rights, int count, const char *const *extra, int extra_count)
{
    int all = count + extra_count, distinct = 0;
    const char **kept_lefts = arena_alloc(&import->arena, (count + 1) * (ptrdiff_t)sizeof *kept_lefts);
    const char **kept = arena_alloc(&import->arena, (all + 1) * (ptrdiff_t)sizeof *kept);
    unsigned char *pairs = arena_alloc(&import->arena, count + 1);
    question->type = QUESTION_MATCH;
    if (!kept_lefts || !kept || !pairs) {
        import->failed = true;
        return false;
    }
    if (count > PACK_CHOICES || all > 4 * PACK_CHOICES) {
        import_leave_out(import, "%s", tr("it has more than 26 items"));
        return false;
    }
    for (int i = 0; i < all; i++) {
        const char *right = i < count ? rights[i] : extra[i - count];
        if (!right || (i < count && !lefts[i])) {
            import_leave_out(import, "%s", tr("one of its pairs has no text"));
            return false;
        }
        int place = 0;
        while (place < distinct && !import_same(kept[place], right))
            place++;
        if (place == distinct)
            kept[distinct++] = right;
        if (i < count) {
            pairs[i] = (unsigned char)place;
            kept_lefts[i] = lefts[i];
            question->key.match.paired = distinct;
        }
    }
    question->key.match.lefts = (struct text_list){ kept_lefts, count };
    question->key.match.rights = (struct text_list){ kept, distinct };
    question->key.match.pairs = pairs;
    return true;
}

/* ---- typed answers ---- */

/* What is told to who gave a right answer: the explanation says it, too. */
static void join_feedback(struct import *import, struct question *question, const char *feedback)
{
    if (!feedback || (question->explanation && strcmp(question->explanation, feedback) == 0))
        return;
    const char *before = question->explanation;
    question->explanation = before ? arena_print(&import->arena, "%s\n\n%s", feedback, before) : feedback;
    import->failed = import->failed || !question->explanation;
    import_change(import, "%s", tr("feedback of a right answer stands in the explanation"));
}

static void note_part(struct import *import, const struct import_answer *answer)
{
    if (answer->share > 0)
        import_change(import, tr("\"%s\" gave %g %%; here it is wrong"), named(import, answer->text),
                      answer->share);
}

static bool is_any(const struct import_answer *answer)
{
    return answer->text && strcmp(answer->text, "*") == 0 && !answer->exact;
}

/* An answer that is taken as right, unless it stands there already. */
static void accept(const char **texts, int *count, const char *text)
{
    for (int i = 0; i < *count && i < 100; i++)
        if (import_same(texts[i], text))
            return;
    texts[(*count)++] = text;
}

bool import_texts(struct import *import, struct question *question, const struct import_answer *answers,
                  int count, bool case_counts)
{
    const char **texts = arena_alloc(&import->arena, (count + 1) * (ptrdiff_t)sizeof *texts);
    struct known_wrong *wrongs = arena_alloc(&import->arena, (count + 1) * (ptrdiff_t)sizeof *wrongs);
    int right = 0, wrong = 0;
    if (!texts || !wrongs) {
        import->failed = true;
        return false;
    }
    for (int i = 0; i < count; i++) {
        const struct import_answer *answer = &answers[i];
        if (is_any(answer) && near(answer->share, 100)) {
            import_leave_out(import, "%s", tr("any answer is right"));
            return false;
        }
        if (!answer->text || is_any(answer)) {
            import_change(import, "%s", tr("what was told for any other answer is left out"));
        } else if (near(answer->share, 100)) {
            accept(texts, &right, answer->text);
            join_feedback(import, question, answer->feedback);
        } else {
            note_part(import, answer);
            if (answer->feedback)
                wrongs[wrong++] = (struct known_wrong){ .value = answer->text, .feedback = answer->feedback };
        }
    }
    question->type = QUESTION_TEXT;
    question->key.text = (struct text_key){
        .accept = { texts, right },
        .ignore = IGNORE_SPACES | (case_counts ? 0 : IGNORE_CASE),
        .wrongs = wrongs,
        .wrong_count = wrong,
    };
    return true;
}

bool import_numbers(struct import *import, struct question *question, const struct import_answer *answers,
                    int count)
{
    struct known_wrong *wrongs = arena_alloc(&import->arena, (count + 1) * (ptrdiff_t)sizeof *wrongs);
    const struct import_answer *right = NULL;
    struct number number;
    int wrong = 0;
    import->failed = import->failed || !wrongs;
    for (int i = 0; wrongs && i < count; i++) {
        const struct import_answer *answer = &answers[i];
        if (is_any(answer) && answer->share <= 0) {
            import_change(import, "%s", tr("what was told for any other answer is left out"));
            continue;
        }
        if (!answer->text || number_read(&number, answer->text, (ptrdiff_t)strlen(answer->text), false)) {
            import_leave_out(import, tr("\"%s\" is no number"), named(import, answer->text));
            return false;
        }
        if (near(answer->share, 100)) {
            if (right && (strcmp(right->text, answer->text) != 0 || right->tolerance != answer->tolerance)) {
                import_leave_out(import, tr("two numbers are right, %s and %s"), right->text, answer->text);
                return false;
            }
            right = answer;
            join_feedback(import, question, answer->feedback);
        } else {
            note_part(import, answer);
            if (answer->tolerance > 0 && answer->feedback)
                import_change(import, tr("\"%s\" is known as wrong without its tolerance"), answer->text);
            if (answer->feedback)
                wrongs[wrong++] = (struct known_wrong){ answer->text, number.value, answer->feedback, NULL };
        }
    }
    if (!right || !wrongs) {
        import_leave_out(import, "%s", tr("no answer is right"));
        return false;
    }
    question->type = QUESTION_NUMBER;
    question->key.number = (struct number_key){
        .answer = right->text, .tolerance = right->tolerance, .wrongs = wrongs, .wrong_count = wrong
    };
    return true;
}
