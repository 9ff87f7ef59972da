// SPDX-License-Identifier: Apache-2.0
// Indices on refs, with JAX's rules: what they name of the ref, and windows that are larger than
// it.
#include "ref_index.h"
#include "base/buf.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "python/builtins/builtin_slice.h"
#include "python/modules/report.h"
#include "python/objects/convert.h"
#include "python/objects/protocol.h"
#include "python/objects/type_lookup.h"
#include "python/values/raise.h"
#include "python/values/suggest.h"
#include "python/values/values.h"
#include "array_data.h"
#include "dynamic_slice.h"
#include "ref.h"
#include <string.h>

NORETURN void ref_index_raise_beyond(Eval *ev, const IrType *type, const RefIndex *index) {
  const IndexDim *dim = &index->index.dims[index->beyond];
  Str start = dim->start_operand < 0 ? STR("start=0, ") : STR("");
  eval_raise(ev, ev->types.ValueError, "Out of bound slice: %.*ssize=%lld, stride=%lld, dim=%lld.",
             STR_FMT(start), (long long)dim->size, (long long)dim->stride,
             (long long)type->dims[index->beyond]);
}

const char *ref_element_name(const IrType *type) {
  static const char *const kinds[] = {
      [SEM_DMA] = "dma_sem", [SEM_REGULAR] = "semaphore", [SEM_BARRIER] = "barrier_semaphore"};
  return type->space == SPACE_SEM ? kinds[type->sem] : dtype_name(type->dtype);
}

Str ref_memory_text(Eval *ev, const IrType *type) {
  Buf buf;
  buf_init(&buf, ev->arena);
  buf_printf(&buf, "Ref<%s>{%s", mem_space_name(type->space), ref_element_name(type));
  buf_char(&buf, '[');
  for (int i = 0; i < type->rank; i++)
    buf_printf(&buf, i ? ",%lld" : "%lld", (long long)type->dims[i]);
  buf_c(&buf, "]}");
  return buf_view(&buf);
}

static int add_operand(Eval *ev, RefIndex *out, IrValue *value) {
  value = index_as_i32(ev, value);
  out->operands[out->operand_count] = value;
  return (int)out->operand_count++;
}

// From -size on, single indices count from the end. What is out of bounds is an error where the
// access is made at once; what is traced is not looked at by JAX, and clamped when it runs (or
// found, by checks). It is reported unless it may never run, as in the body of a branch or a loop.
static void index_int(Eval *ev, int64_t n, int64_t size, int axis, IndexDim *dim, RefIndex *out) {
  if (n < 0 && n >= -size) n += size;
  if (n < 0 || n >= size) {
    const Level *level = ev->trace->level;
    if (level->kind == LEVEL_RUN && n >= size)
      eval_raise(ev, ev->types.ValueError, "Out of bound indexer: idx=%lld, dim=%lld.",
                 (long long)n, (long long)size);
    while (level->kind == LEVEL_INLINE) level = level->outer;
    if (level->kind == LEVEL_KERNEL)
      eval_warn(ev, WARN_HINT,
                "index %lld of a ref is out of bounds for dimension %d, which has size %lld",
                (long long)n, axis, (long long)size);
    *dim = (IndexDim){INDEX_SCALAR, 0, -1, 1, -1, 1};
    dim->start_operand = add_operand(ev, out, array_ir(ev, v_int(n), DT_I32));
    return;
  }
  *dim = (IndexDim){INDEX_SCALAR, n, -1, 1, -1, 1};
}

static void raise_if_beyond(Eval *ev, int64_t start, int64_t size) {
  if (start > 0 && start >= size)
    eval_raise(ev, ev->types.ValueError, "Out of bound slice: start=%lld, dim=%lld.",
               (long long)start, (long long)size);
}

