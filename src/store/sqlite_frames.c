/* Frames: four bytes of magic, a length, a number, the first half of a SHA-256 over both and the bytes. */
#include "sqlite_frames.h"

#include <quiztutor/memory.h>
#include <string.h>
#include <sys/stat.h>

static const unsigned char magic[4] = { 'q', 't', 'L', 0xa7 };
enum { LENGTH_AT = 4, SEQ_AT = 8, SUM_AT = 16, SUM = 16, PIECE = 65536, LOOK = PIECE };

static void put(unsigned char *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (unsigned char)(value >> 8 * i);
}

static uint64_t get(const unsigned char *from, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)from[i] << 8 * i;
    return value;
}

static void sum_of(unsigned char sum[static SUM], const unsigned char *head, const char *data,
                   ptrdiff_t length)
{
    unsigned char both[SUM_AT + sizeof(struct hash)];
    struct hash hash;
    hash_of(&hash, data, length);
    memcpy(both, head, SUM_AT);
    memcpy(both + SUM_AT, hash.bytes, sizeof hash.bytes);
    hash_of(&hash, both, sizeof both);
    memcpy(sum, hash.bytes, SUM);
}

static int settle(struct frames *frames, const char *path)
{
    struct stat status;
    sqlite3_int64 size = 0;
    int result = frames->file->pMethods->xFileSize(frames->file, &size);
    if (result == SQLITE_OK && stat(path, &status) != 0)
        result = SQLITE_IOERR_FSTAT;
    if (result != SQLITE_OK)
        return result;
    frames->size = size;
    frames->device = (int64_t)status.st_dev;
    frames->inode = (int64_t)status.st_ino;
    return SQLITE_OK;
}

int frames_open(struct frames *frames, const char *vfs_name, const char *path, bool fresh)
{
    memset(frames, 0, sizeof *frames);
    sqlite3_vfs *vfs = sqlite3_initialize() == SQLITE_OK ? sqlite3_vfs_find(vfs_name) : NULL;
    sqlite3_file *file = vfs ? memory_zero(vfs->szOsFile) : NULL;
    frames->name = file ? sqlite3_create_filename(path, "", "", 0, NULL) : NULL;
    frames->file = file;
    int result = frames->name ? SQLITE_OK : SQLITE_NOMEM;
    /* Taken for a log of SQLite's a new one gets the mode of the store, and its first sync syncs the folder,
     * too. That needs a store there. */
    int flags =
        SQLITE_OPEN_READWRITE | (fresh ? SQLITE_OPEN_WAL | SQLITE_OPEN_CREATE : SQLITE_OPEN_SUPER_JOURNAL);
    if (result == SQLITE_OK)
        result = vfs->xOpen(vfs, frames->name, file, flags, &flags);
    if (result == SQLITE_OK && !(flags & SQLITE_OPEN_READWRITE))
        result = SQLITE_READONLY;
    if (result == SQLITE_OK && fresh)
        result = file->pMethods->xTruncate(file, 0);
    if (result == SQLITE_OK)
        result = settle(frames, path);
    if (result != SQLITE_OK)
        frames_close(frames);
    return result;
}

void frames_close(struct frames *frames)
{
    if (frames->file && frames->file->pMethods)
        frames->file->pMethods->xClose(frames->file);
    memory_free(frames->file);
    if (frames->name)
        sqlite3_free_filename(frames->name);
    memset(frames, 0, sizeof *frames);
}

bool frames_replaced(const struct frames *frames)
{
    struct stat status;
    return stat(frames->name, &status) != 0 || (int64_t)status.st_dev != frames->device ||
           (int64_t)status.st_ino != frames->inode;
}

/* SQLite's file layer keeps 17 bits of a length. */
static int piece_of(ptrdiff_t left)
{
    return left < PIECE ? (int)left : PIECE;
}

/* What lies behind the end of the file reads as zeros. */
static int read_at(struct frames *frames, void *to, ptrdiff_t length, int64_t at)
{
    int result = SQLITE_OK;
    for (ptrdiff_t done = 0; result == SQLITE_OK && done < length; done += PIECE) {
        result = frames->file->pMethods->xRead(frames->file, (char *)to + done, piece_of(length - done),
                                               at + done);
        if (result == SQLITE_IOERR_SHORT_READ)
            result = SQLITE_OK;
    }
    return result;
}

static int write_at(struct frames *frames, const void *from, ptrdiff_t length, int64_t at)
{
    int result = SQLITE_OK;
    for (ptrdiff_t done = 0; result == SQLITE_OK && done < length; done += PIECE)
        result = frames->file->pMethods->xWrite(frames->file, (const char *)from + done,
                                                piece_of(length - done), at + done);
    return result;
}

