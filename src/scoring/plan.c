#include <quiztutor/plan.h>
#include <quiztutor/queue.h>

#include <stdlib.h>
#include <string.h>

static const char *const plan_mode_names[PLAN_MODES] = {
    [MODE_DUE] = "due",         [MODE_NEW] = "new", [MODE_MISTAKES] = "mistakes",
    [MODE_STARRED] = "starred", [MODE_ALL] = "all",
};

const char *plan_mode_name(enum plan_mode mode)
{
    return plan_mode_names[mode];
}

bool plan_mode_read(enum plan_mode *mode, const char *name)
{
    for (int i = 0; i < PLAN_MODES; i++)
        if (strcmp(plan_mode_names[i], name) == 0) {
            *mode = (enum plan_mode)i;
            return true;
        }
    return false;
}

/* A question that may be asked, with what decides its place. */
struct plan_candidate {
    struct session_entry entry;
    struct plan_history history;
    int place; /* in order (1): packs as named, each in its question order */
};

struct plan_candidates {
    struct plan_candidate *items;
    ptrdiff_t count, capacity;
};

bool plan_has_tag(const struct question *question, const char *tag)
{
    if (!tag)
        return true;
    for (int i = 0; i < question->tags.count; i++)
        if (text_same(question->tags.items[i], tag))
            return true;
    return false;
}

static bool plan_mode_takes(enum plan_mode mode, const struct plan_history *history)
{
    bool begins = history->overturned || history->due || !history->graded;
    switch (mode) {
    case MODE_DUE:
        return !history->suspended && begins;
    case MODE_NEW:
        return !history->suspended && !history->seen;
    case MODE_MISTAKES:
        return !history->suspended && history->seen && history->last != OUTCOME_RIGHT;
    case MODE_STARRED:
        return history->starred;
    case MODE_ALL:
    case PLAN_MODES:
        break;
    }
    return true;
}

/* Whether only those are asked that their section picks under this seed: not where that would hide what is
 * due, or what was asked for by name. */
static bool plan_mode_picks(enum plan_mode mode, const struct plan_history *history)
{
    return mode == MODE_ALL || (mode == MODE_DUE && !history->overturned && !history->graded);
}

static bool plan_gather(struct plan_candidates *candidates, const struct pack *pack,
                        const struct plan_history *histories, const struct plan_options *options)
{
    bool done = false;
    int *order = memory_alloc(pack->question_count * (ptrdiff_t)sizeof *order);
    if (!order)
        return false;
    showing_question_order(pack, options->seed, order);
    for (int i = 0; i < pack->question_count; i++) {
        const struct question *question = &pack->questions[order[i]];
        struct plan_history history = { 0 };
        if (histories)
            history = histories[order[i]];
        if (!plan_mode_takes(options->mode, &history) || !plan_has_tag(question, options->tag))
            continue;
        if (plan_mode_picks(options->mode, &history) && !showing_is_picked(pack, order, i))
            continue;
        if (!memory_grow(&candidates->items, &candidates->capacity, candidates->count + 1,
                         sizeof *candidates->items))
            goto out;
        candidates->items[candidates->count] =
            (struct plan_candidate){ .entry = { .pack = pack, .question = question },
                                     .history = history,
                                     .place = (int)candidates->count };
        candidates->count++;
    }
    done = true;
out:
    memory_free(order);
    return done;
}

/* Overturned, due, new. */
static int plan_rank(const struct plan_candidate *candidate)
{
    return candidate->history.overturned ? 0 : candidate->history.graded ? 1 : 2;
}

/* Under MODE_DUE: overturned ones, those due, the longest overdue first, and new ones. */
static int plan_compare_due(const void *one, const void *other)
{
    const struct plan_candidate *a = one, *b = other;
    int first = plan_rank(a), second = plan_rank(b);
    if (first != second)
        return first - second;
    if (first == 1 && a->history.due_day != b->history.due_day)
        return a->history.due_day < b->history.due_day ? -1 : 1;
    if (first == 1 && a->history.due_at != b->history.due_at)
        return a->history.due_at < b->history.due_at ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* Puts the due ones among `items`, all of rank 1, in the queue's order. */
static bool plan_queue(struct plan_candidate *items, int count)
{
    struct queue_item *queue = memory_alloc((count + 1) * (ptrdiff_t)sizeof *queue);
    struct plan_candidate *copy = memory_alloc((count + 1) * (ptrdiff_t)sizeof *copy);
    bool done = queue && copy;
    for (int i = 0; done && i < count; i++) {
        const struct question *question = items[i].entry.question;
        copy[i] = items[i];
        queue[i] = (struct queue_item){
            .retrievability = items[i].history.retrievability,
            .topic = question->tags.count ? question->tags.items[0] : items[i].entry.pack->id,
            .place = items[i].place,
            .index = i,
        };
    }
    done = done && queue_order(queue, count);
    for (int i = 0; done && i < count; i++)
        items[i] = copy[queue[i].index];
    memory_free(queue);
    memory_free(copy);
    return done;
}

static int plan_least(int one, int other)
{
    return one < other ? one : other;
}

/* Sorts, and moves what is asked to the front: due ones, then new ones. *count says how many that are. */
static bool plan_choose_due(struct plan_candidates *candidates, const struct plan_options *options,
                            int *count, struct plan_count *made)
{
    struct plan_candidate *items = candidates->items;
    int all = (int)candidates->count, ranks[3] = { 0 };
    if (all > 1)
        qsort(items, (size_t)all, sizeof *items, plan_compare_due);
    for (int i = 0; i < all; i++)
        ranks[plan_rank(&items[i])]++;
    int due = ranks[0] + ranks[1], fresh = ranks[2];
    made->due = plan_least(due, options->limit ? options->limit : options->due_left);
    made->fresh = plan_least(fresh, options->limit ? options->limit - made->due : options->new_left);
    made->due_waiting = due - made->due;
    made->new_waiting = fresh - made->fresh;
    if (made->due > ranks[0] && !plan_queue(items + ranks[0], made->due - ranks[0]))
        return false;
    if (made->fresh)
        memmove(items + made->due, items + due, (size_t)made->fresh * sizeof *items);
    *count = made->due + made->fresh;
    return true;
}

bool plan_make(struct session_entry **entries, int *count, struct plan_count *made,
               const struct pack *const *packs, const struct plan_history *const *histories, int pack_count,
               const struct plan_options *options)
{
    struct plan_candidates candidates = { 0 };
    struct plan_count counts = { 0 };
    bool done = false;
    *entries = NULL;
    *count = 0;
    for (int i = 0; i < pack_count; i++)
        if (!plan_gather(&candidates, packs[i], histories ? histories[i] : NULL, options))
            goto out;
    int chosen = (int)candidates.count;
    if (options->mode == MODE_DUE) {
        if (!plan_choose_due(&candidates, options, &chosen, &counts))
            goto out;
    } else if (options->limit) {
        chosen = plan_least(chosen, options->limit);
    }
    *entries = memory_alloc(chosen * (ptrdiff_t)sizeof **entries);
    if (!*entries)
        goto out;
    for (int i = 0; i < chosen; i++)
        (*entries)[i] = candidates.items[i].entry;
    *count = chosen;
    if (made)
        *made = counts;
    done = true;
out:
    memory_free(candidates.items);
    return done;
}
