/*
 * The lines below a heading as a question. A numbered list or a table is the answer only where no choice,
 * "Answer:" or "Back:" is; else it belongs to the text it stands in.
 */
#include "markdown.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void markdown_leave_out(struct markdown_reading *reading, const char *why, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, why);
    vsnprintf(text, sizeof text, why, arguments);
    va_end(arguments);
    if (!reading->left_out)
        import_leave_out(reading->import, "%s", text);
    reading->left_out = true;
}

/* ---- labels with a value ---- */

/* The lines up to a blank one, joined. */
static void join_lines(struct markdown_reading *reading, struct buffer *out, const struct text_line *lines,
                       ptrdiff_t count)
{
    buffer_init(out);
    for (ptrdiff_t i = 0; i < count && !markdown_blank(&lines[i]); i++) {
        if (i)
            buffer_char(out, '\n');
        buffer_add(out, lines[i].text, lines[i].length);
    }
    reading->import->failed = reading->import->failed || out->failed;
}

static void read_tags(struct markdown_reading *reading, const struct text_line *lines, ptrdiff_t count)
{
    struct buffer joined;
    struct text_line item;
    bool quoted;
    ptrdiff_t most = reading->tags.count + 1;
    join_lines(reading, &joined, lines, count);
    for (ptrdiff_t i = 0; i < joined.length; i++)
        most += joined.data[i] == ',';
    const char **items = arena_alloc(&reading->import->arena, most * (ptrdiff_t)sizeof *items);
    for (int i = 0; items && i < reading->tags.count; i++)
        items[i] = reading->tags.items[i];
    const char *at = buffer_get(&joined), *end = at + joined.length;
    while (items && markdown_list_next(&at, end, ',', &item, &quoted)) {
        const char *tag = markdown_plain(reading->import, item.text, item.length, true);
        if (tag)
            items[reading->tags.count++] = tag;
    }
    reading->tags.items = items;
    reading->import->failed = reading->import->failed || !items;
    buffer_finish(&joined);
}

static void read_hint(struct markdown_reading *reading, const struct text_line *lines, ptrdiff_t count)
{
    struct buffer text;
    buffer_init(&text);
    markdown_flow(reading->import, &text, lines, count, MARKDOWN_MARKED, NULL);
    const char *hint = text.length ? import_text(reading->import, text.data, text.length) : NULL;
    if (hint && reading->hint_count < MARKDOWN_HINTS)
        reading->hints[reading->hint_count++] = hint;
    else if (hint)
        import_change(reading->import, tr("hints beyond the first %d are left out"), MARKDOWN_HINTS);
    buffer_finish(&text);
}

static bool read_word(struct markdown_reading *reading, enum markdown_label label, const char *value)
{
    struct question *question = &reading->question;
    struct number number = { 0, 0 };
    switch (label) {
    case LABEL_MARKS:
        if (number_read(&number, value, (ptrdiff_t)strlen(value), false) != NUMBER_FINE)
            return false;
        question->marks = number.value;
        return true;
    case LABEL_MARKING:
        for (int rule = 0; rule < MARKING_RULES; rule++)
            if (strcmp(value, marking_rule_name((enum marking_rule)rule)) == 0) {
                question->marking = (enum marking_rule)rule;
                return true;
            }
        return false;
    case LABEL_SHUFFLE:
        question->shuffle = strcasecmp(value, "false") != 0;
        return !question->shuffle || strcasecmp(value, "true") == 0;
    default:
        reading->multiple = strcmp(value, question_type_name(QUESTION_MULTIPLE_CHOICE)) == 0;
        for (int type = 0; type < QUESTION_TYPES; type++)
            if (strcmp(value, question_type_name((enum question_type)type)) == 0)
                return true;
        return false;
    }
}

