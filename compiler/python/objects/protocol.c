// SPDX-License-Identifier: Apache-2.0
// What any object can be asked for: truth, length, items, iteration, hash, text. Slots of native
// types are used directly;
// classes written in Python answer through their dunder methods.
#include <string.h>

#include "base/buf.h"
#include "python/values/suggest.h"
#include "base/unicode.h"
#include "python/values/evaluator_state.h"
#include "attribute.h"
#include "convert.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "operators.h"
#include "protocol.h"
#include "iteration.h"
#include "python/values/raise.h"
#include "slot_wrapper.h"
#include "type_lookup.h"
#include "value_call.h"
#include "python/values/values.h"
#include "python/numbers/bigint.h"
#include "python/numbers/digits.h"
#include "generic.h"

// Calls v's dunder method; false if there is none.
static bool ask(Eval *ev, Value v, Name name, size_t count, const Value *items, Value *out) {
  Value method;
  bool bound;
  if (!method_lookup(ev, v, name, &method, &bound)) return false;
  *out = call_special(ev, v, method, bound, count, items);
  return true;
}

// What a class has under the name of a dunder method.
typedef struct Special {
  Value method;
  bool bound;
  const Type *native; // whose slot answers, as it is; NULL: the method is to be called
} Special;

// The native type whose slot a method is; NULL: none, a method that is borrowed from a type that
// the class does not derive from, or one under another name included.
static const Type *slot_owner(Eval *ev, const Type *type, Value method, Name name) {
  if (!is_a(method, ev->core->slot_wrapper)) return NULL;
  const SlotWrapper *wrapper = (const SlotWrapper *)method.o;
  bool is_own = wrapper->method->name == name && type_is_subtype(type, wrapper->owner);
  return is_own ? wrapper->owner : NULL;
}

// False if there is none.
static bool special_find(Eval *ev, Value v, Name name, Special *out) {
  if (!method_lookup(ev, v, name, &out->method, &out->bound)) return false;
  out->native = out->bound ? NULL : slot_owner(ev, type_of(ev, v), out->method, name);
  return true;
}

static Value special_call(Eval *ev, Value v, const Special *special, size_t count,
                          const Value *items) {
  return call_special(ev, v, special->method, special->bound, count, items);
}

// ---- length and truth ---------------------------------------------------------------------------
static int64_t checked_len(Eval *ev, Value result) {
  int64_t len;
  if (value_is_big(value_unwrap(result))) {
    bool is_negative = value_truth(ev, value_compare(ev, CMP_LT, result, v_int(0)));
    if (!is_negative)
      eval_raise(ev, ev->types.OverflowError, "cannot fit '%s' into an index-sized integer",
                 value_type_name(ev, result));
    len = -1;
  } else if (!value_as_int(ev, result, &len))
    eval_raise(ev, ev->types.TypeError, "'%s' object cannot be interpreted as an integer",
               value_type_name(ev, result));
  if (len < 0) eval_raise(ev, ev->types.ValueError, "__len__() should return >= 0");
  return len;
}

int64_t value_len_opt(Eval *ev, Value v) {
  Type *type = type_of(ev, v);
  if (type->slots.len) return type->slots.len(ev, v);
  Value result;
  return ask(ev, v, ev->names->len, 0, NULL, &result) ? checked_len(ev, result) : -1;
}

int64_t value_len(Eval *ev, Value v) {
  int64_t len = value_len_opt(ev, v);
  if (len < 0)
    eval_raise(ev, ev->types.TypeError, "object of type '%s' has no len()", value_type_name(ev, v));
  return len;
}

bool value_truth(Eval *ev, Value v) {
  switch (v.kind) {
  case V_UNBOUND:
  case V_NONE: return false;
  case V_BOOL:
  case V_INT: return v.i != 0;
  case V_FLOAT: return v.f != 0;
  case V_ELLIPSIS:
  case V_NOT_IMPLEMENTED: return true;
  case V_OBJECT: break;
  }
  const TypeSlots *slots = &v.o->type->slots;
  if (slots->truth) return slots->truth(ev, v);
  if (slots->len) return slots->len(ev, v) != 0;
  if (v.o->type == ev->types.function) return true;
  Value result;
  if (ask(ev, v, ev->names->boolean, 0, NULL, &result)) {
    if (result.kind != V_BOOL)
      eval_raise(ev, ev->types.TypeError, "__bool__ should return bool, returned %s",
                 value_type_name(ev, result));
    return result.i != 0;
  }
  return !ask(ev, v, ev->names->len, 0, NULL, &result) || checked_len(ev, result) != 0;
}