static void index_slice(Eval *ev, const SliceObject *slice, int64_t size, IndexDim *dim) {
  const Value bounds[] = {slice->start, slice->stop, slice->step};
  for (int i = 0; i < 3; i++)
    if (value_is_traced(ev, bounds[i]))
      eval_raise(ev, trace_types(ev)->TracerBoolConversionError,
                 "Attempted boolean conversion of traced array with shape bool[].\nA slice of a "
                 "ref needs static bounds, got slice(%.*s, %.*s, %.*s); use "
                 "pl.ds(start, size) for one that starts where only the running kernel knows",
                 STR_FMT(value_repr(ev, bounds[0])), STR_FMT(value_repr(ev, bounds[1])),
                 STR_FMT(value_repr(ev, bounds[2])));
  int64_t step = v_is_none(slice->step) ? 1 : take_int(ev, slice->step, "the step of a slice");
  if (step < 1)
    raise_hinted(ev, ev->types.ValueError,
                 step ? "a value that was read may be turned round: ref[...][::-1]" : "",
                 "slice must have a step >= 1 (found: %lld)", (long long)step);
  int64_t start = v_is_none(slice->start) ? 0 : take_int(ev, slice->start, "the start of a slice");
  int64_t stop = v_is_none(slice->stop) ? size : take_int(ev, slice->stop, "the stop of a slice");
  SliceBounds b = slice_of_numbers(size, &start, &stop, step);
  raise_if_beyond(ev, b.start, size);
  *dim = (IndexDim){INDEX_SLICE, b.start, -1, b.count, -1, step > size ? 1 : step};
}

// A window larger than the dimension is an error behind its first element, else left to a mask.
static void index_window(Eval *ev, Value start, Value size, Value stride, int axis, int64_t whole,
                         RefIndex *out) {
  IndexDim *dim = &out->index.dims[axis];
  *dim = (IndexDim){INDEX_SLICE, 0, -1, 0, -1, 1};
  dim->stride = take_int(ev, stride, "the stride of pl.ds");
  if (dim->stride == 0) out->repeats = true;
  int64_t n;
  if (known_index(ev, size, &n))
    dim->size = n;
  else {
    dim->size_operand = add_operand(ev, out, array_ir(ev, size, DT_COUNT));
    dim->size = whole;
  }
  if (dim->size < 0)
    eval_raise(ev, ev->types.ValueError, "the size of pl.ds must not be negative, got %lld",
               (long long)dim->size);
  int64_t last = dim->size_operand < 0 ? (dim->size - 1) * dim->stride : -1;
  if (last >= whole && dim->size > 0) out->beyond = axis;
  if (!known_index(ev, start, &n)) {
    dim->start_operand = add_operand(ev, out, array_ir(ev, start, DT_COUNT));
    return;
  }
  raise_if_beyond(ev, n, whole);
  dim->start = n;
  if (n < 0 || (n > 0 && last >= 0 && n + last >= whole))
    eval_raise(ev, ev->types.ValueError,
               "Out of bound slice: start=%lld, size=%lld, stride=%lld, dim=%lld.", (long long)n,
               (long long)dim->size, (long long)dim->stride, (long long)whole);
}

// An integer or an integer array that is known at run time only.
static void index_value(Eval *ev, Value v, int64_t size, int axis, IndexDim *dim, RefIndex *out) {
  Aval aval;
  if (value_as_tuple(v) || value_as_list(v))
    eval_raise(ev, ev->types.ValueError,
               "a %s cannot index a Ref: several elements are named by a slice, by pl.ds, or by an "
               "integer array that is made in the kernel or is read from an input",
               value_type_name(ev, v));
  if (!value_aval(ev, v, false, &aval))
    eval_raise(
        ev, ev->types.TypeError,
        "Argument %.*s of type %s cannot index a Ref; indices are integers, slices, pl.ds and "
        "integer arrays%s",
        STR_FMT(value_repr(ev, v)), value_type_name(ev, v),
        value_is_ref(ev, v) ? ": read the ref first: ref[...]" : "");
  if (!dtype_is_integer(aval.dtype))
    raise_hinted(ev, ev->types.TypeError,
                 aval.dtype == DT_BOOL ? "jnp.where(mask, x, y) chooses elements"
                                       : index_dtype_hint(aval.dtype),
                 "Indexer must have integer type, got indexer with type %s",
                 dtype_name(aval.dtype));
  int64_t n;
  if (aval.rank == 0 && known_index(ev, v, &n)) {
    index_int(ev, n, size, axis, dim, out);
    return;
  }
  *dim = (IndexDim){aval.rank ? INDEX_ARRAY : INDEX_SCALAR, 0, -1, 1, -1, 1};
  dim->start_operand = add_operand(ev, out, array_ir(ev, v, DT_COUNT));
}

