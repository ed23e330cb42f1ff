/* QTI of all versions: what each interaction and dialect becomes, how it is marked, what is left out. */
#include "reading.h"

#include "qti.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#pragma GCC diagnostic ignored "-Woverlength-strings" /* documents are long */

static void begin(struct reading *reading, const char *text)
{
    if (!reading_text(reading, qti_read, text))
        fail_msg("%s", reading->error.message);
}

/* ---- 2.x ---- */

#define ITEM2(id, body)                                                                                      \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?><assessmentItem "                                             \
    "xmlns=\"http://www.imsglobal.org/xsd/imsqti_v2p1\" "                                                    \
    "identifier=\"" id "\" title=\"T " id "\" adaptive=\"false\" timeDependent=\"false\">" body              \
    "</assessmentItem>"
#define DECLARE(cardinality, type, inside)                                                                   \
    "<responseDeclaration identifier=\"RESPONSE\" cardinality=\"" cardinality "\" baseType=\"" type          \
    "\">" inside "</responseDeclaration><outcomeDeclaration identifier=\"SCORE\" cardinality=\"single\" "    \
    "baseType=\"float\"/>"
#define CORRECT(values) "<correctResponse>" values "</correctResponse>"
#define VALUE(v)        "<value>" v "</value>"
#define TEMPLATE(name)                                                                                       \
    "<responseProcessing template=\"http://www.imsglobal.org/question/qti_v2p1/rptemplates/" name "\"/>"
#define CHOICE(id, more, text) "<simpleChoice identifier=\"" id "\" " more ">" text "</simpleChoice>"

static void choice2(void **state)
{
    struct reading reading;
    (void)state;
    begin(&reading,
          ITEM2("q1",
                DECLARE(
                    "single", "identifier",
                    CORRECT(VALUE(
                        "B"))) "<itemBody><p>Look <em>here</em>.</p>"
                               "<choiceInteraction responseIdentifier=\"RESPONSE\" shuffle=\"true\" "
                               "maxChoices=\"1\"><prompt>Which?</prompt>" CHOICE(
                                   "A", "fixed=\"false\"",
                                   "a &lt; b<feedbackInline outcomeIdentifier=\"FEEDBACK\" identifier=\"A\" "
                                   "showHide=\"show\">No.</feedbackInline>") CHOICE("B", "", "<p>b</p>")
                                   CHOICE("C", "fixed=\"true\"",
                                          "None of these") "</choiceInteraction></"
                                                           "itemBody>" TEMPLATE("match_correct") "<modalFee"
                                                                                                 "dback "
                                                                                                 "outcomeId"
                                                                                                 "entifier="
                                                                                                 "\"FEEDBAC"
                                                                                                 "K\" "
                                                                                                 "identifie"
                                                                                                 "r=\"C\" "
                                                                                                 "showHide="
                                                                                                 "\"show\">"
                                                                                                 "Not "
                                                                                                 "none.</"
                                                                                                 "modalFeed"
                                                                                                 "back>"));
    const struct question *question = reading_question(&reading, "q1");
    assert_int_equal(question->type, QUESTION_SINGLE_CHOICE);
    assert_string_equal(question->prompt, "Look *here*.\n\nWhich?");
    assert_string_equal(question->key.choices.items[0].text, "a < b");
    assert_string_equal(question->key.choices.items[0].feedback, "No.");
    assert_true(question->key.choices.items[1].correct);
    assert_null(question->key.choices.items[1].id);
    assert_int_equal(question->key.choices.items[2].pin, PIN_LAST);
    assert_int_equal(question->key.choices.items[0].pin, PIN_NONE);
    assert_string_equal(question->key.choices.items[2].feedback, "Not none.");
    assert_true(question->shuffle);
    reading_finish(&reading);
}

static void mapping2(void **state)
{
    struct reading reading;
    (void)state;
    /* the lower bound is that of a pack: net-correct as it stands */
    begin(
        &reading,
        ITEM2("q1",
              DECLARE("multiple", "identifier",
                      CORRECT(VALUE("H") VALUE(
                          "O")) "<mapping lowerBound=\"0\" upperBound=\"2\" defaultValue=\"-1\">"
                                "<mapEntry mapKey=\"H\" mappedValue=\"1\"/><mapEntry mapKey=\"O\" "
                                "mappedValue=\"1\"/></mapping>") "<itemBody><choiceInteraction "
                                                                 "responseIdentifier=\"RESPONSE\" "
                                                                 "shuffle=\"false\" "
                                                                 "maxChoices=\"0\"><prompt>?</prompt>" CHOICE(
                                                                     "H", "", "h") CHOICE("O", "", "o")
                                                                     CHOICE("X", "",
                                                                            "x") "</choiceInteraction></"
                                                                                 "itemBody>" TEMPLATE(
                                                                                     "map_"
                                                                                     "response")));
    const struct question *question = reading_question(&reading, "q1");
    assert_int_equal(question->type, QUESTION_MULTIPLE_CHOICE);
    assert_int_equal(question->marking, MARKING_NET_CORRECT);
    assert_true(question->marks == 2);
    assert_false(question->shuffle);
    assert_null(strstr(reading_said(&reading, 0), "net-correct"));
    reading_finish(&reading);
    /* no lower bound, an upper one that two of three reach */
    begin(
        &reading,
        ITEM2(
            "q1",
            DECLARE(
                "multiple", "identifier",
                "<mapping upperBound=\"2\" defaultValue=\"0\"><mapEntry mapKey=\"A\" mappedValue=\"1\"/>"
                "<mapEntry mapKey=\"B\" mappedValue=\"1\"/><mapEntry mapKey=\"C\" mappedValue=\"1\"/>"
                "<mapEntry mapKey=\"D\" mappedValue=\"-1\"/></mapping>") "<itemBody><choiceInteraction "
                                                                         "responseIdentifier=\"RESPONSE\" "
                                                                         "shuffle=\"true\" "
                                                                         "maxChoices=\"0\"><prompt>?</"
                                                                         "prompt>" CHOICE("A", "", "a")
                                                                             CHOICE("B", "", "b")
                                                                                 CHOICE("C", "", "c") CHOICE(
                                                                                     "D", "",
                                                                                     "d") "</"
                                                                                          "choiceInteraction>"
                                                                                          "</"
                                                                                          "itemBody"
                                                                                          ">" TEMPLATE("map_"
                                                                                                       "respo"
                                                                                                       "ns"
                                                                                                       "e")));
    question = reading_question(&reading, "q1");
    assert_int_equal(question->key.choices.correct, 3);
    assert_says(&reading, 0, "could fall below 0");
    assert_says(&reading, 0, "2 of 3 points were the full mark");
    reading_finish(&reading);
    /* match_correct over a mapping: all or nothing */
    begin(&reading,
          ITEM2("q1", DECLARE("multiple", "identifier",
                              CORRECT(VALUE(
                                  "A")) "<mapping><mapEntry mapKey=\"B\" "
                                        "mappedValue=\"1\"/></mapping>") "<itemBody><"
                                                                         "choiceInteraction "
                                                                         "responseIdentifier="
                                                                         "\"RESPONSE\" "
                                                                         "maxChoices=\"0\"><prompt>?<"
                                                                         "/prompt>" CHOICE("A", "", "a")
                                                                             CHOICE("B", "",
                                                                                    "b") "</"
                                                                                         "choiceInteract"
                                                                                         "ion></"
                                                                                         "itemBody"
                                                                                         ">" TEMPLATE("m"
                                                                                                      "a"
                                                                                                      "t"
                                                                                                      "c"
                                                                                                      "h"
                                                                                                      "_"
                                                                                                      "c"
                                                                                                      "o"
                                                                                                      "r"
                                                                                                      "r"
                                                                                                      "e"
                                                                                                      "c"
                                                                                                      "t")));
    question = reading_question(&reading, "q1");
    assert_int_equal(question->type, QUESTION_MULTIPLE_CHOICE);
    assert_int_equal(question->marking, MARKING_ALL_OR_NOTHING);
    assert_true(question->key.choices.items[0].correct);
    reading_finish(&reading);
}

