// SPDX-License-Identifier: Apache-2.0
// lax.cond, switch, fori_loop, while_loop, scan: bodies are traced into regions; what they carry
// must keep its types.
#include "base/buf.h"
#include "base/checked.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "body_call.h"
#include "control.h"
#include "flight.h"
#include "python/modules/module.h"
#include "jax/array/scalar_type.h"
#include "pytree_leaves.h"
#include "jax/array/ref.h"
#include "jax/trace/chip_rule.h"
#include "jax/trace/frozen.h"
#include "jax/trace/pending.h"
#include "pytree.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/values/suggest.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "jax/array/array.h"
#include "jax/array/array_data.h"
#include "jax/array/array_names.h"
#include "jax/array/promote.h"
#include "jax/array/varying.h"
#include "jax/ops/natives.h"
#include <string.h>

// A loop's body, of errors: what it is, and whether it is fori_loop's, whose index is carried, too.
typedef struct Body {
  const char *what;
  Value f;
  bool counts;
} Body;

// ---- comparing what a body returns with what it was given ---------------------------------------
static bool same_type(const Leaf *a, const Leaf *b) {
  return a->impl == b->impl && a->aval.dtype == b->aval.dtype && a->aval.rank == b->aval.rank &&
         memcmp(a->aval.dims, b->aval.dims, a->aval.rank * sizeof *a->aval.dims) == 0;
}

static const char *difference(Str a, Str b) { // of two types as texts: f32[2,3]
  const char *at = memchr(a.data, '[', a.len), *bt = memchr(b.data, '[', b.len);
  size_t an = at ? (size_t)(at - a.data) : a.len, bn = bt ? (size_t)(bt - b.data) : b.len;
  bool dtypes = an != bn || memcmp(a.data, b.data, an) != 0;
  bool shapes = a.len - an != b.len - bn || memcmp(a.data + an, b.data + bn, a.len - an) != 0;
  return shapes && dtypes ? "dtypes and shapes do not match"
         : shapes         ? "shapes do not match"
                          : "dtypes do not match";
}

// What may be the matter with a while_loop whose body gives a truth, and its carry is none.
static const char *order_hint(const char *what, const Leaves *in, const Leaves *out) {
  bool is_test = strcmp(what, "while_loop body") == 0 && out->tree->kind == NODE_LEAF &&
                 out->count == 1 && !out->leaves[0].aval.rank &&
                 out->leaves[0].aval.dtype == DT_BOOL;
  return is_test && (in->count != 1 || in->leaves[0].aval.dtype != DT_BOOL)
             ? "the condition comes first: lax.while_loop(cond_fun, body_fun, init_val)"
             : "";
}

// What _structure.pk says of a mismatch: the function's text of these arguments.
static Str mismatch_text(Eval *ev, const char *function, size_t count, const Value *args) {
  Str text = {0};
  value_as_str(value_call_n(ev, module_lookup(ev, "jax._structure", function), count, args), &text);
  return text;
}

// The tree with something in the place of each leaf.
static Value tree_shape(Eval *ev, const PyTree *tree) {
  Value *leaves = ARENA_ARRAY(ev->arena, Value, tree->leaf_count);
  for (size_t i = 0; i < tree->leaf_count; i++) leaves[i] = v_int(0);
  return pytree_unflatten(ev, tree, tree->leaf_count, leaves);
}

// For each leaf whose types differ: its path, both types, and how they do.
static List *type_mismatches(Eval *ev, const Leaves *a, const Leaves *b) {
  List *rows = list_new(ev, 4);
  for (size_t i = 0; i < a->count; i++) {
    if (same_type(&a->leaves[i], &b->leaves[i])) continue;
    Str in = leaf_text(ev, &a->leaves[i]), out = leaf_text(ev, &b->leaves[i]);
    Value row[4] = {make_str(ev, leaves_path(ev, a, i)), make_str(ev, in), make_str(ev, out),
                    make_str_c(ev, difference(in, out))};
    list_push(ev, rows, make_tuple(ev, 4, row));
  }
  return rows;
}

static NORETURN void raise_carry(Eval *ev, const Body *body, const Leaves *in, const Leaves *out,
                                 Str text) {
  raise_hinted(ev, ev->types.TypeError, order_hint(body->what, in, out), "%.*s", STR_FMT(text));
}

static void check_structure(Eval *ev, const Body *body, const Leaves *in, const Leaves *out) {
  if (pytree_equal(ev, in->tree, out->tree)) return;
  Value args[] = {make_str_c(ev, body->what), body->f, v_bool(body->counts),
                  tree_shape(ev, in->tree), tree_shape(ev, out->tree)};
  raise_carry(ev, body, in, out, mismatch_text(ev, "carry_structure", COUNT_OF(args), args));
}

// Semaphores that the body made take the place of those that went in: a count stays where it is.
static bool merge_semaphores(IrValue *in, IrValue *out, const IrRegion *body) {
  if (in->type->space != SPACE_SEM || in->type != out->type) return false;
  if (!out->def || out->def->code != OP_ALLOC || !ir_op_in(out->def, body)) return false;
  ir_replace_uses(out->def->parent, out, in);
  ir_op_remove(out->def);
  return true;
}

