/* What the cells of a row say of an attempt. */
#include "load_row.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>
#include <quiztutor/pack.h>
#include <quiztutor/text.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_HINTS = 1000, TEXT_LONGEST = 200, DAY_MS = 86400000, SHOWN = 60 };
static const int64_t most_elapsed = (int64_t)366 * DAY_MS;

/* A row on its way. */
struct reading {
    struct load_table *load;
    struct intake_row *row;
    struct intake_result *result;
    bool failed; /* no memory */
};

static bool refuse(struct reading *reading, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(struct reading *reading, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reading->result->why, sizeof reading->result->why, format, arguments);
    va_end(arguments);
    reading->result->fate = INTAKE_REFUSED;
    return false;
}

/* `what`: what may stand there, translated. */
static bool refuse_cell(struct reading *reading, enum load_column column, const char *cell, const char *what)
{
    char shown[SHOWN + 4];
    snprintf(shown, sizeof shown, "%.*s%s", SHOWN, cell, strlen(cell) > SHOWN ? "…" : "");
    return refuse(reading, tr("%s: %s, not \"%s\""), load_column_name(column), what, shown);
}

/* The cell; *there whether it holds anything. False without memory. */
static bool cell_of(struct reading *reading, enum load_column column, const char **cell)
{
    *cell = load_table_cell(reading->load, column);
    if (!*cell)
        reading->failed = true;
    return *cell != NULL;
}

static bool read_id(struct reading *reading, enum load_column column, struct uuid *id)
{
    const char *cell;
    if (!cell_of(reading, column, &cell))
        return false;
    if (!*cell)
        return true;
    return uuid_read(id, cell) ||
           refuse_cell(reading, column, cell, tr("an id looks like 0190f5c2-7a10-7000-8000-000000000001"));
}

/* A text of its own kind; *text stays NULL where there is none. */
static bool read_text(struct reading *reading, enum load_column column, const char **text, ptrdiff_t longest)
{
    const char *cell;
    if (!cell_of(reading, column, &cell))
        return false;
    *text = *cell ? cell : NULL;
    ptrdiff_t length = (ptrdiff_t)strlen(cell);
    for (ptrdiff_t at = 0; at < length;) {
        int32_t code;
        at += text_decode(cell + at, length - at, &code);
        if (text_forbidden(code) || code == '\n' || code == '\t')
            return refuse(reading, tr("%s: holds a character that can't stand there"),
                          load_column_name(column));
    }
    return length <= longest ||
           refuse(reading, tr("%s: longer than %td bytes"), load_column_name(column), longest);
}

static bool read_whole(struct reading *reading, enum load_column column, int64_t least, int64_t most,
                       int64_t *value)
{
    const char *cell;
    struct number number;
    if (!cell_of(reading, column, &cell))
        return false;
    if (!*cell)
        return true;
    if (number_read(&number, cell, (ptrdiff_t)strlen(cell), reading->load->comma) == NUMBER_FINE &&
        number.value >= (double)least && number.value <= (double)most &&
        number.value == (double)(int64_t)number.value) {
        *value = (int64_t)number.value;
        return true;
    }
    return refuse(reading, tr("%s: a whole number from %lld to %lld must stand there"),
                  load_column_name(column), (long long)least, (long long)most);
}

static bool read_truth(struct reading *reading, enum load_column column, bool *truth)
{
    const char *cell;
    if (!cell_of(reading, column, &cell))
        return false;
    *truth = strcmp(cell, "true") == 0 || strcmp(cell, "1") == 0;
    if (*truth || !*cell || strcmp(cell, "false") == 0 || strcmp(cell, "0") == 0)
        return true;
    return refuse_cell(reading, column, cell, tr("write true or false"));
}

/* ---- whose, and of what ---- */

/* A learner_id is the store's own id, or where it does not look like one, the external one. */
static bool read_learner(struct reading *reading)
{
    struct intake_row *row = reading->row;
    const char *name, *id, *external, *why = NULL;
    if (!cell_of(reading, LOAD_LEARNER, &name) ||
        !read_text(reading, LOAD_LOGIN, &row->login, TEXT_LONGEST) ||
        !read_text(reading, LOAD_LEARNER_ID, &id, TEXT_LONGEST) ||
        !read_text(reading, LOAD_EXTERNAL_ID, &external, TEXT_LONGEST))
        return false;
    if (id && !uuid_read(&row->learner, id) && !external)
        external = id;
    row->external_id = external;
    char *kept = text_learner_name(name, &why);
    if (!kept && strcmp(why, tr("out of memory")) == 0) {
        reading->failed = true;
        return false;
    }
    if (!kept)
        return refuse(reading, "%s: %s", load_column_name(LOAD_LEARNER), why);
    row->name = arena_text(&reading->load->arena, kept, (ptrdiff_t)strlen(kept));
    reading->failed = !row->name;
    memory_free(kept);
    return !reading->failed;
}

