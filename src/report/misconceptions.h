/*
 * Misconceptions over learners: what their answers showed, and whether it was put right later. A learner's
 * attempts are held until the last of them is read; of everybody only sums are. Private to the report.
 */
#ifndef REPORT_MISCONCEPTIONS_H
#define REPORT_MISCONCEPTIONS_H

#include "asked.h"
#include "attempt.h"

enum {
    MISCONCEPTIONS_HOLDERS = 2000, /* lines of who holds which */
    MISCONCEPTIONS_HELD = 400000   /* that those are taken from */
};

struct misconception {
    int64_t learners, still; /* whom it was shown by, and of those by whom last without being put right */
    int64_t times, put_right, questions;
};

struct misconception_holder {
    int tag, learner; /* places of `tags`, `learners` */
    int times, put_right;
    bool still;
    int64_t last_at;
    int utc_offset_s;
};

struct misconceptions {
    struct build *build;
    struct asked asked;
    struct places tags, learners; /* learners: their names, by id and name */
    struct places questions;      /* "pack\0question\0" */
    struct places revisions;      /* the same with the revision behind it: those looked at */
    struct places can_show;       /* a question and a tag that an answer to it could show */
    struct places shown;          /* a question and a tag that was shown there */
    struct misconception *items;  /* of tags */
    ptrdiff_t item_capacity;
    struct misconception_holder *holders;
    ptrdiff_t holder_capacity;
    int holder_count;
    bool holders_cut;
    struct build_made made;
};

/* Reads all attempts. False: the build's error says why. */
bool misconceptions_read(struct misconceptions *all);

#endif
