/* What the implementations of sheet_record.h share. sheet_record.c checks all arguments first. */
#ifndef QUIZTUTOR_STORE_SHEET_PRIVATE_H
#define QUIZTUTOR_STORE_SHEET_PRIVATE_H

#include "store_private.h"

#include <quiztutor/sheet_record.h>

struct sheet_ops {
    bool (*keep)(struct store *store, const struct sheet_source *source, const struct sheet_record *records,
                 int count, struct error *error);
    int (*find)(struct store *store, const char *id, const char *body, const struct uuid *learner,
                struct arena *arena, struct sheet_record *record, struct sheet_source *source,
                struct error *error);
    bool (*add_papers)(struct store *store, const struct sheet_paper *papers, int count, struct error *error);
};
extern const struct sheet_ops sqlite_sheet_ops, memory_sheet_ops;

/* What can't be kept: a text that is none, or too long. */
bool sheet_validate(const struct sheet_record *record, struct error *error);

/* A copy of the file in the arena, ended by a NUL byte beyond its length. */
bool sheet_copy_source(struct sheet_source *source, struct arena *arena, const struct hash *content,
                       const char *name, const void *bytes, ptrdiff_t length, struct error *error);

/* A copy of the record's texts in the arena. */
bool sheet_copy_record(struct sheet_record *record, struct arena *arena, struct error *error);

/* Within the transaction that stores it: whether nobody was faster where it is to be there only once. */
bool sheet_is_new(struct store *store, const struct sheet_paper *paper, struct error *error);

/* Says that a sheet's learner is not there. Always false. */
bool sheet_unknown_learner(struct error *error);

#endif
