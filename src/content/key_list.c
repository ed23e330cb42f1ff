/* `order` and `match`: answers that are put together from a list. */
#include "pack_loader.h"

#include "wrong.h"

#include <quiztutor/message.h>

#include <string.h>

/* Adds a text to a list of at most PACK_CHOICES. */
static void add(struct loader *loader, struct list_draft *list, const char *text, const struct place *place,
                const char *name)
{
    if (list->count < PACK_CHOICES) {
        list->texts[list->count] = text;
        list->places[list->count] = *place;
    } else if (list->count == PACK_CHOICES) {
        report_error(loader->report, place, "too-many-choices", tr("delete it"), tr("%s: at most %d"), name,
                     PACK_CHOICES);
    }
    list->count++;
}

/* Refuses a text that stands in the list already. */
static bool is_new(struct loader *loader, const struct list_draft *list, const char *text,
                   const struct place *place, const char *name)
{
    for (int i = 0; i < list->count && i < PACK_CHOICES; i++)
        if (form_same(list->texts[i], text)) {
            report_error(loader->report, place, "equal-choices", tr("change or delete one of them"),
                         tr("%s: this is the same as the one at %d:%d"), name, list->places[i].line,
                         list->places[i].column);
            return false;
        }
    return true;
}

static void read_list(struct loader *loader, const char *name, const struct node *value,
                      struct list_draft *list)
{
    struct node item;
    if (!field_is(loader, name, value, NODE_LIST))
        return;
    list->place = value->place;
    list->sound = true;
    for (;;) {
        reader_next(loader->reader, &item);
        if (item.kind == NODE_END || item.kind == NODE_STOP)
            break;
        struct place place = item.place;
        loader->key = place_at(0, 0, 0);
        const char *text = field_take(loader, name, &item, FORM_TEXT);
        if (text && is_new(loader, list, text, &place, name))
            add(loader, list, text, &place, name);
        else
            list->sound = false;
    }
}

void order_read(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    struct question_draft *draft = target;
    read_list(loader, field->name, value, &draft->lefts);
}

void extra_read(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    struct question_draft *draft = target;
    int errors = loader->report->errors;
    read_list(loader, field->name, value, &draft->extra);
    if (draft->extra.count == 0 && loader->report->errors == errors && !reader_stopped(loader->reader))
        report_error(loader->report, &draft->extra.place, "empty-list",
                     tr("write an item, or delete the key"), tr("%s: the list is empty"), field->name);
}

void match_read(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    struct question_draft *draft = target;
    struct node key, right;
    if (!field_is(loader, field->name, value, NODE_MAPPING))
        return;
    draft->lefts.place = value->place;
    draft->lefts.sound = true;
    for (;;) {
        reader_next(loader->reader, &key);
        if (key.kind == NODE_END || key.kind == NODE_STOP)
            break;
        struct place key_place = key.place;
        const char *left = wrong_take_key(loader, field->name, &key);
        reader_next(loader->reader, &right);
        if (right.kind == NODE_STOP)
            break;
        struct place right_place = right.place;
        const char *text = field_take(loader, field->name, &right, FORM_TEXT);
        if (!left || !text || !is_new(loader, &draft->lefts, left, &key_place, field->name)) {
            draft->lefts.sound = false;
            continue;
        }
        if (draft->lefts.count < PACK_CHOICES) /* what is beyond is told of the lefts */
            add(loader, &draft->rights, text, &right_place, field->name);
        add(loader, &draft->lefts, left, &key_place, field->name);
    }
}

static void keep(struct loader *loader, struct text_list *list, const char *const *texts, int count)
{
    list->items = loader_keep(loader, texts, count, sizeof *texts);
    list->count = list->items ? count : 0;
}

static bool enough(struct loader *loader, const struct list_draft *list, const char *hint,
                   const char *message)
{
    if (!list->sound || list->count > PACK_CHOICES)
        return false;
    if (list->count >= 2)
        return true;
    report_error(loader->report, &list->place, "too-few-items", hint, "%s", message);
    return false;
}

void order_settle(struct loader *loader, struct question_draft *draft)
{
    if (enough(loader, &draft->lefts, tr("write two items or more"), tr("order: two items at least")))
        keep(loader, &draft->question.key.order, draft->lefts.texts, draft->lefts.count);
}

/* The distinct right texts, and which of them belongs to each left. */
void match_settle(struct loader *loader, struct question_draft *draft)
{
    struct match_key *key = &draft->question.key.match;
    const char *rights[PACK_CHOICES];
    unsigned char pairs[PACK_CHOICES];
    int count = 0, many = draft->lefts.count;
    if (!enough(loader, &draft->lefts, tr("write two pairs or more"), tr("match: two pairs at least")))
        return;
    for (int i = 0; i < many; i++) {
        int place = 0;
        while (place < count && !form_same(rights[place], draft->rights.texts[i]))
            place++;
        if (place == count)
            rights[count++] = draft->rights.texts[i];
        pairs[i] = (unsigned char)place;
    }
    int paired = count;
    for (int i = 0; i < draft->extra.count && i < PACK_CHOICES; i++) {
        const struct place *place = &draft->extra.places[i];
        for (int k = 0; k < paired; k++)
            if (form_same(rights[k], draft->extra.texts[i]))
                report_error(loader->report, place, "equal-choices", tr("delete it"),
                             tr("extra: this belongs to a pair already"));
        if (count == PACK_CHOICES) {
            report_error(loader->report, place, "too-many-choices", tr("delete it"),
                         tr("extra: at most %d right texts in all"), PACK_CHOICES);
            break;
        }
        rights[count++] = draft->extra.texts[i];
    }
    keep(loader, &key->lefts, draft->lefts.texts, many);
    keep(loader, &key->rights, rights, count);
    key->pairs = loader_keep(loader, pairs, many, 1);
    key->paired = paired;
}
