/*
 * What the loader and the checks say of a pack: a place, a rule's name, a sentence, and what to write
 * instead. A list of them owns its texts. Printing knows the source line and puts a caret under the place.
 */
#ifndef QUIZTUTOR_DIAGNOSTIC_H
#define QUIZTUTOR_DIAGNOSTIC_H

#include <quiztutor/buffer.h>
#include <quiztutor/memory.h>

enum severity { SEVERITY_ERROR, SEVERITY_WARNING };

enum { DIAGNOSTIC_SHOWN = 100 }; /* errors kept and printed, and as many warnings; how many more is said */

struct diagnostic {
    enum severity severity;
    const char *file;         /* as named on the command line */
    int line, column;         /* from 1; a column is one code point */
    int end_line, end_column; /* one past the last code point; equal to the start where unknown */
    const char *rule;         /* static: "unknown-key" */
    const char *message;      /* one sentence, no full stop */
    const char *hint;         /* what to do, or NULL */
    const char *source;       /* the source line, without its newline, or NULL */
    int source_column; /* column of the first code point of `source`, where a very long line is cut; 0 is 1 */
    int serial;        /* how many came before it; set by diagnostics_add */
};

struct diagnostics {
    struct arena arena;
    struct diagnostic *items; /* in the order of their places */
    ptrdiff_t count, capacity;
    int errors, warnings;
    int errors_left_out, warnings_left_out; /* past DIAGNOSTIC_SHOWN: counted, not kept */
    bool failed;                            /* no memory: the list is not whole */
};

/* How far a list has come. */
struct diagnostics_mark {
    int errors, warnings, errors_left_out, warnings_left_out;
};

void diagnostics_init(struct diagnostics *list);
void diagnostics_finish(struct diagnostics *list);

/* Adds one, at its place among those of the same file; `rule` must be static, all other texts are copied.
 * Message and hint are kept in their visible form. */
void diagnostics_add(struct diagnostics *list, const struct diagnostic *diagnostic);

struct diagnostics_mark diagnostics_here(const struct diagnostics *list);

/* Takes back what came after the mark: what turned out to follow from a slip that is told better. */
void diagnostics_withdraw(struct diagnostics *list, struct diagnostics_mark mark);

/* True while one more of this severity would be kept: else its source line need not be looked for. */
bool diagnostics_room(const struct diagnostics *list, enum severity severity);

/*
 * `file:line:column: error: text [rule]`, the source line, a caret line, and `hint: …`, for every diagnostic;
 * then how many more. The file name and the source are made visible (no control reaches a terminal).
 */
void diagnostics_print(const struct diagnostics *list, struct buffer *out);

/* One JSON array of {file,line,column,end_line,end_column,severity,rule,message,hint}; continues an open
 * array when *comma is true. The caller writes the brackets. */
void diagnostics_json(const struct diagnostics *list, struct buffer *out, bool *comma);

#endif
