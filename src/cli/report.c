/* `quiztutor report`: what tutors want to know, as text, CSV, JSON or HTML. */
#include "command.h"
#include "file.h"
#include "front.h"
#include "output.h"
#include "part.h"
#include "tools.h"

#include <quiztutor/day.h>
#include <quiztutor/line.h>
#include <quiztutor/message.h>
#include <quiztutor/report.h>
#include <quiztutor/terminal.h>
#include <quiztutor/tutor.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REPORT_STORES = 64, REPORT_PACKS = 64 };

struct telling {
    const struct invocation *invocation;
    enum report_kind kind;
    struct report_filter filter;
    const char *packs[REPORT_PACKS];
    enum report_to to;
    const char *path; /* NULL: standard output */
    struct store *stores[REPORT_STORES];
    int store_count;
    struct library *library;
    struct part part;
};

static const char *const to_words[REPORT_TO] = { "text", "csv", "json", "html", "pdf" };

static bool read_kind(struct telling *is, struct error *error)
{
    const char *names[REPORTS];
    is->kind = REPORT_CLASS;
    if (!is->invocation->argument_count)
        return true;
    const char *given = is->invocation->arguments[0];
    if (report_kind_read(&is->kind, given))
        return true;
    for (int i = 0; i < REPORTS; i++)
        names[i] = report_kind_name((enum report_kind)i);
    const char *nearest = text_nearest(given, names, REPORTS);
    return nearest
               ? error_set(error, ERROR_USAGE, tr("there is no report \"%s\"; did you mean \"%s\"?"), given,
                           nearest)
               : error_set(error, ERROR_USAGE,
                           tr("there is no report \"%s\"; there are progress, class, items, misconceptions, "
                              "problems, grades and attempts"),
                           given);
}

/* By --to, else by the file's ending, else text. */
static bool read_to(struct telling *is, struct error *error)
{
    const struct options *options = is->invocation->options;
    const char *to = options->values[OPTION_TO], *path = options->values[OPTION_OUTPUT];
    is->path = path && strcmp(path, "-") != 0 ? path : NULL;
    is->to = TO_TEXT;
    const char *ending = is->path && !to ? strrchr(is->path, '.') : NULL;
    for (int i = 0; i < REPORT_TO; i++) {
        if (to && strcmp(to, to_words[i]) == 0) {
            is->to = (enum report_to)i;
            return true;
        }
        if (ending && strcmp(ending + 1, to_words[i]) == 0)
            is->to = (enum report_to)i;
    }
    return !to ||
           error_set(error, ERROR_USAGE, tr("--to takes text, csv, json, html or pdf, not \"%s\""), to);
}

static bool read_day(const struct options *options, enum option_id id, int64_t *day, bool *has,
                     struct error *error)
{
    const char *text = options->values[id];
    *has = text != NULL;
    return !text || day_read(day, text) ||
           error_set(error, ERROR_USAGE, tr("--%s takes a day as in 2027-01-31, not \"%s\""),
                     option_rows[id].name, text);
}

static bool one_of(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(text, *words) == 0)
            return true;
    return false;
}

static bool read_words(struct telling *is, struct error *error)
{
    static const char *const sessions[] = { "practice", "exam", "paper", NULL };
    static const char *const gradebooks[] = { "moodle", "canvas", NULL };
    const struct options *options = is->invocation->options;
    struct report_filter *filter = &is->filter;
    const char *attempts = options->values[OPTION_ATTEMPTS];
    filter->session = options->values[OPTION_SESSION];
    filter->gradebook = options->values[OPTION_FOR];
    if (filter->session && !one_of(filter->session, sessions))
        return error_set(error, ERROR_USAGE, tr("--session takes practice, exam or paper, not \"%s\""),
                         filter->session);
    if (attempts && !report_attempts_read(&filter->attempts, attempts))
        return error_set(error, ERROR_USAGE, tr("--attempts takes first, last, best or all, not \"%s\""),
                         attempts);
    if (filter->gradebook && !one_of(filter->gradebook, gradebooks))
        return error_set(error, ERROR_USAGE, tr("--for takes moodle or canvas, not \"%s\""),
                         filter->gradebook);
    if (filter->gradebook && is->kind != REPORT_GRADES)
        return error_set(error, ERROR_USAGE, tr("--for is of report grades, not of report %s"),
                         report_kind_name(is->kind));
    if (!filter->gradebook && is->kind == REPORT_GRADES)
        return error_set(error, ERROR_USAGE, "%s", tr("report grades needs --for moodle or --for canvas"));
    return true;
}

/* One, or several that a class is told by. */
static bool read_packs(struct telling *is, struct error *error)
{
    struct report_filter *filter = &is->filter;
    const char *pack;
    int place = 0, count = 0;
    while ((pack = option_next(is->invocation->options, OPTION_PACK, &place))) {
        if (count == REPORT_PACKS)
            return error_set(error, ERROR_USAGE, tr("a report takes at most %d packs"), REPORT_PACKS);
        is->packs[count++] = pack;
    }
    filter->pack = count == 1 ? is->packs[0] : NULL;
    filter->packs = is->packs;
    filter->pack_count = count > 1 ? count : 0;
    return true;
}

