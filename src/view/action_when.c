#include "action_when.h"

#include "action.h"
#include "page.h"
#include "way.h"

enum { LETTERS = 7 }; /* with more choices a letter could be meant as a command */

bool when_choices(const struct view *view)
{
    const struct question_model *question = action_question(view);
    return question && question->way == WAY_CHOICES && question->choice_count > 0;
}

bool when_letters(const struct view *view)
{
    const struct question_model *question = action_question(view);
    return when_choices(view) && !question->truth && question->choice_count <= LETTERS;
}

bool when_truth(const struct view *view)
{
    const struct question_model *question = action_question(view);
    return question && question->truth;
}

bool when_numbers(const struct view *view)
{
    return when_choices(view) && !when_truth(view);
}

bool when_many(const struct view *view)
{
    const struct question_model *question = action_question(view);
    return question && question->many;
}

bool when_one(const struct view *view)
{
    return when_choices(view) && !when_many(view);
}

static bool asked_by(const struct view *view, enum answer_way way)
{
    return view->screen == SCREEN_QUESTION && view->question && view->question->way == way;
}

bool when_order(const struct view *view)
{
    return asked_by(view, WAY_ORDER);
}

bool when_items(const struct view *view)
{
    return when_order(view) && view->lifted < 0;
}

bool when_lifted(const struct view *view)
{
    return when_order(view) && view->lifted >= 0;
}

bool when_match(const struct view *view)
{
    return asked_by(view, WAY_MATCH);
}

bool when_lefts(const struct view *view)
{
    return when_match(view) && view->lifted < 0;
}

bool when_targets(const struct view *view)
{
    return when_match(view) && view->lifted >= 0;
}

bool when_matched(const struct view *view)
{
    return when_lefts(view) && view->at[view->cursor] >= 0;
}

bool when_front(const struct view *view)
{
    return asked_by(view, WAY_RECALL) && !view->revealed;
}

bool when_back(const struct view *view)
{
    return asked_by(view, WAY_RECALL) && view->revealed;
}

bool when_typing(const struct view *view)
{
    return asked_by(view, WAY_FIELD) && !view->left_field;
}

bool when_left_field(const struct view *view)
{
    return asked_by(view, WAY_FIELD) && view->left_field;
}

/* Nothing else is Enter's. */
static bool when_enter(const struct view *view)
{
    return !when_lifted(view) && !when_targets(view) && !when_front(view) && !when_left_field(view);
}

bool when_answers(const struct view *view)
{
    return when_practice(view) && when_enter(view);
}

bool when_notes(const struct view *view)
{
    return when_exam(view) && when_enter(view);
}

bool when_exam(const struct view *view)
{
    const struct question_model *question = action_question(view);
    return question && question->exam;
}

bool when_practice(const struct view *view)
{
    return !when_exam(view);
}

bool when_tried(const struct view *view)
{
    const struct question_model *question = action_question(view);
    return question && question->tried;
}

static bool when_within(const struct view *view)
{
    return when_typing(view) || when_lifted(view) || when_targets(view);
}

bool when_tried_freely(const struct view *view)
{
    return when_tried(view) && !when_within(view);
}

bool when_tried_within(const struct view *view)
{
    return when_tried(view) && when_within(view);
}

bool when_kept(const struct view *view)
{
    return when_practice(view) && !when_tried(view);
}

bool when_hints(const struct view *view)
{
    return view->question && !view->question->exam && view->question->hints_left > 0;
}

bool when_undo(const struct view *view)
{
    if (when_tried(view))
        return false;
    return view->screen != SCREEN_QUESTION ||
           (view->question && !view->question->exam && view->question->can_undo);
}

bool when_helped(const struct view *view)
{
    return view->screen == SCREEN_RESULT && view->result && view->result->lapses > 0 &&
           !view->result->question.suspended;
}

bool when_unhelped(const struct view *view)
{
    return action_question(view) && when_kept(view) && !when_helped(view);
}

bool when_hand_in(const struct view *view)
{
    return view->screen == SCREEN_OVERVIEW || when_exam(view);
}

bool when_flags(const struct view *view)
{
    return view->screen == SCREEN_OVERVIEW ? when_overview(view) : when_exam(view);
}

bool when_before_last(const struct view *view)
{
    return when_exam(view) && view->question->number < view->question->of;
}

bool when_after_first(const struct view *view)
{
    return when_exam(view) && view->question->number > 1;
}

/* An open question may be left blank on purpose, an answered one emptied. */
static bool may_blank(const struct view *view)
{
    if (!when_exam(view))
        return false;
    const struct way *way = way_of(view->question);
    return !view->question->has_response || way->any(view, view->question) || way->kept(view->question);
}

bool when_blanks(const struct view *view)
{
    return may_blank(view) && !when_match(view);
}

bool when_blank_match(const struct view *view)
{
    return may_blank(view) && when_match(view);
}

