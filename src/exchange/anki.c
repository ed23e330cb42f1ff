/*
 * Reads Anki's notes in text, as Anki writes and reads them: a head of "#key:value" lines, then a row for
 * each note, its fields parted by the head's separator. Every note becomes cards to recall; what its type
 * would ask beside that (a reversed card, a typed answer) is told, not made up.
 */
#include "anki_head.h"
#include "html.h"

#include <quiztutor/message.h>
#include <quiztutor/table.h>

#include <string.h>
#include <strings.h>

struct reading {
    struct import *import;
    struct anki_head head;
    struct table table;
    const char *root; /* the deck above all decks of the file; NULL: there is none */
    struct buffer field;
    bool told; /* the head's changes were noted */
};

/* ---- fields ---- */

static const char *column_text(struct reading *reading, int column)
{
    ptrdiff_t length;
    const char *cell = column ? table_cell(&reading->table, column - 1, &length) : "";
    return column && length ? import_text_line(reading->import, cell, length) : NULL;
}

static bool is_special(const struct anki_head *head, int column)
{
    return column == head->tags_column || column == head->deck_column || column == head->type_column ||
           column == head->guid_column;
}

/* The field without what only sounds; each sound is noted. */
static void copy_silent(struct reading *reading, const char *text, ptrdiff_t length)
{
    static const char mark[] = "[sound:";
    const char *end = text + length;
    buffer_clear(&reading->field);
    while (text < end) {
        const char *sound = memmem(text, (size_t)(end - text), mark, sizeof mark - 1);
        const char *close = sound ? memchr(sound, ']', (size_t)(end - sound)) : NULL;
        buffer_add(&reading->field, text, (close ? sound : end) - text);
        if (close) {
            const char *name = sound + sizeof mark - 1;
            ptrdiff_t size = close - name < 80 ? close - name : 80;
            import_change(reading->import, tr("the sound %.*s was left out"), (int)size, name);
        }
        text = close ? close + 1 : end;
    }
    reading->import->failed = reading->import->failed || reading->field.failed;
}

/* A part of a field as a text of the pack; `card`: the back of one, which has no markup. */
static const char *field_text(struct reading *reading, const char *text, ptrdiff_t length, bool card)
{
    struct import *import = reading->import;
    copy_silent(reading, text, length);
    const char *plain = buffer_get(&reading->field);
    if (reading->head.html)
        return html_text(import, plain, reading->field.length, card ? HTML_CARD : HTML_TEXT);
    return card ? import_text(import, plain, reading->field.length)
                : import_plain(import, plain, reading->field.length);
}

/* What the writer of this format put behind the answer on the back: length of the answer before it. */
static ptrdiff_t find_why(const char *back, ptrdiff_t length, const char **why, ptrdiff_t *why_length)
{
    static const char mark[] = "<div class=\"quiztutor-why\">";
    const char *found = memmem(back, (size_t)length, mark, sizeof mark - 1);
    *why = NULL;
    if (!found)
        return length;
    *why = found + sizeof mark - 1;
    *why_length = back + length - *why;
    return found - back;
}

/* ---- what a note says ---- */

struct fields {
    const char *texts[ANKI_FIELDS];
    ptrdiff_t lengths[ANKI_FIELDS];
    int columns[ANKI_FIELDS];
    int count;
};

static void find_fields(struct reading *reading, struct fields *fields)
{
    fields->count = 0;
    for (int column = 1; column <= reading->table.count; column++) {
        if (is_special(&reading->head, column))
            continue;
        if (fields->count == ANKI_FIELDS) {
            import_change(reading->import, tr("fields beyond the first %d are left out"), ANKI_FIELDS);
            return;
        }
        fields->columns[fields->count] = column;
        fields->texts[fields->count] =
            table_cell(&reading->table, column - 1, &fields->lengths[fields->count]);
        fields->count++;
    }
}

