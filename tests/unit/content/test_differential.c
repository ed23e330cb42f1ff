/*
 * A second opinion: libfyaml reads the same files. Where our reader says that a file is not YAML, libfyaml
 * must say so too, and the other way round, but for the differences listed here with their reason.
 */
#include <quiztutor/pack.h>

#include <dirent.h>
#include <libfyaml.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Rules that are about YAML itself: a file with one of them is not YAML. */
static const char *const yaml_rules[] = {
    "colon-in-text",  "indentation",      "tab",        "escape",     "plain-start",
    "unclosed-quote", "text-after-quote", "stray-item", "stray-line", "space-after-colon",
    "bracket",        "figure-indent",    "yaml",       "encoding",   "space-after-dash",
    "block-indent"
};

/* Files on which the two differ, and why that is right. */
static const struct {
    const char *name, *why;
} differences[] = {
    { "utf-16", "libfyaml reads UTF-16, a pack is UTF-8" },
    { "utf-16-be", "as utf-16" },
    { "utf-32-be", "as utf-16" },
    { "bad-utf8-in-comment", "libfyaml passes over comments" },
    { "nesting-lists", "we stop at the limit, before the missing bracket" },
    { "nesting-maps", "as nesting-lists" },
    { "directive-no-document", "libfyaml does without the --- that YAML asks for" },
    { "directive-yaml-2", "refused by our own rule, before it is read" },
    { "directive-twice", "as directive-yaml-2" },
    { "after-flow", "what follows the document is refused before it is read" },
    { "starts-with-brace", "told once, as a text that must be quoted" },
    { "starts-with-bracket", "as starts-with-brace" },
    { "starts-with-sign", "YAML finds a comment, and no text before it" },
    { "remark-for-text", "as starts-with-sign" },
    { "remark-for-marks", "as starts-with-sign" },
    { "starts-with-greater-digit", "YAML finds an empty text" },
    { "starts-with-greater-minus", "as starts-with-greater-digit" },
    { "dash-without-space-texts", "YAML finds one text" },
    { "stray-before-questions", "told where the text stands that does not belong there" },
    { "stray-beside-questions", "as stray-before-questions" },
    { "block-not-indented", "libfyaml takes a key that goes on over two lines" },
    { "block-after-blank-line", "as block-not-indented" },
    { "tag-handle", "a tag is refused, known or not" },
};

static bool is_known(const char *name)
{
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
        if (strcmp(differences[i].name, name) == 0)
            return true;
    return false;
}

/* Characters that only a pack may not hold: YAML allows most of them, and takes some for the end of a line.
 */
static bool is_about_characters(const char *name)
{
    return strncmp(name, "character-", 10) == 0 || strcmp(name, "bare-cr") == 0;
}

static bool is_yaml_to_us(const char *path, char rule[static 40])
{
    struct diagnostics list;
    struct pack *pack;
    bool sound = true;
    rule[0] = '\0';
    diagnostics_init(&list);
    pack_load(&pack, path, &list, NULL);
    for (ptrdiff_t i = 0; i < list.count; i++)
        for (size_t k = 0; k < sizeof yaml_rules / sizeof *yaml_rules; k++)
            if (strcmp(list.items[i].rule, yaml_rules[k]) == 0) {
                snprintf(rule, 40, "%s", list.items[i].rule);
                sound = false;
            }
    pack_destroy(pack);
    diagnostics_finish(&list);
    return sound;
}

static bool is_yaml_to_fyaml(const char *path)
{
    struct fy_parse_cfg config = { .search_path = "",
                                   .flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_DEFAULT_VERSION_1_1 };
    struct fy_parser *parser = fy_parser_create(&config);
    assert_non_null(parser);
    assert_int_equal(fy_parser_set_input_file(parser, path), 0);
    for (struct fy_event *event; (event = fy_parser_parse(parser)) != NULL;)
        fy_parser_event_free(parser, event);
    bool sound = !fy_parser_get_stream_error(parser);
    fy_parser_destroy(parser);
    return sound;
}

static int compare_folder(const char *part)
{
    char folder[4096], path[8192], name[256], rule[40];
    int different = 0;
    snprintf(folder, sizeof folder, "%s/%s", getenv("QUIZTUTOR_CORPUS"), part);
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length < 6 || strcmp(entry->d_name + length - 5, ".yaml") != 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length - 5, entry->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        bool ours = is_yaml_to_us(path, rule), theirs = is_yaml_to_fyaml(path);
        if (!is_about_characters(name) && (ours != theirs) != is_known(name)) {
            fprintf(stderr, "%s: YAML to us: %d (%s), to libfyaml: %d\n", name, ours, rule, theirs);
            different++;
        }
    }
    closedir(directory);
    return different;
}

static void test_good(void **state)
{
    (void)state;
    assert_int_equal(compare_folder("good"), 0);
}

static void test_bad(void **state)
{
    (void)state;
    assert_int_equal(compare_folder("bad"), 0);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_good), cmocka_unit_test(test_bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
