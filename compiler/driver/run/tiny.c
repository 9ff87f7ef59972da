// SPDX-License-Identifier: Apache-2.0
// Functions of a program's own statements that are interpreted, not compiled: a few operations on
// small arrays, as programs make them whose shapes change from round to round, take a hundredth of
// the time that code for them takes to be made. Only operations whose results have one value each
// are taken, sums among them, whose order is fixed (docs/numbers.md): no functions of several
// roundings.
#include "tiny.h"
#include "base/map.h"
#include "ir/analysis/access.h"
#include "ir/core/arithmetic.h"
#include "ir/core/attr.h"
#include "ir/interpret/evaluate.h"
#include <string.h>

// An element takes some 5 ns to interpret, code for a function 1.4 ms and more to be made, and 0.3
// for each further operation (`pallasc run` of jnp.arange(i) for changing i, a core at 2.5 GHz).
enum { MOST_ELEMENTS = 4096, MOST_OPS = 1024, MOST_TIMES = 8 };
enum { MOST_WORK = 16384, MOST_WORK_OF_OP = 2048 };

static bool is_plain(DType dtype) {
  return dtype == DT_BOOL || (dtype_is_integer(dtype) && dtype_bits(dtype) >= 8);
}

static bool is_wide_float(DType dtype) { return dtype == DT_F32 || dtype == DT_F64; }

// A reduction along dimensions of size 1. A product of a subnormal number alone is that or zero.
static bool keeps_count(const IrOp *op) {
  return ir_type_count(op->operands[0]->type) == ir_type_count(op->results[0]->type);
}

// Whether the result is the same however it is computed.
static bool has_one_value(const IrOp *op, bool all_plain) {
  const OpInfo *info = op_info(op->code);
  switch (info->op_class) {
  case CLASS_CONST:
  case CLASS_SHAPE:
  case CLASS_COMPARE:
  case CLASS_ELEMENTWISE: return true;
  case CLASS_UNARY:
  case CLASS_BINARY: return all_plain || info->numbers == NUMBERS_ROUNDED;
  case CLASS_REDUCE: return all_plain || op->code != OP_REDUCE_PROD || !keeps_count(op);
  case CLASS_CUMULATIVE: return !arithmetic_is(op->code, ARITHMETIC_APPROXIMATE);
  case CLASS_HEAVY: return all_plain || op->code == OP_SORT || op->code == OP_GATHER;
  default: return false;
  }
}

// What a load gives, or a store is given.
static IrValue *value_of(const IrOp *op) {
  return op->code == OP_LOAD ? op->results[0] : op->operands[!op_ref_position(op->code)];
}

typedef struct Account {
  int64_t work;
  int ops;
} Account;

static bool count_value(Account *account, const IrValue *value, bool *all_plain) {
  const IrType *type = value->type;
  int64_t count = ir_type_count(type);
  account->work += count;
  *all_plain &= is_plain(type->dtype);
  return count <= MOST_ELEMENTS && (is_plain(type->dtype) || is_wide_float(type->dtype));
}

// Whether it is a parameter which is only read, or only written: stores come after all loads.
static bool is_param(const IrFunc *func, const IrValue *value, ParamRole role) {
  for (uint32_t i = 0; i < func->param_count; i++)
    if (func->body->args[i] == value) return func->params[i].role == role;
  return false;
}

static bool is_whole_access(const IrFunc *func, const IrOp *op) {
  return access_is_whole(op) && !access_is_masked(op) &&
         is_param(func, access_ref(op), op->code == OP_LOAD ? PARAM_IN : PARAM_OUT);
}

static bool count_op(Account *account, const IrFunc *func, const IrOp *op) {
  bool all_plain = true;
  if (++account->ops > MOST_OPS || op->region_count) return false;
  if (op->code == OP_YIELD) return true;
  if (op->code == OP_LOAD || op->code == OP_STORE)
    return is_whole_access(func, op) && count_value(account, value_of(op), &all_plain);
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (!count_value(account, op->operands[i], &all_plain)) return false;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (!count_value(account, op->results[i], &all_plain)) return false;
  return has_one_value(op, all_plain);
}

static bool is_tiny(const IrFunc *func) {
  Account account = {0};
  for (const IrOp *op = func->body->first; op; op = op->next)
    if (!count_op(&account, func, op)) return false;
  return account.work <= MOST_WORK + (int64_t)account.ops * MOST_WORK_OF_OP;
}

static void *buffer_of(const IrFunc *func, void *const *buffers, const IrValue *param) {
  for (uint32_t i = 0; i < func->param_count; i++)
    if (func->body->args[i] == param) return buffers[i];
  return NULL;
}

static void put(const IrType *type, const IrData *data, void *to) {
  size_t size = dtype_size(type->dtype), count = (size_t)ir_type_count(type);
  if (data->count != 1) {
    memcpy(to, data->bytes, count * size);
    return;
  }
  for (size_t i = 0; i < count; i++) memcpy((char *)to + i * size, data->bytes, size);
}

// A copy: an output may have the memory of an input.
static const IrData *load(Arena *arena, const IrType *type, const void *bytes) {
  int64_t count = ir_type_count(type);
  IrData data = {type->dtype, count,
                 arena_dup(arena, bytes, (size_t)count * dtype_size(type->dtype))};
  return arena_dup(arena, &data, sizeof data);
}

static bool compute(Arena *arena, const IrOp *op, Map *known) {
  const IrData **operands = ARENA_ARRAY(arena, const IrData *, op->operand_count + 1);
  for (uint32_t i = 0; i < op->operand_count; i++) operands[i] = map_get(known, op->operands[i]);
  const IrData *results = ir_evaluate(arena, op, operands);
  for (uint32_t i = 0; results && i < op->result_count; i++)
    map_set(known, op->results[i], &results[i]);
  return results != NULL;
}

bool tiny_run(Arena *arena, const IrFunc *func, void *const *buffers) {
  if (!is_tiny(func)) return false;
  Map *known = map_new(arena);
  for (const IrOp *op = func->body->first; op; op = op->next) {
    if (op->code == OP_LOAD)
      map_set(known, op->results[0],
              load(arena, op->results[0]->type, buffer_of(func, buffers, access_ref(op))));
    else if (op->code != OP_STORE && op->code != OP_YIELD && !compute(arena, op, known))
      return false;
  }
  for (const IrOp *op = func->body->first; op; op = op->next) {
    if (op->code != OP_STORE) continue;
    const IrValue *value = value_of(op);
    put(value->type, map_get(known, value), buffer_of(func, buffers, access_ref(op)));
  }
  return true;
}

bool tiny_is_frequent(TinySeen *seen, uint64_t hash) {
  TinySeen *entry = &seen[hash % TINY_SEEN];
  if (entry->hash != hash) *entry = (TinySeen){.hash = hash};
  return ++entry->times > MOST_TIMES;
}
