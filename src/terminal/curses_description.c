#include "curses_description.h"
#include "curses_keys.h"

#include <quiztutor/buffer.h>
#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

static const char *description_string(const char *capability)
{
    const char *value = tigetstr(capability);
    return value == (const char *)-1 ? NULL : value;
}

/* Looks a description up and lets it go again; true when the cursor can be placed with it. */
static bool description_able(const char *term, bool *known)
{
    int status = 0;
    /* a generic description is known although setupterm refuses it */
    *known = setupterm(term, STDOUT_FILENO, &status) == 0 || (status == 1 && cur_term);
    bool able = *known && description_string("cup") && tigetflag("gn") <= 0 && tigetflag("hc") <= 0;
    if (cur_term)
        del_curterm(cur_term);
    return able;
}

const char *description_name(struct error *error)
{
    static const char *asked,
        *answer; /* the last one found: it is asked for before opening, and then again */
    const char *term = getenv("TERM");
    if (answer && term == asked)
        return answer;
    if (!term || !*term) {
        error_set(error, ERROR_IO, tr("the kind of terminal is not known, since TERM is not set"));
        return NULL;
    }
    bool known, other_known;
    const char *found = NULL;
    if (description_able(term, &known))
        found = term;
    else if (!known && keys_is_emulator(term) && description_able("xterm-256color", &other_known))
        found = "xterm-256color";
    if (found) {
        asked = term;
        answer = found;
        return found;
    }
    struct buffer visible;
    buffer_init(&visible);
    text_visible(&visible, term, (ptrdiff_t)strnlen(term, 80));
    if (known)
        error_set(error, ERROR_IO, tr("the terminal \"%s\" can't place a cursor"), buffer_get(&visible));
    else
        error_set(error, ERROR_IO, tr("nothing is known of a terminal \"%s\""), buffer_get(&visible));
    buffer_finish(&visible);
    return NULL;
}

bool description_is_ansi(void)
{
    const char *place = description_string("cup");
    return place && strncmp(place, "\033[", 2) == 0;
}

/* Where description_collect writes to: tputs hands it a byte at a time and nothing else. */
static char *collected;
static int collected_length, collected_size;

static int description_collect(int byte)
{
    if (collected_length < collected_size)
        collected[collected_length++] = (char)byte;
    return byte;
}

int description_restore(char *bytes, int size)
{
    static const char *const capabilities[] = { "sgr0", "cnorm", "rmkx", "rmcup" };
    collected = bytes;
    collected_size = size;
    collected_length = 0;
    for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++) {
        const char *value = description_string(capabilities[i]);
        if (value)
            tputs(value, 1, description_collect);
    }
    return collected_length;
}
