#include "curses_decoder.h"

#include <stdlib.h>
#include <string.h>

enum { ESC = 0x1b };

void decoder_init(struct decoder *decoder)
{
    memset(decoder, 0, sizeof *decoder);
}

static void decoder_emit(struct decoder *decoder, enum input_kind kind, int32_t key)
{
    if (decoder->count >= DECODER_QUEUE)
        return; /* the caller drains after each byte, so this is never reached; a lost key is the lesser evil
                 */
    struct input *input = &decoder->queue[(decoder->first + decoder->count++) % DECODER_QUEUE];
    memset(input, 0, sizeof *input);
    input->kind = kind;
    input->key = key;
}

bool decoder_next(struct decoder *decoder, struct input *input)
{
    if (decoder->count == 0)
        return false;
    *input = decoder->queue[decoder->first];
    decoder->first = (decoder->first + 1) % DECODER_QUEUE;
    decoder->count--;
    return true;
}

void decoder_flush(struct decoder *decoder)
{
    decoder->first = decoder->count = 0;
    memset(&decoder->shift, 0, sizeof decoder->shift);
    if (decoder->state == DECODER_ESCAPED)
        decoder->state = DECODER_LATE;
    else if (decoder->state != DECODER_PLAIN)
        decoder->late = true;
}

/* A key outside any sequence. In a paste only what is text passes, so that no pasted line can press a key. */
static void decoder_plain_key(struct decoder *decoder, int32_t key)
{
    if (!decoder->pasting)
        decoder_emit(decoder, INPUT_KEY, key);
    else if (key == KEY_CODE_ENTER)
        decoder_emit(decoder, INPUT_PASTE, '\n');
    else if (key == KEY_CODE_TAB)
        decoder_emit(decoder, INPUT_PASTE, ' ');
    else if (key >= 0x20 && key < KEY_CODE_ENTER)
        decoder_emit(decoder, INPUT_PASTE, key);
}

static void decoder_control(struct decoder *decoder, unsigned char byte)
{
    switch (byte) {
    case '\r':
    case '\n':
        decoder_plain_key(decoder, KEY_CODE_ENTER);
        break;
    case '\t':
        decoder_plain_key(decoder, KEY_CODE_TAB);
        break;
    case '\b':
    case 0x7f:
        decoder_plain_key(decoder, KEY_CODE_BACKSPACE);
        break;
    default:
        if (byte >= 1 && byte <= 26)
            decoder_plain_key(decoder, KEY_CODE_CONTROL_A + byte - 1);
    }
}

/* A byte outside any sequence: a control, or part of a character in the locale's encoding. */
static void decoder_plain(struct decoder *decoder, unsigned char byte)
{
    decoder->state = DECODER_PLAIN;
    if (byte < 0x20 || byte == 0x7f) {
        memset(&decoder->shift, 0, sizeof decoder->shift);
        decoder_control(decoder, byte);
        return;
    }
    /* A broken character is given up at the byte that breaks it, and that byte is looked at once more by
     * itself. */
    for (int attempt = 0; attempt < 2; attempt++) {
        bool fresh = mbsinit(&decoder->shift) != 0;
        wchar_t wide;
        size_t got = mbrtowc(&wide, (const char *)&byte, 1, &decoder->shift);
        if (got == (size_t)-2)
            return;
        if (got != (size_t)-1) {
            if (wide >= 0x20 && !(wide >= 0x7f && wide < 0xa0) && wide < KEY_CODE_ENTER)
                decoder_plain_key(decoder, (int32_t)wide);
            return;
        }
        memset(&decoder->shift, 0, sizeof decoder->shift);
        if (fresh)
            return;
    }
}

/* Letters that end CSI and SS3 sequences of keys. */
static int32_t decoder_letter_key(char final)
{
    switch (final) {
    case 'A':
        return KEY_CODE_UP;
    case 'B':
        return KEY_CODE_DOWN;
    case 'C':
        return KEY_CODE_RIGHT;
    case 'D':
        return KEY_CODE_LEFT;
    case 'H':
        return KEY_CODE_HOME;
    case 'F':
        return KEY_CODE_END;
    case 'P':
    case 'Q':
    case 'R':
    case 'S':
        return KEY_CODE_F1 + (final - 'P');
    default:
        return 0;
    }
}

