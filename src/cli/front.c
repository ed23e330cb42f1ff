#include "front.h"

#include <quiztutor/terminal.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool front_has_screens(const struct invocation *invocation)
{
    const char *term = getenv("TERM"), *accessible = getenv("ACCESSIBLE");
    struct error error;
    if (invocation->options->values[OPTION_PLAIN] || (accessible && *accessible) ||
        invocation->settings->number[SETTING_PLAIN] != 0 || (term && strcmp(term, "dumb") == 0) ||
        !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return false;
    if (terminal_usable(&error))
        return true;
    fprintf(stderr, "quiztutor: %s\n", error.message);
    return false;
}

static int word_of(const char *word, const char *const *words, int count)
{
    for (int i = 0; word && i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    return -1;
}

int front_theme(const struct settings *settings)
{
    static const char *const themes[] = {
        [THEME_AUTO] = "auto", [THEME_DARK] = "dark", [THEME_LIGHT] = "light", [THEME_MONO] = "mono"
    };
    int theme = word_of(settings->text[SETTING_THEME], themes, 4);
    return theme < 0 ? THEME_AUTO : theme;
}

int front_signs(const struct settings *settings)
{
    static const char *const signs[] = {
        [SIGNS_UNICODE] = "unicode", [SIGNS_CONSOLE] = "console", [SIGNS_ASCII] = "ascii"
    };
    return word_of(settings->text[SETTING_SIGNS], signs, 3);
}
