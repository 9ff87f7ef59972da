// SPDX-License-Identifier: Apache-2.0
// Pytrees as JAX flattens them: tuples, lists, dicts by sorted keys, None as an empty tree, named
// tuples, OrderedDict, defaultdict, and what the program registers.
#include "base/buf.h"
#include "base/map.h"
#include "pytree.h"
#include "python/objects/attribute.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/objects/mapping.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "python/builtins/builtin_sort.h"
#include "python/values/builtin_state.h"
#include "jax/array/array_names.h"

static bool is_named_tuple(Eval *ev, Value v) {
  Type *type = v.o->type;
  return type != ev->types.tuple && type_is_subtype(type, ev->types.tuple) &&
         !v_is_unbound(type_lookup(ev, type, array_names(ev)->_fields));
}

// Of a class of collections, which there is once somebody has made it.
static bool is_below(const Type *type, const Type *base) {
  return base && type_is_subtype(type, base);
}

const PyTreeKind *pytree_registered(Eval *ev, const Type *type) {
  return map_get(ev->trace->pytree->kinds, type);
}

static NodeKind node_kind(Eval *ev, Value v, const PyTreeKind **custom) {
  *custom = NULL;
  if (v_is_none(v)) return NODE_NONE;
  if (v.kind != V_OBJECT) return NODE_LEAF;
  Type *type = v.o->type;
  if (type == ev->types.tuple) return NODE_TUPLE;
  if (type == ev->types.list) return NODE_LIST;
  if (type == ev->types.dict) return NODE_DICT;
  if (type == ev->trace->arrays->types.array || type == ev->trace->arrays->types.ref)
    return NODE_LEAF;
  *custom = pytree_registered(ev, type);
  if (*custom) return NODE_CUSTOM;
  if (is_named_tuple(ev, v)) return NODE_NAMED_TUPLE;
  if (!type_is_subtype(type, ev->types.dict)) return NODE_LEAF;
  if (is_below(type, ev->builtin->ordered_dict)) return NODE_ORDERED_DICT;
  return is_below(type, ev->builtin->default_dict) ? NODE_DEFAULT_DICT : NODE_LEAF;
}

// ---- flattening ---------------------------------------------------------------------------------
typedef struct Flattener {
  Eval *ev;
  Value is_leaf; // a predicate, or none
  List *leaves;
  int depth;
} Flattener;
enum { MAX_TREE_DEPTH = 1000 };

static PyTree *new_tree(Eval *ev, NodeKind kind, size_t children) {
  PyTree *tree = ARENA_NEW(ev->arena, PyTree);
  tree->base.type = ev->trace->pytree->def_type;
  tree->kind = kind;
  tree->count = children;
  tree->children = ARENA_ARRAY(ev->arena, PyTree *, children);
  tree->aux = v_none();
  return tree;
}

static PyTree *flatten(Flattener *f, Value v);

static void add_child(Flattener *f, PyTree *tree, size_t i, Value child) {
  tree->children[i] = flatten(f, child);
  tree->leaf_count += tree->children[i]->leaf_count;
}

typedef struct SortKeys {
  List *keys;
} SortKeys;
static void sort_keys(Eval *ev, void *data) {
  list_sort(ev, ((SortKeys *)data)->keys, v_none(), false);
}

// The keys of a dict, as a tuple: sorted, or as they stand.
static Tuple *dict_keys(Eval *ev, const Dict *dict, bool sorted) {
  List *keys = list_new(ev, dict->count);
  DictEntry *entry;
  for (size_t it = 0; dict_next(dict, &it, &entry);) list_push(ev, keys, entry->key);
  Value exception;
  SortKeys data = {keys};
  if (sorted && !eval_try(ev, sort_keys, &data, &exception))
    eval_raise(ev, ev->types.ValueError,
               "Comparator raised exception while sorting pytree dictionary keys.");
  return (Tuple *)make_tuple(ev, keys->count, keys->items).o;
}

static PyTree *flatten_dict(Flattener *f, Value v, NodeKind kind) {
  Eval *ev = f->ev;
  Dict *dict = value_as_dict(v);
  Tuple *keys = dict_keys(ev, dict, kind != NODE_ORDERED_DICT);
  PyTree *tree = new_tree(ev, kind, keys->count);
  tree->type = v.o->type;
  tree->keys = keys;
  if (kind == NODE_DEFAULT_DICT) tree->aux = value_getattr_c(ev, v, "default_factory");
  for (size_t i = 0; i < keys->count; i++)
    add_child(f, tree, i, dict_get(ev, dict, keys->items[i]));
  return tree;
}