static const char *join(struct import *import, const char *one, const char *other)
{
    if (!one || !other)
        return one ? one : other;
    const char *joined = arena_print(&import->arena, "%s\n\n%s", one, other);
    import->failed = import->failed || !joined;
    return joined;
}

/* The fields behind the first `from`: they stand below the answer, so they are its explanation. */
static const char *more_fields(struct reading *reading, const struct fields *fields, int from)
{
    struct import *import = reading->import;
    const char *more = NULL;
    for (int i = from; i < fields->count; i++) {
        const char *text = field_text(reading, fields->texts[i], fields->lengths[i], false);
        if (!text)
            continue;
        int column = fields->columns[i];
        const char *name = column <= reading->head.names.count ? reading->head.names.items[column - 1] : NULL;
        if (name && *name)
            import_change(import, tr("the field \"%s\" is in its explanation"), name);
        else
            import_change(import, tr("column %d is in its explanation"), column);
        more = join(import, more, text);
    }
    return more;
}

static bool type_says(const char *type, const char *word)
{
    return type && strcasestr(type, word) != NULL;
}

static void note_type(struct import *import, const char *type)
{
    if (type_says(type, "reversed"))
        import_change(import, "%s", tr("the reversed card is not made"));
    else if (type_says(type, "type in"))
        import_change(import, "%s", tr("the answer is recalled, not typed"));
}

/* What was noted so far, kept for the note's first card. */
static void keep_changes(struct import *import, struct anki_note *note, const char **kept)
{
    note->change_count = 0;
    note->too_long = import->too_long;
    if (!import->changes.length)
        return;
    kept[0] = arena_text(&import->arena, import->changes.data, import->changes.length);
    import->failed = import->failed || !kept[0];
    note->changes = kept;
    note->change_count = kept[0] != NULL;
}

static void take_note(struct reading *reading, struct anki_note *note, const char *type)
{
    struct import *import = reading->import;
    struct fields fields;
    const char *changes[1];
    find_fields(reading, &fields);
    const char *first = fields.count ? field_text(reading, fields.texts[0], fields.lengths[0], false) : NULL;
    bool basic = type_says(type, "basic"); /* where Anki shows {{c1::…}} as it stands */
    if (type_says(type, "cloze") || (!basic && first && anki_note_has_cloze(first))) {
        const char *more = more_fields(reading, &fields, 1);
        keep_changes(import, note, changes);
        anki_note_clozes(import, note, first, more);
        return;
    }
    const char *back = NULL, *why = NULL, *more;
    ptrdiff_t why_length = 0;
    if (fields.count > 1) {
        ptrdiff_t length = fields.lengths[1];
        if (reading->head.html)
            length = find_why(fields.texts[1], length, &why, &why_length);
        back = field_text(reading, fields.texts[1], length, true);
    }
    more = why ? field_text(reading, why, why_length, false) : NULL;
    more = join(import, more, more_fields(reading, &fields, 2));
    note_type(import, type);
    keep_changes(import, note, changes);
    if (!first && fields.count) /* the report has to call it something */
        note->name = import_text_line(import, fields.texts[0], fields.lengths[0]);
    anki_note_card(import, note, 1, first, back, more);
}

/* ---- decks ---- */

/* The first part of a deck's name, "Biology" of "Biology::Cells". */
static ptrdiff_t root_length(const char *deck)
{
    const char *parts = strstr(deck, "::");
    return parts ? parts - deck : (ptrdiff_t)strlen(deck);
}

/* The deck that holds all decks of the file; it names the pack, and those in it are its sections. */
static void find_root(struct reading *reading)
{
    struct table before = reading->table;
    ptrdiff_t length;
    bool one = true;
    if (!reading->head.deck_column)
        return;
    table_init(&reading->table, before.at, before.end - before.at, before.separator);
    while (one && table_next(&reading->table)) {
        const char *deck = table_cell(&reading->table, reading->head.deck_column - 1, &length);
        if (table_blank(&reading->table) || !length)
            continue;
        if (!reading->root) {
            reading->root = arena_text(&reading->import->arena, deck, root_length(deck));
            reading->import->failed = reading->import->failed || !reading->root;
        }
        one = reading->root && root_length(deck) == (ptrdiff_t)strlen(reading->root) &&
              strncmp(deck, reading->root, strlen(reading->root)) == 0;
    }
    if (!one)
        reading->root = NULL;
    reading->import->failed = reading->import->failed || reading->table.failed;
    table_finish(&reading->table);
    reading->table = before;
}

