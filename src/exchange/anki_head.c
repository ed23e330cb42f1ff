#include "anki_head.h"

#include "line_reader.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>
#include <quiztutor/table.h>

#include <string.h>
#include <strings.h>

/* In the order in which Anki looks for them in a file that does not tell. */
static const struct {
    const char *name;
    char sign;
} separators[] = {
    { "tab", '\t' },  { "pipe", '|' },  { "semicolon", ';' },
    { "colon", ':' }, { "comma", ',' }, { "space", ' ' },
};
enum { SEPARATORS = sizeof separators / sizeof *separators };

const char *anki_separator_name(char separator)
{
    for (int i = 0; i < SEPARATORS; i++)
        if (separators[i].sign == separator)
            return separators[i].name;
    return "";
}

enum head_key {
    KEY_SEPARATOR,
    KEY_HTML,
    KEY_TAGS,
    KEY_DECK,
    KEY_TYPE,
    KEY_COLUMNS,
    KEY_TAGS_COLUMN,
    KEY_DECK_COLUMN,
    KEY_TYPE_COLUMN,
    KEY_GUID_COLUMN,
    KEY_IF_MATCHES,
    KEY_MATCH_SCOPE,
    KEYS
};

static const char *const head_keys[KEYS] = {
    "separator",       "html",        "tags",        "deck",
    "notetype",        "columns",     "tags column", "deck column",
    "notetype column", "guid column", "if matches",  "match scope",
};

/* The key of a line "#key:value"; KEYS for another line. */
static enum head_key key_of(const struct text_line *line, struct text_line *value)
{
    const char *colon =
        line->length > 1 && line->text[0] == '#' ? memchr(line->text, ':', (size_t)line->length) : NULL;
    if (!colon)
        return KEYS;
    struct text_line key =
        line_trim((struct text_line){ .text = line->text + 1, .length = colon - line->text - 1 });
    *value = (struct text_line){ .text = colon + 1, .length = line->text + line->length - colon - 1 };
    for (int i = 0; i < KEYS; i++)
        if ((ptrdiff_t)strlen(head_keys[i]) == key.length &&
            strncasecmp(head_keys[i], key.text, (size_t)key.length) == 0)
            return (enum head_key)i;
    return KEYS;
}

bool anki_head_begins(const char *text, ptrdiff_t length)
{
    struct line_reader lines;
    struct text_line line, value;
    line_reader_init(&lines, text, length);
    return line_reader_next(&lines, &line) && key_of(&line, &value) != KEYS;
}

/* ---- values ---- */

static bool read_separator(struct anki_head *head, const struct text_line *value)
{
    struct text_line word = line_trim(*value);
    for (int i = 0; i < SEPARATORS; i++) {
        bool sign = value->length == 1 && value->text[0] == separators[i].sign;
        bool named = (ptrdiff_t)strlen(separators[i].name) == word.length &&
                     strncasecmp(separators[i].name, word.text, (size_t)word.length) == 0;
        if (sign || named) {
            head->separator = separators[i].sign;
            return head->separator_told = true;
        }
    }
    return false;
}

static bool read_truth(struct anki_head *head, const struct text_line *value)
{
    struct text_line word = line_trim(*value);
    head->html = word.length == 4 && strncasecmp(word.text, "true", 4) == 0;
    head->html_told = head->html || (word.length == 5 && strncasecmp(word.text, "false", 5) == 0);
    return head->html_told;
}

static bool read_column(int *column, const struct text_line *value)
{
    struct text_line word = line_trim(*value);
    *column = 0;
    for (ptrdiff_t i = 0; i < word.length; i++) {
        if (word.text[i] < '0' || word.text[i] > '9' || *column > TABLE_COLUMNS)
            return false;
        *column = *column * 10 + word.text[i] - '0';
    }
    return *column >= 1 && *column <= TABLE_COLUMNS;
}

static bool read_value(struct anki_head *head, struct import *import, enum head_key key,
                       const struct text_line *value)
{
    const char *text = NULL;
    if (key == KEY_TAGS || key == KEY_DECK || key == KEY_TYPE)
        text = import_text_line(import, value->text, value->length);
    switch (key) {
    case KEY_SEPARATOR:
        return read_separator(head, value);
    case KEY_HTML:
        return read_truth(head, value);
    case KEY_TAGS:
        head->tags = text;
        return true;
    case KEY_DECK:
        head->deck = text;
        return true;
    case KEY_TYPE:
        head->type = text;
        return true;
    case KEY_COLUMNS:
        head->columns = arena_text(&import->arena, value->text, value->length);
        import->failed = import->failed || !head->columns;
        return true;
    case KEY_TAGS_COLUMN:
        return read_column(&head->tags_column, value);
    case KEY_DECK_COLUMN:
        return read_column(&head->deck_column, value);
    case KEY_TYPE_COLUMN:
        return read_column(&head->type_column, value);
    case KEY_GUID_COLUMN:
        return read_column(&head->guid_column, value);
    case KEY_IF_MATCHES:
    case KEY_MATCH_SCOPE:
    case KEYS:
        break;
    }
    return true; /* what Anki does with notes it has already: nothing to do here */
}

