/* What each type of question has in Moodle XML, made a pack's answer key. */
#include "moodle_xml_private.h"

#include <quiztutor/message.h>

#include <math.h>
#include <string.h>

static bool no_memory(struct moodle *moodle)
{
    moodle->import->failed = true;
    return false;
}

/* The share of the mark in per cent that an answer gives or takes. */
static double fraction(const struct xml_node *answer)
{
    double share = moodle_number(xml_attribute(answer, "fraction"));
    return isnan(share) ? 0 : share;
}

/* ---- feedback on the answer as a whole ---- */

/* What Moodle puts there by itself, in the languages met most: nobody wrote it for this question. */
static bool is_stock(const char *text)
{
    static const char *const stock[] = {
        "Your answer is correct.",
        "Your answer is partially correct.",
        "Your answer is incorrect.",
        "Correct",
        "Incorrect",
        "Partially correct",
        "Die Antwort ist richtig.",
        "Die Antwort ist teilweise richtig.",
        "Die Antwort ist falsch.",
        "Votre réponse est correcte.",
        "Votre réponse est partiellement correcte.",
        "Votre réponse est incorrecte.",
        "Respuesta correcta",
        "Respuesta parcialmente correcta.",
        "Respuesta incorrecta.",
        "Respuesta correcta.",
        "Risposta corretta.",
        "Risposta parzialmente esatta.",
        "Risposta errata.",
    };
    for (size_t i = 0; i < sizeof stock / sizeof *stock; i++)
        if (strcmp(stock[i], text) == 0)
            return true;
    return false;
}

/* Feedback to right, partly right and wrong answers: orders and matches have a place for the last. */
static void read_feedback(struct moodle *moodle, struct question *question, const struct xml_node *node,
                          bool place)
{
    static const char *const names[] = { "incorrectfeedback", "partiallycorrectfeedback", "correctfeedback" };
    for (int i = 0; i < 3; i++) {
        const char *text = moodle_text(moodle, xml_child(node, names[i]), HTML_TEXT);
        if (!text || is_stock(text) || (question->feedback && strcmp(text, question->feedback) == 0))
            continue;
        if (place && i == 0)
            question->feedback = text;
        else
            import_change(moodle->import, "%s",
                          i == 0   ? tr("feedback to any wrong answer was left out")
                          : i == 1 ? tr("feedback to partly right answers was left out")
                                   : tr("feedback to right answers was left out"));
    }
}

/* What is told to who was right joins the explanation, which everybody reads. */
static void join_explanation(struct moodle *moodle, struct question *question, const char *text)
{
    if (!text || is_stock(text))
        return;
    if (question->explanation && strcmp(question->explanation, text) != 0) {
        question->explanation = arena_print(&moodle->import->arena, "%s\n\n%s", text, question->explanation);
        moodle->import->failed = moodle->import->failed || !question->explanation;
        import_change(moodle->import, "%s", tr("feedback of a right answer stands in the explanation"));
    } else {
        question->explanation = text;
    }
}

/* ---- types ---- */

static bool read_multichoice(struct moodle *moodle, struct question *question, const struct xml_node *node)
{
    struct import *import = moodle->import;
    bool single = moodle_flag(node, "single", true);
    int count = moodle_count(node, "answer"), at = 0;
    struct choice *choices = arena_alloc(&import->arena, (count + 1) * (ptrdiff_t)sizeof *choices);
    double *shares = arena_alloc(&import->arena, (count + 1) * (ptrdiff_t)sizeof *shares);
    if (!choices || !shares)
        return no_memory(moodle);
    if (count > PACK_CHOICES) {
        import_leave_out(import, tr("it has more than %d choices"), PACK_CHOICES);
        return false;
    }
    for (const struct xml_node *answer = xml_child(node, "answer"); answer;
         answer = xml_next(answer, "answer")) {
        choices[at].text = moodle_text(moodle, answer, HTML_TEXT);
        choices[at].feedback = moodle_text(moodle, xml_child(answer, "feedback"), HTML_TEXT);
        shares[at++] = fraction(answer);
    }
    question->shuffle = moodle_flag(node, "shuffleanswers", false);
    read_feedback(moodle, question, node, false);
    return import_choices(import, question, choices, shares, count, single);
}

