/*
 * A pack as loaded: one quiz, immutable. pack_load makes it, pack_destroy ends it; every text and question in
 * it lives exactly as long as the pack. Optional texts are NULL where absent. Places (line, column) count
 * from 1. In a text
 * "\n\n" parts paragraphs and "\n" is a line break; figures keep leading spaces and inner blank lines.
 */
#ifndef QUIZTUTOR_PACK_H
#define QUIZTUTOR_PACK_H

#include <quiztutor/diagnostic.h>
#include <quiztutor/error.h>
#include <quiztutor/hash.h>
#include <stdint.h>

enum {
    PACK_CHOICES = 26,            /* choices a question, at most */
    PACK_QUESTIONS = 100000,      /* questions a pack, at most */
    PACK_ID = 64,                 /* bytes of an id, at most */
    PACK_TEXT = 64 * 1024,        /* bytes of one text */
    PACK_NESTING = 16,            /* levels of lists and mappings */
    PACK_FILE = 64 * 1024 * 1024, /* bytes of a file */
    PACK_SILENCE = 1024 * 1024,   /* bytes without a new key, item or text */
    PACK_MARKS = 1000000,         /* marks a question, at most: sums of them stay exact */
    PACK_REVISION = 16,           /* hex digits of a revision */
    PACK_RESPONSE = 1000,         /* bytes of a response, a listed wrong one and a left text of `match` */
    PACK_LISTED = 1000,           /* accepted answers, or wrong ones, a question at most */
    PACK_FIGURES = 15,            /* significant figures, at most */
};

enum question_type {
    QUESTION_SINGLE_CHOICE,
    QUESTION_MULTIPLE_CHOICE,
    QUESTION_TRUE_FALSE,
    QUESTION_NUMBER,
    QUESTION_TEXT,
    QUESTION_ORDER,
    QUESTION_MATCH,
    QUESTION_RECALL,
    QUESTION_TYPES,
};

enum marking_rule {
    MARKING_DEFAULT = -1,
    MARKING_ALL_OR_NOTHING,
    MARKING_NET_CORRECT,
    MARKING_EACH_DECISION,
    MARKING_RULES
};
enum pack_shuffle { SHUFFLE_ALL, SHUFFLE_CHOICES, SHUFFLE_NONE };
enum pack_pin { PIN_NONE, PIN_FIRST, PIN_LAST };

/* "single-choice", …; "all-or-nothing", …: the names that files, scripts and the store use. */
const char *question_type_name(enum question_type type);
const char *marking_rule_name(enum marking_rule rule);

struct text_list {
    const char *const *items;
    int count;
};

struct choice {
    const char *text;
    const char *feedback, *misconception, *id;
    bool correct;
    enum pack_pin pin;
};

/* A wrong response that is known beforehand, with what to tell who gives it. */
struct known_wrong {
    const char *value; /* a text; of a number the digits or the expression, as written */
    double number;     /* of a number: what it comes to */
    const char *feedback, *misconception;
};

/* A number as the answer. */
struct number_key {
    const char *answer;      /* as the pack writes it: digits, or the name of a derived value */
    double value;            /* what it comes to */
    double tolerance;        /* >= 0: absolute; or a share of |value|, 0.05 for "5%" */
    bool relative;           /* it is such a share */
    const char *unit;        /* shown behind the field; NULL: none */
    int significant_figures; /* 1 to PACK_FIGURES; 0: none asked for */
    const struct known_wrong *wrongs;
    int wrong_count;
};

/* What makes no difference when a typed text is compared. */
enum text_ignore {
    IGNORE_CASE = 1 << 0,
    IGNORE_ACCENTS = 1 << 1,
    IGNORE_PUNCTUATION = 1 << 2,
    IGNORE_SPACES = 1 << 3,
};

struct text_key {
    struct text_list accept;          /* in the file's order */
    unsigned ignore;                  /* bits of enum text_ignore */
    const struct known_wrong *wrongs; /* those of `feedback`, then those of `wrong` */
    int wrong_count;
};

/* Pairs: lefts[i] belongs to rights[pairs[i]]. The right texts are distinct: those of the pairs in their
 * order, then `extra` from rights[paired] on. */
struct match_key {
    struct text_list lefts, rights;
    const unsigned char *pairs; /* lefts.count of them */
    int paired;
};

struct parameters; /* derive.h */
struct evaluator;

