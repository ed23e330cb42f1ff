/* Settings: where a value comes from, what a file may hold, and where files lie. */
#include <quiztutor/settings.h>

#include <locale.h>
#include <math.h>
#include <pwd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char root[] = "/tmp/test-settings-XXXXXX";
static char file[256];

static void environment(const char *home, const char *data, const char *config, const char *store,
                        const char *content)
{
    setenv("HOME", home, 1);
    setenv("XDG_DATA_HOME", data, 1);
    setenv("XDG_CONFIG_HOME", config, 1);
    setenv("QUIZTUTOR_STORE", store, 1);
    setenv("QUIZTUTOR_CONTENT", content, 1);
}

static void write_file(const char *text)
{
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void test_defaults(void **state)
{
    struct settings settings;
    (void)state;
    environment("/home/x", "", "", "", "");
    assert_true(settings_defaults(&settings, NULL));
    assert_string_equal(settings.text[SETTING_STORE], "/home/x/.local/share/quiztutor/store.db");
    assert_string_equal(settings.text[SETTING_CONTENT],
                        "/home/x/.local/share/quiztutor/content:" QUIZTUTOR_CONTENTDIR);
    assert_string_equal(settings.text[SETTING_THEME], "auto");
    assert_true(settings.number[SETTING_NEW_PER_DAY] == 20);
    assert_true(settings.number[SETTING_DAY_STARTS] == 240);
    assert_true(fabs(settings.number[SETTING_RETENTION] - 0.9) < 1e-12);
    assert_true(settings.number[SETTING_PLAIN] == 0);
    assert_null(settings.text[SETTING_SITE]);
    const struct passwd *user = getpwuid(getuid());
    if (user)
        assert_string_equal(settings.text[SETTING_LEARNER], user->pw_name);
    for (int i = 0; i < SETTINGS; i++)
        assert_string_equal(settings.origin[i], "default");
    settings_finish(&settings);
}

static void test_xdg(void **state)
{
    struct settings settings;
    struct arena arena;
    (void)state;
    arena_init(&arena);
    environment("/home/x", "/data", "", "", "");
    assert_true(settings_defaults(&settings, NULL));
    assert_string_equal(settings.text[SETTING_STORE], "/data/quiztutor/store.db");
    assert_string_equal(settings_user_content(&arena), "/data/quiztutor/content");
    settings_finish(&settings);
    environment("/home/x", "relative/data", "", "", ""); /* passed over, as the XDG rules want it */
    assert_string_equal(settings_user_content(&arena), "/home/x/.local/share/quiztutor/content");
    unsetenv("HOME"); /* then the password file says where the home is */
    const struct passwd *user = getpwuid(getuid());
    if (user && user->pw_dir[0] == '/') {
        char expected[512];
        snprintf(expected, sizeof expected, "%s/.local/share/quiztutor/content", user->pw_dir);
        assert_string_equal(settings_user_content(&arena), expected);
    }
    arena_finish(&arena);
}

static void test_environment(void **state)
{
    struct settings settings;
    struct error error;
    (void)state;
    environment("/home/x", "", "", "~/mine.db", "~/a:/b:~/c:d~/e");
    assert_true(settings_defaults(&settings, &error) && settings_environment(&settings, &error));
    assert_string_equal(settings.text[SETTING_STORE], "/home/x/mine.db");
    assert_string_equal(settings.origin[SETTING_STORE], "$QUIZTUTOR_STORE");
    assert_string_equal(settings.text[SETTING_CONTENT], "/home/x/a:/b:/home/x/c:d~/e");
    settings_finish(&settings);
}

/* Command line before environment before file before default. */
static void test_precedence(void **state)
{
    struct settings settings;
    struct diagnostics list;
    struct error error = { .code = ERROR_NONE };
    char folder[128], origin[300];
    (void)state;
    snprintf(folder, sizeof folder, "%s/quiztutor", root);
    mkdir(folder, 0700);
    snprintf(file, sizeof file, "%s/config.yaml", folder);
    write_file("# mine\nstore: /from/file.db\ncontent: ~/packs\ntheme: dark\nplain: true\nday_starts: "
               "5:30\nx-note: mine\n"
               "retention_by_pack: {tour: 0.8, other-pack: 0.95}\n");
    environment("/home/x", "", root, "", "/from/environment");
    diagnostics_init(&list);
    assert_true(settings_load(&settings, &list, &error));
    assert_string_equal(settings.text[SETTING_STORE], "/from/file.db");
    snprintf(origin, sizeof origin, "%s:2", file);
    assert_string_equal(settings.origin[SETTING_STORE], origin);
    assert_string_equal(settings.text[SETTING_CONTENT], "/from/environment");
    assert_true(settings.number[SETTING_THEME] == 1 && settings.number[SETTING_PLAIN] == 1);
    assert_true(settings.number[SETTING_DAY_STARTS] == 330);
    assert_string_equal(settings.text[SETTING_RETENTION_BY_PACK], "tour: 0.8, other-pack: 0.95");
    assert_true(fabs(settings_retention(&settings, "tour") - 0.8) < 1e-12);
    assert_true(fabs(settings_retention(&settings, "third") - 0.9) < 1e-12);
    assert_true(settings_set(&settings, SETTING_STORE, "/from/line.db", "command line", &error));
    assert_string_equal(settings.text[SETTING_STORE], "/from/line.db");
    assert_string_equal(settings.origin[SETTING_STORE], "command line");
    settings_finish(&settings);
    diagnostics_finish(&list);
}

static void test_set(void **state)
{
    static const struct {
        enum setting setting;
        const char *value;
        bool fine;
    } cases[] = {
        { SETTING_PLAIN, "true", true },
        { SETTING_PLAIN, "yes", false },
        { SETTING_NEW_PER_DAY, "0", true },
        { SETTING_NEW_PER_DAY, "2.5", false },
        { SETTING_NEW_PER_DAY, "-1", false },
        { SETTING_NEW_PER_DAY, "10000", false },
        { SETTING_RETENTION, "0.85", true },
        { SETTING_RETENTION, "85", false },
        { SETTING_DAY_STARTS, "00:00", true },
        { SETTING_DAY_STARTS, "24:00", false },
        { SETTING_DAY_STARTS, "4", false },
        { SETTING_DAY_STARTS, "4:5", false },
        { SETTING_THEME, "mono", true },
        { SETTING_THEME, "mon", false },
        { SETTING_THEME, "", false },
        { SETTING_STORE, "", false },
        { SETTING_STORE, "postgresql://host/quiz", true },
        { SETTING_STORE, "Postgres://role@host", true },
        { SETTING_STORE, "postgres://role:secret@host", false },
        { SETTING_STORE, "postgresql://host/quiz?PassWord=secret", false },
        { SETTING_STORE, "postgresql://host:5432/a@b", true },
        { SETTING_STORE, "postgresql", true },
        { SETTING_ROSTER, "closed", true },
        { SETTING_RETENTION_BY_PACK, "a: 0.9", false },
        { SETTING_RETAIN, "24 months", true },
        { SETTING_RETAIN, "1 month", true },
        { SETTING_RETAIN, "2years", true },
        { SETTING_RETAIN, "24", false },
        { SETTING_RETAIN, "0 months", false },
        { SETTING_RETAIN, "101 years", false },
        { SETTING_RETAIN, "24 days", false },
        { SETTING_RETAIN, "-24 months", false },
    };
    struct settings settings;
    (void)state;
    environment("/home/x", "", "", "", "");
    assert_true(settings_defaults(&settings, NULL));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error = { .code = ERROR_NONE };
        bool set = settings_set(&settings, cases[i].setting, cases[i].value, "command line", &error);
        if (set != cases[i].fine || (!set && error.code != ERROR_USAGE))
            fail_msg("%s: %s", setting_rows[cases[i].setting].name, cases[i].value);
    }
    settings_finish(&settings);
}

