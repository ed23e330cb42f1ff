#include "pack_loader.h"

#include "derive_evaluator.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>

#include <string.h>

static const char *const type_names[QUESTION_TYPES] = {
    "single-choice", "multiple-choice", "true-false", "number", "text", "order", "match", "recall"
};
static const char *const rule_names[MARKING_RULES] = { "all-or-nothing", "net-correct", "each-decision" };

const char *question_type_name(enum question_type type)
{
    return type_names[type];
}

const char *marking_rule_name(enum marking_rule rule)
{
    return rule_names[rule];
}

static bool draft_init(struct pack_draft *draft, const char *path, struct error *error)
{
    memset(draft, 0, sizeof *draft);
    struct pack *pack = &draft->pack;
    arena_init(&pack->arena);
    draft->shuffle = draft->marking = draft->markup = -1;
    pack->path = arena_text(&pack->arena, path, (ptrdiff_t)strlen(path));
    pack->index = memory_alloc(sizeof *pack->index);
    if (pack->index)
        index_init(pack->index);
    return (pack->path && pack->index) || error_memory(error);
}

static void pack_finish(struct pack *pack)
{
    if (pack->index)
        index_finish(pack->index);
    memory_free(pack->index);
    evaluator_destroy(pack->evaluator);
    arena_finish(&pack->arena);
}

static void draft_finish(struct pack_draft *draft)
{
    memory_free(draft->questions);
    memory_free(draft->sections);
    pack_finish(&draft->pack);
}

/* What the questions take over from the head, whichever came first in the file. */
static void draft_resolve(struct pack_draft *draft)
{
    struct pack *pack = &draft->pack;
    pack->shuffle = draft->shuffle < 0 ? SHUFFLE_ALL : (enum pack_shuffle)draft->shuffle;
    pack->marking = (enum marking_rule)draft->marking;
    pack->markup = draft->markup == 1;
    if (!pack->language)
        pack->language = "en";
    bool comma = number_comma(pack->language);
    if (!pack->key_reader)
        pack->key_reader = "tutors";
    for (ptrdiff_t i = 0; i < draft->count; i++) {
        struct question *question = &draft->questions[i];
        bool many = question->type == QUESTION_MULTIPLE_CHOICE || question->type == QUESTION_ORDER ||
                    question->type == QUESTION_MATCH;
        question->markup = pack->markup;
        question->comma = comma;
        if (question->marking == MARKING_DEFAULT)
            question->marking =
                many && pack->marking != MARKING_DEFAULT ? pack->marking : MARKING_ALL_OR_NOTHING;
        question->shuffle = question->shuffle && pack->shuffle != SHUFFLE_NONE;
    }
}

/* The finished pack, for the caller; the draft is empty afterwards. */
static bool draft_give(struct pack_draft *draft, struct pack **pack)
{
    ptrdiff_t room = draft->section_count * (ptrdiff_t)sizeof(struct section);
    struct section *sections = room ? arena_alloc(&draft->pack.arena, room) : NULL;
    *pack = memory_alloc(sizeof **pack);
    if (!*pack || (room && !sections)) {
        memory_free(*pack);
        *pack = NULL;
        return false;
    }
    if (room)
        memcpy(sections, draft->sections, (size_t)room);
    memory_free(draft->sections);
    draft->pack.sections = sections;
    draft->pack.section_count = (int)draft->section_count;
    struct question *questions = memory_resize(draft->questions, draft->count * (ptrdiff_t)sizeof *questions);
    draft->pack.questions = questions ? questions : draft->questions;
    draft->pack.question_count = (int)draft->count;
    **pack = draft->pack;
    memset(draft, 0, sizeof *draft);
    return true;
}

bool pack_load_source(struct pack **pack, const char *path, struct source *source, struct diagnostics *list,
                      struct error *error)
{
    struct pack_draft draft;
    struct report report;
    struct loader loader;
    struct reader *reader = NULL;
    bool done = false;
    report_init(&report, source, list, path);
    if (!draft_init(&draft, path, error))
        goto out;
    reader = reader_create(&report);
    if (!reader) {
        error_memory(error);
        goto out;
    }
    struct node root;
    loader_init(&loader, reader, &draft.pack.arena);
    loader.owner = &draft;
    reader_next(reader, &root);
    head_read(&loader, &root);
    reader_close(reader);
    loader_finish(&loader);
    if (source->failure)
        error_set(error, ERROR_IO, "%s: %s", path, strerror(source->failure));
    else if (reader_has_failed(reader) || list->failed)
        error_memory(error);
    else if (report.errors == 0 && reader_stopped(reader))
        error_set(error, ERROR_INPUT, tr("%s: it can't be read"), path);
    else if (report.errors == 0) {
        draft_resolve(&draft);
        done = draft_give(&draft, pack) || error_memory(error);
    }
out:
    reader_destroy(reader);
    draft_finish(&draft);
    return done;
}

bool pack_load_bytes(struct pack **pack, const char *path, const char *bytes, ptrdiff_t length,
                     struct diagnostics *list, struct error *error)
{
    struct source source;
    *pack = NULL;
    if (error)
        error->code = ERROR_NONE;
    source_borrow(&source, bytes, length);
    bool done = pack_load_source(pack, path, &source, list, error);
    source_finish(&source);
    return done;
}

bool pack_refuse_large(const char *path, struct diagnostics *list, struct error *error)
{
    struct report report;
    struct place place = place_at(1, 1, 0);
    report_init(&report, NULL, list, path);
    report_error(&report, &place, "file-too-large", tr("make it several packs"),
                 tr("the file is larger than 64 MiB"));
    return list->failed ? error_memory(error) : false;
}

bool pack_load(struct pack **pack, const char *path, struct diagnostics *list, struct error *error)
{
    struct source source;
    bool large;
    *pack = NULL;
    if (error)
        error->code = ERROR_NONE;
    if (!source_open(&source, path, PACK_FILE, &large, error))
        return large ? pack_refuse_large(path, list, error) : error_prefix(error, path);
    bool done = pack_load_source(pack, path, &source, list, error);
    source_finish(&source);
    return done;
}

void pack_destroy(struct pack *pack)
{
    if (!pack)
        return;
    struct question *questions;
    memcpy(&questions, &pack->questions, sizeof questions);
    memory_free(questions);
    pack_finish(pack);
    memory_free(pack);
}

int pack_find(const struct pack *pack, const char *question_id)
{
    return index_find(pack->index, question_id);
}
