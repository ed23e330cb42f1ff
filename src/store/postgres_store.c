/* Opening the central store behind the interface of store.h, and its smaller operations. */
#include "postgres_store.h"
#include "pin_private.h"
#include "postgres_roster.h"

#include <quiztutor/message.h>
#include <string.h>

enum { MERGES = 100 }; /* learners merged one into the other that are followed */

static void close_store(struct store *base)
{
    struct postgres_store *store = (struct postgres_store *)base;
    store->open_rows = 0;
    if (store->postgres)
        postgres_state_end(base);
    postgres_close(store->postgres);
    json_reader_destroy(store->reader);
    scheduling_finish(&base->scheduling);
    memory_free(base->warning);
    memory_free(store);
}

/* What this is refused for is no fault of the centre's. */
static bool refuse(struct error *error)
{
    return error_set(error, ERROR_INPUT, "%s",
                     tr("the central store takes no answers of its own: practise with a store on this "
                        "machine, which quiztutor sync sends there"));
}

static bool refuse_add(struct store *store, struct store_session *session,
                       const struct store_attempt *attempt, const struct store_event *event, bool *created,
                       struct error *error)
{
    (void)store, (void)session, (void)attempt, (void)event, (void)created;
    return refuse(error);
}

static bool refuse_session(struct store *store, struct store_session *session, const struct store_text *texts,
                           int count, bool *created, struct error *error)
{
    (void)store, (void)session, (void)texts, (void)count, (void)created;
    return refuse(error);
}

static bool refuse_hand_in(struct store *store, struct store_session *session,
                           const struct store_attempt *attempts, int count, const struct store_event *event,
                           int64_t last_seq, bool *already, struct error *error)
{
    (void)store, (void)session, (void)attempts, (void)count, (void)event, (void)last_seq, (void)already;
    return refuse(error);
}

static bool refuse_reopen(struct store *store, const struct store_reopening *reopening, struct error *error)
{
    (void)store, (void)reopening;
    return refuse(error);
}

static bool refuse_hold(struct store *store, const struct uuid *session_id, struct error *error)
{
    (void)store, (void)session_id;
    return refuse(error);
}

static void release(struct store *store, const struct uuid *session_id)
{
    (void)store, (void)session_id;
}

static bool refuse_check(struct store *store, struct error *error)
{
    (void)store;
    return error_set(error, ERROR_INPUT, "%s",
                     tr("whether the central store is sound is its server's to tell (pg_amcheck)"));
}

static bool refuse_set_parameters(struct store *store, const struct uuid *learner,
                                  const struct fsrs_parameters *parameters, const char *report,
                                  struct error *error)
{
    (void)store, (void)learner, (void)parameters, (void)report;
    return error_set(error, ERROR_INPUT, "%s",
                     tr("the central store keeps no fitted parameters: fit them where it is practised"));
}

static bool refuse_histories(struct store *store, const struct uuid *learner, store_history_visit *visit,
                             void *context, struct error *error)
{
    (void)visit, (void)context;
    return refuse_set_parameters(store, learner, NULL, NULL, error);
}

static bool refuse_rebuild(struct store *store, struct store_rebuild *report, struct error *error)
{
    (void)store, (void)report;
    return error_set(error, ERROR_INPUT, "%s",
                     tr("the central store's sums are made by quiztutor sync --summaries"));
}

/* ---- reading ---- */

/* By login, else by name; who was merged into another stays known, unless there is somebody else. */
static const char find_sql[] =
    "WITH RECURSIVE first AS (SELECT learner_id, merged_into FROM (SELECT 0 AS way, learner_id, merged_into,"
    " external_id FROM learner WHERE school = $1 AND (login = $2 OR learner_id = $5) UNION ALL SELECT 1,"
    " learner_id, merged_into,"
    " external_id FROM learner WHERE school = $1 AND name_key = $3) AS both_ways ORDER BY way, merged_into IS"
    " NOT NULL, external_id IS NOT NULL, learner_id LIMIT 1), found(learner_id, merged_into, depth) AS"
    " (SELECT learner_id, merged_into, 0 FROM first UNION ALL SELECT learner.learner_id,"
    " learner.merged_into, depth + 1 FROM found JOIN learner ON learner.school = $1 AND learner.learner_id ="
    " found.merged_into WHERE depth < $4) SELECT learner.learner_id, name, login, time_factor, plain FROM"
    " found JOIN learner ON learner.school = $1 AND learner.learner_id = found.learner_id WHERE"
    " found.merged_into IS NULL";

