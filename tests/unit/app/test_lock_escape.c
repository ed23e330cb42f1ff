/*
 * From inside: everything a kiosk never does is tried by a process that is locked in, once each, and the
 * kernel has to refuse it. Each attempt is tried without the lock as well, by the same user: only what works
 * there, or fails there for another reason, shows that it was the lock that refused.
 */
#include "escape.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

int escape_outcome(bool done)
{
    return done ? 0 : errno ? errno : EIO;
}

int escape_opened(int fd)
{
    int result = escape_outcome(fd >= 0);
    if (fd >= 0)
        close(fd);
    return result;
}

enum { SHOWN_AT_LEAST = 60 };

static const struct attempt *const tables[] = { escape_files, escape_calls, escape_terminal };

/* What a kernel says to what it refuses: both halves, a call it is told not to know, another mount. */
static bool is_refusal(int result)
{
    return result == EPERM || result == EACCES || result == ENOSYS || result == EXDEV ||
           result == ENDED_BY_SIGNAL + SIGSYS;
}

static bool has_folders(void)
{
    char why[LOCK_WHY];
    return lock_folders_abi(why) > 0;
}

struct count {
    int shown, failed, tried;
};

static void try_one(const struct place *place, const struct locked_way *way, const struct attempt *attempt,
                    struct count *count)
{
    struct locked_way free_way = *way;
    free_way.locked = false;
    int without = locked_run(place, &free_way, attempt->before, attempt->step);
    int within = locked_run(place, way, attempt->before, attempt->step);
    bool refused = is_refusal(within);
    count->tried++;
    count->shown += refused && within != without;
    count->failed += !refused;
    if (!refused || within == without)
        print_message("%s%s: %d inside, %d outside\n", refused ? "" : "NOT REFUSED: ", attempt->name, within,
                      without);
}

/* How many attempts of these were shown to be refused by the lock; one that works fails the test. */
static int try_all(const struct locked_way *way, enum by by)
{
    struct place place;
    struct count count = { 0, 0, 0 };
    place_make(&place);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct attempt *attempt = tables[i]; attempt->name; attempt++)
            if (attempt->by & by)
                try_one(&place, way, attempt, &count);
    place_remove(&place);
    print_message("%d of %d attempts shown to be refused by the lock\n", count.shown, count.tried);
    assert_int_equal(count.failed, 0);
    return count.shown;
}

static enum by present(void)
{
    return (has_folders() ? BY_FOLDERS : 0) | (lock_has_calls() ? BY_CALLS : 0);
}

static void test_refused(void **state)
{
    (void)state;
    int shown = try_all(&(struct locked_way){ .locked = true }, present());
    if (present() == BY_BOTH)
        assert_true(shown >= SHOWN_AT_LEAST);
}

static void test_refused_to_ordinary_user(void **state)
{
    (void)state;
    int shown = try_all(&(struct locked_way){ .locked = true, .ordinary = true }, present());
    if (present() == BY_BOTH)
        assert_true(shown >= SHOWN_AT_LEAST);
}

/* Kernels from 5.13 on: each version of Landlock, as far as it reaches, with the filter. */
static void test_older_landlock(void **state)
{
    (void)state;
    char why[LOCK_WHY];
    int newest = lock_folders_abi(why);
    if (!newest || !lock_has_calls())
        skip();
    for (int abi = 1; abi < newest; abi++)
        try_all(&(struct locked_way){ .locked = true, .abi = abi }, BY_FOLDERS);
}

#ifdef WITH_SECCOMP
static int open_passwd(struct job *job)
{
    (void)job;
    return escape_opened(open("/etc/passwd", O_RDONLY | O_CLOEXEC));
}

static int make_socket(struct job *job)
{
    (void)job;
    return escape_opened(socket(AF_UNIX, SOCK_STREAM, 0));
}

/* A kernel with one half refuses what that half is for, and only that. */
static void test_halves(void **state)
{
    (void)state;
    if (!has_folders())
        skip();
    try_all(&(struct locked_way){ .locked = true, .landlock_error = ENOSYS }, BY_CALLS);
    try_all(&(struct locked_way){ .locked = true, .filter_error = EINVAL }, BY_FOLDERS);
    struct place place;
    struct locked_way without = { .locked = true, .landlock_error = EOPNOTSUPP, .filter_error = EINVAL };
    place_make(&place);
    assert_int_equal(locked_run(&place, &without, NULL, open_passwd), 0);
    assert_int_equal(locked_run(&place, &without, NULL, make_socket), 0);
    place_remove(&place);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_refused_to_ordinary_user),
        cmocka_unit_test(test_older_landlock),
#ifdef WITH_SECCOMP
        cmocka_unit_test(test_halves),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
