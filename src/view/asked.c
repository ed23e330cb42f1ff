/*
 * The question screen, of a practice or an exam: text above, choices below, what a section's questions share
 * before it or, in a wide window, beside it.
 */
#include "question.h"

#include <quiztutor/message.h>

#include <string.h>

static int least(int one, int other)
{
    return one < other ? one : other;
}

static int most(int one, int other)
{
    return one > other ? one : other;
}

static int columns_of(const char *text)
{
    return grid_columns(text, (ptrdiff_t)strlen(text));
}

struct choice_rows {
    int first[VIEW_CHOICES + 1]; /* line where each choice begins; one past the last */
};

static void lay_choices(struct flow *flow, const struct page *page, const struct question_model *question,
                        bool airy, struct choice_rows *rows)
{
    const struct view *view = page->view;
    const struct signs *signs = page->signs;
    int indent = question_indent(page, question), width = page->text.width - indent;
    for (int i = 0; i < question->choice_count; i++) {
        if (airy && i > 0)
            flow_blank(flow);
        rows->first[i] = flow_height(flow);
        bool picked = view->picked[i];
        enum grid_role role = picked ? ROLE_SELECTED : ROLE_TEXT;
        const char *sign =
            question->many ? (picked ? signs->box_on : signs->box_off) : (picked ? signs->on : signs->off);
        question_label(flow, page, question, i, sign, role, picked ? ROLE_SELECTED : ROLE_DIM);
        if (question->many && i == view->cursor)
            flow_text(flow, -1, ROLE_KEY, signs->cursor);
        int used = flow_wrap(flow, indent, width, role, question->choices[i], true);
        if (question->exam && question->has_response && question->given[i]) {
            if (used + 2 + columns_of(tr("noted")) > width)
                flow_blank(flow);
            flow_right(flow, page->text.width, ROLE_DIM, tr("noted"));
        }
    }
    rows->first[question->choice_count] = flow_height(flow);
}

/* How the body is divided; rows counted from its top. */
struct division {
    int text_row, text_height;
    int note_row; /* "choose all that apply"; −1: none */
    int choice_row, choice_height;
};

static struct division divide(int height, int text, int choices, bool note, bool air)
{
    struct division d = { .note_row = -1 };
    int above = air ? 2 : 1, lead = 1, notes = note ? 2 : 0;
    if (lead + text + above + notes + choices > height) {
        above = height >= 10 || text + choices < height ? 1 : 0;
        lead = lead + text + above + notes + choices <= height;
        notes = note ? (lead + text + above + notes + choices <= height ? 2 : 1) : 0;
    }
    int room = height - lead - above - notes;
    int kept = least(text, choices <= room - least(text, 3) ? room - choices : most(2, height / 3));
    d.text_row = lead;
    d.text_height = least(text, most(kept, room - choices));
    d.choice_row = d.text_row + d.text_height + above + notes;
    d.choice_height = least(choices, height - d.choice_row);
    if (note)
        d.note_row = d.choice_row - notes;
    return d;
}

/* The choice under the cursor is always in sight; one longer than the room for it is scrolled through. */
static void follow_cursor(struct view *view, const struct choice_rows *rows, int height)
{
    int begins = rows->first[view->cursor], ends = rows->first[view->cursor + 1];
    int lowest = ends - height, *scroll = &view->choice_scroll;
    *scroll =
        ends - begins <= height ? most(lowest, least(*scroll, begins)) : most(begins, least(*scroll, lowest));
    view->choice_page = height;
}

static void measure_cursor(struct view *view, const struct choice_rows *rows, int height)
{
    int begins = rows->first[view->cursor], ends = rows->first[view->cursor + 1];
    view->choice_above = most(0, view->choice_scroll - begins);
    view->choice_below = most(0, ends - view->choice_scroll - height);
}

/* Where what comes before the question stands. */
enum stem { STEM_JOINED, STEM_BESIDE, STEM_WINDOW };

/* The question laid out, before it is known where its section's text goes. */
struct parts {
    const struct question_model *question;
    struct flow intro, text, choices;
    struct choice_rows rows;
    const char *note;
    int hint_row;   /* in the text; −1: no hint */
    int prompt_row; /* where the question begins in the text */
    int top, height;
    int window; /* STEM_WINDOW: rows of it */
    bool air;   /* gaps between the choices */
    enum stem stem;
};

static void parts_finish(struct parts *parts)
{
    flow_finish(&parts->intro);
    flow_finish(&parts->text);
    flow_finish(&parts->choices);
}

static int notes_of(const struct parts *parts)
{
    return parts->note ? 2 : 0;
}

static void lay_text(struct parts *parts, const struct page *page, bool joined)
{
    const struct pane *pane = &page->text;
    bool beside = page->beside.width > 0 && (joined || flow_height(&parts->intro) == 0);
    int room = beside ? page->columns - 2 - pane->left : pane->width; /* nothing stands beside it */
    flow_finish(&parts->text);
    flow_init(&parts->text);
    parts->prompt_row = 0;
    if (joined && flow_height(&parts->intro) > 0) {
        question_intro(&parts->text, page, parts->question, pane->width, room);
        flow_blank(&parts->text);
        parts->prompt_row = flow_height(&parts->text);
    }
    question_text(&parts->text, page, parts->question, pane, room, ROLE_STRONG, &parts->hint_row);
}

