// SPDX-License-Identifier: Apache-2.0
// `type X = …`: a name for a type whose value is evaluated when it is asked for.
#include "python/values/evaluator_state.h"
#include "expr.h"
#include "type_alias.h"
#include "python/values/frame.h"
#include "python/values/new_value.h"
#include "python/modules/module.h"
#include "python/objects/value_call.h"
#include "python/objects/protocol.h"
#include "python/objects/generic.h"

typedef struct TypeAlias {
  Object base;
  Name name;
  Expr *expr;
  Tuple *variables;
  Frame frame; // where it is evaluated
  Value value; // V_UNBOUND: not yet
} TypeAlias;

Tuple *make_type_variables(Eval *ev, TypeParams params) {
  Tuple *variables = tuple_new(ev, params.count);
  const Name infer = name_intern_c(ev->session->interner, "infer_variance");
  const Value yes = v_bool(true);
  for (size_t i = 0; i < params.count; i++) {
    Value name = make_name(ev, params.items[i].name);
    Value maker = module_lookup(ev, "typing", params.items[i].maker);
    Args args = {.count = 1, .items = &name, .kw_names = &infer, .kw_values = &yes};
    args.kw_count = params.items[i].has_variance;
    variables->items[i] = value_call(ev, maker, &args);
  }
  return variables;
}

Value make_type_alias(Eval *ev, Stmt *stmt) {
  TypeAlias *alias = ARENA_NEW(ev->arena, TypeAlias);
  const Frame *frame = ev->frame;
  alias->base.type = ev->core->type_alias;
  alias->name = stmt->type_alias.name;
  alias->expr = stmt->type_alias.value;
  alias->variables = make_type_variables(ev, stmt->type_alias.type_params);
  alias->frame = (Frame){.function = alias->name,
                         .module = frame->module,
                         .env = frame->env,
                         .class_dict = frame->class_dict,
                         .code = frame->code};
  env_keep(frame->env);
  return v_object(alias);
}

static Value alias_value(Eval *ev, TypeAlias *alias) {
  if (alias->value.kind == V_UNBOUND) {
    Frame frame = alias->frame;
    frame_push(ev, &frame);
    Value value = eval_expr(ev, alias->expr);
    const Tuple *variables = alias->variables;
    alias->value =
        variables->count ? value_call_n(ev, value, variables->count, variables->items) : value;
    frame_pop(ev, &frame);
  }
  return alias->value;
}

static Value alias_getattr(Eval *ev, Value self, Name name) {
  TypeAlias *alias = (TypeAlias *)self.o;
  if (name == ev->names->name) return make_name(ev, alias->name);
  if (name == ev->names->value_dunder) return alias_value(ev, alias);
  if (name == ev->names->type_params) return v_object(alias->variables);
  if (name == ev->names->module) return make_name(ev, alias->frame.module->name);
  return v_unbound();
}

static Str alias_repr(Eval *ev UNUSED, Value self) {
  return name_str(((const TypeAlias *)self.o)->name);
}

static Value alias_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  return op == BIN_OR ? make_union_also(ev, left, right, ev->core->type_alias)
                      : v_not_implemented();
}

static Value alias_getitem(Eval *ev, Value self, Value index) {
  return make_generic_alias(ev, self, index);
}

static uint64_t alias_hash(Eval *ev UNUSED, Value self) { return object_identity_hash(self); }

void type_alias_init(Eval *ev) {
  ev->core->type_alias->slots = (TypeSlots){.getattr = alias_getattr,
                                            .repr = alias_repr,
                                            .binary = alias_binary,
                                            .getitem = alias_getitem,
                                            .hash = alias_hash};
}
