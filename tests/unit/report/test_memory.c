/* Whatever allocation fails, a writer says that memory ran out; what it wrote until then is a part of the
 * whole. */
#include "samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <quiztutor/memory.h>

#include <cmocka.h>

static char written[1 << 20];
static ptrdiff_t length;

static bool put(void *context, const char *text, ptrdiff_t more, struct error *error)
{
    (void)context;
    (void)error;
    assert_true(length + more < (ptrdiff_t)sizeof written);
    memcpy(written + length, text, (size_t)more);
    length += more;
    return true;
}

static bool write_sample(int sample, enum report_to to, const struct report_look *look, struct error *error)
{
    struct report_sink sink = { put, NULL };
    struct sample_stream stream;
    struct report report;
    if (sample == 0) {
        sample_full(&report);
        report.details = true;
    } else if (sample == 1) {
        sample_charts(&report);
    } else {
        sample_streaming(&stream, 300, false);
        report = stream.report;
    }
    length = 0;
    return report_write(&report, to, look, &sink, error);
}

static void test_each_allocation(void **state)
{
    static const struct report_look looks[] = { { .columns = 200 }, { .columns = 20, .ascii = true } };
    static char whole[sizeof written];
    (void)state;
    for (int run = 0; run < 3 * TO_PDF * 2; run++) {
        int sample = run / 2 / TO_PDF;
        enum report_to to = (enum report_to)(run / 2 % TO_PDF);
        const struct report_look *look = &looks[run % 2];
        struct error error = { .code = ERROR_NONE };
        assert_true(write_sample(sample, to, look, &error));
        ptrdiff_t all = length;
        memcpy(whole, written, (size_t)all);
        bool done = false;
        int failures = 0;
        for (long n = 1; !done; n++) {
            error.code = ERROR_NONE;
            memory_fail_after(n);
            done = write_sample(sample, to, look, &error);
            memory_fail_after(0);
            if (!done) {
                assert_int_equal(error.code, ERROR_MEMORY);
                assert_true(length < all);
                failures++;
            }
            assert_memory_equal(written, whole, (size_t)length);
        }
        assert_int_equal(length, all);
        assert_true(failures > 0 || all == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_each_allocation) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
