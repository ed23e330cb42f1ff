/* Texts of a page: their sizes, what cells say, and what stands for characters that no font has. */
#include "pdf_page.h"

#include "cell.h"
#include "text_page.h"

#include <quiztutor/text.h>

#include <stdio.h>
#include <string.h>

static const struct {
    enum page_face face;
    double scale;
} sizes[] = {
    [PDF_TITLE] = { PAGE_HEADING, .95 },   [PDF_SUBTITLE] = { PAGE_BODY, 1 },
    [PDF_CAPTION] = { PAGE_STRONG, .8 },   [PDF_TEXT] = { PAGE_SMALL, .9 },
    [PDF_STRONG] = { PAGE_STRONG, .6955 }, [PDF_HEAD] = { PAGE_STRONG, .65 },
    [PDF_TICK] = { PAGE_SMALL, .76 },      [PDF_NOTE] = { PAGE_SMALL, .8 },
};

#define DENSE .93

static double scale_of(const struct pdf *pdf, enum pdf_size size)
{
    bool smaller = pdf->dense && (size == PDF_TEXT || size == PDF_STRONG || size == PDF_HEAD);
    return sizes[size].scale * (smaller ? DENSE : 1);
}

struct page_text pdf_text(const struct pdf *pdf, const char *text, enum pdf_size size, double width,
                          bool far_side)
{
    return (struct page_text){ .text = text,
                               .face = sizes[size].face,
                               .scale = scale_of(pdf, size),
                               .width = width,
                               .far_side = far_side };
}

double pdf_line(const struct pdf *pdf, enum pdf_size size)
{
    return pages_line_height(pdf->pages, sizes[size].face) * scale_of(pdf, size);
}

void pdf_new_row(struct pdf *pdf)
{
    arena_finish(&pdf->arena);
    arena_init(&pdf->arena);
}

static bool is_ascii(const char *text)
{
    while (*text && (unsigned char)*text < 0x80)
        text++;
    return !*text;
}

/* Whether a font has all of a text. False with ERROR_INPUT: none has. */
static bool settable(struct pdf *pdf, const char *text, struct error *error)
{
    struct page_extent extent;
    struct page_text set = pdf_text(pdf, text, PDF_TEXT, 0, false);
    return is_ascii(text) || pages_measure(pdf->pages, &set, &extent, error);
}

static bool is_settable_alone(struct pdf *pdf, const char *bytes, int count, struct error *error)
{
    char one[8] = "";
    memcpy(one, bytes, (size_t)count);
    return settable(pdf, one, error);
}

/* Appends the text with "[U+1F9FF]" for what no font has; with `all`, for all that is not ASCII. */
static bool replace_unknown(struct pdf *pdf, const char *text, bool all, struct buffer *out)
{
    for (ptrdiff_t left = (ptrdiff_t)strlen(text); left > 0;) {
        int32_t code;
        char name[16];
        struct error error = { .code = ERROR_NONE };
        int bytes = text_decode(text, left, &code);
        bool ascii = (unsigned char)*text < 0x80;
        if (ascii || code == TEXT_BAD || (!all && is_settable_alone(pdf, text, bytes, &error))) {
            buffer_add(out, text, bytes);
        } else if (!all && error.code != ERROR_INPUT) {
            *pdf->writer->error = error;
            return false;
        } else {
            snprintf(name, sizeof name, "U+%04X", (unsigned)code);
            buffer_print(out, "[%s]", name);
            if (reasons_number(&pdf->unknown, name) < 0)
                return error_memory(pdf->writer->error);
        }
        text += bytes;
        left -= bytes;
    }
    return true;
}

const char *pdf_keep(struct pdf *pdf)
{
    struct error error = { .code = ERROR_NONE };
    const char *kept = NULL;
    struct buffer replaced;
    if (pdf->text.failed) {
        error_memory(pdf->writer->error);
        return NULL;
    }
    buffer_init(&replaced);
    const char *text = buffer_get(&pdf->text);
    for (int tries = 0; !settable(pdf, text, &error); tries++) {
        if (error.code != ERROR_INPUT || tries == 2) {
            *pdf->writer->error = error;
            goto out;
        }
        buffer_clear(&replaced);
        if (!replace_unknown(pdf, buffer_get(&pdf->text), tries > 0, &replaced))
            goto out;
        text = buffer_get(&replaced);
        if (replaced.failed) {
            error_memory(pdf->writer->error);
            goto out;
        }
    }
    kept = arena_text(&pdf->arena, text, (ptrdiff_t)strlen(text));
    if (!kept)
        error_memory(pdf->writer->error);
out:
    buffer_finish(&replaced);
    return kept;
}

