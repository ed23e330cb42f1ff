#include "pack_diff.h"

#include <quiztutor/text.h>

#include <stdlib.h>
#include <string.h>

/* The comparison while it is made. */
struct work {
    struct pack_diff *diff;
    struct pack_diff_question *questions; /* room for all of both packs */
    int *renamed_to, *renamed_from;       /* by place in the old and the new pack; −1: it was not renamed */
};

/* ---- renamed questions: gone under one id, and there under another ---- */

struct print {
    struct hash hash;
    int place;
};

static int compare_prints(const void *one, const void *other)
{
    const struct print *a = one, *b = other;
    int order = memcmp(a->hash.bytes, b->hash.bytes, sizeof a->hash.bytes);
    return order ? order : (a->place > b->place) - (a->place < b->place);
}

static bool print_of(const struct question *question, bool whole, struct hash *hash)
{
    if (whole)
        return question_content(question, hash);
    char *prompt = text_canonical(question->prompt);
    if (prompt)
        hash_of(hash, prompt, (ptrdiff_t)strlen(prompt));
    memory_free(prompt);
    return prompt != NULL;
}

/* Prints of the questions of a pack that the other one does not have, and that found no partner yet. */
static struct print *prints_of(struct arena *arena, const struct pack *pack, const struct pack *other,
                               const int *partners, bool whole, int *count)
{
    struct print *prints = arena_alloc(arena, (pack->question_count + 1) * (ptrdiff_t)sizeof *prints);
    *count = 0;
    for (int i = 0; prints && i < pack->question_count; i++) {
        if (partners[i] >= 0 || pack_find(other, pack->questions[i].id) >= 0)
            continue;
        if (!print_of(&pack->questions[i], whole, &prints[*count].hash))
            return NULL;
        prints[(*count)++].place = i;
    }
    if (prints && *count > 1)
        qsort(prints, (size_t)*count, sizeof *prints, compare_prints);
    return prints;
}

/* Pairs those whose prints are equal: of the whole question, or of its prompt. */
static bool find_renamed(struct work *work, bool whole)
{
    struct pack_diff *diff = work->diff;
    struct arena arena;
    int gone, added;
    arena_init(&arena);
    struct print *old = prints_of(&arena, diff->old, diff->now, work->renamed_to, whole, &gone);
    struct print *now = prints_of(&arena, diff->now, diff->old, work->renamed_from, whole, &added);
    bool done = old && now;
    for (int i = 0, j = 0; done && i < gone && j < added;) {
        int order = memcmp(old[i].hash.bytes, now[j].hash.bytes, sizeof old[i].hash.bytes);
        if (order == 0) {
            work->renamed_to[old[i].place] = now[j].place;
            work->renamed_from[now[j].place] = old[i].place;
        }
        i += order <= 0;
        j += order >= 0;
    }
    arena_finish(&arena);
    return done;
}

/* ---- moved questions ---- */

/*
 * What is left of the common questions, in the order of the new pack, once the longest run that ascends in
 * the old one stands still. `tails[k]` is the smallest old place that a run of k + 1 can end with
 * (M. L. Fredman, On computing the length of longest increasing subsequences, 1975).
 */
static bool count_moved(struct work *work)
{
    struct pack_diff *diff = work->diff;
    ptrdiff_t room = (diff->now->question_count + 1) * (ptrdiff_t)sizeof(int);
    int *tails = memory_alloc(room);
    int longest = 0, common = 0;
    for (int i = 0; tails && i < diff->now->question_count; i++) {
        int place = pack_find(diff->old, diff->now->questions[i].id);
        place = place < 0 ? work->renamed_from[i] : place;
        if (place < 0)
            continue;
        common++;
        int low = 0, high = longest;
        while (low < high) {
            int middle = low + (high - low) / 2;
            if (tails[middle] < place)
                low = middle + 1;
            else
                high = middle;
        }
        tails[low] = place;
        longest += low == longest;
    }
    memory_free(tails);
    diff->moved = common - longest;
    return tails != NULL;
}

/* ---- all of it ---- */

static void keep(struct work *work, const struct pack_diff_question *one)
{
    struct pack_diff *diff = work->diff;
    work->questions[diff->question_count++] = *one;
    diff->added += one->change == CHANGE_ADDED;
    diff->gone += one->change == CHANGE_GONE;
    diff->renamed += one->change == CHANGE_RENAMED;
    diff->mended += one->change == CHANGE_MENDED;
    if (one->change != CHANGE_MENDED)
        return;
    diff->revised += one->revision;
    diff->overturned += one->overturned;
}

static bool compare_questions(struct work *work)
{
    struct pack_diff *diff = work->diff;
    const struct pack *old = diff->old, *now = diff->now;
    for (int i = 0; i < now->question_count; i++) {
        struct pack_diff_question one = { .change = CHANGE_MENDED, .now = &now->questions[i] };
        int place = pack_find(old, one.now->id);
        if (place < 0) {
            place = work->renamed_from[i];
            one.change = place < 0 ? CHANGE_ADDED : CHANGE_RENAMED;
        }
        one.old = place < 0 ? NULL : &old->questions[place];
        if (one.old && !diff_question(diff, &one))
            return false;
        if (one.change != CHANGE_MENDED || one.differs || one.revision || one.overturned)
            keep(work, &one);
    }
    for (int i = 0; i < old->question_count; i++) {
        struct pack_diff_question one = { .change = CHANGE_GONE, .old = &old->questions[i] };
        if (pack_find(now, one.old->id) < 0 && work->renamed_to[i] < 0)
            keep(work, &one);
    }
    return true;
}

bool pack_diff(struct pack_diff *diff, const struct pack *old, const struct pack *now)
{
    memset(diff, 0, sizeof *diff);
    arena_init(&diff->arena);
    diff->old = old;
    diff->now = now;
    ptrdiff_t before = old->question_count, after = now->question_count;
    struct work work = {
        .diff = diff,
        .questions = arena_alloc(&diff->arena, (before + after + 1) * (ptrdiff_t)sizeof *work.questions),
        .renamed_to = arena_alloc(&diff->arena, (before + 1) * (ptrdiff_t)sizeof(int)),
        .renamed_from = arena_alloc(&diff->arena, (after + 1) * (ptrdiff_t)sizeof(int)),
    };
    if (!work.questions || !work.renamed_to || !work.renamed_from)
        return false;
    memset(work.renamed_to, -1, (size_t)(before + 1) * sizeof(int));
    memset(work.renamed_from, -1, (size_t)(after + 1) * sizeof(int));
    diff->questions = work.questions;
    return find_renamed(&work, true) && find_renamed(&work, false) && count_moved(&work) && diff_head(diff) &&
           compare_questions(&work);
}

void pack_diff_finish(struct pack_diff *diff)
{
    arena_finish(&diff->arena);
}
