#include <quiztutor/exchange.h>

#include <quiztutor/derive.h>
#include <quiztutor/markup.h>
#include <quiztutor/message.h>

#include <stdio.h>
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
