#include <quiztutor/message.h>
#include <quiztutor/presenter.h>

#include <string.h>

void presenter_init(struct presenter *presenter)
{
    memset(presenter, 0, sizeof *presenter);
}

void presenter_finish(struct presenter *presenter)
{
    arena_finish(&presenter->question_arena);
    arena_finish(&presenter->result_arena);
    arena_finish(&presenter->summary_arena);
    arena_finish(&presenter->library_arena);
}

bool presenter_session(struct presenter *presenter, const struct practice *practice)
{
    struct session_model *model = &presenter->session;
    const char **packs = arena_alloc(&presenter->question_arena,
                                     (practice->options.pack_count + 1) * (ptrdiff_t)sizeof *packs);
    if (!packs)
        return false;
    for (int i = 0; i < practice->options.pack_count; i++)
        packs[i] = practice->options.packs[i]->id;
    uuid_format(presenter->session_id, &practice->record.id);
    *model = (struct session_model){
        .session = presenter->session_id,
        .learner = practice->record.learner.name,
        .seed = practice->record.seed,
        .mode = plan_mode_name(practice->options.mode),
        .packs = packs,
        .pack_count = practice->options.pack_count,
        .questions = practice->session.count,
        .resumed = practice->resumed,
    };
    return true;
}

static const char *choice_text(const struct showing *showing, int shown)
{
    int place = showing->places[shown];
    if (showing->question->type == QUESTION_TRUE_FALSE)
        return place == 0 ? tr("True") : tr("False");
    return showing->question->key.choices.items[place].text;
}

static bool choice_right(const struct showing *showing, int shown)
{
    int place = showing->places[shown];
    if (showing->question->type == QUESTION_TRUE_FALSE)
        return showing->question->key.truth == (place == 0);
    return showing->question->key.choices.items[place].correct;
}

static bool choice_picked(const struct showing *showing, const struct answer *answer, int shown)
{
    int place = showing->places[shown];
    if (answer->blank)
        return false;
    if (showing->question->type == QUESTION_TRUE_FALSE)
        return answer->truth == (place == 0);
    return answer->picks >> place & 1;
}

static void present_question(struct question_model *model, const struct practice *practice,
                             const struct showing *showing, int place)
{
    const struct session_entry *entry = &practice->session.entries[place];
    const struct question *question = showing->question;
    /* a pack mended since may hold fewer hints than were given */
    int hints = entry->hints < question->hints.count ? entry->hints : question->hints.count;
    *model = (struct question_model){
        .pack = entry->pack->id,
        .pack_title = entry->pack->title,
        .learner = practice->record.learner.name,
        .question = question->id,
        .type = question_type_name(question->type),
        .number = place + 1,
        .of = practice->session.count,
        .answered = session_answered(&practice->session),
        .prompt = question->prompt,
        .figure = question->figure,
        .choice_count = showing->count,
        .many = question->type == QUESTION_MULTIPLE_CHOICE,
        .truth = question->type == QUESTION_TRUE_FALSE,
        .hint_count = hints,
        .hints_left = question->hints.count - hints,
        .hints = question->hints.items,
        .can_undo = practice_newest(practice) != NULL,
    };
    for (int i = 0; i < showing->count; i++)
        model->choices[i] = choice_text(showing, i);
}

bool presenter_question(struct presenter *presenter, struct practice *practice)
{
    struct showing showing;
    if (!practice_current(practice, &showing))
        return false;
    present_question(&presenter->question, practice, &showing, session_current(&practice->session));
    presenter->question.again = session_is_return(&practice->session);
    return true;
}

/* NULL for an empty text, else a copy in the arena. */
static bool present_text(struct arena *arena, const struct buffer *text, const char **copy)
{
    *copy = NULL;
    if (text->failed)
        return false;
    if (text->length)
        *copy = arena_text(arena, buffer_get(text), text->length);
    return !text->length || *copy;
}

