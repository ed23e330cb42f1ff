#include "tutor_private.h"

bool tutor_shows(enum report_kind kind)
{
    return kind != REPORT_ATTEMPTS;
}

bool tutor_run(const struct tutor *tutor, int *signal, struct error *error)
{
    *signal = 0;
    return tutor->lines ? tutor_lines(tutor, error) : tutor_screens(tutor, signal, error);
}
