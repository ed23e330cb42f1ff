#include <quiztutor/settings.h>

#include "form.h"
#include "settings_file.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

const struct setting_row setting_rows[SETTINGS] = {
    [SETTING_LEARNER] = { "learner", NULL, SETTING_TEXT, NULL, NULL, 0, 0,
                          N_("who is practising, by default the login name") },
    [SETTING_STORE] = { "store", "QUIZTUTOR_STORE", SETTING_PATH, NULL, NULL, 0, 0,
                        N_("the file that keeps all answers") },
    [SETTING_CONTENT] = { "content", "QUIZTUTOR_CONTENT", SETTING_PATH, NULL, NULL, 0, 0,
                          N_("the folders with packs, parted by colons") },
    [SETTING_CERTAINTY] = { "certainty", NULL, SETTING_BOOL, "false", NULL, 0, 0,
                            N_("ask how sure one is of each answer") },
    [SETTING_RETENTION] = { "retention", NULL, SETTING_FRACTION, "0.9", NULL, 0.7, 0.99,
                            N_("the share of answers still known when a question comes back") },
    [SETTING_RETENTION_BY_PACK] = { "retention_by_pack", NULL, SETTING_MAP, NULL, NULL, 0.7, 0.99,
                                    N_("the same for single packs, by their ids") },
    [SETTING_NEW_PER_DAY] = { "new_per_day", NULL, SETTING_INTEGER, "20", NULL, 0, 9999,
                              N_("new questions a day, at most") },
    [SETTING_DAY_STARTS] = { "day_starts", NULL, SETTING_TIME, "04:00", NULL, 0, 1439,
                             N_("when a new day begins") },
    [SETTING_THEME] = { "theme", NULL, SETTING_WORD, "auto", "auto|dark|light|mono", 0, 0, N_("colours") },
    [SETTING_SIGNS] = { "signs", NULL, SETTING_WORD, "auto", "auto|unicode|console|ascii", 0, 0,
                        N_("the signs that the terminal can show") },
    [SETTING_PLAIN] = { "plain", NULL, SETTING_BOOL, "false", NULL, 0, 0,
                        N_("always use plain lines instead of screens") },
    [SETTING_ROSTER] = { "roster", NULL, SETTING_WORD, "open", "open|closed", 0, 0,
                         N_("whether practising creates unknown learners") },
    [SETTING_SITE] = { "site", NULL, SETTING_TEXT, NULL, NULL, 0, 0,
                       N_("the name of this place, printed on worksheets") },
    [SETTING_RETAIN] = { "retain", NULL, SETTING_SPAN, NULL, NULL, 1, 1200,
                         N_("how long answers are to be kept, as in 24 months; store info says whose are "
                            "older") },
};

enum { WORD = 40 };

/* The place of a word in "one|two|three", -1 if it is none of them. */
static int word_place(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (int place = 0;; place++) {
        size_t its = strcspn(words, "|");
        if (its == length && memcmp(words, word, its) == 0)
            return place;
        if (!words[its])
            return -1;
        words += its + 1;
    }
}

static bool read_time(const char *text, double *minutes)
{
    static const char digits[] = "0123456789";
    size_t hours = strspn(text, digits);
    if (hours < 1 || hours > 2 || text[hours] != ':' || strspn(text + hours + 1, digits) != 2 ||
        text[hours + 3])
        return false;
    int hour = atoi(text), minute = atoi(text + hours + 1);
    *minutes = hour * 60 + minute;
    return hour < 24 && minute < 60;
}

/* "24 months", "2 years"; "6 hours", "2 weeks": in the smallest unit of the kind. */
static bool read_span(enum setting_kind kind, const char *text, double *number)
{
    static const struct {
        enum setting_kind kind;
        int size;
        const char *one, *many;
    } units[] = {
        { SETTING_SPAN, 1, "month", "months" },   { SETTING_SPAN, 12, "year", "years" },
        { SETTING_PERIOD, 1, "hour", "hours" },   { SETTING_PERIOD, 24, "day", "days" },
        { SETTING_PERIOD, 168, "week", "weeks" },
    };
    size_t digits = strspn(text, "0123456789");
    const char *unit = text + digits;
    if (digits < 1 || digits > 4)
        return false;
    while (*unit == ' ')
        unit++;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (units[i].kind == kind && (strcmp(unit, units[i].one) == 0 || strcmp(unit, units[i].many) == 0)) {
            *number = atoi(text) * units[i].size;
            return true;
        }
    return false;
}

