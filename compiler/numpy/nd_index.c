// SPDX-License-Identifier: Apache-2.0
// NumPy's indexing of host arrays: basic indices give views, integer and boolean arrays give
// copies.
#include "nd_index.h"
#include "nd_shape.h"
#include "python/objects/convert.h"
#include "python/objects/protocol.h"
#include "python/objects/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/values.h"
#include <string.h>

// One index after None and ... have been placed.
typedef enum StepKind { STEP_NEW, STEP_SLICE, STEP_INT, STEP_ARRAY } StepKind;
typedef struct Step {
  StepKind kind;
  int axis;                   // of the source; -1 for a new one
  int64_t start, count, step; // slices and ints
  NdArray *array;             // int64, contiguous
} Step;

typedef struct Plan {
  Eval *ev;
  const NdArray *nd;
  Step steps[3 * ND_MAX_RANK];
  size_t count;
  int axis; // next of the source
  bool any_array;
} Plan;

static void push(Plan *plan, Step step) {
  if (plan->count == COUNT_OF(plan->steps))
    eval_raise(plan->ev, plan->ev->types.IndexError, "too many indices for array");
  plan->steps[plan->count++] = step;
}

static int next_axis(Plan *plan) {
  if (plan->axis >= plan->nd->rank)
    eval_raise(plan->ev, plan->ev->types.IndexError,
               "too many indices for array: array is %d-dimensional", plan->nd->rank);
  return plan->axis++;
}

static int64_t bounded(Plan *plan, int64_t i, int axis) {
  int64_t n = plan->nd->dims[axis];
  if (i < -n || i >= n)
    eval_raise(plan->ev, plan->ev->types.IndexError,
               "index %lld is out of bounds for axis %d with size %lld", (long long)i, axis,
               (long long)n);
  return i < 0 ? i + n : i;
}

static int64_t slice_part(Plan *plan, Value v, int64_t missing) {
  return v_is_none(v) ? missing : take_int(plan->ev, v, "slice index");
}

static int64_t clamp(int64_t x, int64_t low, int64_t high) {
  return x < low ? low : x > high ? high : x;
}

static void add_slice(Plan *plan, const SliceObject *s) {
  int axis = next_axis(plan);
  int64_t n = plan->nd->dims[axis], step = slice_part(plan, s->step, 1);
  if (step == 0) eval_raise(plan->ev, plan->ev->types.ValueError, "slice step cannot be zero");
  int64_t low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
  int64_t start = slice_part(plan, s->start, step > 0 ? 0 : INT64_MAX),
          stop = slice_part(plan, s->stop, step > 0 ? INT64_MAX : INT64_MIN);
  if (start < 0) start += n;
  if (stop < 0 && stop != INT64_MIN) stop += n;
  start = clamp(start, low, high);
  stop = clamp(stop, low, high);
  int64_t distance = step > 0 ? stop - start : start - stop, magnitude = step > 0 ? step : -step;
  push(plan, (Step){STEP_SLICE, axis, start,
                    distance > 0 ? (distance + magnitude - 1) / magnitude : 0, step, NULL});
}

// A boolean mask stands for the integer arrays of where it is true.
static void add_mask(Plan *plan, const NdArray *mask) {
  Eval *ev = plan->ev;
  int64_t count = nd_count(mask), found = 0;
  for (int i = 0; i < mask->rank; i++) {
    int axis = plan->axis + i;
    if (axis >= plan->nd->rank || plan->nd->dims[axis] != mask->dims[i])
      eval_raise(ev, ev->types.IndexError,
                 "boolean index did not match indexed array along axis %d; size of axis is %lld "
                 "but size of corresponding boolean axis is %lld",
                 axis, (long long)(axis < plan->nd->rank ? plan->nd->dims[axis] : 0),
                 (long long)mask->dims[i]);
  }
  for (int64_t i = 0; i < count; i++) found += nd_get_i64(mask, i) != 0;
  NdArray *where[ND_MAX_RANK];
  for (int d = 0; d < mask->rank; d++) where[d] = nd_new(ev, DT_I64, 1, &found);
  int64_t at = 0;
  for (int64_t i = 0; i < count; i++) {
    if (!nd_get_i64(mask, i)) continue;
    int64_t rest = i;
    for (int d = mask->rank; d-- > 0;) {
      ((int64_t *)where[d]->data)[at] = rest % mask->dims[d];
      rest /= mask->dims[d];
    }
    at++;
  }
  for (int d = 0; d < mask->rank; d++)
    push(plan, (Step){STEP_ARRAY, next_axis(plan), 0, 0, 1, where[d]});
  plan->any_array = true;
}

