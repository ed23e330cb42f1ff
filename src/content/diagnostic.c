#include <quiztutor/diagnostic.h>

#include <quiztutor/json.h>
#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <limits.h>
#include <string.h>

enum { SHOWN_COLUMNS = 100, SHOWN_BEFORE = 60 }; /* columns of a source line, and of them before the caret */

void diagnostics_init(struct diagnostics *list)
{
    memset(list, 0, sizeof *list);
    arena_init(&list->arena);
}

void diagnostics_finish(struct diagnostics *list)
{
    arena_finish(&list->arena);
    memory_free(list->items);
    memset(list, 0, sizeof *list);
}

bool diagnostics_room(const struct diagnostics *list, enum severity severity)
{
    return (severity == SEVERITY_ERROR ? list->errors : list->warnings) < DIAGNOSTIC_SHOWN;
}

static bool copy_text(struct diagnostics *list, const char **text)
{
    if (!*text)
        return true;
    *text = arena_text(&list->arena, *text, (ptrdiff_t)strlen(*text));
    return *text != NULL;
}

static bool copy_visible(struct diagnostics *list, const char **text)
{
    if (!*text)
        return true;
    struct buffer visible;
    buffer_init(&visible);
    text_visible(&visible, *text, (ptrdiff_t)strlen(*text));
    *text = visible.failed ? NULL : arena_text(&list->arena, buffer_get(&visible), visible.length);
    buffer_finish(&visible);
    return *text != NULL;
}

/* One file's diagnostics often follow each other: its name is kept once. */
static bool copy_file(struct diagnostics *list, const char **file)
{
    if (*file && list->count > 0 && list->items[list->count - 1].file &&
        strcmp(*file, list->items[list->count - 1].file) == 0) {
        *file = list->items[list->count - 1].file;
        return true;
    }
    return copy_text(list, file);
}

static bool stands_after(const struct diagnostic *one, const struct diagnostic *other)
{
    if (one->file != other->file)
        return false; /* files keep the order in which they came */
    if (one->line != other->line)
        return one->line > other->line;
    return one->column > other->column;
}

void diagnostics_add(struct diagnostics *list, const struct diagnostic *diagnostic)
{
    bool error = diagnostic->severity == SEVERITY_ERROR;
    bool room = diagnostics_room(list, diagnostic->severity);
    int serial = list->errors + list->warnings;
    if (error)
        list->errors++;
    else
        list->warnings++;
    if (!room) {
        if (error)
            list->errors_left_out++;
        else
            list->warnings_left_out++;
        return;
    }
    struct diagnostic copy = *diagnostic;
    copy.serial = serial;
    if (!copy_file(list, &copy.file) || !copy_visible(list, &copy.message) ||
        !copy_visible(list, &copy.hint) || !copy_text(list, &copy.source) ||
        !memory_grow(&list->items, &list->capacity, list->count + 1, sizeof *list->items)) {
        list->failed = true;
        return;
    }
    if (copy.source_column < 1)
        copy.source_column = 1;
    ptrdiff_t at = list->count++;
    for (; at > 0 && stands_after(&list->items[at - 1], &copy); at--)
        list->items[at] = list->items[at - 1];
    list->items[at] = copy;
}

struct diagnostics_mark diagnostics_here(const struct diagnostics *list)
{
    struct diagnostics_mark mark = { list->errors, list->warnings, list->errors_left_out,
                                     list->warnings_left_out };
    return mark;
}

void diagnostics_withdraw(struct diagnostics *list, struct diagnostics_mark mark)
{
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < list->count; i++)
        if (list->items[i].serial < mark.errors + mark.warnings)
            list->items[kept++] = list->items[i];
    list->count = kept;
    list->errors = mark.errors;
    list->warnings = mark.warnings;
    list->errors_left_out = mark.errors_left_out;
    list->warnings_left_out = mark.warnings_left_out;
}

/* The source line as shown: which bytes of it, and where the caret stands under them. */
struct line_view {
    const char *from, *end;
    bool cut_before, cut_after;
};

/* The next code point as shown: TABs as they are, all else visible. Returns its bytes in the source. */
static int show_code(struct buffer *piece, const char *at, const char *end)
{
    int32_t code;
    int bytes = text_decode(at, end - at, &code);
    buffer_clear(piece);
    if (code == '\t')
        buffer_char(piece, '\t');
    else
        text_visible(piece, at, bytes);
    return bytes;
}

static int piece_columns(const struct buffer *piece)
{
    return piece->length == 1 && buffer_get(piece)[0] == '\t' ? 8 : text_columns(buffer_get(piece));
}

/* Cuts a long line down to what fits around the caret. */
static void view_line(struct line_view *view, const struct diagnostic *diagnostic, struct buffer *piece)
{
    const char *end = diagnostic->source + strlen(diagnostic->source), *caret = diagnostic->source;
    int32_t code;
    for (int i = diagnostic->source_column; i < diagnostic->column && caret < end; i++)
        caret += text_decode(caret, end - caret, &code);
    int before = 0, total = 0;
    for (const char *at = diagnostic->source; at < end; total += piece_columns(piece)) {
        if (at == caret)
            before = total;
        at += show_code(piece, at, end);
    }
    if (caret == end)
        before = total;
    int first = total <= SHOWN_COLUMNS || before <= SHOWN_BEFORE ? 0 : before - SHOWN_BEFORE;
    int column = 0;
    view->from = view->end = NULL;
    for (const char *at = diagnostic->source; at < end && column - first < SHOWN_COLUMNS;) {
        if (!view->from && column >= first)
            view->from = at;
        at += show_code(piece, at, end);
        column += piece_columns(piece);
        view->end = at;
    }
    if (!view->from)
        view->from = view->end = end;
    view->cut_before = view->from > diagnostic->source || diagnostic->source_column > 1;
    view->cut_after = view->end < end;
}

