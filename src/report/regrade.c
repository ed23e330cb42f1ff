#include "response_words.h"

#include <quiztutor/body.h>
#include <quiztutor/json.h>
#include <quiztutor/message.h>
#include <quiztutor/regrade.h>
#include <quiztutor/response.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The planning under way. */
struct planning {
    struct regrade *regrade;
    struct store *store;
    struct arena arena;              /* of one attempt: its question then and today, its answer */
    const struct question *question; /* of the options; NULL: all */
    struct answer accepted;
    char accepted_text[PACK_RESPONSE + 1];
};

/* ---- the answer that is to be accepted ---- */

/* The text of a choice, else what a learner would type under the author's order. */
static bool read_accepted(struct planning *planning, struct error *error)
{
    const struct regrade_options *options = &planning->regrade->options;
    const struct question *question = planning->question;
    bool choices = question->type == QUESTION_SINGLE_CHOICE || question->type == QUESTION_MULTIPLE_CHOICE;
    for (int i = 0; choices && i < question->key.choices.count; i++)
        if (text_same(question->key.choices.items[i].text, options->accept)) {
            planning->accepted.picks = 1u << i;
            return true;
        }
    struct showing showing;
    struct response response;
    if (!showing_init(&showing, options->pack, question, 1, &planning->arena))
        return error_memory(error);
    for (int i = 0; i < showing.count; i++) /* numbers are those of the author, also where seed 1 shuffles */
        showing.places[i] = (unsigned char)i;
    for (int i = 0; i < showing.target_count; i++)
        showing.targets[i] = (unsigned char)i;
    response_read(&response, &showing, options->accept, (ptrdiff_t)strlen(options->accept));
    if (choices && response.kind != RESPONSE_ANSWER &&
        strspn(options->accept, "0123456789, ") != strlen(options->accept))
        return error_set(error, ERROR_INPUT,
                         tr("%s has no choice \"%s\": give its whole text, or its number from 1 to %d"),
                         question->id, options->accept, question->key.choices.count);
    if (response.kind != RESPONSE_ANSWER)
        return error_set(error, ERROR_INPUT, tr("%s can't be the answer to %s: %s"), options->accept,
                         question->id,
                         response.kind == RESPONSE_UNREADABLE ? response.reason : tr("it is no answer"));
    planning->accepted = response.answer;
    if (response.answer.text) {
        memcpy(planning->accepted_text, response.answer.text, strlen(response.answer.text) + 1);
        planning->accepted.text = planning->accepted_text;
    }
    return true;
}

/* Whether the answer is the accepted one: typed ones by the question's own way of comparing. */
static bool is_accepted(const struct planning *planning, const struct question *today,
                        const struct answer *answer)
{
    const struct answer *accepted = &planning->accepted;
    struct question only = *today;
    struct verdict verdict;
    struct number number;
    if (answer->blank)
        return false;
    switch (today->type) {
    case QUESTION_TRUE_FALSE:
        return answer->truth == accepted->truth;
    case QUESTION_RECALL:
        return answer->self_grade == accepted->self_grade;
    case QUESTION_ORDER:
        return memcmp(answer->places, accepted->places, (size_t)today->key.order.count) == 0;
    case QUESTION_MATCH:
        return memcmp(answer->places, accepted->places, (size_t)today->key.match.lefts.count) == 0;
    case QUESTION_TEXT:
        only.key.text.accept = (struct text_list){ &accepted->text, 1 };
        only.key.text.wrong_count = 0;
        break;
    case QUESTION_NUMBER:
        if (response_number(&number, today, accepted->text, (ptrdiff_t)strlen(accepted->text)) != NUMBER_FINE)
            return false;
        only.key.number.value = number.value;
        only.key.number.wrong_count = 0;
        break;
    default:
        return answer->picks == accepted->picks;
    }
    marking_mark(&verdict, &only, answer);
    return verdict.outcome == OUTCOME_RIGHT;
}

/* ---- one attempt ---- */

struct attempt {
    struct rows *rows;
    const char *graded; /* the newest grading's kind, or NULL */
    struct verdict before;
};

static bool same_verdict(const struct verdict *one, const struct verdict *other)
{
    return one->outcome == other->outcome && fabs(one->mark - other->mark) < 1e-9 &&
           fabs(one->marks - other->marks) < 1e-9;
}

static const char *keep(struct regrade *regrade, const char *text)
{
    return arena_text(&regrade->arena, text ? text : "", (ptrdiff_t)strlen(text ? text : ""));
}

