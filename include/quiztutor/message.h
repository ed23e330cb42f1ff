/*
 * Messages to people go through tr() from the first one (gettext, domain "quiztutor"). ntr() picks the
 * plural. N_() marks a text in a const table; tr() it where it is shown. JSON lines and the store never
 * translate.
 */
#ifndef QUIZTUTOR_MESSAGE_H
#define QUIZTUTOR_MESSAGE_H

#include <libintl.h>

#define tr(text)              gettext(text)
#define ntr(one, many, count) ngettext((one), (many), (unsigned long)(count))
#define N_(text)              text

/* Sets the locale (LC_NUMERIC stays C) and binds the catalogue. True when the locale's encoding is UTF-8. */
int message_start(void);

#endif
