/*
 * Building a report: what the builders of every kind share. A builder (a row of the table in report.c) reads
 * the stores and adds facts, tables, charts and notes. Memory that runs out is remembered (`failed`) and told
 * once by report_make, so cells and texts can be made without looking each time. Texts live in the report's
 * arena.
 */
#ifndef REPORT_BUILD_H
#define REPORT_BUILD_H

#include <quiztutor/report.h>

struct build_people; /* people.h: whose attempts it is about */
struct build_packs;

enum { BUILD_COLUMNS = 64, BUILD_ROWS = 10000000 }; /* a table's, at most */

struct build {
    struct report *report;
    struct store *const *stores;
    int store_count;
    struct library *library; /* NULL: none */
    const struct report_filter *filter;
    int64_t now, today; /* ms since 1970; local day */
    int utc_offset_s;
    struct error *error;
    bool failed; /* memory ran out */
    struct build_people *people;
    struct build_packs *packs;        /* packs.c: what the library has of the packs asked for */
    struct report_filter *own_filter; /* private, as is what follows */
    ptrdiff_t fact_capacity, chart_capacity, table_capacity, note_capacity; /* in the heap
                                                                             * until the end */
};

/* False: build->error says why. */
typedef bool build_function(struct build *build);
bool build_progress(struct build *build);
bool build_class(struct build *build);
bool build_items(struct build *build);
bool build_misconceptions(struct build *build);
bool build_problems(struct build *build);
bool build_grades(struct build *build);
bool build_attempts(struct build *build);

/* Texts in the arena; "" (and `failed`) without memory. NULL stays NULL. */
const char *build_copy(struct build *build, const char *text);
const char *build_say(struct build *build, const char *format, ...) __attribute__((format(printf, 2, 3)));
void *build_room(struct build *build, ptrdiff_t size); /* cleared; NULL (and `failed`) without memory */

/* Cells. Texts are not copied. `why` is translated. */
struct report_cell build_text(const char *text); /* NULL: nothing */
struct report_cell build_whole(int64_t number);
struct report_cell build_real(double number);
struct report_cell build_percent(double number);
struct report_cell build_share(double share);
struct report_cell build_moment(int64_t ms, int utc_offset_s);
struct report_cell build_day(int64_t day);
struct report_cell build_span(int64_t ms);
struct report_cell build_truth(bool truth);
struct report_cell build_absent(const char *why);
struct report_cell build_nothing(void);
/* A share of `right` (a sum of shares) among `count`, with Wilson's interval; absent where count is 0. */
struct report_cell build_share_of(double right, int64_t count, const char *why);
struct report_cell build_out(struct report_cell cell); /* stands out */

/*
 * A table that grows row by row. Its rows are the builder's until build_table_add has copied them into the
 * report; build_table_finish in any case.
 */
struct build_table {
    struct build *build;
    const struct report_column *columns; /* must outlive the report: static, or in the arena */
    int column_count, row_count;
    struct report_cell *cells; /* row after row */
    const char **opens;
    ptrdiff_t cell_capacity, open_capacity;
};
void build_table_start(struct build_table *table, struct build *build, const struct report_column *columns,
                       int column_count);
/* A new row's cells, all CELL_NOTHING, valid until the next row. Never NULL: without memory they go nowhere.
 * `opens` as in report_table, not copied. */
struct report_cell *build_table_row(struct build_table *table, const char *opens);
/* Sorts the rows; `order` compares the cells of two. Equal ones keep their order. */
void build_table_sort(struct build_table *table,
                      int (*order)(const struct report_cell *one, const struct report_cell *other));
/* Adds it to the report; texts are translated, not copied. */
void build_table_add(struct build_table *table, const char *name, const char *title, const char *empty);
/* The same of one that continues the one before. */
void build_table_join(struct build_table *table, const char *name, const char *title, const char *empty,
                      bool continues);
void build_table_finish(struct build_table *table);

void build_fact(struct build *build, const struct report_fact *fact);
void build_chart(struct build *build, const struct report_chart *chart);
void build_add_table(struct build *build, const struct report_table *table); /* one that is streamed */
void build_note(struct build *build, const char *note);
void build_settle(struct build *build); /* the lists are complete: report_make's */
void build_finish(struct build *build); /* report_make's, or of a report that streams its `end`'s */

/*
 * How a report was made, for its notes and facts: which attempts, how many, of how many learners, over which
 * days and revisions.
 */
struct build_made {
    int64_t attempts; /* that count */
    int64_t undone;   /* taken back, and left out */
    int64_t learners;
    int64_t first_day, last_day;  /* local days at day_starts; last < first: none */
    int64_t questions, revisions; /* revisions: of all questions; −1: not looked at */
    int64_t regraded;             /* whose mark is not the first they were given */
};
void build_made_start(struct build_made *made); /* no days yet */
void build_made_day(struct build_made *made, int64_t day);
void build_note_made(struct build *build, const struct build_made *made);
/* Its first two sentences: which attempts; how many, of whom, over which days. */
const char *build_uses(const struct build *build);
const char *build_sum(struct build *build, const struct build_made *made);
void build_note_intervals(struct build *build); /* what stands in brackets, where anything does */
void build_note_filter(struct build *build);    /* what the filter leaves out */
enum { BUILD_DAY = 40 };
void build_iso_day(char text[static BUILD_DAY], int64_t day); /* "2026-11-30" */

/* The local day of a moment, at the filter's day_starts; and whether since and until take it in. */
int64_t build_day_of(const struct build *build, int64_t ms, int utc_offset_s);
bool build_in_days(const struct build *build, int64_t day);

/* The pack of this id in the library, NULL where there is none or it does not load; loads it once. */
const struct pack *build_pack(struct build *build, const char *id);
/* "Training Across Many Devices", or the id. */
const char *build_pack_title(struct build *build, const char *id);
/* The titles of the packs that the filter names, "A, B"; NULL where it names none. */
const char *build_packs_titles(struct build *build);
/* The place of this pack among the filter's several; −1: it is none of them. */
int build_pack_place(const struct build *build, const char *id);
bool build_wants_pack(const struct build *build, const char *id); /* no or one pack in the filter: true */
/* Makes the filter's pack an id that the library or a store knows: false where none does, with the nearest.
 * Calls `visit` for each pack of the filter that a store has attempts of, by id; false ends it. */
bool build_find_packs(struct build *build);
/* sought.c: whether anybody knows the tag and the revision of the filter; else as above. */
bool build_find_sought(struct build *build);
bool build_each_pack(struct build *build, bool (*visit)(struct build *build, void *context, const char *pack),
                     void *context);
void build_packs_finish(struct build_packs *packs);

#endif
