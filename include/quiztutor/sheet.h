/*
 * A sheet is one pack on paper under one seed: its questions as they are printed, the answer key, and the ID
 * that stands in its footer. sheet_make lays down what is on it; sheet_flow says it as blocks from top to
 * bottom, which every writer sets in its own way, so that the same sheet reads the same in each. Pure: equal
 * pack, choice and seed give equal sheets on every machine.
 *
 * A sheet borrows its pack, which must outlive it; what it makes lives until sheet_finish.
 */
#ifndef QUIZTUTOR_SHEET_H
#define QUIZTUTOR_SHEET_H

#include <quiztutor/showing.h>

/*
 * ---- the ID ----
 *
 * W1-BODY CHECK-sSEED, with -nN where a limit was asked for. BODY: the first 65 bits of SHA-256 over
 * sheet_body_json, as 13 digits of 0-9 A-H J K M N P-T V-Z. CHECK: Luhn's check digit modulo 32 over BODY,
 * the seed's digits and those of the limit, so that any single wrong character is found.
 */
enum {
    SHEET_BODY = 13,
    SHEET_ID = 3 + SHEET_BODY + 1 + 2 + 10 + 2 + 6, /* characters of an ID at most */
    SHEET_COPIES = 10000,                           /* sheets in one run, at most */
};

struct sheet_id {
    char body[SHEET_BODY + 1];
    uint32_t seed;
    int limit; /* 0: none */
};
void sheet_id_format(char text[static SHEET_ID + 1], const struct sheet_id *id);
/* Takes any case, O for 0, I and L for 1; no white space, since a digit lost at the end is not always found.
 * ERROR_INPUT says whether it is no ID at all or a mistyped one. */
bool sheet_id_read(struct sheet_id *id, const char *text, struct error *error);

/*
 * ---- the sheet ----
 */
struct sheet_choice {
    uint32_t seed;
    int limit;        /* the first ones of the seed's order; 0: all */
    const char *tag;  /* only questions that bear it; NULL: all */
    const char *body; /* sheet_body of this pack and tag, where it is known; NULL: it is worked out */
};

struct sheet_question {
    int number; /* as printed, from 1 */
    struct showing showing;
    const struct section *intro; /* to be printed above it: the section it is the first of; or NULL */
};

struct sheet {
    const struct pack *pack;
    struct sheet_id id;
    const struct sheet_question *questions;
    int count;
    int left_out;       /* cards (recall) that would stand among them, which are never on paper */
    struct arena arena; /* private */
};

/* ERROR_INPUT where nothing is left to print: no question of that tag, or cards only. Take it to the end with
 * sheet_finish in any case. */
bool sheet_make(struct sheet *sheet, const struct pack *pack, const struct sheet_choice *choice,
                struct error *error);
void sheet_finish(struct sheet *sheet);

/*
 * Appends the RFC 8785 JSON of all that is printed of a pack or decides a mark on it, whatever the seed and
 * the limit: ids, texts, keys, marking, what orders and picks questions. Numbers are texts in it. A card, and
 * a question without the tag, is a null: it takes a place in the order. What is neither printed nor decides
 * anything (hints, feedback, misconceptions, sources, tags, authors) is not part of it. False only without
 * memory.
 */
bool sheet_body_json(struct buffer *out, const struct pack *pack, const char *tag);
bool sheet_body(char body[static SHEET_BODY + 1], const struct pack *pack, const char *tag);

/* Whether the pack has this body, as a whole (*tag NULL) or narrowed to one of its tags, of which SHEET_TAGS
 * are tried. 1, 0, or −1 without memory. */
enum { SHEET_TAGS = 200 };
int sheet_body_find(const struct pack *pack, const char *body, const char **tag);

/* The words of the right answer on one line, "; " between several: right choices in printed order, items in
 * right order, the right text of each left, all accepted texts, a number as the pack writes it with its unit.
 * `styled`: with the bytes of markup.h, where the question has markup. */
void sheet_answer(struct buffer *out, const struct sheet_question *question, bool styled);

/*
 * ---- blocks ----
 */
