/* Rules about the choices of one question. */
#include "review_private.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <string.h>

/* Characters as a reader sees them. */
static int seen_length(const char *text)
{
    for (const char *at = text; *at; at++)
        if (*at & 0x80)
            return text_graphemes(text);
    return (int)strlen(text);
}

enum { LONGER_LEAST = 15, LONGER_OF = 3 }; /* characters; choices */

/* Every right choice is half as long again as the longest wrong one, and by more than a word or two. */
void longest_choice(struct review *review)
{
    const struct question *question = review->question;
    int right = -1, wrong = -1, place = -1, longest = -1;
    for (int i = 0; i < question->key.choices.count; i++) {
        const struct choice *choice = &question->key.choices.items[i];
        int length = seen_length(choice->text);
        if (!choice->correct && length > wrong)
            wrong = length;
        if (choice->correct && (right < 0 || length < right))
            right = length;
        if (choice->correct && length > longest) {
            longest = length;
            place = i;
        }
    }
    if (question->key.choices.count < LONGER_OF || wrong < 0 || right < 0)
        return;
    if (right - wrong < LONGER_LEAST || 2 * right < 3 * wrong)
        return;
    review_tell(review, REVIEW_LONGEST_CHOICE, &review->spots->choices[place],
                tr("shorten it, or say as much in the wrong ones; what needs saying fits the explanation"),
                tr("the right choice has %d characters, the longest wrong one %d"), longest, wrong);
}

/* Folded, blanks single, without the quotes around it and the full stop behind it: what is left decides. */
static void bare(const struct words *words, const char **text, ptrdiff_t *length)
{
    static const char around[] = " \t\n\"'", behind[] = ".;,";
    *text = buffer_get(&words->text);
    *length = words->text.length;
    while (*length > 0 && strchr(around, **text)) {
        ++*text;
        --*length;
    }
    while (*length > 0 && (strchr(around, (*text)[*length - 1]) || strchr(behind, (*text)[*length - 1])))
        --*length;
}

static bool is_small_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c & 0x80);
}

/* Passes over blanks, and over hyphens between letters. */
static ptrdiff_t pass_gaps(const char *text, ptrdiff_t at, ptrdiff_t length)
{
    while (at < length && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' ||
                           (text[at] == '-' && at > 0 && at + 1 < length && is_small_letter(text[at - 1]) &&
                            is_small_letter(text[at + 1]))))
        at++;
    return at;
}

enum { CASE_COUNTS = 3 }; /* bytes, up to which capitals tell names apart: "AA", "Aa" */

/* Equal but for case, blanks, hyphens, quotes around and a full stop. */
static bool is_equal(const struct words *one, const struct words *other)
{
    const char *a, *b;
    ptrdiff_t a_length, b_length, i = 0, k = 0;
    bare(one, &a, &a_length);
    bare(other, &b, &b_length);
    if (a_length <= CASE_COUNTS && a_length == one->text.length && b_length == other->text.length)
        return false;
    for (;; i++, k++) {
        i = pass_gaps(a, i, a_length);
        k = pass_gaps(b, k, b_length);
        if (i == a_length || k == b_length)
            return i == a_length && k == b_length && a_length > 0;
        if (a[i] != b[k])
            return false;
    }
}

/* The signs between words are equal too: "a + b" is not "a - b". */
static ptrdiff_t signs_of(const struct words *words, char *signs, ptrdiff_t size)
{
    const char *text;
    ptrdiff_t length, count = 0;
    bare(words, &text, &length);
    ptrdiff_t start = text - buffer_get(&words->text), word = 0;
    for (ptrdiff_t at = start; at < start + length && count < size;) {
        while (word < words->count && words->items[word].start < at)
            word++;
        if (word < words->count && words->items[word].start == at) {
            at += words->items[word].length;
            continue;
        }
        char c = buffer_get(&words->text)[at++];
        if (!strchr(" \t\n,", c))
            signs[count++] = c;
    }
    return count;
}

static bool has_equal_signs(const struct words *one, const struct words *other)
{
    char a[256], b[256];
    ptrdiff_t count = signs_of(one, a, sizeof a);
    return count == signs_of(other, b, sizeof b) && count < (ptrdiff_t)sizeof a &&
           memcmp(a, b, (size_t)count) == 0;
}

enum { SLIP_WORD = 7, SLIP_HEAD = 3 }; /* letters of a word with a slip; and before it */

/* One letter more, or two exchanged, well inside a long word: "parallelism" and "paralelism". A letter in
 * another's place makes another word too often: "adsorption" and "absorption". */
