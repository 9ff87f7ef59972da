// SPDX-License-Identifier: Apache-2.0
// memoryview: elements of the memory of bytes, a bytearray, or what has __buffer__ (an array).
#include "builtin_memoryview.h"
#include "python/builtins/builtin_float.h"
#include "python/builtins/builtin_slice.h"
#include "python/builtins/builtin_wrap.h"
#include "python/values/builtin_state.h"
#include "python/values/bytes_like.h"
#include "python/objects/attribute.h"
#include "python/numbers/bigint.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/numbers/number.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "python/objects/type_lookup.h"
#include <string.h>

static const IndexWords index_words = {"memoryview: invalid slice key",
                                       "index out of bounds on dimension 1"};

static MemoryView *self_view(Eval *ev, Value self) {
  if (self.kind != V_OBJECT || self.o->type != ev->types.memoryview)
    eval_raise(ev, ev->types.TypeError,
               "descriptor requires a 'memoryview' object but received a '%s'",
               value_type_name(ev, self));
  MemoryView *view = (MemoryView *)self.o;
  if (!view->data)
    eval_raise(ev, ev->types.ValueError, "operation forbidden on released memoryview object");
  return view;
}

static MemoryView *view_copy(Eval *ev, const MemoryView *view) {
  MemoryView *copy = ARENA_NEW(ev->arena, MemoryView);
  *copy = *view;
  return copy;
}

// NULL: the object has no memory to look at.
static MemoryView *view_of(Eval *ev, Value object) {
  Value plain = value_unwrap(object);
  if (plain.kind == V_OBJECT && plain.o->type == ev->types.memoryview)
    return view_copy(ev, self_view(ev, plain));
  Str bytes;
  if (!value_as_bytes(ev, object, &bytes)) {
    Value given =
        special_call(ev, object, ev->builtin->names.dunder_buffer, 1, (Value[]){v_int(0)});
    return v_is_unbound(given) ? NULL : self_view(ev, given);
  }
  MemoryView *view = ARENA_NEW(ev->arena, MemoryView);
  bool changes = value_is_bytearray(ev, object);
  *view = (MemoryView){.base.type = ev->types.memoryview,
                       .object = object,
                       .only_read = changes ? ((ByteArray *)plain.o)->bytes : bytes.data,
                       .format = "B",
                       .is_readonly = !changes,
                       .item_size = 1,
                       .rank = 1,
                       .dims = {(int64_t)bytes.len},
                       .strides = {1}};
  return view;
}

// ---- elements -----------------------------------------------------------------------------------
#define MEMORY_INTEGERS(X)                                                                         \
  X('b', signed char)                                                                              \
  X('B', unsigned char)                                                                            \
  X('h', short) X('H', unsigned short) X('i', int) X('I', unsigned) X('l', long) X('q', long long)

static size_t format_size(char format) {
  switch (format) {
#define X(letter, type)                                                                            \
  case letter: return sizeof(type);
    MEMORY_INTEGERS(X)
#undef X
  case 'L':
  case 'Q':
  case 'd': return 8;
  case 'f': return 4;
  case 'c':
  case '?': return 1;
  default: return 0;
  }
}

NORETURN static void raise_format(Eval *ev, const MemoryView *view) {
  eval_raise(ev, ev->types.NotImplementedError, "memoryview: format %s not supported",
             view->format);
}

static Value load_element(Eval *ev, const MemoryView *view, const char *from) {
  switch (view->format[1] ? 0 : view->format[0]) {
#define X(letter, type)                                                                            \
  case letter: {                                                                                   \
    type element;                                                                                  \
    memcpy(&element, from, sizeof element);                                                        \
    return v_int((int64_t)element);                                                                \
  }
    MEMORY_INTEGERS(X)
#undef X
  case 'L':
  case 'Q': {
    uint64_t element;
    memcpy(&element, from, sizeof element);
    return big_from_u64(ev, element);
  }
  case 'f': {
    float element;
    memcpy(&element, from, sizeof element);
    return v_float((double)element);
  }
  case 'd': {
    double element;
    memcpy(&element, from, sizeof element);
    return v_float(element);
  }
  case '?': return v_bool(*from != 0);
  case 'c': return make_bytes(ev, (Str){from, 1});
  default: raise_format(ev, view);
  }
}

