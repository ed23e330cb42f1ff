/* Whose a row from elsewhere is: each learner of the other store is looked for once. */
#include "sqlite_merging.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <string.h>

static bool is_plain(const char *text)
{
    enum { LONGEST = 1000 };
    ptrdiff_t length = (ptrdiff_t)strlen(text);
    bool plain = length > 0 && length <= LONGEST && store_is_text(text);
    for (ptrdiff_t at = 0; plain && at < length;) {
        int32_t code;
        at += text_decode(text + at, length - at, &code);
        plain = !text_forbidden(code) && code != '\n' && code != '\t';
    }
    return plain;
}

/* Follows merges there, to a learner of the other store. 1, 0 none, −1 an error. */
static int read_learner(struct merge *merge, struct uuid *id, struct elsewhere_learner *learner)
{
    enum { MERGES = 100 };
    int found = 0;
    for (int i = 0; i < MERGES; i++) {
        found = elsewhere_learner(merge->elsewhere, id, learner, merge->error);
        if (found <= 0 || uuid_is_zero(&learner->into))
            return found;
        *id = learner->into;
    }
    return 0;
}

/* Groups of who is new; the groups of others are this store's affair. */
static bool join(struct merge *merge, const char *name)
{
    struct intake *intake = merge->intake;
    sqlite3_stmt *statement = intake_prepare(intake, INTAKE_JOIN, merge->error);
    char *key = statement ? text_fold(name) : NULL;
    if (statement && !key)
        error_memory(merge->error);
    if (!key)
        return merge_failed(merge);
    sqlite_bind_text(statement, 1, key);
    sqlite_bind_uuid(statement, 2, &intake->writing.learner);
    sqlite_bind_text(statement, 3, name);
    bool done = sqlite_run(intake->writing.store, statement, NULL, merge->error);
    memory_free(key);
    return done || merge_failed(merge);
}

static bool take_groups(struct merge *merge, const struct uuid *id)
{
    const char *name;
    int found = elsewhere_group(merge->elsewhere, id, &name, merge->error);
    for (; found > 0; found = elsewhere_group(merge->elsewhere, NULL, &name, merge->error))
        if (name && is_plain(name) && !join(merge, name))
            return false;
    return found == 0;
}

/* Who was found by a name alone, or not taken for one with somebody of that name, may be the wrong one. */
static bool tell_name(struct merge *merge, const char *name, const struct intake_result *result)
{
    struct intake *intake = merge->intake;
    char line[2 * INTAKE_WHY];
    if (result->namesake) {
        snprintf(
            line, sizeof line,
            tr("\"%s\" is a new learner: somebody else here bears the name; learner merge makes them one"),
            name);
        merge->tell(merge->context, line);
    }
    if (!result->by_name)
        return true;
    sqlite3_stmt *statement = intake_prepare(intake, INTAKE_NAME, merge->error);
    if (!statement)
        return merge_failed(merge);
    sqlite_bind_uuid(statement, 1, &intake->writing.learner);
    int found = sqlite_look_up(intake->writing.store, statement, merge->error);
    const char *here = found > 0 ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    if (here) {
        snprintf(line, sizeof line, tr("\"%s\" is taken for \"%s\" here, by the name alone"), name, here);
        merge->tell(merge->context, line);
    }
    sqlite3_reset(statement);
    return found >= 0 || merge_failed(merge);
}

static bool match_learner(struct merge *merge, const struct uuid *id, const struct elsewhere_learner *learner,
                          struct id_place *place)
{
    const char *why = NULL;
    struct intake_result result = { .fate = INTAKE_TAKEN };
    char *name = learner->name ? text_learner_name(learner->name, &why) : NULL;
    if (!name && why && strcmp(why, tr("out of memory")) == 0) {
        error_memory(merge->error);
        return merge_failed(merge);
    }
    if (!name || uuid_is_zero(id) || (learner->login && !is_plain(learner->login)) ||
        (learner->external_id && !is_plain(learner->external_id)))
        intake_refuse(&result, "%s", !name && why ? why : tr("the learner's row is damaged"));
    struct intake_who who = { .id = *id,
                              .name = name,
                              .login = learner->login,
                              .external_id = learner->external_id,
                              .plain = learner->plain,
                              .elsewhere = true,
                              .time_factor = learner->time_factor };
    bool done = result.fate == INTAKE_REFUSED || intake_learner(merge->intake, &who, &result, merge->error);
    done = done ? result.fate == INTAKE_REFUSED || tell_name(merge, name, &result) : merge_failed(merge);
    memory_free(name);
    if (!done)
        return false;
    merge->count->learners += result.new_learner;
    place->here = merge->intake->writing.learner;
    place->fate = result.fate == INTAKE_REFUSED ? FATE_REFUSED : FATE_TAKEN;
    if (place->fate == FATE_REFUSED)
        merge_tell(merge, tr("learner"), id, result.why);
    return !result.new_learner || take_groups(merge, id);
}

bool merge_learner(struct merge *merge, const struct elsewhere_row *row, bool *refused)
{
    struct id_place *place = id_map_place(&merge->learners, &row->learner);
    struct elsewhere_learner learner;
    struct uuid id = row->learner;
    *refused = false;
    if (!place) {
        error_memory(merge->error);
        return merge_failed(merge);
    }
    if (!place->fate) {
        place->fate = FATE_REFUSED; /* unless all goes well */
        int found = read_learner(merge, &id, &learner);
        if (found < 0)
            return false;
        if (found == 0)
            merge_tell(merge, tr("learner"), &id, tr("is not in that store"));
        else if (!match_learner(merge, &id, &learner, place))
            return false;
    }
    *refused = place->fate == FATE_REFUSED;
    merge->count->refused += *refused;
    merge->intake->writing.learner = place->here;
    return true;
}
