#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>

enum { FIRST_PAUSE_NS = 50000, LONGEST_PAUSE_NS = 2000000 };

static int lock_byte(const struct lock *lock, short type, off_t byte)
{
    struct flock range = { .l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1 };
    int result;
    do
        result = fcntl(lock->fd, F_OFD_SETLK, &range);
    while (result < 0 && errno == EINTR);
    if (result == 0)
        return 0;
    return errno == EACCES ? EAGAIN : errno;
}

/* Bytes from 2^62 up are for sessions: 61 bits of the id's hash, so that two ids never meet by chance. */
static off_t session_byte(const struct uuid *session_id)
{
    struct hash hash;
    hash_of(&hash, session_id->bytes, sizeof session_id->bytes);
    uint64_t bits;
    memcpy(&bits, hash.bytes, sizeof bits);
    return (off_t)((UINT64_C(1) << 62) + (bits & ((UINT64_C(1) << 61) - 1)));
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/*
 * Waiting in the kernel (F_OFD_SETLKW) has no time limit, so ask again after pauses that grow. They vary a
 * little: two that wait must not always ask at the same moment.
 */
int lock_take(const struct lock *lock, int wait_ms)
{
    int result = lock_byte(lock, F_WRLCK, 0);
    if (result != EAGAIN)
        return result;
    int64_t now = now_ns(), end = now + (int64_t)wait_ms * 1000000;
    long pause = FIRST_PAUSE_NS;
    while (result == EAGAIN && now < end) {
        struct timespec time = { .tv_nsec = pause + now % pause };
        nanosleep(&time, NULL);
        if (pause < LONGEST_PAUSE_NS)
            pause *= 2;
        result = lock_byte(lock, F_WRLCK, 0);
        now = now_ns();
    }
    return result;
}

void lock_give(const struct lock *lock)
{
    lock_byte(lock, F_UNLCK, 0);
}

int lock_hold_session(const struct lock *lock, const struct uuid *session_id)
{
    return lock_byte(lock, F_WRLCK, session_byte(session_id));
}

void lock_release_session(const struct lock *lock, const struct uuid *session_id)
{
    lock_byte(lock, F_UNLCK, session_byte(session_id));
}

/* The bytes of sessions: one, or all of them. */
static struct flock session_range(const struct uuid *session_id)
{
    struct flock range = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)1 << 62, .l_len = (off_t)1 << 61
    };
    if (session_id) {
        range.l_start = session_byte(session_id);
        range.l_len = 1;
    }
    return range;
}

bool lock_is_held(const struct lock *lock, const struct uuid *session_id)
{
    struct flock range = session_range(session_id);
    return lock->fd >= 0 && fcntl(lock->fd, F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
}

int lock_hold_sessions(const struct lock *lock)
{
    struct flock range = session_range(NULL);
    int result = fcntl(lock->fd, F_OFD_SETLK, &range);
    return result == 0 ? 0 : errno == EACCES ? EAGAIN : errno;
}
