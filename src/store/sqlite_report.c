/* What reports read: the same query has several statements where it can be asked by several indexes. */
#include "sqlite_log.h"

/* The sums keep moments alone: the offset is that of the answer then. */
#define OFFSET(learner, at)                                                                                  \
    "(SELECT utc_offset_s FROM attempt INDEXED BY attempt_recent WHERE attempt.learner_id = " learner        \
    " AND attempt.answered_at = " at " ORDER BY attempt.seq DESC LIMIT 1)"
/* As enum class_column has it, after the learner. */
#define SUMS(table)                                                                                          \
    table ".last_at, " table ".first_at, coalesce(" table ".sessions, 0), coalesce(" table                   \
          ".questions, 0), coalesce(" table ".attempts, 0), coalesce(" table                                 \
          ".first_right, 0), coalesce(" table ".first_partly, 0), coalesce(" table                           \
          ".first_wrong, 0), coalesce(" table ".first_omitted, 0), coalesce(" table                          \
          ".first_shares, 0) / 1099511627776.0, coalesce(" table ".elapsed_ms, 0), coalesce(" table          \
          ".mastered, 0), coalesce(" table ".stuck, 0), " OFFSET(                                            \
              table ".learner_id", table ".last_at") ", " OFFSET(table ".learner_id", table ".first_at")
#define CLASS "SELECT learner.learner_id, name, login, external_id, " SUMS("learner_pack")
#define CLASS_SUMS                                                                                           \
    " LEFT JOIN learner_pack ON learner_pack.learner_id = learner.learner_id"                                \
    " AND learner_pack.pack_id = coalesce(?2, '') WHERE merged_into IS NULL"
#define BY_NAME " ORDER BY name_key, learner.learner_id"

#define STUCK                                                                                                \
    "SELECT schedule.learner_id, name, schedule.pack_id, question_id, misses, counted, outcome, "            \
    "answered_at,"                                                                                           \
    " content FROM "
#define STUCK_JOINS                                                                                          \
    " CROSS JOIN schedule ON schedule.learner_id = learner_pack.learner_id AND schedule.pack_id ="           \
    " learner_pack.pack_id CROSS JOIN learner ON learner.learner_id = schedule.learner_id"                   \
    " WHERE learner_pack.stuck > 0 AND learner_pack.pack_id <> '' AND misses >= 3"                           \
    " AND (?3 IS NULL OR learner_pack.pack_id = ?3) AND (?1 IS NULL OR learner_pack.learner_id = ?1)"
#define STUCK_ORDER " ORDER BY misses DESC, name_key, schedule.learner_id, schedule.pack_id, question_id"

#define HELPED                                                                                               \
    "iif(attempt.showing > 1, EXISTS(SELECT 1 FROM attempt AS earlier INDEXED BY attempt_history WHERE"      \
    " earlier.learner_id = attempt.learner_id AND earlier.pack_id = attempt.pack_id AND earlier.question_id" \
    " = attempt.question_id AND earlier.session_id = attempt.session_id AND earlier.seq < attempt.seq AND"   \
    " EXISTS(SELECT 1 FROM event INDEXED BY event_undone WHERE event.attempt_id = earlier.attempt_id AND"    \
    " event.kind = 'undone')), 0)"
/* As enum attempt_column has it, but for ATTEMPT_UNDONE; and what they come of. */
#define ATTEMPT                                                                                              \
    "SELECT attempt.attempt_id, attempt.session_id, attempt.learner_id, learner.name, learner.login,"        \
    " attempt.device_id, attempt.pack_id, attempt.question_id, attempt.revision, attempt.content,"           \
    " attempt.seed, attempt.showing, attempt.shown, attempt.response, " SQLITE_GRADE(                        \
        "grading.body", "attempt.outcome", "attempt.mark",                                                   \
        "attempt.marks") ", grading.kind,"                                                                   \
                         " attempt.certainty, attempt.hints, attempt.retried, " HELPED                       \
                         ", attempt.elapsed_ms,"                                                             \
                         " attempt.answered_at, attempt.utc_offset_s, attempt.origin, session.kind, "        \
                         "attempt.seq, "
/* The same for figures. */
#define ANSWER                                                                                               \
    "SELECT attempt.attempt_id, attempt.session_id, attempt.learner_id, learner.name, learner.login, NULL,"  \
    " attempt.pack_id, attempt.question_id, attempt.revision, attempt.content, NULL, attempt.showing, NULL," \
    " attempt.response, " SQLITE_GRADE(                                                                      \
        "grading.body", "attempt.outcome", "attempt.mark",                                                   \
        "attempt.marks") ", nullif(grading.kind, 'undone'), attempt.certainty, NULL, NULL,"                  \
                         " iif(?4 IS NULL AND ?5 IS NULL AND ?7 IS NULL, 0, " HELPED                         \
                         "), attempt.elapsed_ms, attempt.answered_at, attempt.utc_offset_s, NULL, NULL,"     \
                         " attempt.seq, grading.kind IS 'undone'"
