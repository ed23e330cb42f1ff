/*
 * SplitMix64 (Steele, Lea, Flood 2014), and unbiased draws from it: the one source of every shuffle. Pure;
 * the state is the caller's.
 */
#ifndef QUIZTUTOR_RANDOM_H
#define QUIZTUTOR_RANDOM_H

#include <stdint.h>

struct random_stream {
    uint64_t state;
};

uint64_t random_next(struct random_stream *stream);

/* 0 ≤ result < below, without bias: values ≥ 2^64 − (2^64 mod below) are drawn again. below ≥ 1. */
uint64_t random_below(struct random_stream *stream, uint64_t below);

#endif