bool presenter_result(struct presenter *presenter, const struct practice *practice)
{
    static const enum verdict_kind kinds[OUTCOMES] = {
        [OUTCOME_RIGHT] = VERDICT_RIGHT,
        [OUTCOME_PARTLY] = VERDICT_PARTLY,
        [OUTCOME_WRONG] = VERDICT_WRONG,
        [OUTCOME_OMITTED] = VERDICT_SKIPPED,
    };
    const struct practice_last *last = &practice->last;
    const struct showing *showing = &last->showing;
    const struct question *question = showing->question;
    struct result_model *model = &presenter->result;
    struct arena *arena = &presenter->result_arena;
    struct buffer feedback;

    arena_finish(arena);
    memset(model, 0, sizeof *model);
    present_question(&model->question, practice, showing, last->entry);
    model->question.again = last->again;
    model->verdict = kinds[last->verdict.outcome];
    model->mark = last->verdict.mark;
    model->marks = last->verdict.marks;
    for (int i = 0; i < showing->count; i++) {
        model->picked[i] = choice_picked(showing, &last->answer, i);
        model->right[i] = choice_right(showing, i);
        if (model->picked[i])
            model->response[model->response_count++] = choice_text(showing, i);
        if (model->right[i])
            model->answer[model->answer_count++] = choice_text(showing, i);
    }
    char *attempt = arena_alloc(arena, 37);
    if (!attempt)
        return false;
    uuid_format(attempt, &last->attempt);
    model->attempt = attempt;
    buffer_init(&feedback);
    marking_feedback(&feedback, question, &last->answer);
    bool done = present_text(arena, &feedback, &model->feedback);
    buffer_finish(&feedback);
    model->explanation = question->explanation;
    model->explanation_figure = question->explanation_figure;
    model->source = question->source;
    model->last = session_current(&practice->session) < 0;
    return done;
}

/* Right texts, or the picked ones, in pack order, joined. */
static const char *present_choices(struct arena *arena, const struct question *question,
                                   const struct answer *answer)
{
    struct buffer out;
    const char *text = NULL;
    buffer_init(&out);
    if (question->type == QUESTION_TRUE_FALSE) {
        bool truth = answer ? answer->truth : question->key.truth;
        buffer_text(&out, truth ? tr("True") : tr("False"));
    } else {
        for (int i = 0; i < question->key.choices.count; i++) {
            const struct choice *choice = &question->key.choices.items[i];
            if (!(answer ? answer->picks >> i & 1 : choice->correct))
                continue;
            if (out.length)
                buffer_text(&out, "; ");
            buffer_text(&out, choice->text);
        }
    }
    present_text(arena, &out, &text);
    buffer_finish(&out);
    return text;
}

struct topics {
    struct summary_topic *items;
    ptrdiff_t count, capacity;
};

static bool topics_add(struct topics *topics, const char *name, bool right)
{
    ptrdiff_t i = 0;
    while (i < topics->count && strcmp(topics->items[i].name, name) != 0)
        i++;
    if (i == topics->count) {
        if (!memory_grow(&topics->items, &topics->capacity, i + 1, sizeof *topics->items))
            return false;
        topics->items[topics->count++] = (struct summary_topic){ .name = name };
    }
    topics->items[i].asked++;
    topics->items[i].right += right;
    return true;
}

/* Misses and topics, by each question's first answer that stands. */
static bool present_review(struct presenter *presenter, const struct practice *practice,
                           struct topics *topics)
{
    const struct session *session = &practice->session;
    struct arena *arena = &presenter->summary_arena;
    struct summary_model *model = &presenter->summary;
    struct summary_miss *misses = arena_alloc(arena, (session->count + 1) * (ptrdiff_t)sizeof *misses);
    if (!misses)
        return false;
    for (int i = 0; i < session->count; i++) {
        const struct session_entry *entry = &session->entries[i];
        if (entry->first < 0 || !entry->question)
            continue;
        const struct session_answer *first = &session->answers[entry->first];
        bool right = first->verdict.outcome == OUTCOME_RIGHT;
        for (int k = 0; k < entry->question->tags.count; k++)
            if (!topics_add(topics, entry->question->tags.items[k], right))
                return false;
        if (right || entry->gone)
            continue;
        struct summary_miss *miss = &misses[model->miss_count++];
        miss->prompt = entry->question->prompt;
        miss->answer = present_choices(arena, entry->question, NULL);
        miss->response = first->answer.blank ? NULL : present_choices(arena, entry->question, &first->answer);
        if (!miss->answer || (!first->answer.blank && !miss->response))
            return false;
    }
    model->misses = misses;
    return true;
}

bool presenter_summary(struct presenter *presenter, const struct practice *practice)
{
    struct summary_model *model = &presenter->summary;
    struct arena *arena = &presenter->summary_arena;
    struct topics topics = { 0 };
    struct session_summary summary;

    arena_finish(arena);
    session_summarise(&practice->session, &summary);
    *model = (struct summary_model){
        .learner = practice->record.learner.name,
        .of = practice->session.count,
        .asked = summary.asked,
        .right = summary.right,
        .partly = summary.partly,
        .wrong = summary.wrong,
        .skipped = summary.skipped,
        .first_try = summary.first_try,
        .mark = summary.mark,
        .marks = summary.marks,
        .finished = summary.finished,
        .elapsed_ms = practice->elapsed_ms,
        .undone = practice->undone,
    };
    int packs = practice->options.pack_count;
    model->title = packs == 1 ? practice->options.packs[0]->title
                              : arena_print(arena, ntr("%d pack", "%d packs", packs), packs);
    bool done = model->title && present_review(presenter, practice, &topics);
    if (done && topics.count) {
        struct summary_topic *kept = arena_alloc(arena, topics.count * (ptrdiff_t)sizeof *kept);
        done = kept != NULL;
        if (kept) {
            memcpy(kept, topics.items, (size_t)topics.count * sizeof *kept);
            model->topics = kept;
            model->topic_count = (int)topics.count;
        }
    }
    memory_free(topics.items);
    return done;
}

