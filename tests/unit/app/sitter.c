#include "sitter.h"

#include <quiztutor/terminal.h>

#include <stdio.h>
#include <string.h>

const struct sitter_question sitter_questions[SITTER_QUESTIONS] = {
    { "500 and five", "505" }, /* no clock shows that */
    { "opposite of hot", "cold" },
    { "true or false", "true" },
};

enum {
    LOOKS = 400,   /* then they go, however far they came */
    LOOK_MS = 200, /* between two keys */
    WAIT_MS = 2500 /* where there is nothing to type */
};
enum { ROWS = 24, COLUMNS = 80, KEYS = 64 };

static struct {
    struct sitter_seen *seen;
    struct clock_fake *clock;
    int64_t from; /* steady ms: nobody is there before */
    bool tells;
    int32_t keys[KEYS];
    int first, count;
    int stuck; /* looks in a row at what they do not know */
} sitter;

void sitter_start(struct sitter_seen *seen, struct clock_fake *clock, int64_t late, bool tells)
{
    memset(&sitter, 0, sizeof sitter);
    sitter.seen = seen;
    sitter.clock = clock;
    sitter.from = clock->steady + late;
    sitter.tells = tells;
}

static bool sees(const char *text)
{
    return strstr(sitter.seen->screen, text) != NULL;
}

static void press(int32_t key)
{
    if (sitter.count < KEYS)
        sitter.keys[sitter.count++] = key;
}

/* Over what may stand in the field. A key can be passed over where there is no memory: so they look before
 * they press Enter, where they can. */
static void type(const char *text)
{
    for (int i = 0; i < 8; i++)
        press(KEY_CODE_BACKSPACE);
    for (; *text; text++)
        press(*text);
}

static void enter(const char *text, const char *shown)
{
    if (sees(shown))
        press(KEY_CODE_ENTER);
    else
        type(text);
}

static void answer(void)
{
    for (int i = 0; i < SITTER_QUESTIONS; i++) {
        if (!sees(sitter_questions[i].prompt))
            continue;
        if (strcmp(sitter_questions[i].answer, "true") == 0) {
            press('1');
            press(KEY_CODE_ENTER);
        } else {
            enter(sitter_questions[i].answer, sitter_questions[i].answer);
        }
    }
}

/* What they do about the screen; false: they wait. */
static bool decide(void)
{
    struct sitter_seen *seen = sitter.seen;
    bool home = sees("sign out") && sees("A small pack");
    if (sitter.clock->steady < sitter.from || sees("Please call your tutor"))
        return false;
    if (sees("Not stored yet")) {
        press(KEY_CODE_ENTER);
    } else if (sees("practise anyway")) { /* all was answered before they were signed out */
        seen->summary = true;
        press(KEY_CODE_ESCAPE);
    } else if (sees("Your PIN")) {
        type("1234");
        press(KEY_CODE_ENTER);
    } else if (sees("Your name or ID")) {
        if (seen->out)
            return false;
        enter("Ana", "\n  Ana "); /* in the field: what is offered stands further in */
    } else if (home && seen->summary) {
        press('q');
        seen->out = true;
    } else if (sees("your answer, right") || home) {
        press(KEY_CODE_ENTER);
    } else if (seen->summary && sees("right the first time")) {
        press('q');
    } else {
        answer();
        if (!sitter.count)
            press(sitter.stuck++ % 2 ? KEY_CODE_ESCAPE : KEY_CODE_ENTER);
    }
    return true;
}

static void note(void)
{
    struct sitter_seen *seen = sitter.seen;
    for (int i = 0; i < SITTER_QUESTIONS; i++)
        if (sees("your answer, right") && sees(sitter_questions[i].prompt))
            seen->right[i] = true;
    seen->behind = seen->behind || sees("The disk may be full");
    seen->summary = seen->summary || sees("right the first time");
}

void sitter_read(struct sitter_seen *seen, const char *output)
{
    int asked = -1;
    seen->behind = strstr(output, "The disk may be full") != NULL;
    seen->summary = strstr(output, "right the first time") != NULL;
    seen->out = seen->summary && strstr(output, "Signed out.") != NULL;
    for (const char *at = output; *at; at++) {
        for (int i = 0; i < SITTER_QUESTIONS; i++)
            if (strncmp(at, sitter_questions[i].prompt, strlen(sitter_questions[i].prompt)) == 0)
                asked = i;
        if (strncmp(at, "Right.", 6) == 0 && asked >= 0)
            seen->right[asked] = true;
    }
}

/* ---- terminal.h ---- */

struct terminal {
    int unused;
};
static struct terminal only;

bool terminal_usable(struct error *error)
{
    (void)error;
    return true;
}

void terminal_expect(void)
{
}

void terminal_forgo(void)
{
}

bool terminal_open(struct terminal **terminal, const struct terminal_options *options, struct error *error)
{
    (void)options, (void)error;
    *terminal = &only;
    return true;
}

void terminal_close(struct terminal *terminal)
{
    (void)terminal;
}

enum sign_set terminal_signs(const struct terminal *terminal)
{
    (void)terminal;
    return SIGNS_UNICODE;
}

void terminal_size(const struct terminal *terminal, int *rows, int *columns)
{
    (void)terminal;
    *rows = ROWS;
    *columns = COLUMNS;
}

/* Rows follow each other without a newline between words that were wrapped: one space parts them. */
void terminal_draw(struct terminal *terminal, const struct grid *grid)
{
    char *to = sitter.seen->screen, *end = to + SITTER_SCREEN - GRID_CELL - 2;
    (void)terminal;
    for (int row = 0; row < grid->rows; row++) {
        for (int column = 0; column < grid->columns && to < end; column++) {
            const struct grid_cell *cell = grid_at(grid, row, column);
            to = stpcpy(to, cell->text);
        }
        if (to < end)
            *to++ = '\n';
    }
    *to = '\0';
    note();
}

void terminal_read(struct terminal *terminal, struct input *input, int timeout_ms)
{
    struct sitter_seen *seen = sitter.seen;
    (void)terminal, (void)timeout_ms;
    *input = (struct input){ .kind = INPUT_NONE };
    sitter.clock->steady += LOOK_MS;
    sitter.clock->wall += LOOK_MS;
    if (++seen->looks > LOOKS || (seen->out && sees("Your name or ID"))) {
        input->kind = INPUT_HANGUP;
        return;
    }
    if (sitter.first == sitter.count) {
        sitter.first = sitter.count = 0;
        if (sitter.tells)
            fprintf(stderr, "%s\n", seen->screen);
        if (!decide()) {
            sitter.clock->steady += WAIT_MS;
            sitter.clock->wall += WAIT_MS;
            return;
        }
    }
    input->kind = INPUT_KEY;
    input->key = sitter.keys[sitter.first++];
}

/* Keys that were typed ahead are gone, as on a terminal. */
void terminal_flush(struct terminal *terminal)
{
    (void)terminal;
    sitter.first = sitter.count = 0;
}

void terminal_suspend(struct terminal *terminal)
{
    (void)terminal;
}

void terminal_redraw(struct terminal *terminal)
{
    (void)terminal;
}

int terminal_signal(const struct terminal *terminal)
{
    (void)terminal;
    return 0;
}
