/* Pictures in HTML: told, their descriptions kept; those of formulas are TeX. */
#include "html_engine.h"

#include <quiztutor/message.h>

#include <string.h>
#include <strings.h>

/* The file's name in an address, for people: its last part, %20 resolved. */
static void add_file_name(struct buffer *out, const char *address)
{
    const char *name = strrchr(address, '/');
    name = name ? name + 1 : address;
    for (ptrdiff_t size = (ptrdiff_t)strcspn(name, "?#"); size > 0; name++, size--) {
        unsigned code = 0;
        if (*name == '%' && size > 2) {
            for (int i = 1; i <= 2; i++) {
                char c = (char)(name[i] | 0x20);
                code = code * 16 + (unsigned)(c >= 'a' ? c - 'a' + 10 : c - '0');
            }
        }
        bool decoded = code >= 0x20 && code < 0x7f;
        buffer_char(out, decoded ? (char)code : *name);
        name += decoded ? 2 : 0;
        size -= decoded ? 2 : 0;
    }
}

static bool ends_as_file(const char *text)
{
    static const char *const endings[] = { ".png",  ".jpg", ".jpeg", ".gif", ".svg",
                                           ".webp", ".bmp", ".tif",  ".tiff" };
    size_t length = strlen(text);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t size = strlen(endings[i]);
        if (length >= size && strcasecmp(text + length - size, endings[i]) == 0)
            return true;
    }
    return false;
}

/* The TeX of a picture of a formula; false: it is no such picture. */
static bool put_formula(struct html *html, const struct html_token *token)
{
    struct buffer tex, class;
    buffer_init(&tex);
    buffer_init(&class);
    html_attribute(token, "class", &class);
    const char *kind = buffer_get(&class);
    bool formula = html_attribute(token, "data-equation-content", &tex) ||
                   html_attribute(token, "data-mathml-tex", &tex) ||
                   ((strstr(kind, "equation_image") || strstr(kind, "texrender") || strstr(kind, "math")) &&
                    html_attribute(token, "alt", &tex));
    const char *text = buffer_get(&tex);
    if (strncasecmp(text, "LaTeX:", 6) == 0)
        text += 6;
    text += strspn(text, " \n\t\r");
    formula = formula && *text;
    if (formula) {
        html_put_text(html, "\\(");
        html_put(html, text, (ptrdiff_t)strcspn(text, "\n"));
        html_put_text(html, "\\)");
    }
    html->import->failed = html->import->failed || tex.failed || class.failed;
    buffer_finish(&tex);
    buffer_finish(&class);
    return formula;
}

void html_picture(struct html *html, const struct html_token *token)
{
    struct buffer alt, name, source;
    if (put_formula(html, token))
        return;
    buffer_init(&alt);
    buffer_init(&name);
    buffer_init(&source);
    html_attribute(token, "alt", &alt);
    if (!html_attribute(token, "src", &source))
        html_attribute(token, "data", &source);
    const char *address = buffer_get(&source);
    if (*address && strncmp(address, "data:", 5) != 0)
        add_file_name(&name, address);
    const char *said = buffer_get(&alt);
    said += strspn(said, " \t\r\n");
    if (*said && !ends_as_file(said)) {
        html_put_text(html, "[");
        html_run(html, said, (ptrdiff_t)strlen(said));
        html_put_text(html, "]");
    } else {
        said = "";
    }
    if (++html->pictures <= HTML_PICTURES)
        import_change(html->import, tr("a picture was left out: %.80s"),
                      name.length ? buffer_get(&name)
                      : *said     ? said
                                  : tr("without a name"));
    else if (html->pictures == HTML_PICTURES + 1)
        import_change(html->import, "%s", tr("more pictures were left out"));
    html->import->failed = html->import->failed || alt.failed || name.failed || source.failed;
    buffer_finish(&alt);
    buffer_finish(&name);
    buffer_finish(&source);
}
