#include "review_private.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <string.h>

/* "HDR 24" is guideline 24 of T. M. Haladyna, S. M. Downing and M. C. Rodriguez, "A review of multiple-choice
 * item-writing guidelines for classroom assessment", Applied Measurement in Education 15(3), 2002: what is
 * cited here as "Haladyna, Downing and Rodriguez 2002". */
#define CHOICES (1u << QUESTION_SINGLE_CHOICE | 1u << QUESTION_MULTIPLE_CHOICE)
#define EVERY   ((1u << QUESTION_TYPES) - 1)
#define TYPED   (1u << QUESTION_NUMBER | 1u << QUESTION_TEXT)
#define LISTS   (1u << QUESTION_ORDER | 1u << QUESTION_MATCH)

const struct review_row review_rows[REVIEW_LOOKING] = {
    [REVIEW_LONGEST_OFTEN] = {
        .rule = {
            "longest-often", REVIEW_ADVICE, N_("over the pack, the longest choice is the right one too often"),
            N_("All questions that have one choice longer than all others. It warns when that choice is right in "
               "more of them than chance explains: when an author without habits would come so far in fewer "
               "than one pack in a hundred (the exact tail of the binomial distribution, with each question's "
               "own number of choices)."),
            N_("Right choices grow while one makes sure that they are right. Learners notice, and then answer "
               "by length. \"Keep the length of choices about equal\" is guideline 24 of Haladyna, Downing and "
               "Rodriguez 2002."),
            N_("Go through the questions whose right choice is the longest. Move what explains it to the "
               "explanation, or say as much in a wrong choice."),
        },
        .pack = longest_often, .types = CHOICES,
    },
    [REVIEW_PLACE_SKEW] = {
        .rule = {
            "place-skew", REVIEW_ADVICE, N_("where nothing is shuffled, right answers crowd at one place"),
            N_("Single-choice questions whose choices keep the author's order, and true/false questions. It "
               "warns when one place is the right one more often, or more seldom, than chance explains (exact "
               "binomial tails, below one in a hundred over all places together)."),
            N_("Authors hide the right choice in the middle and learners look for it there (Attali and "
               "Bar-Hillel, \"Guess where\", Journal of Educational Measurement 40, 2003). \"Vary the location "
               "of the right answer\" is guideline 20 of Haladyna, Downing and Rodriguez 2002."),
            N_("Let the choices be shuffled, or move some right ones. Turn some true statements into false ones "
               "or the other way round."),
        },
        .pack = place_skew, .types = 1u << QUESTION_SINGLE_CHOICE | 1u << QUESTION_TRUE_FALSE,
    },
    [REVIEW_PLACE_RUN] = {
        .rule = {
            "place-run", REVIEW_ADVICE, N_("the right choice is at the same place many times running"),
            N_("Questions that always come in the author's order, with choices that keep theirs. It warns when "
               "the longest run of answers at one place is longer than chance explains (a bound on its "
               "probability, below one in a hundred)."),
            N_("A long run makes learners doubt what they know, or follow the run. See guideline 20 of "
               "Haladyna, Downing and Rodriguez 2002."),
            N_("Move right choices to other places, or let questions or choices be shuffled."),
        },
        .pack = place_run, .types = 1u << QUESTION_SINGLE_CHOICE | 1u << QUESTION_TRUE_FALSE,
    },
    [REVIEW_ALIKE_QUESTIONS] = {
        .rule = {
            "near-duplicate-questions", REVIEW_ADVICE, N_("two questions ask nearly the same"),
            N_("Pairs of questions with the same right answer, the same figure and the same numbers, whose "
               "prompts share four words in five or more; and pairs whose prompt and choices are the same. "
               "Case and punctuation do not count."),
            N_("The second one is answered by memory of the first, and what it stands for counts twice. "
               "Usually it is a copy that was meant to be changed."),
            N_("Delete one, or change it into what it was copied for."),
        },
        .pack = alike_questions, .types = EVERY,
    },
    [REVIEW_LONGEST_CHOICE] = {
        .rule = {
            "longest-choice", REVIEW_ADVICE, N_("the right choice is much longer than the wrong ones"),
            N_("Questions with three choices or more. It warns when every right choice is half as long again as "
               "the longest wrong one, and at least 15 characters longer."),
            N_("The choice that is hedged and complete looks right to who does not know. \"Keep the length of "
               "choices about equal\" is guideline 24 of Haladyna, Downing and Rodriguez 2002."),
            N_("Move the reasons to the explanation, or give a wrong choice as many details."),
        },
        .question = longest_choice, .types = CHOICES,
    },
    [REVIEW_ALIKE_CHOICES] = {
        .rule = {
            "near-duplicate-choices", REVIEW_ADVICE, N_("two choices are nearly the same"),
            N_("Choices of one question that differ only in case, blanks, hyphens, quotes or a full stop, in an "
               "article, or in one letter too many, too few or exchanged within a long word."),
            N_("Such a difference is mostly a slip of the hand: then two choices are one, and who picks the "
               "wrong one of them knew the answer."),
            N_("Write what sets the two apart, or delete one. Where the spelling is what the question is about, "
               "allow it."),
        },
        .question = alike_choices, .types = CHOICES,
    },
    [REVIEW_UNPINNED] = {
        .rule = {
            "unpinned-choice", REVIEW_ADVICE, N_("a choice speaks of the others by their place, and is shuffled"),
            N_("Choices such as \"all of the above\", \"none of these\" or \"both A and B\" in questions that are "
               "shuffled, where the choice (or one that it names by letter) has no \"pin\"."),
            N_("Shuffled to the top, nothing is above it; and A is another choice each time. Apart from that, "
               "\"none of the above\" should be used carefully and \"all of the above\" avoided: guidelines 25 "
               "and 26 of Haladyna, Downing and Rodriguez 2002."),
            N_("Write the choice as \"wrong: TEXT\", and \"pin: last\" below it. In place of letters, write out what is meant, or make it a "
               "question with several right choices; or add \"shuffle: false\" to the question."),
        },
        .question = unpinned_choice, .types = CHOICES, .worded = true,
    },
    [REVIEW_ABSOLUTE_WORD] = {
        .rule = {
            "absolute-word", REVIEW_ADVICE, N_("one choice alone says always, never, all, only or the like"),
            N_("Questions with three choices or more, in English or German. It warns when exactly one choice "
               "has a word that admits no exception, and the prompt has none. All, every and none count only "
               "where they begin the choice."),
            N_("Few things are always so: learners strike such a choice out without knowing the matter. "
               "\"Avoid specific determiners\" is guideline 28a of Haladyna, Downing and Rodriguez 2002."),
            N_("Say it without the word, or give other choices one as well."),
        },
        .question = absolute_word, .types = CHOICES, .worded = true,
    },
    [REVIEW_TEMPTING] = {
        .rule = {
            "most-tempting-choice", REVIEW_ADVICE, N_("the wrong choice that most learners take has no feedback"),
            N_("Answers in the store named with --store. It warns when the wrong choice that was given most often, "
               "by five answers at least, tells nothing to who takes it. Answers to an earlier wording count where "
               "the choice had the same text or id."),
            N_("What many take for right is what most need to be told. An explanation of the right answer leaves "
               "the mistake itself standing."),
            N_("Write a feedback below that choice: what would be so if it were right, and why it is not."),
        },
        .question = tempting_choice, .types = CHOICES,
    },
    [REVIEW_NEGATIVE_STEM] = {
        .rule = {
            "negative-stem", REVIEW_ADVICE, N_("the question turns on a \"not\" that is easily read over"),
            N_("The last sentence of a prompt in English or German, where \"not\", \"except\" or the like turns "
               "the question round (\"Which of these is not …\"), and is not written in capitals or between "
               "asterisks. A \"not\" in a clause of its own is left alone."),
            N_("Who misses the word gets a question wrong that they could answer. \"Word the stem positively\"; "
               "if not, set the word off: guideline 17 of Haladyna, Downing and Rodriguez 2002."),
            N_("Ask for what is so. Where it must be, write NOT or EXCEPT."),
        },
        .question = negative_stem, .types = CHOICES, .worded = true,
    },
    [REVIEW_PROMPT_END] = {
        .rule = {
            "prompt-end", REVIEW_ADVICE, N_("the prompt ends neither as a question nor as an instruction"),
            N_("Prompts in English or German that end in a letter, a digit or a comma; not those of flashcards "
               "and of true or false. A question mark anywhere is enough, and so is a line that ends in a colon, a first word "
               "that tells what to do, or a sentence that breaks off for the choices to complete it."),
            N_("A heading does not say what to look for, so learners read all the choices before they know the "
               "question. Clear directions and the central idea in the stem are guidelines 14 and 15 of "
               "Haladyna, Downing and Rodriguez 2002."),
            N_("Ask a whole question, say what to do, or end with the colon of a sentence to be completed."),
        },
        .question = prompt_end, .types = CHOICES | TYPED | LISTS, .worded = true,
    },
    [REVIEW_ANSWER_IN_PROMPT] = {
        .rule = {
            "answer-in-prompt", REVIEW_ADVICE, N_("the prompt gives words of the answer away"),
            N_("Single-choice questions with three choices or more, in English or German. It warns when the "
               "right choice has a word about the matter that stands in the prompt too, and no wrong choice has "
               "any such word. And typed texts of which an accepted answer stands in the prompt."),
            N_("The echo points at the answer: a \"clang association\", guideline 28b of Haladyna, Downing and "
               "Rodriguez 2002."),
            N_("Use another word in the prompt or the choice, or let a wrong choice take one up too."),
        },
        .question = answer_in_prompt, .types = 1u << QUESTION_SINGLE_CHOICE | 1u << QUESTION_TEXT, .worded = true,
    },
    [REVIEW_CONTAINED_ANSWERS] = {
        .rule = {
            "contained-answers", REVIEW_ADVICE, N_("answers that are accepted contain each other, or are one"),
            N_("Typed texts. It warns when all words of one accepted answer stand in another one, and when two "
               "accepted answers, or an accepted and a wrong one, differ only in case while case is ignored."),
            N_("The short one is often too general: \"parallelism\" beside \"tensor parallelism\" lets who knows "
               "half of it be right. What differs in case only is never reached."),
            N_("Delete the one that says too little, or the one too many. Where a short form is all that one "
               "need know, allow it."),
        },
        .question = contained_answers, .types = 1u << QUESTION_TEXT,
    },
    [REVIEW_MISSING_SOURCE] = {
        .rule = {
            "missing-source", REVIEW_ADVICE, N_("a question names no source, although most others do"),
            N_("Packs without \"source\" in the head, where at least half of the questions have their own."),
            N_("Learners who doubt an answer look it up, and so does the next author. Where the others name "
               "theirs, it was probably forgotten here."),
            N_("Add \"source: …\" to the question, or one for all to the head of the pack."),
        },
        .question = missing_source, .types = EVERY,
    },
    [REVIEW_WIDE_FIGURE] = {
        .rule = {
            "wide-figure", REVIEW_ADVICE, N_("a figure is wider than 76 columns"),
            N_("Figures and figures of explanations, line by line; a tab goes on to the next multiple of eight."),
            N_("A terminal of the usual 80 columns has room for 76. Figures are never wrapped, so a wider one "
               "must be moved sideways, and does not fit on a printed sheet."),
            N_("Redraw it narrower, or turn it by a quarter."),
        },
        .question = wide_figure, .types = EVERY,
    },
    [REVIEW_DOUBTFUL_WIDTH] = {
        .rule = {
            "doubtful-width", REVIEW_ADVICE, N_("a character that terminals draw with different widths"),
            N_("All texts of a question: pictures joined of several characters (skin tones, flags, variation "
               "selectors), characters for private use, and those that this system does not know. In figures "
               "also lines, arrows and signs that East Asian set-ups draw two columns wide (Ambiguous in "
               "Unicode's UAX #11)."),
            N_("Where the terminal and the program count differently, the rest of the line is shifted, and a "
               "figure falls apart. Characters that a font lacks are empty boxes."),
            N_("Write a plain character. Draw figures with - | + < > and letters. Who knows all the terminals "
               "that the pack is for can allow it for the file."),
        },
        .question = doubtful_width, .types = EVERY,
    },
    [REVIEW_MARKUP_SLIP] = {
        .rule = {
            "markup-slip", REVIEW_ADVICE, N_("light markup comes out other than it was meant"),
            N_("Prompts, choices, feedback, hints and explanations of packs with \"markup: light\". It warns when "
               "a star that begins emphasis stands right behind a letter, a digit or a closing parenthesis, and "
               "when a line of three backticks opens a block of code that nothing closes."),
            N_("\"2*3*4\" is shown as 234: two stars around something are emphasis wherever they stand."),
            N_("Write \\* for a star that is meant, or put the formula in backticks. Close a block of code by "
               "a line of three backticks."),
        },
        .question = markup_slip, .types = EVERY,
    },
    [REVIEW_GIVEN_FAILS] = {
        .rule = {
            "given-fails", REVIEW_ADVICE, N_("with some values of \"given\" an expression can't be worked out"),
            N_("Every combination of the values of a parametrised question; beyond 10,000 of them a sample of as "
               "many, the same one each time. It warns when an expression gives no number (division by zero, the "
               "root of a negative number, no branch of a CASE), when the number is too large, and when a text "
               "gets longer than 64 KiB with its values."),
            N_("Such a combination is never shown: the first values take its place, so learners who practise "
               "again get the same question again."),
            N_("Leave the values out, or list the combinations that go together as \"rows\"."),
        },
    },
    [REVIEW_GIVEN_SAME] = {
        .rule = {
            "given-same", REVIEW_ADVICE, N_("with some values of \"given\" two choices come out the same"),
            N_("The same combinations. It warns when two choices, two items of an order, two left texts or two "
               "right texts of a match are the same once the values are put in."),
            N_("One of them would be right and the other wrong, although they say the same. Such a combination "
               "is never shown; the first values take its place."),
            N_("Leave the values out, or change the expression of the choice."),
        },
    },
    [REVIEW_UNKNOWN_RULE] = {
        .rule = {
            "unknown-rule", REVIEW_ADVICE, N_("a comment allows a rule that does not exist"),
            N_("Comments that begin with \"check: allow\"."),
            N_("A misspelt name switches nothing off."),
            N_("Write the name as it stands in brackets behind the warning."),
        },
    },
};

int review_rule_count(void)
{
    return REVIEW_LOOKING + review_loader_rule_count;
}

const struct review_rule *review_rule_at(int place)
{
    return place < REVIEW_LOOKING ? &review_rows[place].rule : &review_loader_rules[place - REVIEW_LOOKING];
}

const struct review_rule *review_rule_find(const char *name)
{
    for (int i = 0; i < review_rule_count(); i++)
        if (strcmp(review_rule_at(i)->name, name) == 0)
            return review_rule_at(i);
    return NULL;
}

const char *review_rule_nearest(const char *name)
{
    const char *names[128];
    int count = 0;
    for (; count < review_rule_count() && count < 128; count++)
        names[count] = review_rule_at(count)->name;
    return text_nearest(name, names, count);
}
