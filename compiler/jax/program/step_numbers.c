// SPDX-License-Identifier: Apache-2.0
// Programs are known by their text without the numbers. The numbers of a program are constants of
// its code as long as they are those that it was met with first; one that was another since is an
// input from then on, so that the steps of a loop with a number of their own have the same code.
#include "step_numbers.h"
#include "base/buf.h"
#include "base/collected.h"
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/ops.h"
#include "ir/core/region.h"
#include "ir/text/print.h"
#include <string.h>

// Constants of more elements are none of the numbers; so many programs are known.
enum { NUMBER_ELEMENTS = 16, KNOWN_PROGRAMS = 4096 };

typedef struct Known {
  NumberList first; // without the ops
  bool *varies;
} Known;

struct NumberTable {
  Arena *parent;
  Arena *arena;  // of the programs
  Map *programs; // hash of the text -> Known
};

static void start_programs(NumberTable *table) {
  table->arena = arena_new_child(table->parent);
  table->programs = map_new(table->arena);
}

NumberTable *number_table_new(Arena *arena) {
  NumberTable *table = ARENA_NEW(arena, NumberTable);
  table->parent = arena;
  start_programs(table);
  return table;
}

// ---- which there are ----------------------------------------------------------------------------
// Marks what must be known when the code is made.
static void note_fixed(const IrOp *op, void *fixed) {
  if (op_info(op->code)->numbers != NUMBERS_FIXED) return;
  for (size_t i = 0; i < op->operand_count; i++) map_set(fixed, op->operands[i], op);
}

static bool is_constant(const IrValue *value) {
  return value->def && op_info(value->def->code)->op_class == CLASS_CONST;
}

// A slice whose place in some dimension can be another one.
static bool has_place(const IrOp *slice) {
  const IrType *type = slice->operands[0]->type;
  IrInts starts = ir_attr_ints(slice, ATTR_STARTS), limits = ir_attr_ints(slice, ATTR_LIMITS);
  bool found = false;
  for (int d = 0; d < type->rank; d++) {
    if (type->dims[d] > INT32_MAX) return false;
    found |= limits.items[d] - starts.items[d] < type->dims[d];
  }
  return found && !is_constant(slice->operands[0]);
}

static bool is_number(const IrOp *op, const Map *fixed) {
  if (op->code == OP_SLICE) return has_place(op);
  if (op->code != OP_CONST || map_has(fixed, op->results[0])) return false;
  const IrData *data = ir_attr_data(op, ATTR_DATA);
  return data->count <= NUMBER_ELEMENTS && data->dtype != DT_BOOL;
}

static IrData value_of(const IrOp *op) {
  if (op->code == OP_CONST) return *ir_attr_data(op, ATTR_DATA);
  IrInts starts = ir_attr_ints(op, ATTR_STARTS);
  return (IrData){DT_I64, (int64_t)starts.count, starts.items};
}

NumberList numbers_find(Arena *arena, const IrFunc *func) {
  Map *fixed = map_new(arena);
  ir_walk_const(func->body, note_fixed, fixed);
  VEC(Number) found = {0};
  for (IrOp *op = func->body->first; op; op = op->next)
    if (is_number(op, fixed)) {
      Number number = {op, value_of(op)};
      VEC_PUSH(arena, &found, number);
    }
  return (NumberList){found.count, found.items};
}

// ---- the program without them -------------------------------------------------------------------
static size_t data_bytes(const IrData *data) {
  return (size_t)data->count * dtype_size(data->dtype);
}

static IrAttr *attr_of(IrOp *op, AttrName name) {
  for (size_t i = 0; i < op->attr_count; i++)
    if (op->attrs[i].name == name) return &op->attrs[i];
  BUG("a number without its attribute");
}

// Moves a slice by `sign` times these starts.
static void move_slice(Arena *arena, IrOp *op, const int64_t *by, int sign) {
  static const AttrName ends[] = {ATTR_STARTS, ATTR_LIMITS};
  for (size_t end = 0; end < COUNT_OF(ends); end++) {
    IrInts *ints = &attr_of(op, ends[end])->ints;
    int64_t *moved = ARENA_ARRAY(arena, int64_t, ints->count);
    for (size_t d = 0; d < ints->count; d++) moved[d] = ints->items[d] + sign * by[d];
    ints->items = moved;
  }
}

