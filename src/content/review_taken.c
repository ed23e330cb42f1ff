/* What learners' answers show: content knows no store, the caller has counted them. */
#include "review_private.h"

#include <quiztutor/message.h>

#include <inttypes.h>
#include <string.h>

enum { TEMPTED = 5 }; /* answers: fewer may be chance */

/* The wrong choice given most often, where it has no feedback. */
void tempting_choice(struct review *review)
{
    const struct question *question = review->question;
    const struct review_taken *taken = review->taken ? &review->taken[review->number] : NULL;
    int most = -1;
    for (int i = 0; taken && i < question->key.choices.count; i++)
        if (!question->key.choices.items[i].correct && (most < 0 || taken->choices[i] > taken->choices[most]))
            most = i;
    if (most < 0 || taken->choices[most] < TEMPTED || question->key.choices.items[most].feedback)
        return;
    char quote[REPORT_QUOTE];
    const char *text = question->key.choices.items[most].text;
    review_tell(review, REVIEW_TEMPTING, &review->spots->choices[most],
                tr("write a \"feedback\" below it: what would be so if it were right"),
                tr("%" PRId64 " of %" PRId64 " answers took %s, and are told nothing of their own"),
                taken->choices[most], taken->answers, report_quote(quote, text, (ptrdiff_t)strlen(text)));
}
