#include "marking_private.h"
#include "response_private.h"

#include <quiztutor/message.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool read_typed(struct number *number, const struct question *question, const char *typed)
{
    return typed && response_number(number, question, typed, (ptrdiff_t)strlen(typed)) == NUMBER_FINE;
}

bool marking_number_right(const struct question *question, const char *typed)
{
    struct number number;
    return read_typed(&number, question, typed) && number_key_accepts(&question->key.number, number.value);
}

/* A wrong value has the answer's tolerance about itself. Where two of them take the number in, the nearer one
 * does. */
const struct known_wrong *marking_number_wrong(const struct question *question, const char *typed)
{
    const struct number_key *key = &question->key.number;
    const struct known_wrong *nearest = NULL;
    struct number number;
    if (!read_typed(&number, question, typed))
        return NULL;
    for (int i = 0; i < key->wrong_count; i++) {
        const struct known_wrong *wrong = &key->wrongs[i];
        struct number_key around = *key;
        around.value = wrong->number;
        if (number_key_accepts(&around, number.value) &&
            (!nearest || fabs(number.value - wrong->number) < fabs(number.value - nearest->number)))
            nearest = wrong;
    }
    return nearest;
}

const char *marking_note(char room[static MARKING_NOTE], const struct question *question,
                         const struct answer *answer)
{
    struct number number;
    if (question->type != QUESTION_NUMBER || answer->blank)
        return NULL;
    int wanted = question->key.number.significant_figures;
    if (!wanted || !read_typed(&number, question, answer->text) || number.figures >= wanted ||
        !(fabs(number.value) > 0)) /* zero has no figures to speak of */
        return NULL;
    snprintf(room, MARKING_NOTE,
             ntr("You gave %d significant figure; %d were asked for.",
                 "You gave %d significant figures; %d were asked for.", number.figures),
             number.figures, wanted);
    return room;
}
