/* Opening a connection to PostgreSQL, and statements over it. libpq is only used in ways that don't wait: all
 * waiting is done here, with an end. */
#include "postgres_connection.h"

#include <errno.h>
#include <poll.h>
#include <quiztutor/central.h>
#include <quiztutor/memory.h>
#include <quiztutor/message.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    CONNECT_S = 10,        /* for each host, unless something says otherwise */
    HOSTS_MOST = 10,       /* of an address, that are waited for */
    SILENCE_MS = 60000,    /* of a network, likewise */
    SERVER_LEAST = 140000, /* PQserverVersion: settings below */
    STATEMENT_MOST_MS = 86400000,
    ASKED_EVERY_MS = 500, /* whether this is to end */
};

static int64_t now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int64_t postgres_until(const struct postgres *postgres)
{
    return postgres->patience_ms ? now_ms() + postgres->patience_ms : INT64_MAX;
}

enum awaited { AWAITED_READY, AWAITED_LATE, AWAITED_STOP, AWAITED_FAILED };

static enum awaited await(const struct postgres *postgres, short events, int64_t until)
{
    for (;;) {
        int64_t left = until == INT64_MAX ? ASKED_EVERY_MS : until - now_ms();
        struct pollfd descriptor = { .fd = PQsocket(postgres->connection), .events = events };
        if (left <= 0)
            return AWAITED_LATE;
        if (central_stop_asked())
            return AWAITED_STOP;
        int ready = poll(&descriptor, 1, left > ASKED_EVERY_MS ? ASKED_EVERY_MS : (int)left);
        if (ready > 0)
            return AWAITED_READY;
        if (ready < 0 && errno != EINTR)
            return AWAITED_FAILED;
    }
}

static bool interrupted(struct postgres *postgres, struct error *error)
{
    postgres->broken = true;
    return error_set(error, ERROR_INTERRUPTED, tr("stopped while waiting for the central store %s"),
                     postgres->shown);
}

bool postgres_wait(struct postgres *postgres, bool write, int64_t until, struct error *error)
{
    switch (await(postgres, write ? POLLIN | POLLOUT : POLLIN, until)) {
    case AWAITED_READY:
        return true;
    case AWAITED_LATE:
        return postgres_error_silent(postgres, error);
    case AWAITED_STOP:
        return interrupted(postgres, error);
    case AWAITED_FAILED:
        break;
    }
    return postgres_error_client(postgres, error);
}

/* What a parameter of the connection is, whoever said it: a number, or 0. */
static int64_t effective(const PQconninfoOption *options, const char *keyword)
{
    for (const PQconninfoOption *option = options; option && option->keyword; option++)
        if (strcmp(option->keyword, keyword) == 0 && option->val)
            return strtoll(option->val, NULL, 10);
    return 0;
}

static int count_hosts(const PQconninfoOption *options)
{
    int count = 1;
    for (const PQconninfoOption *option = options; option && option->keyword; option++)
        if (strcmp(option->keyword, "host") == 0 || strcmp(option->keyword, "hostaddr") == 0)
            for (const char *at = option->val; at && *at && count < HOSTS_MOST; at++)
                count += *at == ',';
    return count;
}

static bool start(struct postgres *postgres, const char *address)
{
    /* the address may say otherwise about what stands before it; what stands after it can't be chosen */
    static const char *const keywords[] = { "keepalives_idle",           "keepalives_interval",
                                            "keepalives_count",          "tcp_user_timeout",
                                            "fallback_application_name", "dbname",
                                            "client_encoding",           NULL };
    const char *values[] = { "30", "10", "3", "60000", "quiztutor", address, "UTF8", NULL };
    postgres->connection = PQconnectStartParams(keywords, values, 1);
    return postgres->connection != NULL;
}

static void ignore_notice(void *context, const PGresult *result)
{
    (void)context, (void)result;
}

/* How long connecting may take and how long the network may be silent: whoever said it, an address, a service
 * file or the environment. */
