/* What a sync keeps beside a store: written by rename, read, damaged. */
#include "fixture.h"
#include "roster_private.h"
#include "sqlite_pulled.h"
#include "surroundings.h"

#include "../../slice.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct fixture fixture;
static char path[FIXTURE_PATH + 32];

static int start(void **state)
{
    (void)state;
    fixture_start(&fixture);
    store_close(fixture_open(&fixture));
    snprintf(path, sizeof path, "%s-sync", fixture.path);
    return 0;
}

static int end(void **state)
{
    (void)state;
    fixture_end(&fixture);
    return 0;
}

static struct pulled *open_pulled(void)
{
    struct pulled *pulled;
    if (!pulled_open(&pulled, fixture.path, &fixture.error))
        fail_msg("%s", fixture.error.message);
    return pulled;
}

static void put(struct pulled *pulled, int kind, int64_t version, int id, const char *body)
{
    struct uuid uuid = fixture_id(id);
    if (!pulled_put(pulled, kind, version, &uuid, body, &fixture.error))
        fail_msg("%s", fixture.error.message);
}

static void save(struct pulled *pulled)
{
    if (!pulled_save(pulled, &fixture.error))
        fail_msg("%s", fixture.error.message);
}

static void set_mark(struct pulled *pulled, int server, int64_t seq, int64_t version)
{
    struct pulled_mark mark = { .server = fixture_id(server),
                                .store_id = fixture_id(98),
                                .seq = seq,
                                .changes = 2,
                                .version = version,
                                .at = 1700000000000 };
    assert_true(pulled_set_mark(pulled, &mark, &fixture.error));
}

/* Items there, by a connection of its own; −1: there is no file. */
static int64_t items(const char *where)
{
    char sql[200];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM item WHERE %s", where);
    return fixture_sql(path, sql);
}

static const char *const ada = "{\"name\":\"Ada\",\"login\":null,\"external_id\":null,\"time_factor\":1,"
                               "\"plain\":false,\"groups\":[],\"created_at\":5}";

/* As a sync leaves it: three learners, a PIN, two packs. */
static void make(void)
{
    char body[300];
    struct pulled *pulled = open_pulled();
    set_mark(pulled, 99, 17, 6);
    for (int i = 1; i <= 3; i++) {
        snprintf(body, sizeof body, "{\"name\":\"Learner %d\",\"groups\":[\"7a\"]}", i);
        put(pulled, CENTRAL_LEARNER, i, i, body);
    }
    put(pulled, CENTRAL_PIN, 4, 1, "{\"kept\":null}");
    for (int i = 0; i < 2; i++) {
        snprintf(body, sizeof body, "{\"pack\":\"pack%d\",\"hash\":\"%064d\"}", i, i);
        put(pulled, CENTRAL_PACK, 5 + i, 0, body);
    }
    save(pulled);
    pulled_close(pulled);
}

static void test_round(void **state)
{
    struct pulled_mark mark;
    struct stat status;
    bool is = true;
    (void)state;
    assert_true(pulled_look(fixture.path, &mark, &is, &fixture.error));
    assert_false(is);
    make();
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    assert_true(pulled_look(fixture.path, &mark, &is, &fixture.error));
    assert_true(is);
    struct uuid server = fixture_id(99), store_id = fixture_id(98);
    assert_memory_equal(&mark.server, &server, sizeof server);
    assert_memory_equal(&mark.store_id, &store_id, sizeof store_id);
    assert_int_equal(mark.seq, 17);
    assert_int_equal(mark.changes, 2);
    assert_int_equal(mark.version, 6);
    assert_int_equal(mark.at, 1700000000000);
    assert_int_equal(items("true"), 6);
    struct pulled *pulled = open_pulled(); /* and goes on where it was */
    struct pulled_mark again;
    pulled_mark(pulled, &again);
    assert_memory_equal(&again, &mark, sizeof mark);
    put(pulled, CENTRAL_LEARNER, 7, 1, ada);
    put(pulled, CENTRAL_LEARNER, 8, 4, ada);
    set_mark(pulled, 99, 18, 8);
    assert_int_equal(items("true"), 6); /* nothing before it is saved */
    save(pulled);
    assert_int_equal(items("kind = 1"), 4);
    assert_int_equal(items("body LIKE '%\"Ada\"%'"), 2);
    pulled_close(pulled);
    pulled_close(NULL);
}

