// SPDX-License-Identifier: Apache-2.0
// bytearray: what changes one. Reading is that of bytes (builtin_bytes.c).
#include "base/collected.h"
#include "builtin_bytearray.h"
#include "builtin_bytes.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/builtin_slice.h"
#include "python/builtins/builtin_wrap.h"
#include "python/values/builtin_state.h"
#include "python/values/bytes_like.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/values.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/objects/type_lookup.h"
#include <string.h>

static ByteArray *self_array(Eval *ev, Value self) {
  if (value_is_bytearray(ev, self)) return (ByteArray *)value_unwrap(self).o;
  eval_raise(ev, ev->types.TypeError,
             "descriptor requires a 'bytearray' object but received a '%s'",
             value_type_name(ev, self));
}

// `gone` bytes at `at` become `bytes`, which may be part of the array itself.
static void replace_range(Eval *ev, ByteArray *array, size_t at, size_t gone, Str bytes) {
  size_t length = array->head.text.len, count = length - gone + bytes.len;
  const char *from = bytes.len ? arena_dup(ev->arena, bytes.data, bytes.len) : NULL;
  if (count > array->capacity) {
    size_t capacity = array->capacity * 2 > count ? array->capacity * 2 : count;
    demand_memory(ev, capacity);
    char *room = arena_alloc_bytes(ev->arena, capacity + 1);
    if (length) memcpy(room, array->bytes, length);
    array->bytes = room;
    array->capacity = capacity;
  }
  if (length > at + gone)
    memmove(array->bytes + at + bytes.len, array->bytes + at + gone, length - at - gone);
  if (from) memcpy(array->bytes + at, from, bytes.len);
  array->head.text = (Str){array->bytes, count};
}

static void set_slice(Eval *ev, ByteArray *array, const SliceObject *slice, Value value) {
  Str bytes;
  if (!value_as_bytes(ev, value, &bytes)) {
    if (value_as_str(value, &bytes) || value.kind == V_FLOAT ||
        !v_is_unbound(take_index_opt(ev, value)))
      eval_raise(ev, ev->types.TypeError,
                 "can assign only bytes, buffers, or iterables of ints in range(0, 256)");
    bytes = take_bytes_for(ev, value, ev->types.bytearray);
  }
  SliceBounds bounds = slice_bounds(ev, slice, (int64_t)array->head.text.len);
  if (bounds.step == 1) {
    size_t gone = bounds.stop > bounds.start ? (size_t)(bounds.stop - bounds.start) : 0;
    replace_range(ev, array, (size_t)bounds.start, gone, bytes);
    return;
  }
  if ((int64_t)bytes.len != bounds.count) {
    eval_raise(ev, ev->types.ValueError,
               "attempt to assign bytes of size %zu to extended slice of size %lld", bytes.len,
               (long long)bounds.count);
  }
  bytes.data = arena_dup(ev->arena, bytes.data, bytes.len);
  for (int64_t i = 0; i < bounds.count; i++)
    array->bytes[bounds.start + i * bounds.step] = bytes.data[i];
}

static void array_setitem(Eval *ev, Value self, Value index, Value value) {
  ByteArray *array = self_array(ev, self);
  const SliceObject *slice = value_as_slice(ev, index);
  if (slice) {
    set_slice(ev, array, slice, value);
    return;
  }
  int64_t at = sequence_index(ev, index, (int64_t)array->head.text.len, &bytearray_words);
  array->bytes[at] = take_byte(ev, value, "byte");
}

static void array_delitem(Eval *ev, Value self, Value index) {
  ByteArray *array = self_array(ev, self);
  const SliceObject *slice = value_as_slice(ev, index);
  int64_t length = (int64_t)array->head.text.len;
  if (!slice) {
    int64_t at = sequence_index(ev, index, length, &bytearray_words);
    replace_range(ev, array, (size_t)at, 1, (Str){0});
    return;
  }
  SliceBounds bounds = slice_bounds(ev, slice, length);
  if (bounds.step < 0) { // the same bytes, forwards
    bounds.start += (bounds.count - 1) * bounds.step;
    bounds.step = -bounds.step;
  }
  for (int64_t i = bounds.count; i-- > 0;)
    replace_range(ev, array, (size_t)(bounds.start + i * bounds.step), 1, (Str){0});
}

static Value array_inplace(Eval *ev, BinaryOp op, Value left, Value right) {
  ByteArray *array = self_array(ev, left);
  Str bytes;
  if (op == BIN_ADD) {
    if (!value_as_bytes(ev, right, &bytes))
      eval_raise(ev, ev->types.TypeError, "can't concat %s to bytearray",
                 value_type_name(ev, right));
    replace_range(ev, array, array->head.text.len, 0, bytes);
    return left;
  }
  if (op != BIN_MUL) return v_not_implemented();
  Value repeated = bytes_type.slots.binary(ev, op, left, right);
  if (repeated.kind != V_OBJECT) return repeated;
  value_as_bytes(ev, repeated, &bytes);
  replace_range(ev, array, 0, array->head.text.len, bytes);
  return left;
}

