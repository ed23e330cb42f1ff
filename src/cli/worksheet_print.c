/* Makes sheets and writes them: as text, or through the press as PDF; into one file, or one each. */
#include "part.h"
#include "stopping.h"
#include "worksheet.h"

#include <quiztutor/line.h>
#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    FLUSH = 256 * 1024, /* bytes of text that are held back */
    TAGGED = 100,       /* sheets of one PDF that are tagged for screen readers; more would grow in memory */
    BAR = 40,
};

/* One file, or standard output, that sheets are written to. */
struct printing {
    struct worksheet *worksheet;
    struct part part;
    bool to_file, begun;
    struct sheet_printer *printer;
    struct buffer text, keys; /* keys stand together behind all sheets */
};

static bool put(void *context, const char *bytes, ptrdiff_t length, struct error *error)
{
    struct printing *printing = context;
    return part_put(&printing->part, bytes, length, error);
}

static bool flush_text(struct printing *printing, struct buffer *text, struct error *error)
{
    if (text->failed)
        return error_memory(error);
    if (!printing->to_file)
        return line_write(STDOUT_FILENO, text, error);
    bool done = part_put(&printing->part, buffer_get(text), text->length, error);
    buffer_clear(text);
    return done;
}

static bool printing_start(struct printing *printing, const char *path, int sheets, struct error *error)
{
    struct worksheet *worksheet = printing->worksheet;
    const struct sheet_sink sink = { put, printing };
    printing->begun = false;
    printing->to_file = path != NULL;
    if (path && !part_start(&printing->part, path, error))
        return false;
    return !worksheet->pdf || sheet_press()->start(&printing->printer, worksheet->pack, &worksheet->look,
                                                   sheets <= TAGGED, &sink, error);
}

/* Pages of text, a form feed between any two. */
static bool put_text(struct printing *printing, struct buffer *out, const struct sheet_flow *flow,
                     const struct sheet_look *look, bool key, struct error *error)
{
    bool there = key ? flow->count > flow->key : flow->key > 0;
    bool first = !(key ? printing->keys.length > 0 : printing->begun);
    if (!there)
        return true;
    if (!first)
        buffer_char(out, '\f');
    printing->begun = printing->begun || !key;
    return sheet_text(out, flow, look, key, error);
}

static bool printing_add(struct printing *printing, struct sheet *sheet, const struct sheet_look *look,
                         struct error *error)
{
    struct sheet_flow flow;
    if (printing->worksheet->pdf)
        return sheet_press()->add(printing->printer, sheet, look, error);
    return sheet_flow(&flow, sheet, look, error) &&
           put_text(printing, &printing->text, &flow, look, false, error) &&
           put_text(printing, &printing->keys, &flow, look, true, error) &&
           (printing->text.length < FLUSH || flush_text(printing, &printing->text, error));
}

static bool printing_end(struct printing *printing, struct error *error)
{
    bool done;
    if (printing->worksheet->pdf) {
        done = sheet_press()->end(printing->printer, error);
    } else {
        if (printing->begun && printing->keys.length)
            buffer_char(&printing->text, '\f');
        done = flush_text(printing, &printing->text, error) && flush_text(printing, &printing->keys, error);
    }
    return done && (!printing->to_file || part_settle(&printing->part, error));
}

/* Leaves nothing behind of what has not come to its end. */
static void printing_finish(struct printing *printing)
{
    if (printing->printer)
        sheet_press()->destroy(printing->printer);
    printing->printer = NULL;
    if (printing->to_file)
        part_end(&printing->part);
    printing->to_file = false;
    buffer_clear(&printing->text);
    buffer_clear(&printing->keys);
}

/* A bar on standard error from the second second on, written over and over. */
struct bar {
    struct clock clock;
    int64_t since;
    bool wanted, shown;
    int tenths;
};

static void bar_show(struct bar *bar, int done, int all)
{
    int tenths = (int)((int64_t)done * 1000 / all), filled = (int)((int64_t)done * BAR / all);
    if (!bar->wanted || tenths == bar->tenths || clock_steady(&bar->clock) - bar->since < 1000)
        return;
    char line[BAR + 1];
    memset(line, '.', BAR);
    memset(line, '#', (size_t)filled);
    line[BAR] = '\0';
    fprintf(stderr, "\r[%s] ", line);
    fprintf(stderr, tr("%d of %d sheets"), done, all);
    bar->tenths = tenths;
    bar->shown = true;
}

static void bar_end(const struct bar *bar)
{
    if (bar->shown)
        fputc('\n', stderr);
}

