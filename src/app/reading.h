/*
 * What the store knows of the packs' questions when a practice is planned: of small packs all of it, of large
 * ones only what is asked, by index. It fills plan_make's histories and today's rations, and where a day is
 * planned towards, practice->planned.until. Private to app.
 */
#ifndef QUIZTUTOR_READING_H
#define QUIZTUTOR_READING_H

#include <quiztutor/practice.h>

struct reading {
    struct practice *practice;
    struct plan_options wishes; /* with the rations that are left */
    struct arena arena;
    struct plan_history **histories; /* of each pack; NULL: nothing is known of this learner */
    struct schedule_rules *rules;    /* of each pack */
    struct until_question *until;    /* where a day is planned towards */
    struct fsrs_parameters parameters;
    int64_t now, today;
    int64_t target; /* the day that retrievability is told for */
    int uncounted;  /* due ones that were counted, but are not in the histories */
    bool more;      /* there are more due than were counted */
};

/* reading_finish is due either way. */
bool reading_init(struct reading *reading, struct practice *practice, const struct plan_options *wishes,
                  struct error *error);
bool reading_read(struct reading *reading, struct error *error);
void reading_finish(struct reading *reading);

/* How many of these questions have a key that was overturned since they were answered. */
int reading_resets(const struct reading *reading, const struct session_entry *entries, int count);

#endif
