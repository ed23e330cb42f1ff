/* Answers typed one by one: each is checked as it comes, and can be mended until all are stored. */
#include "learner.h"
#include "mark.h"

#include <quiztutor/jsonl.h>
#include <quiztutor/line.h>
#include <quiztutor/message.h>
#include <quiztutor/plain.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct asking {
    struct mark *mark;
    struct filled *filled;
    struct line_reader in;
    struct buffer out;
    bool echo; /* what is read: no terminal has shown it */
    int shown; /* the question on show, from 1; 0: none */
    int place; /* the question that is asked, from 0; the sheet's count: all are answered */
};

static bool flush(struct asking *asking, struct error *error)
{
    if (asking->out.failed)
        return error_memory(error);
    return line_write(STDOUT_FILENO, &asking->out, error);
}

static void say(struct asking *asking, const char *text)
{
    buffer_print(&asking->out, "%s\n", text);
}

static const char *next_line(struct asking *asking, ptrdiff_t *length)
{
    const char *line = line_read(&asking->in, length);
    if (line && asking->echo && !asking->mark->json) {
        text_visible(&asking->out, line, *length);
        buffer_char(&asking->out, '\n');
    }
    return line;
}

/* Once; then the prompt alone. */
static bool put_question(struct asking *asking, struct error *error)
{
    struct question_model question;
    struct arena arena;
    if (asking->shown == asking->place + 1) {
        buffer_text(&asking->out, asking->mark->json ? "" : "> ");
        return flush(asking, error);
    }
    asking->shown = asking->place + 1;
    arena_init(&arena);
    bool done = filled_question(asking->filled, asking->place, asking->mark->json, &question, &arena);
    if (done && asking->mark->json)
        jsonl_question(&asking->out, &question);
    else if (done)
        plain_question(&asking->out, &question);
    arena_finish(&arena);
    return done ? flush(asking, error) : error_memory(error);
}

/* What was typed so far, each with what was read. */
static bool put_list(struct asking *asking, struct error *error)
{
    struct output out;
    output_init(&out, asking->mark->invocation->settings);
    bool done = true;
    for (int i = 0; done && i < asking->filled->printed->sheet.count; i++)
        if (asking->filled->answers[i].given)
            done = mark_show_one(asking->mark, asking->filled, i, &out);
    return output_finish(&out, done ? error : NULL) && (done || error_memory(error));
}

