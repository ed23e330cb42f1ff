#include "postgres_texts.h"

#include <string.h>

/* NULL, and true, where it is not known. */
static bool read_body(struct postgres_store *store, const struct hash *content, char **body,
                      struct error *error)
{
    static const char sql[] = "SELECT body FROM question_text WHERE school = $1 AND content = $2";
    struct postgres_rows rows = { 0 };
    struct postgres_values values = { 0 };
    postgres_put_integer(&values, store->school);
    postgres_put_bytes(&values, content->bytes, sizeof content->bytes);
    *body = NULL;
    int found =
        postgres_query(&rows, store->postgres, sql, &values, error) ? postgres_step(&rows, error) : -1;
    if (found > 0) {
        *body = memory_text(postgres_text(&rows, 0));
        found = *body ? 1 : error_memory(error) - 1;
    }
    postgres_rows_close(&rows);
    return found >= 0;
}

static int place_of(const struct hash *hash, int count)
{
    return (hash->bytes[0] | hash->bytes[1] << 8) % count;
}

static bool same(const struct hash *one, const struct hash *other)
{
    return memcmp(one, other, sizeof *one) == 0;
}

bool postgres_texts_guess(struct postgres_texts *texts, const struct hash *content, double *guess,
                          struct error *error)
{
    int place = place_of(content, TEXTS_GUESSES);
    if (!texts->guesses[place].known || !same(&texts->guesses[place].content, content)) {
        char *body;
        texts->guesses[place].known = false;
        if (!read_body(texts->store, content, &body, error))
            return false;
        bool done = fold_guess(body, &texts->guesses[place].guess) || error_memory(error);
        memory_free(body);
        if (!done)
            return false;
        texts->guesses[place].content = *content;
        texts->guesses[place].known = true;
    }
    *guess = texts->guesses[place].guess;
    return true;
}

static bool compare(struct postgres_store *store, const struct hash *old, const struct hash *now,
                    bool *overturned, struct error *error)
{
    char *old_body = NULL, *body = NULL;
    bool done = read_body(store, old, &old_body, error) && read_body(store, now, &body, error);
    *overturned = false;
    if (done && old_body && body)
        done = json_reader_overturned(&store->reader, old_body, body, overturned, error);
    memory_free(old_body);
    memory_free(body);
    return done;
}

bool postgres_texts_overturned(struct postgres_texts *texts, const struct hash *old, const struct hash *now,
                               bool *overturned, struct error *error)
{
    int place = (place_of(old, TEXTS_PAIRS) + 31 * place_of(now, TEXTS_PAIRS)) % TEXTS_PAIRS;
    if (!texts->pairs[place].known || !same(&texts->pairs[place].old, old) ||
        !same(&texts->pairs[place].now, now)) {
        texts->pairs[place].known = false;
        if (!compare(texts->store, old, now, &texts->pairs[place].overturned, error))
            return false;
        texts->pairs[place].old = *old;
        texts->pairs[place].now = *now;
        texts->pairs[place].known = true;
    }
    *overturned = texts->pairs[place].overturned;
    return true;
}
