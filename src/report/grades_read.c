#include "grades.h"

#include <quiztutor/message.h>

#include <string.h>

/* ---- the columns: packs ---- */

static bool has_tag(const struct build *build, const struct question *question)
{
    bool has = !build->filter->tag;
    for (int i = 0; !has && i < question->tags.count; i++)
        has = strcmp(question->tags.items[i], build->filter->tag) == 0;
    return has;
}

/*
 * Of practice the whole pack can be had, as the library has it; with a revision, or without the library, what
 * was answered by anybody. Of exams and paper, what was presented.
 */
static bool add_pack(struct build *build, void *context, const char *id)
{
    struct grades *grades = context;
    const struct report_filter *filter = build->filter;
    if (grades->pack_count == GRADES_PACKS)
        return error_set(build->error, ERROR_INPUT, tr("more than %d packs: choose one by --pack"),
                         GRADES_PACKS);
    struct grades_pack *pack = &grades->packs[grades->pack_count++];
    *pack = (struct grades_pack){ .id = build_copy(build, id),
                                  .by_sitting = filter->session && strcmp(filter->session, "practice") != 0 };
    pack->title = build_pack_title(build, pack->id);
    pack->pack = filter->revision || pack->by_sitting ? NULL : build_pack(build, pack->id);
    for (int i = 0; pack->pack && i < pack->pack->question_count; i++)
        if (has_tag(build, &pack->pack->questions[i]))
            pack->possible += pack->pack->questions[i].marks;
    return true;
}

static int pack_place(const struct grades *grades, const char *id)
{
    for (int i = 0; i < grades->pack_count; i++)
        if (strcmp(grades->packs[i].id, id) == 0)
            return i;
    return -1;
}

/* ---- the rows: learners ---- */

static int learner_place(struct grades *grades, const struct uuid *id)
{
    bool fresh;
    int place = places_add(&grades->ids, id, sizeof *id, &fresh), packs = grades->pack_count;
    if (place < 0 || !fresh)
        return place;
    if (!memory_grow(&grades->learners, &grades->learner_capacity, place + 1, sizeof *grades->learners) ||
        !memory_grow(&grades->marks, &grades->mark_capacity, (ptrdiff_t)(place + 1) * packs + 1,
                     sizeof *grades->marks))
        return -1;
    grades->learners[place] = (struct grades_learner){ .id = *id };
    for (int i = 0; i < packs; i++)
        grades->marks[(ptrdiff_t)place * packs + i] = (struct grades_mark){ 0 };
    return place;
}

static bool add_row(struct grades *grades, struct rows *rows)
{
    struct build *build = grades->build;
    const struct build_people *people = build->people;
    struct uuid id;
    rows_uuid(rows, CLASS_LEARNER, &id);
    if (people->learner.type != VALUE_NULL && !uuid_equal(&people->learner_id, &id))
        return true;
    int place = learner_place(grades, &id);
    if (place < 0)
        return error_memory(build->error);
    struct grades_learner *learner = &grades->learners[place];
    learner->name = build_copy(build, rows_text(rows, CLASS_NAME));
    learner->login = build_copy(build, rows_text(rows, CLASS_LOGIN));
    learner->external_id = build_copy(build, rows_text(rows, CLASS_EXTERNAL_ID));
    return true;
}

static bool read_learners(struct grades *grades)
{
    struct build *build = grades->build;
    const struct store_value parameters[] = { build->people->group, store_value_null() };
    struct rows *rows;
    int found;
    bool done = true;
    if (!rows_open(&rows, build->stores[0], QUERY_CLASS, parameters, 2, build->error))
        return false;
    while (done && (found = rows_step(rows, build->error)) != 0)
        done = found > 0 && add_row(grades, rows);
    rows_close(rows);
    return done;
}

static bool read_people(struct grades *grades)
{
    struct build *build = grades->build;
    const struct build_people *people = build->people;
    for (int i = 0; i < people->count; i++) {
        const struct uuid *ids = &people->ids[(ptrdiff_t)i * build->store_count];
        int store = 0;
        if (!people->persons[i].wanted)
            continue;
        while (store + 1 < build->store_count && uuid_is_zero(&ids[store]))
            store++;
        int place = learner_place(grades, &ids[store]);
        if (place < 0)
            return error_memory(build->error);
        grades->learners[place].name = people->persons[i].name;
        grades->learners[place].login = people->persons[i].login;
        grades->learners[place].external_id = people->persons[i].external_id;
    }
    return true;
}

/* ---- what they got ---- */

/* One learner's attempts at one question; of those chosen there is one, but where all are. */
struct got {
    int learner, pack;    /* −1: none yet */
    struct buffer id;     /* of the question */
    double shares, marks; /* of the chosen ones; marks: of any */
    int count, voided;
};

/* Place of the question, −1 without memory. */
static int question_place(struct grades *grades, const struct got *got)
{
    struct buffer key;
    bool added = false;
    buffer_init(&key);
    buffer_print(&key, "%s\x1f%s", grades->packs[got->pack].id, buffer_get(&got->id));
    int place = key.failed ? -1 : places_add(&grades->questions, buffer_get(&key), key.length, &added);
    buffer_finish(&key);
    if (place < 0 || !memory_grow(&grades->known, &grades->known_capacity, place + 1, sizeof *grades->known))
        return error_memory(grades->build->error) - 1;
    if (added)
        grades->known[place] = (struct grades_question){ 0 };
    return place;
}

