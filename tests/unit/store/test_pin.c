/* PINs and the tries at them, over both implementations; and in SQLite what restarts, other processes, kills,
 * failing memory and a stranger's rows do to them. */
#include "fixture.h"

#include <quiztutor/backup.h>
#include <quiztutor/intake.h>
#include <quiztutor/pin.h>
#include <quiztutor/roster.h>

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ANN = 1001, BEA = 1002, MINUTE = 60000 };

static struct fixture fixture;
static struct store *store;
static struct error error;
static struct pin_state state;

/* libsodium's, through here: so that a test can end the process between the count and the look, or have no
 * memory for the look; and knows how often anything was looked at. */
static enum { LOOK_WELL, LOOK_KILLED, LOOK_NO_MEMORY } looking;
static int looks;

int crypto_pwhash_str_verify(const char text[128], const char *typed, unsigned long long length);
int crypto_pwhash_str_verify(const char text[128], const char *typed, unsigned long long length)
{
    int (*real)(const char *, const char *, unsigned long long);
    *(void **)&real = dlsym(RTLD_NEXT, "crypto_pwhash_str_verify");
    looks++;
    if (looking == LOOK_KILLED)
        raise(SIGKILL);
    if (looking == LOOK_NO_MEMORY) {
        errno = ENOMEM;
        return -1;
    }
    return real(text, typed, length);
}

static void meet(struct store *in, int session, int learner, const char *name)
{
    struct store_session of = fixture_session(session, learner, name);
    struct store_attempt attempt = fixture_attempt(session + 500, "q1", OUTCOME_RIGHT);
    fixture_add(in, &of, &attempt);
}

static void begin(void)
{
    fixture.time.steady = 5000;
    looking = LOOK_WELL;
    looks = 0;
    meet(store, 1, ANN, "Ann");
    meet(store, 2, BEA, "Bea");
}

static int start_sqlite(void **unused)
{
    (void)unused;
    fixture_start(&fixture);
    store = fixture_open(&fixture);
    begin();
    return 0;
}

static int start_memory(void **unused)
{
    (void)unused;
    fixture_start(&fixture);
    if (!store_open_memory(&store, &fixture.options, &error))
        return -1;
    begin();
    return 0;
}

static int end(void **unused)
{
    (void)unused;
    store_close(store);
    fixture_end(&fixture);
    return 0;
}

static void reopen(void)
{
    store_close(store);
    store = fixture_open(&fixture);
}

static bool set(int learner, const char *typed)
{
    struct uuid id = fixture_id(learner);
    return pin_set(store, &id, typed, (ptrdiff_t)strlen(typed), &error);
}

/* "right", "wrong 3", "wrong 5 wait 30000", "early 5 wait 17", "none": what a try came to */
static const char *say(enum pin_outcome outcome)
{
    static const char *const words[] = { "right", "wrong", "early", "none" };
    static char text[80];
    int length = snprintf(text, sizeof text, "%s", words[outcome]);
    if (state.failures)
        length += snprintf(text + length, sizeof text - (size_t)length, " %d", state.failures);
    if (state.wait_ms)
        snprintf(text + length, sizeof text - (size_t)length, " wait %lld", (long long)state.wait_ms);
    return text;
}

static const char *try_bytes(int learner, const char *typed, ptrdiff_t length)
{
    struct uuid id = fixture_id(learner);
    enum pin_outcome outcome;
    if (!pin_try(store, &id, typed, length, &outcome, &state, &error))
        fail_msg("%s", error.message);
    return say(outcome);
}

static const char *try(int learner, const char *typed)
{
    return try_bytes(learner, typed, (ptrdiff_t)strlen(typed));
}

static struct pin_state *look(int learner)
{
    struct uuid id = fixture_id(learner);
    if (!pin_look(store, &id, &state, &error))
        fail_msg("%s", error.message);
    return &state;
}

static void fail_times(int learner, int times)
{
    for (int i = 0; i < times; i++)
        try(learner, "wrong");
}

