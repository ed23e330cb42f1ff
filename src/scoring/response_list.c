/* Answers that are given as numbers in a row, and the grade of a card. */
#include "response_private.h"

#include <quiztutor/message.h>

#include <string.h>

static bool is_gap(char c)
{
    return c == ',' || c == ' ' || c == '\t' || c == '\r';
}

/* One number, or "-" for 0; −1 for what is none. */
static int read_one(const char *word, ptrdiff_t length)
{
    int number = 0;
    if (length == 1 && *word == '-')
        return 0;
    for (ptrdiff_t i = 0; i < length; i++) {
        if (word[i] < '0' || word[i] > '9')
            return -1;
        number = number * 10 + (word[i] - '0');
        if (number > PACK_CHOICES)
            number = PACK_CHOICES + 1;
    }
    return number;
}

/*
 * Reads at most PACK_CHOICES + 1 numbers. A single word is taken digit by digit ("312") where no number has
 * two digits. How many; −1 where one is no number.
 */
static int read_numbers(int numbers[static PACK_CHOICES + 1], const char *line, ptrdiff_t length, int highest)
{
    int count = 0;
    bool whole = true; /* no gap in it */
    for (ptrdiff_t i = 0; i < length; i++)
        whole = whole && !is_gap(line[i]);
    for (ptrdiff_t at = 0; at < length && count <= PACK_CHOICES;) {
        ptrdiff_t end = at;
        if (is_gap(line[at])) {
            at++;
            continue;
        }
        while (end < length && !is_gap(line[end]) && !(whole && highest <= 9 && end > at))
            end++;
        numbers[count] = read_one(line + at, end - at);
        if (numbers[count++] < 0)
            return -1;
        at = end;
    }
    return count;
}

void response_read_order(struct response *response, const struct showing *showing, const char *line,
                         ptrdiff_t length)
{
    int numbers[PACK_CHOICES + 1], count = read_numbers(numbers, line, length, showing->count);
    uint32_t seen = 0;
    for (int i = 0; i < count; i++) {
        if (numbers[i] < 1 || numbers[i] > showing->count) {
            response_unreadable(response, tr("the items are numbered from 1 to %d"), showing->count);
            return;
        }
        if (seen >> numbers[i] & 1) {
            response_unreadable(response, tr("item %d is named twice"), numbers[i]);
            return;
        }
        seen |= 1u << numbers[i];
        if (i < PACK_CHOICES)
            response->answer.places[i] = (unsigned char)(showing->places[numbers[i] - 1] + 1);
    }
    if (count == showing->count)
        response->kind = RESPONSE_ANSWER;
    else
        response_unreadable(response, tr("type the numbers of all %d items in their order, as in 3 1 2"),
                            showing->count);
}

void response_read_match(struct response *response, const struct showing *showing, const char *line,
                         ptrdiff_t length)
{
    int numbers[PACK_CHOICES + 1], count = read_numbers(numbers, line, length, showing->target_count);
    bool any = false;
    for (int i = 0; i < count; i++)
        if (numbers[i] > showing->target_count) {
            response_unreadable(response, tr("the answers to choose from are numbered from 1 to %d"),
                                showing->target_count);
            return;
        }
    if (count != showing->count) {
        response_unreadable(response,
                            tr("type a number for each of the %d, in their order; 0 leaves one blank"),
                            showing->count);
        return;
    }
    for (int i = 0; i < count; i++) {
        int left = showing->places[i];
        response->answer.places[left] =
            numbers[i] ? (unsigned char)(showing->targets[numbers[i] - 1] + 1) : (unsigned char)0;
        any = any || numbers[i];
    }
    response->answer.blank = !any;
    response->kind = any ? RESPONSE_ANSWER : RESPONSE_BLANK;
}

/* No letters but words and digits: in a card's place `h` asks for a hint, so a, h, g and e would not all do.
 */
void response_read_grade(struct response *response, const char *line, ptrdiff_t length)
{
    static const char *const words[4][3] = { { "1", "again", N_("again") },
                                             { "2", "hard", N_("hard") },
                                             { "3", "good", N_("good") },
                                             { "4", "easy", N_("easy") } };
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            if (response_is_word(line, length, k < 2 ? words[i][k] : tr(words[i][k]))) {
                response->kind = RESPONSE_ANSWER;
                response->answer.self_grade = i + 1;
                return;
            }
    response_unreadable(response, tr("grade your answer: 1 again, 2 hard, 3 good, 4 easy"));
}