static void test_bad_files(void **state)
{
    static const struct {
        const char *text, *rule;
        int line, column;
    } cases[] = {
        { "store: a\nlerner: x\n", "unknown-key", 2, 1 },
        { "plain: yes\n", "setting", 1, 8 },
        { "new_per_day: 1\nnew_per_day: 2\n", "duplicate-key", 2, 1 },
        { "retention_by_pack: {a: 2}\n", "setting", 1, 24 },
        { "retention_by_pack: {a: 0.9, a: 0.9}\n", "duplicate-key", 1, 29 },
        { "retention_by_pack: {A b: 0.9}\n", "id", 1, 21 },
        { "retention_by_pack: {[a]: 0.9}\n", "wrong-kind", 1, 21 },
        { "theme: [dark]\n", "wrong-kind", 1, 8 },
        { "- a\n", "wrong-kind", 1, 1 },
        { "theme: dark\n---\n", "second-document", 2, 1 },
        { "theme: a: b\n", "colon-in-text", 1, 8 },
        { "store: postgresql://user:secret@host/quiz\n", "setting", 1, 8 },
        { "learner: \"a\\u202eb\"\n", "character", 1, 12 },
        { "site: \"\\e[0m\"\n", "character", 1, 8 },
        { "site:\n", "empty-text", 1, 1 },
    };
    (void)state;
    snprintf(file, sizeof file, "%s/bad.yaml", root);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct settings settings;
        struct diagnostics list;
        struct error error = { .code = ERROR_NONE };
        write_file(cases[i].text);
        diagnostics_init(&list);
        assert_true(settings_defaults(&settings, &error));
        bool done = settings_file(&settings, file, &list, &error);
        if (done || list.count < 1 || error.code != ERROR_NONE ||
            strcmp(list.items[0].rule, cases[i].rule) != 0 || list.items[0].line != cases[i].line ||
            list.items[0].column != cases[i].column)
            fail_msg("%s%d:%d %s", cases[i].text, list.count ? list.items[0].line : 0,
                     list.count ? list.items[0].column : 0, list.count ? list.items[0].message : "nothing");
        settings_finish(&settings);
        diagnostics_finish(&list);
    }
}

