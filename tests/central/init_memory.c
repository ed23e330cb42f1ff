/* init_memory ADDRESS: makes a central store while the n-th allocation fails, for every n until none does:
 * what does not get through says that memory ran out. Prints how many there are. */
#include <quiztutor/central.h>
#include <quiztutor/memory.h>
#include <stdio.h>
#include <stdlib.h>

/* False: it was made without a failing allocation. */
static bool round_of(const char *address, long n)
{
    static const char *const machines[] = { "init_m", "init_n" }, *const tutors[] = { "init_t" };
    static const struct store_retention retention[] = { { "tour", 0.8 }, { "other", 0.95 } };
    static const struct store_scheduling scheduling = { 300, 0.9, retention, 2 };
    static const struct central_setup setup = { "Elm", machines, tutors, 2, 1, &scheduling };
    struct error error = { .code = ERROR_NONE };
    memory_fail_once(n);
    bool done = central_init(address, &setup, &error);
    bool failed = memory_failed();
    memory_fail_after(0);
    if (done != !failed || (!done && error.code != ERROR_MEMORY)) {
        fprintf(stderr, "allocation %ld: %s\n", n, done ? "was not missed" : error.message);
        exit(1);
    }
    return failed;
}

int main(int argc, char **argv)
{
    long n = 1;
    if (argc != 2) {
        fputs("init_memory ADDRESS\n", stderr);
        return 1;
    }
    central_add_postgres();
    while (round_of(argv[1], n))
        n++;
    printf("%ld\n", n - 1);
    return 0;
}
