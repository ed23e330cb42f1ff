/* The fonts of a document: which there are, in which sizes they are used, and how closely lines follow. */
#include "page_private.h"

#include <quiztutor/message.h>

#include <fontconfig/fontconfig.h>
#include <pango/pangofc-fontmap.h>

/* Families in the order of their worth in print; what none has comes from any other that is installed. */
#define SANS "Liberation Sans, DejaVu Sans, sans-serif"
#define MONO "DejaVu Sans Mono, Liberation Mono, monospace"
static const struct face {
    const char *families;
    struct {
        double size, spacing; /* points; of lines, times what letters take */
    } is, large;
    PangoWeight weight;
} faces[PAGE_FACES] = {
    [PAGE_SMALL] = { SANS, { 8.5, 1.32 }, { 12, 1.55 }, PANGO_WEIGHT_NORMAL },
    [PAGE_BODY] = { SANS, { 11, 1.32 }, { 16, 1.65 }, PANGO_WEIGHT_NORMAL },
    [PAGE_STRONG] = { SANS, { 11, 1.32 }, { 16, 1.65 }, PANGO_WEIGHT_BOLD },
    [PAGE_HEADING] = { SANS, { 18, 1.32 }, { 24, 1.55 }, PANGO_WEIGHT_BOLD },
    [PAGE_KEY] = { SANS, { 10, 1.5 }, { 16, 1.7 }, PANGO_WEIGHT_NORMAL },
    [PAGE_KEY_STRONG] = { SANS, { 10, 1.5 }, { 16, 1.7 }, PANGO_WEIGHT_BOLD },
    [PAGE_FIXED] = { MONO,
                     { 9.5, 1 },
                     { 14, 1 },
                     PANGO_WEIGHT_NORMAL }, /* what is drawn with letters has to meet */
};

/*
 * Fonts of coloured pictures are not for paper: cairo 1.16 puts each as an image into the file, where it is
 * no text any more, and names some of them twice, so that the file is not sound. Which fonts are left is
 * found out once; NULL where it can't be.
 */
static FcConfig *without_colour(void)
{
    static const FcChar8 rule[] =
        "<fontconfig><selectfont><rejectfont><pattern><patelt name=\"color\"><bool>true</bool>"
        "</patelt></pattern></rejectfont></selectfont></fontconfig>";
    static FcConfig *kept; /* until the process ends, as fontconfig keeps its own */
    if (kept)
        return kept;
    FcConfig *config = FcInitLoadConfig();
    if (config && FcConfigParseAndLoadFromMemory(config, rule, FcTrue) && FcConfigBuildFonts(config))
        return kept = config;
    if (config)
        FcConfigDestroy(config);
    return NULL;
}

static void set_faces(struct pages *pages, bool large)
{
    for (int i = 0; i < PAGE_FACES; i++) {
        struct page_face_set *set = &pages->faces[i];
        pango_font_description_set_absolute_size(
            set->description, (large ? faces[i].large.size : faces[i].is.size) * PANGO_SCALE);
        set->spacing = large ? faces[i].large.spacing : faces[i].is.spacing;
        PangoFontMetrics *metrics = pango_context_get_metrics(pages->context, set->description, NULL);
        set->ascent = (double)pango_font_metrics_get_ascent(metrics) / PANGO_SCALE;
        set->descent = (double)pango_font_metrics_get_descent(metrics) / PANGO_SCALE;
        set->cell = (double)pango_font_metrics_get_approximate_digit_width(metrics) / PANGO_SCALE;
        pango_font_metrics_unref(metrics);
    }
}

/* Nothing of the screen's settings may decide what is printed: no hinting, and sizes in points. */
bool page_fonts_start(struct pages *pages, bool large, struct error *error)
{
    pages->map = pango_cairo_font_map_new();
    pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(pages->map), without_colour());
    pango_cairo_font_map_set_resolution(PANGO_CAIRO_FONT_MAP(pages->map), 72);
    pages->context = pango_font_map_create_context(pages->map);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_NONE);
    pango_cairo_context_set_font_options(pages->context, options);
    cairo_font_options_destroy(options);
    pango_context_set_round_glyph_positions(pages->context, FALSE);
    pango_context_set_language(pages->context, pango_language_from_string(pages->language));
    for (int i = 0; i < PAGE_FACES; i++) {
        PangoFontDescription *description = pango_font_description_new();
        pages->faces[i].description = description;
        pango_font_description_set_family_static(description, faces[i].families);
        pango_font_description_set_weight(description, faces[i].weight);
    }
    PangoFont *font =
        pango_font_map_load_font(pages->map, pages->context, pages->faces[PAGE_BODY].description);
    if (!font)
        return error_set(
            error, ERROR_NOT_FOUND,
            tr("no font is installed here, and a page can't be set without one; fonts-dejavu-core is "
               "a small one"));
    g_object_unref(font);
    set_faces(pages, large);
    return true;
}

void page_fonts_finish(struct pages *pages)
{
    for (int i = 0; i < PAGE_FACES; i++)
        if (pages->faces[i].description)
            pango_font_description_free(pages->faces[i].description);
    if (pages->context)
        g_object_unref(pages->context);
    if (pages->map) {
        pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(pages->map), NULL); /* it would never let go of it */
        g_object_unref(pages->map);
    }
}
