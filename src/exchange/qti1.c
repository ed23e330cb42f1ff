/* QTI 1.2, as the specification, Canvas, Blackboard and Common Cartridge write it. */
#include "qti1.h"

#include <quiztutor/message.h>

#include <math.h>
#include <string.h>
#include <strings.h>

/* ---- texts ---- */

static void add_escaped(struct buffer *out, const char *text, ptrdiff_t length)
{
    for (ptrdiff_t i = 0; i < length; i++) {
        if (text[i] == '<')
            buffer_text(out, "&lt;");
        else if (text[i] == '&')
            buffer_text(out, "&amp;");
        else if (text[i] == '\n')
            buffer_text(out, "<br>");
        else
            buffer_char(out, text[i]);
    }
}

static void add_plain(struct buffer *out, const struct xml_node *node)
{
    for (const struct xml_node *inside = node->in.first; inside; inside = inside->next)
        if (!inside->name)
            add_escaped(out, inside->in.text, inside->more.length);
}

/* A <mattext>: HTML where it says so, or holds elements; else plain. */
static void add_text(struct buffer *out, const struct xml_node *node)
{
    const char *type = xml_attribute(node, "texttype"), *kind = xml_attribute(node, "type");
    bool html = (type && strcasestr(type, "html")) ||
                (xml_is(node, "mat_formattedtext") && !(kind && strcasecmp(kind, "PLAIN_TEXT") == 0));
    if (xml_child(node, NULL))
        xml_html(out, node, NULL, NULL);
    else if (html)
        xml_text(out, node);
    else
        add_plain(out, node);
}

static void add_media(struct buffer *out, const struct xml_node *node, const char *element)
{
    const char *source = xml_attribute(node, "uri");
    buffer_print(out, "<%s src=\"", element);
    add_escaped(out, source ? source : "", source ? (ptrdiff_t)strlen(source) : 0);
    buffer_text(out, strcmp(element, "img") == 0 ? "\">" : "\"></audio>");
}

void qti1_html(struct buffer *out, const struct xml_node *node)
{
    for (const struct xml_node *inside = xml_child(node, NULL); inside; inside = xml_next(inside, NULL)) {
        if (xml_is(inside, "mattext") || xml_is(inside, "mat_formattedtext")) {
            add_text(out, inside);
        } else if (xml_is(inside, "matemtext")) {
            buffer_text(out, "<em>");
            add_text(out, inside);
            buffer_text(out, "</em>");
        } else if (xml_is(inside, "matbreak")) {
            buffer_text(out, "<br>");
        } else if (xml_is(inside, "matimage")) {
            add_media(out, inside, "img");
        } else if (xml_is(inside, "mataudio")) {
            add_media(out, inside, "audio");
        } else if (xml_is(inside, "matvideo")) {
            buffer_text(out, "<video></video>");
        } else if (xml_is(inside, "matapplet") || xml_is(inside, "matapplication")) {
            buffer_text(out, "<iframe></iframe>");
        } else if (strncmp(inside->name, "response_", 9) != 0 && strncmp(inside->name, "render_", 7) != 0) {
            bool block = xml_is(inside, "material") || xml_is(inside, "flow_mat") || xml_is(inside, "flow");
            buffer_text(out, block ? "<div>" : "");
            qti1_html(out, inside);
            buffer_text(out, block ? "</div>" : "");
        }
    }
}

const char *qti1_text(struct qti1_item *item, const struct xml_node *node, enum html_form form)
{
    struct buffer *html = &item->qti->html;
    if (!node)
        return NULL;
    buffer_clear(html);
    qti1_html(html, node);
    return html_text(item->qti->import, buffer_get(html), html->length, form);
}

static const char *text_figure(struct qti1_item *item, const struct xml_node *node, const char **figure)
{
    struct buffer *html = &item->qti->html;
    buffer_clear(html);
    qti1_html(html, node);
    return html_text_figure(item->qti->import, buffer_get(html), html->length, HTML_TEXT, figure);
}

static const struct xml_node *feedback_node(const struct qti1_item *item, const char *ident)
{
    for (const struct xml_node *node = xml_child(item->node, "itemfeedback"); node;
         node = xml_next(node, "itemfeedback")) {
        const char *found = xml_attribute(node, "ident");
        bool hint = xml_child(node, "hint") || xml_child(node, "solution");
        if (found && strcmp(found, ident) == 0 && !hint)
            return node;
    }
    return NULL;
}

