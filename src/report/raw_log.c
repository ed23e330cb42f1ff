/* The report `attempts`: the log as it stands, a row at a time, those taken back too. */
#include "attempt_log.h"

#include <quiztutor/message.h>

#include <string.h>

enum raw_column {
    RAW_ATTEMPT,
    RAW_SESSION,
    RAW_LEARNER,
    RAW_LEARNER_ID,
    RAW_LOGIN,
    RAW_DEVICE,
    RAW_PACK,
    RAW_QUESTION,
    RAW_REVISION,
    RAW_CONTENT,
    RAW_SEED,
    RAW_SHOWING,
    RAW_SHOWN,
    RAW_RESPONSE,
    RAW_OUTCOME,
    RAW_MARK,
    RAW_MARKS,
    RAW_GRADED,
    RAW_CERTAINTY,
    RAW_HINTS,
    RAW_RETRIED,
    RAW_HELPED,
    RAW_ELAPSED,
    RAW_ANSWERED_AT,
    RAW_ORIGIN,
    RAW_KIND,
    RAW_SEQ,
    RAW_UNDONE,
    RAW_COLUMNS
};

/* Ids, and what only programs read, stand behind in text. */
static const struct report_column raw_columns[RAW_COLUMNS] = {
    [RAW_ATTEMPT] = { .name = "attempt", .title = N_("attempt"), .kind = CELL_TEXT, .rank = 20 },
    [RAW_SESSION] = { .name = "session", .title = N_("session"), .kind = CELL_TEXT, .rank = 21 },
    [RAW_LEARNER] = { .name = "learner", .title = N_("learner"), .kind = CELL_TEXT },
    [RAW_LEARNER_ID] = { .name = "learner_id", .title = N_("learner's id"), .kind = CELL_TEXT, .rank = 22 },
    [RAW_LOGIN] = { .name = "login", .title = N_("login"), .kind = CELL_TEXT, .rank = 10 },
    [RAW_DEVICE] = { .name = "device", .title = N_("device"), .kind = CELL_TEXT, .rank = 23 },
    [RAW_PACK] = { .name = "pack", .title = N_("pack"), .kind = CELL_TEXT, .rank = 4 },
    [RAW_QUESTION] = { .name = "question", .title = N_("question"), .kind = CELL_TEXT },
    [RAW_REVISION] = { .name = "revision", .title = N_("revision"), .kind = CELL_TEXT, .rank = 14 },
    [RAW_CONTENT] = { .name = "content", .title = N_("content"), .kind = CELL_TEXT, .rank = 24 },
    [RAW_SEED] = { .name = "seed", .title = N_("seed"), .kind = CELL_WHOLE, .rank = 17 },
    [RAW_SHOWING] = { .name = "showing", .title = N_("showing"), .kind = CELL_WHOLE, .rank = 13 },
    [RAW_SHOWN] = { .name = "shown", .title = N_("shown"), .kind = CELL_TEXT, .rank = 19 },
    [RAW_RESPONSE] = { .name = "response", .title = N_("response"), .kind = CELL_TEXT, .rank = 2 },
    [RAW_OUTCOME] = { .name = "outcome", .title = N_("outcome"), .kind = CELL_TEXT },
    [RAW_MARK] = { .name = "mark", .title = N_("mark"), .kind = CELL_REAL, .decimals = 2, .rank = 1 },
    [RAW_MARKS] = { .name = "marks", .title = N_("marks"), .kind = CELL_REAL, .decimals = 2, .rank = 5 },
    [RAW_GRADED] = { .name = "graded", .title = N_("graded"), .kind = CELL_TEXT, .rank = 8 },
    [RAW_CERTAINTY] = { .name = "certainty", .title = N_("certainty"), .kind = CELL_WHOLE, .rank = 9 },
    [RAW_HINTS] = { .name = "hints", .title = N_("hints"), .kind = CELL_WHOLE, .rank = 11 },
    [RAW_RETRIED] = { .name = "retried", .title = N_("retried"), .kind = CELL_TRUTH, .rank = 15 },
    [RAW_HELPED] = { .name = "helped", .title = N_("helped"), .kind = CELL_TRUTH, .rank = 16 },
    [RAW_ELAPSED] = { .name = "elapsed_ms",
                      .title = N_("time"),
                      .unit = "s",
                      .kind = CELL_SPAN,
                      .decimals = 1,
                      .rank = 3 },
    [RAW_ANSWERED_AT] = { .name = "answered_at", .title = N_("answered"), .kind = CELL_MOMENT, .rank = 1 },
    [RAW_ORIGIN] = { .name = "origin", .title = N_("origin"), .kind = CELL_TEXT, .rank = 12 },
    [RAW_KIND] = { .name = "kind", .title = N_("kind"), .kind = CELL_TEXT, .rank = 7 },
    [RAW_SEQ] = { .name = "seq", .title = N_("seq"), .kind = CELL_WHOLE, .rank = 18 },
    [RAW_UNDONE] = { .name = "undone", .title = N_("undone"), .kind = CELL_TRUTH, .rank = 6 },
};

