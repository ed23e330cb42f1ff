#include <quiztutor/markup.h>

void markup_render(struct buffer *out, const char *text, bool styled)
{
    (void)styled;
    buffer_text(out, text);
}

void markup_escape(struct buffer *out, const char *text, ptrdiff_t length)
{
    buffer_add(out, text, length);
}
