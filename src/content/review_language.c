#include "review_private.h"

/*
 * The words that rules know. Only what is certain stands here: a word that often means something else would
 * make a rule cry wolf. They are folded like any text, so write them as one writes them.
 */
static const char *const lists[LANGUAGES][REVIEW_LISTS] = {
    [LANGUAGE_ENGLISH] = {
        [LIST_ABSOLUTE] = "always never everything everyone everybody only absolutely "
                          "completely entirely exclusively invariably impossible",
        [LIST_QUANTITY] = "all every none",
        [LIST_NEGATIVE] = "not except isn't aren't wasn't weren't doesn't don't didn't can't cannot couldn't "
                          "won't wouldn't shouldn't hasn't haven't",
        [LIST_ASKING] = "which what who whose whom",
        [LIST_SUBORDINATE] = "that if when where while because although though unless until whether since "
                             "after before once so than as and or but",
        [LIST_BEFORE] = "of in to by for at on with from under into about and so",
        [LIST_COMPLETED] = "is are was were be been being am the a an of in to by for at on with from under "
                           "into about over through than that as like because if when while and or but not "
                           "has have had do does did can could may might must shall should will would its "
                           "their his her your our this these those called named equals means between "
                           "before after until during without within per via",
        [LIST_TELLING] = "choose select pick name mark find tick give state match complete finish decide "
                         "identify calculate compute work determine arrange order sort list say tell look "
                         "read consider compare estimate fill write translate suppose assume",
        [LIST_COMMON] = "this that these those with from have been being were what which when where while "
                        "whose whom they them their there then than your yours into onto over under about "
                        "after before between through during without within each every other others another "
                        "some such only also same both very many much more most less least fewer will would "
                        "could should might must does done doing make makes made making take takes taken "
                        "taking give gives given giving used uses using need needs needed just because "
                        "following statement statements correct right true false wrong best answer answers "
                        "question choice choices describe describes described mean means called thing "
                        "things part parts kind kinds like long well here once still until again upon "
                        "first second third last next four five several any none all one two three",
        [LIST_ARTICLE] = "the a an",
        [LIST_ALL_OR_NONE] = "all none any both neither either each every some most two more only nothing",
        [LIST_ABOVE] = "above",
        [LIST_LETTERED] = "both only either neither all and nor or of",
        [LIST_CHOICE] = "answer answers option options choice choices statement statements",
    },
    [LANGUAGE_GERMAN] = {
        [LIST_ABSOLUTE] = "immer nie niemals stets nur keinesfalls ausnahmslos ausschließlich "
                          "vollständig unmöglich absolut",
        [LIST_QUANTITY] = "alle alles jeder jede jedes kein keine keiner keines",
        [LIST_NEGATIVE] = "nicht außer kein keine keinen keinem keiner keines",
        [LIST_ASKING] = "welche welcher welches welchen welchem was wer wen wem wessen",
        [LIST_SUBORDINATE] = "dass wenn falls weil ob obwohl während nachdem bevor sobald solange damit "
                             "sodass indem wo als und oder aber sondern",
        [LIST_BEFORE] = "von in zu bei für an auf mit aus unter über nach durch gegen um und zum zur im am "
                        "beim vom",
        [LIST_COMPLETED] = "ist sind war waren wird werden wurde wurden hat haben hatte kann können muss "
                           "müssen soll sollen darf dürfen heißt heißen bedeutet beträgt nennt man der die "
                           "das den dem des ein eine einen einem einer eines von in zu bei für an auf mit "
                           "aus unter über nach durch gegen um und oder aber dass weil wenn als wie zum zur "
                           "im am beim vom sich nicht",
        [LIST_TELLING] = "wähle wählen wählt nenne nennen finde finden kreuze kreuzen gib geben bestimme "
                         "bestimmen berechne berechnen ergänze ergänzen vervollständige vervollständigen "
                         "ordne ordnen markiere markieren entscheide entscheiden suche suchen schätze "
                         "schätzen vergleiche vergleichen lies lesen übersetze übersetzen betrachte "
                         "betrachten",
        [LIST_COMMON] = "dies diese dieser dieses diesen diesem jene jener jenes welche welcher welches "
                        "welchen welchem nicht eine einen einem einer eines kein keine wird werden wurde "
                        "wurden sind sein seine seinen seiner ihre ihren ihrer haben hatte kann können muss "
                        "müssen soll sollen darf dürfen mehr weniger viel viele wenig wenige alle allen "
                        "alles jede jeder jedes jeden jedem andere anderen anderer anderes beide beiden "
                        "gleich gleiche auch noch schon dann denn dass weil wenn während nach über unter "
                        "zwischen durch ohne gegen unter oder aber sondern folgende folgenden aussage "
                        "aussagen richtig richtige falsch falsche wahr antwort antworten frage beim vom zum "
                        "sich etwas nichts immer hier dort erste ersten zweite zweiten dritte letzte "
                        "letzten nächste zwei drei vier fünf mehrere heißt bedeutet teil teile",
        [LIST_ARTICLE] = "der die das den dem des ein eine einen einem einer eines",
        [LIST_ALL_OR_NONE] = "alle alles keine keiner keines keins nichts beide beides mehrere jede jedes "
                             "nur",
        [LIST_ABOVE] = "oben obigen genannten obengenannten vorgenannten",
        [LIST_LETTERED] = "beide sowohl als auch und oder weder noch nur entweder",
        [LIST_CHOICE] = "antwort antworten auswahl möglichkeit möglichkeiten aussage aussagen",
    },
};

bool review_lists_init(struct word_set sets[static REVIEW_LISTS], enum review_language language)
{
    bool done = true;
    for (int i = 0; i < REVIEW_LISTS; i++)
        done = word_set_init(&sets[i], lists[language][i] ? lists[language][i] : "") && done;
    return done;
}

void review_lists_finish(struct word_set sets[static REVIEW_LISTS])
{
    for (int i = 0; i < REVIEW_LISTS; i++)
        word_set_finish(&sets[i]);
}
