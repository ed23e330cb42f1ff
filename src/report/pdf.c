/*
 * A report as PDF: heading, facts, charts, tables, and at the foot why figures are not available and how they
 * were made. Progress is to stand on one page: where its misses are too many for that, their
 * texts are shortened and the older ones left out and counted, so long as that is enough.
 */
#include "pdf_page.h"

#include "text_page.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>

enum { TAGGED_CELLS = 20000 };

#define PART_GAP   7.0
#define MARK_WIDTH 8.0

/* The title, and the subtitle at the other end of its line, or below. */
static bool put_head(struct pdf *pdf)
{
    const struct report *report = pdf->writer->report;
    double title, subtitle;
    pdf_new_row(pdf);
    const char *one = pdf_shown(pdf, report->title),
               *two = one ? pdf_shown(pdf, report->subtitle ? report->subtitle : "") : NULL;
    if (!two || !pdf_natural(pdf, one, PDF_TITLE, &title) || !pdf_natural(pdf, two, PDF_SUBTITLE, &subtitle))
        return false;
    struct pdf_piece pieces[] = {
        { .text = one, .size = PDF_TITLE, .width = title + 1, .foot = true, .tag = "H1", .untag = "H1" },
        { .text = two,
          .size = PDF_SUBTITLE,
          .x = title + PDF_GAP,
          .width = pdf->width - title - PDF_GAP,
          .far_side = true,
          .foot = true,
          .tag = "P",
          .untag = "P" },
    };
    if (title + 2 * PDF_GAP + subtitle <= pdf->width)
        return pdf_row(pdf, pieces, 2, NULL, PART_GAP);
    return pdf_paragraph(pdf, report->title, PDF_TITLE, "H1", *two ? 1 : PART_GAP) &&
           (!report->subtitle || pdf_paragraph(pdf, report->subtitle, PDF_SUBTITLE, "P", PART_GAP));
}

static bool put_note(struct pdf *pdf, const char *mark, const char *text)
{
    double indent = mark ? MARK_WIDTH : 0;
    struct pdf_piece pieces[] = {
        { .text = mark ? mark : "", .size = PDF_NOTE, .width = MARK_WIDTH },
        { .size = PDF_NOTE, .x = indent, .width = pdf->width - indent },
    };
    pdf_new_row(pdf);
    pieces[1].text = pdf_shown(pdf, text);
    return pieces[1].text && pdf_row(pdf, pieces, 2, "P", 0);
}

static bool put_reasons(struct pdf *pdf)
{
    if (pdf->reasons.count && !pdf_paragraph(pdf, tr("Not available"), PDF_HEAD, "P", 0))
        return false;
    for (int i = 0; i < pdf->reasons.count; i++) {
        char mark[16];
        buffer_clear(&pdf->text);
        pdf_footnote(pdf, i + 1);
        if (pdf->text.failed)
            return error_memory(pdf->writer->error);
        snprintf(mark, sizeof mark, "%s", buffer_get(&pdf->text));
        if (!put_note(pdf, mark, pdf->reasons.texts[i]))
            return false;
    }
    return !pdf->reasons.more ||
           put_note(pdf, NULL,
                    tr("and for more reasons than have room here: they are all in the JSON report"));
}

static void join(struct buffer *out, const struct reasons *list)
{
    for (int i = 0; i < list->count; i++)
        buffer_print(out, "%s%s", i ? ", " : "", list->texts[i]);
    if (list->more)
        buffer_text(out, ", \xe2\x80\xa6");
}

/* What is not as it was in the report. */
static bool put_lists(struct pdf *pdf)
{
    struct buffer names, note;
    bool done = true;
    buffer_init(&names);
    buffer_init(&note);
    if (pdf->left_out.count) {
        join(&names, &pdf->left_out);
        buffer_print(&note,
                     tr("Columns without room on this paper: %s. The report as HTML, CSV or JSON has them."),
                     buffer_get(&names));
        done = !note.failed && put_note(pdf, NULL, buffer_get(&note));
    }
    if (done && pdf->unknown.count) {
        buffer_clear(&names);
        buffer_clear(&note);
        join(&names, &pdf->unknown);
        buffer_print(&note, tr("Characters that no font here has are given by their code points: %s."),
                     buffer_get(&names));
        done = !note.failed && put_note(pdf, NULL, buffer_get(&note));
    }
    done = names.failed || note.failed ? error_memory(pdf->writer->error) : done;
    buffer_finish(&names);
    buffer_finish(&note);
    return done;
}

/* One after the other, as sentences of one paragraph. */
static bool put_notes_joined(struct pdf *pdf)
{
    const struct report *report = pdf->writer->report;
    struct buffer notes;
    buffer_init(&notes);
    for (int i = 0; i < report->note_count; i++)
        buffer_print(&notes, "%s%s", i ? " " : "", report->notes[i]);
    bool done = notes.failed ? error_memory(pdf->writer->error)
                             : !notes.length || put_note(pdf, NULL, buffer_get(&notes));
    buffer_finish(&notes);
    return done;
}

static bool put_foot(struct pdf *pdf)
{
    const struct report *report = pdf->writer->report;
    double line = pdf_line(pdf, PDF_NOTE);
    pdf->y += PART_GAP / 2;
    if (!pdf_need(pdf, 2 * line) || !put_reasons(pdf))
        return false;
    pdf->y += pdf->reasons.count ? PART_GAP / 2 : 0;
    if (pdf->dense) {
        if (!put_notes_joined(pdf))
            return false;
    } else {
        for (int i = 0; i < report->note_count; i++)
            if (!put_note(pdf, NULL, report->notes[i]))
                return false;
    }
    return put_lists(pdf);
}

