/*
 * What a sync keeps beside a store, in a small database of its own, STORE-sync: how far the log was sent (the
 * mark: server, store_id, seq), and what was pulled: roster, groups, PINs, packs, erasures. The sync writes
 * it by rename, whole; the program applies it to its store under the store's lock, between learners, and
 * notes in the store which version it has applied. Each side writes its own file only.
 */
#ifndef QUIZTUTOR_PULLED_H
#define QUIZTUTOR_PULLED_H

#include <quiztutor/store.h>

/* The mark, and all that was pulled so far. Opened for a store's path; one that is not there, is damaged or
 * is no such file is begun anew: everything is sent and pulled again, which changes nothing. ERROR_NEWER: of
 * a later release, left as it is. Nothing is on the disk before pulled_save. */
struct pulled;
struct pulled_mark {
    struct uuid server, store_id;
    int64_t seq;     /* sent up to here */
    int64_t changes; /* outgoing_changes then */
    int64_t version; /* pulled up to here */
    int64_t at;      /* ms since 1970: of the newest run that got through; 0: none */
};
bool pulled_open(struct pulled **pulled, const char *store_path, struct error *error);
void pulled_close(struct pulled *pulled);
void pulled_mark(const struct pulled *pulled, struct pulled_mark *mark);
/* Of another server than before (not zero): what was pulled from that one is forgotten. So the mark of a new
 * one, with version 0, is set before what it has is put. */
bool pulled_set_mark(struct pulled *pulled, const struct pulled_mark *mark, struct error *error);
/* As central_item has it: kind, version, id (of a pack it does not matter), body. Replaces what is there of
 * the same kind and id. A learner who was merged or erased is forgotten but for that. ERROR_INPUT: it is no
 * JSON, or of no known kind. */
bool pulled_put(struct pulled *pulled, int kind, int64_t version, const struct uuid *id, const char *body,
                struct error *error);
/* Durable, by rename; can be called after each batch. ERROR_BUSY: another sync saves at the moment. */
bool pulled_save(struct pulled *pulled, struct error *error);

/* Reads the mark alone, of a store that need not have one (*is false). */
bool pulled_look(const char *store_path, struct pulled_mark *mark, bool *is, struct error *error);

/*
 * Applies what is newer than what the store has applied: erasures and merges, each in one transaction, then
 * the roster with its PINs in one; can be done again. *changed: anything was. Erasures and merges of a
 * learner who is practising wait for the next time. A file that can't be read changes nothing: ERROR_DAMAGED,
 * to be told, and practice goes on. Learners are matched by UUID alone; one whose name (or login, external
 * id) is another's here is left out and counted, and tried again each time. Costs next to nothing where there
 * is no such file, or nothing new in it; does nothing to a store that can't be written.
 */
struct pulled_applied {
    int64_t version;
    int64_t learners, pins, erased, merged;
    int64_t left_out; /* whose name is another's here */
    int64_t waiting;  /* erasures and merges of who is practising */
};
bool pulled_apply(struct store *store, const char *store_path, struct pulled_applied *applied, bool *changed,
                  struct error *error);

/* Who was left out, and why: "name", "login", "external_id" (another's here), "merged" (made another's by
 * this machine), "unfit" (the centre's name can't be used); `name` is the centre's, NULL where it is not
 * known. */
typedef bool pulled_left_visit(void *context, const struct uuid *learner, const char *name, const char *why);
bool pulled_left(struct store *store, const char *store_path, pulled_left_visit *visit, void *context,
                 struct error *error);

/* Of the packs that the centre wants, how many are here, differ or are missing, is for who has the library:
 * visits each pack id and hash. */
typedef bool pulled_pack_visit(void *context, const char *pack, const struct hash *hash);
bool pulled_packs(const char *store_path, pulled_pack_visit *visit, void *context, struct error *error);

#endif
