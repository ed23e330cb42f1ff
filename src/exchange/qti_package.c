#include "qti_package.h"

#include "archive.h"
#include "html.h"
#include "names.h"
#include "qti.h"
#include "xml.h"

#include <quiztutor/message.h>
#include <string.h>

enum {
    PACKAGE_DOCUMENTS = PACK_QUESTIONS,
    PACKAGE_PATH = 2 * ARCHIVE_NAME,
    PACKAGE_DOCUMENT = 64 * 1024 * 1024, /* bytes of a document, or of the manifest */
};

struct document {
    const char *path; /* in the archive; NULL: it leads out of it */
    const char *href; /* as it was named */
    const char *section;
    bool test;
    int entry; /* -1: it is missing */
    ptrdiff_t start, length;
};

struct package {
    struct import *import;
    struct archive *archive;
    struct arena arena;
    struct names paths; /* places in `documents` by path */
    struct document *documents;
    ptrdiff_t count, capacity;
    struct buffer texts; /* of all documents */
    const char *folder;  /* of what is being read, "" or with / at its end: names are relative to it */
    ptrdiff_t visits;
    bool in_test, failed; /* no memory */
};

bool qti_package_is(const char *bytes, ptrdiff_t length)
{
    return length >= 4 && (memcmp(bytes, "PK\x03\x04", 4) == 0 || memcmp(bytes, "PK\x05\x06", 4) == 0);
}

/* `folder` and a name relative to it as one path without . and .., in the arena; NULL where it leads out. */
static const char *join(struct package *package, const char *folder, const char *name)
{
    char path[PACKAGE_PATH];
    ptrdiff_t length = 0, size = (ptrdiff_t)strcspn(name, "#?");
    ptrdiff_t lead = *name == '/' ? 0 : (ptrdiff_t)strlen(folder);
    if (lead + size >= PACKAGE_PATH)
        return NULL;
    const char *parts[] = { folder, name };
    ptrdiff_t sizes[] = { lead, size };
    for (int part = 0; part < 2; part++)
        for (const char *at = parts[part], *end = at + sizes[part]; at < end;) {
            const char *slash = memchr(at, '/', (size_t)(end - at));
            ptrdiff_t step = (slash ? slash : end) - at;
            if (step == 2 && memcmp(at, "..", 2) == 0) {
                if (!length)
                    return NULL;
                for (length--; length && path[length - 1] != '/';)
                    length--;
            } else if (step && (step != 1 || *at != '.')) {
                memcpy(path + length, at, (size_t)step);
                length += step;
                if (slash)
                    path[length++] = '/';
            }
            at += step + (slash != NULL);
        }
    const char *kept = arena_text(&package->arena, path, length);
    package->failed = package->failed || !kept;
    return kept;
}

/* The folder that a path lies in, "" or with / at its end. */
static const char *folder_of(struct package *package, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *folder = arena_text(&package->arena, path, slash ? slash + 1 - path : 0);
    package->failed = package->failed || !folder;
    return folder ? folder : "";
}

static const char *keep(struct package *package, const char *text)
{
    const char *kept = text ? arena_text(&package->arena, text, (ptrdiff_t)strlen(text)) : NULL;
    package->failed = package->failed || (text && !kept);
    return kept;
}

/* A document that the manifest or a test names. */
static bool visit(void *context, const char *href, const char *type, const char *section)
{
    struct package *package = context;
    const char *path = join(package, package->folder, href);
    int known = path ? names_find(&package->paths, path) : -1;
    package->visits++;
    if (package->failed || package->count >= PACKAGE_DOCUMENTS)
        return false;
    if (known >= 0) {
        struct document *document = &package->documents[known];
        if (!document->section)
            document->section = keep(package, section);
        return !package->failed;
    }
    package->failed = !memory_grow(&package->documents, &package->capacity, package->count + 1,
                                   sizeof *package->documents) ||
                      (path && !names_add(&package->paths, path, (int)package->count));
    if (package->failed)
        return false;
    package->documents[package->count++] = (struct document){
        .path = path,
        .href = keep(package, href),
        .section = keep(package, section),
        .test = !package->in_test && type && strstr(type, "imsqti_test"),
        .entry = path ? archive_find(package->archive, path, true) : -1,
    };
    return !package->failed;
}

/* The manifest: at the top, or in the one folder that somebody packed with all that is in it. */
static int find_manifest(struct archive *archive)
{
    static const char name[] = "imsmanifest.xml";
    int found = archive_find(archive, name, true);
    for (int i = 0; found < 0 && i < archive_count(archive); i++) {
        const char *slash = strchr(archive_name(archive, i), '/');
        if (slash && strcmp(slash + 1, name) == 0)
            found = i;
    }
    return found;
}

