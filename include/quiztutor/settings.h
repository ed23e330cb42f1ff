/*
 * Settings: one table of rows (name, kind, default, environment variable, help); help texts, `config` and the
 * man page come from it. A value remembers where it came from. Precedence: command line, environment, the
 * user's file, the machine's file, the default.
 */
#ifndef QUIZTUTOR_SETTINGS_H
#define QUIZTUTOR_SETTINGS_H

#include <quiztutor/diagnostic.h>
#include <quiztutor/error.h>

enum setting {
    SETTING_LEARNER,
    SETTING_STORE,
    SETTING_CONTENT,
    SETTING_CERTAINTY,
    SETTING_RETENTION,
    SETTING_RETENTION_BY_PACK,
    SETTING_NEW_PER_DAY,
    SETTING_DAY_STARTS,
    SETTING_THEME,
    SETTING_SIGNS,
    SETTING_PLAIN,
    SETTING_ROSTER,
    SETTING_SITE,
    SETTING_RETAIN,
    SETTINGS,
};

enum setting_kind {
    SETTING_TEXT,
    SETTING_PATH,    /* a text; ~/ at its start is the home folder */
    SETTING_BOOL,    /* true or false */
    SETTING_INTEGER, /* within minimum…maximum */
    SETTING_FRACTION,
    SETTING_TIME,   /* HH:MM, kept as minutes after midnight */
    SETTING_WORD,   /* one of `words`, separated by | */
    SETTING_MAP,    /* pack id → fraction */
    SETTING_SPAN,   /* "24 months", "2 years", kept as months */
    SETTING_PERIOD, /* "6 hours", "1 day", "2 weeks", kept as hours */
};

struct setting_row {
    const char *name;        /* the key in config.yaml */
    const char *environment; /* or NULL */
    enum setting_kind kind;
    const char *fallback; /* the default as text; NULL where it is computed (login name, XDG paths) */
    const char *words;    /* for SETTING_WORD */
    double minimum, maximum;
    const char *help; /* N_() */
};
extern const struct setting_row setting_rows[SETTINGS];

struct setting_share {
    const char *pack;
    double share;
};

struct settings {
    struct arena arena;
    const char *text[SETTINGS]; /* the value as text (a path already made whole), or NULL */
    double number[SETTINGS];    /* integers, fractions, minutes, months; 0 or 1 for bool; the place of a word,
                                   from 0 */
    const char
        *origin[SETTINGS]; /* "default", "$QUIZTUTOR_STORE", a file path with its line, "command line" */
    const struct setting_share *shares; /* retention_by_pack */
    int share_count;
};

/*
 * Reads /etc/quiztutor/config.yaml and $XDG_CONFIG_HOME/quiztutor/config.yaml (a missing file is fine), then
 * the environment. A fault in a file is a diagnostic and false. settings_finish either way.
 */
bool settings_load(struct settings *settings, struct diagnostics *list, struct error *error);
void settings_finish(struct settings *settings);

/* The parts of settings_load, in its order: the defaults (which also starts the struct), one file on top of
 * what is there: the parts of settings_load. */
bool settings_defaults(struct settings *settings, struct error *error);
bool settings_file(struct settings *settings, const char *path, struct diagnostics *list,
                   struct error *error);
bool settings_environment(struct settings *settings, struct error *error);

/* The wanted retention of a pack: its own, else the one for all. */
double settings_retention(const struct settings *settings, const char *pack);

/* Sets a value from the command line (`origin` "command line"); false with ERROR_USAGE when it is not of the
 * kind. */
bool settings_set(struct settings *settings, enum setting setting, const char *value, const char *origin,
                  struct error *error);

/* The user's own content folder, $XDG_DATA_HOME/quiztutor/content, which `add` fills; in the arena. NULL
 * without a home folder or memory. */
const char *settings_user_content(struct arena *arena);

#endif
