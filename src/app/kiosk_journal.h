/*
 * What a kiosk tells the machine's journal: a line on standard error with the priority that systemd reads off
 * its front ("<4>…"), for each start, sign-in, refusal and damage. Lines are for programs as well as people:
 * always English, "quiztutor: kiosk WORDS" and, after a colon, what is known besides. No line names a learner
 * or says what was answered.
 */
#ifndef QUIZTUTOR_APP_KIOSK_JOURNAL_H
#define QUIZTUTOR_APP_KIOSK_JOURNAL_H

enum kiosk_journal_line {
    KIOSK_JOURNAL_START,          /* version */
    KIOSK_JOURNAL_END,            /* in order */
    KIOSK_JOURNAL_UNCLEAN,        /* the run before ended without a word */
    KIOSK_JOURNAL_UNLOCKED,       /* folders or calls: why not */
    KIOSK_JOURNAL_CONFIG_READ,    /* a new one */
    KIOSK_JOURNAL_CONFIG_REFUSED, /* file:line:column */
    KIOSK_JOURNAL_SIGN_IN,
    KIOSK_JOURNAL_SIGN_IN_REFUSED, /* "unknown", "group", "PIN", "wait" */
    KIOSK_JOURNAL_SIGN_OUT,        /* "idle" where nobody asked for it, "tutor" */
    KIOSK_JOURNAL_EXAM_REFUSED,    /* why */
    KIOSK_JOURNAL_TUTOR,           /* what was done in the menu */
    KIOSK_JOURNAL_CODE_REFUSED,
    KIOSK_JOURNAL_DAMAGE,         /* of the store: what was found */
    KIOSK_JOURNAL_HEALED,         /* how many answers came back */
    KIOSK_JOURNAL_NOT_STORED,     /* an answer is kept in memory: why */
    KIOSK_JOURNAL_STORED,         /* it is on the disk after all */
    KIOSK_JOURNAL_CLOCK,          /* "before", "behind", "ahead" */
    KIOSK_JOURNAL_PULLED,         /* what a sync pulled was taken over: how many of what */
    KIOSK_JOURNAL_PULLED_REFUSED, /* it could not be: why */
    KIOSK_JOURNAL_BACKUP,         /* the kiosk made one that was overdue */
    KIOSK_JOURNAL_BACKUP_REFUSED, /* it could not be made: why */
    KIOSK_JOURNAL_LINES
};

struct kiosk_journal {
    int fd;   /* −1: nobody reads it */
    int lost; /* lines that could not be written since the last one that was: told with the next */
};

/* For a descriptor, which stays the caller's. A terminal is no journal: the screen is drawn on it. */
void kiosk_journal_init(struct kiosk_journal *journal, int fd);

/* One write, which never waits. `what` may be NULL; it is cut where it is long, and can't drive a terminal.
 */
void kiosk_journal_write(struct kiosk_journal *journal, enum kiosk_journal_line line, const char *what);

#endif
