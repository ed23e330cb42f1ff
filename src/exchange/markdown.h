/*
 * A pack as one Markdown file, as a tutor writes it:
 *
 *   # Title
 *   Id: my-pack                      of the pack; so is "Language: de"; other paragraphs are its description
 *
 *   ## Section                       its paragraphs are its intro; "Pick: 3" asks three of its questions
 *
 *   ### tensor-parallelism           an id; any other heading is the prompt's first paragraph
 *   Which way splits one matrix over several devices?
 *
 *   - [x] Tensor parallelism         choices: [x] is right, [ ] is wrong
 *   - [ ] Pipeline parallelism
 *     > It splits between layers.    feedback for who chose it
 *     > Misconception: splits-layers   (likewise "Id: x" and "Pin: last")
 *
 *   Why: Each device holds a part of every matrix.      or Explanation:, or a quotation "> Why: …"
 *   Hint: …    Tags: one, two    Source: …    Marks: 2    Marking: net-correct    Shuffle: false
 *
 * In the place of choices: "Answer: true"; a number, "Answer: 0.27 ± 0.01 GiB" or "± 5%"; texts, "Answer:
 * text | other" (in quotation marks where one would be taken for a number or true); "Back: …" for a card to
 * recall; a numbered list for the right order; a table of two columns for what belongs together, a row
 * without a left side being an extra. A list of [ ] below a number or a text holds known wrong answers.
 * "Feedback:" and "Misconception:" go with true or false, orders and matches; "Unit:", "Tolerance:",
 * "Significant figures:" and "Ignore: case, accents" with what is typed; "Type: multiple-choice" with one
 * right choice. A fenced block ```figure is the figure, behind the explanation its figure. Emphasis and code
 * are light markup. A rule (---) and <!-- remarks --> are passed over; what else stands there is told.
 */
#ifndef EXCHANGE_MARKDOWN_H
#define EXCHANGE_MARKDOWN_H

#include "line_reader.h"

#include <quiztutor/exchange.h>

/* ---- lines ---- */

enum markdown_label {
    LABEL_NONE,
    LABEL_ANSWER,
    LABEL_BACK,
    LABEL_FRONT,
    LABEL_TYPE,
    LABEL_TOLERANCE,
    LABEL_UNIT,
    LABEL_FIGURES,
    LABEL_IGNORE,
    LABEL_WHY,
    LABEL_HINT,
    LABEL_TAGS,
    LABEL_SOURCE,
    LABEL_MARKS,
    LABEL_MARKING,
    LABEL_FEEDBACK,
    LABEL_MISCONCEPTION,
    LABEL_SHUFFLE,
    LABEL_ID,
    LABEL_PIN,
    LABEL_PICK,
    LABEL_LANGUAGE,
    LABELS
};

/* The word that the writer puts before ":". */
const char *markdown_label_word(enum markdown_label label);

/* Letters of a single capitalised word with a colon at the start of a line ("Level: 2", "**Level:**"), which
 * may have been meant as a field; 0 where there is none. `word` is where it begins. */
ptrdiff_t markdown_field(const struct text_line *line, const char **word);

/* The label at the start of a line ("Answer:", "**Answer:**"), and the line moved behind it. */
enum markdown_label markdown_label(struct text_line *line);

/* Spaces before the line's text, a tab counting up to the next 4th. */
int markdown_indent(const struct text_line *line);

bool markdown_blank(const struct text_line *line);

/* The line without up to `columns` of white space at its start. */
struct text_line markdown_outdent(struct text_line line, int columns);

/* 1 to 6 for "### Heading", *text being the heading; else 0. */
int markdown_heading(const struct text_line *line, struct text_line *text);

/* Signs of a fence that opens here, ``` or ~~~, at least 3; else 0. *info: the word behind it. */
int markdown_fence(const struct text_line *line, struct text_line *info);
bool markdown_fence_ends(const struct text_line *line, const struct text_line *opening);

/* Behind the block that a fence at `at` opens; `at` where none does. */
ptrdiff_t markdown_skip_fence(const struct text_line *lines, ptrdiff_t at, ptrdiff_t count);

/* Columns up to the text of an item "- text", "* text", "+ text" or "1. text", "1) text"; else 0. */
int markdown_bullet(const struct text_line *line, struct text_line *text);
int markdown_number(const struct text_line *line, struct text_line *text);

/* Of a bullet's text "[x] text": 'x', ' ' or 0, *text moved behind the box. */
char markdown_box(struct text_line *text);

bool markdown_rule(const struct text_line *line);      /* --- *** ___ */
bool markdown_delimiter(const struct text_line *line); /* | --- | :--- | */
bool markdown_quote(const struct text_line *line, struct text_line *text);

/* The next cell of a table's row from *line on; false at its end. */
bool markdown_cell(struct text_line *line, struct text_line *cell);

