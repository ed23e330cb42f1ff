/*
 * Who watches a program from before its first instruction on, by ptrace: the kernel itself tells of each
 * process and thread that it makes and of each program that it becomes, so none lives too short to be seen.
 * What is watched runs on as ever; signals reach it, and it leads its session.
 */
#ifndef QUIZTUTOR_TESTS_WATCH_H
#define QUIZTUTOR_TESTS_WATCH_H

#include <stdbool.h>
#include <sys/types.h>

struct watch_seen;

struct watch {
    struct watch_seen *seen;
};

bool watch_prepare(struct watch *watch);

/* In a child of the test: true in the process that is to become the program; in the watcher it returns false
 * when the program has ended. */
bool watch_lead(struct watch *watch);

/* In the test. */
bool watch_begin(struct watch *watch); /* waits until it is watched; false: that is not allowed here */
pid_t watch_program(const struct watch *watch);
int watch_children(const struct watch *watch); /* processes and threads it has made, all told */
int watch_programs(
    const struct watch *watch);             /* how often it has become another program, its start included */
int watch_stops(const struct watch *watch); /* how often it stopped as a job does */
bool watch_ended(const struct watch *watch, int *status);
void watch_finish(struct watch *watch);

#endif
