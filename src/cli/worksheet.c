/* `quiztutor worksheet`: a pack on paper. */
#include "worksheet.h"
#include "learner.h"
#include "sheet_source.h"
#include "stopping.h"
#include "tools.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), its = strlen(ending);
    return length > its && strcasecmp(path + length - its, ending) == 0;
}

/* Where it goes, and so in which format. */
static bool read_path(struct worksheet *worksheet, struct error *error)
{
    const char *path = worksheet->invocation->options->values[OPTION_OUTPUT];
    if (!path || strcmp(path, "-") == 0)
        return true;
    worksheet->path = path;
    worksheet->pdf = ends_with(path, ".pdf");
    if (worksheet->pdf || ends_with(path, ".txt"))
        return true;
    return error_set(error, ERROR_USAGE,
                     tr("%s: a sheet is written as PDF or as text; end the name in .pdf or .txt"), path);
}

static bool excludes(const struct options *options, enum option_id one, enum option_id other,
                     struct error *error)
{
    if (!options->values[one] || !options->values[other])
        return true;
    return error_set(error, ERROR_USAGE, tr("--%s and --%s exclude each other"), option_rows[one].name,
                     option_rows[other].name);
}

static bool check_options(const struct invocation *invocation, struct error *error)
{
    const struct options *options = invocation->options;
    static const enum option_id with_id[] = { OPTION_SEED, OPTION_LIMIT, OPTION_TAG, OPTION_COPIES,
                                              OPTION_GROUP };
    bool done = excludes(options, OPTION_NO_KEY, OPTION_KEY_ONLY, error) &&
                excludes(options, OPTION_COPIES, OPTION_GROUP, error) &&
                excludes(options, OPTION_LEARNER, OPTION_GROUP, error) &&
                excludes(options, OPTION_LEARNER, OPTION_COPIES, error);
    for (size_t i = 0; done && i < sizeof with_id / sizeof *with_id; i++)
        done = excludes(options, OPTION_ID, with_id[i], error);
    if (done && !options->values[OPTION_ID] && !invocation->argument_count)
        return error_set(error, ERROR_USAGE, "%s", tr("worksheet needs a PACK, or the --id of a sheet"));
    const char *path = options->values[OPTION_OUTPUT];
    if (done && path && strstr(path, "{learner}") && !options->values[OPTION_GROUP])
        return error_set(error, ERROR_USAGE, "%s", tr("{learner} in a file's name goes with --group"));
    return done;
}

/* How it looks: what is said stands over what is on record. */
static bool read_look(struct worksheet *worksheet, struct error *error)
{
    const struct options *options = worksheet->invocation->options;
    struct sheet_look *look = &worksheet->look;
    const char *paper = options->values[OPTION_PAPER];
    if (paper && strcasecmp(paper, "a4") != 0 && strcasecmp(paper, "letter") != 0)
        return error_set(error, ERROR_USAGE, tr("--paper takes a4 or letter, not \"%s\""), paper);
    if (paper)
        look->size = strcasecmp(paper, "letter") == 0 ? SHEET_LETTER : SHEET_A4;
    look->boxes = look->boxes || options->values[OPTION_BOXES];
    look->large = look->large || options->values[OPTION_LARGE];
    if (options->values[OPTION_LARGE] && !worksheet->pdf)
        fprintf(stderr, "quiztutor: %s\n",
                tr("--large is for PDF: text has one size; -o FILE.pdf writes one"));
    if (options->values[OPTION_NO_KEY] || options->values[OPTION_KEY_ONLY]) {
        look->no_key = options->values[OPTION_NO_KEY] != NULL;
        look->key_only = options->values[OPTION_KEY_ONLY] != NULL;
    }
    return true;
}

/* The seeds, once it is known how many sheets there are. */
static bool read_seed(struct worksheet *worksheet, struct error *error)
{
    const struct options *options = worksheet->invocation->options;
    uint32_t others = (uint32_t)worksheet->count - 1;
    int64_t number;
    if (!options->values[OPTION_SEED]) {
        uint32_t seed = hash_random_seed();
        worksheet->choice.seed = seed > UINT32_MAX - others ? seed - others : seed;
        return true;
    }
    if (!option_number(options, OPTION_SEED, 1, UINT32_MAX, &number, error))
        return false;
    worksheet->choice.seed = (uint32_t)number;
    if (number + others <= UINT32_MAX)
        return true;
    return error_set(error, ERROR_USAGE, tr("%d sheets from seed %lld on go beyond the last seed, %lld"),
                     worksheet->count, (long long)number, (long long)UINT32_MAX);
}

static bool read_choice(struct worksheet *worksheet, struct error *error)
{
    const struct options *options = worksheet->invocation->options;
    int64_t number = 0;
    if (options->values[OPTION_LIMIT] &&
        !option_number(options, OPTION_LIMIT, 1, PACK_QUESTIONS, &number, error))
        return false;
    worksheet->choice.limit = (int)number;
    worksheet->choice.tag = options->values[OPTION_TAG];
    if (options->values[OPTION_COPIES]) {
        if (!option_number(options, OPTION_COPIES, 1, SHEET_COPIES, &number, error))
            return false;
        worksheet->count = (int)number;
    }
    return read_seed(worksheet, error);
}

