/* Runs a fuzz target over files, and over all files of folders, as an ordinary test. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static int count;

static int replay_file(const char *path, off_t size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc((size_t)size + 1);
    if (!file || !bytes || fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        fprintf(stderr, "%s: can't be read\n", path);
        free(bytes);
        if (file)
            fclose(file);
        return 1;
    }
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, (size_t)size);
    free(bytes);
    count++;
    return 0;
}

static int replay(const char *path, int depth)
{
    struct stat status;
    if (stat(path, &status) != 0 || depth > 8) {
        fprintf(stderr, "%s: can't be read\n", path);
        return 1;
    }
    if (!S_ISDIR(status.st_mode))
        return replay_file(path, status.st_size);
    DIR *directory = opendir(path);
    int failed = directory == NULL;
    for (struct dirent *entry; directory && (entry = readdir(directory)) != NULL;) {
        char below[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        failed |= replay(below, depth + 1);
    }
    if (directory)
        closedir(directory);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++)
        failed |= replay(argv[i], 0);
    printf("%d inputs\n", count);
    return failed || count == 0;
}
