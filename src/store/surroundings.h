/*
 * What the store learns of the machine it runs on: a fingerprint, the boot, the kind of file system. All of
 * it can be replaced by a test, which is why it is asked through a struct. Borrowed by the store, for as long
 * as that is open.
 */
#ifndef QUIZTUTOR_STORE_SURROUNDINGS_H
#define QUIZTUTOR_STORE_SURROUNDINGS_H

#include "schema.h"

#include <quiztutor/hash.h>
#include <stddef.h>

struct surroundings {
    const char *machine_file, *boot_file; /* /etc/machine-id, /proc/sys/kernel/random/boot_id */
    bool (*on_network)(int fd);           /* the open file lies on a network file system */
    int lock_wait_ms;                     /* how long to wait for another process that writes */
    ptrdiff_t reserve;                    /* bytes kept back beside the store */
    const struct schema *schema;
};

extern const struct surroundings surroundings_system;

/* Reads the ids of this machine and boot once and keeps them for surroundings_system, for a process that may
 * not open those files later. */
void surroundings_remember(void);

/* A fingerprint of this machine; false where it has none. It does not give the machine's own id away. */
bool surroundings_machine(const struct surroundings *around, struct uuid *fingerprint);

/* The id of this boot of the kernel; false where it is not known. */
bool surroundings_boot(const struct surroundings *around, struct uuid *boot);

/* True for the file system types whose locks or shared memory can't be trusted between machines
 * (statfs.f_type). */
bool surroundings_network_type(unsigned long type);

#endif
