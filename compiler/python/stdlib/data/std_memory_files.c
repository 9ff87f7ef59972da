// SPDX-License-Identifier: Apache-2.0
// The module _memory_files: what io.StringIO and io.BytesIO are made of, texts and bytes that are
// read and written as files are.
#include <string.h>
#include "base/buf.h"
#include "base/collected.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/builtin_wrap.h"
#include "python/builtins/text/builtin_str.h"
#include "python/builtins/text/builtin_text.h"
#include "python/modules/module.h"
#include "python/objects/attribute.h"
#include "python/objects/iteration.h"
#include "python/objects/module_def.h"
#include "python/objects/protocol.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/builtin_state.h"
#include "python/values/bytes_like.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"

// ---- what both share ----------------------------------------------------------------------------
// A number of characters or bytes; `none` for None.
static int64_t take_count(Eval *ev, Value v, int64_t none) {
  if (v_is_none(v)) return none;
  Value index = take_index_opt(ev, v);
  if (v_is_unbound(index))
    eval_raise(ev, ev->types.TypeError, "argument should be integer or None, not '%s'",
               value_type_name(ev, v));
  return take_index64(ev, index);
}

// Room for `needed` bytes where `size` of `*capacity` are in use.
static char *grown(Eval *ev, char *data, size_t size, size_t *capacity, size_t needed) {
  if (needed <= *capacity) return data;
  size_t room = *capacity * 2 > needed ? *capacity * 2 : needed + 32;
  demand_memory(ev, room);
  char *made = arena_alloc_bytes(ev->arena, room + 1);
  if (size) memcpy(made, data, size);
  *capacity = room;
  return made;
}

// How a file of each kind begins what it says of a place.
typedef struct PlaceWords {
  const char *whence, *place, *size;
} PlaceWords;

static void check_place(Eval *ev, int64_t pos, int64_t whence, const PlaceWords *words) {
  if (whence < 0 || whence > 2)
    eval_raise(ev, ev->types.ValueError, "%s whence (%lld, should be 0, 1 or 2)", words->whence,
               (long long)whence);
  if (whence == 0 && pos < 0)
    eval_raise(ev, ev->types.ValueError, "%s %lld", words->place, (long long)pos);
}

// Where a file is cut: at the place `at` unless a length is given.
static size_t cut_at(Eval *ev, Value given, int64_t length, size_t at, const PlaceWords *words) {
  if (v_is_none(given)) return at;
  if (length < 0)
    eval_raise(ev, ev->types.ValueError, "%s size value %lld", words->size, (long long)length);
  return (size_t)length;
}

// A line as `for` asks for it: by the method of a class that has its own.
static bool own_line(Eval *ev, Value self, NativeFn readline, Value *line) {
  Value found = type_lookup(ev, value_type(ev, self), ev->builtin->names.readline);
  if (found.kind == V_OBJECT && found.o->type == ev->types.native &&
      ((const NativeFunction *)found.o)->def->fn == readline)
    return false;
  *line = value_call_method(ev, self, "readline", 0, NULL);
  return true;
}

// ---- texts --------------------------------------------------------------------------------------
// The ends of lines, as `newline` has them.
typedef enum Ends { ENDS_LF, ENDS_TRANSLATED, ENDS_ANY, ENDS_CR, ENDS_CRLF } Ends;
enum { SEEN_CR = 1, SEEN_LF = 2, SEEN_CRLF = 4 };

typedef struct TextFile {
  Object base;
  char *data;            // UTF-8
  size_t size, capacity; // in bytes
  size_t count;          // in characters
  size_t at;             // the place, in characters, perhaps behind the end …
  size_t offset;         // … and in bytes, at most the end
  Ends ends;
  unsigned seen; // ends of lines that have been written, where they are translated or any
  bool is_closed;
} TextFile;

