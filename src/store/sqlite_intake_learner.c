/* Whose it is that is taken in: a learner who is here, or a new one. */
#include "sqlite_intake.h"
#include "sqlite_roster.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <string.h>

/* Both are said, and differ. */
static bool contradicts(const char *one, const unsigned char *other)
{
    return one && other && strcmp(one, (const char *)other) != 0;
}

static int by_external(struct intake *intake, const struct intake_who *who, struct uuid *id,
                       struct error *error)
{
    struct sqlite_store *store = intake->writing.store;
    sqlite3_stmt *statement = intake_prepare(intake, INTAKE_BY_EXTERNAL, error);
    if (!statement)
        return -1;
    sqlite_bind_text(statement, 1, who->external_id);
    int found = sqlite_look_up(store, statement, error);
    if (found > 0)
        sqlite_read_uuid(statement, 0, id);
    sqlite3_reset(statement);
    return found > 0 ? learner_by_id(store, id, error) : found;
}

/* By login, unless the external ids say that it is somebody else. */
static int by_login(struct intake *intake, const struct intake_who *who, struct uuid *id, struct error *error)
{
    struct sqlite_store *store = intake->writing.store;
    int found = learner_by_text(store, SQL_LEARNER_BY_LOGIN, who->login, id, error);
    sqlite3_stmt *statement = found > 0 ? intake_prepare(intake, INTAKE_LEARNER, error) : NULL;
    if (found > 0 && !statement)
        return -1;
    if (found <= 0)
        return found;
    sqlite_bind_uuid(statement, 1, id);
    found = sqlite_look_up(store, statement, error);
    if (found > 0 && contradicts(who->external_id, sqlite3_column_text(statement, 1)))
        found = 0;
    sqlite3_reset(statement);
    return found;
}

/* By name, unless login or external id say otherwise; who was merged into another is known by name where
 * nobody else is. *several: more than one could be meant. *taken: the name is that of somebody else who has
 * nothing but it; *namesake: of anybody else. */
static int by_name(struct intake *intake, const struct intake_who *who, const char *key, struct uuid *id,
                   bool *several, bool *taken, bool *namesake, struct error *error)
{
    struct sqlite_store *store = intake->writing.store;
    sqlite3_stmt *statement = intake_prepare(intake, INTAKE_BY_NAME, error);
    int count = 0, found;
    *taken = *namesake = false;
    if (!statement)
        return -1;
    sqlite_bind_text(statement, 1, key);
    while ((found = sqlite_look_up(store, statement, error)) > 0) {
        const unsigned char *login = sqlite3_column_text(statement, 1);
        const unsigned char *external = sqlite3_column_text(statement, 2);
        bool merged = sqlite3_column_int(statement, 3);
        if (merged && (count || *taken))
            continue;
        bool other = contradicts(who->external_id, external) || contradicts(who->login, login);
        bool unsure = who->elsewhere && (who->external_id || external);
        *namesake = *namesake || other || unsure;
        if (other || unsure)
            *taken = *taken || (!external && other);
        else if (count++ == 0)
            sqlite_read_uuid(statement, 0, id);
    }
    sqlite3_reset(statement);
    *several = count > 1;
    return found < 0 ? -1 : count > 0 ? learner_by_id(store, id, error) : 0;
}

/* The ids that the learner may have had here, the best one first: that is who is made. */
enum { IDS = 4 };
static int list_ids(struct uuid ids[static IDS], const struct intake_who *who, const char *key)
{
    int count = 0;
    if (!uuid_is_zero(&who->id))
        ids[count++] = who->id;
    if (who->external_id)
        intake_learner_id(&ids[count++], "external", who->external_id);
    if (who->login)
        intake_learner_id(&ids[count++], "login", who->login);
    if (!count)
        intake_learner_id(&ids[count++], "name", key); /* else somebody else may bear the name */
    return count;
}

static bool any_erased(struct intake *intake, const struct uuid *ids, int count, bool *erased,
                       struct error *error)
{
    *erased = false;
    for (int i = 0; i < count && !*erased; i++) {
        struct uuid mark;
        roster_mark(&mark, &ids[i]);
        if (!sqlite_roster_is_erased(&intake->writing.store->base, &mark, erased, error))
            return false;
    }
    return true;
}

static bool make(struct intake *intake, const struct intake_who *who, const char *key, struct error *error)
{
    struct writing *writing = &intake->writing;
    sqlite3_stmt *statement = intake_prepare(intake, INTAKE_ADD_LEARNER, error);
    if (!statement)
        return false;
    double factor = who->time_factor > 1 ? who->time_factor < 10 ? who->time_factor : 10 : 1;
    sqlite_bind_uuid(statement, 1, &writing->learner);
    sqlite_bind_text(statement, 2, who->name);
    sqlite_bind_text(statement, 3, key);
    sqlite_bind_text(statement, 4, who->login);
    sqlite_bind_text(statement, 5, who->external_id);
    sqlite3_bind_int64(statement, 6, clock_wall(&writing->store->base.clock));
    sqlite3_bind_double(statement, 7, factor);
    sqlite3_bind_int(statement, 8, who->plain);
    return sqlite_run(writing->store, statement, &writing->result, error);
}

/* Nobody here is meant: a new learner, unless they were erased or the name is somebody else's. */
static bool settle_new(struct intake *intake, const struct intake_who *who, const char *key, bool taken,
                       bool namesake, struct intake_result *result, struct error *error)
{
    struct uuid ids[IDS], *learner = &intake->writing.learner;
    int count = list_ids(ids, who, key);
    bool erased;
    *learner = ids[0]; /* who was made of a table, and has another name since */
    int found = learner_by_id(intake->writing.store, learner, error);
    if (found != 0)
        return found > 0;
    if (!any_erased(intake, ids, count, &erased, error))
        return false;
    if (erased)
        return intake_refuse(result, tr("the learner \"%s\" was erased here"), who->name);
    if (taken && !who->external_id)
        return intake_refuse(result,
                             tr("another learner here bears the name \"%s\", with another login; rename one "
                                "of them"),
                             who->name);
    *learner = ids[0];
    result->new_learner = true;
    result->namesake = namesake;
    return make(intake, who, key, error);
}

static bool settle(struct intake *intake, const struct intake_who *who, const char *key,
                   struct intake_result *result, struct error *error)
{
    struct sqlite_store *store = intake->writing.store;
    struct uuid *learner = &intake->writing.learner;
    bool several = false, taken = false, namesake = false;
    int found = who->external_id ? by_external(intake, who, learner, error) : 0;
    if (found == 0 && who->login)
        found = by_login(intake, who, learner, error);
    if (found == 0 && !uuid_is_zero(&who->id)) {
        *learner = who->id;
        found = learner_by_id(store, learner, error);
    }
    if (found == 0) {
        found = by_name(intake, who, key, learner, &several, &taken, &namesake, error);
        result->by_name = found > 0;
    }
    if (found != 0 && !several)
        return found > 0;
    if (several)
        return intake_refuse(result,
                             tr("several learners here bear the name \"%s\": a login or an external id must "
                                "tell which is meant"),
                             who->name);
    return settle_new(intake, who, key, taken, namesake, result, error);
}

bool intake_learner(struct intake *intake, const struct intake_who *who, struct intake_result *result,
                    struct error *error)
{
    char *key = text_fold(who->name);
    bool done = key ? settle(intake, who, key, result, error) : error_memory(error);
    memory_free(key);
    return done;
}
