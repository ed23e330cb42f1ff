/*
 * What a changed pack means for those who use it: which questions were added, have gone, were changed, and
 * whether their statistics or schedules start anew. A diff points into both packs, which must outlive it.
 * Pure.
 */
#ifndef QUIZTUTOR_PACK_DIFF_H
#define QUIZTUTOR_PACK_DIFF_H

#include <quiztutor/memory.h>
#include <quiztutor/pack.h>

/* What differs between two forms of a question; bits of pack_diff_question.differs. */
enum pack_differs {
    DIFFERS_PROMPT = 1 << 0,
    DIFFERS_FIGURE = 1 << 1,
    DIFFERS_TYPE = 1 << 2,
    DIFFERS_ANSWER = 1 << 3, /* an answer key that has no choices */
    DIFFERS_CHOICES = 1 << 4,
    DIFFERS_CHOICE_ORDER = 1 << 5, /* or what is pinned: matters where choices are not shuffled */
    DIFFERS_FEEDBACK = 1 << 6,     /* the question's or a choice's, misconceptions too */
    DIFFERS_EXPLANATION = 1 << 7,  /* text or figure */
    DIFFERS_HINTS = 1 << 8,
    DIFFERS_TAGS = 1 << 9,
    DIFFERS_SOURCE = 1 << 10,
    DIFFERS_MARKS = 1 << 11,
    DIFFERS_MARKING = 1 << 12,
    DIFFERS_SHUFFLE = 1 << 13,
    DIFFERS_SECTION = 1 << 14,    /* stands in a section of another title */
    DIFFERS_PARAMETERS = 1 << 15, /* other values are given or derived */
};

/* A choice that differs: `old` is NULL where it was added, `now` where it has gone. With both, it was
 * reworded, or became right or wrong. */
struct pack_diff_choice {
    const struct choice *old, *now;
};

enum pack_change { CHANGE_ADDED, CHANGE_GONE, CHANGE_RENAMED, CHANGE_MENDED };

struct pack_diff_question {
    enum pack_change change;
    const struct question *old, *now; /* old: NULL where it was added; now: where it has gone */
    unsigned differs;
    bool revision;   /* it has a new revision: statistics start anew */
    bool overturned; /* an answer that was right is wrong now, or the reverse: schedules start anew */
    const struct pack_diff_choice *choices;
    int choice_count;
};

/* A line of the head that differs; NULL where it is absent. */
struct pack_diff_head {
    const char *key; /* "title"; "minutes" and "pass" for those of the exam */
    const char *old, *now;
};

/* A section that differs, by its title: `old` is 0 where it is new, `now` where it has gone. Both from 1. */
struct pack_diff_section {
    int old, now;
    bool text, pick;
};

struct pack_diff {
    const struct pack *old, *now;
    const struct pack_diff_question *questions; /* in the order of the new pack, then those gone */
    ptrdiff_t question_count;
    const struct pack_diff_head *head; /* in the order of the format */
    int head_count;
    const struct pack_diff_section *sections;
    ptrdiff_t section_count;
    int added, gone, renamed, mended;
    int revised, overturned; /* questions; those overturned are revised, too */
    int moved;               /* the fewest questions that, put elsewhere, make one order of the other */
    struct arena arena;      /* private, as are all texts that stand in neither pack */
};

/* Compares. False only without memory; pack_diff_finish in any case. */
bool pack_diff(struct pack_diff *diff, const struct pack *old, const struct pack *now);
void pack_diff_finish(struct pack_diff *diff);

#endif
