#include "xml_write.h"

#include <quiztutor/number.h>

#include <libxml/xmlwriter.h>
#include <string.h>

static int append(void *context, const char *bytes, int length)
{
    buffer_add(context, bytes, length);
    return length;
}

static void note(struct xml_write *write, int result)
{
    write->failed = write->failed || result < 0;
}

void xml_write_begin(struct xml_write *write, struct buffer *out)
{
    xmlOutputBufferPtr output = xmlOutputBufferCreateIO(append, NULL, out, NULL);
    write->writer = output ? xmlNewTextWriter(output) : NULL;
    write->failed = !write->writer;
    if (!write->writer) {
        if (output)
            xmlOutputBufferClose(output);
        return;
    }
    xmlTextWriterSetIndent(write->writer, 1);
    xmlTextWriterSetIndentString(write->writer, (const xmlChar *)"  ");
    note(write, xmlTextWriterStartDocument(write->writer, "1.0", "UTF-8", NULL));
}

bool xml_write_end(struct xml_write *write)
{
    if (!write->writer)
        return false;
    note(write, xmlTextWriterEndDocument(write->writer));
    note(write, xmlTextWriterFlush(write->writer));
    xmlFreeTextWriter(write->writer);
    write->writer = NULL;
    return !write->failed;
}

void xml_write_open(struct xml_write *write, const char *name)
{
    if (write->writer)
        note(write, xmlTextWriterStartElement(write->writer, (const xmlChar *)name));
}

void xml_write_attribute(struct xml_write *write, const char *name, const char *value)
{
    if (write->writer)
        note(write,
             xmlTextWriterWriteAttribute(write->writer, (const xmlChar *)name, (const xmlChar *)value));
}

void xml_write_close(struct xml_write *write)
{
    if (write->writer)
        note(write, xmlTextWriterEndElement(write->writer));
}

void xml_write_text(struct xml_write *write, const char *text)
{
    if (write->writer)
        note(write, xmlTextWriterWriteString(write->writer, (const xmlChar *)text));
}

void xml_write_element(struct xml_write *write, const char *name, const char *text)
{
    xml_write_open(write, name);
    xml_write_text(write, text ? text : "");
    xml_write_close(write);
}

void xml_write_number(struct xml_write *write, const char *name, double value)
{
    char digits[NUMBER_PLAIN];
    number_plain(digits, value);
    xml_write_element(write, name, digits);
}

void xml_write_number_attribute(struct xml_write *write, const char *name, double value)
{
    char digits[NUMBER_PLAIN];
    number_plain(digits, value);
    xml_write_attribute(write, name, digits);
}

void xml_write_html(struct xml_write *write, const char *html)
{
    struct buffer plain;
    buffer_init(&plain);
    for (const char *at = html; *at;) {
        const char *next = strstr(at, "&nbsp;");
        ptrdiff_t length = next ? next - at : (ptrdiff_t)strlen(at);
        buffer_add(&plain, at, length);
        if (next)
            buffer_text(&plain, "&#160;");
        at += length + (next ? 6 : 0);
    }
    write->failed = write->failed || plain.failed;
    if (write->writer && !plain.failed)
        note(write, xmlTextWriterWriteRaw(write->writer, (const xmlChar *)buffer_get(&plain)));
    buffer_finish(&plain);
}