static bool find_group(struct store *store, const char *wanted, struct arena *arena,
                       struct store_group *group, struct error *error)
{
    const char *nearest = NULL;
    if (store_find_group(store, wanted, arena, group, &nearest, error))
        return true;
    if (error->code == ERROR_NOT_FOUND && nearest)
        error_set(error, ERROR_NOT_FOUND, tr("no group \"%s\"; did you mean \"%s\"?"), wanted, nearest);
    else if (error->code == ERROR_NOT_FOUND)
        error_set(error, ERROR_NOT_FOUND,
                  tr("no group \"%s\" in the store; quiztutor learner add --group puts learners into one"),
                  wanted);
    return false;
}

/* Each learner of the group, by name. */
static bool read_group(struct worksheet *worksheet, struct store *store, const char *name,
                       struct error *error)
{
    struct store_group group;
    struct rows *rows;
    int step = -1, count = 0;
    if (!find_group(store, name, &worksheet->arena, &group, error))
        return false;
    if (group.members > SHEET_COPIES)
        return error_set(error, ERROR_INPUT, tr("the group %s has more learners than %d"), group.name,
                         SHEET_COPIES);
    struct worksheet_learner *learners =
        arena_alloc(&worksheet->arena, (group.members + 1) * (ptrdiff_t)sizeof *learners);
    const struct store_value key = store_value_text(group.key);
    if (!learners)
        return error_memory(error);
    if (!rows_open(&rows, store, QUERY_GROUP_MEMBERS, &key, 1, error))
        return false;
    while (count < group.members && (step = rows_step(rows, error)) == 1) {
        const char *its = rows_text(rows, 1);
        rows_uuid(rows, 0, &learners[count].id);
        learners[count].name =
            arena_text(&worksheet->arena, its ? its : "", its ? (ptrdiff_t)strlen(its) : 0);
        if (!learners[count++].name) {
            step = -1;
            error_memory(error);
            break;
        }
    }
    rows_close(rows);
    worksheet->learners = learners;
    worksheet->count = count;
    return step >= 0 &&
           (count || error_set(error, ERROR_NOT_FOUND, tr("the group %s has no learners"), group.name));
}

/* The learner of a login or name, whose sheet it is. */
static bool read_learner(struct worksheet *worksheet, struct store *store, const char *name,
                         struct error *error)
{
    struct worksheet_learner *one = arena_alloc(&worksheet->arena, sizeof *one);
    struct store_learner learner;
    if (!one)
        return error_memory(error);
    if (!learner_find_paper(store, name, &worksheet->arena, &learner, error))
        return false;
    *one = (struct worksheet_learner){ learner.id, learner.name };
    worksheet->learners = one;
    return true;
}

/* The name of who it was printed for. */
static bool read_recorded_learner(struct worksheet *worksheet, struct store *store, const struct uuid *id,
                                  struct error *error)
{
    struct rows *rows;
    struct uuid its;
    int step;
    if (!rows_open(&rows, store, QUERY_ROSTER, NULL, 0, error))
        return false;
    while ((step = rows_step(rows, error)) == 1) {
        rows_uuid(rows, 0, &its);
        if (uuid_equal(&its, id))
            break;
    }
    struct worksheet_learner *one = step == 1 ? arena_alloc(&worksheet->arena, sizeof *one) : NULL;
    const char *name = one ? rows_text(rows, 1) : NULL;
    if (name) {
        one->id = *id;
        one->name = arena_text(&worksheet->arena, name, (ptrdiff_t)strlen(name));
        worksheet->learners = one;
    }
    rows_close(rows);
    return step == 0 || (step == 1 && ((one && one->name) || error_memory(error)));
}

/* The pack and the choice of a sheet that was printed before. */
static bool read_id(struct worksheet *worksheet, struct store *store, struct sheet_source_found *found,
                    struct error *error)
{
    const struct invocation *invocation = worksheet->invocation;
    const struct uuid *learner = worksheet->learners ? &worksheet->learners->id : NULL;
    const char *argument = invocation->argument_count ? invocation->arguments[0] : NULL;
    if (!sheet_source_find(found, invocation, store, invocation->options->values[OPTION_ID], argument,
                           learner, error))
        return false;
    const struct printed *printed = &found->printed;
    const struct sheet_record *record = &printed->record;
    const struct sheet_id *id = &printed->sheet.id;
    worksheet->choice = (struct sheet_choice){ .seed = id->seed, .limit = id->limit, .tag = printed->tag };
    if (printed->known)
        worksheet->look = (struct sheet_look){
            .size = strcmp(record->size, "letter") == 0 ? SHEET_LETTER : SHEET_A4,
            .boxes = record->boxes,
            .large = record->large,
            .no_key = record->no_key,
            .key_only = record->key_only,
        };
    if (!worksheet->learners && printed->recorded && !uuid_is_zero(&record->learner) &&
        !read_recorded_learner(worksheet, store, &record->learner, error))
        return false;
    worksheet->pack = printed->sheet.pack;
    worksheet->bytes = found->bytes;
    buffer_init(&found->bytes);
    worksheet->file = found->name;
    worksheet->recorded = printed->recorded;
    return true;
}

