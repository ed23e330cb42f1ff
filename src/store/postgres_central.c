/* A machine's connection to a central store. */
#include "postgres_central.h"

#include <quiztutor/memory.h>

enum { STATEMENT_S = 120 }; /* a batch of 10,000 rows takes less than one */

bool postgres_central_open(struct central **out, const char *address, struct error *error)
{
    struct postgres_options options = { .statement_s = STATEMENT_S };
    *out = NULL;
    struct central *central = memory_zero(sizeof *central);
    if (!central)
        return error_memory(error);
    if (!postgres_open(&central->postgres, address, &options, error)) {
        memory_free(central);
        return false;
    }
    buffer_init(&central->rows);
    *out = central;
    return true;
}

void postgres_central_close(struct central *central)
{
    postgres_close(central->postgres);
    buffer_finish(&central->rows);
    memory_free(central);
}
