#include "samples.h"

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
      .right = 21,
      .due = 12 },
    { .id = "tour",
      .title = "A tour of quiztutor",
      .strapline = "Learn the tutor by using it",
      .licence = "CC-BY-4.0",
      .path = "/usr/share/quiztutor/content/tour.yaml",
      .questions = 9 },
    { .id = "collectives",
      .title = "Collective communication",
      .path = "/home/ana/collectives.yaml",
      .questions = 28,
      .seen = 28,
      .right = 28 },
    { .id = "bunsan",
      .title = "分散学習のきほん",
      .path = "/home/ana/bunsan.yaml",
      .questions = 1000,
      .seen = 301,
      .right = 104 },
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