static bool is_slip(const char *one, ptrdiff_t one_length, const char *other, ptrdiff_t other_length)
{
    ptrdiff_t shorter = one_length < other_length ? one_length : other_length;
    ptrdiff_t longer = one_length + other_length - shorter, head = 0, tail = 0;
    while (head < shorter && one[head] == other[head])
        head++;
    while (tail < shorter - head && one[one_length - 1 - tail] == other[other_length - 1 - tail])
        tail++;
    if (longer < SLIP_WORD || head < SLIP_HEAD || longer - shorter > 1)
        return false;
    for (ptrdiff_t i = 0; i < shorter; i++)
        if (one[i] < 'a' || one[i] > 'z' || other[i] < 'a' || other[i] > 'z')
            return false;
    if (longer > shorter)
        return head + tail == shorter;
    return head + tail + 2 == shorter && one[head] == other[head + 1] && one[head + 1] == other[head];
}

enum { ARTICLES_OF = 3 }; /* words without which an article may be a name */

enum likeness { UNLIKE, LIKE_SIGNS, LIKE_ARTICLES, LIKE_SLIP };

/* The same words but for articles and one slip. */
static enum likeness words_alike(const struct review *review, const struct words *one,
                                 const struct words *other)
{
    ptrdiff_t i = 0, k = 0, left = 0;
    bool articles = one->count >= ARTICLES_OF && other->count >= ARTICLES_OF;
    enum likeness likeness = one->count == other->count ? UNLIKE : LIKE_ARTICLES;
    for (;; i++, k++, left++) {
        while (articles && i < one->count && review_has_word(review, LIST_ARTICLE, one, i))
            i++;
        while (articles && k < other->count && review_has_word(review, LIST_ARTICLE, other, k))
            k++;
        if (i >= one->count || k >= other->count)
            break;
        if (words_equal(one, i, other, k))
            continue;
        if (likeness == LIKE_SLIP ||
            !is_slip(words_at(one, i), one->items[i].length, words_at(other, k), other->items[k].length))
            return UNLIKE;
        likeness = LIKE_SLIP;
    }
    bool whole = i >= one->count && k >= other->count && left > 0;
    if (!whole || !has_equal_signs(one, other))
        return UNLIKE;
    return likeness == UNLIKE && one->text.length > CASE_COUNTS ? LIKE_SIGNS : likeness;
}

static enum likeness choices_alike(const struct review *review, const struct words *one,
                                   const struct words *other)
{
    return is_equal(one, other) ? LIKE_SIGNS : words_alike(review, one, other);
}

void alike_choices(struct review *review)
{
    static const char *const differences[] = {
        [UNLIKE] = NULL,
        [LIKE_SIGNS] = N_("case, blanks or punctuation"),
        [LIKE_ARTICLES] = N_("an article"),
        [LIKE_SLIP] = N_("one letter"),
    };
    for (int i = 1; i < review->spots->choice_count; i++)
        for (int k = 0; k < i; k++) {
            const struct place *first = &review->spots->choices[k], *place = &review->spots->choices[i];
            enum likeness likeness = choices_alike(review, &review->choices[k], &review->choices[i]);
            if (likeness == UNLIKE)
                continue;
            review_tell(review, REVIEW_ALIKE_CHOICES, place, tr("write what sets them apart, or delete one"),
                        tr("this choice and the one at %d:%d differ only in %s"), first->line, first->column,
                        tr(differences[likeness]));
            break;
        }
}

enum { ABOVE_WORDS = 7 }; /* of a choice that says no more than "none of the above" */

/* "All of the above", "none of these". */
static bool is_above(const struct review *review, const struct words *words)
{
    bool starts = words->count > 1 && (review_has_word(review, LIST_ALL_OR_NONE, words, 0) ||
                                       (words->count == 2 && words_is(words, 0, "the")));
    if (!starts || words->count > ABOVE_WORDS)
        return false;
    ptrdiff_t last = words->count - 1; /* "the above answers" */
    while (last > 0 && review_has_word(review, LIST_CHOICE, words, last))
        last--;
    bool these = last == 2 && words_is(words, 1, "of") && words_is(words, 2, "these") &&
                 (words_is(words, 0, "all") || words_is(words, 0, "none"));
    bool those = last == 1 && words_is(words, 1, "davon");
    return these || those || (last > 0 && review_has_word(review, LIST_ABOVE, words, last));
}

/* The letters of choices that this text consists of, as bits; 0 when it says anything else: "both A and B".
 */
static uint32_t lettered(struct review *review, const char *text, const struct words *words)
{
    uint32_t letters = 0;
    int count = 0;
    bool named = false;
    for (ptrdiff_t i = 0, at = 0; i < words->count; i++) {
        ptrdiff_t length;
        while ((length = words_length(text, at)) == 0 && text[at])
            at++;
        bool capital = length == 1 && text[at] >= 'A' && text[at] <= 'Z';
        if (capital && !(letters >> (text[at] - 'A') & 1)) {
            letters |= 1u << (text[at] - 'A');
            count++;
        } else if (review_has_word(review, LIST_CHOICE, words, i)) {
            named = true;
        } else if (!review_has_word(review, LIST_LETTERED, words, i)) {
            return 0;
        }
        at += length;
    }
    return count > 1 || (count == 1 && named) ? letters : 0;
}

