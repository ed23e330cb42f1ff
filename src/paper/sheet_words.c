#include "sheet_words.h"

#include <quiztutor/markup.h>
#include <quiztutor/text.h>

#include <string.h>

enum { TAB_STOP = 8 };

static void render(struct buffer *out, const char *text, bool markup)
{
    if (markup)
        markup_render(out, text, true);
    else
        buffer_text(out, text);
}

/* Rendered lines one after the other, empty ones left out, `between` them; lines of code blocks as code. */
static void put_lines(struct buffer *out, const char *text, bool markup, bool styled, char between)
{
    struct buffer rendered;
    int count = 0;
    buffer_init(&rendered);
    render(&rendered, text, markup);
    out->failed = out->failed || rendered.failed;
    for (const char *at = buffer_get(&rendered); *at;) {
        ptrdiff_t length = (ptrdiff_t)strcspn(at, "\n");
        bool block = markup && *at == MARKUP_BLOCK;
        if (length > block && count++)
            buffer_char(out, between);
        if (block && styled && length > 1)
            buffer_char(out, MARKUP_CODE);
        for (ptrdiff_t i = block; i < length; i++)
            if (styled || !markup || at[i] < MARKUP_EMPHASIS || at[i] > MARKUP_BLOCK)
                buffer_char(out, at[i]);
        if (block && styled && length > 1)
            buffer_char(out, MARKUP_END);
        at += length + (at[length] == '\n');
    }
    buffer_finish(&rendered);
}

void sheet_words_line(struct buffer *out, const char *text, bool markup, bool styled)
{
    put_lines(out, text, markup, styled, ' ');
}

void sheet_words_short(struct buffer *out, const char *text, bool markup)
{
    put_lines(out, text, markup, true, '\n');
}

void sheet_words_init(struct sheet_words *words, const char *text, bool markup)
{
    *words = (struct sheet_words){ 0 };
    buffer_init(&words->text);
    buffer_init(&words->part);
    render(&words->text, text, markup);
    words->at = buffer_get(&words->text);
}

bool sheet_words_next(struct sheet_words *words)
{
    buffer_clear(&words->part);
    words->at += strspn(words->at, "\n");
    if (!*words->at || words->text.failed)
        return false;
    words->figure = *words->at == MARKUP_BLOCK;
    for (bool first = true; *words->at; first = false) {
        ptrdiff_t length = (ptrdiff_t)strcspn(words->at, "\n");
        if (!length || (*words->at == MARKUP_BLOCK) != words->figure)
            break;
        if (!first)
            buffer_char(&words->part, '\n');
        buffer_add(&words->part, words->at + words->figure, length - words->figure);
        words->at += length + (words->at[length] == '\n');
    }
    words->text.failed = words->text.failed || words->part.failed;
    return !words->text.failed;
}

bool sheet_words_finish(struct sheet_words *words)
{
    bool done = !words->text.failed;
    buffer_finish(&words->text);
    buffer_finish(&words->part);
    return done;
}

void sheet_words_figure(struct buffer *out, const char *text)
{
    ptrdiff_t length = (ptrdiff_t)strlen(text);
    int column = 0;
    for (ptrdiff_t at = 0; at < length;) {
        int columns;
        ptrdiff_t cell = text_cell(text + at, length - at, &columns);
        if (text[at] == '\t') {
            buffer_print(out, "%*s", TAB_STOP - column % TAB_STOP, "");
            column += TAB_STOP - column % TAB_STOP;
        } else {
            buffer_add(out, text + at, cell);
            column = text[at] == '\n' ? 0 : column + columns;
        }
        at += cell;
    }
}
