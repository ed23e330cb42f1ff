#include <quiztutor/report.h>

#include <string.h>

static const char *const kinds[REPORTS] = { "progress", "class",  "items",   "misconceptions",
                                            "problems", "grades", "attempts" };
static const char *const attempts_words[] = { "first", "last", "best", "all" };

enum { WAYS = sizeof attempts_words / sizeof *attempts_words };

const char *report_kind_name(enum report_kind kind)
{
    return kinds[kind];
}

const char *report_attempts_name(enum report_attempts attempts)
{
    return attempts_words[attempts];
}

static int find(const char *const *words, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], name) == 0)
            return i;
    return -1;
}

bool report_kind_read(enum report_kind *kind, const char *name)
{
    int found = find(kinds, REPORTS, name);
    if (found < 0)
        return false;
    *kind = (enum report_kind)found;
    return true;
}

bool report_attempts_read(enum report_attempts *attempts, const char *name)
{
    int found = find(attempts_words, WAYS, name);
    if (found < 0)
        return false;
    *attempts = (enum report_attempts)found;
    return true;
}
