/*
 * The store keeps learners and the log: sessions, attempts, events, append-only. Every store_add_… is one
 * transaction that is on disk when it returns true, and has changed nothing when it returns false: the same
 * call can simply be made again. Two implementations stand behind this interface: SQLite, and one in memory
 * for tests.
 *
 * A store belongs to one thread of one process. Texts and ids passed in are only read during the call. Rows
 * that are still open keep the store as it was when their first row was read: close them before something is
 * stored.
 *
 * Beside a store file lie, with its name and an ending: -wal and -shm (SQLite's log), -lock (held while
 * storing), -reserve (room given up when the disk is full, so that the store still can be read), -version-N
 * (a copy from before it was brought from version N to a later one), -attempts (a second log, heal.h), -sync
 * (what a sync keeps, pulled.h) and -sync-lock (held while one runs).
 */
#ifndef QUIZTUTOR_STORE_H
#define QUIZTUTOR_STORE_H

#include <quiztutor/clock.h>
#include <quiztutor/error.h>
#include <quiztutor/hash.h>
#include <quiztutor/marking.h>
#include <quiztutor/schedule.h>

struct store;
struct rows; /* an open query: see "Reading" below */

/* What schedules are made with, beside the log. Copied by store_open. */
struct store_retention {
    const char *pack; /* id */
    double retention;
};
struct store_scheduling {
    int day_starts;   /* minutes after midnight */
    double retention; /* wanted, for packs that `by_pack` does not name */
    const struct store_retention *by_pack;
    int by_pack_count;
};

struct store_options {
    struct clock clock;
    bool existing_only; /* never make a new store: ERROR_NOT_FOUND instead */
    bool reading; /* only to be looked at, as it stands: it is not brought up to date, not even its schedules;
                   * of an older one a copy is, which goes with the process. Implies existing_only */
    const char *vfs;    /* tests: name of an SQLite VFS; NULL the default */
    bool second_log;    /* begin a second log beside it (heal.h), should it have none */
    bool second_paused; /* heal_open's own: the second log is left alone until the store was looked through */
    const struct store_scheduling *scheduling; /* NULL: days begin at 04:00, retention 0.9 */
};

/*
 * Opens the store file at `path`, making folders (0700) and file (0600) on first use, migrating an older one
 * after a backup beside it. ERROR_NEWER, ERROR_DAMAGED ("not a quiztutor store", "damaged"), ERROR_READ_ONLY
 * only when it can't even be read, ERROR_FULL, ERROR_IO; the file is then as it was. A store that can be read
 * but not written opens: writing fails with ERROR_READ_ONLY. Any bytes are allowed in `path`.
 */
bool store_open(struct store **store, const char *path, const struct store_options *options,
                struct error *error);

/* Looks up what names this machine and this boot and keeps it for stores opened later: for a process that may
 * not read those files by then (lock_start). */
void store_look_around(void);

/* The store in memory, gone with the process: same interface. For tests, and where there is no
 * store to read. */
bool store_open_memory(struct store **store, const struct store_options *options, struct error *error);
void store_close(struct store *store);

/* A warning to tell once at the start (a network file system, a read-only file), translated, or NULL. */
const char *store_warning(const struct store *store);
void store_device(const struct store *store, struct uuid *device_id);

/* Learners. Texts of a found learner live in the caller's arena. */
struct store_learner {
    struct uuid id;
    const char *name, *login; /* login may be NULL */
    double time_factor;       /* stretches exams: 1 for most, 1 to 10; 0 reads as 1 */
    int plain;                /* enum roster_reading; of a found learner */
};

/* `name` matches a login exactly, else a name under folding (text_fold). False with ERROR_NOT_FOUND when
 * there is none: `nearest`, when not NULL, then gets the nearest known name (in the arena) or NULL. */
bool store_find_learner(struct store *store, const char *name, struct arena *arena,
                        struct store_learner *learner, const char **nearest, struct error *error);

/* Groups of learners: one is there while it has a member, and is known by its name's folded form. Texts of a
 * found group live in the caller's arena. */
struct store_group {
    const char *key, *name;
    int64_t members;
};

/* As store_find_learner, by name under folding. */
bool store_find_group(struct store *store, const char *name, struct arena *arena, struct store_group *group,
                      const char **nearest, struct error *error);

/* Takes the learner into the group of this name, or (`in` false) out of it; either may have been so before.
 */
bool store_set_member(struct store *store, const struct uuid *learner, const char *group, bool in,
                      struct error *error);

