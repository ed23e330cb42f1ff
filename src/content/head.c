#include "pack_loader.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <string.h>

/* Blocks of code lose the spaces at the start of their lines unless it is known before they are read. */
static void read_markup(struct loader *loader, const struct field *field, const struct node *value,
                        void *target)
{
    int *markup = target;
    struct place place = value->place;
    field_word(loader, field, value, markup);
    loader->markup = *markup == 1;
    if (loader->markup && loader->code_before)
        report_warning(loader->report, &place, "markup-late", tr("move this line above the questions"),
                       tr("markup: a block of code was read before, and lost the spaces of its lines"));
}

static void read_minutes(struct loader *loader, const struct field *field, const struct node *value,
                         void *target)
{
    double minutes;
    struct place place = value->place;
    if (!field_take_number(loader, field->name, value, &minutes))
        return;
    if (minutes > 0)
        *(double *)target = minutes;
    else
        report_error(loader->report, &place, "range", tr("write a number above 0"),
                     tr("%s: must be more than 0"), field->name);
}

static void read_pass(struct loader *loader, const struct field *field, const struct node *value,
                      void *target)
{
    double pass;
    struct place place = value->place;
    if (!field_take_number(loader, field->name, value, &pass))
        return;
    if (pass >= 0 && pass <= 100)
        *(double *)target = pass;
    else
        report_error(loader->report, &place, "range", tr("write per cent, a number from 0 to 100"),
                     tr("%s: must be from 0 to 100"), field->name);
}

#define DRAFT(name, read, member)                                                                            \
    {                                                                                                        \
        name, read, offsetof(struct pack_draft, member), false, NULL                                         \
    }
#define PACK(name, read, member) DRAFT(name, read, pack.member)

static const struct field exam_rows[] = {
    PACK("minutes", read_minutes, exam_minutes),
    PACK("pass", read_pass, exam_pass),
};
static const struct fields exam_fields = { exam_rows, 2, N_("the exam"), NULL };

static const struct field publisher_rows[] = {
    PACK("name", field_line, publisher_name),
    PACK("site", field_line, publisher_site),
};
static const struct fields publisher_fields = { publisher_rows, 2, N_("the publisher"), NULL };

static void read_part(struct loader *loader, const struct field *field, const struct node *value,
                      const struct fields *fields, void *target)
{
    struct seen seen;
    struct place place = value->place;
    if (!field_is(loader, field->name, value, NODE_MAPPING))
        return;
    fields_read(loader, fields, target, &place, &seen);
    if (seen.present == 0 && seen.forgiven == 0 && !reader_stopped(loader->reader))
        report_error(loader->report, &place, "empty-list", tr("write one of its keys, or delete it"),
                     tr("%s: nothing in it"), field->name);
}

static void read_exam(struct loader *loader, const struct field *field, const struct node *value,
                      void *target)
{
    read_part(loader, field, value, &exam_fields, target);
}

static void read_publisher(struct loader *loader, const struct field *field, const struct node *value,
                           void *target)
{
    read_part(loader, field, value, &publisher_fields, target);
}

static const struct field head_rows[] = {
    { "format", field_format, 0, true, "quiztutor/1" },
    { "id", field_id, offsetof(struct pack_draft, pack.id), true, NULL },
    { "title", field_line, offsetof(struct pack_draft, pack.title), true, NULL },
    PACK("strapline", field_line, strapline),
    PACK("subject", field_line, subject),
    PACK("topic", field_line, topic),
    PACK("ages", field_line, ages),
    PACK("language", field_language, language),
    PACK("authors", field_lines, authors),
    PACK("licence", field_lines, licence),
    PACK("source", field_lines, source),
    { "publisher", read_publisher, 0, false, NULL },
    PACK("key_reader", field_line, key_reader),
    PACK("description", field_text, description),
    { "markup", read_markup, offsetof(struct pack_draft, markup), false, "none light" },
    { "shuffle", field_word, offsetof(struct pack_draft, shuffle), false, "all choices none" },
    { "marking", field_word, offsetof(struct pack_draft, marking), false, MARKING_WORDS },
    { "exam", read_exam, 0, false, NULL },
    { "questions", questions_read, 0, false, NULL },
    { "sections", sections_read, 0, false, NULL },
};
enum {
    HEAD_ROWS = sizeof head_rows / sizeof *head_rows,
    ROW_QUESTIONS = HEAD_ROWS - 2,
    ROW_SECTIONS = HEAD_ROWS - 1
};

static const struct fields head_fields = { head_rows, HEAD_ROWS, N_("a pack"), NULL };

void head_read(struct loader *loader, const struct node *root)
{
    struct pack_draft *draft = loader->owner;
    struct place place = place_at(root->place.line, root->place.column, 0);
    struct seen seen;
    if (root->kind != NODE_MAPPING) {
        if (root->kind != NODE_BAD && root->kind != NODE_STOP)
            report_error(loader->report, &place, "head", tr("begin with: format: quiztutor/1"),
                         tr("a pack begins with its head, \"key: value\" lines; found a %s"),
                         root->kind == NODE_LIST ? tr("list") : tr("text"));
        reader_skip(loader->reader, root);
        return;
    }
    fields_read(loader, &head_fields, draft, &place, &seen);
    if (reader_stopped(loader->reader))
        return;
    bool questions = seen_has(&seen, ROW_QUESTIONS), sections = seen_has(&seen, ROW_SECTIONS);
    if (!questions && !sections && !(seen.forgiven >> ROW_QUESTIONS))
        report_error(loader->report, &place, "missing-key", tr("add questions: and a list of them"),
                     tr("a pack needs the key \"questions\""));
    else if (questions && sections)
        report_error(loader->report, &seen.keys[ROW_SECTIONS], "questions-and-sections",
                     tr("move the questions into a section"), tr("a pack has either questions or sections"));
}
