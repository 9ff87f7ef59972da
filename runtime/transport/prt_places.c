// SPDX-License-Identifier: Apache-2.0
// Places: addresses as other ranks know them. In: an address. Out: whose memory it is in, and where
// in it; and back.
#include "machine/prt_call.h"
#include "tasks/prt_sem.h"
#include "tasks/prt_task.h"
#include "prt_places.h"
#include "prt_ranks.h"

// ---- memory -------------------------------------------------------------------------------------
static bool is_in(const void *address, const char *memory, int64_t bytes, int64_t *offset) {
  uintptr_t at = (uintptr_t)address, first = (uintptr_t)memory;
  if (!memory || at < first || at - first >= (uintptr_t)bytes) return false;
  *offset = (int64_t)(at - first);
  return true;
}

static bool place_in_argument(const prt_call *call, const void *address, prt_place *place) {
  const prt_entry *entry = call->entry;
  for (uint32_t i = 0; call->arguments && i < entry->param_count; i++) {
    int64_t bytes = (int64_t)prt_param_bytes(&entry->params[i]);
    if (!is_in(address, call->arguments[i], bytes, &place->offset)) continue;
    place->kind = PLACE_ARGUMENT;
    place->number = (int32_t)i;
    return true;
  }
  return false;
}

bool prt__place_of(const prt_schedule *s, const void *address, prt_place *place, int32_t *owner) {
  const prt_ranks *r = s->ranks;
  *place = (prt_place){0};
  for (const prt_joint *joint = s->joints; joint; joint = joint->next) {
    int64_t bytes = joint->device_bytes;
    if (!is_in(address, joint->memory, bytes * joint->devices, &place->offset)) continue;
    place->kind = PLACE_CORES;
    place->number = joint->number;
    place->ordinal = joint->ordinal;
    *owner = prt__rank_of(r, (int32_t)(place->offset / bytes));
    return true;
  }
  const prt_joint *devices = r->devices;
  if (is_in(address, devices->memory, devices->device_bytes, &place->offset)) {
    int64_t each = devices->groups->nodes->to_device;
    place->kind = PLACE_DEVICES;
    *owner = prt__rank_of(r, (int32_t)(place->offset / (each ? each : 1)));
    return true;
  }
  const prt_node *root = s->root->nodes;
  *owner = EVERYWHERE;
  if (is_in(address, root->task.memory, root->program->memory, &place->offset)) {
    place->kind = PLACE_SHARED;
    return true;
  }
  if (place_in_argument(s->call, address, place)) return true;
  const prt_barrier *barrier = prt__barrier_of(s, address);
  if (!barrier) return false;
  place->kind = PLACE_BARRIER;
  place->number = barrier->id;
  place->device = barrier->device;
  place->core = barrier->core;
  *owner = prt__rank_of(r, barrier->device);
  return true;
}

// ---- and back -----------------------------------------------------------------------------------
prt_launched *prt__launched_of(const prt_ranks *r, int32_t number) {
  for (int32_t i = 0; i < r->launched_count; i++)
    if (r->launched[i].number == number) return &r->launched[i];
  return NULL;
}

static prt_found joint_at(const prt_schedule *s, const prt_place *place, prt_joint **out) {
  for (*out = s->joints; *out; *out = (*out)->next)
    if ((*out)->number == place->number && (*out)->ordinal == place->ordinal) return FOUND;
  const prt_launched *launched = prt__launched_of(s->ranks, place->number);
  return launched && place->ordinal < launched->count ? FOUND_GONE : FOUND_LATER;
}

prt_found prt__address_of(prt_schedule *s, const prt_place *place, void **address) {
  prt_joint *joint = s->ranks->devices;
  prt_found found = FOUND;
  *address = NULL;
  switch ((prt_place_kind)place->kind) {
  case PLACE_SHARED: *address = s->root->nodes->task.memory + place->offset; break;
  case PLACE_ARGUMENT: *address = (char *)s->call->arguments[place->number] + place->offset; break;
  case PLACE_DEVICES: *address = joint->memory + place->offset; break;
  case PLACE_CORES:
    found = joint_at(s, place, &joint);
    if (found == FOUND) *address = joint->memory + place->offset;
    break;
  case PLACE_BARRIER:
    *address = prt__barrier_at(s, place->number, place->device, place->core);
    break;
  default: found = FOUND_GONE;
  }
  return found;
}

// ---- tasks --------------------------------------------------------------------------------------
void prt__place_of_task(const prt_schedule *s, const prt_node *node, prt_place *place) {
  const prt_joint *joint = node->group->joint;
  bool is_device = joint == s->ranks->devices;
  *place = (prt_place){.kind = is_device ? PLACE_DEVICES : PLACE_CORES,
                       .number = joint->number,
                       .ordinal = joint->ordinal,
                       .device = is_device ? 0 : (int32_t)(node->group - joint->groups),
                       .core = (int32_t)(node - node->group->nodes)};
}

prt_found prt__task_at(prt_schedule *s, const prt_place *place, prt_node **node) {
  prt_joint *joint = s->ranks->devices;
  prt_found found = FOUND;
  if (place->kind == PLACE_CORES) found = joint_at(s, place, &joint);
  *node = found == FOUND ? &joint->groups[place->device].nodes[place->core] : NULL;
  return found;
}