static TextFile *any_text(Value self) { return (TextFile *)value_unwrap(self).o; }
static TextFile *self_text(Eval *ev, Value self) {
  TextFile *file = any_text(self);
  if (file->is_closed) eval_raise(ev, ev->types.ValueError, "I/O operation on closed file");
  return file;
}

static Str text_view(const TextFile *file) { return (Str){file->data, file->size}; }

static size_t offset_of(const TextFile *file, size_t at) {
  if (at >= file->count) return file->size;
  return file->size == file->count ? at : text_offset(text_view(file), at);
}

static void text_go(TextFile *file, size_t at) {
  file->at = at;
  file->offset = offset_of(file, at);
}

// A text as it is kept: the ends of its lines are those of the file.
static Str kept_text(Eval *ev, TextFile *file, Str text) {
  if (file->ends == ENDS_LF) return text;
  bool of_any = file->ends == ENDS_TRANSLATED || file->ends == ENDS_ANY;
  if (!memchr(text.data, '\n', text.len) && !(of_any && memchr(text.data, '\r', text.len)))
    return text;
  Buf out;
  buf_init(&out, ev->arena);
  for (size_t i = 0; i < text.len; i++) {
    char c = text.data[i];
    if (!of_any) {
      if (c == '\n')
        buf_c(&out, file->ends == ENDS_CR ? "\r" : "\r\n");
      else
        buf_char(&out, c);
      continue;
    }
    bool is_pair = c == '\r' && i + 1 < text.len && text.data[i + 1] == '\n';
    if (c == '\r' || c == '\n') file->seen |= is_pair ? SEEN_CRLF : c == '\r' ? SEEN_CR : SEEN_LF;
    i += is_pair;
    if (file->ends == ENDS_TRANSLATED)
      buf_char(&out, c == '\r' ? '\n' : c);
    else if (is_pair)
      buf_c(&out, "\r\n");
    else
      buf_char(&out, c);
  }
  return buf_view(&out);
}

// `text`, of `count` characters, replaces as many at the place.
static void text_put(Eval *ev, TextFile *file, Str text, size_t count) {
  if (file->at > file->count) { // zeros up to there
    size_t gap = file->at - file->count;
    file->data = grown(ev, file->data, file->size, &file->capacity, file->size + gap);
    memset(file->data + file->size, 0, gap);
    file->size += gap;
    file->count = file->at;
    file->offset = file->size;
  }
  size_t end = file->at + count, gone = offset_of(file, end) - file->offset;
  size_t size = file->size - gone + text.len;
  file->data = grown(ev, file->data, file->size, &file->capacity, size);
  char *place = file->data + file->offset;
  if (gone != text.len && file->offset + gone < file->size)
    memmove(place + text.len, place + gone, file->size - file->offset - gone);
  if (text.len) memcpy(place, text.data, text.len);
  file->size = size;
  if (end > file->count) file->count = end;
  file->at = end;
  file->offset += text.len;
}

static Value text_write(Eval *ev, Value *a) {
  TextFile *file = self_text(ev, a[0]);
  Str text;
  if (!value_as_str(a[1], &text))
    eval_raise(ev, ev->types.TypeError, "string argument expected, got '%s'",
               value_type_name(ev, a[1]));
  size_t count = str_count(value_unwrap(a[1]));
  if (!count) return v_int(0);
  Str kept = kept_text(ev, file, text);
  text_put(ev, file, kept, kept.data == text.data ? count : text_length(kept));
  return v_int((int64_t)count);
}

static Value text_make(Eval *ev, Value *a) {
  TextFile *file = ARENA_NEW(ev->arena, TextFile);
  Type *type = ev->builtin->text_file;
  file->base.type = type;
  return payload_wrap(ev, (Type *)a[0].o, type, v_object(file));
}

