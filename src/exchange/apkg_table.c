/*
 * What the tables of Anki's database hold, in both of its schemas: note types, fields, templates and decks
 * stand as JSON in the one row of `col` (11), or in tables of their own (15 and later).
 * Reference: https://github.com/ankitects/anki/tree/main/rslib/src/storage
 */
#include "apkg.h"

#include "html.h"
#include "protobuf.h"

#include <quiztutor/message.h>
#include <stdlib.h>
#include <string.h>

enum { CONFIG_KIND = 1, CONFIG_FRONT = 1, CONFIG_BACK = 2, KIND_CLOZE = 1 }; /* fields of Anki's messages */
enum { DECK_DEFAULT = 1 };

struct type_room {
    struct apkg_type type;
    ptrdiff_t field_capacity, template_capacity;
};

struct deck {
    int64_t id;
    const char *name;
    bool used;
};

struct card {
    int64_t note;
    int template;
    ptrdiff_t deck; /* -1: not known */
};

struct collection {
    struct import *import;
    struct arena arena;
    struct apkg_database *database;
    int64_t work;
    struct type_room *types;
    struct deck *decks;
    struct card *cards;
    ptrdiff_t type_count, type_capacity, deck_count, deck_capacity, card_count, card_capacity;
    ptrdiff_t note_count, next_card; /* while notes are read: the first card that is not yet passed */
    bool sections;
};

static const char *keep_text(struct collection *collection, struct apkg_row *row, int column,
                             struct error *error)
{
    ptrdiff_t length;
    const char *text = apkg_row_text(row, column, &length);
    const char *kept = arena_text(&collection->arena, text, length);
    if (!kept)
        error_memory(error);
    return kept;
}

static bool too_many(struct error *error)
{
    return error_set(error, ERROR_INPUT, "%s",
                     tr("the package holds more than can be read: export fewer decks"));
}

static int compare_types(const void *one, const void *other)
{
    const struct type_room *a = one, *b = other;
    return (a->type.id > b->type.id) - (a->type.id < b->type.id);
}

static int compare_decks(const void *one, const void *other)
{
    const struct deck *a = one, *b = other;
    return (a->id > b->id) - (a->id < b->id);
}

static struct type_room *find_type(struct collection *collection, int64_t id)
{
    struct type_room wanted = { .type = { .id = id } };
    if (!collection->type_count)
        return NULL;
    return bsearch(&wanted, collection->types, (size_t)collection->type_count, sizeof wanted, compare_types);
}

static struct deck *find_deck(struct collection *collection, int64_t id)
{
    struct deck wanted = { .id = id };
    if (!collection->deck_count)
        return NULL;
    return bsearch(&wanted, collection->decks, (size_t)collection->deck_count, sizeof wanted, compare_decks);
}

static void read_message(struct protobuf *message, struct apkg_row *row, int column)
{
    ptrdiff_t length;
    const char *bytes = apkg_row_text(row, column, &length);
    protobuf_init(message, bytes, length);
}

/* id, name, and whether it is a cloze: a number, or Anki's message about the type */
static bool read_type(void *context, struct apkg_row *row, struct error *error)
{
    struct collection *collection = context;
    if (collection->type_count >= APKG_TYPES)
        return too_many(error);
    if (!memory_grow(&collection->types, &collection->type_capacity, collection->type_count + 1,
                     sizeof *collection->types))
        return error_memory(error);
    struct type_room *room = &collection->types[collection->type_count];
    memset(room, 0, sizeof *room);
    room->type.id = apkg_row_integer(row, 0);
    room->type.name = keep_text(collection, row, 1, error);
    if (apkg_row_is_blob(row, 2)) {
        struct protobuf message;
        read_message(&message, row, 2);
        while (protobuf_next(&message))
            if (message.field == CONFIG_KIND && !message.bytes)
                room->type.cloze = message.value == KIND_CLOZE;
    } else {
        room->type.cloze = apkg_row_integer(row, 2) == KIND_CLOZE;
    }
    collection->type_count += room->type.name != NULL;
    return room->type.name != NULL;
}

