#include "kiosk_check.h"
#include "output.h"

#include <quiztutor/json.h>
#include <quiztutor/message.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LOOK_MS = 2000 /* through the store */, WORD = 10, SUBJECT = 18 };

static const struct {
    const char *name, *word; /* in JSON, and N_() for people */
} states[CHECK_STATES] = {
    [CHECK_GOOD] = { "good", N_("ok") },
    [CHECK_NOTE] = { "note", N_("remark") },
    [CHECK_APART] = { "apart", "–" },
    [CHECK_BAD] = { "bad", N_("to do") },
    [CHECK_UNKNOWN] = { "unknown", N_("unknown") },
};

void check_settle(char *text, ptrdiff_t room)
{
    struct buffer shown;
    buffer_init(&shown);
    text_visible(&shown, text, (ptrdiff_t)strlen(text));
    if (shown.failed) { /* no memory: what can't do harm */
        for (char *c = text; *c; c++)
            *c = *c < ' ' || *c > '~' ? '?' : *c;
    } else {
        snprintf(text, (size_t)room, "%s", buffer_get(&shown));
    }
    buffer_finish(&shown);
}

void check_found(struct check_finding *finding, enum check_state state, const char *format, ...)
{
    va_list arguments;
    finding->state = state;
    va_start(arguments, format);
    vsnprintf(finding->found, sizeof finding->found, format, arguments);
    va_end(arguments);
    check_settle(finding->found, sizeof finding->found);
}

void check_todo(struct check_finding *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->todo, sizeof finding->todo, format, arguments);
    va_end(arguments);
    check_settle(finding->todo, sizeof finding->todo);
}

static bool read_config(struct check *check)
{
    struct kiosk_watch *watch = NULL;
    if (!kiosk_config_load(&check->config, &watch, check->config_path, &check->machine->clock,
                           &check->config_list, &check->config_error))
        check->config = NULL;
    kiosk_watch_destroy(watch);
    watch = NULL;
    if (check->config &&
        !kiosk_packs_load(&check->packs, &watch, check->config, &check->packs_list, &check->packs_error))
        check->packs = NULL;
    kiosk_watch_destroy(watch);
    return check->config_error.code != ERROR_MEMORY && check->packs_error.code != ERROR_MEMORY;
}

static bool read_store(struct check *check)
{
    struct store_options options = { .clock = check->machine->clock, .existing_only = true, .reading = true };
    if (store_open(&check->store, check->config->store, &options, &check->store_error) &&
        health_look(&check->health, check->store, LOOK_MS, &check->store_error))
        return true;
    store_close(check->store);
    check->store = NULL;
    return check->store_error.code != ERROR_MEMORY;
}

bool check_init(struct check *check, const struct machine *machine, const char *config)
{
    char folder[MACHINE_PATH];
    struct stat status;
    memset(check, 0, sizeof *check);
    check->machine = machine;
    check->config_path = config;
    snprintf(check->shown_path, sizeof check->shown_path, "%s", config);
    check_settle(check->shown_path, sizeof check->shown_path);
    diagnostics_init(&check->config_list);
    diagnostics_init(&check->packs_list);
    machine_find_kiosk(machine, &check->kiosk);
    if (!read_config(check))
        return false;
    if (!check->config)
        return true;
    if (check_folder(folder, check->config->store) && machine->status(folder, &status) == 0) {
        check->has_user = true;
        check->user = (unsigned)status.st_uid;
    }
    return read_store(check);
}

void check_finish(struct check *check)
{
    store_close(check->store);
    kiosk_packs_destroy(check->packs);
    kiosk_config_destroy(check->config);
    diagnostics_finish(&check->packs_list);
    diagnostics_finish(&check->config_list);
}

static void print_finding(struct output *output, const struct check_row *row,
                          const struct check_finding *finding)
{
    struct buffer head;
    const char *word = tr(states[finding->state].word);
    if (finding->state == CHECK_APART && output->ascii)
        word = "-";
    int pad = WORD - text_columns(word);
    buffer_init(&head);
    buffer_print(&head, "%s%*s%s", word, pad > 0 ? pad : 1, "", tr(row->subject));
    output_field(output, WORD + SUBJECT, buffer_get(&head), finding->found);
    if (*finding->todo)
        output_field(output, WORD + SUBJECT, "", finding->todo);
    output->text.failed = output->text.failed || head.failed;
    buffer_finish(&head);
}

static void put_finding(struct json *json, const struct check_row *row, const struct check_finding *finding)
{
    json_open(json, '{');
    json_key(json, "name");
    json_text(json, row->name);
    json_key(json, "state");
    json_text(json, states[finding->state].name);
    json_key(json, "found");
    json_text(json, finding->found);
    json_key(json, "todo");
    json_text(json, *finding->todo ? finding->todo : NULL);
    json_close(json, '}');
}

/* Each row; how many of them want something to be done. */
static int run_rows(const struct check *check, struct output *output, struct json *json)
{
    int bad = 0;
    for (const struct check_row *row = check_rows; row->name; row++) {
        struct check_finding finding = { .state = CHECK_UNKNOWN };
        row->look(check, row, &finding);
        bad += finding.state >= CHECK_BAD;
        if (json)
            put_finding(json, row, &finding);
        else
            print_finding(output, row, &finding);
    }
    return bad;
}

static void run_json(const struct check *check, struct buffer *out, int *bad)
{
    struct json json;
    json_init(&json, out);
    json_open(&json, '{');
    json_key(&json, "version");
    json_text(&json, QUIZTUTOR_VERSION);
    json_key(&json, "config");
    json_text(&json, check->shown_path);
    json_key(&json, "checks");
    json_open(&json, '[');
    *bad = run_rows(check, NULL, &json);
    json_close(&json, ']');
    json_key(&json, "bad");
    json_integer(&json, *bad);
    json_close(&json, '}');
    buffer_char(out, '\n');
}

static void run_words(const struct check *check, struct output *output, int *bad)
{
    *bad = run_rows(check, output, NULL);
    buffer_char(&output->text, '\n');
    if (*bad)
        buffer_print(&output->text, ntr("%d thing is to be done\n", "%d things are to be done\n", *bad),
                     *bad);
    else
        buffer_text(&output->text, tr("nothing is to be done\n"));
}

int kiosk_check_run(const struct settings *settings, const char *config, bool json)
{
    struct machine machine = machine_system();
    struct check check;
    struct output output;
    struct error error = { .code = ERROR_NONE };
    int bad = 0;
    output_init(&output, settings);
    bool done = check_init(&check, &machine, config) || error_memory(&error);
    if (done && json)
        run_json(&check, &output.text, &bad);
    else if (done)
        run_words(&check, &output, &bad);
    done = output_finish(&output, done ? &error : NULL) && done;
    check_finish(&check);
    if (!done)
        return command_fail(&error);
    return bad ? STATUS_FAILED : STATUS_DONE;
}