static int64_t take_element(Eval *ev, const MemoryView *view, Value v, int64_t least,
                            int64_t most) {
  Value index = take_index_opt(ev, v);
  if (v_is_unbound(index))
    eval_raise(ev, ev->types.TypeError, "memoryview: invalid type for format '%s'", view->format);
  if (index.kind == V_OBJECT || index.i < least || index.i > most)
    eval_raise(ev, ev->types.ValueError, "memoryview: invalid value for format '%s'", view->format);
  return index.i;
}

static void store_integer(Eval *ev, const MemoryView *view, char *to, Value v) {
  char format = view->format[0];
  bool is_signed = format >= 'a';
  size_t size = view->item_size;
  uint64_t wide;
  Value index = take_index_opt(ev, v);
  if (!is_signed && index.kind == V_OBJECT && big_as_u64(index, &wide)) {
    memcpy(to, &wide, size);
    return;
  }
  int64_t most = size == 8 ? INT64_MAX : ((int64_t)1 << (8 * size - is_signed)) - 1;
  int64_t element = take_element(ev, view, v, is_signed ? -most - 1 : 0, most);
  memcpy(to, &element, size); // little endian, as all machines here
}

static void store_element(Eval *ev, const MemoryView *view, char *to, Value v) {
  Str bytes;
  switch (view->format[1] ? 0 : view->format[0]) {
#define X(letter, type) case letter:
    MEMORY_INTEGERS(X)
#undef X
  case 'L':
  case 'Q': store_integer(ev, view, to, v); return;
  case 'f':
  case 'd': {
    double wide;
    if (!float_operand(ev, v, &wide))
      eval_raise(ev, ev->types.TypeError, "memoryview: invalid type for format '%s'", view->format);
    float narrow = (float)wide;
    memcpy(to, view->item_size == 8 ? (const void *)&wide : &narrow, view->item_size);
    return;
  }
  case '?': *to = value_truth(ev, v); return;
  case 'c':
    if (!value_as_bytes(ev, v, &bytes))
      eval_raise(ev, ev->types.TypeError, "memoryview: invalid type for format 'c'");
    if (bytes.len != 1)
      eval_raise(ev, ev->types.ValueError, "memoryview: invalid value for format 'c'");
    *to = bytes.data[0];
    return;
  default: raise_format(ev, view);
  }
}

// ---- sequence -----------------------------------------------------------------------------------
static int64_t view_len(Eval *ev, Value self) {
  const MemoryView *view = self_view(ev, self);
  return view->rank ? view->dims[0] : 1;
}

static MemoryView *view_slice(Eval *ev, const MemoryView *view, const SliceObject *slice) {
  SliceBounds bounds = slice_bounds(ev, slice, view->dims[0]);
  MemoryView *part = view_copy(ev, view);
  part->data += bounds.start * view->strides[0];
  part->dims[0] = bounds.count;
  part->strides[0] *= bounds.step;
  return part;
}

// The element that an index means, or NULL for a slice or `...`, whose part of the view is in
// *part.
static char *view_at(Eval *ev, MemoryView *view, Value index, MemoryView **part) {
  const SliceObject *slice = value_as_slice(ev, index);
  const Tuple *indices = value_as_tuple(index);
  *part = view;
  if (index.kind == V_OBJECT && index.o->type == ev->types.ellipsis) return NULL;
  if (slice && view->rank) {
    *part = view_slice(ev, view, slice);
    return NULL;
  }
  if (view->rank == 0) {
    if (indices && indices->count == 0) return view->data;
    eval_raise(ev, ev->types.TypeError, "invalid indexing of 0-dim memory");
  }
  size_t given = indices ? indices->count : 1;
  if (given > view->rank)
    eval_raise(ev, ev->types.TypeError, "cannot index %zu-dimension view with %zu-element tuple",
               view->rank, given);
  char *element = view->data;
  for (size_t d = 0; d < given; d++) {
    int64_t at =
        sequence_index(ev, indices ? indices->items[d] : index, view->dims[d], &index_words);
    element += at * view->strides[d];
  }
  if (given < view->rank)
    eval_raise(ev, ev->types.NotImplementedError,
               indices ? "sub-views are not implemented"
                       : "multi-dimensional sub-views are not implemented");
  return element;
}

