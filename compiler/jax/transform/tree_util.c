// SPDX-License-Identifier: Apache-2.0
// jax.tree_util: the functions on pytrees, PyTreeDef, and the registration of classes.
#include "base/map.h"
#include "jax/array/scalar_type.h"
#include "python/modules/module.h"
#include "pytree.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "jax/array/array_names.h"
#include <string.h>

static PyTree *take_def(Eval *ev, Value v) {
  if (v.kind != V_OBJECT || v.o->type != ev->trace->pytree->def_type)
    eval_raise(ev, ev->types.TypeError, "a PyTreeDef is expected, got %s", value_type_name(ev, v));
  return (PyTree *)v.o;
}

// ---- flatten, map -------------------------------------------------------------------------------
static Value native_flatten(Eval *ev, Value *a) {
  List *leaves = list_new(ev, 8);
  PyTree *def = pytree_flatten(ev, a[0], a[1], leaves);
  Value pair[2] = {v_object(leaves), v_object(def)};
  return make_tuple(ev, 2, pair);
}

static Value native_leaves(Eval *ev, Value *a) {
  List *leaves = list_new(ev, 8);
  pytree_flatten(ev, a[0], a[1], leaves);
  return v_object(leaves);
}

static Value native_structure(Eval *ev, Value *a) {
  return v_object(pytree_flatten(ev, a[0], a[1], list_new(ev, 8)));
}

static Value native_unflatten(Eval *ev, Value *a) { // treedef, leaves
  PyTree *def = take_def(ev, a[0]);
  Tuple *leaves = value_to_tuple(ev, a[1]);
  return pytree_unflatten(ev, def, leaves->count, leaves->items);
}

static Value native_map(Eval *ev, Value *a) { // f, tree, *rest, is_leaf
  List *leaves = list_new(ev, 8);
  PyTree *def = pytree_flatten(ev, a[1], a[3], leaves);
  Tuple *rest = value_as_tuple(a[2]);
  size_t n = rest->count + 1;
  List **columns = ARENA_ARRAY(ev->arena, List *, n);
  columns[0] = leaves;
  for (size_t i = 1; i < n; i++) {
    columns[i] = list_new(ev, leaves->count);
    pytree_flatten_up_to(ev, def, rest->items[i - 1], columns[i], "tree_map tree");
  }
  Value *results = ARENA_ARRAY(ev->arena, Value, leaves->count);
  Value *args = ARENA_ARRAY(ev->arena, Value, n);
  for (size_t k = 0; k < leaves->count; k++) {
    for (size_t i = 0; i < n; i++) args[i] = columns[i]->items[k];
    results[k] = value_call_n(ev, a[0], n, args);
  }
  return pytree_unflatten(ev, def, leaves->count, results);
}

// ---- paths: (kind, what) pairs that the prelude makes key objects of ----------------------------
static Value path_entry(Eval *ev, const PyTree *node, size_t child) {
  Value pair[2] = {make_str_c(ev, "flat"), v_int((int64_t)child)};
  switch (node->kind) {
  case NODE_DICT:
  case NODE_ORDERED_DICT:
  case NODE_DEFAULT_DICT:
    pair[0] = make_str_c(ev, "dict");
    pair[1] = node->keys->items[child];
    break;
  case NODE_NAMED_TUPLE:
    pair[0] = make_str_c(ev, "attr");
    pair[1] = value_as_tuple(type_lookup(ev, node->type, array_names(ev)->_fields))->items[child];
    break;
  case NODE_TUPLE:
  case NODE_LIST: pair[0] = make_str_c(ev, "seq"); break;
  case NODE_CUSTOM:
    if (node->keys) {
      pair[0] = make_str_c(ev, node->custom->data_fields ? "attr" : "key");
      pair[1] = node->keys->items[child];
    }
    break;
  default: break;
  }
  return make_tuple(ev, 2, pair);
}

static void collect_paths(Eval *ev, const PyTree *tree, List *steps, List *paths) {
  if (tree->kind == NODE_LEAF) {
    list_push(ev, paths, make_tuple(ev, steps->count, steps->items));
    return;
  }
  for (size_t i = 0; i < tree->count; i++) {
    list_push(ev, steps, path_entry(ev, tree, i));
    collect_paths(ev, tree->children[i], steps, paths);
    steps->count--;
  }
}

static Value native_paths(Eval *ev, Value *a) {
  List *paths = list_new(ev, 8);
  collect_paths(ev, take_def(ev, a[0]), list_new(ev, 4), paths);
  return v_object(paths);
}

