/*
 * What is made to exhaust a reader is refused quickly and cheaply, and what can't be read at all says why.
 * Each file is loaded in a child of its own, whose time and memory are looked at.
 */
#include <quiztutor/pack.h>

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__)
#define WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED 1
#endif
#endif
#ifndef WATCHED
#define WATCHED 0
#endif

enum { LARGE = 50 * 1000 * 1000 };

static const double seconds_bound = WATCHED ? 5.0 : 0.2;
static const long kib_bound = 64 * 1024;

static char folder[] = "/tmp/test-limits-XXXXXX";
static char path[64];

#define HEAD "format: quiztutor/1\nid: t\ntitle: T\n"

/* A file: a beginning, a part that is repeated up to a size, an end. */
struct monster {
    const char *name, *begin, *again, *end;
    int bytes;
    const char *rule;
    int line, column;
};

static const struct monster monsters[] = {
    { "scalar", HEAD "description: ", "wwwwwwwwwwwwwwww", "\n", LARGE, "silence", 4, 14 },
    { "scalar of words", HEAD "description: ", "word and word ", "\n", LARGE, "silence", 4, 14 },
    { "scalar of lines", HEAD "description:\n", "  word and word\n", "", LARGE, "silence", 5, 3 },
    { "scalar alone", "", "wwwwwwwwwwwwwwww", "", LARGE, "silence", 1, 1 },
    { "double quotes", HEAD "description: \"", "word and word\n", "\"\n", LARGE, "silence", 4, 14 },
    { "single quotes", HEAD "description: '", "word ''and'' word ", "'\n", LARGE, "silence", 4, 14 },
    { "literal", HEAD "description: |\n", "  word and word\n", "", LARGE, "silence", 4, 14 },
    { "folded", HEAD "description: >\n", "  word and word\n\n", "", LARGE, "silence", 4, 14 },
    { "comment", HEAD "# ", "a remark without an end ", "\n", LARGE, "silence", 4, 1 },
    { "comments", HEAD, "# a remark\n", "", LARGE, "silence", 4, 1 },
    { "first comments", "", "# a remark\n", "", LARGE, "silence", 1, 1 },
    { "blank lines", HEAD, "\n", "", LARGE, "silence", 4, 1 },
    { "blank lines behind a value", HEAD "strapline: \"s\"\n", "\n", "", LARGE, "silence", 5, 1 },
    { "blank lines behind a key", HEAD "description:\n", "\n", "", LARGE, "silence", 5, 1 },
    { "last blank lines", HEAD "...\n", "\n", "", LARGE, "silence", 5, 1 },
    { "blanks", HEAD "description:", "        ", "x\n", LARGE, "silence", 4, 13 },
    { "last comments", HEAD "...\n", "# a remark\n", "", LARGE, "silence", 5, 1 },
    { "key", HEAD, "kkkkkkkkkkkkkkkk", ": x\n", LARGE, "silence", 4, 1 },
    { "anchor", HEAD "description: &", "aaaaaaaaaaaaaaaa", " x\n", LARGE, "silence", 4, 14 },
    { "tag", HEAD "description: !", "aaaaaaaaaaaaaaaa", " x\n", LARGE, "silence", 4, 14 },
    { "lists", "", "[", "", 20000, "nesting", 1, 17 },
    { "lists in lines", "", "[\n", "", 200000, "nesting", 17, 1 },
    { "mappings", "", "{a: ", "", 80000, "nesting", 1, 65 },
    { "items", "", "- ", "", 40000, "nesting", 1, 33 },
    { "question marks", "", "? ", "", 40000, "nesting", 1, 33 },
    { "directives", "", "%TAG !a! tag:example.org,2026:x\n", "---\na: b\n", 30000 * 32, "directive", 1, 1 },
    { "unknown directives", "", "%FOO bar\n", "---\na: b\n", 300000, "directive", 1, 1 },
    { "late directives", HEAD "...\n", "%TAG !a! tag:example.org,2026:x\n", "---\na: b\n", 30000 * 32,
      "second-document", 5, 1 },
    { "bad bytes", HEAD "# ", "\xff", "\n", LARGE, "encoding", 4, 3 },
    { "escapes of terminals", HEAD "# ", "\x1b[2J", "\n", LARGE, "character", 4, 3 },
    { "zeros", "", "\0", "", 0, "empty-file", 1, 1 },
    { "too large", HEAD "# ", "wwwwwwwwwwwwwwww\n", "\n", PACK_FILE + 1, "file-too-large", 1, 1 },
};

