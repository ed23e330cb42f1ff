/* Whole files: read at once, and written beside their place, brought to the disk and then given their name,
 * so that there is all of one or none of it. */
#ifndef QUIZTUTOR_FILE_H
#define QUIZTUTOR_FILE_H

#include <quiztutor/buffer.h>
#include <quiztutor/error.h>

/* All bytes of a file, or of what is piped in. False where it can't be read, is a folder, or has more than
 * `most`. */
bool file_read(struct buffer *bytes, const char *path, ptrdiff_t most, struct error *error);

/* Never over what is there. */
bool file_write_new(const char *path, const struct buffer *text, struct error *error);

/* Likewise, for nobody else to read. */
bool file_write_private(const char *path, const struct buffer *text, struct error *error);

/* In place of what is there; into it, where that is no file but a device or a pipe. */
bool file_write(const char *path, const struct buffer *text, struct error *error);

/* Makes the folder, and those above it; one that is there is fine. */
bool file_make_folder(const char *folder, struct error *error);

#endif
