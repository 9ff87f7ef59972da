// SPDX-License-Identifier: Apache-2.0
// Parameters of equations as objects of the language: numbers, strings and tuples are Python's; an
// enum's member is its name; records, types and jaxprs have attributes. In: the tree of a text.
// Out: values for the functions that equations call.
#include "base/buf.h"
#include "numpy/arrays/nd.h"
#include "jaxpr_value.h"
#include <string.h>
#include "jax/array/array.h"
#include "jax/array/complex_array.h"
#include "jaxpr_eval.h"
#include "numpy/dtypes/dtype_object.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type.h"
#include "python/values/values.h"

typedef struct Record {
  Object base;
  Name kind; // NDIndexer, Blocked, …
  size_t count;
  const Name *names;
  Value *values;
} Record;

typedef struct Leaf {
  Object base;
  int64_t index;
} Leaf;

// ---- records ------------------------------------------------------------------------------------
static Value record_getattr(Eval *ev, Value self, Name name) {
  const Record *r = (const Record *)self.o;
  for (size_t i = 0; i < r->count; i++)
    if (r->names[i] == name) return r->values[i];
  return name == name_intern_c(ev->session->interner, "kind_") ? make_name(ev, r->kind)
                                                               : v_unbound();
}

static Str record_repr(Eval *ev, Value self) {
  const Record *r = (const Record *)self.o;
  Buf buf;
  buf_init(&buf, ev->arena);
  buf_printf(&buf, "%s(", r->kind->text);
  for (size_t i = 0; i < r->count; i++) {
    buf_printf(&buf, "%s%s=", i ? ", " : "", r->names[i]->text);
    value_put_repr(ev, r->values[i], &buf);
  }
  buf_char(&buf, ')');
  return buf_view(&buf);
}

static Record *record_new(Eval *ev, const JaxprTypes *types, Name kind, size_t count,
                          const Name *names) {
  Record *record = ARENA_NEW(ev->arena, Record);
  *record = (Record){{types->record}, kind, count, names, ARENA_ARRAY(ev->arena, Value, count)};
  return record;
}

static Value record_of(Eval *ev, const JaxprTypes *types, const JaxprValue *value) {
  size_t count = value->fields.count;
  Name *names = ARENA_ARRAY(ev->arena, Name, count);
  Record *record = record_new(ev, types, value->name, count, names);
  for (size_t i = 0; i < count; i++) {
    names[i] = value->fields.items[i].name;
    record->values[i] = jaxpr_value(ev, types, value->fields.items[i].value);
  }
  return v_object(record);
}

static Value slice_of(Eval *ev, const JaxprTypes *types, const JaxprValue *value) {
  Value parts[3];
  for (size_t i = 0; i < COUNT_OF(parts); i++)
    parts[i] = jaxpr_value(ev, types, value->fields.items[i].value);
  return make_slice(ev, parts[0], parts[1], parts[2]);
}

// What a text does not carry: it has no attributes.
static Value opaque_of(Eval *ev, const JaxprTypes *types, const JaxprValue *value) {
  return v_object(record_new(ev, types, name_intern(ev->session->interner, value->text), 0, NULL));
}

// What a type says: shape, dtype (or None), element as it is written, space (or None), weak.
static Value type_of(Eval *ev, const JaxprTypes *types, const JaxprType *type) {
  static const char *const fields[] = {"shape", "dtype", "element", "space", "weak"};
  Name *names = ARENA_ARRAY(ev->arena, Name, COUNT_OF(fields));
  for (size_t i = 0; i < COUNT_OF(fields); i++)
    names[i] = name_intern_c(ev->session->interner, fields[i]);
  Record *record =
      record_new(ev, types, name_intern_c(ev->session->interner, "Type"), COUNT_OF(fields), names);
  record->values[0] = make_tuple_i64(ev, type->rank, type->dims);
  record->values[1] = type->dtype == DT_COUNT ? v_none() : make_dtype(ev, type->dtype);
  record->values[2] = make_name(ev, type->element);
  record->values[3] = type->space ? make_name(ev, type->space) : v_none();
  record->values[4] = v_bool(type->weak);
  return v_object(record);
}

