/*
 * What the library and the kiosk's packs share. Private to content.
 */
#ifndef CONTENT_LIBRARY_PRIVATE_H
#define CONTENT_LIBRARY_PRIVATE_H

#include <quiztutor/library.h>

/* The id that stands in a file's head, without reading on: "" when there is none. NULL only without memory.
 */
const char *library_peek_id(const char *path, struct arena *arena);

#endif