static void put_help(struct asking *asking)
{
    static const char *const lines[] = {
        N_("the answer as it was written; an empty line where nothing was"),
        N_(":undo (u)     back to the question before"),
        N_(":go 3         to question 3"),
        N_(":overview     what was typed so far"),
        N_(":finish (q)   the rest is blank"),
        N_("A text that begins with : is typed with two. Nothing is stored before you have seen all of it."),
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        say(asking, tr(lines[i]));
}

static bool unreadable(struct asking *asking, const char *reason, struct error *error)
{
    if (asking->mark->json)
        jsonl_event(&asking->out, "unreadable", asking->place + 1, "reason", reason);
    else
        say(asking, reason);
    return flush(asking, error);
}

/* The question's number that a :go names; 0: none. */
static int read_go(const struct asking *asking, const char *argument)
{
    char *end;
    long number = argument ? strtol(argument, &end, 10) : 0;
    if (!argument || end == argument || strspn(end, " \t\r") != strlen(end))
        return 0;
    return number >= 1 && number <= asking->filled->printed->sheet.count ? (int)number : 0;
}

static bool handle_command(struct asking *asking, const struct response *response, struct error *error)
{
    int count = asking->filled->printed->sheet.count, number;
    switch (response->command) {
    case COMMAND_UNDO:
        if (asking->place == 0)
            return unreadable(asking, tr("this is the first question"), error);
        asking->place--;
        return true;
    case COMMAND_GO:
        number = read_go(asking, response->argument);
        if (!number)
            return unreadable(asking, tr("type :go and the number of a question on the sheet"), error);
        asking->place = number - 1;
        asking->shown = 0;
        return true;
    case COMMAND_OVERVIEW:
        return asking->mark->json || put_list(asking, error);
    case COMMAND_SKIP:
        asking->place++;
        return true;
    case COMMAND_FINISH:
        asking->place = count;
        return true;
    case COMMAND_HELP:
        if (!asking->mark->json)
            put_help(asking);
        return flush(asking, error);
    default:
        return unreadable(asking, tr("that is not for paper; :help lists what can be typed"), error);
    }
}

static bool take_answer(struct asking *asking, const struct response *response, struct error *error)
{
    struct output out;
    if (!filled_take(asking->filled, asking->place, response, error))
        return false;
    if (asking->mark->json) {
        jsonl_event(&asking->out, "noted", ++asking->place, NULL, NULL);
        return flush(asking, error);
    }
    output_init(&out, asking->mark->invocation->settings);
    bool done = mark_show_one(asking->mark, asking->filled, asking->place++, &out);
    return output_finish(&out, done ? error : NULL) && (done || error_memory(error));
}

/* *over: there is no more input. */
static bool ask_one(struct asking *asking, bool *over, struct error *error)
{
    struct response response;
    ptrdiff_t length;
    if (!put_question(asking, error))
        return false;
    const char *line = next_line(asking, &length);
    *over = !line;
    if (!line)
        return true;
    response_read(&response, &asking->filled->printed->sheet.questions[asking->place].showing, line, length);
    if (!flush(asking, error))
        return false;
    if (response.kind == RESPONSE_COMMAND)
        return handle_command(asking, &response, error);
    if (response.kind == RESPONSE_UNREADABLE)
        return unreadable(asking, response.reason, error);
    return take_answer(asking, &response, error);
}

static bool ask_from(struct asking *asking, struct error *error)
{
    bool over = false;
    int count = asking->filled->printed->sheet.count;
    while (asking->place < count)
        if (!ask_one(asking, &over, error))
            return false;
        else if (over)
            return error_set(error, ERROR_INPUT,
                             tr("the input ended at question %d of %d: nothing was stored"),
                             asking->place + 1, count);
    return true;
}

enum wish { WISH_STORE, WISH_NOTHING, WISH_MEND };

/* What to do with all that was typed; to mend: asking->place. */
static bool ask_wish(struct asking *asking, enum wish *wish, struct error *error)
{
    int count = asking->filled->printed->sheet.count;
    for (;;) {
        ptrdiff_t length;
        buffer_char(&asking->out, '\n');
        buffer_print(
            &asking->out,
            tr("Enter to store this for %s, the number of a question to mend it, n to store nothing"),
            learner_shown(&asking->mark->arena, asking->filled->learner.name));
        buffer_text(&asking->out, " > ");
        if (!flush(asking, error))
            return false;
        const char *line = next_line(asking, &length);
        if (line)
            text_trim(&line, &length);
        *wish = line && (length == 0 || learner_says_yes(line, length)) ? WISH_STORE : WISH_NOTHING;
        if (!line || *wish == WISH_STORE || *line == 'n' || *line == 'N')
            return true;
        int number = read_go(asking, line);
        *wish = WISH_MEND;
        if (number) {
            asking->place = number - 1;
            asking->shown = 0;
            return true;
        }
        buffer_print(&asking->out, tr("the questions are numbered from 1 to %d"), count);
        say(asking, "");
    }
}

/* All is seen once more, and any of it can be mended. */
static bool mend(struct asking *asking, bool *stop, struct error *error)
{
    for (;;) {
        enum wish wish;
        if (!mark_show(asking->mark, asking->filled, error))
            return false;
        if (!mark_can_ask(asking->mark))
            return true;
        if (!ask_wish(asking, &wish, error))
            return false;
        *stop = wish == WISH_NOTHING;
        asking->mark->agreed = wish == WISH_STORE; /* one Enter too many must not lose all that was typed */
        if (wish != WISH_MEND)
            return true;
        int place = asking->place;
        bool over = false;
        while (asking->place == place && !over)
            if (!ask_one(asking, &over, error))
                return false;
    }
}

bool mark_ask(struct mark *mark, struct filled *filled, bool *stop, struct error *error)
{
    struct asking asking = { .mark = mark, .filled = filled, .echo = !isatty(STDIN_FILENO) };
    line_init(&asking.in, STDIN_FILENO);
    buffer_init(&asking.out);
    if (!mark->json)
        say(&asking, tr("Type what was written, question by question; :help lists what can be typed."));
    bool done = ask_from(&asking, error) && (mark->json || mend(&asking, stop, error));
    buffer_finish(&asking.out);
    line_finish(&asking.in);
    return done;
}
