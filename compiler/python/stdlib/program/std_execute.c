// SPDX-License-Identifier: Apache-2.0
// What the builtins eval, exec and compile, timeit and doctest are made of (_execute.pk): texts
// that are read while a program runs, and run with the names of a dict.
#include "base/collected.h"
#include "python/core/expr.h"
#include "python/core/stmt.h"
#include "python/modules/import.h"
#include "python/modules/module.h"
#include "python/objects/convert.h"
#include "python/objects/protocol.h"
#include "python/objects/type.h"
#include "python/objects/value_call.h"
#include "python/values/evaluator_state.h"
#include "python/values/frame.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/values.h"
#include "syntax/ast.h"

typedef struct Text {
  Object base;
  const Module *tree;
} Text;

// The statements of a text. SyntaxError; what is asked for as an expression must be one.
static Value native_parse(Eval *ev, Value *a) { // source, filename, is_expression
  Text *text = ARENA_NEW(ev->arena, Text);
  text->base.type = (Type *)module_lookup(ev, "_execute", "_Text").o;
  text->tree = import_parse_text(ev, take_str(ev, a[0], "source"), take_str(ev, a[1], "filename"));
  const StmtList *body = &text->tree->body;
  if (value_truth(ev, a[2]) && (body->count != 1 || body->items[0]->kind != ST_EXPR))
    eval_raise(ev, ev->types.SyntaxError, "invalid syntax");
  return v_object(text);
}

// Whether the file that asks for it is one where jnp, pl, … are there without an import.
static bool has_customary(const Eval *ev) {
  const Frame *frame = ev->frame;
  while (frame && (!frame->module || frame->module->def)) frame = frame->caller;
  return frame && frame->module->has_customary;
}

// Runs the statements with the names of a dict; the value of the last one, if it is an expression,
// else None. `show` is called with the value of each expression, unless it is None.
static Value native_run(Eval *ev, Value *a) { // text, names, show
  const Module *tree = ((const Text *)a[0].o)->tree;
  ModuleObject *module = module_new(ev, ev->names->main, tree->file);
  module->dict = value_as_dict(a[1]);
  module->state = 2;
  module->has_customary = has_customary(ev);
  bool shows = !v_is_none(a[2]);
  Frame frame = {
      .function = ev->names->module_frame, .module = module, .show = shows ? &a[2] : NULL};
  Value last = v_none(), ignored = v_none();
  frame_push(ev, &frame);
  for (size_t i = 0; i < tree->body.count; i++) {
    Stmt *stmt = tree->body.items[i];
    StmtList one = {&stmt, 1};
    last = v_none();
    if (stmt->kind == ST_EXPR)
      last = eval_expr(ev, stmt->value);
    else
      eval_block(ev, &one, &ignored);
    if (shows && !v_is_none(last)) value_call_n(ev, a[2], 1, &last);
  }
  frame_pop(ev, &frame);
  return last;
}

static const NativeDef natives[] = {
    {"_parse(source, filename, is_expression)", native_parse},
    {"_run(text, names, show)", native_run},
    {0},
};

static void init(Eval *ev, ModuleObject *module) {
  module_set(ev, module, "_Text",
             v_object(type_new_native(ev, "_execute", "_Text", NULL, NULL, NULL)));
}

const ModuleDef module_execute = {.name = "_execute", .functions = natives, .init = init};
