/* store check, store rebuild. */
#include "learner.h"

#include <quiztutor/application.h>
#include <quiztutor/json.h>
#include <quiztutor/line.h>
#include <quiztutor/message.h>

#include <string.h>
#include <unistd.h>

static bool store_is_json(const struct invocation *invocation)
{
    return invocation->options->values[OPTION_JSON] != NULL;
}

static int store_write(struct buffer *out, int status)
{
    struct error error = { 0 };
    if (!line_write(STDOUT_FILENO, out, &error))
        status = command_fail(&error);
    buffer_finish(out);
    return status;
}

static void store_print_check(struct buffer *out, const char *path, const struct error *error, bool json)
{
    struct json writer;
    if (json) {
        json_init(&writer, out);
        json_open(&writer, '{');
        json_key(&writer, "sound");
        json_bool(&writer, !error);
        json_key(&writer, "found");
        json_text(&writer, error ? error->message : NULL);
        json_close(&writer, '}');
    } else {
        text_visible(out, path, (ptrdiff_t)strlen(path));
        buffer_print(out, ": %s", tr("the store is sound"));
    }
    buffer_char(out, '\n');
}

int command_store_check(const struct invocation *invocation)
{
    struct store *store = NULL;
    struct error error = { 0 };
    struct buffer out;
    bool json = store_is_json(invocation);
    buffer_init(&out);
    static const enum option_id taken[] = { OPTION_JSON, OPTIONS };
    bool sound = learner_takes(invocation, taken, &error) && command_open_store(invocation, &store, &error) &&
                 store_check(store, &error);
    store_close(store);
    if (!sound && (!json || error.code != ERROR_DAMAGED))
        return command_fail(&error);
    store_print_check(&out, invocation->settings->text[SETTING_STORE], sound ? NULL : &error, json);
    return store_write(&out, sound ? STATUS_DONE : STATUS_FAILED);
}

static void store_print_difference(struct buffer *out, const struct store_rebuild *report)
{
    struct buffer first; /* a learner's name may hold anything */
    buffer_init(&first);
    text_visible(&first, report->first, (ptrdiff_t)strlen(report->first));
    buffer_print(out,
                 ntr("%lld schedule was not as the answers say, and is mended: %s",
                     "%lld schedules were not as the answers say, and are mended; the first: %s",
                     report->different),
                 (long long)report->different, buffer_get(&first));
    buffer_finish(&first);
}

static void store_print_rebuild(struct buffer *out, const struct store_rebuild *report)
{
    buffer_print(out, ntr("%lld answer", "%lld answers", report->answers), (long long)report->answers);
    buffer_text(out, ", ");
    buffer_print(out, ntr("%lld question", "%lld questions", report->questions),
                 (long long)report->questions);
    buffer_text(out, ", ");
    buffer_print(out, ntr("%lld learner", "%lld learners", report->learners), (long long)report->learners);
    buffer_text(out, ": ");
    if (report->different)
        store_print_difference(out, report);
    else
        buffer_text(out, tr("no difference"));
    buffer_char(out, '\n');
    if (report->moved) {
        buffer_print(out,
                     ntr("%lld due date moved by today's settings",
                         "%lld due dates moved by today's settings", report->moved),
                     (long long)report->moved);
        buffer_char(out, '\n');
    }
}

static void store_print_rebuild_json(struct buffer *out, const struct store_rebuild *report)
{
    struct json json;
    json_init(&json, out);
    json_open(&json, '{');
    json_key(&json, "learners");
    json_integer(&json, report->learners);
    json_key(&json, "questions");
    json_integer(&json, report->questions);
    json_key(&json, "answers");
    json_integer(&json, report->answers);
    json_key(&json, "different");
    json_integer(&json, report->different);
    json_key(&json, "first");
    json_text(&json, report->different ? report->first : NULL);
    json_key(&json, "moved");
    json_integer(&json, report->moved);
    json_close(&json, '}');
    buffer_char(out, '\n');
}

int command_store_rebuild(const struct invocation *invocation)
{
    struct store *store = NULL;
    struct store_rebuild report;
    struct error error = { 0 };
    struct buffer out;
    static const enum option_id taken[] = { OPTION_JSON, OPTIONS };
    bool done = learner_takes(invocation, taken, &error) && command_open_store(invocation, &store, &error);
    if (done)
        application_hand_in(store, clock_system());
    done = done && store_rebuild(store, &report, &error);
    store_close(store);
    if (!done)
        return command_fail(&error);
    buffer_init(&out);
    if (store_is_json(invocation))
        store_print_rebuild_json(&out, &report);
    else
        store_print_rebuild(&out, &report);
    return store_write(&out, STATUS_DONE);
}
