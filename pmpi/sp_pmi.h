/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_PMI_H
#define SP_PMI_H

/* The key-value store of MPICH's launcher (Hydra), over the socket it gave this process: the PMI-1 wire protocol, one line asked,
 * one line answered. MPICH uses the same socket in MPI_Init and in its dynamic processes; we use it just before and just after
 * MPI_Init, when nobody else does. */

/* Puts key=1; every process whose MPI_Init comes after it in time can get it after its own. 0: done; -1: no such launcher. Local. */
int sp_pmi_put(const char *key);

/* Is a key there? Does not wait for it. Local. */
int sp_pmi_has(const char *key);

#endif
