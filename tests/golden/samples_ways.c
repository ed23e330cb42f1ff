#include "samples_ways.h"

#include <quiztutor/markup.h>

#include <string.h>

static void ask(struct view *view, const struct question_model *question)
{
    static struct question_model kept;
    kept = *question;
    view->question = &kept;
    view_show(view, SCREEN_QUESTION);
}

static void tell(struct view *view, const struct result_model *result)
{
    static struct result_model kept;
    kept = *result;
    kept.question.answered++;
    view->result = &kept;
    view_show(view, SCREEN_RESULT);
}

static void preview(struct view *view, const struct preview_model *model)
{
    static struct preview_model kept;
    kept = *model;
    kept.file = "training-numbers.yaml";
    kept.question.learner = NULL;
    view->preview = &kept;
    view_show(view, SCREEN_PREVIEW);
}

/* ---- a number ---- */

static const char *const bubble_hints[] = { "The pipeline fills once and drains once a step." };

static const struct question_model bubble = {
    .pack = "training-numbers",
    .pack_title = "Training in numbers",
    .learner = "Ana",
    .question = "bubble-share",
    .type = "number",
    .number = 4,
    .of = 13,
    .answered = 3,
    .prompt = "A pipeline of 4 stages runs 16 microbatches a step. What share of the step is bubble?",
    .way = WAY_FIELD,
    .numeric = true,
    .unit = "of the step",
    .significant_figures = 3,
    .hints_left = 1,
    .hints = bubble_hints,
    .can_undo = true,
};

static const char *const bubble_answers[] = { "0.158 of the step" };

static struct result_model bubble_result(enum verdict_kind verdict)
{
    struct result_model result = {
        .question = bubble,
        .verdict = verdict,
        .mark = verdict == VERDICT_RIGHT,
        .marks = 1,
        .response_count = 1,
        .response = { verdict == VERDICT_RIGHT ? "0.16 of the step" : "0.1875 of the step" },
        .answer_count = 1,
        .answer = bubble_answers,
        .note = verdict == VERDICT_RIGHT ? "right, but only 2 of the 3 figures asked for" : NULL,
        .feedback = verdict == VERDICT_RIGHT
                        ? NULL
                        : "That is the bubble over the ideal time: the step itself is longer.",
        .explanation =
            "(p - 1) / (m + p - 1) = 3 / 19 = 0.158. The first stage waits for nobody, the last one "
            "for all before it.",
        .source = "Huang et al., GPipe, 2019, section 2",
        .comes_again = "comes again in 4 days",
    };
    return result;
}

void set_number(struct view *view)
{
    ask(view, &bubble);
}

void set_number_remark(struct view *view)
{
    set_number(view);
    for (const char *c = "0,158"; *c; c++)
        view_update(view, &(struct input){ .kind = INPUT_PASTE, .key = *c }, &(struct effect){ 0 });
    view_remark(view, "0,158 can't be read: a decimal point is written as \".\"");
}

static struct question_model of_exam(const struct question_model *question)
{
    struct question_model exam = *question;
    exam.exam = true;
    exam.time_left = "24 min left";
    exam.can_undo = false;
    exam.hints_left = 0;
    return exam;
}

void set_number_exam(struct view *view)
{
    struct question_model question = of_exam(&bubble);
    question.has_response = true;
    question.given_text = "0.158";
    ask(view, &question);
}

void set_number_sure(struct view *view)
{
    struct question_model question = bubble;
    question.certainty = true;
    ask(view, &question);
}

void set_number_wrong(struct view *view)
{
    struct result_model result = bubble_result(VERDICT_WRONG);
    tell(view, &result);
}

void set_number_right(struct view *view)
{
    struct result_model result = bubble_result(VERDICT_RIGHT);
    tell(view, &result);
}

/* ---- a text ---- */

