/* GIFT written: what Moodle's own importer, and ours, make of it is what the pack says. */
#include "export_head.h"

#include <quiztutor/exchange.h>

#include <quiztutor/message.h>
#include <quiztutor/number.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The format that a question's texts are in. */
enum style { STYLE_MOODLE, STYLE_PLAIN, STYLE_HTML };
static const char *const style_names[] = { "[moodle]", "[plain]", "[html]" };

struct gift_out {
    struct export *export;
    struct buffer *out, html;
    enum style style;
    bool kept_order; /* of the whole pack: told once */
};

/* ---- texts ---- */

static void put_escaped(struct gift_out *gift, const char *text)
{
    struct buffer *out = gift->out;
    while (*text) {
        size_t run = strcspn(text, "\\#=~{}:\n");
        buffer_add(out, text, (ptrdiff_t)run);
        text += run;
        if (!*text)
            break;
        buffer_char(out, '\\');
        buffer_char(out, *text == '\n' ? 'n' : *text);
        text++;
    }
}

/* What would be read as the name of a format, or as a weight, if it began a text. */
static bool needs_format(const char *text)
{
    return *text == '%' || strncmp(text, "[html]", 6) == 0 || strncmp(text, "[plain]", 7) == 0 ||
           strncmp(text, "[moodle]", 8) == 0 || strncmp(text, "[markdown]", 10) == 0;
}

enum kind { KIND_TEXT, KIND_CHOICE, KIND_BARE /* the side of a pair */ };

/* A text in the question's format. */
static void put_text(struct gift_out *gift, const char *text, enum kind kind)
{
    if (gift->style != STYLE_HTML) {
        text = kind == KIND_BARE ? text : export_plain(gift->export, text);
        if (needs_format(text))
            buffer_text(gift->out, style_names[gift->style]);
        put_escaped(gift, text);
        return;
    }
    buffer_clear(&gift->html);
    if (kind == KIND_BARE)
        export_html_bare(&gift->html, text);
    else
        export_html(gift->export, &gift->html, text, kind == KIND_CHOICE);
    if (needs_format(buffer_get(&gift->html)))
        buffer_text(gift->out, style_names[gift->style]);
    put_escaped(gift, buffer_get(&gift->html));
    gift->export->failed = gift->export->failed || gift->html.failed;
}

static void put_feedback(struct gift_out *gift, const char *feedback)
{
    if (!feedback)
        return;
    buffer_char(gift->out, '#');
    put_text(gift, feedback, KIND_TEXT);
}

/* A typed answer, in which * would stand for any letters. */
static void put_typed(struct gift_out *gift, const char *text)
{
    if (needs_format(text))
        buffer_text(gift->out, style_names[gift->style == STYLE_HTML ? STYLE_PLAIN : gift->style]);
    for (const char *star; (star = strchr(text, '*')) != NULL; text = star + 1) {
        char part[PACK_RESPONSE + 1];
        snprintf(part, sizeof part, "%.*s", (int)(star - text), text);
        put_escaped(gift, part);
        buffer_text(gift->out, "\\\\*");
    }
    put_escaped(gift, text);
}

/* ---- keys ---- */

/* A share of 100 with the five decimals that Moodle keeps. */
static void put_weight(struct gift_out *gift, double share)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%.5f", share);
    size_t length = strlen(digits);
    while (digits[length - 1] == '0')
        digits[--length] = '\0';
    if (digits[length - 1] == '.')
        digits[--length] = '\0';
    buffer_print(gift->out, "%%%s%%", digits);
}

