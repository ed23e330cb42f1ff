/* What can be typed: for an answer, by how the question is answered, and the commands. */
#include "lines.h"

#include <quiztutor/message.h>

const char *lines_help_answer(const struct question_model *question, bool exam)
{
    switch (question->way) {
    case WAY_CHOICES:
        break;
    case WAY_FIELD:
        if (question->numeric)
            return exam ? tr("A number such as 0.5 or 1e3, an empty line to leave the question blank, or:")
                        : tr("A number such as 0.5 or 1e3, or:");
        return exam ? tr("The answer itself (one that begins with : is typed with two of them), an empty "
                         "line to leave the question blank, or:")
                    : tr("The answer itself (one that begins with : is typed with two of them), or:");
    case WAY_ORDER:
        return exam ? tr("The numbers in the right order, such as 3 1 2, an empty line to leave the question "
                         "blank, or:")
                    : tr("The numbers in the right order, such as 3 1 2, or:");
    case WAY_MATCH:
        return exam ? tr("For each in turn the number of what belongs to it, 0 for none, an empty line to "
                         "leave the question blank, or:")
                    : tr("For each in turn the number of what belongs to it, 0 for none, or:");
    case WAY_RECALL:
        return tr("An empty line to turn the card over, then 1 again, 2 hard, 3 good or 4 easy, or:");
    }
    return exam ? tr("The number or letter of a choice, several parted by commas or spaces, an empty line to "
                     "leave the question blank, or:")
                : tr("The number or letter of a choice, several parted by commas or spaces, or:");
}

void lines_help_commands(struct lines *lines, struct buffer *out, const struct question_model *question,
                         const char *const help[RESPONSE_COMMANDS])
{
    for (int i = 0; i < RESPONSE_COMMANDS; i++) {
        const struct response_row *row = &response_rows[i];
        char letter[2] = { question->way == WAY_FIELD ? '\0' : row->letter, '\0' };
        if (help[i])
            buffer_print(out, "  %-9s %1s  %s\n", question->exam && i == COMMAND_GO ? ":go N" : row->word,
                         letter, tr(help[i]));
    }
    if (lines->application->guard)
        buffer_print(out, "  %-9s %1s  %s\n", ":tutor", "", tr("for tutors: a menu behind a code"));
}
