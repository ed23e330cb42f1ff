#include "fault_vfs.h"

#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

struct fault_file {
    sqlite3_file base;
    sqlite3_file *real; /* right behind this struct */
};

static sqlite3_vfs *real_vfs, fault_vfs;
static sqlite3_io_methods methods;
static int fault_kinds, fault_number;
static long fault_left;
static bool fault_lasting, fault_hit, fault_kills;

void fault_vfs_set(int kinds, long n, bool lasting, int number)
{
    fault_kinds = kinds;
    fault_left = n;
    fault_lasting = lasting;
    fault_number = number;
    fault_hit = false;
    fault_kills = false;
}

void fault_vfs_kill(int kinds, long n)
{
    fault_vfs_set(kinds, n, true, EIO);
    fault_kills = true;
}

void fault_vfs_clear(void)
{
    fault_kinds = 0;
}

bool fault_vfs_hit(void)
{
    return fault_hit;
}

/* Whether this call is to fail. */
static bool fails(enum fault_kind kind)
{
    if (!(fault_kinds & (int)kind))
        return false;
    if (fault_left > 0)
        fault_left--;
    if (fault_left > 0 || (fault_hit && !fault_lasting))
        return false;
    fault_hit = true;
    if (fault_kills)
        kill(getpid(), SIGKILL);
    errno = fault_number;
    return true;
}

/* As SQLite's own layer answers: a full disk has a result of its own only when writing. */
static int result_of(int otherwise)
{
    return fault_number == ENOSPC && otherwise == SQLITE_IOERR_WRITE ? SQLITE_FULL : otherwise;
}

static sqlite3_file *real_of(sqlite3_file *file)
{
    return ((struct fault_file *)file)->real;
}

static int f_close(sqlite3_file *file)
{
    return real_of(file)->pMethods->xClose(real_of(file));
}

static int f_read(sqlite3_file *file, void *to, int count, sqlite3_int64 at)
{
    if (fails(FAULT_READ))
        return SQLITE_IOERR_READ;
    return real_of(file)->pMethods->xRead(real_of(file), to, count, at);
}

/* A write that fails has written half, as on a disk that is full in the middle of it. */
static int f_write(sqlite3_file *file, const void *from, int count, sqlite3_int64 at)
{
    if (fails(FAULT_WRITE)) {
        real_of(file)->pMethods->xWrite(real_of(file), from, count / 2, at);
        errno = fault_number;
        return result_of(SQLITE_IOERR_WRITE);
    }
    return real_of(file)->pMethods->xWrite(real_of(file), from, count, at);
}

static int f_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    if (fails(FAULT_TRUNCATE))
        return SQLITE_IOERR_TRUNCATE;
    return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

static int f_sync(sqlite3_file *file, int flags)
{
    if (fails(FAULT_SYNC))
        return SQLITE_IOERR_FSYNC;
    return real_of(file)->pMethods->xSync(real_of(file), flags);
}

static int f_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int f_lock(sqlite3_file *file, int lock)
{
    return real_of(file)->pMethods->xLock(real_of(file), lock);
}

static int f_unlock(sqlite3_file *file, int lock)
{
    return real_of(file)->pMethods->xUnlock(real_of(file), lock);
}

static int f_check_lock(sqlite3_file *file, int *result)
{
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), result);
}

static int f_control(sqlite3_file *file, int what, void *argument)
{
    return real_of(file)->pMethods->xFileControl(real_of(file), what, argument);
}

static int f_sector(sqlite3_file *file)
{
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int f_device(sqlite3_file *file)
{
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static int f_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **to)
{
    if (extend && fails(FAULT_SHM)) {
        *to = NULL;
        return SQLITE_IOERR_SHMSIZE;
    }
    return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, to);
}

static int f_shm_lock(sqlite3_file *file, int offset, int count, int flags)
{
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}

static void f_shm_barrier(sqlite3_file *file)
{
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int f_shm_unmap(sqlite3_file *file, int gone)
{
    return real_of(file)->pMethods->xShmUnmap(real_of(file), gone);
}

static int v_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *base, int flags, int *out_flags)
{
    struct fault_file *file = (struct fault_file *)base;
    (void)vfs;
    file->base.pMethods = NULL;
    file->real = (sqlite3_file *)(file + 1);
    if (fails(FAULT_OPEN))
        return SQLITE_CANTOPEN;
    int result = real_vfs->xOpen(real_vfs, name, file->real, flags, out_flags);
    if (file->real->pMethods)
        file->base.pMethods = &methods;
    return result;
}

static int v_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    (void)vfs;
    if (fails(FAULT_DELETE))
        return SQLITE_IOERR_DELETE;
    return real_vfs->xDelete(real_vfs, name, sync);
}

void fault_vfs_start(void)
{
    static const sqlite3_io_methods own = { 2,           f_close,      f_read,     f_write,
                                            f_truncate,  f_sync,       f_size,     f_lock,
                                            f_unlock,    f_check_lock, f_control,  f_sector,
                                            f_device,    f_shm_map,    f_shm_lock, f_shm_barrier,
                                            f_shm_unmap, NULL,         NULL };
    real_vfs = sqlite3_vfs_find(NULL);
    methods = own;
    fault_vfs = *real_vfs; /* what is not replaced here works on names, not on files of ours */
    fault_vfs.pNext = NULL;
    fault_vfs.zName = "fault";
    fault_vfs.szOsFile = (int)sizeof(struct fault_file) + real_vfs->szOsFile;
    fault_vfs.xOpen = v_open;
    fault_vfs.xDelete = v_delete;
    sqlite3_vfs_register(&fault_vfs, 0);
}