bool settings_judge(const struct setting_row *row, const char *text, double *number, char *belongs,
                    size_t size)
{
    *number = 0;
    switch (row->kind) {
    case SETTING_TEXT:
    case SETTING_PATH:
        snprintf(belongs, size, "%s", tr("a text belongs here"));
        return *text != '\0';
    case SETTING_BOOL:
        *number = strcmp(text, "true") == 0;
        snprintf(belongs, size, "%s", tr("true or false belongs here"));
        return *number > 0 || strcmp(text, "false") == 0;
    case SETTING_INTEGER:
        snprintf(belongs, size, tr("a whole number from %g to %g belongs here"), row->minimum, row->maximum);
        return form_number(text, number) && *number >= row->minimum && *number <= row->maximum &&
               floor(*number) == *number;
    case SETTING_FRACTION:
    case SETTING_MAP:
        snprintf(belongs, size, tr("a number from %g to %g belongs here"), row->minimum, row->maximum);
        return form_number(text, number) && *number >= row->minimum && *number <= row->maximum;
    case SETTING_TIME:
        snprintf(belongs, size, "%s", tr("a time like 04:00 belongs here"));
        return read_time(text, number);
    case SETTING_SPAN:
        snprintf(belongs, size, "%s", tr("a span like 24 months or 2 years belongs here"));
        return read_span(row->kind, text, number) && *number >= row->minimum && *number <= row->maximum;
    case SETTING_PERIOD:
        snprintf(belongs, size, "%s", tr("a span like 6 hours or 2 weeks belongs here"));
        return read_span(row->kind, text, number) && *number >= row->minimum && *number <= row->maximum;
    case SETTING_WORD: {
        int place = word_place(row->words, text);
        snprintf(belongs, size, tr("one of %s belongs here"), row->words);
        *number = place;
        return place >= 0;
    }
    }
    return false;
}

bool settings_is_address(const char *text)
{
    return strncasecmp(text, "postgresql://", 13) == 0 || strncasecmp(text, "postgres://", 11) == 0;
}

/* Between role and host, or as a parameter; what is written in other ways is found when it is used. */
static bool has_password(const char *address)
{
    const char *at = strstr(address, "://") + 3;
    size_t host = strcspn(at, "/?#"), role = strcspn(at, "@");
    return (role < host && memchr(at, ':', role)) || strcasestr(address, "password");
}

const char *settings_refusal(const struct setting_row *row, const char *text)
{
    if (row == &setting_rows[SETTING_STORE] && settings_is_address(text) && has_password(text))
        return tr("a password has no place in an address, where others can read it: keep it in ~/.pgpass");
    return NULL;
}

/* Where people keep their files, by the XDG rules: a relative path in the environment is as good as none. */

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

static const char *home_folder(void)
{
    const char *home = environment("HOME");
    if (home && *home == '/')
        return home;
    const struct passwd *user = getpwuid(getuid());
    return user && user->pw_dir && *user->pw_dir == '/' ? user->pw_dir : NULL;
}

/* `name` below the folder in the environment variable, else below `fallback` in the home folder; NULL for
 * neither. */
static const char *xdg_path(struct arena *arena, const char *variable, const char *fallback, const char *name)
{
    const char *base = environment(variable), *home = home_folder();
    if (base && *base == '/')
        return arena_print(arena, "%s/%s", base, name);
    return home ? arena_print(arena, "%s/%s/%s", home, fallback, name) : arena_text(arena, "", 0);
}

/* A value in the form in which it is kept: `~/` at the start of a path, and of each one in a list, is the
 * home. */
static const char *keep_value(struct arena *arena, const struct setting_row *row, const char *text)
{
    const char *home = home_folder();
    struct buffer out;
    if (row->kind != SETTING_PATH || !home || !strstr(text, "~/"))
        return arena_text(arena, text, (ptrdiff_t)strlen(text));
    bool list = row == &setting_rows[SETTING_CONTENT];
    buffer_init(&out);
    for (const char *at = text; *at; at++) {
        bool start = at == text || (list && at[-1] == ':');
        if (start && at[0] == '~' && at[1] == '/')
            buffer_text(&out, home);
        else
            buffer_char(&out, *at);
    }
    const char *kept = out.failed ? NULL : arena_text(arena, buffer_get(&out), out.length);
    buffer_finish(&out);
    return kept;
}

