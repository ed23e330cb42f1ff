/*
 * Anki's templates: {{Field}}, {{filter:Field}}, {{#Field}}…{{/Field}} and {{^Field}}…{{/Field}}.
 * Reference: https://docs.ankiweb.net/templates/fields.html and …/generation.html
 */
#include "apkg.h"

#include <string.h>

enum { NAME_WORK = 8 }; /* comparing a name takes the time of so many bytes copied */

struct rendering {
    struct apkg_side *side;
    enum apkg_form form;
    const struct apkg_type *type;
    const struct apkg_value *values;
    int open;         /* conditions that are open */
    int hidden_since; /* the outermost of them that does not hold; 0: all do */
    ptrdiff_t answer; /* where what stands behind <hr id=answer> begins */
};

struct word {
    const char *text;
    ptrdiff_t length;
};

static struct word trim(const char *text, ptrdiff_t length)
{
    while (length && strchr(" \t\r\n", *text) && *text)
        text++, length--;
    while (length && strchr(" \t\r\n", text[length - 1]) && text[length - 1])
        length--;
    return (struct word){ text, length };
}

static bool word_is(struct word word, const char *text)
{
    return (ptrdiff_t)strnlen(text, (size_t)word.length + 1) == word.length &&
           memcmp(word.text, text, (size_t)word.length) == 0;
}

static const struct apkg_value *find_value(const struct rendering *rendering, struct word name)
{
    rendering->side->work += rendering->type->field_count * NAME_WORK;
    for (int i = 0; i < rendering->type->field_count; i++)
        if (word_is(name, rendering->type->fields[i]))
            return &rendering->values[i];
    return NULL;
}

/* As Anki sees it: white space and empty elements are nothing, pictures and sounds are something. */
static bool is_blank(const struct apkg_value *value)
{
    static const char *const empty[] = { "br", "div", "p", "/br", "/div", "/p" };
    const char *at = value->text, *end = at + value->length; /* most end at their first letter */
    while (at < end) {
        const char *close = *at == '<' ? memchr(at, '>', (size_t)(end - at)) : NULL;
        if (close) {
            struct word name = trim(at + 1, close - at - 1);
            bool nothing = false;
            while (name.length && (name.text[name.length - 1] == '/' || name.text[name.length - 1] == ' '))
                name.length--;
            for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
                nothing = nothing || word_is(name, empty[i]);
            if (!nothing)
                return false;
            at = close + 1;
        } else if (end - at >= 6 && memcmp(at, "&nbsp;", 6) == 0) {
            at += 6;
        } else if (*at && strchr(" \t\r\n", *at)) {
            at++;
        } else {
            return false;
        }
    }
    return true;
}

static void condition(struct rendering *rendering, char kind, struct word name)
{
    if (kind == '/') {
        if (rendering->open && rendering->hidden_since == rendering->open)
            rendering->hidden_since = 0;
        rendering->open -= rendering->open > 0;
        return;
    }
    const struct apkg_value *value = find_value(rendering, name);
    bool filled = value && !is_blank(value);
    rendering->open++;
    if (!rendering->hidden_since && filled != (kind == '#'))
        rendering->hidden_since = rendering->open;
}

static void put_value(struct rendering *rendering, const struct apkg_value *value)
{
    rendering->side->has_field = rendering->side->has_field || !is_blank(value);
    if (rendering->side->html.length + value->length <= APKG_SIDE)
        buffer_add(&rendering->side->html, value->text, value->length);
}

/* {{filter:filter:Field}}: the filters that change what stands on which side. */
static void replace(struct rendering *rendering, struct word word)
{
    bool front = rendering->form == APKG_FRONT || rendering->form == APKG_CLOZE_FRONT, cloze = false;
    bool typed = false, hint = false, spoken = false;
    struct word rest = word;
    const char *colon;
    while ((colon = memchr(rest.text, ':', (size_t)rest.length)) != NULL) {
        struct word filter = trim(rest.text, colon - rest.text);
        rest.length -= colon + 1 - rest.text;
        rest.text = colon + 1;
        cloze = cloze || word_is(filter, "cloze") || word_is(filter, "cloze-only");
        typed = typed || word_is(filter, "type");
        hint = hint || word_is(filter, "hint");
        spoken = spoken || (filter.length >= 3 && memcmp(filter.text, "tts", 3) == 0);
    }
    rest = trim(rest.text, rest.length);
    const struct apkg_value *value = find_value(rendering, rest);
    if (!value)
        value = find_value(rendering, word); /* a field's name may hold a colon */
    if (!value || is_blank(value))
        return;
    if (spoken)
        rendering->side->has_sound = true;
    else if (hint && front)
        rendering->side->has_hint = true;
    else if (typed && front && !cloze)
        return; /* where the answer would be typed */
    else if (cloze && rendering->form == APKG_CLOZE_BACK)
        return; /* the text again, which the answer is taken from */
    else
        put_value(rendering, value);
}

/* The rule that parts question and answer, in any of the ways it is written. */
static bool is_answer_rule(const char *at, const char *end)
{
    const char *close = memchr(at, '>', (size_t)(end - at < 80 ? end - at : 80));
    return close && strncmp(at, "<hr", 3) == 0 && memmem(at, (size_t)(close - at), "id", 2) &&
           memmem(at, (size_t)(close - at), "answer", 6);
}

static void put_text(struct rendering *rendering, const char *from, const char *to)
{
    struct buffer *html = &rendering->side->html;
    bool back = rendering->form == APKG_BACK || rendering->form == APKG_CLOZE_BACK;
    for (const char *at = from; back && (at = memchr(at, '<', (size_t)(to - at))) != NULL; at++) {
        if (!is_answer_rule(at, to))
            continue;
        from = (const char *)memchr(at, '>', (size_t)(to - at)) + 1;
        rendering->answer = html->length;
    }
    if (html->length + (to - from) <= APKG_SIDE)
        buffer_add(html, from, to - from);
}

void apkg_template(struct apkg_side *side, const char *format, enum apkg_form form,
                   const struct apkg_type *type, const struct apkg_value *values)
{
    struct rendering rendering = { .side = side, .form = form, .type = type, .values = values };
    const char *at = format, *end = format + strnlen(format, APKG_TEMPLATE);
    rendering.answer = side->html.length;
    ptrdiff_t begin = side->html.length;
    while (at < end) {
        const char *mark = memmem(at, (size_t)(end - at), "{{", 2);
        const char *close = mark ? memmem(mark, (size_t)(end - mark), "}}", 2) : NULL;
        if (!rendering.hidden_since)
            put_text(&rendering, at, close ? mark : end);
        if (!close)
            break;
        struct word word = trim(mark + 2, close - mark - 2);
        at = close + 2;
        if (word.length && strchr("#^/", *word.text) && rendering.open < APKG_NESTING)
            condition(&rendering, *word.text, trim(word.text + 1, word.length - 1));
        else if (!rendering.hidden_since)
            replace(&rendering, word);
    }
    side->work += (at - format) + side->html.length - begin;
    ptrdiff_t cut = rendering.answer - begin;
    if (cut > 0) {
        memmove(side->html.data + begin, side->html.data + rendering.answer,
                (size_t)(side->html.length - rendering.answer) + 1);
        side->html.length -= cut;
    }
}
