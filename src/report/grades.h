/*
 * What goes into a gradebook: each learner's marks in each pack. Private to the report.
 */
#ifndef REPORT_GRADES_H
#define REPORT_GRADES_H

#include "asked.h"
#include "attempt.h"
#include "people.h"

enum {
    GRADES_PACKS = 50,   /* columns of packs, at most */
    GRADES_HELD = 50000, /* cells, up to which the table is held; longer ones are made line by line */
    GRADES_NAMED = 20    /* learners without an external id who are named */
};

struct grades_pack {
    const char *id, *title;  /* in the report's arena; the title is that of its column */
    const struct pack *pack; /* the library's, NULL: it has none */
    double possible;
    bool by_sitting; /* exams and paper: of what was presented, to each learner their own */
};

struct grades_learner {
    struct uuid id; /* as in struct attempt */
    const char *name, *login, *external_id;
    bool graded; /* has a grade in some pack */
};

struct grades_mark {
    double mark, marks;
    double out; /* of the possible ones: of questions whose answers were voided for this learner alone */
    bool any;
};

struct grades_question {
    bool stands; /* somebody has a chosen answer to it */
    bool summed; /* its marks are among the possible ones, where answers say which these are */
};

/* A learner's question with a voided answer, and none that is chosen. */
struct grades_void {
    int learner, pack, question; /* its place in the questions */
    double marks;
};

struct grades {
    struct build *build;
    struct grades_pack packs[GRADES_PACKS];
    int pack_count;
    struct places ids; /* of learners */
    struct grades_learner *learners;
    ptrdiff_t learner_capacity;
    struct grades_mark *marks; /* a row of packs for each learner */
    ptrdiff_t mark_capacity;
    struct places questions;       /* "pack, question" */
    struct grades_question *known; /* by their places */
    ptrdiff_t known_capacity;
    struct grades_void *voids;
    ptrdiff_t void_capacity, void_count;
    int64_t gone;         /* attempts at questions that the library's pack has no more */
    int voided_questions; /* that count for nobody */
    struct build_made made;
};

/* grades_read.c. False: the build's error says why. */
bool grades_read(struct grades *grades);

#endif
