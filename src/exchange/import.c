#include "import_private.h"

#include <quiztutor/markup.h>
#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <string.h>

void import_init(struct import *import, const char *path)
{
    memset(import, 0, sizeof *import);
    arena_init(&import->arena);
    buffer_init(&import->changes);
    buffer_init(&import->scratch);
    import->path = path;
    struct import_ids *ids = memory_alloc(sizeof *ids);
    import->ids = ids;
    import->failed = !ids;
    if (!ids)
        return;
    names_init(&ids->questions);
    names_init(&ids->sections);
}

void import_finish(struct import *import)
{
    struct import_ids *ids = import->ids;
    if (ids) {
        names_finish(&ids->questions);
        names_finish(&ids->sections);
    }
    memory_free(ids);
    memory_free(import->questions);
    memory_free(import->sections);
    memory_free(import->lines);
    buffer_finish(&import->changes);
    buffer_finish(&import->scratch);
    arena_finish(&import->arena);
}

/* ---- names ---- */

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool is_ascii(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text >= 0x80)
            return false;
    return true;
}

const char *import_slug(struct import *import, const char *name, int most)
{
    char *letters = is_ascii(name) ? NULL : text_unaccented(name), id[PACK_ID + 2];
    int length = 0, word = 0; /* bytes; where the last whole word ends */
    for (const char *at = letters ? letters : name; *at && length <= most; at++) {
        char c = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
        if (is_word(c)) {
            id[length++] = c;
        } else if (length && id[length - 1] != '-' && *at != '\'') {
            word = length;
            id[length++] = '-';
        }
    }
    if (length > most)
        length = word > most / 2 ? word : most;
    while (length && id[length - 1] == '-')
        length--;
    memory_free(letters);
    const char *kept = arena_text(&import->arena, id, length);
    import->failed = import->failed || !kept;
    return kept;
}

const char *import_brief(struct import *import, const char *text, int columns)
{
    ptrdiff_t length = (ptrdiff_t)strlen(text), at = 0;
    int used = 0, width;
    while (at < length && at < columns && (unsigned char)text[at] >= 0x20 && (unsigned char)text[at] < 0x7f)
        at++;
    if (at == length) { /* short and simple, the usual case */
        const char *kept = arena_text(&import->arena, text, length);
        import->failed = import->failed || !kept;
        return kept ? kept : "";
    }
    used = (int)at;
    for (ptrdiff_t cell; at < length && used < columns; at += cell, used += width)
        cell = text_cell(text + at, length - at, &width);
    char *copy = arena_print(&import->arena, "%.*s%s", (int)at, text, at < length ? "…" : "");
    import->failed = import->failed || !copy;
    for (char *c = copy; c && *c; c++)
        *c = *c == '\n' || *c == '\t' ? ' ' : *c;
    return copy ? copy : "";
}

/* An id of its own for the question, made of the first that gives one. */
static const char *choose_id(struct import *import, const struct question *question)
{
    struct import_ids *ids = import->ids;
    const char *id = "";
    if (question->id)
        id = import_slug(import, question->id, PACK_ID);
    if (id && !*id && import->open.name)
        id = import_slug(import, import->open.name, IMPORT_STEM_ID);
    if (id && !*id)
        id = import_slug(import, question->prompt, IMPORT_STEM_ID);
    if (id && !*id)
        id = "question";
    int used = id ? names_find(&ids->questions, id) : -1;
    if (used < 0)
        return id && names_add(&ids->questions, id, 1) ? id : NULL;
    const char *numbered;
    do {
        numbered = arena_print(&import->arena, "%.*s-%d", PACK_ID - 12, id, ++used);
    } while (numbered && names_find(&ids->questions, numbered) >= 0);
    names_set(&ids->questions, id, used);
    return numbered && names_add(&ids->questions, numbered, 1) ? numbered : NULL;
}

/* ---- sections ---- */

static struct section *add_section(struct import *import, const char *title)
{
    struct import_ids *ids = import->ids;
    if (!title || !memory_grow(&import->sections, &import->section_capacity, import->section_count + 1,
                               sizeof *import->sections))
        return NULL;
    struct section *section = &import->sections[import->section_count];
    *section = (struct section){ .title = title };
    if (!names_add(&ids->sections, title, (int)import->section_count + 1))
        return NULL;
    import->section = (int)++import->section_count;
    return section;
}