static void lay_answers(struct parts *parts, const struct page *page, bool airy)
{
    flow_finish(&parts->choices);
    flow_init(&parts->choices);
    parts->air = airy;
    lay_choices(&parts->choices, page, parts->question, airy, &parts->rows);
}

/* Rows of question and choices with the gaps between, in the airy form or the closer one. */
static int rows_needed(const struct parts *parts)
{
    return 1 + flow_height(&parts->text) + (parts->air ? 2 : 1) + notes_of(parts) +
           flow_height(&parts->choices);
}

static bool fits_airy(struct parts *parts, const struct page *page, int room)
{
    lay_answers(parts, page, true);
    if (rows_needed(parts) + 1 <= room)
        return true;
    lay_answers(parts, page, false);
    return false;
}

enum { WINDOW_LEAST = 3 };

/* A section's text stands beside the question where the window is wide, above it where both fit, in a window
 * of its own above it where that has some rows, and else is scrolled together with the question. */
static void place_stem(struct parts *parts, const struct page *page)
{
    int intro = flow_height(&parts->intro);
    parts->stem = STEM_JOINED;
    if (intro == 0 || (!parts->question->intro && !parts->question->intro_figure)) { /* a title at most */
        lay_text(parts, page, true);
        if (!fits_airy(parts, page, parts->height) && intro > 0 && rows_needed(parts) > parts->height) {
            lay_text(parts, page, false); /* the title gives way */
            fits_airy(parts, page, parts->height);
        }
        return;
    }
    lay_text(parts, page, false);
    if (page->beside.width > 0 &&
        (fits_airy(parts, page, parts->height) || rows_needed(parts) <= parts->height)) {
        parts->stem = STEM_BESIDE;
        return;
    }
    if (page->beside.width == 0 && fits_airy(parts, page, parts->height - 1 - intro)) {
        parts->stem = STEM_WINDOW;
        parts->window = intro;
        return;
    }
    parts->window = least(intro, parts->height - 1 - rows_needed(parts));
    if (page->beside.width == 0 && parts->window >= least(intro, WINDOW_LEAST)) {
        parts->stem = STEM_WINDOW;
        return;
    }
    lay_text(parts, page, true);
    fits_airy(parts, page, parts->height);
}

static void draw_stem(struct parts *parts, const struct page *page)
{
    struct view *view = page->view;
    const struct pane *pane = parts->stem == STEM_BESIDE ? &page->beside : &page->text;
    int height = parts->stem == STEM_BESIDE ? parts->height - 1 : parts->window;
    if (parts->stem == STEM_BESIDE)
        for (int row = page->top; row < page->bottom; row++)
            grid_fill(page->grid, row, page->columns / 2, 1, ROLE_RULE, page->signs->upright);
    page_scroll(page, pane, &parts->intro, page->top + 1, height, &view->scroll, &view->scroll_range);
    view->scroll_page = height;
    if (parts->stem == STEM_WINDOW) {
        parts->top += 1 + height;
        parts->height -= 1 + height;
    }
}

/* While the text before the question is read it has most of the room. */
static struct division divide_reading(int height, int text, int choices)
{
    struct division d = { .note_row = -1 };
    bool roomy = height >= 10;
    d.choice_height = least(choices, roomy ? 3 : 2);
    d.text_row = roomy;
    d.text_height = least(text, height - roomy - 1 - d.choice_height);
    d.choice_row = d.text_row + d.text_height + 1;
    return d;
}

/*
 * Scrolling up from the question begins to read what comes before it, scrolling to the end leads back.
 * Drawing again must come to the same.
 */
static void place_reading(struct view *view, const struct parts *parts, struct division *d)
{
    int text = flow_height(&parts->text);
    struct division reading = divide_reading(parts->height, text, flow_height(&parts->choices));
    int home = least(parts->prompt_row, most(0, text - d->text_height)), end = text - reading.text_height;
    if (parts->stem != STEM_JOINED || home == 0 || end < 1 || reading.text_height <= d->text_height) {
        view->reading = false;
        return;
    }
    if (!view->reading && view->scroll < home) {
        view->reading = true;
        view->scroll = least(view->scroll, end - 1);
    } else if (view->reading && view->scroll >= end) {
        view->reading = false;
        view->scroll = most(view->scroll, home);
    }
    if (view->reading)
        *d = reading;
}

/* A new hint is scrolled into sight once; so is the question below a long text. */
static void place_scroll(struct view *view, const struct parts *parts)
{
    if (parts->question->hint_count != view->hints_shown) {
        view->hints_shown = parts->question->hint_count;
        if (parts->hint_row >= 0 && parts->stem == STEM_JOINED) {
            view->scroll = parts->hint_row;
            view->reading = false;
        }
    } else if (!view->placed && parts->stem == STEM_JOINED) {
        view->scroll = parts->prompt_row;
        view->reading = false;
    }
    view->placed = true;
}

