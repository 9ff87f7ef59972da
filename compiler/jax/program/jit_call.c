// SPDX-License-Identifier: Apache-2.0
// jax.jit: the function is traced in place; at the module's own statements a call is a program that
// is kept.
#include "base/collected.h"
#include "base/map.h"
#include "numpy/arrays/nd.h"
#include "ir/core/ir.h"
#include "jax/transform/recording.h"
#include "python/modules/module.h"
#include "eager.h"
#include "ir/core/chip.h"
#include "jax/trace/pending.h"
#include "jax/transform/pytree.h"
#include "python/modules/report.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "jax/array/argument_rules.h"
#include "jax/array/array_names.h"
#include "jax/array/compound.h"
#include "jax/array/placement.h"
#include "jax/array/promote.h"
#include "jax/array/ref.h"
#include "jax/ops/create.h"

typedef struct Kept Kept;

typedef struct Jit {
  Value fun;
  Tuple *args;
  Dict *kwargs;
  uint64_t static_args; // a bit an argument
  Tuple *static_names;
  Kept *kept;           // what is made of this call; NULL: it is not kept
  size_t next_argument; // leaf of it
  Recording *recording; // what a call that is only lowered records; NULL: it is made
  Value result;
  PyTree *tree; // of the result
  List *leaves;
  VEC(IrValue *) placed; // arguments that lie on devices
} Jit;

// A call of a jitted function that has run: the next one with the same static arguments and arrays
// of the same types needs neither a trace nor a compilation. What the function printed or counted
// while it was traced, it does not do again; so it is in JAX.
typedef struct KeptResult {
  Value known;   // not unbound: what it is, without running
  size_t output; // else of the program
  bool weak;
  Name impl; // of an array of keys or complex numbers: compound_kind
  Placement *placement;
} KeptResult;

struct Kept {
  Kept *next;
  uint64_t static_args;
  List *statics;          // of args, then of kwargs
  Leaves arrays;          // the others; their values and
  NdArray **data;         // data are this call's, and not kept
  Placement **placements; // of the arrays
  EagerProgram *program;
  PyTree *tree;
  size_t result_count;
  KeptResult *results;
};

static bool is_static_name(const Jit *j, Name name) {
  for (size_t i = 0; i < j->static_names->count; i++) {
    Str text;
    if (value_as_str(j->static_names->items[i], &text) && str_equal(text, name_str(name)))
      return true;
  }
  return false;
}

// The arrays of an argument as values of this level.
static Value traced_argument(Eval *ev, Jit *j, Value arg, const char *function, Str path) {
  List *list = list_new(ev, 4);
  if (j->recording) arg = recording_stand_in(ev, arg, NULL);
  PyTree *tree = pytree_flatten(ev, arg, v_none(), list);
  Value *values = ARENA_ARRAY(ev->arena, Value, list->count);
  for (size_t i = 0; i < list->count; i++) {
    Value v = list->items[i];
    Leaf leaf;
    if (value_is_ref(ev, v)) {
      if (ref_has_leaked((const Ref *)v.o)) ref_ir(ev, v); // raises
      values[i] = v;
      continue;
    }
    if (!value_is_compound(ev, v) && !value_is_complex(ev, v) && !value_is_arraylike(ev, v))
      eval_raise(ev, ev->types.TypeError,
                 "Error interpreting argument to %s as an abstract array. The problematic value is "
                 "of type <class '%s'> and was passed to the function "
                 "at path %.*s%.*s. A jitted function takes arrays; mark other arguments with "
                 "static_argnums or static_argnames",
                 function, value_type_name(ev, v), STR_FMT(path),
                 STR_FMT(pytree_leaf_path(ev, tree, i)));
    leaf_describe(ev, v, function, &leaf);
    IrValue *ir = j->kept && !j->recording
                      ? eager_program_argument(ev, j->kept->data[j->next_argument++])
                      : leaf_ir(ev, v, DT_COUNT);
    Placement *placement = placement_of(ev, v);
    if (placement) {
      placement_note(ev, ir, placement_made(ev, placement, ir->type->rank));
      VEC_PUSH(ev->arena, &j->placed, ir);
    }
    values[i] = leaf_wrap(ev, ir, &leaf);
  }
  return pytree_unflatten(ev, tree, list->count, values);
}