static void test_set_and_tried(void **unused)
{
    (void)unused;
    struct uuid nobody = fixture_id(77), zero = { { 0 } };
    enum pin_outcome outcome;
    bool was = true;
    assert_false(look(ANN)->set);
    assert_string_equal(try(ANN, "2468"), "none");
    assert_int_equal(looks, 0);
    assert_true(set(ANN, "2468"));
    assert_true(look(ANN)->set);
    assert_false(look(BEA)->set);
    assert_string_equal(try(ANN, "2468"), "right");
    assert_string_equal(try(ANN, "2469"), "wrong 1");
    assert_int_equal(state.left, 4);
    assert_string_equal(try(ANN, "24680"), "wrong 2");
    assert_string_equal(try(BEA, "2468"), "none");
    assert_string_equal(try(ANN, "2468"), "right");
    assert_string_equal(try(ANN, "2469"), "wrong 1"); /* a right one forgets the others */
    assert_true(set(ANN, "1357"));
    assert_int_equal(look(ANN)->failures, 0); /* and so does another PIN */
    assert_string_equal(try(ANN, "2468"), "wrong 1");
    assert_string_equal(try(ANN, "1357"), "right");
    struct uuid ann = fixture_id(ANN);
    assert_true(pin_clear(store, &ann, &was, &error) && was);
    assert_true(pin_clear(store, &ann, &was, &error) && !was);
    assert_true(pin_clear(store, &ann, NULL, &error));
    assert_string_equal(try(ANN, "1357"), "none");
    assert_false(pin_set(store, &nobody, "2468", 4, &error));
    assert_int_equal(error.code, ERROR_NOT_FOUND);
    assert_false(pin_try(store, &nobody, "2468", 4, &outcome, &state, &error));
    assert_false(pin_look(store, &nobody, &state, &error));
    assert_false(pin_try(store, &zero, "2468", 4, &outcome, &state, &error)); /* which is the tutor's */
    assert_int_equal(error.code, ERROR_NOT_FOUND);
    assert_false(pin_set(store, &zero, "2468", 4, &error));
}

static void test_waits_double(void **unused)
{
    (void)unused;
    assert_true(set(ANN, "2468"));
    fail_times(ANN, 4);
    assert_int_equal(state.left, 1);
    assert_string_equal(try(ANN, "wrong"), "wrong 5 wait 30000");
    assert_int_equal(looks, 5);
    assert_string_equal(try(ANN, "2468"), "early 5 wait 30000"); /* not looked at, not counted */
    assert_int_equal(looks, 5);
    fixture.time.steady += 29999;
    assert_string_equal(try(ANN, "2468"), "early 5 wait 1");
    fixture.time.steady += 1;
    assert_int_equal(look(ANN)->wait_ms, 0);
    assert_int_equal(state.left, 1);
    assert_string_equal(try(ANN, "wrong"), "wrong 6 wait 60000");
    static const int64_t waits[] = { 120000, 240000, 480000, 960000, 1920000, 3600000, 3600000, 3600000 };
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        fixture.time.steady += state.wait_ms;
        try(ANN, "wrong");
        assert_true(state.wait_ms == waits[i]);
    }
    assert_string_equal(try(BEA, "wrong"), "none"); /* each for themselves */
    fixture.time.steady += 3600000;
    assert_string_equal(try(ANN, "2468"), "right");
    assert_int_equal(look(ANN)->failures, 0);
}

static void test_clocks_that_are_set(void **unused)
{
    (void)unused;
    assert_true(set(ANN, "2468"));
    fail_times(ANN, 5);
    int64_t wall = fixture.time.wall;
    static const int64_t moves[] = { MINUTE, 1000 * INT64_C(86400000), -1000 * INT64_C(86400000),
                                     INT64_MIN / 2 };
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        fixture.time.wall = wall + moves[i];
        assert_int_equal(look(ANN)->wait_ms, 30000);
        fixture.time.steady += 30000;
        assert_int_equal(look(ANN)->wait_ms, 0);
        fixture.time.steady -= 30000;
    }
    fixture.time.wall = wall + INT64_C(86400000);
    assert_string_equal(try(ANN, "2468"), "early 5 wait 30000");
}

/* What the clock says after another start is the least that has passed. */
static void test_restarted_machine(void **unused)
{
    (void)unused;
    assert_true(set(ANN, "2468"));
    fixture.time.steady = 900000;
    fail_times(ANN, 5);
    fixture.time.boot++;
    fixture.time.steady = 2000;
    fixture.time.wall += 10 * MINUTE; /* it was off, or that was set */
    assert_int_equal(look(ANN)->wait_ms, 28000);
    fixture.time.steady = 950000; /* behind the old start's time: it is another one */
    assert_int_equal(look(ANN)->wait_ms, 0);
    fixture.time.steady = 29000;
    assert_string_equal(try(ANN, "2468"), "early 5 wait 1000");
    fixture.time.steady = 30000;
    assert_string_equal(try(ANN, "wrong"), "wrong 6 wait 60000");
    assert_int_equal(look(ANN)->wait_ms, 60000);
}

