#include <quiztutor/hash.h>

#include <sodium.h>
#include <string.h>

bool hash_start(void)
{
    return sodium_init() >= 0;
}

void hash_of(struct hash *hash, const void *data, ptrdiff_t length)
{
    crypto_hash_sha256(hash->bytes, data, (unsigned long long)length);
}

void hash_hex(char *text, const unsigned char *bytes, int count)
{
    sodium_bin2hex(text, (size_t)count * 2 + 1, bytes, (size_t)count);
}

void uuid_make(struct uuid *uuid, int64_t wall)
{
    static int64_t last;
    static uint32_t counter; /* 12 bits after the version, kept ascending within a millisecond */
    unsigned char *b = uuid->bytes;
    randombytes_buf(b, sizeof uuid->bytes);
    if (wall > last) {
        last = wall;
        counter = randombytes_uniform(0x800);
    } else if (++counter > 0xfff) {
        last++;
        counter = 0;
    }
    for (int i = 0; i < 6; i++)
        b[i] = (unsigned char)((uint64_t)last >> (40 - 8 * i));
    b[6] = (unsigned char)(0x70 | counter >> 8);
    b[7] = (unsigned char)counter;
    b[8] = (unsigned char)(0x80 | (b[8] & 0x3f));
}

void uuid_format(char text[static 37], const struct uuid *uuid)
{
    char hex[33];
    hash_hex(hex, uuid->bytes, 16);
    char *to = text;
    for (int i = 0; i < 32; i++) {
        if (i == 8 || i == 12 || i == 16 || i == 20)
            *to++ = '-';
        *to++ = hex[i];
    }
    *to = '\0';
}

/* Two hex digits; false where they are none. */
static bool read_byte(unsigned char *byte, const char *hex)
{
    static const char digits[] = "0123456789abcdef";
    int value = 0;
    for (int i = 0; i < 2; i++) {
        char c = hex[i];
        const char *digit = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;
        if (!digit)
            return false;
        value = value * 16 + (int)(digit - digits);
    }
    *byte = (unsigned char)value;
    return true;
}

bool hash_read(struct hash *hash, const char *hex)
{
    struct hash read;
    for (size_t i = 0; i < sizeof read.bytes; i++, hex += 2)
        if (!read_byte(&read.bytes[i], hex))
            return false;
    if (*hex)
        return false;
    *hash = read;
    return true;
}

bool uuid_read(struct uuid *uuid, const char *text)
{
    struct uuid read;
    for (size_t i = 0; i < sizeof read.bytes; i++, text += 2) {
        if ((i == 4 || i == 6 || i == 8 || i == 10) && *text++ != '-')
            return false;
        if (!read_byte(&read.bytes[i], text))
            return false;
    }
    if (*text)
        return false;
    *uuid = read;
    return true;
}

bool uuid_equal(const struct uuid *one, const struct uuid *other)
{
    return memcmp(one->bytes, other->bytes, sizeof one->bytes) == 0;
}

bool uuid_is_zero(const struct uuid *uuid)
{
    return sodium_is_zero(uuid->bytes, sizeof uuid->bytes);
}

uint32_t hash_random_seed(void)
{
    return 2 + randombytes_uniform(UINT32_MAX - 1); /* 2 … 4,294,967,295 */
}

void hash_random(void *bytes, ptrdiff_t length)
{
    randombytes_buf(bytes, (size_t)length);
}
