#include "postgres_sums.h"

#include <string.h>

static const struct table {
    const char *name;
    const char *columns;  /* but for the school */
    const char *elements; /* a letter each: i integer, r real, t text, u id, b bytes */
} tables[SUMS_TABLES] = {
    [SUMS_SCHEDULE] = { "schedule",
                        "learner_id, pack_id, question_id, revision, content, phase, step, stability,"
                        " difficulty, answers, lapses, run, run_day, last_at, last_day, due_day, due_at,"
                        " interval_days, retention, outcome, answered_at, counted, right_answers, last_seq,"
                        " starred, suspended, first_outcome, first_share, first_at, first_offset,"
                        " first_revision, best_share, misses, elapsed_ms, given, mastered, regraded",
                        "utttbiirriiiiiiiiirtiiiiiitriitriiiii" },
    [SUMS_PACK] = { "learner_pack",
                    "learner_id, pack_id, questions, attempts, first_right, first_partly, first_wrong,"
                    " first_omitted, first_shares, elapsed_ms, mastered, stuck, sessions, first_at, last_at,"
                    " first_offset, last_offset, regraded",
                    "utiiiiiiiiiiiiiiii" },
    [SUMS_DAY] = { "learner_day",
                   "learner_id, day, attempts, given, right_answers, firsts, first_shares, elapsed_ms, fresh",
                   "uiiiiiiii" },
};

static enum postgres_element element_of(char letter)
{
    return letter == 'i'   ? POSTGRES_INTEGER
           : letter == 'r' ? POSTGRES_REAL
           : letter == 't' ? POSTGRES_TEXT
           : letter == 'u' ? POSTGRES_ID
                           : POSTGRES_BYTES;
}

void postgres_sums_init(struct postgres_sums *sums)
{
    memset(sums, 0, sizeof *sums);
    for (int i = 0; i < SUMS_TABLES; i++)
        for (int k = 0; tables[i].elements[k]; k++)
            postgres_array_init(&sums->columns[i][k], element_of(tables[i].elements[k]));
}

void postgres_sums_finish(struct postgres_sums *sums)
{
    for (int i = 0; i < SUMS_TABLES; i++)
        for (int k = 0; tables[i].elements[k]; k++)
            postgres_array_finish(&sums->columns[i][k]);
}

/* A row's columns one after the other. */
struct filling {
    struct postgres_array *next;
};

static void integer(struct filling *row, int64_t value)
{
    postgres_array_integer(row->next++, value);
}

static void real(struct filling *row, double value)
{
    postgres_array_real(row->next++, value);
}

static void text(struct filling *row, const char *value)
{
    postgres_array_text(row->next++, value);
}

static void null(struct filling *row)
{
    postgres_array_null(row->next++);
}

static void offset(struct filling *row, struct sums_offset value)
{
    if (value.is)
        integer(row, value.s);
    else
        null(row);
}

static struct filling begin(struct postgres_sums *sums, enum postgres_table table, const struct uuid *learner)
{
    enum { ROW = 400 }; /* bytes, about */
    struct filling row = { sums->columns[table] };
    sums->bytes += ROW;
    postgres_array_uuid(row.next++, learner);
    return row;
}

static void put_schedule(struct filling *row, const struct schedule *schedule)
{
    integer(row, (int64_t)schedule->phase);
    integer(row, schedule->step);
    real(row, schedule->memory.stability);
    real(row, schedule->memory.difficulty);
    integer(row, schedule->answers);
    integer(row, schedule->lapses);
    integer(row, schedule->run);
    integer(row, schedule->run_day);
    integer(row, schedule->last_at);
    integer(row, schedule->last_day);
    integer(row, schedule->due_day);
    integer(row, schedule->due_at);
    integer(row, schedule->interval);
}

static void put_summary(struct filling *row, const struct fold *fold, struct sums_offset first)
{
    const struct summary *summary = &fold->summary;
    text(row, summary->first ? outcome_name(summary->first_outcome) : NULL);
    if (summary->first)
        real(row, summary->first_share);
    else
        null(row);
    if (fold->is.seen)
        integer(row, summary->first_at);
    else
        null(row);
    offset(row, first);
    text(row, fold->is.seen ? summary->first_revision : NULL);
    if (summary->marked)
        real(row, summary->best_share);
    else
        null(row);
    integer(row, summary->misses);
    integer(row, summary->elapsed_ms);
    integer(row, summary->given);
    integer(row, summary->mastered);
}

