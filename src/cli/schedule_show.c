/* `quiztutor schedule show`: what is remembered of a pack's questions, or of one, and why it is due when. */
#include "schedule_known.h"

#include <quiztutor/day.h>
#include <quiztutor/message.h>
#include <quiztutor/until.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct show {
    const struct invocation *invocation;
    struct store *store;
    struct library *library;
    const struct pack **packs;
    ptrdiff_t pack_count, pack_capacity;
    struct whose whose;
    struct arena arena;
    struct output output;
};

bool known_is_scheduled(const struct known *known)
{
    return known->is.schedule.phase != PHASE_NEW;
}

double known_chance(const struct known *known, const struct whose *whose)
{
    return schedule_retrievability(&known->is.schedule, &whose->parameters, whose->today);
}

bool known_is_due(const struct known *known, const struct whose *whose)
{
    if (!known->is.seen || known->is.suspended)
        return false;
    return known->overturned || schedule_is_due(&known->is.schedule, whose->now, whose->today);
}

bool known_is_mastered(const struct known *known)
{
    return schedule_mastered(&known->is.schedule, grade_guess(known->question));
}

const char *known_phase(const struct known *known)
{
    static const char *const phases[] = {
        [PHASE_NEW] = "new",
        [PHASE_LEARNING] = "learning",
        [PHASE_REVIEW] = "review",
        [PHASE_RELEARNING] = "relearning",
    };
    return phases[known->is.schedule.phase];
}

static bool show_learner(struct show *show, struct error *error)
{
    const char *name = show->invocation->settings->text[SETTING_LEARNER], *nearest = NULL;
    struct clock clock = clock_system();
    struct whose *whose = &show->whose;
    struct store_learner learner;
    name = name ? name : "learner";
    if (!store_find_learner(show->store, name, &show->arena, &learner, &nearest, error)) {
        if (error->code == ERROR_NOT_FOUND && nearest)
            error_set(error, ERROR_NOT_FOUND, tr("no learner \"%s\" in the store; did you mean \"%s\"?"),
                      name, nearest);
        return false;
    }
    whose->learner = learner.name;
    whose->id = learner.id;
    whose->now = clock_wall(&clock);
    whose->offset = clock_offset(&clock, whose->now);
    whose->starts = (int)show->invocation->settings->number[SETTING_DAY_STARTS];
    whose->today = clock_day(whose->now, whose->offset, whose->starts);
    return store_parameters(show->store, &whose->id, &whose->parameters, &whose->fitted, error);
}

static bool show_packs(struct show *show, struct error *error)
{
    struct diagnostics list;
    diagnostics_init(&list);
    bool found = library_find(show->library, show->invocation->arguments[0], &show->packs, &show->pack_count,
                              &show->pack_capacity, &list, error);
    if (list.errors) {
        struct buffer out;
        buffer_init(&out);
        diagnostics_print(&list, &out);
        fputs(buffer_get(&out), stderr);
        buffer_finish(&out);
    }
    diagnostics_finish(&list);
    return found;
}

/* Schedules go by what the learner was told, reports by the newest grading: how many answers differ. */
static bool count_graded(struct show *show, struct known *known, struct error *error)
{
    const struct store_value parameters[] = { store_value_text(known->pack->id),
                                              store_value_uuid(&show->whose.id), store_value_null() };
    struct rows *rows;
    int found;
    if (!rows_open(&rows, show->store, QUERY_GRADED_COUNTS, parameters, 3, error))
        return false;
    while ((found = rows_step(rows, error)) > 0)
        if (strcmp(rows_text(rows, 1), known->question->id) == 0)
            known->graded_anew = (int)rows_integer(rows, 2);
    rows_close(rows);
    return found == 0;
}

/* All that is told of one question. */
static bool show_know(struct show *show, struct known *known, const struct pack *pack, int place,
                      struct error *error)
{
    char revision[PACK_REVISION + 1];
    *known = (struct known){ .pack = pack,
                             .question = &pack->questions[place],
                             .retention = settings_retention(show->invocation->settings, pack->id) };
    if (store_schedule(show->store, &show->whose.id, pack->id, known->question->id, &known->is, error) < 0)
        return false;
    if (!known->is.seen)
        return true;
    if (!count_graded(show, known, error))
        return false;
    if (!question_revision(known->question, revision))
        return error_memory(error);
    if (strcmp(revision, known->is.revision) == 0)
        return true;
    struct buffer body;
    buffer_init(&body);
    bool done = question_body(known->question, &body) && !body.failed
                    ? store_key_overturned(show->store, &known->is.content, buffer_get(&body),
                                           &known->overturned, error)
                    : error_memory(error);
    buffer_finish(&body);
    return done;
}

static void json_day(struct json *json, int64_t day)
{
    char text[16];
    until_write(text, day);
    json_text(json, text);
}

