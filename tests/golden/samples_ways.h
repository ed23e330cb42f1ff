/*
 * Scenes of questions that are typed, ordered, matched and recalled, and of light markup.
 */
#ifndef GOLDEN_SAMPLES_WAYS_H
#define GOLDEN_SAMPLES_WAYS_H

#include <quiztutor/view.h>

void set_number(struct view *view);
void set_number_remark(struct view *view);
void set_number_exam(struct view *view);
void set_number_sure(struct view *view);
void set_number_wrong(struct view *view);
void set_number_right(struct view *view);
void set_text(struct view *view);
void set_text_near(struct view *view);
void set_text_exam(struct view *view);
void set_text_blank(struct view *view);
void set_text_wrong(struct view *view);
void set_text_skipped(struct view *view);
void set_order(struct view *view);
void set_order_long(struct view *view);
void set_order_exam(struct view *view);
void set_order_partly(struct view *view);
void set_order_long_wrong(struct view *view);
void set_order_right(struct view *view);
void set_match(struct view *view);
void set_match_many(struct view *view);
void set_match_exam(struct view *view);
void set_match_partly(struct view *view);
void set_match_many_wrong(struct view *view);
void set_card(struct view *view);
void set_card_tried(struct view *view);
void set_card_hard(struct view *view);
void set_paper_ways(struct view *view);
void set_preview_number(struct view *view);
void set_preview_order(struct view *view);
void set_preview_match(struct view *view);
void set_preview_card(struct view *view);
void set_markup(struct view *view);
void set_markup_result(struct view *view);

#endif
