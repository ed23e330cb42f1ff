/*
 * What lies over a screen: two pages (all keys, about a pack), the panels that ask one thing, and the message
 * of a window that is too small.
 */
#include "page.h"

#include "action.h"
#include "action_when.h"
#include "update.h"
#include <quiztutor/message.h>

#include <string.h>

static int columns_of(const char *text)
{
    return grid_columns(text, (ptrdiff_t)strlen(text));
}

/* A page of its own with a title in the header. */
static void draw_page(struct page *page, const char *title, const struct flow *flow)
{
    struct view *view = page->view;
    int height = page->bottom - page->top - 1;
    page_scroll(page, &page->text, flow, page->top + 1, height, &view->overlay_scroll, &view->overlay_range);
    view->overlay_page = height;
    grid_focus(page->grid, page->top + 1, page->text.left);
    page_frame(page, title, NULL, NULL, 0, 0);
}

void keys_draw(struct view *view, struct grid *grid)
{
    struct page page;
    struct flow flow;
    page_init(&page, view, grid, false);
    flow_init(&flow);
    struct view below = *view; /* the keys of the screen, not of this page */
    below.overlay = OVERLAY_NONE;
    int widest = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < action_row_count; i++) {
            const struct action_row *row = &action_rows[i];
            bool works = action_here(row, &below);
            if (!((row->screens >> view->screen) & 1) ||
                (view->kiosk && !action_in_kiosk(row->bindings[0].action)) ||
                (!works && !action_works(row, &below) &&
                 (row->rank == 0 || when_elsewhere(row->works, &below) ||
                  action_find(&below, row->bindings[0].key))))
                continue; /* not of this screen or kind of question, or its key does something else */
            struct buffer keys;
            buffer_init(&keys);
            action_keys(row, &below, &keys);
            if (pass == 0) {
                int columns = columns_of(buffer_get(&keys));
                widest = columns > widest ? columns : widest;
            } else {
                flow_blank(&flow);
                flow_text(&flow, 1, works ? ROLE_KEY : ROLE_DIM, flow_print(&flow, "%s", buffer_get(&keys)));
                flow_wrap(&flow, widest + 4, page.text.width - widest - 4, works ? ROLE_TEXT : ROLE_DIM,
                          tr(row->longer), true);
            }
            buffer_finish(&keys);
        }
    }
    draw_page(&page, tr("All keys"), &flow);
    flow_finish(&flow);
}

static void lay_fact(struct flow *flow, const struct page *page, int indent, const char *label,
                     const char *text)
{
    if (!text || !*text)
        return;
    flow_blank(flow);
    flow_text(flow, 0, ROLE_DIM, label);
    flow_wrap(flow, indent, page->text.width - indent, ROLE_TEXT, text, true);
}

void about_draw(struct view *view, struct grid *grid)
{
    struct page page;
    struct flow flow;
    page_init(&page, view, grid, false);
    flow_init(&flow);
    const struct library_row *row = NULL;
    if (view->library && view->cursor >= 0 && view->cursor < view->library->count)
        row = &view->library->rows[view->cursor];
    if (row) {
        int width = page.text.width;
        if (row->problem)
            flow_wrap(&flow, 0, width, ROLE_WARNING, row->problem, false);
        if (row->strapline)
            flow_wrap(&flow, 0, width, ROLE_STRONG, row->strapline, false);
        if (row->description) {
            if (flow_height(&flow) > 0)
                flow_blank(&flow);
            flow_wrap(&flow, 0, width, ROLE_TEXT, row->description, false);
        }
        if (flow_height(&flow) > 0)
            flow_blank(&flow);
        const char *labels[] = { tr("Subject"), tr("Questions"), tr("Authors"),
                                 tr("Licence"), tr("Id"),        tr("File") };
        int indent = 0;
        for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
            indent = columns_of(labels[i]) + 3 > indent ? columns_of(labels[i]) + 3 : indent;
        const char *count = row->problem ? NULL
                            : row->seen == 0
                                ? flow_print(&flow, tr("%d, none seen yet"), row->questions)
                                : flow_print(&flow, tr("%d, %d seen, %d of those right, %d mastered"),
                                             row->questions, row->seen, row->right, row->mastered);
        const char *texts[] = { row->subject, count, row->authors, row->licence, row->id, row->path };
        for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
            lay_fact(&flow, &page, indent, labels[i], texts[i]);
    }
    draw_page(&page, row && row->title ? row->title : tr("About this pack"), &flow);
    flow_finish(&flow);
}

/* What handing in would end. */
static void lay_hand_in(struct flow *flow, const struct view *view, int width)
{
    const struct overview_model *overview = view->overview;
    if (view->screen == SCREEN_QUESTION && update_unnoted(view)) {
        flow_wrap(flow, 0, width, ROLE_WARNING,
                  tr("What is chosen here is not noted yet: Esc, then Enter notes it."), false);
        flow_blank(flow);
    }
    if (overview) {
        struct buffer line;
        buffer_init(&line);
        buffer_print(&line, tr("%d of %d answered."), overview->answered, overview->count);
        if (overview->open > 0)
            buffer_print(&line, " %s", flow_print(flow, tr("%d still open."), overview->open));
        if (overview->blank > 0)
            buffer_print(&line, " %s", flow_print(flow, tr("%d left blank."), overview->blank));
        if (overview->flagged > 0)
            buffer_print(&line, " %s", flow_print(flow, tr("%d flagged."), overview->flagged));
        flow_wrap(flow, 0, width, ROLE_TEXT, page_keep(flow, &line), false);
    }
    flow_wrap(flow, 0, width, ROLE_DIM,
              overview && overview->time_left
                  ? flow_print(flow, tr("%s. l leaves it open; its time runs on."), overview->time_left)
                  : tr("l leaves it open for later."),
              false);
}