/* Whether a condition is about another way of answering. */
static bool other_way(bool (*works)(const struct view *), enum answer_way way)
{
    static const struct {
        bool (*works)(const struct view *view);
        enum answer_way way;
    } rows[] = {
        { when_numbers, WAY_CHOICES }, { when_letters, WAY_CHOICES },  { when_truth, WAY_CHOICES },
        { when_choices, WAY_CHOICES }, { when_many, WAY_CHOICES },     { when_one, WAY_CHOICES },
        { when_order, WAY_ORDER },     { when_items, WAY_ORDER },      { when_lifted, WAY_ORDER },
        { when_match, WAY_MATCH },     { when_lefts, WAY_MATCH },      { when_targets, WAY_MATCH },
        { when_matched, WAY_MATCH },   { when_front, WAY_RECALL },     { when_back, WAY_RECALL },
        { when_typing, WAY_FIELD },    { when_left_field, WAY_FIELD },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (works == rows[i].works)
            return way != rows[i].way;
    return false;
}

bool when_elsewhere(bool (*works)(const struct view *), const struct view *view)
{
    typedef bool condition(const struct view *view);
    static condition *const exam[] = { when_exam,  when_before_last, when_after_first, when_blanks,
                                       when_notes, when_blank_match, when_flags,       when_hand_in };
    static condition *const practice[] = { when_practice, when_answers, when_hints,   when_kept,
                                           when_undo,     when_helped,  when_unhelped };
    static condition *const kept[] = { when_kept, when_undo, when_helped, when_unhelped };
    const struct question_model *question = action_question(view);
    if (works == (view->kiosk ? when_free : when_kiosk) || (!view->kiosk && works == when_tutor))
        return true;
    if (!question)
        return false;
    if (view->screen == SCREEN_QUESTION && other_way(works, question->way))
        return true;
    condition *const *other = question->exam ? practice : exam;
    size_t count = question->exam ? sizeof practice / sizeof *practice : sizeof exam / sizeof *exam;
    if (works == when_tried_within)
        return true;
    if (works == when_tried || works == when_tried_freely)
        return !question->tried;
    for (size_t i = 0; question->tried && i < sizeof kept / sizeof *kept; i++)
        if (works == kept[i])
            return true;
    for (size_t i = 0; i < count; i++)
        if (works == other[i])
            return true;
    return false;
}

bool when_overview(const struct view *view)
{
    return view->overview && view->overview->count > 0;
}

bool when_overviews(const struct view *view)
{
    return view->overview && view->overview->count > 1;
}

bool when_paper(const struct view *view)
{
    return view->paper && view->paper->count > 0;
}

bool when_missed(const struct view *view)
{
    return view->paper && view->paper->right < view->paper->count;
}

bool when_preview(const struct view *view)
{
    return view->preview && view->preview->fault_count == 0;
}

bool when_preview_before_last(const struct view *view)
{
    return when_preview(view) && view->preview->question.number < view->preview->question.of;
}

bool when_preview_after_first(const struct view *view)
{
    return when_preview(view) && view->preview->question.number > 1;
}

bool when_scrolls(const struct view *view)
{
    return view->scroll_range > 0;
}

bool when_overlay_scrolls(const struct view *view)
{
    return view->overlay_range > 0;
}

bool when_scrolls_sideways(const struct view *view)
{
    return view->side_range > 0;
}

bool when_rows(const struct view *view)
{
    return view->library && view->library->count > 0;
}

/* A row under the cursor, or where the cursor goes when the filter hides its own: −1 for none. */
static int row_here(const struct view *view)
{
    struct view at = *view;
    if (!when_rows(view))
        return -1;
    home_keep_cursor(&at);
    return home_shows(&at, at.cursor) ? at.cursor : -1;
}

bool when_pack(const struct view *view)
{
    return row_here(view) >= 0;
}

/* The row under the cursor, of a pack that can be asked; -1: it is none. Asked once for each answer: it may
 * be another the next time, where there is no memory for the filter. */
static int sound_row(const struct view *view)
{
    int row = row_here(view);
    return row >= 0 && !view->library->rows[row].problem ? row : -1;
}

static bool sits_there(const struct view *view, int row)
{
    return view->exams || view->library->rows[row].exam;
}

bool when_practises(const struct view *view)
{
    int row = sound_row(view);
    return row >= 0 && !sits_there(view, row);
}

bool when_sits(const struct view *view)
{
    int row = sound_row(view);
    return row >= 0 && sits_there(view, row);
}

bool when_packs(const struct view *view)
{
    int row = row_here(view);
    return row >= 0 && (home_next(view, row + 1, 1) >= 0 || home_next(view, row - 1, -1) >= 0);
}

bool when_filtered(const struct view *view)
{
    return view->filter[0] != '\0';
}

bool when_misses(const struct view *view)
{
    return view->summary && view->summary->miss_count > 0;
}

bool when_unconfirmed(const struct view *view)
{
    return !view->confirm;
}

bool when_confirmed(const struct view *view)
{
    return view->confirm;
}

bool when_kiosk(const struct view *view)
{
    return view->kiosk;
}

bool when_tutor(const struct view *view)
{
    return view->kiosk && view->screen != SCREEN_MENU;
}

bool when_free(const struct view *view)
{
    return !view->kiosk;
}

bool when_names(const struct view *view)
{
    return sign_in_next(view, 1, 1) > 0;
}

bool when_typed(const struct view *view)
{
    return view->field_length > 0;
}

static int choice_count(const struct view *view)
{
    return view->screen == SCREEN_MENU && view->kiosk ? view->kiosk->choice_count : 0;
}

bool when_choice(const struct view *view)
{
    return view->cursor < choice_count(view) && view->kiosk->choices[view->cursor].does;
}

bool when_menu_moves(const struct view *view)
{
    return choice_count(view) > 1;
}