enum sheet_block_kind {
    SHEET_NOTE,    /* small, above all else: title, seed, paper, who the key is for */
    SHEET_HEADING, /* the strapline; on the key "Answer key" */
    SHEET_LINE,    /* a line below a heading */
    SHEET_NAME,    /* "Name ____   Date ____" */
    SHEET_INTRO,   /* a section's intro: keeps with the question below it */
    SHEET_FIGURE,  /* preformatted, in a fixed-width face */
    SHEET_PROMPT,  /* `number` and a paragraph; further paragraphs have number 0 */
    SHEET_BULLET,  /* a choice; with boxes an open box is before it */
    SHEET_TRUTH,   /* "Circle one:   True   False" */
    SHEET_RULE,    /* a ruled line to write on; `text` is the unit or NULL */
    SHEET_ITEM,    /* of an order: `number`, as shown, and its text */
    SHEET_BOXES,   /* `number` boxes in a row, for the items' numbers in order */
    SHEET_PAIR,    /* of a match: a row of two columns; either side may be missing. Left: `text`, with room
                      for a number; right: `number` and `other` */
    SHEET_KEY,     /* `number` and "ANSWER · EXPLANATION"; further paragraphs have number 0 */
};
/* A text is one paragraph, "\n" in it a line break; of a figure, lines with their spaces, TABs expanded. Code
 * blocks of light markup are figures, but lines of code inside a choice, item or pair. */
struct sheet_block {
    enum sheet_block_kind kind;
    const char *text, *other;
    int number;
    int question; /* the printed question it belongs to, from 1: such blocks stay on one page; 0: none */
    bool markup;  /* `text` and `other` may have MARKUP_EMPHASIS, MARKUP_CODE and MARKUP_END in them */
};

enum sheet_size { SHEET_A4, SHEET_LETTER };
struct sheet_look {
    enum sheet_size size;
    bool boxes, large;
    bool no_key, key_only;
    const char *learner; /* whose sheet it is: printed; NULL: a line to write on */
};

struct sheet_flow {
    const struct sheet_block *blocks;
    int count, key; /* blocks[key] is the first of the answer key; count where there is none */
    const char *footer, *key_footer; /* left; the ID stands right */
    char id[SHEET_ID + 1];
};
/* Lives in the sheet. Words of ours ("Name", "Answer key") follow the locale. False only without memory. */
bool sheet_flow(struct sheet_flow *flow, struct sheet *sheet, const struct sheet_look *look,
                struct error *error);

/* Appends the pages of questions, or those of the key, as text, 76 columns wide; nothing where there are
 * none. What a writer puts between pages is a form feed. Nothing in it can drive a terminal. */
enum { SHEET_COLUMNS = 76 };
bool sheet_text(struct buffer *out, const struct sheet_flow *flow, const struct sheet_look *look, bool key,
                struct error *error);

/*
 * ---- PDF ----
 *
 * In the second program (pango and cairo). One file holds one sheet, or copies of it under several seeds, all
 * keys together at its end.
 */
struct sheet_printer; /* writes one PDF */
struct sheet_sink {
    bool (*put)(void *context, const char *bytes, ptrdiff_t length, struct error *error);
    void *context;
};
struct sheet_press {
    bool (*start)(struct sheet_printer **printer, const struct pack *pack, const struct sheet_look *look,
                  bool tagged, const struct sheet_sink *sink, struct error *error);
    /* Lays out and draws the pages of questions; of the key what is needed is kept until the end. ERROR_INPUT
     * names characters that no installed font has. */
    bool (*add)(struct sheet_printer *printer, struct sheet *sheet, const struct sheet_look *look,
                struct error *error);
    bool (*end)(struct sheet_printer *printer, struct error *error); /* keys, and what is left of the file */
    void (*destroy)(struct sheet_printer *printer);                  /* NULL is allowed */
};
/* NULL in a program without it. The second one calls sheet_add_press at its start, which hands its own to
 * sheet_set_press where it was built with what that needs. */
const struct sheet_press *sheet_press(void);
void sheet_set_press(const struct sheet_press *press);
void sheet_add_press(void);

#endif
