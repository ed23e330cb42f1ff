#include "exam_log.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Members of an `answered` event, in this order. */
enum {
    MEMBER_QUESTION,
    MEMBER_RESPONSE,
    MEMBER_SHOWN,
    MEMBER_OUTCOME,
    MEMBER_MARK,
    MEMBER_MARKS,
    MEMBER_CERTAINTY,
    MEMBER_ELAPSED,
    MEMBER_SPENT,
    MEMBER_SEED,
    MEMBER_OFFSET,
    MEMBER_CONTENT,
    MEMBER_BOOT,
    MEMBER_STEADY,
    MEMBERS
};

/* Texts of a list or of a mapping's members, in the arena. */
struct members {
    struct arena *arena;
    const char *items[MEMBERS];
    int count;
    bool failed;
};

static bool take_member(void *context, const char *element)
{
    struct members *members = context;
    if (members->count == MEMBERS)
        return false;
    const char *copy = element ? arena_text(members->arena, element, (ptrdiff_t)strlen(element)) : NULL;
    members->failed |= element && !copy;
    members->items[members->count++] = copy;
    return !members->failed;
}

/* What the log holds was valid JSON when it was stored. */
static bool read_members(struct exam_log *log, struct store *store, const char *json, const char *path,
                         struct members *members, struct error *error)
{
    *members = (struct members){ .arena = &log->arena };
    if (!store_json_each(store, json, path, take_member, members, error))
        return false;
    return !members->failed || error_memory(error);
}

struct number_found {
    double value;
};

static bool take_number(void *context, const char *element)
{
    struct number_found *number = context;
    char *end;
    double value = element ? strtod(element, &end) : 0;
    if (element && end != element)
        number->value = value;
    return false;
}

double exam_log_number(struct store *store, const char *json, const char *path, double fallback)
{
    struct number_found number = { fallback };
    store_json_each(store, json, path, take_number, &number, NULL);
    return number.value;
}

static bool read_hash(struct hash *hash, const char *hex)
{
    static const char digits[] = "0123456789abcdef";
    if (!hex || strlen(hex) != 64)
        return false;
    for (int i = 0; i < 64; i++) {
        const char *digit = strchr(digits, hex[i]);
        if (!digit)
            return false;
        unsigned char *byte = &hash->bytes[i / 2];
        *byte = (unsigned char)(i % 2 ? *byte | (digit - digits) : (digit - digits) << 4);
    }
    return true;
}

static int find_question(struct exam_log *log, const char *pack, const char *question)
{
    for (int i = 1; pack && question && i <= log->count; i++) {
        int place = (log->found + i) % log->count; /* most often the one behind the last */
        if (strcmp(log->questions[place].question, question) == 0 &&
            strcmp(log->questions[place].pack, pack) == 0) {
            log->found = place;
            return place;
        }
    }
    return -1;
}

/* The place of the question that an event is about, in *place: −1 for none. */
static bool read_place(struct exam_log *log, struct store *store, const char *body, int *place,
                       struct error *error)
{
    struct members names;
    *place = -1;
    if (!body)
        return true;
    if (!read_members(log, store, body, "$.question", &names, error))
        return false;
    if (names.count == 2)
        *place = find_question(log, names.items[0], names.items[1]);
    return true;
}

/* A number as it stands in a body of ours, to the last digit: SQLite hands over 15 of them. A quote within a
 * text before it stands behind a backslash, so no such text holds the member. */
static double number_in(const char *body, const char *member)
{
    const char *last = NULL;
    for (const char *at = strstr(body, member); at; at = strstr(at + 1, member))
        last = at; /* among the values of what was shown there may be one of this name */
    return last ? strtod(last + strlen(member), NULL) : 0;
}

static int64_t integer_of(const char *text)
{
    return text ? strtoll(text, NULL, 10) : 0;
}

/* The response as it stands in a body of ours, as JSON: SQLite would hand over a text without its quotes and
 * `true` as 1. Only the question's ids, which hold no quote, stand before it. In the arena; NULL for none. */
static bool read_response(struct exam_log *log, const char *body, const char **response)
{
    static const char member[] = "\"response\":";
    const char *at = strstr(body, member), *end;
    *response = NULL;
    if (!at)
        return true;
    at += sizeof member - 1;
    if (*at == '"') {
        for (end = at + 1; *end && *end != '"'; end++)
            end += *end == '\\' && end[1];
        end += *end == '"';
    } else if (*at == '[') {
        end = at + strcspn(at, "]");
        end += *end == ']';
    } else {
        end = at + strcspn(at, ",}");
    }
    if (end - at == 4 && memcmp(at, "null", 4) == 0)
        return true;
    *response = arena_text(&log->arena, at, end - at);
    return *response != NULL;
}

