/*
 * Where a tutor is among the reports: tables that were opened one from another, each with its place. Only the
 * one that is shown is held; what lies behind it is made anew when the tutor goes back. Private to app.
 */
#ifndef QUIZTUTOR_TUTOR_WALK_H
#define QUIZTUTOR_TUTOR_WALK_H

#include "present_report.h"

#include <quiztutor/tutor.h>

enum { WALK_LEVELS = 8, WALK_OTHERS = 4 };

struct walk_level {
    enum report_kind kind;
    char *learner, *pack, *tag, *question, *revision; /* NULL: as the tutor's filter has it */
    char *row;                                        /* id of the row that was left by opening it, or NULL */
    int table;                                        /* of the report */
    bool seen;                                        /* was shown: `place` is the tutor's own */
    struct table_place place;
};

struct walk {
    const struct tutor *tutor;
    bool ascii;
    struct walk_level levels[WALK_LEVELS];
    int depth; /* of the level shown, from 0 */
    bool made; /* `shown` holds its table */
    struct presented shown;
    const char *others[WALK_OTHERS];
};

/* The reports that the digits go to. */
extern const enum report_kind walk_others[WALK_OTHERS];

void walk_init(struct walk *walk, const struct tutor *tutor, bool ascii);
void walk_finish(struct walk *walk);

struct walk_level *walk_level(struct walk *walk);        /* the one shown */
const struct table_model *walk_model(struct walk *walk); /* its table, arranged at its place */

/*
 * Makes the table of the level that is shown, from the stores as they are now; the cursor stays on its row.
 * The first time it comes to stand at the top. False: *error says why, and what was shown is shown still.
 */
bool walk_make(struct walk *walk, struct error *error);

/* Where each goes its table is made; where that can't be the tutor stays where they are. walk_open: what a
 * row of the model opens. walk_table: another table of the report. walk_see: another report, by its place
 * among walk_others; all that was opened is left. */
bool walk_open(struct walk *walk, int row, struct error *error);
bool walk_back(struct walk *walk, struct error *error); /* at the first table it does nothing */
bool walk_table(struct walk *walk, int table, struct error *error);
bool walk_see(struct walk *walk, int other, struct error *error);

/* Makes the table anew and writes the rows that are shown, in their order, to a file of this name; its ending
 * says how: .csv, .json, .html, .htm or .txt. `~/` at its beginning is the home folder. */
bool walk_export(struct walk *walk, const char *path, struct error *error);

/* The report of the level shown. */
bool walk_report(struct walk *walk, struct report *report, struct error *error);
bool walk_present(struct walk *walk, const struct report *report, struct error *error);

#endif
