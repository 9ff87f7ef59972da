// SPDX-License-Identifier: Apache-2.0
// Tasks: their memory, launches, ends, and how one finds another.
#include <stdlib.h>
#include <string.h>
#include "prt_task.h"

// ---- slabs -----------------------------------------------------------------------------------------
enum { SLAB_SLACK = 4 }; // a kept slab serves if it is at most so many times too large

// Locks: none on entry and exit; takes slab_lock.
prt_slab *prt__slab_take(prt_machine *machine, size_t bytes) {
  pthread_mutex_lock(&machine->slab_lock);
  for (prt_slab **link = &machine->slabs; *link; link = &(*link)->next) {
    prt_slab *slab = *link;
    if (slab->bytes < bytes || slab->bytes / SLAB_SLACK > bytes + PRT_HUGE_PAGE) continue;
    *link = slab->next;
    pthread_mutex_unlock(&machine->slab_lock);
    return slab;
  }
  pthread_mutex_unlock(&machine->slab_lock);
  prt_slab *slab = malloc(sizeof *slab);
  size_t rounded = (bytes + 65535) / 65536 * 65536;
  char *data = slab && rounded >= bytes ? prt__map(rounded) : NULL;
  if (!data) {
    free(slab);
    return NULL;
  }
  *slab = (prt_slab){.bytes = rounded, .data = data};
  return slab;
}

void prt__slab_give(prt_machine *machine, prt_slab *slab) {
  if (!slab) return;
  pthread_mutex_lock(&machine->slab_lock);
  slab->next = machine->slabs;
  machine->slabs = slab;
  pthread_mutex_unlock(&machine->slab_lock);
}

// Locks: none on entry and exit; takes slab_lock.
size_t prt__slabs_footprint(prt_machine *machine) {
  size_t total = 0;
  pthread_mutex_lock(&machine->slab_lock);
  for (const prt_slab *slab = machine->slabs; slab; slab = slab->next) total += slab->bytes;
  pthread_mutex_unlock(&machine->slab_lock);
  return total;
}

// No call may be running on the machine.
void prt__slabs_fini(prt_machine *machine) {
  for (prt_slab *slab = machine->slabs, *next; slab; slab = next) {
    next = slab->next;
    prt__unmap(slab->data, slab->bytes);
    free(slab);
  }
  machine->slabs = NULL;
}

// ---- groups ----------------------------------------------------------------------------------------
static size_t align_up(size_t bytes) { return (bytes + PRT_ALIGN - 1) / PRT_ALIGN * PRT_ALIGN; }

static int64_t mesh_size(const prt_program *program) {
  int64_t size = 1;
  for (int32_t i = 0; i < program->rank; i++) size *= program->sizes[i];
  return size;
}

// Semaphores alone are packed; buffers start on a cache line.
static size_t block_bytes(const prt_program *program) {
  size_t bytes = (size_t)program->memory;
  return bytes <= PRT_ALIGN ? (bytes + 15) / 16 * 16 : align_up(bytes);
}

static void init_nodes(prt_group *group, char *memory) {
  prt_node *node = group->nodes;
  for (int32_t p = 0; p < group->program_count; p++) {
    const prt_program *program = group->programs[p];
    bool is_device = program->kind == PRT_DEVICE_PROGRAM;
    int32_t cores = (int32_t)mesh_size(program);
    memory = (char *)align_up((size_t)memory);
    for (int32_t i = 0; i < cores; i++, node++) {
      *node = (prt_node){.group = group, .program = program, .cores = is_device ? 1 : cores};
      node->task.memory = memory;
      memset(memory, 0, (size_t)program->semaphores);
      node->task.core = is_device ? 0 : i;
      node->task.device = is_device ? i : group->parent ? group->parent->task.device : 0;
      memory += block_bytes(program);
    }
  }
}

