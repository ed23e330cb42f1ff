/* `quiztutor mark`: what was written on a sheet, typed into the store. */
#include "mark.h"
#include "learner.h"

#include <quiztutor/day.h>
#include <quiztutor/jsonl.h>
#include <quiztutor/line.h>
#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool mark_can_ask(const struct mark *mark)
{
    return !mark->invocation->options->values[OPTION_YES] && !mark->json && isatty(STDIN_FILENO) &&
           isatty(STDERR_FILENO);
}

/* Texts as they stand in one line: of a match each with its left. */
static void put_texts(struct buffer *out, const struct question_model *question, const char *const *texts,
                      int count)
{
    for (int i = 0; i < count; i++) {
        buffer_text(out, i ? "; " : "");
        if (question->way == WAY_MATCH)
            buffer_print(out, "%s: ", question->choices[i]);
        buffer_text(out, *texts[i] ? texts[i] : tr("nothing"));
    }
}

bool mark_show_one(struct mark *mark, const struct filled *filled, int place, struct output *out)
{
    static const char *const words[OUTCOMES] = { N_("right"), N_("partly right"), N_("wrong"),
                                                 N_("left blank") };
    enum { INDENT = 5 };
    const struct verdict *verdict = &filled->answers[place].verdict;
    char number[16], got[TEXT_NUMBER], of[TEXT_NUMBER];
    struct result_model result;
    struct buffer line;
    if (!filled_result(filled, place, false, &result, &mark->arena))
        return false;
    buffer_init(&line);
    buffer_add(&line, result.question.prompt, (ptrdiff_t)strcspn(result.question.prompt, "\n"));
    snprintf(number, sizeof number, "%d.", result.question.number);
    output_field(out, INDENT, number, buffer_get(&line));
    buffer_clear(&line);
    if (result.response_count) {
        buffer_text(&line, tr("read: "));
        put_texts(&line, &result.question, result.response, result.response_count);
        output_field(out, INDENT, "", buffer_get(&line));
        buffer_clear(&line);
    }
    text_number(got, verdict->mark);
    text_number(of, verdict->marks);
    buffer_print(&line, tr("%s, %s of %s"), tr(words[verdict->outcome]), got, of);
    if (result.note)
        buffer_print(&line, ". %s", result.note);
    output_field(out, INDENT, "", buffer_get(&line));
    bool done = !line.failed;
    buffer_finish(&line);
    return done;
}

void mark_sum(struct buffer *out, const struct filled *filled)
{
    struct summary_model sum;
    char got[TEXT_NUMBER], of[TEXT_NUMBER];
    filled_sum(filled, &sum);
    text_number(got, sum.mark);
    text_number(of, sum.marks);
    text_visible(out, sum.learner, (ptrdiff_t)strlen(sum.learner));
    buffer_print(out, ", %s: ", filled->printed->id);
    buffer_print(out, tr("%d of %d right, %d partly, %d wrong, %d left blank. Marks %s of %s."), sum.right,
                 sum.asked, sum.partly, sum.wrong, sum.skipped, got, of);
}

bool mark_show(struct mark *mark, const struct filled *filled, struct error *error)
{
    struct output out;
    struct buffer line;
    output_init(&out, mark->invocation->settings);
    buffer_init(&line);
    bool done = true;
    for (int i = 0; done && i < filled->printed->sheet.count; i++)
        done = mark_show_one(mark, filled, i, &out);
    mark_sum(&line, filled);
    output_text(&out, buffer_get(&line));
    done = (done && !line.failed) || error_memory(error);
    buffer_finish(&line);
    return output_finish(&out, done ? error : NULL) && done;
}

/* Whose name is on the sheet, in the arena. */
static const char *name_of(struct mark *mark, const struct uuid *learner)
{
    struct rows *rows;
    const char *name = NULL;
    if (!rows_open(&rows, mark->store, QUERY_ROSTER, NULL, 0, NULL))
        return "?";
    while (!name && rows_step(rows, NULL) == 1) {
        struct uuid id;
        rows_uuid(rows, 0, &id);
        if (uuid_equal(&id, learner) && rows_text(rows, 1))
            name = learner_shown(&mark->arena, rows_text(rows, 1));
    }
    rows_close(rows);
    return name ? name : "?";
}

