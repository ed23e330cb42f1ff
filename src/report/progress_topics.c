/* By pack and topic, the weakest topic first; and which topics those are. */
#include "progress.h"

#include <quiztutor/message.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PACK,
    TOPIC,
    SEEN,
    SHARE,
    MASTERED,
    RECALL,
    MINUTES,
    STUCK,
    PACK_IDENTITY,
    ATTEMPTS,
    RIGHT,
    PARTLY,
    WRONG,
    OMITTED,
    COLUMNS
};

static const struct report_column columns[COLUMNS] = {
    [PACK] = { .name = "pack", .title = N_("pack"), .kind = CELL_TEXT },
    [TOPIC] = { .name = "topic", .title = N_("topic"), .kind = CELL_TEXT },
    [SEEN] = { .name = "seen", .title = N_("seen"), .kind = CELL_WHOLE, .rank = 1 },
    [SHARE] = { .kind = CELL_SHARE, .bar = true, .interval = true },
    [MASTERED] = { .name = "mastered", .title = N_("mastered"), .kind = CELL_WHOLE, .rank = 1 },
    [RECALL] = { .name = "predicted_recall", .title = N_("recall now"), .kind = CELL_SHARE, .rank = 2 },
    [MINUTES] = { .name = "minutes", .title = N_("time"), .unit = N_("min"), .kind = CELL_REAL, .rank = 3 },
    [STUCK] = { .name = "stuck", .title = N_("stuck at"), .kind = CELL_WHOLE, .rank = 4 },
    [PACK_IDENTITY] = { .name = "pack_id", .title = N_("pack's id"), .kind = CELL_TEXT, .detail = true },
    [ATTEMPTS] = { .name = "attempts", .title = N_("attempts"), .kind = CELL_WHOLE, .detail = true },
    [RIGHT] = { .name = "right", .title = N_("right"), .kind = CELL_WHOLE, .detail = true },
    [PARTLY] = { .name = "partly", .title = N_("partly"), .kind = CELL_WHOLE, .detail = true },
    [WRONG] = { .name = "wrong", .title = N_("wrong"), .kind = CELL_WHOLE, .detail = true },
    [OMITTED] = { .name = "omitted", .title = N_("left out"), .kind = CELL_WHOLE, .detail = true },
};

/* A pack, or one of its topics. */
struct part {
    const char *pack, *topic, *title; /* topic NULL: the pack as a whole */
    struct work_sum sum;
    struct progress_week weeks[PROGRESS_HELD];
};

struct parts {
    struct progress *progress;
    struct part *items;
    ptrdiff_t capacity;
    struct places keys; /* "pack\0topic": the place of its part */
};

static struct part *part_of(struct parts *parts, const char *pack, const char *topic)
{
    struct buffer key;
    bool fresh = false;
    buffer_init(&key);
    buffer_add(&key, pack, (ptrdiff_t)strlen(pack) + 1);
    if (topic)
        buffer_add(&key, topic, (ptrdiff_t)strlen(topic) + 1);
    int place = key.failed ? -1 : places_add(&parts->keys, buffer_get(&key), key.length, &fresh);
    buffer_finish(&key);
    if (place < 0 || !memory_grow(&parts->items, &parts->capacity, place + 1, sizeof *parts->items))
        return NULL;
    if (fresh) {
        const char *bytes = parts->keys.keys[place].bytes;
        parts->items[place] = (struct part){ .pack = bytes,
                                             .topic = topic ? bytes + strlen(pack) + 1 : NULL,
                                             .title = build_pack_title(parts->progress->build, pack) };
    }
    return &parts->items[place];
}

static bool add_to(struct parts *parts, const char *topic, const struct work *work)
{
    struct progress *progress = parts->progress;
    struct part *part = part_of(parts, work->pack, topic);
    if (!part)
        return error_memory(progress->build->error);
    work_add(&part->sum, work);
    if (work->tried_at == INT64_MIN)
        return true;
    struct progress_week *into = progress_week(
        progress, part->weeks, build_day_of(progress->build, work->tried_at, work->tried_offset_s));
    if (into) {
        into->tries += (double)work_count(&work->tries);
        into->right += (double)work->tries.count[OUTCOME_RIGHT];
    }
    return true;
}

/* Topics are the tags of the library's question, else of the question as it was asked. */
static bool add_work(struct parts *parts, const struct work *work)
{
    struct progress *progress = parts->progress;
    struct build *build = progress->build;
    const struct question *question = asked_today(build, work->pack, work->question);
    if (!question && !asked_find(&progress->asked, build->stores[work->store], &work->content, work->pack,
                                 work->question, &question))
        return false;
    if (!add_to(parts, NULL, work))
        return false;
    for (int i = 0; question && i < question->tags.count; i++) {
        bool twice = false;
        for (int k = 0; !twice && k < i; k++)
            twice = strcmp(question->tags.items[i], question->tags.items[k]) == 0;
        if (!twice && !add_to(parts, question->tags.items[i], work))
            return false;
    }
    return true;
}

/* −1 where nothing counts. */
static double share_of(const struct part *part)
{
    int64_t count = work_count(&part->sum.tries);
    return count ? (double)part->sum.tries.count[OUTCOME_RIGHT] / (double)count : -1;
}

/* Less right first, then more tried; without any last. */
static int compare_weakness(const struct part *a, const struct part *b)
{
    double one = share_of(a), other = share_of(b);
    if ((one < 0) != (other < 0))
        return one < 0 ? 1 : -1;
    if (one < other || one > other)
        return one < other ? -1 : 1;
    int64_t n = work_count(&a->sum.tries), m = work_count(&b->sum.tries);
    if (n != m)
        return n > m ? -1 : 1;
    return strcmp(a->topic ? a->topic : "", b->topic ? b->topic : "");
}