static void add_array(Plan *plan, NdArray *index) {
  Eval *ev = plan->ev;
  if (index->dtype == DT_BOOL) {
    add_mask(plan, index);
    return;
  }
  if (dtype_is_float(index->dtype) && nd_count(index) > 0)
    eval_raise(ev, ev->types.IndexError,
               "arrays used as indices must be of integer (or boolean) type");
  int axis = next_axis(plan);
  NdArray *wide = nd_cast(ev, index, DT_I64);
  int64_t count = nd_count(wide);
  for (int64_t i = 0; i < count; i++)
    ((int64_t *)wide->data)[i] = bounded(plan, ((int64_t *)wide->data)[i], axis);
  push(plan, (Step){STEP_ARRAY, axis, 0, 0, 1, wide});
  plan->any_array = true;
}

// How many axes of the source an index takes.
static int axes_taken(Eval *ev, Value v) {
  if (v.kind == V_NONE || v.kind == V_ELLIPSIS) return 0;
  if (value_is_nd(ev, v) && ((const NdArray *)v.o)->dtype == DT_BOOL)
    return ((const NdArray *)v.o)->rank;
  return 1;
}

static void add_index(Plan *plan, Value v) {
  Eval *ev = plan->ev;
  int64_t i;
  if (v.kind == V_NONE) {
    push(plan, (Step){STEP_NEW, -1, 0, 1, 1, NULL});
  } else if (v.kind == V_OBJECT && v.o->type == ev->types.slice) {
    add_slice(plan, (const SliceObject *)v.o);
  } else if (v.kind != V_BOOL && !(value_is_nd(ev, v) && ((const NdArray *)v.o)->rank > 0) &&
             value_as_int(ev, v, &i)) {
    int axis = next_axis(plan);
    push(plan, (Step){STEP_INT, axis, bounded(plan, i, axis), 1, 1, NULL});
  } else if (v.kind == V_OBJECT || v.kind == V_BOOL) {
    if (v.kind == V_OBJECT && v.o->type == ev->types.string)
      eval_raise(ev, ev->types.IndexError,
                 "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and "
                 "integer or boolean arrays are valid indices");
    add_array(plan, nd_from_value(ev, v, DT_COUNT, "an index"));
  } else {
    eval_raise(ev, ev->types.IndexError,
               "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer "
               "or boolean arrays are valid indices");
  }
}

static void make_plan(Plan *plan, Eval *ev, const NdArray *nd, Value index) {
  *plan = (Plan){.ev = ev, .nd = nd};
  const Tuple *tuple = value_as_tuple(index);
  const Value *items = tuple ? tuple->items : &index;
  size_t count = tuple ? tuple->count : 1;
  int taken = 0;
  bool ellipsis = false;
  for (size_t i = 0; i < count; i++) taken += axes_taken(ev, items[i]);
  for (size_t i = 0; i < count; i++) {
    if (items[i].kind != V_ELLIPSIS) {
      add_index(plan, items[i]);
      continue;
    }
    if (ellipsis)
      eval_raise(ev, ev->types.IndexError, "an index can only have a single ellipsis ('...')");
    ellipsis = true;
    for (int left = nd->rank - taken; left > 0; left--) {
      int axis = next_axis(plan);
      push(plan, (Step){STEP_SLICE, axis, 0, nd->dims[axis], 1, NULL});
    }
  }
  while (plan->axis < nd->rank) {
    int axis = next_axis(plan);
    push(plan, (Step){STEP_SLICE, axis, 0, nd->dims[axis], 1, NULL});
  }
}

