/*
 * What settings.c, settings_file.c and the kiosk's files share: judging a value by its row, telling what is
 * wrong with it, and keeping it.
 */
#ifndef CONTENT_SETTINGS_FILE_H
#define CONTENT_SETTINGS_FILE_H

#include "report.h"

#include <quiztutor/settings.h>

enum { SETTINGS_FILE = 1024 * 1024 }; /* bytes of a settings file, at most */

/* True when the text is a value of the row's kind, with its *number; else `belongs` says what belongs there.
 */
bool settings_judge(const struct setting_row *row, const char *text, double *number, char *belongs,
                    size_t size);

/* Whether a store is meant that is a central one. */
bool settings_is_address(const char *text);

/* Why a value that its kind allows can't be used, or NULL; says nothing of the value, which may hold a
 * password. */
const char *settings_refusal(const struct setting_row *row, const char *text);

/* Keeps a value that has been judged; false without memory. */
bool settings_put(struct settings *settings, enum setting setting, const char *text, double number,
                  const char *origin);

/* Reports a value that settings_judge refused. */
void settings_report(struct report *report, const char *name, const struct setting_row *row,
                     const struct place *place, const char *belongs, const char *text);

/* A relative path in a file begins at the file's folder, wherever the program is started; in a list parted by
 * colons, each one. NULL without memory. */
const char *settings_from_file(struct arena *arena, const char *file, bool list, const char *text);

#endif
