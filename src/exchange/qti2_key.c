/* The interaction of an item of QTI 2.x or 3.0, made a pack's answer key. */
#include "qti2.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>

#include <math.h>
#include <string.h>

static bool is_value(const struct qti_response *response, const char *identifier)
{
    for (int i = 0; i < response->value_count; i++)
        if (strcmp(response->values[i], identifier) == 0)
            return true;
    return false;
}

static const struct qti_entry *entry_of(const struct qti_response *response, const char *key)
{
    for (int i = 0; i < response->entry_count; i++)
        if (strcmp(response->entries[i].key, key) == 0)
            return &response->entries[i];
    return NULL;
}

/* What is known by the item alone about how it is marked, told where a pack does it otherwise. */
static bool by_mapping(struct qti_item *item)
{
    struct qti_response *response = &item->response;
    struct import *import = item->qti->import;
    if (item->score == QTI_SCORE_OTHER)
        import_change(import, "%s", tr("its own rules of marking were left out"));
    bool mapped = response->mapped && (item->score == QTI_SCORE_MAP || item->score == QTI_SCORE_NONE ||
                                       (item->score != QTI_SCORE_MATCH && !response->value_count));
    if (mapped && item->score == QTI_SCORE_NONE)
        import_change(import, "%s", tr("nothing said how it is marked; its mapping was taken"));
    return mapped;
}

/* ---- choices ---- */

struct choice_list {
    struct choice *choices;
    struct qti_choice *known;
    int count;
};

/* The elements of this name inside, as choices. */
static bool read_choices(struct qti_item *item, const struct xml_node *node, const char *name,
                         struct choice_list *list)
{
    for (const struct xml_node *one = xml_child(node, NULL); one; one = xml_next(one, NULL)) {
        if (!qti_is(one, name)) {
            if (!read_choices(item, one, name, list))
                return false;
            continue;
        }
        if (list->count > PACK_CHOICES)
            continue;
        const char *identifier = qti_attribute(one, "identifier"), *fixed = qti_attribute(one, "fixed");
        struct choice *choice = &list->choices[list->count];
        choice->id = identifier ? identifier : "";
        choice->feedback = qti2_inline_feedback(item, one);
        choice->text = qti2_text(item, one, HTML_TEXT);
        list->known[list->count++] =
            (struct qti_choice){ .identifier = choice->id, .fixed = fixed && strcmp(fixed, "true") == 0 };
    }
    return true;
}

static bool gather(struct qti_item *item, const char *name, struct choice_list *list)
{
    struct arena *arena = &item->qti->import->arena;
    *list = (struct choice_list){
        .choices = arena_alloc(arena, (PACK_CHOICES + 2) * (ptrdiff_t)sizeof *list->choices),
        .known = arena_alloc(arena, (PACK_CHOICES + 2) * (ptrdiff_t)sizeof *list->known)
    };
    if (!list->choices || !list->known)
        return qti_no_memory(item->qti);
    read_choices(item, item->interaction, name, list);
    return list->count <= PACK_CHOICES || qti_leave(item->qti, tr("it has more than 26 choices"));
}

/* What the bounds of the mapping mean for marks that a pack can't give. */
static void tell_bounds(struct qti_item *item, double sum)
{
    const struct qti_response *response = &item->response;
    struct import *import = item->qti->import;
    bool negative = response->otherwise < 0;
    for (int i = 0; i < response->entry_count; i++)
        negative = negative || response->entries[i].value < 0;
    if (negative && !response->single && !(response->lower >= 0))
        import_change(import, "%s", tr("its mark could fall below 0; here 0 is the least"));
    if (response->lower > 0)
        import_change(import, tr("its mark was at least %g; here it can be 0"), response->lower);
    if (response->upper > 0 && response->upper < sum - 1e-6)
        import_change(import, tr("%g of %g points were the full mark; here all are needed"), response->upper,
                      sum);
}

/* Shares in per cent of the full mark. */
static void find_shares(struct qti_item *item, const struct choice_list *list, double *shares)
{
    const struct qti_response *response = &item->response;
    double sum = 0, most = 0;
    for (int i = 0; i < list->count; i++) {
        const struct qti_entry *entry = entry_of(response, list->known[i].identifier);
        shares[i] = entry ? entry->value : response->otherwise;
        sum += shares[i] > 0 ? shares[i] : 0;
        most = fmax(most, shares[i]);
    }
    double full = response->single ? most : sum;
    tell_bounds(item, full);
    for (int i = 0; i < list->count && full > 0; i++)
        shares[i] = shares[i] * 100 / full;
}