// Slices, ints and new axes only: the same memory.
static NdArray *basic_view(Plan *plan) {
  NdArray *view = nd_view(plan->ev, plan->nd);
  view->rank = 0;
  for (size_t i = 0; i < plan->count; i++) {
    const Step *s = &plan->steps[i];
    int64_t stride = s->axis >= 0 ? plan->nd->strides[s->axis] : 0;
    if (s->kind != STEP_ARRAY) view->data += s->start * stride;
    if (s->kind == STEP_INT || s->kind == STEP_ARRAY) continue;
    if (view->rank == ND_MAX_RANK)
      eval_raise(plan->ev, plan->ev->types.IndexError, "too many dimensions");
    view->dims[view->rank] = s->count;
    view->strides[view->rank++] = stride * s->step;
  }
  return view;
}

// The byte offsets from the source's data of the elements that an index with arrays names, and
// their shape.
static NdArray *element_offsets(Plan *plan) {
  Eval *ev = plan->ev;
  NdArray *arrays[ND_MAX_RANK];
  size_t array_count = 0, first = 0, last = 0;
  for (size_t i = 0; i < plan->count; i++) {
    Step *s = &plan->steps[i];
    if (s->kind == STEP_INT) { // among arrays an int is an array of rank 0
      s->array = nd_new(ev, DT_I64, 0, NULL);
      *(int64_t *)s->array->data = s->start;
      s->kind = STEP_ARRAY;
    }
    if (s->kind != STEP_ARRAY) continue;
    if (array_count == 0) first = i;
    last = i;
    arrays[array_count++] = s->array;
  }
  uint8_t rank;
  int64_t dims[ND_MAX_RANK];
  if (!nd_common_shape(array_count, arrays, &rank, dims))
    eval_raise(ev, ev->types.IndexError,
               "shape mismatch: indexing arrays could not be broadcast together");
  bool together = last - first + 1 == array_count;
  // The result's dimensions: those of the slices, and those of the arrays where the first stood, or
  // in front.
  // Stride 0 where the arrays' dimensions are.
  int64_t shape[2 * ND_MAX_RANK], strides[2 * ND_MAX_RANK];
  size_t out = 0, array_at = 0;
  for (size_t i = 0; i <= plan->count; i++) {
    if (together ? i == first : i == 0) {
      array_at = out;
      for (int d = 0; d < rank; d++) shape[out] = dims[d], strides[out++] = 0;
    }
    if (i == plan->count || plan->steps[i].kind == STEP_ARRAY) continue;
    const Step *s = &plan->steps[i];
    shape[out] = s->count;
    strides[out++] = s->axis >= 0 ? plan->nd->strides[s->axis] * s->step : 0;
  }
  if (out > ND_MAX_RANK) eval_raise(ev, ev->types.IndexError, "too many dimensions");
  int64_t base = 0;
  for (size_t i = 0; i < plan->count; i++)
    if (plan->steps[i].kind == STEP_SLICE)
      base += plan->steps[i].start * plan->nd->strides[plan->steps[i].axis];
  NdArray *offsets = nd_new(ev, DT_I64, out, shape);
  int64_t count = nd_count(offsets), position[ND_MAX_RANK] = {0};
  for (size_t a = 0; a < array_count; a++) arrays[a] = nd_broadcast(ev, arrays[a], rank, dims);
  for (int64_t i = 0; i < count; i++) {
    int64_t rest = i, offset = base, inner = 0;
    for (size_t d = out; d-- > 0;) position[d] = rest % shape[d], rest /= shape[d];
    for (size_t d = 0; d < out; d++) offset += position[d] * strides[d];
    for (int d = 0; d < rank; d++) inner = inner * dims[d] + position[array_at + (size_t)d];
    for (size_t s = 0, a = 0; s < plan->count; s++)
      if (plan->steps[s].kind == STEP_ARRAY)
        offset += nd_get_i64(arrays[a++], inner) * plan->nd->strides[plan->steps[s].axis];
    ((int64_t *)offsets->data)[i] = offset;
  }
  return offsets;
}

