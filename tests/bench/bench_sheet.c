/*
 * 1,000 copies of a sheet of eight questions in one PDF, each under its own seed and with its key: CPU time
 * against a bare program that lays out and draws the same texts with pango and cairo, and peak memory. Both
 * are processes of their own and take turns; the minima are compared. usage: bench_sheet [COPIES]; status 1
 * when ours takes more than 3 times as long, or more than 32 MB and 16 KB a copy.
 */
#include <quiztutor/diagnostic.h>
#include <quiztutor/sheet.h>

#include <cairo-pdf.h>
#include <pango/pangocairo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COPIES = 1000, RUNS = 5, WIDTH = 460 };
#define TIMES  3.0
#define BASE   32000.0 /* KB */
#define A_COPY 16.0

static const char source[] =
    "format: quiztutor/1\nid: bench\ntitle: Eight questions\nstrapline: On paper\npublisher: {name: Bench}\n"
    "questions:\n"
    "- {id: q1, prompt: \"Which planet is nearest to the sun, as far as anybody knows today?\", explanation: "
    "\"It needs 88 days for a year, and has no moon.\", choices: [Venus, {correct: Mercury}, Earth, Mars]}\n"
    "- {id: q2, prompt: Which of these are gases at room temperature?, explanation: Two of them are., "
    "choices: [{correct: Helium}, Iron, {correct: Oxygen}, Mercury]}\n"
    "- {id: q3, prompt: Water boils at a lower temperature on a high mountain., explanation: The pressure is "
    "lower there., true_false: true}\n"
    "- {id: q4, prompt: How many legs has a spider?, explanation: Insects have six., number: {answer: 8, "
    "unit: "
    "legs}}\n"
    "- {id: q5, prompt: What is the chemical symbol of gold?, explanation: From aurum., text: Au}\n"
    "- {id: q6, prompt: Put these in the order of their size., explanation: From small to large., order: [an "
    "atom, a cell, an ant, a horse]}\n"
    "- {id: q7, prompt: What belongs together?, explanation: By their capitals., match: {France: Paris, "
    "Spain: "
    "Madrid, Italy: Rome}, extra: [Lisbon]}\n"
    "- {id: q8, given: {a: {from: 2, to: 90, step: 1}, b: {from: 2, to: 90, step: 1}}, derive: {c: a * b}, "
    "prompt: \"What is "
    "{a} "
    "times {b}?\", explanation: \"{a} times {b} is {c}.\", number: c}\n";

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "bench_sheet: %s\n", what);
    exit(2);
}

static struct pack *load(void)
{
    struct diagnostics list;
    struct error error;
    struct pack *pack;
    diagnostics_init(&list);
    if (!pack_load_bytes(&pack, "bench.yaml", source, sizeof source - 1, &list, &error))
        die(list.count ? list.items[0].message : error.message);
    diagnostics_finish(&list);
    return pack;
}

static bool put(void *file, const char *bytes, ptrdiff_t length, struct error *error)
{
    (void)error;
    return fwrite(bytes, 1, (size_t)length, file) == (size_t)length;
}

static void print_ours(const struct pack *pack, int copies)
{
    struct error error;
    struct sheet_look look = { .size = SHEET_A4 };
    FILE *file = fopen("/dev/null", "wb");
    struct sheet_sink sink = { put, file };
    struct sheet_printer *printer;
    char body[SHEET_BODY + 1];
    const struct sheet_press *press = sheet_press();
    if (!file || !sheet_body(body, pack, NULL) || !press->start(&printer, pack, &look, false, &sink, &error))
        die("can't begin");
    for (int i = 0; i < copies; i++) {
        struct sheet_choice choice = { .seed = (uint32_t)i + 1, .body = body };
        struct sheet sheet;
        if (!sheet_make(&sheet, pack, &choice, &error) || !press->add(printer, &sheet, &look, &error))
            die(error.message);
        sheet_finish(&sheet);
    }
    if (!press->end(printer, &error))
        die(error.message);
    press->destroy(printer);
    fclose(file);
}

/* All that is printed of all copies: a text for each line of the table, NULL for a new page. */
static char **texts;
static ptrdiff_t text_count, text_capacity;