static void read_value(struct markdown_reading *reading, enum markdown_label label,
                       const struct text_line *lines, ptrdiff_t count)
{
    struct import *import = reading->import;
    struct buffer joined;
    join_lines(reading, &joined, lines, count);
    const char *value = markdown_plain(import, buffer_get(&joined), joined.length, true);
    const char *word = markdown_label_word(label);
    buffer_finish(&joined);
    if (!value)
        import_change(import, tr("nothing stands behind \"%s:\" in line %d"), word, lines[0].number);
    else if (label == LABEL_MISCONCEPTION)
        reading->question.misconception = value;
    else if (label == LABEL_ID)
        reading->question.id = value;
    else if (label == LABEL_TOLERANCE || label == LABEL_UNIT || label == LABEL_FIGURES ||
             label == LABEL_IGNORE)
        markdown_typed(reading, label, value);
    else if (label == LABEL_PIN || label == LABEL_PICK || label == LABEL_LANGUAGE)
        import_change(import, tr("\"%s:\" in line %d is left out: it has no place here"), word,
                      lines[0].number);
    else if (!read_word(reading, label, value))
        markdown_leave_out(reading, tr("line %d: \"%s: %.60s\" is not known"), lines[0].number, word, value);
}

/* ---- texts ---- */

/* Lines that begin like a field which nobody knows become text: an author may have meant something by them.
 */
static void note_fields(struct markdown_reading *reading, const struct text_line *lines, ptrdiff_t count)
{
    const char *word;
    for (ptrdiff_t at = 0, length; at < count; at++) {
        ptrdiff_t fence = markdown_skip_fence(lines, at, count);
        if (fence > at)
            at = fence - 1;
        else if ((length = markdown_field(&lines[at], &word)) > 0)
            import_change(reading->import,
                          tr("\"%.*s:\" in line %d is no field that is known: it is taken as text"),
                          (int)length, word, lines[at].number);
    }
}

/* Where lines without a label go: once the answer was read, they explain it. */
static void flow_loose(struct markdown_reading *reading, struct text_line *lines, ptrdiff_t count)
{
    struct import *import = reading->import;
    if (reading->key_seen && reading->target == &reading->prompt) {
        import_change(import, tr("what stands from line %d on is taken as its explanation"), lines[0].number);
        reading->target = &reading->why;
    }
    bool plain = reading->target == &reading->back || reading->target == &reading->source;
    bool why = reading->target == &reading->why, prompt = reading->target == &reading->prompt;
    markdown_flow(import, reading->target, lines, count, plain ? MARKDOWN_PLAIN : MARKDOWN_MARKED,
                  why      ? &reading->why_figure
                  : prompt ? &reading->figure
                           : NULL);
}

/* A label that holds a text of any length. False for another label. */
static bool enter_text(struct markdown_reading *reading, enum markdown_label label)
{
    switch (label) {
    case LABEL_FRONT:
        reading->target = &reading->prompt;
        return true;
    case LABEL_WHY:
        reading->target = &reading->why;
        return true;
    case LABEL_BACK:
        reading->key_seen = reading->recalled = true;
        reading->target = &reading->back;
        return true;
    case LABEL_FEEDBACK:
        reading->target = &reading->feedback;
        return true;
    case LABEL_SOURCE:
        reading->target = &reading->source;
        return true;
    default:
        return false;
    }
}

static void read_label(struct markdown_reading *reading, const struct markdown_part *part)
{
    struct text_line *lines = reading->lines + part->from;
    ptrdiff_t count = part->to - part->from;
    markdown_label(&lines[0]);
    if (reading->key_seen || part->label != LABEL_FRONT)
        note_fields(reading, lines + 1, count - 1);
    if (enter_text(reading, part->label)) {
        flow_loose(reading, lines, count);
        return;
    }
    if (part->label == LABEL_HINT) {
        read_hint(reading, lines, count);
        return;
    }
    if (part->label == LABEL_TAGS)
        read_tags(reading, lines, count);
    else if (part->label != LABEL_ANSWER) /* that was read before all others */
        read_value(reading, part->label, lines, count);
    reading->key_seen = reading->key_seen || part->label == LABEL_ANSWER;
    if (reading->target != &reading->prompt)
        reading->target = &reading->why;
}

