#include "samples.h"

#include "samples_kiosk.h"
#include "samples_table.h"
#include "samples_ways.h"

#include <quiztutor/text.h>

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const struct question_model stages = {
    .pack = "training-across-many-devices",
    .pack_title = "Training Across Many Devices",
    .learner = "Ana",
    .question = "stages",
    .type = "single-choice",
    .number = 3,
    .of = 12,
    .answered = 2,
    .prompt = "Which strategy splits whole layers into stages?",
    .choice_count = 3,
    .choices = { "Data parallelism", "Tensor parallelism", "Pipeline parallelism" },
    .hints_left = 1,
    .can_undo = true,
};

static const char timetable[] = "device 1   F1 F2 F3 F4 .. .. .. .. .. .. B4 B3 B2 B1\n"
                                "device 2   .. F1 F2 F3 F4 .. .. .. .. B4 B3 B2 B1 ..\n"
                                "device 3   .. .. F1 F2 F3 F4 .. .. B4 B3 B2 B1 .. ..\n"
                                "device 4   .. .. .. F1 F2 F3 F4 B4 B3 B2 B1 .. .. ..";

static struct result_model stages_result(void)
{
    struct result_model result = {
        .question = stages,
        .verdict = VERDICT_WRONG,
        .mark = 0,
        .marks = 1,
        .picked = { [1] = true },
        .right = { [2] = true },
        .feedback = "Tensor parallelism cuts inside a layer: each device holds a slice of it.",
        .explanation =
            "A stage is a run of whole layers on one device; activations are handed on from stage to stage."
            "\n\nWhile the first microbatch is in the second stage, the next one is already in the first, "
            "so that the devices work at the same time.",
        .explanation_figure = timetable,
        .source = "Huang et al., GPipe, 2019, section 2",
    };
    result.question.answered = 3;
    return result;
}

static const char *const replica_hints[] = {
    "Think of what each device must hold before the first batch arrives.",
    "Gradients are averaged; what they are gradients of stays.",
};

static const struct question_model replicas = {
    .pack = "training-across-many-devices",
    .pack_title = "Training Across Many Devices",
    .learner = "Ana",
    .question = "replicas",
    .type = "multiple-choice",
    .number = 7,
    .of = 12,
    .answered = 6,
    .again = true,
    .prompt =
        "Four devices train one model with plain data parallelism. What does every one of them hold in full?",
    .choice_count = 5,
    .choices = { "The parameters", "The whole batch", "The optimizer's state",
                 "The gradients, once they are averaged", "The activations of the other devices" },
    .many = true,
    .hints_left = 1,
    .hint_count = 1,
    .hints = replica_hints,
    .can_undo = true,
};

static struct result_model replicas_result(void)
{
    struct result_model result = {
        .question = replicas,
        .verdict = VERDICT_PARTLY,
        .mark = 0.5,
        .marks = 2,
        .picked = { true, true, false, true },
        .right = { true, false, true, true },
        .feedback = "The batch is what data parallelism splits: each device sees its own share.",
        .explanation =
            "Parameters, gradients and optimizer state are copied to every device. Only the batch is cut up, "
            "and with it the activations.",
        .source = "Li et al., PyTorch Distributed, 2020, section 3",
    };
    result.question.answered = 7;
    return result;
}

static const struct question_model truth = {
    .pack = "tour",
    .pack_title = "A tour of quiztutor",
    .learner = "山田 花子",
    .question = "kept",
    .type = "true-false",
    .number = 104,
    .of = 1000,
    .answered = 103,
    .prompt = "An answer is on the disk before its explanation is on the screen.",
    .choice_count = 2,
    .choices = { "True", "False" },
    .truth = true,
    .can_undo = true,
};

static struct result_model truth_result(enum verdict_kind verdict)
{
    struct result_model result = {
        .question = truth,
        .verdict = verdict,
        .mark = verdict == VERDICT_RIGHT,
        .marks = 1,
        .picked = { verdict == VERDICT_RIGHT },
        .right = { true },
        .explanation =
            "Whatever happens next, a pulled plug or a closed window, what you were told about is kept.",
    };
    result.question.answered = 104;
    return result;
}

static const struct question_model cjk = {
    .pack = "bunsan",
    .pack_title = "分散学習のきほん",
    .learner = "山田 花子",
    .question = "dankai",
    .type = "single-choice",
    .number = 1,
    .of = 5,
    .prompt = "モデルを層のまとまりごとに段階へ分け、装置から装置へ活性値を受け渡していく並列化の方式は、次の"
              "うちどれですか。",
    .figure = "装置 1  ■■□□\n装置 2  □■■□",
    .choice_count = 4,
    .choices = { "データ並列",
                 "テンソル並列：一つの層の行列を複数の装置に切り分け、それぞれの結果を集めて足し合わせる方式",
                 "パイプライン並列", "名前 (e\xcc\x81tape) なし" },
};

