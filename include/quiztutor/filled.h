/*
 * A filled-in sheet: what one learner wrote on it, read and marked as the sheet was printed, and stored as a
 * whole. It borrows the printed sheet; its own texts live until filled_finish.
 */
#ifndef QUIZTUTOR_FILLED_H
#define QUIZTUTOR_FILLED_H

#include <quiztutor/printed.h>
#include <quiztutor/response.h>
#include <quiztutor/view_model.h>

struct filled_answer {
    bool given; /* an answer or a blank was read */
    struct answer answer;
    struct verdict verdict;
    struct uuid attempt; /* what it is stored as */
};

struct filled {
    const struct printed *printed;
    struct store_learner learner;
    struct filled_answer *answers; /* of each question of the sheet */
    struct uuid session;           /* what it is stored as */
    bool again;                    /* stored although the learner has marks of this sheet */
    struct arena arena;
};

/* Nothing is answered yet: all blank. `now` (ms since 1970) is for its ids. False only without memory;
 * filled_finish in any case. */
bool filled_init(struct filled *filled, const struct printed *printed, const struct store_learner *learner,
                 int64_t now);
void filled_finish(struct filled *filled);

/* Reads what was written as the answer to the question at `place` (from 0); an empty text is a blank.
 * ERROR_INPUT is the reason alone; the answer is then as it was. */
bool filled_set(struct filled *filled, int place, const char *text, ptrdiff_t length, struct error *error);

/* The same from a response that was read. */
bool filled_take(struct filled *filled, int place, const struct response *response, struct error *error);

/*
 * Reads `1b`, `8ac`, `7f`, `4=0.27`, `9=`: the question's number, then letters or = and all that follows.
 * ERROR_INPUT names the question, or what stands in its place; no question is answered twice. Where letters
 * have white space in them it is a line of many.
 */
bool filled_read(struct filled *filled, const char *text, struct error *error);

/* The same of many on one line, parted by white space; what follows = may be in quotation marks (' or "), a
 * doubled one inside stands for itself. */
bool filled_read_line(struct filled *filled, const char *line, struct error *error);

/* What was read, as it was marked; texts live in the arena. `bare`: for scripts. False only without memory.
 */
bool filled_result(const struct filled *filled, int place, bool bare, struct result_model *result,
                   struct arena *arena);

/* The question alone, to be asked. */
bool filled_question(const struct filled *filled, int place, bool bare, struct question_model *question,
                     struct arena *arena);

/* Sums as a practice's, without its topics and misses. */
void filled_sum(const struct filled *filled, struct summary_model *summary);

/* Stores all of them in one transaction, durable when true; ERROR_INPUT where one was stored for its learner
 * already, and is not to be `again`. A call that failed can be made again: what did get through is not stored
 * twice. */
bool filled_store(struct filled *const *filled, int count, struct store *store, const struct clock *clock,
                  struct error *error);

#endif
