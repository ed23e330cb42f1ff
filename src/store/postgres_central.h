/*
 * A machine's connection to a central store: sending rows, and pulling what changed. What each function does
 * stands in central.h.
 */
#ifndef QUIZTUTOR_STORE_POSTGRES_CENTRAL_H
#define QUIZTUTOR_STORE_POSTGRES_CENTRAL_H

#include "postgres_connection.h"

#include <quiztutor/central.h>

struct central {
    struct postgres *postgres;
    struct uuid batch, store_id;
    struct buffer rows; /* encoded, not yet given to libpq */
    int32_t place;      /* of the newest row in the batch */
};

bool postgres_central_open(struct central **central, const char *address, struct error *error);
void postgres_central_close(struct central *central);
bool postgres_send_begin(struct central *central, const struct uuid *store_id, struct error *error);
bool postgres_send_row(struct central *central, const struct outgoing_row *row, struct error *error);
bool postgres_send_end(struct central *central, struct central_taken *taken, struct error *error);
bool postgres_pull(struct central *central, int64_t since, central_visit *visit, void *context,
                   struct error *error);
bool postgres_set_pack(struct central *central, const char *pack, const struct hash *hash,
                       struct error *error);

#endif
