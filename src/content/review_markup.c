/* The rule about light markup that comes out other than it was meant. */
#include "review_private.h"

#include <quiztutor/markup.h>
#include <quiztutor/message.h>

#include <string.h>

/* What has been found in one question: the first slip of all. */
struct slips {
    struct buffer rendered;
    char bytes[3]; /* where it is in the file */
    int length;    /* 0: nothing was found */
};

static bool ends_value(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ')';
}

/* "2*3*4" is shown as 234. */
static void look_for_stars(struct slips *slips)
{
    const char *text = buffer_get(&slips->rendered), *found = text;
    while ((found = strchr(found, MARKUP_EMPHASIS)) && !(found > text && ends_value(found[-1])))
        found++;
    if (!found)
        return;
    slips->bytes[0] = found[-1];
    slips->bytes[1] = '*';
    slips->length = 2;
}

/* A fence that is shown as it stands has no partner. */
static void look_for_fence(struct slips *slips, const char *text)
{
    const char *line = buffer_get(&slips->rendered);
    while (strncmp(line, "```", 3) != 0 || !strstr(text, "```")) {
        const char *end = strchr(line, '\n');
        if (!end)
            return;
        line = end + 1;
    }
    memcpy(slips->bytes, "```", 3);
    slips->length = 3;
}

static void look_at_text(struct slips *slips, const char *text)
{
    if (!text || slips->length || !strpbrk(text, "*`"))
        return;
    buffer_clear(&slips->rendered);
    markup_render(&slips->rendered, text, true);
    look_for_stars(slips);
    if (!slips->length)
        look_for_fence(slips, text);
}

static void look_at_wrongs(struct slips *slips, const struct known_wrong *wrongs, int count)
{
    for (int i = 0; i < count; i++)
        look_at_text(slips, wrongs[i].feedback);
}

static void look_at_key(struct slips *slips, const struct question *question)
{
    const struct choice *choices = question->key.choices.items;
    if (question->type == QUESTION_NUMBER)
        look_at_wrongs(slips, question->key.number.wrongs, question->key.number.wrong_count);
    if (question->type == QUESTION_TEXT)
        look_at_wrongs(slips, question->key.text.wrongs, question->key.text.wrong_count);
    for (int i = 0; review_has_choices(question) && i < question->key.choices.count; i++) {
        look_at_text(slips, choices[i].text);
        look_at_text(slips, choices[i].feedback);
    }
}

/* One warning a question. */
void markup_slip(struct review *review)
{
    const struct question *question = review->question;
    struct slips slips = { .length = 0 };
    if (!question->markup)
        return;
    buffer_init(&slips.rendered);
    look_at_text(&slips, question->prompt);
    look_at_key(&slips, question);
    look_at_text(&slips, question->feedback);
    for (int i = 0; i < question->hints.count; i++)
        look_at_text(&slips, question->hints.items[i]);
    look_at_text(&slips, question->explanation);
    review->failed |= slips.rendered.failed;
    buffer_finish(&slips.rendered);
    if (!slips.length)
        return;
    struct place place = review_question_spot(review, slips.bytes, slips.length);
    if (slips.length == 3)
        review_tell(review, REVIEW_MARKUP_SLIP, &place,
                    tr("write ``` on a line of its own below the code too"),
                    tr("this block of code is not closed, or empty: it is shown as it stands"));
    else
        review_tell(review, REVIEW_MARKUP_SLIP, &place,
                    tr("write \\* for a star, or put it all in backticks"),
                    tr("this star and one that follows are taken for emphasis, and are not shown"));
}
