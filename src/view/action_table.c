#include "action.h"
#include "page.h"

#include <quiztutor/message.h>

enum {
    HOME = 1 << SCREEN_HOME,
    QUESTION = 1 << SCREEN_QUESTION,
    RESULT = 1 << SCREEN_RESULT,
    SUMMARY = 1 << SCREEN_SUMMARY,
    EVERYWHERE = HOME | QUESTION | RESULT | SUMMARY,

    O_KEYS = 1 << OVERLAY_KEYS,
    O_FINISH = 1 << OVERLAY_FINISH,
    O_REPORT = 1 << OVERLAY_REPORT,
    O_LEARNER = 1 << OVERLAY_LEARNER,
    O_FILTER = 1 << OVERLAY_FILTER,
    O_ABOUT = 1 << OVERLAY_ABOUT,
    O_NOT_STORED = 1 << OVERLAY_NOT_STORED,
    O_NOTICE = 1 << OVERLAY_NOTICE,
    O_RESUME = 1 << OVERLAY_RESUME,
};

enum { LETTERS = 7 }; /* with more choices a letter could be meant as a command */

static bool has_choices(const struct view *view)
{
    const struct question_model *question = action_question(view);
    return question && question->choice_count > 0;
}

static bool has_letters(const struct view *view)
{
    const struct question_model *question = action_question(view);
    return question && !question->truth && question->choice_count > 0 && question->choice_count <= LETTERS;
}

static bool is_truth(const struct view *view)
{
    const struct question_model *question = action_question(view);
    return question && question->truth;
}

static bool has_numbers(const struct view *view)
{
    return has_choices(view) && !is_truth(view);
}

static bool is_many(const struct view *view)
{
    const struct question_model *question = action_question(view);
    return question && question->many;
}

static bool has_one(const struct view *view)
{
    return has_choices(view) && !is_many(view);
}

static bool has_hints(const struct view *view)
{
    return view->question && view->question->hints_left > 0;
}

static bool can_undo(const struct view *view)
{
    return view->screen != SCREEN_QUESTION || (view->question && view->question->can_undo);
}

static bool scrolls(const struct view *view)
{
    return view->scroll_range > 0;
}

static bool overlay_scrolls(const struct view *view)
{
    return view->overlay_range > 0;
}

static bool scrolls_sideways(const struct view *view)
{
    return view->side_range > 0;
}

static bool has_rows(const struct view *view)
{
    return view->library && view->library->count > 0;
}

/* A row under the cursor, or where the cursor goes when the filter hides its own: −1 for none. */
static int row_here(const struct view *view)
{
    struct view at = *view;
    if (!has_rows(view))
        return -1;
    home_keep_cursor(&at);
    return home_shows(&at, at.cursor) ? at.cursor : -1;
}

static bool has_pack(const struct view *view)
{
    return row_here(view) >= 0;
}

static bool has_sound_pack(const struct view *view)
{
    int row = row_here(view);
    return row >= 0 && !view->library->rows[row].problem;
}

static bool has_packs(const struct view *view)
{
    int row = row_here(view);
    return row >= 0 && (home_next(view, row + 1, 1) >= 0 || home_next(view, row - 1, -1) >= 0);
}

static bool is_filtered(const struct view *view)
{
    return view->filter[0] != '\0';
}

static bool has_misses(const struct view *view)
{
    return view->summary && view->summary->miss_count > 0;
}

static bool unconfirmed(const struct view *view)
{
    return !view->confirm;
}

static bool confirmed(const struct view *view)
{
    return view->confirm;
}

#define CONTROL(letter)  (KEY_CODE_CONTROL_A + (letter) - 'A')
#define FUNCTION(number) (KEY_CODE_F1 + (number)-1)