static void take_pair(Eval *ev, Value v, const char *what, Value *first, Value *second) {
  Tuple *pair = value_as_tuple(v) || value_as_list(v) ? value_to_tuple(ev, v) : NULL;
  if (!pair || pair->count != 2)
    eval_raise(ev, ev->types.TypeError, "%s must return a pair, got %.*s", what,
               STR_FMT(value_repr(ev, v)));
  *first = pair->items[0];
  *second = pair->items[1];
}

static Name field_name(Eval *ev, Value field) {
  return name_intern(ev->session->interner, ((const StrObject *)field.o)->text);
}

static PyTree *flatten_custom(Flattener *f, Value v, const PyTreeKind *kind) {
  Eval *ev = f->ev;
  PyTree *tree;
  if (kind->data_fields) { // a dataclass
    tree = new_tree(ev, NODE_CUSTOM, kind->data_fields->count);
    tree->keys = kind->data_fields;
    Tuple *meta = tuple_new(ev, kind->meta_fields->count);
    for (size_t i = 0; i < meta->count; i++)
      meta->items[i] = value_getattr(ev, v, field_name(ev, kind->meta_fields->items[i]));
    tree->aux = v_object(meta);
    tree->type = v.o->type;
    tree->custom = kind;
    for (size_t i = 0; i < tree->count; i++)
      add_child(f, tree, i, value_getattr(ev, v, field_name(ev, kind->data_fields->items[i])));
    return tree;
  }
  Value children, aux;
  bool keyed = !v_is_none(kind->flatten_with_keys);
  take_pair(ev, value_call_n(ev, keyed ? kind->flatten_with_keys : kind->flatten, 1, &v),
            "the flatten function of a pytree", &children, &aux);
  Tuple *items = value_to_tuple(ev, children);
  tree = new_tree(ev, NODE_CUSTOM, items->count);
  tree->type = v.o->type;
  tree->custom = kind;
  tree->aux = aux;
  if (keyed) tree->keys = tuple_new(ev, items->count);
  for (size_t i = 0; i < items->count; i++) {
    Value child = items->items[i];
    if (keyed)
      take_pair(ev, child, "the flatten function of a pytree with keys", &tree->keys->items[i],
                &child);
    add_child(f, tree, i, child);
  }
  return tree;
}

static PyTree *flatten_node(Flattener *f, Value v) {
  Eval *ev = f->ev;
  const PyTreeKind *custom;
  NodeKind kind = node_kind(ev, v, &custom);
  if (kind != NODE_LEAF && !v_is_none(f->is_leaf) &&
      value_truth(ev, value_call_n(ev, f->is_leaf, 1, &v)))
    kind = NODE_LEAF;
  switch (kind) {
  case NODE_NONE: return new_tree(ev, NODE_NONE, 0);
  case NODE_DICT:
  case NODE_ORDERED_DICT:
  case NODE_DEFAULT_DICT: return flatten_dict(f, v, kind);
  case NODE_CUSTOM: return flatten_custom(f, v, custom);
  case NODE_TUPLE:
  case NODE_LIST:
  case NODE_NAMED_TUPLE: {
    Tuple *tuple = value_as_tuple(v);
    List *list = tuple ? NULL : value_as_list(v);
    size_t count = tuple ? tuple->count : list->count;
    PyTree *tree = new_tree(ev, kind, count);
    tree->type = v.o->type;
    for (size_t i = 0; i < count; i++)
      add_child(f, tree, i, tuple ? tuple->items[i] : list->items[i]);
    return tree;
  }
  case NODE_LEAF: break;
  }
  list_push(ev, f->leaves, v);
  PyTree *leaf = new_tree(ev, NODE_LEAF, 0);
  leaf->leaf_count = 1;
  return leaf;
}

static PyTree *flatten(Flattener *f, Value v) {
  if (++f->depth > MAX_TREE_DEPTH)
    eval_raise(f->ev, f->ev->types.RecursionError,
               "a pytree is nested more than %d deep, or contains itself", MAX_TREE_DEPTH);
  PyTree *tree = flatten_node(f, v);
  f->depth--;
  return tree;
}

PyTree *pytree_flatten(Eval *ev, Value tree, Value is_leaf, List *leaves) {
  Flattener f = {ev, is_leaf, leaves, 0};
  return flatten(&f, tree);
}