bool jaxpr_record_kind(Eval *ev, Value value, Str *kind) {
  bool is_record = value.kind == V_OBJECT && value.o->type == jaxpr_types(ev)->record;
  if (is_record) *kind = name_str(((const Record *)value.o)->kind);
  return is_record;
}

// ---- jaxprs -------------------------------------------------------------------------------------
static Value types_of(Eval *ev, const JaxprTypes *types, const JaxprVars *vars) {
  Tuple *tuple = tuple_new(ev, vars->count);
  for (size_t i = 0; i < vars->count; i++)
    tuple->items[i] = type_of(ev, types, &vars->items[i].type);
  return v_object(tuple);
}

static Value tree_getattr(Eval *ev, Value self, Name name) {
  const JaxprTree *tree = ((const JaxprObject *)self.o)->tree;
  if (strcmp(name->text, "params") == 0) return types_of(ev, jaxpr_types(ev), &tree->params);
  if (strcmp(name->text, "name") == 0) return tree->name ? make_name(ev, tree->name) : v_none();
  if (strcmp(name->text, "only_primitive") == 0)
    return tree->equations.count == 1 ? make_name(ev, tree->equations.items[0]->primitive)
                                      : v_none();
  return v_unbound();
}

static Value tree_call(Eval *ev, Value self, const Args *args) {
  if (args->kw_count) eval_raise(ev, ev->types.TypeError, "a jaxpr takes no keywords");
  return jaxpr_call(ev, ((const JaxprObject *)self.o)->tree, args->count, args->items);
}

static Value object_of(Eval *ev, const JaxprTypes *types, const JaxprTree *tree) {
  JaxprObject *object = ARENA_NEW(ev->arena, JaxprObject);
  *object = (JaxprObject){{types->tree}, tree};
  return v_object(object);
}

static Str leaf_repr(Eval *ev, Value self) {
  return str_format(ev->arena, "#%lld", (long long)((const Leaf *)self.o)->index);
}

void jaxpr_types_init(Eval *ev, JaxprTypes *types) {
  static const TypeSlots tree = {.getattr = tree_getattr, .call = tree_call};
  static const TypeSlots record = {.getattr = record_getattr, .repr = record_repr};
  static const TypeSlots leaf = {.repr = leaf_repr};
  types->tree = type_new_native(ev, "_jaxpr", "Jaxpr", NULL, &tree, NULL);
  types->record = type_new_native(ev, "_jaxpr", "Record", NULL, &record, NULL);
  types->leaf = type_new_native(ev, "_jaxpr", "Leaf", NULL, &leaf, NULL);
}

// ---- values -------------------------------------------------------------------------------------
Value jaxpr_array(Eval *ev, const JaxprValue *data) {
  NdArray *nd = nd_new(ev, data->type.dtype, data->type.rank, data->type.dims);
  memcpy(nd->data, data->text.data, data->text.len);
  if (dtype_is_complex(data->type.dtype)) return complex_as_array(ev, v_object(nd));
  return array_from_nd(ev, nd, data->type.weak);
}

static Value sequence_of(Eval *ev, const JaxprTypes *types, const JaxprValue *value) {
  size_t count = value->items.count;
  Tuple *tuple = tuple_new(ev, count);
  for (size_t i = 0; i < count; i++)
    tuple->items[i] = jaxpr_value(ev, types, value->items.items[i]);
  if (value->kind == JAXPR_TUPLE) return v_object(tuple);
  List *list = list_new(ev, count);
  for (size_t i = 0; i < count; i++) list_push(ev, list, tuple->items[i]);
  return v_object(list);
}

