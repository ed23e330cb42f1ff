/* `number` and `text`: answers that are typed. */
#include "pack_loader.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void read_answer(struct loader *loader, const struct field *field, const struct node *value,
                        void *target)
{
    struct number_draft *draft = target;
    draft->place = value->place;
    draft->answer = field_take_line(loader, field->name, value);
}

/* A number from 0 on, or per cent of the answer: "5%". */
static void read_tolerance(struct loader *loader, const struct field *field, const struct node *value,
                           void *target)
{
    struct number_draft *draft = target;
    char quote[REPORT_QUOTE];
    struct place place = value->place;
    const char *text = field_take_line(loader, field->name, value);
    if (!text)
        return;
    struct number number;
    ptrdiff_t length = (ptrdiff_t)strlen(text);
    bool share = length > 0 && text[length - 1] == '%';
    for (length -= share; share && length > 0 && text[length - 1] == ' ';)
        length--;
    if (number_read(&number, text, length, false) != NUMBER_FINE) {
        report_error(loader->report, &place, "number", tr("write a number like 0.5, or per cent like 5%"),
                     tr("%s: %s is not a number"), field->name,
                     report_quote(quote, text, (ptrdiff_t)strlen(text)));
    } else if (number.value < 0 || (share && number.value > 100)) {
        report_error(loader->report, &place, "range",
                     share ? tr("write per cent from 0 to 100") : tr("write a number from 0 on"),
                     tr("%s: %s is out of range"), field->name,
                     report_quote(quote, text, (ptrdiff_t)strlen(text)));
    } else {
        draft->tolerance = share ? number.value / 100 : number.value;
        draft->relative = share;
    }
}

static void read_figures(struct loader *loader, const struct field *field, const struct node *value,
                         void *target)
{
    double figures;
    struct place place = value->place;
    if (!field_take_number(loader, field->name, value, &figures))
        return;
    if (figures >= 1 && figures <= PACK_FIGURES && figures == (double)(int)figures)
        *(int *)target = (int)figures;
    else
        report_error(loader->report, &place, "range", tr("write how many figures an answer has"),
                     tr("%s: must be a whole number from 1 to %d"), field->name, PACK_FIGURES);
}

#define ROW(name, read, member)                                                                              \
    {                                                                                                        \
        name, read, offsetof(struct number_draft, member), false, NULL                                       \
    }

static const struct field number_rows[] = {
    { "answer", read_answer, 0, true, NULL },
    { "tolerance", read_tolerance, 0, false, NULL },
    ROW("unit", field_line, unit),
    ROW("significant_figures", read_figures, figures),
    { "wrong", wrong_read, offsetof(struct number_draft, wrongs), false, NULL },
};
static const struct fields number_fields = { number_rows, sizeof number_rows / sizeof *number_rows,
                                             N_("a number"), NULL };

void number_key_read(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    struct question_draft *draft = target;
    struct seen seen;
    struct place place = value->place;
    if (value->kind != NODE_MAPPING) {
        read_answer(loader, field, value, &draft->number);
        return;
    }
    fields_read(loader, &number_fields, &draft->number, &place, &seen);
}

/* How to write what is no number: what it looks like decides. */
static const char *number_hint(const char *text)
{
    size_t digits = strspn(text, "+-0123456789.");
    const char *rest = text + digits + strspn(text + digits, " ");
    if (strchr(text, ','))
        return form_comma_hint(text);
    if (digits && (strstr(text, "±") || strstr(text, "+/-") || strstr(text, "+-")))
        return tr("how far off is right still is for the key \"tolerance\"");
    if (text[strspn(text, "+-")] == '.')
        return tr("write a digit before the decimal point: 0.5");
    if (digits && (*rest == '_' || *rest == '\'' || (rest > text + digits && *rest >= '0' && *rest <= '9')))
        return tr("write the digits with nothing between them: 1000");
    if (digits && *rest && *rest != 'x' && *rest != 'X' && !strpbrk(rest, "+-*/()^"))
        return tr("write the digits alone; what they count is for the key \"unit\"");
    return tr("write digits; a name or an expression needs \"given\"");
}

/* Digits that stand for themselves; what else it may be is for parameters_check. */
static bool is_number(struct loader *loader, const char *name, const char *text, const struct place *place,
                      double *value)
{
    char quote[REPORT_QUOTE];
    if (form_number(text, value))
        return true;
    report_error(loader->report, place, "number", number_hint(text), tr("%s: %s is not a number"), name,
                 report_quote(quote, text, (ptrdiff_t)strlen(text)));
    return false;
}

bool number_key_accepts(const struct number_key *key, double value)
{
    double answer = key->value, tolerance = key->relative ? key->tolerance * fabs(answer) : key->tolerance;
    if (key->significant_figures) {
        answer = number_round(answer, key->significant_figures);
        value = number_round(value, key->significant_figures);
    }
    double larger = fabs(answer) > fabs(tolerance) ? fabs(answer) : fabs(tolerance);
    return fabs(value - answer) <= tolerance + 1e-9 * larger;
}

