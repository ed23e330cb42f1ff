/*
 * Taking in what was done elsewhere: attempts from a table, and whole stores and submitted files. All of one
 * intake is one transaction: intake_end puts it on the disk or leaves no trace of it. Rows keep their ids,
 * so whatever is taken in twice is there once; they are numbered anew, behind the log. Schedules and
 * summaries follow, as with any other answer.
 *
 * A learner is found by external id, else by login, else by id, else by name; one whose external id says
 * otherwise, or (where they are only known by name) whose login does, is somebody else. A learner of another
 * store is found by name only where neither has an external id; this, and that somebody else bears the name,
 * is told.
 */
#ifndef QUIZTUTOR_INTAKE_H
#define QUIZTUTOR_INTAKE_H

#include <quiztutor/buffer.h>
#include <quiztutor/store.h>

struct intake;

/* Between intake_begin and intake_end nothing else may be done with the store. ERROR_READ_ONLY, ERROR_BUSY,
 * ERROR_FULL, as of anything that stores; ERROR_INPUT of the store in memory. */
bool intake_begin(struct intake **intake, struct store *store, struct error *error);

/* Ends it, also after an error; `keep` false takes everything back. True: durable, or taken back. */
bool intake_end(struct intake *intake, bool keep, struct error *error);

enum intake_fate { INTAKE_TAKEN, INTAKE_BEFORE, INTAKE_REFUSED };
enum { INTAKE_WHY = 256 };
struct intake_result {
    enum intake_fate fate;
    bool new_learner;
    bool by_name;         /* found by nothing else */
    bool namesake;        /* a new one, and somebody else here bears the name */
    char why[INTAKE_WHY]; /* refused: translated */
};

/* One row of a table. Texts are only read during the call. */
struct intake_row {
    struct uuid learner;             /* zero: not said */
    const char *name;                /* in its kept form (text_learner_name) */
    const char *login, *external_id; /* NULL: not said */
    struct uuid session;             /* zero: one for each learner and `source` */
    struct hash source;              /* what the rows come from */
    const char *kind;                /* of the session, should it be new */
    struct uuid device;              /* zero: this one */
    struct store_attempt attempt;    /* `body` is not read; content that the store does not have counts as not
                                      * known */
    bool voided, undone;             /* and that is known of it */
};

/* False: an error that ends the intake. */
bool intake_row(struct intake *intake, const struct intake_row *row, struct intake_result *result,
                struct error *error);

/*
 * Another store, or a submitted file: its sessions, attempts, events and the texts of its questions, in the
 * order of its log. Exams that are not handed in there are left out until they are. Of an event, its learner
 * must be that of its attempt. INTAKE_FILE_REFUSED: it is none, is damaged or can't be read (*error says
 * which), nothing of it was taken, and the intake can go on. INTAKE_FAILED: it can't.
 */
struct intake_count {
    int64_t sessions, attempts, events, learners; /* taken; learners: new ones */
    int64_t before;                               /* attempts that were here already */
    int64_t refused;                              /* rows of the log; `tell` was told why */
    int64_t running;                              /* exams that are not handed in yet */
    int64_t erasures;                             /* events `erased` that are news here */
};
enum intake_file { INTAKE_FILE_TAKEN, INTAKE_FILE_REFUSED, INTAKE_FAILED };
typedef void intake_tell(void *context, const char *what); /* translated */
enum intake_file intake_store(struct intake *intake, const char *path, struct intake_count *count,
                              intake_tell *tell, void *context, struct error *error);

/*
 * Whom stores taken in say they erased, as far as that is not known here. An intake does nothing about it: a
 * forged file could name anybody, so that a person has to agree. Ask between intake_end and intake_erase,
 * when nobody is kept from the store.
 */
struct intake_mark {
    struct uuid mark, event, device; /* roster_mark of an id; the event that says so */
    int64_t at;
    int utc_offset_s;
};
struct intake_erasures {
    struct store_learner *known; /* who is here, by id; by login or external id, who
                                  * was before they were erased there */
    ptrdiff_t known_count;
    struct intake_mark *marks; /* all; of people who are not known here, too */
    ptrdiff_t mark_count;
    struct arena arena; /* holds it all */
};

/* What there is after the last file, before intake_end. Finish it also after an error. */
bool intake_erasures_list(struct intake_erasures *erasures, struct intake *intake, struct error *error);
void intake_erasures_finish(struct intake_erasures *erasures);

/* Erases them here, too, leaves no trace of them in the file, and takes nothing of theirs in from now on.
 * ERROR_BUSY while one of them is practising; can be done again. */
bool intake_erase(struct store *store, const struct intake_erasures *erasures, struct error *error);

/*
 * What one learner did, as the bytes of a small store that intake_store takes: the learner's row, sessions,
 * attempts, events (stars too) and the texts of their questions, and nobody else's. An exam that is running
 * is left out. *count: what is in it.
 */
bool submission_make(struct buffer *out, struct store *store, const struct uuid *learner,
                     struct intake_count *count, struct error *error);

/* The id of what is known by its parts only: the same parts, the same id. A UUID of version 8 (RFC 9562) made
 * of the first bits of their SHA-256. */
void intake_id(struct uuid *id, const char *purpose, const void *part, ptrdiff_t length, const void *more,
               ptrdiff_t more_length);

/* The id of a learner who is made of a text alone: kind "external", "login", "name" (folded). */
void intake_learner_id(struct uuid *id, const char *kind, const char *text);

#endif