static bool add_change(struct planning *planning, const struct attempt *attempt, const struct verdict *after,
                       const struct question *then, const struct answer *given)
{
    struct regrade *regrade = planning->regrade;
    struct buffer words;
    if (!memory_grow(&regrade->changes, &regrade->capacity, regrade->count + 1, sizeof *regrade->changes))
        return false;
    struct regrade_change *change = &regrade->changes[regrade->count];
    *change = (struct regrade_change){
        .name = keep(regrade, rows_text(attempt->rows, ATTEMPT_NAME)),
        .question = keep(regrade, rows_text(attempt->rows, ATTEMPT_QUESTION)),
        .answered_at = rows_integer(attempt->rows, ATTEMPT_ANSWERED_AT),
        .utc_offset_s = (int)rows_integer(attempt->rows, ATTEMPT_UTC_OFFSET_S),
        .before = attempt->before,
        .after = *after,
        .void_before = attempt->graded && strcmp(attempt->graded, "voided") == 0,
        .void_after = regrade->options.what == REGRADE_VOID,
    };
    rows_uuid(attempt->rows, ATTEMPT_ID, &change->attempt);
    rows_uuid(attempt->rows, ATTEMPT_LEARNER, &change->learner);
    buffer_init(&words);
    if (then && given)
        response_words(&words, then, given);
    change->response = words.failed ? NULL : keep(regrade, buffer_get(&words));
    buffer_finish(&words);
    const struct regrade_change *last = regrade->count ? change - 1 : NULL;
    regrade->learners += !last || memcmp(&last->learner, &change->learner, sizeof change->learner) != 0;
    regrade->count++;
    return change->name && change->question && change->response;
}

/* The question as it was asked, from the store. False without it, or memory; *failed tells which. */
static bool read_then(struct planning *planning, struct rows *attempt, struct question *then, bool *failed,
                      struct error *error)
{
    struct hash content;
    struct rows *rows;
    bool is = false;
    rows_hash(attempt, ATTEMPT_CONTENT, &content);
    struct store_value parameter = { .type = VALUE_BLOB,
                                     .data = content.bytes,
                                     .length = sizeof content.bytes };
    *failed = !rows_open(&rows, planning->store, QUERY_TEXT, &parameter, 1, error);
    if (*failed)
        return false;
    int step = rows_step(rows, error);
    const char *body = step == 1 ? rows_text(rows, 3) : NULL;
    *failed = step < 0 || (body && !body_read(then, body, &planning->arena, &is) && !error_memory(error));
    rows_close(rows);
    return !*failed && is;
}

/* What the answer is worth now. False: it can't be told; counted why. */
static bool mark_anew(struct planning *planning, struct rows *rows, const struct question *question,
                      const struct question *then, const struct answer *given, struct verdict *after,
                      bool *failed, struct error *error)
{
    struct regrade *regrade = planning->regrade;
    struct showing showing;
    struct answer now;
    *failed = false;
    if (!showing_init(&showing, regrade->options.pack, question, (uint32_t)rows_integer(rows, ATTEMPT_SEED),
                      &planning->arena)) {
        *failed = true;
        return error_memory(error);
    }
    if (!regrade_answer(&now, showing.question, then, given)) {
        regrade->gone++;
        return false;
    }
    marking_mark(after, showing.question, &now);
    if (regrade->options.what == REGRADE_ACCEPT) {
        if (!is_accepted(planning, showing.question, &now))
            return false;
        *after = (struct verdict){ OUTCOME_RIGHT, 1, question->marks, question->marks };
    }
    return true;
}

/* Looks at one attempt of today's pack. False on an error. */
static bool look_at(struct planning *planning, struct rows *rows, const struct question *question,
                    struct error *error)
{
    struct regrade *regrade = planning->regrade;
    struct attempt attempt = { .rows = rows, .graded = rows_text(rows, ATTEMPT_GRADED) };
    struct verdict after = { 0 };
    struct question then;
    struct answer given = { .blank = true };
    bool failed = false, voids = regrade->options.what == REGRADE_VOID;
    const char *response = rows_text(rows, ATTEMPT_RESPONSE);
    if (!outcome_read(&attempt.before.outcome, rows_text(rows, ATTEMPT_OUTCOME)))
        return true;
    attempt.before.mark = rows_real(rows, ATTEMPT_MARK);
    attempt.before.marks = rows_real(rows, ATTEMPT_MARKS);
    bool was_void = attempt.graded && strcmp(attempt.graded, "voided") == 0;
    bool was_accepted = attempt.graded && strcmp(attempt.graded, "accepted") == 0;
    if ((was_void && !voids) || (was_accepted && regrade->options.what == REGRADE_KEY))
        return true; /* a tutor's word on this answer stands */
    bool known = read_then(planning, rows, &then, &failed, error);
    if (failed)
        return false;
    bool omitted = !response && attempt.before.outcome == OUTCOME_OMITTED;
    if (known && response && !answer_read(&given, then.type, response, &planning->arena))
        return error_memory(error);
    if (voids)
        return was_void || add_change(planning, &attempt, &attempt.before, known ? &then : NULL, &given) ||
               error_memory(error);
    if (!omitted && (!known || !response)) {
        regrade->unknown++;
        return true;
    }
    if (omitted) {
        if (regrade->options.what == REGRADE_ACCEPT)
            return true;
        after = (struct verdict){ OUTCOME_OMITTED, 0, 0, question->marks };
    } else if (!mark_anew(planning, rows, question, &then, &given, &after, &failed, error)) {
        return !failed;
    }
    if (same_verdict(&attempt.before, &after))
        return true;
    return add_change(planning, &attempt, &after, known ? &then : NULL, &given) || error_memory(error);
}

