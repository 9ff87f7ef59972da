// SPDX-License-Identifier: Apache-2.0
// bytes: their sequence, conversions and type; methods are in builtin_bytesmethods.c.
#include "base/buf.h"
#include "base/collected.h"
#include "base/unicode.h"
#include "python/values/builtin_state.h"
#include "builtin_bytes.h"
#include "builtin_encoding.h"
#include "python/builtins/builtin_exceptions.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/builtin_slice.h"
#include "builtin_text.h"
#include "python/builtins/builtin_wrap.h"
#include "python/values/bytes_like.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/numbers/number.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"
#include "builtin_percent.h"
#include <string.h>

static const IndexWords bytes_words = {"byte indices must be integers or slices, not %",
                                       "index out of range"};
const IndexWords bytearray_words = {"bytearray indices must be integers or slices, not %",
                                    "bytearray index out of range"};

Str self_bytes(Eval *ev, Value self) {
  Str text;
  if (value_as_bytes(ev, self, &text)) return text;
  eval_raise(ev, ev->types.TypeError, "descriptor requires a 'bytes' object but received a '%s'",
             value_type_name(ev, self));
}

Value make_like(Eval *ev, Value self, Str bytes) {
  return value_is_bytearray(ev, self) ? make_bytearray(ev, bytes) : make_bytes(ev, bytes);
}

bool as_bytes_like(Eval *ev, Value v, Str *out) {
  if (value_as_bytes(ev, v, out)) return true;
  Value shown = special_call(ev, v, name_of(ev, "__buffer__"), 1, (Value[]){v_int(0)});
  if (v_is_unbound(shown)) return false;
  *out = take_bytes(ev, shown);
  return true;
}

Str take_bytes_like(Eval *ev, Value v) {
  Str text;
  if (as_bytes_like(ev, v, &text)) return text;
  eval_raise(ev, ev->types.TypeError, "a bytes-like object is required, not '%s'",
             value_type_name(ev, v));
}

char take_byte(Eval *ev, Value v, const char *what) {
  Value index = take_index(ev, v);
  if (index.kind == V_OBJECT || index.i < 0 || index.i > 255)
    eval_raise(ev, ev->types.ValueError, "%s must be in range(0, 256)", what);
  return (char)index.i;
}

Str take_bytes_for(Eval *ev, Value v, const Type *type) {
  Str text;
  if (value_as_bytes(ev, v, &text)) return text;
  bool changes = type == ev->types.bytearray;
  if ((value_as_str(v, &text) && !changes) || !value_is_iterable(ev, v))
    eval_raise(ev, ev->types.TypeError, "cannot convert '%s' object to %s", value_type_name(ev, v),
               type_shown(type));
  const Tuple *items = value_to_tuple(ev, v);
  char *bytes = arena_alloc_bytes(ev->arena, items->count + 1);
  for (size_t i = 0; i < items->count; i++)
    bytes[i] = take_byte(ev, items->items[i], changes ? "byte" : "bytes");
  return (Str){bytes, items->count};
}

Str take_bytes(Eval *ev, Value v) { return take_bytes_for(ev, v, ev->types.bytes); }

// ---- sequence -----------------------------------------------------------------------------------
static int64_t bytes_len(Eval *ev, Value self) { return (int64_t)self_bytes(ev, self).len; }

static Value bytes_getitem(Eval *ev, Value self, Value index) {
  Str text = self_bytes(ev, self);
  const SliceObject *slice = value_as_slice(ev, index);
  if (!slice) {
    const IndexWords *words = value_is_bytearray(ev, self) ? &bytearray_words : &bytes_words;
    int64_t at = sequence_index(ev, index, (int64_t)text.len, words);
    return v_int((unsigned char)text.data[at]);
  }
  SliceBounds bounds = slice_bounds(ev, slice, (int64_t)text.len);
  bool is_whole = bounds.step == 1 && (size_t)bounds.count == text.len;
  if (is_whole && self.o->type == ev->types.bytes) return self;
  if (bounds.step == 1)
    return make_like(ev, self, (Str){text.data + bounds.start, (size_t)bounds.count});
  char *out = arena_alloc_bytes(ev->arena, (size_t)bounds.count + 1);
  for (int64_t i = 0; i < bounds.count; i++) out[i] = text.data[bounds.start + i * bounds.step];
  return make_like(ev, self, (Str){out, (size_t)bounds.count});
}

static bool bytes_contains(Eval *ev, Value self, Value item) {
  Str text = self_bytes(ev, self), wanted;
  if (value_as_bytes(ev, item, &wanted)) return text_find(text, wanted, 0) != SIZE_MAX;
  Value index = take_index_opt(ev, item);
  if (v_is_unbound(index)) {
    eval_raise(ev, ev->types.TypeError, "a bytes-like object is required, not '%s'",
               value_type_name(ev, item));
  }
  if (index.kind == V_OBJECT || index.i < 0 || index.i > 255)
    eval_raise(ev, ev->types.ValueError, "byte must be in range(0, 256)");
  return text.len > 0 && memchr(text.data, (int)index.i, text.len) != NULL;
}

