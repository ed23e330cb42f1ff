#include "attempt.h"

#include "attempt_log.h"

#include <string.h>

/* Texts of a held attempt are places in the group's buffer until all of them are read; −1: NULL. */
struct held {
    struct attempt row;
    ptrdiff_t revision, response;
};

/* One learner's attempts at one question. */
struct attempt_group {
    struct held *held;
    ptrdiff_t capacity;
    int count, at;
    bool begun; /* some row of it was read, if only one that was taken back */
    struct buffer texts;
    ptrdiff_t pack, question; /* in them */
    struct buffer names;      /* the learner's name, and behind that the login */
    bool has_login;
    struct uuid *undone; /* sessions with an answer to the question that was taken back */
    int undone_count;
    ptrdiff_t undone_capacity;
    struct rows *next; /* the row that begins the next group, or NULL */
    int next_store;
    bool ended;
    int person;
    struct uuid learner;
    bool any, fresh; /* fresh: no attempt of the learner's was held yet */
};

bool attempts_open(struct attempts *attempts, struct build *build, const char *pack, bool by_revision,
                   bool chosen_only)
{
    *attempts = (struct attempts){ .build = build, .by_revision = by_revision, .chosen_only = chosen_only };
    attempts->log = memory_zero(sizeof *attempts->log);
    attempts->group = memory_zero(sizeof *attempts->group);
    if (!attempts->log || !attempts->group)
        return error_memory(build->error);
    attempts->group->person = -1;
    buffer_init(&attempts->group->texts);
    buffer_init(&attempts->group->names);
    attempt_log_open(attempts->log, build, QUERY_ANSWERS, pack ? pack : build->filter->pack);
    return true;
}

void attempts_close(struct attempts *attempts)
{
    if (attempts->log && attempts->log->build)
        attempt_log_close(attempts->log);
    if (attempts->group) {
        buffer_finish(&attempts->group->texts);
        buffer_finish(&attempts->group->names);
        memory_free(attempts->group->undone);
        memory_free(attempts->group->held);
    }
    memory_free(attempts->undone_counts);
    memory_free(attempts->group);
    memory_free(attempts->log);
    attempts->undone_counts = NULL;
    attempts->group = NULL;
    attempts->log = NULL;
}

static ptrdiff_t keep(struct buffer *texts, const char *text)
{
    ptrdiff_t at = texts->length;
    if (!text)
        return -1;
    buffer_add(texts, text, (ptrdiff_t)strlen(text) + 1);
    return at;
}

/* Whose attempts follow. */
static void read_names(struct attempts *attempts, struct rows *rows)
{
    const struct build *build = attempts->build;
    struct attempt_group *group = attempts->group;
    const char *name = rows_text(rows, ATTEMPT_NAME), *login = rows_text(rows, ATTEMPT_LOGIN);
    if (build->store_count > 1) {
        const struct person *person = &build->people->persons[attempts->log->person];
        name = person->name;
        login = person->login;
    }
    buffer_clear(&group->names);
    keep(&group->names, name ? name : "");
    group->has_login = login != NULL;
    keep(&group->names, login);
}

static bool had_undone(const struct attempt_group *group, const struct uuid *session)
{
    for (int i = 0; i < group->undone_count; i++)
        if (uuid_equal(&group->undone[i], session))
            return true;
    return false;
}

