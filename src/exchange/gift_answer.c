/* What stands between GIFT's braces: which type it makes, and its answers with weights and feedback. */
#include "gift_private.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- parting the answers ---- */

/* "%50%", "%-33,3%", "%33.33333%" at the start of an answer is its weight. */
static bool take_weight(struct gift_slice *slice, double *share)
{
    char digits[24];
    ptrdiff_t at = 1;
    size_t length = 0;
    if (slice->length < 3 || slice->start[0] != '%')
        return false;
    for (; at < slice->length && length < sizeof digits - 1 && strchr("+-0123456789.,", slice->start[at]) &&
           slice->start[at];
         at++)
        digits[length++] = slice->start[at] == ',' ? '.' : slice->start[at];
    digits[length] = '\0';
    char *end;
    *share = strtod(digits, &end);
    if (!length || *end || at >= slice->length || slice->start[at] != '%')
        return false;
    *slice = gift_trim((struct gift_slice){ slice->start + at + 1, slice->length - at - 1 });
    return true;
}

static bool starts_line(struct gift_slice block, ptrdiff_t at)
{
    while (at > 0 && (block.start[at - 1] == ' ' || block.start[at - 1] == '\t'))
        at--;
    return at == 0 || block.start[at - 1] == '\n' || block.start[at - 1] == GIFT_COMMENT;
}

/* Answers on lines of their own: then an = elsewhere, in feedback, belongs to that. */
static bool has_lines(struct gift_slice block)
{
    for (ptrdiff_t at = 1; at < block.length; at++)
        if ((block.start[at] == '=' || block.start[at] == '~') && starts_line(block, at))
            return true;
    return false;
}

/* Whether the = or ~ at a place begins an answer; `in_feedback`: behind a # of the answer before. */
static bool is_mark(struct gift *gift, struct gift_slice block, ptrdiff_t at, bool in_feedback, bool lines)
{
    char c = block.start[at], before = at ? block.start[at - 1] : '\n';
    if (c != '=' && c != '~')
        return false;
    if (c == '~' || starts_line(block, at))
        return true;
    char after = at + 1 < block.length ? block.start[at + 1] : ' ';
    bool apart = gift_space(before) && !gift_space(after);
    if (in_feedback && (lines || !apart)) {
        import_change(gift->import, "%s", tr("the = in a feedback stays part of it; write \\= there"));
        return false;
    }
    if (!in_feedback && !gift_space(before))
        import_change(gift->import, "%s", tr("an = within an answer begins another; write \\= for the sign"));
    return true;
}

static void finish(struct gift_answer *answer, struct gift_slice block, ptrdiff_t first, ptrdiff_t hash,
                   ptrdiff_t end)
{
    ptrdiff_t text_end = hash >= 0 ? hash : end;
    answer->text = gift_trim((struct gift_slice){ block.start + first, text_end - first });
    answer->share = answer->mark == '~' ? 0 : 100;
    answer->weighted = take_weight(&answer->text, &answer->share);
    if (hash >= 0)
        answer->feedback = gift_trim((struct gift_slice){ block.start + hash + 1, end - hash - 1 });
}

/* Parts the block; -1: too many. An empty answer before the first mark is none. */
static int part_answers(struct gift *gift, struct gift_slice block, struct gift_answer *answers)
{
    bool lines = has_lines(block);
    int count = 0;
    ptrdiff_t first = 0, hash = -1;
    char mark = 0;
    for (ptrdiff_t at = 0; at <= block.length; at++) {
        while (at < block.length && block.start[at] != '=' && block.start[at] != '~' &&
               block.start[at] != '#')
            at++;
        if (at < block.length && block.start[at] == '#' && hash < 0) {
            hash = at;
            continue;
        }
        if (at < block.length && !is_mark(gift, block, at, hash >= 0, lines))
            continue;
        struct gift_answer answer = { .mark = mark };
        finish(&answer, block, first, hash, at);
        if (mark || answer.text.length || answer.feedback.start) {
            if (count == GIFT_ANSWERS)
                return -1;
            answers[count++] = answer;
        }
        mark = at < block.length ? block.start[at] : 0;
        first = at + 1;
        hash = -1;
    }
    return count;
}

