/* QTI of any version: which it is, what names it has, tests and manifests of packages. */
#include "qti_private.h"

#include "qti_package.h"

#include <quiztutor/message.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool qti_leave(struct qti *qti, const char *why)
{
    import_leave_out(qti->import, "%s", why);
    return false;
}

bool qti_no_memory(struct qti *qti)
{
    qti->import->failed = true;
    return false;
}

/* ---- names ---- */

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

/* Whether "qti-simple-choice" or "simpleChoice" is the name "simpleChoice". */
static bool same_name(const char *found, const char *name)
{
    if (strncmp(found, "qti-", 4) == 0)
        found += 4;
    for (;; found++, name++) {
        while (*found == '-')
            found++;
        if (lower(*found) != lower(*name))
            return false;
        if (!*found)
            return true;
    }
}

bool qti_is(const struct xml_node *node, const char *name)
{
    return node && node->name && same_name(node->name, name);
}

static const struct xml_node *from(const struct xml_node *node, const char *name)
{
    while (node && !qti_is(node, name))
        node = xml_next(node, NULL);
    return node;
}

const struct xml_node *qti_child(const struct xml_node *node, const char *name)
{
    return from(xml_child(node, NULL), name);
}

const struct xml_node *qti_next(const struct xml_node *node, const char *name)
{
    return from(xml_next(node, NULL), name);
}

const struct xml_node *qti_find(const struct xml_node *top, const char *name)
{
    for (const struct xml_node *node = xml_child(top, NULL); node; node = xml_next(node, NULL)) {
        const struct xml_node *found = qti_is(node, name) ? node : qti_find(node, name);
        if (found)
            return found;
    }
    return NULL;
}

const char *qti_attribute(const struct xml_node *node, const char *name)
{
    if (!node || !node->name || !node->more.attributes)
        return NULL;
    for (const struct xml_attribute *attribute = node->more.attributes; attribute->name; attribute++)
        if (same_name(attribute->name, name))
            return attribute->value;
    return NULL;
}

void qti_plain_name(char name[static 64], const struct xml_node *node)
{
    const char *at = node->name;
    int length = 0;
    if (strncmp(at, "qti-", 4) == 0)
        at += 4;
    for (; *at && length < 63; at++)
        if (*at != '-')
            name[length++] = lower(*at);
    name[length] = '\0';
}

double qti_number(const char *text)
{
    char digits[64], *end;
    if (!text)
        return NAN;
    text += strspn(text, " \t\r\n");
    size_t length = strspn(text, "+-0123456789.eE");
    if (length == 0 || length >= sizeof digits || text[length + strspn(text + length, " \t\r\n")])
        return NAN;
    memcpy(digits, text, length);
    digits[length] = '\0';
    double value = strtod(digits, &end);
    return *end || !isfinite(value) ? NAN : value;
}

/* ---- choices ---- */

void qti_pins(struct qti *qti, struct question *question, struct choice *choices,
              const struct qti_choice *known, int count)
{
    int leading = 0, trailing = count, inside = 0;
    while (leading < count && known[leading].fixed)
        leading++;
    while (trailing > leading && known[trailing - 1].fixed)
        trailing--;
    if (leading == count) /* all of them: half stand first, half last */
        leading = trailing = count / 2;
    for (int i = 0; i < count; i++) {
        choices[i].pin = i < leading ? PIN_FIRST : i >= trailing ? PIN_LAST : PIN_NONE;
        inside += i >= leading && i < trailing && known[i].fixed;
    }
    if (inside && question->shuffle)
        import_change(qti->import, "%s",
                      tr("a choice in the middle kept its place; here it is shuffled with the others"));
}

static bool says(const struct choice *choice, const char *word)
{
    const char *id = choice->id, *text = choice->text ? choice->text : "";
    return (id && strcasecmp(id, word) == 0) || strcasecmp(text, word) == 0;
}

