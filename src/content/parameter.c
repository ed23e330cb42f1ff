#include "parameter.h"

#include "derive_expression.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

void parameters_begin(struct loader *loader, struct parameter_draft *draft)
{
    draft->count = draft->derived_count = 0;
    draft->rows = draft->given = draft->derive = draft->faulty = false;
    draft->errors = loader->report->errors;
    loader_forget_spots(loader);
}

static void refuse_name(struct loader *loader, const struct place *place, const char *text, ptrdiff_t length)
{
    char quote[REPORT_QUOTE];
    report_quote(quote, text, length);
    if (expression_is_word(text, length))
        report_error(loader->report, place, "given-name", tr("take another name"),
                     tr("%s is a word of expressions, and can't be a name"), quote);
    else
        report_error(loader->report, place, "given-name",
                     tr("write a letter, then letters, digits or _, 32 at most"), tr("%s is not a name"),
                     quote);
}

/* A key that is to be a name, kept in the arena; NULL when it is none (reported) or an author's own key,
 * whose value is to be passed over. *place is where it stands. */
static const char *take_name(struct loader *loader, const struct node *key, struct place *place)
{
    *place = key->place;
    if (key->kind == NODE_BAD)
        return NULL;
    if (key->kind != NODE_TEXT) {
        report_error(loader->report, place, "key-kind", tr("put the text in quotes"),
                     tr("a key must be a text, found a %s"),
                     key->kind == NODE_LIST ? tr("list") : tr("mapping"));
        reader_skip(loader->reader, key);
        return NULL;
    }
    if (strncmp(key->text, "x-", 2) == 0)
        return NULL;
    if (!expression_is_name(key->text, key->length)) {
        refuse_name(loader, place, key->text, key->length);
        return NULL;
    }
    const char *name = arena_text(loader->arena, key->text, key->length);
    if (!name)
        reader_out_of_memory(loader->reader);
    return name;
}

/* Whether one more name has room, and is new. */
static bool take_new(struct loader *loader, const struct parameter_draft *draft, const char *name,
                     const struct place *place)
{
    const struct place *before = NULL;
    for (int i = 0; i < draft->count; i++)
        if (strcmp(draft->items[i].name, name) == 0)
            before = &draft->item_places[i];
    for (int i = 0; i < draft->derived_count; i++)
        if (strcmp(draft->derived[i].name, name) == 0)
            before = &draft->derived_places[i];
    if (before)
        report_error(loader->report, place, "duplicate-key", tr("take another name"),
                     tr("the name \"%s\" stands here for the second time, first in line %d"), name,
                     before->line);
    else if (draft->count + draft->derived_count == DERIVE_NAMES)
        report_error(loader->report, place, "too-many-values", tr("delete it"),
                     tr("given and derive have at most %d names together"), DERIVE_NAMES);
    else
        return true;
    return false;
}

/* Numbers, if all of the texts are. */
static bool settle_values(struct loader *loader, struct parameter *parameter)
{
    double *numbers = arena_alloc(loader->arena, parameter->count * (ptrdiff_t)sizeof *numbers);
    if (!numbers) {
        reader_out_of_memory(loader->reader);
        return false;
    }
    parameter->numeric = true;
    for (int i = 0; i < parameter->count && parameter->numeric; i++)
        parameter->numeric = form_number(parameter->texts[i], &numbers[i]);
    parameter->numbers = parameter->numeric ? numbers : NULL;
    return true;
}