const char *pdf_shown(struct pdf *pdf, const char *text)
{
    buffer_clear(&pdf->text);
    text_shown(&pdf->text, text);
    return pdf_keep(pdf);
}

bool pdf_find_raised(struct pdf *pdf)
{
    struct text_page page = { .ascii = false };
    struct error error = { .code = ERROR_NONE };
    buffer_clear(&pdf->text);
    for (int i = 0; i < 10; i++)
        text_footnote(&page, &pdf->text, i);
    if (pdf->text.failed)
        return error_memory(pdf->writer->error);
    pdf->raised = settable(pdf, buffer_get(&pdf->text), &error);
    if (pdf->raised || error.code == ERROR_INPUT)
        return true;
    *pdf->writer->error = error;
    return false;
}

void pdf_footnote(struct pdf *pdf, int number)
{
    struct text_page page = { .ascii = !pdf->raised };
    text_footnote(&page, &pdf->text, number);
}

void pdf_say(struct pdf *pdf, const struct report_cell *cell, const char *unit, int decimals, bool whole)
{
    buffer_clear(&pdf->text);
    if (cell_is_absent(cell)) {
        int number = reasons_number(&pdf->reasons, cell_why(cell));
        buffer_text(&pdf->text, "\xe2\x80\x93");
        if (number < 0)
            pdf->text.failed = true;
        else if (number > 0)
            pdf_footnote(pdf, number);
    } else if (cell->kind == CELL_TEXT) {
        text_shown(&pdf->text, cell->text ? cell->text : "");
        if (cell->note)
            buffer_print(&pdf->text, " (%s)", cell->note);
    } else if (whole) {
        cell_say_unit(&pdf->text, cell, unit, decimals);
    } else {
        cell_say(&pdf->text, cell, unit, decimals);
    }
}

bool pdf_natural(struct pdf *pdf, const char *text, enum pdf_size size, double *width)
{
    struct page_text set = pdf_text(pdf, text, size, 0, false);
    struct page_extent extent;
    *width = 0;
    if (!*text)
        return true;
    if (!pages_measure(pdf->pages, &set, &extent, pdf->writer->error))
        return false;
    *width = extent.width;
    return true;
}

/* ---- texts that end early, where only so many lines of them have room ---- */

static const char ellipsis[] = "\xe2\x80\xa6";

/* Bytes of the first `most` cells, and how many there are up to that. */
static ptrdiff_t walk(const char *text, int most, int *cells)
{
    ptrdiff_t at = 0, length = (ptrdiff_t)strlen(text), bytes;
    int columns;
    for (*cells = 0; *cells < most && (bytes = text_cell(text + at, length - at, &columns)) > 0; ++*cells)
        at += bytes;
    return at;
}

static bool count_lines(struct pdf *pdf, const struct pdf_piece *piece, const char *text, int *lines)
{
    struct page_text set = pdf_text(pdf, text, piece->size, piece->width, piece->far_side);
    struct page_extent extent = { 0 };
    if (*text && !pages_measure(pdf->pages, &set, &extent, pdf->writer->error))
        return false;
    *lines = extent.lines;
    return true;
}

bool pdf_shorten(struct pdf *pdf, struct pdf_piece *piece, int most)
{
    int lines, few = 0, many, cells;
    if (!count_lines(pdf, piece, piece->text, &lines))
        return false;
    if (lines <= most)
        return true;
    char *cut = arena_alloc(&pdf->arena, (ptrdiff_t)(strlen(piece->text) + sizeof ellipsis));
    if (!cut)
        return error_memory(pdf->writer->error);
    walk(piece->text, INT32_MAX, &many);
    for (bool found = false; !found;) {
        found = few == many; /* the last round is for that one */
        int middle = few + (many - few + 1) / 2;
        ptrdiff_t length = walk(piece->text, middle, &cells);
        while (length > 0 && piece->text[length - 1] == ' ')
            length--;
        memcpy(cut, piece->text, (size_t)length);
        memcpy(cut + length, ellipsis, sizeof ellipsis);
        if (!count_lines(pdf, piece, cut, &lines))
            return false;
        if (lines <= most)
            few = middle;
        else
            many = middle - (few < many);
    }
    piece->text = cut;
    pdf->shortened = true;
    return true;
}
