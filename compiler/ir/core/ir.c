// SPDX-License-Identifier: Apache-2.0
// Types, ops, regions and functions: making them, changing them, copying them. What changes an op's
// operands keeps the use counts. Lists that grow (operands, arguments, regions) have room for the
// next power of two.
#include "base/checked.h"
#include "base/map.h"
#include "attr.h"
#include "region.h"
#include "ir.h"
#include "chip.h"
#include "place.h"

#include <string.h>

// ---- tables ------------------------------------------------------------------------------------
// A(X, Y) becomes {ATTR_X, ATTR_Y}, 2.
#define A(...)                                                                                     \
  A_PICK(_, ##__VA_ARGS__, A_11, A_10, A_9, A_8, A_7, A_6, A_5, A_4, A_3, A_2, A_1, A_0)           \
  (__VA_ARGS__)
#define A_PICK(_, a, b, c, d, e, f, g, h, i, j, k, pick, ...) pick
#define A_0()                                                 {0}, 0
#define A_1(a)                                                {ATTR_##a}, 1
#define A_2(a, b)                                             {ATTR_##a, ATTR_##b}, 2
#define A_3(a, b, c)                                          {ATTR_##a, ATTR_##b, ATTR_##c}, 3
#define A_4(a, b, c, d)                                       {ATTR_##a, ATTR_##b, ATTR_##c, ATTR_##d}, 4
#define A_5(a, b, c, d, e)                                    {ATTR_##a, ATTR_##b, ATTR_##c, ATTR_##d, ATTR_##e}, 5
#define A_6(a, b, c, d, e, f)                                 {ATTR_##a, ATTR_##b, ATTR_##c, ATTR_##d, ATTR_##e, ATTR_##f}, 6
#define A_7(a, b, c, d, e, f, g)                                                                   \
  {ATTR_##a, ATTR_##b, ATTR_##c, ATTR_##d, ATTR_##e, ATTR_##f, ATTR_##g}, 7
#define A_8(a, b, c, d, e, f, g, h)                                                                \
  {ATTR_##a, ATTR_##b, ATTR_##c, ATTR_##d, ATTR_##e, ATTR_##f, ATTR_##g, ATTR_##h}, 8
#define A_9(a, b, c, d, e, f, g, h, i)                                                             \
  {ATTR_##a, ATTR_##b, ATTR_##c, ATTR_##d, ATTR_##e, ATTR_##f, ATTR_##g, ATTR_##h, ATTR_##i}, 9
#define A_10(a, b, c, d, e, f, g, h, i, j)                                                         \
  {ATTR_##a, ATTR_##b, ATTR_##c, ATTR_##d, ATTR_##e,                                               \
   ATTR_##f, ATTR_##g, ATTR_##h, ATTR_##i, ATTR_##j},                                              \
      10
#define A_11(a, b, c, d, e, f, g, h, i, j, k)                                                      \
  {ATTR_##a, ATTR_##b, ATTR_##c, ATTR_##d, ATTR_##e, ATTR_##f,                                     \
   ATTR_##g, ATTR_##h, ATTR_##i, ATTR_##j, ATTR_##k},                                              \
      11
// E(X, Y) becomes EFFECT_X | EFFECT_Y.
#define E(...)                                 E_PICK(_, ##__VA_ARGS__, E_6, E_5, E_4, E_3, E_2, E_1, E_0)(__VA_ARGS__)
#define E_PICK(_, a, b, c, d, e, f, pick, ...) pick
#define E_0()                                  0
#define E_1(a)                                 EFFECT_##a
#define E_2(a, b)                              E_1(a) | E_1(b)
#define E_3(a, b, c)                           E_2(a, b) | E_1(c)
#define E_4(a, b, c, d)                        E_3(a, b, c) | E_1(d)
#define E_5(a, b, c, d, e)                     E_4(a, b, c, d) | E_1(e)
#define E_6(a, b, c, d, e, f)                  E_5(a, b, c, d, e) | E_1(f)
#define V                                      OP_VARIADIC

const OpInfo *op_info(OpCode code) {
  static const OpInfo infos[OP_COUNT] = {
#define OP(id, name, operands, results, regions, op_class, effects, numbers, attrs, meaning)       \
  [OP_##id] = {name,    operands,          results, regions, CLASS_##op_class,                     \
               effects, NUMBERS_##numbers, attrs,   meaning},
#include "ops.def"
#undef OP
  };
  if ((unsigned)code >= OP_COUNT) BUG("no op %d", (int)code);
  return &infos[code];
}
#undef V

bool op_from_name(Str name, OpCode *out) {
  for (int i = 0; i < OP_COUNT; i++) {
    if (!str_equal(name, str_from_c(op_info((OpCode)i)->name))) continue;
    *out = (OpCode)i;
    return true;
  }
  return false;
}

const char *mem_space_name(MemSpace space) {
  static const char *const names[SPACE_COUNT] = {"hbm", "vmem", "smem", "vmem_shared",
                                                 "sem", "host", "cmem"};
  if ((unsigned)space >= SPACE_COUNT) BUG("no memory space %d", (int)space);
  return names[space];
}

// ---- types -------------------------------------------------------------------------------------
struct TypeTable {
  const IrType **slots; // open addressing, a power of two long, at most half full
  size_t size, count;
};

static bool type_equal(const IrType *a, const IrType *b) {
  return a->is_ref == b->is_ref && a->space == b->space && a->sem == b->sem &&
         a->dtype == b->dtype && a->rank == b->rank &&
         memcmp(a->dims, b->dims, a->rank * sizeof a->dims[0]) == 0;
}

static size_t type_hash(const IrType *type) {
  uint64_t hash = (uint64_t)type->is_ref | (uint64_t)type->space << 1 | (uint64_t)type->sem << 5 |
                  (uint64_t)type->dtype << 8 | (uint64_t)type->rank << 16;
  for (int i = 0; i < type->rank; i++)
    hash = (hash ^ (uint64_t)type->dims[i]) * 0x9E3779B97F4A7C15u + (hash >> 29);
  hash *= 0xD6E8FEB86659FD93u;
  return (size_t)(hash ^ hash >> 32);
}

static size_t type_slot(const struct TypeTable *table, const IrType *type) {
  size_t at = type_hash(type) & (table->size - 1);
  while (table->slots[at] && !type_equal(table->slots[at], type)) at = (at + 1) & (table->size - 1);
  return at;
}

static void type_table_grow(Arena *arena, struct TypeTable *table) {
  struct TypeTable bigger = {.size = table->size ? table->size * 2 : 64, .count = table->count};
  bigger.slots = ARENA_ARRAY(arena, const IrType *, bigger.size);
  for (size_t i = 0; i < table->size; i++)
    if (table->slots[i]) bigger.slots[type_slot(&bigger, table->slots[i])] = table->slots[i];
  *table = bigger;
}

// Sizes are checked without the dimensions that are 0, so that strides of an empty array fit as
// well.
static bool dims_fit(size_t rank, const int64_t *dims, size_t element_size) {
  int64_t bytes = (int64_t)element_size;
  for (size_t i = 0; i < rank; i++) {
    if (dims[i] < 0) return false;
    if (dims[i] > 0 && !mul_i64(bytes, dims[i], &bytes)) return false;
  }
  return true;
}

static const IrType *intern_type(IrModule *module, IrType key, size_t rank, const int64_t *dims) {
  if (rank > IR_MAX_RANK || !dims_fit(rank, dims, dtype_size(key.dtype))) return NULL;
  key.rank = (uint8_t)rank;
  memset(key.dims, 0, sizeof key.dims);
  if (rank) memcpy(key.dims, dims, rank * sizeof *dims);
  struct TypeTable *table = module->types;
  if (table->count * 2 >= table->size) type_table_grow(module->arena, table);
  size_t at = type_slot(table, &key);
  if (!table->slots[at]) {
    table->slots[at] = arena_dup(module->arena, &key, sizeof key);
    table->count++;
  }
  return table->slots[at];
}

const IrType *ir_array_type(IrModule *module, DType dtype, size_t rank, const int64_t *dims) {
  return intern_type(module, (IrType){.dtype = dtype}, rank, dims);
}

const IrType *ir_ref_type(IrModule *module, MemSpace space, DType dtype, size_t rank,
                          const int64_t *dims) {
  if (space == SPACE_SEM) BUG("a semaphore is made with ir_sem_type");
  return intern_type(module, (IrType){.is_ref = true, .space = space, .dtype = dtype}, rank, dims);
}

const IrType *ir_sem_type(IrModule *module, SemKind kind, size_t rank, const int64_t *dims) {
  IrType key = {.is_ref = true, .space = SPACE_SEM, .sem = kind, .dtype = DT_I32};
  return intern_type(module, key, rank, dims);
}

const IrType *ir_type_with_dtype(IrModule *module, const IrType *type, DType dtype) {
  IrType key = *type;
  if (type->is_ref && type->space == SPACE_SEM) BUG("a semaphore has no element type");
  key.dtype = dtype;
  return intern_type(module, key, type->rank, type->dims);
}

const IrType *ir_type_with_dims(IrModule *module, const IrType *type, size_t rank,
                                const int64_t *dims) {
  return intern_type(module, *type, rank, dims);
}

int64_t ir_type_count(const IrType *type) {
  int64_t count = 1;
  for (int i = 0; i < type->rank; i++) count *= type->dims[i];
  return count;
}

int64_t ir_type_bytes(const IrType *type) {
  return ir_type_count(type) * (int64_t)dtype_size(type->dtype);
}

// ---- modules and functions ---------------------------------------------------------------------
IrModule *ir_module_new(Session *session) {
  Arena *arena = arena_new_child(session->arena);
  IrModule *module = ARENA_NEW(arena, IrModule);
  module->session = session;
  module->arena = arena;
  module->types = ARENA_NEW(arena, struct TypeTable);
  module->tpu = name_intern_c(session->interner, DEFAULT_CHIP);
  module->devices = 1;
  return module;
}

void ir_module_free(IrModule *module) {
  if (module) arena_free(module->arena);
}

// The list `items` of `count` pointers with room for one more.
static void *grow_list(Arena *arena, void *items, size_t count, size_t item_size) {
  if (count & (count - 1)) return items; // not full: its room is the next power of two
  void *bigger = arena_alloc_array(arena, count ? count * 2 : 1, item_size);
  if (count) memcpy(bigger, items, count * item_size);
  return bigger;
}

static size_t list_capacity(size_t count) {
  size_t capacity = 1;
  while (capacity < count) capacity *= 2;
  return capacity;
}

IrFunc *ir_func_new(IrModule *module, Name name, Span span) {
  IrFunc *func = ARENA_NEW(module->arena, IrFunc);
  func->module = module;
  func->name = name;
  func->span = span;
  func->signature = STR("");
  func->body = ir_region_new(module, NULL, func);
  if (module->last)
    module->last->next = func;
  else
    module->first = func;
  module->last = func;
  return func;
}

IrValue *ir_func_add_param(IrFunc *func, const IrType *type, ParamRole role, Name name) {
  Arena *arena = func->module->arena;
  func->params = grow_list(arena, func->params, func->param_count, sizeof *func->params);
  Str label = name ? name_str(name) : STR("");
  func->params[func->param_count++] = (IrParam){.role = role, .name = name, .label = label};
  return ir_region_add_arg(func->body, type, name);
}

IrFunc *ir_func_find(const IrModule *module, Name name) {
  for (IrFunc *func = module->first; func; func = func->next)
    if (func->name == name) return func;
  return NULL;
}

void ir_func_remove(IrFunc *func) {
  IrModule *module = func->module;
  IrFunc *previous = NULL;
  for (IrFunc *f = module->first; f != func; f = f->next) {
    if (!f) BUG("function '%s' is not in its module", func->name->text);
    previous = f;
  }
  if (previous)
    previous->next = func->next;
  else
    module->first = func->next;
  if (module->last == func) module->last = previous;
  func->next = NULL;
}

// ---- regions and ops ---------------------------------------------------------------------------
IrRegion *ir_region_new(IrModule *module, IrOp *parent, IrFunc *func) {
  IrRegion *region = ARENA_NEW(module->arena, IrRegion);
  region->parent = parent;
  region->func = func;
  return region;
}

IrValue *ir_region_add_arg(IrRegion *region, const IrType *type, Name name) {
  if (!type) BUG("a region's argument without a type");
  Arena *arena = region->func->module->arena;
  IrValue *value = ARENA_NEW(arena, IrValue);
  *value = (IrValue){.type = type, .region = region, .index = region->arg_count, .name = name};
  region->args = grow_list(arena, region->args, region->arg_count, sizeof *region->args);
  region->args[region->arg_count++] = value;
  return value;
}

static void link_op(IrOp *op, IrRegion *region, IrOp *before) {
  if (before && before->parent != region) BUG("the op to insert before is in another region");
  op->parent = region;
  op->next = before;
  op->prev = before ? before->prev : region->last;
  if (op->prev)
    op->prev->next = op;
  else
    region->first = op;
  if (before)
    before->prev = op;
  else
    region->last = op;
}

static void unlink_op(IrOp *op) {
  IrRegion *region = op->parent;
  if (!region) BUG("the op '%s' is in no region", op_info(op->code)->name);
  if (op->prev)
    op->prev->next = op->next;
  else
    region->first = op->next;
  if (op->next)
    op->next->prev = op->prev;
  else
    region->last = op->prev;
  op->prev = op->next = NULL;
  op->parent = NULL;
}

// An op that is in no region yet; its operands are counted.
static IrOp *op_new(Arena *arena, OpCode code, size_t operand_count, IrValue *const *operands,
                    size_t result_count, const IrType *const *result_types) {
  IrOp *op = ARENA_NEW(arena, IrOp);
  op->code = code;
  op->operand_count = (uint32_t)operand_count;
  op->result_count = (uint32_t)result_count;
  if (operand_count) op->operands = ARENA_ARRAY(arena, IrValue *, list_capacity(operand_count));
  for (size_t i = 0; i < operand_count; i++) {
    if (!operands[i]) BUG("operand %zu of '%s' is missing", i, op_info(code)->name);
    op->operands[i] = operands[i];
    operands[i]->use_count++;
  }
  if (!result_count) return op;
  op->results = ARENA_ARRAY(arena, IrValue *, list_capacity(result_count));
  IrValue *values = ARENA_ARRAY(arena, IrValue, result_count);
  for (size_t i = 0; i < result_count; i++) {
    if (!result_types[i]) BUG("result %zu of '%s' has no type", i, op_info(code)->name);
    values[i] = (IrValue){.type = result_types[i], .def = op, .index = (uint32_t)i};
    op->results[i] = &values[i];
  }
  return op;
}

static IrBuilder builder_in(IrRegion *region, IrOp *before, const IrOp *op) {
  return (IrBuilder){region->func->module, region, before, op->span, op->frames};
}

IrBuilder ir_builder_before(IrOp *op) { return builder_in(op->parent, op, op); }

IrBuilder ir_builder_behind(const IrOp *op) { return builder_in(op->parent, op->next, op); }

IrBuilder ir_builder_for(const IrOp *op, IrOp *before) {
  return builder_in(before->parent, before, op);
}

IrOp *ir_build(IrBuilder *b, OpCode code, size_t operand_count, IrValue *const *operands,
               size_t result_count, const IrType *const *result_types) {
  IrOp *op = op_new(b->module->arena, code, operand_count, operands, result_count, result_types);
  op->span = b->span;
  op->frames = b->frames;
  link_op(op, b->region, b->before);
  return op;
}

IrRegion *ir_add_region(IrModule *module, IrOp *op) {
  IrRegion *region = ir_region_new(module, op, op->parent->func);
  op->regions = grow_list(module->arena, op->regions, op->region_count, sizeof *op->regions);
  op->regions[op->region_count++] = region;
  return region;
}

void ir_add_operand(IrModule *module, IrOp *op, IrValue *value) {
  op->operands = grow_list(module->arena, op->operands, op->operand_count, sizeof *op->operands);
  op->operands[op->operand_count++] = value;
  value->use_count++;
}

IrValue *ir_add_result(IrModule *module, IrOp *op, const IrType *type) {
  IrValue *value = ARENA_NEW(module->arena, IrValue);
  *value = (IrValue){.type = type, .def = op, .index = op->result_count};
  op->results = grow_list(module->arena, op->results, op->result_count, sizeof *op->results);
  op->results[op->result_count++] = value;
  return value;
}

void ir_set_operand(IrOp *op, size_t position, IrValue *value) {
  if (position >= op->operand_count)
    BUG("'%s' has no operand %zu", op_info(op->code)->name, position);
  op->operands[position]->use_count--;
  op->operands[position] = value;
  value->use_count++;
}

typedef struct Replacement {
  IrValue *old, *with;
} Replacement;

static void replace_in_op(IrOp *op, const Replacement *r) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (op->operands[i] == r->old) ir_set_operand(op, i, r->with);
}

// From `op` to `end`, until no use is left.
static void replace_between(IrOp *op, const IrOp *end, Replacement *r) {
  for (; op != end && r->old->use_count; op = op->next) {
    replace_in_op(op, r);
    for (int i = 0; i < op->region_count; i++) replace_between(op->regions[i]->first, NULL, r);
  }
}

// Uses are mostly right behind what they use.
void ir_replace_uses(IrRegion *within, IrValue *old, IrValue *with) {
  ir_place_replace(within->func->module, with, old);
  if (old == with) return;
  Replacement r = {old, with};
  IrOp *first = old->def && old->def->parent == within ? old->def : within->first;
  replace_between(first, NULL, &r);
  replace_between(within->first, first, &r);
}

static void drop_operands(IrOp *op, void *data UNUSED) {
  for (uint32_t i = 0; i < op->operand_count; i++) op->operands[i]->use_count--;
}

bool ir_op_is_unused(const IrOp *op) {
  for (uint32_t i = 0; i < op->result_count; i++)
    if (op->results[i]->use_count) return false;
  return true;
}

void ir_op_remove(IrOp *op) {
  for (uint32_t i = 0; i < op->result_count; i++)
    if (op->results[i]->use_count)
      BUG("'%s' is removed while its result %u is used", op_info(op->code)->name, i);
  drop_operands(op, NULL);
  for (int i = 0; i < op->region_count; i++) ir_walk(op->regions[i], drop_operands, NULL);
  unlink_op(op);
}

bool ir_same_dims(const IrType *a, const IrType *b) {
  return a->rank == b->rank && memcmp(a->dims, b->dims, a->rank * sizeof a->dims[0]) == 0;
}

bool ir_same_wide_dims(const IrType *a, const IrType *b) {
  int k = 0;
  for (int i = 0; i < a->rank; i++) {
    if (a->dims[i] == 1) continue;
    while (k < b->rank && b->dims[k] == 1) k++;
    if (k == b->rank || b->dims[k++] != a->dims[i]) return false;
  }
  while (k < b->rank && b->dims[k] == 1) k++;
  return k == b->rank;
}

void ir_visit_set_func(IrOp *op, void *func) {
  for (int i = 0; i < op->region_count; i++) op->regions[i]->func = func;
}

void ir_op_move(IrOp *op, IrRegion *region, IrOp *before) {
  bool other_func = !op->parent || op->parent->func != region->func;
  if (before == op) return;
  unlink_op(op);
  link_op(op, region, before);
  if (!other_func || !op->region_count) return;
  ir_visit_set_func(op, region->func);
  for (int i = 0; i < op->region_count; i++)
    ir_walk(op->regions[i], ir_visit_set_func, region->func);
}

// ---- copies ------------------------------------------------------------------------------------
// Attributes are shared with the original but for lists that a pass may change in place.
void ir_copy_attrs(IrModule *module, IrOp *copy, const IrOp *op) {
  Arena *arena = module->arena;
  copy->attr_count = op->attr_count;
  if (!op->attr_count) return;
  copy->attrs = ARENA_ARRAY(arena, IrAttr, op_info(op->code)->attr_count);
  memcpy(copy->attrs, op->attrs, op->attr_count * sizeof *op->attrs);
  for (int i = 0; i < copy->attr_count; i++) {
    IrAttr *attr = &copy->attrs[i];
    if (attr_kind(attr->name) == KIND_BLOCKS)
      attr->blocks.items =
          arena_dup(arena, attr->blocks.items, attr->blocks.count * sizeof *attr->blocks.items);
    if (attr_kind(attr->name) == KIND_TYPES)
      attr->types.items =
          arena_dup(arena, attr->types.items, attr->types.count * sizeof *attr->types.items);
  }
}

static void clone_region(IrModule *module, IrOp *parent, const IrRegion *region, Map *values) {
  IrRegion *copy = ir_add_region(module, parent);
  for (uint32_t i = 0; i < region->arg_count; i++) {
    const IrValue *arg = region->args[i];
    IrValue *own = ir_region_add_arg(copy, arg->type, arg->name);
    own->places = arg->places;
    map_set(values, arg, own);
  }
  IrBuilder inner = {.module = module, .region = copy};
  for (const IrOp *op = region->first; op; op = op->next) ir_op_clone(&inner, op, values);
}

IrOp *ir_op_clone(IrBuilder *b, const IrOp *op, Map *values) {
  Arena *arena = b->module->arena;
  IrOp *copy = op_new(arena, op->code, 0, NULL, 0, NULL);
  copy->span = op->span;
  copy->frames = op->frames;
  copy->operand_count = op->operand_count;
  copy->result_count = op->result_count;
  if (op->operand_count)
    copy->operands = ARENA_ARRAY(arena, IrValue *, list_capacity(op->operand_count));
  for (uint32_t i = 0; i < op->operand_count; i++) {
    IrValue *mapped = map_get(values, op->operands[i]);
    copy->operands[i] = mapped ? mapped : op->operands[i];
    copy->operands[i]->use_count++;
  }
  if (op->result_count)
    copy->results = ARENA_ARRAY(arena, IrValue *, list_capacity(op->result_count));
  for (uint32_t i = 0; i < op->result_count; i++) {
    IrValue *value = ARENA_NEW(arena, IrValue);
    *value = (IrValue){.type = op->results[i]->type, .def = copy, .index = i};
    value->name = op->results[i]->name;
    value->places = op->results[i]->places;
    copy->results[i] = value;
    map_set(values, op->results[i], value);
  }
  ir_copy_attrs(b->module, copy, op);
  link_op(copy, b->region, b->before);
  for (int i = 0; i < op->region_count; i++) clone_region(b->module, copy, op->regions[i], values);
  return copy;
}
