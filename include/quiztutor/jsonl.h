/*
 * The JSON-lines front end's events (COMMANDS "Three front ends"): one object a line, appended to the
 * caller's buffer. Never translated; members may be added, never removed.
 */
#ifndef QUIZTUTOR_JSONL_H
#define QUIZTUTOR_JSONL_H

#include <quiztutor/buffer.h>
#include <quiztutor/view_model.h>

void jsonl_session(struct buffer *out, const struct session_model *session);
void jsonl_question(struct buffer *out, const struct question_model *question);
void jsonl_result(struct buffer *out, const struct result_model *result);
void jsonl_summary(struct buffer *out, const struct summary_model *summary);
void jsonl_hint(struct buffer *out, int number, const char *hint, int left);
void jsonl_undone(struct buffer *out, int number, const char *attempt);

/* "starred" and "suspended": whether the question is, now. */
void jsonl_mark(struct buffer *out, const char *event, int number, bool on);

/* Events that carry a number and at most one text: "skipped", "flagged", "reported", "unreadable" and
 * "not-stored" with `reason`, "help" with `text`, "certainty". */
void jsonl_event(struct buffer *out, const char *event, int number, const char *member, const char *text);

#endif
