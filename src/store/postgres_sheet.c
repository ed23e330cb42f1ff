/* Printed sheets: they are kept, and marked, with a store on the machine that prints them. */
#include "postgres_store.h"
#include "sheet_private.h"

#include <quiztutor/message.h>

static bool refuse(struct error *error)
{
    return error_set(error, ERROR_INPUT, "%s",
                     tr("the central store keeps no printed sheets: print and mark them with a store on this "
                        "machine"));
}

static bool keep(struct store *store, const struct sheet_source *source, const struct sheet_record *records,
                 int count, struct error *error)
{
    (void)store, (void)source, (void)records, (void)count;
    return refuse(error);
}

static int find(struct store *store, const char *id, const char *body, const struct uuid *learner,
                struct arena *arena, struct sheet_record *record, struct sheet_source *source,
                struct error *error)
{
    (void)store, (void)id, (void)body, (void)learner, (void)arena, (void)record, (void)source;
    return refuse(error) - 1;
}

static bool add_papers(struct store *store, const struct sheet_paper *papers, int count, struct error *error)
{
    (void)store, (void)papers, (void)count;
    return refuse(error);
}

const struct sheet_ops postgres_sheet_ops = { .keep = keep, .find = find, .add_papers = add_papers };