void panel_draw(struct view *view, struct grid *grid)
{
    struct page page;
    struct flow flow;
    page_init(&page, view, grid, view->screen == SCREEN_QUESTION || view->screen == SCREEN_RESULT);
    flow_init(&flow);
    int width = page.text.width;
    const char *title = "";
    enum grid_role role = ROLE_STRONG;
    bool field = false;
    const char *note = view->notice ? view->notice : "";
    switch (view->overlay) {
    case OVERLAY_FINISH:
        title = tr("Finish here?");
        flow_wrap(&flow, 0, width, ROLE_TEXT,
                  tr("What was answered is kept. The rest can be gone on with later."), false);
        break;
    case OVERLAY_REPORT:
        title = tr("Report this question");
        flow_wrap(&flow, 0, width, ROLE_TEXT,
                  tr("What is wrong or unclear? A line helps whoever mends it; it may stay empty."), false);
        field = true;
        break;
    case OVERLAY_LEARNER:
        title = tr("Who is practising?");
        flow_wrap(&flow, 0, width, ROLE_TEXT, tr("Answers are kept under this name."), false);
        field = true;
        break;
    case OVERLAY_EXPORT:
        title = tr("Export to which file?");
        flow_wrap(&flow, 0, width, ROLE_TEXT,
                  tr("What is shown is written to it, as its ending says: .csv, .json, .html or .txt."),
                  false);
        field = true;
        break;
    case OVERLAY_NOT_STORED:
        role = ROLE_WARNING;
        if (view->confirm) {
            title = view->at_stake ? tr("Leave now?") : tr("Leave without this answer?");
            flow_wrap(&flow, 0, width, ROLE_TEXT,
                      view->at_stake ? view->at_stake
                                     : tr("It could not be stored and is lost when you leave. Everything "
                                          "before it is safe."),
                      false);
            break;
        }
        title = tr("Not stored yet");
        flow_wrap(&flow, 0, width, ROLE_TEXT, note, false);
        flow_blank(&flow);
        flow_wrap(&flow, 0, width, ROLE_TEXT,
                  view->at_stake ? view->at_stake : tr("It is kept here until it is stored."), false);
        break;
    case OVERLAY_NOTHING:
        title = tr("Practise anyway?");
        flow_wrap(&flow, 0, width, ROLE_TEXT, note, false);
        break;
    case OVERLAY_RESUME:
        title = tr("Go on where you stopped?");
        flow_wrap(&flow, 0, width, ROLE_TEXT, view->resume_note ? view->resume_note : "", false);
        break;
    case OVERLAY_EXAM:
        title = tr("Begin the exam?");
        flow_wrap(&flow, 0, width, ROLE_TEXT, view->resume_note ? view->resume_note : "", false);
        break;
    case OVERLAY_PIN:
    case OVERLAY_CODE:
        title = view->overlay == OVERLAY_PIN ? tr("Your PIN") : tr("The tutor's code");
        if (view->kiosk && view->kiosk->secret_note)
            flow_wrap(&flow, 0, width, ROLE_WARNING, view->kiosk->secret_note, false);
        else
            flow_wrap(&flow, 0, width, ROLE_TEXT, tr("What you type is not shown."), false);
        field = true;
        break;
    case OVERLAY_ASK:
        title = tr("Do this?");
        if (when_choice(view) && view->kiosk->choices[view->cursor].ask)
            flow_wrap(&flow, 0, width, ROLE_TEXT, view->kiosk->choices[view->cursor].ask, false);
        break;
    case OVERLAY_IDLE:
        title = tr("Still there?");
        flow_wrap(&flow, 0, width, ROLE_TEXT,
                  flow_print(&flow,
                             ntr("You are signed out in %d second. Any key goes on.",
                                 "You are signed out in %d seconds. Any key goes on.",
                                 view->kiosk ? view->kiosk->countdown : 0),
                             view->kiosk ? view->kiosk->countdown : 0),
                  false);
        flow_wrap(&flow, 0, width, ROLE_DIM, tr("Everything that was answered is kept."), false);
        break;
    case OVERLAY_HAND_IN:
        title = tr("Hand in?");
        lay_hand_in(&flow, view, width);
        break;
    default:
        title = tr("Note");
        flow_wrap(&flow, 0, width, ROLE_TEXT, note, false);
    }
    page_panel(&page, title, NULL, role, &flow, field);
    flow_finish(&flow);
}

void small_draw(struct view *view, struct grid *grid)
{
    struct flow flow;
    flow_init(&flow);
    flow_wrap(&flow, 0, grid->columns, ROLE_TEXT, tr("window too small: 40x12 needed"), false);
    int row = (grid->rows - flow_height(&flow)) / 2;
    row = row > 0 ? row : 0;
    bool leaves = view->overlay != OVERLAY_NOT_STORED && !view->kiosk; /* that answer is not left unseen */
    if (leaves && grid->rows >= flow_height(&flow) + 2)
        flow_wrap(&flow, 0, grid->columns, ROLE_DIM, tr("Ctrl-C leaves"), false);
    flow_draw(&flow, grid, row, 0, grid->rows - row, 0);
    grid_focus(grid, row, 0);
    flow_finish(&flow);
}