/* An item that says nothing on its marking, but gives its choices weights. */
static void unprocessed(void **state)
{
    struct reading reading;
    (void)state;
    begin(
        &reading,
        ITEM2("q1",
              DECLARE(
                  "multiple", "identifier",
                  CORRECT(VALUE("A") VALUE(
                      "B")) "<mapping lowerBound=\"0\" "
                            "defaultValue=\"-1\"><mapEntry "
                            "mapKey=\"A\" mappedValue=\"1\"/>"
                            "<mapEntry mapKey=\"B\" "
                            "mappedValue=\"1\"/></mapping>") "<itemBody><choiceInteraction "
                                                             "responseIdentifier=\"RESPONSE\" "
                                                             "maxChoices=\"0\"><prompt>?</prompt>" CHOICE(
                                                                 "A", "", "a") CHOICE("B", "", "b")
                                                                 CHOICE(
                                                                     "C", "",
                                                                     "c") "</choiceInteraction></itemBody>"));
    const struct question *question = reading_question(&reading, "q1");
    assert_int_equal(question->marking, MARKING_NET_CORRECT);
    assert_true(question->marks == 2);
    assert_says(&reading, 0, "its mapping was taken");
    reading_finish(&reading);
}

static void typed2(void **state)
{
    struct reading reading;
    const struct question *question;
    (void)state;
#define ENTRY(body)                                                                                          \
    "<itemBody><p>It is <textEntryInteraction responseIdentifier=\"RESPONSE\"/> big.</p></itemBody>" body
    begin(
        &reading,
        ITEM2("q1",
              DECLARE("single", "string",
                      CORRECT(VALUE(
                          "York")) "<mapping defaultValue=\"0\"><mapEntry mapKey=\"York\" mappedValue=\"2\"/>"
                                   "<mapEntry mapKey=\"york city\" mappedValue=\"2\"/>"
                                   "<mapEntry mapKey=\"Leeds\" mappedValue=\"0.5\"/></mapping>")
                  ENTRY(TEMPLATE("map_response"))));
    question = reading_question(&reading, "q1");
    assert_int_equal(question->type, QUESTION_TEXT);
    assert_string_equal(question->prompt, "It is _____ big.");
    assert_int_equal(question->key.text.accept.count, 2);
    assert_int_equal(question->key.text.ignore, IGNORE_CASE | IGNORE_SPACES);
    assert_true(question->marks == 2);
    assert_says(&reading, 0, "\"Leeds\" gave 25 %");
    reading_finish(&reading);

    begin(&reading,
          ITEM2("q1", DECLARE("single", "string", CORRECT(VALUE("York"))) ENTRY(TEMPLATE("match_correct"))));
    assert_int_equal(reading_question(&reading, "q1")->key.text.ignore, IGNORE_SPACES);
    reading_finish(&reading);

    begin(&reading,
          ITEM2("q1",
                DECLARE("single", "float", CORRECT(VALUE("2.5"))) ENTRY(
                    "<responseProcessing><responseCondition><responseIf><equal toleranceMode=\"absolute\" "
                    "tolerance=\"0.1 0.1\"><variable identifier=\"RESPONSE\"/><correct "
                    "identifier=\"RESPONSE\"/></equal>"
                    "<setOutcomeValue identifier=\"SCORE\"><baseValue "
                    "baseType=\"float\">3</baseValue></setOutcomeValue>"
                    "</responseIf></responseCondition></responseProcessing>")));
    question = reading_question(&reading, "q1");
    assert_int_equal(question->type, QUESTION_NUMBER);
    assert_true(question->key.number.value == 2.5 && question->key.number.tolerance == 0.1);
    assert_true(question->marks == 3);
    reading_finish(&reading);

    begin(&reading,
          ITEM2("q1",
                DECLARE("single", "float", CORRECT(VALUE("200"))) ENTRY(
                    "<responseProcessing><responseCondition><responseIf><equal toleranceMode=\"relative\" "
                    "tolerance=\"5\"><variable identifier=\"RESPONSE\"/><correct "
                    "identifier=\"RESPONSE\"/></equal>"
                    "</responseIf></responseCondition></responseProcessing>")));
    question = reading_question(&reading, "q1");
    assert_true(question->key.number.relative && question->key.number.tolerance == 0.05);
    reading_finish(&reading);
}