/* A list of values, whose first item (or end) has been read. */
static bool read_values(struct loader *loader, const struct place *list, const struct node *first,
                        struct parameter *parameter)
{
    struct node item = *first;
    int count = 0;
    bool sound = true;
    for (; item.kind != NODE_END && item.kind != NODE_STOP; reader_next(loader->reader, &item)) {
        loader->key = place_at(0, 0, 0);
        const char *text = field_take(loader, parameter->name, &item, FORM_TEXT);
        sound = sound && text;
        if (text && count < DERIVE_VALUES) {
            if (!memory_grow(&loader->list, &loader->list_capacity, count + 1, sizeof *loader->list)) {
                reader_out_of_memory(loader->reader);
                return false;
            }
            loader->list[count] = text;
        }
        count += text != NULL;
    }
    if (item.kind == NODE_STOP || !sound)
        return false;
    if (count == 0)
        report_error(loader->report, list, "empty-list", tr("write an item, or delete the key"),
                     tr("%s: the list is empty"), parameter->name);
    else if (count > DERIVE_VALUES)
        report_error(loader->report, list, "too-many-values", tr("write fewer values"),
                     tr("%s: at most %d values"), parameter->name, DERIVE_VALUES);
    if (count == 0 || count > DERIVE_VALUES)
        return false;
    parameter->texts = loader_keep(loader, loader->list, count, sizeof *loader->list);
    parameter->count = count;
    return parameter->texts && settle_values(loader, parameter);
}

struct range_draft {
    double from, to, step;
};

static void read_bound(struct loader *loader, const struct field *field, const struct node *value,
                       void *target)
{
    field_take_number(loader, field->name, value, target);
}

#define ROW(name, member)                                                                                    \
    {                                                                                                        \
        name, read_bound, offsetof(struct range_draft, member), true, NULL                                   \
    }
static const struct field range_rows[] = { ROW("from", from), ROW("to", to), ROW("step", step) };
static const struct fields range_fields = { range_rows, 3, N_("a range"), NULL };

/* {from, to, step}: floor((to − from) / step + 1e-9) + 1 values. */
static bool read_range(struct loader *loader, const struct node *value, struct parameter *parameter)
{
    struct range_draft range = { 0 };
    struct seen seen;
    struct place place = value->place;
    int errors = loader->report->errors;
    fields_read(loader, &range_fields, &range, &place, &seen);
    if (loader->report->errors != errors || reader_stopped(loader->reader))
        return false;
    double count = floor((range.to - range.from) / range.step + 1e-9) + 1;
    if (range.step == 0)
        report_error(loader->report, &seen.keys[2], "range", tr("write a number above 0"),
                     tr("%s: must not be 0"), "step");
    else if (!(count >= 1))
        report_error(loader->report, &place, "range", tr("write the smaller number as \"from\""),
                     tr("%s: the range has no value: \"to\" is not reached from \"from\" in such steps"),
                     parameter->name);
    else if (!(count <= DERIVE_VALUES))
        report_error(loader->report, &place, "too-many-values", tr("write a larger step"),
                     tr("%s: at most %d values"), parameter->name, DERIVE_VALUES);
    if (range.step == 0 || !(count >= 1 && count <= DERIVE_VALUES))
        return false;
    parameter->numeric = true;
    parameter->count = (int)count;
    parameter->from = range.from;
    parameter->step = range.step;
    return true;
}

/* The rows of `rows`, being read: the first one says which names there are. */
struct rows {
    struct parameter_draft *draft;
    int count;
    bool faulty;
};

static int find_column(const struct parameter_draft *draft, const char *name)
{
    for (int i = 0; i < draft->count; i++)
        if (strcmp(draft->items[i].name, name) == 0)
            return i;
    return -1;
}

static void refuse_column(struct loader *loader, const struct parameter_draft *draft, const char *name,
                          const struct place *place)
{
    const char *names[DERIVE_NAMES];
    for (int i = 0; i < draft->count; i++)
        names[i] = draft->items[i].name;
    const char *near = text_nearest(name, names, draft->count);
    report_error(loader->report, place, "given-name",
                 near ? report_hint(loader->report, tr("did you mean \"%s\"?"), near)
                      : tr("all rows have the names of the first one"),
                 tr("the first row has no name \"%s\""), name);
}

