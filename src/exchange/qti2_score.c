/* How an item of QTI 2.x is marked: its response declaration, and what can be told of its response
 * processing. */
#include "qti2.h"

#include <quiztutor/message.h>

#include <math.h>
#include <string.h>

static const struct xml_node *declaration_of(const struct qti_item *item, const char *identifier)
{
    for (const struct xml_node *node = qti_child(item->node, "responseDeclaration"); node;
         node = qti_next(node, "responseDeclaration")) {
        const char *found = qti_attribute(node, "identifier");
        if (found && strcmp(found, identifier) == 0)
            return node;
    }
    return NULL;
}

static int count_of(const struct xml_node *node, const char *name)
{
    int count = 0;
    for (const struct xml_node *one = qti_child(node, name); one && count < QTI_VALUES;
         one = qti_next(one, name))
        count++;
    return count;
}

static bool read_values(struct qti_item *item, struct qti_response *response)
{
    struct arena *arena = &item->qti->import->arena;
    const struct xml_node *correct = qti_child(response->declaration, "correctResponse");
    int count = count_of(correct, "value");
    response->values = arena_alloc(arena, (count + 1) * (ptrdiff_t)sizeof *response->values);
    const struct xml_node *value = qti_child(correct, "value");
    for (; response->values && value && response->value_count < count; value = qti_next(value, "value")) {
        const char *words = xml_words(arena, value);
        if (!words)
            return false;
        if (*words)
            response->values[response->value_count++] = words;
    }
    return response->values != NULL;
}

static bool read_mapping(struct qti_item *item, struct qti_response *response)
{
    const struct xml_node *mapping = qti_child(response->declaration, "mapping");
    int count = count_of(mapping, "mapEntry");
    response->lower = qti_number(qti_attribute(mapping, "lowerBound"));
    response->upper = qti_number(qti_attribute(mapping, "upperBound"));
    double otherwise = qti_number(qti_attribute(mapping, "defaultValue"));
    response->otherwise = isnan(otherwise) ? 0 : otherwise;
    response->entries =
        arena_alloc(&item->qti->import->arena, (count + 1) * (ptrdiff_t)sizeof *response->entries);
    const struct xml_node *entry = qti_child(mapping, "mapEntry");
    for (; response->entries && entry && response->entry_count < count; entry = qti_next(entry, "mapEntry")) {
        const char *key = qti_attribute(entry, "mapKey"), *sensitive = qti_attribute(entry, "caseSensitive");
        double value = qti_number(qti_attribute(entry, "mappedValue"));
        const char *kept = key ? arena_text(&item->qti->import->arena, key, (ptrdiff_t)strlen(key)) : NULL;
        if (key && !kept)
            return false;
        if (kept)
            response->entries[response->entry_count++] =
                (struct qti_entry){ .key = kept,
                                    .value = isnan(value) ? 0 : value,
                                    .case_sensitive = sensitive && strcmp(sensitive, "true") == 0 };
    }
    response->mapped = response->entry_count > 0;
    return response->entries != NULL;
}

/* The number that a condition sets the score to. */
static double set_value(const struct xml_node *node)
{
    for (const struct xml_node *set = xml_child(node, NULL); set; set = xml_next(set, NULL)) {
        const char *name = qti_is(set, "setOutcomeValue") ? qti_attribute(set, "identifier") : NULL;
        const struct xml_node *value =
            name && strcmp(name, "SCORE") == 0 ? qti_child(set, "baseValue") : NULL;
        if (value && value->in.first && !value->in.first->name) {
            char digits[32] = "";
            const struct xml_node *text = value->in.first;
            if (text->more.length < (ptrdiff_t)sizeof digits)
                memcpy(digits, text->in.text, (size_t)text->more.length);
            return qti_number(digits);
        }
        double inside = set_value(set);
        if (!isnan(inside))
            return inside;
    }
    return NAN;
}

/* "0.1 0.1" or "0.1": both sides the same, or the wider one. */
static double read_tolerance(const char *text)
{
    char first[32] = "";
    if (!text)
        return NAN;
    text += strspn(text, " ");
    size_t length = strcspn(text, " ");
    if (length >= sizeof first)
        return NAN;
    memcpy(first, text, length);
    double one = qti_number(first), other = qti_number(text + length);
    return !isnan(other) && other > one ? other : one;
}

