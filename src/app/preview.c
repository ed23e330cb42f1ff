/* The screens of a preview: a walk through a pack that is loaded anew whenever its file changes. */
#include "presenter_private.h"
#include "reply.h"

#include <quiztutor/message.h>
#include <quiztutor/preview.h>
#include <quiztutor/review.h>
#include <quiztutor/terminal.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
    WATCH_MS = 300, /* between two looks at the file: on a network no notice of a change can be counted on */
    SETTLE_MS = 100 /* a change is taken once the file has not changed for so long: it may be half written */
};

/* What tells one state of a file from another. */
struct stamp {
    bool there;
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec written, changed;
};

struct preview {
    const char *path, *file; /* as named; its name as it is shown */
    struct clock clock;
    struct stamp seen, last; /* of what is shown; at the last look */
    int64_t looked;          /* when, ms of the steady clock */
    struct pack *pack;       /* the last that loaded; NULL: none has */
    struct diagnostics list; /* of the last attempt to load */
    struct error fault;      /* why the file could not be read at all */
    bool sound;              /* the last attempt did load */
    char title[VIEW_FIELD];  /* of the pack that loaded last, for as long as none does */
    int place;               /* of the question shown */
    char id[PACK_ID + 1];    /* its id, by which it is found again */
    uint32_t tries;          /* a question that is tried is shuffled anew each time */
    struct arena arena, try_arena, result_arena;
    struct preview_model model;
    struct question_model question; /* being tried */
    struct result_model result;
    struct showing showing;
    bool retried; /* the spelling of the try was to be checked */
    char remark[REPLY_REMARK];
    struct view view;
    struct grid grid;
    struct terminal *terminal;
    bool done;
    struct error error; /* what ended the run */
};

/* ---- the file ---- */

static void stamp_read(struct stamp *stamp, const char *path)
{
    struct stat status;
    *stamp = (struct stamp){ 0 };
    if (stat(path, &status) != 0)
        return;
    *stamp = (struct stamp){ .there = true,
                             .device = status.st_dev,
                             .inode = status.st_ino,
                             .size = status.st_size,
                             .written = status.st_mtim,
                             .changed = status.st_ctim };
}

static bool same_time(const struct timespec *one, const struct timespec *other)
{
    return one->tv_sec == other->tv_sec && one->tv_nsec == other->tv_nsec;
}

static bool stamp_same(const struct stamp *one, const struct stamp *other)
{
    return one->there == other->there && one->device == other->device && one->inode == other->inode &&
           one->size == other->size && same_time(&one->written, &other->written) &&
           same_time(&one->changed, &other->changed);
}

/* Reads the file. A pack that loads takes the place of the one before, which stays if it does not. */
static void load(struct preview *preview)
{
    struct pack *pack;
    diagnostics_finish(&preview->list);
    diagnostics_init(&preview->list);
    preview->fault = (struct error){ 0 };
    stamp_read(&preview->seen, preview->path); /* before: what changes meanwhile is seen as a change */
    preview->last = preview->seen;
    preview->sound = pack_load(&pack, preview->path, &preview->list, &preview->fault);
    if (!preview->sound)
        return;
    review_pack(pack, &preview->list, NULL); /* a file that changes just now is looked at again */
    pack_destroy(preview->pack);
    preview->pack = pack;
    snprintf(preview->title, sizeof preview->title, "%s", pack->title);
    int place = pack_find(pack, preview->id);
    if (place >= 0)
        preview->place = place;
    if (preview->place >= pack->question_count)
        preview->place = pack->question_count - 1;
}

/* ---- what is shown ---- */

static bool fail_memory(struct preview *preview)
{
    preview->done = true;
    return error_memory(&preview->error);
}

