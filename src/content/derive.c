/* SQLite as a calculator: https://sqlite.org/security.html and https://sqlite.org/c3ref/set_authorizer.html
 */
#include "derive_evaluator.h"

#include <quiztutor/memory.h>
#include <quiztutor/message.h>

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

enum {
    STEPS_AT_ONCE = 100,     /* between two looks at the count */
    TEXT_BYTES = 128 * 1024, /* a text bound, or the SQL: more than either ever has */
};

struct evaluator {
    sqlite3 *database;
    struct expression expression;        /* room for reading one */
    const struct parameters *parameters; /* whose statements are kept */
    sqlite3_stmt **statements;           /* by the place of the expression; NULL: not yet made */
    ptrdiff_t count, capacity;
    int steps;
    bool sealed; /* the authorizer is at work */
};

static int authorize(void *context, int action, const char *first, const char *name, const char *database,
                     const char *trigger)
{
    const struct evaluator *evaluator = context;
    (void)first;
    (void)database;
    (void)trigger;
    if (!evaluator->sealed || action == SQLITE_SELECT)
        return SQLITE_OK;
    if (action != SQLITE_FUNCTION || !name)
        return SQLITE_DENY;
    if (strcmp(name, EXPRESSION_MODULO) == 0)
        return SQLITE_OK;
    return expression_function_find(name, (ptrdiff_t)strlen(name)) ? SQLITE_OK : SQLITE_DENY;
}

static int count_steps(void *context)
{
    struct evaluator *evaluator = context;
    evaluator->steps += STEPS_AT_ONCE;
    return evaluator->steps > DERIVE_STEPS;
}

/* The mathematical functions, for a SQLite that was built without them; NULL where they are not defined, as
 * https://sqlite.org/lang_mathfunc.html has it. */
static void give(sqlite3_context *context, double result)
{
    if (isnan(result))
        sqlite3_result_null(context);
    else
        sqlite3_result_double(context, result);
}

static bool take(int count, sqlite3_value **values, double numbers[static 2])
{
    for (int i = 0; i < count && i < 2; i++) {
        if (sqlite3_value_type(values[i]) == SQLITE_NULL)
            return false;
        numbers[i] = sqlite3_value_double(values[i]);
    }
    return true;
}

static void modulo(sqlite3_context *context, int count, sqlite3_value **values)
{
    double numbers[2];
    if (take(count, values, numbers))
        give(context, fmod(numbers[0], numbers[1]));
}

static void power(sqlite3_context *context, int count, sqlite3_value **values)
{
    double numbers[2];
    if (take(count, values, numbers))
        give(context, pow(numbers[0], numbers[1]));
}

static double ln(double x)
{
    return x > 0 ? log(x) : NAN;
}

static double lg(double x)
{
    return x > 0 ? log10(x) : NAN;
}

typedef double function_of_one(double);

static void call(sqlite3_context *context, int count, sqlite3_value **values)
{
    function_of_one *const *function = sqlite3_user_data(context);
    double numbers[2];
    if (take(count, values, numbers))
        give(context, (*function)(numbers[0]));
}

static void circle(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    (void)values;
    sqlite3_result_double(context, 3.141592653589793);
}

static const struct {
    const char *name;
    function_of_one *function;
} mathematics[] = {
    { "floor", floor }, { "ceil", ceil }, { "sqrt", sqrt }, { "exp", exp },
    { "ln", ln },       { "log10", lg },  { "sin", sin },   { "cos", cos },
    { "tan", tan },     { "asin", asin }, { "acos", acos }, { "atan", atan },
};

enum { PURE = SQLITE_UTF8 | SQLITE_DETERMINISTIC };

static bool knows(struct evaluator *evaluator, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    bool known = sqlite3_prepare_v2(evaluator->database, sql, -1, &statement, NULL) == SQLITE_OK;
    sqlite3_finalize(statement);
    return known;
}

