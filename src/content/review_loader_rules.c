#include "review_private.h"

#include <quiztutor/message.h>

#define WARNING(name, summary)                                                                               \
    {                                                                                                        \
        name, REVIEW_WARNING, summary, NULL, NULL, NULL                                                      \
    }
#define ERROR(name, summary)                                                                                 \
    {                                                                                                        \
        name, REVIEW_ERROR, summary, NULL, NULL, NULL                                                        \
    }

/* The warnings first, as many as REVIEW_ALLOWABLE says. A test holds this list against the sources. */
const struct review_rule review_loader_rules[] = {
    WARNING("comment-cuts-text",
            N_("a \" #\" begins a comment, and what follows it is not part of the text")),
    WARNING("duplicate-tag", N_("a tag stands twice in one list")),
    WARNING("item-in-text", N_("a line that looks like an item of a list is part of the text above it")),
    WARNING("markup-late", N_("blocks of code stand above the line that says markup: light")),
    WARNING("misconception-of-correct", N_("a misconception on a right choice is never reported")),
    WARNING("one-choice", N_("a question has one choice only")),

    ERROR("alias", N_("aliases (*name) are not part of the pack format")),
    ERROR("anchor", N_("anchors (&name) are not part of the pack format")),
    ERROR("answer-key", N_("a question needs exactly one answer key, such as choices or true_false")),
    ERROR("block-indent", N_("the lines of a block (| or >) must be indented alike")),
    ERROR("braces", N_("braces in a text of a question with \"given\" that put no value in")),
    ERROR("bracket", N_("a bracket or brace is not closed, or a comma is missing in it")),
    ERROR("character", N_("a character that content may not hold: controls and what can't be seen")),
    ERROR("choice", N_("a choice is a text, or a mapping with either \"correct\" or \"wrong\"")),
    ERROR("colon-in-text", N_("a text that holds \": \" needs quotes around it")),
    ERROR("directive", N_("directives are not part of the pack format, but for %YAML 1.1 or 1.2")),
    ERROR("duplicate-id", N_("an id stands for one question, or one choice, only")),
    ERROR("duplicate-item", N_("an item stands twice in one list")),
    ERROR("duplicate-key", N_("a key stands once in its mapping")),
    ERROR("duplicate-word", N_("a word stands twice in one list")),
    ERROR("empty-file", N_("there is nothing in the file")),
    ERROR("empty-list", N_("a list or mapping has nothing in it")),
    ERROR("empty-text", N_("a text is empty, or holds blanks only")),
    ERROR("encoding", N_("a file is UTF-8, and this one is not")),
    ERROR("equal-choices", N_("two choices of a question are the same")),
    ERROR("equal-responses", N_("a response is listed twice")),
    ERROR("escape", N_("a backslash in double quotes begins an escape that YAML does not know")),
    ERROR("exam-window", N_("an exam's window has no time in it, or overlaps another of the same pack")),
    ERROR("expression", N_("an expression of \"derive\" or of a wrong value can't be read")),
    ERROR("figure-indent", N_("a line of a figure stands further to the left than its first line")),
    ERROR("file-too-large", N_("a file holds 64 MiB at most")),
    ERROR("first-values", N_("with the first values of \"given\" the question can't be shown")),
    ERROR("format", N_("the head names the format: quiztutor/1")),
    ERROR("given-name", N_("a name in \"given\" or \"derive\" that can't be one")),
    {
        "given-wrong",
        REVIEW_FAULT,
        N_("with some values of \"given\" a wrong response is right"),
        N_("Every combination of the values of a parametrised question; beyond 10,000 of them a sample of as "
           "many. It fails when a known wrong number lies inside the tolerance of the answer, and when a "
           "known "
           "wrong text is one that is accepted."),
        N_("Who makes that slip would be marked right, and never hear of it. Such a combination is never "
           "shown; "
           "the first values take its place."),
        N_("Leave the values out, make the tolerance smaller, or let a CASE keep the wrong value away from "
           "the "
           "answer."),
    },
    ERROR("head", N_("a pack begins with its head, lines of \"key: value\"")),
    ERROR("id", N_("an id is made of small letters, digits and hyphens, 64 at most")),
    ERROR("indentation", N_("a line is indented by too much or too little")),
    ERROR("key-kind", N_("a key is a text, not a list or a mapping")),
    ERROR("key-too-long", N_("a key has 64 bytes at most")),
    ERROR("language", N_("a language is a BCP 47 tag such as en or de-CH")),
    ERROR("merge-key", N_("merge keys (<<) are not part of the pack format")),
    ERROR("missing-key", N_("a key that is needed is not there")),
    ERROR("moment", N_("a day and time that is none, or that the clock change leaves out or has twice")),
    ERROR("nesting", N_("lists and mappings are nested 16 deep at most")),
    ERROR("no-correct-choice", N_("none of the choices is right")),
    ERROR("not-here", N_("a key that goes with other types of questions only")),
    ERROR("number", N_("a number is written with digits and a decimal point")),
    ERROR("one-line", N_("a text that must be one line has a line break in it")),
    ERROR("pin", N_("\"pin: first\" goes with the first choices, \"pin: last\" with the last ones")),
    ERROR("plain-start", N_("a text that begins with a sign of YAML's needs quotes around it")),
    ERROR("questions-and-sections", N_("a pack has questions or sections, not both")),
    ERROR("range", N_("a number is too small or too large for its field")),
    ERROR("response-too-long", N_("a response, and what stands left in a match, has 1,000 bytes at most")),
    ERROR("second-document", N_("a file holds one document")),
    ERROR("secret", N_("a tutor's code is kept as quiztutor kiosk --code prints it")),
    ERROR("setting", N_("a setting has a value that it can't have")),
    ERROR("silence", N_("a file goes on for more than 1 MiB without a new key, item or text")),
    ERROR("space-after-colon", N_("the colon behind a key needs a blank behind it")),
    ERROR("space-after-dash", N_("the dash before an item needs a blank behind it")),
    ERROR("stray-item", N_("an item stands where no list is")),
    ERROR("stray-line", N_("a line that is neither a key nor part of a text")),
    ERROR("stray-text", N_("something stands where nothing belongs")),
    ERROR("tab", N_("lines are indented with blanks, not with tabs")),
    ERROR("tag", N_("tags (!name) are not part of the pack format")),
    ERROR("text-after-quote", N_("something follows the closing quote of a text")),
    ERROR("text-too-long", N_("a text has 64 KiB at most")),
    ERROR("too-few-items", N_("an order has two items at least, a match two pairs")),
    ERROR("too-many-choices", N_("a question has 26 choices at most")),
    ERROR("too-many-items", N_("a list has 1,000 items at most")),
    ERROR("too-many-questions", N_("a pack has 100,000 questions at most")),
    ERROR("too-many-responses", N_("a question lists 1,000 responses at most")),
    ERROR("too-many-values", N_("a name of \"given\" has 10,000 values at most, a question 26 names")),
    ERROR("truth", N_("a truth value is true or false, and no other word")),
    ERROR("unclosed-quote", N_("a quote that was opened is not closed")),
    ERROR("unknown-key", N_("a key that is not known here; keys of your own begin with x-")),
    ERROR("word", N_("a field that takes certain words only has another one")),
    ERROR("wrong-kind",
          N_("a text, a list and a mapping are not the same: one stands where another belongs")),
    ERROR("wrong-is-right", N_("a response that is listed as wrong would be marked right")),
    ERROR("yaml", N_("the file can't be read as YAML")),
};
const int review_loader_rule_count = sizeof review_loader_rules / sizeof *review_loader_rules;
