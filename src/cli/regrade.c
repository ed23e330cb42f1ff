/* `quiztutor regrade`: what a corrected key changes, shown first; stored with --apply, as events. */
#include "output.h"

#include <quiztutor/day.h>
#include <quiztutor/message.h>
#include <quiztutor/regrade.h>

#include <stdio.h>
#include <string.h>

/* Of two, one would be passed over without a word. */
static bool is_repeated(const struct options *given, enum option_id id)
{
    int place = 0;
    return option_next(given, id, &place) && option_next(given, id, &place);
}

/* What is asked for; QUESTION=ANSWER is parted in `room`, which lives as long as the options. */
static bool read_options(struct regrade_options *options, const struct options *given, char **room,
                         struct error *error)
{
    const char *voids = given->values[OPTION_VOID], *accept = given->values[OPTION_ACCEPT];
    *options = (struct regrade_options){ .what = REGRADE_KEY };
    *room = NULL;
    if (is_repeated(given, OPTION_VOID) || is_repeated(given, OPTION_ACCEPT))
        return error_set(error, ERROR_USAGE, "%s",
                         tr("--void and --accept take one question at a time: run regrade once for each"));
    if (voids && accept)
        return error_set(error, ERROR_USAGE, tr("--void and --accept don't go together"));
    if (given->values[OPTION_APPLY] &&
        (!given->values[OPTION_REASON] ||
         strspn(given->values[OPTION_REASON], " \t") == strlen(given->values[OPTION_REASON])))
        return error_set(error, ERROR_USAGE, tr("--apply needs --reason TEXT: it is kept with each change"));
    if (voids) {
        options->what = REGRADE_VOID;
        options->question = voids;
    }
    if (!accept)
        return true;
    *room = memory_text(accept);
    if (!*room)
        return error_memory(error);
    char *sign = strchr(*room, '=');
    if (!sign || sign == *room || !sign[1])
        return error_set(error, ERROR_USAGE, tr("--accept takes QUESTION=ANSWER"));
    *sign = '\0';
    options->what = REGRADE_ACCEPT;
    options->question = *room;
    options->accept = sign + 1;
    return true;
}

static void write_verdict(char text[static 100], const struct verdict *verdict, bool is_void)
{
    static const char *const words[OUTCOMES] = { N_("right"), N_("partly right"), N_("wrong"),
                                                 N_("left out") };
    if (is_void)
        snprintf(text, 100, "%s", tr("void"));
    else
        snprintf(text, 100, tr("%s, %g of %g"), tr(words[verdict->outcome]), verdict->mark, verdict->marks);
}

static void print_change(struct output *output, const struct regrade_change *change)
{
    char before[100], after[100], line[400];
    int64_t day = (change->answered_at + change->utc_offset_s * INT64_C(1000)) / 86400000;
    char date[16];
    until_write(date, day);
    write_verdict(before, &change->before, change->void_before);
    write_verdict(after, &change->after, change->void_after);
    snprintf(line, sizeof line, "%s: %s %s %s (%s)", change->question, before, output->ascii ? "->" : "→",
             after, date);
    output_field(output, 4, "", line);
    if (*change->response) {
        struct buffer told;
        buffer_init(&told);
        buffer_print(&told, tr("answered: %s"), change->response);
        output_field(output, 6, "", buffer_get(&told));
        buffer_finish(&told);
    }
}

/* Learner by learner: each change, then what it makes of their marks. */
static void print_changes(struct output *output, const struct regrade *regrade)
{
    double before = 0, after = 0;
    for (ptrdiff_t i = 0; i < regrade->count; i++) {
        const struct regrade_change *change = &regrade->changes[i];
        const struct regrade_change *next = i + 1 < regrade->count ? change + 1 : NULL;
        bool first = i == 0 || memcmp(&change[-1].learner, &change->learner, sizeof change->learner) != 0;
        if (first) {
            output_text(output, change->name);
            before = after = 0;
        }
        print_change(output, change);
        before += change->before.mark;
        after += change->after.mark;
        if (next && memcmp(&next->learner, &change->learner, sizeof change->learner) == 0)
            continue;
        char line[200];
        if (change->void_after)
            snprintf(line, sizeof line, tr("marks of these: %g before; they no longer count"), before);
        else
            snprintf(line, sizeof line, tr("marks of these: %g before, %g after"), before, after);
        output_field(output, 4, "", line);
    }
}

static void print_sum(struct output *output, const struct regrade *regrade, bool apply)
{
    char line[300];
    int count = (int)regrade->count;
    snprintf(line, sizeof line,
             ntr("%d answer to its questions is in the store.",
                 "%d answers to its questions are in the store.", regrade->looked_at),
             regrade->looked_at);
    output_text(output, line);
    if (apply)
        snprintf(line, sizeof line,
                 ntr("%d is marked otherwise now; learners: %d.",
                     "%d are marked otherwise now; learners: %d.", count),
                 count, regrade->learners);
    else
        snprintf(line, sizeof line,
                 ntr("%d would be marked otherwise; learners: %d.",
                     "%d would be marked otherwise; learners: %d.", count),
                 count, regrade->learners);
    output_text(output, count ? line : tr("Nothing changes."));
    if (regrade->unknown) {
        snprintf(line, sizeof line,
                 tr("%d could not be marked anew: what was answered is not on record (made elsewhere)."),
                 regrade->unknown);
        output_text(output, line);
    }
    if (regrade->gone) {
        snprintf(line, sizeof line,
                 tr("%d could not be marked anew: what was answered is no longer part of its question."),
                 regrade->gone);
        output_text(output, line);
    }
    if (!apply && regrade->count && regrade->options.what != REGRADE_KEY)
        output_text(output, regrade->options.what == REGRADE_VOID
                                ? tr("Once stored it can't be taken back, and it holds for the answers given "
                                     "until then: later ones count, until they are voided as well.")
                                : tr("Once stored it can't be taken back; only --void overrules it. It holds "
                                     "for the answers given until then."));
    if (!apply && regrade->count)
        output_text(output, tr("Nothing is stored yet; --apply --reason TEXT stores it."));
}

int command_regrade(const struct invocation *invocation)
{
    struct regrade_options options;
    struct regrade regrade = { 0 };
    struct output output;
    struct store *store = NULL;
    struct pack *pack = NULL;
    struct error error = { 0 };
    char *room = NULL;
    bool apply = invocation->options->values[OPTION_APPLY] != NULL;
    bool done = read_options(&options, invocation->options, &room, &error);
    pack = done ? command_pack(invocation, invocation->arguments[0], &error) : NULL;
    options.pack = pack;
    done = pack && command_open_store(invocation, &store, &error) &&
           regrade_plan(&regrade, store, &options, &error);
    if (done && apply) {
        struct clock clock = clock_system();
        done = regrade_apply(&regrade, store, &clock, invocation->options->values[OPTION_REASON],
                             invocation->settings->text[SETTING_LEARNER], &error);
    }
    if (done) {
        output_init(&output, invocation->settings);
        print_changes(&output, &regrade);
        print_sum(&output, &regrade, apply);
        done = output_finish(&output, &error);
    }
    store_close(store);
    regrade_finish(&regrade);
    pack_destroy(pack);
    memory_free(room);
    return done ? STATUS_DONE : error.code ? command_fail(&error) : STATUS_FAILED;
}
