// SPDX-License-Identifier: Apache-2.0
// NumPy's indexing of host arrays: basic indices give views, integer and boolean arrays give
// copies.
#include "base/buf.h"
#include "numpy/arrays/nd_broadcast.h"
#include "numpy/arrays/nd_convert.h"
#include "nd_index.h"
#include "numpy/loops/complex_types.h"
#include "numpy/loops/loops.h"
#include "numpy/ufuncs/nd_errors.h"
#include "numpy/arrays/nd_shape.h"
#include "numpy/numpy_state.h"
#include "python/builtins/builtin_slice.h"
#include "python/objects/convert.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/values/suggest.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// One index after None and ... have been placed.
typedef enum StepKind { STEP_NEW, STEP_SLICE, STEP_INT, STEP_ARRAY } StepKind;
typedef struct Step {
  StepKind kind;
  int axis;                   // of the source; -1 for a new one
  int64_t start, count, step; // slices and ints
  NdArray *array;             // int64, contiguous
  int64_t stride;             // in bytes, of the array's places
  bool is_made;               // the array, here: nobody else has it
} Step;

typedef struct Plan {
  Eval *ev;
  const NdArray *nd;
  Step steps[3 * ND_MAX_RANK];
  size_t count;
  int axis;  // next of the source
  int taken; // axes that the index asks for
  bool any_array;
  int beyond_axis; // of the first place of an array that is out of bounds; -1: none is
  int64_t beyond;  // that place
} Plan;

static void push(Plan *plan, Step step) {
  if (plan->count == COUNT_OF(plan->steps))
    eval_raise(plan->ev, plan->ev->types.IndexError, "too many indices for array");
  plan->steps[plan->count++] = step;
}

// That so many more axes of the source are there.
static void check_axes(Plan *plan, int count) {
  if (plan->axis + count <= plan->nd->rank) return;
  if (plan->nd->is_scalar)
    eval_raise(plan->ev, plan->ev->types.IndexError, "invalid index to scalar variable.");
  eval_raise(plan->ev, plan->ev->types.IndexError,
             "too many indices for array: array is %d-dimensional, but %d were indexed",
             plan->nd->rank, plan->taken);
}

static int next_axis(Plan *plan) {
  check_axes(plan, 1);
  return plan->axis++;
}

static NORETURN void raise_beyond(Plan *plan, int64_t i, int axis) {
  eval_raise(plan->ev, plan->ev->types.IndexError,
             "index %lld is out of bounds for axis %d with size %lld", (long long)i, axis,
             (long long)plan->nd->dims[axis]);
}

static int64_t bounded(Plan *plan, int64_t i, int axis) {
  int64_t n = plan->nd->dims[axis];
  if (i < -n || i >= n) raise_beyond(plan, i, axis);
  return i < 0 ? i + n : i;
}

// Of arrays that is said last, when all shapes fit.
static int64_t bounded_later(Plan *plan, int64_t i, int axis) {
  int64_t n = plan->nd->dims[axis];
  if (i >= -n && i < n) return i < 0 ? i + n : i;
  if (plan->beyond_axis < 0) {
    plan->beyond_axis = axis;
    plan->beyond = i;
  }
  return 0;
}

static void check_bounds(Plan *plan) {
  if (plan->beyond_axis >= 0) raise_beyond(plan, plan->beyond, plan->beyond_axis);
}

static void add_slice(Plan *plan, const SliceObject *s) {
  int axis = next_axis(plan);
  SliceBounds bounds = slice_bounds(plan->ev, s, plan->nd->dims[axis]);
  push(plan, (Step){STEP_SLICE, axis, bounds.start, bounds.count, bounds.step, NULL, 0, false});
}

static void push_array(Plan *plan, int axis, int64_t stride, NdArray *places) {
  push(plan, (Step){STEP_ARRAY, axis, 0, 0, 1, places, stride, false});
  plan->any_array = true;
}

// The axes from `first` on that a mask stands for lie in memory as one axis.
static bool are_one_axis(const NdArray *nd, int first, int count) {
  for (int d = first; d + 1 < first + count; d++)
    if (nd->strides[d] != nd->strides[d + 1] * nd->dims[d + 1]) return false;
  return true;
}

