/* What a kiosk is told and needs: its files, its store, its packs, and the lock around them. */
#include "kiosk.h"

#include <quiztutor/diagnostic.h>
#include <quiztutor/message.h>

#include <string.h>
#include <sys/stat.h>

enum { LOOK_MS = 1000, AGAIN_MS = 2000 };

static void tell(struct kiosk *kiosk, const struct diagnostics *list, const struct error *error)
{
    struct buffer *out = &kiosk->trouble, before = kiosk->trouble;
    buffer_init(out);
    for (ptrdiff_t i = 0; i < list->count; i++) {
        const struct diagnostic *diagnostic = &list->items[i];
        const char *file = diagnostic->file ? diagnostic->file : "";
        if (diagnostic->severity != SEVERITY_ERROR)
            continue;
        buffer_text(out, out->length ? "\n\n" : "");
        text_visible(out, file, (ptrdiff_t)strlen(file));
        buffer_print(out, ":%d:%d: ", diagnostic->line, diagnostic->column);
        text_visible(out, diagnostic->message, (ptrdiff_t)strlen(diagnostic->message));
        if (diagnostic->hint)
            buffer_print(out, " (%s)", diagnostic->hint);
    }
    if (error->code) {
        buffer_text(out, out->length ? "\n\n" : "");
        text_visible(out, error->message, (ptrdiff_t)strlen(error->message));
    }
    kiosk->model.trouble = out->failed ? "" : buffer_get(out);
    if (strcmp(buffer_get(&before), buffer_get(out)) != 0) /* it is looked at again and again */
        kiosk_journal_write(&kiosk->journal,
                            list->count ? KIOSK_JOURNAL_CONFIG_REFUSED : KIOSK_JOURNAL_DAMAGE,
                            kiosk->model.trouble);
    buffer_finish(&before);
}

static bool same(const char *one, const char *other)
{
    return one == other || (one && other && strcmp(one, other) == 0);
}

static bool same_names(const struct kiosk_names *one, const struct kiosk_names *other)
{
    if (one->count != other->count)
        return false;
    for (int i = 0; i < one->count; i++)
        if (!same(one->items[i].text, other->items[i].text))
            return false;
    return true;
}

/* What can't be changed in a process that is locked in and has its store open. */
static bool keeps_its_place(const struct kiosk_config *was, const struct kiosk_config *is)
{
    return same(was->store, is->store) && same_names(&was->content, &is->content) &&
           same(was->backups.folder, is->backups.folder) && same(was->language, is->language) &&
           was->theme == is->theme && was->signs == is->signs && was->plain == is->plain &&
           was->day_starts == is->day_starts;
}

/* False where it can't be used; then the one before it is gone, too. */
static bool load_config(struct kiosk *kiosk, struct error *error)
{
    struct kiosk_config *config = NULL;
    struct diagnostics list;
    diagnostics_init(&list);
    kiosk_watch_destroy(kiosk->config_watch);
    kiosk->config_watch = NULL;
    bool done = kiosk_config_load(&config, &kiosk->config_watch, kiosk->setup.config, &kiosk->setup.clock,
                                  &list, error);
    if (!done) {
        tell(kiosk, &list, error);
    } else {
        kiosk->again =
            kiosk->again || (kiosk->locked && kiosk->config && !keeps_its_place(kiosk->config, config));
        if (!kiosk->locked)
            lock_language(config->language); /* without its catalogue messages stay English */
        kiosk_config_destroy(kiosk->config);
        kiosk->config = config;
        kiosk->model.welcome = config->welcome;
        kiosk_journal_write(&kiosk->journal, KIOSK_JOURNAL_CONFIG_READ, NULL);
    }
    diagnostics_finish(&list);
    return done;
}

static bool open_store(struct kiosk *kiosk, struct error *error)
{
    struct diagnostics none;
    if (kiosk_store_open(kiosk, error))
        return true;
    diagnostics_init(&none);
    tell(kiosk, &none, error);
    diagnostics_finish(&none);
    return false;
}

enum { OWN_FOLDERS = 3 };

