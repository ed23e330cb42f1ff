/* What was pulled, applied: the store follows the centre's roster, by ids alone, whatever comes in between.
 */
#include "fixture.h"
#include "roster_private.h"
#include "sqlite_pulled.h"
#include "surroundings.h"

#include <quiztutor/heal.h>
#include <quiztutor/pin.h>
#include <quiztutor/roster.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../slice.h"

static struct fixture fixture;
static struct store *store;
static char path[FIXTURE_PATH + 32];
static int64_t version; /* of the centre */
static struct pulled_applied applied;
static bool changed;

static int start(void **state)
{
    (void)state;
    fixture_start(&fixture);
    store = fixture_open(&fixture);
    snprintf(path, sizeof path, "%s-sync", fixture.path);
    version = 0;
    return 0;
}

static int end(void **state)
{
    (void)state;
    store_close(store);
    fixture_end(&fixture);
    return 0;
}

/* ---- the centre ---- */

static struct pulled *centre;

static void begin(void)
{
    if (!pulled_open(&centre, fixture.path, &fixture.error))
        fail_msg("%s", fixture.error.message);
}

static void put(int kind, const struct uuid *id, const char *body)
{
    if (!pulled_put(centre, kind, ++version, id, body, &fixture.error))
        fail_msg("%s", fixture.error.message);
}

static void learner_more(int id, const char *name, const char *more)
{
    char body[500];
    struct uuid uuid = fixture_id(id);
    snprintf(body, sizeof body, "{\"name\":\"%s\"%s%s}", name, *more ? "," : "", more);
    put(CENTRAL_LEARNER, &uuid, body);
}

static void learner(int id, const char *name)
{
    learner_more(id, name,
                 "\"login\":null,\"external_id\":null,\"time_factor\":1,\"plain\":false,\"groups\":[]");
}

static void erased(int id)
{
    struct uuid uuid = fixture_id(id), mark;
    roster_mark(&mark, &uuid);
    put(CENTRAL_ERASED, &mark, "{\"at\":1}");
}

static void merged(int from, int into)
{
    struct uuid one = fixture_id(from), other = fixture_id(into);
    char text[37], body[80];
    uuid_format(text, &other);
    snprintf(body, sizeof body, "{\"into\":\"%s\"}", text);
    put(CENTRAL_MERGED, &one, body);
}

static void pin(int id, const char *kept)
{
    struct uuid uuid = fixture_id(id);
    char body[200];
    snprintf(body, sizeof body, kept ? "{\"kept\":\"%s\"}" : "{\"kept\":null}", kept);
    put(CENTRAL_PIN, &uuid, body);
}

static void finish_of(int server)
{
    struct pulled_mark mark = { .server = fixture_id(server), .version = version, .at = 1 };
    if (!pulled_set_mark(centre, &mark, &fixture.error) || !pulled_save(centre, &fixture.error))
        fail_msg("%s", fixture.error.message);
    pulled_close(centre);
    centre = NULL;
}

static void finish(void)
{
    finish_of(900);
}

static void apply(void)
{
    if (!pulled_apply(store, fixture.path, &applied, &changed, &fixture.error))
        fail_msg("%s", fixture.error.message);
}

/* Again: nothing more comes of it. */
static void apply_again(void)
{
    apply();
    assert_false(changed);
    assert_int_equal(applied.learners + applied.pins + applied.merged + applied.erased, 0);
}

/* ---- the store ---- */

static void expect(const char *wanted)
{
    struct buffer out;
    struct rows *rows;
    buffer_init(&out);
    assert_true(rows_open(&rows, store, QUERY_ROSTER, NULL, 0, &fixture.error));
    while (rows_step(rows, &fixture.error) > 0) {
        struct uuid id;
        int number = 0;
        rows_uuid(rows, 0, &id);
        for (int i = 1; i < 200 && !number; i++) {
            struct uuid other = fixture_id(i);
            number = uuid_equal(&id, &other) ? i : 0;
        }
        const char *texts[] = { rows_text(rows, 1), rows_text(rows, 2), rows_text(rows, 3),
                                rows_text(rows, 6) };
        buffer_print(&out, "%d %s", number, texts[0]);
        for (int i = 1; i < 4; i++)
            if (texts[i])
                buffer_print(&out, " %s=%s", (const char *[]){ "", "login", "id", "in" }[i], texts[i]);
        if (rows_real(rows, 4) > 1)
            buffer_print(&out, " x%g", rows_real(rows, 4));
        if (rows_integer(rows, 5))
            buffer_print(&out, rows_integer(rows, 5) == 2 ? " large" : " plain");
        buffer_print(&out, "; ");
    }
    rows_close(rows);
    assert_string_equal(buffer_get(&out), wanted);
    buffer_finish(&out);
}

