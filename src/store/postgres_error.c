/* What PostgreSQL or libpq had to say, told in plain words and sorted by whether it is worth another try. */
#include "postgres_connection.h"

#include "store_file.h"

#include <quiztutor/message.h>
#include <string.h>

/* By the beginning of the SQLSTATE, the first that fits. */
static const struct {
    const char *state;
    enum error_code code;
    const char *words; /* of the address; a second %s: what the server said */
} reasons[] = {
    { "QT", ERROR_INPUT, N_("the central store %s refuses that: %s") },
    { "28P01", ERROR_INPUT,
      N_("the central store %s refuses the password; passwords are kept in ~/.pgpass or a service file") },
    { "28", ERROR_INPUT, N_("the central store %s does not let this role in: %s") },
    { "3D000", ERROR_INPUT, N_("the central store %s is not there: %s") },
    { "3F000", ERROR_INPUT,
      N_("there is no central store of quiztutor at %s, or one of another release: %s") },
    { "42P01", ERROR_INPUT,
      N_("there is no central store of quiztutor at %s, or one of another release: %s") },
    { "42883", ERROR_INPUT,
      N_("there is no central store of quiztutor at %s, or one of another release: %s") },
    { "42703", ERROR_INPUT,
      N_("there is no central store of quiztutor at %s, or one of another release: %s") },
    { "42501", ERROR_INPUT, N_("the central store %s does not allow that to this role: %s") },
    { "08", ERROR_BUSY, N_("the connection to the central store %s broke off") },
    { "57014", ERROR_BUSY, N_("the central store %s took too long, and was asked to stop: %s") },
    { "57", ERROR_BUSY, N_("the central store %s is starting or being stopped") },
    { "53100", ERROR_BUSY, N_("the disk of the central store %s is full") },
    { "53300", ERROR_BUSY, N_("the central store %s takes no more connections at present") },
    { "53", ERROR_BUSY, N_("the central store %s is short of memory or room: %s") },
    { "40", ERROR_BUSY, N_("the central store %s was changed by another at the same moment: %s") },
    { "55", ERROR_BUSY, N_("the central store %s is held by another: %s") },
    { "25006", ERROR_BUSY, N_("the central store %s can only be read at present") },
    { "25P", ERROR_BUSY, N_("the central store %s gave up waiting for this machine: %s") },
    { "58", ERROR_BUSY, N_("the central store %s could not use its disk: %s") },
    { "XX", ERROR_DAMAGED, N_("something is wrong with the central store %s: %s") },
    { "", ERROR_IO, N_("the central store %s did not take a step: %s") },
};

/* What comes from elsewhere: one line, nothing that can drive a terminal. */
static char *clean(const char *text)
{
    char line[400];
    size_t length = strcspn(text, "\r\n");
    length = length < sizeof line ? length : sizeof line - 1;
    memcpy(line, text, length);
    line[length] = '\0';
    return store_file_shown(line);
}

static bool tell(struct postgres *postgres, const char *state, const char *said, struct error *error)
{
    size_t i = 0;
    while (strncmp(reasons[i].state, state, strlen(reasons[i].state)) != 0)
        i++;
    char *shown = clean(said);
    if (!shown)
        return error_memory(error);
/* the words are of the table above, each with one or two texts */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    error_set(error, reasons[i].code, tr(reasons[i].words), postgres->shown, shown);
#pragma GCC diagnostic pop
    memory_free(shown);
    return false;
}

/* The SQLSTATE in a message of verbosity PQERRORS_VERBOSE ("FATAL:  28P01: password …"), which is all that
 * libpq tells of why there is no connection; *said: what comes after it. "" : it is not the server's. */
static void state_of(const char *message, char state[static 6], const char **said)
{
    state[0] = '\0';
    *said = message;
    for (const char *at = strstr(message, ":  "); at; at = strstr(at + 1, ":  ")) {
        const char *code = at + 3;
        if (strspn(code, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") != 5 || code[5] != ':' || code[6] != ' ')
            continue;
        memcpy(state, code, 5);
        state[5] = '\0';
        *said = code + 7;
    }
}

static bool is_memory(const char *message)
{
    return strstr(message, "out of memory") || strstr(message, dgettext("libpq5-15", "out of memory"));
}

bool postgres_error_address(struct postgres *postgres, const char *why, struct error *error)
{
    char *shown = is_memory(why) ? NULL : clean(why);
    if (!shown)
        return error_memory(error);
    error_set(error, ERROR_INPUT, tr("the address of the central store %s can't be read: %s"),
              postgres->shown, shown);
    memory_free(shown);
    return false;
}

bool postgres_error_opening(struct postgres *postgres, bool late, struct error *error)
{
    char state[6];
    const char *message = PQerrorMessage(postgres->connection), *said;
    postgres->broken = true;
    if (late)
        return error_set(error, ERROR_BUSY, tr("the central store %s does not answer"), postgres->shown);
    if (PQconnectionNeedsPassword(postgres->connection))
        return error_set(
            error, ERROR_INPUT,
            tr("the central store %s wants a password, and there is none for it in ~/.pgpass or a "
               "service file"),
            postgres->shown);
    state_of(message, state, &said);
    if (state[0])
        return tell(postgres, state, said, error);
    if (is_memory(message))
        return error_memory(error);
    char *shown = clean(message);
    if (!shown)
        return error_memory(error);
    error_set(error, ERROR_BUSY, tr("the central store %s can't be reached: %s"), postgres->shown, shown);
    memory_free(shown);
    return false;
}

bool postgres_error_result(struct postgres *postgres, const PGresult *result, struct error *error)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *said = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    postgres->broken = postgres->broken || PQstatus(postgres->connection) == CONNECTION_BAD;
    if (!state)
        return postgres_error_client(postgres, error);
    memcpy(postgres->state, state, strnlen(state, 5));
    postgres->state[strnlen(state, 5)] = '\0';
    return tell(postgres, state, said ? said : "", error);
}

/* What libpq says without the server. */
bool postgres_error_client(struct postgres *postgres, struct error *error)
{
    const char *message = PQerrorMessage(postgres->connection);
    bool memory = PQstatus(postgres->connection) == CONNECTION_OK && is_memory(message);
    postgres->broken = true; /* whatever it was: nobody knows what the server waits for now */
    postgres->state[0] = '\0';
    return memory ? error_memory(error) : tell(postgres, "08", message, error);
}

bool postgres_error_silent(struct postgres *postgres, struct error *error)
{
    postgres->broken = true;
    postgres->state[0] = '\0';
    return error_set(error, ERROR_BUSY,
                     tr("the central store %s has not answered for %lld s and was given up"), postgres->shown,
                     (long long)(postgres->patience_ms / 1000));
}
