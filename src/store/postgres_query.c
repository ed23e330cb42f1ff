/*
 * Statements over the central store, in the columns and the order that sqlite_query.c and sqlite_report.c
 * have them. $1 is the school, $2 the query's first parameter and so on. What stands between {3| and } is
 * there where $3 is no null, {!3| and } where it is: no statement asks the server what was asked for.
 *
 * Joins to what a row belongs to are by LATERAL with OFFSET 0: each row by index, one after the other, in the
 * order of what stands first, whatever the server thinks of its tables.
 */
#include "postgres_store.h"

#include <string.h>

/* As enum class_column has it, after the learner. */
#define SUMS(table)                                                                                          \
    table ".last_at, " table ".first_at, coalesce(" table ".sessions, 0), coalesce(" table                   \
          ".questions, 0), coalesce(" table ".attempts, 0), coalesce(" table                                 \
          ".first_right, 0), coalesce(" table ".first_partly, 0), coalesce(" table                           \
          ".first_wrong, 0), coalesce(" table ".first_omitted, 0), coalesce(" table                          \
          ".first_shares, 0)::float8 / 1099511627776::float8, coalesce(" table                               \
          ".elapsed_ms, 0), coalesce(" table ".mastered, 0), coalesce(" table ".stuck, 0), " table           \
          ".last_offset, " table ".first_offset"
#define CLASS "SELECT learner.learner_id, name, login, external_id, " SUMS("learner_pack")
#define CLASS_SUMS                                                                                           \
    " LEFT JOIN learner_pack ON learner_pack.school = $1 AND learner_pack.learner_id = learner.learner_id"   \
    " AND learner_pack.pack_id = {3|$3}{!3|''} WHERE learner.school = $1 AND merged_into IS NULL"
#define BY_NAME " ORDER BY name_key COLLATE \"C\", learner.learner_id"
#define MEMBERS                                                                                              \
    " FROM member CROSS JOIN LATERAL (SELECT * FROM learner WHERE learner.school = $1 AND"                   \
    " learner.learner_id = member.learner_id OFFSET 0) AS learner"

#define STUCK                                                                                                \
    "SELECT schedule.learner_id, learner.name, schedule.pack_id, schedule.question_id, schedule.misses,"     \
    " schedule.counted, schedule.outcome, schedule.answered_at, schedule.content"
#define STUCK_JOINS                                                                                          \
    " CROSS JOIN LATERAL (SELECT * FROM schedule WHERE schedule.school = $1 AND schedule.learner_id ="       \
    " learner_pack.learner_id AND schedule.pack_id = learner_pack.pack_id AND misses >= 3 OFFSET 0) AS"      \
    " schedule CROSS JOIN LATERAL (SELECT name, name_key FROM learner WHERE learner.school = $1 AND"         \
    " learner.learner_id = schedule.learner_id OFFSET 0) AS learner"
#define STUCK_PACKS "learner_pack.stuck > 0 AND learner_pack.pack_id <> ''{4| AND learner_pack.pack_id = $4}"
#define STUCK_ORDER                                                                                          \
    " ORDER BY misses DESC, name_key COLLATE \"C\", schedule.learner_id, schedule.pack_id COLLATE \"C\","    \
    " question_id COLLATE \"C\""

#define KNOWN                                                                                                \
    "question_id, revision, content, phase, step, stability, difficulty, answers, lapses, run, run_day,"     \
    " last_at, last_day, due_day, due_at, interval_days, outcome, answered_at, counted, right_answers,"      \
    " starred, suspended"

#define TOLD "event.kind IN ('undone', 'regraded', 'voided', 'accepted')"
/* Of an attempt that was taken back the `undone` event, else its newest grading. */
#define GRADING                                                                                              \
    " LEFT JOIN LATERAL (SELECT kind, body FROM event WHERE event.school = $1 AND event.attempt_id ="        \
    " attempt.attempt_id AND " TOLD " ORDER BY (event.kind = 'undone') DESC, event.seq DESC LIMIT 1)"        \
    " AS grading ON true"
