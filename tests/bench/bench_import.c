/*
 * Importing GIFT against reading the same questions as a pack: 10,000 questions of all types that GIFT has,
 * in children of their own by turns, the smallest CPU time of each. Importing is all that the command does:
 * reading, writing YAML, checking that it loads. Then a file five times as large, which must take no more
 * than its share. Fails above the bounds.
 */
#include <quiztutor/exchange.h>
#include <quiztutor/message.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUNS = 7, QUESTIONS = 10000 };

static const double bound = 2.0, linear = 1.3;

static const char *const words[] = { "every",  "device", "keeps",    "a",        "copy",   "of",
                                     "the",    "model",  "splits",   "layers",   "tensor", "stage",
                                     "batch",  "share",  "gradient", "pipeline", "idle",   "while",
                                     "others", "bubble", "link",     "slow",     "memory", "wide" };
static uint32_t state = 1;

static void text(struct buffer *out, int count)
{
    for (int i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        buffer_print(out, "%s%s", i ? " " : "", words[(state >> 8) % (sizeof words / sizeof *words)]);
    }
}

static void question(struct buffer *out, int number)
{
    if (number % 100 == 0)
        buffer_print(out, "$CATEGORY: $course$/top/Week %d\n\n", number / 100 + 1);
    buffer_print(out, "// question: %d\n::q%d::", number, number);
    text(out, 12);
    switch (number % 5) {
    case 0:
    case 1:
        buffer_text(out, "{\n");
        for (int i = 0; i < 4; i++) {
            buffer_print(out, "\t%c%d ", i == 1 ? '=' : '~', i);
            text(out, 6);
            buffer_text(out, "#");
            text(out, 9);
            buffer_text(out, "\n");
        }
        break;
    case 2:
        buffer_print(out, "{#%d:0.5\n", number);
        break;
    case 3:
        buffer_text(out, "{=");
        text(out, 2);
        buffer_text(out, " =%0%no#");
        text(out, 8);
        buffer_text(out, "\n");
        break;
    default:
        buffer_text(out, number % 2 ? "{TRUE#" : "{FALSE#");
        text(out, 8);
    }
    buffer_text(out, "####");
    text(out, 30);
    buffer_text(out, "\n}\n\n");
}

static struct buffer gift, yaml;

/* What the command does, its report apart. */
static bool run_import(void)
{
    struct import import;
    struct diagnostics list;
    struct error error;
    struct buffer out;
    struct pack *pack = NULL;
    import_init(&import, "quiz.gift");
    diagnostics_init(&list);
    buffer_init(&out);
    bool done = gift_read(&import, buffer_get(&gift), gift.length, &error);
    import_name_pack(&import);
    done = done && exchange_write_import(&out, &import);
    done = done && pack_load_bytes(&pack, "quiz.yaml", buffer_get(&out), out.length, &list, &error);
    if (done && !yaml.length)
        buffer_add(&yaml, buffer_get(&out), out.length);
    pack_destroy(pack);
    buffer_finish(&out);
    diagnostics_finish(&list);
    import_finish(&import);
    return done;
}

static bool run_load(void)
{
    struct diagnostics list;
    struct error error;
    struct pack *pack;
    diagnostics_init(&list);
    bool done = pack_load_bytes(&pack, "quiz.yaml", buffer_get(&yaml), yaml.length, &list, &error);
    pack_destroy(pack);
    diagnostics_finish(&list);
    return done;
}

/* Seconds of CPU that one way takes in a child; below 0: it failed. */
static double measure(bool (*run)(void))
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(run() ? 0 : 1);
    int status;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status))
        return -1;
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
           ((double)usage.ru_utime.tv_usec + (double)usage.ru_stime.tv_usec) / 1e6;
}

/* Makes the file and its pack; false where it can't be imported. */
static bool prepare(int count)
{
    buffer_clear(&gift);
    buffer_clear(&yaml);
    for (int i = 0; i < count; i++)
        question(&gift, i);
    return !gift.failed && run_import();
}

static bool compare(int count, double *import, double *load)
{
    *import = *load = 1e9;
    if (!prepare(count))
        return false;
    for (int i = 0; i < RUNS; i++) {
        double one = measure(run_import), other = measure(run_load);
        if (one < 0 || other < 0)
            return false;
        *import = one < *import ? one : *import;
        *load = other < *load ? other : *load;
    }
    return true;
}

int main(void)
{
    double import, load, large, unused;
    message_start();
    buffer_init(&gift);
    buffer_init(&yaml);
    if (!compare(QUESTIONS, &import, &load)) {
        fputs("the questions can't be imported\n", stderr);
        return 1;
    }
    double ratio = import / load;
    printf("%d questions, %.1f MB of GIFT: import %.1f ms, the pack alone %.1f ms, ratio %.2f (at most "
           "%.1f): %s\n",
           QUESTIONS, (double)gift.length / 1e6, import * 1e3, load * 1e3, ratio, bound,
           ratio <= bound ? "ok" : "TOO MUCH");
    if (!compare(5 * QUESTIONS, &large, &unused))
        return 1;
    double growth = large / import / 5;
    printf("%d questions: import %.1f ms, %.2f of five times that (at most %.1f): %s\n", 5 * QUESTIONS,
           large * 1e3, growth, linear, growth <= linear ? "ok" : "TOO MUCH");
    buffer_finish(&gift);
    buffer_finish(&yaml);
    return ratio > bound || growth > linear;
}
