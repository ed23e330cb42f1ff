/* `quiztutor diff`: what a changed pack means, in words. Nothing is said where nothing changed. */
#include "diff_answer.h"
#include "output.h"

#include <quiztutor/markup.h>
#include <quiztutor/message.h>
#include <quiztutor/pack_diff.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { DIFF_WORD = 13, DIFF_BRIEF = 72 }; /* columns of the first word; of a text that is only named */

/* The words of one run. */
struct diff {
    struct output output;
    struct pack_diff pack;
    struct arena arena; /* of texts made for a line */
    const char *arrow, *dots;
};

/* ---- reading ---- */

static bool is_stream(const char *argument)
{
    return strcmp(argument, "-") == 0 || strncmp(argument, "/dev/fd/", 8) == 0 ||
           strncmp(argument, "/proc/self/fd/", 14) == 0;
}

/* A pack that is piped in, as in `quiztutor diff <(git show HEAD:pack.yaml) pack.yaml`. */
static bool load_stream(struct pack **pack, const char *argument, struct diagnostics *list,
                        struct error *error)
{
    struct buffer bytes;
    char part[65536];
    ssize_t got = -1;
    bool done = false;
    int file = strcmp(argument, "-") == 0 ? STDIN_FILENO : open(argument, O_RDONLY | O_CLOEXEC);
    buffer_init(&bytes);
    while (file >= 0 && bytes.length <= PACK_FILE && !bytes.failed &&
           (got = read(file, part, sizeof part)) != 0) {
        if (got > 0)
            buffer_add(&bytes, part, got);
        else if (errno != EINTR)
            break;
    }
    if (file < 0 || got < 0)
        error_set(error, ERROR_IO, tr("%s can't be read: %s"), argument, strerror(errno));
    else if (bytes.failed)
        error_memory(error);
    else
        done = pack_load_bytes(pack, argument, buffer_get(&bytes), bytes.length, list, error);
    if (file > STDIN_FILENO)
        close(file);
    buffer_finish(&bytes);
    return done;
}

/* One of the two packs; what is wrong with it goes to standard error. */
static struct pack *load(struct library *library, const char *argument, struct arena *arena)
{
    struct diagnostics list;
    struct buffer out;
    struct error error = { 0 };
    struct pack *pack = NULL;
    diagnostics_init(&list);
    buffer_init(&out);
    const char *path = is_stream(argument) ? NULL : command_path(library, argument, arena, &error);
    bool done = path                  ? pack_load(&pack, path, &list, &error)
                : is_stream(argument) ? load_stream(&pack, argument, &list, &error)
                                      : false;
    if (!done && list.errors) {
        diagnostics_print(&list, &out);
        fputs(buffer_get(&out), stderr);
    }
    if (!done && error.code)
        command_fail(&error);
    buffer_finish(&out);
    diagnostics_finish(&list);
    return pack;
}

/* ---- words ---- */

