/*
 * The roster: who the learners are, in which groups, and what is theirs. Each change is one transaction that
 * is on disk when it returns true and has changed nothing when it returns false. The rows of the log always
 * bear the id of a learner who is there: a merge gives those of one to the other, and says so in an event
 * `merged`; who was merged stays known by name, login and external id, as another name of the one who
 * remained. Of who was erased there stay events `erased` with digests of their id, name, login and external
 * id: none can be read out of them, but who comes in from elsewhere can be compared with them.
 */
#ifndef QUIZTUTOR_ROSTER_H
#define QUIZTUTOR_ROSTER_H

#include <quiztutor/store.h>

/* What is said of a learner; NULL, 0 (time_factor) and ROSTER_UNSAID (plain): nothing is said. */
enum { ROSTER_UNSAID = -1, ROSTER_LONGEST = 200 /* graphemes of a login or external id */ };

/* How somebody reads what they practise: on the screens, line by line, or on the screens with everything
 * large (the roster's column "plain": no, yes, large). Stored as these numbers; any other is read as lines.
 */
enum roster_reading { ROSTER_SCREENS, ROSTER_LINES, ROSTER_LARGE };
int roster_reading(int64_t stored);

struct roster_line {
    const char
        *name; /* of who is new, or by whose external id or login they are found: the name from now on */
    const char *login, *external_id;
    const char *const *groups;
    int group_count;
    bool only_these;    /* the learner leaves all other groups, if any is said */
    double time_factor; /* 1 to 10 */
    int plain;          /* enum roster_reading */
};

enum roster_outcome { ROSTER_ADDED, ROSTER_CHANGED, ROSTER_SAME, ROSTER_REFUSED };
struct roster_result {
    enum roster_outcome outcome;
    struct uuid learner; /* unless refused */
    char why[256];       /* refused: translated */
};

/*
 * Takes all lines in, one after the other, in one transaction; those that are refused change nothing. A
 * learner is found by external id, else by login, else by name (who has another external id or login than the
 * line is somebody else), and is new otherwise: the same lines once more change nothing. Lines about the same
 * learner go together: their groups add up, and one that gives a login or external id from above to another
 * name is refused.
 */
bool roster_add(struct store *store, const struct roster_line *lines, struct roster_result *results,
                ptrdiff_t count, struct error *error);

/* ERROR_INPUT where the name can't be used, or is another's. */
bool roster_rename(struct store *store, const struct uuid *learner, const char *name, struct error *error);

/* What was moved, or is gone. */
struct roster_count {
    int64_t sessions, attempts, events, questions; /* questions: texts that nobody else was asked */
};

/*
 * Makes one of two: all that `from` did, and all groups, are now of `into`; a login, external id, time factor
 * and plain that `into` has not, too. Schedules and summaries are made anew from both logs. ERROR_INPUT for
 * one and the same learner, ERROR_BUSY while a session of either is running.
 */
bool roster_merge(struct store *store, const struct uuid *from, const struct uuid *into,
                  struct roster_count *moved, struct error *error);

/*
 * Erases a learner, and who was merged into them: sessions, attempts, events, schedules, groups, and texts of
 * questions that nobody else was asked. ERROR_BUSY while a session of theirs is running. When this has
 * returned true, the store's file still holds them in places given free, until roster_clean has run.
 */
bool roster_erase(struct store *store, const struct uuid *learner, struct roster_count *gone,
                  struct error *error);

/* Writes the file anew without what was erased, if anything was since it was last done; *needed (may be NULL)
 * tells. False with the reason, and can be called again. */
bool roster_clean(struct store *store, bool *needed, struct error *error);

/* Whether a learner of this id was erased here: nothing of theirs may come in again. */
bool roster_is_erased(struct store *store, const struct uuid *learner, bool *erased, struct error *error);

#endif
