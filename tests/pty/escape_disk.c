/* Disks that are full, have no names left, or can't be written: small file systems in a name space of their
 * own. */
#include "escape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

enum { BLOCK = 65536 };

static char data[DESK_PATH + 16], filler[DESK_PATH + 32];

/* A file system in the place of the store's folder, with what was in that; skips where that is not allowed.
 */
static void mount_data(const char *options)
{
    static bool apart;
    char command[4 * DESK_PATH];
    snprintf(data, sizeof data, "%s/data", room.desk.folder);
    snprintf(filler, sizeof filler, "%s/filler", data);
    if (!apart && (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)) {
        printf("left out: no file system can be mounted here: %s\n", strerror(errno));
        skip();
    }
    apart = true;
    snprintf(command, sizeof command, "mv '%s' '%s.before' && mkdir '%s'", data, data, data);
    assert_int_equal(system(command), 0);
    if (mount("none", data, "tmpfs", 0, options) != 0) {
        printf("left out: no file system can be mounted here: %s\n", strerror(errno));
        skip();
    }
    room.mounted = data;
    snprintf(command, sizeof command, "cp -a '%s.before/.' '%s/'", data, data);
    assert_int_equal(system(command), 0);
}

static void fill(void)
{
    static const char block[BLOCK];
    int file = open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    assert_true(file >= 0);
    for (size_t size = sizeof block; size > 0;)
        if (write(file, block, size) <= 0)
            size /= 2;
    close(file);
}

/* Files until there is no name left for another one. */
static void use_names_up(void)
{
    char name[DESK_PATH + 64];
    for (int i = 0;; i++) {
        snprintf(name, sizeof name, "%s/name-%d", data, i);
        int file = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (file < 0)
            break;
        close(file);
    }
    assert_int_equal(errno, ENOSPC);
}

static void free_all(void)
{
    char command[4 * DESK_PATH];
    snprintf(command, sizeof command, "rm -f '%s' '%s'/name-*", filler, data);
    assert_int_equal(system(command), 0);
}

/* Answers until one is not stored; what was told as stored is. */
static void answer_all(void)
{
    static const char *const keys[] = { "1\r", "2\r", "1 2\r" };
    static const char *const results[] = { "Alpha stands at the beginning.", "Beta follows.", "字 are." };
    struct pty *pty = room.desk.pty;
    for (int i = 0; i < 3; i++) {
        type(keys[i]);
        int64_t until = pty_now() + PTY_DEADLINE_MS;
        while (!sees(results[i]) && !sees("ot stored") && pty_now() < until)
            pty_pump(pty, 20);
        pty_require(pty, pty_now() < until, "it says nothing of the answer");
        if (!sees(results[i]))
            return;
        room.answers++;
        type("\r");
        gone(results[i]);
    }
}

static void full(const struct attempt *attempt)
{
    mount_data(attempt->text);
    room_question();
    fill();
    if (attempt->number)
        use_names_up();
    answer_all();
    settle();
    free_all();
    if (sees("ot stored")) {
        type("\r");
        gone("kept in memory");
    }
    settle();
    assert_true(desk_attempts(&room.desk) >= room.answers + 1);
}

static void full_at_start(const struct attempt *attempt)
{
    mount_data(attempt->text);
    fill();
    if (attempt->number)
        use_names_up();
    room_start();
    int64_t until = pty_now() + PTY_DEADLINE_MS;
    while (!sees("F1 all keys") && !sees("Please call your tutor.") && pty_now() < until)
        pty_pump(room.desk.pty, 20);
    pty_require(room.desk.pty, pty_now() < until, "it shows nothing");
    settle();
    pty_require(room.desk.pty, !pty_ended(room.desk.pty), "it has ended");
    free_all();
    see("F1 all keys");
}

/* Killed on a full disk, and started on it: what was told as stored is there. */
static void full_and_killed(const struct attempt *attempt)
{
    mount_data(attempt->text);
    room_question();
    fill();
    answer_all();
    kill(pty_program(room.desk.pty), SIGKILL);
    pty_wait_exit(room.desk.pty);
    pty_finish(room.desk.pty);
    room.desk.pty = NULL;
    room_start();
    int64_t until = pty_now() + PTY_DEADLINE_MS;
    while (!sees("F1 all keys") && !sees("Please call your tutor.") && pty_now() < until)
        pty_pump(room.desk.pty, 20);
    free_all();
    see("F1 all keys");
    assert_true(desk_attempts(&room.desk) >= room.answers + 1);
}

/* Nothing can be written until somebody mends that; the screen says so, or a tutor is called. */
static void read_only(const struct attempt *attempt)
{
    mount_data(attempt->text);
    assert_int_equal(mount(NULL, data, NULL, MS_REMOUNT | MS_RDONLY, NULL), 0);
    room_start();
    int64_t until = pty_now() + PTY_DEADLINE_MS;
    while (!sees("F1 all keys") && !sees("Please call your tutor.") && pty_now() < until)
        pty_pump(room.desk.pty, 20);
    pty_require(room.desk.pty, pty_now() < until, "it shows nothing");
    settle();
    if (sees("F1 all keys")) {
        sign_in("Ana");
        settle();
        type("\r");
        settle();
        type("1\r");
        settle();
        assert_false(sees("Alpha stands at the beginning."));
    }
    pty_require(room.desk.pty, !pty_ended(room.desk.pty) && pty_foreground(room.desk.pty), "it has ended");
    assert_int_equal(mount(NULL, data, NULL, MS_REMOUNT, NULL), 0);
    kill(pty_program(room.desk.pty), SIGKILL);
    pty_wait_exit(room.desk.pty);
    room_again();
}

const struct attempt attempts_disk[] = {
    { "a disk that fills up while somebody answers", full, STAYS, "size=8m,mode=0700", 0, 0 },
    { "a disk without names left while somebody answers", full, STAYS, "size=8m,nr_inodes=40,mode=0700", 1,
      0 },
    { "a full disk at the start", full_at_start, STAYS, "size=8m,mode=0700", 0, 0 },
    { "a full disk without names left at the start", full_at_start, STAYS, "size=8m,nr_inodes=40,mode=0700",
      1, 0 },
    { "a full disk, SIGKILL and a new start", full_and_killed, STAYS, "size=8m,mode=0700", 0, 0 },
    { "a disk that can't be written", read_only, STAYS, "size=8m,mode=0700", 0, 0 },
    { NULL, NULL, STAYS, NULL, 0, 0 },
};
