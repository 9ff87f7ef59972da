// SPDX-License-Identifier: Apache-2.0
// The exceptions of the builtins that the evaluator itself does not raise.
#include "base/buf.h"
#include "python/values/builtin_state.h"
#include "python/modules/module.h"
#include "builtin_exceptions.h"
#include "python/builtins/text/builtin_text.h"
#include "builtin_wrap.h"
#include "python/objects/protocol.h"
#include "python/objects/value_call.h"
#include "python/values/bytes_like.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/values.h"
#include "python/objects/type.h"
#include <inttypes.h>
#include <string.h>

// Name and base; a base stands above what derives from it.
static const struct {
  const char *name, *base;
} exceptions[] = {
    {"StopAsyncIteration", "Exception"},
    {"BufferError", "Exception"},
    {"EOFError", "Exception"},
    {"ReferenceError", "Exception"},
    {"SystemError", "Exception"},
    {"IndentationError", "SyntaxError"},
    {"TabError", "IndentationError"},
    {"UnicodeDecodeError", "UnicodeError"},
    {"UnicodeEncodeError", "UnicodeError"},
    {"UnicodeTranslateError", "UnicodeError"},
    {"BlockingIOError", "OSError"},
    {"ChildProcessError", "OSError"},
    {"ConnectionError", "OSError"},
    {"BrokenPipeError", "ConnectionError"},
    {"ConnectionAbortedError", "ConnectionError"},
    {"ConnectionRefusedError", "ConnectionError"},
    {"ConnectionResetError", "ConnectionError"},
    {"FileExistsError", "OSError"},
    {"InterruptedError", "OSError"},
    {"IsADirectoryError", "OSError"},
    {"NotADirectoryError", "OSError"},
    {"PermissionError", "OSError"},
    {"ProcessLookupError", "OSError"},
    {"TimeoutError", "OSError"},
    {"BytesWarning", "Warning"},
    {"EncodingWarning", "Warning"},
    {"ImportWarning", "Warning"},
    {"PendingDeprecationWarning", "Warning"},
    {"ResourceWarning", "Warning"},
    {"SyntaxWarning", "Warning"},
    {"UnicodeWarning", "Warning"},
};

static Type *builtin_exception(Eval *ev, const char *name) {
  Value found = dict_get_name(ev->builtins->dict, name_of(ev, name));
  if (v_is_unbound(found)) BUG("no exception '%s'", name);
  return (Type *)found.o;
}

// ---- UnicodeEncodeError, UnicodeDecodeError ----------------------------------------------------
// (encoding, object, start, end, reason)
enum { UNICODE_ENCODING, UNICODE_OBJECT, UNICODE_START, UNICODE_END, UNICODE_REASON, UNICODE_ARGS };
static const char *const unicode_attributes[] = {"encoding", "object", "start", "end", "reason"};

static const Tuple *unicode_args(Value self) {
  const Tuple *args = ((const ExceptionObject *)self.o)->args;
  return args->count == UNICODE_ARGS ? args : NULL;
}

// "character '\xe9' in position 0", "bytes in position 3-4"
static Str unicode_place(Eval *ev, const Tuple *args, int64_t count) {
  Str text;
  bool encodes = value_as_str(args->items[UNICODE_OBJECT], &text);
  int64_t start = args->items[UNICODE_START].i, end = args->items[UNICODE_END].i;
  if (end != start + 1 || start < 0 || start >= count)
    return str_format(ev->arena, "%s in position %" PRId64 "-%" PRId64,
                      encodes ? "characters" : "bytes", start, end - 1);
  if (encodes) {
    size_t at = text_offset(text, (size_t)start);
    Buf escape;
    buf_init(&escape, ev->arena);
    text_put_escape(&escape, text_next(text, &at));
    return str_format(ev->arena, "character '%.*s' in position %" PRId64,
                      STR_FMT(buf_view(&escape)), start);
  }
  value_as_bytes(ev, args->items[UNICODE_OBJECT], &text);
  return str_format(ev->arena, "byte 0x%02x in position %" PRId64, (unsigned char)text.data[start],
                    start);
}

static Str unicode_error_str(Eval *ev, Value self) {
  const Tuple *args = unicode_args(self);
  Str text;
  if (!args || args->items[UNICODE_START].kind != V_INT || args->items[UNICODE_END].kind != V_INT)
    return ev->types.BaseException->slots.str(ev, self);
  bool encodes = value_as_str(args->items[UNICODE_OBJECT], &text);
  if (!encodes && !value_as_bytes(ev, args->items[UNICODE_OBJECT], &text))
    return ev->types.BaseException->slots.str(ev, self);
  int64_t count = (int64_t)(encodes ? text_length(text) : text.len);
  return str_format(ev->arena, "'%.*s' codec can't %s %.*s: %.*s",
                    STR_FMT(value_str(ev, args->items[UNICODE_ENCODING])),
                    encodes ? "encode" : "decode", STR_FMT(unicode_place(ev, args, count)),
                    STR_FMT(value_str(ev, args->items[UNICODE_REASON])));
}

static Value unicode_error_getattr(Eval *ev, Value self, Name name) {
  const Tuple *args = unicode_args(self);
  for (size_t i = 0; args && i < UNICODE_ARGS; i++)
    if (str_equal(name_str(name), str_from_c(unicode_attributes[i]))) return args->items[i];
  return ev->types.BaseException->slots.getattr(ev, self, name);
}

void raise_unicode_error(Eval *ev, const char *type, const UnicodeFault *fault) {
  Value args[] = {make_str_c(ev, fault->encoding), fault->object, v_int((int64_t)fault->start),
                  v_int((int64_t)fault->end), make_str_c(ev, fault->reason)};
  eval_raise_value(ev, value_call_n(ev, v_object(builtin_exception(ev, type)), UNICODE_ARGS, args));
}

void builtin_exceptions_init(Eval *ev) {
  for (size_t i = 0; i < COUNT_OF(exceptions); i++) {
    Type *base = builtin_exception(ev, exceptions[i].base);
    module_set(ev, ev->builtins, exceptions[i].name,
               v_object(type_new_native(ev, "builtins", exceptions[i].name, base, NULL, NULL)));
  }
  static const char *const codecs[] = {"UnicodeDecodeError", "UnicodeEncodeError"};
  for (size_t i = 0; i < COUNT_OF(codecs); i++) {
    Type *type = builtin_exception(ev, codecs[i]);
    type->slots.str = unicode_error_str;
    type->slots.getattr = unicode_error_getattr;
  }
}
