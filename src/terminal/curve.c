#include <quiztutor/curve.h>
#include <quiztutor/text.h>

#include <math.h>
#include <string.h>

enum {
    ROWS = 11,        /* the first is 100 per cent, the last the foot of the scale */
    STEPS = ROWS - 1, /* between them */
    MARGIN = 6,       /* "100% │" */
    DOTS_DOWN = 4,    /* of a braille cell */
    DOTS_ACROSS = 2,
    CELLS = CURVE_WIDEST
};

/* What is drawn: of each cell its dots in braille, or its character. */
struct picture {
    const struct curve *curve;
    int width; /* cells right of the axis */
    int down;  /* dots of a cell */
    int across;
    double foot; /* of the scale */
    unsigned char cells[ROWS][CELLS];
};

static double picture_chance(const struct picture *picture, int dot)
{
    const struct curve *curve = picture->curve;
    double chance = curve->chance(curve->context, curve->days * dot / (picture->width * picture->across - 1));
    return chance >= 0 && chance <= 1 ? chance : chance > 1 ? 1 : 0;
}

/* Dots from the top. */
static int picture_row(const struct picture *picture, double chance)
{
    return (int)lround((1 - chance) / (1 - picture->foot) * STEPS * picture->down);
}

static void picture_dot(struct picture *picture, int across, int down, char ascii)
{
    static const unsigned char bits[DOTS_ACROSS][DOTS_DOWN] = { { 0x01, 0x02, 0x04, 0x40 },
                                                                { 0x08, 0x10, 0x20, 0x80 } };
    int row = down / picture->down, column = across / picture->across;
    if (down < 0 || row >= ROWS || column < 0 || column >= picture->width)
        return;
    unsigned char *cell = &picture->cells[row][column];
    if (picture->curve->ascii)
        *cell = (unsigned char)ascii;
    else
        *cell |= bits[across % DOTS_ACROSS][down % DOTS_DOWN];
}

static int picture_across(const struct picture *picture, double day)
{
    return (int)lround(day / picture->curve->days * (picture->width * picture->across - 1));
}

static int picture_bottom(const struct picture *picture)
{
    return STEPS * picture->down;
}

/* Lines first, so that in ASCII the curve lies over them. */
static void picture_lines(struct picture *picture)
{
    const struct curve *curve = picture->curve;
    int wide = picture->width * picture->across;
    for (int i = 0; i < wide && curve->wanted > 0; i++)
        if (i / picture->across % 2 == 0)
            picture_dot(picture, i, picture_row(picture, curve->wanted), '-');
    for (int k = 0; k < curve->mark_count; k++) {
        int across = picture_across(picture, curve->marks[k].day);
        if (across <= 0 || across >= wide)
            continue;
        int from = picture_row(picture, picture_chance(picture, across));
        for (int down = from; down <= picture_bottom(picture); down++)
            if (curve->ascii || (down - from) % 2 == 0)
                picture_dot(picture, across, down, ':');
    }
}

static void picture_curve(struct picture *picture)
{
    int wide = picture->width * picture->across, last = 0;
    for (int i = 0; i < wide; i++) {
        int row = picture_row(picture, picture_chance(picture, i));
        for (int down = i && row > last ? last + 1 : row; down < row; down++)
            picture_dot(picture, i, down, '*'); /* no gap where it is steep */
        picture_dot(picture, i, row, '*');
        last = row;
    }
}

static void picture_row_print(const struct picture *picture, struct buffer *out, int row)
{
    const unsigned char *cells = picture->cells[row];
    bool ascii = picture->curve->ascii, named = row % 2 == 0;
    int end = picture->width;
    while (end > 0 && !cells[end - 1])
        end--;
    if (named)
        buffer_print(out, "%3d%% ", (int)lround(100 - row * 100 * (1 - picture->foot) / STEPS));
    else
        buffer_text(out, "     ");
    buffer_text(out, ascii ? named ? "+" : "|" : named ? "┤" : "│");
    for (int i = 0; i < end; i++)
        if (!cells[i])
            buffer_char(out, ' ');
        else if (ascii)
            buffer_char(out, (char)cells[i]);
        else
            text_encode(out, 0x2800 + cells[i]);
    buffer_char(out, '\n');
}

/* Cell of a mark, −1 where it is not shown. */
static int mark_column(const struct picture *picture, int mark)
{
    double day = picture->curve->marks[mark].day;
    if (!(day >= 0 && day <= picture->curve->days))
        return -1;
    return picture_across(picture, day) / picture->across;
}

static void picture_axis(const struct picture *picture, struct buffer *out)
{
    bool ascii = picture->curve->ascii;
    buffer_text(out, ascii ? "     +" : "     └");
    for (int i = 0; i < picture->width; i++) {
        bool marked = false;
        for (int k = 0; k < picture->curve->mark_count; k++)
            marked |= mark_column(picture, k) == i;
        buffer_text(out, ascii ? marked ? "+" : "-" : marked ? "┴" : "─");
    }
    buffer_char(out, '\n');
}

/* Labels, each centred below its mark, in the first line that has room for it. */
static void picture_labels(const struct picture *picture, struct buffer *out)
{
    const struct curve *curve = picture->curve;
    int left = curve->mark_count, all = MARGIN + picture->width;
    bool done[CURVE_MARKS] = { false };
    for (int line = 0; left > 0 && line < CURVE_MARKS; line++) {
        int used = 0;
        for (int k = 0; k < curve->mark_count; k++) {
            int column = mark_column(picture, k), width = text_columns(curve->marks[k].label);
            int start = MARGIN + column - width / 2;
            if (start + width > all)
                start = all - width;
            if (start < MARGIN - 1)
                start = MARGIN - 1;
            if (done[k] || (column >= 0 && used && start <= used))
                continue;
            done[k] = true;
            left--;
            if (column < 0)
                continue;
            buffer_print(out, "%*s%s", start - used, "", curve->marks[k].label);
            used = start + width;
        }
        if (used)
            buffer_char(out, '\n');
    }
}

void curve_draw(struct buffer *out, const struct curve *curve)
{
    struct curve kept = *curve;
    struct picture picture = { .curve = &kept };
    if (kept.mark_count > CURVE_MARKS)
        kept.mark_count = CURVE_MARKS;
    int columns = curve->columns < CURVE_NARROWEST ? CURVE_NARROWEST
                  : curve->columns > CURVE_WIDEST  ? CURVE_WIDEST
                                                   : curve->columns;
    picture.width = columns - MARGIN;
    picture.down = curve->ascii ? 1 : DOTS_DOWN;
    picture.across = curve->ascii ? 1 : DOTS_ACROSS;
    double lowest = picture_chance(&picture, picture.width * picture.across - 1);
    if (curve->wanted > 0 && curve->wanted < lowest)
        lowest = curve->wanted;
    picture.foot = lowest >= 0.8 ? 0.8 : lowest >= 0.5 ? 0.5 : 0;
    picture_lines(&picture);
    picture_curve(&picture);
    for (int row = 0; row < ROWS; row++)
        picture_row_print(&picture, out, row);
    picture_axis(&picture, out);
    picture_labels(&picture, out);
}
