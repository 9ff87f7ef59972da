// SPDX-License-Identifier: Apache-2.0
// slice and range; and the indexing that all sequences share.
#include "base/buf.h"
#include "base/checked.h"
#include "python/objects/value_call.h"
#include "python/modules/module.h"
#include "python/values/builtin_state.h"
#include "builtin_index.h"
#include "builtin_slice.h"
#include "builtin_wrap.h"
#include "python/numbers/bigint.h"
#include "python/numbers/integer.h"
#include "python/values/new_value.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/values/suggest.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"

// ---- shared by sequences ------------------------------------------------------------------------
int64_t sequence_index(Eval *ev, Value index, int64_t length, const IndexWords *words) {
  int64_t i;
  if (index.kind == V_INT) {
    i = index.i;
  } else {
    Value taken = take_index_opt(ev, index);
    if (v_is_unbound(taken)) {
      const char *type = value_type_name(ev, index);
      Buf buf;
      buf_init(&buf, ev->arena);
      for (const char *p = words->type; *p; p++) *p == '%' ? buf_c(&buf, type) : buf_char(&buf, *p);
      const char *hint = value_as_tuple(index)      ? "items of items are x[i][j]"
                         : index.kind == V_ELLIPSIS ? "x[:] has all items"
                                                    : "";
      raise_hinted(ev, ev->types.TypeError, hint, "%.*s", STR_FMT(buf_view(&buf)));
    }
    if (taken.kind == V_OBJECT)
      eval_raise(ev, ev->types.IndexError, "cannot fit 'int' into an index-sized integer");
    i = taken.i;
  }
  if (i < 0) i += length;
  if (i < 0 || i >= length) eval_raise(ev, ev->types.IndexError, "%s", words->range);
  return i;
}

const SliceObject *value_as_slice(Eval *ev, Value v) {
  return v.kind == V_OBJECT && v.o->type == ev->types.slice ? (const SliceObject *)v.o : NULL;
}

static int64_t slice_part(Eval *ev, Value v, int64_t missing) {
  if (v.kind == V_INT) return v.i;
  if (v_is_none(v) || v_is_unbound(v)) return missing;
  Value index = take_index_opt(ev, v);
  if (v_is_unbound(index)) {
    eval_raise(ev, ev->types.TypeError,
               "slice indices must be integers or None or have an __index__ method");
  }
  if (index.kind == V_OBJECT) return big_sign(index) < 0 ? INT64_MIN : INT64_MAX;
  return index.i;
}

static int64_t clamp(int64_t i, int64_t length, int64_t least, int64_t most) {
  if (i < 0) i = i < -length ? -1 : i + length;
  return i < least ? least : i > most ? most : i;
}

int64_t take_bound(Eval *ev, Value v, int64_t length, int64_t missing) {
  return clamp(slice_part(ev, v, missing), length, 0, length);
}

SliceBounds slice_of_numbers(int64_t length, const int64_t *start, const int64_t *stop,
                             int64_t step) {
  if (step == INT64_MIN) step = -INT64_MAX;
  // Going backwards, -1 stands for "before the first".
  int64_t least = step > 0 ? 0 : -1, most = step > 0 ? length : length - 1;
  SliceBounds bounds = {
      .step = step, .start = step > 0 ? least : most, .stop = step > 0 ? most : least};
  if (start) bounds.start = clamp(*start, length, least, most);
  if (stop) bounds.stop = clamp(*stop, length, least, most);
  int64_t distance = step > 0 ? bounds.stop - bounds.start : bounds.start - bounds.stop;
  int64_t stride = step > 0 ? step : -step;
  bounds.count = distance <= 0 ? 0 : (distance - 1) / stride + 1;
  return bounds;
}

SliceBounds slice_bounds(Eval *ev, const SliceObject *slice, int64_t length) {
  int64_t step = slice_part(ev, slice->step, 1);
  if (step == 0) eval_raise(ev, ev->types.ValueError, "slice step cannot be zero");
  int64_t start = slice_part(ev, slice->start, step > 0 ? 0 : INT64_MAX);
  bool has_stop = !v_is_none(slice->stop) && !v_is_unbound(slice->stop);
  int64_t stop = has_stop ? slice_part(ev, slice->stop, 0) : 0;
  return slice_of_numbers(length, &start, has_stop ? &stop : NULL, step);
}

