/* COPY … FROM STDIN: what libpq can't send at once it keeps, so that is waited for before more is given. */
#include "postgres_connection.h"

#include <quiztutor/message.h>

bool postgres_copy_begin(struct postgres *postgres, const char *sql, struct error *error)
{
    bool done;
    if (!PQsendQuery(postgres->connection, sql))
        return postgres_error_client(postgres, error);
    /* statements before it, a BEGIN, each have a result of their own */
    for (;;) {
        PGresult *result = postgres_result(postgres, &done, error);
        if (!result)
            return done && postgres_error_client(postgres, error);
        ExecStatusType status = PQresultStatus(result);
        bool good = status == PGRES_COPY_IN || status == PGRES_COMMAND_OK ||
                    postgres_error_result(postgres, result, error);
        PQclear(result);
        if (!good && !postgres->broken)
            postgres_drain(postgres, NULL);
        if (!good || status == PGRES_COPY_IN)
            return good;
    }
}

bool postgres_copy_put(struct postgres *postgres, const void *data, ptrdiff_t length, struct error *error)
{
    if (length > INT32_MAX / 2)
        return error_set(error, ERROR_INPUT, tr("a row is too large for the central store"));
    /* all of it to the system before there is more: libpq's buffer would else grow by all that is sent */
    if (PQputCopyData(postgres->connection, data, (int)length) == 1)
        return postgres_flush(postgres, postgres_until(postgres), error);
    return postgres_error_client(postgres, error);
}

bool postgres_copy_end(struct postgres *postgres, struct error *error)
{
    if (PQputCopyEnd(postgres->connection, NULL) != 1)
        return postgres_error_client(postgres, error);
    return postgres_drain(postgres, error);
}
