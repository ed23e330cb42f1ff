/*
 * One file of a kiosk's configuration, read on top of what the files before it said. Private to content.
 */
#ifndef CONTENT_KIOSK_CONFIG_FILE_H
#define CONTENT_KIOSK_CONFIG_FILE_H

#include "field.h"

#include <quiztutor/kiosk_config.h>

/* The configuration being made; the caller frees `exams`, which go into the arena at the end. */
struct kiosk_draft {
    struct kiosk_config *config;
    const struct clock *clock;
    struct kiosk_exam *exams;
    ptrdiff_t exam_count, exam_capacity;
    /* of the file being read */
    const char *file;
    enum kiosk_key below;    /* whose keys are being read */
    struct place moments[2]; /* of `from` and `until` */
};

/* False with diagnostics or *error. `path` must live in the configuration's arena. */
bool kiosk_file_read(struct kiosk_draft *draft, const char *path, struct source *source,
                     struct diagnostics *list, struct error *error);

/* Puts a value that has been judged where its row says, in the struct `base`; false without memory. */
bool kiosk_put(struct arena *arena, const struct kiosk_row *row, const char *text, double number, void *base);

/* The names of a list with one item that no file has said. */
bool kiosk_put_list(struct arena *arena, const struct kiosk_row *row, const char *text, void *base);

/* The list of exams; they are added to the draft. */
field_read kiosk_exams_read;

/* Reads the keys below one row into `target`. */
void kiosk_fields_read(struct loader *loader, enum kiosk_key below, const char *what, void *target,
                       const struct place *place, struct seen *seen);

#endif
