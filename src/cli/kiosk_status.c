#include "kiosk_status.h"
#include "output.h"

#include <quiztutor/day.h>
#include <quiztutor/json.h>
#include <quiztutor/message.h>
#include <quiztutor/run.h>

#include <stdio.h>
#include <string.h>

enum { FIELD = 16, HASH_TEXT = 2 * sizeof(struct hash) + 1 };

static const struct {
    const char *name, *word; /* in JSON, and as monitoring prints it */
} levels[] = {
    [LEVEL_OK] = { "ok", "OK" },
    [LEVEL_WARNING] = { "warning", "WARNING" },
    [LEVEL_CRITICAL] = { "critical", "CRITICAL" },
    [LEVEL_UNKNOWN] = { "unknown", "UNKNOWN" },
};

static void put_moment(struct json *json, const char *key, int64_t at)
{
    json_key(json, key);
    at ? json_integer(json, at) : json_null(json);
}

static void put_bytes(struct json *json, const char *key, int64_t bytes)
{
    json_key(json, key);
    bytes < 0 ? json_null(json) : json_integer(json, bytes);
}

/* The file's hash, so that a whole room can be compared: null where it can't be read any more. */
static void put_hash(struct json *json, const char *path)
{
    struct hash hash;
    char text[HASH_TEXT];
    json_key(json, "sha256");
    if (status_pack_hash(path, &hash)) {
        hash_hex(text, hash.bytes, sizeof hash.bytes);
        json_text(json, text);
    } else {
        json_null(json);
    }
}