/* The plug-in for multiple choice that is marked all or nothing: each right answer has 100. */
static bool read_all_or_nothing(struct moodle *moodle, struct question *question, const struct xml_node *node)
{
    struct import *import = moodle->import;
    int count = moodle_count(node, "answer"), right = 0, at = 0;
    struct choice *choices = arena_alloc(&import->arena, (count + 1) * (ptrdiff_t)sizeof *choices);
    if (!choices)
        return no_memory(moodle);
    for (const struct xml_node *answer = xml_child(node, "answer"); answer;
         answer = xml_next(answer, "answer"), at++) {
        choices[at].text = moodle_text(moodle, answer, HTML_TEXT);
        choices[at].feedback = moodle_text(moodle, xml_child(answer, "feedback"), HTML_TEXT);
        choices[at].correct = fraction(answer) > 0;
        right += choices[at].correct;
    }
    question->type = QUESTION_MULTIPLE_CHOICE;
    question->key.choices.items = choices;
    question->key.choices.count = count;
    question->key.choices.correct = right;
    question->shuffle = moodle_flag(node, "shuffleanswers", false);
    read_feedback(moodle, question, node, false);
    return true;
}

static bool read_true_false(struct moodle *moodle, struct question *question, const struct xml_node *node)
{
    struct import *import = moodle->import;
    const struct xml_node *sides[2] = { NULL, NULL }; /* false, true */
    bool placed = false;
    for (const struct xml_node *answer = xml_child(node, "answer"); answer;
         answer = xml_next(answer, "answer")) {
        const char *text = moodle_plain(moodle, answer);
        bool known = text && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0);
        bool truth = known ? strcmp(text, "true") == 0 : !sides[1];
        placed = placed || !known;
        sides[truth] = answer;
    }
    if (!sides[0] && !sides[1]) {
        import_leave_out(import, "%s", tr("it says neither that it is true nor that it is false"));
        return false;
    }
    double of_true = sides[1] ? fraction(sides[1]) : -1, of_false = sides[0] ? fraction(sides[0]) : -1;
    if ((of_true > 0) == (of_false > 0)) {
        import_leave_out(import, "%s", tr("true and false are both right, or both wrong"));
        return false;
    }
    if (placed)
        import_change(import, "%s",
                      tr("its answers are not called true and false; the first one was taken as true"));
    question->type = QUESTION_TRUE_FALSE;
    question->key.truth = of_true > 0;
    question->feedback = moodle_text(moodle, xml_child(sides[!question->key.truth], "feedback"), HTML_TEXT);
    join_explanation(moodle, question,
                     moodle_text(moodle, xml_child(sides[question->key.truth], "feedback"), HTML_TEXT));
    return true;
}

/* "\*" is a star; false where a star stands for any text within an answer. */
static bool resolve_stars(struct moodle *moodle, const char **text)
{
    if (!*text || strcmp(*text, "*") == 0 || !strchr(*text, '*'))
        return true;
    char *copy = arena_text(&moodle->import->arena, *text, (ptrdiff_t)strlen(*text)), *to = copy;
    if (!copy)
        return no_memory(moodle);
    for (const char *at = *text; *at; at++) {
        if (*at == '*')
            return false;
        if (at[0] == '\\' && at[1] == '*')
            at++;
        *to++ = *at;
    }
    *to = '\0';
    *text = copy;
    return true;
}

static bool read_short_answer(struct moodle *moodle, struct question *question, const struct xml_node *node)
{
    struct import *import = moodle->import;
    int count = 0, right = 0, wild = 0;
    struct import_answer *answers =
        arena_alloc(&import->arena, (moodle_count(node, "answer") + 1) * (ptrdiff_t)sizeof *answers);
    if (!answers)
        return no_memory(moodle);
    for (const struct xml_node *answer = xml_child(node, "answer"); answer;
         answer = xml_next(answer, "answer")) {
        const char *text = moodle_plain(moodle, answer);
        double share = fraction(answer);
        if (!text)
            continue;
        bool exact = text[0] == '\\'; /* "\*" */
        if (!resolve_stars(moodle, &text)) {
            import_change(
                import, tr("\"%.60s\" has a * for any text, which a pack can't hold; it was left out"), text);
            wild += share > 99.9;
            continue;
        }
        const char *feedback = moodle_text(moodle, xml_child(answer, "feedback"), HTML_TEXT);
        answers[count++] =
            (struct import_answer){ .text = text, .share = share, .feedback = feedback, .exact = exact };
        right += share > 99.9;
    }
    if (!right) {
        import_leave_out(import, "%s",
                         wild ? tr("all its right answers have a * for any text, which a pack can't hold")
                              : tr("no answer gives the full mark"));
        return false;
    }
    return import_texts(import, question, answers, count, moodle_flag(node, "usecase", false));
}