/* ---- texts ---- */

enum markdown_style {
    MARKDOWN_MARKED, /* emphasis and code become light markup, where the import has it */
    MARKDOWN_PLAIN,  /* they are taken off */
};

/* Appends a paragraph's text: escapes resolved, line ends made spaces but for hard breaks. Notes what is left
 * out. */
void markdown_inline(struct import *import, struct buffer *out, const char *text, ptrdiff_t length,
                     enum markdown_style style);

/* Whether the bytes hold emphasis or code: then texts are in light markup. False alarms are harmless. */
bool markdown_marks(const char *bytes, ptrdiff_t length);

/*
 * Appends lines as a text: paragraphs, lists whose items are lines, code in fenced blocks. A block ```figure
 * becomes *figure where the caller has room for one. `out` may hold a text already: then a new paragraph
 * begins.
 */
void markdown_flow(struct import *import, struct buffer *out, const struct text_line *lines, ptrdiff_t count,
                   enum markdown_style style, const char **figure);

/* ---- questions ---- */

enum markdown_part_kind {
    PART_TEXT,     /* paragraphs, code */
    PART_LABEL,    /* "Why: …" and what goes on with it */
    PART_CHOICE,   /* "- [x] …" and what is indented below it */
    PART_BULLET,   /* "- …", likewise */
    PART_QUOTE,    /* "> …" */
    PART_NUMBERED, /* a whole list "1. …" */
    PART_TABLE,
};

struct markdown_part {
    enum markdown_part_kind kind;
    enum markdown_label label;
    bool right;         /* [x] */
    bool boxless;       /* a bullet in a list of boxes */
    bool close;         /* no blank line stands before it */
    int outdent;        /* columns of its text, of an item */
    ptrdiff_t from, to; /* its lines; the first still has its marker */
};

struct markdown_parts {
    struct markdown_part *items;
    ptrdiff_t count, capacity;
};

/* Cuts lines into parts, which cover all that is not blank. False without memory. */
bool markdown_cut(struct markdown_parts *parts, const struct text_line *lines, ptrdiff_t count);

enum { MARKDOWN_HINTS = 100, MARKDOWN_WRONGS = 100 };

/* A question being read. */
struct markdown_reading {
    struct import *import;
    struct question question;
    struct text_line *lines;
    struct markdown_parts parts;
    struct buffer prompt, why, back, feedback, source;
    struct buffer *target; /* of paragraphs without a label */
    const char *figure, *why_figure;
    const char *hints[MARKDOWN_HINTS];
    int hint_count;
    struct text_list tags;
    struct choice choices[MARKDOWN_WRONGS];
    struct known_wrong wrongs[MARKDOWN_WRONGS];
    int choice_count;
    ptrdiff_t key_part; /* the list or table that is the answer; -1: none is */
    bool key_seen;      /* what follows explains it */
    bool answered, typed, recalled, multiple, left_out;
};

/* Leaves the question out, once. */
void markdown_leave_out(struct markdown_reading *reading, const char *why, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads the lines below a heading as a question and takes it, or leaves it out. They may be changed.
 * `ordinal`: its number within the file, `place` within its section: numbering that says the same is taken
 * off the heading. */
void markdown_question(struct import *import, const struct text_line *heading, struct text_line *lines,
                       ptrdiff_t count, int ordinal, int place);

/* Whether the lines hold a choice, an "Answer:" or a "Back:". False without memory, too. */
bool markdown_has_key(const struct text_line *lines, ptrdiff_t count);

/* Reads a choice, or where an answer is typed a known wrong one; `lines` are its own, without marker. */
void markdown_choice(struct markdown_reading *reading, struct text_line *lines, ptrdiff_t count, bool right);

/* A quotation below the last choice; the lines have lost their ">". */
void markdown_choice_quote(struct markdown_reading *reading, struct text_line *lines, ptrdiff_t count);

/* A numbered list as the right order; a table of two columns as what belongs together. */
void markdown_order(struct markdown_reading *reading, const struct markdown_part *part);
void markdown_match(struct markdown_reading *reading, const struct markdown_part *part);

/* The answer behind "Answer:", in the question's key: true or false, a number, texts. False: left out. */
bool markdown_answer(struct import *import, struct question *question, const char *text, ptrdiff_t length);

/* A label that goes with what is typed: "Unit:", "Tolerance:", "Significant figures:", "Ignore:". */
void markdown_typed(struct markdown_reading *reading, enum markdown_label label, const char *value);

/* The next text of a list parted by `separator`, raw, from *at on; "a | b", also in quotation marks. */
bool markdown_list_next(const char **at, const char *end, char separator, struct text_line *item,
                        bool *quoted);

/* A text without markup, in the arena; NULL where it is empty. */
const char *markdown_plain(struct import *import, const char *text, ptrdiff_t length, bool one_line);

#endif
