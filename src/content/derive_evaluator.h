/*
 * The evaluator: SQLite in memory, one connection for a pack, made when the first parametrised question is
 * read. Expressions reach it in the form that derive_expression.h makes of them, never as they were written.
 * Statements are kept for the question that was evaluated last. Private to content.
 */
#ifndef CONTENT_DERIVE_EVALUATOR_H
#define CONTENT_DERIVE_EVALUATOR_H

#include <quiztutor/derive.h>

/* NULL with *error set. */
struct evaluator *evaluator_create(struct error *error);
void evaluator_destroy(struct evaluator *evaluator); /* takes NULL */

#endif