/* clang-format off */
/* In the order of footers and of the page of keys; a number or letter stands for its whole range. */
const struct action_row action_rows[] = {
    /* question */
    { "choose", N_("1-9"), N_("choose"),
      N_("Choose the answer with that number; 1, 2 is 12 where there are so many."),
      QUESTION, 0, 1, { { '1', ACTION_NUMBER } }, has_numbers },
    { "letter", N_("a-g"), N_("choose"), N_("Choose by letter, where at most seven answers are shown."),
      QUESTION, 0, 0, { { 'a', ACTION_LETTER } }, has_letters },
    { "truth", "t f", N_("choose"), N_("Choose true or false, as do 1 and 2."),
      QUESTION, 0, 1, { { '1', ACTION_NUMBER }, { 't', ACTION_TRUE }, { 'f', ACTION_FALSE } }, is_truth },
    { "move", "↑ ↓", N_("move"), N_("Move among the answers, as do j and k."),
      QUESTION, 0, 9, { { KEY_CODE_UP, ACTION_UP }, { KEY_CODE_DOWN, ACTION_DOWN }, { 'k', ACTION_UP },
        { 'j', ACTION_DOWN }, { KEY_CODE_HOME, ACTION_FIRST }, { KEY_CODE_END, ACTION_LAST } }, has_choices },
    { "toggle", N_("Space"), N_("pick"), N_("Pick the answer under the cursor, or drop it again."),
      QUESTION, 0, 3, { { ' ', ACTION_TOGGLE } }, is_many },
    { "select", N_("Space"), N_("pick"), N_("Choose the answer under the cursor."),
      QUESTION, 0, 0, { { ' ', ACTION_TOGGLE } }, has_one },
    { "answer", N_("Enter"), N_("answer"), N_("Answer with what is chosen."),
      QUESTION, 0, 1, { { KEY_CODE_ENTER, ACTION_ANSWER } }, NULL },

    /* summary */
    { "misses", "r", N_("practise the misses"), N_("Practise again what was missed."),
      SUMMARY, 0, 2, { { 'r', ACTION_MISSES } }, has_misses },
    { "library", N_("Enter"), N_("library"), N_("Go to the library."),
      SUMMARY, 0, 1, { { KEY_CODE_ENTER, ACTION_HOME } }, NULL },

    /* result */
    { "next", N_("Enter"), N_("next"), N_("Go on to the next question."),
      RESULT, 0, 1, { { KEY_CODE_ENTER, ACTION_NEXT } }, NULL },
    { "scroll", "↑ ↓", N_("scroll"), N_("Scroll by a line, as do j and k."),
      RESULT | SUMMARY, 0, 4, { { KEY_CODE_UP, ACTION_UP }, { KEY_CODE_DOWN, ACTION_DOWN },
        { 'k', ACTION_UP }, { 'j', ACTION_DOWN } }, scrolls },
    { "page", N_("PgUp PgDn"), N_("scroll"),
      N_("Scroll by a page; Space scrolls on, Home and End to the ends."),
      RESULT | SUMMARY, 0, 0, { { KEY_CODE_PAGE_UP, ACTION_PAGE_UP },
        { KEY_CODE_PAGE_DOWN, ACTION_PAGE_DOWN }, { ' ', ACTION_PAGE_DOWN }, { KEY_CODE_HOME, ACTION_FIRST },
        { KEY_CODE_END, ACTION_LAST } }, scrolls },
    { "read on", N_("PgUp PgDn"), N_("read on"), N_("Scroll the question's text."),
      QUESTION, 0, 3, { { KEY_CODE_PAGE_UP, ACTION_PAGE_UP },
        { KEY_CODE_PAGE_DOWN, ACTION_PAGE_DOWN } }, scrolls },
    { "sideways", "← →", N_("figure"), N_("Move a wide figure sideways."),
      QUESTION | RESULT, 0, 6, { { KEY_CODE_LEFT, ACTION_LEFT },
        { KEY_CODE_RIGHT, ACTION_RIGHT } }, scrolls_sideways },

    /* question and result */
    { "hint", "h", N_("hint"), N_("Show a hint (F2)."),
      QUESTION, 0, 4, { { 'h', ACTION_HINT }, { FUNCTION(2), ACTION_HINT } }, has_hints },
    { "skip", "s", N_("skip"), N_("Skip the question; it comes again later (F3)."),
      QUESTION, 0, 5, { { 's', ACTION_SKIP }, { FUNCTION(3), ACTION_SKIP } }, NULL },
    { "undo", "u", N_("undo"), N_("Take back the newest answer and be asked again (F4)."),
      QUESTION | RESULT, 0, 7, { { 'u', ACTION_UNDO }, { FUNCTION(4), ACTION_UNDO } }, can_undo },
    { "report", "!", N_("report"), N_("Report the question as wrong or unclear."),
      QUESTION | RESULT, 0, 0, { { '!', ACTION_REPORT } }, NULL },

    /* home */
    { "practise", N_("Enter"), N_("practise"), N_("Practise the pack under the cursor."),
      HOME, O_ABOUT, 1, { { KEY_CODE_ENTER, ACTION_PRACTISE } }, has_sound_pack },
    { "row", "↑ ↓", N_("move"), N_("Move in the list, as do j and k; PgUp, PgDn, Home and End go further."),
      HOME, 0, 8, { { KEY_CODE_UP, ACTION_UP }, { KEY_CODE_DOWN, ACTION_DOWN }, { 'k', ACTION_UP },
        { 'j', ACTION_DOWN }, { KEY_CODE_PAGE_UP, ACTION_PAGE_UP }, { KEY_CODE_PAGE_DOWN, ACTION_PAGE_DOWN },
        { KEY_CODE_HOME, ACTION_FIRST }, { KEY_CODE_END, ACTION_LAST } }, has_packs },
    { "find", "/", N_("find"), N_("Show only packs whose title, subject or id holds what is typed."),
      HOME, 0, 4, { { '/', ACTION_FILTER } }, has_rows },
    { "all", N_("Esc"), N_("show all"), N_("Show all packs again."),
      HOME, 0, 3, { { KEY_CODE_ESCAPE, ACTION_CLEAR } }, is_filtered },
    { "about", "i", N_("about"), N_("Read about the pack under the cursor."),
      HOME, 0, 5, { { 'i', ACTION_ABOUT } }, has_pack },
    { "learner", "l", N_("learner"), N_("Change whose answers these are."),
      HOME, 0, 6, { { 'l', ACTION_LEARNER } }, NULL },

    /* overlays */
    { "overlay scroll", "↑ ↓", N_("scroll"), N_("Scroll."),
      0, O_KEYS | O_ABOUT | O_NOTICE | O_NOT_STORED | O_RESUME, 3, { { KEY_CODE_UP, ACTION_UP },
        { KEY_CODE_DOWN, ACTION_DOWN }, { 'k', ACTION_UP }, { 'j', ACTION_DOWN },
        { KEY_CODE_PAGE_UP, ACTION_PAGE_UP }, { KEY_CODE_PAGE_DOWN, ACTION_PAGE_DOWN },
        { KEY_CODE_HOME, ACTION_FIRST }, { KEY_CODE_END, ACTION_LAST } }, overlay_scrolls },
    { "finish here", N_("Enter"), N_("finish here"), N_("Finish here, as does y."),
      0, O_FINISH, 1, { { KEY_CODE_ENTER, ACTION_YES }, { 'y', ACTION_YES },
        { CONTROL('C'), ACTION_YES } }, NULL },
    { "go on", N_("Esc"), N_("go on"), N_("Go on with the question, as does n."),
      0, O_FINISH, 1, { { KEY_CODE_ESCAPE, ACTION_CLOSE }, { 'n', ACTION_CLOSE } }, NULL },
    { "send", N_("Enter"), N_("report it"), N_("Report the question with the line that was typed."),
      0, O_REPORT, 1, { { KEY_CODE_ENTER, ACTION_SEND } }, NULL },
    { "name", N_("Enter"), N_("take this name"), N_("Go on as the learner of that name."),
      0, O_LEARNER, 1, { { KEY_CODE_ENTER, ACTION_SEND } }, NULL },
    { "show", N_("Enter"), N_("show these"), N_("Keep the list as it is filtered."),
      0, O_FILTER, 1, { { KEY_CODE_ENTER, ACTION_SEND } }, NULL },
    { "filter row", "↑ ↓", N_("move"), N_("Move in the list."),
      0, O_FILTER, 3, { { KEY_CODE_UP, ACTION_UP }, { KEY_CODE_DOWN, ACTION_DOWN } }, has_packs },
    { "show all", N_("Esc"), N_("show all"), N_("Show all packs again."),
      0, O_FILTER, 2, { { KEY_CODE_ESCAPE, ACTION_CLEAR }, { CONTROL('C'), ACTION_CLEAR } }, NULL },
    { "leave field", N_("Esc"), N_("never mind"), N_("Go back; nothing is kept."),
      0, O_REPORT | O_LEARNER, 2, { { KEY_CODE_ESCAPE, ACTION_CLOSE },
        { CONTROL('C'), ACTION_CLOSE } }, NULL },
    { "retry", "r", N_("try again"), N_("Try again to store the answer, as does Enter."),
      0, O_NOT_STORED, 1, { { 'r', ACTION_RETRY }, { KEY_CODE_ENTER, ACTION_RETRY } }, unconfirmed },
    { "give up", "q", N_("leave"), N_("Leave although the answer is not stored; asks first."),
      0, O_NOT_STORED, 2, { { 'q', ACTION_GIVE_UP }, { CONTROL('C'), ACTION_GIVE_UP } }, unconfirmed },
    { "leave", "y", N_("leave without it"), N_("Leave without this answer."),
      0, O_NOT_STORED, 1, { { 'y', ACTION_YES } }, confirmed },
    { "stay", "n", N_("stay"), N_("Stay, and keep the answer, as do Enter and Esc."),
      0, O_NOT_STORED, 1, { { 'n', ACTION_CLOSE }, { KEY_CODE_ESCAPE, ACTION_CLOSE },
        { KEY_CODE_ENTER, ACTION_CLOSE }, { CONTROL('C'), ACTION_CLOSE } }, confirmed },
    { "resume", N_("Enter"), N_("go on"), N_("Go on where the unfinished session stands, as does y."),
      0, O_RESUME, 1, { { KEY_CODE_ENTER, ACTION_RESUME }, { 'y', ACTION_RESUME } }, NULL },
    { "restart", "n", N_("start anew"), N_("Start anew; what was answered stays in the reports."),
      0, O_RESUME, 1, { { 'n', ACTION_RESTART } }, NULL },
    { "not now", N_("Esc"), N_("back"), N_("Neither: back to the library."),
      0, O_RESUME, 2, { { KEY_CODE_ESCAPE, ACTION_HOME }, { CONTROL('C'), ACTION_HOME } }, NULL },
    { "close", N_("Esc"), N_("back"), N_("Back to the screen below; q and i do so too."),
      0, O_KEYS | O_ABOUT, 1, { { KEY_CODE_ESCAPE, ACTION_CLOSE }, { 'q', ACTION_CLOSE },
        { '?', ACTION_CLOSE }, { 'i', ACTION_CLOSE }, { CONTROL('C'), ACTION_CLOSE } }, NULL },
    { "close page", N_("Enter"), N_("back"), N_("Back to the screen below."),
      0, O_KEYS, 0, { { KEY_CODE_ENTER, ACTION_CLOSE } }, NULL },
    { "understood", N_("Enter"), N_("go on"), N_("Go on; Space and Esc do so too."),
      0, O_NOTICE, 1, { { KEY_CODE_ENTER, ACTION_CLOSE }, { ' ', ACTION_CLOSE },
        { KEY_CODE_ESCAPE, ACTION_CLOSE }, { CONTROL('C'), ACTION_CLOSE } }, NULL },

    /* everywhere */
    { "keys", "?", N_("all keys"), N_("Show all keys (F1)."),
      EVERYWHERE, 0, 2, { { '?', ACTION_KEYS }, { FUNCTION(1), ACTION_KEYS } }, NULL },
    { "finish", "q", N_("finish"), N_("Finish here, after a question whether to (F10, Ctrl-C)."),
      QUESTION | RESULT, 0, 6, { { 'q', ACTION_FINISH }, { FUNCTION(10), ACTION_FINISH },
        { CONTROL('C'), ACTION_FINISH } }, NULL },
    { "quit", "q", N_("quit"), N_("Leave quiztutor (F10, Ctrl-C)."),
      HOME | SUMMARY, 0, 3, { { 'q', ACTION_QUIT }, { FUNCTION(10), ACTION_QUIT },
        { CONTROL('C'), ACTION_QUIT } }, NULL },
    { "suspend", N_("Ctrl-Z"), N_("suspend"), N_("Stop for now; the shell's fg comes back."),
      EVERYWHERE, ~0u, 0, { { CONTROL('Z'), ACTION_SUSPEND } }, NULL },
    { "redraw", N_("Ctrl-L"), N_("redraw"), N_("Draw the screen anew."),
      EVERYWHERE, ~0u, 0, { { CONTROL('L'), ACTION_REDRAW } }, NULL },
};
/* clang-format on */

const int action_row_count = (int)(sizeof action_rows / sizeof *action_rows);
