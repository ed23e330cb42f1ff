#include "settings_file.h"

#include "field.h"
#include "index.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <string.h>

/* The settings being read; loader->owner points to it. */
struct settings_draft {
    struct settings *settings;
    const char *path;
};

/* The word of the row that is nearest to what was written, as advice. */
static const char *near_word(struct report *report, const struct setting_row *row, const char *text)
{
    enum { WORDS = 16, WORDS_BYTES = 200 };
    char room[WORDS_BYTES];
    const char *names[WORDS];
    int count = 0;
    if (row->kind != SETTING_WORD)
        return NULL;
    snprintf(room, sizeof room, "%s", row->words);
    char *rest = room;
    for (char *word; count < WORDS && (word = strsep(&rest, "|")) != NULL;)
        names[count++] = word;
    const char *near = text_nearest(text, names, count);
    return near ? report_hint(report, tr("did you mean \"%s\"?"), near) : NULL;
}

void settings_report(struct report *report, const char *name, const struct setting_row *row,
                     const struct place *place, const char *belongs, const char *text)
{
    char quote[REPORT_QUOTE];
    report_error(report, place, "setting", near_word(report, row, text), tr("%s: %s, found %s"), name,
                 belongs, report_quote(quote, text, (ptrdiff_t)strlen(text)));
}

static void put(struct loader *loader, enum setting setting, const char *text, double number, int line)
{
    struct settings_draft *draft = loader->owner;
    const char *origin = arena_print(loader->arena, "%s:%d", draft->path, line);
    if (!origin || !settings_put(draft->settings, setting, text, number, origin))
        reader_out_of_memory(loader->reader);
}

const char *settings_from_file(struct arena *arena, const char *file, bool list, const char *text)
{
    const char *slash = strrchr(file, '/');
    struct buffer out;
    if (!slash)
        return text;
    buffer_init(&out);
    for (const char *at = text; *at; at++) {
        bool start = at == text || (list && at[-1] == ':');
        bool home = at[0] == '~' && at[1] == '/';
        if (start && *at != '/' && !home && !(list && *at == ':'))
            buffer_add(&out, file, slash + 1 - file);
        buffer_char(&out, *at);
    }
    const char *whole = out.failed ? NULL : arena_text(arena, buffer_get(&out), out.length);
    buffer_finish(&out);
    return whole;
}

static const char *from_file(struct loader *loader, const struct setting_row *row, const char *text)
{
    const struct settings_draft *draft = loader->owner;
    if (row->kind != SETTING_PATH || (row == &setting_rows[SETTING_STORE] && settings_is_address(text)))
        return text;
    bool list = row == &setting_rows[SETTING_CONTENT];
    const char *whole = settings_from_file(loader->arena, draft->path, list, text);
    if (!whole)
        reader_out_of_memory(loader->reader);
    return whole;
}

/* Any setting that is one text; field->offset is the setting. */
static void read_value(struct loader *loader, const struct field *field, const struct node *value,
                       void *target)
{
    const struct setting_row *row = &setting_rows[field->offset];
    struct place place = value->place;
    int line = loader->key.line;
    char belongs[200];
    double number;
    (void)target;
    const char *text = field_take_line(loader, field->name, value);
    if (!text)
        return;
    const char *whole = from_file(loader, row, text);
    if (!whole)
        return;
    const char *refusal = settings_refusal(row, text);
    if (refusal)
        report_error(loader->report, &place, "setting", tr("write the address without it"), tr("%s: %s"),
                     field->name, refusal);
    else if (settings_judge(row, text, &number, belongs, sizeof belongs))
        put(loader, (enum setting)field->offset, whole, number, line);
    else
        settings_report(loader->report, field->name, row, &place, belongs, text);
}

/* One entry of a mapping from pack ids to numbers; true when it is to be kept. */
static bool read_share(struct loader *loader, const struct field *field, const struct node *key,
                       const struct setting_share *before, int count, struct setting_share *share)
{
    const struct setting_row *row = &setting_rows[field->offset];
    struct node value;
    char belongs[200];
    bool sound = key->kind == NODE_TEXT && field_take_id(loader, field->name, key, &share->pack);
    if (key->kind != NODE_TEXT)
        field_is(loader, field->name, key, NODE_TEXT);
    for (int i = 0; sound && i < count; i++) {
        if (strcmp(before[i].pack, share->pack) != 0)
            continue;
        report_error(loader->report, &key->place, "duplicate-key", tr("keep one of them"),
                     tr("%s: \"%s\" stands here for the second time"), field->name, share->pack);
        sound = false;
    }
    reader_next(loader->reader, &value);
    if (!sound) {
        reader_skip(loader->reader, &value);
        return false;
    }
    loader->key = key->place;
    struct place place = value.place;
    const char *text = field_take_line(loader, field->name, &value);
    if (!text)
        return false;
    if (settings_judge(row, text, &share->share, belongs, sizeof belongs))
        return true;
    settings_report(loader->report, field->name, row, &place, belongs, text);
    return false;
}

