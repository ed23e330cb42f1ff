#include "asked.h"

#include "response_words.h"

#include <quiztutor/body.h>
#include <string.h>

enum { ASKED_SLOTS = 2 * ASKED_MOST };

void asked_init(struct asked *asked, struct build *build)
{
    *asked = (struct asked){ .build = build };
    arena_init(&asked->arena);
}

void asked_finish(struct asked *asked)
{
    memory_free(asked->slots);
    arena_finish(&asked->arena);
    asked->slots = NULL;
    asked->count = 0;
}

const struct question *asked_today(struct build *build, const char *pack_id, const char *question_id)
{
    const struct pack *pack = build_pack(build, pack_id);
    int place = pack ? pack_find(pack, question_id) : -1;
    return place < 0 ? NULL : &pack->questions[place];
}

const char *asked_prompt(struct build *build, const struct question *question, const char *question_id)
{
    if (!question || !question->prompt)
        return build_copy(build, question_id);
    struct buffer line;
    buffer_init(&line);
    response_words_line(&line, question, question->prompt);
    build->failed = build->failed || line.failed;
    const char *prompt = build_copy(build, line.length ? buffer_get(&line) : question_id);
    buffer_finish(&line);
    return prompt;
}

/* Forgets all of them once there are too many. */
static bool make_room(struct asked *asked)
{
    if (asked->count >= ASKED_MOST) {
        struct build *build = asked->build;
        asked_finish(asked);
        asked_init(asked, build);
    }
    if (!asked->slots)
        asked->slots = memory_zero(ASKED_SLOTS * (ptrdiff_t)sizeof *asked->slots);
    return asked->slots != NULL;
}

/* Where the content is, or would be. Contents are SHA-256, so any bytes of them are spread evenly. */
static struct asked_text **slot_of(struct asked *asked, const struct hash *content)
{
    uint32_t at;
    memcpy(&at, content->bytes, sizeof at);
    for (at %= ASKED_SLOTS; asked->slots[at]; at = (at + 1) % ASKED_SLOTS)
        if (memcmp(&asked->slots[at]->content, content, sizeof *content) == 0)
            break;
    return &asked->slots[at];
}

/* The body in the store; *text stays unknown where it has none. */
static bool read_text(struct asked *asked, struct store *store, struct asked_text *text)
{
    struct build *build = asked->build;
    const struct store_value content = store_value_hash(&text->content);
    struct rows *rows;
    if (!rows_open(&rows, store, QUERY_TEXT, &content, 1, build->error))
        return false;
    int step = rows_step(rows, build->error);
    const char *body = step == 1 ? rows_text(rows, 3) : NULL;
    if (body && !body_read(&text->question, body, &asked->arena, &text->known))
        build->failed = true;
    rows_close(rows);
    return step >= 0;
}

/* Keeps what the row has, where there is room. */
static bool keep_row(struct asked *asked, struct rows *rows)
{
    struct hash content;
    rows_hash(rows, 0, &content);
    const char *body = rows_text(rows, 3);
    struct asked_text **slot = slot_of(asked, &content);
    if (!body || *slot || asked->count >= ASKED_MOST)
        return true;
    const struct question *today = asked_today(asked->build, rows_text(rows, 1), rows_text(rows, 2));
    struct asked_text *text = arena_alloc(&asked->arena, sizeof *text);
    if (!text || !body_read(&text->question, body, &asked->arena, &text->known))
        return false;
    text->content = content;
    text->question.markup = today && today->markup;
    if (text->known) {
        *slot = text;
        asked->count++;
    }
    return true;
}

void asked_expect(struct asked *asked, const struct store *store, const struct uuid *learner)
{
    asked->store = store;
    asked->learner = *learner;
}

static bool read_expected(struct asked *asked, struct store *store)
{
    const struct store_value learner = store_value_uuid(&asked->learner);
    struct rows *rows;
    int step;
    if (!rows_open(&rows, store, QUERY_TEXTS_KEPT, &learner, 1, asked->build->error))
        return false;
    while ((step = rows_step(rows, asked->build->error)) > 0 && !asked->build->failed)
        asked->build->failed = !keep_row(asked, rows);
    rows_close(rows);
    asked->store = NULL;
    return step >= 0;
}

static bool is_zero(const struct hash *hash)
{
    static const struct hash none;
    return memcmp(hash, &none, sizeof none) == 0;
}

bool asked_find(struct asked *asked, struct store *store, const struct hash *content, const char *pack_id,
                const char *question_id, const struct question **question)
{
    const struct question *today = asked_today(asked->build, pack_id, question_id);
    *question = today;
    if (is_zero(content))
        return true;
    if (!make_room(asked)) {
        asked->build->failed = true;
        return true;
    }
    struct asked_text **slot = slot_of(asked, content);
    if (!*slot && asked->store == store) {
        if (!read_expected(asked, store))
            return false;
        slot = slot_of(asked, content);
    }
    if (!*slot) {
        struct asked_text *text = arena_alloc(&asked->arena, sizeof *text);
        if (!text) {
            asked->build->failed = true;
            return true;
        }
        text->content = *content;
        if (!read_text(asked, store, text))
            return false;
        text->question.markup = today && today->markup; /* what is stored does not say */
        asked->count++;
        if (!text->known)
            return true; /* not kept: another store may have it */
        *slot = text;
    }
    *question = &(*slot)->question;
    return true;
}
