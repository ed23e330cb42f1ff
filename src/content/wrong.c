#include "wrong.h"

#include <quiztutor/message.h>

#include <string.h>

/* Room for one more; arenas only grow, so each doubling leaves the shorter lists behind. */
static bool grow(struct loader *loader, struct wrong_list *list)
{
    if (list->count < list->capacity)
        return true;
    int capacity = list->capacity ? 2 * list->capacity : 4;
    struct known_wrong *items = arena_alloc(loader->arena, capacity * (ptrdiff_t)sizeof *items);
    struct place *places = arena_alloc(loader->arena, capacity * (ptrdiff_t)sizeof *places);
    if (!items || !places) {
        reader_out_of_memory(loader->reader);
        return false;
    }
    if (list->count) {
        memcpy(items, list->items, (size_t)list->count * sizeof *items);
        memcpy(places, list->places, (size_t)list->count * sizeof *places);
    }
    list->items = items;
    list->places = places;
    list->capacity = capacity;
    return true;
}

enum { COMPARED = 100 }; /* with each other; nobody lists more by hand */

static void add(struct loader *loader, const char *name, struct wrong_list *list,
                const struct known_wrong *wrong, const struct place *place)
{
    char quote[REPORT_QUOTE];
    for (int i = 0; i < list->count && i < COMPARED; i++)
        if (form_same(list->items[i].value, wrong->value)) {
            report_error(loader->report, place, "equal-responses", tr("keep one of them"),
                         tr("%s: %s stands in line %d too"), name,
                         report_quote(quote, wrong->value, (ptrdiff_t)strlen(wrong->value)),
                         list->places[i].line);
            return;
        }
    if (list->count == PACK_LISTED) {
        report_error(loader->report, place, "too-many-responses", tr("delete it"),
                     tr("%s: at most %d wrong responses are listed"), name, PACK_LISTED);
        return;
    }
    if (!grow(loader, list))
        return;
    list->places[list->count] = *place;
    list->items[list->count++] = *wrong;
}

static bool short_enough(struct loader *loader, const char *name, const char *text, const struct place *place)
{
    if (strlen(text) <= PACK_RESPONSE)
        return true;
    report_error(loader->report, place, "response-too-long", tr("write a shorter one"),
                 tr("%s: a response of %zu bytes; at most %d are allowed"), name, strlen(text),
                 PACK_RESPONSE);
    return false;
}

struct wrong_draft {
    struct known_wrong wrong;
    struct place place;
};

static void read_value(struct loader *loader, const struct field *field, const struct node *value,
                       void *target)
{
    struct wrong_draft *draft = target;
    draft->place = value->place;
    const char *text = field_take(loader, field->name, value, FORM_TEXT);
    if (text && short_enough(loader, field->name, text, &draft->place))
        draft->wrong.value = text;
}

static const struct field wrong_rows[] = {
    { "value", read_value, 0, true, NULL },
    { "feedback", field_text, offsetof(struct wrong_draft, wrong.feedback), false, NULL },
    { "misconception", field_line, offsetof(struct wrong_draft, wrong.misconception), false, NULL },
};
static const struct fields wrong_fields = { wrong_rows, sizeof wrong_rows / sizeof *wrong_rows,
                                            N_("a wrong response"), NULL };

void wrong_read(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    struct node item;
    struct place place = value->place;
    int count = 0;
    if (!field_is(loader, field->name, value, NODE_LIST))
        return;
    for (;; count++) {
        reader_next(loader->reader, &item);
        if (item.kind == NODE_END || item.kind == NODE_STOP)
            break;
        loader->key = place_at(0, 0, 0);
        if (!field_is(loader, field->name, &item, NODE_MAPPING))
            continue;
        struct wrong_draft draft = { 0 };
        struct seen seen;
        struct place start = place_at(item.place.line, item.place.column, 0);
        fields_read(loader, &wrong_fields, &draft, &start, &seen);
        if (draft.wrong.value)
            add(loader, field->name, target, &draft.wrong, &draft.place);
    }
    if (count == 0 && item.kind == NODE_END)
        report_error(loader->report, &place, "empty-list", tr("write an item, or delete the key"),
                     tr("%s: the list is empty"), field->name);
}

const char *wrong_take_key(struct loader *loader, const char *name, const struct node *key)
{
    struct place place = key->place;
    loader->key = place;
    const char *text = field_take(loader, name, key, FORM_TEXT);
    return text && short_enough(loader, name, text, &place) ? text : NULL;
}

void feedback_read(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    struct node key, told;
    struct place place = value->place;
    int count = 0;
    if (!field_is(loader, field->name, value, NODE_MAPPING))
        return;
    for (;; count++) {
        reader_next(loader->reader, &key);
        if (key.kind == NODE_END || key.kind == NODE_STOP)
            break;
        struct place key_place = key.place;
        struct known_wrong wrong = { .value = wrong_take_key(loader, field->name, &key) };
        reader_next(loader->reader, &told);
        if (told.kind == NODE_STOP)
            break;
        wrong.feedback = field_take(loader, field->name, &told, FORM_TEXT);
        if (wrong.value && wrong.feedback)
            add(loader, field->name, target, &wrong, &key_place);
    }
    if (count == 0 && key.kind == NODE_END)
        report_error(loader->report, &place, "empty-list",
                     tr("write a response and what to tell, or delete the key"), tr("%s: nothing in it"),
                     field->name);
}