prt_group *prt__group_new(prt_schedule *s, prt_node *parent, int32_t program_count, const prt_program *const *programs, void *captured) {
  size_t count = 0, memory = 0;
  for (int32_t p = 0; p < program_count; p++) {
    size_t cores = (size_t)mesh_size(programs[p]);
    count += cores;
    memory += cores * block_bytes(programs[p]) + PRT_ALIGN;
  }
  size_t head = align_up(sizeof(prt_group) + (size_t)program_count * sizeof(prt_slab *));
  size_t nodes = align_up(count * sizeof(prt_node));
  prt_slab *slab = prt__slab_take(s->call->machine, head + nodes + memory);
  if (!slab) return NULL;
  prt_group *group = (prt_group *)slab->data;
  *group = (prt_group){.parent = parent, .programs = programs, .program_count = program_count, .count = (int32_t)count,
                       .captured = captured, .nodes = (prt_node *)(slab->data + head), .slab = slab,
                       .frames = (struct prt_slab *_Atomic *)(group + 1)};
  for (int32_t p = 0; p < program_count; p++) atomic_init(&group->frames[p], NULL);
  atomic_init(&group->remaining, (int32_t)count + (parent ? 1 : 0));
  init_nodes(group, slab->data + head + nodes);
  return group;
}

void prt__group_free(prt_schedule *s, prt_group *group) {
  if (!group) return;
  for (int32_t i = 0; i < group->count; i++)
    if (group->nodes[i].children && !group->nodes[i].children->joint) prt__group_free(s, group->nodes[i].children);
  for (prt_flight *flight = group->held, *next; flight; flight = next) {
    next = flight->next;
    free(flight);
  }
  for (int32_t p = 0; p < group->program_count; p++) prt__slab_give(s->call->machine, atomic_load_explicit(&group->frames[p], memory_order_relaxed));
  prt__slab_give(s->call->machine, group->slab);
}

// ---- launches on several devices -----------------------------------------------------------------------
static int32_t devices_of(const prt_node *home) { return home->group->count; }

static void joint_free(prt_schedule *s, prt_joint *joint) {
  for (int32_t i = 0; i < joint->devices; i++) prt__group_free(s, joint->groups[i]);
  free(joint);
}

// The joint launch that a device comes to: the oldest one of these programs that it has not been at. Locks: the schedule's is held.
static prt_joint *joint_of(prt_schedule *s, const prt_node *home, const prt_program *const *programs) {
  prt_joint **link = &s->joints;
  for (; *link; link = &(*link)->next) {
    const prt_group *own = (*link)->groups[home->task.device];
    if ((*link)->programs == programs && (!own || own->is_early)) return *link;
  }
  prt_joint *joint = calloc(1, sizeof *joint + (size_t)devices_of(home) * sizeof joint->groups[0]);
  if (joint) *joint = (prt_joint){.programs = programs, .devices = devices_of(home)};
  *link = joint;
  return joint;
}

// Locks: none on entry and exit; takes the schedule's if it is shared.
void prt__children_end(prt_schedule *s, prt_node *node) {
  prt_group *group = node->children;
  if (!group) return;
  node->children = NULL;
  if (s->flying) prt__land_all(s, group);
  if (prt__is_checked(s) && !prt__is_over(s)) prt__check_semaphores_of(s, group);
  prt_joint *joint = group->joint;
  if (!joint) {
    prt__group_free(s, group);
    return;
  }
  if (s->shared) pthread_mutex_lock(&s->lock);
  bool is_last = ++joint->left == joint->devices;
  if (is_last) {
    prt_joint **link = &s->joints;
    while (*link != joint) link = &(*link)->next;
    *link = joint->next;
  }
  if (s->shared) pthread_mutex_unlock(&s->lock);
  if (is_last) joint_free(s, joint);
}

void prt__joints_free(prt_schedule *s) {
  for (prt_joint *joint = s->joints, *next; joint; joint = next) {
    next = joint->next;
    joint_free(s, joint);
  }
  s->joints = NULL;
}

