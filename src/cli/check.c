/* `quiztutor check`: what the loader and the reviewer say of packs, and what each of their rules means. */
#include "check_store.h"
#include "output.h"

#include <quiztutor/line.h>
#include <quiztutor/message.h>
#include <quiztutor/review.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Counts over all packs checked. */
struct check {
    bool json, comma;
    int errors, warnings;
    bool failed;         /* a file could not be read */
    struct store *store; /* whose answers are looked at; NULL: none */
    struct buffer out;
};

static void check_visible(struct buffer *out, const char *path)
{
    text_visible(out, path, (ptrdiff_t)strlen(path));
}

/* What the reviewer says of a loaded pack. */
static bool check_review(const struct check *check, const struct pack *pack, struct diagnostics *list,
                         struct error *error)
{
    if (!check->store)
        return review_pack(pack, list, error);
    struct review_taken *taken = check_store_taken(check->store, pack, error);
    bool done = taken && review_pack_taken(pack, taken, list, error);
    memory_free(taken);
    return done;
}

/* One pack file. */
static void check_file(struct check *check, const char *path)
{
    struct diagnostics list;
    struct error error = { 0 };
    struct pack *pack;
    diagnostics_init(&list);
    bool loaded = pack_load(&pack, path, &list, &error);
    bool reviewed = loaded && check_review(check, pack, &list, &error);
    if (check->json)
        diagnostics_json(&list, &check->out, &check->comma);
    else
        diagnostics_print(&list, &check->out);
    if (error.code) {
        command_fail(&error);
        check->failed = true;
    }
    check->errors += list.errors;
    check->warnings += list.warnings;
    if (reviewed && !check->json && !list.errors && !list.warnings) {
        check_visible(&check->out, path);
        buffer_print(
            &check->out,
            ntr(": %d question, nothing to mend", ": %d questions, nothing to mend", pack->question_count),
            pack->question_count);
        buffer_char(&check->out, '\n');
    }
    pack_destroy(pack);
    diagnostics_finish(&list);
}

static void explain_part(struct output *output, const char *text)
{
    buffer_char(&output->text, '\n');
    output_text(output, text);
}

static void explain_rule(struct output *output, const struct review_rule *rule)
{
    static const char *const kinds[] = {
        [REVIEW_ADVICE] = N_("a warning of the review"),
        [REVIEW_WARNING] = N_("a warning on reading the pack"),
        [REVIEW_ERROR] = N_("an error: the pack is not taken as long as it is there"),
        [REVIEW_FAULT] = N_("an error of the review: the pack can be practised nevertheless"),
    };
    const char *const parts[] = { rule->looks, rule->why, rule->mend };
    buffer_print(&output->text, "%s\n", rule->name);
    output_text(output, tr(rule->summary));
    buffer_print(&output->text, "(%s)\n", tr(kinds[rule->kind]));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i])
            explain_part(output, tr(parts[i]));
    if (rule->kind == REVIEW_ERROR || rule->kind == REVIEW_FAULT)
        return;
    explain_part(output,
                 tr("To leave things as they are, write this comment below the question's id; before the "
                    "first question it holds for the whole file:"));
    buffer_print(&output->text, "    # check: allow %s\n", rule->name);
}

/* `check --explain RULE`. */
static int check_explain(const struct invocation *invocation, const char *name)
{
    struct error error = { 0 };
    struct output output;
    const struct review_rule *rule = review_rule_find(name);
    const char *nearest = rule ? NULL : review_rule_nearest(name);
    if (invocation->argument_count > 0)
        error_set(&error, ERROR_USAGE, "%s", tr("check --explain takes no PACK"));
    else if (nearest)
        error_set(&error, ERROR_USAGE, tr("there is no rule \"%s\"; did you mean \"%s\"?"), name, nearest);
    else if (!rule)
        error_set(
            &error, ERROR_USAGE,
            tr("there is no rule \"%s\"; name one as it stands in brackets behind an error or a warning"),
            name);
    if (error.code)
        return command_fail(&error);
    output_init(&output, invocation->settings);
    explain_rule(&output, rule);
    return output_finish(&output, &error) ? STATUS_DONE : command_fail(&error);
}

int command_check(const struct invocation *invocation)
{
    const char *explained = invocation->options->values[OPTION_EXPLAIN];
    if (explained)
        return check_explain(invocation, explained);
    struct check check = { .json = invocation->options->values[OPTION_JSON] != NULL };
    bool strict = invocation->options->values[OPTION_STRICT] != NULL;
    struct library *library = NULL;
    struct arena arena;
    struct error error = { 0 };
    const char **paths = NULL;
    ptrdiff_t count = 0, capacity = 0;
    int status = STATUS_FAILED;
    if (invocation->argument_count == 0) {
        error_set(&error, ERROR_USAGE, tr("%s needs an argument: %s"), invocation->command->name,
                  tr(invocation->command->arguments));
        return command_fail(&error);
    }
    arena_init(&arena);
    buffer_init(&check.out);
    if (invocation->options->values[OPTION_STORE] && !command_open_store(invocation, &check.store, &error)) {
        command_fail(&error);
        goto out;
    }
    if (!command_library(invocation, &library, &error)) {
        command_fail(&error);
        goto out;
    }
    for (int i = 0; i < invocation->argument_count; i++)
        if (!library_paths(library, invocation->arguments[i], &arena, &paths, &count, &capacity, &error)) {
            command_fail(&error);
            check.failed = true;
        }
    if (check.json)
        buffer_char(&check.out, '[');
    for (ptrdiff_t i = 0; i < count; i++)
        check_file(&check, paths[i]);
    if (check.json)
        buffer_text(&check.out, "]\n");
    if (!line_write(STDOUT_FILENO, &check.out, &error)) {
        command_fail(&error);
        goto out;
    }
    if (!check.failed && !check.errors && !(strict && check.warnings))
        status = STATUS_DONE;
out:
    memory_free(paths);
    buffer_finish(&check.out);
    arena_finish(&arena);
    library_destroy(library);
    store_close(check.store);
    return status;
}