static Ends take_ends(Eval *ev, Value v) {
  Str text;
  if (v_is_none(v)) return ENDS_TRANSLATED;
  if (!value_as_str(v, &text))
    eval_raise(ev, ev->types.TypeError, "newline must be str or None, not %s",
               value_type_name(ev, v));
  if (!text.len) return ENDS_ANY;
  if (str_is(text, "\n")) return ENDS_LF;
  if (str_is(text, "\r")) return ENDS_CR;
  if (str_is(text, "\r\n")) return ENDS_CRLF;
  eval_raise(ev, ev->types.ValueError, "illegal newline value: %.*s", STR_FMT(value_repr(ev, v)));
}

static Value text_init(Eval *ev, Value *a) { // self, initial_value, newline
  TextFile *file = any_text(a[0]);
  Ends ends = take_ends(ev, a[2]);
  Str text = {0};
  if (!v_is_none(a[1]) && !value_as_str(a[1], &text))
    eval_raise(ev, ev->types.TypeError, "initial_value must be str or None, not %s",
               value_type_name(ev, a[1]));
  *file = (TextFile){.base = file->base, .ends = ends};
  if (text.len) text_write(ev, (Value[]){a[0], a[1]});
  text_go(file, 0);
  return v_none();
}

static Value text_value(Eval *ev, Value *a) { return make_str(ev, text_view(self_text(ev, a[0]))); }

static Value text_read(Eval *ev, Value *a) {
  int64_t size = take_count(ev, a[1], -1);
  TextFile *file = self_text(ev, a[0]);
  if (file->at >= file->count) return make_str(ev, (Str){0});
  size_t left = file->count - file->at;
  size_t count = size < 0 || (size_t)size > left ? left : (size_t)size;
  Str rest = {file->data + file->offset, file->size - file->offset};
  if (count < left) rest.len = file->size == file->count ? count : text_offset(rest, count);
  file->at += count;
  file->offset += rest.len;
  return make_str(ev, rest);
}

// The bytes from the place to behind the end of its line.
static size_t line_size(const TextFile *file) {
  const char *begin = file->data + file->offset;
  size_t left = file->size - file->offset;
  if (file->ends == ENDS_ANY || file->ends == ENDS_CRLF) {
    for (size_t i = 0; i < left; i++) {
      bool is_pair = begin[i] == '\r' && i + 1 < left && begin[i + 1] == '\n';
      if (is_pair) return i + 2;
      if (file->ends == ENDS_ANY && (begin[i] == '\n' || begin[i] == '\r')) return i + 1;
    }
    return left;
  }
  const char *end = memchr(begin, file->ends == ENDS_CR ? '\r' : '\n', left);
  return end ? (size_t)(end - begin) + 1 : left;
}

// The next line, of at most `limit` characters (-1: any), V_UNBOUND at the end.
static Value text_line(Eval *ev, TextFile *file, int64_t limit) {
  if (file->at >= file->count) return v_unbound();
  Str line = {file->data + file->offset, line_size(file)};
  size_t count = file->size == file->count ? line.len : text_length(line);
  if (limit >= 0 && count > (size_t)limit) {
    count = (size_t)limit;
    line.len = text_offset(line, count);
  }
  file->at += count;
  file->offset += line.len;
  return make_str(ev, line);
}

static Value text_readline(Eval *ev, Value *a) {
  int64_t limit = take_count(ev, a[1], -1);
  Value line = text_line(ev, self_text(ev, a[0]), limit);
  return v_is_unbound(line) ? make_str(ev, (Str){0}) : line;
}

static bool text_iterate(Eval *ev, Value self, Value *out) {
  TextFile *file = self_text(ev, self);
  Str text;
  if (!own_line(ev, self, text_readline, out)) {
    *out = text_line(ev, file, -1);
    return !v_is_unbound(*out);
  }
  if (!value_as_str(*out, &text))
    eval_raise(ev, ev->types.OSError, "readline() should have returned a str object, not '%s'",
               value_type_name(ev, *out));
  return text.len != 0;
}

