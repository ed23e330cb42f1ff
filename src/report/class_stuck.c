/* Of the class who is stuck at which question, the worst on top. */
#include "class.h"

#include <quiztutor/message.h>

#include <stdlib.h>
#include <string.h>

static const struct report_column stuck_columns[] = {
    { .name = "learner", .title = N_("learner"), .kind = CELL_TEXT },
    { .name = "pack", .title = N_("pack"), .kind = CELL_TEXT, .rank = 2 },
    { .name = "question", .title = N_("question"), .kind = CELL_TEXT, .rank = 1 },
    { .name = "prompt", .title = N_("asked"), .kind = CELL_TEXT, .rank = 3 },
    { .name = "misses", .title = N_("missed"), .unit = N_("times"), .kind = CELL_WHOLE },
    { .name = "last", .title = N_("newest answer"), .kind = CELL_TEXT },
};

static int compare_stuck(const void *one, const void *other)
{
    const struct class_stuck *a = one, *b = other;
    if (a->misses != b->misses)
        return a->misses > b->misses ? -1 : 1;
    if (a->learner != b->learner)
        return a->learner < b->learner ? -1 : 1;
    int order = strcmp(a->pack, b->pack);
    return order ? order : strcmp(a->question, b->question);
}

bool class_write_stuck(struct class *class)
{
    struct build *build = class->build;
    struct build_table table;
    bool done = true;
    int most = class->stuck_count < CLASS_STUCK_MOST ? class->stuck_count : CLASS_STUCK_MOST;
    if (class->stuck_count)
        qsort(class->stuck, (size_t) class->stuck_count, sizeof *class->stuck, compare_stuck);
    build_table_start(&table, build, stuck_columns, sizeof stuck_columns / sizeof *stuck_columns);
    for (int i = 0; done && i < most; i++) {
        const struct class_stuck *stuck = &class->stuck[i];
        const struct question *question;
        done = asked_find(&class->asked, build->stores[stuck->store], &stuck->content, stuck->pack,
                          stuck->question, &question);
        if (!done)
            break;
        const char *id = build_copy(build, stuck->question);
        struct report_cell *cells = build_table_row(&table, id);
        cells[0] = build_text(class->learners[stuck->learner].name);
        cells[1] = build_text(build_copy(build, stuck->pack));
        cells[2] = build_text(id);
        cells[3] = build_text(asked_prompt(build, question, stuck->question));
        cells[4] = build_whole(stuck->misses);
        cells[5] = build_text(work_outcome(stuck->last));
    }
    if (done)
        build_table_add(&table, "stuck_at", tr("Who is stuck at what"), tr("Nobody is stuck."));
    build_table_finish(&table);
    return done;
}
