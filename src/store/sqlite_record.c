#include "sqlite_record.h"

#include <string.h>

const struct record_row record_rows[RECORD_KINDS] = {
    [RECORD_LOG] = { .count = 3, .learner = -1, .session = -1, .content = -1, .event_kind = -1 },
    [RECORD_LEARNER] = { "learner", "learner_id",
                         "learner_id, name, name_key, login, external_id, created_at, time_factor, plain", 8,
                         0, -1, -1, -1 },
    [RECORD_TEXT] = { "question_text", "content", "content, pack_id, question_id, revision, body", 5, -1, -1,
                      0, -1 },
    [RECORD_SESSION] = { "session", "session_id",
                         "session_id, learner_id, device_id, kind, origin, seed, options, plan, started_at,"
                         " utc_offset_s",
                         10, 1, 0, -1, -1 },
    [RECORD_ATTEMPT] = { "attempt", "attempt_id",
                         "attempt_id, session_id, learner_id, device_id, boot_id, pack_id, question_id, "
                         "revision,"
                         " content, seed, showing, shown, response, outcome, mark, marks, certainty, hints,"
                         " elapsed_ms, answered_at, utc_offset_s, origin, retried",
                         23, 2, 1, 8, -1 },
    [RECORD_EVENT] = { "event", "event_id",
                       "event_id, kind, session_id, attempt_id, learner_id, device_id, body, at, "
                       "utc_offset_s",
                       9, 4, 2, -1, 1 },
    [RECORD_PERSON] = { NULL, NULL,
                        "change, learner_id, name, name_key, login, external_id, created_at, time_factor,"
                        " plain, merged_into, (SELECT json_group_array(json_array(group_key, group_name))"
                        " FROM member WHERE member.learner_id = learner.learner_id),"
                        " (SELECT kept FROM pin WHERE pin.learner_id = learner.learner_id)",
                        12, -1, -1, -1, -1 },
    [RECORD_SHEET] = { NULL, NULL,
                       "change, sheet.id, body, content, learner_id, size, boxes, large, no_key, key_only, "
                       "tag,"
                       " printed_at",
                       12, -1, -1, 3, -1 },
    [RECORD_SOURCE] = { NULL, NULL, "content, name, pack", 3, -1, -1, 0, -1 },
    [RECORD_PARAMETERS] = { NULL, NULL, "change, id, weights, report, made_at", 5, -1, -1, -1, -1 },
    [RECORD_ERASING] = { NULL, NULL, NULL, 1, -1, -1, -1, -1 },
};

static void add_number(struct buffer *buffer, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        buffer_char(buffer, (char)(unsigned char)(value >> 8 * i));
}

static void add_value(struct buffer *buffer, const struct record_value *value)
{
    uint64_t bits = (uint64_t)value->integer;
    buffer_char(buffer, (char)value->type);
    switch (value->type) {
    case SQLITE_FLOAT:
        memcpy(&bits, &value->real, sizeof bits);
        __attribute__((fallthrough));
    case SQLITE_INTEGER:
        add_number(buffer, bits, 8);
        break;
    case SQLITE_TEXT:
    case SQLITE_BLOB:
        add_number(buffer, (uint64_t)value->length, 4);
        buffer_add(buffer, value->data, value->length);
        break;
    default:
        break;
    }
}

static void add_head(struct buffer *buffer, enum record_kind kind)
{
    buffer_char(buffer, (char)kind);
    buffer_char(buffer, (char)record_rows[kind].count);
}

void record_add(struct buffer *buffer, enum record_kind kind, sqlite3_stmt *statement, int first)
{
    add_head(buffer, kind);
    for (int i = first; i < first + record_rows[kind].count; i++) {
        struct record_value value = { .type = sqlite3_column_type(statement, i) };
        if (value.type == SQLITE_INTEGER)
            value.integer = sqlite3_column_int64(statement, i);
        else if (value.type == SQLITE_FLOAT)
            value.real = sqlite3_column_double(statement, i);
        else if (value.type != SQLITE_NULL) {
            value.data = sqlite3_column_blob(statement, i);
            value.length = sqlite3_column_bytes(statement, i);
            buffer->failed = buffer->failed || (!value.data && value.length);
        }
        if (!buffer->failed)
            add_value(buffer, &value);
    }
}

