/* What was read, as a pack. */
#include "import_private.h"

#include <quiztutor/message.h>

#include <string.h>

/* The file's name without its folder and ending. */
static const char *file_stem(struct import *import)
{
    const char *slash = strrchr(import->path, '/'), *name = slash ? slash + 1 : import->path;
    const char *dot = strrchr(name, '.');
    return import_text_line(import, name, dot && dot > name ? dot - name : (ptrdiff_t)strlen(name));
}

void import_name_pack(struct import *import)
{
    const char *stem = file_stem(import);
    if (!import->title)
        import->title = stem ? stem : tr("Questions");
    import->title = import_text_line(import, import->title, (ptrdiff_t)strlen(import->title));
    const char *id = import_slug(import, import->id ? import->id : stem ? stem : "", PACK_ID);
    if (id && !*id && import->title)
        id = import_slug(import, import->title, PACK_ID);
    import->id = id && *id ? id : "questions";
    if (!import->title)
        import->title = import->id;
}

/* Questions stand in the order of their sections; sections that got none are left out. */
static bool arrange(const struct import *import, struct pack *pack, struct question *questions,
                    struct section *sections)
{
    int next = 0;
    ptrdiff_t stray = 0;
    for (ptrdiff_t i = 0; i < import->count; i++)
        stray += import->questions[i].section == 0;
    int *places = memory_zero((import->section_count + 2) * (ptrdiff_t)sizeof *places);
    if (!places)
        return false;
    for (ptrdiff_t i = 0; i < import->count; i++)
        places[import->questions[i].section + 1]++;
    for (ptrdiff_t number = 0; number <= import->section_count; number++) {
        int count = places[number + 1];
        struct section *section = &sections[pack->section_count];
        if (!count)
            continue;
        *section = number ? import->sections[number - 1] : (struct section){ .title = import->title };
        section->first = next;
        section->count = count;
        section->pick = section->pick > 0 && section->pick < count ? section->pick : count;
        pack->section_count++;
        next += count;
    }
    for (ptrdiff_t number = 0; number <= import->section_count; number++)
        places[number + 1] += places[number];
    for (ptrdiff_t i = 0; i < import->count; i++)
        questions[places[import->questions[i].section]++] = import->questions[i];
    memory_free(places);
    if (stray == import->count)
        pack->section_count = 0;
    return true;
}

bool exchange_write_import(struct buffer *out, const struct import *import)
{
    struct pack pack = { .id = import->id,
                         .title = import->title,
                         .language = import->language,
                         .description = import->description,
                         .markup = import->markup,
                         .marking = MARKING_DEFAULT };
    struct question *questions = memory_alloc(import->count * (ptrdiff_t)sizeof *questions);
    struct section *sections = memory_alloc((import->section_count + 1) * (ptrdiff_t)sizeof *sections);
    bool done = questions && sections && !import->failed && arrange(import, &pack, questions, sections);
    pack.questions = questions;
    pack.question_count = (int)import->count;
    pack.sections = sections;
    done = done && exchange_write_pack(out, &pack);
    memory_free(questions);
    memory_free(sections);
    return done;
}
