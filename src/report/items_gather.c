/* From the stream of attempts to the items of a pack. */
#include "item.h"

#include <quiztutor/grade.h>
#include <quiztutor/message.h>

#include <math.h>
#include <string.h>

void items_init(struct items *items, struct build *build, const char *pack)
{
    *items = (struct items){ .build = build, .pack = pack, .own_sitting = -1 };
    arena_init(&items->arena);
    arena_init(&items->chunks);
    places_init(&items->typed);
    buffer_init(&items->key);
    places_init(&items->names);
    places_init(&items->shares);
    places_init(&items->undone);
    places_init(&items->voided);
    asked_init(&items->asked, build);
}

void items_finish(struct items *items)
{
    for (int i = 0; i < items->count; i++)
        memory_free(items->items[i]->answers);
    memory_free(items->typed_answers);
    places_finish(&items->typed);
    buffer_finish(&items->key);
    arena_finish(&items->chunks);
    memory_free(items->items);
    memory_free(items->values);
    places_finish(&items->names);
    places_finish(&items->shares);
    places_finish(&items->undone);
    places_finish(&items->voided);
    asked_finish(&items->asked);
    arena_finish(&items->arena);
}

bool item_is_newest(const struct items *items, int place)
{
    return items->items[place]->newest == place;
}

/* The library's question where it is of the same revision, so that its choices stand in the author's order;
 * else as it was asked first. */
static const struct question *today_of(struct items *items, const struct attempt *attempt,
                                       const struct question *asked)
{
    const struct question *today = asked_today(items->build, items->pack, attempt->question);
    char revision[PACK_REVISION + 1];
    if (!today || today->parameters)
        return asked;
    if (question_revision(today, revision))
        return strcmp(revision, attempt->revision) == 0 ? today : asked;
    items->build->failed = true;
    return asked;
}

/* The item of an attempt, made where it is the first. NULL without memory, or where the store failed. */
static struct item *item_of(struct items *items, const struct attempt *attempt)
{
    struct build *build = items->build;
    char key[PACK_ID + PACK_REVISION + 64];
    size_t first = strnlen(attempt->question, PACK_ID), second = strnlen(attempt->revision, 32);
    memcpy(key, attempt->question, first);
    key[first] = '\0';
    memcpy(key + first + 1, attempt->revision, second);
    bool fresh;
    int place = places_add(&items->names, key, (ptrdiff_t)(first + 1 + second), &fresh);
    if (place >= 0 && !fresh)
        return items->items[place];
    struct item *item = place < 0 ? NULL : arena_alloc(&items->arena, sizeof *item);
    if (!item || !memory_grow(&items->items, &items->capacity, items->count + 1, sizeof *items->items)) {
        error_memory(build->error);
        return NULL;
    }
    items->items[items->count++] = item;
    item->question = build_copy(build, attempt->question);
    item->revision = build_copy(build, attempt->revision);
    item->opens = build_say(build, "%s/%s", items->pack, item->question);
    item->marks = attempt->marks;
    item->guess = -1;
    item->newest_at = INT64_MIN;
    item->median_ms = -1;
    const struct question *question;
    if (!asked_find(&items->asked, build->stores[attempt->store], &attempt->content, items->pack,
                    attempt->question, &question))
        return NULL;
    question = today_of(items, attempt, question);
    item->prompt = asked_prompt(build, question, attempt->question);
    if (question) {
        item->kind = question->type;
        item->type = question_type_name(question->type);
        item->guess = grade_guess(question);
        item_list_answers(items, item, question);
    }
    return item;
}

static bool value_of(struct items *items, double share, uint32_t answer, uint32_t *value)
{
    struct item_value is;
    memset(&is, 0, sizeof is);        /* its padding too: it is a key */
    is.share = share > 0 ? share : 0; /* −0 is 0 */
    is.answer = answer;
    int place = places_add(&items->shares, &is, sizeof is, NULL);
    if (place < 0 || !memory_grow(&items->values, &items->value_capacity, place + 1, sizeof *items->values))
        return false;
    items->values[place] = is;
    *value = (uint32_t)place;
    return true;
}

static void put(struct item_chunk *chunk, uint32_t number)
{
    for (; number > 127; number >>= 7)
        chunk->bytes[chunk->length++] = (unsigned char)(number | 128);
    chunk->bytes[chunk->length++] = (unsigned char)number;
}

static bool add_entry(struct items *items, struct item *item, const struct item_entry *entry)
{
    if (!item->last || item->last->length > ITEM_CHUNK - ITEM_ENTRY) {
        struct item_chunk *chunk = arena_alloc(&items->chunks, sizeof *chunk);
        if (!chunk)
            return false;
        if (item->last)
            item->last->next = chunk;
        else
            item->first = chunk;
        item->last = chunk;
    }
    put(item->last, entry->sitting - item->last_sitting);
    put(item->last, entry->value);
    put(item->last, (uint32_t)entry->elapsed_ms + 1);
    item->last_sitting = entry->sitting;
    return true;
}

static void end_certainty(struct items *items)
{
    struct item_certainty *all = &items->certainty, *own = &items->own;
    if (own->given) {
        all->marks += own->marks;
        all->shares += own->shares;
        all->given += own->given;
        all->omitted += own->omitted;
    }
    *own = (struct item_certainty){ 0 };
}