/* id of the type, name */
static bool read_field(void *context, struct apkg_row *row, struct error *error)
{
    struct collection *collection = context;
    struct type_room *room = find_type(collection, apkg_row_integer(row, 0));
    if (!room)
        return true;
    if (room->type.field_count >= APKG_TYPE_PARTS)
        return too_many(error);
    const char *name = keep_text(collection, row, 1, error);
    if (!name)
        return false;
    if (!memory_grow(&room->type.fields, &room->field_capacity, room->type.field_count + 1,
                     (ptrdiff_t)sizeof name))
        return error_memory(error);
    room->type.fields[room->type.field_count++] = name;
    return true;
}

/* The two formats in Anki's message about a template. */
static bool read_formats(struct collection *collection, struct apkg_row *row, struct apkg_template *template)
{
    struct protobuf message;
    read_message(&message, row, 2);
    template->front = template->back = "";
    while (protobuf_next(&message)) {
        if ((message.field != CONFIG_FRONT && message.field != CONFIG_BACK) || !message.bytes)
            continue;
        const char *format = arena_text(&collection->arena, message.bytes, message.length);
        if (!format)
            return false;
        *(message.field == CONFIG_FRONT ? &template->front : &template->back) = format;
    }
    return true;
}

/* id of the type, name, and front and back, or Anki's message about both */
static bool read_template(void *context, struct apkg_row *row, struct error *error)
{
    struct collection *collection = context;
    struct type_room *room = find_type(collection, apkg_row_integer(row, 0));
    struct apkg_template template = { .name = "" };
    if (!room)
        return true;
    if (room->type.template_count >= APKG_TYPE_PARTS)
        return too_many(error);
    template.name = keep_text(collection, row, 1, error);
    if (!template.name)
        return false;
    if (apkg_row_is_blob(row, 2)) {
        if (!read_formats(collection, row, &template))
            return error_memory(error);
    } else {
        template.front = keep_text(collection, row, 2, error);
        template.back = template.front ? keep_text(collection, row, 3, error) : NULL;
        if (!template.back)
            return false;
    }
    if (!memory_grow(&room->type.templates, &room->template_capacity, room->type.template_count + 1,
                     (ptrdiff_t)sizeof template))
        return error_memory(error);
    room->type.templates[room->type.template_count++] = template;
    return true;
}

/* A deck's name behind those it lies in, parted by " / ": in the database by ::, in the newer schema 0x1f. */
static const char *deck_name(struct collection *collection, const char *name)
{
    struct buffer out;
    buffer_init(&out);
    for (const char *at = name; *at; at++) {
        bool colons = at[0] == ':' && at[1] == ':';
        if (colons || *at == 0x1f)
            buffer_text(&out, " / ");
        else
            buffer_char(&out, *at);
        at += colons;
    }
    const char *kept = out.failed ? NULL : arena_text(&collection->arena, buffer_get(&out), out.length);
    buffer_finish(&out);
    return kept;
}

/* id, name */
static bool read_deck(void *context, struct apkg_row *row, struct error *error)
{
    struct collection *collection = context;
    ptrdiff_t length;
    if (collection->deck_count >= APKG_TYPES)
        return too_many(error);
    struct deck deck = { .id = apkg_row_integer(row, 0),
                         .name = deck_name(collection, apkg_row_text(row, 1, &length)) };
    if (!deck.name || !memory_grow(&collection->decks, &collection->deck_capacity, collection->deck_count + 1,
                                   sizeof *collection->decks))
        return error_memory(error);
    collection->decks[collection->deck_count++] = deck;
    return true;
}