static void tell_left_out(const struct worksheet *worksheet, const struct sheet *sheet)
{
    struct buffer title;
    if (!sheet->left_out)
        return;
    buffer_init(&title);
    text_visible(&title, worksheet->pack->title, (ptrdiff_t)strlen(worksheet->pack->title));
    fprintf(stderr, "quiztutor: ");
    fprintf(stderr,
            ntr("%s: %d card is left out: cards (recall) are not for paper",
                "%s: %d cards are left out: cards (recall) are not for paper", sheet->left_out),
            buffer_get(&title), sheet->left_out);
    fputc('\n', stderr);
    buffer_finish(&title);
}

/* The i-th sheet, and what is to be kept of it. */
static bool print_one(struct printing *printing, int i, struct error *error)
{
    struct worksheet *worksheet = printing->worksheet;
    struct sheet_choice choice = worksheet->choice;
    struct sheet_look look = worksheet->look;
    struct sheet_record *record = &worksheet->records[i];
    struct sheet sheet;
    char id[SHEET_ID + 1];
    choice.seed += (uint32_t)i;
    choice.body = worksheet->body;
    if (worksheet->learners)
        look.learner = worksheet->learners[i].name;
    bool done = sheet_make(&sheet, worksheet->pack, &choice, error);
    if (done && i == 0)
        tell_left_out(worksheet, &sheet);
    done = done && printing_add(printing, &sheet, &look, error);
    if (done) {
        sheet_id_format(id, &sheet.id);
        record->id = arena_text(&worksheet->arena, id, (ptrdiff_t)strlen(id));
        if (worksheet->learners)
            record->learner = worksheet->learners[i].id;
        done = record->id || error_memory(error);
    }
    sheet_finish(&sheet);
    return done;
}

static bool print_file(struct printing *printing, const char *path, int from, int to, struct bar *bar,
                       struct error *error)
{
    struct worksheet *worksheet = printing->worksheet;
    bool done = printing_start(printing, path, to - from, error);
    for (int i = from; done && i < to; i++) {
        done = print_one(printing, i, error);
        bar_show(bar, i + 1, worksheet->count);
        if (done && stopping_asked())
            done = error_set(error, ERROR_INTERRUPTED, tr("stopped: %d of %d sheets are written"),
                             worksheet->printed, worksheet->count);
    }
    done = done && printing_end(printing, error);
    printing_finish(printing);
    if (done)
        worksheet->printed = to;
    return done;
}

static bool print_each(struct printing *printing, struct bar *bar, struct error *error)
{
    struct worksheet *worksheet = printing->worksheet;
    struct buffer path;
    bool done = true;
    buffer_init(&path);
    for (int i = 0; done && i < worksheet->count; i++) {
        buffer_clear(&path);
        worksheet_path(&path, worksheet, i);
        done =
            path.failed ? error_memory(error) : print_file(printing, buffer_get(&path), i, i + 1, bar, error);
    }
    buffer_finish(&path);
    if (!done && worksheet->printed && error->code != ERROR_INTERRUPTED) {
        fprintf(stderr, "quiztutor: ");
        fprintf(stderr, tr("%d of %d sheets are written"), worksheet->printed, worksheet->count);
        fputc('\n', stderr);
    }
    return done;
}

static void tell_untagged(int sheets)
{
    fprintf(stderr, "quiztutor: ");
    fprintf(
        stderr,
        tr("%d sheets in one PDF: it has no structure for screen readers, as those of up to %d sheets do"),
        sheets, (int)TAGGED);
    fputc('\n', stderr);
}

bool worksheet_print(struct worksheet *worksheet, struct error *error)
{
    struct printing printing = { .worksheet = worksheet, .part.file = -1 };
    struct bar bar = { .clock = clock_system(), .tenths = -1 };
    bar.since = clock_steady(&bar.clock);
    bar.wanted =
        worksheet->count > 1 && isatty(STDERR_FILENO) == 1 && (worksheet->path || isatty(STDOUT_FILENO) != 1);
    buffer_init(&printing.text);
    buffer_init(&printing.keys);
    stopping_watch();
    bool done = worksheet_many(worksheet)
                    ? print_each(&printing, &bar, error)
                    : print_file(&printing, worksheet->path, 0, worksheet->count, &bar, error);
    bar_end(&bar);
    if (done && worksheet->pdf && !worksheet_many(worksheet) && worksheet->count > TAGGED)
        tell_untagged(worksheet->count);
    buffer_finish(&printing.text);
    buffer_finish(&printing.keys);
    return done;
}
