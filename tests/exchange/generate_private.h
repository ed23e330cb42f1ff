/* What the files of generate share: draws, room, texts. */
#ifndef TESTS_EXCHANGE_GENERATE_PRIVATE_H
#define TESTS_EXCHANGE_GENERATE_PRIVATE_H

#include "generate.h"

enum kind { LINE, TEXT, MARKED };

bool generate_has(const struct generate *generate, enum generate_part part);
bool generate_chance(struct generate *generate, enum generate_part part);
void *generate_room(struct generate *generate, ptrdiff_t size);
const char *generate_keep(struct generate *generate, const char *text);
const char **generate_distinct(struct generate *generate, int count, enum kind kind);
struct text_list generate_list(struct generate *generate, int most, enum kind kind);
struct text_list generate_tags(struct generate *generate, int most);
const char *generate_slug(struct generate *generate);
const char *generate_marked(struct generate *generate);
const char *generate_figure(struct generate *generate);

#endif