static void practised(int id, const char *name, int session)
{
    struct store_session made = fixture_session(session, id, name);
    struct store_attempt attempt = fixture_attempt(session + 1000, "tour/q1", OUTCOME_RIGHT);
    fixture_add(store, &made, &attempt);
}

static int64_t sql(const char *text)
{
    return fixture_sql(fixture.path, text);
}

static int64_t attempts_of(int id)
{
    char text[200], hex[33];
    struct uuid uuid = fixture_id(id);
    hash_hex(hex, uuid.bytes, 16);
    snprintf(text, sizeof text, "SELECT count(*) FROM attempt WHERE learner_id = x'%s'", hex);
    return sql(text);
}

/* ---- */

static void test_roster_arrives(void **state)
{
    (void)state;
    apply();
    assert_false(changed); /* no file */
    begin();
    learner(1, "Ada");
    learner_more(
        2, "  Bo \\u0301 ",
        "\"login\":\"bo\",\"external_id\":\"17\",\"time_factor\":1.5,\"plain\":true,\"groups\":[\"7a\","
        "\"choir\"],\"created_at\":77");
    finish();
    apply();
    assert_true(changed);
    assert_int_equal(applied.learners, 2);
    assert_int_equal(applied.version, version);
    expect("1 Ada; 2 Bo \xcc\x81 login=bo id=17 in=7a x1.5 plain; 2 Bo \xcc\x81 login=bo id=17 in=choir x1.5 "
           "plain; ");
    assert_int_equal(sql("SELECT created_at FROM learner WHERE login = 'bo'"), 77);
    apply_again();
    begin();
    learner_more(2, "Bob", "\"groups\":[\"7b\",\"choir\"]"); /* what is not said is nothing */
    finish();
    apply();
    assert_int_equal(applied.learners, 1);
    expect("1 Ada; 2 Bob in=7b; 2 Bob in=choir; ");
    begin();
    learner_more(1, "Ada", "\"plain\":2");
    learner_more(2, "Bob", "\"groups\":[],\"plain\":1");
    finish();
    apply();
    expect("1 Ada large; 2 Bob plain; ");
    apply_again();
}

/* Names go round, and the last is free by the time it is wanted. */
static void test_swap(void **state)
{
    (void)state;
    begin();
    learner(1, "Ada");
    learner(2, "Bob");
    learner(3, "Cy");
    learner_more(4, "Di", "\"login\":\"d\"");
    learner_more(5, "Ed", "\"login\":\"e\"");
    finish();
    apply();
    begin();
    learner(1, "Bob");
    learner(2, "Ada");
    learner(3, "Cyril");
    learner(6, "Cy"); /* new, under a name given up */
    learner_more(4, "Di", "\"login\":\"e\"");
    learner_more(5, "Ed", "\"login\":\"d\"");
    finish();
    apply();
    assert_int_equal(applied.learners, 6);
    assert_int_equal(applied.left_out, 0);
    expect("2 Ada; 1 Bob; 6 Cy; 3 Cyril; 4 Di login=e; 5 Ed login=d; ");
    apply_again();
}

/* A long chain, in the order that is worst. */
static void test_chain(void **state)
{
    char name[20];
    (void)state;
    begin();
    for (int i = 1; i <= 60; i++) {
        snprintf(name, sizeof name, "N%02d", i);
        learner(i, name);
    }
    finish();
    apply();
    begin();
    for (int i = 1; i <= 60; i++) {
        snprintf(name, sizeof name, "N%02d", i + 1);
        learner(i, name);
    }
    finish();
    apply();
    assert_int_equal(applied.learners, 60);
    assert_int_equal(applied.left_out, 0);
    assert_int_equal(sql("SELECT count(*) FROM learner WHERE name = 'N01'"), 0);
    assert_int_equal(sql("SELECT count(*) FROM learner WHERE name_key LIKE 'n%' AND name LIKE 'N%'"), 60);
}

