/* Rules about the prompt of one question, and its source. */
#include "review_private.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <string.h>

/* Where the last sentence begins: what is asked stands there. */
static const char *last_sentence(const char *prompt)
{
    ptrdiff_t length = (ptrdiff_t)strlen(prompt);
    while (length > 0 && strchr(".?! \n\"')*", prompt[length - 1]))
        length--;
    for (ptrdiff_t i = length; i > 1; i--) {
        bool ends = strchr(".?!:", prompt[i - 2]) && (prompt[i - 1] == ' ' || prompt[i - 1] == '\n');
        if (ends || (prompt[i - 1] == '\n' && prompt[i - 2] == '\n'))
            return prompt + i;
    }
    return prompt;
}

/* A comma between a word and the one before it begins another clause. */
static bool follows_comma(const struct words *words, ptrdiff_t place)
{
    if (place == 0)
        return false;
    const struct word *before = &words->items[place - 1], *word = &words->items[place];
    int from = before->start + before->length;
    return memchr(buffer_get(&words->text) + from, ',', (size_t)(word->start - from)) != NULL;
}

/* The word that asks: at the start of the sentence or of a clause, not as in "a device which …". */
static ptrdiff_t asking_word(const struct review *review, const struct words *words)
{
    for (ptrdiff_t i = 0; i < words->count; i++) {
        bool begins =
            i == 0 || follows_comma(words, i) || (i == 1 && review_has_word(review, LIST_BEFORE, words, 0));
        if (begins && review_has_word(review, LIST_ASKING, words, i))
            return i;
    }
    return -1;
}

/* The word that turns the question round; -1 if there is none. */
static ptrdiff_t negative_word(const struct review *review, const struct words *words)
{
    ptrdiff_t last = words->count - 1;
    for (ptrdiff_t i = last; i >= 0 && i >= last - 1; i--)
        if (words_is(words, i, "except") || words_is(words, i, "ausser"))
            return i;
    ptrdiff_t asking = asking_word(review, words);
    if (asking < 0)
        return -1;
    for (ptrdiff_t i = asking + 1; i < words->count; i++) {
        if (follows_comma(words, i) || review_has_word(review, LIST_SUBORDINATE, words, i))
            return -1;
        bool aside = i < last && words_is(words, i + 1, "to"); /* "one reason not to wait" */
        if (review_has_word(review, LIST_NEGATIVE, words, i))
            return aside ? -1 : i;
    }
    return -1;
}

/* Capitals, or between signs of emphasis: the word as the author wrote it. */
static bool is_emphasised(const char *text, ptrdiff_t at, ptrdiff_t length)
{
    bool starred = at > 0 && strchr("*_", text[at - 1]) && text[at + length] == text[at - 1];
    bool small = false, capital = false;
    for (ptrdiff_t i = 0; i < length; i++) {
        small = small || (text[at + i] >= 'a' && text[at + i] <= 'z');
        capital = capital || (text[at + i] >= 'A' && text[at + i] <= 'Z');
    }
    return starred || (capital && !small);
}

void negative_stem(struct review *review)
{
    bool any = false;
    for (ptrdiff_t i = 0; i < review->prompt.count && !any; i++)
        any = review_has_word(review, LIST_NEGATIVE, &review->prompt, i);
    if (!any)
        return;
    const char *sentence = last_sentence(review->question->prompt);
    if (!words_take(&review->scratch, sentence)) {
        review->failed = true;
        return;
    }
    ptrdiff_t word = negative_word(review, &review->scratch), at = 0, length = 0;
    for (ptrdiff_t i = 0; i <= word; i++) { /* the same word as it was written */
        at += length;
        while ((length = words_length(sentence, at)) == 0 && sentence[at])
            at++;
    }
    if (word < 0 || is_emphasised(sentence, at, length))
        return;
    struct place place = review_word_spot(review, &review->spots->prompt, sentence + at, length);
    review_tell(review, REVIEW_NEGATIVE_STEM, &place, tr("ask for what is so; or write the word in capitals"),
                tr("the question turns on \"%.*s\", which is easily read over"), (int)length, sentence + at);
}

/* Length without what may stand behind the last sign: quotes, brackets, signs of emphasis. */
static ptrdiff_t without_closing(const char *text, ptrdiff_t length)
{
    static const char *const closing[] = { "\"", "'", ")", "]", "*", "`", " ", "\n", "”", "’", "»", "“" };
    for (size_t i = 0; i < sizeof closing / sizeof *closing;) {
        ptrdiff_t bytes = (ptrdiff_t)strlen(closing[i]);
        if (length >= bytes && memcmp(text + length - bytes, closing[i], (size_t)bytes) == 0) {
            length -= bytes;
            i = 0;
        } else {
            i++;
        }
    }
    return length;
}

