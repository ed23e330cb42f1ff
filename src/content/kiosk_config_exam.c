/* The exams of a kiosk: windows that must not be empty, and of one pack not overlap. */
#include "kiosk_config_file.h"

#include <quiztutor/message.h>

#include <string.h>

static bool share_groups(const struct kiosk_names *one, const struct kiosk_names *other)
{
    if (one->count == 0 || other->count == 0)
        return true;
    for (int i = 0; i < one->count; i++)
        for (int k = 0; k < other->count; k++)
            if (strcmp(one->items[i].key, other->items[k].key) == 0)
                return true;
    return false;
}

/* An earlier exam about the same pack that some learner would find open in the same minute, or NULL. */
static const struct kiosk_exam *find_overlap(const struct kiosk_draft *draft, const struct kiosk_exam *exam)
{
    for (ptrdiff_t i = 0; i < draft->exam_count; i++) {
        const struct kiosk_exam *other = &draft->exams[i];
        if (strcmp(other->pack.text, exam->pack.text) == 0 && exam->from < other->until &&
            other->from < exam->until && share_groups(&exam->groups, &other->groups))
            return other;
    }
    return NULL;
}

static void add(struct loader *loader, const struct field *field, const struct kiosk_exam *exam)
{
    struct kiosk_draft *draft = loader->owner;
    struct place place = { exam->pack.line, exam->pack.column, exam->pack.line, exam->pack.end_column };
    const struct kiosk_exam *other = find_overlap(draft, exam);
    if (other) {
        report_error(loader->report, &place, "exam-window",
                     tr("let one end before the other begins, or give each groups of its own"),
                     tr("%s: \"%s\" is open in the same time by %s:%d"), field->name, exam->pack.text,
                     other->pack.file, other->pack.line);
    } else if (draft->exam_count == KIOSK_LISTED) {
        report_error(loader->report, &place, "too-many-items", NULL, tr("%s: at most %d items can be listed"),
                     field->name, KIOSK_LISTED);
        reader_stop(loader->reader);
    } else if (memory_grow(&draft->exams, &draft->exam_capacity, draft->exam_count + 1,
                           sizeof *draft->exams)) {
        draft->exams[draft->exam_count++] = *exam;
    } else {
        reader_out_of_memory(loader->reader);
    }
}

static void read_exam(struct loader *loader, const struct field *field, const struct node *item)
{
    struct kiosk_draft *draft = loader->owner;
    struct place start = place_at(item->place.line, item->place.column, 0);
    struct kiosk_exam exam = { 0 };
    struct seen seen;
    int errors = loader->report->errors;
    kiosk_fields_read(loader, KIOSK_KEY_EXAMS, N_("an exam"), &exam, &start, &seen);
    if (loader->report->errors != errors || reader_stopped(loader->reader))
        return;
    if (exam.until <= exam.from)
        report_error(loader->report, &draft->moments[1], "exam-window", tr("write a later time"),
                     tr("until: the exam would end before it begins"));
    else
        add(loader, field, &exam);
}

void kiosk_exams_read(struct loader *loader, const struct field *field, const struct node *value,
                      void *target)
{
    struct place place = value->place;
    struct node item;
    int count = 0;
    (void)target;
    if (!field_is(loader, field->name, value, NODE_LIST))
        return;
    for (;; count++) {
        reader_next(loader->reader, &item);
        if (item.kind == NODE_END || item.kind == NODE_STOP)
            break;
        loader->key = place_at(0, 0, 0);
        if (field_is(loader, field->name, &item, NODE_MAPPING))
            read_exam(loader, field, &item);
    }
    if (count == 0 && item.kind == NODE_END)
        report_error(loader->report, &place, "empty-list", tr("write an item, or delete the key"),
                     tr("%s: the list is empty"), field->name);
}
