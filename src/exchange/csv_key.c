/* The answer key of a row, by its type. */
#include "csv_row.h"
#include "tolerance.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>
#include <quiztutor/text.h>

#include <stdlib.h>
#include <string.h>

/* Room in the arena for one of each numbered column; the row is left out without memory. */
static void *room(struct csv_row *row, int count, size_t size)
{
    void *items = arena_alloc(&row->import->arena, count * (ptrdiff_t)size);
    row->import->failed = row->import->failed || !items;
    return items;
}

/* ---- choices ---- */

struct options {
    struct choice *choices;
    int count;
    int places[CSV_NUMBERED + 1]; /* of "choice n" in choices + 1; 0: empty */
};

static bool read_pin(struct csv_row *row, int number, enum pack_pin *pin)
{
    char word[CSV_WORD];
    csv_row_word(row, CSV_PIN, number, word);
    if (strcmp(word, "first") == 0)
        *pin = PIN_FIRST;
    else if (strcmp(word, "last") == 0)
        *pin = PIN_LAST;
    else if (*word) {
        import_leave_out(row->import, tr("pin %d: write first or last, not \"%s\""), number, word);
        return false;
    }
    return true;
}

static bool is_id(const char *text)
{
    return *text != '-' && strlen(text) <= PACK_ID &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

static bool read_option(struct csv_row *row, int number, struct options *options)
{
    struct choice choice = { .text = csv_row_marked(row, CSV_CHOICE, number) };
    if (!choice.text)
        return true;
    if (options->count == PACK_CHOICES) {
        import_leave_out(row->import, tr("it has more than %d choices"), PACK_CHOICES);
        return false;
    }
    choice.feedback = csv_row_marked(row, CSV_FEEDBACK, number);
    choice.misconception = csv_row_line(row, CSV_MISCONCEPTION, number);
    choice.id = csv_row_line(row, CSV_CHOICE_ID, number);
    if (choice.id && !is_id(choice.id)) {
        import_change(row->import, tr("choice id %d is left out: it is made of a-z, 0-9 and -"), number);
        choice.id = NULL;
    }
    if (!read_pin(row, number, &choice.pin))
        return false;
    options->choices[options->count++] = choice;
    options->places[number] = options->count;
    return true;
}

/* The number of the choice that a word of `correct` names: a number or a letter. 0 for none. */
static int named_number(const char *word)
{
    if (word[0] && !word[1] && ((word[0] | 0x20) >= 'a' && (word[0] | 0x20) <= 'z'))
        return (word[0] | 0x20) - 'a' + 1;
    if (strspn(word, "0123456789") != strlen(word) || strlen(word) > 2)
        return 0;
    return atoi(word);
}

/* The place of the choice with this text, from 1; 0 for none. */
static int place_of_text(const struct options *options, const char *text)
{
    for (int i = 0; i < options->count; i++)
        if (text_same(options->choices[i].text, text))
            return i + 1;
    return 0;
}

/* One word of `correct`. A word that names one choice and is the text of another is no guess to make. */
static bool mark_correct(struct csv_row *row, struct options *options, const char *word)
{
    int number = named_number(word);
    int named = number ? options->places[number] : 0, same = place_of_text(options, word);
    if (named && same && named != same) {
        import_leave_out(
            row->import,
            tr("correct: \"%s\" may mean choice %d or the text of another; write its letter, %c"), word,
            number, 'A' + number - 1);
        return false;
    }
    if (!named && !same) {
        import_leave_out(row->import, tr("correct: \"%.60s\" names none of its choices"), word);
        return false;
    }
    options->choices[(named ? named : same) - 1].correct = true;
    return true;
}

/* "2", "b", "1|3", "1, 3", or texts of choices parted by |. */
static bool read_correct(struct csv_row *row, struct options *options)
{
    ptrdiff_t length;
    const char *cell = csv_row_text(row, CSV_CORRECT, 0);
    if (!cell) {
        import_leave_out(row->import, "%s", tr("correct is empty: write the number of the right choice"));
        return false;
    }
    int whole = place_of_text(options, cell);
    if (whole && !named_number(cell)) {
        options->choices[whole - 1].correct = true;
        return true;
    }
    bool numbers = true; /* all words name choices by number or letter: then blanks and commas part them */
    for (const char *at = cell; *at && numbers; at += length) {
        char word[4] = "";
        length = (ptrdiff_t)strcspn(at, "|,; ");
        if (length < (ptrdiff_t)sizeof word)
            memcpy(word, at, (size_t)length);
        numbers = length < (ptrdiff_t)sizeof word && (!*word || named_number(word) > 0);
        length += at[length] != '\0';
    }
    if (!numbers) {
        for (const char *at = cell; csv_list_next(&at, &row->item);) {
            const char *text = import_text(row->import, buffer_get(&row->item), row->item.length);
            if (text && !mark_correct(row, options, text))
                return false;
        }
        return true;
    }
    for (const char *at = cell; *at; at += length) {
        char word[4] = "";
        length = (ptrdiff_t)strcspn(at, "|,; ");
        memcpy(word, at, (size_t)length);
        if (*word && !mark_correct(row, options, word))
            return false;
        length += at[length] != '\0';
    }
    return true;
}

static bool read_choices(struct csv_row *row, struct question *question)
{
    struct options options = { .choices = room(row, PACK_CHOICES, sizeof *options.choices) };
    if (!options.choices)
        return false;
    for (int number = 1; number <= row->columns.numbers; number++)
        if (row->columns.cell[CSV_CHOICE][number] && !read_option(row, number, &options))
            return false;
    if (!options.count) {
        import_leave_out(row->import, "%s", tr("it has no choices"));
        return false;
    }
    if (!read_correct(row, &options))
        return false;
    int correct = 0;
    for (int i = 0; i < options.count; i++)
        correct += options.choices[i].correct;
    if (question->type == QUESTION_SINGLE_CHOICE && correct > 1) {
        import_leave_out(row->import, "%s",
                         tr("correct names several choices; write multiple-choice as its type"));
        return false;
    }
    if (question->type == QUESTION_TYPES) /* not told */
        question->type = correct > 1 ? QUESTION_MULTIPLE_CHOICE : QUESTION_SINGLE_CHOICE;
    question->key.choices.items = options.choices;
    question->key.choices.count = options.count;
    question->key.choices.correct = correct;
    return true;
}

/* ---- true or false ---- */

/* Spreadsheets turn true into a truth value, and write it in their language. */
static bool read_truth(struct csv_row *row, struct question *question)
{
    char word[CSV_WORD];
    csv_row_word(row, CSV_CORRECT, 0, word);
    question->key.truth = strcmp(word, "true") == 0 || strcmp(word, "wahr") == 0;
    if (question->key.truth || strcmp(word, "false") == 0 || strcmp(word, "falsch") == 0)
        return true;
    import_leave_out(row->import, tr("correct: write true or false, not \"%s\""), word);
    return false;
}

/* ---- what is typed ---- */

/* Known wrong answers stand in the choice columns. */
static bool read_wrongs(struct csv_row *row, bool numbers, const struct known_wrong **wrongs, int *count)
{
    struct known_wrong *items = room(row, CSV_NUMBERED, sizeof *items);
    *wrongs = items;
    *count = 0;
    for (int number = 1; items && number <= row->columns.numbers; number++) {
        struct known_wrong wrong = { 0 };
        if (!csv_row_has(row, CSV_CHOICE, number))
            continue;
        wrong.value = numbers ? csv_row_digits(row, CSV_CHOICE, number, &wrong.number)
                              : csv_row_text(row, CSV_CHOICE, number);
        if (numbers && !wrong.value)
            return false;
        wrong.feedback = csv_row_marked(row, CSV_FEEDBACK, number);
        wrong.misconception = csv_row_line(row, CSV_MISCONCEPTION, number);
        if (wrong.value)
            items[(*count)++] = wrong;
    }
    return items != NULL;
}

static bool read_tolerance(struct csv_row *row, struct number_key *key)
{
    const char *text = csv_row_line(row, CSV_TOLERANCE, 0);
    if (!text || tolerance_read(key, text, (ptrdiff_t)strlen(text), row->comma))
        return true;
    import_leave_out(row->import,
                     tr("tolerance: write a number like 0.5, or per cent like 5%%, not \"%.40s\""), text);
    return false;
}

static bool read_figures(struct csv_row *row, struct number_key *key)
{
    double figures = 0;
    if (!csv_row_number(row, CSV_SIGNIFICANT_FIGURES, &figures))
        return false;
    key->significant_figures = figures >= 0 && figures <= PACK_FIGURES ? (int)figures : -1;
    if (key->significant_figures == figures)
        return true;
    import_leave_out(row->import, tr("significant figures: write a whole number from 1 to %d"), PACK_FIGURES);
    return false;
}

static bool read_number(struct csv_row *row, struct question *question)
{
    struct number_key *key = &question->key.number;
    key->answer = csv_row_digits(row, CSV_CORRECT, 0, &key->value);
    if (!key->answer || !read_tolerance(row, key) || !read_figures(row, key))
        return false;
    key->unit = csv_row_line(row, CSV_UNIT, 0);
    return read_wrongs(row, true, &key->wrongs, &key->wrong_count);
}

static bool read_ignore(struct csv_row *row, unsigned *ignore)
{
    char words[CSV_WORD];
    *ignore = IGNORE_CASE | IGNORE_SPACES;
    csv_row_word(row, CSV_IGNORE, 0, words);
    if (!*words)
        return true;
    *ignore = 0;
    for (char *at = words, *end; *at; at = end) {
        at += strspn(at, "|,;-");
        end = at + strcspn(at, "|,;-");
        unsigned found = 0;
        for (unsigned bit = IGNORE_CASE; bit <= IGNORE_SPACES; bit <<= 1) {
            const char *name = text_ignore_name((enum text_ignore)bit);
            if (strlen(name) == (size_t)(end - at) && strncmp(at, name, (size_t)(end - at)) == 0)
                found = bit;
        }
        *ignore |= found;
        bool nothing = end - at == 7 && strncmp(at, "nothing", 7) == 0;
        if (!found && !nothing && end > at) {
            import_leave_out(row->import,
                             tr("ignore: write case, accents, punctuation, spaces or nothing, not \"%.*s\""),
                             (int)(end - at), at);
            return false;
        }
    }
    return true;
}

static bool read_typed(struct csv_row *row, struct question *question)
{
    struct text_key *key = &question->key.text;
    key->accept = csv_row_list(row, CSV_CORRECT, false);
    return read_ignore(row, &key->ignore) && read_wrongs(row, false, &key->wrongs, &key->wrong_count);
}

/* ---- lists ---- */

static bool read_order(struct csv_row *row, struct question *question)
{
    const char **items = room(row, CSV_NUMBERED, sizeof *items);
    int count = 0;
    for (int number = 1; items && number <= row->columns.numbers; number++) {
        const char *text = csv_row_text(row, CSV_CHOICE, number);
        if (text)
            items[count++] = text;
    }
    question->key.order = (struct text_list){ items, count };
    return items != NULL;
}

static bool read_match(struct csv_row *row, struct question *question)
{
    const char **texts = room(row, 3 * CSV_NUMBERED, sizeof *texts);
    int count = 0, extra = 0;
    if (!texts)
        return false;
    const char **lefts = texts, **rights = texts + CSV_NUMBERED, **extras = rights + CSV_NUMBERED;
    for (int number = 1; number <= row->columns.numbers; number++) {
        const char *left = csv_row_text(row, CSV_CHOICE, number);
        const char *right = csv_row_text(row, CSV_MATCH, number);
        if (left && !right) {
            import_leave_out(row->import, tr("choice %d has no text in match %d"), number, number);
            return false;
        }
        if (left) {
            lefts[count] = left;
            rights[count++] = right;
        } else if (right) {
            extras[extra++] = right;
        }
    }
    return import_pairs(row->import, question, lefts, rights, count, extras, extra);
}

bool csv_key_read(struct csv_row *row, struct question *question)
{
    switch (question->type) {
    case QUESTION_TRUE_FALSE:
        return read_truth(row, question);
    case QUESTION_NUMBER:
        return read_number(row, question);
    case QUESTION_TEXT:
        return read_typed(row, question);
    case QUESTION_ORDER:
        return read_order(row, question);
    case QUESTION_MATCH:
        return read_match(row, question);
    case QUESTION_RECALL:
        question->key.recall = csv_row_text(row, CSV_CORRECT, 0);
        return true;
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
    case QUESTION_TYPES:
        break;
    }
    return read_choices(row, question);
}
