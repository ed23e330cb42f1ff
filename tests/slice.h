/*
 * How much of a long test is run: all of it, or with $TEST_SLICE=n in the environment its n-th part. ./check
 * asks for that under sanitizers: there a round costs several times as much, and what rounds find by logic
 * alone gcc's have found.
 */
#ifndef TESTS_SLICE_H
#define TESTS_SLICE_H

#include <stdlib.h>

static inline int slice_of(int whole)
{
    const char *text = getenv("TEST_SLICE");
    int parts = text ? atoi(text) : 1;
    return parts > 1 ? (whole + parts - 1) / parts : whole;
}

#endif