// ---- items --------------------------------------------------------------------------------------
Value value_getitem(Eval *ev, Value v, Value index) {
  Type *type = type_of(ev, v);
  if (type->slots.getitem) return type->slots.getitem(ev, v, index);
  Special special;
  if (special_find(ev, v, ev->names->getitem, &special))
    return special.native ? special.native->slots.getitem(ev, v, index)
                          : special_call(ev, v, &special, 1, &index);
  if (!is_type(ev, v))
    eval_raise(ev, ev->types.TypeError, "'%s' object is not subscriptable", type_shown(type));
  if ((Type *)v.o == ev->types.type) return make_generic_alias(ev, v, index); // type[int]
  Value method = attribute_find(ev, v, ev->names->class_getitem, false);
  if (method.kind == V_UNBOUND)
    raise_lacking(ev, v, ev->names->class_getitem, "type '%s' is not subscriptable",
                  ((Type *)v.o)->name->text);
  return value_call_n(ev, method, 1, &index);
}

void value_setitem(Eval *ev, Value v, Value index, Value value) {
  Type *type = type_of(ev, v);
  if (type->slots.setitem) {
    type->slots.setitem(ev, v, index, value);
    return;
  }
  Special special;
  if (!special_find(ev, v, ev->names->setitem, &special))
    raise_lacking(ev, v, ev->names->setitem, "'%s' object does not support item assignment",
                  type_shown(type));
  if (special.native)
    special.native->slots.setitem(ev, v, index, value);
  else
    special_call(ev, v, &special, 2, (Value[]){index, value});
}

void value_delitem(Eval *ev, Value v, Value index) {
  Type *type = type_of(ev, v);
  if (type->slots.delitem) {
    type->slots.delitem(ev, v, index);
    return;
  }
  Value result;
  if (!ask(ev, v, ev->names->delitem, 1, &index, &result))
    eval_raise(ev, ev->types.TypeError,
               type->slots.getitem ? "'%s' object doesn't support item deletion"
                                   : "'%s' object does not support item deletion",
               type_shown(type));
}

typedef struct WalkStart {
  Walk *walk;
  Value container;
} WalkStart;

static void start_walk(Eval *ev, void *data) {
  WalkStart *start = data;
  walk_start(ev, start->walk, start->container);
}

// Of what has no such method the items are gone through.
static bool is_among_items(Eval *ev, Value container, Value item) {
  Walk walk;
  Value exception;
  if (!eval_try(ev, start_walk, &(WalkStart){&walk, container}, &exception)) {
    if (!value_is_instance(ev, exception, ev->types.TypeError)) eval_raise_value(ev, exception);
    eval_raise(ev, ev->types.TypeError, "argument of type '%s' is not iterable",
               type_shown(type_of(ev, container)));
  }
  for (Value each; walk_next(ev, &walk, &each); count_step(ev))
    if (value_is(each, item) || value_equal(ev, each, item)) return true;
  return false;
}

bool value_contains(Eval *ev, Value container, Value item) {
  Type *type = type_of(ev, container);
  if (type->slots.contains) return type->slots.contains(ev, container, item);
  Special special;
  if (special_find(ev, container, ev->names->contains, &special)) {
    if (special.native) return special.native->slots.contains(ev, container, item);
    if (v_is_none(special.method))
      eval_raise(ev, ev->types.TypeError, "'%s' object is not a container", type_shown(type));
    return value_truth(ev, special_call(ev, container, &special, 1, &item));
  }
  return is_among_items(ev, container, item);
}

// ---- iteration ----------------------------------------------------------------------------------
// Iteration by __getitem__ with 0, 1, … until IndexError.
typedef struct SequenceIterator {
  Object base;
  Value sequence; // V_UNBOUND: exhausted
  int64_t at;
} SequenceIterator;

typedef struct ItemCall {
  SequenceIterator *iterator;
  Value result;
} ItemCall;

static void get_item(Eval *ev, void *data) {
  ItemCall *call = data;
  call->result = value_getitem(ev, call->iterator->sequence, v_int(call->iterator->at));
}

static bool sequence_next(Eval *ev, Value self, Value *out) {
  SequenceIterator *iterator = (SequenceIterator *)self.o;
  if (iterator->sequence.kind == V_UNBOUND) return false;
  ItemCall call = {iterator, v_unbound()};
  Value exception;
  if (eval_try(ev, get_item, &call, &exception)) {
    iterator->at++;
    *out = call.result;
    return true;
  }
  if (!value_is_instance(ev, exception, ev->types.IndexError) &&
      !value_is_instance(ev, exception, ev->types.StopIteration))
    eval_raise_value(ev, exception);
  iterator->sequence = v_unbound();
  return false;
}

