/*
 * The library finds packs: by id in the content folders, or by path. It loads each pack once, on demand, and
 * owns it; packs stay valid until library_destroy.
 */
#ifndef QUIZTUTOR_LIBRARY_H
#define QUIZTUTOR_LIBRARY_H

#include <quiztutor/pack.h>

struct library;

struct library_entry {
    const char *path;
    const struct pack *pack; /* NULL when it does not load: `problem` says why in one line */
    const char *problem;
    const char *shadowed_by; /* path of the pack with the same id that wins, or NULL */
};

/* `folders` in order of precedence; one that does not exist is passed over. Loads nothing yet. */
bool library_create(struct library **library, const char *const *folders, int count, struct error *error);
void library_destroy(struct library *library);

/* All packs of the folders (*.yaml, *.yml, not recursive, by title), each loaded; the list lives as long as
 * the library. False only without memory. */
bool library_list(struct library *library, const struct library_entry **entries, int *count,
                  struct error *error);

/*
 * What a PACK argument names: with a `/` or ending in .yaml/.yml a path (a folder: all packs in it, by file
 * name); otherwise an id in the library, then a path. Appends to *packs (grown with memory_grow; the caller
 * frees the list, not the packs). A pack that does not load leaves its diagnostics in `list` and error->code
 * ERROR_INPUT; an unknown one is ERROR_NOT_FOUND with the nearest id; two different files with one id is
 * ERROR_INPUT. The same pack named twice counts once.
 */
bool library_find(struct library *library, const char *argument, const struct pack ***packs, ptrdiff_t *count,
                  ptrdiff_t *capacity, struct diagnostics *list, struct error *error);

/* The paths that a PACK argument names, without loading what is named by path: for `check` and `add`. Texts
 * are in the arena. */
bool library_paths(struct library *library, const char *argument, struct arena *arena, const char ***paths,
                   ptrdiff_t *count, ptrdiff_t *capacity, struct error *error);

#endif