static Str argument_path(Eval *ev, Value fun, size_t i) {
  if (fun.kind == V_OBJECT && fun.o->type == ev->types.function) {
    const Params *params = ((const Function *)fun.o)->params;
    if (i < params->positional) return name_str(params->items[i].name);
  }
  return str_format(ev->arena, "args[%zu]", i);
}

// The result is taken apart while the level is there: flattening may run methods of the program,
// and what is pending must not run before its values belong to the level around. Objects that stand
// for arrays may look at the level's memory.
static void take_result(Eval *ev, Jit *j, Value result) {
  j->leaves = list_new(ev, 4);
  j->tree = pytree_flatten(ev, result, v_none(), j->leaves);
  bool any = false;
  for (size_t i = 0; i < j->leaves->count; i++) {
    Value v = j->leaves->items[i];
    if (v.kind != V_OBJECT || !v.o->type->is_heap || !value_is_arraylike(ev, v)) continue;
    j->leaves->items[i] = array_from(ev, v);
    any = true;
  }
  j->result = any ? pytree_unflatten(ev, j->tree, j->leaves->count, j->leaves->items) : result;
}

static void run_jit(Eval *ev, void *data) {
  Jit *j = data;
  const char *name = callable_name(ev, j->fun);
  size_t kw = 0;
  Value *items = ARENA_ARRAY(ev->arena, Value, j->args->count);
  for (size_t i = 0; i < j->args->count; i++) {
    items[i] = j->args->items[i];
    if (i < 64 && (j->static_args >> i & 1))
      argument_check_static(ev, items[i]);
    else
      items[i] = traced_argument(ev, j, items[i], name, argument_path(ev, j->fun, i));
  }
  Name *names = ARENA_ARRAY(ev->arena, Name, j->kwargs->count);
  Value *values = ARENA_ARRAY(ev->arena, Value, j->kwargs->count);
  DictEntry *entry;
  for (size_t it = 0; dict_next(j->kwargs, &it, &entry); kw++) {
    names[kw] = name_intern(ev->session->interner, take_str(ev, entry->key, "a keyword"));
    values[kw] = entry->value;
    if (is_static_name(j, names[kw]))
      argument_check_static(ev, values[kw]);
    else
      values[kw] = traced_argument(ev, j, values[kw], name, name_str(names[kw]));
  }
  Args args = {j->args->count, items, kw, names, values};
  take_result(ev, j, value_call(ev, j->fun, &args));
}

// What a call gives is an array of its own: deleting it leaves the argument or constant that it is.
static Value again(Eval *ev, Value v) {
  if (!value_is_compound(ev, v)) return array_again(ev, (const Array *)v.o);
  Value data = array_again(ev, compound_data(ev, v));
  return compound_new(ev, (Array *)data.o, compound_kind(ev, v));
}

static void check_result(Eval *ev, Value v, const char *what) {
  if (value_is_compound(ev, v) || value_is_complex(ev, v) || value_is_array(ev, v)) return;
  if (!value_is_ref(ev, v)) {
    if (!value_is_arraylike(ev, v))
      eval_raise(ev, ev->types.TypeError,
                 "function %s traced for jit returned a value of type <class '%s'>, which is not a "
                 "valid JAX "
                 "type",
                 what, value_type_name(ev, v));
    return;
  }
  Ref *ref = (Ref *)v.o;
  if (ref_is_made_by_program(ref))
    eval_raise(ev, ev->types.ValueError,
               "function %s traced for jit returned a mutable array reference of type %.*s, but "
               "mutable array references cannot be returned; return its value, ref[...]",
               what, STR_FMT(ref_type_text(ev, ref)));
}

// A result belongs to the level around.
static Value relevel(Eval *ev, Value v, const Level *inner, const char *what) {
  check_result(ev, v, what);
  v = complex_as_array(ev, v);
  if (value_is_compound(ev, v) || value_is_array(ev, v)) {
    Array *a = value_is_compound(ev, v) ? compound_data(ev, v) : (Array *)v.o;
    if (a->level != inner) return again(ev, v); // from around the function
    a->level = ev->trace->level;
    return v;
  }
  if (!value_is_ref(ev, v)) return array_from(ev, v);
  Ref *ref = (Ref *)v.o;
  if (ref->level == inner) ref->level = ev->trace->level;
  return v;
}

