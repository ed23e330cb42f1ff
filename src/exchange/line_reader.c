#include "line_reader.h"

#include <string.h>
#include <strings.h>

void line_reader_init(struct line_reader *reader, const char *text, ptrdiff_t length)
{
    reader->at = text;
    reader->end = text + length;
    reader->number = 0;
}

const char *line_end(const char *at, const char *end)
{
    if (at < end && *at == '\r')
        at++;
    else if (at < end && *at == '\n')
        return at + 1;
    else
        return at;
    return at < end && *at == '\n' ? at + 1 : at;
}

bool line_reader_next(struct line_reader *reader, struct text_line *line)
{
    const char *start = reader->at, *at = start;
    if (start >= reader->end)
        return false;
    while (at < reader->end && *at != '\n' && *at != '\r')
        at++;
    *line = (struct text_line){ .text = start, .length = at - start, .number = ++reader->number };
    reader->at = line_end(at, reader->end);
    return true;
}

struct text_line line_trim(struct text_line line)
{
    while (line.length > 0 && (line.text[0] == ' ' || line.text[0] == '\t')) {
        line.text++;
        line.length--;
    }
    while (line.length > 0 && (line.text[line.length - 1] == ' ' || line.text[line.length - 1] == '\t'))
        line.length--;
    return line;
}

ptrdiff_t line_word(const char *text, ptrdiff_t length, const char *word)
{
    ptrdiff_t size = (ptrdiff_t)strlen(word);
    return length >= size && strncasecmp(text, word, (size_t)size) == 0 ? size : 0;
}
