// SPDX-License-Identifier: Apache-2.0
// The module itertools. One struct serves all its iterators; each uses the fields it needs.
#include "base/checked.h"
#include "python/values/builtin_state.h"
#include "python/modules/module.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/builtin_wrap.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "python/builtins/builtin_int.h"
#include <string.h>

typedef struct Step {
  Object base;
  Value source;   // the iterator walked over, or unbound
  Value function; // or none
  Value value;    // what is kept between steps
  Value *items;   // pools, seen items
  size_t *indices, *cycles;
  size_t count; // of items or pools
  size_t size;  // items in each result
  int64_t at, stop, step;
  bool is_started, is_done;
  struct Group *group;  // groupby
  struct TeeLink *link; // tee
} Step;

static Step *step_of(Value self) { return (Step *)value_unwrap(self).o; }

// The native type behind a class that may be derived from it.
static Type *native_of(Value cls) {
  Type *type = (Type *)cls.o;
  return type->payload ? type->payload : type;
}

static Step *step_new(Eval *ev, Value cls, Value iterable) {
  Step *s = ARENA_NEW(ev->arena, Step);
  s->base.type = native_of(cls);
  s->source = v_is_unbound(iterable) ? iterable : value_iter(ev, iterable);
  return s;
}

static Value wrapped(Eval *ev, Value cls, Step *s) {
  return payload_wrap(ev, (Type *)cls.o, s->base.type, v_object(s));
}

// ---- without end --------------------------------------------------------------------------------
static Value count_make(Eval *ev, Value *a) {
  double ignored;
  if (!value_is_int(a[1]) && !value_as_float(a[1], &ignored) &&
      v_is_unbound(type_lookup(ev, value_type(ev, a[1]), name_of(ev, "__add__"))))
    eval_raise(ev, ev->types.TypeError, "a number is required");
  Step *s = step_new(ev, a[0], v_unbound());
  s->value = a[1];
  s->function = a[2];
  return wrapped(ev, a[0], s);
}

static bool count_next(Eval *ev, Value self, Value *out) {
  Step *s = step_of(self);
  *out = s->value;
  s->value = value_binary(ev, BIN_ADD, s->value, s->function);
  return true;
}

static Str count_repr(Eval *ev, Value self) {
  const Step *s = step_of(self);
  Str start = value_repr(ev, s->value), step = value_repr(ev, s->function);
  if (s->function.kind == V_INT && s->function.i == 1)
    return str_format(ev->arena, "count(%.*s)", STR_FMT(start));
  return str_format(ev->arena, "count(%.*s, %.*s)", STR_FMT(start), STR_FMT(step));
}

static Value cycle_make(Eval *ev, Value *a) {
  Step *s = step_new(ev, a[0], a[1]);
  s->value = v_object(list_new(ev, 4));
  return wrapped(ev, a[0], s);
}

static bool cycle_next(Eval *ev, Value self, Value *out) {
  Step *s = step_of(self);
  List *seen = (List *)s->value.o;
  if (!s->is_done) {
    if (value_next(ev, s->source, out)) {
      list_push(ev, seen, *out);
      return true;
    }
    s->is_done = true;
  }
  if (seen->count == 0) return false;
  *out = seen->items[(size_t)s->at++ % seen->count];
  return true;
}

static Value repeat_make(Eval *ev, Value *a) {
  Step *s = step_new(ev, a[0], v_unbound());
  s->value = a[1];
  s->stop = v_is_unbound(a[2]) ? -1 : take_index64(ev, a[2]);
  if (!v_is_unbound(a[2]) && s->stop < 0) s->stop = 0;
  return wrapped(ev, a[0], s);
}

static bool repeat_next(Eval *ev UNUSED, Value self, Value *out) {
  Step *s = step_of(self);
  if (s->stop == 0) return false;
  if (s->stop > 0) s->stop--;
  *out = s->value;
  return true;
}

static Str repeat_repr(Eval *ev, Value self) {
  const Step *s = step_of(self);
  Str value = value_repr(ev, s->value);
  if (s->stop < 0) return str_format(ev->arena, "repeat(%.*s)", STR_FMT(value));
  return str_format(ev->arena, "repeat(%.*s, %lld)", STR_FMT(value), (long long)s->stop);
}

