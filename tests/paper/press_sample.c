/*
 * press_sample PACK OUT [WORD…]: sets a pack as PDF without a store. Words: letter, boxes, large, no-key,
 * key-only, untagged, starve (once for each allocation, which then fails); seed=N, limit=N, copies=N,
 * learner=NAME. Prints the peak memory in KiB.
 */
#include <quiztutor/diagnostic.h>
#include <quiztutor/message.h>
#include <quiztutor/sheet.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

struct wish {
    struct sheet_look look;
    struct sheet_choice choice;
    int copies;
    bool tagged, starve;
};

static bool put(void *file, const char *bytes, ptrdiff_t length, struct error *error)
{
    return fwrite(bytes, 1, (size_t)length, file) == (size_t)length ||
           error_set(error, ERROR_IO, "can't be written");
}

static bool take_word(struct wish *wish, char *word)
{
    char *value = strchr(word, '=');
    if (strcmp(word, "letter") == 0)
        wish->look.size = SHEET_LETTER;
    else if (strcmp(word, "boxes") == 0)
        wish->look.boxes = true;
    else if (strcmp(word, "large") == 0)
        wish->look.large = true;
    else if (strcmp(word, "no-key") == 0)
        wish->look.no_key = true;
    else if (strcmp(word, "key-only") == 0)
        wish->look.key_only = true;
    else if (strcmp(word, "untagged") == 0)
        wish->tagged = false;
    else if (strcmp(word, "starve") == 0)
        wish->starve = true;
    else if (value && strncmp(word, "seed=", 5) == 0)
        wish->choice.seed = (uint32_t)strtoul(value + 1, NULL, 10);
    else if (value && strncmp(word, "limit=", 6) == 0)
        wish->choice.limit = atoi(value + 1);
    else if (value && strncmp(word, "copies=", 7) == 0)
        wish->copies = atoi(value + 1);
    else if (value && strncmp(word, "learner=", 8) == 0)
        wish->look.learner = value + 1;
    else
        return false;
    return true;
}

static bool print(const struct pack *pack, struct wish *wish, FILE *file, struct error *error)
{
    struct sheet_sink sink = { put, file };
    struct sheet_printer *printer = NULL;
    const struct sheet_press *press = sheet_press();
    char body[SHEET_BODY + 1];
    bool done = (sheet_body(body, pack, NULL) || error_memory(error)) &&
                press->start(&printer, pack, &wish->look, wish->tagged, &sink, error);
    wish->choice.body = body;
    for (int i = 0; done && i < wish->copies; i++) {
        struct sheet sheet;
        done =
            sheet_make(&sheet, pack, &wish->choice, error) && press->add(printer, &sheet, &wish->look, error);
        sheet_finish(&sheet);
        wish->choice.seed++;
    }
    done = done && press->end(printer, error);
    press->destroy(printer);
    return done;
}

/* Without memory from the n-th allocation on, for ever later n: it must be told, until it is not reached. */
static bool starve(const struct pack *pack, const struct wish *wish, FILE *file, struct error *error)
{
    for (long n = 1;; n += 1 + n / 16) {
        struct wish copy = *wish;
        struct error seen = { .code = ERROR_NONE };
        memory_fail_after(n);
        bool done = print(pack, &copy, file, &seen);
        memory_fail_after(0);
        if (done)
            return n > 50 || error_set(error, ERROR_DAMAGED, "only %ld allocations", n);
        if (seen.code != ERROR_MEMORY)
            return error_set(error, ERROR_DAMAGED, "allocation %ld: %s", n, seen.message);
    }
}

int main(int argc, char **argv)
{
    struct wish wish = { .choice = { .seed = 1 }, .copies = 1, .tagged = true };
    struct error error = { .code = ERROR_NONE };
    struct diagnostics list;
    struct pack *pack;
    struct rusage usage;
    message_start();
    for (int i = 3; i < argc; i++)
        if (!take_word(&wish, argv[i])) {
            fprintf(stderr, "no such word: %s\n", argv[i]);
            return 2;
        }
    diagnostics_init(&list);
    sheet_add_press();
    FILE *file = argc > 2 ? fopen(argv[2], "wb") : NULL;
    if (!file || !pack_load(&pack, argv[1], &list, &error)) {
        for (ptrdiff_t i = 0; i < list.count; i++)
            fprintf(stderr, "%d: %s\n", list.items[i].line, list.items[i].message);
        fprintf(stderr, "can't begin: %s\n", error.message);
        return 2;
    }
    bool done = wish.starve ? starve(pack, &wish, file, &error) : print(pack, &wish, file, &error);
    if (fclose(file) != 0 && done)
        done = error_set(&error, ERROR_IO, "can't be written");
    if (!done)
        fprintf(stderr, "%s\n", error.message);
    pack_destroy(pack);
    diagnostics_finish(&list);
    getrusage(RUSAGE_SELF, &usage);
    printf("%ld\n", usage.ru_maxrss);
    return done ? 0 : 1;
}
