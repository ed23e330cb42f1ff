/* What was written on a sheet, read as its questions were printed. */
#include <quiztutor/filled.h>
#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>

bool filled_init(struct filled *filled, const struct printed *printed, const struct store_learner *learner,
                 int64_t now)
{
    const struct sheet *sheet = &printed->sheet;
    *filled = (struct filled){ .printed = printed, .learner = *learner };
    arena_init(&filled->arena);
    filled->answers = arena_alloc(&filled->arena, sheet->count * (ptrdiff_t)sizeof *filled->answers);
    filled->learner.name = arena_text(&filled->arena, learner->name, (ptrdiff_t)strlen(learner->name));
    filled->learner.login = NULL; /* nobody is made here */
    if (!filled->answers || !filled->learner.name)
        return false;
    uuid_make(&filled->session, now);
    for (int i = 0; i < sheet->count; i++) {
        struct filled_answer *answer = &filled->answers[i];
        answer->answer.blank = true;
        uuid_make(&answer->attempt, now);
        marking_mark(&answer->verdict, sheet->questions[i].showing.question, &answer->answer);
    }
    return true;
}

void filled_finish(struct filled *filled)
{
    arena_finish(&filled->arena);
    memset(filled, 0, sizeof *filled);
}

bool filled_take(struct filled *filled, int place, const struct response *response, struct error *error)
{
    struct filled_answer *into = &filled->answers[place];
    struct answer answer = response->answer;
    if (response->kind == RESPONSE_UNREADABLE)
        return error_set(error, ERROR_INPUT, "%s", response->reason);
    if (response->kind == RESPONSE_BLANK)
        answer = (struct answer){ .blank = true };
    if (answer.text) {
        answer.text = arena_text(&filled->arena, answer.text, (ptrdiff_t)strlen(answer.text));
        if (!answer.text)
            return error_memory(error);
    }
    into->given = true;
    into->answer = answer;
    marking_mark(&into->verdict, filled->printed->sheet.questions[place].showing.question, &answer);
    return true;
}

bool filled_set(struct filled *filled, int place, const char *text, ptrdiff_t length, struct error *error)
{
    struct response response;
    response_read_field(&response, &filled->printed->sheet.questions[place].showing, text, length);
    return filled_take(filled, place, &response, error);
}

/* What stands in the place of an answer, as it can be shown. */
enum { SHOWN = 60 };
static const char *shown(char room[static 4 * SHOWN + 1], const char *text, ptrdiff_t length)
{
    struct buffer visible;
    ptrdiff_t cut = length < SHOWN ? length : SHOWN;
    while (cut < length && cut > 0 && ((unsigned char)text[cut] & 0xc0) == 0x80) /* within a character */
        cut--;
    buffer_init(&visible);
    text_visible(&visible, text, cut);
    snprintf(room, 4 * SHOWN + 1, "%s", buffer_get(&visible));
    buffer_finish(&visible);
    return room;
}

/* The question's number at *text, left behind it; 0: none stands there. */
static int read_number(const char **text, ptrdiff_t *length)
{
    int number = 0;
    for (; *length > 0 && **text >= '0' && **text <= '9'; ++*text, --*length)
        if (number <= PACK_QUESTIONS)
            number = number * 10 + (**text - '0');
    return number;
}

static bool is_letters(const char *text, ptrdiff_t length)
{
    for (ptrdiff_t i = 0; i < length; i++)
        if ((text[i] | 0x20) < 'a' || (text[i] | 0x20) > 'z')
            return false;
    return length > 0;
}

/* Reads one answer, whose number and sign stand at its beginning. `value`: what follows a =, NULL: letters
 * do.
 */