static void read_units(struct moodle *moodle, struct question *question, const struct xml_node *node)
{
    struct import *import = moodle->import;
    const struct xml_node *units = xml_child(node, "units");
    for (const struct xml_node *unit = xml_child(units, "unit"); unit; unit = xml_next(unit, "unit")) {
        const char *name = moodle_plain(moodle, xml_child(unit, "unit_name"));
        const struct xml_node *multiplier = xml_child(unit, "multiplier");
        double factor = multiplier ? moodle_number(xml_words(&import->arena, multiplier)) : 1;
        if (factor == 1 && name && !question->key.number.unit)
            question->key.number.unit = name;
        else if (name)
            import_change(import, tr("the unit \"%.40s\" was left out"), name);
    }
    const struct xml_node *grading = xml_child(node, "unitgradingtype");
    double graded = grading ? moodle_number(xml_words(&import->arena, grading)) : 0;
    if (graded > 0)
        import_change(import, "%s", tr("the unit was marked; here it is accepted, not required"));
}

static bool read_numerical(struct moodle *moodle, struct question *question, const struct xml_node *node)
{
    struct import *import = moodle->import;
    int count = 0;
    struct import_answer *answers =
        arena_alloc(&import->arena, (moodle_count(node, "answer") + 1) * (ptrdiff_t)sizeof *answers);
    if (!answers)
        return no_memory(moodle);
    for (const struct xml_node *answer = xml_child(node, "answer"); answer;
         answer = xml_next(answer, "answer")) {
        const struct xml_node *text = xml_child(answer, "text"), *tolerance = xml_child(answer, "tolerance");
        const char *written = xml_words(&import->arena, text);
        double width = tolerance ? moodle_number(xml_words(&import->arena, tolerance)) : 0;
        answers[count++] = (struct import_answer){
            .text = written && *written ? written : "*",
            .share = fraction(answer),
            .feedback = moodle_text(moodle, xml_child(answer, "feedback"), HTML_TEXT),
            .tolerance = width > 0 ? width : 0,
        };
        if (isnan(width))
            import_change(import, "%s", tr("a tolerance that is no number was left out"));
    }
    if (!import_numbers(import, question, answers, count))
        return false;
    read_units(moodle, question, node);
    return true;
}

static bool read_matching(struct moodle *moodle, struct question *question, const struct xml_node *node)
{
    struct import *import = moodle->import;
    int count = moodle_count(node, "subquestion"), pairs = 0, extra = 0;
    const char **texts = arena_alloc(&import->arena, 3 * (count + 1) * (ptrdiff_t)sizeof *texts);
    if (!texts)
        return no_memory(moodle);
    const char **lefts = texts, **rights = texts + count + 1, **more = rights + count + 1;
    for (const struct xml_node *one = xml_child(node, "subquestion"); one;
         one = xml_next(one, "subquestion")) {
        const char *left = moodle_text(moodle, one, HTML_CARD);
        const char *right = moodle_plain_lines(moodle, xml_child(one, "answer"));
        if (left) {
            lefts[pairs] = left;
            rights[pairs++] = right;
        } else if (right) {
            more[extra++] = right;
        }
    }
    question->marking = MARKING_NET_CORRECT; /* a share for each pair, as Moodle gives */
    if (!moodle_flag(node, "shuffleanswers", true))
        import_change(import, "%s", tr("its answers were not shuffled; here they are"));
    read_feedback(moodle, question, node, true);
    return import_pairs(import, question, lefts, rights, pairs, more, extra);
}

