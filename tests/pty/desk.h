/*
 * A learner's desk for tests of the real program: a folder of its own with a pack and a store, quiztutor
 * practising on a pty, and what the store then holds, read with SQLite behind the program's back.
 */
#ifndef QUIZTUTOR_TESTS_DESK_H
#define QUIZTUTOR_TESTS_DESK_H

#include "pty.h"

enum { DESK_PATH = 256 };

struct desk {
    char folder[DESK_PATH], content[DESK_PATH + 16], pack[DESK_PATH + 32], store[DESK_PATH + 16];
    char config[DESK_PATH + 32];
    struct pty *pty;
};

/* The program's path, for all desks. */
void desk_program(const char *path);

/* A fresh folder; nothing runs yet. */
void desk_set(struct desk *desk);

/* Starts `quiztutor practise PACK`, or with `home` just quiztutor, and waits for its first screen. Program,
 * arguments and the first environment entries are filled in, the caller's follow. */
void desk_practise(struct desk *desk, struct pty_options options);
void desk_home(struct desk *desk, struct pty_options options);
void desk_launch(struct desk *desk, struct pty_options options); /* practise, without waiting */

/* Starts `quiztutor practise` without a PACK, with two more arguments, and waits for the library. */
void desk_choose(struct desk *desk, struct pty_options options, const char *option, const char *other);

void desk_preview(struct desk *desk, struct pty_options options, const char *path); /* without waiting */

void desk_report(struct desk *desk, struct pty_options options, const char *kind); /* without waiting */

/* Somebody practises the pack meanwhile, line by line: what they type, a line each. */
void desk_answer(struct desk *desk, const char *learner, const char *lines);

/* Ends the program if need be, so that another can start on the same desk. */
void desk_stop(struct desk *desk);
void desk_clear(struct desk *desk); /* stops, and removes the folder */

/* Writes the user's settings. */
void desk_settings(struct desk *desk, const char *yaml);

/* Rows of attempt; 0 where there is no store yet. Fails the test when the store is not whole. */
int desk_attempts(struct desk *desk);

/* Types, then waits for the text. */
void desk_type(struct desk *desk, const char *keys, const char *text);

#endif
