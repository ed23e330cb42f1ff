#include "export_head.h"

#include <quiztutor/message.h>

void export_id_loss(struct export *export)
{
    export_loss(export, NULL,
                tr("its id is not kept: an import takes the file's name instead, so begin that with \"%s.\""),
                export->pack->id);
}

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
    export_losses_add(&losses, figures && !(kept & EXPORT_FIGURES), N_("figures of sections"));
    export_losses_add(&losses, intros && !(kept & EXPORT_INTROS), N_("introductions of sections"));
    export_losses_add(&losses, picks && !(kept & EXPORT_PICKS),
                      N_("how many questions of a section are asked"));
    export_losses_tell(&losses, export, NULL);
    export_id_loss(export);
}