/* The column of one key of a row; -1 when its value is to be passed over. */
static int take_column(struct loader *loader, struct rows *rows, const struct node *key,
                       const char *const *values)
{
    struct parameter_draft *draft = rows->draft;
    struct place place;
    int errors = loader->report->errors;
    const char *name = take_name(loader, key, &place);
    int column = name ? find_column(draft, name) : -1;
    if (name && column >= 0 && values[column]) {
        report_error(loader->report, &place, "duplicate-key", tr("keep one of them"),
                     tr("the name \"%s\" stands twice in this row"), name);
        column = -1;
    } else if (name && column < 0 && rows->count > 0) {
        refuse_column(loader, draft, name, &place);
    } else if (name && column < 0 && take_new(loader, draft, name, &place)) {
        column = draft->count++;
        draft->items[column] = (struct parameter){ .name = name };
        draft->item_places[column] = place;
    }
    rows->faulty = rows->faulty || loader->report->errors != errors;
    return column;
}

/* One row, its texts behind those of the rows before, in loader->list. */
static void read_row(struct loader *loader, struct rows *rows, const struct node *start)
{
    struct parameter_draft *draft = rows->draft;
    const char *values[DERIVE_NAMES] = { NULL };
    struct node key, value;
    struct place place = place_at(start->place.line, start->place.column, 0);
    for (;;) {
        reader_next(loader->reader, &key);
        if (key.kind == NODE_END || key.kind == NODE_STOP)
            break;
        int column = take_column(loader, rows, &key, values);
        reader_next(loader->reader, &value);
        if (value.kind == NODE_STOP)
            return;
        if (column < 0) {
            reader_skip(loader->reader, &value);
            continue;
        }
        values[column] = field_take(loader, draft->items[column].name, &value, FORM_TEXT);
        rows->faulty = rows->faulty || !values[column];
    }
    for (int i = 0; i < draft->count && key.kind == NODE_END && !rows->faulty; i++)
        if (!values[i]) {
            report_error(loader->report, &place, "missing-key",
                         report_hint(loader->report, tr("add %s: …"), draft->items[i].name),
                         tr("this row has no \"%s\""), draft->items[i].name);
            rows->faulty = true;
        }
    ptrdiff_t start_at = (ptrdiff_t)rows->count * draft->count;
    if (rows->faulty || draft->count == 0)
        return;
    if (!memory_grow(&loader->list, &loader->list_capacity, start_at + draft->count, sizeof *loader->list)) {
        reader_out_of_memory(loader->reader);
        return;
    }
    memcpy(loader->list + start_at, values, (size_t)draft->count * sizeof *values);
}

static void settle_rows(struct loader *loader, struct rows *rows)
{
    struct parameter_draft *draft = rows->draft;
    for (int i = 0; i < draft->count; i++) {
        const char **texts = arena_alloc(loader->arena, rows->count * (ptrdiff_t)sizeof *texts);
        if (!texts) {
            reader_out_of_memory(loader->reader);
            return;
        }
        for (int row = 0; row < rows->count; row++)
            texts[row] = loader->list[(ptrdiff_t)row * draft->count + i];
        draft->items[i].texts = texts;
        draft->items[i].count = rows->count;
        if (!settle_values(loader, &draft->items[i]))
            return;
    }
    draft->rows = true;
}

/* A list of mappings, whose first item has been read. */
static void read_rows(struct loader *loader, struct parameter_draft *draft, const struct node *first,
                      const struct place *place)
{
    struct rows rows = { .draft = draft };
    struct node item = *first;
    if (draft->count > 0) {
        report_error(loader->report, place, "given-name", tr("write all names into the rows"),
                     tr("\"rows\" stands alone in given"));
        rows.faulty = true;
    }
    for (; item.kind != NODE_END && item.kind != NODE_STOP; reader_next(loader->reader, &item)) {
        struct place start = item.place;
        loader->key = place_at(0, 0, 0);
        if (rows.count == DERIVE_VALUES) {
            if (!rows.faulty)
                report_error(loader->report, &start, "too-many-values", tr("write fewer rows"),
                             tr("%s: at most %d values"), "rows", DERIVE_VALUES);
            rows.faulty = true;
            reader_skip(loader->reader, &item);
            continue;
        }
        if (!field_is(loader, "rows", &item, NODE_MAPPING)) {
            rows.faulty = true;
            continue;
        }
        read_row(loader, &rows, &item);
        if (reader_stopped(loader->reader))
            return;
        if (draft->count == 0 && !rows.faulty) {
            report_error(loader->report, &start, "empty-list", tr("write \"name: value\" into it"),
                         tr("this row has no names"));
            rows.faulty = true;
        }
        rows.count++;
    }
    if (item.kind == NODE_END && !rows.faulty)
        settle_rows(loader, &rows);
    draft->faulty = draft->faulty || rows.faulty;
}