static void put_packs(struct json *json, const struct kiosk_packs *packs)
{
    json_key(json, "packs");
    if (!packs) {
        json_null(json);
        return;
    }
    json_open(json, '[');
    for (ptrdiff_t i = 0; i < packs->count; i++) {
        json_open(json, '{');
        json_key(json, "id");
        json_text(json, packs->items[i].pack->id);
        put_hash(json, packs->items[i].pack->path);
        json_key(json, "practice");
        json_bool(json, packs->items[i].practice);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_store(struct json *json, const struct status *status)
{
    const struct check *check = &status->check;
    const struct health *health = check->store ? &check->health : NULL;
    json_key(json, "store");
    json_text(json, check->config ? check->config->store : NULL);
    json_key(json, "schema");
    health && health->schema ? json_integer(json, health->schema) : json_null(json);
    put_moment(json, "last_attempt_at", health ? health->last_attempt_at : 0);
    json_key(json, "waiting");
    /* none is held for another place where there is no such place */
    json_integer(json, status->sync.state.known ? status->sync.state.waiting : 0);
    status_sync_put(json, status);
    json_key(json, "running");
    if (health && health->running != HEALTH_NOT_TOLD)
        json_bool(json, health->running == HEALTH_RUNNING);
    else
        json_null(json);
    json_key(json, "unclean_exits");
    health ? json_integer(json, health->unclean) : json_null(json);
    put_moment(json, "unclean_at", health ? health->unclean_at : 0);
    json_key(json, "damage");
    json_open(json, '{');
    json_key(json, "checked");
    json_text(json, !health ? "not" : health->whole ? "whole" : "part");
    json_key(json, "found");
    json_text(json, health                                     ? (*health->damage ? health->damage : NULL)
                    : check->store_error.code == ERROR_DAMAGED ? check->store_error.message
                                                               : NULL);
    json_key(json, "set_aside");
    json_integer(json, status->beside.count);
    json_close(json, '}');
}

static void put_machine(struct json *json, const struct status *status)
{
    static const char *const doubts[] = {
        [CLOCK_FINE] = "fine", [CLOCK_BEFORE] = "before", [CLOCK_BEHIND] = "behind", [CLOCK_AHEAD] = "ahead"
    };
    const struct check *check = &status->check;
    struct uuid boot;
    char id[37];
    put_bytes(json, "store_bytes", check->config ? status->beside.size : -1);
    put_bytes(json, "second_log_bytes", check->config && check->store ? status->beside.second : -1);
    put_bytes(json, "free_bytes", status->free);
    json_key(json, "reserve");
    json_bool(json, status->beside.reserve);
    json_key(json, "backups");
    json_open(json, '{');
    json_key(json, "count");
    json_integer(json, status->backup_count);
    put_moment(json, "newest_at", status->backup_at);
    put_bytes(json, "free_bytes", status->backups_free);
    json_close(json, '}');
    json_key(json, "sandbox");
    json_open(json, '{');
    json_key(json, "folders");
    json_bool(json, status->lock.folders);
    json_key(json, "calls");
    json_bool(json, status->lock.calls);
    json_key(json, "landlock");
    json_integer(json, status->lock.abi);
    json_close(json, '}');
    json_key(json, "boot_id");
    if (clock_boot(&check->machine->clock, &boot))
        uuid_format(id, &boot);
    else
        *id = '\0';
    json_text(json, *id ? id : NULL);
    json_key(json, "clock");
    json_text(
        json,
        doubts[clock_judge(clock_wall(&check->machine->clock), check->store ? check->health.newest_at : 0)]);
}

static void put_status(struct buffer *out, const struct status *status)
{
    struct json json;
    json_init(&json, out);
    json_open(&json, '{');
    json_key(&json, "status");
    json_text(&json, levels[status->level].name);
    json_key(&json, "code");
    json_integer(&json, status->level);
    json_key(&json, "version");
    json_text(&json, QUIZTUTOR_VERSION);
    json_key(&json, "config");
    json_text(&json, status->check.shown_path);
    put_store(&json, status);
    put_packs(&json, status->check.packs);
    put_machine(&json, status);
    json_key(&json, "problems");
    json_open(&json, '[');
    for (int i = 0; i < status->problem_count; i++) {
        json_open(&json, '{');
        json_key(&json, "level");
        json_text(&json, levels[status->problems[i].level].name);
        json_key(&json, "text");
        json_text(&json, status->problems[i].text);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
    buffer_char(out, '\n');
}

static void print_sync(struct output *output, const struct status *status)
{
    const struct sync_state *state = &status->sync.state;
    const struct clock *clock = &status->check.machine->clock;
    int64_t now = clock_wall(clock);
    char day[DAY_TEXT], waiting[32];
    if (!state->known)
        return;
    day_words(day, clock_day(state->at, clock_offset(clock, state->at), 0),
              clock_day(now, clock_offset(clock, now), 0));
    output_field(output, FIELD, tr("Last sync"), state->at ? day : tr("none got through"));
    snprintf(waiting, sizeof waiting, "%lld", (long long)state->waiting);
    output_field(output, FIELD, tr("Rows waiting"), waiting);
}

/* One line first, which is all that some monitoring shows. */
static void print_status(struct output *output, const struct status *status)
{
    const struct check *check = &status->check;
    char left[CHECK_BYTES], day[DAY_TEXT];
    int64_t now = clock_wall(&check->machine->clock), at = check->health.last_attempt_at;
    buffer_print(&output->text, "%s: %s\n", levels[status->level].word,
                 status->problem_count ? status->problems[0].text : tr("the kiosk runs"));
    for (int i = 1; i < status->problem_count; i++)
        output_field(output, FIELD, levels[status->problems[i].level].word, status->problems[i].text);
    output_field(output, FIELD, tr("Version"), QUIZTUTOR_VERSION);
    if (status->free >= 0) {
        check_bytes(left, status->free);
        output_field(output, FIELD, tr("Free"), left);
    }
    if (check->store && at) {
        const struct clock *clock = &check->machine->clock;
        day_words(day, clock_day(at, clock_offset(clock, at), 0),
                  clock_day(now, clock_offset(clock, now), 0));
        output_field(output, FIELD, tr("Newest answer"), day);
    }
    print_sync(output, status);
}

/* The worst first. */
static void sort_problems(struct status *status)
{
    static const enum level order[] = { LEVEL_CRITICAL, LEVEL_UNKNOWN, LEVEL_WARNING };
    struct problem sorted[PROBLEMS];
    int count = 0;
    for (size_t rank = 0; rank < sizeof order / sizeof *order; rank++)
        for (int i = 0; i < status->problem_count; i++)
            if (status->problems[i].level == order[rank])
                sorted[count++] = status->problems[i];
    memcpy(status->problems, sorted, (size_t)count * sizeof *sorted);
}

int kiosk_status_run(const struct settings *settings, const char *config, bool json)
{
    struct machine machine = machine_system();
    struct error error = { .code = ERROR_NONE };
    struct status status;
    struct output output;
    output_init(&output, settings);
    bool done = status_init(&status, &machine, config) || error_memory(&error);
    if (done)
        sort_problems(&status);
    if (done && json)
        put_status(&output.text, &status);
    else if (done)
        print_status(&output, &status);
    done = output_finish(&output, done ? &error : NULL) && done;
    int level = done ? (int)status.level : (int)LEVEL_UNKNOWN;
    status_finish(&status);
    if (!done)
        command_fail(&error);
    return level;
}
