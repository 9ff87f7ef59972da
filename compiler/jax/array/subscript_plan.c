// SPDX-License-Identifier: Apache-2.0
// Reads the index of x[…]: expands the ellipsis, makes integers and slices static where they can
// be, turns masks into positions.
#include "base/buf.h"
#include "numpy/arrays/nd.h"
#include "ir/core/build.h"
#include "ir/core/ir.h"
#include "subscript_plan.h"
#include "python/builtins/builtin_slice.h"
#include "python/modules/module.h"
#include "dynamic_slice.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/values/suggest.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "array_data.h"
#include "promote.h"
#include "ref.h"
#include <string.h>

bool static_integer(Eval *ev, Value v, int64_t *out) {
  if (value_is_array(ev, v)) {
    Array *a = (Array *)v.o;
    if (a->aval.rank != 0 || !dtype_is_integer(a->aval.dtype) || value_is_traced(ev, v) || !a->host)
      return false;
    *out = dtype_load_i64(a->host->dtype, a->host->data);
    return true;
  }
  return value_as_int(ev, v, out);
}

static bool slice_bound(Eval *ev, Value v, const SliceObject *slice, size_t position,
                        int64_t *out) {
  if (v_is_none(v)) return false;
  if (value_is_traced(ev, v))
    eval_raise(
        ev, ev->types.IndexError,
        "Slice entries must be static integers. Got slice(%.*s, %.*s, %.*s) at position %zu; "
        "use pl.ds(start, size), or lax.dynamic_slice, for a slice that starts where only "
        "the running program knows",
        STR_FMT(value_repr(ev, slice->start)), STR_FMT(value_repr(ev, slice->stop)),
        STR_FMT(value_repr(ev, slice->step)), position);
  if (value_is_array(ev, v)) v = v_int(take_int(ev, v, "a slice bound"));
  if (!value_as_int(ev, v, out)) *out = take_int(ev, v, "a slice bound");
  return true;
}

static void static_slice(Eval *ev, const SliceObject *slice, int64_t size, size_t position,
                         IndexItem *item) {
  int64_t step = 1, start, stop;
  if (!slice_bound(ev, slice->step, slice, position, &step)) step = 1;
  if (step == 0) eval_raise(ev, ev->types.ValueError, "slice step cannot be zero");
  bool has_start = slice_bound(ev, slice->start, slice, position, &start),
       has_stop = slice_bound(ev, slice->stop, slice, position, &stop);
  SliceBounds bounds =
      slice_of_numbers(size, has_start ? &start : NULL, has_stop ? &stop : NULL, step);
  item->kind = ITEM_SLICE;
  item->start = bounds.start;
  // A step beyond the end is as good as any; one that large is no stride.
  item->step = bounds.step > size ? 1 : bounds.step < -size ? -1 : bounds.step;
  item->count = bounds.count;
}

static size_t mask_positions(Eval *ev, const NdArray *mask, NdArray *at[IR_MAX_RANK]) {
  int64_t total = 1, found = 0;
  for (int d = 0; d < mask->rank; d++) total *= mask->dims[d];
  for (int64_t i = 0; i < total; i++) found += *nd_element(mask, i) != 0;
  for (int d = 0; d < mask->rank; d++) at[d] = host_array_new(ev, DT_I32, 1, &found);
  int64_t n = 0;
  for (int64_t i = 0; i < total; i++) {
    if (*nd_element(mask, i) == 0) continue;
    int64_t rest = i;
    for (int d = mask->rank; d-- > 0; rest /= mask->dims[d])
      ((int32_t *)at[d]->data)[n] = (int32_t)(rest % mask->dims[d]);
    n++;
  }
  return (size_t)found;
}

static Value index_sequence(Eval *ev, Value v) {
  Value numpy_array = module_lookup(ev, "numpy", "asarray");
  const Tuple *items = value_to_tuple(ev, v);
  Value args[] = {v, make_str_c(ev, "int32")};
  return value_call_n(ev, numpy_array, items->count ? 1 : 2, args); // an empty one is of integers
}