static Value view_getitem(Eval *ev, Value self, Value index) {
  MemoryView *view = self_view(ev, self), *part;
  const char *element = view_at(ev, view, index, &part);
  return element ? load_element(ev, view, element) : v_object(part);
}

static void view_setitem(Eval *ev, Value self, Value index, Value value) {
  MemoryView *view = self_view(ev, self), *part;
  if (view->is_readonly) eval_raise(ev, ev->types.TypeError, "cannot modify read-only memory");
  char *element = view_at(ev, view, index, &part);
  if (element) {
    store_element(ev, view, element, value);
    return;
  }
  MemoryView *from = view_of(ev, value);
  if (!from)
    eval_raise(ev, ev->types.TypeError, "a bytes-like object is required, not '%s'",
               value_type_name(ev, value));
  bool fits = from->rank == part->rank && strcmp(from->format, part->format) == 0;
  for (size_t d = 0; d < part->rank && fits; d++) fits = from->dims[d] == part->dims[d];
  if (!fits)
    eval_raise(ev, ev->types.ValueError,
               "memoryview assignment: lvalue and rvalue have different structures");
  Str bytes = memory_bytes(ev, from);
  const char *copy = arena_dup(ev->arena, bytes.data, bytes.len); // they may overlap
  for (int64_t i = 0, count = memory_count(part); i < count; i++)
    memcpy(memory_element(part, i), copy + (size_t)i * part->item_size, part->item_size);
}

static void view_delitem(Eval *ev, Value self, Value index UNUSED) {
  if (self_view(ev, self)->is_readonly)
    eval_raise(ev, ev->types.TypeError, "cannot modify read-only memory");
  eval_raise(ev, ev->types.TypeError, "cannot delete memory");
}

static Value list_from(Eval *ev, const MemoryView *view, size_t d, const char *from) {
  if (d == view->rank) return load_element(ev, view, from);
  List *list = list_new(ev, (size_t)view->dims[d]);
  for (int64_t i = 0; i < view->dims[d]; i++)
    list_push(ev, list, list_from(ev, view, d + 1, from + i * view->strides[d]));
  return v_object(list);
}

static Value view_iter(Eval *ev, Value self) {
  const MemoryView *view = self_view(ev, self);
  if (view->rank != 1)
    eval_raise(ev, ev->types.TypeError,
               view->rank ? "multi-dimensional sub-views are not implemented"
                          : "invalid indexing of 0-dim memory");
  return value_iter(ev, list_from(ev, view, 0, view->data));
}

static Value view_compare(Eval *ev, CompareOp op, Value left, Value right) {
  if (op != CMP_EQ && op != CMP_NE) return v_not_implemented();
  const MemoryView *a = view_of(ev, left), *b = view_of(ev, right);
  if (!a || !b) return v_not_implemented();
  bool same = a->rank == b->rank;
  for (size_t d = 0; d < a->rank && same; d++) same = a->dims[d] == b->dims[d];
  for (int64_t i = 0, count = same ? memory_count(a) : 0; i < count && same; i++) {
    Value x = load_element(ev, a, memory_element(a, i));
    same = value_equal(ev, x, load_element(ev, b, memory_element(b, i)));
  }
  return v_bool(same == (op == CMP_EQ));
}

