/*
 * A disk that is really full: a small file system in memory, in a mount name space of its own. Needs to be
 * root; where that can't be, the shim of test_store_faults stands for it and this says that it was left out.
 */
#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NO_MOUNT = 77 };

static struct fixture fixture;
static struct error error;
static char disk[FIXTURE_PATH], filler[FIXTURE_PATH + 16];

#define EXPECT(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, error.message);              \
            return 1;                                                                                        \
        }                                                                                                    \
    } while (0)

static void fill_disk(void)
{
    static const char block[65536];
    int fd = open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    for (size_t size = sizeof block; size > 0;) {
        if (write(fd, block, size) <= 0)
            size /= 2;
    }
    close(fd);
}

static bool learners_are(struct store *store, const char *expected)
{
    char *text = fixture_query(store, QUERY_LEARNERS, NULL, 0, &error);
    bool same = text && strcmp(text, expected) == 0;
    memory_free(text);
    return same;
}

static bool has_reserve(void)
{
    return access(fixture_beside(fixture.path, "-reserve"), F_OK) == 0;
}

/* In the child: 0 when all went well. */
static int work(void)
{
    struct store *store;
    struct store_session session = fixture_session(1, 2, "Ann");
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("none", disk, "tmpfs", 0, "size=8m,mode=0700") != 0)
        return NO_MOUNT;
    EXPECT(sqlite_store_open(&store, fixture.path, &fixture.options, &fixture.around, &error));
    EXPECT(has_reserve());
    int number = 10;
    struct store_attempt attempt = fixture_attempt(number, "q1", OUTCOME_RIGHT);
    EXPECT(store_add_attempt(store, &session, &attempt, NULL, &error));

    /* full in the midst of a session: told so, kept, stored when there is room */
    fill_disk();
    do /* the log's file may have some room left */
        attempt = fixture_attempt(++number, "q1", OUTCOME_RIGHT);
    while (number < 1000 && store_add_attempt(store, &session, &attempt, NULL, &error));
    EXPECT(error.code == ERROR_FULL);
    EXPECT(strstr(error.message, "full"));
    EXPECT(!store_add_attempt(store, &session, &attempt, NULL, &error) && error.code == ERROR_FULL);
    char expected[64];
    snprintf(expected, sizeof expected, "Ann|-|%d|%d\n", number - 10, 1999 + number);
    EXPECT(learners_are(store, expected));
    EXPECT(unlink(filler) == 0);
    EXPECT(store_add_attempt(store, &session, &attempt, NULL, &error));
    store_close(store);

    /* after a crash, the index of the log gone, on a full disk: it still can be read */
    snprintf(expected, sizeof expected, "Ann|ann|%d|%d\n", number - 9, 2000 + number);
    fixture_sql(fixture.path, "PRAGMA wal_autocheckpoint = 0; UPDATE learner SET login = 'ann'");
    unlink(fixture_beside(fixture.path, "-shm"));
    fill_disk();
    EXPECT(has_reserve());
    EXPECT(sqlite_store_open(&store, fixture.path, &fixture.options, &fixture.around, &error));
    EXPECT(!has_reserve());
    EXPECT(learners_are(store, expected));
    EXPECT(unlink(filler) == 0);
    attempt = fixture_attempt(++number, "q1", OUTCOME_RIGHT);
    EXPECT(store_add_attempt(store, &session, &attempt, NULL, &error));
    EXPECT(has_reserve()); /* made again with the first answer that finds room */
    EXPECT(store_check(store, &error));
    store_close(store);

    /* a new store where there is no room for one; and there, when there is */
    fill_disk();
    snprintf(fixture.path, sizeof fixture.path, "%.390s/new.db", disk);
    EXPECT(!sqlite_store_open(&store, fixture.path, &fixture.options, &fixture.around, &error));
    EXPECT(error.code == ERROR_FULL);
    EXPECT(unlink(filler) == 0);
    EXPECT(sqlite_store_open(&store, fixture.path, &fixture.options, &fixture.around, &error));
    EXPECT(store_add_attempt(store, &session, &attempt, NULL, &error));
    store_close(store);
    return 0;
}

static void test_full_disk(void **state)
{
    (void)state;
    int status;
    fixture_start(&fixture);
    assert_true(strlen(fixture.folder) < FIXTURE_PATH - 10);
    snprintf(disk, sizeof disk, "%.380s/disk", fixture.folder);
    snprintf(filler, sizeof filler, "%s/filler", disk);
    snprintf(fixture.path, sizeof fixture.path, "%s/store.db", disk);
    assert_int_equal(mkdir(disk, 0700), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(work());
    assert_int_equal(waitpid(child, &status, 0), child);
    fixture_end(&fixture);
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_MOUNT) {
        print_message("no file system can be mounted here (%s): left out\n",
                      geteuid() ? "not root" : "not allowed");
        skip();
    }
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_full_disk) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
