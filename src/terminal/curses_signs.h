/*
 * Which set of signs a terminal can show, and what stands in for a character that the locale's encoding
 * lacks. The width of the unicode signs is a property of the terminal, so it is asked: SIGNS_PROBE is written
 * at the start of a row, and the column that the terminal then reports tells.
 */
#ifndef QUIZTUTOR_CURSES_SIGNS_H
#define QUIZTUTOR_CURSES_SIGNS_H

#include <quiztutor/view.h>
#include <stdint.h>

#define SIGNS_PROBE                                                                                          \
    "\u25cb\u25cf\u25bc\u2501\u2502\u2588" /* ○●▼━│█: two columns each in some East Asian set-ups */

enum { SIGNS_PROBE_COLUMNS = 6, SIGNS_PROBE_ROOM = 13, SIGNS_PROBE_MS = 1000 };

/* The set by what is known before the terminal was asked: codeset as nl_langinfo names it, term is $TERM. */
enum sign_set signs_choose(const char *codeset, const char *term);

/* The set after it reported to stand in `column` (from 1). */
enum sign_set signs_reported(enum sign_set before, int column);

/* True where the language makes wide signs likely: there the answer is waited for before anything is drawn.
 */
bool signs_wide_likely(const char *language);

/* ASCII for a character that can't be encoded: the nearest look, else '?'. */
char signs_plain(int32_t code);

#endif
