/*
 * What the files of `quiztutor worksheet` share: which sheets are asked for, and where they go. worksheet.c
 * reads the options and keeps the record, worksheet_print.c makes and writes the sheets, worksheet_path.c
 * says what files are called.
 */
#ifndef QUIZTUTOR_WORKSHEET_H
#define QUIZTUTOR_WORKSHEET_H

#include "command.h"

#include <quiztutor/sheet.h>
#include <quiztutor/sheet_record.h>

struct worksheet_learner {
    struct uuid id;
    const char *name;
};

struct worksheet {
    const struct invocation *invocation;
    struct arena arena;
    const struct pack *pack;
    struct pack *loaded;        /* it, where it is ours */
    struct buffer bytes;        /* of the pack's file */
    const char *file;           /* its name */
    struct sheet_choice choice; /* of the first sheet; the others have the seeds that follow */
    struct sheet_look look;
    char body[SHEET_BODY + 1];
    int count;                                /* sheets */
    const struct worksheet_learner *learners; /* one for each sheet, or NULL */
    const char *path;                         /* NULL: standard output */
    bool pdf;
    struct sheet_record *records; /* of the sheets */
    int printed;                  /* how many of them are where they belong */
    bool recorded;                /* they are on record already: what is said now is for this once */
};

/* Makes all sheets and writes them. `printed` counts those that are written, also where it fails. */
bool worksheet_print(struct worksheet *worksheet, struct error *error);

/* Whether each sheet has a file of its own, since the path has a {seed} or {learner} that tells them apart.
 */
bool worksheet_many(const struct worksheet *worksheet);

/* The path of the i-th sheet: {seed} and {learner} replaced by what can be in a file's name. */
void worksheet_path(struct buffer *path, const struct worksheet *worksheet, int i);

#endif
