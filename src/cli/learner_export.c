/* `quiztutor learner export`: the whole log with pseudonyms, for people who must not know who is who. */
#include "learner.h"
#include "part.h"

#include <quiztutor/line.h>
#include <quiztutor/message.h>
#include <quiztutor/report.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SALT = 32, COLUMNS = 64 };

/* What stands in a column instead of what it holds. */
enum pseudonym { PSEUDONYM_NONE, PSEUDONYM_ID, PSEUDONYM_NAME, PSEUDONYM_LOGIN };

struct hiding {
    unsigned char salt[SALT]; /* gone with the process */
    struct report_table table;
    const struct report_table *real;
    enum pseudonym kinds[COLUMNS];
    int learner; /* the column that tells whose a row is */
    char texts[COLUMNS][40];
};

static enum pseudonym kind_of(const char *column)
{
    static const struct {
        const char *name;
        enum pseudonym kind;
    } kinds[] = { { "attempt", PSEUDONYM_ID },       { "session", PSEUDONYM_ID },
                  { "device", PSEUDONYM_ID },        { "learner_id", PSEUDONYM_ID },
                  { "learner", PSEUDONYM_NAME },     { "login", PSEUDONYM_LOGIN },
                  { "external_id", PSEUDONYM_LOGIN } };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, column) == 0)
            return kinds[i].kind;
    return PSEUDONYM_NONE;
}

static void digest(const struct hiding *hiding, const char *text, struct hash *hash)
{
    struct hash inner;
    unsigned char salted[SALT + sizeof inner.bytes];
    hash_of(&inner, text, (ptrdiff_t)strlen(text));
    memcpy(salted, hiding->salt, SALT);
    memcpy(salted + SALT, inner.bytes, sizeof inner.bytes);
    hash_of(hash, salted, sizeof salted);
}

/* An id stays an id, of version 8 (RFC 9562: made of anything); a learner's name and login come from the id.
 */
static void hide(struct hiding *hiding, int column, struct report_cell *cell, const char *learner)
{
    char *text = hiding->texts[column];
    struct hash hash;
    struct uuid id;
    bool whose = hiding->kinds[column] != PSEUDONYM_ID;
    digest(hiding, whose ? learner : cell->text, &hash);
    if (whose) {
        char hex[13];
        hash_hex(hex, hash.bytes, 6);
        snprintf(text, sizeof hiding->texts[column], "%s-%s",
                 hiding->kinds[column] == PSEUDONYM_NAME ? "learner" : "login", hex);
    } else {
        memcpy(id.bytes, hash.bytes, sizeof id.bytes);
        id.bytes[6] = (unsigned char)((id.bytes[6] & 0x0f) | 0x80);
        id.bytes[8] = (unsigned char)((id.bytes[8] & 0x3f) | 0x80);
        uuid_format(text, &id);
    }
    cell->text = text;
}

static int next(void *context, struct report_cell *cells, struct error *error)
{
    struct hiding *hiding = context;
    int got = hiding->real->next(hiding->real->context, cells, error);
    const char *learner = got == 1 ? cells[hiding->learner].text : NULL;
    if (got == 1 && !learner)
        return error_set(error, ERROR_DAMAGED, "%s", tr("a row of the log is nobody's")) ? 1 : -1;
    for (int i = 0; got == 1 && i < hiding->table.column_count; i++)
        if (i != hiding->learner && hiding->kinds[i] != PSEUDONYM_NONE && cells[i].kind == CELL_TEXT &&
            cells[i].text)
            hide(hiding, i, &cells[i], learner);
    if (got == 1)
        hide(hiding, hiding->learner, &cells[hiding->learner], learner);
    return got;
}

