/* Whose answers are kept for longer than the setting `retain` wants. Only told: erasing is for who is asked
 * to. */
#ifndef QUIZTUTOR_RETAINED_H
#define QUIZTUTOR_RETAINED_H

#include "output.h"

#include <quiztutor/json.h>

struct retained {
    int months;       /* 0: there is no such setting */
    const char *span; /* as it was written */
    const char **names;
    ptrdiff_t count, capacity;
    struct arena arena;
};

void retained_init(struct retained *retained);
void retained_finish(struct retained *retained);

/* Learners whose newest answer is older; one with newer ones is still here. */
bool retained_read(struct retained *retained, struct store *store, const struct settings *settings,
                   struct error *error);

void retained_json(const struct retained *retained, struct json *json); /* two members of an object */
void retained_print(const struct retained *retained, struct output *output);

#endif