static void order_and_match2(void **state)
{
    struct reading reading;
    const struct question *question;
    (void)state;
    begin(&reading,
          ITEM2("q1", DECLARE("ordered", "identifier",
                              CORRECT(VALUE("C") VALUE("A") VALUE(
                                  "B"))) "<itemBody><orderInteraction responseIdentifier=\"RESPONSE\" "
                                         "shuffle=\"true\"><prompt>Sort</prompt>" CHOICE("A", "", "a") CHOICE(
                                             "B", "", "b")
                                             CHOICE("C", "", "c") "</orderInteraction></itemBody>" TEMPLATE(
                                                 "match_correct")));
    question = reading_question(&reading, "q1");
    assert_int_equal(question->type, QUESTION_ORDER);
    assert_string_equal(question->key.order.items[0], "c");
    assert_string_equal(question->key.order.items[2], "b");
    reading_finish(&reading);

#define SET(inside) "<simpleMatchSet>" inside "</simpleMatchSet>"
#define ASSOCIATE(id, text)                                                                                  \
    "<simpleAssociableChoice identifier=\"" id "\" matchMax=\"1\">" text "</simpleAssociableChoice>"
#define MATCH(pairs, sets)                                                                                   \
    ITEM2("q1", DECLARE("multiple", "directedPair",                                                          \
                        pairs) "<itemBody><matchInteraction responseIdentifier=\"RESPONSE\" "                \
                               "shuffle=\"true\"><prompt>M</prompt>" sets                                    \
                               "</matchInteraction></itemBody>" TEMPLATE("match_correct"))
    begin(&reading, MATCH(CORRECT(VALUE("A X") VALUE("B Y")),
                          SET(ASSOCIATE("A", "a") ASSOCIATE("B", "b"))
                              SET(ASSOCIATE("X", "x") ASSOCIATE("Y", "y") ASSOCIATE("Z", "z"))));
    question = reading_question(&reading, "q1");
    assert_int_equal(question->type, QUESTION_MATCH);
    assert_int_equal(question->key.match.paired, 2);
    assert_string_equal(question->key.match.rights.items[2], "z");
    assert_int_equal(question->marking, MARKING_ALL_OR_NOTHING);
    reading_finish(&reading);
    /* two of the left have one right: the other way round each has one */
    begin(&reading, MATCH(CORRECT(VALUE("A X") VALUE("A Y") VALUE("B Z")),
                          SET(ASSOCIATE("A", "a") ASSOCIATE("B", "b"))
                              SET(ASSOCIATE("X", "x") ASSOCIATE("Y", "y") ASSOCIATE("Z", "z"))));
    question = reading_question(&reading, "q1");
    assert_int_equal(question->key.match.lefts.count, 3);
    assert_string_equal(question->key.match.lefts.items[1], "y");
    assert_int_equal(question->key.match.rights.count, 2);
    reading_finish(&reading);
    begin(&reading,
          MATCH(CORRECT(VALUE("A X") VALUE("A Y") VALUE("B Y")),
                SET(ASSOCIATE("A", "a") ASSOCIATE("B", "b")) SET(ASSOCIATE("X", "x") ASSOCIATE("Y", "y"))));
    assert_int_equal(reading.import.count, 0);
    assert_says(&reading, 0, "several partners");
    reading_finish(&reading);
}

static void left_out2(void **state)
{
    struct reading reading;
    (void)state;
    begin(&reading,
          ITEM2("q1", "<itemBody><p>x</p><extendedTextInteraction responseIdentifier=\"R\"/></itemBody>"));
    assert_says(&reading, 0, "an essay");
    assert_string_equal(reading.import.lines[0].name, "T q1");
    reading_finish(&reading);
    begin(&reading,
          ITEM2("q1", "<itemBody><p>x</p><fancyNewInteraction responseIdentifier=\"R\"/></itemBody>"));
    assert_says(&reading, 0, "(fancynewinteraction) is not known");
    reading_finish(&reading);
    begin(&reading, ITEM2("q1", "<itemBody><p>x</p></itemBody>"));
    assert_says(&reading, 0, "asks nothing");
    reading_finish(&reading);
    begin(&reading, ITEM2("q1", "<itemBody><p><textEntryInteraction responseIdentifier='A'/>"
                                "<textEntryInteraction responseIdentifier='B'/></p></itemBody>"));
    assert_says(&reading, 0, "2 interactions");
    reading_finish(&reading);
    begin(&reading, ITEM2("q1", DECLARE("single", "identifier",
                                        "") "<itemBody><choiceInteraction responseIdentifier='RESPONSE'>"
                                            "<prompt>?</prompt>" CHOICE(
                                                "A", "", "a") "</choiceInteraction></itemBody>"));
    assert_says(&reading, 0, "does not say which choice is right");
    reading_finish(&reading);
    assert_false(reading_text(&reading, qti_read,
                              "<assessmentTest><testPart><assessmentSection><assessmentItemRef "
                              "href='a.xml'/></assessmentSection></testPart></assessmentTest>"));
    assert_non_null(strstr(reading.error.message, "import the package"));
    reading_finish(&reading);
    assert_false(reading_text(&reading, qti_read, "<quiz/>"));
    assert_non_null(strstr(reading.error.message, "<quiz> is no QTI"));
    reading_finish(&reading);
}

static void feedback2(void **state)
{
    struct reading reading;
    const struct question *question;
    (void)state;
    begin(
        &reading,
        ITEM2("q1",
              DECLARE("single", "identifier",
                      CORRECT(VALUE(
                          "true"))) "<outcomeDeclaration identifier=\"SOLUTION\" cardinality=\"single\" "
                                    "baseType=\"identifier\"><defaultValue>"
                                    "<value>shown</value></defaultValue></outcomeDeclaration>"
                                    "<itemBody><rubricBlock "
                                    "view=\"scorer\"><p>secret</p></rubricBlock><rubricBlock "
                                    "view=\"candidate\">Note.</rubricBlock>"
                                    "<choiceInteraction responseIdentifier=\"RESPONSE\"><prompt>It "
                                    "is.</prompt>" CHOICE("true", "", "Yes")
                                        CHOICE("false", "", "No") "</choiceInteraction></itemBody>" TEMPLATE(
                                            "match_correct") "<modalFeedback outcomeIdentifier=\"SOLUTION\" "
                                                             "identifier=\"shown\" "
                                                             "showHide=\"show\">Since.</modalFeedback>"
                                                             "<modalFeedback outcomeIdentifier=\"F\" "
                                                             "identifier=\"false\" "
                                                             "showHide=\"show\">Wrong.</modalFeedback>"));
    question = reading_question(&reading, "q1");
    assert_int_equal(question->type, QUESTION_TRUE_FALSE);
    assert_true(question->key.truth);
    assert_string_equal(question->prompt, "Note.\n\nIt is.");
    assert_string_equal(question->explanation, "Since.");
    assert_string_equal(question->feedback, "Wrong.");
    assert_says(&reading, 0, "those who mark");
    reading_finish(&reading);
}

