/* Opening: every kind of file and path that may stand where a store is expected. What is not ours must stay
 * as it is. */
#include "fixture.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <quiztutor/buffer.h>
#include <sys/stat.h>
#include <unistd.h>

static struct fixture fixture;
static struct error error;

static int start(void **state)
{
    (void)state;
    fixture_start(&fixture);
    memset(&error, 0, sizeof error);
    return 0;
}

static int end(void **state)
{
    (void)state;
    fixture_end(&fixture);
    return 0;
}

static bool opens(const char *path)
{
    struct store *store;
    error.code = ERROR_NONE;
    error.message[0] = '\0';
    bool done = sqlite_store_open(&store, path, &fixture.options, &fixture.around, &error);
    assert_true(done == (store != NULL));
    store_close(store);
    return done;
}

static void expect_refused(const char *path, enum error_code code, const char *part)
{
    assert_false(opens(path));
    if (!strstr(error.message, part))
        fail_msg("\"%s\" does not say \"%s\"", error.message, part);
    assert_int_equal(error.code, code);
    for (const char *c = error.message; *c; c++)
        assert_false((unsigned char)*c < 0x20);
}

static void store_one(struct store *store, int number)
{
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_attempt attempt = fixture_attempt(number, "q1", OUTCOME_RIGHT);
    fixture_add(store, &session, &attempt);
}

static void make_store(int answers)
{
    struct store *store = fixture_open(&fixture);
    for (int i = 0; i < answers; i++)
        store_one(store, 10 + i);
    store_close(store);
}

static int mode_of(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? (int)(status.st_mode & 07777) : -1;
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/* Runs `refusal` and sees that the file has not changed and nothing was put beside it. */
static void expect_untouched(enum error_code code, const char *part)
{
    ptrdiff_t before_length, after_length;
    unsigned char *before = fixture_read(fixture.path, &before_length);
    expect_refused(fixture.path, code, part);
    unsigned char *after = fixture_read(fixture.path, &after_length);
    assert_int_equal(before_length, after_length);
    assert_memory_equal(before, after, (size_t)before_length);
    free(before);
    free(after);
}

static void expect_alone(void)
{
    static const char *const endings[] = { "-lock", "-reserve", "-wal", "-shm", "-journal" };
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        assert_false(is_there(fixture_beside(fixture.path, endings[i])));
}

static void test_folders_and_modes(void **state)
{
    (void)state;
    char one[FIXTURE_PATH + 8], two[FIXTURE_PATH + 16];
    mode_t mask = umask(0);
    snprintf(one, sizeof one, "%s/a", fixture.folder);
    snprintf(two, sizeof two, "%s/a/b", fixture.folder);
    snprintf(fixture.path, sizeof fixture.path, "%s/a/b/s.db", fixture.folder);
    struct store *store = fixture_open(&fixture);
    store_one(store, 10);
    assert_int_equal(mode_of(one), 0700);
    assert_int_equal(mode_of(two), 0700);
    assert_int_equal(mode_of(fixture.path), 0600);
    static const char *const endings[] = { "-lock", "-reserve", "-wal", "-shm" };
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        assert_int_equal(mode_of(fixture_beside(fixture.path, endings[i])), 0600);
    store_close(store);
    umask(mask);
}

static void test_odd_paths(void **state)
{
    (void)state;
    static const char *const names[] = { "a?#% b.db",          "?mode=memory", "%41",      "#",
                                         "file:x?immutable=1", ":memory:",     "quote'\"", "nl\n.db",
                                         "\xff\xfe.db",        "ä/ö",          "-wal",     " " };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(fixture.path, sizeof fixture.path, "%s/%s", fixture.folder, names[i]);
        make_store(1);
        assert_true(is_there(fixture.path));
        assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM attempt"), 1);
    }
}

static void test_odd_relative_paths(void **state)
{
    (void)state;
    static const char *const names[] = { "file:x", ":memory:", "x.db", "new/x.db", "./y" };
    int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(chdir(fixture.folder), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(fixture.path, sizeof fixture.path, "%s", names[i]);
        make_store(1);
        assert_true(is_there(names[i]));
        assert_true(is_there(fixture_beside(names[i], "-lock")));
    }
    assert_int_equal(fchdir(here), 0);
    close(here);
}

