// SPDX-License-Identifier: Apache-2.0
// Contexts of decimal numbers: how they round, what has been signalled, what is raised.
#include "base/buf.h"
#include "std_decimal.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/builtin_int.h"
#include "python/builtins/builtin_wrap.h"
#include "python/modules/module.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/objects/protocol.h"
#include "python/objects/value_call.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/values.h"
#include <string.h>

static const char *const rounding_names[] = {
    [DECIMAL_UP] = "ROUND_UP",
    [DECIMAL_DOWN] = "ROUND_DOWN",
    [DECIMAL_CEILING] = "ROUND_CEILING",
    [DECIMAL_FLOOR] = "ROUND_FLOOR",
    [DECIMAL_HALF_UP] = "ROUND_HALF_UP",
    [DECIMAL_HALF_DOWN] = "ROUND_HALF_DOWN",
    [DECIMAL_HALF_EVEN] = "ROUND_HALF_EVEN",
    [DECIMAL_05UP] = "ROUND_05UP",
};

DecimalRounding take_rounding(Eval *ev, Value v) {
  Str name;
  if (value_as_str(v, &name))
    for (unsigned i = 0; i <= DECIMAL_05UP; i++)
      if (str_is(name, rounding_names[i])) return (DecimalRounding)i;
  eval_raise(
      ev, ev->types.TypeError,
      "valid values for rounding are:\n  [ROUND_CEILING, ROUND_FLOOR, ROUND_UP, ROUND_DOWN,\n"
      "   ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN,\n   ROUND_05UP]");
}

static Value make_rounding(Eval *ev, DecimalRounding rounding) {
  return make_name(ev, name_of(ev, rounding_names[rounding]));
}

DecimalContext *value_as_context(const Eval *ev, Value v) {
  v = value_unwrap(v);
  if (v.kind != V_OBJECT || v.o->type != decimal_state(ev)->context) return NULL;
  return (DecimalContext *)v.o;
}

static DecimalContext *self_context(Value self) { return (DecimalContext *)value_unwrap(self).o; }

DecimalContext *take_context(Eval *ev, Value v) {
  if (v.kind == V_NONE || v.kind == V_UNBOUND) return decimal_current(ev);
  DecimalContext *context = value_as_context(ev, v);
  if (!context) eval_raise(ev, ev->types.TypeError, "optional argument must be a context");
  return context;
}

void decimal_report(Eval *ev, DecimalContext *context, unsigned status) {
  context->flags |= status;
  unsigned trapped = status & context->traps;
  if (!trapped) return;
  Value bits = v_int(trapped);
  value_call_n(ev, module_lookup(ev, "decimal._signals", "_raise"), 1, &bits);
}

DecimalContext *decimal_first(Eval *ev) {
  Value fresh = value_call_n(ev, module_lookup(ev, "decimal", "_first_context"), 0, NULL);
  return decimal_state(ev)->current = self_context(fresh);
}

// ---- attributes ---------------------------------------------------------------------------------
static int64_t take_bound(Eval *ev, Value v, int64_t low, int64_t high, const char *message) {
  if (!value_is_int(v)) eval_raise(ev, ev->types.TypeError, "an integer is required");
  int64_t i = take_index_clamped(ev, v);
  if (i < low || i > high) eval_raise(ev, ev->types.ValueError, "%s", message);
  return i;
}

static unsigned bits_of(Eval *ev, Value v) {
  return (unsigned)take_index64(
      ev, value_call_n(ev, module_lookup(ev, "decimal._signals", "_bits_of"), 1, &v));
}

static bool set_attribute(Eval *ev, DecimalContext *context, const char *name, Value v) {
  if (strcmp(name, "prec") == 0)
    context->prec = take_bound(ev, v, 1, DECIMAL_MAX_PREC, "valid range for prec is [1, MAX_PREC]");
  else if (strcmp(name, "Emin") == 0)
    context->emin =
        take_bound(ev, v, -DECIMAL_MAX_EMAX, 0, "valid range for Emin is [MIN_EMIN, 0]");
  else if (strcmp(name, "Emax") == 0)
    context->emax = take_bound(ev, v, 0, DECIMAL_MAX_EMAX, "valid range for Emax is [0, MAX_EMAX]");
  else if (strcmp(name, "capitals") == 0)
    context->capitals = take_bound(ev, v, 0, 1, "valid values for capitals are 0 or 1") != 0;
  else if (strcmp(name, "clamp") == 0)
    context->clamp = take_bound(ev, v, 0, 1, "valid values for clamp are 0 or 1") != 0;
  else if (strcmp(name, "rounding") == 0)
    context->rounding = take_rounding(ev, v);
  else if (strcmp(name, "flags") == 0)
    context->flags = bits_of(ev, v);
  else if (strcmp(name, "traps") == 0)
    context->traps = bits_of(ev, v);
  else if (strcmp(name, "_flags") == 0)
    context->flags = (unsigned)take_index64(ev, v);
  else if (strcmp(name, "_traps") == 0)
    context->traps = (unsigned)take_index64(ev, v);
  else
    return false;
  return true;
}

