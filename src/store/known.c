#include "known.h"

#include <quiztutor/memory.h>
#include <string.h>

enum { SESSIONS = 64, FIRST_CONTENTS = 256, CONTENTS = 1 << 17 };

void known_init(struct known *known)
{
    memset(known, 0, sizeof *known);
}

void known_finish(struct known *known)
{
    memory_free(known->sessions);
    memory_free(known->contents);
    known_init(known);
}

void known_forget(struct known *known)
{
    known_finish(known);
}

const struct known_session *known_find_session(const struct known *known, const struct uuid *id)
{
    for (ptrdiff_t i = known->session_count; i-- > 0;) {
        if (uuid_equal(&known->sessions[i].id, id))
            return &known->sessions[i];
    }
    return NULL;
}

void known_add_session(struct known *known, const struct uuid *id, const struct uuid *learner)
{
    if (known_find_session(known, id))
        return;
    if (known->session_count == SESSIONS)
        known->session_count = 0;
    if (!memory_grow(&known->sessions, &known->session_capacity, known->session_count + 1,
                     sizeof *known->sessions))
        return;
    known->sessions[known->session_count++] = (struct known_session){ *id, *learner };
}

static bool is_empty(const struct hash *hash)
{
    static const struct hash empty;
    return memcmp(hash, &empty, sizeof empty) == 0;
}

/* The place that holds the content, or the empty one where it belongs. There always is an empty one. */
static struct hash *content_place(struct hash *contents, ptrdiff_t capacity, const struct hash *content)
{
    uint64_t start;
    memcpy(&start, content->bytes, sizeof start);
    ptrdiff_t mask = capacity - 1;
    ptrdiff_t place = (ptrdiff_t)(start & (uint64_t)mask);
    while (!is_empty(&contents[place]) && memcmp(&contents[place], content, sizeof *content) != 0)
        place = (place + 1) & mask;
    return &contents[place];
}

bool known_has_content(const struct known *known, const struct hash *content)
{
    return known->contents && !is_empty(content) &&
           !is_empty(content_place(known->contents, known->content_capacity, content));
}

static bool contents_grow(struct known *known)
{
    ptrdiff_t capacity = known->content_capacity ? known->content_capacity * 2 : FIRST_CONTENTS;
    if (capacity > CONTENTS)
        return false;
    struct hash *contents = memory_zero(capacity * (ptrdiff_t)sizeof *contents);
    if (!contents)
        return false;
    for (ptrdiff_t i = 0; i < known->content_capacity; i++) {
        if (!is_empty(&known->contents[i]))
            *content_place(contents, capacity, &known->contents[i]) = known->contents[i];
    }
    memory_free(known->contents);
    known->contents = contents;
    known->content_capacity = capacity;
    return true;
}

void known_add_content(struct known *known, const struct hash *content)
{
    if (is_empty(content) || known_has_content(known, content))
        return;
    if (known->content_count >= known->content_capacity / 2 && !contents_grow(known))
        return;
    *content_place(known->contents, known->content_capacity, content) = *content;
    known->content_count++;
}
