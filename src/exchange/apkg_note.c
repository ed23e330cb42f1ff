/* What becomes of Anki's notes: each card a question to recall, by the templates of the note's type. */
#include "apkg.h"

#include "anki_note.h"
#include "html.h"
#include "import_private.h"

#include <quiztutor/message.h>
#include <string.h>

struct taking {
    struct import *import;
    const struct apkg_note *note;
    struct anki_note base; /* what its questions share */
    struct apkg_value values[APKG_TYPE_PARTS];
};

static void split_values(struct taking *taking)
{
    const struct apkg_note *note = taking->note;
    const char *at = note->values, *end = at + note->length;
    for (int i = 0; i < note->type->field_count; i++) {
        const char *next = at < end ? memchr(at, 0x1f, (size_t)(end - at)) : NULL;
        taking->values[i] = (struct apkg_value){ at, (next ? next : end) - at };
        at = next ? next + 1 : end;
    }
}

/* Takes [sound:…] out of the rendered text, in place, each noted. */
static void drop_sounds(struct import *import, struct buffer *html)
{
    static const char mark[] = "[sound:";
    if (!html->length)
        return;
    char *to = html->data, *from = html->data, *end = html->data + html->length;
    while (from < end) {
        char *sound = memmem(from, (size_t)(end - from), mark, sizeof mark - 1);
        char *close = sound ? memchr(sound, ']', (size_t)(end - sound)) : NULL;
        char *stop = close ? sound : end;
        memmove(to, from, (size_t)(stop - from));
        to += stop - from;
        if (close) {
            char *name = sound + sizeof mark - 1;
            import_change(import, tr("the sound %.*s was left out"),
                          (int)(close - name < 80 ? close - name : 80), name);
        }
        from = close ? close + 1 : end;
    }
    html->length = to - html->data;
    *to = '\0';
}

static const char *make_side(struct taking *taking, const char *format, enum apkg_form form, bool *filled)
{
    struct import *import = taking->import;
    struct apkg_side side = { .has_field = false };
    buffer_init(&side.html);
    if (*taking->note->work >= 0)
        apkg_template(&side, format, form, taking->note->type, taking->values);
    *taking->note->work -= side.work;
    *filled = side.has_field;
    import->failed = import->failed || side.html.failed;
    drop_sounds(import, &side.html);
    if (side.has_sound)
        import_change(import, "%s", tr("speech made of a text was left out"));
    if (side.has_hint)
        import_change(import, "%s", tr("a hint behind a link was left out"));
    const char *text = html_text(import, buffer_get(&side.html), side.html.length,
                                 form == APKG_BACK ? HTML_CARD : HTML_TEXT);
    buffer_finish(&side.html);
    return text;
}

/* A name for the report where the question has no text: what its first field says. */
static const char *name_note(struct taking *taking)
{
    const struct apkg_value *first = &taking->values[0];
    const char *text = NULL;
    if (taking->note->type->field_count && first->length < APKG_TEMPLATE)
        text = html_text(taking->import, first->text, first->length, HTML_BARE);
    return import_brief(taking->import, text ? text : taking->note->type->name, IMPORT_NAME);
}

/* The sides are made while a question is open, so that what is left out of them is noted; the question itself
 * is opened again by the one that takes it. */
static void open_sides(struct taking *taking, struct question *question, const char *deck)
{
    if (deck)
        import_section(taking->import, deck);
    import_open(taking->import, question, 0, NULL);
}

/* What was noted, kept for the question; room for it stands in changes[0]. */
static void keep_changes(struct taking *taking, const char **changes)
{
    struct buffer *noted = &taking->import->changes;
    taking->base.change_count = 0;
    taking->base.too_long = taking->import->too_long;
    if (!noted->length)
        return;
    *changes = arena_text(&taking->import->arena, noted->data, noted->length);
    taking->import->failed = taking->import->failed || !*changes;
    taking->base.changes = changes;
    taking->base.change_count = *changes != NULL;
}

/* Leaves the open question out, with what stood where a text was missing. */
static void leave_out_empty(struct taking *taking, const char *what)
{
    struct import *import = taking->import;
    import->open.name = name_note(taking);
    const char *noted = arena_text(&import->arena, buffer_get(&import->changes), import->changes.length);
    if (*taking->note->work < 0)
        import_leave_out(import, "%s", tr("the templates of the package make too much text"));
    else if (noted && *noted)
        import_leave_out(import, "%s (%s)", what, noted);
    else
        import_leave_out(import, "%s", what);
}

