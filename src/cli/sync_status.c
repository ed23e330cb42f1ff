/* `quiztutor sync --status`: how it stands, without asking the centre. */
#include "output.h"
#include "sync.h"

#include <quiztutor/day.h>
#include <quiztutor/json.h>
#include <quiztutor/message.h>
#include <quiztutor/pulled.h>

#include <stdio.h>
#include <string.h>

/* ---- learners of the centre who could not be taken over here ---- */

static const struct {
    const char *why, *words;
} reasons[] = {
    { "name", N_("another learner here has this name: rename one, or make one of the two at the centre") },
    { "login", N_("another learner here has this login") },
    { "external_id", N_("another learner here has this external_id") },
    { "merged", N_("was made one with another learner here, and is two at the centre") },
    { "unfit", N_("the name, login or a group can't be used here") },
};

struct left {
    struct buffer *out;
    struct json *json; /* NULL: in words */
};

static bool put_left(void *context, const struct uuid *learner, const char *name, const char *why)
{
    struct left *left = context;
    char id[37];
    uuid_format(id, learner);
    if (left->json) {
        json_open(left->json, '{');
        json_key(left->json, "learner");
        json_text(left->json, id);
        json_key(left->json, "name");
        json_text(left->json, name);
        json_key(left->json, "why");
        json_text(left->json, why);
        json_close(left->json, '}');
        return true;
    }
    const char *shown = name ? name : id;
    buffer_text(left->out, "\n");
    buffer_text(left->out, tr("left out: "));
    text_visible(left->out, shown, (ptrdiff_t)strlen(shown));
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strcmp(reasons[i].why, why) == 0)
            buffer_print(left->out, " (%s)", tr(reasons[i].words));
    return true;
}

static bool put_all_left(const char *path, struct left *left, struct error *error)
{
    struct store_options options = { .clock = clock_system(), .existing_only = true, .reading = true };
    struct store *store;
    if (!store_open(&store, path, &options, error))
        return false;
    bool done = pulled_left(store, path, put_left, left, error);
    store_close(store);
    return done;
}

/* ---- how it stands ---- */

static bool put_json(struct buffer *out, const char *path, const struct sync_state *state,
                     struct error *error)
{
    struct json json;
    json_init(&json, out);
    json_open(&json, '{');
    json_key(&json, "waiting");
    json_integer(&json, state->waiting);
    json_key(&json, "last_sync_at");
    state->at ? json_integer(&json, state->at) : json_null(&json);
    json_key(&json, "version");
    state->known ? json_integer(&json, state->version) : json_null(&json);
    json_key(&json, "left_out");
    json_open(&json, '[');
    struct left left = { out, &json };
    bool done = put_all_left(path, &left, error);
    json_close(&json, ']');
    json_close(&json, '}');
    return done;
}

/* "today, 14:05" */
static void put_moment(struct buffer *out, int64_t at)
{
    struct clock clock = clock_system();
    char day[DAY_TEXT];
    int64_t now = clock_wall(&clock), local = at / 1000 + clock_offset(&clock, at);
    day_words(day, clock_day(at, clock_offset(&clock, at), 0), clock_day(now, clock_offset(&clock, now), 0));
    buffer_print(out, "%s, %02lld:%02lld", day, (long long)(local / 3600 % 24), (long long)(local / 60 % 60));
}

static bool put_words(struct buffer *out, const char *path, const struct sync_state *state,
                      struct error *error)
{
    struct left left = { out, NULL };
    if (!state->at) {
        buffer_text(out, tr("no sync has got through yet"));
    } else {
        buffer_text(out, tr("last sync: "));
        put_moment(out, state->at);
    }
    buffer_print(out, ntr("; %lld row waits to be sent", "; %lld rows wait to be sent", state->waiting),
                 (long long)state->waiting);
    return put_all_left(path, &left, error);
}

int sync_status(const struct invocation *invocation)
{
    const char *path = invocation->settings->text[SETTING_STORE];
    struct sync_state state;
    struct error error = { 0 };
    struct buffer out;
    buffer_init(&out);
    bool done =
        path || error_set(&error, ERROR_NOT_FOUND, "%s",
                          tr("there is no home folder to keep a store in; name one with --store FILE"));
    done = done && sync_look(path, &state, &error);
    if (done && invocation->options->values[OPTION_JSON])
        done = put_json(&out, path, &state, &error);
    else if (done)
        done = put_words(&out, path, &state, &error);
    done = done && (!out.failed || error_memory(&error));
    if (done)
        printf("%s\n", buffer_get(&out));
    buffer_finish(&out);
    return done ? STATUS_DONE : command_fail(&error);
}
