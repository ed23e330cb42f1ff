/*
 * Moodle XML: the file, its categories, and what questions of all types have. What elements mean is taken
 * from Moodle's own reader (question/format/xml/format.php): a multichoice without <shuffleanswers> is not
 * shuffled, a text without a format has that of the question's text, answers that are typed are plain text.
 */
#include "moodle_xml_private.h"

#include <quiztutor/message.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool moodle_flag(const struct xml_node *question, const char *name, bool otherwise)
{
    char word[8] = "";
    struct buffer text;
    const struct xml_node *node = xml_child(question, name);
    if (!node)
        return otherwise;
    buffer_init(&text);
    xml_text(&text, node);
    const char *at = buffer_get(&text);
    at += strspn(at, " \t\r\n");
    for (int i = 0; i < 7 && at[i] && !strchr(" \t\r\n", at[i]); i++)
        word[i] = (char)(at[i] >= 'A' && at[i] <= 'Z' ? at[i] + 32 : at[i]);
    buffer_finish(&text);
    if (!word[0])
        return otherwise;
    return strcmp(word, "true") == 0 || strcmp(word, "1") == 0 || strcmp(word, "yes") == 0;
}

double moodle_number(const char *text)
{
    char digits[64];
    size_t length = 0;
    if (!text)
        return NAN;
    text += strspn(text, " \t\r\n");
    for (; text[length] && length < sizeof digits - 1 && strchr("+-0123456789.,eE", text[length]); length++)
        digits[length] = (char)(text[length] == ',' ? '.' : text[length]);
    digits[length] = '\0';
    char *end;
    double value = strtod(digits, &end);
    return length && !*end && !text[length + strspn(text + length, " \t\r\n")] && isfinite(value) ? value
                                                                                                  : NAN;
}

int moodle_count(const struct xml_node *question, const char *name)
{
    int count = 0;
    for (const struct xml_node *node = xml_child(question, name); node; node = xml_next(node, name))
        count++;
    return count;
}

/* ---- texts ---- */

/* The words of an element into moodle->text: those of its <text>, or its own where it has no elements. HTML
 * that was not escaped is written out again. */
static bool fetch(struct moodle *moodle, const struct xml_node *holder)
{
    const struct xml_node *text = xml_child(holder, "text");
    buffer_clear(&moodle->text);
    if (!text)
        text = holder && !xml_child(holder, NULL) ? holder : NULL;
    if (xml_child(text, NULL))
        xml_html(&moodle->text, text, NULL, NULL);
    else if (text)
        xml_text(&moodle->text, text);
    moodle->import->failed = moodle->import->failed || moodle->text.failed;
    return moodle->text.length > 0;
}

/* Newlines as line breaks, as Moodle shows texts in its own format. */
static void break_lines(struct buffer *text)
{
    struct buffer broken;
    buffer_init(&broken);
    const char *at = buffer_get(text);
    at += strspn(at, "\r\n\t ");
    ptrdiff_t length = text->length - (at - buffer_get(text));
    while (length > 0 && strchr("\r\n\t ", at[length - 1]))
        length--;
    for (ptrdiff_t i = 0; i < length; i++) {
        if (at[i] == '\n')
            buffer_text(&broken, "<br>");
        buffer_char(&broken, at[i]);
    }
    buffer_finish(text);
    *text = broken;
}

/* Markdown as light markup: **strong** and __strong__ are *emphasis*, what else it has stays as it is
 * written. */
static const char *from_markdown(struct moodle *moodle, enum html_form form)
{
    struct import *import = moodle->import;
    struct buffer light;
    const char *at = buffer_get(&moodle->text), *kept = NULL;
    import_change(import, "%s", tr("Markdown was taken as light markup"));
    if (!import->markup || (form != HTML_TEXT && form != HTML_LINE))
        return form == HTML_BARE ? import_text_line(import, at, moodle->text.length)
                                 : import_text(import, at, moodle->text.length);
    buffer_init(&light);
    for (; *at; at++) {
        bool strong = (at[0] == '*' && at[1] == '*') || (at[0] == '_' && at[1] == '_');
        buffer_char(&light, strong ? '*' : *at);
        at += strong;
    }
    if (!light.failed)
        kept = import_text(import, buffer_get(&light), light.length);
    import->failed = import->failed || light.failed;
    buffer_finish(&light);
    return kept;
}

static bool is_picture(const char *name)
{
    const char *ending = strrchr(name, '.');
    return ending &&
           (strcmp(ending, ".png") == 0 || strcmp(ending, ".jpg") == 0 || strcmp(ending, ".jpeg") == 0 ||
            strcmp(ending, ".gif") == 0 || strcmp(ending, ".svg") == 0 || strcmp(ending, ".webp") == 0);
}