struct section *import_section(struct import *import, const char *title)
{
    struct import_ids *ids = import->ids;
    if (!ids)
        return NULL;
    const char *kept = import_text_line(import, title, (ptrdiff_t)strlen(title));
    int known = kept ? names_find(&ids->sections, kept) : -1;
    if (known > 0) {
        import->section = known;
        return &import->sections[known - 1];
    }
    struct section *section = add_section(import, kept ? kept : tr("Questions"));
    import->failed = import->failed || !section;
    return section;
}

/* ---- questions ---- */

void import_open(struct import *import, struct question *question, int line, const char *name)
{
    memset(question, 0, sizeof *question);
    question->marks = 1;
    question->shuffle = true;
    question->line = line;
    question->section = import->section;
    question->markup = import->markup;
    import->open = (struct import_line){ .line = line, .name = name };
    import->opened = true;
    import->too_long = false;
    buffer_clear(&import->changes);
}

void import_change(struct import *import, const char *format, ...)
{
    va_list arguments;
    char text[1000];
    if (!import->opened || import->changes.length > IMPORT_CHANGES)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (import->changes.length && strstr(buffer_get(&import->changes), text))
        return; /* said already */
    if (import->changes.length)
        buffer_text(&import->changes, "; ");
    buffer_text(&import->changes, text);
    if (import->changes.length > IMPORT_CHANGES) /* looked through for each, so it stays short */
        buffer_text(&import->changes, "; …");
    import->failed = import->failed || import->changes.failed;
}

/* A prompt without the marks of light markup. */
static const char *plain_name(struct import *import, const char *name)
{
    struct buffer plain;
    if (!import->markup)
        return name;
    buffer_init(&plain);
    markup_render(&plain, name, false);
    const char *kept = plain.failed ? NULL : arena_text(&import->arena, buffer_get(&plain), plain.length);
    import->failed = import->failed || !kept;
    buffer_finish(&plain);
    return kept ? kept : "";
}

static void add_line(struct import *import, enum import_fate fate, const char *id, const char *what)
{
    struct import_line line = import->open;
    if (!memory_grow(&import->lines, &import->line_capacity, import->line_count + 1, sizeof *import->lines)) {
        import->failed = true;
        return;
    }
    line.fate = fate;
    line.id = id;
    line.what = what ? arena_text(&import->arena, what, (ptrdiff_t)strlen(what)) : NULL;
    line.name = import_brief(import, line.name ? plain_name(import, line.name) : "", IMPORT_NAME);
    import->failed = import->failed || (what && !line.what);
    import->lines[import->line_count++] = line;
    import->opened = false;
    import->open = (struct import_line){ 0 };
}

void import_leave_out(struct import *import, const char *why, ...)
{
    va_list arguments;
    char text[1000];
    va_start(arguments, why);
    vsnprintf(text, sizeof text, why, arguments);
    va_end(arguments);
    add_line(import, IMPORT_LEFT_OUT, NULL, text);
}

static bool keep(struct import *import, struct question *question)
{
    question->id = choose_id(import, question);
    if (!question->explanation) {
        question->explanation = import_key_in_words(import, question);
        import_change(import, "%s", tr("no explanation: it says the answer in words"));
    }
    return question->id && question->explanation &&
           memory_grow(&import->questions, &import->capacity, import->count + 1, sizeof *import->questions);
}

void import_take(struct import *import, struct question *question)
{
    if (!import->ids)
        return;
    if (!import->open.name)
        import->open.name = question->prompt;
    const char *fault = import->count >= PACK_QUESTIONS ? tr("a pack has no room for more questions") : NULL;
    if (!fault && import->too_long)
        fault = tr("a text of it is longer than 64 KiB");
    if (!fault)
        fault = import_fault(import, question);
    if (fault) {
        import_leave_out(import, "%s", fault);
        return;
    }
    if (!keep(import, question)) {
        import->failed = true;
        return;
    }
    import->questions[import->count++] = *question;
    if (import->changes.length)
        add_line(import, IMPORT_CHANGED, question->id, buffer_get(&import->changes));
    else
        add_line(import, IMPORT_TAKEN, question->id, NULL);
}
