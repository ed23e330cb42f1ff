/*
 * Reports on pages that look at what is put on them (fake_pages.c): all of a report is there, nothing lies on
 * anything else or outside the margins, on however many pages.
 */
#include "fake_pages.h"
#include "samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <quiztutor/memory.h>
#include <quiztutor/text.h>

#include <cmocka.h>

struct collect {
    int pieces, refuse; /* refuse: the piece that can't be written, from 1 */
    ptrdiff_t length;
};

static bool put(void *context, const char *text, ptrdiff_t length, struct error *error)
{
    struct collect *collect = context;
    (void)text;
    if (++collect->pieces == collect->refuse)
        return error_set(error, ERROR_FULL, "no room for piece %d", collect->pieces);
    assert_true(collect->refuse == 0 || collect->pieces < collect->refuse);
    collect->length += length;
    return true;
}

static bool write_pdf(const struct report *report, struct collect *collect, struct error *error)
{
    struct report_sink sink = { put, collect };
    bool right_to_left = fake.right_to_left;
    fake_reset();
    fake.right_to_left = right_to_left;
    error->code = ERROR_NONE;
    return report_write(report, TO_PDF, NULL, &sink, error);
}

/* What stands on the pages. */
static const char *written(const struct report *report)
{
    struct collect collect = { .pieces = 0 };
    struct error error;
    if (!write_pdf(report, &collect, &error))
        fail_msg("%s", error.message);
    assert_true(fake.ended);
    return buffer_get(&fake.text);
}

static int count(const char *text, const char *part)
{
    int found = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        found++;
    return found;
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("not there: %s", part);
}

static void test_samples(void **state)
{
    struct report report;
    (void)state;
    sample_bare(&report);
    has(written(&report), "\fClass\nquiztutor\n");
    sample_full(&report);
    const char *text = written(&report);
    assert_int_equal(fake.pages, 1);
    static const char *const parts[] = {
        "Class of <2026> & \"friends\"\n",
        "Training Across Many Devices\n",
        "Cronbach's alpha\n36.4%\n",
        "0.97 marks\n",
        "6 min 40 s\n",
        "70% (50\xe2\x80\x93"
        "85)\n",
        "<Training> \"across\" many & devices\n",
        "error ratio\n\xe2\x80\x93\xc2\xb9\n",
        "\xc2\xb9\ndifferent items were shown\n",
        "By topic (%)\npipeline\n80\n",
        "Minutes a week (min)\n",
        "2026-11-30\n",
        "Learners\n",
        "=HYPERLINK(\"x\")\n",
        "Doe, Jane \"JD\"\n",
        "<script>alert(1)</script>\n",
        "\xd9\x84\xd9\x8a\xd9\x84\xd9\x89 \xd8\xa7\xd9\x84\xd8\xb9\xd9\x84\xd9\x8a\n",
        "\xe6\x9d\x8e\xe5\xb0\x8f\xe9\xbe\x99\n",
        "(44\xe2\x80\x93"
        "97)\n",
        "-15.62 !\n",
        "Questions & answers\nnobody has answered a question yet\n",
        "Not available\n",
        "fewer than 3 attempts\n",
        "first attempts; 6 learners; 2026-11-02 to 2026-11-30; newest revision\n",
        "Columns without room on this paper:",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        has(text, parts[i]);
    assert_null(strstr(text, "\x1b"));
    assert_null(strstr(text, "kurtosis"));
    assert_true(fake.bars > 2);
    report.details = true;
    has(written(&report), "kurtosis\n-1.549587\n");
    sample_charts(&report);
    text = written(&report);
    has(text, "nothing\n");
    has(text, "72.8\n");
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
}

/* The same, laid out the other way round: the title is at the right. */
static void test_right_to_left(void **state)
{
    struct report report;
    (void)state;
    sample_full(&report);
    fake.right_to_left = true;
    written(&report);
    assert_true(fake.texts[0].x + fake.texts[0].width > 541);
    sample_charts(&report);
    written(&report);
    fake.right_to_left = false;
    sample_full(&report);
    written(&report);
    assert_true(fake.texts[0].x < 54.1);
}

/* Every row, once and in order, below headings on each page; how many pages there will be is not known. */
static void test_streaming(void **state)
{
    static const int lengths[] = { 0, 1, 255, 256, 257, 1500 };
    struct sample_stream stream;
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        char row[32];
        sample_streaming(&stream, lengths[i], false);
        const char *text = written(&stream.report);
        assert_int_equal(stream.at, lengths[i] + 1);
        for (int at = 0; at < lengths[i]; at++) {
            snprintf(row, sizeof row, "\n%d\n", at + 1);
            text = strstr(text, row);
            assert_non_null(text);
            text += strlen(row) - 1;
        }
        text = buffer_get(&fake.text);
        assert_int_equal(count(text, "\nanswered\n"), lengths[i] ? fake.pages : 0);
        assert_int_equal(count(text, "\npage "), fake.pages);
        assert_null(strstr(text, " of "));
        assert_true(lengths[i] > 256 ? fake.pages > 4 : fake.pages < 6);
    }
    sample_streaming(&stream, 0, false);
    has(written(&stream.report), "Attempts\nAttempts\nno attempts\n");
}