static Value repeat_hint(Eval *ev, Value *a) {
  const Step *s = step_of(a[0]);
  if (s->stop < 0) eval_raise(ev, ev->types.TypeError, "len() of unsized object");
  return v_int(s->stop);
}

// ---- over one iterable --------------------------------------------------------------------------
static Value accumulate_make(Eval *ev, Value *a) {
  Step *s = step_new(ev, a[0], a[1]);
  s->function = a[2];
  s->value = a[3];
  return wrapped(ev, a[0], s);
}

static bool accumulate_next(Eval *ev, Value self, Value *out) {
  Step *s = step_of(self);
  if (!s->is_started) {
    s->is_started = true;
    if (v_is_none(s->value) && !value_next(ev, s->source, &s->value)) return false;
    *out = s->value;
    return true;
  }
  Value item;
  if (!value_next(ev, s->source, &item)) return false;
  s->value = v_is_none(s->function) ? value_binary(ev, BIN_ADD, s->value, item)
                                    : value_call_n(ev, s->function, 2, (Value[]){s->value, item});
  *out = s->value;
  return true;
}

static Value compress_make(Eval *ev, Value *a) {
  Step *s = step_new(ev, a[0], a[1]);
  s->value = value_iter(ev, a[2]);
  return wrapped(ev, a[0], s);
}

static bool compress_next(Eval *ev, Value self, Value *out) {
  Step *s = step_of(self);
  for (Value keep; value_next(ev, s->source, out) && value_next(ev, s->value, &keep);
       eval_step(ev)) {
    if (value_truth(ev, keep)) return true;
  }
  return false;
}

static Value predicate_make(Eval *ev, Value *a) {
  Step *s = step_new(ev, a[0], a[2]);
  s->function = a[1];
  return wrapped(ev, a[0], s);
}

static bool holds(Eval *ev, const Step *s, Value item) {
  return value_truth(ev, v_is_none(s->function) ? item : value_call_n(ev, s->function, 1, &item));
}

static bool dropwhile_next(Eval *ev, Value self, Value *out) {
  Step *s = step_of(self);
  while (value_next(ev, s->source, out)) {
    if (s->is_started || !holds(ev, s, *out)) {
      s->is_started = true;
      return true;
    }
    eval_step(ev);
  }
  return false;
}

static bool takewhile_next(Eval *ev, Value self, Value *out) {
  Step *s = step_of(self);
  if (s->is_done || !value_next(ev, s->source, out)) return false;
  s->is_done = !holds(ev, s, *out);
  return !s->is_done;
}

static bool filterfalse_next(Eval *ev, Value self, Value *out) {
  Step *s = step_of(self);
  while (value_next(ev, s->source, out)) {
    if (!holds(ev, s, *out)) return true;
    eval_step(ev);
  }
  return false;
}

static bool starmap_next(Eval *ev, Value self, Value *out) {
  Step *s = step_of(self);
  Value item;
  if (!value_next(ev, s->source, &item)) return false;
  const Tuple *args = value_to_tuple(ev, item);
  *out = value_call_n(ev, s->function, args->count, args->items);
  return true;
}

static Value pairwise_make(Eval *ev, Value *a) {
  return wrapped(ev, a[0], step_new(ev, a[0], a[1]));
}

static bool pairwise_next(Eval *ev, Value self, Value *out) {
  Step *s = step_of(self);
  Value item;
  if (!s->is_started && !value_next(ev, s->source, &s->value)) return false;
  s->is_started = true;
  if (!value_next(ev, s->source, &item)) return false;
  *out = make_tuple(ev, 2, (Value[]){s->value, item});
  s->value = item;
  return true;
}

static int64_t islice_bound(Eval *ev, Value v, int64_t missing, const char *message) {
  if (v_is_none(v)) return missing;
  Value index = take_index_opt(ev, v);
  if (v_is_unbound(index) || index.kind == V_OBJECT || index.i < 0)
    eval_raise(ev, ev->types.ValueError, "%s", message);
  return index.i;
}

