/* The summary at the end of a practice. */
#include "presenter_private.h"

#include <quiztutor/message.h>

#include <string.h>

struct topics {
    struct summary_topic *items;
    ptrdiff_t count, capacity;
};

static bool topics_add(struct topics *topics, const char *name, bool right)
{
    ptrdiff_t i = 0;
    while (i < topics->count && strcmp(topics->items[i].name, name) != 0)
        i++;
    if (i == topics->count) {
        if (!memory_grow(&topics->items, &topics->capacity, i + 1, sizeof *topics->items))
            return false;
        topics->items[topics->count++] = (struct summary_topic){ .name = name };
    }
    topics->items[i].asked++;
    topics->items[i].right += right;
    return true;
}

/* Misses and topics, by each question's first answer that stands. */
static bool present_review(struct presenter *presenter, const struct practice *practice,
                           struct topics *topics)
{
    const struct session *session = &practice->session;
    struct arena *arena = &presenter->summary_arena;
    struct summary_model *model = &presenter->summary;
    struct summary_miss *misses = arena_alloc(arena, (session->count + 1) * (ptrdiff_t)sizeof *misses);
    if (!misses)
        return false;
    for (int i = 0; i < session->count; i++) {
        const struct session_entry *entry = &session->entries[i];
        if (entry->first < 0 || !entry->question)
            continue;
        const struct session_answer *first = &session->answers[entry->first];
        bool right = first->verdict.outcome == OUTCOME_RIGHT;
        for (int k = 0; k < entry->question->tags.count; k++)
            if (!topics_add(topics, entry->question->tags.items[k], right))
                return false;
        if (right || entry->gone)
            continue;
        struct summary_miss *miss = &misses[model->miss_count++];
        miss->prompt = entry->question->prompt;
        miss->answer = present_choices(arena, entry->question, NULL);
        miss->response = first->answer.blank ? NULL : present_choices(arena, entry->question, &first->answer);
        if (!miss->answer || (!first->answer.blank && !miss->response))
            return false;
    }
    model->misses = misses;
    return true;
}

bool presenter_summary(struct presenter *presenter, const struct practice *practice)
{
    struct summary_model *model = &presenter->summary;
    struct arena *arena = &presenter->summary_arena;
    struct topics topics = { 0 };
    struct session_summary summary;

    arena_finish(arena);
    session_summarise(&practice->session, &summary);
    *model = (struct summary_model){
        .learner = practice->record.learner.name,
        .of = practice->session.count,
        .asked = summary.asked,
        .right = summary.right,
        .partly = summary.partly,
        .wrong = summary.wrong,
        .skipped = summary.skipped,
        .first_try = summary.first_try,
        .mark = summary.mark,
        .marks = summary.marks,
        .finished = summary.finished,
        .elapsed_ms = practice->elapsed_ms,
        .undone = practice->undone,
    };
    int packs = practice->options.pack_count;
    model->title = packs == 1 ? practice->options.packs[0]->title
                              : arena_print(arena, ntr("%d pack", "%d packs", packs), packs);
    bool done = model->title && present_review(presenter, practice, &topics);
    if (done && topics.count) {
        struct summary_topic *kept = arena_alloc(arena, topics.count * (ptrdiff_t)sizeof *kept);
        done = kept != NULL;
        if (kept) {
            memcpy(kept, topics.items, (size_t)topics.count * sizeof *kept);
            model->topics = kept;
            model->topic_count = (int)topics.count;
        }
    }
    memory_free(topics.items);
    return done;
}
