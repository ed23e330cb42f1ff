#include <quiztutor/answer.h>
#include <quiztutor/json.h>

#include <string.h>

static void write_places(struct json *json, const char *key, const unsigned char *places, int count, int from)
{
    if (key)
        json_key(json, key);
    json_open(json, '[');
    for (int i = 0; i < count; i++)
        json_integer(json, places[i] + from);
    json_close(json, ']');
}

void answer_write_shown(struct buffer *out, const struct showing *showing)
{
    const struct question *question = showing->question;
    enum question_type type = question->type;
    bool choices = type == QUESTION_SINGLE_CHOICE || type == QUESTION_MULTIPLE_CHOICE;
    bool order = type == QUESTION_ORDER, match = type == QUESTION_MATCH;
    struct json json;
    if (!choices && !order && !match && !question->given)
        return;
    json_init(&json, out);
    json_open(&json, '{');
    if (choices)
        write_places(&json, "choices", showing->places, showing->count, 1);
    if (question->given) {
        json_key(&json, "given");
        json_raw(&json, question->given);
    }
    if (order)
        write_places(&json, "items", showing->places, showing->count, 1);
    if (match)
        write_places(&json, "targets", showing->targets, showing->target_count, 1);
    json_close(&json, '}');
}

static void write_picks(struct json *json, const struct question *question, const struct answer *answer)
{
    json_open(json, '[');
    for (int i = 0; i < question->key.choices.count; i++)
        if (answer->picks >> i & 1)
            json_integer(json, i + 1);
    json_close(json, ']');
}

void answer_write(struct buffer *out, const struct question *question, const struct answer *answer)
{
    struct json json;
    if (answer->blank)
        return;
    json_init(&json, out);
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        write_picks(&json, question, answer);
        break;
    case QUESTION_TRUE_FALSE:
        json_bool(&json, answer->truth);
        break;
    case QUESTION_NUMBER:
    case QUESTION_TEXT:
        json_text(&json, answer->text ? answer->text : "");
        break;
    case QUESTION_ORDER:
        write_places(&json, NULL, answer->places, question->key.order.count, 0);
        break;
    case QUESTION_MATCH:
        write_places(&json, NULL, answer->places, question->key.match.lefts.count, 0);
        break;
    case QUESTION_RECALL:
        json_integer(&json, answer->self_grade);
        break;
    case QUESTION_TYPES:
        break;
    }
}

/* Places from 1, each at most once. */
static bool read_picks(struct answer *answer, const int *places, int count)
{
    for (int i = 0; i < count; i++) {
        uint32_t pick = places[i] >= 1 && places[i] <= PACK_CHOICES ? 1u << (places[i] - 1) : 0;
        if (!pick || answer->picks & pick)
            return false;
        answer->picks |= pick;
    }
    return count > 0;
}

/* All of 1 to count, each once. */
static bool read_order(struct answer *answer, const int *places, int count)
{
    uint32_t seen = 0;
    for (int i = 0; i < count; i++) {
        uint32_t item = places[i] >= 1 && places[i] <= count ? 1u << places[i] : 0;
        if (!item || seen & item)
            return false;
        seen |= item;
        answer->places[i] = (unsigned char)places[i];
    }
    return count > 0;
}

static bool read_match(struct answer *answer, const int *places, int count)
{
    bool any = false;
    for (int i = 0; i < count; i++) {
        if (places[i] > PACK_CHOICES)
            return false;
        answer->places[i] = (unsigned char)places[i];
        any = any || places[i] > 0;
    }
    return any;
}

static bool read_list(struct answer *answer, enum question_type type, const char *json)
{
    int places[PACK_CHOICES], count = json_read_places(places, PACK_CHOICES, json);
    if (type == QUESTION_ORDER)
        return read_order(answer, places, count);
    return type == QUESTION_MATCH ? read_match(answer, places, count) : read_picks(answer, places, count);
}

/* One JSON word with white space about it. */
static bool is_word(const char *json, const char *word)
{
    json += strspn(json, " \t\r\n");
    size_t length = strcspn(json, " \t\r\n");
    return strlen(word) == length && strncmp(json, word, length) == 0 &&
           !json[length + strspn(json + length, " \t\r\n")];
}

static bool read_grade(struct answer *answer, const char *json)
{
    static const char *const grades[] = { "1", "2", "3", "4" };
    for (int i = 0; i < 4 && !answer->self_grade; i++)
        if (is_word(json, grades[i]))
            answer->self_grade = i + 1;
    return answer->self_grade != 0;
}

/* False only without memory; *is tells whether it is a text that can be a response. */
static bool read_text(struct answer *answer, const char *json, struct arena *arena, bool *is)
{
    struct buffer text;
    buffer_init(&text);
    *is = json_read_text(&text, json) && text.length > 0 && text.length <= PACK_RESPONSE;
    bool done = !text.failed;
    if (*is) {
        answer->text = arena_text(arena, text.data, text.length);
        done = answer->text != NULL;
    }
    buffer_finish(&text);
    return done;
}

bool answer_read(struct answer *answer, enum question_type type, const char *json, struct arena *arena)
{
    bool is = false, done = true;
    *answer = (struct answer){ 0 };
    if (json && (type == QUESTION_NUMBER || type == QUESTION_TEXT)) {
        done = read_text(answer, json, arena, &is);
    } else if (json && type == QUESTION_TRUE_FALSE) {
        answer->truth = is_word(json, "true");
        is = answer->truth || is_word(json, "false");
    } else if (json && type == QUESTION_RECALL) {
        is = read_grade(answer, json);
    } else if (json) {
        is = read_list(answer, type, json);
    }
    if (!is || !done)
        *answer = (struct answer){ .blank = true };
    return done;
}