enum { UUID_TEXT = 37, HASH_TEXT = 65, NOTE_ROOM = 512 };

struct raw_log {
    struct build *build;
    struct attempt_log log;
    char ids[4][UUID_TEXT], content[HASH_TEXT];
    struct places learners;
    struct build_made made;
    char *sum; /* the note that tells how many: right once all are read */
};

/* Notes stand behind the table, so this one may be written while the table is. */
static void write_sum(struct raw_log *raw)
{
    struct report room = { 0 }; /* the texts in between are not the report's to keep */
    struct build build = *raw->build;
    arena_init(&room.arena);
    build.report = &room;
    const char *sum = build_sum(&build, &raw->made);
    size_t length = strlen(sum);
    if (length < NOTE_ROOM)
        memcpy(raw->sum, sum, length + 1);
    arena_finish(&room.arena);
}

static struct report_cell id_cell(struct raw_log *raw, int at, const struct uuid *id)
{
    uuid_format(raw->ids[at], id);
    return build_text(raw->ids[at]);
}

static struct report_cell id_of(struct raw_log *raw, int at, struct rows *rows, int column)
{
    struct uuid id;
    rows_uuid(rows, column, &id);
    return id_cell(raw, at, &id);
}

static struct report_cell text_of(struct rows *rows, int column)
{
    return build_text(rows_text(rows, column));
}

static struct report_cell whole_of(struct rows *rows, int column)
{
    return rows_is_null(rows, column) ? build_nothing() : build_whole(rows_integer(rows, column));
}

static void fill(struct raw_log *raw, struct rows *rows, struct report_cell *cells)
{
    int offset = (int)rows_integer(rows, ATTEMPT_UTC_OFFSET_S);
    bool voided = rows_is_null(rows, ATTEMPT_MARK);
    struct hash content;
    rows_hash(rows, ATTEMPT_CONTENT, &content);
    hash_hex(raw->content, content.bytes, sizeof content.bytes);
    cells[RAW_ATTEMPT] = id_of(raw, 0, rows, ATTEMPT_ID);
    cells[RAW_SESSION] = id_of(raw, 1, rows, ATTEMPT_SESSION);
    cells[RAW_LEARNER] = text_of(rows, ATTEMPT_NAME);
    cells[RAW_LEARNER_ID] = id_of(raw, 2, rows, ATTEMPT_LEARNER);
    cells[RAW_LOGIN] = text_of(rows, ATTEMPT_LOGIN);
    cells[RAW_DEVICE] = id_of(raw, 3, rows, ATTEMPT_DEVICE);
    cells[RAW_PACK] = text_of(rows, ATTEMPT_PACK);
    cells[RAW_QUESTION] = text_of(rows, ATTEMPT_QUESTION);
    cells[RAW_REVISION] = text_of(rows, ATTEMPT_REVISION);
    cells[RAW_CONTENT] = rows_is_null(rows, ATTEMPT_CONTENT) ? build_nothing() : build_text(raw->content);
    cells[RAW_SEED] = whole_of(rows, ATTEMPT_SEED);
    cells[RAW_SHOWING] = whole_of(rows, ATTEMPT_SHOWING);
    cells[RAW_SHOWN] = text_of(rows, ATTEMPT_SHOWN);
    cells[RAW_RESPONSE] = text_of(rows, ATTEMPT_RESPONSE);
    cells[RAW_OUTCOME] = text_of(rows, ATTEMPT_OUTCOME);
    cells[RAW_MARK] = voided ? build_nothing() : build_real(rows_real(rows, ATTEMPT_MARK));
    cells[RAW_MARKS] = build_real(rows_real(rows, ATTEMPT_MARKS));
    cells[RAW_GRADED] = text_of(rows, ATTEMPT_GRADED);
    cells[RAW_CERTAINTY] = whole_of(rows, ATTEMPT_CERTAINTY);
    cells[RAW_HINTS] = whole_of(rows, ATTEMPT_HINTS);
    cells[RAW_RETRIED] = build_truth(rows_integer(rows, ATTEMPT_RETRIED) != 0);
    cells[RAW_HELPED] = build_truth(rows_integer(rows, ATTEMPT_HELPED) != 0);
    cells[RAW_ELAPSED] = rows_is_null(rows, ATTEMPT_ELAPSED_MS)
                             ? build_nothing()
                             : build_span(rows_integer(rows, ATTEMPT_ELAPSED_MS));
    cells[RAW_ANSWERED_AT] = build_moment(rows_integer(rows, ATTEMPT_ANSWERED_AT), offset);
    cells[RAW_ORIGIN] = text_of(rows, ATTEMPT_ORIGIN);
    cells[RAW_KIND] = text_of(rows, ATTEMPT_KIND);
    cells[RAW_SEQ] = whole_of(rows, ATTEMPT_SEQ);
    cells[RAW_UNDONE] = build_truth(attempt_log_undone(&raw->log, rows));
}

