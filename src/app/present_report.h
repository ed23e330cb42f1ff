/*
 * A table of a report as the screens and lines show it. The model and all its texts belong to the struct
 * presented; the report may end before it. Private to app.
 */
#ifndef QUIZTUTOR_PRESENT_REPORT_H
#define QUIZTUTOR_PRESENT_REPORT_H

#include <quiztutor/report.h>
#include <quiztutor/view.h>

enum { PRESENT_ROWS = 20000, PRESENT_COLUMNS = 64 };

/* Of which question the choices are wanted; its row among the items becomes the facts. */
struct present_choices {
    const char *pack, *question, *revision; /* pack, revision: NULL: any */
};

struct presented {
    struct table_model model;
    struct table_work work;
    struct arena arena;
    struct table_cell *cells;
    const char **ids, **opens;
    int worst; /* the column that has the worst on top when it is sorted by; −1: the report has it so */
    int *rows; /* places of the rows in the report's table: not those of other questions */
    ptrdiff_t cell_capacity, id_capacity, open_capacity, row_capacity;
};

/* What a row opens, read from model.opens: a learner, a question or the questions of a pack. Texts are parts
 * of `copy`, which the caller frees. */
enum opens_kind { OPENS_LEARNER = 'L', OPENS_QUESTION = 'Q', OPENS_PACK = 'P' };
struct opened {
    enum opens_kind kind;
    const char *learner;
    const char *pack, *question, *revision; /* pack of OPENS_LEARNER "": all; revision "": any */
    const char *tag;                        /* of OPENS_PACK, "": all */
    char *copy;
};
bool present_opened(struct opened *opened, const char *opens); /* false: no memory */

/* Table `table` of the report, or (choices not NULL) the choices of a question. A table that is written row
 * by row is read, up to PRESENT_ROWS. presented_finish in any case. `ascii`: intervals have no dash beyond
 * it. */
bool present_report(struct presented *presented, const struct report *report, int table,
                    const struct present_choices *choices, bool ascii, struct error *error);
void presented_finish(struct presented *presented);

/* Where a report's table of this name is; −1: it has none. */
int present_find_table(const struct report *report, const char *name);

#endif