// ---- unflattening -------------------------------------------------------------------------------
static Value rebuild_custom(Eval *ev, const PyTree *tree, Tuple *children) {
  const PyTreeKind *kind = tree->custom;
  if (!kind->data_fields) {
    Value args[2] = {tree->aux, v_object(children)};
    return value_call_n(ev, kind->unflatten, 2, args);
  }
  size_t data = kind->data_fields->count, meta = kind->meta_fields->count;
  Name *names = ARENA_ARRAY(ev->arena, Name, data + meta);
  Value *values = ARENA_ARRAY(ev->arena, Value, data + meta);
  const Tuple *aux = (const Tuple *)tree->aux.o;
  for (size_t i = 0; i < data + meta; i++) {
    const Value *fields =
        i < data ? &kind->data_fields->items[i] : &kind->meta_fields->items[i - data];
    names[i] = field_name(ev, *fields);
    values[i] = i < data ? children->items[i] : aux->items[i - data];
  }
  Args args = {0, NULL, data + meta, names, values};
  return value_call(ev, v_object(tree->type), &args);
}

static Value pytree_rebuild(Eval *ev, const PyTree *tree, Tuple *children) {
  switch (tree->kind) {
  case NODE_NONE: return v_none();
  case NODE_TUPLE: return v_object(children);
  case NODE_LIST: {
    List *list = list_new(ev, children->count);
    for (size_t i = 0; i < children->count; i++) list_push(ev, list, children->items[i]);
    return v_object(list);
  }
  case NODE_NAMED_TUPLE: {
    Args args = {children->count, children->items, 0, NULL, NULL};
    return value_call(ev, v_object(tree->type), &args);
  }
  case NODE_DICT: {
    Dict *dict = dict_new(ev);
    for (size_t i = 0; i < children->count; i++)
      dict_set(ev, dict, tree->keys->items[i], children->items[i]);
    return v_object(dict);
  }
  case NODE_ORDERED_DICT:
  case NODE_DEFAULT_DICT: {
    Value made =
        value_call_n(ev, v_object(tree->type), tree->kind == NODE_DEFAULT_DICT, &tree->aux);
    for (size_t i = 0; i < children->count; i++)
      value_setitem(ev, made, tree->keys->items[i], children->items[i]);
    return made;
  }
  case NODE_CUSTOM: return rebuild_custom(ev, tree, children);
  case NODE_LEAF: break;
  }
  BUG("a leaf has no children");
}

static Value unflatten(Eval *ev, const PyTree *tree, const Value **leaves) {
  if (tree->kind == NODE_LEAF) return *(*leaves)++;
  Tuple *children = tuple_new(ev, tree->count);
  for (size_t i = 0; i < tree->count; i++)
    children->items[i] = unflatten(ev, tree->children[i], leaves);
  return pytree_rebuild(ev, tree, children);
}

Value pytree_unflatten(Eval *ev, const PyTree *tree, size_t count, const Value *leaves) {
  if (count < tree->leaf_count)
    eval_raise(ev, ev->types.ValueError, "Too few leaves for PyTreeDef; expected %zu, got %zu",
               tree->leaf_count, count);
  if (count > tree->leaf_count)
    eval_raise(ev, ev->types.ValueError, "Too many leaves for PyTreeDef; expected %zu.",
               tree->leaf_count);
  return unflatten(ev, tree, &leaves);
}

// ---- comparing ----------------------------------------------------------------------------------
static bool same_keys(Eval *ev, const PyTree *a, const PyTree *b) {
  if (a->keys == b->keys) return true;
  if (!a->keys || !b->keys || a->keys->count != b->keys->count) return false;
  for (size_t i = 0; i < a->keys->count; i++)
    if (!value_equal(ev, a->keys->items[i], b->keys->items[i])) return false;
  return true;
}

static bool same_node(Eval *ev, const PyTree *a, const PyTree *b) {
  if (a->kind != b->kind || a->count != b->count || a->type != b->type) return false;
  if (a->kind == NODE_CUSTOM)
    return a->custom == b->custom && (value_is(a->aux, b->aux) || value_equal(ev, a->aux, b->aux));
  if (a->kind == NODE_DEFAULT_DICT && !value_is(a->aux, b->aux)) return false;
  return same_keys(ev, a, b);
}

bool pytree_equal(Eval *ev, const PyTree *a, const PyTree *b) {
  if (a == b) return true;
  if (!same_node(ev, a, b)) return false;
  for (size_t i = 0; i < a->count; i++)
    if (!pytree_equal(ev, a->children[i], b->children[i])) return false;
  return true;
}

