#include "store_file.h"

#include "reserve.h"

#include <errno.h>
#include <fcntl.h>
#include <quiztutor/central.h>
#include <quiztutor/message.h>
#include <quiztutor/text.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* SQLite's limit on a path, less the longest ending it adds; and how much of one a message shows. */
enum { LONGEST_PATH = 500, SHOWN = 200 };

char *store_file_shown(const char *path)
{
    struct buffer buffer;
    buffer_init(&buffer);
    ptrdiff_t length = (ptrdiff_t)strlen(path);
    if (length > SHOWN) {
        buffer_text(&buffer, "…");
        path += length - SHOWN;
        while ((*path & 0xc0) == 0x80)
            path++;
    }
    text_visible(&buffer, path, (ptrdiff_t)strlen(path));
    char *shown = buffer.failed ? NULL : memory_text(buffer_get(&buffer));
    buffer_finish(&buffer);
    return shown;
}

char *store_file_uri(struct arena *arena, const char *path)
{
    static const char before[] = "file://", after[] = "?immutable=1", hex[] = "0123456789abcdef";
    char *uri = arena_alloc(arena, (ptrdiff_t)(sizeof before + strlen(path) * 3 + sizeof after));
    if (!uri)
        return NULL;
    char *to = uri + strlen(strcpy(uri, before));
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;
        if (strchr("/-._", c) || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
            *to++ = (char)c;
        } else {
            *to++ = '%';
            *to++ = hex[c >> 4];
            *to++ = hex[c & 15];
        }
    }
    strcpy(to, after);
    return uri;
}

/* Whether there is such a file, and its size. */
static bool look_at(const char *path, const char *ending, off_t *size)
{
    char name[LONGEST_PATH + 32];
    struct stat status;
    if (strlen(path) + strlen(ending) >= sizeof name)
        return false;
    strcat(strcpy(name, path), ending);
    if (stat(name, &status) != 0)
        return false;
    *size = status.st_size;
    return true;
}

bool store_file_is_missing(const char *path, const char *ending)
{
    off_t size;
    return !look_at(path, ending, &size);
}

bool store_file_is_empty(const char *path, const char *ending)
{
    off_t size;
    return !look_at(path, ending, &size) || size == 0;
}

static bool refuse(struct error *error, int number, const char *path)
{
    char *shown = store_file_shown(path);
    enum error_code code = ERROR_IO;
    if (number == EACCES || number == EPERM || number == EROFS)
        code = ERROR_READ_ONLY;
    else if (number == ENOSPC || number == EDQUOT)
        code = ERROR_FULL;
    error_set(error, code, "%s: %s", shown ? shown : "?", strerror(number));
    memory_free(shown);
    return false;
}

/* `what` is a sentence about the file, translated. */
static bool refuse_as(struct error *error, enum error_code code, const char *path, const char *what)
{
    char *shown = store_file_shown(path);
    error_set(error, code, "%s: %s", shown ? shown : "?", what);
    memory_free(shown);
    return false;
}

/* A folder just made is only there after a crash when the one above it is on disk, too. */
static bool sync_above(char *folder)
{
    char *slash = strrchr(folder, '/');
    char kept = slash ? *slash : '\0';
    if (slash)
        *slash = '\0';
    int fd = open(!slash ? "." : *folder ? folder : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (slash)
        *slash = kept;
    bool done = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0)
        close(fd);
    return done;
}

/* Makes the folders above the file that are missing. */
static bool make_folders(const char *path, struct error *error)
{
    char *folder = memory_text(path);
    if (!folder)
        return error_memory(error);
    bool done = true;
    for (char *slash = *folder ? strchr(folder + 1, '/') : NULL; done && slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int number = mkdir(folder, 0700) == 0 ? 0 : errno;
        if (number == 0)
            sync_above(folder);
        else if (number != EEXIST && access(folder, X_OK) != 0)
            done = error_set(error, number == ENOSPC ? ERROR_FULL : ERROR_IO,
                             tr("the store's folder %s can't be made: %s; choose another file with --store"),
                             folder, strerror(number));
        *slash = '/';
    }
    memory_free(folder);
    return done;
}

