/*
 * An exam in plain words: its rules, the questions at a glance, the paper once it is handed in. Questions are
 * plain_question's. Writes into the caller's buffer; messages follow the locale.
 */
#ifndef QUIZTUTOR_PLAIN_EXAM_H
#define QUIZTUTOR_PLAIN_EXAM_H

#include <quiztutor/plain.h>

/* `note`: presenter_exam_note's lines. */
void plain_exam_welcome(struct buffer *out, const struct session_model *session, const char *note);
void plain_overview(struct buffer *out, const struct overview_model *overview);

/* Asks whether to hand in: "3 open, 1 flagged. Enter hands in, n goes on > ". */
void plain_hand_in(struct buffer *out, const struct overview_model *overview);

/* Every question with its explanation, the result by section, and at the end the whole. */
void plain_paper(struct buffer *out, const struct paper_model *paper);

#endif
