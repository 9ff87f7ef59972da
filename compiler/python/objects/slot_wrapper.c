// SPDX-License-Identifier: Apache-2.0
// The slots of native types as methods: what `int.__add__` and `super().__len__` find.
#include "base/plural.h"
#include "base/map.h"
#include "python/values/evaluator_state.h"
#include "convert.h"
#include "python/values/new_value.h"
#include "python/numbers/bigint.h"
#include "python/numbers/number.h"
#include "operators.h"
#include "python/values/raise.h"
#include "slot_wrapper.h"
#include "type_lookup.h"
#include "value_call.h"
#include "python/values/values.h"
#include "protocol.h"
#include "iteration.h"

static const struct {
  const char *name;
  SlotKind kind;
} plain_methods[] = {
    {"__call__", SLOT_CALL},       {"__getitem__", SLOT_GETITEM},   {"__setitem__", SLOT_SETITEM},
    {"__delitem__", SLOT_DELITEM}, {"__contains__", SLOT_CONTAINS}, {"__len__", SLOT_LEN},
    {"__bool__", SLOT_TRUTH},      {"__hash__", SLOT_HASH},         {"__repr__", SLOT_REPR},
    {"__str__", SLOT_STR},         {"__format__", SLOT_FORMAT},     {"__iter__", SLOT_ITER},
    {"__next__", SLOT_NEXT},       {"__index__", SLOT_INDEX},       {"__get__", SLOT_GET},
    {"__set__", SLOT_SET},         {"__delete__", SLOT_DELETE},
};

// How many arguments a method takes besides self.
static size_t argument_count(SlotKind kind) {
  switch (kind) {
  case SLOT_BINARY:
  case SLOT_REFLECTED:
  case SLOT_INPLACE:
  case SLOT_COMPARE:
  case SLOT_GETITEM:
  case SLOT_DELITEM:
  case SLOT_CONTAINS:
  case SLOT_FORMAT:
  case SLOT_DELETE: return 1;
  case SLOT_SETITEM:
  case SLOT_SET: return 2;
  default: return 0;
  }
}

// Which operators the containers have: their `binary` answers NotImplemented for the others.
static bool has_operator(const Eval *ev, const Type *type, BinaryOp op, SlotKind kind) {
  bool reflected = kind == SLOT_REFLECTED;
  switch (type->layout) {
  case LAYOUT_STR: return op == BIN_MOD || op == BIN_MUL || (op == BIN_ADD && !reflected);
  case LAYOUT_LIST:
  case LAYOUT_TUPLE: return op == BIN_MUL || (op == BIN_ADD && !reflected);
  case LAYOUT_DICT: return op == BIN_OR;
  case LAYOUT_SET: return op == BIN_OR || op == BIN_AND || op == BIN_XOR || op == BIN_SUB;
  default: break;
  }
  if (type == ev->types.floating) return op <= BIN_POW;
  if (type == ev->types.complex) return op <= BIN_POW && op != BIN_FLOOR_DIV && op != BIN_MOD;
  if (type == ev->types.integer || type == ev->types.boolean) return op != BIN_MATMUL;
  if (type == ev->types.type) return op == BIN_OR;
  return true;
}

static bool has_slot(const Eval *ev, const Type *type, const SlotMethod *method) {
  const TypeSlots *s = &type->slots;
  switch (method->kind) {
  case SLOT_BINARY:
  case SLOT_REFLECTED:
    return s->binary && has_operator(ev, type, (BinaryOp)method->op, method->kind);
  case SLOT_INPLACE:
    return s->inplace && has_operator(ev, type, (BinaryOp)method->op, method->kind);
  case SLOT_UNARY: return s->unary;
  case SLOT_COMPARE: return s->compare;
  case SLOT_CALL: return s->call;
  case SLOT_GETITEM: return s->getitem;
  case SLOT_SETITEM: return s->setitem;
  case SLOT_DELITEM: return s->delitem;
  case SLOT_CONTAINS: return s->contains;
  case SLOT_LEN: return s->len;
  case SLOT_TRUTH: return s->truth;
  case SLOT_HASH: return s->hash;
  case SLOT_REPR: return s->repr;
  case SLOT_STR: return s->str;
  case SLOT_FORMAT: return s->format;
  case SLOT_ITER: return s->iter;
  case SLOT_NEXT: return s->next;
  case SLOT_INDEX: return s->index;
  case SLOT_GET: return s->descr_get;
  case SLOT_SET:
  case SLOT_DELETE: return s->descr_set;
  }
  return false;
}