// A Ref that goes round a loop is one and the same: memory does not move.
static void check_refs(Eval *ev, const char *what, const Leaves *in, Leaves *out,
                       const IrRegion *body) {
  for (size_t i = 0; i < in->tree->leaf_count; i++) {
    Value a = in->refs[i], b = out->refs[i];
    if (v_is_unbound(a) ? v_is_unbound(b) : !v_is_unbound(b) && ref_ir(ev, a) == ref_ir(ev, b))
      continue;
    if (!v_is_unbound(a) && !v_is_unbound(b) &&
        merge_semaphores(ref_ir(ev, a), ref_ir(ev, b), body)) {
      out->refs[i] = a;
      continue;
    }
    Str path = pytree_leaf_path(ev, in->tree, i);
    eval_raise(ev, ev->types.TypeError,
               "%s: the Ref%s%.*s must come out of the function as it went in", what,
               path.len ? " at " : "", STR_FMT(path));
  }
}

static void check_carry(Eval *ev, const Body *body, const Leaves *in, Leaves *out,
                        const IrRegion *region) {
  check_structure(ev, body, in, out);
  check_refs(ev, body->what, in, out, region);
  List *rows = type_mismatches(ev, in, out);
  if (!rows->count) return;
  Value args[] = {make_str_c(ev, body->what), body->f, v_bool(body->counts), v_object(rows)};
  raise_carry(ev, body, in, out, mismatch_text(ev, "carry_types", COUNT_OF(args), args));
}

// Weakly typed inputs whose type differs from the output's take the type both meet in, and are no
// longer weak: then the body must be traced again. True if one did.
static bool promote_weak(Eval *ev, Leaves *in, const Leaves *out) {
  bool changed = false;
  if (in->count != out->count || !pytree_equal(ev, in->tree, out->tree)) return false;
  for (size_t i = 0; i < in->count; i++) {
    Aval *a = &in->leaves[i].aval;
    const Aval *b = &out->leaves[i].aval;
    if (!a->weak || a->dtype == b->dtype || in->leaves[i].impl || out->leaves[i].impl) continue;
    bool weak;
    DType dtype = promote_dtypes(ev, a->dtype, a->weak, b->dtype, b->weak, &weak);
    if (dtype == DT_COUNT || dtype == a->dtype) continue;
    a->dtype = dtype;
    a->weak = false;
    changed = true;
  }
  return changed;
}

static IrValue **initial_values(Eval *ev, const Leaves *carry) {
  IrValue **values = ARENA_ARRAY(ev->arena, IrValue *, carry->count);
  for (size_t i = 0; i < carry->count; i++)
    values[i] = leaf_ir(ev, carry->values[i], carry->leaves[i].aval.dtype);
  return values;
}

// Values as the tree that the body takes.
static Value carried(Eval *ev, const Leaves *carry, IrValue *const *from) {
  Value *values = ARENA_ARRAY(ev->arena, Value, carry->count);
  for (size_t i = 0; i < carry->count; i++) values[i] = leaf_wrap(ev, from[i], &carry->leaves[i]);
  return leaves_unflatten(ev, carry, values);
}

static void add_carry_args(Eval *ev, const Leaves *carry, IrRegion *region) {
  for (size_t i = 0; i < carry->count; i++)
    ir_region_add_arg(region, leaf_type(ev, &carry->leaves[i]), NULL);
}

// ---- loops that count ---------------------------------------------------------------------------
// What a for loop runs: fori_loop's body, or scan's.
typedef struct Counted {
  const char *what; // "scan body" in errors
  Value f;
  bool is_scan;
  Leaves carry; // types as the region takes them
  Leaves xs;    // scan: sliced along their first dimension
  int64_t length;
  bool reverse;
  DType index_dtype; // fori_loop: of the index the body sees
  bool index_weak;
  IrValue *first; // of it, where that is added to the loop's own index; or NULL
  // results of tracing
  Leaves out;
  Leaves ys;
  IrRegion *region;
} Counted;

static Value loop_index(Eval *ev, const Counted *c) {
  IrValue *i = c->region->args[0];
  i = ir_convert(trace_builder(ev), i, c->index_dtype);
  if (c->first) i = ir_binary(trace_builder(ev), OP_ADD, c->first, i);
  return array_new(ev, i, c->index_weak);
}

// Where iteration i of a scan stands in xs and ys.
static IrValue *scan_place(Eval *ev, const Counted *c) {
  IrValue *i = c->region->args[0];
  IrBuilder *b = trace_builder(ev);
  return c->reverse ? ir_binary(b, OP_SUB, ir_i32(b, (int32_t)(c->length - 1)), i) : i;
}

static Value slice_of_xs(Eval *ev, const Counted *c) {
  Value *values = ARENA_ARRAY(ev->arena, Value, c->xs.count);
  IrValue *place = c->xs.count ? scan_place(ev, c) : NULL;
  for (size_t k = 0; k < c->xs.count; k++) {
    Leaf leaf = c->xs.leaves[k];
    IrValue *starts[IR_MAX_RANK], *x = leaf_ir(ev, c->xs.values[k], DT_COUNT);
    int64_t sizes[IR_MAX_RANK];
    IrBuilder *b = trace_builder(ev);
    memcpy(sizes, x->type->dims, sizeof sizes);
    for (int d = 0; d < x->type->rank; d++) starts[d] = d ? ir_i32(b, 0) : place;
    sizes[0] = 1;
    IrValue *part =
        x->type->dims[0]
            ? ir_dynamic_slice(b, x, starts, sizes)
            : ir_const_i64(b, ir_type_with_dims(trace_module(ev), x->type, x->type->rank, sizes),
                           0);
    part = ir_reshape(b, part, x->type->rank - 1u, sizes + 1);
    values[k] = leaf_wrap(ev, part, &leaf);
  }
  return pytree_unflatten(ev, c->xs.tree, c->xs.count, values);
}