static const char *keep_text(const struct postgres_rows *rows, int column, struct arena *arena, bool *done)
{
    if (postgres_is_null(rows, column))
        return NULL;
    const char *text = postgres_text(rows, column), *kept = arena_text(arena, text, (ptrdiff_t)strlen(text));
    *done = *done && kept;
    return kept;
}

/* Machines can have brought several: nobody is guessed. False with the error. */
static bool is_clear(struct postgres_store *store, const char *login, const char *key, struct error *error)
{
    static const char sql[] =
        "SELECT (SELECT count(*) FROM learner WHERE school = $1 AND login = $2 AND merged_into IS NULL),"
        " (SELECT count(*) FROM learner WHERE school = $1 AND name_key = $3 AND merged_into IS NULL)";
    struct postgres_values values = { 0 };
    struct postgres_rows rows = { 0 };
    postgres_put_integer(&values, store->school);
    postgres_put_text(&values, login);
    postgres_put_text(&values, key);
    bool done =
        postgres_query(&rows, store->postgres, sql, &values, error) && postgres_step(&rows, error) > 0;
    int64_t logins = done ? postgres_integer(&rows, 0) : 0, names = done ? postgres_integer(&rows, 1) : 0;
    int64_t several = logins ? logins : names;
    postgres_rows_close(&rows);
    if (done && several > 1)
        return error_set(error, ERROR_INPUT,
                         ntr("%lld learner there is called \"%s\"",
                             "%lld learners there are called \"%s\": name one by login, or by the learner_id "
                             "that quiztutor learner list --json tells",
                             several),
                         (long long)several, login);
    return done;
}

/* By login, name, or where it is one, by id. */
static int find_learner(struct store *base, const char *login, const char *key, struct arena *arena,
                        struct store_learner *learner, struct error *error)
{
    struct postgres_store *store = (struct postgres_store *)base;
    struct postgres_values values = { 0 };
    struct postgres_rows rows = { 0 };
    struct uuid id = { { 0 } };
    if (!uuid_read(&id, login) && !is_clear(store, login, key, error))
        return -1;
    postgres_put_integer(&values, store->school);
    postgres_put_text(&values, login);
    postgres_put_text(&values, key);
    postgres_put_integer(&values, MERGES);
    postgres_put_uuid(&values, &id);
    int found =
        postgres_query(&rows, store->postgres, find_sql, &values, error) ? postgres_step(&rows, error) : -1;
    if (found > 0) {
        bool done = true;
        *learner = (struct store_learner){ .time_factor = postgres_real(&rows, 3),
                                           .plain = roster_reading(postgres_integer(&rows, 4)) };
        postgres_uuid(&rows, 0, &learner->id);
        learner->name = keep_text(&rows, 1, arena, &done);
        learner->login = keep_text(&rows, 2, arena, &done);
        if (!done)
            found = error_memory(error) - 1;
    }
    postgres_rows_close(&rows);
    return found;
}

