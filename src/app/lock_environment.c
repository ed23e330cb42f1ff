#include <quiztutor/lock.h>
#include <quiztutor/message.h>

#include <ctype.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Terminals that stand on a desk or come over SSH; their descriptions are known to drive no more than a
 * screen. */
const char *const lock_terminals[] = {
    "linux",
    "linux-16color",
    "xterm",
    "xterm-256color",
    "xterm-direct",
    "xterm-color",
    "xterm-kitty",
    "xterm-ghostty",
    "foot",
    "foot-direct",
    "foot-extra",
    "alacritty",
    "kitty",
    "konsole",
    "konsole-256color",
    "gnome",
    "gnome-256color",
    "vte",
    "vte-256color",
    "screen",
    "screen.linux",
    "screen.xterm-256color",
    "screen-256color",
    "screen-16color",
    "tmux",
    "tmux-256color",
    "tmux-direct",
    "rxvt",
    "rxvt-256color",
    "rxvt-unicode",
    "rxvt-unicode-256color",
    "st",
    "st-256color",
    "putty",
    "putty-256color",
    "wezterm",
    "mlterm",
    "cygwin",
    "ms-terminal",
    "vt100",
    "vt102",
    "vt220",
    "vt320",
    "vt420",
    "ansi",
    NULL,
};

static const char lock_fallback_terminal[] = "vt100", utf8_locale[] = "C.UTF-8";
/* With a value in TZ the C library reads the file once; without one it looks at it again at each call. */
static const char own_zone[] = ":/etc/localtime";

static const char *known_terminal(const char *term)
{
    for (int i = 0; term && lock_terminals[i]; i++)
        if (strcmp(lock_terminals[i], term) == 0)
            return lock_terminals[i];
    return lock_fallback_terminal;
}

bool lock_environment(struct error *error)
{
    const char *term = known_terminal(getenv("TERM"));
    if (clearenv() != 0 || setenv("TERM", term, 1) != 0 || setenv("LANG", utf8_locale, 1) != 0 ||
        setenv("TZ", own_zone, 1) != 0)
        return error_memory(error);
    tzset();
    return true;
}

/* Where people who speak a language mostly live, for locales' names, unless the territory is called as the
 * language is (de_DE). */
static const char *const territories[] = {
    "ar_EG", "be_BY", "bn_BD", "bs_BA", "ca_ES", "cs_CZ", "da_DK", "el_GR", "en_US", "et_EE", "eu_ES",
    "fa_IR", "ga_IE", "gl_ES", "he_IL", "hi_IN", "ja_JP", "ka_GE", "kk_KZ", "ko_KR", "ms_MY", "nb_NO",
    "sl_SI", "sq_AL", "sr_RS", "sv_SE", "ta_IN", "uk_UA", "ur_PK", "vi_VN", "zh_CN",
};

enum { LOCALE_NAME = 32 };

/* The locale's name that is likely there: "de" is de_DE.UTF-8, "pt-BR" pt_BR.UTF-8. */
static void likely_locale(char name[static LOCALE_NAME], const char *code)
{
    if (strchr(code, '_')) {
        snprintf(name, LOCALE_NAME, "%.20s.UTF-8", code);
        return;
    }
    for (size_t i = 0; i < sizeof territories / sizeof *territories; i++) {
        if (strlen(code) == 2 && strncmp(territories[i], code, 2) == 0) {
            snprintf(name, LOCALE_NAME, "%s.UTF-8", territories[i]);
            return;
        }
    }
    snprintf(name, LOCALE_NAME, "%.8s_%.8s.UTF-8", code, code);
    for (char *c = strchr(name, '_'); *c && *c != '.'; c++)
        *c = (char)toupper((unsigned char)*c);
}

/* "de_AT.UTF-8" and "de-AT" are de_AT; false for what is no language. A path must not become a locale's name.
 */
static bool language_code(char code[static LOCALE_NAME], const char *language)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    size_t length = strspn(language, letters);
    if (length < 2 || length > 16 || (language[length] && !strchr(".@", language[length])))
        return false;
    memcpy(code, language, length);
    code[length] = '\0';
    for (char *c = code; *c; c++)
        if (*c == '-')
            *c = '_';
    return true;
}

/* Messages come out in the language of `code`. */
static bool speaks(const char *code, const char *locale)
{
    char spoken[MESSAGE_LANGUAGE];
    if (setenv("LANG", locale, 1) != 0 || setenv("LANGUAGE", code, 1) != 0)
        return false;
    message_start();
    message_language(spoken);
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0 && strncmp(spoken, code, strcspn(spoken, "-")) == 0 &&
           strchr("_", code[strcspn(spoken, "-")]);
}

bool lock_language(const char *language)
{
    char code[LOCALE_NAME] = "en", locale[LOCALE_NAME];
    bool named = !language || !*language || language_code(code, language);
    likely_locale(locale, code);
    if (named && (speaks(code, utf8_locale) || speaks(code, locale)))
        return true;
    speaks("en", utf8_locale);
    return false;
}