bool mark_doubt(struct mark *mark, const struct filled *filled, char why[static MARK_DOUBT],
                struct error *error)
{
    const struct printed *printed = filled->printed;
    const struct uuid *learner = &filled->learner.id;
    const char *name = learner_shown(&mark->arena, filled->learner.name);
    int64_t at, now = clock_wall(&mark->clock);
    int offset;
    *why = '\0';
    int before = store_find_paper(mark->store, learner, printed->id, &at, &offset, error);
    if (before > 0) {
        char day[DAY_TEXT];
        day_words(day, clock_day(at, offset, 0), clock_day(now, clock_offset(&mark->clock, now), 0));
        snprintf(why, MARK_DOUBT, tr("%s was marked for %s already (%s)."), printed->id, name, day);
    } else if (before == 0 && printed->recorded && !uuid_is_zero(&printed->record.learner) &&
               !uuid_equal(&printed->record.learner, learner)) {
        snprintf(why, MARK_DOUBT, tr("%s was printed for %s, not for %s."), printed->id,
                 name_of(mark, &printed->record.learner), name);
    }
    return before >= 0;
}

bool mark_tell_changed(struct mark *mark, const struct printed *printed, struct error *error)
{
    const struct pack *today;
    struct buffer title;
    for (ptrdiff_t i = 0; i < mark->told_count; i++)
        if (mark->told[i] == printed->sheet.pack)
            return true;
    if (!printed_changed(&mark->shelf, printed, &today, error))
        return false;
    if (!memory_grow(&mark->told, &mark->told_capacity, mark->told_count + 1, sizeof(struct pack *)))
        return error_memory(error);
    mark->told[mark->told_count++] = printed->sheet.pack;
    if (!today)
        return true;
    buffer_init(&title);
    text_visible(&title, today->title, (ptrdiff_t)strlen(today->title));
    fprintf(stderr, "quiztutor: ");
    fprintf(stderr,
            tr("%s has changed since this sheet was printed, which is marked as it was printed; quiztutor "
               "regrade %s marks by today's key"),
            buffer_get(&title), today->id);
    fputc('\n', stderr);
    buffer_finish(&title);
    return true;
}

/* On a terminal it is asked; else it is refused, with --yes, too. */
static bool settle_doubt(struct mark *mark, struct filled *filled, struct error *error)
{
    char why[MARK_DOUBT];
    struct buffer question;
    if (!mark_doubt(mark, filled, why, error))
        return false;
    if (!*why)
        return true;
    if (!mark_can_ask(mark))
        return error_set(error, ERROR_INPUT,
                         tr("%s Nothing was stored: on a terminal, without --yes, it is asked"), why);
    buffer_init(&question);
    buffer_print(&question, tr("%s Mark it all the same?"), why);
    bool agreed = filled->again = learner_agree(mark->invocation, buffer_get(&question), error);
    buffer_finish(&question);
    return agreed;
}

static bool agree_to_store(struct mark *mark, const struct filled *filled, struct error *error)
{
    struct buffer question;
    if (mark->agreed || mark->invocation->options->values[OPTION_YES])
        return true;
    if (!mark_can_ask(mark))
        return error_set(error, ERROR_INPUT, "%s", tr("nothing was stored: --yes stores what is shown"));
    buffer_init(&question);
    buffer_print(&question, tr("Store this for %s?"), learner_shown(&mark->arena, filled->learner.name));
    bool agreed = learner_agree(mark->invocation, buffer_get(&question), error);
    buffer_finish(&question);
    return agreed;
}

static bool open_json(const struct filled *filled, struct error *error)
{
    const struct sheet *sheet = &filled->printed->sheet;
    const char *packs[] = { sheet->pack->id };
    char id[37];
    struct session_model session = { .session = id,
                                     .learner = filled->learner.name,
                                     .seed = sheet->id.seed,
                                     .mode = "paper",
                                     .packs = packs,
                                     .pack_count = 1,
                                     .questions = sheet->count };
    struct buffer out;
    uuid_format(id, &filled->session);
    buffer_init(&out);
    jsonl_session(&out, &session);
    bool done = out.failed ? error_memory(error) : line_write(STDOUT_FILENO, &out, error);
    buffer_finish(&out);
    return done;
}

