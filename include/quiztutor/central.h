/*
 * The central store: one PostgreSQL that many machines send their logs to and take their roster from, and
 * that tutors read reports from. A connection belongs to one thread; its school is looked up by the server
 * from the role that is logged in, and never sent. Addresses are URIs of libpq
 * (postgresql://role@host/database?sslmode=verify-full); passwords come from .pgpass or a service file, never
 * from an address. Addresses can be looked at everywhere; what talks to a server is in the second program
 * alone (central_can tells).
 */
#ifndef QUIZTUTOR_CENTRAL_H
#define QUIZTUTOR_CENTRAL_H

#include <quiztutor/buffer.h>
#include <quiztutor/outgoing.h>
#include <quiztutor/store.h>

/* What is said between a machine and the server. A server takes CENTRAL_PROTOCOL and the one before it; a
 * machine speaks its own or the one before. */
enum { CENTRAL_PROTOCOL = 1 };

/* "postgresql://…" or "postgres://…", in letters of any case. */
bool central_is_address(const char *text);
/* ERROR_INPUT where it holds a password, however it is written (whoever lists this machine's processes would
 * read it), or is not one that libpq would read as it looks. The error repeats nothing of it. What opens one
 * below checks it first. */
bool central_address_check(const char *address, struct error *error);
/* The address as messages and logs may show it: role, host and database, of the parameters a service alone.
 */
void central_address_say(struct buffer *out, const char *address);

/* Whether this program can talk to a server: the second one, where it was built with libpq. What follows ends
 * with ERROR_NOT_FOUND where it can't. */
bool central_can(void);

/* Whoever waits for a server asks this meanwhile, and ends with ERROR_INTERRUPTED where it says yes. NULL:
 * nobody is asked. */
void central_set_stop(bool (*asked)(void));
bool central_stop_asked(void);

struct central;

/* ERROR_BUSY: not reachable at present (worth trying again); ERROR_INPUT: refused, or no central store
 * there. */
bool central_open(struct central **central, const char *address, struct error *error);
void central_close(struct central *central); /* NULL is fine */

/* Makes or migrates the schema, as its owner, and names a school (made where it is new), roles for machines
 * and for tutors (made without a password where they are new). NULL and 0: none. */
struct central_setup {
    const char *school;
    const char *const *machines, *const *tutors;
    int machine_count, tutor_count;
    const struct store_scheduling *scheduling; /* what the centre's schedules are made with; NULL: defaults */
};
bool central_init(const char *address, const struct central_setup *setup, struct error *error);

/*
 * Sending: begin, rows, end, in one transaction on the server. Rows go into the inbox by COPY; end has the
 * server take them. After a false of any of them nothing of the batch is in, and the connection is to be
 * closed. Sending the same rows again changes nothing.
 */
struct central_taken {
    int64_t taken, before; /* rows that are new there; that were there before */
    int64_t parked;        /* that can't be taken: kept in `rejected` with a reason */
    int64_t erased;        /* of learners who were erased there: dropped */
    int64_t notices;       /* that were flagged (a clock that can't be right, a copied store) */
};
bool central_send_begin(struct central *central, const struct uuid *store_id, struct error *error);
bool central_send_row(struct central *central, const struct outgoing_row *row, struct error *error);
bool central_send_end(struct central *central, struct central_taken *taken, struct error *error);

/*
 * What changed there after `since` (0: all): the server's row first. Texts and ids live during the call.
 * False of the visitor stops.
 */
enum central_kind {
    CENTRAL_SERVER,
    CENTRAL_LEARNER,
    CENTRAL_MERGED,
    CENTRAL_PIN,
    CENTRAL_PACK,
    CENTRAL_ERASED
};
struct central_item {
    enum central_kind kind;
    int64_t version; /* of the change; of CENTRAL_SERVER the newest one there */
    struct uuid id;  /* of the server (kept with marks: another server, another mark), learner, or the mark of
                      * an erased one (roster_mark) */
    const char *body; /* JSON: SERVER {"school":…,"schema":N,"oldest":N,"newest":N}, LEARNER {"name":…,
                       * "login":…|null,"external_id":…|null,"time_factor":1,"plain":false,"groups":[…],
                       * "created_at":ms}, MERGED {"into":"uuid"}, PIN {"kept":…|null}, PACK {"pack":…,
                       * "hash":"hex"}, ERASED {"at":ms} */
};
typedef bool central_visit(void *context, const struct central_item *item, struct error *error);
bool central_pull(struct central *central, int64_t since, central_visit *visit, void *context,
                  struct error *error);

/* As a tutor: machines are to have this pack, by the hash of its file; NULL: not any more. */
bool central_set_pack(struct central *central, const char *pack, const struct hash *hash,
                      struct error *error);

/* Brings up the schedules and sums of those whose log grew, but for those that another connection is at;
 * *count: of how many learners. Who reads a report does so for those that it is about; a service beside the
 * server spares them the wait. A tutor's role. */
bool central_summaries(const char *address, int64_t *count, struct error *error);

/* The central store behind the interface of store.h: what reports read, the roster and PINs; practising and
 * the like end with ERROR_INPUT. */
bool central_store_open(struct store **store, const char *address, const struct store_options *options,
                        struct error *error);

/* What does all that, behind libpq; set once, at the start of a program that has it. */
struct central_part {
    bool (*open)(struct central **central, const char *address, struct error *error);
    void (*close)(struct central *central);
    bool (*init)(const char *address, const struct central_setup *setup, struct error *error);
    bool (*send_begin)(struct central *central, const struct uuid *store_id, struct error *error);
    bool (*send_row)(struct central *central, const struct outgoing_row *row, struct error *error);
    bool (*send_end)(struct central *central, struct central_taken *taken, struct error *error);
    bool (*pull)(struct central *central, int64_t since, central_visit *visit, void *context,
                 struct error *error);
    bool (*set_pack)(struct central *central, const char *pack, const struct hash *hash, struct error *error);
    bool (*summaries)(const char *address, int64_t *count, struct error *error);
    bool (*store_open)(struct store **store, const char *address, const struct store_options *options,
                       struct error *error);
};
void central_set(const struct central_part *part);
/* In the second program: sets the one for PostgreSQL, where it was built with it. */
void central_add_postgres(void);

#endif
