/*
 * Scenes: view models with realistic content, and the keys that lead to the state shown. Golden screens,
 * pictures and the tests of the view draw from the same ones. All is static.
 */
#ifndef GOLDEN_SAMPLES_H
#define GOLDEN_SAMPLES_H

#include <quiztutor/view.h>

struct scene {
    const char *name;
    void (*set)(struct view *view); /* sets models, shows the screen, opens an overlay */
    const char *keys; /* typed then, each after a drawing; ^ before a letter names a special key */
};

extern const struct scene scenes[];
extern const int scene_count;

/* Sets the scene up at this size and types its keys. */
void scene_start(const struct scene *scene, struct view *view, enum sign_set signs, int rows, int columns);

/* Types keys: ^D down, ^U up, ^L left, ^R right, ^E enter, ^X escape, ^N page down, ^P page up, ^H home, ^T
 * end, ^B backspace, ^1 to ^4 F1 to F4; anything else is itself. */
void scene_type(struct view *view, const char *keys, struct effect *effect);

#endif