static const struct question_model collective = {
    .pack = "collectives",
    .pack_title = "Collective communication",
    .learner = "Ana",
    .question = "name-it",
    .type = "text",
    .number = 9,
    .of = 28,
    .answered = 8,
    .prompt = "Which collective sums a tensor over all devices and leaves the sum on every one of them?",
    .way = WAY_FIELD,
    .can_undo = true,
};

static const char *const collective_answers[] = { "all-reduce", "allreduce",
                                                  "reduce-scatter followed by all-gather" };

static struct result_model collective_result(enum verdict_kind verdict)
{
    struct result_model result = {
        .question = collective,
        .verdict = verdict,
        .marks = 1,
        .response_count = verdict != VERDICT_SKIPPED,
        .response = { "an all-gather over the tensor's slices, one after the other" },
        .answer_count = 3,
        .answer = collective_answers,
        .feedback = verdict == VERDICT_SKIPPED ? NULL : "A gather concatenates: nothing is summed in it.",
        .explanation =
            "An all-reduce ends with the same sum everywhere. It is often built of a reduce-scatter and "
            "an all-gather.",
    };
    return result;
}

void set_text(struct view *view)
{
    ask(view, &collective);
}

void set_text_near(struct view *view)
{
    set_text(view);
    for (const char *c = "all-redcue"; *c; c++)
        view_update(view, &(struct input){ .kind = INPUT_PASTE, .key = *c }, &(struct effect){ 0 });
    view_remark(view, "nearly: check the spelling; what you answer next counts");
}

void set_text_exam(struct view *view)
{
    struct question_model question = of_exam(&collective);
    question.flagged = true;
    question.has_response = true;
    question.given_text = "all-reduce";
    ask(view, &question);
}

void set_text_blank(struct view *view)
{
    struct question_model question = of_exam(&collective);
    question.has_response = true;
    ask(view, &question);
}

void set_text_wrong(struct view *view)
{
    struct result_model result = collective_result(VERDICT_WRONG);
    tell(view, &result);
}

void set_text_skipped(struct view *view)
{
    struct result_model result = collective_result(VERDICT_SKIPPED);
    tell(view, &result);
}

/* ---- an order ---- */

static const struct question_model step = {
    .pack = "training-across-many-devices",
    .pack_title = "Training Across Many Devices",
    .learner = "Ana",
    .question = "step",
    .type = "order",
    .number = 5,
    .of = 12,
    .answered = 4,
    .prompt = "What happens in one step of data-parallel training?",
    .way = WAY_ORDER,
    .choice_count = 5,
    .choices = { "Backward pass", "Optimizer update", "Forward pass", "All-reduce of the gradients",
                 "Batch is split" },
    .hints_left = 1,
    .can_undo = true,
};

static const char *const step_answers[] = { "Batch is split", "Forward pass", "Backward pass",
                                            "All-reduce of the gradients", "Optimizer update" };

static struct result_model step_result(enum verdict_kind verdict)
{
    static const signed char right[] = { 4, 2, 0, 3, 1 }, partly[] = { 4, 0, 2, 3, 1 };
    struct result_model result = {
        .question = step,
        .verdict = verdict,
        .mark = verdict == VERDICT_RIGHT ? 1 : 0.6,
        .marks = 1,
        .response_count = 5,
        .answer_count = 5,
        .answer = step_answers,
        .feedback = verdict == VERDICT_RIGHT
                        ? NULL
                        : "Gradients are made in the backward pass, of what went forward.",
        .explanation =
            "Each device computes gradients of its own share; they are averaged before the update, so "
            "that all replicas stay the same.",
    };
    for (int i = 0; i < 5; i++) {
        result.given_at[i] = verdict == VERDICT_RIGHT ? right[i] : partly[i];
        result.response[i] = step.choices[result.given_at[i]];
        result.right_at[i] = strcmp(result.response[i], step_answers[i]) == 0;
    }
    return result;
}

void set_order(struct view *view)
{
    ask(view, &step);
}

