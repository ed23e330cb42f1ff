/*
 * One text laid out by pango: markup as attributes, which way it runs, its lines and where they stand, and
 * the columns of figures.
 */
#include "page_private.h"

#include <quiztutor/markup.h>
#include <quiztutor/memory.h>
#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <string.h>

enum { NAMED = 3 }; /* characters without a font that a message names */

static double points(int units)
{
    return (double)units / PANGO_SCALE;
}

static void insert(PangoAttrList *list, PangoAttribute *attribute, ptrdiff_t from, ptrdiff_t to)
{
    attribute->start_index = (guint)from;
    attribute->end_index = (guint)to;
    pango_attr_list_insert(list, attribute);
}

static void insert_code(PangoAttrList *list, const struct pages *pages, ptrdiff_t from, ptrdiff_t to)
{
    insert(list,
           pango_attr_family_new(pango_font_description_get_family(pages->faces[PAGE_FIXED].description)),
           from, to);
    insert(list, pango_attr_scale_new(0.9), from,
           to); /* it stands larger than its neighbours at the same size */
}

/* The text without the bytes of markup.h, and what they say as attributes. */
static void take_markup(const struct pages *pages, const char *text, struct buffer *plain,
                        PangoAttrList *list)
{
    ptrdiff_t emphasis = -1, code = -1, block = -1;
    for (;; text++) {
        switch (*text) {
        case MARKUP_EMPHASIS:
            emphasis = plain->length;
            continue;
        case MARKUP_CODE:
            code = plain->length;
            continue;
        case MARKUP_BLOCK:
            block = plain->length;
            continue;
        case MARKUP_END:
            if (code >= 0)
                insert_code(list, pages, code, plain->length);
            else if (emphasis >= 0)
                insert(list, pango_attr_style_new(PANGO_STYLE_ITALIC), emphasis, plain->length);
            code = emphasis = -1;
            continue;
        case '\n':
        case '\0':
            if (block >= 0)
                insert_code(list, pages, block, plain->length);
            block = -1;
            break;
        default:
            break;
        }
        if (!*text)
            return;
        buffer_char(plain, *text);
    }
}

static bool runs_left(int32_t code)
{
    switch (g_unichar_get_script((gunichar)code)) {
    case G_UNICODE_SCRIPT_ADLAM:
    case G_UNICODE_SCRIPT_ARABIC:
    case G_UNICODE_SCRIPT_HANIFI_ROHINGYA:
    case G_UNICODE_SCRIPT_HEBREW:
    case G_UNICODE_SCRIPT_MANDAIC:
    case G_UNICODE_SCRIPT_NKO:
    case G_UNICODE_SCRIPT_SAMARITAN:
    case G_UNICODE_SCRIPT_SYRIAC:
    case G_UNICODE_SCRIPT_THAANA:
        return text_is_letter(code);
    default:
        return false;
    }
}

/*
 * Which way a text runs: as its first letter does; but in a document that runs right to left it does so as
 * well where it has any such letter, so that "H2O" may begin it. Without letters it runs as the document
 * does, and a figure as a terminal.
 */
static PangoDirection find_direction(const struct pages *pages, const struct page_text *text)
{
    bool letters = false;
    if (text->face == PAGE_FIXED)
        return PANGO_DIRECTION_LTR;
    ptrdiff_t left = (ptrdiff_t)strlen(text->text);
    for (const char *at = text->text; left > 0;) {
        int32_t code;
        int step = text_decode(at, left, &code);
        if (runs_left(code))
            return PANGO_DIRECTION_RTL;
        letters = letters || text_is_letter(code);
        if (letters && !pages->right_to_left)
            break;
        at += step;
        left -= step;
    }
    return letters || !pages->right_to_left ? PANGO_DIRECTION_LTR : PANGO_DIRECTION_RTL;
}

static void add_unknown(char *list, size_t size, int *count, int32_t *named, int32_t code)
{
    for (int i = 0; i < *count && i < NAMED; i++)
        if (named[i] == code)
            return;
    if (*count < NAMED) {
        char name[80];
        size_t used = strlen(list);
        named[*count] = code;
        text_name_code(name, sizeof name, code);
        snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
    }
    ++*count;
}

/* Names the characters that would be printed as boxes. */
static bool refuse_unknown(PangoLayout *layout, struct error *error)
{
    char list[300] = "";
    int32_t named[NAMED];
    int count = 0;
    for (GSList *at = pango_layout_get_lines_readonly(layout); at; at = at->next)
        for (GSList *run = ((PangoLayoutLine *)at->data)->runs; run; run = run->next) {
            const PangoGlyphString *glyphs = ((PangoLayoutRun *)run->data)->glyphs;
            for (int i = 0; i < glyphs->num_glyphs; i++) {
                PangoGlyph glyph = glyphs->glyphs[i].glyph;
                if (glyph != PANGO_GLYPH_INVALID_INPUT && glyph & PANGO_GLYPH_UNKNOWN_FLAG)
                    add_unknown(list, sizeof list, &count, named,
                                (int32_t)(glyph & ~PANGO_GLYPH_UNKNOWN_FLAG));
            }
        }
    return error_set(error, ERROR_INPUT,
                     ntr("no font installed here has the character %s in black and white; install one that "
                         "does, or write it another way",
                         "no font installed here has the characters %s in black and white; install one that "
                         "does, or write them another way",
                         count),
                     *list ? list : "U+FFFD");
}