static bool read_wishes(struct telling *is, struct error *error)
{
    const struct options *options = is->invocation->options;
    struct report_filter *filter = &is->filter;
    filter->day_starts = (int)is->invocation->settings->number[SETTING_DAY_STARTS];
    filter->group = options->values[OPTION_GROUP];
    filter->tag = options->values[OPTION_TAG];
    filter->revision = options->values[OPTION_REVISION];
    /* whose progress: as in practice, one's own where nobody is named; all else is about everybody */
    filter->learner = options->values[OPTION_LEARNER];
    if (is->kind == REPORT_PROGRESS && !filter->learner)
        filter->learner = is->invocation->settings->text[SETTING_LEARNER];
    if (!read_day(options, OPTION_SINCE, &filter->since, &filter->has_since, error) ||
        !read_day(options, OPTION_UNTIL, &filter->until, &filter->has_until, error) ||
        !read_packs(is, error) || !read_words(is, error))
        return false;
    if (filter->has_since && filter->has_until && filter->until < filter->since)
        return error_set(error, ERROR_USAGE, tr("--until %s is before --since %s"),
                         options->values[OPTION_UNTIL], options->values[OPTION_SINCE]);
    return true;
}

static bool open_stores(struct telling *is, struct error *error)
{
    const struct invocation *invocation = is->invocation;
    const char *path;
    int place = 0;
    int count = 0;
    while (option_next(invocation->options, OPTION_STORE, &place))
        count++;
    if (count < 2) {
        is->store_count = 1;
        return command_open_store(invocation, &is->stores[0], error);
    }
    place = 0; /* stores of others, brought together: they stay as they are */
    while ((path = option_next(invocation->options, OPTION_STORE, &place))) {
        if (is->store_count == REPORT_STORES)
            return error_set(error, ERROR_USAGE, tr("a report takes at most %d stores"), REPORT_STORES);
        if (!command_read_store(invocation, path, &is->stores[is->store_count], error))
            return false;
        is->store_count++;
    }
    return true;
}

static bool put_part(void *context, const char *text, ptrdiff_t length, struct error *error)
{
    return part_put(context, text, length, error);
}

static bool put_output(void *context, const char *text, ptrdiff_t length, struct error *error)
{
    struct buffer *out = context;
    buffer_add(out, text, length);
    if (out->failed)
        return error_memory(error);
    return line_write(STDOUT_FILENO, out, error);
}

static bool has_colours(void)
{
    const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
    return !(none && *none) && term && *term && strcmp(term, "dumb") != 0;
}

/* Whether it can be written at all, and is for what it would go to. */
static bool can_write(const struct telling *is, struct error *error)
{
    if (is->to == TO_PDF && !is->path && isatty(STDOUT_FILENO))
        return error_set(error, ERROR_USAGE, "%s",
                         tr("a PDF is nothing for a terminal; name a file for it, as in -o report.pdf"));
    return report_writes(is->to) ||
           tools_need(is->invocation, is->to == TO_PDF, "PDF", "pango, cairo", error);
}

static struct report_look look_of(const struct telling *is)
{
    struct output output;
    output_init(&output, is->invocation->settings);
    struct report_look look = { .columns = is->path ? 0 : output.columns,
                                .ascii = output.ascii,
                                .styles = !is->path && output.columns && has_colours() };
    buffer_finish(&output.text);
    return look;
}

static bool write_report(struct telling *is, const struct report *report, struct error *error)
{
    struct report_look look = look_of(is);
    struct report_sink sink = { put_part, &is->part };
    if (!is->path) {
        struct buffer out;
        buffer_init(&out);
        sink = (struct report_sink){ put_output, &out };
        bool written = report_write(report, is->to, &look, &sink, error);
        buffer_finish(&out);
        return written;
    }
    bool done = part_start(&is->part, is->path, error) && report_write(report, is->to, &look, &sink, error) &&
                part_settle(&is->part, error);
    part_end(&is->part);
    return done;
}

/* A tutor at a terminal walks through it, unless it is to be written. */
static bool is_walk(const struct telling *is)
{
    const struct options *options = is->invocation->options;
    return !options->values[OPTION_TO] && !options->values[OPTION_OUTPUT] && tutor_shows(is->kind) &&
           isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

static bool walk(struct telling *is, int *ending_signal, struct error *error)
{
    const struct settings *settings = is->invocation->settings;
    bool screens = front_has_screens(is->invocation);
    if (screens)
        terminal_expect();
    const struct tutor tutor = { .stores = is->stores,
                                 .store_count = is->store_count,
                                 .library = is->library,
                                 .clock = clock_system(),
                                 .kind = is->kind,
                                 .filter = is->filter,
                                 .theme = front_theme(settings),
                                 .signs = front_signs(settings),
                                 .lines = !screens,
                                 .ascii = look_of(is).ascii,
                                 .write = file_write_new };
    return tutor_run(&tutor, ending_signal, error);
}

static bool write_text(struct telling *is, struct error *error)
{
    struct report report;
    struct clock clock = clock_system();
    if (!report_make(&report, is->kind, is->stores, is->store_count, is->library, &is->filter, &clock, error))
        return false;
    bool done = write_report(is, &report, error);
    report_finish(&report);
    return done;
}

int command_report(const struct invocation *invocation)
{
    struct telling is = { .invocation = invocation };
    struct error error = { 0 };
    int ending_signal = 0;
    if (!read_kind(&is, &error) || !read_to(&is, &error) || !read_wishes(&is, &error) ||
        !can_write(&is, &error))
        return command_fail(&error);
    bool walks = is_walk(&is);
    bool done = open_stores(&is, &error) && command_library(invocation, &is.library, &error) &&
                (walks ? walk(&is, &ending_signal, &error) : write_text(&is, &error));
    for (int i = 0; i < REPORT_STORES; i++)
        store_close(is.stores[i]);
    library_destroy(is.library);
    int status = done ? STATUS_DONE : command_fail(&error);
    if (ending_signal) { /* the terminal is restored: now end as the signal asked */
        signal(ending_signal, SIG_DFL);
        raise(ending_signal);
    }
    return status;
}