static int raw_next(void *context, struct report_cell *cells, struct error *error)
{
    struct raw_log *raw = context;
    struct rows *rows;
    struct uuid learner;
    int store;
    raw->build->error = error;
    int found = attempt_log_next(&raw->log, &rows, &store);
    if (found == 0)
        write_sum(raw);
    if (found <= 0)
        return found;
    fill(raw, rows, cells);
    rows_uuid(rows, ATTEMPT_LEARNER, &learner);
    if (raw->build->store_count > 1) { /* by whichever store's id they came first */
        const struct build_people *people = raw->build->people;
        const struct person *person = &people->persons[raw->log.person];
        cells[RAW_LEARNER] = build_text(person->name);
        cells[RAW_LOGIN] = build_text(person->login);
        for (int i = raw->build->store_count - 1; i >= 0; i--) {
            const struct uuid *id = &people->ids[(ptrdiff_t)raw->log.person * raw->build->store_count + i];
            learner = uuid_is_zero(id) ? learner : *id;
        }
        cells[RAW_LEARNER_ID] = id_cell(raw, 2, &learner);
    }
    if (places_add(&raw->learners, &learner, sizeof learner, NULL) < 0)
        return error_memory(error) - 1;
    raw->made.attempts++;
    raw->made.learners = raw->learners.count;
    build_made_day(&raw->made, attempt_log_day(&raw->log, rows));
    return 1;
}

static void raw_end(void *owned)
{
    struct raw_log *raw = owned;
    attempt_log_close(&raw->log);
    places_finish(&raw->learners);
    build_finish(raw->build);
    memory_free(raw);
}

bool build_attempts(struct build *build)
{
    struct raw_log *raw = memory_zero(sizeof *raw);
    if (!raw)
        return error_memory(build->error);
    raw->build = build;
    build_made_start(&raw->made);
    places_init(&raw->learners);
    attempt_log_open(&raw->log, build, QUERY_ATTEMPT_LOG, build->filter->pack);
    build->report->owned = raw;
    build->report->end = raw_end;
    build->report->title = tr("Attempts");
    struct report_table table = { .name = "attempts",
                                  .empty = tr("no attempts"),
                                  .columns = raw_columns,
                                  .column_count = RAW_COLUMNS,
                                  .row_count = -1,
                                  .next = raw_next,
                                  .context = raw };
    build_add_table(build, &table);
    raw->sum = build_room(build, NOTE_ROOM);
    build_note(
        build,
        tr("All attempts, each as it was given and as it is graded now; those taken back are marked."));
    if (raw->sum)
        build_note(build, raw->sum);
    build_note_filter(build);
    return true;
}