/* Whether the text itself speaks of something with one of these names. */
static bool names_letter(const char *text, uint32_t letters)
{
    for (ptrdiff_t at = 0; text && text[at];) {
        ptrdiff_t length = words_length(text, at);
        if (length == 1 && text[at] >= 'A' && text[at] <= 'Z' && (letters >> (text[at] - 'A') & 1))
            return true;
        at += length > 0 ? length : 1;
    }
    return false;
}

/* "Both A and B" where A is not what stands first when shuffled. */
static bool refers_to_moving(struct review *review, int which)
{
    const struct question *question = review->question;
    const struct choice *choices = question->key.choices.items;
    int count = question->key.choices.count;
    uint32_t letters = lettered(review, choices[which].text, &review->choices[which]);
    if (!letters || letters >> count || names_letter(question->prompt, letters) ||
        names_letter(question->figure, letters))
        return false;
    bool moves = false;
    for (int i = 0; i < count; i++) {
        if (!(letters >> i & 1))
            continue;
        if (i == which || lettered(review, choices[i].text, &review->choices[i]) ||
            names_letter(choices[i].text, letters)) /* then letters are what the choices are about */
            return false;
        moves = moves || choices[i].pin == PIN_NONE;
    }
    return moves;
}

/* A choice that is a plain text has no line to put "pin" below. */
static const char *pin_hint(struct review *review, const struct choice *choice)
{
    enum { SHORT = 40 };
    bool mapping = choice->correct || choice->feedback || choice->misconception || choice->id;
    if (mapping)
        return tr("add \"pin: last\" below it, or name what is meant");
    bool whole = strlen(choice->text) <= SHORT && !strpbrk(choice->text, "\n:#");
    return report_hint(&review->report,
                       tr("write \"wrong: %s\", and \"pin: last\" below it; or name what is meant"),
                       whole ? choice->text : "…");
}

void unpinned_choice(struct review *review)
{
    const struct question *question = review->question;
    for (int i = 0; i < question->key.choices.count && question->shuffle; i++) {
        char quote[REPORT_QUOTE];
        const struct choice *choice = &question->key.choices.items[i];
        report_quote(quote, choice->text, (ptrdiff_t)strlen(choice->text));
        if (choice->pin == PIN_NONE && is_above(review, &review->choices[i]))
            review_tell(review, REVIEW_UNPINNED, &review->spots->choices[i], pin_hint(review, choice),
                        tr("%s is shuffled with the others, and may come first"), quote);
        else if (refers_to_moving(review, i))
            review_tell(review, REVIEW_UNPINNED, &review->spots->choices[i],
                        tr("write out what is meant, or add \"shuffle: false\" to the question"),
                        tr("%s names choices by letters that shuffling gives to others"), quote);
    }
}

/* A word like "always" in one choice only, of three or more, while the prompt has none. */
void absolute_word(struct review *review)
{
    const struct question *question = review->question;
    int where = -1;
    ptrdiff_t word = 0;
    for (ptrdiff_t i = 0; i < review->prompt.count; i++)
        if (review_has_word(review, LIST_ABSOLUTE, &review->prompt, i) ||
            review_has_word(review, LIST_QUANTITY, &review->prompt, i))
            return;
    for (int i = 0; i < question->key.choices.count; i++) {
        const struct words *words = &review->choices[i];
        if (is_above(review, words))
            continue;
        for (ptrdiff_t k = 0; k < words->count; k++) {
            if (!review_has_word(review, LIST_ABSOLUTE, words, k) &&
                (k > 0 || !review_has_word(review, LIST_QUANTITY, words, k)))
                continue;
            if (where >= 0 && where != i)
                return;
            word = where < 0 ? k : word;
            where = i;
        }
    }
    if (where < 0 || question->key.choices.count < LONGER_OF)
        return;
    const struct words *words = &review->choices[where];
    const char *text = words_at(words, word);
    int length = words->items[word].length;
    struct place place = review_word_spot(review, &review->spots->choices[where], text, length);
    bool right = question->key.choices.items[where].correct;
    review_tell(review, REVIEW_ABSOLUTE_WORD, &place,
                tr("say it without the word, or let other choices be as strict"),
                right ? tr("of %d choices only this one, a right one, says \"%.*s\"")
                      : tr("of %d choices only this one, a wrong one, says \"%.*s\""),
                question->key.choices.count, length, text);
}
