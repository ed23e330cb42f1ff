#include "attempt.h"

#include "attempt_log.h"

#include <string.h>

/* Texts of a held attempt, as places in the group's buffer. */
enum { TEXT_NAME, TEXT_LOGIN, TEXT_PACK, TEXT_QUESTION, TEXT_REVISION, TEXT_RESPONSE, TEXT_KIND, TEXTS };

struct held {
    struct attempt row;
    ptrdiff_t texts[TEXTS]; /* −1: NULL */
};

/* One learner's attempts at one question. */
struct attempt_group {
    struct held *held;
    ptrdiff_t capacity;
    int count, at;
    struct buffer texts;
    struct rows *next; /* the row that begins the next group, or NULL */
    int next_store;
    bool ended;
    int person;
    struct uuid learner;
    bool any;
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
    attempt_log_open(attempts->log, build, QUERY_ATTEMPTS, pack ? pack : build->filter->pack);
    return true;
}

void attempts_close(struct attempts *attempts)
{
    if (attempts->log && attempts->log->build)
        attempt_log_close(attempts->log);
    if (attempts->group) {
        buffer_finish(&attempts->group->texts);
        memory_free(attempts->group->held);
    }
    memory_free(attempts->group);
    memory_free(attempts->log);
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

static void read_texts(struct attempts *attempts, struct rows *rows, struct held *held)
{
    const struct build *build = attempts->build;
    struct buffer *texts = &attempts->group->texts;
    static const int columns[TEXTS] = { ATTEMPT_NAME,     ATTEMPT_LOGIN,    ATTEMPT_PACK, ATTEMPT_QUESTION,
                                        ATTEMPT_REVISION, ATTEMPT_RESPONSE, ATTEMPT_KIND };
    for (int i = 0; i < TEXTS; i++)
        held->texts[i] = keep(texts, rows_text(rows, columns[i]));
    if (build->store_count > 1) {
        const struct person *person = &build->people->persons[attempts->log->person];
        held->texts[TEXT_NAME] = keep(texts, person->name);
        held->texts[TEXT_LOGIN] = keep(texts, person->login);
    }
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
        .hints = (int)rows_integer(rows, ATTEMPT_HINTS),
        .showing = (int)rows_integer(rows, ATTEMPT_SHOWING),
        .retried = rows_integer(rows, ATTEMPT_RETRIED) != 0,
        .helped = rows_integer(rows, ATTEMPT_HELPED) != 0,
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
    rows_uuid(rows, ATTEMPT_ID, &row->id);
    rows_uuid(rows, ATTEMPT_SESSION, &row->session);
    rows_uuid(rows, ATTEMPT_DEVICE, &row->device);
    rows_hash(rows, ATTEMPT_CONTENT, &row->content);
    read_texts(attempts, rows, held);
}

/* Whose row it is, and whether it begins a group. */
static bool begins(const struct attempts *attempts, struct rows *rows, const struct uuid *learner)
{
    const struct attempt_group *group = attempts->group;
    if (!group->count || !uuid_equal(learner, &group->learner))
        return true;
    const char *texts = buffer_get(&group->texts), *pack = rows_text(rows, ATTEMPT_PACK),
               *question = rows_text(rows, ATTEMPT_QUESTION);
    return strcmp(texts + group->held[0].texts[TEXT_PACK], pack ? pack : "") != 0 ||
           strcmp(texts + group->held[0].texts[TEXT_QUESTION], question ? question : "") != 0;
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

static bool hold(struct attempts *attempts, struct rows *rows, int store)
{
    struct attempt_group *group = attempts->group;
    if (!memory_grow(&group->held, &group->capacity, group->count + 1, sizeof *group->held))
        return error_memory(attempts->build->error);
    read_row(attempts, rows, store, &group->held[group->count]);
    if (group->texts.failed)
        return error_memory(attempts->build->error);
    group->count++;
    return true;
}

/* Chooses one of held[from…] that are of the same revision, or of all of them. */
static void choose_among(struct attempts *attempts, int from)
{
    struct attempt_group *group = attempts->group;
    enum report_attempts use = attempts->build->filter->attempts;
    const char *texts = buffer_get(&group->texts);
    struct attempt *best = NULL;
    for (int i = from; i < group->count; i++) {
        struct attempt *row = &group->held[i].row;
        if (attempts->by_revision && strcmp(texts + group->held[i].texts[TEXT_REVISION],
                                            texts + group->held[from].texts[TEXT_REVISION]) != 0)
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
    const char *texts = buffer_get(&group->texts);
    for (int i = 0; i < group->count; i++) {
        bool fresh = true;
        for (int k = 0; fresh && k < i; k++)
            fresh = attempts->by_revision && strcmp(texts + group->held[i].texts[TEXT_REVISION],
                                                    texts + group->held[k].texts[TEXT_REVISION]) != 0;
        if (fresh)
            choose_among(attempts, i);
    }
    for (int i = 0; i < group->count; i++) {
        struct held *held = &group->held[i];
        const char **fields[TEXTS] = { &held->row.name,     &held->row.login,    &held->row.pack,
                                       &held->row.question, &held->row.revision, &held->row.response,
                                       &held->row.kind };
        for (int k = 0; k < TEXTS; k++)
            *fields[k] = held->texts[k] < 0 ? NULL : texts + held->texts[k];
    }
}

/* Reads the next group: 1, 0 at the end, −1. */
static int read_group(struct attempts *attempts)
{
    struct attempt_group *group = attempts->group;
    group->count = group->at = 0;
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
        if (group->count && begins(attempts, group->next, &learner))
            break;
        if (!group->any || !uuid_equal(&learner, &group->learner))
            group->person++;
        group->any = true;
        group->learner = learner;
        if (!hold(attempts, group->next, group->next_store))
            return -1;
        group->next = NULL;
    }
    choose(attempts);
    return group->count > 0;
}

int attempts_next(struct attempts *attempts, struct attempt *row)
{
    struct attempt_group *group = attempts->group;
    for (;;) {
        if (group->at >= group->count) {
            int found = read_group(attempts);
            if (found <= 0)
                return found;
        }
        *row = group->held[group->at++].row;
        if (row->chosen || !attempts->chosen_only)
            return 1;
    }
}
