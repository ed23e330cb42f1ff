#include "diff_answer.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>

static void write_list(struct buffer *out, const struct text_list *list, const char *between)
{
    for (int i = 0; i < list->count; i++) {
        buffer_text(out, i ? between : "");
        buffer_text(out, list->items[i]);
    }
}

static void write_number(struct buffer *out, const struct number_key *number)
{
    char text[NUMBER_PLAIN];
    buffer_text(out, number->answer);
    if (number->tolerance > 0) {
        double percent = number_round(100 * number->tolerance, PACK_FIGURES);
        number_plain(text, number->relative ? percent : number->tolerance);
        buffer_print(out, number->relative ? " ± %s%%" : " ± %s", text);
    }
    if (number->unit)
        buffer_print(out, " %s", number->unit);
    if (number->significant_figures)
        buffer_print(out, ntr(", %d figure", ", %d figures", number->significant_figures),
                     number->significant_figures);
}

static void write_match(struct buffer *out, const struct match_key *match)
{
    for (int i = 0; i < match->lefts.count; i++)
        buffer_print(out, "%s%s = %s", i ? "; " : "", match->lefts.items[i],
                     match->rights.items[match->pairs[i]]);
    for (int i = match->paired; i < match->rights.count; i++)
        buffer_print(out, "; %s", match->rights.items[i]);
}

static void write_text(struct buffer *out, const struct text_key *text)
{
    static const enum text_ignore bits[] = { IGNORE_CASE, IGNORE_ACCENTS, IGNORE_PUNCTUATION, IGNORE_SPACES };
    int count = 0;
    write_list(out, &text->accept, " | ");
    if (text->ignore == (IGNORE_CASE | IGNORE_SPACES)) /* the default, which nobody wrote */
        return;
    for (int i = 0; i < 4; i++)
        if (text->ignore & bits[i])
            buffer_print(out, "%s%s", count++ ? ", " : tr(", ignoring "), text_ignore_name(bits[i]));
}

void diff_answer_write(struct buffer *out, const struct question *question)
{
    switch (question->type) {
    case QUESTION_TRUE_FALSE:
        buffer_text(out, question->key.truth ? tr("True") : tr("False"));
        break;
    case QUESTION_NUMBER:
        write_number(out, &question->key.number);
        break;
    case QUESTION_TEXT:
        write_text(out, &question->key.text);
        break;
    case QUESTION_ORDER:
        write_list(out, &question->key.order, ", ");
        break;
    case QUESTION_MATCH:
        write_match(out, &question->key.match);
        break;
    case QUESTION_RECALL:
        buffer_text(out, question->key.recall);
        break;
    default:
        break;
    }
}
