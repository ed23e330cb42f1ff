/* Rows of queries over the central store. What JSON in them says is read here, by the reader that all stores
 * share, so that the same bytes mean the same everywhere. */
#include "postgres_store.h"

#include <quiztutor/message.h>
#include <string.h>

enum { REPORTED_PACK, REPORTED_QUESTION, REPORTED_TEXT, REPORTED_TEXTS };

/* Of pg_type: these numbers are part of the protocol, and don't change. */
enum { TYPE_BYTEA = 17, TYPE_INT8 = 20, TYPE_INT2 = 21, TYPE_INT4 = 23, TYPE_FLOAT8 = 701, TYPE_UUID = 2950 };

struct reading {
    struct rows base;
    struct postgres_rows rows;
    int query;
    bool none;    /* asked for what no row can be */
    int64_t left; /* of QUERY_MISSES: how many more are wanted */
    bool graded;  /* what stands for outcome, mark and marks */
    struct grading grading;
    struct buffer texts[REPORTED_TEXTS]; /* of QUERY_REPORTED */
    bool has[REPORTED_TEXTS];
    char *pack; /* of which reports are wanted, NULL: of any */
};

/* Columns beyond the query's own, that store.h does not name. */
static bool has_attempt(int query)
{
    return query == QUERY_ATTEMPTS || query == QUERY_ANSWERS || query == QUERY_ATTEMPT_LOG ||
           query == QUERY_MISSES;
}

/* Those that may be too many to be held. */
static bool is_long(int query, const struct store_value *parameters)
{
    switch (query) {
    case QUERY_CLASS:
        return parameters[0].type == VALUE_NULL;
    case QUERY_STUCK:
        return parameters[0].type == VALUE_NULL && parameters[1].type == VALUE_NULL;
    case QUERY_QUESTIONS:
    case QUERY_LEARNERS:
    case QUERY_RESPONSES:
    case QUERY_ROSTER:
    case QUERY_NAMES:
    case QUERY_REPORTED:
    case QUERY_TEXTS:
        return true;
    default:
        return has_attempt(query);
    }
}

static void put_value(struct postgres_values *values, char letter, const struct store_value *value)
{
    struct uuid id = { 0 };
    switch (letter) {
    case 'u':
    case 'v':
        if (value->type == VALUE_BLOB)
            memcpy(id.bytes, value->data, sizeof id.bytes);
        postgres_put_uuid(values, &id);
        break;
    case 'h':
        postgres_put_bytes(values, value->data, value->length);
        break;
    case 'i':
    case 'n':
        postgres_put_integer(values, value->integer);
        break;
    default:
        postgres_put_text(values, value->type == VALUE_TEXT ? value->data : NULL);
    }
}

static bool start(struct reading *reading, const struct store_value *parameters, int count,
                  struct error *error)
{
    struct postgres_store *store = (struct postgres_store *)reading->base.store;
    const char *letters = query_rows[reading->query].parameters;
    struct postgres_values values = { 0 };
    struct buffer sql;
    postgres_put_integer(&values, store->school);
    for (int i = 0; i < count; i++)
        put_value(&values, letters[i], &parameters[i]);
    buffer_init(&sql);
    bool done = postgres_statement(&sql, reading->query, parameters)
                    ? !sql.failed || error_memory(error)
                    : error_set(error, ERROR_INPUT, "%s",
                                tr("the central store is for reports: this needs a store on this machine"));
    done = done && (is_long(reading->query, parameters)
                        ? postgres_cursor(&reading->rows, store->postgres, buffer_get(&sql), &values, error)
                        : postgres_query(&reading->rows, store->postgres, buffer_get(&sql), &values, error));
    buffer_finish(&sql);
    return done;
}

/* Texts that are none, as bytes of a command line can be, are nobody's. */
static bool are_texts(const struct store_value *parameters, int count)
{
    for (int i = 0; i < count; i++)
        if (parameters[i].type == VALUE_TEXT && !store_is_text(parameters[i].data))
            return false;
    return true;
}

bool postgres_rows_open(struct rows **out, struct store *base, int query,
                        const struct store_value *parameters, int count, struct error *error)
{
    struct postgres_store *store = (struct postgres_store *)base;
    struct reading *reading = memory_zero(sizeof *reading);
    if (!reading)
        return error_memory(error);
    reading->base = (struct rows){ base, query_rows[query].columns };
    reading->query = query;
    reading->none = !are_texts(parameters, count);
    store->open_rows++;
    for (int i = 0; i < REPORTED_TEXTS; i++)
        buffer_init(&reading->texts[i]);
    if (query == QUERY_MISSES)
        reading->left = parameters[2].integer < 0 ? INT64_MAX : parameters[2].integer;
    if (query == QUERY_REPORTED && parameters[0].type == VALUE_TEXT)
        reading->pack = memory_text(parameters[0].data);
    bool done =
        query != QUERY_REPORTED || parameters[0].type != VALUE_TEXT || reading->pack || error_memory(error);
    done = done && postgres_state_settle(store, error) &&
           (reading->none || start(reading, parameters, count, error));
    if (done)
        *out = &reading->base;
    else
        postgres_rows_end(&reading->base);
    return done;
}

