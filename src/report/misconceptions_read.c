#include "misconceptions.h"

#include "response_words.h"

#include <string.h>

/* An answer that showed one; and the newest right answer to a question. */
struct occurrence {
    int tag, question;
    int64_t at, seq;
    int utc_offset_s;
};
struct corrected {
    int question;
    int64_t at, seq;
};

/* What is held of one learner. */
struct reading {
    struct misconceptions *all;
    struct uuid learner;
    int learner_place; /* −1: none yet */
    struct occurrence *occurrences;
    struct corrected *corrected;
    ptrdiff_t occurrence_capacity, corrected_capacity;
    int occurrence_count, corrected_count;
    struct buffer key;
};

static bool no_memory(struct reading *reading)
{
    return error_memory(reading->all->build->error);
}

static int pair_place(struct places *places, int question, int tag, bool *fresh)
{
    const int pair[2] = { question, tag };
    return places_add(places, pair, sizeof pair, fresh);
}

static bool has_pair(const struct places *places, int question, int tag)
{
    const int pair[2] = { question, tag };
    return places_find(places, pair, sizeof pair) >= 0;
}

static int tag_place(struct misconceptions *all, const char *tag)
{
    bool fresh;
    int place = places_add(&all->tags, tag, (ptrdiff_t)strlen(tag) + 1, &fresh);
    if (place < 0 || !memory_grow(&all->items, &all->item_capacity, place + 1, sizeof *all->items))
        return -1;
    if (fresh)
        all->items[place] = (struct misconception){ 0 };
    return place;
}

/* The question's place; *fresh: of this revision none was looked at yet. −1 without memory. */
static int question_place(struct reading *reading, const struct attempt *attempt, bool *fresh)
{
    struct misconceptions *all = reading->all;
    struct buffer *key = &reading->key;
    buffer_clear(key);
    buffer_add(key, attempt->pack, (ptrdiff_t)strlen(attempt->pack) + 1);
    buffer_add(key, attempt->question, (ptrdiff_t)strlen(attempt->question) + 1);
    int place = key->failed ? -1 : places_add(&all->questions, buffer_get(key), key->length, NULL);
    buffer_text(key, attempt->revision);
    if (key->failed || places_add(&all->revisions, buffer_get(key), key->length, fresh) < 0)
        return -1;
    return place;
}

static bool is_after(int64_t at, int64_t seq, const struct occurrence *occurrence)
{
    return at > occurrence->at || (at == occurrence->at && seq > occurrence->seq);
}

static bool is_put_right(const struct reading *reading, const struct occurrence *occurrence)
{
    for (int i = 0; i < reading->corrected_count; i++) {
        const struct corrected *corrected = &reading->corrected[i];
        if (is_after(corrected->at, corrected->seq, occurrence) &&
            (corrected->question == occurrence->question ||
             has_pair(&reading->all->can_show, corrected->question, occurrence->tag)))
            return true;
    }
    return false;
}

static bool add_holder(struct reading *reading, const struct misconception_holder *holder)
{
    struct misconceptions *all = reading->all;
    struct misconception *item = &all->items[holder->tag];
    item->learners++;
    item->still += holder->still;
    item->times += holder->times;
    item->put_right += holder->put_right;
    if (all->holder_count == MISCONCEPTIONS_HELD) {
        all->holders_cut = true;
        return true;
    }
    if (!memory_grow(&all->holders, &all->holder_capacity, all->holder_count + 1, sizeof *all->holders))
        return no_memory(reading);
    all->holders[all->holder_count++] = *holder;
    return true;
}

/* Sums up the occurrences of one tag, and takes them away from the list. */
static bool take_tag(struct reading *reading)
{
    struct occurrence *list = reading->occurrences;
    struct misconception_holder holder = { .tag = list[0].tag,
                                           .learner = reading->learner_place,
                                           .last_at = INT64_MIN };
    int64_t last_seq = INT64_MIN;
    int kept = 0;
    for (int i = 0; i < reading->occurrence_count; i++) {
        if (list[i].tag != holder.tag) {
            list[kept++] = list[i];
            continue;
        }
        bool right = is_put_right(reading, &list[i]);
        holder.times++;
        holder.put_right += right;
        if (list[i].at > holder.last_at || (list[i].at == holder.last_at && list[i].seq > last_seq)) {
            holder.last_at = list[i].at;
            last_seq = list[i].seq;
            holder.utc_offset_s = list[i].utc_offset_s;
            holder.still = !right;
        }
    }
    reading->occurrence_count = kept;
    return add_holder(reading, &holder);
}

static bool end_learner(struct reading *reading)
{
    while (reading->occurrence_count)
        if (!take_tag(reading))
            return false;
    reading->corrected_count = 0;
    return true;
}

