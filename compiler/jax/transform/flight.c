// SPDX-License-Identifier: Apache-2.0
// What a loop carries while a copy into it is in flight.
#include "flight.h"
#include "base/arena.h"
#include "ir/analysis/access.h"
#include "ir/analysis/effects.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "jax/array/array.h"
#include "jax/array/ref.h"
#include "python/values/raise.h"
#include "python/values/values.h"

typedef struct Flight {
  Arena *arena;
  VEC(IrOp *) copies;
} Flight;

static void find_copy(IrOp *op, void *data) {
  Flight *flight = data;
  if (op->code != OP_COPY_START) return;
  for (size_t i = 0; i < flight->copies.count; i++)
    if (flight->copies.items[i] == op) return; // of a launch that gave several values
  VEC_PUSH(flight->arena, &flight->copies, op);
}

// The copies of the launch that gave the value.
static void add_flight(const IrValue *value, Flight *flight) {
  const IrOp *load = value ? value->def : NULL;
  if (!load || load->code != OP_LOAD || load->operands[0]->type->space != SPACE_HBM) return;
  for (const IrOp *op = load->prev; op; op = op->prev) {
    if (op->code != OP_LAUNCH) continue;
    for (uint32_t i = 0; i < op->operand_count; i++) {
      if (op->operands[i] != load->operands[0]) continue;
      ir_walk(op->regions[0], find_copy, flight);
      return;
    }
  }
}

// Of what goes with semaphores alone: they report the copies.
static Flight flight_of(Eval *ev, const Leaves *carry) {
  Flight flight = {.arena = ev->arena};
  bool has_semaphore = false;
  for (size_t i = 0; i < carry->tree->leaf_count; i++) {
    if (v_is_unbound(carry->refs[i])) continue;
    const Ref *ref = (const Ref *)carry->refs[i].o;
    has_semaphore |= ref->ir && !ref_has_leaked(ref) && ref->ir->type->space == SPACE_SEM;
  }
  for (size_t i = 0; has_semaphore && i < carry->count; i++) {
    if (!value_is_array(ev, carry->values[i])) continue;
    const Array *array = (const Array *)carry->values[i].o;
    if (!array->level->left) add_flight(array->ir, &flight);
  }
  return flight;
}

bool flight_carried(Eval *ev, const Leaves *carry) { return flight_of(ev, carry).copies.count; }

// A load and a store, and what the copy signals.
static void make_at_once(IrOp *copy) {
  IrBuilder b = ir_builder_before(copy);
  IrValue *sem = copy->operands[2];
  ir_store_all(&b, ir_load_all(&b, copy->operands[0]), copy->operands[1]);
  int64_t units = sem->type->sem == SEM_DMA ? ir_type_bytes(copy->operands[0]->type) : 1;
  IrValue *signal[] = {sem, ir_i32(&b, (int32_t)units)};
  ir_set_int(b.module, ir_build(&b, OP_SEM_SIGNAL, COUNT_OF(signal), signal, 0, NULL), ATTR_TARGET,
             0);
  ir_op_remove(copy);
}

// What keeps a copy from being made where it is started; NULL: nothing.
static const char *kind_of(const IrOp *copy) {
  if (effects_targets(copy, TARGET_DEVICE)) return "from another device";
  if (ir_attr_int(copy, ATTR_TARGET)) return "from another core";
  if (ir_attr_int(copy, ATTR_ADD)) return "that adds";
  bool is_dynamic =
      access_has_dynamic_size(copy->operands[0]) || access_has_dynamic_size(copy->operands[1]);
  return is_dynamic ? "of a size that only the running kernel knows" : NULL;
}

void flight_land(Eval *ev, const Leaves *carry, const char *what) {
  Flight flight = flight_of(ev, carry);
  for (size_t i = 0; i < flight.copies.count; i++) {
    IrOp *copy = flight.copies.items[i];
    const char *kind = kind_of(copy);
    if (kind)
      eval_raise(ev, ev->types.NotImplementedError,
                 "%s carries what a copy %s may be on its way to; only a loop of a known number of "
                 "turns, up to %d, can",
                 what, kind, MAX_TURNS_IN_FLIGHT);
    make_at_once(copy);
  }
}
