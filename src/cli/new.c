/* `quiztutor new`: writes a starter pack with remarks, under the file's name, never over what is there. */
#include "command.h"
#include "file.h"

#include <quiztutor/hash.h>
#include <quiztutor/message.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern const char starter_text[]; /* starter.yaml */

/* What stands for the marks @SCHEMA@ and so on in the starter. */
struct starter {
    struct buffer schema, id, title, file;
};

/* ---- names ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool ends_like_pack(const char *name)
{
    size_t length = strlen(name);
    return (length > 5 && strcmp(name + length - 5, ".yaml") == 0) ||
           (length > 4 && strcmp(name + length - 4, ".yml") == 0);
}

/* The name without its ending, as text: what is no text, or may not stand in content, becomes a blank. */
static char *name_stem(const char *name)
{
    struct buffer text;
    ptrdiff_t length = (ptrdiff_t)strlen(name);
    if (ends_like_pack(name) || strcmp(name, ".yaml") == 0 || strcmp(name, ".yml") == 0)
        length = strrchr(name, '.') - name;
    buffer_init(&text);
    for (int32_t code; length > 0;) {
        int bytes = text_decode(name, length, &code);
        if (code == TEXT_BAD || text_forbidden(code) || code == '\n' || code == '\t' || code == '_')
            buffer_char(&text, ' ');
        else
            buffer_add(&text, name, bytes);
        name += bytes;
        length -= bytes;
    }
    char *stem = text.failed ? NULL : text_canonical(buffer_get(&text));
    buffer_finish(&text);
    return stem;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* The letters and digits of a name, its words joined by "-". One that has none to speak of, 日本.yaml, gets
 * an id that no other name gets: two packs of one id would be taken for one. */
static bool write_id(struct buffer *id, const char *stem, const char *name)
{
    char *plain = text_unaccented(stem), digits[2 * 3 + 1];
    struct hash hash;
    for (const char *at = plain; at && *at && id->length < PACK_ID; at++) {
        if (is_word(*at))
            buffer_char(id, *at);
        else if (id->length && id->data[id->length - 1] != '-')
            buffer_char(id, '-');
    }
    while (id->length && id->data[id->length - 1] == '-')
        id->data[--id->length] = '\0';
    if (!id->length) {
        hash_of(&hash, name, (ptrdiff_t)strlen(name));
        hash_hex(digits, hash.bytes, 3);
        buffer_print(id, "pack-%s", digits);
    }
    memory_free(plain);
    return plain && !id->failed;
}

/* A text that YAML takes as it stands, or in single quotes. */
static void write_plain(struct buffer *out, const char *text)
{
    bool plain =
        (*text >= 'A' && *text <= 'Z') || (*text >= 'a' && *text <= 'z') || (unsigned char)*text >= 0x80;
    for (const char *at = text; plain && *at; at++)
        plain = (unsigned char)*at >= 0x80 || (*at >= '0' && *at <= '9') || (*at >= 'A' && *at <= 'Z') ||
                (*at >= 'a' && *at <= 'z') || strchr(" ().,-", *at);
    if (!plain)
        buffer_char(out, '\'');
    for (const char *at = text; *at; at++) {
        if (*at == '\'')
            buffer_char(out, '\'');
        buffer_char(out, *at);
    }
    if (!plain)
        buffer_char(out, '\'');
}

static bool has_words(const char *text)
{
    for (; *text; text++)
        if (is_word(*text) || (*text >= 'A' && *text <= 'Z') || (unsigned char)*text >= 0x80)
            return true;
    return false;
}

/* "binary-search" reads as "Binary search". */
static bool write_title(struct buffer *title, char *stem)
{
    for (char *at = stem; *at; at++)
        if (*at == '-' && at > stem && at[1] && at[-1] != ' ' && at[1] != ' ')
            *at = ' ';
    while (*stem == '-' || *stem == ' ')
        stem++;
    if (*stem >= 'a' && *stem <= 'z')
        *stem = (char)(*stem - 'a' + 'A');
    write_plain(title, has_words(stem) ? stem : "A first pack");
    return !title->failed;
}

/* How the remarks name the file: as one would type it in its folder. */
static bool write_file(struct buffer *file, const char *name)
{
    bool plain = true;
    for (const char *at = name; *at; at++)
        plain = plain && (is_word(*at) || (*at >= 'A' && *at <= 'Z') || strchr("._-", *at));
    if (!plain)
        buffer_text(file, "FILE");
    else
        buffer_print(file, "%s%s", *name == '-' || !ends_like_pack(name) ? "./" : "", name);
    return !file->failed;
}

/* ---- the schema ---- */

/* A path as editors take it: as it is, or as a URL where it holds what would end it. */
static void write_location(struct buffer *out, const char *path)
{
    bool plain = true;
    for (const char *at = path; *at; at++)
        plain = plain && (is_word(*at) || (*at >= 'A' && *at <= 'Z') || strchr("/._-+", *at));
    buffer_text(out, plain ? "" : "file://");
    for (const char *at = path; *at; at++) {
        if (is_word(*at) || (*at >= 'A' && *at <= 'Z') || strchr("/._-", *at) || (plain && *at == '+'))
            buffer_char(out, *at);
        else
            buffer_print(out, "%%%02X", (unsigned)(unsigned char)*at);
    }
}

/*
 * Where the schema is: beside the program, wherever that was put (bin and share in one folder), in the
 * checkout that it was built in, or else where it is installed.
 */
static bool write_schema(struct buffer *schema)
{
    static const char *const places[] = { "share/quiztutor/schema/pack.json", "content/schema/pack.json" };
    char program[PATH_MAX + 1], path[PATH_MAX + 64];
    ssize_t length = readlink("/proc/self/exe", program, PATH_MAX);
    program[length > 0 ? length : 0] = '\0';
    for (char *slash; (slash = strrchr(program, '/')) != NULL;) {
        *slash = '\0';
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            snprintf(path, sizeof path, "%s/%s", program, places[i]);
            if (access(path, R_OK) == 0) {
                write_location(schema, path);
                return !schema->failed;
            }
        }
    }
    write_location(schema, QUIZTUTOR_SCHEMA);
    return !schema->failed;
}

