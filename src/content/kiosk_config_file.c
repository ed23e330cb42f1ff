#include "kiosk_config_file.h"

#include "kiosk_moment.h"
#include "settings_file.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <string.h>

/* The row of the field being read: those below one key have names of their own. */
static const struct kiosk_row *row_of(const struct loader *loader, const struct field *field)
{
    const struct kiosk_draft *draft = loader->owner;
    for (int i = 0; i < KIOSK_ROWS; i++)
        if (kiosk_rows[i].below == draft->below && strcmp(kiosk_rows[i].setting->name, field->name) == 0)
            return &kiosk_rows[i];
    return NULL; /* never: the fields are made of the rows */
}

static void *no_memory(struct loader *loader)
{
    reader_out_of_memory(loader->reader);
    return NULL;
}

/* A path from / on, whatever folder the program was started in; NULL after a report. */
static const char *take_path(struct loader *loader, const struct field *field, const struct place *place,
                             const char *text)
{
    const struct kiosk_draft *draft = loader->owner;
    char quote[REPORT_QUOTE];
    if (*text == '~') {
        report_error(loader->report, place, "setting", tr("write the whole path: a kiosk has no home folder"),
                     tr("%s: a path without ~ belongs here, found %s"), field->name,
                     report_quote(quote, text, (ptrdiff_t)strlen(text)));
        return NULL;
    }
    const char *whole = settings_from_file(loader->arena, draft->config->path, false, text);
    return whole ? whole : no_memory(loader);
}

bool kiosk_put(struct arena *arena, const struct kiosk_row *row, const char *text, double number, void *base)
{
    char *target = (char *)base + row->offset;
    enum setting_kind kind = row->setting->kind;
    if (kind == SETTING_BOOL) {
        *(bool *)target = number > 0;
    } else if (kind == SETTING_TEXT || kind == SETTING_PATH || row->shape == KIOSK_SHAPE_WORD) {
        const char *kept = arena_text(arena, text, (ptrdiff_t)strlen(text));
        *(const char **)target = kept;
        return kept;
    } else {
        *(int *)target = (int)number;
    }
    return true;
}

/* One value of the setting's kind, judged as in a settings file. */
static void read_value(struct loader *loader, const struct field *field, const struct node *value,
                       void *target)
{
    const struct kiosk_row *row = row_of(loader, field);
    struct place place = value->place;
    char belongs[200];
    double number;
    const char *text = field_take_line(loader, field->name, value);
    if (!text)
        return;
    if (row == &kiosk_rows[KIOSK_KEY_STORE] && settings_is_address(text)) {
        report_error(
            loader->report, &place, "setting", tr("write the path of a file"),
            tr("%s: a kiosk keeps its store on this machine; quiztutor sync sends it to a central one"),
            field->name);
        return;
    }
    if (!settings_judge(row->setting, text, &number, belongs, sizeof belongs)) {
        settings_report(loader->report, field->name, row->setting, &place, belongs, text);
        return;
    }
    if (row->setting->kind == SETTING_PATH)
        text = take_path(loader, field, &place, text);
    if (text && !kiosk_put(loader->arena, row, text, number, (char *)target - row->offset))
        no_memory(loader);
}

static void read_text(struct loader *loader, const struct field *field, const struct node *value,
                      void *target)
{
    struct place place = value->place;
    const char *text = field_take(loader, field->name, value, FORM_TEXT);
    if (text && strlen(text) > KIOSK_WELCOME)
        report_error(loader->report, &place, "setting", tr("write a shorter one"),
                     tr("%s: a text of %zu bytes; at most %d are allowed"), field->name, strlen(text),
                     KIOSK_WELCOME);
    else if (text)
        *(const char **)target = text;
}

