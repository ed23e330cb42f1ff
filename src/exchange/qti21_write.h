/* An item of QTI 2.1 written: qti21_item.c. The package around it: qti21_write.c. */
#ifndef QUIZTUTOR_EXCHANGE_QTI21_WRITE_H
#define QUIZTUTOR_EXCHANGE_QTI21_WRITE_H

#include "export_xml.h"
#include "xml_write.h"

enum { QTI21_NAME = PACK_ID + 8 };

struct qti21 {
    struct export *export;
    struct xml_write xml;
    struct buffer html;
    struct export_losses losses;
};

/* An identifier made of an id: those of QTI begin with a letter or _. */
void qti21_identifier(char name[static QTI21_NAME], const char *id);

/* Writes one question as a document; false: it has no counterpart, which was told. `original` is the one that
 * it is an instance of, or itself. */
bool qti21_item(struct qti21 *qti, struct buffer *out, const struct question *question,
                const struct question *original);

#endif
