#include "marking_private.h"
#include "response_private.h"

#include <quiztutor/message.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const struct response_row response_rows[RESPONSE_COMMANDS] = {
    [COMMAND_HINT] = { ":hint", 'h', N_("a hint, where the question has one") },
    [COMMAND_SKIP] = { ":skip", 's', N_("put the question off; skipped twice it counts as not answered") },
    [COMMAND_UNDO] = { ":undo", 'u', N_("take back the last answer and be asked again") },
    [COMMAND_FLAG] = { ":flag", 0, N_("flag the question, to look at it again") },
    [COMMAND_REPORT] = { ":report", '!',
                         N_("report the question as wrong or unclear; a few words may follow") },
    [COMMAND_STAR] = { ":star", '*',
                       N_("star the question, for --mode starred; again takes it off; :star last: the one "
                          "before") },
    [COMMAND_SUSPEND] = { ":suspend", 0,
                          N_("don't ask the question again when it is due; again takes that back; or "
                             ":suspend last") },
    [COMMAND_OVERVIEW] = { ":overview", 0, N_("exams: the questions at a glance") },
    [COMMAND_GO] = { ":go", 0, N_("exams: to question N, as in :go 3") },
    [COMMAND_FINISH] = { ":finish", 'q', N_("finish here, with the summary") },
    [COMMAND_HELP] = { ":help", '?', N_("what can be typed here") },
};

void response_unreadable(struct response *response, const char *format, ...)
{
    va_list arguments;
    response->kind = RESPONSE_UNREADABLE;
    va_start(arguments, format);
    vsnprintf(response->reason, sizeof response->reason, format, arguments);
    va_end(arguments);
}

static bool response_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The word of a command ends at white space; only :report and :go take more, :star and :suspend the word
 * "last". */
static void response_read_command(struct response *response, const char *line, ptrdiff_t length)
{
    ptrdiff_t word = 0;
    while (word < length && !response_is_space(line[word]))
        word++;
    ptrdiff_t rest = word;
    while (rest < length && response_is_space(line[rest]))
        rest++;
    for (int i = 0; i < RESPONSE_COMMANDS; i++) {
        const char *known = response_rows[i].word;
        if ((ptrdiff_t)strlen(known) != word || memcmp(known, line, (size_t)word) != 0)
            continue;
        bool marks = i == COMMAND_STAR || i == COMMAND_SUSPEND;
        response->last = marks && length - rest == 4 && memcmp(line + rest, "last", 4) == 0;
        if (rest < length && i != COMMAND_REPORT && i != COMMAND_GO && !response->last) {
            response_unreadable(response,
                                marks ? tr("%s stands alone on its line, or takes the word last")
                                      : tr("%s stands alone on its line"),
                                known);
            return;
        }
        response->kind = RESPONSE_COMMAND;
        response->command = (enum response_command)i;
        response->argument = rest < length ? line + rest : NULL;
        return;
    }
    response_unreadable(response, tr("there is no such command; :help lists what can be typed"));
}

/* A single letter is a command unless it could be an answer here: a choice is shown with it, or it is typed.
 */
static bool response_read_letter(struct response *response, const struct showing *showing, char letter)
{
    enum question_type type = showing->question->type;
    bool lettered = type == QUESTION_SINGLE_CHOICE || type == QUESTION_MULTIPLE_CHOICE;
    int place = letter >= 'a' && letter <= 'z' ? letter - 'a' : -1;
    if (type == QUESTION_NUMBER || type == QUESTION_TEXT ||
        (lettered && place >= 0 && place < showing->count))
        return false;
    for (int i = 0; i < RESPONSE_COMMANDS; i++)
        if (response_rows[i].letter == letter) {
            response->kind = RESPONSE_COMMAND;
            response->command = (enum response_command)i;
            return true;
        }
    return false;
}

/* The sign of a report may have its words right behind it, where it is none of an answer's. */
static bool response_read_report(struct response *response, const struct showing *showing, const char *line,
                                 ptrdiff_t length)
{
    ptrdiff_t at = 1;
    if (line[0] != response_rows[COMMAND_REPORT].letter || !response_read_letter(response, showing, line[0]))
        return false;
    while (at < length && response_is_space(line[at]))
        at++;
    response->argument = at < length ? line + at : NULL;
    return true;
}

bool response_is_word(const char *line, ptrdiff_t length, const char *word)
{
    return (ptrdiff_t)strlen(word) == length && strncasecmp(line, word, (size_t)length) == 0;
}

static void response_read_truth(struct response *response, const char *line, ptrdiff_t length)
{
    static const char *const words[2][6] = { { "true", "t", "1", "a", N_("True"), NULL },
                                             { "false", "f", "2", "b", N_("False"), NULL } };
    for (int i = 0; i < 2; i++)
        for (int k = 0; words[i][k]; k++)
            if (response_is_word(line, length, k < 4 ? words[i][k] : tr(words[i][k]))) {
                response->kind = RESPONSE_ANSWER;
                response->answer.truth = i == 0;
                return;
            }
    response_unreadable(response, tr("type true or false, or t or f"));
}