Value iterator_self(Eval *ev UNUSED, Value self) { return self; }

void protocol_init(Eval *ev) {
  TypeSlots *slots = &ev->types.iterator->slots;
  slots->iter = iterator_self;
  slots->next = sequence_next;
}

static bool is_iterator(Eval *ev, Value v) {
  Type *type = type_of(ev, v);
  return type->slots.next || type_lookup(ev, type, ev->names->next).kind != V_UNBOUND;
}

bool value_is_iterable(Eval *ev, Value v) {
  Type *type = type_of(ev, v);
  if (type->slots.iter || type->slots.next) return true;
  Value iter = type_lookup(ev, type, ev->names->iter);
  if (iter.kind != V_UNBOUND) return !v_is_none(iter);
  return !is_type(ev, v) && type_lookup(ev, type, ev->names->getitem).kind != V_UNBOUND;
}

Value value_iter(Eval *ev, Value v) {
  Type *type = type_of(ev, v);
  if (type->slots.iter) return type->slots.iter(ev, v);
  if (type->slots.next) return v;
  Special special;
  bool is_found = special_find(ev, v, ev->names->iter, &special),
       is_none = is_found && v_is_none(special.method);
  if (is_found && !is_none) {
    Value result = special_call(ev, v, &special, 0, NULL);
    if (!is_iterator(ev, result))
      eval_raise(ev, ev->types.TypeError, "iter() returned non-iterator of type '%s'",
                 value_type_name(ev, result));
    return result;
  }
  if (is_none || is_type(ev, v) ||
      (!type->slots.getitem && type_lookup(ev, type, ev->names->getitem).kind == V_UNBOUND))
    raise_lacking(ev, v, ev->names->iter, "'%s' object is not iterable", type_shown(type));
  SequenceIterator *iterator = ARENA_NEW(ev->arena, SequenceIterator);
  *iterator = (SequenceIterator){{ev->types.iterator}, v, 0};
  return v_object(iterator);
}

typedef struct NextCall {
  Value iterator, method, result;
  bool bound;
} NextCall;

typedef bool NextSlot(Eval *ev, Value self, Value *out);

static void call_next(Eval *ev, void *data) {
  NextCall *call = data;
  call->result = call_special(ev, call->iterator, call->method, call->bound, 0, NULL);
}

Value stop_value_of(Value exception) {
  const Tuple *args = ((const ExceptionObject *)exception.o)->args;
  return args->count ? args->items[0] : v_unbound();
}

void raise_stop_iteration(Eval *ev) {
  Value value = ev->core->stop_value;
  size_t count = v_is_unbound(value) ? 0 : 1;
  eval_raise_value(ev, value_call_n(ev, v_object(ev->types.StopIteration), count, &value));
}

// The slot of a type, or that of a native base of a class which has no __next__ of its own; or
// NULL.
static NextSlot *next_slot(Eval *ev, Type *type) {
  if (type->slots.next || !type->payload) return type->slots.next;
  Value found = type_lookup(ev, type, ev->names->next);
  if (!is_a(found, ev->core->slot_wrapper)) return NULL;
  Type *owner = ((const SlotWrapper *)found.o)->owner;
  return value_is(type_lookup(ev, owner, ev->names->next), found) ? owner->slots.next : NULL;
}

bool value_next(Eval *ev, Value iterator, Value *out) {
  Type *type = type_of(ev, iterator);
  ev->core->stop_value = v_unbound();
  NextSlot *next = next_slot(ev, type);
  if (next) return next(ev, iterator, out);
  NextCall call = {.iterator = iterator};
  if (!method_lookup(ev, iterator, ev->names->next, &call.method, &call.bound))
    eval_raise(ev, ev->types.TypeError, "'%s' object is not an iterator", type_shown(type));
  Value exception;
  if (eval_try(ev, call_next, &call, &exception)) {
    *out = call.result;
    return true;
  }
  if (!value_is_instance(ev, exception, ev->types.StopIteration)) eval_raise_value(ev, exception);
  ev->core->stop_value = stop_value_of(exception);
  return false;
}

