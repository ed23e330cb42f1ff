/* A sheet as blocks from top to bottom. */
#include <quiztutor/message.h>
#include <quiztutor/sheet.h>
#include <quiztutor/text.h>

#include "sheet_words.h"

#include <string.h>

/* Blocks being made; their texts live in the sheet's arena. Without memory `failed`, and nothing more. */
struct laying {
    struct sheet *sheet;
    const struct sheet_look *look;
    struct sheet_block *blocks;
    ptrdiff_t count, capacity;
    int question; /* the printed question that blocks belong to */
    bool failed;
};

static const char *keep(struct laying *laying, const struct buffer *text)
{
    const char *kept =
        text->failed ? NULL : arena_text(&laying->sheet->arena, buffer_get(text), text->length);
    laying->failed = laying->failed || !kept;
    return kept ? kept : "";
}

static struct sheet_block *add(struct laying *laying, enum sheet_block_kind kind, const char *text)
{
    static struct sheet_block lost;
    if (!memory_grow(&laying->blocks, &laying->capacity, laying->count + 1, sizeof *laying->blocks)) {
        laying->failed = true;
        return &lost;
    }
    struct sheet_block *block = &laying->blocks[laying->count++];
    *block = (struct sheet_block){ .kind = kind, .text = text, .question = laying->question };
    return block;
}

static void add_kept(struct laying *laying, enum sheet_block_kind kind, struct buffer *text)
{
    add(laying, kind, keep(laying, text));
    buffer_clear(text);
}

static void add_figure(struct laying *laying, const char *text)
{
    struct buffer lines;
    if (!text)
        return;
    buffer_init(&lines);
    sheet_words_figure(&lines, text);
    add(laying, SHEET_FIGURE, keep(laying, &lines));
    buffer_finish(&lines);
}

static void add_part(struct laying *laying, enum sheet_block_kind kind, const struct sheet_words *words,
                     bool markup)
{
    if (words->figure)
        add_figure(laying, buffer_get(&words->part));
    else
        add(laying, kind, keep(laying, &words->part))->markup = markup;
}

/* Paragraphs and code blocks. The first block bears the number, and `line` with the first paragraph; where a
 * text begins with code, that stands below it. */
static void add_numbered(struct laying *laying, enum sheet_block_kind kind, int number, struct buffer *line,
                         const char *text, bool markup)
{
    struct sheet_words words;
    sheet_words_init(&words, text ? text : "", markup);
    bool more = sheet_words_next(&words), paragraph = more && !words.figure;
    if (paragraph && line->length)
        buffer_text(line, " · ");
    if (paragraph)
        buffer_add(line, buffer_get(&words.part), words.part.length);
    struct sheet_block *first = add(laying, kind, keep(laying, line));
    first->number = number;
    first->markup = markup;
    if (more && !paragraph)
        add_part(laying, kind, &words, markup);
    while (more && sheet_words_next(&words))
        add_part(laying, kind, &words, markup);
    laying->failed = !sheet_words_finish(&words) || laying->failed;
}

static void add_intro(struct laying *laying, const struct section *section)
{
    struct sheet_words words;
    bool markup = laying->sheet->pack->markup;
    sheet_words_init(&words, section->intro ? section->intro : "", markup);
    while (sheet_words_next(&words))
        add_part(laying, SHEET_INTRO, &words, markup);
    laying->failed = !sheet_words_finish(&words) || laying->failed;
    add_figure(laying, section->intro_figure);
}

static const char *short_words(struct laying *laying, const struct question *question, const char *text)
{
    struct buffer words;
    buffer_init(&words);
    sheet_words_short(&words, text, question->markup);
    const char *kept = keep(laying, &words);
    buffer_finish(&words);
    return kept;
}

static void add_choices(struct laying *laying, const struct showing *showing)
{
    const struct question *question = showing->question;
    for (int i = 0; i < showing->count; i++) {
        const char *text = question->key.choices.items[showing->places[i]].text;
        add(laying, SHEET_BULLET, short_words(laying, question, text))->markup = question->markup;
    }
}

static void add_items(struct laying *laying, const struct showing *showing)
{
    const struct question *question = showing->question;
    for (int i = 0; i < showing->count; i++) {
        const char *text = question->key.order.items[showing->places[i]];
        struct sheet_block *block = add(laying, SHEET_ITEM, short_words(laying, question, text));
        block->number = i + 1;
        block->markup = question->markup;
    }
    add(laying, SHEET_BOXES, NULL)->number = showing->count;
}

static void add_pairs(struct laying *laying, const struct showing *showing)
{
    const struct question *question = showing->question;
    const struct match_key *match = &question->key.match;
    for (int i = 0; i < showing->count || i < showing->target_count; i++) {
        struct sheet_block *block = add(laying, SHEET_PAIR, NULL);
        block->markup = question->markup;
        if (i < showing->count)
            block->text = short_words(laying, question, match->lefts.items[showing->places[i]]);
        if (i < showing->target_count) {
            block->other = short_words(laying, question, match->rights.items[showing->targets[i]]);
            block->number = i + 1;
        }
    }
}