static char left_words[400];
static bool note_left(void *context, const struct uuid *id, const char *name, const char *why)
{
    (void)context;
    (void)id;
    snprintf(left_words + strlen(left_words), sizeof left_words - strlen(left_words), "%s:%s ", name, why);
    return true;
}

static const char *left(void)
{
    *left_words = '\0';
    assert_true(pulled_left(store, fixture.path, note_left, NULL, &fixture.error));
    return left_words;
}

/* Another's name here: left out, counted, told; taken over as soon as that one has gone. */
static void test_left_out(void **state)
{
    struct uuid local;
    (void)state;
    practised(50, "Ada", 1);
    struct roster_line bo = { .name = "Bo", .login = "bo", .plain = ROSTER_UNSAID };
    struct roster_line cy = { .name = "Cy", .external_id = "7", .plain = ROSTER_UNSAID };
    struct roster_result result;
    assert_true(roster_add(store, &bo, &result, 1, &fixture.error));
    assert_true(roster_add(store, &cy, &result, 1, &fixture.error));
    local = fixture_id(50);
    begin();
    learner(1, "\xc3\x84"
               "da"); /* another name than Ada */
    learner(2, "ADA");
    learner_more(3, "Bobo", "\"login\":\"bo\"");
    learner_more(4, "Cyril", "\"external_id\":\"7\"");
    learner_more(5, "Ada", "\"external_id\":\"9\""); /* told apart by that */
    learner(6, "");
    learner(7, "Ida");
    pin(2, NULL);
    finish();
    apply();
    assert_int_equal(applied.learners, 3);
    assert_int_equal(applied.left_out, 4);
    assert_string_equal(left(), "ADA:name Bobo:login Cyril:external_id (null):unfit ");
    apply_again();
    assert_int_equal(applied.left_out, 4);
    assert_true(roster_rename(store, &local, "Ada the first", &fixture.error));
    apply();
    assert_true(changed);
    assert_int_equal(applied.learners, 1);
    assert_int_equal(applied.left_out, 3);
    apply_again();
    /* one who is here, and is to bear another's name, stays as they are */
    begin();
    learner_more(7, "Bo", "\"login\":\"bo\",\"groups\":[\"7a\"]");
    finish();
    apply();
    assert_int_equal(applied.left_out, 4);
    assert_int_equal(sql("SELECT count(*) FROM learner WHERE name = 'Ida'"), 1);
    /* two who want one name: the first has it */
    begin();
    learner(20, "Zoe");
    learner(21, "zoe");
    finish();
    apply();
    assert_int_equal(applied.left_out, 5);
    assert_int_equal(sql("SELECT count(*) FROM learner WHERE name_key = 'zoe'"), 1);
}

/* Two of a ring can go round, a third wants what is taken: the ring is not broken for it in silence. */
static void test_ring_with_another(void **state)
{
    (void)state;
    practised(50, "Local", 1);
    begin();
    learner(1, "A");
    learner(2, "B");
    learner(3, "C");
    finish();
    apply();
    begin();
    learner(1, "B");
    learner(2, "A");
    learner(3, "Local");
    learner(4, "C");
    finish();
    apply();
    assert_int_equal(applied.learners, 2);
    assert_int_equal(applied.left_out, 2);
    expect("2 A; 1 B; 3 C; 50 Local; ");
}

static const char *kept_of(const char *typed)
{
    static char kept[SECRET_TEXT];
    assert_true(secret_make(kept, typed, (ptrdiff_t)strlen(typed), PIN_SHORTEST, &fixture.error));
    return kept;
}

static enum pin_outcome try_pin(int id, const char *typed)
{
    struct uuid uuid = fixture_id(id);
    enum pin_outcome outcome;
    assert_true(pin_try(store, &uuid, typed, (ptrdiff_t)strlen(typed), &outcome, NULL, &fixture.error));
    return outcome;
}

static void test_pins(void **state)
{
    (void)state;
    begin();
    learner(1, "Ada");
    learner(2, "Bob");
    pin(1, kept_of("2468"));
    pin(2, "no hash");
    pin(77, kept_of("2468")); /* nobody */
    finish();
    apply();
    assert_int_equal(applied.pins, 1);
    assert_int_equal(try_pin(1, "1111"), PIN_OUTCOME_WRONG);
    assert_int_equal(try_pin(1, "1112"), PIN_OUTCOME_WRONG);
    assert_int_equal(try_pin(2, "2468"), PIN_OUTCOME_UNSET);
    apply_again();
    begin();
    pin(1, kept_of("1357"));
    finish();
    apply();
    assert_int_equal(applied.pins, 1);
    assert_int_equal(sql("SELECT failures FROM pin_try"), 2); /* who guesses gains nothing */
    assert_int_equal(try_pin(1, "2468"), PIN_OUTCOME_WRONG);
    assert_int_equal(try_pin(1, "1357"), PIN_OUTCOME_RIGHT);
    begin();
    pin(1, NULL);
    finish();
    apply();
    assert_int_equal(applied.pins, 1);
    assert_int_equal(try_pin(1, "1357"), PIN_OUTCOME_UNSET);
}

