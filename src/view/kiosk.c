/*
 * A kiosk's own screens: who is it, call your tutor, and the tutor's menu.
 */
#include "page.h"

#include "field.h"
#include "update.h"
#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <string.h>

static int least(int one, int other)
{
    return one < other ? one : other;
}

static int most(int one, int other)
{
    return one > other ? one : other;
}

/* ---- sign-in ---- */

int sign_in_next(const struct view *view, int place, int step)
{
    const struct kiosk_model *kiosk = view->kiosk;
    if (!kiosk || !view->field_length || view->screen != SCREEN_SIGN_IN)
        return 0;
    char *typed = text_fold(view->field);
    int found = 0;
    for (; typed && !found && place >= 1 && place <= kiosk->name_count; place += step)
        if (strncmp(kiosk->names[place - 1].key, typed, strlen(typed)) == 0)
            found = place;
    memory_free(typed);
    return found;
}

/* Rows of the parts: a gap, the welcome, a gap, the label, the field, the remark, and names. They depend on
 * the window and on what the kiosk says, never on what is typed, so that the field stands still. */
enum { FIELD_ROWS = 4, NAMES_LEAST = 2, NAMES_MOST = 8, AIRY = 14 };

static void draw_names(const struct page *page, int row, int height)
{
    const struct view *view = page->view;
    int first = sign_in_next(view, 1, 1), place = first, shown = 0;
    if (view->cursor > 0) { /* the chosen one is seen, with those before it as far as there is room */
        place = view->cursor;
        for (int before; shown < height - 1 && (before = sign_in_next(view, place - 1, -1)) > 0; shown++)
            place = before;
    }
    for (int i = 0; i < height && place > 0; i++, place = sign_in_next(view, place + 1, 1)) {
        bool chosen = place == view->cursor;
        struct flow flow;
        flow_init(&flow);
        flow_blank(&flow);
        if (chosen)
            flow_text(&flow, 0, ROLE_KEY, page->signs->cursor);
        flow_clip(&flow, 2, page->text.width - 2, chosen ? ROLE_STRONG : ROLE_TEXT,
                  view->kiosk->names[place - 1].name, page->signs->ellipsis);
        flow_draw(&flow, page->grid, row + i, page->text.left, 1, 0);
        flow_finish(&flow);
    }
    if (place > 0 && height > 0)
        page_ends(page, &page->text, row, height, 0, 1);
}

void sign_in_draw(struct view *view, struct grid *grid)
{
    struct page page;
    struct flow flow;
    const struct kiosk_model *kiosk = view->kiosk;
    page_init(&page, view, grid, false);
    flow_init(&flow);
    if (kiosk && kiosk->welcome)
        flow_wrap(&flow, 0, page.text.width, ROLE_TEXT, kiosk->welcome, false);
    int room = page.bottom - page.top;
    int names = kiosk ? least(kiosk->name_count, room >= AIRY ? NAMES_MOST : NAMES_LEAST) : 0;
    int gap = flow_height(&flow) > 0,
        welcome = most(0, least(flow_height(&flow), room - FIELD_ROWS - names - gap));
    int row = page.top + gap;
    view->scroll_page = welcome;
    page_scroll(&page, &page.text, &flow, row, welcome, &view->scroll, &view->scroll_range);
    row += welcome + 1;
    const char *label = tr("Your name or ID"), *remark = view->remark;
    grid_put(grid, row, page.text.left, page.text.width, ROLE_STRONG, label, (ptrdiff_t)strlen(label));
    bool typing = view->overlay == OVERLAY_NONE;
    if (typing)
        field_draw(view, grid, row + 1, page.text.left, least(40, page.text.width));
    else /* what lies over it has the field */
        grid_put(grid, row + 1, page.text.left, page.text.width, ROLE_TEXT, view->keeps ? view->kept : "",
                 view->keeps ? (ptrdiff_t)strlen(view->kept) : 0);
    struct flow said;
    flow_init(&said);
    if (remark)
        flow_wrap(&said, 0, page.text.width, ROLE_WARNING, remark, false);
    int under = row + 2 + flow_height(&said);
    flow_draw(&said, grid, row + 2, page.text.left, least(flow_height(&said), page.bottom - row - 2), 0);
    flow_finish(&said);
    if (typing && under < page.bottom)
        draw_names(&page, under, least(names, page.bottom - under));
    page_frame(&page, "quiztutor", NULL, NULL, 0, 0);
    flow_finish(&flow);
}

