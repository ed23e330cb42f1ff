/*
 * What the implementations of roster.h share: lines in their kept forms, the table of operations, and the
 * words of a refusal.
 */
#ifndef QUIZTUTOR_STORE_ROSTER_PRIVATE_H
#define QUIZTUTOR_STORE_ROSTER_PRIVATE_H

#include <quiztutor/memory.h>
#include <quiztutor/roster.h>

struct roster_group {
    const char *name, *key;
};

/* A line in its kept form; key: of the name, NULL without one. */
struct roster_entry {
    const char *name, *key, *login, *external_id;
    struct roster_group *groups;
    int group_count;
    bool only_these;
    double time_factor;
    int plain;
};

struct roster_ops {
    /* Passes over lines that are refused already. */
    bool (*add)(struct store *store, const struct roster_entry *entries, struct roster_result *results,
                ptrdiff_t count, struct error *error);
    /* `key` is the folded name. */
    bool (*rename)(struct store *store, const struct uuid *learner, const char *name, const char *key,
                   struct error *error);
    /* two different learners */
    bool (*merge)(struct store *store, const struct uuid *from, const struct uuid *into,
                  struct roster_count *moved, struct error *error);
    bool (*erase)(struct store *store, const struct uuid *learner, struct roster_count *gone,
                  struct error *error);
    bool (*clean)(struct store *store, bool *needed, struct error *error);
    bool (*is_erased)(struct store *store, const struct uuid *mark, bool *erased, struct error *error);
};
extern const struct roster_ops sqlite_roster_ops, memory_roster_ops;

/* A line in its kept form, or refused in *result (zeroed before). False without memory. */
bool roster_keep(const struct roster_line *line, struct roster_entry *entry, struct roster_result *result,
                 struct arena *arena);

/* roster_repeat.c: of lines about one learner, refuses those that are about somebody else after all, and lets
 * the rest belong to the groups of all. False without memory. */
bool roster_repeats(struct roster_entry *entries, struct roster_result *results, ptrdiff_t count,
                    struct arena *arena);

/* What is kept of an id that was erased, in the place of a learner's id. */
void roster_mark(struct uuid *mark, const struct uuid *learner);

/* Refuses a line. */
void roster_refuse(struct roster_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What is said when no learner has this id, or a session of theirs is running. Both false. */
bool roster_unknown(struct error *error);
bool roster_running(const char *name, struct error *error);
bool roster_name_taken(const char *name, struct error *error);

#endif