/* How numbers are compared. */
static void read_comparison(struct qti_item *item, const struct xml_node *processing)
{
    const struct xml_node *equal = qti_find(processing, "equal"),
                          *rounded = qti_find(processing, "equalRounded");
    const char *mode = qti_attribute(equal, "toleranceMode");
    if (mode && strcmp(mode, "exact") != 0) {
        double tolerance = read_tolerance(qti_attribute(equal, "tolerance"));
        item->tolerance = isnan(tolerance) ? 0 : tolerance;
        item->relative = strcmp(mode, "relative") == 0;
    }
    double figures = qti_number(qti_attribute(rounded, "figures"));
    const char *rounding = qti_attribute(rounded, "roundingMode");
    if (!(figures >= 0 && figures <= PACK_FIGURES))
        return;
    if (rounding && strcmp(rounding, "decimalPlaces") == 0)
        item->tolerance = 0.5 * pow(10, -figures);
    else if (figures >= 1)
        item->figures = (int)figures;
}

static void read_processing(struct qti_item *item)
{
    const struct xml_node *processing = qti_child(item->node, "responseProcessing");
    const char *template = qti_attribute(processing, "template");
    item->score = QTI_SCORE_NONE;
    item->full = NAN;
    if (!processing)
        return;
    if (template && strstr(template, "map_response") && !strstr(template, "point"))
        item->score = QTI_SCORE_MAP;
    else if (template && strstr(template, "match_correct"))
        item->score = QTI_SCORE_MATCH;
    else if (qti_find(processing, "mapResponse"))
        item->score = QTI_SCORE_MAP;
    else if (qti_find(processing, "match") || qti_find(processing, "equal") ||
             qti_find(processing, "equalRounded") || qti_find(processing, "stringMatch"))
        item->score = QTI_SCORE_MATCH;
    else if (xml_child(processing, NULL) || template)
        item->score = QTI_SCORE_OTHER;
    const struct xml_node *text = qti_find(processing, "stringMatch");
    const char *sensitive = qti_attribute(text, "caseSensitive");
    item->case_counts = text ? sensitive && strcmp(sensitive, "true") == 0 : item->score == QTI_SCORE_MATCH;
    const struct xml_node *condition = qti_find(processing, "responseIf");
    if (item->score == QTI_SCORE_MATCH && condition)
        item->full = set_value(condition);
    read_comparison(item, processing);
}

bool qti2_read_response(struct qti_item *item)
{
    struct qti_response *response = &item->response;
    const char *identifier = qti_attribute(item->interaction, "responseIdentifier");
    response->declaration = declaration_of(item, identifier ? identifier : "RESPONSE");
    const char *cardinality = qti_attribute(response->declaration, "cardinality");
    const char *type = qti_attribute(response->declaration, "baseType");
    response->single = !cardinality || strcmp(cardinality, "single") == 0;
    response->ordered = cardinality && strcmp(cardinality, "ordered") == 0;
    response->type = type ? type : "";
    read_processing(item);
    return read_values(item, response) && read_mapping(item, response);
}

/* The value that an outcome has from the start. */
static double outcome(const struct qti_item *item, const char *identifier, const char *attribute)
{
    for (const struct xml_node *node = qti_child(item->node, "outcomeDeclaration"); node;
         node = qti_next(node, "outcomeDeclaration")) {
        const char *found = qti_attribute(node, "identifier");
        if (!found || strcmp(found, identifier) != 0)
            continue;
        if (attribute)
            return qti_number(qti_attribute(node, attribute));
        const char *words = xml_words(&item->qti->import->arena, qti_find(node, "value"));
        return qti_number(words);
    }
    return NAN;
}

/* What a right response scores by the mapping. */
static double mapped_full(const struct qti_response *response)
{
    double sum = 0, most = 0;
    for (int i = 0; i < response->entry_count; i++) {
        double value = response->entries[i].value;
        sum += value > 0 ? value : 0;
        most = value > most ? value : most;
    }
    double full = response->single ? most : sum;
    return !isnan(response->upper) && response->upper > 0 && response->upper < full ? response->upper : full;
}

double qti2_marks(const struct qti_item *item)
{
    bool mapped = item->score == QTI_SCORE_MAP || item->score == QTI_SCORE_NONE;
    double candidates[] = { outcome(item, "MAXSCORE", NULL), outcome(item, "SCORE", "normalMaximum"),
                            item->full, mapped ? mapped_full(&item->response) : NAN };
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++)
        if (candidates[i] > 0 && candidates[i] <= PACK_MARKS)
            return candidates[i];
    return 1;
}