static bool context_setattr(Eval *ev, Value self, Name name, Value v) {
  DecimalContext *context = self_context(self);
  if (v_is_unbound(v))
    eval_raise(ev, ev->types.AttributeError, "context attributes cannot be deleted");
  // Only Context() takes lists of signals.
  if (value_as_list(v) && (strcmp(name->text, "flags") == 0 || strcmp(name->text, "traps") == 0))
    eval_raise(ev, ev->types.TypeError, "argument must be a signal dict");
  return set_attribute(ev, context, name->text, v);
}

static Value mapping(Eval *ev, Value self, Value *kept, const char *attribute) {
  if (kept->kind != V_OBJECT) {
    Value args[] = {value_unwrap(self), make_str_c(ev, attribute)};
    *kept = value_call_n(ev, module_lookup(ev, "decimal._signals", "SignalDict"), 2, args);
  }
  return *kept;
}
static Value context_getattr(Eval *ev, Value self, Name name) {
  DecimalContext *context = self_context(self);
  const char *text = name->text;
  if (strcmp(text, "prec") == 0) return v_int(context->prec);
  if (strcmp(text, "Emin") == 0) return v_int(context->emin);
  if (strcmp(text, "Emax") == 0) return v_int(context->emax);
  if (strcmp(text, "clamp") == 0) return v_int(context->clamp);
  if (strcmp(text, "capitals") == 0) return v_int(context->capitals);
  if (strcmp(text, "rounding") == 0) return make_rounding(ev, context->rounding);
  if (strcmp(text, "flags") == 0) return mapping(ev, self, &context->flag_dict, "_flags");
  if (strcmp(text, "traps") == 0) return mapping(ev, self, &context->trap_dict, "_traps");
  if (strcmp(text, "_flags") == 0) return v_int(context->flags);
  if (strcmp(text, "_traps") == 0) return v_int(context->traps);
  return v_unbound();
}

// ---- making -------------------------------------------------------------------------------------
static DecimalContext *context_new(Eval *ev) {
  DecimalContext *context = ARENA_NEW(ev->arena, DecimalContext);
  *context = (DecimalContext){.base = {decimal_state(ev)->context},
                              .prec = 28,
                              .emin = -999999,
                              .emax = 999999,
                              .rounding = DECIMAL_HALF_EVEN,
                              .capitals = true,
                              .flag_dict = v_unbound(),
                              .trap_dict = v_unbound()};
  return context;
}

static Value context_make(Eval *ev, Value *a) { // cls, *args, **kwargs
  Type *cls = (Type *)a[0].o;
  DecimalContext *context = context_new(ev);
  context->traps = DECIMAL_INVALID_OPERATION | DECIMAL_BY_ZERO | DECIMAL_OVERFLOW;
  return payload_wrap(ev, cls, decimal_state(ev)->context, v_object(context));
}

static Value context_init(Eval *ev, Value *a) {
  static const char *const names[] = {"prec",     "rounding", "Emin",  "Emax",
                                      "capitals", "clamp",    "flags", "traps"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!v_is_none(a[i + 1])) set_attribute(ev, self_context(a[0]), names[i], a[i + 1]);
  return v_none();
}

static Value copy_of(Eval *ev, const DecimalContext *from) {
  DecimalContext *context = context_new(ev);
  *context = *from;
  context->base.type = decimal_state(ev)->context;
  context->flag_dict = context->trap_dict = v_unbound();
  return v_object(context);
}

static Value context_copy(Eval *ev, Value *a) { return copy_of(ev, self_context(a[0])); }

static Value clear_flags(Eval *ev UNUSED, Value *a) {
  self_context(a[0])->flags = 0;
  return v_none();
}

