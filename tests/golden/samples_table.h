/* Scenes of a tutor's tables, for samples.c; private to it and to the tests of the view. */
#ifndef GOLDEN_SAMPLES_TABLE_H
#define GOLDEN_SAMPLES_TABLE_H

#include <quiztutor/view.h>

void set_table_class(struct view *view);
void set_table_absent(struct view *view);
void set_table_empty(struct view *view);
void set_table_learner(struct view *view);
void set_table_items(struct view *view);
void set_table_choices(struct view *view);

#endif
