/*
 * Expressions as tokens: names, numbers, quoted texts, operators, words in any case. Whatever else stands in
 * an expression is TOKEN_BAD, with the reason. Private to content.
 */
#ifndef CONTENT_DERIVE_TOKEN_H
#define CONTENT_DERIVE_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind {
    TOKEN_END_OF_TEXT,
    TOKEN_BAD,
    TOKEN_NUMBER,
    TOKEN_TEXT,
    TOKEN_NAME,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_COMMA,
    TOKEN_PLUS,
    TOKEN_MINUS,
    TOKEN_TIMES,
    TOKEN_DIVIDE,
    TOKEN_MODULO,
    TOKEN_EQUAL, /* the comparisons stand together */
    TOKEN_UNEQUAL,
    TOKEN_LESS,
    TOKEN_LESS_EQUAL,
    TOKEN_GREATER,
    TOKEN_GREATER_EQUAL,
    TOKEN_AND, /* and so do the words */
    TOKEN_OR,
    TOKEN_NOT,
    TOKEN_CASE,
    TOKEN_WHEN,
    TOKEN_THEN,
    TOKEN_ELSE,
    TOKEN_END,
};

struct token {
    enum token_kind kind;
    ptrdiff_t start, length;
    double number;
    const char *message, *hint; /* of a bad one: N_() */
};

struct scanner {
    const char *text;
    ptrdiff_t at, length;
};

void scanner_init(struct scanner *scanner, const char *text, ptrdiff_t length);
struct token scanner_next(struct scanner *scanner);

#endif
