#include "escape.h"

#include "bare.h"
#include "home.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEP_MS = 400, HOME_STEPS = 60, END_MS = 1000, SANITIZED_MS = 5000, SETTLE_MS = 30 };

struct room room;

static const char *program;
static char template_folder[DESK_PATH];

/* The code is "open sesame". */
static const char common[] =
    "format: quiztutor-kiosk/1\n"
    "welcome: Room 12, practise freely.\n"
    "tutor_code: "
    "$argon2id$v=19$m=19456,t=2,p=1$y+iaaOcwGFY7/XWK/iCulw$m9B1eItwxszIXPrUSe5vUS2ec0aUKY7lPPObgH8JTR0\n";

/* Of another learner, and of what is outside. */
static const char *const forbidden[] = { "Bertolt", "root:x:", "PWNED", "ERROR: AddressSanitizer", NULL };

void see(const char *text)
{
    pty_require(room.desk.pty, pty_wait_text(room.desk.pty, text), text);
}

void gone(const char *text)
{
    pty_require(room.desk.pty, pty_wait_gone(room.desk.pty, text), text);
}

void type(const char *keys)
{
    pty_type(room.desk.pty, keys);
}

bool sees(const char *text)
{
    return pty_has(room.desk.pty, text);
}

/* ---- the room ---- */

/* Written beside and moved over, so that no half of it is ever read. */
void room_configure(const char *more)
{
    char beside[DESK_PATH + 80];
    snprintf(room.etc, sizeof room.etc, "%s/etc", room.desk.folder);
    mkdir(room.etc, 0700);
    snprintf(room.config, sizeof room.config, "%s/kiosk.yaml", room.etc);
    snprintf(beside, sizeof beside, "%s.new", room.config);
    FILE *file = fopen(beside, "w");
    assert_non_null(file);
    fprintf(file, "%sstore: %s\ncontent: %s\n%s%s", common, room.desk.store, room.desk.content,
            strstr(more, "completion:") ? "" : "completion: false\n", more);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(rename(beside, room.config), 0);
}

void room_command(const char *arguments, const char *line)
{
    char command[4 * DESK_PATH];
    snprintf(command, sizeof command, "%s%s%s'%s' --store '%s' %s >/dev/null 2>&1", line ? "printf '" : "",
             line ? line : "", line ? "\\n' | " : "", program, room.desk.store, arguments);
    assert_int_equal(system(command), 0);
}

static void copy_folder(const char *from, const char *to)
{
    char command[3 * DESK_PATH];
    snprintf(command, sizeof command, "cp -a '%s/.' '%s/'", from, to);
    assert_int_equal(system(command), 0);
}

/* The store is made once. */
static void make_template(void)
{
    room_command("learner add Ana", NULL);
    room_command("learner add Cem", NULL);
    room_command("learner add Bertolt", NULL);
    room_command("learner pin Bertolt", "8642");
    desk_answer(&room.desk, "Bertolt", "2\n:finish\n");
    snprintf(template_folder, sizeof template_folder, "%.200s-store", room.desk.folder);
    assert_int_equal(mkdir(template_folder, 0700), 0);
    char data[DESK_PATH + 16];
    snprintf(data, sizeof data, "%s/data", room.desk.folder);
    copy_folder(data, template_folder);
}

void room_set(void)
{
    desk_set(&room.desk);
    snprintf(room.desk.store, sizeof room.desk.store, "%s/data/store.db", room.desk.folder);
    char data[DESK_PATH + 16];
    snprintf(data, sizeof data, "%s/data", room.desk.folder);
    assert_int_equal(mkdir(data, 0700), 0);
    if (*template_folder)
        copy_folder(template_folder, data);
    memset(&room.options, 0, sizeof room.options);
    memset(room.given, 0, sizeof room.given);
    room.answers = 0;
    room.bare = room.hung_up = false;
    room_configure("");
}

void room_clear(void)
{
    if (room.kept_open)
        close(room.kept_open);
    room.kept_open = 0;
    desk_stop(&room.desk);
    if (room.mounted)
        umount2(room.mounted, MNT_DETACH);
    room.mounted = NULL;
    if (*room.desk.folder)
        desk_clear(&room.desk);
    *room.desk.folder = '\0';
}

/* Only by its own doing it then makes no process. */
static void make_bare(const void *context)
{
    (void)context;
    if (!bare_kernel())
        _exit(125);
}

/* Until its first instruction, and not a moment longer. */
static void await_beginning(struct pty *pty)
{
    int64_t until = pty_now() + PTY_DEADLINE_MS;
    while (pty_programs(pty) == 0 && !pty_ended(pty) && pty_now() < until)
        pty_pump(pty, 0);
    pty_require(pty, pty_programs(pty) > 0, "it does not begin");
}

