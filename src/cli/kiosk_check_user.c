/* What `kiosk --check` finds of the kiosk that runs here. */
#include "kiosk_check.h"

#include <quiztutor/message.h>

void check_umask(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    enum { OTHERS = 077 };
    (void)row;
    if (!check->kiosk.pid) {
        check_found(finding, CHECK_APART, "%s", tr("no kiosk is running; it sets umask 077 itself"));
    } else if ((check->kiosk.umask & OTHERS) == OTHERS) {
        check_found(finding, CHECK_GOOD, tr("umask %03o"), check->kiosk.umask);
    } else {
        check_found(finding, CHECK_BAD, tr("the kiosk runs with umask %03o: others can read what it writes"),
                    check->kiosk.umask);
        check_todo(finding, "%s", tr("write UMask=0077 into its unit, and start it again"));
    }
}

void check_user(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    (void)row;
    if (check->kiosk.pid && check->kiosk.uid == 0) {
        check_found(finding, CHECK_BAD, "%s", tr("the kiosk runs as root"));
        check_todo(finding, "%s", tr("give it a user of its own: User= in its unit"));
    } else if (check->kiosk.pid && check->has_user && check->kiosk.uid != check->user) {
        check_found(finding, CHECK_BAD, tr("the kiosk runs as user %u, and its data belongs to user %u"),
                    check->kiosk.uid, check->user);
        char folder[MACHINE_PATH];
        if (check_folder(folder, check->config->store))
            check_todo(finding, tr("run chown -R %u %.300s"), check->kiosk.uid, folder);
    } else if (check->kiosk.pid && (!check->kiosk.filtered || !check->kiosk.no_new_privs)) {
        check_found(finding, CHECK_BAD, tr("the kiosk that runs (process %d) is not locked in"),
                    check->kiosk.pid);
        check_todo(finding, "%s", tr("mend what is said of folders and system calls, and start it again"));
    } else if (check->kiosk.pid) {
        check_found(finding, CHECK_GOOD, tr("the kiosk runs as user %u"), check->kiosk.uid);
    } else {
        check_found(finding, CHECK_APART, "%s", tr("no kiosk is running now"));
    }
}
