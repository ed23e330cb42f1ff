/* What was written on a sheet, as models that front ends show. */
#include "presenter_private.h"

#include <quiztutor/filled.h>

#include <string.h>

static bool present_one(struct present *present, const struct filled *filled, int place,
                        struct question_model *question)
{
    const struct sheet *sheet = &filled->printed->sheet;
    memset(question, 0, sizeof *question);
    if (!present_asked(present, question, sheet->pack, &sheet->questions[place].showing))
        return false;
    question->number = sheet->questions[place].number;
    question->of = sheet->count;
    question->exam = true; /* a blank is one, and nothing comes again */
    question->hints_left = question->hint_count = 0;
    question->learner = filled->learner.name;
    return !present->failed;
}

bool filled_question(const struct filled *filled, int place, bool bare, struct question_model *question,
                     struct arena *arena)
{
    struct present present = { .arena = arena, .bare = bare };
    const struct filled_answer *answer = &filled->answers[place];
    if (!present_one(&present, filled, place, question))
        return false;
    question->has_response = answer->given;
    present_given(&present, question, &filled->printed->sheet.questions[place].showing, &answer->answer);
    return !present.failed;
}

bool filled_result(const struct filled *filled, int place, bool bare, struct result_model *result,
                   struct arena *arena)
{
    struct present present = { .arena = arena, .bare = bare };
    const struct filled_answer *answer = &filled->answers[place];
    char *attempt = arena_alloc(arena, 37);
    memset(result, 0, sizeof *result);
    if (!attempt || !present_one(&present, filled, place, &result->question) ||
        !present_marked(&present, result, &filled->printed->sheet.questions[place].showing, &answer->answer,
                        &answer->verdict))
        return false;
    uuid_format(attempt, &answer->attempt);
    result->attempt = attempt;
    result->last = place == filled->printed->sheet.count - 1;
    return true;
}
