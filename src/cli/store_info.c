/* `quiztutor store info`: what the store holds, and answers to questions that no pack of the library has. */
#include "learner.h"
#include "output.h"
#include "retained.h"

#include <quiztutor/day.h>
#include <quiztutor/json.h>
#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { ORPHANS_SHOWN = 20, FIELD = 12 };

/* Why a question of the log is in no pack: its pack has it no more, or there is no such pack; or a file that
 * is named after its pack does not load, and then nobody knows. */
enum lost { LOST_NOT, LOST_QUESTION, LOST_PACK, LOST_UNREADABLE };

struct orphan {
    const char *pack, *question;
    int64_t answers, learners, last_at;
    enum lost lost;
};

struct info {
    const struct invocation *invocation;
    struct store *store;
    struct library *library;
    const struct library_entry *entries;
    int entry_count;
    struct arena arena;
    const char *path;
    int64_t bytes;
    int64_t learners, sessions, attempts, undone, events, scheduled, first_at, newest_at, sheets, schema,
        exams;
    struct orphan *orphans; /* and questions whose pack does not load */
    ptrdiff_t orphan_count, orphan_capacity;
    struct retained retained;
    ptrdiff_t lost, unreadable; /* how many of each */
    int broken;                 /* packs that do not load */
    struct buffer line;
    struct output output;
};

static int64_t info_size(const char *path, const char *ending)
{
    struct buffer name;
    struct stat status;
    int64_t size = 0;
    buffer_init(&name);
    buffer_print(&name, "%s%s", path, ending);
    if (!name.failed && stat(buffer_get(&name), &status) == 0)
        size = status.st_size;
    buffer_finish(&name);
    return size;
}

static bool info_totals(struct info *info, struct error *error)
{
    struct rows *rows;
    if (!rows_open(&rows, info->store, QUERY_TOTALS, NULL, 0, error))
        return false;
    int step = rows_step(rows, error);
    if (step == 1) {
        int64_t *const totals[] = { &info->learners, &info->sessions,  &info->attempts, &info->undone,
                                    &info->events,   &info->scheduled, &info->first_at, &info->newest_at,
                                    &info->sheets,   &info->schema };
        for (int i = 0; i < (int)(sizeof totals / sizeof *totals); i++)
            *totals[i] = rows_integer(rows, i);
    }
    rows_close(rows);
    struct store_value anyone = store_value_null();
    if (step < 0 || !rows_open(&rows, info->store, QUERY_EXAMS, &anyone, 1, error))
        return false;
    while ((step = rows_step(rows, error)) == 1)
        info->exams++;
    rows_close(rows);
    return step == 0;
}

/* Whether the file is named after the pack: id.yaml or id.yml. */
static bool info_named(const char *path, const char *pack)
{
    const char *name = strrchr(path, '/');
    size_t length = strlen(pack);
    name = name ? name + 1 : path;
    return strncmp(name, pack, length) == 0 &&
           (strcmp(name + length, ".yaml") == 0 || strcmp(name + length, ".yml") == 0);
}

static enum lost info_lost(const struct info *info, const char *pack, const char *question)
{
    enum lost lost = LOST_PACK;
    for (int i = 0; i < info->entry_count; i++) {
        const struct library_entry *entry = &info->entries[i];
        if (entry->pack && !entry->shadowed_by && strcmp(entry->pack->id, pack) == 0)
            return pack_find(entry->pack, question) >= 0 ? LOST_NOT : LOST_QUESTION;
        if (!entry->pack && !entry->shadowed_by && info_named(entry->path, pack))
            lost = LOST_UNREADABLE;
    }
    return lost;
}

static bool info_orphan(struct info *info, struct rows *rows, struct error *error)
{
    const char *pack = rows_text(rows, 0), *question = rows_text(rows, 1);
    enum lost lost = pack && question ? info_lost(info, pack, question) : LOST_NOT;
    if (lost == LOST_NOT)
        return true;
    struct orphan orphan = { .pack = arena_print(&info->arena, "%s", pack),
                             .question = arena_print(&info->arena, "%s", question),
                             .answers = rows_integer(rows, 2),
                             .learners = rows_integer(rows, 3),
                             .last_at = rows_integer(rows, 4),
                             .lost = lost };
    if (!orphan.pack || !orphan.question ||
        !memory_grow(&info->orphans, &info->orphan_capacity, info->orphan_count + 1, sizeof *info->orphans))
        return error_memory(error);
    info->orphans[info->orphan_count++] = orphan;
    if (lost == LOST_UNREADABLE)
        info->unreadable++;
    else
        info->lost++;
    return true;
}

