#include "archive.h"

#include "names.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>
#include <string.h>
#include <sys/stat.h>
#include <zip.h>

enum { CHUNK = 64 * 1024 };

struct archive {
    zip_t *zip;
    struct arena arena; /* the names */
    const char **entries;
    struct names names;  /* entries by name */
    struct names folded; /* and by name in lower case, once one is looked for so; `count`: it names several */
    ptrdiff_t length;    /* of the archive */
    ptrdiff_t left;      /* bytes that may still be read of it */
    int count;
};

/* An entry's name for a message: short, and without what could drive a terminal. */
struct shown {
    char name[161];
};

static struct shown show(const char *name)
{
    struct shown shown;
    struct buffer visible;
    buffer_init(&visible);
    text_visible(&visible, name, (ptrdiff_t)strnlen(name, ARCHIVE_NAME));
    ptrdiff_t end = visible.length, room = (ptrdiff_t)sizeof shown.name - 1;
    if (end > room)
        for (end = room - 3; end > 0 && ((unsigned char)visible.data[end] & 0xc0) == 0x80;)
            end--;
    memcpy(shown.name, buffer_get(&visible), (size_t)end);
    shown.name[end] = '\0';
    if (end < visible.length)
        strcat(shown.name, "…");
    buffer_finish(&visible);
    return shown;
}

static bool has_parent(const char *name)
{
    for (const char *at = name; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (at[0] == '.' && at[1] == '.' && (at[2] == '/' || !at[2]))
            return true;
    }
    return false;
}

static bool check_name(const char *name, struct error *error)
{
    if (!*name)
        return error_set(error, ERROR_INPUT, "%s", tr("an entry of the archive has no name"));
    if (strlen(name) > ARCHIVE_NAME)
        return error_set(error, ERROR_INPUT,
                         tr("the name of the archive's entry \"%s\" is longer than 1,000 bytes"),
                         show(name).name);
    if (name[0] == '/')
        return error_set(error, ERROR_INPUT,
                         tr("the archive's entry \"%s\" has an absolute name, outside the archive's folder"),
                         show(name).name);
    if (strchr(name, '\\'))
        return error_set(error, ERROR_INPUT,
                         tr("the name of the archive's entry \"%s\" has a backslash; pack it anew with /"),
                         show(name).name);
    if (((name[0] | 0x20) >= 'a' && (name[0] | 0x20) <= 'z') && name[1] == ':')
        return error_set(error, ERROR_INPUT,
                         tr("the archive's entry \"%s\" names a drive, outside the archive's folder"),
                         show(name).name);
    return !has_parent(name) ||
           error_set(error, ERROR_INPUT, tr("the archive's entry \"%s\" lies outside the archive's folder"),
                     show(name).name);
}

/* Links and devices, by the mode that Unix keeps in an entry. */
static bool check_kind(zip_t *zip, zip_uint64_t entry, const char *name, struct error *error)
{
    zip_uint8_t system;
    zip_uint32_t attributes;
    if (zip_file_get_external_attributes(zip, entry, 0, &system, &attributes) != 0)
        return true;
    zip_uint32_t kind = (attributes >> 16) & S_IFMT;
    if (kind == S_IFLNK)
        return error_set(error, ERROR_INPUT, tr("the archive's entry \"%s\" is a link"), show(name).name);
    return kind == 0 || kind == S_IFREG || kind == S_IFDIR ||
           (system != ZIP_OPSYS_UNIX && system != ZIP_OPSYS_OS_X) ||
           error_set(error, ERROR_INPUT, tr("the archive's entry \"%s\" is neither a file nor a folder"),
                     show(name).name);
}

static bool is_bomb(zip_uint64_t size, zip_uint64_t packed)
{
    return size > ARCHIVE_SMALL && size / ARCHIVE_RATIO > packed;
}

static bool refuse_bomb(const char *name, struct error *error)
{
    return error_set(error, ERROR_INPUT,
                     tr("the archive's entry \"%s\" expands to more than 200 times its size"),
                     show(name).name);
}

static bool refuse_size(const char *name, ptrdiff_t limit, struct error *error)
{
    return error_set(error, ERROR_INPUT, tr("the archive's entry \"%s\" expands to more than %td MiB"),
                     show(name).name, limit / (1024 * 1024));
}

