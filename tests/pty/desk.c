#include "desk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *program;

static const char pack[] = "format: quiztutor/1\n"
                           "id: pty-pack\n"
                           "title: A pack for the terminal\n"
                           "shuffle: none\n"
                           "questions:\n"
                           "  - id: first\n"
                           "    prompt: Which letter is the first?\n"
                           "    choices: [correct: Alpha, wrong: Beta, wrong: Gamma]\n"
                           "    hint: It is not the second.\n"
                           "    explanation: Alpha stands at the beginning.\n"
                           "  - id: second\n"
                           "    prompt: Which letter is the second?\n"
                           "    choices: [wrong: Alpha, correct: Beta, wrong: Gamma]\n"
                           "    explanation: Beta follows.\n"
                           "  - id: third\n"
                           "    prompt: Which of these are 漢字?\n"
                           "    choices: [correct: 漢, correct: 字, wrong: A]\n"
                           "    explanation: 漢 and 字 are.\n";

void desk_program(const char *path)
{
    program = path;
}

static void desk_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

void desk_set(struct desk *desk)
{
    memset(desk, 0, sizeof *desk);
    const char *temporary = getenv("TMPDIR");
    snprintf(desk->folder, sizeof desk->folder, "%.200s/d-XXXXXX",
             temporary && *temporary ? temporary : "/tmp");
    assert_non_null(mkdtemp(desk->folder));
    snprintf(desk->content, sizeof desk->content, "%s/content", desk->folder);
    assert_int_equal(mkdir(desk->content, 0700), 0);
    snprintf(desk->pack, sizeof desk->pack, "%s/a.yaml", desk->content);
    snprintf(desk->store, sizeof desk->store, "%s/store.db", desk->folder);
    snprintf(desk->config, sizeof desk->config, "%s/quiztutor", desk->folder);
    desk_write(desk->pack, pack);
}

void desk_settings(struct desk *desk, const char *yaml)
{
    char path[DESK_PATH + 64];
    mkdir(desk->config, 0700);
    snprintf(path, sizeof path, "%s/config.yaml", desk->config);
    desk_write(path, yaml);
}

static void desk_start(struct desk *desk, struct pty_options options, const char *const *arguments)
{
    static char home[DESK_PATH + 32], configs[DESK_PATH + 32], data[DESK_PATH + 32];
    const char *given[PTY_ARGUMENTS];
    memcpy(given, options.environment, sizeof given);
    snprintf(home, sizeof home, "HOME=%s", desk->folder);
    snprintf(configs, sizeof configs, "XDG_CONFIG_HOME=%s", desk->folder);
    snprintf(data, sizeof data, "XDG_DATA_HOME=%s", desk->folder);
    int count = 0;
    options.environment[count++] = home;
    options.environment[count++] = configs;
    options.environment[count++] = data;
    for (int i = 0; given[i] && count < PTY_ARGUMENTS - 1; i++)
        options.environment[count++] = given[i];
    options.environment[count] = NULL;
    for (count = 0; arguments[count]; count++)
        options.arguments[count] = arguments[count];
    options.arguments[count] = NULL;
    options.program = program;
    desk->pty = pty_start(&options);
}

void desk_launch(struct desk *desk, struct pty_options options)
{
    desk_start(desk, options,
               (const char *const[]){ "practise", "--store", desk->store, "--learner", "Ana", "--content",
                                      desk->content, desk->pack, NULL });
}

void desk_practise(struct desk *desk, struct pty_options options)
{
    desk_launch(desk, options);
    pty_require(desk->pty, pty_wait_text(desk->pty, "Which letter is the first?"), "no first question");
}

void desk_home(struct desk *desk, struct pty_options options)
{
    desk_start(desk, options,
               (const char *const[]){ "--store", desk->store, "--learner", "Ana", "--content", desk->content,
                                      NULL });
    pty_require(desk->pty, pty_wait_text(desk->pty, "3 questions"), "no library");
}

void desk_choose(struct desk *desk, struct pty_options options, const char *option, const char *other)
{
    desk_start(desk, options,
               (const char *const[]){ "practise", "--store", desk->store, "--learner", "Ana", "--content",
                                      desk->content, option, other, NULL });
    pty_require(desk->pty, pty_wait_text(desk->pty, "3 questions"), "no library");
}

void desk_preview(struct desk *desk, struct pty_options options, const char *path)
{
    desk_start(
        desk, options,
        (const char *const[]){ "preview", "--store", desk->store, "--content", desk->content, path, NULL });
}

void desk_report(struct desk *desk, struct pty_options options, const char *kind)
{
    desk_start(
        desk, options,
        (const char *const[]){ "report", kind, "--store", desk->store, "--content", desk->content, NULL });
}

void desk_answer(struct desk *desk, const char *learner, const char *lines)
{
    int input[2], status;
    assert_int_equal(pipe(input), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int nothing = open("/dev/null", O_WRONLY);
        dup2(input[0], STDIN_FILENO);
        dup2(nothing, STDOUT_FILENO);
        dup2(nothing, STDERR_FILENO);
        close(input[0]);
        close(input[1]);
        execl(program, program, "practise", "--plain", "--mode", "all", "--store", desk->store, "--learner",
              learner, "--content", desk->content, desk->pack, (char *)NULL);
        _exit(127);
    }
    close(input[0]);
    ptrdiff_t length = (ptrdiff_t)strlen(lines);
    assert_int_equal(write(input[1], lines, (size_t)length), length);
    close(input[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

void desk_stop(struct desk *desk)
{
    pty_finish(desk->pty);
    desk->pty = NULL;
}

static int desk_remove(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    return remove(path);
}

void desk_clear(struct desk *desk)
{
    desk_stop(desk);
    nftw(desk->folder, desk_remove, 8, FTW_DEPTH | FTW_PHYS);
}

static int desk_number(sqlite3 *database, const char *query)
{
    sqlite3_stmt *statement = NULL;
    int number = -1;
    if (sqlite3_prepare_v2(database, query, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        number = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return number;
}

int desk_attempts(struct desk *desk)
{
    if (access(desk->store, F_OK) != 0)
        return 0;
    sqlite3 *database = NULL;
    assert_int_equal(sqlite3_open_v2(desk->store, &database, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    sqlite3_busy_timeout(database, PTY_DEADLINE_MS);
    sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    int tables = desk_number(database, "SELECT count(*) FROM sqlite_schema WHERE name = 'attempt'");
    int count = tables == 0 ? 0 : desk_number(database, "SELECT count(*) FROM attempt");
    int faults =
        desk_number(database, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'");
    sqlite3_close(database);
    assert_true(count >= 0);
    assert_int_equal(faults, 0);
    return count;
}

void desk_type(struct desk *desk, const char *keys, const char *text)
{
    pty_settle(desk->pty);
    pty_type(desk->pty, keys);
    if (pty_wait_text(desk->pty, text))
        return;
    pty_print(desk->pty);
    fail_msg("there is no \"%s\" on the screen", text);
}
