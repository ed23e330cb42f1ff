/*
 * Questions that ask nearly the same. Comparing each with each would take for ever in a large pack: only
 * those are compared that fall into one bucket, and of a bucket only the newest. Buckets come from the answer
 * (so two questions with other answers never meet) and from the smallest hashes of the words (Broder, "On the
 * resemblance and containment of documents", 1997): questions that share most of their words share some of
 * these. Bands of two such hashes, as in Leskovec, Rajaraman and Ullman, "Mining of Massive Datasets", 3.4.
 */
#include "review_private.h"

#include <quiztutor/derive.h>
#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <stdlib.h>
#include <string.h>

enum {
    BANDS = 6,    /* two questions that share four words in five are missed once in 500 times */
    ROWS = 2,     /* hashes a band */
    LOOKS = 8,    /* at the newest of a bucket */
    ALIKE_OF = 6, /* different words of both, below which only equal ones are told */
};

/* What is known of each question. */
struct asked {
    uint64_t exact;  /* of what stands above the prompt, its words in their order, and all choices */
    uint64_t answer; /* of the right choices, what stands above, and the numbers and signs in the prompt */
    ptrdiff_t words; /* where its words begin in `words` */
    int count;       /* of different words */
    bool told;
};

struct entry {
    uint64_t key;
    int question;
    int next; /* older entry of this slot, from 1 */
};

struct alike {
    struct review *review;
    struct asked *asked;
    uint32_t *words; /* hashes, ascending within each question */
    ptrdiff_t words_count, words_capacity;
    struct entry *entries;
    ptrdiff_t count;
    int *slots; /* newest entry, from 1 */
    uint64_t mask;
};

