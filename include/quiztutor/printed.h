/*
 * Sheets as they were printed, found by the ID at their foot. The record in the store comes first: it has the
 * pack file as it was. Without one the library is searched for the content that the ID stands for, each pack
 * with each of its tags.
 *
 * A shelf owns the packs that were needed, each once, and borrows store and library, which must outlive it;
 * what was found on it lives as long as it does.
 */
#ifndef QUIZTUTOR_PRINTED_H
#define QUIZTUTOR_PRINTED_H

#include <quiztutor/library.h>
#include <quiztutor/sheet.h>
#include <quiztutor/sheet_record.h>

struct printed_shelf {
    struct store *store; /* NULL: there is no record */
    struct library *library;
    const struct pack *only; /* looked at instead of the library, which may be NULL then */
    const char *only_name;   /* what it is called in messages */
    struct printed_pack *packs;
    ptrdiff_t count, capacity;
    struct arena arena;
};

struct printed {
    char id[SHEET_ID + 1]; /* as it is printed */
    struct sheet sheet;
    bool recorded; /* this very ID is on record */
    bool known;    /* it is, or another seed of it: `record` has how that looked and whose it was */
    struct sheet_record record;
    struct sheet_source source; /* where known: the pack's file as it was */
    const char *path;           /* where it was found in the library: of that file, which the library keeps */
    const char *tag;
};

void printed_shelf_init(struct printed_shelf *shelf, struct store *store, struct library *library);
void printed_shelf_finish(struct printed_shelf *shelf);

/*
 * Finds the sheet of an ID as typed. Of several printed under it, the one of `learner` (may be NULL) comes
 * first. ERROR_INPUT: it is no ID, or a mistyped one; ERROR_NOT_FOUND: nothing has this content, or has it
 * any more. printed_finish in any case.
 */
bool printed_find(struct printed_shelf *shelf, struct printed *printed, const char *text,
                  const struct uuid *learner, struct error *error);
void printed_finish(struct printed *printed);

/* Whether a pack of that id stands in the library which makes another sheet: *today is that pack, or NULL. Of
 * a sheet that was found there itself nothing is looked up. False only without memory. */
bool printed_changed(struct printed_shelf *shelf, const struct printed *printed, const struct pack **today,
                     struct error *error);

#endif