#define GRADING_ONLY                                                                                         \
    " LEFT JOIN LATERAL (SELECT kind, body FROM event WHERE event.school = $1 AND event.attempt_id ="        \
    " attempt.attempt_id AND " TOLD " AND event.kind <> 'undone' ORDER BY event.seq DESC LIMIT 1)"           \
    " AS grading ON true"
#define COUNTED " AND grading.kind IS DISTINCT FROM 'undone'"
#define UNDONE                                                                                               \
    "(EXISTS(SELECT FROM event WHERE event.school = $1 AND event.attempt_id = attempt.attempt_id"            \
    " AND event.kind = 'undone'))::integer"
#define HELPED                                                                                               \
    "(CASE WHEN attempt.showing > 1 THEN EXISTS(SELECT FROM attempt AS earlier WHERE earlier.school = $1"    \
    " AND earlier.learner_id = attempt.learner_id AND earlier.pack_id = attempt.pack_id AND"                 \
    " earlier.question_id = attempt.question_id AND earlier.seq < attempt.seq AND earlier.session_id ="      \
    " attempt.session_id AND EXISTS(SELECT FROM event WHERE event.school = $1 AND event.attempt_id ="        \
    " earlier.attempt_id AND event.kind = 'undone')) ELSE false END)::integer"

/* As enum attempt_column has it, up to ATTEMPT_UNDONE. Outcome, mark and marks are those of the answer: what
 * the grading says, whose body is the last column, is put in place when the row is read. */
#define ATTEMPT(kind)                                                                                        \
    "SELECT attempt.attempt_id, attempt.session_id, attempt.learner_id, learner.name, learner.login,"        \
    " attempt.device_id, attempt.pack_id, attempt.question_id, attempt.revision, attempt.content,"           \
    " attempt.seed, attempt.showing, attempt.shown, attempt.response, attempt.outcome, attempt.mark,"        \
    " attempt.marks, grading.kind, attempt.certainty, attempt.hints, attempt.retried, " HELPED               \
    ", attempt.elapsed_ms, attempt.answered_at, attempt.utc_offset_s, attempt.origin, " kind                 \
    ", attempt.seq, "
#define NO_KIND "{7|session.kind}{!7|NULL::text}"
#define ANSWER                                                                                               \
    "SELECT attempt.attempt_id, attempt.session_id, attempt.learner_id, learner.name, learner.login,"        \
    " NULL::uuid, attempt.pack_id, attempt.question_id, attempt.revision, attempt.content, NULL::bigint,"    \
    " attempt.showing, NULL::text, attempt.response, attempt.outcome, attempt.mark, attempt.marks,"          \
    " nullif(grading.kind, 'undone'), attempt.certainty, NULL::bigint, NULL::bigint, "                       \
    "{5|" HELPED "}{!5|{6|" HELPED "}{!6|{8|" HELPED "}{!8|0}}}"                                             \
    ", attempt.elapsed_ms, attempt.answered_at, attempt.utc_offset_s, NULL::text, NULL::text, attempt.seq,"  \
    " coalesce(grading.kind = 'undone', false)::integer, grading.body"
#define OF_LEARNER                                                                                           \
    " CROSS JOIN LATERAL (SELECT name, login FROM learner WHERE learner.school = $1 AND"                     \
    " learner.learner_id = attempt.learner_id OFFSET 0) AS learner"
#define OF_SESSION                                                                                           \
    " CROSS JOIN LATERAL (SELECT kind FROM session WHERE session.school = $1 AND"                            \
    " session.session_id = attempt.session_id OFFSET 0) AS session"
/* Whose attempts. */
#define FROM_ATTEMPT " FROM attempt"
#define FROM_MEMBER                                                                                          \
    " FROM member CROSS JOIN LATERAL (SELECT * FROM attempt WHERE attempt.school = $1 AND"                   \
    " attempt.learner_id = member.learner_id{2| AND attempt.pack_id = $2} OFFSET 0) AS attempt"
