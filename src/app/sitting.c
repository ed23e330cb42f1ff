#include <quiztutor/sitting.h>

#include "exam_log.h"
#include "sitting_private.h"

#include <quiztutor/grade.h>
#include <quiztutor/json.h>
#include <quiztutor/message.h>

#include <string.h>

bool sitting_init(struct sitting *sitting, struct store *store, struct clock clock,
                  const struct practice_options *options, double minutes, struct error *error)
{
    struct practice who; /* finds the learner as a practice does */
    memset(sitting, 0, sizeof *sitting);
    arena_init(&sitting->arena);
    buffer_init(&sitting->pending.body);
    sitting->options = *options;
    sitting->minutes = minutes;
    sitting->certainty = options->certainty;
    sitting->clock = clock;
    sitting->shown_entry = -1;
    bool done = practice_init(&who, store, clock, options, error);
    if (done) {
        struct store_learner *learner = &sitting->record.learner;
        *learner = who.record.learner;
        sitting->store = store;
        sitting->learner_known = who.learner_known;
        learner->name = arena_text(&sitting->arena, learner->name, (ptrdiff_t)strlen(learner->name));
        if (learner->login)
            learner->login = arena_text(&sitting->arena, learner->login, (ptrdiff_t)strlen(learner->login));
        done = (learner->name && (learner->login || !who.record.learner.login)) || error_memory(error);
    }
    practice_finish(&who);
    return done;
}

void sitting_end(struct sitting *sitting)
{
    if (sitting->begun)
        store_release_session(sitting->store, &sitting->record.id);
    sitting_abandon(sitting);
    exam_finish(&sitting->exam);
    memory_free(sitting->showings);
    arena_finish(&sitting->showings_arena);
    memory_free(sitting->results);
    memory_free(sitting->spent);
    sitting->showings = NULL;
    sitting->results = NULL;
    sitting->spent = NULL;
    sitting->begun = sitting->resumed = sitting->handed_in = sitting->time_up = false;
    sitting->left_out = 0;
    sitting->gone = (struct sitting_gone){ 0 };
    sitting->used_ms = 0;
    sitting->pass = 0;
    sitting->shown_entry = -1;
    sitting->time = (struct exam_time){ 0 };
    sitting->allowance = (struct sitting_allowance){ 0 };
}

void sitting_finish(struct sitting *sitting)
{
    sitting_end(sitting);
    arena_finish(&sitting->arena);
    memset(sitting, 0, sizeof *sitting);
}

int64_t sitting_left(const struct sitting *sitting)
{
    return exam_left(&sitting->time, clock_wall(&sitting->clock), clock_steady(&sitting->clock));
}

/* The time that a question was on show goes to it, once it is left. */
static void sitting_clock_out(struct sitting *sitting)
{
    int64_t now = clock_steady(&sitting->clock);
    if (sitting->shown_entry >= 0)
        sitting->spent[sitting->shown_entry] += now - sitting->shown_at;
    sitting->shown_at = now;
}

void sitting_showing(const struct sitting *sitting, int entry, struct showing *showing)
{
    *showing = sitting->showings[entry];
}

bool sitting_current(struct sitting *sitting, struct showing *showing)
{
    int current = sitting->exam.current;
    if (sitting->shown_entry != current) {
        sitting_clock_out(sitting);
        sitting->shown_entry = current;
    }
    if (current < 0)
        return false;
    sitting_showing(sitting, current, showing);
    return true;
}

void sitting_show(struct sitting *sitting, int entry)
{
    exam_show(&sitting->exam, entry);
}

void sitting_skip(struct sitting *sitting)
{
    exam_show(&sitting->exam, exam_next_open(&sitting->exam, sitting->exam.current));
}

void sitting_abandon(struct sitting *sitting)
{
    buffer_finish(&sitting->pending.body);
    buffer_finish(&sitting->pending.typed);
    memset(&sitting->pending, 0, sizeof sitting->pending);
}

/* The body is written: an event of now is pending. */
static bool sitting_record(struct sitting *sitting, enum sitting_turn turn, const char *kind, int entry,
                           int64_t now, struct error *error)
{
    struct sitting_pending *pending = &sitting->pending;
    if (pending->body.failed || pending->typed.failed) {
        sitting_abandon(sitting);
        return error_memory(error);
    }
    uuid_make(&pending->event.id, now);
    pending->event.kind = kind;
    pending->event.body = buffer_get(&pending->body);
    pending->event.at = now;
    pending->event.utc_offset_s = clock_offset(&sitting->clock, now);
    pending->turn = turn;
    pending->entry = entry;
    return true;
}