static bool add_functions(struct evaluator *evaluator, bool bare)
{
    sqlite3 *database = evaluator->database;
    char sql[64];
    int code = sqlite3_create_function(database, EXPRESSION_MODULO, 2, PURE, NULL, modulo, NULL, NULL);
    for (size_t i = 0; i < sizeof mathematics / sizeof *mathematics && code == SQLITE_OK; i++) {
        function_of_one *const *function = &mathematics[i].function;
        void *data;
        memcpy(&data, &function, sizeof data);
        snprintf(sql, sizeof sql, "SELECT %s(1.0)", mathematics[i].name);
        /* that of SQLite 3.40 is a quotient of logarithms: its log10(1000) is 2.9999999999999996 */
        if (bare || mathematics[i].function == lg || !knows(evaluator, sql))
            code = sqlite3_create_function(database, mathematics[i].name, 1, PURE, data, call, NULL, NULL);
    }
    if (code == SQLITE_OK && (bare || !knows(evaluator, "SELECT pow(1.0, 1.0)")))
        code = sqlite3_create_function(database, "pow", 2, PURE, NULL, power, NULL, NULL);
    if (code == SQLITE_OK && (bare || !knows(evaluator, "SELECT pi()")))
        code = sqlite3_create_function(database, "pi", 0, PURE, NULL, circle, NULL, NULL);
    return code == SQLITE_OK;
}

