/*
 * Aiken: a stem, choices "A. text" or "A) text", a line "ANSWER: B". What stands before an ANSWER is looked
 * at as a whole, since only there it is known which lines are choices: a list of choices begins with A and
 * goes on in order, so the stem "C. elegans is a …" is a stem. A line that is neither goes on with what it
 * follows. Moodle takes one right choice; what asks for more is left out and told.
 */
#include "line_reader.h"

#include <quiztutor/exchange.h>
#include <quiztutor/message.h>

#include <string.h>

struct block {
    struct text_line *lines; /* trimmed */
    ptrdiff_t count, capacity;
};

struct reading {
    struct import *import;
    struct block block;
    struct buffer text;
    struct question *last; /* taken last, while what follows may still explain it */
};

/* The text behind "A. " or "A)"; the letter's place from 0, or -1. */
static int option_of(const struct text_line *line, struct text_line *text)
{
    if (line->length < 2 || line->text[0] < 'A' || line->text[0] > 'Z' ||
        (line->text[1] != '.' && line->text[1] != ')'))
        return -1;
    bool blank = line->length == 2 || line->text[2] == ' ' || line->text[2] == '\t';
    if (!blank && line->text[1] == '.')
        return -1; /* U.S. */
    *text = line_trim(
        (struct text_line){ .text = line->text + 2, .length = line->length - 2, .number = line->number });
    return line->text[0] - 'A';
}

/* What stands behind "ANSWER:"; false for another line. */
static bool answer_of(const struct text_line *line, struct text_line *answer)
{
    ptrdiff_t at = line_word(line->text, line->length, "answer");
    while (at && at < line->length && (line->text[at] == ' ' || line->text[at] == '\t'))
        at++;
    if (!at || at >= line->length || line->text[at] != ':')
        return false;
    *answer = line_trim((struct text_line){
        .text = line->text + at + 1, .length = line->length - at - 1, .number = line->number });
    return true;
}

/* ---- where the choices are ---- */

/* Where the last list of two or more choices begins in lines[from..count): at an A that a B follows before
 * the next A. -1: nowhere; *alone is then the last A there is, or -1. */
static ptrdiff_t last_list(const struct block *block, ptrdiff_t from, ptrdiff_t *alone)
{
    struct text_line text;
    bool followed = false;
    *alone = -1;
    for (ptrdiff_t i = block->count - 1; i >= from; i--) {
        int place = option_of(&block->lines[i], &text);
        if (place == 1)
            followed = true;
        if (place != 0)
            continue;
        if (followed)
            return i;
        if (*alone < 0)
            *alone = i;
    }
    return -1;
}

/* The first list likewise, searched up to `end`. */
static ptrdiff_t first_list(const struct block *block, ptrdiff_t from, ptrdiff_t end)
{
    struct text_line text;
    ptrdiff_t a = -1;
    for (ptrdiff_t i = from; i < end; i++) {
        int place = option_of(&block->lines[i], &text);
        if (place == 0)
            a = i;
        else if (place == 1 && a >= 0)
            return a;
    }
    return -1;
}

/* The line behind the choices that go on in order from `list`, and where the last of them stands. */
static ptrdiff_t last_option(const struct block *block, ptrdiff_t list, ptrdiff_t end)
{
    struct text_line text;
    ptrdiff_t last = list;
    int next = 0;
    for (ptrdiff_t i = list; i < end; i++)
        if (option_of(&block->lines[i], &text) == next) {
            last = i;
            next++;
        }
    return last;
}

/* Where the stem begins that follows the choices of a question without ANSWER: behind the first blank line
 * after its last choice, else directly behind that choice. */
static ptrdiff_t next_stem(const struct block *block, ptrdiff_t last, ptrdiff_t end)
{
    ptrdiff_t at = last + 1;
    for (ptrdiff_t i = last + 1; i < end; i++)
        if (block->lines[i].length == 0) {
            at = i + 1;
            break;
        }
    while (at < end && block->lines[at].length == 0)
        at++;
    return at;
}

/* ---- texts ---- */

/* Lines joined by line ends, as a text of the pack. */
static const char *lines_text(struct reading *reading, const struct text_line *first, ptrdiff_t from,
                              ptrdiff_t end)
{
    struct buffer *out = &reading->text;
    buffer_clear(out);
    if (first)
        buffer_add(out, first->text, first->length);
    for (ptrdiff_t i = from; i < end; i++) {
        if (first || i > from)
            buffer_char(out, '\n');
        buffer_add(out, reading->block.lines[i].text, reading->block.lines[i].length);
    }
    reading->import->failed = reading->import->failed || out->failed;
    return out->failed ? NULL : import_text(reading->import, buffer_get(out), out->length);
}

