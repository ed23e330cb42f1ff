/*
 * An exam as a pure state machine: its questions, the newest response to each, flags, and the one on show. No
 * answer is marked for the learner before the exam is handed in. Like a session it knows neither store nor
 * terminal nor clock, and the same turns lead to the same state. And its time: a budget of exam minutes that
 * only runs forward.
 */
#ifndef QUIZTUTOR_EXAM_H
#define QUIZTUTOR_EXAM_H

#include <quiztutor/marking.h>

struct exam_entry {
    const struct pack *pack;
    const struct question *question;
    int section;   /* of the pack, 0: none */
    bool answered; /* a response is kept */
    bool blank;    /* left blank on purpose: omitted, but no longer open */
    bool flagged;
    bool seen;     /* was on show */
    int certainty; /* 1 to 3, 0: not asked */
    struct answer answer;
    int64_t elapsed_ms; /* exam time when the kept response was given */
};

struct exam {
    uint32_t seed;
    struct exam_entry *entries; /* in the order asked */
    int count;
    int current; /* on show, −1: the overview */
    bool handed_in;
    struct arena texts; /* of the answers */
};

/* Copies the entries (pack, question, section filled in) and the texts of their answers. False without
 * memory. */
bool exam_init(struct exam *exam, uint32_t seed, const struct exam_entry *entries, int count);
void exam_finish(struct exam *exam);

/* Turns: stored by the caller first. exam_answer with a blank answer empties the question; it goes on to the
 * next open question after it, then from the start, and to the overview when none is open. It copies the
 * answer's text; false without memory, and nothing changed. */
bool exam_answer(struct exam *exam, int entry, const struct answer *answer, int certainty,
                 int64_t elapsed_ms);
void exam_flag(struct exam *exam, int entry, bool on);

/* Moves without a turn: to an entry (clamped) or to the overview (−1). */
void exam_show(struct exam *exam, int entry);

/* The next one left open behind `after` (−1: from the start), then from the start, `after` itself last; −1
 * when none is open. */
int exam_next_open(const struct exam *exam, int after);
bool exam_is_open(const struct exam_entry *entry);

struct exam_count {
    int answered, open, flagged, blank;
};
void exam_tally(const struct exam *exam, struct exam_count *count);

/*
 * The questions of an exam of `packs` under `seed`, in the order asked: sections in order with their `pick`,
 * then filtered by tag (NULL: any), then cut to limit (0: none). Flashcards (recall) are never asked.
 * *entries is the caller's (memory_free). False without memory.
 */
bool exam_plan(struct exam_entry **entries, int *count, const struct pack *const *packs, int pack_count,
               uint32_t seed, const char *tag, int limit);

/*
 * Exam time. Within a boot it is the steady clock (CLOCK_BOOTTIME) since a moment of that boot whose exam
 * time is known: the start, or a stored answer; where there is none, after a reboot, it is the wall clock
 * since the start. It never falls behind the newest event, so setting a clock back gains nothing there.
 */
struct exam_time {
    int64_t started_wall;                  /* ms since 1970 */
    bool anchored;                         /* a moment of this boot is known: */
    int64_t anchor_steady, anchor_elapsed; /* ms */
    int64_t last_elapsed;                  /* exam time of the newest event, ms */
    int64_t limit_ms; /* 0: none; stretched by the learner's factor, extended by a tutor */
};
int64_t exam_elapsed(const struct exam_time *time, int64_t wall, int64_t steady);

/* ms left, 0 when time is up, −1 where there is no limit. */
int64_t exam_left(const struct exam_time *time, int64_t wall, int64_t steady);

/* Takes a moment of this boot as known: from here on the wall clock may be set as it likes. */
void exam_anchor(struct exam_time *time, int64_t elapsed, int64_t steady);

/* The limit: minutes (0: none) stretched by a factor (at least 1), and what a tutor added. At most a year. */
int64_t exam_limit(double minutes, double factor, double extended);

#endif
