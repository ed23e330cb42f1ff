#include "archive.h"

#include <quiztutor/memory.h>
#include <quiztutor/message.h>
#include <string.h>
#include <sys/stat.h>
#include <zip.h>

/* The first day that a zip archive can name, 1980-01-01: no archive depends on when it was made. */
enum { FIRST_DAY = 1 << 5 | 1, MODE = S_IFREG | 0644 };

struct archive_writer {
    struct arena arena; /* what the entries hold, until the archive is made */
    zip_source_t *source;
    zip_t *zip;
    int failure; /* of libzip, the first; 0: none */
};

struct archive_writer *archive_write_begin(void)
{
    struct archive_writer *writer = memory_zero((ptrdiff_t)sizeof *writer);
    if (!writer)
        return NULL;
    arena_init(&writer->arena);
    writer->source = zip_source_buffer_create(NULL, 0, 0, NULL);
    if (writer->source)
        writer->zip = zip_open_from_source(writer->source, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    if (writer->zip)
        zip_source_keep(writer->source); /* the archive is read back from it when the zip is closed */
    else
        writer->failure = ZIP_ER_MEMORY;
    return writer;
}

void archive_write_add(struct archive_writer *writer, const char *name, const char *bytes, ptrdiff_t length)
{
    if (!writer || writer->failure)
        return;
    char *copy = arena_alloc(&writer->arena, length + 1);
    zip_source_t *source = copy ? zip_source_buffer(writer->zip, copy, (zip_uint64_t)length, 0) : NULL;
    if (!source) {
        writer->failure = ZIP_ER_MEMORY;
        return;
    }
    memcpy(copy, bytes, (size_t)length);
    zip_int64_t entry = zip_file_add(writer->zip, name, source, ZIP_FL_ENC_UTF_8);
    if (entry < 0)
        zip_source_free(source);
    if (entry < 0 || zip_file_set_dostime(writer->zip, (zip_uint64_t)entry, 0, FIRST_DAY, 0) != 0 ||
        zip_set_file_compression(writer->zip, (zip_uint64_t)entry, ZIP_CM_DEFLATE, 9) != 0 ||
        zip_file_set_external_attributes(writer->zip, (zip_uint64_t)entry, 0, ZIP_OPSYS_UNIX,
                                         (zip_uint32_t)MODE << 16) != 0)
        writer->failure = zip_error_code_zip(zip_get_error(writer->zip));
}

static bool copy_out(zip_source_t *source, struct buffer *out)
{
    char chunk[4096];
    zip_int64_t got = -1;
    ptrdiff_t before = out->length;
    if (zip_source_open(source) == 0) {
        while ((got = zip_source_read(source, chunk, sizeof chunk)) > 0)
            buffer_add(out, chunk, (ptrdiff_t)got);
        zip_source_close(source);
    }
    if (got == 0 && !out->failed)
        return true;
    if (out->data) {
        out->length = before;
        out->data[before] = '\0';
    }
    return false;
}

static bool finish(struct archive_writer *writer, struct buffer *out, struct error *error)
{
    if (!writer->failure && zip_close(writer->zip) == 0)
        writer->zip = NULL;
    else if (!writer->failure)
        writer->failure = zip_error_code_zip(zip_get_error(writer->zip));
    if (writer->failure && writer->failure != ZIP_ER_MEMORY)
        return error_set(error, ERROR_INPUT, "%s",
                         writer->failure == ZIP_ER_EXISTS ? tr("two entries of the archive have one name")
                                                          : tr("the archive can't be made"));
    return (!writer->failure && copy_out(writer->source, out)) || error_memory(error);
}

bool archive_write_end(struct archive_writer *writer, struct buffer *out, struct error *error)
{
    if (!writer)
        return error_memory(error);
    bool done = finish(writer, out, error);
    if (writer->zip)
        zip_discard(writer->zip);
    zip_source_free(writer->source);
    arena_finish(&writer->arena);
    memory_free(writer);
    return done;
}