static bool read_times(struct postgres *postgres, int64_t *connect_ms)
{
    PQconninfoOption *options = PQconninfo(postgres->connection);
    int64_t connect_s = effective(options, "connect_timeout");
    int64_t silence = effective(options, "tcp_user_timeout");
    *connect_ms = (connect_s > 0 && connect_s < 3600 ? connect_s : CONNECT_S) * 1000 * count_hosts(options);
    postgres->patience_ms = silence > 0 && silence < STATEMENT_MOST_MS ? silence : SILENCE_MS;
    PQconninfoFree(options);
    return options != NULL;
}

/* What libpq can't read is known before anything is tried. */
static bool parse(struct postgres *postgres, const char *address, struct error *error)
{
    char *why = NULL;
    PQconninfoOption *options = PQconninfoParse(address, &why);
    bool done = options || (why ? postgres_error_address(postgres, why, error) : error_memory(error));
    PQfreemem(why);
    PQconninfoFree(options);
    return done;
}

static bool connect_to(struct postgres *postgres, const char *address, struct error *error)
{
    int64_t connect_ms;
    if (!parse(postgres, address, error))
        return false;
    if (!start(postgres, address))
        return error_memory(error);
    PQsetNoticeReceiver(postgres->connection, ignore_notice, NULL);
    /* so that the server's reason can be told from its words, which are in any language */
    PQsetErrorVerbosity(postgres->connection, PQERRORS_VERBOSE);
    if (PQstatus(postgres->connection) == CONNECTION_BAD)
        return postgres_error_opening(postgres, false, error);
    if (!read_times(postgres, &connect_ms))
        return error_memory(error);
    int64_t until = now_ms() + connect_ms;
    for (PostgresPollingStatusType next = PGRES_POLLING_WRITING; next != PGRES_POLLING_OK;) {
        if (next != PGRES_POLLING_READING && next != PGRES_POLLING_WRITING)
            return postgres_error_opening(postgres, false, error);
        enum awaited awaited = await(postgres, next == PGRES_POLLING_READING ? POLLIN : POLLOUT, until);
        if (awaited == AWAITED_STOP)
            return interrupted(postgres, error);
        if (awaited != AWAITED_READY)
            return postgres_error_opening(postgres, awaited == AWAITED_LATE, error);
        next = PQconnectPoll(postgres->connection);
    }
    return PQsetnonblocking(postgres->connection, 1) == 0 || postgres_error_client(postgres, error);
}

/* "2min", as the server says it, in ms; 0: none. */
static int64_t read_time(const char *text)
{
    static const struct {
        const char *name;
        int64_t ms;
    } units[] = { { "ms", 1 }, { "s", 1000 }, { "min", 60000 }, { "h", 3600000 }, { "d", 86400000 } };
    char *end;
    int64_t count = text ? strtoll(text, &end, 10) : 0;
    for (size_t i = 0; count > 0 && i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].name) == 0)
            return count < STATEMENT_MOST_MS ? count * units[i].ms : STATEMENT_MOST_MS;
    return count > 0 ? count : 0;
}

/*
 * What holds for this session. The server, too, is to notice soon when this end is gone, so that what was
 * locked is free again. statement_timeout and the like stay as the address, the role or the server has them.
 */
#define UNLESS_SET(name, value)                                                                              \
    "CASE current_setting('" name "') WHEN '0' THEN set_config('" name "', " value                           \
    ", false) ELSE current_setting('" name "') END"

static bool settle(struct postgres *postgres, const struct postgres_options *options, struct error *error)
{
    static const char sql[] = "SELECT " UNLESS_SET("statement_timeout", "$1::text") ", " UNLESS_SET(
        "idle_in_transaction_session_timeout",
        "'300000'") ", set_config('search_path', 'quiztutor, pg_temp', false),"
                    " set_config('tcp_keepalives_idle', '30', false),"
                    " set_config('tcp_keepalives_interval', '10', false),"
                    " set_config('tcp_keepalives_count', '3', false),"
                    " set_config('tcp_user_timeout', '60000', false),"
                    " set_config('client_connection_check_interval', '5000', false),"
                    " set_config('cursor_tuple_fraction', '1', false),"
                    " CASE WHEN $2 THEN set_config('default_transaction_read_only', 'on', false) END";
    struct postgres_values values = { 0 };
    struct postgres_rows rows = { 0 };
    if (PQserverVersion(postgres->connection) < SERVER_LEAST)
        return error_set(error, ERROR_INPUT, tr("the central store %s is an older PostgreSQL than 14"),
                         postgres->shown);
    postgres_put_integer(&values, (int64_t)options->statement_s * 1000);
    postgres_put_flag(&values, options->read_only);
    bool done = postgres_query(&rows, postgres, sql, &values, error) && postgres_step(&rows, error) > 0;
    if (done) {
        int64_t statement = read_time(postgres_text(&rows, 0));
        postgres->patience_ms = statement > 0 ? statement + postgres->patience_ms : 0;
    }
    postgres_rows_close(&rows);
    return done;
}

