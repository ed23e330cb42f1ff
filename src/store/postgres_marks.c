/* What learners starred and suspended, by the log at the centre. */
#include "postgres_fold.h"

#include <stdlib.h>
#include <string.h>

static int compare_question(const struct folded_mark *one, const struct folded_mark *other)
{
    int order = memcmp(&one->learner, &other->learner, sizeof one->learner);
    if (order == 0)
        order = strcmp(one->pack, other->pack);
    return order ? order : strcmp(one->question, other->question);
}

static int compare(const void *one, const void *other)
{
    const struct folded_mark *a = one, *b = other;
    int order = compare_question(a, b);
    if (order == 0)
        order = a->star - b->star;
    return order ? order : (a->place > b->place) - (a->place < b->place);
}

/* The newest of each kind for each question. */
static void keep_newest(struct folding *folding)
{
    struct folded_mark *marks = folding->marks;
    ptrdiff_t kept = 0;
    if (folding->mark_count)
        qsort(marks, (size_t)folding->mark_count, sizeof *marks, compare);
    for (ptrdiff_t i = 0; i < folding->mark_count; i++) {
        bool last = i + 1 == folding->mark_count || marks[i].star != marks[i + 1].star ||
                    compare_question(&marks[i], &marks[i + 1]) != 0;
        if (last)
            marks[kept++] = marks[i];
    }
    folding->mark_count = kept;
}

static bool take_row(struct folding *folding, const struct postgres_rows *rows, struct error *error)
{
    struct folded_mark mark = { .place = folding->mark_count };
    struct buffer pack, question;
    const char *body = postgres_text(rows, 2), *kind = postgres_text(rows, 1);
    bool is = false;
    if (!body || !kind || !json_valid(body))
        return true;
    buffer_init(&pack);
    buffer_init(&question);
    bool done = json_reader_mark(&folding->store->reader, body, &is, &pack, &question, &mark.on, error);
    if (done && is) {
        postgres_uuid(rows, 0, &mark.learner);
        mark.star = strcmp(kind, "starred") == 0;
        mark.pack = arena_text(&folding->marks_arena, buffer_get(&pack), pack.length);
        mark.question = arena_text(&folding->marks_arena, buffer_get(&question), question.length);
        done =
            (mark.pack && mark.question &&
             memory_grow(&folding->marks, &folding->mark_capacity, mark.place + 1, sizeof *folding->marks)) ||
            error_memory(error);
        if (done)
            folding->marks[folding->mark_count++] = mark;
    }
    buffer_finish(&pack);
    buffer_finish(&question);
    return done;
}

bool postgres_marks_read(struct folding *folding, struct postgres_array *learners, struct error *error)
{
    static const char sql[] =
        "SELECT learner_id, kind, body FROM event WHERE school = $1 AND learner_id = ANY($2)"
        " AND kind IN ('starred', 'suspended') ORDER BY seq";
    struct postgres_values values = { 0 };
    struct postgres_rows rows = { 0 };
    folding->mark_count = 0;
    arena_finish(&folding->marks_arena);
    arena_init(&folding->marks_arena);
    postgres_put_integer(&values, folding->store->school);
    if (!postgres_put_array(&values, learners, error))
        return false;
    int found = postgres_cursor(&rows, folding->store->postgres, sql, &values, error)
                    ? postgres_step(&rows, error)
                    : -1;
    while (found > 0)
        found = take_row(folding, &rows, error) ? postgres_step(&rows, error) : -1;
    postgres_rows_close(&rows);
    keep_newest(folding);
    return found == 0;
}

void postgres_marks_take(struct folding *folding, const struct uuid *learner, const char *pack,
                         const char *question, struct store_schedule *is)
{
    const struct folded_mark wanted = { .learner = *learner, .pack = pack, .question = question };
    ptrdiff_t low = 0, high = folding->mark_count;
    while (low < high) {
        ptrdiff_t middle = low + (high - low) / 2;
        if (compare_question(&folding->marks[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < folding->mark_count && compare_question(&folding->marks[low], &wanted) == 0; low++) {
        struct folded_mark *mark = &folding->marks[low];
        *(mark->star ? &is->starred : &is->suspended) = mark->on;
        mark->on = false;
    }
}

void postgres_marks_rest(struct folding *folding)
{
    for (ptrdiff_t i = 0; i < folding->mark_count; i++) {
        const struct folded_mark *mark = &folding->marks[i];
        struct fold fold = { 0 };
        if (!mark->on)
            continue;
        postgres_marks_take(folding, &mark->learner, mark->pack, mark->question, &fold.is);
        postgres_sums_question(&folding->sums, &mark->learner, mark->pack, mark->question, &fold,
                               (struct sums_offset){ 0 }, 0);
    }
}
