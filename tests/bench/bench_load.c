/*
 * Loading a large pack against the least that could be done with it: running libyaml's events over the same
 * bytes. Makes two packs of about 50 MB (ASCII and Cyrillic), runs both ways by turns in children of their
 * own, and compares the smallest CPU time of each. Fails above the bounds.
 */
#include <quiztutor/pack.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <yaml.h>

enum { RUNS = 11, PACK_BYTES = 50 * 1000 * 1000 };

static const double time_bound = 1.35, memory_bound = 3.0;

static const char *const latin[] = { "every",  "device", "keeps",    "a",        "copy",   "of",
                                     "the",    "model",  "splits",   "layers",   "tensor", "stage",
                                     "batch",  "share",  "gradient", "pipeline", "idle",   "while",
                                     "others", "bubble", "link",     "slow",     "memory", "wide" };
static const char *const cyrillic[] = { "каждое", "устройство", "хранит", "одну",    "копию",    "модели",
                                        "слои",   "делит",      "тензор", "этап",    "пакет",    "доля",
                                        "сеть",   "медленная",  "память", "широкая", "градиент", "конвейер" };

struct writer {
    FILE *file;
    const char *const *words;
    int count;
    uint32_t state;
};

static const char *word(struct writer *writer)
{
    writer->state = writer->state * 1664525u + 1013904223u;
    return writer->words[(writer->state >> 8) % (uint32_t)writer->count];
}

static void text(struct writer *writer, const char *before, int words)
{
    fputs(before, writer->file);
    for (int i = 0; i < words; i++)
        fprintf(writer->file, "%s%s", i ? " " : "", word(writer));
}

/* One question, so worded that no two choices are the same. */
static void question(struct writer *writer, int number)
{
    fprintf(writer->file, "  - id: q%d\n", number);
    text(writer, "    prompt: ", 12);
    fputs("\n    choices:\n", writer->file);
    for (int i = 0; i < 4; i++) {
        fprintf(writer->file, "      - %s: ", i == 1 ? "correct" : "wrong");
        fprintf(writer->file, "%d ", i);
        text(writer, "", 6);
        text(writer, "\n        feedback: ", 9);
        fputc('\n', writer->file);
    }
    text(writer, "    explanation: >\n      ", 14);
    text(writer, "\n      ", 14);
    text(writer, "\n\n      ", 14);
    text(writer, "\n    tags: [", 1);
    text(writer, ", ", 1);
    fputs(" again]\n", writer->file);
}

static bool generate(const char *path, const char *const *words, int count)
{
    struct writer writer = { fopen(path, "w"), words, count, 1 };
    if (!writer.file)
        return false;
    fputs("format: quiztutor/1\nid: large\ntitle: A large pack\nquestions:\n", writer.file);
    for (int i = 0; ftell(writer.file) < PACK_BYTES; i++)
        question(&writer, i);
    return fclose(writer.file) == 0;
}

static bool run_bare(const char *path)
{
    yaml_parser_t parser;
    yaml_event_t event;
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0)
        return false;
    unsigned char *bytes = malloc((size_t)status.st_size);
    size_t length = 0;
    for (ssize_t got; bytes && (got = read(fd, bytes + length, (size_t)status.st_size - length)) > 0;)
        length += (size_t)got;
    close(fd);
    if (!bytes || !yaml_parser_initialize(&parser))
        return false;
    yaml_parser_set_input_string(&parser, bytes, length);
    bool done = false;
    while (!done && yaml_parser_parse(&parser, &event)) {
        done = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    free(bytes);
    return done;
}

static bool run_load(const char *path)
{
    struct diagnostics list;
    struct error error = { .code = ERROR_NONE };
    struct pack *pack;
    diagnostics_init(&list);
    bool done = pack_load(&pack, path, &list, &error);
    if (!done) {
        struct buffer out;
        buffer_init(&out);
        diagnostics_print(&list, &out);
        fprintf(stderr, "%s%s\n", buffer_get(&out), error.code == ERROR_NONE ? "" : error.message);
        buffer_finish(&out);
    }
    pack_destroy(pack);
    diagnostics_finish(&list);
    return done;
}

struct cost {
    double seconds;
    double bytes; /* the most that was resident */
};

/* Runs one way in a child; its usage is what the kernel counted for it. */
static bool measure(bool (*run)(const char *path), const char *path, struct cost *cost)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(run(path) ? 0 : 1);
    int status;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) ||
        WEXITSTATUS(status) != 0)
        return false;
    cost->seconds = (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
                    ((double)usage.ru_utime.tv_usec + (double)usage.ru_stime.tv_usec) / 1e6;
    cost->bytes = (double)usage.ru_maxrss * 1024;
    return true;
}

static void keep_least(struct cost *least, const struct cost *cost)
{
    if (cost->seconds < least->seconds)
        least->seconds = cost->seconds;
    if (cost->bytes < least->bytes)
        least->bytes = cost->bytes;
}

static int compare(const char *name, const char *path)
{
    struct cost bare = { 1e9, 1e18 }, load = bare, cost;
    struct stat status;
    if (stat(path, &status) != 0)
        return 1;
    for (int i = 0; i < RUNS; i++) {
        if (!measure(run_bare, path, &cost))
            return 1;
        keep_least(&bare, &cost);
        if (!measure(run_load, path, &cost))
            return 1;
        keep_least(&load, &cost);
    }
    double time = load.seconds / bare.seconds, memory = load.bytes / (double)status.st_size;
    bool fine = time <= time_bound && memory <= memory_bound;
    printf("%s: bare %.3f s, load %.3f s, ratio %.3f (at most %.2f); memory %.2f of the file (at most %.1f): "
           "%s\n",
           name, bare.seconds, load.seconds, time, time_bound, memory, memory_bound,
           fine ? "ok" : "TOO MUCH");
    return !fine;
}

int main(void)
{
    char folder[] = "/tmp/bench-load-XXXXXX", path[64];
    if (!mkdtemp(folder)) {
        perror("mkdtemp");
        return 1;
    }
    snprintf(path, sizeof path, "%s/pack.yaml", folder);
    int failed = !generate(path, latin, sizeof latin / sizeof *latin) || compare("ascii", path);
    failed |= !generate(path, cyrillic, sizeof cyrillic / sizeof *cyrillic) || compare("cyrillic", path);
    unlink(path);
    rmdir(folder);
    return failed;
}