/* What is void for this learner; for whom else is known at the end. */
static bool add_void(struct grades *grades, const struct got *got, int question, double marks)
{
    if (!memory_grow(&grades->voids, &grades->void_capacity, grades->void_count + 1, sizeof *grades->voids))
        return error_memory(grades->build->error);
    grades->voids[grades->void_count++] = (struct grades_void){ got->learner, got->pack, question, marks };
    return true;
}

static bool end_question(struct grades *grades, struct got *got)
{
    if (got->learner < 0)
        return true;
    struct grades_pack *pack = &grades->packs[got->pack];
    struct grades_mark *mark = &grades->marks[(ptrdiff_t)got->learner * grades->pack_count + got->pack];
    double marks = got->marks;
    int place = pack->pack ? pack_find(pack->pack, buffer_get(&got->id)) : 0;
    if (place < 0) {
        grades->gone += got->count;
        got->learner = -1;
        return true;
    }
    if (pack->pack)
        marks = pack->pack->questions[place].marks;
    int at = question_place(grades, got);
    if (at < 0)
        return false;
    struct grades_question *question = &grades->known[at];
    question->stands = question->stands || got->count;
    if (got->voided && !got->count && !add_void(grades, got, at, marks))
        return false;
    if (got->count) {
        pack->possible += !pack->pack && !pack->by_sitting && !question->summed ? marks : 0;
        question->summed = true;
        mark->any = true;
        mark->mark += got->shares / got->count * marks;
        mark->marks += marks;
        grades->learners[got->learner].graded = true;
    }
    if (pack->by_sitting && mark->marks > pack->possible)
        pack->possible = mark->marks;
    got->learner = -1;
    return true;
}

/* A voided question to which nobody has an answer that counts is out of what is possible for all, else for
 * those whose answers were voided. Of exams and paper only what counts was summed up. */
static bool take_out(struct grades *grades)
{
    bool *out = memory_zero((grades->questions.count + 1) * (ptrdiff_t)sizeof *out);
    if (!out)
        return error_memory(grades->build->error);
    for (ptrdiff_t i = 0; i < grades->void_count; i++) {
        const struct grades_void *is = &grades->voids[i];
        struct grades_pack *pack = &grades->packs[is->pack];
        if (grades->known[is->question].stands) {
            grades->marks[(ptrdiff_t)is->learner * grades->pack_count + is->pack].out += is->marks;
        } else if (!out[is->question]) {
            out[is->question] = true;
            grades->voided_questions++;
            pack->possible -= pack->pack ? is->marks : 0;
        }
    }
    memory_free(out);
    return true;
}

static bool begin_question(struct grades *grades, struct got *got, int learner, int pack, const char *id)
{
    if (!end_question(grades, got))
        return false;
    got->learner = learner;
    got->pack = pack;
    got->shares = got->marks = 0;
    got->count = got->voided = 0;
    buffer_clear(&got->id);
    buffer_text(&got->id, id);
    return !got->id.failed || error_memory(grades->build->error);
}

static bool take(struct grades *grades, struct got *got, const struct attempt *attempt)
{
    struct build *build = grades->build;
    bool voided = attempt->voided && attempt->graded;
    if (!attempt->chosen && attempt->voided && !attempt->graded)
        return true; /* a question without marks */
    int learner = learner_place(grades, &attempt->learner), pack = pack_place(grades, attempt->pack);
    if (learner < 0)
        return error_memory(build->error);
    if (attempt->chosen) {
        build_made_day(&grades->made, attempt->day);
        grades->made.attempts++;
        grades->made.regraded += attempt->graded;
    }
    if (pack < 0)
        return true;
    if ((got->learner != learner || got->pack != pack ||
         strcmp(buffer_get(&got->id), attempt->question) != 0) &&
        !begin_question(grades, got, learner, pack, attempt->question))
        return false;
    got->voided += voided;
    got->marks = attempt->chosen || !got->count ? attempt->marks : got->marks;
    if (attempt->chosen) {
        got->shares += attempt->share;
        got->count++;
    }
    return true;
}

static bool read_attempts(struct grades *grades)
{
    struct got got = { .learner = -1 };
    struct attempts attempts;
    struct attempt attempt;
    int found = -1;
    buffer_init(&got.id);
    if (attempts_open(&attempts, grades->build, NULL, false, false)) {
        while ((found = attempts_next(&attempts, &attempt)) > 0)
            if (!take(grades, &got, &attempt)) {
                found = -1;
                break;
            }
    }
    bool done = found == 0 && end_question(grades, &got) && take_out(grades);
    grades->made.undone = attempts.undone;
    attempts_close(&attempts);
    buffer_finish(&got.id);
    return done;
}

bool grades_read(struct grades *grades)
{
    struct build *build = grades->build;
    return build_each_pack(build, add_pack, grades) &&
           (build->store_count > 1 ? read_people(grades) : read_learners(grades)) && read_attempts(grades);
}
