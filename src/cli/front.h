/* Which front end a run has, and how it looks: what options, settings and environment say of that. */
#ifndef QUIZTUTOR_FRONT_H
#define QUIZTUTOR_FRONT_H

#include "command.h"

/* Whether the screens are wanted and possible. Where the terminal can't show them, standard error says why.
 */
bool front_has_screens(const struct invocation *invocation);

/* enum terminal_theme; enum sign_set, −1: as the terminal shows them. */
int front_theme(const struct settings *settings);
int front_signs(const struct settings *settings);

#endif
