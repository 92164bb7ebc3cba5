/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SHEET_DETAILS_H
#define SP_SHEET_DETAILS_H

/* What details say, for machines: MPI calls by call path and by place, communicators, peers, sizes of messages, load balance. Local. */

#include "sp_details.h"
#include "sp_sheet.h"

struct sp_sheet sp_sheet_mpi_paths(const struct sp_details *details);
struct sp_sheet sp_sheet_call_sites(const struct sp_details *details);
struct sp_sheet sp_sheet_communicators(const struct sp_details *details);
struct sp_sheet sp_sheet_comm_matrix(const struct sp_details *details);
struct sp_sheet sp_sheet_message_sizes(const struct sp_details *details);
struct sp_sheet sp_sheet_imbalance(const struct sp_details *details);

#endif