static const struct report_column two_columns[] = {
    { .name = "key", .title = "key", .kind = CELL_TEXT },
    { .name = "words", .title = "words", .kind = CELL_TEXT },
};

/* A cell of several pages: all its words, once and in order; below the headings; pages know their number. */
static void test_tall(void **state)
{
    enum { WORDS = 6000 };
    static char words[WORDS * 8];
    (void)state;
    for (int i = 0, at = 0; i < WORDS; i++)
        at += snprintf(words + at, sizeof words - (size_t)at, "w%d ", i);
    const struct report_cell cells[] = {
        { .kind = CELL_TEXT, .text = "before" }, { .kind = CELL_TEXT, .text = "short" },
        { .kind = CELL_TEXT, .text = "tall" },   { .kind = CELL_TEXT, .text = words },
        { .kind = CELL_TEXT, .text = "behind" }, { .kind = CELL_TEXT, .text = "last" }
    };
    const struct report_table table = { .name = "t",
                                        .title = "Table",
                                        .columns = two_columns,
                                        .column_count = 2,
                                        .rows = cells,
                                        .row_count = 3 };
    const struct report report = { .title = "Tall",
                                   .tables = &table,
                                   .table_count = 1,
                                   .notes = (const char *const[]){ words },
                                   .note_count = 1 };
    const char *text = written(&report);
    int pages = fake.pages;
    assert_true(pages > 3);
    const char *at = strstr(text, "tall\n");
    for (int i = 0; i < 2 * WORDS; i++) {
        char word[16];
        int length = snprintf(word, sizeof word, "w%d", i % WORDS);
        do {
            at = strstr(at, word);
            assert_non_null(at);
            at += length;
        } while (*at >= '0' && *at <= '9');
    }
    for (int page = 1; page <= pages; page++) {
        char foot[48];
        snprintf(foot, sizeof foot, "page %d of %d\n", page, pages);
        assert_int_equal(count(text, foot), 1);
    }
    assert_true(count(text, "key\nwords\n") > 2);
    assert_int_equal(count(text, "behind\nlast\n"), 1);
}

