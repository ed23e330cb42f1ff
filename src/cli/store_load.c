/* `quiztutor store load`: attempts made elsewhere, from a table. */
#include "file.h"
#include "learner.h"
#include "load_row.h"

#include "command.h"

#include <quiztutor/exchange.h>
#include <quiztutor/json.h>
#include <quiztutor/library.h>
#include <quiztutor/line.h>
#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LOAD_FILE = 1024 * 1024 * 1024, NAMED = 20 /* new learners that are named, and unknown questions */ };

struct loading {
    const char *path;
    struct load_table table;
    struct intake *intake;
    int64_t taken, before, refused, learners;
    struct library *library; /* NULL: none */
    const struct pack *pack; /* the one asked for last */
    struct arena arena;
    const char *unknown[NAMED]; /* "pack/question" that were told to be unknown */
    int unknown_count;
    struct buffer told; /* lines for standard error: a refused row, a new learner */
    struct buffer json;
    struct json list; /* of what is refused */
};

static void tell_refused(struct loading *loading, int line, const char *why)
{
    loading->refused++;
    buffer_text(&loading->told, "quiztutor: ");
    text_visible(&loading->told, loading->path, (ptrdiff_t)strlen(loading->path));
    buffer_print(&loading->told, ":%d: ", line);
    text_visible(&loading->told, why, (ptrdiff_t)strlen(why));
    buffer_char(&loading->told, '\n');
    json_open(&loading->list, '{');
    json_key(&loading->list, "line");
    json_integer(&loading->list, line);
    json_key(&loading->list, "why");
    json_text(&loading->list, why);
    json_close(&loading->list, '}');
}

/* As at practice: a learner who is new is told, so that a slip of the pen does not make one unseen. */
static void tell_learner(struct loading *loading, const char *name)
{
    if (++loading->learners > NAMED)
        return;
    buffer_print(&loading->told, tr("quiztutor: new learner \"%s\"\n"), name);
}

/* The library's pack of this id, NULL where it has none. */
static const struct pack *pack_of(struct loading *loading, const char *id)
{
    const struct library_entry *entries;
    int count = 0;
    if (loading->pack && strcmp(loading->pack->id, id) == 0)
        return loading->pack;
    if (!loading->library || !library_list(loading->library, &entries, &count, NULL))
        return NULL;
    for (int i = 0; i < count; i++)
        if (entries[i].pack && strcmp(entries[i].pack->id, id) == 0)
            return loading->pack = entries[i].pack;
    return NULL;
}

static const char *nearest_question(const struct pack *pack, const char *id)
{
    const char **ids = memory_alloc((pack->question_count + 1) * (ptrdiff_t)sizeof *ids);
    const char *nearest = NULL;
    for (int i = 0; ids && i < pack->question_count; i++)
        ids[i] = pack->questions[i].id;
    if (ids)
        nearest = text_nearest(id, ids, pack->question_count);
    memory_free(ids);
    return nearest;
}

/* A question that its pack does not have is taken all the same: it may be one of a former edition. Each is
 * told once. */
static void check_question(struct loading *loading, int line, const struct store_attempt *attempt)
{
    const struct pack *pack = pack_of(loading, attempt->pack_id);
    struct buffer name;
    if (!pack || pack_find(pack, attempt->question_id) >= 0 || loading->unknown_count == NAMED)
        return;
    buffer_init(&name);
    buffer_print(&name, "%s/%s", attempt->pack_id, attempt->question_id);
    const char *key = buffer_get(&name);
    bool told = name.failed;
    for (int i = 0; !told && i < loading->unknown_count; i++)
        told = strcmp(loading->unknown[i], key) == 0;
    const char *kept = told ? NULL : arena_text(&loading->arena, key, name.length);
    if (kept) {
        const char *nearest = nearest_question(pack, attempt->question_id);
        loading->unknown[loading->unknown_count++] = kept;
        buffer_text(&loading->told, "quiztutor: ");
        text_visible(&loading->told, loading->path, (ptrdiff_t)strlen(loading->path));
        buffer_print(&loading->told,
                     tr(":%d: warning: the pack %s has no question \"%s\"; taken as it stands"), line,
                     pack->id, attempt->question_id);
        if (nearest)
            buffer_print(&loading->told, tr("; did you mean \"%s\"?"), nearest);
        buffer_char(&loading->told, '\n');
    }
    buffer_finish(&name);
}