static void keep(const char *text)
{
    if (!memory_grow(&texts, &text_capacity, text_count + 1, sizeof *texts))
        die("no memory");
    texts[text_count++] = memory_text(text);
}

static void keep_blocks(const struct sheet_flow *flow, int from, int to, const char *footer)
{
    char label[16];
    for (int i = from; i < to; i++) {
        const struct sheet_block *block = &flow->blocks[i];
        snprintf(label, sizeof label, "%d.", block->number);
        if (block->number && block->kind != SHEET_BOXES)
            keep(label);
        if (block->text)
            keep(block->text);
        if (block->other)
            keep(block->other);
    }
    keep(footer);
    keep(flow->id);
    keep(NULL);
}

static void keep_texts(const struct pack *pack, int copies)
{
    struct sheet_look look = { .size = SHEET_A4 };
    char body[SHEET_BODY + 1];
    sheet_body(body, pack, NULL);
    for (int i = 0; i < copies; i++) {
        struct sheet_choice choice = { .seed = (uint32_t)i + 1, .body = body };
        struct sheet sheet;
        struct sheet_flow flow;
        struct error error;
        if (!sheet_make(&sheet, pack, &choice, &error) || !sheet_flow(&flow, &sheet, &look, &error))
            die(error.message);
        keep_blocks(&flow, 0, flow.key, flow.footer);
        keep_blocks(&flow, flow.key, flow.count, flow.key_footer);
        sheet_finish(&sheet);
    }
}

static cairo_status_t throw_away(void *file, const unsigned char *bytes, unsigned length)
{
    return fwrite(bytes, 1, length, file) == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static void print_bare(void)
{
    FILE *file = fopen("/dev/null", "wb");
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(throw_away, file, 595, 842);
    cairo_t *cairo = cairo_create(surface);
    PangoLayout *layout = pango_cairo_create_layout(cairo);
    PangoFontDescription *description = pango_font_description_from_string("Liberation Sans, DejaVu Sans 8");
    pango_layout_set_font_description(layout, description);
    pango_layout_set_width(layout, WIDTH * PANGO_SCALE);
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
    double y = 54;
    for (ptrdiff_t i = 0; i < text_count; i++) {
        int height;
        if (!texts[i]) {
            cairo_show_page(cairo);
            y = 54;
            continue;
        }
        pango_layout_set_text(layout, texts[i], -1);
        pango_layout_get_size(layout, NULL, &height);
        cairo_move_to(cairo, 54, y);
        pango_cairo_show_layout(cairo, layout);
        y += (double)height / PANGO_SCALE;
    }
    pango_font_description_free(description);
    g_object_unref(layout);
    cairo_destroy(cairo);
    cairo_surface_finish(surface);
    if (cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS)
        die("the bare program failed");
    cairo_surface_destroy(surface);
    fclose(file);
}

/* Seconds of CPU of a process of its own; its peak memory in KB. */
static double measure(const struct pack *pack, int copies, long *memory)
{
    struct rusage usage;
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (pack)
            print_ours(pack, copies);
        else
            print_bare();
        _exit(0);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0)
        die("a run failed");
    *memory = usage.ru_maxrss;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv)
{
    int copies = argc > 1 ? atoi(argv[1]) : COPIES;
    struct pack *pack = load();
    double ours = 1e9, bare = 1e9, time;
    long memory, other;
    sheet_add_press();
    measure(pack, copies, &memory); /* before this process holds all the texts */
    keep_texts(pack, copies);
    for (int i = 0; i < RUNS; i++) {
        time = measure(pack, copies, &other);
        ours = time < ours ? time : ours;
        time = measure(NULL, copies, &other);
        bare = time < bare ? time : bare;
    }
    double bound = BASE + A_COPY * copies, ratio = ours / bare;
    printf("%d copies of 8 questions: %.3f s, the same texts in a bare program: %.3f s, ratio %.2f (at most "
           "%.0f)\n",
           copies, ours, bare, ratio, TIMES);
    printf("peak memory: %ld KB (at most %.0f)\n", memory, bound);
    return ratio > TIMES || (double)memory > bound;
}
