/*
 * In the place of the terminal: somebody who reads the screen and types what it asks for. They sign in,
 * practise all that is offered, sign out and go. terminal.h's functions are in sitter.c, so a program that
 * has it has no ncurses.
 */
#ifndef QUIZTUTOR_TESTS_SITTER_H
#define QUIZTUTOR_TESTS_SITTER_H

#include <quiztutor/clock.h>
#include <stdbool.h>

enum { SITTER_QUESTIONS = 3, SITTER_SCREEN = 8000 };

/* A question by words of it, and what is typed. All are right. */
struct sitter_question {
    const char *prompt, *answer;
};
extern const struct sitter_question sitter_questions[SITTER_QUESTIONS];

/* What they saw, in memory that outlives the process. */
struct sitter_seen {
    bool right[SITTER_QUESTIONS]; /* its result was on the screen */
    bool behind;                  /* a banner said that the disk may be full */
    bool summary, out;            /* the summary was there; they signed out after it */
    int looks;                    /* how often they looked */
    char screen[SITTER_SCREEN];   /* the last one */
};

/* Before the kiosk is run. The clock moves as they look. They come after `late` ms. */
void sitter_start(struct sitter_seen *seen, struct clock_fake *clock, int64_t late, bool tells);

/* The same out of the output of a kiosk in lines. */
void sitter_read(struct sitter_seen *seen, const char *output);

#endif
