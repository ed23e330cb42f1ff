/*
 * Writes a pack as Anki's notes in text: a front and a back for each question, as HTML. The prompt with what
 * there is to choose from is the front; the answer, and below a line why, is the back. Notes are told apart
 * by a GUID made of the pack and the question, so that importing a mended pack mends the notes.
 */
#include <quiztutor/exchange.h>
#include <quiztutor/markup.h>
#include <quiztutor/message.h>
#include <quiztutor/number.h>

#include <stdlib.h>
#include <string.h>

struct writing {
    struct export *export;
    struct buffer field; /* one field, before it is quoted */
    struct buffer styled;
};

/* ---- HTML ---- */

static void put_char(struct buffer *out, const char *at, bool *blank)
{
    bool again = *blank;
    *blank = *at == ' ';
    switch (*at) {
    case '&':
        buffer_text(out, "&amp;");
        break;
    case '<':
        buffer_text(out, "&lt;");
        break;
    case '>':
        buffer_text(out, "&gt;");
        break;
    case ' ':
        buffer_text(out, again ? "&nbsp;" : " ");
        break;
    default:
        buffer_char(out, *at);
    }
}

static void put_plain(struct buffer *out, const char *text)
{
    bool blank = false;
    for (; *text; text++) {
        if (*text == '\n')
            buffer_text(out, "<br>");
        else
            put_char(out, text, &blank);
    }
}

/* One line of a paragraph with its styles; *style is the element that is open. */
static const char *put_styled_line(struct buffer *out, const char *at, const char **style)
{
    bool blank = false;
    for (; *at && *at != '\n'; at++) {
        if (*at == MARKUP_EMPHASIS || *at == MARKUP_CODE) {
            *style = *at == MARKUP_CODE ? "code" : "em";
            buffer_print(out, "<%s>", *style);
        } else if (*at == MARKUP_END) {
            buffer_print(out, "</%s>", *style);
            *style = "";
        } else {
            put_char(out, at, &blank);
        }
    }
    return at;
}

static const char *put_code_block(struct buffer *out, const char *at)
{
    buffer_text(out, "<pre><code>");
    while (*at == MARKUP_BLOCK) {
        bool blank = false;
        for (at++; *at && *at != '\n'; at++)
            put_char(out, at, &blank);
        if (at[0] == '\n' && at[1] == MARKUP_BLOCK) {
            buffer_text(out, "<br>");
            at++;
        }
    }
    buffer_text(out, "</code></pre>");
    return at;
}

/* A text that may be in light markup. */
static void put_text(struct writing *writing, const struct question *question, const char *text)
{
    struct buffer *out = &writing->field;
    const char *style = "";
    if (!question->markup) {
        put_plain(out, text);
        return;
    }
    buffer_clear(&writing->styled);
    markup_render(&writing->styled, text, true);
    for (const char *at = buffer_get(&writing->styled); *at;) {
        if (*at == MARKUP_BLOCK) {
            at = put_code_block(out, at);
            at += *at == '\n';
        } else {
            at = put_styled_line(out, at, &style);
            if (*at == '\n' && at[1] != MARKUP_BLOCK)
                buffer_text(out, "<br>");
            at += *at == '\n';
        }
    }
    writing->field.failed = writing->field.failed || writing->styled.failed;
}

static void put_figure(struct buffer *out, const char *figure)
{
    if (!figure)
        return;
    buffer_text(out, "<pre>");
    for (const char *at = figure; *at; at++) {
        bool blank = false;
        if (*at == '\n')
            buffer_text(out, "<br>");
        else
            put_char(out, at, &blank);
    }
    buffer_text(out, "</pre>");
}

/* ---- the two sides ---- */

static int compare_texts(const void *one, const void *other)
{
    const char *const *a = one, *const *b = other;
    return strcmp(*a, *b);
}

/* In alphabetical order: the key's own order would be the answer. */
static void put_sorted(struct writing *writing, const struct text_list *list)
{
    const char *texts[2 * PACK_CHOICES];
    int count = list->count < 2 * PACK_CHOICES ? list->count : 2 * PACK_CHOICES;
    for (int i = 0; i < count; i++)
        texts[i] = list->items[i];
    qsort(texts, (size_t)count, sizeof *texts, compare_texts);
    buffer_text(&writing->field, "<ul>");
    for (int i = 0; i < count; i++) {
        buffer_text(&writing->field, "<li>");
        put_plain(&writing->field, texts[i]);
        buffer_text(&writing->field, "</li>");
    }
    buffer_text(&writing->field, "</ul>");
}

