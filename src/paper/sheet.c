/* What is on a sheet: which questions, in which order, and the words of their answers. */
#include <quiztutor/answer.h>
#include <quiztutor/markup.h>
#include <quiztutor/message.h>
#include <quiztutor/plan.h>
#include <quiztutor/sheet.h>
#include <quiztutor/text.h>

#include "sheet_words.h"

#include <string.h>

/* Whether a section has something to say above its questions. */
static const struct section *intro_of(const struct pack *pack, const struct question *question)
{
    const struct section *section = question->section ? &pack->sections[question->section - 1] : NULL;
    return section && (section->intro || section->intro_figure) ? section : NULL;
}

static bool sheet_add(struct sheet *sheet, struct sheet_question *questions, const struct question *question,
                      uint32_t seed)
{
    struct sheet_question *added = &questions[sheet->count];
    bool begins = !sheet->count || questions[sheet->count - 1].showing.question->section != question->section;
    if (!showing_init(&added->showing, sheet->pack, question, showing_seed(seed, 1), &sheet->arena))
        return false;
    added->number = ++sheet->count;
    added->intro = begins ? intro_of(sheet->pack, question) : NULL;
    return true;
}

static bool sheet_fill(struct sheet *sheet, const struct sheet_choice *choice, const int *order, int count)
{
    int most = choice->limit > 0 && choice->limit < count ? choice->limit : count;
    struct sheet_question *questions =
        arena_alloc(&sheet->arena, (most ? most : 1) * (ptrdiff_t)sizeof *questions);
    if (!questions)
        return false;
    sheet->questions = questions;
    for (int i = 0; i < count && sheet->count < most; i++) {
        const struct question *question = &sheet->pack->questions[order[i]];
        if (!plan_has_tag(question, choice->tag))
            continue;
        if (question->type == QUESTION_RECALL)
            sheet->left_out++;
        else if (!sheet_add(sheet, questions, question, choice->seed))
            return false;
    }
    return true;
}

/* The tag of the pack that was probably meant; NULL: none is near. */
static const char *nearest_tag(const struct pack *pack, const char *wanted)
{
    const char *candidates[SHEET_TAGS];
    int count = 0;
    for (int i = 0; i < pack->question_count; i++)
        for (int k = 0; k < pack->questions[i].tags.count && count < SHEET_TAGS; k++) {
            const char *tag = pack->questions[i].tags.items[k];
            bool known = false;
            for (int j = 0; j < count && !known; j++)
                known = strcmp(candidates[j], tag) == 0;
            if (!known)
                candidates[count++] = tag;
        }
    return text_nearest(wanted, candidates, count);
}

static bool sheet_nothing(const struct sheet *sheet, const struct sheet_choice *choice, struct error *error)
{
    if (sheet->left_out)
        return error_set(error, ERROR_INPUT, tr("%s has nothing to print: cards (recall) are not for paper"),
                         sheet->pack->title);
    const char *nearest = choice->tag ? nearest_tag(sheet->pack, choice->tag) : NULL;
    if (nearest)
        return error_set(error, ERROR_INPUT,
                         tr("%s has nothing to print: no question bears the tag %s; did you mean %s?"),
                         sheet->pack->title, choice->tag, nearest);
    if (choice->tag)
        return error_set(error, ERROR_INPUT, tr("%s has nothing to print: no question bears the tag %s"),
                         sheet->pack->title, choice->tag);
    return error_set(error, ERROR_INPUT, tr("%s has nothing to print"), sheet->pack->title);
}

bool sheet_make(struct sheet *sheet, const struct pack *pack, const struct sheet_choice *choice,
                struct error *error)
{
    *sheet = (struct sheet){ .pack = pack, .id = { .seed = choice->seed, .limit = choice->limit } };
    arena_init(&sheet->arena);
    int *order = memory_alloc((pack->question_count + 1) * (ptrdiff_t)sizeof *order);
    bool done = order && sheet_fill(sheet, choice, order, showing_picked_order(pack, choice->seed, order));
    memory_free(order);
    if (done && choice->body)
        memcpy(sheet->id.body, choice->body, SHEET_BODY);
    else
        done = done && sheet_body(sheet->id.body, pack, choice->tag);
    if (!done)
        return error_memory(error);
    return sheet->count > 0 || sheet_nothing(sheet, choice, error);
}

void sheet_finish(struct sheet *sheet)
{
    arena_finish(&sheet->arena);
    *sheet = (struct sheet){ 0 };
}

/* Several texts of a question, as its answer. */
struct answer_words {
    struct buffer *out;
    const struct question *question;
    bool styled;
    int count;
};

static void answer_add(struct answer_words *words, const char *text)
{
    buffer_text(words->out, words->count++ ? "; " : "");
    sheet_words_line(words->out, text, words->question->markup, words->styled);
}

/* What is typed, or our own word, is never markup. */
static void answer_plain(struct answer_words *words, const char *text)
{
    buffer_text(words->out, words->count++ ? "; " : "");
    sheet_words_line(words->out, text, false, false);
}

static void answer_choices(struct answer_words *words, const struct showing *showing)
{
    for (int i = 0; i < showing->count; i++) {
        const struct choice *choice = &words->question->key.choices.items[showing->places[i]];
        if (choice->correct)
            answer_add(words, choice->text);
    }
}

static void answer_of_number(struct answer_words *words)
{
    char room[ANSWER_NUMBER];
    answer_plain(words, answer_number(room, words->question, false));
    if (words->question->key.number.unit)
        buffer_print(words->out, " %s", words->question->key.number.unit);
}

void sheet_answer(struct buffer *out, const struct sheet_question *asked, bool styled)
{
    const struct question *question = asked->showing.question;
    const struct match_key *match = &question->key.match;
    struct answer_words words = { .out = out, .question = question, .styled = styled };
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        answer_choices(&words, &asked->showing);
        break;
    case QUESTION_TRUE_FALSE:
        answer_plain(&words, question->key.truth ? tr("True") : tr("False"));
        break;
    case QUESTION_NUMBER:
        answer_of_number(&words);
        break;
    case QUESTION_TEXT:
        for (int i = 0; i < question->key.text.accept.count; i++)
            answer_plain(&words, question->key.text.accept.items[i]);
        break;
    case QUESTION_ORDER:
        for (int i = 0; i < question->key.order.count; i++)
            answer_add(&words, question->key.order.items[i]);
        break;
    case QUESTION_MATCH:
        for (int i = 0; i < asked->showing.count; i++)
            answer_add(&words, match->rights.items[match->pairs[asked->showing.places[i]]]);
        break;
    case QUESTION_RECALL: /* never on paper */
    case QUESTION_TYPES:
        break;
    }
}
