/*
 * Writes a pack as Markdown, as markdown.h says it: what it writes reads back as the same questions. Texts
 * are escaped where Markdown, or a label, would be made of them.
 */
#include "markdown.h"
#include "markdown_escape.h"
#include "tolerance.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>

#include <ctype.h>
#include <string.h>
#include <strings.h>

struct writing {
    struct export *export;
    struct buffer *out;
};

/* ---- lines ---- */

static void put_label(struct writing *writing, enum markdown_label label, const char *text, bool marked)
{
    if (!text)
        return;
    buffer_print(writing->out, "\n%s: ", markdown_label_word(label));
    markdown_escape(writing->export, writing->out, text, "", marked);
    buffer_char(writing->out, '\n');
}

static void put_figure(struct writing *writing, const char *figure)
{
    struct buffer *out = writing->out;
    int fence = 3, run = 0;
    if (!figure)
        return;
    for (const char *c = figure; *c; c++) {
        run = *c == '`' ? run + 1 : 0;
        fence = run >= fence ? run + 1 : fence;
    }
    buffer_print(out, "\n%.*s", 0, "");
    for (int i = 0; i < fence; i++)
        buffer_char(out, '`');
    buffer_print(out, "figure\n%s\n", figure);
    for (int i = 0; i < fence; i++)
        buffer_char(out, '`');
    buffer_char(out, '\n');
}

/* A value of a list: in quotation marks where it would be taken for something else without them. */
static void put_item(struct writing *writing, const char *text, char separator, bool quoted)
{
    struct buffer plain;
    quoted = quoted || *text == '"' || strchr(text, separator);
    buffer_init(&plain);
    markdown_escape(writing->export, &plain, text, "", false);
    if (quoted)
        buffer_char(writing->out, '"');
    for (const char *c = buffer_get(&plain); *c; c++) {
        if (*c == '"' && quoted)
            buffer_char(writing->out, '\\');
        buffer_char(writing->out, *c);
    }
    if (quoted)
        buffer_char(writing->out, '"');
    writing->export->failed = writing->export->failed || plain.failed;
    buffer_finish(&plain);
}

/* ---- choices ---- */

static void put_quoted(struct writing *writing, const char *text, bool marked)
{
    buffer_text(writing->out, "  > ");
    markdown_escape(writing->export, writing->out, text, "  > ", marked);
    buffer_char(writing->out, '\n');
}

static void put_quoted_label(struct writing *writing, enum markdown_label label, const char *text)
{
    if (!text)
        return;
    buffer_print(writing->out, "  > %s: ", markdown_label_word(label));
    markdown_escape(writing->export, writing->out, text, "", false);
    buffer_char(writing->out, '\n');
}

static void put_choice(struct writing *writing, const struct choice *choice)
{
    static const char *const pins[] = { NULL, "first", "last" };
    buffer_text(writing->out, choice->correct ? "- [x] " : "- [ ] ");
    markdown_escape(writing->export, writing->out, choice->text, "  ", true);
    buffer_char(writing->out, '\n');
    if (choice->feedback)
        put_quoted(writing, choice->feedback, true);
    put_quoted_label(writing, LABEL_MISCONCEPTION, choice->misconception);
    put_quoted_label(writing, LABEL_ID, choice->id);
    put_quoted_label(writing, LABEL_PIN, pins[choice->pin]);
}

static void put_choices(struct writing *writing, const struct question *question)
{
    buffer_char(writing->out, '\n');
    for (int i = 0; i < question->key.choices.count; i++)
        put_choice(writing, &question->key.choices.items[i]);
    if (question->type == QUESTION_MULTIPLE_CHOICE && question->key.choices.correct == 1)
        buffer_print(writing->out, "\nType: %s\n", question_type_name(QUESTION_MULTIPLE_CHOICE));
}

static void put_wrongs(struct writing *writing, const struct question *question,
                       const struct known_wrong *wrongs, int count)
{
    if (count)
        buffer_char(writing->out, '\n');
    for (int i = 0; i < count && i < MARKDOWN_WRONGS; i++) {
        buffer_text(writing->out, "- [ ] ");
        markdown_escape(writing->export, writing->out, wrongs[i].value, "  ", false);
        buffer_char(writing->out, '\n');
        if (wrongs[i].feedback)
            put_quoted(writing, wrongs[i].feedback, true);
        put_quoted_label(writing, LABEL_MISCONCEPTION, wrongs[i].misconception);
    }
    if (count > MARKDOWN_WRONGS)
        export_loss(writing->export, question, tr("known wrong answers beyond the first %d are left out"),
                    MARKDOWN_WRONGS);
}

/* ---- what is typed ---- */