void room_start(void)
{
    struct pty_options options = room.options;
    options.program = program;
    options.arguments[0] = "kiosk";
    options.arguments[1] = "--config";
    options.arguments[2] = room.config;
    int count = 0;
    options.environment[count++] = "ASAN_OPTIONS=detect_leaks=0"; /* its threads are refused in there */
    for (int i = 0; room.given[i] && count < PTY_ARGUMENTS; i++)
        options.environment[count++] = room.given[i];
    options.watched = true;
    if (room.bare && !options.prepare)
        options.prepare = make_bare;
    room.desk.pty = pty_start(&options);
    pty_forbid(room.desk.pty, forbidden);
    await_beginning(room.desk.pty);
}

void room_enter(void)
{
    room_start();
    see("F1 all keys");
    see("Your name or ID");
}

/* The last row comes last: what is awaited above it might still be of the screen before. */
void sign_in(const char *name)
{
    see("F1 all keys");
    see("Your name or ID");
    type(name);
    see(name);
    type("\r");
}

void room_question(void)
{
    room_enter();
    sign_in("Ana");
    see("q sign out");
    type("\r");
    see("q finish");
    see("Which letter is the first?");
}

void room_answer(void)
{
    room_question();
    type("1\r");
    see("Alpha stands at the beginning.");
    room.answers++;
}

void room_again(void)
{
    pty_finish(room.desk.pty);
    room.desk.pty = NULL;
    room_enter();
}

/* The C library would leave two of its own out. */
void room_block_signals(const void *context)
{
    uint64_t all = UINT64_MAX;
    (void)context;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof all);
}

/* ---- where it is ---- */

void settle(void)
{
    while (pty_pump(room.desk.pty, SETTLE_MS)) {
    }
}

/* Until what is on the screen is another, or some time has passed. */
static void wait_for_change(const char *row)
{
    char now[PTY_LINE];
    int64_t until = pty_now() + STEP_MS;
    do {
        pty_pump(room.desk.pty, 20);
        pty_row(room.desk.pty, 23, now);
    } while (strcmp(now, row) == 0 && pty_now() < until);
    settle();
}

void come_home(void)
{
    char row[PTY_LINE];
    for (int step = 0; step < HOME_STEPS; step++) {
        settle();
        bool there = home_reached(room.desk.pty);
        pty_row(room.desk.pty, 23, row);
        type(there ? "\033[F\025" : home_keys(room.desk.pty, step));
        if (there)
            return;
        wait_for_change(row);
        pty_require(room.desk.pty, !pty_ended(room.desk.pty), "it has ended");
    }
    pty_require(room.desk.pty, false, "there is no way back to the sign-in");
}

/* Keys, again where they were too many after a flood of them, until the text is there. */
static void press(const char *keys, const char *text)
{
    int64_t until = pty_now() + PTY_DEADLINE_MS;
    do {
        type(keys);
        for (int64_t soon = pty_now() + STEP_MS; pty_now() < soon && !sees(text);)
            pty_pump(room.desk.pty, 20);
    } while (!sees(text) && pty_now() < until);
    see(text);
}

static bool field_is(const char *name)
{
    char row[PTY_LINE], wanted[64];
    int at = pty_find(room.desk.pty, "Your name or ID", NULL);
    snprintf(wanted, sizeof wanted, "  %s", name);
    if (at >= 0)
        pty_row(room.desk.pty, at + 1, row);
    return at >= 0 && strcmp(row, wanted) == 0;
}

/* A name into the field, whatever stands there. It is drawn anew: of what was typed at random, some
 * characters are wider on the model of the terminal than the C library knows, and leave something behind. */
static void type_name(const char *name)
{
    char text[64];
    int64_t until = pty_now() + PTY_DEADLINE_MS;
    snprintf(text, sizeof text, "\f\033[F\025%s", name);
    do {
        type(text);
        for (int64_t soon = pty_now() + STEP_MS; pty_now() < soon && !field_is(name);)
            pty_pump(room.desk.pty, 20);
    } while (!field_is(name) && pty_now() < until);
    pty_require(room.desk.pty, field_is(name), "the name can't be typed");
}

/* ---- outcomes ---- */

static void check_watch(void)
{
    struct pty *pty = room.desk.pty;
    pty_require(pty, pty_children(pty) == 0, "it has made a process");
    pty_require(pty, pty_programs(pty) == 1, "it has become another program");
    pty_require(pty, !pty_forbidden_seen(pty), "what is another's was on the screen");
}

void stays(void)
{
    struct pty *pty = room.desk.pty;
    settle();
    pty_require(pty, !pty_ended(pty), "it has ended");
    pty_require(pty, pty_foreground(pty), "it is not in front");
    check_watch();
    come_home();
    int before = desk_attempts(&room.desk);
    type_name("Cem");
    press("\r", "q sign out");
    see("A pack for the terminal");
    press("\r", "q finish");
    see("Which letter is the first?");
    press("1\r", "Alpha stands at the beginning.");
    assert_int_equal(desk_attempts(&room.desk), before + 1);
    pty_require(pty, !pty_ended(pty) && pty_foreground(pty), "it is not in front");
    pty_require(pty, pty_stops(pty) == 0, "it was stopped");
    check_watch();
}