void walk_start(Eval *ev, Walk *walk, Value iterable) {
  *walk = (Walk){.kind = WALK_ITERATOR, .source = iterable};
  if (is_a(iterable, ev->types.range)) {
    const RangeObject *range = (const RangeObject *)iterable.o;
    walk->kind = WALK_RANGE;
    walk->step = range->step;
    walk->stop = value_len(ev, iterable);
  } else if (is_a(iterable, ev->types.list)) {
    walk->kind = WALK_LIST;
  } else if (is_a(iterable, ev->types.tuple)) {
    walk->kind = WALK_TUPLE;
  } else {
    walk->source = value_iter(ev, iterable);
    Type *type = type_of(ev, walk->source);
    walk->next = next_slot(ev, type);
    if (type->slots.width && !type->is_heap) walk->width = type->slots.width(walk->source);
  }
}

size_t iterator_hint(const Eval *ev, Value iterator) {
  const Type *type = type_of(ev, iterator);
  return type->slots.hint && !type->is_heap ? type->slots.hint(ev, iterator) : 0;
}

size_t walk_hint(const Eval *ev, const Walk *walk) {
  enum { MOST = 4096 }; // whoever has given a hint may have items of equal keys
  size_t hint = 0;
  switch (walk->kind) {
  case WALK_RANGE: return (size_t)walk->stop;
  case WALK_LIST: hint = ((const List *)walk->source.o)->count; break;
  case WALK_TUPLE: hint = ((const Tuple *)walk->source.o)->count; break;
  case WALK_ITERATOR: hint = iterator_hint(ev, walk->source); break;
  }
  return hint < MOST ? hint : MOST;
}

Tuple *value_to_tuple(Eval *ev, Value v) {
  if (is_a(v, ev->types.tuple)) return (Tuple *)v.o;
  if (is_a(v, ev->types.list)) {
    const List *list = (const List *)v.o;
    return (Tuple *)make_tuple(ev, list->count, list->items).o;
  }
  Walk walk;
  walk_start(ev, &walk, v);
  size_t expected = walk_hint(ev, &walk);
  if (walk.kind == WALK_RANGE) {
    Tuple *tuple = tuple_new(ev, expected);
    for (size_t i = 0; i < expected; i++, count_step(ev)) walk_next(ev, &walk, &tuple->items[i]);
    return tuple;
  }
  List *items = list_new(ev, expected);
  for (Value item; walk_next(ev, &walk, &item); count_step(ev)) list_push(ev, items, item);
  return (Tuple *)make_tuple(ev, items->count, items->items).o;
}

// ---- identity and hash --------------------------------------------------------------------------
bool value_is(Value a, Value b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
  case V_BOOL:
  case V_INT:
  case V_FLOAT: return a.i == b.i; // of floats the bits: a NaN is itself
  case V_OBJECT: return a.o == b.o;
  default: return true;
  }
}

NORETURN static void raise_unhashable(Eval *ev, Value v) {
  eval_raise(ev, ev->types.TypeError, "unhashable type: '%s'", value_type_name(ev, v));
}

static uint64_t identity_hash(Value v) {
  uint64_t bits = (uint64_t)(uintptr_t)v.o;
  return bits >> 4 | bits << 60;
}

// Whether a native type may be hashed by identity: unless it compares by value (as in Python, where
// a class that defines __eq__ alone loses its hash).
static bool hashes_by_identity(const Type *type) {
  for (size_t i = 0; i < type->mro_count; i++) {
    if (type->mro[i]->slots.hash) return true;
    if (type->mro[i]->slots.compare) return false;
  }
  return true;
}

uint64_t value_hash(Eval *ev, Value v) {
  switch (v.kind) {
  case V_UNBOUND:
  case V_NONE:
  case V_ELLIPSIS:
  case V_NOT_IMPLEMENTED: return 0xfca86420u + (unsigned)v.kind;
  case V_BOOL:
  case V_INT: return hash_int(v.i);
  case V_FLOAT: return hash_double(v.f);
  case V_OBJECT: break;
  }
  Type *type = v.o->type;
  if (type == ev->types.string) return str_hash((StrObject *)v.o);
  check_stack(ev);
  if (type->slots.hash) return type->slots.hash(ev, v);
  if (!type->is_heap) {
    Value own = type_lookup(ev, type, ev->names->hash);
    if (own.kind == V_NONE || !hashes_by_identity(type)) raise_unhashable(ev, v);
    return identity_hash(v);
  }
  Special special;
  if (!special_find(ev, v, ev->names->hash, &special)) return identity_hash(v);
  if (v_is_none(special.method)) raise_unhashable(ev, v);
  if (is_a(special.method, ev->types.native) &&
      ((const NativeFunction *)special.method.o)->owner == ev->types.object)
    return identity_hash(v);
  if (special.native) return special.native->slots.hash(ev, v);
  Value result = value_unwrap(special_call(ev, v, &special, 0, NULL));
  if (result.kind != V_INT && result.kind != V_BOOL && !is_a(result, ev->types.integer))
    eval_raise(ev, ev->types.TypeError, "__hash__ method should return an integer");
  if (result.kind == V_INT) return (uint64_t)(result.i == -1 ? -2 : result.i); // not reduced again
  return value_hash(ev, result);
}

