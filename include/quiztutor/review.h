/*
 * The reviewer: what a loaded pack's questions give away or leave unclear, told as warnings by named rules. A
 * comment `# check: allow RULE` switches a rule off, for the question that it stands in, or for the whole
 * file before the first one. The table of rules knows those of the loader too, so that each can be explained.
 */
#ifndef QUIZTUTOR_REVIEW_H
#define QUIZTUTOR_REVIEW_H

#include <quiztutor/pack.h>

/*
 * Adds warnings about a pack that was loaded from pack->path, and an error for each question with a known
 * wrong response that some values of `given` make right; its file is read again, for places and
 * comments. `list` is the one that loading filled: the loader's own warnings go from it where a comment
 * allows them. False only when the file can't be read any more, has changed meanwhile, or there is no memory.
 */
bool review_pack(const struct pack *pack, struct diagnostics *list, struct error *error);

/* The same over the bytes that the pack was loaded from. */
bool review_pack_bytes(const struct pack *pack, const char *bytes, ptrdiff_t length, struct diagnostics *list,
                       struct error *error);

/* How often learners gave the choices of one question, which the caller has from a store. */
struct review_taken {
    int64_t choices[PACK_CHOICES]; /* by place in the pack */
    int64_t answers;               /* in all */
};

/* review_pack, with what learners made of each question of the pack (taken[i]) besides; NULL: not known. */
bool review_pack_taken(const struct pack *pack, const struct review_taken *taken, struct diagnostics *list,
                       struct error *error);

enum review_kind {
    REVIEW_ADVICE,  /* a warning of the reviewer's */
    REVIEW_WARNING, /* a warning of the loader's */
    REVIEW_ERROR,   /* an error of the loader's: can't be switched off */
    REVIEW_FAULT,   /* an error of the reviewer's: nor can this one, but the pack loads */
};

/* All texts are N_(): tr() them where they are shown. */
struct review_rule {
    const char *name; /* as in [name] behind a diagnostic */
    enum review_kind kind;
    const char *summary; /* one line, lower case, no full stop */
    /* sentences: what the rule looks at, why that matters, how to mend it; NULL for the loader's */
    const char *looks, *why, *mend;
};

int review_rule_count(void);
const struct review_rule *review_rule_at(int place);          /* from 0 */
const struct review_rule *review_rule_find(const char *name); /* NULL: there is none */
const char *review_rule_nearest(const char *name);            /* NULL: none is near */

#endif
