// SPDX-License-Identifier: Apache-2.0
// A region as tuples, lists and dicts, for the library to print under JAX's names
// (jax/_make_jaxpr.pk). In: recorded IR, before any pass. Not: the printing itself (ir/text).
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "account.h"
#include "jax/array/scalar_type.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/values/values.h"
#include "python/objects/protocol.h"

void account_init(Eval *ev, Account *account) { *account = (Account){ev, map_new(ev->arena)}; }

static Value number_of(Account *account, const IrValue *value) {
  uintptr_t known = (uintptr_t)map_get(account->numbers, value);
  if (!known) {
    known = map_count(account->numbers) + 1;
    map_set(account->numbers, value, (const void *)known);
  }
  return v_int((int64_t)known - 1);
}

static Value type_of(Account *account, const IrType *type) {
  Eval *ev = account->ev;
  Value items[] = {make_tuple_i64(ev, type->rank, type->dims), make_dtype(ev, type->dtype),
                   type->is_ref ? make_str_c(ev, mem_space_name(type->space)) : v_none()};
  return make_tuple(ev, COUNT_OF(items), items);
}

Value account_value(Account *account, const IrValue *value) {
  Value items[] = {number_of(account, value), type_of(account, value->type)};
  return make_tuple(account->ev, COUNT_OF(items), items);
}

static Value values_of(Account *account, size_t count, IrValue *const *values) {
  List *list = list_new(account->ev, count);
  for (size_t i = 0; i < count; i++)
    list_push(account->ev, list, account_value(account, values[i]));
  return v_object(list);
}

// ---- attributes ---------------------------------------------------------------------------------
// A dimension of an index: (start, size or None for a scalar, stride); a start that is an operand
// is its position as a string.
static Value index_of(Account *account, const IrIndex *index) {
  Eval *ev = account->ev;
  List *list = list_new(ev, index->rank);
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *dim = &index->dims[i];
    Value items[] = {dim->start_operand >= 0
                         ? make_str(ev, str_format(ev->arena, "%d", dim->start_operand))
                         : v_int(dim->start),
                     dim->kind == INDEX_SLICE ? v_int(dim->size) : v_none(), v_int(dim->stride)};
    list_push(ev, list, make_tuple(ev, COUNT_OF(items), items));
  }
  return v_object(list);
}

static Value block_of(Account *account, const IrBlock *block) {
  static const char *const dirs[] = {"in", "out", "in_out"};
  Eval *ev = account->ev;
  List *sizes = list_new(ev, block->rank);
  for (int i = 0; i < block->rank; i++)
    list_push(ev, sizes,
              block->dims[i].kind == BLOCK_SQUEEZED ? v_none() : v_int(block->dims[i].size));
  Value items[] = {make_str_c(ev, dirs[block->dir]), make_str_c(ev, mem_space_name(block->space)),
                   v_object(sizes), block->name ? make_name(ev, block->name) : v_none(),
                   v_int(block->mode == BLOCK_WHOLE ? 0 : block->buffers)};
  return make_tuple(ev, COUNT_OF(items), items);
}

static Value attribute_of(Account *account, const IrAttr *attr) {
  Eval *ev = account->ev;
  List *list = list_new(ev, 4);
  switch (attr_kind(attr->name)) {
  case KIND_INT: return v_int(attr->i);
  case KIND_BOOL: return v_bool(attr->i != 0);
  case KIND_FLOAT: return v_float(attr->f);
  case KIND_INTS: return make_tuple_i64(ev, attr->ints.count, attr->ints.items);
  case KIND_WORDS:
    for (size_t i = 0; i < attr->ints.count; i++)
      list_push(ev, list, make_str_c(ev, attr_word(attr->name, attr->ints.items[i])));
    return v_object(list);
  case KIND_WORD: return make_str_c(ev, attr_word(attr->name, attr->i));
  case KIND_NAME:
  case KIND_STR: return make_str(ev, attr->str);
  case KIND_STRS:
    for (size_t i = 0; i < attr->strs.count; i++)
      list_push(ev, list, make_str(ev, attr->strs.items[i]));
    return v_object(list);
  case KIND_DTYPE: return make_dtype(ev, attr->dtype);
  case KIND_INDEX: return index_of(account, attr->index);
  case KIND_BLOCKS:
    for (size_t i = 0; i < attr->blocks.count; i++)
      list_push(ev, list, block_of(account, &attr->blocks.items[i]));
    return v_object(list);
  case KIND_TYPES:
    for (size_t i = 0; i < attr->types.count; i++)
      list_push(ev, list, type_of(account, attr->types.items[i]));
    return v_object(list);
  default: return v_none(); // elements of constants
  }
}

// A constant whose elements are one number: that number.
static Value constant_of(const IrOp *op) {
  const IrData *data = ir_attr_data(op, ATTR_DATA);
  if (data->count != 1) return v_none();
  if (dtype_is_float(data->dtype)) return v_float(dtype_load_f64(data->dtype, data->bytes));
  int64_t i = dtype_load_i64(data->dtype, data->bytes);
  return data->dtype == DT_BOOL ? v_bool(i != 0) : v_int(i);
}

static Value attributes_of(Account *account, const IrOp *op) {
  Eval *ev = account->ev;
  Dict *dict = dict_new(ev);
  for (size_t i = 0; i < op->attr_count; i++) {
    const IrAttr *attr = &op->attrs[i];
    Name name = name_intern_c(ev->session->interner, attr_name(attr->name));
    dict_set_name(ev, dict, name,
                  attr->name == ATTR_DATA ? constant_of(op) : attribute_of(account, attr));
  }
  return v_object(dict);
}

// ---- operations ---------------------------------------------------------------------------------
static Value operation_of(Account *account, const IrOp *op) {
  Eval *ev = account->ev;
  const OpInfo *info = op_info(op->code);
  List *operands = list_new(ev, op->operand_count), *regions = list_new(ev, op->region_count);
  for (size_t i = 0; i < op->operand_count; i++)
    list_push(ev, operands, account_value(account, op->operands[i]));
  Value results = values_of(account, op->result_count, op->results);
  for (size_t i = 0; i < op->region_count; i++)
    list_push(ev, regions, account_region(account, op->regions[i]));
  bool is_elementwise = info->op_class == CLASS_BINARY || info->op_class == CLASS_COMPARE;
  Value items[] = {make_str_c(ev, info->name), v_object(operands), results,
                   attributes_of(account, op), v_object(regions),  v_bool(is_elementwise)};
  return make_tuple(ev, COUNT_OF(items), items);
}

Value account_region(Account *account, const IrRegion *region) {
  Eval *ev = account->ev;
  List *ops = list_new(ev, 16);
  Value args = values_of(account, region->arg_count, region->args);
  for (const IrOp *op = region->first; op; op = op->next)
    list_push(ev, ops, operation_of(account, op));
  Value items[] = {args, v_object(ops)};
  return make_tuple(ev, COUNT_OF(items), items);
}
