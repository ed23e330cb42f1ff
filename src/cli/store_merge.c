/* `quiztutor store merge`: other stores, and files that learners submitted, taken in. */
#include "learner.h"

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
    struct intake_erasures erasures;
    bool left; /* erasures that nobody agreed to */
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
                    { "running", count->running },   { "erasures", count->erasures } };
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
    buffer_text(out, ": ");
    buffer_print(out, ntr("%lld answer taken", "%lld answers taken", count->attempts),
                 (long long)count->attempts);
    buffer_print(out, tr(", %lld had already, "), (long long)count->before);
    buffer_print(out, ntr("%lld row refused", "%lld rows refused", count->refused),
                 (long long)count->refused);
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

/* "Ana, José and 3 others", as far as they are here. */
static void name_erased(const struct merging *merging, struct buffer *out)
{
    enum { NAMED = 20 };
    const struct intake_erasures *erasures = &merging->erasures;
    for (ptrdiff_t i = 0; i < erasures->known_count && i < NAMED; i++) {
        buffer_text(out, i ? ", " : "");
        text_visible(out, erasures->known[i].name, (ptrdiff_t)strlen(erasures->known[i].name));
    }
    if (erasures->known_count > NAMED)
        buffer_print(out, tr(" and %td more"), erasures->known_count - NAMED);
}

/* What is to be decided, as a question. */
static void ask_about(const struct merging *merging, struct buffer *out)
{
    ptrdiff_t count = merging->erasures.known_count;
    if (!count) {
        buffer_text(out, tr("People who are not known here were erased there. Take in nothing of theirs from "
                            "now on?"));
        return;
    }
    buffer_print(out,
                 ntr("%td learner was erased there, and is here: ",
                     "%td learners were erased there, and are here: ", count),
                 count);
    name_erased(merging, out);
    buffer_text(out, ntr(". Erase them here, too, and all that they did, for good?",
                         ". Erase them here, too, and all that they did, for good?", count));
}

static void tell_erased(struct merging *merging)
{
    ptrdiff_t count = merging->erasures.known_count;
    struct buffer *told = &merging->told;
    if (!count)
        return;
    buffer_print(told,
                 ntr("quiztutor: %td learner was erased there, and is erased here, too: ",
                     "quiztutor: %td learners were erased there, and are erased here, too: ", count),
                 count);
    name_erased(merging, told);
    buffer_char(told, '\n');
}

/*
 * Who was erased there is erased here, too, and no trace is left in the file: once somebody agreed, since a
 * forged file could name anybody. What was taken in is on the disk by now, and nobody waits for an answer.
 */
static bool erase(struct merging *merging, const struct invocation *invocation, struct store *store,
                  struct error *error)
{
    bool agreed = false;
    struct buffer question;
    if (!merging->erasures.mark_count)
        return true;
    buffer_init(&question);
    ask_about(merging, &question);
    if (question.failed) {
        buffer_finish(&question);
        return error_memory(error);
    }
    fputs(buffer_get(&merging->told), stderr);
    buffer_clear(&merging->told);
    if (!merging->json && !line_write(STDOUT_FILENO, &merging->out, error)) {
        buffer_finish(&question);
        return false;
    }
    if (!learner_asks(invocation, buffer_get(&question), &agreed)) {
        buffer_print(&merging->told, tr("quiztutor: %s That was not done: say so with --yes\n"),
                     buffer_get(&question));
        merging->left = true;
    }
    buffer_finish(&question);
    if (!agreed)
        return true;
    if (!intake_erase(store, &merging->erasures, error))
        return false;
    tell_erased(merging);
    return true;
}

/* All files in one transaction; erasing follows it. */
static bool merge_all(struct merging *merging, const struct invocation *invocation, struct error *error)
{
    struct store *store = NULL;
    static const enum option_id taken[] = { OPTION_JSON, OPTION_YES, OPTIONS };
    bool done = learner_takes(invocation, taken, error) && command_make_store(invocation, &store, error) &&
                intake_begin(&merging->intake, store, error);
    for (int i = 0; done && i < invocation->argument_count; i++)
        done = merge_file(merging, invocation->arguments[i], error);
    if (merging->intake) {
        struct error late = { 0 };
        done = done && intake_erasures_list(&merging->erasures, merging->intake, error);
        bool ended = intake_end(merging->intake, done, &late);
        if (done && !ended)
            *error = late;
        done = done && ended && erase(merging, invocation, store, error);
    }
    intake_erasures_finish(&merging->erasures);
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
    return merging.refused || merging.refused_files || merging.left ? STATUS_FAILED : STATUS_DONE;
}
