/*
 * Protocol buffers' encoding, field by field, of messages that nobody vouches for: what is cut short or
 * malformed ends the message. Reference: https://protobuf.dev/programming-guides/encoding/
 */
#ifndef EXCHANGE_PROTOBUF_H
#define EXCHANGE_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct protobuf {
    const unsigned char *at, *end; /* what is left of the message */
    bool broken;                   /* it ended before its end */
    /* the field read last: */
    uint64_t field;    /* its number */
    uint64_t value;    /* of one that is a number */
    const char *bytes; /* of one that is a text or a message; NULL: it is a number */
    ptrdiff_t length;
};

void protobuf_init(struct protobuf *message, const void *bytes, ptrdiff_t length);

/* Reads the next field; false at the end of the message. */
bool protobuf_next(struct protobuf *message);

#endif