// Where an array of truth values is true, in its row-major order.
NdArray *nd_places(Eval *ev, const NdArray *mask) {
  mask = nd_contiguous(ev, mask);
  const uint8_t *set = (const uint8_t *)mask->data;
  int64_t count = nd_count(mask), found = nd_count_true(set, count);
  NdArray *places = nd_new_unset(ev, DT_I64, 1, &found);
  nd_true_places(set, count, (int64_t *)places->data, found);
  return places;
}

// Places of an array of a shape, as indices of its dimension d.
NdArray *nd_places_along(Eval *ev, const NdArray *places, int rank, const int64_t *dims, int d) {
  int64_t inner = 1;
  for (int i = d + 1; i < rank; i++) inner *= dims[i];
  if (rank == 1) return nd_view(ev, places);
  NdArray *out = nd_new_unset(ev, DT_I64, 1, places->dims);
  const int64_t *from = (const int64_t *)places->data;
  for (int64_t i = 0; i < places->dims[0]; i++)
    ((int64_t *)out->data)[i] = from[i] / inner % dims[d];
  return out;
}

// A boolean mask stands for the integer arrays of where it is true.
static void add_mask(Plan *plan, const NdArray *mask) {
  Eval *ev = plan->ev;
  check_axes(plan, mask->rank);
  for (int i = 0; i < mask->rank; i++) {
    int axis = plan->axis + i;
    if (plan->nd->dims[axis] != mask->dims[i])
      eval_raise(ev, ev->types.IndexError,
                 "boolean index did not match indexed array along axis %d; size of axis is %lld "
                 "but size of corresponding boolean axis is %lld",
                 axis, (long long)plan->nd->dims[axis], (long long)mask->dims[i]);
  }
  NdArray *places = nd_places(ev, mask);
  int first = plan->axis;
  bool is_one = mask->rank > 0 && are_one_axis(plan->nd, first, mask->rank);
  plan->axis += mask->rank;
  if (is_one) {
    int last = plan->axis - 1;
    push_array(plan, last, plan->nd->strides[last], places);
    plan->steps[plan->count - 1].is_made = true;
    return;
  }
  for (int d = 0; d < mask->rank; d++)
    push_array(plan, first + d, plan->nd->strides[first + d],
               nd_places_along(ev, places, mask->rank, mask->dims, d));
  if (mask->rank == 0) { // one element, or none
    push_array(plan, -1, 0, places);
  }
}

static bool are_within(const int64_t *places, int64_t count, int64_t size) {
  int64_t below = 0;
  for (int64_t i = 0; i < count; i++) below |= places[i];
  return below >= 0 && nd_are_places(places, count, size);
}

static void add_array(Plan *plan, NdArray *index) {
  Eval *ev = plan->ev;
  if (index->dtype == DT_BOOL) {
    add_mask(plan, index);
    return;
  }
  if (!dtype_is_integer(index->dtype) && index->dtype != DT_BOOL && nd_count(index) > 0)
    eval_raise(ev, ev->types.IndexError,
               "arrays used as indices must be of integer (or boolean) type");
  int axis = next_axis(plan);
  NdArray *wide = nd_view(ev, nd_contiguous(ev, nd_as(ev, index, DT_I64)));
  if (!are_within((const int64_t *)wide->data, nd_count(wide), plan->nd->dims[axis])) {
    int64_t *places = (int64_t *)(wide = nd_cast(ev, wide, DT_I64))->data;
    for (int64_t i = 0, count = nd_count(wide); i < count; i++)
      places[i] = bounded_later(plan, places[i], axis);
  }
  push_array(plan, axis, plan->nd->strides[axis], wide);
}

// How many axes of the source an index takes.
static int axes_taken(Eval *ev, Value v) {
  if (v.kind == V_NONE || v.kind == V_ELLIPSIS || v.kind == V_BOOL) return 0;
  if (value_is_nd(ev, v) && ((const NdArray *)v.o)->dtype == DT_BOOL)
    return ((const NdArray *)v.o)->rank;
  return 1;
}

