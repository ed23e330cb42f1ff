/*
 * Rows of the log as the second log keeps them: their columns as SQLite has them, so that a row can be held
 * against what was kept of it byte by byte. The number of a row (seq) is no column: it is the store's own.
 * And what is no row of the log, as it was after a change, whose number is its first column.
 */
#ifndef QUIZTUTOR_STORE_SQLITE_RECORD_H
#define QUIZTUTOR_STORE_SQLITE_RECORD_H

#include <quiztutor/buffer.h>
#include <quiztutor/hash.h>
#include <sqlite3.h>

enum record_kind { /* their numbers are in files */
                   RECORD_LOG,
                   RECORD_LEARNER,
                   RECORD_TEXT,
                   RECORD_SESSION,
                   RECORD_ATTEMPT,
                   RECORD_EVENT,
                   RECORD_ROWS, /* those above are rows of a table each */
                   RECORD_PERSON = RECORD_ROWS,
                   RECORD_SHEET,
                   RECORD_SOURCE,     /* the pack of a sheet */
                   RECORD_PARAMETERS, /* null: there are none any more */
                   RECORD_ERASING,    /* the mark of who is erased */
                   RECORD_KINDS
};
enum { RECORD_COLUMNS = 32 };

struct record_row {
    const char *table, *key; /* its first column; NULL: none of the store's own */
    const char *columns;     /* in the order that they are kept in; new ones come last */
    int count;
    int learner, session, content, event_kind; /* columns of such ids, −1: none */
};
extern const struct record_row record_rows[RECORD_KINDS];

struct record_value {
    int type; /* SQLITE_INTEGER, … */
    sqlite3_int64 integer;
    double real;
    const char *data;
    int length;
};
struct record {
    enum record_kind kind;
    int count;
    struct record_value values[RECORD_COLUMNS];
    const char *bytes; /* all of it */
    ptrdiff_t length;
};

/* Adds the row that the statement stands on, from its column `first` on. */
void record_add(struct buffer *buffer, enum record_kind kind, sqlite3_stmt *statement, int first);
/* RECORD_LOG: whose log it is. */
void record_add_log(struct buffer *buffer, const struct uuid *store_id, int64_t changes, int64_t version);
void record_add_erasing(struct buffer *buffer, const struct uuid *mark);

/* The record at *at, which is moved behind it; false where there is none. Points into the data. */
bool record_next(const char *data, ptrdiff_t length, ptrdiff_t *at, struct record *record);

/* Binds columns to ?1, ?2, …; what is not kept (a column newer than the file) is null. */
void record_bind(sqlite3_stmt *statement, const struct record *record, int columns);
/* The id in a column; zero where there is none. */
void record_uuid(const struct record *record, int column, struct uuid *uuid);

#endif
