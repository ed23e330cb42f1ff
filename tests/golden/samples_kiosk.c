#include "samples_kiosk.h"

#include <stddef.h>

static const struct kiosk_person people[] = {
    { "Ana", "ana" },
    { "Anders Ångström", "anders ångström" },
    { "Anna-Maria Hohenzollern-Sigmaringen von und zu Liechtenstein",
      "anna-maria hohenzollern-sigmaringen von und zu liechtenstein" },
    { "Antonio", "antonio" },
    { "Bea", "bea" },
    { "花子", "花子" },
};
enum { PEOPLE = (int)(sizeof people / sizeof *people) };

static const struct kiosk_model locked = {
    .clock = "14:05",
    .welcome =
        "Room 12. Practise freely until half past two; the exam on pipelines opens after that.\n\nYour "
        "tutor is Ms Okafor, next door.",
    .name_count = PEOPLE,
    .names = people,
};

void set_sign_in(struct view *view)
{
    view->kiosk = &locked;
    view_show(view, SCREEN_SIGN_IN);
}

void set_sign_in_bare(struct view *view)
{
    static const struct kiosk_model bare = { .clock = "14:05",
                                             .banner = "Not locked in, so no exams: call your tutor.",
                                             .brief = "No exams here: call your tutor." };
    view->kiosk = &bare;
    view_show(view, SCREEN_SIGN_IN);
}

void set_sign_in_remark(struct view *view)
{
    set_sign_in(view);
    view_remark(view, "Nobody here has the name \"Anne\". Is it \"Ana\"?");
}

static void ask_pin(struct view *view, const struct kiosk_model *model)
{
    struct effect effect;
    set_sign_in(view);
    view->kiosk = model;
    for (const char *key = "Ana"; *key; key++)
        view_update(view, &(struct input){ .kind = INPUT_KEY, .key = *key }, &effect);
    view_open(view, OVERLAY_PIN);
}

void set_sign_in_pin(struct view *view)
{
    ask_pin(view, &locked);
}

void set_sign_in_wait(struct view *view)
{
    static struct kiosk_model waiting;
    waiting = locked;
    waiting.secret_note = "That was not it. The next try is taken in 28 seconds.";
    ask_pin(view, &waiting);
}

static const struct library_row packs[] = {
    { .id = "pipelines",
      .title = "Pipelines",
      .strapline = "Stages, bubbles and schedules",
      .questions = 12,
      .fresh = 12,
      .exam = "exam until 15:30" },
    { .id = "collectives",
      .title = "Collective communication",
      .questions = 28,
      .seen = 28,
      .right = 28,
      .mastered = 25,
      .until = "due Thursday" },
    { .id = "tour", .title = "A tour of quiztutor", .questions = 9, .fresh = 9 },
};
static const struct library_model offers = { .learner = "Ana", .count = 3, .rows = packs };

static const struct kiosk_model signed_in = { .clock = "14:05", .learner = "Ana" };

void set_kiosk_home(struct view *view)
{
    view->kiosk = &signed_in;
    view->library = &offers;
    view_show(view, SCREEN_HOME);
}

void set_kiosk_home_empty(struct view *view)
{
    static const struct library_model none = { .learner = "Ana" };
    view->kiosk = &signed_in;
    view->library = &none;
    view_show(view, SCREEN_HOME);
}

static const struct question_model question = {
    .pack = "pipelines",
    .pack_title = "Pipelines across many devices",
    .learner = "Ana",
    .question = "stages",
    .number = 3,
    .of = 12,
    .answered = 2,
    .prompt = "Which strategy splits whole layers into stages?",
    .choice_count = 3,
    .choices = { "Data parallelism", "Tensor parallelism", "Pipeline parallelism" },
};

void set_kiosk_question(struct view *view)
{
    static const struct kiosk_model model = { .clock = "14:05",
                                              .learner = "Anna-Maria",
                                              .banner =
                                                  "Answers since 2026-11-30 may be missing: call your tutor.",
                                              .brief = "Answers missing? Call your tutor." };
    view->kiosk = &model;
    view->question = &question;
    view_show(view, SCREEN_QUESTION);
}