static void show_json(const struct show *show, const struct known *known, struct json *json)
{
    static const char *const outcomes[OUTCOMES] = { [OUTCOME_RIGHT] = "right",
                                                    [OUTCOME_PARTLY] = "partly",
                                                    [OUTCOME_WRONG] = "wrong",
                                                    [OUTCOME_OMITTED] = "omitted" };
    static const char *const fitted[] = { "default", "everyone", "own" };
    const struct store_schedule *is = &known->is;
    const struct schedule *schedule = &is->schedule;
    bool scheduled = known_is_scheduled(known);
    json_open(json, '{');
    json_key(json, "learner"), json_text(json, show->whose.learner);
    json_key(json, "pack"), json_text(json, known->pack->id);
    json_key(json, "question"), json_text(json, known->question->id);
    json_key(json, "answers"), json_integer(json, is->counted);
    json_key(json, "right"), json_integer(json, is->right);
    json_key(json, "graded_anew"), json_integer(json, known->graded_anew);
    json_key(json, "last"), json_text(json, is->seen ? outcomes[is->last] : NULL);
    json_key(json, "answered_at"), is->seen ? json_integer(json, is->answered_at) : json_null(json);
    json_key(json, "phase"), json_text(json, known_phase(known));
    json_key(json, "step"), json_integer(json, schedule->step);
    json_key(json, "stability"), scheduled ? json_number(json, schedule->memory.stability) : json_null(json);
    json_key(json, "difficulty"),
        scheduled ? json_number(json, schedule->memory.difficulty) : json_null(json);
    json_key(json, "retrievability"),
        scheduled ? json_number(json, known_chance(known, &show->whose)) : json_null(json);
    json_key(json, "interval"), scheduled ? json_integer(json, schedule->interval) : json_null(json);
    json_key(json, "due"), json_bool(json, known_is_due(known, &show->whose));
    json_key(json, "due_day"), scheduled ? json_day(json, schedule->due_day) : json_null(json);
    json_key(json, "due_at"),
        scheduled && schedule->due_at ? json_integer(json, schedule->due_at) : json_null(json);
    json_key(json, "lapses"), json_integer(json, schedule->lapses);
    json_key(json, "right_days"), json_integer(json, schedule->run);
    json_key(json, "guess"), json_number(json, grade_guess(known->question));
    json_key(json, "mastered"), json_bool(json, known_is_mastered(known));
    json_key(json, "starred"), json_bool(json, is->starred);
    json_key(json, "suspended"), json_bool(json, is->suspended);
    json_key(json, "overturned"), json_bool(json, known->overturned);
    json_key(json, "retention"), json_number(json, known->retention);
    json_key(json, "parameters"), json_text(json, fitted[show->whose.fitted]);
    json_close(json, '}');
}

enum { TABLE_COLUMNS = 7 };

static const char *cell_state(struct show *show, const struct known *known)
{
    static const char *const phases[] = {
        [PHASE_NEW] = N_("new"),
        [PHASE_LEARNING] = N_("learning"),
        [PHASE_REVIEW] = N_("known"),
        [PHASE_RELEARNING] = N_("forgotten"),
    };
    const char *state = known->is.suspended ? tr("suspended") : tr(phases[known->is.schedule.phase]);
    if (!known->is.suspended && known->is.seen && !known_is_scheduled(known))
        state = tr("left out");
    return known->is.starred ? arena_print(&show->arena, tr("%s, starred"), state) : state;
}

static const char *cell_due(struct show *show, const struct known *known)
{
    const struct whose *whose = &show->whose;
    const struct schedule *schedule = &known->is.schedule;
    char day[DAY_TEXT];
    if (known_is_due(known, whose))
        return tr("now");
    if (!known_is_scheduled(known) || known->is.suspended)
        return "-";
    int64_t left = schedule->due_at - whose->now;
    if (schedule->due_at && left > 0 && left < 3600000)
        return arena_print(&show->arena, tr("in %d min"), (int)((left + 59999) / 60000));
    day_words(day, schedule->due_day, whose->today);
    return arena_print(&show->arena, "%s", day);
}

/* The cells of one question's row. */
static bool show_cells(struct show *show, const struct known *known, const char **cells)
{
    const struct schedule *schedule = &known->is.schedule;
    bool scheduled = known_is_scheduled(known);
    struct arena *arena = &show->arena;
    cells[0] = known->question->id;
    cells[1] = cell_state(show, known);
    cells[2] = cell_due(show, known);
    cells[3] = scheduled ? arena_print(arena, "%.1f", schedule->memory.stability) : "-";
    cells[4] = scheduled ? arena_print(arena, "%.1f", schedule->memory.difficulty) : "-";
    cells[5] = scheduled ? arena_print(arena, "%.0f%%", 100 * known_chance(known, &show->whose)) : "-";
    cells[6] = scheduled ? arena_print(arena, "%d", schedule->lapses) : "-";
    for (int i = 0; i < TABLE_COLUMNS; i++)
        if (!cells[i])
            return false;
    return true;
}

