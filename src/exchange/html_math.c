/* Formulas as one line of text, and sub- and superscripts in Unicode where it has them. */
#include "html_engine.h"

#include <quiztutor/text.h>

#include <string.h>

struct script {
    int32_t from;
    const char *super, *sub; /* NULL: Unicode has none, or few fonts do */
};

static const struct script scripts[] = {
    { '0', "⁰", "₀" }, { '1', "¹", "₁" },  { '2', "²", "₂" },  { '3', "³", "₃" },    { '4', "⁴", "₄" },
    { '5', "⁵", "₅" }, { '6', "⁶", "₆" },  { '7', "⁷", "₇" },  { '8', "⁸", "₈" },    { '9', "⁹", "₉" },
    { '+', "⁺", "₊" }, { '-', "⁻", "₋" },  { '=', "⁼", "₌" },  { 0x2212, "⁻", "₋" }, { '(', "⁽", "₍" },
    { ')', "⁾", "₎" }, { 'n', "ⁿ", NULL }, { 'i', "ⁱ", NULL },
};

static const char *script_of(int32_t code, bool super)
{
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        if (scripts[i].from == code)
            return super ? scripts[i].super : scripts[i].sub;
    return NULL;
}

/* Letters and digits only: needs no brackets. */
static bool is_word(const char *text, ptrdiff_t length)
{
    for (ptrdiff_t i = 0; i < length; i++) {
        char c = text[i];
        if (!((unsigned char)c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
              (c >= 'A' && c <= 'Z') || c == '.'))
            return false;
    }
    return true;
}

/* 1st, 2nd, 3rd, 4th, 1er, 1o: no power. */
static bool is_ordinal(const struct buffer *out, const char *text, ptrdiff_t length)
{
    static const char *const endings[] = { "st", "nd", "rd", "th", "er", "re", "e", "o", "a" };
    if (!out->length || out->data[out->length - 1] < '0' || out->data[out->length - 1] > '9')
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if ((ptrdiff_t)strlen(endings[i]) == length && memcmp(endings[i], text, (size_t)length) == 0)
            return true;
    return false;
}

static void put_script(struct buffer *out, const char *text, ptrdiff_t length, bool super)
{
    bool all = length > 0;
    int32_t code;
    for (ptrdiff_t at = 0; at < length && all;) {
        at += text_decode(text + at, length - at, &code);
        all = script_of(code, super) != NULL;
    }
    if (all) {
        for (ptrdiff_t at = 0; at < length;) {
            at += text_decode(text + at, length - at, &code);
            buffer_text(out, script_of(code, super));
        }
    } else if (super && is_ordinal(out, text, length)) {
        buffer_add(out, text, length);
    } else if (length) {
        bool word = is_word(text, length);
        buffer_text(out, super ? "^" : "_");
        buffer_text(out, word ? "" : "(");
        buffer_add(out, text, length);
        buffer_text(out, word ? "" : ")");
    }
}

void html_superscript(struct buffer *out, const char *text, ptrdiff_t length)
{
    put_script(out, text, length, true);
}

void html_subscript(struct buffer *out, const char *text, ptrdiff_t length)
{
    put_script(out, text, length, false);
}

/* Cuts what was written from `mark` on, as a copy in scratch. */
static bool cut(struct html *html, ptrdiff_t mark)
{
    struct buffer *out = &html->out;
    buffer_clear(&html->scratch);
    html->closed_at = -1;
    if (mark > out->length || out->failed)
        return false;
    buffer_add(&html->scratch, out->data ? out->data + mark : "", out->length - mark);
    if (out->data)
        out->data[mark] = '\0';
    out->length = mark;
    return !html->scratch.failed;
}

void html_script_end(struct html *html, const struct html_frame *frame)
{
    if (cut(html, frame->mark))
        put_script(&html->out, buffer_get(&html->scratch), html->scratch.length,
                   frame->element->role == ROLE_SUPER);
}

