/* What to do next, in one sentence; and topics in order. */
#include "progress.h"

#include <quiztutor/message.h>
#include <quiztutor/queue.h>

#include <stdlib.h>
#include <string.h>

static int progress_minutes(const struct progress *progress, int answers)
{
    int64_t minutes = (answers * progress->pace + 59999) / 60000;
    return minutes < 1 ? 1 : minutes > 100000 ? 100000 : (int)minutes;
}

/* "12 are due: practise them now, about 6 minutes." */
static void next_due(struct progress *progress, struct buffer *out)
{
    int due = progress->model->due;
    if (!progress->left) {
        buffer_print(out,
                     ntr("%d more is due, but what was meant for today is done: it waits for tomorrow.",
                         "%d more are due, but what was meant for today is done: they wait for tomorrow.",
                         due),
                     due);
        return;
    }
    if (progress->left < due) {
        buffer_print(out, ntr("%d is due", "%d are due", due), due);
        buffer_print(out, tr(", %d of them today: practise them now"), progress->left);
        due = progress->left;
    } else {
        buffer_print(out, ntr("%d is due: practise it now", "%d are due: practise them now", due), due);
    }
    int minutes = progress_minutes(progress, due);
    buffer_print(out, ntr(", about %d minute.", ", about %d minutes.", minutes), minutes);
}

/* All was met, but not all was right: in lines there is a command for those. */
static void next_missed(struct progress *progress, struct buffer *out)
{
    int missed = progress->missed;
    buffer_print(out, ntr("; %d was missed the last time.", "; %d were missed the last time.", missed),
                 missed);
    progress->model->command = ntr("quiztutor practise --mode mistakes asks it again.",
                                   "quiztutor practise --mode mistakes asks them again.", missed);
}

/* "Nothing is due until Thursday; 14 new ones wait in Collective communication." */
static void next_none_due(struct progress *progress, struct buffer *out)
{
    char day[DAY_TEXT];
    bool coming = progress->next != INT64_MAX;
    int minutes = coming ? present_until(day, progress->next, &progress->now) : 0;
    if (minutes)
        buffer_print(out, ntr("Nothing is due for %d minute", "Nothing is due for %d minutes", minutes),
                     minutes);
    else if (coming)
        buffer_print(out, tr("Nothing is due until %s"), day);
    else
        buffer_text(out, tr("Nothing is due"));
    if (progress->fresh)
        buffer_print(out, ntr("; %d new one waits in %s.", "; %d new ones wait in %s.", progress->fresh),
                     progress->fresh, progress->go_on->title);
    else if (progress->missed)
        next_missed(progress, out);
    else
        buffer_text(out, coming ? tr(": rest until then, every question has been met.") : ".");
}

bool progress_next(struct progress *progress)
{
    struct buffer out;
    buffer_init(&out);
    if (!progress->packs)
        buffer_text(&out, tr("Add a pack to begin with: quiztutor add FILE."));
    else if (progress->model->due)
        next_due(progress, &out);
    else if (progress->seen || !progress->fresh)
        next_none_due(progress, &out);
    else
        buffer_print(&out,
                     ntr("Begin with %s: %d new question waits there.",
                         "Begin with %s: %d new questions wait there.", progress->fresh),
                     progress->go_on->title, progress->fresh);
    bool done = present_text(progress->arena, &out, &progress->model->next);
    buffer_finish(&out);
    return done;
}

static int compare_marks(const void *one, const void *other)
{
    return strcmp(((const struct progress_mark *)one)->name, ((const struct progress_mark *)other)->name);
}

/* Begun ones first, of those the least mastered, then the least met; then by name. */
static int compare_topics(const void *one, const void *other)
{
    const struct progress_topic *a = one, *b = other;
    if ((a->seen > 0) != (b->seen > 0))
        return a->seen > 0 ? -1 : 1;
    int64_t mastered = (int64_t)a->mastered * b->questions - (int64_t)b->mastered * a->questions;
    int64_t seen = (int64_t)a->seen * b->questions - (int64_t)b->seen * a->questions;
    if (mastered)
        return mastered < 0 ? -1 : 1;
    if (seen)
        return seen < 0 ? -1 : 1;
    return strcmp(a->name, b->name);
}

bool progress_topics(struct progress *progress, struct progress_mark *marks, ptrdiff_t count)
{
    int topics = 0;
    if (!count)
        return true;
    qsort(marks, (size_t)count, sizeof *marks, compare_marks);
    for (ptrdiff_t i = 0; i < count; i++)
        topics += i == 0 || strcmp(marks[i].name, marks[i - 1].name) != 0;
    struct progress_topic *made = arena_alloc(progress->arena, topics * (ptrdiff_t)sizeof *made);
    if (!made)
        return false;
    topics = 0;
    for (ptrdiff_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(marks[i].name, marks[i - 1].name) != 0)
            made[topics++].name = marks[i].name;
        made[topics - 1].questions++;
        made[topics - 1].seen += marks[i].seen;
        made[topics - 1].mastered += marks[i].mastered;
    }
    qsort(made, (size_t)topics, sizeof *made, compare_topics);
    progress->model->topics = made;
    progress->model->topic_count = topics;
    return true;
}
