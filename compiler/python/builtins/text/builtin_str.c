// SPDX-License-Identifier: Apache-2.0
// str: its slots. The methods are in builtin_strmethods.c.
#include "base/buf.h"
#include "base/collected.h"
#include "base/unicode.h"
#include "python/builtins/builtin_index.h"
#include "python/values/builtin_state.h"
#include "builtin_bytes.h"
#include "builtin_encoding.h"
#include "python/builtins/builtin_slice.h"
#include "builtin_str.h"
#include "builtin_text.h"
#include "python/builtins/builtin_wrap.h"
#include "python/values/bytes_like.h"
#include "python/values/new_value.h"
#include "python/numbers/number.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"
#include "builtin_format.h"
#include "builtin_percent.h"
#include <string.h>

static const IndexWords str_words = {"string indices must be integers, not '%'",
                                     "string index out of range"};

// ---- making -------------------------------------------------------------------------------------
Value str_share(Eval *ev, Str text) {
  if (text.len == 1 && !(text.data[0] & 0x80)) return make_char(ev, (unsigned char)text.data[0]);
  return make_str_of(ev, text);
}

Value make_char(Eval *ev, uint32_t code) {
  char bytes[4];
  size_t len = utf8_encode(code, bytes);
  if (code >= COUNT_OF(ev->builtin->chars)) return make_str(ev, (Str){bytes, len});
  Value *cached = &ev->builtin->chars[code];
  if (cached->kind != V_OBJECT) *cached = make_str(ev, (Str){bytes, 1});
  return *cached;
}

static StrObject *self_str(Value self) { return (StrObject *)value_unwrap(self).o; }

size_t str_count(Value v) {
  StrObject *str = self_str(v);
  if (str->length == 0) str->length = text_length(str->text);
  return str->length;
}

// ---- sequence -----------------------------------------------------------------------------------
static int64_t str_len(Eval *ev UNUSED, Value self) { return (int64_t)str_count(self); }

static bool str_truth(Eval *ev UNUSED, Value self) { return self_str(self)->text.len > 0; }

// Where each code point begins, and the end.
static size_t *code_starts(Arena *arena, Str text, size_t count) {
  size_t *starts = ARENA_ARRAY(arena, size_t, count + 1);
  size_t at = 0;
  for (size_t i = 0; i < count; i++) {
    starts[i] = at;
    text_next(text, &at);
  }
  starts[count] = at;
  return starts;
}

static Value str_slice(Eval *ev, Value self, const SliceObject *slice) {
  Str text = self_str(self)->text;
  size_t count = str_count(self);
  SliceBounds bounds = slice_bounds(ev, slice, (int64_t)count);
  if (bounds.count == 0) return str_share(ev, (Str){"", 0});
  bool is_ascii = count == text.len;
  if (bounds.step == 1) {
    size_t begin = (size_t)bounds.start, end = begin + (size_t)bounds.count;
    if (!is_ascii) {
      begin = text_offset(text, begin);
      end = begin + text_offset((Str){text.data + begin, text.len - begin}, (size_t)bounds.count);
    }
    return str_share(ev, (Str){text.data + begin, end - begin});
  }
  size_t *starts = is_ascii ? NULL : code_starts(ev->arena, text, count);
  Buf buf;
  buf_init(&buf, ev->arena);
  for (int64_t i = 0, at = bounds.start; i < bounds.count; i++, at += bounds.step) {
    if (is_ascii) {
      buf_char(&buf, text.data[at]);
    } else {
      buf_str(&buf, (Str){text.data + starts[at], starts[at + 1] - starts[at]});
    }
  }
  return str_share(ev, buf_view(&buf));
}

static Value str_getitem(Eval *ev, Value self, Value index) {
  const SliceObject *slice = value_as_slice(ev, index);
  if (slice) return str_slice(ev, self, slice);
  Str text = self_str(self)->text;
  size_t count = str_count(self);
  size_t at = (size_t)sequence_index(ev, index, (int64_t)count, &str_words);
  if (count != text.len) at = text_offset(text, at);
  return make_char(ev, text_next(text, &at));
}

static bool str_contains(Eval *ev, Value self, Value item) {
  Str wanted;
  if (!value_as_str(item, &wanted)) {
    eval_raise(ev, ev->types.TypeError, "'in <string>' requires string as left operand, not %s",
               value_type_name(ev, item));
  }
  return text_find(self_str(self)->text, wanted, 0) != SIZE_MAX;
}

typedef struct StrIterator {
  Object base;
  Str text;
  size_t at;
} StrIterator;

static bool is_ascii(Str text) {
  for (size_t i = 0; i < text.len; i++)
    if ((unsigned char)text.data[i] > 127) return false;
  return true;
}

// That of a str of ASCII has a type of its own, as in Python.
static Value str_iter(Eval *ev, Value self) {
  StrIterator *it = ARENA_NEW(ev->arena, StrIterator);
  Str text = self_str(self)->text;
  Type *type = is_ascii(text) ? ev->builtin->str_ascii_iterator : ev->builtin->str_iterator;
  *it = (StrIterator){{type}, text, 0};
  return v_object(it);
}

static bool str_iterator_next(Eval *ev, Value self, Value *out) {
  StrIterator *it = (StrIterator *)self.o;
  if (it->at >= it->text.len) return false;
  unsigned char c = (unsigned char)it->text.data[it->at];
  if (c < COUNT_OF(ev->builtin->chars) && ev->builtin->chars[c].kind == V_OBJECT) {
    it->at++;
    *out = ev->builtin->chars[c];
    return true;
  }
  *out = make_char(ev, text_next(it->text, &it->at));
  return true;
}

