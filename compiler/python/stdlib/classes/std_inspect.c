// SPDX-License-Identifier: Apache-2.0
// What the module inspect needs of the evaluator: parameters of functions.
#include "python/values/builtin_state.h"
#include "python/builtins/builtin_traceback.h"
#include "python/modules/module.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"
#include "python/objects/signature.h"
#include "python/objects/type.h"
#include "python/objects/protocol.h"
#include "syntax/ast.h"

static Value parameter(Eval *ev, Name name, int kind, Value default_value) {
  Value empty = module_lookup(ev, "inspect", "_empty");
  return make_tuple(ev, 3,
                    (Value[]){make_name(ev, name), v_int(kind),
                              v_is_unbound(default_value) ? empty : default_value});
}

// (name, kind, default) of each parameter; kinds are numbered as in inspect.Parameter.
static Value parameters_of(Eval *ev, const Params *params, const Value *defaults) {
  List *list = list_new(ev, params->count);
  for (size_t i = 0; i < params->count; i++) {
    bool is_kwargs = params->has_kwargs && i + 1 == params->count;
    bool is_varargs = params->has_varargs && i == params->positional;
    int kind = is_kwargs                     ? 4
               : is_varargs                  ? 2
               : i < params->positional_only ? 0
               : i < params->positional      ? 1
                                             : 3;
    list_push(ev, list,
              parameter(ev, params->items[i].name, kind, defaults ? defaults[i] : v_unbound()));
  }
  return v_object(list);
}

static Value f_parameters(Eval *ev, Value *a) {
  if (is_a(a[0], ev->types.function)) {
    const Function *f = (const Function *)a[0].o;
    return parameters_of(ev, f->params, f->defaults);
  }
  if (is_a(a[0], ev->types.native)) {
    const Value *defaults;
    const Params *params = native_params(ev, (NativeFunction *)a[0].o, &defaults);
    return parameters_of(ev, params, defaults);
  }
  return v_none();
}

static Value f_is_native(Eval *ev, Value *a) {
  return v_bool(is_a(a[0], ev->types.native) || is_a(a[0], ev->core->slot_wrapper));
}

static Value lines_of(Eval *ev, const SourceFile *file, uint32_t first, uint32_t last) {
  List *lines = list_new(ev, last + 1 - first);
  for (uint32_t line = first; line <= last; line++) {
    uint32_t begin = file->line_starts.items[line - 1];
    uint32_t end =
        line < file->line_starts.count ? file->line_starts.items[line] : (uint32_t)file->text.len;
    if (begin < end)
      list_push(ev, lines, make_str(ev, (Str){file->text.data + begin, end - begin}));
  }
  return v_object(lines);
}

// (path, number of the first line, lines, those below them) of what the program defines; None: none
// of its own.
static Value f_source(Eval *ev, Value *a) {
  Span span = {0};
  if (is_a(a[0], ev->types.function)) {
    const Function *f = (const Function *)a[0].o;
    span = f->def ? stmt_decorated_span(f->def) : f->span;
  } else if (is_type(ev, a[0]) && ((const Type *)a[0].o)->body) {
    span = ((const Type *)a[0].o)->body->span;
  } else if (is_a(a[0], ev->types.module) && ((const ModuleObject *)a[0].o)->file) {
    const SourceFile *whole = ((const ModuleObject *)a[0].o)->file;
    span = (Span){whole->id, 0, (uint32_t)whole->text.len};
  }
  const SourceFile *file = source_get(ev->session, span.file);
  if (!file || file->is_builtin) return v_none();
  uint32_t first = source_line_col(file, span.begin).line;
  uint32_t last = source_line_col(file, span.end > span.begin ? span.end - 1 : span.end).line;
  Value below = lines_of(ev, file, last + 1, (uint32_t)file->line_starts.count);
  return make_tuple(
      ev, 4,
      (Value[]){make_str(ev, file->path), v_int(first), lines_of(ev, file, first, last), below});
}

static Value f_currentframe(Eval *ev, Value *a UNUSED) { return running_frames(ev); }

static const NativeDef inspect_functions[] = {
    {"currentframe()", f_currentframe},
    {"_source(obj, /)", f_source},
    {"_parameters(f, /)", f_parameters},
    {"_is_native(f, /)", f_is_native},
    {0},
};

const ModuleDef module_inspect = {.name = "inspect", .functions = inspect_functions};