/* What a session's row holds. It is written in the transaction of its first answer or event. */
struct store_session {
    struct uuid id;
    struct store_learner
        learner;        /* made in the same transaction when no learner has this id or this folded name */
    const char *kind;   /* "practice", "exam" */
    const char *origin; /* "screen", "plain", "jsonl" */
    uint32_t seed;
    const char *options; /* JSON: {"limit":null,"mode":"due","packs":["tour"],"tag":null} */
    const char *plan;    /* JSON: [["tour","select","<revision>"],…] in plan order */
    int64_t started_at;  /* ms since 1970 UTC */
    int utc_offset_s;
};

struct store_attempt {
    struct uuid id;
    const char *pack_id, *question_id, *revision;
    struct hash content;
    const char *body;     /* the question as asked (question_body), kept once per content hash */
    uint32_t seed;        /* of this showing */
    int showing;          /* from 1 */
    const char *shown;    /* JSON {"choices":[3,1,2]} or NULL */
    const char *response; /* JSON [1,3] or true; NULL when omitted */
    struct verdict verdict;
    int certainty; /* 0: not asked */
    int hints;
    bool retried;       /* the spelling was to be checked once before: right is Hard at most */
    int64_t elapsed_ms; /* −1: not known */
    int64_t answered_at;
    int utc_offset_s;
    const char *origin;
};

struct store_event {
    struct uuid id;
    const char *kind;       /* one of event.kind's words, DESIGN "The store" */
    struct uuid attempt_id; /* zero: none */
    const char *body;       /* JSON or NULL: {"question":["tour","select"],"showing":1,…} */
    int64_t at;
    int utc_offset_s;
};

/*
 * Durable when true. session->learner.id may change: to that of a learner of this name whom another process
 * made in the meantime. *created (may be NULL) tells whether this call made the learner. Repeating a call
 * whose transaction did get through (same ids) succeeds and stores nothing twice. Attempts are of questions
 * in the session's plan; an event may be of no session (NULL). ERROR_INPUT for what is no JSON where JSON
 * belongs, an unknown kind, a zero id.
 */
bool store_add_attempt(struct store *store, struct store_session *session,
                       const struct store_attempt *attempt, bool *created, struct error *error);
bool store_add_event(struct store *store, struct store_session *session, const struct store_event *event,
                     bool *created, struct error *error);

/* Several events of no session, gradings of attempts, in one transaction: all of them or none. */
bool store_add_events(struct store *store, const struct store_event *events, ptrdiff_t count,
                      struct error *error);

/*
 * An exam is on record from its start: its session's row and the texts of all its questions (contents[i] with
 * bodies[i] of pack_ids[i], question_ids[i], revisions[i]) in one transaction. Its plan is
 * [["pack","question","revision",marks,"content in hex",section],…]. While it runs its responses are
 * `answered` events; the store refuses one (ERROR_INPUT) after `handed-in`.
 */
struct store_text {
    struct hash content;
    const char *pack_id, *question_id, *revision, *body;
};
bool store_add_session(struct store *store, struct store_session *session, const struct store_text *texts,
                       int count, bool *created, struct error *error);

/*
 * Hands an exam in: all attempts and the `handed-in` event in one transaction, once. `last_seq` is that of
 * the newest row of its log that the caller read (QUERY_LOG, QUERY_EXAMS; 0: there was none): ERROR_BUSY when
 * there is a newer one (read again and make the attempts anew). True as well when it was handed in before:
 * *already (may be NULL) tells.
 */
bool store_hand_in(struct store *store, struct store_session *session, const struct store_attempt *attempts,
                   int count, const struct store_event *event, int64_t last_seq, bool *already,
                   struct error *error);

/*
 * An exam that was handed in goes on as another session, all in one transaction: `session` is added with its
 * `answered` events, and `events` of the old one, `was`, are stored: first a `kiosk` one that tells of it,
 * then an `undone` for each attempt. True as well where the first of them is there already.
 */
struct store_reopening {
    struct store_session *session, *was;
    const struct store_event *answers, *events;
    int answer_count, event_count;
};
bool store_reopen_exam(struct store *store, const struct store_reopening *reopening, struct error *error);

/*
 * Schedules. A question's schedule is kept up in the transaction that stores an answer, an `undone`, a
 * `suspended` or a `starred` event ({"question":["tour","select"],"on":true}), by the learner's parameters
 * and the store's scheduling. It could always be made again from the log; store_rebuild does, and so does
 * store_open where days begin at another time than when the schedules were made, or another release's
 * scheduler made them. An answer left out gives no grade, but counts as seen: on its own it leaves PHASE_NEW.
 */
