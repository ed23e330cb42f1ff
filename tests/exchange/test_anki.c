/* Anki's notes in text, and clozes: what Anki writes in several ages, what people write by hand, hostile
 * ones.
 */
#include "anki_note.h"
#include "reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct reading reading;

static int end(void **state)
{
    (void)state;
    reading_finish(&reading);
    reading = (struct reading){ .pack = NULL };
    return 0;
}

static const struct question *question(int place)
{
    assert_non_null(reading.pack);
    assert_true(place < reading.pack->question_count);
    return &reading.pack->questions[place];
}

static void assert_card(int place, const char *front, const char *back)
{
    assert_int_equal(question(place)->type, QUESTION_RECALL);
    assert_string_equal(question(place)->prompt, front);
    assert_string_equal(question(place)->key.recall, back);
}

/* ---- the head ---- */

static void new_head(void **state)
{
    (void)state;
    assert_true(reading_text(
        &reading, anki_read,
        "#separator:tab\n#html:true\n#guid column:1\n#notetype column:2\n#deck column:3\n#tags column:6\n"
        "k1\tBasic\tBio::Cells\tWhat is <b>this</b>?\tA cell<br>and more\tone two::three leech\n"
        "k2\tBasic (and reversed card)\tBio::Cells\tin\tout\t\n"
        "k3\tBasic (type in the answer)\tBio::Plants\ta &lt; b\t&nbsp;yes&nbsp;\tmarked\n"));
    assert_int_equal(reading.import.count, 3);
    assert_string_equal(reading.pack->title, "Bio");
    assert_int_equal(reading.pack->section_count, 2);
    assert_string_equal(reading.pack->sections[0].title, "Cells");
    assert_card(0, "What is *this*?", "A cell\nand more");
    assert_int_equal(question(0)->tags.count, 2);
    assert_string_equal(question(0)->tags.items[1], "two::three");
    assert_says(&reading, 1, "the reversed card is not made");
    assert_card(2, "a < b", "yes");
    assert_says(&reading, 2, "recalled, not typed");
    assert_int_equal(question(2)->tags.count, 0);
    assert_int_equal(reading.import.lines[0].line, 7);
}

static void all_in_the_head(void **state)
{
    (void)state;
    assert_true(reading_text(&reading, anki_read,
                             "\xef\xbb\xbf#Separator: Semicolon\r\n#HTML: false\r\n#deck: My deck\r\n"
                             "#tags: a b\r\n#columns:Front;Back;Extra;Tags\r\n#tags column:4\r\n"
                             "Is a <b> b?;*yes*;More;c\r\n"));
    assert_string_equal(reading.pack->title, "My deck");
    assert_card(0, "Is a <b> b?", "*yes*");
    assert_int_equal(question(0)->tags.count, 3);
    assert_string_equal(question(0)->explanation, "More");
    assert_says(&reading, 0, "the field \"Extra\" is in its explanation");
    assert_int_equal(reading.import.lines[0].line, 7);
}

static void separators(void **state)
{
    static const struct {
        const char *name, *sign;
    } all[] = { { "tab", "\t" },  { "comma", "," }, { "semicolon", ";" }, { "pipe", "|" }, { "space", " " },
                { "colon", ":" }, { ",", "," },     { "\t", "\t" },       { "Pipe", "|" } };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char text[200];
        end(NULL);
        snprintf(text, sizeof text, "#separator:%s\n#html:false\n\"a%sb\"%sc\n", all[i].name, all[i].sign,
                 all[i].sign);
        assert_true(reading_text(&reading, anki_read, text));
        snprintf(text, sizeof text, "a%sb", strcmp(all[i].sign, "\t") == 0 ? "\t" : all[i].sign);
        assert_card(0, text, "c");
    }
}

/* What a file does not tell is told in turn, with its first note. */
static void without_head(void **state)
{
    (void)state;
    assert_true(reading_text(&reading, anki_read, "a\tb\nc\td\n")); /* as Anki wrote it for years */
    assert_card(1, "c", "d");
    assert_null(strstr(reading.import.lines[0].what, "separator"));
    end(NULL);
    assert_true(reading_text(&reading, anki_read, "a;b\nc, d;e\n"));
    assert_card(1, "c, d", "e");
    assert_says(&reading, 0, "#separator:semicolon");
    assert_null(strstr(reading.import.lines[1].what, "separator"));
    end(NULL);
    assert_true(reading_text(&reading, anki_read, "a<br>x\tb\n"));
    assert_card(0, "a\nx", "b");
    assert_says(&reading, 0, "#html:true");
}

static void odd_heads(void **state)
{
    (void)state;
    assert_true(
        reading_text(&reading, anki_read,
                     "#separator:dash\n#html:maybe\n#tags column:x\n#if matches:update current\na\tb\n"));
    assert_int_equal(reading.import.count, 1);
    assert_int_equal(reading.import.line_count, 4);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(reading.import.lines[i].line, i + 1);
        assert_says(&reading, i, "is not known");
    }
}