static bool must_be_there(struct reading *reading, enum load_column column, const char *text)
{
    return text || refuse(reading, tr("%s: nothing stands there"), load_column_name(column));
}

/* The content hash in hex. */
static bool read_content(struct reading *reading)
{
    const char *cell;
    if (!cell_of(reading, LOAD_CONTENT, &cell))
        return false;
    if (!*cell)
        return true;
    return hash_read(&reading->row->attempt.content, cell) ||
           refuse_cell(reading, LOAD_CONTENT, cell, tr("64 hex digits must stand there"));
}

static bool read_question(struct reading *reading)
{
    struct store_attempt *attempt = &reading->row->attempt;
    if (!read_text(reading, LOAD_PACK, &attempt->pack_id, PACK_ID) ||
        !must_be_there(reading, LOAD_PACK, attempt->pack_id) ||
        !read_text(reading, LOAD_QUESTION, &attempt->question_id, PACK_ID) ||
        !must_be_there(reading, LOAD_QUESTION, attempt->question_id) ||
        !read_text(reading, LOAD_REVISION, &attempt->revision, PACK_REVISION))
        return false;
    if (!attempt->revision)
        attempt->revision = "";
    return read_content(reading);
}

/* ---- the marks ---- */

static bool read_mark(struct reading *reading, enum load_column column, double *value, bool *there)
{
    const char *cell;
    struct number number = { 0 };
    if (!cell_of(reading, column, &cell))
        return false;
    *there = *cell != '\0';
    enum number_fault fault =
        *there ? number_read(&number, cell, (ptrdiff_t)strlen(cell), reading->load->comma) : NUMBER_FINE;
    *value = number.value;
    if (fault == NUMBER_COMMA)
        return refuse_cell(reading, column, cell, tr("write a decimal point"));
    return fault == NUMBER_FINE || refuse_cell(reading, column, cell, tr("a number must stand there"));
}

/* What the mark makes of it; −1 where it does not tell. */
static enum outcome outcome_of(const struct verdict *verdict, bool there)
{
    if (!there)
        return OUTCOME_OMITTED;
    if (verdict->share >= 1 - 1e-9)
        return OUTCOME_RIGHT;
    return verdict->mark > 0 ? OUTCOME_PARTLY : OUTCOME_WRONG;
}

static bool read_outcome(struct reading *reading, struct verdict *verdict, bool there)
{
    const char *cell;
    enum outcome told;
    verdict->outcome = outcome_of(verdict, there);
    if (!cell_of(reading, LOAD_OUTCOME, &cell))
        return false;
    if (!*cell)
        return true;
    if (!outcome_read(&told, cell))
        return refuse_cell(reading, LOAD_OUTCOME, cell, tr("write right, partly, wrong or omitted"));
    if (told == OUTCOME_OMITTED && verdict->outcome == OUTCOME_WRONG)
        verdict->outcome = OUTCOME_OMITTED; /* left out: no mark */
    if (told == verdict->outcome || reading->row->voided)
        return true;
    return refuse(reading, tr("outcome: \"%s\" does not fit the mark, which makes it %s"), cell,
                  outcome_name(verdict->outcome));
}

static bool read_graded(struct reading *reading)
{
    const char *cell;
    if (!cell_of(reading, LOAD_GRADED, &cell))
        return false;
    reading->row->voided = strcmp(cell, "voided") == 0;
    if (!*cell || reading->row->voided || strcmp(cell, "regraded") == 0 || strcmp(cell, "accepted") == 0)
        return true;
    return refuse_cell(reading, LOAD_GRADED, cell, tr("write regraded, accepted or voided"));
}

static bool read_verdict(struct reading *reading)
{
    struct verdict *verdict = &reading->row->attempt.verdict;
    bool marked, any;
    if (!read_graded(reading) || !read_mark(reading, LOAD_MARK, &verdict->mark, &marked) ||
        !read_mark(reading, LOAD_MARKS, &verdict->marks, &any))
        return false;
    if (!any && reading->row->voided)
        verdict->marks = 1, verdict->mark = 0; /* neither counts */
    else if (!any)
        return refuse(reading, tr("marks: nothing stands there"));
    if (!(verdict->marks > 0) || verdict->marks > PACK_MARKS)
        return refuse(reading, tr("marks: must be above 0, and at most %d"), PACK_MARKS);
    if (verdict->mark < 0 || verdict->mark > verdict->marks)
        return refuse(reading, tr("mark: must be from 0 to the marks, which are %g"), verdict->marks);
    verdict->share = verdict->mark / verdict->marks;
    return read_outcome(reading, verdict, marked || reading->row->voided);
}

