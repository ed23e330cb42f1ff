/* What `kiosk --check` finds of the configuration and the packs it names. */
#include "kiosk_check.h"

#include <quiztutor/message.h>

#include <string.h>

/* The first of what is wrong, and how many there are. */
static void tell_list(struct check_finding *finding, const struct diagnostics *list,
                      const struct error *error)
{
    const struct diagnostic *first = NULL;
    for (ptrdiff_t i = 0; i < list->count && !first; i++)
        if (list->items[i].severity == SEVERITY_ERROR)
            first = &list->items[i];
    int more = list->errors + list->errors_left_out - 1;
    if (!first) {
        check_found(finding, CHECK_BAD, "%s", *error->message ? error->message : tr("out of memory"));
        return;
    }
    if (more > 0)
        check_found(finding, CHECK_BAD,
                    ntr("%.200s:%d:%d: %.300s; and %d more", "%.200s:%d:%d: %.300s; and %d more", more),
                    first->file, first->line, first->column, first->message, more);
    else
        check_found(finding, CHECK_BAD, "%.200s:%d:%d: %.300s", first->file, first->line, first->column,
                    first->message);
    if (first->hint)
        check_todo(finding, "%.500s", first->hint);
}

void check_config(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    (void)row;
    if (check->config) {
        check_found(finding, CHECK_GOOD, "%.300s", check->config->path);
        return;
    }
    tell_list(finding, &check->config_list, &check->config_error);
    if (!*finding->todo)
        check_todo(
            finding, "%s",
            tr("mend the file; quiztutor-kiosk(7) says what may stand in it: until then the kiosk only "
               "shows this message"));
}

void check_packs(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    (void)row;
    if (!check->config) {
        check_found(finding, CHECK_APART, "%s", tr("the configuration does not say which"));
    } else if (!check->packs) {
        tell_list(finding, &check->packs_list, &check->packs_error);
        if (!*finding->todo)
            check_todo(finding, tr("see all of it with %s"), "quiztutor check");
    } else if (!check->packs->count) {
        check_found(finding, CHECK_BAD, "%s", tr("there are none"));
        check_todo(finding, "%s", tr("put packs into the folder that `content` names"));
    } else {
        check_found(finding, CHECK_GOOD, ntr("%d loads", "%d, all of them load", check->packs->count),
                    (int)check->packs->count);
    }
}

void check_code(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    (void)row;
    if (!check->config) {
        check_found(finding, CHECK_APART, "%s", tr("the configuration does not say it"));
    } else if (check->config->tutor_code) {
        check_found(finding, CHECK_GOOD, "%s", tr("there is one"));
    } else {
        check_found(
            finding, CHECK_NOTE, "%s",
            tr("there is none: nobody can add minutes, reopen an exam or leave the kiosk; `quiztutor kiosk "
               "--code` makes the line for the configuration"));
    }
}