static char *shown_address(const char *address)
{
    struct buffer text;
    buffer_init(&text);
    central_address_say(&text, address);
    char *shown = text.failed ? NULL : memory_text(buffer_get(&text));
    buffer_finish(&text);
    return shown;
}

bool postgres_open(struct postgres **out, const char *address, const struct postgres_options *options,
                   struct error *error)
{
    *out = NULL;
    if (!central_address_check(address, error))
        return false;
    struct postgres *postgres = memory_zero(sizeof *postgres);
    if (!postgres)
        return error_memory(error);
    postgres->shown = shown_address(address);
    if (!(postgres->shown || error_memory(error)) || !connect_to(postgres, address, error) ||
        !settle(postgres, options, error)) {
        postgres_close(postgres);
        return false;
    }
    *out = postgres;
    return true;
}

void postgres_close(struct postgres *postgres)
{
    if (!postgres)
        return;
    PQfinish(postgres->connection);
    memory_free(postgres->shown);
    memory_free(postgres);
}

bool postgres_flush(struct postgres *postgres, int64_t until, struct error *error)
{
    for (;;) {
        int left = PQflush(postgres->connection);
        if (left <= 0)
            return left == 0 || postgres_error_client(postgres, error);
        if (!postgres_wait(postgres, true, until, error))
            return false;
        /* a server that says something before it reads on would else wait for us */
        if (!PQconsumeInput(postgres->connection))
            return postgres_error_client(postgres, error);
    }
}

PGresult *postgres_result(struct postgres *postgres, bool *done, struct error *error)
{
    int64_t until = postgres_until(postgres);
    *done = false;
    if (!postgres_flush(postgres, until, error))
        return NULL;
    while (PQisBusy(postgres->connection)) {
        /* libpq that found no memory for what it has received tries it again when it is asked, and only then
         */
        int64_t soon = now_ms() + ASKED_EVERY_MS;
        if (soon < until && await(postgres, POLLIN, soon) == AWAITED_LATE)
            continue;
        if (!postgres_wait(postgres, false, until, error))
            return NULL;
        /* a connection that broke off still has a last word, which PQgetResult tells */
        if (!PQconsumeInput(postgres->connection))
            break;
    }
    PGresult *result = PQgetResult(postgres->connection);
    *done = !result;
    return result;
}

bool postgres_drain(struct postgres *postgres, struct error *error)
{
    for (bool good = true;;) {
        bool done;
        PGresult *result = postgres_result(postgres, &done, good ? error : NULL);
        if (!result)
            return done && good;
        ExecStatusType status = PQresultStatus(result);
        if (good && status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_EMPTY_QUERY)
            good = postgres_error_result(postgres, result, error);
        PQclear(result);
        if (postgres->broken)
            return false;
    }
}

bool postgres_exec(struct postgres *postgres, const char *sql, struct error *error)
{
    if (!PQsendQuery(postgres->connection, sql))
        return postgres_error_client(postgres, error);
    return postgres_drain(postgres, error);
}

bool postgres_run(struct postgres *postgres, const char *sql, const struct postgres_values *values,
                  int64_t *rows, struct error *error)
{
    struct postgres_rows result = { 0 };
    if (!postgres_query(&result, postgres, sql, values, error))
        return false;
    if (rows)
        *rows = strtoll(PQcmdTuples(result.result), NULL, 10);
    postgres_rows_close(&result);
    return true;
}
