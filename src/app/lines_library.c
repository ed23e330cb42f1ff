/* The library in plain lines: a list, and on a terminal a choice from it. */
#include <quiztutor/application.h>
#include <quiztutor/line.h>
#include <quiztutor/message.h>
#include <quiztutor/plain.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The library as this learner sees it, or their progress in it. */
static bool library_present(struct application *application, bool progress, struct error *error)
{
    bool (*present)(struct presenter *, struct library *, struct store *, const struct store_learner *,
                    const struct clock *, int, struct error *) =
        progress ? presenter_progress : presenter_library;
    struct practice learner;
    struct store_learner known = { 0 };
    bool done = practice_init(&learner, application->store, application->clock, &application->options, error);
    known.name = learner.record.learner.name;
    if (done && learner.learner_known)
        known = learner.record.learner;
    done = done && present(&application->presenter, application->library, application->store, &known,
                           &application->clock, application->options.day_starts, error);
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
    application->wish = WISH_ASK; /* that wish was for one session */
    application->options.packs = NULL;
    application->options.pack_count = 0;
    memory_free(packs);
    return done;
}

/* The list, or after `t` the learner's progress; on a terminal with the question what to practise. */
static bool library_show(struct application *application, bool progress, bool asks, struct buffer *out,
                         struct error *error)
{
    if (!library_present(application, progress, error))
        return false;
    if (progress)
        plain_progress(out, &application->presenter.progress);
    else
        plain_library(out, &application->presenter.library, asks);
    if (asks && application->presenter.library.count)
        plain_library_ask(out, application->exam);
    return line_write(STDOUT_FILENO, out, error);
}

bool lines_library(struct application *application, struct error *error)
{
    bool asks = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO), progress = false;
    struct line_reader in;
    struct buffer out;
    line_init(&in, STDIN_FILENO);
    buffer_init(&out);
    bool done = library_show(application, false, asks, &out, error);
    while (done && asks) {
        ptrdiff_t length;
        const char *line = line_read(&in, &length);
        if (!line || !*line || strcmp(line, "q") == 0)
            break;
        progress = strcmp(line, "t") == 0;
        done = (progress || library_practise(application, line, error)) &&
               library_show(application, progress, asks, &out, error);
    }
    line_finish(&in);
    buffer_finish(&out);
    return done;
}
