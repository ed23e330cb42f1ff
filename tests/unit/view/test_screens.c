/* What must be on the screen whatever its size: looked for in the grids themselves. */
#include "samples.h"

#include "action.h"
#include "signs.h"
#include <quiztutor/memory.h>

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct view view;
static char shown[400 * 1000];

static const struct scene *scene_named(const char *name)
{
    for (int i = 0; i < scene_count; i++)
        if (strcmp(scenes[i].name, name) == 0)
            return &scenes[i];
    fail_msg("no scene %s", name);
    return NULL;
}

static void start(const char *name, int rows, int columns)
{
    struct scene bare = *scene_named(name);
    bare.keys = "";
    scene_start(&bare, &view, SIGNS_UNICODE, rows, columns);
}

static const char *draw(void)
{
    struct grid grid;
    struct buffer out;
    assert_true(grid_init(&grid, view.rows, view.columns));
    view_draw(&view, &grid);
    buffer_init(&out);
    grid_print(&grid, &out, false);
    assert_true(out.length < (ptrdiff_t)sizeof shown);
    strcpy(shown, buffer_get(&out));
    buffer_finish(&out);
    grid_finish(&grid);
    return shown;
}

static void assert_shows(const char *text)
{
    if (!strstr(shown, text))
        fail_msg("no \"%s\" in\n%s", text, shown);
}

static void assert_hides(const char *text)
{
    if (strstr(shown, text))
        fail_msg("\"%s\" in\n%s", text, shown);
}

static void type(const char *keys)
{
    struct effect effect;
    scene_type(&view, keys, &effect);
}

static const int sizes[][2] = {
    { 12, 40 },  { 12, 80 },  { 13, 41 },  { 24, 40 },  { 24, 80 },   { 24, 99 },
    { 24, 100 }, { 40, 120 }, { 12, 200 }, { 60, 200 }, { 300, 100 }, { 100, 300 }
};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Each choice in turn is in sight with its sign when the cursor is on it, coming from above and from below.
 */
static void test_choice_in_sight(void **state)
{
    (void)state;
    for (size_t s = 0; s < SIZES; s++) {
        start("crowded", sizes[s][0], sizes[s][1]);
        for (int i = 0; i < VIEW_CHOICES; i++) {
            char sign[16];
            type("^D");
            draw();
            snprintf(sign, sizeof sign, "● %2d  ", i + 1);
            assert_shows(sign);
            assert_shows("1000 of 1000");
        }
        for (int i = VIEW_CHOICES - 2; i >= 0; i--) {
            char sign[16];
            type("^U");
            draw();
            snprintf(sign, sizeof sign, "● %2d  ", i + 1);
            assert_shows(sign);
        }
    }
}

/* A choice longer than the window is read by moving, line after line; none is passed over. */
static void test_long_choice_is_read_through(void **state)
{
    (void)state;
    static char text[60 * 60];
    int used = 0;
    for (int i = 0; i < 60; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "word%02d fills a line of some length ", i);
    assert_true(used < 60 * 60);
    static struct question_model question;
    question = (struct question_model){
        .number = 1, .of = 1, .prompt = "Which?", .choice_count = 2, .choices = { text, "short" }
    };
    view_init(&view, SIGNS_UNICODE, 12, 40);
    view.question = &question;
    view_show(&view, SCREEN_QUESTION);
    bool seen[60] = { false };
    for (int step = 0; step < 100 && !view.picked[1]; step++) {
        draw();
        for (int i = 0; i < 60; i++) {
            char word[16];
            snprintf(word, sizeof word, "word%02d", i);
            seen[i] = seen[i] || strstr(shown, word);
        }
        type("^D");
    }
    assert_true(view.picked[1]);
    for (int i = 0; i < 60; i++)
        assert_true(seen[i]);
    draw();
    assert_shows("● 2  short");
}

static void test_verdict_and_reason_in_sight(void **state)
{
    (void)state;
    for (size_t s = 0; s < SIZES; s++) {
        start("crowded-result", sizes[s][0], sizes[s][1]);
        draw();
        assert_shows("── Not quite ─");
        assert_shows("Parameters are gathered");
        assert_shows("your answer");
        assert_shows("right answer");
        start("explanation", sizes[s][0], sizes[s][1]);
        draw();
        assert_shows("── Not quite ─");
        assert_shows("Tensor parallelism cuts");
        assert_shows("✗ 2  Tensor parallelism");
        assert_shows("✓ 3  Pipeline parallel");
        start("partly", sizes[s][0], sizes[s][1]);
        draw();
        assert_shows("── Partly right ");
        assert_shows("The batch is what");
    }
}