static void draw_text(struct parts *parts, const struct page *page, const struct division *d)
{
    struct view *view = page->view;
    struct pane pane = page->text;
    int scroll = 0, range;
    if (parts->question->figure && page->beside.width > 0 && parts->stem != STEM_BESIDE)
        pane.edge = page->columns;
    if (parts->stem != STEM_JOINED) {
        page_scroll(page, &pane, &parts->text, parts->top + d->text_row, d->text_height, &scroll, &range);
        return;
    }
    page_scroll(page, &pane, &parts->text, parts->top + d->text_row, d->text_height, &view->scroll,
                &view->scroll_range);
    view->scroll_page = d->text_height;
}

static void draw_choices(struct parts *parts, const struct page *page, const struct division *d)
{
    struct view *view = page->view;
    int range, count = parts->question->choice_count;
    if (count == 0 || parts->choices.line_count != parts->rows.first[count])
        return;
    follow_cursor(view, &parts->rows, d->choice_height);
    page_scroll(page, &page->text, &parts->choices, parts->top + d->choice_row, d->choice_height,
                &view->choice_scroll, &range);
    measure_cursor(view, &parts->rows, d->choice_height);
    int row = most(0, parts->rows.first[view->cursor] - view->choice_scroll);
    grid_focus(page->grid, parts->top + d->choice_row + row, page->text.left + 1);
}

/* "Choose all that apply", and that an exam's question was left blank. */
static const char *note_text(struct flow *flow, const struct page *page,
                             const struct question_model *question)
{
    bool blank = question->exam && question->has_response;
    for (int i = 0; i < question->choice_count; i++)
        blank = blank && !question->given[i];
    if (blank && question->many)
        return flow_print(flow, "%s %s %s", tr("Choose all that apply"), page->signs->dot, tr("left blank"));
    return blank ? tr("Left blank") : question->many ? tr("Choose all that apply") : NULL;
}

/* Returns whether what the section's questions share is scrolled away above the question. */
static bool draw_body(struct page *page, const struct question_model *question)
{
    struct view *view = page->view;
    struct parts parts = { .question = question, .top = page->top, .height = page->bottom - page->top };
    const struct pane *stem = page->beside.width > 0 ? &page->beside : &page->text;
    flow_init(&parts.intro);
    flow_init(&parts.text);
    flow_init(&parts.choices);
    question_intro(&parts.intro, page, question, stem->width, stem->width);
    parts.note = note_text(&parts.intro, page, question);
    place_stem(&parts, page);
    view->side_range = parts.text.widest;
    if (parts.stem != STEM_JOINED) {
        view->side_range = most(parts.text.widest, parts.intro.widest);
        draw_stem(&parts, page);
    }
    struct division d = divide(parts.height, flow_height(&parts.text), flow_height(&parts.choices),
                               parts.note != NULL, parts.air);
    place_scroll(view, &parts);
    place_reading(view, &parts, &d);
    draw_text(&parts, page, &d);
    if (d.note_row >= 0)
        grid_put(page->grid, parts.top + d.note_row, page->text.left + 1, page->text.width, ROLE_DIM,
                 parts.note, (ptrdiff_t)strlen(parts.note));
    draw_choices(&parts, page, &d);
    bool above = parts.stem == STEM_JOINED && parts.prompt_row > 0 && view->scroll > 0 && !view->reading;
    parts_finish(&parts);
    return above;
}

/* In the lower rule: that there is something to read above the question. */
static void draw_above(const struct page *page, const struct question_model *question)
{
    struct flow texts;
    flow_init(&texts);
    const char *what = question->section ? question->section : tr("what comes before");
    page_rule_word(page, page->bottom, ROLE_DIM, flow_print(&texts, tr("PgUp: %s"), what));
    flow_finish(&texts);
}

void question_draw(struct view *view, struct grid *grid)
{
    const struct question_model *question = view->question;
    struct page page;
    bool above = false;
    page_init(&page, view, grid, true);
    if (!question) {
        page_frame(&page, "", NULL, NULL, 0, 0);
        return;
    }
    view->cursor = most(0, least(view->cursor, question->choice_count - 1));
    grid_focus(grid, page.top, page.text.left);
    if (view->overlay == OVERLAY_CERTAINTY) { /* the question makes room, and then stands as before */
        int scroll = view->scroll, rows = certainty_rows(&page);
        bool reading = view->reading;
        view->placed = false;
        page.bottom -= rows;
        draw_body(&page, question);
        page.bottom += rows;
        view->scroll = scroll;
        view->reading = reading;
    } else {
        above = draw_body(&page, question);
    }
    question_frame(&page, question, question->answered); /* last: the footer knows what scrolls */
    if (above && !view->flash && view->overlay == OVERLAY_NONE)
        draw_above(&page, question);
}