/* id of the note, number of the template, id of the deck */
static bool read_card(void *context, struct apkg_row *row, struct error *error)
{
    struct collection *collection = context;
    if (collection->card_count >= APKG_NOTES)
        return too_many(error);
    if (!memory_grow(&collection->cards, &collection->card_capacity, collection->card_count + 1,
                     sizeof *collection->cards))
        return error_memory(error);
    struct deck *deck = find_deck(collection, apkg_row_integer(row, 2));
    if (deck)
        deck->used = true;
    int64_t place = apkg_row_integer(row, 1);
    collection->cards[collection->card_count++] =
        (struct card){ .note = apkg_row_integer(row, 0),
                       .template = place >= 0 && place < APKG_TYPE_PARTS ? (int)place : -1,
                       .deck = deck ? deck - collection->decks : -1 };
    return true;
}

/* id, id of its type, tags, fields; in the order of their ids, as cards are */
static bool read_note(void *context, struct apkg_row *row, struct error *error)
{
    struct collection *collection = context;
    struct apkg_card cards[APKG_TYPE_PARTS];
    ptrdiff_t length;
    int count = 0;
    if (collection->note_count++ >= APKG_NOTES)
        return too_many(error);
    int64_t id = apkg_row_integer(row, 0);
    struct type_room *room = find_type(collection, apkg_row_integer(row, 1));
    for (; collection->next_card < collection->card_count; collection->next_card++) {
        const struct card *card = &collection->cards[collection->next_card];
        if (card->note > id)
            break;
        if (card->note == id && count < APKG_TYPE_PARTS)
            cards[count++] = (struct apkg_card){ card->template, card->deck >= 0 && collection->sections
                                                                     ? collection->decks[card->deck].name
                                                                     : NULL };
    }
    struct apkg_note note = { .type = room ? &room->type : NULL, .work = &collection->work };
    note.tags = apkg_row_text(row, 2, &length);
    note.values = apkg_row_text(row, 3, &note.length);
    apkg_note_take(collection->import, &note, cards, count);
    return !collection->import->failed || error_memory(error);
}

static bool read_marks(void *context, struct apkg_row *row, struct error *error)
{
    struct collection *collection = context;
    ptrdiff_t length;
    const char *text = apkg_row_text(row, 0, &length);
    (void)error;
    collection->import->markup = collection->import->markup || html_marks(text, length);
    return true;
}

static bool count_row(void *context, struct apkg_row *row, struct error *error)
{
    (void)error;
    *(int64_t *)context += apkg_row_integer(row, 0);
    return true;
}

/* *present: there is such a table; it must be a plain one, with no column that is computed. */
static bool look_for(struct collection *collection, const char *table, bool *present, struct error *error)
{
    int64_t page = 0, computed = 0;
    bool done =
        apkg_database_query(collection->database,
                            "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = ?1", table,
                            count_row, &page, error) &&
        apkg_database_query(collection->database, "SELECT 1 FROM pragma_table_xinfo(?1) WHERE hidden <> 0",
                            table, count_row, &computed, error);
    *present = page > 0 && !computed;
    return done;
}

/* ---- the two schemas ---- */

struct schema {
    const char *tables[8];
    const char *types, *fields, *templates, *decks;
};

static const struct schema legacy = {
    .tables = { "col", "notes", "cards", NULL },
    .types = "SELECT m.key, json_extract(m.value, '$.name'), json_extract(m.value, '$.type')"
             " FROM col, json_each(col.models) AS m",
    .fields = "SELECT m.key, json_extract(f.value, '$.name')"
              " FROM col, json_each(col.models) AS m, json_each(m.value, '$.flds') AS f",
    .templates = "SELECT m.key, json_extract(t.value, '$.name'), json_extract(t.value, '$.qfmt'),"
                 " json_extract(t.value, '$.afmt')"
                 " FROM col, json_each(col.models) AS m, json_each(m.value, '$.tmpls') AS t",
    .decks = "SELECT d.key, json_extract(d.value, '$.name') FROM col, json_each(col.decks) AS d",
};

static const struct schema modern = {
    .tables = { "notetypes", "fields", "templates", "decks", "notes", "cards", NULL },
    .types = "SELECT id, name, config FROM notetypes",
    .fields = "SELECT ntid, name FROM fields ORDER BY ntid, ord",
    .templates = "SELECT ntid, name, config FROM templates ORDER BY ntid, ord",
    .decks = "SELECT id, name FROM decks",
};