/* Scrolling to the end has shown every word of the question and of the reason. */
static void test_scrolling_reveals_all(void **state)
{
    (void)state;
    static const char *const words[] = { "cluster",           "halved",       "batch over",
                                         "Parameters are",    "Stages hand",  "Gradients of",
                                         "share of the step", "all-reduce  ", "Narayanan",
                                         " 1  An all-reduce", "13  An all",   "26  An all-gather",
                                         "machine 1" };
    enum { WORDS = sizeof words / sizeof *words };
    for (size_t s = 0; s < SIZES; s++) {
        bool seen[WORDS] = { false };
        start("crowded-result", sizes[s][0], sizes[s][1]);
        for (int step = 0; step < 300; step++) {
            draw();
            for (int i = 0; i < WORDS; i++)
                seen[i] = seen[i] || strstr(shown, words[i]);
            if (view.scroll >= view.scroll_range)
                break;
            type("^D");
        }
        assert_int_equal(view.scroll, view.scroll_range);
        for (int i = 0; i < WORDS; i++)
            if (!seen[i])
                fail_msg("%s never shown at %dx%d", words[i], sizes[s][1], sizes[s][0]);
    }
}

static void test_summary_scrolls(void **state)
{
    (void)state;
    for (size_t s = 0; s < SIZES; s++) {
        bool early = false, late = false;
        start("summary", sizes[s][0], sizes[s][1]);
        for (int step = 0; step < 100; step++) {
            draw();
            early = early || strstr(shown, "9 of 12 right");
            late = late || strstr(shown, "3 of 15");
            type("^D");
        }
        assert_true(early && late);
    }
}

static void test_words(void **state)
{
    (void)state;
    start("partly", 24, 80);
    draw();
    assert_shows("✓ 1  The parameters                                        your answer, right");
    assert_shows("✓ 3  The optimizer's state                                         also right");
    assert_shows("0.5 of 2 marks");
    start("skipped", 24, 80);
    draw();
    assert_shows("── Skipped ─");
    assert_shows("Enter summary"); /* the last one */
    start("right", 24, 80);
    draw();
    assert_shows("── Right ─");
    assert_shows("your answer, right");
    start("many", 24, 80);
    draw();
    assert_shows("Choose all that apply");
    assert_shows("Hint 1: Think");
    assert_shows("asked again · 7 of 12");
    start("question", 24, 80);
    draw();
    assert_hides("Choose all that apply");
    assert_hides("again");
}

static void test_too_small(void **state)
{
    (void)state;
    static const int small[][2] = { { 11, 80 }, { 24, 39 }, { 5, 20 } };
    for (size_t s = 0; s < 3; s++) {
        start("question", small[s][0], small[s][1]);
        draw();
        assert_shows("window too small");
        assert_hides("Which");
    }
    view.rows = 24;
    view.columns = 80;
    draw();
    assert_shows("Which strategy");
}

/* The message promises nothing that the key does not do. */
static void test_too_small_tells_true(void **state)
{
    (void)state;
    struct input leave = { .kind = INPUT_KEY, .key = KEY_CODE_CONTROL_A + 'C' - 'A' };
    for (int s = 0; s < scene_count; s++) {
        struct effect effect;
        scene_start(&scenes[s], &view, SIGNS_UNICODE, 24, 80);
        view.columns = 30;
        bool says = strstr(draw(), "Ctrl-C leaves") != NULL;
        view_update(&view, &leave, &effect);
        assert_int_equal(effect.kind, says ? EFFECT_QUIT : EFFECT_NONE);
    }
}

static int column_of(const char *text)
{
    const char *found = strstr(shown, text), *line = found;
    assert_non_null(found);
    while (line > shown && line[-1] != '\n')
        line--;
    return (int)(found - line);
}

