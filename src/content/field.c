#include "field.h"

#include "index.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <string.h>

enum { KEY_BYTES = 64 };

void loader_init(struct loader *loader, struct reader *reader, struct arena *arena)
{
    memset(loader, 0, sizeof *loader);
    loader->reader = reader;
    loader->report = reader_report(reader);
    loader->arena = arena;
    buffer_init(&loader->scratch);
}

void loader_finish(struct loader *loader)
{
    buffer_finish(&loader->scratch);
    memory_free(loader->list);
    memory_free(loader->spots);
}

void loader_note_spot(struct loader *loader, const char *text, const struct place *place)
{
    if (!memory_grow(&loader->spots, &loader->spot_capacity, loader->spot_count + 1, sizeof *loader->spots)) {
        reader_out_of_memory(loader->reader);
        return;
    }
    loader->spots[loader->spot_count++] = (struct text_spot){ text, *place };
}

const struct place *loader_spot(const struct loader *loader, const char *text)
{
    for (ptrdiff_t i = 0; i < loader->spot_count; i++)
        if (loader->spots[i].text == text)
            return &loader->spots[i].place;
    return NULL;
}

void loader_forget_spots(struct loader *loader)
{
    loader->spot_count = 0;
}

void *loader_keep(struct loader *loader, const void *items, ptrdiff_t count, ptrdiff_t size)
{
    void *kept = arena_alloc(loader->arena, count * size);
    if (!kept)
        reader_out_of_memory(loader->reader);
    else if (count > 0)
        memcpy(kept, items, (size_t)(count * size));
    return kept;
}

bool seen_has(const struct seen *seen, int row)
{
    return (seen->present >> row & 1) != 0;
}

/* Keys come in about the order of the table, most often the one behind the last. */
static int find_row(const struct fields *fields, const char *key, int guess)
{
    for (int i = 0; i < fields->count; i++) {
        int row = guess + i < fields->count ? guess + i : guess + i - fields->count;
        const char *name = fields->rows[row].name;
        if (name[0] == key[0] && strcmp(name, key) == 0)
            return row;
    }
    return -1;
}

static void list_names(const struct fields *fields, char names[static FIELD_NAMES])
{
    int at = 0;
    names[0] = '\0';
    for (int i = 0; i < fields->count && at < FIELD_NAMES - 80; i++)
        at += snprintf(names + at, (size_t)(FIELD_NAMES - at), "%s%s", i ? ", " : "", fields->rows[i].name);
}

static const struct misplaced *find_misplaced(const struct fields *fields, const char *key,
                                              const struct seen *seen)
{
    for (const struct misplaced *at = fields->misplaced; at && at->key; at++) {
        if (strcmp(at->key, key) != 0)
            continue;
        int beside = at->beside ? find_row(fields, at->beside, 0) : -1;
        if (!at->beside || (beside >= 0 && seen_has(seen, beside)))
            return at;
    }
    return NULL;
}

/* An unknown key; the nearest known one is not missed as well. */
static void report_unknown(struct loader *loader, const struct fields *fields, const struct node *key,
                           struct seen *seen)
{
    const char *names[FIELDS_MOST];
    char quote[REPORT_QUOTE], all[FIELD_NAMES];
    for (int i = 0; i < fields->count; i++)
        names[i] = fields->rows[i].name;
    const struct misplaced *misplaced = find_misplaced(fields, key->text, seen);
    const char *near = misplaced ? misplaced->meant : text_nearest(key->text, names, fields->count), *hint;
    for (int i = 0; near && i < fields->count; i++)
        if (strcmp(near, names[i]) == 0)
            seen->forgiven |= 1u << i;
    list_names(fields, all);
    if (misplaced)
        hint = tr(misplaced->hint);
    else if (near)
        hint = report_hint(loader->report, tr("did you mean \"%s\"?"), near);
    else if (strchr(key->text, ' '))
        hint = tr("if this is one text that holds \": \", put all of it in quotes");
    else
        hint = report_hint(loader->report, tr("known here: %s; keys of your own begin with x-"), all);
    report_error(loader->report, &key->place, "unknown-key", hint, tr("%s has no key %s"), tr(fields->what),
                 report_quote(quote, key->text, key->length));
}