/* The events of what is durable. */
static bool tell_json(struct mark *mark, const struct filled *filled, struct error *error)
{
    struct buffer out;
    struct summary_model sum;
    buffer_init(&out);
    bool done = true;
    for (int i = 0; done && i < filled->printed->sheet.count; i++) {
        struct result_model result;
        done = filled_result(filled, i, true, &result, &mark->arena);
        if (done)
            jsonl_result(&out, &result);
    }
    filled_sum(filled, &sum);
    jsonl_summary(&out, &sum);
    done = (done && !out.failed) || error_memory(error);
    done = done && line_write(STDOUT_FILENO, &out, error);
    buffer_finish(&out);
    return done;
}

static bool not_stored_json(const struct error *why)
{
    struct buffer out;
    buffer_init(&out);
    jsonl_event(&out, "not-stored", 0, "reason", why->message);
    bool told = !out.failed && line_write(STDOUT_FILENO, &out, NULL);
    buffer_finish(&out);
    return told;
}

static bool store_filled(struct mark *mark, struct filled *filled, struct error *error)
{
    bool done =
        agree_to_store(mark, filled, error) && filled_store(&filled, 1, mark->store, &mark->clock, error);
    if (mark->json && !done)
        not_stored_json(error);
    if (!done)
        return false;
    if (mark->json)
        return tell_json(mark, filled, error);
    fprintf(stderr, "quiztutor: %s\n", tr("stored"));
    return true;
}

static bool read_answers(struct mark *mark, struct filled *filled, bool *stop, struct error *error)
{
    const struct invocation *invocation = mark->invocation;
    *stop = false;
    for (int i = 1; i < invocation->argument_count; i++)
        if (!filled_read(filled, invocation->arguments[i], error))
            return false;
    if (mark->json && !open_json(filled, error))
        return false;
    if (invocation->argument_count == 1)
        return mark_ask(mark, filled, stop, error);
    return mark->json || mark_show(mark, filled, error);
}

static bool mark_sheet(struct mark *mark, struct error *error)
{
    const char *id = mark->invocation->arguments[0];
    struct sheet_id read;
    struct store_learner learner;
    struct printed printed = { 0 };
    struct filled filled = { 0 };
    bool stop = false;
    if (!sheet_id_read(&read, id, error) ||
        !learner_find_paper(mark->store, mark->invocation->options->values[OPTION_LEARNER], &mark->arena,
                            &learner, error))
        return false;
    bool done = printed_find(&mark->shelf, &printed, id, &learner.id, error) &&
                (filled_init(&filled, &printed, &learner, clock_wall(&mark->clock)) || error_memory(error)) &&
                settle_doubt(mark, &filled, error) && mark_tell_changed(mark, &printed, error) &&
                read_answers(mark, &filled, &stop, error) && (stop || store_filled(mark, &filled, error));
    filled_finish(&filled);
    printed_finish(&printed);
    return done && (!stop || error_set(error, ERROR_INPUT, "%s", tr("nothing was stored")));
}

static bool fits(const struct invocation *invocation, struct error *error)
{
    const char *const *given = invocation->options->values;
    if (given[OPTION_BATCH])
        return (invocation->argument_count == 0 && !given[OPTION_LEARNER] && !given[OPTION_JSONL]) ||
               error_set(error, ERROR_USAGE, "%s",
                         tr("--batch takes IDs, learners and answers from its file, and no --jsonl"));
    if (invocation->argument_count == 0)
        return error_set(error, ERROR_USAGE, "%s", tr("mark takes the ID at the foot of a sheet"));
    return given[OPTION_LEARNER] ||
           error_set(error, ERROR_USAGE, "%s", tr("mark needs --learner NAME: whose sheet it is"));
}

int command_mark(const struct invocation *invocation)
{
    struct mark mark = { .invocation = invocation,
                         .clock = clock_system(),
                         .json = invocation->options->values[OPTION_JSONL] != NULL };
    const char *batch = invocation->options->values[OPTION_BATCH];
    struct error error = { 0 };
    arena_init(&mark.arena);
    bool done = fits(invocation, &error) && command_open_store(invocation, &mark.store, &error) &&
                command_library(invocation, &mark.library, &error);
    printed_shelf_init(&mark.shelf, mark.store, mark.library);
    if (done) {
        application_hand_in(mark.store, mark.clock);
        done = batch ? mark_batch(&mark, batch, &error) : mark_sheet(&mark, &error);
    }
    memory_free(mark.told);
    printed_shelf_finish(&mark.shelf);
    library_destroy(mark.library);
    store_close(mark.store);
    arena_finish(&mark.arena);
    return done ? STATUS_DONE : error.code ? command_fail(&error) : STATUS_FAILED;
}
