/*
 * Questions as they were asked, read out of the stores once each; where a store has no text of a question
 * (attempts that were loaded from elsewhere), the library's of today stands in. The memory of them is
 * bounded: a question is valid until the next is looked for.
 */
#ifndef REPORT_ASKED_H
#define REPORT_ASKED_H

#include "build.h"

enum { ASKED_MOST = 4096 }; /* questions kept: of parametrised ones each instance is one */

struct asked_text {
    struct hash content;
    struct question question;
    bool known;
};

struct asked {
    struct build *build;
    struct arena arena;
    struct asked_text **slots; /* by content, ASKED_SLOTS of them; NULL until the first */
    int count;
    struct uuid learner;       /* whose schedule's questions are read together when the first is */
    const struct store *store; /* where; NULL: it was done */
};

void asked_init(struct asked *asked, struct build *build);
void asked_finish(struct asked *asked);
/* Of this learner's questions in this store many will be asked for: once one is, all are read, which over a
 * network is a thing of one answer instead of hundreds. */
void asked_expect(struct asked *asked, const struct store *store, const struct uuid *learner);

/*
 * The question that has this content in the store (zero: not known), else the library's of these ids, else
 * NULL. False: the store can't be read, and the build's error says why; without memory *question is NULL and
 * build->failed is set.
 */
bool asked_find(struct asked *asked, struct store *store, const struct hash *content, const char *pack_id,
                const char *question_id, const struct question **question);

/* Today's question of the library, NULL where there is none. */
const struct question *asked_today(struct build *build, const char *pack_id, const char *question_id);

/* asked_marked.c: the question by whose key an answer was graded anew: the library's of today, where that
 * comes to this outcome and share; *answer becomes what it means to it. Else `then`, as it was asked (may be
 * NULL), and *answer stays. */
const struct question *asked_marked(struct build *build, const char *pack, const char *id,
                                    const struct question *then, enum outcome outcome, double share,
                                    struct answer *answer);

/* Its prompt on one line, in the report's arena; the question's id where it has none. */
const char *asked_prompt(struct build *build, const struct question *question, const char *question_id);

#endif