static Value map_of(Eval *ev, const JaxprTypes *types, const JaxprValue *value) {
  Value dict = v_object(dict_new(ev));
  for (size_t i = 0; i < value->fields.count; i++) {
    const JaxprField *field = &value->fields.items[i];
    value_setitem(ev, dict, jaxpr_value(ev, types, field->key),
                  jaxpr_value(ev, types, field->value));
  }
  return dict;
}

Value jaxpr_value(Eval *ev, const JaxprTypes *types, const JaxprValue *value) {
  eval_check_stack(ev);
  switch (value->kind) {
  case JAXPR_NONE: return v_none();
  case JAXPR_ELLIPSIS: return v_ellipsis();
  case JAXPR_BOOL: return v_bool(value->i != 0);
  case JAXPR_INT: return v_int(value->i);
  case JAXPR_FLOAT: return v_float(value->f);
  case JAXPR_STRING: return make_str(ev, value->text);
  case JAXPR_TUPLE:
  case JAXPR_LIST: return sequence_of(ev, types, value);
  case JAXPR_MAP: return map_of(ev, types, value);
  case JAXPR_RECORD: return record_of(ev, types, value);
  case JAXPR_SLICE: return slice_of(ev, types, value);
  case JAXPR_ENUM: return make_name(ev, value->member);
  case JAXPR_DTYPE:
    return value->type.dtype == DT_COUNT ? make_name(ev, value->type.element)
                                         : make_dtype(ev, value->type.dtype);
  case JAXPR_TYPE: return type_of(ev, types, &value->type);
  case JAXPR_LEAF: {
    Leaf *leaf = ARENA_NEW(ev->arena, Leaf);
    *leaf = (Leaf){{types->leaf}, value->i};
    return v_object(leaf);
  }
  case JAXPR_DATA: return jaxpr_array(ev, value);
  case JAXPR_TREE: return object_of(ev, types, value->tree);
  case JAXPR_OPAQUE: break;
  }
  return opaque_of(ev, types, value);
}

// ---- leaves -------------------------------------------------------------------------------------
typedef struct Fill {
  const JaxprTypes *types;
  size_t count;
  const Value *leaves;
} Fill;

static Value fill(Eval *ev, const Fill *with, Value value) {
  eval_check_stack(ev);
  if (value.kind != V_OBJECT) return value;
  const Tuple *tuple = value_as_tuple(value);
  if (tuple) {
    Tuple *filled = tuple_new(ev, tuple->count);
    for (size_t i = 0; i < tuple->count; i++) filled->items[i] = fill(ev, with, tuple->items[i]);
    return v_object(filled);
  }
  const List *list = value_as_list(value);
  if (list) {
    List *filled = list_new(ev, list->count);
    for (size_t i = 0; i < list->count; i++) list_push(ev, filled, fill(ev, with, list->items[i]));
    return v_object(filled);
  }
  const Dict *dict = value_as_dict(value);
  if (dict) {
    Value filled = v_object(dict_new(ev));
    DictEntry *entry;
    for (size_t it = 0; dict_next(dict, &it, &entry);)
      value_setitem(ev, filled, entry->key, fill(ev, with, entry->value));
    return filled;
  }
  if (value.o->type == with->types->leaf) {
    int64_t index = ((const Leaf *)value.o)->index;
    if (index < 0 || (size_t)index >= with->count)
      eval_raise(ev, ev->types.ValueError, "a tree of an equation names operand %lld of %zu",
                 (long long)index, with->count);
    return with->leaves[index];
  }
  if (value.o->type != with->types->record) return value;
  const Record *record = (const Record *)value.o;
  Record *filled = record_new(ev, with->types, record->kind, record->count, record->names);
  for (size_t i = 0; i < record->count; i++) filled->values[i] = fill(ev, with, record->values[i]);
  return v_object(filled);
}

Value jaxpr_fill(Eval *ev, const JaxprTypes *types, Value value, size_t count,
                 const Value *leaves) {
  Fill with = {types, count, leaves};
  return fill(ev, &with, value);
}