static bool read_pack(struct worksheet *worksheet, struct error *error)
{
    worksheet->loaded = command_pack_file(worksheet->invocation, worksheet->invocation->arguments[0],
                                          &worksheet->arena, &worksheet->file, &worksheet->bytes, error);
    worksheet->pack = worksheet->loaded;
    return worksheet->pack != NULL;
}

/* What is the same for all records. */
static bool start_records(struct worksheet *worksheet, struct error *error)
{
    const struct sheet_look *look = &worksheet->look;
    struct clock clock = clock_system();
    struct hash content;
    worksheet->records =
        arena_alloc(&worksheet->arena, worksheet->count * (ptrdiff_t)sizeof *worksheet->records);
    if (!worksheet->records || !sheet_body(worksheet->body, worksheet->pack, worksheet->choice.tag))
        return error_memory(error);
    hash_of(&content, buffer_get(&worksheet->bytes), worksheet->bytes.length);
    for (int i = 0; i < worksheet->count; i++)
        worksheet->records[i] = (struct sheet_record){
            .body = worksheet->body,
            .content = content,
            .size = look->size == SHEET_LETTER ? "letter" : "a4",
            .boxes = look->boxes,
            .large = look->large,
            .no_key = look->no_key,
            .key_only = look->key_only,
            .tag = worksheet->choice.tag,
            .printed_at = clock_wall(&clock),
        };
    return true;
}

/* Where the store can't be written, the sheets are printed nevertheless. */
static void keep_records(const struct worksheet *worksheet, struct store **store)
{
    const char *slash = strrchr(worksheet->file, '/');
    struct error error = { 0 };
    struct sheet_source source = {
        .content = worksheet->records[0].content,
        .name = slash ? slash + 1 : worksheet->file,
        .bytes = buffer_get(&worksheet->bytes),
        .length = worksheet->bytes.length,
    };
    if ((*store || command_make_store(worksheet->invocation, store, &error)) &&
        store_keep_sheets(*store, &source, worksheet->records, worksheet->printed, &error))
        return;
    struct buffer why;
    buffer_init(&why);
    text_visible(&why, error.message, (ptrdiff_t)strlen(error.message));
    fprintf(stderr, "quiztutor: ");
    fprintf(stderr,
            ntr("the sheet is printed, but not on record: %s",
                "the sheets are printed, but not on record: %s", worksheet->printed),
            buffer_get(&why));
    fputc('\n', stderr);
    buffer_finish(&why);
}

static bool prepare(struct worksheet *worksheet, struct store *store, const struct error *closed,
                    struct sheet_source_found *found, struct error *error)
{
    const struct options *options = worksheet->invocation->options;
    const char *group = options->values[OPTION_GROUP], *learner = options->values[OPTION_LEARNER];
    if ((group || learner) && !store) {
        *error = *closed;
        return false;
    }
    if (group && !read_group(worksheet, store, group, error))
        return false;
    if (learner && !read_learner(worksheet, store, learner, error))
        return false;
    if (options->values[OPTION_ID] ? !read_id(worksheet, store, found, error)
                                   : !read_choice(worksheet, error) || !read_pack(worksheet, error))
        return false;
    return read_look(worksheet, error) && start_records(worksheet, error);
}

int command_worksheet(const struct invocation *invocation)
{
    struct worksheet worksheet = { .invocation = invocation, .count = 1 };
    struct sheet_source_found found = { 0 };
    struct store *store = NULL;
    struct error error = { 0 }, closed = { 0 };
    arena_init(&worksheet.arena);
    buffer_init(&worksheet.bytes);
    bool done = check_options(invocation, &error) && read_path(&worksheet, &error);
    if (done && worksheet.pdf && !sheet_press())
        done = tools_need(invocation, true, "PDF", "pango and cairo", &error);
    if (done)
        command_open_store(invocation, &store, &closed);
    done = done && prepare(&worksheet, store, &closed, &found, &error) && worksheet_print(&worksheet, &error);
    if (worksheet.printed && !worksheet.recorded)
        keep_records(&worksheet, &store);
    store_close(store);
    pack_destroy(worksheet.loaded);
    buffer_finish(&worksheet.bytes);
    sheet_source_finish(&found);
    arena_finish(&worksheet.arena);
    int status = done ? STATUS_DONE : command_fail(&error);
    stopping_end(!done && error.code == ERROR_INTERRUPTED);
    return status;
}
