/* What the files of `work` share. */
#ifndef REPORT_WORK_PRIVATE_H
#define REPORT_WORK_PRIVATE_H

#include "work.h"

/* Takes in what that store remembers of the question, for today where the learner answered last. False: the
 * build's error says why. */
bool work_remember(struct work *work, struct asked *asked, int store, const struct store_schedule *known,
                   const struct fsrs_parameters *parameters, int utc_offset_s);

#endif
