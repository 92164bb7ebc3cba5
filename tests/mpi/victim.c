/* SPDX-License-Identifier: BSD-3-Clause */
/* victim COUNTERS: works in regions until it is killed; after each step it notes in the file how many it has done. */
#include <scope_profiler.h>

#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int fd = argc == 2 ? open(argv[1], O_RDWR | O_CREAT, 0600) : -1;
    if (fd < 0 || ftruncate(fd, 4096) < 0)
        return 2;
    volatile uint64_t *done = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (done == MAP_FAILED)
        return 2;
    SP_BEGIN("outer");
    for (;;) {
        SP_BEGIN("step");
        SP_BEGIN("inner");
        SP_END("inner");
        SP_END("step");
        done[0]++;
    }
}
