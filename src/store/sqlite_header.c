#include "sqlite_store.h"
#include "store_file.h"

#include <string.h>

enum { HEADER_BYTES = 100, VERSION_AT = 60, APPLICATION_AT = 68 };

static int64_t big_endian(const unsigned char *bytes)
{
    return (int64_t)bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
}

static enum header judge(const unsigned char *bytes, int *version)
{
    static const unsigned char nothing[16];
    if (memcmp(bytes, nothing, sizeof nothing) == 0)
        return HEADER_NONE;
    if (memcmp(bytes, "SQLite format 3", 16) != 0)
        return HEADER_OTHER;
    int64_t number = big_endian(bytes + VERSION_AT);
    *version = number > INT32_MAX ? INT32_MAX : (int)number;
    return big_endian(bytes + APPLICATION_AT) == SCHEMA_APPLICATION ? HEADER_STORE : HEADER_OTHER;
}

static enum header read_header(sqlite3_file *file, int *version, int *result)
{
    unsigned char bytes[HEADER_BYTES] = { 0 };
    sqlite3_int64 size = 0;
    *result = file->pMethods->xFileSize(file, &size);
    if (*result != SQLITE_OK)
        return HEADER_FAILED;
    if (size == 0)
        return HEADER_EMPTY;
    if (size < HEADER_BYTES)
        return HEADER_OTHER;
    *result = file->pMethods->xRead(file, bytes, sizeof bytes, 0);
    return *result == SQLITE_OK ? judge(bytes, version) : HEADER_FAILED;
}

enum header sqlite_header_read(const char *path, const char *vfs_name, int *version, struct error *error)
{
    enum header header = HEADER_FAILED;
    sqlite3_vfs *vfs = sqlite3_initialize() == SQLITE_OK ? sqlite3_vfs_find(vfs_name) : NULL;
    sqlite3_file *file = vfs ? memory_zero(vfs->szOsFile) : NULL;
    sqlite3_filename name = file ? sqlite3_create_filename(path, "", "", 0, NULL) : NULL;
    if (!name) {
        error_memory(error);
        memory_free(file);
        return header;
    }
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
    int result = vfs->xOpen(vfs, name, file, flags, &flags);
    if (result == SQLITE_OK)
        header = read_header(file, version, &result);
    if (file->pMethods)
        file->pMethods->xClose(file);
    sqlite3_free_filename(name);
    memory_free(file);
    if (header == HEADER_FAILED) {
        struct sqlite_store none = { .shown = store_file_shown(path) };
        sqlite_error(&none, result, error);
        memory_free(none.shown);
    }
    return header;
}
