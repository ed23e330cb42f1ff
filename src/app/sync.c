/* One sync of a store with its centre. */
#include <quiztutor/sync.h>

#include <errno.h>
#include <fcntl.h>
#include <quiztutor/memory.h>
#include <quiztutor/message.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum {
    QUICK_MS = 400, /* a batch that took less is followed by one twice as large, */
    SLOW_MS = 2000, /* one that took more by one half as large */
    BATCH_BYTES = 32 << 20,
    SAVED_EVERY_MS = 1000, /* the mark: what it is behind is sent again after a crash */
};

struct run {
    const struct sync_options *options;
    struct sync_count *count;
    struct outgoing *outgoing;
    struct pulled *pulled;
    struct central *central;
    struct pulled_mark mark;
    struct uuid store_id;
    bool saving;          /* the mark is worth keeping: the server has said who it is */
    int64_t saved_at;     /* steady */
    bool other, answered; /* while pulling: it is another server than the mark's; it has said who it is */
    int64_t version;      /* the server's newest */
    bool stopped;
};

static int64_t now(const struct run *run)
{
    return clock_steady(&run->options->clock);
}

/* ---- one at a time ---- */

/* A file whose lock is held as long as it is open. −1 with the reason. */
static int hold(const char *store_path, struct error *error)
{
    struct buffer path;
    buffer_init(&path);
    buffer_print(&path, "%s-sync-lock", store_path);
    int fd = path.failed ? -1 : open(path.data, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    int number = errno;
    if (path.failed)
        error_memory(error);
    else if (fd < 0)
        error_set(error,
                  number == ENOSPC || number == EDQUOT ? ERROR_FULL
                  : number == ENOENT                   ? ERROR_NOT_FOUND
                                                       : ERROR_IO,
                  tr("can't make the sync's files beside the store: %s"), strerror(number));
    buffer_finish(&path);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        error_set(error, ERROR_BUSY, tr("another sync of this store is running"));
        return -1;
    }
    return fd;
}

/* ---- pulling ---- */

/* The mark of a server that was never talked to: nothing was sent there, nothing came from it. */
static bool begin_with(struct run *run, const struct uuid *server, struct error *error)
{
    run->count->again = !uuid_is_zero(&run->mark.server);
    run->mark = (struct pulled_mark){ .server = *server };
    return pulled_set_mark(run->pulled, &run->mark, error);
}

static bool take_item(void *context, const struct central_item *item, struct error *error)
{
    struct run *run = context;
    if (item->kind == CENTRAL_SERVER) {
        bool from_start = run->mark.version == 0;
        run->answered = true;
        run->version = item->version;
        if (uuid_equal(&item->id, &run->mark.server))
            return true;
        run->other = !from_start; /* what follows is only what is newer than another server's version */
        return begin_with(run, &item->id, error) && !run->other;
    }
    if (!run->answered)
        return error_set(error, ERROR_INPUT, tr("there is no central store of quiztutor at this address"));
    run->count->pulled++;
    return pulled_put(run->pulled, (int)item->kind, item->version, &item->id, item->body, error);
}

static bool pull(struct run *run, struct error *error)
{
    run->other = run->answered = false;
    bool done = central_pull(run->central, run->mark.version, take_item, run, error);
    if (!done && run->other) { /* the connection is in the midst of rows that nobody wants */
        central_close(run->central);
        run->central = NULL;
        run->other = run->answered = false;
        done = central_open(&run->central, run->options->address, error) &&
               central_pull(run->central, 0, take_item, run, error);
    }
    if (!done)
        return false;
    if (!run->answered)
        return error_set(error, ERROR_INPUT, tr("there is no central store of quiztutor at this address"));
    run->mark.version = run->version;
    return pulled_set_mark(run->pulled, &run->mark, error);
}

/* ---- sending ---- */

static bool save(struct run *run, bool at_once, struct error *error)
{
    if (!at_once && now(run) - run->saved_at < SAVED_EVERY_MS)
        return true;
    run->saved_at = now(run);
    run->saving = true;
    return pulled_set_mark(run->pulled, &run->mark, error) && pulled_save(run->pulled, error);
}

/* From where on rows are to be sent: from the start where the mark is of another store, or of another log
 * than this one is now. */
