/*
 * What the answers in a store show of a pack, for the reviewer. Private to cli.
 */
#ifndef QUIZTUTOR_CLI_CHECK_STORE_H
#define QUIZTUTOR_CLI_CHECK_STORE_H

#include <quiztutor/review.h>
#include <quiztutor/store.h>

/* How often each choice of the pack's questions was given: an item for each question (memory_free). Answers
 * to an earlier form of a question count where the choice had the same text or id. NULL with *error set. */
struct review_taken *check_store_taken(struct store *store, const struct pack *pack, struct error *error);

#endif
