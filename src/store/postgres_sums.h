/*
 * Rows of the tables that are made from the log (schedule, learner_pack, learner_day), gathered for many
 * learners and written in one statement a table. What a row holds is what SQLite's stores hold, and the
 * offsets from UTC that those look up and the answers graded anew that those count.
 */
#ifndef QUIZTUTOR_STORE_POSTGRES_SUMS_H
#define QUIZTUTOR_STORE_POSTGRES_SUMS_H

#include "postgres_array.h"
#include "summary.h"

enum postgres_table { SUMS_SCHEDULE, SUMS_PACK, SUMS_DAY, SUMS_TABLES };
enum { SUMS_COLUMNS = 37 };

struct postgres_sums {
    struct postgres_array columns[SUMS_TABLES][SUMS_COLUMNS];
    ptrdiff_t bytes; /* about how many are held */
};

/* An offset of an answer from UTC, where there is one. */
struct sums_offset {
    bool is;
    int s;
};

void postgres_sums_init(struct postgres_sums *sums);
void postgres_sums_finish(struct postgres_sums *sums);
void postgres_sums_question(struct postgres_sums *sums, const struct uuid *learner, const char *pack,
                            const char *question, const struct fold *fold, struct sums_offset first,
                            int64_t regraded);
void postgres_sums_pack(struct postgres_sums *sums, const struct uuid *learner, const char *pack,
                        const struct summary_sums *of, int64_t sessions, const struct summary_span *span,
                        struct sums_offset first, struct sums_offset last, int64_t regraded);
void postgres_sums_day(struct postgres_sums *sums, const struct uuid *learner, const struct summary_day *day);
/* Writes what was gathered, in the transaction that is open, and begins anew. */
bool postgres_sums_write(struct postgres_sums *sums, struct postgres *postgres, int64_t school,
                         struct error *error);

#endif