static uint64_t view_hash(Eval *ev, Value self) {
  const MemoryView *view = self_view(ev, self);
  if (!view->is_readonly)
    eval_raise(ev, ev->types.ValueError, "cannot hash writable memoryview object");
  return value_hash(ev, make_bytes(ev, memory_bytes(ev, view)));
}

static Str view_repr(Eval *ev, Value self) {
  const MemoryView *view = (const MemoryView *)self.o;
  return str_format(ev->arena, view->data ? "<memory at %p>" : "<released memory at %p>",
                    (const void *)view);
}

// ---- methods ------------------------------------------------------------------------------------
static Value view_new(Eval *ev, Value *a) {
  MemoryView *view = view_of(ev, a[1]);
  if (view) return v_object(view);
  eval_raise(ev, ev->types.TypeError, "memoryview: a bytes-like object is required, not '%s'",
             value_type_name(ev, a[1]));
}

static Value view_tobytes(Eval *ev, Value *a) {
  return make_bytes(ev, memory_bytes(ev, self_view(ev, a[0])));
}

static Value view_tolist(Eval *ev, Value *a) {
  const MemoryView *view = self_view(ev, a[0]);
  return list_from(ev, view, 0, view->data);
}

static Value view_hex(Eval *ev, Value *a) {
  Value bytes = view_tobytes(ev, a), hex = value_getattr(ev, bytes, name_of(ev, "hex"));
  return value_call_n(ev, hex, v_is_unbound(a[1]) ? 0 : 2, a + 1);
}

static Value view_toreadonly(Eval *ev, Value *a) {
  MemoryView *view = view_copy(ev, self_view(ev, a[0]));
  view->is_readonly = true;
  return v_object(view);
}

static void contiguous_strides(MemoryView *view) {
  int64_t stride = (int64_t)view->item_size;
  for (size_t d = view->rank; d-- > 0; stride *= view->dims[d]) view->strides[d] = stride;
}

static void take_cast_shape(Eval *ev, MemoryView *view, Value shape, int64_t bytes) {
  const Tuple *dims = value_to_tuple(ev, shape);
  if (dims->count > MEMORY_MAX_RANK)
    eval_raise(ev, ev->types.ValueError, "memoryview: number of dimensions must not exceed %d",
               MEMORY_MAX_RANK);
  view->rank = dims->count;
  int64_t need = (int64_t)view->item_size;
  for (size_t d = 0; d < dims->count; d++) {
    view->dims[d] = take_index64(ev, dims->items[d]);
    if (view->dims[d] <= 0)
      eval_raise(ev, ev->types.ValueError,
                 "memoryview.cast(): elements of shape must be integers > 0");
    if (__builtin_mul_overflow(need, view->dims[d], &need)) need = -1;
    if (need < 0) break;
  }
  if (need != bytes)
    eval_raise(ev, ev->types.TypeError, "memoryview: product(shape) * itemsize != buffer size");
}

static Value view_cast(Eval *ev, Value *a) {
  MemoryView *view = view_copy(ev, self_view(ev, a[0]));
  Str format = take_str(ev, a[1], "format");
  if (format.len && format.data[0] == '@') format.data++, format.len--;
  size_t size = format.len == 1 ? format_size(format.data[0]) : 0;
  if (size == 0)
    eval_raise(ev, ev->types.ValueError,
               "memoryview: destination format must be a native single character format "
               "prefixed with an optional '@'");
  Str bytes = memory_bytes(ev, view);
  if (!memory_is_in_order(view))
    eval_raise(ev, ev->types.TypeError, "memoryview: casts are restricted to C-contiguous views");
  if (bytes.len % size)
    eval_raise(ev, ev->types.TypeError, "memoryview: length is not a multiple of itemsize");
  view->format = str_copy(ev->arena, (Str){format.data, 1}).data;
  view->item_size = size;
  view->rank = 1;
  view->dims[0] = (int64_t)(bytes.len / size);
  if (!v_is_unbound(a[2])) take_cast_shape(ev, view, a[2], (int64_t)bytes.len);
  contiguous_strides(view);
  return v_object(view);
}

