#include "check_store.h"

#include <quiztutor/json.h>
#include <quiztutor/text.h>

#include <string.h>

/* Which choice of today's question each choice was when it was asked. */
struct former {
    struct store *store;
    const struct question *question;
    char content[2 * sizeof(struct hash) + 1];
    int place[PACK_CHOICES]; /* from 0; -1: there is none any more */
    int count;
    int found;
    struct error *error;
    bool failed;
};

enum { COLUMN_QUESTION, COLUMN_CONTENT, COLUMN_REVISION, COLUMN_RESPONSE, COLUMN_COUNT, COLUMN_BODY };

/* A choice's id or text: the first one that is a choice of today's decides. */
static bool take_name(void *context, const char *name)
{
    struct former *former = context;
    const struct question *question = former->question;
    for (int i = 0; name && former->found < 0 && i < question->key.choices.count; i++) {
        const struct choice *choice = &question->key.choices.items[i];
        if ((choice->id && strcmp(choice->id, name) == 0) || text_same(choice->text, name))
            former->found = i;
    }
    return former->found < 0;
}

static bool take_choice(void *context, const char *choice)
{
    struct former *former = context;
    former->found = -1;
    former->failed = !choice ||
                     !store_json_each(former->store, choice, "$.id", take_name, former, former->error) ||
                     !store_json_each(former->store, choice, "$.text", take_name, former, former->error);
    former->place[former->count++] = former->found;
    return !former->failed && former->count < PACK_CHOICES;
}

/* The choices as they were asked, from the question's text in the store. */
static bool read_former(struct former *former, const char *content, const char *body)
{
    if (strcmp(former->content, content) == 0)
        return true;
    strcpy(former->content, "");
    former->count = 0;
    if (body && !store_json_each(former->store, body, "$.choices", take_choice, former, former->error))
        return false;
    if (former->failed)
        return false;
    strcpy(former->content, content);
    return true;
}

/* Today's own form: each is where it was. False without memory. */
static bool begin_question(struct former *former, const struct question *question)
{
    struct hash hash;
    former->question = question;
    if (!question_content(question, &hash))
        return error_memory(former->error);
    hash_hex(former->content, hash.bytes, sizeof hash.bytes);
    former->count = question->key.choices.count;
    for (int i = 0; i < former->count; i++)
        former->place[i] = i;
    return true;
}

static bool has_choices(const struct question *question)
{
    return question->type == QUESTION_SINGLE_CHOICE || question->type == QUESTION_MULTIPLE_CHOICE;
}

/* One row: so many answers that gave these choices. */
static bool take_row(struct former *former, struct rows *rows, struct review_taken *taken)
{
    int places[PACK_CHOICES];
    const char *content = rows_text(rows, COLUMN_CONTENT), *response = rows_text(rows, COLUMN_RESPONSE);
    int count = response ? json_read_places(places, PACK_CHOICES, response) : -1;
    int64_t times = rows_integer(rows, COLUMN_COUNT);
    if (count < 0 || !content || strlen(content) >= sizeof former->content)
        return true;
    if (!read_former(former, content, rows_text(rows, COLUMN_BODY)))
        return false;
    taken->answers += times;
    for (int i = 0; i < count; i++) {
        int place = places[i] >= 1 && places[i] <= former->count ? former->place[places[i] - 1] : -1;
        if (place >= 0)
            taken->choices[place] += times;
    }
    return true;
}

static bool take_rows(struct former *former, struct rows *rows, const struct pack *pack,
                      struct review_taken *taken, struct error *error)
{
    int found;
    while ((found = rows_step(rows, error)) > 0) {
        const char *id = rows_text(rows, COLUMN_QUESTION);
        int place = id ? pack_find(pack, id) : -1;
        if (place < 0 || !has_choices(&pack->questions[place]))
            continue;
        if (former->question != &pack->questions[place] && !begin_question(former, &pack->questions[place]))
            return false;
        if (!take_row(former, rows, &taken[place]))
            return false;
    }
    return found == 0;
}

struct review_taken *check_store_taken(struct store *store, const struct pack *pack, struct error *error)
{
    struct former former = { .store = store, .error = error };
    struct store_value id = store_value_text(pack->id);
    struct review_taken *taken = memory_zero((pack->question_count + 1) * (ptrdiff_t)sizeof *taken);
    struct rows *rows = NULL;
    if (!taken) {
        error_memory(error);
        return NULL;
    }
    bool done = rows_open(&rows, store, QUERY_RESPONSES, &id, 1, error) &&
                take_rows(&former, rows, pack, taken, error);
    if (rows)
        rows_close(rows);
    if (done)
        return taken;
    memory_free(taken);
    return NULL;
}