#define WHERE_ATTEMPT                                                                                        \
    " WHERE attempt.school = $1{3| AND attempt.learner_id = $3{4| AND EXISTS(SELECT FROM member WHERE"       \
    " member.school = $1 AND member.group_key = $4 AND member.learner_id = $3)}}"                            \
    "{2| AND attempt.pack_id = $2}" WHERE
#define WHERE_MEMBER " WHERE member.school = $1 AND member.group_key = $4" WHERE
#define WHERE                                                                                                \
    "{5| AND attempt.answered_at >= $5}{6| AND attempt.answered_at < $6}{7| AND session.kind = $7}"          \
    "{8| AND attempt.revision = $8}"
#define COUNTED_JOINS OF_LEARNER "{7|" OF_SESSION "}" GRADING
#define LOG_JOINS     OF_LEARNER OF_SESSION GRADING_ONLY
#define BY_QUESTION                                                                                          \
    " ORDER BY attempt.learner_id, attempt.pack_id COLLATE \"C\", attempt.question_id COLLATE \"C\","        \
    " attempt.seq"

#define COUNTS(from, where)                                                                                  \
    "SELECT attempt.pack_id, attempt.question_id, count(DISTINCT attempt.attempt_id) FROM " from             \
    " CROSS JOIN LATERAL (SELECT attempt_id, learner_id, pack_id, question_id FROM attempt WHERE"            \
    " attempt.school = $1 AND attempt.attempt_id = event.attempt_id OFFSET 0) AS attempt WHERE " where       \
    "{2| AND attempt.pack_id = $2} GROUP BY attempt.pack_id, attempt.question_id"                            \
    " ORDER BY attempt.pack_id COLLATE \"C\", attempt.question_id COLLATE \"C\""
#define REGRADED "learner_pack.regraded > 0 AND learner_pack.pack_id <> ''{2| AND learner_pack.pack_id = $2}"
#define IN_GROUP(of)                                                                                         \
    "{4| AND EXISTS(SELECT FROM member WHERE member.school = $1 AND member.group_key = $4"                   \
    " AND member.learner_id = " of ")}"

