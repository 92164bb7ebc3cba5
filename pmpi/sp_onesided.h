/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_ONESIDED_H
#define SP_ONESIDED_H

/* What calls say about traffic that only one process takes part in: one-sided communication and files. Bytes count at the origin,
 * where the call is made; a nonblocking read's where it completes. As sp_note.h. */

#include "sp_note.h"

/* Windows and files belong to the communicator they were made on. */
void sp_note_window(MPI_Comm comm, const MPI_Win *window);
void sp_note_window_freed(MPI_Win window);
void sp_note_opened(MPI_Comm comm, const MPI_File *file);
void sp_note_closed(MPI_File file);

/* target: rank in the window's group. An atomic call whose operation is MPI_NO_OP sends nothing. */
void sp_note_put(MPI_Win window, int target, int64_t count, MPI_Datatype type);
void sp_note_get(MPI_Win window, int target, int64_t count, MPI_Datatype type);
void sp_note_accumulate(MPI_Win window, int target, int64_t count, MPI_Datatype type, MPI_Op op);
void sp_note_get_accumulate(MPI_Win window, int target, int64_t count, MPI_Datatype type, int64_t result_count, MPI_Datatype result_type, MPI_Op op);
/* Sends the value to compare with and the new one, gets the old one. */
void sp_note_compare_and_swap(MPI_Win window, int target, MPI_Datatype type);

/* What was read is what the status says, or else posted bytes. */
void sp_note_read(MPI_File file, int64_t posted, const MPI_Status *status);
void sp_note_post_read(MPI_File file, int64_t count, MPI_Datatype type, const MPI_Request *request);
void sp_note_written(MPI_File file, int64_t count, MPI_Datatype type);

#endif
