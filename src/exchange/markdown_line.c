/* What a line of Markdown is. */
#include "markdown.h"

#include <string.h>
#include <strings.h>

static const char *const label_words[LABELS] = {
    [LABEL_NONE] = "",
    [LABEL_ANSWER] = "Answer",
    [LABEL_BACK] = "Back",
    [LABEL_FRONT] = "Front",
    [LABEL_TYPE] = "Type",
    [LABEL_TOLERANCE] = "Tolerance",
    [LABEL_UNIT] = "Unit",
    [LABEL_FIGURES] = "Significant figures",
    [LABEL_IGNORE] = "Ignore",
    [LABEL_WHY] = "Why",
    [LABEL_HINT] = "Hint",
    [LABEL_TAGS] = "Tags",
    [LABEL_SOURCE] = "Source",
    [LABEL_MARKS] = "Marks",
    [LABEL_MARKING] = "Marking",
    [LABEL_FEEDBACK] = "Feedback",
    [LABEL_MISCONCEPTION] = "Misconception",
    [LABEL_SHUFFLE] = "Shuffle",
    [LABEL_ID] = "Id",
    [LABEL_PIN] = "Pin",
    [LABEL_PICK] = "Pick",
    [LABEL_LANGUAGE] = "Language",
};

static const struct {
    const char *word;
    enum markdown_label label;
} other_words[] = {
    { "Explanation", LABEL_WHY },
    { "Rationale", LABEL_WHY },
    { "Answers", LABEL_ANSWER },
    { "Tag", LABEL_TAGS },
};

const char *markdown_label_word(enum markdown_label label)
{
    return label_words[label];
}

static struct text_line behind(const struct text_line *line, ptrdiff_t at)
{
    return (struct text_line){ .text = line->text + at, .length = line->length - at, .number = line->number };
}

/* The word, whatever stands around it in stars: the bytes up to behind the colon; 0 where it is none. */
static ptrdiff_t labelled(const char *text, ptrdiff_t length, const char *word)
{
    ptrdiff_t stars = 0, at;
    while (stars < length && stars < 2 && text[stars] == '*')
        stars++;
    ptrdiff_t size = line_word(text + stars, length - stars, word);
    at = stars + size;
    if (!size || at >= length)
        return 0;
    bool inside = text[at] == ':'; /* **Answer:** or **Answer**: */
    at += inside;
    for (ptrdiff_t i = 0; i < stars; i++, at++)
        if (at >= length || text[at] != '*')
            return 0;
    if (inside)
        return at;
    return stars && at < length && text[at] == ':' ? at + 1 : 0;
}

enum markdown_label markdown_label(struct text_line *line)
{
    struct text_line plain = line_trim(*line);
    if (markdown_indent(line) >= 4 || plain.length == 0)
        return LABEL_NONE;
    enum markdown_label found = LABEL_NONE;
    ptrdiff_t at = 0;
    for (int label = LABEL_NONE + 1; label < LABELS && !at; label++) {
        at = labelled(plain.text, plain.length, label_words[label]);
        found = at ? (enum markdown_label)label : LABEL_NONE;
    }
    for (size_t i = 0; i < sizeof other_words / sizeof *other_words && !at; i++) {
        at = labelled(plain.text, plain.length, other_words[i].word);
        found = at ? other_words[i].label : LABEL_NONE;
    }
    if (found != LABEL_NONE)
        *line = line_trim(behind(&plain, at));
    return found;
}

ptrdiff_t markdown_field(const struct text_line *line, const char **word)
{
    struct text_line plain = line_trim(*line);
    ptrdiff_t stars = 0, length = 1;
    while (stars < plain.length && stars < 2 && plain.text[stars] == '*')
        stars++;
    const char *text = plain.text + stars;
    ptrdiff_t most = plain.length - stars;
    if (markdown_indent(line) >= 4 || most < 3 || text[0] < 'A' || text[0] > 'Z')
        return 0;
    while (length < most && text[length] >= 'a' && text[length] <= 'z')
        length++;
    ptrdiff_t at = length;
    bool colon = at < most && text[at] == ':'; /* **Level:** or **Level**: */
    at += colon;
    for (ptrdiff_t i = 0; i < stars; i++, at++)
        if (at >= most || text[at] != '*')
            return 0;
    if (!colon && (!stars || at >= most || text[at++] != ':'))
        return 0;
    *word = text;
    return length > 1 && (at == most || text[at] == ' ' || text[at] == '\t') ? length : 0;
}

int markdown_indent(const struct text_line *line)
{
    int columns = 0;
    for (ptrdiff_t i = 0; i < line->length; i++) {
        if (line->text[i] == ' ')
            columns++;
        else if (line->text[i] == '\t')
            columns += 4 - columns % 4;
        else
            break;
    }
    return columns;
}

bool markdown_blank(const struct text_line *line)
{
    return line_trim(*line).length == 0;
}

struct text_line markdown_outdent(struct text_line line, int columns)
{
    int gone = 0;
    while (line.length > 0 && gone < columns && (line.text[0] == ' ' || line.text[0] == '\t')) {
        gone += line.text[0] == ' ' ? 1 : 4 - gone % 4;
        line.text++;
        line.length--;
    }
    return line;
}