static struct record_value value_of(const struct uuid *id)
{
    return (struct record_value){ .type = SQLITE_BLOB,
                                  .data = (const char *)id->bytes,
                                  .length = sizeof id->bytes };
}

void record_add_erasing(struct buffer *buffer, const struct uuid *mark)
{
    struct record_value id = value_of(mark);
    add_head(buffer, RECORD_ERASING);
    add_value(buffer, &id);
}

void record_add_log(struct buffer *buffer, const struct uuid *store_id, int64_t changes, int64_t version)
{
    struct record_value id = value_of(store_id);
    struct record_value change = { .type = SQLITE_INTEGER, .integer = changes };
    struct record_value number = { .type = SQLITE_INTEGER, .integer = version };
    add_head(buffer, RECORD_LOG);
    add_value(buffer, &id);
    add_value(buffer, &change);
    add_value(buffer, &number);
}

static bool read_number(const char *data, ptrdiff_t length, ptrdiff_t *at, uint64_t *value, int bytes)
{
    if (length - *at < bytes)
        return false;
    *value = 0;
    for (int i = 0; i < bytes; i++)
        *value |= (uint64_t)(unsigned char)data[*at + i] << 8 * i;
    *at += bytes;
    return true;
}

static bool read_value(const char *data, ptrdiff_t length, ptrdiff_t *at, struct record_value *value)
{
    uint64_t number = 0;
    if (*at >= length)
        return false;
    *value = (struct record_value){ .type = data[(*at)++] };
    switch (value->type) {
    case SQLITE_INTEGER:
    case SQLITE_FLOAT:
        if (!read_number(data, length, at, &number, 8))
            return false;
        value->integer = (sqlite3_int64)number;
        memcpy(&value->real, &number, sizeof number);
        return true;
    case SQLITE_TEXT:
    case SQLITE_BLOB:
        if (!read_number(data, length, at, &number, 4) || number > (uint64_t)(length - *at))
            return false;
        value->data = data + *at;
        value->length = (int)number;
        *at += (ptrdiff_t)number;
        return true;
    default:
        return value->type == SQLITE_NULL;
    }
}

bool record_next(const char *data, ptrdiff_t length, ptrdiff_t *at, struct record *record)
{
    memset(record, 0, sizeof *record);
    if (length - *at < 2)
        return false;
    ptrdiff_t begin = *at;
    int kind = (unsigned char)data[(*at)++], count = (unsigned char)data[(*at)++];
    if (kind >= RECORD_KINDS || count > RECORD_COLUMNS)
        return false;
    record->kind = (enum record_kind)kind;
    record->count = count;
    for (int i = 0; i < count; i++) {
        if (!read_value(data, length, at, &record->values[i]))
            return false;
    }
    for (int i = count; i < RECORD_COLUMNS; i++)
        record->values[i].type = SQLITE_NULL;
    record->bytes = data + begin;
    record->length = *at - begin;
    return true;
}

void record_bind(sqlite3_stmt *statement, const struct record *record, int columns)
{
    for (int i = 0; i < columns; i++) {
        const struct record_value *value = &record->values[i];
        if (value->type == SQLITE_INTEGER)
            sqlite3_bind_int64(statement, i + 1, value->integer);
        else if (value->type == SQLITE_FLOAT)
            sqlite3_bind_double(statement, i + 1, value->real);
        else if (value->type == SQLITE_TEXT)
            sqlite3_bind_text(statement, i + 1, value->data, value->length, SQLITE_STATIC);
        else if (value->type == SQLITE_BLOB)
            sqlite3_bind_blob(statement, i + 1, value->data, value->length, SQLITE_STATIC);
        else
            sqlite3_bind_null(statement, i + 1);
    }
}

void record_uuid(const struct record *record, int column, struct uuid *uuid)
{
    memset(uuid, 0, sizeof *uuid);
    if (column < 0 || column >= record->count)
        return;
    const struct record_value *value = &record->values[column];
    if (value->type == SQLITE_BLOB && value->length == sizeof uuid->bytes)
        memcpy(uuid->bytes, value->data, sizeof uuid->bytes);
}
