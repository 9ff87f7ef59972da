// SPDX-License-Identifier: Apache-2.0
// Entry points: the functions of a file that become C functions. Array arguments are annotated
// parameters, or stand as types (f32[8, 128]) in the call that --entry writes; everything else is
// static.
#include "base/plural.h"
#include "jax/array/scalar_type.h"
#include "base/buf.h"
#include "base/map.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "entry.h"
#include <string.h>
#include "base/unicode.h"
#include "annotation.h"
#include "eager.h"
#include "size_sets.h"
#include "ir/core/family.h"
#include "python/values/frame.h"
#include "python/modules/module.h"
#include "jax/transform/pytree.h"
#include "python/core/expr.h"
#include "python/core/function.h"
#include "python/eval.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/values/dict.h"
#include "python/objects/generic.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "jax/array/placement.h"
#include "jax/array/promote.h"
#include "jax/array/shape_struct.h"

typedef struct Entry {
  Name name; // of the C function
  Value callee;
  Args args;             // ShapeDtypeStructs where arrays go
  const Name *arg_names; // of the positional arguments, for parameters; may hold NULL
  Span span;
  Map *sizes;                // of named dimensions, if annotations are to hold; else NULL
  bool is_wrong;             // an annotation does not hold of the result
  IrFamily *family;          // of the function, or NULL
  const int64_t *func_sizes; // that it is traced for, one for each of the family's
  IrFunc *func;              // the result
} Entry;

// ---- types of arguments -------------------------------------------------------------------------

static bool is_shape_struct(Eval *ev, Value v) {
  return v.kind == V_OBJECT && v.o->type == trace_types(ev)->shape_dtype_struct;
}

// f32 as an argument's type is a scalar: made f32[()].
static Value scalar_struct(Eval *ev, Value type) {
  Aval aval = {.dtype = take_dtype(ev, type, "type of an argument")};
  return shape_dtype_struct_new(ev, &aval);
}

// An argument of an entry with each such type in it made one.
static Value scalars_typed(Eval *ev, Value arg) {
  List *leaves = list_new(ev, 4);
  PyTree *tree = pytree_flatten(ev, arg, v_none(), leaves);
  bool found = false;
  for (size_t i = 0; i < leaves->count; i++) {
    if (!value_is_scalar_type(ev, leaves->items[i])) continue;
    leaves->items[i] = scalar_struct(ev, leaves->items[i]);
    found = true;
  }
  return found ? pytree_unflatten(ev, tree, leaves->count, leaves->items) : arg;
}

// ---- parameters of the IR function --------------------------------------------------------------

typedef struct ParamNames {
  Eval *ev;
  Map *taken;
} ParamNames;

