/*
 * Reports: what the store says, as a document of figures and tables that every writer can write. A figure
 * that can't be computed is absent with its reason, never a number that means nothing. Texts live as long as
 * the report; what is translated is so when the report is made, the names of columns and figures never are.
 */
#ifndef QUIZTUTOR_REPORT_H
#define QUIZTUTOR_REPORT_H

#include <quiztutor/buffer.h>
#include <quiztutor/library.h>
#include <quiztutor/store.h>

enum report_kind {
    REPORT_PROGRESS,
    REPORT_CLASS,
    REPORT_ITEMS,
    REPORT_MISCONCEPTIONS,
    REPORT_PROBLEMS,
    REPORT_GRADES,
    REPORT_ATTEMPTS,
    REPORTS
};

/* Which attempts at a question count: `first` by default, since later ones have seen the explanation. */
enum report_attempts { ATTEMPTS_FIRST, ATTEMPTS_LAST, ATTEMPTS_BEST, ATTEMPTS_ALL };

/* What the options ask for; NULL, 0 and false ask for everything. */
struct report_filter {
    const char *pack, *learner, *group, *tag, *revision;
    const char *const
        *packs; /* several, pack_count of them; then `pack` is NULL. Of a class each apart, too */
    int pack_count;
    const char *session;  /* "practice", "exam", "paper" */
    int64_t since, until; /* local days, inclusive, numbered from 1970-01-01 */
    bool has_since, has_until;
    enum report_attempts attempts;
    const char *gradebook; /* REPORT_GRADES: "moodle", "canvas" */
    int day_starts;        /* minutes after midnight */
    bool details;          /* figures and columns that only a details page has */
};

enum cell_kind {
    CELL_ABSENT, /* not available: `why` says so */
    CELL_TEXT,
    CELL_WHOLE,   /* a count */
    CELL_REAL,    /* `decimals` of its column where people read it, unrounded in CSV and JSON */
    CELL_PERCENT, /* likewise: 83.333333 */
    CELL_SHARE,   /* 0 to 1, shown in per cent */
    CELL_MOMENT,  /* ms since 1970, with the offset of the moment */
    CELL_DAY,     /* days since 1970 */
    CELL_SPAN,    /* ms */
    CELL_TRUTH,
    CELL_NOTHING, /* nothing to say here; no reason needed */
};

struct report_cell {
    enum cell_kind kind;
    bool stands_out;  /* to be looked at first: a flag, the worst */
    const char *text; /* CELL_TEXT */
    const char
        *note; /* CELL_TEXT: behind it in brackets for people, where a column far off says it; or NULL */
    const char *why;   /* CELL_ABSENT: "fewer than 3 attempts" */
    int64_t whole;     /* CELL_WHOLE, CELL_MOMENT, CELL_DAY, CELL_SPAN, CELL_TRUTH */
    int utc_offset_s;  /* CELL_MOMENT */
    double real;       /* CELL_REAL, CELL_PERCENT, CELL_SHARE */
    bool has_interval; /* 95 %: low to high, in the unit of `real`; of a column with `interval`, or a fact */
    double low, high;
    const double *trend; /* a sparkline beside it: values from 0 to 1, NAN for none; left out of CSV */
    int trend_count;
};

struct report_column {
    const char *name;  /* "discrimination": in CSV and JSON, words joined by _ */
    const char *title; /* N_(): heading */
    const char *unit; /* N_(): "points"; NULL: none, and "%" for per cents. CELL_SPAN: "h", "min", "s" or "ms"
                       * is what people read it in, with `decimals`; NULL: in words, "6 min 40 s" */
    enum cell_kind kind; /* of its cells that are not absent or nothing */
    int decimals;        /* where people read it: of CELL_REAL, CELL_PERCENT, CELL_SHARE, CELL_SPAN */
    bool bar;            /* a bar beside a share or a per cent */
    bool interval;       /* cells have intervals: CSV and JSON get <name>_low and <name>_high besides */
    bool detail; /* in CSV and JSON, in a part of its own in HTML; in text where the report has `details` */
    bool leads;  /* in HTML right behind the first column: what rows are looked through for */
    int rank;    /* 0: always shown; higher ones go first where the terminal is narrow */
};

struct report_table {
    const char *name;  /* "items": the list's name in JSON */
    const char *title; /* translated; NULL: that of the report */
    const char *empty; /* translated: why there are no rows */
    const struct report_column *columns;
    int column_count;
    const struct report_cell *rows; /* row after row */
    int row_count;
    /* a table too long to be held: rows come one at a time (row_count −1), once only. 1: a row, 0: the end,
     * −1: an error. The cells come in cleared; what they point to must last until the next call. */
    int (*next)(void *context, struct report_cell *cells, struct error *error);
    void *context;
    bool continues; /* the one before, whose columns it has: CSV writes its rows below those, and JSON has one
                     * list of all that follow one another under one name */
    /* what a row opens: its id in the next report down (a learner's, a question's); NULL: nothing */
    const char *const *opens;
};

