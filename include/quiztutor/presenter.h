/*
 * The presenter turns a practice into view models. It owns their texts: a model stays valid until the same
 * function is called again, or presenter_finish. False means no memory.
 */
#ifndef QUIZTUTOR_PRESENTER_H
#define QUIZTUTOR_PRESENTER_H

#include <quiztutor/library.h>
#include <quiztutor/practice.h>
#include <quiztutor/sitting.h>
#include <quiztutor/view_model.h>

struct presenter {
    struct arena session_arena, question_arena, result_arena, summary_arena, library_arena, progress_arena;
    struct question_model question;
    struct result_model result;
    struct summary_model summary;
    struct session_model session;
    struct library_model library;
    struct progress_model progress;
    struct arena exam_arena, paper_arena;
    struct overview_model overview;
    struct paper_model paper;
    char time_left[80], extended[120], deadline[40], exam_note[700];
    char session_id[37], session_until[16];
    bool styled; /* for the screens: light markup becomes the bytes of markup.h, else nothing is left of it */
    bool bare; /* for scripts: numbers as they were typed and as the pack writes them, without their units */
};

void presenter_init(struct presenter *presenter);
void presenter_finish(struct presenter *presenter);

bool presenter_session(struct presenter *presenter, const struct practice *practice);
bool presenter_question(struct presenter *presenter,
                        struct practice *practice); /* needs a current question */
bool presenter_result(struct presenter *presenter, const struct practice *practice); /* of the last answer */
/* The marks of the learner on the question or result on hand, after they changed. */
void presenter_marks(struct presenter *presenter, const struct practice *practice);
bool presenter_summary(struct presenter *presenter, const struct practice *practice);

/* All packs of the library with what this learner did in them; learner may be unknown (id all zero).
 * `day_starts`: minutes after midnight. */
bool presenter_library(struct presenter *presenter, struct library *library, struct store *store,
                       const struct store_learner *learner, const struct clock *clock, int day_starts,
                       struct error *error);

/* The offers of a kiosk in the place of the library. */
struct guard_offer;
bool presenter_offers(struct presenter *presenter, const struct guard_offer *offers, int count,
                      struct store *store, const struct store_learner *learner, const struct clock *clock,
                      int day_starts, struct error *error);

/* The packs of this practice in the place of the library, to stand behind a question that comes before it. */
bool presenter_packs(struct presenter *presenter, const struct practice *practice, struct error *error);

/* The learner's own screen: what is due and when, accuracy and minutes by day, the streak, mastery by topic,
 * and what to do next. Of the questions that the library's packs have; the past days count all answers. */
bool presenter_progress(struct presenter *presenter, struct library *library, struct store *store,
                        const struct store_learner *learner, const struct clock *clock, int day_starts,
                        struct error *error);

/*
 * Exams. The session's model; what is said before time runs (presenter->exam_note, several lines); the
 * question on show; all questions at a glance; and once it is handed in, the paper. presenter_exam_time
 * writes anew what the models on show say of the time left, and tells whether that has changed.
 */
bool presenter_exam_session(struct presenter *presenter, const struct sitting *sitting);
void presenter_exam_note(struct presenter *presenter, const struct sitting *sitting);
bool presenter_exam_question(struct presenter *presenter, struct sitting *sitting);
bool presenter_exam_overview(struct presenter *presenter, const struct sitting *sitting);
bool presenter_exam_paper(struct presenter *presenter, const struct sitting *sitting);
bool presenter_exam_time(struct presenter *presenter, const struct sitting *sitting);

#endif
