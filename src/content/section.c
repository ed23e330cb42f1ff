/* Lists of questions: of the pack, or of its sections. */
#include "pack_loader.h"

#include <quiztutor/message.h>

#include <string.h>

/* A section being read: the rows of its table fill it. */
struct section_draft {
    struct section section;
    double pick; /* 0 where absent or wrong */
    struct place pick_place;
};

enum { ROW_TITLE, ROW_INTRO, ROW_FIGURE, ROW_PICK, ROW_QUESTIONS, ROWS };

void questions_read(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    struct pack_draft *draft = loader->owner;
    struct node item;
    struct place place = value->place;
    int count = 0;
    (void)target;
    if (!field_is(loader, field->name, value, NODE_LIST))
        return;
    for (;; count++) {
        reader_next(loader->reader, &item);
        if (item.kind == NODE_END || item.kind == NODE_STOP)
            break;
        if (draft->count == PACK_QUESTIONS) {
            report_error(loader->report, &item.place, "too-many-questions", tr("make it two packs"),
                         tr("a pack has at most %d questions"), PACK_QUESTIONS);
            reader_stop(loader->reader);
            break;
        }
        loader->key = place_at(0, 0, 0);
        if (field_is(loader, field->name, &item, NODE_MAPPING))
            question_read(loader, &item);
    }
    if (count == 0 && item.kind == NODE_END)
        report_error(loader->report, &place, "empty-list", tr("write a question"),
                     tr("%s: the list is empty"), field->name);
}

/* How many: a whole number from 1. Whether there are as many is told once the section is read. */
static void read_pick(struct loader *loader, const struct field *field, const struct node *value,
                      void *target)
{
    struct section_draft *draft = target;
    double pick;
    struct place place = value->place;
    if (!field_take_number(loader, field->name, value, &pick))
        return;
    if (pick >= 1 && pick <= PACK_QUESTIONS && pick == (double)(int)pick) {
        draft->pick = pick;
        draft->pick_place = place;
    } else {
        report_error(loader->report, &place, "range", tr("write how many of its questions are asked"),
                     tr("%s: must be a whole number from 1"), field->name);
    }
}

static const struct field section_rows[ROWS] = {
    [ROW_TITLE] = { "title", field_line, offsetof(struct section_draft, section.title), true, NULL },
    [ROW_INTRO] = { "intro", field_text, offsetof(struct section_draft, section.intro), false, NULL },
    [ROW_FIGURE] = { "figure", field_figure, offsetof(struct section_draft, section.intro_figure), false,
                     NULL },
    [ROW_PICK] = { "pick", read_pick, 0, false, NULL },
    [ROW_QUESTIONS] = { "questions", questions_read, 0, true, NULL },
};
static const struct fields section_fields = { section_rows, ROWS, N_("a section"), NULL };

/* Reads one section, from its mapping on, with its questions. */
static void section_read(struct loader *loader, const struct node *start)
{
    struct pack_draft *owner = loader->owner;
    struct section_draft draft = { .section = { .first = (int)owner->count } };
    struct seen seen;
    struct place place = place_at(start->place.line, start->place.column, 0);
    if (!memory_grow(&owner->sections, &owner->section_capacity, owner->section_count + 1,
                     sizeof *owner->sections)) {
        reader_out_of_memory(loader->reader);
        return;
    }
    owner->section = (int)++owner->section_count;
    fields_read(loader, &section_fields, &draft, &place, &seen);
    struct section *section = &draft.section;
    section->count = (int)owner->count - section->first;
    section->pick = draft.pick >= 1 ? (int)draft.pick : section->count;
    if (!reader_stopped(loader->reader) && section->pick > section->count && seen_has(&seen, ROW_QUESTIONS) &&
        !(seen.faulty >> ROW_QUESTIONS & 1))
        report_error(loader->report, &draft.pick_place, "range",
                     tr("write a smaller number; without pick, all of them are asked"),
                     ntr("pick: the section has %d question only", "pick: the section has %d questions only",
                         section->count),
                     section->count);
    owner->sections[owner->section - 1] = *section;
}

void sections_read(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    struct pack_draft *owner = loader->owner;
    struct node item;
    struct place place = value->place;
    int count = 0;
    (void)target;
    if (!field_is(loader, field->name, value, NODE_LIST))
        return;
    for (;; count++) {
        reader_next(loader->reader, &item);
        if (item.kind == NODE_END || item.kind == NODE_STOP)
            break;
        if (owner->section_count == PACK_QUESTIONS) { /* each has a question at least */
            report_error(loader->report, &item.place, "too-many-questions", tr("make it two packs"),
                         tr("a pack has at most %d questions"), PACK_QUESTIONS);
            reader_stop(loader->reader);
            break;
        }
        loader->key = place_at(0, 0, 0);
        if (field_is(loader, field->name, &item, NODE_MAPPING))
            section_read(loader, &item);
    }
    owner->section = 0;
    if (count == 0 && item.kind == NODE_END)
        report_error(loader->report, &place, "empty-list", tr("write a section with a title and questions"),
                     tr("%s: the list is empty"), field->name);
}
