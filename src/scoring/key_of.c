/* Keys in the form that is compared. */
#include <quiztutor/derive.h>
#include <quiztutor/key_change.h>
#include <quiztutor/text.h>

/* Adds "one ▸ other", parted by a byte that no content holds. */
static bool key_join(struct key *key, struct key_text *texts, const char *one, const char *other, bool right,
                     struct arena *arena)
{
    const char *text = arena_print(arena, "%s\x1f%s", one, other);
    texts[key->count++] = (struct key_text){ text, right };
    return text != NULL;
}

bool key_of_order(struct key *key, const struct text_list *items, struct arena *arena)
{
    int count = items->count;
    struct key_text *texts = arena_alloc(arena, ((ptrdiff_t)count * count + 1) * (ptrdiff_t)sizeof *texts);
    bool done = texts != NULL;
    key->texts = texts;
    for (int i = 0; done && i < count; i++)
        for (int k = 0; done && k < count; k++)
            if (i != k)
                done = key_join(key, texts, items->items[i], items->items[k], i < k, arena);
    return done;
}

bool key_of_match(struct key *key, const struct text_list *lefts, const struct text_list *rights,
                  const struct text_list *extra, struct arena *arena)
{
    int count = lefts->count;
    ptrdiff_t all = (ptrdiff_t)count * (rights->count + extra->count);
    struct key_text *texts = arena_alloc(arena, (all + 1) * (ptrdiff_t)sizeof *texts);
    bool done = texts != NULL;
    key->texts = texts;
    for (int i = 0; done && i < count; i++) {
        for (int k = 0; done && k < rights->count; k++)
            done = key_join(key, texts, lefts->items[i], rights->items[k],
                            text_same(rights->items[i], rights->items[k]), arena);
        for (int k = 0; done && k < extra->count; k++)
            done = key_join(key, texts, lefts->items[i], extra->items[k], false, arena);
    }
    return done;
}

static bool key_of_choices(struct key *key, const struct question *question, struct arena *arena)
{
    int count = question->key.choices.count;
    struct key_text *texts = arena_alloc(arena, (count + 1) * (ptrdiff_t)sizeof *texts);
    if (!texts)
        return false;
    for (int i = 0; i < count; i++) {
        const struct choice *choice = &question->key.choices.items[i];
        texts[i] = (struct key_text){ choice->id ? choice->id : choice->text, choice->correct };
    }
    key->texts = texts;
    key->count = count;
    return true;
}

static bool key_of_text(struct key *key, const struct text_key *text, struct arena *arena)
{
    struct key_text *texts = arena_alloc(arena, (text->accept.count + 1) * (ptrdiff_t)sizeof *texts);
    if (!texts)
        return false;
    for (int i = 0; i < text->accept.count; i++)
        texts[i] = (struct key_text){ text->accept.items[i], true };
    key->texts = texts;
    key->count = text->accept.count;
    key->ignore = text->ignore;
    return true;
}

static bool key_of_pairs(struct key *key, const struct match_key *match, struct arena *arena)
{
    const char *rights[PACK_CHOICES];
    int count = match->lefts.count;
    for (int i = 0; i < count; i++)
        rights[i] = match->rights.items[match->pairs[i]];
    const struct text_list paired = { rights, count }, extra = { match->rights.items + match->paired,
                                                                 match->rights.count - match->paired };
    return key_of_match(key, &match->lefts, &paired, &extra, arena);
}

static bool key_derived_of(struct key *key, const struct parameters *parameters, struct arena *arena)
{
    if (!parameters || !parameters->derived_count)
        return true;
    struct key_derived *derived = arena_alloc(arena, parameters->derived_count * (ptrdiff_t)sizeof *derived);
    if (!derived)
        return false;
    for (int i = 0; i < parameters->derived_count; i++)
        derived[i] = (struct key_derived){ parameters->derived[i].name, parameters->derived[i].expression };
    key->derived = derived;
    key->derived_count = parameters->derived_count;
    return true;
}

bool key_of_question(struct key *key, const struct question *asked, struct arena *arena)
{
    const struct question *question = asked->origin ? asked->origin : asked;
    *key = (struct key){ .type = question_type_name(question->type) };
    if (!key_derived_of(key, question->parameters, arena))
        return false;
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        return key_of_choices(key, question, arena);
    case QUESTION_TRUE_FALSE:
        key->value = question->key.truth ? "true" : "false";
        return true;
    case QUESTION_NUMBER:
        key->value = question->key.number.answer;
        return true;
    case QUESTION_TEXT:
        return key_of_text(key, &question->key.text, arena);
    case QUESTION_ORDER:
        return key_of_order(key, &question->key.order, arena);
    case QUESTION_MATCH:
        return key_of_pairs(key, &question->key.match, arena);
    case QUESTION_RECALL:
    case QUESTION_TYPES:
        break;
    }
    return true;
}
