// SPDX-License-Identifier: Apache-2.0
// What every object has besides the slots of its type: its size, and how it is copied, which
// copyreg.pk says.
#include "builtin_object.h"
#include "base/collected.h"
#include "builtin_wrap.h"
#include "python/builtins/text/builtin_text.h"
#include "python/modules/import.h"
#include "python/modules/module.h"
#include "python/objects/attribute.h"
#include "python/objects/protocol.h"
#include "python/objects/signature.h"
#include "python/objects/value_call.h"
#include "python/values/builtin_state.h"
#include "python/values/dict.h"
#include "python/values/values.h"

// ---- sizes --------------------------------------------------------------------------------------
// Text as Python keeps it: one, two or four bytes a code point behind a head.
static int64_t text_size(Str text) {
  if (text_is_ascii(text)) return 49 + (int64_t)text.len;
  uint32_t widest = 0;
  for (size_t at = 0; at < text.len;) {
    uint32_t code = text_next(text, &at);
    if (code > widest) widest = code;
  }
  int64_t bytes = widest < 0x100 ? 1 : widest < 0x10000 ? 2 : 4;
  return (bytes == 1 ? 73 : bytes == 2 ? 74 : 76) + bytes * (int64_t)text_length(text);
}

// The class says it, or it is Python's figure where that follows from the value; else the memory
// that the object has here.

int64_t value_size(Eval *ev, Value v) {
  Str text;
  if (value_as_str(v, &text)) return text_size(text);
  if (value_as_list(v)) return 56 + 8 * value_len(ev, v);
  if (value_as_tuple(v)) return 40 + 8 * value_len(ev, v);
  if (v.kind != V_OBJECT) return v.kind == V_NONE ? 16 : v.kind == V_FLOAT ? 24 : 28;
  size_t size = arena_object_size(ev->arena, v.o);
  return size ? (int64_t)size : 48;
}

// Without what the collector of Python has before an object that may hold others.
static Value object_sizeof(Eval *ev, Value *a) {
  const Type *type = a[0].kind == V_OBJECT ? a[0].o->type : NULL;
  bool is_plain = !type || type == ev->types.string || type == ev->types.bytes ||
                  type == ev->types.integer || type == ev->types.complex;
  return v_int(value_size(ev, a[0]) - (is_plain ? 0 : 16));
}

// ---- copies -------------------------------------------------------------------------------------
static Value by_copyreg(Eval *ev, const char *function, size_t count, const Value *args) {
  Value module = v_object(module_import(ev, STR("copyreg")));
  return value_call_n(ev, value_getattr_c(ev, module, function), count, args);
}

static Value object_getstate(Eval *ev, Value *a) { return by_copyreg(ev, "_getstate", 1, a); }
static Value object_reduce(Eval *ev, Value *a) {
  return by_copyreg(ev, "_reduced", 2, (Value[]){a[0], v_int(0)});
}
static Value object_reduce_ex(Eval *ev, Value *a) { return by_copyreg(ev, "_reduce_ex", 2, a); }

void builtin_object_init(Eval *ev) {
  static const NativeDef methods[] = {{"__sizeof__(self, /)", object_sizeof},
                                      {"__getstate__(self, /)", object_getstate},
                                      {"__reduce__(self, /)", object_reduce},
                                      {"__reduce_ex__(self, protocol, /)", object_reduce_ex}};
  Type *object = ev->types.object;
  for (size_t i = 0; i < COUNT_OF(methods); i++) {
    NativeFunction *method = native_new(ev, &methods[i], object);
    dict_set_name(ev, object->dict, method->name, v_object(method));
  }
}
