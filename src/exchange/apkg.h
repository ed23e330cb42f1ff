/*
 * Anki's packages, in parts: which collection in the archive is the true one (apkg_collection.c), its
 * database (apkg.c, the only file that knows SQLite here), what the tables in it hold (apkg_table.c), and
 * what becomes of a note (apkg_note.c) by the templates of its type (apkg_template.c).
 */
#ifndef EXCHANGE_APKG_H
#define EXCHANGE_APKG_H

#include <quiztutor/exchange.h>

enum {
    APKG_NOTES = 400000,            /* notes, cards */
    APKG_TYPES = 10000,             /* note types, their fields and templates; decks */
    APKG_TYPE_PARTS = 1000,         /* fields and templates of one note type */
    APKG_TEXT = 16 * 1024 * 1024,   /* bytes of one value in the database */
    APKG_STEPS = 400 * 1000 * 1000, /* steps of SQLite's machine for one package */
    APKG_TEMPLATE = 64 * 1024,      /* bytes of a template */
    APKG_SIDE = 4 * 1024 * 1024,    /* bytes of a rendered side */
    APKG_NESTING = 50,              /* conditions inside each other in a template */
    APKG_WORK = 1000 * 1000 * 1000, /* bytes that all templates read and write, for one package */
};

struct apkg_template {
    const char *name, *front, *back; /* the names are Anki's qfmt and afmt */
};

struct apkg_type {
    int64_t id;
    const char *name;
    bool cloze;
    const char **fields;
    int field_count;
    struct apkg_template *templates;
    int template_count;
};

/* A field's value in a note: HTML, not NUL-terminated. */
struct apkg_value {
    const char *text;
    ptrdiff_t length;
};

/* A note as the database has it; what it points to lives until the next one. */
struct apkg_note {
    const struct apkg_type *type;
    const char *values; /* those of its fields, parted by 0x1f */
    ptrdiff_t length;
    const char *tags;
    int64_t *work; /* what is left of APKG_WORK; below 0 nothing more is rendered */
};

/* A card of it: which template, and the name of its deck (NULL: not known). */
struct apkg_card {
    int template;
    const char *deck;
};

/* The database of the package in `bytes`, appended to `out`. */
bool apkg_collection(const char *bytes, ptrdiff_t length, struct buffer *out, struct error *error);

/*
 * That database: it is read where it lies, and may be written to in its head, so that its bytes must outlive
 * it. A query has at most one parameter, ?1 (NULL: none).
 */
struct apkg_database;
struct apkg_database *apkg_database_open(char *bytes, ptrdiff_t length, struct error *error);
void apkg_database_close(struct apkg_database *database);

/* A row, in the hands of the reader that it is given to; a reader that returns false, with an error, is given
 * no other. Texts and blobs are "" for NULL; they live until the reader returns. */
struct apkg_row;
typedef bool apkg_reader(void *context, struct apkg_row *row, struct error *error);
bool apkg_database_query(struct apkg_database *database, const char *sql, const char *parameter,
                         apkg_reader *reader, void *context, struct error *error);
int64_t apkg_row_integer(struct apkg_row *row, int column);
bool apkg_row_is_blob(struct apkg_row *row, int column);
const char *apkg_row_text(struct apkg_row *row, int column, ptrdiff_t *length);

/* Takes the cards, or leaves them out; `count` 0: the note has none on record, so they follow from its
 * type's templates. */
void apkg_note_take(struct import *import, const struct apkg_note *note, const struct apkg_card *cards,
                    int count);

/* What a template makes of a note. */
struct apkg_side {
    struct buffer html;
    bool has_field; /* a field that is not empty stands in it */
    bool has_sound; /* speech made of a text was left out */
    bool has_hint;  /* a hint's text was left out */
    int64_t work;   /* done for it, as of APKG_WORK */
};
enum apkg_form { APKG_FRONT, APKG_BACK, APKG_CLOZE_FRONT, APKG_CLOZE_BACK };

/* Appends to side->html. The back has nothing of the front, and begins behind <hr id=answer> where that
 * stands in it. Of a cloze the front has the text with its marks, the back all but it. */
void apkg_template(struct apkg_side *side, const char *format, enum apkg_form form,
                   const struct apkg_type *type, const struct apkg_value *values);

#endif