/* A unit in one word, of letters first, may stand behind the number. */
static bool is_simple_unit(const char *unit)
{
    return isalpha((unsigned char)*unit) && !strpbrk(unit, " \t|\\\"") && !strstr(unit, "±") &&
           !strchr(unit, '+');
}

static void put_number(struct writing *writing, const struct question *question)
{
    const struct number_key *key = &question->key.number;
    char tolerance[TOLERANCE_TEXT];
    bool simple = key->unit && is_simple_unit(key->unit);
    buffer_print(writing->out, "\nAnswer: %s", key->answer);
    if (tolerance_write(tolerance, key))
        buffer_print(writing->out, " ± %s", tolerance);
    if (simple) {
        buffer_char(writing->out, ' ');
        markdown_escape(writing->export, writing->out, key->unit, "", false);
    }
    buffer_char(writing->out, '\n');
    if (key->unit && !simple)
        put_label(writing, LABEL_UNIT, key->unit, false);
    if (key->significant_figures)
        buffer_print(writing->out, "\n%s: %d\n", markdown_label_word(LABEL_FIGURES),
                     key->significant_figures);
    put_wrongs(writing, question, key->wrongs, key->wrong_count);
}

/* Whether "Answer: TEXT" would be a number, or true or false, or could be meant so. */
static bool needs_quotes(const char *text)
{
    return strchr("0123456789+-.", *text) || strncmp(text, "\xe2\x88\x92", 3) == 0 || strstr(text, "±") ||
           strcasecmp(text, "true") == 0 || strcasecmp(text, "false") == 0 || strcasecmp(text, "yes") == 0 ||
           strcasecmp(text, "no") == 0;
}

static void put_texts(struct writing *writing, const struct question *question)
{
    const struct text_key *key = &question->key.text;
    bool more = false;
    buffer_text(writing->out, "\nAnswer: ");
    for (int i = 0; i < key->accept.count; i++) {
        if (i)
            buffer_text(writing->out, " | ");
        put_item(writing, key->accept.items[i], '|',
                 key->accept.count == 1 && needs_quotes(key->accept.items[i]));
    }
    buffer_char(writing->out, '\n');
    if (key->ignore != (IGNORE_CASE | IGNORE_SPACES)) {
        buffer_print(writing->out, "\n%s: %s", markdown_label_word(LABEL_IGNORE),
                     key->ignore ? "" : "nothing");
        for (unsigned bit = IGNORE_CASE; bit <= IGNORE_SPACES; bit <<= 1) {
            if (!(key->ignore & bit))
                continue;
            buffer_print(writing->out, "%s%s", more ? ", " : "", text_ignore_name((enum text_ignore)bit));
            more = true;
        }
        buffer_char(writing->out, '\n');
    }
    put_wrongs(writing, question, key->wrongs, key->wrong_count);
}

/* ---- lists ---- */

static void put_order(struct writing *writing, const struct text_list *list)
{
    buffer_char(writing->out, '\n');
    for (int i = 0; i < list->count; i++) {
        buffer_print(writing->out, "%d. ", i + 1);
        markdown_escape(writing->export, writing->out, list->items[i], i < 9 ? "   " : "    ", false);
        buffer_char(writing->out, '\n');
    }
}

/* A cell is in one line: its line breaks are <br>. */
static void put_cell(struct writing *writing, const char *text)
{
    struct buffer cell;
    buffer_init(&cell);
    markdown_escape_cell(writing->export, &cell, text);
    buffer_print(writing->out, "| %s ", buffer_get(&cell));
    writing->export->failed = writing->export->failed || cell.failed;
    buffer_finish(&cell);
}

static void put_match(struct writing *writing, const struct match_key *key)
{
    buffer_text(writing->out, "\n| Left | Right |\n| --- | --- |\n");
    for (int i = 0; i < key->lefts.count; i++) {
        put_cell(writing, key->lefts.items[i]);
        put_cell(writing, key->rights.items[key->pairs[i]]);
        buffer_text(writing->out, "|\n");
    }
    for (int i = key->paired; i < key->rights.count; i++) {
        buffer_text(writing->out, "| ");
        put_cell(writing, key->rights.items[i]);
        buffer_text(writing->out, "|\n");
    }
}

static void put_key(struct writing *writing, const struct question *question)
{
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        put_choices(writing, question);
        break;
    case QUESTION_TRUE_FALSE:
        buffer_print(writing->out, "\nAnswer: %s\n", question->key.truth ? "true" : "false");
        break;
    case QUESTION_NUMBER:
        put_number(writing, question);
        break;
    case QUESTION_TEXT:
        put_texts(writing, question);
        break;
    case QUESTION_ORDER:
        put_order(writing, &question->key.order);
        break;
    case QUESTION_MATCH:
        put_match(writing, &question->key.match);
        break;
    case QUESTION_RECALL:
        put_label(writing, LABEL_BACK, question->key.recall, false);
        break;
    case QUESTION_TYPES:
        break;
    }
}

