/* Bullets and numbers of lists. */
#include "html_engine.h"

static char *add_number(char *at, const char *end, int number, char kind)
{
    char text[16];
    int size = 0;
    if (kind != '1' && number >= 1 && number <= 26)
        text[size++] = (char)(kind + number - 1);
    else
        for (int left = number < 0 ? 0 : number; size == 0 || (left && size < 10); left /= 10)
            text[size++] = (char)('0' + left % 10);
    while (size && at < end)
        *at++ = text[--size];
    if (at < end)
        *at++ = '.';
    return at;
}

/* The bullet of an item: "- ", "-- " inside another list; "2. ", "2.1. " inside a numbered one. */
void html_bullet(struct html *html)
{
    char *at = html->bullet, *end = html->bullet + sizeof html->bullet - 8;
    int dashes = 0;
    struct html_frame *list = NULL;
    for (int i = 0; i < html->depth; i++) {
        struct html_frame *frame = &html->frames[i];
        enum html_role role = frame->element->role;
        if (role == ROLE_LIST || role == ROLE_NUMBERED) {
            dashes += role == ROLE_LIST;
            if (list && list->element->role == ROLE_NUMBERED && role == ROLE_NUMBERED)
                at = add_number(at, end, list->number - 1, list->numbered);
            list = frame;
        }
    }
    if (list && list->element->role == ROLE_NUMBERED) {
        at = add_number(at, end, list->number++, list->numbered);
    } else {
        at = html->bullet;
        for (dashes = dashes < 1 ? 1 : dashes; dashes && at < end; dashes--)
            *at++ = '-';
    }
    *at++ = ' ';
    *at = '\0';
    if (html->one_line || html->cell || html->script)
        html->bullet[0] = '\0';
}

void html_numbers(struct html *html, struct html_frame *frame, const struct html_token *token)
{
    struct buffer value;
    buffer_init(&value);
    frame->number = 1;
    frame->numbered = '1';
    if (html_attribute(token, "start", &value)) {
        const char *digits = buffer_get(&value);
        int number = 0;
        for (; *digits >= '0' && *digits <= '9' && number < 100000; digits++)
            number = number * 10 + (*digits - '0');
        frame->number = number;
    }
    buffer_clear(&value);
    if (html_attribute(token, "type", &value) && value.length == 1 &&
        (*value.data == 'a' || *value.data == 'A'))
        frame->numbered = *value.data;
    html->import->failed = html->import->failed || value.failed;
    buffer_finish(&value);
}
