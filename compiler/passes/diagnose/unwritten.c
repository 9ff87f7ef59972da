// SPDX-License-Identifier: Apache-2.0
// unwritten: under check, which elements of values come from memory that was never written.
//   takes:  lowered launches
//   makes:  beside values that may come from such memory, u8 arrays of their shape: 0, or the
//           number of the place that read it;
//           `unwritten` behind loads, `unwrite` behind stores, `check.used` in front of what must
//           not depend on such values
//   breaks: nothing
//   not:    findings: the runtime makes them (prt_shadow.c)
//
// A read of unwritten memory is no mistake by itself: kernels read whole buffers and mask what they
// did not fill. So it is reported where such an element decides something: a condition, an index, a
// size, a device, a count, a message. Arithmetic hands the number on, a select that leaves the
// element out drops it, a store marks the memory again, and a copy carries the marks along.
#include <string.h>
#include "base/map.h"
#include "ir/analysis/access.h"
#include "ir/analysis/effects.h"
#include "ir/core/attr.h"
#include "ir/core/build_dot.h"
#include "ir/core/build.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "passes/pass.h"

// As prt_codegen.h has them; places behind the last one share it.
enum { FIRST_ORIGIN = 2, LAST_ORIGIN = 239 };

typedef struct Tracker {
  IrModule *module;
  Arena *arena;
  bool inputs_written;
  Map *possible; // values that may have such elements
  Map *dirty; // roots of refs to memory that may have such elements, though inputs are written and
              // windows fetched
  Map *marks; // value -> its u8 array
  Map *used;  // marks that were looked at already -> the region
  int64_t origin; // of the next load
} Tracker;

// ---- which values may have such elements --------------------------------------------------------
static bool flow(Tracker *t, bool from, const IrValue *to) {
  if (!from || to->type->is_ref || map_has(t->possible, to)) return false;
  map_set(t->possible, to, NULL);
  return true;
}

static bool is_possible(const Tracker *t, const IrValue *value) {
  return map_has(t->possible, value);
}

// Whether memory is written before anything reads it, unless it is dirty: a parameter, or a window
// of an input.
static bool starts_written(const Tracker *t, const IrValue *root) {
  if (root->def) return root->def->code == OP_ALLOC && ir_attr_int(root->def, ATTR_FETCHED);
  const IrFunc *func = root->region->func;
  return t->inputs_written && root->region == func->body &&
         func->params[root->index].role != PARAM_OUT;
}

static bool is_dirty(const Tracker *t, const IrValue *ref) {
  const IrValue *root = ir_ref_root(ref);
  return map_has(t->dirty, root) || !starts_written(t, root);
}

static bool mark_dirty(Tracker *t, const IrValue *ref) {
  if (is_dirty(t, ref)) return false;
  map_set(t->dirty, ir_ref_root(ref), NULL);
  return true;
}

static bool spread_region(Tracker *t, const IrRegion *region);

// What a loop carries: into each region that takes it, and out.
static bool spread_carry(Tracker *t, const IrOp *op, size_t i, bool from) {
  bool is_for = op->code == OP_FOR, changed = flow(t, from, op->results[i]);
  for (size_t j = 0; j < op->region_count; j++)
    changed |= flow(t, from, op->regions[j]->args[i + is_for]);
  return changed;
}

static bool spread_loop(Tracker *t, const IrOp *op) {
  size_t first = op->code == OP_FOR ? 3 : 0;
  bool changed = false;
  for (size_t i = 0; i < op->result_count; i++)
    changed |= spread_carry(t, op, i, is_possible(t, op->operands[first + i]));
  for (size_t j = 0; j < op->region_count; j++) changed |= spread_region(t, op->regions[j]);
  const IrOp *yield = op->regions[op->region_count - 1]->last;
  for (size_t i = 0; i < op->result_count; i++)
    changed |= spread_carry(t, op, i, is_possible(t, yield->operands[i]));
  return changed;
}

