/*
 * Comments that speak to the reviewer, `# check: allow RULE`, found between the nodes of a file while it is
 * being read: a `#` inside a text is none. Feed it every node in its order.
 */
#ifndef CONTENT_REVIEW_REMARK_H
#define CONTENT_REVIEW_REMARK_H

#include "review_outline.h"

struct remarks {
    struct source *source;
    review_allow *allow;
    void *context;
    /* the next `#` that is followed by "check:", not yet passed by; end is that of its line */
    ptrdiff_t offset, end;
    struct place place;
    bool found;
    /* the gap since the last text: where its scan stands (-1: at last), and whether a dash was in it */
    struct place last;
    ptrdiff_t gap;
    bool dash;
    uint32_t held; /* behind a dash: belongs to the item that comes */
};

void remarks_init(struct remarks *remarks, struct source *source, review_allow *allow, void *context);

/* Takes the comments before a node (and in the first line of a block), for their owner: `item` is the mask of
 * the question that begins with this node, or NULL; `owner` that of what it stands in. */
void remarks_pass(struct remarks *remarks, const struct node *node, uint32_t *owner, uint32_t *item);

#endif
