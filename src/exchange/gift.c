#include <quiztutor/exchange.h>
#include <string.h>
bool gift_recognise(const char *bytes, ptrdiff_t length)
{
    return memchr(bytes, '{', (size_t)length) != NULL;
}