struct store_schedule {
    struct schedule schedule;
    char revision[17];   /* of the newest answer */
    struct hash content; /* of the question as it was then, zero: not known */
    bool seen;           /* there is an answer that counts (it may be omitted) */
    enum outcome last;   /* of the newest answer that counts */
    int64_t answered_at; /* of that answer, ms since 1970 */
    int counted, right;  /* answers that count, and those of them that were right */
    bool starred, suspended;
};

/* 1: known, 0: never answered and never marked (*out zeroed), −1: an error. */
int store_schedule(struct store *store, const struct uuid *learner, const char *pack_id,
                   const char *question_id, struct store_schedule *out, struct error *error);

/* The row that a cursor of QUERY_KNOWN or QUERY_DUE stands on. */
void rows_schedule(struct rows *rows, struct store_schedule *out);

/* Whether the key in `body` (question_body) overturns the one kept under `content`: key_overturned over both.
 * False where the old one is not known. */
bool store_key_overturned(struct store *store, const struct hash *content, const char *body, bool *overturned,
                          struct error *error);

/* A learner's parameters: their own, else everyone's, else the defaults. `fitted` (may be NULL): 2 own, 1
 * everyone's, 0 defaults. */
bool store_parameters(struct store *store, const struct uuid *learner, struct fsrs_parameters *parameters,
                      int *fitted, struct error *error);

/* Keeps fitted parameters (of a learner, or of everyone without their own: NULL) and makes the schedules they
 * touch anew, in one transaction. `report` is JSON: what the fit was judged by. */
bool store_set_parameters(struct store *store, const struct uuid *learner,
                          const struct fsrs_parameters *parameters, const char *report, struct error *error);

/* All graded answers to one question by one learner, as the scheduler takes them; a key that was overturned
 * begins a new history. False stops. */
struct store_answer {
    enum grade grade;
    int64_t at, day; /* ms since 1970; local day */
};
typedef bool store_history_visit(void *context, const struct uuid *learner, const char *pack_id,
                                 const char *question_id, const struct store_answer *answers, int count);
bool store_histories(struct store *store, const struct uuid *learner, store_history_visit *visit,
                     void *context, struct error *error); /* learner NULL: everyone's */

/* Makes every derived row anew from the log, compares, and keeps the new ones. */
struct store_rebuild {
    int64_t learners, questions, answers; /* looked at */
    int64_t different; /* rows that were not as the log says: none, or something is wrong */
    int64_t moved;     /* due dates that today's settings move */
    char first[200];   /* the first that differed: pack/question of learner; or "" */
};
bool store_rebuild(struct store *store, struct store_rebuild *report, struct error *error);