/* Makes the model anew: of the question, or of the faults. */
static bool present(struct preview *preview)
{
    bool made;
    arena_finish(&preview->arena);
    preview->model = (struct preview_model){ 0 };
    if (preview->sound) {
        made = preview_question(&preview->model, &preview->arena, true, preview->pack, preview->place,
                                &preview->list);
        snprintf(preview->id, sizeof preview->id, "%s", preview->pack->questions[preview->place].id);
    } else {
        made = preview_faults(&preview->model, &preview->arena, &preview->list, &preview->fault);
        preview->model.question.pack_title = *preview->title ? preview->title : NULL;
    }
    preview->model.file = preview->file;
    preview->view.preview = &preview->model;
    return made || fail_memory(preview);
}

static bool show(struct preview *preview)
{
    if (!present(preview))
        return false;
    view_show(&preview->view, SCREEN_PREVIEW);
    return true;
}

/* The question as learners are asked it, in an order of its own and with new values at each try. */
static bool ask(struct preview *preview)
{
    const struct question_model *known = &preview->model.question;
    struct present present = { .arena = &preview->try_arena, .styled = true };
    struct question_model *model = &preview->question;
    arena_finish(present.arena);
    if (!showing_init(&preview->showing, preview->pack, &preview->pack->questions[preview->place],
                      showing_seed(2, (int)(++preview->tries & 0xffffff)), present.arena) ||
        !present_asked(&present, model, preview->pack, &preview->showing))
        return fail_memory(preview);
    model->tried = true;
    model->number = known->number;
    model->of = known->of;
    model->answered = known->number - 1;
    model->hints_left = known->hint_count;
    preview->retried = false;
    preview->view.question = model;
    terminal_flush(preview->terminal);
    view_show(&preview->view, SCREEN_QUESTION);
    return true;
}

/* Marks what was given, and shows what learners are told then. */
static bool answer(struct preview *preview, const struct effect *effect)
{
    const struct showing *showing = &preview->showing;
    struct present present = { .arena = &preview->result_arena, .styled = true };
    struct result_model *model = &preview->result;
    struct reply reply;
    struct verdict verdict;
    if (!reply_take(&reply, showing, effect)) {
        reply_remark(&preview->view, preview->remark, reply.response.reason);
        return true;
    }
    if (!preview->retried && marking_near_miss(showing->question, &reply.answer)) {
        preview->retried = true;
        reply_remark(&preview->view, preview->remark, reply_spelling());
        return true;
    }
    marking_mark(&verdict, showing->question, &reply.answer);
    arena_finish(present.arena);
    *model = (struct result_model){ .question = preview->question };
    model->question.answered = model->question.number;
    if (!present_marked(&present, model, showing, &reply.answer, &verdict))
        return fail_memory(preview);
    preview->view.result = model;
    terminal_flush(preview->terminal);
    view_show(&preview->view, SCREEN_RESULT);
    return true;
}

/* The file has changed: what is shown is shown anew, in its place as far as it is still there. */
static bool reload(struct preview *preview)
{
    bool was_sound = preview->sound, tried = preview->view.screen != SCREEN_PREVIEW;
    char id[sizeof preview->id];
    memcpy(id, preview->id, sizeof id);
    load(preview);
    if (!present(preview))
        return false;
    bool stays = preview->sound == was_sound && (!preview->sound || strcmp(id, preview->id) == 0);
    bool asks = tried && stays && preview->sound;
    if (asks && !ask(preview))
        return false;
    if (!asks && (tried || !stays || !preview->sound)) /* faults are shown from the first one on */
        view_show(&preview->view, SCREEN_PREVIEW);
    if (preview->sound)
        preview->view.flash = tr("shown anew");
    return true;
}

/* Looks at the file; what is new is taken once it stands still. */
static bool watch(struct preview *preview)
{
    struct stamp now;
    int64_t time = clock_steady(&preview->clock);
    bool waits = !stamp_same(&preview->last, &preview->seen);
    if (time - preview->looked < (waits ? SETTLE_MS : WATCH_MS))
        return true;
    stamp_read(&now, preview->path);
    bool still = stamp_same(&now, &preview->last);
    if (stamp_same(&now, &preview->seen))
        preview->model.note = NULL; /* gone for a while, and back as it was */
    preview->last = now;
    preview->looked = time;
    if (!still || !waits)
        return true;
    if (now.there)
        return reload(preview);
    if (!preview->model.note)
        preview->view.flash = NULL; /* it makes room */
    preview->model.note = tr("the file is gone");
    return true;
}