static Value
native_one_level(Eval *ev,
                 Value *a) { // None for a leaf, else (children, keys as path entries, aux)
  List *children = list_new(ev, 4);
  PyTree *level = pytree_one_level(ev, a[0], children);
  if (level->kind == NODE_LEAF) return v_none();
  Tuple *keys = tuple_new(ev, level->count);
  for (size_t i = 0; i < level->count; i++) keys->items[i] = path_entry(ev, level, i);
  Value aux = level->kind == NODE_CUSTOM ? level->aux
              : level->keys              ? v_object(level->keys)
                                         : v_none();
  Value out[3] = {v_object(children), v_object(keys), aux};
  return make_tuple(ev, 3, out);
}

// ---- registration -------------------------------------------------------------------------------
static void check_new_kind(Eval *ev, Value type) {
  if (!value_is_type(ev, type))
    eval_raise(ev, ev->types.TypeError, "a class is expected, got %.*s",
               STR_FMT(value_repr(ev, type)));
  if (pytree_registered(ev, (Type *)type.o))
    eval_raise(ev, ev->types.ValueError, "Duplicate custom PyTreeDef type registration for %.*s.",
               STR_FMT(value_repr(ev, type)));
}

static Value
native_register_node(Eval *ev,
                     Value *a) { // nodetype, flatten_func, unflatten_func, flatten_with_keys_func
  check_new_kind(ev, a[0]);
  PyTreeKind *kind = ARENA_NEW(ev->arena, PyTreeKind);
  *kind = (PyTreeKind){(Type *)a[0].o, a[1], a[2], a[3], NULL, NULL};
  map_set(ev->trace->pytree->kinds, kind->type, kind);
  return v_none();
}

static Tuple *field_names(Eval *ev, Value v) {
  Tuple *names = value_to_tuple(ev, v);
  Tuple *out = tuple_new(ev, names->count);
  for (size_t i = 0; i < names->count; i++)
    out->items[i] = make_name(
        ev, name_intern(ev->session->interner, take_str(ev, names->items[i], "a field name")));
  return out;
}

static Value native_register_dataclass(Eval *ev, Value *a) { // nodetype, data_fields, meta_fields
  check_new_kind(ev, a[0]);
  PyTreeKind *kind = ARENA_NEW(ev->arena, PyTreeKind);
  *kind = (PyTreeKind){(Type *)a[0].o,       v_none(), v_none(), v_none(), field_names(ev, a[1]),
                       field_names(ev, a[2])};
  map_set(ev->trace->pytree->kinds, kind->type, kind);
  return a[0];
}

// ---- PyTreeDef ----------------------------------------------------------------------------------
static int64_t count_nodes(const PyTree *tree) {
  int64_t n = 1;
  for (size_t i = 0; i < tree->count; i++) n += count_nodes(tree->children[i]);
  return n;
}

static Value def_getattr(Eval *ev UNUSED, Value self, Name name) {
  const PyTree *def = (const PyTree *)self.o;
  if (strcmp(name->text, "num_leaves") == 0) return v_int((int64_t)def->leaf_count);
  if (strcmp(name->text, "num_nodes") == 0) return v_int(count_nodes(def));
  return v_unbound();
}

static Str def_repr(Eval *ev, Value self) { return pytree_text(ev, (const PyTree *)self.o); }

static Value def_compare(Eval *ev, CompareOp op, Value left, Value right) {
  const Type *type = ev->trace->pytree->def_type;
  if (op > CMP_NE || left.kind != V_OBJECT || right.kind != V_OBJECT || left.o->type != type ||
      right.o->type != type)
    return v_not_implemented();
  return v_bool(pytree_equal(ev, (const PyTree *)left.o, (const PyTree *)right.o) ==
                (op == CMP_EQ));
}

static uint64_t hash_tree(const PyTree *tree) {
  uint64_t h = (uint64_t)tree->kind * 0x9e3779b97f4a7c15u + tree->count;
  for (size_t i = 0; i < tree->count; i++) h = (h ^ hash_tree(tree->children[i])) * 0x100000001b3u;
  return h;
}

static uint64_t def_hash(Eval *ev UNUSED, Value self) { return hash_tree((const PyTree *)self.o); }

static Value def_unflatten(Eval *ev, Value *a) {
  Tuple *leaves = value_to_tuple(ev, a[1]);
  return pytree_unflatten(ev, take_def(ev, a[0]), leaves->count, leaves->items);
}

static Value def_children(Eval *ev, Value *a) {
  const PyTree *def = take_def(ev, a[0]);
  List *list = list_new(ev, def->count);
  for (size_t i = 0; i < def->count; i++) list_push(ev, list, v_object(def->children[i]));
  return v_object(list);
}

static Value def_flatten_up_to(Eval *ev, Value *a) {
  List *subtrees = list_new(ev, 8);
  pytree_flatten_up_to(ev, take_def(ev, a[0]), a[1], subtrees, "tree");
  return v_object(subtrees);
}