const char *qti1_feedback(struct qti1_item *item, const char *ident)
{
    return qti1_text(item, feedback_node(item, ident), HTML_TEXT);
}

void qti1_explain(struct qti1_item *item, const char *ident)
{
    const struct xml_node *node = feedback_node(item, ident);
    const char *figure = NULL, *text = NULL;
    if (node && !item->question.explanation_figure)
        text = text_figure(item, node, &figure);
    else if (node)
        text = qti1_text(item, node, HTML_TEXT);
    qti_explain(item->qti, &item->question, text);
    if (figure)
        item->question.explanation_figure = figure;
}

/* ---- metadata ---- */

/* The value of a field, as Canvas and Common Cartridge keep them; NULL: absent. */
static const char *field(const struct qti1_item *item, const struct xml_node *holder, const char *label)
{
    struct arena *arena = &item->qti->import->arena;
    const struct xml_node *fields = xml_find(holder, "qtimetadata");
    for (const struct xml_node *one = xml_child(fields, "qtimetadatafield"); one;
         one = xml_next(one, "qtimetadatafield")) {
        const char *name = xml_words(arena, xml_child(one, "fieldlabel"));
        if (name && strcmp(name, label) == 0)
            return xml_words(arena, xml_child(one, "fieldentry"));
    }
    return NULL;
}

static const char *element_words(const struct qti1_item *item, const struct xml_node *holder,
                                 const char *name)
{
    const struct xml_node *node = xml_find(holder, name);
    return node ? xml_words(&item->qti->import->arena, node) : NULL;
}

static void read_type(struct qti1_item *item)
{
    const struct xml_node *metadata = xml_child(item->node, "itemmetadata");
    const char *type = field(item, metadata, "question_type");
    type = type ? type : field(item, metadata, "cc_profile");
    type = type ? type : element_words(item, metadata, "bbmd_questiontype");
    type = type ? type : element_words(item, metadata, "qmd_itemtype");
    item->type = type ? type : "";
}

/* The variable that rules set, and its greatest value. */
static void read_outcomes(struct qti1_item *item)
{
    const struct xml_node *outcomes = xml_child(item->processing, "outcomes");
    const struct xml_node *variable = xml_child(outcomes, "decvar");
    item->variable = xml_attribute(variable, "varname");
    item->maximum = qti_number(xml_attribute(variable, "maxvalue"));
    if (!item->variable)
        item->variable = xml_attribute(xml_find(item->processing, "setvar"), "varname");
    if (item->maximum <= 0)
        item->maximum = NAN;
}

static void read_marks(struct qti1_item *item)
{
    const struct xml_node *metadata = xml_child(item->node, "itemmetadata");
    const char *points = field(item, metadata, "points_possible");
    double marks = qti_number(points ? points : field(item, metadata, "cc_weighting"));
    if (isnan(marks))
        marks = qti_number(element_words(item, metadata, "qmd_absolutescore_max"));
    if (isnan(marks) && !isnan(item->maximum)) {
        marks = item->maximum == 100 ? 1 : item->maximum;
        if (item->maximum == 100)
            import_change(item->qti->import, "%s",
                          tr("its 100 points were taken as per cent; it gets 1 mark"));
    }
    if (marks > 0 && marks <= PACK_MARKS)
        item->question.marks = marks;
    else if (points)
        import_change(item->qti->import, "%s", tr("its marks can't be taken over; it gets 1"));
}

/* ---- hints and solutions ---- */

static void read_extras(struct qti1_item *item)
{
    struct arena *arena = &item->qti->import->arena;
    const char **hints = NULL;
    int count = 0, most = 0;
    for (const struct xml_node *node = xml_child(item->node, "itemfeedback"); node;
         node = xml_next(node, "itemfeedback")) {
        qti_explain(item->qti, &item->question, qti1_text(item, xml_child(node, "solution"), HTML_TEXT));
        most += xml_child(node, "hint") != NULL;
    }
    if (most)
        hints = arena_alloc(arena, most * (ptrdiff_t)sizeof *hints);
    for (const struct xml_node *node = xml_child(item->node, "itemfeedback"); node && hints;
         node = xml_next(node, "itemfeedback")) {
        const char *text = qti1_text(item, xml_child(node, "hint"), HTML_TEXT);
        if (text && count < most)
            hints[count++] = text;
    }
    item->qti->import->failed = item->qti->import->failed || (most && !hints);
    item->question.hints = (struct text_list){ hints, count };
}

