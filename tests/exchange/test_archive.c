/* Zip archives: what is written is read, the same bytes each time; each kind of hostile one is refused by
 * name. */
#include "archive.h"

#include <quiztutor/memory.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void pack(struct buffer *out, const char *const *names, const char *content, ptrdiff_t length)
{
    struct error error;
    struct archive_writer *writer = archive_write_begin();
    buffer_init(out);
    for (; *names; names++)
        archive_write_add(writer, *names, content, length);
    assert_true(archive_write_end(writer, out, &error));
}

static void returns_what_was_written(void **state)
{
    static const char *const names[] = { "imsmanifest.xml", "items/Ünïcode 1.xml", "items/empty.xml", NULL };
    static const char content[] = "a\0b\n\xff content content content";
    struct buffer packed, again;
    struct error error;
    (void)state;
    pack(&packed, names, content, (ptrdiff_t)sizeof content);
    setenv("TZ", "Asia/Tokyo", 1);
    pack(&again, names, content, (ptrdiff_t)sizeof content);
    setenv("TZ", "UTC", 1);
    assert_int_equal(packed.length, again.length);
    assert_memory_equal(packed.data, again.data, (size_t)packed.length);
    struct archive *archive = archive_open(packed.data, packed.length, &error);
    assert_non_null(archive);
    assert_int_equal(archive_count(archive), 3);
    for (int i = 0; names[i]; i++) {
        struct buffer out;
        buffer_init(&out);
        buffer_text(&out, "before");
        assert_string_equal(archive_name(archive, i), names[i]);
        assert_int_equal(archive_find(archive, names[i], false), i);
        assert_true(archive_read(archive, i, 0, &out, &error));
        assert_int_equal(out.length, 6 + (ptrdiff_t)sizeof content);
        assert_memory_equal(out.data + 6, content, sizeof content);
        buffer_finish(&out);
    }
    assert_int_equal(archive_find(archive, "IMSManifest.XML", false), -1);
    assert_int_equal(archive_find(archive, "IMSManifest.XML", true), 0);
    assert_int_equal(archive_find(archive, "gone.xml", true), -1);
    archive_close(archive);
    buffer_finish(&packed);
    buffer_finish(&again);
}