static const char *const texts[QUERIES] = {
    [QUERY_KNOWN] = "SELECT " KNOWN " FROM schedule WHERE school = $1 AND learner_id = $2 AND pack_id = $3"
                    " ORDER BY question_id COLLATE \"C\"",
    [QUERY_QUESTIONS] =
        "SELECT pack_id, question_id, count(*), count(DISTINCT learner_id), max(answered_at) FROM"
        " counted_attempt WHERE school = $1 GROUP BY pack_id, question_id"
        " ORDER BY pack_id COLLATE \"C\", question_id COLLATE \"C\"",
    [QUERY_LEARNERS] =
        "SELECT name, login, counted.answers, counted.last_at FROM learner CROSS JOIN LATERAL"
        " (SELECT count(*) AS answers, max(answered_at) AS last_at FROM counted_attempt WHERE"
        " counted_attempt.school = $1 AND counted_attempt.learner_id = learner.learner_id) AS counted"
        " WHERE school = $1 AND merged_into IS NULL" BY_NAME,
    [QUERY_TOTALS] =
        "SELECT (SELECT count(*) FROM learner WHERE school = $1 AND merged_into IS NULL),"
        " (SELECT count(*) FROM session WHERE school = $1),"
        " (SELECT count(*) FROM attempt WHERE school = $1),"
        " (SELECT count(DISTINCT attempt_id) FROM event WHERE school = $1 AND kind = 'undone' AND"
        " EXISTS(SELECT FROM attempt WHERE attempt.school = $1 AND attempt.attempt_id = event.attempt_id)),"
        " (SELECT count(*) FROM event WHERE school = $1),"
        " (SELECT count(*) FROM schedule WHERE school = $1 AND counted > 0),"
        " (SELECT min(answered_at) FROM attempt WHERE school = $1),"
        " (SELECT max(answered_at) FROM attempt WHERE school = $1), 0, (SELECT version FROM meta)",
    [QUERY_RESPONSES] =
        "SELECT question_id, encode(content, 'hex'), revision, response, times, (SELECT body FROM"
        " question_text WHERE question_text.school = $1 AND question_text.content = given.content) FROM"
        " (SELECT question_id, content, revision, response, count(*) AS times FROM counted_attempt"
        " WHERE school = $1 AND pack_id = $2 AND response IS NOT NULL"
        " GROUP BY question_id, content, revision, response) AS given"
        " ORDER BY times DESC, question_id COLLATE \"C\", content NULLS FIRST, response COLLATE \"C\","
        " revision COLLATE \"C\"",
    [QUERY_ROSTER] =
        "SELECT learner.learner_id, name, login, external_id, time_factor, plain, group_name,"
        " (SELECT max(answered_at) FROM attempt WHERE attempt.school = $1 AND attempt.learner_id ="
        " learner.learner_id) FROM learner LEFT JOIN member ON member.school = $1 AND member.learner_id ="
        " learner.learner_id WHERE learner.school = $1 AND merged_into IS NULL" BY_NAME
        ", group_key COLLATE \"C\" NULLS FIRST",
    [QUERY_NAMES] = "SELECT learner_id, name FROM learner WHERE school = $1 AND merged_into IS NULL"
                    " ORDER BY name_key COLLATE \"C\"",

    [QUERY_CLASS] = CLASS " FROM learner" CLASS_SUMS BY_NAME,
    [QUERY_CLASS_GROUP] = CLASS MEMBERS CLASS_SUMS " AND member.school = $1 AND group_key = $2" BY_NAME,

    [QUERY_STUCK] =
        STUCK " FROM learner_pack" STUCK_JOINS " WHERE learner_pack.school = $1 AND " STUCK_PACKS STUCK_ORDER,
    [QUERY_STUCK_GROUP] = STUCK
    " FROM member CROSS JOIN LATERAL (SELECT learner_id, pack_id FROM learner_pack WHERE"
    " learner_pack.school = $1 AND learner_pack.learner_id = member.learner_id AND " STUCK_PACKS
    " OFFSET 0) AS learner_pack" STUCK_JOINS " WHERE member.school = $1 AND group_key = $3" STUCK_ORDER,
    [QUERY_STUCK_LEARNER] =
        STUCK " FROM learner_pack" STUCK_JOINS
              " WHERE learner_pack.school = $1 AND learner_pack.learner_id = $2 AND " STUCK_PACKS
              "{3| AND EXISTS(SELECT FROM member WHERE member.school = $1 AND group_key = $3 AND"
              " member.learner_id = $2)}" STUCK_ORDER,

    [QUERY_PROGRESS_PACKS] = "SELECT nullif(pack_id, ''), " SUMS(
        "learner_pack") " FROM learner_pack WHERE school = $1 AND learner_id = $2 ORDER BY "
                        "learner_pack.pack_id COLLATE \"C\"",
    [QUERY_PROGRESS_DAYS] =
        "SELECT day, given, right_answers, firsts, first_shares::float8 / 1099511627776::float8, elapsed_ms,"
        " fresh FROM learner_day WHERE school = $1 AND learner_id = $2 AND day >= $3 ORDER BY day",
    [QUERY_LEARNER_SCHEDULES] =
        "SELECT " KNOWN ", pack_id, first_outcome, first_share, first_at, first_revision, best_share, misses,"
        " elapsed_ms, mastered, first_offset FROM schedule WHERE school = $1 AND learner_id = $2"
        " ORDER BY pack_id COLLATE \"C\", question_id COLLATE \"C\"",

    /* how many are wanted, and which of the graded ones are misses, is seen when they are read */
    [QUERY_MISSES] =
        ATTEMPT("session.kind") "0, (SELECT body FROM question_text WHERE question_text.school ="
                                " $1 AND question_text.content = attempt.content), grading.body FROM "
                                "attempt" OF_LEARNER OF_SESSION GRADING
                                " WHERE attempt.school = $1 AND attempt.learner_id = $2{3| AND "
                                "attempt.pack_id = $3}" COUNTED
                                " AND grading.kind IS DISTINCT FROM 'voided' AND (grading.body IS NOT NULL "
                                "OR attempt.outcome IN"
                                " ('wrong', 'partly')) ORDER BY attempt.answered_at DESC, attempt.seq DESC",

    [QUERY_ATTEMPTS] =
        ATTEMPT(NO_KIND) "0, grading.body" FROM_ATTEMPT COUNTED_JOINS WHERE_ATTEMPT COUNTED BY_QUESTION,
    [QUERY_ATTEMPTS_GROUP] =
        ATTEMPT(NO_KIND) "0, grading.body" FROM_MEMBER COUNTED_JOINS WHERE_MEMBER COUNTED BY_QUESTION,
    [QUERY_ANSWERS] = ANSWER FROM_ATTEMPT COUNTED_JOINS WHERE_ATTEMPT BY_QUESTION,
    [QUERY_ANSWERS_GROUP] = ANSWER FROM_MEMBER COUNTED_JOINS WHERE_MEMBER BY_QUESTION,
    [QUERY_ATTEMPT_LOG] = ATTEMPT("session.kind") UNDONE ", grading.body" FROM_ATTEMPT LOG_JOINS WHERE_ATTEMPT
                                                         " ORDER BY attempt.seq",
    [QUERY_LOG_GROUP] = ATTEMPT("session.kind") UNDONE ", grading.body" FROM_MEMBER LOG_JOINS WHERE_MEMBER
                                                       " ORDER BY attempt.seq",

    [QUERY_UNDONE_COUNTS] =
        COUNTS("event", "event.school = $1 AND event.kind = 'undone'{3| AND event.learner_id = $3}" IN_GROUP(
                            "event.learner_id")),
    [QUERY_UNDONE_GROUP] =
        COUNTS("member CROSS JOIN LATERAL (SELECT attempt_id FROM event WHERE event.school = $1 AND"
               " event.learner_id = member.learner_id AND event.kind = 'undone' OFFSET 0) AS event",
               "member.school = $1 AND member.group_key = $4"),
    /* from the sums: there may be many gradings, and few of these */
    [QUERY_GRADED_COUNTS] =
        "SELECT schedule.pack_id, schedule.question_id, sum(schedule.regraded)::bigint FROM {4|member CROSS"
        " JOIN LATERAL (SELECT learner_id, pack_id FROM learner_pack WHERE learner_pack.school = $1 AND"
        " learner_pack.learner_id = member.learner_id AND " REGRADED " OFFSET 0) AS }learner_pack CROSS JOIN"
        " LATERAL (SELECT pack_id, question_id, regraded FROM schedule WHERE schedule.school = $1 AND"
        " schedule.learner_id = learner_pack.learner_id AND schedule.pack_id = learner_pack.pack_id AND"
        " regraded > 0 OFFSET 0) AS schedule WHERE {4|member.school = $1 AND member.group_key = $4{3| AND"
        " member.learner_id = $3}}{!4|learner_pack.school = $1 AND " REGRADED "{3| AND"
        " learner_pack.learner_id = $3}} GROUP BY schedule.pack_id, schedule.question_id"
        " ORDER BY schedule.pack_id COLLATE \"C\", schedule.question_id COLLATE \"C\"",

    /* what is in their bodies is seen when they are read */
    [QUERY_REPORTED] = "SELECT event.body, NULL::text, NULL::text, event.learner_id, name, at, utc_offset_s"
                       " FROM event LEFT JOIN learner ON learner.school = $1 AND learner.learner_id ="
                       " event.learner_id WHERE event.school = $1 AND event.kind = 'reported'"
                       " ORDER BY at DESC, event.seq DESC",

    [QUERY_GROUPS] = "SELECT group_key, min(group_name COLLATE \"C\"), count(*) FROM member JOIN learner ON"
                     " learner.school = $1 AND learner.learner_id = member.learner_id WHERE member.school ="
                     " $1 AND merged_into IS NULL GROUP BY group_key ORDER BY group_key COLLATE \"C\"",
    [QUERY_GROUP_MEMBERS] = "SELECT learner.learner_id, name, login, external_id" MEMBERS
                            " WHERE member.school = $1 AND group_key = $2 AND merged_into IS NULL" BY_NAME,
    [QUERY_TEXT] =
        "SELECT pack_id, question_id, revision, body FROM question_text WHERE school = $1 AND content = $2",
    [QUERY_TEXTS] = "SELECT pack_id, question_id, revision, body FROM question_text WHERE school = $1"
                    " ORDER BY content",
    [QUERY_TEXTS_KEPT] =
        "SELECT content, pack_id, question_id, (SELECT body FROM question_text WHERE question_text.school = "
        "$1"
        " AND question_text.content = schedule.content) FROM schedule WHERE school = $1 AND learner_id = $2"
        " ORDER BY pack_id COLLATE \"C\", question_id COLLATE \"C\"",
    /* from one to the next along the index, not through all answers */
    [QUERY_PACKS] =
        "WITH RECURSIVE found(pack) AS ((SELECT pack_id FROM attempt WHERE school = $1 ORDER BY pack_id"
        " COLLATE \"C\" LIMIT 1) UNION ALL SELECT (SELECT pack_id FROM attempt WHERE school = $1 AND pack_id"
        " COLLATE \"C\" > pack ORDER BY pack_id COLLATE \"C\" LIMIT 1) FROM found WHERE pack IS NOT NULL)"
        " SELECT pack FROM found WHERE pack IS NOT NULL",
};