/* Answers left out count for who was asked how sure they were: that is seen by the answers they gave. */
static void take_certainty(struct items *items, const struct attempt *attempt)
{
    struct item_certainty *own = &items->own;
    if (attempt->person != items->own_sitting)
        end_certainty(items);
    items->own_sitting = attempt->person;
    if (attempt->outcome == OUTCOME_OMITTED) {
        own->omitted++;
    } else if (attempt->certainty) {
        own->given++;
        own->shares += attempt->share;
        own->marks += grade_certainty_mark(attempt->outcome, attempt->share, attempt->certainty);
    }
}

static bool take(struct items *items, const struct attempt *attempt)
{
    struct build *build = items->build;
    struct item *item = item_of(items, attempt);
    struct item_entry entry = { .sitting = (uint32_t)attempt->person,
                                .elapsed_ms = attempt->elapsed_ms > INT32_MAX
                                                  ? INT32_MAX
                                                  : (int32_t)attempt->elapsed_ms };
    uint32_t answer;
    if (!item || !item_answer_of(items, item, attempt, &answer))
        return false;
    item->count++;
    item->shares += attempt->share;
    item->newest_at = attempt->answered_at > item->newest_at ? attempt->answered_at : item->newest_at;
    if (attempt->outcome == OUTCOME_OMITTED) {
        item->omitted++;
        entry.elapsed_ms = -1;
    }
    items->attempts++;
    items->graded += attempt->graded;
    items->sitting_count = attempt->person + 1;
    take_certainty(items, attempt);
    return (value_of(items, attempt->share, answer, &entry.value) && add_entry(items, item, &entry)) ||
           error_memory(build->error);
}

/* The newest revision of each question: the library's of today, if there are answers to it, else that of the
 * newest answer. */
static bool find_newest(struct items *items)
{
    struct build *build = items->build;
    struct places questions;
    int *newest = memory_alloc((items->count + 1) * (ptrdiff_t)sizeof *newest);
    const struct pack *pack = build_pack(build, items->pack);
    bool done = newest != NULL;
    places_init(&questions);
    for (int i = 0; done && i < items->count; i++) {
        struct item *item = items->items[i];
        bool fresh;
        int place = places_add(&questions, item->question, (ptrdiff_t)strlen(item->question), &fresh);
        done = place >= 0;
        if (done && (fresh || item->newest_at > items->items[newest[place]]->newest_at))
            newest[place] = i;
    }
    for (int i = 0; done && i < items->count; i++) {
        struct item *item = items->items[i];
        char revision[PACK_REVISION + 1];
        int at = pack ? pack_find(pack, item->question) : -1;
        item->place = at < 0 ? INT32_MAX : at;
        if (at < 0)
            continue;
        done = question_revision(&pack->questions[at], revision);
        if (done && strcmp(revision, item->revision) == 0)
            newest[places_find(&questions, item->question, (ptrdiff_t)strlen(item->question))] = i;
    }
    for (int i = 0; done && i < items->count; i++) {
        struct item *item = items->items[i];
        item->newest = newest[places_find(&questions, item->question, (ptrdiff_t)strlen(item->question))];
        items->newest_count += item->newest == i;
    }
    places_finish(&questions);
    memory_free(newest);
    return done || error_memory(build->error);
}

/* They stand with the newest revision. */
static void count_undone(struct items *items, const struct attempts *attempts, struct build_made *made)
{
    for (int i = 0; i < items->count; i++) {
        struct item *item = items->items[i];
        int place = places_find(&items->undone, item->question, (ptrdiff_t)strlen(item->question));
        if (place < 0 || !item_is_newest(items, i))
            continue;
        item->undone = attempts->undone_counts[place];
        made->undone += item->undone;
    }
}

static bool see_voided(struct items *items, const struct attempt *row)
{
    return !row->voided || !row->graded ||
           places_add(&items->voided, row->question, (ptrdiff_t)strlen(row->question) + 1, NULL) >= 0 ||
           error_memory(items->build->error);
}

bool items_gather(struct items *items, struct build_made *made, struct places *learners)
{
    struct build *build = items->build;
    struct attempts attempts;
    struct attempt row;
    struct uuid before = { 0 };
    int found = -1;
    if (attempts_open(&attempts, build, items->pack, true, false)) {
        attempts.undone_of = &items->undone;
        while ((found = attempts_next(&attempts, &row)) > 0) {
            if (!row.chosen) {
                if (!see_voided(items, &row)) {
                    found = -1;
                    break;
                }
                continue;
            }
            if (!take(items, &row)) {
                found = -1;
                break;
            }
            build_made_day(made, row.day);
            if (!uuid_equal(&before, &row.learner) &&
                places_add(learners, &row.learner, sizeof row.learner, NULL) < 0) {
                error_memory(build->error);
                found = -1;
                break;
            }
            before = row.learner;
        }
    }
    end_certainty(items);
    bool done = found == 0 && find_newest(items);
    if (done)
        count_undone(items, &attempts, made);
    attempts_close(&attempts);
    if (!done)
        return false;
    made->attempts += items->attempts;
    made->regraded += items->graded;
    made->learners = learners->count;
    return true;
}
