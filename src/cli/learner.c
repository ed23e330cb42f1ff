/* `quiztutor learner list`, and what the other parts share. */
#include "learner.h"
#include "output.h"

#include <quiztutor/day.h>
#include <quiztutor/json.h>
#include <quiztutor/line.h>
#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool learner_open(const struct invocation *invocation, bool make, struct store **store, struct error *error)
{
    struct store_scheduling scheduling;
    struct store_options options = { .clock = clock_system(), .scheduling = &scheduling };
    if (command_open_store(invocation, store, error))
        return true;
    const char *path = invocation->settings->text[SETTING_STORE];
    if (!make || !path || error->code != ERROR_NOT_FOUND)
        return false;
    return command_scheduling(invocation->settings, &scheduling, error) &&
           store_open(store, path, &options, error);
}

const char *learner_shown(struct arena *arena, const char *text)
{
    struct buffer shown;
    buffer_init(&shown);
    text_visible(&shown, text, (ptrdiff_t)strlen(text));
    const char *kept = shown.failed ? NULL : arena_text(arena, buffer_get(&shown), shown.length);
    buffer_finish(&shown);
    return kept ? kept : "?";
}

static bool find(struct store *store, const char *name, struct arena *arena, struct store_learner *learner,
                 const char **nearest, struct error *error)
{
    const char *why;
    char *kept = text_learner_name(name, &why);
    *nearest = NULL;
    bool found = store_find_learner(store, kept ? kept : name, arena, learner, nearest, error);
    memory_free(kept);
    if (!found && error->code == ERROR_NOT_FOUND && *nearest)
        error_set(error, ERROR_NOT_FOUND, tr("no learner \"%s\" in the store; did you mean \"%s\"?"), name,
                  *nearest);
    return found;
}

bool learner_find(struct store *store, const char *name, struct arena *arena, struct store_learner *learner,
                  struct error *error)
{
    const char *nearest;
    return find(store, name, arena, learner, &nearest, error);
}

bool learner_find_paper(struct store *store, const char *name, struct arena *arena,
                        struct store_learner *learner, struct error *error)
{
    const char *nearest;
    if (find(store, name, arena, learner, &nearest, error))
        return true;
    if (error->code == ERROR_NOT_FOUND && !nearest)
        error_set(error, ERROR_NOT_FOUND,
                  tr("no learner \"%s\" in the store; quiztutor learner add takes them in"), name);
    return false;
}

bool learner_says_yes(const char *line, ptrdiff_t length)
{
    const char *yes = tr("y"); /* the letter of [y/N] */
    ptrdiff_t its = (ptrdiff_t)strlen(yes);
    return length > 0 &&
           ((length >= its && strncasecmp(line, yes, (size_t)its) == 0) || *line == 'y' || *line == 'Y');
}

bool learner_asks(const struct invocation *invocation, const char *question, bool *agreed)
{
    *agreed = invocation->options->values[OPTION_YES] != NULL;
    if (*agreed)
        return true;
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
        return false;
    struct line_reader reader;
    fprintf(stderr, "%s %s ", question, tr("[y/N]"));
    line_init(&reader, STDIN_FILENO);
    ptrdiff_t length;
    const char *line = line_read(&reader, &length);
    *agreed = line && learner_says_yes(line, length);
    line_finish(&reader);
    return true;
}

bool learner_agree(const struct invocation *invocation, const char *question, struct error *error)
{
    bool agreed;
    if (!learner_asks(invocation, question, &agreed))
        return error_set(error, ERROR_INPUT, tr("%s Nothing was done: say so with --yes"), question);
    return agreed || error_set(error, ERROR_INPUT, "%s", tr("nothing was done"));
}

bool learner_takes(const struct invocation *invocation, const enum option_id *options, struct error *error)
{
    for (int i = 0; i < OPTIONS; i++) {
        bool taken = !invocation->options->values[i] || option_rows[i].commands == ~0u;
        for (const enum option_id *id = options; !taken && *id != OPTIONS; id++)
            taken = (int)*id == i;
        if (!taken)
            return error_set(error, ERROR_USAGE, tr("%s %s has no option --%s"), invocation->command->name,
                             invocation->arguments[-1], option_rows[i].name);
    }
    return true;
}

/* A learner as listed: what several rows of QUERY_ROSTER say. */
struct listed {
    struct uuid id;
    const char *name, *login, *external_id;
    const char **groups;
    ptrdiff_t group_count, group_capacity;
    double time_factor;
    int plain; /* enum roster_reading */
    bool seen;
    int64_t last_at;
};

