/* The interface of intakes: checks what is passed in, then hands it to the implementation. */
#include "intake_private.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool intake_begin(struct intake **intake, struct store *store, struct error *error)
{
    *intake = NULL;
    if (!store->ops->intake_begin)
        return error_set(error, ERROR_INPUT, "%s", tr("this store takes nothing in"));
    return store->ops->intake_begin(intake, store, error);
}

bool submission_make(struct buffer *out, struct store *store, const struct uuid *learner,
                     struct intake_count *count, struct error *error)
{
    if (!store->ops->submission)
        return error_set(error, ERROR_INPUT, "%s", tr("nothing can be handed in from this store"));
    return store->ops->submission(out, store, learner, count, error);
}

void intake_id(struct uuid *id, const char *purpose, const void *part, ptrdiff_t length, const void *more,
               ptrdiff_t more_length)
{
    /* hashes of the parts, so that no two divisions of one text are the same */
    struct hash parts[3], whole;
    hash_of(&parts[0], purpose, (ptrdiff_t)strlen(purpose));
    hash_of(&parts[1], part, length);
    hash_of(&parts[2], more, more_length);
    hash_of(&whole, parts, sizeof parts);
    memcpy(id->bytes, whole.bytes, sizeof id->bytes);
    id->bytes[6] = (unsigned char)(0x80 | (id->bytes[6] & 0x0f)); /* version 8 */
    id->bytes[8] = (unsigned char)(0x80 | (id->bytes[8] & 0x3f));
}

void intake_learner_id(struct uuid *id, const char *kind, const char *text)
{
    intake_id(id, "learner", kind, (ptrdiff_t)strlen(kind), text, (ptrdiff_t)strlen(text));
}

bool intake_refuse(struct intake_result *result, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result->why, sizeof result->why, format, arguments);
    va_end(arguments);
    result->fate = INTAKE_REFUSED;
    return true;
}

bool intake_row_fits(const struct intake_row *row, struct intake_result *result)
{
    static const struct uuid any = { { 1 } };
    const struct store_session session = { .id = any,
                                           .learner = { .id = any, .name = row->name, .login = row->login },
                                           .kind = row->kind,
                                           .origin = row->attempt.origin,
                                           .options = "{}",
                                           .plan = "[]" };
    struct store_attempt attempt = row->attempt;
    struct error error = { 0 };
    attempt.body = "{}"; /* which is not stored */
    if (attempt.shown && !json_valid(attempt.shown))
        return !intake_refuse(result, tr("%s: is not JSON"), "shown");
    if (attempt.response && !json_valid(attempt.response))
        return !intake_refuse(result, tr("%s: is not JSON"), "response");
    if (store_validate_session(&session, &error) && store_validate_attempt(&attempt, &error) &&
        (!row->external_id || store_is_text(row->external_id)))
        return true;
    return !intake_refuse(result, "%s", error.message);
}
