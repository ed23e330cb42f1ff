/*
 * Exchange: packs from and to the formats of other systems. A reader turns a file's bytes into questions and
 * one line of report for each: taken, taken with a change (which), or left out (why); never a guess in
 * silence. A writer does the reverse, and reports what the format can't hold. What parses XML, zip, zstd or
 * SQLite is `heavy` and lives in the second program.
 */
#ifndef QUIZTUTOR_EXCHANGE_H
#define QUIZTUTOR_EXCHANGE_H

#include <quiztutor/buffer.h>
#include <quiztutor/pack.h>

enum exchange_format {
    EXCHANGE_GIFT,
    EXCHANGE_AIKEN,
    EXCHANGE_MOODLE_XML,
    EXCHANGE_QTI12,
    EXCHANGE_QTI21, /* 2.1 and 2.2 */
    EXCHANGE_QTI30,
    EXCHANGE_ANKI, /* text, as Anki writes and reads it */
    EXCHANGE_APKG,
    EXCHANGE_CSV,
    EXCHANGE_MARKDOWN,
    EXCHANGE_JSON, /* the pack's own keys */
    EXCHANGE_FORMATS
};

enum import_fate { IMPORT_TAKEN, IMPORT_CHANGED, IMPORT_LEFT_OUT };

struct import_line {
    int line;         /* in the file, from 1; 0: not known (in a package) */
    const char *name; /* the question's name in the file, else the beginning of its stem */
    const char *id;   /* in the pack; NULL where it is left out */
    enum import_fate fate;
    const char *what; /* translated: the changes, parted by "; ", or why it was left out; NULL where taken */
};

/*
 * One file being read. A reader opens a question, fills it in, and takes it or leaves it out; everything it
 * puts into a question lives in `arena`. Texts go through import_text, which makes of any text one that a
 * pack can hold.
 */
struct import {
    struct arena arena;
    const char *path;
    const char *id, *title, *language, *description; /* of the pack; NULL: made from the file's name */
    const char
        *label;  /* of the format that a package's documents turned out to be in; NULL: that it was read as */
    bool markup; /* texts are in light markup: escape what is not meant */
    struct question *questions;
    ptrdiff_t count, capacity;
    struct section *sections; /* grow as import_section is called */
    ptrdiff_t section_count, section_capacity;
    struct import_line *lines;
    ptrdiff_t line_count, line_capacity;
    struct import_line open; /* the question being read */
    struct buffer changes;   /* of it */
    bool failed;             /* no memory: readers may go on, it is told at the end */
    bool opened, too_long;   /* private: of the open question */
    int section;             /* private: number of the section that questions go to, 0: none yet */
    void *ids;               /* private: ids in use, sections by title */
    struct buffer scratch;   /* private: of import_text */
};

void import_init(struct import *import, const char *path);
void import_finish(struct import *import);

/* The question that follows, and all after it, belong to the section of this title (a category); the same
 * title again goes on with it. Questions before the first section get one named after the pack. The section,
 * for its intro and pick (0: all), valid until the next call; NULL without memory. */
struct section *import_section(struct import *import, const char *title);

/* Begins a question: *question is cleared, with marks 1, shuffle on, all-or-nothing. `name` may be NULL. */
void import_open(struct import *import, struct question *question, int line, const char *name);