/* Before anything that others wrote is read, but for the configuration itself. */
static bool lock_in(struct kiosk *kiosk, struct error *error)
{
    const struct kiosk_config *config = kiosk->config;
    struct diagnostics none;
    int count = 0;
    struct lock_folder *folders =
        memory_alloc((config->content.count + OWN_FOLDERS) * (ptrdiff_t)sizeof *folders);
    if (!folders)
        return error_memory(error);
    folders[count++] = (struct lock_folder){ config->store, LOCK_FOLDER_WRITE };
    folders[count++] = (struct lock_folder){ config->path, LOCK_FOLDER_READ };
    if (config->backups.folder) {
        mkdir(config->backups.folder, S_IRWXU); /* there already, mostly */
        folders[count++] = (struct lock_folder){ config->backups.folder, LOCK_FOLDER_WRITE };
    }
    for (int i = 0; i < config->content.count; i++)
        folders[count++] = (struct lock_folder){ config->content.items[i].text, LOCK_FOLDER_SET };
    diagnostics_init(&none);
    kiosk->locked = lock_start(&kiosk->lock, folders, count, error);
    if (kiosk->locked && !lock_holds(&kiosk->lock))
        kiosk_journal_write(&kiosk->journal, KIOSK_JOURNAL_UNLOCKED,
                            kiosk->lock.folders ? kiosk->lock.calls_why : kiosk->lock.folders_why);
    if (!kiosk->locked)
        tell(kiosk, &none, error);
    diagnostics_finish(&none);
    memory_free(folders);
    return kiosk->locked;
}

static bool load_packs(struct kiosk *kiosk, struct error *error)
{
    struct kiosk_packs *packs = NULL;
    struct diagnostics list;
    diagnostics_init(&list);
    kiosk_watch_destroy(kiosk->packs_watch);
    kiosk->packs_watch = NULL;
    bool done = kiosk_packs_load(&packs, &kiosk->packs_watch, kiosk->config, &list, error);
    if (done) {
        kiosk_packs_destroy(kiosk->packs);
        kiosk->packs = packs;
    } else {
        tell(kiosk, &list, error);
    }
    diagnostics_finish(&list);
    return done;
}

/* One after the other, each only when what it needs is there. */
static bool load_all(struct kiosk *kiosk, bool config_changed, bool packs_changed)
{
    struct error error = { 0 };
    struct diagnostics none;
    if (config_changed && !load_config(kiosk, &error))
        return false;
    if (kiosk->again)
        return false;
    if (!kiosk->store && !open_store(kiosk, &error))
        return false;
    if (!kiosk->locked && !lock_in(kiosk, &error))
        return false;
    if ((config_changed || packs_changed) && !load_packs(kiosk, &error))
        return false;
    kiosk_pulled_apply(kiosk);
    if (kiosk_people_read(kiosk, &error))
        return true;
    diagnostics_init(&none);
    tell(kiosk, &none, &error);
    diagnostics_finish(&none);
    return false;
}

bool kiosk_load(struct kiosk *kiosk, bool *changed)
{
    int64_t now = kiosk_now(kiosk);
    bool well = kiosk->flow.state == KIOSK_SIGN_IN;
    *changed = false;
    if (!well && kiosk->flow.state != KIOSK_CALL)
        return true; /* somebody is there */
    if (kiosk->looked_at && now - kiosk->looked_at < (well ? LOOK_MS : AGAIN_MS) && now >= kiosk->looked_at)
        return !kiosk->again;
    kiosk->looked_at = now;
    bool config = kiosk_watch_changed(kiosk->config_watch);
    bool packs = config || kiosk_watch_changed(kiosk->packs_watch);
    if (well && !config && !packs) {
        if (kiosk_pulled_apply(kiosk))
            kiosk_between(kiosk);
        kiosk_back_up(kiosk);
        return true;
    }
    *changed = true;
    /* what was bad before is read as a whole again: the configuration too, since packs are judged by it */
    bool ready = load_all(kiosk, config || !well, packs || !well);
    kiosk_flow_ready(&kiosk->flow, kiosk->config, ready, now);
    return !kiosk->again;
}

void kiosk_unload(struct kiosk *kiosk)
{
    kiosk_people_finish(&kiosk->people);
    kiosk_packs_destroy(kiosk->packs);
    kiosk_watch_destroy(kiosk->packs_watch);
    kiosk_watch_destroy(kiosk->config_watch);
    kiosk_config_destroy(kiosk->config);
    kiosk_store_close(kiosk);
    buffer_finish(&kiosk->trouble);
}
