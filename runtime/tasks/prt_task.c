// SPDX-License-Identifier: Apache-2.0
// Tasks: their memory, launches and ends.
#include <stdlib.h>
#include <string.h>
#include "prt_copy.h"
#include "prt_sem.h"
#include "machine/prt_machine.h"
#include "machine/prt_scratch.h"
#include "prt_task.h"
#include "race/prt_race_log.h"
#include "transport/prt_ranks.h"

// ---- slabs --------------------------------------------------------------------------------------
enum { SLAB_SLACK = 4 }; // a kept slab serves if it is at most so many times too large

// Locks: none on entry and exit; takes slab_lock.
static prt_slab *prt__slab_take(prt_machine *machine, size_t bytes) {
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
  char *data = slab ? prt__map(rounded) : NULL;
  if (!data) {
    free(slab);
    return NULL;
  }
  *slab = (prt_slab){.bytes = rounded, .data = data};
  return slab;
}

static void prt__slab_give(prt_machine *machine, prt_slab *slab) {
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

// ---- groups -------------------------------------------------------------------------------------
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

static size_t group_bytes(const prt_joint *joint) {
  size_t bytes = 0;
  for (int32_t p = 0; p < joint->program_count; p++)
    bytes += align_up((size_t)mesh_size(joint->programs[p]) * block_bytes(joint->programs[p]));
  return bytes;
}

static int32_t group_count(const prt_joint *joint) {
  int64_t count = 0;
  for (int32_t p = 0; p < joint->program_count; p++) count += mesh_size(joint->programs[p]);
  return (int32_t)count;
}

// `bytes`: of a device's memory.
static void init_nodes(const prt_joint *joint, prt_group *group, char *memory, size_t bytes) {
  prt_node *node = group->nodes;
  for (int32_t p = 0; p < joint->program_count; p++) {
    const prt_program *program = joint->programs[p];
    bool is_device = program->kind == PRT_DEVICE_PROGRAM;
    int32_t cores = (int32_t)mesh_size(program);
    size_t block = block_bytes(program);
    for (int32_t i = 0; i < cores; i++, node++) {
      *node = (prt_node){.group = group,
                         .program = program,
                         .cores = is_device ? 1 : cores,
                         .to_core = (int64_t)block};
      node->to_device = (int64_t)(is_device ? block : bytes);
      node->task.memory = memory + (size_t)i * block;
      memset(node->task.memory, 0, (size_t)program->semaphores);
      node->task.core = is_device ? 0 : i;
      node->task.device = is_device ? i : group->parent ? group->parent->task.device : 0;
    }
    memory += align_up((size_t)cores * block);
  }
}

// `owner` launches, with its neighbours on the other devices if there are several.
static prt_joint *joint_new(prt_schedule *s, prt_node *owner, int32_t devices,
                            int32_t program_count, const prt_program *const *programs) {
  prt_joint layout = {.programs = programs,
                      .program_count = program_count,
                      .devices = devices,
                      .own = devices,
                      .number = programs[0]->number};
  int32_t count = group_count(&layout);
  size_t bytes = group_bytes(&layout);
  size_t frames = sizeof(prt_joint),
         groups = frames + (size_t)program_count * sizeof *layout.frames;
  size_t nodes = align_up(groups + (size_t)devices * sizeof(prt_group));
  size_t all = (size_t)devices * (size_t)count;
  size_t trails = nodes + all * sizeof(prt_node), each = s->checked ? sizeof(prt_trail) : 0;
  size_t memory = align_up(trails + all * each);
  prt_slab *slab = prt__slab_take(s->call->machine, memory + (size_t)devices * bytes);
  if (!slab) return NULL;
  prt_joint *joint = (prt_joint *)(void *)slab->data;
  *joint = layout;
  joint->slab = slab;
  joint->memory = slab->data + memory;
  joint->device_bytes = (int64_t)bytes;
  joint->frames = (struct prt_slab * _Atomic *)(void *)(slab->data + frames);
  joint->groups = (prt_group *)(void *)(slab->data + groups);
  for (int32_t p = 0; p < program_count; p++) atomic_init(&joint->frames[p], NULL);
  bool is_devices = programs[0]->kind == PRT_DEVICE_PROGRAM;
  prt_trail *trail = s->checked ? (prt_trail *)(void *)(slab->data + trails) : NULL;
  if (trail) memset(trail, 0, all * each);
  for (int32_t d = 0; d < devices; d++) {
    prt_group *group = &joint->groups[d];
    *group =
        (prt_group){.parent = devices > 1 ? &owner->group->nodes[d] : owner,
                    .nodes = (prt_node *)(void *)(slab->data + nodes) + (size_t)d * (size_t)count,
                    .trails = trail ? trail + (size_t)d * (size_t)count : NULL,
                    .count = count,
                    .devices = is_devices ? count : devices,
                    .stride = is_devices ? 1 : count,
                    .joint = joint};
    atomic_init(&group->remaining, count + (owner ? 1 : 0));
    init_nodes(joint, group, slab->data + memory + (size_t)d * bytes, bytes);
  }
  return joint;
}

static void group_fini(prt_schedule *s, prt_group *group) {
  for (int32_t i = 0; i < group->count; i++) {
    const prt_group *children = prt__own_children(&group->nodes[i]);
    if (children) prt__joint_free(s, children->joint);
  }
  for (prt_flight *flight = group->held, *next; flight; flight = next) {
    next = flight->next;
    prt__flight_free(flight);
  }
}

void prt__joint_free(prt_schedule *s, prt_joint *joint) {
  prt_machine *machine = s->call->machine;
  prt__race_forget(s->race, joint->slab->data, joint->slab->bytes);
  for (int32_t d = 0; d < joint->devices; d++) group_fini(s, &joint->groups[d]);
  for (int32_t p = 0; p < joint->program_count; p++)
    prt__slab_give(machine, atomic_load_explicit(&joint->frames[p], memory_order_relaxed));
  prt__slab_give(machine, joint->slab);
}

prt_group *prt__root_new(prt_schedule *s, const prt_program *const *programs, void *captured) {
  prt_joint *joint = joint_new(s, NULL, 1, 1, programs);
  if (!joint) return NULL;
  joint->groups->captured = captured;
  joint->groups->has_come = true;
  return joint->groups;
}

// ---- launches on several devices ----------------------------------------------------------------
// The launch that a device comes to: the oldest one of these programs that it has not been at.
// Locks: the schedule's is held.
static prt_joint *joint_of(prt_schedule *s, prt_node *owner, int32_t count,
                           const prt_program *const *programs) {
  prt_joint **link = &s->joints;
  for (; *link; link = &(*link)->next)
    if (((*link)->programs == programs || (s->ranks && (*link)->number == programs[0]->number)) &&
        !(*link)->groups[owner->task.device].has_come)
      return *link;
  *link = joint_new(s, owner, prt__devices_of(owner), count, programs);
  if (*link && s->ranks) s->ranks->calls->joint(s, *link);
  return *link;
}

prt_joint *prt__joint_of_others(prt_schedule *s, int32_t count, const prt_program *const *programs,
                                int32_t ordinal, int32_t order) {
  prt_group *devices = s->ranks->devices->groups;
  prt_joint *joint = joint_new(s, devices->nodes, devices->count, count, programs);
  if (!joint) return NULL;
  joint->ordinal = ordinal;
  joint->order = order;
  prt_joint **link = &s->joints;
  while (*link && (*link)->order < order) link = &(*link)->next;
  joint->next = *link;
  *link = joint;
  return joint;
}

// Locks: none on entry and exit; takes the schedule's if it is shared.
void prt__children_end(prt_schedule *s, prt_node *node) {
  prt_group *group = node->children;
  if (!group) return;
  node->children = NULL;
  if (s->race) prt__race_join(s->race, node, group);
  if (s->flying) prt__land_all(s, group);
  if (s->ranks) s->ranks->calls->leaves(s, group);
  if (s->checked && !prt__is_over(s)) prt__check_semaphores_of(s, group);
  prt_joint *joint = group->joint;
  if (joint->devices == 1) {
    if (s->ranks) s->ranks->calls->over(s, joint);
    prt__joint_free(s, joint);
    return;
  }
  if (s->shared) pthread_mutex_lock(&s->lock);
  bool is_last = ++joint->left == joint->own;
  if (is_last) {
    prt_joint **link = &s->joints;
    while (*link != joint) link = &(*link)->next;
    *link = joint->next;
  }
  if (s->shared) pthread_mutex_unlock(&s->lock);
  if (!is_last) return;
  if (s->ranks) s->ranks->calls->over(s, joint);
  prt__joint_free(s, joint);
}

void prt__joints_free(prt_schedule *s) {
  for (prt_joint *joint = s->joints, *next; joint; joint = next) {
    next = joint->next;
    prt__joint_free(s, joint);
  }
  s->joints = NULL;
}

// The first task of the node's program in its group.
static int32_t first_of_program(const prt_node *node) {
  int32_t own = node->program->kind == PRT_DEVICE_PROGRAM ? node->task.device : node->task.core;
  return (int32_t)(node - node->group->nodes) - own;
}

static int32_t program_index(const prt_node *node) {
  int32_t first = first_of_program(node), p = 0;
  for (int32_t start = 0; start < first; p++)
    start += (int32_t)mesh_size(node->group->joint->programs[p]);
  return p;
}

// ---- what compiled code calls -------------------------------------------------------------------
void *prt__frame_alloc(prt_task *task, int64_t bytes) {
  prt_node *node = (prt_node *)task;
  prt_joint *joint = node->group->joint;
  int32_t p = program_index(node);
  size_t each = ((size_t)bytes + 15) / 16 * 16, tasks = (size_t)mesh_size(node->program);
  prt_slab *slab = atomic_load_explicit(&joint->frames[p], memory_order_acquire);
  if (!slab) {
    prt_machine *machine = task->worker->call->machine;
    slab = prt__slab_take(machine, each * tasks * (size_t)joint->devices);
    if (!slab) {
      prt__fail(task->worker, PRT_ERROR_MEMORY, "out of memory");
      return NULL;
    }
    prt_slab *expected = NULL;
    // Publishes the slab to the launch's other tasks; pairs with the acquire above.
    if (!atomic_compare_exchange_strong_explicit(&joint->frames[p], &expected, slab,
                                                 memory_order_acq_rel, memory_order_acquire)) {
      prt__slab_give(machine, slab);
      slab = expected;
    }
  }
  size_t before = tasks * (size_t)(node->group - joint->groups);
  return slab->data +
         each * (before + (size_t)(node - node->group->nodes - first_of_program(node)));
}

void prt__task_end(prt_task *task) {
  prt_ranks *r = prt__schedule_of((prt_node *)task)->ranks;
  ((prt_node *)task)->wait = WAIT_ENDED;
  if (r && r->led.runs) r->calls->tell(r, PRT_REPORTED_ENDS);
}

// Locks: none on entry and exit; takes the schedule's if it is shared.
void prt__launch(prt_task *task, int32_t count, const prt_program *const *programs, void *captured,
                 const prt_site *site) {
  prt_node *node = (prt_node *)task;
  prt_schedule *s = prt__schedule_of(node);
  bool is_shared_launch =
      programs[0]->kind != PRT_DEVICE_PROGRAM && node->group->parent && prt__devices_of(node) > 1;
  if (s->shared) pthread_mutex_lock(&s->lock);
  prt_joint *joint = is_shared_launch ? joint_of(s, node, count, programs)
                                      : joint_new(s, node, 1, count, programs);
  prt_group *group = joint ? &joint->groups[is_shared_launch ? task->device : 0] : NULL;
  if (group) {
    group->captured = captured;
    group->has_come = true;
    s->live += group->count;
  }
  if (s->shared) pthread_mutex_unlock(&s->lock);
  node->wait = WAIT_LAUNCH;
  node->site = site;
  node->children = group;
  if (!group) {
    prt__fail(task->worker, PRT_ERROR_MEMORY, "out of memory for the cores of '%s'",
              programs[0]->name);
    return;
  }
  if (s->race) prt__race_launch(s->race, node, group);
  prt_ranks *r = prt__reports_to(s->call->machine);
  if (r) r->calls->tell(r, PRT_REPORTED_LAUNCH, (int64_t)count, programs, site);
  if (s->ranks && s->ranks->calls->begin(s, node, group)) return;
  for (int32_t i = 0; i < group->count; i++) prt__ready(s, &group->nodes[i]);
}

// Locks: none on entry and exit; takes the schedule's if it is shared, then those of semaphores.
bool prt__meet(prt_task *task, const prt_site *site) {
  prt_node *node = (prt_node *)task;
  prt_schedule *s = prt__schedule_of(node);
  prt_group *group = node->group;
  if (s->ranks && s->ranks->led.runs) {
    s->ranks->calls->tell(s->ranks, PRT_REPORTED_MEET, site);
    node->wait = WAIT_SEM;
    return false;
  }
  if (s->ranks && !s->ranks->led.is_led && group->joint == s->ranks->devices) {
    s->ranks->calls->meet(s, node);
    return prt__sem_wait(task, prt__barrier_sem(task, task, MEETING), 1, false, site);
  }
  if (s->shared) pthread_mutex_lock(&s->lock);
  bool is_last = ++group->met == group->count;
  if (is_last) group->met = 0;
  if (s->race) prt__race_meet(s->race, node);
  if (s->shared) pthread_mutex_unlock(&s->lock);
  for (int32_t i = 0; is_last && i < group->count; i++)
    prt__sem_add(s, NULL, prt__barrier_sem(task, &group->nodes[i].task, MEETING), 1);
  return prt__sem_wait(task, prt__barrier_sem(task, task, MEETING), 1, false, site);
}