static bool read_one(struct filled *filled, const char *text, ptrdiff_t length, const char *value,
                     ptrdiff_t value_length, struct error *error)
{
    const struct sheet *sheet = &filled->printed->sheet;
    const char *rest = text;
    ptrdiff_t left = length;
    struct error why = { 0 };
    char room[4 * SHOWN + 1];
    int number = read_number(&rest, &left);
    if (rest == text || (!value && !is_letters(rest, left)))
        return error_set(error, ERROR_INPUT,
                         tr("\"%s\" is no answer; write as in 1b 8ac 7f 4=0.27 9=, with blanks between them"),
                         shown(room, text, length));
    if (number < 1 || number > sheet->count)
        return error_set(error, ERROR_INPUT,
                         ntr("there is no question %d on %s, which has %d",
                             "there is no question %d on %s, which has %d", sheet->count),
                         number, filled->printed->id, sheet->count);
    enum question_type type = sheet->questions[number - 1].showing.question->type;
    if (filled->answers[number - 1].given)
        return error_set(error, ERROR_INPUT, tr("question %d is answered twice"), number);
    if (!value && (type == QUESTION_TEXT || type == QUESTION_NUMBER))
        return error_set(error, ERROR_INPUT, tr("question %d: what was written comes after =, as in %d=%.*s"),
                         number, number, (int)(left < 20 ? left : 20), rest);
    if (filled_set(filled, number - 1, value ? value : rest, value ? value_length : left, &why))
        return true;
    if (why.code == ERROR_MEMORY)
        return error_memory(error);
    return error_set(error, ERROR_INPUT, tr("question %d: %s"), number, why.message);
}

bool filled_read(struct filled *filled, const char *text, struct error *error)
{
    ptrdiff_t length = (ptrdiff_t)strlen(text), digits = (ptrdiff_t)strspn(text, "0123456789");
    bool sign = digits > 0 && text[digits] == '=';
    if (!sign && length > 0 &&
        text[strcspn(text, " \t\r\n")]) /* many in one, as a shell's quotes make them */
        return filled_read_line(filled, text, error);
    return read_one(filled, text, sign ? digits : length, sign ? text + digits + 1 : NULL,
                    length - digits - 1, error);
}

static bool is_gap(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* A value in quotation marks at *at, which is left behind it, without them. */
static bool read_quoted(const char **at, struct buffer *value, struct error *error)
{
    char room[4 * SHOWN + 1];
    const char *start = *at, mark = **at;
    for (++*at; **at; ++*at) {
        if (**at == mark && (*at)[1] == mark)
            ++*at;
        else if (**at == mark)
            break;
        buffer_char(value, **at);
    }
    if (**at != mark)
        return error_set(error, ERROR_INPUT, tr("the quotation mark that begins %s is never closed"),
                         shown(room, start, (ptrdiff_t)strlen(start)));
    ++*at;
    if (**at && !is_gap(**at))
        return error_set(error, ERROR_INPUT, tr("white space is missing behind the quotation in %s"),
                         shown(room, start, (ptrdiff_t)strlen(start)));
    return true;
}

bool filled_read_line(struct filled *filled, const char *line, struct error *error)
{
    struct buffer value;
    bool done = true;
    buffer_init(&value);
    while (done) {
        while (is_gap(*line))
            line++;
        const char *start = line;
        if (!*line)
            break;
        ptrdiff_t digits = (ptrdiff_t)strspn(line, "0123456789");
        bool sign = digits > 0 && line[digits] == '=';
        buffer_clear(&value);
        if (sign && (line[digits + 1] == '\'' || line[digits + 1] == '"')) {
            line += digits + 1;
            done = read_quoted(&line, &value, error);
        } else {
            while (*line && !is_gap(*line))
                line++;
            if (sign)
                buffer_add(&value, start + digits + 1, line - start - digits - 1);
        }
        if (done && value.failed)
            done = error_memory(error);
        done = done && read_one(filled, start, sign ? digits : line - start, sign ? buffer_get(&value) : NULL,
                                value.length, error);
    }
    buffer_finish(&value);
    return done;
}

void filled_sum(const struct filled *filled, struct summary_model *summary)
{
    *summary = (struct summary_model){ .title = filled->printed->sheet.pack->title,
                                       .learner = filled->learner.name,
                                       .asked = filled->printed->sheet.count,
                                       .of = filled->printed->sheet.count,
                                       .finished = true };
    for (int i = 0; i < summary->asked; i++) {
        const struct verdict *verdict = &filled->answers[i].verdict;
        summary->right += verdict->outcome == OUTCOME_RIGHT;
        summary->partly += verdict->outcome == OUTCOME_PARTLY;
        summary->wrong += verdict->outcome == OUTCOME_WRONG;
        summary->skipped += verdict->outcome == OUTCOME_OMITTED;
        summary->mark += verdict->mark;
        summary->marks += verdict->marks;
    }
    summary->first_try = summary->right;
}