/* A question mark anywhere, or a colon at the end of a line. */
static bool asks(const char *prompt)
{
    static const char *const marks[] = { "?", "？", "؟", ":\n", "：\n" };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strstr(prompt, marks[i]))
            return true;
    return false;
}

/* All choices begin with a small letter: they go on where the prompt stopped. */
static bool is_completed(const struct question *question)
{
    if (!review_has_choices(question))
        return false;
    for (int i = 0; i < question->key.choices.count; i++) {
        char c = question->key.choices.items[i].text[0];
        if (!(c >= 'a' && c <= 'z'))
            return false;
    }
    return true;
}

/* Ends in a letter, a digit, a comma: neither asks nor tells nor breaks off to be completed. */
void prompt_end(struct review *review)
{
    const char *prompt = review->question->prompt;
    const struct words *words = &review->prompt;
    ptrdiff_t length = without_closing(prompt, (ptrdiff_t)strlen(prompt)), last = words->count - 1;
    if (length == 0 || last < 0 || asks(prompt))
        return;
    bool comma = prompt[length - 1] == ',' || prompt[length - 1] == ';';
    char c = prompt[length - 1];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!comma && !letter)
        return;
    if (is_completed(review->question) || review_has_word(review, LIST_COMPLETED, words, last) ||
        review_has_word(review, LIST_TELLING, words, 0))
        return;
    char quote[REPORT_QUOTE];
    const char *end = prompt + length, *from = end;
    while (from > prompt && from[-1] != ' ' && from[-1] != '\n')
        from--;
    review_tell(review, REVIEW_PROMPT_END, &review->spots->prompt,
                tr("ask a question, say what to do, or end with the colon of a sentence to complete"),
                tr("the prompt ends in %s: neither a question nor an instruction"),
                report_quote(quote, from, end - from));
}

enum { CONTENT_WORD = 4, ECHO_OF = 3 }; /* letters of a word that carries meaning; choices */

/* A word about the matter. */
static bool is_content(const struct review *review, const struct words *words, ptrdiff_t place)
{
    return words->items[place].length >= CONTENT_WORD && !words->items[place].digits &&
           !review_has_word(review, LIST_COMMON, words, place);
}

/* Two forms of a word: equal, or one has an s more. */
static bool is_form(const struct words *one, ptrdiff_t place, const struct words *other,
                    ptrdiff_t other_place)
{
    int length = one->items[place].length, other_length = other->items[other_place].length;
    const char *text = words_at(one, place), *other_text = words_at(other, other_place);
    if (length == other_length)
        return words_equal(one, place, other, other_place);
    int shorter = length < other_length ? length : other_length;
    const char *longer = length < other_length ? other_text : text;
    return length + other_length == 2 * shorter + 1 && longer[shorter] == 's' &&
           memcmp(text, other_text, (size_t)shorter) == 0;
}

/* The first word of the choice that the prompt has too; -1 if there is none. */
static ptrdiff_t echo_of(const struct review *review, const struct words *choice)
{
    for (ptrdiff_t i = 0; i < choice->count; i++)
        for (ptrdiff_t k = 0; is_content(review, choice, i) && k < review->prompt.count; k++)
            if (is_form(choice, i, &review->prompt, k))
                return i;
    return -1;
}

/* Of all choices the right one alone takes up a word of the prompt. */
void answer_in_prompt(struct review *review)
{
    if (review->question->type == QUESTION_TEXT) {
        typed_in_prompt(review);
        return;
    }
    int right = review_right_choice(review->question), count = review->question->key.choices.count;
    if (right < 0 || count < ECHO_OF)
        return;
    const struct words *words = &review->choices[right];
    ptrdiff_t word = echo_of(review, words);
    for (int i = 0; i < count && word >= 0; i++)
        if (i != right && echo_of(review, &review->choices[i]) >= 0)
            return;
    if (word < 0)
        return;
    const struct place *spot = &review->spots->choices[right];
    int length = words->items[word].length;
    struct place place = review_word_spot(review, spot, words_at(words, word), length);
    review_tell(review, REVIEW_ANSWER_IN_PROMPT, &place,
                tr("put it in other words here or in the prompt, or let wrong choices take it up too"),
                tr("the prompt says \"%.*s\" too, and of %d choices only the right one does"), length,
                words_at(words, word), count);
}

/* Where most questions name their source, one without was forgotten; a source in the head is for all. */
void missing_source(struct review *review)
{
    int all = review->pack->question_count;
    if (review->question->source || review->pack->source.count > 0 || 2 * review->sources < all)
        return;
    review_tell(review, REVIEW_MISSING_SOURCE, &review->spots->start,
                tr("add \"source: …\", or one for the whole pack in its head"),
                tr("%d of %d questions name their source, this one does not"), review->sources, all);
}
