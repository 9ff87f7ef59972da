// SPDX-License-Identifier: Apache-2.0
// vmap of loads, stores, views and copies. A batched ref gets a full slice in front. An index that
// differs within the batch makes index arrays of all dimensions, so that the batch is a dimension
// of those; a view at such an index is put off until something is read or written through it.
#include <string.h>

#include "base/map.h"
#include "ir/analysis/access.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "batch_ops.h"

static uint32_t ref_position(const IrOp *op) { return op_ref_position(op->code); }

// Operands of the index: [first, end).
static uint32_t index_end(const IrOp *op) {
  if (op->code == OP_VIEW || !access_is_masked(op)) return op->operand_count;
  return op->operand_count - (op->code == OP_LOAD ? 2 : 1);
}

static bool has_batched_index(const Batcher *v, const IrOp *op) {
  for (uint32_t i = ref_position(op) + 1; i < index_end(op); i++)
    if (batch_is(v, op->operands[i])) return true;
  return false;
}

// ---- the index stays ---------------------------------------------------------------------------
// A full slice in front, and positions that count from 0 as the builders want them.
static IrIndex with_full_slice(const Batcher *v, const IrOp *op) {
  const IrIndex *old = ir_attr_index(op);
  int base = (int)ref_position(op) + 1;
  IrIndex index = {.rank = (uint8_t)(old->rank + 1)};
  index.dims[0] = (IndexDim){
      .kind = INDEX_SLICE, .start_operand = -1, .size = v->size, .size_operand = -1, .stride = 1};
  for (int i = 0; i < old->rank; i++) {
    IndexDim *dim = &index.dims[1 + i];
    *dim = old->dims[i];
    if (dim->start_operand >= 0) dim->start_operand -= base;
    if (dim->size_operand >= 0) dim->size_operand -= base;
  }
  return index;
}

static IrIndex without_base(const IrOp *op) {
  IrIndex index = *ir_attr_index(op);
  int base = (int)ref_position(op) + 1;
  for (int i = 0; i < index.rank; i++) {
    if (index.dims[i].start_operand >= 0) index.dims[i].start_operand -= base;
    if (index.dims[i].size_operand >= 0) index.dims[i].size_operand -= base;
  }
  return index;
}

static IrValue **index_operands(Batcher *v, const IrOp *op, size_t *count) {
  uint32_t first = ref_position(op) + 1, end = index_end(op);
  IrValue **operands = ARENA_ARRAY(v->arena, IrValue *, end - first);
  for (uint32_t i = first; i < end; i++) operands[i - first] = batch_get(v, op->operands[i]);
  *count = end - first;
  return operands;
}

// Where the batch stands in what the index of a batched ref gives: behind the dimensions of index
// arrays if slices come between the indices that are none.
static int batch_position(const IrOp *op) {
  const IrIndex *index = ir_attr_index(op);
  int runs = 0, array_rank = 0;
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *dim = &index->dims[i];
    if (dim->kind == INDEX_SLICE) continue;
    if (i == 0 || index->dims[i - 1].kind == INDEX_SLICE) runs++;
    if (dim->kind == INDEX_ARRAY) array_rank = op->operands[dim->start_operand]->type->rank;
  }
  return runs > 1 ? array_rank : 0;
}

// ---- index arrays ------------------------------------------------------------------------------
// A place in a ref: for each of its dimensions the positions, arrays of one shape [batch, …].
typedef struct Place {
  IrValue *ref; // new; with the batch in front if `batched`
  bool batched;
  int rank; // dimensions of the old ref
  IrValue *at[IR_MAX_RANK];
} Place;

static IrValue *spread(Batcher *v, IrValue *scalar, bool batched, const IrType *like) {
  IrValue *x = ir_convert(&v->b, scalar, DT_I32);
  return ir_broadcast(&v->b, x, like, batched ? (int64_t[]){0} : NULL);
}

// start + stride * position
static IrValue *along(Batcher *v, IrValue *start, IrValue *position, int64_t stride) {
  IrBuilder *b = &v->b;
  if (stride != 1)
    position = ir_binary(b, OP_MUL, position, ir_const_i64(b, position->type, stride));
  return ir_binary(b, OP_ADD, start, position);
}

