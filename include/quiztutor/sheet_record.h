/*
 * The record of what was printed: for each sheet its ID, how it looked and whose it was, and the bytes of the
 * pack file it was made from, once for all sheets of the same file. So a pack that was edited since is
 * printed and marked as it was. And the marks of a filled-in sheet: a session of kind "paper" with all its
 * attempts, stored as a whole.
 *
 * Durable when true and nothing changed when false, as everything that stores.
 */
#ifndef QUIZTUTOR_SHEET_RECORD_H
#define QUIZTUTOR_SHEET_RECORD_H

#include <quiztutor/store.h>

enum {
    SHEET_RECORD_TEXT = 64,    /* bytes of an ID, a body or a size, at most */
    SHEET_RECORD_LINES = 1000, /* sheets that store_add_papers takes at once, at most */
};

struct sheet_record {
    const char *id;      /* as it is printed (sheet_id_format) */
    const char *body;    /* the ID's BODY: other seeds of the same content share it */
    struct hash content; /* of the pack file's bytes */
    struct uuid learner; /* whose name is printed on it; zero: nobody's */
    const char *size;    /* "a4", "letter" */
    bool boxes, large, no_key, key_only;
    const char *tag;    /* only questions that bear it; NULL: all */
    int64_t printed_at; /* ms since 1970 UTC */
};

/* The file that sheets were made from. */
struct sheet_source {
    struct hash content; /* hash_of its bytes */
    const char *name;    /* of the file, for messages: any bytes but NUL */
    const char *bytes;
    ptrdiff_t length; /* PACK_FILE at most */
};

/*
 * Keeps the sheets of one run, all of the same file (records[i].content is the source's), in one transaction.
 * What was printed before in the same way adds nothing but is the newest from now on. ERROR_NOT_FOUND where a
 * learner is not there.
 */
bool store_keep_sheets(struct store *store, const struct sheet_source *source,
                       const struct sheet_record *records, int count, struct error *error);

/*
 * The newest record of the ID, or else one of the same body, whose seed and limit may be others: what is on
 * the sheet is known then, too (record->id tells). Of several of one ID, those of `learner` (may be NULL)
 * come first, then nobody's, then others'. Texts and bytes live in the arena. 1: found, 0: none (*record and
 * *source zeroed), −1: an error.
 */
int store_find_sheet(struct store *store, const char *id, const char *body, const struct uuid *learner,
                     struct arena *arena, struct sheet_record *record, struct sheet_source *source,
                     struct error *error);

/* When the marks of this sheet were typed in for this learner, newest first: 1 *at and *utc_offset_s (s) are
 * filled, 0: they were not yet, −1: an error. */
int store_find_paper(struct store *store, const struct uuid *learner, const char *id, int64_t *at,
                     int *utc_offset_s, struct error *error);

/* A filled-in sheet: its session (kind and origin "paper", the ID under "sheet" in its options), and an
 * attempt for each of its questions, left out or not. */
struct sheet_paper {
    struct store_session *session;
    const struct store_attempt *attempts;
    int count;
    const char
        *once; /* its ID: refused where the learner has marks of it already; NULL: stored all the same */
};

/*
 * Stores all of them in one transaction. Repeating a call that did get through succeeds and stores nothing
 * twice. ERROR_INPUT where one must be there only once and is, whoever stored it a moment ago.
 */
bool store_add_papers(struct store *store, const struct sheet_paper *papers, int count, struct error *error);

#endif