/* The attempts of the template are Bertolt's one. */
static void check_answers(void)
{
    assert_true(desk_attempts(&room.desk) >= room.answers + 1);
}

void ends(void)
{
    struct pty *pty = room.desk.pty;
    struct termios first, now;
    int64_t from = pty_now(), most = room.sanitized ? SANITIZED_MS : END_MS;
    while (!pty_ended(pty) && pty_now() < from + most)
        pty_pump(pty, 5);
    pty_require(pty, pty_ended(pty), "it has not ended within a second");
    int status = pty_wait_exit(pty);
    check_watch();
    check_answers();
    if (!WIFSIGNALED(status) && !room.hung_up) {
        pty_first_modes(pty, &first);
        pty_modes(pty, &now);
        pty_require(pty, pty_modes_equal(&first, &now), "the terminal is not as it was");
    }
    memset(&room.options, 0, sizeof room.options);
    memset(room.given, 0, sizeof room.given);
    room_again();
    assert_false(sees("Ana"));
    stays();
}

/* ---- running a table ---- */

static const struct {
    const char *name;
    const struct attempt *attempts;
} kinds[] = {
    { "clock", attempts_clock },         { "disk", attempts_disk },
    { "ends", attempts_ends },           { "environment", attempts_environment },
    { "files", attempts_files },         { "keys", attempts_keys },
    { "names", attempts_names },         { "pastes", attempts_pastes },
    { "sequences", attempts_sequences }, { "signals", attempts_signals },
    { "sizes", attempts_sizes },
};

static int set_up(void **state)
{
    (void)state;
    room_set();
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    room_clear();
    return 0;
}

static void run(void **state)
{
    const struct attempt *attempt = *state;
    attempt->make(attempt);
    if (attempt->outcome == STAYS)
        stays();
    else
        ends();
}

static int begin(void **state)
{
    room_set();
    make_template();
    return clean_up(state);
}

static int finish(void **state)
{
    (void)state;
    snprintf(room.desk.folder, sizeof room.desk.folder, "%s", template_folder);
    room_clear();
    return 0;
}

enum { ATTEMPTS_MOST = 200, NAME = 120, HANDS = 3 };

/* Every `hands`-th attempt, from the place `hand` on, whose name has the part. */
static int run_attempts(const char *kind, const struct attempt *attempts, const char *part, int hand,
                        int hands)
{
    static struct CMUnitTest tests[ATTEMPTS_MOST];
    static char names[ATTEMPTS_MOST][NAME];
    size_t count = 0;
    for (int i = 0; attempts[i].name && count < ATTEMPTS_MOST; i++) {
        if (i % hands != hand || !strstr(attempts[i].name, part))
            continue;
        snprintf(names[count], NAME, "%s: %s", attempts[i].outcome == STAYS ? "stays" : "ends safely",
                 attempts[i].name);
        tests[count] = (struct CMUnitTest){ .name = names[count],
                                            .test_func = run,
                                            .setup_func = set_up,
                                            .teardown_func = clean_up,
                                            .initial_state = (void *)(uintptr_t)&attempts[i] };
        count++;
    }
    return _cmocka_run_group_tests(kind, tests, count, begin, finish);
}

/* Several at a time, since they mostly wait; what each has to tell is told in turn. */
static int share_attempts(const char *kind, const struct attempt *attempts)
{
    FILE *told[HANDS];
    pid_t hands[HANDS];
    int failed = 0;
    for (int i = 0; i < HANDS; i++) {
        told[i] = tmpfile();
        fflush(NULL);
        hands[i] = told[i] ? fork() : -1;
        if (hands[i] != 0)
            continue;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(fileno(told[i]), STDOUT_FILENO);
        dup2(fileno(told[i]), STDERR_FILENO);
        exit(run_attempts(kind, attempts, "", i, HANDS) != 0);
    }
    for (int i = 0; i < HANDS; i++) {
        int status = -1;
        char line[PTY_LINE];
        if (hands[i] < 0 || waitpid(hands[i], &status, 0) != hands[i] || status != 0)
            failed++;
        if (told[i])
            rewind(told[i]);
        while (told[i] && fgets(line, sizeof line, told[i]))
            fputs(line, stdout);
    }
    return failed;
}

/* test_escape PROGRAM KIND [PART-OF-A-NAME] */
int main(int argc, char **argv)
{
    const struct attempt *attempts = NULL;
    assert_true(argc >= 3);
    program = argv[1];
    desk_program(program);
    room.clock = getenv("TEST_CLOCK_LIBRARY");
#if defined __SANITIZE_ADDRESS__
    room.sanitized = true;
#elif defined __has_feature
#if __has_feature(address_sanitizer)
    room.sanitized = true;
#endif
#endif
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, argv[2]) == 0)
            attempts = kinds[i].attempts;
    assert_non_null(attempts);
    return argc > 3 ? run_attempts(argv[2], attempts, argv[3], 0, 1) : share_attempts(argv[2], attempts);
}
