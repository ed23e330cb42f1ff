/* Sheets in the store in memory, for those who change whose they are. */
#ifndef QUIZTUTOR_STORE_MEMORY_SHEET_H
#define QUIZTUTOR_STORE_MEMORY_SHEET_H

#include "memory_store.h"
#include "sheet_private.h"

void memory_move_sheets(struct memory_store *store, const struct uuid *from, const struct uuid *into);
void memory_drop_sheets(struct memory_store *store, const struct uuid *learner);

/* memory_store.c */
bool memory_add_papers(struct store *store, const struct sheet_paper *papers, int count, struct error *error);

#endif