static void put_choices(struct gift_out *gift, const struct question *question)
{
    bool many = question->type == QUESTION_MULTIPLE_CHOICE;
    int correct = question->key.choices.correct;
    double each = 100.0 / correct, taken = question->marking == MARKING_ALL_OR_NOTHING ? -100 : -each;
    buffer_char(gift->out, '\n');
    for (int i = 0; i < question->key.choices.count; i++) {
        const struct choice *choice = &question->key.choices.items[i];
        buffer_text(gift->out, choice->correct && !many ? "\t=" : "\t~");
        if (many)
            put_weight(gift, choice->correct ? each : taken);
        put_text(gift, choice->text, KIND_CHOICE);
        put_feedback(gift, choice->feedback);
        buffer_char(gift->out, '\n');
    }
    if (many && question->marking == MARKING_ALL_OR_NOTHING)
        export_loss(gift->export, question, "%s",
                    tr("all or nothing: in GIFT some of the right choices give a part of the mark"));
    if (many && question->marking == MARKING_EACH_DECISION)
        export_loss(gift->export, question, "%s",
                    tr("each decision counted: in GIFT each right choice gives, and each wrong one takes"));
    if (many && correct > 10 && correct != 20)
        export_loss(gift->export, question, tr("Moodle has no weight of %.5f %%, and takes the nearest"),
                    each);
}

/* Digits in ASCII: a minus sign is a hyphen there. */
static void put_digits(struct gift_out *gift, const char *digits)
{
    for (; *digits; digits++) {
        bool minus = strncmp(digits, "\xe2\x88\x92", 3) == 0;
        buffer_char(gift->out, minus ? '-' : *digits);
        digits += minus ? 2 : 0;
    }
}

static void put_number(struct gift_out *gift, const struct question *question)
{
    const struct number_key *key = &question->key.number;
    double tolerance = key->tolerance * (key->relative ? fabs(key->value) : 1);
    char digits[NUMBER_PLAIN];
    bool more = key->wrong_count || question->explanation;
    buffer_text(gift->out, more ? "#\n\t=" : "#");
    put_digits(gift, key->answer);
    if (tolerance > 0) {
        number_plain(digits, tolerance);
        buffer_print(gift->out, ":%s", digits);
    }
    buffer_text(gift->out, more ? "\n" : "");
    for (int i = 0; i < key->wrong_count; i++) {
        buffer_text(gift->out, "\t=%0%");
        put_digits(gift, key->wrongs[i].value);
        put_feedback(gift, key->wrongs[i].feedback);
        buffer_char(gift->out, '\n');
    }
    if (key->relative)
        export_loss(gift->export, question, tr("a tolerance in per cent is written as %s"), digits);
}

static void put_texts(struct gift_out *gift, const struct question *question)
{
    const struct text_key *key = &question->key.text;
    buffer_char(gift->out, '\n');
    for (int i = 0; i < key->accept.count; i++) {
        buffer_text(gift->out, "\t=");
        put_typed(gift, key->accept.items[i]);
        buffer_char(gift->out, '\n');
    }
    for (int i = 0; i < key->wrong_count; i++) {
        if (!key->wrongs[i].feedback)
            continue;
        buffer_text(gift->out, "\t=%0%");
        put_typed(gift, key->wrongs[i].value);
        put_feedback(gift, key->wrongs[i].feedback);
        buffer_char(gift->out, '\n');
    }
    if (key->ignore != (IGNORE_CASE | IGNORE_SPACES))
        export_loss(gift->export, question, "%s", tr("GIFT ignores case and nothing else in what is typed"));
}

static void put_pairs(struct gift_out *gift, const struct question *question)
{
    const struct match_key *key = &question->key.match;
    buffer_char(gift->out, '\n');
    for (int i = 0; i < key->lefts.count; i++) {
        buffer_text(gift->out, "\t=");
        put_text(gift, key->lefts.items[i], KIND_BARE);
        buffer_text(gift->out, " -> ");
        put_escaped(gift, key->rights.items[key->pairs[i]]);
        buffer_char(gift->out, '\n');
    }
    for (int i = key->paired; i < key->rights.count; i++) {
        buffer_text(gift->out, "\t= -> ");
        put_escaped(gift, key->rights.items[i]);
        buffer_char(gift->out, '\n');
    }
}

static void put_key(struct gift_out *gift, const struct question *question)
{
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        put_choices(gift, question);
        break;
    case QUESTION_TRUE_FALSE:
        buffer_text(gift->out, question->key.truth ? "TRUE" : "FALSE");
        put_feedback(gift, question->feedback);
        break;
    case QUESTION_NUMBER:
        put_number(gift, question);
        break;
    case QUESTION_TEXT:
        put_texts(gift, question);
        break;
    case QUESTION_MATCH:
        put_pairs(gift, question);
        break;
    case QUESTION_ORDER:
    case QUESTION_RECALL:
    case QUESTION_TYPES:
        break;
    }
}

