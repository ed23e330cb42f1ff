/*
 * The file STORE-sync (pulled.h): an SQLite database that is never written in place. Each of its rows bears a
 * digest of what it says, so that a row that was damaged on the disk is told from one that a sync wrote.
 */
#ifndef QUIZTUTOR_STORE_SQLITE_PULLED_H
#define QUIZTUTOR_STORE_SQLITE_PULLED_H

#include "store_private.h"

#include <quiztutor/central.h>
#include <quiztutor/pulled.h>

#include <sqlite3.h>

#define PULLED_ENDING "-sync"

enum {
    PULLED_APPLICATION = 0x51547379, /* "QTsy" */
    PULLED_VERSION = 1,
    PULLED_LARGEST = 512 << 20, /* bytes; a million learners need half of it */
};
enum { PULLED_KINDS = CENTRAL_ERASED + 1 };

/* The file's path for a store's, links followed. NULL without memory. memory_free. */
char *pulled_path(const char *store_path, const char *ending);

/* The two tables, as a file of this version has them. */
extern const char pulled_schema[];

/* What a file's first bytes say it is. */
enum pulled_header { PULLED_OURS, PULLED_NEWER, PULLED_FOREIGN };
enum pulled_header pulled_header_judge(const unsigned char *bytes, ptrdiff_t length);
enum { PULLED_HEADER = 100 };

/* A connection to the bytes of a file, or to nothing (:memory:): settings that what is in it can't turn
 * against us. A result of SQLite. */
int pulled_configure(sqlite3 *db);

/* A row's mark, count of items and digest; SQLITE_CORRUPT where they don't agree. */
int pulled_read_mark(sqlite3 *db, struct pulled_mark *mark, int64_t *items);
void pulled_mark_digest(struct uuid *digest, const struct pulled_mark *mark, int64_t items);
void pulled_item_digest(struct uuid *digest, int kind, int64_t version, const struct uuid *id,
                        const char *body, ptrdiff_t length);

/* Looks at all there is: SQLITE_OK, or SQLITE_CORRUPT, or what else went wrong. */
int pulled_check(sqlite3 *db);

/* Reading a file in place. 1: open; 0: there is none; −1: an error (ERROR_DAMAGED, ERROR_NEWER, …). */
int pulled_reader_open(sqlite3 **db, const char *store_path, struct error *error);

/* A result of SQLite or an errno about the file, in words. False. */
bool pulled_refuse(const char *store_path, int result, int number, struct error *error);

#endif