static Value slot_method(Eval *ev, Type *type, Name name) {
  const SlotMethod *method = map_get(ev->core->slot_methods, name);
  if (!method) return v_unbound();
  if (!has_slot(ev, type, method)) {
    // A native type that compares and has no hash is unhashable.
    bool unhashable = method->kind == SLOT_HASH && type->slots.compare;
    return unhashable ? v_none() : v_unbound();
  }
  SlotWrapper *wrapper = ARENA_NEW(ev->arena, SlotWrapper);
  *wrapper = (SlotWrapper){{ev->core->slot_wrapper}, type, method};
  return v_object(wrapper);
}

// ---- calling -----------------------------------------------------------------------------------
// int's own methods do not know floats.
static bool is_too_wide(const Eval *ev, const Type *type, Value a, Value b) {
  return (type == ev->types.integer || type == ev->types.boolean) &&
         (value_unwrap(a).kind == V_FLOAT || value_unwrap(b).kind == V_FLOAT);
}

static Value call_binary(Eval *ev, const Type *type, BinaryOp op, Value a, Value b) {
  Value result;
  if (is_too_wide(ev, type, a, b)) return v_not_implemented();
  if (type->payload == NULL && number_binary(ev, op, value_unwrap(a), value_unwrap(b), &result) &&
      (type == ev->types.integer || type == ev->types.floating || type == ev->types.boolean))
    return result;
  return type->slots.binary(ev, op, a, b);
}

static Value call_compare(Eval *ev, const Type *type, CompareOp op, Value a, Value b) {
  bool result;
  if (is_too_wide(ev, type, a, b)) return v_not_implemented();
  if (number_compare(op, value_unwrap(a), value_unwrap(b), &result)) return v_bool(result);
  return type->slots.compare(ev, op, a, b);
}

static Value call_unary(Eval *ev, const Type *type, UnaryOp op, Value self) {
  Value plain = value_unwrap(self);
  return plain.kind == V_OBJECT ? type->slots.unary(ev, op, self) : value_unary(ev, op, plain);
}

// Without a spec the text of a derived class is what its own __str__ gives.
static Value call_format(Eval *ev, const Type *type, Value self, Str spec) {
  bool is_derived = spec.len == 0 && type_of(ev, self)->is_heap;
  return make_str(ev, is_derived ? value_str(ev, self) : type->slots.format(ev, self, spec));
}

static Value call_next(Eval *ev, const Type *type, Value self) {
  Value out;
  ev->core->stop_value = v_unbound();
  if (type->slots.next(ev, self, &out)) return out;
  raise_stop_iteration(ev);
}

static Value call_get(Eval *ev, const Type *type, Value self, const Args *args) {
  Value instance = args->items[0];
  Value owner = args->count > 1 ? args->items[1] : v_none();
  if (v_is_none(instance)) instance = v_unbound();
  Type *cls = is_type(ev, owner) ? (Type *)owner.o : type_of(ev, instance);
  return type->slots.descr_get(ev, value_unwrap(self), instance, cls);
}

static Value call_set(Eval *ev, const Type *type, Value self, Value instance, Value value) {
  type->slots.descr_set(ev, value_unwrap(self), instance, value);
  return v_none();
}

static Value call_slot(Eval *ev, const SlotWrapper *w, Value self, const Args *args) {
  const Value *a = args->items;
  const TypeSlots *s = &w->owner->slots;
  int op = w->method->op;
  switch (w->method->kind) {
  case SLOT_BINARY: return call_binary(ev, w->owner, (BinaryOp)op, self, a[0]);
  case SLOT_REFLECTED: return call_binary(ev, w->owner, (BinaryOp)op, a[0], self);
  case SLOT_INPLACE: return s->inplace(ev, (BinaryOp)op, self, a[0]);
  case SLOT_UNARY: return call_unary(ev, w->owner, (UnaryOp)op, self);
  case SLOT_COMPARE: return call_compare(ev, w->owner, (CompareOp)op, self, a[0]);
  case SLOT_CALL: return s->call(ev, self, args);
  case SLOT_GETITEM: return s->getitem(ev, self, a[0]);
  case SLOT_SETITEM: s->setitem(ev, self, a[0], a[1]); return v_none();
  case SLOT_DELITEM: s->delitem(ev, self, a[0]); return v_none();
  case SLOT_CONTAINS: return v_bool(s->contains(ev, self, a[0]));
  case SLOT_LEN: return v_int(s->len(ev, self));
  case SLOT_TRUTH: return v_bool(s->truth(ev, self));
  case SLOT_HASH: return v_int((int64_t)s->hash(ev, self));
  case SLOT_REPR: return make_str(ev, s->repr(ev, self));
  case SLOT_STR: return make_str(ev, s->str(ev, self));
  case SLOT_FORMAT: return call_format(ev, w->owner, self, take_str(ev, a[0], "format spec"));
  case SLOT_ITER: return s->iter(ev, self);
  case SLOT_NEXT: return call_next(ev, w->owner, self);
  case SLOT_INDEX: return value_is_big(self) ? self : v_int(s->index(ev, self));
  case SLOT_GET: return call_get(ev, w->owner, self, args);
  case SLOT_SET: return call_set(ev, w->owner, self, a[0], a[1]);
  case SLOT_DELETE: return call_set(ev, w->owner, self, a[0], v_unbound());
  }
  BUG("slot method of kind %d", (int)w->method->kind);
}

