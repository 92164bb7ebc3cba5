/* SPDX-License-Identifier: BSD-3-Clause */
/* functions.c for C++: names that are mangled, and exceptions. */
#include <cstdio>
#include <stdexcept>

#define APART __attribute__((noinline))

namespace solver {

template <typename T> APART T twice(T x)
{
    return x + x;
}

class Grid {
public:
    APART explicit Grid(int n) : n_(n) {}
    APART int size() const
    {
        return n_;
    }

private:
    int n_;
};

namespace {
APART int hidden(int x)
{
    return x;
}
} // namespace

static APART void throws(int depth)
{
    if (depth == 0)
        throw std::runtime_error("on purpose");
    throws(depth - 1);
}

} // namespace solver

int main()
{
    int caught = 0;
    for (int i = 0; i < 10; i++) {
        try {
            solver::throws(2);
        } catch (const std::exception &) {
            caught++;
        }
    }
    solver::Grid grid(7);
    std::printf("%d %d %d %g\n", caught, solver::hidden(grid.size()), solver::twice(1), solver::twice(1.5));
    return 5;
}
