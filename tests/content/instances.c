/*
 * instances PACK: for each line "PLACE PICK PICK …\tRESPONSE" on standard input (the place of a parametrised
 * question, from 0, and which value of each name), one line of JSON: the instance, and how the response is
 * marked. For tests that know the right outcome by other means.
 */
#include <quiztutor/json.h>
#include <quiztutor/marking.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_wrongs(struct json *json, const struct number_key *key)
{
    json_key(json, "wrong");
    json_open(json, '[');
    for (int i = 0; i < key->wrong_count; i++)
        json_number(json, key->wrongs[i].number);
    json_close(json, ']');
}

static void add_verdict(struct json *json, const struct question *instance, const char *text)
{
    struct showing showing = { .question = instance, .seed = 1 };
    struct response response;
    struct verdict verdict;
    struct buffer feedback;
    buffer_init(&feedback);
    response_read(&response, &showing, text, (ptrdiff_t)strlen(text));
    json_key(json, "outcome");
    if (response.kind == RESPONSE_ANSWER) {
        marking_mark(&verdict, instance, &response.answer);
        const struct known_wrong *wrong = marking_known_wrong(instance, &response.answer);
        marking_feedback(&feedback, instance, &response.answer);
        json_text(json, outcome_name(verdict.outcome));
        json_key(json, "misconception");
        json_text(json, wrong ? wrong->misconception : NULL);
        json_key(json, "feedback");
        json_text(json, buffer_get(&feedback));
    } else {
        json_text(json, "unreadable");
    }
    buffer_finish(&feedback);
}

static bool answer_line(const struct pack *pack, char *line, struct buffer *out)
{
    struct question instance;
    struct error error;
    struct arena arena;
    struct json json;
    int picks[DERIVE_NAMES] = { 0 };
    char *end, *text = strchr(line, '\t');
    int place = (int)strtol(line, &end, 10);
    if (!text || place < 0 || place >= pack->question_count || !pack->questions[place].parameters)
        return false;
    const struct question *question = &pack->questions[place];
    for (int i = 0; i < parameters_draws(question->parameters); i++) {
        picks[i] = (int)strtol(end, &end, 10);
        if (picks[i] < 0 || picks[i] >= parameters_ways(question->parameters, i))
            return false;
    }
    arena_init(&arena);
    json_init(&json, out);
    json_open(&json, '{');
    if (question_instantiate(&instance, question, picks, &arena, &error)) {
        json_key(&json, "value");
        json_number(&json, instance.key.number.value);
        add_wrongs(&json, &instance.key.number);
        json_key(&json, "given");
        json_text(&json, instance.given);
        json_key(&json, "prompt");
        json_text(&json, instance.prompt);
        json_key(&json, "explanation");
        json_text(&json, instance.explanation);
        add_verdict(&json, &instance, text + 1);
    } else {
        json_key(&json, "error");
        json_text(&json, error.message);
    }
    json_close(&json, '}');
    buffer_char(out, '\n');
    arena_finish(&arena);
    return !out->failed;
}

int main(int argc, char **argv)
{
    struct diagnostics list;
    struct error error = { .code = ERROR_NONE };
    struct pack *pack;
    struct buffer out;
    char line[4096];
    bool fine = argc == 2 && hash_start();
    diagnostics_init(&list);
    buffer_init(&out);
    if (!fine || !pack_load(&pack, argv[1], &list, &error)) {
        diagnostics_print(&list, &out);
        fprintf(stderr, "%s%s\n", buffer_get(&out), error.code ? error.message : "");
        return 2;
    }
    while (fine && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        fine = answer_line(pack, line, &out);
    }
    fwrite(buffer_get(&out), 1, (size_t)out.length, stdout);
    pack_destroy(pack);
    diagnostics_finish(&list);
    buffer_finish(&out);
    return fine ? 0 : 1;
}