// ---- operators ----------------------------------------------------------------------------------
// A text that is appended to again and again is not copied each time: the second time it gets room
// for as much again.
static Value str_concat(Eval *ev, Str a, Str b) {
  BuiltinState *state = ev->builtin;
  if (b.len == 0) return str_share(ev, a);
  size_t whole = a.len + b.len, room = whole;
  bool goes_on = a.len && a.data + a.len == state->appended;
  if (!goes_on || b.len > (size_t)(state->appended_limit - state->appended)) {
    if (goes_on) room = 2 * whole;
    char *text = arena_alloc_bytes(ev->arena, room);
    memcpy(text, a.data, a.len);
    a.data = text;
    state->appended = text + a.len;
    state->appended_limit = text + room;
  }
  memcpy(state->appended, b.data, b.len);
  state->appended += b.len;
  return str_share(ev, (Str){a.data, whole});
}

static Value str_repeat(Eval *ev, Value self, Value times) {
  Str text = self_str(self)->text;
  int64_t count;
  if (!repeat_count(ev, times, text.len, 1, &count)) return v_not_implemented();
  if (count == 1 && self.o->type == ev->types.string) return self;
  char *out = arena_alloc_bytes(ev->arena, text.len * (size_t)count + 1);
  for (int64_t i = 0; i < count; i++) memcpy(out + (size_t)i * text.len, text.data, text.len);
  return str_share(ev, (Str){out, text.len * (size_t)count});
}

static Value str_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  Str a, b;
  bool has_left = value_as_str(left, &a), has_right = value_as_str(right, &b);
  switch (op) {
  case BIN_ADD: return has_left && has_right ? str_concat(ev, a, b) : v_not_implemented();
  case BIN_MUL:
    if (has_left && has_right) return v_not_implemented();
    return has_left ? str_repeat(ev, left, right) : str_repeat(ev, right, left);
  case BIN_MOD:
    return has_left ? str_share(ev, percent_format(ev, a, right, false)) : v_not_implemented();
  default: return v_not_implemented();
  }
}

static Value str_compare_slot(Eval *ev UNUSED, CompareOp op, Value left, Value right) {
  Str a, b;
  if (!value_as_str(left, &a) || !value_as_str(right, &b)) return v_not_implemented();
  if (op == CMP_EQ) return v_bool(str_equal(a, b));
  if (op == CMP_NE) return v_bool(!str_equal(a, b));
  return v_bool(order_holds(op, str_compare(a, b)));
}

static uint64_t str_hash_slot(Eval *ev, Value self) {
  return value_hash(ev, v_object(self_str(self)));
}

static Str str_repr_slot(Eval *ev, Value self) { return str_repr(ev->arena, self_str(self)->text); }

static Str str_str_slot(Eval *ev UNUSED, Value self) { return self_str(self)->text; }

static Str str_format_slot(Eval *ev, Value self, Str spec) {
  return format_text(ev, self_str(self)->text, spec);
}

// ---- str(…) -------------------------------------------------------------------------------------
Value str_new(Eval *ev, Value *a) {
  Type *cls = (Type *)a[0].o;
  Value object = a[1], result;
  if (v_is_unbound(a[2]) && v_is_unbound(a[3])) {
    if (v_is_unbound(object)) {
      result = str_share(ev, (Str){"", 0});
    } else if (object.kind == V_OBJECT && object.o->type == ev->types.string) {
      result = object;
    } else {
      result = str_share(ev, value_str(ev, object));
    }
  } else {
    Str bytes;
    if (value_as_str(object, &(Str){0}))
      eval_raise(ev, ev->types.TypeError, "decoding str is not supported");
    if (!value_as_bytes(ev, object, &bytes)) {
      eval_raise(ev, ev->types.TypeError, "decoding to str: need a bytes-like object, %s found",
                 value_type_name(ev, object));
    }
    result = str_share(ev, text_decode(ev, bytes, a[2], a[3]));
  }
  return payload_wrap(ev, cls, ev->types.string, result);
}

static Value str_of(Eval *ev, const Args *args) {
  if (!args_are(args, 1, 1)) return v_unbound();
  if (args->items[0].kind == V_OBJECT && args->items[0].o->type == ev->types.string)
    return args->items[0];
  return str_share(ev, value_str(ev, args->items[0]));
}

static const NativeType str_type = {
    .slots = {.make = str_of,
              .len = str_len,
              .truth = str_truth,
              .getitem = str_getitem,
              .contains = str_contains,
              .iter = str_iter,
              .binary = str_binary,
              .compare = str_compare_slot,
              .hash = str_hash_slot,
              .repr = str_repr_slot,
              .str = str_str_slot,
              .format = str_format_slot},
    .methods = str_methods,
};

static const NativeType str_iterator_type = {
    .slots = {.iter = iterator_self, .next = str_iterator_next},
};

void builtin_str_init(Eval *ev) {
  native_type_define(ev, ev->types.string, &str_type);
  ev->builtin->str_iterator =
      native_type_new(ev, "builtins", "str_iterator", NULL, &str_iterator_type);
  ev->builtin->str_ascii_iterator =
      native_type_new(ev, "builtins", "str_ascii_iterator", NULL, &str_iterator_type);
}