/* A learner's name leaves the title half of the row, and "3 of 12" whole. */
static void test_long_names(void **state)
{
    (void)state;
    static const char *const names[] = {
        "分散学習分散学習分散学習分散学習分散学習分散学習分散学習分散学習分散学習分散学習分散学習",
        "Maximiliane-Charlotte-Wilhelmine von Hohenstein-Sigmaringen zu Lichtental"
    };
    static struct question_model question;
    static struct summary_model summary;
    static struct library_model library;
    for (size_t n = 0; n < 2; n++) {
        for (size_t s = 0; s < SIZES; s++) {
            start("question", sizes[s][0], sizes[s][1]);
            question = *view.question;
            question.learner = names[n];
            view.question = &question;
            draw();
            assert_shows(sizes[s][1] < 80 ? " Training Across" : " Training Across Many Devices ");
            assert_shows(sizes[s][1] < 100 ? "… · 3 of 12\n" : " · 3 of 12\n");
            start("summary", sizes[s][0], sizes[s][1]);
            summary = *view.summary;
            summary.learner = names[n];
            view.summary = &summary;
            draw();
            assert_shows(sizes[s][1] < 80 ? " Training Across" : " Training Across Many Devices ");
            assert_shows(" · finished\n");
            start("home", sizes[s][0], sizes[s][1]);
            library = *view.library;
            library.learner = names[n];
            view.library = &library;
            draw();
            assert_shows(" quiztutor  ");
            if (sizes[s][1] < 80)
                assert_shows("…\n");
        }
    }
}

/* The question does not move when its explanation comes. */
static void test_question_stays(void **state)
{
    (void)state;
    for (size_t s = 0; s < SIZES; s++) {
        if (sizes[s][0] < 24)
            continue;
        start("question", sizes[s][0], sizes[s][1]);
        draw();
        int column = column_of("Which");
        start("explanation", sizes[s][0], sizes[s][1]);
        draw();
        assert_int_equal(column_of("Which"), column);
    }
}

static void test_new_hint_in_sight(void **state)
{
    (void)state;
    static const char *const hints[] = { "Count the links that are crossed.", "Mind the slow ones." };
    start("crowded", 12, 40);
    static struct question_model question;
    question = *view.question;
    view.question = &question;
    draw();
    assert_hides("Hint");
    question.hints = hints;
    question.hint_count = 1;
    draw();
    assert_shows("Hint 1:");
    type("^P^P^P^P^P^P^P");
    draw();
    assert_hides("Hint"); /* once in sight, it does not pull the text back */
    question.hint_count = 2;
    draw();
    assert_shows("Hint 2:");
}

/* Whether a footer's item is the row's, in its long word or its short one. */
static bool is_item(const struct action_row *row, const char *item)
{
    const char *words[] = { action_help(row, &view), action_brief(row, &view) };
    bool is = false;
    for (size_t i = 0; i < 2 && !is && words[i]; i++) {
        struct buffer text;
        buffer_init(&text);
        action_keys(row, &view, &text);
        buffer_print(&text, " %s", words[i]);
        is = strcmp(buffer_get(&text), item) == 0;
        buffer_finish(&text);
    }
    return is;
}

/* The footer names no key that does nothing, and is cut by whole items. */
static void test_footer(void **state)
{
    (void)state;
    for (int s = 0; s < scene_count; s++) {
        for (size_t z = 0; z < SIZES; z++) {
            scene_start(&scenes[s], &view, SIGNS_UNICODE, sizes[z][0], sizes[z][1]);
            draw();
            const char *footer = strrchr(shown, '\n');
            *strrchr(shown, '\n') = '\0';
            footer = strrchr(shown, '\n') + 2;
            char text[512];
            assert_true(strlen(footer) < sizeof text);
            strcpy(text, footer);
            int items = 0;
            for (char *item = text, *next; item; item = next, items++) {
                next = strstr(item, "   ");
                if (next) {
                    *next = '\0';
                    next += 3;
                }
                bool known = false;
                for (int i = 0; i < action_row_count && !known; i++)
                    known = action_here(&action_rows[i], &view) && is_item(&action_rows[i], item);
                if (!known)
                    fail_msg("footer item \"%s\" of %s", item, scenes[s].name);
            }
            assert_true(items >= 1);
        }
    }
}