static void take_scan_pair(Eval *ev, Value result, Value *carry, Value *ys) {
  Tuple *pair = value_as_tuple(result);
  List *list = pair ? NULL : value_as_list(result);
  if (!(pair && pair->count == 2) && !(list && list->count == 2)) {
    Aval aval;
    Str got =
        value_aval(ev, result, false, &aval) ? aval_text(ev->arena, &aval) : value_repr(ev, result);
    eval_raise(ev, ev->types.TypeError, "scan body output must be a pair, got %.*s.", STR_FMT(got));
  }
  *carry = pair ? pair->items[0] : list->items[0];
  *ys = pair ? pair->items[1] : list->items[1];
}

static const char gets_index[] =
    "the body of fori_loop gets the index and the carry, and gives the next carry";
static const char gets_carry[] =
    "cond_fun and body_fun of while_loop get the carry alone, a tuple if it has several parts";

// Runs the body once, in its region. Values of the results stay usable: they are of this level.
static void trace_counted(Eval *ev, void *data) {
  Counted *c = data;
  Value args[2], result, carry, ys = v_none();
  if (c->is_scan) {
    args[0] = carried(ev, &c->carry, c->region->args + 1);
    args[1] = slice_of_xs(ev, c);
    result = body_call(ev, c->f, 2, args, "the body of scan gets the carry and a slice of xs");
    take_scan_pair(ev, result, &carry, &ys);
  } else {
    args[0] = loop_index(ev, c);
    args[1] = carried(ev, &c->carry, c->region->args + 1);
    carry = body_call(ev, c->f, 2, args, gets_index);
  }
  leaves_flatten_refs(ev, carry, c->what, &c->out);
  leaves_flatten(ev, ys, c->what, &c->ys);
}

// Stacks one result of a scan's body: an array carried through the loop, written at this
// iteration's place.
static IrValue *stack_result(Eval *ev, const Counted *c, size_t k, IrValue *all) {
  IrValue *y = leaf_ir(ev, c->ys.values[k], DT_COUNT), *starts[IR_MAX_RANK];
  int64_t dims[IR_MAX_RANK];
  IrBuilder *b = trace_builder(ev);
  dims[0] = 1;
  memcpy(dims + 1, y->type->dims, (IR_MAX_RANK - 1) * sizeof *dims);
  y = ir_reshape(b, y, y->type->rank + 1u, dims);
  IrValue *place = scan_place(ev, c);
  for (int d = 0; d < y->type->rank; d++) starts[d] = d ? ir_i32(b, 0) : place;
  return ir_dynamic_update_slice(b, all, y, starts);
}

static const IrType *stacked_type(Eval *ev, const Counted *c, size_t k) {
  const Aval *y = &c->ys.leaves[k].aval;
  int64_t dims[IR_MAX_RANK];
  if (y->rank + 1 > IR_MAX_RANK)
    eval_raise(ev, ev->types.ValueError, "scan: a result has too many dimensions");
  dims[0] = c->length;
  memcpy(dims + 1, y->dims, y->rank * sizeof *dims);
  return array_type_checked(ev, y->dtype, y->rank + 1u, dims);
}

// The body's end: the carries, then the stacked results.
static void finish_counted(Eval *ev, void *data) {
  Counted *c = data;
  size_t carries = c->carry.count;
  IrValue **yields = ARENA_ARRAY(ev->arena, IrValue *, carries + c->ys.count);
  for (size_t i = 0; i < carries; i++)
    yields[i] = leaf_ir(ev, c->out.values[i], c->carry.leaves[i].aval.dtype);
  for (size_t k = 0; k < c->ys.count && c->length; k++) {
    IrValue *all = ir_region_add_arg(c->region, stacked_type(ev, c, k), NULL);
    yields[carries + k] = stack_result(ev, c, k, all);
  }
  ir_yield(trace_builder(ev), carries + (c->length ? c->ys.count : 0), yields);
}

static void trace_and_finish(Eval *ev, void *data) {
  Counted *c = data;
  trace_counted(ev, c);
  if (promote_weak(ev, &c->carry, &c->out)) return; // traced again
  Body body = {c->what, c->f, !c->is_scan};
  check_carry(ev, &body, &c->carry, &c->out, c->region);
  flight_land(ev, &c->out, c->is_scan ? "scan" : "fori_loop");
  finish_counted(ev, c);
}

static void trace_loop(Eval *ev, Counted *c) {
  do {
    c->region = region_begin(ev);
    ir_region_add_arg(c->region, array_type_checked(ev, DT_I32, 0, NULL), NULL);
    add_carry_args(ev, &c->carry, c->region);
    region_trace(ev, trace_and_finish, c, c->region);
    bool complete = c->region->last && c->region->last->code == OP_YIELD;
    if (complete) return;
    region_discard(c->region);
  } while (true);
}

static IrOp *build_loop(Eval *ev, Counted *c, IrValue *lower, IrValue *upper, int64_t unroll) {
  size_t carries = c->carry.count, stacked = c->length ? c->ys.count : 0;
  size_t count = 3 + carries + stacked;
  IrValue **operands = ARENA_ARRAY(ev->arena, IrValue *, count);
  const IrType **types = ARENA_ARRAY(ev->arena, const IrType *, count);
  IrValue **init = initial_values(ev, &c->carry);
  IrBuilder *b = trace_builder(ev);
  operands[0] = lower;
  operands[1] = upper;
  operands[2] = ir_i32(b, 1);
  for (size_t i = 0; i < carries; i++) operands[3 + i] = init[i];
  for (size_t k = 0; k < stacked; k++) {
    operands[3 + carries + k] = ir_const_i64(b, stacked_type(ev, c, k), 0);
    varying_room(ev, operands[3 + carries + k]);
  }
  for (size_t i = 0; i < carries + stacked; i++) types[i] = operands[3 + i]->type;
  IrOp *op = ir_build(b, OP_FOR, count, operands, carries + stacked, types);
  ir_set_int(b->module, op, ATTR_PARALLEL, 0);
  ir_set_int(b->module, op, ATTR_UNROLL, unroll);
  region_attach(ev, op, c->region);
  return op;
}