static int find_group(struct store *base, const char *key, struct arena *arena, struct store_group *group,
                      struct error *error)
{
    static const char sql[] =
        "SELECT min(group_name COLLATE \"C\"), count(*) FROM member CROSS JOIN LATERAL (SELECT merged_into"
        " FROM learner WHERE learner.school = $1 AND learner.learner_id = member.learner_id OFFSET 0) AS"
        " learner WHERE member.school = $1 AND group_key = $2 AND merged_into IS NULL";
    struct postgres_store *store = (struct postgres_store *)base;
    struct postgres_values values = { 0 };
    struct postgres_rows rows = { 0 };
    postgres_put_integer(&values, store->school);
    postgres_put_text(&values, key);
    int found =
        postgres_query(&rows, store->postgres, sql, &values, error) ? postgres_step(&rows, error) : -1;
    if (found > 0 && (found = postgres_integer(&rows, 1) > 0)) {
        bool done = true;
        *group = (struct store_group){ .key = arena_text(arena, key, (ptrdiff_t)strlen(key)),
                                       .name = keep_text(&rows, 0, arena, &done),
                                       .members = postgres_integer(&rows, 1) };
        if (!done || !group->key)
            found = error_memory(error) - 1;
    }
    postgres_rows_close(&rows);
    return found;
}

static bool json_each(struct store *base, const char *json, const char *path, store_visit *visit,
                      void *context, struct error *error)
{
    struct postgres_store *store = (struct postgres_store *)base;
    return json_reader_each(&store->reader, json, path, visit, context, error);
}

static bool overturned(struct store *base, const struct hash *content, const char *body, bool *is,
                       struct error *error)
{
    struct postgres_store *store = (struct postgres_store *)base;
    struct store_value parameter = store_value_hash(content);
    struct rows *rows;
    if (!postgres_rows_open(&rows, base, QUERY_TEXT, &parameter, 1, error))
        return false;
    int found = postgres_rows_step(rows, error);
    bool done = found == 0 ||
                (found > 0 &&
                 json_reader_overturned(&store->reader, postgres_rows_value(rows, 3).data, body, is, error));
    postgres_rows_end(rows);
    return done;
}

static bool parameters(struct store *store, const struct uuid *learner, struct fsrs_parameters *parameters,
                       int *fitted, struct error *error)
{
    (void)store, (void)learner, (void)error;
    *parameters = fsrs_defaults;
    *fitted = 0;
    return true;
}

static int schedule(struct store *base, const struct uuid *learner, const char *pack_id,
                    const char *question_id, struct store_schedule *out, struct error *error)
{
    const struct store_value values[] = { store_value_uuid(learner), store_value_text(pack_id) };
    struct rows *rows;
    int found;
    if (!rows_open(&rows, base, QUERY_KNOWN, values, 2, error))
        return -1;
    while ((found = rows_step(rows, error)) > 0) {
        const char *question = rows_text(rows, KNOWN_QUESTION);
        if (question && strcmp(question, question_id) == 0) {
            rows_schedule(rows, out);
            break;
        }
    }
    rows_close(rows);
    return found;
}

const struct store_ops postgres_store_ops = {
    .close = close_store,
    .find_learner = find_learner,
    .find_group = find_group,
    .add = refuse_add,
    .rows_open = postgres_rows_open,
    .rows_step = postgres_rows_step,
    .rows_value = postgres_rows_value,
    .rows_close = postgres_rows_end,
    .json_each = json_each,
    .hold = refuse_hold,
    .release = release,
    .check = refuse_check,
    .add_session = refuse_session,
    .hand_in = refuse_hand_in,
    .reopen = refuse_reopen,
    .add_events = postgres_add_events,
    .schedule = schedule,
    .overturned = overturned,
    .parameters = parameters,
    .set_parameters = refuse_set_parameters,
    .histories = refuse_histories,
    .rebuild = refuse_rebuild,
    .set_member = postgres_set_member,
    .roster = &postgres_roster_ops,
    .pins = &postgres_pin_ops,
    .sheets = &postgres_sheet_ops,
    .state_begin = postgres_state_begin,
    .state_end = postgres_state_end,
};

/* ---- opening ---- */

enum { SCHOOL, DAY_STARTS, RETENTION, HAS_PACKS, MADE, SERVER };
static const char school_sql[] =
    "SELECT school, day_starts, retention, retention_by_pack <> '{}', schedule_version, (SELECT server_id"
    " FROM meta) FROM school WHERE school = own_school()";