static bool make_file(const char *path, bool existing_only, struct error *error)
{
    if (existing_only)
        return refuse_as(error, ERROR_NOT_FOUND, path, tr("there is no store here"));
    if (!make_folders(path, error))
        return false;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
    if (fd < 0)
        return refuse(error, errno, path);
    close(fd);
    return true;
}

static bool find_path(struct store_file *file, const char *path, struct error *error)
{
    char *real = realpath(path, NULL);
    if (!real)
        return refuse(error, errno, path);
    bool fits = strlen(real) <= LONGEST_PATH;
    file->path = fits ? memory_text(real) : NULL;
    free(real); /* by libc */
    if (!fits)
        return refuse_as(error, ERROR_IO, path, tr("this path is too long for a store"));
    return file->path || error_memory(error);
}

static bool judge_header(const struct store_file *file, bool existing_only, const char *vfs,
                         int known_version, struct error *error)
{
    int version = 0;
    enum header header = sqlite_header_read(file->path, vfs, &version, error);
    /* zeros: a store that was being made when the power went, which its journal takes back */
    if (header == HEADER_NONE && store_file_is_empty(file->path, "-journal"))
        header = HEADER_OTHER;
    switch (header) {
    case HEADER_EMPTY:
        if (existing_only)
            return refuse_as(error, ERROR_NOT_FOUND, file->path, tr("is empty: there is no store here"));
        return !file->read_only || refuse(error, EACCES, file->path);
    case HEADER_STORE:
        return version <= known_version ||
               refuse_as(error, ERROR_NEWER, file->path,
                         tr("made by a later release of quiztutor: left as it is"));
    case HEADER_OTHER:
        return refuse_as(error, ERROR_DAMAGED, file->path, tr("is not a quiztutor store: left as it is"));
    default:
        return header == HEADER_NONE;
    }
}

static int open_beside(const char *path, const char *ending)
{
    char name[LONGEST_PATH + 32];
    strcat(strcpy(name, path), ending);
    return open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

static bool open_lock(struct store_file *file, struct error *error)
{
    if (file->read_only)
        return true;
    file->lock_fd = open_beside(file->path, "-lock");
    if (file->lock_fd < 0 && errno == ENOSPC && reserve_free(file->path)) {
        file->lean = true;
        file->lock_fd = open_beside(file->path, "-lock");
    }
    if (file->lock_fd < 0 && (errno == EACCES || errno == EPERM || errno == EROFS))
        file->read_only = true;
    return file->lock_fd >= 0 || file->read_only || refuse(error, errno, file->path);
}

bool store_file_is_here(const char *path, struct error *error)
{
    struct buffer shown;
    if (!central_is_address(path))
        return true;
    buffer_init(&shown);
    central_address_say(&shown, path);
    error_set(error, ERROR_INPUT,
              tr("%s is a central store, which is for reports and the roster: this needs a store on this "
                 "machine, whose answers quiztutor sync sends there"),
              buffer_get(&shown));
    buffer_finish(&shown);
    return false;
}

bool store_file_find(struct store_file *file, const char *path, bool existing_only, const char *vfs,
                     int known_version, struct error *error)
{
    struct stat status;
    if (!store_file_is_here(path, error))
        return false;
    if (stat(path, &status) != 0) {
        if (errno != ENOENT)
            return refuse(error, errno, path);
        if (!make_file(path, existing_only, error))
            return false;
        if (stat(path, &status) != 0)
            return refuse(error, errno, path);
    }
    if (S_ISDIR(status.st_mode))
        return refuse_as(error, ERROR_DAMAGED, path, tr("is a folder, not a store"));
    if (!S_ISREG(status.st_mode))
        return refuse_as(error, ERROR_DAMAGED, path, tr("is not a file, so not a store"));
    if (status.st_size == 1) /* which SQLite takes for an empty one, and would write over */
        return refuse_as(error, ERROR_DAMAGED, path, tr("is not a quiztutor store: left as it is"));
    if (!find_path(file, path, error))
        return false;
    if (faccessat(AT_FDCWD, file->path, R_OK, AT_EACCESS) != 0)
        refuse(error, errno, path);
    else {
        file->read_only = file->read_only || faccessat(AT_FDCWD, file->path, W_OK, AT_EACCESS) != 0;
        if (judge_header(file, existing_only, vfs, known_version, error) && open_lock(file, error))
            return true;
    }
    memory_free(file->path);
    file->path = NULL;
    return false;
}
