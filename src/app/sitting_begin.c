/* How an exam begins: on record, with its deadline, before its first question is shown; and how it goes on.
 */
#include "exam_log.h"
#include "sitting_private.h"

#include <quiztutor/json.h>
#include <quiztutor/message.h>

#include <string.h>

static void write_number(struct json *json, const char *key, double value)
{
    json_key(json, key);
    if (value > 0)
        json_number(json, value);
    else
        json_null(json);
}

/*
 * {"boot":…,"certainty":false,"factor":1,"limit":null,"limit_ms":1800000,"minutes":30,"packs":["tour"],
 * "pass":60,"steady":…,"tag":null}: null for what there is none of.
 */
static void write_options(const struct sitting *sitting, int64_t steady, struct buffer *out)
{
    const struct practice_options *options = &sitting->options;
    struct uuid boot;
    struct json json;
    char text[37];
    bool has_boot = clock_boot(&sitting->clock, &boot);
    uuid_format(text, &boot);
    json_init(&json, out);
    json_open(&json, '{');
    json_key(&json, "boot");
    json_text(&json, has_boot ? text : NULL);
    json_key(&json, "certainty");
    json_bool(&json, sitting->certainty);
    write_number(&json, "factor", sitting->allowance.factor);
    write_number(&json, "limit", options->limit);
    write_number(&json, "limit_ms", (double)sitting->time.limit_ms);
    write_number(&json, "minutes", sitting->allowance.minutes);
    json_key(&json, "packs");
    json_open(&json, '[');
    for (int i = 0; i < options->pack_count; i++)
        json_text(&json, options->packs[i]->id);
    json_close(&json, ']');
    write_number(&json, "pass", sitting->pass);
    json_key(&json, "steady");
    json_integer(&json, steady);
    json_key(&json, "tag");
    json_text(&json, options->tag);
    json_close(&json, '}');
}

/* The texts of all questions, as they are asked; made for one call of the store. */
struct texts {
    struct store_text *items;
    struct buffer *bodies;
    char (*revisions)[PACK_REVISION + 1];
    int count;
};

static void texts_finish(struct texts *texts)
{
    for (int i = 0; i < texts->count; i++)
        buffer_finish(&texts->bodies[i]);
    memory_free(texts->items);
    memory_free(texts->bodies);
    memory_free(texts->revisions);
}

/* texts_finish is due either way. */
static bool texts_init(struct texts *texts, const struct sitting *sitting)
{
    const struct exam *exam = &sitting->exam;
    ptrdiff_t room = exam->count + 1;
    memset(texts, 0, sizeof *texts);
    texts->items = memory_alloc(room * (ptrdiff_t)sizeof *texts->items);
    texts->bodies = memory_alloc(room * (ptrdiff_t)sizeof *texts->bodies);
    texts->revisions = memory_alloc(room * (ptrdiff_t)sizeof *texts->revisions);
    if (!texts->items || !texts->bodies || !texts->revisions)
        return false;
    for (int i = 0; i < exam->count; i++) {
        const struct exam_entry *entry = &exam->entries[i];
        const struct question *question = sitting->showings[i].question; /* with its values */
        struct store_text *text = &texts->items[i];
        buffer_init(&texts->bodies[i]);
        texts->count = i + 1;
        if (!question_body(question, &texts->bodies[i]) || !question_content(question, &text->content) ||
            !question_revision(question, texts->revisions[i]))
            return false;
        text->pack_id = entry->pack->id;
        text->question_id = entry->question->id;
        text->revision = texts->revisions[i];
        text->body = buffer_get(&texts->bodies[i]);
    }
    return true;
}

/* [["pack","question","revision",marks,"content",section],…] */
static void write_plan(const struct exam *exam, const struct texts *texts, struct buffer *out)
{
    struct json json;
    json_init(&json, out);
    json_open(&json, '[');
    for (int i = 0; i < exam->count; i++) {
        char content[65];
        hash_hex(content, texts->items[i].content.bytes, 32);
        json_open(&json, '[');
        json_text(&json, texts->items[i].pack_id);
        json_text(&json, texts->items[i].question_id);
        json_text(&json, texts->items[i].revision);
        json_number(&json, exam->entries[i].question->marks);
        json_text(&json, content);
        json_integer(&json, exam->entries[i].section);
        json_close(&json, ']');
    }
    json_close(&json, ']');
}