static void put_front_key(struct writing *writing, const struct question *question)
{
    struct buffer *out = &writing->field;
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        buffer_text(out, "<ol type=\"A\">");
        for (int i = 0; i < question->key.choices.count; i++) {
            buffer_text(out, "<li>");
            put_text(writing, question, question->key.choices.items[i].text);
            buffer_text(out, "</li>");
        }
        buffer_text(out, "</ol>");
        if (question->type == QUESTION_MULTIPLE_CHOICE)
            put_plain(out, tr("Choose all that apply."));
        break;
    case QUESTION_TRUE_FALSE:
        buffer_text(out, "<br>");
        put_plain(out, tr("True or false?"));
        break;
    case QUESTION_ORDER:
        put_sorted(writing, &question->key.order);
        break;
    case QUESTION_MATCH:
        put_sorted(writing, &question->key.match.lefts);
        put_sorted(writing, &question->key.match.rights);
        break;
    case QUESTION_NUMBER:
    case QUESTION_TEXT:
    case QUESTION_RECALL:
    case QUESTION_TYPES:
        break;
    }
}

static void put_number(struct writing *writing, const struct number_key *key)
{
    char tolerance[NUMBER_PLAIN];
    struct buffer *out = &writing->field;
    put_plain(out, key->answer);
    if (key->tolerance > 0) {
        number_plain(tolerance, key->relative ? key->tolerance * 100 : key->tolerance);
        buffer_print(out, " ± %s%s", tolerance, key->relative ? " %" : "");
    }
    if (key->unit) {
        buffer_char(out, ' ');
        put_plain(out, key->unit);
    }
}

static void put_texts(struct writing *writing, const struct text_list *list, const char *between)
{
    for (int i = 0; i < list->count; i++) {
        if (i)
            buffer_text(&writing->field, between);
        put_plain(&writing->field, list->items[i]);
    }
}

static void put_choices(struct writing *writing, const struct question *question)
{
    bool more = false;
    for (int i = 0; i < question->key.choices.count; i++) {
        if (!question->key.choices.items[i].correct)
            continue;
        if (more)
            buffer_text(&writing->field, "<br>");
        more = true;
        buffer_print(&writing->field, "%c. ", 'A' + i);
        put_text(writing, question, question->key.choices.items[i].text);
    }
}

static void put_answer(struct writing *writing, const struct question *question)
{
    struct buffer *out = &writing->field;
    const struct match_key *match = &question->key.match;
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        put_choices(writing, question);
        break;
    case QUESTION_TRUE_FALSE:
        put_plain(out, question->key.truth ? tr("True") : tr("False"));
        break;
    case QUESTION_NUMBER:
        put_number(writing, &question->key.number);
        break;
    case QUESTION_TEXT:
        put_texts(writing, &question->key.text.accept, "<br>");
        break;
    case QUESTION_ORDER:
        buffer_text(out, "<ol><li>");
        put_texts(writing, &question->key.order, "</li><li>");
        buffer_text(out, "</li></ol>");
        break;
    case QUESTION_MATCH:
        for (int i = 0; i < match->lefts.count; i++) {
            if (i)
                buffer_text(out, "<br>");
            put_plain(out, match->lefts.items[i]);
            buffer_text(out, " → ");
            put_plain(out, match->rights.items[match->pairs[i]]);
        }
        break;
    case QUESTION_RECALL:
        put_plain(out, question->key.recall);
        break;
    case QUESTION_TYPES:
        break;
    }
}

static void put_front(struct writing *writing, const struct question *question)
{
    const struct pack *pack = writing->export->pack;
    if (question->section && pack->sections[question->section - 1].intro) {
        put_text(writing, question, pack->sections[question->section - 1].intro);
        put_figure(&writing->field, pack->sections[question->section - 1].intro_figure);
        buffer_text(&writing->field, "<br><br>");
    }
    put_text(writing, question, question->prompt);
    put_figure(&writing->field, question->figure);
    put_front_key(writing, question);
}

static void put_back(struct writing *writing, const struct question *question)
{
    put_answer(writing, question);
    buffer_text(&writing->field, "<div class=\"quiztutor-why\"><hr>");
    put_text(writing, question, question->explanation);
    put_figure(&writing->field, question->explanation_figure);
    if (question->source) {
        buffer_text(&writing->field, "<br><br>");
        put_plain(&writing->field, tr("Source:"));
        buffer_char(&writing->field, ' ');
        put_plain(&writing->field, question->source);
    }
    buffer_text(&writing->field, "</div>");
}