void number_key_settle(struct loader *loader, struct question_draft *draft, bool parametrised)
{
    struct number_draft *from = &draft->number;
    struct number_key *key = &draft->question.key.number;
    *key = (struct number_key){ .answer = from->answer,
                                .tolerance = from->tolerance,
                                .relative = from->relative,
                                .unit = from->unit,
                                .significant_figures = from->figures,
                                .wrongs = from->wrongs.items,
                                .wrong_count = from->wrongs.count };
    if (!from->answer || parametrised)
        return;
    bool sound = is_number(loader, "number", from->answer, &from->place, &key->value);
    for (int i = 0; i < from->wrongs.count; i++) {
        struct known_wrong *wrong = &from->wrongs.items[i];
        const struct place *place = &from->wrongs.places[i];
        if (is_number(loader, "wrong", wrong->value, place, &wrong->number) && sound &&
            number_key_accepts(key, wrong->number))
            report_error(loader->report, place, "wrong-is-right",
                         tr("change it, or make the tolerance smaller"),
                         tr("wrong: %s lies inside the tolerance, so it is right"), wrong->value);
    }
}

/* The words of `ignore`, in the order of the bits. */
static const char *const ignore_names[] = { "case", "accents", "punctuation", "spaces" };

const char *text_ignore_name(enum text_ignore bit)
{
    for (unsigned i = 0; i < 4; i++)
        if (bit == 1u << i)
            return ignore_names[i];
    return NULL;
}

static void read_ignore(struct loader *loader, const struct field *field, const struct node *value,
                        void *target)
{
    static const struct field word = { "ignore", NULL, 0, false, "case accents punctuation spaces" };
    struct node item;
    unsigned bits = 0;
    if (!field_is(loader, field->name, value, NODE_LIST))
        return;
    for (;;) { /* an empty list is fine: then nothing is ignored */
        reader_next(loader->reader, &item);
        if (item.kind == NODE_END || item.kind == NODE_STOP)
            break;
        int place = -1;
        struct place where = item.place;
        loader->key = place_at(0, 0, 0);
        field_word(loader, &word, &item, &place);
        if (place >= 0 && bits >> place & 1)
            report_error(loader->report, &where, "duplicate-word", tr("keep one of them"),
                         tr("%s: \"%s\" stands there twice"), field->name, ignore_names[place]);
        if (place >= 0)
            bits |= 1u << place;
    }
    *(unsigned *)target = bits;
}

static const struct field text_rows[] = {
    { "accept", field_texts, offsetof(struct text_draft, accept), true, NULL },
    { "ignore", read_ignore, offsetof(struct text_draft, ignore), false, NULL },
    { "feedback", feedback_read, offsetof(struct text_draft, wrongs), false, NULL },
    { "wrong", wrong_read, offsetof(struct text_draft, wrongs), false, NULL },
};
static const struct misplaced text_misplaced[] = {
    { "answer", NULL, "accept", N_("did you mean \"accept\"?") },
    { NULL, NULL, NULL, NULL },
};
static const struct fields text_fields = { text_rows, sizeof text_rows / sizeof *text_rows,
                                           N_("a typed text"), text_misplaced };

void text_key_read(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    struct question_draft *draft = target;
    struct seen seen;
    struct place place = value->place;
    draft->text.place = place;
    draft->text.ignore = IGNORE_CASE | IGNORE_SPACES;
    if (value->kind != NODE_MAPPING) {
        field_texts(loader, field, value, &draft->text.accept);
        return;
    }
    fields_read(loader, &text_fields, &draft->text, &place, &seen);
}

enum { COMPARED = 100 };

void text_key_settle(struct loader *loader, struct question_draft *draft)
{
    struct text_draft *from = &draft->text;
    char quote[REPORT_QUOTE];
    draft->question.key.text = (struct text_key){
        .accept = from->accept,
        .ignore = from->ignore,
        .wrongs = from->wrongs.items,
        .wrong_count = from->wrongs.count,
    };
    if (from->accept.count > PACK_LISTED)
        report_error(loader->report, &from->place, "too-many-responses", tr("delete some"),
                     tr("text: at most %d answers are accepted"), PACK_LISTED);
    for (int i = 0; i < from->accept.count && i < COMPARED; i++) {
        const char *text = from->accept.items[i];
        ptrdiff_t length = (ptrdiff_t)strlen(text);
        if (length > PACK_RESPONSE)
            report_error(loader->report, &from->place, "response-too-long", tr("write a shorter one"),
                         tr("%s: a response of %zu bytes; at most %d are allowed"), "text", (size_t)length,
                         PACK_RESPONSE);
        for (int k = 0; k < i; k++)
            if (form_same(text, from->accept.items[k]))
                report_error(loader->report, &from->place, "equal-responses", tr("keep one of them"),
                             tr("text: %s is accepted twice"), report_quote(quote, text, length));
        for (int k = 0; k < from->wrongs.count; k++)
            if (form_same(text, from->wrongs.items[k].value))
                report_error(loader->report, &from->wrongs.places[k], "wrong-is-right",
                             tr("delete it here, or from what is accepted"),
                             tr("text: %s is both accepted and wrong"), report_quote(quote, text, length));
    }
}
