#include "pack_loader.h"

#include <quiztutor/message.h>

#include <string.h>

/* Rows of the question table, by name where a check needs them. */
enum {
    ROW_ID,
    ROW_PROMPT,
    ROW_FIGURE,
    ROW_CHOICES,
    ROW_TRUE_FALSE,
    ROW_NUMBER,
    ROW_TEXT,
    ROW_ORDER,
    ROW_MATCH,
    ROW_RECALL,
    ROW_EXPLANATION,
    ROW_EXPLANATION_FIGURE,
    ROW_HINT,
    ROW_TAGS,
    ROW_MARKS,
    ROW_MARKING,
    ROW_SELECT,
    ROW_FEEDBACK,
    ROW_MISCONCEPTION,
    ROW_EXTRA,
    ROW_SOURCE,
    ROW_GIVEN,
    ROW_DERIVE,
    ROW_SHUFFLE,
    ROWS,
};

static void read_marks(struct loader *loader, const struct field *field, const struct node *value,
                       void *target)
{
    double marks;
    struct place place = value->place;
    if (!field_take_number(loader, field->name, value, &marks))
        return;
    if (marks > 0 && marks <= PACK_MARKS)
        *(double *)target = marks;
    else if (marks > 0)
        report_error(loader->report, &place, "range", tr("write a smaller number"), tr("%s: at most %d"),
                     field->name, PACK_MARKS);
    else
        report_error(loader->report, &place, "range", tr("write a number above 0"),
                     tr("%s: must be more than 0"), field->name);
}

void field_not_yet(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    *(bool *)target = loader->excused = true;
    reader_skip(loader->reader, value);
    if (!reader_stopped(loader->reader))
        report_error(loader->report, &loader->key, "not-yet", NULL,
                     tr("\"%s\" comes with a later release of quiztutor"), field->name);
}

/* `extra` means nothing to the types of this release; which one it stands beside is told by check_places. */
static void read_skipped(struct loader *loader, const struct field *field, const struct node *value,
                         void *target)
{
    (void)field;
    (void)target;
    reader_skip(loader->reader, value);
}

#define ROW(name, read, member)                                                                              \
    {                                                                                                        \
        name, read, offsetof(struct question_draft, member), false, NULL                                     \
    }
#define NEEDED(name, read, member)                                                                           \
    {                                                                                                        \
        name, read, offsetof(struct question_draft, member), true, NULL                                      \
    }
#define WORDS(name, member, words)                                                                           \
    {                                                                                                        \
        name, field_word, offsetof(struct question_draft, member), false, words                              \
    }
#define NOT_YET(name) ROW(name, field_not_yet, not_yet)

static const struct field question_rows[ROWS] = {
    [ROW_ID] = NEEDED("id", field_id, question.id),
    [ROW_PROMPT] = NEEDED("prompt", field_text, question.prompt),
    [ROW_FIGURE] = ROW("figure", field_figure, question.figure),
    [ROW_CHOICES] = { "choices", choices_read, 0, false, NULL },
    [ROW_TRUE_FALSE] = ROW("true_false", field_truth, question.key.truth),
    [ROW_NUMBER] = NOT_YET("number"),
    [ROW_TEXT] = NOT_YET("text"),
    [ROW_ORDER] = NOT_YET("order"),
    [ROW_MATCH] = NOT_YET("match"),
    [ROW_RECALL] = NOT_YET("recall"),
    [ROW_EXPLANATION] = NEEDED("explanation", field_text, question.explanation),
    [ROW_EXPLANATION_FIGURE] = ROW("explanation_figure", field_figure, question.explanation_figure),
    [ROW_HINT] = ROW("hint", field_texts, question.hints),
    [ROW_TAGS] = ROW("tags", field_tags, question.tags),
    [ROW_MARKS] = ROW("marks", read_marks, question.marks),
    [ROW_MARKING] = WORDS("marking", marking, MARKING_WORDS),
    [ROW_SELECT] = WORDS("select", select, "many"),
    [ROW_FEEDBACK] = ROW("feedback", field_text, question.feedback),
    [ROW_MISCONCEPTION] = ROW("misconception", field_line, question.misconception),
    [ROW_EXTRA] = ROW("extra", read_skipped, not_yet),
    [ROW_SOURCE] = ROW("source", field_text, question.source),
    [ROW_GIVEN] = NOT_YET("given"),
    [ROW_DERIVE] = NOT_YET("derive"),
    [ROW_SHUFFLE] = ROW("shuffle", field_truth, shuffle),
};
static const struct fields question_fields = { question_rows, ROWS, N_("a question") };

/* Exactly one answer key. Returns its row, or -1 after a report. */
static int check_answer_key(struct loader *loader, const struct seen *seen, const struct place *place)
{
    int found = -1;
    for (int row = ROW_CHOICES; row <= ROW_RECALL; row++) {
        if (!seen_has(seen, row))
            continue;
        if (found >= 0) {
            bool later = seen->keys[row].line > seen->keys[found].line;
            int second = later ? row : found, first = later ? found : row;
            report_error(loader->report, &seen->keys[second], "answer-key", tr("make it two questions"),
                         tr("a question has one answer key: \"%s\" stands in line %d already"),
                         question_rows[first].name, seen->keys[first].line);
            return -1;
        }
        found = row;
    }
    if (found < 0 && !(seen->forgiven >> ROW_CHOICES & ((1u << (ROW_RECALL - ROW_CHOICES + 1)) - 1)))
        report_error(loader->report, place, "answer-key",
                     tr("add one of choices, true_false, number, text, order, match, recall"),
                     tr("a question needs an answer key"));
    return found;
}

