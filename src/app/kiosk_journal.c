#include "kiosk_journal.h"

#include <quiztutor/text.h>

#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WHAT = 240 /* bytes shown */, NOTE = 48 };

enum priority { CRITICAL = 2, ERROR = 3, WARNING = 4, NOTICE = 5, INFO = 6 }; /* syslog(3) */

static const struct {
    enum priority priority;
    const char *words;
} lines[KIOSK_JOURNAL_LINES] = {
    [KIOSK_JOURNAL_START] = { INFO, "started" },
    [KIOSK_JOURNAL_END] = { INFO, "ended" },
    [KIOSK_JOURNAL_UNCLEAN] = { WARNING, "had ended without warning" },
    [KIOSK_JOURNAL_UNLOCKED] = { WARNING, "is not locked in" },
    [KIOSK_JOURNAL_CONFIG_READ] = { INFO, "configuration read" },
    [KIOSK_JOURNAL_CONFIG_REFUSED] = { ERROR, "configuration refused" },
    [KIOSK_JOURNAL_SIGN_IN] = { INFO, "sign-in" },
    [KIOSK_JOURNAL_SIGN_IN_REFUSED] = { NOTICE, "sign-in refused" },
    [KIOSK_JOURNAL_SIGN_OUT] = { INFO, "sign-out" },
    [KIOSK_JOURNAL_EXAM_REFUSED] = { WARNING, "exam refused" },
    [KIOSK_JOURNAL_TUTOR] = { NOTICE, "tutor's menu" },
    [KIOSK_JOURNAL_CODE_REFUSED] = { WARNING, "tutor's code refused" },
    [KIOSK_JOURNAL_DAMAGE] = { CRITICAL, "store damaged" },
    [KIOSK_JOURNAL_HEALED] = { WARNING, "store restored" },
    [KIOSK_JOURNAL_NOT_STORED] = { CRITICAL, "answer not stored" },
    [KIOSK_JOURNAL_STORED] = { NOTICE, "answers stored again" },
    [KIOSK_JOURNAL_CLOCK] = { WARNING, "clock not plausible" },
    [KIOSK_JOURNAL_PULLED] = { INFO, "roster taken over" },
    [KIOSK_JOURNAL_PULLED_REFUSED] = { WARNING, "roster not taken over" },
    [KIOSK_JOURNAL_BACKUP] = { NOTICE, "backup made that was overdue" },
    [KIOSK_JOURNAL_BACKUP_REFUSED] = { ERROR, "backup not made" },
};

void kiosk_journal_init(struct kiosk_journal *journal, int fd)
{
    *journal = (struct kiosk_journal){ .fd = fd >= 0 && !isatty(fd) ? fd : -1 };
}

/* So little goes into a pipe or socket whole, once it takes anything. */
static bool takes_more(int fd)
{
    struct pollfd ready = { .fd = fd, .events = POLLOUT };
    return poll(&ready, 1, 0) == 1 && (ready.revents & POLLOUT);
}

/* `what` in its visible form, without the half of a character at its end. */
static void show(char shown[static WHAT], const char *what)
{
    struct buffer visible;
    buffer_init(&visible);
    text_visible(&visible, what, (ptrdiff_t)strnlen(what, WHAT));
    int length = visible.failed ? 0 : snprintf(shown, WHAT, "%s", buffer_get(&visible));
    for (int last = WHAT - 2; length >= WHAT && last > 0; last--) {
        bool inside = (shown[last] & 0xc0) == 0x80, begins = (shown[last] & 0xc0) == 0xc0;
        if (!inside && !begins)
            break;
        shown[last] = '\0';
        if (begins)
            break;
    }
    if (length <= 0)
        *shown = '\0';
    buffer_finish(&visible);
}

void kiosk_journal_write(struct kiosk_journal *journal, enum kiosk_journal_line line, const char *what)
{
    char text[PIPE_BUF], shown[WHAT] = "", note[NOTE] = "";
    if (journal->fd < 0)
        return;
    if (what)
        show(shown, what);
    if (journal->lost)
        snprintf(note, sizeof note, " (%d lines before were lost)", journal->lost);
    int length = snprintf(text, sizeof text, "<%d>quiztutor: kiosk %s%s%s%s\n", (int)lines[line].priority,
                          lines[line].words, *shown ? ": " : "", shown, note);
    if (takes_more(journal->fd) && write(journal->fd, text, (size_t)length) == length)
        journal->lost = 0;
    else
        journal->lost++;
}