/* A card in a filtered deck belongs to the one it came from (odid). */
static const char cards_sql[] = "SELECT nid, ord, CASE odid WHEN 0 THEN did ELSE odid END FROM cards"
                                " ORDER BY nid, ord";
static const char marks_sql[] = "SELECT flds FROM notes";
static const char notes_sql[] = "SELECT id, mid, tags, flds FROM notes ORDER BY id";

static const struct schema *find_schema(struct collection *collection, struct error *error)
{
    bool present;
    if (!look_for(collection, "notetypes", &present, error))
        return NULL;
    const struct schema *schema = present ? &modern : &legacy;
    for (int i = 0; schema->tables[i]; i++) {
        if (!look_for(collection, schema->tables[i], &present, error))
            return NULL;
        if (!present) {
            error_set(
                error, ERROR_INPUT,
                tr("the database in the package is none of Anki's: its table \"%s\" is missing or no plain "
                   "table"),
                schema->tables[i]);
            return NULL;
        }
    }
    return schema;
}

/* The title is the outermost deck's, where one holds all. Sections are no use where the one deck is Anki's
 * own "Default", the place for what has no other. */
static void name_pack(struct collection *collection)
{
    const char *outer = NULL;
    ptrdiff_t length = 0;
    int used = 0;
    bool shared = true;
    for (ptrdiff_t i = 0; i < collection->deck_count; i++) {
        const struct deck *deck = &collection->decks[i];
        if (!deck->used)
            continue;
        const char *part = strstr(deck->name, " / ");
        ptrdiff_t size = part ? part - deck->name : (ptrdiff_t)strlen(deck->name);
        shared = shared && (!outer || (size == length && memcmp(outer, deck->name, (size_t)size) == 0));
        outer = deck->name;
        length = size;
        used++;
        collection->sections = collection->sections || deck->id != DECK_DEFAULT;
    }
    if (used && shared && collection->sections && !collection->import->title)
        collection->import->title = import_text_line(collection->import, outer, length);
}

static bool read_tables(struct collection *collection, struct error *error)
{
    struct apkg_database *database = collection->database;
    const struct schema *schema = find_schema(collection, error);
    if (!schema || !apkg_database_query(database, schema->types, NULL, read_type, collection, error))
        return false;
    if (collection->type_count)
        qsort(collection->types, (size_t)collection->type_count, sizeof *collection->types, compare_types);
    if (!apkg_database_query(database, schema->fields, NULL, read_field, collection, error) ||
        !apkg_database_query(database, schema->templates, NULL, read_template, collection, error) ||
        !apkg_database_query(database, schema->decks, NULL, read_deck, collection, error))
        return false;
    if (collection->deck_count)
        qsort(collection->decks, (size_t)collection->deck_count, sizeof *collection->decks, compare_decks);
    if (!apkg_database_query(database, cards_sql, NULL, read_card, collection, error) ||
        !apkg_database_query(database, marks_sql, NULL, read_marks, collection, error))
        return false;
    name_pack(collection);
    return apkg_database_query(database, notes_sql, NULL, read_note, collection, error);
}

bool apkg_read(struct import *import, const char *bytes, ptrdiff_t length, struct error *error)
{
    struct collection collection = { .import = import, .work = APKG_WORK };
    struct buffer file;
    arena_init(&collection.arena);
    buffer_init(&file);
    bool done = apkg_collection(bytes, length, &file, error);
    if (done)
        collection.database = apkg_database_open(file.data, file.length, error);
    done = done && collection.database && read_tables(&collection, error);
    apkg_database_close(collection.database);
    for (ptrdiff_t i = 0; i < collection.type_count; i++) {
        memory_free(collection.types[i].type.fields);
        memory_free(collection.types[i].type.templates);
    }
    memory_free(collection.types);
    memory_free(collection.decks);
    memory_free(collection.cards);
    buffer_finish(&file);
    arena_finish(&collection.arena);
    return done;
}
