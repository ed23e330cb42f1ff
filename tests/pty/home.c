#include "home.h"

#include <string.h>

bool home_reached(struct pty *pty)
{
    return pty_has(pty, "Your name or ID") && pty_has(pty, "F1 all keys");
}

/* Line by line, the last line says what is asked. */
static const char *keys_in_lines(struct pty *pty)
{
    char row[PTY_LINE] = "";
    for (int i = 23; i >= 0 && !*row; i--)
        pty_row(pty, i, row);
    if (strstr(row, "Your name or ID") || strstr(row, "or q to sign out"))
        return "\025q\n";
    return strstr(row, "Your PIN") || strstr(row, "tutor's code") || strstr(row, "Enter for")
               ? "\025\n"
               : "\025:finish\n";
}

const char *home_keys(struct pty *pty, int step)
{
    if (!pty_second_screen(pty))
        return keys_in_lines(pty);
    static const struct {
        const char *text, *keys;
    } ways[] = {
        { "Your PIN", "\033" },     { "The tutor's code", "\033" },
        { "All keys", "\033" },     { "Do this?", "\033" },
        { "Tutor's menu", "\033" }, { "Finish here?", "y" },
        { "ot stored", "\r" },      { "q sign out", "q" },
        { "Still there?", "\r" },   { "Go on where you stopped?", "\r" },
        { "Esc back", "\033" },     { "q finish", "q" },
        { "Enter go on", "\r" },
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (pty_has(pty, ways[i].text))
            return ways[i].keys;
    return step % 3 == 0 ? "\033" : step % 3 == 1 ? "q" : "\r";
}