/* Adds the choice shown at `number` (from 1). */
static bool response_pick(struct response *response, const struct showing *showing, long number,
                          const char *as_typed, int typed_length)
{
    if (number < 1 || number > showing->count) {
        if (*as_typed >= '0' && *as_typed <= '9')
            response_unreadable(response, tr("there is no choice %.*s; type a number from 1 to %d"),
                                typed_length, as_typed, showing->count);
        else
            response_unreadable(response,
                                tr("there is no choice %.*s; type a letter from a to %c, or a number"),
                                typed_length, as_typed, 'a' + showing->count - 1);
        return false;
    }
    uint32_t pick = 1u << showing->places[number - 1];
    if (response->answer.picks & pick) { /* a key held down, more likely than an answer */
        response_unreadable(response, tr("choice %.*s is named twice"), typed_length, as_typed);
        return false;
    }
    response->answer.picks |= pick;
    return true;
}

/* One word between separators: a number, or letters that each name a choice. */
static bool response_read_word(struct response *response, const struct showing *showing, const char *word,
                               int length)
{
    if (strspn(word, "0123456789") >= (size_t)length) {
        long number = 0;
        for (int i = 0; i < length && number <= PACK_CHOICES; i++)
            number = number * 10 + (word[i] - '0');
        return response_pick(response, showing, number, word, length < 20 ? length : 20);
    }
    for (int i = 0; i < length; i++) {
        char letter = (char)(word[i] | 0x20);
        if (letter < 'a' || letter > 'z') {
            response_unreadable(response,
                                tr("type the number or letter of a choice; :help lists what can be typed"));
            return false;
        }
        if (!response_pick(response, showing, letter - 'a' + 1, word + i, 1))
            return false;
    }
    return true;
}

static void response_read_choices(struct response *response, const struct showing *showing, const char *line,
                                  ptrdiff_t length)
{
    for (ptrdiff_t at = 0; at < length;) {
        if (line[at] == ',' || response_is_space(line[at])) {
            at++;
            continue;
        }
        ptrdiff_t end = at;
        while (end < length && line[end] != ',' && !response_is_space(line[end]))
            end++;
        if (!response_read_word(response, showing, line + at, (int)(end - at)))
            return;
        at = end;
    }
    int picked = __builtin_popcount(response->answer.picks);
    if (picked == 0)
        response_unreadable(response,
                            tr("type the number or letter of a choice; :help lists what can be typed"));
    else if (picked > 1 && showing->question->type == QUESTION_SINGLE_CHOICE)
        response_unreadable(response, tr("this question takes one choice"));
    else
        response->kind = RESPONSE_ANSWER;
}

enum { RESPONSE_LONGEST = 65536 };

/* Trims, and refuses what no response can be. False: *response says all there is to say. */
static bool response_begin(struct response *response, const char **line, ptrdiff_t *length)
{
    memset(response, 0, sizeof *response);
    response->kind = RESPONSE_BLANK;
    if (*length > RESPONSE_LONGEST) {
        response_unreadable(response, tr("the line is too long"));
        return false;
    }
    for (ptrdiff_t at = 0; at < *length;) {
        int32_t code;
        at += text_decode(*line + at, *length - at, &code);
        if (code == TEXT_BAD || code == 0) {
            response_unreadable(response, tr("the line is not text in UTF-8"));
            return false;
        }
    }
    text_trim(line, length);
    return *length > 0;
}

static void response_read_answer(struct response *response, const struct showing *showing, const char *line,
                                 ptrdiff_t length)
{
    switch (showing->question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        response_read_choices(response, showing, line, length);
        break;
    case QUESTION_TRUE_FALSE:
        response_read_truth(response, line, length);
        break;
    case QUESTION_NUMBER:
        response_read_number(response, showing->question, line, length);
        break;
    case QUESTION_TEXT:
        response_read_text(response, line, length);
        break;
    case QUESTION_ORDER:
        response_read_order(response, showing, line, length);
        break;
    case QUESTION_MATCH:
        response_read_match(response, showing, line, length);
        break;
    case QUESTION_RECALL:
        response_read_grade(response, line, length);
        break;
    case QUESTION_TYPES:
        break;
    }
}

void response_read(struct response *response, const struct showing *showing, const char *line,
                   ptrdiff_t length)
{
    if (!response_begin(response, &line, &length))
        return;
    bool escaped = showing->question->type == QUESTION_TEXT && length > 1 && line[0] == ':' && line[1] == ':';
    if (escaped)
        response_read_text(response, line + 1, length - 1);
    else if (line[0] == ':')
        response_read_command(response, line, length);
    else if (!response_read_report(response, showing, line, length) &&
             (length > 1 || !response_read_letter(response, showing, line[0])))
        response_read_answer(response, showing, line, length);
}

void response_read_field(struct response *response, const struct showing *showing, const char *text,
                         ptrdiff_t length)
{
    const struct question *question = showing->question;
    if (!response_begin(response, &text, &length))
        return;
    response_read_answer(response, showing, text, length);
    if (question->type == QUESTION_TEXT && response->kind == RESPONSE_ANSWER && length > 1 &&
        text[0] == ':' && text[1] == ':' && !marking_text_right(question, response->text))
        response_read_text(response, text + 1, length - 1); /* as it is typed where ':' begins a command */
}
