/* XML: what is refused at once and how it is told, encodings, places, and that hostile documents cost no
 * more. */
#include "xml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static void assert_refused(const char *bytes, ptrdiff_t length, const char *words)
{
    struct arena arena;
    struct error error = { 0 };
    const struct xml_node *root;
    arena_init(&arena);
    bool read = xml_parse(&root, &arena, bytes, length, &error);
    if (read || root || error.code != ERROR_INPUT || !strstr(error.message, words))
        fail_msg("%.200s\ngives \"%s\", not \"%s\"", bytes, error.message, words);
    arena_finish(&arena);
}

static void refuse(const char *text, const char *words)
{
    assert_refused(text, (ptrdiff_t)strlen(text), words);
}

static void refused(void **state)
{
    (void)state;
    refuse("<?xml version=\"1.0\"?>\n<!DOCTYPE r [\n<!ENTITY x SYSTEM \"file:///etc/passwd\">]><r>&x;</r>",
           "line 3: it declares entities");
    refuse("<!DOCTYPE lolz [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]><r>&b;</r>",
           "line 1: it declares entities");
    refuse("<!DOCTYPE r [<!ENTITY % p SYSTEM \"http://x/\"> %p;]><r/>", "declares entities");
    refuse("<!DOCTYPE r [<!ATTLIST r a CDATA \"x\">]><r/>", "document type of its own");
    refuse("<r>&nbsp;</r>", "line 1: the entity &nbsp; is not defined");
    refuse("<!DOCTYPE r SYSTEM \"file:///etc/passwd\"><r>&foo;</r>", "the entity &foo; is not defined");
    refuse("<r>\n<a>\n</b></r>", "line 3: </b> ends <a>, which was opened in line 2");
    refuse("<r>a & b</r>", "stands alone");
    refuse("<r>a < b</r>", "line 1");
    refuse("<r><a>", "cut short");
    refuse("<r><![CDATA[x", "cut short");
    refuse("<r/><r/>", "behind the end");
    refuse("", "empty or no XML");
    refuse("just text", "no XML");
    refuse("{}", "no XML");
    refuse("<r>\x01</r>", "can't hold");
    refuse("<r>\n\xe9</r>", "is not UTF-8");
    refuse("<?xml version='1.0' encoding='utf-8'?><r>\xe9</r>", "is not UTF-8");
    refuse("<?xml version='1.0' encoding='UTF-16'?><r/>",
           "\"utf-16\" is declared, but the file is not in it");
    refuse("<?xml version='1.0' encoding='ISO-8859-1'?><r>\xc3\xa9</r>", "but the file is in UTF-8");
    refuse("<?xml version='1.0' encoding='ebcdic'?><r/>", "\"ebcdic\" is not known");
    assert_refused("<r>\0</r>", 8, "NUL");
    assert_refused("\xff\xfe<\0r\0/\0>", 9, "cut short");
    assert_refused("\xff\xfe<\0r\0>\0\x00\xd8<\0", 12, "half of a pair");
}

static const struct xml_node *parse(struct arena *arena, const char *bytes, ptrdiff_t length)
{
    struct error error = { 0 };
    const struct xml_node *root;
    arena_init(arena);
    if (!xml_parse(&root, arena, bytes, length, &error))
        fail_msg("%s: %s", bytes, error.message);
    return root;
}

static void assert_words(const char *bytes, ptrdiff_t length, const char *words)
{
    struct arena arena;
    assert_string_equal(xml_words(&arena, parse(&arena, bytes, length)), words);
    arena_finish(&arena);
}

static void encodings(void **state)
{
    (void)state;
    assert_words("<r>\xc3\xa9</r>", 9, "é");
    assert_words("\xef\xbb\xbf<?xml version='1.0'?><r>\xc3\xa9</r>", 33, "é");
    assert_words("<?xml version='1.0' encoding='iso-8859-1'?><r>\xe9</r>", 51, "é");
    assert_words("<?xml version=\"1.0\" encoding=\"Windows-1252\"?><r>\x80</r>", 53, "€");
    assert_words("\xff\xfe<\0r\0>\0\xe9\0=\xd8\0\xde<\0/\0r\0>\0", 22, "é😀");
    assert_words("\xfe\xff\0<\0r\0>\0\xe9\0<\0/\0r\0>", 18, "é");
    static const char wide[] =
        "\xff\xfe<\0?\0x\0m\0l\0 \0v\0e\0r\0s\0i\0o\0n\0=\0'\0001\0.\0000\0'\0 \0e\0n\0c\0o\0d\0i\0n"
        "\0g\0=\0'\0u\0t\0f\0-\0001\0006\0'\0?\0>\0<\0r\0>\0\xe9\0<\0/\0r\0>\0";
    assert_words(wide, (ptrdiff_t)sizeof wide - 1, "é");
}

