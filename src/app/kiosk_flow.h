/*
 * What a kiosk does next, as a pure state machine: time, configuration and what the store says come in as
 * arguments. Times are ms of a steady clock. Private to app.
 */
#ifndef QUIZTUTOR_KIOSK_FLOW_H
#define QUIZTUTOR_KIOSK_FLOW_H

#include <quiztutor/application.h>
#include <quiztutor/kiosk_config.h>
#include <quiztutor/pin.h>

enum kiosk_state {
    KIOSK_CALL,    /* configuration, packs or store can't be used: a tutor is called */
    KIOSK_SIGN_IN, /* nobody is signed in */
    KIOSK_PIN,     /* somebody has said a name, and not yet shown that it is theirs */
    KIOSK_SERVE,   /* somebody is signed in */
    KIOSK_LEFT,    /* a tutor ended it */
};

enum { KIOSK_BURST = 256, KIOSK_RATE = 64 }; /* inputs that are taken at once, and in each second */

struct kiosk_flow {
    enum kiosk_state state;
    int64_t active;     /* of the last input, or of the state's beginning */
    int64_t idle;       /* ms without input before it is counted down; 0: never */
    int64_t countdown;  /* ms of that */
    int64_t wait_until; /* KIOSK_PIN: no try is taken before; 0: now */
    int64_t flood_at;   /* since then `room` inputs may come */
    int room;
};

void kiosk_flow_init(struct kiosk_flow *flow, int64_t now);

/* What is needed is there, or not: only while nobody is signed in. */
void kiosk_flow_ready(struct kiosk_flow *flow, const struct kiosk_config *config, bool ready, int64_t now);

/* An input came; false: too many of them, pass it over. */
bool kiosk_flow_input(struct kiosk_flow *flow, int64_t now);

/* Seconds until who is signed in is signed out, 0: it is not counted down. */
int kiosk_flow_countdown(const struct kiosk_flow *flow, int64_t now);

/* Time passes: true when it is up for who has said a name or is signed in; they are signed out then. `kept`:
 * something must not be left now (an answer that is not stored). */
bool kiosk_flow_tick(struct kiosk_flow *flow, bool kept, int64_t now);

/* A name was said. `known`: the roster has it. `admitted`: their groups may sign in. `meant`: the same
 * unknown name was said twice. */
enum kiosk_answer {
    KIOSK_ANSWER_UNKNOWN,
    KIOSK_ANSWER_REFUSED, /* not here, says the configuration */
    KIOSK_ANSWER_NEW,     /* nobody has this name yet: is it meant? */
    KIOSK_ANSWER_NO_PIN,  /* one is required, and none is set */
    KIOSK_ANSWER_ASK_PIN,
    KIOSK_ANSWER_WELCOME,
};
struct kiosk_said {
    bool known, admitted, meant;
    struct pin_state pin;
};
enum kiosk_answer kiosk_flow_name(struct kiosk_flow *flow, const struct kiosk_config *config,
                                  const struct kiosk_said *said, int64_t now);

/* A PIN was tried; true when they are in. */
bool kiosk_flow_tried(struct kiosk_flow *flow, enum pin_outcome outcome, const struct pin_state *state,
                      int64_t now);
/* Seconds before the next try is taken. */
int kiosk_flow_wait(const struct kiosk_flow *flow, int64_t now);

/* They went back, or signed out; a tutor ends it all. */
void kiosk_flow_out(struct kiosk_flow *flow, int64_t now);
void kiosk_flow_leave(struct kiosk_flow *flow);

/*
 * Whether an exam can be begun by who is signed in. `opened`: a tutor's own word, that holds over the window
 * (1 open, −1 locked, 0 none). `sat`: handed in already, and not opened again since. `holds`: the kiosk is
 * locked in; exams are not begun otherwise.
 */
bool kiosk_flow_exam(const struct kiosk_exam *exam, int64_t wall, const char *const *groups, int group_count,
                     int opened, bool sat, bool holds);

#endif