/* ---- 3.0 ---- */

static void version3(void **state)
{
    struct reading reading;
    (void)state;
    begin(
        &reading,
        "<qti-assessment-item xmlns=\"http://www.imsglobal.org/xsd/imsqtiasi_v3p0\" identifier=\"q3\" "
        "title=\"Three\">"
        "<qti-response-declaration identifier=\"RESPONSE\" cardinality=\"multiple\" base-type=\"identifier\">"
        "<qti-correct-response><qti-value>a</qti-value><qti-value>b</qti-value></qti-correct-response>"
        "<qti-mapping lower-bound=\"0\" upper-bound=\"2\" default-value=\"-1\"><qti-map-entry map-key=\"a\" "
        "mapped-value=\"1\"/>"
        "<qti-map-entry map-key=\"b\" mapped-value=\"1\"/></qti-mapping></qti-response-declaration>"
        "<qti-item-body><div class=\"qti-layout-row\"><p>Body.</p></div><qti-choice-interaction "
        "response-identifier=\"RESPONSE\" shuffle=\"true\" max-choices=\"0\"><qti-prompt>Which "
        "two?</qti-prompt>"
        "<qti-simple-choice identifier=\"a\" fixed=\"true\">A</qti-simple-choice>"
        "<qti-simple-choice identifier=\"b\">B<qti-feedback-inline outcome-identifier=\"F\" "
        "identifier=\"b\">fb</qti-feedback-inline>"
        "</qti-simple-choice><qti-simple-choice "
        "identifier=\"c\">C</qti-simple-choice></qti-choice-interaction></qti-item-body>"
        "<qti-response-processing "
        "template=\"https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/map_response.xml\"/>"
        "</qti-assessment-item>");
    const struct question *question = reading_question(&reading, "q3");
    assert_string_equal(question->prompt, "Body.\n\nWhich two?");
    assert_int_equal(question->type, QUESTION_MULTIPLE_CHOICE);
    assert_int_equal(question->marking, MARKING_NET_CORRECT);
    assert_int_equal(question->key.choices.items[0].pin, PIN_FIRST);
    assert_string_equal(question->key.choices.items[1].text, "B");
    assert_string_equal(question->key.choices.items[1].feedback, "fb");
    assert_true(question->marks == 2);
    reading_finish(&reading);
    assert_int_equal(qti_look("<qti-assessment-item>", 21), EXCHANGE_QTI30);
    assert_int_equal(qti_look("<assessmentItem>", 16), EXCHANGE_QTI21);
    assert_int_equal(qti_look("<questestinterop>", 17), EXCHANGE_QTI12);
    assert_int_equal(qti_look("<quiz>", 6), EXCHANGE_FORMATS);
}

/* ---- 1.2 ---- */

#define FIELD(label, entry)                                                                                  \
    "<qtimetadatafield><fieldlabel>" label "</fieldlabel><fieldentry>" entry                                 \
    "</fieldentry></qtimetadatafield>"
#define CANVAS(id, type, points, presentation, processing)                                                   \
    "<item ident=\"" id "\" title=\"T " id "\"><itemmetadata><qtimetadata>" FIELD("question_type", type)     \
        FIELD("points_possible", points) "</qtimetadata></itemmetadata><presentation>" presentation          \
                                         "</presentation><resprocessing><outcomes><decvar maxvalue=\"100\" " \
                                         "minvalue=\"0\" varname=\"SCORE\" vartype=\"Decimal\"/>"            \
                                         "</outcomes>" processing "</resprocessing>"
#define HTML1(text)      "<material><mattext texttype=\"text/html\">" text "</mattext></material>"
#define PLAIN1(text)     "<material><mattext texttype=\"text/plain\">" text "</mattext></material>"
#define LABEL(id, text)  "<response_label ident=\"" id "\">" PLAIN1(text) "</response_label>"
#define EQUAL(of, value) "<varequal respident=\"" of "\">" value "</varequal>"
#define RULE(more, test, then)                                                                               \
    "<respcondition " more "><conditionvar>" test "</conditionvar>" then "</respcondition>"
#define SCORE(action, value) "<setvar action=\"" action "\" varname=\"SCORE\">" value "</setvar>"
#define SHOW(id)             "<displayfeedback feedbacktype=\"Response\" linkrefid=\"" id "\"/>"
#define TELL(id, text)       "<itemfeedback ident=\"" id "\"><flow_mat>" HTML1(text) "</flow_mat></itemfeedback>"
#define DOCUMENT(items)                                                                                      \
    "<?xml version=\"1.0\"?><questestinterop xmlns=\"http://www.imsglobal.org/xsd/ims_qtiasiv1p2\">"         \
    "<assessment ident=\"a\" title=\"Week 1\"><section ident=\"root_section\">" items                        \
    "</section></assessment></questestinterop>"