// All index arrays of one index have one shape.
static void broadcast_arrays(Eval *ev, RefIndex *out) {
  const Aval *avals[IR_MAX_RANK];
  int at[IR_MAX_RANK];
  size_t count = 0, rank = 0;
  int64_t dims[IR_MAX_RANK];
  for (int d = 0; d < out->index.rank; d++) {
    if (out->index.dims[d].kind != INDEX_ARRAY) continue;
    at[count] = out->index.dims[d].start_operand;
    Aval *aval = ARENA_NEW(ev->arena, Aval);
    *aval = aval_of(out->operands[at[count]], false);
    avals[count++] = aval;
  }
  if (count < 2) return;
  for (size_t i = 0; i < count; i++)
    if (!broadcast_dims(&rank, dims, avals[i]->rank, avals[i]->dims)) {
      Buf buf;
      buf_init(&buf, ev->arena);
      for (size_t k = 0; k < count; k++)
        buf_printf(&buf, "%s%.*s", k ? ", " : "",
                   STR_FMT(shape_text(ev->arena, avals[k]->rank, avals[k]->dims)));
      eval_raise(ev, ev->types.ValueError, "Cannot broadcast shapes for indexing: %.*s",
                 STR_FMT(buf_view(&buf)));
    }
  for (size_t i = 0; i < count; i++)
    out->operands[at[i]] = ir_broadcast_to(trace_builder(ev), out->operands[at[i]], rank, dims);
}

static void index_item(Eval *ev, Value v, int64_t size, int axis, RefIndex *out) {
  IndexDim *dim = &out->index.dims[axis];
  Value start, count, stride;
  if (v.kind == V_INT)
    index_int(ev, v.i, size, axis, dim, out);
  else if (v_is_none(v))
    eval_raise(
        ev, ev->types.ValueError,
        "None (np.newaxis) in the index of a Ref is not allowed: index the value that is read, "
        "ref[...][None]");
  else if (v.kind == V_OBJECT && v.o->type == ev->types.slice)
    index_slice(ev, (const SliceObject *)v.o, size, dim);
  else if (value_as_dynamic_slice(ev, v, &start, &count, &stride))
    index_window(ev, start, count, stride, axis, size, out);
  else
    index_value(ev, v, size, axis, dim, out);
}

void ref_index_read(Eval *ev, const IrType *type, Value index, RefIndex *out) {
  out->operand_count = 0;
  out->beyond = -1;
  out->repeats = false;
  ir_index_full(type, &out->index);
  Tuple *tuple = value_as_tuple(index);
  size_t count = tuple ? tuple->count : !v_is_none(index);
  const Value *items = tuple ? tuple->items : &index;
  if (v_is_none(index))
    eval_warn(ev, WARN_HINT,
              "None alone names the whole ref, as ... does, and adds no dimension: "
              "ref[...][None] has one more");
  size_t ellipses = 0;
  for (size_t i = 0; i < count; i++) ellipses += items[i].kind == V_ELLIPSIS;
  if (ellipses > 1) eval_raise(ev, ev->types.ValueError, "Only one ellipsis is supported.");
  if (count - ellipses > type->rank)
    eval_raise(ev, ev->types.ValueError,
               "`indices` must not be longer than `shape`: indices=%.*s, shape=%.*s",
               STR_FMT(value_repr(ev, index)),
               STR_FMT(shape_text(ev->arena, type->rank, type->dims)));
  int axis = 0;
  for (size_t i = 0; i < count; i++) {
    if (items[i].kind == V_ELLIPSIS)
      axis += (int)(type->rank - (count - ellipses));
    else {
      index_item(ev, items[i], type->dims[axis], axis, out);
      axis++;
    }
  }
  broadcast_arrays(ev, out);
}

