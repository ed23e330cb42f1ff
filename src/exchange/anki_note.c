#include "anki_note.h"

#include <quiztutor/markup.h>
#include <quiztutor/message.h>

#include <string.h>
#include <strings.h>

enum {
    CLOZE_HIGHEST = 9999,         /* number of a cloze */
    CLOZE_TEXT = 2 * 1024 * 1024, /* bytes that the cards of one note may come to: its text once for each */
};

/* ---- tags ---- */

static bool is_own(const char *tag, ptrdiff_t length)
{
    return (length == 6 && strncasecmp(tag, "marked", 6) == 0) ||
           (length == 5 && strncasecmp(tag, "leech", 5) == 0);
}

static ptrdiff_t tag_length(const char *at)
{
    ptrdiff_t length = 0;
    while (at[length] && !strchr(" \t\r\n", at[length]) && strncmp(at + length, "\xe3\x80\x80", 3) != 0)
        length++; /* an ideographic space parts tags, too */
    return length;
}

bool anki_note_tags(struct import *import, const char *tags, struct text_list *list)
{
    ptrdiff_t length, most = 0;
    *list = (struct text_list){ NULL, 0 };
    for (const char *at = tags; *at; at += length ? length : 1)
        most += (length = tag_length(at)) > 0;
    if (!most)
        return true;
    const char **items = arena_alloc(&import->arena, most * (ptrdiff_t)sizeof *items);
    for (const char *at = tags; items && *at; at += length ? length : 1) {
        length = tag_length(at);
        const char *tag = length && !is_own(at, length) ? import_text_line(import, at, length) : NULL;
        if (tag)
            items[list->count++] = tag;
    }
    list->items = items;
    import->failed = import->failed || !items;
    return items != NULL;
}

/* ---- a card ---- */

static void open_card(struct import *import, struct question *question, const struct anki_note *note,
                      int number, const char *front)
{
    import_open(import, question, note->line, note->name ? note->name : front);
    import->too_long = note->too_long; /* opening has forgotten it */
    question->type = QUESTION_RECALL;
    question->prompt = front;
    question->tags = note->tags;
    question->id = note->id;
    if (note->id && number > 1) {
        question->id = arena_print(&import->arena, "%s-%d", note->id, number);
        import->failed = import->failed || !question->id;
    }
    for (int i = 0; i < note->change_count; i++)
        import_change(import, "%s", note->changes[i]);
}

void anki_note_card(struct import *import, const struct anki_note *note, int number, const char *front,
                    const char *back, const char *more)
{
    struct question question;
    open_card(import, &question, note, number, front);
    question.key.recall = back;
    question.explanation = more;
    const char *why = !front ? tr("the card has no front") : !back ? tr("the card has no back") : NULL;
    if (!why)
        import_take(import, &question);
    else if (import->changes.length) /* what stood there and was left out */
        import_leave_out(import, "%s (%.400s)", why, buffer_get(&import->changes));
    else
        import_leave_out(import, "%s", why);
}

/* ---- clozes ---- */

enum part_kind { PART_TEXT, PART_OPEN, PART_HINT, PART_CLOSE };

/* A text cut at what opens and closes its clozes. */
struct part {
    enum part_kind kind;
    int number; /* of what opens */
    const char *text;
    ptrdiff_t length;
};

struct cloze {
    struct part *parts;
    ptrdiff_t count, capacity;
    int numbers[ANKI_CLOZES]; /* ascending */
    int number_count;
    bool too_many, too_deep, failed;
};

/* Bytes of "{{c12::" at text, 0 for none. */
static ptrdiff_t opening(const char *text, int *number)
{
    ptrdiff_t at = 3;
    *number = 0;
    if (text[0] != '{' || text[1] != '{' || (text[2] != 'c' && text[2] != 'C'))
        return 0;
    while (text[at] >= '0' && text[at] <= '9' && *number <= CLOZE_HIGHEST)
        *number = *number * 10 + text[at++] - '0';
    return *number > 0 && *number <= CLOZE_HIGHEST && text[at] == ':' && text[at + 1] == ':' ? at + 2 : 0;
}