// Results that arguments on devices have no part in lie with them, if anything else is made of the
// arguments.
static void note_independent(Eval *ev, const Jit *j, const List *results) {
  const IrValue *used = NULL;
  for (size_t i = 0; i < j->placed.count; i++)
    if (j->placed.items[i]->use_count) used = j->placed.items[i];
  if (!used) return;
  for (size_t i = 0; i < results->count; i++) {
    const Array *a = (const Array *)results->items[i].o;
    if (value_is_array(ev, results->items[i]) && a->ir) placement_note_beside(ev, a->ir, used);
  }
}

// ---- calls that are kept ------------------------------------------------------------------------
static bool is_static(const Jit *j, size_t i) { return i < 64 && (j->static_args >> i & 1); }

// The data of an argument as the program takes it; NULL if it has none. Of what has a type alone, a
// header without elements.
static NdArray *argument_data(Eval *ev, Value v, bool is_lowered) {
  Aval aval;
  v = complex_as_array(ev, v);
  if (value_is_compound(ev, v)) v = v_object(compound_data(ev, v));
  if (!value_is_arraylike(ev, v))
    return is_lowered && value_aval(ev, v, true, &aval)
               ? nd_over(ev, aval.dtype, (size_t)aval.rank, aval.dims, NULL)
               : NULL;
  if (value_is_nd(ev, v)) { // read before the program goes on, so as it is if it can be
    NdArray *nd = (NdArray *)v.o;
    bool is_ready = nd_is_contiguous(nd) && canonical_dtype(ev, nd->dtype) == nd->dtype;
    return is_ready ? nd : array_snapshot(ev, nd);
  }
  NdArray *nd = array_concrete(ev, array_from(ev, v), "jit");
  return nd_is_contiguous(nd) && canonical_dtype(ev, nd->dtype) == nd->dtype ? nd : NULL;
}

// Sorts the arguments into static ones and arrays, in the order in which run_jit takes them. NULL
// if the call cannot be kept.
static Kept *describe_call(Eval *ev, const Jit *j) {
  Kept *kept = ARENA_NEW(ev->arena, Kept);
  List *dynamic = list_new(ev, 4), *leaves = list_new(ev, 8);
  *kept = (Kept){.static_args = j->static_args, .statics = list_new(ev, 4)};
  for (size_t i = 0; i < j->args->count; i++)
    list_push(ev, is_static(j, i) ? kept->statics : dynamic, j->args->items[i]);
  DictEntry *entry;
  for (size_t it = 0; dict_next(j->kwargs, &it, &entry);) {
    Str name = take_str(ev, entry->key, "a keyword");
    bool fixed = is_static_name(j, name_intern(ev->session->interner, name));
    list_push(ev, kept->statics, entry->key);
    list_push(ev, fixed ? kept->statics : dynamic, entry->value);
  }
  Leaves *arrays = &kept->arrays;
  arrays->tree = pytree_flatten(ev, v_object(dynamic), v_none(), leaves);
  arrays->count = leaves->count;
  arrays->values = leaves->items;
  arrays->leaves = ARENA_ARRAY(ev->arena, Leaf, leaves->count);
  kept->data = ARENA_ARRAY(ev->arena, NdArray *, leaves->count);
  kept->placements = ARENA_ARRAY(ev->arena, Placement *, leaves->count);
  for (size_t i = 0; i < leaves->count; i++) {
    kept->placements[i] = placement_of(ev, leaves->items[i]);
    kept->data[i] = argument_data(ev, leaves->items[i], j->recording);
    if (!kept->data[i]) return NULL;
    if (value_is_complex(ev, leaves->items[i]) ||
        !value_aval(ev, leaves->items[i], true, &arrays->leaves[i].aval))
      leaf_describe(ev, leaves->items[i], "jit", &arrays->leaves[i]);
  }
  return kept;
}

static bool same_placements(Eval *ev, const Kept *a, const Kept *b) {
  for (size_t i = 0; i < a->arrays.count; i++)
    if (!placement_equal(ev, a->placements[i], b->placements[i])) return false;
  return true;
}

static bool same_leaf(const Leaf *a, const Leaf *b) {
  if (a->impl != b->impl || a->aval.dtype != b->aval.dtype || a->aval.weak != b->aval.weak ||
      a->aval.rank != b->aval.rank)
    return false;
  for (int i = 0; i < a->aval.rank; i++)
    if (a->aval.dims[i] != b->aval.dims[i]) return false;
  return true;
}

