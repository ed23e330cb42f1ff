/*
 * Packs made by chance, the same for the same seed, as property tests need them: all question types, all
 * that a question may carry, and texts that formats stumble over. What a format can't hold is left out by the
 * masks. Packs live until generate_finish; they are what the loader would make of them, parameters apart
 * (their evaluator is NULL).
 */
#ifndef TESTS_EXCHANGE_GENERATE_H
#define TESTS_EXCHANGE_GENERATE_H

#include <quiztutor/derive.h>
#include <quiztutor/pack.h>

enum generate_part {
    GENERATE_HEAD = 1 << 0,     /* more than id and title */
    GENERATE_SECTIONS = 1 << 1, /* titles */
    GENERATE_INTRO = 1 << 2,    /* intro, figure and pick of sections */
    GENERATE_FIGURES = 1 << 3,  /* figure and explanation_figure */
    GENERATE_FEEDBACK = 1 << 4, /* of wrong choices and known wrong responses */
    GENERATE_RIGHT_FEEDBACK = 1 << 5,
    GENERATE_QUESTION_FEEDBACK = 1 << 6, /* of true_false, order and match */
    GENERATE_MISCONCEPTIONS = 1 << 7,
    GENERATE_PINS = 1 << 8,
    GENERATE_CHOICE_IDS = 1 << 9,
    GENERATE_HINTS = 1 << 10,
    GENERATE_TAGS = 1 << 11,
    GENERATE_MARKS = 1 << 12,
    GENERATE_MARKING = 1 << 13,     /* of multiple choice, order and match; else all-or-nothing */
    GENERATE_NET_CORRECT = 1 << 14, /* multiple choice is net-correct where GENERATE_MARKING is off */
    GENERATE_SHUFFLE = 1 << 15,
    GENERATE_SOURCE = 1 << 16,
    GENERATE_TOLERANCE = 1 << 17,
    GENERATE_RELATIVE = 1 << 18, /* tolerances in per cent */
    GENERATE_UNIT = 1 << 19,     /* units and significant figures */
    GENERATE_IGNORE = 1 << 20,   /* of typed texts; else case and spaces */
    GENERATE_EXTRA = 1 << 21,    /* of match */
    GENERATE_PARAMETERS = 1 << 22,
    GENERATE_PARAGRAPHS = 1 << 23, /* texts of several paragraphs and lines; else one line each */
    GENERATE_HOSTILE = 1 << 24,    /* texts that formats take for something else; else words */
    GENERATE_MARKUP = 1 << 25,     /* the pack's texts are in light markup */
    GENERATE_SELECT = 1 << 26,     /* multiple choice with one right choice */
    GENERATE_TABS = 1 << 27,       /* inside lines: HTML has none */
    GENERATE_CODE = 1 << 28,       /* blocks of code in texts of several paragraphs in light markup */
    GENERATE_ALL = (1 << 29) - 1,
};

struct generate {
    struct arena arena;
    struct pack pack;
    uint64_t state;
    unsigned parts;
};

/* `types`: bits 1 << enum question_type; `parts`: bits of enum generate_part. Aborts without memory. */
void generate_pack(struct generate *generate, uint64_t seed, unsigned types, unsigned parts);
void generate_finish(struct generate *generate);

/* Below n; for tests that draw more. */
int generate_draw(struct generate *generate, int n);
/* A text in the form that the loader gives it; one of a single line. */
const char *generate_text(struct generate *generate);
const char *generate_line(struct generate *generate);

/*
 * Compares two packs field by field; what `parts` does not have is passed over, as are lines and columns.
 * Where one of them is in light markup, texts that may carry it are equal if they are shown alike.
 * NULL where they are equal, else where the first difference is ("question q3: prompt: \"a\" / \"b\""), in a
 * static buffer.
 */
const char *generate_difference(const struct pack *one, const struct pack *other, unsigned parts);

#endif
