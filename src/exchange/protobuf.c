#include "protobuf.h"

enum { VARINT, FIXED64, BYTES, GROUP, GROUP_END, FIXED32 };

void protobuf_init(struct protobuf *message, const void *bytes, ptrdiff_t length)
{
    *message = (struct protobuf){ .at = bytes, .end = (const unsigned char *)bytes + length };
}

static bool read_varint(struct protobuf *message, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 70 && message->at < message->end; shift += 7) {
        unsigned char byte = *message->at++;
        if (shift < 64)
            *value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

static bool read_field(struct protobuf *message)
{
    uint64_t tag, size = 0;
    if (!read_varint(message, &tag))
        return false;
    message->field = tag >> 3;
    message->bytes = NULL;
    message->length = 0;
    message->value = 0;
    switch (tag & 7) {
    case VARINT:
        return read_varint(message, &message->value);
    case BYTES:
        if (!read_varint(message, &size))
            return false;
        break;
    case FIXED64:
        size = 8;
        break;
    case FIXED32:
        size = 4;
        break;
    default: /* groups went out of use long before the formats read here were made */
        return false;
    }
    if (size > (uint64_t)(message->end - message->at))
        return false;
    message->bytes = (const char *)message->at;
    message->length = (ptrdiff_t)size;
    message->at += size;
    return true;
}

bool protobuf_next(struct protobuf *message)
{
    if (message->broken || message->at == message->end)
        return false;
    message->broken = !read_field(message);
    return !message->broken;
}
