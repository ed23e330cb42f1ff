/* The types whose marking is more than a set of picks. Private to scoring. */
#ifndef SCORING_MARKING_PRIVATE_H
#define SCORING_MARKING_PRIVATE_H

#include <quiztutor/marking.h>

/* Right or wrong, of what was typed. */
bool marking_number_right(const struct question *question, const char *typed);
bool marking_text_right(const struct question *question, const char *typed);

/* The listed wrong response that it is, right ones being left to the caller; NULL: none. */
const struct known_wrong *marking_number_wrong(const struct question *question, const char *typed);
const struct known_wrong *marking_text_wrong(const struct question *question, const char *typed);

/* Whether it is one edit away from an accepted answer of five letters or more. */
bool marking_text_near(const struct question *question, const char *typed);

/* The share under a rule, 0 to 1. */
double marking_order_share(const struct question *question, const struct answer *answer);
double marking_match_share(const struct question *question, const struct answer *answer);

#endif