static int64_t take_unroll(Eval *ev, Value v, int64_t trips) {
  if (v_is_none(v)) return 1;
  if (v.kind == V_BOOL) return v.i && trips > 0 ? trips : 1;
  int64_t n = take_int(ev, v, "unroll");
  if (n < 0)
    eval_raise(ev, ev->types.ValueError, "`unroll` must be a `bool` or a non-negative `int`.");
  return n < 1 ? 1 : n;
}

// The bounds of the loop of the IR, which counts in i32. Known ones beyond that are counted from 0
// on.
static void loop_bounds(Eval *ev, Value first, Value last, Counted *c, IrValue **lo, IrValue **hi) {
  int64_t start = 0, end = 0;
  bool known = known_int(ev, first, &start) && known_int(ev, last, &end);
  bool is_far =
      known && (start < INT32_MIN || start > INT32_MAX || end < INT32_MIN || end > INT32_MAX);
  if (!is_far) {
    *lo = known ? ir_i32(trace_builder(ev), (int32_t)start) : array_ir_cast(ev, first, DT_I32);
    *hi = known ? ir_i32(trace_builder(ev), (int32_t)end) : array_ir_cast(ev, last, DT_I32);
    return;
  }
  c->first = array_ir_cast(ev, first, c->index_dtype);
  *lo = ir_i32(trace_builder(ev), 0);
  *hi = ir_i32(trace_builder(ev), (int32_t)(end > start ? end - start : 0));
}

// ---- loops written out --------------------------------------------------------------------------
static Value write_out(Eval *ev, const Counted *c, Value carry, int64_t first, int64_t last) {
  for (int64_t i = first; i < last; i++) {
    const IrType *type = ir_array_type(trace_module(ev), c->index_dtype, 0, NULL);
    Value args[2] = {array_new(ev, ir_const_i64(trace_builder(ev), type, i), c->index_weak), carry};
    carry = body_call(ev, c->f, 2, args, gets_index);
    Leaves out;
    leaves_flatten_refs(ev, carry, c->what, &out);
    check_structure(ev, &(Body){c->what, c->f, !c->is_scan}, &c->carry, &out);
  }
  return carry;
}

// ---- jax.disable_jit ----------------------------------------------------------------------------
static bool is_unjitted(Eval *ev) { return ev->trace->unjitted && !trace_in_kernel(ev); }

static bool is_any_traced(Eval *ev, Value tree) {
  List *leaves = list_new(ev, 4);
  pytree_flatten(ev, tree, v_none(), leaves);
  for (size_t i = 0; i < leaves->count; i++)
    if (value_is_traced(ev, leaves->items[i])) return true;
  return false;
}

static bool run_in_python(Eval *ev, const char *loop, Value *a, size_t count, Value *out) {
  const Tuple *made =
      value_as_tuple(value_call_n(ev, module_lookup(ev, "jax._unjitted", loop), count, a));
  if (made) *out = made->items[0];
  return made;
}

// If that is asked for and what the loop carries, argument `init`, is known.
static bool run_unjitted(Eval *ev, const char *loop, Value *a, size_t count, size_t init,
                         Value *out) {
  return is_unjitted(ev) && !is_any_traced(ev, a[init]) && run_in_python(ev, loop, a, count, out);
}

// How often a body is repeated is for loops whose trips are counted while they are traced.
static void refuse_unroll_of_traced(Eval *ev, Value lower, Value upper, Value unroll) {
  if (!value_is_traced(ev, lower) && !value_is_traced(ev, upper)) return;
  if (v_is_none(unroll) || unroll.kind == V_BOOL || (unroll.kind == V_INT && unroll.i == 1)) return;
  eval_raise(ev, ev->types.ValueError,
             "Can only use `unroll` in `fori_loop` if the loop bounds are statically known.");
}

NORETURN static void raise_unequal(Eval *ev, const Aval *lower, const Aval *upper) {
  eval_raise(ev, ev->types.TypeError,
             "lower and upper arguments to fori_loop must have equal types, got %s and %s",
             dtype_name(lower->dtype), dtype_name(upper->dtype));
}

// In JAX's words: it compares the counter with the bound in a condition.
static void check_bounds(Eval *ev, const Aval *lower, const Aval *upper) {
  const Aval *array = lower->rank ? lower : upper;
  bool is_whole = dtype_is_integer(lower->dtype) && dtype_is_integer(upper->dtype);
  Buf dims;
  buf_init(&dims, ev->arena);
  for (size_t i = 0; i < array->rank; i++)
    buf_printf(&dims, "%s%lld", i ? "," : "", (long long)array->dims[i]);
  if (array->rank)
    eval_raise(ev, ev->types.TypeError,
               "cond_fun must return a boolean scalar, but got output type(s) "
               "[ShapedArray(bool[%.*s])].",
               STR_FMT(buf_view(&dims)));
  if (!is_whole && lower->dtype != upper->dtype) raise_unequal(ev, lower, upper);
}