/* The pass mark of the whole: each pack's, weighed by the marks it holds; none where a pack has none. */
static double pass_mark(const struct exam *exam)
{
    double wanted = 0, marks = 0;
    for (int i = 0; i < exam->count; i++) {
        const struct exam_entry *entry = &exam->entries[i];
        if (entry->pack->exam_pass <= 0)
            return 0;
        wanted += entry->pack->exam_pass * entry->question->marks;
        marks += entry->question->marks;
    }
    return marks > 0 ? wanted / marks : 0;
}

/* Takes these entries as the exam on hand. */
static bool sitting_take_entries(struct sitting *sitting, uint32_t seed, const struct exam_entry *entries,
                                 int count, struct error *error)
{
    sitting->spent = memory_zero((count + 1) * (ptrdiff_t)sizeof *sitting->spent);
    sitting->showings = memory_alloc((count + 1) * (ptrdiff_t)sizeof *sitting->showings);
    bool done = sitting->spent && sitting->showings;
    for (int i = 0; done && i < count; i++)
        done = showing_init(&sitting->showings[i], entries[i].pack, entries[i].question, seed,
                            &sitting->showings_arena);
    return (done && exam_init(&sitting->exam, seed, entries, count)) || error_memory(error);
}

bool sitting_prepare(struct sitting *sitting, struct error *error)
{
    const struct practice_options *options = &sitting->options;
    struct exam_entry *entries;
    int count;
    uint32_t seed = options->seed ? options->seed : hash_random_seed();
    sitting_end(sitting);
    if (!exam_plan(&entries, &count, options->packs, options->pack_count, seed, options->tag, options->limit))
        return error_memory(error);
    bool done = sitting_take_entries(sitting, seed, entries, count, error);
    memory_free(entries);
    if (!done)
        return false;
    struct sitting_allowance *allowance = &sitting->allowance;
    double factor = sitting->record.learner.time_factor;
    allowance->minutes = sitting->minutes;
    for (int i = 0; sitting->minutes <= 0 && i < options->pack_count; i++)
        allowance->minutes += options->packs[i]->exam_minutes;
    allowance->factor = factor > 1 ? factor : 1;
    sitting->time.limit_ms = exam_limit(allowance->minutes, allowance->factor, 0);
    sitting->pass = pass_mark(&sitting->exam);
    sitting->certainty = options->certainty;
    return true;
}

/* The texts of the session's row, in the arena. */
static bool sitting_describe(struct sitting *sitting, const struct texts *texts, int64_t steady)
{
    struct buffer options, plan;
    buffer_init(&options);
    buffer_init(&plan);
    write_options(sitting, steady, &options);
    write_plan(&sitting->exam, texts, &plan);
    bool done = !options.failed && !plan.failed;
    if (done) {
        sitting->record.options = arena_text(&sitting->arena, buffer_get(&options), options.length);
        sitting->record.plan = arena_text(&sitting->arena, buffer_get(&plan), plan.length);
        done = sitting->record.options && sitting->record.plan;
    }
    buffer_finish(&options);
    buffer_finish(&plan);
    return done;
}

bool sitting_begin(struct sitting *sitting, struct error *error)
{
    struct store_session *record = &sitting->record;
    struct texts texts;
    if (!sitting->exam.entries && !sitting_prepare(sitting, error))
        return false;
    if (!sitting->exam.count)
        return true;
    int64_t now = clock_wall(&sitting->clock), steady = clock_steady(&sitting->clock);
    uuid_make(&record->id, now);
    record->kind = "exam";
    record->origin = sitting->options.origin;
    record->seed = sitting->exam.seed;
    record->started_at = now;
    record->utc_offset_s = clock_offset(&sitting->clock, now);
    bool done = texts_init(&texts, sitting) && sitting_describe(sitting, &texts, steady);
    if (!done)
        error_memory(error);
    done = done && store_add_session(sitting->store, record, texts.items, texts.count,
                                     &sitting->learner_created, error);
    texts_finish(&texts);
    if (!done)
        return false;
    sitting->begun = sitting->learner_known = true;
    sitting->time.started_wall = now;
    exam_anchor(&sitting->time, 0, steady);
    sitting->shown_entry = -1;
    store_hold_session(sitting->store, &record->id, NULL); /* so that nobody else is offered it */
    return true;
}