/* A quotation: of the choice right above it, "> Why: …", or a text like any other. */
static void read_quote(struct markdown_reading *reading, const struct markdown_part *part)
{
    struct text_line *lines = reading->lines + part->from, inner = lines[0], value;
    ptrdiff_t count = part->to - part->from;
    bool below = part > reading->parts.items && part->close && part[-1].kind == PART_CHOICE;
    markdown_quote(&lines[0], &inner);
    value = inner;
    bool why = markdown_label(&value) == LABEL_WHY;
    if (!why && !below && !reading->key_seen) {
        flow_loose(reading, lines, count); /* its > stays */
        return;
    }
    for (ptrdiff_t i = 0; i < count; i++) {
        markdown_quote(&lines[i], &inner);
        lines[i] = inner;
    }
    if (why) {
        lines[0] = value;
        reading->target = &reading->why;
    } else if (below) {
        markdown_choice_quote(reading, lines, count);
        return;
    }
    flow_loose(reading, lines, count);
}

/* ---- lists ---- */

static void read_item(struct markdown_reading *reading, const struct markdown_part *part)
{
    struct text_line *lines = reading->lines + part->from, text;
    ptrdiff_t count = part->to - part->from;
    markdown_bullet(&lines[0], &text);
    if (!part->boxless)
        markdown_box(&text);
    else
        import_change(reading->import, tr("line %d has no box: it is taken as a wrong choice"),
                      lines[0].number);
    lines[0] = text;
    for (ptrdiff_t i = 1; i < count; i++)
        lines[i] = markdown_outdent(lines[i], part->outdent);
    markdown_choice(reading, lines, count, part->right);
}

/* Bullets without a box that stand one behind the other are one list of a text. */
static ptrdiff_t read_bullets(struct markdown_reading *reading, ptrdiff_t at)
{
    const struct markdown_part *parts = reading->parts.items;
    ptrdiff_t end = at + 1;
    if (parts[at].kind == PART_CHOICE) {
        read_item(reading, &parts[at]);
        return end;
    }
    while (end < reading->parts.count && parts[end].kind == PART_BULLET)
        end++;
    flow_loose(reading, reading->lines + parts[at].from, parts[end - 1].to - parts[at].from);
    return end;
}

static void read_key_part(struct markdown_reading *reading, const struct markdown_part *part)
{
    reading->key_seen = true;
    if (part->kind == PART_NUMBERED)
        markdown_order(reading, part);
    else
        markdown_match(reading, part);
}

static void read_parts(struct markdown_reading *reading)
{
    const struct markdown_part *parts = reading->parts.items;
    for (ptrdiff_t at = 0; at < reading->parts.count && !reading->left_out && !reading->import->failed;) {
        const struct markdown_part *part = &parts[at];
        if (part->kind == PART_CHOICE || part->kind == PART_BULLET) {
            at = read_bullets(reading, at);
            continue;
        }
        if (at == reading->key_part)
            read_key_part(reading, part);
        else if (part->kind == PART_LABEL)
            read_label(reading, part);
        else if (part->kind == PART_QUOTE)
            read_quote(reading, part);
        else {
            if (reading->key_seen)
                note_fields(reading, reading->lines + part->from, part->to - part->from);
            flow_loose(reading, reading->lines + part->from, part->to - part->from);
        }
        at++;
    }
}

/* ---- the answer ---- */

/* "Answer:" decides what choices are, so it is read first; without one, the last list or table before a text
 * of explanation may be the key. */
