#include <quiztutor/key_change.h>
#include <quiztutor/text.h>

#include <math.h>
#include <stdlib.h>
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
    char *old_end, *now_end;
    double first = strtod(old, &old_end), second = strtod(now, &now_end);
    bool numbers = old_end != old && now_end != now && !*old_end && !*now_end && isfinite(first);
    return strcmp(old, now) == 0 || (numbers && !(first < second || first > second) && isfinite(second));
}

bool key_overturned(const struct key *old, const struct key *now)
{
    bool choices = key_is_choice(old) && key_is_choice(now);
    if (!choices && strcmp(old->type, now->type) != 0)
        return true;
    if (!choices && (old->value || now->value))
        return !old->value || !now->value || !key_same_value(old->value, now->value);
    bool accepts = strcmp(now->type, question_type_name(QUESTION_TEXT)) == 0;
    for (int i = 0; i < old->count; i++) {
        const struct key_text *was = &old->texts[i], *is = key_find(now, was->text);
        if (accepts ? !is : is && is->right != was->right)
            return true;
    }
    return false;
}
