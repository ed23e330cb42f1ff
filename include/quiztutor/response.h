/*
 * What a learner gave: an answer, a blank, or a command. One reader serves the screens, the plain lines, JSON
 * lines and marking by hand; its rows of commands are also the help that `?` shows.
 */
#ifndef QUIZTUTOR_RESPONSE_H
#define QUIZTUTOR_RESPONSE_H

#include <quiztutor/answer.h>
#include <quiztutor/text.h>

enum response_kind { RESPONSE_ANSWER, RESPONSE_BLANK, RESPONSE_COMMAND, RESPONSE_UNREADABLE };
enum response_command {
    COMMAND_HINT,
    COMMAND_SKIP,
    COMMAND_UNDO,
    COMMAND_FLAG,
    COMMAND_REPORT,
    COMMAND_STAR, /* `:star` and `:suspend` say it, and say it again to take it back; `last` may follow */
    COMMAND_SUSPEND,
    COMMAND_OVERVIEW, /* exams: the questions at a glance */
    COMMAND_GO,       /* exams: `:go N` */
    COMMAND_FINISH,
    COMMAND_HELP,
    RESPONSE_COMMANDS
};

struct response_row {
    const char *word; /* ":hint" */
    char letter;      /* 'h', 0 for none */
    const char *help; /* N_() */
};
extern const struct response_row response_rows[RESPONSE_COMMANDS];

struct response {
    enum response_kind kind;
    struct answer answer;          /* RESPONSE_ANSWER */
    enum response_command command; /* RESPONSE_COMMAND */
    const char *argument;          /* of `:report TEXT` and `:go N`: points into the line, or NULL */
    bool last;        /* `:star last`, `:suspend last`: the question answered before the one on show */
    char reason[200]; /* RESPONSE_UNREADABLE: why, a sentence without full stop, translated */
    char text[PACK_RESPONSE + 1]; /* what answer.text points to */
};

/* Reads one line (no newline); a text or number in the answer points into `line`'s copy in the response. A
 * text that begins with ':' is typed "::". A match takes `0` for a left that is left blank. A NUL byte or bad
 * UTF-8 inside is unreadable. An empty line is RESPONSE_BLANK: what that means is the caller's to say. */
void response_read(struct response *response, const struct showing *showing, const char *line,
                   ptrdiff_t length);

#endif