/* One pass, from the first page to the last. */
static bool pass(struct pdf *pdf)
{
    const struct report *report = pdf->writer->report;
    pdf->page = 0;
    reasons_finish(&pdf->reasons);
    reasons_init(&pdf->reasons);
    reasons_finish(&pdf->left_out);
    reasons_init(&pdf->left_out);
    if (!pdf_break(pdf) || !put_head(pdf) || !pdf_facts(pdf) || !pdf_charts(pdf))
        return false;
    for (int i = 0; i < report->table_count; i++)
        if (!pdf_table(pdf, &report->tables[i]))
            return false;
    return put_foot(pdf) && pdf_page_end(pdf);
}

static bool is_streaming(const struct report *report)
{
    for (int i = 0; i < report->table_count; i++)
        if (report->tables[i].next)
            return true;
    return false;
}

/* Structure for screen readers takes memory, and ten times the file, so that a long report has none. */
static bool is_tagged(const struct report *report)
{
    int64_t cells = 0;
    for (int i = 0; i < report->table_count; i++)
        cells += (int64_t)report->tables[i].row_count * report->tables[i].column_count;
    return !is_streaming(report) && cells <= TAGGED_CELLS;
}

static int misses(const struct report *report)
{
    for (int i = 0; i < report->table_count; i++)
        if (pdf_is_misses(report, &report->tables[i]))
            return report->tables[i].row_count;
    return 0;
}

/* What is tried, one after the other, to have progress on one page. */
static const struct way {
    bool dense;
    int lines;          /* of a miss's cells */
    int misconceptions; /* −1: all */
    int least;          /* misses to be shown, else it is no way */
} ways[] = {
    { .lines = 2, .misconceptions = -1, .least = 10 },
    { .dense = true, .lines = 2, .misconceptions = -1, .least = 8 },
    { .dense = true, .lines = 2, .misconceptions = 8, .least = 6 },
    { .dense = true, .lines = 1, .misconceptions = 8, .least = 4 },
};

static void go(struct pdf *pdf, const struct way *way, int misses)
{
    pdf->dense = way->dense;
    pdf->most_lines = way->lines;
    pdf->most_misconceptions = way->misconceptions;
    pdf->most_misses = misses;
}

/* The most misses, of `all`, that leave it on one page; fewer than `least`: there is no such way. */
static bool find_most(struct pdf *pdf, const struct way *way, int least, int all, int *most)
{
    int few = least - 1, many = all;
    while (few < many) {
        int middle = few + (many - few + 1) / 2;
        go(pdf, way, middle);
        if (!pass(pdf))
            return false;
        if (pdf->page == 1)
            few = middle;
        else
            many = middle - 1;
    }
    *most = few;
    return true;
}

/* Finds out how many pages there are, and of progress what has room on one. A table that streams can be read
 * once only, so that its pages are not known beforehand. */
static bool plan(struct pdf *pdf)
{
    static const struct way whole = { .misconceptions = -1 };
    const struct report *report = pdf->writer->report;
    int all = misses(report), most;
    go(pdf, &whole, -1);
    if (is_streaming(report))
        return true;
    if (!pass(pdf))
        return false;
    pdf->of = pdf->page;
    for (size_t i = 0; pdf->of > 1 && all && i < sizeof ways / sizeof *ways; i++) {
        int least = ways[i].least < all ? ways[i].least : all;
        if (!find_most(pdf, &ways[i], least, all, &most))
            return false;
        if (most >= least) {
            go(pdf, &ways[i], most);
            pdf->of = 1;
            return true;
        }
    }
    go(pdf, &whole, -1);
    return true;
}

static bool open_pages(struct pdf *pdf)
{
    const struct report *report = pdf->writer->report;
    char language[MESSAGE_LANGUAGE];
    struct buffer title;
    message_language(language);
    buffer_init(&title);
    text_shown(&title, report->title);
    if (report->subtitle) {
        buffer_text(&title, " \xc2\xb7 ");
        text_shown(&title, report->subtitle);
    }
    struct page_options options = { .size = PAGE_A4,
                                    .tagged = is_tagged(report),
                                    .title = buffer_get(&title),
                                    .language = language,
                                    .sink = { pdf->writer->sink->put, pdf->writer->sink->context } };
    bool done = title.failed ? error_memory(pdf->writer->error)
                             : pages_create(&pdf->pages, &options, pdf->writer->error);
    buffer_finish(&title);
    return done;
}

static bool write_pdf(struct writer *writer)
{
    struct pdf pdf = { .writer = writer };
    reasons_init(&pdf.reasons);
    reasons_init(&pdf.left_out);
    reasons_init(&pdf.unknown);
    arena_init(&pdf.arena);
    buffer_init(&pdf.text);
    bool done = open_pages(&pdf);
    if (done) {
        pdf.width = pages_width(pdf.pages);
        pdf.bottom = pages_height(pdf.pages) - pdf_foot_height(&pdf);
        done = pdf_find_raised(&pdf) && plan(&pdf);
        pdf.drawing = true;
        done = done && pass(&pdf) && pages_end(pdf.pages, writer->error);
    }
    pages_destroy(pdf.pages);
    buffer_finish(&pdf.text);
    arena_finish(&pdf.arena);
    reasons_finish(&pdf.unknown);
    reasons_finish(&pdf.left_out);
    reasons_finish(&pdf.reasons);
    return done;
}

void report_add_pdf(void)
{
    writer_add_pdf(write_pdf);
}