static bool find_start(struct run *run, struct error *error)
{
    int64_t changes;
    if (!outgoing_changes(run->outgoing, run->mark.seq, &changes, error))
        return false;
    if (!uuid_equal(&run->mark.store_id, &run->store_id) || (run->mark.seq && changes != run->mark.changes)) {
        run->count->again = run->count->again || run->mark.seq > 0;
        run->mark.seq = 0;
    }
    run->mark.store_id = run->store_id;
    outgoing_start(run->outgoing, run->mark.seq);
    return outgoing_count(run->outgoing, run->mark.seq, &run->count->total, error);
}

static int64_t bytes_of(const struct outgoing_row *row)
{
    return row->body.length + row->plan.length + row->options.length + row->response.length +
           row->shown.length + row->groups.length;
}

/* What names a learner's row, onto what named those before it. */
static bool digest_learner(struct hash *digest, const struct outgoing_row *row)
{
    struct buffer text;
    const struct outgoing_bytes *const parts[] = { &row->name, &row->name_key, &row->login, &row->external_id,
                                                   &row->groups };
    buffer_init(&text);
    buffer_add(&text, (const char *)digest, sizeof *digest);
    buffer_add(&text, (const char *)&row->id, sizeof row->id);
    buffer_add(&text, (const char *)&row->merged_into, sizeof row->merged_into);
    buffer_print(&text, "%lld %.17g %lld", (long long)row->at, row->time_factor, (long long)row->plain);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        buffer_print(&text, " %lld ", parts[i]->data ? (long long)parts[i]->length : -1);
        buffer_add(&text, parts[i]->data, parts[i]->length);
    }
    bool done = !text.failed;
    if (done)
        hash_of(digest, text.data, text.length);
    buffer_finish(&text);
    return done;
}

/* Whether the learners are as they were when they were sent last. The reading begins anew after it. */
static bool look_at_learners(struct run *run, struct hash *digest, struct error *error)
{
    struct outgoing_row row;
    int step;
    hash_of(digest, run->mark.server.bytes, sizeof run->mark.server.bytes);
    while ((step = outgoing_step(run->outgoing, &row, error)) > 0 && row.kind == OUTGOING_LEARNER)
        if (!digest_learner(digest, &row))
            return error_memory(error);
    outgoing_start(run->outgoing, run->mark.seq);
    return step >= 0;
}

struct batch {
    int size, rows;
    int64_t bytes, logged, seq;
};

/* 1: the batch is full; 0: the log is at its end; −1: an error. */
static int fill(struct run *run, struct batch *batch, bool skip_learners, struct error *error)
{
    struct outgoing_row row;
    int step;
    batch->rows = 0;
    batch->bytes = batch->logged = batch->seq = 0;
    while ((step = outgoing_step(run->outgoing, &row, error)) > 0) {
        if (skip_learners && row.kind == OUTGOING_LEARNER)
            continue;
        if (batch->rows == 0 && !central_send_begin(run->central, &run->store_id, error))
            return -1;
        if (!central_send_row(run->central, &row, error))
            return -1;
        batch->rows++;
        batch->bytes += bytes_of(&row);
        batch->logged += row.seq != 0;
        batch->seq = row.seq ? row.seq : batch->seq;
        if (batch->rows >= batch->size || batch->bytes > BATCH_BYTES)
            return 1;
    }
    return step;
}

static void add(struct central_taken *sum, const struct central_taken *one)
{
    sum->taken += one->taken;
    sum->before += one->before;
    sum->parked += one->parked;
    sum->erased += one->erased;
    sum->notices += one->notices;
}

/* The mark moves only here, once the server has it all. */
static bool finish(struct run *run, const struct batch *batch, struct error *error)
{
    struct central_taken taken;
    if (!central_send_end(run->central, &taken, error))
        return false;
    add(&run->count->taken, &taken);
    run->count->sent += batch->logged;
    if (batch->seq == 0)
        return true;
    run->mark.seq = batch->seq;
    return outgoing_changes(run->outgoing, batch->seq, &run->mark.changes, error) && save(run, false, error);
}

static bool told(struct run *run)
{
    run->stopped = run->options->progress && !run->options->progress(run->options->context, run->count);
    return !run->stopped;
}