static bool spread_op(Tracker *t, const IrOp *op) {
  bool changed = false;
  if (op->code == OP_LOAD) {
    bool is_masked = access_is_masked(op);
    return flow(t,
                is_dirty(t, op->operands[0]) ||
                    (is_masked && is_possible(t, op->operands[op->operand_count - 1])),
                op->results[0]);
  }
  // What steps that may run at once left behind.
  if (op->code == OP_PARALLEL_WRITE)
    return mark_dirty(t, op->operands[0]) | mark_dirty(t, op->operands[1]);
  if (op->code == OP_STORE)
    return is_possible(t, op->operands[0]) && mark_dirty(t, op->operands[1]);
  if (effects_reads(op, 0) && effects_writes(op, 1))
    return is_dirty(t, op->operands[0]) && mark_dirty(t, op->operands[1]);
  if (op->code == OP_FOR || op->code == OP_WHILE) return spread_loop(t, op);
  for (size_t j = 0; j < op->region_count; j++) {
    changed |= spread_region(t, op->regions[j]);
    for (size_t i = 0; i < op->result_count; i++)
      changed |= flow(t, is_possible(t, op->regions[j]->last->operands[i]), op->results[i]);
  }
  if (!effects_is_pure(op->code)) return changed;
  for (size_t i = 0; i < op->operand_count; i++)
    for (size_t j = 0; j < op->result_count; j++)
      changed |= flow(t, is_possible(t, op->operands[i]), op->results[j]);
  return changed;
}

static bool spread_region(Tracker *t, const IrRegion *region) {
  bool changed = false;
  for (const IrOp *op = region->first; op; op = op->next) changed |= spread_op(t, op);
  return changed;
}

// ---- marks --------------------------------------------------------------------------------------
static IrValue *mark_of(const Tracker *t, const IrValue *value) { return map_get(t->marks, value); }

static const IrType *mark_type(const Tracker *t, const IrType *type) {
  return ir_array_type(t->module, DT_U8, type->rank, type->dims);
}

static IrValue *none(const Tracker *t, IrBuilder *b, const IrType *type) {
  return ir_const_i64(b, mark_type(t, type), 0);
}

static IrValue *mark_or_none(const Tracker *t, IrBuilder *b, const IrValue *value) {
  IrValue *mark = mark_of(t, value);
  return mark ? mark : none(t, b, value->type);
}

// Either may be NULL.
static IrValue *merge(IrBuilder *b, IrValue *x, IrValue *y) {
  return !x ? y : !y || x == y ? x : ir_binary(b, OP_MAX, x, y);
}

// The same op on other operands.
static IrValue *again(const Tracker *t, IrBuilder *b, const IrOp *op, size_t count,
                      IrValue *const *operands) {
  const IrType *type = mark_type(t, op->results[0]->type);
  IrOp *copy = ir_build(b, op->code, count, operands, 1, &type);
  copy->attrs = arena_dup(t->module->arena, op->attrs, op->attr_count * sizeof *op->attrs);
  copy->attr_count = op->attr_count;
  return copy->results[0];
}

// The first `arrays` operands are replaced by their marks; the others say where elements go.
static IrValue *moved(const Tracker *t, IrBuilder *b, const IrOp *op, size_t arrays) {
  IrValue **operands = ARENA_ARRAY(t->arena, IrValue *, op->operand_count + 1);
  bool is_marked = false;
  for (size_t i = 0; i < op->operand_count; i++) {
    is_marked |= i < arrays && mark_of(t, op->operands[i]);
    operands[i] = i < arrays ? mark_or_none(t, b, op->operands[i]) : op->operands[i];
  }
  return is_marked ? again(t, b, op, op->operand_count, operands) : NULL;
}

