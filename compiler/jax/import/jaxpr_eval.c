// SPDX-License-Identifier: Apache-2.0
// Evaluates a jaxpr as a program of the language: each equation calls the function that its row of
// primitives.def names, which records operations as it does for the text front end. In: the tree of
// a text. Out: values of the tracer, with the places of the equations.
#include "base/buf.h"
#include "ir/core/build_memory.h"
#include "ir/core/constant.h"
#include "ir/core/ir.h"
#include "jaxpr_eval.h"
#include "jaxpr_refusal.h"
#include "jax/array/array_data.h"
#include <string.h>
#include "jax/array/array.h"
#include "jax/array/ref.h"
#include "primitives.h"
#include "python/modules/module.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "python/objects/protocol.h"

#define MAX_PLACES 16 // calls around an equation that messages name

typedef struct ImportState {
  JaxprTypes types;
  const JaxprProgram *program;
  const JaxprEquation *equation; // that is being called
} ImportState;

const JaxprTypes *jaxpr_types(Eval *ev) { return &ev->trace->imported->types; }

// ---- an equation's call -------------------------------------------------------------------------
typedef struct Run {
  Eval *ev;
  const JaxprTree *tree;
  Value *slots;
} Run;

static Value atom_value(const Run *run, const JaxprAtom *atom) {
  return atom->is_literal ? jaxpr_array(run->ev, atom->literal) : run->slots[atom->slot];
}

// What a row says of a parameter: its keyword, an empty text if it does not matter; false if the
// row does not know it.
static bool find_keyword(const Primitive *row, Name name, Str *keyword) {
  PrimitiveParam param;
  for (const char *rest = row->params; primitive_param(&rest, &param);) {
    if (!str_equal(param.name, name_str(name))) continue;
    *keyword = param.dropped ? STR("") : param.keyword;
    return true;
  }
  return false;
}

static void take_params(const Run *run, const JaxprEquation *e, const Primitive *row, Args *args) {
  Eval *ev = run->ev;
  Name *names = ARENA_ARRAY(ev->arena, Name, e->params.count + 1);
  Value *values = ARENA_ARRAY(ev->arena, Value, e->params.count + 1);
  for (size_t i = 0; i < e->params.count; i++) {
    const JaxprField *field = &e->params.items[i];
    Str keyword;
    if (!find_keyword(row, field->name, &keyword)) {
      if (field->value->kind == JAXPR_NONE) continue;
      eval_raise(ev, ev->types.NotImplementedError, "%s with the parameter '%s' is not supported",
                 row->name, field->name->text);
    }
    if (!keyword.len) continue;
    names[args->kw_count] = name_intern(ev->session->interner, keyword);
    values[args->kw_count++] = jaxpr_value(ev, jaxpr_types(ev), field->value);
  }
  args->kw_names = names;
  args->kw_values = values;
}

static const Primitive *find_row(Eval *ev, const JaxprEquation *e) {
  const Primitive *row = primitive_find(name_str(e->primitive));
  if (!row)
    eval_raise(ev, ev->types.NotImplementedError, "the primitive '%s' is not supported",
               e->primitive->text);
  if (!row->function)
    eval_raise(ev, ev->types.NotImplementedError, "the primitive '%s' is not supported: %s",
               row->name, row->params);
  return row;
}

typedef struct RowCall {
  Value function;
  Args args;
  Value result;
} RowCall;

static void make_call(Eval *ev, void *data) {
  RowCall *call = data;
  call->result = value_call(ev, call->function, &call->args);
}

static Value call_row(const Run *run, const JaxprEquation *e) {
  Eval *ev = run->ev;
  const Primitive *row = find_row(ev, e);
  Args args = {.count = e->operands.count};
  Value *items = ARENA_ARRAY(ev->arena, Value, e->operands.count + 1);
  for (size_t i = 0; i < args.count; i++) items[i] = atom_value(run, &e->operands.items[i]);
  args.items = items;
  take_params(run, e, row, &args);
  Value list;
  if (row->params[0] == '*') {
    list = make_tuple(ev, args.count, items);
    args.items = &list;
    args.count = 1;
  }
  RowCall call = {.function = module_lookup(ev, row->module, row->function), .args = args};
  Value exception;
  if (!eval_try(ev, make_call, &call, &exception))
    jaxpr_refuse(ev, e, row, call.function, &args, exception);
  return call.result;
}