static void write_monster(const struct monster *monster)
{
    static char block[1 << 20];
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(monster->begin, file);
    size_t size = strlen(monster->again), fits = size ? sizeof block / size * size : 0;
    for (size_t at = 0; at < fits; at += size)
        memcpy(block + at, monster->again, size);
    for (long left = size ? monster->bytes : 0; left > 0;) {
        size_t count = (size_t)left < fits ? (size_t)left : fits;
        assert_int_equal(fwrite(block, 1, count, file), count);
        left -= (long)count;
    }
    fputs(monster->end, file);
    assert_int_equal(fclose(file), 0);
}

/* 0: refused as it should be. */
static int judge(const struct monster *monster)
{
    struct diagnostics list;
    struct error error = { .code = ERROR_NONE };
    struct pack *pack;
    diagnostics_init(&list);
    if (pack_load(&pack, path, &list, &error) || error.code != ERROR_NONE)
        return 1;
    for (ptrdiff_t i = 0; i < list.count; i++) {
        const struct diagnostic *got = &list.items[i];
        if (strcmp(got->rule, monster->rule) == 0)
            return got->line == monster->line && got->column == monster->column
                       ? 0
                       : (fprintf(stderr, "%d:%d %s\n", got->line, got->column, got->message), 2);
    }
    return 3;
}

static void test_monsters(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof monsters / sizeof *monsters; i++) {
        const struct monster *monster = &monsters[i];
        write_monster(monster);
        fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            _exit(judge(monster));
        int status;
        struct rusage usage;
        assert_int_equal(wait4(child, &status, 0, &usage), child);
        double seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            fail_msg("%s: not refused as it should be (%d)", monster->name, status);
        if (seconds > seconds_bound)
            fail_msg("%s: took %.3f s", monster->name, seconds);
        if (!WATCHED && usage.ru_maxrss > kib_bound)
            fail_msg("%s: took %ld KiB", monster->name, usage.ru_maxrss);
    }
}

/* Just below the limits a pack loads. */
static void test_just_below(void **state)
{
    static const struct monster fine = {
        "comment",
        HEAD "# ",
        "remark ",
        "\nquestions: [{id: a, prompt: p, true_false: true, explanation: e}]\n",
        PACK_SILENCE - 1000,
        NULL,
        0,
        0
    };
    struct diagnostics list;
    struct pack *pack;
    (void)state;
    write_monster(&fine);
    diagnostics_init(&list);
    assert_true(pack_load(&pack, path, &list, NULL));
    assert_int_equal(list.count, 0);
    pack_destroy(pack);
    diagnostics_finish(&list);
}

enum {
    STREAMED = 30000,
    FAULTY = 21000
}; /* questions of a file that is streamed, and the one with a fault */

/* Writes a pack of some 3 MB in which one question says `odd`; returns the line of that text. */
static int write_streamed(const char *head, const char *odd, const char *line_end)
{
    FILE *file = fopen(path, "w");
    int line = 5, found = 0;
    assert_non_null(file);
    fprintf(file, "format: quiztutor/1%sid: t%s%s%squestions:%s", line_end, line_end, head, line_end,
            line_end);
    for (int i = 0; i < STREAMED; i++, line += 5) {
        fprintf(file, "  - id: q%d%s    prompt: Вопрос номер %d, a question of some length%s", i, line_end, i,
                line_end);
        fprintf(file, "    true_false: %s%s    explanation: Because of %d.%s", i % 2 ? "true" : "false",
                line_end, i, line_end);
        fprintf(file, "    %s%s", i == FAULTY ? odd : "marks: 2", line_end);
        if (i == FAULTY)
            found = line + 4;
    }
    assert_int_equal(fclose(file), 0);
    return found;
}

/* A large file is not kept while it is read; places and source lines are right all the same. */
static void test_streamed(void **state)
{
    static const struct {
        const char *head, *odd, *rule, *source;
        int column;
    } cases[] = {
        { "title: T", "markz: 2", "unknown-key", "    markz: 2", 5 },
        { "title: T", "hint: what: is", "colon-in-text", "    hint: what: is", 11 },
        { "title: T", "hint: C # is", "comment-cuts-text", "    hint: C # is", 13 },
        { "title: T # one", "hint: C # is", "comment-cuts-text", "title: T # one", 10 },
        { "title: T", "hint: д\xff", "encoding", "    hint: д\xff", 12 },
        { "title: T", "hint: \"д\\e\"", "character", "    hint: \"д\\e\"", 13 },
        { "x-a: T", "marks: 3", "missing-key", "format: quiztutor/1", 1 },
        { "title: T", "hint: \"never", "text-after-quote", NULL, 0 },
    };
    static const char *const ends[] = { "\n", "\r\n" };
    (void)state;
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        size_t k = i / 2;
        struct diagnostics list;
        struct error error = { .code = ERROR_NONE };
        struct pack *pack;
        int line = write_streamed(cases[k].head, cases[k].odd, ends[i % 2]);
        diagnostics_init(&list);
        pack_load(&pack, path, &list, &error);
        assert_int_equal(error.code, ERROR_NONE);
        assert_true(list.count > 0);
        const struct diagnostic *got = &list.items[0];
        if (strcmp(cases[k].head, "title: T") != 0)
            line = strstr(cases[k].source, "title") ? 3 : 1;
        if (cases[k].source &&
            (strcmp(got->rule, cases[k].rule) != 0 || strcmp(got->source, cases[k].source) != 0 ||
             got->line != line || got->column != cases[k].column))
            fail_msg("%s: told %s at %d:%d, %s", cases[k].odd, got->rule, got->line, got->column,
                     got->source);
        pack_destroy(pack);
        diagnostics_finish(&list);
    }
}

