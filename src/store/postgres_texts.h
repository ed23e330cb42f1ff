/*
 * What a fold wants to know of questions as they were asked: the chance of a guess, and whether one key
 * overturns another. Looked up in the store, and kept for as long as a fold over many learners runs: they
 * share their questions.
 */
#ifndef QUIZTUTOR_STORE_POSTGRES_TEXTS_H
#define QUIZTUTOR_STORE_POSTGRES_TEXTS_H

#include "postgres_store.h"

enum { TEXTS_GUESSES = 4096, TEXTS_PAIRS = 1024 };

struct postgres_texts {
    struct postgres_store *store;
    struct {
        struct hash content;
        bool known;
        double guess;
    } guesses[TEXTS_GUESSES];
    struct {
        struct hash old, now;
        bool known, overturned;
    } pairs[TEXTS_PAIRS];
};

bool postgres_texts_guess(struct postgres_texts *texts, const struct hash *content, double *guess,
                          struct error *error);
bool postgres_texts_overturned(struct postgres_texts *texts, const struct hash *old, const struct hash *now,
                               bool *overturned, struct error *error);

#endif
