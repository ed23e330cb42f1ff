/* What is looked at for `kiosk --status`, and how bad it is. */
#include "kiosk_status.h"

#include <quiztutor/heal.h>
#include <quiztutor/message.h>
#include <quiztutor/run.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const int64_t hour_ms = 3600000, day_ms = 86400000, least_free = 4000000 /* bytes */;

static int rank(enum level level)
{
    static const int ranks[] = {
        [LEVEL_OK] = 0, [LEVEL_WARNING] = 1, [LEVEL_UNKNOWN] = 2, [LEVEL_CRITICAL] = 3
    };
    return ranks[level];
}

void status_add(struct status *status, enum level level, const char *format, ...)
{
    va_list arguments;
    if (rank(level) > rank(status->level))
        status->level = level;
    if (status->problem_count == PROBLEMS)
        return;
    struct problem *problem = &status->problems[status->problem_count++];
    problem->level = level;
    va_start(arguments, format);
    vsnprintf(problem->text, sizeof problem->text, format, arguments);
    va_end(arguments);
    check_settle(problem->text, sizeof problem->text);
}

static void judge_config(struct status *status)
{
    struct check_finding finding = { .state = CHECK_GOOD };
    const struct check *check = &status->check;
    if (!check->config && access(check->config_path, R_OK) != 0 && errno == EACCES) {
        status_add(status, LEVEL_UNKNOWN, "%s", tr("the configuration can't be read by this user"));
    } else if (!check->config) {
        check_config(check, NULL, &finding);
        status_add(status, LEVEL_CRITICAL, tr("configuration: %.300s"), finding.found);
    } else if (!check->packs || !check->packs->count) {
        check_packs(check, NULL, &finding);
        status_add(status, LEVEL_CRITICAL, tr("packs: %.300s"), finding.found);
    }
}

/* A store that can't be read now may be sound: that is not known. */
static void judge_store(struct status *status)
{
    const struct check *check = &status->check;
    enum error_code code = check->store_error.code;
    bool bad = code == ERROR_DAMAGED || code == ERROR_NEWER || code == ERROR_FULL;
    if (!check->config)
        return;
    if (!check->store && code == ERROR_NOT_FOUND) {
        status_add(
            status, LEVEL_CRITICAL,
            status->beside.second >= 0
                ? tr("the store is gone; start the kiosk, which makes it anew from the newest backup and the "
                     "second log (%.200s)")
                : tr("there is no store yet; start the kiosk, which makes it, or mend \"store\" in the "
                     "configuration (%.200s)"),
            check->config->store);
        return;
    }
    if (!check->store) {
        status_add(status, bad ? LEVEL_CRITICAL : LEVEL_UNKNOWN, "%.380s", check->store_error.message);
        return;
    }
    if (*check->health.damage)
        status_add(status, LEVEL_CRITICAL, tr("the store is damaged: %s"), check->health.damage);
    if (status->beside.count)
        status_add(status, LEVEL_WARNING,
                   ntr("%d damaged store was set aside: %s", "%d damaged stores were set aside, as %s",
                       status->beside.count),
                   status->beside.count, status->beside.first);
}

static void judge_running(struct status *status)
{
    const struct health *health = &status->check.health;
    int64_t now = clock_wall(&status->check.machine->clock);
    if (!status->check.store)
        return;
    if (health->running == HEALTH_NOT_TOLD)
        status_add(status, LEVEL_UNKNOWN, "%s", tr("whether the kiosk runs can't be told by this user"));
    else if (health->running == HEALTH_STOPPED)
        status_add(status, LEVEL_CRITICAL, "%s", tr("the kiosk does not run"));
    else if (status->beside.second < 0)
        status_add(status, LEVEL_WARNING, "%s", tr("the kiosk runs without a second log of the answers"));
    if (health->unclean_at && now - health->unclean_at < day_ms)
        status_add(status, LEVEL_WARNING, "%s", tr("the kiosk ended without warning within the last day"));
}

static void judge_space(struct status *status)
{
    char left[CHECK_BYTES], wanted[CHECK_BYTES];
    int64_t needs = check_wanted(status->beside.size);
    if (!status->check.config)
        return;
    if (status->free < 0) {
        status_add(status, LEVEL_UNKNOWN, "%s", tr("how much room the disk has can't be told"));
        return;
    }
    check_bytes(left, status->free);
    check_bytes(wanted, needs);
    if (status->free < least_free)
        status_add(status, LEVEL_CRITICAL, tr("the disk is full: %s are left"), left);
    else if (status->check.store && !status->beside.reserve)
        status_add(status, LEVEL_WARNING, "%s", tr("the disk was full: the store has no reserve any more"));
    else if (status->free < needs)
        status_add(status, LEVEL_WARNING, tr("the disk fills up: %s are left, and %s should be"), left,
                   wanted);
}

static void judge_clock(struct status *status)
{
    struct check_finding finding = { .state = CHECK_GOOD };
    check_clock(&status->check, NULL, &finding);
    if (finding.state == CHECK_BAD)
        status_add(status, LEVEL_WARNING, tr("clock: %.300s"), finding.found);
}

static void judge_backups(struct status *status)
{
    const struct kiosk_config *config = status->check.config;
    int64_t age = clock_wall(&status->check.machine->clock) - status->backup_at;
    if (!config || !config->backups.folder || !status->check.store)
        return;
    if (!status->backup_count)
        status_add(status, LEVEL_WARNING, "%s", tr("there is no backup"));
    else if (age > 2 * config->backups.hours * hour_ms)
        status_add(
            status, LEVEL_WARNING,
            ntr("the newest backup is %lld hour old", "the newest backup is %lld hours old", age / hour_ms),
            (long long)(age / hour_ms));
}

static bool look(struct status *status, struct error *error)
{
    const struct machine *machine = status->check.machine;
    const struct kiosk_config *config = status->check.config;
    char folder[MACHINE_PATH];
    char *newest = NULL;
    machine->lock(&status->lock);
    if (!config)
        return true;
    check_beside(machine, config->store, &status->beside);
    if (check_folder(folder, config->store))
        status->free = check_free(machine, folder);
    if (!config->backups.folder)
        return true;
    status->backups_free = check_free(machine, config->backups.folder);
    bool done = backup_newest(config->store, config->backups.folder, &newest, &status->backup_at,
                              &status->backup_count, error);
    memory_free(newest);
    return done || error->code != ERROR_MEMORY;
}

bool status_init(struct status *status, const struct machine *machine, const char *config)
{
    struct error error = { .code = ERROR_NONE };
    memset(status, 0, sizeof *status);
    status->free = status->backups_free = -1;
    if (!check_init(&status->check, machine, config) || !look(status, &error) ||
        !status_sync_look(status, &error))
        return false;
    judge_config(status);
    judge_store(status);
    judge_running(status);
    judge_space(status);
    judge_clock(status);
    judge_backups(status);
    status_sync_judge(status);
    if (!lock_holds(&status->lock))
        status_add(status, LEVEL_WARNING, "%s", tr("the kiosk can't be locked in: exams refuse to start"));
    return true;
}

void status_finish(struct status *status)
{
    check_finish(&status->check);
}
