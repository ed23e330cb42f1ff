#include "machine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kd.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { ENTRIES = 65535 /* of a console's map */, GLYPHS = 512, CELL = 32 };

/* How many glyphs the font has: the map may name more, which are not there. */
static int font_glyphs(int fd)
{
    struct console_font_op op = {
        .op = KD_FONT_OP_GET, .width = CELL, .height = CELL, .charcount = GLYPHS, .data = NULL
    };
    return ioctl(fd, KDFONTOP, &op) == 0 && op.charcount > 0 ? (int)op.charcount : GLYPHS;
}

static bool font_of(int fd, struct machine_font *font)
{
    struct unimapdesc map = { .entry_ct = ENTRIES };
    char type;
    if (ioctl(fd, KDGKBTYPE, &type) != 0)
        return false;
    map.entries = memory_alloc((ptrdiff_t)sizeof *map.entries * ENTRIES);
    font->codes = memory_alloc((ptrdiff_t)sizeof *font->codes * ENTRIES);
    font->count = 0;
    bool done = map.entries && font->codes && ioctl(fd, GIO_UNIMAP, &map) == 0;
    int glyphs = done ? font_glyphs(fd) : 0;
    for (int i = 0; done && i < map.entry_ct; i++)
        if (map.entries[i].fontpos < glyphs)
            font->codes[font->count++] = map.entries[i].unicode;
    memory_free(map.entries);
    if (!done)
        memory_free(font->codes);
    return done;
}

/* Of the console that this is typed on, else of the one that a kiosk has. */
static bool system_font(struct machine_font *font)
{
    if (font_of(STDIN_FILENO, font))
        return true;
    int fd = open("/dev/tty1", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    bool done = fd >= 0 && font_of(fd, font);
    if (fd >= 0)
        close(fd);
    return done;
}

struct machine machine_system(void)
{
    return (struct machine){
        .root = "",
        .status = lstat,
        .files = statfs,
        .attribute = lgetxattr,
        .font = system_font,
        .lock = lock_probe,
        .clock = clock_system(),
    };
}

bool machine_path(const struct machine *machine, char path[static MACHINE_PATH], const char *rest)
{
    return snprintf(path, MACHINE_PATH, "%s%s", machine->root, rest) < MACHINE_PATH;
}

char *machine_read(const struct machine *machine, const char *rest)
{
    char path[MACHINE_PATH];
    errno = ENAMETOOLONG;
    int fd =
        machine_path(machine, path, rest) ? open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) : -1;
    char *text = fd < 0 ? NULL : memory_alloc(MACHINE_TEXT + 1);
    ssize_t length = 0, more = 1;
    if (fd >= 0 && !text)
        errno = ENOMEM;
    while (text && more > 0 && length < MACHINE_TEXT) {
        more = read(fd, text + length, (size_t)(MACHINE_TEXT - length));
        length += more > 0 ? more : 0;
    }
    int number = errno;
    if (text && more < 0) {
        memory_free(text);
        text = NULL;
    } else if (text) {
        text[length] = '\0';
        if (length && text[length - 1] == '\n')
            text[length - 1] = '\0';
    }
    if (fd >= 0)
        close(fd);
    errno = number;
    return text;
}

bool machine_link(const struct machine *machine, const char *rest, char target[static MACHINE_PATH])
{
    char path[MACHINE_PATH];
    ssize_t length = machine_path(machine, path, rest) ? readlink(path, target, MACHINE_PATH - 1) : -1;
    target[length < 0 ? 0 : length] = '\0';
    return length >= 0;
}
