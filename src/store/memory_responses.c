/* How often each response was given to a question. */
#include "memory_rows.h"

#include <stdlib.h>
#include <string.h>

static bool same(const struct memory_attempt *one, const struct memory_attempt *other)
{
    return strcmp(one->question_id, other->question_id) == 0 &&
           memcmp(&one->content, &other->content, sizeof one->content) == 0 &&
           strcmp(one->revision, other->revision) == 0 && strcmp(one->response, other->response) == 0;
}

struct given {
    const struct memory_attempt *first;
    int64_t times;
};

static int by_times(const void *one, const void *other)
{
    const struct given *a = one, *b = other;
    if (a->times != b->times)
        return a->times > b->times ? -1 : 1;
    int order = strcmp(a->first->question_id, b->first->question_id);
    if (order == 0)
        order = memcmp(&a->first->content, &b->first->content, sizeof a->first->content);
    if (order == 0)
        order = strcmp(a->first->response, b->first->response);
    return order ? order : strcmp(a->first->revision, b->first->revision);
}

static bool add_given(struct answering *of, const struct given *given)
{
    const struct memory_attempt *attempt = given->first;
    char *content = arena_alloc(&of->rows->arena, 2 * (ptrdiff_t)sizeof attempt->content.bytes + 1);
    if (!content)
        return error_memory(of->error);
    hash_hex(content, attempt->content.bytes, (int)sizeof attempt->content.bytes);
    struct store_value cells[] = {
        store_value_text(attempt->question_id), store_value_text(content),
        store_value_text(attempt->revision),    store_value_text(attempt->response),
        store_value_integer(given->times),      store_value_text(memory_body(of->store, &attempt->content))
    };
    return memory_add_row(of, cells);
}

bool memory_responses(struct answering *of)
{
    const struct memory_store *store = of->store;
    ptrdiff_t count = 0;
    struct given *all = arena_alloc(&of->rows->arena, (store->attempt_count + 1) * (ptrdiff_t)sizeof *all);
    bool done = all || error_memory(of->error);
    for (ptrdiff_t i = 0; done && i < store->attempt_count; i++) {
        const struct memory_attempt *attempt = &store->attempts[i];
        ptrdiff_t at = 0;
        if (!attempt->response || strcmp(attempt->pack_id, of->parameters[0].data) != 0 ||
            !memory_counts(store, attempt))
            continue;
        while (at < count && !same(all[at].first, attempt))
            at++;
        if (at == count)
            all[count++].first = attempt;
        all[at].times++;
    }
    if (done && count)
        qsort(all, (size_t)count, sizeof *all, by_times);
    for (ptrdiff_t i = 0; done && i < count; i++)
        done = add_given(of, &all[i]);
    return done;
}
