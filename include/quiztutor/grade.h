/*
 * From marked answers to grades: the scheduler is told how an answer went by its mark and by how sure the
 * learner was, never by self-assessment, but for cards (recall), which nobody else can mark. And what else
 * follows from a mark: certainty-based marks, and the chance that an answer was guessed. Pure.
 */
#ifndef QUIZTUTOR_GRADE_H
#define QUIZTUTOR_GRADE_H

#include <quiztutor/fsrs.h>
#include <quiztutor/marking.h>

enum certainty { CERTAINTY_NONE, CERTAINTY_GUESS, CERTAINTY_THINK_SO, CERTAINTY_CERTAIN };

struct grade_evidence {
    enum outcome outcome;
    int certainty;      /* enum certainty */
    bool first_showing; /* in its session, on a day when the question was not answered before */
    bool helped;    /* a hint was used, an earlier answer in this session taken back, or a spelling retried */
    int self_grade; /* of a card: 1 again, 2 hard, 3 good, 4 easy; 0: no card */
};

/*
 * wrong → Again, partly → Hard, right → Good; right and guessed → Hard; right, certain and on the first
 * showing → Easy; right but helped → at most Hard; omitted → none.
 *
 * A card's grade is the one that the learner gave, at most Hard where they were helped; Easy is not kept for
 * the day's first showing, since FSRS was fitted to grades that learners gave themselves, at any showing.
 */
enum grade grade_of(const struct grade_evidence *evidence);

/*
 * Certainty-based mark (Gardner-Medwin 1995): right 1, 2, 3 and wrong 0, −2, −6 for certainty 1, 2, 3; an
 * answer partly right (share between) lies between the two in proportion. 0 without certainty or when
 * omitted.
 */
double grade_certainty_mark(enum outcome outcome, double share, int certainty);

/* The chance of being marked right by guessing: 1/n for one of n choices, 1/(2^n − 1) for a multiple choice,
 * 1/2 for true or false, 1/n! for an order of n items, 1/r^l for a match of l lefts with r right texts each;
 * 0 for what is typed, and for a card. */
double grade_guess(const struct question *question);

#endif
