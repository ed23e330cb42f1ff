/* Making and migrating a central store. */
#ifndef QUIZTUTOR_STORE_POSTGRES_INIT_H
#define QUIZTUTOR_STORE_POSTGRES_INIT_H

#include <quiztutor/central.h>

bool postgres_init(const char *address, const struct central_setup *setup, struct error *error);

#endif
