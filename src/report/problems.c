/* What learners reported of questions by `!`, and where in its file each question stands. */
#include "asked.h"
#include "people.h"
#include "work.h"

#include <quiztutor/message.h>

#include <string.h>

enum { PACK, QUESTION, PROMPT, TEXT, LEARNER, AT, PLACE, PACK_IDENTITY, COLUMNS };

static const struct report_column columns[COLUMNS] = {
    [PACK] = { .name = "pack", .title = N_("pack"), .kind = CELL_TEXT, .rank = 2 },
    [QUESTION] = { .name = "question", .title = N_("question"), .kind = CELL_TEXT },
    [PROMPT] = { .name = "prompt", .title = N_("asked"), .kind = CELL_TEXT, .rank = 4 },
    [TEXT] = { .name = "text", .title = N_("what was said"), .kind = CELL_TEXT },
    [LEARNER] = { .name = "learner", .title = N_("learner"), .kind = CELL_TEXT, .rank = 3 },
    [AT] = { .name = "at", .title = N_("when"), .kind = CELL_MOMENT, .rank = 2 },
    [PLACE] = { .name = "place", .title = N_("place"), .kind = CELL_TEXT, .rank = 1 },
    [PACK_IDENTITY] = { .name = "pack_id", .title = N_("pack's id"), .kind = CELL_TEXT, .detail = true },
};

struct problems {
    struct build *build;
    struct build_table table;
    struct places members;   /* of the filter's group, in the one store */
    struct places known;     /* problems taken, so that one in two stores counts once */
    struct places questions; /* that problems are of */
    struct places learners;
    struct build_made made;
};

static bool read_members(struct problems *problems)
{
    struct build *build = problems->build;
    struct rows *rows;
    int found;
    bool done = true;
    if (build->store_count > 1 || build->people->group.type == VALUE_NULL)
        return true;
    if (!rows_open(&rows, build->stores[0], QUERY_GROUP_MEMBERS, &build->people->group, 1, build->error))
        return false;
    while (done && (found = rows_step(rows, build->error)) != 0) {
        struct uuid id;
        rows_uuid(rows, 0, &id);
        done = found > 0 &&
               (places_add(&problems->members, &id, sizeof id, NULL) >= 0 || error_memory(build->error));
    }
    rows_close(rows);
    return done;
}

static bool is_wanted(const struct problems *problems, int store, const struct uuid *learner)
{
    const struct build *build = problems->build;
    const struct build_people *people = build->people;
    if (build->store_count > 1) {
        int person = people_of(people, store, learner);
        return person >= 0 ? people->persons[person].wanted
                           : !build->filter->learner && !build->filter->group;
    }
    return (people->learner.type == VALUE_NULL || uuid_equal(&people->learner_id, learner)) &&
           (people->group.type == VALUE_NULL ||
            places_find(&problems->members, learner, sizeof *learner) >= 0);
}

static bool has_tag(const struct build *build, const struct question *question)
{
    for (int i = 0; build->filter->tag && question && i < question->tags.count; i++)
        if (strcmp(question->tags.items[i], build->filter->tag) == 0)
            return true;
    return !build->filter->tag;
}

/* "pack.yaml:12", as compilers and editors have it. */
static struct report_cell place_of(struct build *build, const char *pack_id, const struct question *question)
{
    const struct pack *pack = build_pack(build, pack_id);
    if (!pack)
        return build_absent(tr("the pack is not in the library"));
    if (!question)
        return build_absent(tr("the pack has this question no more"));
    return build_text(build_say(build, "%s:%d", pack->path, question->line));
}

static bool count(struct problems *problems, int store, const struct uuid *learner, const char *pack,
                  const char *question)
{
    struct build *build = problems->build;
    int person = build->store_count > 1 ? people_of(build->people, store, learner) : -1;
    struct buffer key;
    buffer_init(&key);
    buffer_add(&key, pack, (ptrdiff_t)strlen(pack) + 1);
    buffer_text(&key, question);
    bool done = !key.failed && places_add(&problems->questions, buffer_get(&key), key.length, NULL) >= 0 &&
                (person >= 0 ? places_add(&problems->learners, &person, sizeof person, NULL)
                             : places_add(&problems->learners, learner, sizeof *learner, NULL)) >= 0;
    buffer_finish(&key);
    return done || error_memory(build->error);
}