static bool no_boot(void *context, struct uuid *boot)
{
    (void)context, (void)boot;
    return false;
}

/* Nothing tells one start from another: never shorter all the same. */
static void test_unknown_start(void **unused)
{
    (void)unused;
    store->clock.boot = no_boot;
    assert_true(set(ANN, "2468"));
    fixture.time.steady = 900000;
    fail_times(ANN, 5);
    fixture.time.wall += INT64_C(86400000);
    assert_int_equal(look(ANN)->wait_ms, 30000);
    fixture.time.steady += 10000;
    assert_int_equal(look(ANN)->wait_ms, 20000);
    fixture.time.steady = 1000;
    assert_int_equal(look(ANN)->wait_ms, 29000);
}

static void expect_refused(const char *typed, ptrdiff_t length)
{
    struct uuid ann = fixture_id(ANN);
    memset(&error, 0, sizeof error);
    if (pin_set(store, &ann, typed, length, &error))
        fail_msg("%ld bytes were taken", (long)length);
    assert_int_equal(error.code, ERROR_INPUT);
    assert_null(strstr(error.message, "2468"));
}

static void test_hostile_input(void **unused)
{
    (void)unused;
    enum { HUGE_PIN = 10 << 20 };
    static const struct {
        const char *bytes;
        ptrdiff_t length;
    } bad[] = { { "", 0 },           { "246", 3 },      { "2468\0", 5 },
                { "2468\0x", 6 },    { "2468\n", 5 },   { "24\t68", 5 },
                { "2468\xff", 5 },   { "2468\xc3", 5 }, { "2468\xed\xa0\x80", 7 },
                { "2468\x1b[A", 7 }, { "2468\x7f", 5 }, { "2468\xe2\x80\xae", 7 } };
    char *big = memory_alloc(HUGE_PIN);
    assert_non_null(big);
    memset(big, '7', HUGE_PIN);
    assert_true(set(ANN, "2468"));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_refused(bad[i].bytes, bad[i].length);
    expect_refused(big, HUGE_PIN);
    expect_refused(big, SECRET_LONGEST + 1);
    assert_string_equal(try(ANN, "2468"), "right"); /* still */
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char expected[40];
        fixture.time.steady += PIN_WAIT_LONGEST;
        try_bytes(ANN, bad[i].bytes, bad[i].length);
        snprintf(expected, sizeof expected, "wrong %d", (int)i + 1);
        assert_memory_equal(say(PIN_OUTCOME_WRONG), expected, strlen(expected)); /* tries as any other */
    }
    fixture.time.steady += PIN_WAIT_LONGEST;
    assert_memory_equal(try_bytes(ANN, big, HUGE_PIN), "wrong", 5);
    fixture.time.steady += PIN_WAIT_LONGEST;
    assert_string_equal(try(ANN, "2468"), "right");
    struct uuid ann = fixture_id(ANN);
    assert_true(pin_set(store, &ann, big, SECRET_LONGEST, &error));
    assert_string_equal(try_bytes(ANN, big, SECRET_LONGEST), "right");
    assert_string_equal(try_bytes(ANN, big, SECRET_LONGEST - 1), "wrong 1");
    memory_free(big);
}

static void test_forms_of_a_letter(void **unused)
{
    (void)unused;
    char decomposed[400] = "", composed[400] = "";
    assert_true(set(ANN, "caf\xc3\xa9"));
    assert_string_equal(try(ANN, "cafe\xcc\x81"), "right");
    assert_string_equal(try(ANN, "cafe"), "wrong 1");
    assert_string_equal(try(ANN, "Caf\xc3\xa9"), "wrong 2");
    assert_string_equal(try(ANN, "caf\xc3\xa9 "), "wrong 3");
    for (int i = 0; i < SECRET_LONGEST; i++) {
        strcat(decomposed, "e\xcc\x81");
        strcat(composed, "\xc3\xa9");
    }
    assert_true(set(ANN, decomposed)); /* 64 in the form that is kept */
    assert_string_equal(try(ANN, composed), "right");
    strcat(decomposed, "e");
    expect_refused(decomposed, (ptrdiff_t)strlen(decomposed));
    assert_false(set(ANN, "\xc3\xa9\xc3\xa9\xc3\xa9")); /* three */
    assert_true(set(ANN, "\xf0\x9f\x94\x91\xf0\x9f\x94\x91\xf0\x9f\x94\x91\xf0\x9f\x94\x91"));
}

