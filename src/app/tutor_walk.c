#include "tutor_walk.h"

#include <quiztutor/message.h>

#include <string.h>

const enum report_kind walk_others[WALK_OTHERS] = { REPORT_CLASS, REPORT_ITEMS, REPORT_MISCONCEPTIONS,
                                                    REPORT_PROBLEMS };

void walk_init(struct walk *walk, const struct tutor *tutor, bool ascii)
{
    *walk = (struct walk){ .tutor = tutor, .ascii = ascii };
    walk->levels[0].kind = tutor->kind;
    walk->levels[0].place = view_table_top;
    walk->others[0] = tr("the class");
    walk->others[1] = tr("questions");
    walk->others[2] = tr("misconceptions");
    walk->others[3] = tr("problems");
}

static void clear_level(struct walk_level *level)
{
    memory_free(level->learner);
    memory_free(level->pack);
    memory_free(level->tag);
    memory_free(level->question);
    memory_free(level->revision);
    memory_free(level->row);
    *level = (struct walk_level){ .place = view_table_top };
}

void walk_finish(struct walk *walk)
{
    for (int i = 0; i < WALK_LEVELS; i++)
        clear_level(&walk->levels[i]);
    presented_finish(&walk->shown);
    walk->made = false;
}

struct walk_level *walk_level(struct walk *walk)
{
    return &walk->levels[walk->depth];
}

const struct table_model *walk_model(struct walk *walk)
{
    return walk->made ? &walk->shown.model : NULL;
}

/* ---- making ---- */

static struct report_filter filter_of(const struct walk *walk, const struct walk_level *level)
{
    struct report_filter filter = walk->tutor->filter;
    /* whose progress it began with; all else is about everybody */
    if (walk->tutor->kind == REPORT_PROGRESS && level->kind != REPORT_PROGRESS)
        filter.learner = NULL;
    if (level->learner)
        filter.learner = level->learner;
    if (level->pack) {
        filter.pack = level->pack;
        filter.pack_count = 0;
    }
    if (level->tag)
        filter.tag = level->tag;
    return filter;
}

bool walk_report(struct walk *walk, struct report *report, struct error *error)
{
    const struct tutor *tutor = walk->tutor;
    const struct walk_level *level = walk_level(walk);
    struct report_filter filter = filter_of(walk, level);
    return report_make(report, level->kind, tutor->stores, tutor->store_count, tutor->library, &filter,
                       &tutor->clock, error);
}

/* The id of the row under the cursor, which the caller frees; NULL: there is none. */
static bool cursor_id(struct walk *walk, char **id)
{
    const struct table_model *model = walk_model(walk);
    int row = model ? view_table_row(model, &walk_level(walk)->place) : -1;
    *id = row >= 0 ? memory_text(model->ids[row]) : NULL;
    return row < 0 || *id;
}

bool walk_present(struct walk *walk, const struct report *report, struct error *error)
{
    struct walk_level *level = walk_level(walk);
    struct present_choices choices = { .pack = level->pack,
                                       .question = level->question,
                                       .revision = level->revision };
    char *id;
    if (!cursor_id(walk, &id))
        return error_memory(error);
    presented_finish(&walk->shown); /* before the next one is made: both may be large */
    walk->made = false;
    int table = level->question ? present_find_table(report, "choices") : level->table;
    if (!level->question && table >= report->table_count)
        table = level->table = 0;
    if (!id) { /* gone back to: the row that was opened */
        id = level->row;
        level->row = NULL;
    }
    bool done =
        present_report(&walk->shown, report, table, level->question ? &choices : NULL, walk->ascii, error);
    if (done) {
        walk->made = true;
        if (!level->seen)
            level->place.sort = walk->shown.worst;
        level->seen = true;
        walk->shown.model.depth = walk->depth;
        walk->shown.model.others = walk->others;
        walk->shown.model.other_count = WALK_OTHERS;
        view_table_find(&walk->shown.model, &level->place, id);
    } else {
        presented_finish(&walk->shown);
    }
    memory_free(id);
    return done;
}

bool walk_make(struct walk *walk, struct error *error)
{
    struct report report;
    if (!walk_report(walk, &report, error))
        return false;
    bool done = walk_present(walk, &report, error);
    report_finish(&report);
    return done;
}

/* ---- going ---- */

/* Goes to a level that is filled in; back where its table can't be made. What is shown is another one's,
 * whose cursor is no guide. */
static bool enter(struct walk *walk, int from, struct error *error)
{
    struct report report;
    if (!walk_report(walk, &report, error)) {
        walk->depth = from;
        return false;
    }
    presented_finish(&walk->shown);
    walk->made = false;
    bool done = walk_present(walk, &report, error);
    report_finish(&report);
    return done;
}

static bool copy(char **kept, const char *text, bool *done)
{
    *kept = text && *text ? memory_text(text) : NULL;
    *done = *done && (*kept || !text || !*text);
    return *done;
}

/* What is about a question or a pack is about all who are in the report, not about the learner it was opened
 * from. */
static bool fill(struct walk_level *level, const struct walk_level *from, const struct opened *opened)
{
    bool done = true;
    level->kind = opened->kind == OPENS_LEARNER ? REPORT_PROGRESS : REPORT_ITEMS;
    copy(&level->learner, opened->learner, &done);
    copy(&level->pack, opened->pack ? opened->pack : from->pack, &done);
    copy(&level->tag, opened->tag, &done);
    copy(&level->question, opened->question, &done);
    copy(&level->revision, opened->revision, &done);
    return done;
}

bool walk_open(struct walk *walk, int row, struct error *error)
{
    const struct table_model *model = walk_model(walk);
    struct opened opened;
    if (!model || row < 0 || row >= model->row_count || !model->opens[row] || walk->depth + 1 >= WALK_LEVELS)
        return true;
    if (!present_opened(&opened, model->opens[row]))
        return error_memory(error);
    struct walk_level *next = &walk->levels[walk->depth + 1];
    char *id = memory_text(model->ids[row]);
    clear_level(next);
    bool done = (id && fill(next, walk_level(walk), &opened)) || error_memory(error);
    memory_free(opened.copy);
    memory_free(walk_level(walk)->row);
    walk_level(walk)->row = id;
    return done && enter(walk, walk->depth++, error);
}

bool walk_back(struct walk *walk, struct error *error)
{
    return walk->depth == 0 || enter(walk, walk->depth--, error);
}

bool walk_table(struct walk *walk, int table, struct error *error)
{
    struct walk_level *level = walk_level(walk), before = *level;
    level->table = table;
    level->place = view_table_top;
    level->seen = false;
    if (enter(walk, walk->depth, error))
        return true;
    if (walk->made)
        *level = before;
    return false;
}

bool walk_see(struct walk *walk, int other, struct error *error)
{
    struct walk_level first = walk->levels[0];
    int from = walk->depth;
    walk->levels[0] = (struct walk_level){ .kind = walk_others[other], .place = view_table_top };
    walk->depth = 0;
    if (!enter(walk, from, error)) {
        if (walk->made)
            walk->levels[0] = first; /* and all that was opened from it */
        return false;
    }
    clear_level(&first);
    for (int i = 1; i < WALK_LEVELS; i++)
        clear_level(&walk->levels[i]);
    return true;
}