/* The stored turn is taken: memory follows the disk. */
static bool sitting_take(struct sitting *sitting, struct error *error)
{
    struct sitting_pending *pending = &sitting->pending;
    if (pending->turn == SITTING_ANSWER) {
        sitting->time.last_elapsed = pending->elapsed_ms;
        if (!exam_answer(&sitting->exam, pending->entry, &pending->answer, pending->certainty,
                         pending->elapsed_ms))
            return error_memory(error); /* stored already: a retry finds it there and takes it again */
    } else if (pending->turn == SITTING_FLAG) {
        exam_flag(&sitting->exam, pending->entry, pending->on);
    }
    sitting_abandon(sitting);
    return true;
}

bool sitting_retry(struct sitting *sitting, struct error *error)
{
    if (sitting->pending.turn == SITTING_NONE)
        return true;
    struct error why;
    if (store_add_event(sitting->store, &sitting->record, &sitting->pending.event, NULL, &why))
        return sitting_take(sitting, error);
    if (why.code == ERROR_INPUT)
        sitting_refresh(sitting, NULL); /* refused: it was handed in elsewhere */
    if (error)
        *error = why;
    return false;
}

bool sitting_answer(struct sitting *sitting, const struct answer *answer, int certainty, struct error *error)
{
    struct sitting_pending *pending = &sitting->pending;
    struct showing showing;
    struct verdict verdict;
    struct hash content;
    if (!sitting_current(sitting, &showing))
        return true;
    if (sitting_is_over(sitting))
        return error_set(error, ERROR_INPUT, "%s", tr("the time is up: this answer came too late"));
    int entry = sitting->exam.current;
    int64_t now = clock_wall(&sitting->clock), steady = clock_steady(&sitting->clock);
    int64_t elapsed = exam_elapsed(&sitting->time, now, steady);
    sitting_abandon(sitting);
    if (!question_content(showing.question, &content))
        return error_memory(error);
    marking_mark(&verdict, showing.question, answer);
    sitting_clock_out(sitting);
    struct exam_log_event event = {
        .pack = sitting->exam.entries[entry].pack->id,
        .showing = &showing,
        .answer = answer,
        .verdict = &verdict,
        .content = &content,
        .certainty = answer->blank ? 0 : certainty,
        .elapsed_ms = elapsed,
        .spent_ms = sitting->spent[entry],
        .utc_offset_s = clock_offset(&sitting->clock, now),
        .steady = steady,
    };
    event.has_boot = clock_boot(&sitting->clock, &event.boot);
    exam_log_write(&pending->body, &event);
    pending->answer = *answer;
    if (answer->text) {
        buffer_text(&pending->typed, answer->text);
        pending->answer.text = buffer_get(&pending->typed);
    }
    pending->certainty = event.certainty;
    pending->elapsed_ms = elapsed;
    return sitting_record(sitting, SITTING_ANSWER, "answered", entry, now, error) &&
           sitting_retry(sitting, error);
}

/* {"question":["tour","select"], … */
static void sitting_open_body(struct sitting *sitting, int entry, struct json *json)
{
    const struct exam_entry *about = &sitting->exam.entries[entry];
    sitting_abandon(sitting);
    json_init(json, &sitting->pending.body);
    json_open(json, '{');
    json_key(json, "question");
    json_open(json, '[');
    json_text(json, about->pack->id);
    json_text(json, about->question->id);
    json_close(json, ']');
}

bool sitting_flag(struct sitting *sitting, int entry, struct error *error)
{
    struct json json;
    bool on = !sitting->exam.entries[entry].flagged;
    sitting_open_body(sitting, entry, &json);
    json_key(&json, "on");
    json_bool(&json, on);
    json_close(&json, '}');
    sitting->pending.on = on;
    return sitting_record(sitting, SITTING_FLAG, "flagged", entry, clock_wall(&sitting->clock), error) &&
           sitting_retry(sitting, error);
}

bool sitting_report(struct sitting *sitting, int entry, const char *text, struct error *error)
{
    struct json json;
    sitting_open_body(sitting, entry, &json);
    json_key(&json, "showing");
    json_integer(&json, 1);
    json_key(&json, "text");
    json_text(&json, text ? text : "");
    json_close(&json, '}');
    return sitting_record(sitting, SITTING_NOTE, "reported", entry, clock_wall(&sitting->clock), error) &&
           sitting_retry(sitting, error);
}

