#include <quiztutor/memory.h>
#include <quiztutor/queue.h>

#include <stdlib.h>
#include <string.h>

/* Items of one topic, a run of the sorted items linked by `next`. */
struct queue_topic {
    int head; /* the next one to ask: a place among the sorted items, −1 when none is left */
    int left;
};

struct queue {
    const struct queue_item *items; /* sorted */
    int *next;                      /* of the same topic, −1 at its end */
    int *topic_of;
    struct queue_topic *topics;
    int *heap; /* topics with something left, the one with the first head on top */
    int heap_count;
    int *with; /* how many topics have this many left */
    int most;  /* left in a topic */
};

static double queue_chance(const struct queue_item *item)
{
    return item->retrievability > 0 ? item->retrievability : 0; /* and what is no number */
}

static int queue_compare(const void *one, const void *other)
{
    const struct queue_item *a = one, *b = other;
    double first = queue_chance(a), second = queue_chance(b);
    if (first < second || first > second)
        return first < second ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

struct queue_name {
    const char *topic;
    int place;
};

static int queue_compare_names(const void *one, const void *other)
{
    const struct queue_name *a = one, *b = other;
    int order = strcmp(a->topic ? a->topic : "", b->topic ? b->topic : "");
    if (order)
        return order;
    return a->place < b->place ? -1 : a->place > b->place;
}

static bool queue_before(const struct queue *queue, int one, int other)
{
    return queue->topics[queue->heap[one]].head < queue->topics[queue->heap[other]].head;
}

/* Lets the topic at `place` of the heap sink to where it belongs. */
static void queue_sink(struct queue *queue, int place)
{
    for (;;) {
        int least = place;
        for (int child = 2 * place + 1; child <= 2 * place + 2 && child < queue->heap_count; child++)
            if (queue_before(queue, child, least))
                least = child;
        if (least == place)
            return;
        int topic = queue->heap[place];
        queue->heap[place] = queue->heap[least];
        queue->heap[least] = topic;
        place = least;
    }
}

/* Parts the sorted items into topics. False without memory. */
static bool queue_part(struct queue *queue, int count)
{
    struct queue_name *names = memory_alloc(count * (ptrdiff_t)sizeof *names);
    if (!names)
        return false;
    for (int i = 0; i < count; i++)
        names[i] = (struct queue_name){ queue->items[i].topic, i };
    qsort(names, (size_t)count, sizeof *names, queue_compare_names);
    for (int i = 0; i < count; i++) {
        bool same = i > 0 && strcmp(names[i].topic ? names[i].topic : "",
                                    names[i - 1].topic ? names[i - 1].topic : "") == 0;
        if (same) {
            queue->next[names[i - 1].place] = names[i].place;
        } else {
            queue->topics[queue->heap_count] = (struct queue_topic){ .head = names[i].place };
            queue->heap[queue->heap_count] = queue->heap_count;
            queue->heap_count++;
        }
        queue->topics[queue->heap_count - 1].left++;
        queue->topic_of[names[i].place] = queue->heap_count - 1;
        queue->next[names[i].place] = -1;
    }
    for (int i = 0; i < queue->heap_count; i++) {
        int left = queue->topics[i].left;
        queue->with[left]++;
        if (left > queue->most)
            queue->most = left;
    }
    for (int i = queue->heap_count / 2; i-- > 0;)
        queue_sink(queue, i);
    memory_free(names);
    return true;
}

/*
 * Where in the heap the topic to ask next stands. A topic with so much left that every other one of the
 * `left` items must be of it can't wait; else it is the topic whose item comes first, unless it was the last
 * one asked and there is another. Both never make more neighbours alike than the topics' numbers force.
 */
static int queue_choose(const struct queue *queue, int left, int last)
{
    if (2 * queue->most > left)
        for (int i = 0; i < queue->heap_count; i++)
            if (queue->heap[i] != last && 2 * queue->topics[queue->heap[i]].left > left)
                return i;
    if (queue->heap_count == 1 || queue->heap[0] != last)
        return 0;
    return queue->heap_count > 2 && queue_before(queue, 2, 1) ? 2 : 1;
}

/* Takes the next item of the topic at `place` of the heap; its place among the sorted items. */
static int queue_take(struct queue *queue, int place)
{
    struct queue_topic *topic = &queue->topics[queue->heap[place]];
    int taken = topic->head;
    queue->with[topic->left]--;
    topic->left--;
    queue->with[topic->left]++;
    while (queue->most > 0 && !queue->with[queue->most])
        queue->most--;
    topic->head = queue->next[taken];
    if (topic->head < 0)
        queue->heap[place] = queue->heap[--queue->heap_count];
    queue_sink(queue, place);
    return taken;
}

bool queue_order(struct queue_item *items, int count)
{
    if (count < 2)
        return true;
    ptrdiff_t room = count + 1;
    struct queue queue = {
        .next = memory_alloc(room * (ptrdiff_t)sizeof *queue.next),
        .topic_of = memory_alloc(room * (ptrdiff_t)sizeof *queue.topic_of),
        .topics = memory_zero(room * (ptrdiff_t)sizeof *queue.topics),
        .heap = memory_alloc(room * (ptrdiff_t)sizeof *queue.heap),
        .with = memory_zero(room * (ptrdiff_t)sizeof *queue.with),
    };
    struct queue_item *sorted = memory_alloc(room * (ptrdiff_t)sizeof *sorted);
    bool done = queue.next && queue.topic_of && queue.topics && queue.heap && queue.with && sorted;
    if (!done)
        goto out;
    memcpy(sorted, items, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, queue_compare);
    queue.items = sorted;
    done = queue_part(&queue, count);
    for (int i = 0, last = -1; done && i < count; i++) {
        int taken = queue_take(&queue, queue_choose(&queue, count - i, last));
        last = queue.topic_of[taken];
        items[i] = sorted[taken];
    }
out:
    memory_free(queue.next);
    memory_free(queue.topic_of);
    memory_free(queue.topics);
    memory_free(queue.heap);
    memory_free(queue.with);
    memory_free(sorted);
    return done;
}
