#include "postgres_fold.h"

#include <stdlib.h>
#include <string.h>

enum { LEARNER, PACK, QUESTION, SEQ, SESSION, OUTCOME, CERTAINTY, HINTS, SHOWING, SEED, AT, OFFSET };
enum { REVISION = OFFSET + 1, CONTENT, RETRIED, RESPONSE, ELAPSED, MARK, MARKS, GRADED, GRADED_BODY };

enum { SUMS_BYTES = 4 << 20 }; /* gathered before they are written */

/* By learner as they are listed: within one the index has them in order, so that little is sorted. */
static const char answers_sql[] =
    "SELECT attempt.learner_id, attempt.pack_id, attempt.question_id, attempt.seq, attempt.session_id,"
    " attempt.outcome, attempt.certainty, attempt.hints, attempt.showing, attempt.seed, attempt.answered_at,"
    " attempt.utc_offset_s, attempt.revision, attempt.content, attempt.retried,"
    " CASE WHEN length(attempt.response) = 1 THEN attempt.response END, attempt.elapsed_ms, attempt.mark,"
    " attempt.marks, grading.kind, grading.body FROM unnest($2) WITH ORDINALITY AS who(learner, place)"
    " CROSS JOIN LATERAL (SELECT * FROM attempt WHERE attempt.school = $1 AND attempt.learner_id ="
    " who.learner OFFSET 0) AS attempt LEFT JOIN LATERAL (SELECT kind, body FROM event WHERE event.school ="
    " $1 AND event.attempt_id = attempt.attempt_id AND event.kind IN ('undone', 'regraded', 'voided',"
    " 'accepted') ORDER BY (event.kind = 'undone') DESC, event.seq DESC LIMIT 1) AS grading ON true"
    " ORDER BY who.place, attempt.pack_id COLLATE \"C\", attempt.question_id COLLATE \"C\", attempt.seq";

static bool put_pack(void *context, const struct uuid *learner, const char *pack,
                     const struct summary_sums *sums, int64_t sessions, const struct summary_span *span,
                     struct error *error)
{
    struct folding *folding = context;
    (void)learner; /* whose answers are being read */
    const char *kept = arena_text(&folding->arena, pack, (ptrdiff_t)strlen(pack));
    if (!kept || !memory_grow(&folding->packs, &folding->pack_capacity, folding->pack_count + 1,
                              sizeof *folding->packs))
        return error_memory(error);
    folding->packs[folding->pack_count++] = (struct folded_pack){ kept, *sums, *span, sessions };
    return true;
}

static bool put_day(void *context, const struct uuid *learner, const struct summary_day *day,
                    struct error *error)
{
    struct folding *folding = context;
    (void)error;
    postgres_sums_day(&folding->sums, learner, day);
    return true;
}

static const struct tally_sink sink = { put_pack, put_day };

bool postgres_folding_init(struct folding *folding, struct postgres_store *store, struct error *error)
{
    *folding = (struct folding){ .store = store, .parameters = fsrs_defaults };
    arena_init(&folding->arena);
    arena_init(&folding->marks_arena);
    tally_init(&folding->tally, &sink, folding);
    postgres_sums_init(&folding->sums);
    folding->texts = memory_zero(sizeof *folding->texts);
    if (!folding->texts)
        return error_memory(error);
    folding->texts->store = store;
    return true;
}

void postgres_folding_finish(struct folding *folding)
{
    postgres_sums_finish(&folding->sums);
    tally_finish(&folding->tally);
    ids_finish(&folding->undone);
    memory_free(folding->texts);
    memory_free(folding->questions);
    memory_free(folding->packs);
    memory_free(folding->moments);
    memory_free(folding->marks);
    arena_finish(&folding->arena);
    arena_finish(&folding->marks_arena);
}

/* ---- a learner's end ---- */

static int compare_moments(const void *one, const void *other)
{
    const struct folded_moment *a = one, *b = other;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return (a->seq > b->seq) - (a->seq < b->seq);
}