static void test_merged_learners(void **unused)
{
    (void)unused;
    struct roster_count moved;
    struct uuid ann = fixture_id(ANN), bea = fixture_id(BEA);
    assert_true(set(ANN, "2468"));
    assert_true(set(BEA, "1357"));
    fail_times(ANN, 1);
    fail_times(BEA, 3);
    assert_true(roster_merge(store, &bea, &ann, &moved, &error));
    assert_int_equal(look(ANN)->failures, 3); /* nothing is won by it */
    assert_string_equal(try(ANN, "1357"), "wrong 4");
    assert_string_equal(try(BEA, "2468"), "right"); /* one and the same now */
    meet(store, 3, BEA + 1, "Cy");
    assert_true(set(BEA, "1234"));
    assert_string_equal(try(ANN, "1234"), "right");
    struct uuid cy = fixture_id(BEA + 1);
    assert_true(roster_merge(store, &ann, &cy, &moved, &error)); /* who had none has it now */
    assert_string_equal(try(BEA + 1, "1234"), "right");
    assert_string_equal(try(ANN, "12345"), "wrong 1");
    assert_true(store_check(store, &error));
}

static void test_erased_learner(void **unused)
{
    (void)unused;
    struct roster_count gone;
    struct uuid ann = fixture_id(ANN);
    assert_true(set(ANN, "2468"));
    assert_true(set(BEA, "1357"));
    fail_times(ANN, 2);
    assert_true(roster_erase(store, &ann, &gone, &error));
    assert_false(pin_look(store, &ann, &state, &error));
    assert_int_equal(error.code, ERROR_NOT_FOUND);
    assert_string_equal(try(BEA, "1357"), "right");
    assert_true(store_check(store, &error));
}

/* ---- a tutor's code ---- */

static struct pin_count here;
static char code_kept[SECRET_TEXT];

static const char *try_code(struct store *in, const char *typed)
{
    enum pin_outcome outcome;
    if (!pin_try_code(in, &fixture.options.clock, &here, code_kept, typed, (ptrdiff_t)strlen(typed), &outcome,
                      &state, &error))
        fail_msg("%s", error.message);
    return say(outcome);
}

