#include "derive_token.h"

#include "derive_expression.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>
#include <quiztutor/text.h>

#include <string.h>
#include <strings.h>

/* Longer ones first. */
static const struct {
    const char *sign;
    enum token_kind kind;
} signs[] = {
    { "==", TOKEN_EQUAL },      { "<>", TOKEN_UNEQUAL },       { "!=", TOKEN_UNEQUAL },
    { "<=", TOKEN_LESS_EQUAL }, { ">=", TOKEN_GREATER_EQUAL }, { "=", TOKEN_EQUAL },
    { "<", TOKEN_LESS },        { ">", TOKEN_GREATER },        { "(", TOKEN_OPEN },
    { ")", TOKEN_CLOSE },       { ",", TOKEN_COMMA },          { "+", TOKEN_PLUS },
    { "-", TOKEN_MINUS },       { "*", TOKEN_TIMES },          { "/", TOKEN_DIVIDE },
    { "%", TOKEN_MODULO },
};

static const struct {
    const char *word;
    enum token_kind kind;
} words[] = {
    { "and", TOKEN_AND },   { "or", TOKEN_OR },     { "not", TOKEN_NOT },   { "case", TOKEN_CASE },
    { "when", TOKEN_WHEN }, { "then", TOKEN_THEN }, { "else", TOKEN_ELSE }, { "end", TOKEN_END },
};

#define NOT_A_SIGN N_("this is no sign that an expression knows")

/* Signs of other languages, and what is written here. */
static const struct {
    const char *sign, *message, *hint;
} other_signs[] = {
    { "--", N_("this begins a comment, which has no place in an expression"),
      N_("put the negative number in parentheses") },
    { "/*", N_("this begins a comment, which has no place in an expression"), N_("delete it") },
    { "**", NOT_A_SIGN, N_("write pow(x, y)") },
    { "^", NOT_A_SIGN, N_("write pow(x, y)") },
    { "||", NOT_A_SIGN, N_("write OR") },
    { "&&", NOT_A_SIGN, N_("write AND") },
    { "!", NOT_A_SIGN, N_("write NOT") },
    { ".", NOT_A_SIGN, N_("write a digit before the decimal point: 0.5") },
    { "\xe2\x88\x92", NOT_A_SIGN, N_("write -") },  /* − */
    { "\xe2\x80\x93", NOT_A_SIGN, N_("write -") },  /* – */
    { "\xc3\x97", NOT_A_SIGN, N_("write *") },      /* × */
    { "\xc2\xb7", NOT_A_SIGN, N_("write *") },      /* · */
    { "\xc3\xb7", NOT_A_SIGN, N_("write /") },      /* ÷ */
    { "\xe2\x89\xa4", NOT_A_SIGN, N_("write <=") }, /* ≤ */
    { "\xe2\x89\xa5", NOT_A_SIGN, N_("write >=") }, /* ≥ */
    { "\xe2\x89\xa0", NOT_A_SIGN, N_("write <>") }, /* ≠ */
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool expression_is_part(char c)
{
    return is_letter(c) || is_digit(c) || c == '_';
}

static enum token_kind find_word(const char *text, ptrdiff_t length)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if ((ptrdiff_t)strlen(words[i].word) == length &&
            strncasecmp(words[i].word, text, (size_t)length) == 0)
            return words[i].kind;
    return TOKEN_NAME;
}

bool expression_is_word(const char *text, ptrdiff_t length)
{
    return find_word(text, length) != TOKEN_NAME;
}

bool expression_is_name(const char *text, ptrdiff_t length)
{
    if (length < 1 || length > DERIVE_NAME || !is_letter(*text))
        return false;
    for (ptrdiff_t i = 1; i < length; i++)
        if (!expression_is_part(text[i]))
            return false;
    return !expression_is_word(text, length);
}

