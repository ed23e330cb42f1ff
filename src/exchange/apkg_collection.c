/*
 * Which of a package's databases is the true one. Anki writes up to three side by side, the older ones for
 * older programs; beside a collection.anki21b the collection.anki2 holds nothing but a note that asks for an
 * update. `meta` says which release's form it is.
 */
#include "apkg.h"

#include "archive.h"
#include "protobuf.h"

#include <quiztutor/message.h>
#include <string.h>
#ifdef WITH_ZSTD
#include <zstd.h>
#endif

enum { META_VERSION = 1, VERSION_OLDEST = 1, VERSION_LEGACY = 2, VERSION_ZSTD = 3, META_BYTES = 64 * 1024 };
enum { WINDOW_BITS = 27 }; /* of zstd: 128 MiB */

/* The package's version by its `meta`; 0 where it has none or says nothing. */
static bool read_version(struct archive *archive, uint64_t *version, struct error *error)
{
    int entry = archive_find(archive, "meta", false);
    struct buffer meta;
    struct protobuf message;
    *version = 0;
    if (entry < 0)
        return true;
    buffer_init(&meta);
    bool done = archive_read(archive, entry, META_BYTES, &meta, error);
    if (done) {
        protobuf_init(&message, buffer_get(&meta), meta.length);
        while (protobuf_next(&message))
            if (message.field == META_VERSION && !message.bytes)
                *version = message.value;
    }
    buffer_finish(&meta);
    return done;
}

#ifdef WITH_ZSTD
static bool expand_some(ZSTD_DCtx *context, ZSTD_inBuffer *in, struct buffer *out, bool *ended,
                        struct error *error)
{
    char chunk[64 * 1024];
    ZSTD_outBuffer piece = { .dst = chunk, .size = sizeof chunk };
    size_t left = ZSTD_decompressStream(context, &piece, in);
    if (ZSTD_isError(left))
        return error_set(error, ERROR_DAMAGED, "%s",
                         tr("collection.anki21b is damaged: it is not compressed as Anki does it"));
    *ended = left == 0 && in->pos == in->size;
    if (!*ended && in->pos == in->size && piece.pos < piece.size)
        return error_set(error, ERROR_DAMAGED, "%s", tr("collection.anki21b is damaged: it was cut short"));
    if (out->length + (ptrdiff_t)piece.pos > ARCHIVE_ENTRY)
        return error_set(error, ERROR_INPUT, tr("collection.anki21b expands to more than %d MiB"),
                         ARCHIVE_ENTRY / (1024 * 1024));
    buffer_add(out, chunk, (ptrdiff_t)piece.pos);
    if (out->length > ARCHIVE_SMALL && out->length / ARCHIVE_RATIO > (ptrdiff_t)in->size)
        return error_set(error, ERROR_INPUT, "%s",
                         tr("collection.anki21b expands to more than 200 times its size"));
    return !out->failed || error_memory(error);
}

static bool expand(const struct buffer *packed, struct buffer *out, struct error *error)
{
    ZSTD_DCtx *context = ZSTD_createDCtx();
    ZSTD_inBuffer in = { .src = buffer_get(packed), .size = (size_t)packed->length };
    bool done = context && !ZSTD_isError(ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, WINDOW_BITS)),
         ended = false;
    if (!done)
        error_memory(error);
    while (done && !ended)
        done = expand_some(context, &in, out, &ended, error);
    ZSTD_freeDCtx(context);
    return done;
}
#else
static bool expand(const struct buffer *packed, struct buffer *out, struct error *error)
{
    (void)packed, (void)out;
    return error_set(error, ERROR_INPUT, "%s",
                     tr("this build has no zstd, which newer packages of Anki need; in Anki, export with "
                        "\"Support older Anki versions\""));
}
#endif

static bool read_packed(struct archive *archive, int entry, struct buffer *out, struct error *error)
{
    struct buffer packed;
    buffer_init(&packed);
    bool done = archive_read(archive, entry, 0, &packed, error) && expand(&packed, out, error);
    buffer_finish(&packed);
    return done;
}

static bool read_true_one(struct archive *archive, struct buffer *out, struct error *error)
{
    uint64_t version;
    if (!read_version(archive, &version, error))
        return false;
    int newest = archive_find(archive, "collection.anki21b", false);
    int newer = archive_find(archive, "collection.anki21", false);
    int oldest = archive_find(archive, "collection.anki2", false);
    if (version > VERSION_ZSTD)
        return error_set(
            error, ERROR_NEWER,
            tr("the package is in form %llu of a newer Anki; in Anki, export with \"Support older "
               "Anki versions\""),
            (unsigned long long)version);
    if (newest >= 0 && (version == 0 || version == VERSION_ZSTD))
        return read_packed(archive, newest, out, error);
    if (version == VERSION_ZSTD)
        return error_set(
            error, ERROR_DAMAGED, "%s",
            tr("the package is damaged: its collection.anki21b is missing, and what stands beside "
               "it holds no notes"));
    if (newer >= 0 && version != VERSION_OLDEST)
        return archive_read(archive, newer, 0, out, error);
    if (oldest >= 0)
        return archive_read(archive, oldest, 0, out, error);
    if (newer >= 0)
        return archive_read(archive, newer, 0, out, error);
    return error_set(error, ERROR_INPUT, "%s",
                     tr("it is no package of Anki: there is no collection.anki2 in it"));
}

bool apkg_collection(const char *bytes, ptrdiff_t length, struct buffer *out, struct error *error)
{
    struct archive *archive = archive_open(bytes, length, error);
    bool done = archive && read_true_one(archive, out, error);
    archive_close(archive);
    return done;
}
