/* A Markdown file: its headings, and what stands between them. */
#include "markdown.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>

#include <string.h>

struct block {
    struct text_line heading;
    int level;          /* 0: what stands before the first heading */
    ptrdiff_t from, to; /* its lines */
};

struct file {
    struct import *import;
    struct text_line *lines;
    ptrdiff_t count, capacity;
    struct block *blocks;
    ptrdiff_t block_count, block_capacity;
    int ordinal, place; /* of questions: in the file, in the section */
};

/* ---- headings ---- */

static bool add_block(struct file *file, const struct text_line *heading, int level, ptrdiff_t from)
{
    if (!memory_grow(&file->blocks, &file->block_capacity, file->block_count + 1, sizeof *file->blocks)) {
        file->import->failed = true;
        return false;
    }
    file->blocks[file->block_count++] =
        (struct block){ .heading = *heading, .level = level, .from = from, .to = from };
    return true;
}

/* 1 or 2 where the line underlines the one before it. */
static int underline(const struct text_line *line)
{
    struct text_line plain = line_trim(*line);
    if (plain.length < 2 || (plain.text[0] != '=' && plain.text[0] != '-'))
        return 0;
    for (ptrdiff_t i = 1; i < plain.length; i++)
        if (plain.text[i] != plain.text[0])
            return 0;
    return plain.text[0] == '=' ? 1 : 2;
}

/* Whether the line may be a heading that the next one underlines. */
static bool may_be_underlined(const struct file *file, ptrdiff_t at)
{
    const struct text_line *line = &file->lines[at];
    struct text_line text;
    bool apart = at == 0 || markdown_blank(&file->lines[at - 1]);
    text = *line;
    return apart && !markdown_blank(line) && markdown_indent(line) < 4 && !markdown_bullet(line, &text) &&
           !markdown_number(line, &text) && !markdown_quote(line, &text) && !markdown_rule(line) &&
           !memchr(line->text, '|', (size_t)line->length) && !markdown_label(&text);
}

static void find_blocks(struct file *file)
{
    struct text_line none = { "", 0, 1 }, text, open = none;
    bool fenced = false;
    if (!add_block(file, &none, 0, 0))
        return;
    for (ptrdiff_t at = 0; at < file->count && !file->import->failed; at++) {
        const struct text_line *line = &file->lines[at];
        struct block *last = &file->blocks[file->block_count - 1];
        int level = 0;
        if (fenced) {
            fenced = !markdown_fence_ends(line, &open);
        } else if (markdown_fence(line, &text)) {
            fenced = true;
            open = *line;
        } else {
            level = markdown_heading(line, &text);
        }
        last->to = at + 1;
        if (level >= 1 && level <= 3) {
            last->to = at;
            add_block(file, &text, level, at + 1);
        } else if (!fenced && !level && at + 1 < file->count && underline(&file->lines[at + 1]) &&
                   may_be_underlined(file, at)) {
            text = line_trim(*line);
            last->to = at;
            add_block(file, &text, underline(&file->lines[at + 1]), at + 2);
            at++;
        }
    }
}

/* ---- what stands below a title or a section ---- */

/* Takes the lines that are labels out of a block: "Id:", "Language:" of a pack, "Pick:" of a section. */
static void read_block_labels(struct file *file, const struct block *block, struct section *section)
{
    struct import *import = file->import;
    struct number number;
    for (ptrdiff_t at = block->from; at < block->to; at++) {
        struct text_line line = file->lines[at];
        enum markdown_label label = markdown_label(&line);
        ptrdiff_t fence = markdown_skip_fence(file->lines, at, block->to);
        if (fence > at)
            at = fence - 1;
        if (label == LABEL_NONE)
            continue;
        const char *value = markdown_plain(import, line.text, line.length, true);
        bool known = false;
        if (section && label == LABEL_PICK && value &&
            number_read(&number, value, (ptrdiff_t)strlen(value), false) == NUMBER_FINE &&
            number.value >= 1 && number.value <= PACK_QUESTIONS && number.value == (int)number.value) {
            section->pick = (int)number.value;
            known = true;
        } else if (!section && value && label == LABEL_ID) {
            import->id = import->id ? import->id : value;
            known = true;
        } else if (!section && value && label == LABEL_LANGUAGE) {
            import->language = import->language ? import->language : value;
            known = true;
        }
        if (known)
            file->lines[at].length = 0;
    }
}

/* Its paragraphs as one text; NULL where it has none. */
static const char *block_text(struct file *file, const struct block *block, const char **figure)
{
    struct import *import = file->import;
    struct buffer text;
    buffer_init(&text);
    markdown_flow(import, &text, file->lines + block->from, block->to - block->from,
                  figure ? MARKDOWN_MARKED : MARKDOWN_PLAIN, figure);
    const char *kept = text.length ? import_text(import, text.data, text.length) : NULL;
    buffer_finish(&text);
    return kept;
}

/* Notes something of the file that is not of a question. */
static void tell(struct file *file, const struct text_line *line, const char *why)
{
    struct question none;
    const char *name = arena_text(&file->import->arena, line->text, line->length);
    import_open(file->import, &none, line->number, name);
    import_leave_out(file->import, "%s", why);
}

static void read_title(struct file *file, const struct block *block)
{
    struct import *import = file->import;
    const char *title = markdown_plain(import, block->heading.text, block->heading.length, true);
    if (!import->title)
        import->title = title;
    read_block_labels(file, block, NULL);
    const char *description = block_text(file, block, NULL);
    if (!import->description)
        import->description = description;
}

