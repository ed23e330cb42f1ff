/* What one learner hands in: a store of their own, made in memory. */
#include "sqlite_elsewhere.h"
#include "sqlite_intake.h"

#include <errno.h>
#include <quiztutor/message.h>
#include <string.h>
#include <sys/mman.h>

/* An empty store without a file, for the caller to close. NULL with the reason. */
static struct sqlite_store *make_store(const struct sqlite_store *like, struct error *error)
{
    static const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX |
                             SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE;
    const struct scheduling *given = &like->base.scheduling;
    const struct store_scheduling scheduling = { .day_starts = given->day_starts,
                                                 .retention = given->retention,
                                                 .by_pack = given->by_pack,
                                                 .by_pack_count = given->by_pack_count };
    struct sqlite_store *store = memory_zero(sizeof *store);
    if (!store) {
        error_memory(error);
        return NULL;
    }
    store->base.ops = &sqlite_store_ops;
    store->base.clock = like->base.clock;
    store->around = like->around;
    known_init(&store->known);
    bool done = scheduling_init(&store->base.scheduling, &scheduling);
    store->shown = memory_text(like->shown);
    store->lock.fd = memfd_create("quiztutor", MFD_CLOEXEC); /* it has nobody to be kept from */
    if (!done || !store->shown)
        done = error_memory(error);
    else if (store->lock.fd < 0)
        done = error_set(error, ERROR_IO, "%s", strerror(errno));
    int result = done ? sqlite3_open_v2(":memory:", &store->db, flags, NULL) : SQLITE_OK;
    done = done && (result == SQLITE_OK || sqlite_error(store, result, error)) &&
           sqlite_configure(store, error) && sqlite_exec(store, "PRAGMA page_size = 1024", error) &&
           sqlite_migrate_copy(store, 0, error) && sqlite_identity_read(store, error) &&
           sqlite_schedule_refresh(store, error);
    if (done)
        return store;
    sqlite_store_close(&store->base);
    return NULL;
}

static bool serialize(struct sqlite_store *store, struct buffer *out, struct error *error)
{
    sqlite3_int64 size = 0;
    unsigned char *bytes = sqlite3_serialize(store->db, "main", &size, 0);
    if (!bytes)
        return error_memory(error);
    buffer_add(out, (const char *)bytes, (ptrdiff_t)size);
    sqlite3_free(bytes);
    return !out->failed || error_memory(error);
}

/* Whatever is refused here is damaged in the store that it comes from. */
static void tell_nobody(void *context, const char *what)
{
    (void)context, (void)what;
}

static bool take(struct sqlite_store *to, struct sqlite_store *from, const struct uuid *learner,
                 struct intake_count *count, struct error *error)
{
    struct elsewhere elsewhere = { 0 };
    struct intake *intake;
    bool mine;
    if (!intake_begin(&intake, &to->base, error))
        return false;
    bool done = elsewhere_open(&elsewhere, from, learner, error) &&
                intake_log(intake, &elsewhere, count, tell_nobody, NULL, &mine, error);
    elsewhere_close(&elsewhere);
    struct error late = { 0 };
    bool ended = intake_end(intake, done, &late);
    if (done && !ended && error)
        *error = late;
    return done && ended;
}

bool sqlite_submission(struct buffer *out, struct store *base, const struct uuid *learner,
                       struct intake_count *count, struct error *error)
{
    struct sqlite_store *store = make_store((struct sqlite_store *)base, error);
    memset(count, 0, sizeof *count);
    if (!store)
        return false;
    bool done =
        take(store, (struct sqlite_store *)base, learner, count, error) && serialize(store, out, error);
    sqlite_store_close(&store->base);
    return done;
}