// ---- results ------------------------------------------------------------------------------------
static Str type_text(Arena *arena, const JaxprType *type) {
  Buf buf;
  buf_init(&buf, arena);
  if (type->space) buf_printf(&buf, "ref %s ", type->space->text);
  buf_printf(&buf, "%s[", type->element->text);
  for (size_t i = 0; i < type->rank; i++)
    buf_printf(&buf, i ? ",%lld" : "%lld", (long long)type->dims[i]);
  buf_char(&buf, ']');
  return buf_view(&buf);
}

// An array of another type than the text says is a mistake of the text, or of the row.
static void check_type(Eval *ev, Value value, const JaxprType *type, const char *what) {
  Aval aval;
  if (type->dtype == DT_COUNT || !value_aval(ev, value, true, &aval)) return;
  if (aval.dtype == type->dtype && aval.rank == type->rank &&
      memcmp(aval.dims, type->dims, type->rank * sizeof type->dims[0]) == 0)
    return;
  eval_raise(ev, ev->types.TypeError, "%s is %.*s, where the jaxpr has %.*s", what,
             STR_FMT(aval_text(ev->arena, &aval)), STR_FMT(type_text(ev->arena, type)));
}

static void bind_results(const Run *run, const JaxprEquation *e, Value result) {
  Eval *ev = run->ev;
  const Tuple *tuple = value_as_tuple(result);
  const List *list = value_as_list(result);
  const Value *items = tuple ? tuple->items : list ? list->items : &result;
  size_t count = tuple ? tuple->count : list ? list->count : v_is_none(result) ? 0 : 1;
  if (count != e->outs.count)
    eval_raise(ev, ev->types.TypeError, "%s gives %zu values, where the jaxpr has %zu",
               e->primitive->text, count, e->outs.count);
  for (size_t i = 0; i < count; i++) {
    const JaxprVar *out = &e->outs.items[i];
    if (!out->dropped) check_type(ev, items[i], &out->type, e->primitive->text);
    run->slots[out->slot] = items[i];
  }
}

// The calls of the program that an equation comes from, as frames; the innermost is given. Room for
// them is the caller's.
static Frame *enter_places(Eval *ev, const JaxprLoc *loc, Frame *room) {
  const JaxprLoc *chain[MAX_PLACES];
  size_t count = 0;
  for (; loc && loc->caller && count < MAX_PLACES; loc = loc->caller) chain[count++] = loc;
  Frame *frame = ev->frame;
  for (size_t i = count; i-- > 0;) {
    Frame *made = room++;
    *made = *frame;
    made->caller = frame;
    made->function = chain[i]->function;
    made->call = chain[i]->caller->span;
    frame = made;
  }
  return frame;
}

static void run_equation(const Run *run, const JaxprEquation *e) {
  Eval *ev = run->ev;
  Frame *frame = ev->frame, room[MAX_PLACES];
  Span span = ev->span;
  eval_step(ev);
  ev->frame = enter_places(ev, e->loc, room);
  ev->span = e->loc ? e->loc->span : e->span;
  const JaxprEquation *outer = ev->trace->imported->equation;
  ev->trace->imported->equation = e;
  bind_results(run, e, call_row(run, e));
  ev->trace->imported->equation = outer;
  ev->frame = frame;
  ev->span = span;
}

// The frame of a call of the jaxpr from where the program calls what has it: of the library's own
// calls in between nothing is shown.
static Frame frame_of(Eval *ev, const JaxprTree *tree) {
  Frame *frame = ev->frame;
  while (frame->caller && trace_is_builtin_place(ev, frame->call)) frame = frame->caller;
  Frame made = *frame;
  made.code = NULL; // not the library's function that calls it
  if (frame->caller && tree->name) made.function = tree->name;
  return made;
}

