/* HTML fragments as texts: structure, marks, what is left out, and hostile ones. */
#include "html.h"

#include <quiztutor/markup.h>
#include <quiztutor/text.h>

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

struct row {
    const char *html, *light, *plain; /* in a pack with and without light markup; plain NULL: the same */
};

static const struct row rows[] = {
    { "", NULL, NULL },
    { " \n ", NULL, NULL },
    { "<p></p><p>&nbsp;</p>", NULL, NULL },
    { "plain", "plain", NULL },
    { " a \n b\t c ", "a b c", NULL },
    { "<p>one</p>\n<p>two</p>", "one\n\ntwo", NULL },
    { "one<br>two<br />three", "one\ntwo\nthree", NULL },
    { "one<br><br>two<br>", "one\n\ntwo", NULL },
    { "<div>one</div><div><br></div><div>two</div>", "one\n\ntwo", NULL },
    { "<div>one</div><div>two</div>", "one\ntwo", NULL },
    { "<P>ONE</P><p CLASS=x>two", "ONE\n\ntwo", NULL },
    { "<h1>Head</h1>text<ul><li>a<li>b</ul>more", "Head\n\ntext\n\n- a\n- b\n\nmore", NULL },
    { "<ol><li>a</li><li>b</li></ol>", "1. a\n2. b", NULL },
    { "<ol start=\"9\"><li>a</li><li><p>b</p><p>c</p></li></ol>", "9. a\n\n10. b\n\nc", NULL },
    { "<ol type=a><li>x<li>y</ol>", "a. x\nb. y", NULL },
    { "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n\n-- b\n\n- c", NULL },
    { "<ol><li>a<ol><li>b</ol><li>c</ol>", "1. a\n\n1.1. b\n\n2. c", NULL },
    { "<table><tr><th>x</th><th>y</th></tr><tr><td><p>1</p></td><td>2<br>3</td></tr></table>",
      "x | y\n1 | 2 3", NULL },
    { "<table><tbody><tr><td>a<td>b<tr><td>c</table>", "a | b\nc", NULL },
    { "a <em>b</em> c", "a *b* c", "a b c" },
    { "a <b> b </b> c", "a *b* c", "a b c" },
    { "un<i>believ</i>able", "un*believ*able", "unbelievable" },
    { "<b>a</b><i>b</i>", "*ab*", "ab" },
    { "<b><i>a</i></b>", "*a*", "a" },
    { "<b>a<p>b</p></b>", "*a*\n\n*b*", "a\n\nb" },
    { "<b></b>x<i> </i>y", "x y", "x y" },
    { "2 * 3 = `6`", "2 \\* 3 = \\`6\\`", "2 * 3 = `6`" },
    { "<code>a * b</code>", "`a * b`", "a * b" },
    { "<code>a`b</code>!", "``a`b``!", "a`b!" },
    { "<code>`</code>", "\\`", "`" },
    { "\\<b>x</b>", "\\x", NULL },
    { "<b>x\\</b>", "x\\", NULL },
    { "<b>a<code>b</code>c</b>", "*a*`b`*c*", "abc" },
    { "see:<pre>if x:\n    y()</pre>now", "see:\n\n```\nif x:\n    y()\n```\n\nnow",
      "see:\n\nif x:\ny()\n\nnow" },
    { "<pre>\n<code>a &lt; b\n</code></pre>", "```\na < b\n```", "a < b" },
    { "x<sup>2</sup> H<sub>2</sub>O", "x² H₂O", NULL },
    { "x<sup>n+k</sup>, a<sub>ij</sub>, e<sup>-1</sup>", "x^(n+k), a_ij, e⁻¹", NULL },
    { "the 1<sup>st</sup> of a<sup>st</sup>", "the 1st of a^st", NULL },
    { "x<sup><i>n</i></sup>", "xⁿ", NULL },
    { "2<sup>2<sup>k</sup></sup>", "2^(2^k)", NULL },
    { "a &lt; b &amp;&amp; c &gt; d", "a < b && c > d", NULL },
    { "a < b and 1<2", "a < b and 1<2", NULL },
    { "AT&T &copy; &eacute; &#233; &#xe9; &#8364; &#128; &bogus; &#x110000;",
      "AT&T © é é é € € &bogus; \xef\xbf\xbd", NULL },
    { "5&nbsp;GB, a&nbsp; b,&nbsp;&nbsp;c", "5\xc2\xa0GB, a  b,  c", NULL },
    { "a<!-- no --><script>alert('</b>')</script><style>b{}</style>b", "ab", NULL },
    { "a<!doctype html><?php x ?>b", "ab", NULL },
    { "<a href=\"http://x/\">here</a> <span style='color:red'>red</span>", "here red", NULL },
    { "she said <q>no</q>", "she said “no”", NULL },
    { "\\(x^2\\) and $$y$$", "\\(x^2\\) and $$y$$", NULL },
    { "<math><mfrac><mn>1</mn><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow></mfrac></math>", "1/(a+b)", NULL },
    { "<math> <msup> <mi>x</mi> <mn>2</mn> </msup> <mo>=</mo> <msqrt><mi>y</mi></msqrt> </math>", "x²=√y",
      NULL },
    { "<m:math><m:msubsup><m:mi>x</m:mi><m:mi>i</m:mi><m:mn>3</m:mn></m:msubsup></m:math>", "x_i³", NULL },
    { "<math><semantics><mrow><mi>x</mi></mrow><annotation "
      "encoding=\"application/x-tex\">x_1</annotation></semantics></math>",
      "\\(x_1\\)", NULL },
    { "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)", NULL },
    { "<p>a</p></p></div></b>b", "a\n\nb", NULL },
    { "<b", "<b", NULL },
    { "x <b class=\"", "x <b class=\"", NULL },
    { "<![CDATA[x]]>", "x]]>", NULL },
    { "e\xcc\x81", "e\xcc\x81", NULL },
};

