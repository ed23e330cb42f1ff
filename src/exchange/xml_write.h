/* Writes an XML document into a buffer: names, attributes and texts; escaping and indenting are its business.
 * What went wrong is told at the end. */
#ifndef QUIZTUTOR_EXCHANGE_XML_WRITE_H
#define QUIZTUTOR_EXCHANGE_XML_WRITE_H

#include <quiztutor/buffer.h>

struct xml_write {
    void *writer; /* the library's; NULL: no memory */
    bool failed;
};

void xml_write_begin(struct xml_write *write, struct buffer *out);
/* False: no memory. */
bool xml_write_end(struct xml_write *write);

void xml_write_open(struct xml_write *write, const char *name);
void xml_write_attribute(struct xml_write *write, const char *name, const char *value);
void xml_write_close(struct xml_write *write);
void xml_write_text(struct xml_write *write, const char *text);

/* <name>text</name>; and with a number in it, without exponent or needless zeros. */
void xml_write_element(struct xml_write *write, const char *name, const char *text);
void xml_write_number(struct xml_write *write, const char *name, double value);
void xml_write_number_attribute(struct xml_write *write, const char *name, double value);

/* HTML that is well-formed but for &nbsp;, as elements of the document. */
void xml_write_html(struct xml_write *write, const char *html);

#endif
