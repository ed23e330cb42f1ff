/*
 * Messages to people go through tr() from the first one (gettext, domain "quiztutor"). ntr() picks the
 * plural. trc() is for a word that other languages have several of: its context tells them which. N_() marks
 * a text in a const table; tr() it where it is shown. JSON lines and the store never translate.
 */
#ifndef QUIZTUTOR_MESSAGE_H
#define QUIZTUTOR_MESSAGE_H

#include <libintl.h>

#define tr(text)              gettext(text)
#define ntr(one, many, count) ngettext((one), (many), (unsigned long)(count))
#define trc(context, text)    message_in(context "\004" text, text)
#define N_(text)              text

/* What `key`, a context and a text as catalogues join them, is translated to, else the text. */
const char *message_in(const char *key, const char *text);

/* Sets the locale (LC_NUMERIC stays C) and binds the catalogue. True when the locale's encoding is UTF-8. */
int message_start(void);

/* The language that messages come out in, as HTML wants it ("en", "de", "pt-BR"), and whether it is written
 * from right to left. */
enum { MESSAGE_LANGUAGE = 32 };
void message_language(char language[static MESSAGE_LANGUAGE]);
int message_right_to_left(const char *language);

#endif