const IrType *ref_index_result(Eval *ev, const IrType *type, const RefIndex *index) {
  const IrType *result = ir_index_result(trace_module(ev), type, &index->index,
                                         (const IrValue *const *)index->operands);
  if (!result)
    eval_raise(ev, ev->types.IndexError, "the index does not fit a ref of %.*s",
               STR_FMT(ref_memory_text(ev, type)));
  return result;
}

// ---- windows beyond the ref ---------------------------------------------------------------------
// The elements of a slice, one by one, as an index array of the shape of the result.
static IrValue *slice_elements(Eval *ev, const IrType *type, const RefIndex *index, int axis,
                               int at) {
  IrBuilder *b = trace_builder(ev);
  const IndexDim *dim = &index->index.dims[axis];
  IrValue *start =
      dim->start_operand < 0 ? ir_i32(b, (int32_t)dim->start) : index->operands[dim->start_operand];
  IrValue *steps = ir_binary(b, OP_MUL, ir_iota(b, type, at), ir_const_i64(b, type, dim->stride));
  return ir_binary(b, OP_ADD, steps, ir_broadcast_to(b, start, type->rank, type->dims));
}

// The index arrays of an index whose result has other dimensions, too.
static IrValue *spread_array(Eval *ev, const IrType *type, IrValue *array, int at) {
  int64_t dims[IR_MAX_RANK];
  for (int i = 0; i < array->type->rank; i++) dims[i] = at + i;
  return ir_broadcast(trace_builder(ev), array, type, dims);
}

void ref_index_by_elements(Eval *ev, const IrType *result, RefIndex *at) {
  const RefIndex given = *at;
  const IrType *type = ir_array_type(trace_module(ev), DT_I32, result->rank, result->dims);
  int array_rank = 0, array_at = -1, next = 0;
  for (int d = 0; d < given.index.rank; d++)
    if (given.index.dims[d].kind == INDEX_ARRAY)
      array_rank = given.operands[given.index.dims[d].start_operand]->type->rank;
  if (array_rank && ir_index_is_split(&given.index)) next = array_rank, array_at = 0;
  at->operand_count = 0;
  at->beyond = -1;
  for (int d = 0; d < given.index.rank; d++) {
    const IndexDim *dim = &given.index.dims[d];
    IrValue *operand = dim->start_operand < 0 ? NULL : given.operands[dim->start_operand];
    IndexDim *by = &at->index.dims[d];
    if (dim->kind != INDEX_SLICE && array_at < 0 && array_rank) {
      array_at = next;
      next += array_rank;
    }
    if (dim->kind == INDEX_SLICE)
      operand = slice_elements(ev, type, &given, d, next++);
    else if (dim->kind == INDEX_ARRAY)
      operand = spread_array(ev, type, operand, array_at);
    if (dim->kind != INDEX_SCALAR) *by = (IndexDim){INDEX_ARRAY, 0, -1, 1, -1, 1};
    if (operand) by->start_operand = add_operand(ev, at, operand);
  }
}

// ---- an index of a part -------------------------------------------------------------------------
bool ref_index_is_strided(const RefIndex *at) {
  bool is_strided = false;
  if (at->beyond >= 0 || at->repeats) return false;
  for (int d = 0; d < at->index.rank; d++) {
    const IndexDim *dim = &at->index.dims[d];
    if (dim->kind == INDEX_ARRAY || dim->size_operand >= 0) return false;
    is_strided |= dim->kind == INDEX_SLICE && dim->start_operand >= 0 && dim->stride > 1;
  }
  return is_strided;
}