struct question {
    const char *id;
    const char *prompt, *figure;
    const char *explanation, *explanation_figure;
    const char *source;
    const char *feedback, *misconception; /* for who got it wrong; a choice's own stand with the choice */
    struct text_list hints, tags;
    double marks; /* > 0 */
    enum question_type type;
    enum marking_rule
        marking;  /* resolved: the question's, else the pack's, else all-or-nothing; never MARKING_DEFAULT */
    bool shuffle; /* false: this question's choices keep the author's order (its own or the pack's say) */
    int line, column;
    int section; /* number from 1; 0: the pack has no sections */
    bool markup; /* its texts are in light markup (markup.h) */
    bool comma;  /* a decimal comma is taken in answers, since the pack's language uses one */
    const struct parameters *parameters; /* of a parametrised question; NULL: it is none */
    /* an instance of a parametrised question, with values put in (question_instantiate): */
    const struct question *origin; /* the one it was made of; NULL: no instance */
    const char *given;             /* its values, a JSON object {"m":16,"p":4} */
    union {
        struct {
            const struct choice *items;
            int count, correct; /* how many in all, how many right */
        } choices;
        bool truth; /* true_false */
        struct number_key number;
        struct text_key text;
        struct text_list order; /* in the right order */
        struct match_key match;
        const char *recall; /* the back of the card */
    } key;
};

/* A section: its questions stand together in pack->questions, from `first` on. */
struct section {
    const char *title;
    const char *intro, *intro_figure; /* shown above each of its questions; NULL where absent */
    int first, count;
    int pick; /* ask this many of them, chosen by the seed; `count` where the pack does not say */
};

struct pack {
    const char *path; /* as given to pack_load */
    const char *id, *title;
    const char *strapline, *subject, *topic, *ages, *language; /* language defaults to "en" */
    struct text_list authors, licence, source;
    const char *publisher_name, *publisher_site, *key_reader; /* key_reader defaults to "tutors" */
    const char *description;
    bool markup; /* `light` */
    enum pack_shuffle shuffle;
    enum marking_rule marking;      /* MARKING_DEFAULT where the head names none */
    double exam_minutes, exam_pass; /* 0 where absent; pass in per cent */
    const struct question *questions;
    int question_count;
    const struct section *sections; /* sections[question->section − 1] */
    int section_count;              /* 0: the pack has none */
    struct arena arena;             /* private to content, as are the index and the evaluator */
    struct index *index;
    struct evaluator *evaluator; /* NULL: no question is parametrised */
};

/*
 * Reads and checks the pack at `path`. True: *pack is the caller's (pack_destroy). False: *pack is NULL, and
 * the list has at least one error, or *error tells why the file could not be read at all (missing, a
 * directory, a FIFO, no memory). Warnings may be in the list either way. Content errors leave error->code at
 * ERROR_NONE.
 */
bool pack_load(struct pack **pack, const char *path, struct diagnostics *list, struct error *error);
void pack_destroy(struct pack *pack);

/* The same over bytes in memory, named `path` in messages; for tests, fuzzing and standard input. */
bool pack_load_bytes(struct pack **pack, const char *path, const char *bytes, ptrdiff_t length,
                     struct diagnostics *list, struct error *error);

/* Place of the question with this id in pack->questions (from 0), -1 if there is none. */
int pack_find(const struct pack *pack, const char *question_id);

/* Whether a number is right: |value − a| ≤ t + 1e-9·max(|a|, |t|), of both rounded where the key asks for
 * significant figures (PACK-FORMAT "number"). */
bool number_key_accepts(const struct number_key *key, double value);

/* "case", "accents", …: the word of one bit; NULL for none. */
const char *text_ignore_name(enum text_ignore bit);

/*
 * The revision of a question (computed when asked for): 16 hex digits of SHA-256 over what decides its mark
 * (PACK-FORMAT "Revision"); an instance has that of its origin. The content hash: SHA-256 over
 * question_body, the question as it was asked. False only without memory.
 */
bool question_revision(const struct question *question, char revision[static PACK_REVISION + 1]);
bool question_content(const struct question *question, struct hash *hash);

/*
 * JSON of the question as asked, sorted keys, kept by the store once per content hash:
 * {"choices":[{"correct":true, "id":…,"misconception":…,"text":…}…], "explanation":…, "marks":…,
 * "prompt":…, "tags":[…], "type":…, and figure, explanation_figure, source, feedback where present}. Choices
 * in pack order. In the place of choices the other types have "truth":true; "number":{"answer","value",
 * "tolerance" ("0.5", "5%"), "unit","significant_figures","wrong":[{"value","number","misconception"}…]};
 * "text":{"accept":[…],"ignore":[…],"wrong":[…]}; "order":[…]; "match":{"pairs":[[LEFT,RIGHT]…],"extra":[…]};
 * "recall":TEXT. An instance has "given":{…} besides, and "key": what its revision is made of, as JSON.
 */
bool question_body(const struct question *question, struct buffer *body);

#endif