static struct question_model crowded(void)
{
    static const char *const texts[VIEW_CHOICES] = {
        "An all-reduce over the gradients, begun while the backward pass runs, in buckets of 25 MB",
        "An all-gather of the parameters before every layer, and a reduce-scatter of its gradients after it",
        "A send of the activations to the next stage and a receive of their gradients from it",
    };
    struct question_model question = {
        .pack = "collectives",
        .pack_title = "Collective communication, with all its names and what each of them is for",
        .learner = "Maximiliane von Hohenstein-Sigmaringen",
        .question = "which",
        .type = "single-choice",
        .number = 1000,
        .of = 1000,
        .answered = 999,
        .prompt =
            "A cluster of 64 devices in 8 machines trains a model of 30 billion parameters. Inside a machine "
            "the "
            "devices are joined by fast links, between machines by slow ones.\n\nWhich communication is the "
            "first "
            "to be felt when the links between the machines are halved in speed, given that layers are split "
            "inside a machine, stages across machines, and the batch over what is left?",
        .figure = "machine 1  [d1]==[d2]==[d3]==[d4]==[d5]==[d6]==[d7]==[d8]----+---- machine 2 ----+---- "
                  "machine 3 "
                  "----+---- machine 4\n"
                  "                                                             |                   |",
        .choice_count = VIEW_CHOICES,
        .hints_left = 2,
        .can_undo = true,
    };
    for (int i = 0; i < VIEW_CHOICES; i++)
        question.choices[i] = texts[i % 3];
    return question;
}

static struct result_model crowded_result(void)
{
    struct result_model result = {
        .question = crowded(),
        .verdict = VERDICT_WRONG,
        .marks = 1,
        .picked = { [4] = true },
        .right = { [11] = true },
        .feedback = "Parameters are gathered inside a machine here, over the fast links.",
        .explanation =
            "Stages hand on activations once a microbatch; little, and hidden behind the computing of the "
            "next one.\n\nGradients of a whole stage are summed over all its replicas, and those sit in "
            "different machines.",
        .explanation_figure =
            "share of the step   0 ....... 10 ....... 20 ....... 30 ....... 40 ....... 50 ....... 60 "
            "....... 70\nall-reduce          ##########################",
        .source = "Narayanan et al., Efficient Large-Scale Language Model Training, 2021, section 3",
    };
    return result;
}

/* A prompt longer than any screen, with an unbroken word of 300 letters in it, and two choices alike to the
 * eye. */
static struct question_model endless(void)
{
    static char prompt[6000];
    if (!prompt[0]) {
        memset(prompt, 'x', 300);
        for (int i = 0; i < 60; i++)
            sprintf(prompt + strlen(prompt), " and %d more words of the same prompt,%s", i,
                    i % 7 ? "" : "\n\nthen");
    }
    struct question_model question = stages;
    question.prompt = prompt;
    return question;
}

static const struct library_row packs[] = {
    { .id = "training-across-many-devices",
      .title = "Training Across Many Devices",
      .strapline = "How one model is trained on many devices at once",
      .description =
          "What is split, what is copied, what is sent: the strategies that train large models, and how to "
          "choose among them.\n\nWith timetables and rings, and the sources to read on.",
      .subject = "Machine learning",
      .licence = "CC-BY-4.0",
      .authors = "The authors of quiztutor",
      .path = "/usr/share/quiztutor/content/training-across-many-devices.yaml",
      .questions = 34,
      .seen = 26,
      .fresh = 8,
      .right = 21,
      .due = 12,
      .mastered = 17 },
    { .id = "tour",
      .title = "A tour of quiztutor",
      .strapline = "Learn the tutor by using it",
      .licence = "CC-BY-4.0",
      .path = "/usr/share/quiztutor/content/tour.yaml",
      .questions = 9,
      .fresh = 9 },
    { .id = "collectives",
      .title = "Collective communication",
      .path = "/home/ana/collectives.yaml",
      .questions = 28,
      .seen = 28,
      .right = 28,
      .mastered = 25,
      .until = "due Thursday" },
    { .id = "bunsan",
      .title = "分散学習のきほん",
      .path = "/home/ana/bunsan.yaml",
      .questions = 1000,
      .seen = 301,
      .fresh = 699,
      .right = 104,
      .mastered = 6 },
    { .id = NULL,
      .title = NULL,
      .path = "/home/ana/draft.yaml",
      .problem = "line 12: the key \"explaination\" is not known; did you mean \"explanation\"?" },
};
static const struct library_model mixed = { .learner = "Ana", .count = 5, .rows = packs };
static const struct library_model library = { .learner = "Ana", .count = 3, .rows = packs };
static const struct library_model empty = { .learner = "Ana" };

static const struct summary_topic topics[] = { { "pipeline", 4, 5 }, { "data", 4, 4 }, { "tensor", 1, 3 } };
static const struct summary_miss misses[] = {
    { "What does a tensor-parallel layer exchange in every forward pass?",
      "Partial results, by an all-reduce", "gradients" },
    { "A model of 30 billion parameters does not fit on one device, and the links between the devices are "
      "slow. Which "
      "split asks least of the links?",
      "Into stages of whole layers, one stage a device, with many microbatches in flight",
      "Inside every layer, with a slice of each matrix on each device" },
    { "Which share of the step is bubble, with 4 stages and 12 microbatches?", "3 of 15", NULL },
};
static const struct summary_model summary = {
    .title = "Training Across Many Devices",
    .learner = "Ana",
    .asked = 12,
    .right = 9,
    .partly = 1,
    .wrong = 1,
    .skipped = 1,
    .first_try = 9,
    .mark = 9.5,
    .marks = 12,
    .finished = true,
    .elapsed_ms = 400000,
    .undone = 1,
    .of = 12,
    .topic_count = 3,
    .miss_count = 3,
    .topics = topics,
    .misses = misses,
    .next = "Next: 3 come back tomorrow, 9 within the week.",
};

static void ask(struct view *view, const struct question_model *question)
{
    static struct question_model kept;
    kept = *question;
    view->question = &kept;
    view_show(view, SCREEN_QUESTION);
}