void scanner_init(struct scanner *scanner, const char *text, ptrdiff_t length)
{
    *scanner = (struct scanner){ .text = text, .length = length };
}

static struct token bad(struct token token, const char *message, const char *hint)
{
    token.kind = TOKEN_BAD;
    token.message = message;
    token.hint = hint;
    return token;
}

static struct token scan_number(struct scanner *scanner, struct token token)
{
    const char *text = scanner->text;
    ptrdiff_t end = scanner->at;
    struct number number;
    while (end < scanner->length) {
        bool sign = (text[end] == '+' || text[end] == '-') && end > scanner->at &&
                    (text[end - 1] == 'e' || text[end - 1] == 'E') && end + 1 < scanner->length &&
                    is_digit(text[end + 1]);
        if (!expression_is_part(text[end]) && text[end] != '.' && !sign)
            break;
        end++;
    }
    token.length = end - scanner->at;
    scanner->at = end;
    enum number_fault fault = number_read(&number, text + token.start, token.length, false);
    if (fault == NUMBER_TOO_LARGE)
        return bad(token, N_("this number is too large"), NULL);
    if (fault != NUMBER_FINE)
        return bad(token, N_("this is not a number"), N_("write digits, like 2, 0.5 or 1.5e3"));
    token.kind = TOKEN_NUMBER;
    token.number = number.value;
    return token;
}

/* 'text' or "text"; the quote within is written twice. */
static struct token scan_text(struct scanner *scanner, struct token token)
{
    const char *text = scanner->text;
    char quote = text[scanner->at];
    ptrdiff_t end = scanner->at + 1;
    while (end < scanner->length &&
           (text[end] != quote || (end + 1 < scanner->length && text[end + 1] == quote)))
        end += text[end] == quote ? 2 : 1;
    bool closed = end < scanner->length;
    scanner->at = closed ? end + 1 : scanner->length;
    token.length = scanner->at - token.start;
    token.kind = TOKEN_TEXT;
    return closed ? token : bad(token, N_("this quote is not closed"), N_("close it"));
}

static bool starts(const struct scanner *scanner, const char *sign)
{
    ptrdiff_t length = (ptrdiff_t)strlen(sign);
    return scanner->length - scanner->at >= length &&
           memcmp(scanner->text + scanner->at, sign, (size_t)length) == 0;
}

static struct token scan_sign(struct scanner *scanner, struct token token)
{
    for (size_t i = 0; i < sizeof other_signs / sizeof *other_signs; i++) {
        if (!starts(scanner, other_signs[i].sign) || starts(scanner, "!="))
            continue;
        token.length = (ptrdiff_t)strlen(other_signs[i].sign);
        return bad(token, other_signs[i].message, other_signs[i].hint);
    }
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (!starts(scanner, signs[i].sign))
            continue;
        token.kind = signs[i].kind;
        token.length = (ptrdiff_t)strlen(signs[i].sign);
        scanner->at += token.length;
        return token;
    }
    int32_t code;
    token.length = text_decode(scanner->text + scanner->at, scanner->length - scanner->at, &code);
    return bad(token, NOT_A_SIGN, NULL);
}

struct token scanner_next(struct scanner *scanner)
{
    const char *text = scanner->text;
    while (scanner->at < scanner->length && strchr(" \t\n", text[scanner->at]) && text[scanner->at])
        scanner->at++;
    struct token token = { .kind = TOKEN_END_OF_TEXT, .start = scanner->at };
    if (scanner->at >= scanner->length)
        return token;
    char first = text[scanner->at];
    if (is_digit(first))
        return scan_number(scanner, token);
    if (first == '\'' || first == '"')
        return scan_text(scanner, token);
    if (!is_letter(first))
        return scan_sign(scanner, token);
    while (scanner->at < scanner->length && expression_is_part(text[scanner->at]))
        scanner->at++;
    token.length = scanner->at - token.start;
    token.kind = find_word(text + token.start, token.length);
    return token;
}
