/*
 * `quiztutor kiosk --status`: how the kiosk of this machine is doing, for monitoring. Nothing is written, and
 * nothing takes longer than some seconds, whatever the store's size and state.
 */
#ifndef QUIZTUTOR_KIOSK_STATUS_H
#define QUIZTUTOR_KIOSK_STATUS_H

#include "kiosk_check.h"

#include <quiztutor/json.h>
#include <quiztutor/sync.h>

/* As monitoring reads exit statuses. */
enum level { LEVEL_OK, LEVEL_WARNING, LEVEL_CRITICAL, LEVEL_UNKNOWN };

/* Prints it (as one JSON object, or in words) and returns the level. */
int kiosk_status_run(const struct settings *settings, const char *config, bool json);

/* What was found, the worst first in rank: critical, unknown, warning. */
enum { PROBLEMS = 20, PROBLEM_TEXT = 400 };
struct problem {
    enum level level;
    char text[PROBLEM_TEXT];
};
/* Of syncs; error: what stands beside the store can't be read. */
enum { STATUS_PACKS = 100, STATUS_PACK_ID = 80 };
struct status_sync {
    struct sync_state state;
    struct error error;
    int64_t left_out;
    struct {
        char id[STATUS_PACK_ID];
        bool missing;
    } packs[STATUS_PACKS]; /* that are not as the centre wants them */
    int pack_count;        /* may be more */
};
struct status {
    struct check check;
    struct status_sync sync;
    struct check_beside beside;
    struct lock_report lock;
    int64_t free, backups_free; /* bytes; −1: not known */
    int64_t backup_at;          /* ms since 1970; 0: there is none */
    int backup_count;
    enum level level;
    struct problem problems[PROBLEMS];
    int problem_count;
};

/* Fills in and judges; status_finish in any case. False without memory. */
bool status_init(struct status *status, const struct machine *machine, const char *config);
void status_finish(struct status *status);

/* A finding, judged. */
void status_add(struct status *status, enum level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* kiosk_status_sync.c. False without memory. */
bool status_sync_look(struct status *status, struct error *error);
void status_sync_judge(struct status *status);
void status_sync_put(struct json *json, const struct status *status);
/* Of a pack's file; false where it can't be read any more. */
bool status_pack_hash(const char *path, struct hash *hash);

#endif
