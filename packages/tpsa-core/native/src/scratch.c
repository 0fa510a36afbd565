/* Scratch that some thread has given back waits in a few places, each of which holds one piece or
   none; whoever takes a piece out of its place owns it. */
#include "scratch.h"

#include <stdatomic.h>
#include <stdlib.h>

/* A cache line before the numbers says how many there are. */
enum { PLACES = 4, HEAD = 8, LARGEST_NUMBERS = 1 << 18 };

typedef union {
    int64_t numbers;
    double line[HEAD];
} Head;

static _Atomic(Head *) places[PLACES];

/* Put a piece into the first place that is free; 0 if there is none. */
static int put(Head *piece)
{
    for (int at = 0; at < PLACES; at++) {
        Head *none = NULL;
        if (atomic_compare_exchange_strong(&places[at], &none, piece))
            return 1;
    }
    return 0;
}

static Head *find(int64_t numbers)
{
    for (int at = 0; at < PLACES; at++) {
        Head *piece = atomic_exchange(&places[at], NULL);
        if (piece && piece->numbers >= numbers)
            return piece;
        if (piece && !put(piece))
            free(piece);
    }
    return NULL;
}

double *scratch_take(int64_t numbers)
{
    int64_t whole = scratch_lines(numbers);
    Head *piece = whole <= LARGEST_NUMBERS ? find(whole) : NULL;
    if (!piece) {
        piece = aligned_alloc(64, (size_t)(HEAD + whole) * sizeof(double));
        if (!piece)
            return NULL;
        piece->numbers = whole;
    }
    return (double *)(piece + 1);
}

void scratch_give(double *scratch)
{
    if (!scratch)
        return;
    Head *piece = (Head *)scratch - 1;
    if (piece->numbers > LARGEST_NUMBERS) {
        free(piece);
        return;
    }
    if (!put(piece))
        /* Of smaller pieces, perhaps, that are in all the places one goes. */
        free(atomic_exchange(&places[0], piece));
}