static void tell(struct view *view, struct result_model result)
{
    static struct result_model kept;
    kept = result;
    view->result = &kept;
    view_show(view, SCREEN_RESULT);
}

static void set_question(struct view *view)
{
    ask(view, &stages);
}

static void set_result(struct view *view)
{
    tell(view, stages_result());
}

static void set_many(struct view *view)
{
    ask(view, &replicas);
}

static void set_partly(struct view *view)
{
    tell(view, replicas_result());
}

static void set_truth(struct view *view)
{
    ask(view, &truth);
}

static void set_right(struct view *view)
{
    tell(view, truth_result(VERDICT_RIGHT));
}

static void set_skipped(struct view *view)
{
    struct result_model result = truth_result(VERDICT_SKIPPED);
    result.last = true;
    tell(view, result);
}

static void set_cjk(struct view *view)
{
    ask(view, &cjk);
}

static void set_crowded(struct view *view)
{
    struct question_model question = crowded();
    ask(view, &question);
}

static void set_crowded_result(struct view *view)
{
    tell(view, crowded_result());
}

static void set_endless(struct view *view)
{
    struct question_model question = endless();
    ask(view, &question);
}

static void set_endless_result(struct view *view)
{
    struct result_model result = stages_result();
    result.question = endless();
    tell(view, result);
}

static void set_home(struct view *view)
{
    view->library = &library;
    view_show(view, SCREEN_HOME);
}

static void set_mixed(struct view *view)
{
    view->library = &mixed;
    view_show(view, SCREEN_HOME);
}

static void set_empty(struct view *view)
{
    view->library = &empty;
    view_show(view, SCREEN_HOME);
}

static void set_summary(struct view *view)
{
    view->summary = &summary;
    view_show(view, SCREEN_SUMMARY);
}

static void set_left_early(struct view *view)
{
    static struct summary_model early;
    early = summary;
    early.finished = false;
    early.asked = early.right = early.first_try = 2;
    early.partly = early.wrong = early.skipped = early.undone = early.topic_count = early.miss_count = 0;
    early.mark = early.marks = 2;
    early.elapsed_ms = 3999000;
    view->summary = &early;
    view_show(view, SCREEN_SUMMARY);
}

/* ---- practice: certainty, marks of a question, what was forgotten ---- */

static void set_certainty(struct view *view)
{
    struct question_model question = stages;
    question.certainty = true;
    question.starred = true;
    ask(view, &question);
}

static void set_crowded_certainty(struct view *view)
{
    struct question_model question = crowded();
    question.certainty = true;
    question.starred = question.suspended = true;
    ask(view, &question);
}

static void set_certain(struct view *view)
{
    struct result_model result = stages_result();
    result.question.starred = true;
    result.certainty = 3;
    result.certainty_mark = -6;
    result.comes_again = "comes again in 10 minutes";
    tell(view, result);
}

static void set_aided(struct view *view)
{
    struct result_model result = stages_result();
    result.certainty = 3;
    result.no_certainty = "its answer was seen before";
    result.comes_again = "comes again tomorrow";
    tell(view, result);
}

static void set_partly_sure(struct view *view)
{
    struct result_model result = replicas_result();
    result.certainty = 2;
    result.certainty_mark = -0.5;
    result.comes_again = "comes again tomorrow";
    tell(view, result);
}

static void set_forgotten(struct view *view)
{
    struct result_model result = stages_result();
    result.lapses = 8;
    result.comes_again = "comes again in 10 minutes";
    tell(view, result);
}

static void set_suspended(struct view *view)
{
    struct result_model result = stages_result();
    result.lapses = 8;
    result.question.starred = result.question.suspended = true;
    tell(view, result);
}

static void set_sure_summary(struct view *view)
{
    static struct summary_model sure;
    sure = summary;
    sure.sure = 12;
    sure.certainty_marks = 14;
    view->summary = &sure;
    view_show(view, SCREEN_SUMMARY);
}

/* ---- sections ---- */

static const char cluster_intro[] =
    "A cluster has 8 machines with 8 devices each. Inside a machine any two devices exchange 300 GB a "
    "second; "
    "from machine to machine it is 25 GB a second, shared by all 8.\n\nA model of 30 billion parameters is "
    "trained "
    "on it in 16-bit floats, with an optimizer that keeps 12 bytes more for each parameter.";
static const char cluster_figure[] = "machine 1           machine 2\n"
                                     "[d1]=[d2]=...=[d8]  [d1]=[d2]=...=[d8]\n"
                                     "        |                   |\n"
                                     "        +------ 25 GB/s ----+-- ...";

static struct question_model clustered(void)
{
    struct question_model question = {
        .pack = "training-across-many-devices",
        .pack_title = "Training Across Many Devices",
        .learner = "Ana",
        .question = "split",
        .type = "single-choice",
        .number = 5,
        .of = 12,
        .answered = 4,
        .prompt = "Which split should stay inside a machine?",
        .choice_count = 3,
        .choices = { "The one into slices of every layer", "The one into stages of whole layers",
                     "The one of the batch over replicas" },
        .hints_left = 1,
        .section = "A cluster of 64 devices",
        .intro = cluster_intro,
    };
    return question;
}

static void set_section(struct view *view)
{
    struct question_model question = clustered();
    ask(view, &question);
}

static void set_section_figure(struct view *view)
{
    struct question_model question = clustered();
    question.intro_figure = cluster_figure;
    ask(view, &question);
}

