#include <quiztutor/message.h>
#include <quiztutor/plain.h>
#include <quiztutor/text.h>

#include <string.h>

/* A text with a word before it: the first paragraph follows the word, the others stand on their own. */
static void plain_text(struct buffer *out, const char *word, const char *text)
{
    buffer_print(out, "%s%s\n", word, text);
}

static void plain_figure(struct buffer *out, const char *figure)
{
    if (figure)
        buffer_print(out, "\n%s\n", figure);
}

void plain_welcome(struct buffer *out, const struct session_model *session)
{
    buffer_print(out, ntr("%d question for %s.", "%d questions for %s.", session->questions),
                 session->questions, session->learner);
    buffer_print(out, " %s\n", tr("Type your answer and press Enter; :help lists what can be typed."));
}

/* What stands above each question of a section. */
static void plain_section(struct buffer *out, const struct question_model *question)
{
    if (question->section)
        buffer_print(out, "\n%s\n", question->section);
    if (question->intro)
        buffer_print(out, "\n%s\n", question->intro);
    plain_figure(out, question->intro_figure);
}

/* Whether anything is kept of it; else it was left blank. */
static bool is_given(const struct question_model *question)
{
    bool any = question->given_text != NULL;
    for (int i = 0; i < question->choice_count; i++)
        any |= question->way == WAY_CHOICES ? question->given[i] : question->given_at[i] >= 0;
    return any;
}

/* Numbers as they could be typed: of what was picked, or of what was put at each place, 0 for nothing. */
static void plain_numbers(struct buffer *out, const struct question_model *question)
{
    const char *between = "";
    for (int i = 0; i < question->choice_count; i++) {
        if (question->way == WAY_CHOICES && !question->given[i])
            continue;
        buffer_print(out, "%s%d", between, question->way == WAY_CHOICES ? i + 1 : question->given_at[i] + 1);
        between = question->way == WAY_CHOICES ? ", " : " ";
    }
}

/* What is kept of an exam's question that was answered before. */
static void plain_given(struct buffer *out, const struct question_model *question)
{
    buffer_print(out, "\n%s", tr("Noted so far: "));
    if (!is_given(question))
        buffer_text(out, tr("left blank"));
    else if (question->given_text)
        buffer_text(out, question->given_text);
    else
        plain_numbers(out, question);
    buffer_char(out, '\n');
}

/* What is to be typed, where it is not one choice. */
static void plain_way(struct buffer *out, const struct question_model *question)
{
    const char *told = NULL;
    switch (question->way) {
    case WAY_CHOICES:
        told = question->many ? tr("Choose all that apply.") : NULL;
        break;
    case WAY_FIELD:
        told = question->numeric ? NULL : tr("Type the answer.");
        break;
    case WAY_ORDER:
        told = tr("Type the numbers in the right order, parted by spaces.");
        break;
    case WAY_MATCH:
        told = tr("Type, for each in turn, the number of what belongs to it, parted by spaces; 0 for none.");
        break;
    case WAY_RECALL:
        told = tr("Answer in your mind, then press Enter to turn the card over.");
        break;
    }
    if (told)
        buffer_print(out, "\n%s\n", told);
    if (!question->numeric)
        return;
    buffer_char(out, '\n');
    if (question->unit)
        buffer_print(out, tr("Type a number, in %s."), question->unit);
    else
        buffer_text(out, tr("Type a number."));
    if (question->significant_figures) {
        buffer_char(out, ' ');
        buffer_print(
            out,
            ntr("Give %d significant figure.", "Give %d significant figures.", question->significant_figures),
            question->significant_figures);
    }
    buffer_char(out, '\n');
}

static void plain_numbered(struct buffer *out, const char *const *texts, int count)
{
    for (int i = 0; i < count; i++)
        buffer_print(out, "%3d) %s\n", i + 1, texts[i]);
}

