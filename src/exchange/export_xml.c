#include "export_xml.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>

#include <math.h>
#include <string.h>

const struct known_wrong *export_wrongs(const struct question *question, int *count)
{
    *count = 0;
    if (question->type == QUESTION_NUMBER) {
        *count = question->key.number.wrong_count;
        return question->key.number.wrongs;
    }
    if (question->type == QUESTION_TEXT) {
        *count = question->key.text.wrong_count;
        return question->key.text.wrongs;
    }
    return NULL;
}

void export_common_losses(struct export_losses *losses, const struct question *question)
{
    bool misconceptions = question->misconception != NULL, ids = false;
    if (question->type == QUESTION_SINGLE_CHOICE || question->type == QUESTION_MULTIPLE_CHOICE)
        for (int i = 0; i < question->key.choices.count; i++) {
            misconceptions = misconceptions || question->key.choices.items[i].misconception;
            ids = ids || question->key.choices.items[i].id;
        }
    int count;
    const struct known_wrong *wrongs = export_wrongs(question, &count);
    for (int i = 0; i < count; i++)
        misconceptions = misconceptions || wrongs[i].misconception;
    export_losses_add(losses, question->source != NULL, N_("source"));
    export_losses_add(losses, misconceptions, N_("misconceptions"));
    export_losses_add(losses, ids, N_("ids of choices"));
    if (question->type == QUESTION_TEXT)
        export_losses_add(losses, (question->key.text.ignore & ~(unsigned)IGNORE_CASE) != IGNORE_SPACES,
                          N_("what is ignored beside case and spaces"));
}

void export_number(char digits[static 400], const struct question *question)
{
    const char *answer = question->key.number.answer;
    size_t length = strlen(answer);
    struct number number;
    if (length < NUMBER_LONGEST && number_read(&number, answer, (ptrdiff_t)length, false) == NUMBER_FINE &&
        strspn(answer, "+-0123456789.eE") == length)
        memcpy(digits, answer, length + 1);
    else
        number_plain(digits, question->key.number.value);
}

double export_tolerance(const struct question *question)
{
    const struct number_key *key = &question->key.number;
    return key->relative ? key->tolerance * fabs(key->value) : key->tolerance;
}

void export_html_both(struct export *export, struct buffer *out, const char *text, const char *figure)
{
    if (text)
        export_html(export, out, text, false);
    if (figure)
        export_html_figure(out, figure);
}
