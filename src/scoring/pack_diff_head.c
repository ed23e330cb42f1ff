/* The heads of two packs, and their sections. */
#include "pack_diff.h"

#include <quiztutor/text.h>

#include <stdlib.h>
#include <string.h>

enum { HEAD_LINES = 24 };

static const char *shuffle_name(enum pack_shuffle shuffle)
{
    static const char *const names[] = {
        [SHUFFLE_ALL] = "all", [SHUFFLE_CHOICES] = "choices", [SHUFFLE_NONE] = "none"
    };
    return names[shuffle];
}

static const char *marking_name(enum marking_rule rule)
{
    return marking_rule_name(rule == MARKING_DEFAULT ? MARKING_ALL_OR_NOTHING : rule);
}

/* The items of a list in one line; NULL without memory or items. */
static const char *joined(struct arena *arena, const struct text_list *list)
{
    const char *text = NULL;
    for (int i = 0; i < list->count && (text || i == 0); i++)
        text = i ? arena_print(arena, "%s; %s", text, list->items[i]) : list->items[i];
    return text;
}

static const char *number(struct arena *arena, double value)
{
    char text[TEXT_NUMBER];
    text_number(text, value);
    return value > 0 ? arena_text(arena, text, (ptrdiff_t)strlen(text)) : NULL;
}

static bool same_names(const struct text_list *one, const struct text_list *other)
{
    if (one->count != other->count)
        return false;
    for (int i = 0; i < one->count; i++)
        if (!text_same(one->items[i], other->items[i]))
            return false;
    return true;
}

static void add_line(struct pack_diff *diff, struct pack_diff_head *lines, const char *key, const char *old,
                     const char *now)
{
    if (!diff_same_text(old, now) && diff->head_count < HEAD_LINES)
        lines[diff->head_count++] = (struct pack_diff_head){ key, old, now };
}

static bool add_list(struct pack_diff *diff, struct pack_diff_head *lines, const char *key,
                     const struct text_list *old, const struct text_list *now)
{
    if (same_names(old, now))
        return true;
    const char *was = joined(&diff->arena, old), *is = joined(&diff->arena, now);
    if ((old->count && !was) || (now->count && !is))
        return false;
    if (diff->head_count < HEAD_LINES)
        lines[diff->head_count++] = (struct pack_diff_head){ key, was, is };
    return true;
}

static bool add_number(struct pack_diff *diff, struct pack_diff_head *lines, const char *key, double old,
                       double now)
{
    const char *was = number(&diff->arena, old), *is = number(&diff->arena, now);
    if ((old > 0 && !was) || (now > 0 && !is))
        return false;
    add_line(diff, lines, key, was, is);
    return true;
}

/* ---- sections ---- */

struct titled {
    const char *title;
    int section;
};

static int compare_titles(const void *one, const void *other)
{
    const struct titled *a = one, *b = other;
    int order = strcmp(a->title, b->title);
    return order ? order : (a->section > b->section) - (a->section < b->section);
}

/* A pack's sections by title; the k-th of one title is paired with the k-th of the other pack. */
static struct titled *by_title(struct arena *arena, const struct pack *pack)
{
    struct titled *titles = arena_alloc(arena, (pack->section_count + 1) * (ptrdiff_t)sizeof *titles);
    for (int i = 0; titles && i < pack->section_count; i++)
        titles[i] = (struct titled){ pack->sections[i].title, i + 1 };
    if (titles && pack->section_count > 1)
        qsort(titles, (size_t)pack->section_count, sizeof *titles, compare_titles);
    return titles;
}

static bool section_differs(const struct pack_diff *diff, struct pack_diff_section *one)
{
    const struct section *was = &diff->old->sections[one->old - 1], *is = &diff->now->sections[one->now - 1];
    one->text =
        !diff_same_text(was->intro, is->intro) || !diff_same_text(was->intro_figure, is->intro_figure);
    /* a section that asks all it has still does so when it grows */
    bool all = was->pick == was->count && is->pick == is->count;
    one->pick = !all && (was->pick != is->pick || (was->pick == was->count) != (is->pick == is->count));
    return one->text || one->pick;
}

static bool diff_sections(struct pack_diff *diff)
{
    int old_count = diff->old->section_count, now_count = diff->now->section_count;
    struct titled *old = by_title(&diff->arena, diff->old), *now = by_title(&diff->arena, diff->now);
    struct pack_diff_section *found =
        arena_alloc(&diff->arena, (old_count + now_count + 1) * (ptrdiff_t)sizeof *found);
    if (!old || !now || !found)
        return false;
    for (int i = 0, j = 0; i < old_count || j < now_count;) {
        int order = i == old_count ? 1 : j == now_count ? -1 : strcmp(old[i].title, now[j].title);
        struct pack_diff_section one = { 0 };
        if (order <= 0)
            one.old = old[i++].section;
        if (order >= 0)
            one.now = now[j++].section;
        if (order != 0 || section_differs(diff, &one))
            found[diff->section_count++] = one;
    }
    diff->sections = found;
    return true;
}

bool diff_head(struct pack_diff *diff)
{
    const struct pack *old = diff->old, *now = diff->now;
    struct pack_diff_head *lines = arena_alloc(&diff->arena, HEAD_LINES * (ptrdiff_t)sizeof *lines);
    if (!lines)
        return false;
    diff->head = lines;
    add_line(diff, lines, "id", old->id, now->id);
    add_line(diff, lines, "title", old->title, now->title);
    add_line(diff, lines, "strapline", old->strapline, now->strapline);
    add_line(diff, lines, "subject", old->subject, now->subject);
    add_line(diff, lines, "topic", old->topic, now->topic);
    add_line(diff, lines, "ages", old->ages, now->ages);
    add_line(diff, lines, "language", old->language, now->language);
    bool done = add_list(diff, lines, "authors", &old->authors, &now->authors) &&
                add_list(diff, lines, "licence", &old->licence, &now->licence) &&
                add_list(diff, lines, "source", &old->source, &now->source);
    add_line(diff, lines, "publisher", old->publisher_name, now->publisher_name);
    add_line(diff, lines, "site", old->publisher_site, now->publisher_site);
    add_line(diff, lines, "key_reader", old->key_reader, now->key_reader);
    add_line(diff, lines, "description", old->description, now->description);
    add_line(diff, lines, "shuffle", shuffle_name(old->shuffle), shuffle_name(now->shuffle));
    add_line(diff, lines, "marking", marking_name(old->marking), marking_name(now->marking));
    return done && add_number(diff, lines, "minutes", old->exam_minutes, now->exam_minutes) &&
           add_number(diff, lines, "pass", old->exam_pass, now->exam_pass) && diff_sections(diff);
}
