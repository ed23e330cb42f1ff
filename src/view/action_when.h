/*
 * When an action can do something: what the rows of the table ask before a key works.
 */
#ifndef VIEW_ACTION_WHEN_H
#define VIEW_ACTION_WHEN_H

#include <quiztutor/view.h>

/* the question on the screen, asked or answered */
bool when_choices(const struct view *view);
bool when_letters(const struct view *view);
bool when_truth(const struct view *view);
bool when_numbers(const struct view *view);
bool when_many(const struct view *view);
bool when_one(const struct view *view);
bool when_answers(const struct view *view); /* Enter answers a practice's question */
bool when_notes(const struct view *view);   /* or notes the answer to an exam's */
bool when_order(const struct view *view);
bool when_items(const struct view *view);  /* none of them lifted */
bool when_lifted(const struct view *view); /* one is */
bool when_match(const struct view *view);
bool when_lefts(const struct view *view);   /* the cursor is among them */
bool when_targets(const struct view *view); /* or among the targets */
bool when_matched(const struct view *view); /* the left under the cursor is */
bool when_front(const struct view *view);   /* a card that is not turned yet */
bool when_back(const struct view *view);    /* or is */
bool when_typing(const struct view *view);
bool when_left_field(const struct view *view);   /* letters are keys */
bool when_practice(const struct view *view);     /* not of an exam */
bool when_tried(const struct view *view);        /* by its author, in a preview */
bool when_tried_freely(const struct view *view); /* Esc has nothing else to leave */
bool when_tried_within(const struct view *view); /* or has */
bool when_kept(const struct view *view);         /* in practice, where what is done to it is kept */
bool when_hints(const struct view *view);
bool when_undo(const struct view *view);
bool when_helped(const struct view *view);   /* forgotten so often that suspending is offered */
bool when_unhelped(const struct view *view); /* in practice, and not offered */

/* an exam */
bool when_exam(const struct view *view);
bool when_flags(const struct view *view);
bool when_hand_in(const struct view *view);
bool when_before_last(const struct view *view);
bool when_after_first(const struct view *view);
bool when_blanks(const struct view *view);      /* there is something to leave blank */
bool when_blank_match(const struct view *view); /* where Backspace clears one left */
bool when_overview(const struct view *view);    /* its rows are there */
bool when_overviews(const struct view *view);   /* more than one */
bool when_paper(const struct view *view);
bool when_missed(const struct view *view);

/* Whether a row with this condition is for the other kind of question: an exam's, or a practice's; or for a
 * kiosk where there is none, and the other way round. */
bool when_elsewhere(bool (*works)(const struct view *), const struct view *view);

/* a preview that shows a question */
bool when_preview(const struct view *view);
bool when_preview_before_last(const struct view *view);
bool when_preview_after_first(const struct view *view);

/* what scrolls */
bool when_scrolls(const struct view *view);
bool when_overlay_scrolls(const struct view *view);
bool when_scrolls_sideways(const struct view *view);

/* home, and the summary */
bool when_rows(const struct view *view);
bool when_pack(const struct view *view);
bool when_practises(const struct view *view); /* a pack that loads, to practise */
bool when_sits(const struct view *view);      /* or to be examined in */
bool when_packs(const struct view *view);
bool when_filtered(const struct view *view);
bool when_misses(const struct view *view);

/* a report's table */
bool when_table(const struct view *view);
bool when_table_rows(const struct view *view); /* has rows, shown or not */
bool when_table_row(const struct view *view);
bool when_table_sorts(const struct view *view);   /* has several */
bool when_table_moves(const struct view *view);   /* several are shown */
bool when_table_filters(const struct view *view); /* the same, while the filter is typed */
bool when_table_columns(const struct view *view); /* has several */
bool when_table_filtered(const struct view *view);
bool when_opens(const struct view *view);           /* the row under the cursor opens something */
bool when_inside(const struct view *view);          /* it was opened from another, and is not filtered */
bool when_inside_filtered(const struct view *view); /* or is */
bool when_tables(const struct view *view);          /* there are others in the same report */
bool when_others(const struct view *view);          /* other reports can be gone to */

/* a kiosk */
bool when_kiosk(const struct view *view);
bool when_tutor(const struct view *view);  /* one whose tutor's menu is not open */
bool when_free(const struct view *view);   /* no kiosk */
bool when_names(const struct view *view);  /* names begin with what is typed */
bool when_typed(const struct view *view);  /* something is */
bool when_choice(const struct view *view); /* the menu's row does something */
bool when_menu_moves(const struct view *view);

/* an answer that is not stored: whether leaving was asked for once */
bool when_unconfirmed(const struct view *view);
bool when_confirmed(const struct view *view);

#endif
