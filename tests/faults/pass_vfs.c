#include "pass_vfs.h"

#include <stddef.h>

static int f_close(sqlite3_file *file)
{
    return pass_real(file)->pMethods->xClose(pass_real(file));
}

static int f_read(sqlite3_file *file, void *to, int length, sqlite3_int64 at)
{
    return pass_real(file)->pMethods->xRead(pass_real(file), to, length, at);
}

static int f_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return pass_real(file)->pMethods->xFileSize(pass_real(file), size);
}

static int f_lock(sqlite3_file *file, int lock)
{
    return pass_real(file)->pMethods->xLock(pass_real(file), lock);
}

static int f_unlock(sqlite3_file *file, int lock)
{
    return pass_real(file)->pMethods->xUnlock(pass_real(file), lock);
}

static int f_check_lock(sqlite3_file *file, int *result)
{
    return pass_real(file)->pMethods->xCheckReservedLock(pass_real(file), result);
}

static int f_control(sqlite3_file *file, int what, void *argument)
{
    return pass_real(file)->pMethods->xFileControl(pass_real(file), what, argument);
}

static int f_sector(sqlite3_file *file)
{
    return pass_real(file)->pMethods->xSectorSize(pass_real(file));
}

static int f_device(sqlite3_file *file)
{
    return pass_real(file)->pMethods->xDeviceCharacteristics(pass_real(file));
}

static int f_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **to)
{
    return pass_real(file)->pMethods->xShmMap(pass_real(file), page, size, extend, to);
}

static int f_shm_lock(sqlite3_file *file, int offset, int count, int flags)
{
    return pass_real(file)->pMethods->xShmLock(pass_real(file), offset, count, flags);
}

static void f_shm_barrier(sqlite3_file *file)
{
    pass_real(file)->pMethods->xShmBarrier(pass_real(file));
}

static int f_shm_unmap(sqlite3_file *file, int gone)
{
    return pass_real(file)->pMethods->xShmUnmap(pass_real(file), gone);
}

static int f_write(sqlite3_file *file, const void *from, int count, sqlite3_int64 at)
{
    return pass_real(file)->pMethods->xWrite(pass_real(file), from, count, at);
}

static int f_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    return pass_real(file)->pMethods->xTruncate(pass_real(file), size);
}

static int f_sync(sqlite3_file *file, int flags)
{
    return pass_real(file)->pMethods->xSync(pass_real(file), flags);
}

const sqlite3_io_methods pass_methods = { 2,           f_close,      f_read,     f_write,
                                          f_truncate,  f_sync,       f_size,     f_lock,
                                          f_unlock,    f_check_lock, f_control,  f_sector,
                                          f_device,    f_shm_map,    f_shm_lock, f_shm_barrier,
                                          f_shm_unmap, NULL,         NULL };

sqlite3_vfs *pass_vfs_start(sqlite3_vfs *vfs, const char *name, int size)
{
    sqlite3_vfs *real = sqlite3_vfs_find(NULL);
    sqlite3_vfs own = *real; /* what is not replaced works on names, not on files of ours */
    own.pNext = NULL;
    own.zName = name;
    own.szOsFile = size + real->szOsFile;
    own.xOpen = vfs->xOpen;
    own.xDelete = vfs->xDelete;
    *vfs = own;
    sqlite3_vfs_register(vfs, 0);
    return real;
}

int pass_open(sqlite3_vfs *real, struct pass_file *file, int size, const sqlite3_io_methods *methods,
              const char *name, int flags, int *out_flags)
{
    file->base.pMethods = NULL;
    file->real = (sqlite3_file *)((char *)file + size);
    int result = real->xOpen(real, name, file->real, flags, out_flags);
    if (file->real->pMethods)
        file->base.pMethods = methods;
    return result;
}
