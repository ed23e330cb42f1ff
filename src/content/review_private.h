/*
 * What the reviewer's files share: the review under way, with the question at hand and its words, and what
 * each rule of the table looks with. Private to content.
 */
#ifndef CONTENT_REVIEW_PRIVATE_H
#define CONTENT_REVIEW_PRIVATE_H

#include "review_outline.h"
#include "review_words.h"

#include <quiztutor/review.h>

/* Those that a comment can switch off come first: each is a bit of a mask. */
enum review_id {
    REVIEW_LONGEST_OFTEN,
    REVIEW_PLACE_SKEW,
    REVIEW_PLACE_RUN,
    REVIEW_ALIKE_QUESTIONS,
    REVIEW_LONGEST_CHOICE,
    REVIEW_ALIKE_CHOICES,
    REVIEW_UNPINNED,
    REVIEW_ABSOLUTE_WORD,
    REVIEW_TEMPTING,
    REVIEW_NEGATIVE_STEM,
    REVIEW_PROMPT_END,
    REVIEW_ANSWER_IN_PROMPT,
    REVIEW_CONTAINED_ANSWERS,
    REVIEW_MISSING_SOURCE,
    REVIEW_WIDE_FIGURE,
    REVIEW_DOUBTFUL_WIDTH,
    REVIEW_MARKUP_SLIP,
    REVIEW_GIVEN_FAILS,
    REVIEW_GIVEN_SAME,
    REVIEW_UNKNOWN_RULE,
    REVIEW_LOOKING, /* so many look for themselves; the loader's follow */
    REVIEW_ALLOWABLE = REVIEW_LOOKING + 6,
};

enum review_language { LANGUAGE_OTHER, LANGUAGE_ENGLISH, LANGUAGE_GERMAN, LANGUAGES };

/* Words that rules know, for one language; see review_language.c. */
enum review_list {
    LIST_ABSOLUTE,    /* always, never */
    LIST_QUANTITY,    /* all, every: absolute where they begin a choice, harmless elsewhere */
    LIST_NEGATIVE,    /* not, except */
    LIST_ASKING,      /* which, what */
    LIST_SUBORDINATE, /* if, that: begin a clause of their own */
    LIST_BEFORE,      /* of, in: may stand before the asking word */
    LIST_COMPLETED,   /* is, the: a sentence to be completed ends so */
    LIST_TELLING,     /* choose, name: begin an instruction */
    LIST_COMMON,      /* say nothing about the matter */
    LIST_ARTICLE,     /* the, a */
    LIST_ALL_OR_NONE, /* all, none, both: begin "all of the above" */
    LIST_ABOVE,       /* above, these: end it */
    LIST_LETTERED,    /* both, and, only: go with the letters of choices */
    LIST_CHOICE,      /* answers, options */
    REVIEW_LISTS,
};
bool review_lists_init(struct word_set lists[static REVIEW_LISTS], enum review_language language);
void review_lists_finish(struct word_set lists[static REVIEW_LISTS]);

struct review {
    const struct pack *pack;
    const struct review_taken *taken; /* NULL: not known */
    struct source *source;
    struct report report;
    struct review_outline outline;
    enum review_language language;
    struct word_set lists[REVIEW_LISTS];
    bool failed; /* no memory */
    int sources; /* questions with a source of their own */
    /* the question at hand */
    int number; /* in pack->questions, from 0 */
    const struct question *question;
    const struct review_spots *spots;
    struct words prompt, choices[PACK_CHOICES];
    struct words scratch;
};

/* Over the whole pack, or over the question at hand. */
typedef void review_look(struct review *review);

struct review_row {
    struct review_rule rule;
    review_look *pack, *question;
    unsigned types; /* 1 << enum question_type of the questions it looks at */
    bool worded;    /* needs lists of words: only where the pack's language has them */
};
extern const struct review_row review_rows[REVIEW_LOOKING];

/* The rules of the loader, its warnings first. */
extern const struct review_rule review_loader_rules[];
extern const int review_loader_rule_count;

review_look longest_often, place_skew, place_run, alike_questions;
review_look longest_choice, alike_choices, unpinned_choice, absolute_word, tempting_choice;
review_look contained_answers, typed_in_prompt; /* the second is answer_in_prompt's for typed texts */
review_look negative_stem, prompt_end, answer_in_prompt, missing_source, wide_figure, doubtful_width,
    markup_slip;

/* Both rules about `given`, and an error that no comment allows; for a parametrised question. */
review_look given_values;

/* Whether a comment switches the rule off for this question, or for the whole file. */
bool review_allows(const struct review *review, int number, enum review_id id);

/* Adds a warning. `hint` is translated, or NULL. */
void review_tell(struct review *review, enum review_id id, const struct place *place, const char *hint,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The place of these bytes where they stand in the file within `from` and `until`; else `from` itself. */
struct place review_spot(struct review *review, const struct place *from, const struct place *until,
                         const char *text, ptrdiff_t length);

/* The same within the question at hand. */
struct place review_question_spot(struct review *review, const char *text, ptrdiff_t length);

/* The same within one text of the question at hand. */
struct place review_word_spot(struct review *review, const struct place *text, const char *word,
                              ptrdiff_t length);

bool review_has_word(const struct review *review, enum review_list list, const struct words *words,
                     ptrdiff_t place);

bool review_has_choices(const struct question *question);

/* Place of the only right choice; -1 where there is none or are several. */
int review_right_choice(const struct question *question);

/* "once in 300 packs", translated; for messages. */
enum { REVIEW_ODDS = 80 };
const char *review_odds(char odds[static REVIEW_ODDS], double probability);

/* Below this probability chance is no explanation. */
#define REVIEW_UNLIKELY 0.01

#endif
