/* `quiztutor sync --status`: how it stands, without asking the centre. */
#include "output.h"
#include "sync.h"

#include <quiztutor/day.h>
#include <quiztutor/json.h>
#include <quiztutor/message.h>

#include <stdio.h>

static void put_json(struct buffer *out, const struct sync_state *state)
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
    json_close(&json, '}');
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

static void put_words(struct buffer *out, const struct sync_state *state)
{
    if (!state->at) {
        buffer_text(out, tr("no sync has got through yet"));
    } else {
        buffer_text(out, tr("last sync: "));
        put_moment(out, state->at);
    }
    buffer_print(out, ntr("; %lld row waits to be sent", "; %lld rows wait to be sent", state->waiting),
                 (long long)state->waiting);
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
        put_json(&out, &state);
    else if (done)
        put_words(&out, &state);
    done = done && (!out.failed || error_memory(&error));
    if (done)
        printf("%s\n", buffer_get(&out));
    buffer_finish(&out);
    return done ? STATUS_DONE : command_fail(&error);
}
