/*
 * The file of a document. cairo writes it in pieces of a few bytes; they are handed on in larger ones.
 *
 * cairo 1.16 has no call for the language of a document, which screen readers need. PDF lets a finished file
 * be changed by what is appended to it (ISO 32000-1, 7.5.6): here its catalog once more, with /Lang, the
 * reading direction, and the wish that a window shows the title rather than the file's name. Where a later
 * cairo writes its cross-references another way the file is left as it is: whole, only silent about its
 * language.
 */
#include "page_private.h"

#include <quiztutor/buffer.h>
#include <quiztutor/memory.h>
#include <quiztutor/message.h>

#include <stdlib.h>
#include <string.h>

static const char catalog_begin[] = "obj\n<< /Type /Catalog\n";
static const char catalog_end[] = ">>\nendobj";

bool page_file_start(struct page_file *file, const struct page_sink *sink, struct error *error)
{
    file->sink = *sink;
    file->piece = memory_alloc(PAGE_FILE_PIECE);
    return file->piece || error_memory(error);
}

void page_file_finish(struct page_file *file)
{
    memory_free(file->piece);
    file->piece = NULL;
}

static bool hand_over(struct page_file *file)
{
    if (file->error.code == ERROR_NONE && file->used > 0 &&
        !file->sink.put(file->sink.context, file->piece, file->used, &file->error) &&
        file->error.code == ERROR_NONE)
        error_set(&file->error, ERROR_IO, tr("the document can't be written"));
    file->used = 0;
    return file->error.code == ERROR_NONE;
}

static void look_for_catalog(struct page_file *file, char byte)
{
    const int whole = (int)sizeof catalog_begin - 1, end = (int)sizeof catalog_end - 1;
    if (file->catalog_whole)
        return;
    if (file->matched < whole) {
        /* 'o' is only at the beginning of what is looked for */
        file->matched = byte == catalog_begin[file->matched] ? file->matched + 1 : byte == catalog_begin[0];
        return;
    }
    if (file->catalog_length == PAGE_FILE_CATALOG) { /* longer than any that cairo writes */
        file->matched = file->catalog_length = 0;
        return;
    }
    file->catalog[file->catalog_length++] = byte;
    if (file->catalog_length >= end &&
        memcmp(file->catalog + file->catalog_length - end, catalog_end, (size_t)end) == 0) {
        file->catalog_length -= end;
        file->catalog_whole = true;
    }
}

static void look_at_end(struct page_file *file, const char *bytes, int length)
{
    for (int i = 0; i < length; i++)
        look_for_catalog(file, bytes[i]);
    if (length >= PAGE_FILE_TAIL) {
        memcpy(file->tail, bytes + length - PAGE_FILE_TAIL, PAGE_FILE_TAIL);
        file->tail_length = PAGE_FILE_TAIL;
        return;
    }
    int kept = file->tail_length;
    if (kept > PAGE_FILE_TAIL - length)
        kept = PAGE_FILE_TAIL - length;
    memmove(file->tail, file->tail + file->tail_length - kept, (size_t)kept);
    memcpy(file->tail + kept, bytes, (size_t)length);
    file->tail_length = kept + length;
}

static bool put(struct page_file *file, const char *bytes, ptrdiff_t length)
{
    file->written += length;
    while (length > 0) {
        int room = PAGE_FILE_PIECE - file->used, step = length < room ? (int)length : room;
        memcpy(file->piece + file->used, bytes, (size_t)step);
        file->used += step;
        if (file->ending)
            look_at_end(file, bytes, step);
        bytes += step;
        length -= step;
        if (file->used == PAGE_FILE_PIECE && !hand_over(file))
            return false;
    }
    return file->error.code == ERROR_NONE;
}

cairo_status_t page_file_take(void *file, const unsigned char *bytes, unsigned length)
{
    return put(file, (const char *)bytes, length) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* The number behind the last `key` of the file's end; -1 where it isn't there. */
static long tail_number(const struct page_file *file, const char *key)
{
    const char *last = NULL;
    for (const char *at = file->tail; (at = strstr(at, key)); at++)
        last = at;
    if (!last)
        return -1;
    char *end;
    long number = strtol(last + strlen(key), &end, 10);
    return end > last + strlen(key) ? number : -1;
}

static bool holds(const struct page_file *file, const char *key)
{
    return memmem(file->catalog, (size_t)file->catalog_length, key, strlen(key)) != NULL;
}

bool page_file_end(struct page_file *file, const char *language, bool right_to_left, struct error *error)
{
    file->tail[file->tail_length] = '\0';
    long root = tail_number(file, "/Root "), info = tail_number(file, "/Info "),
         size = tail_number(file, "/Size "), previous = tail_number(file, "startxref\n");
    struct buffer more;
    buffer_init(&more);
    if (file->catalog_whole && root > 0 && size > root && previous > 0 && !strstr(file->tail, "/XRef")) {
        long at = file->written;
        buffer_print(&more, "%ld 0 obj\n<< /Type /Catalog\n", root);
        buffer_add(&more, file->catalog, file->catalog_length);
        if (holds(file, "/StructTreeRoot") && !holds(file, "/MarkInfo"))
            buffer_text(&more, "   /MarkInfo << /Marked true >>\n"); /* forgotten by cairo 1.16 */
        buffer_print(&more,
                     "   /Lang (%s)\n   /ViewerPreferences << /DisplayDocTitle true%s >>\n>>\nendobj\n",
                     language, right_to_left ? " /Direction /R2L" : "");
        long table = at + (long)more.length;
        buffer_print(&more, "xref\n%ld 1\n%010ld 00000 n \ntrailer\n<< /Size %ld\n   /Root %ld 0 R\n", root,
                     at, size, root);
        if (info > 0)
            buffer_print(&more, "   /Info %ld 0 R\n", info);
        buffer_print(&more, "   /Prev %ld\n>>\nstartxref\n%ld\n%%%%EOF\n", previous, table);
    }
    bool done = !more.failed || error_memory(error);
    file->ending = false;
    if (done && (!put(file, buffer_get(&more), more.length) || !hand_over(file))) {
        if (error)
            *error = file->error;
        done = false;
    }
    buffer_finish(&more);
    return done;
}