static void enter_deck(struct reading *reading)
{
    struct import *import = reading->import;
    const char *deck = column_text(reading, reading->head.deck_column);
    if (!deck)
        return;
    if (reading->root) {
        size_t length = strlen(reading->root);
        if (strncmp(deck, reading->root, length) != 0)
            length = strlen(deck); /* it holds what a title may not */
        if (deck[length] == ':' && deck[length + 1] == ':' && deck[length + 2])
            deck += length + 2;
        else if (!import->section)
            return; /* it lies in the deck that is the pack */
    }
    import_section(import, deck);
}

/* ---- rows ---- */

/* The id that the writer of this format hid in a note's GUID: "pack:question". */
static const char *guid_id(struct reading *reading)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    const char *guid = column_text(reading, reading->head.guid_column);
    const char *colon = guid ? strchr(guid, ':') : NULL;
    if (!colon || colon == guid || (ptrdiff_t)strspn(guid, letters) != colon - guid)
        return NULL;
    const char *id = colon + 1;
    return *id && strspn(id, letters) == strlen(id) ? id : NULL;
}

static void read_note(struct reading *reading)
{
    struct import *import = reading->import;
    struct table *table = &reading->table;
    struct anki_note note = { .line = table->first_line };
    struct question open;
    const char *tags = column_text(reading, reading->head.tags_column);
    const char *type = column_text(reading, reading->head.type_column);
    enter_deck(reading);
    import_open(import, &open, table->first_line, NULL);
    if (table->unclosed) {
        import_leave_out(
            import,
            tr("a quotation mark opens in line %d and is never closed: all from there to the end "
               "of the file is left out"),
            table->unclosed);
        return;
    }
    if (table->too_wide) {
        import_leave_out(import, tr("it has more than %d fields"), TABLE_COLUMNS);
        return;
    }
    for (int i = 0; !reading->told && i < reading->head.change_count; i++)
        import_change(import, "%s", reading->head.changes[i]);
    reading->told = true;
    if (table->stray)
        import_change(import, "%s",
                      tr("a quotation mark within a field is not doubled: it is taken as text"));
    if (reading->head.tags && tags)
        tags = arena_print(&import->arena, "%s %s", reading->head.tags, tags);
    else if (reading->head.tags)
        tags = reading->head.tags;
    if (tags)
        anki_note_tags(import, tags, &note.tags);
    note.id = guid_id(reading);
    take_note(reading, &note, type ? type : reading->head.type);
}

bool anki_read(struct import *import, const char *bytes, ptrdiff_t length, struct error *error)
{
    struct reading reading = { .import = import };
    if (!exchange_check_text(&bytes, &length, error))
        return false;
    if (!anki_head_read(&reading.head, import, &bytes, &length))
        return error_memory(error);
    if (reading.head.html && html_marks(bytes, length))
        import->markup = true;
    table_init(&reading.table, bytes, length, reading.head.separator);
    buffer_init(&reading.field);
    reading.table.line += reading.head.lines;
    find_root(&reading);
    if (!import->title)
        import->title = reading.root ? reading.root : reading.head.deck;
    while (!import->failed && table_next(&reading.table))
        if (!table_blank(&reading.table) || reading.table.unclosed)
            read_note(&reading);
    import->failed = import->failed || reading.table.failed;
    table_finish(&reading.table);
    buffer_finish(&reading.field);
    return !import->failed || error_memory(error);
}

bool anki_recognise(const char *bytes, ptrdiff_t length)
{
    if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        bytes += 3;
        length -= 3;
    }
    return anki_head_begins(bytes, length);
}