typedef struct BytesIterator {
  Object base;
  Value bytes; // a bytearray may change meanwhile
  size_t at;
} BytesIterator;

static Value bytes_iter(Eval *ev, Value self) {
  BytesIterator *it = ARENA_NEW(ev->arena, BytesIterator);
  *it = (BytesIterator){{ev->builtin->bytes_iterator}, self, 0};
  return v_object(it);
}

static bool bytes_iterator_next(Eval *ev, Value self, Value *out) {
  BytesIterator *it = (BytesIterator *)self.o;
  Str text = it->bytes.o->type == ev->types.bytes ? ((const BytesObject *)it->bytes.o)->text
                                                  : self_bytes(ev, it->bytes);
  if (it->at >= text.len) return false;
  *out = v_int((unsigned char)text.data[it->at++]);
  return true;
}

static Value bytes_repeat(Eval *ev, Value bytes, Str text, Value times) {
  int64_t count;
  if (!repeat_count(ev, times, text.len, 1, &count)) return v_not_implemented();
  Buf buf;
  buf_init(&buf, ev->arena);
  buf_repeat(&buf, text, count > 0 ? (size_t)count : 0);
  return make_like(ev, bytes, buf_view(&buf));
}

static Value bytes_concat(Eval *ev, Value left, Str a, Str b) {
  if (!value_is_bytearray(ev, left)) {
    char *text;
    Value bytes = make_bytes_unset(ev, a.len + b.len, &text);
    if (a.len) memcpy(text, a.data, a.len);
    if (b.len) memcpy(text + a.len, b.data, b.len);
    return bytes;
  }
  Buf buf;
  buf_init(&buf, ev->arena);
  buf_str(&buf, a);
  buf_str(&buf, b);
  return make_like(ev, left, buf_view(&buf));
}

static Value bytes_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  Str a, b;
  bool has_left = value_as_bytes(ev, left, &a), has_right = value_as_bytes(ev, right, &b);
  if (op == BIN_ADD && has_left && has_right && left.o->type != ev->types.memoryview)
    return bytes_concat(ev, left, a, b);
  if (op == BIN_MUL)
    return bytes_repeat(ev, has_left ? left : right, has_left ? a : b, has_left ? right : left);
  if (op == BIN_MOD && has_left) return make_like(ev, left, percent_format(ev, a, right, true));
  return v_not_implemented();
}

static Value bytes_compare(Eval *ev, CompareOp op, Value left, Value right) {
  Str a, b;
  if (!value_as_bytes(ev, left, &a) || !value_as_bytes(ev, right, &b)) return v_not_implemented();
  return v_bool(order_holds(op, str_compare(a, b)));
}

static uint64_t bytes_hash(Eval *ev, Value self) {
  uint64_t hash = 0xcbf29ce484222325u; // FNV-1a
  Str text = self_bytes(ev, self);
  for (size_t i = 0; i < text.len; i++)
    hash = (hash ^ (unsigned char)text.data[i]) * 0x100000001b3u;
  return hash;
}

static Str bytes_repr_slot(Eval *ev, Value self) {
  return bytes_repr(ev->arena, self_bytes(ev, self));
}

// ---- conversions --------------------------------------------------------------------------------
static Str bytes_argument(Eval *ev, const Type *type, Value source, Value encoding, Value errors) {
  Str text;
  if (v_is_unbound(source)) {
    if (!v_is_unbound(encoding))
      eval_raise(ev, ev->types.TypeError, "encoding without a string argument");
    return (Str){"", 0};
  }
  if (value_as_str(source, &text)) {
    if (v_is_unbound(encoding))
      eval_raise(ev, ev->types.TypeError, "string argument without an encoding");
    return text_encode(ev, text, encoding, errors);
  }
  if (!v_is_unbound(encoding) || !v_is_unbound(errors))
    eval_raise(ev, ev->types.TypeError, "%s without a string argument",
               v_is_unbound(encoding) ? "errors" : "encoding");
  if (value_as_bytes(ev, source, &text)) return text;
  if (is_a(source, ev->types.list) || is_a(source, ev->types.tuple))
    return take_bytes_for(ev, source, type);
  Value made = v_unbound();
  if (type == ev->types.bytes)
    made = special_call(ev, source, ev->builtin->names.dunder_bytes, 0, NULL);
  if (v_is_unbound(made))
    made = special_call(ev, source, ev->builtin->names.dunder_buffer, 1, (Value[]){v_int(0)});
  if (!v_is_unbound(made)) return take_bytes(ev, made);
  Value size = take_index_opt(ev, source);
  if (v_is_unbound(size)) return take_bytes_for(ev, source, type);
  int64_t count = take_index64(ev, size);
  if (count < 0) eval_raise(ev, ev->types.ValueError, "negative count");
  demand_memory(ev, (size_t)count);
  return (Str){arena_alloc_bytes(ev->arena, (size_t)count + 1), (size_t)count};
}