/* Columns that have room neither beside each other nor wrapped: rows as records. */
static void test_records(void **state)
{
    enum { COLUMNS = 40, ROWS = 20 };
    static struct report_column columns[COLUMNS];
    static struct report_cell cells[COLUMNS * ROWS];
    static char titles[COLUMNS][24];
    (void)state;
    for (int i = 0; i < COLUMNS; i++) {
        snprintf(titles[i], sizeof titles[i], "column-%d", i);
        columns[i] = (struct report_column){ .name = titles[i], .title = titles[i], .kind = CELL_WHOLE };
    }
    for (int i = 0; i < COLUMNS * ROWS; i++)
        cells[i] = (struct report_cell){ .kind = CELL_WHOLE, .whole = 100000 + i };
    cells[1].kind = CELL_NOTHING;
    const struct report_table table = {
        .name = "t", .columns = columns, .column_count = COLUMNS, .rows = cells, .row_count = ROWS
    };
    const struct report report = { .title = "Wide", .tables = &table, .table_count = 1 };
    const char *text = written(&report);
    has(text, "column-0\n100000\ncolumn-2\n100002\n");
    for (int i = 2; i < COLUMNS * ROWS; i++) {
        char cell[48];
        snprintf(cell, sizeof cell, "column-%d\n%d\n", i % COLUMNS, 100000 + i);
        has(text, cell);
    }
}

/* What no font has is told by its code point, and once in a note; the report is whole. */
static void test_unknown(void **state)
{
    const struct report_cell cells[] = { { .kind = CELL_TEXT, .text = "x\xee\x80\x80y\xc3\xa9" },
                                         { .kind = CELL_TEXT, .text = "\xee\x80\x80\xee\x80\x80" } };
    const struct report_table table = { .name = "t",
                                        .title = "\xee\x80\x80",
                                        .columns = two_columns,
                                        .column_count = 2,
                                        .rows = cells,
                                        .row_count = 1 };
    const struct report report = { .title = "Tofu", .tables = &table, .table_count = 1 };
    (void)state;
    const char *text = written(&report);
    has(text, "x[U+E000]y\xc3\xa9\n[U+E000][U+E000]\n");
    has(text, "given by their code points: U+E000.");
}

enum { MISSES = 20, LONG = 36 };
struct progress {
    char words[LONG * 8], topics[200][24], ids[MISSES][24];
    struct report_cell misses[MISSES * 2], rows[200 * 2];
    struct report_table tables[2];
    struct report report;
};

/* A learner with so many topics, and misses whose texts are long. */
static void make_progress(struct progress *is, enum report_kind kind, int topics, int words)
{
    memset(is, 0, sizeof *is);
    for (int i = 0; i < words; i++)
        snprintf(is->words + strlen(is->words), sizeof is->words - strlen(is->words), "word%d ", i);
    for (int i = 0; i < topics; i++) {
        snprintf(is->topics[i], sizeof is->topics[i], "topic-%d", i);
        is->rows[2 * i] = (struct report_cell){ .kind = CELL_TEXT, .text = is->topics[i] };
    }
    for (int i = 0; i < MISSES; i++) {
        snprintf(is->ids[i], sizeof is->ids[i], "miss-%d", i);
        is->misses[2 * i] = (struct report_cell){ .kind = CELL_TEXT, .text = is->ids[i] };
        is->misses[2 * i + 1] = (struct report_cell){ .kind = CELL_TEXT, .text = is->words };
    }
    for (int i = 0; i < topics; i++)
        is->rows[2 * i + 1] = (struct report_cell){ .kind = CELL_NOTHING };
    is->tables[0] = (struct report_table){ .name = "topics",
                                           .title = "Topics",
                                           .columns = two_columns,
                                           .column_count = 2,
                                           .rows = is->rows,
                                           .row_count = topics };
    is->tables[1] = (struct report_table){ .name = "misses",
                                           .title = "Misses",
                                           .columns = two_columns,
                                           .column_count = 2,
                                           .rows = is->misses,
                                           .row_count = MISSES };
    is->report = (struct report){ .kind = kind, .title = "Progress", .tables = is->tables, .table_count = 2 };
}

/* Progress is whole where that is one page; else its misses are shortened and counted, where that is enough;
 * else it is whole on several. No other report is cut. */
