/* sheet_program PACK [TAG]: the JSON that the BODY of a pack's sheets is made of. */
#include <quiztutor/sheet.h>

#include <stdio.h>

static void tell(const struct diagnostics *list, const struct error *error)
{
    struct buffer out;
    buffer_init(&out);
    diagnostics_print(list, &out);
    fprintf(stderr, "%s%s\n", error->message, buffer_get(&out));
    buffer_finish(&out);
}

int main(int count, char **arguments)
{
    struct diagnostics list;
    struct error error = { 0 };
    struct pack *pack = NULL;
    struct buffer json;
    diagnostics_init(&list);
    buffer_init(&json);
    bool done = count > 1 && hash_start() && pack_load(&pack, arguments[1], &list, &error) &&
                sheet_body_json(&json, pack, count > 2 ? arguments[2] : NULL);
    if (done)
        fwrite(buffer_get(&json), 1, (size_t)json.length, stdout);
    else
        tell(&list, &error);
    buffer_finish(&json);
    pack_destroy(pack);
    diagnostics_finish(&list);
    return done ? 0 : 1;
}