static const char *const lifecycle[] = {
    "The launcher starts one process for each device and tells it its rank, the size of the world and where "
    "to "
    "meet the others",
    "All processes meet, and build the groups that they will communicate in",
    "Each process takes its share of the data set, by its rank in the data-parallel group",
    "The model is built on the device, sharded",
    "A checkpoint is looked for, and read where there is one",
    "Steps are taken",
    "Every so many steps the state is written, each process its own shard",
    "A device fails",
    "The launcher notices, stops all and starts anew with those that are left",
    "The job ends",
    "Logs are kept",
};

static struct question_model long_order(void)
{
    struct question_model question = step;
    question.prompt =
        "Put the life of a large training job in order.\n\nTake one that meets a failure, and goes on "
        "after it from what was written last.";
    question.choice_count = (int)(sizeof lifecycle / sizeof *lifecycle);
    for (int i = 0; i < question.choice_count; i++)
        question.choices[i] = lifecycle[(i * 7 + 3) % question.choice_count];
    return question;
}

void set_order_long(struct view *view)
{
    struct question_model question = long_order();
    ask(view, &question);
}

void set_order_exam(struct view *view)
{
    static const signed char given[] = { 4, 2, 0, 3, 1 };
    struct question_model question = of_exam(&step);
    question.has_response = true;
    memcpy(question.given_at, given, sizeof given);
    ask(view, &question);
}

void set_order_partly(struct view *view)
{
    struct result_model result = step_result(VERDICT_PARTLY);
    tell(view, &result);
}

void set_order_right(struct view *view)
{
    struct result_model result = step_result(VERDICT_RIGHT);
    tell(view, &result);
}

void set_order_long_wrong(struct view *view)
{
    struct result_model result = step_result(VERDICT_WRONG);
    result.question = long_order();
    result.mark = 0;
    result.response_count = result.answer_count = result.question.choice_count;
    result.answer = lifecycle;
    for (int i = 0; i < result.question.choice_count; i++) {
        result.given_at[i] = (signed char)i;
        result.response[i] = result.question.choices[i];
        result.right_at[i] = result.response[i] == lifecycle[i];
    }
    tell(view, &result);
}

/* ---- a match ---- */

static const struct question_model whose = {
    .pack = "collectives",
    .pack_title = "Collective communication",
    .learner = "Ana",
    .question = "what-for",
    .type = "match",
    .number = 12,
    .of = 28,
    .answered = 11,
    .prompt = "Which collective does each split of the model need most?",
    .way = WAY_MATCH,
    .choice_count = 4,
    .choices = { "Data parallelism", "Tensor parallelism", "Pipeline parallelism", "Expert parallelism" },
    .target_count = 5,
    .targets = { "sends from stage to stage", "an all-to-all of the tokens", "an all-reduce of the gradients",
                 "a broadcast from rank 0", "an all-reduce of partial results" },
    .hints_left = 1,
    .can_undo = true,
};

static const char *const whose_answers[] = { "an all-reduce of the gradients",
                                             "an all-reduce of partial results", "sends from stage to stage",
                                             "an all-to-all of the tokens" };

static struct result_model whose_result(void)
{
    static const signed char given[] = { 2, 3, 0, -1 };
    struct result_model result = {
        .question = whose,
        .verdict = VERDICT_PARTLY,
        .mark = 0.5,
        .marks = 1,
        .response_count = 4,
        .answer_count = 4,
        .answer = whose_answers,
        .feedback = "Nothing is sent from rank 0 alone while a model trains.",
        .explanation =
            "Each split cuts something, and its collective joins it again: gradients, partial results, "
            "activations, tokens.",
        .source = "Narayanan et al., 2021, section 2",
    };
    for (int i = 0; i < 4; i++) {
        result.given_at[i] = given[i];
        result.response[i] = given[i] < 0 ? "" : whose.targets[given[i]];
        result.right_at[i] = strcmp(result.response[i], whose_answers[i]) == 0;
    }
    return result;
}

void set_match(struct view *view)
{
    ask(view, &whose);
}

