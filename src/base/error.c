#include <quiztutor/error.h>
#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>

bool error_setv(struct error *error, enum error_code code, const char *format, va_list arguments)
{
    if (error) {
        error->code = code;
        vsnprintf(error->message, sizeof error->message, format, arguments);
    }
    return false;
}

bool error_set(struct error *error, enum error_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error_setv(error, code, format, arguments);
    va_end(arguments);
    return false;
}

bool error_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "%s", tr("out of memory"));
}

bool error_prefix(struct error *error, const char *prefix)
{
    if (error) {
        char message[sizeof error->message];
        memcpy(message, error->message, sizeof message);
        snprintf(error->message, sizeof error->message, "%.200s: %.400s", prefix, message);
    }
    return false;
}
