/* What `kiosk --status` says of syncs: what waits, what came, and what of it could not be used here. */
#include "file.h"
#include "kiosk_status.h"

#include <quiztutor/message.h>
#include <quiztutor/pulled.h>

#include <stdio.h>
#include <string.h>

enum { PACK_BYTES = 64 << 20 };

static bool count_left(void *context, const struct uuid *id, const char *name, const char *why)
{
    int64_t *count = context;
    (void)id;
    (void)name;
    (void)why;
    (*count)++;
    return true;
}

bool status_pack_hash(const char *path, struct hash *hash)
{
    struct buffer bytes;
    buffer_init(&bytes);
    bool done = file_read(&bytes, path, PACK_BYTES, NULL);
    if (done)
        hash_of(hash, buffer_get(&bytes), bytes.length);
    buffer_finish(&bytes);
    return done;
}

static const struct pack *find(const struct kiosk_packs *packs, const char *id)
{
    for (ptrdiff_t i = 0; packs && i < packs->count; i++)
        if (strcmp(packs->items[i].pack->id, id) == 0)
            return packs->items[i].pack;
    return NULL;
}

static bool compare_pack(void *context, const char *id, const struct hash *wanted)
{
    struct status *status = context;
    struct status_sync *sync = &status->sync;
    const struct pack *pack = find(status->check.packs, id);
    struct hash hash;
    bool same = pack && status_pack_hash(pack->path, &hash) && memcmp(&hash, wanted, sizeof hash) == 0;
    if (same)
        return true;
    if (sync->pack_count < STATUS_PACKS) {
        snprintf(sync->packs[sync->pack_count].id, sizeof sync->packs->id, "%s", id);
        check_settle(sync->packs[sync->pack_count].id, sizeof sync->packs->id);
        sync->packs[sync->pack_count].missing = !pack;
    }
    sync->pack_count++;
    return true;
}

bool status_sync_look(struct status *status, struct error *error)
{
    const struct check *check = &status->check;
    struct status_sync *sync = &status->sync;
    struct error why = { .code = ERROR_NONE };
    struct pulled_mark mark;
    bool is = false;
    if (!check->store)
        return true;
    const char *store = check->config->store;
    if (!pulled_look(store, &mark, &is, &why) ||
        (is && (!sync_look(store, &sync->state, &why) ||
                !pulled_left(check->store, store, count_left, &sync->left_out, &why) ||
                !pulled_packs(store, compare_pack, status, &why))))
        sync->error = why;
    *error = sync->error;
    return why.code != ERROR_MEMORY;
}

/* How long ago, in whole hours or days. */
static void add_waiting(struct status *status, int64_t age)
{
    enum { HOUR = 3600000, DAY = 24 * HOUR };
    long long waiting = status->sync.state.waiting;
    if (!status->sync.state.at)
        status_add(status, LEVEL_WARNING,
                   ntr("%lld row waits to be sent, and no sync has got through yet",
                       "%lld rows wait to be sent, and no sync has got through yet", waiting),
                   waiting);
    else
        status_add(status, LEVEL_WARNING,
                   ntr("no sync has got through for %lld day, with rows waiting",
                       "no sync has got through for %lld days, with rows waiting", age / DAY),
                   (long long)(age / DAY));
}

static void judge_packs(struct status *status)
{
    const struct status_sync *sync = &status->sync;
    if (!sync->pack_count)
        return;
    status_add(status, LEVEL_WARNING,
               ntr("%d pack is not as the centre wants it: %s",
                   "%d packs are not as the centre wants them: %s, …", sync->pack_count),
               sync->pack_count, sync->packs[0].id);
}

void status_sync_judge(struct status *status)
{
    enum { DAY = 86400000 };
    const struct status_sync *sync = &status->sync;
    int64_t age = clock_wall(&status->check.machine->clock) - sync->state.at;
    if (!status->check.store)
        return;
    if (sync->error.code) {
        bool bad = sync->error.code == ERROR_DAMAGED || sync->error.code == ERROR_NEWER;
        status_add(status, bad ? LEVEL_WARNING : LEVEL_UNKNOWN, "%.380s", sync->error.message);
        return;
    }
    if (!sync->state.known)
        return;
    if (sync->state.waiting && age > DAY)
        add_waiting(status, age);
    if (sync->left_out)
        status_add(status, LEVEL_WARNING,
                   ntr("%lld learner of the centre is left out: quiztutor sync --status tells who",
                       "%lld learners of the centre are left out: quiztutor sync --status tells who",
                       sync->left_out),
                   (long long)sync->left_out);
    judge_packs(status);
}

void status_sync_put(struct json *json, const struct status *status)
{
    const struct status_sync *sync = &status->sync;
    json_key(json, "sync");
    if (!sync->state.known) {
        json_null(json);
        return;
    }
    json_open(json, '{');
    json_key(json, "last_at");
    sync->state.at ? json_integer(json, sync->state.at) : json_null(json);
    json_key(json, "version");
    json_integer(json, sync->state.version);
    json_key(json, "left_out");
    json_integer(json, sync->left_out);
    json_key(json, "packs_different");
    json_open(json, '[');
    for (int i = 0; i < sync->pack_count && i < STATUS_PACKS; i++)
        if (!sync->packs[i].missing)
            json_text(json, sync->packs[i].id);
    json_close(json, ']');
    json_key(json, "packs_missing");
    json_open(json, '[');
    for (int i = 0; i < sync->pack_count && i < STATUS_PACKS; i++)
        if (sync->packs[i].missing)
            json_text(json, sync->packs[i].id);
    json_close(json, ']');
    json_close(json, '}');
}