static bool does_something(const struct view *before, const struct action_row *row)
{
    for (int b = 0; b < ACTION_BINDINGS && row->bindings[b].key; b++) {
        struct input input = { .kind = INPUT_KEY, .key = row->bindings[b].key };
        struct effect effect;
        view = *before;
        view_update(&view, &input, &effect);
        if (effect.kind != EFFECT_NONE || view.overlay != before->overlay || view.cursor != before->cursor ||
            view.confirm != before->confirm || view.certainty != before->certainty ||
            view.warned != before->warned || view.scroll != before->scroll ||
            view.side_scroll != before->side_scroll || view.overlay_scroll != before->overlay_scroll ||
            view.choice_scroll != before->choice_scroll || view.lifted != before->lifted ||
            view.revealed != before->revealed || view.left_field != before->left_field ||
            memcmp(view.at, before->at, sizeof view.at) != 0 || strcmp(view.filter, before->filter) != 0 ||
            strcmp(view.field, before->field) != 0 ||
            memcmp(view.picked, before->picked, sizeof view.picked) != 0 ||
            memcmp(&view.place, &before->place, sizeof view.place) != 0)
            return true;
    }
    return false;
}

/* Whatever a footer may name does something; of an answer that nothing was chosen for it is said. */
static void test_keys_do_something(void **state)
{
    (void)state;
    static const char *const more[] = { "", "/zz^E", "/draft^E", "/tour^E", "/draft^Ei" };
    for (int s = 0; s < scene_count; s++) {
        for (size_t m = 0; m < sizeof more / sizeof *more; m++) {
            scene_start(&scenes[s], &view, SIGNS_UNICODE, 12, 40);
            if (view.screen == SCREEN_HOME && view.overlay == OVERLAY_NONE)
                type(more[m]);
            draw();
            struct view before = view;
            for (int i = 0; i < action_row_count; i++) {
                const struct action_row *row = &action_rows[i];
                if (row->rank == 0 || !action_here(row, &before) || does_something(&before, row))
                    continue;
                if ((strcmp(row->name, "answer") != 0 && strcmp(row->name, "note") != 0 &&
                     strcmp(row->name, "sure answer") != 0) ||
                    !view.flash)
                    fail_msg("%s: %s does nothing after \"%s\"", scenes[s].name, row->name, more[m]);
            }
        }
    }
}

static void test_pages_of_keys(void **state)
{
    (void)state;
    start("question", 24, 80);
    type("?");
    draw();
    assert_shows("1-3 ");
    assert_shows("a-c ");
    start("crowded", 24, 80);
    type("?");
    draw();
    assert_shows("1-26 ");
    assert_hides("a-z");
    start("truth", 24, 80);
    type("?");
    draw();
    assert_shows("t f ");
    assert_hides("a-b");
}

/* Signs that take each other's place are equally wide, and whatever is repeated is one column. */
static void test_signs(void **state)
{
    (void)state;
    for (enum sign_set set = SIGNS_UNICODE; set <= SIGNS_ASCII; set++) {
        const struct signs *signs = signs_of(set);
        const char *const alike[] = { signs->on, signs->box_off, signs->box_on };
        const char *const single[] = { signs->right, signs->wrong, signs->cursor,  signs->more,
                                       signs->less,  signs->done,  signs->rest,    signs->full,
                                       signs->empty, signs->rule,  signs->upright, signs->dot,
                                       signs->blank, signs->star,  signs->flag,    signs->minus };
        int width = grid_columns(signs->off, (ptrdiff_t)strlen(signs->off));
        for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
            assert_int_equal(grid_columns(alike[i], (ptrdiff_t)strlen(alike[i])), width);
        for (size_t i = 0; i < sizeof single / sizeof *single; i++)
            assert_int_equal(grid_columns(single[i], (ptrdiff_t)strlen(single[i])), 1);
    }
    /* what stands for a sign in one set is another text than what stands for its opposite */
    assert_string_not_equal(signs_of(SIGNS_ASCII)->right, signs_of(SIGNS_ASCII)->wrong);
    start("many", 24, 80);
    view.signs = SIGNS_ASCII;
    type("1?");
    for (const char *c = draw(); *c; c++)
        assert_true((unsigned char)*c < 0x80);
    type("^X");
    for (const char *c = draw(); *c; c++)
        assert_true((unsigned char)*c < 0x80);
}

static void test_columns_align(void **state)
{
    (void)state;
    start("home-mixed", 24, 80);
    struct grid grid;
    assert_true(grid_init(&grid, 24, 80));
    view_draw(&view, &grid);
    for (int row = 3; row < 7;
         row++) { /* the per cent signs and the last letter of "questions" stand below each other */
        assert_string_equal(grid_at(&grid, row, 48)->text, "s");
        if (row != 4) /* new */
            assert_string_equal(grid_at(&grid, row, 79)->text, "%");
    }
    grid_finish(&grid);
}

