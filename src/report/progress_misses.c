/* What went wrong last, in words; and which misconceptions that shows. */
#include "progress.h"

#include "response_words.h"

#include <quiztutor/message.h>

#include <stdlib.h>
#include <string.h>

static const struct report_column miss_columns[] = {
    { .name = "at", .title = N_("when"), .kind = CELL_MOMENT, .rank = 2 },
    { .name = "pack", .title = N_("pack"), .kind = CELL_TEXT, .rank = 4 },
    { .name = "question", .title = N_("question"), .kind = CELL_TEXT, .rank = 3 },
    { .name = "prompt", .title = N_("asked"), .kind = CELL_TEXT, .rank = 1 },
    { .name = "answered", .title = N_("answered"), .kind = CELL_TEXT },
    { .name = "right_answer", .title = N_("right answer"), .kind = CELL_TEXT },
    { .name = "outcome", .title = N_("outcome"), .kind = CELL_TEXT, .rank = 5 },
    { .name = "misconceptions", .title = N_("misconceptions"), .kind = CELL_TEXT, .rank = 6 },
    { .name = "pack_id", .title = N_("pack's id"), .kind = CELL_TEXT, .detail = true },
};

/* A misconception of this learner. */
struct held {
    const char *tag;
    int times, put_right;
    int64_t last_at;
    int utc_offset_s;
    struct places questions;
};

struct telling {
    struct progress *progress;
    struct held *held;
    ptrdiff_t capacity;
    int count;
    struct build_table table;
};

static const char *words(struct telling *telling, const struct buffer *buffer)
{
    struct build *build = telling->progress->build;
    build->failed = build->failed || buffer->failed;
    return build_copy(build, buffer_get(buffer));
}

/* The row of one miss; its question may be unknown. `key`: the question by which it was marked. */
static bool write_row(struct telling *telling, const struct progress_miss *miss,
                      const struct question *question, const struct answer *answer,
                      const struct question *key, const char *const *tags, int tag_count)
{
    struct build *build = telling->progress->build;
    const char *id = build_copy(build, miss->question), *unknown = tr("the question's text is not known");
    struct report_cell *cells = build_table_row(&telling->table, id);
    struct buffer text;
    buffer_init(&text);
    cells[0] = build_moment(miss->at, miss->utc_offset_s);
    cells[8] = build_text(build_copy(build, miss->pack));
    cells[1] = build_text(build_pack_title(build, cells[8].text));
    cells[2] = build_text(id);
    cells[3] = build_text(asked_prompt(build, question, miss->question));
    cells[6] = build_text(work_outcome(miss->outcome));
    if (question) {
        response_words(&text, question, answer);
        cells[4] = build_text(words(telling, &text));
        buffer_clear(&text);
        response_words_right(&text, key);
        cells[5] = build_text(words(telling, &text));
        buffer_clear(&text);
        for (int i = 0; i < tag_count; i++)
            buffer_print(&text, "%s%s", i ? ", " : "", tags[i]);
        cells[7] = tag_count ? build_text(words(telling, &text)) : build_nothing();
    } else {
        cells[4] = build_absent(unknown);
        cells[5] = build_absent(unknown);
    }
    buffer_finish(&text);
    return true;
}

/* Whether a right answer came later: to this question, or to another that the misconception could show in. */
static bool is_put_right(struct progress *progress, const struct progress_miss *miss, const char *tag,
                         bool *right)
{
    struct build *build = progress->build;
    *right = false;
    for (int i = 0; !*right && i < progress->work_count; i++) {
        const struct work *work = &progress->works[i];
        const struct question *question;
        if (work->last != OUTCOME_RIGHT || work->last_at <= miss->at)
            continue;
        if (strcmp(work->pack, miss->pack) == 0 && strcmp(work->question, miss->question) == 0) {
            *right = true;
            continue;
        }
        if (!asked_find(&progress->asked, build->stores[work->store], &work->content, work->pack,
                        work->question, &question))
            return false;
        *right = question && response_words_can_show(question, tag);
    }
    return true;
}

static struct held *held_of(struct telling *telling, const char *tag)
{
    for (int i = 0; i < telling->count; i++)
        if (strcmp(telling->held[i].tag, tag) == 0)
            return &telling->held[i];
    if (!memory_grow(&telling->held, &telling->capacity, telling->count + 1, sizeof *telling->held))
        return NULL;
    struct held *held = &telling->held[telling->count++];
    *held = (struct held){ .tag = tag, .last_at = INT64_MIN };
    places_init(&held->questions);
    return held;
}

