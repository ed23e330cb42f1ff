/*
 * SHA-256, random bytes and identifiers, by libsodium. hash_start must have succeeded once before anything
 * else here (main does it; calling it again is harmless).
 */
#ifndef QUIZTUTOR_HASH_H
#define QUIZTUTOR_HASH_H

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

#endif
