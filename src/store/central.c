/* What talks to a central store, where this program has it. */
#include <quiztutor/central.h>

#include <quiztutor/message.h>

static const struct central_part *part;

void central_set(const struct central_part *set)
{
    part = set;
}

bool central_can(void)
{
    return part != NULL;
}

static bool (*stop_asked)(void);

void central_set_stop(bool (*asked)(void))
{
    stop_asked = asked;
}

bool central_stop_asked(void)
{
    return stop_asked && stop_asked();
}

static bool missing(struct error *error)
{
    return error_set(error, ERROR_NOT_FOUND,
                     tr("a central store needs %s, which this program was built without; quiztutor --version "
                        "names what it was built with"),
                     "libpq");
}

bool central_open(struct central **central, const char *address, struct error *error)
{
    *central = NULL;
    if (!part || !part->open)
        return missing(error);
    return central_address_check(address, error) && part->open(central, address, error);
}

void central_close(struct central *central)
{
    if (central)
        part->close(central);
}

bool central_init(const char *address, const struct central_setup *setup, struct error *error)
{
    if (!part || !part->init)
        return missing(error);
    return central_address_check(address, error) && part->init(address, setup, error);
}

bool central_send_begin(struct central *central, const struct uuid *store_id, struct error *error)
{
    return part->send_begin(central, store_id, error);
}

bool central_send_row(struct central *central, const struct outgoing_row *row, struct error *error)
{
    return part->send_row(central, row, error);
}

bool central_send_end(struct central *central, struct central_taken *taken, struct error *error)
{
    return part->send_end(central, taken, error);
}

bool central_pull(struct central *central, int64_t since, central_visit *visit, void *context,
                  struct error *error)
{
    return part->pull(central, since, visit, context, error);
}

bool central_set_pack(struct central *central, const char *pack, const struct hash *hash, struct error *error)
{
    return part->set_pack(central, pack, hash, error);
}

bool central_summaries(const char *address, int64_t *count, struct error *error)
{
    *count = 0;
    if (!part || !part->summaries)
        return missing(error);
    return central_address_check(address, error) && part->summaries(address, count, error);
}

bool central_store_open(struct store **store, const char *address, const struct store_options *options,
                        struct error *error)
{
    *store = NULL;
    if (!part || !part->store_open)
        return missing(error);
    return central_address_check(address, error) && part->store_open(store, address, options, error);
}
