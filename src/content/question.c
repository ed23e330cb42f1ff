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

#define ROW(name, read, member)                                                                              \
    {                                                                                                        \
        name, read, offsetof(struct question_draft, member), false, NULL                                     \
    }
#define NEEDED(name, read, member)                                                                           \
    {                                                                                                        \
        name, read, offsetof(struct question_draft, member), true, NULL                                      \
    }
#define KEY(name, read)                                                                                      \
    {                                                                                                        \
        name, read, 0, false, NULL                                                                           \
    }
#define WORDS(name, member, words)                                                                           \
    {                                                                                                        \
        name, field_word, offsetof(struct question_draft, member), false, words                              \
    }

static const struct field question_rows[ROWS] = {
    [ROW_ID] = NEEDED("id", field_id, question.id),
    [ROW_PROMPT] = NEEDED("prompt", field_text, question.prompt),
    [ROW_FIGURE] = ROW("figure", field_figure, question.figure),
    [ROW_CHOICES] = KEY("choices", choices_read),
    [ROW_TRUE_FALSE] = ROW("true_false", field_truth, question.key.truth),
    [ROW_NUMBER] = KEY("number", number_key_read),
    [ROW_TEXT] = KEY("text", text_key_read),
    [ROW_ORDER] = KEY("order", order_read),
    [ROW_MATCH] = KEY("match", match_read),
    [ROW_RECALL] = ROW("recall", field_text, question.key.recall),
    [ROW_EXPLANATION] = NEEDED("explanation", field_text, question.explanation),
    [ROW_EXPLANATION_FIGURE] = ROW("explanation_figure", field_figure, question.explanation_figure),
    [ROW_HINT] = ROW("hint", field_texts, question.hints),
    [ROW_TAGS] = ROW("tags", field_tags, question.tags),
    [ROW_MARKS] = ROW("marks", read_marks, question.marks),
    [ROW_MARKING] = WORDS("marking", marking, MARKING_WORDS),
    [ROW_SELECT] = WORDS("select", select, "many"),
    [ROW_FEEDBACK] = ROW("feedback", field_text, question.feedback),
    [ROW_MISCONCEPTION] = ROW("misconception", field_line, question.misconception),
    [ROW_EXTRA] = KEY("extra", extra_read),
    [ROW_SOURCE] = ROW("source", field_text, question.source),
    [ROW_GIVEN] = ROW("given", given_read, parameters),
    [ROW_DERIVE] = ROW("derive", derive_read, parameters),
    [ROW_SHUFFLE] = ROW("shuffle", field_truth, shuffle),
};
/* What stands below an answer key, or in the head, or is said by the answer key itself. */
#define BELOW_NUMBER N_("write it below \"number\", beside \"answer: …\"")
#define ANSWER_KEY                                                                                           \
    N_("the answer key says the type: choices, true_false, number, text, order, match or recall")

static const struct misplaced question_misplaced[] = {
    { "tolerance", NULL, NULL, BELOW_NUMBER },
    { "unit", NULL, NULL, BELOW_NUMBER },
    { "significant_figures", NULL, NULL, BELOW_NUMBER },
    { "wrong", "number", NULL, BELOW_NUMBER },
    { "wrong", "text", NULL, N_("write it below \"text\", beside \"accept: …\"") },
    { "wrong", NULL, "choices", N_("write a wrong choice as \"- TEXT\" below \"choices\"") },
    { "correct", NULL, "choices", N_("write the right choice as \"- correct: TEXT\" below \"choices\"") },
    { "accept", NULL, "text", N_("write it below \"text\"") },
    { "ignore", NULL, NULL, N_("write it below \"text\", beside \"accept: …\"") },
    { "answer", "number", NULL, N_("write it below \"number\"") },
    { "answer", NULL, "choices", ANSWER_KEY },
    { "type", NULL, NULL, ANSWER_KEY },
    { "markup", NULL, NULL, N_("it stands in the pack's head, above the questions") },
    { NULL, NULL, NULL, NULL },
};
static const struct fields question_fields = { question_rows, ROWS, N_("a question"), question_misplaced };

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