// ---- a tree that another is a prefix of ---------------------------------------------------------
// The path so far, for messages.
typedef struct PathStep {
  const struct PathStep *outer;
  const PyTree *node;
  size_t child;
} PathStep;

static void put_step(Eval *ev, Buf *buf, const PyTree *node, size_t child) {
  switch (node->kind) {
  case NODE_DICT:
  case NODE_ORDERED_DICT:
  case NODE_DEFAULT_DICT:
    buf_printf(buf, "[%.*s]", STR_FMT(value_repr(ev, node->keys->items[child])));
    return;
  case NODE_NAMED_TUPLE: {
    Tuple *fields = value_as_tuple(type_lookup(ev, node->type, array_names(ev)->_fields));
    buf_printf(buf, ".%.*s", STR_FMT(value_str(ev, fields->items[child])));
    return;
  }
  case NODE_CUSTOM:
    if (node->custom->data_fields) {
      buf_printf(buf, ".%.*s", STR_FMT(value_str(ev, node->keys->items[child])));
      return;
    }
    if (node->keys) {
      buf_str(buf, value_str(ev, node->keys->items[child]));
      return;
    }
    buf_printf(buf, "[<flat index %zu>]", child);
    return;
  default: buf_printf(buf, "[%zu]", child); return;
  }
}

static void put_path(Eval *ev, Buf *buf, const PathStep *path) {
  if (!path) return;
  put_path(ev, buf, path->outer);
  put_step(ev, buf, path->node, path->child);
}

static const char *node_type_name(const PyTree *tree) {
  switch (tree->kind) {
  case NODE_NONE: return "NoneType";
  case NODE_LEAF: return "a leaf";
  default: return tree->type ? tree->type->name->text : "tuple";
  }
}

typedef struct UpTo {
  Eval *ev;
  const char *what;
  List *subtrees;
} UpTo;

static Str up_to_place(UpTo *u, const PathStep *path) {
  Buf buf;
  buf_init(&buf, u->ev->arena);
  buf_c(&buf, u->what);
  put_path(u->ev, &buf, path);
  return buf_view(&buf);
}

static NORETURN void raise_types(UpTo *u, const PyTree *prefix, Value v, const PathStep *path) {
  eval_raise(u->ev, u->ev->types.ValueError,
             "pytree structure error: different types at key path\n    %.*s\nThe prefix has a "
             "subtree of type %s there, but the full pytree has one of type %s",
             STR_FMT(up_to_place(u, path)), node_type_name(prefix), value_type_name(u->ev, v));
}

// One level of v, its children in *children.
static PyTree *one_level(UpTo *u, Value v, List **children) {
  const PyTreeKind *custom;
  Eval *ev = u->ev;
  NodeKind kind = node_kind(ev, v, &custom);
  *children = list_new(ev, 4);
  if (kind == NODE_LEAF || kind == NODE_NONE) return new_tree(ev, kind, 0);
  // Everything below the first level is a leaf: the predicate says so for all but v itself.
  return pytree_one_level(ev, v, *children);
}

static void flatten_up_to(UpTo *u, const PyTree *prefix, Value v, const PathStep *path) {
  Eval *ev = u->ev;
  if (prefix->kind == NODE_LEAF) {
    list_push(ev, u->subtrees, v);
    return;
  }
  List *children;
  PyTree *level = one_level(u, v, &children);
  bool dicts = prefix->kind == NODE_DICT || prefix->kind == NODE_ORDERED_DICT ||
               prefix->kind == NODE_DEFAULT_DICT;
  if (level->kind != prefix->kind || level->type != prefix->type) raise_types(u, prefix, v, path);
  if (level->count != prefix->count)
    eval_raise(
        ev, ev->types.ValueError,
        "pytree structure error: different %s%s at key path\n    %.*s\nThe prefix has a %s of "
        "length %zu there, but the full pytree has one of length %zu",
        dicts ? "numbers of pytree children" : "lengths of ", dicts ? "" : node_type_name(prefix),
        STR_FMT(up_to_place(u, path)), node_type_name(prefix), prefix->count, level->count);
  if (!same_node(ev, prefix, level))
    eval_raise(
        ev, ev->types.ValueError,
        "pytree structure error: different pytree metadata at key path\n    %.*s\nThe prefix has a "
        "%s with metadata %.*s there, but the full pytree has one with %.*s",
        STR_FMT(up_to_place(u, path)), node_type_name(prefix),
        STR_FMT(value_repr(ev, prefix->kind == NODE_CUSTOM ? prefix->aux : v_object(prefix->keys))),
        STR_FMT(value_repr(ev, prefix->kind == NODE_CUSTOM ? level->aux : v_object(level->keys))));
  for (size_t i = 0; i < prefix->count; i++) {
    PathStep step = {path, prefix, i};
    flatten_up_to(u, prefix->children[i], children->items[i], &step);
  }
}