static Value islice_make(Eval *ev, Value *a) {
  const Tuple *args = value_as_tuple(a[2]);
  if (args->count < 1)
    eval_raise(ev, ev->types.TypeError, "islice expected at least 2 arguments, got 1");
  if (args->count > 3)
    eval_raise(ev, ev->types.TypeError, "islice expected at most 4 arguments, got %zu",
               args->count + 1);
  Step *s = step_new(ev, a[0], a[1]);
  const char *bad_index = "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.";
  s->step = 1;
  if (args->count == 1) {
    s->stop = islice_bound(
        ev, args->items[0], INT64_MAX,
        "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.");
    return wrapped(ev, a[0], s);
  }
  s->at = islice_bound(ev, args->items[0], 0, bad_index); // of the next item wanted
  s->stop = islice_bound(ev, args->items[1], INT64_MAX, bad_index);
  const char *bad_step = "Step for islice() must be a positive integer or None.";
  if (args->count == 3) s->step = islice_bound(ev, args->items[2], 1, bad_step);
  if (s->step == 0) eval_raise(ev, ev->types.ValueError, "%s", bad_step);
  return wrapped(ev, a[0], s);
}

static bool islice_next(Eval *ev, Value self, Value *out) {
  Step *s = step_of(self);
  int64_t wanted = s->at < s->stop ? s->at : s->stop;
  if (s->is_done) return false;
  for (; (int64_t)s->count < wanted; s->count++) { // count: items taken so far
    if (!value_next(ev, s->source, out)) {
      s->is_done = true;
      return false;
    }
  }
  if (s->at >= s->stop || !value_next(ev, s->source, out)) {
    s->is_done = true;
    return false;
  }
  s->count++;
  if (!add_i64(s->at, s->step, &s->at)) s->at = INT64_MAX;
  return true;
}

// ---- chain, zip_longest -------------------------------------------------------------------------
static Value chain_make(Eval *ev, Value *a) {
  Step *s = step_new(ev, a[0], a[1]);
  s->value = v_unbound();
  return wrapped(ev, a[0], s);
}

static Value chain_from_iterable(Eval *ev, Value *a) { return chain_make(ev, a); }

static bool chain_next(Eval *ev, Value self, Value *out) {
  Step *s = step_of(self);
  for (;;) {
    if (!v_is_unbound(s->value) && value_next(ev, s->value, out)) return true;
    Value iterable;
    if (!value_next(ev, s->source, &iterable)) {
      s->value = v_unbound();
      return false;
    }
    s->value = value_iter(ev, iterable);
    eval_step(ev);
  }
}

static Value zip_longest_make(Eval *ev, Value *a) {
  const Tuple *iterables = value_as_tuple(a[1]);
  Step *s = step_new(ev, a[0], v_unbound());
  s->items = ARENA_ARRAY(ev->arena, Value, iterables->count);
  s->count = s->size = iterables->count; // size: iterators still alive
  for (size_t i = 0; i < s->count; i++) s->items[i] = value_iter(ev, iterables->items[i]);
  s->value = a[2];
  return wrapped(ev, a[0], s);
}

static bool zip_longest_next(Eval *ev, Value self, Value *out) {
  Step *s = step_of(self);
  if (s->size == 0) return false;
  Tuple *result = tuple_new(ev, s->count);
  for (size_t i = 0; i < s->count; i++) {
    if (!v_is_unbound(s->items[i]) && value_next(ev, s->items[i], &result->items[i])) continue;
    if (!v_is_unbound(s->items[i])) {
      s->items[i] = v_unbound();
      if (--s->size == 0) return false;
    }
    result->items[i] = s->value;
  }
  *out = v_object(result);
  return true;
}

// ---- combinatorics ------------------------------------------------------------------------------
static Value product_make(Eval *ev, Value *a) {
  const Tuple *iterables = value_as_tuple(a[1]);
  int64_t repeat = take_index64(ev, a[2]);
  if (repeat < 0) eval_raise(ev, ev->types.ValueError, "repeat argument cannot be negative");
  Step *s = step_new(ev, a[0], v_unbound());
  s->count = repeat == 0 ? 0 : iterables->count * (size_t)repeat;
  s->items = ARENA_ARRAY(ev->arena, Value, s->count);
  s->indices = ARENA_ARRAY(ev->arena, size_t, s->count);
  for (size_t i = 0; i < s->count; i++) {
    Tuple *pool = i < iterables->count ? value_to_tuple(ev, iterables->items[i])
                                       : (Tuple *)s->items[i - iterables->count].o;
    s->items[i] = v_object(pool);
    if (pool->count == 0) s->is_done = true;
  }
  return wrapped(ev, a[0], s);
}

