/* What a sync pulled, taken over while nobody is signed in. */
#include "kiosk.h"

#include <quiztutor/pulled.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { AGAIN_MS = 10000 /* what could not be taken over, or waits */ };

/* What is looked at each second: whether it is another file than the last time. False: there is none. */
static bool look(const struct kiosk *kiosk, struct kiosk_pulled *seen)
{
    struct buffer path;
    struct stat status;
    buffer_init(&path);
    buffer_print(&path, "%s-sync", kiosk->config->store);
    bool is = !path.failed && stat(buffer_get(&path), &status) == 0;
    buffer_finish(&path);
    if (is)
        *seen = (struct kiosk_pulled){ .device = (uint64_t)status.st_dev,
                                       .inode = (uint64_t)status.st_ino,
                                       .size = status.st_size,
                                       .seconds = status.st_mtim.tv_sec,
                                       .nanoseconds = status.st_mtim.tv_nsec };
    return is;
}

static bool is_same(const struct kiosk_pulled *one, const struct kiosk_pulled *other)
{
    return one->device == other->device && one->inode == other->inode && one->size == other->size &&
           one->seconds == other->seconds && one->nanoseconds == other->nanoseconds;
}

/* Numbers alone: no line names a learner. */
static void tell(struct kiosk *kiosk, const struct pulled_applied *applied)
{
    char said[160];
    snprintf(said, sizeof said,
             "%lld learners, %lld PINs, %lld merged, %lld erased, %lld left out, %lld waiting",
             (long long)applied->learners, (long long)applied->pins, (long long)applied->merged,
             (long long)applied->erased, (long long)applied->left_out, (long long)applied->waiting);
    kiosk_journal_write(&kiosk->journal, KIOSK_JOURNAL_PULLED, said);
}

/* Once for each reason. */
static void tell_refused(struct kiosk *kiosk, enum error_code code)
{
    static const char *const whys[] = {
        [ERROR_DAMAGED] = "damaged",        [ERROR_NEWER] = "of a later release",
        [ERROR_FULL] = "the disk is full",  [ERROR_READ_ONLY] = "not readable",
        [ERROR_BUSY] = "the store is busy", [ERROR_MEMORY] = "no memory"
    };
    const char *why = (size_t)code < sizeof whys / sizeof *whys ? whys[code] : NULL;
    if (kiosk->pulled.refused != code)
        kiosk_journal_write(&kiosk->journal, KIOSK_JOURNAL_PULLED_REFUSED, why ? why : "not readable");
    kiosk->pulled.refused = code;
}

bool kiosk_pulled_apply(struct kiosk *kiosk)
{
    struct kiosk_pulled *pulled = &kiosk->pulled, seen = { 0 };
    struct pulled_applied applied;
    struct error error = { 0 };
    bool changed = false;
    int64_t now = kiosk_now(kiosk);
    if (!kiosk->store || !kiosk->config || !look(kiosk, &seen))
        return false;
    bool due = pulled->again_at && now >= pulled->again_at;
    if (is_same(&seen, pulled) && !due)
        return false;
    seen.left_out = pulled->left_out;
    seen.waiting = pulled->waiting;
    seen.refused = pulled->refused;
    *pulled = seen;
    if (pulled_apply(kiosk->store, kiosk->config->store, &applied, &changed, &error)) {
        if (changed || applied.left_out != pulled->left_out || applied.waiting != pulled->waiting)
            tell(kiosk, &applied);
        pulled->left_out = applied.left_out;
        pulled->waiting = applied.waiting;
        pulled->refused = ERROR_NONE;
    } else {
        tell_refused(kiosk, error.code);
    }
    /* what is wrong with the file itself stays so until there is another */
    bool later = pulled->waiting ||
                 (pulled->refused && pulled->refused != ERROR_DAMAGED && pulled->refused != ERROR_NEWER);
    pulled->again_at = later ? now + AGAIN_MS : 0;
    return changed;
}