/* Each machine had made its own Ada; a tutor made one of the two. On both machines that works. */
static void test_merges(void **state)
{
    for (int machine = 0; machine < 2; machine++) {
        if (machine) {
            end(state);
            start(state);
        }
        int own = machine ? 2 : 1, other = machine ? 1 : 2;
        practised(own, "Ada", 1);
        begin();
        learner(own, "Ada");
        learner(other, "Ada");
        pin(other, kept_of("2468"));
        finish();
        apply();
        assert_int_equal(applied.left_out, 1);
        begin();
        merged(1, 2);
        learner_more(2, "Ada", "\"groups\":[\"7a\"]");
        finish();
        apply();
        assert_int_equal(applied.left_out, 0);
        assert_int_equal(applied.merged, machine ? 0 : 1);
        expect("2 Ada in=7a; ");
        assert_int_equal(attempts_of(2), 1);
        assert_int_equal(try_pin(2, "2468"), machine ? PIN_OUTCOME_UNSET : PIN_OUTCOME_RIGHT);
        apply_again();
        struct store_rebuild report;
        assert_true(store_rebuild(store, &report, &fixture.error));
        assert_int_equal(report.different, 0);
    }
}

static void test_merge_chain(void **state)
{
    (void)state;
    practised(1, "Ann", 1);
    practised(2, "Anne", 2);
    practised(4, "Cy", 3);
    begin();
    learner(3, "Anna");
    learner_more(5, "Cy", "\"login\":\"cy\"");
    merged(1, 2);
    merged(2, 3);
    merged(4, 5);
    merged(60, 61); /* nobody here */
    merged(61, 60); /* a ring */
    merged(3, 3);
    learner(3, "Anna");
    finish();
    apply();
    assert_int_equal(applied.merged, 3);
    assert_int_equal(attempts_of(3), 2);
    assert_int_equal(attempts_of(5), 1);
    expect("3 Anna; 5 Cy login=cy; ");
    apply_again();
    practised(1, "Ann", 9); /* one who went on practising meanwhile is the one they were merged into */
    assert_int_equal(attempts_of(3), 3);
}

static void test_erases(void **state)
{
    (void)state;
    store_close(store);
    struct heal_report healed = { 0 };
    assert_true(heal_open(&store, fixture.path, &fixture.options, NULL, &healed, &fixture.error));
    heal_report_finish(&healed);
    practised(1, "Ada Erasable", 1);
    practised(2, "Bob", 2);
    begin();
    learner(1, "Ada Erasable");
    learner(2, "Bob");
    finish();
    apply();
    begin();
    erased(1);
    erased(88); /* never here */
    finish();
    apply();
    assert_int_equal(applied.erased, 1);
    assert_int_equal(applied.waiting, 0);
    expect("2 Bob; ");
    apply_again();
    /* nothing of her in any file */
    static const char *const endings[] = { "", "-wal", "-attempts", "-sync" };
    for (int i = 0; i < 4; i++) {
        char name[sizeof path + 16];
        static char bytes[1 << 20];
        snprintf(name, sizeof name, "%s%s", fixture.path, endings[i]);
        FILE *file = fopen(name, "rb");
        if (!file)
            continue;
        size_t length = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        assert_null(memmem(bytes, length, "Erasable", 8));
    }
    /* late: a practice of hers that still ran does not bring her back, nor does an old item */
    struct store_session late = fixture_session(1, 1, "Ada Erasable");
    struct store_attempt attempt = fixture_attempt(7, "tour/q2", OUTCOME_RIGHT);
    assert_false(store_add_attempt(store, &late, &attempt, NULL, &fixture.error));
    begin();
    learner(1, "Ada Erasable");
    finish();
    apply();
    assert_int_equal(applied.learners, 0);
    expect("2 Bob; ");
}

