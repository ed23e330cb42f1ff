/* What a file is, by its bytes: XML by the name of its first element, packages by what they hold. Formats
 * that are plain text are recognised beside their readers. */
#include <quiztutor/exchange.h>

#include <string.h>

/* The first element's name, without a prefix, and where its tag begins; 0 where the bytes are no XML. */
static ptrdiff_t root_name(const char *bytes, ptrdiff_t length, const char **name)
{
    ptrdiff_t at = 0, end = length < EXCHANGE_LOOK ? length : EXCHANGE_LOOK;
    if (end >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        at = 3;
    while (at < end && strchr(" \t\r\n", bytes[at]) && bytes[at])
        at++;
    if (at >= end || bytes[at] != '<')
        return 0;
    while (at < end && bytes[at] == '<') {
        const char *close = NULL;
        ptrdiff_t width = 1;
        if (end - at > 4 && memcmp(bytes + at, "<!--", 4) == 0) {
            close = memmem(bytes + at + 4, (size_t)(end - at - 4), "-->", 3);
            width = 3;
        } else if (end - at > 2 && (bytes[at + 1] == '?' || bytes[at + 1] == '!')) {
            close = memchr(bytes + at, '>', (size_t)(end - at));
            /* a document type with declarations in it: its reader says why it is refused */
            if (close && bytes[at + 1] == '!' && memchr(bytes + at, '[', (size_t)(close - bytes - at))) {
                const char *inner = memmem(bytes + at, (size_t)(end - at), "]>", 2);
                close = inner ? inner + 1 : NULL;
            }
        } else {
            ptrdiff_t first = ++at;
            for (; at < end && !strchr(" \t\r\n/>", bytes[at]); at++)
                if (bytes[at] == ':')
                    first = at + 1;
            *name = bytes + first;
            return at - first;
        }
        if (!close)
            return 0;
        at = close - bytes + width;
        while (at < end && strchr(" \t\r\n", bytes[at]) && bytes[at])
            at++;
    }
    return 0;
}

static bool root_is(const char *bytes, ptrdiff_t length, const char *const *names)
{
    const char *root = NULL;
    ptrdiff_t size = root_name(bytes, length, &root);
    for (; *names; names++)
        if ((ptrdiff_t)strlen(*names) == size && memcmp(root, *names, (size_t)size) == 0)
            return true;
    return false;
}

static bool is_zip(const char *bytes, ptrdiff_t length)
{
    return length > 4 && (memcmp(bytes, "PK\x03\x04", 4) == 0 || memcmp(bytes, "PK\x05\x06", 4) == 0);
}

/* A zip archive that holds a file of this name (names stand in it as they are). */
static bool zip_holds(const char *bytes, ptrdiff_t length, const char *name)
{
    return is_zip(bytes, length) && memmem(bytes, (size_t)length, name, strlen(name)) != NULL;
}

bool moodle_xml_recognise(const char *bytes, ptrdiff_t length)
{
    return root_is(bytes, length, (const char *const[]){ "quiz", NULL });
}

bool qti12_recognise(const char *bytes, ptrdiff_t length)
{
    return root_is(bytes, length, (const char *const[]){ "questestinterop", NULL });
}

bool qti21_recognise(const char *bytes, ptrdiff_t length)
{
    return root_is(bytes, length,
                   (const char *const[]){ "assessmentItem", "assessmentTest", "manifest", NULL }) ||
           (is_zip(bytes, length) && !apkg_recognise(bytes, length)); /* its reader tells what it holds */
}

bool qti30_recognise(const char *bytes, ptrdiff_t length)
{
    return root_is(bytes, length,
                   (const char *const[]){ "qti-assessment-item", "qti-assessment-test", NULL });
}

bool apkg_recognise(const char *bytes, ptrdiff_t length)
{
    return zip_holds(bytes, length, "collection.anki2");
}
