/*
 * What a learner gave: an answer, a blank, or a command. One reader serves the screens, the plain lines, JSON
 * lines and marking by hand; its rows of commands are also the help that `?` shows.
 */
#ifndef QUIZTUTOR_RESPONSE_H
#define QUIZTUTOR_RESPONSE_H

#include <quiztutor/answer.h>
#include <quiztutor/number.h>
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

/*
 * Reads one line (no newline). A typed number or text is kept in response->text, so that a response that is
 * copied has to be read anew. A text that begins with ':' is typed "::"; one letter is the answer where the
 * type is number or text, else a command unless a choice with that letter is shown. An order is the numbers
 * of its items, a match a number for each left, `0` or `-` for one that is left blank; where no number has
 * two digits they may stand without gaps ("312"). A card is graded by 1 to 4, or by again, hard, good, easy:
 * not by their first letters, since `h` asks for a hint. A NUL byte or bad UTF-8 inside is unreadable. An
 * empty line is RESPONSE_BLANK, and so is a match of blanks: what that means is the caller's to say.
 */
void response_read(struct response *response, const struct showing *showing, const char *line,
                   ptrdiff_t length);

/* The same for the text of a field on the screens, where nothing is a command and ':' stands for itself;
 * "::" for ':' is taken too, unless it is right as it stands. */
void response_read_field(struct response *response, const struct showing *showing, const char *text,
                         ptrdiff_t length);

/* Reads a number as it is typed for this question: with or without its unit, and with a decimal comma where
 * its language has one. */
enum number_fault response_number(struct number *number, const struct question *question, const char *text,
                                  ptrdiff_t length);

#endif
