// SPDX-License-Identifier: Apache-2.0
// `type X = …`: a name for a type whose value is evaluated when it is asked for.
#include "python/values/evaluator_state.h"
#include "expr.h"
#include "type_alias.h"
#include "python/values/frame.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/objects/generic.h"

typedef struct TypeAlias {
  Object base;
  Name name;
  Expr *expr;
  Frame frame; // where it is evaluated
  Value value; // V_UNBOUND: not yet
} TypeAlias;

Value make_type_alias(Eval *ev, Stmt *stmt) {
  TypeAlias *alias = ARENA_NEW(ev->arena, TypeAlias);
  const Frame *frame = ev->frame;
  alias->base.type = ev->core->type_alias;
  alias->name = stmt->type_alias.name;
  alias->expr = stmt->type_alias.value;
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
    alias->value = eval_expr(ev, alias->expr);
    frame_pop(ev, &frame);
  }
  return alias->value;
}

static Value alias_getattr(Eval *ev, Value self, Name name) {
  TypeAlias *alias = (TypeAlias *)self.o;
  if (name == ev->names->name) return make_name(ev, alias->name);
  if (name == ev->names->value_dunder) return alias_value(ev, alias);
  if (name == ev->names->type_params) return make_tuple(ev, 0, NULL);
  if (name == ev->names->module) return make_name(ev, alias->frame.module->name);
  return v_unbound();
}

static Str alias_repr(Eval *ev, Value self) {
  (void)ev;
  return name_str(((const TypeAlias *)self.o)->name);
}

static Value alias_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  return op == BIN_OR ? make_union_also(ev, left, right, ev->core->type_alias)
                      : v_not_implemented();
}

static Value alias_getitem(Eval *ev, Value self, Value index) {
  return make_generic_alias(ev, self, index);
}

static uint64_t alias_hash(Eval *ev, Value self) {
  (void)ev;
  return object_identity_hash(self);
}

void type_alias_init(Eval *ev) {
  ev->core->type_alias->slots = (TypeSlots){.getattr = alias_getattr,
                                            .repr = alias_repr,
                                            .binary = alias_binary,
                                            .getitem = alias_getitem,
                                            .hash = alias_hash};
}
