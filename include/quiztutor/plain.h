/*
 * The plain front end's words: view models as lines of text, nothing repainted, fit for screen readers and
 * serial consoles. Writes into the caller's buffer; messages follow the locale.
 */
#ifndef QUIZTUTOR_PLAIN_H
#define QUIZTUTOR_PLAIN_H

#include <quiztutor/buffer.h>
#include <quiztutor/view.h>

void plain_welcome(struct buffer *out, const struct session_model *session);
void plain_question(struct buffer *out, const struct question_model *question); /* ends in "> " */
void plain_back(struct buffer *out, const struct question_model *question);     /* of a card; ends in "> " */
void plain_certainty(struct buffer *out);                                       /* how sure: ends in "> " */
void plain_result(struct buffer *out, const struct result_model *result);
/* Texts of an answer to the question, in one line: of a match each with its left. */
void plain_list(struct buffer *out, const struct question_model *question, const char *const *texts,
                int count);
void plain_hint(struct buffer *out, const char *hint, int left); /* hint NULL: there is none left */
void plain_summary(struct buffer *out, const struct summary_model *summary);
/* With `asks`, numbered: plain_library_ask follows, which asks for one of them, or for the progress. */
void plain_library(struct buffer *out, const struct library_model *library, bool asks);
void plain_library_ask(struct buffer *out, bool exam);

/* A tutor's table: what it is and says as a whole; up to `most` of the rows shown from place `from` on, each
 * on a line with its number; one row with all its columns; how its figures were made; its columns, numbered.
 */
void plain_table(struct buffer *out, const struct table_model *table);
void plain_table_rows(struct buffer *out, const struct table_model *table, int from, int most);
void plain_table_row(struct buffer *out, const struct table_model *table, int shown);
void plain_table_notes(struct buffer *out, const struct table_model *table);
void plain_table_columns(struct buffer *out, const struct table_model *table,
                         const struct table_place *place);

/* The learner's own screen. */
void plain_progress(struct buffer *out, const struct progress_model *progress);

#endif