static void test_one_page(void **state)
{
    static struct progress progress;
    int seen[3] = { 0 };
    (void)state;
    for (int topics = 1; topics <= 120; topics += topics < 8 ? 1 : 7) {
        make_progress(&progress, REPORT_PROGRESS, topics, topics > 1 ? LONG : LONG / 2);
        const char *last = topics > 1 ? "word35" : "word17";
        const char *text = written(&progress.report);
        int shown = count(text, "miss-"), more = 0;
        const char *at = strstr(text, "\xe2\x80\xa6 and ");
        if (at)
            more = atoi(at + strlen("\xe2\x80\xa6 and "));
        assert_int_equal(shown + more, MISSES);
        for (int i = 0; i < shown; i++)
            has(text, progress.ids[i]); /* the newest ones */
        assert_int_equal(count(text, "topic-"), topics);
        if (fake.pages > 1) {
            assert_int_equal(shown, MISSES);
            assert_int_equal(count(text, last), MISSES);
            assert_null(strstr(text, "\xe2\x80\xa6"));
            has(text, "page 2 of ");
            seen[2]++;
        } else {
            assert_null(strstr(text, "page 1"));
            assert_true(shown >= 4);
            bool shortened = count(text, last) < shown;
            assert_true(shortened == (strstr(text, "are shortened") != NULL));
            bool cut = shortened || more > 0;
            seen[cut]++;
        }
        make_progress(&progress, REPORT_CLASS, topics, topics > 1 ? LONG : LONG / 2);
        text = written(&progress.report);
        assert_int_equal(count(text, last), MISSES);
    }
    assert_true(seen[0] > 0 && seen[1] > 2 && seen[2] > 2);
}

static void test_refused(void **state)
{
    struct collect whole = { .pieces = 0 };
    struct sample_stream stream;
    struct error error;
    (void)state;
    sample_streaming(&stream, 400, false);
    assert_true(write_pdf(&stream.report, &whole, &error));
    for (int refuse = 1; refuse <= whole.pieces; refuse++) {
        struct collect collect = { .refuse = refuse };
        char expected[64];
        sample_streaming(&stream, 400, false);
        assert_false(write_pdf(&stream.report, &collect, &error));
        snprintf(expected, sizeof expected, "no room for piece %d", refuse);
        assert_string_equal(error.message, expected);
        assert_int_equal(collect.pieces, refuse);
    }
}

static void test_broken_rows(void **state)
{
    static const int lengths[] = { 0, 5, 256, 257, 600 };
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct collect collect = { .pieces = 0 };
        struct sample_stream stream;
        struct error error;
        sample_streaming(&stream, lengths[i], true);
        assert_false(write_pdf(&stream.report, &collect, &error));
        assert_int_equal(error.code, ERROR_DAMAGED);
        assert_int_equal(stream.at, lengths[i] + 1);
        assert_false(fake.ended);
    }
}

/* Whatever allocation fails, memory is said to have run out. */
static void test_memory(void **state)
{
    static struct progress progress;
    (void)state;
    for (int sample = 0; sample < 4; sample++) {
        struct collect collect = { .pieces = 0 };
        struct sample_stream stream;
        struct report report;
        struct error error;
        bool done = false;
        long step = sample == 3 ? 17 : sample == 2 ? 5 : 1; /* of those with very many */
        for (long n = 1; !done; n += step) {
            sample_full(&report);
            report.details = true;
            if (sample == 1)
                sample_charts(&report);
            sample_streaming(&stream, 30, false);
            if (sample == 2)
                report = stream.report;
            make_progress(&progress, REPORT_PROGRESS, 20, LONG);
            if (sample == 3)
                report = progress.report;
            memory_fail_after(n);
            done = write_pdf(&report, &collect, &error);
            memory_fail_after(0);
            if (!done)
                assert_int_equal(error.code, ERROR_MEMORY);
            assert_true(done == fake.ended);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),     cmocka_unit_test(test_right_to_left),
        cmocka_unit_test(test_streaming),   cmocka_unit_test(test_tall),
        cmocka_unit_test(test_records),     cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_one_page),    cmocka_unit_test(test_refused),
        cmocka_unit_test(test_broken_rows), cmocka_unit_test(test_memory),
    };
    report_add_pdf();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    fake_reset();
    return failed;
}
