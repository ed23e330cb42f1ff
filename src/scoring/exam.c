#include <quiztutor/exam.h>
#include <quiztutor/plan.h>

#include <string.h>

/* Makes the answer's text the exam's own. */
static bool exam_keep_text(struct exam *exam, struct answer *answer)
{
    if (!answer->text)
        return true;
    answer->text = arena_text(&exam->texts, answer->text, (ptrdiff_t)strlen(answer->text));
    return answer->text != NULL;
}

bool exam_init(struct exam *exam, uint32_t seed, const struct exam_entry *entries, int count)
{
    memset(exam, 0, sizeof *exam);
    exam->entries = memory_alloc((count + 1) * (ptrdiff_t)sizeof *exam->entries);
    if (!exam->entries)
        return false;
    if (count)
        memcpy(exam->entries, entries, (size_t)count * sizeof *entries);
    exam->seed = seed;
    exam->count = count;
    for (int i = 0; i < count; i++)
        if (!exam_keep_text(exam, &exam->entries[i].answer)) {
            exam_finish(exam);
            return false;
        }
    exam_show(exam, exam_next_open(exam, -1));
    return true;
}

void exam_finish(struct exam *exam)
{
    memory_free(exam->entries);
    arena_finish(&exam->texts);
    memset(exam, 0, sizeof *exam);
}

bool exam_is_open(const struct exam_entry *entry)
{
    return !entry->answered && !entry->blank;
}

int exam_next_open(const struct exam *exam, int after)
{
    for (int i = 1; i <= exam->count; i++) {
        int entry = (after + i) % exam->count;
        if (exam_is_open(&exam->entries[entry]))
            return entry;
    }
    return -1;
}

void exam_show(struct exam *exam, int entry)
{
    exam->current = entry < exam->count ? entry : exam->count - 1;
    if (exam->current < 0)
        exam->current = -1;
    else
        exam->entries[exam->current].seen = true;
}

bool exam_answer(struct exam *exam, int entry, const struct answer *answer, int certainty, int64_t elapsed_ms)
{
    struct exam_entry *about = &exam->entries[entry];
    struct answer kept = *answer;
    if (!exam_keep_text(exam, &kept))
        return false;
    about->answered = !answer->blank;
    about->blank = answer->blank;
    about->answer = kept;
    about->certainty = answer->blank ? 0 : certainty;
    about->elapsed_ms = elapsed_ms;
    exam_show(exam, exam_next_open(exam, entry));
    return true;
}

void exam_flag(struct exam *exam, int entry, bool on)
{
    exam->entries[entry].flagged = on;
}

void exam_tally(const struct exam *exam, struct exam_count *count)
{
    *count = (struct exam_count){ 0 };
    for (int i = 0; i < exam->count; i++) {
        const struct exam_entry *entry = &exam->entries[i];
        count->answered += entry->answered;
        count->blank += entry->blank;
        count->open += exam_is_open(entry);
        count->flagged += entry->flagged;
    }
}

static bool exam_takes(const struct question *question, const char *tag)
{
    return question->type != QUESTION_RECALL && plan_has_tag(question, tag);
}

bool exam_plan(struct exam_entry **entries, int *count, const struct pack *const *packs, int pack_count,
               uint32_t seed, const char *tag, int limit)
{
    ptrdiff_t room = 1, longest = 1;
    *count = 0;
    for (int i = 0; i < pack_count; i++) {
        room += packs[i]->question_count;
        longest = packs[i]->question_count > longest ? packs[i]->question_count : longest;
    }
    int *order = memory_alloc(longest * (ptrdiff_t)sizeof *order);
    *entries = memory_zero(room * (ptrdiff_t)sizeof **entries);
    bool done = order && *entries;
    for (int i = 0; done && i < pack_count; i++) {
        int asked = showing_picked_order(packs[i], seed, order);
        for (int k = 0; k < asked && (!limit || *count < limit); k++) {
            const struct question *question = &packs[i]->questions[order[k]];
            if (exam_takes(question, tag))
                (*entries)[(*count)++] = (struct exam_entry){ .pack = packs[i],
                                                              .question = question,
                                                              .section = question->section };
        }
    }
    memory_free(order);
    if (!done) {
        memory_free(*entries);
        *entries = NULL;
    }
    return done;
}

int64_t exam_elapsed(const struct exam_time *time, int64_t wall, int64_t steady)
{
    int64_t elapsed = time->anchored && steady >= time->anchor_steady
                          ? time->anchor_elapsed + (steady - time->anchor_steady)
                          : wall - time->started_wall;
    return elapsed > time->last_elapsed ? elapsed : time->last_elapsed;
}

int64_t exam_left(const struct exam_time *time, int64_t wall, int64_t steady)
{
    if (!time->limit_ms)
        return -1;
    int64_t elapsed = exam_elapsed(time, wall, steady);
    return elapsed < time->limit_ms ? time->limit_ms - elapsed : 0;
}

void exam_anchor(struct exam_time *time, int64_t elapsed, int64_t steady)
{
    time->anchored = true;
    time->anchor_steady = steady;
    time->anchor_elapsed = elapsed;
}

enum { LONGEST_MINUTES = 366 * 24 * 60 };

int64_t exam_limit(double minutes, double factor, double extended)
{
    if (!(minutes > 0))
        return 0;
    double whole = minutes * (factor > 1 ? factor : 1) + (extended > 0 ? extended : 0);
    int64_t limit = (int64_t)((whole < LONGEST_MINUTES ? whole : LONGEST_MINUTES) * 60000);
    return limit > 0 ? limit : 1;
}
