/*
 * A tutor's menu: its rows, and what each of them does, however it is shown. kiosk_menu_screen.c shows it on
 * the screen, kiosk_lines_menu.c line by line. Private to app.
 */
#ifndef QUIZTUTOR_APP_KIOSK_MENU_H
#define QUIZTUTOR_APP_KIOSK_MENU_H

#include "kiosk.h"

enum menu_act { MENU_OPEN, MENU_LOCK, MENU_EXTEND, MENU_REOPEN, MENU_SIGN_OUT, MENU_MACHINE, MENU_LEAVE };

enum { MENU_MOST = 400, MENU_IDLE_MS = 60000 /* where the configuration has none */ };

struct menu_row {
    enum menu_act act;
    const char *pack;    /* MENU_OPEN, MENU_LOCK: its id, the configuration's */
    struct uuid session; /* MENU_EXTEND, MENU_REOPEN */
};

struct menu {
    struct kiosk *kiosk;
    struct arena arena;
    const char *stake; /* what is lost by whoever is signed out now; NULL: nothing */
    struct kiosk_choice choices[MENU_MOST];
    struct menu_row rows[MENU_MOST];
    int count;
    char told[2 * LOCK_WHY + 2 * KIOSK_TEXT]; /* what the row that was chosen has to say; "": it is done */
    bool done;
    enum guard_says says; /* when it is done */
};

/* The use of it is on record. `stake` must outlive the menu. */
void menu_init(struct menu *menu, struct kiosk *kiosk, const char *stake);
void menu_finish(struct menu *menu);

/* The rows as they are now. */
void menu_fill(struct menu *menu);

/* Does what the row is for, and makes the rows anew. */
void menu_choose(struct menu *menu, int row);

/* Whether nobody has touched it for so long that it closes by itself. */
bool menu_is_left(const struct menu *menu);

/* Whether the code that was typed is right; kiosk->note says why not. */
bool menu_code(struct kiosk *kiosk, const char *typed);

#endif