static void update_sign_in(struct view *view, enum action action, struct effect *effect)
{
    int place;
    switch (action) {
    case ACTION_UP:
    case ACTION_DOWN:
        place = action == ACTION_DOWN ? sign_in_next(view, view->cursor + 1, 1)
                                      : sign_in_next(view, view->cursor - 1, -1);
        if (place > 0 || action == ACTION_UP)
            view->cursor = place;
        break;
    case ACTION_COMPLETE:
        place = view->cursor > 0 ? view->cursor : sign_in_next(view, 1, 1);
        if (place > 0)
            field_set(view, view->kiosk->names[place - 1].name);
        view->cursor = 0;
        break;
    case ACTION_CLEAR:
        field_set(view, "");
        view->cursor = 0;
        break;
    case ACTION_SIGN_IN:
        effect->kind = EFFECT_SIGN_IN;
        effect->text = view->cursor > 0 ? view->kiosk->names[view->cursor - 1].name : view->field;
        break;
    default:
        update_scroll(&view->scroll, view->scroll_range, view->scroll_page, action);
    }
}

/* ---- call your tutor ---- */

void call_draw(struct view *view, struct grid *grid)
{
    struct page page;
    struct flow flow;
    page_init(&page, view, grid, false);
    flow_init(&flow);
    int width = page.text.width;
    flow_wrap(&flow, 0, width, ROLE_STRONG, tr("Please call your tutor."), false);
    flow_blank(&flow);
    flow_wrap(&flow, 0, width, ROLE_TEXT, tr("This machine can't go on until this is put right:"), false);
    flow_blank(&flow);
    if (view->kiosk && view->kiosk->trouble)
        flow_wrap(&flow, 0, width, ROLE_WARNING, view->kiosk->trouble, false);
    flow_blank(&flow);
    flow_wrap(&flow, 0, width, ROLE_DIM, tr("It goes on by itself once that is done. All answers are kept."),
              false);
    int height = page.bottom - page.top - 1;
    page_scroll(&page, &page.text, &flow, page.top + 1, height, &view->scroll, &view->scroll_range);
    view->scroll_page = height;
    grid_focus(grid, page.top + 1, page.text.left);
    page_frame(&page, "quiztutor", NULL, NULL, 0, 0);
    flow_finish(&flow);
}

/* ---- the tutor's menu ---- */

static void lay_choice(struct flow *flow, const struct page *page, const struct kiosk_choice *choice,
                       bool cursor)
{
    int width = page->text.width,
        state = choice->state ? grid_columns(choice->state, (ptrdiff_t)strlen(choice->state)) : 0;
    state = least(state, width / 2);
    flow_blank(flow);
    if (cursor)
        flow_text(flow, 0, ROLE_KEY, page->signs->cursor);
    flow_clip(flow, 2, width - 2 - (state ? state + 2 : 0), cursor ? ROLE_STRONG : ROLE_TEXT, choice->text,
              page->signs->ellipsis);
    if (state)
        flow_clip(flow, width - state, state, ROLE_DIM, choice->state, page->signs->ellipsis);
}

void menu_draw(struct view *view, struct grid *grid)
{
    struct page page;
    struct flow flow;
    int count = view->kiosk ? view->kiosk->choice_count : 0;
    page_init(&page, view, grid, false);
    flow_init(&flow);
    view->cursor = most(0, least(view->cursor, count - 1));
    for (int i = 0; i < count; i++)
        lay_choice(&flow, &page, &view->kiosk->choices[i], i == view->cursor);
    int height = page.bottom - page.top - 1;
    view->scroll = most(view->cursor - height + 1, least(view->scroll, view->cursor));
    page_scroll(&page, &page.text, &flow, page.top + 1, height, &view->scroll, &view->scroll_range);
    view->scroll_page = height;
    grid_focus(grid, page.top + 1 + view->cursor - view->scroll, page.text.left);
    page_frame(&page, tr("Tutor's menu"), NULL, NULL, 0, 0);
    flow_finish(&flow);
}

static void update_menu(struct view *view, enum action action, struct effect *effect)
{
    const struct kiosk_choice *choices = view->kiosk->choices;
    if (action == ACTION_CHOOSE && choices[view->cursor].ask) {
        view_open(view, OVERLAY_ASK);
    } else if (action == ACTION_CHOOSE) {
        effect->kind = EFFECT_CHOOSE;
        effect->row = view->cursor;
    } else {
        update_scroll(&view->cursor, most(0, view->kiosk->choice_count - 1), view->scroll_page, action);
    }
}

void update_kiosk(struct view *view, enum action action, struct effect *effect)
{
    if (!view->kiosk)
        return;
    if (view->screen == SCREEN_MENU)
        update_menu(view, action, effect);
    else
        update_sign_in(view, action, effect);
}