static const char *present_list(struct arena *arena, const struct text_list *list)
{
    struct buffer out;
    const char *text = NULL;
    buffer_init(&out);
    for (int i = 0; i < list->count; i++)
        buffer_print(&out, "%s%s", i ? ", " : "", list->items[i]);
    present_text(arena, &out, &text);
    buffer_finish(&out);
    return text;
}

static bool present_row(struct presenter *presenter, struct library_row *row,
                        const struct library_entry *entry, struct store *store,
                        const struct store_learner *learner, struct error *error)
{
    struct arena *arena = &presenter->library_arena;
    const struct pack *pack = entry->pack;
    row->path = entry->path;
    row->problem = entry->problem;
    if (!pack)
        return true;
    row->id = pack->id;
    row->title = pack->title;
    row->strapline = pack->strapline;
    row->description = pack->description;
    row->subject = pack->subject;
    row->licence = present_list(arena, &pack->licence);
    row->authors = present_list(arena, &pack->authors);
    row->questions = pack->question_count;
    if (uuid_is_zero(&learner->id))
        return true;
    const struct plan_history *history = practice_history(store, &learner->id, pack, arena, error);
    if (!history)
        return false;
    for (int i = 0; i < pack->question_count; i++) {
        row->seen += history[i].seen;
        row->right += history[i].seen && history[i].last == OUTCOME_RIGHT;
    }
    row->due = row->seen;
    return true;
}

/* A pack whose namesake comes first in the folders: listed, so that nobody wonders where it is. */
static bool present_shadowed(struct presenter *presenter, struct library_row *row,
                             const struct library_entry *entry, struct error *error)
{
    struct buffer path, problem;
    buffer_init(&path);
    buffer_init(&problem);
    text_visible(&path, entry->shadowed_by, (ptrdiff_t)strlen(entry->shadowed_by));
    buffer_print(&problem, tr("shadowed by %s, which has the same id"), buffer_get(&path));
    row->path = entry->path;
    row->problem =
        problem.failed ? NULL : arena_text(&presenter->library_arena, buffer_get(&problem), problem.length);
    buffer_finish(&problem);
    buffer_finish(&path);
    return row->problem || error_memory(error);
}

bool presenter_library(struct presenter *presenter, struct library *library, struct store *store,
                       const struct store_learner *learner, struct error *error)
{
    struct library_model *model = &presenter->library;
    const struct library_entry *entries;
    int count;
    arena_finish(&presenter->library_arena);
    *model = (struct library_model){ .learner = learner->name };
    if (!library_list(library, &entries, &count, error))
        return false;
    struct library_row *rows = arena_alloc(&presenter->library_arena, (count + 1) * (ptrdiff_t)sizeof *rows);
    if (!rows)
        return error_memory(error);
    model->rows = rows;
    for (int i = 0; i < count; i++) {
        struct library_row *row = &rows[model->count];
        if (entries[i].shadowed_by ? !present_shadowed(presenter, row, &entries[i], error)
                                   : !present_row(presenter, row, &entries[i], store, learner, error))
            return false;
        model->count++;
    }
    return true;
}

bool presenter_packs(struct presenter *presenter, const struct practice *practice, struct error *error)
{
    const struct practice_options *options = &practice->options;
    struct library_model *model = &presenter->library;
    arena_finish(&presenter->library_arena);
    *model = (struct library_model){ .learner = practice->record.learner.name };
    struct library_row *rows =
        arena_alloc(&presenter->library_arena, (options->pack_count + 1) * (ptrdiff_t)sizeof *rows);
    if (!rows)
        return error_memory(error);
    model->rows = rows;
    for (int i = 0; i < options->pack_count; i++) {
        struct library_entry entry = { .path = options->packs[i]->path, .pack = options->packs[i] };
        if (!present_row(presenter, &rows[i], &entry, practice->store, &practice->record.learner, error))
            return false;
        model->count++;
    }
    return true;
}