static void print_caret(const struct diagnostic *diagnostic, const struct line_view *view,
                        struct buffer *piece, struct buffer *out)
{
    int column = diagnostic->source_column, end_column = diagnostic->end_column;
    if (diagnostic->end_line > diagnostic->line)
        end_column = INT_MAX;
    int32_t code;
    for (const char *at = diagnostic->source; at < view->from; column++)
        at += text_decode(at, view->from - at, &code);
    bool marked = false;
    if (view->cut_before)
        buffer_char(out, ' ');
    for (const char *at = view->from; at < view->end; column++) {
        at += show_code(piece, at, view->end);
        int columns = piece_columns(piece);
        bool inside = column == diagnostic->column || (column > diagnostic->column && column < end_column);
        if (column > diagnostic->column && !inside)
            break;
        if (!inside && buffer_get(piece)[0] == '\t') {
            buffer_char(out, '\t');
            continue;
        }
        if (inside && buffer_get(piece)[0] == '\t')
            columns = 1;
        for (int i = 0; i < columns; i++, marked = marked || inside)
            buffer_char(out, !inside ? ' ' : marked ? '~' : '^');
    }
    if (!marked)
        buffer_char(out, '^');
    buffer_char(out, '\n');
}

static void print_source(const struct diagnostic *diagnostic, struct buffer *out)
{
    struct buffer piece;
    struct line_view view;
    buffer_init(&piece);
    view_line(&view, diagnostic, &piece);
    if (view.cut_before)
        buffer_text(out, "…");
    for (const char *at = view.from; at < view.end;) {
        at += show_code(&piece, at, view.end);
        buffer_add(out, buffer_get(&piece), piece.length);
    }
    buffer_text(out, view.cut_after ? "…\n" : "\n");
    print_caret(diagnostic, &view, &piece, out);
    out->failed = out->failed || piece.failed;
    buffer_finish(&piece);
}

void diagnostics_print(const struct diagnostics *list, struct buffer *out)
{
    for (ptrdiff_t i = 0; i < list->count; i++) {
        const struct diagnostic *diagnostic = &list->items[i];
        const char *file = diagnostic->file ? diagnostic->file : "";
        text_visible(out, file, (ptrdiff_t)strlen(file));
        buffer_print(out, ":%d:%d: %s: %s [%s]\n", diagnostic->line, diagnostic->column,
                     diagnostic->severity == SEVERITY_ERROR ? tr("error") : tr("warning"),
                     diagnostic->message, diagnostic->rule);
        if (diagnostic->source)
            print_source(diagnostic, out);
        if (diagnostic->hint)
            buffer_print(out, tr("hint: %s\n"), diagnostic->hint);
    }
    if (list->errors_left_out > 0)
        buffer_print(out, ntr("… and %d more error\n", "… and %d more errors\n", list->errors_left_out),
                     list->errors_left_out);
    if (list->warnings_left_out > 0)
        buffer_print(out, ntr("… and %d more warning\n", "… and %d more warnings\n", list->warnings_left_out),
                     list->warnings_left_out);
}

static bool is_utf8(const char *text)
{
    int32_t code;
    for (ptrdiff_t length = (ptrdiff_t)strlen(text); length > 0;) {
        int bytes = text_decode(text, length, &code);
        if (code == TEXT_BAD)
            return false;
        text += bytes;
        length -= bytes;
    }
    return true;
}

/* A file name as it is, so that scripts can open it; only one that is not UTF-8 is shown in its visible form.
 */
static void json_file(struct json *json, const char *file)
{
    if (!file || is_utf8(file)) {
        json_text(json, file);
        return;
    }
    struct buffer visible;
    buffer_init(&visible);
    text_visible(&visible, file, (ptrdiff_t)strlen(file));
    json_text(json, buffer_get(&visible));
    json->out->failed = json->out->failed || visible.failed;
    buffer_finish(&visible);
}

void diagnostics_json(const struct diagnostics *list, struct buffer *out, bool *comma)
{
    struct json json;
    json_init(&json, out);
    json.comma = *comma;
    for (ptrdiff_t i = 0; i < list->count; i++) {
        const struct diagnostic *diagnostic = &list->items[i];
        json_open(&json, '{');
        json_key(&json, "file");
        json_file(&json, diagnostic->file);
        json_key(&json, "line");
        json_integer(&json, diagnostic->line);
        json_key(&json, "column");
        json_integer(&json, diagnostic->column);
        json_key(&json, "end_line");
        json_integer(&json, diagnostic->end_line);
        json_key(&json, "end_column");
        json_integer(&json, diagnostic->end_column);
        json_key(&json, "severity");
        json_text(&json, diagnostic->severity == SEVERITY_ERROR ? "error" : "warning");
        json_key(&json, "rule");
        json_text(&json, diagnostic->rule);
        json_key(&json, "message");
        json_text(&json, diagnostic->message);
        json_key(&json, "hint");
        json_text(&json, diagnostic->hint);
        json_close(&json, '}');
    }
    *comma = json.comma;
}