#define OF_LEARNER    " CROSS JOIN learner ON learner.learner_id = attempt.learner_id"
#define OF_SESSION    " CROSS JOIN session ON session.session_id = attempt.session_id"
#define ATTEMPT_JOINS OF_LEARNER OF_SESSION SQLITE_GRADING_ONLY
/* The session is only looked up where its kind is asked for: it lies elsewhere for nearly each row. */
#define COUNTED_JOINS                                                                                        \
    " LEFT JOIN session ON session.session_id = iif(?6 IS NULL, NULL, attempt.session_id)" SQLITE_GRADING
#define ATTEMPT_WHERE                                                                                        \
    " AND (?4 IS NULL OR attempt.answered_at >= ?4) AND (?5 IS NULL OR attempt.answered_at < ?5)"            \
    " AND (?6 IS NULL OR session.kind = ?6) AND (?7 IS NULL OR attempt.revision = ?7)"
#define COUNTED " AND " SQLITE_COUNTED
#define IN_GROUP                                                                                             \
    " AND (?3 IS NULL OR attempt.learner_id IN (SELECT learner_id FROM member WHERE group_key = ?3))"
#define BY_QUESTION " ORDER BY learner.learner_id, attempt.pack_id, attempt.question_id, attempt.seq"
#define BY_MEMBER   " ORDER BY member.learner_id, attempt.pack_id, attempt.question_id, attempt.seq"
/* Whose attempts, each by an index that has them in order. */
#define OF_ALL                                                                                               \
    " FROM learner CROSS JOIN attempt INDEXED BY attempt_history ON attempt.learner_id ="                    \
    " learner.learner_id" COUNTED_JOINS " WHERE 1" ATTEMPT_WHERE
#define OF_PACK                                                                                              \
    " FROM learner CROSS JOIN attempt INDEXED BY attempt_pack ON attempt.learner_id = learner.learner_id"    \
    " AND attempt.pack_id = ?1" COUNTED_JOINS " WHERE 1" ATTEMPT_WHERE
#define OF_GROUP                                                                                             \
    " FROM member CROSS JOIN learner ON learner.learner_id = member.learner_id CROSS JOIN attempt INDEXED"   \
    " BY attempt_history ON attempt.learner_id = member.learner_id" COUNTED_JOINS                            \
    " WHERE member.group_key = ?3 AND (?1 IS NULL OR attempt.pack_id = ?1)" ATTEMPT_WHERE
#define OF_ONE                                                                                               \
    " FROM learner CROSS JOIN attempt INDEXED BY attempt_history ON attempt.learner_id ="                    \
    " learner.learner_id" COUNTED_JOINS " WHERE learner.learner_id = ?2 AND (?1 IS NULL OR"                  \
    " attempt.pack_id = ?1)" IN_GROUP ATTEMPT_WHERE
/* Numbers are sorted, not rows, which may be many and wide. */
#define LOG(from, where)                                                                                     \
    ATTEMPT SQLITE_UNDONE " FROM (SELECT attempt.seq AS wanted FROM " from " WHERE " where                   \
                          " ORDER BY attempt.seq LIMIT -1) CROSS JOIN attempt ON attempt.seq ="              \
                          " wanted" ATTEMPT_JOINS " WHERE 1" ATTEMPT_WHERE

#define BY_GROUP                                                                                             \
    " AND (?3 IS NULL OR event.learner_id IN (SELECT learner_id FROM member WHERE group_key = ?3))"
#define UNDONE(from, where)                                                                                  \
    "SELECT pack_id, question_id, count(DISTINCT attempt.attempt_id) FROM " from                             \
    " CROSS JOIN attempt ON attempt.attempt_id = event.attempt_id WHERE event.kind = 'undone'" where         \
    " AND (?1 IS NULL OR pack_id = ?1) GROUP BY pack_id, question_id ORDER BY pack_id, question_id"

