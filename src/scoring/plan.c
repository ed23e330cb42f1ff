#include <quiztutor/plan.h>

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

static bool plan_has_tag(const struct question *question, const char *tag)
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
    switch (mode) {
    case MODE_NEW:
        return !history->seen;
    case MODE_MISTAKES:
        return history->seen && history->last != OUTCOME_RIGHT;
    case MODE_STARRED:
        return false; /* nothing can be starred yet */
    case MODE_DUE:
    case MODE_ALL:
    case PLAN_MODES:
        break;
    }
    return true;
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
        if (!plan_has_tag(question, options->tag) || !plan_mode_takes(options->mode, &history))
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

/*
 * Under MODE_DUE: what was seen and not right the last time, the longest ago first; then what was seen, the
 * longest ago first; then what is new, in order (1).
 */
static int plan_compare_due(const void *one, const void *other)
{
    const struct plan_candidate *a = one, *b = other;
    if (a->history.seen != b->history.seen)
        return a->history.seen ? -1 : 1;
    if (a->history.seen) {
        bool a_right = a->history.last == OUTCOME_RIGHT, b_right = b->history.last == OUTCOME_RIGHT;
        if (a_right != b_right)
            return a_right ? 1 : -1;
        if (a->history.answered_at != b->history.answered_at)
            return a->history.answered_at < b->history.answered_at ? -1 : 1;
    }
    return a->place < b->place ? -1 : a->place > b->place;
}

bool plan_make(struct session_entry **entries, int *count, const struct pack *const *packs,
               const struct plan_history *const *histories, int pack_count,
               const struct plan_options *options)
{
    struct plan_candidates candidates = { 0 };
    bool done = false;
    *entries = NULL;
    *count = 0;
    for (int i = 0; i < pack_count; i++)
        if (!plan_gather(&candidates, packs[i], histories ? histories[i] : NULL, options))
            goto out;
    if (options->mode == MODE_DUE && candidates.count > 1)
        qsort(candidates.items, (size_t)candidates.count, sizeof *candidates.items, plan_compare_due);
    *entries = memory_alloc(candidates.count * (ptrdiff_t)sizeof **entries);
    if (!*entries)
        goto out;
    int new_left =
        options->mode == MODE_DUE && options->limit == 0 ? options->new_left : (int)candidates.count;
    for (ptrdiff_t i = 0; i < candidates.count; i++) {
        if (options->limit > 0 && *count >= options->limit)
            break;
        if (!candidates.items[i].history.seen && new_left-- <= 0)
            continue;
        (*entries)[(*count)++] = candidates.items[i].entry;
    }
    done = true;
out:
    memory_free(candidates.items);
    return done;
}