static struct question_model many_matches(void)
{
    static const char *const lefts[] = {
        "DP", "TP inside a machine, over its fast links",      "PP", "EP",
        "CP", "ZeRO, stage 3: parameters are sharded as well",
    };
    struct question_model question = whose;
    question.prompt =
        "Six ways to split the training of a model.\n\nWhat is it that each of them splits? Some of what "
        "is listed is split by more than one, some by none.";
    question.choice_count = 6;
    question.target_count = 13;
    for (int i = 0; i < 6; i++)
        question.choices[i] = lefts[i];
    for (int i = 0; i < 13; i++)
        question.targets[i] =
            i < 5   ? whose.targets[i]
            : i % 2 ? "the sequence, into runs of tokens that know of each other only by what is "
                      "sent around"
                    : "the optimizer's state";
    return question;
}

void set_match_many(struct view *view)
{
    struct question_model question = many_matches();
    ask(view, &question);
}

void set_match_exam(struct view *view)
{
    struct question_model question = of_exam(&whose);
    question.has_response = true;
    memset(question.given_at, -1, sizeof question.given_at);
    question.given_at[0] = 2;
    question.given_at[2] = 0;
    ask(view, &question);
}

void set_match_partly(struct view *view)
{
    struct result_model result = whose_result();
    tell(view, &result);
}

void set_match_many_wrong(struct view *view)
{
    static const char *answers[6];
    struct result_model result = whose_result();
    result.question = many_matches();
    result.verdict = VERDICT_WRONG;
    result.mark = 0;
    result.answer = answers;
    result.response_count = result.answer_count = 6;
    for (int i = 0; i < 6; i++) {
        answers[i] = result.question.targets[(i * 2 + 1) % 13];
        result.given_at[i] = (signed char)(i * 2);
        result.response[i] = result.question.targets[i * 2];
        result.right_at[i] = false;
    }
    tell(view, &result);
}

/* ---- a card ---- */

static const struct question_model card = {
    .pack = "collectives",
    .pack_title = "Collective communication",
    .learner = "Ana",
    .question = "ring",
    .type = "recall",
    .number = 2,
    .of = 28,
    .answered = 1,
    .prompt = "How much does each device send in a ring all-reduce of a tensor, and why does it hardly "
              "depend on the "
              "number of devices?",
    .way = WAY_RECALL,
    .back =
        "2 (n - 1) / n times the tensor: once around to sum the slices, once around to hand them out.\n\nThe "
        "factor grows to 2 and no further.",
    .can_undo = true,
};

static const char *const card_answers[] = {
    "2 (n - 1) / n times the tensor: once around to sum the slices, once around to hand them out.\n\nThe "
    "factor "
    "grows to 2 and no further.",
};

void set_card(struct view *view)
{
    ask(view, &card);
}

void set_card_tried(struct view *view)
{
    struct question_model question = card;
    question.tried = true;
    question.learner = NULL;
    question.can_undo = false;
    ask(view, &question);
}

void set_card_hard(struct view *view)
{
    struct result_model result = {
        .question = card,
        .verdict = VERDICT_PARTLY,
        .mark = 0.5,
        .marks = 1,
        .response_count = 1,
        .response = { "hard" },
        .answer_count = 1,
        .answer = card_answers,
        .explanation = "Each of n slices travels n - 1 times to be summed, and n - 1 times to be shared.",
        .source = "Patarasuk and Yuan, 2009",
        .comes_again = "comes again tomorrow",
    };
    tell(view, &result);
}

/* ---- an exam's paper ---- */

void set_paper_ways(struct view *view)
{
    static struct result_model results[4];
    static struct paper_model paper;
    results[0] = bubble_result(VERDICT_RIGHT);
    results[1] = collective_result(VERDICT_WRONG);
    results[2] = step_result(VERDICT_PARTLY);
    results[3] = whose_result();
    for (int i = 0; i < 4; i++) {
        results[i].question.exam = true;
        results[i].comes_again = NULL;
    }
    paper = (struct paper_model){
        .title = "Training in numbers",
        .learner = "Ana",
        .mark = 2.1,
        .marks = 4,
        .right = 1,
        .partly = 2,
        .wrong = 1,
        .elapsed_ms = 610000,
        .count = 4,
        .results = results,
    };
    view->paper = &paper;
    view_show(view, SCREEN_PAPER);
}