/* Notes a change of the open question, or what was dropped of it. */
void import_change(struct import *import, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Takes the open question. Gives it an id (from question->id, a name or the stem; made unique), an
 * explanation where it has none (the key in words, noted as a change), and sees to it that it loads: a
 * question that can't be one (no right choice, two equal choices, too many, no text) is left out, and why is
 * noted. Texts of choices must be in the arena.
 */
void import_take(struct import *import, struct question *question);

/*
 * Choices, each with the share of the marks in per cent that it gives or takes. `single`: one of them is
 * picked. Makes a single or multiple choice of them, with the marking rule that carries the weights over, or
 * the one nearest to it, noted. False where that can't be (no choice gives the full mark): the question was
 * left out, why is noted.
 */
bool import_choices(struct import *import, struct question *question, struct choice *choices,
                    const double *shares, int count, bool single);

/* An answer that is typed, with its share in per cent: 100 is right, 0 is wrong, what lies between has no
 * place in a pack and counts as wrong, noted. Feedback NULL: none. */
struct import_answer {
    const char *text;     /* of a number its digits, with a decimal point */
    double share;         /* per cent */
    const char *feedback; /* of a right answer it joins the explanation */
    double tolerance;     /* of a number, absolute */
    bool exact;           /* a "*" is the sign itself */
};
/* Texts that are taken as right and known as wrong; "*" stands for any other answer, as in Moodle. Numbers
 * likewise: one of them right, with its tolerance. False: the question was left out. */
bool import_texts(struct import *import, struct question *question, const struct import_answer *answers,
                  int count, bool case_counts);
bool import_numbers(struct import *import, struct question *question, const struct import_answer *answers,
                    int count);

/*
 * Pairs, lefts[i] with rights[i], and further right texts: makes a match of them; equal right texts are one.
 * Lefts that are equal, or too few pairs, leave the question out (false).
 */
bool import_pairs(struct import *import, struct question *question, const char *const *lefts,
                  const char *const *rights, int count, const char *const *extra, int extra_count);

/* Leaves the open question out, or something else that stands in the file where a question would. */
void import_leave_out(struct import *import, const char *why, ...) __attribute__((format(printf, 2, 3)));

/*
 * A text in the arena, in the one form that a pack holds: NFC untouched, line ends made LF, control and
 * refused characters dropped (noted), lines trimmed, blank lines made one paragraph's end. `line`: one line,
 * newlines made spaces; `figure`: leading spaces and blank lines are kept. NULL for one that is empty then. A
 * text above PACK_TEXT bytes makes import_take leave the question out.
 */
const char *import_text(struct import *import, const char *text, ptrdiff_t length);
const char *import_text_line(struct import *import, const char *text, ptrdiff_t length);

const char *import_text_figure(struct import *import, const char *text, ptrdiff_t length);

/* A text that holds no markup, escaped where import->markup is set. */
const char *import_plain(struct import *import, const char *text, ptrdiff_t length);

/* Which losses a writer reports, a line each; `question` NULL: of the pack. */
struct export_line {
    const struct question *question;
    const char *what; /* translated */
};

struct export
{
    const struct pack *pack;
    struct arena arena;
    struct buffer out;
    struct export_line *lines;
    ptrdiff_t line_count, line_capacity;
    bool failed;
};

void export_init(struct export *export, const struct pack *pack);
void export_finish(struct export *export);
void export_loss(struct export *export, const struct question *question, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Makes of a parametrised question its first instance, reported as a loss; any other is itself. NULL without
 * memory. */
const struct question *export_instance(struct export *export, const struct question *question);

/* A text without light markup, in the arena, where the pack has it. */
const char *export_plain(struct export *export, const char *text);

/* Appends a text as HTML: paragraphs in <p> (where `line` is set a single one is not), line breaks, where the
 * pack has it light markup as <em>, <code> and <pre>; runs of spaces survive. A figure as <pre>. */
void export_html(struct export *export, struct buffer *out, const char *text, bool line);
void export_html_bare(struct buffer *out,
                      const char *text); /* what is never markup: items, sides of a pair */
void export_html_figure(struct buffer *out, const char *figure);

/* Collects what a format has no place for of one question (or of the pack: NULL), and tells it in one line.
 */
struct export_losses {
    struct buffer names;
};
void export_losses_init(struct export_losses *losses);
void export_losses_add(struct export_losses *losses, bool lost, const char *name); /* N_(), as "its hints" */
void export_losses_tell(struct export_losses *losses, struct export *export, const struct question *question);

/* Readers and writers. False with an error when the file as a whole can't be read (not UTF-8, cut short, a
 * bomb), with its line or offset where it is known, or can't be written. */
typedef bool exchange_read(struct import *import, const char *bytes, ptrdiff_t length, struct error *error);
typedef bool exchange_write(struct export *export, struct error *error);
/* Over the whole file; looks at no more than its first EXCHANGE_LOOK bytes where it reads them one by one. */
typedef bool exchange_recognise(const char *bytes, ptrdiff_t length);

enum { EXCHANGE_LOOK = 65536, EXCHANGE_FILE = 256 * 1024 * 1024 };

struct exchange_row {
    const char *name;   /* "moodle-xml": of --from and --to */
    const char *label;  /* "Moodle XML" */
    const char *help;   /* N_() */
    const char *ending; /* ".xml": of the file that a writer makes */
    bool imports, exports, heavy;
    exchange_recognise *recognise; /* NULL: never found by content */
    const char *needs;             /* libraries, as in "libxml2, libzip"; NULL: none */
    bool binary;                   /* what a writer makes is no text */
};
extern const struct exchange_row exchange_rows[EXCHANGE_FORMATS];

/* The reader and the writer of a format; NULL for one that is heavy where heavy ones are not linked, or were
 * left out of the build. Light ones stand in the table of exchange.c; the second program adds those of
 * exchange_heavy.c by exchange_add_heavy. */
struct exchange_part {
    exchange_read *read;
    exchange_write *write;
};
void exchange_add(enum exchange_format format, const struct exchange_part *part);
const struct exchange_part *exchange_part(enum exchange_format format);
void exchange_add_heavy(void);

/* Whether all bytes are UTF-8; else an error that names the offset of the first that is not, and what to do.
 * Readers of text formats call it first. *length and *bytes are moved past a byte order mark. */
bool exchange_check_text(const char **bytes, ptrdiff_t *length, struct error *error);

/* Which format the bytes are in; EXCHANGE_FORMATS when none is recognised. More than one reason is no guess:
 * the rows are asked from the most telling one on. */
enum exchange_format exchange_find(const char *bytes, ptrdiff_t length);

/* Which of them are recognised by what, heavy ones too: looking at bytes needs no library. */
exchange_recognise gift_recognise, aiken_recognise, anki_recognise, csv_recognise, markdown_recognise;
exchange_recognise moodle_xml_recognise, qti12_recognise, qti21_recognise, qti30_recognise, apkg_recognise;

/* Light readers and writers, one file each. */
exchange_read gift_read, aiken_read, anki_read, csv_read, markdown_read;
exchange_write gift_write, anki_write, csv_write, markdown_write, json_write;
/* Heavy ones. */
exchange_read moodle_xml_read, qti_read, apkg_read;
exchange_write moodle_xml_write, qti12_write, qti21_write;

/* Sees to it that the pack has an id and a title, made of the file's name where its reader found none. */
void import_name_pack(struct import *import);

/* Writes what was read (and named) as a pack, in YAML as people write it; the same over any loaded pack: what
 * it loads to is equal in all that a pack holds (parametrised questions included). */
bool exchange_write_import(struct buffer *out, const struct import *import);
bool exchange_write_pack(struct buffer *out, const struct pack *pack);

#endif
