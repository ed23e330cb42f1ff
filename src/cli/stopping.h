/* A long job that asks whether it is to end: ^C, a hang-up or a kill is noted, not obeyed at once, so that
 * nothing half done is left behind. */
#ifndef QUIZTUTOR_STOPPING_H
#define QUIZTUTOR_STOPPING_H

#include <stdbool.h>

void stopping_watch(void);
bool stopping_asked(void);
/* The signals do again what they did. `stopped`: the job has ended early and put everything away, and the
 * process now ends as it was asked to. */
void stopping_end(bool stopped);

#endif