/* ---- questions ---- */

static bool has_arrow(const char *text)
{
    return text && strstr(text, "->");
}

/* Moodle takes an arrow anywhere between the braces for a pair's. HTML can hide it, but not in typed answers.
 */
static bool arrows(const struct question *question, bool *typed)
{
    bool hidden = false;
    *typed = false;
    if (question->type == QUESTION_TEXT) {
        const struct text_key *key = &question->key.text;
        for (int i = 0; i < key->accept.count; i++)
            *typed = *typed || has_arrow(key->accept.items[i]);
        for (int i = 0; i < key->wrong_count; i++) {
            *typed = *typed || has_arrow(key->wrongs[i].value);
            hidden = hidden || has_arrow(key->wrongs[i].feedback);
        }
    }
    for (int i = 0; question->type == QUESTION_MATCH && i < question->key.match.lefts.count; i++)
        hidden = hidden || has_arrow(question->key.match.lefts.items[i]);
    return hidden;
}

static bool is_html(const char *text)
{
    return text && strpbrk(text, "<&");
}

/* Whether one of the texts would be taken for HTML. */
static bool looks_like_html(const struct question *question)
{
    bool found = is_html(question->prompt) || is_html(question->explanation) || is_html(question->feedback);
    if (question->type == QUESTION_SINGLE_CHOICE || question->type == QUESTION_MULTIPLE_CHOICE)
        for (int i = 0; i < question->key.choices.count; i++)
            found = found || is_html(question->key.choices.items[i].text) ||
                    is_html(question->key.choices.items[i].feedback);
    if (question->type == QUESTION_MATCH)
        for (int i = 0; i < question->key.match.lefts.count; i++)
            found = found || is_html(question->key.match.lefts.items[i]);
    return found;
}

static void tell_losses(struct gift_out *gift, const struct question *question)
{
    struct export_losses losses;
    bool pins = false, misconceptions = question->misconception != NULL, ids = false;
    const struct known_wrong *wrongs = NULL;
    int count = 0;
    if (question->type == QUESTION_SINGLE_CHOICE || question->type == QUESTION_MULTIPLE_CHOICE)
        for (int i = 0; i < question->key.choices.count; i++) {
            pins = pins || question->key.choices.items[i].pin != PIN_NONE;
            misconceptions = misconceptions || question->key.choices.items[i].misconception;
            ids = ids || question->key.choices.items[i].id;
        }
    if (question->type == QUESTION_NUMBER)
        wrongs = question->key.number.wrongs, count = question->key.number.wrong_count;
    if (question->type == QUESTION_TEXT)
        wrongs = question->key.text.wrongs, count = question->key.text.wrong_count;
    for (int i = 0; i < count; i++)
        misconceptions = misconceptions || wrongs[i].misconception;
    bool number = question->type == QUESTION_NUMBER;
    export_losses_init(&losses);
    export_losses_add(&losses, question->hints.count > 0, N_("hints"));
    export_losses_add(&losses, question->marks != 1, N_("marks"));
    export_losses_add(&losses, question->source != NULL, N_("source"));
    export_losses_add(&losses, !question->shuffle && !gift->kept_order, N_("that nothing is shuffled"));
    export_losses_add(&losses, pins, N_("pinned choices"));
    export_losses_add(&losses, ids, N_("ids of choices"));
    export_losses_add(&losses, misconceptions, N_("misconceptions"));
    export_losses_add(&losses, question->type == QUESTION_MATCH && question->feedback, N_("feedback"));
    export_losses_add(&losses, number && question->key.number.unit, N_("the unit"));
    export_losses_add(&losses, number && question->key.number.significant_figures, N_("significant figures"));
    export_losses_tell(&losses, gift->export, question);
}