static Value clear_traps(Eval *ev UNUSED, Value *a) {
  self_context(a[0])->traps = 0;
  return v_none();
}

static Value etiny(Eval *ev, Value *a) {
  Calc c = calc_of(ev, self_context(a[0]));
  return v_int(calc_etiny(&c));
}

static Value etop(Eval *ev, Value *a) {
  Calc c = calc_of(ev, self_context(a[0]));
  return v_int(calc_etop(&c));
}

static Value signal_list(Eval *ev, unsigned bits) {
  Value v = v_int(bits);
  return value_call_n(ev, module_lookup(ev, "decimal._signals", "_signals_of"), 1, &v);
}

static Str context_repr(Eval *ev, Value self) {
  const DecimalContext *context = self_context(self);
  Value bits[] = {v_int(context->flags), v_int(context->traps)};
  Value lists = value_call_n(ev, module_lookup(ev, "decimal._signals", "_names_of"), 2, bits);
  Buf out;
  buf_init(&out, ev->arena);
  buf_printf(
      &out, "Context(prec=%lld, rounding=%s, Emin=%lld, Emax=%lld, capitals=%d, clamp=%d, %.*s)",
      (long long)context->prec, rounding_names[context->rounding], (long long)context->emin,
      (long long)context->emax, context->capitals, context->clamp, STR_FMT(value_str(ev, lists)));
  return buf_view(&out);
}

static Value context_reduce(Eval *ev, Value *a) {
  const DecimalContext *context = self_context(a[0]);
  Value values[] = {v_int(context->prec),
                    make_rounding(ev, context->rounding),
                    v_int(context->emin),
                    v_int(context->emax),
                    v_int(context->capitals),
                    v_int(context->clamp),
                    signal_list(ev, context->flags),
                    signal_list(ev, context->traps)};
  Value pair[] = {v_object(a[0].o->type), make_tuple(ev, 8, values)};
  return make_tuple(ev, 2, pair);
}

// ---- the current one ----------------------------------------------------------------------------
static Value get_context(Eval *ev, Value *a UNUSED) { return v_object(decimal_current(ev)); }

static Value set_context(Eval *ev, Value *a) {
  DecimalContext *context = value_as_context(ev, a[0]);
  if (!context) eval_raise(ev, ev->types.TypeError, "argument must be a context");
  static const char *const templates[] = {"DefaultContext", "BasicContext", "ExtendedContext"};
  for (size_t i = 0; i < sizeof templates / sizeof *templates; i++) {
    if (value_is(module_lookup(ev, "decimal", templates[i]), v_object(context))) {
      context = (DecimalContext *)copy_of(ev, context).o;
      context->flags = 0;
    }
  }
  decimal_state(ev)->current = context;
  return v_none();
}

static const NativeDef own_methods[] = {
    {"__new__(cls, /, *args, **kwargs)", context_make},
    {"__init__(self, prec=None, rounding=None, Emin=None, Emax=None, capitals=None, clamp=None, "
     "flags=None, traps=None)",
     context_init},
    {"copy(self, /)", context_copy},
    {"__copy__(self, /)", context_copy},
    {"clear_flags(self, /)", clear_flags},
    {"clear_traps(self, /)", clear_traps},
    {"Etiny(self, /)", etiny},
    {"Etop(self, /)", etop},
    {"__reduce__(self, /)", context_reduce},
    {0},
};

void decimal_context_init(Eval *ev, ModuleObject *module) {

  size_t own = sizeof own_methods / sizeof *own_methods - 1, count = 0;
  while (decimal_context_operations[count].signature) count++;
  NativeDef *methods = ARENA_ARRAY(ev->arena, NativeDef, own + count + 1);
  for (size_t i = 0; i < own; i++) methods[i] = own_methods[i];
  for (size_t i = 0; i <= count; i++) methods[own + i] = decimal_context_operations[i];
  NativeType type = {.slots = {.getattr = context_getattr,
                               .attributes = "prec Emin Emax clamp capitals rounding flags traps",
                               .setattr = context_setattr,
                               .repr = context_repr},
                     .methods = methods};
  decimal_state(ev)->context = native_type_new(ev, "decimal", "Context", NULL, &type);
  module_set(ev, module, "Context", v_object(decimal_state(ev)->context));
}

const NativeDef decimal_functions[] = {
    {"getcontext()", get_context}, {"setcontext(context, /)", set_context}, {0}};