void plain_question(struct buffer *out, const struct question_model *question)
{
    buffer_char(out, '\n');
    buffer_print(out, tr("Question %d of %d"), question->number, question->of);
    if (question->again)
        buffer_text(out, tr(", again"));
    if (question->flagged)
        buffer_text(out, tr(", flagged"));
    if (question->time_left)
        buffer_print(out, ", %s", question->time_left);
    buffer_char(out, '\n');
    plain_section(out, question);
    buffer_print(out, "\n%s\n", question->prompt);
    plain_figure(out, question->figure);
    plain_way(out, question);
    if (question->choice_count)
        buffer_char(out, '\n');
    plain_numbered(out, question->choices, question->choice_count);
    if (question->target_count)
        buffer_print(out, "\n%s\n", tr("What belongs to them is among these:"));
    plain_numbered(out, question->targets, question->target_count);
    for (int i = 0; i < question->hint_count; i++)
        buffer_print(out, "\n%s%s\n", tr("Hint: "), question->hints[i]);
    if (question->has_response)
        plain_given(out, question);
    buffer_text(out, "\n> ");
}

void plain_back(struct buffer *out, const struct question_model *question)
{
    buffer_print(out, "%s\n\n%s> ", question->back,
                 tr("How well did you know it? 1 again, 2 hard, 3 good, 4 easy "));
}

void plain_certainty(struct buffer *out)
{
    buffer_print(out, "\n%s> ", tr("How sure? 1 guess, 2 think so, 3 certain "));
}

void plain_list(struct buffer *out, const struct question_model *question, const char *const *texts,
                int count)
{
    for (int i = 0; i < count; i++) {
        buffer_text(out, i ? "; " : "");
        if (question->way == WAY_MATCH)
            buffer_print(out, "%s: ", question->choices[i]);
        buffer_text(out, *texts[i] ? texts[i] : tr("nothing"));
    }
    buffer_char(out, '\n');
}

void plain_result(struct buffer *out, const struct result_model *result)
{
    static const char *const verdicts[] = {
        [VERDICT_RIGHT] = N_("Right."),
        [VERDICT_PARTLY] = N_("Partly right."),
        [VERDICT_WRONG] = N_("Not quite."),
        [VERDICT_SKIPPED] = N_("Skipped."),
    };
    bool blank = result->question.exam && result->verdict == VERDICT_SKIPPED;
    buffer_print(out, "%s\n", blank ? tr("Left blank.") : tr(verdicts[result->verdict]));
    if (result->note)
        buffer_print(out, "%s\n", result->note);
    if (result->feedback)
        buffer_print(out, "%s\n", result->feedback);
    buffer_text(out, tr("Answer: "));
    plain_list(out, &result->question, result->answer, result->answer_count);
    plain_text(out, tr("Why: "), result->explanation);
    plain_figure(out, result->explanation_figure);
    if (result->source)
        plain_text(out, tr("Source: "), result->source);
    if (result->certainty) {
        static const char *const words[] = { NULL, N_("a guess"), N_("think so"), N_("certain") };
        char mark[TEXT_NUMBER];
        text_number(mark, result->certainty_mark);
        buffer_print(out,
                     result->no_certainty ? tr("How sure: %s. No certainty mark: %s.")
                                          : tr("How sure: %s. Certainty mark %s."),
                     tr(words[result->certainty]), result->no_certainty ? result->no_certainty : mark);
        buffer_char(out, '\n');
    }
    if (result->comes_again)
        buffer_print(out, "(%s)\n", result->comes_again);
    if (result->lapses) {
        buffer_print(
            out,
            ntr("Forgotten %d time. :suspend last takes it out of what is due, or read why once more.",
                "Forgotten %d times. :suspend last takes it out of what is due, or read why once more.",
                result->lapses),
            result->lapses);
        buffer_char(out, '\n');
    }
}

void plain_hint(struct buffer *out, const char *hint, int left)
{
    if (!hint) {
        buffer_print(out, "%s\n", tr("There is no further hint."));
        return;
    }
    buffer_print(out, "%s%s\n", tr("Hint: "), hint);
    if (left > 0) {
        buffer_print(out, ntr("%d more hint.", "%d more hints.", left), left);
        buffer_char(out, '\n');
    }
}