static const char *feedback_of(struct gift *gift, const struct gift_answer *answer)
{
    return answer->feedback.start ? gift_text(gift, answer->feedback, GIFT_PROMPT) : NULL;
}

/* ---- numbers ---- */

/* The digits in the pack's grammar: ".5" and "5." get their nought. NULL: they are no number. */
static const char *take_number(struct gift *gift, struct gift_slice slice, double *value)
{
    char digits[NUMBER_LONGEST + 4];
    struct number number;
    ptrdiff_t length = 0;
    slice = gift_trim(slice);
    if (!slice.length || slice.length > NUMBER_LONGEST)
        return NULL;
    for (ptrdiff_t i = 0; i < slice.length; i++) {
        char c = slice.start[i], next = i + 1 < slice.length ? slice.start[i + 1] : 0;
        bool digit = length && digits[length - 1] >= '0' && digits[length - 1] <= '9';
        if (c == '.' && !digit && length < NUMBER_LONGEST)
            digits[length++] = '0';
        if (c != '.' || (next >= '0' && next <= '9'))
            digits[length++] = c;
        else if (!digit)
            return NULL;
    }
    if (number_read(&number, digits, length, false) != NUMBER_FINE)
        return NULL;
    *value = number.value;
    return import_text_line(gift->import, digits, length);
}

/* Digits behind the decimal point. */
static int decimals_of(struct gift_slice slice)
{
    ptrdiff_t point = gift_find(slice, ".");
    int count = 0;
    for (point++; point > 0 && point < slice.length && slice.start[point] >= '0' && slice.start[point] <= '9';
         point++)
        count++;
    return count;
}

/* The middle of two numbers and half their distance, in decimal arithmetic: 3.141 to 3.142 is 3.1415 ±
 * 0.0005. */
static bool take_bounds(struct gift *gift, struct gift_slice from, struct gift_slice to,
                        struct import_answer *answer)
{
    double low, high;
    char digits[NUMBER_PLAIN], plain[NUMBER_PLAIN];
    if (!take_number(gift, from, &low) || !take_number(gift, to, &high) || low > high)
        return false;
    int one = decimals_of(from), other = decimals_of(to), decimals = (one > other ? one : other) + 1;
    bool exact = !memchr(from.start, 'e', (size_t)from.length) && !memchr(to.start, 'e', (size_t)to.length);
    snprintf(digits, sizeof digits, exact ? "%.*f" : "%.*g", exact ? decimals : 15, high / 2 - low / 2);
    answer->tolerance = strtod(digits, NULL);
    snprintf(digits, sizeof digits, exact ? "%.*f" : "%.*g", exact ? decimals : 15, high / 2 + low / 2);
    number_plain(plain, strtod(digits, NULL));
    answer->text = import_text_line(gift->import, plain, (ptrdiff_t)strlen(plain));
    return answer->text != NULL;
}

/* "5", "5:0.1" or "1..5"; false: it is none of these. */
static bool take_range(struct gift *gift, struct gift_slice slice, struct import_answer *answer)
{
    double value;
    ptrdiff_t dots = gift_find(slice, ".."), colon = gift_find(slice, ":");
    answer->tolerance = 0;
    if (slice.length == 1 && *slice.start == '*') {
        answer->text = "*";
        return true;
    }
    if (dots > 0) {
        struct gift_slice from = { slice.start, dots },
                          to = { slice.start + dots + 2, slice.length - dots - 2 };
        return take_bounds(gift, from, to, answer);
    }
    struct gift_slice number = { slice.start, colon > 0 ? colon : slice.length };
    answer->text = take_number(gift, number, &value);
    if (colon > 0) {
        struct gift_slice tolerance = { slice.start + colon + 1, slice.length - colon - 1 };
        if (!take_number(gift, tolerance, &answer->tolerance) || answer->tolerance < 0)
            return false;
    }
    return answer->text != NULL;
}