/* ---- how ---- */

static bool read_numbers(struct reading *reading)
{
    struct store_attempt *attempt = &reading->row->attempt;
    int64_t seed = 1, showing = 1, certainty = 0, hints = 0, elapsed = -1;
    if (!read_whole(reading, LOAD_SEED, 1, UINT32_MAX, &seed) ||
        !read_whole(reading, LOAD_SHOWING, 1, INT32_MAX, &showing) ||
        !read_whole(reading, LOAD_CERTAINTY, 0, 3, &certainty) ||
        !read_whole(reading, LOAD_HINTS, 0, MOST_HINTS, &hints) ||
        !read_whole(reading, LOAD_ELAPSED_MS, 0, most_elapsed, &elapsed))
        return false;
    attempt->seed = (uint32_t)seed;
    attempt->showing = (int)showing;
    attempt->certainty = (int)certainty;
    attempt->hints = (int)hints;
    attempt->elapsed_ms = elapsed;
    return true;
}

static bool read_moment(struct reading *reading)
{
    struct store_attempt *attempt = &reading->row->attempt;
    struct load_table *load = reading->load;
    const char *cell;
    if (!cell_of(reading, LOAD_ANSWERED_AT, &cell))
        return false;
    attempt->answered_at = load->now;
    attempt->utc_offset_s = clock_offset(&load->clock, load->now);
    if (!*cell)
        return true;
    if (!load_moment_read(&load->clock, cell, &attempt->answered_at, &attempt->utc_offset_s))
        return refuse_cell(reading, LOAD_ANSWERED_AT, cell,
                           tr("a moment looks like 2026-11-30T10:55:00+01:00, a day like 2026-11-30"));
    if (attempt->answered_at < 0)
        return refuse(reading, tr("%s: \"%s\" is before 1970"), load_column_name(LOAD_ANSWERED_AT), cell);
    return attempt->answered_at <= load->now + DAY_MS ||
           refuse(reading, tr("%s: \"%s\" is yet to come"), load_column_name(LOAD_ANSWERED_AT), cell);
}

static bool read_json(struct reading *reading, enum load_column column, const char **json)
{
    const char *cell;
    if (!cell_of(reading, column, &cell))
        return false;
    *json = *cell ? cell : NULL;
    return true;
}

static bool is_one_of(const char *text, const char *const *words)
{
    while (*words && strcmp(text, *words) != 0)
        words++;
    return *words != NULL;
}

static bool read_origin(struct reading *reading)
{
    static const char *const kinds[] = { "practice", "exam", "paper", "import", NULL };
    static const char *const origins[] = { "screen", "plain", "jsonl", "paper", "kiosk", "import", NULL };
    struct intake_row *row = reading->row;
    if (!read_text(reading, LOAD_KIND, &row->kind, TEXT_LONGEST) ||
        !read_text(reading, LOAD_ORIGIN, &row->attempt.origin, TEXT_LONGEST))
        return false;
    if (!row->kind)
        row->kind = "import";
    if (!row->attempt.origin)
        row->attempt.origin = "import";
    if (!is_one_of(row->kind, kinds))
        return refuse_cell(reading, LOAD_KIND, row->kind, tr("write practice, exam, paper or import"));
    return is_one_of(row->attempt.origin, origins) ||
           refuse_cell(reading, LOAD_ORIGIN, row->attempt.origin,
                       tr("write screen, plain, jsonl, paper, kiosk or import"));
}

bool load_row_read(struct load_table *load, struct intake_row *row, struct intake_result *result,
                   struct error *error)
{
    struct reading reading = { .load = load, .row = row, .result = result };
    struct store_attempt *attempt = &row->attempt;
    *row = (struct intake_row){ .source = load->source };
    bool done = read_id(&reading, LOAD_ATTEMPT, &attempt->id) &&
                read_id(&reading, LOAD_SESSION, &row->session) &&
                read_id(&reading, LOAD_DEVICE, &row->device) && read_learner(&reading) &&
                read_question(&reading) && read_verdict(&reading) && read_numbers(&reading) &&
                read_truth(&reading, LOAD_RETRIED, &attempt->retried) &&
                read_truth(&reading, LOAD_UNDONE, &row->undone) && read_moment(&reading) &&
                read_json(&reading, LOAD_SHOWN, &attempt->shown) &&
                read_json(&reading, LOAD_RESPONSE, &attempt->response) && read_origin(&reading);
    if (attempt->verdict.outcome == OUTCOME_OMITTED)
        attempt->response = NULL;
    return done || (reading.failed && error_memory(error));
}
