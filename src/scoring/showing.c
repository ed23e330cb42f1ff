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
static void showing_shuffle_choices(struct showing *showing, const struct pack *pack)
{
    const struct question *question = showing->question;
    int free_places[PACK_CHOICES], shuffled[PACK_CHOICES], count = 0;
    for (int i = 0; i < showing->count; i++)
        if (question->key.choices.items[i].pin == PIN_NONE) {
            free_places[count] = i;
            shuffled[count++] = i;
        }
    struct random_stream stream = showing_stream(pack->id, question->id, showing->seed);
    showing_shuffle(&stream, shuffled, count);
    for (int i = 0; i < count; i++)
        showing->places[free_places[i]] = (unsigned char)shuffled[i];
}

bool showing_init(struct showing *showing, const struct pack *pack, const struct question *question,
                  uint32_t seed, struct arena *arena)
{
    (void)arena;
    *showing = (struct showing){ .question = question, .seed = seed };
    bool choices = question->type == QUESTION_SINGLE_CHOICE || question->type == QUESTION_MULTIPLE_CHOICE;
    if (choices)
        showing->count = question->key.choices.count;
    else if (question->type == QUESTION_TRUE_FALSE)
        showing->count = 2;
    for (int i = 0; i < showing->count; i++)
        showing->places[i] = (unsigned char)i;
    if (choices && question->shuffle && seed != 1)
        showing_shuffle_choices(showing, pack);
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