static int find_pack(const struct practice_options *options, const char *id)
{
    for (int i = 0; i < options->pack_count; i++)
        if (strcmp(options->packs[i]->id, id) == 0)
            return i;
    return -1;
}

struct named {
    const struct practice_options *options;
    int count;
    bool other; /* a pack that was not asked for */
};

static bool visit_pack(void *context, const char *id)
{
    struct named *named = context;
    named->count++;
    named->other = !id || find_pack(named->options, id) < 0;
    return !named->other;
}

bool sitting_find_open(struct sitting *sitting, struct sitting_open *open, struct error *error)
{
    struct store_value learner = store_value_uuid(&sitting->record.learner.id);
    struct rows *rows;
    int step = 0;
    *open = (struct sitting_open){ 0 };
    if (!sitting->learner_known)
        return true;
    if (!rows_open(&rows, sitting->store, QUERY_EXAMS, &learner, 1, error))
        return false;
    while (!open->found && (step = rows_step(rows, error)) == 1) {
        struct named named = { &sitting->options, 0, false };
        struct uuid session;
        const char *options = rows_text(rows, 3);
        rows_uuid(rows, 0, &session);
        if (!options || !store_json_each(sitting->store, options, "$.packs", visit_pack, &named, NULL) ||
            named.other || named.count != sitting->options.pack_count)
            continue;
        if (!store_hold_session(sitting->store, &session, NULL)) {
            open->elsewhere = true;
            continue;
        }
        store_release_session(sitting->store, &session);
        *open = (struct sitting_open){
            .found = true,
            .elsewhere = open->elsewhere,
            .session = session,
            .started_at = rows_integer(rows, 4),
            .utc_offset_s = (int)rows_integer(rows, 5),
            .questions = (int)rows_integer(rows, 8),
            .answered = (int)rows_integer(rows, 9),
        };
    }
    rows_close(rows);
    if (!open->found)
        return step == 0;
    struct exam_log log;
    bool done = exam_log_read(&log, sitting->store, &sitting->clock, &open->session, error);
    open->left_ms = exam_left(&log.time, clock_wall(&sitting->clock), clock_steady(&sitting->clock));
    exam_log_finish(&log);
    return done;
}

/* The session's own row, as it stands in the store. */
static void sitting_adopt(struct sitting *sitting, const struct exam_log *log, const struct uuid *session)
{
    struct store_session *record = &sitting->record;
    record->id = *session;
    record->kind = "exam";
    record->origin = sitting->options.origin;
    record->seed = log->seed;
    record->options = "{}";
    record->plan = "[]"; /* stored already, never written again */
    record->started_at = log->started_at;
    record->utc_offset_s = log->utc_offset_s;
}

bool sitting_hand_in_open(struct sitting *sitting, const struct sitting_open *open, struct error *error)
{
    struct exam_log log;
    bool done = exam_log_read(&log, sitting->store, &sitting->clock, &open->session, error);
    if (done) {
        struct store_session record = sitting->record;
        bool by_time = exam_left(&log.time, clock_wall(&sitting->clock), clock_steady(&sitting->clock)) == 0;
        sitting_adopt(sitting, &log, &open->session);
        done = exam_log_hand_in(sitting->store, &sitting->clock, &sitting->record, by_time, error);
        record.learner = sitting->record.learner;
        sitting->record = record;
    }
    exam_log_finish(&log);
    return done;
}

/* The hash of a question as this exam asks it, with its values. */
static bool sitting_content(const struct exam_entry *entry, uint32_t seed, struct hash *content)
{
    struct showing showing;
    struct arena arena;
    arena_init(&arena);
    bool done = showing_init(&showing, entry->pack, entry->question, seed, &arena) &&
                question_content(showing.question, content);
    arena_finish(&arena);
    return done;
}