static bool load_rows(struct loading *loading, struct error *error)
{
    struct intake_row row;
    struct intake_result result;
    int found;
    while ((found = load_table_next(&loading->table, &row, &result, error)) > 0) {
        if (found == 1 && !intake_row(loading->intake, &row, &result, error))
            return false;
        loading->taken += result.fate == INTAKE_TAKEN;
        loading->before += result.fate == INTAKE_BEFORE;
        if (result.fate == INTAKE_REFUSED)
            tell_refused(loading, loading->table.table.first_line, result.why);
        else if (result.new_learner)
            tell_learner(loading, row.name);
        if (result.fate == INTAKE_TAKEN)
            check_question(loading, loading->table.table.first_line, &row.attempt);
        if (loading->told.failed || loading->json.failed)
            return error_memory(error);
    }
    return found == 0;
}

/* Reads all of the file into the store, or nothing. */
static bool load_bytes(struct loading *loading, struct store *store, const struct buffer *bytes,
                       struct error *error)
{
    const char *text = buffer_get(bytes);
    ptrdiff_t length = bytes->length;
    if (!exchange_check_text(&text, &length, error) ||
        !load_table_start(&loading->table, text, length, error))
        return error_prefix(error, loading->path);
    if (!intake_begin(&loading->intake, store, error))
        return false;
    bool done = load_rows(loading, error);
    struct error late = { 0 };
    bool ended = intake_end(loading->intake, done && loading->taken > 0, &late);
    loading->intake = NULL;
    if (done && !ended && error)
        *error = late;
    return done && ended;
}

static void print_json(struct loading *loading, struct buffer *out)
{
    struct json json;
    json_init(&json, out);
    json_open(&json, '{');
    json_key(&json, "taken");
    json_integer(&json, loading->taken);
    json_key(&json, "before");
    json_integer(&json, loading->before);
    json_key(&json, "refused");
    json_integer(&json, loading->refused);
    json_key(&json, "new_learners");
    json_integer(&json, loading->learners);
    json_key(&json, "reasons");
    json_raw(&json, buffer_get(&loading->json));
    json_close(&json, '}');
}

static void print_sum(const struct loading *loading, struct buffer *out)
{
    text_visible(out, loading->path, (ptrdiff_t)strlen(loading->path));
    buffer_print(out, tr(": %lld taken, %lld had already, %lld refused"), (long long)loading->taken,
                 (long long)loading->before, (long long)loading->refused);
    if (loading->learners) {
        buffer_text(out, "; ");
        buffer_print(out, ntr("%lld new learner", "%lld new learners", loading->learners),
                     (long long)loading->learners);
    }
}

static int load(struct loading *loading, const struct invocation *invocation, struct error *error)
{
    static const enum option_id taken[] = { OPTION_JSON, OPTIONS };
    struct store *store = NULL;
    struct buffer bytes, out;
    buffer_init(&bytes);
    bool done = learner_takes(invocation, taken, error) &&
                file_read(&bytes, loading->path, LOAD_FILE, error) &&
                command_make_store(invocation, &store, error);
    if (done && !command_library(invocation, &loading->library, NULL))
        loading->library = NULL; /* it is only looked into */
    done = done && load_bytes(loading, store, &bytes, error);
    store_close(store);
    library_destroy(loading->library);
    arena_finish(&loading->arena);
    buffer_finish(&bytes);
    if (!done)
        return command_fail(error);
    fputs(buffer_get(&loading->told), stderr);
    json_close(&loading->list, ']');
    buffer_init(&out);
    if (invocation->options->values[OPTION_JSON])
        print_json(loading, &out);
    else
        print_sum(loading, &out);
    buffer_char(&out, '\n');
    done = line_write(STDOUT_FILENO, &out, error);
    buffer_finish(&out);
    if (!done)
        return command_fail(error);
    return loading->refused ? STATUS_FAILED : STATUS_DONE;
}

int command_store_load(const struct invocation *invocation)
{
    struct loading loading = { .path = invocation->arguments[0] };
    struct error error = { 0 };
    arena_init(&loading.arena);
    buffer_init(&loading.told);
    buffer_init(&loading.json);
    json_init(&loading.list, &loading.json);
    json_open(&loading.list, '[');
    int status = load(&loading, invocation, &error);
    load_table_finish(&loading.table);
    buffer_finish(&loading.told);
    buffer_finish(&loading.json);
    return status;
}