uint64_t object_identity_hash(Value v) { return identity_hash(v); }

// ---- text ---------------------------------------------------------------------------------------
static Str checked_text(Eval *ev, Value result, const char *method) {
  Str text;
  if (!value_as_str(result, &text))
    eval_raise(ev, ev->types.TypeError, "%s returned non-string (type %s)", method,
               value_type_name(ev, result));
  return text;
}

Str value_repr(Eval *ev, Value v) {
  switch (v.kind) {
  case V_UNBOUND: return STR("<unbound>");
  case V_NONE: return STR("None");
  case V_BOOL: return v.i ? STR("True") : STR("False");
  case V_INT: return str_of_i64(ev->arena, v.i);
  case V_FLOAT: return float_repr(ev->arena, v.f);
  case V_ELLIPSIS: return STR("Ellipsis");
  case V_NOT_IMPLEMENTED: return STR("NotImplemented");
  case V_OBJECT: break;
  }
  check_stack(ev);
  if (v.o->type->slots.repr) return v.o->type->slots.repr(ev, v);
  Value result;
  if (!ask(ev, v, ev->names->repr, 0, NULL, &result)) BUG("no __repr__ in object");
  return checked_text(ev, result, "__repr__");
}

void value_put_repr(Eval *ev, Value v, Buf *out) {
  if (v.kind == V_OBJECT) {
    check_stack(ev);
    const Type *type = v.o->type;
    if (!type->slots.put_repr && !type->slots.repr) // a class derived from a container
      type = slot_owner(ev, type, type_lookup(ev, v.o->type, ev->names->repr), ev->names->repr);
    if (type && type->slots.put_repr) {
      type->slots.put_repr(ev, v, out);
      return;
    }
  }
  buf_str(out, value_repr(ev, v));
}

Str value_str(Eval *ev, Value v) {
  if (v.kind != V_OBJECT) return value_repr(ev, v);
  Type *type = v.o->type;
  if (type == ev->types.string) return ((const StrObject *)v.o)->text;
  check_stack(ev);
  if (type->slots.str) return type->slots.str(ev, v);
  Value method, result;
  bool bound;
  if (!method_lookup(ev, v, ev->names->str, &method, &bound)) return value_repr(ev, v);
  bool is_objects = is_a(method, ev->types.native) &&
                    ((const NativeFunction *)method.o)->owner == ev->types.object;
  if (is_objects && type->slots.repr) return type->slots.repr(ev, v);
  if (!is_objects || !ask(ev, v, ev->names->repr, 0, NULL, &result))
    result = call_special(ev, v, method, bound, 0, NULL);
  return checked_text(ev, result, "__str__");
}

Str value_format(Eval *ev, Value v, Str spec) {
  Type *type = type_of(ev, v);
  if (type->slots.format) return type->slots.format(ev, v, spec);
  Value item = make_str(ev, spec), result;
  if (!ask(ev, v, ev->names->format, 1, &item, &result)) BUG("no __format__ in object");
  if (!value_as_str(result, &spec))
    eval_raise(ev, ev->types.TypeError, "__format__ must return a str, not %s",
               value_type_name(ev, result));
  return spec;
}

static unsigned hex_width(uint32_t code) { return code < 0x100 ? 2 : code < 0x10000 ? 4 : 8; }

Str value_ascii(Eval *ev, Value v) {
  Str text = value_repr(ev, v);
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t at = 0; at < text.len;) {
    if (!((unsigned char)text.data[at] & 0x80)) {
      buf_char(&buf, text.data[at++]);
      continue;
    }
    uint32_t code = utf8_decode(text, &at);
    if (code == UTF8_BAD) code = (unsigned char)text.data[at - 1];
    unsigned width = hex_width(code);
    buf_printf(&buf, "\\%c%0*x", width == 2 ? 'x' : width == 4 ? 'u' : 'U', (int)width, code);
  }
  return buf_view(&buf);
}

