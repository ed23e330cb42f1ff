/* The right number in words, wherever a key is told: on the screens and on paper. */
#include <quiztutor/marking.h>
#include <quiztutor/number.h>

#include <stdio.h>
#include <string.h>

enum { DERIVED_FIGURES = 6 /* of a derived answer, for people, where that many are right */ };

static bool is_right(const struct question *question, const char *text)
{
    struct verdict verdict;
    marking_mark(&verdict, question, &(struct answer){ .text = text });
    return verdict.outcome == OUTCOME_RIGHT;
}

const char *answer_number(char room[static ANSWER_NUMBER], const struct question *question, bool exact)
{
    const struct number_key *key = &question->key.number;
    struct number written;
    if (!question->origin &&
        number_read(&written, key->answer, (ptrdiff_t)strlen(key->answer), false) == NUMBER_FINE)
        return key->answer;
    int figures = key->significant_figures ? key->significant_figures : DERIVED_FIGURES;
    double value = key->significant_figures ? number_round(key->value, key->significant_figures) : key->value;
    snprintf(room, ANSWER_NUMBER, "%.*g", figures, value);
    if (exact || strchr(room, 'e') || !is_right(question, room))
        snprintf(room, ANSWER_NUMBER, "%.15g", key->value);
    return room;
}