Value lax_fori_loop(Eval *ev, Value *a) { // lower, upper, body_fun, init_val, unroll
  pending_settle(ev);
  Aval lower, upper;
  take_aval(ev, "fori_loop", a[0], 0, &lower);
  take_aval(ev, "fori_loop", a[1], 1, &upper);
  if (!value_is_callable(ev, a[2]))
    eval_raise(ev, ev->types.TypeError, "lax.fori_loop: body_fun argument should be callable.");
  check_bounds(ev, &lower, &upper);
  if (!dtype_is_integer(lower.dtype) || !dtype_is_integer(upper.dtype))
    eval_raise(ev, ev->types.TypeError,
               "lower and upper arguments to fori_loop must be integer scalars, got %.*s and %.*s",
               STR_FMT(aval_text(ev->arena, &lower)), STR_FMT(aval_text(ev->arena, &upper)));
  bool weak;
  DType dtype = promote_or_raise(ev, lower.dtype, lower.weak, upper.dtype, upper.weak, &weak);
  if (lower.dtype != upper.dtype && !lower.weak && !upper.weak) raise_unequal(ev, &lower, &upper);
  Value out;
  if (!value_is_traced(ev, a[0]) && !value_is_traced(ev, a[1]) &&
      run_unjitted(ev, "fori_loop", a, 4, 3, &out))
    return out;
  int64_t first, last, trips = 0;
  bool known = known_int(ev, a[0], &first) && known_int(ev, a[1], &last);
  if (!known) refuse_unroll_of_traced(ev, a[0], a[1], a[4]);
  bool is_many = known && (sub_i64(last, first, &trips) ? trips > INT32_MAX : last > 0);
  // Loops of the IR count in i32.
  if (dtype_bits(dtype) == 64 && (!known || is_many)) {
    Value args[] = {a[0], a[1], a[2], a[3], a[4], v_bool(weak || known)};
    return value_call_n(ev, module_lookup(ev, "jax.lax", "_fori_in_chunks"), COUNT_OF(args), args);
  }
  if (is_many)
    eval_raise(ev, ev->types.NotImplementedError,
               "fori_loop: more than 2147483647 trips of a counter of 32 bits are not supported");
  Counted c = {.what = known ? "scan body" : "while_loop body",
               .f = a[2],
               .index_dtype = dtype,
               .index_weak = weak || known};
  leaves_flatten_refs(ev, a[3], "fori_loop", &c.carry);
  leaves_flatten(ev, v_none(), "fori_loop", &c.xs);
  if (flight_carried(ev, &c.carry) && known && trips <= MAX_TURNS_IN_FLIGHT)
    return write_out(ev, &c, a[3], first, last);
  flight_land(ev, &c.carry, "fori_loop");
  IrValue *lo, *hi;
  loop_bounds(ev, a[0], a[1], &c, &lo, &hi);
  trace_loop(ev, &c);
  IrOp *op = build_loop(ev, &c, lo, hi, take_unroll(ev, a[4], trips));
  return carried(ev, &c.out, op->results);
}

// A part of a loop of more trips: its index is `first` and what comes behind it.
Value lax_fori_from(Eval *ev, Value *a) { // first, trips, body_fun, init_val, unroll, weak
  Aval first;
  take_aval(ev, "fori_loop", a[0], 0, &first);
  Counted c = {.what = "while_loop body",
               .f = a[2],
               .index_dtype = first.dtype,
               .index_weak = value_truth(ev, a[5]),
               .first = array_ir_cast(ev, a[0], first.dtype)};
  leaves_flatten_refs(ev, a[3], "fori_loop", &c.carry);
  leaves_flatten(ev, v_none(), "fori_loop", &c.xs);
  trace_loop(ev, &c);
  IrValue *trips = array_ir_cast(ev, a[1], DT_I32);
  IrOp *op = build_loop(ev, &c, ir_i32(trace_builder(ev), 0), trips, take_unroll(ev, a[4], 0));
  return carried(ev, &c.out, op->results);
}

static void scan_length(Eval *ev, Counted *c, Value length) {
  c->length = -1;
  for (size_t k = 0; k < c->xs.count; k++) {
    const Aval *x = &c->xs.leaves[k].aval;
    if (x->rank == 0)
      eval_raise(ev, ev->types.ValueError,
                 "scan got value with no leading axis to scan over: %.*s.",
                 STR_FMT(value_repr(ev, c->xs.values[k])));
    if (c->length >= 0 && x->dims[0] != c->length)
      eval_raise(ev, ev->types.ValueError,
                 "scan got values with different leading axis sizes: %lld, %lld.",
                 (long long)c->length, (long long)x->dims[0]);
    c->length = x->dims[0];
  }
  if (v_is_none(length)) {
    if (c->length < 0)
      eval_raise(ev, ev->types.ValueError,
                 "scan got no values to scan over and `length` not provided.");
    return;
  }
  int64_t n = take_int(ev, length, "the `length` argument of scan");
  if (c->length >= 0 && n != c->length)
    eval_raise(ev, ev->types.ValueError,
               "scan got `length` argument of %lld which disagrees with leading axis sizes [%lld].",
               (long long)n, (long long)c->length);
  if (n < 0 || n > INT32_MAX)
    eval_raise(ev, ev->types.ValueError, "scan: the length %lld is out of range", (long long)n);
  c->length = n;
}