/* A question of the stored plan in today's pack. *stays: it is there, with the key it had; and where it was
 * answered, word for word, since the places of a response mean the choices as they were. */
static bool sitting_find(struct sitting *sitting, uint32_t seed, const struct exam_log_question *planned,
                         struct exam_entry *entry, bool *stays, bool *mended)
{
    int pack = find_pack(&sitting->options, planned->pack);
    int place = pack < 0 ? -1 : pack_find(sitting->options.packs[pack], planned->question);
    char revision[PACK_REVISION + 1];
    struct hash content;
    *stays = false;
    if (place < 0)
        return true;
    *entry = (struct exam_entry){ .pack = sitting->options.packs[pack],
                                  .question = &sitting->options.packs[pack]->questions[place] };
    entry->section = entry->question->section;
    if (!question_revision(entry->question, revision) || !sitting_content(entry, seed, &content))
        return false;
    *stays = strcmp(revision, planned->revision) == 0 &&
             (!planned->answered || memcmp(&content, &planned->content, sizeof content) == 0);
    *mended |= *stays && memcmp(&content, &planned->content, sizeof content) != 0;
    if (!planned->answered)
        return true;
    entry->blank = !planned->response;
    entry->answered = planned->response != NULL;
    entry->certainty = planned->certainty;
    entry->elapsed_ms = planned->elapsed_ms;
    return answer_read(&entry->answer, entry->question->type, planned->response, &sitting->arena);
}

static bool sitting_replay(struct sitting *sitting, const struct exam_log *log, bool *mended,
                           struct error *error)
{
    struct exam_entry *entries = memory_zero((log->count + 1) * (ptrdiff_t)sizeof *entries);
    int64_t *spent = memory_zero((log->count + 1) * (ptrdiff_t)sizeof *spent);
    int count = 0, last = -1;
    bool done = entries && spent;
    for (int i = 0; done && i < log->count; i++) {
        bool stays;
        done = sitting_find(sitting, log->seed, &log->questions[i], &entries[count], &stays, mended);
        if (!done || !stays) {
            sitting->left_out += done;
            continue;
        }
        entries[count].flagged = log->questions[i].flagged;
        spent[count] = log->questions[i].spent_ms;
        if (i == log->newest)
            last = count;
        count++;
    }
    if (!done)
        error_memory(error);
    done = done && sitting_take_entries(sitting, log->seed, entries, count, error);
    if (done) {
        memcpy(sitting->spent, spent, (size_t)count * sizeof *spent);
        exam_show(&sitting->exam, exam_next_open(&sitting->exam, last));
    }
    memory_free(entries);
    memory_free(spent);
    return done;
}

/* Wordings that were mended since it began are kept as they are asked from now on. */
static bool sitting_keep_texts(struct sitting *sitting, struct error *error)
{
    struct texts texts;
    bool done = texts_init(&texts, sitting) || error_memory(error);
    done = done && store_add_session(sitting->store, &sitting->record, texts.items, texts.count, NULL, error);
    texts_finish(&texts);
    return done;
}

bool sitting_resume(struct sitting *sitting, const struct sitting_open *open, struct error *error)
{
    struct exam_log log;
    bool mended = false;
    sitting_end(sitting);
    if (!store_hold_session(sitting->store, &open->session, error))
        return false;
    bool done = exam_log_read(&log, sitting->store, &sitting->clock, &open->session, error);
    if (done) {
        sitting_adopt(sitting, &log, &open->session);
        done =
            sitting_replay(sitting, &log, &mended, error) && (!mended || sitting_keep_texts(sitting, error));
    }
    if (done) {
        int64_t steady = clock_steady(&sitting->clock);
        sitting->time = log.time;
        sitting->allowance = log.allowance;
        sitting->certainty = log.certainty;
        sitting->pass = log.pass;
        sitting->handed_in = log.handed_in;
        sitting->begun = sitting->resumed = true;
        /* in another boot: from here on its steady clock counts */
        exam_anchor(&sitting->time, exam_elapsed(&log.time, clock_wall(&sitting->clock), steady), steady);
    } else {
        store_release_session(sitting->store, &open->session);
    }
    exam_log_finish(&log);
    return done;
}