static void take_card(struct taking *taking, int place, const char *deck, int number, int count)
{
    const struct apkg_template *template = &taking->note->type->templates[place];
    struct question question;
    bool filled, back_filled;
    const char *changes;
    open_sides(taking, &question, deck);
    const char *front = make_side(taking, template->front, APKG_FRONT, &filled);
    const char *back = make_side(taking, template->back, APKG_BACK, &back_filled);
    if (!front || !filled) {
        leave_out_empty(taking, tr("its front has no text"));
        return;
    }
    if (!back) {
        leave_out_empty(taking, tr("its back has no text"));
        return;
    }
    if (count > 1)
        import_change(taking->import, tr("one of %d cards of its note (%s)"), count, template->name);
    keep_changes(taking, &changes);
    anki_note_card(taking->import, &taking->base, number, front, back, NULL);
}

/* Whether Anki would make a card by this template: where a field of its front has something in it. */
static bool makes_card(struct taking *taking, int place)
{
    struct apkg_side side = { .has_field = false };
    buffer_init(&side.html);
    if (*taking->note->work >= 0)
        apkg_template(&side, taking->note->type->templates[place].front, APKG_FRONT, taking->note->type,
                      taking->values);
    *taking->note->work -= side.work;
    buffer_finish(&side.html);
    return side.has_field;
}

static void take_cards(struct taking *taking, const struct apkg_card *cards, int count)
{
    int places[APKG_TYPE_PARTS], found = 0;
    const char *decks[APKG_TYPE_PARTS];
    for (int i = 0; i < count && found < APKG_TYPE_PARTS; i++) {
        bool again = found && places[found - 1] == cards[i].template;
        if (again || cards[i].template <0 || cards[i].template >= taking->note->type->template_count)
            continue;
        places[found] = cards[i].template;
        decks[found++] = cards[i].deck;
    }
    bool recorded = found > 0;
    for (int i = 0; !recorded && i < taking->note->type->template_count; i++)
        if (makes_card(taking, i)) {
            places[found] = i;
            decks[found++] = count ? cards[0].deck : NULL;
        }
    for (int i = 0; i < found; i++)
        take_card(taking, places[i], decks[i], i + 1, found);
    if (!found) {
        struct question question;
        import_open(taking->import, &question, 0, NULL);
        leave_out_empty(taking, tr("it makes no card: the fields of its front are empty"));
    }
}

static void take_clozes(struct taking *taking, const char *deck)
{
    const struct apkg_template *template = taking->note->type->templates;
    struct question question;
    bool filled, more_filled;
    const char *changes;
    open_sides(taking, &question, deck);
    const char *text = make_side(taking, template->front, APKG_CLOZE_FRONT, &filled);
    const char *more = make_side(taking, template->back, APKG_CLOZE_BACK, &more_filled);
    if (!text) {
        leave_out_empty(taking, tr("it has no text"));
        return;
    }
    keep_changes(taking, &changes);
    anki_note_clozes(taking->import, &taking->base, text, more_filled ? more : NULL);
}

void apkg_note_take(struct import *import, const struct apkg_note *note, const struct apkg_card *cards,
                    int count)
{
    struct taking taking = { .import = import, .note = note };
    if (!note->type || !note->type->template_count || !note->type->field_count) {
        struct question question;
        const char *end = memchr(note->values, 0x1f, (size_t)note->length);
        ptrdiff_t first = end ? end - note->values : note->length;
        import_open(import, &question, 0, NULL);
        const char *text =
            html_text(import, note->values, first < APKG_TEMPLATE ? first : APKG_TEMPLATE, HTML_BARE);
        import->open.name = text ? import_brief(import, text, IMPORT_NAME) : NULL;
        import_leave_out(import, "%s", tr("the package does not hold the type of this note"));
        return;
    }
    split_values(&taking);
    if (note->tags && !anki_note_tags(import, note->tags, &taking.base.tags))
        import->failed = true;
    if (note->type->cloze)
        take_clozes(&taking, count ? cards[0].deck : NULL);
    else
        take_cards(&taking, cards, count);
}
