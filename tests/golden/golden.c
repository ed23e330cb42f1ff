/*
 * Golden screens: every scene at several sizes and with each set of signs, compared with the text kept beside
 * this file, and the pictures that the README shows, compared likewise. UPDATE_GOLDEN=1 writes them anew;
 * look at the difference before it is committed.
 *
 *   golden FOLDER PICTURES
 */
#include "samples.h"

#include <quiztutor/buffer.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static bool read_file(const char *path, struct buffer *out)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    char part[4096];
    for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;)
        buffer_add(out, part, (ptrdiff_t)got);
    fclose(file);
    return true;
}

static void first_difference(const char *path, const char *kept, const char *drawn)
{
    int line = 1;
    for (;; line++) {
        size_t one = strcspn(kept, "\n"), other = strcspn(drawn, "\n");
        if (one != other || memcmp(kept, drawn, one) != 0 || !kept[one] || !drawn[other]) {
            fprintf(stderr, "%s:%d:\n  kept  |%.*s|\n  drawn |%.*s|\n", path, line, (int)one, kept,
                    (int)other, drawn);
            return;
        }
        kept += one + 1;
        drawn += other + 1;
    }
}

static void compare(const char *folder, const char *name, const char *drawn)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const char *update = getenv("UPDATE_GOLDEN");
    struct buffer kept;
    buffer_init(&kept);
    bool there = read_file(path, &kept);
    if (there && strcmp(buffer_get(&kept), drawn) == 0) {
        /* as it should be */
    } else if (update && *update) {
        FILE *file = fopen(path, "wb");
        if (!file || fputs(drawn, file) < 0 || fclose(file) != 0) {
            fprintf(stderr, "%s: cannot be written\n", path);
            failures++;
        }
    } else {
        failures++;
        if (there)
            first_difference(path, buffer_get(&kept), drawn);
        else
            fprintf(stderr, "%s: not there; UPDATE_GOLDEN=1 writes it\n", path);
    }
    buffer_finish(&kept);
}

static void draw(const struct scene *scene, enum sign_set signs, int rows, int columns, struct grid *grid)
{
    struct view view;
    scene_start(scene, &view, signs, rows, columns);
    if (!grid_init(grid, rows, columns))
        abort();
    view_draw(&view, grid);
}

static void screens(const char *folder)
{
    static const struct {
        int rows, columns;
        enum sign_set signs;
        const char *name;
    } forms[] = {
        { 24, 80, SIGNS_UNICODE, "80x24" },         { 12, 40, SIGNS_UNICODE, "40x12" },
        { 40, 120, SIGNS_UNICODE, "120x40" },       { 24, 80, SIGNS_ASCII, "80x24-ascii" },
        { 24, 80, SIGNS_CONSOLE, "80x24-console" }, { 12, 40, SIGNS_ASCII, "40x12-ascii" },
    };
    for (int s = 0; s < scene_count; s++) {
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
            struct grid grid;
            struct buffer text;
            char name[128];
            draw(&scenes[s], forms[f].signs, forms[f].rows, forms[f].columns, &grid);
            buffer_init(&text);
            grid_print(&grid, &text, true);
            snprintf(name, sizeof name, "%s-%s.txt", scenes[s].name, forms[f].name);
            compare(folder, name, buffer_get(&text));
            buffer_finish(&text);
            grid_finish(&grid);
        }
    }
}

static void pictures(const char *folder)
{
    static const char *const names[] = { "home",       "question",      "explanation",  "summary",
                                         "certainty",  "exam",          "overview",     "paper-question",
                                         "progress",   "number-filled", "order-lifted", "match-given",
                                         "table-class" };
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const struct scene *scene = scenes;
        while (strcmp(scene->name, names[n]) != 0)
            scene++;
        for (int light = 0; light < 2; light++) {
            struct grid grid;
            struct buffer picture;
            char name[128];
            draw(scene, SIGNS_UNICODE, 24, 80, &grid);
            buffer_init(&picture);
            grid_svg(&grid, &picture, light);
            snprintf(name, sizeof name, "%s%s.svg", names[n], light ? "-light" : "");
            compare(folder, name, buffer_get(&picture));
            buffer_finish(&picture);
            grid_finish(&grid);
        }
    }
}

int main(int count, char **arguments)
{
    if (count != 3) {
        fprintf(stderr, "usage: golden FOLDER PICTURES\n");
        return 2;
    }
    setlocale(LC_ALL, "C.UTF-8");
    screens(arguments[1]);
    pictures(arguments[2]);
    if (failures)
        fprintf(stderr, "%d golden screens differ\n", failures);
    return failures ? 1 : 0;
}
