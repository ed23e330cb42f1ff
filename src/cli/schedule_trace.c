/* `schedule trace`: the scheduler at work on grades and days from the command line, without a store. */
#include "command.h"

#include <quiztutor/json.h>
#include <quiztutor/message.h>
#include <quiztutor/schedule.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRACE_DAYS = 36500, TRACE_ANSWERS = 1000 };

struct trace_item {
    enum grade grade;
    int days;
};

/* One line of what is printed. */
struct trace_row {
    struct fsrs_memory memory;
    double retrievability; /* before the answer; negative at the first */
    int interval;
};

static bool trace_read(struct trace_item *item, const char *text, struct error *error)
{
    bool shaped = text[0] >= '1' && text[0] <= '4' && text[1] == '@' && isdigit((unsigned char)text[2]);
    char *end = NULL;
    long days = shaped ? strtol(text + 2, &end, 10) : -1;
    if (!shaped || *end || days > TRACE_DAYS)
        return error_set(
            error, ERROR_USAGE,
            tr("write a grade from 1 to 4, @ and the whole days since the answer before, at most "
               "%d, as in 3@2; not \"%.40s\""),
            TRACE_DAYS, text);
    *item = (struct trace_item){ (enum grade)(text[0] - '0'), (int)days };
    return true;
}

static struct trace_row trace_answer(struct schedule *schedule, const struct schedule_rules *rules,
                                     const struct trace_item *item, int64_t *at)
{
    struct trace_row row = { .retrievability = -1 };
    if (schedule->phase != PHASE_NEW) {
        *at += item->days * (int64_t)86400000;
        row.retrievability =
            schedule_retrievability(schedule, rules->parameters, clock_day(*at, 0, rules->day_starts));
    }
    schedule_answer(schedule, rules, &(struct schedule_answer){ .grade = item->grade, .at = *at });
    row.memory = schedule->memory;
    row.interval = schedule->interval;
    return row;
}

static void trace_json(struct json *json, const struct trace_row *row)
{
    json_open(json, '{');
    json_key(json, "stability");
    json_number(json, row->memory.stability);
    json_key(json, "difficulty");
    json_number(json, row->memory.difficulty);
    json_key(json, "retrievability");
    if (row->retrievability < 0)
        json_null(json);
    else
        json_number(json, row->retrievability);
    json_key(json, "interval");
    json_integer(json, row->interval);
    json_close(json, '}');
}

static void trace_print(struct buffer *out, const struct trace_item *item, const struct trace_row *row)
{
    static const char *const grades[] = { NULL, N_("again"), N_("hard"), N_("good"), N_("easy") };
    const char *name = tr(grades[item->grade]);
    buffer_print(out, "%s%*s %6d %14.5f %12.5f ", name, 8 - text_columns(name), "", item->days,
                 row->memory.stability, row->memory.difficulty);
    if (row->retrievability < 0)
        buffer_print(out, "%16s", "-");
    else
        buffer_print(out, "%16.5f", row->retrievability);
    buffer_print(out, " %10d\n", row->interval);
}

/* A heading at the right end of a column. */
static void trace_heading(struct buffer *out, int width, const char *text)
{
    int pad = width - text_columns(text);
    buffer_print(out, "%*s%s", pad > 0 ? pad : 1, "", text);
}

static void trace_headings(struct buffer *out, const struct schedule_rules *rules, int fitted)
{
    const char *whose = fitted == 2   ? tr("the learner's own parameters")
                        : fitted == 1 ? tr("the parameters fitted to everyone's answers")
                                      : tr("the published parameters");
    char retention[TEXT_NUMBER];
    text_number(retention, rules->retention);
    buffer_print(out, tr("FSRS-6 with %s, retention %s.\n\n"), whose, retention);
    const char *grade = tr("grade");
    buffer_print(out, "%s%*s", grade, 8 - text_columns(grade), "");
    trace_heading(out, 7, tr("days"));
    trace_heading(out, 15, tr("stability, d"));
    trace_heading(out, 13, tr("difficulty"));
    trace_heading(out, 17, tr("retrievability"));
    trace_heading(out, 11, tr("interval, d"));
    buffer_text(out, "\n");
}

/* The parameters of the learner named on the command line; the published ones where none is. */
static bool trace_parameters(const struct invocation *invocation, struct fsrs_parameters *parameters,
                             int *fitted, struct error *error)
{
    *parameters = fsrs_defaults;
    *fitted = 0;
    if (!invocation->options->values[OPTION_LEARNER])
        return true;
    struct store *store = NULL;
    struct store_learner learner;
    struct arena arena;
    const char *name = invocation->settings->text[SETTING_LEARNER], *nearest = NULL;
    arena_init(&arena);
    bool done = command_open_store(invocation, &store, error);
    if (done && !store_find_learner(store, name, &arena, &learner, &nearest, error)) {
        if (error->code == ERROR_NOT_FOUND && nearest)
            error_set(error, ERROR_NOT_FOUND, tr("no learner \"%s\"; did you mean \"%s\"?"), name, nearest);
        done = false;
    }
    done = done && store_parameters(store, &learner.id, parameters, fitted, error);
    store_close(store);
    arena_finish(&arena);
    return done;
}

int command_schedule_trace(const struct invocation *invocation)
{
    struct error error;
    struct fsrs_parameters parameters;
    struct trace_item item;
    int fitted;
    if (invocation->argument_count > TRACE_ANSWERS) {
        error_set(&error, ERROR_USAGE, tr("%d answers are too many to trace, at most %d"),
                  invocation->argument_count, TRACE_ANSWERS);
        return command_fail(&error);
    }
    for (int i = 0; i < invocation->argument_count; i++)
        if (!trace_read(&item, invocation->arguments[i], &error))
            return command_fail(&error);
    if (!trace_parameters(invocation, &parameters, &fitted, &error))
        return command_fail(&error);
    struct schedule schedule = { 0 };
    struct schedule_rules rules = {
        .parameters = &parameters,
        .retention = invocation->settings->number[SETTING_RETENTION],
    };
    bool as_json = invocation->options->values[OPTION_JSON] != NULL;
    struct buffer out;
    struct json json;
    int64_t at = 0;
    buffer_init(&out);
    json_init(&json, &out);
    if (as_json)
        json_open(&json, '[');
    else
        trace_headings(&out, &rules, fitted);
    for (int i = 0; i < invocation->argument_count; i++) {
        trace_read(&item, invocation->arguments[i], &error);
        struct trace_row row = trace_answer(&schedule, &rules, &item, &at);
        if (as_json)
            trace_json(&json, &row);
        else
            trace_print(&out, &item, &row);
    }
    if (as_json) {
        json_close(&json, ']');
        buffer_char(&out, '\n');
    }
    bool failed = out.failed;
    if (!failed)
        fwrite(buffer_get(&out), 1, (size_t)out.length, stdout);
    buffer_finish(&out);
    if (!failed)
        return STATUS_DONE;
    error_memory(&error);
    return command_fail(&error);
}
