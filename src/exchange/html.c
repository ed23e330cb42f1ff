/* HTML fragments made texts: what each element does. Words are written in html_put.c. */
#include "html.h"

#include "html_engine.h"

#include <quiztutor/message.h>

#include <string.h>

static const struct {
    enum html_note note;
    const char *what;
} note_rows[] = {
    { NOTE_SOUND, N_("sound was left out") },
    { NOTE_FILM, N_("a film was left out") },
    { NOTE_FRAME, N_("an embedded page was left out") },
    { NOTE_FIELD, N_("a form's field was left out") },
    { NOTE_STRUCK, N_("struck-out words are shown like others") },
    { NOTE_MATH, N_("a formula was made a line of text") },
    { NOTE_UNKNOWN, N_("an unknown HTML element was passed over") },
    { NOTE_DEEP, N_("HTML nested too deep was made plain") },
    { NOTE_INDENT, N_("the indentation of code was lost") },
};

static struct html_frame *top(struct html *html)
{
    return html->depth ? &html->frames[html->depth - 1] : NULL;
}

/* ---- elements ---- */

static bool is_math(enum html_role role)
{
    return role >= ROLE_FRACTION && role <= ROLE_MATH_CELL;
}

/* What ends with the element. */
static void leave(struct html *html, struct html_frame *frame)
{
    switch (frame->element->role) {
    case ROLE_PARAGRAPH:
    case ROLE_LIST:
    case ROLE_NUMBERED:
    case ROLE_TABLE:
        html_break(html, BREAK_PARAGRAPH);
        break;
    case ROLE_LINE:
    case ROLE_ITEM:
    case ROLE_ROW:
        html_break(html, BREAK_LINE);
        break;
    case ROLE_CELL:
        html->cell--;
        break;
    case ROLE_INLINE:
        html->tabs -= frame->resolved;
        break;
    case ROLE_EMPHASIS:
        if (--html->emphasis == 0 && html->marked)
            html_close_marks(html);
        break;
    case ROLE_CODE:
        if (--html->code == 0 && html->coded)
            html_close_marks(html);
        break;
    case ROLE_PRE:
        if (--html->pre == 0)
            html_block_end(html);
        break;
    case ROLE_SUPER:
    case ROLE_SUB:
        html->script--;
        html_script_end(html, frame);
        break;
    case ROLE_QUOTE:
        html_put_raw(html, "”");
        break;
    case ROLE_READING:
        html_put_raw(html, ")");
        break;
    case ROLE_PICTURE:
    case ROLE_SOUND:
    case ROLE_FILM:
    case ROLE_FRAME:
    case ROLE_FIELD:
    case ROLE_DROP:
        html->drop--;
        break;
    case ROLE_MATH:
        html->math--;
        if (!frame->resolved)
            html->notes |= NOTE_MATH;
        break;
    case ROLE_MATH_TEXT:
        html->annotation--;
        break;
    case ROLE_ANNOTATION:
        html->annotation--;
        html_annotation_end(html, frame);
        break;
    default:
        if (is_math(frame->element->role) && html->math)
            html_math_end(html, frame);
    }
}

static void pop_to(struct html *html, int depth)
{
    while (html->depth > depth)
        leave(html, &html->frames[--html->depth]);
}

/* Ends what an element that begins here can't stand in. */
static void close_before(struct html *html, const struct html_element *element)
{
    enum html_role role = element->role;
    if (role == ROLE_ITEM || role == ROLE_ROW || role == ROLE_CELL) {
        for (int i = html->depth - 1; i >= 0; i--) {
            enum html_role outer = html->frames[i].element->role;
            bool list = outer == ROLE_LIST || outer == ROLE_NUMBERED;
            if (role == ROLE_ITEM ? list || outer == ROLE_CELL
                                  : outer == ROLE_TABLE || (role == ROLE_CELL && outer == ROLE_ROW)) {
                pop_to(html, i + 1);
                return;
            }
        }
    }
    struct html_frame *outer = top(html);
    bool block = role == ROLE_PARAGRAPH || role == ROLE_LINE || role == ROLE_LIST || role == ROLE_NUMBERED ||
                 role == ROLE_TABLE || role == ROLE_PRE;
    if (outer && block &&
        (strcmp(outer->element->name, "p") == 0 ||
         (outer->element == element && role == ROLE_LINE && strcmp(element->name, "div") != 0)))
        pop_to(html, html->depth - 1);
}

/* A cell begins: parted from the one before. */
static void begin_cell(struct html *html)
{
    for (int i = html->depth - 2; i >= 0; i--) {
        struct html_frame *row = &html->frames[i];
        if (row->element->role != ROLE_ROW)
            continue;
        if (row->children++ == 0)
            break;
        html_close_marks(html);
        html->spaces = html->hard = 0;
        html_flush(html);
        html_put_raw(html, " | ");
        break;
    }
    html->spaces = html->hard = 0;
    html->cell++;
}