static bool send_all(struct run *run, bool skip_learners, struct error *error)
{
    struct batch batch = { .size = SYNC_BATCH_LEAST };
    for (int more = 1; more > 0;) {
        int64_t begun = now(run);
        more = fill(run, &batch, skip_learners, error);
        if (more < 0 || (batch.rows > 0 && !finish(run, &batch, error)))
            return false;
        int64_t took = now(run) - begun;
        if (took < QUICK_MS && batch.size < SYNC_BATCH_MOST)
            batch.size = batch.size * 2 < SYNC_BATCH_MOST ? batch.size * 2 : SYNC_BATCH_MOST;
        else if (took > SLOW_MS && batch.size > SYNC_BATCH_LEAST)
            batch.size = batch.size / 2 > SYNC_BATCH_LEAST ? batch.size / 2 : SYNC_BATCH_LEAST;
        if (batch.rows > 0 && !told(run))
            return true;
    }
    return true;
}

static bool send_rows(struct run *run, struct error *error)
{
    static const struct hash never;
    struct hash digest, *sent = run->options->learners;
    bool skip = false;
    if (!find_start(run, error))
        return false;
    if (!told(run))
        return true;
    if (sent) {
        if (!look_at_learners(run, &digest, error))
            return false;
        skip = memcmp(sent, &never, sizeof never) != 0 && memcmp(sent, &digest, sizeof digest) == 0;
    }
    if (!send_all(run, skip, error))
        return false;
    if (sent && !run->stopped)
        *sent = digest;
    return true;
}

static bool exchange(struct run *run, struct error *error)
{
    pulled_mark(run->pulled, &run->mark);
    bool done = central_open(&run->central, run->options->address, error) && pull(run, error) &&
                save(run, true, error) && (!run->outgoing || send_rows(run, error));
    if (done && !run->stopped)
        run->mark.at = clock_wall(&run->options->clock);
    /* also after a failure: what was sent before it stays sent */
    struct error late = { 0 };
    bool saved = !run->saving || save(run, true, &late);
    if (done && !saved && error)
        *error = late;
    return done && saved;
}

/* A machine that is new has nothing to send. Its store is not made here, where one may just be healing: what
 * is fetched waits for it. */
static bool open_store(struct run *run, struct error *error)
{
    const char *path = run->options->store_path;
    struct error why = { 0 };
    if (outgoing_open(&run->outgoing, path, 0, &why)) {
        outgoing_store_id(run->outgoing, &run->store_id);
        return true;
    }
    run->count->no_store = why.code == ERROR_NOT_FOUND && access(path, F_OK) != 0 && errno == ENOENT;
    if (!run->count->no_store && error)
        *error = why;
    return run->count->no_store;
}

bool sync_run(const struct sync_options *options, struct sync_count *count, struct error *error)
{
    struct run run = { .options = options, .count = count };
    *count = (struct sync_count){ 0 };
    bool done = false;
    int lock = -1;
    if (open_store(&run, error) && (lock = hold(options->store_path, error)) >= 0 &&
        pulled_open(&run.pulled, options->store_path, error))
        done = exchange(&run, error);
    central_close(run.central);
    pulled_close(run.pulled);
    outgoing_close(run.outgoing);
    if (lock >= 0)
        close(lock);
    return done;
}

bool sync_look(const char *store_path, struct sync_state *state, struct error *error)
{
    struct outgoing *outgoing;
    struct pulled_mark mark;
    struct uuid store_id;
    int64_t changes;
    *state = (struct sync_state){ 0 };
    if (!outgoing_open(&outgoing, store_path, 0, error))
        return false;
    bool done = pulled_look(store_path, &mark, &state->known, error) &&
                outgoing_changes(outgoing, mark.seq, &changes, error);
    if (done) {
        outgoing_store_id(outgoing, &store_id);
        bool same = state->known && uuid_equal(&store_id, &mark.store_id) && changes == mark.changes;
        state->at = mark.at;
        state->version = mark.version;
        done = outgoing_count(outgoing, same ? mark.seq : 0, &state->waiting, error);
    }
    outgoing_close(outgoing);
    return done;
}

int64_t sync_wait(int64_t every, int failures, double draw)
{
    int64_t longest = every > SYNC_WAIT_LONGEST ? every : SYNC_WAIT_LONGEST;
    if (failures <= 0)
        return every + (int64_t)((double)every / 10 * draw);
    int64_t wait = 1000;
    for (int i = 1; i < failures && wait < longest; i++)
        wait *= 2;
    wait = wait < longest ? wait : longest;
    /* between half of it and all of it, so that machines that lost their centre together don't come back so
     */
    return wait / 2 + (int64_t)((double)(wait - wait / 2) * draw);
}