static void set_section_title(struct view *view)
{
    struct question_model question = clustered();
    question.intro = NULL;
    ask(view, &question);
}

static void set_section_result(struct view *view)
{
    struct result_model result = {
        .question = clustered(),
        .verdict = VERDICT_RIGHT,
        .mark = 1,
        .marks = 1,
        .picked = { true },
        .right = { true },
        .explanation =
            "Slices exchange partial results in every layer, forward and backward: that needs the fast "
            "links.",
        .source = "Shoeybi et al., Megatron-LM, 2019, section 3",
    };
    result.question.intro_figure = cluster_figure;
    tell(view, result);
}

/* ---- an exam ---- */

static const struct overview_row overview_rows[] = {
    { "Which strategy splits whole layers into stages?", "Strategies", true, false, false },
    { "What does a tensor-parallel layer exchange in every forward pass, and between which devices?",
      "Strategies", true, false, true },
    { "An all-reduce can be built of a reduce-scatter and an all-gather.", "Strategies", false, false,
      false },
    { "Four devices train one model with plain data parallelism. What does every one of them hold in full?",
      "Strategies", true, false, false },
    { "Which split should stay inside a machine?", "A cluster of 64 devices", false, true, false },
    { "Which share of the step is bubble, with 4 stages and 12 microbatches?", "A cluster of 64 devices",
      true, false, false },
    { "What is exchanged between two stages?", "A cluster of 64 devices", false, false, true },
    { "Which communication is felt first when the links between machines are halved in speed?",
      "A cluster of 64 devices", false, false, false },
};

static const struct overview_model overview = {
    .title = "Training Across Many Devices",
    .learner = "Ana",
    .time_left = "24 min left",
    .count = 8,
    .answered = 4,
    .open = 3,
    .flagged = 2,
    .blank = 1,
    .rows = overview_rows,
};

static struct question_model exam_question(void)
{
    struct question_model question = stages;
    question.hints_left = 0;
    question.can_undo = false;
    question.exam = true;
    question.time_left = "24 min left";
    question.number = 3;
    question.of = 8;
    question.answered = 4;
    return question;
}

static void sit(struct view *view, const struct question_model *question)
{
    view->overview = &overview;
    ask(view, question);
}

static void set_exam(struct view *view)
{
    struct question_model question = exam_question();
    question.flagged = question.has_response = question.given[1] = true;
    sit(view, &question);
}

static void set_exam_fresh(struct view *view)
{
    struct question_model question = exam_question();
    question.time_left = NULL;
    question.number = 8;
    sit(view, &question);
}

static void set_exam_blank(struct view *view)
{
    struct question_model question = replicas;
    question.again = false;
    question.hints_left = question.hint_count = 0;
    question.exam = question.has_response = true;
    question.time_left = "less than a minute left";
    question.number = 104;
    question.of = 120;
    sit(view, &question);
}

static void set_exam_section(struct view *view)
{
    struct question_model question = clustered();
    question.exam = question.flagged = question.certainty = true;
    question.intro_figure = cluster_figure;
    question.time_left = "1 h 24 min left";
    sit(view, &question);
}

static void set_exam_begin(struct view *view)
{
    set_home(view);
    view->resume_note =
        "Training Across Many Devices: 30 questions in 60 minutes, extended from 30.\n\nNothing is "
        "said of right and wrong before the end. The time runs on while you are away. To pass "
        "takes 60%.";
    view_open(view, OVERLAY_EXAM);
}

static void set_overview(struct view *view)
{
    view->overview = &overview;
    view->exam_row = 1;
    view_show(view, SCREEN_OVERVIEW);
}

enum { MANY_ROWS = 120 };

static void set_overview_long(struct view *view)
{
    static struct overview_row rows[MANY_ROWS];
    static struct overview_model model;
    for (int i = 0; i < MANY_ROWS; i++) {
        rows[i] = overview_rows[i % 8];
        if (i % 8 == 6)
            rows[i].prompt =
                "どの方法がモデルの層をそのままの単位でいくつかの段に分けるか。また、その理由は何か。";
        rows[i].section = i < 40 ? NULL : i < 80 ? "Strategies" : "A cluster of 64 devices";
    }
    model = overview;
    model.rows = rows;
    model.count = MANY_ROWS;
    model.answered = 60;
    model.open = 45;
    model.blank = 15;
    model.flagged = 30;
    model.extended = "180 min, extended from 120";
    model.time_left = "2 h 55 min left";
    view->overview = &model;
    view->exam_row = 104;
    view_show(view, SCREEN_OVERVIEW);
}

static const struct paper_section paper_sections[] = { { "Strategies", 13, 16 },
                                                       { "A cluster of 64 devices", 8, 14 } };

static void set_paper(struct view *view)
{
    static struct result_model results[8];
    static struct paper_model paper;
    for (int i = 0; i < 8; i++) {
        results[i] = i % 4 == 0   ? stages_result()
                     : i % 4 == 1 ? replicas_result()
                     : i % 4 == 2 ? truth_result(VERDICT_RIGHT)
                                  : truth_result(VERDICT_SKIPPED);
        results[i].question.exam = true;
        results[i].question.section = i < 4 ? "Strategies" : "A cluster of 64 devices";
        results[i].question.intro = i < 4 ? NULL : cluster_intro;
        results[i].question.number = i + 1;
        results[i].question.of = 8;
        results[i].question.hint_count = 0;
    }
    paper = (struct paper_model){
        .title = "Training Across Many Devices",
        .learner = "Ana",
        .mark = 21,
        .marks = 30,
        .right = 2,
        .partly = 2,
        .wrong = 2,
        .omitted = 2,
        .has_pass = true,
        .passed = true,
        .pass = 60,
        .elapsed_ms = 1300000,
        .section_count = 2,
        .sections = paper_sections,
        .count = 8,
        .results = results,
    };
    view->paper = &paper;
    view_show(view, SCREEN_PAPER);
}

