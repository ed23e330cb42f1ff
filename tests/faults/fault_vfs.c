#include "fault_vfs.h"

#include "pass_vfs.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

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

static int f_read(sqlite3_file *file, void *to, int count, sqlite3_int64 at)
{
    if (fails(FAULT_READ))
        return SQLITE_IOERR_READ;
    return pass_real(file)->pMethods->xRead(pass_real(file), to, count, at);
}

/* A write that fails has written half, as on a disk that is full in the middle of it. */
static int f_write(sqlite3_file *file, const void *from, int count, sqlite3_int64 at)
{
    if (fails(FAULT_WRITE)) {
        pass_real(file)->pMethods->xWrite(pass_real(file), from, count / 2, at);
        errno = fault_number;
        return result_of(SQLITE_IOERR_WRITE);
    }
    return pass_real(file)->pMethods->xWrite(pass_real(file), from, count, at);
}

static int f_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    if (fails(FAULT_TRUNCATE))
        return SQLITE_IOERR_TRUNCATE;
    return pass_real(file)->pMethods->xTruncate(pass_real(file), size);
}

static int f_sync(sqlite3_file *file, int flags)
{
    if (fails(FAULT_SYNC))
        return SQLITE_IOERR_FSYNC;
    return pass_real(file)->pMethods->xSync(pass_real(file), flags);
}

static int f_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **to)
{
    if (extend && fails(FAULT_SHM)) {
        *to = NULL;
        return SQLITE_IOERR_SHMSIZE;
    }
    return pass_real(file)->pMethods->xShmMap(pass_real(file), page, size, extend, to);
}

static int v_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *base, int flags, int *out_flags)
{
    (void)vfs;
    base->pMethods = NULL;
    if (fails(FAULT_OPEN))
        return SQLITE_CANTOPEN;
    return pass_open(real_vfs, (struct pass_file *)base, (int)sizeof(struct pass_file), &methods, name, flags,
                     out_flags);
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
    methods = pass_methods;
    methods.xRead = f_read;
    methods.xWrite = f_write;
    methods.xTruncate = f_truncate;
    methods.xSync = f_sync;
    methods.xShmMap = f_shm_map;
    fault_vfs.xOpen = v_open;
    fault_vfs.xDelete = v_delete;
    real_vfs = pass_vfs_start(&fault_vfs, "fault", (int)sizeof(struct pass_file));
}