static void canvas_choices(void **state)
{
    struct reading reading;
    const struct question *question;
    (void)state;
    begin(
        &reading,
        DOCUMENT(
            CANVAS(
                "c1", "multiple_choice_question", "2.0",
                HTML1(
                    "&lt;p&gt;Which &lt;em&gt;one&lt;/em&gt;?&lt;/p&gt;") "<response_lid ident=\"response1\" "
                                                                          "rcardinality=\"Single\">"
                                                                          "<render_choice>" LABEL("11",
                                                                                                  "a &lt; b")
                                                                              LABEL("12", "b") LABEL(
                                                                                  "13",
                                                                                  "c") "</render_choice></"
                                                                                       "response_lid>",
                RULE("continue=\"Yes\"", "<other/>", SHOW("general_fb"))
                    RULE("continue=\"Yes\"", EQUAL("response1", "11"), SHOW("11_fb"))
                        RULE("continue=\"Yes\"", "<not>" EQUAL("response1", "12") "</not>",
                             SHOW("general_incorrect_fb")) RULE("continue=\"No\"", EQUAL("response1", "12"),
                                                                SCORE("Set", "100") SHOW("correct_fb")))
                TELL("general_fb", "Always.") TELL("11_fb", "Not a.") TELL("correct_fb", "Well done.")
                    TELL("general_incorrect_fb", "Pity.") "</item>" CANVAS(
                        "c2", "multiple_answers_question", "1.0",
                        PLAIN1("Which?") "<response_lid ident=\"r\" rcardinality=\"Multiple\"><render_choice "
                                         "shuffle=\"No\">" LABEL("1", "a") LABEL("2", "b")
                                             LABEL("3", "c") "</render_choice></response_lid>",
                        RULE("continue=\"No\"",
                             "<and>" EQUAL("r", "1") EQUAL("r", "3") "<not>" EQUAL("r", "2") "</not></and>",
                             SCORE("Set",
                                   "100"))) "</item>" CANVAS("c3", "true_false_question", "1.0",
                                                             PLAIN1("So?") "<response_lid ident=\"r\" "
                                                                           "rcardinality=\"Single\"><render_"
                                                                           "choice>" LABEL("1", "True") LABEL(
                                                                               "2",
                                                                               "False") "</render_choice></"
                                                                                        "response_lid>",
                                                             RULE("continue=\"No\"", EQUAL("r", "2"),
                                                                  SCORE("Set", "100"))) "</item>"));
    question = reading_question(&reading, "c1");
    assert_int_equal(question->type, QUESTION_SINGLE_CHOICE);
    assert_string_equal(question->prompt, "Which *one*?");
    assert_string_equal(question->key.choices.items[0].text, "a < b");
    assert_string_equal(question->key.choices.items[0].feedback, "Not a.\n\nPity.");
    assert_string_equal(question->key.choices.items[1].feedback, "Well done.");
    assert_string_equal(question->key.choices.items[2].feedback, "Pity.");
    assert_string_equal(question->explanation, "Always.");
    assert_true(question->marks == 2);
    question = reading_question(&reading, "c2");
    assert_int_equal(question->type, QUESTION_MULTIPLE_CHOICE);
    assert_int_equal(question->marking, MARKING_ALL_OR_NOTHING);
    assert_int_equal(question->key.choices.correct, 2);
    assert_false(question->key.choices.items[1].correct);
    assert_false(question->shuffle);
    question = reading_question(&reading, "c3");
    assert_int_equal(question->type, QUESTION_TRUE_FALSE);
    assert_false(question->key.truth);
    assert_string_equal(reading.pack->title, "Week 1");
    assert_int_equal(reading.pack->section_count, 0);
    reading_finish(&reading);
}

static void canvas_typed(void **state)
{
    struct reading reading;
    const struct question *question;
    (void)state;
#define FIB(of, kind)                                                                                        \
    "<response_str ident=\"" of "\" rcardinality=\"Single\"><render_fib " kind                               \
    "><response_label ident=\"answer1\" rshuffle=\"No\"/></render_fib></response_str>"
#define BOUND(kind, of, value) "<" kind " respident=\"" of "\">" value "</" kind ">"
    begin(
        &reading,
        DOCUMENT(CANVAS(
            "s1", "short_answer_question", "1", PLAIN1("Say") FIB("r", ""),
            RULE("continue=\"No\"", EQUAL("r", "autonomic") EQUAL("r", "visceral motor"),
                 SCORE("Set",
                       "100"))) "</item>" CANVAS("n1", "numerical_question", "1",
                                                 PLAIN1("Exact") FIB("r", "fibtype=\"Decimal\""),
                                                 RULE(
                                                     "continue=\"No\"",
                                                     "<or>" EQUAL("r", "4.0") "<and>" BOUND("vargte", "r",
                                                                                            "4.0")
                                                         BOUND("varlte", "r", "4.0") "</and></or>",
                                                     SCORE("Set",
                                                           "100"))) "</item>" CANVAS("n2", "numerical_question", "1", PLAIN1("Margin") FIB("r", "fibtype=\"Decimal\""), RULE("continue=\"No\"", "<or><varequal respident=\"r\" margintype=\"percent\" margin=\"1\">5.0</varequal><and>" BOUND("vargte", "r", "4.95") BOUND("varlte", "r", "5.05") "</and></or>", SCORE("Set", "100"))) "</item>" CANVAS("n3", "numerical_question", "1", PLAIN1("Range") FIB("r", "fibtype=\"Decimal\""), RULE("continue=\"No\"", BOUND("vargte", "r", "6.0") BOUND("varlte", "r", "8.0"), SCORE("Set", "100"))) "</item>" CANVAS("n4",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                  "numerical_question", "1", PLAIN1("Figures") FIB("r", "fibtype=\"Decimal\""),
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                  RULE(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      "continue=\"No\"",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      "<or><varequal respident=\"r\" precisiontype=\"significantDigits\" precision=\"2\">8.1</varequal>"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      "<and>" BOUND(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          "vargt",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          "r",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          "8.05")
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          BOUND(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                              "varlte",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                              "r",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                              "8.15") "</and></or>",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      SCORE("Set",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            "100"))) "</item>" CANVAS("n5",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      "numerical_question",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      "1",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      PLAIN1(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          "Two")
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          FIB("r",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                              "fibtype=\"Decimal\""),
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      RULE(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          "",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          BOUND("vargte", "r", "1") BOUND("varlte", "r", "2"), SCORE("Set", "100")) RULE("",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                         BOUND(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             "vargte",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             "r",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             "5")
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             BOUND(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "varlte",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "r",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "6"),
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                         SCORE("Set", "100"))) "</item>" CANVAS("f1", "fill_in_multiple_blanks_question", "1", PLAIN1("[a] [b]"), "") "</item>" CANVAS("e1", "essay_question", "1", PLAIN1("Write") FIB("r", ""), RULE("", "<other/>", "")) "</item>" CANVAS("t1",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             "text_only_question", "0", PLAIN1("Read"),
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             "") "</item>"));
    question = reading_question(&reading, "s1");
    assert_int_equal(question->type, QUESTION_TEXT);
    assert_int_equal(question->key.text.accept.count, 2);
    assert_int_equal(question->key.text.ignore, IGNORE_CASE | IGNORE_SPACES);
    question = reading_question(&reading, "n1");
    assert_true(question->key.number.value == 4 && question->key.number.tolerance == 0);
    question = reading_question(&reading, "n2");
    assert_true(question->key.number.value == 5 && question->key.number.tolerance == 0.01 &&
                question->key.number.relative);
    question = reading_question(&reading, "n3");
    assert_true(question->key.number.value == 7 && question->key.number.tolerance == 1);
    assert_int_equal(reading_question(&reading, "n4")->key.number.significant_figures, 2);
    assert_says(&reading, 5, "two numbers are right");
    assert_says(&reading, 6, "gaps");
    assert_says(&reading, 7, "an essay");
    assert_says(&reading, 8, "asks nothing");
    reading_finish(&reading);
}

