/* What is lost of a pack's head in formats that have questions only. */
#ifndef QUIZTUTOR_EXCHANGE_EXPORT_HEAD_H
#define QUIZTUTOR_EXCHANGE_EXPORT_HEAD_H

#include <quiztutor/exchange.h>

/* What of sections a format can hold beside titles, or its writer tells itself. */
enum export_sections { EXPORT_PICKS = 1, EXPORT_INTROS = 2, EXPORT_FIGURES = 4 };

/* Tells that the pack gets another id when it is imported, and with it no history. */
void export_id_loss(struct export *export);

/* Tells that, and what the head and sections have that goes; `kept`: bits of enum export_sections. */
void export_head_losses(struct export *export, unsigned kept);

#endif