/* The title that the manifest's metadata give the package, if any. */
static void read_title(struct package *package, const char *bytes, ptrdiff_t length)
{
    const struct xml_node *root;
    struct arena arena;
    arena_init(&arena);
    if (!package->import->title && xml_parse(&root, &arena, bytes, length, NULL)) {
        const struct xml_node *metadata = xml_child(root, "metadata");
        const struct xml_node *title = metadata ? xml_find(metadata, "title") : NULL;
        const char *words = title ? xml_words(&arena, title) : NULL;
        if (words && *words)
            package->import->title = import_text_line(package->import, words, (ptrdiff_t)strlen(words));
    }
    arena_finish(&arena);
}

static bool read_manifest(struct package *package, struct error *error)
{
    int entry = find_manifest(package->archive);
    if (entry < 0)
        return error_set(
            error, ERROR_INPUT, "%s",
            tr("it is a zip archive, but no package that is known: there is no imsmanifest.xml in it"));
    struct buffer manifest;
    buffer_init(&manifest);
    package->folder = folder_of(package, archive_name(package->archive, entry));
    bool done = archive_read(package->archive, entry, PACKAGE_DOCUMENT, &manifest, error);
    if (done) {
        done = qti_manifest(buffer_get(&manifest), manifest.length, visit, package, error);
        if (!done)
            error_prefix(error, archive_name(package->archive, entry));
    }
    if (done)
        read_title(package, buffer_get(&manifest), manifest.length);
    buffer_finish(&manifest);
    if (done && package->failed)
        return error_memory(error);
    if (done && !package->count)
        return error_set(error, ERROR_INPUT, "%s",
                         tr("the package's imsmanifest.xml names no document with questions"));
    return done;
}

/* Reports a document that gives no question. */
static void leave_out(struct package *package, const struct document *document, const char *why)
{
    struct question question;
    import_open(package->import, &question, 0, document->href);
    import_leave_out(package->import, "%s", why);
}

/* The text of a document, at the end of `texts`. */
static bool load(struct package *package, struct document *document, struct error *error)
{
    document->start = package->texts.length;
    if (document->entry < 0)
        return true;
    if (!archive_read(package->archive, document->entry, PACKAGE_DOCUMENT, &package->texts, error))
        return false;
    document->length = package->texts.length - document->start;
    return true;
}

/* Tests name their items, in sections; what they name and the manifest does not comes after all others. */
static bool read_tests(struct package *package, struct error *error)
{
    package->in_test = true;
    for (ptrdiff_t i = 0; i < package->count; i++) {
        if (!package->documents[i].test || package->documents[i].entry < 0)
            continue;
        ptrdiff_t before = package->count, visits = package->visits;
        struct document test = package->documents[i];
        package->folder = folder_of(package, test.path);
        bool read = qti_test(package->texts.data + test.start, test.length, visit, package, NULL);
        if (package->failed)
            return error_memory(error);
        for (ptrdiff_t k = before; k < package->count; k++)
            if (!load(package, &package->documents[k], error))
                return false;
        package->documents[i].test = read && package->visits > visits; /* else it may hold items itself */
    }
    return true;
}

static bool load_all(struct package *package, struct error *error)
{
    for (ptrdiff_t i = 0; i < package->count; i++)
        if (!load(package, &package->documents[i], error))
            return false;
    if (!read_tests(package, error))
        return false;
    for (ptrdiff_t i = 0; i < package->count && !package->import->markup; i++)
        package->import->markup = html_marks(buffer_get(&package->texts) + package->documents[i].start,
                                             package->documents[i].length);
    return true;
}

static bool take(struct package *package, const struct document *document, struct error *error)
{
    struct error own = { .code = ERROR_NONE };
    if (document->test)
        return true;
    if (!document->path || document->entry < 0) {
        leave_out(package, document,
                  document->path ? tr("the package does not hold this file")
                                 : tr("its name leads out of the package"));
        return true;
    }
    if (document->section)
        import_section(package->import, document->section);
    enum exchange_format format = qti_look(buffer_get(&package->texts) + document->start, document->length);
    if (!package->import->label && format != EXCHANGE_FORMATS)
        package->import->label = exchange_rows[format].label;
    if (qti_read_document(package->import, buffer_get(&package->texts) + document->start, document->length,
                          document->path, &own))
        return true;
    if (own.code == ERROR_MEMORY)
        return error_memory(error);
    leave_out(package, document, own.message);
    return true;
}

bool qti_package_read(struct import *import, const char *bytes, ptrdiff_t length, struct error *error)
{
    struct package package = { .import = import };
    arena_init(&package.arena);
    names_init(&package.paths);
    buffer_init(&package.texts);
    package.archive = archive_open(bytes, length, error);
    bool done = package.archive && read_manifest(&package, error) && load_all(&package, error);
    for (ptrdiff_t i = 0; done && i < package.count; i++)
        done = take(&package, &package.documents[i], error);
    archive_close(package.archive);
    memory_free(package.documents);
    buffer_finish(&package.texts);
    names_finish(&package.paths);
    arena_finish(&package.arena);
    return done;
}