// ---- items --------------------------------------------------------------------------------------
typedef struct Reader {
  Eval *ev;
  IndexPlan *plan;
  bool wrap;
  int axis; // the next dimension
} Reader;

static IndexItem *add_item(Reader *r, IndexItemKind kind) {
  if (r->plan->count == INDEX_MAX_ITEMS)
    eval_raise(r->ev, r->ev->types.IndexError, "the index has more than %d items", INDEX_MAX_ITEMS);
  IndexItem *item = &r->plan->items[r->plan->count++];
  *item = (IndexItem){.kind = kind, .axis = kind == ITEM_NEW ? -1 : r->axis++};
  return item;
}

static int64_t axis_size(const Reader *r, int axis) { return r->plan->array->type->dims[axis]; }

// Negative integers count from the end; unsigned ones are never negative.
static IrValue *wrapped(Reader *r, IrValue *x, int64_t size) {
  IrBuilder *b = trace_builder(r->ev);
  bool is_signed = dtype_is_signed(x->type->dtype), is_wide = dtype_bits(x->type->dtype) == 64;
  if (!is_wide) x = ir_convert(b, x, DT_I32);
  if (!is_signed || !r->wrap) return ir_convert(b, x, DT_I32); // wide ones wrap, as in JAX
  IrValue *negative = ir_binary(b, OP_LT, x, ir_const_i64(b, x->type, 0));
  x = ir_select(b, negative, ir_binary(b, OP_ADD, x, ir_const_i64(b, x->type, size)), x);
  return ir_convert(b, x, DT_I32);
}

static void add_host_array(Reader *r, const NdArray *nd) {
  int64_t size = axis_size(r, r->axis);
  IndexItem *item = add_item(r, ITEM_ARRAY);
  NdArray *plain = host_array_new(r->ev, DT_I32, nd->rank, nd->dims);
  int64_t total = 1;
  for (int d = 0; d < nd->rank; d++) total *= nd->dims[d];
  for (int64_t i = 0; i < total; i++) {
    int64_t n = dtype_load_i64(nd->dtype, nd_element(nd, i));
    if (n < 0 && r->wrap) n += size;
    n = n < INT32_MIN ? INT32_MIN : n > INT32_MAX ? INT32_MAX : n;
    ((int32_t *)plain->data)[i] = (int32_t)n;
  }
  item->value = host_constant(r->ev, plain);
  r->plan->has_arrays = true;
}

// True and False as an index: a new dimension of size 1, taken once or not at all.
static void add_bool_scalar(Reader *r, bool taken) {
  IrType type = *r->plan->array->type;
  memmove(type.dims + r->axis + 1, type.dims + r->axis,
          (size_t)(type.rank - r->axis) * sizeof *type.dims);
  type.dims[r->axis] = 1;
  array_type_checked(r->ev, type.dtype, type.rank + 1u, type.dims);
  r->plan->array = ir_reshape(trace_builder(r->ev), r->plan->array, type.rank + 1u, type.dims);
  int64_t count = taken;
  add_host_array(r, host_array_new(r->ev, DT_I32, 1, &count));
}

// "[3, 4]"
static Str list_text(Arena *arena, size_t rank, const int64_t *dims) {
  Buf buf;
  buf_init(&buf, arena);
  for (size_t d = 0; d < rank; d++) buf_printf(&buf, "%s%lld", d ? ", " : "[", (long long)dims[d]);
  buf_c(&buf, "]");
  return buf_view(&buf);
}

