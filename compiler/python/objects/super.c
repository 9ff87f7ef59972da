// SPDX-License-Identifier: Apache-2.0
// super: a view of an object that looks names up behind a class in the MRO.
#include "python/values/evaluator_state.h"
#include "attribute.h"
#include "python/values/raise.h"
#include "super.h"
#include "type_lookup.h"
#include "python/values/values.h"

static Value super_find(Eval *ev, const SuperObject *super, Name name) {
  if (!super->object_type || name == ev->names->class_) return v_unbound();
  Value found = type_lookup_after(ev, super->object_type, super->type, name);
  if (found.kind == V_UNBOUND) return found;
  // On a class the result is bound as if looked up on it.
  bool on_class = is_type(ev, super->object) && (Type *)super->object.o == super->object_type;
  return attribute_bind(ev, found, on_class ? v_unbound() : super->object, super->object_type);
}

static Value super_getattr(Eval *ev, Value self, Name name) {
  const SuperObject *super = (const SuperObject *)self.o;
  if (name == ev->names->this_class) return v_object(super->type);
  if (name == ev->names->self_dunder) return super->object;
  if (name == ev->names->self_class)
    return super->object_type ? v_object(super->object_type) : v_none();
  return v_unbound();
}

static Value super_own(Eval *ev, Value self, Name name) {
  return super_find(ev, (const SuperObject *)self.o, name);
}

static Type *check_object(Eval *ev, Type *type, Value object) {
  if (is_type(ev, object) && type_is_subtype((Type *)object.o, type)) return (Type *)object.o;
  Type *own = type_of(ev, object);
  if (type_is_subtype(own, type)) return own;
  eval_raise(ev, ev->types.TypeError,
             "super(type, obj): obj must be an instance or subtype of type");
}

// The class and first argument of the method that calls super() without arguments.
static void from_frame(Eval *ev, SuperObject *super) {
  const Frame *frame = ev->frame;
  const Function *code = frame ? frame->code : NULL;
  const Env *env = frame ? frame->env : NULL;
  while (env && code && env->scope != code->scope) env = env->outer; // out of comprehensions
  if (!code || !env || code->params->count == 0)
    eval_raise(ev, ev->types.RuntimeError, "super(): no arguments");
  if (!code->owner) eval_raise(ev, ev->types.RuntimeError, "super(): __class__ cell not found");
  Value self = env->slots[0];
  if (code->params->positional == 0 && code->params->has_varargs) { // def f(*args)
    const Tuple *rest = value_as_tuple(self);
    if (!rest || rest->count == 0) eval_raise(ev, ev->types.RuntimeError, "super(): no arguments");
    self = rest->items[0];
  }
  if (self.kind == V_UNBOUND) eval_raise(ev, ev->types.RuntimeError, "super(): arg[0] deleted");
  super->type = code->owner;
  super->object = self;
  super->object_type = check_object(ev, super->type, self);
}

static Value super_new(Eval *ev, Value *a) {
  SuperObject *super = ARENA_NEW(ev->arena, SuperObject);
  super->base.type = ev->types.super;
  if (a[1].kind == V_UNBOUND) {
    from_frame(ev, super);
    return v_object(super);
  }
  if (!is_type(ev, a[1]))
    eval_raise(ev, ev->types.TypeError, "super() argument 1 must be a type, not %s",
               value_type_name(ev, a[1]));
  super->type = (Type *)a[1].o;
  super->object = v_none();
  if (a[2].kind != V_UNBOUND && !v_is_none(a[2])) {
    super->object = a[2];
    super->object_type = check_object(ev, super->type, a[2]);
  }
  return v_object(super);
}

static Str super_repr(Eval *ev, Value self) {
  const SuperObject *super = (const SuperObject *)self.o;
  if (!super->object_type)
    return str_format(ev->arena, "<super: <class '%s'>, NULL>", super->type->name->text);
  return str_format(ev->arena, "<super: <class '%s'>, <%s object>>", super->type->name->text,
                    super->object_type->name->text);
}

void super_init(Eval *ev) {
  static const NativeDef methods[] = {
      {"__new__(cls, type=, object=, /)", super_new},
      {NULL, NULL},
  };
  ev->types.super->methods = methods;
  ev->types.super->slots =
      (TypeSlots){.repr = super_repr, .getattr = super_getattr, .own = super_own};
}
