/* How a report was made, in words; and which days count. */
#include "cell.h"
#include "people.h"

#include <quiztutor/day.h>
#include <quiztutor/message.h>

#include <stdio.h>

void build_made_start(struct build_made *made)
{
    *made = (struct build_made){ .first_day = INT64_MAX, .last_day = INT64_MIN };
}

void build_made_day(struct build_made *made, int64_t day)
{
    made->first_day = day < made->first_day ? day : made->first_day;
    made->last_day = day > made->last_day ? day : made->last_day;
}

int64_t build_day_of(const struct build *build, int64_t ms, int utc_offset_s)
{
    return clock_day(ms, utc_offset_s, build->filter->day_starts);
}

bool build_in_days(const struct build *build, int64_t day)
{
    const struct report_filter *filter = build->filter;
    return !(filter->has_since && day < filter->since) && !(filter->has_until && day > filter->until);
}

void build_iso_day(char text[static BUILD_DAY], int64_t day)
{
    struct day_date date = day_date(day);
    snprintf(text, BUILD_DAY, "%04lld-%02d-%02d", (long long)date.year, date.month, date.day);
}

const char *build_uses(const struct build *build)
{
    static const char *const uses[] = {
        [ATTEMPTS_FIRST] =
            N_("Attempts used: the first of each learner at each question, since later ones have "
               "seen the explanation."),
        [ATTEMPTS_LAST] = N_("Attempts used: the last of each learner at each question."),
        [ATTEMPTS_BEST] = N_("Attempts used: the best of each learner at each question."),
        [ATTEMPTS_ALL] = N_("Attempts used: all of each learner at each question."),
    };
    return tr(uses[build->filter->attempts]);
}

const char *build_sum(struct build *build, const struct build_made *made)
{
    const char *attempts = build_say(build, ntr("%lld attempt", "%lld attempts", made->attempts),
                                     (long long)made->attempts),
               *learners = build_say(build, ntr("%lld learner", "%lld learners", made->learners),
                                     (long long)made->learners);
    if (made->last_day < made->first_day)
        return build_say(build, tr("%s of %s."), attempts, learners);
    char first[BUILD_DAY], last[BUILD_DAY];
    int starts = build->filter->day_starts;
    build_iso_day(first, made->first_day);
    build_iso_day(last, made->last_day);
    return build_say(build, tr("%s of %s, on days from %s to %s that begin at %02d:%02d."), attempts,
                     learners, first, last, starts / 60, starts % 60);
}

static void note_revisions(struct build *build, const struct build_made *made)
{
    if (made->revisions < 0)
        return;
    const char *questions = build_say(build, ntr("%lld question", "%lld questions", made->questions),
                                      (long long)made->questions),
               *revisions = build_say(build, ntr("%lld revision", "%lld revisions", made->revisions),
                                      (long long)made->revisions);
    build_note(build, build_say(build, tr("%s in %s."), questions, revisions));
}

/* "one, two" */
static const char *pack_ids(struct build *build)
{
    const struct report_filter *filter = build->filter;
    const char *ids = filter->packs[0];
    for (int i = 1; i < filter->pack_count; i++)
        ids = build_say(build, "%s, %s", ids, filter->packs[i]);
    return ids;
}

/* What the filter leaves out. */
void build_note_filter(struct build *build)
{
    const struct report_filter *filter = build->filter;
    const struct build_people *people = build->people;
    char day[BUILD_DAY];
    if (filter->pack)
        build_note(build, build_say(build, tr("Only the pack %s."), filter->pack));
    if (filter->pack_count)
        build_note(build, build_say(build, tr("Only the packs %s."), pack_ids(build)));
    if (people && people->learner_name)
        build_note(build, build_say(build, tr("Only the learner %s."), people->learner_name));
    if (people && people->group_name)
        build_note(build, build_say(build, tr("Only the group %s."), people->group_name));
    if (filter->tag)
        build_note(build, build_say(build, tr("Only questions with the tag %s."), filter->tag));
    if (filter->revision)
        build_note(build, build_say(build, tr("Only the revision %s."), filter->revision));
    if (filter->session)
        build_note(build, build_say(build, tr("Only sessions of the kind %s."), filter->session));
    if (filter->has_since) {
        build_iso_day(day, filter->since);
        build_note(build, build_say(build, tr("Only from %s on."), day));
    }
    if (filter->has_until) {
        build_iso_day(day, filter->until);
        build_note(build, build_say(build, tr("Only until %s."), day));
    }
    if (build->store_count > 1)
        build_note(build, build_say(build, ntr("%d store.", "%d stores taken together.", build->store_count),
                                    build->store_count));
}

void build_note_made(struct build *build, const struct build_made *made)
{
    build_note(build, build_uses(build));
    build_note(build, build_sum(build, made));
    note_revisions(build, made);
    build_note_filter(build);
    if (made->undone)
        build_note(build, build_say(build,
                                    ntr("%lld answer was taken back and does not count.",
                                        "%lld answers were taken back and do not count.", made->undone),
                                    (long long)made->undone));
    if (made->regraded)
        build_note(build, build_say(build,
                                    ntr("%lld answer was graded anew; its newest grading counts.",
                                        "%lld answers were graded anew; their newest grading counts.",
                                        made->regraded),
                                    (long long)made->regraded));
}

static bool has_intervals(const struct report *report)
{
    for (int i = 0; i < report->fact_count; i++)
        if (cell_has_interval(&report->facts[i].cell))
            return true;
    for (int i = 0; i < report->table_count; i++)
        for (int k = 0; k < report->tables[i].column_count; k++)
            if (report->tables[i].columns[k].interval && report->tables[i].row_count)
                return true;
    return false;
}

void build_note_intervals(struct build *build)
{
    if (has_intervals(build->report)) /* xgettext:no-c-format */
        build_note(build, tr("In brackets: the 95% interval (Wilson 1927) of the share before it."));
}