struct listing {
    const struct invocation *invocation;
    struct store *store;
    struct arena arena;
    struct listed *learners;
    ptrdiff_t count, capacity;
    struct output output;
};

static const char *keep(struct listing *listing, const char *text, bool *failed)
{
    const char *kept = text ? arena_text(&listing->arena, text, (ptrdiff_t)strlen(text)) : NULL;
    *failed = *failed || (text && !kept);
    return kept;
}

enum { ROSTER_ID, ROSTER_NAME, ROSTER_LOGIN, ROSTER_EXTERNAL_ID, ROSTER_TIME_FACTOR, ROSTER_PLAIN };
enum { ROSTER_GROUP = ROSTER_PLAIN + 1, ROSTER_LAST_AT };

static bool take_row(struct listing *listing, struct rows *rows)
{
    struct uuid id;
    bool failed = false;
    rows_uuid(rows, ROSTER_ID, &id);
    if (!listing->count || !uuid_equal(&listing->learners[listing->count - 1].id, &id)) {
        if (!memory_grow(&listing->learners, &listing->capacity, listing->count + 1,
                         sizeof *listing->learners))
            return false;
        listing->learners[listing->count++] = (struct listed){
            .id = id,
            .name = keep(listing, rows_text(rows, ROSTER_NAME), &failed),
            .login = keep(listing, rows_text(rows, ROSTER_LOGIN), &failed),
            .external_id = keep(listing, rows_text(rows, ROSTER_EXTERNAL_ID), &failed),
            .time_factor = rows_real(rows, ROSTER_TIME_FACTOR),
            .plain = roster_reading(rows_integer(rows, ROSTER_PLAIN)),
            .seen = !rows_is_null(rows, ROSTER_LAST_AT),
            .last_at = rows_integer(rows, ROSTER_LAST_AT),
        };
    }
    struct listed *learner = &listing->learners[listing->count - 1];
    if (failed || rows_is_null(rows, ROSTER_GROUP))
        return !failed;
    if (!memory_grow(&learner->groups, &learner->group_capacity, learner->group_count + 1,
                     sizeof *learner->groups))
        return false;
    learner->groups[learner->group_count++] = keep(listing, rows_text(rows, ROSTER_GROUP), &failed);
    return !failed;
}

static bool read_roster(struct listing *listing, struct error *error)
{
    struct rows *rows;
    int step;
    if (!rows_open(&rows, listing->store, QUERY_ROSTER, NULL, 0, error))
        return false;
    while ((step = rows_step(rows, error)) == 1)
        if (!take_row(listing, rows)) {
            step = -1;
            error_memory(error);
            break;
        }
    rows_close(rows);
    return step == 0;
}

static bool is_in(const struct listed *learner, const char *group)
{
    for (ptrdiff_t i = 0; i < learner->group_count; i++)
        if (strcmp(learner->groups[i], group) == 0)
            return true;
    return false;
}

/* Leaves only those of the group. */
static bool choose_group(struct listing *listing, struct error *error)
{
    const char *wanted = listing->invocation->options->values[OPTION_GROUP], *nearest = NULL;
    struct store_group group;
    ptrdiff_t kept = 0;
    if (!wanted)
        return true;
    if (!store_find_group(listing->store, wanted, &listing->arena, &group, &nearest, error))
        return error->code == ERROR_NOT_FOUND && nearest
                   ? error_set(error, ERROR_NOT_FOUND, tr("no group \"%s\"; did you mean \"%s\"?"), wanted,
                               nearest)
                   : false;
    for (ptrdiff_t i = 0; i < listing->count; i++) {
        if (is_in(&listing->learners[i], group.name)) {
            struct listed learner = listing->learners[i];
            listing->learners[i] = listing->learners[kept];
            listing->learners[kept++] = learner;
        }
    }
    for (ptrdiff_t i = kept; i < listing->count; i++)
        memory_free(listing->learners[i].groups);
    listing->count = kept;
    return true;
}

