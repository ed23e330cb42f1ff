#include "fake_pages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <quiztutor/memory.h>
#include <quiztutor/text.h>

#include <cmocka.h>

#define WIDTH  595.276
#define HEIGHT 841.89
#define MARGIN 54.0
#define NEARLY .05

enum { NESTED = 16, UNKNOWN = 0xE000 /* what no font has */ };

struct fake fake;

struct pages {
    struct page_sink sink;
    bool begun;
    const char *tags[NESTED];
};

void fake_reset(void)
{
    buffer_finish(&fake.text);
    memset(&fake, 0, sizeof fake);
    buffer_init(&fake.text);
}

bool pages_create(struct pages **pages, const struct page_options *options, struct error *error)
{
    static const char begin[] = "%FAKE\n";
    assert_non_null(options->title);
    *pages = memory_zero(sizeof **pages);
    if (!*pages)
        return error_memory(error);
    (*pages)->sink = options->sink;
    if (options->sink.put(options->sink.context, begin, sizeof begin - 1, error))
        return true;
    memory_free(*pages);
    *pages = NULL;
    return false;
}

void pages_destroy(struct pages *pages)
{
    memory_free(pages);
}

double pages_width(const struct pages *pages)
{
    (void)pages;
    return WIDTH - 2 * MARGIN;
}

double pages_height(const struct pages *pages)
{
    (void)pages;
    return HEIGHT - 2 * MARGIN;
}

double pages_margin(const struct pages *pages)
{
    (void)pages;
    return MARGIN;
}

bool pages_right_to_left(const struct pages *pages)
{
    (void)pages;
    return fake.right_to_left;
}

bool pages_next(struct pages *pages, struct error *error)
{
    char piece[32];
    assert_int_equal(fake.tags, 0); /* no structure spans pages */
    pages->begun = true;
    fake.pages++;
    assert_true(fake.pages < FAKE_PAGES);
    fake.text_count = 0;
    buffer_char(&fake.text, '\f');
    int length = snprintf(piece, sizeof piece, "page %d\n", fake.pages);
    return pages->sink.put(pages->sink.context, piece, length, error);
}

bool pages_end(struct pages *pages, struct error *error)
{
    assert_true(pages->begun);
    assert_int_equal(fake.tags, 0);
    fake.ended = true;
    return pages->sink.put(pages->sink.context, "%END\n", 5, error);
}

static double size_of(const struct page_text *text)
{
    static const double sizes[PAGE_FACES] = { 8.5, 11, 11, 18, 9.5 };
    return sizes[text->face] * (text->scale > 0 ? text->scale : 1);
}

double pages_line_height(const struct pages *pages, enum page_face face)
{
    (void)pages;
    return size_of(&(struct page_text){ .face = face }) * 1.3;
}

/* Where a line ends that begins at `at`, and the next begins; its columns. */
static ptrdiff_t line_end(const struct page_text *text, ptrdiff_t at, ptrdiff_t *next, int *columns)
{
    int room = text->width > 0 ? (int)(text->width / (size_of(text) / 2)) : 1000000, cell, used = 0;
    ptrdiff_t length = (ptrdiff_t)strlen(text->text), end = at, word = -1;
    int to_word = 0;
    room = room < 1 ? 1 : room;
    while (end < length && text->text[end] != '\n') {
        ptrdiff_t bytes = text_cell(text->text + end, length - end, &cell);
        if (text->text[end] == ' ') {
            word = end;
            to_word = used;
        }
        if (used + cell > room && used > 0) {
            end = word >= 0 ? word : end;
            *columns = word >= 0 ? to_word : used;
            *next = end + (text->text[end] == ' ');
            return end;
        }
        used += cell;
        end += bytes;
    }
    *columns = used;
    *next = end < length ? end + 1 : length;
    return end;
}

static int lay(const struct page_text *text, int first, int lines, double *width, struct buffer *out)
{
    int count = 0, columns;
    *width = 0;
    for (ptrdiff_t at = 0, next, length = (ptrdiff_t)strlen(text->text); at < length; at = next) {
        ptrdiff_t end = line_end(text, at, &next, &columns);
        if (count >= first && (lines == 0 || count < first + lines)) {
            *width = columns * size_of(text) / 2 > *width ? columns * size_of(text) / 2 : *width;
            if (out) {
                buffer_add(out, text->text + at, end - at);
                buffer_char(out, '\n');
            }
        }
        count++;
    }
    return count;
}