// The start of a dimension of an index, as an array of the type `like`.
static IrValue *start_of(Batcher *v, const IrOp *op, const IndexDim *dim, const IrType *like) {
  if (dim->start_operand < 0) return ir_const_i64(&v->b, like, dim->start);
  IrValue *operand = op->operands[dim->start_operand];
  return spread(v, batch_get(v, operand), batch_is(v, operand), like);
}

static bool place_in_ref(Batcher *v, IrOp *user, IrValue *ref, Place *place);

// The positions of an access or view in its ref, given the positions in what the index gives: at[i]
// for the i-th dimension of the slices, `arrays` for those of index arrays (of rank array_rank,
// standing at array_at).
static bool place_through(Batcher *v, IrOp *user, const IrOp *op, const Place *inside, Place *out) {
  const IrIndex *index = ir_attr_index(op);
  const IrType *like = inside->at[0] ? inside->at[0]->type : NULL;
  if (!like) BUG("an index without an array");
  int next = 0;
  out->rank = index->rank;
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *dim = &index->dims[i];
    if (dim->kind == INDEX_ARRAY || dim->size_operand >= 0)
      return batch_fail(v, user,
                        "a view with an index array or a dynamic size cannot differ "
                        "within the batch");
    IrValue *start = start_of(v, op, dim, like);
    out->at[i] =
        dim->kind == INDEX_SLICE ? along(v, start, inside->at[next++], dim->stride) : start;
  }
  return true;
}

// `place` holds positions in the old ref; they become positions in the ref that its views start
// from, which is new.
static bool place_in_ref(Batcher *v, IrOp *user, IrValue *ref, Place *place) {
  if (!map_has(v->lazy, ref)) {
    place->ref = batch_get(v, ref);
    place->batched = batch_is(v, ref);
    return true;
  }
  Place outer = {.rank = 0};
  if (place->rank == 0) {
    // A view of rank 0: its positions have the batch's shape, and there is none to take it from.
    place->at[0] = ir_const_i64(&v->b, ir_array_type(v->module, DT_I32, 1, &v->size), 0);
  }
  if (!place_through(v, user, ref->def, place, &outer)) return false;
  *place = outer;
  return place_in_ref(v, user, ref->def->operands[0], place);
}

// The positions of an access, shape [batch] + what its index gives.
static bool place_of(Batcher *v, IrOp *op, const IrType *value, Place *place) {
  IrBuilder *b = &v->b;
  const IrIndex *index = ir_attr_index(op);
  const IrType *old = ir_array_type(v->module, DT_I32, value->rank, value->dims);
  const IrType *like = old ? batch_type(v, op, old) : NULL;
  if (!like) return false;
  int array_rank = 0, runs = 0, array_at = 0, slices = 0;
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *dim = &index->dims[i];
    if (dim->size_operand >= 0)
      return batch_fail(v, op, "a slice of dynamic size at an index that differs within the batch");
    if (dim->kind == INDEX_ARRAY) array_rank = op->operands[dim->start_operand]->type->rank;
    if (dim->kind != INDEX_SLICE && (i == 0 || index->dims[i - 1].kind == INDEX_SLICE)) runs++;
  }
  // In the value the dimensions of index arrays start at array_at; those of slices fill the rest in
  // order.
  if (runs == 1)
    while (index->dims[array_at].kind == INDEX_SLICE) array_at++;
  place->rank = index->rank;
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *dim = &index->dims[i];
    if (dim->kind == INDEX_ARRAY) {
      IrValue *operand = op->operands[dim->start_operand];
      IrValue *x = ir_convert(b, batch_get(v, operand), DT_I32);
      int64_t dims[IR_MAX_RANK];
      int batched = batch_is(v, operand);
      dims[0] = 0;
      for (int d = 0; d < array_rank; d++) dims[batched + d] = 1 + array_at + d;
      place->at[i] = ir_broadcast(b, x, like, dims);
      continue;
    }
    IrValue *start = start_of(v, op, dim, like);
    place->at[i] = start;
    if (dim->kind != INDEX_SLICE) continue;
    int at = array_rank && slices >= array_at ? slices + array_rank : slices;
    place->at[i] = along(v, start, ir_iota(b, like, 1 + at), dim->stride);
    slices++;
  }
  return place_in_ref(v, op, op->operands[ref_position(op)], place);
}

