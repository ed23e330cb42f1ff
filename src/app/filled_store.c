/* Filled-in sheets as the store keeps them: a session each, with all its attempts. */
#include <quiztutor/filled.h>
#include <quiztutor/json.h>
#include <quiztutor/memory.h>

#include <string.h>

/* One of them on its way into the store. */
struct paper {
    struct store_session session;
    struct store_attempt *attempts;
};

/* In the arena; NULL without memory. The buffer is empty then. */
static const char *keep(struct filled *filled, struct buffer *text)
{
    const char *kept = text->failed ? NULL : arena_text(&filled->arena, buffer_get(text), text->length);
    buffer_clear(text);
    return kept;
}

/* {"limit":null,"mode":"paper","packs":["tour"],"sheet":"W1-…","tag":null} */
static const char *describe_options(struct filled *filled, struct buffer *out)
{
    const struct printed *printed = filled->printed;
    struct json json;
    json_init(&json, out);
    json_open(&json, '{');
    json_key(&json, "limit");
    if (printed->sheet.id.limit > 0)
        json_integer(&json, printed->sheet.id.limit);
    else
        json_null(&json);
    json_key(&json, "mode");
    json_text(&json, "paper");
    json_key(&json, "packs");
    json_open(&json, '[');
    json_text(&json, printed->sheet.pack->id);
    json_close(&json, ']');
    json_key(&json, "sheet");
    json_text(&json, printed->id);
    json_key(&json, "tag");
    json_text(&json, printed->tag);
    json_close(&json, '}');
    return keep(filled, out);
}

/* [["tour","select","<revision>"],…], of the attempts. */
static const char *describe_plan(struct filled *filled, const struct store_attempt *attempts,
                                 struct buffer *out)
{
    struct json json;
    json_init(&json, out);
    json_open(&json, '[');
    for (int i = 0; i < filled->printed->sheet.count; i++) {
        json_open(&json, '[');
        json_text(&json, attempts[i].pack_id);
        json_text(&json, attempts[i].question_id);
        json_text(&json, attempts[i].revision);
        json_close(&json, ']');
    }
    json_close(&json, ']');
    return keep(filled, out);
}

static bool make_attempt(struct filled *filled, int place, int64_t now, int utc_offset_s,
                         struct store_attempt *attempt, struct buffer *part)
{
    const struct sheet *sheet = &filled->printed->sheet;
    const struct showing *showing = &sheet->questions[place].showing;
    const struct question *question = showing->question;
    const struct filled_answer *answer = &filled->answers[place];
    char revision[PACK_REVISION + 1];
    *attempt = (struct store_attempt){ .id = answer->attempt,
                                       .pack_id = sheet->pack->id,
                                       .question_id = question->id,
                                       .seed = showing->seed,
                                       .showing = 1,
                                       .verdict = answer->verdict,
                                       .elapsed_ms = -1,
                                       .answered_at = now,
                                       .utc_offset_s = utc_offset_s,
                                       .origin = "paper" };
    if (!question_revision(question, revision) || !question_content(question, &attempt->content) ||
        !question_body(question, part) || !(attempt->body = keep(filled, part)))
        return false;
    attempt->revision = arena_text(&filled->arena, revision, (ptrdiff_t)strlen(revision));
    answer_write_shown(part, showing);
    bool any = part->length > 0;
    attempt->shown = keep(filled, part);
    bool done = attempt->revision && attempt->shown;
    attempt->shown = any ? attempt->shown : NULL;
    answer_write(part, question, &answer->answer);
    any = part->length > 0;
    attempt->response = keep(filled, part);
    done = done && attempt->response;
    attempt->response = any ? attempt->response : NULL;
    return done;
}

static bool make_paper(struct filled *filled, struct paper *paper, const struct clock *clock)
{
    const struct sheet *sheet = &filled->printed->sheet;
    int64_t now = clock_wall(clock);
    int utc_offset_s = clock_offset(clock, now);
    struct buffer part;
    paper->session = (struct store_session){ .id = filled->session,
                                             .learner = filled->learner,
                                             .kind = "paper",
                                             .origin = "paper",
                                             .seed = sheet->id.seed,
                                             .started_at = now,
                                             .utc_offset_s = utc_offset_s };
    paper->attempts = arena_alloc(&filled->arena, sheet->count * (ptrdiff_t)sizeof *paper->attempts);
    buffer_init(&part);
    bool done = paper->attempts != NULL;
    for (int i = 0; done && i < sheet->count; i++)
        done = make_attempt(filled, i, now, utc_offset_s, &paper->attempts[i], &part);
    if (done) {
        paper->session.options = describe_options(filled, &part);
        paper->session.plan = describe_plan(filled, paper->attempts, &part);
        done = paper->session.options && paper->session.plan;
    }
    buffer_finish(&part);
    return done;
}

bool filled_store(struct filled *const *filled, int count, struct store *store, const struct clock *clock,
                  struct error *error)
{
    struct paper *papers = memory_zero((count + 1) * (ptrdiff_t)sizeof *papers);
    struct sheet_paper *all = memory_zero((count + 1) * (ptrdiff_t)sizeof *all);
    bool done = papers && all;
    for (int i = 0; done && i < count; i++) {
        done = make_paper(filled[i], &papers[i], clock);
        all[i] =
            (struct sheet_paper){ &papers[i].session, papers[i].attempts, filled[i]->printed->sheet.count,
                                  filled[i]->again ? NULL : filled[i]->printed->id };
    }
    done = done ? store_add_papers(store, all, count, error) : error_memory(error);
    memory_free(papers);
    memory_free(all);
    return done;
}
