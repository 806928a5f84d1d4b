// Swift's Glibc module leaves malloc.h out; the benchmarks ask mallinfo2 how large the heap is.
#include <malloc.h>
