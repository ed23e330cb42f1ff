/*
 * Whose attempts a report is about. Of one store, the filter's learner and group are handed to its queries.
 * Several stores may know a person under several ids: those with one external id are one, else those with one
 * login, else those with one id, else those with one name under folding whose logins and external ids do not
 * contradict.
 */
#ifndef REPORT_PEOPLE_H
#define REPORT_PEOPLE_H

#include "build.h"
#include "places.h"

struct person {
    const char *name, *login, *external_id; /* as the first store that knows them has it; or NULL */
    bool wanted;                            /* by the filter */
};

struct build_people {
    struct store_value learner, group; /* of one store: parameters of its queries, null for everyone */
    struct uuid learner_id;            /* what `learner` points to */
    const char *learner_name;          /* of the filter's learner, as the store writes it; NULL: none */
    const char *group_name;
    /* of several stores: */
    struct person *persons;
    struct uuid *ids; /* ids[person * store_count + store]; zero: not there */
    int count;
    int *owners; /* of the keys */
    ptrdiff_t capacity, id_capacity, owner_capacity;
    struct places keys;
    struct arena arena;
};

/* Finds the filter's learner and group, and of several stores everybody. False where there is none (with the
 * nearest name). Makes build->people. */
bool people_find(struct build *build);
void people_finish(struct build_people *people);

/* The person with this id in this store; −1: none. Of several stores only. */
int people_of(const struct build_people *people, int store, const struct uuid *id);

#endif
