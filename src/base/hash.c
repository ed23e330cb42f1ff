#include <quiztutor/hash.h>

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <assert.h>
#include <errno.h>
#include <sodium.h>
#include <stdio.h>
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

/*
 * Argon2id with 19 MiB, two passes and one lane: one of the settings that OWASP's Password Storage Cheat
 * Sheet recommends ("Argon2id", m=19456, t=2, p=1). libsodium's own "interactive" takes 64 MiB, too much
 * where a kiosk's memory is limited.
 */
static const unsigned long long secret_passes = 2;
static const size_t secret_memory = (size_t)19456 * 1024;

enum {
    SECRET_TYPED = 4096,     /* bytes that are looked at: the longest in NFD are shorter */
    SECRET_MOST_KIB = 65536, /* what a kept text may ask for */
    SECRET_MOST_PASSES = 10,
};
static_assert(SECRET_TEXT == crypto_pwhash_STRBYTES, "what libsodium writes fits");

/* What was typed in its kept form, which the caller wipes. */
struct secret {
    int32_t space[SECRET_TYPED + 1];
    ptrdiff_t length;
};

static bool refuse_secret(struct error *error, const char *why)
{
    return error_set(error, ERROR_INPUT, "%s", why);
}

static bool secret_read(struct secret *secret, const char *typed, ptrdiff_t length, int shortest,
                        struct error *error)
{
    int characters = 0;
    for (ptrdiff_t at = 0; at < length && length <= SECRET_TYPED;) {
        int32_t code;
        at += text_decode(typed + at, length - at, &code);
        if (code == TEXT_BAD)
            return refuse_secret(error, tr("it is not UTF-8"));
        if (code < ' ' || text_forbidden(code))
            return refuse_secret(error, tr("it holds control characters"));
    }
    secret->length = length > SECRET_TYPED
                         ? -1
                         : text_nfc_within(secret->space, SECRET_TYPED + 1, typed, length, &characters);
    if (secret->length < 0 || characters > SECRET_LONGEST)
        return error_set(error, ERROR_INPUT, tr("it is longer than %d characters"), (int)SECRET_LONGEST);
    if (characters < shortest)
        return error_set(error, ERROR_INPUT, tr("it is shorter than %d characters"), shortest);
    return true;
}

bool secret_make(char text[static SECRET_TEXT], const char *typed, ptrdiff_t length, int shortest,
                 struct error *error)
{
    struct secret secret;
    bool done = secret_read(&secret, typed, length, shortest, error);
    if (done && crypto_pwhash_str(text, (const char *)secret.space, (unsigned long long)secret.length,
                                  secret_passes, secret_memory) != 0)
        done = error_memory(error);
    secret_wipe(&secret, sizeof secret);
    return done;
}

bool secret_fits(const char *text, const char *typed, ptrdiff_t length, bool *fits, struct error *error)
{
    struct secret secret;
    *fits = false;
    if (!secret_is_kept(text))
        return refuse_secret(error, tr("this is no secret that quiztutor keeps"));
    bool done = true;
    if (secret_read(&secret, typed, length, 1, NULL)) {
        errno = 0;
        *fits = crypto_pwhash_str_verify(text, (const char *)secret.space,
                                         (unsigned long long)secret.length) == 0;
        if (!*fits && errno != EINVAL) /* which libsodium sets where the secret is another one */
            done = errno == ENOMEM ? error_memory(error)
                                   : refuse_secret(error, tr("this is no secret that quiztutor keeps"));
    }
    secret_wipe(&secret, sizeof secret);
    return done;
}

/* Bytes of unpadded Base64 at the text. */
static size_t base64_length(const char *text)
{
    return strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
}

bool secret_is_kept(const char *text)
{
    enum { SALT = 22, HASH = 43 }; /* 16 and 32 bytes */
    unsigned memory, passes;
    char head[SECRET_TEXT];
    if (sscanf(text, "$argon2id$v=19$m=%5u,t=%2u,p=1$", &memory, &passes) != 2)
        return false;
    int length = snprintf(head, sizeof head, "$argon2id$v=19$m=%u,t=%u,p=1$", memory, passes);
    if (strncmp(text, head, (size_t)length) != 0 || memory < 8 || memory > SECRET_MOST_KIB || passes < 1 ||
        passes > SECRET_MOST_PASSES)
        return false;
    const char *salt = text + length, *hash = salt + SALT + 1;
    return base64_length(salt) == SALT && salt[SALT] == '$' && base64_length(hash) == HASH && !hash[HASH];
}

void secret_wipe(void *bytes, ptrdiff_t length)
{
    sodium_memzero(bytes, (size_t)length);
}
