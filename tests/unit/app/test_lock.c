/*
 * The lock's own side: signals, descriptors, environment, language, and what lock_start says of folders it
 * may not be given and of kernels that lack a half. Each in a child, since none of it can be undone.
 */
#include "locked.h"

#include <quiztutor/message.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static const char *catalogues;
static const struct locked_way unlocked = { .locked = false };

static int run(job_step *step)
{
    struct place place = { .root = "/nonexistent" };
    return locked_run(&place, &unlocked, NULL, step);
}

/* Signals. */

static int send_all(struct job *job)
{
    (void)job;
    sigset_t all, now;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    kill(getpid(), SIGINT); /* sent before, and pending */
    lock_signals();
    for (int number = 1; number <= SIGRTMAX; number++)
        if (number != SIGKILL && number != SIGSTOP)
            kill(getpid(), number);
    job_expect(sigprocmask(SIG_BLOCK, NULL, &now) == 0);
    for (int number = 1; number <= SIGRTMAX; number++)
        job_expect(sigismember(&now, number) != 1);
    job_expect(!lock_ending()); /* SIGTERM was among them, from nobody who may */
    return 42;
}

static int abort_inside(struct job *job)
{
    (void)job;
    lock_signals();
    abort();
}

static int fault_inside(struct job *job)
{
    (void)job;
    lock_signals();
    __builtin_trap();
}

static int forgo(struct job *job)
{
    (void)job;
    signal(SIGUSR1, SIG_IGN);
    lock_signals();
    lock_signals(); /* twice is once */
    lock_signals_forgo();
    raise(SIGUSR1); /* ignored before, and again */
    raise(SIGINT);
    return 0;
}

static void test_signals(void **state)
{
    (void)state;
    assert_int_equal(run(send_all), 42);
    assert_int_equal(run(abort_inside), ENDED_BY_SIGNAL + SIGABRT);
    int fault = run(fault_inside) - ENDED_BY_SIGNAL;
    assert_true(fault == SIGILL || fault == SIGTRAP);
    assert_int_equal(run(forgo), ENDED_BY_SIGNAL + SIGINT);
}

/* The child of one that made a namespace is process 1 there, and its child a unit that it stops. */
static int stop_unit(void)
{
    int ready[2];
    char byte;
    if (pipe(ready) != 0)
        return JOB_BROKEN;
    pid_t unit = fork();
    if (unit == 0) {
        lock_signals();
        if (write(ready[1], "x", 1) != 1)
            _exit(JOB_BROKEN);
        while (!lock_ending()) {
            struct timespec tick = { .tv_nsec = 1000000 };
            nanosleep(&tick, NULL);
        }
        _exit(42);
    }
    int status;
    if (unit < 0 || read(ready[0], &byte, 1) != 1 || kill(unit, SIGTERM) != 0 ||
        waitpid(unit, &status, 0) != unit)
        return JOB_BROKEN;
    return WIFEXITED(status) ? WEXITSTATUS(status) : JOB_BROKEN;
}

static int be_process_1(struct job *job)
{
    (void)job;
    if (unshare(CLONE_NEWPID) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0)
        return NOT_HERE;
    pid_t first = fork();
    if (first == 0)
        _exit(stop_unit());
    int status;
    return first > 0 && waitpid(first, &status, 0) == first && WIFEXITED(status) ? WEXITSTATUS(status)
                                                                                 : JOB_BROKEN;
}

static void test_stopped_by_process_1(void **state)
{
    (void)state;
    int result = run(be_process_1);
    if (result == NOT_HERE)
        skip();
    assert_int_equal(result, 42);
}

/* The process. */

