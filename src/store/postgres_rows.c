/* Values of statements, and rows of their answers, in the binary forms that PostgreSQL sends and takes. */
#include "postgres_connection.h"

#include <endian.h>
#include <quiztutor/message.h>
#include <stdio.h>
#include <string.h>

/* Of pg_type: these numbers are part of the protocol, and don't change. */
enum {
    TYPE_BOOL = 16,
    TYPE_BYTEA = 17,
    TYPE_INT8 = 20,
    TYPE_TEXT = 25,
    TYPE_FLOAT4 = 700,
    TYPE_FLOAT8 = 701,
    TYPE_UUID = 2950,
    TYPE_JSONB = 3802,
};
enum { CHUNK_FIRST = 64, CHUNK_MOST = 10000, CHUNK_BYTES = 1 << 20 };

static void put(struct postgres_values *values, Oid type, const void *data, ptrdiff_t length)
{
    int i = values->count;
    if (i == POSTGRES_VALUES || length > INT32_MAX)
        return; /* the server misses it, and says so */
    values->types[i] = type;
    values->data[i] = data;
    values->lengths[i] = (int)length;
    values->formats[i] = 1;
    values->count = i + 1;
}

static void put_kept(struct postgres_values *values, Oid type, const void *data, size_t length)
{
    if (values->count == POSTGRES_VALUES)
        return;
    char *room = values->room[values->count];
    memcpy(room, data, length);
    put(values, type, room, (ptrdiff_t)length);
}

void postgres_put_integer(struct postgres_values *values, int64_t value)
{
    uint64_t big = htobe64((uint64_t)value);
    put_kept(values, TYPE_INT8, &big, sizeof big);
}

void postgres_put_real(struct postgres_values *values, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = htobe64(bits);
    put_kept(values, TYPE_FLOAT8, &bits, sizeof bits);
}

void postgres_put_flag(struct postgres_values *values, bool value)
{
    put_kept(values, TYPE_BOOL, value ? "\1" : "\0", 1);
}

void postgres_put_text(struct postgres_values *values, const char *text)
{
    put(values, TYPE_TEXT, text, text ? (ptrdiff_t)strlen(text) : 0);
}

void postgres_put_uuid(struct postgres_values *values, const struct uuid *uuid)
{
    if (uuid_is_zero(uuid))
        put(values, TYPE_UUID, NULL, 0);
    else
        put_kept(values, TYPE_UUID, uuid->bytes, sizeof uuid->bytes);
}

void postgres_put_bytes(struct postgres_values *values, const void *data, ptrdiff_t length)
{
    put(values, TYPE_BYTEA, data, length);
}

void postgres_put_null(struct postgres_values *values)
{
    put(values, 0, NULL, 0);
}

static bool query(struct postgres_rows *rows, const char *sql, const struct postgres_values *values,
                  struct error *error)
{
    static const struct postgres_values none;
    struct postgres *postgres = rows->postgres;
    const struct postgres_values *given = values ? values : &none;
    if (!PQsendQueryParams(postgres->connection, sql, given->count, given->types, given->data, given->lengths,
                           given->formats, 1))
        return postgres_error_client(postgres, error);
    bool done;
    PGresult *result = postgres_result(postgres, &done, error);
    if (!result)
        return done && postgres_error_client(postgres, error);
    ExecStatusType status = PQresultStatus(result);
    bool good = status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK ||
                postgres_error_result(postgres, result, error);
    good = !postgres->broken && postgres_drain(postgres, good ? error : NULL) && good;
    PQclear(rows->result);
    rows->result = good ? result : NULL;
    rows->row = -1;
    rows->count = good ? PQntuples(result) : 0;
    if (!good)
        PQclear(result);
    return good;
}

bool postgres_query(struct postgres_rows *rows, struct postgres *postgres, const char *sql,
                    const struct postgres_values *values, struct error *error)
{
    postgres_rows_close(rows);
    rows->postgres = postgres;
    return query(rows, sql, values, error);
}

/* As many rows more as make a chunk, by how large those before were. */
static bool fetch(struct postgres_rows *rows, struct error *error)
{
    char sql[80];
    snprintf(sql, sizeof sql, "FETCH FORWARD %d FROM %s", rows->chunk, rows->cursor);
    if (!query(rows, sql, NULL, error))
        return false;
    size_t bytes = PQresultMemorySize(rows->result);
    int64_t fit = (int64_t)CHUNK_BYTES * rows->chunk / (int64_t)(bytes ? bytes : 1);
    bool whole = rows->count == rows->chunk;
    if (!whole)
        snprintf(sql, sizeof sql, "CLOSE %s", rows->cursor);
    else if (fit < rows->chunk)
        rows->chunk = fit < 1 ? 1 : (int)fit;
    else /* grows slowly, since rows that come later can be larger */
        rows->chunk = fit < rows->chunk * 2 ? (int)fit : rows->chunk * 2;
    if (rows->chunk > CHUNK_MOST)
        rows->chunk = CHUNK_MOST;
    if (whole)
        return true;
    rows->cursor[0] = '\0';
    return postgres_exec(rows->postgres, sql, error);
}