/* Numbers before a tilde, as vt220 and xterm send them. */
static int32_t decoder_number_key(int number)
{
    static const int32_t keys[] = {
        [1] = KEY_CODE_HOME,      [3] = KEY_CODE_DELETE,   [4] = KEY_CODE_END,      [5] = KEY_CODE_PAGE_UP,
        [6] = KEY_CODE_PAGE_DOWN, [7] = KEY_CODE_HOME,     [8] = KEY_CODE_END,      [11] = KEY_CODE_F1,
        [12] = KEY_CODE_F1 + 1,   [13] = KEY_CODE_F1 + 2,  [14] = KEY_CODE_F1 + 3,  [15] = KEY_CODE_F1 + 4,
        [17] = KEY_CODE_F1 + 5,   [18] = KEY_CODE_F1 + 6,  [19] = KEY_CODE_F1 + 7,  [20] = KEY_CODE_F1 + 8,
        [21] = KEY_CODE_F1 + 9,   [23] = KEY_CODE_F1 + 10, [24] = KEY_CODE_F1 + 11,
    };
    bool known = number >= 0 && number < (int)(sizeof keys / sizeof *keys);
    return known ? keys[number] : 0;
}

static void decoder_sequence_key(struct decoder *decoder, int32_t key)
{
    if (key && !decoder->late && !decoder->pasting)
        decoder_emit(decoder, INPUT_KEY, key);
}

static void decoder_csi(struct decoder *decoder, char final)
{
    decoder->state = DECODER_PLAIN;
    if (decoder->parameter_count > DECODER_PARAMETERS)
        return;
    decoder->parameters[decoder->parameter_count] = '\0';
    char *rest;
    long first = strtol(decoder->parameters, &rest, 10);
    long second = *rest == ';' ? strtol(rest + 1, &rest, 10) : 0;
    int number = first < 0 || first > 9999 ? 0 : (int)first;
    if (final == 'R' && second > 0 && decoder->report_awaited) {
        decoder->report_awaited = false;
        decoder->report_arrived = true;
        decoder->report_row = number;
        decoder->report_column = second > 9999 ? 9999 : (int)second;
    } else if (final == '~' && (number == 200 || number == 201)) {
        decoder->pasting = number == 200;
    } else if (final == '~') {
        decoder_sequence_key(decoder, decoder_number_key(number));
    } else if (decoder->parameter_count == 0 || second > 0) {
        decoder_sequence_key(decoder, decoder_letter_key(final));
    }
}

/* The sequence did not become one. After an Escape that was handed out, its introducer alone was a key that a
 * person pressed; what came together with its ESC, or has parameters, was not typed by hand and is dropped.
 */
static void decoder_give_up(struct decoder *decoder)
{
    char introducer = decoder->state == DECODER_CSI ? '[' : 'O';
    bool typed = decoder->late && decoder->parameter_count == 0 &&
                 (decoder->state == DECODER_CSI || decoder->state == DECODER_SS3);
    decoder->state = DECODER_PLAIN;
    if (typed)
        decoder_plain_key(decoder, introducer);
}

static void decoder_introduce(struct decoder *decoder, unsigned char byte, bool late)
{
    decoder->state = byte == '[' ? DECODER_CSI : DECODER_SS3;
    decoder->late = late;
    decoder->parameter_count = 0;
}

static void decoder_collect(struct decoder *decoder, unsigned char byte)
{
    if (decoder->parameter_count < DECODER_PARAMETERS)
        decoder->parameters[decoder->parameter_count] = (char)byte;
    if (decoder->parameter_count <= DECODER_PARAMETERS)
        decoder->parameter_count++;
}

/* Keypad and function keys end an SS3 sequence with these. */
static bool decoder_ss3_final(unsigned char byte)
{
    return (byte >= 'A' && byte <= 'F') || byte == 'H' || byte == 'M' || (byte >= 'P' && byte <= 'S') ||
           (byte >= 'j' && byte <= 'y');
}

static void decoder_ss3(struct decoder *decoder, unsigned char byte)
{
    decoder->state = DECODER_PLAIN;
    static const char keypad[] = "*+,-./0123456789"; /* what j to y stand for */
    if (byte == 'M')
        decoder_sequence_key(decoder, KEY_CODE_ENTER);
    else if (byte >= 'j')
        decoder_sequence_key(decoder, keypad[byte - 'j']);
    else
        decoder_sequence_key(decoder, decoder_letter_key((char)byte));
}