static bool take_choices(struct qti_item *item, struct choice_list *list)
{
    struct question *question = &item->question;
    struct qti_response *response = &item->response;
    const char *shuffle = qti_attribute(item->interaction, "shuffle");
    question->shuffle = shuffle && strcmp(shuffle, "true") == 0;
    qti_pins(item->qti, question, list->choices, list->known, list->count);
    if (by_mapping(item)) {
        double *shares =
            arena_alloc(&item->qti->import->arena, (list->count + 1) * (ptrdiff_t)sizeof *shares);
        if (!shares)
            return qti_no_memory(item->qti);
        find_shares(item, list, shares);
        return import_choices(item->qti->import, question, list->choices, shares, list->count,
                              response->single);
    }
    int right = 0;
    for (int i = 0; i < list->count; i++) {
        list->choices[i].correct = is_value(response, list->known[i].identifier);
        right += list->choices[i].correct;
    }
    if (!right)
        return qti_leave(item->qti, tr("it does not say which choice is right"));
    question->type = response->single && right == 1 ? QUESTION_SINGLE_CHOICE : QUESTION_MULTIPLE_CHOICE;
    question->marking = MARKING_ALL_OR_NOTHING;
    question->key.choices.items = list->choices;
    question->key.choices.count = list->count;
    question->key.choices.correct = right;
    return true;
}

static bool read_choice(struct qti_item *item)
{
    struct choice_list list;
    return gather(item, "simpleChoice", &list) && take_choices(item, &list);
}

static bool read_inline_choice(struct qti_item *item)
{
    struct choice_list list;
    return gather(item, "inlineChoice", &list) && take_choices(item, &list);
}

static bool read_hottext(struct qti_item *item)
{
    struct choice_list list;
    import_change(item->qti->import, "%s", tr("words to pick in a text became choices"));
    return gather(item, "hottext", &list) && take_choices(item, &list);
}

/* ---- orders and pairs ---- */

static bool read_order(struct qti_item *item)
{
    struct qti_response *response = &item->response;
    struct choice_list list;
    if (!gather(item, "simpleChoice", &list))
        return false;
    const char **items = arena_alloc(&item->qti->import->arena, (list.count + 1) * (ptrdiff_t)sizeof *items);
    if (!items)
        return qti_no_memory(item->qti);
    if (response->value_count != list.count || !list.count)
        return qti_leave(item->qti, tr("it does not say where each of its items stands"));
    const struct xml_node *one = NULL;
    for (int i = 0; i < list.count; i++) {
        for (one = qti_child(item->interaction, "simpleChoice"); one; one = qti_next(one, "simpleChoice")) {
            const char *identifier = qti_attribute(one, "identifier");
            if (identifier && strcmp(identifier, response->values[i]) == 0)
                break;
        }
        items[i] = one ? qti2_text(item, one, HTML_CARD) : NULL;
        if (!items[i])
            return qti_leave(item->qti, tr("it does not say where each of its items stands"));
    }
    item->question.type = QUESTION_ORDER;
    item->question.key.order = (struct text_list){ items, list.count };
    if (by_mapping(item))
        import_change(item->qti->import, "%s", tr("its own rules of marking were left out"));
    return true;
}

struct side {
    const char *identifiers[4 * PACK_CHOICES], *texts[4 * PACK_CHOICES];
    int partner[4 * PACK_CHOICES]; /* -1: none; -2: several */
    int count;
};

static bool read_side(struct qti_item *item, const struct xml_node *set, struct side *side)
{
    for (const struct xml_node *one = qti_child(set, "simpleAssociableChoice"); one;
         one = qti_next(one, "simpleAssociableChoice")) {
        const char *identifier = qti_attribute(one, "identifier");
        if (side->count == 4 * PACK_CHOICES)
            return qti_leave(item->qti, tr("it has more than 26 items"));
        side->identifiers[side->count] = identifier ? identifier : "";
        side->partner[side->count] = -1;
        side->texts[side->count++] = qti2_text(item, one, HTML_CARD);
    }
    return true;
}

static int place_in(const struct side *side, const char *identifier, size_t length)
{
    for (int i = 0; i < side->count; i++)
        if (strlen(side->identifiers[i]) == length && memcmp(side->identifiers[i], identifier, length) == 0)
            return i;
    return -1;
}

static void pair(struct side *side, int one, int other)
{
    side->partner[one] = side->partner[one] == -1 ? other : -2;
}

/* One pair "A B", in either direction; false where it names none. */
static bool read_pair(struct side *left, struct side *right, const char *value)
{
    size_t first = strcspn(value, " "), gap = strspn(value + first, " ");
    const char *second = value + first + gap;
    size_t rest = strcspn(second, " ");
    int one = place_in(left, value, first), other = place_in(right, second, rest);
    if (one < 0 || other < 0) {
        one = place_in(left, second, rest);
        other = place_in(right, value, first);
    }
    if (one < 0 || other < 0)
        return false;
    pair(left, one, other);
    pair(right, other, one);
    return true;
}