static Value text_iter(Eval *ev, Value self) {
  if (any_text(self)->is_closed)
    eval_raise(ev, ev->types.ValueError, "I/O operation on closed file.");
  return self;
}

static const PlaceWords text_words = {"Invalid", "Negative seek position", "Negative"};

static Value text_seek(Eval *ev, Value *a) { // self, pos, whence
  TextFile *file = self_text(ev, a[0]);
  int64_t pos = take_index64(ev, a[1]), whence = take_index64(ev, a[2]);
  check_place(ev, pos, whence, &text_words);
  if (whence != 0 && pos != 0)
    eval_raise(ev, ev->types.OSError, "Can't do nonzero cur-relative seeks");
  if (whence != 1) text_go(file, whence == 0 ? (size_t)pos : file->count);
  return v_int((int64_t)file->at);
}

static Value text_tell(Eval *ev, Value *a) { return v_int((int64_t)self_text(ev, a[0])->at); }

static Value text_truncate(Eval *ev, Value *a) {
  int64_t length = take_count(ev, a[1], 0);
  TextFile *file = self_text(ev, a[0]);
  size_t count = cut_at(ev, a[1], length, file->at, &text_words);
  if (count < file->count) {
    file->size = offset_of(file, count);
    file->count = count;
    text_go(file, file->at);
  }
  return v_int((int64_t)count);
}

static Value text_able(Eval *ev, Value *a) {
  self_text(ev, a[0]);
  return v_bool(true);
}

static Value text_close(Eval *ev UNUSED, Value *a) {
  TextFile *file = any_text(a[0]);
  *file = (TextFile){.base = file->base, .ends = file->ends, .is_closed = true};
  return v_none();
}

static Value text_closed(Eval *ev UNUSED, Value self) { return v_bool(any_text(self)->is_closed); }

static Value text_newlines(Eval *ev, Value self) {
  static const char *const ends[] = {"\r", "\n", "\r\n"};
  unsigned seen = self_text(ev, self)->seen;
  Value found[3];
  size_t count = 0;
  for (unsigned i = 0; i < 3; i++)
    if (seen & 1u << i) found[count++] = make_str_c(ev, ends[i]);
  return count == 0 ? v_none() : count == 1 ? found[0] : make_tuple(ev, count, found);
}

// `newline` as it was given, for copies.
static Value text_ends(Eval *ev, Value self) {
  static const char *const given[] = {"\n", NULL, "", "\r", "\r\n"};
  const char *ends = given[any_text(self)->ends];
  return ends ? make_str_c(ev, ends) : v_none();
}

static const NativeType text_type = {
    .slots = {.iter = text_iter, .next = text_iterate},
    .methods = (const NativeDef[]){{"__new__(cls, /, *args, **kwargs)", text_make},
                                   {"__init__(self, /, initial_value='', newline='\n')", text_init},
                                   {"write(self, s, /)", text_write},
                                   {"getvalue(self, /)", text_value},
                                   {"read(self, size=-1, /)", text_read},
                                   {"readline(self, size=-1, /)", text_readline},
                                   {"seek(self, pos, whence=0, /)", text_seek},
                                   {"tell(self, /)", text_tell},
                                   {"truncate(self, pos=None, /)", text_truncate},
                                   {"readable(self, /)", text_able},
                                   {"writable(self, /)", text_able},
                                   {"seekable(self, /)", text_able},
                                   {"close(self, /)", text_close},
                                   {0}},
    .getters =
        (const NativeGetter[]){
            {"closed", text_closed}, {"newlines", text_newlines}, {"_newline", text_ends}, {0}},
};

// ---- bytes --------------------------------------------------------------------------------------
typedef struct BytesFile {
  Object base;
  ByteArray *store; // NULL: closed
  size_t at;        // perhaps behind the end
} BytesFile;