/* ---- rows ---- */

/* The field, in quotation marks where something in it would end it. */
static void end_field(struct writing *writing, bool last)
{
    struct buffer *out = &writing->export->out;
    const char *text = buffer_get(&writing->field);
    if (strpbrk(text, "\"\t\n\r") || *text == '#') {
        buffer_char(out, '"');
        for (; *text; text++) {
            if (*text == '"')
                buffer_char(out, '"');
            buffer_char(out, *text);
        }
        buffer_char(out, '"');
    } else {
        buffer_text(out, text);
    }
    buffer_char(out, last ? '\n' : '\t');
    writing->export->failed = writing->export->failed || writing->field.failed || out->failed;
    buffer_clear(&writing->field);
}

/* A part of a deck's name: "::" would part it. */
static void put_deck_part(struct buffer *out, const char *text)
{
    for (; *text; text++) {
        buffer_char(out, *text);
        if (text[0] == ':' && text[1] == ':')
            buffer_char(out, ' ');
    }
}

static void put_deck(struct writing *writing, const struct question *question)
{
    const struct pack *pack = writing->export->pack;
    put_deck_part(&writing->field, pack->title);
    if (!question->section)
        return;
    buffer_text(&writing->field, "::");
    put_deck_part(&writing->field, pack->sections[question->section - 1].title);
}

/* Blanks part Anki's tags. */
static void put_tags(struct writing *writing, const struct question *question)
{
    bool blank = false;
    for (int i = 0; i < question->tags.count; i++) {
        if (i)
            buffer_char(&writing->field, ' ');
        for (const char *c = question->tags.items[i]; *c; c++) {
            blank = blank || *c == ' ' || *c == '\t';
            buffer_char(&writing->field, *c == ' ' || *c == '\t' ? '_' : *c);
        }
    }
    if (blank)
        export_loss(writing->export, question, "%s", tr("blanks in its tags are written as _"));
}

static bool has_feedback(const struct question *question)
{
    bool found = question->feedback != NULL || question->misconception != NULL;
    if (question->type == QUESTION_SINGLE_CHOICE || question->type == QUESTION_MULTIPLE_CHOICE)
        for (int i = 0; i < question->key.choices.count; i++)
            found = found || question->key.choices.items[i].feedback ||
                    question->key.choices.items[i].misconception;
    return found || (question->type == QUESTION_NUMBER && question->key.number.wrong_count) ||
           (question->type == QUESTION_TEXT && question->key.text.wrong_count);
}

static void tell_losses(struct writing *writing, const struct question *question)
{
    struct export *export = writing->export;
    if (question->type != QUESTION_RECALL)
        export_loss(export, question, tr("it becomes a card that is recalled; %s is not asked as such"),
                    question_type_name(question->type));
    if (has_feedback(question))
        export_loss(export, question, "%s", tr("what is told for wrong answers is left out"));
    if (question->hints.count)
        export_loss(export, question, "%s", tr("its hints are left out"));
    if (question->marks != 1)
        export_loss(export, question, "%s", tr("its marks are left out"));
}

static void write_note(struct writing *writing, const struct question *question)
{
    const struct question *shown = export_instance(writing->export, question);
    if (!shown)
        return;
    buffer_print(&writing->field, "%s:%s", writing->export->pack->id, question->id);
    end_field(writing, false);
    put_deck(writing, question);
    end_field(writing, false);
    put_front(writing, shown);
    end_field(writing, false);
    put_back(writing, shown);
    end_field(writing, false);
    put_tags(writing, question);
    end_field(writing, true);
    tell_losses(writing, question);
}

bool anki_write(struct export *export, struct error *error)
{
    const struct pack *pack = export->pack;
    struct writing writing = { .export = export };
    buffer_init(&writing.field);
    buffer_init(&writing.styled);
    buffer_text(&export->out, "#separator:tab\n#html:true\n#guid column:1\n#deck column:2\n#notetype:Basic\n"
                              "#tags column:5\n");
    for (int i = 0; i < pack->question_count && !export->failed; i++)
        write_note(&writing, &pack->questions[i]);
    buffer_finish(&writing.field);
    buffer_finish(&writing.styled);
    return !export->failed || error_memory(error);
}
