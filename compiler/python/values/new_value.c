// SPDX-License-Identifier: Apache-2.0
// Making values: strings, tuples, lists, instances, exceptions.
#include <string.h>

#include "base/collected.h"
#include "evaluator_state.h"
#include "dict.h"
#include "new_value.h"
#include "raise.h"
#include "values.h"

// ---- strings -----------------------------------------------------------------------------------
Value make_str_of(Eval *ev, Str text) {
  StrObject *str = ARENA_NEW(ev->arena, StrObject);
  str->base.type = ev->types.string;
  str->text = text;
  return v_object(str);
}

Value make_str(Eval *ev, Str text) {
  enum { SHORT = 64 }; // such a text lies behind its object
  if (text.len > SHORT) return make_str_of(ev, str_copy(ev->arena, text));
  StrObject *str = arena_alloc(ev->arena, sizeof *str + text.len + 1);
  char *data = (char *)(str + 1);
  if (text.len) memcpy(data, text.data, text.len);
  str->base.type = ev->types.string;
  str->text = (Str){data, text.len};
  return v_object(str);
}

Value make_str_c(Eval *ev, const char *text) { return make_str(ev, str_from_c(text)); }

Value make_str_fmt(Eval *ev, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  Str text = str_vformat(ev->arena, fmt, args);
  va_end(args);
  return make_str_of(ev, text);
}

Value make_name(Eval *ev, Name name) {
  StrObject *str = name->object;
  if (!str) {
    str = ARENA_NEW(ev->arena, StrObject);
    str->base.type = ev->types.string;
    str->text = name_str(name);
    str->name = name;
    name_set_object(ev->session->interner, name, str);
  }
  return v_object(str);
}

// ---- sequences ---------------------------------------------------------------------------------
Tuple *tuple_new(Eval *ev, size_t count) {
  demand_memory(ev, count > SIZE_MAX / 2 / sizeof(Value) ? SIZE_MAX : count * sizeof(Value));
  Tuple *tuple = arena_alloc(ev->arena, sizeof *tuple + count * sizeof(Value));
  tuple->base.type = ev->types.tuple;
  tuple->count = count;
  return tuple;
}

Value make_tuple(Eval *ev, size_t count, const Value *items) {
  Tuple *tuple = tuple_new(ev, count);
  if (count) memcpy(tuple->items, items, count * sizeof *items);
  return v_object(tuple);
}

Value make_tuple_i64(Eval *ev, size_t count, const int64_t *items) {
  Tuple *tuple = tuple_new(ev, count);
  for (size_t i = 0; i < count; i++) tuple->items[i] = v_int(items[i]);
  return v_object(tuple);
}

static Value *new_items(Eval *ev, size_t capacity) {
  demand_memory(ev, capacity > SIZE_MAX / 2 / sizeof(Value) ? SIZE_MAX : capacity * sizeof(Value));
  return ARENA_ARRAY(ev->arena, Value, capacity);
}

List *list_new(Eval *ev, size_t capacity) {
  List *list = ARENA_NEW(ev->arena, List);
  list->base.type = ev->types.list;
  if (capacity) list->items = new_items(ev, capacity);
  list->capacity = capacity;
  return list;
}

static void list_grow(Eval *ev, List *list, size_t capacity) {
  Value *items = new_items(ev, capacity);
  if (list->count) memcpy(items, list->items, list->count * sizeof *items);
  list->items = items;
  list->capacity = capacity;
}

void list_push(Eval *ev, List *list, Value item) {
  if (list->count == list->capacity) list_grow(ev, list, list->capacity ? list->capacity * 2 : 4);
  list->items[list->count++] = item;
}

void list_reserve(Eval *ev, List *list, size_t more) {
  if (list->capacity - list->count >= more) return;
  size_t least = list->count + more, capacity = list->capacity * 2;
  list_grow(ev, list, least > capacity ? least : capacity);
}

// None: who goes through the items while a call of his shortens the list sees no hole.
void list_cut(List *list, size_t count) {
  while (list->count > count) list->items[--list->count] = v_none();
}

Value make_complex(Eval *ev, double real, double imag) {
  ComplexObject *z = ARENA_NEW(ev->arena, ComplexObject);
  *z = (ComplexObject){{ev->types.complex}, {real, imag}};
  return v_object(&z->base);
}

Value make_slice(Eval *ev, Value start, Value stop, Value step) {
  SliceObject *slice = ARENA_NEW(ev->arena, SliceObject);
  *slice = (SliceObject){{ev->types.slice}, start, stop, step};
  return v_object(slice);
}

// ---- objects -----------------------------------------------------------------------------------
Instance *instance_new(Eval *ev, Type *type) {
  Instance *instance;
  if (type->is_exception) {
    ExceptionObject *exception = ARENA_NEW(ev->arena, ExceptionObject);
    exception->args = (Tuple *)make_tuple(ev, 0, NULL).o;
    instance = &exception->instance;
  } else {
    instance = ARENA_NEW(ev->arena, Instance);
  }
  instance->base.type = type;
  instance->dict = dict_new_small(ev, type->room);
  return instance;
}

ExceptionObject *exception_new(Eval *ev, Type *type, Str message) {
  ExceptionObject *exception = ARENA_NEW(ev->arena, ExceptionObject);
  exception->instance.base.type = type;
  exception->instance.dict = dict_new(ev);
  Value text = make_str(ev, message);
  exception->args = (Tuple *)make_tuple(ev, 1, &text).o;
  return exception;
}

ModuleObject *module_new(Eval *ev, Name name, SourceFile *file) {
  ModuleObject *module = ARENA_NEW(ev->arena, ModuleObject);
  module->base.type = ev->types.module;
  module->name = name;
  module->file = file;
  module->dict = dict_new(ev);
  dict_set_name(ev, module->dict, ev->names->name, make_name(ev, name));
  return module;
}

Value make_bytes_unset(Eval *ev, size_t size, char **text) {
  BytesObject *bytes = ARENA_NEW(ev->arena, BytesObject);
  bytes->base.type = ev->types.bytes;
  bool is_long = size >= 1024; // else its alignment would be a large part of it
  *text = is_long ? arena_alloc_buffer(ev->arena, size + 1) // texts end in a NUL
                  : arena_alloc_bytes(ev->arena, size + 1);
  (*text)[size] = 0;
  bytes->text = (Str){*text, size};
  return v_object(bytes);
}

Value make_bytes(Eval *ev, Str data) {
  char *text;
  Value bytes = make_bytes_unset(ev, data.len, &text);
  if (data.len) memcpy(text, data.data, data.len);
  return bytes;
}

void module_set(Eval *ev, ModuleObject *module, const char *name, Value value) {
  dict_set_name(ev, module->dict, intern(ev, name), value);
}