/* Absent models and texts are no reason to fall over. */
static void test_nothing_given(void **state)
{
    (void)state;
    static struct question_model question;
    static struct result_model result;
    static struct summary_model summary;
    static struct library_row row;
    static const struct library_model library = { .count = 1, .rows = &row };
    static struct overview_row overview_row;
    static const struct overview_model overview = { .count = 1, .rows = &overview_row };
    static const struct paper_model paper = { .count = 1, .results = &result };
    static struct progress_topic topic;
    static const struct progress_model progress = { .topic_count = 1,
                                                    .topics = &topic,
                                                    .day_count = PROGRESS_DAYS };
    for (int pass = 0; pass < 2; pass++) {
        view_init(&view, SIGNS_ASCII, 24, 80);
        if (pass == 1) {
            view.question = &question;
            view.result = &result;
            view.summary = &summary;
            view.library = &library;
            view.overview = &overview;
            view.paper = &paper;
            view.progress = &progress;
        }
        for (enum screen screen = SCREEN_HOME; screen <= SCREEN_MENU; screen++) {
            for (enum overlay overlay = OVERLAY_NONE; overlay <= OVERLAY_IDLE; overlay++) {
                view_show(&view, screen);
                view_open(&view, overlay);
                draw();
                type("^D^E12abnpmo!*-t?^X^X");
                draw();
            }
        }
    }
}

static void test_without_memory(void **state)
{
    (void)state;
    for (int s = 0; s < scene_count; s++) {
        scene_start(&scenes[s], &view, SIGNS_UNICODE, 24, 80);
        struct grid grid;
        assert_true(grid_init(&grid, 24, 80));
        for (long n = 1; n < 120; n += 1 + n / 8) {
            memory_fail_after(n);
            view_draw(&view, &grid);
            memory_fail_after(0);
            assert_in_range(grid.focus_row, 0, 23);
        }
        grid_finish(&grid);
    }
}

/* While it is asked how sure the learner is, what was chosen is in sight, and so is what is at stake. */
static void test_certainty_keeps_the_choice(void **state)
{
    (void)state;
    for (size_t s = 0; s < SIZES; s++) {
        start("certainty-crowded", sizes[s][0], sizes[s][1]);
        for (int i = 0; i < VIEW_CHOICES; i++) {
            char sign[16];
            type("^D^E3");
            draw();
            snprintf(sign, sizeof sign, "● %2d  ", i + 1);
            assert_shows(sign);
            assert_shows("── How sure are you? ");
            assert_shows("● 3  certain    right 3   wrong −6");
            assert_shows("○ 1  guess      right 1   wrong 0");
            type("^X");
        }
    }
}

/* What the rule has no room for is said below the reason; never is a number cut. */
static void test_certainty_is_told(void **state)
{
    (void)state;
    for (size_t s = 0; s < SIZES; s++) {
        start("certain", sizes[s][0], sizes[s][1]);
        bool mark = false, again = false;
        for (int step = 0; step < 60; step++) {
            draw();
            mark = mark || strstr(shown, "certain: −6");
            again = again || strstr(shown, "comes again in 10 minutes");
            type("^D");
        }
        assert_true(mark && again);
        start("forgotten", sizes[s][0], sizes[s][1]);
        draw();
        assert_shows(sizes[s][1] < 80 ? "── Forgotten 8 times: - suspends it ─"
                                      : "── Forgotten 8 times: - suspends it, or read why once more. ─");
        assert_shows("- suspend");
        start("suspended", sizes[s][0], sizes[s][1]);
        draw();
        assert_hides("Forgotten");
        assert_shows("suspended · ★ 3 of 12\n");
    }
    start("partly-sure", 24, 80);
    draw();
    assert_shows("0.5 of 2 marks · think so: −0.5 certainty marks");
    start("summary-sure", 24, 80);
    draw();
    assert_shows("Marks 9.5 of 12 · certainty marks 14 of 36");
    start("summary", 24, 80);
    draw();
    assert_hides("certainty");
}

/* In whatever window: the question, its number and the time left are in sight, and all of the text before
 * it can be read. */