static void add_mask(Reader *r, Value v, const Aval *aval, size_t position) {
  if (value_is_traced(r->ev, v))
    eval_raise(r->ev, trace_types(r->ev)->NonConcreteBooleanIndexError,
               "Array boolean indices must be concrete; got %.*s\nHow many elements it selects is "
               "known only when the program runs. Use jnp.where(mask, x, y), or x.at[…] with a "
               "select",
               STR_FMT(aval_text(r->ev->arena, aval)));
  for (int d = 0; d < aval->rank; d++)
    if (r->axis + d < r->plan->array->type->rank && aval->dims[d] != axis_size(r, r->axis + d))
      eval_raise(
          r->ev, r->ev->types.IndexError,
          "boolean index did not match shape of indexed array in index %zu: got %.*s, "
          "expected %.*s",
          position, STR_FMT(shape_text(r->ev->arena, aval->rank, aval->dims)),
          STR_FMT(list_text(r->ev->arena, aval->rank, r->plan->array->type->dims + r->axis)));
  NdArray *at[IR_MAX_RANK];
  NdArray *mask = array_concrete(r->ev, v, "a boolean index");
  if (mask->rank == 0) {
    add_bool_scalar(r, *mask->data != 0);
    return;
  }
  mask_positions(r->ev, mask, at);
  for (int d = 0; d < mask->rank; d++) add_host_array(r, at[d]);
}

static void add_integer(Reader *r, int64_t n) {
  int64_t size = axis_size(r, r->axis);
  IndexItem *item = add_item(r, ITEM_INT);
  item->start = n < 0 && r->wrap ? n + size : n;
  item->count = 1;
}

static void add_array(Reader *r, Value v, const Aval *aval, size_t position) {
  if (aval->dtype == DT_BOOL) {
    add_mask(r, v, aval, position);
    return;
  }
  if (!dtype_is_integer(aval->dtype))
    raise_hinted(r->ev, r->ev->types.TypeError, index_dtype_hint(aval->dtype),
                 "Indexer must have integer or boolean type, got indexer with type %s",
                 v.kind == V_FLOAT ? dtype_name(DT_F64) : dtype_name(aval->dtype));
  int64_t n;
  if (aval->rank == 0 && static_integer(r->ev, v, &n)) {
    add_integer(r, n);
    return;
  }
  if (value_is_nd(r->ev, v)) {
    add_host_array(r, (const NdArray *)v.o);
    return;
  }
  int64_t size = axis_size(r, r->axis);
  IndexItem *item = add_item(r, aval->rank ? ITEM_ARRAY : ITEM_SCALAR);
  item->value = wrapped(r, array_ir(r->ev, v, DT_COUNT), size);
  item->count = 1;
  if (aval->rank) r->plan->has_arrays = true;
}

static void add_window(Reader *r, Value start, Value size, Value stride) {
  int64_t step = v_is_none(stride) ? 1 : take_int(r->ev, stride, "the stride of pl.ds");
  int64_t count = take_int(r->ev, size, "the size of pl.ds"), first;
  int64_t whole = axis_size(r, r->axis);
  if (step < 1 || count < 0)
    eval_raise(r->ev, r->ev->types.ValueError,
               step < 1 ? "the stride of pl.ds must be at least 1, got %lld"
                        : "the size of pl.ds must not be negative, got %lld",
               (long long)(step < 1 ? step : count));
  IndexItem *item = add_item(r, ITEM_WINDOW);
  item->count = count;
  item->step = step;
  if (static_integer(r->ev, start, &first)) {
    item->start = first;
    if (first >= 0 && first + (count - 1) * step < whole)
      item->kind = ITEM_SLICE;
    else
      item->value = ir_i32(trace_builder(r->ev), (int32_t)first);
    return;
  }
  item->value = wrapped(r, array_ir(r->ev, start, DT_COUNT), whole);
  if (step != 1)
    eval_raise(r->ev, r->ev->types.NotImplementedError,
               "pl.ds with a stride and a start known only at run time is not yet supported on "
               "arrays; on refs it is");
}

static void add_whole(Reader *r, size_t position) {
  const SliceObject all = {{r->ev->types.slice}, v_none(), v_none(), v_none()};
  int64_t size = axis_size(r, r->axis);
  static_slice(r->ev, &all, size, position, add_item(r, ITEM_SLICE));
}