bool repeat_count(Eval *ev, Value v, size_t length, size_t item_size, int64_t *out) {
  Value index = take_index_opt(ev, v);
  if (v_is_unbound(index)) return false;
  if (index.kind == V_OBJECT)
    eval_raise(ev, ev->types.OverflowError, "cannot fit 'int' into an index-sized integer");
  *out = index.i < 0 ? 0 : index.i;
  int64_t size;
  if (!mul_i64((int64_t)(length * item_size), *out, &size)) size = INT64_MAX;
  demand_memory(ev, (size_t)size);
  return true;
}

// ---- slice --------------------------------------------------------------------------------------
static SliceObject *self_slice(Value self) { return (SliceObject *)value_unwrap(self).o; }

static Value slice_new(Eval *ev, Value *a) {
  const Tuple *args = value_as_tuple(a[1]);
  if (args->count == 0)
    eval_raise(ev, ev->types.TypeError, "slice expected at least 1 argument, got 0");
  if (args->count > 3)
    eval_raise(ev, ev->types.TypeError, "slice expected at most 3 arguments, got %zu", args->count);
  if (args->count == 1) return make_slice(ev, v_none(), args->items[0], v_none());
  return make_slice(ev, args->items[0], args->items[1],
                    args->count == 3 ? args->items[2] : v_none());
}

static Value slice_start(Eval *ev UNUSED, Value self) { return self_slice(self)->start; }

static Value slice_stop(Eval *ev UNUSED, Value self) { return self_slice(self)->stop; }

static Value slice_step(Eval *ev UNUSED, Value self) { return self_slice(self)->step; }

static Value slice_indices(Eval *ev, Value *a) {
  int64_t length = take_index64(ev, a[1]);
  if (length < 0) eval_raise(ev, ev->types.ValueError, "length should not be negative");
  SliceBounds bounds = slice_bounds(ev, self_slice(a[0]), length);
  return make_tuple_i64(ev, 3, (int64_t[]){bounds.start, bounds.stop, bounds.step});
}

static Str slice_repr(Eval *ev, Value self) {
  const SliceObject *slice = self_slice(self);
  Str start = value_repr(ev, slice->start), stop = value_repr(ev, slice->stop),
      step = value_repr(ev, slice->step);
  return str_format(ev->arena, "slice(%.*s, %.*s, %.*s)", STR_FMT(start), STR_FMT(stop),
                    STR_FMT(step));
}

static Value slice_compare(Eval *ev, CompareOp op, Value left, Value right) {
  const SliceObject *a = value_as_slice(ev, left), *b = value_as_slice(ev, right);
  if (!a || !b) return v_not_implemented();
  Value x = make_tuple(ev, 3, (Value[]){a->start, a->stop, a->step});
  Value y = make_tuple(ev, 3, (Value[]){b->start, b->stop, b->step});
  return value_compare(ev, op, x, y);
}

static const NativeType slice_type = {
    .slots = {.repr = slice_repr, .compare = slice_compare},
    .methods = (const NativeDef[]){{"__new__(cls, *args)", slice_new},
                                   {"indices(self, len, /)", slice_indices},
                                   {0}},
    .getters =
        (const NativeGetter[]){
            {"start", slice_start}, {"stop", slice_stop}, {"step", slice_step}, {0}},
};

// ---- range --------------------------------------------------------------------------------------
static const IndexWords range_words = {"range indices must be integers or slices, not %",
                                       "range object index out of range"};

static Value make_range(Eval *ev, int64_t start, int64_t stop, int64_t step) {
  RangeObject *range = ARENA_NEW(ev->arena, RangeObject);
  *range = (RangeObject){{ev->types.range}, start, stop, step};
  return v_object(range);
}

static RangeObject *self_range(Value self) { return (RangeObject *)self.o; }

static int64_t range_count(const RangeObject *range) {
  __int128 distance =
      range->step > 0 ? (__int128)range->stop - range->start : (__int128)range->start - range->stop;
  __int128 stride = range->step > 0 ? range->step : -(__int128)range->step;
  __int128 count = distance <= 0 ? 0 : (distance - 1) / stride + 1;
  return count > INT64_MAX ? INT64_MAX : (int64_t)count;
}