/* How an order is marked (qtype_ordering). */
static void read_grading(struct moodle *moodle, struct question *question, const struct xml_node *node)
{
    static const struct {
        const char *name;
        enum marking_rule rule;
    } rules[] = {
        { "ALL_OR_NOTHING", MARKING_ALL_OR_NOTHING },
        { "-1", MARKING_ALL_OR_NOTHING },
        { "ABSOLUTE_POSITION", MARKING_EACH_DECISION },
        { "ABSOLUTE", MARKING_EACH_DECISION },
        { "0", MARKING_EACH_DECISION },
        { "RELATIVE_NEXT_EXCLUDE_LAST", MARKING_NET_CORRECT },
        { "RELATIVE", MARKING_NET_CORRECT },
        { "1", MARKING_NET_CORRECT },
    };
    const struct xml_node *grading = xml_child(node, "gradingtype");
    const char *name = grading ? xml_words(&moodle->import->arena, grading) : "RELATIVE";
    question->marking = MARKING_NET_CORRECT;
    for (size_t i = 0; name && i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].name, name) == 0) {
            question->marking = rules[i].rule;
            return;
        }
    import_change(moodle->import,
                  tr("marked by %.40s there; here by pairs that stand next to each other (net-correct)"),
                  name ? name : "");
}

static bool read_ordering(struct moodle *moodle, struct question *question, const struct xml_node *node)
{
    struct import *import = moodle->import;
    int count = 0;
    const char **items =
        arena_alloc(&import->arena, (moodle_count(node, "answer") + 1) * (ptrdiff_t)sizeof *items);
    if (!items)
        return no_memory(moodle);
    for (const struct xml_node *answer = xml_child(node, "answer"); answer;
         answer = xml_next(answer, "answer")) {
        const char *text = moodle_text(moodle, answer, HTML_CARD);
        if (text)
            items[count++] = text;
    }
    question->type = QUESTION_ORDER;
    question->key.order = (struct text_list){ items, count };
    read_grading(moodle, question, node);
    const struct xml_node *select = xml_child(node, "selecttype"), *some = xml_child(node, "selectcount");
    const char *kind = select ? xml_words(&import->arena, select) : "ALL";
    double asked = some ? moodle_number(xml_words(&import->arena, some)) : 0;
    if (kind && strcmp(kind, "ALL") != 0 && strcmp(kind, "0") != 0 && asked > 0 && asked < count)
        import_change(import, tr("%g of its items were asked at a time; here all are"), asked);
    read_feedback(moodle, question, node, true);
    return true;
}

/* ---- by type ---- */

static const struct {
    const char *name;
    bool (*read)(struct moodle *moodle, struct question *question, const struct xml_node *node);
    const char *why; /* N_(): it has no place in a pack */
} types[] = {
    { "multichoice", read_multichoice, NULL },
    { "multichoiceset", read_all_or_nothing, NULL },
    { "truefalse", read_true_false, NULL },
    { "shortanswer", read_short_answer, NULL },
    { "numerical", read_numerical, NULL },
    { "matching", read_matching, NULL },
    { "match", read_matching, NULL },
    { "ordering", read_ordering, NULL },
    { "essay", NULL, N_("an essay can't be marked by a program") },
    { "description", NULL, N_("a description asks nothing") },
    { "cloze", NULL, N_("gaps within a text (cloze) have no counterpart; write a question for each gap") },
    { "multianswer", NULL,
      N_("gaps within a text (cloze) have no counterpart; write a question for each gap") },
    { "gapselect", NULL, N_("gaps within a text have no counterpart; write a question for each gap") },
    { "ddwtos", NULL, N_("gaps within a text have no counterpart; write a question for each gap") },
    { "calculated", NULL, N_("its formula can't be taken over; write it with `given` and `derive`") },
    { "calculatedsimple", NULL, N_("its formula can't be taken over; write it with `given` and `derive`") },
    { "calculatedmulti", NULL, N_("its formula can't be taken over; write it with `given` and `derive`") },
    { "ddimageortext", NULL, N_("it needs a picture") },
    { "ddmarker", NULL, N_("it needs a picture") },
    { "randomsamatch", NULL, N_("it is made of other questions") },
    { "random", NULL, N_("it is made of other questions; a section with `pick` does that") },
};

bool moodle_key(struct moodle *moodle, struct question *question, const struct xml_node *node,
                const char *type)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].name, type) != 0)
            continue;
        if (types[i].read)
            return types[i].read(moodle, question, node);
        import_leave_out(moodle->import, "%s", tr(types[i].why));
        return false;
    }
    if (*type)
        import_leave_out(moodle->import, tr("questions of the type \"%.40s\" have no counterpart"), type);
    else
        import_leave_out(moodle->import, "%s", tr("it has no type"));
    return false;
}
