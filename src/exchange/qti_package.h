/*
 * QTI packages: a zip archive whose imsmanifest.xml names the documents in it (QTI 1.2 as Canvas and
 * Blackboard write it, 2.1, 2.2, 3.0).
 */
#ifndef EXCHANGE_QTI_PACKAGE_H
#define EXCHANGE_QTI_PACKAGE_H

#include <quiztutor/exchange.h>

/* Whether the bytes begin a zip archive, as a package is one. */
bool qti_package_is(const char *bytes, ptrdiff_t length);

/* Reads all documents that the manifest names, in its order, each in the section that a test of the package
 * puts it in. Documents that are missing or can't be read are left out, with a line of report each. */
bool qti_package_read(struct import *import, const char *bytes, ptrdiff_t length, struct error *error);

#endif