static Value wrapper_call(Eval *ev, Value wrapper, const Args *args) {
  const SlotWrapper *w = (const SlotWrapper *)wrapper.o;
  const char *name = w->method->name->text, *owner = type_shown(w->owner);
  if (args->count == 0)
    eval_raise(ev, ev->types.TypeError, "descriptor '%s' of '%s' object needs an argument", name,
               owner);
  Value self = args->items[0];
  if (!value_is_instance(ev, self, w->owner))
    eval_raise(ev, ev->types.TypeError,
               "descriptor '%s' requires a '%s' object but received a '%s'", name, owner,
               value_type_name(ev, self));
  // Of a native type that derives from float.
  if (w->owner == ev->types.floating && value_unwrap(self).kind == V_OBJECT)
    self = value_call_method(ev, self, "__float__", 0, NULL);
  Args rest = *args;
  rest.items++;
  rest.count--;
  if (w->method->kind != SLOT_CALL) {
    size_t wanted = argument_count(w->method->kind);
    if (args->kw_count)
      eval_raise(ev, ev->types.TypeError, "wrapper %s() takes no keyword arguments", name);
    bool is_get = w->method->kind == SLOT_GET && (rest.count == 1 || rest.count == 2);
    if (rest.count != wanted && !is_get)
      eval_raise(ev, ev->types.TypeError, "expected %zu argument%s, got %zu", wanted,
                 PLURAL(wanted), rest.count);
  }
  return call_slot(ev, w, self, &rest);
}

static Str wrapper_repr(Eval *ev, Value wrapper) {
  const SlotWrapper *w = (const SlotWrapper *)wrapper.o;
  return str_format(ev->arena, "<slot wrapper '%s' of '%s' objects>", w->method->name->text,
                    w->owner->name->text);
}

static Value wrapper_getattr(Eval *ev, Value wrapper, Name name) {
  const SlotWrapper *w = (const SlotWrapper *)wrapper.o;
  if (name == ev->names->name) return make_name(ev, w->method->name);
  if (name == ev->names->qualname)
    return make_str_fmt(ev, "%s.%s", w->owner->name->text, w->method->name->text);
  if (name == ev->names->objclass) return v_object(w->owner);
  if (name == ev->names->doc) return v_none();
  return v_unbound();
}

static void add(Eval *ev, Name name, SlotKind kind, int op) {
  if (!name) return;
  SlotMethod *method = ARENA_NEW(ev->arena, SlotMethod);
  *method = (SlotMethod){name, kind, op};
  map_set(ev->core->slot_methods, name, method);
}

void slots_init(Eval *ev) {
  ev->core->slot_method = slot_method;
  ev->core->slot_methods = map_new(ev->arena);
  for (int op = 0; op < BIN_COUNT; op++) {
    add(ev, ev->names->binary[op], SLOT_BINARY, op);
    add(ev, ev->names->reflected[op], SLOT_REFLECTED, op);
    add(ev, ev->names->inplace[op], SLOT_INPLACE, op);
  }
  for (int op = 0; op < UN_COUNT; op++) add(ev, ev->names->unary[op], SLOT_UNARY, op);
  for (int op = 0; op <= CMP_GE; op++) add(ev, ev->names->compare[op], SLOT_COMPARE, op);
  for (size_t i = 0; i < COUNT_OF(plain_methods); i++)
    add(ev, intern(ev, plain_methods[i].name), plain_methods[i].kind, 0);
  ev->core->slot_wrapper->slots =
      (TypeSlots){.call = wrapper_call, .repr = wrapper_repr, .getattr = wrapper_getattr};
}