/*
 * Reading: a query is a row of a table with named columns; rows are stepped one at a time. Undone answers are
 * not counted anywhere but in QUERY_LOG.
 *
 * - QUERY_KNOWN (learner id, pack id): question_id, then what rows_schedule reads: a row for each question
 *   answered, starred or suspended, by question_id
 *
 * - QUERY_DUE (learner id, pack id, today, now ms): the same columns; those due and not suspended, longest
 *   overdue first (due_day, due_at), by index, so that a caller may stop after the first
 *
 * - QUERY_NEW (learner id, since ms): count of questions whose first counted answer is at or after `since`
 *
 * - QUERY_REVIEWED (learner id, since ms): count of questions with a counted answer at or after `since` and
 *   one before it
 *
 * - QUERY_NEWEST (learner id): answered_at of the newest answer of all, undone ones too; null for none
 *
 * - QUERY_LATER (learner id, ms): whether an answer dated at or before `ms` was stored after the newest one:
 * 1 or 0; so the clock was set back before that, and it was answered since
 *
 * - QUERY_COMING (learner id, pack id, first day, until day): due_day, count; of the days from the first on
 * and before the last, oldest first; not suspended
 *
 * - QUERY_DAYS (learner id, first day): local day, counted answers (none left out), right ones, elapsed ms,
 *   questions met for the first time; one row for each day with answers from `first` on, oldest first
 *
 * - QUERY_PRACTISED (learner id): local day; each with a counted answer that is not left out, oldest first
 *
 * - QUERY_QUESTIONS (): pack_id, question_id, answers, learners, last_at: all questions in the log
 *
 * - QUERY_EXAMS (learner id or NULL for all): exams not handed in: session_id, learner_id, learner's name,
 *   options, started_at, utc_offset_s, seed, origin, questions, answered, extended minutes, last_seq; newest
 *   first. `answered`: questions whose newest `answered` event has a "response" in its body
 *
 * - QUERY_HANDED_IN (learner id or NULL for all): exams handed in and not reopened: session_id, learner_id,
 *   learner's name, options, started_at, utc_offset_s, when it was handed in (ms since 1970); newest first
 *
 * - QUERY_KIOSK (text): body, at of the events of kind `kiosk` whose "what" it is; newest first
 *
 * - QUERY_UNFINISHED (learner id, packs JSON or NULL for any): newest first, session_id, seed, options,
 * started_at, utc_offset_s, origin, questions, answered; practice sessions not dropped, with unanswered
 * questions
 *
 * - QUERY_SESSION (session id): seed, options, started_at, utc_offset_s, origin
 *
 * - QUERY_PAPERS (learner id): session_id, options, started_at, utc_offset_s of each filled-in sheet whose
 *   marks were typed in; newest first
 *
 * - QUERY_PLAN (session id): pack_id, question_id, revision; of an exam also marks, content (hex), section
 *
 * - QUERY_LOG (session id): in seq order, kind ("attempt" or event.kind), attempt_id, pack_id, question_id,
 * response, outcome, mark, marks, showing, hints, body, certainty, at, seq, retried
 *
 * - QUERY_LEARNERS (): name, login, answers, last_at; by name
 *
 * - QUERY_TOTALS (): what the store holds, one row: learners, sessions, attempts (undone ones too), undone,
 *   events, questions with a schedule (of each learner), first and newest answered_at (null without any),
 *   printed sheets on record, version of the schema (null in memory)
 *
 * - QUERY_FITTED (): the parameters kept: name of their learner (null: everyone's), made at; everyone's
 *   first, then by name
 *
 * - QUERY_RESPONSES (pack id): question_id, content (hex), revision, response, count, body: how often a
 *   response was given to a question as it was asked then, by anyone, of all counted answers that are not
 * left out; most frequent first
 *
 * - QUERY_ROSTER (): learner_id, name, login, external_id, time_factor, plain, name of a group (null: in
 * none), answered_at of the newest answer (null: none); a row for each learner and group, by name
 *
 * For reports. Outcome, mark and marks are those of the newest grading (an event `regraded`, `accepted` or
 * `voided` of the attempt); `share` is mark / marks, 0 to 1. An answer that was voided is no first answer, no
 * miss and has no share, but counts as an attempt. A *first answer* is the first counted one to a question,
 * left out or not; not where an earlier answer of its session to the question was taken back (the explanation
 * was seen: `helped`), nor where it was voided: such a question has none. A *miss* is wrong or partly. A
 * group is named by its key (store_find_group).
 *
 * - QUERY_CLASS (group key or NULL for everyone, pack id or NULL for all together): enum class_column; one
 *   row for each learner, who may have done nothing, by name
 *
 * - QUERY_STUCK (learner id or NULL, group key or NULL, pack id or NULL): learner_id, name, pack_id,
 *   question_id, misses, counted answers, outcome of the newest answer, its answered_at, its content: where a
 * question was missed three times or more; most misses first
 *
 * - QUERY_PROGRESS_PACKS (learner id): pack_id (null in the first row: all packs together), then as
 *   enum class_column from CLASS_LAST_AT on; by pack; nothing where nothing was answered
 *
 * - QUERY_PROGRESS_DAYS (learner id, first day): local day, answered (not left out), right, first answers,
 *   sum of their shares, elapsed ms, questions answered for the first time; days with
 *   any counted answer, oldest first
 *
 * - QUERY_LEARNER_SCHEDULES (learner id): the columns of QUERY_KNOWN, then enum kept_column; by pack and
 *   question
 *
 * - QUERY_MISSES (learner id, pack id or NULL, how many): enum attempt_column, then body (null: not known);
 *   newest first
 *
 * - QUERY_ATTEMPTS (pack id or NULL, learner id or NULL, group key or NULL, since ms or NULL, until ms or
 *   NULL, kind of session or NULL, revision or NULL): enum attempt_column: counted attempts dated at or after
 *   `since` and before `until`, by learner id, pack, question, seq
 *
 * - QUERY_ATTEMPT_LOG (the same): the same, those taken back too (ATTEMPT_UNDONE), in the order of the log
 *
 * - QUERY_ANSWERS (the same): as QUERY_ATTEMPTS, those taken back too (ATTEMPT_UNDONE, as they were marked
 *   at first), and only what figures are made of: device, seed, shown, hints, retried, origin and kind are
 *   null. ATTEMPT_HELPED is 0 unless since, until or a revision is asked for: else the rows tell it by
 *   themselves
 *
 * - QUERY_UNDONE_COUNTS (pack id or NULL, learner id or NULL, group key or NULL): pack_id, question_id,
 *   answers that these took back; by pack and question
 *
 * - QUERY_GRADED_COUNTS (the same three): pack_id, question_id, answers that count and were graded anew
 *   (regraded, accepted or voided); by pack and question
 *
 * - QUERY_REPORTED (pack id or NULL): pack_id, question_id, text (null: none was typed), learner_id, name,
 *   at, utc_offset_s: learners' reports of questions, newest first
 *
 * - QUERY_GROUPS (): key, name, members; by key
 *
 * - QUERY_GROUP_MEMBERS (group key): learner_id, name, login, external_id; by name
 *
 * - QUERY_TEXT (content): pack_id, question_id, revision, body of a question as it was asked
 *
 * - QUERY_TEXTS (): the same four of every question as it was asked, by content
 *
 * - QUERY_TEXTS_KEPT (learner id): for each row of QUERY_LEARNER_SCHEDULES, in that order, its content,
 *   pack_id, question_id, and the body of that question as it was asked, null where there is none
 *
 * - QUERY_PACKS (): pack_id of each pack with an answer in the log, by id
 */