static bool known(const struct page_text *text, struct error *error)
{
    return !strstr(text->text, "\xee\x80\x80") || error_set(error, ERROR_INPUT, "no font has U+E000");
}

bool pages_measure(struct pages *pages, const struct page_text *text, struct page_extent *extent,
                   struct error *error)
{
    void *room = memory_alloc(1); /* as much as it takes to fail */
    (void)pages;
    memory_free(room);
    if (!room)
        return error_memory(error);
    if (!known(text, error))
        return false;
    extent->lines = lay(text, 0, 0, &extent->width, NULL);
    extent->height = extent->lines * size_of(text) * 1.3;
    extent->first_line = size_of(text);
    return true;
}

bool pages_measure_lines(struct pages *pages, const struct page_text *text, int first, int lines,
                         double *height, struct error *error)
{
    struct page_extent extent;
    if (!pages_measure(pages, text, &extent, error))
        return false;
    int left = extent.lines - first;
    *height = (lines == 0 || lines > left ? left : lines) * size_of(text) * 1.3;
    return true;
}

static void look_inside(double x1, double y1, double x2, double y2)
{
    if (x1 < MARGIN - NEARLY || x2 > WIDTH - MARGIN + NEARLY || y1 < MARGIN - NEARLY ||
        y2 > HEIGHT - MARGIN + NEARLY)
        fail_msg("outside the margins: %.1f %.1f to %.1f %.1f", x1, y1, x2, y2);
}

static void look_apart(const struct fake_text *is)
{
    for (int i = 0; i < fake.text_count; i++) {
        const struct fake_text *other = &fake.texts[i];
        if (is->x + NEARLY < other->x + other->width && other->x + NEARLY < is->x + is->width &&
            is->y + NEARLY < other->y + other->height && other->y + NEARLY < is->y + is->height)
            fail_msg("\"%s\" at %.1f %.1f lies on \"%s\" at %.1f %.1f", is->text, is->x, is->y, other->text,
                     other->x, other->y);
    }
}

bool pages_put(struct pages *pages, const struct page_text *text, double x, double y, int first, int lines,
               struct error *error)
{
    double width, height;
    if (!known(text, error) || !pages_measure_lines(pages, text, first, lines, &height, error))
        return false;
    assert_true(pages->begun);
    assert_true(text_columns(text->text) > 0);
    lay(text, first, lines, &width, &fake.text);
    bool right = text->far_side != fake.right_to_left;
    struct fake_text put = {
        .x = right && text->width > 0 ? x + text->width - width : x, .y = y, .width = width, .height = height
    };
    snprintf(put.text, sizeof put.text, "%s", text->text);
    look_inside(put.x, put.y, put.x + width, put.y + height);
    look_apart(&put);
    assert_true(fake.text_count < FAKE_TEXTS);
    fake.texts[fake.text_count++] = put;
    return true;
}

void pages_line(struct pages *pages, double x1, double y1, double x2, double y2)
{
    (void)pages;
    look_inside(x1 < x2 ? x1 : x2, y1 < y2 ? y1 : y2, x1 < x2 ? x2 : x1, y1 < y2 ? y2 : y1);
}

void pages_box(struct pages *pages, double x, double y, double width, double height)
{
    pages_line(pages, x, y, x + width, y + height);
}

void pages_path(struct pages *pages, const double *points, int count, double width, double grey)
{
    assert_true(width > 0 && grey >= 0 && grey <= 1);
    fake.paths++;
    for (int i = 1; i < count; i++)
        pages_line(pages, points[2 * i - 2], points[2 * i - 1], points[2 * i], points[2 * i + 1]);
}

void pages_bar(struct pages *pages, double x, double y, double width, double height, double grey)
{
    assert_true(width >= 0 && height >= 0 && grey >= 0 && grey <= 1);
    fake.bars += grey < 1;
    pages_line(pages, x, y, x + width, y + height);
}

void pages_tag(struct pages *pages, const char *tag)
{
    assert_true(fake.tags < NESTED);
    pages->tags[fake.tags++] = tag;
}

void pages_untag(struct pages *pages, const char *tag)
{
    assert_true(fake.tags > 0);
    assert_string_equal(pages->tags[--fake.tags], tag);
}
