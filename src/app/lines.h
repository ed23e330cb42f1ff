/*
 * One conversation over lines: plain, or JSON. lines.c is the practice from beginning to end, lines_turn.c
 * its turns, lines_help.c what can be typed, lines_exam.h exams. Private to app.
 */
#ifndef QUIZTUTOR_LINES_H
#define QUIZTUTOR_LINES_H

#include <quiztutor/application.h>
#include <quiztutor/line.h>

struct lines {
    struct application *application;
    struct practice practice;
    struct line_reader in;
    struct buffer out;
    bool json;
    bool from_terminal; /* nothing is echoed: the terminal did */
    bool told_created;
    bool revealed;     /* the card on show was turned over */
    bool ended;        /* finished, or the input is over */
    bool signed_out;   /* by a kiosk's guard */
    bool told_idle;    /* that it is counted down */
    bool asking;       /* a question is on show, and the next line is about it */
    const char *stake; /* what is lost if it ends now, since it is not stored: a sentence; NULL: nothing */
    bool failed;
};

/* Where what is no part of the conversation goes: NULL is standard error. */
struct buffer *lines_aside(struct lines *lines);

/* Sends what is in lines->out. */
bool lines_flush(struct lines *lines, struct error *error);

/* The next line typed, NULL at the end of input; where input is no terminal, plain echoes it after its
 * prompt. */
const char *lines_read(struct lines *lines, ptrdiff_t *length);

/* In a kiosk, while nothing comes: whether the learner is signed out (for line_read_before). `heard`: a line
 * came. */
bool lines_guard_over(struct lines *lines);
void lines_guard_heard(struct lines *lines);
/* Whether the line called for a tutor, who is gone again, or has signed the learner out. */
bool lines_guard_tutor(struct lines *lines, const char *line, ptrdiff_t length);

/* Of the question on show, from 1. */
int lines_number(const struct lines *lines);

/* Says what is odd about the clock, once. */
void lines_warn(struct lines *lines);

/* The question on show as it stands, and its prompt. */
bool lines_question(struct lines *lines, struct error *error);

/* What can be typed for an answer to a question, one line; for exams an empty one too. */
const char *lines_help_answer(const struct question_model *question, bool exam);

/* Appends the rows of commands that `help` has words for, and in a kiosk the tutor's; letters only where they
 * are no answer. */
void lines_help_commands(struct lines *lines, struct buffer *out, const struct question_model *question,
                         const char *const help[RESPONSE_COMMANDS]);

/* What a response does to the question on show. *over tells whether its showing is over. */
bool lines_handle(struct lines *lines, const struct response *response, bool *over, struct error *error);
bool lines_undo(struct lines *lines, struct error *error);
/* Stars or suspends a question of the plan, or takes that back, and says so. */
bool lines_star(struct lines *lines, bool star, int entry, struct error *error);

/* An exam of application->options' packs over lines (lines_exam.c), as lines_run is a practice. */
bool lines_exam_run(struct application *application, bool json, struct error *error);

#endif
