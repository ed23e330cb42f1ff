#include "derive_expression.h"

#include "derive_token.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The reading of one expression: each part appends its SQL, and says whether it is a number or a text. */
struct parse {
    struct expression *expression;
    const struct expression_names *names;
    struct expression_fault *fault;
    struct scanner scanner;
    struct token token; /* the next one */
    int depth;
    bool failed;
};

enum kind { KIND_NUMBER, KIND_TEXT };

static enum kind parse_or(struct parse *parse);

static void fail(struct parse *parse, const struct token *token, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The first fault counts. `hint` is translated, or NULL. */
static void fail(struct parse *parse, const struct token *token, const char *hint, const char *format, ...)
{
    va_list arguments;
    if (parse->failed)
        return;
    parse->failed = true;
    parse->fault->start = token->start;
    parse->fault->length = token->length;
    snprintf(parse->fault->hint, sizeof parse->fault->hint, "%s", hint ? hint : "");
    va_start(arguments, format);
    vsnprintf(parse->fault->message, sizeof parse->fault->message, format, arguments);
    va_end(arguments);
}

/* A short piece of the expression, for a message. */
enum { PIECE = 64 };
static const char *piece(const struct parse *parse, const struct token *token, char text[static PIECE])
{
    int length = token->length < 40 ? (int)token->length : 40;
    while (length > 0 && length < token->length &&
           ((unsigned char)parse->scanner.text[token->start + length] & 0xc0) == 0x80)
        length--;
    snprintf(text, PIECE, "%.*s%s", length, parse->scanner.text + token->start,
             length < token->length ? "…" : "");
    return text;
}

static void next(struct parse *parse)
{
    char text[PIECE];
    if (parse->failed)
        return;
    parse->token = scanner_next(&parse->scanner);
    if (parse->token.kind == TOKEN_BAD)
        fail(parse, &parse->token, parse->token.hint ? tr(parse->token.hint) : NULL, "%s: %s",
             piece(parse, &parse->token, text), tr(parse->token.message));
}

static bool at(const struct parse *parse, enum token_kind kind)
{
    return !parse->failed && parse->token.kind == kind;
}

static void emit(struct parse *parse, const char *sql)
{
    buffer_text(&parse->expression->sql, sql);
}

/* Puts `sql` before what has been appended since `start`. */
static void emit_before(struct parse *parse, ptrdiff_t start, const char *sql)
{
    struct buffer *out = &parse->expression->sql;
    ptrdiff_t length = (ptrdiff_t)strlen(sql), moved = out->length - start;
    buffer_text(out, sql);
    if (out->failed)
        return;
    memmove(out->data + start + length, out->data + start, (size_t)moved);
    memcpy(out->data + start, sql, (size_t)length);
}

static void expect(struct parse *parse, enum token_kind kind, const char *what)
{
    char text[PIECE];
    if (parse->failed)
        return;
    if (parse->token.kind == kind) {
        next(parse);
        return;
    }
    if (parse->token.kind == TOKEN_END_OF_TEXT)
        fail(parse, &parse->token, NULL, tr("the expression ends where \"%s\" belongs"), what);
    else
        fail(parse, &parse->token, NULL, tr("\"%s\" stands where \"%s\" belongs"),
             piece(parse, &parse->token, text), what);
}

static void need_number(struct parse *parse, enum kind kind, const struct token *token)
{
    char text[PIECE];
    if (kind == KIND_TEXT)
        fail(parse, token, tr("texts can be compared with = and <> only"),
             tr("\"%s\" calculates with a text"), piece(parse, token, text));
}

static bool enter(struct parse *parse, const struct token *token)
{
    if (++parse->depth <= EXPRESSION_DEPTH)
        return true;
    fail(parse, token, tr("give parts of it names of their own under \"derive\""),
         tr("parts of the expression are nested more than %d deep"), EXPRESSION_DEPTH);
    return false;
}

static void leave(struct parse *parse)
{
    parse->depth--;
}

static void add_constant(struct parse *parse, struct expression_constant constant)
{
    struct expression *expression = parse->expression;
    /* a constant takes a byte at least, so there are never more of them than an expression has bytes */
    expression->constants[expression->constant_count++] = constant;
    buffer_print(&expression->sql, "?%d", parse->names->count + expression->constant_count);
}

static enum kind parse_number(struct parse *parse)
{
    add_constant(parse, (struct expression_constant){ .number = parse->token.number, .start = -1 });
    next(parse);
    return KIND_NUMBER;
}

/* 'it''s': a doubled quote is one quote. */
static enum kind parse_text(struct parse *parse)
{
    struct buffer *texts = &parse->expression->texts;
    const char *text = parse->scanner.text + parse->token.start;
    struct expression_constant constant = { .start = texts->length };
    for (ptrdiff_t i = 1; i + 1 < parse->token.length; i++) {
        buffer_char(texts, text[i]);
        if (text[i] == text[0])
            i++;
    }
    buffer_char(texts, '\0');
    add_constant(parse, constant);
    next(parse);
    return KIND_TEXT;
}

/* A name that is none: what may have been meant. */
static void fail_unknown(struct parse *parse, const struct token *token, bool called)
{
    const char *candidates[DERIVE_NAMES + 32], *near;
    char text[PIECE], hint[EXPRESSION_MESSAGE] = "";
    int count = 0;
    piece(parse, token, text);
    if (called)
        for (int i = 0; i < expression_function_count; i++)
            candidates[count++] = expression_functions[i].name;
    else
        for (int i = 0; i < parse->names->usable; i++)
            candidates[count++] = parse->names->items[i].name;
    near = strlen(text) > 1 ? text_nearest(text, candidates, count) : NULL;
    const char *other = called ? expression_function_hint(text) : NULL;
    if (other)
        snprintf(hint, sizeof hint, "%s", tr(other));
    else if (near)
        snprintf(hint, sizeof hint, tr("did you mean \"%s\"?"), near);
    if (called)
        fail(parse, token, *hint ? hint : NULL, tr("there is no function \"%s\" here"), text);
    else
        fail(parse, token,
             *hint ? hint : tr("only names of \"given\" and earlier ones of \"derive\" are known"),
             tr("there is no name \"%s\""), text);
}

static enum kind parse_call(struct parse *parse, const struct token *name)
{
    const struct expression_function *function =
        expression_function_find(parse->scanner.text + name->start, name->length);
    int count = 0;
    if (!function)
        fail_unknown(parse, name, true);
    if (parse->failed || !enter(parse, name))
        return KIND_NUMBER;
    emit(parse, function->name);
    emit(parse, "(");
    next(parse);
    while (!parse->failed && !(count == 0 && at(parse, TOKEN_CLOSE))) {
        struct token start = parse->token;
        need_number(parse, parse_or(parse), &start);
        count++;
        if (!at(parse, TOKEN_COMMA))
            break;
        emit(parse, ", ");
        next(parse);
    }
    expect(parse, TOKEN_CLOSE, ")");
    emit(parse, ")");
    if (count < function->least || (count > function->most && function->most != EXPRESSION_ANY))
        fail(parse, name, NULL,
             ntr("%s takes %d value, found %d", "%s takes %d values, found %d",
                 count < function->least ? function->least : function->most),
             function->name, count < function->least ? function->least : function->most, count);
    leave(parse);
    return KIND_NUMBER;
}

static enum kind parse_name(struct parse *parse)
{
    struct token name = parse->token;
    const char *text = parse->scanner.text + name.start;
    next(parse);
    if (at(parse, TOKEN_OPEN))
        return parse_call(parse, &name);
    for (int i = 0; i < parse->names->count; i++) {
        const struct expression_name *known = &parse->names->items[i];
        if (strncmp(known->name, text, (size_t)name.length) != 0 || known->name[name.length])
            continue;
        if (i == parse->names->usable) {
            fail(parse, &name, tr("use earlier names only"), tr("\"%s\" is what is worked out here"),
                 known->name);
            return KIND_NUMBER;
        }
        if (i > parse->names->usable) {
            fail(parse, &name, tr("move it above what uses it"), tr("\"%s\" is worked out further down"),
                 known->name);
            return KIND_NUMBER;
        }
        buffer_print(&parse->expression->sql, "?%d", i + 1);
        return known->text ? KIND_TEXT : KIND_NUMBER;
    }
    const struct expression_function *function = expression_function_find(text, name.length);
    if (function && function->most == 0)
        fail(parse, &name, tr("write pi()"), tr("a function needs parentheses behind its name"));
    else if (function)
        fail(parse, &name, NULL, tr("\"%s\" is a function: its values in parentheses belong behind it"),
             function->name);
    fail_unknown(parse, &name, false);
    return KIND_NUMBER;
}

/* Kinds that must be the same: sides of a comparison, values of a CASE. */
static void need_same(struct parse *parse, enum kind one, enum kind other, const struct token *token)
{
    if (one != other)
        fail(parse, token, tr("put the number in quotes, or write a list of numbers only"),
             tr("a text and a number stand where two of a kind belong"));
}

/* CASE [x] WHEN y THEN z … [ELSE w] END */
static enum kind parse_case(struct parse *parse)
{
    struct token start = parse->token;
    enum kind base = KIND_NUMBER, kind = KIND_NUMBER;
    bool has_base, first = true;
    if (!enter(parse, &start))
        return KIND_NUMBER;
    emit(parse, "CASE ");
    next(parse);
    has_base = !at(parse, TOKEN_WHEN);
    if (has_base)
        base = parse_or(parse);
    do {
        emit(parse, " WHEN ");
        expect(parse, TOKEN_WHEN, "WHEN");
        struct token token = parse->token;
        enum kind when = parse_or(parse);
        if (has_base)
            need_same(parse, base, when, &token);
        else
            need_number(parse, when, &token);
        expect(parse, TOKEN_THEN, "THEN");
        emit(parse, " THEN ");
        token = parse->token;
        enum kind then = parse_or(parse);
        if (!first)
            need_same(parse, kind, then, &token);
        kind = then;
        first = false;
    } while (at(parse, TOKEN_WHEN));
    if (at(parse, TOKEN_ELSE)) {
        next(parse);
        struct token token = parse->token;
        emit(parse, " ELSE ");
        need_same(parse, kind, parse_or(parse), &token);
    }
    expect(parse, TOKEN_END, "END");
    emit(parse, " END");
    leave(parse);
    return kind;
}

static enum kind parse_primary(struct parse *parse)
{
    char text[PIECE];
    enum kind kind = KIND_NUMBER;
    struct token start = parse->token;
    if (at(parse, TOKEN_NUMBER))
        return parse_number(parse);
    if (at(parse, TOKEN_TEXT))
        return parse_text(parse);
    if (at(parse, TOKEN_NAME))
        return parse_name(parse);
    if (at(parse, TOKEN_CASE))
        return parse_case(parse);
    if (at(parse, TOKEN_OPEN) && enter(parse, &start)) {
        emit(parse, "(");
        next(parse);
        kind = parse_or(parse);
        expect(parse, TOKEN_CLOSE, ")");
        emit(parse, ")");
        leave(parse);
    } else if (at(parse, TOKEN_END_OF_TEXT)) {
        fail(parse, &start, NULL, tr("the expression ends where a value belongs"));
    } else {
        fail(parse, &start, NULL, tr("\"%s\" stands where a value belongs"), piece(parse, &start, text));
    }
    return kind;
}

static enum kind parse_sign(struct parse *parse)
{
    struct token sign = parse->token;
    if (!at(parse, TOKEN_MINUS) && !at(parse, TOKEN_PLUS))
        return parse_primary(parse);
    if (!enter(parse, &sign))
        return KIND_NUMBER;
    if (sign.kind == TOKEN_MINUS)
        emit(parse, "- "); /* two without a blank would begin a comment */
    next(parse);
    enum kind kind = parse_sign(parse);
    need_number(parse, kind, &sign);
    leave(parse);
    return kind;
}

static enum kind parse_product(struct parse *parse)
{
    ptrdiff_t start = parse->expression->sql.length;
    int calls = 0;
    enum kind kind = parse_sign(parse);
    while (at(parse, TOKEN_TIMES) || at(parse, TOKEN_DIVIDE) || at(parse, TOKEN_MODULO)) {
        struct token token = parse->token;
        bool modulo = token.kind == TOKEN_MODULO;
        if (modulo) {
            calls++;
            if (!enter(parse, &token))
                break;
            emit_before(parse, start, EXPRESSION_MODULO "(");
        }
        /* a truth value is a whole number to SQLite: times 1.0 no division truncates */
        emit(parse, modulo ? ", " : token.kind == TOKEN_DIVIDE ? " * 1.0 / " : " * ");
        need_number(parse, kind, &token);
        next(parse);
        need_number(parse, parse_sign(parse), &token);
        if (modulo)
            emit(parse, ")");
    }
    parse->depth -= calls;
    return kind;
}

static enum kind parse_sum(struct parse *parse)
{
    enum kind kind = parse_product(parse);
    while (at(parse, TOKEN_PLUS) || at(parse, TOKEN_MINUS)) {
        struct token token = parse->token;
        emit(parse, token.kind == TOKEN_PLUS ? " + " : " - ");
        need_number(parse, kind, &token);
        next(parse);
        need_number(parse, parse_product(parse), &token);
    }
    return kind;
}

/* One comparison; a < b < c would compare a truth value, which nobody means. */
static enum kind parse_comparison(struct parse *parse)
{
    static const char *const sql[] = {
        [TOKEN_EQUAL] = " = ",       [TOKEN_UNEQUAL] = " <> ", [TOKEN_LESS] = " < ",
        [TOKEN_LESS_EQUAL] = " <= ", [TOKEN_GREATER] = " > ",  [TOKEN_GREATER_EQUAL] = " >= "
    };
    enum kind kind = parse_sum(parse);
    struct token token = parse->token;
    if (parse->failed || token.kind < TOKEN_EQUAL || token.kind > TOKEN_GREATER_EQUAL)
        return kind;
    emit(parse, sql[token.kind]);
    next(parse);
    need_same(parse, kind, parse_sum(parse), &token);
    if (!parse->failed && parse->token.kind >= TOKEN_EQUAL && parse->token.kind <= TOKEN_GREATER_EQUAL)
        fail(parse, &parse->token, tr("join two comparisons by AND: a < b AND b < c"),
             tr("one comparison follows another"));
    return KIND_NUMBER;
}

static enum kind parse_not(struct parse *parse)
{
    struct token token = parse->token;
    if (!at(parse, TOKEN_NOT))
        return parse_comparison(parse);
    if (!enter(parse, &token))
        return KIND_NUMBER;
    emit(parse, "NOT ");
    next(parse);
    need_number(parse, parse_not(parse), &token);
    leave(parse);
    return KIND_NUMBER;
}

static enum kind parse_and(struct parse *parse)
{
    enum kind kind = parse_not(parse);
    while (at(parse, TOKEN_AND)) {
        struct token token = parse->token;
        emit(parse, " AND ");
        need_number(parse, kind, &token);
        next(parse);
        need_number(parse, parse_not(parse), &token);
    }
    return kind;
}

static enum kind parse_or(struct parse *parse)
{
    enum kind kind = parse_and(parse);
    while (at(parse, TOKEN_OR)) {
        struct token token = parse->token;
        emit(parse, " OR ");
        need_number(parse, kind, &token);
        next(parse);
        need_number(parse, parse_and(parse), &token);
    }
    return kind;
}

void expression_init(struct expression *expression)
{
    buffer_init(&expression->sql);
    buffer_init(&expression->texts);
    expression->constant_count = 0;
}

void expression_finish(struct expression *expression)
{
    buffer_finish(&expression->sql);
    buffer_finish(&expression->texts);
}

bool expression_compile(struct expression *expression, const char *text, const struct expression_names *names,
                        struct expression_fault *fault)
{
    ptrdiff_t length = (ptrdiff_t)strnlen(text, DERIVE_EXPRESSION + 1);
    struct parse parse = { .expression = expression, .names = names, .fault = fault };
    struct token whole = { .length = length };
    char word[PIECE];
    memset(fault, 0, sizeof *fault);
    buffer_clear(&expression->sql);
    buffer_clear(&expression->texts);
    expression->constant_count = 0;
    scanner_init(&parse.scanner, text, length);
    if (length > DERIVE_EXPRESSION)
        fail(&parse, &whole, tr("give parts of it names of their own under \"derive\""),
             tr("the expression has more than %d bytes"), DERIVE_EXPRESSION);
    emit(&parse, "SELECT ");
    next(&parse);
    enum kind kind = parse_or(&parse);
    if (!parse.failed && parse.token.kind != TOKEN_END_OF_TEXT)
        fail(&parse, &parse.token, NULL, tr("\"%s\" stands behind the end of the expression"),
             piece(&parse, &parse.token, word));
    if (kind == KIND_TEXT)
        fail(&parse, &whole, NULL, tr("the expression gives a text where a number belongs"));
    fault->memory = !parse.failed && (expression->sql.failed || expression->texts.failed);
    return !parse.failed && !fault->memory;
}
