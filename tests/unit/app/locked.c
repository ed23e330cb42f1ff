#include "locked.h"

#include <errno.h>
#include <grp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef WITH_SECCOMP
#include <seccomp.h>
#endif

#include <cmocka.h>

enum { NOBODY = 65534 };

static void make_folder(const char *path)
{
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(chmod(path, 0777), 0);
}

bool place_put(const struct place *place, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", place->root, name);
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    bool put = fputs(text, file) >= 0;
    return fclose(file) == 0 && put && (chmod(path, 0666) == 0 || errno == EPERM);
}

void place_write(const struct place *place, const char *name, const char *text)
{
    assert_true(place_put(place, name, text));
}

void place_make(struct place *place)
{
    char sets[96];
    snprintf(place->root, sizeof place->root, "/tmp/lock-XXXXXX");
    assert_non_null(mkdtemp(place->root));
    assert_int_equal(chmod(place->root, 0777), 0);
    snprintf(sets, sizeof sets, "%s/sets", place->root);
    snprintf(place->data, sizeof place->data, "%s/data", place->root);
    snprintf(place->packs, sizeof place->packs, "%s/sets/packs", place->root);
    snprintf(place->config, sizeof place->config, "%s/etc", place->root);
    snprintf(place->home, sizeof place->home, "%s/home", place->root);
    make_folder(sets);
    make_folder(place->data);
    make_folder(place->packs);
    make_folder(place->config);
    make_folder(place->home);
    place_write(place, "data/store", "the store");
    place_write(place, "sets/packs/one.yaml", "first");
    place_write(place, "etc/kiosk.yaml", "first");
    place_write(place, "home/diary", "secret");
}

void place_remove(const struct place *place)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", place->root);
    assert_int_equal(system(command), 0);
}

/* A kernel without Landlock or without filters is played by a filter that answers for it. */
static bool play_older_kernel(const struct locked_way *way)
{
    bool done = true;
#ifdef WITH_SECCOMP
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (way->landlock_error)
        done = done && seccomp_rule_add(filter, SCMP_ACT_ERRNO((uint16_t)way->landlock_error),
                                        SCMP_SYS(landlock_create_ruleset), 0) == 0;
    if (way->filter_error) {
        done = done && seccomp_rule_add(filter, SCMP_ACT_ERRNO((uint16_t)way->filter_error),
                                        SCMP_SYS(seccomp), 0) == 0;
        done = done && seccomp_rule_add(filter, SCMP_ACT_ERRNO((uint16_t)way->filter_error), SCMP_SYS(prctl),
                                        1, SCMP_A0(SCMP_CMP_EQ, PR_SET_SECCOMP, 0)) == 0;
    }
    done = done && (!(way->landlock_error || way->filter_error) || seccomp_load(filter) == 0);
    seccomp_release(filter);
#else
    done = !way->landlock_error;
#endif
    return done;
}

static bool set_up_lock(struct job *job, const struct locked_way *way)
{
    struct error error = { 0 };
    const struct lock_folder folders[] = {
        { job->place->data, LOCK_FOLDER_WRITE },
        { job->place->packs, LOCK_FOLDER_SET },
        { job->place->config, LOCK_FOLDER_READ },
    };
    if (!way->locked)
        return true;
    bool done = play_older_kernel(way) &&
                lock_start_at(&job->report, folders, 3, way->abi ? way->abi : LOCK_ABI, &error);
    if (!done)
        fprintf(stderr, "the lock can't be set up: %s\n", error.message);
    return done;
}

static bool become_ordinary(const struct locked_way *way)
{
    return !way->ordinary || geteuid() != 0 ||
           (setgroups(0, NULL) == 0 && setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
}

int locked_run(const struct place *place, const struct locked_way *way, job_step *before, job_step *step)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct job job = { .place = place, .fd = -1 };
        alarm(60);
        signal(SIGSYS, SIG_DFL); /* a sanitizer's handler would make a report of it */
        if (!become_ordinary(way) || (before && before(&job) != 0) || !set_up_lock(&job, way))
            _exit(JOB_BROKEN);
        int result = step(&job);
        fflush(NULL);
        _exit(result);
    }
    int status;
    while (waitpid(child, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    return WIFSIGNALED(status) ? ENDED_BY_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

void job_check(bool holds, const char *what, int line)
{
    if (holds)
        return;
    fprintf(stderr, "line %d: does not hold: %s (%s)\n", line, what, strerror(errno));
    fflush(stderr);
    _exit(1);
}