static bool has_one_each(const struct side *side)
{
    for (int i = 0; i < side->count; i++)
        if (side->partner[i] < 0)
            return false;
    return side->count > 0;
}

static bool take_pairs(struct qti_item *item, const struct side *left, const struct side *right)
{
    struct arena *arena = &item->qti->import->arena;
    const char **texts = arena_alloc(arena, (left->count + right->count + 1) * (ptrdiff_t)sizeof *texts);
    const char **lefts = arena_alloc(arena, (left->count + 1) * (ptrdiff_t)sizeof *lefts);
    int extra = 0, pairs = 0;
    if (!texts || !lefts)
        return qti_no_memory(item->qti);
    for (int i = 0; i < left->count; i++) {
        if (left->partner[i] < 0)
            continue;
        lefts[pairs] = left->texts[i];
        texts[pairs++] = right->texts[left->partner[i]];
    }
    for (int i = 0; i < right->count; i++)
        if (right->partner[i] == -1)
            texts[pairs + extra++] = right->texts[i];
    return import_pairs(item->qti->import, &item->question, lefts, texts, pairs, texts + pairs, extra);
}

/* A mapping of pairs: a share for each, where they all give the same. */
static void mark_pairs(struct qti_item *item)
{
    const struct qti_response *response = &item->response;
    if (!by_mapping(item))
        return;
    item->question.marking = MARKING_NET_CORRECT;
    double first = 0;
    bool even = true, negative = response->otherwise < 0;
    for (int i = 0; i < response->entry_count; i++) {
        double value = response->entries[i].value;
        first = first > 0 || value <= 0 ? first : value;
        even = even && (value <= 0 || fabs(value - first) < 1e-6);
        negative = negative || value < 0;
    }
    if (!even)
        import_change(item->qti->import, "%s",
                      tr("its pairs had weights of their own; here each counts the same"));
    if (negative)
        import_change(item->qti->import, "%s", tr("wrong pairs took marks away; here they take nothing"));
}

static bool fill_pairs(struct qti_item *item, struct side *left, struct side *right)
{
    struct qti_response *response = &item->response;
    for (int i = 0; i < response->value_count; i++)
        if (!read_pair(left, right, response->values[i]))
            return qti_leave(item->qti, tr("one of its right pairs names what is not there"));
    if (!response->value_count)
        for (int i = 0; i < response->entry_count; i++)
            if (response->entries[i].value > 0 && !read_pair(left, right, response->entries[i].key))
                return qti_leave(item->qti, tr("one of its right pairs names what is not there"));
    return true;
}

static bool read_match(struct qti_item *item)
{
    struct arena *arena = &item->qti->import->arena;
    struct side *left = arena_alloc(arena, sizeof *left), *right = arena_alloc(arena, sizeof *right);
    const struct xml_node *first = qti_child(item->interaction, "simpleMatchSet");
    if (!left || !right)
        return qti_no_memory(item->qti);
    if (!read_side(item, first, left) || !read_side(item, qti_next(first, "simpleMatchSet"), right) ||
        !fill_pairs(item, left, right))
        return false;
    mark_pairs(item);
    if (has_one_each(left))
        return take_pairs(item, left, right);
    if (has_one_each(right))
        return take_pairs(item, right, left);
    return qti_leave(item->qti, tr("one of its items has several partners, or none"));
}

/* Pairs of one list: what stands first in a pair is its left side. */
static bool read_associate(struct qti_item *item)
{
    struct arena *arena = &item->qti->import->arena;
    struct side *all = arena_alloc(arena, sizeof *all), *left = arena_alloc(arena, sizeof *left);
    if (!all || !left)
        return qti_no_memory(item->qti);
    if (!read_side(item, item->interaction, all))
        return false;
    import_change(item->qti->import, "%s", tr("pairs to build became a left and a right side to match"));
    struct side *right = arena_alloc(arena, sizeof *right);
    if (!right)
        return qti_no_memory(item->qti);
    for (int i = 0; i < all->count; i++) {
        bool starts = false;
        for (int k = 0; k < item->response.value_count && !starts; k++) {
            size_t length = strcspn(item->response.values[k], " ");
            starts = strlen(all->identifiers[i]) == length &&
                     memcmp(all->identifiers[i], item->response.values[k], length) == 0;
        }
        struct side *side = starts ? left : right;
        side->identifiers[side->count] = all->identifiers[i];
        side->partner[side->count] = -1;
        side->texts[side->count++] = all->texts[i];
    }
    if (!fill_pairs(item, left, right))
        return false;
    mark_pairs(item);
    return has_one_each(left) ? take_pairs(item, left, right)
                              : qti_leave(item->qti, tr("one of its items has several partners, or none"));
}

