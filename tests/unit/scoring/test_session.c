/*
 * Scripts of turns, with the question that must be on show after each: r right, w wrong, s skip, u undo. A
 * letter names a question (A the first); "." says that nothing is left.
 */
#include "fixture.h"

#include <quiztutor/session.h>

static struct choice items[2] = { { .text = "a", .correct = true }, { .text = "b" } };
static struct question questions[26];
static char names[26][2];
static struct pack pack = { .id = "p", .questions = questions };

static void start(struct session *session, int count)
{
    struct session_entry entries[26];
    for (int i = 0; i < count; i++) {
        names[i][0] = (char)('A' + i);
        questions[i] = fixture_choices(names[i], items, 2);
        entries[i] = (struct session_entry){ .pack = &pack, .question = &questions[i] };
    }
    pack.question_count = count;
    assert_true(session_init(session, 5, entries, count));
}

static void turn(struct session *session, char what)
{
    static unsigned char next_id;
    struct uuid id = { { ++next_id } };
    struct answer answer = { .picks = what == 'r' ? 1 : 2, .blank = what == 's' };
    struct verdict verdict;
    if (what == 'u') {
        assert_true(session_undo(session));
        return;
    }
    const struct question *question = session->entries[session_current(session)].question;
    marking_mark(&verdict, question, &answer);
    if (what == 's' && session_skip_means(session) != SKIP_OMITS)
        session_skip(session);
    else
        assert_true(session_answer(session, &answer, &verdict, 0, &id));
}

static char on_show(const struct session *session)
{
    int current = session_current(session);
    return current < 0 ? '.' : (char)('A' + current);
}

static void test_scripts(void **state)
{
    (void)state;
    static const struct {
        int count;
        const char *turns, *shown; /* shown[i]: before turn i; one more at the end */
    } rows[] = {
        { 3, "rrr", "ABC." },
        { 6, "wrrrrrr", "ABCDAEF." },     /* back after three others */
        { 2, "wrr", "ABA." },             /* the other one first, then at once */
        { 1, "wwr", "AAA." },             /* nothing else is left */
        { 6, "wwrrrrrr", "ABCDABEF." },   /* two returns, in the order of their misses */
        { 6, "wrrrwrrr", "ABCDAEFA." },   /* missed again: three others, or at once where fewer are left */
        { 5, "wrrrs", "ABCDAE" },         /* skipping a return drops it */
        { 3, "srrr", "ABCA." },           /* a skipped one comes again at the end */
        { 3, "srrs", "ABCA." },           /* skipped once more: omitted */
        { 4, "swrrrr", "ABCDBA." },       /* after all returns */
        { 3, "sssrrr", "ABCABC." },       /* in plan order */
        { 3, "rurrr", "ABABC." },         /* undo: asked again at once */
        { 3, "wurrr", "ABABC." },         /* its return is gone with it */
        { 3, "rruurrr", "ABCBABC." },     /* repeatedly, to the start */
        { 6, "wrrrrurrr", "ABCDAEAEF." }, /* a return's answer taken back */
        { 2, "rrur", "AB.B." },           /* after the last one */
        { 2, "srurr", "ABABA." }, /* an undone question is asked first, what is put off stays put off */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct session session;
        start(&session, rows[i].count);
        for (size_t k = 0; rows[i].turns[k]; k++) {
            if (on_show(&session) != rows[i].shown[k])
                fail_msg("%s: before turn %zu %c is on show, not %c", rows[i].turns, k + 1, on_show(&session),
                         rows[i].shown[k]);
            turn(&session, rows[i].turns[k]);
        }
        if (on_show(&session) != rows[i].shown[strlen(rows[i].turns)])
            fail_msg("%s: at the end %c is on show", rows[i].turns, on_show(&session));
        session_finish(&session);
    }
}