/* ---- rows ---- */

static void rows(void **state)
{
    (void)state;
    assert_true(reading_text(&reading, anki_read,
                             "#separator:tab\n#html:false\n#include <stdio.h>\tis a directive\n"
                             "\"two\nlines\"\t\"say \"\"hi\"\"\"\n#later\tkept\n\n\"quoted\" word\tx\n"));
    assert_int_equal(reading.import.count, 4);
    assert_card(0, "#include <stdio.h>", "is a directive");
    assert_card(1, "two\nlines", "say \"hi\"");
    assert_card(2, "#later", "kept");
    assert_card(3, "\"quoted\" word", "x");
    assert_says(&reading, 3, "quotation mark");
    assert_int_equal(reading.import.lines[2].line, 6);
}

static void faults(void **state)
{
    (void)state;
    assert_true(
        reading_text(&reading, anki_read,
                     "#separator:tab\n#html:true\nonly a front\n\tonly a back\n<img src=x.png>\tpicture\n"
                     "a\t[sound:b.mp3]\n\"never closed\tx\ny\tz\n"));
    assert_int_equal(reading.import.count, 0);
    assert_says(&reading, 0, "no back");
    assert_says(&reading, 1, "no front");
    assert_says(&reading, 2, "no front");
    assert_says(&reading, 3, "no back");
    assert_says(&reading, 4, "opens in line 7 and is never closed");
    end(NULL);
    assert_false(reading_text(&reading, anki_read, "#separator:tab\na\tW\xe4r\n"));
    assert_non_null(strstr(reading.error.message, "byte 18"));
}

static void media(void **state)
{
    (void)state;
    assert_true(
        reading_text(&reading, anki_read,
                     "#separator:tab\n#html:true\nHear [sound:a b.mp3] this <img src=\"c.png\">\tyes\n"));
    assert_card(0, "Hear this", "yes");
    assert_says(&reading, 0, "a b.mp3");
    assert_says(&reading, 0, "c.png");
}

static void structure(void **state)
{
    (void)state;
    assert_true(
        reading_text(&reading, anki_read,
                     "#separator:tab\n#html:true\n<div>one</div><div>two</div>\t<ul><li>a</li><li>b</li></ul>"
                     "x<sup>2</sup>\n<pre>if x:<br>    y</pre>\t<i>z</i>\n"));
    assert_card(0, "one\ntwo", "- a\n- b\n\nx²");
    assert_card(1, "```\nif x:\n    y\n```", "z");
}

/* No text is cut unsaid. */
static void long_texts(void **state)
{
    static const char *const before[] = { "", "front\t", "{{c1::a}} ", "{{c1::a}} b\t" };
    static const char *const behind[] = { "\tback\n", "\n", "\t\n", "\n" };
    static char text[PACK_TEXT + 100], word[PACK_TEXT + 2];
    (void)state;
    memset(word, 'x', sizeof word - 1);
    for (int i = 0; i < 4; i++) {
        snprintf(text, sizeof text, "#separator:tab\n%s%s%s", before[i], word, behind[i]);
        assert_true(reading_text(&reading, anki_read, text));
        assert_int_equal(reading.import.count, 0);
        assert_says(&reading, 0, "longer than 64 KiB");
        reading_finish(&reading);
    }
    word[PACK_TEXT] = '\0';
    snprintf(text, sizeof text, "#separator:tab\n%s%s", word, behind[0]);
    assert_true(reading_text(&reading, anki_read, text));
    assert_int_equal(reading.import.count, 1);
}

/* ---- clozes ---- */

static void clozes(void **state)
{
    (void)state;
    assert_true(reading_text(&reading, anki_read,
                             "#separator:tab\n#html:true\n#notetype:Cloze\n"
                             "{{c1::Paris::city}} is in {{c2::<b>France</b>}}, {{c1::really}}.\tExtra\n"
                             "{{c3::outer {{c1::inner}} text}}\t\nno cloze\tx\n{{c1::never\tclosed\n"));
    assert_int_equal(reading.import.count, 4);
    assert_card(0, "[city] is in *France*, […].", "Paris; really");
    assert_card(1, "Paris is in […], really.", "France");
    assert_string_equal(question(0)->explanation, "Paris is in *France*, really.\n\nExtra");
    assert_card(2, "outer […] text", "inner");
    assert_card(3, "[…]", "outer inner text");
    assert_says(&reading, 4, "no cloze");
    assert_says(&reading, 5, "no cloze");
    assert_int_equal(reading.import.line_count, 6);
}

