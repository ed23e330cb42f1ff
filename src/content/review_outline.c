#include "review_outline.h"

#include "review_remark.h"

#include <quiztutor/pack.h>

#include <limits.h>
#include <string.h>

/* One reading. */
struct reading {
    struct review_outline *outline;
    struct reader *reader;
    struct remarks remarks;
    struct place choices[PACK_CHOICES];
};

/* The next node, once the comments before it have been taken; `begins`: the question that begins with it. */
static void next(struct reading *reading, struct node *node, struct review_spots *begins)
{
    struct review_outline *outline = reading->outline;
    reader_next(reading->reader, node);
    if (node->kind == NODE_STOP)
        return;
    ptrdiff_t count = outline->count;
    uint32_t *owner = count > 0 ? &outline->questions[count - 1].allowed : &outline->allowed;
    remarks_pass(&reading->remarks, node, owner, begins ? &begins->allowed : NULL);
}

/* Passes over the rest of a value whose first node has been read. */
static void skip(struct reading *reading, const struct node *first)
{
    struct node node;
    int depth = first->kind == NODE_LIST || first->kind == NODE_MAPPING;
    while (depth > 0) {
        next(reading, &node, NULL);
        if (node.kind == NODE_STOP)
            return;
        if (node.kind == NODE_LIST || node.kind == NODE_MAPPING)
            depth++;
        else if (node.kind == NODE_END)
            depth--;
    }
}

static bool is_key(const struct node *key, const char *name)
{
    return key->kind == NODE_TEXT && strcmp(key->text, name) == 0;
}

/* A choice: the place of its text. */
static struct place read_choice(struct reading *reading, const struct node *start)
{
    struct place place = start->place;
    struct node key, value;
    if (start->kind != NODE_MAPPING)
        return place;
    for (;;) {
        next(reading, &key, NULL);
        if (key.kind == NODE_END || key.kind == NODE_STOP)
            return place;
        bool text = is_key(&key, "correct") || is_key(&key, "wrong");
        next(reading, &value, NULL);
        if (text)
            place = value.place;
        skip(reading, &value);
    }
}

static void read_choices(struct reading *reading, struct review_spots *spots)
{
    struct node item;
    int count = 0;
    for (;;) {
        next(reading, &item, NULL);
        if (item.kind == NODE_END || item.kind == NODE_STOP)
            break;
        struct place place = read_choice(reading, &item);
        if (count < PACK_CHOICES)
            reading->choices[count++] = place;
    }
    ptrdiff_t size = count * (ptrdiff_t)sizeof *reading->choices;
    struct place *kept = arena_alloc(&reading->outline->arena, size);
    if (!kept) {
        reading->outline->failed = true;
        return;
    }
    memcpy(kept, reading->choices, (size_t)size);
    spots->choices = kept;
    spots->choice_count = count;
}

static struct place *spot_of(struct review_spots *spots, const struct node *key)
{
    static const char *const names[] = { "prompt",  "figure",     "explanation_figure",
                                         "choices", "true_false", "number",
                                         "text",    "order",      "match",
                                         "recall" };
    struct place *const places[] = { &spots->prompt, &spots->figure, &spots->explanation_figure };
    const size_t keys = sizeof places / sizeof *places; /* all behind are answer keys */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_key(key, names[i]))
            return i < keys ? places[i] : &spots->key;
    return NULL;
}

/* One question, from its mapping on; it is the outline's newest already, so that comments in it find it. */
static void read_question(struct reading *reading)
{
    struct review_spots spots = reading->outline->questions[reading->outline->count - 1];
    struct node key, value;
    for (;;) {
        next(reading, &key, NULL);
        if (key.kind == NODE_END || key.kind == NODE_STOP)
            break;
        struct place *spot = spot_of(&spots, &key);
        bool choices = is_key(&key, "choices");
        next(reading, &value, NULL);
        if (spot)
            *spot = value.place;
        if (choices && value.kind == NODE_LIST)
            read_choices(reading, &spots);
        else
            skip(reading, &value);
    }
    struct review_spots *kept = &reading->outline->questions[reading->outline->count - 1];
    spots.allowed = kept->allowed;
    *kept = spots;
}

static void read_questions(struct reading *reading)
{
    struct review_outline *outline = reading->outline;
    struct node item;
    while (!reading->outline->failed) {
        struct review_spots spots = { 0 };
        next(reading, &item, &spots);
        if (item.kind == NODE_END || item.kind == NODE_STOP)
            return;
        spots.start = item.place;
        if (!memory_grow(&outline->questions, &outline->capacity, outline->count + 1,
                         sizeof *outline->questions)) {
            reading->outline->failed = true;
            return;
        }
        outline->questions[outline->count++] = spots;
        read_question(reading);
    }
}

static void read_section(struct reading *reading)
{
    struct node key, value;
    for (;;) {
        next(reading, &key, NULL);
        if (key.kind == NODE_END || key.kind == NODE_STOP)
            return;
        bool questions = is_key(&key, "questions");
        next(reading, &value, NULL);
        if (questions && value.kind == NODE_LIST)
            read_questions(reading);
        else
            skip(reading, &value);
    }
}

static void read_sections(struct reading *reading)
{
    struct node item;
    for (;;) {
        next(reading, &item, NULL);
        if (item.kind == NODE_END || item.kind == NODE_STOP)
            return;
        read_section(reading);
    }
}

static void read_head(struct reading *reading)
{
    struct node key, value;
    next(reading, &key, NULL);
    for (bool root = key.kind == NODE_MAPPING; root && !reading->outline->failed;) {
        next(reading, &key, NULL);
        if (key.kind == NODE_END || key.kind == NODE_STOP)
            return;
        bool questions = is_key(&key, "questions"), sections = is_key(&key, "sections");
        struct place place = key.place;
        next(reading, &value, NULL);
        if (questions || sections)
            reading->outline->head = place;
        if (questions && value.kind == NODE_LIST)
            read_questions(reading);
        else if (sections && value.kind == NODE_LIST)
            read_sections(reading);
        else
            skip(reading, &value);
    }
}

/* Comments behind the last node belong to the last question. */
static void take_rest(struct reading *reading)
{
    struct review_outline *outline = reading->outline;
    struct node end = { .kind = NODE_END, .place = place_at(INT_MAX, 1, 0) };
    uint32_t *owner =
        outline->count > 0 ? &outline->questions[outline->count - 1].allowed : &outline->allowed;
    remarks_pass(&reading->remarks, &end, owner, NULL);
}

bool review_outline_read(struct review_outline *outline, struct source *source, const char *path,
                         review_allow *allow, void *context)
{
    struct diagnostics list; /* loading has told all that is to be told */
    struct report report;
    struct reading reading = { .outline = outline };
    bool done = false;
    memset(outline, 0, sizeof *outline);
    arena_init(&outline->arena);
    diagnostics_init(&list);
    report_init(&report, source, &list, path);
    reading.reader = reader_create(&report);
    outline->failed = !reading.reader;
    if (reading.reader) {
        remarks_init(&reading.remarks, source, allow, context);
        read_head(&reading);
        if (!outline->failed && !reader_stopped(reading.reader))
            take_rest(&reading);
        outline->failed = outline->failed || reader_has_failed(reading.reader) || list.failed;
        done = !outline->failed && !reader_stopped(reading.reader) && report.errors == 0;
    }
    reader_destroy(reading.reader);
    diagnostics_finish(&list);
    return done;
}

void review_outline_finish(struct review_outline *outline)
{
    memory_free(outline->questions);
    arena_finish(&outline->arena);
    memset(outline, 0, sizeof *outline);
}
