/* What changed at a central store: its roster, PINs, packs and erasures, as the server's pull() tells them.
 */
#include "postgres_central.h"

#include <quiztutor/message.h>
#include <string.h>

static const char *const kinds[] = {
    [CENTRAL_SERVER] = "server", [CENTRAL_LEARNER] = "learner", [CENTRAL_MERGED] = "merged",
    [CENTRAL_PIN] = "pin",       [CENTRAL_PACK] = "pack",       [CENTRAL_ERASED] = "erased",
};

/* A kind that this release does not know is of a later protocol: passed over. */
static bool read_kind(const char *word, enum central_kind *kind)
{
    for (size_t i = 0; word && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i], word) == 0) {
            *kind = (enum central_kind)i;
            return true;
        }
    return false;
}

static bool visit_rows(struct postgres_rows *rows, central_visit *visit, void *context, struct error *error)
{
    int step;
    while ((step = postgres_step(rows, error)) > 0) {
        struct central_item item = { .version = postgres_integer(rows, 0), .body = postgres_text(rows, 3) };
        if (!read_kind(postgres_text(rows, 1), &item.kind))
            continue;
        postgres_uuid(rows, 2, &item.id);
        item.body = item.body ? item.body : "{}";
        if (!visit(context, &item, error))
            return false;
    }
    return step == 0;
}

/* Whether the role is there for something else, which is told in words of this program. */
static bool is_refused(const struct postgres *postgres)
{
    return strcmp(postgres->state, "42501") == 0 || strcmp(postgres->state, "QT002") == 0;
}

bool postgres_pull(struct central *central, int64_t since, central_visit *visit, void *context,
                   struct error *error)
{
    struct postgres_values values = { 0 };
    struct postgres_rows rows = { 0 };
    postgres_put_integer(&values, since);
    postgres_put_integer(&values, CENTRAL_PROTOCOL);
    bool done =
        postgres_exec(central->postgres, "BEGIN", error) &&
        postgres_cursor(&rows, central->postgres, "SELECT version, kind, id, body FROM pull($1, $2::integer)",
                        &values, error) &&
        visit_rows(&rows, visit, context, error);
    if (!done && is_refused(central->postgres))
        error_set(error, ERROR_INPUT,
                  tr("the role of %s is no machine's there: its owner names it by sync --init --school NAME "
                     "--machine ROLE"),
                  central->postgres->shown);
    postgres_rows_close(&rows);
    return done && postgres_exec(central->postgres, "COMMIT", error);
}

bool postgres_set_pack(struct central *central, const char *pack, const struct hash *hash,
                       struct error *error)
{
    struct postgres_values values = { 0 };
    postgres_put_text(&values, pack);
    postgres_put_bytes(&values, hash ? hash->bytes : NULL, hash ? sizeof hash->bytes : 0);
    if (postgres_run(central->postgres, "SELECT set_pack($1, $2)", &values, NULL, error))
        return true;
    if (is_refused(central->postgres))
        error_set(error, ERROR_INPUT,
                  tr("the role of %s is no tutor's there: its owner names it by sync --init --school NAME "
                     "--tutor ROLE"),
                  central->postgres->shown);
    return false;
}
