#include <quiztutor/key_change.h>
#include <quiztutor/number.h>
#include <quiztutor/text.h>

#include <string.h>

static const struct key_text *key_find(const struct key *key, const char *text)
{
    for (int i = 0; i < key->count; i++)
        if (text_same(key->texts[i].text, text))
            return &key->texts[i];
    return NULL;
}

/* Single and multiple choice are one question, whose number of right choices changed. */
static bool key_is_choice(const struct key *key)
{
    return strcmp(key->type, question_type_name(QUESTION_SINGLE_CHOICE)) == 0 ||
           strcmp(key->type, question_type_name(QUESTION_MULTIPLE_CHOICE)) == 0;
}

/* "0.50" and "0.5" are one number; what is none is compared as text. */
static bool key_same_value(const char *old, const char *now)
{
    struct number first, second;
    bool numbers = number_read(&first, old, (ptrdiff_t)strlen(old), false) == NUMBER_FINE &&
                   number_read(&second, now, (ptrdiff_t)strlen(now), false) == NUMBER_FINE;
    return strcmp(old, now) == 0 || (numbers && !(first.value < second.value || first.value > second.value));
}

/* Whether a response of this text would be right: accepted under what the key ignores. */
static bool key_accepts(const struct key *key, const char *text)
{
    int32_t given[TEXT_COMPARED], accepted[TEXT_COMPARED];
    if (key_find(key, text))
        return true;
    int count = text_compare_form(given, text, key->ignore);
    for (int i = 0; i < key->count; i++)
        if (count >= 0 && count == text_compare_form(accepted, key->texts[i].text, key->ignore) &&
            memcmp(given, accepted, (size_t)count * sizeof *given) == 0)
            return true;
    return false;
}

/* Two expressions that differ in white space at most. */
static bool key_same_expression(const char *one, const char *other)
{
    static const char spaces[] = " \t\n";
    for (;;) {
        one += strspn(one, spaces);
        other += strspn(other, spaces);
        if (*one != *other)
            return false;
        if (!*one)
            return true;
        one++;
        other++;
    }
}

static bool key_derives_otherwise(const struct key *old, const struct key *now)
{
    for (int i = 0; i < old->derived_count; i++)
        for (int k = 0; k < now->derived_count; k++)
            if (strcmp(old->derived[i].name, now->derived[k].name) == 0 &&
                !key_same_expression(old->derived[i].expression, now->derived[k].expression))
                return true;
    return false;
}

bool key_overturned(const struct key *old, const struct key *now)
{
    bool choices = key_is_choice(old) && key_is_choice(now);
    if (!choices && strcmp(old->type, now->type) != 0)
        return true;
    if (key_derives_otherwise(old, now))
        return true;
    if (!choices && (old->value || now->value))
        return !old->value || !now->value || !key_same_value(old->value, now->value);
    bool accepts = strcmp(now->type, question_type_name(QUESTION_TEXT)) == 0;
    for (int i = 0; i < old->count; i++) {
        const struct key_text *was = &old->texts[i], *is = accepts ? NULL : key_find(now, was->text);
        if (accepts ? !key_accepts(now, was->text) : is && is->right != was->right)
            return true;
    }
    return false;
}
