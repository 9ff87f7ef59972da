// SPDX-License-Identifier: Apache-2.0
// What holds bytes: bytes, bytearray, memoryview.
#include "base/collected.h"
#include "bytes_like.h"
#include "raise.h"
#include "values.h"
#include <string.h>

bool value_is_bytearray(const Eval *ev, Value v) {
  v = value_unwrap(v);
  return v.kind == V_OBJECT && v.o->type == ev->types.bytearray;
}

Value make_bytearray(Eval *ev, Str bytes) {
  ByteArray *made = ARENA_NEW(ev->arena, ByteArray);
  made->head.base.type = ev->types.bytearray;
  made->bytes = arena_dup(ev->arena, bytes.data, bytes.len);
  made->capacity = bytes.len;
  made->head.text = (Str){made->bytes, bytes.len};
  return v_object(made);
}

int64_t memory_count(const MemoryView *view) {
  int64_t count = 1;
  for (size_t d = 0; d < view->rank; d++) count *= view->dims[d];
  return count;
}

char *memory_element(const MemoryView *view, int64_t at) {
  char *element = view->data;
  for (size_t d = view->rank; d-- > 0; at /= view->dims[d])
    element += at % view->dims[d] * view->strides[d];
  return element;
}

bool memory_is_in_order(const MemoryView *view) {
  int64_t stride = (int64_t)view->item_size;
  for (size_t d = view->rank; d-- > 0; stride *= view->dims[d]) {
    if (view->dims[d] != 1 && view->strides[d] != stride) return false;
  }
  return true;
}

Str memory_bytes(Eval *ev, const MemoryView *view) {
  size_t count = (size_t)memory_count(view), size = view->item_size;
  if (memory_is_in_order(view)) return (Str){view->data, count * size};
  char *bytes = arena_alloc_bytes(ev->arena, count * size + 1);
  for (size_t i = 0; i < count; i++)
    memcpy(bytes + i * size, memory_element(view, (int64_t)i), size);
  return (Str){bytes, count * size};
}

bool value_as_bytes(Eval *ev, Value v, Str *out) {
  v = value_unwrap(v);
  if (v.kind != V_OBJECT) return false;
  if (v.o->type == ev->types.bytes || v.o->type == ev->types.bytearray) {
    *out = ((const BytesObject *)v.o)->text;
    return true;
  }
  if (v.o->type != ev->types.memoryview) return false;
  const MemoryView *view = (const MemoryView *)v.o;
  if (!view->data)
    eval_raise(ev, ev->types.ValueError, "operation forbidden on released memoryview object");
  *out = memory_bytes(ev, view);
  return true;
}