Value jaxpr_call(Eval *ev, const JaxprTree *tree, size_t count, const Value *operands) {
  eval_check_stack(ev);
  if (count != tree->params.count)
    eval_raise(ev, ev->types.TypeError, "a jaxpr of %zu parameters is given %zu operands",
               tree->params.count, count);
  Run run = {ev, tree, ARENA_ARRAY(ev->arena, Value, tree->slots + 1)};
  for (size_t i = 0; i < tree->consts.count; i++)
    run.slots[tree->consts.items[i].var.slot] = jaxpr_array(ev, tree->consts.items[i].data);
  for (size_t i = 0; i < count; i++) {
    check_type(ev, operands[i], &tree->params.items[i].type, "an operand");
    if (value_is_ref(ev, operands[i]))
      ref_take_name(ev, (Ref *)operands[i].o, tree->params.items[i].name);
    run.slots[tree->params.items[i].slot] = operands[i];
  }
  Frame *outer = ev->frame, own = frame_of(ev, tree);
  ev->frame = &own;
  for (size_t i = 0; i < tree->equations.count; i++) run_equation(&run, tree->equations.items[i]);
  ev->frame = outer;
  Tuple *results = tuple_new(ev, tree->results.count);
  for (size_t i = 0; i < results->count; i++)
    results->items[i] = atom_value(&run, &tree->results.items[i]);
  return v_object(results);
}

// ---- the program --------------------------------------------------------------------------------
static ImportState *import_state(Eval *ev) {
  if (!ev->trace->imported) {
    ev->trace->imported = ARENA_NEW(ev->arena, ImportState);
    jaxpr_types_init(ev, &ev->trace->imported->types);
  }
  return ev->trace->imported;
}

void jaxpr_define(Eval *ev, const JaxprProgram *program) {
  import_state(ev)->program = program;
  if (program->x64) ev->trace->x64 = true;
}

// x: jnp.float32[8, 128]
static void put_annotation(Buf *buf, const JaxprType *type) {
  buf_printf(buf, "_numpy.%s[", type->dtype == DT_BOOL ? "bool_" : dtype_name(type->dtype));
  for (size_t i = 0; i < type->rank; i++)
    buf_printf(buf, i ? ", %lld" : "%lld", (long long)type->dims[i]);
  buf_c(buf, type->rank ? "]" : "()]");
}

Str jaxpr_module_text(Arena *arena, const JaxprProgram *program) {
  Buf buf;
  buf_init(&buf, arena);
  buf_c(&buf, "import _jaxpr\nimport jax.numpy as _numpy\n");
  for (size_t i = 0; i < program->entries.count; i++) {
    const JaxprEntry *entry = program->entries.items[i];
    buf_printf(&buf, "def %s(", entry->name->text);
    for (size_t k = 0; k < entry->params.count; k++) {
      const JaxprType *type = &entry->tree->params.items[k].type;
      buf_printf(&buf, "%s%s", k ? ", " : "", entry->params.items[k]->text);
      buf_c(&buf, ": ");
      put_annotation(&buf, type);
    }
    buf_printf(&buf, "): return _jaxpr.entry(%zu, (", i);
    for (size_t k = 0; k < entry->params.count; k++)
      buf_printf(&buf, "%s, ", entry->params.items[k]->text);
    buf_c(&buf, "))\n");
  }
  return buf_view(&buf);
}

// ---- the module _jaxpr --------------------------------------------------------------------------
// Result `pair->result` goes where parameter `pair->param` is, whose array the operand holds.
static void store_in_place(Eval *ev, const JaxprEntry *entry, const JaxprInPlace *pair,
                           const Tuple *operands, const Tuple *results) {
  const IrOp *load = array_ir(ev, operands->items[pair->param], DT_COUNT)->def;
  IrValue *result = array_ir(ev, results->items[pair->result], DT_COUNT);
  if (!load || load->code != OP_LOAD || load->results[0]->type != result->type)
    eval_raise(ev, ev->types.ValueError,
               "result %zu of the entry '%s' cannot take the place of '%s': they differ in type",
               pair->result, entry->name->text, entry->params.items[pair->param]->text);
  IrValue *param = load->operands[0];
  param->region->func->params[param->index].role = PARAM_IN_OUT;
  ir_store_all(trace_builder(ev), result, param);
}