enum class_column {
    CLASS_LEARNER,
    CLASS_NAME,
    CLASS_LOGIN,       /* or null */
    CLASS_EXTERNAL_ID, /* or null */
    CLASS_LAST_AT,     /* ms: of each question's newest answer the latest; null: nothing was answered */
    CLASS_FIRST_AT,    /* ms: of each question's first answer the earliest, or null */
    CLASS_SESSIONS,    /* with a counted answer */
    CLASS_QUESTIONS,   /* with one */
    CLASS_ATTEMPTS,    /* counted ones */
    CLASS_RIGHT,       /* first answers: */
    CLASS_PARTLY,
    CLASS_WRONG,
    CLASS_OMITTED,
    CLASS_SHARES, /* of first answers, summed */
    CLASS_ELAPSED_MS,
    CLASS_MASTERED,    /* questions, as schedule_mastered has it of the question that was asked last */
    CLASS_STUCK,       /* questions missed three times or more */
    CLASS_LAST_OFFSET, /* s from UTC: of the answers at CLASS_LAST_AT and CLASS_FIRST_AT, or null */
    CLASS_FIRST_OFFSET,
    CLASS_COLUMNS
};
enum kept_column {                      /* beyond what rows_schedule reads */
                   KEPT_PACK = 22,      /* text */
                   KEPT_FIRST_OUTCOME,  /* null: no first answer */
                   KEPT_FIRST_SHARE,    /* likewise */
                   KEPT_FIRST_AT,       /* ms: of the first counted answer, null: there is none */
                   KEPT_FIRST_REVISION, /* likewise */
                   KEPT_BEST_SHARE,     /* null: none */
                   KEPT_MISSES,
                   KEPT_ELAPSED_MS,
                   KEPT_MASTERED,     /* as schedule_mastered has it of the question that was asked last */
                   KEPT_FIRST_OFFSET, /* s from UTC: of the first counted answer, null: there is none */
                   KEPT_COLUMNS
};
enum attempt_column {
    ATTEMPT_ID,
    ATTEMPT_SESSION,
    ATTEMPT_LEARNER,
    ATTEMPT_NAME,
    ATTEMPT_LOGIN, /* or null */
    ATTEMPT_DEVICE,
    ATTEMPT_PACK,
    ATTEMPT_QUESTION,
    ATTEMPT_REVISION,
    ATTEMPT_CONTENT, /* rows_hash */
    ATTEMPT_SEED,
    ATTEMPT_SHOWING,
    ATTEMPT_SHOWN,    /* JSON or null */
    ATTEMPT_RESPONSE, /* JSON, null: left out */
    ATTEMPT_OUTCOME,  /* the newest grading's */
    ATTEMPT_MARK,
    ATTEMPT_MARKS,
    ATTEMPT_GRADED,    /* "regraded", "accepted", "voided"; null: as it was answered */
    ATTEMPT_CERTAINTY, /* or null */
    ATTEMPT_HINTS,
    ATTEMPT_RETRIED,
    ATTEMPT_HELPED,     /* never a first answer */
    ATTEMPT_ELAPSED_MS, /* or null */
    ATTEMPT_ANSWERED_AT,
    ATTEMPT_UTC_OFFSET_S,
    ATTEMPT_ORIGIN,
    ATTEMPT_KIND, /* of the session; null in QUERY_ATTEMPTS unless a kind is asked for */
    ATTEMPT_SEQ,
    ATTEMPT_UNDONE, /* 1: taken back */
    ATTEMPT_COLUMNS
};
enum store_query {
    QUERY_KNOWN,
    QUERY_DUE,
    QUERY_NEW,
    QUERY_REVIEWED,
    QUERY_NEWEST,
    QUERY_LATER,
    QUERY_COMING,
    QUERY_DAYS,
    QUERY_PRACTISED,
    QUERY_QUESTIONS,
    QUERY_EXAMS,
    QUERY_HANDED_IN,
    QUERY_KIOSK,
    QUERY_UNFINISHED,
    QUERY_SESSION,
    QUERY_PAPERS,
    QUERY_PLAN,
    QUERY_LOG,
    QUERY_LEARNERS,
    QUERY_TOTALS,
    QUERY_FITTED,
    QUERY_RESPONSES,
    QUERY_ROSTER,
    QUERY_CLASS,
    QUERY_STUCK,
    QUERY_PROGRESS_PACKS,
    QUERY_PROGRESS_DAYS,
    QUERY_LEARNER_SCHEDULES,
    QUERY_MISSES,
    QUERY_ATTEMPTS,
    QUERY_ATTEMPT_LOG,
    QUERY_ANSWERS,
    QUERY_UNDONE_COUNTS,
    QUERY_GRADED_COUNTS,
    QUERY_REPORTED,
    QUERY_GROUPS,
    QUERY_GROUP_MEMBERS,
    QUERY_TEXT,
    QUERY_TEXTS,
    QUERY_TEXTS_KEPT,
    QUERY_PACKS,
    STORE_QUERIES
};