// `and` with zero is zero, whatever the other operand is: the mark of x where y leaves x a say.
static IrValue *unless_absorbed(const Tracker *t, IrBuilder *b, OpCode code, IrValue *mark,
                                IrValue *other) {
  if (!mark) return NULL;
  IrValue *zero = ir_const_i64(b, other->type, 0);
  return ir_select(b, ir_binary(b, code == OP_OR ? OP_EQ : OP_NE, other, zero), mark,
                   none(t, b, other->type));
}

static bool absorbs(const IrOp *op) {
  DType dtype = op->operands[0]->type->dtype;
  return op->code == OP_AND || (op->code == OP_OR && dtype == DT_BOOL) ||
         (op->code == OP_MUL && !dtype_is_float(dtype));
}

static IrValue *mark_absorbing(const Tracker *t, IrBuilder *b, const IrOp *op) {
  IrValue *x = op->operands[0], *y = op->operands[1], *mx = mark_of(t, x), *my = mark_of(t, y);
  IrValue *both = mx && my ? ir_binary(b, OP_MIN, mx, my) : NULL;
  IrValue *one =
      merge(b, unless_absorbed(t, b, op->code, mx, y), unless_absorbed(t, b, op->code, my, x));
  return merge(b, one, both);
}

static IrValue *mark_select(const Tracker *t, IrBuilder *b, const IrOp *op) {
  IrValue *x = op->operands[1], *y = op->operands[2], *taken = NULL;
  if (mark_of(t, x) || mark_of(t, y))
    taken = ir_select(b, op->operands[0], mark_or_none(t, b, x), mark_or_none(t, b, y));
  return merge(b, taken, mark_of(t, op->operands[0]));
}

static IrValue *mark_elementwise(const Tracker *t, IrBuilder *b, const IrOp *op) {
  if (op->code == OP_SELECT) return mark_select(t, b, op);
  if (absorbs(op)) return mark_absorbing(t, b, op);
  IrValue *mark = NULL;
  for (size_t i = 0; i < op->operand_count; i++) mark = merge(b, mark, mark_of(t, op->operands[i]));
  return mark;
}

// Any element along the axes stands for all.
static IrValue *any_along(IrBuilder *b, IrValue *mark, IrInts axes) {
  return axes.count ? ir_reduce(b, OP_REDUCE_MAX, mark, axes.count, axes.items) : mark;
}

static IrValue *any(IrBuilder *b, IrValue *mark) {
  int64_t axes[IR_MAX_RANK];
  for (int i = 0; i < mark->type->rank; i++) axes[i] = i;
  return any_along(b, mark, (IrInts){axes, mark->type->rank});
}

static IrValue *mark_bitcast_width(const Tracker *t, IrBuilder *b, const IrOp *op) {
  IrValue *mark = mark_of(t, op->operands[0]);
  const IrType *type = mark_type(t, op->results[0]->type);
  int64_t dims[IR_MAX_RANK];
  for (int i = 0; i < mark->type->rank; i++) dims[i] = i;
  if (type->rank > mark->type->rank) return ir_broadcast(b, mark, type, dims);
  return any_along(b, mark, (IrInts){(int64_t[]){type->rank}, 1});
}

// The mark of one factor, any over the contracted dimensions, where its batch and free dimensions
// stand in the product, of which the first free one is result dimension `free_at`.
static IrValue *mark_factor(IrBuilder *b, IrValue *mark, IrInts contract, IrInts batch, int free_at,
                            const IrType *type) {
  int64_t kept[IR_MAX_RANK], order[IR_MAX_RANK], places[IR_MAX_RANK];
  int rank = 0, at = 0;
  for (int i = 0; i < mark->type->rank; i++)
    if (!ir_ints_have(contract, i)) kept[rank++] = i;
  for (size_t i = 0; i < batch.count; i++)
    for (int j = 0; j < rank; j++)
      if (kept[j] == batch.items[i]) order[at] = j, places[at++] = (int64_t)i;
  for (int j = 0; j < rank; j++)
    if (!ir_ints_have(batch, kept[j])) order[at] = j, places[at++] = free_at++;
  IrValue *some = any_along(b, mark, contract);
  return ir_broadcast(b, ir_transpose(b, some, order), type, places);
}