static void refuses_names_outside(void **state)
{
    static const struct {
        const char *name, *why;
    } rows[] = {
        { "/etc/passwd", "absolute" },     { "../up.xml", "outside" }, { "a/../../up.xml", "outside" },
        { "a/b/..", "outside" },           { "..", "outside" },        { "..\\up.xml", "backslash" },
        { "C:/windows.xml", "drive" },     { "c:drive.xml", "drive" }, { "./../up.xml", "outside" },
        { "\xc3\xa4/../../x", "outside" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buffer packed;
        struct error error = { .code = ERROR_NONE };
        pack(&packed, (const char *const[]){ "good.xml", rows[i].name, NULL }, "x", 1);
        assert_null(archive_open(packed.data, packed.length, &error));
        assert_int_equal(error.code, ERROR_INPUT);
        assert_non_null(strstr(error.message, rows[i].why));
        buffer_finish(&packed);
    }
}

static void takes_odd_but_harmless_names(void **state)
{
    static const char *const names[] = { "./a.xml", "..a", "b..", "c/...", "d:e", "folder/", NULL };
    static const char *const kept[] = { "a.xml", "..a", "b..", "c/...", NULL };
    struct buffer packed;
    struct error error;
    (void)state;
    pack(&packed, (const char *const[]){ names[0], names[1], names[2], names[3], NULL }, "x", 1);
    struct archive *archive = archive_open(packed.data, packed.length, &error);
    assert_non_null(archive);
    for (int i = 0; kept[i]; i++)
        assert_int_equal(archive_find(archive, kept[i], false), i);
    archive_close(archive);
    buffer_finish(&packed);
}

static void shows_no_control_characters(void **state)
{
    struct buffer packed;
    struct error error;
    (void)state;
    pack(&packed, (const char *const[]){ "../?[31mred", NULL }, "x", 1);
    for (ptrdiff_t i = 0; i + 4 < packed.length; i++)
        if (memcmp(packed.data + i, "../?", 4) == 0)
            packed.data[i + 3] = '\x1b'; /* libzip would not write it */
    assert_null(archive_open(packed.data, packed.length, &error));
    assert_null(strchr(error.message, '\x1b'));
    assert_non_null(strstr(error.message, "[31mred"));
    buffer_finish(&packed);
}

/* A bomb is refused when the archive is looked at, and, where it lies about its size, when it is read. */
static void refuses_bombs(void **state)
{
    enum { SIZE = 64 * 1024 * 1024, CENTRAL_SIZE = 24, LOCAL_SIZE = 22 };
    struct buffer packed, out;
    struct error error;
    char *zeros = calloc(1, SIZE);
    (void)state;
    assert_non_null(zeros);
    pack(&packed, (const char *const[]){ "bomb.xml", NULL }, zeros, SIZE);
    free(zeros);
    assert_true(packed.length < 100 * 1024);
    assert_null(archive_open(packed.data, packed.length, &error));
    assert_non_null(strstr(error.message, "\"bomb.xml\" expands to more than 200 times"));
    static const unsigned char head[] = { 'P', 'K', 1, 2 };
    char *central = memmem(packed.data, (size_t)packed.length, head, sizeof head);
    assert_non_null(central);
    memcpy(central + CENTRAL_SIZE, "\x0a\0\0\0", 4);
    memcpy(packed.data + LOCAL_SIZE, "\x0a\0\0\0", 4);
    struct archive *archive = archive_open(packed.data, packed.length, &error);
    buffer_init(&out);
    if (archive) {
        assert_false(archive_read(archive, 0, 0, &out, &error));
        assert_int_equal(out.length, 0);
        assert_true(out.capacity <= 16 * 1024 * 1024);
    }
    assert_true(error.code == ERROR_INPUT || error.code == ERROR_DAMAGED);
    archive_close(archive);
    buffer_finish(&out);
    buffer_finish(&packed);
}

static void reads_no_more_than_asked(void **state)
{
    struct buffer packed, out;
    struct error error;
    char content[3000];
    (void)state;
    for (size_t i = 0; i < sizeof content; i++)
        content[i] = (char)(i * i >> 3);
    pack(&packed, (const char *const[]){ "a", NULL }, content, sizeof content);
    struct archive *archive = archive_open(packed.data, packed.length, &error);
    assert_non_null(archive);
    buffer_init(&out);
    assert_false(archive_read(archive, 0, 2999, &out, &error));
    assert_int_equal(out.length, 0);
    assert_true(archive_read(archive, 0, 3000, &out, &error));
    assert_int_equal(out.length, 3000);
    buffer_finish(&out);
    archive_close(archive);
    buffer_finish(&packed);
}

/* Every byte changed, and every length cut: never a crash, never the wrong content without an error. */
static void tells_damage(void **state)
{
    static const char content[] = "some content that deflates, some content that deflates";
    struct buffer packed;
    (void)state;
    pack(&packed, (const char *const[]){ "a", "b", NULL }, content, (ptrdiff_t)sizeof content);
    for (ptrdiff_t i = 0; i < packed.length * 2; i++) {
        struct error error = { .code = ERROR_NONE };
        ptrdiff_t at = i % packed.length, length = i < packed.length ? packed.length : at;
        char was = packed.data[at];
        packed.data[at] = i < packed.length ? (char)~was : was;
        struct archive *archive = archive_open(packed.data, length, &error);
        for (int entry = 0; archive && entry < archive_count(archive); entry++) {
            struct buffer out;
            buffer_init(&out);
            if (archive_read(archive, entry, 0, &out, &error))
                assert_true(out.length == (ptrdiff_t)sizeof content &&
                            memcmp(out.data, content, sizeof content) == 0);
            else
                assert_true(error.code != ERROR_NONE && *error.message);
            buffer_finish(&out);
        }
        if (!archive)
            assert_true(error.code != ERROR_NONE && *error.message);
        archive_close(archive);
        packed.data[at] = was;
    }
    buffer_finish(&packed);
}

static void survives_failing_allocations(void **state)
{
    struct buffer packed;
    bool done = false;
    (void)state;
    for (long n = 1; !done && n < 100; n++) {
        struct error error = { .code = ERROR_NONE };
        buffer_init(&packed);
        memory_fail_after(n);
        struct archive_writer *writer = archive_write_begin();
        archive_write_add(writer, "a.xml", "content", 7);
        archive_write_add(writer, "b.xml", "content", 7);
        done = archive_write_end(writer, &packed, &error);
        memory_fail_after(0);
        assert_true(done || error.code == ERROR_MEMORY);
        if (!done)
            buffer_finish(&packed);
    }
    assert_true(done);
    done = false;
    for (long n = 1; !done && n < 100; n++) {
        struct error error = { .code = ERROR_NONE };
        struct buffer out;
        buffer_init(&out);
        memory_fail_after(n);
        struct archive *archive = archive_open(packed.data, packed.length, &error);
        done = archive && archive_read(archive, 1, 0, &out, &error);
        archive_close(archive);
        memory_fail_after(0);
        assert_true(done || error.code == ERROR_MEMORY);
        buffer_finish(&out);
    }
    assert_true(done);
    buffer_finish(&packed);
}

static void tells_of_names_twice(void **state)
{
    struct buffer packed;
    struct error error;
    struct archive_writer *writer = archive_write_begin();
    (void)state;
    buffer_init(&packed);
    archive_write_add(writer, "a.xml", "x", 1);
    archive_write_add(writer, "a.xml", "y", 1);
    assert_false(archive_write_end(writer, &packed, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_int_equal(packed.length, 0);
    buffer_finish(&packed);
}

static void refuses_what_is_no_archive(void **state)
{
    static const char *const texts[] = { "", "PK", "PK\x03\x04", "PK\x05\x06",
                                         "Which planet? {=Mars ~Venus}" };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct error error = { .code = ERROR_NONE };
        assert_null(archive_open(texts[i], (ptrdiff_t)strlen(texts[i]), &error));
        assert_int_equal(error.code, ERROR_DAMAGED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(returns_what_was_written),
        cmocka_unit_test(refuses_names_outside),
        cmocka_unit_test(takes_odd_but_harmless_names),
        cmocka_unit_test(shows_no_control_characters),
        cmocka_unit_test(refuses_bombs),
        cmocka_unit_test(reads_no_more_than_asked),
        cmocka_unit_test(tells_damage),
        cmocka_unit_test(survives_failing_allocations),
        cmocka_unit_test(tells_of_names_twice),
        cmocka_unit_test(refuses_what_is_no_archive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