static int32_t program_index(const prt_node *node, int32_t *first) {
  int32_t at = (int32_t)(node - node->group->nodes), start = 0;
  for (int32_t p = 0;; p++) {
    int32_t size = (int32_t)mesh_size(node->group->programs[p]);
    if (at < start + size) {
      *first = start;
      return p;
    }
    start += size;
  }
}

// ---- what compiled code calls ------------------------------------------------------------------------
void *prt__frame_alloc(prt_task *task, int64_t bytes) {
  prt_node *node = (prt_node *)task;
  prt_group *group = node->group;
  int32_t first, p = program_index(node, &first);
  size_t each = ((size_t)bytes + 15) / 16 * 16;
  prt_slab *slab = atomic_load_explicit(&group->frames[p], memory_order_acquire);
  if (!slab) {
    prt_machine *machine = task->worker->call->machine;
    slab = prt__slab_take(machine, each * (size_t)mesh_size(group->programs[p]));
    if (!slab) {
      prt__fail(task->worker, PRT_ERROR_MEMORY, "out of memory");
      return NULL;
    }
    prt_slab *expected = NULL;
    // Publishes the slab to the group's other tasks; pairs with the acquire above.
    if (!atomic_compare_exchange_strong_explicit(&group->frames[p], &expected, slab, memory_order_acq_rel, memory_order_acquire)) {
      prt__slab_give(machine, slab);
      slab = expected;
    }
  }
  return slab->data + each * (size_t)(node - group->nodes - first);
}

void prt__task_end(prt_task *task) { ((prt_node *)task)->wait = WAIT_ENDED; }

// The group of a launch on one of several devices, which may be there already.
// Locks: none on entry and exit; takes the schedule's if it is shared.
static prt_group *join(prt_schedule *s, prt_node *node, int32_t count, const prt_program *const *programs, void *captured) {
  if (s->shared) pthread_mutex_lock(&s->lock);
  prt_joint *joint = joint_of(s, node, programs);
  prt_group *group = joint ? joint->groups[node->task.device] : NULL;
  if (joint && !group) {
    group = prt__group_new(s, node, count, programs, captured);
    joint->groups[node->task.device] = group;
  }
  if (group) {
    group->joint = joint;
    group->captured = captured;
    group->is_early = false;
    node->children = group;
  }
  if (s->shared) pthread_mutex_unlock(&s->lock);
  return group;
}

void prt__launch(prt_task *task, int32_t count, const prt_program *const *programs, void *captured, const prt_site *site) {
  prt_node *node = (prt_node *)task;
  prt_schedule *s = prt__schedule_of(node);
  node->wait = WAIT_LAUNCH;
  node->site = site;
  bool is_shared_launch = programs[0]->kind != PRT_DEVICE_PROGRAM && node->group->parent && devices_of(node) > 1;
  prt_group *group = is_shared_launch ? join(s, node, count, programs, captured) : prt__group_new(s, node, count, programs, captured);
  if (!group) {
    prt__fail(task->worker, PRT_ERROR_MEMORY, "out of memory for the cores of '%s'", programs[0]->name);
    return;
  }
  node->children = group;
  if (s->shared) pthread_mutex_lock(&s->lock);
  s->live += group->count;
  if (s->shared) pthread_mutex_unlock(&s->lock);
  for (int32_t i = 0; i < group->count; i++) prt__ready(s, &group->nodes[i]);
}

// Locks: none on entry and exit; takes the schedule's if it is shared, then those of semaphores.
bool prt__meet(prt_task *task, const prt_site *site) {
  prt_node *node = (prt_node *)task;
  prt_schedule *s = prt__schedule_of(node);
  prt_group *group = node->group;
  if (s->shared) pthread_mutex_lock(&s->lock);
  bool is_last = ++group->met == group->count;
  if (is_last) group->met = 0;
  if (s->shared) pthread_mutex_unlock(&s->lock);
  for (int32_t i = 0; is_last && i < group->count; i++) prt__sem_add(s, prt__barrier_sem(task, &group->nodes[i].task, MEETING), 1);
  return prt__sem_wait(task, prt__barrier_sem(task, task, MEETING), 1, false, site);
}