/* ---- the file ---- */

static bool starter_fill(const struct starter *starter, struct buffer *out)
{
    const struct {
        const char *mark;
        const struct buffer *text;
    } marks[] = { { "@SCHEMA@", &starter->schema },
                  { "@ID@", &starter->id },
                  { "@TITLE@", &starter->title },
                  { "@FILE@", &starter->file } };
    for (const char *at = starter_text; *at;) {
        size_t skipped = 1;
        for (size_t i = 0; i < sizeof marks / sizeof *marks && skipped == 1; i++) {
            if (strncmp(at, marks[i].mark, strlen(marks[i].mark)) != 0)
                continue;
            buffer_add(out, buffer_get(marks[i].text), marks[i].text->length);
            skipped = strlen(marks[i].mark);
        }
        if (skipped == 1)
            buffer_char(out, *at);
        at += skipped;
    }
    return !out->failed;
}

static bool starter_make(const char *path, struct buffer *out, struct error *error)
{
    struct starter starter;
    const char *name = base_name(path);
    char *stem = name_stem(name);
    buffer_init(&starter.schema);
    buffer_init(&starter.id);
    buffer_init(&starter.title);
    buffer_init(&starter.file);
    bool done = stem && write_id(&starter.id, stem, name) && write_title(&starter.title, stem) &&
                write_file(&starter.file, name) && write_schema(&starter.schema) &&
                starter_fill(&starter, out);
    buffer_finish(&starter.schema);
    buffer_finish(&starter.id);
    buffer_finish(&starter.title);
    buffer_finish(&starter.file);
    memory_free(stem);
    return done || error_memory(error);
}

int command_new(const struct invocation *invocation)
{
    const char *path = invocation->arguments[0], *name = base_name(path);
    struct error error = { 0 };
    struct buffer text, shown;
    int status = STATUS_DONE;
    buffer_init(&text);
    buffer_init(&shown);
    if (!*name) {
        error_set(&error, ERROR_INPUT, tr("\"%s\" names no file; write %sfirst.yaml, for example"), path,
                  path);
        status = command_fail(&error);
    } else if (!starter_make(path, &text, &error) || !file_write_new(path, &text, &error)) {
        status = command_fail(&error);
    } else {
        text_visible(&shown, path, (ptrdiff_t)strlen(path));
        printf(tr("%s: a first pack, to be changed into yours\n"), buffer_get(&shown));
        if (!ends_like_pack(name))
            fprintf(stderr, "quiztutor: %s\n", tr("the library takes files that end in .yaml or .yml only"));
    }
    buffer_finish(&shown);
    buffer_finish(&text);
    return status;
}