static void read_secret(struct loader *loader, const struct field *field, const struct node *value,
                        void *target)
{
    struct place place = value->place;
    const char *text = field_take_line(loader, field->name, value);
    if (text && secret_is_kept(text))
        *(const char **)target = text;
    else if (text) /* says nothing of what was found: it may be the code itself, and a screen shows this */
        report_error(loader->report, &place, "secret",
                     tr("run quiztutor kiosk --code, and write the line that it prints"),
                     tr("%s: what quiztutor kiosk --code makes of a code belongs here"), field->name);
}

static void read_moment(struct loader *loader, const struct field *field, const struct node *value,
                        void *target)
{
    struct kiosk_draft *draft = loader->owner;
    struct place place = value->place;
    char quote[REPORT_QUOTE];
    int64_t wall;
    const char *text = field_take_line(loader, field->name, value);
    if (!text)
        return;
    draft->moments[row_of(loader, field) != &kiosk_rows[KIOSK_KEY_EXAM_FROM]] = place;
    enum moment moment = moment_read(text, draft->clock, &wall);
    report_quote(quote, text, (ptrdiff_t)strlen(text));
    if (moment == MOMENT_FINE)
        *(int64_t *)target = wall;
    else if (moment == MOMENT_UNREADABLE)
        report_error(loader->report, &place, "moment", NULL,
                     tr("%s: a local time like 2026-12-01 09:00 belongs here, found %s"), field->name, quote);
    else if (moment == MOMENT_NEVER)
        report_error(loader->report, &place, "moment", tr("write a time an hour later"),
                     tr("%s: %s does not exist here, since the clocks are set forward then"), field->name,
                     quote);
    else
        report_error(loader->report, &place, "moment", tr("write a time an hour earlier or later"),
                     tr("%s: %s comes twice here, since the clocks are set back then"), field->name, quote);
}

/* What a group is compared by, as the roster does it; NULL after a report or without memory. */
static const char *group_key(struct loader *loader, const struct field *field, const struct place *place,
                             const char *text)
{
    const char *why = NULL, *kept = NULL;
    char *name = text_learner_name(text, &why);
    char *key = name ? text_fold(name) : NULL;
    if (key)
        kept = arena_text(loader->arena, key, (ptrdiff_t)strlen(key));
    if (!name && why)
        report_error(loader->report, place, "setting", NULL, tr("%s: the group's name can't be used: %s"),
                     field->name, why);
    else if (!kept)
        no_memory(loader);
    memory_free(name);
    memory_free(key);
    return kept;
}

static bool take_name(struct loader *loader, const struct field *field, const struct node *value,
                      struct kiosk_name *name)
{
    const struct kiosk_row *row = row_of(loader, field);
    const struct kiosk_draft *draft = loader->owner;
    struct place place = value->place;
    bool id = row->shape == KIOSK_SHAPE_ID || row->shape == KIOSK_SHAPE_IDS;
    const char *text = NULL;
    if (id)
        field_take_id(loader, field->name, value, &text);
    else
        text = field_take_line(loader, field->name, value);
    if (text && row->setting->kind == SETTING_PATH)
        text = take_path(loader, field, &place, text);
    name->text = name->key = text;
    name->file = draft->file;
    name->line = place.line;
    name->column = place.column;
    name->end_column = place.end_line == place.line ? place.end_column : place.column;
    if (text && !id && row->setting->kind == SETTING_TEXT)
        name->key = group_key(loader, field, &place, text);
    return name->key != NULL;
}

static void read_id(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    struct kiosk_name name;
    if (take_name(loader, field, value, &name))
        *(struct kiosk_name *)target = name;
}

static bool is_new(struct loader *loader, const struct field *field, const struct kiosk_name *items,
                   int count, const struct kiosk_name *name)
{
    char quote[REPORT_QUOTE];
    struct place place = { name->line, name->column, name->line, name->end_column };
    for (int i = 0; i < count; i++)
        if (strcmp(items[i].key, name->key) == 0) {
            report_error(loader->report, &place, "duplicate-item", tr("keep one of them"),
                         tr("%s: %s stands in line %d too"), field->name,
                         report_quote(quote, name->text, (ptrdiff_t)strlen(name->text)), items[i].line);
            return false;
        }
    if (count < KIOSK_LISTED)
        return true;
    report_error(loader->report, &place, "too-many-items", NULL, tr("%s: at most %d items can be listed"),
                 field->name, KIOSK_LISTED);
    reader_stop(loader->reader);
    return false;
}