Value lax_scan(Eval *ev, Value *a) { // f, init, xs, length, reverse, unroll, _split_transpose
  pending_settle(ev);
  if (!value_is_callable(ev, a[0]))
    eval_raise(ev, ev->types.TypeError, "lax.scan: f argument should be a callable.");
  Value out;
  if (run_unjitted(ev, "scan", a, 5, 1, &out)) return out;
  Counted c = {.what = "scan body",
               .f = a[0],
               .is_scan = true,
               .reverse = take_bool(ev, a[4], "reverse"),
               .index_dtype = DT_I32};
  if (c.reverse)
    chip_refuses(ev, STR("a TPU's compiler has no scans from the end (reverse=True)"), STR(""));
  leaves_flatten_refs(ev, a[1], "scan", &c.carry);
  leaves_flatten(ev, a[2], "scan", &c.xs);
  for (size_t k = 0; k < c.xs.count; k++) // known data is brought in once, outside the loop
    if (!c.xs.leaves[k].impl)
      c.xs.values[k] =
          array_new(ev, leaf_ir(ev, c.xs.values[k], DT_COUNT), c.xs.leaves[k].aval.weak);
  scan_length(ev, &c, a[3]);
  if (flight_carried(ev, &c.carry) && c.length && c.length <= MAX_TURNS_IN_FLIGHT &&
      run_in_python(ev, "scan", a, 5, &out))
    return out;
  flight_land(ev, &c.carry, "scan");
  trace_loop(ev, &c);
  int64_t unroll = take_unroll(ev, a[5], c.length);
  IrBuilder *b = trace_builder(ev);
  IrOp *op = build_loop(ev, &c, ir_i32(b, 0), ir_i32(b, (int32_t)c.length), unroll);
  Value *ys = ARENA_ARRAY(ev->arena, Value, c.ys.count);
  for (size_t k = 0; k < c.ys.count; k++) {
    IrValue *all = c.length ? op->results[c.carry.count + k]
                            : ir_const_i64(trace_builder(ev), stacked_type(ev, &c, k), 0);
    ys[k] = leaf_wrap(ev, all, &c.ys.leaves[k]);
  }
  Value pair[2] = {carried(ev, &c.out, op->results),
                   pytree_unflatten(ev, c.ys.tree, c.ys.count, ys)};
  return make_tuple(ev, 2, pair);
}

// ---- while --------------------------------------------------------------------------------------
typedef struct While {
  Value cond, body;
  Leaves carry, out;
  IrRegion *region;
} While;

static void trace_while_body(Eval *ev, void *data) {
  While *w = data;
  Value carry = carried(ev, &w->carry, w->region->args);
  leaves_flatten_refs(ev, body_call(ev, w->body, 1, &carry, gets_carry), "while_loop body",
                      &w->out);
  if (promote_weak(ev, &w->carry, &w->out)) return;
  Body body = {"while_loop body", w->body, false};
  check_carry(ev, &body, &w->carry, &w->out, w->region);
  flight_land(ev, &w->out, "while_loop");
  IrValue **yields = ARENA_ARRAY(ev->arena, IrValue *, w->carry.count);
  for (size_t i = 0; i < w->carry.count; i++)
    yields[i] = leaf_ir(ev, w->out.values[i], w->carry.leaves[i].aval.dtype);
  ir_yield(trace_builder(ev), w->carry.count, yields);
}

static void trace_while_cond(Eval *ev, void *data) {
  While *w = data;
  Value carry = carried(ev, &w->carry, w->region->args);
  Value result = body_call(ev, w->cond, 1, &carry, gets_carry);
  Leaves out;
  leaves_flatten(ev, result, "while_loop cond_fun", &out);
  if (out.tree->kind != NODE_LEAF)
    eval_raise(ev, ev->types.TypeError,
               "cond_fun must return a boolean scalar, but got pytree %.*s.",
               STR_FMT(pytree_text(ev, out.tree)));
  if (out.leaves[0].aval.rank || out.leaves[0].aval.dtype != DT_BOOL)
    eval_raise(ev, ev->types.TypeError,
               "cond_fun must return a boolean scalar, but got output type(s) [%.*s].",
               STR_FMT(aval_repr(ev->arena, &out.leaves[0].aval)));
  IrValue *test = leaf_ir(ev, result, DT_COUNT);
  ir_yield(trace_builder(ev), 1, &test);
}

static IrRegion *while_region(Eval *ev, While *w, void (*trace)(Eval *, void *)) {
  w->region = region_begin(ev);
  add_carry_args(ev, &w->carry, w->region);
  return region_trace(ev, trace, w, w->region);
}

Value lax_while_loop(Eval *ev, Value *a) { // cond_fun, body_fun, init_val
  pending_settle(ev);
  if (!value_is_callable(ev, a[0]) || !value_is_callable(ev, a[1]))
    eval_raise(ev, ev->types.TypeError,
               "lax.while_loop: body_fun and cond_fun arguments should be callable.");
  Value out;
  if (run_unjitted(ev, "while_loop", a, 3, 2, &out)) return out;
  While w = {.cond = a[0], .body = a[1]};
  leaves_flatten_refs(ev, a[2], "while_loop", &w.carry);
  flight_land(ev, &w.carry, "while_loop");
  IrRegion *body;
  while (true) {
    body = while_region(ev, &w, trace_while_body);
    if (body->last && body->last->code == OP_YIELD) break;
    region_discard(body);
  }
  IrRegion *cond = while_region(ev, &w, trace_while_cond);
  IrValue **init = initial_values(ev, &w.carry);
  const IrType **types = ARENA_ARRAY(ev->arena, const IrType *, w.carry.count);
  for (size_t i = 0; i < w.carry.count; i++) types[i] = init[i]->type;
  IrOp *op = ir_build(trace_builder(ev), OP_WHILE, w.carry.count, init, w.carry.count, types);
  region_attach(ev, op, cond);
  region_attach(ev, op, body);
  return carried(ev, &w.out, op->results);
}