static void add_index(Plan *plan, Value v) {
  Eval *ev = plan->ev;
  int64_t i;
  if (v.kind == V_NONE) {
    push(plan, (Step){STEP_NEW, -1, 0, 1, 1, NULL, 0, false});
  } else if (v.kind == V_OBJECT && v.o->type == ev->types.slice) {
    add_slice(plan, (const SliceObject *)v.o);
  } else if (v.kind != V_BOOL && !(value_is_nd(ev, v) && ((const NdArray *)v.o)->rank > 0) &&
             value_as_int(ev, v, &i)) {
    int axis = next_axis(plan);
    push(plan, (Step){STEP_INT, axis, bounded(plan, i, axis), 1, 1, NULL, plan->nd->strides[axis],
                      false});
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
  plan->ev = ev;
  plan->nd = nd;
  plan->count = 0;
  plan->axis = 0;
  plan->any_array = false;
  plan->beyond_axis = -1;
  const Tuple *tuple = value_as_tuple(index);
  const Value *items = tuple ? tuple->items : &index;
  size_t count = tuple ? tuple->count : 1;
  plan->taken = 0;
  bool ellipsis = false;
  for (size_t i = 0; i < count; i++) plan->taken += axes_taken(ev, items[i]);
  check_axes(plan, plan->taken);
  for (size_t i = 0; i < count; i++) {
    if (items[i].kind != V_ELLIPSIS) {
      add_index(plan, items[i]);
      continue;
    }
    if (ellipsis)
      eval_raise(ev, ev->types.IndexError, "an index can only have a single ellipsis ('...')");
    ellipsis = true;
    for (int left = nd->rank - plan->taken; left > 0; left--) {
      int axis = next_axis(plan);
      push(plan, (Step){STEP_SLICE, axis, 0, nd->dims[axis], 1, NULL, 0, false});
    }
  }
  while (plan->axis < nd->rank) {
    int axis = next_axis(plan);
    push(plan, (Step){STEP_SLICE, axis, 0, nd->dims[axis], 1, NULL, 0, false});
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

// What an index with arrays names: a part of the source, the slices' dimensions, for each place
// that the arrays name.
typedef struct Picked {
  size_t rank; // of the result
  int64_t dims[ND_MAX_RANK];
  size_t array_at, array_rank; // which of them are the arrays'
  NdArray part;                // at offset 0; its strides in the source
  int part_dims[ND_MAX_RANK];  // of each of its dimensions, the result's
  int64_t places;
  const int64_t *offsets; // of each place, in bytes from the source's data
  NdArray *held;          // that has them
} Picked;

// Among arrays an int is an array of rank 0.
static size_t gather_arrays(Plan *plan, NdArray **arrays, size_t *first, bool *together) {
  size_t count = 0, last = 0;
  for (size_t i = 0; i < plan->count; i++) {
    Step *s = &plan->steps[i];
    if (s->kind == STEP_INT) {
      s->array = nd_new(plan->ev, DT_I64, 0, NULL);
      *(int64_t *)s->array->data = s->start;
      s->kind = STEP_ARRAY;
    }
    if (s->kind != STEP_ARRAY) continue;
    if (count == 0) *first = i;
    last = i;
    if (count == ND_MAX_RANK)
      eval_raise(plan->ev, plan->ev->types.IndexError, "too many dimensions");
    arrays[count++] = s->array;
  }
  *together = last - *first + 1 == count;
  return count;
}

// The only array of an index, if it was made for that; or NULL.
static NdArray *only_made(const Plan *plan) {
  const Step *found = NULL;
  for (size_t s = 0; s < plan->count; s++) {
    if (plan->steps[s].kind != STEP_ARRAY) continue;
    if (found) return NULL;
    found = &plan->steps[s];
  }
  return found && found->is_made ? found->array : NULL;
}

// In the place of the places where these are not used again.
static void compute_offsets(Plan *plan, Picked *picked, uint8_t rank, const int64_t *dims,
                            int64_t base) {
  Eval *ev = plan->ev;
  NdArray *offsets = only_made(plan);
  if (!offsets) offsets = nd_new_unset(ev, DT_I64, rank, dims);
  picked->held = offsets;
  picked->places = nd_count(offsets);
  int64_t *out = (int64_t *)offsets->data;
  picked->offsets = out;
  bool is_first = true;
  for (size_t s = 0; s < plan->count; s++) {
    const Step *step = &plan->steps[s];
    if (step->kind != STEP_ARRAY) continue;
    const NdArray *places = nd_contiguous(ev, nd_broadcast(ev, step->array, rank, dims));
    const int64_t *at = (const int64_t *)places->data;
    for (int64_t i = 0; i < picked->places; i++)
      out[i] = (is_first ? base : out[i]) + at[i] * step->stride;
    is_first = false;
  }
}

// The result's dimensions are those of the slices, and those of the arrays where the first stood,
// or in front.
static void pick_elements(Plan *plan, Picked *picked) {
  Eval *ev = plan->ev;
  NdArray *arrays[ND_MAX_RANK] = {NULL};
  size_t first = 0;
  bool together;
  size_t count = gather_arrays(plan, arrays, &first, &together);
  uint8_t rank;
  int64_t dims[ND_MAX_RANK], base = 0;
  if (!nd_common_shape(count, arrays, &rank, dims)) {
    Buf buf;
    buf_init(&buf, ev->arena);
    for (size_t i = 0; i < count; i++)
      buf_printf(&buf, "%.*s ",
                 STR_FMT(shape_close_text(ev->arena, arrays[i]->rank, arrays[i]->dims)));
    eval_raise(ev, ev->types.IndexError,
               "shape mismatch: indexing arrays could not be broadcast together with shapes %.*s",
               STR_FMT(buf_view(&buf)));
  }
  *picked = (Picked){.array_rank = rank};
  nd_header(&picked->part, plan->nd);
  picked->part.rank = 0;
  for (size_t i = 0; i <= plan->count; i++) {
    if (together ? i == first : i == 0) {
      if (picked->rank + rank > ND_MAX_RANK)
        eval_raise(ev, ev->types.IndexError, "too many dimensions");
      picked->array_at = picked->rank;
      for (int d = 0; d < rank; d++) picked->dims[picked->rank++] = dims[d];
    }
    if (i == plan->count || plan->steps[i].kind == STEP_ARRAY) continue;
    const Step *s = &plan->steps[i];
    int64_t stride = s->axis >= 0 ? plan->nd->strides[s->axis] : 0;
    if (s->kind == STEP_SLICE) base += s->start * stride;
    if (picked->rank == ND_MAX_RANK) eval_raise(ev, ev->types.IndexError, "too many dimensions");
    int at = picked->part.rank++;
    picked->part.dims[at] = picked->dims[picked->rank] = s->count;
    // Of one element it may be anything.
    picked->part.strides[at] = (int64_t)((uint64_t)stride * (uint64_t)s->step);
    picked->part_dims[at] = (int)picked->rank++;
  }
  compute_offsets(plan, picked, rank, dims, base);
}

#define MOVE(T)                                                                                    \
  for (int64_t i = 0; i < count; i++) {                                                            \
    char *mine = source + offsets[i], *theirs = other + i * step;                                  \
    memcpy(is_store ? mine : theirs, is_store ? theirs : mine, sizeof(T));                         \
  }                                                                                                \
  break

// `step`: from an element of the other to the next, 0 if all places get the same one.
static void move_single(char *source, const int64_t *offsets, int64_t count, char *other,
                        size_t size, bool is_store, int64_t step) {
  switch (size) {
  case 1: MOVE(uint8_t);
  case 2: MOVE(uint16_t);
  case 4: MOVE(uint32_t);
  case 8: MOVE(uint64_t);
  default: MOVE(complex_f64);
  }
}

#define GATHER(T)                                                                                  \
  for (int64_t i = 0; i < places; i++) {                                                           \
    const char *source = from->data + offsets[i];                                                  \
    char *target = to->data + i * step;                                                            \
    for (int64_t row = 0; row < rows; row++)                                                       \
      memcpy(target + row * to_stride, source + row * from_stride, sizeof(T));                     \
  }                                                                                                \
  break

// Lines of elements, of which each place takes one, where a line's elements lie apart in the
// result: place by place.
static void gather_lines(const NdArray *from, const NdArray *to, const int64_t *offsets,
                         int64_t places, int64_t step, size_t size) {
  int64_t rows = from->dims[0], from_stride = from->strides[0], to_stride = to->strides[0];
  switch (size) {
  case 1: GATHER(uint8_t);
  case 2: GATHER(uint16_t);
  case 4: GATHER(uint32_t);
  case 8: GATHER(uint64_t);
  default: GATHER(complex_f64);
  }
}

// Dimensions that follow each other in both are one.
static void join_dims(NdArray *a, NdArray *b) {
  int rank = 0;
  for (int d = 1; d < a->rank; d++) {
    bool follows = a->strides[rank] == a->dims[d] * a->strides[d] &&
                   b->strides[rank] == a->dims[d] * b->strides[d];
    int64_t dim = follows ? a->dims[rank] * a->dims[d] : a->dims[d];
    rank += !follows;
    a->dims[rank] = b->dims[rank] = dim;
    a->strides[rank] = a->strides[d], b->strides[rank] = b->strides[d];
  }
  a->rank = b->rank = (uint8_t)(rank + 1);
}

static bool is_one_element(const NdArray *nd) {
  for (int d = 0; d < nd->rank; d++)
    if (nd->strides[d] && nd->dims[d] != 1) return false;
  return true;
}

// Between the elements that an index names and an array of the result's shape, of which the
// places lie close to one another, or one element over and over.
static void move_elements(const NdArray *nd, const Picked *picked, NdArray *other, bool is_store) {
  size_t size = dtype_size(nd->dtype);
  bool is_one = is_one_element(other);
  if (nd_count(other) == 0) return;
  if (picked->part.rank == 0) {
    move_single(nd->data, picked->offsets, picked->places, other->data, size, is_store,
                is_one ? 0 : (int64_t)size);
    return;
  }
  NdArray mine = picked->part, theirs;
  nd_header(&theirs, other);
  theirs.rank = mine.rank;
  for (int d = 0; d < mine.rank; d++) {
    theirs.dims[d] = mine.dims[d];
    theirs.strides[d] = other->strides[picked->part_dims[d]];
  }
  int64_t step = picked->array_rank ? other->strides[picked->array_at + picked->array_rank - 1] : 0;
  bool ends_in_places = picked->array_at + picked->array_rank == other->rank;
  join_dims(&mine, &theirs);
  if (ends_in_places && picked->places > 1) {
    mine.data = nd->data;
    if (!is_store && mine.rank == 1 && step > (int64_t)size) {
      gather_lines(&mine, &theirs, picked->offsets, picked->places, step, size);
      return;
    }
    for (int64_t i = 0, count = nd_count(&mine); i < count; i++) {
      bool is_line = mine.rank == 1;
      char *row = is_line ? mine.data + i * mine.strides[0] : nd_element(&mine, i);
      char *to = is_line ? theirs.data + i * theirs.strides[0] : nd_element(&theirs, i);
      move_single(row, picked->offsets, picked->places, to, size, is_store, is_one ? 0 : step);
    }
    return;
  }
  bool is_row = nd_is_contiguous(&mine) && nd_is_contiguous(&theirs);
  size_t row = (size_t)nd_count(&mine) * size;
  for (int64_t i = 0; i < picked->places; i++) {
    mine.data = nd->data + picked->offsets[i];
    theirs.data = other->data + i * step;
    NdArray *to = is_store ? &mine : &theirs, *from = is_store ? &theirs : &mine;
    if (is_row)
      memcpy(to->data, from->data, row);
    else
      nd_copy(to, from);
  }
}

static bool has_ellipsis(Value index) {
  const Tuple *tuple = value_as_tuple(index);
  for (size_t i = 0; tuple && i < tuple->count; i++)
    if (tuple->items[i].kind == V_ELLIPSIS) return true;
  return index.kind == V_ELLIPSIS;
}

// Of an index that is an int for each dimension; NULL: another one, or it is out of bounds.
static const char *single_element(const NdArray *nd, Value index) {
  const Tuple *tuple = value_as_tuple(index);
  const Value *items = tuple ? tuple->items : &index;
  if ((tuple ? tuple->count : 1) != nd->rank || nd->rank == 0) return NULL;
  const char *at = nd->data;
  for (int d = 0; d < nd->rank; d++) {
    int64_t n = nd->dims[d], i = items[d].i < 0 ? items[d].i + n : items[d].i;
    if (items[d].kind != V_INT || i < 0 || i >= n) return NULL;
    at += i * nd->strides[d];
  }
  return at;
}

// By one array of integers, of the first dimension of an array whose rows are single elements or
// lie row by row; NULL: another index, or some places are beyond.
static NdArray *rows_at(Eval *ev, const NdArray *nd, Value index) {
  if (!value_is_nd(ev, index) || nd->rank == 0) return NULL;
  const NdArray *places = (const NdArray *)index.o;
  if (places->rank == 0 || places->rank + nd->rank - 1 > ND_MAX_RANK) return NULL;
  int64_t dims[ND_MAX_RANK], count = nd_count(places), size = nd->dims[0];
  size_t rank = places->rank, row = dtype_size(nd->dtype);
  memcpy(dims, places->dims, rank * sizeof *dims);
  for (int d = nd->rank; --d > 0; row *= (size_t)nd->dims[d])
    if (nd->strides[d] != (int64_t)row) return NULL;
  const NdArray *wide = places;
  if (places->dtype == DT_BOOL) {
    if (rank != 1 || dims[0] != size) return NULL;
    wide = nd_places(ev, places);
    dims[0] = count = nd_count(wide);
  } else {
    if (!dtype_is_integer(places->dtype)) return NULL;
    wide = nd_contiguous(ev, nd_as(ev, places, DT_I64));
  }
  for (int d = 1; d < nd->rank; d++) dims[rank++] = nd->dims[d];
  const int64_t *at = (const int64_t *)wide->data;
  if (nd->rank > 1 && !nd_are_places(at, count, size)) return NULL;
  NdArray *out = nd_new_unset(ev, nd->dtype, rank, dims);
  bool fits = true;
  if (nd->rank == 1)
    fits = size ? nd_gather(row, out->data, nd->data, nd->strides[0], at, count, size) : !count;
  for (int64_t i = 0; nd->rank > 1 && i < count; i++)
    memcpy(out->data + i * (int64_t)row,
           nd->data + (at[i] < 0 ? at[i] + size : at[i]) * nd->strides[0], row);
  if (wide != places && !wide->is_view) nd_discard(ev, wide);
  return fits ? out : NULL;
}

// An array for what was picked. In memory the places are outermost, inside them the part lies as
// in the source; a view where the places are not the first dimensions.
static NdArray *room_for(Eval *ev, const NdArray *nd, const Picked *picked) {
  size_t order[ND_MAX_RANK], count = 0;
  for (size_t d = 0; d < picked->array_rank; d++) order[count++] = picked->array_at + d;
  const NdArray *part = &picked->part;
  int dims[ND_MAX_RANK];
  for (int d = 0; d < part->rank; d++) {
    int at = d;
    for (; at > 0 && llabs(part->strides[dims[at - 1]]) < llabs(part->strides[d]); at--)
      dims[at] = dims[at - 1];
    dims[at] = d;
  }
  for (int d = 0; d < part->rank; d++) order[count++] = (size_t)picked->part_dims[dims[d]];
  bool in_order = true;
  int64_t lengths[ND_MAX_RANK];
  for (size_t d = 0; d < count; d++) {
    in_order &= order[d] == d;
    lengths[d] = picked->dims[order[d]];
  }
  NdArray *made = nd_new_unset(ev, nd->dtype, count, lengths);
  if (in_order) return made;
  int64_t strides[ND_MAX_RANK];
  memcpy(strides, made->strides, count * sizeof *strides);
  NdArray *out = picked->array_at ? nd_view(ev, made) : made;
  for (size_t d = 0; d < count; d++) {
    out->dims[order[d]] = lengths[d];
    out->strides[order[d]] = strides[d];
  }
  return out;
}

Value nd_getitem(Eval *ev, Value self, Value index) {
  const NdArray *nd = (const NdArray *)self.o;
  Plan plan;
  const char *element = single_element(nd, index);
  if (element) return v_object(nd_scalar(ev, nd->dtype, element));
  NdArray *rows = rows_at(ev, nd, index);
  if (rows) return v_object(rows);
  if (value_as_list(index))
    index =
        v_object(nd_from_value(ev, index, value_len(ev, index) ? DT_COUNT : DT_I64, "an index"));
  make_plan(&plan, ev, nd, index);
  if (!plan.any_array) {
    NdArray *view = basic_view(&plan);
    return view->rank == 0 && !has_ellipsis(index) ? nd_value(ev, view) : v_object(view);
  }
  Picked picked;
  pick_elements(&plan, &picked);
  check_bounds(&plan);
  NdArray *out = room_for(ev, nd, &picked);
  move_elements(nd, &picked, out, false);
  nd_discard(ev, picked.held);
  return nd_value(ev, out);
}

// An element that an index of ints names becomes a number of Python; false: another index or value.
static bool set_element(Eval *ev, const NdArray *nd, Value index, Value value) {
  if (value.kind != V_BOOL && value.kind != V_INT && value.kind != V_FLOAT) return false;
  bool fits = (nd->dtype == DT_F32 || nd->dtype == DT_F64) ||
              (value.kind != V_FLOAT && (nd->dtype == DT_I32 || nd->dtype == DT_I64));
  const char *at = fits && !ev->numpy->hooks.moved ? single_element(nd, index) : NULL;
  if (!at) return false;
  char *to = nd->data + (at - nd->data);
  if (value.kind == V_FLOAT) {
    bool is_beyond = nd->dtype == DT_F32 && isfinite(value.f) && !isfinite((float)value.f);
    if (is_beyond) return false; // which is reported below
    dtype_store_f64(nd->dtype, to, value.f);
    return true;
  }
  if (nd->dtype == DT_I32 && value.i != (int32_t)value.i) return false; // who says so is below
  if (nd->dtype == DT_F32 || nd->dtype == DT_F64)
    dtype_store_f64(nd->dtype, to, (double)value.i);
  else
    dtype_store_i64(nd->dtype, to, value.i);
  return true;
}

// An element is no number, in the words of whoever would make one of the type of it.
static NORETURN void raise_sequence(Eval *ev, const NdArray *nd, Value value) {
  bool is_nest = value_as_list(value) || value_as_tuple(value);
  if (is_nest && dtype_is_integer(nd->dtype))
    eval_raise(ev, ev->types.TypeError,
               "int() argument must be a string, a bytes-like object or a real number, not '%s'",
               value_type_name(ev, value));
  if (is_nest && dtype_is_complex(nd->dtype))
    eval_raise(ev, ev->types.TypeError, "must be real number, not %s", value_type_name(ev, value));
  if (dtype_is_complex(nd->dtype))
    eval_raise(ev, ev->types.TypeError,
               "only 0-dimensional arrays can be converted to Python scalars");
  eval_raise(ev, ev->types.ValueError, "setting an array element with a sequence.");
}

// What is stored in an array, in its type and in other memory.
static const NdArray *stored(Eval *ev, const NdArray *nd, Value value) {
  bool is_own = value_is_nd(ev, value);
  const NdArray *source =
      nd_from_value(ev, value, is_own ? DT_COUNT : nd->dtype, "assignment to an array");
  bool drops = dtype_is_complex(source->dtype) && !dtype_is_complex(nd->dtype);
  if (drops && nd->dtype != DT_BOOL) nd_warn_discarded(ev);
  if (is_own && (dtype_is_integer(nd->dtype) || dtype_is_complex(nd->dtype)))
    nd_errors_of_cast(ev, source, nd->dtype);
  source = nd_as(ev, source, nd->dtype);
  nd_errors_of_made(ev, source, value);
  return source->buffer == nd->buffer ? nd_cast(ev, source, source->dtype) : source;
}

// What `stored` has made of another array is not needed any more.
static void drop_stored(Eval *ev, const NdArray *source, Value value) {
  if (value_is_nd(ev, value) && source->buffer != ((NdArray *)value.o)->buffer)
    nd_discard(ev, source);
}

// Another array of another type, stored without one of this type between.
static bool store_converted(Eval *ev, NdArray *to, Value value) {
  if (!value_is_nd(ev, value) || ev->numpy->hooks.moved) return false;
  const NdArray *from = (const NdArray *)value.o;
  bool is_plain = from->dtype != to->dtype && !dtype_is_complex(from->dtype) &&
                  !dtype_is_extension(to->dtype) && from->buffer != to->buffer && from->rank > 0;
  NdLoop *loop = is_plain ? nd_cast_loop(from->dtype, to->dtype) : NULL;
  if (!loop) return false;
  const NdArray *all = nd_broadcast(ev, from, to->rank, to->dims);
  if (dtype_is_integer(to->dtype)) nd_errors_of_cast(ev, from, to->dtype);
  nd_walk(loop, 2, (const NdArray *const[]){to, all});
  nd_errors_of_made(ev, to, value);
  return true;
}

// That values fit where a mask of all dimensions is true: one, or one for each.
static void check_masked(Eval *ev, const NdArray *source, int64_t places) {
  if (source->rank > 1)
    eval_raise(ev, ev->types.TypeError,
               "NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, "
               "input has %d dimensions",
               source->rank);
  if (source->rank == 1 && source->dims[0] != 1 && source->dims[0] != places)
    eval_raise(ev, ev->types.ValueError,
               "NumPy boolean array indexing assignment cannot assign %lld input values to the "
               "%lld output values where the mask is true",
               (long long)source->dims[0], (long long)places);
}

static bool is_whole_mask(Eval *ev, const NdArray *nd, Value index) {
  const Tuple *tuple = value_as_tuple(index);
  if (tuple && tuple->count == 1) index = tuple->items[0];
  const NdArray *mask = (const NdArray *)index.o;
  return value_is_nd(ev, index) && mask->dtype == DT_BOOL && mask->rank == nd->rank;
}

// What is stored, in the shape of what an index with arrays names.
static NdArray *value_spread(Eval *ev, const NdArray *source, const Picked *picked) {
  NdArray *all = nd_broadcast_opt(ev, source, picked->rank, picked->dims);
  if (!all)
    eval_raise(ev, ev->types.ValueError,
               "shape mismatch: value array of shape %.*s could not be broadcast to indexing "
               "result of shape %.*s",
               STR_FMT(shape_close_text(ev->arena, source->rank, source->dims)),
               STR_FMT(shape_close_text(ev->arena, picked->rank, picked->dims)));
  return all;
}

void nd_setitem(Eval *ev, Value self, Value index, Value value) {
  NdArray *nd = (NdArray *)self.o;
  if (nd->is_scalar)
    eval_raise(ev, ev->types.TypeError, "'%s' object does not support item assignment",
               value_type_name(ev, self));
  if (nd->readonly)
    raise_hinted(ev, ev->types.ValueError, "np.array(x) makes a copy that can be written",
                 "assignment destination is read-only");
  Plan plan;
  if (set_element(ev, nd, index, value)) return;
  if (index.kind == V_ELLIPSIS) { // all of it: no view
    const NdArray *source = stored(ev, nd, value);
    nd_copy(nd, nd_broadcast(ev, source, nd->rank, nd->dims));
    drop_stored(ev, source, value);
    return;
  }
  if (value_as_list(index)) index = v_object(nd_from_value(ev, index, DT_COUNT, "an index"));
  make_plan(&plan, ev, nd, index);
  NdArray *view = plan.any_array ? NULL : basic_view(&plan);
  if (view && view->rank > 0 && store_converted(ev, view, value)) return;
  const NdArray *source = stored(ev, nd, value);
  if (view) {
    bool is_element = view->rank == 0 && !has_ellipsis(index);
    if (is_element && source->rank > 0 && nd->dtype != DT_BOOL) raise_sequence(ev, nd, value);
    nd_copy(view, nd_broadcast(ev, source, view->rank, view->dims));
    drop_stored(ev, source, value);
    return;
  }
  Picked picked;
  pick_elements(&plan, &picked);
  if (is_whole_mask(ev, nd, index)) check_masked(ev, source, picked.places);
  NdArray *all = value_spread(ev, source, &picked);
  check_bounds(&plan);
  if (!is_one_element(all)) all = nd_view(ev, nd_contiguous(ev, all));
  move_elements(nd, &picked, all, true);
  nd_discard(ev, picked.held);
}