static bool same_call(Eval *ev, const Kept *a, const Kept *b) {
  if (a->static_args != b->static_args || a->statics->count != b->statics->count ||
      a->arrays.count != b->arrays.count)
    return false;
  for (size_t i = 0; i < a->arrays.count; i++)
    if (!same_leaf(&a->arrays.leaves[i], &b->arrays.leaves[i])) return false;
  for (size_t i = 0; i < a->statics->count; i++) {
    Value x = a->statics->items[i], y = b->statics->items[i];
    if (value_type(ev, x) != value_type(ev, y) || !value_equal(ev, x, y)) return false;
  }
  return pytree_equal(ev, a->arrays.tree, b->arrays.tree) && same_placements(ev, a, b);
}

// What is kept of a function's calls, as long as somebody else has the function.
typedef struct KeptCalls {
  ArenaWeak *fun;
  Kept *first;
} KeptCalls;

// No address to the collector.
static const void *hidden(const void *fun) { return (const void *)~(uintptr_t)fun; }

static KeptCalls *calls_of_function(const Eval *ev, const void *fun) {
  const Map *all = ev->trace->jit_calls;
  KeptCalls *calls = all ? map_get(all, hidden(fun)) : NULL;
  return calls && calls->fun->object ? calls : NULL; // else another one was there before
}

// Of those that are gone.
static void drop_calls(Map *all) {
  const void *key;
  void *calls;
  for (size_t it = 0; map_next(all, &it, &key, &calls);)
    if (!((const KeptCalls *)calls)->fun->object) map_remove(all, key);
}

static KeptCalls *new_calls(Eval *ev, Object *fun) {
  TraceState *t = ev->trace;
  if (!t->jit_calls) t->jit_calls = map_new(ev->arena);
  size_t collections = arena_use(ev->arena).collections;
  if (collections != t->jit_collections) drop_calls(t->jit_calls);
  t->jit_collections = collections;
  KeptCalls *calls = ARENA_NEW(ev->arena, KeptCalls);
  calls->fun = arena_weak(ev->arena, fun);
  map_set(t->jit_calls, hidden(fun), calls);
  return calls;
}

static void keep(Eval *ev, const Jit *j, Kept *kept) {
  KeptCalls *calls = calls_of_function(ev, j->fun.o);
  if (!calls) calls = new_calls(ev, j->fun.o);
  kept->arrays.values = NULL;
  kept->data = NULL;
  kept->next = calls->first;
  calls->first = kept;
  for (size_t count = 1; kept; kept = kept->next)
    if (count++ == EAGER_MOST_CODE) kept->next = NULL;
}

// Runs what has been recorded for the call, and keeps it.
static void finish_call(Eval *ev, const Jit *j, PyTree *tree, const List *leaves) {
  Kept *kept = j->kept;
  Array **arrays = ARENA_ARRAY(ev->arena, Array *, leaves->count);
  size_t *outputs = ARENA_ARRAY(ev->arena, size_t, leaves->count);
  for (size_t i = 0; i < leaves->count; i++) {
    Value v = leaves->items[i];
    if (value_is_ref(ev, v)) return;
    arrays[i] = value_is_compound(ev, v) ? compound_data(ev, v) : (Array *)v.o;
  }
  kept->program = eager_program_end(ev, leaves->count, arrays, outputs, j->recording != NULL);
  if (!kept->program) return;
  kept->tree = tree;
  kept->result_count = leaves->count;
  kept->results = ARENA_ARRAY(ev->arena, KeptResult, leaves->count);
  for (size_t i = 0; i < leaves->count; i++) {
    Value v = leaves->items[i];
    KeptResult *r = &kept->results[i];
    *r = (KeptResult){.known = outputs[i] == SIZE_MAX ? v : v_unbound(), .output = outputs[i]};
    r->weak = arrays[i]->aval.weak;
    r->placement = arrays[i]->placement;
    r->impl = value_is_compound(ev, v) ? compound_kind(ev, v) : NULL;
  }
  keep(ev, j, kept);
}

