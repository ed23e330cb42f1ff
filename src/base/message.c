#include <quiztutor/message.h>

#include <langinfo.h>
#include <locale.h>
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