/* ---- items and sections ---- */

static void find_responses(struct qti1_item *item, const struct xml_node *node)
{
    for (const struct xml_node *inside = xml_child(node, NULL); inside; inside = xml_next(inside, NULL)) {
        if (strncmp(inside->name, "response_", 9) == 0 && !xml_is(inside, "response_label") &&
            !xml_is(inside, "response_na")) {
            if (item->response_count < QTI1_RESPONSES)
                item->responses[item->response_count++] = inside;
        } else {
            find_responses(item, inside);
        }
    }
}

static const char *kept(struct qti *qti, const char *text)
{
    return text ? import_text_line(qti->import, text, (ptrdiff_t)strlen(text)) : NULL;
}

/* Where the question itself stands: Blackboard has a block for it beside those of the answers. */
static const struct xml_node *question_block(const struct xml_node *node)
{
    for (const struct xml_node *inside = xml_child(node, NULL); inside; inside = xml_next(inside, NULL)) {
        const char *class = xml_attribute(inside, "class");
        const struct xml_node *found = class && strcmp(class, "QUESTION_BLOCK") == 0 ? inside : NULL;
        if (!found && xml_is(inside, "flow") && question_block(inside) != inside)
            found = question_block(inside);
        if (found)
            return found;
    }
    return node;
}

static void read_item(struct qti *qti, const struct xml_node *node)
{
    struct qti1_item item = { .qti = qti,
                              .node = node,
                              .presentation = xml_child(node, "presentation"),
                              .processing = xml_child(node, "resprocessing") };
    const char *title = kept(qti, xml_attribute(node, "title"));
    bool stock = title && (strcasecmp(title, "Question") == 0 || !*title); /* what Canvas calls all of them */
    import_open(qti->import, &item.question, qti->name ? 0 : node->line, stock ? NULL : title);
    read_type(&item);
    item.question.prompt = text_figure(&item, question_block(item.presentation), &item.question.figure);
    if (!qti->import->open.name)
        qti->import->open.name = item.question.prompt;
    item.question.id = stock && item.question.prompt ? NULL : kept(qti, xml_attribute(node, "ident"));
    find_responses(&item, item.presentation);
    read_outcomes(&item);
    read_marks(&item);
    read_extras(&item);
    if (!qti1_key(&item))
        return;
    qti_true_false(qti, &item.question);
    qti_drop_ids(qti, &item.question);
    import_take(qti->import, &item.question);
}

/* How many of a section's items are asked; 0: all. */
static int selected(const struct qti *qti, const struct xml_node *section)
{
    const struct xml_node *order = xml_child(section, "selection_ordering");
    const struct xml_node *number = xml_find(order, "selection_number");
    double count = number ? qti_number(xml_words(&qti->import->arena, number)) : NAN;
    return count >= 1 && count < PACK_QUESTIONS ? (int)count : 0;
}

/* What stands above the items of a section. */
static void read_intro(struct qti *qti, const struct xml_node *node, struct section *section)
{
    const struct xml_node *material = xml_child(node, "presentation_material");
    if (!material || !section || section->intro)
        return;
    buffer_clear(&qti->html);
    qti1_html(&qti->html, material);
    section->intro = html_text(qti->import, buffer_get(&qti->html), qti->html.length, HTML_TEXT);
}

static void read_all(struct qti *qti, const struct xml_node *node)
{
    for (const struct xml_node *inside = xml_child(node, NULL); inside; inside = xml_next(inside, NULL)) {
        if (xml_is(inside, "item")) {
            read_item(qti, inside);
        } else if (xml_is(inside, "section")) {
            const char *title = xml_attribute(inside, "title");
            ptrdiff_t before = qti->import->count;
            int pick = selected(qti, inside);
            if ((title && *title) || pick)
                read_intro(qti, inside,
                           import_section(qti->import, title && *title ? title : tr("Questions")));
            read_all(qti, inside);
            struct section *section =
                pick && qti->import->section ? &qti->import->sections[qti->import->section - 1] : NULL;
            if (section && pick < qti->import->count - before)
                section->pick = pick;
        } else if (xml_is(inside, "assessment") || xml_is(inside, "objectbank")) {
            const char *title = kept(qti, xml_attribute(inside, "title"));
            if (title && !qti->import->title)
                qti->import->title = title;
            read_all(qti, inside);
        }
    }
}

void qti1_read(struct qti *qti, const struct xml_node *root)
{
    read_all(qti, root);
}