/* Streamed or not, it is the same pack. */
static void test_streamed_is_same(void **state)
{
    struct diagnostics list;
    struct pack *streamed, *whole;
    struct hash one, other;
    (void)state;
    assert_true(hash_start());
    write_streamed("title: T", "marks: 3", "\n");
    FILE *file = fopen(path, "r");
    static char bytes[8 << 20];
    assert_non_null(file);
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    diagnostics_init(&list);
    assert_true(pack_load(&streamed, path, &list, NULL));
    assert_true(pack_load_bytes(&whole, path, bytes, (ptrdiff_t)length, &list, NULL));
    assert_int_equal(list.count, 0);
    assert_int_equal(streamed->question_count, STREAMED);
    assert_int_equal(whole->question_count, STREAMED);
    for (int i = 0; i < STREAMED; i++) {
        assert_int_equal(streamed->questions[i].line, whole->questions[i].line);
        assert_int_equal(pack_find(streamed, whole->questions[i].id), i);
        if (i % 100 == 0) {
            assert_true(question_content(&streamed->questions[i], &one) &&
                        question_content(&whole->questions[i], &other));
            assert_memory_equal(&one, &other, sizeof one);
        }
    }
    pack_destroy(streamed);
    pack_destroy(whole);
    diagnostics_finish(&list);
}

static void expect_error(const char *name, enum error_code code, const char *fragment)
{
    struct diagnostics list;
    struct error error = { .code = ERROR_NONE };
    struct pack *pack;
    diagnostics_init(&list);
    assert_false(pack_load(&pack, name, &list, &error));
    assert_null(pack);
    assert_int_equal(error.code, code);
    assert_non_null(strstr(error.message, fragment));
    assert_non_null(strstr(error.message, name));
    assert_int_equal(list.count, 0);
    diagnostics_finish(&list);
}

static void test_not_files(void **state)
{
    char name[128];
    (void)state;
    expect_error(folder, ERROR_IO, "folder");
    expect_error("/dev/null", ERROR_IO, "not a regular file");
    snprintf(name, sizeof name, "%s/missing.yaml", folder);
    expect_error(name, ERROR_NOT_FOUND, "no such file");
    snprintf(name, sizeof name, "%s/pack.yaml/under.yaml", folder);
    expect_error(name, ERROR_NOT_FOUND, "no such file");
    snprintf(name, sizeof name, "%s/fifo", folder);
    assert_int_equal(mkfifo(name, 0600), 0);
    expect_error(name, ERROR_IO, "named pipe"); /* and does not wait for a writer */
    unlink(name);
}

/* Root reads everything: an ordinary user does the asking, who may be the one that runs this. */
static void test_unreadable(void **state)
{
    (void)state;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(chmod(path, 0), 0);
    assert_int_equal(chmod(folder, 0755), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct diagnostics list;
        struct error error = { .code = ERROR_NONE };
        struct pack *pack;
        diagnostics_init(&list);
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(2);
        _exit(!pack_load(&pack, path, &list, &error) && error.code == ERROR_IO &&
                      strstr(error.message, "denied")
                  ? 0
                  : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(chmod(path, 0600), 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void test_file_name(void **state)
{
    char name[128];
    struct diagnostics list;
    struct pack *pack;
    struct buffer out;
    (void)state;
    snprintf(name, sizeof name, "%s/\x1b]0;x\x07.yaml", folder);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs("format: quiz\n", file);
    fclose(file);
    diagnostics_init(&list);
    buffer_init(&out);
    assert_false(pack_load(&pack, name, &list, NULL));
    diagnostics_print(&list, &out);
    assert_null(strchr(buffer_get(&out), '\x1b'));
    assert_non_null(strstr(buffer_get(&out), "\\x1b]0;x\\x07.yaml:1:9: error: "));
    buffer_finish(&out);
    diagnostics_finish(&list);
    unlink(name);
}

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/pack.yaml", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_monsters),  cmocka_unit_test(test_just_below),
        cmocka_unit_test(test_streamed),  cmocka_unit_test(test_streamed_is_same),
        cmocka_unit_test(test_not_files), cmocka_unit_test(test_unreadable),
        cmocka_unit_test(test_file_name)
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
