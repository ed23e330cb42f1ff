/*
 * The JSON that revisions and stored questions share: parts of an answer key, keys in the order of RFC 8785.
 * Private to content.
 */
#ifndef CONTENT_REVISION_H
#define CONTENT_REVISION_H

#include <quiztutor/json.h>
#include <quiztutor/pack.h>

/* What a revision is made of, as one value; of an instance that of its origin. False without memory. */
bool revision_write(struct json *json, const struct question *asked);

/* "tolerance": "0.5", or "5%" of a share. */
void revision_tolerance(struct json *json, const struct number_key *number);
void revision_texts(struct json *json, const char *key, const struct text_list *list);
void revision_ignore(struct json *json, unsigned ignore);
void revision_pairs(struct json *json, const struct match_key *match, bool sorted);

/* The right texts that belong to no left. */
struct text_list revision_extras(const struct match_key *match);

/* Whether a marking rule applies to the type. */
bool revision_has_rule(const struct question *question);

#endif