static const char *make(struct import *import, const char *html, enum html_form form, bool markup)
{
    struct question question;
    import_init(import, "x");
    import->markup = markup;
    import_open(import, &question, 1, "q");
    return html_text(import, html, (ptrdiff_t)strlen(html), form);
}

static void assert_text(const char *html, const char *found, const char *wanted)
{
    if (!found != !wanted || (found && strcmp(found, wanted) != 0))
        fail_msg("%s\ngives:  %s\nwanted: %s", html, found ? found : "(nothing)",
                 wanted ? wanted : "(nothing)");
}

static void elements(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct import import;
        assert_text(rows[i].html, make(&import, rows[i].html, HTML_TEXT, true), rows[i].light);
        import_finish(&import);
        const char *plain = rows[i].plain ? rows[i].plain : rows[i].light;
        assert_text(rows[i].html, make(&import, rows[i].html, HTML_CARD, true), plain);
        import_finish(&import);
    }
}

/* What light markup shows of the text is what the plain form has: nothing is lost or gained by the marks. */
static void marks_render(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct import light, plain;
        struct buffer shown;
        buffer_init(&shown);
        const char *one = make(&light, rows[i].html, HTML_TEXT, true);
        const char *other = make(&plain, rows[i].html, HTML_CARD, false);
        markup_render(&shown, one ? one : "", false);
        if (!strstr(rows[i].html, "<pre"))
            assert_text(rows[i].html, buffer_get(&shown), other ? other : "");
        buffer_finish(&shown);
        import_finish(&light);
        import_finish(&plain);
    }
}

static void lines(void **state)
{
    struct import import;
    (void)state;
    assert_string_equal(make(&import, "<p>a</p><ul><li>b</ul><pre>c\nd</pre>", HTML_LINE, true), "a b `c d`");
    import_finish(&import);
    assert_string_equal(make(&import, "<p><b>a</b> *</p>", HTML_BARE, true), "a *");
    import_finish(&import);
}

static void told(const char *html, const char *text, const char *words)
{
    struct import import;
    assert_text(html, make(&import, html, HTML_TEXT, true), text);
    if (!strstr(buffer_get(&import.changes), words))
        fail_msg("%s\ntells \"%s\", not \"%s\"", html, buffer_get(&import.changes), words);
    import_finish(&import);
}

static void left_out(void **state)
{
    (void)state;
    told("see <img src=\"@@PLUGINFILE@@/a%20b.png?x=1\" alt=\"\"> it", "see it",
         "a picture was left out: a b.png");
    told("<img alt='a cat' src=\"data:image/png;base64,AAAA\">", "[a cat]", "a picture was left out: a cat");
    told("<img src=x.gif alt=x.gif>y", "y", "x.gif");
    told("<img class='equation_image' alt='LaTeX: x^2' src=y>", "\\(x^2\\)", "");
    told("a<audio src=x>no</audio><video><source src=y></video>b", "ab",
         "sound was left out; a film was left out");
    told("a<iframe src=x>no</iframe>b", "ab", "an embedded page");
    told("a<object data='p.svg' type='image/svg+xml'>no</object>b", "ab", "p.svg");
    told("a<svg><text>no</text></svg>b", "ab", "a picture");
    told("<pre>a\n b</pre>c", "```\na\n b\n```\n\nc", "");
    told("<pre>a\n```\n b</pre>c", "a\n\\`\\`\\`\nb\n\nc", "the indentation of code was lost");
    told("a <s>b</s>", "a b", "struck-out");
    told("a<y b", "a<y b", "");
    told("if a<y>b", "if ab", "unknown HTML element");
    told("<math><mi>x</mi></math>", "x", "formula");
}

