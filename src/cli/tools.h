/*
 * The second program, quiztutor-tools: built of the same sources and, besides, of what needs libraries that
 * would cost each start of the first one. A command that meets such a format runs it in its own place.
 */
#ifndef QUIZTUTOR_TOOLS_H
#define QUIZTUTOR_TOOLS_H

#include "command.h"

#include <quiztutor/exchange.h>

/* In the second program: adds its formats. In the first: nothing. */
void tools_start(void);

/*
 * For what this program has not: where it is `heavy`, the second one takes over with the same arguments and
 * this does not return; where that can't be, false with an error that says what is missing ("PDF needs
 * pango…").
 */
bool tools_need(const struct invocation *invocation, bool heavy, const char *label, const char *needs,
                struct error *error);

/*
 * Whether this program can read (or write) the format. If not, the second one takes over with the same
 * arguments and this does not return; where that can't be, false with an error that says what is missing.
 */
bool tools_have(const struct invocation *invocation, enum exchange_format format, bool write,
                struct error *error);

/* The format of this name that can be read (or written); false with ERROR_USAGE that lists those. */
bool tools_format(enum exchange_format *format, const char *option, const char *name, bool write,
                  struct error *error);

#endif
