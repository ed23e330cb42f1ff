#include "writer.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <string.h>

enum { PIECE = 16384, USUAL_COLUMNS = 80, FEWEST_COLUMNS = 20 };

static bool hand_over(struct writer *writer)
{
    if (writer->out.failed)
        return error_memory(writer->error);
    if (writer->out.length &&
        !writer->sink->put(writer->sink->context, writer->out.data, writer->out.length, writer->error))
        return false;
    buffer_clear(&writer->out);
    return true;
}

bool writer_pass(struct writer *writer)
{
    return writer->out.length < PIECE && !writer->out.failed ? true : hand_over(writer);
}

void writer_text(struct buffer *out, const char *text)
{
    ptrdiff_t length = (ptrdiff_t)strlen(text);
    for (ptrdiff_t at = 0, from = 0; from < length;) {
        int32_t code = 0;
        int bytes = 0;
        while (at < length) {
            bytes = 1;
            if ((unsigned char)text[at] >= 0x80)
                bytes = text_decode(text + at, length - at, &code);
            if (code == TEXT_BAD)
                break;
            at += bytes;
        }
        buffer_add(out, text + from, at - from);
        if (at < length) {
            text_encode(out, TEXT_BAD);
            at += bytes;
        }
        from = at;
    }
}

static bool (*writers[REPORT_TO])(struct writer *writer) = {
    [TO_TEXT] = write_text,
    [TO_CSV] = write_csv,
    [TO_JSON] = write_json,
    [TO_HTML] = write_html,
};

void writer_add_pdf(bool (*write)(struct writer *writer))
{
    writers[TO_PDF] = write;
}

bool report_writes(enum report_to to)
{
    return to < REPORT_TO && writers[to];
}

bool report_write(const struct report *report, enum report_to to, const struct report_look *look,
                  const struct report_sink *sink, struct error *error)
{
    struct writer writer = { .report = report, .sink = sink, .error = error };
    if (look)
        writer.look = *look;
    if (writer.look.columns <= 0)
        writer.look.columns = USUAL_COLUMNS;
    else if (writer.look.columns < FEWEST_COLUMNS)
        writer.look.columns = FEWEST_COLUMNS;
    if (!report_writes(to))
        return error_set(error, ERROR_USAGE, "%s",
                         tr("this program writes reports as text, csv, json and html only"));
    buffer_init(&writer.out);
    bool written = writers[to](&writer) && hand_over(&writer);
    buffer_finish(&writer.out);
    return written;
}