/* Nothing but expressions, none of them large. */
static void seal(struct evaluator *evaluator)
{
    static const struct {
        int limit, most;
    } limits[] = {
        { SQLITE_LIMIT_LENGTH, TEXT_BYTES },
        { SQLITE_LIMIT_SQL_LENGTH, TEXT_BYTES },
        { SQLITE_LIMIT_COLUMN, 2 },
        { SQLITE_LIMIT_COMPOUND_SELECT, 1 },
        { SQLITE_LIMIT_ATTACHED, 0 },
        { SQLITE_LIMIT_TRIGGER_DEPTH, 1 },
        { SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1 },
        { SQLITE_LIMIT_WORKER_THREADS, 0 },
        { SQLITE_LIMIT_VDBE_OP, 25000 },
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sqlite3_limit(evaluator->database, limits[i].limit, limits[i].most);
    sqlite3_db_config(evaluator->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(evaluator->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(evaluator->database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_progress_handler(evaluator->database, STEPS_AT_ONCE, count_steps, evaluator);
    sqlite3_set_authorizer(evaluator->database, authorize, evaluator);
    evaluator->sealed = true;
}

struct evaluator *evaluator_create(bool bare, struct error *error)
{
    struct evaluator *evaluator = memory_zero(sizeof *evaluator);
    if (!evaluator) {
        error_memory(error);
        return NULL;
    }
    expression_init(&evaluator->expression);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(":memory:", &evaluator->database, flags, NULL) == SQLITE_OK &&
        add_functions(evaluator, bare)) {
        seal(evaluator);
        return evaluator;
    }
    evaluator_destroy(evaluator);
    error_memory(error); /* nothing else fails for a database in memory */
    return NULL;
}

void evaluator_forget(struct evaluator *evaluator)
{
    for (ptrdiff_t i = 0; i < evaluator->count; i++)
        sqlite3_finalize(evaluator->statements[i]);
    evaluator->count = 0;
    evaluator->parameters = NULL;
}

void evaluator_destroy(struct evaluator *evaluator)
{
    if (!evaluator)
        return;
    evaluator_forget(evaluator);
    memory_free(evaluator->statements);
    expression_finish(&evaluator->expression);
    sqlite3_close(evaluator->database);
    memory_free(evaluator);
}

void evaluator_names(struct expression_names *names, const struct parameters *parameters, int derived)
{
    names->count = parameters->count + parameters->derived_count;
    names->usable = parameters->count + derived;
    for (int i = 0; i < parameters->count; i++)
        names->items[i] =
            (struct expression_name){ parameters->items[i].name, !parameters->items[i].numeric };
    for (int i = 0; i < parameters->derived_count; i++)
        names->items[parameters->count + i] = (struct expression_name){ parameters->derived[i].name, false };
}

/* Constants are bound once and stay. */
static int bind_constants(const struct expression *expression, sqlite3_stmt *statement, int names)
{
    int code = SQLITE_OK;
    for (int i = 0; i < expression->constant_count && code == SQLITE_OK; i++) {
        const struct expression_constant *constant = &expression->constants[i];
        int number = names + i + 1;
        if (constant->start < 0)
            code = sqlite3_bind_double(statement, number, constant->number);
        else
            code = sqlite3_bind_text(statement, number, expression->texts.data + constant->start, -1,
                                     SQLITE_TRANSIENT);
    }
    return code;
}

static enum evaluation make_statement(struct evaluator *evaluator, const struct parameters *parameters,
                                      int place, const char *text, struct expression_fault *fault)
{
    struct expression *expression = &evaluator->expression;
    struct expression_names names;
    int derived = place < parameters->derived_count ? place : parameters->derived_count;
    evaluator_names(&names, parameters, derived);
    if (!expression_compile(expression, text, &names, fault))
        return fault->memory ? EVALUATION_MEMORY : EVALUATION_BAD;
    sqlite3_stmt *statement = NULL;
    evaluator->steps = 0;
    int code =
        sqlite3_prepare_v3(evaluator->database, buffer_get(&expression->sql), (int)expression->sql.length + 1,
                           SQLITE_PREPARE_PERSISTENT, &statement, NULL);
    if (code == SQLITE_OK)
        code = bind_constants(expression, statement, names.count);
    if (code == SQLITE_OK) {
        evaluator->statements[place] = statement;
        return EVALUATION_FINE;
    }
    sqlite3_finalize(statement);
    if (code == SQLITE_NOMEM)
        return EVALUATION_MEMORY;
    fault->start = 0; /* SQLite's parser has a stack of 100 places: long chains within deep nests fill it */
    fault->length = (ptrdiff_t)strlen(text);
    snprintf(fault->message, sizeof fault->message, "%s", tr("the expression is too deeply nested"));
    snprintf(fault->hint, sizeof fault->hint, "%s",
             tr("give parts of it names of their own under \"derive\""));
    return EVALUATION_BAD;
}

enum evaluation evaluator_prepare(struct evaluator *evaluator, const struct parameters *parameters, int place,
                                  const char *text, struct expression_fault *fault)
{
    struct expression_fault unwanted;
    if (evaluator->parameters != parameters)
        evaluator_forget(evaluator);
    evaluator->parameters = parameters;
    if (!memory_grow(&evaluator->statements, &evaluator->capacity, place + 1, sizeof(sqlite3_stmt *)))
        return EVALUATION_MEMORY;
    while (evaluator->count <= place)
        evaluator->statements[evaluator->count++] = NULL;
    if (evaluator->statements[place])
        return EVALUATION_FINE;
    return make_statement(evaluator, parameters, place, text, fault ? fault : &unwanted);
}

static enum evaluation step(struct evaluator *evaluator, sqlite3_stmt *statement, double *result)
{
    evaluator->steps = 0;
    int code = sqlite3_step(statement);
    if (code == SQLITE_INTERRUPT)
        return EVALUATION_STEPS;
    if (code == SQLITE_NOMEM)
        return EVALUATION_MEMORY;
    int type = code == SQLITE_ROW ? sqlite3_column_type(statement, 0) : SQLITE_NULL;
    if (type != SQLITE_FLOAT && type != SQLITE_INTEGER)
        return EVALUATION_NOTHING;
    *result = sqlite3_column_double(statement, 0) + 0.0; /* −0 is 0 */
    return isfinite(*result) ? EVALUATION_FINE : EVALUATION_INFINITE;
}

enum evaluation evaluator_work_out(struct evaluator *evaluator, const struct parameters *parameters,
                                   int place, const char *expression, const struct evaluator_value *values,
                                   double *result, struct expression_fault *fault)
{
    enum evaluation found = evaluator_prepare(evaluator, parameters, place, expression, fault);
    if (found != EVALUATION_FINE)
        return found;
    sqlite3_stmt *statement = evaluator->statements[place];
    int derived = place < parameters->derived_count ? place : parameters->derived_count;
    int names = parameters->count + derived, bound = sqlite3_bind_parameter_count(statement);
    int code = SQLITE_OK;
    for (int i = 0; i < names && i < bound && code == SQLITE_OK; i++)
        code = values[i].text ? sqlite3_bind_text(statement, i + 1, values[i].text, -1, SQLITE_STATIC)
                              : sqlite3_bind_double(statement, i + 1, values[i].number);
    found = code == SQLITE_OK ? step(evaluator, statement, result) : EVALUATION_MEMORY;
    sqlite3_reset(statement);
    return found;
}

bool evaluator_admits(struct evaluator *evaluator, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    evaluator->steps = 0;
    int code = sqlite3_prepare_v2(evaluator->database, sql, -1, &statement, NULL);
    while (code == SQLITE_OK || code == SQLITE_ROW)
        code = statement ? sqlite3_step(statement) : SQLITE_ERROR;
    sqlite3_finalize(statement);
    return code == SQLITE_DONE;
}