void postgres_sums_question(struct postgres_sums *sums, const struct uuid *learner, const char *pack,
                            const char *question, const struct fold *fold, struct sums_offset first,
                            int64_t regraded)
{
    const struct store_schedule *is = &fold->is;
    struct filling row = begin(sums, SUMS_SCHEDULE, learner);
    text(&row, pack);
    text(&row, question);
    text(&row, is->revision);
    postgres_array_hash(row.next++, &is->content);
    put_schedule(&row, &is->schedule);
    real(&row, fold->retention);
    text(&row, is->seen ? outcome_name(is->last) : "");
    integer(&row, is->answered_at);
    integer(&row, is->counted);
    integer(&row, is->right);
    integer(&row, fold->last_seq);
    integer(&row, is->starred);
    integer(&row, is->suspended);
    put_summary(&row, fold, first);
    integer(&row, regraded);
}

void postgres_sums_pack(struct postgres_sums *sums, const struct uuid *learner, const char *pack,
                        const struct summary_sums *of, int64_t sessions, const struct summary_span *span,
                        struct sums_offset first, struct sums_offset last, int64_t regraded)
{
    struct filling row = begin(sums, SUMS_PACK, learner);
    text(&row, pack);
    integer(&row, of->questions);
    integer(&row, of->attempts);
    integer(&row, of->firsts[OUTCOME_RIGHT]);
    integer(&row, of->firsts[OUTCOME_PARTLY]);
    integer(&row, of->firsts[OUTCOME_WRONG]);
    integer(&row, of->firsts[OUTCOME_OMITTED]);
    integer(&row, of->shares);
    integer(&row, of->elapsed_ms);
    integer(&row, of->mastered);
    integer(&row, of->stuck);
    integer(&row, sessions);
    integer(&row, span->first);
    integer(&row, span->last);
    offset(&row, first);
    offset(&row, last);
    integer(&row, regraded);
}

void postgres_sums_day(struct postgres_sums *sums, const struct uuid *learner, const struct summary_day *day)
{
    struct filling row = begin(sums, SUMS_DAY, learner);
    integer(&row, day->day);
    integer(&row, day->attempts);
    integer(&row, day->given);
    integer(&row, day->right);
    integer(&row, day->firsts);
    integer(&row, day->shares);
    integer(&row, day->elapsed_ms);
    integer(&row, day->fresh);
}

static bool write_table(struct postgres_array *columns, const struct table *table, struct postgres *postgres,
                        int64_t school, struct error *error)
{
    struct postgres_values values = { 0 };
    struct buffer sql;
    bool done = true;
    buffer_init(&sql);
    buffer_print(&sql, "INSERT INTO %s(school, %s) SELECT $1, * FROM unnest(", table->name, table->columns);
    postgres_put_integer(&values, school);
    for (int i = 0; done && table->elements[i]; i++) {
        buffer_print(&sql, "%s$%d::%s", i ? ", " : "", i + 2, postgres_array_type(columns[i].element));
        done = postgres_put_array(&values, &columns[i], error);
    }
    buffer_text(&sql, ")");
    done = done && (!sql.failed || error_memory(error)) &&
           postgres_run(postgres, buffer_get(&sql), &values, NULL, error);
    buffer_finish(&sql);
    return done;
}

bool postgres_sums_write(struct postgres_sums *sums, struct postgres *postgres, int64_t school,
                         struct error *error)
{
    bool done = true;
    for (int i = 0; i < SUMS_TABLES; i++) {
        struct postgres_array *columns = sums->columns[i];
        if (done && columns[0].count)
            done = write_table(columns, &tables[i], postgres, school, error);
        for (int k = 0; tables[i].elements[k]; k++)
            postgres_array_clear(&columns[k]);
    }
    sums->bytes = 0;
    return done;
}
