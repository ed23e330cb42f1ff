/* `quiztutor sync --packs`: the packs of this machine are those that machines are to have. */
#include "file.h"
#include "sync.h"

#include <quiztutor/library.h>
#include <quiztutor/message.h>

#include <stdio.h>

enum { PACK_BYTES = 64 << 20 };

static bool want(struct central *central, const struct library_entry *entry, struct error *error)
{
    struct buffer bytes;
    struct hash hash;
    buffer_init(&bytes);
    bool done = file_read(&bytes, entry->path, PACK_BYTES, error);
    if (done) {
        hash_of(&hash, buffer_get(&bytes), bytes.length);
        done = central_set_pack(central, entry->pack->id, &hash, error);
    }
    buffer_finish(&bytes);
    return done;
}

bool sync_packs(const struct invocation *invocation, const char *address, struct error *error)
{
    struct library *library = NULL;
    struct central *central = NULL;
    const struct library_entry *entries;
    int count = 0, told = 0;
    bool done = command_library(invocation, &library, error) &&
                library_list(library, &entries, &count, error) && central_open(&central, address, error);
    for (int i = 0; done && i < count; i++) {
        if (!entries[i].pack || entries[i].shadowed_by)
            continue;
        done = want(central, &entries[i], error);
        told += done;
    }
    central_close(central);
    library_destroy(library);
    if (done)
        printf(ntr("machines are to have %d pack as it is here\n",
                   "machines are to have %d packs as they are here\n", told),
               told);
    return done;
}
