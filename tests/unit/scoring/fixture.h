/* A pack made by hand, so that scoring is tested without the loader. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <quiztutor/session.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static inline struct question fixture_choices(const char *id, const struct choice *items, int count)
{
    struct question question = { .id = id, .prompt = id, .explanation = "why", .marks = 1, .shuffle = true };
    question.key.choices.items = items;
    question.key.choices.count = count;
    for (int i = 0; i < count; i++)
        question.key.choices.correct += items[i].correct;
    question.type = question.key.choices.correct > 1 ? QUESTION_MULTIPLE_CHOICE : QUESTION_SINGLE_CHOICE;
    return question;
}

#endif