static void canvas_matching(void **state)
{
    struct reading reading;
    const struct question *question;
    (void)state;
#define LID(id, text, labels)                                                                                \
    "<response_lid ident=\"" id "\">" PLAIN1(text) "<render_choice>" labels "</render_choice></"             \
                                                   "response_lid>"
    begin(
        &reading,
        DOCUMENT(CANVAS(
            "m1", "matching_question", "3",
            PLAIN1("Capitals")
                LID("rA", "France", LABEL("p", "Paris") LABEL("m", "Madrid") LABEL("o", "Oslo"))
                    LID("rB", "Spain", LABEL("p", "Paris") LABEL("m", "Madrid") LABEL("o", "Oslo")),
            RULE("", EQUAL("rA", "p"), SCORE("Add", "50.00")) RULE(
                "", EQUAL("rB", "m"),
                SCORE("Add",
                      "50.00"))) "</item>" CANVAS("o1", "ordering_question", "1",
                                                  PLAIN1(
                                                      "Sort") "<response_lid ident=\"r\" "
                                                              "rcardinality=\"Ordered\"><render_"
                                                              "choice>" LABEL("x", "second") LABEL(
                                                                  "y",
                                                                  "first") "</render_choice></response_lid>",
                                                  RULE("continue=\"No\"", EQUAL("r", "y") EQUAL("r", "x"),
                                                       SCORE("Set", "100"))) "</item>"));
    question = reading_question(&reading, "m1");
    assert_int_equal(question->type, QUESTION_MATCH);
    assert_string_equal(question->prompt, "Capitals");
    assert_int_equal(question->marking, MARKING_NET_CORRECT);
    assert_string_equal(question->key.match.lefts.items[1], "Spain");
    assert_string_equal(question->key.match.rights.items[question->key.match.pairs[1]], "Madrid");
    assert_int_equal(question->key.match.rights.count, 3);
    assert_int_equal(question->key.match.paired, 2);
    assert_true(question->marks == 3);
    question = reading_question(&reading, "o1");
    assert_int_equal(question->type, QUESTION_ORDER);
    assert_string_equal(question->key.order.items[0], "first");
    reading_finish(&reading);
}

/* As the specification writes it, without metadata: weights that add up, a decvar of its own, sections, a
 * DOCTYPE. */
static void plain12(void **state)
{
    struct reading reading;
    const struct question *question;
    (void)state;
    begin(
        &reading,
        "<!DOCTYPE questestinterop SYSTEM \"ims_qtiasiv1p2.dtd\">\n<questestinterop><section ident=\"s\" "
        "title=\"Part one\">"
        "<item ident=\"a\" title=\"Adds\"><presentation><flow>" PLAIN1(
            "Which are?") "<response_lid ident=\"r\" rcardinality=\"Multiple\">"
                          "<render_choice shuffle=\"Yes\"><flow_label><response_label ident=\"1\" "
                          "rshuffle=\"No\">" PLAIN1(
                              "one") "</response_label>"
                                     "</flow_label>" LABEL("2", "two") LABEL(
                                         "3",
                                         "three") "</render_choice></response_lid></flow></"
                                                  "presentation><resprocessing>"
                                                  "<outcomes><decvar varname=\"SCORE\" vartype=\"Integer\" "
                                                  "maxvalue=\"4\"/></outcomes>" RULE(
                                                      "continue=\"Yes\"", EQUAL("r", "1"),
                                                      SCORE("Add", "2")) RULE("continue=\"Yes\"",
                                                                              EQUAL("r", "2"),
                                                                              SCORE("Add", "2"))
                                                      RULE(
                                                          "continue=\"Yes\"", EQUAL("r", "3"),
                                                          SCORE(
                                                              "Subtract",
                                                              "2")) "</resprocessing></item>"
                                                                    "<item ident=\"b\" "
                                                                    "title=\"Case\"><presentation>" PLAIN1(
                                                                        "Type S") "<response_str "
                                                                                  "ident=\"r\"><render_fib/"
                                                                                  "></response_str>"
                                                                                  "</"
                                                                                  "presentation><"
                                                                                  "resprocessing>" RULE(
                                                                                      "",
                                                                                      "<varequal "
                                                                                      "respident=\"r\" "
                                                                                      "case=\"Yes\">S</"
                                                                                      "varequal>",
                                                                                      "<setvar>1</"
                                                                                      "setvar>" SHOW(
                                                                                          "ok")) RULE("",
                                                                                                      "<vareq"
                                                                                                      "ual "
                                                                                                      "respid"
                                                                                                      "ent="
                                                                                                      "\"r\" "
                                                                                                      "case="
                                                                                                      "\"Yes"
                                                                                                      "\">s</"
                                                                                                      "varequ"
                                                                                                      "al>",
                                                                                                      "<setva"
                                                                                                      "r>0</"
                                                                                                      "setvar"
                                                                                                      ">" SHOW("lo"
                                                                                                               "w")) "</resprocessing>" TELL("ok",
                                                                                                                                             "Indeed.")
                                                                                      TELL(
                                                                                          "low",
                                                                                          "Upper "
                                                                                          "case.") "<itemfeed"
                                                                                                   "back "
                                                                                                   "ident="
                                                                                                   "\"h\"><"
                                                                                                   "hint><"
                                                                                                   "hintmater"
                                                                                                   "ial"
                                                                                                   ">" PLAIN1(
                                                                                                       "It "
                                                                                                       "is a "
                                                                                                       "lette"
                                                                                                       "r.") "</"
                                                                                                             "hin"
                                                                                                             "tma"
                                                                                                             "ter"
                                                                                                             "ial"
                                                                                                             "></"
                                                                                                             "hin"
                                                                                                             "t><"
                                                                                                             "/it"
                                                                                                             "emf"
                                                                                                             "eed"
                                                                                                             "bac"
                                                                                                             "k><"
                                                                                                             "/it"
                                                                                                             "em>"
                                                                                                             "</"
                                                                                                             "sec"
                                                                                                             "tio"
                                                                                                             "n><"
                                                                                                             "/qu"
                                                                                                             "est"
                                                                                                             "est"
                                                                                                             "int"
                                                                                                             "ero"
                                                                                                             "p"
                                                                                                             ">");
    question = reading_question(&reading, "a");
    assert_int_equal(question->type, QUESTION_MULTIPLE_CHOICE);
    assert_int_equal(question->marking, MARKING_NET_CORRECT);
    assert_true(question->marks == 4);
    assert_int_equal(question->key.choices.items[0].pin, PIN_FIRST);
    assert_string_equal(reading.pack->sections[0].title, "Part one");
    question = reading_question(&reading, "b");
    assert_int_equal(question->type, QUESTION_TEXT);
    assert_int_equal(question->key.text.ignore, IGNORE_SPACES);
    assert_string_equal(question->explanation, "Indeed.");
    assert_int_equal(question->key.text.wrong_count, 1);
    assert_string_equal(question->key.text.wrongs[0].feedback, "Upper case.");
    assert_int_equal(question->hints.count, 1);
    reading_finish(&reading);
}