static bool begin_learner(struct reading *reading, const struct attempt *attempt)
{
    struct misconceptions *all = reading->all;
    if (reading->learner_place >= 0 && uuid_equal(&reading->learner, &attempt->learner))
        return true;
    if (!end_learner(reading))
        return false;
    struct buffer *key = &reading->key;
    buffer_clear(key);
    buffer_add(key, (const char *)attempt->learner.bytes, sizeof attempt->learner.bytes);
    buffer_add(key, attempt->name ? attempt->name : "",
               (ptrdiff_t)strlen(attempt->name ? attempt->name : "") + 1);
    reading->learner = attempt->learner;
    reading->learner_place =
        key->failed ? -1 : places_add(&all->learners, buffer_get(key), key->length, NULL);
    return reading->learner_place >= 0 || no_memory(reading);
}

/* Of a revision that comes up for the first time: which misconceptions answers to it could show. */
static bool look_at(struct reading *reading, const struct question *question, int place)
{
    struct misconceptions *all = reading->all;
    const char *tags[RESPONSE_WORDS_TAGS];
    int count = question ? response_words_all_tags(tags, question) : 0;
    for (int i = 0; i < count; i++) {
        int tag = tag_place(all, tags[i]);
        if (tag < 0 || pair_place(&all->can_show, place, tag, NULL) < 0)
            return no_memory(reading);
    }
    return true;
}

static bool take_shown(struct reading *reading, const struct attempt *attempt,
                       const struct question *question, int place)
{
    struct misconceptions *all = reading->all;
    const char *tags[RESPONSE_TAGS];
    struct answer answer;
    struct arena arena;
    arena_init(&arena);
    bool done = answer_read(&answer, question->type, attempt->response, &arena) || no_memory(reading);
    if (done && attempt->graded)
        question = asked_marked(all->build, attempt->pack, attempt->question, question, attempt->outcome,
                                attempt->share, &answer);
    int count = done ? response_words_tags(tags, question, &answer) : 0;
    for (int i = 0; done && i < count; i++) {
        bool fresh;
        int tag = tag_place(all, tags[i]);
        done = tag >= 0 && pair_place(&all->shown, place, tag, &fresh) >= 0 &&
               memory_grow(&reading->occurrences, &reading->occurrence_capacity,
                           reading->occurrence_count + 1, sizeof *reading->occurrences);
        if (!done) {
            no_memory(reading);
            break;
        }
        all->items[tag].questions += fresh;
        reading->occurrences[reading->occurrence_count++] =
            (struct occurrence){ tag, place, attempt->answered_at, attempt->seq, attempt->utc_offset_s };
    }
    arena_finish(&arena);
    return done;
}

/* Only the newest of a question is kept: rows of a question come together. */
static bool take_right(struct reading *reading, const struct attempt *attempt, int place)
{
    const struct corrected newest = { place, attempt->answered_at, attempt->seq };
    int last = reading->corrected_count - 1;
    if (last >= 0 && reading->corrected[last].question == place) {
        if (newest.at >= reading->corrected[last].at)
            reading->corrected[last] = newest;
        return true;
    }
    if (!memory_grow(&reading->corrected, &reading->corrected_capacity, reading->corrected_count + 1,
                     sizeof *reading->corrected))
        return no_memory(reading);
    reading->corrected[reading->corrected_count++] = newest;
    return true;
}

static bool take(struct reading *reading, const struct attempt *attempt)
{
    struct misconceptions *all = reading->all;
    struct build *build = all->build;
    const struct question *question = NULL;
    bool fresh, missed = attempt->outcome == OUTCOME_WRONG || attempt->outcome == OUTCOME_PARTLY;
    if (!begin_learner(reading, attempt))
        return false;
    int place = question_place(reading, attempt, &fresh);
    if (place < 0)
        return no_memory(reading);
    build_made_day(&all->made, attempt->day);
    all->made.attempts += attempt->chosen;
    all->made.regraded += attempt->graded;
    if (attempt->voided)
        return true;
    bool shows = missed && attempt->chosen;
    if ((fresh || shows) && !asked_find(&all->asked, build->stores[attempt->store], &attempt->content,
                                        attempt->pack, attempt->question, &question))
        return false;
    if (fresh && !look_at(reading, question, place))
        return false;
    if (attempt->outcome == OUTCOME_RIGHT)
        return take_right(reading, attempt, place);
    return !shows || !question || take_shown(reading, attempt, question, place);
}

bool misconceptions_read(struct misconceptions *all)
{
    struct reading reading = { .all = all, .learner_place = -1 };
    struct attempts attempts;
    struct attempt attempt;
    int found = -1;
    buffer_init(&reading.key);
    if (attempts_open(&attempts, all->build, NULL, false, false)) {
        while ((found = attempts_next(&attempts, &attempt)) > 0)
            if (!take(&reading, &attempt)) {
                found = -1;
                break;
            }
    }
    all->made.undone = attempts.undone;
    attempts_close(&attempts);
    bool done = found == 0 && end_learner(&reading);
    all->made.learners = all->learners.count;
    all->made.questions = all->questions.count;
    all->made.revisions = all->revisions.count;
    buffer_finish(&reading.key);
    memory_free(reading.occurrences);
    memory_free(reading.corrected);
    return done;
}
