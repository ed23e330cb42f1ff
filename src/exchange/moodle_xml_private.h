/* Shared by moodle_xml.c (the file, and what all questions have) and moodle_xml_key.c (what each type has).
 */
#ifndef QUIZTUTOR_EXCHANGE_MOODLE_XML_PRIVATE_H
#define QUIZTUTOR_EXCHANGE_MOODLE_XML_PRIVATE_H

#include "html.h"
#include "xml.h"

struct moodle {
    struct import *import;
    struct buffer text; /* of the text that is being read */
    const char *format; /* of the question's text: what its other texts are in, where they don't say */
    bool penalty_told;
};

/* The text that an element holds (in its <text>), in the element's format; NULL for none. */
const char *moodle_text(struct moodle *moodle, const struct xml_node *holder, enum html_form form);
const char *moodle_text_figure(struct moodle *moodle, const struct xml_node *holder, enum html_form form,
                               const char **figure);

/* The same of a text that Moodle takes as it is, never as HTML: typed answers, tags, right sides of
 * pairs. One line, or as many as it has. */
const char *moodle_plain(struct moodle *moodle, const struct xml_node *holder);
const char *moodle_plain_lines(struct moodle *moodle, const struct xml_node *holder);

/* A setting: true, 1 or yes; `otherwise` where it is absent or empty. */
bool moodle_flag(const struct xml_node *question, const char *name, bool otherwise);

/* Number in an element or attribute (a comma is read as a point, as Moodle did write them); NAN: none. */
double moodle_number(const char *text);

/* How many child elements of this name there are. */
int moodle_count(const struct xml_node *question, const char *name);

/* The key of the question, by its type; false: it was left out. */
bool moodle_key(struct moodle *moodle, struct question *question, const struct xml_node *node,
                const char *type);

#endif