static void test_exam_in_sight(void **state)
{
    (void)state;
    for (size_t s = 0; s < SIZES; s++) {
        start("exam-section", sizes[s][0], sizes[s][1]);
        draw();
        assert_shows("⚑ 5 of 12 · 1 h 24 min left\n");
        assert_shows("Which split");
        bool first = false, last = false, figure = false;
        for (int step = 0; step < 40; step++) {
            first = first || strstr(shown, "A cluster has 8");
            last = last || strstr(shown, "parameter.");
            figure = figure || strstr(shown, "machine 2") || view.side_range > 0;
            type(step < 20 ? "^P" : "^N");
            draw();
        }
        assert_true(first && last && figure);
        start("exam-blank", sizes[s][0], sizes[s][1]);
        draw();
        assert_shows("104 of 120 · less than a minute left\n");
        assert_shows("left blank");
        start("exam", sizes[s][0], sizes[s][1]);
        draw();
        assert_shows("● 2  Tensor parallelism");
        assert_shows("noted");
        assert_hides("hint");
        assert_hides("undo");
        start("hand-in", sizes[s][0], sizes[s][1]);
        type("q");
        draw();
        assert_shows("4 of 8 answered.");
        assert_shows("3 still open.");
        assert_shows("2 flagged.");
        assert_hides("not noted");
        start("hand-in-unnoted", sizes[s][0], sizes[s][1]);
        type("1q");
        draw();
        assert_shows("not noted");
    }
}

static void test_overview_rows_in_sight(void **state)
{
    (void)state;
    for (size_t s = 0; s < SIZES; s++) {
        start("overview-long", sizes[s][0], sizes[s][1]);
        type("^H");
        for (int i = 1; i <= 120; i++) {
            char number[32];
            draw();
            snprintf(number, sizeof number, "▸ ● %3d ", i);
            snprintf(number + strlen("▸ "), sizeof number - strlen("▸ "), "%s %3d ",
                     i % 8 == 5                               ? "–"
                     : i % 8 == 3 || i % 8 == 7 || i % 8 == 0 ? "○"
                                                              : "●",
                     i);
            assert_shows(number);
            assert_shows("2 h 55 min left");
            type("^D");
        }
    }
}

/* Every question of a paper is there with what was answered, what is right and why; jumping shows its head.
 */
static void test_paper_shows_all(void **state)
{
    (void)state;
    static const char *const words[] = { "21 of 30 marks · 70%",
                                         "passed",
                                         "13 of 16",
                                         "8 of 14",
                                         "Not quite",
                                         "0.5 of 2 marks",
                                         "Left blank",
                                         "your answer",
                                         "right answer",
                                         "Tensor parallelism cuts",
                                         "device 4",
                                         "Huang et al., GPipe",
                                         "25 GB a" };
    enum { WORDS = sizeof words / sizeof *words };
    for (size_t s = 0; s < SIZES; s++) {
        bool seen[WORDS] = { false };
        start("paper", sizes[s][0], sizes[s][1]);
        for (int step = 0; step < 400; step++) {
            draw();
            for (int i = 0; i < WORDS; i++)
                seen[i] = seen[i] || strstr(shown, words[i]);
            if (view.scroll >= view.scroll_range)
                break;
            type("^D");
        }
        for (int i = 0; i < WORDS; i++)
            if (!seen[i])
                fail_msg("%s never shown at %dx%d", words[i], sizes[s][1], sizes[s][0]);
        static const char *const heads[] = { "✗ 1  Not quite",  "✗ 2  Partly right", "✓ 3  Right",
                                             "– 4  Left blank", "✗ 5  Not quite",    "✗ 6  Partly right",
                                             "✓ 7  Right",      "– 8  Left blank" };
        type("^H");
        for (int i = 0; i < 8; i++) {
            type("n");
            draw();
            assert_shows(heads[i]);
        }
    }
    start("paper-failed", 24, 80);
    draw();
    assert_shows("✗ 0 of 1000000 marks · 0% · not passed");
    assert_shows("Time was up at 14:05.");
    assert_shows("certainty marks −12 of 6");
}