static void read_section(struct file *file, const struct block *block)
{
    struct import *import = file->import;
    const char *title = markdown_plain(import, block->heading.text, block->heading.length, true);
    const char *figure = NULL;
    struct question none;
    struct section *section = import_section(import, title ? title : "");
    file->place = 0;
    if (!section)
        return;
    import_open(import, &none, block->heading.number, title); /* changes of the intro are noted of it */
    read_block_labels(file, block, section);
    const char *intro = block_text(file, block, &figure);
    if (intro)
        section->intro = intro;
    if (figure)
        section->intro_figure = figure;
    if (import->too_long)
        import_change(import, "%s", tr("the end of a text that is longer than 64 KiB"));
    if (import->changes.length) {
        const char *changes = arena_text(&import->arena, import->changes.data, import->changes.length);
        import->failed = import->failed || !changes;
        import_leave_out(import, tr("of the section's intro: %s"), changes ? changes : "");
    }
    import->opened = false;
}

/* "---", then lines "key: value", then "---": what other programs keep before a text. */
static void skip_front_matter(struct file *file, struct block *block)
{
    struct text_line plain;
    if (block->to == 0)
        return;
    plain = line_trim(file->lines[0]);
    if (plain.length != 3 || memcmp(plain.text, "---", 3) != 0)
        return;
    for (ptrdiff_t at = 1; at < block->to; at++) {
        plain = line_trim(file->lines[at]);
        if (plain.length == 3 && memcmp(plain.text, "---", 3) == 0) {
            tell(
                file, &file->lines[0],
                tr("the lines between --- and --- are left out: a line \"# Title\" names the pack, \"Id: …\" "
                   "and \"Language: …\" below it say the rest"));
            block->from = at + 1;
            return;
        }
    }
}

/* What stands before the first heading belongs to no question. */
static void read_lead(struct file *file, struct block *block)
{
    skip_front_matter(file, block);
    for (ptrdiff_t at = block->from; at < block->to; at++) {
        struct text_line line = line_trim(file->lines[at]);
        if (!line.length || markdown_rule(&line))
            continue;
        if (line_word(line.text, line.length, "<!--") && memmem(line.text, (size_t)line.length, "-->", 3))
            continue;
        tell(file, &line,
             tr("what stands before the first heading is left out; a question begins with \"### \""));
        return;
    }
}

/* ---- the file ---- */

static bool is_question(const struct file *file, const struct block *block)
{
    const struct text_line *lines =
        file->lines ? file->lines + block->from : NULL; /* an empty file has none */
    return block->level == 3 || (block->level == 2 && markdown_has_key(lines, block->to - block->from));
}

/* A section is made by its questions: what stands in one that has none would be lost unsaid. */
static bool is_lost(const struct file *file, const struct block *block)
{
    if (block + 1 < file->blocks + file->block_count && is_question(file, block + 1))
        return false;
    for (ptrdiff_t at = block->from; at < block->to; at++)
        if (!markdown_blank(&file->lines[at]))
            return true;
    return false;
}

static void read_block(struct file *file, struct block *block, bool first)
{
    ptrdiff_t count = block->to - block->from;
    bool question = is_question(file, block);
    if (block->level == 0)
        read_lead(file, block);
    else if (question)
        markdown_question(file->import, &block->heading, file->lines + block->from, count, ++file->ordinal,
                          ++file->place);
    else if (block->level == 1 && first)
        read_title(file, block);
    else if (is_lost(file, block))
        tell(file, &block->heading,
             tr("a section without a question is left out; a question begins with \"### \""));
    else
        read_section(file, block);
}

static bool keep_lines(struct file *file, const char *bytes, ptrdiff_t length)
{
    struct line_reader reader;
    struct text_line line;
    line_reader_init(&reader, bytes, length);
    while (line_reader_next(&reader, &line)) {
        if (!memory_grow(&file->lines, &file->capacity, file->count + 1, sizeof *file->lines))
            return false;
        file->lines[file->count++] = line;
    }
    return true;
}

bool markdown_read(struct import *import, const char *bytes, ptrdiff_t length, struct error *error)
{
    struct file file = { .import = import };
    bool titled = false;
    if (!exchange_check_text(&bytes, &length, error))
        return false;
    import->markup = import->markup || markdown_marks(bytes, length);
    import->failed = import->failed || !keep_lines(&file, bytes, length);
    if (!import->failed)
        find_blocks(&file);
    for (ptrdiff_t i = 0; i < file.block_count && !import->failed; i++) {
        read_block(&file, &file.blocks[i], !titled);
        titled = titled || file.blocks[i].level == 1;
    }
    memory_free(file.blocks);
    memory_free(file.lines);
    return !import->failed || error_memory(error);
}

bool markdown_recognise(const char *bytes, ptrdiff_t length)
{
    struct line_reader lines;
    struct text_line line, text;
    bool heading = false;
    if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        bytes += 3;
        length -= 3;
    }
    line_reader_init(&lines, bytes, length < EXCHANGE_LOOK ? length : EXCHANGE_LOOK);
    while (line_reader_next(&lines, &line)) {
        struct text_line label = line;
        heading = heading || markdown_heading(&line, &text) > 0;
        bool box = markdown_bullet(&line, &text) && markdown_box(&text);
        enum markdown_label found = heading ? markdown_label(&label) : LABEL_NONE;
        if (heading && (box || found != LABEL_NONE || markdown_delimiter(&line)))
            return true;
    }
    return false;
}
