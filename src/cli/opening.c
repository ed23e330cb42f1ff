#include "opening.h"

#include <quiztutor/pulled.h>

/* Asks of nobody what a practice asks first of its learner, so that the statements are ready when it does. */
static void opening_warm(struct store *store)
{
    static const struct uuid nobody = { { 1 } };
    const struct store_value parameters[] = { store_value_uuid(&nobody), store_value_text(""),
                                              store_value_integer(0), store_value_integer(0) };
    const struct store_value unfinished[] = { store_value_uuid(&nobody), store_value_null() };
    const struct store_value recent[] = { store_value_uuid(&nobody), store_value_integer(0) };
    static const struct {
        enum store_query query;
        int kind, count;
    } asked[] = { { QUERY_KNOWN, 0, 2 },    { QUERY_UNFINISHED, 1, 2 }, { QUERY_NEW, 2, 2 },
                  { QUERY_REVIEWED, 2, 2 }, { QUERY_NEWEST, 0, 1 },     { QUERY_EXAMS, 0, 1 } };
    struct fsrs_parameters fitted;
    struct store_schedule schedule;
    struct store_learner learner;
    struct arena arena;
    struct rows *rows;
    arena_init(&arena);
    store_find_learner(store, "?", &arena, &learner, NULL, NULL);
    arena_finish(&arena);
    store_parameters(store, &nobody, &fitted, NULL, NULL);
    store_schedule(store, &nobody, "", "", &schedule, NULL);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        const struct store_value *given = asked[i].kind == 0   ? parameters
                                          : asked[i].kind == 1 ? unfinished
                                                               : recent;
        if (rows_open(&rows, store, asked[i].query, given, asked[i].count, NULL))
            rows_close(rows);
    }
}

/* What can't be taken over now is tried again the next time: practice goes on. */
static void opening_take_over(struct opening *opening)
{
    struct pulled_applied applied;
    struct error why = { .code = ERROR_NONE };
    bool changed;
    if (!pulled_apply(opening->store, opening->path, &applied, &changed, &why) && why.code != ERROR_BUSY)
        opening->pulled = why;
}

static void *opening_run(void *context)
{
    struct opening *opening = context;
    if (store_open(&opening->store, opening->path, &opening->options, &opening->error)) {
        opening_take_over(opening);
        opening_warm(opening->store);
    }
    return NULL;
}

void opening_start(struct opening *opening, const char *path, struct clock clock,
                   const struct store_scheduling *scheduling)
{
    *opening =
        (struct opening){ .path = path,
                          .options = { .clock = clock, .existing_only = true, .scheduling = scheduling } };
    opening->started = pthread_create(&opening->thread, NULL, opening_run, opening) == 0;
    if (!opening->started) /* no thread to be had: then here and now */
        opening_run(opening);
}

static void opening_wait(struct opening *opening)
{
    if (opening->started)
        pthread_join(opening->thread, NULL);
    opening->started = false;
}

bool opening_join(struct opening *opening, struct store **store, struct error *error)
{
    opening_wait(opening);
    *store = opening->store;
    opening->store = NULL;
    if (!*store)
        *error = opening->error;
    return *store != NULL;
}

bool opening_make(struct opening *opening, struct store **store, struct error *error)
{
    struct store_options options = opening->options;
    options.existing_only = false;
    if (!store_open(&opening->store, opening->path, &options, error))
        return false;
    opening_take_over(opening);
    *store = opening->store;
    opening->store = NULL;
    return true;
}

void opening_finish(struct opening *opening)
{
    opening_wait(opening);
    store_close(opening->store);
    opening->store = NULL;
}