bool postgres_cursor(struct postgres_rows *rows, struct postgres *postgres, const char *sql,
                     const struct postgres_values *values, struct error *error)
{
    struct buffer declare;
    char name[sizeof rows->cursor];
    postgres_rows_close(rows);
    rows->postgres = postgres;
    rows->chunk = CHUNK_FIRST;
    snprintf(name, sizeof name, "quiztutor_%u", postgres->cursors++);
    buffer_init(&declare);
    buffer_print(&declare, "DECLARE %s BINARY NO SCROLL CURSOR FOR %s", name, sql);
    bool done = (!declare.failed || error_memory(error)) && query(rows, buffer_get(&declare), values, error);
    buffer_finish(&declare);
    if (!done)
        return false;
    memcpy(rows->cursor, name, sizeof name);
    return fetch(rows, error);
}

int postgres_step(struct postgres_rows *rows, struct error *error)
{
    if (++rows->row < rows->count)
        return 1;
    rows->row = rows->count;
    if (!rows->cursor[0])
        return 0;
    if (!fetch(rows, error))
        return -1;
    return ++rows->row < rows->count;
}

void postgres_rows_close(struct postgres_rows *rows)
{
    char sql[80];
    PQclear(rows->result);
    /* in a transaction that failed it is gone already */
    if (rows->cursor[0] && !rows->postgres->broken &&
        PQtransactionStatus(rows->postgres->connection) == PQTRANS_INTRANS) {
        snprintf(sql, sizeof sql, "CLOSE %s", rows->cursor);
        postgres_exec(rows->postgres, sql, NULL);
    }
    *rows = (struct postgres_rows){ 0 };
}

/* The bytes of a value, NULL for null, for one that is not there and for what has fewer than `least`. */
static const char *value(const struct postgres_rows *rows, int column, int least, int *length)
{
    *length = 0;
    if (!rows->result || rows->row < 0 || rows->row >= rows->count || column >= PQnfields(rows->result) ||
        PQgetisnull(rows->result, rows->row, column))
        return NULL;
    *length = PQgetlength(rows->result, rows->row, column);
    return *length >= least ? PQgetvalue(rows->result, rows->row, column) : NULL;
}

bool postgres_is_null(const struct postgres_rows *rows, int column)
{
    int length;
    return !value(rows, column, 0, &length);
}

int64_t postgres_integer(const struct postgres_rows *rows, int column)
{
    int length;
    uint64_t number = 0;
    const unsigned char *bytes = (const unsigned char *)value(rows, column, 1, &length);
    if (!bytes || length > 8)
        return 0;
    if (length > 1 && bytes[0] & 0x80)
        number = UINT64_MAX;
    for (int i = 0; i < length; i++)
        number = number << 8 | bytes[i];
    return (int64_t)number;
}

double postgres_real(const struct postgres_rows *rows, int column)
{
    int length;
    const char *bytes = value(rows, column, 1, &length);
    Oid type = bytes ? PQftype(rows->result, column) : 0;
    if (type == TYPE_FLOAT8 && length == 8) {
        uint64_t bits;
        double real;
        memcpy(&bits, bytes, sizeof bits);
        bits = be64toh(bits);
        memcpy(&real, &bits, sizeof real);
        return real;
    }
    if (type == TYPE_FLOAT4 && length == 4) {
        uint32_t bits;
        float real;
        memcpy(&bits, bytes, sizeof bits);
        bits = be32toh(bits);
        memcpy(&real, &bits, sizeof real);
        return (double)real;
    }
    return (double)postgres_integer(rows, column);
}

const char *postgres_text(const struct postgres_rows *rows, int column)
{
    int length;
    const char *text = value(rows, column, 0, &length);
    /* jsonb has the number of its form before it */
    bool numbered = text && length > 0 && PQftype(rows->result, column) == TYPE_JSONB;
    return numbered ? text + 1 : text;
}

const void *postgres_bytes(const struct postgres_rows *rows, int column, ptrdiff_t *length)
{
    int bytes;
    const char *data = value(rows, column, 0, &bytes);
    *length = bytes;
    return data;
}

void postgres_uuid(const struct postgres_rows *rows, int column, struct uuid *uuid)
{
    int length;
    const char *bytes = value(rows, column, (int)sizeof uuid->bytes, &length);
    memset(uuid, 0, sizeof *uuid);
    if (bytes && length == (int)sizeof uuid->bytes)
        memcpy(uuid->bytes, bytes, sizeof uuid->bytes);
}
