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

/* A miss in words, as it was asked then. */
static bool present_miss(struct presenter *presenter, struct summary_miss *miss,
                         const struct session *session, const struct session_answer *missed)
{
    const struct session_entry *entry = &session->entries[missed->entry];
    struct present present = present_in(presenter, &presenter->summary_arena);
    struct result_model model = { 0 };
    struct showing showing;
    if (!showing_init(&showing, entry->pack, entry->question, showing_seed(session->seed, missed->showing),
                      present.arena) ||
        !present_shown(&present, &model.question, &showing) ||
        !present_marked(&present, &model, &showing, &missed->answer, &missed->verdict))
        return false;
    miss->prompt = model.question.prompt;
    miss->answer = present_said(&present, &model, true);
    miss->response = missed->answer.blank ? NULL : present_said(&present, &model, false);
    return !present.failed;
}

/* Misses: questions whose first answer that stands is one, each with what was answered last of what was not
 * right; and topics, by a question's first try. */
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
        bool first_try = session_first_try(session, i);
        for (int k = 0; k < entry->question->tags.count; k++)
            if (!topics_add(topics, entry->question->tags.items[k], first_try))
                return false;
        if (first->verdict.outcome == OUTCOME_RIGHT || entry->gone)
            continue;
        const struct session_answer *missed =
            &session->answers[entry->answer]; /* the newest that is a miss */
        while (missed != first && missed->verdict.outcome == OUTCOME_RIGHT)
            missed = &session->answers[missed->before];
        if (!present_miss(presenter, &misses[model->miss_count++], session, missed))
            return false;
    }
    model->misses = misses;
    return true;
}

/* What of this session's packs comes back, by day. */
struct coming {
    int today, tomorrow, week; /* today: what is overdue too; week: tomorrow's too */
};

/* Overdue ones of a pack, counted up to a bound: there may be very many. */
static bool coming_overdue(struct coming *coming, const struct practice *practice, const struct pack *pack,
                           int64_t today)
{
    struct store_value parameters[] = { store_value_uuid(&practice->record.learner.id),
                                        store_value_text(pack->id), store_value_integer(today - 1),
                                        store_value_integer(clock_wall(&practice->clock)) };
    struct rows *rows;
    int step = 0;
    if (!rows_open(&rows, practice->store, QUERY_DUE, parameters, 4, NULL))
        return false;
    while (coming->today <= PRACTICE_COUNTED && (step = rows_step(rows, NULL)) == 1)
        coming->today += pack_find(pack, rows_text(rows, 0)) >= 0;
    rows_close(rows);
    return step >= 0;
}

static bool coming_days(struct coming *coming, const struct practice *practice, const struct pack *pack,
                        int64_t today)
{
    struct store_value parameters[] = { store_value_uuid(&practice->record.learner.id),
                                        store_value_text(pack->id), store_value_integer(today),
                                        store_value_integer(today + 8) };
    struct rows *rows;
    int step;
    if (!rows_open(&rows, practice->store, QUERY_COMING, parameters, 4, NULL))
        return false;
    while ((step = rows_step(rows, NULL)) == 1) {
        int64_t day = rows_integer(rows, 0);
        int count = (int)rows_integer(rows, 1);
        coming->today += day == today ? count : 0;
        coming->tomorrow += day == today + 1 ? count : 0;
        coming->week += day > today ? count : 0;
    }
    rows_close(rows);
    return step == 0;
}

static bool coming_read(struct coming *coming, const struct practice *practice)
{
    int64_t today = practice_today(practice, NULL);
    for (int i = 0; i < practice->options.pack_count; i++)
        if (!practice->learner_known ||
            !coming_overdue(coming, practice, practice->options.packs[i], today) ||
            !coming_days(coming, practice, practice->options.packs[i], today))
            return false;
    return true;
}

/* "Next: 3 come back tomorrow, 9 within the week." NULL where nothing comes, or where it can't be read: a
 * summary is told without it. */
static const char *present_next(struct arena *arena, const struct practice *practice)
{
    struct coming coming = { 0 };
    struct buffer out;
    const char *text = NULL, *part = tr("Next: ");
    if (!coming_read(&coming, practice))
        return NULL;
    buffer_init(&out);
    if (coming.today > PRACTICE_COUNTED) {
        buffer_text(&out, part);
        buffer_print(&out, tr("more than %d are due today"), PRACTICE_COUNTED);
        part = ", ";
    } else if (coming.today) {
        buffer_text(&out, part);
        buffer_print(&out, ntr("%d is due today", "%d are due today", coming.today), coming.today);
        part = ", ";
    }
    if (coming.tomorrow) {
        buffer_text(&out, part);
        buffer_print(&out, ntr("%d comes back tomorrow", "%d come back tomorrow", coming.tomorrow),
                     coming.tomorrow);
        part = ", ";
    }
    if (coming.week > coming.tomorrow) {
        buffer_text(&out, part);
        buffer_print(&out,
                     coming.tomorrow
                         ? tr("%d within the week")
                         : ntr("%d comes back within the week", "%d come back within the week", coming.week),
                     coming.week);
        part = ", ";
    }
    if (out.length)
        buffer_char(&out, '.');
    int waiting = practice->planned.count.new_waiting;
    if (waiting) {
        buffer_text(&out, out.length ? " " : "");
        buffer_print(&out, ntr("%d new one waits for tomorrow.", "%d new ones wait for tomorrow.", waiting),
                     waiting);
    }
    present_text(arena, &out, &text);
    buffer_finish(&out);
    return text;
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
        .sure = summary.sure,
        .certainty_marks = summary.certainty_marks,
        .next = present_next(arena, practice),
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
