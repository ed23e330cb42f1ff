/* Sheets in SQLite, for those who take them in from elsewhere, too. */
#ifndef QUIZTUTOR_STORE_SQLITE_SHEET_H
#define QUIZTUTOR_STORE_SQLITE_SHEET_H

#include "sqlite_writing.h"

#include <quiztutor/sheet_record.h>

/* What sheet_read reads. */
#define SHEET_COLUMNS "id, body, content, learner_id, size, boxes, large, no_key, key_only, tag, printed_at"

/* Texts of the row are valid until the next step; a text that is null is NULL. */
void sheet_read(sqlite3_stmt *statement, struct sheet_record *record);

/* Parts of a transaction: what is there stays as it is, but for when it was printed last. */
bool sheet_put_source(struct sqlite_store *store, const struct sheet_source *source, struct error *error);
sqlite3_stmt *sheet_prepare_put(struct sqlite_store *store, struct error *error); /* to be finalized */
bool sheet_put(struct sqlite_store *store, sqlite3_stmt *put, const struct sheet_record *record,
               struct error *error);

#endif
