/* Rules about what a terminal does with figures and with rare characters. */
#include "review_private.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <string.h>
#include <wchar.h>

enum { FIGURE_COLUMNS = 76, TAB_STOP = 8 };

/* Columns of one line, with its tabs. */
static int line_columns(const char *line, ptrdiff_t length)
{
    int columns = 0;
    for (ptrdiff_t at = 0; at < length;) {
        int32_t code;
        at += text_decode(line + at, length - at, &code);
        columns += code == '\t' ? TAB_STOP - columns % TAB_STOP : text_code_width(code);
    }
    return columns;
}

static void look_at_figure(struct review *review, const char *figure, const struct place *spot)
{
    const char *widest = NULL;
    ptrdiff_t widest_length = 0;
    int columns = FIGURE_COLUMNS, lines = 0;
    for (const char *line = figure; line && *line;) {
        ptrdiff_t length = (ptrdiff_t)strcspn(line, "\n");
        int wide = line_columns(line, length);
        lines += wide > FIGURE_COLUMNS;
        if (wide > columns) {
            columns = wide;
            widest = line;
            widest_length = length;
        }
        line += length + (line[length] != '\0');
    }
    if (!widest)
        return;
    struct place place = review_spot(review, spot, spot, widest, widest_length);
    const char *hint = tr("redraw it narrower; on a narrower screen learners must move it sideways");
    if (lines == 1)
        review_tell(review, REVIEW_WIDE_FIGURE, &place, hint,
                    tr("this line of the figure is %d columns wide, more than %d"), columns, FIGURE_COLUMNS);
    else
        review_tell(review, REVIEW_WIDE_FIGURE, &place, hint,
                    tr("%d lines of the figure are wider than %d columns, this one has %d"), lines,
                    FIGURE_COLUMNS, columns);
}

void wide_figure(struct review *review)
{
    look_at_figure(review, review->question->figure, &review->spots->figure);
    look_at_figure(review, review->question->explanation_figure, &review->spots->explanation_figure);
}

struct span {
    int32_t first, last;
};