static void blackboard(void **state)
{
    struct reading reading;
    const struct question *question;
    (void)state;
#define BB(text)                                                                                             \
    "<material><mat_extension><mat_formattedtext type=\"HTML\">" text                                        \
    "</mat_formattedtext></mat_extension></material>"
#define FLOW(class, inside) "<flow class=\"" class "\">" inside "</flow>"
#define BB_ITEM(type, points, blocks, processing)                                                            \
    "<item title=\"\"><itemmetadata><bbmd_asi_object_id>_1_1</bbmd_asi_object_id><bbmd_questiontype>" type   \
    "</bbmd_questiontype><qmd_absolutescore_max>" points                                                     \
    "</qmd_absolutescore_max></itemmetadata><presentation>" FLOW(                                            \
        "Block", blocks) "</presentation><resprocessing scoremodel=\"SumOfScores\"><outcomes><decvar "       \
                         "defaultval=\"0\" "                                                                 \
                         "varname=\"SCORE\" maxvalue=\"10.0\"/></outcomes>" processing "</resprocessing>"
    begin(
        &reading,
        "<questestinterop><assessment title=\"Pool\"><section>" BB_ITEM(
            "Multiple Choice", "10.0",
            FLOW("QUESTION_BLOCK", FLOW("FORMATTED_TEXT_BLOCK", BB("&lt;p&gt;Pick one&lt;/p&gt;"))) FLOW(
                "RESPONSE_BLOCK",
                "<response_lid ident=\"response\" rcardinality=\"Single\"><render_choice shuffle=\"Yes\">"
                "<flow_label class=\"Block\"><response_label ident=\"a1\">" FLOW(
                    "FORMATTED_TEXT_BLOCK",
                    BB("red")) "</response_label></flow_label><flow_label class=\"Block\"><response_label "
                               "ident=\"a2\">" FLOW("FORMATTED_TEXT_BLOCK",
                                                    BB("blue")) "</response_label></flow_label></"
                                                                "render_choice></response_lid>"),
            RULE("title=\"correct\"", EQUAL("response", "a2"),
                 "<setvar variablename=\"SCORE\" action=\"Set\">SCORE.max</setvar>" SHOW("correct"))
                RULE("title=\"incorrect\"", "<other/>",
                     "<setvar variablename=\"SCORE\" action=\"Set\">0</setvar>" SHOW("incorrect")))
            TELL("correct", "Yes it is.") TELL("incorrect", "It is not.") "</item>" BB_ITEM(
                "Matching", "5",
                FLOW("QUESTION_BLOCK", BB("Pair them")) FLOW(
                    "RESPONSE_BLOCK",
                    FLOW("Block",
                         FLOW("FORMATTED_TEXT_BLOCK",
                              BB("cat")) "<response_lid ident=\"l1\" rcardinality=\"Single\"><render_choice>"
                                         "<flow_label><response_label "
                                         "ident=\"x1\"/></flow_label><flow_label><response_label "
                                         "ident=\"x2\"/></flow_label>"
                                         "</render_choice></response_lid>")
                        FLOW("Block",
                             FLOW("FORMATTED_TEXT_BLOCK",
                                  BB("dog")) "<response_lid ident=\"l2\" "
                                             "rcardinality=\"Single\"><render_choice>"
                                             "<flow_label><response_label "
                                             "ident=\"y1\"/></flow_label><flow_label><response_label "
                                             "ident=\"y2\"/></flow_label>"
                                             "</render_choice></response_lid>"))
                    FLOW("RIGHT_MATCH_BLOCK", FLOW("Block", BB("barks")) FLOW("Block", BB("purrs"))),
                RULE("", EQUAL("l1", "x2"), SCORE("Add", "2.5")) RULE(
                    "", EQUAL("l2", "y1"),
                    SCORE("Add", "2.5"))) "</item>" BB_ITEM("Essay", "10",
                                                            FLOW("QUESTION_BLOCK", BB("Write")),
                                                            "") "</item>"
                                                                "</section></assessment></questestinterop>");
    question = &reading.pack->questions[0];
    assert_string_equal(question->prompt, "Pick one");
    assert_true(question->marks == 10);
    assert_true(question->key.choices.items[1].correct);
    assert_string_equal(question->key.choices.items[0].feedback, "It is not.");
    assert_string_equal(question->key.choices.items[1].feedback, "Yes it is.");
    question = &reading.pack->questions[1];
    assert_int_equal(question->type, QUESTION_MATCH);
    assert_string_equal(question->prompt, "Pair them");
    assert_string_equal(question->key.match.lefts.items[0], "cat");
    assert_string_equal(question->key.match.rights.items[question->key.match.pairs[0]], "purrs");
    assert_string_equal(question->key.match.rights.items[question->key.match.pairs[1]], "barks");
    assert_says(&reading, 2, "an essay");
    reading_finish(&reading);
}

