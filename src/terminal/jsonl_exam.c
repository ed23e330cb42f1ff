#include <quiztutor/json.h>
#include <quiztutor/jsonl_exam.h>

static void event_open(struct json *json, struct buffer *out, const char *event)
{
    json_init(json, out);
    json_open(json, '{');
    json_key(json, "event");
    json_text(json, event);
}

static void event_close(struct json *json)
{
    json_close(json, '}');
    buffer_char(json->out, '\n');
}

static void member_integer(struct json *json, const char *key, int64_t value)
{
    json_key(json, key);
    json_integer(json, value);
}

static void member_number(struct json *json, const char *key, double value, bool known)
{
    json_key(json, key);
    if (known)
        json_number(json, value);
    else
        json_null(json);
}

static bool is_answered(const struct overview_row *row)
{
    return row->answered;
}

static bool is_blank(const struct overview_row *row)
{
    return row->blank;
}

static bool is_open(const struct overview_row *row)
{
    return !row->answered && !row->blank;
}

static bool is_flagged(const struct overview_row *row)
{
    return row->flagged;
}

static void member_numbers(struct json *json, const char *key, const struct overview_model *overview,
                           bool (*is)(const struct overview_row *))
{
    json_key(json, key);
    json_open(json, '[');
    for (int i = 0; i < overview->count; i++)
        if (is(&overview->rows[i]))
            json_integer(json, i + 1);
    json_close(json, ']');
}

void jsonl_overview(struct buffer *out, const struct overview_model *overview)
{
    struct json json;
    event_open(&json, out, "overview");
    member_numbers(&json, "answered", overview, is_answered);
    member_numbers(&json, "blank", overview, is_blank);
    member_numbers(&json, "open", overview, is_open);
    member_numbers(&json, "flagged", overview, is_flagged);
    event_close(&json);
}

void jsonl_time_up(struct buffer *out)
{
    struct json json;
    event_open(&json, out, "time-up");
    event_close(&json);
}

void jsonl_paper(struct buffer *out, const struct paper_model *paper)
{
    struct json json;
    int named = paper->section_count - (paper->gone > 0);
    event_open(&json, out, "summary");
    member_integer(&json, "asked", paper->count + paper->gone);
    member_integer(&json, "right", paper->right);
    member_integer(&json, "partly", paper->partly);
    member_integer(&json, "wrong", paper->wrong);
    member_integer(&json, "skipped", paper->omitted);
    member_number(&json, "mark", paper->mark, true);
    member_number(&json, "marks", paper->marks, true);
    json_key(&json, "finished");
    json_bool(&json, true);
    member_integer(&json, "sure", paper->sure);
    member_number(&json, "certainty_marks", paper->certainty_marks, paper->sure > 0);
    json_key(&json, "passed");
    if (paper->has_pass)
        json_bool(&json, paper->passed);
    else
        json_null(&json);
    member_number(&json, "pass", paper->pass, paper->has_pass);
    json_key(&json, "sections");
    json_open(&json, '[');
    for (int i = 0; i < paper->section_count; i++) {
        json_open(&json, '{');
        json_key(&json, "title");
        json_text(&json, i < named ? paper->sections[i].title : NULL);
        member_number(&json, "mark", paper->sections[i].mark, true);
        member_number(&json, "marks", paper->sections[i].marks, true);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    member_integer(&json, "gone", paper->gone);
    event_close(&json);
}