// The index that consists of the place's arrays; operands go to `operands`.
static IrIndex place_index(Batcher *v, const Place *place, IrValue **operands) {
  IrIndex index = {.rank = (uint8_t)(place->rank + place->batched)};
  int count = 0;
  if (place->batched) operands[count++] = ir_iota(&v->b, place->at[0]->type, 0);
  for (int i = 0; i < place->rank; i++) operands[count++] = place->at[i];
  for (int i = 0; i < count; i++)
    index.dims[i] = (IndexDim){
        .kind = INDEX_ARRAY, .start_operand = i, .size = 1, .size_operand = -1, .stride = 1};
  return index;
}

// ---- loads -------------------------------------------------------------------------------------
// Mask and other of a load, or the mask of a store, with the batch where the value has it.
static IrValue *mask_operand(Batcher *v, const IrOp *op, uint32_t from_end, int at) {
  if (!access_is_masked(op)) return NULL;
  IrValue *x = batch_full(v, op->operands[op->operand_count - from_end]);
  return batch_from_front(v, x, at);
}

static bool load_at_places(Batcher *v, IrOp *op) {
  Place place = {.rank = 0};
  IrValue *operands[IR_MAX_RANK + 1];
  if (!place_of(v, op, op->results[0]->type, &place)) return false;
  if (place.rank + place.batched > IR_MAX_RANK)
    return batch_fail(v, op, "the ref has too many dimensions");
  IrIndex index = place_index(v, &place, operands);
  IrValue *loaded = ir_load(&v->b, place.ref, &index, index.rank, operands,
                            mask_operand(v, op, 2, 0), mask_operand(v, op, 1, 0));
  batch_set(v, op->results[0], loaded);
  return true;
}

// Neither ref nor index is batched, but mask or other are: what any element wants is loaded.
static bool load_masked(Batcher *v, IrOp *op) {
  size_t count;
  IrValue **extra = index_operands(v, op, &count);
  IrIndex index = without_base(op);
  IrValue *mask = batch_full(v, op->operands[op->operand_count - 2]);
  IrValue *other = batch_full(v, op->operands[op->operand_count - 1]);
  IrValue *any = ir_reduce(&v->b, OP_REDUCE_OR, mask, 1, (int64_t[]){0});
  IrValue *x = ir_load(&v->b, batch_get(v, op->operands[0]), &index, count, extra, any, NULL);
  batch_set(v, op->results[0], ir_select(&v->b, mask, batch_broadcast(v, x), other));
  return true;
}

static bool batch_load(Batcher *v, IrOp *op) {
  if (!batch_type(v, op, op->results[0]->type)) return false;
  if (has_batched_index(v, op) || map_has(v->lazy, op->operands[0])) return load_at_places(v, op);
  if (!batch_is(v, op->operands[0])) return load_masked(v, op);
  size_t count;
  int at = batch_position(op);
  IrValue **extra = index_operands(v, op, &count);
  IrIndex index = with_full_slice(v, op);
  IrValue *loaded = ir_load(&v->b, batch_get(v, op->operands[0]), &index, count, extra,
                            mask_operand(v, op, 2, at), mask_operand(v, op, 1, at));
  batch_set(v, op->results[0], batch_to_front(v, loaded, at));
  return true;
}

// ---- stores ------------------------------------------------------------------------------------
static bool need_batched(Batcher *v, IrOp *op, IrValue *ref) {
  return batch_is(v, ir_ref_root(ref)) ||
         batch_fail(v, op,
                    "a value that differs within the batch, or at an index that does, is "
                    "stored into a ref that is shared by the batch");
}

static bool batch_store(Batcher *v, IrOp *op) {
  IrValue *ref = op->operands[1];
  if (!need_batched(v, op, ref) || !batch_type(v, op, op->operands[0]->type)) return false;
  IrValue *value = batch_full(v, op->operands[0]);
  if (has_batched_index(v, op) || map_has(v->lazy, ref)) {
    Place place = {.rank = 0};
    IrValue *operands[IR_MAX_RANK + 1];
    if (!place_of(v, op, op->operands[0]->type, &place)) return false;
    IrIndex index = place_index(v, &place, operands);
    ir_store(&v->b, value, place.ref, &index, index.rank, operands, mask_operand(v, op, 1, 0));
    return true;
  }
  size_t count;
  int at = batch_position(op);
  IrValue **extra = index_operands(v, op, &count);
  IrIndex index = with_full_slice(v, op);
  ir_store(&v->b, batch_from_front(v, value, at), batch_get(v, ref), &index, count, extra,
           mask_operand(v, op, 1, at));
  return true;
}

