/*
 * A pack as its author looks through it: questions with their keys, or what is wrong with the file. The
 * models are made here for the screen and for plain text alike.
 */
#ifndef QUIZTUTOR_PREVIEW_H
#define QUIZTUTOR_PREVIEW_H

#include <quiztutor/memory.h>
#include <quiztutor/pack.h>
#include <quiztutor/view_model.h>

/*
 * The question at `place` (from 0) with its key, and the warnings of `list` about it. It is shown as written:
 * choices in the author's order, an order in the right one, a parametrised question with its first values.
 * `styled`: for the screens, with the bytes of markup.h. Texts are in the arena or the pack's. False only
 * without memory.
 */
bool preview_question(struct preview_model *model, struct arena *arena, bool styled, const struct pack *pack,
                      int place, const struct diagnostics *list);

/* The errors of `list`, else the one of `error`, in place of a question. False only without memory. */
bool preview_faults(struct preview_model *model, struct arena *arena, const struct diagnostics *list,
                    const struct error *error);

/*
 * The ncurses screens over the pack at `path`, shown anew whenever the file changes, until the author quits.
 * *signal gets the signal that ended the run, for the caller to raise again after its clean-up (0: none).
 */
bool preview_run(const char *path, int theme, int signs, int *signal, struct error *error);

#endif