/* ---- previews ---- */

void set_preview_number(struct view *view)
{
    static const char *const wrong[] = { "0.1875: That is the bubble over the ideal time.",
                                         "0.2: As if the last stage never waited." };
    struct preview_model model = {
        .question = bubble,
        .answer_count = 1,
        .answer = bubble_answers,
        .wrong_count = 2,
        .wrong = wrong,
        .values = "p = 4, m = 16 (1 of 12)",
        .explanation = "(p - 1) / (m + p - 1) = 0.158.",
        .facts = "1 mark, tags: pipeline; bubble-share in line 22",
    };
    model.question.hint_count = 1;
    preview(view, &model);
}

void set_preview_order(struct view *view)
{
    struct preview_model model = {
        .question = step,
        .answer_count = 5,
        .answer = step_answers,
        .wrong_feedback = "Gradients are made in the backward pass, of what went forward.",
        .wrong_misconception = "update-before-reduce",
        .explanation = "Each device computes gradients of its own share.",
        .facts = "1 mark; step in line 40",
    };
    preview(view, &model);
}

void set_preview_match(struct view *view)
{
    struct preview_model model = {
        .question = whose,
        .answer_count = 4,
        .answer = whose_answers,
        .explanation = "Each split cuts something, and its collective joins it again.",
        .facts = "1 mark; what-for in line 61",
    };
    preview(view, &model);
}

void set_preview_card(struct view *view)
{
    struct preview_model model = {
        .question = card,
        .answer_count = 1,
        .answer = card_answers,
        .explanation = "Each of n slices travels n - 1 times to be summed, and n - 1 times to be shared.",
        .facts = "1 mark; ring in line 80",
    };
    preview(view, &model);
}

/* ---- light markup ---- */

#define E     "\x0e"
#define C     "\x0f"
#define END   "\x10"
#define BLOCK "\x11"

static const struct question_model marked = {
    .pack = "collectives",
    .pack_title = "Collective communication",
    .learner = "Ana",
    .question = "deadlock",
    .type = "single-choice",
    .number = 3,
    .of = 28,
    .answered = 2,
    .prompt = "Two ranks run this. Which of these does " E "not" END " mend the deadlock?\n\n" BLOCK
              "if rank == 0:\n" BLOCK "    send(tensor, to=1); recv(buffer, source=1)\n" BLOCK "\n" BLOCK
              "else:\n" BLOCK "    send(tensor, to=0); recv(buffer, source=0)",
    .choice_count = 3,
    .choices = { "Rank 1 calls " C "recv" END " before " C "send" END,
                 "Both use " C "isend" END ", and " E
                 "wait for it only once they have received what the other one "
                 "sends" END,
                 "Both sleep a second before " C "send" END },
    .can_undo = true,
};

void set_markup(struct view *view)
{
    ask(view, &marked);
}

void set_markup_result(struct view *view)
{
    struct result_model result = {
        .question = marked,
        .verdict = VERDICT_WRONG,
        .marks = 1,
        .picked = { true },
        .right = { false, false, true },
        .feedback = "Then one of them receives while the other sends: that " E "does" END " mend it.",
        .explanation =
            "A blocking " C "send" END " returns when the other side takes what is sent. Both wait in it "
            "for ever, " E "however long they slept" END ":\n\n" BLOCK
            "rank 0   sleep ....  send waits for rank 1 "
            "..................................................\n" BLOCK
            "rank 1   sleep ....  send waits for rank 0 "
            "..................................................\n\n"
            "A stack trace shows it at once.",
    };
    tell(view, &result);
}
