#include "marking_private.h"

#include <assert.h>
#include <string.h>

static_assert((int)TEXT_ANY_CASE == (int)IGNORE_CASE && (int)TEXT_ANY_ACCENTS == (int)IGNORE_ACCENTS &&
                  (int)TEXT_ANY_PUNCTUATION == (int)IGNORE_PUNCTUATION &&
                  (int)TEXT_ANY_SPACES == (int)IGNORE_SPACES,
              "a pack's words and the texts' are one");

/* A text in the form that is compared. */
struct form {
    int32_t codes[TEXT_COMPARED];
    int count; /* −1: it has none */
};

static void form_of(struct form *form, const char *text, const struct text_key *key)
{
    form->count = text ? text_compare_form(form->codes, text, key->ignore) : -1;
}

static bool form_equal(const struct form *one, const struct form *other)
{
    return one->count >= 0 && one->count == other->count &&
           memcmp(one->codes, other->codes, (size_t)one->count * sizeof *one->codes) == 0;
}

bool marking_text_right(const struct question *question, const char *typed)
{
    const struct text_key *key = &question->key.text;
    struct form given, accepted;
    form_of(&given, typed, key);
    for (int i = 0; given.count >= 0 && i < key->accept.count; i++) {
        form_of(&accepted, key->accept.items[i], key);
        if (form_equal(&given, &accepted))
            return true;
    }
    return false;
}

const struct known_wrong *marking_text_wrong(const struct question *question, const char *typed)
{
    const struct text_key *key = &question->key.text;
    struct form given, listed;
    form_of(&given, typed, key);
    for (int i = 0; given.count >= 0 && i < key->wrong_count; i++) {
        form_of(&listed, key->wrongs[i].value, key);
        if (form_equal(&given, &listed))
            return &key->wrongs[i];
    }
    return NULL;
}

static int letters(const struct form *form)
{
    int count = 0;
    for (int i = 0; i < form->count; i++)
        count += text_is_letter(form->codes[i]);
    return count;
}

static bool same_codes(const struct form *one, int from, const struct form *other, int other_from, int count)
{
    return memcmp(one->codes + from, other->codes + other_from, (size_t)count * sizeof *one->codes) == 0;
}

/* One character more, less or other, or two neighbours changed about. */
static bool one_edit(const struct form *one, const struct form *other)
{
    const struct form *longer = one->count >= other->count ? one : other,
                      *shorter = longer == one ? other : one;
    int difference = longer->count - shorter->count, at = 0;
    if (shorter->count < 0 || difference > 1)
        return false;
    while (at < shorter->count && longer->codes[at] == shorter->codes[at])
        at++;
    int rest = longer->count - at; /* from the first that differs */
    if (rest == 0)
        return false;
    if (difference == 1)
        return same_codes(longer, at + 1, shorter, at, rest - 1);
    bool swapped = rest >= 2 && longer->codes[at] == shorter->codes[at + 1] &&
                   longer->codes[at + 1] == shorter->codes[at] &&
                   same_codes(longer, at + 2, shorter, at + 2, rest - 2);
    return swapped || same_codes(longer, at + 1, shorter, at + 1, rest - 1);
}

enum { NEAR_LETTERS = 5 }; /* PACK-FORMAT "text": shorter words are too alike */

bool marking_text_near(const struct question *question, const char *typed)
{
    const struct text_key *key = &question->key.text;
    struct form given, accepted;
    form_of(&given, typed, key);
    for (int i = 0; given.count >= 0 && i < key->accept.count; i++) {
        form_of(&accepted, key->accept.items[i], key);
        if (letters(&accepted) >= NEAR_LETTERS && one_edit(&given, &accepted))
            return true;
    }
    return false;
}