/* "[id:…] [tag:…]" in a comment, as Moodle's newer importers take them. */
static void put_comment(struct gift_out *gift, const struct question *question)
{
    buffer_print(gift->out, "// [id:%s]", question->id);
    for (int i = 0; i < question->tags.count; i++) {
        buffer_text(gift->out, " [tag:");
        for (const char *c = question->tags.items[i]; *c; c++) {
            if (*c == ']')
                buffer_char(gift->out, '\\');
            buffer_char(gift->out, *c);
        }
        buffer_char(gift->out, ']');
    }
    buffer_char(gift->out, '\n');
}

static void put_question(struct gift_out *gift, const struct question *question)
{
    bool typed, hidden = arrows(question, &typed);
    bool none = question->type == QUESTION_ORDER || question->type == QUESTION_RECALL;
    if (none || typed) {
        export_loss(gift->export, question, "%s",
                    none ? tr("GIFT has no such question; it is left out")
                         : tr("GIFT can't hold -> in a typed answer; it is left out"));
        return;
    }
    bool html = hidden || question->figure || question->explanation_figure || gift->export->pack->markup;
    gift->style = html ? STYLE_HTML : looks_like_html(question) ? STYLE_PLAIN : STYLE_MOODLE;
    put_comment(gift, question);
    buffer_print(gift->out, "::%s::", question->id);
    buffer_text(gift->out, gift->style == STYLE_MOODLE ? "" : style_names[gift->style]);
    put_text(gift, question->prompt, KIND_TEXT);
    if (question->figure) {
        buffer_clear(&gift->html);
        export_html_figure(&gift->html, question->figure);
        put_escaped(gift, buffer_get(&gift->html));
    }
    buffer_text(gift->out, " {");
    put_key(gift, question);
    bool lines = question->type != QUESTION_TRUE_FALSE;
    buffer_text(gift->out, lines ? "\t####" : "####");
    put_text(gift, question->explanation, KIND_TEXT);
    if (question->explanation_figure) {
        buffer_clear(&gift->html);
        export_html_figure(&gift->html, question->explanation_figure);
        put_escaped(gift, buffer_get(&gift->html));
    }
    buffer_text(gift->out, lines ? "\n}\n\n" : "}\n\n");
    tell_losses(gift, question);
}

static void put_category(struct gift_out *gift, const struct section *section)
{
    buffer_text(gift->out, "$CATEGORY: $course$/top/");
    const char *part = section->title; /* "A / B" is B inside A; another slash is doubled */
    for (const char *end; part; part = end ? end + 3 : NULL) {
        end = strstr(part, " / ");
        ptrdiff_t length = end ? end - part : (ptrdiff_t)strlen(part);
        buffer_text(gift->out, *part == '/' ? " " : ""); /* as Moodle keeps a slash apart at an end */
        for (ptrdiff_t i = 0; i < length; i++) {
            if (part[i] == '/' || part[i] == '\\')
                buffer_char(gift->out, part[i]);
            buffer_char(gift->out, part[i]);
        }
        buffer_text(gift->out, length && part[length - 1] == '/' ? " " : "");
        buffer_text(gift->out, end ? "/" : "\n\n");
    }
    if (section->intro || section->intro_figure || section->pick != section->count)
        export_loss(gift->export, NULL, tr("of the section \"%s\" only its title is kept"), section->title);
}

bool gift_write(struct export *export, struct error *error)
{
    const struct pack *pack = export->pack;
    struct gift_out gift = { .export = export, .out = &export->out };
    int section = 0;
    buffer_init(&gift.html);
    buffer_print(gift.out, "// %s\n\n", pack->title);
    gift.kept_order = pack->shuffle == SHUFFLE_NONE;
    if (gift.kept_order)
        export_loss(export, NULL, "%s", tr("left out: that nothing is shuffled"));
    export_head_losses(export, EXPORT_PICKS | EXPORT_INTROS | EXPORT_FIGURES); /* told section by section */
    for (int i = 0; i < pack->question_count && !export->failed; i++) {
        const struct question *question = export_instance(export, &pack->questions[i]);
        if (!question)
            break;
        if (question->section != section) {
            section = question->section;
            put_category(&gift, &pack->sections[section - 1]);
        }
        put_question(&gift, question);
    }
    bool failed = export->failed || export->out.failed || gift.html.failed;
    buffer_finish(&gift.html);
    return !failed || error_memory(error);
}