/* As terminals count; not by wcwidth, which follows the locale. */
static int count_columns(const char *from, const char *to)
{
    int columns = 0;
    while (from < to) {
        int32_t code;
        from += text_decode(from, to - from, &code);
        columns += g_unichar_iszerowidth((gunichar)code) ? 0 : g_unichar_iswide((gunichar)code) ? 2 : 1;
    }
    return columns;
}

/* Gives each glyph of a figure the columns that it has on a terminal, whichever font it comes from. Returns
 * the width of the line. */
static double set_columns(PangoLayoutLine *line, const char *text, double cell)
{
    double width = 0;
    for (GSList *at = line->runs; at; at = at->next) {
        PangoLayoutRun *run = at->data;
        PangoGlyphItemIter cluster;
        for (gboolean more = pango_glyph_item_iter_init_start(&cluster, run, text); more;
             more = pango_glyph_item_iter_next_cluster(&cluster)) {
            int from = MIN(cluster.start_glyph, cluster.end_glyph + 1),
                to = MAX(cluster.start_glyph + 1, cluster.end_glyph);
            int is = 0, columns = count_columns(text + cluster.start_index, text + cluster.end_index);
            for (int i = from; i < to; i++)
                is += run->glyphs->glyphs[i].geometry.width;
            int wanted = (int)(columns * cell * PANGO_SCALE + 0.5);
            for (int i = from; i < to; i++)
                run->glyphs->glyphs[i].geometry.x_offset += (wanted - is) / 2;
            run->glyphs->glyphs[to - 1].geometry.width += wanted - is;
            width += columns * cell;
        }
    }
    return width;
}

static bool place_lines(struct pages *pages, struct page_setting *setting, const char *plain, double scale,
                        struct error *error)
{
    const struct page_face_set *face = &pages->faces[setting->text.face];
    setting->count = pango_layout_get_line_count(setting->layout);
    setting->lines = memory_zero((ptrdiff_t)sizeof *setting->lines * setting->count);
    if (!setting->lines)
        return error_memory(error);
    double top = 0;
    int i = 0;
    for (GSList *at = pango_layout_get_lines_readonly(setting->layout); at && i < setting->count;
         at = at->next, i++) {
        struct page_line *line = &setting->lines[i];
        PangoRectangle box;
        line->line = at->data;
        for (GSList *run = line->line->runs; run; run = run->next)
            line->backward = line->backward || ((PangoLayoutRun *)run->data)->item->analysis.level % 2 != 0;
        double width =
            setting->text.face == PAGE_FIXED ? set_columns(line->line, plain, face->cell * scale) : 0;
        pango_layout_line_get_extents(line->line, NULL, &box);
        if (setting->text.face != PAGE_FIXED)
            width = points(box.width);
        double ascent = MAX(face->ascent * scale, points(-box.y));
        double descent = MAX(face->descent * scale, points(box.y + box.height));
        line->top = top;
        line->height = (ascent + descent) * face->spacing;
        line->baseline = ascent + (line->height - ascent - descent) / 2;
        line->left = width;
        top += line->height;
        setting->width = MAX(setting->width, width);
    }
    bool right = setting->text.face != PAGE_FIXED && pages->right_to_left != setting->text.far_side;
    double room = setting->text.width > 0 ? setting->text.width : setting->width;
    for (i = 0; i < setting->count; i++)
        setting->lines[i].left = right ? room - setting->lines[i].left : 0;
    return true;
}

bool page_lay(struct pages *pages, struct page_setting *setting, struct error *error)
{
    const struct page_text *text = &setting->text;
    double scale = text->scale > 0 ? text->scale : 1;
    struct buffer plain;
    buffer_init(&plain);
    PangoAttrList *list = pango_attr_list_new();
    if (text->markup)
        take_markup(pages, text->text, &plain, list);
    insert(list, pango_attr_insert_hyphens_new(FALSE), 0, PANGO_ATTR_INDEX_TO_TEXT_END);
    /* a ligature comes out of the file as a character of its own, which nobody searches for */
    insert(list, pango_attr_font_features_new("liga=0, clig=0, dlig=0"), 0, PANGO_ATTR_INDEX_TO_TEXT_END);
    pango_context_set_base_dir(pages->context, find_direction(pages, text));
    PangoLayout *layout = setting->layout = pango_layout_new(pages->context);
    pango_layout_set_auto_dir(layout, FALSE);
    PangoFontDescription *description =
        pango_font_description_copy_static(pages->faces[text->face].description);
    pango_font_description_set_absolute_size(description,
                                             pango_font_description_get_size(description) * scale);
    pango_layout_set_font_description(layout, description);
    pango_font_description_free(description);
    pango_layout_set_attributes(layout, list);
    pango_attr_list_unref(list);
    if (text->width > 0) {
        pango_layout_set_width(layout, (int)(text->width * PANGO_SCALE));
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
    }
    const char *shown = text->markup ? buffer_get(&plain) : text->text;
    pango_layout_set_text(layout, shown, -1);
    bool done = !plain.failed || error_memory(error);
    if (done && pango_layout_get_unknown_glyphs_count(layout) > 0)
        done = refuse_unknown(layout, error);
    done = done && place_lines(pages, setting, pango_layout_get_text(layout), scale, error);
    buffer_finish(&plain);
    return done;
}