/* Files that come with a text; pictures are named like those that stand in it, so that each is told once. */
static void see_files(struct moodle *moodle, const struct xml_node *holder)
{
    for (const struct xml_node *file = xml_child(holder, "file"); file; file = xml_next(file, "file")) {
        const char *name = xml_attribute(file, "name");
        name = name && *name ? name : tr("without a name");
        if (is_picture(name))
            import_change(moodle->import, tr("a picture was left out: %.80s"), name);
        else
            import_change(moodle->import, tr("a file was left out: %.80s"), name);
    }
}

const char *moodle_text_figure(struct moodle *moodle, const struct xml_node *holder, enum html_form form,
                               const char **figure)
{
    struct import *import = moodle->import;
    const char *format = xml_attribute(holder, "format");
    *figure = NULL;
    if (!holder || !fetch(moodle, holder)) {
        see_files(moodle, holder);
        return NULL;
    }
    format = format ? format : moodle->format;
    const char *kept;
    if (strcmp(format, "plain_text") == 0)
        kept = form == HTML_BARE ? import_text_line(import, buffer_get(&moodle->text), moodle->text.length)
                                 : import_plain(import, buffer_get(&moodle->text), moodle->text.length);
    else if (strcmp(format, "markdown") == 0)
        kept = from_markdown(moodle, form);
    else {
        if (strcmp(format, "moodle_auto_format") == 0)
            break_lines(&moodle->text);
        kept = html_text_figure(import, buffer_get(&moodle->text), moodle->text.length, form,
                                form == HTML_TEXT ? figure : NULL);
    }
    see_files(moodle, holder);
    return kept;
}

const char *moodle_text(struct moodle *moodle, const struct xml_node *holder, enum html_form form)
{
    const char *figure, *text = moodle_text_figure(moodle, holder, form, &figure);
    if (!figure)
        return text;
    /* the only place for it is within the text: its lines */
    const char *plain = import_plain(moodle->import, figure, (ptrdiff_t)strlen(figure));
    const char *joined = text && plain ? arena_print(&moodle->import->arena, "%s\n\n%s", text, plain) : plain;
    moodle->import->failed = moodle->import->failed || !joined;
    return joined;
}

const char *moodle_plain_lines(struct moodle *moodle, const struct xml_node *holder)
{
    return fetch(moodle, holder) ? import_text(moodle->import, buffer_get(&moodle->text), moodle->text.length)
                                 : NULL;
}

const char *moodle_plain(struct moodle *moodle, const struct xml_node *holder)
{
    return fetch(moodle, holder)
               ? import_text_line(moodle->import, buffer_get(&moodle->text), moodle->text.length)
               : NULL;
}

/* ---- categories ---- */

/* The next name of a path, where // is a slash within it; behind the slash that ends it. */
static const char *path_name(struct buffer *name, const char *path)
{
    buffer_clear(name);
    for (; *path; path++) {
        if (path[0] == '/' && path[1] == '/')
            path++;
        else if (*path == '/')
            return path + 1;
        buffer_char(name, *path);
    }
    return path;
}

/* "$course$/top/A/B" into "A / B". */
static void category_title(struct buffer *title, const char *path)
{
    struct buffer name;
    bool context = false;
    buffer_init(&name);
    for (int place = 0; *path; place++) {
        path = path_name(&name, path);
        const char *word = buffer_get(&name) + strspn(buffer_get(&name), " ");
        while (name.length && name.data[name.length - 1] == ' ')
            name.data[--name.length] = '\0';
        size_t size = strlen(word);
        if (place == 0 && size > 1 && word[0] == '$' && word[size - 1] == '$')
            context = true;
        else if (name.length && !(strcmp(word, "top") == 0 && place == (context ? 1 : 0))) {
            buffer_text(title, title->length ? " / " : "");
            buffer_text(title, word);
        }
    }
    title->failed = title->failed || name.failed;
    buffer_finish(&name);
}

static void read_category(struct moodle *moodle, const struct xml_node *node)
{
    struct import *import = moodle->import;
    struct buffer title;
    const char *path = moodle_plain(moodle, xml_child(node, "category"));
    buffer_init(&title);
    category_title(&title, path ? path : "");
    import->failed = import->failed || title.failed;
    if (title.length || import->section) {
        const char *name = title.length ? buffer_get(&title) : tr("Questions");
        const char *intro = moodle_text(moodle, xml_child(node, "info"), HTML_TEXT);
        struct section *section = import_section(import, name);
        if (section && intro && !section->intro)
            section->intro = intro;
    }
    buffer_finish(&title);
}

/* ---- questions ---- */

