/* Packs written as YAML and JSON come back as they were. */
#include "../slice.h"
#include "generate.h"

#include <quiztutor/exchange.h>
#include <quiztutor/message.h>
#include <quiztutor/pack_diff.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PACKS = 3000, TYPES = (1 << QUESTION_TYPES) - 1 };

static struct pack *load(const struct buffer *bytes, uint64_t seed)
{
    struct diagnostics list;
    struct error error = { 0 };
    struct pack *pack;
    diagnostics_init(&list);
    if (!pack_load_bytes(&pack, "generated.yaml", buffer_get(bytes), bytes->length, &list, &error)) {
        struct buffer out;
        buffer_init(&out);
        diagnostics_print(&list, &out);
        fail_msg("seed %llu does not load: %s\n%s\n%s", (unsigned long long)seed, error.message,
                 buffer_get(&out), buffer_get(bytes));
    }
    diagnostics_finish(&list);
    return pack;
}

static void assert_same(const struct pack *one, const struct pack *other, uint64_t seed,
                        const struct buffer *bytes)
{
    const char *difference = generate_difference(one, other, GENERATE_ALL);
    if (difference)
        fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, difference, buffer_get(bytes));
}

static void yaml_keeps_everything(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)slice_of(PACKS); seed++) {
        struct generate generate;
        struct buffer bytes;
        buffer_init(&bytes);
        generate_pack(&generate, seed, TYPES,
                      seed % 2 ? GENERATE_ALL : GENERATE_ALL & ~(unsigned)GENERATE_MARKUP);
        assert_true(exchange_write_pack(&bytes, &generate.pack));
        struct pack *pack = load(&bytes, seed);
        assert_same(&generate.pack, pack, seed, &bytes);

        /* what was loaded, written and loaded once more, means the same to those who learn with it, too */
        struct buffer again;
        struct pack_diff diff;
        buffer_init(&again);
        assert_true(exchange_write_pack(&again, pack));
        assert_string_equal(buffer_get(&bytes), buffer_get(&again));
        struct pack *second = load(&again, seed);
        assert_true(pack_diff(&diff, pack, second));
        assert_int_equal(diff.question_count + diff.section_count + diff.head_count + diff.moved, 0);
        pack_diff_finish(&diff);
        pack_destroy(second);
        buffer_finish(&again);

        pack_destroy(pack);
        buffer_finish(&bytes);
        generate_finish(&generate);
    }
}

/* JSON has quotes only, and in those each line is a paragraph: texts of one line come back exactly. */
static void json_keeps_everything(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)slice_of(PACKS); seed++) {
        struct generate generate;
        struct export export;
        struct error error;
        generate_pack(&generate, seed, TYPES,
                      GENERATE_ALL & ~(unsigned)(GENERATE_PARAGRAPHS | GENERATE_CODE));
        export_init(&export, &generate.pack);
        assert_true(json_write(&export, &error));
        assert_int_equal(export.line_count, 0);
        struct pack *pack = load(&export.out, seed);
        assert_same(&generate.pack, pack, seed, &export.out);
        pack_destroy(pack);
        export_finish(&export);
        generate_finish(&generate);
    }
}

static void json_of_paragraphs_loads(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)slice_of(PACKS / 10); seed++) {
        struct generate generate;
        struct export export;
        struct error error;
        generate_pack(&generate, seed, TYPES, GENERATE_ALL);
        export_init(&export, &generate.pack);
        assert_true(json_write(&export, &error));
        struct pack *pack = load(&export.out, seed);
        assert_int_equal(pack->question_count, generate.pack.question_count);
        pack_destroy(pack);
        export_finish(&export);
        generate_finish(&generate);
    }
}

/* Each failing allocation is told, none crashes. */
static void memory_may_run_out(void **state)
{
    (void)state;
    struct generate generate;
    bool done = false;
    generate_pack(&generate, 7, TYPES, GENERATE_ALL);
    for (long n = 1; !done; n++) {
        struct buffer bytes;
        buffer_init(&bytes);
        memory_fail_after(n);
        done = exchange_write_pack(&bytes, &generate.pack);
        memory_fail_after(0);
        assert_int_equal(done, !bytes.failed);
        buffer_finish(&bytes);
        assert_true(n < 1000);
    }
    generate_finish(&generate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(yaml_keeps_everything),
        cmocka_unit_test(json_keeps_everything),
        cmocka_unit_test(json_of_paragraphs_loads),
        cmocka_unit_test(memory_may_run_out),
    };
    message_start();
    return hash_start() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
