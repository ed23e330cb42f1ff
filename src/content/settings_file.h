/*
 * What settings.c and settings_file.c share: judging a value by its row, and keeping it.
 */
#ifndef CONTENT_SETTINGS_FILE_H
#define CONTENT_SETTINGS_FILE_H

#include <quiztutor/settings.h>

enum { SETTINGS_FILE = 1024 * 1024 }; /* bytes of a settings file, at most */

/* True when the text is a value of the row's kind, with its *number; else `belongs` says what belongs there.
 */
bool settings_judge(const struct setting_row *row, const char *text, double *number, char *belongs,
                    size_t size);

/* Why a value that its kind allows can't be used, or NULL; says nothing of the value, which may hold a
 * password. */
const char *settings_refusal(const struct setting_row *row, const char *text);

/* Keeps a value that has been judged; false without memory. */
bool settings_put(struct settings *settings, enum setting setting, const char *text, double number,
                  const char *origin);

#endif
