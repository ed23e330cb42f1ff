/*
 * A store that may be read but not written, for an ordinary user: root may write anything, so the work is
 * done in a child process that has become nobody.
 */
#include "fixture.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534 };

static struct fixture fixture;
static struct error error;
static const char *expected; /* the store's learners */

static int start(void **state)
{
    (void)state;
    fixture_start(&fixture);
    expected = "Ann|-|1|2010\n";
    struct store *store = fixture_open(&fixture);
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_attempt attempt = fixture_attempt(10, "q1", OUTCOME_RIGHT);
    fixture_add(store, &session, &attempt);
    store_close(store);
    return 0;
}

static int end(void **state)
{
    (void)state;
    chmod(fixture.folder, 0700);
    fixture_end(&fixture);
    return 0;
}

static void allow(const char *ending, int mode)
{
    assert_int_equal(chmod(fixture_beside(fixture.path, ending), (mode_t)mode), 0);
}

static bool become_ordinary(void)
{
    return geteuid() != 0 || (setgroups(0, NULL) == 0 && setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
}

/* Runs the work as an ordinary user; what it says is wrong, it says on standard error. */
static void as_ordinary(bool (*work)(void))
{
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(!become_ordinary() ? 2 : work() ? 0 : 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static bool say(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, error.message);
    return false;
}

static bool can_read_but_not_write(void)
{
    struct store *store;
    struct store_session session = fixture_session(3, 4, "Bob");
    struct store_attempt attempt = fixture_attempt(20, "q1", OUTCOME_RIGHT);
    if (!sqlite_store_open(&store, fixture.path, &fixture.options, &fixture.around, &error))
        return say("open");
    if (!store_warning(store) || !strstr(store_warning(store), "can't be written"))
        return say("no warning");
    for (int i = 0; i < 2; i++) {
        error.code = ERROR_NONE;
        if (store_add_attempt(store, &session, &attempt, NULL, &error) || error.code != ERROR_READ_ONLY)
            return say("stored");
    }
    char *learners = fixture_query(store, QUERY_LEARNERS, NULL, 0, &error);
    bool right = learners && strcmp(learners, expected) == 0;
    memory_free(learners);
    if (!store_hold_session(store, &session.id, &error) || !store_check(store, &error))
        return say("hold and check");
    store_close(store);
    return right || say("query");
}

static bool can_not_even_read(void)
{
    struct store *store;
    if (sqlite_store_open(&store, fixture.path, &fixture.options, &fixture.around, &error))
        return say("opened");
    return error.code == ERROR_READ_ONLY || say("another error");
}

static void test_file_in_a_closed_folder(void **state)
{
    (void)state;
    allow("", 0444);
    chmod(fixture.folder, 0555);
    as_ordinary(can_read_but_not_write); /* -wal and -shm are there and not to be read */
    allow("-wal", 0444);
    allow("-shm", 0444);
    as_ordinary(can_read_but_not_write);
    unlink(fixture_beside(fixture.path, "-wal"));
    as_ordinary(can_read_but_not_write);
    unlink(fixture_beside(fixture.path, "-shm"));
    as_ordinary(can_read_but_not_write);
    unlink(fixture_beside(fixture.path, "-lock"));
    allow("", 0666); /* the file could be written, but nothing beside it */
    as_ordinary(can_read_but_not_write);
}

static void test_file_in_an_open_folder(void **state)
{
    (void)state;
    allow("", 0444);
    chmod(fixture.folder, 0777);
    as_ordinary(can_read_but_not_write);
    unlink(fixture_beside(fixture.path, "-wal"));
    unlink(fixture_beside(fixture.path, "-shm"));
    as_ordinary(can_read_but_not_write);
    assert_int_not_equal(access(fixture_beside(fixture.path, "-shm"), F_OK),
                         0); /* none made that bars its owner later */
    assert_int_not_equal(access(fixture_beside(fixture.path, "-wal"), F_OK), 0);
}

static void test_answers_in_its_log(void **state)
{
    (void)state;
    fixture_sql(fixture.path, "PRAGMA wal_autocheckpoint = 0; UPDATE learner SET login = 'ann'");
    allow("", 0444);
    allow("-wal", 0444);
    allow("-shm", 0444);
    chmod(fixture.folder, 0555);
    expected = "Ann|ann|1|2010\n";
    as_ordinary(can_read_but_not_write); /* the log is read, too */
    allow("-wal", 0000);
    as_ordinary(can_not_even_read);
}

static void test_no_permission_at_all(void **state)
{
    (void)state;
    allow("", 0000);
    chmod(fixture.folder, 0777);
    as_ordinary(can_not_even_read);
    allow("", 0644);
    chmod(fixture.folder, 0600);
    as_ordinary(can_not_even_read);
    chmod(fixture.folder, 0755);
    snprintf(fixture.path, sizeof fixture.path, "%s/new.db", fixture.folder);
    if (geteuid() != 0)
        chmod(fixture.folder, 0555);
    as_ordinary(can_not_even_read); /* can't be made */
}

static bool all_is_well(void)
{
    struct store *store;
    struct store_session session = fixture_session(3, 4, "Bob");
    struct store_attempt attempt = fixture_attempt(20, "q1", OUTCOME_RIGHT);
    if (!sqlite_store_open(&store, fixture.path, &fixture.options, &fixture.around, &error) ||
        store_warning(store))
        return say("open");
    if (!store_add_attempt(store, &session, &attempt, NULL, &error))
        return say("add");
    store_close(store);
    return true;
}

static void test_only_the_files_may_be_written(void **state)
{
    (void)state;
    static const char *const endings[] = { "", "-wal", "-shm", "-lock", "-reserve" };
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        allow(endings[i], 0666);
    chmod(fixture.folder, 0555);
    as_ordinary(all_is_well);
}

static void test_made_by_an_ordinary_user(void **state)
{
    (void)state;
    chmod(fixture.folder, 0777);
    snprintf(fixture.path, sizeof fixture.path, "%s/own/new.db", fixture.folder);
    as_ordinary(all_is_well);
    struct stat status;
    assert_int_equal(stat(fixture.path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, start, end)
    const struct CMUnitTest tests[] = {
        T(test_file_in_a_closed_folder),
        T(test_file_in_an_open_folder),
        T(test_answers_in_its_log),
        T(test_no_permission_at_all),
        T(test_only_the_files_may_be_written),
        T(test_made_by_an_ordinary_user),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