static void make_code(void)
{
    memset(&here, 0, sizeof here);
    assert_false(pin_code_make(code_kept, "opens7!", 7, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_true(pin_code_make(code_kept, "opens it", 8, &error));
    assert_true(secret_is_kept(code_kept));
    assert_null(strstr(code_kept, "opens"));
}

static void test_code(void **unused)
{
    (void)unused;
    make_code();
    assert_string_equal(try_code(store, "opens it"), "right");
    for (int i = 0; i < 4; i++)
        try_code(store, "opens not");
    assert_string_equal(try_code(store, "opens not"), "wrong 5 wait 30000");
    assert_string_equal(try_code(store, "opens it"), "early 5 wait 30000");
    assert_true(pin_look_code(store, &fixture.options.clock, &here, &state, &error));
    assert_int_equal(state.wait_ms, 30000);
    for (int i = 0; i < 6; i++) {
        fixture.time.steady += state.wait_ms;
        try_code(store, "opens not");
    }
    assert_int_equal(state.wait_ms, PIN_CODE_WAIT_LONGEST);
    fixture.time.steady += state.wait_ms;
    assert_int_equal(look(ANN)->failures, 0); /* it is nobody's else */
    assert_string_equal(try_code(store, "opens it"), "right");
    assert_true(pin_look_code(store, &fixture.options.clock, &here, &state, &error));
    assert_int_equal(state.failures, 0);
}

static void test_code_without_a_store(void **unused)
{
    (void)unused;
    make_code();
    for (int i = 0; i < 5; i++)
        try_code(NULL, "opens not");
    assert_string_equal(say(PIN_OUTCOME_WRONG), "wrong 5 wait 30000");
    assert_string_equal(try_code(NULL, "opens it"), "early 5 wait 30000");
    assert_string_equal(try_code(store, "opens it"), "early 5 wait 30000"); /* should it come back */
    fixture.time.steady += 30000;
    assert_string_equal(try_code(NULL, "opens it"), "right");
    assert_int_equal(here.failures, 0);
    strcpy(code_kept, "no code at all");
    enum pin_outcome outcome;
    assert_false(
        pin_try_code(NULL, &fixture.options.clock, &here, code_kept, "opens it", 8, &outcome, NULL, &error));
    assert_int_equal(error.code, ERROR_INPUT);
}

static void test_kept_texts(void **unused)
{
    (void)unused;
    static const char *const bad[] = {
        "",
        "2468",
        "$argon2id$",
        "$argon2i$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$aaaa",
        "$argon2id$v=19$m=4194304,t=2,p=1$",
        "$argon2id$v=19$m=19456,t=99,p=1$",
    };
    bool fits;
    make_code();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(secret_is_kept(bad[i]));
        assert_false(secret_fits(bad[i], "opens it", 8, &fits, &error) || fits);
        assert_int_equal(error.code, ERROR_INPUT);
    }
    assert_non_null(strstr(code_kept, "$m=19456,t=2,p=1$"));
    char text[SECRET_TEXT + 40];
    size_t length = strlen(code_kept);
    for (size_t i = 0; i < length; i++) { /* one byte less, more, or another */
        snprintf(text, sizeof text, "%.*s%s", (int)i, code_kept, code_kept + i + 1);
        assert_false(secret_is_kept(text) && secret_fits(text, "opens it", 8, &fits, &error) && fits);
        snprintf(text, sizeof text, "%.*s %s", (int)i, code_kept, code_kept + i);
        assert_false(secret_is_kept(text));
        strcpy(text, code_kept);
        text[i] = '!';
        assert_false(secret_is_kept(text));
    }
    memset(text, '$', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_false(secret_is_kept(text));
}

/* ---- in SQLite ---- */

static void test_kept_over_opening(void **unused)
{
    (void)unused;
    assert_true(set(ANN, "2468"));
    fail_times(ANN, 3);
    reopen();
    assert_string_equal(try(ANN, "wrong"), "wrong 4");
    assert_string_equal(try(ANN, "wrong"), "wrong 5 wait 30000");
    reopen();
    assert_string_equal(try(ANN, "2468"), "early 5 wait 30000");
    fixture.time.boot++;
    fixture.time.steady = 0;
    fixture.time.wall += INT64_C(86400000);
    reopen();
    assert_string_equal(try(ANN, "2468"), "early 5 wait 30000");
    fixture.time.steady = 30000;
    assert_string_equal(try(ANN, "2468"), "right");
    reopen();
    assert_string_equal(try(ANN, "wrong"), "wrong 1");
}

/* The plug is pulled between a try and its outcome: it has counted. */
static void test_killed_before_the_look(void **unused)
{
    (void)unused;
    static const char *const typed[] = { "2468", "wrong", "2468", "wrong", "2468" };
    assert_true(set(ANN, "2468"));
    store_close(store);
    for (int i = 0; i < PIN_TRIES; i++) {
        pid_t child = fork();
        int status;
        assert_true(child >= 0);
        if (child == 0) {
            store = fixture_open(&fixture);
            looking = LOOK_KILLED;
            try(ANN, typed[i]);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    }
    store = fixture_open(&fixture);
    assert_int_equal(look(ANN)->failures, PIN_TRIES);
    assert_string_equal(try(ANN, "2468"), "early 5 wait 30000");
    assert_true(store_check(store, &error));
}

/* Guessing in several places at once is worth no more than in one. */
static void test_two_processes(void **unused)
{
    (void)unused;
    enum { GUESSERS = 3, GUESSES = 15 };
    pid_t children[GUESSERS];
    int *counts = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(counts != MAP_FAILED);
    assert_true(set(ANN, "2468"));
    store_close(store);
    fixture.around.lock_wait_ms = 60000;
    for (int i = 0; i < GUESSERS; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) {
            store = fixture_open(&fixture);
            for (int k = 0; k < GUESSES; k++)
                counts[i] += strncmp(try(ANN, "wrong"), "wrong", 5) == 0;
            _exit(looks == counts[i] ? 0 : 1);
        }
    }
    int all = 0;
    for (int i = 0; i < GUESSERS; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
        all += counts[i];
    }
    assert_int_equal(all, PIN_TRIES); /* what was looked at in all */
    munmap(counts, 4096);
    store = fixture_open(&fixture);
    assert_int_equal(look(ANN)->failures, PIN_TRIES);
}

static void test_another_machine(void **unused)
{
    (void)unused;
    assert_true(set(ANN, "2468"));
    fail_times(ANN, 5);
    fixture_sql(fixture.path, "UPDATE pin_try SET device_id = randomblob(16), boot_id = randomblob(16)");
    fixture.time.steady = 900000; /* this one runs for long */
    assert_int_equal(look(ANN)->wait_ms, 30000);
    fixture.time.wall += 10000;
    assert_int_equal(look(ANN)->wait_ms, 20000);
    fixture.time.wall -= INT64_C(86400000); /* its clock is behind: nobody is kept out for a day */
    assert_int_equal(look(ANN)->wait_ms, 0);
}

/* Rows that nobody here wrote. */
static void test_strange_rows(void **unused)
{
    (void)unused;
    static const char *const rows[] = {
        "UPDATE pin_try SET wait_ms = 9223372036854775807, since_steady = 9223372036854775807",
        "UPDATE pin_try SET wait_ms = 9223372036854775807, since_steady = -9223372036854775807-1, boot_id = "
        "NULL",
        "UPDATE pin_try SET wait_ms = -5, failures = -9223372036854775807",
        "UPDATE pin_try SET failures = 9223372036854775807, device_id = NULL, boot_id = x'00',"
        " at = -9223372036854775807-1",
        "UPDATE pin_try SET at = 9223372036854775807, device_id = randomblob(16), boot_id = randomblob(16)",
    };
    assert_true(set(ANN, "2468"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fail_times(ANN, 1);
        fixture_sql(fixture.path, rows[i]);
        int64_t wait = look(ANN)->wait_ms;
        assert_true(wait >= 0 && wait <= PIN_WAIT_LONGEST && state.failures >= 0);
        fixture.time.steady += PIN_WAIT_LONGEST;
        fixture.time.wall += PIN_WAIT_LONGEST;
        assert_int_equal(look(ANN)->wait_ms, 0);
        assert_memory_equal(try(ANN, "wrong"), "wrong ", 6);
        fixture.time.steady += PIN_WAIT_LONGEST;
        assert_string_equal(try(ANN, "2468"), "right");
    }
    static const char *const kepts[] = { "''", "'2468'", "hex(zeroblob(1000))",
                                         "'$argon2id$v=19$m=99999,t=2,p=1$' || substr(kept, 32)" };
    struct uuid ann = fixture_id(ANN);
    enum pin_outcome outcome = PIN_OUTCOME_RIGHT;
    for (size_t i = 0; i < sizeof kepts / sizeof *kepts; i++) {
        char sql[200];
        snprintf(sql, sizeof sql, "UPDATE pin SET kept = %s", kepts[i]);
        assert_true(set(ANN, "2468"));
        fixture_sql(fixture.path, sql);
        assert_false(pin_try(store, &ann, "2468", 4, &outcome, &state, &error));
        assert_int_not_equal(outcome, PIN_OUTCOME_RIGHT);
    }
    assert_true(set(ANN, "2468")); /* the way out of it */
    assert_string_equal(try(ANN, "2468"), "right");
}

static void test_store_that_cannot_count(void **unused)
{
    (void)unused;
    struct uuid ann = fixture_id(ANN);
    enum pin_outcome outcome;
    assert_true(set(ANN, "2468"));
    make_code();
    store_close(store);
    fixture.options.reading = true;
    store = fixture_open(&fixture);
    assert_false(pin_try(store, &ann, "2468", 4, &outcome, &state, &error));
    assert_int_equal(error.code, ERROR_READ_ONLY);
    assert_int_equal(looks, 0); /* nobody is let in, nothing was looked at */
    assert_true(look(ANN)->set);
    for (int i = 0; i < 5; i++) /* but a tutor gets in */
        try_code(store, "opens not");
    assert_string_equal(say(PIN_OUTCOME_WRONG), "wrong 5 wait 30000");
    assert_string_equal(try_code(store, "opens it"), "early 5 wait 30000");
    fixture.time.steady += 30000;
    assert_string_equal(try_code(store, "opens it"), "right");
}

static void test_failing_memory(void **unused)
{
    (void)unused;
    struct uuid ann = fixture_id(ANN);
    enum pin_outcome outcome;
    bool done = false;
    for (long n = 1; !done; n++) {
        assert_true(n < 50);
        memory_fail_after(n);
        done = pin_set(store, &ann, "2468", 4, &error);
        memory_fail_after(0);
    }
    done = false;
    for (long n = 1; !done; n++) {
        assert_true(n < 50);
        memory_fail_after(n);
        done = pin_try(store, &ann, "2468", 4, &outcome, &state, &error);
        memory_fail_after(0);
    }
    assert_int_equal(outcome, PIN_OUTCOME_RIGHT);
    looking = LOOK_NO_MEMORY;
    outcome = PIN_OUTCOME_RIGHT;
    assert_false(pin_try(store, &ann, "2468", 4, &outcome, &state, &error));
    assert_int_equal(error.code, ERROR_MEMORY);
    assert_int_not_equal(outcome, PIN_OUTCOME_RIGHT);
    looking = LOOK_WELL;
    assert_int_equal(look(ANN)->failures, 1);
}

static bool holds(const char *path, const char *text)
{
    ptrdiff_t length;
    unsigned char *bytes = fixture_read(path, &length);
    bool found = bytes && memmem(bytes, (size_t)length, text, strlen(text));
    free(bytes);
    return found;
}

/* Nothing that was ever typed is in the file; and nothing that is kept, once it is erased. */
static void test_bytes(void **unused)
{
    (void)unused;
    static const char *const endings[] = { "", "-wal", "-lock", "-reserve" };
    struct roster_count gone;
    struct uuid ann = fixture_id(ANN);
    bool needed, there = false;
    assert_true(set(ANN, "zebra-2468"));
    assert_string_equal(try(ANN, "giraffe-1357"), "wrong 1");
    assert_string_equal(try(ANN, "zebra-2468"), "right");
    for (size_t i = 0; i < 4; i++) {
        const char *path = fixture_beside(fixture.path, endings[i]);
        there = there || holds(path, "$argon2id$");
        assert_false(holds(path, "zebra") || holds(path, "giraffe"));
    }
    assert_true(there); /* else this test tests nothing */
    assert_true(roster_erase(store, &ann, &gone, &error));
    assert_true(roster_clean(store, &needed, &error) && needed);
    for (size_t i = 0; i < 4; i++)
        assert_false(holds(fixture_beside(fixture.path, endings[i]), "$argon2id$"));
}

static void tell_nobody(void *context, const char *what)
{
    (void)context, (void)what;
}

/* What a learner hands in holds none, and a store that is merged brings none. */
static void test_never_handed_on(void **unused)
{
    (void)unused;
    struct buffer bytes;
    struct intake_count count;
    struct intake *intake;
    struct uuid ann = fixture_id(ANN), bea = fixture_id(BEA);
    assert_true(set(ANN, "2468"));
    assert_true(set(BEA, "1357"));
    fail_times(ANN, 1);
    buffer_init(&bytes);
    assert_true(submission_make(&bytes, store, &ann, &count, &error));
    assert_int_equal(count.attempts, 1);
    assert_null(memmem(buffer_get(&bytes), (size_t)bytes.length, "argon2", 6));
    buffer_finish(&bytes);
    char other[FIXTURE_PATH + 16];
    strcpy(other, fixture.path);
    store_close(store);
    snprintf(fixture.path, sizeof fixture.path, "%s/here.db", fixture.folder);
    store = fixture_open(&fixture);
    meet(store, 7, BEA, "Bea");
    assert_true(set(BEA, "9999"));
    assert_true(intake_begin(&intake, store, &error));
    assert_int_equal(intake_store(intake, other, &count, tell_nobody, NULL, &error), INTAKE_FILE_TAKEN);
    assert_true(intake_end(intake, true, &error));
    assert_false(pin_look(store, &ann, &state, &error) && (state.set || state.failures));
    assert_true(pin_look(store, &bea, &state, &error));
    assert_string_equal(try(BEA, "9999"), "right"); /* nobody's is changed by it */
}

static void test_backups(void **unused)
{
    (void)unused;
    char copy[FIXTURE_PATH + 16];
    struct backup_restored restored;
    snprintf(copy, sizeof copy, "%s/copy.db", fixture.folder);
    assert_true(set(ANN, "2468"));
    fail_times(ANN, 2);
    assert_true(backup_write(store, copy, NULL, &error));
    assert_true(set(ANN, "1357"));
    store_close(store);
    store = NULL;
    if (!backup_restore(fixture.path, copy, &fixture.options, &restored, &error))
        fail_msg("%s", error.message);
    memory_free(restored.kept);
    store = fixture_open(&fixture);
    assert_int_equal(look(ANN)->failures, 2);
    assert_string_equal(try(ANN, "2468"), "right");
}

/* Where in writable memory a text lies that is given with each byte changed; the search leaves none itself.
 */
static int memory_holds(const unsigned char *hidden, size_t length)
{
    int found = 0;
    char line[500];
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        char mode[5];
        if (sscanf(line, "%lx-%lx %4s", &from, &to, mode) != 3 || strncmp(mode, "rw", 2) != 0 ||
            strstr(line, "[vvar"))
            continue;
        size_t size = to - from;
        unsigned char *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        FILE *self = copy == MAP_FAILED ? NULL : fopen("/proc/self/mem", "r");
        if (self && fseeko(self, (off_t)from, SEEK_SET) == 0) {
            setvbuf(self, NULL, _IONBF, 0);
            size_t got = fread(copy, 1, size, self);
            for (size_t i = 0; i + length <= got; i++) {
                size_t k = 0;
                while (k < length && copy[i + k] == (hidden[k] ^ 0x55))
                    k++;
                found += k == length;
            }
        }
        if (self)
            fclose(self);
        if (copy != MAP_FAILED) {
            secret_wipe(copy, (ptrdiff_t)size);
            munmap(copy, size);
        }
    }
    fclose(maps);
    return found;
}

static void test_wiped(void **unused)
{
    (void)unused;
    static const unsigned char hidden[] = { 0x3b, 0x60, 0x2d, 0x38, 0x26, 0x64, 0x3f, 0x67,
                                            0x21, 0x34, 0x6c, 0x22, 0x2f, 0x61, 0x33, 0x24 };
    struct uuid ann = fixture_id(ANN);
    enum pin_outcome outcome;
    volatile char typed[sizeof hidden];
    for (size_t i = 0; i < sizeof hidden; i++)
        typed[i] = (char)(hidden[i] ^ 0x55);
    const char *bytes = (const char *)(uintptr_t)typed;
    assert_true(memory_holds(hidden, sizeof hidden) >= 1); /* it is seen where it is */
    assert_true(pin_set(store, &ann, bytes, sizeof hidden, &error));
    assert_true(pin_try(store, &ann, bytes, sizeof hidden, &outcome, &state, &error));
    assert_int_equal(outcome, PIN_OUTCOME_RIGHT);
    secret_wipe((void *)(uintptr_t)typed, sizeof hidden);
    assert_int_equal(memory_holds(hidden, sizeof hidden), 0);
}

int main(void)
{
#define BOTH(test)                                                                                           \
    cmocka_unit_test_setup_teardown(test, start_sqlite, end),                                                \
        cmocka_unit_test_setup_teardown(test, start_memory, end)
#define SQLITE(test) cmocka_unit_test_setup_teardown(test, start_sqlite, end)
    const struct CMUnitTest tests[] = {
        BOTH(test_set_and_tried),
        BOTH(test_waits_double),
        BOTH(test_clocks_that_are_set),
        BOTH(test_restarted_machine),
        BOTH(test_unknown_start),
        BOTH(test_hostile_input),
        BOTH(test_forms_of_a_letter),
        BOTH(test_merged_learners),
        BOTH(test_erased_learner),
        BOTH(test_code),
        BOTH(test_code_without_a_store),
        BOTH(test_failing_memory),
        SQLITE(test_kept_texts),
        SQLITE(test_kept_over_opening),
        SQLITE(test_killed_before_the_look),
        SQLITE(test_two_processes),
        SQLITE(test_another_machine),
        SQLITE(test_strange_rows),
        SQLITE(test_store_that_cannot_count),
        SQLITE(test_bytes),
        SQLITE(test_never_handed_on),
        SQLITE(test_backups),
        SQLITE(test_wiped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
