/* Gradings that a tutor stores: events of the centre itself. */
#include "postgres_array.h"
#include "postgres_store.h"

enum { EVENTS_AT_ONCE = 1000, EVENT_COLUMNS = 6 };

static const char insert_sql[] =
    "INSERT INTO event(school, event_id, seq, kind, attempt_id, device_id, body, at, utc_offset_s, store_id,"
    " machine_seq) SELECT $1, id, seq, kind, attempt, $2, body, at, utc_offset_s, $2, seq FROM (SELECT *,"
    " nextval('log_seq') AS seq FROM unnest($3::uuid[], $4::text[], $5::uuid[], $6::text[], $7::bigint[],"
    " $8::bigint[]) WITH ORDINALITY AS told(id, kind, attempt, body, at, utc_offset_s, place) ORDER BY place)"
    " AS numbered ON CONFLICT(school, event_id) DO NOTHING";
static const char behind_sql[] =
    "INSERT INTO behind(school, learner_id, since_seq) SELECT DISTINCT $1::integer, learner_id, 0 FROM"
    " attempt WHERE school = $1 AND attempt_id = ANY($2::uuid[]) ORDER BY learner_id"
    " ON CONFLICT(school, learner_id) DO UPDATE SET since_seq = 0";

static bool insert(struct postgres_store *store, struct postgres_array *columns, struct error *error)
{
    struct postgres_values values = { 0 }, attempts = { 0 };
    postgres_put_integer(&values, store->school);
    postgres_put_uuid(&values, &store->base.device);
    postgres_put_integer(&attempts, store->school);
    bool done = true;
    for (int i = 0; done && i < EVENT_COLUMNS; i++)
        done = postgres_put_array(&values, &columns[i], error);
    return done && postgres_put_array(&attempts, &columns[2], error) &&
           postgres_run(store->postgres, insert_sql, &values, NULL, error) &&
           postgres_run(store->postgres, behind_sql, &attempts, NULL, error);
}

static void add(struct postgres_array *columns, const struct store_event *event)
{
    postgres_array_uuid(&columns[0], &event->id);
    postgres_array_text(&columns[1], event->kind);
    if (uuid_is_zero(&event->attempt_id))
        postgres_array_null(&columns[2]);
    else
        postgres_array_uuid(&columns[2], &event->attempt_id);
    postgres_array_text(&columns[3], event->body);
    postgres_array_integer(&columns[4], event->at);
    postgres_array_integer(&columns[5], event->utc_offset_s);
}

bool postgres_add_events(struct store *base, const struct store_event *events, ptrdiff_t count,
                         struct error *error)
{
    static const enum postgres_element elements[EVENT_COLUMNS] = { POSTGRES_ID,      POSTGRES_TEXT,
                                                                   POSTGRES_ID,      POSTGRES_TEXT,
                                                                   POSTGRES_INTEGER, POSTGRES_INTEGER };
    struct postgres_store *store = (struct postgres_store *)base;
    struct postgres_array columns[EVENT_COLUMNS];
    if (!postgres_write_begin(store, error))
        return false;
    bool done = true;
    for (int i = 0; i < EVENT_COLUMNS; i++)
        postgres_array_init(&columns[i], elements[i]);
    for (ptrdiff_t i = 0; done && i < count; i++) {
        add(columns, &events[i]);
        if (columns[0].count < EVENTS_AT_ONCE && i + 1 < count)
            continue;
        done = insert(store, columns, error);
        for (int k = 0; k < EVENT_COLUMNS; k++)
            postgres_array_clear(&columns[k]);
    }
    for (int i = 0; i < EVENT_COLUMNS; i++)
        postgres_array_finish(&columns[i]);
    return postgres_write_end(store, done, error);
}