/* Her session runs: it waits, and the rest goes on. */
static void test_waits(void **state)
{
    (void)state;
    practised(1, "Ada", 1);
    practised(2, "Bob", 2);
    practised(3, "Cy", 3);
    struct store *other = fixture_open(&fixture);
    struct uuid session = fixture_id(1);
    assert_true(store_hold_session(other, &session, &fixture.error));
    begin();
    erased(1);
    learner(2, "Bobby");
    erased(3);
    finish();
    apply();
    assert_int_equal(applied.waiting, 1);
    assert_int_equal(applied.erased, 1);
    assert_int_equal(applied.version, 0);
    expect("1 Ada; 2 Bobby; ");
    apply();
    assert_int_equal(applied.waiting, 1);
    store_release_session(other, &session);
    store_close(other);
    apply();
    assert_int_equal(applied.waiting, 0);
    assert_int_equal(applied.erased, 1);
    assert_int_equal(applied.version, version);
    expect("2 Bobby; ");
    apply_again();
}

/* Another server, or one that was set back: all that it says counts anew. */
static void test_other_server(void **state)
{
    (void)state;
    begin();
    learner(1, "Ada");
    finish();
    apply();
    version = 0;
    begin();
    struct pulled_mark mark = { .server = fixture_id(901) };
    assert_true(pulled_set_mark(centre, &mark, &fixture.error));
    learner(1, "Ada of the other");
    finish_of(901);
    apply();
    expect("1 Ada of the other; ");
    version = 8;
    begin();
    learner(1, "Ada the ninth");
    finish_of(901);
    apply();
    assert_int_equal(applied.version, 9);
    version = 2;
    begin();
    learner(1, "Ada set back");
    finish_of(901);
    apply();
    assert_int_equal(applied.version, 3);
    expect("1 Ada set back; ");
    apply_again();
}

static void test_local_erasure_stays(void **state)
{
    struct uuid id = fixture_id(1);
    struct roster_count gone;
    (void)state;
    begin();
    learner(1, "Ada");
    finish();
    apply();
    assert_true(roster_erase(store, &id, &gone, &fixture.error));
    begin();
    learner(1, "Ada again");
    finish();
    apply();
    assert_int_equal(applied.learners, 0);
    expect("");
}

static void test_local_merge_stays(void **state)
{
    struct uuid one = fixture_id(1), other = fixture_id(2);
    struct roster_count moved;
    (void)state;
    begin();
    learner(1, "Ada");
    learner(2, "Adda");
    finish();
    apply();
    assert_true(roster_merge(store, &one, &other, &moved, &fixture.error));
    begin();
    learner(1, "Ada again");
    erased(1);
    finish();
    apply();
    assert_int_equal(applied.learners, 0);
    assert_int_equal(applied.erased, 0);
    expect("2 Adda; ");
}

static void test_damaged(void **state)
{
    static unsigned char bytes[1 << 20], hurt[1 << 20];
    unsigned long seed = 11;
    int whole = 0, damaged = 0;
    (void)state;
    begin();
    learner(1, "Ada");
    finish();
    apply();
    for (int id = 1; id <= 12; id++) {
        char name[30];
        begin();
        snprintf(name, sizeof name, "Pulled %02d", id);
        learner_more(id, name, "\"groups\":[\"7a\"]");
        finish();
    }
    FILE *file = fopen(path, "rb");
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (int round = 0; round < slice_of(120); round++) {
        memcpy(hurt, bytes, length);
        size_t kept = length;
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        size_t at = (size_t)(seed >> 33) % length;
        if (round % 5 == 0)
            kept = at;
        else
            hurt[at] ^= (unsigned char)(1 << (seed >> 20 & 7));
        file = fopen(path, "wb");
        fwrite(hurt, 1, kept, file);
        fclose(file);
        if (pulled_apply(store, fixture.path, &applied, &changed, &fixture.error)) {
            whole += changed;
        } else {
            damaged++;
            assert_true(fixture.error.code == ERROR_DAMAGED || fixture.error.code == ERROR_NEWER);
            assert_false(changed);
        }
        /* what was there, or what the centre says: nothing else */
        assert_int_equal(
            sql("SELECT count(*) FROM learner WHERE name <> 'Ada' AND name NOT LIKE 'Pulled __'"), 0);
        int64_t count = sql("SELECT count(*) FROM learner");
        assert_true(count == 1 || count == 12);
        fixture_sql(fixture.path, "UPDATE pulled SET version = 1");
        fixture_sql(fixture.path, "DELETE FROM member");
        fixture_sql(fixture.path,
                    "DELETE FROM learner WHERE learner_id <> (SELECT min(learner_id) FROM learner)");
        fixture_sql(fixture.path, "UPDATE learner SET name = 'Ada', name_key = 'ada'");
    }
    assert_true(whole > 0 && damaged > 0);
}