static const char *const texts[QUERIES] = {
    [QUERY_CLASS] = CLASS " FROM learner" CLASS_SUMS BY_NAME,
    [QUERY_CLASS_GROUP] =
        CLASS " FROM member JOIN learner USING(learner_id)" CLASS_SUMS " AND group_key = ?1" BY_NAME,

    [QUERY_STUCK] = STUCK "learner_pack" STUCK_JOINS
                          " AND (?2 IS NULL OR learner_pack.learner_id IN (SELECT learner_id FROM member"
                          " WHERE group_key = ?2))" STUCK_ORDER,
    [QUERY_STUCK_GROUP] =
        STUCK "member CROSS JOIN learner_pack ON learner_pack.learner_id = member.learner_id" STUCK_JOINS
              " AND group_key = ?2" STUCK_ORDER,
    [QUERY_STUCK_LEARNER] = STUCK
    "learner_pack" STUCK_JOINS " AND learner_pack.learner_id = ?1 AND (?2 IS NULL OR EXISTS(SELECT 1"
    " FROM member WHERE group_key = ?2 AND member.learner_id = ?1))" STUCK_ORDER,

    [QUERY_PROGRESS_PACKS] =
        "SELECT nullif(pack_id, ''), " SUMS("learner_pack") " FROM learner_pack WHERE learner_id = ?1"
                                                            " ORDER BY learner_pack.pack_id",

    [QUERY_PROGRESS_DAYS] = "SELECT day, given, right_answers, firsts, first_shares / 1099511627776.0,"
                            " elapsed_ms, fresh FROM learner_day WHERE learner_id = ?1 AND day >= ?2"
                            " ORDER BY day",

    [QUERY_LEARNER_SCHEDULES] =
        "SELECT " SCHEDULE_COLUMNS ", pack_id, first_outcome, first_share, first_at,"
        " first_revision, best_share, misses, elapsed_ms, mastered,"
        " " OFFSET("schedule.learner_id", "first_at") " FROM schedule"
                                                      " WHERE learner_id = ?1 ORDER BY pack_id, question_id",

    /* the table is looked into only as far as there are misses wanted */
    [QUERY_MISSES] = ATTEMPT
    "0, (SELECT body FROM question_text WHERE question_text.content = attempt.content) FROM attempt INDEXED"
    " BY attempt_recent" OF_LEARNER OF_SESSION SQLITE_GRADING
    " WHERE attempt.learner_id = ?1 AND (?2 IS NULL OR attempt.pack_id ="
    " ?2)" COUNTED " AND grading.kind IS NOT 'voided' AND iif(grading.body ->> '$.outcome' IN ('right',"
    " 'partly', 'wrong', 'omitted'), grading.body ->> '$.outcome', attempt.outcome) IN ('wrong', 'partly')"
    " ORDER BY attempt.answered_at DESC, attempt.seq DESC LIMIT ?3",

    /* from learner to learner, in the order of their ids */
    [QUERY_ATTEMPTS] = ATTEMPT "0" OF_ALL COUNTED BY_QUESTION,
    [QUERY_ATTEMPTS_PACK] = ATTEMPT "0" OF_PACK COUNTED BY_QUESTION,
    [QUERY_ATTEMPTS_GROUP] = ATTEMPT "0" OF_GROUP COUNTED BY_MEMBER,
    [QUERY_ATTEMPTS_LEARNER] = ATTEMPT "0" OF_ONE COUNTED BY_QUESTION,
    [QUERY_ANSWERS] = ANSWER OF_ALL BY_QUESTION,
    [QUERY_ANSWERS_PACK] = ANSWER OF_PACK BY_QUESTION,
    [QUERY_ANSWERS_GROUP] = ANSWER OF_GROUP BY_MEMBER,
    [QUERY_ANSWERS_LEARNER] = ANSWER OF_ONE BY_QUESTION,

    [QUERY_ATTEMPT_LOG] =
        ATTEMPT SQLITE_UNDONE " FROM attempt" ATTEMPT_JOINS " WHERE 1" ATTEMPT_WHERE " ORDER BY attempt.seq",
    [QUERY_LOG_PACK] = LOG("attempt INDEXED BY attempt_pack", "attempt.pack_id = ?1" IN_GROUP),
    [QUERY_LOG_GROUP] = LOG("member CROSS JOIN attempt INDEXED BY attempt_history ON attempt.learner_id ="
                            " member.learner_id",
                            "member.group_key = ?3 AND (?1 IS NULL OR attempt.pack_id = ?1)"),
    [QUERY_LOG_LEARNER] = LOG("attempt INDEXED BY attempt_history",
                              "attempt.learner_id = ?2 AND (?1 IS NULL OR attempt.pack_id = ?1)" IN_GROUP),

    [QUERY_UNDONE_COUNTS] = UNDONE("event INDEXED BY event_undone", BY_GROUP),
    [QUERY_UNDONE_GROUP] = UNDONE("member CROSS JOIN event INDEXED BY event_undone_learner ON"
                                  " event.learner_id = member.learner_id",
                                  " AND member.group_key = ?3"),
    [QUERY_UNDONE_LEARNER] =
        UNDONE("event INDEXED BY event_undone_learner", " AND event.learner_id = ?2" BY_GROUP),

    [QUERY_GRADED_COUNTS] =
        "SELECT pack_id, question_id, count(DISTINCT attempt.attempt_id) FROM event AS grading"
        " INDEXED BY event_told CROSS JOIN attempt ON attempt.attempt_id = grading.attempt_id"
        " WHERE grading." SQLITE_TOLD " AND grading.kind <> 'undone' AND NOT " SQLITE_UNDONE
        " AND (?1 IS NULL OR pack_id = ?1) AND (?2 IS NULL OR attempt.learner_id = ?2)"
        " AND (?3 IS NULL OR attempt.learner_id IN (SELECT learner_id FROM member WHERE group_key = ?3))"
        " GROUP BY pack_id, question_id ORDER BY pack_id, question_id",

    [QUERY_REPORTED] =
        "SELECT body ->> '$.question[0]' AS pack, body ->> '$.question[1]', nullif(body ->> '$.text', ''),"
        " event.learner_id, name, at, utc_offset_s FROM event INDEXED BY event_reported LEFT JOIN learner"
        " ON learner.learner_id = event.learner_id WHERE event.kind = 'reported' AND pack IS NOT NULL"
        " AND (?1 IS NULL OR pack = ?1) ORDER BY at DESC, event.seq DESC",

    [QUERY_GROUPS] = "SELECT group_key, min(group_name), count(*) FROM member JOIN learner USING(learner_id)"
                     " WHERE merged_into IS NULL GROUP BY group_key ORDER BY group_key",

    [QUERY_GROUP_MEMBERS] = "SELECT learner.learner_id, name, login, external_id FROM member JOIN learner"
                            " USING(learner_id) WHERE group_key = ?1 AND merged_into IS NULL" BY_NAME,

    [QUERY_TEXT] =
        "SELECT pack_id, question_id, revision, body FROM question_text WHERE question_text.content = ?1",

    [QUERY_TEXTS_KEPT] = "SELECT content, pack_id, question_id, (SELECT body FROM question_text WHERE"
                         " question_text.content = schedule.content) FROM schedule WHERE learner_id = ?1"
                         " ORDER BY pack_id, question_id",

    /* from one to the next along the index, not through all answers */
    [QUERY_TEXTS] = "SELECT pack_id, question_id, revision, body FROM question_text"
                    " ORDER BY content",
    [QUERY_PACKS] = "WITH RECURSIVE found(pack) AS (SELECT min(pack_id) FROM attempt UNION ALL SELECT (SELECT"
                    " min(pack_id) FROM attempt WHERE pack_id > pack) FROM found WHERE pack IS NOT NULL)"
                    " SELECT pack FROM found WHERE pack IS NOT NULL",
};

