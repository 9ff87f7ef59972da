// SPDX-License-Identifier: Apache-2.0
// How a task finds another one of its launch: on another core, on another device, the device's own.
#include "machine/prt_call.h"
#include "machine/prt_fail.h"
#include "prt_task.h"

static prt_task *no_core(prt_task *task, const prt_site *site, int32_t core, const char *whose,
                         int32_t cores) {
  prt__fault(task->worker, PRT_FINDING_OUT_OF_BOUNDS, site, "there is no core %d: the %s %d", core,
             whose, cores);
  return task;
}

static prt_task *no_device(prt_task *task, const prt_site *site, int32_t device, int32_t devices) {
  prt__fault(task->worker, PRT_FINDING_OUT_OF_BOUNDS, site,
             "there is no device %d: the mesh has %d; jax_num_cpu_devices, XLA_FLAGS, or --devices "
             "of pallasc give a program more",
             device, devices);
  return task;
}

// The device's own program, and what the usual case of prt__peer does not find.
static PRT_RARE prt_task *distant_peer(prt_node *node, int32_t device, int32_t core, bool of_device,
                                       const prt_site *site) {
  prt_task *task = &node->task;
  bool in_launch = node->group->parent && node->program->kind != PRT_DEVICE_PROGRAM;
  prt_node *owner = in_launch ? node->group->parent : node;
  if (device != PRT_OWN) {
    if (device < 0 || device >= prt__devices_of(owner))
      return no_device(task, site, device, prt__devices_of(owner));
    owner = &owner->group->nodes[device];
  }
  if (!in_launch) {
    if (core != 0 && core != PRT_OWN) return no_core(task, site, core, "kernel runs on", 1);
    return &owner->task;
  }
  if (of_device) return &owner->task;
  return no_core(task, site, core, "mesh has", node->cores);
}

prt_task *prt__peer(prt_task *task, int32_t device, int32_t core, bool of_device,
                    const prt_site *site) {
  prt_node *node = (prt_node *)task;
  int32_t own_device = task->device, own_core = task->core;
  int32_t to_core = core == PRT_OWN ? own_core : core;
  if (of_device || (uint32_t)to_core >= (uint32_t)node->cores)
    return distant_peer(node, device, core, of_device, site);
  if (device == PRT_OWN) return &node[to_core - own_core].task;
  const prt_group *group = node->group;
  if ((uint32_t)device >= (uint32_t)group->devices)
    return distant_peer(node, device, core, of_device, site);
  return &node[(int64_t)(device - own_device) * group->stride + to_core - own_core].task;
}