static IrValue *mark_dot(const Tracker *t, IrBuilder *b, const IrOp *op) {
  const DotSides s = ir_dot_sides(op);
  IrInts xc = s.contract[0], yc = s.contract[1], xb = s.batch[0], yb = s.batch[1];
  const IrType *type = mark_type(t, op->results[0]->type);
  IrValue *x = mark_of(t, op->operands[0]), *y = mark_of(t, op->operands[1]);
  int x_rank = op->operands[0]->type->rank;
  IrValue *mark = x ? mark_factor(b, x, xc, xb, (int)xb.count, type) : NULL;
  mark = merge(b, mark, y ? mark_factor(b, y, yc, yb, x_rank - (int)xc.count, type) : NULL);
  return op->operand_count > 2 ? merge(b, mark, mark_of(t, op->operands[2])) : mark;
}

// Where an element goes depends on all keys along the dimension.
static IrValue *mark_sort(const Tracker *t, IrBuilder *b, const IrOp *op) {
  IrValue *mark = NULL;
  for (size_t i = 0; i < op->operand_count; i++) mark = merge(b, mark, mark_of(t, op->operands[i]));
  int64_t dim = ir_attr_int(op, ATTR_DIM), dims[IR_MAX_RANK];
  int rank = 0;
  for (int i = 0; i < mark->type->rank; i++)
    if (i != dim) dims[rank++] = i;
  return ir_broadcast(b, any_along(b, mark, (IrInts){&dim, 1}), mark->type, dims);
}

// What is gathered, and where from: the index vector is the last dimension of the indices.
static IrValue *mark_gather(const Tracker *t, IrBuilder *b, const IrOp *op) {
  IrValue *mark = moved(t, b, op, 1), *indices = mark_of(t, op->operands[1]);
  uint8_t zero = 0;
  if (mark && ir_attr_find(op, ATTR_FILL))
    ir_set_data(t->module, mark->def, ATTR_FILL, DT_U8, 1, &zero);
  if (!indices) return mark;
  IrInts offset = ir_attr_ints(op, ATTR_OFFSET_DIMS);
  const IrType *type = mark_type(t, op->results[0]->type);
  int64_t last = indices->type->rank - 1, dims[IR_MAX_RANK];
  int rank = 0;
  for (int i = 0; i < type->rank; i++)
    if (!ir_ints_have(offset, i)) dims[rank++] = i;
  return merge(b, mark, ir_broadcast(b, any_along(b, indices, (IrInts){&last, 1}), type, dims));
}

static IrValue *mark_scatter(const Tracker *t, IrBuilder *b, const IrOp *op) {
  if (!mark_of(t, op->operands[0]) && !mark_of(t, op->operands[2])) return NULL;
  IrValue *operands[] = {mark_or_none(t, b, op->operands[0]), op->operands[1],
                         mark_or_none(t, b, op->operands[2])};
  IrValue *mark = again(t, b, op, COUNT_OF(operands), operands);
  if (ir_attr_int(op, ATTR_COMBINE) != COMBINE_SET)
    ir_set_int(t->module, mark->def, ATTR_COMBINE, COMBINE_MAX);
  return mark;
}

static IrValue *mark_lookup(const Tracker *t, IrBuilder *b, const IrOp *op) {
  IrValue *mark = moved(t, b, op, 1);
  for (uint32_t i = 1; i < op->operand_count; i++)
    mark = merge(b, mark, mark_of(t, op->operands[i]));
  return mark;
}

