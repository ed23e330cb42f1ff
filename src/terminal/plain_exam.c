#include <quiztutor/message.h>
#include <quiztutor/plain_exam.h>
#include <quiztutor/text.h>

#include <string.h>

void plain_exam_welcome(struct buffer *out, const struct session_model *session, const char *note)
{
    buffer_print(out, tr("An exam for %s: %s"), session->learner, note);
    buffer_print(out, "\n%s\n",
                 tr("Type your answer and press Enter; an empty line leaves the question blank. "
                    ":skip, :flag, "
                    ":go 3, :overview and :finish work at any question; :help lists what can be typed."));
}

enum { PROMPT_COLUMNS = 50 };

/* As much of a prompt as stands on one line. */
static void plain_short(struct buffer *out, const char *text)
{
    ptrdiff_t length = (ptrdiff_t)strcspn(text, "\n"), at = 0;
    bool cut = text[length] != '\0';
    for (int columns = 0, wide; at < length; columns += wide) {
        ptrdiff_t cell = text_cell(text + at, length - at, &wide);
        if (columns + wide > PROMPT_COLUMNS) {
            cut = true;
            break;
        }
        at += cell;
    }
    buffer_add(out, text, at);
    if (cut)
        buffer_text(out, "…");
}

static void plain_padded(struct buffer *out, const char *text, int columns)
{
    buffer_text(out, text);
    for (int i = text_columns(text); i < columns; i++)
        buffer_char(out, ' ');
}

static void plain_tally(struct buffer *out, const struct overview_model *overview)
{
    buffer_print(out, tr("%d open, %d flagged."), overview->open, overview->flagged);
}

void plain_overview(struct buffer *out, const struct overview_model *overview)
{
    const char *section = NULL;
    buffer_char(out, '\n');
    for (int i = 0; i < overview->count; i++) {
        const struct overview_row *row = &overview->rows[i];
        if (row->section && (!section || strcmp(section, row->section) != 0))
            buffer_print(out, "%s\n", row->section);
        section = row->section;
        buffer_print(out, "%3d  ", i + 1);
        plain_padded(out,
                     row->answered ? tr("answered")
                     : row->blank  ? tr("blank")
                                   : trc("question", "open"),
                     12);
        plain_padded(out, row->flagged ? tr("flagged") : "", 10);
        plain_short(out, row->prompt);
        buffer_char(out, '\n');
    }
    buffer_char(out, '\n');
    plain_tally(out, overview);
    if (overview->time_left)
        buffer_print(out, " %s.", overview->time_left);
    if (overview->extended)
        buffer_print(out, " (%s)", overview->extended);
    buffer_char(out, '\n');
}

void plain_hand_in(struct buffer *out, const struct overview_model *overview)
{
    buffer_char(out, '\n');
    plain_tally(out, overview);
    if (overview->time_left)
        buffer_print(out, " %s.", overview->time_left);
    buffer_print(out, " %s> ", tr("Enter hands in, n goes on, l leaves it open "));
}

static void plain_paper_question(struct buffer *out, const struct result_model *result, const char *section)
{
    const struct question_model *question = &result->question;
    bool new_section = question->section && (!section || strcmp(section, question->section) != 0);
    buffer_char(out, '\n');
    if (new_section)
        buffer_print(out, "%s\n\n", question->section);
    if (new_section && question->intro)
        buffer_print(out, "%s\n\n", question->intro);
    if (new_section && question->intro_figure)
        buffer_print(out, "%s\n\n", question->intro_figure);
    buffer_print(out, tr("Question %d of %d"), question->number, question->of);
    buffer_print(out, "\n\n%s\n", question->prompt);
    if (question->figure)
        buffer_print(out, "\n%s\n", question->figure);
    buffer_char(out, '\n');
    if (result->response_count) {
        buffer_text(out, tr("You: "));
        plain_list(out, question, result->response, result->response_count);
    }
    plain_result(out, result);
}

static void plain_marks(struct buffer *out, double mark, double marks)
{
    char one[TEXT_NUMBER], all[TEXT_NUMBER];
    text_number(one, mark);
    text_number(all, marks);
    buffer_print(out, tr("%s of %s marks"), one, all);
}

void plain_paper(struct buffer *out, const struct paper_model *paper)
{
    const char *section = NULL;
    buffer_char(out, '\n');
    if (paper->note)
        buffer_print(out, "%s\n", paper->note);
    for (int i = 0; i < paper->count; i++) {
        plain_paper_question(out, &paper->results[i], section);
        section = paper->results[i].question.section;
    }
    if (paper->section_count)
        buffer_print(out, "\n%s\n", tr("By section:"));
    for (int i = 0; i < paper->section_count; i++) {
        buffer_print(out, "  %s: ", paper->sections[i].title);
        plain_marks(out, paper->sections[i].mark, paper->sections[i].marks);
        buffer_char(out, '\n');
    }
    if (paper->sure) {
        char mark[TEXT_NUMBER];
        text_number(mark, paper->certainty_marks);
        buffer_char(out, '\n');
        buffer_print(out,
                     ntr("Certainty marks %s of %d, for %d answer.",
                         "Certainty marks %s of %d, for %d answers.", paper->sure),
                     mark, 3 * paper->sure, paper->sure);
        buffer_char(out, '\n');
    }
    buffer_char(out, '\n');
    buffer_print(out, tr("%d right, %d partly, %d wrong, %d left blank. "), paper->right, paper->partly,
                 paper->wrong, paper->omitted);
    plain_marks(out, paper->mark, paper->marks);
    buffer_char(out, '.');
    if (paper->has_pass) {
        char pass[TEXT_NUMBER];
        text_number(pass, paper->pass);
        buffer_char(out, ' ');
        buffer_print(
            out, paper->passed ? tr("Passed: %s%% were needed.") : tr("Not passed: %s%% are needed."), pass);
    }
    buffer_char(out, '\n');
}