static void find_answer(struct markdown_reading *reading)
{
    bool explicit_key = false, behind = false;
    for (ptrdiff_t i = 0; i < reading->parts.count && !reading->left_out; i++) {
        const struct markdown_part *part = &reading->parts.items[i];
        explicit_key = explicit_key || part->kind == PART_CHOICE || part->label == LABEL_BACK;
        behind = behind || part->label == LABEL_WHY || part->label == LABEL_HINT ||
                 part->label == LABEL_FEEDBACK || part->label == LABEL_SOURCE;
        if ((part->kind == PART_NUMBERED || part->kind == PART_TABLE) && !behind)
            reading->key_part = i;
        if (part->label != LABEL_ANSWER)
            continue;
        if (reading->answered) {
            markdown_leave_out(reading, "%s", tr("it has two lines \"Answer:\""));
            return;
        }
        struct text_line first = reading->lines[part->from];
        struct buffer joined;
        markdown_label(&first);
        join_lines(reading, &joined, reading->lines + part->from, part->to - part->from);
        ptrdiff_t gone = first.text - reading->lines[part->from].text;
        reading->answered = true;
        if (!joined.failed &&
            !markdown_answer(reading->import, &reading->question, joined.data + gone, joined.length - gone))
            reading->left_out = true;
        buffer_finish(&joined);
    }
    reading->typed = reading->answered && reading->question.type != QUESTION_TRUE_FALSE;
    if (explicit_key || reading->answered)
        reading->key_part = -1;
}

/* As many as there are, in the arena. */
static void *keep(struct markdown_reading *reading, const void *items, size_t size)
{
    size_t bytes = (size_t)reading->choice_count * size;
    void *kept = bytes ? arena_alloc(&reading->import->arena, (ptrdiff_t)bytes) : NULL;
    reading->import->failed = reading->import->failed || (bytes && !kept);
    if (kept)
        memcpy(kept, items, bytes);
    return kept;
}

static void settle_choices(struct markdown_reading *reading)
{
    struct question *question = &reading->question;
    int correct = 0;
    for (int i = 0; i < reading->choice_count; i++)
        correct += reading->choices[i].correct;
    question->type = correct > 1 || reading->multiple ? QUESTION_MULTIPLE_CHOICE : QUESTION_SINGLE_CHOICE;
    question->key.choices.items = keep(reading, reading->choices, sizeof *reading->choices);
    question->key.choices.count = reading->choice_count;
    question->key.choices.correct = correct;
}

/* The key that was found; false: there is none, or there are two. */
static void settle_key(struct markdown_reading *reading)
{
    struct question *question = &reading->question;
    bool choices = reading->choice_count > 0 && !reading->typed;
    if (choices + reading->answered + reading->recalled > 1) {
        markdown_leave_out(reading, "%s", tr("it has two answers; make two questions of it"));
    } else if (reading->recalled) {
        question->type = QUESTION_RECALL;
        question->key.recall = import_text(reading->import, buffer_get(&reading->back), reading->back.length);
    } else if (choices) {
        settle_choices(reading);
    } else if (reading->typed && question->type == QUESTION_NUMBER) {
        question->key.number.wrongs = keep(reading, reading->wrongs, sizeof *reading->wrongs);
        question->key.number.wrong_count = reading->choice_count;
    } else if (reading->typed) {
        question->key.text.wrongs = keep(reading, reading->wrongs, sizeof *reading->wrongs);
        question->key.text.wrong_count = reading->choice_count;
    } else if (!reading->answered && reading->key_part < 0) {
        markdown_leave_out(reading, "%s",
                           tr("it has no answer: mark the right choice with [x], or write \"Answer:\" or "
                              "\"Back:\", a numbered list or a table of two columns"));
    }
}

/* ---- the heading ---- */

static bool is_id(const struct text_line *text)
{
    if (text->length < 1 || text->length > PACK_ID || text->text[0] == '-')
        return false;
    for (ptrdiff_t i = 0; i < text->length; i++)
        if (!memchr("abcdefghijklmnopqrstuvwxyz0123456789-", text->text[i], 37))
            return false;
    return true;
}

