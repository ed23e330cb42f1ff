/* The gate before the XML parser: see xml_gate.c. The bytes are the caller's, or converted ones of the
 * gate's, until gate_close. */
#ifndef QUIZTUTOR_EXCHANGE_XML_GATE_H
#define QUIZTUTOR_EXCHANGE_XML_GATE_H

#include <quiztutor/buffer.h>
#include <quiztutor/error.h>

enum { GATE_NAME = 40 };

struct gate {
    const char *bytes; /* without a byte order mark; UTF-16 is UTF-8 here */
    ptrdiff_t length;
    bool wide;                /* it was UTF-16: what it declares is to be passed over */
    char encoding[GATE_NAME]; /* declared, lower case; "" for none */
    struct buffer converted;
};

bool gate_open(struct gate *gate, const char *bytes, ptrdiff_t length, struct error *error);
void gate_close(struct gate *gate);

#endif
