/*
 * SHA-256, random bytes, identifiers and kept secrets, by libsodium. hash_start must have succeeded once
 * before anything else here (main does it; calling it again is harmless).
 */
#ifndef QUIZTUTOR_HASH_H
#define QUIZTUTOR_HASH_H

#include <quiztutor/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash {
    unsigned char bytes[32];
};
struct uuid {
    unsigned char bytes[16];
};

bool hash_start(void);
void hash_of(struct hash *hash, const void *data, ptrdiff_t length);

/* First `count` bytes as lower-case hex; text holds 2 * count + 1. */
void hash_hex(char *text, const unsigned char *bytes, int count);
/* 64 hex digits, of either case; false (*hash as it was) for anything else. */
bool hash_read(struct hash *hash, const char *hex);

/* UUID version 7 (RFC 9562): `wall` ms since 1970, then a counter within the millisecond and random bits, so
 * that the ids one process makes always ascend. */
void uuid_make(struct uuid *uuid, int64_t wall);
void uuid_format(char text[static 37], const struct uuid *uuid); /* lower case, 8-4-4-4-12 */
/* The other way, from either case; false (*uuid as it was) for what is no such text. */
bool uuid_read(struct uuid *uuid, const char *text);
bool uuid_equal(const struct uuid *one, const struct uuid *other);
bool uuid_is_zero(const struct uuid *uuid);

/* A seed from 2 to 4,294,967,295, drawn at random. */
uint32_t hash_random_seed(void);
void hash_random(void *bytes, ptrdiff_t length);

/*
 * Secrets that people type: a PIN, a tutor's code. They are kept as Argon2id text ("$argon2id$v=19$m=…"),
 * from which they can't be read; what was typed is brought into NFC first, so that two keyboards' "é" are
 * one. Nothing here keeps what was typed, names it in an error, or leaves it in memory; secret_wipe clears
 * the caller's copy.
 */
enum {
    SECRET_TEXT = 128,   /* bytes of the kept text with its NUL */
    SECRET_LONGEST = 64, /* characters (code points, in NFC) */
    SECRET_BYTES = 4 * SECRET_LONGEST + 1,
};

/* Any bytes may be passed in. ERROR_INPUT: fewer than `shortest` characters or more than SECRET_LONGEST, not
 * UTF-8, or with a control character; ERROR_MEMORY. */
bool secret_make(char text[static SECRET_TEXT], const char *typed, ptrdiff_t length, int shortest,
                 struct error *error);

/* Whether what was typed is the kept secret; what could be none never is. False for an error: ERROR_MEMORY,
 * or ERROR_INPUT where `text` keeps no secret. */
bool secret_fits(const char *text, const char *typed, ptrdiff_t length, bool *fits, struct error *error);

/* Whether secret_fits can take this text: Argon2id, asking for no more memory or time than a kiosk has. */
bool secret_is_kept(const char *text);

/* Clears memory that held a secret, also where the compiler sees that nobody reads it any more. */
void secret_wipe(void *bytes, ptrdiff_t length);

#endif
