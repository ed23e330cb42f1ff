/*
 * `quiztutor kiosk --check`: one row of a table for each thing that is looked at, and what its function
 * finds. A row changes nothing and needs no other row; what several look at (configuration, packs, store) is
 * read once before.
 */
#ifndef QUIZTUTOR_KIOSK_CHECK_H
#define QUIZTUTOR_KIOSK_CHECK_H

#include "machine.h"

#include <quiztutor/health.h>
#include <quiztutor/kiosk_config.h>

/* Prints what was found at each row; returns the exit status: 1 where something must be done. */
int kiosk_check_run(const struct settings *settings, const char *config, bool json);

enum check_state {
    CHECK_GOOD,
    CHECK_NOTE,    /* worth knowing; nothing must be done */
    CHECK_APART,   /* has no meaning on this machine */
    CHECK_BAD,     /* something must be done */
    CHECK_UNKNOWN, /* it could not be found out: as bad */
    CHECK_STATES
};

enum { CHECK_FOUND = 700 };
struct check_finding {
    enum check_state state;
    char found[CHECK_FOUND], todo[CHECK_FOUND]; /* todo: "" nothing */
};

/* What the rows look at. */
struct check {
    const struct machine *machine;
    const char *config_path;
    char shown_path[MACHINE_PATH]; /* fit to be shown */
    struct kiosk_config *config;   /* NULL: config_list or config_error says why */
    struct kiosk_packs *packs;     /* NULL: likewise, or there is no configuration */
    struct diagnostics config_list, packs_list;
    struct error config_error, packs_error;
    struct store *store; /* NULL: store_error says why, or there is no configuration */
    struct health health;
    struct error store_error;
    struct machine_kiosk kiosk;
    bool has_user; /* the data folder's owner: who the kiosk runs as */
    unsigned user;
};

struct check_row;
typedef void check_look(const struct check *check, const struct check_row *row,
                        struct check_finding *finding);
struct check_row {
    const char *name;    /* in JSON */
    const char *subject; /* N_(): what is looked at */
    check_look *look;
    /* check_kernel: the file, the setting's name, the range that is fine, what to set, what else goes on
     * (N_()) */
    const char *path, *setting;
    int least, most, wanted;
    const char *danger;
};
extern const struct check_row check_rows[]; /* up to one without a name */

/* Reads what rows share; check_finish in any case. False without memory. */
bool check_init(struct check *check, const struct machine *machine, const char *config);
void check_finish(struct check *check);

void check_found(struct check_finding *finding, enum check_state state, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void check_todo(struct check_finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Paths and what others wrote may hold anything, and be cut within a character: brings a text into its
 * visible form, in its place. */
void check_settle(char *text, ptrdiff_t room);

/* Bytes for people: "14.2 MB". */
enum { CHECK_BYTES = 32 };
void check_bytes(char text[static CHECK_BYTES], int64_t bytes);

/* Files beside the store. */
struct check_beside {
    int count;                     /* of damaged stores that were set aside */
    char first[CHECK_BYTES + 256]; /* the name of one of them */
    int64_t size;                  /* bytes of store and log */
    bool reserve;                  /* the reserve is there */
    int64_t second;                /* bytes of the second log (heal.h); −1: there is none */
};
void check_beside(const struct machine *machine, const char *store, struct check_beside *beside);

/* The folder that holds a file; false where the path is too long. */
bool check_folder(char folder[static MACHINE_PATH], const char *path);

/* Bytes free for ordinary users where the path lies; −1: not known (errno). */
int64_t check_free(const struct machine *machine, const char *path);

/* What should be free there: for a copy of the store, and for a day's answers. */
int64_t check_wanted(int64_t store_size);

check_look check_kernel, check_core, check_keys, check_burst, check_debug_shell, check_gettys,
    check_terminals, check_umask, check_user, check_landlock, check_seccomp, check_config, check_config_files,
    check_packs, check_pack_files, check_code, check_data_files, check_data_lists, check_swap,
    check_data_kind, check_space, check_backup_space, check_store, check_clock, check_backups, check_font;

#endif
