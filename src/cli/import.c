/* `quiztutor import`: questions from other systems, made packs; each is told of in a line. */
#include "file.h"
#include "tools.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A file that is read. */
struct source {
    const char *path;
    struct buffer bytes;
    enum exchange_format format;
};

/* One run; the lines that it tells are printed file by file. */
struct run {
    const struct invocation *invocation;
    const char *folder;
    enum exchange_format from; /* EXCHANGE_FORMATS: by the bytes */
    struct buffer told;
};

/* ---- reading ---- */

/* Whether the first key of a file is "format: quiztutor/…", in YAML or in JSON. */
static bool is_pack(const struct buffer *bytes)
{
    const char *at = buffer_get(bytes), *quote;
    if (strncmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    for (at += strspn(at, " \t\r\n{"); *at == '#' || strncmp(at, "---", 3) == 0; at += strspn(at, " \t\r\n{"))
        at += strcspn(at, "\n");
    quote = strchr("\"'", *at) ? "\"'" : "";
    at += strspn(at, quote);
    if (strncmp(at, "format", 6) != 0)
        return false;
    at += 6;
    at += strspn(at, quote);
    at += strspn(at, " \t");
    if (*at++ != ':')
        return false;
    at += strspn(at, " \t\r\n");
    at += strspn(at, "\"'");
    return strncmp(at, "quiztutor/", 10) == 0;
}

static bool find_format(const struct run *run, struct source *source, struct error *error)
{
    source->format = run->from;
    if (source->format == EXCHANGE_FORMATS && is_pack(&source->bytes))
        return error_set(error, ERROR_INPUT,
                         tr("%s is a pack already: practise it, or add it to the library"), source->path);
    if (source->format == EXCHANGE_FORMATS)
        source->format = exchange_find(buffer_get(&source->bytes), source->bytes.length);
    const char *bytes = buffer_get(&source->bytes);
    ptrdiff_t length = source->bytes.length;
    if (source->format == EXCHANGE_FORMATS && !exchange_check_text(&bytes, &length, error))
        return error_prefix(error, source->path);
    if (source->format == EXCHANGE_FORMATS)
        return error_set(error, ERROR_INPUT,
                         tr("%s is in no format that shows by itself; say which it is with --from, as in "
                            "--from gift"),
                         source->path);
    return tools_have(run->invocation, source->format, false, error);
}

static void tell_line(struct buffer *out, const char *path, const struct import_line *line)
{
    static const char *const fates[] = { [IMPORT_TAKEN] = N_("taken"),
                                         [IMPORT_CHANGED] = N_("taken, with a change"),
                                         [IMPORT_LEFT_OUT] = N_("left out") };
    text_visible(out, path, (ptrdiff_t)strlen(path));
    if (line->line)
        buffer_print(out, ":%d", line->line);
    buffer_print(out, ": %s: ", tr(fates[line->fate]));
    text_visible(out, line->name, (ptrdiff_t)strlen(line->name));
    if (line->what) {
        buffer_text(out, ": ");
        text_visible(out, line->what, (ptrdiff_t)strlen(line->what));
    }
    buffer_char(out, '\n');
}

static void tell_sum(struct buffer *out, const struct source *source, const struct import *import,
                     const char *target)
{
    int changed = 0, left_out = 0;
    for (ptrdiff_t i = 0; i < import->line_count; i++) {
        changed += import->lines[i].fate == IMPORT_CHANGED;
        left_out += import->lines[i].fate == IMPORT_LEFT_OUT;
    }
    text_visible(out, source->path, (ptrdiff_t)strlen(source->path));
    buffer_print(out, tr(": %s, %td taken, %d of them with a change; %d left out"),
                 import->label ? import->label : exchange_rows[source->format].label, import->count, changed,
                 left_out);
    if (target) {
        buffer_text(out, " → ");
        text_visible(out, target, (ptrdiff_t)strlen(target));
    }
    buffer_char(out, '\n');
}

/* ---- writing ---- */

/* What is written must load: nobody should find out when a class sits before it. */
static bool check(const char *target, const struct buffer *yaml, struct error *error)
{
    struct diagnostics list;
    struct pack *pack = NULL;
    diagnostics_init(&list);
    if (yaml->length > PACK_FILE) {
        diagnostics_finish(&list);
        return error_set(error, ERROR_INPUT,
                         tr("%s would be larger than 64 MiB, more than a pack may be; part the file"),
                         target);
    }
    bool done = pack_load_bytes(&pack, target, buffer_get(yaml), yaml->length, &list, error);
    if (!done && !error->code) {
        struct buffer out;
        buffer_init(&out);
        diagnostics_print(&list, &out);
        fputs(buffer_get(&out), stderr);
        buffer_finish(&out);
        error_set(error, ERROR_INPUT, tr("%s was not written: it would not load, as told above"), target);
    }
    pack_destroy(pack);
    diagnostics_finish(&list);
    return done;
}

/* A file that is there may be someone's work: it is left as it is, unless it is this very pack. */
static bool is_written(const char *target, const struct buffer *yaml)
{
    struct buffer there;
    struct stat status;
    buffer_init(&there);
    bool same = stat(target, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == yaml->length &&
                file_read(&there, target, PACK_FILE, NULL) && there.length == yaml->length &&
                memcmp(buffer_get(&there), buffer_get(yaml), (size_t)yaml->length) == 0;
    buffer_finish(&there);
    return same;
}

static bool write_file(const char *target, const struct buffer *yaml, struct error *error)
{
    struct stat status;
    if (is_written(target, yaml))
        return true;
    if (lstat(target, &status) == 0)
        return error_set(error, ERROR_IO,
                         tr("%s is there already, with something else in it, and was left as it is; move it "
                            "away, or import into another folder"),
                         target);
    return file_write_new(target, yaml, error);
}

static bool write_pack(const struct run *run, struct import *import, struct buffer *target,
                       struct error *error)
{
    struct buffer yaml;
    buffer_init(&yaml);
    import_name_pack(import);
    buffer_print(target, "%s/%s.yaml", run->folder, import->id);
    bool done = exchange_write_import(&yaml, import) && !target->failed;
    if (!done)
        error_memory(error);
    done = done && check(buffer_get(target), &yaml, error) && file_make_folder(run->folder, error) &&
           write_file(buffer_get(target), &yaml, error);
    buffer_finish(&yaml);
    return done;
}

/* One file, from its bytes to its pack. */
static bool import_source(struct run *run, const struct source *source, struct error *error)
{
    struct import import;
    struct buffer target;
    import_init(&import, source->path);
    buffer_init(&target);
    bool done =
        exchange_part(source->format)->read(&import, buffer_get(&source->bytes), source->bytes.length, error);
    if (!done)
        error_prefix(error, source->path);
    if (done && import.failed)
        done = error_memory(error);
    for (ptrdiff_t i = 0; i < import.line_count; i++)
        tell_line(&run->told, source->path, &import.lines[i]);
    if (done && !import.count)
        done = error_set(error, ERROR_INPUT, tr("%s: nothing in it could be taken; no pack was written"),
                         source->path);
    done = done && write_pack(run, &import, &target, error);
    if (import.line_count)
        tell_sum(&run->told, source, &import, done ? buffer_get(&target) : NULL);
    if (run->told.failed)
        done = error_memory(error);
    fputs(buffer_get(&run->told), stdout);
    fflush(stdout); /* before what standard error says of this file */
    buffer_clear(&run->told);
    buffer_finish(&target);
    import_finish(&import);
    return done;
}

/* All files are read and their formats found before the first pack is written: the second program may have to
 * take over. */
static int import_all(struct run *run, struct source *sources, int count)
{
    struct error error = { 0 };
    int status = STATUS_DONE;
    for (int i = 0; i < count; i++) {
        sources[i].path = run->invocation->arguments[i];
        if (!file_read(&sources[i].bytes, sources[i].path, EXCHANGE_FILE, &error) ||
            !find_format(run, &sources[i], &error)) {
            status = command_fail(&error);
            sources[i].format = EXCHANGE_FORMATS;
        }
    }
    for (int i = 0; i < count; i++) {
        error = (struct error){ 0 };
        if (sources[i].format != EXCHANGE_FORMATS && !import_source(run, &sources[i], &error))
            status = command_fail(&error);
    }
    return status;
}

int command_import(const struct invocation *invocation)
{
    const struct options *options = invocation->options;
    struct run run = { .invocation = invocation,
                       .folder = options->values[OPTION_OUTPUT],
                       .from = EXCHANGE_FORMATS };
    struct error error = { 0 };
    int count = invocation->argument_count;
    if (!run.folder || !*run.folder) {
        error_set(&error, ERROR_USAGE, "%s", tr("import needs the folder that packs go to: -o DIR"));
        return command_fail(&error);
    }
    const char *from = options->values[OPTION_FROM];
    if (from && !tools_format(&run.from, "--from", from, false, &error))
        return command_fail(&error);
    struct source *sources = memory_zero(count * (ptrdiff_t)sizeof *sources);
    if (!sources) {
        error_memory(&error);
        return command_fail(&error);
    }
    buffer_init(&run.told);
    int status = import_all(&run, sources, count);
    for (int i = 0; i < count; i++)
        buffer_finish(&sources[i].bytes);
    buffer_finish(&run.told);
    memory_free(sources);
    return status;
}