const char *sqlite_report_text(int query)
{
    return texts[query];
}

/* By the narrowest of pack, learner and group. */
static int attempts_variant(int query, const struct store_value *of)
{
    enum { PACK, GROUP, LEARNER, VARIANTS };
    static const int variants[][VARIANTS] = {
        { QUERY_ATTEMPTS_PACK, QUERY_ATTEMPTS_GROUP, QUERY_ATTEMPTS_LEARNER },
        { QUERY_LOG_PACK, QUERY_LOG_GROUP, QUERY_LOG_LEARNER },
        { QUERY_ANSWERS_PACK, QUERY_ANSWERS_GROUP, QUERY_ANSWERS_LEARNER },
    };
    const int *is = variants[query == QUERY_ATTEMPTS ? 0 : query == QUERY_ATTEMPT_LOG ? 1 : 2];
    if (of[1].type != VALUE_NULL)
        return is[LEARNER];
    if (of[2].type != VALUE_NULL)
        return is[GROUP];
    return of[0].type != VALUE_NULL ? is[PACK] : query;
}

int sqlite_report_variant(int query, const struct store_value *parameters)
{
    const struct store_value *of = parameters;
    switch (query) {
    case QUERY_CLASS:
        return of[0].type != VALUE_NULL ? (int)QUERY_CLASS_GROUP : query;
    case QUERY_STUCK:
        if (of[0].type != VALUE_NULL)
            return QUERY_STUCK_LEARNER;
        return of[1].type != VALUE_NULL ? (int)QUERY_STUCK_GROUP : query;
    case QUERY_UNDONE_COUNTS:
        if (of[1].type != VALUE_NULL)
            return QUERY_UNDONE_LEARNER;
        return of[2].type != VALUE_NULL ? (int)QUERY_UNDONE_GROUP : query;
    case QUERY_ATTEMPTS:
    case QUERY_ATTEMPT_LOG:
    case QUERY_ANSWERS:
        return attempts_variant(query, of);
    default:
        return query;
    }
}
