/* The central store in PostgreSQL, for the second program; nothing where it was built without libpq. */
#include <quiztutor/central.h>

#ifdef WITH_POSTGRESQL
#include "postgres_central.h"
#include "postgres_init.h"
#include "postgres_store.h"

/* Each member is a function of its own file. */
static const struct central_part postgres = {
    .open = postgres_central_open,
    .close = postgres_central_close,
    .init = postgres_init,
    .send_begin = postgres_send_begin,
    .send_row = postgres_send_row,
    .send_end = postgres_send_end,
    .pull = postgres_pull,
    .set_pack = postgres_set_pack,
    .store_open = postgres_store_open,
    .summaries = postgres_summaries,
};
#endif

void central_add_postgres(void)
{
#ifdef WITH_POSTGRESQL
    central_set(&postgres);
#endif
}