bool anki_note_has_cloze(const char *text)
{
    int number;
    for (const char *at = text; (at = strstr(at, "{{")) != NULL; at++)
        if (opening(at, &number) && strstr(at, "}}"))
            return true;
    return false;
}

static void add_part(struct cloze *cloze, enum part_kind kind, int number, const char *text, ptrdiff_t length)
{
    struct part *last = cloze->count ? &cloze->parts[cloze->count - 1] : NULL;
    if (kind == PART_TEXT && last && last->kind == PART_TEXT && last->text + last->length == text) {
        last->length += length;
        return;
    }
    if (!memory_grow(&cloze->parts, &cloze->capacity, cloze->count + 1, sizeof *cloze->parts)) {
        cloze->failed = true;
        return;
    }
    cloze->parts[cloze->count++] = (struct part){ kind, number, text, length };
}

/* Cuts the text. What opens and is never closed is text, and so is a "::" in it. */
static void cut(struct cloze *cloze, const char *text)
{
    ptrdiff_t opens[ANKI_CLOZE_NESTING], hints[ANKI_CLOZE_NESTING], length;
    int depth = 0, number;
    for (const char *at = text; *at && !cloze->failed; at += length) {
        length = opening(at, &number);
        if (length && depth == ANKI_CLOZE_NESTING) {
            cloze->too_deep = true;
            return;
        }
        if (length) {
            opens[depth] = cloze->count;
            hints[depth++] = -1;
            add_part(cloze, PART_OPEN, number, at, length);
        } else if (depth && at[0] == '}' && at[1] == '}') {
            length = 2;
            depth--;
            add_part(cloze, PART_CLOSE, 0, at, length);
        } else if (depth && hints[depth - 1] < 0 && at[0] == ':' && at[1] == ':') {
            length = 2;
            hints[depth - 1] = cloze->count;
            add_part(cloze, PART_HINT, 0, at, length);
        } else {
            length = 1;
            add_part(cloze, PART_TEXT, 0, at, length);
        }
    }
    while (!cloze->failed && depth-- > 0) {
        cloze->parts[opens[depth]].kind = PART_TEXT;
        if (hints[depth] >= 0)
            cloze->parts[hints[depth]].kind = PART_TEXT;
    }
}

static void find_numbers(struct cloze *cloze)
{
    for (ptrdiff_t i = 0; i < cloze->count; i++) {
        int number = cloze->parts[i].number, place = 0;
        if (cloze->parts[i].kind != PART_OPEN)
            continue;
        while (place < cloze->number_count && cloze->numbers[place] < number)
            place++;
        if (place < cloze->number_count && cloze->numbers[place] == number)
            continue;
        if (cloze->number_count == ANKI_CLOZES) {
            cloze->too_many = true;
            return;
        }
        memmove(cloze->numbers + place + 1, cloze->numbers + place,
                (size_t)(cloze->number_count - place) * sizeof *cloze->numbers);
        cloze->numbers[place] = number;
        cloze->number_count++;
    }
}

/* What becomes of the text when one number is hidden; 0 hides none. */
struct sides {
    struct buffer prompt, answer, hint;
};

static void put_hidden(struct sides *sides)
{
    if (sides->hint.length)
        buffer_print(&sides->prompt, "[%s]", buffer_get(&sides->hint));
    else
        buffer_text(&sides->prompt, "[…]");
    buffer_clear(&sides->hint);
}

