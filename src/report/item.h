/*
 * Items: the questions of one pack, each revision by itself, with what was answered. A *sitting* is a
 * learner's chosen attempts at the pack. What is kept of an attempt is 4 or 5 bytes mostly, so that a pack
 * with ten million of them fits into little memory.
 */
#ifndef REPORT_ITEM_H
#define REPORT_ITEM_H

#include "asked.h"
#include "attempt.h"

#include <quiztutor/statistics.h>

enum {
    ITEM_CHUNK = 1000,  /* bytes a piece */
    ITEM_ENTRY = 15,    /* bytes of an entry, at most */
    ITEM_ANSWERS = 500, /* answers that are told apart, at most */
    ITEM_PICKS = 32,    /* of choices, where several are picked at once: bits of `answer` */
    ITEM_SOUND = 10,    /* answers from which on a flag is more than a hint */
    ITEM_OTHERS = 3,    /* other questions that a rest score takes, at least */
};

struct item_entry {
    uint32_t sitting;
    uint32_t value;     /* place in items->values */
    int32_t elapsed_ms; /* −1: not known */
};

/* What was got for which answer: there are few of them. */
struct item_value {
    double share;
    uint32_t answer; /* choices: a bit for each picked; else 1 + place of the answer given; 0: none */
};

/* Entries as bytes: how many sittings after the one before, the value and the time plus 1, each
 * in groups of 7 bits, the lowest first, the last without its highest bit (LEB128). */
struct item_chunk {
    struct item_chunk *next;
    int length;
    unsigned char bytes[ITEM_CHUNK];
};

/* A choice, or an answer that the key lists. */
struct item_answer {
    const char *key;   /* what it is known by: its id, else its text */
    const char *label; /* in words, on one line */
    bool right;
    bool other; /* all that are not listed */
    int64_t chosen;
    struct figure correlation; /* of choosing it with the rest score, times 100 */
};

enum item_flag {
    FLAG_NEGATIVE,
    FLAG_IDLE_CHOICE,
    FLAG_STRONG_CHOICE,
    FLAG_KEY,
    FLAG_EASY,
    FLAG_HARD,
    ITEM_FLAGS
};

struct item {
    const char *question, *revision;
    const char *opens;  /* pack and question, parted by a slash */
    const char *prompt; /* on one line */
    const char *type;   /* NULL: its text is not known */
    enum question_type kind;
    bool several;        /* picks are bits */
    double marks, guess; /* guess < 0: not known */
    int64_t newest_at;
    int newest; /* the item that is this question's newest revision; its own place: it is that */
    int place;  /* in the pack's order */
    int rank;   /* 0: the newest */
    int64_t count, omitted, reported, undone;
    double shares;
    struct item_chunk *first, *last;
    uint32_t last_sitting;
    struct item_answer *answers;
    int answer_count;
    ptrdiff_t answer_capacity;
    bool rekeyed;        /* its key is that of a newer grading */
    struct hash content; /* that `map` is of */
    bool mapped;
    unsigned char map[ITEM_PICKS]; /* which answer the choice at each place of that content is, plus 1 */
    struct item_figures figures;
    int64_t sittings;              /* that the figures are of */
    int64_t median_ms;             /* −1: not known */
    const char *flags[ITEM_FLAGS]; /* why, translated; NULL: not raised */
};

struct item_certainty {
    double marks, shares;
    int64_t given, omitted; /* answers with a certainty; of who gave any, those left out */
};

struct items {
    struct build *build;
    const char *pack;
    struct arena arena, chunks; /* chunks: of entries, by far the most */
    struct item **items;
    int count, newest_count;
    ptrdiff_t capacity;
    struct places names;  /* question and revision */
    struct places shares; /* distinct ones, each with its answer */
    struct places undone; /* questions with answers that were taken back */
    struct places voided; /* questions with answers that were voided */
    struct item_value *values;
    ptrdiff_t value_capacity;
    struct places typed; /* responses seen to each item, and which answers they are */
    struct buffer key;   /* … by these bytes */
    uint32_t *typed_answers;
    ptrdiff_t typed_capacity;
    struct asked asked;
    int sitting_count;
    int64_t attempts, graded;
    struct item_certainty certainty, own; /* `own`: of the sitting being read */
    int own_sitting;
    bool complete; /* the figures are of complete sittings, by Moodle's formulas */
    int64_t complete_count;
    struct test_figures test;
};

/* Reads a pack's chosen attempts; `made` and `learners` (ids) are added to. */
void items_init(struct items *items, struct build *build, const char *pack);
bool items_gather(struct items *items, struct build_made *made, struct places *learners);
bool items_count_reports(struct items *items); /* what learners reported of its questions */
void items_finish(struct items *items);

/* Which answers an attempt gave: bits, or a place plus 1. False: build->error. */
bool item_answer_of(struct items *items, struct item *item, const struct attempt *attempt, uint32_t *answer);
/* Begins the answers of an item by its question. */
void item_list_answers(struct items *items, struct item *item, const struct question *question);

/* All figures and flags; entries are given up then. False without memory. */
bool items_figure(struct items *items);
void item_raise_flags(struct items *items, struct item *item);
const char *item_flag_name(enum item_flag flag); /* "negative discrimination", translated */

bool item_is_newest(const struct items *items, int place);

#endif
