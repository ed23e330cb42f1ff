#include "command.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>

int command_config(const struct invocation *invocation)
{
    const struct settings *settings = invocation->settings;
    int widest = 0;
    for (int i = 0; i < SETTINGS; i++) {
        const char *value = settings->text[i] ? settings->text[i] : "";
        int width = text_columns(value);
        if (width > widest)
            widest = width;
    }
    for (int i = 0; i < SETTINGS; i++) {
        struct buffer value;
        buffer_init(&value);
        const char *text = settings->text[i];
        if (text && *text)
            text_visible(&value, text, (ptrdiff_t)strlen(text));
        else
            buffer_text(&value, "-");
        int pad = widest - text_columns(buffer_get(&value));
        printf("%-18s %s%*s  %s\n", setting_rows[i].name, buffer_get(&value), pad > 0 ? pad : 0, "",
               strcmp(settings->origin[i], "default") == 0 ? tr("default") : settings->origin[i]);
        buffer_finish(&value);
    }
    return STATUS_DONE;
}