static void figures(void **state)
{
    static const struct {
        const char *html, *text, *figure;
    } cases[] = {
        { "<p>Look:</p><pre>  +-+\n  | |</pre>", "Look:", "  +-+\n  | |" },
        { "<p>Look:</p><pre>a|b</pre>", "Look:", "a|b" },
        { "<p>Code:</p><pre><code>a = 1</code></pre>", "Code:\n\n```\na = 1\n```", NULL },
        { "<p>Code:</p><pre><code>if a:\n  b</code></pre><p> </p>", "Code:\n\n```\nif a:\n  b\n```", NULL },
        { "<pre>x</pre>", "```\nx\n```", NULL },
        { "<p>a</p><pre>x</pre>b", "a\n\n```\nx\n```\n\nb", NULL },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct import import;
        const char *figure;
        import_init(&import, "x");
        import.markup = true;
        const char *text =
            html_text_figure(&import, cases[i].html, (ptrdiff_t)strlen(cases[i].html), HTML_TEXT, &figure);
        assert_text(cases[i].html, text, cases[i].text);
        assert_text(cases[i].html, figure, cases[i].figure);
        import_finish(&import);
    }
}

static void telltale(void **state)
{
    (void)state;
    assert_true(html_marks("a <em>", 6));
    assert_true(html_marks("&lt;CODE>", 9));
    assert_true(html_marks("<b>", 3));
    assert_false(html_marks("<p>a &lt; b</p><br>", 19));
    assert_false(html_marks("<", 1));
    assert_false(html_marks("&lt;", 4));
}

/* Two megabytes of what could cost time beyond measure: a quadratic reader would need hours.
 */
static double seconds(const char *unit, ptrdiff_t size)
{
    struct buffer html;
    struct import import;
    struct question question;
    buffer_init(&html);
    while (html.length < size)
        buffer_text(&html, unit);
    import_init(&import, "x");
    import.markup = true;
    import_open(&import, &question, 1, "q");
    clock_t start = clock();
    html_text(&import, html.data, html.length, HTML_TEXT);
    double used = (double)(clock() - start) / CLOCKS_PER_SEC;
    import_finish(&import);
    buffer_finish(&html);
    return used;
}

static void linear(void **state)
{
    static const char *const units[] = { "<b>",
                                         "<p>",
                                         "</b>",
                                         "<a x=\"",
                                         "<a b",
                                         "<!--",
                                         "<script>",
                                         "<sup>",
                                         "<sup>a",
                                         "<ul><li>",
                                         "<table><tr><td>a",
                                         "<math><mfrac><mi>a</mi>",
                                         "&",
                                         "&#x",
                                         "<",
                                         "<a =",
                                         "<code>`</code>",
                                         "<b>a</b>",
                                         "*",
                                         "`",
                                         "<pre>`\n",
                                         "<a b c d e f",
                                         "<i>\\</i>",
                                         "&nbsp; ",
                                         "<br>",
                                         "<q>",
                                         "<img alt=a>",
                                         "<tr>",
                                         "<![CDATA[",
                                         "<textarea>",
                                         "<math><annotation>a" };
    (void)state;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        double used = seconds(units[i], 2 * 1000 * 1000);
        if (used > 8)
            fail_msg("2 MB of %s take %.1f s", units[i], used);
    }
}

static void no_memory(void **state)
{
    static const char html[] =
        "<p>a <b>b</b> <img src=x alt=y> x<sup>2</sup></p><ul><li>c</ul><pre>d\n e</pre>"
        "<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math><code>`a``</code>&amp;";
    (void)state;
    for (long n = 1;; n++) {
        struct import import;
        struct question question;
        import_init(&import, "x");
        import.markup = true;
        import_open(&import, &question, 1, "q");
        memory_fail_after(n);
        html_text(&import, html, (ptrdiff_t)strlen(html), HTML_TEXT);
        memory_fail_after(0);
        bool failed = import.failed;
        import_finish(&import);
        if (!failed) {
            assert_true(n > 3);
            break;
        }
        assert_true(n < 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements), cmocka_unit_test(marks_render), cmocka_unit_test(lines),
        cmocka_unit_test(left_out), cmocka_unit_test(figures),      cmocka_unit_test(telltale),
        cmocka_unit_test(linear),   cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
