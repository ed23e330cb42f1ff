/*
 * Anki's notes as cards to recall, for all readers that meet them: what a cloze is, and what of a note's
 * fields stands on which side. The texts are already in the form that the import has (import_text); nothing
 * here knows HTML.
 */
#ifndef EXCHANGE_ANKI_NOTE_H
#define EXCHANGE_ANKI_NOTE_H

#include <quiztutor/exchange.h>

enum {
    ANKI_FIELDS = 100, /* fields of a note */
    ANKI_CLOZES = 100, /* different numbers of a cloze: each is a card */
    ANKI_CLOZE_NESTING = 8,
};

/* What the cards of one note share. */
struct anki_note {
    int line;         /* as of import_open */
    const char *name; /* what the report calls it; NULL: the beginning of its text */
    const char *id;   /* wished for; of the second card on with its number behind; NULL: made from the text */
    struct text_list tags;
    const char *const *changes; /* noted with each of its cards: what was left out of its fields */
    int change_count;
    bool too_long; /* a text of it was cut: no card of it is taken */
};

/* Anki's tags, parted by spaces, in the arena; empty ones and the words of Anki's own (marked, leech) go. */
bool anki_note_tags(struct import *import, const char *tags, struct text_list *list);

/* Takes one card: `front` is the prompt, `back` the answer (plain, never markup), `more` (may be NULL) goes
 * to the explanation. `number`: the card's within its note, from 1. With an empty side it is left out, with
 * its reason. */
void anki_note_card(struct import *import, const struct anki_note *note, int number, const char *front,
                    const char *back, const char *more);

/* Whether {{c1::…}} stands in the text. */
bool anki_note_has_cloze(const char *text);

/* Takes a card for each number: its parts are […] (or [hint]) in the prompt and the answer; parts of other
 * numbers are shown. `more` as above. A text without any is left out. The text is in light markup where
 * import->markup is set: answers are its plain rendering. */
void anki_note_clozes(struct import *import, const struct anki_note *note, const char *text,
                      const char *more);

#endif