/* A text in one line, cut where it is long. "" without memory: the output then fails as a whole. */
static const char *brief(struct diff *diff, const char *text)
{
    char *copy = arena_text(&diff->arena, text, (ptrdiff_t)strlen(text));
    ptrdiff_t length = (ptrdiff_t)strlen(text), at = 0;
    int used = 0, columns;
    if (!copy)
        return "";
    for (char *c = copy; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    for (ptrdiff_t cell; at < length && used < DIFF_BRIEF; at += cell, used += columns)
        cell = text_cell(copy + at, length - at, &columns);
    if (at == length)
        return copy;
    copy[at] = '\0';
    const char *cut = arena_print(&diff->arena, "%s%s", copy, diff->dots);
    return cut ? cut : "";
}

/* A text of a question, without the marks of light markup. */
static const char *brief_of(struct diff *diff, const struct question *question, const char *text)
{
    struct buffer plain;
    buffer_init(&plain);
    if (question->markup)
        markup_render(&plain, text, false);
    const char *kept = plain.failed ? "" : brief(diff, question->markup ? buffer_get(&plain) : text);
    buffer_finish(&plain);
    return kept;
}

static void say(struct diff *diff, const char *word, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void say(struct diff *diff, const char *word, const char *format, ...)
{
    char text[4 * DIFF_BRIEF * 8];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    output_field(&diff->output, DIFF_WORD, word, text);
}

static void say_head(struct diff *diff)
{
    for (int i = 0; i < diff->pack.head_count; i++) {
        const struct pack_diff_head *line = &diff->pack.head[i];
        const char *none = tr("(none)");
        say(diff, line->key, "%s %s %s", line->old ? brief(diff, line->old) : none, diff->arrow,
            line->now ? brief(diff, line->now) : none);
        if (strcmp(line->key, "id") == 0)
            say(diff, "",
                tr("Another id is another pack: all that learners did stays with %s and is lost to this one. "
                   "Write "
                   "id: %s to keep it."),
                line->old, line->old);
    }
}

static void say_sections(struct diff *diff)
{
    const char *word = tr("section");
    for (ptrdiff_t i = 0; i < diff->pack.section_count; i++) {
        const struct pack_diff_section *one = &diff->pack.sections[i];
        const struct section *was = one->old ? &diff->pack.old->sections[one->old - 1] : NULL;
        const struct section *is = one->now ? &diff->pack.now->sections[one->now - 1] : NULL;
        const char *title = brief(diff, is ? is->title : was->title);
        if (!was)
            say(diff, word, tr("\"%s\" is new"), title);
        else if (!is)
            say(diff, word, tr("\"%s\" has gone, or has another title"), title);
        if (one->text)
            say(diff, word, tr("\"%s\": what its questions share is reworded"), title);
        if (one->pick)
            say(diff, word, tr("\"%s\" asks %d of its %d questions; before, %d of %d"), title, is->pick,
                is->count, was->pick, was->count);
    }
}

static void say_choices(struct diff *diff, const struct pack_diff_question *one)
{
    for (int i = 0; i < one->choice_count; i++) {
        const struct choice *was = one->choices[i].old, *is = one->choices[i].now;
        if (!was) {
            say(diff, "", is->correct ? tr("right choice added: %s") : tr("wrong choice added: %s"),
                brief_of(diff, one->now, is->text));
            continue;
        }
        if (!is) {
            say(diff, "", was->correct ? tr("right choice gone: %s") : tr("wrong choice gone: %s"),
                brief_of(diff, one->old, was->text));
            continue;
        }
        if (was->correct != is->correct)
            say(diff, "", is->correct ? tr("right now: %s") : tr("no longer right: %s"),
                brief_of(diff, one->now, is->text));
        if (!text_same(was->text, is->text))
            say(diff, "", tr("choice reworded: %s %s %s"), brief_of(diff, one->old, was->text), diff->arrow,
                brief_of(diff, one->now, is->text));
    }
}

/* The texts that differ, in one line. */
static void say_texts(struct diff *diff, unsigned differs)
{
    static const struct {
        unsigned bit;
        const char *name;
    } texts[] = { { DIFFERS_PROMPT, N_("prompt") },     { DIFFERS_FIGURE, N_("figure") },
                  { DIFFERS_FEEDBACK, N_("feedback") }, { DIFFERS_EXPLANATION, N_("explanation") },
                  { DIFFERS_HINTS, N_("hints") },       { DIFFERS_TAGS, N_("tags") },
                  { DIFFERS_SOURCE, N_("source") } };
    char names[400] = "";
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t used = strlen(names);
        if (differs & texts[i].bit)
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", tr(texts[i].name));
    }
    if (*names)
        say(diff, "", tr("other than before: %s"), names);
}

/* A key without choices, in a few words. */
static const char *answer(struct diff *diff, const struct question *question)
{
    struct buffer words;
    buffer_init(&words);
    diff_answer_write(&words, question);
    const char *text = words.failed ? "" : brief(diff, buffer_get(&words));
    buffer_finish(&words);
    return text;
}

static void say_facts(struct diff *diff, const struct pack_diff_question *one)
{
    const struct question *was = one->old, *is = one->now;
    char before[TEXT_NUMBER], after[TEXT_NUMBER];
    if (one->differs & DIFFERS_TYPE)
        say(diff, "", tr("type: %s %s %s"), question_type_name(was->type), diff->arrow,
            question_type_name(is->type));
    if (one->differs & DIFFERS_ANSWER)
        say(diff, "", tr("answer: %s %s %s"), answer(diff, was), diff->arrow, answer(diff, is));
    if (one->differs & DIFFERS_PARAMETERS)
        say(diff, "", "%s", tr("other values are given or derived"));
    if (one->differs & DIFFERS_MARKS) {
        text_number(before, was->marks);
        text_number(after, is->marks);
        say(diff, "", tr("marks: %s %s %s"), before, diff->arrow, after);
    }
    if (one->differs & DIFFERS_MARKING)
        say(diff, "", tr("marking: %s %s %s"), marking_rule_name(was->marking), diff->arrow,
            marking_rule_name(is->marking));
    if (one->differs & DIFFERS_CHOICE_ORDER)
        say(diff, "", "%s", tr("choices in another order"));
    if (one->differs & DIFFERS_SHUFFLE)
        say(diff, "", "%s",
            is->shuffle ? tr("choices are shuffled now") : tr("choices keep their order now"));
    if (one->differs & DIFFERS_SECTION && is->section)
        say(diff, "", tr("now in the section \"%s\""),
            brief(diff, diff->pack.now->sections[is->section - 1].title));
}

static void say_question(struct diff *diff, const struct pack_diff_question *one)
{
    enum {
        WORDING = DIFFERS_PROMPT | DIFFERS_CHOICES | DIFFERS_FEEDBACK | DIFFERS_EXPLANATION | DIFFERS_HINTS
    };
    const struct question *shown = one->now ? one->now : one->old;
    const char *word = tr("changed");
    if (one->change == CHANGE_ADDED)
        word = tr("added");
    else if (one->change == CHANGE_GONE)
        word = tr("gone");
    else if (one->change == CHANGE_RENAMED)
        word = tr("renamed");
    else if (one->overturned)
        word = tr("new key");
    else if (one->revision)
        word = tr("revised");
    else if (one->differs & WORDING)
        word = tr("reworded");
    say(diff, word, "%s: %s", shown->id, brief_of(diff, shown, shown->prompt));
    if (one->change == CHANGE_RENAMED)
        say(diff, "",
            tr("It looks like %s under another id. Its history hangs on the id and is lost; write id: %s to "
               "keep it."),
            one->old->id, one->old->id);
    if (!one->old || !one->now)
        return;
    say_facts(diff, one);
    say_choices(diff, one);
    say_texts(diff, one->differs);
    if (one->change == CHANGE_RENAMED)
        return;
    if (one->overturned)
        say(diff, "", "%s", tr("The key is overturned: schedules and statistics start anew."));
    else if (one->revision)
        say(diff, "", "%s", tr("A new revision: statistics start anew, schedules go on."));
}

static void say_sum(struct diff *diff)
{
    const struct pack_diff *pack = &diff->pack;
    struct output *output = &diff->output;
    char line[400];
    if (pack->question_count) {
        snprintf(line, sizeof line, tr("Questions: %d added, %d gone, %d renamed, %d changed."), pack->added,
                 pack->gone, pack->renamed, pack->mended);
        output_text(output, line);
    }
    if (pack->revised) {
        snprintf(line, sizeof line,
                 ntr("Statistics start anew for %d question, schedules for %d.",
                     "Statistics start anew for %d questions, schedules for %d.", pack->revised),
                 pack->revised, pack->overturned);
        output_text(output, line);
    }
    if (pack->moved) {
        snprintf(
            line, sizeof line,
            ntr("%d question stands in another place.", "%d questions stand in another place.", pack->moved),
            pack->moved);
        output_text(output, line);
    }
}

static void say_all(struct diff *diff)
{
    const struct pack_diff *pack = &diff->pack;
    bool head = pack->head_count || pack->section_count;
    say_head(diff);
    say_sections(diff);
    if (head && pack->question_count)
        buffer_char(&diff->output.text, '\n');
    for (ptrdiff_t i = 0; i < pack->question_count; i++)
        say_question(diff, &pack->questions[i]);
    if ((head || pack->question_count) && (pack->question_count || pack->moved))
        buffer_char(&diff->output.text, '\n');
    say_sum(diff);
}

int command_diff(const struct invocation *invocation)
{
    struct diff diff = { 0 };
    struct library *library = NULL;
    struct pack *old = NULL, *now = NULL;
    struct error error = { 0 };
    int status = STATUS_FAILED;
    output_init(&diff.output, invocation->settings);
    arena_init(&diff.arena);
    diff.arrow = diff.output.ascii ? "->" : "→";
    diff.dots = diff.output.ascii ? "..." : "…";
    if (!command_library(invocation, &library, &error)) {
        command_fail(&error);
        goto out;
    }
    old = load(library, invocation->arguments[0], &diff.arena);
    now = load(library, invocation->arguments[1], &diff.arena);
    if (!old || !now)
        goto out;
    bool done = pack_diff(&diff.pack, old, now);
    if (done)
        say_all(&diff);
    else
        error_memory(&error);
    if (done && output_finish(&diff.output, &error))
        status = STATUS_DONE;
    else
        command_fail(&error);
    pack_diff_finish(&diff.pack);
out:
    buffer_finish(&diff.output.text);
    arena_finish(&diff.arena);
    pack_destroy(old);
    pack_destroy(now);
    library_destroy(library);
    return status;
}