static void linear(void **state)
{
#define OLD "<questestinterop><item><presentation>" PLAIN1("x")
#define OLD_LID                                                                                              \
    OLD "<response_lid ident='r' rcardinality='Multiple'><render_choice>" LABEL("1", "a")                    \
        LABEL("2", "b") "</render_choice>"
#define OLD_RULES OLD_LID "</response_lid></presentation><resprocessing>"
#define NEW       "<assessmentItem identifier='i' title='t'>"
#define NEW_CHOICE                                                                                           \
    "<itemBody><choiceInteraction responseIdentifier='RESPONSE'>" CHOICE("a", "", "x") CHOICE("b", "", "y")
#define NEW_END "</choiceInteraction></itemBody></assessmentItem>"
    static const struct {
        const char *head, *unit, *tail;
    } cases[] = {
        { "<questestinterop>", "<item/>", "</questestinterop>" },
        { "<questestinterop>", "<section title='%d'><item/></section>", "</questestinterop>" },
        { OLD_RULES,
          "<respcondition><conditionvar><varequal respident='r'>1</varequal></conditionvar><setvar "
          "action='Add'>1</setvar></respcondition>",
          "</resprocessing></item></questestinterop>" },
        { OLD_RULES "<respcondition><conditionvar>", "<varequal respident='r'>%d</varequal>",
          "</conditionvar><setvar>1</setvar></respcondition></resprocessing></item></questestinterop>" },
        { OLD_RULES "<respcondition>", "<displayfeedback linkrefid='f%d'/>",
          "</respcondition></resprocessing></item></questestinterop>" },
        { OLD_LID, "<response_label ident='l%d'/>",
          "</response_lid></presentation></item></questestinterop>" },
        { OLD, "<response_lid ident='l%d'/>", "</presentation></item></questestinterop>" },
        { OLD_RULES
          "<respcondition><conditionvar><varequal "
          "respident='r'>1</varequal></conditionvar><setvar>1</setvar></respcondition></resprocessing>",
          "<itemfeedback ident='f%d'><hint>" PLAIN1("h") "</hint></itemfeedback>",
          "</item></questestinterop>" },
        { NEW DECLARE("multiple", "identifier", ""), "<responseDeclaration identifier='R%d'/>",
          NEW_CHOICE NEW_END },
        { NEW "<responseDeclaration identifier='RESPONSE' cardinality='multiple'><correctResponse>",
          "<value>v%d</value>", "</correctResponse></responseDeclaration>" NEW_CHOICE NEW_END },
        { NEW "<responseDeclaration identifier='RESPONSE' cardinality='multiple'><mapping>",
          "<mapEntry mapKey='k%d' mappedValue='1'/>", "</mapping></responseDeclaration>" NEW_CHOICE NEW_END },
        { NEW DECLARE("single", "identifier", CORRECT(VALUE("a"))) NEW_CHOICE,
          "<simpleChoice identifier='c%d'/>", NEW_END },
        { NEW DECLARE("single", "identifier", CORRECT(VALUE("a"))) NEW_CHOICE
          "</choiceInteraction></itemBody>",
          "<modalFeedback outcomeIdentifier='O' identifier='f%d'>x</modalFeedback>", "</assessmentItem>" },
        { NEW DECLARE("single", "identifier", CORRECT(VALUE("a"))), "<outcomeDeclaration identifier='O%d'/>",
          NEW_CHOICE "</choiceInteraction></itemBody><modalFeedback outcomeIdentifier='O' "
                     "identifier='f'>x</modalFeedback></assessmentItem>" },
        { NEW DECLARE("multiple", "directedPair",
                      "") "<itemBody><matchInteraction responseIdentifier='RESPONSE'><simpleMatchSet>",
          "<simpleAssociableChoice identifier='c%d'/>",
          "</simpleMatchSet></matchInteraction></itemBody></assessmentItem>" },
        { "<assessmentItem><itemBody>", "<choiceInteraction/>", "</itemBody></assessmentItem>" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        reading_linear(qti_read, cases[i].head, cases[i].unit, cases[i].tail);
}

static void no_memory(void **state)
{
    static const char *const texts[] = {
        ITEM2("q1",
              DECLARE(
                  "multiple", "directedPair",
                  CORRECT(VALUE("A X") VALUE(
                      "B Y"))) "<itemBody><matchInteraction "
                               "responseIdentifier=\"RESPONSE\"><prompt>M</prompt>" SET(
                                   ASSOCIATE("A", "a") ASSOCIATE("B", "b"))
                                   SET(ASSOCIATE("X", "x") ASSOCIATE(
                                       "Y", "y")) "</matchInteraction></itemBody>" TEMPLATE("match_correct")),
        DOCUMENT(CANVAS(
            "c2", "multiple_answers_question", "1.0",
            PLAIN1("Which?") "<response_lid ident=\"r\" rcardinality=\"Multiple\"><render_choice>" LABEL(
                "1", "a") LABEL("2", "b") "</render_choice></response_lid>",
            RULE("continue=\"No\"", "<and>" EQUAL("r", "1") "<not>" EQUAL("r", "2") "</not></and>",
                 SCORE("Set", "100") SHOW("f")))
                     TELL("f", "x") "</item>" CANVAS(
                         "s1", "short_answer_question", "1", PLAIN1("Say") FIB("r", ""),
                         RULE("continue=\"No\"", EQUAL("r", "a"), SCORE("Set", "100"))) "</item>"),
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (long n = 1;; n++) {
            struct import import;
            struct error error = { 0 };
            memory_fail_after(n);
            import_init(&import, "x");
            bool read = qti_read(&import, texts[i], (ptrdiff_t)strlen(texts[i]), &error);
            memory_fail_after(0);
            bool whole = read && !import.failed;
            assert_true(read || error.code == ERROR_MEMORY);
            import_finish(&import);
            if (whole)
                break;
            assert_true(n < 5000);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choice2),      cmocka_unit_test(mapping2),         cmocka_unit_test(unprocessed),
        cmocka_unit_test(typed2),       cmocka_unit_test(order_and_match2), cmocka_unit_test(left_out2),
        cmocka_unit_test(feedback2),    cmocka_unit_test(version3),         cmocka_unit_test(canvas_choices),
        cmocka_unit_test(canvas_typed), cmocka_unit_test(canvas_matching),  cmocka_unit_test(plain12),
        cmocka_unit_test(blackboard),   cmocka_unit_test(linear),           cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