static void test_summary(void **state)
{
    (void)state;
    struct session session;
    struct session_summary summary;
    start(&session, 4);
    turn(&session, 'w'); /* A */
    turn(&session, 'r'); /* B */
    session_summarise(&session, &summary);
    assert_int_equal(summary.asked, 2);
    assert_false(summary.finished);
    turn(&session, 'u'); /* B taken back */
    session_summarise(&session, &summary);
    assert_int_equal(summary.asked, 1);
    turn(&session, 'r'); /* B again: right, but not at the first try */
    turn(&session, 's'); /* C put off */
    turn(&session, 'r'); /* D? three others have passed: A returns */
    session_summarise(&session, &summary);
    assert_int_equal(summary.wrong, 1); /* by the first answer */
    assert_int_equal(summary.right, 1);
    assert_int_equal(summary.first_try, 0);
    turn(&session, 'r'); /* D */
    turn(&session, 's'); /* C omitted */
    session_summarise(&session, &summary);
    assert_int_equal(summary.asked, 4);
    assert_int_equal(summary.right, 2);
    assert_int_equal(summary.first_try, 1);
    assert_int_equal(summary.skipped, 1);
    assert_true(summary.mark == 2 && summary.marks == 4);
    assert_true(summary.finished);
    session_finish(&session);
}

static void test_showings(void **state)
{
    (void)state;
    struct session session;
    start(&session, 2);
    assert_int_equal(session_showing(&session), 1);
    assert_int_equal(session_showing_seed(&session), 5);
    turn(&session, 's');
    turn(&session, 'r');
    assert_int_equal(on_show(&session), 'A');
    assert_false(session_is_return(&session)); /* a skipped question's second showing is no return */
    assert_int_equal(session_showing_seed(&session), 6);
    turn(&session, 'w');
    assert_true(session_is_return(&session));
    assert_int_equal(session_showing_seed(&session), 7);
    turn(&session, 'u');
    assert_false(session_is_return(&session));
    assert_int_equal(session_showing(&session), 3);
    session_finish(&session);
}

static void test_memory(void **state)
{
    (void)state;
    struct session session;
    start(&session, 2);
    memory_fail_after(1);
    struct answer answer = { .picks = 1 };
    struct verdict verdict = { .outcome = OUTCOME_RIGHT };
    struct uuid id = { { 1 } };
    assert_false(session_answer(&session, &answer, &verdict, 0, &id));
    memory_fail_after(0);
    assert_int_equal(on_show(&session), 'A');
    assert_int_equal(session_showing(&session), 1);
    char typed[] = "typed";
    for (long n = 1;; n++) {
        answer.text = typed;
        memory_fail_after(n);
        bool done = session_answer(&session, &answer, &verdict, 0, &id);
        memory_fail_after(0);
        if (done)
            break;
        assert_int_equal(session.answer_count, 0);
        assert_true(n < 100);
    }
    typed[0] = 'x'; /* the session has a copy */
    assert_string_equal(session_newest(&session)->answer.text, "typed");
    session_finish(&session);
}

/* A missed question that is suspended does not return; taken back, it does; undo asks it all the same. */
static void test_suspend(void **state)
{
    (void)state;
    struct session session;
    start(&session, 5);
    turn(&session, 'w'); /* A */
    session_suspend(&session, 0, true);
    assert_false(session_returns(&session, 0));
    for (const char *at = "BCDE"; *at; at++) {
        assert_int_equal(on_show(&session), *at);
        turn(&session, 'r');
    }
    assert_int_equal(on_show(&session), '.');
    session_suspend(&session, 0, false);
    session_settle(&session);
    assert_true(session_returns(&session, 0));
    assert_int_equal(on_show(&session), 'A');
    session_suspend(&session, 0, true); /* on show: it still wants its answer */
    assert_int_equal(on_show(&session), 'A');
    turn(&session, 'w');
    assert_int_equal(on_show(&session), '.');
    assert_int_equal(session.missed, 0);
    turn(&session, 'u');
    assert_int_equal(on_show(&session), 'A');
    turn(&session, 'r');
    session_suspend(&session, 0, false);
    assert_int_equal(session.missed, 0);
    session_finish(&session);

    /* a new one that is suspended while on show is asked, also after it was put off */
    start(&session, 2);
    session_suspend(&session, 0, true);
    turn(&session, 's');
    turn(&session, 'r');
    assert_int_equal(on_show(&session), 'A');
    turn(&session, 'w');
    assert_int_equal(on_show(&session), '.');
    session_finish(&session);
}