static bool call_again(Eval *ev, const Kept *call, const Kept *kept, Value *result) {
  NdArray **outputs = ARENA_ARRAY(ev->arena, NdArray *, kept->program->output_count);
  if (!eager_program_again(ev, kept->program, call->data, outputs)) return false;
  Value *values = ARENA_ARRAY(ev->arena, Value, kept->result_count);
  for (size_t i = 0; i < kept->result_count; i++) {
    const KeptResult *r = &kept->results[i];
    if (r->known.kind != V_UNBOUND) {
      values[i] = again(ev, r->known);
      continue;
    }
    values[i] = array_from_nd(ev, outputs[r->output], r->weak);
    ((Array *)values[i].o)->placement = r->placement;
    if (r->impl) values[i] = compound_new(ev, (Array *)values[i].o, r->impl);
  }
  *result = pytree_unflatten(ev, kept->tree, kept->result_count, values);
  return true;
}

static const Kept *first_kept(const Eval *ev, const Jit *j) {
  const KeptCalls *calls = calls_of_function(ev, j->fun.o);
  return calls ? calls->first : NULL;
}

static bool is_known(Eval *ev, const Jit *j) {
  for (const Kept *known = first_kept(ev, j); known; known = known->next)
    if (same_call(ev, j->kept, known)) return true;
  return false;
}

// Whether the call has been made before and could be repeated. Else j->kept is set if this one may
// be kept.
static bool find_call(Eval *ev, Jit *j, Value *result) {
  if (j->fun.kind != V_OBJECT || !eager_program_begin(ev)) return false;
  Kept *call = describe_call(ev, j);
  if (!call) return false;
  for (const Kept *known = first_kept(ev, j); known; known = known->next)
    if (same_call(ev, call, known) && call_again(ev, call, known, result)) return true;
  j->kept = call;
  return false;
}

static Jit call_of(Eval *ev, Value *a) { // fun, args, kwargs, static_argnums, static_argnames
  pending_settle(ev);
  Jit j = {.fun = a[0],
           .args = value_as_tuple(a[1]),
           .kwargs = value_as_dict(a[2]),
           .static_names = value_to_tuple(ev, a[4]),
           .result = v_none()};
  Tuple *nums = value_to_tuple(ev, a[3]);
  for (size_t i = 0; i < nums->count; i++) {
    int64_t n = take_int(ev, nums->items[i], "static_argnums");
    if (n < 0) n += (int64_t)j.args->count;
    if (n >= 0 && n < 64) j.static_args |= 1ull << n;
  }
  return j;
}

static Value make_call(Eval *ev, Jit j, bool is_alone) {
  LevelScope scope;
  Value exception;
  level_enter(ev, &scope, LEVEL_INLINE, NULL);
  bool ok = eval_try(ev, run_jit, &j, &exception);
  level_leave(ev, &scope);
  if (!ok) {
    if (is_alone) eager_abandon(ev); // what it has done so far was traced, and never happens
    eval_raise_value(ev, exception);
  }
  List *leaves = j.leaves;
  for (size_t i = 0; i < leaves->count; i++)
    leaves->items[i] = relevel(ev, leaves->items[i], scope.level, callable_name(ev, j.fun));
  if (!j.recording) note_independent(ev, &j, leaves);
  if (j.kept) finish_call(ev, &j, j.tree, leaves);
  if (ev->options.strict_tpu) pending_settle(ev); // a refusal is of this call
  return pytree_unflatten(ev, j.tree, leaves->count, leaves->items);
}

static Value native_jit_call(Eval *ev, Value *a) {
  Jit j = call_of(ev, a);
  Value known;
  bool is_alone = eager_is_idle(ev);
  if (find_call(ev, &j, &known)) return known;
  return make_call(ev, j, is_alone);
}

// The function itself is called where a call of it cannot be kept, where what has been recorded has
// refs, which it would end, and under check, which is not to be given results that nobody looks at.
static Value native_call_if_kept(Eval *ev, Value *a) {
  const Tuple *args = value_as_tuple(a[1]);
  if (trace_seeks_races(ev) || ev->trace->arrays->run_refs.count)
    return value_call_n(ev, a[0], args->count, args->items);
  Jit j = call_of(ev, a);
  Value known;
  if (find_call(ev, &j, &known)) return known;
  if (j.kept) return make_call(ev, j, true);
  return value_call_n(ev, j.fun, args->count, args->items);
}

// ---- calls that are lowered ---------------------------------------------------------------------
static void record_jit(Eval *ev, void *data) {
  Jit *j = data;
  const char *what = callable_name(ev, j->fun);
  run_jit(ev, j);
  for (size_t i = 0; i < j->leaves->count; i++) check_result(ev, j->leaves->items[i], what);
  recording_note(ev, j->recording, j->result, what);
}