void set_kiosk_exam(struct view *view)
{
    static struct question_model exam;
    exam = question;
    exam.exam = true;
    exam.time_left = "24 min left";
    view->kiosk = &signed_in;
    view->question = &exam;
    view_show(view, SCREEN_QUESTION);
}

void set_kiosk_idle(struct view *view)
{
    static const struct kiosk_model model = { .clock = "14:05", .learner = "Ana", .countdown = 17 };
    view->kiosk = &model;
    view->question = &question;
    view_show(view, SCREEN_QUESTION);
}

void set_kiosk_code(struct view *view)
{
    view->kiosk = &signed_in;
    view->question = &question;
    view_show(view, SCREEN_QUESTION);
    view_open(view, OVERLAY_CODE);
}

void set_kiosk_not_stored(struct view *view)
{
    static const struct kiosk_model model = {
        .clock = "14:05",
        .learner = "Ana",
        .banner = "Not stored: answers are kept in memory. Call your tutor.",
        .brief = "Not stored: call your tutor.",
    };
    view->kiosk = &model;
    view->question = &question;
    view_show(view, SCREEN_QUESTION);
    view->notice = "the disk is full";
    view_open(view, OVERLAY_NOT_STORED);
}

void set_large_sign_in(struct view *view)
{
    set_sign_in(view);
    view->large = true;
}

void set_large_pin(struct view *view)
{
    set_sign_in_pin(view);
    view->large = true;
}

void set_large_home(struct view *view)
{
    set_kiosk_home(view);
    view->large = true;
}

void set_large_question(struct view *view)
{
    set_kiosk_question(view);
    view->large = true;
}

void set_large_idle(struct view *view)
{
    set_kiosk_idle(view);
    view->large = true;
}

void set_call(struct view *view)
{
    static const struct kiosk_model model = {
        .clock = "14:05",
        .trouble = "/etc/quiztutor/kiosk.yaml:7:1: error: the key \"wellcome\" is not known; did you mean "
                   "\"welcome\"?\n\n/etc/quiztutor/kiosk.d/exams.yaml:12:11: error: no day \"2026-13-01\"",
    };
    view->kiosk = &model;
    view_show(view, SCREEN_CALL);
}

static void show_menu(struct view *view, const struct kiosk_choice *choices, int count)
{
    static struct kiosk_model model;
    model = (struct kiosk_model){ .clock = "14:05", .choice_count = count, .choices = choices };
    view->kiosk = &model;
    view_show(view, SCREEN_MENU);
}

void set_menu_stake(struct view *view)
{
    static const struct kiosk_choice choices[] = {
        { "Ana is signed in", NULL, "sign out",
          ("Ana is signed out. Everything that was stored is kept, and can be gone on with.\n\nAn answer "
           "that could not be stored is lost then. Everything before it is safe.") },
        { "This machine", NULL, "show", NULL },
    };
    show_menu(view, choices, (int)(sizeof choices / sizeof *choices));
}

void set_menu(struct view *view)
{
    static const struct kiosk_choice choices[] = {
        { "Exam: Pipelines", "open until 15:30", "lock",
          "Nobody can begin this exam until it is opened again." },
        { "Exam: Collective communication, for a class with a long name", "from tomorrow 09:00", "open",
          "Whoever may sit this exam can begin it from now on." },
        { "Anna-Maria: Pipelines", "3 of 12, 24 min left", "5 more minutes",
          "Anna-Maria gets 5 more minutes for this exam." },
        { "Bea: Pipelines", "handed in", "reopen", "Bea can go on with this exam." },
        { "Ana is signed in", NULL, "sign out", "Ana is signed out. Everything that was answered is kept." },
        { "This machine", NULL, "show", NULL },
        { "Leave the kiosk", NULL, "leave",
          "The program ends, and whoever sits here is where it was started." },
    };
    show_menu(view, choices, (int)(sizeof choices / sizeof *choices));
}