static void read_row(struct attempts *attempts, struct rows *rows, int store, struct held *held)
{
    struct attempt *row = &held->row;
    const char *outcome = rows_text(rows, ATTEMPT_OUTCOME), *graded = rows_text(rows, ATTEMPT_GRADED);
    *row = (struct attempt){
        .store = store,
        .person = attempts->group->person,
        .learner = attempts->group->learner,
        .voided = graded && strcmp(graded, "voided") == 0,
        .graded = graded != NULL,
        .mark = rows_real(rows, ATTEMPT_MARK),
        .marks = rows_real(rows, ATTEMPT_MARKS),
        .certainty = (int)rows_integer(rows, ATTEMPT_CERTAINTY),
        .elapsed_ms = rows_is_null(rows, ATTEMPT_ELAPSED_MS) ? -1 : rows_integer(rows, ATTEMPT_ELAPSED_MS),
        .answered_at = rows_integer(rows, ATTEMPT_ANSWERED_AT),
        .day = attempt_log_day(attempts->log, rows),
        .utc_offset_s = (int)rows_integer(rows, ATTEMPT_UTC_OFFSET_S),
        .seq = rows_integer(rows, ATTEMPT_SEQ),
    };
    if (!outcome || !outcome_read(&row->outcome, outcome))
        row->outcome = OUTCOME_OMITTED;
    row->voided = row->voided || !(row->marks > 0);
    row->share = row->voided ? 0 : row->mark / row->marks;
    rows_uuid(rows, ATTEMPT_SESSION, &row->session);
    rows_hash(rows, ATTEMPT_CONTENT, &row->content);
    row->helped = rows_integer(rows, ATTEMPT_SHOWING) > 1 &&
                  (rows_integer(rows, ATTEMPT_HELPED) != 0 || had_undone(attempts->group, &row->session));
    held->revision = keep(&attempts->group->texts, rows_text(rows, ATTEMPT_REVISION));
    held->response = keep(&attempts->group->texts, rows_text(rows, ATTEMPT_RESPONSE));
}

/* Whose row it is, and whether it begins a group. */
static bool begins(const struct attempts *attempts, struct rows *rows, const struct uuid *learner)
{
    const struct attempt_group *group = attempts->group;
    if (!group->begun || !uuid_equal(learner, &group->learner))
        return true;
    const char *texts = buffer_get(&group->texts), *pack = rows_text(rows, ATTEMPT_PACK),
               *question = rows_text(rows, ATTEMPT_QUESTION);
    return strcmp(texts + group->question, question ? question : "") != 0 ||
           strcmp(texts + group->pack, pack ? pack : "") != 0;
}

static void whose(const struct attempts *attempts, struct rows *rows, struct uuid *learner)
{
    const struct build *build = attempts->build;
    rows_uuid(rows, ATTEMPT_LEARNER, learner);
    for (int i = 0; build->store_count > 1 && i < build->store_count; i++) {
        const struct uuid *id =
            &build->people->ids[(ptrdiff_t)attempts->log->person * build->store_count + i];
        if (!uuid_is_zero(id)) {
            *learner = *id;
            return;
        }
    }
}

/* An answer that was taken back is no attempt, but those after it in its session were given with help. */
static bool pass_over(struct attempts *attempts, struct rows *rows)
{
    struct attempt_group *group = attempts->group;
    const char *question = rows_text(rows, ATTEMPT_QUESTION);
    struct uuid session;
    bool fresh;
    attempts->undone++;
    rows_uuid(rows, ATTEMPT_SESSION, &session);
    if (!had_undone(group, &session)) {
        if (!memory_grow(&group->undone, &group->undone_capacity, group->undone_count + 1,
                         sizeof *group->undone))
            return error_memory(attempts->build->error);
        group->undone[group->undone_count++] = session;
    }
    if (!attempts->undone_of || !question)
        return true;
    int place = places_add(attempts->undone_of, question, (ptrdiff_t)strlen(question), &fresh);
    if (place < 0 || !memory_grow(&attempts->undone_counts, &attempts->undone_capacity, place + 1,
                                  sizeof *attempts->undone_counts))
        return error_memory(attempts->build->error);
    attempts->undone_counts[place] = fresh ? 1 : attempts->undone_counts[place] + 1;
    return true;
}

static bool hold(struct attempts *attempts, struct rows *rows, int store)
{
    struct attempt_group *group = attempts->group;
    if (!memory_grow(&group->held, &group->capacity, group->count + 1, sizeof *group->held))
        return error_memory(attempts->build->error);
    group->person += group->fresh;
    group->fresh = false;
    read_row(attempts, rows, store, &group->held[group->count]);
    if (group->texts.failed || group->names.failed)
        return error_memory(attempts->build->error);
    group->count++;
    return true;
}

