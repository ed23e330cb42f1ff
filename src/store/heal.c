/* What healing and rotating backups share that needs no store. */
#include "backups.h"

#include <quiztutor/heal.h>
#include <quiztutor/run.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BACKUP_FILES = 100000 /* of a folder, that are looked at */, LAST_NUMBER = 99 };
static const char ending[] = ".backup";

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const int64_t day_ms = 86400000;

/* Of the proleptic Gregorian calendar: days since 1970 (Hinnant, "chrono-compatible low-level date
 * algorithms"). */
static int64_t days_of(int year, int month, int day)
{
    int y = year - (month <= 2), era = y / 400, of_era = y - era * 400;
    int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return (int64_t)era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static bool number_of(const char *digits, int count, int *number)
{
    *number = 0;
    for (int i = 0; i < count; i++) {
        if (digits[i] < '0' || digits[i] > '9')
            return false;
        *number = *number * 10 + (digits[i] - '0');
    }
    return true;
}

int64_t backups_moment(const char *digits)
{
    int year, month, day, hour, minute, second;
    if (strnlen(digits, BACKUPS_DIGITS) < BACKUPS_DIGITS || digits[8] != 'T' || digits[15] != 'Z' ||
        !number_of(digits, 4, &year) || !number_of(digits + 4, 2, &month) ||
        !number_of(digits + 6, 2, &day) || !number_of(digits + 9, 2, &hour) ||
        !number_of(digits + 11, 2, &minute) || !number_of(digits + 13, 2, &second))
        return -1;
    if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 ||
        second > 60)
        return -1;
    return days_of(year, month, day) * day_ms + ((hour * 60 + minute) * 60 + second) * INT64_C(1000);
}

void backups_digits(char text[static BACKUPS_DIGITS + 1], int64_t at)
{
    time_t seconds = (time_t)(at / 1000);
    struct tm utc;
    if (at < 0 || !gmtime_r(&seconds, &utc) || utc.tm_year > 9999 - 1900 ||
        strftime(text, BACKUPS_DIGITS + 1, "%Y%m%dT%H%M%SZ", &utc) != BACKUPS_DIGITS)
        strcpy(text, "19700101T000000Z");
}

void backups_name(struct buffer *name, const char *path, const char *folder, int64_t at, int number)
{
    char digits[BACKUPS_DIGITS + 1], more[16] = "";
    backups_digits(digits, at);
    if (number > 1)
        snprintf(more, sizeof more, "-%d", number);
    buffer_clear(name);
    buffer_print(name, "%s/%s-%s%s%s", strcmp(folder, "/") == 0 ? "" : folder, base_of(path), digits, more,
                 ending);
}

/* Whether a file's name is that of a backup of the store that is called `base`. */
static bool read_name(const char *name, const char *base, struct backup_file *file)
{
    size_t length = strlen(base);
    if (strncmp(name, base, length) != 0 || name[length] != '-')
        return false;
    const char *digits = name + length + 1;
    file->at = backups_moment(digits);
    file->number = 1;
    if (file->at < 0)
        return false;
    const char *rest = digits + BACKUPS_DIGITS;
    if (*rest == '-') {
        int digits_there = rest[1] && rest[2] >= '0' && rest[2] <= '9' ? 2 : 1;
        if (!number_of(rest + 1, digits_there, &file->number) || file->number < 2)
            return false;
        rest += 1 + digits_there;
    }
    return strcmp(rest, ending) == 0;
}

static int newest_first(const void *one, const void *other)
{
    const struct backup_file *a = one, *b = other;
    if (a->at != b->at)
        return a->at < b->at ? 1 : -1;
    return b->number - a->number;
}

static bool take(struct backups *backups, const char *folder, const char *name, struct backup_file *file,
                 struct error *error)
{
    if (!memory_grow(&backups->files, &backups->capacity, backups->count + 1, sizeof *backups->files))
        return error_memory(error);
    file->path = arena_print(&backups->arena, "%s/%s", folder, name);
    backups->files[backups->count] = *file;
    backups->count += file->path != NULL;
    return file->path || error_memory(error);
}

bool backups_read(struct backups *backups, const char *path, const char *folder, struct error *error)
{
    memset(backups, 0, sizeof *backups);
    arena_init(&backups->arena);
    DIR *directory = folder ? opendir(folder) : NULL;
    struct dirent *entry;
    bool done = true;
    for (int i = 0; directory && done && i < BACKUP_FILES && (entry = readdir(directory)); i++) {
        struct backup_file file;
        if (read_name(entry->d_name, base_of(path), &file))
            done = take(backups, folder, entry->d_name, &file, error);
    }
    if (directory)
        closedir(directory);
    if (backups->count)
        qsort(backups->files, (size_t)backups->count, sizeof *backups->files, newest_first);
    return done;
}

void backups_finish(struct backups *backups)
{
    memory_free(backups->files);
    arena_finish(&backups->arena);
}

bool backup_newest(const char *path, const char *folder, char **newest, int64_t *made_at, int *count,
                   struct error *error)
{
    struct backups backups;
    bool done = backups_read(&backups, path, folder, error);
    *newest = done && backups.count ? memory_text(backups.files[0].path) : NULL;
    *made_at = *newest ? backups.files[0].at : 0;
    *count = (int)backups.count;
    if (done && backups.count && !*newest)
        done = error_memory(error);
    backups_finish(&backups);
    return done;
}

bool backup_due(const char *path, const char *folder, int64_t age, int64_t now, bool *due,
                struct error *error)
{
    struct backups backups;
    bool done = backups_read(&backups, path, folder, error);
    int64_t made_at = backups.count ? backups.files[0].at : 0;
    *due = done && (!backups.count || made_at > now || now - made_at >= age);
    backups_finish(&backups);
    return done;
}

void heal_report_finish(struct heal_report *report)
{
    memory_free(report->kept);
    memory_free(report->backup);
    report->kept = report->backup = NULL;
}

enum clock_doubt clock_judge(int64_t wall, int64_t newest)
{
    const int64_t from = days_of(2020, 1, 1) * day_ms, until = days_of(2100, 1, 1) * day_ms;
    if (wall < from)
        return CLOCK_BEFORE;
    if (newest < from)
        return wall >= until ? CLOCK_AHEAD : CLOCK_FINE;
    if (wall < newest - CLOCK_BEHIND_MS)
        return CLOCK_BEHIND;
    return wall > newest + 366 * day_ms ? CLOCK_AHEAD : CLOCK_FINE;
}