// ---- classes of values --------------------------------------------------------------------------
bool value_is_callable(Eval *ev, Value v) {
  if (v.kind != V_OBJECT) return false;
  Type *type = v.o->type;
  return type->slots.call || is_type(ev, v) ||
         type_lookup(ev, type, ev->names->call).kind != V_UNBOUND;
}

// Calls the __instancecheck__ or __subclasscheck__ of a class's metatype (or of any object); false
// if it is only type's.
static bool ask_class(Eval *ev, Value cls, Name name, Value v, bool *out) {
  Value found = type_lookup(ev, type_of(ev, cls), name);
  if (is_a(found, ev->types.native) && ((const NativeFunction *)found.o)->owner == ev->types.type)
    return false;
  Value result;
  if (!ask(ev, cls, name, 1, &v, &result)) return false;
  *out = value_truth(ev, result);
  return true;
}

static Value union_members(Eval *ev, Value v) {
  if (!is_a(v, ev->types.union_type)) return v_unbound();
  return value_getattr_opt(ev, v, intern(ev, "__args__"));
}

// Whether an object whose class defines __class__ says that it is one.
static bool claims_class(Eval *ev, Value v, const Type *type) {
  Name name = ev->names->class_;
  if (!type_of(ev, v)->is_heap || v_is_unbound(type_lookup(ev, type_of(ev, v), name))) return false;
  Value said = value_getattr_opt(ev, v, name);
  return is_type(ev, said) && type_is_subtype((Type *)said.o, type);
}

bool value_isinstance(Eval *ev, Value v, Value classes) {
  check_stack(ev);
  if (is_type(ev, classes) && type_of(ev, v) == (Type *)classes.o) return true;
  if (is_a(classes, ev->types.type)) // whose metatype has nothing to say
    return value_is_instance(ev, v, (Type *)classes.o) || claims_class(ev, v, (Type *)classes.o);
  Value members = union_members(ev, classes);
  const Tuple *tuple = value_as_tuple(members.kind == V_UNBOUND ? classes : members);
  if (tuple) {
    for (size_t i = 0; i < tuple->count; i++)
      if (value_isinstance(ev, v, tuple->items[i])) return true;
    return false;
  }
  if (members.kind == V_UNBOUND && v_is_none(classes)) goto fail;
  bool result;
  if (v_is_none(classes)) return v_is_none(v);
  if (ask_class(ev, classes, ev->names->instancecheck, v, &result)) return result;
  if (is_type(ev, classes))
    return value_is_instance(ev, v, (Type *)classes.o) || claims_class(ev, v, (Type *)classes.o);
  if (is_a(classes, ev->types.generic_alias))
    eval_raise(ev, ev->types.TypeError,
               "isinstance() argument 2 cannot be a parameterized generic");
fail:
  eval_raise(ev, ev->types.TypeError,
             "isinstance() arg 2 must be a type, a tuple of types, or a union");
}

bool value_issubclass(Eval *ev, Value type, Value classes) {
  check_stack(ev);
  Value members = union_members(ev, classes);
  const Tuple *tuple = value_as_tuple(members.kind == V_UNBOUND ? classes : members);
  if (!is_type(ev, type)) eval_raise(ev, ev->types.TypeError, "issubclass() arg 1 must be a class");
  if (tuple) {
    for (size_t i = 0; i < tuple->count; i++)
      if (value_issubclass(ev, type, tuple->items[i])) return true;
    return false;
  }
  bool result;
  if (ask_class(ev, classes, ev->names->subclasscheck, type, &result)) return result;
  if (!is_type(ev, classes))
    eval_raise(ev, ev->types.TypeError,
               "issubclass() arg 2 must be a class, a tuple of classes, or a union");
  return type_is_subtype((Type *)type.o, (Type *)classes.o);
}

bool exception_matches(Eval *ev, Value exception, Value classes) {
  const Tuple *tuple = value_as_tuple(classes);
  if (tuple) {
    bool matches = false;
    for (size_t i = 0; i < tuple->count; i++)
      matches |= exception_matches(ev, exception, tuple->items[i]);
    return matches;
  }
  // Which refuses.
  if (is_a(classes, ev->core->unsupported)) return value_isinstance(ev, exception, classes);
  if (!is_type(ev, classes) || !((Type *)classes.o)->is_exception)
    eval_raise(ev, ev->types.TypeError,
               "catching classes that do not inherit from BaseException is not allowed");
  return type_is_subtype(type_of(ev, exception), (Type *)classes.o);
}