/* `rows` with mappings in it; else the values of a name that happens to be "rows". False: passed over. */
static bool read_list(struct loader *loader, struct parameter_draft *draft, struct parameter *parameter,
                      const struct node *value, const struct place *place)
{
    struct node item;
    struct place list = value->place;
    reader_next(loader->reader, &item);
    if (strcmp(parameter->name, "rows") != 0 || item.kind != NODE_MAPPING)
        return read_values(loader, &list, &item, parameter);
    read_rows(loader, draft, &item, place);
    return false;
}

void given_read(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    struct parameter_draft *draft = target;
    struct node key, item;
    struct place start = value->place;
    int errors = loader->report->errors;
    draft->given = true;
    if (!field_is(loader, field->name, value, NODE_MAPPING)) {
        draft->faulty = true;
        return;
    }
    for (;;) {
        struct place place;
        reader_next(loader->reader, &key);
        if (key.kind == NODE_END || key.kind == NODE_STOP)
            break;
        const char *name = take_name(loader, &key, &place);
        reader_next(loader->reader, &item);
        if (item.kind == NODE_STOP)
            return;
        struct parameter parameter = { .name = name };
        loader->key = place;
        bool rows = name && draft->rows, taken = false;
        if (rows)
            report_error(loader->report, &place, "given-name", tr("write all names into the rows"),
                         tr("\"rows\" stands alone in given"));
        if (!name || rows || !take_new(loader, draft, name, &place))
            reader_skip(loader->reader, &item);
        else if (item.kind == NODE_MAPPING)
            taken = read_range(loader, &item, &parameter);
        else if (field_is(loader, name, &item, NODE_LIST))
            taken = read_list(loader, draft, &parameter, &item, &place);
        if (!taken)
            continue;
        draft->item_places[draft->count] = place;
        draft->items[draft->count++] = parameter;
    }
    draft->faulty = draft->faulty || loader->report->errors != errors;
    if (draft->count == 0 && !draft->faulty && key.kind == NODE_END) {
        report_error(loader->report, &start, "empty-list",
                     tr("write \"name: [value, value]\", or delete the key"), tr("%s: nothing in it"),
                     field->name);
        draft->faulty = true;
    }
}

void derive_read(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    struct parameter_draft *draft = target;
    struct node key, item;
    struct place start = value->place;
    int errors = loader->report->errors;
    draft->derive = true;
    if (!field_is(loader, field->name, value, NODE_MAPPING)) {
        draft->faulty = true;
        return;
    }
    for (;;) {
        struct place place;
        reader_next(loader->reader, &key);
        if (key.kind == NODE_END || key.kind == NODE_STOP)
            break;
        const char *name = take_name(loader, &key, &place);
        reader_next(loader->reader, &item);
        if (item.kind == NODE_STOP)
            return;
        loader->key = place;
        if (!name || !take_new(loader, draft, name, &place)) {
            reader_skip(loader->reader, &item);
            continue;
        }
        struct place where = item.place;
        const char *expression = field_take(loader, name, &item, FORM_TEXT);
        if (!expression)
            continue;
        draft->derived_places[draft->derived_count] = place;
        draft->derived[draft->derived_count++] =
            (struct derived){ name, expression, where.line, where.column };
    }
    draft->faulty = draft->faulty || loader->report->errors != errors;
    if (draft->derived_count == 0 && !draft->faulty && key.kind == NODE_END) {
        report_error(loader->report, &start, "empty-list",
                     tr("write \"name: expression\", or delete the key"), tr("%s: nothing in it"),
                     field->name);
        draft->faulty = true;
    }
}