/* What the archive says of an entry; it is believed only where it refuses. */
static bool check_size(const zip_stat_t *status, ptrdiff_t *total, const char *name, struct error *error)
{
    if ((status->valid & ZIP_STAT_ENCRYPTION_METHOD) && status->encryption_method != ZIP_EM_NONE)
        return error_set(error, ERROR_INPUT,
                         tr("the archive's entry \"%s\" is encrypted; pack it without a password"),
                         show(name).name);
    if (!(status->valid & ZIP_STAT_SIZE))
        return true;
    if (status->size > ARCHIVE_ENTRY)
        return refuse_size(name, ARCHIVE_ENTRY, error);
    if ((status->valid & ZIP_STAT_COMP_SIZE) && is_bomb(status->size, status->comp_size))
        return refuse_bomb(name, error);
    *total += (ptrdiff_t)status->size;
    return *total <= ARCHIVE_TOTAL ||
           error_set(error, ERROR_INPUT,
                     tr("the archive expands to more than %d MiB, beginning with its entry \"%s\""),
                     ARCHIVE_TOTAL / (1024 * 1024), show(name).name);
}

static bool look_over(struct archive *archive, struct error *error)
{
    ptrdiff_t total = 0;
    for (int i = 0; i < archive->count; i++) {
        zip_stat_t status;
        if (zip_stat_index(archive->zip, (zip_uint64_t)i, 0, &status) != 0 || !(status.valid & ZIP_STAT_NAME))
            return error_set(error, ERROR_DAMAGED, tr("the archive is damaged: its entry %d can't be found"),
                             i + 1);
        const char *name = status.name;
        while (name[0] == '.' && name[1] == '/')
            name += 2;
        if (!check_name(name, error) || !check_kind(archive->zip, (zip_uint64_t)i, name, error) ||
            !check_size(&status, &total, name, error))
            return false;
        archive->entries[i] = arena_text(&archive->arena, name, (ptrdiff_t)strlen(name));
        if (!archive->entries[i])
            return error_memory(error);
        if (names_find(&archive->names, name) >= 0)
            return error_set(error, ERROR_INPUT, tr("the archive has two entries named \"%s\""),
                             show(name).name);
        if (!names_add(&archive->names, archive->entries[i], i))
            return error_memory(error);
    }
    return true;
}

/* More heads of entries in the bytes than an archive may have: told before a table of them is made. */
static bool check_count(const char *bytes, ptrdiff_t length, struct error *error)
{
    static const char head[] = { 'P', 'K', 1, 2 };
    const char *end = bytes + length, *at = bytes;
    for (int heads = 0; (at = memmem(at, (size_t)(end - at), head, sizeof head)) != NULL; at += sizeof head)
        if (++heads > ARCHIVE_ENTRIES)
            return error_set(error, ERROR_INPUT, tr("the archive has more than %d entries"), ARCHIVE_ENTRIES);
    return true;
}

static bool open_zip(struct archive *archive, const char *bytes, struct error *error)
{
    zip_error_t failure;
    zip_error_init(&failure);
    /* libzip takes no bytes at all for an archive without entries */
    zip_source_t *source =
        archive->length ? zip_source_buffer_create(bytes, (zip_uint64_t)archive->length, 0, &failure) : NULL;
    archive->zip = source ? zip_open_from_source(source, ZIP_RDONLY, &failure) : NULL;
    int code = zip_error_code_zip(&failure);
    zip_error_fini(&failure);
    if (archive->zip)
        return true;
    zip_source_free(source);
    if (code == ZIP_ER_MEMORY)
        return error_memory(error);
    if (code == ZIP_ER_NOZIP || !archive->length)
        return error_set(
            error, ERROR_DAMAGED, "%s",
            tr("it is no zip archive, or one that was cut short: the list at its end is missing"));
    return error_set(error, ERROR_DAMAGED, "%s", tr("the archive is damaged: its list of entries is broken"));
}

struct archive *archive_open(const char *bytes, ptrdiff_t length, struct error *error)
{
    struct archive *archive = memory_zero((ptrdiff_t)sizeof *archive);
    if (!archive) {
        error_memory(error);
        return NULL;
    }
    arena_init(&archive->arena);
    names_init(&archive->names);
    names_init(&archive->folded);
    archive->length = length;
    archive->left = ARCHIVE_TOTAL;
    if (!check_count(bytes, length, error) || !open_zip(archive, bytes, error))
        goto failed;
    zip_int64_t count = zip_get_num_entries(archive->zip, 0);
    if (count > ARCHIVE_ENTRIES) {
        error_set(error, ERROR_INPUT, tr("the archive has more than %d entries"), ARCHIVE_ENTRIES);
        goto failed;
    }
    archive->count = (int)count;
    archive->entries = memory_zero((ptrdiff_t)sizeof *archive->entries * archive->count);
    if (!archive->entries)
        error_memory(error);
    else if (look_over(archive, error))
        return archive;
failed:
    archive_close(archive);
    return NULL;
}