static bool product_next(Eval *ev, Value self, Value *out) {
  Step *s = step_of(self);
  if (s->is_done) return false;
  Tuple *result = tuple_new(ev, s->count);
  for (size_t i = 0; i < s->count; i++)
    result->items[i] = ((const Tuple *)s->items[i].o)->items[s->indices[i]];
  *out = v_object(result);
  size_t i = s->count; // the odometer turns, the last wheel fastest
  while (i > 0 && ++s->indices[i - 1] == ((const Tuple *)s->items[i - 1].o)->count)
    s->indices[--i] = 0;
  s->is_done = i == 0;
  return true;
}

static Step *selection_new(Eval *ev, Value *a, Value size) {
  Tuple *pool = value_to_tuple(ev, a[1]);
  int64_t r = v_is_none(size) ? (int64_t)pool->count : take_index64(ev, size);
  if (r < 0) eval_raise(ev, ev->types.ValueError, "r must be non-negative");
  Step *s = step_new(ev, a[0], v_unbound());
  s->value = v_object(pool);
  s->count = pool->count;
  s->size = (size_t)r;
  return s;
}

static Value picked(Eval *ev, const Step *s) {
  const Tuple *pool = (const Tuple *)s->value.o;
  Tuple *result = tuple_new(ev, s->size);
  for (size_t i = 0; i < s->size; i++) result->items[i] = pool->items[s->indices[i]];
  return v_object(result);
}

static Value combinations_make(Eval *ev, Value *a) {
  Step *s = selection_new(ev, a, a[2]);
  s->is_done = s->size > s->count;
  s->indices = ARENA_ARRAY(ev->arena, size_t, s->size);
  for (size_t i = 0; i < s->size; i++) s->indices[i] = i;
  return wrapped(ev, a[0], s);
}

static bool combinations_next(Eval *ev, Value self, Value *out) {
  Step *s = step_of(self);
  if (s->is_done) return false;
  *out = picked(ev, s);
  size_t i = s->size; // the last index that can still grow
  while (i > 0 && s->indices[i - 1] == i - 1 + s->count - s->size) i--;
  if (i == 0) {
    s->is_done = true;
    return true;
  }
  s->indices[i - 1]++;
  for (; i < s->size; i++) s->indices[i] = s->indices[i - 1] + 1;
  return true;
}

static Value replacement_make(Eval *ev, Value *a) {
  Step *s = selection_new(ev, a, a[2]);
  s->is_done = s->count == 0 && s->size > 0;
  s->indices = ARENA_ARRAY(ev->arena, size_t, s->size);
  return wrapped(ev, a[0], s);
}

static bool replacement_next(Eval *ev, Value self, Value *out) {
  Step *s = step_of(self);
  if (s->is_done) return false;
  *out = picked(ev, s);
  size_t i = s->size;
  while (i > 0 && s->indices[i - 1] == s->count - 1) i--;
  if (i == 0) {
    s->is_done = true;
    return true;
  }
  size_t next = s->indices[i - 1] + 1;
  for (i--; i < s->size; i++) s->indices[i] = next;
  return true;
}

// Permutations in the order of positions: of the indices the first `size` are shown; cycles[i]
// counts the swaps left at i.
static Value permutations_make(Eval *ev, Value *a) {
  Step *s = selection_new(ev, a, a[2]);
  s->is_done = s->size > s->count;
  if (s->is_done) return wrapped(ev, a[0], s);
  s->indices = ARENA_ARRAY(ev->arena, size_t, s->count);
  s->cycles = ARENA_ARRAY(ev->arena, size_t, s->size);
  for (size_t i = 0; i < s->count; i++) s->indices[i] = i;
  for (size_t i = 0; i < s->size; i++) s->cycles[i] = s->count - i;
  return wrapped(ev, a[0], s);
}