static IrValue *mark_heavy(const Tracker *t, IrBuilder *b, const IrOp *op) {
  switch (op->code) {
  case OP_DYNAMIC_UPDATE_SLICE: return moved(t, b, op, 2);
  case OP_DOT: return mark_dot(t, b, op);
  case OP_SORT: return mark_sort(t, b, op);
  case OP_GATHER: return mark_gather(t, b, op);
  case OP_LOOKUP: return mark_lookup(t, b, op);
  case OP_SCATTER: return mark_scatter(t, b, op);
  default: BUG("no marks for '%s'", op_info(op->code)->name);
  }
}

// Of the results of a pure op, which share it; NULL: all of them are fine.
static IrValue *mark_pure(const Tracker *t, IrBuilder *b, const IrOp *op) {
  IrValue *x = op->operand_count ? mark_of(t, op->operands[0]) : NULL;
  if (op_is_elementwise(op->code)) return mark_elementwise(t, b, op);
  switch (op_info(op->code)->op_class) {
  case CLASS_SHAPE:
    if (op->code == OP_BITCAST_WIDTH) return x ? mark_bitcast_width(t, b, op) : NULL;
    return moved(t, b, op, op->code == OP_DYNAMIC_SLICE ? 1 : op->operand_count);
  case CLASS_REDUCE: return x ? any_along(b, x, ir_attr_ints(op, ATTR_AXES)) : NULL;
  case CLASS_CUMULATIVE:
    return x ? ir_cumulative(b, OP_CUMMAX, x, (int)ir_attr_int(op, ATTR_DIM),
                             ir_attr_int(op, ATTR_REVERSE))
             : NULL;
  case CLASS_HEAVY: return mark_heavy(t, b, op);
  default: return NULL;
  }
}

// ---- memory -------------------------------------------------------------------------------------
// The operands that name the ref and the index: from `first` on.
static size_t index_end(const IrOp *op) {
  bool is_masked = access_is_masked(op);
  return op->operand_count - (!is_masked ? 0 : op->code == OP_LOAD ? 2 : 1);
}

static void track_load(Tracker *t, IrOp *load) {
  if (!is_possible(t, load->results[0])) return;
  IrBuilder b = ir_builder_behind(load);
  const IrType *type = mark_type(t, load->results[0]->type);
  IrOp *op = ir_build(&b, OP_UNWRITTEN, index_end(load), load->operands, 1, &type);
  ir_set_index(t->module, op, ir_attr_index(load));
  ir_set_int(t->module, op, ATTR_ORIGIN, t->origin);
  if (t->origin < LAST_ORIGIN) t->origin++;
  IrValue *mark = op->results[0];
  if (access_is_masked(load))
    mark = ir_select(&b, load->operands[load->operand_count - 2], mark,
                     mark_or_none(t, &b, load->operands[load->operand_count - 1]));
  map_set(t->marks, load->results[0], mark);
}

static void track_store(Tracker *t, IrOp *store) {
  IrValue *mark = mark_of(t, store->operands[0]);
  if (!mark) return;
  IrBuilder b = ir_builder_behind(store);
  if (access_is_masked(store))
    mark = ir_select(&b, store->operands[store->operand_count - 1], mark, none(t, &b, mark->type));
  IrValue **operands = ARENA_ARRAY(t->arena, IrValue *, store->operand_count);
  memcpy(operands, store->operands, store->operand_count * sizeof *operands);
  operands[0] = mark;
  IrOp *op = ir_build(&b, OP_UNWRITE, index_end(store), operands, 0, NULL);
  ir_set_index(t->module, op, ir_attr_index(store));
}

// ---- what must not depend on such values --------------------------------------------------------
// Whether it was looked at in front of the region, or in it.
static bool was_used(const Tracker *t, const IrValue *mark, const IrRegion *region) {
  const IrRegion *before = map_get(t->used, mark);
  return before && ir_region_is_in(region, before);
}

static void use(Tracker *t, IrOp *op, size_t operand, Str how) {
  IrValue *mark = mark_of(t, op->operands[operand]);
  if (!mark || was_used(t, mark, op->parent)) return;
  map_set(t->used, mark, op->parent);
  IrBuilder b = ir_builder_before(op);
  IrValue *some = any(&b, mark);
  ir_set_str(t->module, ir_build(&b, OP_CHECK_USED, 1, &some, 0, NULL), ATTR_FORMAT, how);
}

