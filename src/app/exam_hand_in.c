/* Handing an exam in, from its log alone: by the one who sits at it, or by whoever comes past its deadline.
 */
#include "exam_log.h"

#include <quiztutor/json.h>

#include <stdio.h>
#include <string.h>

enum { TRIES = 100, OVERDUE_MOST = 1000 };

/* When an exam that nobody handed in was over, as a moment of the wall clock: at its deadline, but neither
 * before its last answer nor in a time to come. */
static int64_t over_at(const struct exam_log *log, int64_t now, bool by_time)
{
    int64_t over = log->started_at + log->time.limit_ms;
    if (!by_time || over > now)
        over = now;
    return over > log->last_at ? over : log->last_at;
}

static void make_attempt(struct store_attempt *attempt, const struct exam_log *log,
                         const struct exam_log_question *question, const struct clock *clock, int64_t now,
                         int64_t over)
{
    bool given = question->answered && question->response;
    *attempt = (struct store_attempt){
        .pack_id = question->pack,
        .question_id = question->question,
        .revision = question->revision,
        .content = question->content,
        .body = "{}", /* kept since the exam began */
        .seed = question->seed,
        .showing = 1,
        .shown = question->shown,
        .response = given ? question->response : NULL,
        .verdict = { .outcome = given ? question->outcome : OUTCOME_OMITTED,
                     .share = given ? question->share : 0,
                     .mark = given ? question->mark : 0,
                     .marks = question->marks },
        .certainty = given ? question->certainty : 0,
        .elapsed_ms = question->answered ? question->spent_ms : -1,
        .answered_at = question->answered ? question->at : over,
        .utc_offset_s = question->answered ? question->utc_offset_s : clock_offset(clock, over),
        .origin = log->origin,
    };
    uuid_make(&attempt->id, now);
}

/* {"elapsed":ms,"time_up":false} */
static void write_body(struct buffer *out, int64_t elapsed, bool by_time)
{
    struct json json;
    json_init(&json, out);
    json_open(&json, '{');
    json_key(&json, "elapsed");
    json_integer(&json, elapsed);
    json_key(&json, "time_up");
    json_bool(&json, by_time);
    json_close(&json, '}');
}

static bool hand_in(const struct exam_log *log, struct store *store, const struct clock *clock,
                    struct store_session *record, bool by_time, struct error *error)
{
    int64_t now = clock_wall(clock), over = over_at(log, now, by_time);
    int64_t elapsed = exam_elapsed(&log->time, now, clock_steady(clock));
    struct store_attempt *attempts = memory_alloc((log->count + 1) * (ptrdiff_t)sizeof *attempts);
    struct buffer body;
    buffer_init(&body);
    bool done = attempts != NULL || error_memory(error);
    for (int i = 0; done && i < log->count; i++)
        make_attempt(&attempts[i], log, &log->questions[i], clock, now, over);
    if (log->time.limit_ms && elapsed > log->time.limit_ms)
        elapsed = log->time.limit_ms;
    write_body(&body, elapsed, by_time);
    done = done && (!body.failed || error_memory(error));
    if (done) {
        struct store_event event = { .kind = "handed-in",
                                     .body = buffer_get(&body),
                                     .at = now,
                                     .utc_offset_s = clock_offset(clock, now) };
        uuid_make(&event.id, now);
        done = store_hand_in(store, record, attempts, log->count, &event, log->last_seq, NULL, error);
    }
    buffer_finish(&body);
    memory_free(attempts);
    return done;
}

bool exam_log_hand_in(struct store *store, const struct clock *clock, struct store_session *record,
                      bool by_time, struct error *error)
{
    struct error why = { .code = ERROR_BUSY };
    bool done = false;
    for (int i = 0; !done && why.code == ERROR_BUSY && i < TRIES; i++) { /* it is still answered elsewhere */
        struct exam_log log;
        why.code = ERROR_NONE;
        done = exam_log_read(&log, store, clock, &record->id, &why) &&
               (log.handed_in || hand_in(&log, store, clock, record, by_time, &why));
        exam_log_finish(&log);
    }
    if (!done && error)
        *error = why;
    return done;
}

/* The exams that are open, as they were when we looked. */
struct open_exam {
    struct uuid session, learner;
    char name[300];
    int64_t started_at;
    int utc_offset_s;
};
struct open_exams {
    struct open_exam *items;
    ptrdiff_t count, capacity;
};

static bool read_open(struct store *store, struct open_exams *exams, struct error *error)
{
    struct store_value anybody = store_value_null();
    struct rows *rows;
    if (!rows_open(&rows, store, QUERY_EXAMS, &anybody, 1, error))
        return false;
    int step = 0;
    while (exams->count < OVERDUE_MOST && (step = rows_step(rows, error)) == 1) {
        const char *options = rows_text(rows, 3), *name = rows_text(rows, 2);
        if (!options || exam_log_number(store, options, "$.minutes", 0) <= 0)
            continue; /* without a limit it stays open */
        if (!memory_grow(&exams->items, &exams->capacity, exams->count + 1, sizeof *exams->items)) {
            error_memory(error);
            step = -1;
            break;
        }
        struct open_exam *exam = &exams->items[exams->count++];
        *exam = (struct open_exam){ .started_at = rows_integer(rows, 4),
                                    .utc_offset_s = (int)rows_integer(rows, 5) };
        snprintf(exam->name, sizeof exam->name, "%s", name ? name : "");
        rows_uuid(rows, 0, &exam->session);
        rows_uuid(rows, 1, &exam->learner);
    }
    rows_close(rows);
    return step >= 0;
}

/* Hands one in if its time is up. */
static bool settle(struct store *store, const struct clock *clock, const struct open_exam *exam,
                   bool *was_due, struct error *error)
{
    struct exam_log log;
    bool done = exam_log_read(&log, store, clock, &exam->session, error);
    *was_due = done && !log.handed_in && exam_left(&log.time, clock_wall(clock), clock_steady(clock)) == 0;
    if (*was_due) {
        struct store_session record = {
            .id = exam->session,
            .learner = { .id = exam->learner, .name = exam->name },
            .kind = "exam",
            .origin = log.origin,
            .seed = log.seed,
            .options = "{}",
            .plan = "[]", /* stored already, never written again */
            .started_at = exam->started_at,
            .utc_offset_s = exam->utc_offset_s,
        };
        done = exam_log_hand_in(store, clock, &record, true, error);
    }
    exam_log_finish(&log);
    return done;
}

bool sitting_hand_in_overdue(struct store *store, struct clock clock, struct sitting_overdue *overdue,
                             struct error *error)
{
    struct open_exams exams = { 0 };
    overdue->count = 0;
    bool done = read_open(store, &exams, error);
    for (ptrdiff_t i = 0; done && i < exams.count; i++) {
        bool was_due;
        done = settle(store, &clock, &exams.items[i], &was_due, error);
        if (!done || !was_due)
            continue;
        if (overdue->count < SITTING_TOLD) {
            snprintf(overdue->told[overdue->count].learner, sizeof overdue->told[0].learner, "%s",
                     exams.items[i].name);
            overdue->told[overdue->count].started_at = exams.items[i].started_at;
            overdue->told[overdue->count].utc_offset_s = exams.items[i].utc_offset_s;
        }
        overdue->count++;
    }
    memory_free(exams.items);
    return done;
}
