/*
 * Two stores side by side: the one in SQLite keeps schedules up from answer to answer, the one in memory
 * folds them from its log whenever they are asked for. Whatever is done to both must leave the same, to the
 * last bit.
 */
#ifndef QUIZTUTOR_TESTS_STORE_TWINS_H
#define QUIZTUTOR_TESTS_STORE_TWINS_H

#include "fixture.h"

#include <quiztutor/random.h>

enum { LEARNERS = 3, SESSIONS = 6, QUESTIONS = 5, VERSIONS = 5, DAY = 86400000 };
enum { TWINS_FIRST = 10000 }; /* the number of the first operation */

struct twins {
    struct fixture fixture;
    struct store *kept, *folded; /* SQLite, memory */
    struct error error;
    struct random_stream dice;
};
extern struct twins twins;

/* The versions of a question: as it was; a typo mended in what no key holds; another distractor; another key;
 * and one that is told by its truth. The first two have the same revision. */
struct twins_version {
    const char *revision, *body;
};
extern const struct twins_version twins_versions[VERSIONS];

int twins_start(void **state);
int twins_end(void **state);

/* Session `number`, of learner number % LEARNERS: Ann (1001), Bob or Cy. */
struct store_session twins_session(int number);

/* A right answer, now, in a version of its question; its texts are good until the same question's next. */
struct store_attempt twins_attempt(int number, const char *pack, int question, int version);

/* To both stores. */
void twins_add(struct store_session session, const struct store_attempt *attempt);
void twins_tell(struct store_session session, const struct store_event *event);
void twins_operate(int number); /* anything at all, by the dice; numbers ascend from TWINS_FIRST */

/* Both say the same of everyone, now; and a rebuild finds no difference. */
void twins_expect_same(void);
void twins_expect_no_difference(void);
void twins_expect_text(char *kept, char *folded, const char *what); /* frees them */

/* Ann's schedule of a question of the pack "tour", in SQLite; and as text, in a buffer good for four calls.
 */
struct store_schedule twins_schedule(const char *question);
const char *twins_shown(const struct store_schedule *schedule);

#endif
