/* What the tests of the reviewer share: packs in few words, and what must be said of them. */
#ifndef TEST_REVIEW_H
#define TEST_REVIEW_H

#include <quiztutor/review.h>

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD   "format: quiztutor/1\nid: t\ntitle: T\n"
#define GERMAN HEAD "language: de-CH\n"
#define FRENCH HEAD "language: fr\n"
#define FIXED  HEAD "shuffle: none\n"
#define LIST   "questions:\n"
#define TAIL   "    explanation: E.\n"

/* Loads and reviews; the list is the caller's. */
static inline void review_text(const char *text, struct diagnostics *list)
{
    struct error error = { .code = ERROR_NONE };
    struct pack *pack;
    diagnostics_init(list);
    if (!pack_load_bytes(&pack, "t.yaml", text, (ptrdiff_t)strlen(text), list, &error))
        fail_msg("%s\n%s", text, list->count > 0 ? list->items[0].message : error.message);
    if (!review_pack_bytes(pack, text, (ptrdiff_t)strlen(text), list, &error))
        fail_msg("%s", error.message);
    pack_destroy(pack);
}

static inline int count_rule(const struct diagnostics *list, const char *rule)
{
    int count = 0;
    for (ptrdiff_t i = 0; i < list->count; i++)
        count += strcmp(list->items[i].rule, rule) == 0;
    return count;
}

static inline void fail_with(const struct diagnostics *list, const char *text, const char *what)
{
    struct buffer out;
    buffer_init(&out);
    diagnostics_print(list, &out);
    fail_msg("%s\n%s\n%s", what, text, buffer_get(&out));
}

/* The text without its "@", which marks the place where the warning must be. */
static inline char *take_mark(const char *marked, int *line, int *column)
{
    char *text = memory_text(marked);
    char *mark = strchr(text, '@');
    assert_non_null(mark);
    *line = *column = 1;
    for (const char *at = text; at < mark; at++) {
        if (*at == '\n')
            ++*line;
        *column = *at == '\n' ? 1 : *column + ((*at & 0xc0) != 0x80);
    }
    memmove(mark, mark + 1, strlen(mark));
    return text;
}

/* Exactly one warning, of this rule, at the mark. */
static inline void expect_at(const char *rule, const char *marked)
{
    struct diagnostics list;
    int line, column;
    char *text = take_mark(marked, &line, &column);
    review_text(text, &list);
    if (list.count != 1 || count_rule(&list, rule) != 1 || list.items[0].line != line ||
        list.items[0].column != column) {
        char what[80];
        snprintf(what, sizeof what, "not just one %s at %d:%d", rule, line, column);
        fail_with(&list, text, what);
    }
    assert_int_equal(list.items[0].severity, SEVERITY_WARNING);
    assert_non_null(list.items[0].hint);
    assert_non_null(list.items[0].source);
    diagnostics_finish(&list);
    memory_free(text);
}

/* Exactly one warning, of this rule, with this in its hint. */
static inline void expect_hint(const char *rule, const char *part, const char *text)
{
    struct diagnostics list;
    review_text(text, &list);
    if (list.count != 1 || count_rule(&list, rule) != 1 || !strstr(list.items[0].hint, part))
        fail_with(&list, text, part);
    diagnostics_finish(&list);
}

static inline void expect_quiet(const char *text)
{
    struct diagnostics list;
    review_text(text, &list);
    if (list.warnings != 0)
        fail_with(&list, text, "not quiet");
    diagnostics_finish(&list);
}

/* A question of a prompt and choices, in the form that a test needs most. */
#define ASK(id, prompt, choices) "  - id: " id "\n    prompt: " prompt "\n    choices: [" choices "]\n" TAIL
#define ONE(prompt, choices)     HEAD LIST ASK("a", prompt, choices)

#define CITED(id) "  - {id: " id ", prompt: Is " id "?, true_false: true, explanation: E., source: S}\n"
#define PLAIN(id) "  - {id: " id ", prompt: Is " id "?, true_false: true, explanation: E.}\n"

#endif