static bool make_numbers(struct gift *gift, struct question *question, const struct gift_answer *answers,
                         int count, struct import_answer *typed)
{
    for (int i = 0; i < count; i++) {
        const struct gift_answer *answer = &answers[i];
        typed[i].share = answer->share;
        typed[i].feedback = feedback_of(gift, answer);
        if (answer->mark == '~' && !answer->text.length) {
            typed[i].text = "*";
        } else if (!take_range(gift, answer->text, &typed[i])) {
            struct buffer shown;
            buffer_init(&shown);
            text_visible(&shown, answer->text.start, answer->text.length < 60 ? answer->text.length : 60);
            bool comma = memchr(answer->text.start, ',', (size_t)answer->text.length) != NULL;
            gift_refuse(gift, answer->text.start,
                        comma ? tr("\"%s\" is no number; the decimal sign is a point, as in 1.5")
                              : tr("\"%s\" is no number; write 3, 3:0.1 or 1..5"),
                        buffer_get(&shown));
            buffer_finish(&shown);
            return false;
        }
    }
    return import_numbers(gift->import, question, typed, count);
}

/* ---- texts ---- */

/* In Moodle a * in a short answer stands for any letters, \* for itself. NULL: it stands for any. */
static const char *resolve_stars(struct gift *gift, const char *text)
{
    if (!text || !strchr(text, '*') || strcmp(text, "*") == 0)
        return text;
    char *copy = arena_text(&gift->import->arena, text, (ptrdiff_t)strlen(text)), *to = copy;
    gift->import->failed = gift->import->failed || !copy;
    for (const char *from = text; copy && *from; from++) {
        if (*from == '*')
            return NULL;
        if (from[0] == '\\' && from[1] == '*')
            from++;
        *to++ = *from;
    }
    if (copy)
        *to = '\0';
    return copy;
}

static bool make_texts(struct gift *gift, struct question *question, const struct gift_answer *answers,
                       int count, struct import_answer *typed)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const char *text = gift_text(gift, answers[i].text, GIFT_TYPED), *exact = resolve_stars(gift, text);
        if (text && !exact) {
            import_change(gift->import, tr("\"%.60s\" is left out: its * stands for any letters"), text);
            continue;
        }
        typed[kept].text = exact;
        typed[kept].exact = exact != text;
        typed[kept].share = answers[i].share;
        typed[kept++].feedback = feedback_of(gift, &answers[i]);
    }
    return import_texts(gift->import, question, typed, kept, false);
}

/* ---- choices and pairs ---- */

static bool make_choices(struct gift *gift, struct question *question, const struct gift_answer *answers,
                         int count)
{
    struct choice *choices = arena_alloc(&gift->import->arena, (count + 1) * (ptrdiff_t)sizeof *choices);
    double *shares = arena_alloc(&gift->import->arena, (count + 1) * (ptrdiff_t)sizeof *shares);
    bool single = false;
    if (!choices || !shares) {
        gift->import->failed = true;
        return false;
    }
    for (int i = 0; i < count; i++) {
        single = single || answers[i].mark == '=';
        if (answers[i].mark == '=' && answers[i].weighted)
            import_change(gift->import, "%s", tr("the weight behind an = of a choice was taken off"));
        choices[i].text = gift_text(gift, answers[i].text, GIFT_CHOICE);
        choices[i].feedback = feedback_of(gift, &answers[i]);
        shares[i] = answers[i].mark == '='                   ? 100
                    : answers[i].mark || answers[i].weighted ? answers[i].share
                                                             : 0;
        if (!answers[i].mark)
            import_change(gift->import, "%s", tr("what stands before the first = or ~ is a wrong choice"));
    }
    return import_choices(gift->import, question, choices, shares, count, single);
}

static bool make_pairs(struct gift *gift, struct question *question, struct gift_slice block)
{
    const char *lefts[GIFT_ANSWERS], *rights[GIFT_ANSWERS], *extra[GIFT_ANSWERS];
    int count = 0, extras = 0;
    while (block.length && count + extras < GIFT_ANSWERS) {
        ptrdiff_t end = 1;
        while (end < block.length && block.start[end] != '=')
            end++;
        struct gift_slice pair = { block.start, end };
        if (*pair.start == '=')
            pair.start++, pair.length--;
        ptrdiff_t arrow = gift_find(pair, "->");
        if (arrow < 0) {
            gift_refuse(gift, pair.start, "%s", tr("a pair needs its ->"));
            return false;
        }
        const char *left = gift_text(gift, (struct gift_slice){ pair.start, arrow }, GIFT_BARE);
        struct gift_slice rest = { pair.start + arrow + 2, pair.length - arrow - 2 };
        const char *right = gift_text(gift, rest, GIFT_RIGHT);
        if (!left && right) {
            extra[extras++] = right; /* goes with nothing */
        } else {
            lefts[count] = left;
            rights[count++] = right;
        }
        block.start += end;
        block.length -= end;
    }
    return import_pairs(gift->import, question, lefts, rights, count, extra, extras);
}