// ---- branches -----------------------------------------------------------------------------------
typedef struct Branches {
  const char *what; // "cond", "switch"
  size_t count;
  const Value *functions;
  const char *const *names; // for messages
  size_t operand_count;
  const Value *operands;
  Leaves *outs;
  IrRegion **regions;
  size_t current;
} Branches;

// Operands are traced values inside a branch, as in JAX: arrays become new ones of the region's
// level; refs pass as they are.
static Value branch_operand(Eval *ev, Value operand) {
  List *list = list_new(ev, 4);
  PyTree *tree = pytree_flatten(ev, operand, v_none(), list);
  Value *values = ARENA_ARRAY(ev->arena, Value, list->count);
  for (size_t i = 0; i < list->count; i++) {
    values[i] = list->items[i];
    if (value_is_ref(ev, values[i])) continue;
    Leaf leaf;
    leaf_describe(ev, values[i], "an operand", &leaf);
    values[i] = leaf_wrap(ev, leaf_ir(ev, values[i], DT_COUNT), &leaf);
  }
  return pytree_unflatten(ev, tree, list->count, values);
}

static void check_no_refs(Eval *ev, const Branches *s, const Leaves *out) {
  for (size_t i = 0; i < out->tree->leaf_count; i++)
    if (!v_is_unbound(out->refs[i]))
      eval_raise(ev, ev->types.ValueError,
                 "Cannot return `Ref`s from `%s`. %s returns one; the caller has it: use it there",
                 s->what, s->names[s->current]);
}

static void trace_branch(Eval *ev, void *data) {
  Branches *s = data;
  Value *args = ARENA_ARRAY(ev->arena, Value, s->operand_count);
  for (size_t i = 0; i < s->operand_count; i++) args[i] = branch_operand(ev, s->operands[i]);
  Value result = body_call(ev, s->functions[s->current], s->operand_count, args,
                           "each branch gets the operands, one argument each");
  Leaves *out = &s->outs[s->current];
  leaves_flatten_refs(ev, result, s->names[s->current], out);
  check_no_refs(ev, s, out);
  IrValue **values = ARENA_ARRAY(ev->arena, IrValue *, out->count);
  for (size_t i = 0; i < out->count; i++) values[i] = leaf_ir(ev, out->values[i], DT_COUNT);
  ir_yield(trace_builder(ev), out->count, values);
}

static void check_branches(Eval *ev, const Branches *s, size_t k) {
  const Leaves *first = &s->outs[0], *other = &s->outs[k];
  Value names[2] = {make_str_c(ev, s->names[0]), make_str_c(ev, s->names[k])};
  Value functions[2] = {s->functions[0], s->functions[k]};
  Value args[5] = {make_str_c(ev, s->what), make_tuple(ev, 2, names), make_tuple(ev, 2, functions)};
  List *rows;
  Str text;
  if (!pytree_equal(ev, first->tree, other->tree)) {
    args[3] = tree_shape(ev, first->tree);
    args[4] = tree_shape(ev, other->tree);
    text = mismatch_text(ev, "branch_structure", 5, args);
  } else if ((rows = type_mismatches(ev, first, other))->count) {
    args[3] = v_object(rows);
    text = mismatch_text(ev, "branch_types", 4, args);
  } else {
    return;
  }
  eval_raise(ev, ev->types.TypeError, "%.*s", STR_FMT(text));
}

static void trace_branches(Eval *ev, void *data) {
  Branches *s = data;
  const Map *before = frozen_before(ev);
  Map **ends = ARENA_ARRAY(ev->arena, Map *, s->count);
  for (s->current = 0; s->current < s->count; s->current++) {
    s->regions[s->current] = region_begin(ev);
    frozen_enter(ev, before);
    region_trace(ev, trace_branch, s, s->regions[s->current]);
    ends[s->current] = frozen_before(ev);
  }
  frozen_join(ev, before, ends, s->count);
}

static void discard_branches(const Branches *s) {
  for (size_t i = 0; i < s->count; i++)
    if (s->regions[i]) region_discard(s->regions[i]);
}

static void check_all_branches(Eval *ev, void *data) {
  const Branches *s = data;
  for (size_t k = 1; k < s->count; k++) check_branches(ev, s, k);
}

static void run_branches(Eval *ev, Branches *s) {
  s->outs = ARENA_ARRAY(ev->arena, Leaves, s->count);
  s->regions = ARENA_ARRAY(ev->arena, IrRegion *, s->count);
  Value exception;
  if (!eval_try(ev, trace_branches, s, &exception) ||
      !eval_try(ev, check_all_branches, s, &exception)) {
    discard_branches(s);
    eval_raise_value(ev, exception);
  }
}

// The op whose regions the branches are, on `selector`; the results as the tree the branches
// return.
static Value build_branches(Eval *ev, Branches *s, OpCode code, IrValue *selector) {
  Leaves first = s->outs[0];
  const IrType **types = ARENA_ARRAY(ev->arena, const IrType *, first.count);
  for (size_t i = 0; i < first.count; i++) {
    types[i] = leaf_type(ev, &first.leaves[i]);
    for (size_t k = 1; k < s->count; k++)
      first.leaves[i].aval.weak = first.leaves[i].aval.weak && s->outs[k].leaves[i].aval.weak;
  }
  IrOp *op = ir_build(trace_builder(ev), code, 1, &selector, first.count, types);
  for (size_t k = 0; k < s->count; k++) region_attach(ev, op, s->regions[k]);
  return carried(ev, &first, op->results);
}