static void print_without(Arena *arena, const IrModule *module, NumberList numbers, Buf *text) {
  static const uint64_t zero[2 * NUMBER_ELEMENTS] = {0};
  IrData *none = ARENA_ARRAY(arena, IrData, numbers.count);
  const IrData **kept = ARENA_ARRAY(arena, const IrData *, numbers.count);
  for (size_t i = 0; i < numbers.count; i++) {
    const Number *n = &numbers.items[i];
    if (n->op->code == OP_SLICE) {
      move_slice(arena, n->op, n->value.bytes, -1);
      continue;
    }
    IrAttr *attr = attr_of(n->op, ATTR_DATA);
    kept[i] = attr->data;
    none[i] = (IrData){n->value.dtype, n->value.count, zero};
    attr->data = &none[i];
  }
  ir_print(module, false, text);
  for (size_t i = 0; i < numbers.count; i++) {
    const Number *n = &numbers.items[i];
    if (n->op->code == OP_SLICE)
      move_slice(arena, n->op, n->value.bytes, 1);
    else
      attr_of(n->op, ATTR_DATA)->data = kept[i];
  }
}

// ---- what is known of it ------------------------------------------------------------------------
static bool data_equal(const IrData *a, const IrData *b) {
  return a->dtype == b->dtype && a->count == b->count &&
         memcmp(a->bytes, b->bytes, data_bytes(a)) == 0;
}

// The module of the program goes.
static Known *known_new(Arena *arena, NumberList numbers) {
  Known *known = ARENA_NEW(arena, Known);
  known->first = (NumberList){numbers.count, ARENA_ARRAY(arena, Number, numbers.count)};
  known->varies = ARENA_ARRAY(arena, bool, numbers.count);
  for (size_t i = 0; i < numbers.count; i++) {
    IrData *value = &known->first.items[i].value;
    *value = numbers.items[i].value;
    char *bytes = arena_alloc_bytes(arena, data_bytes(value));
    memcpy(bytes, value->bytes, data_bytes(value));
    value->bytes = bytes;
  }
  return known;
}

static const Known *known_of(NumberTable *table, Str text, NumberList numbers) {
  const void *key = (const void *)(uintptr_t)(str_hash64(text) | 1);
  if (map_count(table->programs) >= KNOWN_PROGRAMS) {
    arena_free(table->arena);
    start_programs(table);
  }
  Known *known = map_get(table->programs, key);
  if (!known || known->first.count != numbers.count) {
    known = known_new(table->arena, numbers);
    map_set(table->programs, key, known);
  }
  for (size_t i = 0; i < numbers.count; i++)
    known->varies[i] |= !data_equal(&numbers.items[i].value, &known->first.items[i].value);
  return known;
}

// ---- inputs -------------------------------------------------------------------------------------
static IrValue *constant_given(IrBuilder *b, const Number *n, NumberInput input) {
  const IrType *type = n->op->results[0]->type;
  size_t rank = n->value.count == 1 ? 0 : type->rank;
  const IrType *given = ir_array_type(b->module, type->dtype, rank, type->dims);
  return ir_broadcast_to(b, input.add(input.data, given, n->value.bytes), type->rank, type->dims);
}

static IrValue *slice_given(IrBuilder *b, const Number *n, NumberInput input) {
  const IrOp *op = n->op;
  const IrType *type = op->operands[0]->type;
  const IrType *scalar = ir_array_type(b->module, DT_I32, 0, NULL);
  IrInts from = ir_attr_ints(op, ATTR_STARTS), to = ir_attr_ints(op, ATTR_LIMITS);
  IrValue *starts[IR_MAX_RANK];
  int64_t sizes[IR_MAX_RANK], zeros[IR_MAX_RANK] = {0};
  for (int d = 0; d < type->rank; d++) {
    int32_t start = (int32_t)from.items[d];
    sizes[d] = to.items[d] - from.items[d];
    starts[d] = sizes[d] == type->dims[d] ? ir_i32(b, 0) : input.add(input.data, scalar, &start);
  }
  IrValue *part = ir_dynamic_slice(b, op->operands[0], starts, sizes);
  IrInts strides = ir_attr_ints(op, ATTR_STRIDES);
  for (int d = 0; d < type->rank; d++)
    if (strides.items[d] != 1) return ir_slice(b, part, zeros, sizes, strides.items);
  return part;
}

Str numbers_settle(Arena *arena, NumberTable *table, IrFunc *func, NumberList numbers,
                   NumberInput input) {
  Buf text;
  buf_init(&text, arena);
  print_without(arena, func->module, numbers, &text);
  const Known *known = known_of(table, buf_view(&text), numbers);
  for (size_t i = 0; i < numbers.count; i++) {
    const Number *n = &numbers.items[i];
    buf_c(&text, known->varies[i] ? "input" : "\n");
    if (!known->varies[i]) {
      const unsigned char *bytes = n->value.bytes;
      for (size_t k = 0; k < data_bytes(&n->value); k++) buf_printf(&text, "%02x", bytes[k]);
      continue;
    }
    IrBuilder b = {.module = func->module, .region = func->body, .before = n->op};
    IrValue *value =
        n->op->code == OP_CONST ? constant_given(&b, n, input) : slice_given(&b, n, input);
    ir_replace_uses(func->body, n->op->results[0], value);
    ir_op_remove(n->op);
  }
  return buf_view(&text);
}