static void refuse_rest(struct loader *loader, const struct seen *seen, const char *feedback,
                        const char *misconception)
{
    refuse(loader, seen, ROW_FEEDBACK, feedback, N_("goes with true_false, order and match only"));
    refuse(loader, seen, ROW_MISCONCEPTION, misconception, N_("goes with true_false, order and match only"));
}

/* Keys that go with some types only. */
static void check_places(struct loader *loader, const struct question_draft *draft, const struct seen *seen,
                         int answer)
{
    bool choices = answer == ROW_CHOICES, lists = answer == ROW_ORDER || answer == ROW_MATCH;
    if (answer != ROW_MATCH)
        refuse(loader, seen, ROW_EXTRA, N_("delete it"), N_("goes with match only"));
    if (!choices)
        refuse(loader, seen, ROW_SELECT, N_("delete it"), N_("goes with choices only"));
    if (choices) {
        refuse(loader, seen, ROW_FEEDBACK, N_("write it below the choice that it is about"),
               N_("a question with choices has feedback at each choice"));
        refuse(loader, seen, ROW_MISCONCEPTION, N_("write it below the choice that it is about"),
               N_("a question with choices has misconceptions at each choice"));
    } else if (answer == ROW_NUMBER || answer == ROW_TEXT) {
        refuse_rest(loader, seen, N_("write it below \"wrong\", with the response that it is about"),
                    N_("write it below \"wrong\", with the response that it stands for"));
    } else if (answer == ROW_RECALL) {
        refuse_rest(loader, seen, N_("write it in the explanation"), N_("delete it"));
    }
    bool single = choices && draft->question.type == QUESTION_SINGLE_CHOICE;
    if (single && draft->question.key.choices.correct == 1)
        refuse(loader, seen, ROW_MARKING, N_("delete it, or add \"select: many\""),
               N_("a question with one correct choice is right or wrong, no rule applies"));
    else if (!choices && !lists)
        refuse(loader, seen, ROW_MARKING, N_("delete it"),
               N_("goes with multiple choice, order and match only"));
}

/* The type, and what follows from the answer key. */
static void settle(struct loader *loader, struct question_draft *draft, const struct seen *seen, int answer)
{
    struct question *question = &draft->question;
    bool parametrised = parameters_present(&draft->parameters);
    static const enum question_type types[] = {
        [ROW_TRUE_FALSE] = QUESTION_TRUE_FALSE,
        [ROW_NUMBER] = QUESTION_NUMBER,
        [ROW_TEXT] = QUESTION_TEXT,
        [ROW_ORDER] = QUESTION_ORDER,
        [ROW_MATCH] = QUESTION_MATCH,
        [ROW_RECALL] = QUESTION_RECALL,
    };
    if (answer == ROW_CHOICES) {
        choices_check(loader, draft, &seen->keys[ROW_CHOICES]);
        question->key.choices.items = draft->choices;
        bool many = draft->select == 0 || question->key.choices.correct > 1;
        question->type = many ? QUESTION_MULTIPLE_CHOICE : QUESTION_SINGLE_CHOICE;
    } else if (answer >= 0) {
        question->type = types[answer];
    }
    if (answer == ROW_NUMBER)
        number_key_settle(loader, draft, parametrised);
    else if (answer == ROW_TEXT)
        text_key_settle(loader, draft);
    else if (answer == ROW_ORDER)
        order_settle(loader, draft);
    else if (answer == ROW_MATCH)
        match_settle(loader, draft);
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
    draft.number = (struct number_draft){ 0 };
    draft.text = (struct text_draft){ 0 };
    draft.lefts.count = draft.rights.count = draft.extra.count = 0;
    draft.lefts.sound = draft.extra.sound = false;
    draft.question.marks = 1;
    draft.question.line = place.line;
    draft.question.column = place.column;

    parameters_begin(loader, &draft.parameters);
    fields_read(loader, &question_fields, &draft, &place, &seen);
    if (reader_stopped(loader->reader))
        return false;
    if (draft.question.id)
        check_id(loader, &draft.question, &seen.keys[ROW_ID]);
    int answer = check_answer_key(loader, &seen, &place);
    settle(loader, &draft, &seen, answer);
    if (answer >= 0) {
        check_places(loader, &draft, &seen, answer);
        parameters_check(loader, &draft.question, &draft.parameters, &place);
    }
    return keep_question(loader, &draft);
}