static int64_t range_item(const RangeObject *range, int64_t i) {
  return (int64_t)((uint64_t)range->start + (uint64_t)i * (uint64_t)range->step);
}

// A range whose bounds 64 bits do not hold is written in the language.
static Value wide_range(Eval *ev, const Value bounds[3]) {
  return value_call_n(ev, module_lookup(ev, "_wide_range", "WideRange"), 3, bounds);
}

static Value range_from(Eval *ev, const Value *items, size_t count) {
  if (count == 0) eval_raise(ev, ev->types.TypeError, "range expected at least 1 argument, got 0");
  if (count > 3)
    eval_raise(ev, ev->types.TypeError, "range expected at most 3 arguments, got %zu", count);
  Value bounds[3] = {v_int(0), v_int(0), v_int(1)}; // start, stop, step
  bool is_wide = false;
  for (size_t i = 0; i < count; i++) {
    Value *bound = &bounds[count == 1 ? 1 : i];
    *bound = take_index(ev, items[i]);
    is_wide |= bound->kind == V_OBJECT;
  }
  if (bounds[2].kind == V_INT && bounds[2].i == 0)
    eval_raise(ev, ev->types.ValueError, "range() arg 3 must not be zero");
  return is_wide ? wide_range(ev, bounds) : make_range(ev, bounds[0].i, bounds[1].i, bounds[2].i);
}

static Value range_of(Eval *ev, const Args *args) {
  return args->kw_count ? v_unbound() : range_from(ev, args->items, args->count);
}

static Value range_new(Eval *ev, Value *a) {
  const Tuple *args = value_as_tuple(a[1]);
  return range_from(ev, args->items, args->count);
}

static int64_t range_len(Eval *ev UNUSED, Value self) { return range_count(self_range(self)); }

static bool range_truth(Eval *ev UNUSED, Value self) { return range_count(self_range(self)) > 0; }

static Value range_getitem(Eval *ev, Value self, Value index) {
  const RangeObject *range = self_range(self);
  int64_t count = range_count(range);
  const SliceObject *slice = value_as_slice(ev, index);
  if (!slice) return v_int(range_item(range, sequence_index(ev, index, count, &range_words)));
  SliceBounds bounds = slice_bounds(ev, slice, count);
  int64_t step;
  if (!mul_i64(range->step, bounds.step, &step)) step = bounds.step > 0 ? INT64_MAX : -INT64_MAX;
  return make_range(ev, range_item(range, bounds.start), range_item(range, bounds.stop), step);
}

// The position of an int in a range, -1 if it is not there.
static int64_t range_find(const RangeObject *range, int64_t i) {
  __int128 offset = (__int128)i - range->start;
  if (offset % range->step != 0) return -1;
  __int128 position = offset / range->step;
  return position >= 0 && position < range_count(range) ? (int64_t)position : -1;
}

// As range_find, for any value: those that are no ints are compared one by one.
static int64_t range_position(Eval *ev, Value self, Value item) {
  const RangeObject *range = self_range(self);
  Value plain = value_unwrap(item);
  if (int_operand(&plain)) return plain.kind == V_OBJECT ? -1 : range_find(range, plain.i);
  int64_t count = range_count(range);
  if (plain.kind == V_FLOAT) {
    bool whole = plain.f >= -9e18 && plain.f <= 9e18 && plain.f == (double)(int64_t)plain.f;
    return whole ? range_find(range, (int64_t)plain.f) : -1;
  }
  for (int64_t i = 0; i < count; i++) {
    if (value_equal(ev, v_int(range_item(range, i)), item)) return i;
    eval_step(ev);
  }
  return -1;
}

static bool range_contains(Eval *ev, Value self, Value item) {
  return range_position(ev, self, item) >= 0;
}

static Value range_index(Eval *ev, Value *a) {
  int64_t position = range_position(ev, a[0], a[1]);
  if (position >= 0) return v_int(position);
  Value plain = value_unwrap(a[1]);
  if (!int_operand(&plain))
    eval_raise(ev, ev->types.ValueError, "sequence.index(x): x not in sequence");
  Str shown = value_repr(ev, a[1]);
  eval_raise(ev, ev->types.ValueError, "%.*s is not in range", STR_FMT(shown));
}