/* An element that leaves no text. */
static void see_media(struct html *html, const struct html_token *token, enum html_role role)
{
    if (html->drop)
        return;
    if (role == ROLE_PICTURE)
        html_picture(html, token);
    else if (role != ROLE_DROP)
        html->notes |= role == ROLE_SOUND   ? NOTE_SOUND
                       : role == ROLE_FILM  ? NOTE_FILM
                       : role == ROLE_FRAME ? NOTE_FRAME
                                            : NOTE_FIELD;
}

/* <span style="white-space:pre">, as editors wrap a tab. */
static bool keeps_tabs(struct html *html, const struct html_token *token)
{
    struct buffer style;
    buffer_init(&style);
    bool kept = token->length > 0 && html_attribute(token, "style", &style) &&
                strstr(buffer_get(&style), "white-space:pre") != NULL;
    html->import->failed = html->import->failed || style.failed;
    buffer_finish(&style);
    return kept;
}

static void begin_pre(struct html *html)
{
    html_close_marks(html);
    if (html->pre++ == 0) {
        buffer_clear(&html->block);
        html->block_code = false;
    }
}

/* What begins with the element, which is on the stack. */
static void enter(struct html *html, struct html_frame *frame, const struct html_token *token)
{
    enum html_role role = frame->element->role;
    switch (role) {
    case ROLE_PARAGRAPH:
    case ROLE_LIST:
    case ROLE_TABLE:
        html_break(html, BREAK_PARAGRAPH);
        break;
    case ROLE_NUMBERED:
        html_break(html, BREAK_PARAGRAPH);
        html_numbers(html, frame, token);
        break;
    case ROLE_LINE:
    case ROLE_ROW:
        html_break(html, BREAK_LINE);
        break;
    case ROLE_ITEM:
        html_break(html, BREAK_LINE);
        html_bullet(html);
        break;
    case ROLE_CELL:
        begin_cell(html);
        break;
    case ROLE_INLINE:
        frame->resolved = keeps_tabs(html, token);
        html->tabs += frame->resolved;
        break;
    case ROLE_EMPHASIS:
        html->emphasis++;
        break;
    case ROLE_CODE:
        html->code++;
        html->block_code = html->block_code || (html->pre && !html->block.length);
        break;
    case ROLE_PRE:
        begin_pre(html);
        break;
    case ROLE_SUPER:
    case ROLE_SUB:
        html_flush(html);
        html_close_marks(html);
        html->script++;
        break;
    case ROLE_QUOTE:
        html_put_text(html, "“");
        break;
    case ROLE_READING:
        html_put_text(html, "(");
        break;
    case ROLE_STRUCK:
        html->notes |= NOTE_STRUCK;
        break;
    case ROLE_MATH:
        html_flush(html);
        html_close_marks(html);
        html->math++;
        break;
    case ROLE_MATH_TEXT:
        html->annotation++;
        break;
    case ROLE_ANNOTATION:
        html_annotation(html, frame, token);
        break;
    default:
        if (role >= ROLE_PICTURE && role <= ROLE_DROP)
            html->drop++;
    }
    frame->mark = html->out.length;
}

static void open_element(struct html *html, const struct html_token *token)
{
    const struct html_element *element = html_element(token->name);
    if (!element) {
        html->notes |= html->drop || html->math || strchr(token->name, '-') ? 0u : NOTE_UNKNOWN;
        return;
    }
    if (!html->drop)
        close_before(html, element);
    struct html_frame *parent = top(html);
    if (parent && html->math && is_math(parent->element->role) && !html->drop)
        html_math_child(html, parent);
    if (element->role >= ROLE_PICTURE && element->role <= ROLE_DROP)
        see_media(html, token, element->role);
    if (html->drop && element->empty)
        return;
    if (element->role == ROLE_BREAK) {
        if (html->pre)
            buffer_char(&html->block, '\n');
        else /* a second one leaves a line blank, which is how editors part paragraphs */
            html_break(html, html->pending == BREAK_LINE ? BREAK_PARAGRAPH : BREAK_LINE);
        return;
    }
    if (element->empty || token->closed) {
        if (element->role == ROLE_PARAGRAPH)
            html_break(html, BREAK_PARAGRAPH);
        return;
    }
    if (html->depth == HTML_NESTING) {
        html->notes |= NOTE_DEEP;
        return;
    }
    struct html_frame *frame = &html->frames[html->depth++];
    *frame = (struct html_frame){ .element = element };
    enter(html, frame, token);
}