static bool permutations_next(Eval *ev, Value self, Value *out) {
  Step *s = step_of(self);
  if (s->is_done) return false;
  *out = picked(ev, s);
  for (size_t i = s->size; i-- > 0;) {
    if (--s->cycles[i] > 0) {
      size_t k = s->count - s->cycles[i], swap = s->indices[i];
      s->indices[i] = s->indices[k];
      s->indices[k] = swap;
      return true;
    }
    size_t first = s->indices[i]; // all swaps done: back into order
    memmove(s->indices + i, s->indices + i + 1, (s->count - 1 - i) * sizeof *s->indices);
    s->indices[s->count - 1] = first;
    s->cycles[i] = s->count - i;
  }
  s->is_done = true;
  return true;
}

// ---- groupby ------------------------------------------------------------------------------------
typedef struct Group { // what groupby and its current group share
  Value key, value;    // of the item read last
  uint64_t serial;     // of the current group: an older one is over
  bool has_value, is_done;
} Group;

static Value groupby_make(Eval *ev, Value *a) {
  Step *s = step_new(ev, a[0], a[1]);
  s->function = a[2];
  s->group = ARENA_NEW(ev->arena, Group);
  return wrapped(ev, a[0], s);
}

static bool group_read(Eval *ev, const Step *s) {
  Group *group = s->group;
  if (group->is_done || !value_next(ev, s->source, &group->value)) {
    group->is_done = true;
    return false;
  }
  group->key =
      v_is_none(s->function) ? group->value : value_call_n(ev, s->function, 1, &group->value);
  group->has_value = true;
  return true;
}

typedef struct Grouper {
  Object base;
  Step *parent;
  Value key;
  uint64_t serial;
} Grouper;

static bool groupby_next(Eval *ev, Value self, Value *out) {
  Step *s = step_of(self);
  Group *group = s->group;
  Value previous = s->value;
  while (!group->has_value || (s->is_started && same_or_equal(ev, group->key, previous))) {
    if (!group_read(ev, s)) return false;
    eval_step(ev);
  }
  s->is_started = true;
  s->value = group->key;
  Grouper *grouper = ARENA_NEW(ev->arena, Grouper);
  *grouper = (Grouper){{ev->builtin->grouper}, s, group->key, ++group->serial};
  *out = make_tuple(ev, 2, (Value[]){group->key, v_object(grouper)});
  return true;
}

static bool grouper_next(Eval *ev, Value self, Value *out) {
  Grouper *grouper = (Grouper *)self.o;
  Group *group = grouper->parent->group;
  if (group->serial != grouper->serial) return false;
  if (!group->has_value && !group_read(ev, grouper->parent)) return false;
  if (!same_or_equal(ev, group->key, grouper->key)) return false;
  *out = group->value;
  group->has_value = false;
  return true;
}

// ---- tee ----------------------------------------------------------------------------------------
// The items read so far that some of the iterators have not seen: a list that grows at its end.
typedef struct TeeLink {
  Value item;
  struct TeeLink *next; // NULL: not read yet
  bool is_end;
} TeeLink;

static bool tee_next(Eval *ev, Value self, Value *out) {
  Step *s = step_of(self);
  TeeLink *link = s->link;
  if (!link->next && !link->is_end) {
    if (value_next(ev, s->source, &link->item)) {
      link->next = ARENA_NEW(ev->arena, TeeLink);
    } else {
      link->is_end = true;
    }
  }
  if (link->is_end) return false;
  *out = link->item;
  s->link = link->next;
  return true;
}

static Value tee_copy(Eval *ev, Value *a) {
  Step *s = ARENA_NEW(ev->arena, Step);
  *s = *step_of(a[0]);
  return v_object(s);
}

static Value f_tee(Eval *ev, Value *a) {
  int64_t count = take_index64(ev, a[1]);
  if (count < 0) eval_raise(ev, ev->types.ValueError, "n must be >= 0");
  Value cls = v_object(ev->builtin->tee), iterator = value_iter(ev, a[0]);
  Tuple *result = tuple_new(ev, (size_t)count);
  TeeLink *link = ARENA_NEW(ev->arena, TeeLink);
  if (iterator.kind == V_OBJECT &&
      iterator.o->type == (Type *)cls.o) { // a tee of a tee goes on from where that is
    link = step_of(iterator)->link;
    iterator = step_of(iterator)->source;
  }
  for (size_t i = 0; i < result->count; i++) {
    Step *s = step_new(ev, cls, v_unbound());
    s->source = iterator;
    s->link = link;
    result->items[i] = v_object(s);
  }
  return v_object(result);
}