/* Items of a list; the target gets them if there are any. */
static void read_list(struct loader *loader, const struct field *field, const struct node *value,
                      struct kiosk_names *target)
{
    struct kiosk_name *items = NULL;
    ptrdiff_t capacity = 0;
    struct place place = value->place;
    struct node item;
    int count = 0;
    bool sound = true;
    loader->key = place_at(0, 0, 0);
    for (;;) {
        reader_next(loader->reader, &item);
        if (item.kind == NODE_END || item.kind == NODE_STOP)
            break;
        struct kiosk_name name;
        bool taken = take_name(loader, field, &item, &name) && is_new(loader, field, items, count, &name);
        sound = sound && taken;
        if (!taken)
            continue;
        if (!memory_grow(&items, &capacity, count + 1, sizeof *items)) {
            no_memory(loader);
            break;
        }
        items[count++] = name;
    }
    if (sound && count == 0 && item.kind == NODE_END)
        report_error(loader->report, &place, "empty-list", tr("write an item, or delete the key"),
                     tr("%s: the list is empty"), field->name);
    if (count > 0) {
        target->items = loader_keep(loader, items, count, sizeof *items);
        target->count = target->items ? count : 0;
    }
    memory_free(items);
}

static void read_names(struct loader *loader, const struct field *field, const struct node *value,
                       void *target)
{
    struct kiosk_names *names = target;
    struct kiosk_name name;
    if (value->kind == NODE_LIST) {
        read_list(loader, field, value, names);
    } else if (take_name(loader, field, value, &name)) {
        names->items = loader_keep(loader, &name, 1, sizeof name);
        names->count = names->items ? 1 : 0;
    }
}

bool kiosk_put_list(struct arena *arena, const struct kiosk_row *row, const char *text, void *base)
{
    struct kiosk_name *name = arena_alloc(arena, sizeof *name);
    if (!name)
        return false;
    *name = (struct kiosk_name){ .text = text, .file = text, .key = text, .line = 1, .column = 1 };
    *(struct kiosk_names *)((char *)base + row->offset) = (struct kiosk_names){ name, 1 };
    return true;
}

/* A mapping of its own, in place of what an earlier file said of it. */
static void read_backups(struct loader *loader, const struct field *field, const struct node *value,
                         void *target)
{
    struct kiosk_backups backups = { 0 };
    struct place place = value->place;
    struct seen seen;
    if (!field_is(loader, field->name, value, NODE_MAPPING))
        return;
    for (int i = 0; i < KIOSK_ROWS; i++) {
        const struct kiosk_row *row = &kiosk_rows[i];
        char belongs[200];
        double number;
        if (row->below != KIOSK_KEY_BACKUPS || !row->setting->fallback)
            continue;
        settings_judge(row->setting, row->setting->fallback, &number, belongs, sizeof belongs);
        if (!kiosk_put(loader->arena, row, row->setting->fallback, number, &backups))
            no_memory(loader);
    }
    kiosk_fields_read(loader, KIOSK_KEY_BACKUPS, N_("backups"), &backups, &place, &seen);
    *(struct kiosk_backups *)target = backups;
}

static field_read *const readers[] = {
    [KIOSK_SHAPE_VALUE] = read_value,
    [KIOSK_SHAPE_WORD] = read_value,
    [KIOSK_SHAPE_TEXT] = read_text,
    [KIOSK_SHAPE_LIST] = read_names,
    [KIOSK_SHAPE_ID] = read_id,
    [KIOSK_SHAPE_IDS] = read_names,
    [KIOSK_SHAPE_MOMENT] = read_moment,
    [KIOSK_SHAPE_FORMAT] = field_format,
    [KIOSK_SHAPE_SECRET] = read_secret,
    [KIOSK_SHAPE_MAPPING] = read_backups,
    [KIOSK_SHAPE_EXAMS] = kiosk_exams_read,
};

