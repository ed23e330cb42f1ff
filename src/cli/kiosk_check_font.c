/* What `kiosk --check` finds of the console's font: whether it has all characters of the packs. */
#include "kiosk_check.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <string.h>

enum { CODES = 0x110000, NAMED = 6 };

/* A bit for each character. */
struct characters {
    unsigned char bits[CODES / 8];
};

static void add_code(struct characters *set, int32_t code)
{
    if (code > ' ' && code < CODES)
        set->bits[code / 8] |= (unsigned char)(1 << code % 8);
}

static bool has_code(const struct characters *set, int32_t code)
{
    return set->bits[code / 8] & 1 << code % 8;
}

/* UTF-8, which packs are. */
static void add_text(struct characters *set, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (at && *at) {
        int more = *at < 0x80 ? 0 : *at < 0xe0 ? 1 : *at < 0xf0 ? 2 : 3;
        int32_t code = more ? *at & (0x3f >> more) : *at;
        for (at++; more && (*at & 0xc0) == 0x80; more--)
            code = code << 6 | (*at++ & 0x3f);
        add_code(set, code);
    }
}

/* All that is shown of a pack; its JSON has characters as they are. */
static bool add_pack(struct characters *set, const struct pack *pack)
{
    struct buffer body;
    bool done = true;
    add_text(set, pack->title);
    add_text(set, pack->description);
    for (int i = 0; i < pack->section_count; i++) {
        add_text(set, pack->sections[i].title);
        add_text(set, pack->sections[i].intro);
        add_text(set, pack->sections[i].intro_figure);
    }
    buffer_init(&body);
    for (int i = 0; done && i < pack->question_count; i++) {
        buffer_clear(&body);
        done = question_body(&pack->questions[i], &body) && !body.failed;
        add_text(set, buffer_get(&body));
    }
    buffer_finish(&body);
    return done;
}

/* How many are missing, and the first of them in words. */
static int find_missing(const struct characters *wanted, const struct characters *there, struct buffer *words)
{
    int count = 0;
    for (int32_t code = 0; code < CODES; code++) {
        char text[5] = "";
        int32_t c = code;
        if (!has_code(wanted, code) || has_code(there, code) || ++count > NAMED)
            continue;
        if (c < 0x80)
            snprintf(text, sizeof text, "%c", (char)c);
        else if (c < 0x800)
            snprintf(text, sizeof text, "%c%c", (char)(0xc0 | c >> 6), (char)(0x80 | (c & 0x3f)));
        else if (c < 0x10000)
            snprintf(text, sizeof text, "%c%c%c", (char)(0xe0 | c >> 12), (char)(0x80 | (c >> 6 & 0x3f)),
                     (char)(0x80 | (c & 0x3f)));
        else
            snprintf(text, sizeof text, "%c%c%c%c", (char)(0xf0 | c >> 18), (char)(0x80 | (c >> 12 & 0x3f)),
                     (char)(0x80 | (c >> 6 & 0x3f)), (char)(0x80 | (c & 0x3f)));
        buffer_print(words, "%sU+%04X ", count > 1 ? ", " : "", (unsigned)code);
        text_visible(words, text, (ptrdiff_t)strlen(text));
    }
    if (count > NAMED)
        buffer_text(words, ", …");
    return count;
}

static void tell(struct check_finding *finding, const struct characters *wanted,
                 const struct characters *there)
{
    struct buffer words;
    buffer_init(&words);
    int missing = find_missing(wanted, there, &words);
    if (!missing) {
        check_found(finding, CHECK_GOOD, "%s", tr("it has all characters of the packs"));
    } else {
        check_found(
            finding, CHECK_BAD,
            ntr("it lacks %d character of the packs: %s", "it lacks %d characters of the packs: %s", missing),
            missing, buffer_get(&words));
        check_todo(
            finding, "%s",
            tr("choose a font that has them (FONTFACE in /etc/default/console-setup, then setupcon), or "
               "run the kiosk in a graphical terminal: quiztutor-kiosk(7)"));
    }
    buffer_finish(&words);
}

void check_font(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    struct machine_font font = { 0 };
    (void)row;
    if (!check->packs) {
        check_found(finding, CHECK_APART, "%s", tr("there are no packs to hold against it"));
        return;
    }
    if (!check->machine->font(&font)) {
        check_found(finding, CHECK_APART, "%s",
                    tr("there is no Linux console here whose font can be asked for"));
        return;
    }
    struct characters *sets = memory_zero(2 * (ptrdiff_t)sizeof *sets);
    bool done = sets != NULL;
    for (int i = 0; done && i < font.count; i++)
        add_code(&sets[1], font.codes[i]);
    for (ptrdiff_t i = 0; done && i < check->packs->count; i++)
        done = add_pack(&sets[0], check->packs->items[i].pack);
    if (done)
        tell(finding, &sets[0], &sets[1]);
    else
        check_found(finding, CHECK_UNKNOWN, "%s", tr("out of memory"));
    memory_free(sets);
    memory_free(font.codes);
}