static void set_paper_failed(struct view *view)
{
    static struct result_model results[3];
    static struct paper_model paper;
    results[0] = crowded_result();
    results[1] = stages_result();
    results[2] = truth_result(VERDICT_SKIPPED);
    for (int i = 0; i < 3; i++) {
        results[i].question.exam = true;
        results[i].question.hint_count = 0;
        results[i].certainty = i < 2 ? 3 : 0;
        results[i].certainty_mark = i < 2 ? -6 : 0;
    }
    paper = (struct paper_model){
        .title = "Collective communication, with all its names and what each of them is for",
        .learner = "Maximiliane von Hohenstein-Sigmaringen",
        .note = "Time was up at 14:05.",
        .marks = 1000000,
        .wrong = 2,
        .omitted = 1,
        .has_pass = true,
        .pass = 66.67,
        .elapsed_ms = 7200000,
        .count = 3,
        .results = results,
        .sure = 2,
        .certainty_marks = -12,
    };
    view->paper = &paper;
    view_show(view, SCREEN_PAPER);
}

/* ---- the learner's own screen ---- */

static const struct progress_topic progress_topics[] = { { "collectives", 9, 7, 1 },
                                                         { "tensor parallelism", 8, 8, 3 },
                                                         { "pipeline", 10, 7, 6 },
                                                         { "data parallelism", 7, 4, 7 } };

static struct progress_model practised(void)
{
    static const char *const days[] = {
        "today",      "Tue 1 Dec",  "Wed 2 Dec",  "Thu 3 Dec",  "Fri 4 Dec",
        "Sat 5 Dec",  "Sun 6 Dec",  "Mon 7 Dec",  "Tue 8 Dec",  "Wed 9 Dec",
        "Thu 10 Dec", "Fri 11 Dec", "Sat 12 Dec", "Sun 13 Dec", "Mon 14 Dec"
    };
    static const char *const gone[] = { "Tue 17 Nov", "Wed 18 Nov", "Thu 19 Nov", "Fri 20 Nov", "Sat 21 Nov",
                                        "Sun 22 Nov", "Mon 23 Nov", "Tue 24 Nov", "Wed 25 Nov", "Thu 26 Nov",
                                        "Fri 27 Nov", "Sat 28 Nov", "Sun 29 Nov", "today" };
    static const int due[] = { 12, 5, 3, 0, 7, 1, 0, 0, 4, 2, 0, 0, 0, 9, 1 };
    static const int answered[] = { 0, 14, 22, 0, 0, 31, 8, 12, 0, 17, 20, 25, 12, 9 };
    static const int right[] = { 0, 7, 13, 0, 0, 22, 7, 8, 0, 14, 15, 22, 12, 8 };
    struct progress_model progress = {
        .learner = "Ana",
        .next = "Practise the 12 that are due: Training Across Many Devices, 8 minutes.",
        .due = 12,
        .streak = 5,
        .longest = 9,
        .day_count = PROGRESS_DAYS,
        .topic_count = 4,
        .topics = progress_topics,
    };
    for (int i = 0; i < PROGRESS_DAYS; i++)
        progress.past[i] = (struct progress_day){
            .label = gone[i], .answered = answered[i], .right = right[i], .minutes = (answered[i] * 2 + 2) / 3
        };
    for (int i = 0; i <= PROGRESS_DAYS; i++)
        progress.coming[i] = (struct progress_day){ .label = days[i], .due = due[i] };
    return progress;
}

static void set_progress(struct view *view)
{
    static struct progress_model progress;
    progress = practised();
    view->progress = &progress;
    view_show(view, SCREEN_PROGRESS);
}

static void set_progress_large(struct view *view)
{
    static struct progress_model progress;
    progress = practised();
    progress.due = progress.coming[0].due = 1000000;
    progress.streak = 10000;
    for (int i = 0; i < PROGRESS_DAYS; i++) {
        progress.past[i].answered *= 10000;
        progress.past[i].right *= 10000;
        progress.past[i].minutes *= 100;
    }
    view->progress = &progress;
    view_show(view, SCREEN_PROGRESS);
}

static void set_progress_fresh(struct view *view)
{
    static struct progress_model progress;
    progress = practised();
    progress.next = "Begin with A tour of quiztutor: 9 new questions.";
    progress.due = progress.streak = progress.longest = progress.topic_count = progress.day_count = 0;
    for (int i = 0; i <= PROGRESS_DAYS; i++)
        progress.coming[i].due = 0;
    view->progress = &progress;
    view_show(view, SCREEN_PROGRESS);
}

/* ---- a preview ---- */

static const char *const preview_answer[] = { "Pipeline parallelism" };