/* A moment of this boot is known from it; another boot's steady time means nothing here. */
static void read_anchor(struct exam_log *log, const struct clock *clock, const char *boot, int64_t elapsed,
                        int64_t steady)
{
    struct uuid now;
    char text[37];
    if (!boot || !clock_boot(clock, &now))
        return;
    uuid_format(text, &now);
    if (strcmp(text, boot) == 0)
        exam_anchor(&log->time, elapsed, steady);
}

static bool read_answered(struct exam_log *log, struct store *store, const struct clock *clock,
                          struct rows *rows, struct error *error)
{
    const char *body = rows_text(rows, 10);
    struct members members;
    int place;
    if (!read_place(log, store, body, &place, error))
        return false;
    if (place < 0)
        return true;
    if (!read_members(log, store, body, "$", &members, error))
        return false;
    struct exam_log_question *question = &log->questions[place];
    const char *outcome = members.items[MEMBER_OUTCOME];
    if (members.count < MEMBERS || !outcome || !outcome_read(&question->outcome, outcome))
        return true;
    double marks = number_in(body, "\"marks\":");
    if (!read_response(log, body, &question->response))
        return error_memory(error);
    question->answered = true;
    question->shown = members.items[MEMBER_SHOWN];
    question->mark = number_in(body, "\"mark\":");
    question->share = marks > 0 ? question->mark / marks : 0;
    question->certainty = (int)integer_of(members.items[MEMBER_CERTAINTY]);
    question->elapsed_ms = integer_of(members.items[MEMBER_ELAPSED]);
    question->spent_ms = integer_of(members.items[MEMBER_SPENT]);
    question->seed = (uint32_t)integer_of(members.items[MEMBER_SEED]);
    question->utc_offset_s = (int)integer_of(members.items[MEMBER_OFFSET]);
    question->at = rows_integer(rows, 12);
    read_hash(&question->content, members.items[MEMBER_CONTENT]);
    log->newest = place;
    if (question->elapsed_ms > log->time.last_elapsed)
        log->time.last_elapsed = question->elapsed_ms;
    read_anchor(log, clock, members.items[MEMBER_BOOT], question->elapsed_ms,
                integer_of(members.items[MEMBER_STEADY]));
    return true;
}

static bool read_flagged(struct exam_log *log, struct store *store, const char *body, struct error *error)
{
    int place;
    if (!read_place(log, store, body, &place, error))
        return false;
    if (place >= 0)
        log->questions[place].flagged = exam_log_number(store, body, "$.on", 1) != 0;
    return true;
}

static void read_attempt(struct exam_log *log, struct rows *rows)
{
    int place = find_question(log, rows_text(rows, 2), rows_text(rows, 3));
    const char *outcome = rows_text(rows, 5);
    if (place < 0 || !outcome)
        return;
    struct exam_log_question *question = &log->questions[place];
    double marks = rows_real(rows, 7);
    question->handed_in = outcome_read(&question->outcome, outcome);
    question->mark = rows_real(rows, 6);
    question->share = marks > 0 ? question->mark / marks : 0;
    question->certainty = (int)rows_integer(rows, 11);
    rows_uuid(rows, 1, &question->attempt);
}

static bool read_row(struct exam_log *log, struct store *store, const struct clock *clock, struct rows *rows,
                     struct error *error)
{
    const char *kind = rows_text(rows, 0), *body = rows_text(rows, 10);
    int64_t at = rows_integer(rows, 12);
    log->last_seq = rows_integer(rows, 13);
    if (strcmp(kind, "answered") == 0) {
        log->last_at = at > log->last_at ? at : log->last_at;
        return read_answered(log, store, clock, rows, error);
    }
    if (strcmp(kind, "flagged") == 0)
        return read_flagged(log, store, body, error);
    if (strcmp(kind, "attempt") == 0)
        read_attempt(log, rows);
    if (strcmp(kind, "extended") == 0 && body) {
        double minutes = exam_log_number(store, body, "$.minutes", 0);
        log->allowance.extended += minutes > 0 ? minutes : 0;
    }
    if (strcmp(kind, "handed-in") == 0) {
        log->handed_in = true;
        log->used_ms = body ? (int64_t)exam_log_number(store, body, "$.elapsed", 0) : 0;
        log->by_time = body && exam_log_number(store, body, "$.time_up", 0) != 0;
    }
    return true;
}

