#include <quiztutor/random.h>

uint64_t random_next(struct random_stream *stream)
{
    uint64_t z = stream->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t random_below(struct random_stream *stream, uint64_t below)
{
    uint64_t excess = (UINT64_MAX % below + 1) % below; /* 2^64 mod below */
    uint64_t x;
    do
        x = random_next(stream);
    while (excess && x >= 0 - excess);
    return x % below;
}
