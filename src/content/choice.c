#include "pack_loader.h"

#include <quiztutor/message.h>

#include <string.h>

/* One choice being read. */
struct choice_draft {
    struct choice choice;
    const char *correct, *wrong;
    int pin; /* place in the list of words, -1 where absent */
};

#define ROW(name, read, member)                                                                              \
    {                                                                                                        \
        name, read, offsetof(struct choice_draft, member), false, NULL                                       \
    }

enum { ROW_CORRECT, ROW_WRONG, ROW_FEEDBACK, ROW_MISCONCEPTION };

static const struct field choice_rows[] = {
    [ROW_CORRECT] = ROW("correct", field_text, correct),
    [ROW_WRONG] = ROW("wrong", field_text, wrong),
    [ROW_FEEDBACK] = ROW("feedback", field_text, choice.feedback),
    [ROW_MISCONCEPTION] = ROW("misconception", field_line, choice.misconception),
    ROW("id", field_id, choice.id),
    { "pin", field_word, offsetof(struct choice_draft, pin), false, "first last" },
};
static const struct fields choice_fields = { choice_rows, sizeof choice_rows / sizeof *choice_rows,
                                             N_("a choice"), NULL };

/* Reads a choice that is a mapping; false when it can't be kept. */
static bool read_mapping(struct loader *loader, const struct node *start, struct choice *choice)
{
    struct choice_draft draft;
    struct seen seen;
    struct place place = start->place;
    memset(&draft, 0, sizeof draft);
    draft.pin = -1;
    int errors = loader->report->errors;
    fields_read(loader, &choice_fields, &draft, &place, &seen);
    if (reader_stopped(loader->reader))
        return false;
    bool correct = seen_has(&seen, ROW_CORRECT), wrong = seen_has(&seen, ROW_WRONG);
    if (correct && wrong) {
        report_error(loader->report, &seen.keys[ROW_WRONG], "choice", tr("write them as two choices"),
                     tr("a choice is either correct or wrong, not both"));
    } else if (!correct && !wrong && loader->report->errors == errors) {
        report_error(loader->report, &place, "choice", tr("write \"correct: text\" or \"wrong: text\""),
                     tr("a choice needs its text under the key \"correct\" or \"wrong\""));
    } else if (correct && draft.choice.misconception) {
        report_warning(loader->report, &seen.keys[ROW_MISCONCEPTION], "misconception-of-correct",
                       tr("move it to a wrong choice"),
                       tr("a misconception on a correct choice is never reported"));
    }
    *choice = draft.choice;
    choice->text = correct ? draft.correct : draft.wrong;
    choice->correct = correct;
    choice->pin = (enum pack_pin)(draft.pin + 1);
    return choice->text != NULL;
}

/* "correct:text" is a text to YAML, and would be shown as a wrong choice. */
static bool is_glued_key(const char *text)
{
    for (size_t i = 0; i < sizeof choice_rows / sizeof *choice_rows; i++) {
        size_t length = strlen(choice_rows[i].name);
        if (strncmp(text, choice_rows[i].name, length) == 0 && text[length] == ':')
            return true;
    }
    return false;
}

static bool read_choice(struct loader *loader, const struct node *item, struct choice *choice)
{
    memset(choice, 0, sizeof *choice);
    if (item->kind == NODE_MAPPING)
        return read_mapping(loader, item, choice);
    loader->key = place_at(0, 0, 0);
    struct place place = item->place;
    if (item->kind == NODE_TEXT && item->style == STYLE_PLAIN && is_glued_key(item->text)) {
        report_error(loader->report, &place, "choice",
                     tr("write \"correct: text\" or \"wrong: text\"; if the colon belongs to the text, put "
                        "it in quotes"),
                     tr("a colon that ends a key needs a space behind it"));
        return false;
    }
    choice->text = field_take(loader, "choices", item, FORM_TEXT);
    return choice->text != NULL;
}

void choices_read(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    struct question_draft *draft = target;
    struct node item;
    if (!field_is(loader, field->name, value, NODE_LIST))
        return;
    bool sound = true;
    for (;;) {
        reader_next(loader->reader, &item);
        if (item.kind == NODE_END || item.kind == NODE_STOP)
            break;
        struct place place = item.place;
        struct choice choice;
        bool taken = read_choice(loader, &item, &choice);
        sound = sound && taken;
        if (draft->choice_count < PACK_CHOICES && taken) {
            draft->choices[draft->choice_count] = choice;
            draft->choice_places[draft->choice_count++] = place;
        } else if (draft->choice_count == PACK_CHOICES) {
            report_error(loader->report, &place, "too-many-choices", tr("delete it"),
                         tr("a question has at most %d choices"), PACK_CHOICES);
            draft->choice_count++;
        }
    }
    draft->choice_lists = sound && item.kind == NODE_END;
}

static void check_equal(struct loader *loader, const struct question_draft *draft)
{
    for (int i = 1; i < draft->choice_count; i++) {
        const struct choice *choice = &draft->choices[i];
        for (int k = 0; k < i; k++) {
            const struct choice *other = &draft->choices[k];
            const struct place *first = &draft->choice_places[k];
            if (form_same(choice->text, other->text)) {
                report_error(loader->report, &draft->choice_places[i], "equal-choices",
                             tr("change or delete one of them"),
                             tr("this choice is the same as the one at %d:%d"), first->line, first->column);
                break;
            }
            if (choice->id && other->id && strcmp(choice->id, other->id) == 0) {
                report_error(loader->report, &draft->choice_places[i], "duplicate-id",
                             tr("give it an id of its own"), tr("the choice at %d:%d has the id \"%s\" too"),
                             first->line, first->column, choice->id);
                break;
            }
        }
    }
}

/* Pinned choices stand at the ends: first ones before, last ones behind all that is not pinned there. */
static void check_pins(struct loader *loader, const struct question_draft *draft)
{
    int leading = 0, trailing = draft->choice_count;
    while (leading < draft->choice_count && draft->choices[leading].pin == PIN_FIRST)
        leading++;
    while (trailing > 0 && draft->choices[trailing - 1].pin == PIN_LAST)
        trailing--;
    for (int i = leading; i < trailing; i++) {
        if (draft->choices[i].pin == PIN_FIRST)
            report_error(loader->report, &draft->choice_places[i], "pin",
                         tr("move it to the top of the list"),
                         tr("pin: first is for the first choices only"));
        else if (draft->choices[i].pin == PIN_LAST)
            report_error(loader->report, &draft->choice_places[i], "pin",
                         tr("move it to the end of the list"), tr("pin: last is for the last choices only"));
    }
}

void choices_check(struct loader *loader, struct question_draft *draft, const struct place *key)
{
    int correct = 0;
    if (draft->choice_lists != 1 || draft->choice_count > PACK_CHOICES)
        return;
    for (int i = 0; i < draft->choice_count; i++)
        correct += draft->choices[i].correct;
    if (draft->choice_count == 0)
        report_error(loader->report, key, "empty-list", tr("write two choices or more"),
                     tr("choices: the list is empty"));
    else if (correct == 0)
        report_error(loader->report, key, "no-correct-choice", tr("write the right one as \"correct: text\""),
                     tr("none of the choices is correct"));
    else if (draft->choice_count == 1)
        report_warning(loader->report, key, "one-choice", tr("add a wrong choice"),
                       tr("there is only one choice"));
    check_equal(loader, draft);
    check_pins(loader, draft);
    draft->question.key.choices.count = draft->choice_count;
    draft->question.key.choices.correct = correct;
}
