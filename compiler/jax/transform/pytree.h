// SPDX-License-Identifier: Apache-2.0
// The structure of pytrees, shared by pytree.c and the module jax.tree_util (tree_util.c).
#pragma once
#include "base/map.h"
#include "jax/array/array.h"
#include "python/builtins/builtins.h"

typedef struct PyTree PyTree; // the structure
PyTree *pytree_flatten(Eval *ev, Value tree, Value is_leaf,
                       List *leaves); // is_leaf: a predicate or V_NONE
Value pytree_unflatten(Eval *ev, const PyTree *tree, size_t count, const Value *leaves);
bool pytree_equal(Eval *ev, const PyTree *a, const PyTree *b);
Str pytree_text(Eval *ev, const PyTree *tree); // "PyTreeDef((*, {'a': *}))"
// Flattens `tree` only down to the leaves of `prefix` (as specs given for whole subtrees are).
void pytree_flatten_up_to(Eval *ev, const PyTree *prefix, Value tree, List *subtrees,
                          const char *what);
// The path of leaf i: "['w'][0]" as jax.tree_util.keystr.
Str pytree_leaf_path(Eval *ev, const PyTree *tree, size_t leaf);
void pytree_init(Eval *ev);

typedef enum NodeKind {
  NODE_LEAF,
  NODE_NONE,
  NODE_TUPLE,
  NODE_LIST,
  NODE_DICT,
  NODE_NAMED_TUPLE,
  NODE_ORDERED_DICT,
  NODE_DEFAULT_DICT,
  NODE_CUSTOM
} NodeKind;

// How instances of a registered class are taken apart.
typedef struct PyTreeKind {
  Type *type;
  Value flatten, unflatten, flatten_with_keys; // none where not given
  Tuple *data_fields, *meta_fields;            // of a dataclass, names as str; else NULL
} PyTreeKind;

struct PyTree { // also the Python object PyTreeDef
  Object base;
  NodeKind kind;
  Type *type;
  size_t count;
  PyTree **children;
  size_t leaf_count;
  Tuple *keys; // dicts: the keys in order; custom nodes with keys: the key of each child
  Value aux;   // custom: the auxiliary data; defaultdict: the factory
  const PyTreeKind *custom;
};

typedef struct PyTreeState {
  Map *kinds; // Type * -> PyTreeKind *
  Type *def_type, *predicate_type;
} PyTreeState;

typedef struct OneLevel { // the predicate that stops below `whole`
  Object base;
  Value whole;
} OneLevel;
const PyTreeKind *pytree_registered(Eval *ev, const Type *type);
// One level only: the children as they are. A leaf has none.
PyTree *pytree_one_level(Eval *ev, Value tree, List *children);