/* Puts itself between the report and who writes it. */
static bool hiding_start(struct hiding *hiding, struct report *report, struct error *error)
{
    hiding->real = &report->tables[0];
    hiding->table = *hiding->real;
    hiding->learner = -1;
    bool fits = hiding->table.next && hiding->table.column_count <= COLUMNS;
    for (int i = 0; fits && i < hiding->table.column_count; i++) {
        hiding->kinds[i] = kind_of(hiding->table.columns[i].name);
        if (strcmp(hiding->table.columns[i].name, "learner_id") == 0)
            hiding->learner = i;
    }
    if (!fits || hiding->learner < 0)
        return error_set(error, ERROR_INPUT, "%s", tr("the log can't be read row by row"));
    hash_random(hiding->salt, sizeof hiding->salt);
    hiding->table.next = next;
    hiding->table.context = hiding;
    report->tables = &hiding->table;
    report->table_count = 1;
    report->fact_count = report->chart_count = 0;
    return true;
}

static bool put_part(void *context, const char *text, ptrdiff_t length, struct error *error)
{
    return part_put(context, text, length, error);
}

static bool put_output(void *context, const char *text, ptrdiff_t length, struct error *error)
{
    struct buffer out;
    (void)context;
    buffer_init(&out);
    buffer_add(&out, text, length);
    bool done = out.failed ? error_memory(error) : line_write(STDOUT_FILENO, &out, error);
    buffer_finish(&out);
    return done;
}

static bool write_out(const struct report *report, enum report_to to, const char *path, struct error *error)
{
    struct report_look look = { 0 };
    struct part part;
    struct report_sink sink = { put_part, &part };
    if (!path) {
        sink = (struct report_sink){ put_output, NULL };
        return report_write(report, to, &look, &sink, error);
    }
    bool done = part_start(&part, path, error) && report_write(report, to, &look, &sink, error) &&
                part_settle(&part, error);
    part_end(&part);
    return done;
}

/* By --to, else by the file's ending, else CSV. */
static bool choose_format(const struct options *options, const char *path, enum report_to *to,
                          struct error *error)
{
    const char *word = options->values[OPTION_TO], *ending = path ? strrchr(path, '.') : NULL;
    *to = TO_CSV;
    if (word ? strcmp(word, "json") == 0 : ending && strcmp(ending, ".json") == 0)
        *to = TO_JSON;
    return !word || *to == TO_JSON || strcmp(word, "csv") == 0 ||
           error_set(error, ERROR_USAGE, tr("learner export takes --to csv or --to json, not \"%s\""), word);
}

static bool export_log(struct store *store, const struct invocation *invocation, enum report_to to,
                       const char *path, struct error *error)
{
    struct report_filter filter = { .attempts = ATTEMPTS_ALL,
                                    .day_starts = (int)invocation->settings->number[SETTING_DAY_STARTS] };
    struct clock clock = clock_system();
    struct hiding hiding = { 0 };
    struct report report;
    if (!report_make(&report, REPORT_ATTEMPTS, &store, 1, NULL, &filter, &clock, error))
        return false;
    bool done = hiding_start(&hiding, &report, error) && write_out(&report, to, path, error);
    report_finish(&report);
    return done;
}

int command_learner_export(const struct invocation *invocation)
{
    static const enum option_id options[] = { OPTION_OUTPUT, OPTION_TO, OPTIONS };
    const char *path = invocation->options->values[OPTION_OUTPUT];
    struct store *store = NULL;
    struct error error = { 0 };
    enum report_to to;
    path = path && strcmp(path, "-") != 0 ? path : NULL;
    bool done =
        learner_takes(invocation, options, &error) && choose_format(invocation->options, path, &to, &error) &&
        learner_open(invocation, false, &store, &error) && export_log(store, invocation, to, path, &error);
    store_close(store);
    if (!done)
        return command_fail(&error);
    fprintf(
        stderr, "quiztutor: %s\n",
        tr("names, logins and ids are replaced by pseudonyms that are others in every export; what learners "
           "wrote about questions is left out, what they typed as answers is not"));
    return STATUS_DONE;
}