/* A byte inside a sequence; false when it does not belong there. */
static bool decoder_inside(struct decoder *decoder, unsigned char byte)
{
    bool parameter = byte >= 0x20 && byte < 0x40;
    switch (decoder->state) {
    case DECODER_ESCAPED:
    case DECODER_LATE:
        if (byte != '[' && byte != 'O')
            return false;
        decoder_introduce(decoder, byte, decoder->state == DECODER_LATE);
        return true;
    case DECODER_CSI:
        if (parameter)
            decoder_collect(decoder, byte);
        else if (byte == '[' && decoder->parameter_count == 0)
            decoder->state = DECODER_CONSOLE;
        else if (byte >= 0x40 && byte < 0x7f)
            decoder_csi(decoder, (char)byte);
        else
            return false;
        return true;
    case DECODER_SS3:
        if (decoder_ss3_final(byte))
            decoder_ss3(decoder, byte);
        else if ((byte >= '0' && byte <= '9') || byte == ';')
            decoder_collect(decoder, byte);
        else
            return false;
        return true;
    case DECODER_CONSOLE:
        decoder->state = DECODER_PLAIN;
        if (byte >= 'A' && byte <= 'E')
            decoder_sequence_key(decoder, KEY_CODE_F1 + (byte - 'A'));
        return byte >= 'A' && byte <= 'E';
    case DECODER_PLAIN:
    default:
        return false;
    }
}

/* Something has come: what waited too long for it goes first. An ESC still held is left alone, since whoever
 * reads the terminal calls decoder_time when nothing follows: what comes now came together with it. */
static void decoder_arrive(struct decoder *decoder, int64_t now)
{
    if (decoder->state != DECODER_ESCAPED || decoder->pasting)
        decoder_time(decoder, now);
    decoder->since = now;
}

/* Ends a sequence that something else has broken into. */
static void decoder_break(struct decoder *decoder)
{
    if (decoder->state == DECODER_ESCAPED && !decoder->pasting)
        decoder_emit(decoder, INPUT_KEY, KEY_CODE_ESCAPE);
    if (decoder->state == DECODER_CSI || decoder->state == DECODER_SS3)
        decoder_give_up(decoder);
    decoder->state = DECODER_PLAIN;
}

void decoder_byte(struct decoder *decoder, unsigned char byte, int64_t now)
{
    decoder_arrive(decoder, now);
    if (byte != ESC && decoder_inside(decoder, byte))
        return;
    decoder_break(decoder);
    if (byte == ESC) {
        memset(&decoder->shift, 0, sizeof decoder->shift);
        decoder->state = DECODER_ESCAPED;
        return;
    }
    decoder_plain(decoder, byte);
}

void decoder_key(struct decoder *decoder, int32_t key, int64_t now)
{
    decoder_arrive(decoder, now);
    decoder_break(decoder);
    memset(&decoder->shift, 0, sizeof decoder->shift);
    decoder_plain_key(decoder, key);
}

void decoder_paste(struct decoder *decoder, bool begins, int64_t now)
{
    decoder_arrive(decoder, now);
    decoder_break(decoder);
    decoder->pasting = begins;
}

/* How long the present state may last without another byte. */
static int64_t decoder_limit(const struct decoder *decoder)
{
    if (decoder->pasting)
        return DECODER_PASTE_MS;
    if (decoder->state == DECODER_ESCAPED)
        return decoder->report_awaited ? DECODER_REPORT_MS : 0;
    return decoder->state == DECODER_PLAIN ? -1 : DECODER_LATE_MS;
}

void decoder_time(struct decoder *decoder, int64_t now)
{
    /* each turn steps one state down: paste, ESC, late, plain */
    for (int64_t limit; (limit = decoder_limit(decoder)) >= 0 && now - decoder->since >= limit;) {
        if (decoder->pasting) {
            decoder->pasting = false;
            decoder->state = DECODER_PLAIN;
        } else if (decoder->state == DECODER_ESCAPED) {
            decoder_emit(decoder, INPUT_KEY, KEY_CODE_ESCAPE);
            decoder->state = DECODER_LATE;
        } else {
            decoder_give_up(decoder);
        }
    }
}

int decoder_wait(const struct decoder *decoder, int64_t now)
{
    int64_t limit = decoder_limit(decoder);
    if (limit < 0)
        return -1;
    int64_t left = decoder->since + limit - now;
    return left < 0 ? 0 : (int)left;
}