enum { SHARES = 1000 };

static void keep_shares(struct loader *loader, enum setting setting, const struct setting_share *shares,
                        int count, int line)
{
    struct settings_draft *draft = loader->owner;
    struct buffer text;
    buffer_init(&text);
    for (int i = 0; i < count; i++)
        buffer_print(&text, "%s%s: %g", i ? ", " : "", shares[i].pack, shares[i].share);
    draft->settings->shares = loader_keep(loader, shares, count, sizeof *shares);
    draft->settings->share_count = draft->settings->shares ? count : 0;
    if (text.failed)
        reader_out_of_memory(loader->reader);
    else
        put(loader, setting, buffer_get(&text), 0, line);
    buffer_finish(&text);
}

static void read_shares(struct loader *loader, const struct field *field, const struct node *value,
                        void *target)
{
    struct setting_share *shares = NULL;
    ptrdiff_t capacity = 0;
    struct node key;
    int count = 0, line = loader->key.line;
    (void)target;
    if (!field_is(loader, field->name, value, NODE_MAPPING))
        return;
    for (;;) {
        reader_next(loader->reader, &key);
        if (key.kind == NODE_END || key.kind == NODE_STOP)
            break;
        if (count == SHARES) {
            report_error(loader->report, &key.place, "setting", NULL, tr("%s: more than %d packs"),
                         field->name, SHARES);
            reader_stop(loader->reader);
            break;
        }
        if (!memory_grow(&shares, &capacity, count + 1, sizeof *shares)) {
            reader_out_of_memory(loader->reader);
            break;
        }
        count += read_share(loader, field, &key, shares, count, &shares[count]);
    }
    if (!reader_stopped(loader->reader))
        keep_shares(loader, (enum setting)field->offset, shares, count, line);
    memory_free(shares);
}

static bool read_source(struct settings *settings, const char *path, struct source *source,
                        struct diagnostics *list, struct error *error)
{
    struct field rows[SETTINGS];
    struct fields fields = { rows, SETTINGS, N_("the settings file"), NULL };
    struct settings_draft draft = { settings, path };
    struct report report;
    struct loader loader;
    struct seen seen;
    struct node root;
    for (int i = 0; i < SETTINGS; i++) {
        struct field row = { setting_rows[i].name,
                             setting_rows[i].kind == SETTING_MAP ? read_shares : read_value, i, false, NULL };
        rows[i] = row;
    }
    report_init(&report, source, list, path);
    struct reader *reader = reader_create(&report);
    if (!reader)
        return error_memory(error);
    reader_allow_empty(reader);
    loader_init(&loader, reader, &settings->arena);
    loader.owner = &draft;
    reader_next(reader, &root);
    if (root.kind != NODE_STOP && field_is(&loader, tr("settings"), &root, NODE_MAPPING))
        fields_read(&loader, &fields, settings, &root.place, &seen);
    reader_close(reader);
    bool failed = reader_has_failed(reader) || list->failed;
    loader_finish(&loader);
    reader_destroy(reader);
    if (source->failure)
        return error_set(error, ERROR_IO, "%s: %s", path, strerror(source->failure));
    return failed ? error_memory(error) : report.errors == 0;
}

bool settings_file(struct settings *settings, const char *path, struct diagnostics *list, struct error *error)
{
    struct source source;
    struct error problem = { .code = ERROR_NONE };
    bool large;
    if (!source_open(&source, path, SETTINGS_FILE, &large, &problem)) {
        if (large)
            return error_set(error, ERROR_INPUT, tr("%s: the file is larger than 1 MiB"), path);
        if (problem.code == ERROR_NOT_FOUND)
            return true;
        if (error)
            *error = problem;
        return error_prefix(error, path);
    }
    bool done = read_source(settings, path, &source, list, error);
    source_finish(&source);
    return done;
}