static bool count_pack(void *context, const char *pack, const struct hash *hash)
{
    char expected[16], hex[65];
    int *count = context;
    snprintf(expected, sizeof expected, "pack%d", hash->bytes[31]);
    assert_string_equal(pack, expected);
    hash_hex(hex, hash->bytes, sizeof hash->bytes);
    (*count)++;
    return true;
}

static void test_packs(void **state)
{
    int count = 0;
    (void)state;
    assert_true(pulled_packs(fixture.path, count_pack, &count, &fixture.error));
    assert_int_equal(count, 0); /* no file, no packs */
    make();
    assert_true(pulled_packs(fixture.path, count_pack, &count, &fixture.error));
    assert_int_equal(count, 2);
    struct pulled *pulled = open_pulled();
    char body[200];
    snprintf(body, sizeof body, "{\"pack\":\"pack1\",\"hash\":\"%064d\"}", 1);
    put(pulled, CENTRAL_PACK, 9, 0, body); /* the same pack: in place of what was */
    save(pulled);
    pulled_close(pulled);
    assert_int_equal(items("kind = 4"), 2);
}

/* Of who was merged or erased nothing stays, not even between the rows. */
static void test_forgets(void **state)
{
    struct uuid id = fixture_id(2), mark;
    char into[100], uuid[37];
    (void)state;
    make();
    struct pulled *pulled = open_pulled();
    roster_mark(&mark, &id);
    assert_true(pulled_put(pulled, CENTRAL_ERASED, 7, &mark, "{\"at\":5}", &fixture.error));
    id = fixture_id(3);
    uuid_format(uuid, &id);
    snprintf(into, sizeof into, "{\"into\":\"%s\"}", uuid);
    put(pulled, CENTRAL_MERGED, 8, 1, into);
    save(pulled);
    pulled_close(pulled);
    assert_int_equal(items("kind = 1"), 1);
    assert_int_equal(items("kind = 3"), 0);
    assert_int_equal(items("kind IN (2, 5)"), 2);
    FILE *file = fopen(path, "rb");
    char bytes[65536];
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_non_null(memmem(bytes, length, "Learner 3", 9));
    assert_null(memmem(bytes, length, "Learner 2", 9));
    assert_null(memmem(bytes, length, "Learner 1", 9));
}

static void test_other_server(void **state)
{
    (void)state;
    make();
    struct pulled *pulled = open_pulled();
    set_mark(pulled, 99, 20, 9);
    save(pulled);
    assert_int_equal(items("true"), 6);
    set_mark(pulled, 97, 0, 0);
    put(pulled, CENTRAL_LEARNER, 1, 1, ada);
    save(pulled);
    pulled_close(pulled);
    assert_int_equal(items("true"), 1);
}

static void test_refuses(void **state)
{
    static const struct {
        int kind;
        const char *body;
    } bad[] = {
        { -1, "{}" },
        { CENTRAL_ERASED + 1, "{}" },
        { CENTRAL_LEARNER, "{" },
        { CENTRAL_LEARNER, "" },
        { CENTRAL_LEARNER, "\xff" },
        { CENTRAL_PACK, "{}" },
        { CENTRAL_PACK, "{\"pack\":7}" },
    };
    struct uuid id = fixture_id(1);
    (void)state;
    struct pulled *pulled = open_pulled();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fixture.error.code = ERROR_NONE;
        assert_false(pulled_put(pulled, bad[i].kind, 1, &id, bad[i].body, &fixture.error));
        assert_int_equal(fixture.error.code, ERROR_INPUT);
    }
    save(pulled);
    pulled_close(pulled);
    assert_int_equal(items("true"), 0);
}

static void write_over(long at, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, at, SEEK_SET);
    fwrite(bytes, 1, length, file);
    fclose(file);
}