static void check_branch_functions(Eval *ev, const char *what, size_t count,
                                   const Value *functions) {
  for (size_t i = 0; i < count; i++)
    if (!value_is_callable(ev, functions[i]))
      eval_raise(ev, ev->types.TypeError, "lax.%s: %s arguments should be callable.", what,
                 count == 2 ? "true_fun and false_fun" : "branches");
}

// The one operand given as operand=, in place of the positional ones.
static void take_operands(Eval *ev, const char *what, Value positional, Value keyword,
                          Branches *s) {
  Tuple *operands = value_as_tuple(positional);
  s->operand_count = operands->count;
  s->operands = operands->items;
  if (keyword.kind == V_ELLIPSIS) return;
  if (operands->count)
    eval_raise(ev, ev->types.TypeError,
               "if 'operand' keyword is passed then no positional operands can be passed to lax.%s",
               what);
  s->operand_count = 1;
  s->operands = arena_dup(ev->arena, &keyword, sizeof keyword);
}

Value lax_cond(Eval *ev, Value *a) { // pred, true_fun, false_fun, *operands, operand
  pending_settle(ev);
  Value functions[2] = {a[1], a[2]};
  static const char *const names[] = {"true_fun", "false_fun"};
  Branches s = {.what = "cond", .count = 2, .functions = functions, .names = names};
  Tuple *rest = value_as_tuple(a[3]);
  Value old[2];
  take_operands(ev, "cond", a[3], a[4], &s);
  // The deprecated signature: cond(pred, true_operand, true_fun, false_operand, false_fun).
  bool old_form = rest->count == 2 && !value_is_callable(ev, a[1]) && value_is_callable(ev, a[2]) &&
                  value_is_callable(ev, rest->items[1]);
  if (old_form) {
    old[0] = a[1];
    old[1] = rest->items[0];
    functions[0] = a[2];
    functions[1] = rest->items[1];
  }
  check_branch_functions(ev, "cond", 2, functions);
  Aval pred;
  if (!value_aval(ev, a[0], false, &pred))
    eval_raise(ev, ev->types.TypeError, "Pred must be a scalar, got %.*s of type <class '%s'>",
               STR_FMT(value_str(ev, a[0])), value_type_name(ev, a[0]));
  if (pred.rank)
    eval_raise(ev, ev->types.TypeError, "Pred must be a scalar, got %.*s of shape %.*s.",
               STR_FMT(value_str(ev, a[0])), STR_FMT(shape_text(ev->arena, pred.rank, pred.dims)));
  if (old_form) {
    Value adapt = module_lookup(ev, "jax.lax", "_old_cond");
    Value args[5] = {a[0], old[0], functions[0], old[1], functions[1]};
    return value_call_n(ev, adapt, 5, args);
  }
  if (is_unjitted(ev) && !value_is_traced(ev, a[0]))
    return value_call_n(ev, functions[value_truth(ev, a[0]) ? 0 : 1], s.operand_count, s.operands);
  run_branches(ev, &s);
  return build_branches(ev, &s, OP_IF, array_ir_cast(ev, a[0], DT_BOOL));
}

Value lax_switch(Eval *ev, Value *a) { // index, branches, *operands, operand
  pending_settle(ev);
  if (value_is_instance(ev, a[1], ev->types.function))
    raise_hinted(ev, ev->types.TypeError, "the branches of lax.switch are one argument, a list",
                 "'function' object is not iterable");
  Tuple *functions = value_to_tuple(ev, a[1]);
  Branches s = {.what = "switch", .count = functions->count, .functions = functions->items};
  take_operands(ev, "switch", a[2], a[3], &s);
  check_branch_functions(ev, "switch", s.count, s.functions);
  if (s.count == 0) eval_raise(ev, ev->types.ValueError, "Empty branch sequence");
  Aval index;
  take_aval(ev, "switch", a[0], 0, &index);
  if (index.rank)
    eval_raise(ev, ev->types.TypeError, "Branch index must be scalar, got %.*s of shape %.*s.",
               STR_FMT(value_str(ev, a[0])),
               STR_FMT(shape_text(ev->arena, index.rank, index.dims)));
  if (!dtype_is_integer(index.dtype))
    eval_raise(ev, ev->types.TypeError, "Index type must be an integer, got %.*s as %s",
               STR_FMT(value_str(ev, a[0])), dtype_name(index.dtype));
  if (is_unjitted(ev) && !value_is_traced(ev, a[0])) {
    int64_t chosen = take_int(ev, a[0], "index"), last = (int64_t)s.count - 1;
    chosen = chosen < 0 ? 0 : chosen > last ? last : chosen;
    return value_call_n(ev, s.functions[chosen], s.operand_count, s.operands);
  }
  if (s.count == 1) return value_call_n(ev, s.functions[0], s.operand_count, s.operands);
  const char **names = ARENA_ARRAY(ev->arena, const char *, s.count);
  for (size_t i = 0; i < s.count; i++)
    names[i] = str_format(ev->arena, i ? "branch%zu" : "branch %zu", i).data;
  s.names = names;
  run_branches(ev, &s);
  return build_branches(ev, &s, OP_SWITCH, array_ir_cast(ev, a[0], DT_I32)); // wraps, as in JAX
}