static void put_sides(struct sides *sides, const struct cloze *cloze, int number)
{
    bool in_hint[ANKI_CLOZE_NESTING + 1] = { false };
    int depth = 0, hidden = 0; /* hidden: the depth at which the hidden one opened */
    buffer_clear(&sides->prompt);
    buffer_clear(&sides->answer);
    buffer_clear(&sides->hint);
    for (ptrdiff_t i = 0; i < cloze->count; i++) {
        const struct part *part = &cloze->parts[i];
        if (part->kind == PART_OPEN) {
            depth++;
            in_hint[depth] = in_hint[depth - 1]; /* what stands in a hint belongs to it */
            if (!hidden && part->number == number) {
                hidden = depth;
                if (sides->answer.length)
                    buffer_text(&sides->answer, "; ");
            }
        } else if (part->kind == PART_HINT) {
            in_hint[depth] = true;
        } else if (part->kind == PART_CLOSE) {
            if (hidden == depth) {
                put_hidden(sides);
                hidden = 0;
            }
            depth--;
        } else if (hidden && in_hint[hidden]) {
            buffer_add(&sides->hint, part->text, part->length);
        } else if (!in_hint[depth]) {
            buffer_add(hidden ? &sides->answer : &sides->prompt, part->text, part->length);
        }
    }
}

/* The back of a card is never in markup. */
static const char *back_text(struct import *import, const struct buffer *text)
{
    if (!import->markup)
        return import_text(import, buffer_get(text), text->length);
    struct buffer plain;
    buffer_init(&plain);
    markup_render(&plain, buffer_get(text), false);
    const char *kept = plain.failed ? NULL : import_text(import, buffer_get(&plain), plain.length);
    import->failed = import->failed || plain.failed;
    buffer_finish(&plain);
    return kept;
}

/* The explanation: the whole text, as Anki shows it when a card is turned, and what stands below it. */
static const char *whole_text(struct import *import, const struct cloze *cloze, struct sides *sides,
                              const char *more)
{
    put_sides(sides, cloze, 0);
    if (more) {
        buffer_text(&sides->prompt, "\n\n");
        buffer_text(&sides->prompt, more);
    }
    return import_text(import, buffer_get(&sides->prompt), sides->prompt.length);
}

static void take_cards(struct import *import, const struct anki_note *note, const struct cloze *cloze,
                       const char *more)
{
    struct sides sides;
    struct question question;
    buffer_init(&sides.prompt);
    buffer_init(&sides.answer);
    buffer_init(&sides.hint);
    const char *whole = NULL;
    for (int i = 0; i < cloze->number_count && !import->failed; i++) {
        open_card(import, &question, note, i + 1, NULL);
        if (!whole)
            whole = whole_text(import, cloze, &sides, more);
        put_sides(&sides, cloze, cloze->numbers[i]);
        question.prompt = import_text(import, buffer_get(&sides.prompt), sides.prompt.length);
        question.key.recall = back_text(import, &sides.answer);
        question.explanation = whole;
        import->failed = import->failed || sides.prompt.failed || sides.answer.failed || sides.hint.failed;
        if (!import->failed)
            import_take(import, &question);
    }
    buffer_finish(&sides.prompt);
    buffer_finish(&sides.answer);
    buffer_finish(&sides.hint);
}

void anki_note_clozes(struct import *import, const struct anki_note *note, const char *text, const char *more)
{
    struct cloze *cloze = memory_zero(sizeof *cloze);
    struct question question;
    if (!cloze) {
        import->failed = true;
        return;
    }
    cut(cloze, text ? text : "");
    if (!cloze->too_deep && !cloze->failed)
        find_numbers(cloze);
    ptrdiff_t length = (ptrdiff_t)strlen(text ? text : "");
    const char *why = NULL;
    if (cloze->too_deep)
        why = tr("more than 8 clozes stand inside each other");
    else if (cloze->too_many || length * cloze->number_count > CLOZE_TEXT)
        why = tr("it has too many clozes");
    else if (cloze->number_count == 0)
        why = tr("it has no cloze, such as {{c1::word}}");
    import->failed = import->failed || cloze->failed;
    if (why && !import->failed) {
        open_card(import, &question, note, 1, text);
        import_leave_out(import, "%s", why);
    } else if (!import->failed) {
        take_cards(import, note, cloze, more);
    }
    memory_free(cloze->parts);
    memory_free(cloze);
}
