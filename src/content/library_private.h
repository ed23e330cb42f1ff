/*
 * What the library and the kiosk's packs share. Private to content.
 */
#ifndef CONTENT_LIBRARY_PRIVATE_H
#define CONTENT_LIBRARY_PRIVATE_H

#include "source.h"

#include <quiztutor/library.h>

/* Whether a file is a pack by its name. */
bool library_is_pack(const char *name);

/* The id that stands in the head of an open file, without reading on: "" when there is none. NULL only
 * without memory. */
const char *library_peek_id(struct source *source, const char *path, struct arena *arena);

#endif