// ---- views and copies --------------------------------------------------------------------------
static bool batch_view(Batcher *v, IrOp *op) {
  if (has_batched_index(v, op) || map_has(v->lazy, op->operands[0])) {
    map_set(v->lazy, op->results[0], NULL);
    return true;
  }
  if (batch_position(op))
    return batch_fail(v, op, "a view with index arrays on both sides of a slice");
  size_t count;
  IrValue **extra = index_operands(v, op, &count);
  IrIndex index = with_full_slice(v, op);
  IrValue *ref = batch_get(v, op->operands[0]);
  batch_set(v, op->results[0], ir_view(&v->b, ref, &index, count, extra));
  return true;
}

static bool refuse_lazy(Batcher *v, IrOp *op) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (map_has(v->lazy, op->operands[i]))
      return batch_fail(v, op, "'%s' of a view at an index that differs within the batch",
                        op_info(op->code)->name);
  return true;
}

// One element of the batch after the other takes a copy of what is shared.
static bool copy_to_each(Batcher *v, IrOp *op) {
  IrBuilder *b = &v->b;
  IrValue *to = batch_get(v, op->operands[1]);
  if (op->code != OP_COPY)
    return batch_fail(v, op, "an asynchronous copy of what is shared by the batch to what is not");
  IrOp *loop = ir_for(b, ir_i32(b, 0), ir_i32(b, (int32_t)v->size), ir_i32(b, 1), 0, NULL);
  IrBuilder in = *b;
  in.region = loop->regions[0];
  in.before = NULL;
  IrIndex index;
  ir_index_full(to->type, &index);
  index.dims[0] = (IndexDim){
      .kind = INDEX_SCALAR, .start_operand = 0, .size = 1, .size_operand = -1, .stride = 1};
  IrValue *row = ir_view(&in, to, &index, 1, &loop->regions[0]->args[0]);
  ir_copy(&in, batch_get(v, op->operands[0]), row, ir_attr_int(op, ATTR_MOVE));
  ir_yield(&in, 0, NULL);
  return true;
}

static bool batch_copy(Batcher *v, IrOp *op) {
  if (op->code != OP_COPY_WAIT) {
    if (!need_batched(v, op, op->operands[1])) return false;
    if (!batch_is(v, op->operands[0])) return copy_to_each(v, op);
  }
  IrValue **operands = ARENA_ARRAY(v->arena, IrValue *, op->operand_count);
  for (uint32_t i = 0; i < op->operand_count; i++) operands[i] = batch_get(v, op->operands[i]);
  batch_build(v, op, op->operand_count, operands, 0, NULL);
  return true;
}

// The type alone changes.
static bool batch_memory(Batcher *v, IrOp *op) {
  const IrType *type = batch_type(v, op, op->results[0]->type);
  if (!type) return false;
  IrValue *x = op->operand_count ? batch_get(v, op->operands[0]) : NULL;
  IrOp *with = batch_build(v, op, op->operand_count, &x, 1, &type);
  batch_set(v, op->results[0], with->results[0]);
  return true;
}

static bool batch_begin(Batcher *v, IrOp *op) {
  IrValue *ref = batch_get(v, op->operands[0]);
  batch_build(v, op, 1, &ref, 0, NULL);
  return true;
}

bool batch_memory_op(Batcher *v, IrOp *op) {
  switch (op->code) {
  case OP_LOAD: return batch_load(v, op);
  case OP_STORE: return batch_store(v, op);
  case OP_VIEW: return batch_view(v, op);
  default: break;
  }
  if (!refuse_lazy(v, op)) return false;
  switch (op->code) {
  case OP_COPY:
  case OP_COPY_START:
  case OP_COPY_WAIT: return batch_copy(v, op);
  case OP_ALLOC:
  case OP_REF_RESHAPE:
  case OP_REF_BITCAST: return batch_memory(v, op);
  case OP_BEGIN: return batch_begin(v, op);
  default: return batch_fail(v, op, "'%s' has no batching rule", op_info(op->code)->name);
  }
}