static void list_json(struct listing *listing)
{
    struct json json;
    json_init(&json, &listing->output.text);
    json_open(&json, '[');
    for (ptrdiff_t i = 0; i < listing->count; i++) {
        const struct listed *learner = &listing->learners[i];
        char id[37];
        uuid_format(id, &learner->id);
        json_open(&json, '{');
        json_key(&json, "learner_id");
        json_text(&json, id);
        json_key(&json, "name");
        json_text(&json, learner->name);
        json_key(&json, "login");
        json_text(&json, learner->login);
        json_key(&json, "external_id");
        json_text(&json, learner->external_id);
        json_key(&json, "groups");
        json_open(&json, '[');
        for (ptrdiff_t k = 0; k < learner->group_count; k++)
            json_text(&json, learner->groups[k]);
        json_close(&json, ']');
        json_key(&json, "time_factor");
        json_number(&json, learner->time_factor);
        json_key(&json, "plain");
        json_bool(&json, learner->plain == ROSTER_LINES);
        json_key(&json, "large");
        json_bool(&json, learner->plain == ROSTER_LARGE);
        json_key(&json, "last_at");
        learner->seen ? json_integer(&json, learner->last_at) : json_null(&json);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    buffer_char(&listing->output.text, '\n');
}

/* "1.25 × time, plain" */
static const char *extras(struct listing *listing, const struct listed *learner)
{
    char factor[TEXT_NUMBER];
    const char *time = "", *plain = learner->plain == ROSTER_LINES   ? tr("plain lines")
                                    : learner->plain == ROSTER_LARGE ? tr("large")
                                                                     : "";
    if (learner->time_factor > 1) {
        text_number(factor, learner->time_factor);
        time = arena_print(&listing->arena, tr("time x %s"), factor);
    }
    return time ? arena_print(&listing->arena, "%s%s%s", time, *time && *plain ? ", " : "", plain) : NULL;
}

static const char *groups_of(struct listing *listing, const struct listed *learner)
{
    struct buffer text;
    buffer_init(&text);
    for (ptrdiff_t i = 0; i < learner->group_count; i++)
        buffer_print(&text, "%s%s", i ? ", " : "", learner->groups[i]);
    const char *kept = text.failed ? NULL : learner_shown(&listing->arena, buffer_get(&text));
    buffer_finish(&text);
    return kept;
}

static bool list_table(struct listing *listing, struct error *error)
{
    enum { COLUMNS = 6 };
    static const struct output_column columns[COLUMNS] = { { 0 },        { false, 3 }, { false, 2 },
                                                           { false, 1 }, { false, 4 }, { false, 0 } };
    struct clock clock = clock_system();
    int64_t now = clock_wall(&clock);
    if (!listing->count) {
        output_text(&listing->output, tr("no learners yet: quiztutor learner add NAME"));
        return true;
    }
    const char **cells =
        arena_alloc(&listing->arena, (listing->count + 1) * COLUMNS * (ptrdiff_t)sizeof *cells);
    if (!cells)
        return error_memory(error);
    const char *const head[COLUMNS] = { tr("learner"), tr("login"),  tr("external id"),
                                        tr("groups"),  tr("extras"), tr("last seen") };
    memcpy(cells, head, sizeof head);
    for (ptrdiff_t i = 0; i < listing->count; i++) {
        const struct listed *learner = &listing->learners[i];
        const char **row = &cells[(i + 1) * COLUMNS];
        char day[DAY_TEXT] = "";
        if (learner->seen)
            day_words(day, clock_day(learner->last_at, clock_offset(&clock, learner->last_at), 0),
                      clock_day(now, clock_offset(&clock, now), 0));
        row[0] = learner_shown(&listing->arena, learner->name);
        row[1] = learner->login ? learner_shown(&listing->arena, learner->login) : "";
        row[2] = learner->external_id ? learner_shown(&listing->arena, learner->external_id) : "";
        row[3] = groups_of(listing, learner);
        row[4] = extras(listing, learner);
        row[5] = arena_text(&listing->arena, day, (ptrdiff_t)strlen(day));
        if (!row[3] || !row[4] || !row[5])
            return error_memory(error);
    }
    output_table(&listing->output, columns, COLUMNS, cells, listing->count + 1);
    return true;
}

int command_learner_list(const struct invocation *invocation)
{
    static const enum option_id options[] = { OPTION_GROUP, OPTION_JSON, OPTIONS };
    struct listing listing = { .invocation = invocation };
    struct error error = { 0 };
    arena_init(&listing.arena);
    output_init(&listing.output, invocation->settings);
    bool done = learner_takes(invocation, options, &error) &&
                learner_open(invocation, false, &listing.store, &error) && read_roster(&listing, &error) &&
                choose_group(&listing, &error);
    if (done && invocation->options->values[OPTION_JSON])
        list_json(&listing);
    else
        done = done && list_table(&listing, &error);
    if (!done)
        buffer_clear(&listing.output.text);
    done = output_finish(&listing.output, done ? &error : NULL) && done;
    store_close(listing.store);
    for (ptrdiff_t i = 0; i < listing.count; i++)
        memory_free(listing.learners[i].groups);
    memory_free(listing.learners);
    arena_finish(&listing.arena);
    return done ? STATUS_DONE : command_fail(&error);
}