/* ---- typed answers ---- */

static bool read_number(struct qti_item *item)
{
    struct qti_response *response = &item->response;
    struct number number;
    if (!response->value_count)
        return qti_leave(item->qti, tr("it does not say which answer is right"));
    struct import_answer answer = { .text = response->values[0], .share = 100 };
    if (number_read(&number, answer.text, (ptrdiff_t)strlen(answer.text), false) == NUMBER_FINE &&
        !item->relative)
        answer.tolerance = item->tolerance;
    if (response->value_count > 1)
        import_change(item->qti->import, "%s", tr("only the first of its right numbers was taken"));
    if (!import_numbers(item->qti->import, &item->question, &answer, 1))
        return false;
    if (item->relative) {
        item->question.key.number.tolerance = item->tolerance / 100;
        item->question.key.number.relative = true;
    }
    item->question.key.number.significant_figures = item->figures;
    return true;
}

static bool read_typed(struct qti_item *item)
{
    struct qti_response *response = &item->response;
    struct import *import = item->qti->import;
    if (strcmp(response->type, "integer") == 0 || strcmp(response->type, "float") == 0)
        return read_number(item);
    int most = response->value_count + response->entry_count, count = 0;
    struct import_answer *answers = arena_alloc(&import->arena, (most + 1) * (ptrdiff_t)sizeof *answers);
    bool case_counts = item->case_counts;
    double full = 0;
    if (!answers)
        return qti_no_memory(item->qti);
    bool mapped = by_mapping(item);
    if (mapped) {
        case_counts = true;
        for (int i = 0; i < response->entry_count; i++)
            full = fmax(full, response->entries[i].value);
        for (int i = 0; i < response->entry_count && full > 0; i++) {
            case_counts = case_counts && response->entries[i].case_sensitive;
            answers[count++] = (struct import_answer){ .text = response->entries[i].key,
                                                       .share = response->entries[i].value * 100 / full };
        }
    }
    for (int i = 0; i < response->value_count && (!mapped || !count); i++)
        answers[count++] = (struct import_answer){ .text = response->values[i], .share = 100 };
    for (int i = 0; i < count; i++) {
        answers[i].text = import_text_line(import, answers[i].text, (ptrdiff_t)strlen(answers[i].text));
        answers[i].exact = true;
    }
    if (!count)
        return qti_leave(item->qti, tr("it does not say which answer is right"));
    return import_texts(import, &item->question, answers, count, case_counts);
}

static bool read_slider(struct qti_item *item)
{
    import_change(item->qti->import, "%s", tr("a slider became a number to type"));
    return read_number(item);
}

/* ---- by kind ---- */

static const struct {
    const char *name;
    bool (*read)(struct qti_item *item);
    const char *why; /* N_() */
} kinds[] = {
    { "choiceinteraction", read_choice, NULL },
    { "inlinechoiceinteraction", read_inline_choice, NULL },
    { "hottextinteraction", read_hottext, NULL },
    { "orderinteraction", read_order, NULL },
    { "matchinteraction", read_match, NULL },
    { "associateinteraction", read_associate, NULL },
    { "textentryinteraction", read_typed, NULL },
    { "sliderinteraction", read_slider, NULL },
    { "extendedtextinteraction", NULL, N_("an essay can't be marked by a program") },
    { "uploadinteraction", NULL, N_("a file to hand in can't be marked by a program") },
    { "drawinginteraction", NULL, N_("a drawing can't be marked by a program") },
    { "gapmatchinteraction", NULL,
      N_("gaps within a text have no counterpart; write a question for each gap") },
    { "hotspotinteraction", NULL, N_("it needs a picture") },
    { "selectpointinteraction", NULL, N_("it needs a picture") },
    { "graphicorderinteraction", NULL, N_("it needs a picture") },
    { "graphicassociateinteraction", NULL, N_("it needs a picture") },
    { "graphicgapmatchinteraction", NULL, N_("it needs a picture") },
    { "positionobjectinteraction", NULL, N_("it needs a picture") },
    { "mediainteraction", NULL, N_("it plays sound or a film") },
};

bool qti2_known(struct qti_item *item)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, item->name) == 0)
            return kinds[i].read || qti_leave(item->qti, tr(kinds[i].why));
    import_leave_out(item->qti->import, tr("its kind of question (%.60s) is not known"), item->name);
    return false;
}

bool qti2_key(struct qti_item *item)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, item->name) == 0 && kinds[i].read)
            return kinds[i].read(item);
    return false;
}