void archive_close(struct archive *archive)
{
    if (!archive)
        return;
    if (archive->zip)
        zip_discard(archive->zip);
    names_finish(&archive->names);
    names_finish(&archive->folded);
    memory_free(archive->entries);
    arena_finish(&archive->arena);
    memory_free(archive);
}

int archive_count(const struct archive *archive)
{
    return archive->count;
}

const char *archive_name(const struct archive *archive, int entry)
{
    return archive->entries[entry];
}

/* The name in lower case (ASCII), in the arena; NULL without memory. */
static const char *fold(struct archive *archive, const char *name)
{
    char *folded = arena_text(&archive->arena, name, (ptrdiff_t)strlen(name));
    for (char *c = folded; c && *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    return folded;
}

static bool fold_all(struct archive *archive)
{
    for (int i = 0; i < archive->count; i++) {
        const char *name = fold(archive, archive->entries[i]);
        if (!name)
            return false;
        if (names_find(&archive->folded, name) >= 0)
            names_set(&archive->folded, name, archive->count);
        else if (!names_add(&archive->folded, name, i))
            return false;
    }
    return true;
}

int archive_find(struct archive *archive, const char *name, bool loosely)
{
    int found = names_find(&archive->names, name);
    if (found >= 0 || !loosely || (!archive->folded.count && !fold_all(archive)))
        return found;
    const char *folded = fold(archive, name);
    found = folded ? names_find(&archive->folded, folded) : -1;
    return found < archive->count ? found : -1;
}

static bool tell_damage(int code, const char *name, struct error *error)
{
    if (code == ZIP_ER_MEMORY)
        return error_memory(error);
    if (code == ZIP_ER_CRC)
        return error_set(error, ERROR_DAMAGED,
                         tr("the archive's entry \"%s\" is damaged: its checksum does not fit"),
                         show(name).name);
    if (code == ZIP_ER_COMPNOTSUPP)
        return error_set(
            error, ERROR_DAMAGED,
            tr("the archive's entry \"%s\" is compressed in a way that is not known here; pack it "
               "anew as an ordinary zip"),
            show(name).name);
    return error_set(error, ERROR_DAMAGED, tr("the archive's entry \"%s\" is damaged or cut short"),
                     show(name).name);
}

static bool read_file(struct archive *archive, zip_file_t *file, zip_uint64_t packed, const char *name,
                      ptrdiff_t limit, struct buffer *out, struct error *error)
{
    char chunk[CHUNK];
    ptrdiff_t size = 0;
    zip_int64_t got;
    while ((got = zip_fread(file, chunk, sizeof chunk)) > 0) {
        size += (ptrdiff_t)got;
        if (size > limit)
            return refuse_size(name, limit, error);
        if (is_bomb((zip_uint64_t)size, packed))
            return refuse_bomb(name, error);
        if (got > archive->left)
            return error_set(error, ERROR_INPUT, tr("the archive expands to more than %d MiB"),
                             ARCHIVE_TOTAL / (1024 * 1024));
        archive->left -= (ptrdiff_t)got;
        buffer_add(out, chunk, (ptrdiff_t)got);
        if (out->failed)
            return error_memory(error);
    }
    return got == 0 || tell_damage(zip_error_code_zip(zip_file_get_error(file)), name, error);
}

bool archive_read(struct archive *archive, int entry, ptrdiff_t limit, struct buffer *out,
                  struct error *error)
{
    const char *name = archive->entries[entry];
    zip_stat_t status;
    zip_uint64_t packed = (zip_uint64_t)archive->length;
    ptrdiff_t before = out->length;
    if (limit <= 0 || limit > ARCHIVE_ENTRY)
        limit = ARCHIVE_ENTRY;
    if (zip_stat_index(archive->zip, (zip_uint64_t)entry, 0, &status) == 0 &&
        (status.valid & ZIP_STAT_COMP_SIZE) && status.comp_size < packed)
        packed = status.comp_size;
    zip_file_t *file = zip_fopen_index(archive->zip, (zip_uint64_t)entry, 0);
    if (!file)
        return tell_damage(zip_error_code_zip(zip_get_error(archive->zip)), name, error);
    bool done = read_file(archive, file, packed, name, limit, out, error);
    zip_fclose(file);
    if (!done && out->data) {
        out->length = before;
        out->data[before] = '\0';
    }
    return done;
}