static void cloze_texts(void **state)
{
    static const struct {
        const char *text, *prompt, *answer;
    } cases[] = {
        { "a {{c1::b}} c", "a […] c", "b" },
        { "{{c1::b::}}", "[…]", "b" },
        { "{{c1::a::b::c}}", "[b::c]", "a" },
        { "{{C1::b}}", "[…]", "b" },
        { "x::y {{c12::b}} }} {{ {{c::d}}", "x::y […] }} {{ {{c::d}}", "b" },
        { "{{c2::a {{c1::b::h}} c}} {{c1::d}}", "a [h] c […]", "b; d" },
        { "{{c1::a {{c1::b}} c}}", "[…]", "a b c" },
        { "{{c2::open {{c1::b}}", "{{c2::open […]", "b" },
        { "{{c1::é…}}{{c2::ü}}", "[…]ü", "é…" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct import import;
        struct anki_note note = { .line = 1 };
        import_init(&import, "x");
        assert_true(anki_note_has_cloze(cases[i].text));
        anki_note_clozes(&import, &note, cases[i].text, NULL);
        assert_true(import.count >= 1);
        assert_string_equal(import.questions[0].prompt, cases[i].prompt);
        assert_string_equal(import.questions[0].key.recall, cases[i].answer);
        import_finish(&import);
    }
    assert_false(anki_note_has_cloze("{{c::x}}"));
    assert_false(anki_note_has_cloze("{{c1:x}}"));
    assert_false(anki_note_has_cloze("{{c1::x"));
    assert_false(anki_note_has_cloze("{{c0::x}}"));
}

/* Many clozes of one long text would be a hundred times as much text; too many, and too deep ones, are told.
 */
static void hostile_clozes(void **state)
{
    struct buffer text;
    struct import import;
    struct anki_note note = { .line = 1 };
    (void)state;
    buffer_init(&text);
    import_init(&import, "x");
    for (int i = 1; i <= 2000; i++)
        buffer_print(&text, "{{c%d::x}}", i);
    anki_note_clozes(&import, &note, buffer_get(&text), NULL);
    assert_int_equal(import.count, 0);
    assert_string_equal(import.lines[0].what, "it has too many clozes");
    buffer_clear(&text);
    for (int i = 1; i <= 20000; i++)
        buffer_text(&text, "{{c1::");
    anki_note_clozes(&import, &note, buffer_get(&text), NULL);
    assert_non_null(strstr(import.lines[1].what, "inside each other"));
    buffer_finish(&text);
    import_finish(&import);
}

/* ---- what the writer leaves ---- */

static void written(void **state)
{
    static const char pack_text[] =
        "format: quiztutor/1\nid: p\ntitle: P\nquestions:\n"
        "  - id: a\n    prompt: Which?\n    choices: [x, {correct: y, feedback: yes}]\n    hint: h\n"
        "    explanation: Because.\n    tags: [two words, one]\n    source: A book\n"
        "  - id: b\n    prompt: How much?\n    number: {answer: 0.27, tolerance: 5%, unit: GiB}\n"
        "    explanation: So.\n";
    struct diagnostics list;
    struct pack *pack;
    struct export export;
    struct error error;
    (void)state;
    diagnostics_init(&list);
    assert_true(pack_load_bytes(&pack, "p.yaml", pack_text, (ptrdiff_t)sizeof pack_text - 1, &list, &error));
    export_init(&export, pack);
    assert_true(anki_write(&export, &error));
    assert_true(reading_text(&reading, anki_read, buffer_get(&export.out)));
    assert_int_equal(reading.import.count, 2);
    assert_string_equal(question(0)->id, "a");
    assert_card(0, "Which?\n\nA. x\nB. y", "B. y");
    assert_string_equal(question(0)->explanation, "Because.\n\nSource: A book");
    assert_string_equal(question(0)->tags.items[0], "two_words");
    assert_card(1, "How much?", "0.27 ± 5% GiB");
    assert_string_equal(reading.pack->title, "P");
    assert_true(export.line_count >= 3);
    bool hint = false, blank = false;
    for (ptrdiff_t i = 0; i < export.line_count; i++) {
        hint = hint || strstr(export.lines[i].what, "hint");
        blank = blank || strstr(export.lines[i].what, "blanks in its tags");
    }
    assert_true(hint && blank);
    export_finish(&export);
    pack_destroy(pack);
    diagnostics_finish(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(new_head, end),   cmocka_unit_test_teardown(all_in_the_head, end),
        cmocka_unit_test_teardown(separators, end), cmocka_unit_test_teardown(without_head, end),
        cmocka_unit_test_teardown(odd_heads, end),  cmocka_unit_test_teardown(rows, end),
        cmocka_unit_test_teardown(faults, end),     cmocka_unit_test_teardown(media, end),
        cmocka_unit_test_teardown(structure, end),  cmocka_unit_test_teardown(long_texts, end),
        cmocka_unit_test_teardown(clozes, end),     cmocka_unit_test(cloze_texts),
        cmocka_unit_test(hostile_clozes),           cmocka_unit_test_teardown(written, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