struct report_fact {
    const char *name;  /* "alpha" */
    const char *title; /* translated */
    const char *unit;  /* N_(), as of a column */
    struct report_cell cell;
    int decimals;
    bool detail;
};

struct report_chart {
    const char *name, *title; /* translated title */
    bool line;                /* else bars */
    bool share;               /* values from 0 to 1, in per cent */
    const char *unit;         /* N_(), as of a column */
    int decimals;             /* of the values, where people read them */
    const char *const *labels;
    const double *values; /* NAN: none */
    int count;
};

struct report {
    enum report_kind kind;
    const char *title, *subtitle; /* translated */
    const struct report_fact *facts;
    int fact_count;
    const struct report_chart *charts;
    int chart_count;
    const struct report_table *tables;
    int table_count;
    const char *const
        *notes; /* translated: how the numbers were made: attempts used, learners, days, revisions */
    int note_count;
    struct report_cell made; /* when: CELL_MOMENT, else not known */
    bool details;            /* what is `detail` is shown to people from the start */
    struct arena arena;      /* private */
    void *owned;             /* private: what streaming tables need, and who ends it */
    void (*end)(void *owned);
};

/* "progress", … */
const char *report_kind_name(enum report_kind kind);
const char *report_attempts_name(enum report_attempts attempts);
bool report_kind_read(enum report_kind *kind, const char *name);
bool report_attempts_read(enum report_attempts *attempts, const char *name);

/* Makes a report over one or several stores (taken together, attempts of the same id once). The library gives
 * titles, tags and lines of questions, and may be NULL. Stores and library must outlive the report. */
bool report_make(struct report *report, enum report_kind kind, struct store *const *stores, int store_count,
                 struct library *library, const struct report_filter *filter, const struct clock *clock,
                 struct error *error);
void report_finish(struct report *report);

/*
 * ---- writers ----
 *
 * All are linear in what they write, hold no streaming table in memory, and end at the first piece that the
 * sink refuses, with its error. Names of facts and tables are members of one JSON object: each once, and none
 * of them report, title, subtitle, not_available, charts or notes.
 *
 * Text is for terminals, of at most look.columns columns. A flag that stands out has a ! behind it.
 *
 * CSV holds the *first* table alone (and those that continue it), all its columns: UTF-8 without a byte order
 * mark, rows ended by CRLF (RFC 4180; spreadsheets take either). A text that begins with = + - @ TAB or '
 * gets a leading '. Numbers are in the shortest form that reads back equal, never quoted; shares from 0 to 1,
 * spans in ms, moments as 2026-11-30T10:55:00.000+01:00, days as 2026-11-30, truths true and false; what is
 * absent is empty.
 *
 * JSON is one object, with the same values: report (its kind), title, subtitle, facts by their names (an
 * interval as <name>_low and <name>_high, a trend as <name>_trend), not_available (by name, why), tables as
 * lists of objects by their names, where a row with absent cells has a not_available of its own, charts,
 * notes.
 *
 * HTML is one page that needs nothing else.
 *
 * PDF is A4, for ink: facts beside each other, charts, tables over as many pages as they take. Progress ends
 * its list of misses early, and says so, where all else then has room on one page. What no installed font has
 * is given by its code point. Up to 20,000 cells it has a structure for screen readers. It is of the second
 * program, which calls report_add_pdf first; report_writes says whether one can.
 */
enum report_to { TO_TEXT, TO_CSV, TO_JSON, TO_HTML, TO_PDF, REPORT_TO };

/* Where it is written, piece by piece. False: it can't be, and nothing more is written. */
struct report_sink {
    bool (*put)(void *context, const char *text, ptrdiff_t length, struct error *error);
    void *context;
};

struct report_look {
    int columns; /* of the terminal, 20 at least; 0: 80 */
    bool ascii;  /* no bars and sparklines beyond ascii */
    bool styles; /* bold and colour by escape sequences */
};

void report_add_pdf(void);
bool report_writes(enum report_to to);
bool report_write(const struct report *report, enum report_to to, const struct report_look *look,
                  const struct report_sink *sink, struct error *error);

/*
 * ---- words ----
 *
 * What people read of a cell, for whoever shows a report in another way. `unit` and `decimals` are those of
 * its column or fact. A number that is none counts as absent.
 */
bool report_is_absent(const struct report_cell *cell);
const char *report_why(const struct report_cell *cell); /* translated, never NULL */
bool report_is_number(enum cell_kind kind);             /* aligned to the right */

/* "min", "%": translated, to stand in a heading; NULL: none. */
const char *report_unit(enum cell_kind kind, const char *unit);

/* "83", "6 min 40 s", a text that can't drive a terminal; with `whole` "83%", "4 min". Nothing for what is
 * absent or has nothing to say. */
void report_say(struct buffer *out, const struct report_cell *cell, const char *unit, int decimals,
                bool whole);

/* "52–95", or nothing. */
void report_say_interval(struct buffer *out, const struct report_cell *cell, int decimals, bool ascii);

/* From 0 to 1, of a share or a per cent; NAN for none. */
double report_share(const struct report_cell *cell);

#endif
