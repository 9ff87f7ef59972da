// SPDX-License-Identifier: Apache-2.0
// What reports call tasks and their memory. In: a task, an address. Out: "core 3 of device 1", the
// buffer that lies there.
#include <string.h>
#include "print/prt_text.h"
#include "prt_name.h"
#include "prt_task.h"

int32_t prt__core_index(const prt_program *program, int32_t core, int64_t *index) {
  int64_t rest = core;
  for (int32_t i = program->rank - 1; i >= 0; i--) {
    index[i] = rest % program->sizes[i];
    rest /= program->sizes[i];
  }
  return program->rank;
}

void prt__add_who(prt_text *text, const prt_program *program, int32_t core, int32_t device) {
  if (program->kind == PRT_DEVICE_PROGRAM) {
    prt__text_printf(text, "device %d", (int)device);
    return;
  }
  int64_t index[PRT_MESH_AXES];
  int32_t rank = prt__core_index(program, core, index);
  prt__text_c(text, "core ");
  if (rank != 1) prt__text_c(text, "(");
  for (int32_t i = 0; i < rank; i++)
    prt__text_printf(text, "%s%lld", i ? ", " : "", (long long)index[i]);
  if (rank != 1) prt__text_c(text, ")");
  prt__text_printf(text, " of device %d", (int)device);
}

int32_t prt__device_among(const prt_node *node) {
  const prt_group *group = node->group;
  bool is_device = prt__program_of(node)->kind == PRT_DEVICE_PROGRAM;
  return (is_device ? group->count : group->devices) > 1 ? (int32_t)node->task.device : -1;
}

void prt__add_sem_name(prt_text *text, const char *word, const char *name) {
  if (!name || !name[0])
    prt__text_c(text, "a semaphore");
  else if (strchr(name, ' '))
    prt__text_c(text, name);
  else
    prt__text_printf(text, "%s'%s'", word, name);
}

int64_t prt__sems_of_part(const prt_buffer *buffer) {
  int64_t count = 1;
  for (int32_t i = 0; i < buffer->rank; i++) count *= buffer->dims[i];
  return count;
}

void prt__add_sem_index(prt_text *text, const prt_buffer *buffer, int64_t number) {
  int64_t behind = prt__sems_of_part(buffer);
  if (behind <= 1) return;
  for (int32_t i = 0; i < buffer->rank; i++) {
    number %= behind;
    behind /= buffer->dims[i];
    prt__text_printf(text, "%s%lld", i ? ", " : "[", (long long)(number / behind));
  }
  prt__text_c(text, "]");
}

static const prt_buffer *buffer_at(const prt_node *node, const void *address) {
  const prt_program *program = prt__program_of(node);
  int64_t offset = (const char *)address - node->task.memory;
  for (int32_t i = 0; i < program->buffer_count; i++) {
    const prt_buffer *b = &program->buffers[i];
    if (offset >= b->offset && offset < b->offset + b->bytes) return b;
  }
  return NULL;
}

const prt_buffer *prt__buffer_of(const prt_node *node, const void *address,
                                 const prt_node **owner) {
  for (*owner = node; *owner; *owner = (*owner)->group->parent) {
    const prt_buffer *buffer = buffer_at(*owner, address);
    if (buffer) return buffer;
  }
  return NULL;
}
