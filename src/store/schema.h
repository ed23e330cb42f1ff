/*
 * The SQL that makes a store: migrations in order (the first makes version 1 of an empty file, …) and what
 * holds no data (views; of a central store functions and rights too), which is made anew after each run of
 * migrations. schema_current comes out of db/sqlite at build time, schema_central out of db/postgres.
 */
#ifndef QUIZTUTOR_STORE_SCHEMA_H
#define QUIZTUTOR_STORE_SCHEMA_H

struct schema {
    const char *const *migrations;
    int version; /* of a store with all of them done: their number */
    const char *views;
};

extern const struct schema schema_current, schema_central;

enum { SCHEMA_APPLICATION = 0x51547574 }; /* "QTut": PRAGMA application_id */

#endif
