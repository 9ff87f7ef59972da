// SPDX-License-Identifier: Apache-2.0
// The exceptions of the builtins that the evaluator itself does not raise.
#include "python/values/builtin_state.h"
#include "python/modules/module.h"
#include "builtin_exceptions.h"
#include "builtin_wrap.h"
#include "python/values/dict.h"
#include "python/objects/type.h"
#include <string.h>

// Name and base; a base stands above what derives from it.
static const struct {
  const char *name, *base;
} exceptions[] = {
    {"BaseExceptionGroup", "BaseException"},
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

Type *builtin_exception(Eval *ev, const char *name) {
  Value found = dict_get_name(ev->builtins->dict, name_of(ev, name));
  if (v_is_unbound(found)) BUG("no exception '%s'", name);
  return (Type *)found.o;
}

void builtin_exceptions_init(Eval *ev) {
  for (size_t i = 0; i < COUNT_OF(exceptions); i++) {
    Type *base = builtin_exception(ev, exceptions[i].base);
    module_set(ev, ev->builtins, exceptions[i].name,
               v_object(type_new_native(ev, "builtins", exceptions[i].name, base, NULL, NULL)));
  }
}