static bool same_revision(const struct attempt_group *group, int one, int other)
{
    const char *texts = buffer_get(&group->texts);
    return strcmp(texts + group->held[one].revision, texts + group->held[other].revision) == 0;
}

/* Chooses one of held[from…] that are of the same revision, or of all of them. */
static void choose_among(struct attempts *attempts, int from)
{
    struct attempt_group *group = attempts->group;
    enum report_attempts use = attempts->build->filter->attempts;
    struct attempt *best = NULL;
    for (int i = from; i < group->count; i++) {
        struct attempt *row = &group->held[i].row;
        if (attempts->by_revision && !same_revision(group, i, from))
            continue;
        if (use == ATTEMPTS_FIRST) {
            row->chosen = i == from && !row->voided && !row->helped;
        } else if (use == ATTEMPTS_ALL) {
            row->chosen = !row->voided;
        } else if (!row->voided && (!best || use == ATTEMPTS_LAST || row->share > best->share)) {
            best = row;
        }
    }
    if (best)
        best->chosen = true;
}

static void choose(struct attempts *attempts)
{
    struct attempt_group *group = attempts->group;
    for (int i = 0; i < group->count; i++) {
        bool fresh = true;
        for (int k = 0; fresh && k < i; k++)
            fresh = attempts->by_revision && !same_revision(group, i, k);
        if (fresh)
            choose_among(attempts, i);
    }
    const char *texts = buffer_get(&group->texts), *name = buffer_get(&group->names);
    for (int i = 0; i < group->count; i++) {
        struct held *held = &group->held[i];
        held->row.name = name;
        held->row.login = group->has_login ? name + strlen(name) + 1 : NULL;
        held->row.pack = texts + group->pack;
        held->row.question = texts + group->question;
        held->row.revision = held->revision < 0 ? NULL : texts + held->revision;
        held->row.response = held->response < 0 ? NULL : texts + held->response;
    }
}

static void begin(struct attempts *attempts, struct rows *rows, const struct uuid *learner)
{
    struct attempt_group *group = attempts->group;
    const char *pack = rows_text(rows, ATTEMPT_PACK), *question = rows_text(rows, ATTEMPT_QUESTION);
    if (!group->any || !uuid_equal(learner, &group->learner)) {
        group->fresh = true;
        group->learner = *learner;
        read_names(attempts, rows);
    }
    group->any = true;
    group->begun = true;
    group->pack = keep(&group->texts, pack ? pack : "");
    group->question = keep(&group->texts, question ? question : "");
}

/* Reads the next group: 1, 0 at the end, −1. */
static int read_group(struct attempts *attempts)
{
    struct attempt_group *group = attempts->group;
    group->count = group->at = group->undone_count = 0;
    group->begun = false;
    buffer_clear(&group->texts);
    while (!group->ended) {
        struct uuid learner;
        if (!group->next) {
            int found = attempt_log_next(attempts->log, &group->next, &group->next_store);
            if (found < 0)
                return -1;
            group->ended = found == 0;
            if (group->ended)
                break;
        }
        whose(attempts, group->next, &learner);
        if (group->begun && begins(attempts, group->next, &learner))
            break;
        if (!group->begun)
            begin(attempts, group->next, &learner);
        bool undone = attempt_log_undone(attempts->log, group->next);
        if (undone ? !pass_over(attempts, group->next) : !hold(attempts, group->next, group->next_store))
            return -1;
        group->next = NULL;
    }
    choose(attempts);
    return group->begun;
}

int attempts_next(struct attempts *attempts, struct attempt *row)
{
    struct attempt_group *group = attempts->group;
    for (;;) {
        while (group->at >= group->count) { /* all of a group may have been taken back */
            int found = read_group(attempts);
            if (found <= 0)
                return found;
        }
        *row = group->held[group->at++].row;
        if (row->chosen || !attempts->chosen_only)
            return 1;
    }
}
