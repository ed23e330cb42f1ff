/*
 * Inside the queries of the store in memory: one being answered, and its rows. All rows are made when it is
 * opened.
 */
#ifndef QUIZTUTOR_STORE_MEMORY_ROWS_H
#define QUIZTUTOR_STORE_MEMORY_ROWS_H

#include "memory_store.h"

struct memory_rows {
    struct rows base;
    struct arena arena;
    struct store_value *cells; /* rows × columns */
    ptrdiff_t count, capacity, at;
};

/* One query being answered. */
struct answering {
    struct memory_store *store;
    struct memory_rows *rows;
    const struct store_value *parameters;
    struct error *error;
};

/* A row more; ids are copied, texts are not. Without memory it says so in of->error. */
bool memory_add_row(struct answering *of, const struct store_value *cells);

bool memory_is_id(const struct store_value *value, const struct uuid *id);
struct store_value memory_real(double number);

/* JSON: a list's elements as texts in the arena. */
struct elements {
    struct arena *arena;
    const char **items;
    ptrdiff_t count, capacity;
    bool failed;
};
/* The caller frees the items with memory_free, whatever this returns. */
bool memory_list(struct answering *of, struct elements *elements, const char *json, const char *path);

/* memory_known.c */
bool memory_known(struct answering *of);
bool memory_due(struct answering *of);
bool memory_count_new(struct answering *of);
bool memory_count_reviewed(struct answering *of);
bool memory_newest(struct answering *of);
bool memory_later(struct answering *of);
bool memory_coming(struct answering *of);
bool memory_days(struct answering *of);
bool memory_all_questions(struct answering *of);

/* memory_totals.c */
bool memory_totals(struct answering *of);
bool memory_practised(struct answering *of);
bool memory_fitted(struct answering *of);

/* memory_exam.c */
bool memory_papers(struct answering *of);

/* memory_responses.c */
bool memory_responses(struct answering *of);

/* memory_report.c: all that reports read. */
bool memory_report(struct answering *of, int query);
bool memory_attempts(struct answering *of,
                     int query); /* memory_attempts.c: of those, what is not summed up */
const struct memory_learner *memory_learner_of(const struct memory_store *store, const struct uuid *id);
/* Whether a parameter, where it is not null, is this: a group's key, an id, a text. */
bool memory_is_member(const struct memory_store *store, const struct store_value *group,
                      const struct uuid *learner);
bool memory_fits_id(const struct store_value *value, const struct uuid *id);
bool memory_fits_text(const struct store_value *value, const char *text);

/* memory_known.c: what the columns of QUERY_KNOWN say. The fold must live as long as the rows. */
void memory_known_cells(const struct memory_question *question, const struct fold *fold,
                        struct store_value *cells);

/* memory_roster_rows.c */
bool memory_roster_rows(struct answering *of);

/* memory_exam.c */
bool memory_exams(struct answering *of);
bool memory_handed_in(struct answering *of);
bool memory_kiosk(struct answering *of);

#endif