void pytree_flatten_up_to(Eval *ev, const PyTree *prefix, Value tree, List *subtrees,
                          const char *what) {
  UpTo u = {ev, what, subtrees};
  flatten_up_to(&u, prefix, tree, NULL);
}

PyTree *pytree_one_level(Eval *ev, Value tree, List *children) {
  OneLevel *predicate = ARENA_NEW(ev->arena, OneLevel);
  *predicate = (OneLevel){{ev->trace->pytree->predicate_type}, tree};
  PyTree *level = pytree_flatten(ev, tree, v_object(predicate), children);
  // None below the first level is a leaf of it, too: it has been flattened to nothing.
  if (children->count == level->count) return level;
  List *all = list_new(ev, level->count);
  size_t from = 0;
  for (size_t i = 0; i < level->count; i++)
    list_push(ev, all, level->children[i]->kind == NODE_LEAF ? children->items[from++] : v_none());
  *children = *all;
  return level;
}

// ---- text ---------------------------------------------------------------------------------------
static void put_children(Eval *ev, Buf *buf, const PyTree *tree);

static void put_tree(Eval *ev, Buf *buf, const PyTree *tree) {
  switch (tree->kind) {
  case NODE_LEAF: buf_char(buf, '*'); return;
  case NODE_NONE: buf_c(buf, "None"); return;
  case NODE_TUPLE:
    buf_char(buf, '(');
    put_children(ev, buf, tree);
    buf_c(buf, tree->count == 1 ? ",)" : ")");
    return;
  case NODE_LIST:
    buf_char(buf, '[');
    put_children(ev, buf, tree);
    buf_char(buf, ']');
    return;
  case NODE_DICT:
    buf_char(buf, '{');
    for (size_t i = 0; i < tree->count; i++) {
      buf_printf(buf, "%s%.*s: ", i ? ", " : "", STR_FMT(value_repr(ev, tree->keys->items[i])));
      put_tree(ev, buf, tree->children[i]);
    }
    buf_char(buf, '}');
    return;
  case NODE_NAMED_TUPLE:
    buf_printf(buf, "CustomNode(namedtuple[%s], [", tree->type->name->text);
    break;
  case NODE_ORDERED_DICT:
    buf_printf(buf, "CustomNode(OrderedDict[%.*s], [",
               STR_FMT(value_repr(ev, v_object(tree->keys))));
    break;
  case NODE_DEFAULT_DICT:
    buf_printf(buf, "CustomNode(defaultdict[(%.*s, %.*s)], [", STR_FMT(value_repr(ev, tree->aux)),
               STR_FMT(value_repr(ev, v_object(tree->keys))));
    break;
  case NODE_CUSTOM:
    buf_printf(buf, "CustomNode(%s[%.*s], [", tree->type->name->text,
               STR_FMT(value_str(ev, tree->aux)));
    break;
  }
  put_children(ev, buf, tree);
  buf_c(buf, "])");
}

static void put_children(Eval *ev, Buf *buf, const PyTree *tree) {
  for (size_t i = 0; i < tree->count; i++) {
    if (i) buf_c(buf, ", ");
    put_tree(ev, buf, tree->children[i]);
  }
}

Str pytree_text(Eval *ev, const PyTree *tree) {
  Buf buf;
  buf_init(&buf, ev->arena);
  buf_c(&buf, "PyTreeDef(");
  put_tree(ev, &buf, tree);
  buf_char(&buf, ')');
  return buf_view(&buf);
}

Str pytree_leaf_path(Eval *ev, const PyTree *tree, size_t leaf) {
  Buf buf;
  buf_init(&buf, ev->arena);
  while (tree->kind != NODE_LEAF) {
    size_t i = 0;
    while (i < tree->count && leaf >= tree->children[i]->leaf_count)
      leaf -= tree->children[i++]->leaf_count;
    if (i == tree->count) BUG("a pytree has no leaf of that number");
    put_step(ev, &buf, tree, i);
    tree = tree->children[i];
  }
  return buf_view(&buf);
}
