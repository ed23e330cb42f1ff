/*
 * How a table's columns share the room there is, in whatever unit the writer measures: which are left out,
 * how wide the others are, and whether nothing else has room but records (a line for each cell).
 */
#ifndef REPORT_ROOM_H
#define REPORT_ROOM_H

#include <stdbool.h>

struct room_column {
    double content;       /* what its cells would like to have */
    double extra;         /* and where there are bars besides */
    double heading, word; /* the heading; its longest word: no narrower */
    bool fixed;           /* cells are never wrapped */
    int rank;             /* the highest is left out first; 0: never */
    bool hidden;          /* out: no room */
    double width;         /* out */
};

struct room {
    struct room_column *columns;
    int count;
    double width, gap;
    const double *floors; /* texts are wrapped down to the first of these, and to later ones where need be */
    int floor_count;
    bool even;    /* what is too little for one is shared by all that want it */
    bool bars;    /* out: there is room for them */
    bool records; /* out */
};

void room_share(struct room *room);

#endif