struct store_value {
    enum { VALUE_NULL, VALUE_INTEGER, VALUE_REAL, VALUE_TEXT, VALUE_BLOB } type;
    int64_t integer;
    double real;
    const void *data; /* text (NUL-terminated) or blob */
    ptrdiff_t length;
};
struct store_value store_value_null(void);
struct store_value store_value_integer(int64_t integer);
struct store_value store_value_text(const char *text); /* NULL is null */
struct store_value store_value_uuid(const struct uuid *uuid);
struct store_value store_value_hash(const struct hash *hash);

bool rows_open(struct rows **rows, struct store *store, enum store_query query,
               const struct store_value *parameters, int count, struct error *error);
/* 1: a row; 0: the end; −1: an error. */
int rows_step(struct rows *rows, struct error *error);
/* Column by place; a text or blob is valid until the next step. NULL reads as 0, NULL or a zero uuid. */
int64_t rows_integer(struct rows *rows, int column);
double rows_real(struct rows *rows, int column);
const char *rows_text(struct rows *rows, int column);
bool rows_is_null(struct rows *rows, int column);
void rows_uuid(struct rows *rows, int column, struct uuid *uuid);
void rows_hash(struct rows *rows, int column, struct hash *hash); /* zero for null */
void rows_close(struct rows *rows);

/*
 * What is read from here on is one state of the store, in which the sums and schedules of a learner, of a
 * group's members (by its key), or (both NULL) of everybody are up to date with its log; what was read before
 * is closed. It stands until the end, or the next beginning. A central store is folded up for it first, and
 * read in one transaction; one on this machine is always so.
 */
bool store_state_begin(struct store *store, const struct uuid *learner, const char *group,
                       struct error *error);
void store_state_end(struct store *store);

/* JSON kept in the store, read by SQLite: calls visit for each element of the list at `path` ("$",
 * "$.packs"), until it answers false. A list that holds lists gives the inner list as JSON text, null gives
 * NULL. False when the text is not JSON. */
bool store_json_each(struct store *store, const char *json, const char *path,
                     bool (*visit)(void *context, const char *element), void *context, struct error *error);

/* Holds the session as running in this process until the store closes or store_release_session. False with
 * ERROR_BUSY when another store holds it. A store that can't be written has nothing to keep apart: always
 * true. */
bool store_hold_session(struct store *store, const struct uuid *session_id, struct error *error);
void store_release_session(struct store *store, const struct uuid *session_id);

/* PRAGMA integrity_check and foreign keys: false with what was found. */
bool store_check(struct store *store, struct error *error);

#endif