static bool spans_hold(const struct span *spans, int count, int32_t code)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (code > spans[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && code >= spans[low].first;
}

/* Signs and lines that are one column wide, or two where the terminal is set up for East Asian text: those of
 * EastAsianWidth.txt (Unicode 15, UAX #11) that are Ambiguous, U+2190 to U+27BF. They matter where columns
 * must stand below each other. */
static const struct span ambiguous[] = {
    { 0x2190, 0x2199 }, { 0x21b8, 0x21b9 }, { 0x21d2, 0x21d2 }, { 0x21d4, 0x21d4 }, { 0x21e7, 0x21e7 },
    { 0x2200, 0x2200 }, { 0x2202, 0x2203 }, { 0x2207, 0x2208 }, { 0x220b, 0x220b }, { 0x220f, 0x220f },
    { 0x2211, 0x2211 }, { 0x2215, 0x2215 }, { 0x221a, 0x221a }, { 0x221d, 0x2220 }, { 0x2223, 0x2223 },
    { 0x2225, 0x2225 }, { 0x2227, 0x222c }, { 0x222e, 0x222e }, { 0x2234, 0x2237 }, { 0x223c, 0x223d },
    { 0x2248, 0x2248 }, { 0x224c, 0x224c }, { 0x2252, 0x2252 }, { 0x2260, 0x2261 }, { 0x2264, 0x2267 },
    { 0x226a, 0x226b }, { 0x226e, 0x226f }, { 0x2282, 0x2283 }, { 0x2286, 0x2287 }, { 0x2295, 0x2295 },
    { 0x2299, 0x2299 }, { 0x22a5, 0x22a5 }, { 0x22bf, 0x22bf }, { 0x2312, 0x2312 }, { 0x2460, 0x24e9 },
    { 0x24eb, 0x254b }, { 0x2550, 0x2573 }, { 0x2580, 0x258f }, { 0x2592, 0x2595 }, { 0x25a0, 0x25a1 },
    { 0x25a3, 0x25a9 }, { 0x25b2, 0x25b3 }, { 0x25b6, 0x25b7 }, { 0x25bc, 0x25bd }, { 0x25c0, 0x25c1 },
    { 0x25c6, 0x25c8 }, { 0x25cb, 0x25cb }, { 0x25ce, 0x25d1 }, { 0x25e2, 0x25e5 }, { 0x25ef, 0x25ef },
    { 0x2605, 0x2606 }, { 0x2609, 0x2609 }, { 0x260e, 0x260f }, { 0x261c, 0x261c }, { 0x261e, 0x261e },
    { 0x2640, 0x2640 }, { 0x2642, 0x2642 }, { 0x2660, 0x2661 }, { 0x2663, 0x2665 }, { 0x2667, 0x266a },
    { 0x266c, 0x266d }, { 0x266f, 0x266f }, { 0x269e, 0x269f }, { 0x26bf, 0x26bf }, { 0x26c6, 0x26cd },
    { 0x26cf, 0x26d3 }, { 0x26d5, 0x26e1 }, { 0x26e3, 0x26e3 }, { 0x26e8, 0x26e9 }, { 0x26eb, 0x26f1 },
    { 0x26f4, 0x26f4 }, { 0x26f6, 0x26f9 }, { 0x26fb, 0x26fc }, { 0x26fe, 0x26ff }, { 0x273d, 0x273d },
    { 0x2776, 0x277f },
};

/* Parts of pictures that some terminals draw as one and others side by side: variation selectors, the
 * enclosing keycap, flags by two letters, skin tones. And signs that fonts draw wider than their column. */
static const struct span joined[] = {
    { 0x20e3, 0x20e3 }, { 0x2e3a, 0x2e3b },   { 0xfdfd, 0xfdfd },
    { 0xfe0e, 0xfe0f }, { 0x1f1e6, 0x1f1ff }, { 0x1f3fb, 0x1f3ff },
};

enum doubt { DOUBT_NONE, DOUBT_UNKNOWN, DOUBT_JOINED, DOUBT_AMBIGUOUS };

static enum doubt doubt_of(int32_t code, int32_t before, bool figure)
{
    if (spans_hold(joined, sizeof joined / sizeof *joined, code))
        return DOUBT_JOINED;
    if (code == 0x200d && before >= 0x2190) /* joins letters in some scripts, pictures elsewhere */
        return before >= 0x1f000 || before <= 0x27bf || before == 0xfe0f ? DOUBT_JOINED : DOUBT_NONE;
    bool private = (code >= 0xe000 && code <= 0xf8ff) || code >= 0xf0000;
    if (private || wcwidth((wchar_t)code) < 0)
        return DOUBT_UNKNOWN;
    if (figure && spans_hold(ambiguous, sizeof ambiguous / sizeof *ambiguous, code))
        return DOUBT_AMBIGUOUS;
    return DOUBT_NONE;
}

/* What has been found in one question. */
struct doubts {
    enum doubt kind; /* of the first character */
    int32_t code;
    char bytes[8];
    ptrdiff_t length;
    int count; /* of all */
};

static void look_at_text(struct doubts *doubts, const char *text, bool figure)
{
    int32_t before = -1, code;
    for (; text && *text; before = code) {
        if (!(*text & 0x80)) {
            code = *text++;
            continue;
        }
        int bytes = text_decode(text, (ptrdiff_t)strnlen(text, 4), &code);
        enum doubt doubt = doubt_of(code, before, figure);
        if (doubt != DOUBT_NONE && doubts->count++ == 0) {
            doubts->kind = doubt;
            doubts->code = code;
            doubts->length = bytes;
            memcpy(doubts->bytes, text, (size_t)bytes);
        }
        text += bytes;
    }
}

static void look_at_list(struct doubts *doubts, const struct text_list *list)
{
    for (int i = 0; i < list->count; i++)
        look_at_text(doubts, list->items[i], false);
}

static void look_at_wrongs(struct doubts *doubts, const struct known_wrong *wrongs, int count)
{
    for (int i = 0; i < count; i++) {
        look_at_text(doubts, wrongs[i].value, false);
        look_at_text(doubts, wrongs[i].feedback, false);
    }
}

static void look_at_key(struct doubts *doubts, const struct question *question)
{
    const struct number_key *number = &question->key.number;
    const struct text_key *text = &question->key.text;
    switch (question->type) {
    case QUESTION_NUMBER:
        look_at_text(doubts, number->unit, false);
        look_at_wrongs(doubts, number->wrongs, number->wrong_count);
        break;
    case QUESTION_TEXT:
        look_at_list(doubts, &text->accept);
        look_at_wrongs(doubts, text->wrongs, text->wrong_count);
        break;
    case QUESTION_ORDER:
        look_at_list(doubts, &question->key.order);
        break;
    case QUESTION_MATCH:
        look_at_list(doubts, &question->key.match.lefts);
        look_at_list(doubts, &question->key.match.rights);
        break;
    case QUESTION_RECALL:
        look_at_text(doubts, question->key.recall, false);
        break;
    default:
        for (int i = 0; review_has_choices(question) && i < question->key.choices.count; i++) {
            look_at_text(doubts, question->key.choices.items[i].text, false);
            look_at_text(doubts, question->key.choices.items[i].feedback, false);
        }
    }
}

static void look_at_texts(struct doubts *doubts, const struct question *question)
{
    const char *const texts[] = { question->prompt, question->explanation, question->source,
                                  question->feedback };
    look_at_text(doubts, question->figure, true);
    look_at_text(doubts, question->explanation_figure, true);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        look_at_text(doubts, texts[i], false);
    look_at_list(doubts, &question->hints);
    look_at_key(doubts, question);
}

struct place review_question_spot(struct review *review, const char *text, ptrdiff_t length)
{
    struct place until = review->spots->start;
    if (review->number + 1 < review->outline.count) {
        const struct place *next = &review->outline.questions[review->number + 1].start;
        until = place_at(next->line, next->column, 0);
    } else {
        source_place(review->source, review->source->checked, &until.end_line, &until.end_column);
    }
    return review_spot(review, &review->spots->start, &until, text, length);
}

/* One warning a question, for the first such character. */
void doubtful_width(struct review *review)
{
    static const char *const hints[] = {
        [DOUBT_NONE] = NULL,
        [DOUBT_UNKNOWN] = N_("write another character: it is shown as an empty box or a question mark"),
        [DOUBT_JOINED] = N_("leave it out: terminals disagree on how wide such pictures are"),
        [DOUBT_AMBIGUOUS] = N_("draw with - | + < > and the like: one column everywhere"),
    };
    struct doubts doubts = { .count = 0 };
    char name[80];
    look_at_texts(&doubts, review->question);
    if (doubts.count == 0)
        return;
    struct place place = review_question_spot(review, doubts.bytes, doubts.length);
    place = place_at(place.line, place.column, 1);
    text_name_code(name, sizeof name, doubts.code);
    review_tell(review, REVIEW_DOUBTFUL_WIDTH, &place, tr(hints[doubts.kind]),
                ntr("%d character of doubtful width on a terminal: %s",
                    "%d characters of doubtful width on a terminal, the first one %s", doubts.count),
                doubts.count, name);
}
