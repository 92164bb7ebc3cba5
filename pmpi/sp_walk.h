/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_WALK_H
#define SP_WALK_H

/* Who called: the return addresses on the stack above a call, remembered so that a walk costs a table look-up a frame instead of an
 * unwinding (2000 ns). All Local, any thread, no lock.
 *
 * How far the next return address lies above the stack pointer at a call is the same at each execution of that call, unless its function
 * has a frame of variable size. So the first walks from a call unwind, by libgcc, and keep that distance; later ones add it up, on the
 * thread's own stack only (a coroutine's is unwound). What is found so must be a return address that an unwinding has shown before:
 * anything else is unwound again, and a call whose distance turns out to vary is unwound always. Since old return addresses lie about on a
 * stack, the first 16 walks from a call and each 1024th are unwound in any case. */

/* Return addresses above a call that returns to site and whose stack pointer was stack (the canonical frame address of the function it
 * calls), innermost first. How many: at most room, fewer where the stack ends or cannot be unwound. */
int sp_walk(const void *site, const void *stack, const void **callers, int room);

#endif