static bool is_in_place(const JaxprEntry *entry, size_t result) {
  for (size_t i = 0; i < entry->in_place.count; i++)
    if (entry->in_place.items[i].result == result) return true;
  return false;
}

static void refuse_complex_result(Eval *ev, const JaxprEntry *entry, size_t k, Value result) {
  if (value_is_complex(ev, result))
    eval_raise(ev, ev->types.TypeError,
               "result %zu of the entry '%s' is complex, which C functions of pallasc do not give: "
               "return its .real and its .imag",
               k, entry->name->text);
}

// The results of entry i that are not in the place of parameters: a tuple, or the only one.
static Value native_entry(Eval *ev, Value *a) {
  const JaxprProgram *program = import_state(ev)->program;
  int64_t i = a[0].kind == V_INT ? a[0].i : -1;
  const Tuple *operands = value_as_tuple(a[1]);
  if (!program || i < 0 || (size_t)i >= program->entries.count || !operands)
    eval_raise(ev, ev->types.ValueError, "there is no such entry");
  const JaxprEntry *entry = program->entries.items[i];
  Value results = jaxpr_call(ev, entry->tree, operands->count, operands->items);
  const Tuple *tuple = value_as_tuple(results);
  List *own = list_new(ev, tuple->count);
  for (size_t k = 0; k < tuple->count; k++) {
    refuse_complex_result(ev, entry, k, tuple->items[k]);
    if (!is_in_place(entry, k)) list_push(ev, own, tuple->items[k]);
  }
  for (size_t k = 0; k < entry->in_place.count; k++)
    store_in_place(ev, entry, &entry->in_place.items[k], operands, tuple);
  return own->count == 1 ? own->items[0] : make_tuple(ev, own->count, own->items);
}

static Value native_fill(Eval *ev, Value *a) {
  const Tuple *leaves = value_as_tuple(a[1]);
  if (!leaves) eval_raise(ev, ev->types.TypeError, "leaves are a tuple");
  return jaxpr_fill(ev, jaxpr_types(ev), a[0], leaves->count, leaves->items);
}

// The integer that a value is known to be, or None.
static Value native_known(Eval *ev, Value *a) {
  int64_t known;
  return known_int(ev, a[0], &known) ? v_int(known) : v_none();
}

// Whether an array is one number that is known.
static Value native_is_constant(Eval *ev, Value *a) {
  return v_bool(ir_const_splat(array_ir(ev, a[0], DT_COUNT)) != NULL);
}

// Whether an array repeats one that has fewer elements.
static Value native_is_broadcast(Eval *ev, Value *a) {
  const IrValue *value = array_ir(ev, a[0], DT_COUNT), *source = ir_broadcast_source(value);
  return v_bool(ir_type_count(source->type) < ir_type_count(value->type));
}

// Whether anything uses result i of the equation that is being called.
static Value native_wanted(Eval *ev, Value *a) {
  const JaxprEquation *e = import_state(ev)->equation;
  return v_bool(e && a[0].kind == V_INT && a[0].i >= 0 && (size_t)a[0].i < e->outs.count &&
                !e->outs.items[a[0].i].dropped);
}

static const NativeDef natives[] = {
    {"entry(number, operands)", native_entry},
    {"fill(tree, leaves)", native_fill},
    {"known(x)", native_known},
    {"is_broadcast(x)", native_is_broadcast},
    {"is_constant(x)", native_is_constant},
    {"wanted(result)", native_wanted},
    {NULL, NULL},
};
const ModuleDef module_jaxpr = {.name = "_jaxpr", .functions = natives};