static IrValue *add_starts(IrBuilder *b, IrValue *x, IrValue *y) {
  if (!x || !y) return x ? x : y;
  return ir_binary(b, OP_ADD, ir_broadcast_to(b, x, y->type->rank, y->type->dims), y);
}

// A start of `next` is counted in steps of `of`, a slice; from the part's end if it is negative.
static IrValue *start_in_steps(IrBuilder *b, IrValue *start, int64_t size, int64_t stride) {
  const IrType *type = start->type;
  IrValue *is_negative = ir_binary(b, OP_LT, start, ir_const_i64(b, type, 0));
  IrValue *from_end = ir_binary(b, OP_ADD, start, ir_const_i64(b, type, size));
  return ir_binary(b, OP_MUL, ir_select(b, is_negative, from_end, start),
                   ir_const_i64(b, type, stride));
}

static IndexDim compose_dim(Eval *ev, const RefIndex *first, const IndexDim *of,
                            const RefIndex *next, const IndexDim *dim, RefIndex *out) {
  IrBuilder *b = trace_builder(ev);
  IndexDim result = *dim;
  result.start = of->start + of->stride * dim->start;
  if (dim->kind == INDEX_SLICE) result.stride = of->stride * dim->stride;
  if (dim->size_operand >= 0)
    result.size_operand = add_operand(ev, out, next->operands[dim->size_operand]);
  IrValue *start = of->start_operand < 0 ? NULL : first->operands[of->start_operand];
  if (dim->start_operand >= 0)
    start = add_starts(b, start,
                       start_in_steps(b, next->operands[dim->start_operand], of->size, of->stride));
  if (!start) return result;
  if (result.start) start = ir_binary(b, OP_ADD, start, ir_const_i64(b, start->type, result.start));
  result.start = 0;
  result.start_operand = add_operand(ev, out, start);
  return result;
}

bool ref_index_compose(Eval *ev, const RefIndex *first, RefIndex *next) {
  bool has_scalars = false, has_arrays = false;
  for (int d = 0; d < first->index.rank; d++)
    has_scalars |= first->index.dims[d].kind == INDEX_SCALAR;
  for (int d = 0; d < next->index.rank; d++) has_arrays |= next->index.dims[d].kind == INDEX_ARRAY;
  if (next->beyond >= 0 || next->repeats || (has_scalars && has_arrays)) return false;
  RefIndex out = {.index.rank = first->index.rank, .beyond = -1};
  int at = 0;
  for (int d = 0; d < first->index.rank; d++) {
    const IndexDim *of = &first->index.dims[d];
    out.index.dims[d] = *of;
    if (of->kind == INDEX_SLICE)
      out.index.dims[d] = compose_dim(ev, first, of, next, &next->index.dims[at++], &out);
    else if (of->start_operand >= 0)
      out.index.dims[d].start_operand = add_operand(ev, &out, first->operands[of->start_operand]);
  }
  *next = out;
  return true;
}

bool ref_index_is_whole(const IrType *type, const RefIndex *at) {
  IrIndex whole;
  ir_index_full(type, &whole);
  return at->operand_count == 0 && at->beyond < 0 && at->index.rank == whole.rank &&
         memcmp(at->index.dims, whole.dims, whole.rank * sizeof *whole.dims) == 0;
}

void ref_index_require_static(Eval *ev, const RefIndex *index) {
  for (int d = 0; d < index->index.rank; d++)
    if (index->index.dims[d].size_operand >= 0)
      eval_raise(
          ev, ev->types.TypeError,
          "the size of pl.ds must be static to read or write a ref: arrays have static shapes. "
          "Only copies (pltpu.sync_copy, pltpu.async_copy) take sizes known at run time");
}