static void report_duplicate(struct loader *loader, const struct node *key, int line)
{
    char quote[REPORT_QUOTE];
    report_error(loader->report, &key->place, "duplicate-key", tr("keep one of them"),
                 tr("the key %s stands here for the second time, first in line %d"),
                 report_quote(quote, key->text, key->length), line);
}

/* Keys of the author's own are passed over, but even they may not stand twice. */
static void take_own_key(struct loader *loader, const struct node *key, struct index *own)
{
    const char *name = arena_text(loader->arena, key->text, key->length);
    int line = name ? index_add(own, name, key->place.line) : -2;
    if (line >= 0)
        report_duplicate(loader, key, line);
    else if (line == -2)
        reader_out_of_memory(loader->reader);
}

/* The row of a key, or -1 when its value is to be passed over. */
static int take_key(struct loader *loader, const struct fields *fields, const struct node *key, int guess,
                    struct seen *seen, struct index *own)
{
    if (key->kind == NODE_BAD)
        return -1;
    if (key->kind != NODE_TEXT) {
        report_error(loader->report, &key->place, "key-kind", tr("put the text in quotes"),
                     tr("a key must be a text, found a %s"),
                     key->kind == NODE_LIST ? tr("list") : tr("mapping"));
        reader_skip(loader->reader, key);
        return -1;
    }
    if (key->length > KEY_BYTES) {
        report_error(loader->report, &key->place, "key-too-long",
                     tr("if this is one text that holds \": \", put all of it in quotes"),
                     tr("a key of %td bytes; at most 64 are allowed"), key->length);
        return -1;
    }
    if (key->text[0] == 'x' && key->text[1] == '-') {
        take_own_key(loader, key, own);
        return -1;
    }
    int row = find_row(fields, key->text, guess);
    if (row < 0) {
        report_unknown(loader, fields, key, seen);
    } else if (seen_has(seen, row)) {
        report_duplicate(loader, key, seen->keys[row].line);
        row = -1;
    } else {
        seen->present |= 1u << row;
        seen->keys[row] = key->place;
    }
    return row;
}

static void report_missing(struct loader *loader, const struct fields *fields, const struct seen *seen,
                           const struct place *place)
{
    for (int i = 0; i < fields->count; i++) {
        const struct field *field = &fields->rows[i];
        if (field->needed && !((seen->present | seen->forgiven) >> i & 1))
            report_error(loader->report, place, "missing-key",
                         report_hint(loader->report, tr("add %s: …"), field->name),
                         tr("%s needs the key \"%s\""), tr(fields->what), field->name);
    }
}

/* Where a line with this key may have been meant to stand. */
static bool fields_know(const void *table, const char *key, ptrdiff_t length)
{
    const struct fields *fields = table;
    for (int i = 0; i < fields->count; i++)
        if ((ptrdiff_t)strlen(fields->rows[i].name) == length &&
            memcmp(fields->rows[i].name, key, (size_t)length) == 0)
            return true;
    return false;
}

void fields_read(struct loader *loader, const struct fields *fields, void *target, const struct place *place,
                 struct seen *seen)
{
    struct node key, value;
    struct index own;
    int row = -1;
    bool excused = loader->excused;
    loader->excused = false;
    index_init(&own);
    seen->present = seen->faulty = seen->forgiven = 0;
    reader_table(loader->reader, fields, fields_know);
    for (;;) {
        reader_next(loader->reader, &key);
        if (key.kind == NODE_END || key.kind == NODE_STOP)
            break;
        int found = take_key(loader, fields, &key, row + 1 < fields->count ? row + 1 : 0, seen, &own);
        struct place key_place = key.place;
        reader_next(loader->reader, &value);
        if (value.kind == NODE_STOP)
            break;
        if (found < 0) {
            reader_skip(loader->reader, &value);
            continue;
        }
        row = found;
        loader->key = key_place;
        const struct field *field = &fields->rows[row];
        int errors = loader->report->errors;
        field->read(loader, field, &value, (char *)target + field->offset);
        if (loader->report->errors != errors)
            seen->faulty |= 1u << row;
    }
    index_finish(&own);
    /* a stray line ends a mapping early: then the line is what is told, not what it kept from being read */
    if (key.kind == NODE_END && reader_look(loader->reader) && !loader->excused)
        report_missing(loader, fields, seen, place);
    loader->excused = excused;
}