// Checks of watch.c are of no use to the program: they look at elements that it may leave out.
static bool looks_for_numbers(const IrOp *check) {
  int64_t finding = ir_attr_int(check, ATTR_FINDING);
  return finding == FINDING_NAN || finding == FINDING_INF;
}

// What operands first <= i < end of an op are used for: the first row that fits. Of what stands in
// no row the marks are handed on.
static const struct OperandUse {
  OpCode code;
  uint32_t first, end;
  const char *what;
} operand_uses[] = {
    {OP_CHECK, 0, 1, "a condition"},
    {OP_CHECK, 1, UINT32_MAX, "a message"},
    {OP_IF, 0, UINT32_MAX, "a condition"},
    {OP_SWITCH, 0, UINT32_MAX, "a condition"},
    {OP_FOR, 0, 3, "the length of a loop"},
    {OP_DEBUG_PRINT, 0, UINT32_MAX, "a message"},
    {OP_DYNAMIC_SLICE, 1, UINT32_MAX, "an index"},
    {OP_DYNAMIC_UPDATE_SLICE, 2, UINT32_MAX, "an index"},
    {OP_SCATTER, 1, 2, "an index"},
    {OP_VIEW, 0, UINT32_MAX, "an index"},
    {OP_PART, 0, UINT32_MAX, "an index"},
    {OP_PRNG_SEED, 0, UINT32_MAX, "a seed"},
    {OP_SEM_WAIT, 1, 2, "a semaphore's count"},
    {OP_SEM_WAIT, 0, UINT32_MAX, "a device or core"},
    {OP_SEM_SIGNAL, 1, 2, "a semaphore's count"},
    {OP_SEM_SIGNAL, 0, UINT32_MAX, "a device or core"},
    {OP_COPY_START, 0, UINT32_MAX, "a device or core"},
    {OP_FETCH_ADD, 1, 2, "a count"},
    {OP_FETCH_ADD, 0, UINT32_MAX, "a core"},
};

static Str use_in_access(const IrOp *op, size_t i) {
  if (i >= op_ref_position(op->code) && i < index_end(op)) return STR("an index");
  return access_is_masked(op) && i == index_end(op) ? STR("a mask") : STR("");
}

static bool is_condition_of_while(const IrOp *yield) {
  const IrOp *loop = yield->parent->parent;
  return loop && loop->code == OP_WHILE && yield->parent == loop->regions[0];
}

// What operand i of the op is used for; empty if its marks are handed on.
static Str use_of(const IrOp *op, size_t i) {
  if (op->code == OP_LOAD || op->code == OP_STORE) return use_in_access(op, i);
  if (op->code == OP_YIELD && is_condition_of_while(op)) return STR("the condition of a loop");
  if (op->code == OP_CHECK && looks_for_numbers(op)) return STR("");
  for (size_t k = 0; k < COUNT_OF(operand_uses); k++)
    if (operand_uses[k].code == op->code && i >= operand_uses[k].first && i < operand_uses[k].end)
      return str_from_c(operand_uses[k].what);
  return STR("");
}

// A loop ends where a value from unwritten memory is to say whether it goes on: it might never.
static void end_loop(Tracker *t, IrOp *op, size_t operand) {
  IrValue *mark = mark_of(t, op->operands[operand]);
  if (!mark) return;
  IrBuilder b = ir_builder_before(op);
  IrValue *is_fine = ir_binary(&b, OP_EQ, mark, none(t, &b, mark->type));
  if (op->code == OP_YIELD)
    ir_set_operand(op, operand, ir_binary(&b, OP_AND, op->operands[operand], is_fine));
  else
    ir_set_operand(op, operand,
                   ir_select(&b, is_fine, op->operands[operand], ir_i32(&b, operand == 2)));
}