Value nd_getitem(Eval *ev, Value self, Value index) {
  const NdArray *nd = (const NdArray *)self.o;
  Plan plan;
  if (value_as_list(index))
    index =
        v_object(nd_from_value(ev, index, value_len(ev, index) ? DT_COUNT : DT_I64, "an index"));
  make_plan(&plan, ev, nd, index);
  if (!plan.any_array) {
    NdArray *view = basic_view(&plan);
    return view->rank == 0 && !(value_as_tuple(index) ? false : index.kind == V_ELLIPSIS)
               ? nd_value(ev, view)
               : v_object(view);
  }
  NdArray *offsets = element_offsets(&plan);
  NdArray *out = nd_new(ev, nd->dtype, offsets->rank, offsets->dims);
  size_t size = dtype_size(nd->dtype);
  int64_t count = nd_count(out);
  for (int64_t i = 0; i < count; i++)
    memcpy(out->data + (size_t)i * size, nd->data + ((int64_t *)offsets->data)[i], size);
  return nd_value(ev, out);
}

void nd_setitem(Eval *ev, Value self, Value index, Value value) {
  NdArray *nd = (NdArray *)self.o;
  if (nd->is_scalar)
    eval_raise(ev, ev->types.TypeError, "'%s' object does not support item assignment",
               value_type_name(ev, self));
  if (nd->readonly) eval_raise(ev, ev->types.ValueError, "assignment destination is read-only");
  Plan plan;
  if (value_as_list(index)) index = v_object(nd_from_value(ev, index, DT_COUNT, "an index"));
  make_plan(&plan, ev, nd, index);
  NdArray *source =
      nd_cast(ev, nd_from_value(ev, value, DT_COUNT, "assignment to an array"), nd->dtype);
  size_t size = dtype_size(nd->dtype);
  if (!plan.any_array) {
    NdArray *view = basic_view(&plan);
    source = nd_broadcast(ev, source, view->rank, view->dims);
    int64_t count = nd_count(view);
    for (int64_t i = 0; i < count; i++)
      memcpy((char *)nd_element(view, i), nd_element(source, i), size);
    return;
  }
  NdArray *offsets = element_offsets(&plan);
  source = nd_broadcast(ev, source, offsets->rank, offsets->dims);
  int64_t count = nd_count(offsets);
  for (int64_t i = 0; i < count; i++)
    memcpy(nd->data + ((int64_t *)offsets->data)[i], nd_element(source, i), size);
}

// ---- broadcasting -------------------------------------------------------------------------------

bool nd_common_shape(size_t count, NdArray *const *arrays, uint8_t *rank, int64_t *dims) {
  *rank = 0;
  for (size_t i = 0; i < count; i++)
    if (arrays[i]->rank > *rank) *rank = arrays[i]->rank;
  for (int d = 0; d < *rank; d++) {
    dims[d] = 1;
    for (size_t i = 0; i < count; i++) {
      int axis = d - (*rank - arrays[i]->rank);
      int64_t n = axis < 0 ? 1 : arrays[i]->dims[axis];
      if (n == 1) continue;
      if (dims[d] != 1 && dims[d] != n) return false;
      dims[d] = n;
    }
  }
  return true;
}

NdArray *nd_broadcast(Eval *ev, const NdArray *nd, size_t rank, const int64_t *dims) {
  NdArray *view = nd_view(ev, nd);
  size_t lead = rank - nd->rank;
  bool fits = nd->rank <= rank;
  for (size_t i = 0; fits && i < rank; i++) {
    int64_t n = i < lead ? 1 : nd->dims[i - lead];
    if (n != 1 && n != dims[i]) fits = false;
    view->dims[i] = dims[i];
    view->strides[i] = n == 1 ? 0 : nd->strides[i - lead];
  }
  // Leading dimensions of size 1 may be dropped in an assignment.
  if (nd->rank > rank) {
    size_t extra = nd->rank - rank;
    fits = true;
    for (size_t i = 0; i < extra; i++) fits &= nd->dims[i] == 1;
    if (fits) {
      NdArray *tail = nd_view(ev, nd);
      tail->rank = (uint8_t)rank;
      memmove(tail->dims, tail->dims + extra, rank * sizeof *tail->dims);
      memmove(tail->strides, tail->strides + extra, rank * sizeof *tail->strides);
      return nd_broadcast(ev, tail, rank, dims);
    }
  }
  if (!fits)
    eval_raise(ev, ev->types.ValueError,
               "could not broadcast input array from shape %.*s into shape %.*s",
               STR_FMT(shape_text(ev->arena, nd->rank, nd->dims)),
               STR_FMT(shape_text(ev->arena, rank, dims)));
  view->rank = (uint8_t)rank;
  view->readonly = true;
  return view;
}