/* Foreign, empty, a link, a folder: begun anew; of a later version: left as it is. */
static void test_foreign(void **state)
{
    struct pulled_mark mark;
    bool is;
    (void)state;
    make();
    write_over(68, "QTut", 4); /* a store's own mark */
    assert_false(pulled_look(fixture.path, &mark, &is, &fixture.error));
    assert_int_equal(fixture.error.code, ERROR_DAMAGED);
    struct pulled *pulled = open_pulled();
    pulled_mark(pulled, &mark);
    assert_int_equal(mark.version, 0);
    save(pulled);
    pulled_close(pulled);
    assert_int_equal(items("true"), 0);
    make();
    write_over(60, "\0\0\0\2", 4);
    assert_false(pulled_open(&pulled, fixture.path, &fixture.error));
    assert_null(pulled);
    assert_int_equal(fixture.error.code, ERROR_NEWER);
    assert_false(pulled_look(fixture.path, &mark, &is, &fixture.error));
    assert_int_equal(fixture.error.code, ERROR_NEWER);
    unlink(path);
    assert_int_equal(symlink(fixture.path, path), 0);
    make();
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISREG(status.st_mode));
    assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM meta"), 1); /* where it led: as it was */
    assert_int_equal(truncate(path, 0), 0);
    make();
    assert_int_equal(items("true"), 6);
    fixture_sql(path, "CREATE TRIGGER evil AFTER INSERT ON item BEGIN DELETE FROM item; END");
    make();
    assert_int_equal(items("true"), 6); /* what else was in it went with it */
}

/* The bytes of a file are changed by chance: each time it is as it was, or it is known to be damaged. */
static void test_damage(void **state)
{
    enum { ROUNDS = 400 };
    unsigned char bytes[65536], hurt[65536];
    int whole = 0, damaged = 0;
    unsigned long seed = 5;
    (void)state;
    make();
    FILE *file = fopen(path, "rb");
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_in_range(length, 4096, sizeof bytes - 1);
    for (int round = 0; round < slice_of(ROUNDS); round++) {
        memcpy(hurt, bytes, length);
        size_t kept = length;
        for (int i = 0; i <= round % 3; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            size_t at = (size_t)(seed >> 33) % length;
            if (round % 7 == 0)
                kept = at;
            else if (round % 7 == 1)
                memset(hurt + at, 0, length - at < 512 ? length - at : 512);
            else
                hurt[at] ^= (unsigned char)(1 << (seed >> 20 & 7));
        }
        file = fopen(path, "wb");
        fwrite(hurt, 1, kept, file);
        fclose(file);
        struct pulled *pulled;
        if (!pulled_open(&pulled, fixture.path, &fixture.error)) {
            assert_int_equal(fixture.error.code, ERROR_NEWER); /* the version's own bytes */
            damaged++;
            continue;
        }
        struct pulled_mark mark;
        pulled_mark(pulled, &mark);
        save(pulled);
        pulled_close(pulled);
        if (mark.version == 6) {
            whole++;
            assert_int_equal(items("kind = 1 AND body LIKE '{\"name\":\"Learner _\",\"groups\":[\"7a\"]}'"),
                             3);
            assert_int_equal(items("kind = 4 AND body LIKE '{\"pack\":\"pack_\",\"hash\":\"000%'"), 2);
        } else {
            damaged++;
            assert_int_equal(mark.seq, 0);
            assert_int_equal(items("true"), 0);
        }
    }
    assert_true(whole > 0 && damaged > 0);
}