static int settle(struct job *job)
{
    (void)job;
    struct error error = { 0 };
    struct rlimit core = { 1, 1 };
    struct stat file;
    int high = fcntl(STDIN_FILENO, F_DUPFD, 700), low = open("/dev/zero", O_RDONLY);
    if (high < 0)
        high = fcntl(STDERR_FILENO, F_DUPFD, 700);
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    if (!lock_process(&error))
        return 2;
    for (int fd = STDIN_FILENO; fd <= STDOUT_FILENO; fd++)
        if (fstat(fd, &file) != 0 || !S_ISCHR(file.st_mode) || file.st_rdev != makedev(1, 3))
            return 3;
    if ((fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE) != O_RDONLY ||
        (fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) != O_WRONLY)
        return 4;
    if (fcntl(low, F_GETFD) >= 0 || fcntl(high, F_GETFD) >= 0 || fcntl(STDERR_FILENO, F_GETFD) < 0)
        return 5;
    if (umask(0) != 077)
        return 6;
    if (getrlimit(RLIMIT_CORE, &core) != 0 || core.rlim_cur != 0 || core.rlim_max != 0)
        return 7;
    if (prctl(PR_GET_DUMPABLE) != 0 || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
        return 8;
    return 42;
}

static void test_process(void **state)
{
    (void)state;
    assert_int_equal(run(settle), 42);
}

static void hostile(const char *term)
{
    static const char *const names[] = { "LINES",         "COLUMNS",     "TERMINFO",        "TERMINFO_DIRS",
                                         "ESCDELAY",      "LOCPATH",     "LC_ALL",          "LANGUAGE",
                                         "NLSPATH",       "TZDIR",       "LD_PRELOAD",      "PATH",
                                         "HOME",          "TERMCAP",     "TERMPATH",        "NCURSES_TRACE",
                                         "BASH_ENV",      "MALLOC_CONF", "LD_LIBRARY_PATH", "QUIZTUTOR_STORE",
                                         "XDG_DATA_HOME", "GCONV_PATH" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        setenv(names[i], "../../../tmp/\033[31m%n", 1);
    setenv("TZ", "/tmp/fifo", 1);
    setenv("LANG", "de_DE.UTF-8", 1);
    if (term)
        setenv("TERM", term, 1);
    else
        unsetenv("TERM");
}

static void expect_environment(const char *term)
{
    int count = 0;
    struct error error;
    job_expect(lock_environment(&error));
    while (environ[count])
        count++;
    job_expect(count == 3);
    job_expect(getenv("TERM") && strcmp(getenv("TERM"), term) == 0);
    job_expect(getenv("LANG") && strcmp(getenv("LANG"), "C.UTF-8") == 0);
    job_expect(getenv("TZ") && strcmp(getenv("TZ"), ":/etc/localtime") == 0);
}

static int clear(struct job *job)
{
    static const char *const strange[] = {
        "",      "xterm/../../../tmp/x", "/tmp/x", "xterm-256color\n", "XTERM", "dumb", "hp2645", "\033[2J",
        "linuxx"
    };
    (void)job;
    for (int i = 0; lock_terminals[i]; i++) {
        hostile(lock_terminals[i]);
        expect_environment(lock_terminals[i]);
    }
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        hostile(strange[i]);
        expect_environment("vt100");
    }
    hostile(NULL);
    expect_environment("vt100");
    return 42;
}

static void test_environment(void **state)
{
    (void)state;
    assert_int_equal(run(clear), 42);
}

/* Language. */

static void expect_spoken(const char *language, bool known, const char *spoken)
{
    char found[MESSAGE_LANGUAGE];
    job_expect(lock_language(language) == known);
    message_language(found);
    job_expect(strcmp(found, spoken) == 0);
}

static int speak(struct job *job)
{
    (void)job;
    struct error error;
    job_expect(lock_environment(&error));
    if (catalogues)
        setenv("QUIZTUTOR_LOCALEDIR", catalogues, 1);
    message_start();
    if (!lock_language("de"))
        return NOT_HERE; /* no catalogue was built, or no locale has it */
    expect_spoken("de", true, "de");
    expect_spoken("en", true, "en");
    expect_spoken("de-AT", true, "de");
    expect_spoken("de_CH.UTF-8", true, "de");
    expect_spoken("tlh", false, "en");
    expect_spoken("de", true, "de");
    expect_spoken("../../tmp", false, "en");
    expect_spoken("de/../x", false, "en");
    expect_spoken("d", false, "en");
    expect_spoken("de_DE_DE_DE_DE_DE_DE_DE", false, "en");
    expect_spoken("de", true, "de");
    expect_spoken(NULL, true, "en");
    expect_spoken("", true, "en");
    return 42;
}

static void test_language(void **state)
{
    (void)state;
    int result = run(speak);
    if (result == NOT_HERE && !catalogues)
        skip();
    assert_int_equal(result, 42);
}

/* What lock_start refuses to begin with; nothing is locked then. */

static int refuse(const char *path, enum lock_access access, enum error_code code)
{
    struct lock_report report;
    struct error error = { 0 };
    struct lock_folder folder = { path, access };
    job_expect(!lock_start(&report, &folder, 1, &error));
    job_expect(error.code == code);
    job_expect(strstr(error.message, path) != NULL);
    int fd = open("/etc/passwd", O_RDONLY);
    job_expect(fd >= 0);
    return close(fd);
}

static int refuse_folders(struct job *job)
{
    char path[128];
    refuse("data", LOCK_FOLDER_WRITE, ERROR_INPUT);
    refuse("", LOCK_FOLDER_READ, ERROR_INPUT);
    refuse("/", LOCK_FOLDER_READ, ERROR_INPUT);
    refuse("/etc", LOCK_FOLDER_READ, ERROR_INPUT);
    refuse("/etc/../etc/", LOCK_FOLDER_READ, ERROR_INPUT);
    refuse("/etc/passwd", LOCK_FOLDER_READ, ERROR_INPUT);
    refuse("/tmp", LOCK_FOLDER_WRITE, ERROR_INPUT);
    refuse("/usr/share", LOCK_FOLDER_SET, ERROR_INPUT);
    refuse("/nonexistent/data", LOCK_FOLDER_WRITE, ERROR_NOT_FOUND);
    snprintf(path, sizeof path, "%s/data/everything", job->place->root);
    job_expect(symlink("/", path) == 0);
    refuse(path, LOCK_FOLDER_WRITE, ERROR_INPUT);
    return 42;
}

static int refuse_many(struct job *job)
{
    struct lock_report report;
    struct error error = { 0 };
    struct lock_folder folders[LOCK_FOLDERS_MOST + 1];
    for (int i = 0; i <= LOCK_FOLDERS_MOST; i++)
        folders[i] = (struct lock_folder){ job->place->data, LOCK_FOLDER_READ };
    job_expect(!lock_start(&report, folders, LOCK_FOLDERS_MOST + 1, &error));
    job_expect(error.code == ERROR_INPUT);
    return 42;
}

static void *wait_for_ever(void *context)
{
    (void)context;
    pause();
    return NULL;
}

static int refuse_thread(struct job *job)
{
    struct lock_report report;
    struct error error = { 0 };
    struct lock_folder folder = { job->place->data, LOCK_FOLDER_WRITE };
    pthread_t thread;
    job_expect(pthread_create(&thread, NULL, wait_for_ever, NULL) == 0);
    job_expect(!lock_start(&report, &folder, 1, &error));
    job_expect(error.code == ERROR_IO && strstr(error.message, "thread"));
    return 42;
}

static void test_refusals(void **state)
{
    (void)state;
    struct place place;
    place_make(&place);
    assert_int_equal(locked_run(&place, &unlocked, NULL, refuse_folders), 42);
    assert_int_equal(locked_run(&place, &unlocked, NULL, refuse_many), 42);
    if (access("/proc/self/task", F_OK) == 0)
        assert_int_equal(locked_run(&place, &unlocked, NULL, refuse_thread), 42);
    place_remove(&place);
}

/* A pack set directly below a folder that everybody uses: only the set itself is opened, and that is told. */
static int remark(struct job *job)
{
    struct lock_report report;
    struct error error = { 0 };
    struct lock_folder folders[] = { { job->place->data, LOCK_FOLDER_WRITE },
                                     { job->place->root, LOCK_FOLDER_SET } };
    job_expect(lock_start(&report, folders, 2, &error));
    job_expect(strstr(report.remark, job->place->root) != NULL);
    return 42;
}

static void test_remark(void **state)
{
    (void)state;
    struct place place;
    place_make(&place);
    assert_int_equal(locked_run(&place, &unlocked, NULL, remark), 42);
    place_remove(&place);
}

/* What the report says. */

static struct lock_report expected;
static const char *folders_word, *calls_word;

static int report_holds(struct job *job)
{
    const struct lock_report *report = &job->report;
    fprintf(stderr, "folders %d (version %d) %s; calls %d %s\n", report->folders, report->abi,
            report->folders_why, report->calls, report->calls_why);
    job_expect(report->folders == expected.folders && report->calls == expected.calls);
    job_expect(lock_holds(report) == (expected.folders && expected.calls));
    job_expect(report->folders == (report->abi > 0) && report->folders == !*report->folders_why);
    job_expect(report->calls == !*report->calls_why);
    job_expect(!folders_word || strstr(report->folders_why, folders_word));
    job_expect(!calls_word || strstr(report->calls_why, calls_word));
    job_expect(!*report->remark && report->microseconds > 0);
    return 42;
}

static void expect_report(const struct locked_way *way, bool folders, const char *folders_text, bool calls,
                          const char *calls_text)
{
    struct place place;
    place_make(&place);
    expected = (struct lock_report){ .folders = folders, .calls = calls };
    folders_word = folders_text;
    calls_word = calls_text;
    assert_int_equal(locked_run(&place, way, NULL, report_holds), 42);
    place_remove(&place);
}

static void test_report(void **state)
{
    (void)state;
    char why[LOCK_WHY];
    bool folders = lock_folders_abi(why) > 0, calls = lock_has_calls();
    expect_report(&(struct locked_way){ .locked = true }, folders, NULL, calls,
                  calls ? NULL : "libseccomp-dev");
#ifdef WITH_SECCOMP
    expect_report(&(struct locked_way){ .locked = true, .landlock_error = ENOSYS }, false,
                  "CONFIG_SECURITY_LANDLOCK=y", true, NULL);
    expect_report(&(struct locked_way){ .locked = true, .landlock_error = EOPNOTSUPP }, false, "lsm=landlock",
                  true, NULL);
    expect_report(&(struct locked_way){ .locked = true, .landlock_error = EPERM }, false, "container", true,
                  NULL);
    expect_report(&(struct locked_way){ .locked = true, .filter_error = EINVAL }, folders, NULL, false,
                  "CONFIG_SECCOMP_FILTER=y");
    expect_report(&(struct locked_way){ .locked = true, .landlock_error = ENOSYS, .filter_error = EINVAL },
                  false, "CONFIG_SECURITY_LANDLOCK=y", false, "CONFIG_SECCOMP_FILTER=y");
#endif
}

static int probe(struct job *job)
{
    (void)job;
    struct lock_report report;
    char why[LOCK_WHY];
    lock_probe(&report);
    job_expect(report.folders == (lock_folders_abi(why) > 0) && report.calls == lock_has_calls());
    job_expect(report.folders == !*report.folders_why && report.calls == !*report.calls_why);
    int fd = open("/etc/passwd", O_RDONLY);
    job_expect(fd >= 0); /* nothing was locked */
    return 42;
}

static void test_probe(void **state)
{
    (void)state;
    assert_int_equal(run(probe), 42);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signals),  cmocka_unit_test(test_stopped_by_process_1),
        cmocka_unit_test(test_process),  cmocka_unit_test(test_environment),
        cmocka_unit_test(test_language), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_remark),   cmocka_unit_test(test_report),
        cmocka_unit_test(test_probe),
    };
    catalogues = argc > 1 ? argv[1] : NULL;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
