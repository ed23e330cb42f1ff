/* Orders and matches. */
#include "marking_private.h"

static int in_place(const struct answer *answer, int count)
{
    int right = 0;
    for (int i = 0; i < count; i++)
        right += answer->places[i] == i + 1;
    return right;
}

double marking_order_share(const struct question *question, const struct answer *answer)
{
    int count = question->key.order.count, right = in_place(answer, count), followed = 0;
    switch (question->marking) {
    case MARKING_NET_CORRECT: /* an item and its successor in the key, next to each other */
        for (int i = 0; i + 1 < count; i++)
            followed += answer->places[i] > 0 && answer->places[i + 1] == answer->places[i] + 1;
        return (double)followed / (count - 1);
    case MARKING_EACH_DECISION:
        return (double)right / count;
    default:
        return right == count;
    }
}

double marking_match_share(const struct question *question, const struct answer *answer)
{
    const struct match_key *key = &question->key.match;
    int matched = 0;
    for (int i = 0; i < key->lefts.count; i++)
        matched += answer->places[i] == key->pairs[i] + 1;
    if (question->marking == MARKING_NET_CORRECT || question->marking == MARKING_EACH_DECISION)
        return (double)matched / key->lefts.count;
    return matched == key->lefts.count;
}
