/* SPDX-License-Identifier: BSD-3-Clause
 * Regions of a C++ program without MPI: scopes close on every way out, exceptions too.
 *
 *     c++ -std=c++11 -O2 regions.cpp -o regions_cxx -ldl      (with -I to the folder of scope_profiler.hpp)
 *     LD_PRELOAD=libsp.so ./regions_cxx                       writes regions_rank00000.h5 */
#include <scope_profiler.hpp>

#include <cmath>
#include <cstdio>
#include <stdexcept>

static double integrate(int n)
{
    SP_PROFILE_FUNCTION();
    double sum = 0;
    if (n <= 0)
        throw std::invalid_argument("no points");
    for (int i = 0; i < n; i++)
        sum += std::sin((i + 0.5) / n) / n;
    return sum;
}

int main()
{
    sp_init("regions", 0);
    for (int i = 0; i < 4; i++) {
        SP_PROFILE_SCOPE("try");
        try {
            std::printf("%.6f\n", integrate(100000 * i));
        } catch (const std::exception &problem) {
            std::printf("%s\n", problem.what());
        }
    }
    return sp_finalize();
}