static bool read_log(struct exam_log *log, struct store *store, const struct clock *clock,
                     const struct uuid *session, struct error *error)
{
    struct store_value id = store_value_uuid(session);
    struct rows *rows;
    if (!rows_open(&rows, store, QUERY_LOG, &id, 1, error))
        return false;
    int step;
    while ((step = rows_step(rows, error)) == 1)
        if (!read_row(log, store, clock, rows, error)) {
            step = -1;
            break;
        }
    rows_close(rows);
    return step == 0;
}

static const char *keep(struct exam_log *log, const char *text, bool *failed)
{
    const char *copy = text ? arena_text(&log->arena, text, (ptrdiff_t)strlen(text)) : NULL;
    *failed |= text && !copy;
    return copy;
}

static bool read_question(struct exam_log *log, struct rows *rows, ptrdiff_t *capacity)
{
    bool failed = false;
    if (!rows_text(rows, 0) || !rows_text(rows, 1) || !rows_text(rows, 2))
        return true;
    if (!memory_grow(&log->questions, capacity, log->count + 1, sizeof *log->questions))
        return false;
    struct exam_log_question *question = &log->questions[log->count++];
    *question = (struct exam_log_question){ .marks = rows_real(rows, 3),
                                            .section = (int)rows_integer(rows, 5),
                                            .seed = log->seed,
                                            .outcome = OUTCOME_OMITTED };
    question->pack = keep(log, rows_text(rows, 0), &failed);
    question->question = keep(log, rows_text(rows, 1), &failed);
    question->revision = keep(log, rows_text(rows, 2), &failed);
    read_hash(&question->content, rows_text(rows, 4));
    return !failed;
}

static bool read_plan(struct exam_log *log, struct store *store, const struct uuid *session,
                      struct error *error)
{
    struct store_value id = store_value_uuid(session);
    struct rows *rows;
    ptrdiff_t capacity = 0;
    if (!rows_open(&rows, store, QUERY_PLAN, &id, 1, error))
        return false;
    int step;
    while ((step = rows_step(rows, error)) == 1)
        if (!read_question(log, rows, &capacity)) {
            error_memory(error);
            step = -1;
            break;
        }
    rows_close(rows);
    return step == 0;
}

static bool take_boot(void *context, const char *element)
{
    if (element)
        snprintf(context, 37, "%s", element);
    return false;
}

static bool read_session(struct exam_log *log, struct store *store, const struct clock *clock,
                         const struct uuid *session, struct error *error)
{
    struct store_value id = store_value_uuid(session);
    struct rows *rows;
    char boot[37] = "";
    bool failed = false;
    if (!rows_open(&rows, store, QUERY_SESSION, &id, 1, error))
        return false;
    int step = rows_step(rows, error);
    if (step == 1) {
        log->seed = (uint32_t)rows_integer(rows, 0);
        log->options = keep(log, rows_text(rows, 1), &failed);
        log->started_at = log->last_at = rows_integer(rows, 2);
        log->utc_offset_s = (int)rows_integer(rows, 3);
        log->origin = keep(log, rows_text(rows, 4), &failed);
    }
    rows_close(rows);
    if (step != 1 || failed || !log->options || !log->origin)
        return failed      ? error_memory(error)
               : step >= 0 ? error_set(error, ERROR_NOT_FOUND, "%s", tr("the exam is not in the store"))
                           : false;
    log->allowance.minutes = exam_log_number(store, log->options, "$.minutes", 0);
    log->allowance.factor = exam_log_number(store, log->options, "$.factor", 1);
    log->certainty = exam_log_number(store, log->options, "$.certainty", 0) != 0;
    log->pass = exam_log_number(store, log->options, "$.pass", 0);
    log->time.started_wall = log->started_at;
    store_json_each(store, log->options, "$.boot", take_boot, boot, NULL);
    read_anchor(log, clock, *boot ? boot : NULL, 0,
                (int64_t)exam_log_number(store, log->options, "$.steady", 0));
    return true;
}

bool exam_log_read(struct exam_log *log, struct store *store, const struct clock *clock,
                   const struct uuid *session, struct error *error)
{
    *log = (struct exam_log){ .newest = -1, .found = -1 };
    arena_init(&log->arena);
    if (!read_session(log, store, clock, session, error) || !read_plan(log, store, session, error) ||
        !read_log(log, store, clock, session, error))
        return false;
    log->time.limit_ms = exam_limit(log->allowance.minutes, log->allowance.factor, log->allowance.extended);
    return true;
}

void exam_log_finish(struct exam_log *log)
{
    memory_free(log->questions);
    arena_finish(&log->arena);
    memset(log, 0, sizeof *log);
}