// bytes or bytearray.
static Type *native_of_class(Eval *ev, Value cls) {
  bool changes = cls.kind == V_OBJECT && type_is_subtype((Type *)cls.o, ev->types.bytearray);
  return changes ? ev->types.bytearray : ev->types.bytes;
}

static Value bytes_of_class(Eval *ev, Value cls, Str text) {
  Type *native = native_of_class(ev, cls);
  Value made = native == ev->types.bytearray ? make_bytearray(ev, text) : make_bytes(ev, text);
  return payload_wrap(ev, (Type *)cls.o, native, made);
}

Value bytes_new(Eval *ev, Value *a) {
  return bytes_of_class(ev, a[0], bytes_argument(ev, native_of_class(ev, a[0]), a[1], a[2], a[3]));
}

Value bytes_decode(Eval *ev, Value *a) {
  return make_str(ev, text_decode(ev, self_bytes(ev, a[0]), a[1], a[2]));
}

// The separator of hex(): one ASCII character; 0: none.
static char take_separator(Eval *ev, Value v) {
  Str text;
  if (v_is_unbound(v)) return 0;
  value_len(ev, v);
  if (!value_as_str(v, &text) && !value_as_bytes(ev, v, &text))
    eval_raise(ev, ev->types.TypeError, "sep must be str or bytes.");
  if (text_length(text) != 1) eval_raise(ev, ev->types.ValueError, "sep must be length 1.");
  if (text.data[0] & 0x80) eval_raise(ev, ev->types.ValueError, "sep must be ASCII.");
  return text.data[0];
}

// Groups of bytes_per_sep bytes are counted from the right; from the left if it is negative.
Value bytes_hex(Eval *ev, Value *a) {
  Str text = self_bytes(ev, a[0]);
  char separator = take_separator(ev, a[1]);
  int64_t group = take_int(ev, a[2], "bytes_per_sep"), size = group < 0 ? -group : group;
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = 0; i < text.len; i++) {
    size_t from_end = group < 0 ? i : text.len - i;
    if (separator && i > 0 && size > 0 && from_end % (size_t)size == 0) buf_char(&buf, separator);
    const char *digits = "0123456789abcdef";
    unsigned char byte = (unsigned char)text.data[i];
    buf_str(&buf, (Str){(char[]){digits[byte >> 4], digits[byte & 15]}, 2});
  }
  return make_str(ev, buf_view(&buf));
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c |= 32;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

Value bytes_fromhex(Eval *ev, Value *a) {
  Str text = take_str(ev, a[1], "fromhex() argument");
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = 0; i < text.len; i++) {
    if (strchr(" \t\n\r\f\v", text.data[i]) && text.data[i]) continue;
    int high = hex_digit(text.data[i]);
    if (high >= 0) i++;
    int low = high >= 0 && i < text.len ? hex_digit(text.data[i]) : -1;
    if (low < 0) {
      eval_raise(ev, ev->types.ValueError,
                 "non-hexadecimal number found in fromhex() arg at position %zu", i);
    }
    buf_char(&buf, (char)(high << 4 | low));
  }
  return bytes_of_class(ev, a[0], buf_view(&buf));
}

// What fills the caches; short ones may be shared.
static void bytes_discard(Eval *ev, Value self) {
  enum { WORTH_IT = 1 << 14 };
  Str text = ((const BytesObject *)self.o)->text;
  if (text.len >= WORTH_IT) arena_discard(ev->arena, text.data);
}

const NativeType bytes_type = {
    .slots = {.len = bytes_len,
              .getitem = bytes_getitem,
              .contains = bytes_contains,
              .iter = bytes_iter,
              .binary = bytes_binary,
              .compare = bytes_compare,
              .hash = bytes_hash,
              .repr = bytes_repr_slot,
              .discard = bytes_discard},
    .methods = bytes_methods,
};

static const NativeType bytes_iterator_type = {
    .slots = {.iter = iterator_self, .next = bytes_iterator_next}};

void builtin_bytes_init(Eval *ev) {
  native_type_define(ev, ev->types.bytes, &bytes_type);
  ev->builtin->bytes_iterator =
      native_type_new(ev, "builtins", "bytes_iterator", NULL, &bytes_iterator_type);
}