static bool show_table(struct show *show, const struct pack *pack, struct error *error)
{
    static const struct output_column columns[TABLE_COLUMNS] = { { 0 },       { 0 },       { 0 },
                                                                 { true, 1 }, { true, 3 }, { true, 2 },
                                                                 { true, 4 } };
    ptrdiff_t rows = pack->question_count + 1;
    const char **cells = memory_alloc(rows * TABLE_COLUMNS * (ptrdiff_t)sizeof *cells);
    if (!cells)
        return error_memory(error);
    const char *const head[TABLE_COLUMNS] = { tr("question"),      tr("state"),      tr("due"),
                                              tr("stability (d)"), tr("difficulty"), tr("chance now"),
                                              tr("forgotten") };
    memcpy(cells, head, sizeof head);
    bool done = true;
    for (int i = 0; done && i < pack->question_count; i++) {
        struct known known;
        done = show_know(show, &known, pack, i, error) &&
               (show_cells(show, &known, &cells[(i + 1) * TABLE_COLUMNS]) || error_memory(error));
    }
    if (done) {
        struct buffer title;
        buffer_init(&title);
        buffer_print(&title, tr("%s, %s"), pack->title, show->whose.learner);
        output_text(&show->output, buffer_get(&title));
        buffer_char(&show->output.text, '\n');
        output_table(&show->output, columns, TABLE_COLUMNS, cells, rows);
        buffer_finish(&title);
    }
    memory_free(cells);
    return done;
}

/* All questions of the packs that were named. */
static bool show_all(struct show *show, struct error *error)
{
    bool as_json = show->invocation->options->values[OPTION_JSON] != NULL, done = true;
    struct json json;
    json_init(&json, &show->output.text);
    if (as_json)
        json_open(&json, '[');
    for (ptrdiff_t i = 0; done && i < show->pack_count; i++) {
        const struct pack *pack = show->packs[i];
        if (!as_json) {
            if (i)
                buffer_char(&show->output.text, '\n');
            done = show_table(show, pack, error);
        }
        for (int k = 0; done && as_json && k < pack->question_count; k++) {
            struct known known;
            done = show_know(show, &known, pack, k, error);
            if (done)
                show_json(show, &known, &json);
        }
    }
    if (as_json) {
        json_close(&json, ']');
        buffer_char(&show->output.text, '\n');
    }
    return done;
}

/* No pack has the question: the nearest, or where its answers are to be seen. */
static bool show_unknown(struct show *show, const char *id, struct error *error)
{
    ptrdiff_t count = 0, all = 0;
    struct store_schedule gone;
    const char *nearest = NULL;
    for (ptrdiff_t i = 0; i < show->pack_count; i++) {
        all += show->packs[i]->question_count;
        int known = store_schedule(show->store, &show->whose.id, show->packs[i]->id, id, &gone, error);
        if (known < 0)
            return false;
        if (known > 0)
            return error_set(error, ERROR_NOT_FOUND,
                             tr("%s has no question \"%s\" any more, though it was answered; quiztutor store "
                                "info lists such questions"),
                             show->packs[i]->id, id);
    }
    const char **ids = memory_alloc((all + 1) * (ptrdiff_t)sizeof *ids);
    if (!ids)
        return error_memory(error);
    for (ptrdiff_t i = 0; i < show->pack_count; i++)
        for (int k = 0; k < show->packs[i]->question_count; k++)
            ids[count++] = show->packs[i]->questions[k].id;
    nearest = text_nearest(id, ids, (int)count);
    memory_free(ids);
    const char *pack = show->invocation->arguments[0];
    return nearest ? error_set(error, ERROR_NOT_FOUND, tr("%s has no question \"%s\"; did you mean \"%s\"?"),
                               pack, id, nearest)
                   : error_set(error, ERROR_NOT_FOUND,
                               tr("%s has no question \"%s\"; quiztutor schedule show %s lists them"), pack,
                               id, pack);
}

static bool show_one(struct show *show, const char *id, struct error *error)
{
    for (ptrdiff_t i = 0; i < show->pack_count; i++) {
        struct known known;
        int place = pack_find(show->packs[i], id);
        if (place < 0)
            continue;
        if (!show_know(show, &known, show->packs[i], place, error))
            return false;
        if (show->invocation->options->values[OPTION_JSON]) {
            struct json json;
            json_init(&json, &show->output.text);
            show_json(show, &known, &json);
            buffer_char(&show->output.text, '\n');
        } else {
            known_explain(&known, &show->whose, &show->output);
        }
        return true;
    }
    return show_unknown(show, id, error);
}

int command_schedule_show(const struct invocation *invocation)
{
    struct show show = { .invocation = invocation };
    struct error error = { 0 };
    arena_init(&show.arena);
    output_init(&show.output, invocation->settings);
    bool done = command_library(invocation, &show.library, &error) && show_packs(&show, &error) &&
                command_open_store(invocation, &show.store, &error) && show_learner(&show, &error);
    if (done)
        done = invocation->argument_count > 1 ? show_one(&show, invocation->arguments[1], &error)
                                              : show_all(&show, &error);
    if (!done)
        buffer_clear(&show.output.text);
    struct error *why = done ? &error : NULL;
    done = output_finish(&show.output, why) && done;
    store_close(show.store);
    memory_free(show.packs);
    library_destroy(show.library);
    arena_finish(&show.arena);
    return done ? STATUS_DONE : command_fail(&error);
}