bool regrade_plan(struct regrade *regrade, struct store *store, const struct regrade_options *options,
                  struct error *error)
{
    *regrade = (struct regrade){ .options = *options };
    struct planning planning = { .regrade = regrade, .store = store };
    struct store_value parameters[] = { store_value_text(options->pack->id),
                                        store_value_null(),
                                        store_value_null(),
                                        store_value_null(),
                                        store_value_null(),
                                        store_value_null(),
                                        store_value_null() };
    struct rows *rows = NULL;
    bool done = false;
    if (options->question) {
        int place = pack_find(options->pack, options->question);
        if (place < 0)
            return error_set(error, ERROR_NOT_FOUND, tr("the pack has no question \"%s\""),
                             options->question);
        planning.question = &options->pack->questions[place];
    }
    if (options->what == REGRADE_ACCEPT && !read_accepted(&planning, error))
        goto out;
    if (!rows_open(&rows, store, QUERY_ATTEMPTS, parameters, 7, error))
        goto out;
    int step;
    while ((step = rows_step(rows, error)) == 1) {
        const char *id = rows_text(rows, ATTEMPT_QUESTION);
        int place = id ? pack_find(options->pack, id) : -1;
        const struct question *question = place < 0 ? NULL : &options->pack->questions[place];
        if (!question || (planning.question && question != planning.question))
            continue;
        regrade->looked_at++;
        bool looked = look_at(&planning, rows, question, error);
        arena_finish(&planning.arena);
        if (!looked)
            goto out;
    }
    done = step == 0;
out:
    if (rows)
        rows_close(rows);
    arena_finish(&planning.arena);
    return done;
}

void regrade_finish(struct regrade *regrade)
{
    memory_free(regrade->changes);
    arena_finish(&regrade->arena);
    *regrade = (struct regrade){ 0 };
}

/* ---- storing ---- */

static void write_body(struct buffer *out, const struct regrade_change *change, const char *reason,
                       const char *by)
{
    struct json json;
    json_init(&json, out);
    json_open(&json, '{');
    json_key(&json, "outcome");
    json_text(&json, outcome_name(change->after.outcome));
    json_key(&json, "mark");
    json_number(&json, change->after.mark);
    json_key(&json, "marks");
    json_number(&json, change->after.marks);
    json_key(&json, "reason");
    json_text(&json, reason);
    json_key(&json, "by");
    json_text(&json, by);
    json_close(&json, '}');
}

/* Its body in `arena`. */
static bool make_event(struct store_event *event, const struct regrade_change *change, const char *kind,
                       int64_t now, int utc_offset_s, const char *reason, const char *by, struct arena *arena)
{
    struct buffer body;
    buffer_init(&body);
    write_body(&body, change, reason, by);
    *event = (struct store_event){ .kind = kind,
                                   .attempt_id = change->attempt,
                                   .body = arena_text(arena, buffer_get(&body), body.length),
                                   .at = now,
                                   .utc_offset_s = utc_offset_s };
    uuid_make(&event->id, now);
    bool made = event->body && !body.failed;
    buffer_finish(&body);
    return made;
}

bool regrade_apply(const struct regrade *regrade, struct store *store, const struct clock *clock,
                   const char *reason, const char *by, struct error *error)
{
    static const char *const kinds[] = {
        [REGRADE_KEY] = "regraded", [REGRADE_VOID] = "voided", [REGRADE_ACCEPT] = "accepted"
    };
    const char *kind = kinds[regrade->options.what];
    int64_t now = clock_wall(clock);
    int utc_offset_s = clock_offset(clock, now);
    struct store_event *events = memory_alloc(regrade->count * (ptrdiff_t)sizeof *events);
    struct arena arena;
    arena_init(&arena);
    bool made = events;
    for (ptrdiff_t i = 0; made && i < regrade->count; i++)
        made = make_event(&events[i], &regrade->changes[i], kind, now, utc_offset_s, reason, by, &arena);
    bool stored = made ? store_add_events(store, events, regrade->count, error) : error_memory(error);
    arena_finish(&arena);
    memory_free(events);
    return stored;
}