static Str array_repr(Eval *ev, Value self) {
  Str text = bytes_type.slots.repr(ev, self);
  return str_format(ev->arena, "%s(%.*s)", value_type_name(ev, self), STR_FMT(text));
}

// ---- methods ------------------------------------------------------------------------------------
static Value array_append(Eval *ev, Value *a) {
  ByteArray *array = self_array(ev, a[0]);
  char byte = take_byte(ev, a[1], "byte");
  replace_range(ev, array, array->head.text.len, 0, (Str){&byte, 1});
  return v_none();
}

static Value array_extend(Eval *ev, Value *a) {
  ByteArray *array = self_array(ev, a[0]);
  if (!value_is_iterable(ev, a[1]))
    eval_raise(ev, ev->types.TypeError, "can't extend bytearray with %s",
               value_type_name(ev, a[1]));
  Str bytes = take_bytes_for(ev, a[1], ev->types.bytearray);
  replace_range(ev, array, array->head.text.len, 0, bytes);
  return v_none();
}

static Value array_insert(Eval *ev, Value *a) {
  ByteArray *array = self_array(ev, a[0]);
  int64_t length = (int64_t)array->head.text.len;
  int64_t at = take_bound(ev, v_int(take_index64(ev, a[1])), length, 0);
  char byte = take_byte(ev, a[2], "byte");
  replace_range(ev, array, (size_t)at, 0, (Str){&byte, 1});
  return v_none();
}

static Value array_pop(Eval *ev, Value *a) {
  ByteArray *array = self_array(ev, a[0]);
  int64_t at = take_index64(ev, a[1]), length = (int64_t)array->head.text.len;
  if (length == 0) eval_raise(ev, ev->types.IndexError, "pop from empty bytearray");
  if (at < 0) at += length;
  if (at < 0 || at >= length) eval_raise(ev, ev->types.IndexError, "pop index out of range");
  Value byte = v_int((unsigned char)array->bytes[at]);
  replace_range(ev, array, (size_t)at, 1, (Str){0});
  return byte;
}

static Value array_remove(Eval *ev, Value *a) {
  ByteArray *array = self_array(ev, a[0]);
  char byte = take_byte(ev, a[1], "byte");
  size_t length = array->head.text.len;
  const char *found = length ? memchr(array->bytes, byte, length) : NULL;
  if (!found) eval_raise(ev, ev->types.ValueError, "value not found in bytearray");
  replace_range(ev, array, (size_t)(found - array->bytes), 1, (Str){0});
  return v_none();
}

static Value array_clear(Eval *ev, Value *a) {
  self_array(ev, a[0])->head.text.len = 0;
  return v_none();
}

static Value array_copy(Eval *ev, Value *a) {
  return make_bytearray(ev, self_array(ev, a[0])->head.text);
}

static Value array_reverse(Eval *ev, Value *a) {
  ByteArray *array = self_array(ev, a[0]);
  for (size_t i = 0, j = array->head.text.len; i + 1 < j; i++) {
    char byte = array->bytes[i];
    array->bytes[i] = array->bytes[--j];
    array->bytes[j] = byte;
  }
  return v_none();
}

static const NativeDef array_methods[] = {
    {"append(self, item, /)", array_append},
    {"extend(self, iterable_of_ints, /)", array_extend},
    {"insert(self, index, item, /)", array_insert},
    {"pop(self, index=-1, /)", array_pop},
    {"remove(self, value, /)", array_remove},
    {"clear(self, /)", array_clear},
    {"copy(self, /)", array_copy},
    {"reverse(self, /)", array_reverse},
};

void builtin_bytearray_init(Eval *ev) {
  size_t shared = 0, own = COUNT_OF(array_methods);
  while (bytes_type.methods[shared].signature) shared++;
  NativeDef *methods = ARENA_ARRAY(ev->arena, NativeDef, own + shared + 1);
  memcpy(methods, array_methods, sizeof array_methods);
  memcpy(methods + own, bytes_type.methods, (shared + 1) * sizeof *methods);
  NativeType type = bytes_type;
  type.methods = methods;
  type.slots.setitem = array_setitem;
  type.slots.delitem = array_delitem;
  type.slots.inplace = array_inplace;
  type.slots.hash = NULL;
  type.slots.repr = array_repr;
  native_type_define(ev, ev->types.bytearray, &type);
}
