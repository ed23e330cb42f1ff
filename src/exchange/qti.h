/*
 * QTI documents, whatever their version: 1.2 (questestinterop), 2.1, 2.2 and 3.0 (an item, or a test with
 * items in it). What opens packages calls qti_read_document for each item in the manifest's order; the caller
 * sets import->title and import->markup, and names sections where a test in the package does.
 */
#ifndef QUIZTUTOR_EXCHANGE_QTI_H
#define QUIZTUTOR_EXCHANGE_QTI_H

#include <quiztutor/exchange.h>

/*
 * Reads one document: its questions are taken or left out, with a line of report each. `name` is what the
 * package calls it (a path; NULL for a file of its own), put before errors and used where an item has no
 * title. False where the document can't be read at all (not XML, entities, too deep, no QTI): nothing is
 * taken then, and a package may report it as left out and go on.
 */
bool qti_read_document(struct import *import, const char *bytes, ptrdiff_t length, const char *name,
                       struct error *error);

/*
 * For a package: imsmanifest.xml or an assessment test, read for what it names. `visit` gets each resource of
 * a type that holds items (imsqti_*, or .xml of a QTI 1.2 package) in order, its href percent-decoded and
 * with /; for a test (assessmentTest) each item reference in order, with the title of its section (NULL:
 * none). Stops when visit returns false.
 */
typedef bool qti_visit(void *context, const char *href, const char *type, const char *section);
bool qti_manifest(const char *bytes, ptrdiff_t length, qti_visit *visit, void *context, struct error *error);
bool qti_test(const char *bytes, ptrdiff_t length, qti_visit *visit, void *context, struct error *error);

/* Whether these bytes begin a QTI document, and which: EXCHANGE_QTI12, _QTI21, _QTI30; else EXCHANGE_FORMATS.
 */
enum exchange_format qti_look(const char *bytes, ptrdiff_t length);

#endif
