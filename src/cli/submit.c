/* `quiztutor submit`: one small file with this learner's results. */
#include "command.h"
#include "file.h"

#include <quiztutor/intake.h>
#include <quiztutor/line.h>
#include <quiztutor/message.h>
#include <quiztutor/text.h>
#include <quiztutor/until.h>

#include <string.h>
#include <unistd.h>

enum { NAMES = 99 /* files a day that are told apart */ };

static bool find_learner(const struct invocation *invocation, struct store *store, struct arena *arena,
                         struct store_learner *learner, struct error *error)
{
    const char *nearest = NULL, *name = invocation->settings->text[SETTING_LEARNER];
    if (store_find_learner(store, name ? name : "", arena, learner, &nearest, error))
        return true;
    if (error->code == ERROR_NOT_FOUND && nearest)
        error_set(error, ERROR_NOT_FOUND, tr("no learner \"%s\" in the store; did you mean \"%s\"?"), name,
                  nearest);
    return false;
}

/* quiztutor-NAME-2026-11-30.qts: letters and digits of the name, whatever else is in it as one hyphen. */
static void name_file(struct buffer *out, const char *name, int number)
{
    struct clock clock = clock_system();
    int64_t now = clock_wall(&clock);
    char day[16];
    until_write(day, clock_day(now, clock_offset(&clock, now), 0));
    buffer_text(out, "quiztutor-");
    ptrdiff_t start = out->length, length = (ptrdiff_t)strlen(name);
    for (ptrdiff_t at = 0; at < length;) {
        int32_t code;
        int bytes = text_decode(name + at, length - at, &code);
        bool digit = code >= '0' && code <= '9';
        if (digit || text_is_letter(code))
            buffer_add(out, name + at, bytes);
        else if (out->length > start && out->data[out->length - 1] != '-')
            buffer_char(out, '-');
        at += bytes;
    }
    if (out->length > start && out->data[out->length - 1] != '-')
        buffer_char(out, '-');
    buffer_text(out, day);
    if (number > 1)
        buffer_print(out, "-%d", number);
    buffer_text(out, ".qts");
}

/* To the file that is asked for, or to the first name that is free. */
static bool write_file(const struct invocation *invocation, const char *name, const struct buffer *bytes,
                       struct buffer *path, struct error *error)
{
    const char *given = invocation->options->values[OPTION_OUTPUT];
    if (given && !*given)
        return error_set(error, ERROR_USAGE, tr("%s needs an argument"), "-o");
    for (int number = 1;; number++) {
        buffer_clear(path);
        if (given)
            buffer_text(path, given);
        else
            name_file(path, name, number);
        if (path->failed)
            return error_memory(error);
        bool taken = access(buffer_get(path), F_OK) == 0;
        if (given || !taken || number == NAMES)
            return file_write_private(buffer_get(path), bytes, error);
    }
}

static void print_sum(struct buffer *out, const struct buffer *path, const struct buffer *bytes,
                      const struct intake_count *count)
{
    text_visible(out, buffer_get(path), path->length);
    buffer_text(out, ": ");
    buffer_print(out, ntr("%lld answer", "%lld answers", count->attempts), (long long)count->attempts);
    buffer_text(out, ", ");
    buffer_print(out, ntr("%lld session", "%lld sessions", count->sessions), (long long)count->sessions);
    buffer_print(out, tr("; %td kB"), (bytes->length + 999) / 1000);
    if (count->running)
        buffer_print(out,
                     ntr("; without %lld exam that is not handed in yet",
                         "; without %lld exams that are not handed in yet", count->running),
                     (long long)count->running);
    buffer_char(out, '\n');
}

int command_submit(const struct invocation *invocation)
{
    struct store *store = NULL;
    struct store_learner learner;
    struct intake_count count;
    struct buffer bytes, path, out;
    struct error error = { 0 };
    struct arena arena;
    arena_init(&arena);
    buffer_init(&bytes);
    buffer_init(&path);
    buffer_init(&out);
    bool done = command_open_store(invocation, &store, &error);
    if (done)
        application_hand_in(store, clock_system());
    done = done && find_learner(invocation, store, &arena, &learner, &error) &&
           submission_make(&bytes, store, &learner.id, &count, &error);
    store_close(store);
    done = done && write_file(invocation, learner.name, &bytes, &path, &error);
    if (done) {
        print_sum(&out, &path, &bytes, &count);
        done = line_write(STDOUT_FILENO, &out, &error);
    }
    arena_finish(&arena);
    buffer_finish(&bytes);
    buffer_finish(&path);
    buffer_finish(&out);
    return done ? STATUS_DONE : command_fail(&error);
}
