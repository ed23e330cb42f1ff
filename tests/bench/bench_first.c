/*
 * How long until the first question of a pack of 1,000 is on the screen, as a ratio to the bare program's
 * time: minima over interleaved runs on a pty, from fork to the marker's arrival.
 *
 *   bench_first QUIZTUTOR BARE
 */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { QUESTIONS = 1000, RUNS = 11, PATIENCE_MS = 20000 };
static const double bound = 1.3;
static const char marker[] = "Zebrafish0";

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static bool write_pack(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fputs("format: quiztutor/1\nid: bench\ntitle: A pack of a thousand questions\nquestions:\n", file);
    for (int i = 0; i < QUESTIONS; i++)
        fprintf(file,
                "  - id: q%d\n    prompt: Zebrafish%d have stripes. Which of these is said of question "
                "number %d?\n"
                "    choices:\n      - correct: The answer with the number %d\n"
                "      - wrong: Another answer\n        feedback: That one is about another question.\n"
                "        misconception: other-question\n      - A third answer, of like length\n"
                "      - A fourth answer, to fill the list\n"
                "    explanation: The number in the prompt and the number in the answer are the same.\n"
                "    tags: [numbers]\n    source: made for measuring\n",
                i, i, i, i);
    return fclose(file) == 0;
}

/* Milliseconds until the program has shown the marker; negative when it did not. */
static double measure(char *const arguments[])
{
    struct winsize size = { .ws_row = 24, .ws_col = 80 };
    char seen[65536];
    size_t length = 0;
    int master;
    double start = now_ms(), took = -1;
    pid_t child = forkpty(&master, NULL, NULL, &size);
    if (child == 0) {
        execv(arguments[0], arguments);
        _exit(127);
    }
    if (child < 0)
        return -1;
    while (took < 0 && length < sizeof seen - 1) {
        struct pollfd wait = { .fd = master, .events = POLLIN };
        if (poll(&wait, 1, PATIENCE_MS) <= 0)
            break;
        ssize_t got = read(master, seen + length, sizeof seen - 1 - length);
        if (got <= 0)
            break;
        length += (size_t)got;
        seen[length] = '\0';
        if (memmem(seen, length, marker, strlen(marker)))
            took = now_ms() - start;
    }
    if (took < 0)
        fprintf(stderr, "%s showed no marker: %.*s\n", arguments[0], (int)length, seen);
    kill(child, SIGKILL);
    close(master);
    waitpid(child, NULL, 0);
    return took;
}

/* One answer, so that the store exists. */
static bool make_store(const char *program, const char *pack, const char *store)
{
    char command[2048];
    snprintf(command, sizeof command,
             "printf '1\\n' | '%s' practise --plain --seed 1 --store '%s' '%s' >/dev/null 2>&1", program,
             store, pack);
    return system(command) == 0;
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/bench-first-XXXXXX", pack[64], store[64], clean[128];
    double best[2] = { 1e9, 1e9 };
    int status = 1;
    if (argc != 3 || !mkdtemp(folder))
        return 1;
    snprintf(pack, sizeof pack, "%s/bench.yaml", folder);
    snprintf(store, sizeof store, "%s/store.db", folder);
    if (!write_pack(pack) || !make_store(argv[1], pack, store)) {
        fprintf(stderr, "the pack or the store could not be made\n");
        goto out;
    }
    char text_seed[] = "1", practise[] = "practise", seed[] = "--seed", all[] = "all", mode[] = "--mode",
         where[] = "--store", restart[] = "--restart", word[sizeof marker];
    memcpy(word, marker, sizeof marker);
    char *ours[] = { argv[1], practise, seed, text_seed, mode, all, restart, where, store, pack, NULL };
    char *bare[] = { argv[2], pack, store, word, NULL };
    for (int i = 0; i < RUNS; i++) {
        double times[2] = { measure(bare), measure(ours) };
        for (int k = 0; k < 2; k++) {
            if (times[k] < 0)
                goto out;
            best[k] = times[k] < best[k] ? times[k] : best[k];
        }
    }
    printf("first question of %d: %.2f ms, bare program %.2f ms, ratio %.2f (at most %.1f)\n", QUESTIONS,
           best[1], best[0], best[1] / best[0], bound);
    status = best[1] / best[0] <= bound ? 0 : 1;
out:
    snprintf(clean, sizeof clean, "rm -rf '%s'", folder);
    return system(clean) == 0 ? status : 1;
}