// ---- peers -------------------------------------------------------------------------------------------
static prt_task *no_peer(prt_task *task, const prt_site *site, const char *format, int32_t number, int32_t limit) {
  char text[160];
  snprintf(text, sizeof text, format, number, limit);
  prt__fail(task->worker, PRT_ERROR_ARGUMENT, "%s:%d: %s", site && site->file ? site->file : "?", site ? site->line : 0, text);
  return task;
}

// The group of this launch on another device, which may not have come to it yet.
// Locks: none on entry and exit; takes the schedule's if it is shared.
static prt_group *group_at(const prt_node *node, prt_node *home) {
  prt_schedule *s = prt__schedule_of(node);
  prt_joint *joint = node->group->joint;
  if (s->shared) pthread_mutex_lock(&s->lock);
  prt_group *group = joint->groups[home->task.device];
  if (!group) {
    group = prt__group_new(s, home, node->group->program_count, node->group->programs, NULL);
    if (group) group->joint = joint, group->is_early = true;
    joint->groups[home->task.device] = group;
  }
  if (s->shared) pthread_mutex_unlock(&s->lock);
  return group;
}

prt_task *prt__peer(prt_task *task, int32_t device, int32_t core, bool of_device, const prt_site *site) {
  prt_node *node = (prt_node *)task;
  if (device == PRT_OWN && !of_device && (uint32_t)core < (uint32_t)node->cores) return &node[core - task->core].task;
  int32_t first;
  int32_t p = program_index(node, &first);
  bool in_launch = node->group->parent && node->program->kind != PRT_DEVICE_PROGRAM;
  prt_node *home = in_launch ? node->group->parent : node; // the device's own program
  if (device != PRT_OWN) {
    if (device < 0 || device >= home->group->count) return no_peer(task, site, "there is no device %d: the mesh has %d", device, home->group->count);
    home = &home->group->nodes[device];
  }
  if (!in_launch) {
    if (core != 0 && core != PRT_OWN) return no_peer(task, site, "there is no core %d: the kernel runs on %d", core, 1);
    return &home->task;
  }
  if (of_device) return &home->task;
  prt_group *group = home == node->group->parent ? node->group : group_at(node, home);
  if (!group) {
    prt__fail(task->worker, PRT_ERROR_MEMORY, "out of memory for the cores of device %d", (int)home->task.device);
    return task;
  }
  int32_t size = (int32_t)mesh_size(group->programs[p]);
  if (core == PRT_OWN) core = task->core;
  if (core < 0 || core >= size) return no_peer(task, site, "there is no core %d: the mesh has %d", core, size);
  return &group->nodes[first + core].task;
}

// Locks: none on entry and exit; takes the schedule's if it is shared.
prt_sem *prt__barrier_sem(prt_task *task, const prt_task *peer, int32_t id) {
  prt_schedule *s = prt__schedule_of((prt_node *)task);
  if (s->shared) pthread_mutex_lock(&s->lock);
  prt_barrier **bucket = &s->barriers[((uint32_t)id * 31u + (uint32_t)peer->device * 17u + (uint32_t)peer->core) % BARRIER_BUCKETS];
  prt_barrier *b = *bucket;
  while (b && (b->id != id || b->device != peer->device || b->core != peer->core)) b = b->next;
  if (!b) {
    b = calloc(1, sizeof *b);
    if (b) {
      b->id = id, b->device = peer->device, b->core = peer->core;
      b->next = *bucket;
      *bucket = b;
    }
  }
  if (s->shared) pthread_mutex_unlock(&s->lock);
  if (b) return &b->sem;
  prt__fail(task->worker, PRT_ERROR_MEMORY, "out of memory");
  return &s->nowhere;
}