/* By member rather than by attempt or event where a group is asked for, and nobody of it. */
static int variant(int query, const struct store_value *of)
{
    switch (query) {
    case QUERY_CLASS:
        return of[0].type != VALUE_NULL ? (int)QUERY_CLASS_GROUP : query;
    case QUERY_STUCK:
        if (of[0].type != VALUE_NULL)
            return QUERY_STUCK_LEARNER;
        return of[1].type != VALUE_NULL ? (int)QUERY_STUCK_GROUP : query;
    case QUERY_UNDONE_COUNTS:
    case QUERY_ATTEMPTS:
    case QUERY_ANSWERS:
    case QUERY_ATTEMPT_LOG:
        break;
    default:
        return query;
    }
    if (of[1].type != VALUE_NULL || of[2].type == VALUE_NULL)
        return query;
    return query == QUERY_UNDONE_COUNTS ? (int)QUERY_UNDONE_GROUP
           : query == QUERY_ATTEMPTS    ? (int)QUERY_ATTEMPTS_GROUP
           : query == QUERY_ANSWERS     ? (int)QUERY_ANSWERS_GROUP
                                        : (int)QUERY_LOG_GROUP;
}

/* Whether what a mark stands before is wanted; moves on behind the |. */
static bool wanted(const char **text, const struct store_value *parameters)
{
    const char *is = *text + 1;
    bool without = *is == '!';
    is += without;
    int place = *is - '2'; /* $2 is the first of them */
    *text = is + 2;
    return (parameters[place].type == VALUE_NULL) == without;
}

bool postgres_statement(struct buffer *sql, int query, const struct store_value *parameters)
{
    const char *text = texts[variant(query, parameters)];
    int left_out = 0; /* how deep within what is not wanted */
    while (text && *text) {
        if (*text == '{') {
            bool in = wanted(&text, parameters);
            left_out += left_out || !in;
            continue;
        }
        ptrdiff_t length = (ptrdiff_t)strcspn(text + 1, "{}") + 1;
        if (*text == '}') {
            left_out -= left_out > 0;
            text++;
            continue;
        }
        if (!left_out)
            buffer_add(sql, text, length);
        text += length;
    }
    return text != NULL;
}
