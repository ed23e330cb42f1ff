#include <quiztutor/exchange.h>

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <string.h>

const struct exchange_row exchange_rows[EXCHANGE_FORMATS] = {
    [EXCHANGE_GIFT] = { "gift", "GIFT", N_("Moodle's text format"), ".gift", true, true, false,
                        gift_recognise, NULL, false },
    [EXCHANGE_AIKEN] = { "aiken", "Aiken", N_("choices A to Z and a line ANSWER"), ".txt", true, false, false,
                         aiken_recognise, NULL, false },
    [EXCHANGE_MOODLE_XML] = { "moodle-xml", "Moodle XML", N_("Moodle's questions in full"), ".xml", true,
                              true, true, moodle_xml_recognise, "libxml2", false },
    [EXCHANGE_QTI12] = { "qti12", "QTI 1.2", N_("an older IMS format, as Canvas takes it"), ".xml", true,
                         true, true, qti12_recognise, "libxml2", false },
    [EXCHANGE_QTI21] = { "qti21", "QTI 2.1", N_("the IMS format of many systems, 2.1 and 2.2"), ".zip", true,
                         true, true, qti21_recognise, "libxml2, libzip", true },
    [EXCHANGE_QTI30] = { "qti30", "QTI 3.0", N_("the newest IMS format"), ".zip", true, false, true,
                         qti30_recognise, "libxml2, libzip", true },
    [EXCHANGE_ANKI] = { "anki", "Anki text", N_("notes as Anki writes and reads them"), ".txt", true, true,
                        false, anki_recognise, NULL, false },
    [EXCHANGE_APKG] = { "apkg", "Anki package", N_("a deck of Anki's, with its notes"), ".apkg", true, false,
                        true, apkg_recognise, "libzip", true },
    [EXCHANGE_CSV] = { "csv", "CSV", N_("a table with a row for each question"), ".csv", true, true, false,
                       csv_recognise, NULL, false },
    [EXCHANGE_MARKDOWN] = { "markdown", "Markdown", N_("questions as headings, choices as lists"), ".md",
                            true, true, false, markdown_recognise, NULL, false },
    [EXCHANGE_JSON] = { "json", "JSON", N_("the pack's own keys, nothing lost"), ".json", false, true, false,
                        NULL, NULL, false },
};

/* The light ones; heavy ones are added by exchange_heavy.c. */
static struct exchange_part parts[EXCHANGE_FORMATS] = {
    [EXCHANGE_AIKEN] = { aiken_read, NULL },
    [EXCHANGE_ANKI] = { anki_read, anki_write },
    [EXCHANGE_CSV] = { csv_read, csv_write },
    [EXCHANGE_GIFT] = { gift_read, gift_write },
    [EXCHANGE_MARKDOWN] = { markdown_read, markdown_write },
    [EXCHANGE_JSON] = { NULL, json_write },
};

void exchange_add(enum exchange_format format, const struct exchange_part *part)
{
    parts[format] = *part;
}

const struct exchange_part *exchange_part(enum exchange_format format)
{
    return parts[format].read || parts[format].write ? &parts[format] : NULL;
}

/* From the most telling one on: what XML and packages say of themselves can't be taken for another; CSV's
 * head row and Aiken's ANSWER lines come before GIFT's braces, which may stand in any text. */
static const enum exchange_format telling[] = { EXCHANGE_APKG,    EXCHANGE_QTI21,      EXCHANGE_QTI30,
                                                EXCHANGE_QTI12,   EXCHANGE_MOODLE_XML, EXCHANGE_ANKI,
                                                EXCHANGE_CSV,     EXCHANGE_AIKEN,      EXCHANGE_GIFT,
                                                EXCHANGE_MARKDOWN };

enum exchange_format exchange_find(const char *bytes, ptrdiff_t length)
{
    for (size_t i = 0; i < sizeof telling / sizeof *telling; i++) {
        exchange_recognise *recognise = exchange_rows[telling[i]].recognise;
        if (recognise && recognise(bytes, length))
            return telling[i];
    }
    return EXCHANGE_FORMATS;
}

/* Offset of the first byte that is not UTF-8, -1 for none. */
static ptrdiff_t bad_byte(const char *bytes, ptrdiff_t length)
{
    ptrdiff_t at = 0;
    while (at < length) {
        uint64_t eight;
        int32_t code;
        if (length - at >= (ptrdiff_t)sizeof eight) {
            memcpy(&eight, bytes + at, sizeof eight);
            if (!(eight & 0x8080808080808080u)) {
                at += (ptrdiff_t)sizeof eight;
                continue;
            }
        }
        int width = text_decode(bytes + at, length - at, &code);
        if (code == TEXT_BAD)
            return at;
        at += width;
    }
    return -1;
}

bool exchange_check_text(const char **bytes, ptrdiff_t *length, struct error *error)
{
    const char *text = *bytes;
    if (*length >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
        return error_set(error, ERROR_INPUT, "%s",
                         tr("it is in UTF-16; convert it first: iconv -f UTF-16 -t UTF-8 OLD > NEW"));
    ptrdiff_t bad = bad_byte(text, *length);
    if (bad >= 0) {
        int line = 1;
        for (const char *at = text; (at = memchr(at, '\n', (size_t)(text + bad - at))) != NULL; at++)
            line++;
        return error_set(error, ERROR_INPUT,
                         tr("byte %td (0x%02X, in line %d) is not UTF-8; convert the file first, from "
                            "Windows-1252 for example: iconv -f WINDOWS-1252 -t UTF-8 OLD > NEW"),
                         bad, (unsigned)(unsigned char)text[bad], line);
    }
    if (*length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        *bytes += 3;
        *length -= 3;
    }
    return true;
}
