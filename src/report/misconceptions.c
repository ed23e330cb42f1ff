/* Tags of wrong answers across questions: how many learners, who holds which, how often it was put right. */
#include "misconceptions.h"

#include "work.h"

#include <quiztutor/message.h>

#include <stdlib.h>
#include <string.h>

static const struct report_column columns[] = {
    { .name = "misconception", .title = N_("misconception"), .kind = CELL_TEXT },
    { .name = "learners", .title = N_("learners"), .kind = CELL_WHOLE },
    { .name = "still", .title = N_("hold it still"), .kind = CELL_WHOLE },
    { .name = "times", .title = N_("shown"), .unit = N_("times"), .kind = CELL_WHOLE, .rank = 1 },
    { .name = "put_right",
      .title = N_("put right later"),
      .unit = N_("times"),
      .kind = CELL_WHOLE,
      .rank = 2 },
    { .name = "put_right_share", .title = N_("put right later"), .kind = CELL_SHARE, .bar = true, .rank = 1 },
    { .name = "questions", .title = N_("questions"), .kind = CELL_WHOLE, .rank = 3 },
};

static const struct report_column holder_columns[] = {
    { .name = "misconception", .title = N_("misconception"), .kind = CELL_TEXT },
    { .name = "learner", .title = N_("learner"), .kind = CELL_TEXT },
    { .name = "still", .title = N_("holds it still"), .kind = CELL_TRUTH },
    { .name = "times", .title = N_("shown"), .unit = N_("times"), .kind = CELL_WHOLE, .rank = 1 },
    { .name = "put_right",
      .title = N_("put right later"),
      .unit = N_("times"),
      .kind = CELL_WHOLE,
      .rank = 2 },
    { .name = "last_seen", .title = N_("last seen"), .kind = CELL_MOMENT, .rank = 3 },
};

static const char *tag_of(const struct misconceptions *all, int tag)
{
    return all->tags.keys[tag].bytes;
}

/* Behind the id. */
static const char *learner_of(const struct misconceptions *all, int learner)
{
    return all->learners.keys[learner].bytes + sizeof(struct uuid);
}

/* By how many learners hold it still, how many showed it, how often; then by name. */
static int compare_rows(const struct report_cell *one, const struct report_cell *other)
{
    static const int keys[] = { 2, 1, 3 };
    for (int i = 0; i < 3; i++)
        if (one[keys[i]].whole != other[keys[i]].whole)
            return one[keys[i]].whole > other[keys[i]].whole ? -1 : 1;
    return strcmp(one[0].text, other[0].text);
}

static void write_tags(struct misconceptions *all)
{
    struct build *build = all->build;
    struct build_table table;
    build_table_start(&table, build, columns, sizeof columns / sizeof *columns);
    for (int i = 0; i < all->tags.count; i++) {
        const struct misconception *item = &all->items[i];
        if (!item->times) /* could be shown, and never was */
            continue;
        struct report_cell *cells = build_table_row(&table, NULL);
        cells[0] = build_text(build_copy(build, tag_of(all, i)));
        cells[1] = build_whole(item->learners);
        cells[2] = build_whole(item->still);
        cells[3] = build_whole(item->times);
        cells[4] = build_whole(item->put_right);
        cells[5] = build_share((double)item->put_right / (double)item->times);
        cells[6] = build_whole(item->questions);
    }
    build_table_sort(&table, compare_rows);
    build_table_add(&table, "misconceptions", NULL, tr("No answer showed a misconception."));
    build_table_finish(&table);
}

static int compare_holders(const void *one, const void *other)
{
    const struct misconception_holder *a = one, *b = other;
    if (a->still != b->still)
        return a->still ? -1 : 1;
    if (a->times != b->times)
        return a->times > b->times ? -1 : 1;
    if (a->tag != b->tag)
        return a->tag < b->tag ? -1 : 1;
    return a->learner < b->learner ? -1 : a->learner > b->learner;
}

static void write_holders(struct misconceptions *all)
{
    struct build *build = all->build;
    struct build_table table;
    int count = all->holder_count < MISCONCEPTIONS_HOLDERS ? all->holder_count : MISCONCEPTIONS_HOLDERS;
    if (all->holder_count)
        qsort(all->holders, (size_t)all->holder_count, sizeof *all->holders, compare_holders);
    build_table_start(&table, build, holder_columns, sizeof holder_columns / sizeof *holder_columns);
    for (int i = 0; i < count; i++) {
        const struct misconception_holder *holder = &all->holders[i];
        const char *learner = build_copy(build, learner_of(all, holder->learner));
        struct report_cell *cells = build_table_row(&table, learner);
        cells[0] = build_text(build_copy(build, tag_of(all, holder->tag)));
        cells[1] = build_text(learner);
        cells[2] = build_truth(holder->still);
        cells[2].stands_out = holder->still;
        cells[3] = build_whole(holder->times);
        cells[4] = build_whole(holder->put_right);
        cells[5] = build_moment(holder->last_at, holder->utc_offset_s);
    }
    build_table_add(&table, "holders", tr("Who holds which"), tr("Nobody."));
    build_table_finish(&table);
    if (count < all->holder_count || all->holders_cut)
        build_note(build, build_say(build, tr("Of who holds which the first %d are shown."), count));
}

bool build_misconceptions(struct build *build)
{
    struct misconceptions all = { .build = build };
    struct places *lists[] = { &all.tags,      &all.learners, &all.questions,
                               &all.revisions, &all.can_show, &all.shown };
    enum { LISTS = sizeof lists / sizeof *lists };
    for (int i = 0; i < LISTS; i++)
        places_init(lists[i]);
    asked_init(&all.asked, build);
    build_made_start(&all.made);
    build->report->title = tr("Misconceptions");
    build->report->subtitle = work_subtitle(build);
    bool done = misconceptions_read(&all);
    if (done) {
        write_tags(&all);
        build_note_made(build, &all.made);
        build_note(build,
                   tr("Put right: a later right answer of the same learner to the same question, or to "
                      "another that the misconception could show in. Who holds it still has not put "
                      "right where it was shown last."));
        write_holders(&all);
    }
    for (int i = 0; i < LISTS; i++)
        places_finish(lists[i]);
    asked_finish(&all.asked);
    memory_free(all.items);
    memory_free(all.holders);
    return done;
}