/* "7. ", "7) ", "Question 7: ", "Question 7" before the heading's text, where it is its number. */
static void drop_number(struct import *import, struct text_line *heading, int ordinal, int place)
{
    ptrdiff_t at = line_word(heading->text, heading->length, "question "), digits;
    bool word = at > 0;
    digits = at;
    int number = 0;
    while (at < heading->length && heading->text[at] >= '0' && heading->text[at] <= '9' && number < 1000000)
        number = number * 10 + heading->text[at++] - '0';
    if (at == digits || (number != ordinal && number != place))
        return;
    bool sign = at < heading->length && strchr(".):", heading->text[at]) != NULL;
    bool end = at + sign == heading->length || heading->text[at + sign] == ' ';
    if (!end || (!sign && !word))
        return;
    at += sign;
    import_change(import, tr("its number, \"%.*s\", is left out"), (int)at, heading->text);
    heading->text += at;
    heading->length -= at;
    *heading = line_trim(*heading);
}

static const char *text_of(struct import *import, const struct buffer *text)
{
    import->failed = import->failed || text->failed;
    return text->length ? import_text(import, text->data, text->length) : NULL;
}

static void settle_texts(struct markdown_reading *reading, const struct text_line *heading)
{
    struct import *import = reading->import;
    struct question *question = &reading->question;
    if (!reading->prompt.length && heading->length) /* a word that might have been an id */
        markdown_inline(import, &reading->prompt, heading->text, heading->length, MARKDOWN_MARKED);
    question->prompt = text_of(import, &reading->prompt);
    question->explanation = text_of(import, &reading->why);
    question->feedback = text_of(import, &reading->feedback);
    question->source = text_of(import, &reading->source);
    question->figure = reading->figure;
    question->explanation_figure = reading->why_figure;
    question->tags = reading->tags;
    if (!reading->hint_count)
        return;
    const char **hints = arena_alloc(&import->arena, reading->hint_count * (ptrdiff_t)sizeof *hints);
    import->failed = import->failed || !hints;
    if (hints)
        memcpy(hints, reading->hints, (size_t)reading->hint_count * sizeof *hints);
    question->hints = (struct text_list){ hints, hints ? reading->hint_count : 0 };
}

static void begin_heading(struct markdown_reading *reading, struct text_line *heading, int ordinal, int place)
{
    struct import *import = reading->import;
    drop_number(import, heading, ordinal, place);
    const char *name = arena_text(&import->arena, heading->text, heading->length);
    import->open.name = name && *name ? name : NULL; /* of which an id is made */
    import->failed = import->failed || !name;
    if (is_id(heading)) {
        reading->question.id = arena_text(&import->arena, heading->text, heading->length);
        import->failed = import->failed || !reading->question.id;
    } else if (heading->length) {
        markdown_inline(import, &reading->prompt, heading->text, heading->length, MARKDOWN_MARKED);
    }
}

void markdown_question(struct import *import, const struct text_line *heading, struct text_line *lines,
                       ptrdiff_t count, int ordinal, int place)
{
    struct markdown_reading *reading = memory_zero(sizeof *reading);
    struct text_line title = *heading;
    if (!reading) {
        import->failed = true;
        return;
    }
    reading->import = import;
    reading->lines = lines;
    reading->target = &reading->prompt;
    reading->key_part = -1;
    import_open(import, &reading->question, heading->number, NULL);
    import->failed = import->failed || !markdown_cut(&reading->parts, lines, count);
    if (!import->failed) {
        begin_heading(reading, &title, ordinal, place);
        find_answer(reading);
        read_parts(reading);
    }
    if (!import->failed && !reading->left_out)
        settle_key(reading);
    if (!import->failed && !reading->left_out) {
        settle_texts(reading, &title);
        import_take(import, &reading->question);
    }
    buffer_finish(&reading->prompt);
    buffer_finish(&reading->why);
    buffer_finish(&reading->back);
    buffer_finish(&reading->feedback);
    buffer_finish(&reading->source);
    memory_free(reading->parts.items);
    memory_free(reading);
}