bool sitting_refresh(struct sitting *sitting, struct error *error)
{
    struct store_value learner = store_value_uuid(&sitting->record.learner.id);
    struct rows *rows;
    bool found = false;
    int step = 0;
    if (sitting->handed_in)
        return true;
    if (!rows_open(&rows, sitting->store, QUERY_EXAMS, &learner, 1, error))
        return false;
    while (!found && (step = rows_step(rows, error)) == 1) {
        struct uuid session;
        rows_uuid(rows, 0, &session);
        found = uuid_equal(&session, &sitting->record.id);
        if (found)
            sitting->allowance.extended = rows_real(rows, 10);
    }
    rows_close(rows);
    if (step < 0)
        return false;
    sitting->handed_in = !found; /* elsewhere */
    sitting->time.limit_ms =
        exam_limit(sitting->allowance.minutes, sitting->allowance.factor, sitting->allowance.extended);
    return true;
}

enum { FOLLOW_MS = 5000 };

void sitting_follow(struct sitting *sitting)
{
    int64_t now = clock_steady(&sitting->clock);
    if (!sitting->begun || (sitting->followed_at && now - sitting->followed_at < FOLLOW_MS))
        return;
    sitting->followed_at = now;
    sitting_refresh(sitting, NULL);
}

bool sitting_is_over(struct sitting *sitting)
{
    if (!sitting->begun || sitting->handed_in)
        return sitting->handed_in;
    if (sitting_left(sitting) != 0)
        return false;
    sitting_refresh(sitting, NULL); /* where it can't be read, what is known counts */
    return sitting->handed_in || sitting_left(sitting) == 0;
}

/* A question of the log that has no entry any more. */
static void sitting_add_gone(struct sitting_gone *gone, const struct exam_log_question *question)
{
    gone->count++;
    gone->outcomes[question->outcome]++;
    gone->mark += question->mark;
    gone->marks += question->marks;
    gone->sure += question->certainty > 0;
    gone->certainty_marks += grade_certainty_mark(question->outcome, question->share, question->certainty);
}

static bool is_of(const struct exam_log_question *question, const struct exam_entry *entry)
{
    return strcmp(question->question, entry->question->id) == 0 &&
           strcmp(question->pack, entry->pack->id) == 0;
}

/* What the log says of each entry now. */
static bool sitting_read_results(struct sitting *sitting, struct error *error)
{
    struct exam_log log;
    const struct exam *exam = &sitting->exam;
    bool done = exam_log_read(&log, sitting->store, &sitting->clock, &sitting->record.id, error);
    int place = 0;
    sitting->gone = (struct sitting_gone){ 0 };
    for (int i = 0; done && i < exam->count; i++) {
        const struct exam_entry *entry = &exam->entries[i];
        struct sitting_result *result = &sitting->results[i];
        while (place < log.count && !is_of(&log.questions[place], entry))
            sitting_add_gone(&sitting->gone, &log.questions[place++]); /* entries stand in the plan's order */
        if (place == log.count) {
            done = error_set(error, ERROR_NOT_FOUND, "%s", tr("the exam is not in the store"));
            break;
        }
        const struct exam_log_question *question = &log.questions[place++];
        *result = (struct sitting_result){
            .attempt = question->attempt,
            .verdict = { question->outcome, question->share, question->mark, question->marks },
            .certainty = question->certainty,
        };
        bool omitted = question->outcome == OUTCOME_OMITTED;
        if (!answer_read(&result->answer, entry->question->type, omitted ? NULL : question->response,
                         &sitting->arena)) {
            done = error_memory(error);
            break;
        }
    }
    while (done && place < log.count)
        sitting_add_gone(&sitting->gone, &log.questions[place++]);
    if (done) {
        int64_t now = clock_wall(&sitting->clock);
        int64_t elapsed = exam_elapsed(&sitting->time, now, clock_steady(&sitting->clock));
        sitting->over_at = now - (elapsed - sitting->time.limit_ms);
        sitting->used_ms = log.used_ms;
        sitting->time_up = log.by_time;
    }
    exam_log_finish(&log);
    return done;
}

bool sitting_hand_in(struct sitting *sitting, struct error *error)
{
    bool by_time = sitting_left(sitting) == 0;
    if (!sitting->handed_in && !sitting_retry(sitting, error)) {
        struct error ignored;
        if (!sitting_refresh(sitting, &ignored) || !sitting->handed_in)
            return false;
        sitting_abandon(sitting); /* handed in elsewhere in the meantime: this answer came too late */
    }
    if (!sitting->handed_in &&
        !exam_log_hand_in(sitting->store, &sitting->clock, &sitting->record, by_time, error))
        return false;
    sitting->handed_in = true;
    if (!sitting->results) {
        sitting->results = memory_zero((sitting->exam.count + 1) * (ptrdiff_t)sizeof *sitting->results);
        if (!sitting->results)
            return error_memory(error);
    }
    if (!sitting_read_results(sitting, error))
        return false;
    sitting->exam.handed_in = true;
    return true;
}