bool settings_put(struct settings *settings, enum setting setting, const char *text, double number,
                  const char *origin)
{
    const char *kept = keep_value(&settings->arena, &setting_rows[setting], text);
    const char *from = arena_text(&settings->arena, origin, (ptrdiff_t)strlen(origin));
    if (!kept || !from)
        return false;
    settings->text[setting] = kept;
    settings->number[setting] = number;
    settings->origin[setting] = from;
    return true;
}

bool settings_set(struct settings *settings, enum setting setting, const char *value, const char *origin,
                  struct error *error)
{
    const struct setting_row *row = &setting_rows[setting];
    char belongs[200];
    double number;
    if (row->kind == SETTING_MAP)
        return error_set(error, ERROR_USAGE, tr("%s can be set in a file only"), row->name);
    if (!settings_judge(row, value, &number, belongs, sizeof belongs))
        return error_set(error, ERROR_USAGE, tr("%s: %s, found \"%s\""), row->name, belongs, value);
    const char *refusal = settings_refusal(row, value);
    if (refusal)
        return error_set(error, ERROR_USAGE, tr("%s: %s"), row->name, refusal);
    return settings_put(settings, setting, value, number, origin) || error_memory(error);
}

const char *settings_user_content(struct arena *arena)
{
    const char *path = xdg_path(arena, "XDG_DATA_HOME", ".local/share", "quiztutor/content");
    return path && *path ? path : NULL;
}

static const char *login_name(void)
{
    const struct passwd *user = getpwuid(getuid());
    if (user && user->pw_name && *user->pw_name)
        return user->pw_name;
    const char *name = environment("LOGNAME");
    return name ? name : environment("USER");
}

/* The defaults that depend on who and where we are. */
static const char *computed_default(struct settings *settings, enum setting setting)
{
    struct arena *arena = &settings->arena;
    const char *path;
    switch (setting) {
    case SETTING_LEARNER:
        path = login_name();
        return path ? path : "";
    case SETTING_STORE:
        return xdg_path(arena, "XDG_DATA_HOME", ".local/share", "quiztutor/store.db");
    case SETTING_CONTENT:
        path = xdg_path(arena, "XDG_DATA_HOME", ".local/share", "quiztutor/content");
        return path && *path ? arena_print(arena, "%s:%s", path, QUIZTUTOR_CONTENTDIR)
               : path        ? QUIZTUTOR_CONTENTDIR
                             : NULL;
    default:
        return "";
    }
}

bool settings_defaults(struct settings *settings, struct error *error)
{
    memset(settings, 0, sizeof *settings);
    arena_init(&settings->arena);
    for (int i = 0; i < SETTINGS; i++) {
        const struct setting_row *row = &setting_rows[i];
        const char *value = row->fallback ? row->fallback : computed_default(settings, (enum setting)i);
        char belongs[200];
        double number = 0;
        if (!value)
            return error_memory(error);
        settings->origin[i] = "default";
        if (!*value)
            continue;
        settings_judge(row, value, &number, belongs, sizeof belongs);
        if (!settings_put(settings, (enum setting)i, value, number, "default"))
            return error_memory(error);
    }
    return true;
}

bool settings_environment(struct settings *settings, struct error *error)
{
    for (int i = 0; i < SETTINGS; i++) {
        const char *name = setting_rows[i].environment, *value = name ? environment(name) : NULL;
        char origin[WORD];
        if (!value)
            continue;
        snprintf(origin, sizeof origin, "$%s", name);
        if (!settings_set(settings, (enum setting)i, value, origin, error))
            return false;
    }
    return true;
}

bool settings_load(struct settings *settings, struct diagnostics *list, struct error *error)
{
    if (!settings_defaults(settings, error))
        return false;
    const char *own = xdg_path(&settings->arena, "XDG_CONFIG_HOME", ".config", "quiztutor/config.yaml");
    if (!own)
        return error_memory(error);
    /* both are read, so that all that is wrong is told at once */
    bool machine = settings_file(settings, "/etc/quiztutor/config.yaml", list, error);
    bool user = !*own || settings_file(settings, own, list, error);
    return machine && user && settings_environment(settings, error);
}

void settings_finish(struct settings *settings)
{
    arena_finish(&settings->arena);
    memset(settings, 0, sizeof *settings);
}

double settings_retention(const struct settings *settings, const char *pack)
{
    for (int i = 0; i < settings->share_count; i++)
        if (strcmp(settings->shares[i].pack, pack) == 0)
            return settings->shares[i].share;
    return settings->number[SETTING_RETENTION];
}