static void test_a_link_leads_to_the_one_lock(void **state)
{
    (void)state;
    char link[FIXTURE_PATH + 16];
    struct store *store;
    struct uuid id = fixture_id(1);
    snprintf(link, sizeof link, "%s/link", fixture.folder);
    assert_int_equal(symlink("store.db", link), 0); /* leads nowhere yet */
    assert_true(sqlite_store_open(&store, link, &fixture.options, &fixture.around, &error));
    assert_true(is_there(fixture.path));
    assert_false(is_there(fixture_beside(link, "-lock")));
    assert_true(store_hold_session(store, &id, &error));
    struct store *other = fixture_open(&fixture);
    assert_false(store_hold_session(other, &id, &error));
    assert_int_equal(error.code, ERROR_BUSY);
    store_close(store);
    assert_true(store_hold_session(other, &id, &error)); /* closing gives it back */
    store_close(other);
}

static void test_a_path_too_long(void **state)
{
    (void)state;
    char path[900];
    int length = snprintf(path, sizeof path, "%s", fixture.folder);
    while (length < 600)
        length += snprintf(path + length, sizeof path - (size_t)length, "/%080d", 7);
    expect_refused(path, ERROR_IO, "too long");
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    expect_refused(path, ERROR_IO, "too long"); /* one name too long for any file */
}

static void test_where_there_is_nothing(void **state)
{
    (void)state;
    fixture.options.existing_only = true;
    expect_refused(fixture.path, ERROR_NOT_FOUND, "no store");
    assert_false(is_there(fixture.path));
    snprintf(fixture.path, sizeof fixture.path, "%s/none/store.db", fixture.folder);
    expect_refused(fixture.path, ERROR_NOT_FOUND, "no store");
    expect_refused("", ERROR_NOT_FOUND, "no store");
    fixture.options.existing_only = false;
    expect_refused("", ERROR_IO, "");
}

static void test_an_empty_file_becomes_a_store(void **state)
{
    (void)state;
    fixture_write(fixture.path, "", 0);
    fixture.options.existing_only = true;
    expect_untouched(ERROR_NOT_FOUND, "empty");
    expect_alone();
    fixture.options.existing_only = false;
    make_store(1);
    assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM attempt"), 1);
}

static void test_what_is_no_file(void **state)
{
    (void)state;
    expect_refused(fixture.folder, ERROR_DAMAGED, "folder");
    assert_int_equal(mkfifo(fixture.path, 0600), 0);
    expect_refused(fixture.path, ERROR_DAMAGED, "not a file");
    expect_refused("/dev/null", ERROR_DAMAGED, "not a file");
    expect_refused("/dev/null/store.db", ERROR_IO, "/dev/null/store.db");
}

static void test_what_is_no_store(void **state)
{
    (void)state;
    char text[5000];
    memset(text, 'x', sizeof text);
    fixture_write(fixture.path, text, sizeof text);
    expect_untouched(ERROR_DAMAGED, "not a quiztutor store");
    for (int size = 1; size <= 3; size++) { /* SQLite takes a file of one byte for an empty one */
        fixture_write(fixture.path, text, size);
        expect_untouched(ERROR_DAMAGED, "not a quiztutor store");
    }
    fixture_write(fixture.path, "SQLite format 3", 16);
    expect_untouched(ERROR_DAMAGED, "not a quiztutor store");
    memset(text, 0, sizeof text);
    fixture_write(fixture.path, text, sizeof text);
    expect_untouched(ERROR_DAMAGED, "not a quiztutor store");
    expect_alone();
}