static void test_odd_files(void **state)
{
    struct settings settings;
    struct diagnostics list;
    struct error error = { .code = ERROR_NONE };
    (void)state;
    diagnostics_init(&list);
    assert_true(settings_defaults(&settings, &error));
    snprintf(file, sizeof file, "%s/odd.yaml", root);
    assert_true(settings_file(&settings, file, &list, &error)); /* not there: fine */
    write_file("");
    assert_true(settings_file(&settings, file, &list, &error));
    write_file("# theme: dark\n\n# all of it commented out\n");
    assert_true(settings_file(&settings, file, &list, &error));
    assert_int_equal(list.count, 0);
    assert_false(settings_file(&settings, root, &list, &error));
    assert_int_equal(error.code, ERROR_IO);
    settings_finish(&settings);
    diagnostics_finish(&list);
}

static void test_memory(void **state)
{
    (void)state;
    snprintf(file, sizeof file, "%s/memory.yaml", root);
    write_file("theme: dark\nx-a: 1\nretention_by_pack: {tour: 0.8, other-pack: 0.95}\nsite: |\n  a\n");
    environment("/home/x", "", "", "~/s", "~/a:~/b");
    for (long n = 1;; n++) {
        struct settings settings;
        struct diagnostics list;
        struct error error = { .code = ERROR_NONE };
        diagnostics_init(&list);
        memory_fail_after(n);
        bool done = settings_defaults(&settings, &error) && settings_file(&settings, file, &list, &error) &&
                    settings_environment(&settings, &error);
        memory_fail_after(0);
        settings_finish(&settings);
        diagnostics_finish(&list);
        if (done)
            break;
        assert_int_equal(error.code, ERROR_MEMORY);
        assert_true(n < 10000);
    }
}

static int make(void **state)
{
    (void)state;
    return mkdtemp(root) ? 0 : -1;
}

static int clean(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_defaults),    cmocka_unit_test(test_xdg),
                                        cmocka_unit_test(test_environment), cmocka_unit_test(test_precedence),
                                        cmocka_unit_test(test_set),         cmocka_unit_test(test_bad_files),
                                        cmocka_unit_test(test_odd_files),   cmocka_unit_test(test_memory) };
    return cmocka_run_group_tests(tests, make, clean);
}