void html_math_child(struct html *html, struct html_frame *parent)
{
    enum html_role role = parent->element->role;
    if (parent->children < HTML_PARTS)
        parent->parts[parent->children] = html->out.length;
    parent->children++;
    if (parent->children > 1 && role == ROLE_MATH_ROW)
        html_put_raw(html, ", ");
    else if (parent->children > 1 && role == ROLE_FENCED)
        html_put_raw(html, strcmp(parent->element->name, "mtable") == 0 ? "; " : ", ");
}

static void put_part(struct buffer *out, const char *text, ptrdiff_t length)
{
    bool word = is_word(text, length);
    buffer_text(out, word ? "" : "(");
    buffer_add(out, text, length);
    buffer_text(out, word ? "" : ")");
}

void html_math_end(struct html *html, struct html_frame *frame)
{
    enum html_role role = frame->element->role;
    struct buffer *out = &html->out;
    if (!cut(html, frame->mark))
        return;
    const char *text = buffer_get(&html->scratch);
    ptrdiff_t ends[HTML_PARTS], starts[HTML_PARTS], length = html->scratch.length;
    int count = frame->children < HTML_PARTS ? frame->children : HTML_PARTS;
    for (int i = 0; i < HTML_PARTS; i++) {
        starts[i] = i < count ? frame->parts[i] - frame->mark : length;
        if (starts[i] > length || (i && starts[i] < starts[i - 1]))
            starts[i] = length;
    }
    for (int i = 0; i < HTML_PARTS; i++)
        ends[i] = i + 1 < HTML_PARTS ? starts[i + 1] : length;
    if (role == ROLE_ROOT) {
        buffer_text(out, "√");
        put_part(out, text, length);
    } else if (role == ROLE_FENCED) {
        bool table = strcmp(frame->element->name, "mtable") == 0;
        buffer_char(out, table ? '[' : '(');
        buffer_add(out, text, length);
        buffer_char(out, table ? ']' : ')');
    } else if (count < 2) {
        buffer_add(out, text, length);
    } else if (role == ROLE_FRACTION || role == ROLE_RADICAL) {
        put_part(out, text, ends[0]);
        buffer_text(out, role == ROLE_FRACTION ? "/" : "^(1/");
        put_part(out, text + starts[1], length - starts[1]);
        buffer_text(out, role == ROLE_FRACTION ? "" : ")");
    } else {
        buffer_add(out, text, ends[0]);
        ptrdiff_t end = role == ROLE_MATH_BOTH ? ends[1] : length;
        put_script(out, text + starts[1], end - starts[1], role == ROLE_MATH_SUPER);
        if (role == ROLE_MATH_BOTH)
            put_script(out, text + starts[2], length - starts[2], true);
    }
}

/* An annotation that is TeX is kept, and takes the formula's place; any other goes. */
void html_annotation(struct html *html, struct html_frame *frame, const struct html_token *token)
{
    struct buffer encoding;
    buffer_init(&encoding);
    frame->resolved = html_attribute(token, "encoding", &encoding) &&
                      (strstr(buffer_get(&encoding), "tex") || strstr(buffer_get(&encoding), "TeX"));
    html->import->failed = html->import->failed || encoding.failed;
    buffer_finish(&encoding);
    html->annotation++;
    html->spaces = html->hard = 0;
}

void html_annotation_end(struct html *html, struct html_frame *frame)
{
    struct html_frame *math = NULL;
    html->spaces = html->hard = 0;
    if (!cut(html, frame->mark))
        return;
    for (int i = html->depth - 1; i >= 0 && !math; i--)
        if (html->frames[i].element->role == ROLE_MATH)
            math = &html->frames[i];
    if (!math || !frame->resolved || !html->scratch.length)
        return;
    math->resolved = true;
    html->out.length = math->mark;
    html_put_raw(html, "\\(");
    buffer_add(&html->out, html->scratch.data, html->scratch.length);
    html_put_raw(html, "\\)");
}