static ptrdiff_t skip_blank(const struct block *block, ptrdiff_t from)
{
    while (from < block->count && block->lines[from].length == 0)
        from++;
    return from;
}

static const char *line_name(struct reading *reading, ptrdiff_t line)
{
    const struct text_line *first = &reading->block.lines[line];
    const char *name = arena_text(&reading->import->arena, first->text, first->length);
    reading->import->failed = reading->import->failed || !name;
    return name;
}

/* ---- a question ---- */

/* The choices, lines in between joined to them; 0 where there is no room or no memory. */
static int read_choices(struct reading *reading, struct choice *choices, ptrdiff_t list)
{
    struct block *block = &reading->block;
    struct import *import = reading->import;
    struct text_line text, next;
    int count = 0;
    for (ptrdiff_t i = list; i < block->count && count < PACK_CHOICES; count++) {
        option_of(&block->lines[i], &text);
        ptrdiff_t end = i + 1;
        for (; end < block->count; end++) {
            int place = option_of(&block->lines[end], &next);
            if (place == count + 1)
                break;
            if (place >= 0)
                import_change(import,
                              tr("line %d looks like option %c out of its turn: it goes on with option %c"),
                              block->lines[end].number, 'A' + place, 'A' + count);
        }
        choices[count] = (struct choice){ .text = lines_text(reading, &text, i + 1, end) };
        i = end;
    }
    return count;
}

/* Whether what stands behind the letter only says the choice again, or is a full stop. */
static bool says_again(const struct text_line *answer, const char *choice)
{
    struct text_line rest = { .text = answer->text + 1, .length = answer->length - 1 };
    if (rest.length > 0 && (rest.text[0] == '.' || rest.text[0] == ')'))
        rest = line_trim((struct text_line){ .text = rest.text + 1, .length = rest.length - 1 });
    return rest.length == 0 || (choice && (ptrdiff_t)strlen(choice) == rest.length &&
                                memcmp(choice, rest.text, (size_t)rest.length) == 0);
}

/* The place that ANSWER names, or -1: the question was left out, and the line is that of ANSWER. */
static int read_answer(struct import *import, const struct text_line *answer, const struct choice *choices,
                       int count)
{
    int length = answer->length < 40 ? (int)answer->length : 40;
    import->open.line = answer->number;
    if (answer->length == 0) {
        import_leave_out(import, "%s", tr("ANSWER names no option"));
        return -1;
    }
    char letter = answer->text[0];
    if (letter >= 'a' && letter <= 'z')
        letter = (char)(letter - 'a' + 'A');
    if (letter < 'A' || letter > 'Z' ||
        !says_again(answer, letter - 'A' < count ? choices[letter - 'A'].text : NULL)) {
        import_leave_out(import, tr("ANSWER: %.*s is not one letter; Aiken knows one right option"), length,
                         answer->text);
        return -1;
    }
    if (letter - 'A' >= count) {
        import_leave_out(import, tr("ANSWER: %c, but the options end with %c"), letter, 'A' + count - 1);
        return -1;
    }
    return letter - 'A';
}

/* The lines from `from` on hold one stem and its choices from `list` on. */
static void take(struct reading *reading, ptrdiff_t from, ptrdiff_t list, const struct text_line *answer)
{
    struct import *import = reading->import;
    struct choice *choices = arena_alloc(&import->arena, PACK_CHOICES * (ptrdiff_t)sizeof *choices);
    struct question question;
    int line = reading->block.lines[from].number;
    import_open(import, &question, line, line_name(reading, from));
    if (!choices) {
        import->failed = true;
        return;
    }
    question.prompt = lines_text(reading, NULL, from, list);
    int count = read_choices(reading, choices, list);
    int right = read_answer(import, answer, choices, count);
    if (right < 0)
        return;
    import->open.line = line;
    for (int i = 0; i < count; i++)
        if (!choices[i].text) {
            import_leave_out(import, tr("option %c has no text"), 'A' + i);
            return;
        }
    choices[right].correct = true;
    question.type = QUESTION_SINGLE_CHOICE;
    question.key.choices.items = choices;
    question.key.choices.count = count;
    question.key.choices.correct = 1;
    ptrdiff_t before = import->count;
    import_take(import, &question);
    reading->last = import->count > before ? &import->questions[import->count - 1] : NULL;
}

/* Something that is no question, at the line where it begins. */
static void leave_out(struct reading *reading, ptrdiff_t from, const char *why)
{
    struct question question;
    import_open(reading->import, &question, reading->block.lines[from].number, line_name(reading, from));
    import_leave_out(reading->import, "%s", why);
}

/* Questions without ANSWER in front of the last list of choices, each left out; where the last stem begins.
 */