void qti_true_false(struct qti *qti, struct question *question)
{
    if (question->type != QUESTION_SINGLE_CHOICE || question->key.choices.count != 2)
        return;
    const struct choice *items = question->key.choices.items;
    int truth = says(&items[0], "true") && says(&items[1], "false")   ? 0
                : says(&items[1], "true") && says(&items[0], "false") ? 1
                                                                      : -1;
    if (truth < 0)
        return;
    const struct choice *right = &items[items[0].correct ? 0 : 1], *wrong = &items[items[0].correct ? 1 : 0];
    const char *told = right->feedback;
    question->type = QUESTION_TRUE_FALSE;
    question->feedback = wrong->feedback;
    question->marking = MARKING_ALL_OR_NOTHING;
    question->shuffle = true;
    question->key.truth = items[truth].correct;
    if (told) {
        import_change(qti->import, "%s", tr("feedback of a right answer stands in the explanation"));
        qti_explain(qti, question, told);
    }
}

void qti_drop_ids(struct qti *qti, struct question *question)
{
    if (question->type != QUESTION_SINGLE_CHOICE && question->type != QUESTION_MULTIPLE_CHOICE)
        return;
    ptrdiff_t count = question->key.choices.count;
    struct choice *choices = arena_alloc(&qti->import->arena, (count + 1) * (ptrdiff_t)sizeof *choices);
    if (!choices) {
        qti->import->failed = true;
        return;
    }
    memcpy(choices, question->key.choices.items, (size_t)count * sizeof *choices);
    for (ptrdiff_t i = 0; i < count; i++)
        choices[i].id = NULL;
    question->key.choices.items = choices;
}

void qti_explain(struct qti *qti, struct question *question, const char *text)
{
    if (!text || (question->explanation && strstr(question->explanation, text)))
        return;
    question->explanation = question->explanation
                                ? arena_print(&qti->import->arena, "%s\n\n%s", question->explanation, text)
                                : text;
    qti->import->failed = qti->import->failed || !question->explanation;
}

/* ---- documents ---- */

/* Items that stand in the document itself; those of a test are files of their own, which a package has. */
static int read_items(struct qti *qti, const struct xml_node *node)
{
    int count = 0;
    for (const struct xml_node *inside = xml_child(node, NULL); inside; inside = xml_next(inside, NULL)) {
        if (qti_is(inside, "assessmentItem")) {
            qti2_read_item(qti, inside);
            count++;
        } else {
            count += read_items(qti, inside);
        }
    }
    return count;
}

static bool read_root(struct qti *qti, const struct xml_node *root, struct error *error)
{
    if (qti_is(root, "questestinterop")) {
        qti1_read(qti, root);
    } else if (qti_is(root, "assessmentItem")) {
        qti2_read_item(qti, root);
    } else if (read_items(qti, root) == 0) {
        if (qti_is(root, "assessmentTest") || qti_is(root, "manifest"))
            return error_set(
                error, ERROR_INPUT, "%s",
                tr("it only names items that are files of their own; import the package (.zip) that holds "
                   "them"));
        return error_set(error, ERROR_INPUT, tr("line %d: <%.40s> is no QTI"), root->line, root->name);
    }
    return true;
}

bool qti_read_document(struct import *import, const char *bytes, ptrdiff_t length, const char *name,
                       struct error *error)
{
    struct qti qti = { .import = import, .name = name };
    const struct xml_node *root;
    struct arena tree;
    arena_init(&tree);
    buffer_init(&qti.html);
    bool done = xml_parse(&root, &tree, bytes, length, error) && read_root(&qti, root, error);
    import->failed = import->failed || qti.html.failed;
    buffer_finish(&qti.html);
    arena_finish(&tree);
    if (!done && name)
        error_prefix(error, name);
    return done;
}

/* ---- what packages name ---- */