static void add_value(Reader *r, Value v, size_t position) {
  Eval *ev = r->ev;
  if (v_is_none(v)) {
    add_item(r, ITEM_NEW);
    return;
  }
  if (v.kind == V_BOOL) {
    add_bool_scalar(r, v.i != 0);
    return;
  }
  if (r->axis >= r->plan->array->type->rank) BUG("an index item beyond the last dimension");
  if (v.kind == V_INT) {
    add_integer(r, v.i);
    return;
  }
  Value start, size, stride;
  if (v.kind == V_OBJECT && v.o->type == ev->types.slice) {
    int64_t whole = axis_size(r, r->axis);
    static_slice(ev, (const SliceObject *)v.o, whole, position, add_item(r, ITEM_SLICE));
    return;
  }
  if (value_as_dynamic_slice(ev, v, &start, &size, &stride)) {
    add_window(r, start, size, stride);
    return;
  }
  if (value_as_tuple(v) || value_as_list(v)) v = index_sequence(ev, v);
  Aval aval;
  if (value_type(ev, v) == ev->types.string)
    eval_raise(ev, ev->types.TypeError, "JAX does not support string indexing; got idx=%.*s",
               STR_FMT(value_repr(ev, v)));
  if (!value_aval(ev, v, false, &aval))
    eval_raise(ev, ev->types.TypeError, "Indexer must have integer or boolean type, got %s%s",
               value_type_name(ev, v), value_is_ref(ev, v) ? "; read the ref first: ref[...]" : "");
  if (v.kind == V_OBJECT || !dtype_is_integer(aval.dtype))
    add_array(r, v, &aval, position);
  else
    add_integer(r, value_unwrap(v).i);
}

// How many dimensions an item takes.
static int dims_taken(Eval *ev, Value v) {
  Aval aval;
  if (v_is_none(v) || v.kind == V_BOOL || v.kind == V_ELLIPSIS) return 0;
  if (v.kind == V_INT) return 1;
  if (value_aval(ev, v, false, &aval) && aval.dtype == DT_BOOL) return aval.rank;
  return 1;
}

void index_plan(Eval *ev, IrValue *array, Value index, bool wrap, IndexPlan *plan) {
  Reader r = {ev, plan, wrap, 0};
  plan->count = 0;
  plan->has_arrays = false;
  plan->array = array;
  Tuple *tuple = value_as_tuple(index);
  size_t count = tuple ? tuple->count : 1;
  const Value *items = tuple ? tuple->items : &index;
  if (!tuple && value_as_list(index))
    eval_raise(ev, ev->types.TypeError,
               "Using a non-tuple sequence for multidimensional indexing is not allowed; use "
               "`arr[array(seq)]` instead of `arr[seq]`. See "
               "https://github.com/jax-ml/jax/issues/4564 for more information.");
  int taken = 0, ellipses = 0;
  for (size_t i = 0; i < count; i++) {
    taken += dims_taken(ev, items[i]);
    ellipses += items[i].kind == V_ELLIPSIS;
  }
  int rank = array->type->rank;
  for (size_t i = 0; i < count && rank == 0; i++)
    if (value_is_ref(ev, items[i]))
      eval_raise(ev, ev->types.IndexError,
                 "only integers, slices (`:`), ellipsis (`...`), newaxis (`None`) and integer or "
                 "boolean arrays are valid indices. Got %.*s; a Ref is read first: ref[...]; an "
                 "index map gets the indices of the grid first, then the scalar-prefetch refs",
                 STR_FMT(value_repr(ev, items[i])));
  if (ellipses > 1)
    eval_raise(ev, ev->types.IndexError, "an index can only have a single ellipsis ('...')");
  if (taken > rank)
    eval_raise(ev, ev->types.IndexError,
               "Too many indices: array is %d-dimensional, but %d were indexed", rank, taken);
  for (size_t i = 0; i < count; i++) {
    if (items[i].kind != V_ELLIPSIS) {
      add_value(&r, items[i], i);
      continue;
    }
    for (int d = 0; d < rank - taken; d++) add_whole(&r, i);
  }
  while (r.axis < plan->array->type->rank) add_whole(&r, count);
}
