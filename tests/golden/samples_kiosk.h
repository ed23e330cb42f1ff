/*
 * Scenes of a kiosk: its own screens, and the marks it sets on all others.
 */
#ifndef GOLDEN_SAMPLES_KIOSK_H
#define GOLDEN_SAMPLES_KIOSK_H

#include <quiztutor/view.h>

void set_sign_in(struct view *view);
void set_sign_in_bare(struct view *view);
void set_sign_in_remark(struct view *view);
void set_sign_in_pin(struct view *view);
void set_sign_in_wait(struct view *view);
void set_kiosk_home(struct view *view);
void set_kiosk_home_empty(struct view *view);
void set_kiosk_question(struct view *view);
void set_kiosk_exam(struct view *view);
void set_kiosk_idle(struct view *view);
void set_kiosk_code(struct view *view);
void set_kiosk_not_stored(struct view *view);
void set_large_sign_in(struct view *view);
void set_large_pin(struct view *view);
void set_large_home(struct view *view);
void set_large_question(struct view *view);
void set_large_idle(struct view *view);
void set_call(struct view *view);
void set_menu(struct view *view);
void set_menu_stake(struct view *view);

#endif