/* Of the answers at that moment the newest one's. */
static struct sums_offset offset_at(const struct folding *folding, int64_t at)
{
    ptrdiff_t low = 0, high = folding->moment_count; /* behind the last that is not later */
    while (low < high) {
        ptrdiff_t middle = low + (high - low) / 2;
        if (folding->moments[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    bool is = low > 0 && folding->moments[low - 1].at == at;
    return (struct sums_offset){ is, is ? folding->moments[low - 1].utc_offset_s : 0 };
}

/* "": in all packs. */
static int64_t regraded_in(const struct folding *folding, const char *pack)
{
    int64_t sum = 0;
    for (ptrdiff_t i = 0; i < folding->question_count; i++) {
        const struct folded *is = &folding->questions[i];
        if (is->regraded && (!*pack || strcmp(is->pack, pack) == 0))
            sum += is->regraded;
    }
    return sum;
}

static bool end_learner(struct folding *folding, struct error *error)
{
    static const struct sums_offset none;
    const struct uuid *learner = &folding->learner;
    if (!tally_end(&folding->tally, error))
        return false;
    if (folding->moment_count)
        qsort(folding->moments, (size_t)folding->moment_count, sizeof *folding->moments, compare_moments);
    for (ptrdiff_t i = 0; i < folding->question_count; i++) {
        const struct folded *is = &folding->questions[i];
        postgres_sums_question(&folding->sums, learner, is->pack, is->question, &is->fold,
                               is->fold.is.seen ? offset_at(folding, is->fold.summary.first_at) : none,
                               is->regraded);
    }
    for (ptrdiff_t i = 0; i < folding->pack_count; i++) {
        const struct folded_pack *is = &folding->packs[i];
        postgres_sums_pack(&folding->sums, learner, is->pack, &is->sums, is->sessions, &is->span,
                           offset_at(folding, is->span.first), offset_at(folding, is->span.last),
                           regraded_in(folding, is->pack));
    }
    folding->question_count = folding->pack_count = folding->moment_count = 0;
    arena_finish(&folding->arena);
    arena_init(&folding->arena);
    return true;
}

/* ---- a question ---- */

static bool end_question(struct folding *folding, struct error *error)
{
    struct fold *fold = &folding->fold;
    double guess;
    fold->summary.mastered = false;
    if (fold_may_be_mastered(fold)) {
        if (!postgres_texts_guess(folding->texts, &fold->is.content, &guess, error))
            return false;
        fold->summary.mastered = schedule_mastered(&fold->is.schedule, guess);
    }
    postgres_marks_take(folding, &folding->learner, folding->pack, folding->question, &fold->is);
    tally_add(&folding->tally, fold);
    if (!fold_is_kept(fold))
        return true;
    if (!memory_grow(&folding->questions, &folding->question_capacity, folding->question_count + 1,
                     sizeof *folding->questions))
        return error_memory(error);
    folding->questions[folding->question_count++] =
        (struct folded){ folding->pack, folding->question, *fold, folding->regraded };
    return true;
}

static bool begin_question(struct folding *folding, const struct uuid *learner, const char *pack,
                           const char *question, struct error *error)
{
    struct postgres_store *store = folding->store;
    folding->begun = true;
    folding->learner = *learner;
    folding->pack = arena_text(&folding->arena, pack, (ptrdiff_t)strlen(pack));
    folding->question = arena_text(&folding->arena, question, (ptrdiff_t)strlen(question));
    if (!folding->pack || !folding->question)
        return error_memory(error);
    memset(&folding->fold, 0, sizeof folding->fold);
    folding->undone.count = 0;
    folding->regraded = 0;
    folding->rules =
        (struct fold_rules){ folding->parameters, scheduling_retention(&store->base.scheduling, pack),
                             store->base.scheduling.day_starts };
    return tally_enter(&folding->tally, learner, pack, error);
}

/* Goes on to the question that the row is of. */
static bool enter(struct folding *folding, struct error *error)
{
    const struct postgres_rows *rows = folding->rows;
    const char *pack = postgres_text(rows, PACK), *question = postgres_text(rows, QUESTION);
    struct uuid learner;
    postgres_uuid(rows, LEARNER, &learner);
    bool same_learner = folding->begun && uuid_equal(&learner, &folding->learner);
    if (same_learner && strcmp(question, folding->question) == 0 && strcmp(pack, folding->pack) == 0)
        return true;
    if (folding->begun && !end_question(folding, error))
        return false;
    if (folding->begun && !same_learner && !end_learner(folding, error))
        return false;
    if (folding->sums.bytes > SUMS_BYTES && !same_learner &&
        !postgres_sums_write(&folding->sums, folding->store->postgres, folding->store->school, error))
        return false;
    return begin_question(folding, &learner, pack, question, error);
}

/* ---- an answer ---- */

static bool had_undone(const struct folding *folding, const struct uuid *session)
{
    for (ptrdiff_t i = 0; i < folding->undone.count; i++)
        if (uuid_equal(&folding->undone.items[i], session))
            return true;
    return false;
}

static const char *text_or_null(const struct postgres_rows *rows, int column)
{
    return postgres_is_null(rows, column) ? NULL : postgres_text(rows, column);
}

static bool read_grading(struct folding *folding, struct grading *graded, struct error *error)
{
    const struct postgres_rows *rows = folding->rows;
    const char *kind = text_or_null(rows, GRADED), *body = text_or_null(rows, GRADED_BODY);
    graded->voided = kind && strcmp(kind, "voided") == 0;
    graded->mark = postgres_real(rows, MARK);
    graded->marks = postgres_real(rows, MARKS);
    return !body || !json_valid(body) || json_reader_grading(&folding->store->reader, body, graded, error);
}

static bool read_answer(struct folding *folding, const struct uuid *session, struct fold_answer *answer,
                        struct error *error)
{
    const struct postgres_rows *rows = folding->rows;
    const char *outcome = postgres_text(rows, OUTCOME), *revision = postgres_text(rows, REVISION);
    ptrdiff_t length;
    const void *content = postgres_bytes(rows, CONTENT, &length);
    memset(answer, 0, sizeof *answer);
    outcome_read(&answer->outcome, outcome ? outcome : "");
    answer->seq = postgres_integer(rows, SEQ);
    answer->certainty = (int)postgres_integer(rows, CERTAINTY);
    answer->hints = (int)postgres_integer(rows, HINTS);
    answer->showing = (int)postgres_integer(rows, SHOWING);
    answer->helped = answer->showing > 1 && had_undone(folding, session);
    answer->retried = postgres_integer(rows, RETRIED) != 0;
    answer->self_grade = fold_self_grade(text_or_null(rows, RESPONSE));
    answer->seed = (uint32_t)postgres_integer(rows, SEED);
    answer->at = postgres_integer(rows, AT);
    answer->utc_offset_s = (int)postgres_integer(rows, OFFSET);
    answer->revision = revision ? revision : "";
    if (content && length == (ptrdiff_t)sizeof answer->content.bytes)
        memcpy(answer->content.bytes, content, sizeof answer->content.bytes);
    answer->elapsed_ms = postgres_is_null(rows, ELAPSED) ? -1 : postgres_integer(rows, ELAPSED);
    answer->graded.outcome = answer->outcome;
    return read_grading(folding, &answer->graded, error);
}

static bool take_answer(struct folding *folding, const struct uuid *session, struct error *error)
{
    struct fold *fold = &folding->fold;
    struct fold_answer answer;
    bool overturned = false;
    if (!read_answer(folding, session, &answer, error))
        return false;
    if (fold_must_compare(fold, &answer) &&
        !postgres_texts_overturned(folding->texts, &fold->is.content, &answer.content, &overturned, error))
        return false;
    if (!tally_answer(&folding->tally, fold, &answer, session, folding->rules.day_starts, error))
        return false;
    fold_take(fold, &folding->rules, folding->pack, folding->question, &answer, overturned);
    return true;
}

static bool take_row(struct folding *folding, struct error *error)
{
    const struct postgres_rows *rows = folding->rows;
    const char *kind = text_or_null(rows, GRADED);
    struct uuid session;
    if (!enter(folding, error))
        return false;
    if (!memory_grow(&folding->moments, &folding->moment_capacity, folding->moment_count + 1,
                     sizeof *folding->moments))
        return error_memory(error);
    folding->moments[folding->moment_count++] =
        (struct folded_moment){ postgres_integer(rows, AT), postgres_integer(rows, SEQ),
                                (int)postgres_integer(rows, OFFSET) };
    postgres_uuid(rows, SESSION, &session);
    if (kind && strcmp(kind, "undone") == 0)
        return had_undone(folding, &session) || ids_add(&folding->undone, &session) || error_memory(error);
    folding->regraded += kind != NULL;
    return take_answer(folding, &session, error);
}

bool postgres_folding_run(struct folding *folding, struct postgres_array *learners, struct error *error)
{
    struct postgres_values values = { 0 };
    struct postgres_rows rows = { 0 };
    struct postgres_store *store = folding->store;
    if (!postgres_marks_read(folding, learners, error))
        return false;
    postgres_put_integer(&values, store->school);
    if (!postgres_put_array(&values, learners, error))
        return false;
    folding->rows = &rows;
    folding->begun = false;
    int found = postgres_cursor(&rows, store->postgres, answers_sql, &values, error)
                    ? postgres_step(&rows, error)
                    : -1;
    while (found > 0)
        found = take_row(folding, error) ? postgres_step(&rows, error) : -1;
    bool done =
        found == 0 && (!folding->begun || (end_question(folding, error) && end_learner(folding, error)));
    postgres_rows_close(&rows);
    if (done)
        postgres_marks_rest(folding);
    return done && postgres_sums_write(&folding->sums, store->postgres, store->school, error);
}
