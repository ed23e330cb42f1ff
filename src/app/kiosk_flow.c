#include "kiosk_flow.h"

enum { SECOND_MS = 1000, MINUTE_MS = 60000 };

static void enter(struct kiosk_flow *flow, enum kiosk_state state, int64_t now)
{
    flow->state = state;
    flow->active = now;
    flow->wait_until = 0;
}

void kiosk_flow_init(struct kiosk_flow *flow, int64_t now)
{
    *flow = (struct kiosk_flow){ .state = KIOSK_CALL, .active = now, .flood_at = now, .room = KIOSK_BURST };
}

void kiosk_flow_ready(struct kiosk_flow *flow, const struct kiosk_config *config, bool ready, int64_t now)
{
    if (flow->state != KIOSK_CALL && flow->state != KIOSK_SIGN_IN)
        return;
    enum kiosk_state state = ready ? KIOSK_SIGN_IN : KIOSK_CALL;
    if (ready) {
        flow->idle = config->idle * (int64_t)MINUTE_MS;
        flow->countdown = config->countdown * (int64_t)SECOND_MS;
    }
    if (state != flow->state)
        enter(flow, state, now);
}

bool kiosk_flow_input(struct kiosk_flow *flow, int64_t now)
{
    int64_t passed = now - flow->flood_at;
    if (passed > SECOND_MS * KIOSK_BURST / KIOSK_RATE || passed < 0) {
        flow->room = KIOSK_BURST;
        flow->flood_at = now;
    } else {
        int64_t come = passed * KIOSK_RATE / SECOND_MS;
        flow->room = flow->room + come > KIOSK_BURST ? KIOSK_BURST : flow->room + (int)come;
        flow->flood_at += come * SECOND_MS / KIOSK_RATE;
    }
    flow->active = now;
    if (flow->room <= 0)
        return false;
    flow->room--;
    return true;
}

static bool is_somebody(const struct kiosk_flow *flow)
{
    return flow->state == KIOSK_SERVE || flow->state == KIOSK_PIN;
}

int kiosk_flow_countdown(const struct kiosk_flow *flow, int64_t now)
{
    int64_t left = flow->active + flow->idle + flow->countdown - now;
    if (flow->state != KIOSK_SERVE || flow->idle <= 0 || now - flow->active < flow->idle)
        return 0;
    return left <= 0 ? 1 : (int)((left + SECOND_MS - 1) / SECOND_MS);
}

bool kiosk_flow_tick(struct kiosk_flow *flow, bool kept, int64_t now)
{
    int64_t grace = flow->state == KIOSK_SERVE ? flow->countdown : 0;
    if (!is_somebody(flow) || flow->idle <= 0 || now - flow->active < flow->idle + grace)
        return false;
    if (kept) { /* asked again once that is settled: the countdown begins anew */
        flow->active = now;
        return false;
    }
    enter(flow, KIOSK_SIGN_IN, now);
    return true;
}

enum kiosk_answer kiosk_flow_name(struct kiosk_flow *flow, const struct kiosk_config *config,
                                  const struct kiosk_said *said, int64_t now)
{
    if (flow->state != KIOSK_SIGN_IN)
        return KIOSK_ANSWER_REFUSED;
    if (!said->known && config->roster == KIOSK_ROSTER_CLOSED)
        return KIOSK_ANSWER_UNKNOWN;
    if (!said->admitted)
        return KIOSK_ANSWER_REFUSED;
    bool asks = config->pin != KIOSK_PIN_NONE && said->known && said->pin.set;
    if (config->pin == KIOSK_PIN_REQUIRED && !asks)
        return KIOSK_ANSWER_NO_PIN;
    if (!said->known && !said->meant)
        return KIOSK_ANSWER_NEW;
    enter(flow, asks ? KIOSK_PIN : KIOSK_SERVE, now);
    if (asks && said->pin.wait_ms > 0)
        flow->wait_until = now + said->pin.wait_ms;
    return asks ? KIOSK_ANSWER_ASK_PIN : KIOSK_ANSWER_WELCOME;
}

bool kiosk_flow_tried(struct kiosk_flow *flow, enum pin_outcome outcome, const struct pin_state *state,
                      int64_t now)
{
    if (flow->state != KIOSK_PIN)
        return false;
    if (outcome == PIN_OUTCOME_RIGHT) {
        enter(flow, KIOSK_SERVE, now);
        return true;
    }
    if (outcome ==
        PIN_OUTCOME_UNSET) /* cleared meanwhile: the name is asked again, and then what holds now */
        enter(flow, KIOSK_SIGN_IN, now);
    flow->wait_until = state->wait_ms > 0 ? now + state->wait_ms : 0;
    return false;
}

int kiosk_flow_wait(const struct kiosk_flow *flow, int64_t now)
{
    int64_t left = flow->wait_until - now;
    return left <= 0 ? 0 : (int)((left + SECOND_MS - 1) / SECOND_MS);
}

void kiosk_flow_out(struct kiosk_flow *flow, int64_t now)
{
    if (is_somebody(flow))
        enter(flow, KIOSK_SIGN_IN, now);
}

void kiosk_flow_leave(struct kiosk_flow *flow)
{
    flow->state = KIOSK_LEFT;
}

bool kiosk_flow_exam(const struct kiosk_exam *exam, int64_t wall, const char *const *groups, int group_count,
                     int opened, bool sat, bool holds)
{
    if (!holds || sat || opened < 0)
        return false;
    /* opened by a tutor it is whatever the time; whom it is for stays as the configuration says */
    return kiosk_exam_open(exam, opened > 0 ? exam->from : wall, groups, group_count);
}