/* No memory at any place: it can be done again, and comes to the same. */
static void test_memory(void **state)
{
    bool done = false;
    (void)state;
    practised(1, "Ada", 1);
    practised(2, "Adda", 2);
    practised(3, "Cy", 3);
    begin();
    learner_more(2, "Adda", "\"groups\":[\"7a\",\"7b\"]");
    learner(4, "Di");
    learner(5, "Cy");
    merged(1, 2);
    erased(3);
    pin(2, kept_of("2468"));
    finish();
    int at = 1;
    for (; !done && at < 2000; at++) {
        memory_fail_after(at);
        done = pulled_apply(store, fixture.path, &applied, &changed, &fixture.error);
        memory_fail_after(0);
        if (!done)
            assert_true(fixture.error.code == ERROR_MEMORY || fixture.error.code == ERROR_IO);
    }
    assert_true(done);
    assert_true(at > 10);
    expect("2 Adda in=7a; 2 Adda in=7b; 5 Cy; 4 Di; ");
    assert_int_equal(attempts_of(2), 2);
}

/* Killed between any two steps: the next time makes it good. */
static void test_killed(void **state)
{
    (void)state;
    for (int round = 0; round < slice_of(24); round++) {
        end(state);
        start(state);
        for (int i = 1; i <= 9; i++)
            practised(i, (const char *[]){ "A", "B", "C", "D", "E", "F", "G", "H", "I" }[i - 1], i);
        begin();
        learner_more(1, "B", "\"groups\":[\"7a\"]");
        learner(2, "A");
        learner(10, "I");
        erased(3);
        erased(4);
        merged(5, 6);
        merged(7, 8);
        learner(6, "Feh");
        learner(8, "Hah");
        erased(9);
        pin(1, kept_of("2468"));
        finish();
        store_close(store);
        store = NULL;
        pid_t child = fork();
        if (child == 0) {
            store = fixture_open(&fixture);
            pulled_apply(store, fixture.path, &applied, &changed, NULL);
            _exit(0);
        }
        usleep((useconds_t)(500 + round * 1100));
        kill(child, SIGKILL);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        store = fixture_open(&fixture);
        apply();
        expect("2 A; 1 B in=7a; 6 Feh; 8 Hah; 10 I; ");
        assert_int_equal(attempts_of(6), 2);
        assert_int_equal(attempts_of(8), 2);
        assert_int_equal(sql("SELECT count(*) FROM attempt"), 6);
        assert_int_equal(sql("SELECT unclean FROM meta"), 0);
        assert_int_equal(sql("SELECT count(*) FROM pin"), 1);
        assert_int_equal(sql("SELECT count(*) FROM event WHERE kind = 'merged'"), 2);
        apply_again();
    }
}

static void test_read_only(void **state)
{
    struct store_options reading = fixture.options;
    struct store *other;
    (void)state;
    begin();
    learner(1, "Ada");
    finish();
    reading.reading = true;
    assert_true(store_open(&other, fixture.path, &reading, &fixture.error));
    assert_true(pulled_apply(other, fixture.path, &applied, &changed, &fixture.error));
    assert_false(changed);
    store_close(other);
    assert_true(store_open_memory(&other, &fixture.options, &fixture.error));
    assert_true(pulled_apply(other, fixture.path, &applied, &changed, &fixture.error));
    assert_false(changed);
    store_close(other);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, start, end)
    const struct CMUnitTest tests[] = {
        T(test_roster_arrives),
        T(test_swap),
        T(test_chain),
        T(test_left_out),
        T(test_ring_with_another),
        T(test_pins),
        T(test_merges),
        T(test_merge_chain),
        T(test_erases),
        T(test_waits),
        T(test_other_server),
        T(test_local_erasure_stays),
        T(test_local_merge_stays),
        T(test_damaged),
        T(test_memory),
        T(test_killed),
        T(test_read_only),
    };
    fixture_in_memory();
    return !hash_start() || cmocka_run_group_tests(tests, NULL, NULL);
}
