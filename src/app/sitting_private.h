/* What the files of the sitting share. Private to app. */
#ifndef QUIZTUTOR_SITTING_PRIVATE_H
#define QUIZTUTOR_SITTING_PRIVATE_H

#include "practice_record.h"

#include <quiztutor/sitting.h>

/* Lets go of the exam on hand; learner and store stay. */
void sitting_end(struct sitting *sitting);

#endif