void kiosk_fields_read(struct loader *loader, enum kiosk_key below, const char *what, void *target,
                       const struct place *place, struct seen *seen)
{
    struct kiosk_draft *draft = loader->owner;
    struct field rows[FIELDS_MOST];
    struct fields fields = { rows, 0, what, NULL };
    enum kiosk_key before = draft->below;
    for (int i = 0; i < KIOSK_ROWS; i++) {
        const struct kiosk_row *row = &kiosk_rows[i];
        struct field field = { row->setting->name, readers[row->shape], row->offset, row->needed,
                               row->setting->words };
        if (row->below == below)
            rows[fields.count++] = field;
    }
    draft->below = below;
    fields_read(loader, &fields, target, place, seen);
    draft->below = before;
}

static bool names_code(const char *text)
{
    const char *key = text + strspn(text, " \t\"'-?{"), *tutor = strcasestr(text, "tutor");
    return strncasecmp(key, "tutor", 5) == 0 || strncasecmp(key, "code", 4) == 0 ||
           (tutor && strcasestr(tutor, "code")) || strstr(text, "$argon2");
}

/* Whether the tutor's code may stand in this line: beside its key, however that is misspelt, or below it. */
static bool may_hold_code(struct source *source, int line)
{
    enum { LOOKED_AT = 400, LINES_BELOW = 50 };
    char text[LOOKED_AT + 1];
    for (int at = line; at >= 1 && at > line - LINES_BELOW; at--) {
        ptrdiff_t length, start = source_line(source, at, LOOKED_AT, &length);
        if (start < 0 || length == 0)
            continue;
        memcpy(text, source->data + start, (size_t)length);
        text[length] = '\0';
        if (names_code(text))
            return true;
        if (!strchr(" \t#", *text)) /* begins a key at the top */
            return false;
    }
    return false;
}

/* A screen shows what is wrong to whoever stands before it: no line is shown that may hold the tutor's code,
 * nor advice that repeats it. */
static void hide_code(struct source *source, struct diagnostics *list, const char *file)
{
    for (ptrdiff_t i = 0; i < list->count; i++) {
        struct diagnostic *diagnostic = &list->items[i];
        if (strcmp(diagnostic->file, file) != 0 || !may_hold_code(source, diagnostic->line))
            continue;
        diagnostic->source = NULL;
        if (strcmp(diagnostic->rule, "colon-in-text") == 0)
            diagnostic->hint = tr("put it in quotes");
    }
}

bool kiosk_file_read(struct kiosk_draft *draft, const char *path, struct source *source,
                     struct diagnostics *list, struct error *error)
{
    struct report report;
    struct loader loader;
    struct seen seen;
    struct node root;
    draft->file = path;
    report_init(&report, source, list, path);
    struct reader *reader = reader_create(&report);
    if (!reader)
        return error_memory(error);
    loader_init(&loader, reader, &draft->config->arena);
    loader.owner = draft;
    reader_next(reader, &root);
    struct place place = place_at(root.place.line, root.place.column, 0);
    if (root.kind != NODE_STOP && field_is(&loader, tr("kiosk"), &root, NODE_MAPPING))
        kiosk_fields_read(&loader, KIOSK_ROWS, N_("the kiosk's file"), draft->config, &place, &seen);
    reader_close(reader);
    bool failed = reader_has_failed(reader) || list->failed, stopped = reader_stopped(reader);
    loader_finish(&loader);
    reader_destroy(reader);
    hide_code(source, list, path);
    if (source->failure)
        return error_set(error, ERROR_IO, "%s: %s", path, strerror(source->failure));
    if (failed)
        return error_memory(error);
    if (report.errors == 0 && stopped)
        return error_set(error, ERROR_INPUT, tr("%s: it can't be read"), path);
    return report.errors == 0;
}
