#include <quiztutor/message.h>

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef QUIZTUTOR_LOCALEDIR
#define QUIZTUTOR_LOCALEDIR "/usr/local/share/locale"
#endif

int message_start(void)
{
    /* only what is used: the other categories would cost a file each at every start, and LC_NUMERIC must stay
     * C */
    setlocale(LC_CTYPE, "");
    setlocale(LC_MESSAGES, "");
    const char *directory = getenv("QUIZTUTOR_LOCALEDIR");
    bindtextdomain("quiztutor", directory && *directory ? directory : QUIZTUTOR_LOCALEDIR);
    bind_textdomain_codeset("quiztutor", "UTF-8");
    textdomain("quiztutor");
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

const char *message_in(const char *key, const char *text)
{
    const char *found = gettext(key);
    return found == key ? text : found;
}

void message_language(char language[static MESSAGE_LANGUAGE])
{
    static const char head[] = "", label[] = "\nLanguage: "; /* the head of a catalogue translates "" */
    static const char tag[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    const char *found = strstr(tr(head), label);
    size_t length = found ? strcspn(found + sizeof label - 1, "\n.@") : 0;
    if (found && strspn(found + sizeof label - 1, tag) < length)
        length = 0;
    if (length == 0 || length >= MESSAGE_LANGUAGE)
        snprintf(language, MESSAGE_LANGUAGE, "en");
    else
        snprintf(language, MESSAGE_LANGUAGE, "%.*s", (int)length, found + sizeof label - 1);
    for (char *c = language; *c; c++)
        if (*c == '_')
            *c = '-';
}

int message_right_to_left(const char *language)
{
    static const char *const languages[] = { "ar",  "arc", "ckb", "dv", "fa", "he", "iw",
                                             "nqo", "ps",  "sd",  "ug", "ur", "yi" };
    size_t length = strcspn(language, "-_");
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (strlen(languages[i]) == length && strncmp(languages[i], language, length) == 0)
            return 1;
    return 0;
}