static void test_another_programs_database(void **state)
{
    (void)state;
    fixture_sql(fixture.path, "CREATE TABLE t(x); PRAGMA application_id = 5; PRAGMA user_version = 1");
    expect_untouched(ERROR_DAMAGED, "not a quiztutor store");
    fixture_sql(fixture.path, "PRAGMA application_id = 0");
    expect_untouched(ERROR_DAMAGED, "not a quiztutor store");
    expect_alone();
    fixture_sql(fixture.path, "PRAGMA application_id = 0x51547574; PRAGMA user_version = 0"); /* pretends */
    expect_untouched(ERROR_DAMAGED, "not a quiztutor store");
}

static void test_a_newer_store(void **state)
{
    (void)state;
    fixture_sql(fixture.path,
                "PRAGMA application_id = 0x51547574; PRAGMA user_version = 1000; CREATE TABLE later(x)");
    expect_untouched(ERROR_NEWER, "later release");
    expect_alone();
}

static void test_newer_only_in_its_log(void **state)
{
    (void)state;
    make_store(1);
    fixture_sql(fixture.path, "PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 1000");
    expect_untouched(ERROR_NEWER, "later release");
}

static void test_a_name_can_not_drive_the_terminal(void **state)
{
    (void)state;
    snprintf(fixture.path, sizeof fixture.path, "%s/\033]52;x\007\302\233.db", fixture.folder);
    fixture_write(fixture.path, "no", 2);
    expect_untouched(ERROR_DAMAGED, "\\x1b]52;x\\x07");
}

static void flip(ptrdiff_t at, int count)
{
    int fd = open(fixture.path, O_RDWR | O_CLOEXEC);
    unsigned char byte;
    assert_true(fd >= 0);
    for (int i = 0; i < count; i++) {
        assert_int_equal(pread(fd, &byte, 1, at + i), 1);
        byte = (unsigned char)~byte;
        assert_int_equal(pwrite(fd, &byte, 1, at + i), 1);
    }
    close(fd);
}

static void test_damage_in_the_head(void **state)
{
    (void)state;
    static const struct {
        int at, count;
    } places[] = { { 0, 16 }, { 0, 1 },  { 16, 2 },  { 18, 2 },  { 21, 3 }, { 44, 4 },
                   { 56, 4 }, { 68, 4 }, { 100, 1 }, { 103, 2 }, { 108, 2 } };
    make_store(3);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        flip(places[i].at, places[i].count);
        expect_untouched(ERROR_DAMAGED, "store");
        flip(places[i].at, places[i].count);
    }
    assert_true(opens(fixture.path));
}

/* Damage anywhere: opening, reading and checking may say so or not, but never do harm, and a check finds it.
 */
static void test_damage_anywhere(void **state)
{
    (void)state;
    struct stat status;
    make_store(40);
    assert_int_equal(stat(fixture.path, &status), 0);
    int opened = 0, found = 0, pages = (int)(status.st_size / 4096);
    for (int page = 0; page < pages; page++) {
        struct store *store;
        flip(page * 4096 + (page ? 0 : 100), 12); /* what the page is */
        if (sqlite_store_open(&store, fixture.path, &fixture.options, &fixture.around, &error)) {
            opened++;
            error.code = ERROR_NONE;
            found += !store_check(store, &error);
            assert_true(error.code == ERROR_NONE || error.code == ERROR_DAMAGED);
            store_close(store);
        } else {
            assert_int_equal(error.code, ERROR_DAMAGED);
        }
        flip(page * 4096 + (page ? 0 : 100), 12);
    }
    assert_true(opened > 0);
    assert_int_equal(opened, found);
    assert_true(opens(fixture.path));
}

static void test_truncated(void **state)
{
    (void)state;
    make_store(40);
    static const int sizes[] = { 99, 100, 1000, 4095, 4096, 8192, 40000 };
    ptrdiff_t length;
    unsigned char *whole = fixture_read(fixture.path, &length);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        fixture_write(fixture.path, whole, sizes[i]);
        unlink(fixture_beside(fixture.path, "-wal"));
        unlink(fixture_beside(fixture.path, "-shm"));
        expect_untouched(ERROR_DAMAGED, "store");
    }
    free(whole);
}

static void test_no_meta(void **state)
{
    (void)state;
    make_store(1);
    fixture_sql(fixture.path, "DELETE FROM meta");
    expect_refused(fixture.path, ERROR_DAMAGED, "damaged");
}

