/*
 * Zip archives, in memory. Reading one of unknown origin: entries that stand outside its folder, links,
 * encrypted ones, two of the same name, and what expands past a limit make the whole archive refused, by name
 * of the entry; what an archive says about sizes is never trusted. Writing one: the same entries give the
 * same bytes. Both by libzip; nothing is ever unpacked to a disk.
 */
#ifndef EXCHANGE_ARCHIVE_H
#define EXCHANGE_ARCHIVE_H

#include <quiztutor/buffer.h>
#include <quiztutor/error.h>

enum {
    ARCHIVE_ENTRIES = 100000,          /* entries of an archive */
    ARCHIVE_NAME = 1000,               /* bytes of an entry's name */
    ARCHIVE_ENTRY = 256 * 1024 * 1024, /* bytes of one entry, expanded */
    ARCHIVE_TOTAL = 512 * 1024 * 1024, /* bytes of all entries, and of all that is read of an archive */
    ARCHIVE_SMALL = 4 * 1024 * 1024,   /* an entry up to here may be compressed as well as it can be */
    ARCHIVE_RATIO = 200,               /* a larger one expands to so many times its size at most */
};

struct archive;

/* Looks over the archive in these bytes, which must outlive it; NULL with an error. archive_close takes NULL.
 */
struct archive *archive_open(const char *bytes, ptrdiff_t length, struct error *error);
void archive_close(struct archive *archive);

/* The entries, in the archive's order; names are UTF-8, with /, and one that ends in / is a folder. */
int archive_count(const struct archive *archive);
const char *archive_name(const struct archive *archive, int entry);

/* The entry of this name; else, where `loosely`, the only one that is the same but for case; -1 for none. */
int archive_find(struct archive *archive, const char *name, bool loosely);

/* Appends what an entry holds, in full; false with an error, and nothing appended. A limit above 0 stands in
 * the place of ARCHIVE_ENTRY. */
bool archive_read(struct archive *archive, int entry, ptrdiff_t limit, struct buffer *out,
                  struct error *error);

/*
 * Writing: begin, add in the order wanted, end. Names and bytes are copied. Only archive_write_end tells of
 * failures (no memory, a name twice): then nothing is appended to `out`. archive_write_end also takes what
 * begin returned without memory, NULL, and always ends the writer.
 */
struct archive_writer;
struct archive_writer *archive_write_begin(void);
void archive_write_add(struct archive_writer *writer, const char *name, const char *bytes, ptrdiff_t length);
bool archive_write_end(struct archive_writer *writer, struct buffer *out, struct error *error);

#endif
