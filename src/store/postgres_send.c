/*
 * Rows into the inbox of a central store by COPY in its binary form. The columns are rows of one table, which
 * the statement and the encoding are both made of. Rows gather in a buffer that is given to libpq when it is
 * large: fewer copies, fewer system calls.
 */
#include "postgres_central.h"

#include <endian.h>
#include <quiztutor/message.h>
#include <stddef.h>
#include <string.h>

enum {
    GIVEN_AT = 256 * 1024, /* bytes of rows */
    ROW_LONGEST = 64 * 1024 * 1024,
};

#define OF(kind)   (1u << OUTGOING_##kind)
#define LEARNER    OF(LEARNER)
#define TEXT       OF(TEXT)
#define SESSION    OF(SESSION)
#define ATTEMPT    OF(ATTEMPT)
#define EVENT      OF(EVENT)
#define LOG        (SESSION | ATTEMPT | EVENT)
#define AT(member) offsetof(struct outgoing_row, member)

enum form { FORM_BATCH, FORM_PLACE, FORM_STORE, FORM_KIND, FORM_ID, FORM_BYTES, FORM_INTEGER, FORM_REAL };

static const struct column {
    const char *name;
    enum form form;
    unsigned kinds; /* that have it; null of others. Ids and bytes are null by themselves */
    size_t at;
    size_t has; /* of a member that says whether it is there; 0: it is */
} columns[] = {
    { "batch", FORM_BATCH, ~0u, 0, 0 },
    { "place", FORM_PLACE, ~0u, 0, 0 },
    { "store_id", FORM_STORE, ~0u, 0, 0 },
    { "seq", FORM_INTEGER, LOG, AT(seq), 0 },
    { "kind", FORM_KIND, ~0u, 0, 0 },
    { "id", FORM_ID, ~0u, AT(id), 0 },
    { "session_id", FORM_ID, ~0u, AT(session), 0 },
    { "attempt_id", FORM_ID, ~0u, AT(attempt), 0 },
    { "learner_id", FORM_ID, ~0u, AT(learner), 0 },
    { "device_id", FORM_ID, ~0u, AT(device), 0 },
    { "boot_id", FORM_ID, ~0u, AT(boot), 0 },
    { "merged_into", FORM_ID, ~0u, AT(merged_into), 0 },
    { "word", FORM_BYTES, ~0u, AT(word), 0 },
    { "pack_id", FORM_BYTES, ~0u, AT(pack), 0 },
    { "question_id", FORM_BYTES, ~0u, AT(question), 0 },
    { "revision", FORM_BYTES, ~0u, AT(revision), 0 },
    { "content", FORM_BYTES, ~0u, AT(content), 0 },
    { "shown", FORM_BYTES, ~0u, AT(shown), 0 },
    { "response", FORM_BYTES, ~0u, AT(response), 0 },
    { "outcome", FORM_BYTES, ~0u, AT(outcome), 0 },
    { "origin", FORM_BYTES, ~0u, AT(origin), 0 },
    { "options", FORM_BYTES, ~0u, AT(options), 0 },
    { "plan", FORM_BYTES, ~0u, AT(plan), 0 },
    { "body", FORM_BYTES, ~0u, AT(body), 0 },
    { "name", FORM_BYTES, ~0u, AT(name), 0 },
    { "name_key", FORM_BYTES, ~0u, AT(name_key), 0 },
    { "login", FORM_BYTES, ~0u, AT(login), 0 },
    { "external_id", FORM_BYTES, ~0u, AT(external_id), 0 },
    { "groups", FORM_BYTES, ~0u, AT(groups), 0 },
    { "seed", FORM_INTEGER, SESSION | ATTEMPT, AT(seed), 0 },
    { "showing", FORM_INTEGER, ATTEMPT, AT(showing), 0 },
    { "hints", FORM_INTEGER, ATTEMPT, AT(hints), 0 },
    { "retried", FORM_INTEGER, ATTEMPT, AT(retried), 0 },
    { "plain", FORM_INTEGER, LEARNER, AT(plain), 0 },
    { "certainty", FORM_INTEGER, ATTEMPT, AT(certainty), AT(has_certainty) },
    { "elapsed_ms", FORM_INTEGER, ATTEMPT, AT(elapsed_ms), AT(has_elapsed) },
    { "at", FORM_INTEGER, LEARNER | LOG, AT(at), 0 },
    { "utc_offset_s", FORM_INTEGER, LOG, AT(utc_offset_s), 0 },
    { "mark", FORM_REAL, ATTEMPT, AT(mark), 0 },
    { "marks", FORM_REAL, ATTEMPT, AT(marks), 0 },
    { "time_factor", FORM_REAL, LEARNER, AT(time_factor), 0 },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const char kinds[] = { [OUTGOING_LEARNER] = 'l',
                              [OUTGOING_TEXT] = 't',
                              [OUTGOING_SESSION] = 's',
                              [OUTGOING_ATTEMPT] = 'a',
                              [OUTGOING_EVENT] = 'e' };

/* What a row needs at most: a length before each column, and what is in it. */
static ptrdiff_t room_of(const struct outgoing_row *row)
{
    ptrdiff_t room = 2 + COLUMNS * (4 + 16);
    for (int i = 0; i < COLUMNS; i++)
        if (columns[i].form == FORM_BYTES)
            room +=
                ((const struct outgoing_bytes *)(const void *)((const char *)row + columns[i].at))->length;
    return room;
}

static char *put_length(char *to, int32_t length)
{
    uint32_t big = htobe32((uint32_t)length);
    memcpy(to, &big, sizeof big);
    return to + sizeof big;
}

static char *put_bytes(char *to, const void *data, ptrdiff_t length)
{
    to = put_length(to, data ? (int32_t)length : -1);
    if (data && length > 0) {
        memcpy(to, data, (size_t)length);
        to += length;
    }
    return to;
}

static char *put_number(char *to, const void *member)
{
    uint64_t bits;
    memcpy(&bits, member, sizeof bits); /* of a double, too */
    bits = htobe64(bits);
    return put_bytes(to, &bits, sizeof bits);
}

static char *put_id(char *to, const struct uuid *id)
{
    uint64_t half[2];
    memcpy(half, id->bytes, sizeof half);
    return put_bytes(to, half[0] | half[1] ? id->bytes : NULL, sizeof id->bytes);
}

static char *put_column(char *to, const struct central *central, const struct outgoing_row *row,
                        const struct column *column)
{
    const char *base = (const char *)row;
    const void *member = base + column->at;
    if (!(column->kinds & 1u << row->kind) || (column->has && !*(const bool *)(base + column->has)))
        return put_length(to, -1);
    switch (column->form) {
    case FORM_BATCH:
        return put_bytes(to, central->batch.bytes, sizeof central->batch.bytes);
    case FORM_PLACE:
        return put_length(put_length(to, 4), central->place);
    case FORM_STORE:
        return put_bytes(to, central->store_id.bytes, sizeof central->store_id.bytes);
    case FORM_KIND:
        return put_bytes(to, &kinds[row->kind], 1);
    case FORM_ID:
        return put_id(to, member);
    case FORM_BYTES: {
        const struct outgoing_bytes *bytes = member;
        return put_bytes(to, bytes->data, bytes->length);
    }
    case FORM_INTEGER:
    case FORM_REAL:
        break;
    }
    return put_number(to, member);
}

static bool give(struct central *central, struct error *error)
{
    bool done = postgres_copy_put(central->postgres, central->rows.data, central->rows.length, error);
    buffer_clear(&central->rows);
    return done;
}

bool postgres_send_begin(struct central *central, const struct uuid *store_id, struct error *error)
{
    /* signature, flags, length of what else the head has */
    static const char head[] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0";
    struct buffer sql;
    buffer_init(&sql);
    buffer_text(&sql, "BEGIN ISOLATION LEVEL READ COMMITTED; COPY inbox(");
    for (int i = 0; i < COLUMNS; i++)
        buffer_print(&sql, "%s%s", i ? ", " : "", columns[i].name);
    buffer_text(&sql, ") FROM STDIN (FORMAT binary)");
    bool done = !sql.failed || error_memory(error);
    done = done && postgres_copy_begin(central->postgres, buffer_get(&sql), error);
    buffer_finish(&sql);
    central->store_id = *store_id;
    central->place = 0;
    hash_random(central->batch.bytes, sizeof central->batch.bytes);
    buffer_clear(&central->rows);
    buffer_add(&central->rows, head, sizeof head);
    return done;
}

bool postgres_send_row(struct central *central, const struct outgoing_row *row, struct error *error)
{
    uint16_t count = htobe16(COLUMNS);
    struct buffer *rows = &central->rows;
    ptrdiff_t room = room_of(row);
    if (room > ROW_LONGEST)
        return error_set(error, ERROR_DAMAGED,
                         tr("a row of the store's log has %lld bytes, more than a central store takes: see "
                            "whether the file is sound, with quiztutor store check"),
                         (long long)room);
    if (!memory_grow(&rows->data, &rows->capacity, rows->length + room, 1))
        return error_memory(error);
    central->place++;
    char *to = rows->data + rows->length;
    memcpy(to, &count, sizeof count);
    to += sizeof count;
    for (int i = 0; i < COLUMNS; i++)
        to = put_column(to, central, row, &columns[i]);
    rows->length = to - rows->data;
    return rows->length < GIVEN_AT || give(central, error);
}

bool postgres_send_end(struct central *central, struct central_taken *taken, struct error *error)
{
    static const char trailer[] = { '\377', '\377' };
    struct postgres_values values = { 0 };
    struct postgres_rows rows = { 0 };
    postgres_put_uuid(&values, &central->batch);
    postgres_put_integer(&values, CENTRAL_PROTOCOL);
    buffer_add(&central->rows, trailer, sizeof trailer);
    if (central->rows.failed)
        return error_memory(error);
    bool done = give(central, error) && postgres_copy_end(central->postgres, error) &&
                postgres_query(&rows, central->postgres,
                               "SELECT taken, before, parked, erased, notices FROM ingest($1, $2::integer)",
                               &values, error) &&
                postgres_step(&rows, error) > 0;
    if (done)
        *taken = (struct central_taken){
            .taken = postgres_integer(&rows, 0),
            .before = postgres_integer(&rows, 1),
            .parked = postgres_integer(&rows, 2),
            .erased = postgres_integer(&rows, 3),
            .notices = postgres_integer(&rows, 4),
        };
    postgres_rows_close(&rows);
    return done && postgres_exec(central->postgres, "COMMIT", error);
}
