#include "export_xml.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>

#include <math.h>
#include <string.h>

void export_head_losses(struct export *export, unsigned kept)
{
    const struct pack *pack = export->pack;
    struct export_losses losses;
    bool figures = false, picks = false, intros = false;
    for (int i = 0; i < pack->section_count; i++) {
        intros = intros || pack->sections[i].intro;
        figures = figures || pack->sections[i].intro_figure;
        picks = picks || pack->sections[i].pick != pack->sections[i].count;
    }
    export_losses_init(&losses);
    export_losses_add(&losses, pack->strapline != NULL, N_("the strapline"));
    export_losses_add(&losses, pack->subject || pack->topic || pack->ages, N_("subject, topic and ages"));
    export_losses_add(&losses, pack->description != NULL, N_("the description"));
    export_losses_add(&losses, pack->authors.count > 0, N_("the authors"));
    export_losses_add(&losses, pack->licence.count > 0, N_("the licence"));
    export_losses_add(&losses, pack->source.count > 0, N_("the source"));
    export_losses_add(&losses, pack->publisher_name || pack->publisher_site, N_("the publisher"));
    export_losses_add(&losses, pack->exam_minutes > 0 || pack->exam_pass > 0, N_("what exams are like"));
    export_losses_add(&losses, figures, N_("figures of sections"));
    export_losses_add(&losses, intros && !(kept & EXPORT_INTROS), N_("introductions of sections"));
    export_losses_add(&losses, picks && !(kept & EXPORT_PICKS),
                      N_("how many questions of a section are asked"));
    export_losses_tell(&losses, export, NULL);
}

const struct known_wrong *export_wrongs(const struct question *question, int *count)
{
    *count = 0;
    if (question->type == QUESTION_NUMBER) {
        *count = question->key.number.wrong_count;
        return question->key.number.wrongs;
    }
    if (question->type == QUESTION_TEXT) {
        *count = question->key.text.wrong_count;
        return question->key.text.wrongs;
    }
    return NULL;
}

void export_common_losses(struct export_losses *losses, const struct question *question)
{
    bool misconceptions = question->misconception != NULL, ids = false;
    if (question->type == QUESTION_SINGLE_CHOICE || question->type == QUESTION_MULTIPLE_CHOICE)
        for (int i = 0; i < question->key.choices.count; i++) {
            misconceptions = misconceptions || question->key.choices.items[i].misconception;
            ids = ids || question->key.choices.items[i].id;
        }
    int count;
    const struct known_wrong *wrongs = export_wrongs(question, &count);
    for (int i = 0; i < count; i++)
        misconceptions = misconceptions || wrongs[i].misconception;
    export_losses_add(losses, question->source != NULL, N_("source"));
    export_losses_add(losses, misconceptions, N_("misconceptions"));
    export_losses_add(losses, ids, N_("ids of choices"));
    if (question->type == QUESTION_TEXT)
        export_losses_add(losses, (question->key.text.ignore & ~(unsigned)IGNORE_CASE) != IGNORE_SPACES,
                          N_("what is ignored beside case and spaces"));
}

void export_number(char digits[static 400], const struct question *question)
{
    const char *answer = question->key.number.answer;
    size_t length = strlen(answer);
    struct number number;
    if (length < NUMBER_LONGEST && number_read(&number, answer, (ptrdiff_t)length, false) == NUMBER_FINE &&
        strspn(answer, "+-0123456789.eE") == length)
        memcpy(digits, answer, length + 1);
    else
        number_plain(digits, question->key.number.value);
}

double export_tolerance(const struct question *question)
{
    const struct number_key *key = &question->key.number;
    return key->relative ? key->tolerance * fabs(key->value) : key->tolerance;
}

void export_html_both(struct export *export, struct buffer *out, const char *text, const char *figure)
{
    if (text)
        export_html(export, out, text, false);
    if (figure)
        export_html_figure(out, figure);
}
