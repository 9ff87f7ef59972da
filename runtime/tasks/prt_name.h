// SPDX-License-Identifier: Apache-2.0
// What reports call cores, semaphores and buffers.
#pragma once
#include "print/prt_text.h"
#include "prt_task.h"

// Where the core is in its mesh: an index for each axis; how many.
int32_t prt__core_index(const prt_program *program, int32_t core, int64_t *index);
// "core 3 of device 1", "core (0, 5) of device 0", "device 2".
void prt__add_who(prt_text *text, const prt_program *program, int32_t core, int32_t device);
// The node's device, if there are several; else -1.
int32_t prt__device_among(const prt_node *node);
// `word` and the name in quotes if it is the program's; those of the machine's own have spaces.
void prt__add_sem_name(prt_text *text, const char *word, const char *name);
// How many semaphores each core has of the buffer.
int64_t prt__sems_of_part(const prt_buffer *buffer);
// "[0, 3]": which of its semaphores it is, of all cores' in row-major order; nothing if there is
// one.
void prt__add_sem_index(prt_text *text, const prt_buffer *buffer, int64_t number);
// The buffer that holds the address, in the memory of the node or of one that launched it, and
// whose memory that is; NULL: none does.
const prt_buffer *prt__buffer_of(const prt_node *node, const void *address, const prt_node **owner);