static void test_across_a_network(bool (*on_network)(int), const char *mode)
{
    fixture.around.on_network = on_network;
    struct store *store = fixture_open(&fixture);
    static int number = 10;
    store_one(store, number++);
    assert_true(store_check(store, &error));
    assert_true((store_warning(store) != NULL) == (strcmp(mode, "delete") == 0));
    assert_true(!store_warning(store) || strstr(store_warning(store), "network"));
    store_close(store);
    char sql[100];
    snprintf(sql, sizeof sql, "SELECT journal_mode = '%s' FROM pragma_journal_mode", mode);
    assert_int_equal(fixture_sql(fixture.path, sql), 1);
}

static bool yes(int fd)
{
    return fd >= 0;
}

static bool no(int fd)
{
    return fd < 0;
}

static void test_network(void **state)
{
    (void)state;
    test_across_a_network(yes, "delete"); /* a new store */
    test_across_a_network(no, "wal");     /* moved to a local disk */
    test_across_a_network(yes, "delete"); /* and back */
    test_across_a_network(yes, "delete");
    assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM attempt"), 4);
    assert_true(surroundings_network_type(0x6969));      /* nfs */
    assert_true(surroundings_network_type(0xff534d42));  /* cifs */
    assert_true(surroundings_network_type(0xfe534d42));  /* smb2 */
    assert_false(surroundings_network_type(0xef53));     /* ext4 */
    assert_false(surroundings_network_type(0x1021994));  /* tmpfs */
    assert_false(surroundings_network_type(0x9123683e)); /* btrfs */
}

static void test_network_while_in_use(void **state)
{
    (void)state;
    struct store *local = fixture_open(&fixture);
    store_one(local, 10);
    fixture.around.on_network = yes;
    expect_refused(fixture.path, ERROR_BUSY, "another program");
    store_close(local);
    assert_true(opens(fixture.path));
}

static void test_busy(void **state)
{
    (void)state;
    struct store *store = fixture_open(&fixture), *other = fixture_open(&fixture);
    fixture.around.lock_wait_ms = 20;
    struct lock {
        int fd;
    };
    int fd = open(fixture_beside(fixture.path, "-lock"), O_RDWR | O_CLOEXEC);
    struct flock range = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1 };
    assert_int_equal(fcntl(fd, F_OFD_SETLK, &range), 0);
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_attempt attempt = fixture_attempt(10, "q1", OUTCOME_RIGHT);
    assert_false(store_add_attempt(store, &session, &attempt, NULL, &error));
    assert_int_equal(error.code, ERROR_BUSY);
    assert_non_null(strstr(error.message, "try again"));
    char *log = fixture_query(other, QUERY_LEARNERS, NULL, 0, &error);
    assert_string_equal(log, ""); /* reading needs no lock */
    memory_free(log);
    close(fd);
    fixture_add(store, &session, &attempt);
    store_close(store);
    store_close(other);
}

/* What is written to a file without a name is gone with the process: such an answer must not be told as
 * stored. */
static void test_taken_away(void **state)
{
    (void)state;
    struct store *store = fixture_open(&fixture);
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_attempt first = fixture_attempt(10, "q1", OUTCOME_RIGHT);
    struct store_attempt second = fixture_attempt(11, "q2", OUTCOME_RIGHT);
    fixture_add(store, &session, &first);
    const char *aside = fixture_beside(fixture.path, "-aside");
    assert_int_equal(rename(fixture.path, aside), 0);
    assert_false(store_add_attempt(store, &session, &second, NULL, &error));
    assert_int_equal(error.code, ERROR_IO);
    assert_non_null(strstr(error.message, "put it back"));
    fixture_write(fixture.path, "other", 5);
    assert_false(store_add_attempt(store, &session, &second, NULL, &error));
    assert_int_equal(rename(aside, fixture.path), 0);
    fixture_add(store, &session, &second);
    store_close(store);
}