/* "%20" and "\" of an address resolved. In the arena. */
static const char *file_name(struct arena *arena, const char *href)
{
    char *name = arena_text(arena, href, (ptrdiff_t)strlen(href)), *to = name;
    for (const char *at = href; name && *at; at++) {
        char digits[3] = { at[0] == '%' ? at[1] : '\0', at[0] == '%' && at[1] ? at[2] : '\0', '\0' }, *end;
        long code = digits[0] && digits[1] ? strtol(digits, &end, 16) : 0;
        if (code > 0 && !*end) {
            *to++ = (char)code;
            at += 2;
        } else {
            *to++ = *at == '\\' ? '/' : *at;
        }
    }
    if (name)
        *to = '\0';
    return name;
}

/* Types of resources that hold items or tests: imsqti_item_xmlv2p1, imsqti_xmlv1p2, imsqti_test_xmlv3p0. */
static bool holds_items(const char *type)
{
    return strstr(type, "imsqti") != NULL || strcmp(type, "assessment/x-bb-qti-test") == 0 ||
           strcmp(type, "assessment/x-bb-qti-pool") == 0;
}

bool qti_manifest(const char *bytes, ptrdiff_t length, qti_visit *visit, void *context, struct error *error)
{
    const struct xml_node *root;
    struct arena tree;
    arena_init(&tree);
    bool done = xml_parse(&root, &tree, bytes, length, error);
    const struct xml_node *resources = done ? xml_find(root, "resources") : NULL;
    for (const struct xml_node *one = xml_child(resources, "resource"); one && done;
         one = xml_next(one, "resource")) {
        const char *type = xml_attribute(one, "type"), *href = xml_attribute(one, "href");
        if (!href)
            href = xml_attribute(one, "file"); /* Blackboard */
        if (!href)
            href = xml_attribute(xml_child(one, "file"), "href");
        if (!type || !href || !holds_items(type))
            continue;
        const char *name = file_name(&tree, href);
        if (!name)
            done = error_memory(error);
        else if (!visit(context, name, type, NULL))
            break;
    }
    arena_finish(&tree);
    return done;
}

static bool visit_section(const struct xml_node *node, const char *title, qti_visit *visit, void *context,
                          struct arena *tree)
{
    for (const struct xml_node *inside = xml_child(node, NULL); inside; inside = xml_next(inside, NULL)) {
        const char *href = qti_is(inside, "assessmentItemRef") ? qti_attribute(inside, "href") : NULL;
        const char *name = href ? file_name(tree, href) : NULL;
        const char *own = qti_is(inside, "assessmentSection") ? qti_attribute(inside, "title") : NULL;
        if (name && !visit(context, name, "imsqti_item", title))
            return false;
        if (!href && !visit_section(inside, own && *own ? own : title, visit, context, tree))
            return false;
    }
    return true;
}

bool qti_test(const char *bytes, ptrdiff_t length, qti_visit *visit, void *context, struct error *error)
{
    const struct xml_node *root;
    struct arena tree;
    arena_init(&tree);
    bool done = xml_parse(&root, &tree, bytes, length, error);
    if (done)
        visit_section(root, NULL, visit, context, &tree);
    arena_finish(&tree);
    return done;
}

bool qti_read(struct import *import, const char *bytes, ptrdiff_t length, struct error *error)
{
#ifdef WITH_ZIP
    if (qti_package_is(bytes, length))
        return qti_package_read(import, bytes, length, error);
#endif
    bool wide = length > 1 && (!bytes[0] || !bytes[1] || bytes[0] == '\xff' || bytes[0] == '\xfe');
    import->markup = import->markup || wide || html_marks(bytes, length);
    return qti_read_document(import, bytes, length, NULL, error);
}

enum exchange_format qti_look(const char *bytes, ptrdiff_t length)
{
    return qti30_recognise(bytes, length)   ? EXCHANGE_QTI30
           : qti21_recognise(bytes, length) ? EXCHANGE_QTI21
           : qti12_recognise(bytes, length) ? EXCHANGE_QTI12
                                            : EXCHANGE_FORMATS;
}
