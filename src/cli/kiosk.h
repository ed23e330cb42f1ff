/* `quiztutor kiosk`: what has to be done before anything else is, and whether it was. */
#ifndef QUIZTUTOR_CLI_KIOSK_H
#define QUIZTUTOR_CLI_KIOSK_H

#include <stdbool.h>

/* Whether the arguments start a kiosk, and not one of the other things that the command does. */
bool kiosk_is_meant(int argc, char **argv);

/* For the first line of main: signals, descriptors and the environment, before a locale is looked at. */
void kiosk_lock(void);
bool kiosk_is_locked(void);

enum { KIOSK_STATUS_LEFT = 3 }; /* a tutor left it: it is not to be started again */

#endif