static void add_question(struct laying *laying, const struct sheet_question *asked)
{
    const struct question *question = asked->showing.question;
    struct buffer line;
    buffer_init(&line);
    laying->question = asked->number;
    if (asked->intro)
        add_intro(laying, asked->intro);
    add_numbered(laying, SHEET_PROMPT, asked->number, &line, question->prompt, question->markup);
    add_figure(laying, question->figure);
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        add_choices(laying, &asked->showing);
        break;
    case QUESTION_TRUE_FALSE:
        add(laying, SHEET_TRUTH, tr("Circle one:   True   False"));
        break;
    case QUESTION_NUMBER:
        add(laying, SHEET_RULE, question->key.number.unit);
        break;
    case QUESTION_TEXT:
        add(laying, SHEET_RULE, NULL);
        break;
    case QUESTION_ORDER:
        add_items(laying, &asked->showing);
        break;
    case QUESTION_MATCH:
        add_pairs(laying, &asked->showing);
        break;
    case QUESTION_RECALL: /* never on paper */
    case QUESTION_TYPES:
        break;
    }
    buffer_finish(&line);
}

static const char *heading_of(const struct pack *pack)
{
    return pack->strapline ? pack->strapline : pack->title;
}

/* "SUBJECT · TOPIC · ages AGES", of what is there. */
static void say_subject(struct buffer *line, const struct pack *pack)
{
    if (pack->subject)
        buffer_text(line, pack->subject);
    if (pack->topic)
        buffer_print(line, "%s%s", line->length ? " · " : "", pack->topic);
    if (pack->ages) {
        buffer_text(line, line->length ? " · " : "");
        buffer_print(line, tr("ages %s"), pack->ages);
    }
}

/* Who the key is for; the pack that does not say is read in the language of the rest. */
static const char *key_reader_of(const struct pack *pack)
{
    static const char unsaid[] = N_("tutors");
    return strcmp(pack->key_reader, unsaid) == 0 ? tr(unsaid) : pack->key_reader;
}

static void add_top(struct laying *laying)
{
    const struct pack *pack = laying->sheet->pack;
    const char *learner = laying->look->learner;
    struct buffer line;
    buffer_init(&line);
    buffer_print(&line, tr("%s · seed %lu · %s, ink-friendly. The answer key prints on its own page for %s."),
                 pack->title, (unsigned long)laying->sheet->id.seed,
                 laying->look->size == SHEET_LETTER ? tr("Letter") : tr("A4"), key_reader_of(pack));
    add_kept(laying, SHEET_NOTE, &line);
    add(laying, SHEET_HEADING, heading_of(pack));
    say_subject(&line, pack);
    if (line.length || line.failed)
        add_kept(laying, SHEET_LINE, &line);
    struct buffer name; /* of a store that may hold anything */
    buffer_init(&name);
    text_visible(&name, learner ? learner : "", learner ? (ptrdiff_t)strlen(learner) : 0);
    laying->failed = laying->failed || name.failed;
    buffer_print(&line, tr("Name %s   Date ____________"),
                 learner ? buffer_get(&name) : "______________________");
    add_kept(laying, SHEET_NAME, &line);
    buffer_finish(&name);
    buffer_finish(&line);
}

static void add_key(struct laying *laying, const char *id)
{
    const struct sheet *sheet = laying->sheet;
    struct buffer line;
    buffer_init(&line);
    laying->question = 0;
    add(laying, SHEET_HEADING, tr("Answer key"));
    buffer_print(&line, tr("For %s. Fold this page away before handing over the rest."),
                 key_reader_of(sheet->pack));
    add_kept(laying, SHEET_LINE, &line);
    buffer_print(&line, "%s · %s", heading_of(sheet->pack), id);
    add_kept(laying, SHEET_LINE, &line);
    for (int i = 0; i < sheet->count && !laying->failed; i++) {
        const struct sheet_question *asked = &sheet->questions[i];
        const struct question *question = asked->showing.question;
        laying->question = asked->number;
        buffer_clear(&line);
        sheet_answer(&line, asked, true);
        add_numbered(laying, SHEET_KEY, asked->number, &line, question->explanation, question->markup);
        add_figure(laying, question->explanation_figure);
    }
    buffer_finish(&line);
}

static void add_footers(struct laying *laying, struct sheet_flow *flow)
{
    const struct pack *pack = laying->sheet->pack;
    const char *site = pack->publisher_site;
    const char *name = pack->publisher_name ? pack->publisher_name : site ? site : "quiztutor";
    struct buffer line;
    buffer_init(&line);
    buffer_text(&line, name);
    if (site && site != name)
        buffer_print(&line, " · %s", site);
    flow->footer = keep(laying, &line);
    buffer_clear(&line);
    buffer_print(&line, tr("Worksheet · %s"), name);
    flow->key_footer = keep(laying, &line);
    buffer_finish(&line);
}

bool sheet_flow(struct sheet_flow *flow, struct sheet *sheet, const struct sheet_look *look,
                struct error *error)
{
    struct laying laying = { .sheet = sheet, .look = look };
    *flow = (struct sheet_flow){ 0 };
    sheet_id_format(flow->id, &sheet->id);
    add_footers(&laying, flow);
    if (!look->key_only)
        add_top(&laying);
    for (int i = 0; i < sheet->count && !look->key_only && !laying.failed; i++)
        add_question(&laying, &sheet->questions[i]);
    flow->key = (int)laying.count;
    if (!look->no_key)
        add_key(&laying, flow->id);
    flow->count = (int)laying.count;
    ptrdiff_t size = laying.count * (ptrdiff_t)sizeof *laying.blocks;
    struct sheet_block *blocks = laying.failed ? NULL : arena_alloc(&sheet->arena, size);
    if (blocks)
        memcpy(blocks, laying.blocks, (size_t)size);
    flow->blocks = blocks;
    memory_free(laying.blocks);
    return blocks || error_memory(error);
}
