/* The library in plain lines: a list, and on a terminal a choice from it. */
#include <quiztutor/application.h>
#include <quiztutor/line.h>
#include <quiztutor/message.h>
#include <quiztutor/plain.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The library as this learner sees it. */
static bool library_present(struct application *application, struct error *error)
{
    struct practice learner;
    struct store_learner known = { 0 };
    bool done = practice_init(&learner, application->store, application->clock, &application->options, error);
    if (done && learner.learner_known)
        known = learner.record.learner;
    done = done && presenter_library(&application->presenter, application->library, application->store,
                                     &known, &application->clock, application->options.day_starts, error);
    practice_finish(&learner);
    return done;
}

/* Practises the pack that was typed: its number in the list, or its id. False ends the program. */
static bool library_practise(struct application *application, const char *typed, struct error *error)
{
    const struct library_model *model = &application->presenter.library;
    const struct pack **packs = NULL;
    ptrdiff_t count = 0, capacity = 0;
    char *end;
    long number = strtol(typed, &end, 10);
    const char *id =
        *end == '\0' && number >= 1 && number <= model->count ? model->rows[number - 1].id : typed;
    struct error missing;
    if (!id || !library_find(application->library, id, &packs, &count, &capacity, NULL, &missing)) {
        fprintf(stderr, "quiztutor: %s\n",
                id ? missing.message : tr("this pack can't be read; see quiztutor check"));
        memory_free(packs);
        return true;
    }
    application->options.packs = packs;
    application->options.pack_count = (int)count;
    bool done = lines_run(application, false, error);
    application->options.packs = NULL;
    application->options.pack_count = 0;
    memory_free(packs);
    return done;
}

bool lines_library(struct application *application, struct error *error)
{
    bool asks = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO), done = true;
    struct line_reader in;
    struct buffer out;
    line_init(&in, STDIN_FILENO);
    buffer_init(&out);
    for (;;) {
        ptrdiff_t length;
        done = library_present(application, error);
        if (!done)
            break;
        plain_library(&out, &application->presenter.library, asks);
        done = line_write(STDOUT_FILENO, &out, error);
        const char *line = done && asks ? line_read(&in, &length) : NULL;
        if (!line || !*line || strcmp(line, "q") == 0)
            break;
        done = library_practise(application, line, error);
        if (!done)
            break;
    }
    line_finish(&in);
    buffer_finish(&out);
    return done;
}
