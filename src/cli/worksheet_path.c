/* What the files of sheets are called. */
#include "worksheet.h"

#include <quiztutor/text.h>

#include <string.h>

static const char seed_part[] = "{seed}", learner_part[] = "{learner}";
enum { NAME_LONGEST = 180 /* bytes of a learner's name in that of a file, which may have 255 */ };

bool worksheet_many(const struct worksheet *worksheet)
{
    const char *path = worksheet->path;
    return path && (strstr(path, seed_part) || (worksheet->learners && strstr(path, learner_part)));
}

/* Letters, digits and whatever else is of no language's punctuation; all else is one hyphen. */
static bool is_fit(int32_t code)
{
    bool word = (code >= '0' && code <= '9') || (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
    return word || code == '_' || (code > 0xa0 && code != 0x3000 && !text_forbidden(code));
}

static void put_name(struct buffer *path, const char *name)
{
    ptrdiff_t start = path->length, length = (ptrdiff_t)strlen(name);
    for (ptrdiff_t at = 0; at < length && path->length - start < NAME_LONGEST;) {
        int32_t code;
        int bytes = text_decode(name + at, length - at, &code);
        if (code != TEXT_BAD && is_fit(code))
            buffer_add(path, name + at, bytes);
        else if (path->length > start && path->data[path->length - 1] != '-')
            buffer_char(path, '-');
        at += bytes;
    }
    while (path->length > start && path->data[path->length - 1] == '-')
        path->data[--path->length] = '\0';
    if (path->length == start)
        buffer_text(path, "learner");
}

static void put_learner(struct buffer *path, const struct worksheet *worksheet, int i)
{
    struct buffer mine, other;
    bool taken = false;
    buffer_init(&mine);
    buffer_init(&other);
    put_name(&mine, worksheet->learners[i].name);
    for (int k = 0; k < i && !taken; k++) {
        buffer_clear(&other);
        put_name(&other, worksheet->learners[k].name);
        taken = strcmp(buffer_get(&mine), buffer_get(&other)) == 0;
    }
    path->failed = path->failed || mine.failed || other.failed;
    buffer_add(path, buffer_get(&mine), mine.length);
    if (taken && !strstr(worksheet->path, seed_part)) /* two names alike without their punctuation */
        buffer_print(path, "-%lu", (unsigned long)worksheet->choice.seed + (unsigned long)i);
    buffer_finish(&mine);
    buffer_finish(&other);
}

void worksheet_path(struct buffer *path, const struct worksheet *worksheet, int i)
{
    for (const char *at = worksheet->path; *at;) {
        if (strncmp(at, seed_part, sizeof seed_part - 1) == 0) {
            buffer_print(path, "%lu", (unsigned long)worksheet->choice.seed + (unsigned long)i);
            at += sizeof seed_part - 1;
        } else if (worksheet->learners && strncmp(at, learner_part, sizeof learner_part - 1) == 0) {
            put_learner(path, worksheet, i);
            at += sizeof learner_part - 1;
        } else {
            buffer_char(path, *at++);
        }
    }
}