static void plain_misses(struct buffer *out, const struct summary_model *summary)
{
    if (!summary->miss_count)
        return;
    buffer_print(out, "\n%s\n", tr("To look at again:"));
    for (int i = 0; i < summary->miss_count; i++) {
        const struct summary_miss *miss = &summary->misses[i];
        buffer_print(out, "\n  %s\n  %s%s\n", miss->prompt, tr("Answer: "), miss->answer);
        if (miss->response)
            buffer_print(out, "  %s%s\n", tr("You: "), miss->response);
        else
            buffer_print(out, "  %s\n", tr("You skipped it."));
    }
}

void plain_summary(struct buffer *out, const struct summary_model *summary)
{
    char mark[TEXT_NUMBER], marks[TEXT_NUMBER];
    plain_misses(out, summary);
    if (summary->topic_count)
        buffer_print(out, "\n%s\n", tr("By topic:"));
    for (int i = 0; i < summary->topic_count; i++) {
        const struct summary_topic *topic = &summary->topics[i];
        buffer_text(out, "  ");
        buffer_print(out, tr("%s: %d of %d"), topic->name, topic->right, topic->asked);
        buffer_char(out, '\n');
    }
    if (summary->undone) {
        buffer_char(out, '\n');
        buffer_print(out, ntr("%d answer was taken back.", "%d answers were taken back.", summary->undone),
                     summary->undone);
        buffer_char(out, '\n');
    }
    buffer_char(out, '\n');
    if (summary->sure) {
        text_number(mark, summary->certainty_marks);
        buffer_print(out,
                     ntr("Certainty marks %s of %d, for %d answer.",
                         "Certainty marks %s of %d, for %d answers.", summary->sure),
                     mark, 3 * summary->sure, summary->sure);
        buffer_char(out, '\n');
    }
    if (summary->next)
        buffer_print(out, "%s\n", summary->next);
    text_number(mark, summary->mark);
    text_number(marks, summary->marks);
    buffer_print(out, tr("%d of %d right the first time, %d partly, %d skipped. Marks %s of %s."),
                 summary->first_try, summary->asked, summary->partly, summary->skipped, mark, marks);
    buffer_char(out, '\n');
}

/* What is due, new and mastered, and until when there is nothing to do. */
static void plain_library_state(struct buffer *out, const struct library_row *row)
{
    if (row->due)
        buffer_print(out, tr(", %d due"), row->due);
    if (row->fresh)
        buffer_print(out, tr(", %d new"), row->fresh);
    buffer_print(out, tr(", %d mastered"), row->mastered);
    if (row->until)
        buffer_print(out, ", %s", row->until);
}

/* One pack of the library: its title, then its id and what was done in it. */
static void plain_library_row(struct buffer *out, const struct library_row *row)
{
    if (row->problem) {
        text_visible(out, row->path, (ptrdiff_t)strlen(row->path));
        buffer_print(out, "\n  %s\n", row->problem);
        return;
    }
    buffer_print(out, "%s\n  %s: ", row->title, row->id);
    buffer_print(out, ntr("%d question", "%d questions", row->questions), row->questions);
    if (!row->seen)
        buffer_print(out, ", %s", tr("new"));
    else
        plain_library_state(out, row);
    buffer_char(out, '\n');
}

void plain_library(struct buffer *out, const struct library_model *library, bool asks)
{
    if (!library->count)
        buffer_print(out, "%s\n", tr("The library is empty. Add a pack with: quiztutor add FILE"));
    for (int i = 0; i < library->count; i++) {
        if (asks)
            buffer_print(out, "%d. ", i + 1);
        plain_library_row(out, &library->rows[i]);
    }
    if (library->count && !asks)
        buffer_print(out, "\n%s\n", tr("Practise one with: quiztutor practise PACK"));
}

void plain_library_ask(struct buffer *out, bool exam)
{
    buffer_print(out, "\n%s> ",
                 exam ? tr("The number of a pack for the exam, t for your progress, or Enter to leave ")
                      : tr("The number of a pack to practise, t for your progress, or Enter to leave "));
}