static void track_uses(Tracker *t, IrOp *op) {
  for (size_t i = 0; i < op->operand_count; i++) {
    Str how = use_of(op, i);
    if (!how.len) continue;
    use(t, op, i, how);
    if (op->code == OP_FOR || op->code == OP_YIELD) end_loop(t, op, i);
  }
}

// ---- control ------------------------------------------------------------------------------------
static void track_region(Tracker *t, IrRegion *region);

// The yield gives the marks of results that have some, behind the results themselves.
static void yield_marks(Tracker *t, IrRegion *region, const IrOp *op, size_t results) {
  IrOp *yield = region->last;
  IrBuilder b = ir_builder_before(yield);
  for (size_t i = 0; i < results; i++)
    if (is_possible(t, op->results[i]))
      ir_add_operand(t->module, yield, mark_or_none(t, &b, yield->operands[i]));
}

static void track_loop(Tracker *t, IrOp *op) {
  size_t first = op->code == OP_FOR ? 3 : 0, results = op->result_count;
  IrBuilder b = ir_builder_before(op);
  for (size_t i = 0; i < results; i++)
    if (is_possible(t, op->results[i]))
      ir_add_operand(t->module, op, mark_or_none(t, &b, op->operands[first + i]));
  for (size_t j = 0; j < op->region_count; j++) {
    IrRegion *region = op->regions[j];
    for (size_t i = 0; i < results; i++) {
      if (!is_possible(t, op->results[i])) continue;
      const IrValue *arg = region->args[i + (op->code == OP_FOR)];
      map_set(t->marks, arg, ir_region_add_arg(region, mark_type(t, arg->type), NULL));
    }
    track_region(t, region);
  }
  yield_marks(t, op->regions[op->region_count - 1], op, results);
}

static void track_control(Tracker *t, IrOp *op) {
  size_t results = op->result_count;
  if (op->code == OP_FOR || op->code == OP_WHILE) {
    track_loop(t, op);
  } else {
    for (size_t j = 0; j < op->region_count; j++) {
      track_region(t, op->regions[j]);
      yield_marks(t, op->regions[j], op, results);
    }
  }
  for (size_t i = 0; i < results; i++)
    if (is_possible(t, op->results[i]))
      map_set(t->marks, op->results[i],
              ir_add_result(t->module, op, mark_type(t, op->results[i]->type)));
}

static void track_op(Tracker *t, IrOp *op) {
  track_uses(t, op);
  if (op->region_count) {
    track_control(t, op);
  } else if (op->code == OP_LOAD) {
    track_load(t, op);
  } else if (op->code == OP_STORE) {
    track_store(t, op);
  } else if (effects_is_pure(op->code) && op->result_count && is_possible(t, op->results[0])) {
    IrBuilder b = ir_builder_behind(op);
    IrValue *mark = mark_pure(t, &b, op);
    for (size_t i = 0; mark && i < op->result_count; i++) map_set(t->marks, op->results[i], mark);
  }
}

// Ops that are put in are not looked at: they are in front of the op, or behind it and not `next`.
static void track_region(Tracker *t, IrRegion *region) {
  for (IrOp *op = region->first, *next; op; op = next) {
    next = op->next;
    track_op(t, op);
  }
}

bool pass_unwritten(PassContext *ctx) {
  for (IrFunc *func = ctx->module->first; func; func = func->next) {
    Tracker t = {.module = ctx->module,
                 .arena = ctx->arena,
                 .inputs_written = ctx->options->inputs_written,
                 .possible = map_new(ctx->arena),
                 .dirty = map_new(ctx->arena),
                 .marks = map_new(ctx->arena),
                 .used = map_new(ctx->arena),
                 .origin = FIRST_ORIGIN};
    while (spread_region(&t, func->body)) {
    }
    track_region(&t, func->body);
  }
  return true;
}