static void close_element(struct html *html, const struct html_token *token)
{
    const struct html_element *element = html_element(token->name);
    if (!element || element->empty)
        return;
    for (int i = html->depth - 1; i >= 0; i--) {
        if (html->frames[i].element == element) {
            pop_to(html, i);
            return;
        }
        if (html->frames[i].element->role == ROLE_CELL && element->role != ROLE_TABLE &&
            element->role != ROLE_ROW)
            return;
    }
    if (element->role == ROLE_BREAK)
        html_break(html, BREAK_LINE);
}

/* ---- the whole ---- */

static void begin(struct html *html, struct import *import, enum html_form form)
{
    memset(html, 0, offsetof(struct html, frames));
    memset((char *)html + offsetof(struct html, depth), 0, sizeof *html - offsetof(struct html, depth));
    html->import = import;
    html->form = form;
    html->markup = import->markup && (form == HTML_TEXT || form == HTML_LINE);
    html->one_line = form == HTML_LINE || form == HTML_BARE;
    html->closed_at = html->figure_mark = -1;
    buffer_init(&html->out);
    buffer_init(&html->scratch);
    buffer_init(&html->block);
    buffer_init(&html->code_text);
    buffer_init(&html->figure);
}

static void finish(struct html *html)
{
    html->import->failed = html->import->failed || html->out.failed || html->scratch.failed ||
                           html->block.failed || html->code_text.failed || html->figure.failed;
    buffer_finish(&html->out);
    buffer_finish(&html->scratch);
    buffer_finish(&html->block);
    buffer_finish(&html->code_text);
    buffer_finish(&html->figure);
}

static void read(struct html *html, const char *text, ptrdiff_t length)
{
    struct html_reader reader = { .at = text, .end = text + length };
    struct html_token token;
    for (html_next(&reader, &token); token.kind != HTML_END; html_next(&reader, &token)) {
        if (token.kind == HTML_RUN)
            html_run(html, token.start, token.length);
        else if (token.kind == HTML_OPEN)
            open_element(html, &token);
        else
            close_element(html, &token);
    }
    pop_to(html, 0);
    html_close_marks(html);
}

/* The last block as the figure, where it stood at the end, and is drawn rather than code. */
static void take_figure(struct html *html, const char **figure)
{
    *figure = NULL;
    if (html->figure_mark <= 0 || (html->markup && html->figure_code && !html->figure_indented))
        return;
    *figure = import_text_figure(html->import, buffer_get(&html->figure), html->figure.length);
    if (!*figure)
        return;
    html->out.length = html->figure_mark;
    html->out.data[html->figure_mark] = '\0';
    html->figure_indented = false;
}

const char *html_text_figure(struct import *import, const char *text, ptrdiff_t length, enum html_form form,
                             const char **figure)
{
    struct html html;
    const char *kept = NULL;
    if (figure)
        *figure = NULL;
    if (length > HTML_FRAGMENT) {
        import_change(import, tr("a text larger than %d MiB was left out"), HTML_FRAGMENT / (1024 * 1024));
        return NULL;
    }
    begin(&html, import, form);
    read(&html, text, length);
    if (figure)
        take_figure(&html, figure);
    if (html.figure_indented)
        html.notes |= NOTE_INDENT;
    for (size_t i = 0; i < sizeof note_rows / sizeof *note_rows; i++)
        if (html.notes & note_rows[i].note)
            import_change(import, "%s", tr(note_rows[i].what));
    if (!html.out.failed)
        kept = html.one_line ? import_text_line(import, buffer_get(&html.out), html.out.length)
                             : import_text(import, buffer_get(&html.out), html.out.length);
    finish(&html);
    return kept;
}

const char *html_text(struct import *import, const char *text, ptrdiff_t length, enum html_form form)
{
    return html_text_figure(import, text, length, form, NULL);
}

bool html_marks(const char *bytes, ptrdiff_t length)
{
    for (ptrdiff_t at = 0; at < length; at++) {
        if (bytes[at] != '<' && bytes[at] != '&')
            continue;
        bool escaped = bytes[at] == '&';
        if (escaped && (length - at <= 4 || memcmp(bytes + at, "&lt;", 4) != 0))
            continue;
        char name[HTML_NAME];
        ptrdiff_t from = at + (escaped ? 4 : 1), size = 0;
        while (from + size < length && size < HTML_NAME - 1) {
            char c = (char)(bytes[from + size] | 0x20);
            if (c < 'a' || c > 'z')
                break;
            name[size++] = c;
        }
        name[size] = '\0';
        const struct html_element *element = size ? html_element(name) : NULL;
        if (element &&
            (element->role == ROLE_EMPHASIS || element->role == ROLE_CODE || element->role == ROLE_PRE))
            return true;
    }
    return false;
}