static struct preview_model stages_preview(void)
{
    static const char *const hints[] = { "A stage has whole layers.", "Which one hands activations on?" };
    struct preview_model preview = {
        .file = "content/many-devices.yaml",
        .question = stages,
        .right = { [2] = true },
        .feedback = { "It copies the whole model to every device.",
                      "It cuts inside a layer: each device holds a slice of it." },
        .misconception = { [1] = "tensor-for-pipeline" },
        .answer_count = 1,
        .answer = preview_answer,
        .explanation = stages_result().explanation,
        .explanation_figure = timetable,
        .source = "Huang et al., GPipe, 2019, section 2",
        .facts = "stages, line 34; tags: pipeline, strategies",
    };
    preview.question.learner = NULL;
    preview.question.hints_left = 0;
    preview.question.hint_count = 2;
    preview.question.hints = hints;
    return preview;
}

static void set_preview(struct view *view)
{
    static struct preview_model preview;
    preview = stages_preview();
    view->preview = &preview;
    view_show(view, SCREEN_PREVIEW);
}

/* Several right ones, a section, pinned choices, a warning; the file is gone meanwhile. */
static void set_preview_many(struct view *view)
{
    static const struct preview_fault warning = {
        .place = "line 61, column 9",
        .message = "a misconception on a correct choice is never reported [misconception-of-correct]",
        .hint = "move it to a wrong choice",
        .source = "        misconception: all-to-all",
        .column = 8,
    };
    static struct preview_model preview;
    preview = (struct preview_model){
        .file = "content/many-devices.yaml",
        .question = replicas,
        .right = { true, false, true, true },
        .feedback = { [1] = "The batch is what data parallelism splits: each device sees its own share." },
        .misconception = { "all-to-all", [4] = "activations-are-shared" },
        .pin = { [4] = "last" },
        .explanation = "Parameters, gradients and optimizer state are copied to every device.",
        .facts = "replicas, line 55; 2 marks; net-correct",
        .warning_count = 1,
        .warnings = &warning,
        .note = "the file is gone",
    };
    preview.question.learner = NULL;
    preview.question.again = false;
    preview.question.section = "A cluster of 64 devices";
    preview.question.intro = cluster_intro;
    view->preview = &preview;
    view_show(view, SCREEN_PREVIEW);
}

static void set_preview_truth(struct view *view)
{
    static struct preview_model preview;
    preview = (struct preview_model){
        .file = "tour.yaml",
        .question = truth,
        .right = { true },
        .wrong_feedback = "It is stored first, so that whatever happens while you read can't lose it.",
        .wrong_misconception = "screen-before-disk",
        .explanation = "By the time you read this your answer is safe on the disk.",
        .facts = "stored, line 104",
    };
    preview.question.learner = NULL;
    view->preview = &preview;
    view_show(view, SCREEN_PREVIEW);
}

static void set_preview_faults(struct view *view)
{
    static const struct preview_fault faults[] = {
        { .place = "line 7, column 13",
          .message = "prompt: a text that holds \": \" must stand in quotes [colon-in-text]",
          .hint = "write prompt: \"What is: this\"",
          .source = "    prompt: What is: this",
          .column = 12 },
        { .place = "line 12, column 98",
          .message = "a question has no key \"explaination\" [unknown-key]",
          .hint = "did you mean \"explanation\"?",
          .source = "  - { id: long, prompt: Which of these strategies splits whole layers into stages?, "
                    "true_false: true, "
                    "explaination: Because. }",
          .column = 97 },
    };
    static struct preview_model preview;
    preview = (struct preview_model){
        .file = "content/many-devices.yaml",
        .question = { .pack_title = "Training Across Many Devices" },
        .fault_count = 2,
        .faults = faults,
        .faults_more = 3,
    };
    view->preview = &preview;
    view_show(view, SCREEN_PREVIEW);
}

/* The author tries the question as learners are asked it. */
static void set_tried(struct view *view)
{
    static struct question_model question;
    question = stages;
    question.learner = NULL;
    question.can_undo = false;
    question.tried = true;
    view->question = &question;
    view_show(view, SCREEN_QUESTION);
}

static void set_tried_result(struct view *view)
{
    static struct result_model result;
    result = stages_result();
    result.question.learner = NULL;
    result.question.tried = true;
    view->result = &result;
    view_show(view, SCREEN_RESULT);
}

static void set_not_stored(struct view *view)
{
    set_question(view);
    view->notice = "no room on the disk: /home/ana/.local/share/quiztutor/store.db; free some and try again";
    view_open(view, OVERLAY_NOT_STORED);
}

static void set_notice(struct view *view)
{
    set_home(view);
    view->notice = "2 questions of the unfinished session are gone from the pack and were left out.";
    view_open(view, OVERLAY_NOTICE);
}

static void set_nothing(struct view *view)
{
    set_home(view);
    view->notice = "Nothing is due until tomorrow at 04:00. 17 new ones wait for tomorrow.";
    view_open(view, OVERLAY_NOTHING);
}

static void set_home_exams(struct view *view)
{
    set_home(view);
    view->exams = true;
}

static void set_resume(struct view *view)
{
    set_home(view);
    view->resume_note = "3 of 12 answered, begun on 2026-11-30 at 14:05";
    view_open(view, OVERLAY_RESUME);
}

