// SPDX-License-Identifier: Apache-2.0
// Memory that the kernel being traced has beside what its author gives it, by name: what the chip
// has in each core, such as the accumulators of its matrix units. It is zero where the kernel
// begins and keeps what it holds from one step of the grid to the next.
#include "base/checked.h"
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/region.h"
#include "kernel_memory.h"
#include "ir/core/chip.h"
#include "jax/array/ref.h"
#include "jax/trace/level.h"
#include "jax/trace/tracing.h"
#include "pallas.h"
#include "python/objects/convert.h"
#include "python/values/raise.h"

// The level of the launch, or of the program of a core, that is being traced.
static Level *kernel_level(Eval *ev) {
  for (Level *level = ev->trace->level; level; level = level->outer) {
    const IrOp *op = level->region ? level->region->parent : NULL;
    if (op && (op->code == OP_LAUNCH || op->code == OP_CORES)) return level;
  }
  eval_raise(ev, ev->types.ValueError, "this is only possible in a kernel");
}

static IrValue *find(const IrRegion *region, Name name) {
  for (uint32_t i = 0; i < region->arg_count; i++)
    if (region->args[i]->name == name) return region->args[i];
  for (const IrOp *op = region->first; op; op = op->next)
    if (op->code == OP_ALLOC && str_equal(ir_attr_str(op, ATTR_NAME), name_str(name)))
      return op->results[0];
  return NULL;
}

static IrValue *zeros(IrBuilder *b, const IrType *ref) {
  const IrType *type = ir_array_type(b->module, ref->dtype, ref->rank, ref->dims);
  return dtype_is_float(ref->dtype) ? ir_const_f64(b, type, 0) : ir_const_i64(b, type, 0);
}

// One more scratch Ref, zero in the first step.
static IrValue *add_scratch(IrBuilder *b, IrOp *launch, const IrType *type, Name name) {
  const IrAttr *scratch = ir_attr_find(launch, ATTR_SCRATCH);
  size_t count = scratch->types.count;
  const IrType **types = ARENA_ARRAY(b->module->arena, const IrType *, count + 1);
  for (size_t i = 0; i < count; i++) types[i] = scratch->types.items[i];
  types[count] = type;
  ir_set_types(b->module, launch, ATTR_SCRATCH, count + 1, types);
  IrValue *ref = ir_region_add_arg(launch->regions[0], type, name), *is_first = NULL;
  size_t rank = ir_attr_find(launch, ATTR_GRID)->ints.count;
  for (size_t i = 0; i < rank; i++) {
    IrValue *is = ir_binary(b, OP_EQ, launch->regions[0]->args[i], ir_i32(b, 0));
    is_first = is_first ? ir_binary(b, OP_AND, is_first, is) : is;
  }
  if (!is_first) {
    ir_store_all(b, zeros(b, type), ref);
    return ref;
  }
  IrOp *branch = ir_if(b, is_first, 0, NULL);
  for (int i = 0; i < 2; i++) {
    IrBuilder inside = *b;
    inside.region = branch->regions[i];
    inside.before = NULL;
    if (i == 0) ir_store_all(&inside, zeros(&inside, type), ref);
    ir_yield(&inside, 0, NULL);
  }
  return ref;
}

Value kernel_memory(Eval *ev, Value *a) { // name, (space, shape, dtype) or None: only if there is
  Level *level = kernel_level(ev);
  Str text = take_str(ev, a[0], "name");
  Name name = name_intern(ev->session->interner, text);
  IrValue *ref = find(level->region, name);
  if (!ref && v_is_none(a[1])) return v_none();
  if (!ref) {
    IrBuilder b = *trace_builder(ev);
    b.region = level->region;
    b.before = level->region->first;
    const IrType *type = pallas_memory_type(ev, a[1]);
    IrOp *op = level->region->parent;
    if (op->code == OP_LAUNCH) {
      ref = add_scratch(&b, op, type, name);
    } else {
      ref = ir_alloc(&b, type, text);
      ir_store_all(&b, zeros(&b, type), ref);
    }
  }
  Value out = ref_new(ev, ref, NULL);
  ((Ref *)out.o)->level = level;
  return out;
}

// ---- how much a launch needs --------------------------------------------------------------------
typedef struct Need {
  const Chip *chip;
  int64_t bytes[SPACE_COUNT];
  Map *seen; // memory from before the launch
} Need;

static void add_need(Need *need, const IrType *type, int64_t copies) {
  if (!type->is_ref) return;
  int64_t bytes, *total = &need->bytes[type->space];
  if (!mul_i64(chip_padded_bytes(need->chip, type), copies, &bytes) ||
      !add_i64(*total, bytes, total))
    *total = INT64_MAX;
}

static void add_memory(IrOp *op, void *data) {
  Need *need = data;
  if (op->code == OP_ALLOC) {
    map_set(need->seen, op, op);
    add_need(need, op->results[0]->type, 1);
  }
  for (uint32_t i = 0; i < op->operand_count; i++) {
    if (!op->operands[i]->type->is_ref) continue;
    const IrOp *alloc = ir_ref_root(op->operands[i])->def;
    if (!alloc || alloc->code != OP_ALLOC || map_has(need->seen, alloc)) continue;
    map_set(need->seen, alloc, alloc);
    add_need(need, alloc->results[0]->type, 1);
  }
}

static int64_t most_buffers(const IrOp *launch) {
  const IrAttr *blocks = ir_attr_find(launch, ATTR_BLOCKS);
  int64_t most = 1;
  for (size_t i = 0; blocks && i < blocks->blocks.count; i++)
    if (blocks->blocks.items[i].buffers > most) most = blocks->blocks.items[i].buffers;
  return most;
}

// What a core may hold of a space that runs the launch.
static int64_t room(const Chip *chip, const IrOp *launch, MemSpace space) {
  if (space == SPACE_HBM || space == SPACE_HOST) return INT64_MAX;
  if (launch->code == OP_LAUNCH && space == SPACE_VMEM)
    return chip_vmem_limit(chip, CORE_TENSOR, ir_attr_int(launch, ATTR_VMEM_LIMIT));
  int64_t least = INT64_MAX;
  for (CoreKind kind = 0; kind < CORE_DEVICE; kind++) {
    int64_t bytes = chip_capacity(chip, kind, space);
    if (bytes && bytes < least) least = bytes;
  }
  return least == INT64_MAX ? 0 : least;
}

// From above: each block has all buffers of the one that has most, all scopes live at once, and so
// do all programs of cores; a core has as little as the smallest kind of core.
bool kernel_memory_is_short(Eval *ev, IrOp *launch) {
  Need need = {.chip = chip_find(name_str(trace_module(ev)->tpu))};
  if (!need.chip) return false;
  need.seen = map_new(ev->arena);
  bool is_launch = launch->code == OP_LAUNCH;
  for (uint32_t i = 0; i < launch->regions[0]->arg_count && is_launch; i++)
    add_need(&need, launch->regions[0]->args[i]->type, most_buffers(launch));
  for (uint32_t i = 0; i < launch->region_count; i++)
    ir_walk(launch->regions[i], add_memory, &need);
  for (MemSpace space = 0; space < SPACE_COUNT; space++)
    if (need.bytes[space] > room(need.chip, launch, space)) return true;
  return false;
}