/* Room for so many bytes in the buffer, which are its text from now on. */
static bool make_room(struct buffer *buffer, ptrdiff_t length)
{
    static const char zeros[4096];
    buffer_clear(buffer);
    if (buffer->capacity > length && length > 0) {
        buffer->length = length;
        return true;
    }
    for (ptrdiff_t left = length; left > 0 && !buffer->failed; left -= (ptrdiff_t)sizeof zeros)
        buffer_add(buffer, zeros, left < (ptrdiff_t)sizeof zeros ? left : (ptrdiff_t)sizeof zeros);
    return !buffer->failed;
}

int frames_read(struct frames *frames, int64_t at, struct buffer *buffer, struct frame *frame)
{
    unsigned char head[FRAME_HEAD], sum[SUM];
    int result = read_at(frames, head, sizeof head, at);
    if (result != SQLITE_OK)
        return result;
    int64_t length = (int64_t)get(head + LENGTH_AT, 4);
    if (memcmp(head, magic, sizeof magic) != 0 || length < 1 || length > FRAME_MOST)
        return SQLITE_DONE;
    if (!make_room(buffer, (ptrdiff_t)length))
        return SQLITE_NOMEM;
    result = read_at(frames, buffer->data, (ptrdiff_t)length, at + FRAME_HEAD);
    if (result != SQLITE_OK)
        return result;
    sum_of(sum, head, buffer->data, (ptrdiff_t)length);
    if (memcmp(sum, head + SUM_AT, SUM) != 0)
        return SQLITE_DONE;
    *frame = (struct frame){ .at = at,
                             .next = at + FRAME_HEAD + length,
                             .seq = (int64_t)get(head + SEQ_AT, 8),
                             .data = buffer->data,
                             .length = (ptrdiff_t)length };
    return SQLITE_ROW;
}

/* The first place in a block that begins as a frame does, or its end; *skipped as frames_find has it. */
static ptrdiff_t look(const unsigned char *block, ptrdiff_t length, bool *skipped)
{
    for (ptrdiff_t i = 0; i < length; i++) {
        ptrdiff_t same = length - i < (ptrdiff_t)sizeof magic ? length - i : (ptrdiff_t)sizeof magic;
        if (block[i] == magic[0] && memcmp(block + i, magic, (size_t)same) == 0)
            return i;
        *skipped = *skipped || block[i] != 0;
    }
    return length;
}

int frames_find(struct frames *frames, int64_t at, struct buffer *buffer, struct frame *frame, bool *skipped)
{
    static const int block_size = LOOK;
    unsigned char *block = NULL;
    int result = frames_read(frames, at, buffer, frame), tries = 0;
    *skipped = false;
    if (result != SQLITE_DONE)
        return result;
    block = memory_alloc(block_size);
    result = block ? SQLITE_DONE : SQLITE_NOMEM;
    while (block && at < frames->size && tries < FRAME_TRIES) {
        int64_t left = frames->size - at;
        ptrdiff_t length = left < block_size ? (ptrdiff_t)left : block_size;
        result = read_at(frames, block, length, at);
        if (result != SQLITE_OK)
            break;
        ptrdiff_t found = look(block, length, skipped);
        at += found;
        result = SQLITE_DONE;
        if (found == length)
            continue;
        result = frames_read(frames, at, buffer, frame);
        if (result != SQLITE_DONE)
            break;
        *skipped = true;
        at++;
        tries++;
    }
    memory_free(block);
    return result;
}

int frames_write(struct frames *frames, int64_t *at, int64_t seq, const char *data, ptrdiff_t length)
{
    if (length < 1 || length > FRAME_MOST)
        return SQLITE_TOOBIG;
    int64_t end = *at + FRAME_HEAD + length;
    int64_t room = end <= frames->size ? 0 : (end + FRAME_ROOM - 1) / FRAME_ROOM * FRAME_ROOM - end;
    ptrdiff_t total = FRAME_HEAD + length + (ptrdiff_t)room;
    unsigned char *frame = memory_zero(total);
    if (!frame)
        return SQLITE_NOMEM;
    memcpy(frame, magic, sizeof magic);
    put(frame + LENGTH_AT, (uint64_t)length, 4);
    put(frame + SEQ_AT, (uint64_t)seq, 8);
    sum_of(frame + SUM_AT, frame, data, length);
    memcpy(frame + FRAME_HEAD, data, (size_t)length);
    int result = write_at(frames, frame, total, *at);
    memory_free(frame);
    if (result != SQLITE_OK)
        return result;
    *at = end;
    if (frames->size < end + room)
        frames->size = end + room;
    return SQLITE_OK;
}

int frames_sync(struct frames *frames)
{
    return frames->file->pMethods->xSync(frames->file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY);
}
