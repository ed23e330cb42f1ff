/* Reports, a row of one table each; making one, and ending it. */
#include "people.h"
#include "work.h"

static build_function *const builders[REPORTS] = {
    [REPORT_PROGRESS] = build_progress, [REPORT_CLASS] = build_class,
    [REPORT_ITEMS] = build_items,       [REPORT_MISCONCEPTIONS] = build_misconceptions,
    [REPORT_PROBLEMS] = build_problems, [REPORT_GRADES] = build_grades,
    [REPORT_ATTEMPTS] = build_attempts,
};

void build_finish(struct build *build)
{
    people_finish(build->people);
    build_packs_finish(build->packs);
    memory_free(build->own_filter);
    memory_free(build);
}

/* All that is read of a store after this is of one state. */
static bool begin_states(struct build *build)
{
    const struct build_people *people = build->people;
    for (int i = 0; i < build->store_count; i++) {
        bool one = people->learner.type != VALUE_NULL;
        struct uuid learner = one ? work_learner_in(build, &people->learner_id, i) : (struct uuid){ 0 };
        const char *group = people->group.type == VALUE_TEXT ? people->group.data : NULL;
        if (!store_state_begin(build->stores[i], uuid_is_zero(&learner) ? NULL : &learner, group,
                               build->error))
            return false;
    }
    return true;
}

static void end_states(const struct build *build)
{
    for (int i = 0; i < build->store_count; i++)
        store_state_end(build->stores[i]);
}

bool report_make(struct report *report, enum report_kind kind, struct store *const *stores, int store_count,
                 struct library *library, const struct report_filter *filter, const struct clock *clock,
                 struct error *error)
{
    static const struct report_filter everything = { .day_starts = 240 };
    struct report_filter *kept = memory_alloc(sizeof *kept);
    struct build *build = memory_zero(sizeof *build);
    struct error own = { 0 };
    *report = (struct report){ .kind = kind, .details = filter && filter->details };
    arena_init(&report->arena);
    if (!kept || !build) {
        memory_free(kept);
        memory_free(build);
        return error_memory(error);
    }
    *kept = filter ? *filter : everything;
    int64_t now = clock_wall(clock);
    int offset = clock_offset(clock, now);
    report->made = build_moment(now, offset);
    *build = (struct build){ .report = report,
                             .stores = stores,
                             .store_count = store_count,
                             .library = library,
                             .filter = kept,
                             .own_filter = kept,
                             .now = now,
                             .utc_offset_s = offset,
                             .today = clock_day(now, offset, kept->day_starts),
                             .error = error ? error : &own };
    bool done = build_find_packs(build) && build_find_sought(build) && people_find(build) &&
                begin_states(build) && builders[kind](build);
    build_note_intervals(build);
    build_settle(build);
    if (done && build->failed)
        done = error_memory(build->error);
    if (!report->owned) { /* else the build is its table's, until the end */
        end_states(build);
        build_finish(build);
    }
    if (!done)
        report_finish(report);
    return done;
}

void report_finish(struct report *report)
{
    if (report->end)
        report->end(report->owned);
    arena_finish(&report->arena);
    *report = (struct report){ 0 };
}