int markdown_heading(const struct text_line *line, struct text_line *text)
{
    struct text_line plain = line_trim(*line);
    int level = 0;
    while (level < plain.length && level < 7 && plain.text[level] == '#')
        level++;
    if (!level || level > 6 || markdown_indent(line) > 3 ||
        (level < plain.length && plain.text[level] != ' ' && plain.text[level] != '\t'))
        return 0;
    *text = line_trim(behind(&plain, level));
    ptrdiff_t end = text->length; /* "## Heading ##" */
    while (end > 0 && text->text[end - 1] == '#')
        end--;
    if (end < text->length && (end == 0 || text->text[end - 1] == ' '))
        text->length = end;
    *text = line_trim(*text);
    return level;
}

int markdown_fence(const struct text_line *line, struct text_line *info)
{
    struct text_line plain = line_trim(*line);
    int run = 0;
    if (!plain.length || (plain.text[0] != '`' && plain.text[0] != '~'))
        return 0;
    while (run < plain.length && plain.text[run] == plain.text[0])
        run++;
    *info = line_trim(behind(&plain, run));
    if (run < 3 || (plain.text[0] == '`' && memchr(info->text, '`', (size_t)info->length)))
        return 0;
    return run;
}

bool markdown_fence_ends(const struct text_line *line, const struct text_line *opening)
{
    struct text_line info, other, plain = line_trim(*line), open = line_trim(*opening);
    int run = markdown_fence(line, &info);
    return run && info.length == 0 && plain.text[0] == open.text[0] && run >= markdown_fence(opening, &other);
}

ptrdiff_t markdown_skip_fence(const struct text_line *lines, ptrdiff_t at, ptrdiff_t count)
{
    struct text_line info;
    ptrdiff_t end = at + 1;
    if (!markdown_fence(&lines[at], &info))
        return at;
    while (end < count && !markdown_fence_ends(&lines[end], &lines[at]))
        end++;
    return end < count ? end + 1 : end;
}

/* Behind the marker that ends at `at`, blanks passed over; columns up to the text. */
static int item_text(const struct text_line *line, ptrdiff_t at, struct text_line *text)
{
    if (at < line->length && line->text[at] != ' ' && line->text[at] != '\t')
        return 0;
    int marker = (int)at; /* blanks before the marker were counted in bytes: there are 3 at most */
    *text = behind(line, at);
    int blanks = markdown_indent(text);
    *text = line_trim(*text);
    return marker + (blanks >= 1 && blanks <= 4 ? blanks : 1);
}

int markdown_bullet(const struct text_line *line, struct text_line *text)
{
    ptrdiff_t at = 0;
    while (at < line->length && at < 4 && line->text[at] == ' ')
        at++;
    if (at > 3 || at >= line->length || !strchr("-*+", line->text[at]) || markdown_rule(line))
        return 0;
    return item_text(line, at + 1, text);
}

int markdown_number(const struct text_line *line, struct text_line *text)
{
    ptrdiff_t at = 0, digits;
    while (at < line->length && at < 4 && line->text[at] == ' ')
        at++;
    digits = at;
    while (at < line->length && line->text[at] >= '0' && line->text[at] <= '9')
        at++;
    if (digits > 3 || at == digits || at - digits > 9 || at >= line->length ||
        (line->text[at] != '.' && line->text[at] != ')'))
        return 0;
    return item_text(line, at + 1, text);
}

char markdown_box(struct text_line *text)
{
    if (text->length < 3 || text->text[0] != '[' || text->text[2] != ']' ||
        (text->length > 3 && text->text[3] != ' ' && text->text[3] != '\t'))
        return 0;
    char box = text->text[1] == 'X' ? 'x' : text->text[1];
    if (box != 'x' && box != ' ')
        return 0;
    *text = line_trim(behind(text, 3));
    return box;
}

bool markdown_rule(const struct text_line *line)
{
    struct text_line plain = line_trim(*line);
    int signs = 0;
    if (!plain.length || !strchr("-*_", plain.text[0]) || markdown_indent(line) > 3)
        return false;
    for (ptrdiff_t i = 0; i < plain.length; i++) {
        if (plain.text[i] == plain.text[0])
            signs++;
        else if (plain.text[i] != ' ' && plain.text[i] != '\t')
            return false;
    }
    return signs >= 3;
}

bool markdown_delimiter(const struct text_line *line)
{
    struct text_line plain = line_trim(*line);
    bool dash = false, bar = false;
    for (ptrdiff_t i = 0; i < plain.length; i++) {
        if (!strchr("|-: \t", plain.text[i]))
            return false;
        dash = dash || plain.text[i] == '-';
        bar = bar || plain.text[i] == '|';
    }
    return dash && bar;
}

bool markdown_quote(const struct text_line *line, struct text_line *text)
{
    struct text_line plain = line_trim(*line);
    if (!plain.length || plain.text[0] != '>' || markdown_indent(line) > 3)
        return false;
    *text = behind(&plain, 1);
    if (text->length && text->text[0] == ' ')
        *text = behind(text, 1);
    return true;
}

bool markdown_cell(struct text_line *line, struct text_line *cell)
{
    if (line->length <= 0)
        return false;
    ptrdiff_t at = 0;
    for (; at < line->length && line->text[at] != '|'; at++)
        if (line->text[at] == '\\' && at + 1 < line->length)
            at++;
    if (at > line->length)
        at = line->length;
    *cell = line_trim((struct text_line){ .text = line->text, .length = at, .number = line->number });
    *line = behind(line, at < line->length ? at + 1 : at);
    return true;
}
