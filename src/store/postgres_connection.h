/*
 * One connection to PostgreSQL, and what is said over it: statements, queries with their rows in binary, COPY
 * into a table. Nothing here waits for ever: a server that is silent for longer than a statement may take
 * and its network may lose is given up. Only files named postgres_… see libpq.
 *
 * Errors are told in plain words with the address as central_address_say has it. ERROR_BUSY: worth another
 * try later (not reachable, cut off, timed out, stopping, full); ERROR_INPUT: refused, or no central store
 * there; ERROR_MEMORY; ERROR_IO: what the server said to a statement otherwise.
 */
#ifndef QUIZTUTOR_STORE_POSTGRES_CONNECTION_H
#define QUIZTUTOR_STORE_POSTGRES_CONNECTION_H

#include <quiztutor/buffer.h>
#include <quiztutor/error.h>
#include <quiztutor/hash.h>

#include <libpq-fe.h>

/* Belongs to one thread. What is in it is for postgres_*.c that are about the connection itself. */
struct postgres {
    PGconn *connection;
    char *shown;         /* its address, for messages */
    int64_t patience_ms; /* silence after which the server is given up; 0: none */
    bool broken;         /* of no more use: it broke off, or was given up */
    char state[6];       /* SQLSTATE of the newest statement that was refused, or "" */
    unsigned cursors;    /* opened so far: their names */
};

struct postgres_options {
    int statement_s; /* how long one statement may take; 0: as long as it likes. The address, the role or the
                      * server may say otherwise (statement_timeout) */
    bool read_only;  /* transactions don't write unless they say so */
};

/* search_path is `quiztutor`, texts are UTF-8, notices are not shown. The address may say connect_timeout
 * (s; 10), tcp_user_timeout (ms; 60,000) and the like. */
bool postgres_open(struct postgres **postgres, const char *address, const struct postgres_options *options,
                   struct error *error);
void postgres_close(struct postgres *postgres); /* NULL is fine; what was not committed is gone */

/* Values for $1, $2, … Their bytes are the caller's until the query was made, those of numbers and ids are
 * kept here. */
enum { POSTGRES_VALUES = 48 };
struct postgres_values {
    int count;
    Oid types[POSTGRES_VALUES];
    const char *data[POSTGRES_VALUES]; /* NULL: null */
    int lengths[POSTGRES_VALUES], formats[POSTGRES_VALUES];
    char room[POSTGRES_VALUES][16];
};
void postgres_put_integer(struct postgres_values *values, int64_t value); /* bigint */
void postgres_put_real(struct postgres_values *values, double value);     /* double precision */
void postgres_put_flag(struct postgres_values *values, bool value);
void postgres_put_text(struct postgres_values *values, const char *text);                    /* NULL: null */
void postgres_put_uuid(struct postgres_values *values, const struct uuid *uuid);             /* zero: null */
void postgres_put_bytes(struct postgres_values *values, const void *data, ptrdiff_t length); /* bytea */
void postgres_put_null(struct postgres_values *values); /* of a type that the statement tells */

/* One or more statements without values, whose rows nobody wants. */
bool postgres_exec(struct postgres *postgres, const char *sql, struct error *error);
/* One statement with values, likewise; *rows (may be NULL): how many it was about. */
bool postgres_run(struct postgres *postgres, const char *sql, const struct postgres_values *values,
                  int64_t *rows, struct error *error);

/*
 * Rows, in binary: integers, "char", boolean, real and double precision, texts, JSON, uuid and bytea are
 * read; cast what is of another type. Zeroed before the first use. postgres_query fetches all rows at once;
 * postgres_cursor some at a time (about a megabyte), by a cursor that needs a transaction begun before, so
 * that several may be open, and other statements run, until the last row was read.
 */
struct postgres_rows {
    struct postgres *postgres;
    PGresult *result;
    int row, count;
    int chunk;       /* rows that are fetched at a time */
    char cursor[24]; /* "": all of them are here */
};
bool postgres_query(struct postgres_rows *rows, struct postgres *postgres, const char *sql,
                    const struct postgres_values *values, struct error *error);
bool postgres_cursor(struct postgres_rows *rows, struct postgres *postgres, const char *sql,
                     const struct postgres_values *values, struct error *error);
/* 1: a row; 0: the end; −1: an error. */
int postgres_step(struct postgres_rows *rows, struct error *error);
void postgres_rows_close(struct postgres_rows *rows); /* any number of times */

/* Column by place; texts and bytes live until the next step. Null reads as 0, NULL or a zero uuid. */
bool postgres_is_null(const struct postgres_rows *rows, int column);
int64_t postgres_integer(const struct postgres_rows *rows, int column);
double postgres_real(const struct postgres_rows *rows, int column);
const char *postgres_text(const struct postgres_rows *rows, int column);
const void *postgres_bytes(const struct postgres_rows *rows, int column, ptrdiff_t *length);
void postgres_uuid(const struct postgres_rows *rows, int column, struct uuid *uuid);

/* COPY … FROM STDIN (FORMAT binary): begin, any number of pieces, end. Large pieces cost fewer system
 * calls. */
bool postgres_copy_begin(struct postgres *postgres, const char *sql, struct error *error);
bool postgres_copy_put(struct postgres *postgres, const void *data, ptrdiff_t length, struct error *error);
bool postgres_copy_end(struct postgres *postgres, struct error *error);

/* For postgres_*.c that read results themselves: the next one of what was sent, NULL: there is none (*done)
 * or it can't be had. The caller clears it. */
PGresult *postgres_result(struct postgres *postgres, bool *done, struct error *error);
/* Reads what is left; the first error among it counts. */
bool postgres_drain(struct postgres *postgres, struct error *error);
/* Waits until the connection can be read (or written); false after the patience. */
bool postgres_wait(struct postgres *postgres, bool write, int64_t until, struct error *error);
int64_t postgres_until(const struct postgres *postgres);
/* Until all that libpq holds back is with the system. */
bool postgres_flush(struct postgres *postgres, int64_t until, struct error *error);

/* postgres_error.c: tells what went wrong; false. */
bool postgres_error_address(struct postgres *postgres, const char *why, struct error *error);
bool postgres_error_opening(struct postgres *postgres, bool late, struct error *error);
bool postgres_error_result(struct postgres *postgres, const PGresult *result, struct error *error);
bool postgres_error_client(struct postgres *postgres, struct error *error);
bool postgres_error_silent(struct postgres *postgres, struct error *error);

#endif
