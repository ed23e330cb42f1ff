/* Packs: those that the stores know, and what the library has of them. */
#include "build.h"
#include "places.h"

#include <quiztutor/message.h>

#include <string.h>

enum { PACKS_MOST = 100000 };

struct build_packs {
    struct places looked;      /* ids looked for in the library */
    const struct pack **found; /* NULL: not there */
    ptrdiff_t found_capacity;
    struct places known; /* ids in the stores */
    bool gathered;
};

static struct build_packs *packs_of(struct build *build)
{
    if (build->packs)
        return build->packs;
    build->packs = memory_zero(sizeof *build->packs);
    if (!build->packs) {
        build->failed = true;
        return NULL;
    }
    places_init(&build->packs->looked);
    places_init(&build->packs->known);
    return build->packs;
}

void build_packs_finish(struct build_packs *packs)
{
    if (!packs)
        return;
    places_finish(&packs->looked);
    places_finish(&packs->known);
    memory_free(packs->found);
    memory_free(packs);
}

/* Packs that do not load are as good as not there: a report is no place to tell what is wrong with them. */
static const struct pack *look(struct build *build, const char *id, const char **nearest)
{
    const struct pack **packs = NULL, *pack = NULL;
    ptrdiff_t count = 0, capacity = 0;
    struct diagnostics list;
    struct error error = { 0 };
    diagnostics_init(&list);
    if (library_find(build->library, id, &packs, &count, &capacity, &list, &error) && count == 1)
        pack = packs[0];
    else if (error.code == ERROR_NOT_FOUND && nearest)
        *nearest = build_copy(build, error.message);
    else if (error.code == ERROR_MEMORY)
        build->failed = true;
    diagnostics_finish(&list);
    memory_free(packs);
    return pack;
}

const struct pack *build_pack(struct build *build, const char *id)
{
    struct build_packs *packs = packs_of(build);
    bool fresh;
    if (!packs || !build->library || !id || !*id || strchr(id, '/'))
        return NULL;
    int place = places_add(&packs->looked, id, (ptrdiff_t)strlen(id), &fresh);
    if (place < 0 || !memory_grow(&packs->found, &packs->found_capacity, place + 1, sizeof *packs->found)) {
        build->failed = true;
        return NULL;
    }
    if (fresh) {
        const struct pack *pack = look(build, id, NULL);
        packs->found[place] = pack && strcmp(pack->id, id) == 0 ? pack : NULL;
    }
    return packs->found[place];
}

const char *build_pack_title(struct build *build, const char *id)
{
    const struct pack *pack = build_pack(build, id);
    return pack ? pack->title : id;
}

static bool gather_store(struct build *build, struct build_packs *packs, struct store *store)
{
    struct rows *rows;
    int found;
    if (!rows_open(&rows, store, QUERY_PACKS, NULL, 0, build->error))
        return false;
    while ((found = rows_step(rows, build->error)) > 0) {
        const char *id = rows_text(rows, 0);
        if (packs->known.count >= PACKS_MOST || !id)
            continue;
        if (places_add(&packs->known, id, (ptrdiff_t)strlen(id), NULL) < 0) {
            error_memory(build->error);
            found = -1;
            break;
        }
    }
    rows_close(rows);
    return found == 0;
}

static struct build_packs *gather(struct build *build)
{
    struct build_packs *packs = packs_of(build);
    if (!packs) {
        error_memory(build->error);
        return NULL;
    }
    for (int i = 0; !packs->gathered && i < build->store_count; i++)
        if (!gather_store(build, packs, build->stores[i]))
            return NULL;
    packs->gathered = true;
    return packs;
}

static bool unknown(struct build *build, struct build_packs *packs, const char *id, const char *said)
{
    const char **ids = memory_alloc((packs->known.count + 1) * (ptrdiff_t)sizeof *ids);
    if (!ids)
        return error_memory(build->error);
    for (int i = 0; i < packs->known.count; i++)
        ids[i] = packs->known.keys[i].bytes;
    const char *nearest = text_nearest(id, ids, packs->known.count);
    memory_free(ids);
    if (nearest)
        return error_set(build->error, ERROR_NOT_FOUND, tr("there is no pack \"%s\"; did you mean \"%s\"?"),
                         id, nearest);
    if (said)
        return error_set(build->error, ERROR_NOT_FOUND, "%s", said);
    return error_set(build->error, ERROR_NOT_FOUND, tr("there is no pack \"%s\""), id);
}

/* The id that a store or the library knows the pack by; NULL: neither does, and the error says so. */
static const char *find_pack(struct build *build, const char *id)
{
    struct build_packs *packs = gather(build);
    const char *said = NULL;
    if (!packs)
        return NULL;
    if (places_find(&packs->known, id, (ptrdiff_t)strlen(id)) >= 0 || build_pack(build, id))
        return id;
    /* by its path, perhaps */
    const struct pack *pack = build->library ? look(build, id, &said) : NULL;
    if (!pack)
        unknown(build, packs, id, said);
    return pack ? pack->id : NULL;
}

/* Of several each once; what is one pack after all is asked for as one. */
static bool find_several(struct build *build)
{
    struct report_filter *filter = build->own_filter;
    const char **found = build_room(build, filter->pack_count * (ptrdiff_t)sizeof *found);
    int count = 0;
    for (int i = 0; found && i < filter->pack_count; i++) {
        const char *id = find_pack(build, filter->packs[i]);
        bool twice = false;
        if (!id)
            return false;
        for (int k = 0; k < count; k++)
            twice = twice || strcmp(found[k], id) == 0;
        if (!twice)
            found[count++] = id;
    }
    if (!found)
        return error_memory(build->error);
    filter->packs = count > 1 ? found : NULL;
    filter->pack_count = count > 1 ? count : 0;
    filter->pack = count == 1 ? found[0] : NULL;
    return true;
}

bool build_find_packs(struct build *build)
{
    struct report_filter *filter = build->own_filter;
    if (filter->pack)
        return (filter->pack = find_pack(build, filter->pack)) != NULL;
    return filter->pack_count < 1 || find_several(build);
}

int build_pack_place(const struct build *build, const char *id)
{
    const struct report_filter *filter = build->filter;
    for (int i = 0; id && i < filter->pack_count; i++)
        if (strcmp(filter->packs[i], id) == 0)
            return i;
    return -1;
}

bool build_wants_pack(const struct build *build, const char *id)
{
    return build->filter->pack_count == 0 || build_pack_place(build, id) >= 0;
}

const char *build_packs_titles(struct build *build)
{
    const struct report_filter *filter = build->filter;
    const char *titles = filter->pack ? build_copy(build, build_pack_title(build, filter->pack)) : NULL;
    for (int i = 0; i < filter->pack_count; i++) {
        const char *title = build_pack_title(build, filter->packs[i]);
        titles = titles ? build_say(build, "%s, %s", titles, title) : build_copy(build, title);
    }
    return titles;
}

bool build_each_pack(struct build *build, bool (*visit)(struct build *build, void *context, const char *pack),
                     void *context)
{
    const struct report_filter *filter = build->filter;
    if (filter->pack)
        return visit(build, context, filter->pack);
    for (int i = 0; i < filter->pack_count; i++)
        if (!visit(build, context, filter->packs[i]))
            return false;
    if (filter->pack_count)
        return true;
    struct build_packs *packs = gather(build);
    for (int i = 0; packs && i < packs->known.count; i++)
        if (!visit(build, context, packs->known.keys[i].bytes))
            return false;
    return packs != NULL;
}
