/*
 * The least that showing a first question takes: libyaml's events over the pack, the store opened, ncurses
 * opened, a screen drawn. bench_first measures the program against it.
 *
 *   bare_first PACK STORE MARKER
 */
#include <curses.h>
#include <locale.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <yaml.h>

static int read_events(const char *path)
{
    yaml_parser_t parser;
    yaml_event_t event;
    int events = 0;
    FILE *file = fopen(path, "rb");
    if (!file || !yaml_parser_initialize(&parser))
        return -1;
    yaml_parser_set_input_file(&parser, file);
    for (bool more = true; more; events++) {
        if (!yaml_parser_parse(&parser, &event))
            return -1;
        more = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    fclose(file);
    return events;
}

static int open_store(const char *path)
{
    sqlite3 *database;
    sqlite3_stmt *statement;
    if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
        sqlite3_exec(database, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON",
                     NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(database, "SELECT count(*) FROM learner", -1, &statement, NULL) != SQLITE_OK)
        return -1;
    int row = sqlite3_step(statement);
    sqlite3_finalize(statement);
    return row == SQLITE_ROW ? 0 : -1; /* stays open, as the program's does */
}

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "");
    if (argc != 4 || read_events(argv[1]) < 0 || open_store(argv[2]) < 0)
        return 1;
    SCREEN *screen = newterm(NULL, stdout, stdin);
    if (!screen)
        return 1;
    raw();
    noecho();
    keypad(stdscr, TRUE);
    start_color();
    use_default_colors();
    for (int row = 0; row < LINES - 1; row++)
        mvprintw(row, 2, row == 3 ? "%s" : "a line of a screen like any other, as wide as a question",
                 argv[3]);
    refresh();
    pause();
    return 0;
}
