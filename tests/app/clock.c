/*
 * A clock that stands still until a test moves it: preloaded into the program, so that nothing in the program
 * itself knows of tests. $TEST_CLOCK names a file of three 64-bit integers: ms since 1970, ms since the
 * machine was started, and the number of that start. The file is mapped, so a test moves the clock while the
 * program runs. Everything but these two clocks and the name of the boot is as ever.
 */
#undef _FILE_OFFSET_BITS /* the names below are meant as they stand */
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct test_clock {
    int64_t wall, steady, boot;
};

static const volatile struct test_clock *mapped;

__attribute__((constructor)) static void test_clock_begin(void)
{
    const char *path = getenv("TEST_CLOCK");
    if (!path)
        return;
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    void *at = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *mapped, PROT_READ, MAP_SHARED, file, 0);
    if (at == MAP_FAILED)
        _exit(99); /* a test without its clock must not pass */
    syscall(SYS_close, file);
    mapped = at;
}

int clock_gettime(clockid_t id, struct timespec *now)
{
    int64_t ms;
    if (mapped && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE))
        ms = mapped->wall;
    else if (mapped && id == CLOCK_BOOTTIME)
        ms = mapped->steady;
    else
        return (int)syscall(SYS_clock_gettime, id, now);
    now->tv_sec = (time_t)(ms / 1000);
    now->tv_nsec = (long)(ms % 1000 * 1000000);
    return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec exact;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &exact) != 0)
        return -1;
    *now = (struct timeval){ exact.tv_sec, exact.tv_nsec / 1000 };
    return 0;
}

time_t time(time_t *seconds)
{
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0)
        return -1;
    if (seconds)
        *seconds = now.tv_sec;
    return now.tv_sec;
}

/* The boot's name as a file that is gone once closed. */
static int open_boot(int64_t boot)
{
    char text[64];
    int length = snprintf(text, sizeof text, "00000000-0000-4000-8000-%012llx\n", (unsigned long long)boot);
    int file = memfd_create("boot_id", MFD_CLOEXEC);
    if (file >= 0 && (write(file, text, (size_t)length) != length || lseek(file, 0, SEEK_SET) != 0))
        _exit(99);
    return file;
}

static int open_any(int folder, const char *path, int flags, mode_t mode)
{
    if (mapped && path && strcmp(path, "/proc/sys/kernel/random/boot_id") == 0)
        return open_boot(mapped->boot);
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

#define OPEN_MODE(flags)                                                                                     \
    mode_t mode = 0;                                                                                         \
    if ((flags)&O_CREAT || ((flags)&O_TMPFILE) == O_TMPFILE) {                                               \
        va_list list;                                                                                        \
        va_start(list, flags);                                                                               \
        mode = va_arg(list, mode_t);                                                                         \
        va_end(list);                                                                                        \
    }

int open(const char *path, int flags, ...)
{
    OPEN_MODE(flags)
    return open_any(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...)
{
    OPEN_MODE(flags)
    return open_any(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char *path, int flags, ...)
{
    OPEN_MODE(flags)
    return open_any(folder, path, flags, mode);
}
int openat64(int folder, const char *path, int flags, ...)
{
    OPEN_MODE(flags)
    return open_any(folder, path, flags, mode);
}