/* The finisher of SplitMix64. */
static uint64_t mix(uint64_t z)
{
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t hash_words(const struct words *words)
{
    uint64_t hash = (uint64_t)words->count;
    for (ptrdiff_t i = 0; i < words->count; i++)
        hash = mix(hash ^ words->items[i].hash);
    return hash;
}

static uint64_t hash_text(const char *text)
{
    uint64_t hash = 0;
    for (; text && *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u + 1;
    return hash;
}

static int compare(const void *one, const void *other)
{
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

/* The different words of a prompt, ascending. */
static bool keep_words(struct alike *alike, struct asked *asked, const struct words *words)
{
    asked->words = alike->words_count;
    if (!memory_grow(&alike->words, &alike->words_capacity, alike->words_count + words->count + 1,
                     sizeof *alike->words))
        return false;
    uint32_t *kept = alike->words + asked->words;
    for (ptrdiff_t i = 0; i < words->count; i++)
        kept[i] = words->items[i].hash;
    qsort(kept, (size_t)words->count, sizeof *kept, compare);
    for (ptrdiff_t i = 0; i < words->count; i++)
        if (asked->count == 0 || kept[i] != kept[asked->count - 1])
            kept[asked->count++] = kept[i];
    alike->words_count += asked->count;
    return true;
}

/* The choices count in any order. */
static bool hash_choices(struct review *review, const struct question *question, struct asked *asked)
{
    for (int i = 0; i < question->key.choices.count; i++) {
        const struct choice *choice = &question->key.choices.items[i];
        if (!words_take(&review->scratch, choice->text))
            return false;
        uint64_t hash = mix(hash_text(buffer_get(&review->scratch.text)));
        asked->exact += hash;
        asked->answer += choice->correct ? hash : 0;
    }
    return true;
}

/* Texts in their order; all of them make the answer. */
static void hash_list(const struct text_list *list, struct asked *asked)
{
    uint64_t hash = (uint64_t)list->count;
    for (int i = 0; i < list->count; i++)
        hash = mix(hash ^ hash_text(list->items[i]));
    asked->exact += hash;
    asked->answer += hash;
}

static void hash_one(const char *text, struct asked *asked)
{
    hash_list(&(struct text_list){ &text, 1 }, asked);
}

/* What is right, of each type. False without memory. */
static bool hash_key(struct review *review, const struct question *question, struct asked *asked)
{
    switch (question->type) {
    case QUESTION_NUMBER:
        hash_one(question->key.number.answer, asked);
        return true;
    case QUESTION_TEXT:
        hash_list(&question->key.text.accept, asked);
        return true;
    case QUESTION_ORDER:
        hash_list(&question->key.order, asked);
        return true;
    case QUESTION_MATCH:
        hash_list(&question->key.match.lefts, asked);
        hash_list(&question->key.match.rights, asked);
        return true;
    case QUESTION_RECALL:
        hash_one(question->key.recall, asked);
        return true;
    case QUESTION_TRUE_FALSE:
        return true;
    default:
        return hash_choices(review, question, asked);
    }
}

/* Of a parametrised question, what is worked out. */
static void hash_parameters(const struct parameters *parameters, struct asked *asked)
{
    for (int i = 0; parameters && i < parameters->derived_count; i++)
        hash_one(parameters->derived[i].expression, asked);
}

static bool take_question(struct alike *alike, int number)
{
    struct review *review = alike->review;
    const struct question *question = &review->pack->questions[number];
    struct asked *asked = &alike->asked[number];
    struct words *prompt = &review->prompt;
    uint64_t beside = mix(hash_text(question->figure)) + question->type;
    if (question->section > 0) { /* what stands above the prompt belongs to the question */
        const struct section *section = &review->pack->sections[question->section - 1];
        beside += mix(hash_text(section->intro)) ^ mix(hash_text(section->intro_figure) + 1);
    }
    if (!words_take(prompt, question->prompt) || !keep_words(alike, asked, prompt))
        return false;
    for (const char *at = question->prompt; *at; at++) /* "a + b" is not "a - b" */
        if (strchr("+*/<>=^|&", *at) || (*at == '-' && at > question->prompt && at[-1] == ' '))
            beside += mix((uint64_t)*at);
    asked->exact = mix(hash_words(prompt)) + beside;
    asked->answer = beside;
    for (ptrdiff_t i = 0; i < prompt->count; i++)
        if (prompt->items[i].digits)
            asked->answer += mix(prompt->items[i].hash);
    if (question->type == QUESTION_TRUE_FALSE) /* true and false say nothing: the statement decides */
        asked->answer = asked->exact;
    hash_parameters(question->parameters, asked);
    return hash_key(review, question, asked);
}

/* Shared words, of all that either has. */
static int shared_words(const struct alike *alike, const struct asked *one, const struct asked *other,
                        int *all)
{
    const uint32_t *a = alike->words + one->words, *b = alike->words + other->words;
    int shared = 0;
    for (int i = 0, k = 0; i < one->count && k < other->count;) {
        shared += a[i] == b[k];
        int step = a[i] <= b[k];
        k += b[k] <= a[i];
        i += step;
    }
    *all = one->count + other->count - shared;
    return shared;
}

static void tell(struct alike *alike, int number, int earlier, int shared, int all)
{
    struct review *review = alike->review;
    const struct question *first = &review->pack->questions[earlier];
    const struct place *place = &review->outline.questions[number].prompt;
    const char *hint = tr("delete one, or make it ask something else");
    bool truth = review->pack->questions[number].type == QUESTION_TRUE_FALSE;
    bool choices = review_has_choices(&review->pack->questions[number]);
    alike->asked[number].told = true;
    if (alike->asked[number].exact == alike->asked[earlier].exact && truth)
        review_tell(review, REVIEW_ALIKE_QUESTIONS, place, hint,
                    tr("this statement is the same as that of \"%s\" in line %d"), first->id, first->line);
    else if (alike->asked[number].exact == alike->asked[earlier].exact)
        review_tell(review, REVIEW_ALIKE_QUESTIONS, place, hint,
                    choices ? tr("this question is the same as \"%s\" in line %d: its prompt and its choices")
                            : tr("this question is the same as \"%s\" in line %d: its prompt and its answer"),
                    first->id, first->line);
    else
        review_tell(review, REVIEW_ALIKE_QUESTIONS, place, hint,
                    tr("this question is nearly the same as \"%s\" in line %d: the same answer, and %d of %d "
                       "words of the prompts"),
                    first->id, first->line, shared, all);
}

/* True when the two were told. */
static bool meet(struct alike *alike, int number, int earlier)
{
    const struct asked *one = &alike->asked[number], *other = &alike->asked[earlier];
    int all, shared = shared_words(alike, one, other, &all);
    bool exact = one->exact == other->exact;
    bool near = one->answer == other->answer && ((all >= ALIKE_OF && 5 * shared >= 4 * all) || shared == all);
    if (exact || near)
        tell(alike, number, earlier, shared, all);
    return exact || near;
}

/* Looks at who is in the bucket, and goes in. */
static void enter(struct alike *alike, int number, uint64_t key)
{
    int *slot = &alike->slots[key & alike->mask];
    int looks = 0;
    for (int at = *slot; at && looks < LOOKS && !alike->asked[number].told;
         at = alike->entries[at - 1].next) {
        const struct entry *entry = &alike->entries[at - 1];
        looks++;
        if (entry->key == key && entry->question != number && meet(alike, number, entry->question))
            break;
    }
    alike->entries[alike->count] = (struct entry){ key, number, *slot };
    *slot = (int)++alike->count;
}

static void place_question(struct alike *alike, int number)
{
    const struct asked *asked = &alike->asked[number];
    enter(alike, number, mix(asked->exact));
    if (alike->review->pack->questions[number].type == QUESTION_TRUE_FALSE)
        return;
    for (int band = 0; band < BANDS; band++) {
        uint64_t key = mix(asked->answer + (uint64_t)band + 1);
        for (int row = 0; row < ROWS; row++) {
            uint64_t seed = mix((uint64_t)(band * ROWS + row)), least = UINT64_MAX;
            for (int i = 0; i < asked->count; i++) {
                uint64_t hash = mix(alike->words[asked->words + i] ^ seed);
                least = hash < least ? hash : least;
            }
            key = mix(key ^ least);
        }
        enter(alike, number, key);
    }
}

void alike_questions(struct review *review)
{
    struct alike alike = { .review = review };
    ptrdiff_t count = review->pack->question_count, entries = count * (BANDS + 1), slots = 1;
    while (slots < 2 * entries)
        slots *= 2;
    alike.mask = (uint64_t)slots - 1;
    alike.asked = memory_zero(count * (ptrdiff_t)sizeof *alike.asked);
    alike.entries = memory_alloc(entries * (ptrdiff_t)sizeof *alike.entries);
    alike.slots = memory_zero(slots * (ptrdiff_t)sizeof *alike.slots);
    review->failed = !alike.asked || !alike.entries || !alike.slots;
    for (int i = 0; i < count && !review->failed; i++) {
        if (review_allows(review, i, REVIEW_ALIKE_QUESTIONS))
            continue;
        review->failed = !take_question(&alike, i);
        if (!review->failed)
            place_question(&alike, i);
    }
    memory_free(alike.asked);
    memory_free(alike.words);
    memory_free(alike.entries);
    memory_free(alike.slots);
}