static bool info_orphans(struct info *info, struct error *error)
{
    struct rows *rows;
    int step;
    if (!library_list(info->library, &info->entries, &info->entry_count, error))
        return false;
    for (int i = 0; i < info->entry_count; i++)
        info->broken += !info->entries[i].pack && !info->entries[i].shadowed_by;
    if (!rows_open(&rows, info->store, QUERY_QUESTIONS, NULL, 0, error))
        return false;
    while ((step = rows_step(rows, error)) == 1)
        if (!info_orphan(info, rows, error))
            break;
    rows_close(rows);
    return step == 0;
}

/* The parameters kept: for people a line each, with JSON an object each. */
static bool info_parameters(struct info *info, struct json *json, struct error *error)
{
    struct clock clock = clock_system();
    struct rows *rows;
    int step, count = 0;
    if (!rows_open(&rows, info->store, QUERY_FITTED, NULL, 0, error))
        return false;
    while ((step = rows_step(rows, error)) == 1) {
        const char *name = rows_text(rows, 0);
        int64_t at = rows_integer(rows, 1), now = clock_wall(&clock);
        char day[DAY_TEXT];
        if (json) {
            json_open(json, '{');
            json_key(json, "learner");
            json_text(json, name);
            json_key(json, "made_at");
            json_integer(json, at);
            json_close(json, '}');
            continue;
        }
        day_words(day, clock_day(at, clock_offset(&clock, at), 0),
                  clock_day(now, clock_offset(&clock, now), 0));
        if (name)
            buffer_print(&info->line, tr("fitted to the answers of %s: %s"), name, day);
        else
            buffer_print(&info->line, tr("fitted to everyone's answers: %s"), day);
        output_field(&info->output, FIELD, count++ ? "" : tr("Parameters"), buffer_get(&info->line));
        buffer_clear(&info->line);
    }
    rows_close(rows);
    if (!json && !count)
        output_field(&info->output, FIELD, tr("Parameters"), tr("the published ones"));
    return step == 0;
}

static void info_json(const struct info *info, struct json *json)
{
    const struct {
        const char *name;
        int64_t value;
    } numbers[] = { { "bytes", info->bytes },       { "schema", info->schema },
                    { "learners", info->learners }, { "sessions", info->sessions },
                    { "attempts", info->attempts }, { "undone", info->undone },
                    { "events", info->events },     { "scheduled", info->scheduled },
                    { "exams_open", info->exams },  { "sheets", info->sheets } };
    json_key(json, "path");
    json_text(json, info->path);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        json_key(json, numbers[i].name);
        json_integer(json, numbers[i].value);
    }
    json_key(json, "first_at");
    info->attempts ? json_integer(json, info->first_at) : json_null(json);
    json_key(json, "newest_at");
    info->attempts ? json_integer(json, info->newest_at) : json_null(json);
}