static int compare_parts(const void *one, const void *other)
{
    const struct part *a = one, *b = other;
    int order = strcmp(a->title, b->title);
    if (order == 0)
        order = strcmp(a->pack, b->pack);
    if (order)
        return order;
    if (!a->topic != !b->topic)
        return a->topic ? 1 : -1;
    return compare_weakness(a, b);
}

/* The share week by week, beside its cell. Of all attempts a week can't be told from the question's first. */
static void put_trend(struct progress *progress, const struct part *part, struct report_cell *cell)
{
    struct build *build = progress->build;
    int count;
    const struct progress_week *weeks = progress_shown(progress, part->weeks, &count);
    double *trend = count > 1 && build->filter->attempts != ATTEMPTS_ALL
                        ? build_room(build, count * (ptrdiff_t)sizeof *trend)
                        : NULL;
    if (!trend)
        return;
    for (int i = 0; i < count; i++) {
        const struct progress_week *week = &weeks[i];
        trend[i] = week->tries > 0 ? week->right / week->tries : NAN;
    }
    cell->trend = trend;
    cell->trend_count = count;
}

static void write_part(struct progress *progress, const struct part *part, double whole,
                       struct report_cell *cells)
{
    struct build *build = progress->build;
    const struct work_sum *sum = &part->sum;
    cells[PACK] = build_text(build_copy(build, part->title));
    cells[TOPIC] = build_text(build_copy(build, part->topic));
    cells[SEEN] = build_whole(sum->questions);
    cells[SHARE] = work_share_cell(&sum->tries);
    if (cells[SHARE].kind == CELL_SHARE)
        put_trend(progress, part, &cells[SHARE]);
    /* surely weaker than all taken together */
    cells[SHARE].stands_out = part->topic && cells[SHARE].kind == CELL_SHARE && cells[SHARE].high < whole;
    cells[MASTERED] = build_whole(sum->mastered);
    cells[RECALL] = work_recall_cell(sum);
    cells[MINUTES] = work_minutes_cell(sum->elapsed_ms);
    cells[STUCK] = build_whole(sum->stuck);
    cells[STUCK].stands_out = sum->stuck > 0;
    cells[PACK_IDENTITY] = build_text(build_copy(build, part->pack));
    cells[ATTEMPTS] = build_whole(sum->answers);
    cells[RIGHT] = build_whole(sum->tries.count[OUTCOME_RIGHT]);
    cells[PARTLY] = build_whole(sum->tries.count[OUTCOME_PARTLY]);
    cells[WRONG] = build_whole(sum->tries.count[OUTCOME_WRONG]);
    cells[OMITTED] = build_whole(sum->tries.count[OUTCOME_OMITTED]);
}

/* "tensor, pipeline": those less right than all together, tried often enough to be told. */
static void write_weakest(struct parts *parts, double whole)
{
    struct build *build = parts->progress->build;
    const struct part *named[PROGRESS_WEAKEST];
    int count = 0;
    for (int i = 0; i < parts->keys.count; i++) {
        const struct part *part = &parts->items[i];
        int at = count;
        if (!part->topic || work_count(&part->sum.tries) < PROGRESS_WEAKEST || share_of(part) >= whole)
            continue;
        while (at > 0 && compare_weakness(part, named[at - 1]) < 0)
            at--;
        if (at == PROGRESS_WEAKEST)
            continue;
        count += count < PROGRESS_WEAKEST;
        for (int k = count - 1; k > at; k--)
            named[k] = named[k - 1];
        named[at] = part;
    }
    struct buffer names;
    buffer_init(&names);
    for (int i = 0; i < count; i++)
        buffer_print(&names, "%s%s", i ? ", " : "", named[i]->topic);
    build->failed = build->failed || names.failed;
    build_fact(build, &(struct report_fact){
                          .name = "weakest_topics",
                          .title = tr("weakest topics"),
                          .cell = count ? build_text(build_copy(build, buffer_get(&names)))
                                        : build_absent(tr("no topic of three answers or more is weaker than "
                                                          "the rest")) });
    buffer_finish(&names);
}

static void write_table(struct parts *parts, double whole)
{
    struct build *build = parts->progress->build;
    struct report_column *made = build_room(build, (ptrdiff_t)sizeof columns);
    struct build_table table;
    if (!made)
        return;
    memcpy(made, columns, sizeof columns);
    made[SHARE].name = work_share_name(build->filter->attempts);
    made[SHARE].title = work_share_title(build->filter->attempts);
    build_table_start(&table, build, made, COLUMNS);
    for (int i = 0; i < parts->keys.count; i++)
        write_part(parts->progress, &parts->items[i], whole, build_table_row(&table, NULL));
    build_table_add(&table, "topics", tr("Packs and their topics"), tr("No answers yet."));
    build_table_finish(&table);
}

bool progress_write_topics(struct progress *progress)
{
    struct parts parts = { .progress = progress };
    struct work_sum all = { 0 };
    bool done = true;
    places_init(&parts.keys);
    for (int i = 0; done && i < progress->work_count; i++) {
        work_add(&all, &progress->works[i]);
        done = add_work(&parts, &progress->works[i]);
    }
    if (done) {
        int64_t count = work_count(&all.tries);
        double whole = count ? (double)all.tries.count[OUTCOME_RIGHT] / (double)count : 0;
        if (parts.keys.count)
            qsort(parts.items, (size_t)parts.keys.count, sizeof *parts.items, compare_parts);
        write_weakest(&parts, whole);
        write_table(&parts, whole);
    }
    places_finish(&parts.keys);
    memory_free(parts.items);
    return done;
}
