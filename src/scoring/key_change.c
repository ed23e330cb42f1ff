#include <quiztutor/key_change.h>
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

bool key_overturned(const struct key *old, const struct key *now)
{
    bool choices = key_is_choice(old) && key_is_choice(now);
    if (!choices && strcmp(old->type, now->type) != 0)
        return true;
    if (!choices && (old->value || now->value))
        return !old->value || !now->value || strcmp(old->value, now->value) != 0;
    bool accepts = strcmp(now->type, question_type_name(QUESTION_TEXT)) == 0;
    for (int i = 0; i < old->count; i++) {
        const struct key_text *was = &old->texts[i], *is = key_find(now, was->text);
        if (accepts ? !is : is && is->right != was->right)
            return true;
    }
    return false;
}