static void split_names(struct anki_head *head, struct import *import)
{
    struct table table;
    ptrdiff_t length;
    if (!head->columns)
        return;
    table_init(&table, head->columns, (ptrdiff_t)strlen(head->columns), head->separator);
    const char **names = NULL;
    if (table_next(&table))
        names = arena_alloc(&import->arena, table.count * (ptrdiff_t)sizeof *names);
    import->failed = import->failed || table.failed || !names;
    for (int i = 0; names && i < table.count; i++) {
        const char *cell = table_cell(&table, i, &length);
        const char *name = import_text_line(import, cell, length);
        names[head->names.count++] = name ? name : "";
    }
    head->names.items = names;
    table_finish(&table);
}

/* ---- what is not told ---- */

static bool looks_html(const char *text, ptrdiff_t length)
{
    static const char *const signs[] = { "<br",     "<div",   "<p>",  "<b>",   "<i>",   "<u>",
                                         "<img",    "<span",  "<ul",  "<ol",   "<li",   "<sub>",
                                         "<sup>",   "<table", "<pre", "<code", "<em>",  "<a ",
                                         "<strong", "&nbsp;", "&lt;", "&gt;",  "&amp;", "&quot;" };
    for (const char *at = text, *end = text + length; at < end; at++) {
        if (*at != '<' && *at != '&')
            continue;
        for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
            if (line_word(at, end - at, signs[i]))
                return true;
    }
    return false;
}

static void find_separator(struct anki_head *head, const char *text, ptrdiff_t length)
{
    struct line_reader lines;
    struct text_line line = { "", 0, 0 };
    line_reader_init(&lines, text, length);
    while (line_reader_next(&lines, &line) && line_trim(line).length == 0)
        ;
    head->separator = '\t';
    for (int i = 0; i < SEPARATORS; i++)
        if (line.length && memchr(line.text, separators[i].sign, (size_t)line.length)) {
            head->separator = separators[i].sign;
            return;
        }
}

static void complete(struct anki_head *head, struct import *import, const char *text, ptrdiff_t length)
{
    const char **changes = arena_alloc(&import->arena, 2 * (ptrdiff_t)sizeof *changes);
    import->failed = import->failed || !changes;
    if (!changes)
        return;
    head->changes = changes;
    if (!head->separator_told) {
        find_separator(head, text, length);
        if (head->separator != '\t')
            changes[head->change_count++] = arena_print(
                &import->arena, tr("the file does not say what parts its fields: taken as \"#separator:%s\""),
                anki_separator_name(head->separator));
    }
    if (!head->html_told) {
        head->html = looks_html(text, length);
        if (head->html)
            changes[head->change_count++] =
                arena_print(&import->arena, "%s",
                            tr("the file does not say whether its texts are HTML: taken as \"#html:true\""));
    }
    for (int i = 0; i < head->change_count; i++)
        import->failed = import->failed || !changes[i];
}

bool anki_head_read(struct anki_head *head, struct import *import, const char **text, ptrdiff_t *length)
{
    struct line_reader lines;
    struct text_line line, value;
    *head = (struct anki_head){ .separator = '\t' };
    line_reader_init(&lines, *text, *length);
    while (line_reader_next(&lines, &line)) {
        enum head_key key = key_of(&line, &value);
        bool remark = key == KEYS && line.length > 0 && line.text[0] == '#' && head->separator_told &&
                      !memchr(line.text, head->separator, (size_t)line.length);
        if (key == KEYS && !remark)
            break;
        if (remark || !read_value(head, import, key, &value)) {
            struct question none;
            import_open(import, &none, line.number, arena_text(&import->arena, line.text, line.length));
            import_leave_out(import, "%s", tr("this line of the file's head is not known"));
        }
        *length -= lines.at - *text;
        *text = lines.at;
        head->lines = line.number;
    }
    complete(head, import, *text, *length);
    split_names(head, import);
    return !import->failed;
}