/* hint and message are N_() texts, translated only where they are needed: this runs for every question. */
static void refuse(struct loader *loader, const struct seen *seen, int row, const char *hint,
                   const char *message)
{
    if (seen_has(seen, row) && !(seen->faulty >> row & 1))
        report_error(loader->report, &seen->keys[row], "not-here", tr(hint), tr("%s: %s"),
                     question_rows[row].name, tr(message));
}

/* Keys that go with some types only. */
static void check_places(struct loader *loader, const struct question_draft *draft, const struct seen *seen,
                         int answer)
{
    refuse(loader, seen, ROW_EXTRA, N_("delete it"), N_("goes with match only"));
    if (answer == ROW_CHOICES) {
        refuse(loader, seen, ROW_FEEDBACK, N_("write it below the choice that it is about"),
               N_("a question with choices has feedback at each choice"));
        refuse(loader, seen, ROW_MISCONCEPTION, N_("write it below the choice that it is about"),
               N_("a question with choices has misconceptions at each choice"));
    } else {
        refuse(loader, seen, ROW_SELECT, N_("delete it"), N_("goes with choices only"));
    }
    bool single = answer == ROW_CHOICES && draft->question.type == QUESTION_SINGLE_CHOICE;
    if (single && draft->question.key.choices.correct == 1)
        refuse(loader, seen, ROW_MARKING, N_("delete it, or add \"select: many\""),
               N_("a question with one correct choice is right or wrong, no rule applies"));
    else if (answer == ROW_TRUE_FALSE)
        refuse(loader, seen, ROW_MARKING, N_("delete it"),
               N_("goes with multiple choice, order and match only"));
}

/* The type, and what follows from the answer key. */
static void settle(struct loader *loader, struct question_draft *draft, const struct seen *seen, int answer)
{
    struct question *question = &draft->question;
    if (answer == ROW_TRUE_FALSE) {
        question->type = QUESTION_TRUE_FALSE;
    } else if (answer == ROW_CHOICES) {
        choices_check(loader, draft, &seen->keys[ROW_CHOICES]);
        bool many = draft->select == 0 || question->key.choices.correct > 1;
        question->type = many ? QUESTION_MULTIPLE_CHOICE : QUESTION_SINGLE_CHOICE;
    }
    question->marking = (enum marking_rule)draft->marking;
    question->shuffle = draft->shuffle;
}

static bool keep_question(struct loader *loader, struct question_draft *draft)
{
    struct pack_draft *owner = loader->owner;
    struct question *question = &draft->question;
    if (question->type == QUESTION_SINGLE_CHOICE || question->type == QUESTION_MULTIPLE_CHOICE) {
        int count = draft->choice_count <= PACK_CHOICES ? draft->choice_count : 0;
        question->key.choices.items = loader_keep(loader, draft->choices, count, sizeof *draft->choices);
    }
    if (!memory_grow(&owner->questions, &owner->capacity, owner->count + 1, sizeof *owner->questions)) {
        reader_out_of_memory(loader->reader);
        return false;
    }
    question->section = owner->section;
    owner->questions[owner->count++] = *question;
    return true;
}

static void check_id(struct loader *loader, const struct question *question, const struct place *place)
{
    struct pack_draft *owner = loader->owner;
    int before = index_add(owner->pack.index, question->id, (int)owner->count);
    if (before >= 0)
        report_error(loader->report, place, "duplicate-id", tr("give it an id of its own"),
                     tr("the question in line %d has the id \"%s\" too"), owner->questions[before].line,
                     question->id);
    else if (before == -2)
        reader_out_of_memory(loader->reader);
}

bool question_read(struct loader *loader, const struct node *start)
{
    struct question_draft draft;
    struct seen seen;
    struct place place = start->place;
    place.end_line = place.line;
    place.end_column = place.column;
    memset(&draft.question, 0, sizeof draft.question);
    draft.choice_count = draft.choice_lists = 0;
    draft.marking = draft.select = -1;
    draft.shuffle = true;
    draft.not_yet = false;
    draft.question.marks = 1;
    draft.question.line = place.line;
    draft.question.column = place.column;

    fields_read(loader, &question_fields, &draft, &place, &seen);
    if (reader_stopped(loader->reader))
        return false;
    if (draft.question.id)
        check_id(loader, &draft.question, &seen.keys[ROW_ID]);
    if (!draft.not_yet) {
        int answer = check_answer_key(loader, &seen, &place);
        settle(loader, &draft, &seen, answer);
        if (answer >= 0)
            check_places(loader, &draft, &seen, answer);
    }
    return keep_question(loader, &draft);
}