/* The same words of the same learner at the same moment are one problem, whichever store has it. */
static bool is_new(struct problems *problems, const struct uuid *learner, const char *pack,
                   const char *question, const char *text, int64_t at, bool *fresh)
{
    struct buffer key;
    buffer_init(&key);
    buffer_add(&key, (const char *)learner->bytes, sizeof learner->bytes);
    buffer_print(&key, "%lld\x1f%s\x1f%s\x1f%s", (long long)at, pack, question, text ? text : "");
    bool done = !key.failed && places_add(&problems->known, buffer_get(&key), key.length, fresh) >= 0;
    buffer_finish(&key);
    return done || error_memory(problems->build->error);
}

static bool take(struct problems *problems, int store, struct rows *rows)
{
    struct build *build = problems->build;
    const char *pack = rows_text(rows, 0), *id = rows_text(rows, 1), *text = rows_text(rows, 2),
               *name = rows_text(rows, 4);
    int64_t at = rows_integer(rows, 5);
    int offset = (int)rows_integer(rows, 6);
    int64_t day = build_day_of(build, at, offset);
    struct uuid learner;
    bool fresh;
    rows_uuid(rows, 3, &learner);
    if (!pack || !id || !build_wants_pack(build, pack) || !is_wanted(problems, store, &learner) ||
        !build_in_days(build, day))
        return true;
    const struct question *question = asked_today(build, pack, id);
    if (!has_tag(build, question))
        return true;
    if (!is_new(problems, &learner, pack, id, text, at, &fresh))
        return false;
    if (!fresh)
        return true;
    const char *kept = build_copy(build, pack), *kept_id = build_copy(build, id);
    struct report_cell *cells = build_table_row(&problems->table, kept_id);
    cells[PACK] = build_text(build_pack_title(build, kept));
    cells[PACK_IDENTITY] = build_text(kept);
    cells[QUESTION] = build_text(kept_id);
    cells[PROMPT] = question ? build_text(asked_prompt(build, question, id)) : build_nothing();
    cells[TEXT] = text ? build_text(build_copy(build, text)) : build_nothing();
    cells[LEARNER] = build_text(build_copy(build, name));
    cells[AT] = build_moment(at, offset);
    cells[PLACE] = place_of(build, pack, question);
    build_made_day(&problems->made, day);
    return count(problems, store, &learner, pack, id);
}

static bool read_store(struct problems *problems, int store)
{
    struct build *build = problems->build;
    const struct store_value pack = store_value_text(build->filter->pack);
    struct rows *rows;
    int found;
    bool done = true;
    if (!rows_open(&rows, build->stores[store], QUERY_REPORTED, &pack, 1, build->error))
        return false;
    while (done && (found = rows_step(rows, build->error)) != 0)
        done = found > 0 && take(problems, store, rows);
    rows_close(rows);
    return done;
}

static int newest_first(const struct report_cell *one, const struct report_cell *other)
{
    return one[AT].whole > other[AT].whole ? -1 : one[AT].whole < other[AT].whole;
}

static void write_notes(struct problems *problems)
{
    struct build *build = problems->build;
    const struct build_made *made = &problems->made;
    const char *said = build_say(build, ntr("%d problem", "%d problems", problems->table.row_count),
                                 problems->table.row_count),
               *of = build_say(build, ntr("%d question", "%d questions", problems->questions.count),
                               problems->questions.count),
               *by = build_say(build, ntr("%d learner", "%d learners", problems->learners.count),
                               problems->learners.count);
    if (made->last_day < made->first_day) {
        build_note(build, build_say(build, tr("%s of %s, reported by %s."), said, of, by));
    } else {
        char first[BUILD_DAY], last[BUILD_DAY];
        build_iso_day(first, made->first_day);
        build_iso_day(last, made->last_day);
        build_note(build, build_say(build, tr("%s of %s, reported by %s on days from %s to %s."), said, of,
                                    by, first, last));
    }
    build_note_filter(build);
    build_note(build, tr("Places are those of the library's file today, whatever revision was asked."));
}

bool build_problems(struct build *build)
{
    struct problems problems = { .build = build };
    struct places *lists[] = { &problems.members, &problems.known, &problems.questions, &problems.learners };
    enum { LISTS = sizeof lists / sizeof *lists };
    for (int i = 0; i < LISTS; i++)
        places_init(lists[i]);
    build_made_start(&problems.made);
    build->report->title = tr("Reported problems");
    build->report->subtitle = work_subtitle(build);
    build_table_start(&problems.table, build, columns, COLUMNS);
    bool done = read_members(&problems);
    for (int i = 0; done && i < build->store_count; i++)
        done = read_store(&problems, i);
    if (done) {
        build_table_sort(&problems.table, newest_first);
        build_table_add(&problems.table, "problems", NULL, tr("No learner reported a problem."));
        write_notes(&problems);
    }
    build_table_finish(&problems.table);
    for (int i = 0; i < LISTS; i++)
        places_finish(lists[i]);
    return done;
}
