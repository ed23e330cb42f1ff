/*
 * An exam over lines. lines_exam.c is the exam from beginning to end, lines_exam_turn.c its turns,
 * lines_exam_talk.c what is said and asked in between. Private to app.
 */
#ifndef QUIZTUTOR_LINES_EXAM_H
#define QUIZTUTOR_LINES_EXAM_H

#include "lines.h"

/* `lines` is what a practice talks by; its own practice stays unused. */
struct examination {
    struct lines lines;
    struct sitting sitting;
    bool on_terminal; /* somebody sits there, and is asked */
    bool finishing;   /* to be handed in */
    bool left;        /* to be left open */
};

static inline struct buffer *out(struct examination *exam)
{
    return &exam->lines.out;
}

/* The next line. NULL: the time is up, or the input is over; then what follows is settled. */
const char *examination_read(struct examination *exam, ptrdiff_t *length);

/* Of the question on show, from 1; of one that a text names, 0 where there is none such. */
int examination_number(const struct examination *exam);
int examination_place(const struct examination *exam, const char *text);

void examination_say(struct examination *exam, const char *event, int number, const char *words);
void examination_unreadable(struct examination *exam, const char *reason);

/* Something could not be stored: says so; waits for a line to try again, false when it is given up. */
void examination_not_stored(struct examination *exam, const struct error *why);
bool examination_wait(struct examination *exam, const struct error *why, struct error *error);

/* A turn was not stored. It is tried again until it is, or given up; *late where it came too late, or was
 * lost, and this was said. */
bool examination_store_again(struct examination *exam, bool *late, struct error *error);

/* How sure the learner is: 1 to 3 in *certainty, 0 where the answer is dropped; *finish where that is for
 * handing in. */
bool examination_certainty(struct examination *exam, int *certainty, bool *finish, struct error *error);

/* On a terminal: hand in, or go on. Elsewhere it is handed in at once. */
bool examination_ask_hand_in(struct examination *exam, struct error *error);

/* Asks the question on show until another one comes on show, or it is over. */
bool examination_ask(struct examination *exam, struct error *error);

#endif