static Value range_count_method(Eval *ev, Value *a) {
  return v_int(range_position(ev, a[0], a[1]) >= 0);
}

static Value range_compare(Eval *ev, CompareOp op, Value left, Value right) {
  if ((op != CMP_EQ && op != CMP_NE) || right.kind != V_OBJECT || right.o->type != ev->types.range)
    return v_not_implemented();
  const RangeObject *a = self_range(left), *b = self_range(right);
  int64_t count = range_count(a);
  bool equal = count == range_count(b) &&
               (count == 0 || (a->start == b->start && (count == 1 || a->step == b->step)));
  return v_bool(equal == (op == CMP_EQ));
}

static uint64_t range_hash(Eval *ev, Value self) {
  const RangeObject *range = self_range(self);
  int64_t count = range_count(range);
  Value items[] = {v_int(count), count > 0 ? v_int(range->start) : v_none(),
                   count > 1 ? v_int(range->step) : v_none()};
  return value_hash(ev, make_tuple(ev, 3, items));
}

static Str range_repr(Eval *ev, Value self) {
  const RangeObject *range = self_range(self);
  long long start = range->start, stop = range->stop, step = range->step;
  if (step == 1) return str_format(ev->arena, "range(%lld, %lld)", start, stop);
  return str_format(ev->arena, "range(%lld, %lld, %lld)", start, stop, step);
}

static Value range_start(Eval *ev UNUSED, Value self) { return v_int(self_range(self)->start); }

static Value range_stop(Eval *ev UNUSED, Value self) { return v_int(self_range(self)->stop); }

static Value range_step(Eval *ev UNUSED, Value self) { return v_int(self_range(self)->step); }

typedef struct RangeIterator {
  Object base;
  int64_t next, step, left;
} RangeIterator;

static Value range_iter_from(Eval *ev, int64_t start, int64_t step, int64_t count) {
  RangeIterator *it = ARENA_NEW(ev->arena, RangeIterator);
  *it = (RangeIterator){{ev->builtin->range_iterator}, start, step, count};
  return v_object(it);
}

static Value range_iter(Eval *ev, Value self) {
  const RangeObject *range = self_range(self);
  return range_iter_from(ev, range->start, range->step, range_count(range));
}

static Value range_reversed(Eval *ev, Value *a) {
  const RangeObject *range = self_range(a[0]);
  int64_t count = range_count(range);
  return range_iter_from(ev, count > 0 ? range_item(range, count - 1) : 0, -range->step, count);
}

static bool range_iterator_next(Eval *ev UNUSED, Value self, Value *out) {
  RangeIterator *it = (RangeIterator *)self.o;
  if (it->left <= 0) return false;
  *out = v_int(it->next);
  it->left--;
  it->next = (int64_t)((uint64_t)it->next + (uint64_t)it->step);
  return true;
}

static Value range_iterator_hint(Eval *ev UNUSED, Value *a) {
  return v_int(((RangeIterator *)a[0].o)->left);
}

static const NativeType range_iterator_type = {
    .slots = {.iter = iterator_self, .next = range_iterator_next},
    .methods = (const NativeDef[]){{"__length_hint__(self)", range_iterator_hint}, {0}},
};

static const NativeType range_type = {
    .slots = {.make = range_of,
              .len = range_len,
              .truth = range_truth,
              .getitem = range_getitem,
              .contains = range_contains,
              .compare = range_compare,
              .hash = range_hash,
              .repr = range_repr,
              .iter = range_iter},
    .methods = (const NativeDef[]){{"__new__(cls, *args)", range_new},
                                   {"index(self, value, /)", range_index},
                                   {"count(self, value, /)", range_count_method},
                                   {"__reversed__(self)", range_reversed},
                                   {0}},
    .getters =
        (const NativeGetter[]){
            {"start", range_start}, {"stop", range_stop}, {"step", range_step}, {0}},
};

void builtin_slice_init(Eval *ev) {
  native_type_define(ev, ev->types.slice, &slice_type);
  native_type_define(ev, ev->types.range, &range_type);
  ev->types.slice->is_final = ev->types.range->is_final = true;
  ev->builtin->range_iterator =
      native_type_new(ev, "builtins", "range_iterator", NULL, &range_iterator_type);
}