static Value view_release(Eval *ev UNUSED, Value *a) {
  ((MemoryView *)a[0].o)->data = NULL;
  return v_none();
}

static Value view_enter(Eval *ev, Value *a) {
  self_view(ev, a[0]);
  return a[0];
}

static Value get_format(Eval *ev, Value self) {
  return make_str(ev, str_from_c(self_view(ev, self)->format));
}

static Value get_item_size(Eval *ev, Value self) {
  return v_int((int64_t)self_view(ev, self)->item_size);
}

static Value get_bytes(Eval *ev, Value self) {
  const MemoryView *view = self_view(ev, self);
  return v_int(memory_count(view) * (int64_t)view->item_size);
}

static Value get_rank(Eval *ev, Value self) { return v_int((int64_t)self_view(ev, self)->rank); }

static Value integers(Eval *ev, size_t count, const int64_t *numbers) {
  Value items[MEMORY_MAX_RANK] = {0};
  for (size_t i = 0; i < count; i++) items[i] = v_int(numbers[i]);
  return make_tuple(ev, count, items);
}

static Value get_shape(Eval *ev, Value self) {
  const MemoryView *view = self_view(ev, self);
  return integers(ev, view->rank, view->dims);
}

static Value get_strides(Eval *ev, Value self) {
  const MemoryView *view = self_view(ev, self);
  return integers(ev, view->rank, view->strides);
}

static Value get_suboffsets(Eval *ev, Value self) {
  self_view(ev, self);
  return integers(ev, 0, NULL);
}

static Value get_readonly(Eval *ev, Value self) { return v_bool(self_view(ev, self)->is_readonly); }

static Value get_object(Eval *ev, Value self) { return self_view(ev, self)->object; }

static Value get_c_contiguous(Eval *ev, Value self) {
  const MemoryView *view = self_view(ev, self);
  return v_bool(memory_is_in_order(view));
}

static Value get_f_contiguous(Eval *ev, Value self) {
  MemoryView reversed = *self_view(ev, self);
  for (size_t d = 0; d < reversed.rank; d++) {
    reversed.dims[d] = self_view(ev, self)->dims[reversed.rank - 1 - d];
    reversed.strides[d] = self_view(ev, self)->strides[reversed.rank - 1 - d];
  }
  return v_bool(memory_is_in_order(&reversed));
}

static Value get_contiguous(Eval *ev, Value self) {
  return get_c_contiguous(ev, self).i ? v_bool(true) : get_f_contiguous(ev, self);
}

static const NativeDef view_methods[] = {
    {"__new__(cls, /, object)", view_new},
    {"__enter__(self, /)", view_enter},
    {"__exit__(self, /, *args)", view_release},
    {"cast(self, /, format, shape=)", view_cast},
    {"hex(self, /, sep=, bytes_per_sep=1)", view_hex},
    {"release(self, /)", view_release},
    {"tobytes(self, /, order='C')", view_tobytes},
    {"tolist(self, /)", view_tolist},
    {"toreadonly(self, /)", view_toreadonly},
    {0},
};

static const NativeGetter view_getters[] = {
    {"c_contiguous", get_c_contiguous},
    {"contiguous", get_contiguous},
    {"f_contiguous", get_f_contiguous},
    {"format", get_format},
    {"itemsize", get_item_size},
    {"nbytes", get_bytes},
    {"ndim", get_rank},
    {"obj", get_object},
    {"readonly", get_readonly},
    {"shape", get_shape},
    {"strides", get_strides},
    {"suboffsets", get_suboffsets},
    {0},
};

static const NativeType view_type = {
    .slots = {.len = view_len,
              .getitem = view_getitem,
              .setitem = view_setitem,
              .delitem = view_delitem,
              .iter = view_iter,
              .compare = view_compare,
              .hash = view_hash,
              .repr = view_repr},
    .methods = view_methods,
    .getters = view_getters,
};

void builtin_memoryview_init(Eval *ev) { native_type_define(ev, ev->types.memoryview, &view_type); }
