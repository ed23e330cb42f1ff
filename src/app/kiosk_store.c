/* The store of a kiosk, which heals when it is opened, and what has to be told of it. */
#include "kiosk.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <time.h>

/* What happened to it before this run, and at its beginning. */
static void tell_journal(struct kiosk *kiosk)
{
    static const char *const doubts[] = {
        [CLOCK_BEFORE] = "before", [CLOCK_BEHIND] = "behind", [CLOCK_AHEAD] = "ahead"
    };
    const struct heal_report *healed = &kiosk->healed;
    char count[32];
    if (healed->outcome == HEAL_RESTORED)
        kiosk_journal_write(&kiosk->journal, KIOSK_JOURNAL_DAMAGE, healed->why);
    snprintf(count, sizeof count, "%lld", (long long)healed->attempts);
    if (healed->outcome != HEAL_SOUND)
        kiosk_journal_write(&kiosk->journal, KIOSK_JOURNAL_HEALED, count);
    if (kiosk->running && kiosk->run.unclean > 0)
        kiosk_journal_write(&kiosk->journal, KIOSK_JOURNAL_UNCLEAN, NULL);
    if (kiosk->running && kiosk->run.clock != CLOCK_FINE)
        kiosk_journal_write(&kiosk->journal, KIOSK_JOURNAL_CLOCK, doubts[kiosk->run.clock]);
}

bool kiosk_store_open(struct kiosk *kiosk, struct error *error)
{
    kiosk->scheduling =
        (struct store_scheduling){ .day_starts = kiosk->config->day_starts, .retention = 0.9 };
    struct store_options options = { .clock = kiosk->setup.clock, .scheduling = &kiosk->scheduling };
    struct error unnoted; /* a store that can't be written is told by the first answer */
    store_look_around();  /* the machine's own files are out of reach afterwards */
    heal_report_finish(&kiosk->healed);
    if (!heal_open(&kiosk->store, kiosk->config->store, &options, kiosk->config->backups.folder,
                   &kiosk->healed, error))
        return false;
    kiosk->running = run_begin(&kiosk->run, kiosk->store, &unnoted);
    tell_journal(kiosk);
    return true;
}

void kiosk_store_close(struct kiosk *kiosk)
{
    struct error unnoted;
    if (kiosk->running)
        run_end(&kiosk->run, kiosk->store, &unnoted);
    store_close(kiosk->store);
    kiosk->store = NULL;
    heal_report_finish(&kiosk->healed);
}

/* Since when answers may be missing. */
static struct kiosk_banner missing(struct kiosk *kiosk)
{
    int64_t since = kiosk->healed.since;
    time_t local = (time_t)(since / 1000 + clock_offset(&kiosk->setup.clock, since));
    struct kiosk_banner told = { tr("Answers may be missing: call your tutor."),
                                 tr("Answers missing? Call your tutor.") };
    struct tm then;
    char day[32];
    if (!since || !gmtime_r(&local, &then))
        return told;
    strftime(day, sizeof day, "%Y-%m-%d %H:%M", &then);
    snprintf(kiosk->banner, sizeof kiosk->banner, tr("Answers since %s may be missing: call your tutor."),
             day);
    told.whole = kiosk->banner;
    return told;
}

struct kiosk_banner kiosk_store_banner(struct kiosk *kiosk)
{
    struct heal_log log = { 0 };
    if (!kiosk->store)
        return (struct kiosk_banner){ NULL, NULL };
    heal_log_look(kiosk->store, &log);
    if (log.behind)
        return (struct kiosk_banner){ tr("The disk may be full: call your tutor."),
                                      tr("Disk full? Call your tutor.") };
    if (kiosk->healed.missing)
        return missing(kiosk);
    if (kiosk->running && kiosk->run.clock != CLOCK_FINE)
        return (struct kiosk_banner){ tr("The clock may be wrong: call your tutor."),
                                      tr("Clock wrong? Call your tutor.") };
    return (struct kiosk_banner){ store_warning(kiosk->store), tr("Store at risk: call your tutor.") };
}