static void test_certainty(void **state)
{
    (void)state;
    struct session session;
    struct session_summary summary;
    static const int given[] = { 3, 3, 1, 0 };
    struct uuid id = { { 1 } };
    start(&session, 4);
    for (int i = 0; i < 4; i++) {
        struct answer answer = { .picks = i == 1 ? 2 : 1 };
        struct verdict verdict;
        marking_mark(&verdict, session.entries[i].question, &answer);
        session_show(&session, i);
        assert_true(session_answer(&session, &answer, &verdict, given[i], &id));
    }
    session_summarise(&session, &summary);
    assert_int_equal(summary.sure, 3);
    assert_true(summary.certainty_marks == 3 - 6 + 1); /* right and certain, wrong and certain, a guess */
    assert_true(summary.mark == 3 && summary.marks == 4);
    session_finish(&session);
}

/* Takes a turn that answers the question on show, right and certain. */
static void turn_certain(struct session *session, enum session_aid aid)
{
    struct uuid id = { { 1 } };
    struct answer answer = { .picks = 1 };
    struct verdict verdict;
    marking_mark(&verdict, session->entries[session_current(session)].question, &answer);
    assert_int_equal(session_aid(session), aid);
    assert_true(session_answer(session, &answer, &verdict, 3, &id));
    assert_int_equal(session_newest(session)->aid, aid);
}

/* Hints and answers that were seen help: such an answer earns no certainty mark, whatever else it counts. */
static void test_aid(void **state)
{
    (void)state;
    struct session session;
    struct session_summary summary;
    start(&session, 4);
    turn_certain(&session, AID_NONE); /* A */
    session_hint(&session);           /* B */
    turn_certain(&session, AID_HINT);
    turn(&session, 'w'); /* C, taken back */
    turn(&session, 'u');
    turn_certain(&session, AID_SEEN);
    turn(&session, 's'); /* D, put off: nothing of it was shown */
    turn_certain(&session, AID_NONE);
    session_summarise(&session, &summary);
    assert_int_equal(summary.sure, 2);
    assert_true(summary.certainty_marks == 6);
    assert_int_equal(summary.right, 4);
    assert_int_equal(summary.first_try, 3);
    static const bool first_tries[] = { true, true, false, true };
    for (int i = 0; i < 4; i++)
        assert_int_equal(session_first_try(&session, i), first_tries[i]);
    session_finish(&session);

    start(&session, 2); /* a spelling that was to be checked, in this showing */
    assert_false(session_retried(&session));
    session_retry(&session);
    assert_true(session_retried(&session));
    turn(&session, 's');
    session_retry(&session); /* B */
    turn_certain(&session, AID_SPELLING);
    assert_false(session_retried(&session)); /* A: another showing */
    session_hint(&session);
    session_retry(&session);
    turn_certain(&session, AID_HINT);
    assert_false(session_retried(&session));
    session_summarise(&session, &summary);
    assert_int_equal(summary.sure, 0);
    session_finish(&session);

    start(&session, 1); /* a return counts for the schedule alone, and so does a hint given then */
    turn(&session, 'w');
    session_hint(&session);
    turn_certain(&session, AID_SEEN);
    session_summarise(&session, &summary);
    assert_int_equal(summary.sure, 0);
    assert_int_equal(summary.first_try, 0);
    session_finish(&session);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_scripts),  cmocka_unit_test(test_summary),
                                        cmocka_unit_test(test_showings), cmocka_unit_test(test_memory),
                                        cmocka_unit_test(test_suspend),  cmocka_unit_test(test_certainty),
                                        cmocka_unit_test(test_aid) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