/* ---- the loop ---- */

static bool perform(struct preview *preview, const struct effect *effect)
{
    switch (effect->kind) {
    case EFFECT_GO:
        if (!preview->pack || effect->row < 0 || effect->row >= preview->pack->question_count)
            return true;
        preview->place = effect->row;
        return show(preview);
    case EFFECT_TRY:
        return ask(preview);
    case EFFECT_HINT:
        preview->question.hint_count++;
        preview->question.hints_left--;
        return true;
    case EFFECT_ANSWER:
        return answer(preview, effect);
    case EFFECT_NEXT:
    case EFFECT_BACK:
        return show(preview);
    case EFFECT_QUIT:
        preview->done = true;
        return true;
    case EFFECT_SUSPEND:
        terminal_suspend(preview->terminal);
        return true;
    case EFFECT_REDRAW:
        terminal_redraw(preview->terminal);
        return true;
    default:
        return true;
    }
}

static bool run(struct preview *preview)
{
    while (!preview->done) {
        struct view *view = &preview->view;
        struct input input;
        struct effect effect = { 0 };
        if (preview->grid.rows != view->rows || preview->grid.columns != view->columns) {
            grid_finish(&preview->grid);
            if (!grid_init(&preview->grid, view->rows, view->columns))
                return fail_memory(preview);
        }
        view_draw(view, &preview->grid);
        terminal_draw(preview->terminal, &preview->grid);
        terminal_read(preview->terminal, &input,
                      stamp_same(&preview->last, &preview->seen) ? WATCH_MS : SETTLE_MS);
        if (input.kind == INPUT_HANGUP)
            return true;
        view->signs = terminal_signs(preview->terminal);
        view_update(view, &input, &effect);
        if (!perform(preview, &effect) || !watch(preview))
            return false;
    }
    return true;
}

/* The file's name without its folders, in its visible form. */
static char *visible_name(const char *path)
{
    struct buffer shown;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    buffer_init(&shown);
    text_visible(&shown, name, (ptrdiff_t)strlen(name));
    char *kept = shown.failed ? NULL : memory_text(buffer_get(&shown));
    buffer_finish(&shown);
    return kept;
}

bool preview_run(const char *path, int theme, int signs, int *signal, struct error *error)
{
    struct preview *preview = memory_zero(sizeof *preview);
    struct terminal_options options = { .theme = (enum terminal_theme)theme, .signs = signs };
    char *file = visible_name(path);
    int rows, columns;
    bool done = false;
    *signal = 0;
    if (!preview || !file) {
        error_memory(error);
        goto out;
    }
    preview->path = path;
    preview->file = file;
    preview->clock = clock_system();
    preview->looked = clock_steady(&preview->clock);
    diagnostics_init(&preview->list);
    load(preview);
    if (preview->fault.code) { /* not there at all: there is nothing to wait for */
        *error = preview->fault;
        goto out;
    }
    if (!terminal_open(&preview->terminal, &options, error))
        goto out;
    terminal_size(preview->terminal, &rows, &columns);
    view_init(&preview->view, terminal_signs(preview->terminal), rows, columns);
    done = show(preview) && run(preview);
    *signal = terminal_signal(preview->terminal);
    terminal_close(preview->terminal);
    if (!done && error)
        *error = preview->error;
out:
    if (preview) {
        diagnostics_finish(&preview->list);
        arena_finish(&preview->arena);
        arena_finish(&preview->try_arena);
        arena_finish(&preview->result_arena);
        grid_finish(&preview->grid);
        pack_destroy(preview->pack);
    }
    memory_free(preview);
    memory_free(file);
    return done;
}
