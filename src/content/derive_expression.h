/*
 * Expressions of `derive` and of known wrong numbers: read by a grammar of their own, which is the first
 * wall, and turned into SQL made of nothing but fixed words, the listed functions and numbered parameters.
 * Numbers and quoted texts are bound, as names are, so no byte of what an author wrote reaches SQLite as SQL.
 * Pure, but for memory. Private to content.
 */
#ifndef CONTENT_DERIVE_EXPRESSION_H
#define CONTENT_DERIVE_EXPRESSION_H

#include <quiztutor/derive.h>

enum {
    EXPRESSION_DEPTH = 24,    /* parentheses, calls, CASEs, signs and NOTs within each other */
    EXPRESSION_MESSAGE = 240, /* bytes */
};

/* SQLite's % makes whole numbers of its sides; in an expression it is fmod. */
#define EXPRESSION_MODULO "quiztutor_modulo"

/* A name that an expression may use. */
struct expression_name {
    const char *name;
    bool text; /* it stands for texts */
};

struct expression_names {
    struct expression_name items[DERIVE_NAMES];
    int count, usable; /* those from `usable` on are worked out further down */
};

/* What is bound: a number or a text written in the expression. */
struct expression_constant {
    double number;
    ptrdiff_t start; /* of a text, in expression.texts; -1: a number */
};

struct expression {
    struct buffer sql;   /* with ?1 for the first name, and the constants behind all names */
    struct buffer texts; /* each with its NUL */
    struct expression_constant constants[DERIVE_EXPRESSION];
    int constant_count;
};

/* What is wrong with it, and where: bytes from its start. */
struct expression_fault {
    ptrdiff_t start, length;
    bool memory; /* there was none: nothing else is set */
    char message[EXPRESSION_MESSAGE], hint[EXPRESSION_MESSAGE];
};

/* A function that may be called. */
enum { EXPRESSION_ANY = 9 }; /* as `most`: as many as there are */
struct expression_function {
    const char *name;
    int least, most; /* arguments */
};
extern const struct expression_function expression_functions[];
extern const int expression_function_count;

/* By its name in any case; NULL: there is none. What to write in place of one that other languages have:
 * N_(), or NULL. */
const struct expression_function *expression_function_find(const char *name, ptrdiff_t length);
const char *expression_function_hint(const char *name);

void expression_init(struct expression *expression);
void expression_finish(struct expression *expression);

/* Reads `text`; false with *fault. May be used again and again. */
bool expression_compile(struct expression *expression, const char *text, const struct expression_names *names,
                        struct expression_fault *fault);

/* A letter, then letters, digits, _, of at most DERIVE_NAME bytes; and no word of the grammar. */
bool expression_is_part(char c); /* of a name: a letter, a digit or _ */
bool expression_is_name(const char *text, ptrdiff_t length);
bool expression_is_word(const char *text, ptrdiff_t length);

#endif
