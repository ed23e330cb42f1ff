/*
 * An exam's events in JSON lines, beside those of jsonl.h: the session's has members of its own there, a
 * question is answered by "noted", results follow when it is handed in.
 */
#ifndef QUIZTUTOR_JSONL_EXAM_H
#define QUIZTUTOR_JSONL_EXAM_H

#include <quiztutor/jsonl.h>

/* {"event":"overview","answered":[1,2],"blank":[],"open":[3],"flagged":[2]} */
void jsonl_overview(struct buffer *out, const struct overview_model *overview);
void jsonl_time_up(struct buffer *out); /* {"event":"time-up"} */

/* The summary: as after a practice, and "passed" (null without a pass mark), "pass", "sections". */
void jsonl_paper(struct buffer *out, const struct paper_model *paper);

#endif
