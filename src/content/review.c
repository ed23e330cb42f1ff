#include "review_private.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool review_allows(const struct review *review, int number, enum review_id id)
{
    uint32_t allowed = review->outline.allowed;
    if (number >= 0)
        allowed |= review->outline.questions[number].allowed;
    return (allowed >> id & 1) != 0;
}

void review_tell(struct review *review, enum review_id id, const struct place *place, const char *hint,
                 const char *format, ...)
{
    char message[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    report_warning(&review->report, place, review_rows[id].rule.name, hint, "%s", message);
}

struct place review_spot(struct review *review, const struct place *from, const struct place *until,
                         const char *text, ptrdiff_t length)
{
    ptrdiff_t start = source_offset(review->source, from->line, from->column);
    ptrdiff_t end = source_offset(review->source, until->end_line, until->end_column);
    if (start < 0 || length <= 0)
        return *from;
    if (end < start)
        end = review->source->checked;
    const char *found = memmem(review->source->data + start, (size_t)(end - start), text, (size_t)length);
    if (!found)
        return *from;
    struct place place;
    source_place(review->source, found - review->source->data, &place.line, &place.column);
    int columns = 0;
    for (ptrdiff_t at = 0; at < length; columns++) {
        int32_t code;
        at += text_decode(text + at, length - at, &code);
    }
    return place_at(place.line, place.column, columns);
}

struct place review_word_spot(struct review *review, const struct place *text, const char *word,
                              ptrdiff_t length)
{
    return review_spot(review, text, text, word, length);
}

bool review_has_word(const struct review *review, enum review_list list, const struct words *words,
                     ptrdiff_t place)
{
    return word_set_has(&review->lists[list], words, place);
}

bool review_has_choices(const struct question *question)
{
    return question->type == QUESTION_SINGLE_CHOICE || question->type == QUESTION_MULTIPLE_CHOICE;
}

int review_right_choice(const struct question *question)
{
    if (question->type != QUESTION_SINGLE_CHOICE)
        return -1;
    for (int i = 0; i < question->key.choices.count; i++)
        if (question->key.choices.items[i].correct)
            return i;
    return -1;
}

const char *review_odds(char odds[static REVIEW_ODDS], double probability)
{
    if (probability < 1e-6) {
        snprintf(odds, REVIEW_ODDS, "%s", tr("less than once in a million packs"));
        return odds;
    }
    double packs = 1 / probability, unit = pow(10, floor(log10(packs)) - 1);
    snprintf(odds, REVIEW_ODDS, tr("once in %.0f packs"), unit > 1 ? floor(packs / unit) * unit : packs);
    return odds;
}

/* The bit of a rule named in a comment. */
static uint32_t allow(void *context, const struct place *place, const char *word, ptrdiff_t length)
{
    struct review *review = context;
    char name[64] = "", quote[REPORT_QUOTE];
    if (length > 0 && length < (ptrdiff_t)sizeof name)
        memcpy(name, word, (size_t)length);
    const struct review_rule *rule = review_rule_find(name);
    for (int i = 0; rule && i < REVIEW_ALLOWABLE; i++)
        if (review_rule_at(i) == rule)
            return 1u << i;
    const char *near = review_rule_nearest(name);
    if (!word)
        review_tell(review, REVIEW_UNKNOWN_RULE, place, tr("write \"# check: allow RULE\""),
                    tr("a comment to the checker that it does not know"));
    else if (length == 0)
        review_tell(review, REVIEW_UNKNOWN_RULE, place,
                    tr("name it, as it stands in brackets behind the warning"),
                    tr("the comment does not say which rule is allowed"));
    else if (rule)
        review_tell(review, REVIEW_UNKNOWN_RULE, place, tr("delete the comment"),
                    tr("\"%s\" is an error, which no comment can allow"), name);
    else
        review_tell(review, REVIEW_UNKNOWN_RULE, place,
                    near ? report_hint(&review->report, tr("did you mean \"%s\"?"), near)
                         : tr("see quiztutor check --explain RULE"),
                    tr("there is no rule %s"), report_quote(quote, word, length));
    return 0;
}

static enum review_language language_of(const struct pack *pack)
{
    static const struct {
        const char *tag;
        enum review_language language;
    } known[] = { { "en", LANGUAGE_ENGLISH }, { "de", LANGUAGE_GERMAN } };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char behind = pack->language[strnlen(pack->language, 2)];
        if (strncasecmp(pack->language, known[i].tag, 2) == 0 && (behind == '\0' || behind == '-'))
            return known[i].language;
    }
    return LANGUAGE_OTHER;
}

/* The question whose text holds this place, -1 before the first. */
static int question_at(const struct review *review, int line, int column)
{
    ptrdiff_t low = 0, high = review->outline.count;
    while (low < high) {
        ptrdiff_t middle = low + (high - low) / 2;
        const struct place *start = &review->outline.questions[middle].start;
        if (start->line < line || (start->line == line && start->column <= column))
            low = middle + 1;
        else
            high = middle;
    }
    return (int)low - 1;
}

