/* Looks through the whole store for damage. */
#include "sqlite_store.h"

#include <quiztutor/message.h>
#include <stdio.h>
#include <string.h>

/* What SQLite says first of what it found: the first line, without the one that names the database. */
static void first_fault(char *words, int room, const char *found)
{
    static const char heading[] = "*** in database main ***\n";
    if (strncmp(found, heading, sizeof heading - 1) == 0)
        found += sizeof heading - 1;
    int length = (int)strcspn(found, "\n");
    snprintf(words, (size_t)room, "%.*s", length, found);
}

/* Runs a check whose first column says what is wrong, in as many rows as there are faults; `good` is no
 * fault. */
static bool check_rows(struct sqlite_store *store, const char *sql, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_step(statement);
    if (result == SQLITE_ROW) {
        const char *fault = (const char *)sqlite3_column_text(statement, 0);
        char words[200];
        first_fault(words, sizeof words, fault ? fault : "?");
        error_set(error, ERROR_DAMAGED, tr("%s: the store is damaged: %s"), store->shown, words);
    } else if (result != SQLITE_DONE) {
        sqlite_error(store, result, error);
    }
    sqlite3_finalize(statement);
    return result == SQLITE_DONE;
}

bool sqlite_check(struct store *base, struct error *error)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    return check_rows(store,
                      "SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
                      error) &&
           check_rows(
               store,
               "SELECT 'a row of ' || \"table\" || ' refers to one of ' || \"parent\" || ' that is not there'"
               " FROM pragma_foreign_key_check",
               error) &&
           check_rows(
               store,
               "SELECT 'next_seq is not beyond the log' FROM meta WHERE next_seq <="
               " max(coalesce((SELECT max(seq) FROM attempt), 0), coalesce((SELECT max(seq) FROM event), 0),"
               " coalesce((SELECT max(seq) FROM session), 0))",
               error);
}
