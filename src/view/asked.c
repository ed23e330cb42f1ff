/*
 * The question screen, of a practice or an exam: text above, choices below, what a section's questions share
 * before it or, in a wide window, beside it.
 */
#include "question.h"
#include "way.h"

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

/* What is under the cursor is always in sight; what is longer than the room for it is scrolled through. */
static void follow_cursor(struct view *view, const struct way_place *place, int height)
{
    int begins = place->begins, ends = place->ends;
    int lowest = ends - height, *scroll = &view->choice_scroll;
    *scroll =
        ends - begins <= height ? most(lowest, least(*scroll, begins)) : most(begins, least(*scroll, lowest));
    view->choice_page = height;
}

static void measure_cursor(struct view *view, const struct way_place *place, int height)
{
    view->choice_above = most(0, view->choice_scroll - place->begins);
    view->choice_below = most(0, place->ends - view->choice_scroll - height);
}

/* Where what comes before the question stands. */
enum stem { STEM_JOINED, STEM_BESIDE, STEM_WINDOW };

/* The question laid out, before it is known where its section's text goes. */
struct parts {
    const struct question_model *question;
    struct flow intro, text, choices;
    struct way_place place;
    const char *note;
    int hint_row;   /* in the text; −1: no hint */
    int prompt_row; /* where the question begins in the text, or the back of a card that is turned */
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
    parts->text.side = page->view->side_scroll;
    parts->prompt_row = 0;
    if (joined && flow_height(&parts->intro) > 0) {
        question_intro(&parts->text, page, parts->question, pane->width, room);
        flow_blank(&parts->text);
        parts->prompt_row = flow_height(&parts->text);
    }
    bool turned = parts->question->way == WAY_RECALL && page->view->revealed;
    question_text(&parts->text, page, parts->question, pane, room, turned ? ROLE_TEXT : ROLE_STRONG,
                  &parts->hint_row);
    if (turned) {
        flow_blank(&parts->text);
        parts->prompt_row = flow_height(&parts->text);
        flow_wrap(&parts->text, 0, pane->width, ROLE_STRONG,
                  parts->question->back ? parts->question->back : "", false);
    }
}

static void lay_answers(struct parts *parts, const struct page *page, enum way_room room)
{
    flow_finish(&parts->choices);
    flow_init(&parts->choices);
    parts->choices.side = page->view->side_scroll;
    parts->air = room == ROOM_AIRY;
    parts->place = (struct way_place){ .line = -1 };
    way_of(parts->question)->lay(&parts->choices, page, parts->question, room, &parts->place);
}

/* Rows of question and choices with the gaps between, in the airy form or the closer one. */
static int rows_needed(const struct parts *parts)
{
    return 1 + flow_height(&parts->text) + (parts->air ? 2 : 1) + notes_of(parts) +
           flow_height(&parts->choices);
}

static bool fits_airy(struct parts *parts, const struct page *page, int room)
{
    lay_answers(parts, page, ROOM_AIRY);
    if (rows_needed(parts) + 1 <= room)
        return true;
    lay_answers(parts, page, ROOM_CLOSE);
    if (rows_needed(parts) > room)
        lay_answers(parts, page, ROOM_BARE);
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
    const struct way_place *place = &parts->place;
    int range;
    if (flow_height(&parts->choices) == 0 || place->ends > flow_height(&parts->choices))
        return;
    struct flow scrolled = parts->choices; /* a window onto its lines: nothing of its own to finish */
    int top = parts->top + d->choice_row, pinned = place->pinned, height = d->choice_height - pinned;
    if (height < 1)
        pinned = 0;
    height = d->choice_height - pinned;
    flow_draw(&parts->choices, page->grid, top, page->text.left, pinned, 0);
    scrolled.lines += pinned;
    scrolled.line_count -= pinned;
    struct way_place seen = { .begins = most(0, place->begins - pinned),
                              .ends = most(0, place->ends - pinned) };
    follow_cursor(view, &seen, height);
    page_scroll(page, &page->text, &scrolled, top + pinned, height, &view->choice_scroll, &range);
    measure_cursor(view, &seen, height);
    int line = place->line < pinned ? place->line : most(pinned, place->line - view->choice_scroll);
    if (line >= 0)
        grid_focus(page->grid, top + line, page->text.left + place->column);
}

static void draw_note(const struct page *page, int row, const char *note)
{
    struct flow flow;
    flow_init(&flow);
    flow_blank(&flow);
    flow_clip(&flow, 1, page->text.width - 1, ROLE_DIM, note, page->signs->ellipsis);
    flow_draw(&flow, page->grid, row, page->text.left, 1, 0);
    flow_finish(&flow);
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
    parts.intro.side = view->side_scroll;
    question_intro(&parts.intro, page, question, stem->width, stem->width);
    parts.note = way_of(question)->note(&parts.intro, page, question);
    place_stem(&parts, page);
    view->side_range = most(parts.text.widest, parts.choices.widest);
    if (parts.stem != STEM_JOINED) {
        view->side_range = most(view->side_range, parts.intro.widest);
        draw_stem(&parts, page);
    }
    struct division d = divide(parts.height, flow_height(&parts.text), flow_height(&parts.choices),
                               parts.note != NULL, parts.air);
    place_scroll(view, &parts);
    place_reading(view, &parts, &d);
    draw_text(&parts, page, &d);
    if (d.note_row >= 0)
        draw_note(page, parts.top + d.note_row, parts.note);
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