// ---- the module ---------------------------------------------------------------------------------
#define TYPE(name, signature, make, step_next)                                                     \
  static const NativeType name##_type = {                                                          \
      .slots = {.iter = iterator_self, .next = step_next},                                         \
      .methods = (const NativeDef[]){{"__new__(cls, " signature ")", make}, {0}},                  \
  };
TYPE(cycle, "iterable, /", cycle_make, cycle_next)
TYPE(accumulate, "iterable, func=None, *, initial=None", accumulate_make, accumulate_next)
TYPE(compress, "data, selectors", compress_make, compress_next)
TYPE(dropwhile, "predicate, iterable, /", predicate_make, dropwhile_next)
TYPE(takewhile, "predicate, iterable, /", predicate_make, takewhile_next)
TYPE(filterfalse, "function, iterable, /", predicate_make, filterfalse_next)
TYPE(starmap, "function, iterable, /", predicate_make, starmap_next)
TYPE(pairwise, "iterable, /", pairwise_make, pairwise_next)
TYPE(islice, "iterable, /, *args", islice_make, islice_next)
TYPE(zip_longest, "*iterables, fillvalue=None", zip_longest_make, zip_longest_next)
TYPE(product, "*iterables, repeat=1", product_make, product_next)
TYPE(combinations, "iterable, r", combinations_make, combinations_next)
TYPE(combinations_with_replacement, "iterable, r", replacement_make, replacement_next)
TYPE(permutations, "iterable, r=None", permutations_make, permutations_next)
TYPE(groupby, "iterable, key=None", groupby_make, groupby_next)

static const NativeType count_type = {
    .slots = {.iter = iterator_self, .next = count_next, .repr = count_repr},
    .methods = (const NativeDef[]){{"__new__(cls, start=0, step=1)", count_make}, {0}},
};
static const NativeType repeat_type = {
    .slots = {.iter = iterator_self, .next = repeat_next, .repr = repeat_repr},
    .methods = (const NativeDef[]){{"__new__(cls, object, times=)", repeat_make},
                                   {"__length_hint__(self)", repeat_hint},
                                   {0}},
};
static const NativeType chain_type = {
    .slots = {.iter = iterator_self, .next = chain_next},
    .methods = (const NativeDef[]){{"__new__(cls, *iterables)", chain_make},
                                   {"from_iterable(cls, iterable, /)", chain_from_iterable},
                                   {0}},
};
static const NativeType grouper_type = {.slots = {.iter = iterator_self, .next = grouper_next}};
static const NativeType tee_type = {
    .slots = {.iter = iterator_self, .next = tee_next},
    .methods = (const NativeDef[]){{"__copy__(self)", tee_copy}, {0}},
};

static void init(Eval *ev, ModuleObject *module) {
  const struct {
    const char *name;
    const NativeType *type;
  } types[] = {{"count", &count_type},
               {"cycle", &cycle_type},
               {"repeat", &repeat_type},
               {"accumulate", &accumulate_type},
               {"chain", &chain_type},
               {"compress", &compress_type},
               {"dropwhile", &dropwhile_type},
               {"takewhile", &takewhile_type},
               {"filterfalse", &filterfalse_type},
               {"starmap", &starmap_type},
               {"pairwise", &pairwise_type},
               {"islice", &islice_type},
               {"zip_longest", &zip_longest_type},
               {"product", &product_type},
               {"combinations", &combinations_type},
               {"combinations_with_replacement", &combinations_with_replacement_type},
               {"permutations", &permutations_type},
               {"groupby", &groupby_type}};
  for (size_t i = 0; i < COUNT_OF(types); i++) {
    module_set(ev, module, types[i].name,
               v_object(native_type_new(ev, "itertools", types[i].name, NULL, types[i].type)));
  }
  ev->builtin->grouper = native_type_new(ev, "itertools", "_grouper", NULL, &grouper_type);
  ev->builtin->tee = native_type_new(ev, "itertools", "_tee", NULL, &tee_type);
}

static const NativeDef functions[] = {{"tee(iterable, n=2, /)", f_tee}, {0}};

const ModuleDef module_itertools = {.name = "itertools", .functions = functions, .init = init};
