#include <quiztutor/showing.h>

#include <stdio.h>
#include <string.h>

struct random_stream showing_stream(const char *pack_id, const char *question_id, uint32_t seed)
{
    char bytes[32 + 2 * PACK_ID + 16]; /* ids are at most PACK_ID bytes, as the loader made sure */
    int length = snprintf(bytes, sizeof bytes, "quiztutor/1%c%.*s%c%.*s%c%lu", 0, PACK_ID, pack_id, 0,
                          PACK_ID, question_id, 0, (unsigned long)seed);
    struct hash hash;
    hash_of(&hash, bytes, length);
    struct random_stream stream = { 0 };
    for (int i = 7; i >= 0; i--)
        stream.state = stream.state << 8 | hash.bytes[i];
    return stream;
}

void showing_shuffle(struct random_stream *stream, int *items, int count)
{
    for (int i = count - 1; i >= 1; i--) {
        int j = (int)random_below(stream, (uint64_t)i + 1);
        int item = items[i];
        items[i] = items[j];
        items[j] = item;
    }
}

/* The choices that are not pinned change places among themselves. */
static void showing_shuffle_choices(struct showing *showing, struct random_stream *stream)
{
    const struct question *question = showing->question;
    int free_places[PACK_CHOICES], shuffled[PACK_CHOICES], count = 0;
    for (int i = 0; i < showing->count; i++)
        if (question->key.choices.items[i].pin == PIN_NONE) {
            free_places[count] = i;
            shuffled[count++] = i;
        }
    showing_shuffle(stream, shuffled, count);
    for (int i = 0; i < count; i++)
        showing->places[free_places[i]] = (unsigned char)shuffled[i];
}

static void showing_shuffle_all(unsigned char *places, int count, struct random_stream *stream)
{
    int shuffled[PACK_CHOICES];
    for (int i = 0; i < count; i++)
        shuffled[i] = i;
    showing_shuffle(stream, shuffled, count);
    for (int i = 0; i < count; i++)
        places[i] = (unsigned char)shuffled[i];
}

/* An order that comes out right would give its answer away: its first item moves to the end. */
static void showing_shuffle_items(struct showing *showing, struct random_stream *stream)
{
    showing_shuffle_all(showing->places, showing->count, stream);
    for (int i = 0; i < showing->count; i++)
        if (showing->places[i] != i)
            return;
    memmove(showing->places, showing->places + 1, (size_t)showing->count - 1);
    showing->places[showing->count - 1] = 0;
}

/* What there is to place, in the author's order. */
static void showing_count(struct showing *showing)
{
    const struct question *question = showing->question;
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        showing->count = question->key.choices.count;
        break;
    case QUESTION_TRUE_FALSE:
        showing->count = 2;
        break;
    case QUESTION_ORDER:
        showing->count = question->key.order.count;
        break;
    case QUESTION_MATCH:
        showing->count = question->key.match.lefts.count;
        showing->target_count = question->key.match.rights.count;
        break;
    case QUESTION_NUMBER:
    case QUESTION_TEXT:
    case QUESTION_RECALL:
    case QUESTION_TYPES:
        break;
    }
    for (int i = 0; i < showing->count; i++)
        showing->places[i] = (unsigned char)i;
    for (int i = 0; i < showing->target_count; i++)
        showing->targets[i] = (unsigned char)i;
}

/* Puts values into a parametrised question: those drawn, or the first ones where they can't be worked out. */
static bool showing_instantiate(struct showing *showing, const struct question *question,
                                struct random_stream *stream, struct arena *arena)
{
    int picks[DERIVE_NAMES] = { 0 };
    struct error error = { 0 };
    struct question *instance = arena_alloc(arena, sizeof *instance);
    if (!instance)
        return false;
    for (int i = 0; showing->seed != 1 && i < parameters_draws(question->parameters); i++)
        picks[i] = (int)random_below(stream, (uint64_t)parameters_ways(question->parameters, i));
    bool done = question_instantiate(instance, question, picks, arena, &error);
    if (!done && error.code == ERROR_INPUT) {
        memset(picks, 0, sizeof picks);
        done = question_instantiate(instance, question, picks, arena, &error);
    }
    if (done)
        showing->question = instance;
    return done;
}

bool showing_init(struct showing *showing, const struct pack *pack, const struct question *question,
                  uint32_t seed, struct arena *arena)
{
    *showing = (struct showing){ .question = question, .seed = seed };
    bool choices = question->type == QUESTION_SINGLE_CHOICE || question->type == QUESTION_MULTIPLE_CHOICE;
    struct random_stream stream = showing_stream(pack->id, question->id, seed);
    if (question->parameters && !question->origin && !showing_instantiate(showing, question, &stream, arena))
        return false;
    showing_count(showing);
    if (choices && question->shuffle && seed != 1)
        showing_shuffle_choices(showing, &stream);
    else if (question->type == QUESTION_ORDER)
        showing_shuffle_items(showing, &stream);
    else if (question->type == QUESTION_MATCH)
        showing_shuffle_all(showing->targets, showing->target_count, &stream);
    return true;
}

uint32_t showing_seed(uint32_t seed, int showing)
{
    if (seed == 1)
        return 1;
    /* seeds from 2 to 2^32 − 1 form a ring of 2^32 − 2 */
    uint64_t place = (uint64_t)seed - 2 + (uint64_t)(showing > 0 ? showing - 1 : 0);
    return (uint32_t)(2 + place % (UINT32_MAX - 1));
}

/* One run of questions that change places among themselves, under the stream that `name` stands for. */
static void showing_order_run(const struct pack *pack, const char *name, uint32_t seed, int *order, int first,
                              int count)
{
    for (int i = 0; i < count; i++)
        order[i] = first + i;
    if (seed == 1 || pack->shuffle != SHUFFLE_ALL)
        return;
    struct random_stream stream = showing_stream(pack->id, name, seed);
    showing_shuffle(&stream, order, count);
}

void showing_question_order(const struct pack *pack, uint32_t seed, int *order)
{
    if (!pack->section_count)
        showing_order_run(pack, "", seed, order, 0, pack->question_count);
    for (int i = 0; i < pack->section_count; i++) {
        const struct section *section = &pack->sections[i];
        char name[16];
        snprintf(name, sizeof name, "#%d", i + 1);
        showing_order_run(pack, name, seed, order + section->first, section->first, section->count);
    }
}

bool showing_is_picked(const struct pack *pack, const int *order, int place)
{
    int number = pack->questions[order[place]].section;
    const struct section *section = number ? &pack->sections[number - 1] : NULL;
    return !section || place - section->first < section->pick;
}

int showing_picked_order(const struct pack *pack, uint32_t seed, int *order)
{
    int count = 0;
    showing_question_order(pack, seed, order);
    if (!pack->section_count)
        return pack->question_count;
    for (int i = 0; i < pack->section_count; i++) {
        const struct section *section = &pack->sections[i];
        memmove(order + count, order + section->first, (size_t)section->pick * sizeof *order);
        count += section->pick;
    }
    return count;
}