static void read_marks(struct moodle *moodle, struct question *question, const struct xml_node *node)
{
    const struct xml_node *grade = xml_child(node, "defaultgrade");
    if (!grade)
        return;
    double marks = moodle_number(xml_words(&moodle->import->arena, grade));
    if (marks > 0 && marks <= PACK_MARKS)
        question->marks = marks;
    else
        import_change(moodle->import, "%s", tr("its marks can't be taken over; it gets 1"));
}

/* Lists of texts: hints, tags. */
static struct text_list read_list(struct moodle *moodle, const struct xml_node *holder, const char *name,
                                  bool plain)
{
    struct text_list list = { NULL, 0 };
    int count = moodle_count(holder, name);
    const char **items = count ? arena_alloc(&moodle->import->arena, count * (ptrdiff_t)sizeof *items) : NULL;
    moodle->import->failed = moodle->import->failed || (count && !items);
    for (const struct xml_node *node = xml_child(holder, name); node && items; node = xml_next(node, name)) {
        const struct xml_node *old = xml_child(node, "hintcontent");
        const char *text =
            plain ? moodle_plain(moodle, node) : moodle_text(moodle, old ? old : node, HTML_TEXT);
        bool known = !text;
        for (int i = 0; i < list.count && i < 100 && !known; i++)
            known = strcmp(items[i], text) == 0;
        if (!known)
            items[list.count++] = text;
    }
    list.items = items;
    return list;
}

static void read_hints(struct moodle *moodle, struct question *question, const struct xml_node *node)
{
    question->hints = read_list(moodle, node, "hint", false);
    const struct xml_node *penalty = xml_child(node, "penalty");
    if (!question->hints.count || !penalty || moodle->penalty_told)
        return;
    double share = moodle_number(xml_words(&moodle->import->arena, penalty));
    if (share > 0) {
        import_change(moodle->import,
                      tr("a try after a hint took %.3g %% off the mark; here hints take nothing (told "
                         "once a file)"),
                      share * 100);
        moodle->penalty_told = true;
    }
}

static void read_question(struct moodle *moodle, const struct xml_node *node, const char *type)
{
    struct import *import = moodle->import;
    struct question question;
    const char *name = moodle_plain(moodle, xml_child(node, "name"));
    import_open(import, &question, node->line, name);
    const struct xml_node *prompt = xml_child(node, "questiontext");
    const char *format = xml_attribute(prompt, "format");
    moodle->format = format ? format : "html";
    question.prompt = moodle_text_figure(moodle, prompt, HTML_TEXT, &question.figure);
    if (!import->open.name)
        import->open.name = question.prompt;
    question.explanation = moodle_text_figure(moodle, xml_child(node, "generalfeedback"), HTML_TEXT,
                                              &question.explanation_figure);
    if (!question.explanation && question.explanation_figure) {
        question.explanation =
            import_plain(import, question.explanation_figure, (ptrdiff_t)strlen(question.explanation_figure));
        question.explanation_figure = NULL;
    }
    question.id = moodle_plain(moodle, xml_child(node, "idnumber"));
    read_marks(moodle, &question, node);
    read_hints(moodle, &question, node);
    question.tags = read_list(moodle, xml_child(node, "tags"), "tag", true);
    if (moodle_flag(node, "hidden", false))
        import_change(import, "%s", tr("it was hidden"));
    if (xml_child(node, "image_base64") ||
        (xml_child(node, "image") && moodle_plain(moodle, xml_child(node, "image"))))
        import_change(import, "%s", tr("a picture was left out"));
    if (moodle_key(moodle, &question, node, type))
        import_take(import, &question);
}

bool moodle_xml_read(struct import *import, const char *bytes, ptrdiff_t length, struct error *error)
{
    struct moodle moodle = { .import = import, .format = "html" };
    const struct xml_node *root;
    struct arena tree;
    arena_init(&tree);
    bool done = xml_parse(&root, &tree, bytes, length, error);
    if (done && !xml_is(root, "quiz")) {
        done = error_set(error, ERROR_INPUT, tr("line %d: Moodle XML begins with <quiz>, this with <%.40s>"),
                         root->line, root->name);
    }
    if (done) {
        bool wide = length > 1 && (!bytes[0] || !bytes[1] || bytes[0] == '\xff' || bytes[0] == '\xfe');
        import->markup = import->markup || wide || html_marks(bytes, length) ||
                         memmem(bytes, (size_t)length, "\"markdown\"", 10) != NULL;
        buffer_init(&moodle.text);
        for (const struct xml_node *node = xml_child(root, "question"); node;
             node = xml_next(node, "question")) {
            const char *type = xml_attribute(node, "type");
            if (type && strcmp(type, "category") == 0)
                read_category(&moodle, node);
            else
                read_question(&moodle, node, type ? type : "");
        }
        buffer_finish(&moodle.text);
    }
    arena_finish(&tree);
    return done;
}