/* No room: what was there stays, and nothing else. */
static void test_full(void **state)
{
    struct rlimit limit, kept;
    char partial[sizeof path + 16];
    (void)state;
    make();
    struct pulled *pulled = open_pulled();
    put(pulled, CENTRAL_LEARNER, 9, 9, ada);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &kept), 0);
    signal(SIGXFSZ, SIG_IGN);
    for (rlim_t size = 0; size < 8192; size += 1500) {
        limit = (struct rlimit){ size, kept.rlim_max };
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        bool done = pulled_save(pulled, &fixture.error);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &kept), 0);
        assert_false(done);
        assert_int_equal(fixture.error.code, ERROR_FULL);
        assert_int_equal(items("true"), 6);
        snprintf(partial, sizeof partial, "%s.partial", path);
        assert_int_equal(access(partial, F_OK), -1);
    }
    signal(SIGXFSZ, SIG_DFL);
    save(pulled);
    assert_int_equal(items("true"), 7);
    pulled_close(pulled);
}

/* Two at once: one is told; what a killed one left is in nobody's way. */
static void test_two(void **state)
{
    char partial[sizeof path + 16];
    (void)state;
    snprintf(partial, sizeof partial, "%s.partial", path);
    int fd = open(partial, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    assert_int_equal(write(fd, "left", 4), 4);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    struct pulled *pulled = open_pulled();
    put(pulled, CENTRAL_LEARNER, 9, 9, ada);
    assert_false(pulled_save(pulled, &fixture.error));
    assert_int_equal(fixture.error.code, ERROR_BUSY);
    close(fd);
    save(pulled);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    assert_int_equal(items("true"), 1);
    pulled_close(pulled);
}

/* Killed at any moment: the file is the one before or the one after, whole. */
static void test_killed(void **state)
{
    struct pulled_mark mark;
    int64_t last = 0;
    bool is;
    (void)state;
    for (int round = 0; round < slice_of(40); round++) {
        pid_t child = fork();
        if (child == 0) {
            struct pulled *pulled;
            if (!pulled_open(&pulled, fixture.path, NULL))
                _exit(1);
            pulled_mark(pulled, &mark);
            for (int64_t version = mark.version + 1;; version++) {
                struct uuid id = fixture_id((int)(version % 100) + 1);
                mark.version = version;
                mark.server = fixture_id(99);
                if (!pulled_put(pulled, CENTRAL_LEARNER, version, &id, ada, NULL) ||
                    !pulled_set_mark(pulled, &mark, NULL) || !pulled_save(pulled, NULL))
                    _exit(1);
            }
        }
        usleep((useconds_t)(1000 + round * 379 % 9000));
        kill(child, SIGKILL);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        struct pulled *pulled = open_pulled();
        pulled_mark(pulled, &mark);
        pulled_close(pulled);
        assert_true(mark.version >= last);
        last = mark.version;
        assert_true(pulled_look(fixture.path, &mark, &is, &fixture.error));
    }
    assert_true(last > 10);
}

static void test_memory(void **state)
{
    (void)state;
    make();
    bool done = false;
    for (long at = 1; !done && at < 100; at++) {
        struct pulled *pulled = NULL;
        memory_fail_after(at);
        done = pulled_open(&pulled, fixture.path, &fixture.error) &&
               pulled_put(pulled, CENTRAL_LEARNER, 9, &(struct uuid){ { 9 } }, ada, &fixture.error) &&
               pulled_save(pulled, &fixture.error);
        memory_fail_after(0);
        if (!done)
            assert_int_equal(fixture.error.code, ERROR_MEMORY);
        pulled_close(pulled);
        assert_true(items("true") >= 6);
    }
    assert_true(done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round, start, end),
        cmocka_unit_test_setup_teardown(test_packs, start, end),
        cmocka_unit_test_setup_teardown(test_forgets, start, end),
        cmocka_unit_test_setup_teardown(test_other_server, start, end),
        cmocka_unit_test_setup_teardown(test_refuses, start, end),
        cmocka_unit_test_setup_teardown(test_foreign, start, end),
        cmocka_unit_test_setup_teardown(test_damage, start, end),
        cmocka_unit_test_setup_teardown(test_full, start, end),
        cmocka_unit_test_setup_teardown(test_two, start, end),
        cmocka_unit_test_setup_teardown(test_killed, start, end),
        cmocka_unit_test_setup_teardown(test_memory, start, end),
    };
    fixture_in_memory();
    return !hash_start() || cmocka_run_group_tests(tests, NULL, NULL);
}