static void taken(void **state)
{
    struct arena arena;
    struct buffer html;
    (void)state;
    /* a document type by name alone, with an entity that HTML has; nothing is fetched */
    static const char typed[] =
        "<!DOCTYPE r PUBLIC \"-//X\" \"http://localhost:1/x.dtd\">\n<r>a&eacute;b</r>";
    assert_words(typed, (ptrdiff_t)sizeof typed - 1, "aéb");
    static const char text[] = "<q:r xmlns:q='u'>\n <q:a q:k='1 &lt; 2 &amp; "
                               "&#38;'>x<![CDATA[<b>]]>&amp;y</q:a><!-- c --><?p i?>\n<b/>t</q:r>";
    const struct xml_node *root = parse(&arena, text, (ptrdiff_t)sizeof text - 1);
    assert_string_equal(root->name, "r");
    assert_int_equal(root->line, 1);
    const struct xml_node *a = xml_child(root, "a");
    assert_int_equal(a->line, 2);
    assert_string_equal(xml_attribute(a, "k"), "1 < 2 & &");
    assert_null(xml_attribute(a, "j"));
    assert_string_equal(xml_words(&arena, a), "x<b>&y");
    assert_null(a->in.first->next); /* split CDATA is one run */
    assert_true(xml_is(xml_next(a, NULL), "b"));
    assert_null(xml_next(a, "a"));
    assert_ptr_equal(xml_find(root, "b"), xml_next(a, "b"));
    buffer_init(&html);
    xml_html(&html, root, NULL, NULL);
    assert_string_equal(buffer_get(&html), "\n <a k=\"1 &lt; 2 &amp; &amp;\">x&lt;b&gt;&amp;y</a>\n<b></b>t");
    buffer_finish(&html);
    arena_finish(&arena);
}

static void nested(void **state)
{
    struct buffer text;
    (void)state;
    for (int depth = XML_NESTING; depth <= XML_NESTING + 1; depth++) {
        buffer_init(&text);
        for (int i = 0; i < depth; i++)
            buffer_text(&text, "<a>\n");
        for (int i = 0; i < depth; i++)
            buffer_text(&text, "</a>");
        if (depth > XML_NESTING) {
            assert_refused(text.data, text.length, "line 201: elements are nested more than 200 deep");
        } else {
            struct arena arena;
            parse(&arena, text.data, text.length);
            arena_finish(&arena);
        }
        buffer_finish(&text);
    }
}

/* Two megabytes of one thing between <r> and </r>: refused or read, but in no time. */
static void linear(void **state)
{
    static const char *const units[][3] = {
        { "<r>", "<a/>", "</r>" },         { "", "<a>", "" },
        { "<r>", "text ", "</r>" },        { "<r>", "&amp;", "</r>" },
        { "<r>", "<!-- -->", "</r>" },     { "<r>", "<![CDATA[x]]>", "</r>" },
        { "<r ", "a='1' ", "/>" },         { "<r ", "xmlns:a='1' ", "/>" },
        { "<r a='", "x", "'/>" },          { "<r><", "a", "/></r>" },
        { "<!DOCTYPE ", "a", "><r/>" },    { "<r>", "<?p ", "</r>" },
        { "<r>", "<!--", "</r>" },         { "<r>", "<![CDATA[", "</r>" },
        { "<r>", "<a b='", "</r>" },       { "<r>", "<a b='1' c='2' d='3'>x</a>", "</r>" },
        { "<r>", "&#10;", "</r>" },        { "<!DOCTYPE r [", "<!ENTITY a 'b'>", "]><r/>" },
        { "<r>", "<!DOCTYPE x>", "</r>" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        struct buffer text;
        struct arena arena;
        struct error error;
        const struct xml_node *root;
        buffer_init(&text);
        buffer_text(&text, units[i][0]);
        for (int n = 0; text.length < 2 * 1000 * 1000; n++)
            if (strcmp(units[i][1], "xmlns:a='1' ") == 0)
                buffer_print(&text, "xmlns:a%d='%d' ", n, n);
            else if (strcmp(units[i][1], "a='1' ") == 0)
                buffer_print(&text, "a%d='1' ", n);
            else
                buffer_text(&text, units[i][1]);
        buffer_text(&text, units[i][2]);
        arena_init(&arena);
        clock_t start = clock();
        xml_parse(&root, &arena, text.data, text.length, &error);
        double used = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (used > 8)
            fail_msg("2 MB of %s take %.1f s", units[i][1], used);
        arena_finish(&arena);
        buffer_finish(&text);
    }
}

static void no_memory(void **state)
{
    static const char text[] = "\xff\xfe<\0r\0 \0k\0=\0'\0v\0'\0>\0t\0<\0a\0/\0>\0u\0<\0/\0r\0>\0";
    (void)state;
    for (long n = 1;; n++) {
        struct arena arena;
        struct error error = { 0 };
        const struct xml_node *root;
        arena_init(&arena);
        memory_fail_after(n);
        bool read = xml_parse(&root, &arena, text, (ptrdiff_t)sizeof text - 1, &error);
        memory_fail_after(0);
        arena_finish(&arena);
        if (read)
            break;
        assert_int_equal(error.code, ERROR_MEMORY);
        assert_true(n < 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused), cmocka_unit_test(encodings), cmocka_unit_test(taken),
        cmocka_unit_test(nested),  cmocka_unit_test(linear),    cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
