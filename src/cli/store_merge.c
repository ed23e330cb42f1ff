/* `quiztutor store merge`: other stores, and files that learners submitted, taken in. */
#include "command.h"

#include <quiztutor/intake.h>
#include <quiztutor/json.h>
#include <quiztutor/line.h>
#include <quiztutor/message.h>
#include <quiztutor/roster.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct merging {
    const char *path; /* of the file being taken in */
    struct intake *intake;
    bool json;
    struct buffer out, told; /* for standard output, and standard error */
    struct json list;
    int refused_files;
    int64_t refused, taken;
    struct uuid *erased; /* learners who were erased elsewhere */
    ptrdiff_t erased_count;
};

/* "quiztutor: FILE: what" */
static void tell(void *context, const char *what)
{
    struct merging *merging = context;
    struct buffer *told = &merging->told;
    buffer_text(told, "quiztutor: ");
    text_visible(told, merging->path, (ptrdiff_t)strlen(merging->path));
    buffer_text(told, ": ");
    text_visible(told, what, (ptrdiff_t)strlen(what));
    buffer_char(told, '\n');
}

static void tell_error(struct merging *merging, const struct error *error)
{
    buffer_text(&merging->told, "quiztutor: ");
    text_visible(&merging->told, error->message, (ptrdiff_t)strlen(error->message));
    buffer_char(&merging->told, '\n');
}

static void add_json(struct merging *merging, const struct intake_count *count, const struct error *error)
{
    const struct {
        const char *name;
        int64_t value;
    } numbers[] = { { "sessions", count->sessions }, { "answers", count->attempts },
                    { "events", count->events },     { "new_learners", count->learners },
                    { "before", count->before },     { "refused", count->refused },
                    { "running", count->running } };
    struct json *json = &merging->list;
    json_open(json, '{');
    json_key(json, "file");
    json_text(json, merging->path);
    json_key(json, "problem");
    json_text(json, error ? error->message : NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        json_key(json, numbers[i].name);
        json_integer(json, numbers[i].value);
    }
    json_close(json, '}');
}

static void add_line(struct merging *merging, const struct intake_count *count)
{
    struct buffer *out = &merging->out;
    text_visible(out, merging->path, (ptrdiff_t)strlen(merging->path));
    buffer_print(out, tr(": %lld answers taken, %lld had already, %lld rows refused"),
                 (long long)count->attempts, (long long)count->before, (long long)count->refused);
    if (count->events) {
        buffer_text(out, "; ");
        buffer_print(out, ntr("%lld event", "%lld events", count->events), (long long)count->events);
    }
    if (count->learners) {
        buffer_text(out, "; ");
        buffer_print(out, ntr("%lld new learner", "%lld new learners", count->learners),
                     (long long)count->learners);
    }
    if (count->running) {
        buffer_text(out, "; ");
        buffer_print(
            out, ntr("%lld exam is not handed in yet", "%lld exams are not handed in yet", count->running),
            (long long)count->running);
    }
    buffer_char(out, '\n');
}

static bool merge_file(struct merging *merging, const char *path, struct error *error)
{
    struct intake_count count;
    struct error why = { 0 };
    merging->path = path;
    enum intake_file result = intake_store(merging->intake, path, &count, tell, merging, &why);
    if (result == INTAKE_FAILED) {
        *error = why;
        return false;
    }
    if (result == INTAKE_FILE_REFUSED) {
        merging->refused_files++;
        tell_error(merging, &why);
    }
    merging->refused += count.refused;
    merging->taken += count.sessions + count.attempts + count.events;
    if (merging->json)
        add_json(merging, &count, result == INTAKE_FILE_REFUSED ? &why : NULL);
    else if (result == INTAKE_FILE_TAKEN)
        add_line(merging, &count);
    if (merging->out.failed || merging->told.failed)
        return error_memory(error);
    return true;
}

/* Who was erased there is erased here, too; and no trace is left in the file. */
static bool erase(struct merging *merging, struct store *store, struct error *error)
{
    struct roster_count gone;
    bool needed;
    for (ptrdiff_t i = 0; i < merging->erased_count; i++)
        if (!roster_erase(store, &merging->erased[i], &gone, error))
            return false;
    if (!merging->erased_count)
        return true;
    buffer_print(&merging->told,
                 ntr("quiztutor: %td learner was erased there, and is erased here, too\n",
                     "quiztutor: %td learners were erased there, and are erased here, too\n",
                     merging->erased_count),
                 merging->erased_count);
    return roster_clean(store, &needed, error);
}

/* All files in one transaction. */
static bool merge_all(struct merging *merging, const struct invocation *invocation, struct error *error)
{
    struct store *store;
    bool done = command_make_store(invocation, &store, error) && intake_begin(&merging->intake, store, error);
    for (int i = 0; done && i < invocation->argument_count; i++)
        done = merge_file(merging, invocation->arguments[i], error);
    if (merging->intake) {
        struct error late = { 0 };
        done = done && intake_erased(merging->intake, &merging->erased, &merging->erased_count, error);
        bool ended = intake_end(merging->intake, done, &late);
        if (done && !ended)
            *error = late;
        done = done && ended && erase(merging, store, error);
    }
    memory_free(merging->erased);
    store_close(store);
    return done;
}

int command_store_merge(const struct invocation *invocation)
{
    struct merging merging = { .json = invocation->options->values[OPTION_JSON] != NULL };
    struct error error = { 0 };
    buffer_init(&merging.out);
    buffer_init(&merging.told);
    json_init(&merging.list, &merging.out);
    if (merging.json)
        json_open(&merging.list, '[');
    bool done = merge_all(&merging, invocation, &error);
    if (merging.json) {
        json_close(&merging.list, ']');
        buffer_char(&merging.out, '\n');
    }
    fputs(buffer_get(&merging.told), stderr);
    done = done && line_write(STDOUT_FILENO, &merging.out, &error);
    buffer_finish(&merging.out);
    buffer_finish(&merging.told);
    if (!done)
        return command_fail(&error);
    return merging.refused || merging.refused_files ? STATUS_FAILED : STATUS_DONE;
}
