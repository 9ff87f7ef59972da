// SPDX-License-Identifier: Apache-2.0
// Tiers. In: a module of one step of a program, before the passes, and its calls. Out: how well its
// code is to be compiled, by a bound of what a call computes.
#include "ir/core/region.h"
#include "tier.h"
#include <math.h>
#include "ir/analysis/element_cost.h"

// Compiling at the full level takes 5 ms more than without (callgrind: 42 against 18 million
// instructions a step), in which code of either level does more than a million additions.
#define WORK_OF_COMPILING 1e6

static double count_of(const IrValue *value) {
  return value->type->is_ref ? 0 : (double)ir_type_count(value->type);
}

static double elements_of(const IrOp *op) {
  double count = 0;
  for (size_t i = 0; i < op->operand_count; i++) count += count_of(op->operands[i]);
  for (size_t i = 0; i < op->result_count; i++) count += count_of(op->results[i]);
  return count;
}

// Of products, sorts and factors: no algorithm of ours takes more than each element with each.
static double most_steps(const IrOp *op) {
  double elements = elements_of(op);
  return elements * elements;
}

static void add_op(IrOp *op, void *data) {
  double *work = data;
  if (op->region_count)
    *work = INFINITY;
  else if (op_info(op->code)->op_class == CLASS_HEAVY)
    *work += most_steps(op);
  else if (op_is_elementwise(op->code))
    *work += elements_of(op) * cost_of_element(op);
  else if (op->code == OP_LOAD || op_is_view(op->code))
    return; // what reads the result is counted
  else
    *work += elements_of(op);
}

Tier tier_of(const IrModule *module) {
  double work = 0;
  for (const IrFunc *func = module->first; func; func = func->next)
    ir_walk(func->body, add_op, &work);
  if (work >= WORK_OF_COMPILING) return tier_full();
  return (Tier){.is_quick = true, .work = work, .left = WORK_OF_COMPILING};
}

Tier tier_full(void) { return (Tier){0}; }

bool tier_calls(Tier *tier) {
  if (tier->work > tier->left) return false;
  tier->left -= tier->work;
  return true;
}
