/*
 * Writes a pack as Anki's notes in text: a front and a back for each question, as HTML. The prompt with what
 * there is to choose from is the front; the answer, and below a line why, is the back. Notes are told apart
 * by a GUID made of the pack and the question, so that importing a mended pack mends the notes.
 */
#include "export_head.h"
#include "tolerance.h"

#include <quiztutor/exchange.h>
#include <quiztutor/message.h>

#include <stdlib.h>
#include <string.h>

struct writing {
    struct export *export;
    struct buffer field; /* one field, before it is quoted */
};

static void put_plain(struct buffer *out, const char *text)
{
    export_html_bare(out, text);
}

/* A text that may be in light markup. */
static void put_text(struct writing *writing, const char *text)
{
    export_html(writing->export, &writing->field, text, true);
}

static void put_figure(struct buffer *out, const char *figure)
{
    if (figure)
        export_html_figure(out, figure);
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
            put_text(writing, question->key.choices.items[i].text);
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
    char tolerance[TOLERANCE_TEXT];
    struct buffer *out = &writing->field;
    put_plain(out, key->answer);
    if (tolerance_write(tolerance, key))
        buffer_print(out, " ± %s", tolerance);
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
        put_text(writing, question->key.choices.items[i].text);
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
        put_text(writing, pack->sections[question->section - 1].intro);
        put_figure(&writing->field, pack->sections[question->section - 1].intro_figure);
        buffer_text(&writing->field, "<br><br>");
    }
    put_text(writing, question->prompt);
    put_figure(&writing->field, question->figure);
    put_front_key(writing, question);
}

static void put_back(struct writing *writing, const struct question *question)
{
    put_answer(writing, question);
    buffer_text(&writing->field, "<div class=\"quiztutor-why\"><hr>");
    put_text(writing, question->explanation);
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
    struct export_losses losses;
    export_losses_init(&losses);
    export_losses_add(&losses, question->type != QUESTION_RECALL,
                      N_("how it is answered: it becomes a card"));
    export_losses_add(&losses, has_feedback(question), N_("what is told of wrong answers"));
    export_losses_add(&losses, question->hints.count > 0, N_("its hints"));
    export_losses_add(&losses, question->marks != 1, N_("its marks"));
    export_losses_tell(&losses, export, question);
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

/* What is told once. */
static void tell_decks(struct export *export)
{
    bool parted = strstr(export->pack->title, "::") != NULL;
    for (int i = 0; i < export->pack->section_count; i++)
        parted = parted || strstr(export->pack->sections[i].title, "::");
    if (parted)
        export_loss(export, NULL, "%s", tr("\"::\" in a title would part decks: it is written as \": :\""));
}

bool anki_write(struct export *export, struct error *error)
{
    const struct pack *pack = export->pack;
    struct writing writing = { .export = export };
    buffer_init(&writing.field);
    tell_decks(export);
    export_head_losses(export, 0);
    buffer_text(&export->out, "#separator:tab\n#html:true\n#guid column:1\n#deck column:2\n#notetype:Basic\n"
                              "#tags column:5\n");
    for (int i = 0; i < pack->question_count && !export->failed; i++)
        write_note(&writing, &pack->questions[i]);
    buffer_finish(&writing.field);
    return !export->failed || error_memory(error);
}