static Value def_node_data(Eval *ev, Value *a) {
  const PyTree *def = take_def(ev, a[0]);
  if (def->kind == NODE_LEAF) return v_none();
  Value aux = def->kind == NODE_CUSTOM ? def->aux : def->keys ? v_object(def->keys) : v_none();
  Value pair[2] = {def->type ? v_object(def->type) : v_object(ev->types.none), aux};
  return make_tuple(ev, 2, pair);
}

static PyTree *compose(Eval *ev, const PyTree *outer, PyTree *inner) {
  if (outer->kind == NODE_LEAF) return inner;
  PyTree *tree = ARENA_NEW(ev->arena, PyTree);
  *tree = *outer;
  tree->leaf_count = 0;
  tree->children = ARENA_ARRAY(ev->arena, PyTree *, tree->count);
  for (size_t i = 0; i < tree->count; i++) {
    tree->children[i] = compose(ev, outer->children[i], inner);
    tree->leaf_count += tree->children[i]->leaf_count;
  }
  return tree;
}

static Value def_compose(Eval *ev, Value *a) {
  return v_object(compose(ev, take_def(ev, a[0]), take_def(ev, a[1])));
}

static Value native_treedef_tuple(Eval *ev, Value *a) {
  Tuple *defs = value_to_tuple(ev, a[0]);
  PyTree *tree = ARENA_NEW(ev->arena, PyTree);
  tree->base.type = ev->trace->pytree->def_type;
  tree->kind = NODE_TUPLE;
  tree->type = ev->types.tuple;
  tree->count = defs->count;
  tree->aux = v_none();
  tree->children = ARENA_ARRAY(ev->arena, PyTree *, defs->count);
  for (size_t i = 0; i < defs->count; i++) {
    tree->children[i] = take_def(ev, defs->items[i]);
    tree->leaf_count += tree->children[i]->leaf_count;
  }
  return v_object(tree);
}

static Value native_is_leaf_def(Eval *ev, Value *a) {
  return v_bool(take_def(ev, a[0])->kind == NODE_LEAF);
}

static Value never_call(Eval *ev, Value self, const Args *args);

void pytree_init(Eval *ev) {
  static const NativeDef methods[] = {
      {"unflatten(self, leaves)", def_unflatten},
      {"children(self)", def_children},
      {"flatten_up_to(self, tree)", def_flatten_up_to},
      {"node_data(self)", def_node_data},
      {"compose(self, inner)", def_compose},
      {NULL, NULL},
  };
  static const TypeSlots def = {
      .getattr = def_getattr, .repr = def_repr, .compare = def_compare, .hash = def_hash};
  static const TypeSlots predicate = {.call = never_call};
  PyTreeState *state = ARENA_NEW(ev->arena, PyTreeState);
  ev->trace->pytree = state;
  state->kinds = map_new(ev->arena);
  state->def_type = type_new_native(ev, "jax.tree_util", "PyTreeDef", NULL, &def, methods);
  state->predicate_type =
      type_new_native(ev, "jax.tree_util", "_predicate", NULL, &predicate, NULL);
}

// The predicate of pytree_one_level: everything but the tree itself is a leaf.
static Value never_call(Eval *ev UNUSED, Value self, const Args *args) {
  return v_bool(!value_is(args->items[0], ((const OneLevel *)self.o)->whole));
}

static void tree_util_init(Eval *ev, ModuleObject *module) {
  module_set(ev, module, "PyTreeDef", v_object(ev->trace->pytree->def_type));
}

static const NativeDef tree_util_natives[] = {
    {"tree_flatten(tree, is_leaf=None)", native_flatten},
    {"tree_leaves(tree, is_leaf=None)", native_leaves},
    {"tree_structure(tree, is_leaf=None)", native_structure},
    {"tree_unflatten(treedef, leaves)", native_unflatten},
    {"tree_map(f, tree, *rest, is_leaf=None)", native_map},
    {"_paths(treedef)", native_paths},
    {"_one_level(tree)", native_one_level},
    {"register_pytree_node(nodetype, flatten_func, unflatten_func, flatten_with_keys_func=None)",
     native_register_node},
    {"_register_dataclass(nodetype, data_fields, meta_fields)", native_register_dataclass},
    {"treedef_tuple(treedefs)", native_treedef_tuple},
    {"treedef_children(treedef)", def_children},
    {"treedef_is_leaf(treedef)", native_is_leaf_def},
    {NULL, NULL},
};

const ModuleDef module_jax_tree_util = {
    .name = "jax.tree_util", .functions = tree_util_natives, .init = tree_util_init};