// A C identifier from any text, different from those given before.
static Name param_name(ParamNames *names, Str wanted) {
  Eval *ev = names->ev;
  Buf buf;
  buf_init(&buf, ev->arena);
  size_t end = 0;
  for (size_t i = 0; i < wanted.len; i++) {
    char c = wanted.data[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    bool digit = c >= '0' && c <= '9';
    if (letter || (digit && buf.len > 0)) {
      buf_char(&buf, c);
      end = buf.len;
    } else if (c & 0x80) {
      size_t at = i;
      buf_printf(&buf, "u%04x", (unsigned)utf8_decode(wanted, &at)); // as C's \u03bb
      i = at - 1;
      end = buf.len;
    } else if (buf.len > 0 && buf.data[buf.len - 1] != '_') {
      buf_char(&buf, '_');
    }
  }
  buf.len = end; // without what stands for brackets and dots there
  if (buf.len == 0) buf_c(&buf, "arg");
  Name base = name_intern(ev->session->interner, buf_view(&buf)), name = base;
  for (int n = 2; map_has(names->taken, name); n++)
    name = name_intern(ev->session->interner, str_format(ev->arena, "%s_%d", base->text, n));
  map_set(names->taken, name, name);
  return name;
}

static IrValue *add_param(Eval *ev, IrFunc *func, const Aval *aval, ParamRole role, Name name,
                          Str label) {
  const IrType *type = ir_ref_type(func->module, SPACE_HBM, aval->dtype, aval->rank, aval->dims);
  if (!type)
    eval_raise(ev, ev->types.ValueError, "an array of %.*s does not fit the address space",
               STR_FMT(aval_text(ev->arena, aval)));
  IrValue *param = ir_func_add_param(func, type, role, name);
  func->params[func->param_count - 1].label = label;
  return param;
}

// Replaces the array types in one argument by arrays loaded from new parameters.
static Value bind_argument(Eval *ev, Entry *entry, ParamNames *names, Value arg, Str name) {
  List *leaves = list_new(ev, 4);
  PyTree *tree = pytree_flatten(ev, arg, v_none(), leaves);
  for (size_t i = 0; i < leaves->count; i++) {
    Aval aval;
    if (!is_shape_struct(ev, leaves->items[i]) || !value_aval(ev, leaves->items[i], true, &aval))
      continue;
    aval.dtype = canonical_dtype(ev, aval.dtype);
    Str label =
        str_format(ev->arena, "%.*s%.*s", STR_FMT(name), STR_FMT(pytree_leaf_path(ev, tree, i)));
    IrValue *param = add_param(ev, entry->func, &aval, PARAM_IN, param_name(names, label), label);
    leaves->items[i] = array_new(ev, ir_load_all(trace_builder(ev), param), false);
  }
  return pytree_unflatten(ev, tree, leaves->count, leaves->items);
}

// How the program placed the array, if it did.
static Str sharding_text(Eval *ev, Value leaf) {
  Placement *placement = placement_of(ev, leaf);
  if (!placement || placement->unknown) return STR("");
  Value args[] = {placement_sharding(ev, placement), value_getattr_c(ev, leaf, "shape")};
  return take_str(ev, value_call_n(ev, module_lookup(ev, "jax._mesh", "sharding_text"), 2, args),
                  "sharding");
}

static bool has_in_out(const IrFunc *func) {
  for (uint32_t i = 0; i < func->param_count; i++)
    if (func->params[i].role == PARAM_IN_OUT) return true;
  return false;
}

static void store_results(Eval *ev, Entry *entry, ParamNames *names, Value result) {
  List *leaves = list_new(ev, 4);
  PyTree *tree = pytree_flatten(ev, result, v_none(), leaves);
  if (leaves->count == 0 && !has_in_out(entry->func))
    eval_raise_at(ev, entry->span, ev->types.TypeError, "the entry point '%s' returns no array",
                  entry->name->text);
  for (size_t i = 0; i < leaves->count; i++) {
    if (!value_is_arraylike(ev, leaves->items[i]))
      eval_raise_at(
          ev, entry->span, ev->types.TypeError,
          "the entry point '%s' returns a value of type %s; only arrays can be returned%s",
          entry->name->text, value_type_name(ev, leaves->items[i]),
          value_is_callable(ev, leaves->items[i])
              ? "; what pallas_call gives is a function, to be called with them"
              : "");
    IrValue *ir = array_ir(ev, leaves->items[i], DT_COUNT);
    Aval aval = aval_of(ir, false);
    Str path = pytree_leaf_path(ev, tree, i);
    Str wanted = leaves->count == 1 ? STR("out") : str_format(ev->arena, "out%zu", i);
    IrValue *param = add_param(ev, entry->func, &aval, PARAM_OUT, param_name(names, wanted),
                               str_format(ev->arena, "out%.*s", STR_FMT(path)));
    entry->func->params[entry->func->param_count - 1].sharding =
        sharding_text(ev, leaves->items[i]);
    ir_store_all(trace_builder(ev), ir, param);
  }
}

// ---- tracing ------------------------------------------------------------------------------------

static void trace_function(Eval *ev, void *data) {
  Entry *entry = data;
  ParamNames names = {ev, map_new(ev->arena)};
  Args args = entry->args;
  Value *items = ARENA_ARRAY(ev->arena, Value, args.count + 1);
  Value *kw_values = ARENA_ARRAY(ev->arena, Value, args.kw_count + 1);
  for (size_t i = 0; i < args.count; i++) {
    Name known = entry->arg_names ? entry->arg_names[i] : NULL;
    Str name = known ? name_str(known) : str_format(ev->arena, "arg%zu", i);
    items[i] = bind_argument(ev, entry, &names, args.items[i], name);
  }
  for (size_t i = 0; i < args.kw_count; i++)
    kw_values[i] = bind_argument(ev, entry, &names, args.kw_values[i], name_str(args.kw_names[i]));
  args.items = items;
  args.kw_values = kw_values;
  Value result = value_call(ev, entry->callee, &args);
  if (entry->sizes)
    entry->is_wrong =
        !annotation_check_result(ev, entry->callee, entry->span, result, entry->sizes);
  store_results(ev, entry, &names, result);
  ir_yield(trace_builder(ev), 0, NULL);
}

typedef struct ModuleFrame {
  Frame frame, *saved;
} ModuleFrame;

// Entries are called from a frame of the main module's own.
static void enter_module(Eval *ev, ModuleFrame *scope) {
  *scope = (ModuleFrame){
      .frame = {.function = name_intern_c(ev->session->interner, "<module>"), .module = ev->main},
      .saved = ev->frame};
  ev->frame = &scope->frame;
}

// The functions of a family are one in C: they differ in shapes alone.
static void join_family(Eval *ev, Entry *entry) {
  const IrFunc *other = entry->func->module->first;
  while (other && other->family != entry->family) other = other->next;
  ir_family_add(entry->func, entry->family, entry->func_sizes);
  Str why;
  if (other && !ir_family_agrees(ev->arena, other, entry->func, &why))
    eval_raise_at(ev, entry->span, ev->types.TypeError,
                  "the entry point '%s' cannot be one C function for %.*s and for %.*s: %.*s",
                  entry->family->name->text, STR_FMT(ir_func_case(other).text),
                  STR_FMT(ir_func_case(entry->func).text), STR_FMT(why));
}

static void trace_entry(Eval *ev, void *data) {
  Entry *entry = data;
  TraceState *t = ev->trace;
  ModuleFrame scope;
  IrModule *entries = eager_entries(ev);
  Name own = entry->family ? entry->family->name : entry->name;
  const IrFamily *last = entries->last ? entries->last->family : NULL;
  if (ir_name_is_taken(entries, own) && !(last && last == entry->family))
    eval_raise_at(ev, entry->span, ev->types.ValueError,
                  "there are two entry points with the name '%s'", own->text);
  enter_module(ev, &scope);
  ev->span = entry->span;
  entry->func = ir_func_new(entries, entry->name, entry->span);
  entries->watch = t->watch;
  t->module = entries;
  t->builder.module = entries;
  level_run(ev, LEVEL_FUNC, entry->func->body, trace_function, entry);
  entry->func->signature = ir_family_signature(ev->arena, entry->func);
  if (entry->family) join_family(ev, entry);
  ev->frame = scope.saved;
}

// True if the entry could be traced; else diagnostics were given and nothing of it is left in the
// module.
static bool trace_protected(Eval *ev, Entry *entry) {
  Frame *frame = ev->frame;
  bool ok = eval_protect(ev, trace_entry, entry);
  ev->frame = frame;
  if (!ok && entry->func) ir_func_remove(entry->func);
  eager_resume(ev);
  return ok && !entry->is_wrong;
}

// ---- annotated functions ------------------------------------------------------------------------

static Value argument_type(Eval *ev, Value type);

// Array types in a dict, list or tuple, which says how many there are.
static Value argument_types(Eval *ev, Value types) {
  if (is_a(types, ev->types.dict)) {
    Dict *all = dict_new(ev);
    DictEntry *item;
    for (size_t it = 0; dict_next((Dict *)types.o, &it, &item);) {
      Value type = argument_type(ev, item->value);
      if (v_is_unbound(type)) return type;
      dict_append(ev, all, item->key, item->hash, type);
    }
    return all->count ? v_object(all) : v_unbound();
  }
  List *all = list_new(ev, 4);
  const Tuple *given = value_to_tuple(ev, types);
  for (size_t i = 0; i < given->count; i++) {
    Value type = argument_type(ev, given->items[i]);
    if (v_is_unbound(type)) return type;
    list_push(ev, all, type);
  }
  if (!all->count) return v_unbound();
  return is_a(types, ev->types.list) ? v_object(all) : make_tuple(ev, all->count, all->items);
}

// What an array is given for: an array type, or a tuple, list or dict of them; else unbound.
static Value argument_type(Eval *ev, Value type) {
  if (value_is_scalar_type(ev, type)) return scalar_struct(ev, type);
  if (is_shape_struct(ev, type)) return type;
  if (is_a(type, ev->types.dict) || is_a(type, ev->types.list) || is_a(type, ev->types.tuple))
    return argument_types(ev, type);
  if (!is_generic_alias(ev, type)) return v_unbound();
  const GenericAlias *alias = (const GenericAlias *)type.o;
  if (!value_is(alias->origin, v_object(ev->types.tuple)) || !alias->args->count)
    return v_unbound();
  Value *items = ARENA_ARRAY(ev->arena, Value, alias->args->count);
  for (size_t i = 0; i < alias->args->count; i++) {
    items[i] = argument_type(ev, alias->args->items[i]);
    if (v_is_unbound(items[i])) return v_unbound();
  }
  return make_tuple(ev, alias->args->count, items);
}

// Whether it says of arrays what they are, and not how many: list[f32[8]], dict[str, f32[8]].
static bool is_uncounted(Eval *ev, Value type) {
  if (!is_generic_alias(ev, type)) return false;
  const GenericAlias *alias = (const GenericAlias *)type.o;
  bool is_container = value_is(alias->origin, v_object(ev->types.tuple)) ||
                      value_is(alias->origin, v_object(ev->types.list)) ||
                      value_is(alias->origin, v_object(ev->types.dict));
  for (size_t i = 0; is_container && i < alias->args->count; i++)
    if (!v_is_unbound(argument_type(ev, alias->args->items[i]))) return true;
  return false;
}

typedef struct AnnotatedSearch {
  Value value;
  Name name;
  Entry entry;
  bool is_entry;
  const Param *uncounted; // a parameter whose annotation does not say how many arrays there are
} AnnotatedSearch;

static Str uncounted_text(Eval *ev, const Param *p, Name function) {
  return str_format(ev->arena,
                    "%.*s does not say how many arrays '%s' is: write tuple[f32[8], f32[8]], or "
                    "{'w': f32[8], 'b': f32[8]}, or name the entry point, as in --entry "
                    "'%s([f32[8], f32[8]])'",
                    STR_FMT(expr_text(ev->arena, p->annotation)), p->name->text, function->text);
}

// Fills in the arguments of a function whose parameters are annotated with array types.
static void read_annotations(Eval *ev, void *data) {
  AnnotatedSearch *s = data;
  Function *f = callee_function(ev, s->value);
  if (!f || !f->def || f->module != ev->main) return;
  Frame frame = {.module = f->module, .env = f->closure};
  frame_push(ev, &frame);
  function_annotate(ev, f);
  frame_pop(ev, &frame);
  function_check_types(ev, f);
  size_t count = f->params->count;
  s->is_entry = ev->trace->imported && !count; // every function of a jaxpr is an entry
  Value *types = ARENA_ARRAY(ev->arena, Value, count + 1);
  for (size_t i = 0; i < count; i++) {
    const Param *p = &f->params->items[i];
    Value given = p->annotation ? function_annotation_type(ev, f, i) : v_unbound();
    types[i] = argument_type(ev, given);
    if (v_is_unbound(types[i]) && is_uncounted(ev, given)) s->uncounted = p;
    s->is_entry |= !v_is_unbound(types[i]);
  }
  if (!s->is_entry) return;
  Value *items = ARENA_ARRAY(ev->arena, Value, count + 1),
        *kw_values = ARENA_ARRAY(ev->arena, Value, count + 1);
  Name *names = ARENA_ARRAY(ev->arena, Name, count + 1),
       *kw_names = ARENA_ARRAY(ev->arena, Name, count + 1);
  Entry *e = &s->entry;
  *e = (Entry){.name = s->name,
               .callee = s->value,
               .arg_names = names,
               .sizes = map_new(ev->arena),
               .span = f->def->function.name_span};
  bool gap = false; // behind a parameter that keeps its default, arrays go by keyword
  for (size_t i = 0; i < count; i++) {
    const Param *p = &f->params->items[i];
    bool is_rest = (f->params->has_kwargs && i == count - 1) ||
                   (f->params->has_varargs && i == f->params->positional);
    if (is_rest && !v_is_unbound(types[i]))
      eval_raise_at(ev, p->span, ev->types.TypeError,
                    "how many arrays go to '%s' is not said: name the entry point with --entry "
                    "'%s(%.*s, ...)'",
                    p->name->text, s->name->text, STR_FMT(expr_text(ev->arena, p->annotation)));
    if (is_rest) continue;
    if (v_is_unbound(types[i])) {
      bool has_default = f->defaults && !v_is_unbound(f->defaults[i]);
      if (!has_default && s->uncounted == p)
        eval_raise_at(ev, p->span, ev->types.TypeError, "%.*s",
                      STR_FMT(uncounted_text(ev, p, s->name)));
      if (!has_default)
        eval_raise_at(ev, p->span, ev->types.TypeError,
                      "parameter '%s' of the entry point '%s' has no array type, such as f32[8, "
                      "128], and no default; --entry '%s(..., %s=VALUE)' gives it a value",
                      p->name->text, s->name->text, s->name->text, p->name->text);
      gap = true;
    } else if (i < f->params->positional && !gap) {
      names[e->args.count] = p->name;
      items[e->args.count++] = types[i];
    } else {
      kw_names[e->args.kw_count] = p->name;
      kw_values[e->args.kw_count++] = types[i];
    }
  }
  e->args.items = items;
  e->args.kw_names = kw_names;
  e->args.kw_values = kw_values;
}

// n of f32[8, n] that is no name was probably meant as any size.
static void help_annotation(Session *session, Diag *diag, Name name, const Params *params) {
  for (size_t i = 0; i < params->count; i++) {
    const Expr *written = params->items[i].annotation;
    if (!written || written->kind != EX_SUBSCRIPT) continue;
    Span index = written->subscript.index->span;
    if (index.file != diag->span.file || diag->span.begin < index.begin ||
        diag->span.end > index.end)
      continue;
    diag_help(diag, str_format(session->arena,
                               "a dimension is a number or a constant of the module; without "
                               "annotations, --entry gives the sizes that there is code for: "
                               "--entry '%s(f32[{256,512},128])'",
                               name->text));
  }
}

void entry_help_annotations(Session *session, const Module *module) {
  Diag *diag = diag_last(session, DIAG_NAME_ERROR);
  if (!diag || diag->help.len) return;
  for (size_t i = 0; i < module->body.count; i++) {
    const Stmt *stmt = module->body.items[i];
    if (stmt->kind == ST_FUNCTION_DEF)
      help_annotation(session, diag, stmt->function.name, &stmt->function.params);
  }
}

// Traces one function if it is an entry point, which s->is_entry says. False after diagnostics.
static bool trace_if_entry(Eval *ev, AnnotatedSearch *s) {
  if (!eval_protect(ev, read_annotations, s)) {
    Diag *diag = diag_last(ev->session, DIAG_NAME_ERROR);
    const Function *f = callee_function(ev, s->value);
    if (diag && f && !diag->help.len) help_annotation(ev->session, diag, s->name, f->params);
    return false;
  }
  if (!s->is_entry) return true;
  session_progress(ev->session, "tracing", 0, 0, name_str(s->name));
  return trace_protected(ev, &s->entry);
}

bool entry_trace_function(Eval *ev, Name name, Value value, bool *is_entry) {
  AnnotatedSearch search = {.value = value, .name = name};
  bool ok = trace_if_entry(ev, &search);
  *is_entry = search.is_entry;
  return ok;
}

// The function that was probably meant: the last one, kernels and helpers come first. NULL if the
// file has none with a parameter.
static const Function *meant_function(Eval *ev) {
  DictEntry *item;
  const Function *last = NULL;
  for (size_t it = 0; dict_next(ev->main->dict, &it, &item);) {
    const Function *f = callee_function(ev, item->value);
    if (f && f->def && f->module == ev->main && f->params->positional && f->name->text[0] != '_' &&
        f->def->kind == ST_FUNCTION_DEF)
      last = f;
  }
  return last;
}

static void note_how(Eval *ev, Diag *diag) {
  const Function *f = meant_function(ev);
  Buf params, types;
  buf_init(&params, ev->arena);
  buf_init(&types, ev->arena);
  for (size_t i = 0; f && i < f->params->positional; i++) {
    const Param *p = &f->params->items[i];
    if (p->default_value) continue;
    buf_printf(&params, "%s%s: f32[512, 512]", params.len ? ", " : "", p->name->text);
    buf_printf(&types, "%sf32[512,512]", types.len ? ", " : "");
  }
  Str add = STR("x: f32[512, 512], y: f32[512, 512]"),
      add_types = STR("f32[512,512], f32[512,512]");
  const char *name = types.len ? f->name->text : "add";
  diag_note(ev->session, diag, (Span){0},
            "annotate a function's array parameters, with the size of each dimension, as in 'def "
            "%s(%.*s):', or name one with --entry '%s(%.*s)'; 'pallasc run' runs the file as a "
            "program",
            name, STR_FMT(types.len ? buf_view(&params) : add), name,
            STR_FMT(types.len ? buf_view(&types) : add_types));
}

// Search through the main module's globals, in order of definition.
static bool trace_annotated(Eval *ev) {
  DictEntry *item;
  bool ok = true, any = false;
  const Param *uncounted = NULL; // of the last function that is no entry point for that, `of`
  Name of = NULL;
  Map *seen = map_new(ev->arena);
  for (size_t it = 0; dict_next(ev->main->dict, &it, &item);) {
    Str name;
    if (item->value.kind != V_OBJECT || !value_as_str(item->key, &name) ||
        map_has(seen, item->value.o))
      continue;
    AnnotatedSearch search = {.value = item->value,
                              .name = name_intern(ev->session->interner, name)};
    ok &= trace_if_entry(ev, &search);
    if (!search.is_entry && search.uncounted) {
      uncounted = search.uncounted;
      of = search.name;
    }
    if (!search.is_entry) continue;
    map_set(seen, item->value.o, item->value.o);
    any = true;
  }
  if (any || !ok) return ok;
  Diag *diag = diag_error(ev->session, (Span){ev->main->file ? ev->main->file->id : 0, 0, 0},
                          "this file has no entry point");
  if (uncounted)
    diag_note(ev->session, diag, uncounted->span, "%.*s",
              STR_FMT(uncounted_text(ev, uncounted, of)));
  note_how(ev, diag);
  return false;
}

// ---- entries of the command line ----------------------------------------------------------------

typedef struct RequestParse {
  const EntryRequest *request;
  Map *asked;     // the functions that are called
  Name name;      // given before "=", or NULL
  uint32_t begin; // of the call in the text
  Expr *call;
  Entry entry;
  SizeSets sets;
  bool is_wrong; // an annotation does not hold
} RequestParse;

// The names of the parameters that positional arguments go to, for the C function's.
static const Name *argument_names(Eval *ev, const Entry *e) {
  Callee callee = callee_of(ev, e->callee);
  if (!callee.function) return NULL;
  Name *names = ARENA_ARRAY(ev->arena, Name, e->args.count + 1);
  for (size_t i = 0; i < e->args.count; i++) {
    size_t param = callee_param(&callee, i, NULL);
    if (param < callee.function->params->positional)
      names[i] = callee.function->params->items[param].name;
  }
  return names;
}

static bool check_annotations(Eval *ev, Expr *call, const Entry *e) {
  Span *spans = ARENA_ARRAY(ev->arena, Span, e->args.count + 1),
       *kw_spans = ARENA_ARRAY(ev->arena, Span, e->args.kw_count + 1);
  for (size_t i = 0; i < e->args.count; i++) spans[i] = call->call.args.items[i]->span;
  for (size_t i = 0; i < e->args.kw_count; i++) kw_spans[i] = call->call.keywords[i].value->span;
  WrittenArgs written = {e->args, spans, kw_spans};
  return annotation_check_args(ev, e->callee, &written, e->sizes);
}

// What the C function is called.
static Name entry_name(Eval *ev, const RequestParse *p, const Expr *func) {
  if (p->name) return p->name;
  if (func->kind == EX_NAME) return func->name.name;
  if (func->kind == EX_ATTRIBUTE) return func->attribute.attr;
  eval_raise_at(ev, p->call->span, ev->types.TypeError,
                "give the entry point a name: 'NAME = %.*s'", STR_FMT(p->request->text));
}

// An argument, by position or keyword.
static Value argument_value(Eval *ev, const RequestParse *p, Expr *expr, size_t position,
                            Name keyword) {
  Value value = eval_expr(ev, expr);
  if (p->request->has_values || (value_is_scalar_type(ev, value) &&
                                 annotation_takes_type(ev, p->entry.callee, position, keyword)))
    return value;
  return scalars_typed(ev, value);
}

// Python's own functions are no entry points: such a name is meant to be the file's.
static Value callee_value(Eval *ev, Expr *func) {
  Value callee = eval_expr(ev, func);
  if (func->kind == EX_NAME && value_is(callee, dict_get_name(ev->builtins->dict, func->name.name)))
    eval_raise_at(ev, func->span, ev->types.NameError,
                  "the file defines no function '%s', which is Python's own",
                  func->name.name->text);
  return callee;
}

static void read_request(Eval *ev, void *data) {
  RequestParse *p = data;
  Expr *call = p->call;
  ModuleFrame scope;
  enter_module(ev, &scope);
  Entry *e = &p->entry;
  *e = (Entry){.callee = callee_value(ev, call->call.func), .span = call->span};
  const Function *function = callee_of(ev, e->callee).function;
  if (function) map_set(p->asked, function, p->asked);
  Value *items = ARENA_ARRAY(ev->arena, Value, call->call.args.count + 1);
  for (size_t i = 0; i < call->call.args.count; i++) {
    Expr *arg = call->call.args.items[i];
    if (arg->kind == EX_STARRED)
      eval_raise_at(ev, arg->span, ev->types.TypeError, "'*' cannot be used in --entry");
    items[i] = argument_value(ev, p, arg, i, NULL);
  }
  Value *kw_values = ARENA_ARRAY(ev->arena, Value, call->call.keyword_count + 1);
  Name *kw_names = ARENA_ARRAY(ev->arena, Name, call->call.keyword_count + 1);
  for (size_t i = 0; i < call->call.keyword_count; i++) {
    const Keyword *k = &call->call.keywords[i];
    if (!k->name)
      eval_raise_at(ev, k->value->span, ev->types.TypeError, "'**' cannot be used in --entry");
    kw_names[i] = k->name;
    kw_values[i] = argument_value(ev, p, k->value, 0, k->name);
  }
  e->args = (Args){call->call.args.count, items, call->call.keyword_count, kw_names, kw_values};
  e->arg_names = argument_names(ev, e);
  e->sizes = map_new(ev->arena);
  p->is_wrong = !check_annotations(ev, call, e);
  e->name = entry_name(ev, p, call->call.func);
  ev->frame = scope.saved;
}

// The name of "name = call(…)", and where the call begins.
static Name split_name(Eval *ev, Str text, uint32_t *call) {
  *call = 0;
  Name name = NULL;
  for (size_t i = 0; i < text.len && text.data[i] != '(' && !name; i++) {
    if (text.data[i] != '=') continue;
    size_t begin = 0, end = i;
    while (begin < end && text.data[begin] == ' ') begin++;
    while (end > begin && text.data[end - 1] == ' ') end--;
    name = name_intern(ev->session->interner, (Str){text.data + begin, end - begin});
    *call = (uint32_t)i + 1;
  }
  while (*call < text.len && text.data[*call] == ' ') ++*call;
  return name;
}

static bool is_c_identifier(Name name) {
  for (uint32_t i = 0; i < name->len; i++) {
    char c = name->text[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && !(i > 0 && c >= '0' && c <= '9')) return false;
  }
  return name->len > 0;
}

// The call that the text is, behind a name for it if one is given.
static bool parse_call(Eval *ev, Str text, RequestParse *p) {
  SourceFile *file = source_add(ev->session, STR("<command line>"), text, false);
  Span all = {file->id, 0, (uint32_t)text.len};
  if (p->name && !is_c_identifier(p->name)) {
    diag_error(ev->session, all, "'%s' cannot be the name of a C function", p->name->text);
    return false;
  }
  p->call = syntax_parse_expression_from(ev->session, file, p->begin);
  if (!p->call) return false;
  if (p->call->kind == EX_CALL || p->call->kind == EX_NAME || p->call->kind == EX_ATTRIBUTE)
    return true;
  diag_error(ev->session, p->call->span, ENTRY_NO_CALL);
  return false;
}

// Runs what evaluates expressions of the command line; `f32[8, 128]` is there for a .py file as
// well.
static bool evaluate(Eval *ev, void (*body)(Eval *, void *), RequestParse *p) {
  Frame *frame = ev->frame;
  bool customary = ev->main->has_customary;
  ev->main->has_customary = true;
  bool ok = eval_protect(ev, body, p);
  ev->main->has_customary = customary;
  ev->frame = frame;
  return ok;
}

// Of an entry that is no call: what it names.
static void read_named(Eval *ev, void *data) {
  RequestParse *p = data;
  ModuleFrame scope;
  enter_module(ev, &scope);
  p->entry.callee = callee_value(ev, p->call);
  p->entry.name = entry_name(ev, p, p->call);
  const Function *function = callee_of(ev, p->entry.callee).function;
  if (function) map_set(p->asked, function, p->asked);
  ev->frame = scope.saved;
}

// "add": the types are those of its annotations.
static bool trace_named(Eval *ev, RequestParse *p) {
  AnnotatedSearch search = {.value = p->entry.callee, .name = p->entry.name};
  if (!trace_if_entry(ev, &search)) return false;
  if (search.is_entry) return true;
  Diag *diag = diag_error(ev->session, p->call->span,
                          "'%s' is no function with annotated array parameters", search.name->text);
  diag_kind(diag, DIAG_ENTRY_UNTYPED);
  diag_help(diag,
            str_format(ev->arena, "give the types of its arguments: --entry '%s(f32[512,512])'",
                       search.name->text));
  return false;
}

static void read_sets(Eval *ev, void *data) {
  RequestParse *p = data;
  ModuleFrame scope;
  enter_module(ev, &scope);
  size_sets_read(ev, p->call, callee_value(ev, p->call->call.func), &p->sets);
  if (p->sets.sets.count) p->name = entry_name(ev, p, p->call->call.func);
  ev->frame = scope.saved;
}

// "softmax.256"
static Name member_name(Eval *ev, const IrFamily *family, const int64_t *sizes) {
  Buf buf;
  buf_init(&buf, ev->arena);
  buf_c(&buf, family->name->text);
  for (size_t i = 0; i < family->count; i++)
    buf_printf(&buf, i ? "_%lld" : ".%lld", (long long)sizes[i]);
  return name_intern(ev->session->interner, buf_view(&buf));
}

// One of a family: the text with sizes in it is an entry by itself.
static bool trace_member(Eval *ev, const RequestParse *all, Str text, IrFamily *family,
                         const int64_t *sizes) {
  RequestParse p = {
      .request = all->request, .asked = all->asked, .name = family->name, .begin = all->begin};
  if (!parse_call(ev, size_sets_text(ev->arena, &all->sets, text, sizes), &p)) return false;
  if (!evaluate(ev, read_request, &p) || p.is_wrong) return false;
  p.entry.name = member_name(ev, family, sizes);
  p.entry.family = family;
  p.entry.func_sizes = sizes;
  return trace_protected(ev, &p.entry);
}

static bool trace_family(Eval *ev, RequestParse *p, Str text) {
  Session *session = ev->session;
  const SizeSets *sets = &p->sets;
  Name names[IR_MAX_SIZES];
  for (size_t i = 0; i < sets->sets.count; i++) names[i] = sets->sets.items[i].name;
  IrFamily *family = ir_family_new(eager_entries(ev), p->name, sets->sets.count, names);
  size_t good = 0;
  for (size_t i = 0; i < sets->combinations; i++) {
    int64_t *sizes = ARENA_ARRAY(ev->arena, int64_t, family->count);
    size_sets_choose(sets, i, sizes);
    session->diag_case = (DiagCase){ir_sizes_text(ev->arena, family, sizes), sets->combinations};
    session_progress(session, "tracing", i, sets->combinations, session->diag_case.text);
    good += trace_member(ev, p, text, family, sizes);
  }
  session->diag_case = (DiagCase){0};
  if (good == sets->combinations) return true;
  if (good > 0 && sets->sets.count > 1 && session->last_diag && !session->last_diag->help.len)
    diag_help(session->last_diag,
              STR("sets of different names make all combinations; dimensions "
                  "that vary together take one name: f32[n := {8,16}], f32[n]"));
  return false;
}

// ---- names that are not there -------------------------------------------------------------------
enum { MOST_FUNCTIONS = 8 }; // that are listed

// Whether it is a public function of the file itself.
static bool is_own_function(Eval *ev, const DictEntry *entry, Str *name) {
  if (!value_as_str(entry->key, name) || !name->len || name->data[0] == '_') return false;
  Function *f = callee_function(ev, entry->value);
  return f && f->module == ev->main;
}

Str entry_functions(Eval *ev) {
  Buf list;
  buf_init(&list, ev->arena);
  size_t count = 0;
  DictEntry *entry;
  for (size_t it = 0; dict_next(ev->main->dict, &it, &entry);) {
    Str name;
    if (!is_own_function(ev, entry, &name) || count++ >= MOST_FUNCTIONS) continue;
    buf_printf(&list, "%s'%.*s'", count == 1 ? "" : ", ", STR_FMT(name));
  }
  if (!count) return STR("the file defines no functions");
  if (count > MOST_FUNCTIONS) buf_printf(&list, " and %zu more", count - MOST_FUNCTIONS);
  return str_format(ev->arena, "the file defines %.*s", STR_FMT(buf_view(&list)));
}

// A name that is not there: of a function, which there are; among the dimensions of a type,
// f32[n,128], it was probably meant as any size.
static void help_names(Eval *ev, const RequestParse *p, Str text) {
  const Expr *callee = p->call->kind == EX_CALL ? p->call->call.func : p->call;
  Diag *diag = diag_last(ev->session, DIAG_NAME_ERROR);
  if (!diag || diag->span.file != p->call->span.file || diag->help.len) return;
  if (diag->span.begin < callee->span.end) {
    diag_help(diag, entry_functions(ev));
    return;
  }
  int depth = 0;
  for (size_t i = 0; i < diag->span.begin && i < text.len; i++)
    depth += (text.data[i] == '[') - (text.data[i] == ']');
  if (depth == 0 || p->request->has_values) return;
  diag_kind(diag, DIAG_SIZE_UNKNOWN);
  diag_help(diag, STR("a dimension is a number, or a set of the sizes that there is code for: "
                      "f32[n := {256,512},128]"));
}

static bool trace_request(Eval *ev, const EntryRequest *request, Map *asked) {
  Str text = request->text;
  RequestParse p = {.request = request, .asked = asked};
  p.name = split_name(ev, text, &p.begin);
  if (!parse_call(ev, text, &p)) return false;
  bool is_call = p.call->kind == EX_CALL;
  bool ok = evaluate(ev, is_call ? read_sets : read_named, &p);
  if (ok && p.sets.sets.count) return trace_family(ev, &p, text);
  ok = ok && (!is_call || evaluate(ev, read_request, &p));
  if (!ok) help_names(ev, &p, text);
  if (ok && !is_call) return trace_named(ev, &p);
  return ok && !p.is_wrong && trace_protected(ev, &p.entry);
}

typedef struct DroppedSearch {
  Map *asked;
  Value value;
  bool is_dropped;
} DroppedSearch;

static void find_dropped(Eval *ev, void *data) {
  DroppedSearch *s = data;
  Function *f = callee_function(ev, s->value);
  s->is_dropped = false;
  if (!f || !f->def || f->module != ev->main || map_has(s->asked, f)) return;
  for (size_t i = 0; i < f->params->count && !s->is_dropped; i++)
    s->is_dropped = f->params->items[i].annotation &&
                    !v_is_unbound(argument_type(ev, function_annotation_type(ev, f, i)));
}

// Annotated functions are entry points where no entry is named, and only there.
static void report_dropped(Eval *ev, Map *asked) {
  DictEntry *item;
  Buf names;
  buf_init(&names, ev->arena);
  Span first = {0};
  size_t count = 0;
  for (size_t it = 0; dict_next(ev->main->dict, &it, &item);) {
    Str name;
    Value ignored;
    DroppedSearch s = {.asked = asked, .value = item->value};
    if (item->value.kind != V_OBJECT || !value_as_str(item->key, &name) ||
        !eval_try(ev, find_dropped, &s, &ignored) || !s.is_dropped)
      continue;
    const Function *f = callee_function(ev, item->value);
    map_set(asked, f, asked);
    if (!count++) first = f->def->function.name_span;
    buf_printf(&names, "%s'%.*s'", names.len ? ", " : "", STR_FMT(name));
  }
  if (!count) return;
  Diag *diag = diag_warning(
      ev->session, WARN_HINT, first,
      "%.*s %s annotated, and no entry point%s: with --entry only those that it names are",
      STR_FMT(buf_view(&names)), count == 1 ? "is" : "are", PLURAL(count));
  diag_help(diag, STR("--entry 'NAME(TYPES)' for each of them, or annotations alone"));
}

bool entry_trace(Eval *ev, const EntryRequest *requests, size_t count, bool hints) {
  if (count == 0) return trace_annotated(ev);
  Map *asked = map_new(ev->arena);
  bool ok = true;
  for (size_t i = 0; i < count; i++) {
    session_progress(ev->session, "tracing", i, count, requests[i].text);
    ok &= trace_request(ev, &requests[i], asked);
  }
  if (ok && hints) report_dropped(ev, asked);
  return ok;
}