const struct scene scenes[] = {
    { "question", set_question, "2" },
    { "question-fresh", set_question, "^E" },
    { "explanation", set_result, "" },
    { "explanation-end", set_result, "^T" },
    { "many", set_many, "14^D" },
    { "partly", set_partly, "" },
    { "truth", set_truth, "f" },
    { "right", set_right, "" },
    { "skipped", set_skipped, "" },
    { "cjk", set_cjk, "2" },
    { "crowded", set_crowded, "12^R" },
    { "crowded-end", set_crowded, "26^T^N" },
    { "crowded-result", set_crowded_result, "" },
    { "crowded-result-page", set_crowded_result, "^N^R" },
    { "endless", set_endless, "3^N" },
    { "endless-result", set_endless_result, "" },
    { "home", set_home, "" },
    { "home-mixed", set_mixed, "" },
    { "home-problem", set_mixed, "^T" },
    { "home-empty", set_empty, "" },
    { "filter", set_home, "/col" },
    { "filter-none", set_home, "/zz" },
    { "filtered", set_home, "/TOUR^E" },
    { "about", set_home, "i" },
    { "learner", set_home,
      "lAnna Mari\xcc\x81"
      "a 花子^L^L" },
    { "summary", set_summary, "" },
    { "summary-end", set_summary, "^T" },
    { "summary-early", set_left_early, "" },
    { "keys", set_question, "?" },
    { "keys-result", set_result, "?" },
    { "finish", set_question, "2q" },
    { "report", set_result, "!The second answer is right too, if the layer is a mixture of experts" },
    { "not-stored", set_not_stored, "" },
    { "give-up", set_not_stored, "q" },
    { "notice", set_notice, "" },
    { "resume", set_resume, "" },
    { "nothing", set_nothing, "" },
    { "home-exams", set_home_exams, "" },
    { "certainty", set_certainty, "2^E3" },
    { "certainty-fresh", set_certainty, "2^E^E" },
    { "certainty-crowded", set_crowded_certainty, "12^E^D" },
    { "certain", set_certain, "" },
    { "aided", set_aided, "" },
    { "partly-sure", set_partly_sure, "" },
    { "forgotten", set_forgotten, "" },
    { "suspended", set_suspended, "" },
    { "summary-sure", set_sure_summary, "" },
    { "section", set_section, "2" },
    { "section-figure", set_section_figure, "2^N" },
    { "section-title", set_section_title, "2" },
    { "section-result", set_section_result, "" },
    { "exam", set_exam, "" },
    { "exam-changed", set_exam, "3n" },
    { "exam-fresh", set_exam_fresh, "" },
    { "exam-blank", set_exam_blank, "" },
    { "exam-section", set_exam_section, "2" },
    { "exam-certainty", set_exam_section, "2^E1" },
    { "exam-keys", set_exam, "?" },
    { "exam-begin", set_exam_begin, "" },
    { "hand-in", set_exam, "q" },
    { "hand-in-unnoted", set_exam_fresh, "1q" },
    { "overview", set_overview, "" },
    { "overview-long", set_overview_long, "" },
    { "overview-end", set_overview_long, "^T!" },
    { "overview-hand-in", set_overview, "q" },
    { "paper", set_paper, "" },
    { "paper-question", set_paper, "nn" },
    { "paper-missed", set_paper, "mmm" },
    { "paper-end", set_paper, "^T" },
    { "paper-failed", set_paper_failed, "" },
    { "paper-crowded", set_paper_failed, "n^R" },
    { "progress", set_progress, "" },
    { "progress-end", set_progress, "^T" },
    { "progress-large", set_progress_large, "" },
    { "progress-fresh", set_progress_fresh, "" },
    { "preview", set_preview, "" },
    { "preview-end", set_preview, "^T^R" },
    { "preview-many", set_preview_many, "" },
    { "preview-warned", set_preview_many, "^T" },
    { "preview-truth", set_preview_truth, "n" },
    { "preview-faults", set_preview_faults, "" },
    { "preview-keys", set_preview, "?" },
    { "tried", set_tried, "2" },
    { "tried-keys", set_tried, "?" },
    { "tried-result", set_tried_result, "" },
    { "number", set_number, "" },
    { "number-filled", set_number, "0.1875^L" },
    { "number-left", set_number, "0.1875^X" },
    { "number-remark", set_number_remark, "" },
    { "number-keys", set_number, "^1" },
    { "number-exam", set_number_exam, "" },
    { "number-exam-changed", set_number_exam, "3" },
    { "number-sure", set_number_sure, "0.158^E2" },
    { "number-wrong", set_number_wrong, "" },
    { "number-right", set_number_right, "" },
    { "text", set_text,
      "all-r\xc3\xa9"
      "duce 集合e\xcc\x81" },
    { "text-long", set_text,
      "an answer that goes on and on, far beyond what one line of any ordinary window has room for, or two" },
    { "text-near", set_text_near, "" },
    { "text-report", set_text, "all-reduce^X!The prompt names no operation" },
    { "text-exam", set_text_exam, "" },
    { "text-blank", set_text_blank, "" },
    { "text-wrong", set_text_wrong, "" },
    { "text-skipped", set_text_skipped, "" },
    { "order", set_order, "" },
    { "order-lifted", set_order, "^D^D ^U" },
    { "order-as-shown", set_order, "^E" },
    { "order-long", set_order_long, "^T 5" },
    { "order-exam", set_order_exam, "" },
    { "order-exam-changed", set_order_exam, "J" },
    { "order-partly", set_order_partly, "" },
    { "order-right", set_order_right, "" },
    { "order-long-wrong", set_order_long_wrong, "" },
    { "match", set_match, "" },
    { "match-given", set_match, "35" },
    { "match-targets", set_match, "3 ^D" },
    { "match-gaps", set_match, "351^E" },
    { "match-many", set_match_many, "12" },
    { "match-many-targets", set_match_many, "1^D ^T" },
    { "match-exam", set_match_exam, "^D" },
    { "match-partly", set_match_partly, "" },
    { "match-many-wrong", set_match_many_wrong, "" },
    { "card", set_card, "" },
    { "card-turned", set_card, " " },
    { "card-graded", set_card, " 3" },
    { "card-tried", set_card_tried, "^E^D^D" },
    { "card-hard", set_card_hard, "" },
    { "paper-ways", set_paper_ways, "" },
    { "paper-ways-order", set_paper_ways, "nnn" },
    { "preview-number", set_preview_number, "" },
    { "preview-order", set_preview_order, "" },
    { "preview-match", set_preview_match, "" },
    { "preview-card", set_preview_card, "" },
    { "markup", set_markup, "2" },
    { "markup-result", set_markup_result, "" },
    { "markup-result-end", set_markup_result, "^R^T" },
    { "table-class", set_table_class, "" },
    { "table-sorted", set_table_class, ">>>>>>r^D^D" },
    { "table-filter", set_table_class, "/a" },
    { "table-filtered", set_table_class, "/an^E" },
    { "table-none", set_table_class, "/zzz" },
    { "table-sideways", set_table_class, "^R^R^R^R^R^R" },
    { "table-absent", set_table_absent, "" },
    { "table-empty", set_table_empty, "" },
    { "table-export", set_table_class, "e" },
    { "table-notes", set_table_learner, "i" },
    { "table-row", set_table_items, "d" },
    { "table-keys", set_table_learner, "?" },
    { "table-learner", set_table_learner, "" },
    { "table-items", set_table_items, "" },
    { "table-items-flags", set_table_items, "^R^R^R^R^R^R^R^R" },
    { "table-choices", set_table_choices, "" },
    { "sign-in", set_sign_in, "" },
    { "sign-in-names", set_sign_in, "an^D^D^D" },
    { "sign-in-bare", set_sign_in_bare, "Lea" },
    { "sign-in-remark", set_sign_in_remark, "" },
    { "sign-in-pin", set_sign_in_pin, "12345^L" },
    { "sign-in-wait", set_sign_in_wait, "" },
    { "sign-in-keys", set_sign_in, "a^1" },
    { "kiosk-home", set_kiosk_home, "" },
    { "kiosk-home-row", set_kiosk_home, "^D" },
    { "kiosk-home-empty", set_kiosk_home_empty, "" },
    { "kiosk-home-keys", set_kiosk_home, "?" },
    { "kiosk-question", set_kiosk_question, "2" },
    { "kiosk-exam", set_kiosk_exam, "" },
    { "kiosk-idle", set_kiosk_idle, "" },
    { "kiosk-code", set_kiosk_code, "a secret" },
    { "kiosk-not-stored", set_kiosk_not_stored, "" },
    { "kiosk-not-stored-code", set_kiosk_not_stored, "^9open" },
    { "kiosk-not-stored-back", set_kiosk_not_stored, "^9open^X" },
    { "large-sign-in", set_large_sign_in, "an^D" },
    { "large-pin", set_large_pin, "" },
    { "large-home", set_large_home, "^D" },
    { "large-question", set_large_question, "2" },
    { "large-finish", set_large_question, "q" },
    { "large-idle", set_large_idle, "" },
    { "call", set_call, "" },
    { "call-end", set_call, "^T" },
    { "menu", set_menu, "" },
    { "menu-ask", set_menu, "^D^D^E" },
    { "menu-end", set_menu, "^T" },
    { "menu-stake", set_menu_stake, "^E" },
};
const int scene_count = (int)(sizeof scenes / sizeof *scenes);