/* ---- the type ---- */

static bool is_word(struct gift_slice slice, const char *word)
{
    return slice.length == (ptrdiff_t)strlen(word) && strncasecmp(slice.start, word, strlen(word)) == 0;
}

/* "T", "FALSE#wrong#right": what is told to who answered wrong, then to who answered right. */
static bool take_truth(struct gift *gift, struct question *question, struct gift_slice block)
{
    ptrdiff_t hash = gift_find(block, "#");
    struct gift_slice word = gift_trim((struct gift_slice){ block.start, hash < 0 ? block.length : hash });
    bool truth = is_word(word, "T") || is_word(word, "TRUE");
    if (!truth && !is_word(word, "F") && !is_word(word, "FALSE"))
        return false;
    question->type = QUESTION_TRUE_FALSE;
    question->key.truth = truth;
    if (hash < 0)
        return true;
    struct gift_slice wrong = { block.start + hash + 1, block.length - hash - 1 };
    ptrdiff_t second = gift_find(wrong, "#");
    if (second >= 0) {
        struct gift_slice right = { wrong.start + second + 1, wrong.length - second - 1 };
        const char *told = gift_text(gift, right, GIFT_PROMPT);
        wrong.length = second;
        if (told && question->explanation)
            told = arena_print(&gift->import->arena, "%s\n\n%s", told, question->explanation);
        if (told) {
            question->explanation = told;
            import_change(gift->import, "%s", tr("feedback of a right answer stands in the explanation"));
        }
    }
    question->feedback = gift_text(gift, wrong, GIFT_PROMPT);
    return true;
}

/* Cuts the general feedback off: what stands behind the last ####. */
static void take_explanation(struct gift *gift, struct question *question, struct gift_slice *block)
{
    for (ptrdiff_t at = block->length - 4; at >= 0; at--)
        if (memcmp(block->start + at, "####", 4) == 0) {
            struct gift_slice told = { block->start + at + 4, block->length - at - 4 };
            question->explanation = gift_text(gift, told, GIFT_FIGURED);
            question->explanation_figure = gift->figure;
            *block = gift_trim((struct gift_slice){ block->start, at });
            return;
        }
}

/* Whether an answer, not its feedback, holds ->. */
static bool is_match(const struct gift_answer *answers, int count)
{
    for (int i = 0; i < count; i++)
        if (answers[i].mark != '~' && gift_find(answers[i].text, "->") >= 0)
            return true;
    return false;
}

void gift_answer(struct gift *gift, struct question *question, struct gift_slice block)
{
    static const struct import_answer none = { 0 };
    struct gift_answer answers[GIFT_ANSWERS];
    struct import_answer typed[GIFT_ANSWERS];
    struct import *import = gift->import;
    bool made = false, tilde = false;
    take_explanation(gift, question, &block);
    if (!block.length) {
        import_leave_out(import, "%s", tr("an essay: nobody here can mark it"));
        return;
    }
    bool number = *block.start == '#';
    if (!number && take_truth(gift, question, block)) {
        import_take(import, question);
        return;
    }
    if (number)
        block = gift_trim((struct gift_slice){ block.start + 1, block.length - 1 });
    int count = part_answers(gift, block, answers);
    if (count < 0) {
        import_leave_out(import, tr("it has more than %d answers"), GIFT_ANSWERS);
        return;
    }
    for (int i = 0; i < count; i++) {
        tilde = tilde || answers[i].mark == '~';
        typed[i] = none;
    }
    if (number)
        made = make_numbers(gift, question, answers, count, typed);
    else if (tilde)
        made = make_choices(gift, question, answers, count);
    else if (is_match(answers, count))
        made = make_pairs(gift, question, block);
    else
        made = make_texts(gift, question, answers, count, typed);
    if (made)
        import_take(import, question);
}