/* `tag` lives in the report's arena. */
static bool take_tag(struct telling *telling, const struct progress_miss *miss, const char *tag)
{
    struct progress *progress = telling->progress;
    bool right;
    struct held *held = held_of(telling, tag);
    struct buffer key;
    if (!held)
        return error_memory(progress->build->error);
    buffer_init(&key);
    buffer_print(&key, "%s\x1f%s", miss->pack, miss->question);
    bool added = !key.failed && places_add(&held->questions, buffer_get(&key), key.length, NULL) >= 0;
    buffer_finish(&key);
    if (!added)
        return error_memory(progress->build->error);
    held->times++;
    if (miss->at > held->last_at) {
        held->last_at = miss->at;
        held->utc_offset_s = miss->utc_offset_s;
    }
    if (!is_put_right(progress, miss, tag, &right))
        return false;
    held->put_right += right;
    return true;
}

static bool take_miss(struct telling *telling, const struct progress_miss *miss, bool shown)
{
    struct progress *progress = telling->progress;
    struct build *build = progress->build;
    const struct question *question;
    const char *tags[RESPONSE_TAGS];
    struct answer answer = { .blank = true }, by_key;
    struct arena arena;
    int count = 0;
    if (!asked_find(&progress->asked, build->stores[miss->store], &miss->content, miss->pack, miss->question,
                    &question))
        return false;
    arena_init(&arena);
    bool done = !question || answer_read(&answer, question->type, miss->response, &arena) ||
                error_memory(build->error);
    const struct question *key = question;
    by_key = answer;
    if (done && question && miss->graded)
        key = asked_marked(build, miss->pack, miss->question, question, miss->outcome, miss->share, &by_key);
    if (done && question)
        count = response_words_tags(tags, key, &by_key);
    for (int i = 0; i < count; i++)
        tags[i] = build_copy(build, tags[i]); /* the question may be forgotten */
    if (done && shown)
        done = write_row(telling, miss, question, &answer, key, tags, count);
    for (int i = 0; done && i < count; i++)
        done = take_tag(telling, miss, tags[i]);
    arena_finish(&arena);
    return done;
}

static const struct report_column held_columns[] = {
    { .name = "misconception", .title = N_("misconception"), .kind = CELL_TEXT },
    { .name = "times", .title = N_("shown"), .unit = N_("times"), .kind = CELL_WHOLE },
    { .name = "questions", .title = N_("questions"), .kind = CELL_WHOLE, .rank = 2 },
    { .name = "put_right", .title = N_("put right later"), .unit = N_("times"), .kind = CELL_WHOLE },
    { .name = "last_seen", .title = N_("last seen"), .kind = CELL_MOMENT, .rank = 1 },
};

/* What was not put right, then what was shown most. */
static int compare_held(const void *one, const void *other)
{
    const struct held *a = one, *b = other;
    int left = a->times - a->put_right, rest = b->times - b->put_right;
    if (left != rest)
        return left > rest ? -1 : 1;
    if (a->times != b->times)
        return a->times > b->times ? -1 : 1;
    return strcmp(a->tag, b->tag);
}

static void write_held(struct telling *telling)
{
    struct build *build = telling->progress->build;
    struct build_table table;
    if (telling->count)
        qsort(telling->held, (size_t)telling->count, sizeof *telling->held, compare_held);
    build_table_start(&table, build, held_columns, sizeof held_columns / sizeof *held_columns);
    for (int i = 0; i < telling->count; i++) {
        const struct held *held = &telling->held[i];
        struct report_cell *cells = build_table_row(&table, NULL);
        cells[0] = build_text(held->tag);
        cells[1] = build_whole(held->times);
        cells[2] = build_whole(held->questions.count);
        cells[3] = build_whole(held->put_right);
        cells[4] = build_moment(held->last_at, held->utc_offset_s);
    }
    build_table_add(&table, "misconceptions", tr("Misconceptions"), tr("None was shown."));
    build_table_finish(&table);
}

bool progress_write_misses(struct progress *progress)
{
    struct build *build = progress->build;
    struct telling telling = { .progress = progress };
    bool done = true;
    build_table_start(&telling.table, build, miss_columns, sizeof miss_columns / sizeof *miss_columns);
    for (int i = 0; done && i < progress->miss_count; i++)
        done = take_miss(&telling, &progress->misses[i], i < PROGRESS_MISSES);
    if (done) {
        write_held(&telling);
        build_table_add(&telling.table, "misses",
                        build_say(build, tr("The newest %d misses"), PROGRESS_MISSES),
                        tr("Nothing was missed."));
    }
    build_table_finish(&telling.table);
    for (int i = 0; i < telling.count; i++)
        places_finish(&telling.held[i].questions);
    memory_free(telling.held);
    return done;
}
