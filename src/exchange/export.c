#include <quiztutor/exchange.h>

#include <quiztutor/derive.h>
#include <quiztutor/markup.h>
#include <quiztutor/message.h>
#include <quiztutor/number.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void export_init(struct export *export, const struct pack *pack)
{
    memset(export, 0, sizeof *export);
    export->pack = pack;
    arena_init(&export->arena);
    buffer_init(&export->out);
}

void export_finish(struct export *export)
{
    memory_free(export->lines);
    buffer_finish(&export->out);
    arena_finish(&export->arena);
}

void export_loss(struct export *export, const struct question *question, const char *format, ...)
{
    va_list arguments;
    char text[1000];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *kept = arena_text(&export->arena, text, (ptrdiff_t)strlen(text));
    if (!kept ||
        !memory_grow(&export->lines, &export->line_capacity, export->line_count + 1, sizeof *export->lines)) {
        export->failed = true;
        return;
    }
    export->lines[export->line_count++] = (struct export_line){ question, kept };
}

/* What the values make of a number and of the wrong ones beside it, in digits. */
static const char *in_digits(struct export *export, const char *written, double value)
{
    char digits[NUMBER_PLAIN], rounded[32];
    struct number number;
    if (number_read(&number, written, (ptrdiff_t)strlen(written), false) == NUMBER_FINE)
        return written;
    snprintf(rounded, sizeof rounded, "%.15g", value);
    number_plain(digits, strtod(rounded, NULL));
    const char *kept = arena_text(&export->arena, digits, (ptrdiff_t)strlen(digits));
    export->failed = export->failed || !kept;
    return kept ? kept : "0";
}

static void work_out(struct export *export, struct number_key *key)
{
    struct known_wrong *wrongs =
        arena_alloc(&export->arena, (key->wrong_count + 1) * (ptrdiff_t)sizeof *wrongs);
    export->failed = export->failed || !wrongs;
    key->answer = in_digits(export, key->answer, key->value);
    for (int i = 0; wrongs && i < key->wrong_count; i++) {
        wrongs[i] = key->wrongs[i];
        wrongs[i].value = in_digits(export, wrongs[i].value, wrongs[i].number);
    }
    key->wrongs = wrongs;
    key->wrong_count = wrongs ? key->wrong_count : 0;
}

const struct question *export_instance(struct export *export, const struct question *question)
{
    if (!question->parameters)
        return question;
    int picks[DERIVE_NAMES] = { 0 }; /* the first value of each, as under seed 1 */
    struct question *instance = arena_alloc(&export->arena, sizeof *instance);
    struct error error;
    if (!instance || !question_instantiate(instance, question, picks, &export->arena, &error)) {
        export->failed = true;
        return NULL;
    }
    if (instance->type == QUESTION_NUMBER)
        work_out(export, &instance->key.number);
    const char *values = parameters_say(question->parameters, picks, &export->arena);
    export_loss(export, question, tr("one instance of it only, with %s"), values ? values : "");
    return instance;
}

const char *export_plain(struct export *export, const char *text)
{
    if (!text || !export->pack->markup)
        return text;
    struct buffer plain;
    buffer_init(&plain);
    markup_render(&plain, text, false);
    const char *kept = plain.failed ? NULL : arena_text(&export->arena, buffer_get(&plain), plain.length);
    export->failed = export->failed || !kept;
    buffer_finish(&plain);
    return kept ? kept : "";
}

void export_losses_init(struct export_losses *losses)
{
    buffer_init(&losses->names);
}

void export_losses_add(struct export_losses *losses, bool lost, const char *name)
{
    if (!lost)
        return;
    if (losses->names.length)
        buffer_text(&losses->names, ", ");
    buffer_text(&losses->names, tr(name));
}

void export_losses_tell(struct export_losses *losses, struct export *export, const struct question *question)
{
    if (losses->names.length)
        export_loss(export, question, tr("left out: %s"), buffer_get(&losses->names));
    export->failed = export->failed || losses->names.failed;
    buffer_finish(&losses->names);
}