/* The loader's warnings go where a comment allows them. */
static void withdraw_allowed(struct review *review)
{
    struct diagnostics *list = review->report.list;
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < list->count; i++) {
        const struct diagnostic *one = &list->items[i];
        bool allowed = false;
        for (int id = REVIEW_LOOKING; one->severity == SEVERITY_WARNING && id < REVIEW_ALLOWABLE; id++)
            if (strcmp(review_rule_at(id)->name, one->rule) == 0)
                allowed =
                    review_allows(review, question_at(review, one->line, one->column), (enum review_id)id);
        if (allowed)
            list->warnings--;
        else
            list->items[kept++] = *one;
    }
    list->count = kept;
}

/* The file must be the one that was loaded. */
static bool is_same_file(const struct review *review)
{
    if (review->outline.count != review->pack->question_count)
        return false;
    for (ptrdiff_t i = 0; i < review->outline.count; i++) {
        const struct question *question = &review->pack->questions[i];
        const struct review_spots *spots = &review->outline.questions[i];
        if (spots->start.line != question->line || spots->start.column != question->column ||
            spots->choice_count != (review_has_choices(question) ? question->key.choices.count : 0))
            return false;
    }
    return true;
}

static void look_at_question(struct review *review, int number)
{
    const struct question *question = &review->pack->questions[number];
    review->number = number;
    review->question = question;
    review->spots = &review->outline.questions[number];
    review->failed = review->failed || !words_take(&review->prompt, question->prompt);
    for (int i = 0; i < review->spots->choice_count && !review->failed; i++)
        review->failed = !words_take(&review->choices[i], question->key.choices.items[i].text);
    for (int id = 0; id < REVIEW_LOOKING && !review->failed; id++) {
        const struct review_row *row = &review_rows[id];
        if (row->question && (row->types >> question->type & 1) &&
            (!row->worded || review->language != LANGUAGE_OTHER) &&
            !review_allows(review, number, (enum review_id)id))
            row->question(review);
    }
    if (question->parameters && !review->failed)
        given_values(review);
}

/* What the whole pack shows comes first: of many warnings only the first ones are kept. */
static void look(struct review *review)
{
    for (int i = 0; i < review->pack->question_count; i++)
        review->sources += review->pack->questions[i].source != NULL;
    for (int id = 0; id < REVIEW_LOOKING && !review->failed; id++)
        if (review_rows[id].pack && !review_allows(review, -1, (enum review_id)id))
            review_rows[id].pack(review);
    for (int i = 0; i < review->pack->question_count && !review->failed; i++)
        look_at_question(review, i);
}

static bool review_source(const struct pack *pack, const struct review_taken *taken, struct source *source,
                          struct diagnostics *list, struct error *error)
{
    bool done = false;
    struct review *review = memory_zero(sizeof *review);
    if (!review)
        return error_memory(error);
    review->pack = pack;
    review->taken = taken;
    review->source = source;
    review->language = language_of(pack);
    report_init(&review->report, source, list, pack->path);
    while (source_fill(source))
        continue;
    if (!review_lists_init(review->lists, review->language)) {
        error_memory(error);
        goto out;
    }
    bool read = review_outline_read(&review->outline, source, pack->path, allow, review);
    if (read && is_same_file(review)) {
        withdraw_allowed(review);
        look(review);
        done = !review->failed && !list->failed;
        if (!done)
            error_memory(error);
    } else if (review->outline.failed || list->failed) {
        error_memory(error);
    } else if (source->failure) {
        error_set(error, ERROR_IO, "%s: %s", pack->path, strerror(source->failure));
    } else {
        error_set(error, ERROR_IO, tr("%s: it was changed while it was being checked"), pack->path);
    }
out:
    review_outline_finish(&review->outline);
    review_lists_finish(review->lists);
    words_finish(&review->prompt);
    words_finish(&review->scratch);
    for (int i = 0; i < PACK_CHOICES; i++)
        words_finish(&review->choices[i]);
    memory_free(review);
    return done;
}

bool review_pack_bytes(const struct pack *pack, const char *bytes, ptrdiff_t length, struct diagnostics *list,
                       struct error *error)
{
    struct source source;
    if (error)
        error->code = ERROR_NONE;
    source_borrow(&source, bytes, length);
    bool done = review_source(pack, NULL, &source, list, error);
    source_finish(&source);
    return done;
}

bool review_pack(const struct pack *pack, struct diagnostics *list, struct error *error)
{
    return review_pack_taken(pack, NULL, list, error);
}

bool review_pack_taken(const struct pack *pack, const struct review_taken *taken, struct diagnostics *list,
                       struct error *error)
{
    struct source source;
    bool large;
    if (error)
        error->code = ERROR_NONE;
    if (!source_open(&source, pack->path, PACK_FILE, &large, error)) {
        if (large)
            return error_set(error, ERROR_IO, tr("%s: it was changed while it was being checked"),
                             pack->path);
        return error_prefix(error, pack->path);
    }
    bool done = review_source(pack, taken, &source, list, error);
    source_finish(&source);
    return done;
}