static void test_held_sessions(void **state)
{
    (void)state;
    struct store *store = fixture_open(&fixture), *other = fixture_open(&fixture);
    struct uuid one = fixture_id(1), two = fixture_id(2);
    assert_true(store_hold_session(store, &one, &error));
    assert_false(store_hold_session(other, &one, &error));
    assert_int_equal(error.code, ERROR_BUSY);
    assert_true(store_hold_session(other, &two, &error));
    store_one(other, 10); /* holding a session keeps no one from storing */
    store_release_session(store, &one);
    assert_true(store_hold_session(other, &one, &error));
    store_close(store);
    store_close(other);
}

static void test_another_machine(void **state)
{
    (void)state;
    char machine[FIXTURE_PATH + 16];
    struct uuid first, second, third;
    snprintf(machine, sizeof machine, "%s/machine", fixture.folder);
    fixture_write(machine, "0123456789abcdef0123456789abcdef\n", 33);
    fixture.around.machine_file = machine;
    struct store *store = fixture_open(&fixture);
    store_device(store, &first);
    store_one(store, 10);
    store_close(store);
    int64_t stores = fixture_sql(fixture.path, "SELECT count(*) FROM meta WHERE machine IS NOT NULL AND"
                                               " hex(machine) <> '0123456789ABCDEF0123456789ABCDEF'");
    assert_int_equal(stores, 1);
    store = fixture_open(&fixture);
    store_device(store, &second);
    assert_true(uuid_equal(&first, &second));
    store_close(store);

    fixture_write(machine, "fedcba98-76543210-0123-4567-89abcdef", 36); /* copied to another machine */
    store = fixture_open(&fixture);
    store_device(store, &second);
    assert_false(uuid_equal(&first, &second));
    store_one(store, 11);
    store_one(store, 12);
    store_device(store, &third);
    assert_true(uuid_equal(&second, &third));
    store_close(store);
    assert_int_equal(fixture_sql(fixture.path, "SELECT count(DISTINCT device_id) FROM attempt"), 2);
    assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM attempt, meta USING(device_id)"), 2);
    store = fixture_open(&fixture);
    store_device(store, &third);
    assert_true(uuid_equal(&second, &third));
    store_close(store);

    unlink(machine); /* no fingerprint: nothing is concluded */
    store = fixture_open(&fixture);
    store_device(store, &third);
    assert_true(uuid_equal(&second, &third));
    store_close(store);
}

static void test_reserve(void **state)
{
    (void)state;
    struct stat status;
    make_store(1);
    assert_int_equal(stat(fixture_beside(fixture.path, "-reserve"), &status), 0);
    assert_int_equal(status.st_size, fixture.around.reserve);
    assert_true(status.st_blocks * 512 >= status.st_size);
    unlink(fixture_beside(fixture.path, "-reserve"));
    assert_true(opens(fixture.path));
    assert_true(is_there(fixture_beside(fixture.path, "-reserve")));
}

static void test_closed_tidily(void **state)
{
    (void)state;
    struct stat status;
    make_store(5);
    assert_int_equal(stat(fixture_beside(fixture.path, "-wal"), &status), 0);
    assert_int_equal(status.st_size, 0);
    int fd = open(fixture.path, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    close(fd);
    store_close(NULL);
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, start, end)
    const struct CMUnitTest tests[] = {
        T(test_folders_and_modes),
        T(test_odd_paths),
        T(test_odd_relative_paths),
        T(test_a_link_leads_to_the_one_lock),
        T(test_a_path_too_long),
        T(test_where_there_is_nothing),
        T(test_an_empty_file_becomes_a_store),
        T(test_what_is_no_file),
        T(test_what_is_no_store),
        T(test_another_programs_database),
        T(test_a_newer_store),
        T(test_newer_only_in_its_log),
        T(test_a_name_can_not_drive_the_terminal),
        T(test_damage_in_the_head),
        T(test_damage_anywhere),
        T(test_truncated),
        T(test_no_meta),
        T(test_network),
        T(test_network_while_in_use),
        T(test_busy),
        T(test_taken_away),
        T(test_held_sessions),
        T(test_another_machine),
        T(test_reserve),
        T(test_closed_tidily),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