void postgres_rows_end(struct rows *base)
{
    struct reading *reading = (struct reading *)base;
    struct postgres_store *store = (struct postgres_store *)base->store;
    postgres_rows_close(&reading->rows);
    for (int i = 0; i < REPORTED_TEXTS; i++)
        buffer_finish(&reading->texts[i]);
    memory_free(reading->pack);
    memory_free(reading);
    store->open_rows--;
}

static const char *text_at(const struct reading *reading, int column)
{
    return postgres_is_null(&reading->rows, column) ? NULL : postgres_text(&reading->rows, column);
}

/* The newest grading's, in place of the answer's own. */
static bool read_grading(struct reading *reading, struct error *error)
{
    struct postgres_store *store = (struct postgres_store *)reading->base.store;
    struct grading *grading = &reading->grading;
    const char *body = text_at(reading, reading->base.columns), *outcome = text_at(reading, ATTEMPT_OUTCOME);
    reading->graded = body && outcome && json_valid(body);
    if (!reading->graded)
        return true;
    grading->mark = postgres_real(&reading->rows, ATTEMPT_MARK);
    grading->marks = postgres_real(&reading->rows, ATTEMPT_MARKS);
    if (!outcome_read(&grading->outcome, outcome))
        grading->outcome = OUTCOME_OMITTED;
    return json_reader_grading(&store->reader, body, grading, error);
}

/* Whether the row stood on is wanted, once what it says is known; −1 an error. */
static int is_miss(struct reading *reading)
{
    enum outcome outcome = reading->grading.outcome;
    if (reading->graded && outcome != OUTCOME_WRONG && outcome != OUTCOME_PARTLY)
        return 0;
    if (!reading->graded) {
        const char *word = text_at(reading, ATTEMPT_OUTCOME);
        if (!word || (strcmp(word, "wrong") != 0 && strcmp(word, "partly") != 0))
            return 0;
    }
    reading->left--;
    return 1;
}

static int read_report(struct reading *reading, struct error *error)
{
    static const char *const paths[] = { "$.question[0]", "$.question[1]", "$.text" };
    struct postgres_store *store = (struct postgres_store *)reading->base.store;
    const char *body = text_at(reading, 0);
    if (!body || !json_valid(body))
        return 0;
    for (int i = 0; i < REPORTED_TEXTS; i++) {
        buffer_clear(&reading->texts[i]);
        if (!json_reader_text(&store->reader, body, paths[i], &reading->has[i], &reading->texts[i], error))
            return -1;
    }
    reading->has[REPORTED_TEXT] = reading->has[REPORTED_TEXT] && reading->texts[REPORTED_TEXT].length;
    return reading->has[REPORTED_PACK] &&
           (!reading->pack || strcmp(reading->pack, buffer_get(&reading->texts[REPORTED_PACK])) == 0);
}

int postgres_rows_step(struct rows *base, struct error *error)
{
    struct reading *reading = (struct reading *)base;
    int found;
    if (reading->none || (reading->query == QUERY_MISSES && reading->left <= 0))
        return 0;
    while ((found = postgres_step(&reading->rows, error)) > 0) {
        if (has_attempt(reading->query) && !read_grading(reading, error))
            return -1;
        int wanted = reading->query == QUERY_MISSES     ? is_miss(reading)
                     : reading->query == QUERY_REPORTED ? read_report(reading, error)
                                                        : 1;
        if (wanted)
            return wanted;
    }
    return found;
}

static struct store_value text_of(const char *text, ptrdiff_t length)
{
    return (struct store_value){ .type = VALUE_TEXT, .data = text, .length = length };
}

static struct store_value real_of(double real)
{
    return (struct store_value){ .type = VALUE_REAL, .real = real };
}

/* Where what stands in the row is not what is meant. */
static bool is_replaced(const struct reading *reading, int column, struct store_value *value)
{
    if (reading->query == QUERY_REPORTED && column < REPORTED_TEXTS) {
        const struct buffer *text = &reading->texts[column];
        *value = reading->has[column] ? text_of(buffer_get(text), text->length) : store_value_null();
        return true;
    }
    if (!reading->graded || column < ATTEMPT_OUTCOME || column > ATTEMPT_MARKS)
        return false;
    *value = column == ATTEMPT_OUTCOME ? store_value_text(outcome_name(reading->grading.outcome))
             : column == ATTEMPT_MARK  ? real_of(reading->grading.mark)
                                       : real_of(reading->grading.marks);
    return true;
}

struct store_value postgres_rows_value(struct rows *base, int column)
{
    const struct reading *reading = (struct reading *)base;
    struct store_value value = store_value_null();
    if (is_replaced(reading, column, &value) || postgres_is_null(&reading->rows, column))
        return value;
    switch (PQftype(reading->rows.result, column)) {
    case TYPE_INT2:
    case TYPE_INT4:
    case TYPE_INT8:
        return store_value_integer(postgres_integer(&reading->rows, column));
    case TYPE_FLOAT8:
        return real_of(postgres_real(&reading->rows, column));
    case TYPE_BYTEA:
    case TYPE_UUID:
        value.type = VALUE_BLOB;
        break;
    default:
        value.type = VALUE_TEXT;
    }
    value.data = postgres_bytes(&reading->rows, column, &value.length);
    return value;
}
