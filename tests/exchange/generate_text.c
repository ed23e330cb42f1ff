/* Texts made by chance. */
#include "generate_private.h"

#include <quiztutor/text.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SplitMix64. */
static uint64_t next(struct generate *generate)
{
    uint64_t x = generate->state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

int generate_draw(struct generate *generate, int n)
{
    return (int)(next(generate) % (uint64_t)n);
}

bool generate_has(const struct generate *generate, enum generate_part part)
{
    return (generate->parts & (unsigned)part) != 0;
}

/* One in three, where the part is wanted. */
bool generate_chance(struct generate *generate, enum generate_part part)
{
    return generate_has(generate, part) && generate_draw(generate, 3) == 0;
}

void *generate_room(struct generate *generate, ptrdiff_t size)
{
    void *block = arena_alloc(&generate->arena, size ? size : 1);
    if (!block)
        abort();
    return block;
}

const char *generate_keep(struct generate *generate, const char *text)
{
    char *kept = arena_text(&generate->arena, text, (ptrdiff_t)strlen(text));
    if (!kept)
        abort();
    return kept;
}

static const char *const words[] = { "tensor", "pipeline", "stage",  "share", "Which",  "gradient", "the",
                                     "of",     "2",        "memory", "naïve", "bubble", "a",        "batch" };

/* What stands in them means something in YAML, GIFT, CSV, XML, Markdown, light markup or Anki. */
static const char *const hostile[] = {
    "yes",
    "No",
    "on",
    "~",
    "null",
    "1.10",
    "013",
    "12:30",
    "- x",
    "-x",
    "# no",
    "a # b",
    "a: b",
    "a:b",
    "x:",
    ": x",
    "\"q\"",
    "'q'",
    "it's",
    "'",
    "\"",
    "{",
    "}",
    "{a}",
    "[1]",
    "*",
    "*em*",
    "**",
    "_em_",
    "`code`",
    "&amp;",
    "&anchor",
    "<b>",
    "a < b",
    "a > b & c",
    "!tag",
    "%50%",
    "%",
    "@at",
    "|",
    ">",
    "?",
    "? x",
    ",",
    "a, b",
    "a;b",
    "=x",
    "~x",
    "->",
    "a -> b",
    "\\",
    "\\n",
    "\\{",
    "//x",
    "// no",
    "$CATEGORY: x",
    "::t::",
    "####",
    "TRUE",
    "T",
    "=>",
    "<<",
    "...",
    "---",
    "--- x",
    "correct:x",
    "wrong: x",
    "id:x",
    "ANSWER: A",
    "A) x",
    "A. x",
    "1. x",
    "+ x",
    "* x",
    "> x",
    "| a | b |",
    "[ ] x",
    "[x] y",
    "{{c1::x}}",
    "#tag",
    "=cmd()",
    "@x",
    "+1",
    "-1",
    "ünïcode",
    "日本語",
    "naïve",
    "e\xcc\x81",
    "🙂",
    "−5",
    "]]>",
    "<!-- x -->",
    "<?x?>",
    "&lt;",
    "%%",
    "a  b",
    "x ",
    "{",
    "…",
    "“quoted”",
    "0x10",
    "1e3",
    "\\u0041",
    "{{",
    "#separator:tab",
    "!",
    "key: [a, {b: c}]",
};

static void add_word(struct generate *generate, struct buffer *out)
{
    if (generate_has(generate, GENERATE_TABS) && generate_draw(generate, 60) == 0)
        buffer_text(out, "tab\there");
    else if (generate_has(generate, GENERATE_HOSTILE) && generate_draw(generate, 3) == 0)
        buffer_text(out, hostile[generate_draw(generate, (int)(sizeof hostile / sizeof *hostile))]);
    else
        buffer_text(out, words[generate_draw(generate, (int)(sizeof words / sizeof *words))]);
}

/* A line without white space at its ends; at times a long one. */
static void add_line(struct generate *generate, struct buffer *out)
{
    int count = generate_draw(generate, 20) == 0 ? 60 : 1 + generate_draw(generate, 6);
    for (int i = 0; i < count; i++) {
        if (i)
            buffer_char(out, ' ');
        add_word(generate, out);
    }
    while (out->length && out->data[out->length - 1] == ' ')
        out->data[--out->length] = '\0';
}

static const char *finish(struct generate *generate, struct buffer *out)
{
    if (out->failed)
        abort();
    const char *kept = generate_keep(generate, buffer_get(out));
    buffer_finish(out);
    return kept;
}

const char *generate_line(struct generate *generate)
{
    struct buffer out;
    buffer_init(&out);
    add_line(generate, &out);
    return finish(generate, &out);
}

/* Lines between fences; they keep their spaces. */
static void add_code(struct generate *generate, struct buffer *out)
{
    int lines = 1 + generate_draw(generate, 3);
    buffer_text(out, "```");
    for (int i = 0; i < lines; i++) {
        buffer_text(out, i && generate_draw(generate, 4) == 0 ? "\n\n" : "\n");
        buffer_print(out, "%*s", generate_draw(generate, 5), "");
        add_word(generate, out);
        if (out->length && out->data[out->length - 1] == ' ')
            out->data[--out->length] = '\0';
    }
    buffer_text(out, "\n```");
}

const char *generate_text(struct generate *generate)
{
    struct buffer out;
    buffer_init(&out);
    add_line(generate, &out);
    while (generate_has(generate, GENERATE_PARAGRAPHS) && generate_draw(generate, 3) == 0) {
        buffer_text(&out, generate_draw(generate, 2) ? "\n\n" : "\n");
        add_line(generate, &out);
    }
    return finish(generate, &out);
}

/* One that may carry markup: a prompt, a choice, feedback, a hint, an explanation. */
const char *generate_marked(struct generate *generate)
{
    const char *text = generate_text(generate);
    struct buffer out;
    if (!generate_has(generate, GENERATE_CODE) || !generate_has(generate, GENERATE_MARKUP) ||
        generate_draw(generate, 6))
        return text;
    buffer_init(&out);
    buffer_print(&out, "%s\n\n", text);
    add_code(generate, &out);
    return finish(generate, &out);
}

const char *generate_figure(struct generate *generate)
{
    struct buffer out;
    int lines = 1 + generate_draw(generate, 4);
    buffer_init(&out);
    for (int i = 0; i < lines; i++) {
        if (i)
            buffer_text(&out, generate_draw(generate, 4) ? "\n" : "\n\n\n");
        buffer_print(&out, "%*s", generate_draw(generate, 5), "");
        if (generate_has(generate, GENERATE_TABS) && generate_draw(generate, 6) == 0)
            buffer_char(&out, '\t');
        add_line(generate, &out);
    }
    return finish(generate, &out);
}

/* A word as tags and misconceptions are. */
const char *generate_slug(struct generate *generate)
{
    char text[64];
    snprintf(text, sizeof text, "%s-%d", generate_draw(generate, 2) ? "tag" : "slip",
             generate_draw(generate, 99));
    return generate_keep(generate, text);
}

/* Texts that are no two the same. */
const char **generate_distinct(struct generate *generate, int count, enum kind kind)
{
    const char **texts = generate_room(generate, count * (ptrdiff_t)sizeof *texts);
    for (int i = 0; i < count; i++) {
        bool again = true;
        for (int tries = 0; again; tries++) {
            char number[16];
            texts[i] = kind == LINE   ? generate_line(generate)
                       : kind == TEXT ? generate_text(generate)
                                      : generate_marked(generate);
            if (tries > 9) {
                snprintf(number, sizeof number, "n%d", i);
                texts[i] = generate_keep(generate, number);
            }
            again = strlen(texts[i]) > PACK_RESPONSE;
            for (int k = 0; k < i && !again; k++)
                again = text_same(texts[k], texts[i]);
        }
    }
    return texts;
}

struct text_list generate_tags(struct generate *generate, int most)
{
    int count = 1 + generate_draw(generate, most);
    const char **items = generate_room(generate, count * (ptrdiff_t)sizeof *items);
    for (int i = 0; i < count; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s %d", generate_slug(generate), i);
        items[i] = generate_keep(generate, text);
    }
    return (struct text_list){ items, count };
}

struct text_list generate_list(struct generate *generate, int most, enum kind kind)
{
    int count = 1 + generate_draw(generate, most);
    return (struct text_list){ generate_distinct(generate, count, kind), count };
}