static ptrdiff_t skip_unanswered(struct reading *reading, ptrdiff_t from, ptrdiff_t list)
{
    struct block *block = &reading->block;
    ptrdiff_t other = first_list(block, from, list);
    while (other >= 0) {
        ptrdiff_t next = first_list(block, other + 1, list), limit = next < 0 ? list : next;
        ptrdiff_t stem = next_stem(block, last_option(block, other, limit), limit);
        leave_out(reading, from, tr("its options are not followed by a line ANSWER"));
        from = stem;
        other = next;
    }
    return from;
}

static const char *no_list(ptrdiff_t alone)
{
    return alone >= 0 ? tr("it has one option only; a question needs two or more, A and B")
                      : tr("it has no options; they are lines that begin with \"A. \", \"B. \" and so on");
}

/* What stands before an ANSWER. */
static void read_block(struct reading *reading, const struct text_line *answer)
{
    struct block *block = &reading->block;
    ptrdiff_t from = skip_blank(block, 0), alone;
    reading->last = NULL;
    if (from == block->count) {
        struct question question;
        import_open(reading->import, &question, answer->number, "ANSWER");
        import_leave_out(reading->import, "%s", tr("no question stands before this ANSWER"));
        return;
    }
    ptrdiff_t list = last_list(block, from, &alone);
    if (list < 0) {
        leave_out(reading, from, no_list(alone));
        return;
    }
    from = skip_unanswered(reading, from, list);
    if (from == list)
        leave_out(reading, from, tr("no stem stands before its options"));
    else
        take(reading, from, list, answer);
}

/* What is left behind the last ANSWER. */
static void read_rest(struct reading *reading)
{
    struct block *block = &reading->block;
    ptrdiff_t from = skip_blank(block, 0), alone;
    if (from == block->count)
        return;
    ptrdiff_t list = last_list(block, from, &alone);
    if (list >= 0) {
        from = skip_unanswered(reading, from, list);
        leave_out(reading, from, tr("its options are not followed by a line ANSWER"));
    } else {
        leave_out(reading, from, no_list(alone));
    }
}

/*
 * A line "EXPLANATION: …" or "FEEDBACK: …" behind ANSWER is no part of Aiken, but meant well: it is taken as
 * the explanation rather than as the next stem.
 */
static bool explains(struct reading *reading, const struct text_line *line)
{
    static const char *const words[] = { "explanation:", "feedback:", "rationale:" };
    struct import *import = reading->import;
    if (!reading->last || skip_blank(&reading->block, 0) < reading->block.count)
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        ptrdiff_t at = line_word(line->text, line->length, words[i]);
        const char *text = at ? import_text(import, line->text + at, line->length - at) : NULL;
        if (!text)
            continue;
        struct import_line *told = &import->lines[import->line_count - 1];
        reading->last->explanation = text;
        told->fate = IMPORT_CHANGED;
        told->what = arena_print(&import->arena, tr("line %d, which Aiken does not know, is its explanation"),
                                 line->number);
        import->failed = import->failed || !told->what;
        reading->last = NULL;
        return true;
    }
    return false;
}

bool aiken_read(struct import *import, const char *bytes, ptrdiff_t length, struct error *error)
{
    struct reading reading = { .import = import };
    struct line_reader lines;
    struct text_line line, answer;
    if (!exchange_check_text(&bytes, &length, error))
        return false;
    buffer_init(&reading.text);
    line_reader_init(&lines, bytes, length);
    while (!import->failed && line_reader_next(&lines, &line)) {
        line = line_trim(line);
        if (answer_of(&line, &answer)) {
            read_block(&reading, &answer);
            reading.block.count = 0;
        } else if (explains(&reading, &line)) {
            continue;
        } else if (memory_grow(&reading.block.lines, &reading.block.capacity, reading.block.count + 1,
                               sizeof *reading.block.lines)) {
            reading.block.lines[reading.block.count++] = line;
        } else {
            import->failed = true;
        }
    }
    if (!import->failed)
        read_rest(&reading);
    memory_free(reading.block.lines);
    buffer_finish(&reading.text);
    return !import->failed || error_memory(error);
}

bool aiken_recognise(const char *bytes, ptrdiff_t length)
{
    struct line_reader lines;
    struct text_line line, text;
    int next = 0;
    if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        bytes += 3;
        length -= 3;
    }
    line_reader_init(&lines, bytes, length < EXCHANGE_LOOK ? length : EXCHANGE_LOOK);
    while (line_reader_next(&lines, &line)) {
        line = line_trim(line);
        int place = option_of(&line, &text);
        if (place == 0 || place == next)
            next = place + 1;
        else if (answer_of(&line, &text) && next > 1)
            return text.length > 0 && text.length <= 2;
    }
    return false;
}