/* No number is cut, however large and however narrow the window. */
static void test_progress_numbers(void **state)
{
    (void)state;
    static const char *const words[] = { "1000000\n", "310000", "2100 min", "100%",
                                         " 9\n",      "1 of 9", "6 of 10",  "10000 days" };
    enum { WORDS = sizeof words / sizeof *words };
    for (size_t s = 0; s < SIZES; s++) {
        bool seen[WORDS] = { false };
        start("progress-large", sizes[s][0], sizes[s][1]);
        for (int step = 0; step < 100; step++) {
            draw();
            for (int i = 0; i < WORDS; i++)
                seen[i] = seen[i] || strstr(shown, words[i]) ||
                          (strchr(words[i], '\n') && sizes[s][1] >= 76); /* not at the end of a row there */
            type("^D");
        }
        for (int i = 0; i < WORDS; i++)
            if (!seen[i])
                fail_msg("%s never shown at %dx%d", words[i], sizes[s][1], sizes[s][0]);
    }
    start("progress-fresh", 24, 80);
    draw();
    assert_shows("Nothing was answered yet.");
    assert_shows("nothing due now");
    assert_hides("in a row");
    static struct progress_model away; /* who was away for long has answered before */
    away = *view.progress;
    away.longest = 3;
    away.day_count = PROGRESS_DAYS;
    for (int i = 0; i < PROGRESS_DAYS; i++)
        away.past[i] = (struct progress_day){ .label = "Mon 30 Nov" };
    view.progress = &away;
    for (size_t s = 0; s < SIZES; s++) {
        view.rows = sizes[s][0] < 60 ? 60 : sizes[s][0];
        view.columns = sizes[s][1];
        draw();
        assert_shows("Nothing in the last 14 days.");
        assert_hides("answered yet");
    }
}

static void test_library_states(void **state)
{
    (void)state;
    for (size_t s = 0; s < SIZES; s++) {
        start("home-mixed", sizes[s][0], sizes[s][1]);
        draw();
        assert_shows("12 due");
        assert_shows("new\n");
        assert_shows("due Thursday");
        start("home", sizes[s][0], sizes[s][1]);
        draw();
        assert_shows("50%");
        assert_shows("89%");
    }
    /* alike in all rows that were begun: where the states begin, and bar and per cent, whatever the state */
    start("home", 24, 80);
    draw();
    assert_int_equal(column_of("new\n"), column_of("due Thursday"));
    assert_int_equal(column_of("50%") - (int)strlen("▸") + 1, column_of("89%")); /* bytes, not columns */
    static struct library_row rows[2];
    static const struct library_model library = { .count = 2, .rows = rows };
    static const char *const untils[] = { "due today", "due in 10 minutes", "due 31 December",
                                          "due 31 January 2027" };
    rows[0] = view.library->rows[0];
    rows[1] = view.library->rows[2];
    view.library = &library;
    for (int i = 0; i < 4; i++) {
        static const int columns[] = { 40, 80, 120 };
        for (int k = 0; k < 3; k++) {
            view.columns = columns[k];
            rows[1].until = untils[i];
            draw();
            assert_shows(untils[i]);
            assert_int_equal(strstr(shown, "50%") != NULL, strstr(shown, "89%") != NULL);
        }
        assert_shows("89%");
    }
    view.columns = 80;
    rows[1].until = "due in 5 minutes"; /* of what is still to come: now there are new ones */
    rows[1].seen = 25;
    rows[1].fresh = 3;
    type("^D");
    draw();
    assert_shows(" 3 new   ████");
    assert_shows("25 of 28 seen");
    assert_shows("due in 5 minutes\n"); /* below the list */
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choice_in_sight),
        cmocka_unit_test(test_long_choice_is_read_through),
        cmocka_unit_test(test_verdict_and_reason_in_sight),
        cmocka_unit_test(test_scrolling_reveals_all),
        cmocka_unit_test(test_summary_scrolls),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_too_small),
        cmocka_unit_test(test_too_small_tells_true),
        cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_question_stays),
        cmocka_unit_test(test_new_hint_in_sight),
        cmocka_unit_test(test_footer),
        cmocka_unit_test(test_keys_do_something),
        cmocka_unit_test(test_pages_of_keys),
        cmocka_unit_test(test_signs),
        cmocka_unit_test(test_columns_align),
        cmocka_unit_test(test_certainty_keeps_the_choice),
        cmocka_unit_test(test_certainty_is_told),
        cmocka_unit_test(test_exam_in_sight),
        cmocka_unit_test(test_overview_rows_in_sight),
        cmocka_unit_test(test_paper_shows_all),
        cmocka_unit_test(test_progress_numbers),
        cmocka_unit_test(test_library_states),
        cmocka_unit_test(test_nothing_given),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