/* What the school's schedules are made with, whatever this machine has set. */
static bool read_scheduling(struct postgres_store *store, const struct postgres_rows *school,
                            struct error *error)
{
    struct store_scheduling scheduling = { .day_starts = (int)postgres_integer(school, DAY_STARTS),
                                           .retention = postgres_real(school, RETENTION) };
    struct store_retention *packs = NULL;
    struct postgres_rows rows = { 0 };
    struct postgres_values values = { 0 };
    struct arena texts;
    ptrdiff_t capacity = 0;
    int found = 0;
    bool done = true;
    arena_init(&texts);
    postgres_put_integer(&values, store->school);
    if (postgres_integer(school, HAS_PACKS))
        found = postgres_query(&rows, store->postgres,
                               "SELECT key, value::double precision FROM school,"
                               " jsonb_each_text(retention_by_pack) WHERE school = $1",
                               &values, error)
                    ? postgres_step(&rows, error)
                    : -1;
    for (; done && found > 0; found = done ? postgres_step(&rows, error) : -1) {
        int place = scheduling.by_pack_count;
        done = memory_grow(&packs, &capacity, place + 1, sizeof *packs);
        if (done)
            packs[place] =
                (struct store_retention){ keep_text(&rows, 0, &texts, &done), postgres_real(&rows, 1) };
        scheduling.by_pack_count += done;
        if (!done)
            error_memory(error);
    }
    scheduling.by_pack = packs;
    done =
        done && found == 0 && (scheduling_init(&store->base.scheduling, &scheduling) || error_memory(error));
    postgres_rows_close(&rows);
    memory_free(packs);
    arena_finish(&texts);
    return done;
}

static bool read_school(struct postgres_store *store, struct error *error)
{
    struct postgres_rows rows = { 0 };
    bool done = false;
    int found =
        postgres_query(&rows, store->postgres, school_sql, NULL, error) ? postgres_step(&rows, error) : -1;
    if (found > 0) {
        store->school = postgres_integer(&rows, SCHOOL);
        store->made = postgres_integer(&rows, MADE);
        postgres_uuid(&rows, SERVER, &store->base.device);
        done = read_scheduling(store, &rows, error);
    } else if (found == 0) {
        error_set(error, ERROR_INPUT, tr("%s: this role belongs to no school there"), store->postgres->shown);
    } else if (strcmp(store->postgres->state, "42501") == 0) {
        error_set(error, ERROR_INPUT,
                  tr("the role of %s is no tutor's there: its owner names it by sync --init --school NAME "
                     "--tutor ROLE"),
                  store->postgres->shown);
    }
    postgres_rows_close(&rows);
    if (done && store->made > SCHEDULER_VERSION)
        done = error_set(error, ERROR_NEWER,
                         tr("%s: its schedules are made by a newer release of quiztutor: use that"),
                         store->postgres->shown);
    return done;
}

bool postgres_store_open(struct store **out, const char *address, const struct store_options *options,
                         struct error *error)
{
    static const struct postgres_options as_long_as_it_takes;
    struct postgres_store *store = memory_zero(sizeof *store);
    *out = NULL;
    if (!store)
        return error_memory(error);
    store->base.ops = &postgres_store_ops;
    store->base.clock = options && options->clock.wall ? options->clock : clock_system();
    if (!postgres_open(&store->postgres, address, &as_long_as_it_takes, error) ||
        !read_school(store, error)) {
        close_store(&store->base);
        return false;
    }
    const struct store_scheduling *own = options ? options->scheduling : NULL;
    if (own && own->day_starts != store->base.scheduling.day_starts) {
        struct buffer text;
        int starts = store->base.scheduling.day_starts;
        buffer_init(&text);
        buffer_print(&text,
                     tr("days begin at %02d:%02d in the central store, at another time in the settings here: "
                        "set day_starts alike, else some days differ"),
                     starts / 60, starts % 60);
        store->base.warning = text.failed ? NULL : memory_text(buffer_get(&text));
        buffer_finish(&text);
    }
    *out = &store->base;
    return true;
}
