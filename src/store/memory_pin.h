/* PINs in the store in memory, for those who change whose they are. */
#ifndef QUIZTUTOR_STORE_MEMORY_PIN_H
#define QUIZTUTOR_STORE_MEMORY_PIN_H

#include "memory_store.h"
#include "pin_private.h"

void memory_move_pin(struct memory_store *store, const struct uuid *from, const struct uuid *into);
void memory_drop_pin(struct memory_store *store, const struct uuid *learner);

#endif