/* ---- questions ---- */

static void put_rest(struct writing *writing, const struct question *question)
{
    char marks[NUMBER_PLAIN];
    put_label(writing, LABEL_FEEDBACK, question->feedback, true);
    put_label(writing, LABEL_MISCONCEPTION, question->misconception, false);
    for (int i = 0; i < question->hints.count && i < MARKDOWN_HINTS; i++)
        put_label(writing, LABEL_HINT, question->hints.items[i], true);
    if (question->hints.count > MARKDOWN_HINTS)
        export_loss(writing->export, question, tr("hints beyond the first %d are left out"), MARKDOWN_HINTS);
    put_label(writing, LABEL_WHY, question->explanation, true);
    put_figure(writing, question->explanation_figure);
    put_label(writing, LABEL_SOURCE, question->source, false);
    if (question->tags.count) {
        buffer_print(writing->out, "\n%s: ", markdown_label_word(LABEL_TAGS));
        for (int i = 0; i < question->tags.count; i++) {
            if (i)
                buffer_text(writing->out, ", ");
            put_item(writing, question->tags.items[i], ',', false);
        }
        buffer_char(writing->out, '\n');
    }
    if (question->marks != 1) {
        number_plain(marks, question->marks);
        put_label(writing, LABEL_MARKS, marks, false);
    }
    if (question->marking != MARKING_ALL_OR_NOTHING)
        put_label(writing, LABEL_MARKING, marking_rule_name(question->marking), false);
    if (!question->shuffle)
        put_label(writing, LABEL_SHUFFLE, "false", false);
}

static void put_question(struct writing *writing, const struct question *question)
{
    buffer_print(writing->out, "\n### %s\n\n", question->id);
    markdown_escape(writing->export, writing->out, question->prompt, "", true);
    buffer_char(writing->out, '\n');
    put_figure(writing, question->figure);
    put_key(writing, question);
    put_rest(writing, question);
}

static void put_section(struct writing *writing, const struct section *section)
{
    buffer_text(writing->out, "\n## ");
    markdown_escape_heading(writing->export, writing->out, section->title);
    buffer_char(writing->out, '\n');
    if (section->pick != section->count)
        buffer_print(writing->out, "\n%s: %d\n", markdown_label_word(LABEL_PICK), section->pick);
    if (section->intro) {
        buffer_char(writing->out, '\n');
        markdown_escape(writing->export, writing->out, section->intro, "", true);
        buffer_char(writing->out, '\n');
    }
    put_figure(writing, section->intro_figure);
}

static void put_head(struct writing *writing)
{
    const struct pack *pack = writing->export->pack;
    struct export_losses losses;
    buffer_text(writing->out, "# ");
    markdown_escape_heading(writing->export, writing->out, pack->title);
    buffer_char(writing->out, '\n');
    put_label(writing, LABEL_ID, pack->id, false);
    if (strcmp(pack->language, "en") != 0)
        put_label(writing, LABEL_LANGUAGE, pack->language, false);
    if (pack->description) {
        buffer_char(writing->out, '\n');
        markdown_escape(writing->export, writing->out, pack->description, "", false);
        buffer_char(writing->out, '\n');
    }
    export_losses_init(&losses);
    export_losses_add(&losses, pack->strapline != NULL, N_("the strapline"));
    export_losses_add(&losses, pack->subject || pack->topic || pack->ages, N_("subject, topic and ages"));
    export_losses_add(&losses, pack->authors.count > 0, N_("the authors"));
    export_losses_add(&losses, pack->licence.count > 0, N_("the licence"));
    export_losses_add(&losses, pack->source.count > 0, N_("the source"));
    export_losses_add(&losses, pack->publisher_name || pack->publisher_site, N_("the publisher"));
    export_losses_add(&losses, pack->shuffle == SHUFFLE_NONE, N_("that its questions keep their order"));
    export_losses_add(&losses, pack->exam_minutes > 0 || pack->exam_pass > 0, N_("what exams are like"));
    export_losses_tell(&losses, writing->export, NULL);
}

bool markdown_write(struct export *export, struct error *error)
{
    const struct pack *pack = export->pack;
    struct writing writing = { .export = export, .out = &export->out };
    int section = 0;
    put_head(&writing);
    for (int i = 0; i < pack->question_count && !export->failed; i++) {
        const struct question *question = export_instance(export, &pack->questions[i]);
        if (!question)
            break;
        if (question->section != section) {
            section = question->section;
            put_section(&writing, &pack->sections[section - 1]);
        }
        put_question(&writing, question);
    }
    export->failed = export->failed || export->out.failed;
    return !export->failed || error_memory(error);
}