// What was recorded becomes a program that calls find: it is compiled, and not run.
static void keep_recorded(Eval *ev, const Jit *j) {
  const Recording *r = j->recording;
  IrRegion *pending = ev->trace->builder.region;
  for (size_t i = 0; i < r->region->arg_count; i++) {
    IrValue *argument = eager_program_argument(ev, j->kept->data[i]);
    for (size_t k = 0; k < r->count; k++)
      if (r->values[k] == r->region->args[i]) r->values[k] = argument;
    ir_replace_uses(r->region, r->region->args[i], argument);
  }
  while (r->region->first) ir_op_move(r->region->first, pending, NULL);
  List *results = list_new(ev, r->count);
  for (size_t i = 0; i < r->count; i++) {
    Value v = leaf_wrap(ev, r->values[i], &r->leaves[i]);
    if (value_is_array(ev, v)) ((Array *)v.o)->placement = r->placements[i];
    list_push(ev, results, v);
  }
  finish_call(ev, j, r->tree, results);
}

// The account of the call (recording.h), which is traced and, if it is to be kept and can be,
// compiled.
static Value native_lower(Eval *ev, Value *a) { // as call, is_kept
  Recording recording = {.has_values = true};
  Jit j = call_of(ev, a);
  j.recording = &recording;
  bool can_keep = value_truth(ev, a[5]) && j.fun.kind == V_OBJECT && eager_program_begin(ev);
  recording_trace(ev, &recording, record_jit, &j);
  Value account = recording_account(ev, &recording);
  if (can_keep) j.kept = describe_call(ev, &j);
  if (j.kept && j.kept->arrays.count == recording.region->arg_count && !is_known(ev, &j))
    keep_recorded(ev, &j);
  else
    region_discard(recording.region);
  return account;
}

// How many devices the program has, unless the command line says so already; 0: one.
static Value native_use_devices(Eval *ev, Value *a) {
  int64_t count = take_int(ev, a[0], "the number of devices");
  if (count > MAX_DEVICES)
    eval_raise(ev, ev->types.ValueError, "%lld devices are too many: at most %d", (long long)count,
               MAX_DEVICES);
  if (count > 0 && ev->options.devices == 0) eager_use_devices(ev, (int)count);
  return v_none();
}

// Runs what is pending: SystemExit if that fails.
static Value native_finish(Eval *ev, Value *a UNUSED) {
  eager_flush(ev);
  return v_none();
}

// For a runner of tests: what an exception that it has caught would tell if nobody had, is at
// fault.
static Value native_report(Eval *ev, Value *a) {
  exception_report_aside(ev, a[0]);
  return v_none();
}

// For a runner of tests: what was at fault in runs since the last call, and what was warned
// of, each as a line, a text and whether it is a warning.
static Value native_faults(Eval *ev, Value *a UNUSED) {
  EagerFault *faults;
  size_t count = eager_faults(ev, &faults);
  Value *items = ARENA_ARRAY(ev->arena, Value, count + 1);
  for (size_t i = 0; i < count; i++)
    items[i] = make_tuple(ev, 3,
                          (Value[]){make_str(ev, faults[i].line), make_str(ev, faults[i].text),
                                    v_bool(faults[i].is_warning)});
  return make_tuple(ev, count, items);
}

// How many calls of a function are kept.
static Value native_kept_count(Eval *ev, Value *a) {
  int64_t count = 0;
  for (const Kept *kept = first_kept(ev, &(Jit){.fun = a[0]}); kept; kept = kept->next) count++;
  return v_int(count);
}

static Value native_forget(Eval *ev, Value *a) {
  KeptCalls *calls = calls_of_function(ev, a[0].o);
  if (calls) calls->first = NULL;
  return v_none();
}

static const NativeDef natives[] = {
    {"kept_count(fun)", native_kept_count},
    {"forget(fun)", native_forget},
    {"finish()", native_finish},
    {"faults()", native_faults},
    {"report(exception)", native_report},
    {"call(fun, args, kwargs, static_argnums, static_argnames)", native_jit_call},
    {"call_if_kept(fun, args, kwargs, static_argnums, static_argnames)", native_call_if_kept},
    {"lower(fun, args, kwargs, static_argnums, static_argnames, is_kept)", native_lower},
    {"use_devices(count)", native_use_devices},
    {NULL, NULL},
};

const ModuleDef module_jit_primitives = {.name = "_jit", .functions = natives};