static int32_t special(char letter)
{
    switch (letter) {
    case 'D':
        return KEY_CODE_DOWN;
    case 'U':
        return KEY_CODE_UP;
    case 'L':
        return KEY_CODE_LEFT;
    case 'R':
        return KEY_CODE_RIGHT;
    case 'E':
        return KEY_CODE_ENTER;
    case 'X':
        return KEY_CODE_ESCAPE;
    case 'N':
        return KEY_CODE_PAGE_DOWN;
    case 'P':
        return KEY_CODE_PAGE_UP;
    case 'H':
        return KEY_CODE_HOME;
    case 'T':
        return KEY_CODE_END;
    case 'B':
        return KEY_CODE_BACKSPACE;
    case '1':
    case '2':
    case '3':
    case '4':
    case '9':
        return KEY_CODE_F1 + letter - '1';
    default:
        return 0;
    }
}

void scene_type(struct view *view, const char *keys, struct effect *effect)
{
    struct grid grid;
    bool drawn = grid_init(&grid, view->rows, view->columns);
    assert(drawn);
    *effect = (struct effect){ 0 };
    while (*keys) {
        struct input input = { .kind = INPUT_KEY };
        int bytes = text_decode(keys, (ptrdiff_t)strlen(keys), &input.key);
        if (*keys == '^' && keys[1]) {
            input.key = special(keys[1]);
            bytes = 2;
        }
        keys += bytes;
        view_draw(view, &grid);
        view_update(view, &input, effect);
        if (effect->kind == EFFECT_READ) /* it can be read, says the application */
            view_open(view, OVERLAY_CERTAINTY);
    }
    grid_finish(&grid);
}

void scene_start(const struct scene *scene, struct view *view, enum sign_set signs, int rows, int columns)
{
    struct effect effect;
    view_init(view, signs, rows, columns);
    scene->set(view);
    scene_type(view, scene->keys, &effect);
}
