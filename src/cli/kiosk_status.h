/*
 * `quiztutor kiosk --status`: how the kiosk of this machine is doing, for monitoring. Nothing is written, and
 * nothing takes longer than some seconds, whatever the store's size and state.
 */
#ifndef QUIZTUTOR_KIOSK_STATUS_H
#define QUIZTUTOR_KIOSK_STATUS_H

#include "kiosk_check.h"

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
struct status {
    struct check check;
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

#endif
