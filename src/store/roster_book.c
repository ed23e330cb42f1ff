#include "roster_book.h"

#include <quiztutor/message.h>
#include <string.h>

bool roster_differ(const char *one, const char *other)
{
    return one && other && strcmp(one, other) != 0;
}

static int by_external(const struct roster_book *book, const char *external_id, struct uuid *id)
{
    return external_id ? book->by_external(book->context, external_id, id) : 0;
}

static int by_login(const struct roster_book *book, const char *login, struct uuid *id)
{
    return login ? book->by_login(book->context, login, id) : 0;
}

/* Whom the line means. What several have is no way to tell: the line is refused. */
static int find(const struct roster_book *book, const struct roster_entry *entry, struct uuid *id,
                bool *by_name, struct roster_result *result)
{
    *by_name = false;
    int found = by_external(book, entry->external_id, id);
    if (found == ROSTER_SEVERAL)
        roster_refuse(result, tr("several learners there have the external_id \"%s\": make them one first"),
                      entry->external_id);
    if (found == 0 && (found = by_login(book, entry->login, id)) == ROSTER_SEVERAL)
        roster_refuse(result, tr("several learners there have the login \"%s\": make them one first"),
                      entry->login);
    if (found != 0)
        return found;
    *by_name = true;
    found = entry->key ? book->by_name(book->context, entry, id) : 0;
    if (found == ROSTER_SEVERAL)
        roster_refuse(result,
                      tr("there are several learners \"%s\": tell them apart by login or external_id"),
                      entry->name);
    return found;
}

/* The login or external id that the line gives to a person who was found otherwise: theirs already, taken
 * over from nobody, or another's, and then the line is refused. False on an error. */
static bool take_over(const struct roster_book *book, bool login, const char *given,
                      struct roster_person *person, struct roster_result *result)
{
    struct uuid owner;
    const char **kept = login ? &person->login : &person->external_id;
    int found = login ? by_login(book, given, &owner) : by_external(book, given, &owner);
    if (found == 0 && given)
        *kept = given;
    if (found == ROSTER_SEVERAL || (found > 0 && !uuid_equal(&owner, &person->id)))
        roster_refuse(result,
                      login ? tr("another learner has the login \"%s\"")
                            : tr("another learner has the external_id \"%s\""),
                      given);
    return found >= 0;
}

/* What the line changes of a row; false on an error. */
static bool change(const struct roster_book *book, const struct roster_entry *entry, bool by_name,
                   struct roster_person *person, struct roster_result *result)
{
    if (roster_differ(person->external_id, entry->external_id)) {
        struct uuid owner; /* that of somebody who was merged into them is theirs, too */
        int found = by_external(book, entry->external_id, &owner);
        if (found == 0)
            roster_refuse(result, tr("the login \"%s\" is of a learner with another external_id"),
                          entry->login);
        if (found < 0)
            return false;
    } else if (!take_over(book, false, entry->external_id, person, result)) {
        return false;
    }
    if (result->outcome == ROSTER_REFUSED || !take_over(book, true, entry->login, person, result))
        return result->outcome == ROSTER_REFUSED;
    if (entry->name && !by_name) {
        person->name = entry->name;
        person->key = entry->key;
    }
    if (entry->time_factor >= 1)
        person->time_factor = entry->time_factor;
    if (entry->plain != ROSTER_UNSAID)
        person->plain = entry->plain;
    return true;
}

static bool same(const char *one, const char *other)
{
    return one == other || (one && other && strcmp(one, other) == 0);
}

static bool equal(const struct roster_person *one, const struct roster_person *other)
{
    return same(one->name, other->name) && same(one->login, other->login) &&
           same(one->external_id, other->external_id) && one->plain == other->plain &&
           memcmp(&one->time_factor, &other->time_factor, sizeof one->time_factor) == 0;
}

/* Refuses a name that would be another's; `before` NULL: of who is new. */
static bool settle_name(const struct roster_book *book, const struct roster_person *person,
                        const struct roster_person *before, struct roster_result *result)
{
    if (before && same(before->key, person->key) && same(before->external_id, person->external_id))
        return true;
    int taken = book->is_taken(book->context, person);
    if (taken > 0)
        roster_refuse(result, tr("there is another learner \"%s\": one of them needs an external_id"),
                      person->name);
    return taken >= 0;
}

static bool add(const struct roster_book *book, const struct roster_entry *entry,
                struct roster_result *result)
{
    struct roster_person person = {
        .name = entry->name,
        .key = entry->key,
        .login = entry->login,
        .external_id = entry->external_id,
        .time_factor = entry->time_factor >= 1 ? entry->time_factor : 1,
        .plain = entry->plain > ROSTER_UNSAID ? entry->plain : ROSTER_SCREENS,
    };
    if (!entry->name) {
        roster_refuse(result, "%s", tr("nobody has this login or external_id, and there is no name"));
        return true;
    }
    uuid_make(&person.id, clock_wall(book->clock));
    if (!settle_name(book, &person, NULL, result) || result->outcome == ROSTER_REFUSED)
        return result->outcome == ROSTER_REFUSED;
    result->outcome = ROSTER_ADDED;
    result->learner = person.id;
    return book->insert(book->context, &person) && book->settle_groups(book->context, entry, &person.id) >= 0;
}

bool roster_book_take(const struct roster_book *book, const struct roster_entry *entry,
                      struct roster_result *result)
{
    struct roster_person person, before;
    bool by_name;
    int found = find(book, entry, &result->learner, &by_name, result);
    if (found == 0)
        return add(book, entry, result);
    if (found < 0 || result->outcome == ROSTER_REFUSED)
        return found > 0;
    if (book->read(book->context, &result->learner, &person) <= 0)
        return false;
    before = person;
    if (!change(book, entry, by_name, &person, result) ||
        (result->outcome != ROSTER_REFUSED && !settle_name(book, &person, &before, result)))
        return false;
    if (result->outcome == ROSTER_REFUSED)
        return true;
    if (!equal(&person, &before)) {
        result->outcome = ROSTER_CHANGED;
        if (!book->write(book->context, &person))
            return false;
    }
    int changed = book->settle_groups(book->context, entry, &person.id);
    if (changed > 0)
        result->outcome = ROSTER_CHANGED;
    return changed >= 0;
}