static BytesFile *any_bytes(Value self) { return (BytesFile *)value_unwrap(self).o; }
static BytesFile *self_bytes(Eval *ev, Value self) {
  BytesFile *file = any_bytes(self);
  if (!file->store) eval_raise(ev, ev->types.ValueError, "I/O operation on closed file.");
  return file;
}

static Str take_bytes(Eval *ev, Value v) {
  Str bytes;
  if (value_as_bytes(ev, v, &bytes)) return bytes;
  if (v_is_unbound(value_getattr_opt(ev, v, name_of(ev, "__buffer__"))))
    eval_raise(ev, ev->types.TypeError, "a bytes-like object is required, not '%s'",
               value_type_name(ev, v));
  value_as_bytes(ev, value_call_n(ev, v_object(ev->types.bytes), 1, &v), &bytes);
  return bytes;
}

static void bytes_put(Eval *ev, BytesFile *file, Str bytes) {
  if (!bytes.len) return;
  ByteArray *store = file->store;
  size_t size = store->head.text.len, end = file->at + bytes.len;
  store->bytes = grown(ev, store->bytes, size, &store->capacity, end);
  if (file->at > size) memset(store->bytes + size, 0, file->at - size);
  memmove(store->bytes + file->at, bytes.data, bytes.len);
  store->head.text = (Str){store->bytes, end > size ? end : size};
  file->at = end;
}

static Value bytes_write(Eval *ev, Value *a) {
  BytesFile *file = self_bytes(ev, a[0]);
  Str bytes = take_bytes(ev, a[1]);
  bytes_put(ev, file, bytes);
  return v_int((int64_t)bytes.len);
}

static Value bytes_make(Eval *ev, Value *a) {
  BytesFile *file = ARENA_NEW(ev->arena, BytesFile);
  file->base.type = ev->builtin->bytes_file;
  file->store = (ByteArray *)make_bytearray(ev, (Str){0}).o;
  return payload_wrap(ev, (Type *)a[0].o, file->base.type, v_object(file));
}

static Value bytes_init(Eval *ev, Value *a) {
  BytesFile *file = any_bytes(a[0]);
  Str initial = v_is_none(a[1]) ? (Str){0} : take_bytes(ev, a[1]);
  file->store = (ByteArray *)make_bytearray(ev, initial).o;
  file->at = 0;
  return v_none();
}

static Value bytes_value(Eval *ev, Value *a) {
  return make_bytes(ev, self_bytes(ev, a[0])->store->head.text);
}

// What is written to it is written here, as long as that has its length.
static Value bytes_buffer(Eval *ev, Value *a) {
  Value store = v_object(self_bytes(ev, a[0])->store);
  return value_call_n(ev, v_object(ev->types.memoryview), 1, &store);
}

static Value bytes_taken(Eval *ev, BytesFile *file, size_t size) {
  Str all = file->store->head.text, taken = {all.data + file->at, size};
  file->at += size;
  return make_bytes(ev, taken);
}

static size_t bytes_left(const BytesFile *file) {
  size_t size = file->store->head.text.len;
  return file->at < size ? size - file->at : 0;
}

static Value bytes_read(Eval *ev, Value *a) {
  int64_t size = take_count(ev, a[1], -1);
  BytesFile *file = self_bytes(ev, a[0]);
  size_t left = bytes_left(file);
  if (!left) return make_bytes(ev, (Str){0});
  return bytes_taken(ev, file, size < 0 || (size_t)size > left ? left : (size_t)size);
}

static Value bytes_line(Eval *ev, BytesFile *file, int64_t limit) {
  size_t left = bytes_left(file);
  if (!left) return v_unbound();
  const char *begin = file->store->bytes + file->at, *end = memchr(begin, '\n', left);
  size_t size = end ? (size_t)(end - begin) + 1 : left;
  return bytes_taken(ev, file, limit >= 0 && (size_t)limit < size ? (size_t)limit : size);
}