static void info_json_orphans(const struct info *info, struct json *json)
{
    static const char *const reasons[] = {
        [LOST_QUESTION] = "question", [LOST_PACK] = "pack", [LOST_UNREADABLE] = "unreadable"
    };
    json_key(json, "unreadable");
    json_open(json, '[');
    for (int i = 0; i < info->entry_count; i++) {
        const struct library_entry *entry = &info->entries[i];
        if (entry->pack || entry->shadowed_by)
            continue;
        json_open(json, '{');
        json_key(json, "path");
        json_text(json, entry->path);
        json_key(json, "problem");
        json_text(json, entry->problem);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_key(json, "orphans");
    json_open(json, '[');
    for (ptrdiff_t i = 0; i < info->orphan_count; i++) {
        const struct orphan *orphan = &info->orphans[i];
        json_open(json, '{');
        json_key(json, "pack");
        json_text(json, orphan->pack);
        json_key(json, "question");
        json_text(json, orphan->question);
        json_key(json, "answers");
        json_integer(json, orphan->answers);
        json_key(json, "learners");
        json_integer(json, orphan->learners);
        json_key(json, "last_at");
        json_integer(json, orphan->last_at);
        json_key(json, "reason");
        json_text(json, reasons[orphan->lost]);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void info_bytes(struct buffer *out, int64_t bytes)
{
    if (bytes < 1000)
        buffer_print(out, tr("%d bytes"), (int)bytes);
    else if (bytes < 1000000)
        buffer_print(out, tr("%.0f kB"), (double)bytes / 1e3);
    else
        buffer_print(out, tr("%.1f MB"), (double)bytes / 1e6);
}

static void info_end(struct info *info, const char *word)
{
    if (info->line.failed)
        info->output.text.failed = true;
    else
        output_field(&info->output, FIELD, word, buffer_get(&info->line));
    buffer_clear(&info->line);
}

static void info_count(struct info *info, const char *word, int64_t count)
{
    buffer_print(&info->line, "%lld", (long long)count);
    info_end(info, word);
}

/* A moment as a local day. */
static void info_day(char text[static DAY_TEXT], int64_t at)
{
    struct clock clock = clock_system();
    int64_t now = clock_wall(&clock);
    day_words(text, clock_day(at, clock_offset(&clock, at), 0), clock_day(now, clock_offset(&clock, now), 0));
}

static void info_print_totals(struct info *info)
{
    struct buffer *line = &info->line;
    char day[DAY_TEXT];
    text_visible(line, info->path, (ptrdiff_t)strlen(info->path));
    info_end(info, tr("Store"));
    info_bytes(line, info->bytes);
    info_end(info, tr("Size"));
    buffer_print(line, tr("version %d"), (int)info->schema);
    info_end(info, tr("Schema"));
    info_count(info, tr("Learners"), info->learners);
    info_count(info, tr("Sessions"), info->sessions);
    buffer_print(line, "%lld", (long long)info->attempts);
    if (info->undone)
        buffer_print(line, tr(", %lld of them taken back"), (long long)info->undone);
    info_end(info, tr("Answers"));
    info_count(info, tr("Events"), info->events);
    info_count(info, tr("Schedules"), info->scheduled);
    if (info->attempts) {
        info_day(day, info->first_at);
        output_field(&info->output, FIELD, tr("First"), day);
        info_day(day, info->newest_at);
        output_field(&info->output, FIELD, tr("Newest"), day);
    }
    if (info->exams)
        buffer_print(line, ntr("%lld not handed in yet", "%lld not handed in yet", info->exams),
                     (long long)info->exams);
    else
        buffer_text(line, tr("none open"));
    info_end(info, tr("Exams"));
    if (info->sheets)
        info_count(info, tr("Sheets"), info->sheets);
}

/* Packs that do not load, so that nobody takes their questions for lost. */
static void info_print_broken(struct info *info)
{
    struct buffer *line = &info->line;
    if (!info->broken)
        return;
    buffer_char(&info->output.text, '\n');
    buffer_print(line,
                 ntr("%d pack does not load: which questions it has is not known.",
                     "%d packs do not load: which questions they have is not known.", info->broken),
                 info->broken);
    if (info->unreadable)
        buffer_print(line,
                     ntr(" %lld question with answers waits for that.",
                         " %lld questions with answers wait for that.", info->unreadable),
                     (long long)info->unreadable);
    output_text(&info->output, buffer_get(line));
    buffer_clear(line);
    for (int i = 0; i < info->entry_count; i++) {
        const struct library_entry *entry = &info->entries[i];
        if (entry->pack || entry->shadowed_by)
            continue;
        buffer_text(line, "  ");
        text_visible(line, entry->path, (ptrdiff_t)strlen(entry->path));
        buffer_text(line, ": ");
        text_visible(line, entry->problem, (ptrdiff_t)strlen(entry->problem));
        output_text(&info->output, buffer_get(line));
        buffer_clear(line);
    }
}

/* A text of the store, which may hold anything, in the arena. */
static const char *info_visible(struct info *info, const struct orphan *orphan)
{
    buffer_print(&info->line, "%s/%s", orphan->pack, orphan->question);
    struct buffer shown;
    buffer_init(&shown);
    text_visible(&shown, buffer_get(&info->line), info->line.length);
    const char *text = shown.failed ? NULL : arena_print(&info->arena, "%s", buffer_get(&shown));
    buffer_finish(&shown);
    buffer_clear(&info->line);
    return text;
}

static bool info_print_orphans(struct info *info, struct error *error)
{
    enum { COLUMNS = 4 };
    static const struct output_column columns[COLUMNS] = { { 0 }, { true, 0 }, { false, 1 }, { false, 2 } };
    const char *cells[(ORPHANS_SHOWN + 1) * COLUMNS] = { tr("question"), tr("answers"), tr("last answered"),
                                                         "" };
    ptrdiff_t rows = 1;
    if (!info->lost)
        return true;
    for (ptrdiff_t i = 0; i < info->orphan_count && rows <= ORPHANS_SHOWN; i++) {
        const struct orphan *orphan = &info->orphans[i];
        const char **row = &cells[rows * COLUMNS];
        char day[DAY_TEXT];
        if (orphan->lost == LOST_UNREADABLE)
            continue;
        info_day(day, orphan->last_at);
        row[0] = info_visible(info, orphan);
        row[1] = arena_print(&info->arena, "%lld", (long long)orphan->answers);
        row[2] = arena_print(&info->arena, "%s", day);
        row[3] = orphan->lost == LOST_PACK ? tr("no pack has this id") : tr("gone from its pack");
        if (!row[0] || !row[1] || !row[2])
            return error_memory(error);
        rows++;
    }
    buffer_char(&info->output.text, '\n');
    buffer_print(
        &info->line,
        ntr("%lld question with answers is in no pack of the library: renamed, removed, or practised from "
            "elsewhere. Its answers are kept.",
            "%lld questions with answers are in no pack of the library: renamed, removed, or practised "
            "from elsewhere. Their answers are kept.",
            info->lost),
        (long long)info->lost);
    output_text(&info->output, buffer_get(&info->line));
    buffer_clear(&info->line);
    buffer_char(&info->output.text, '\n');
    output_table(&info->output, columns, COLUMNS, cells, rows);
    int64_t more = info->lost - (rows - 1);
    if (more) {
        buffer_print(&info->output.text,
                     ntr("and %lld more; --json lists all", "and %lld more; --json lists all", more),
                     (long long)more);
        buffer_char(&info->output.text, '\n');
    }
    return true;
}

static bool info_print(struct info *info, struct error *error)
{
    if (info->invocation->options->values[OPTION_JSON]) {
        struct json json;
        json_init(&json, &info->output.text);
        json_open(&json, '{');
        info_json(info, &json);
        json_key(&json, "parameters");
        json_open(&json, '[');
        if (!info_parameters(info, &json, error))
            return false;
        json_close(&json, ']');
        retained_json(&info->retained, &json);
        info_json_orphans(info, &json);
        json_close(&json, '}');
        buffer_char(&info->output.text, '\n');
        return true;
    }
    info_print_totals(info);
    if (!info_parameters(info, NULL, error))
        return false;
    retained_print(&info->retained, &info->output);
    info_print_broken(info);
    return info_print_orphans(info, error);
}

int command_store_info(const struct invocation *invocation)
{
    struct info info = { .invocation = invocation, .path = invocation->settings->text[SETTING_STORE] };
    struct error error = { 0 };
    arena_init(&info.arena);
    buffer_init(&info.line);
    retained_init(&info.retained);
    output_init(&info.output, invocation->settings);
    static const enum option_id taken[] = { OPTION_JSON, OPTIONS };
    bool done = learner_takes(invocation, taken, &error) &&
                command_open_store(invocation, &info.store, &error) &&
                command_library(invocation, &info.library, &error) && info_totals(&info, &error) &&
                retained_read(&info.retained, info.store, invocation->settings, &error) &&
                info_orphans(&info, &error);
    if (done) {
        info.bytes = info_size(info.path, "") + info_size(info.path, "-wal");
        done = info_print(&info, &error);
    }
    if (!done)
        buffer_clear(&info.output.text);
    struct error *why = done ? &error : NULL;
    done = output_finish(&info.output, why) && done;
    store_close(info.store);
    memory_free(info.orphans);
    retained_finish(&info.retained);
    buffer_finish(&info.line);
    library_destroy(info.library);
    arena_finish(&info.arena);
    return done ? STATUS_DONE : command_fail(&error);
}