static Value bytes_readline(Eval *ev, Value *a) {
  int64_t limit = take_count(ev, a[1], -1);
  Value line = bytes_line(ev, self_bytes(ev, a[0]), limit);
  return v_is_unbound(line) ? make_bytes(ev, (Str){0}) : line;
}

static bool bytes_next(Eval *ev, Value self, Value *out) {
  BytesFile *file = self_bytes(ev, self);
  if (own_line(ev, self, bytes_readline, out)) return value_len(ev, *out) != 0;
  *out = bytes_line(ev, file, -1);
  return !v_is_unbound(*out);
}

static const PlaceWords bytes_words = {"invalid", "negative seek value", "negative"};

static Value bytes_seek(Eval *ev, Value *a) { // self, pos, whence
  BytesFile *file = self_bytes(ev, a[0]);
  int64_t pos = take_index64(ev, a[1]), whence = take_index64(ev, a[2]);
  check_place(ev, pos, whence, &bytes_words);
  size_t from = whence == 0 ? 0 : whence == 1 ? file->at : file->store->head.text.len;
  if (pos > INT64_MAX - (int64_t)from)
    eval_raise(ev, ev->types.OverflowError, "new position too large");
  pos += (int64_t)from;
  file->at = pos < 0 ? 0 : (size_t)pos;
  return v_int((int64_t)file->at);
}

static Value bytes_tell(Eval *ev, Value *a) { return v_int((int64_t)self_bytes(ev, a[0])->at); }

static Value bytes_truncate(Eval *ev, Value *a) {
  int64_t length = take_count(ev, a[1], 0);
  BytesFile *file = self_bytes(ev, a[0]);
  size_t size = cut_at(ev, a[1], length, file->at, &bytes_words);
  if (size < file->store->head.text.len) file->store->head.text.len = size;
  return v_int((int64_t)size);
}

static Value bytes_able(Eval *ev, Value *a) {
  self_bytes(ev, a[0]);
  return v_bool(true);
}

static Value bytes_close(Eval *ev UNUSED, Value *a) {
  any_bytes(a[0])->store = NULL;
  return v_none();
}

static Value bytes_closed(Eval *ev UNUSED, Value self) { return v_bool(!any_bytes(self)->store); }

static const NativeType bytes_type = {
    .slots = {.iter = iterator_self, .next = bytes_next},
    .methods = (const NativeDef[]){{"__new__(cls, /, *args, **kwargs)", bytes_make},
                                   {"__init__(self, /, initial_bytes=None)", bytes_init},
                                   {"write(self, b, /)", bytes_write},
                                   {"getvalue(self, /)", bytes_value},
                                   {"getbuffer(self, /)", bytes_buffer},
                                   {"read(self, size=-1, /)", bytes_read},
                                   {"read1(self, size=-1, /)", bytes_read},
                                   {"readline(self, size=-1, /)", bytes_readline},
                                   {"seek(self, pos, whence=0, /)", bytes_seek},
                                   {"tell(self, /)", bytes_tell},
                                   {"truncate(self, size=None, /)", bytes_truncate},
                                   {"readable(self, /)", bytes_able},
                                   {"writable(self, /)", bytes_able},
                                   {"seekable(self, /)", bytes_able},
                                   {"close(self, /)", bytes_close},
                                   {0}},
    .getters = (const NativeGetter[]){{"closed", bytes_closed}, {0}},
};

static void init(Eval *ev, ModuleObject *module) {
  BuiltinState *state = ev->builtin;
  if (!state->text_file) {
    state->text_file = native_type_new(ev, "_io", "StringIO", NULL, &text_type);
    state->bytes_file = native_type_new(ev, "_io", "BytesIO", NULL, &bytes_type);
  }
  module_set(ev, module, "TextFile", v_object(state->text_file));
  module_set(ev, module, "BytesFile", v_object(state->bytes_file));
}

const ModuleDef module_memory_files = {.name = "_memory_files", .init = init};
