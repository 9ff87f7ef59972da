// SPDX-License-Identifier: Apache-2.0
// The module decimal: numbers and contexts as Python's objects (std_decimal.c, decimal_context.c,
// decimal_convert.c).
#pragma once
#include "decimal_number.h"
#include "python/values/builtin_state.h"
#include "python/values/values.h"

typedef struct DecimalObject {
  Object base;
  DecimalKind kind;
  bool negative;
  int64_t exponent;
  size_t size;
  mp_limb_t limbs[];
} DecimalObject;

typedef struct DecimalContext {
  Object base;
  int64_t prec, emin, emax;
  DecimalRounding rounding;
  bool clamp, capitals;
  unsigned flags, traps;      // DecimalStatus
  Value flag_dict, trap_dict; // as mappings, once asked for; else unbound
} DecimalContext;

typedef struct DecimalPower {
  const mp_limb_t *limbs;
  size_t size;
} DecimalPower;
enum { DECIMAL_KEPT_POWERS = 512 };

typedef struct DecimalState {
  Type *decimal, *context;
  DecimalContext *current;
  DecimalPower powers[DECIMAL_KEPT_POWERS]; // of ten, once asked for
  mp_limb_t reciprocals[20];                // of those of one limb, once asked for
  DecimalPower ln_ten;                      // in fixed point, of so many bits
  int64_t ln_ten_bits;
} DecimalState;
static inline DecimalState *decimal_state(const Eval *ev) { return ev->builtin->decimal; }

// ---- decimal_convert.c --------------------------------------------------------------------------
static inline DecimalObject *value_as_decimal(const Eval *ev, Value v) { // or NULL
  v = value_unwrap(v);
  if (v.kind != V_OBJECT || v.o->type != decimal_state(ev)->decimal) return NULL;
  return (DecimalObject *)v.o;
}
// The number of an object; its limbs are that one's.
static inline void num_view(Num *n, DecimalObject *object) {
  n->kind = object->kind;
  n->negative = object->negative;
  n->exponent = object->exponent;
  n->size = object->size;
  n->limbs = object->limbs;
}
Value make_decimal(Eval *ev, const Num *n);
// A Decimal or an int of any size; false if it is neither.
bool decimal_operand(Calc *c, Value v, Num *out);
void take_decimal(Calc *c, Value v, Num *out); // raises TypeError
// What Decimal(v) or context.create_decimal(v) makes of a text, a tuple, a number. `context` NULL:
// exactly; else rounded by it.
Value decimal_of_value(Eval *ev, Value v, DecimalContext *context, DecimalContext *reports);
Value decimal_to_int(Eval *ev, const Num *n, DecimalRounding rounding);
Value decimal_to_ratio(Eval *ev, const Num *n);
double decimal_to_double(Eval *ev, const Num *n);
uint64_t decimal_hash(Eval *ev, Value self);
Value decimal_compare(Eval *ev, CompareOp op, Value left, Value right);

// ---- decimal_context.c --------------------------------------------------------------------------
void decimal_context_init(Eval *ev, ModuleObject *module);
DecimalContext *decimal_first(Eval *ev); // the one of the program's start
static inline DecimalContext *decimal_current(Eval *ev) {
  DecimalContext *current = decimal_state(ev)->current;
  return current ? current : decimal_first(ev);
}
DecimalContext *value_as_context(const Eval *ev, Value v); // or NULL
DecimalContext *take_context(Eval *ev, Value v);           // None: the current one
static inline Calc calc_of(Eval *ev, const DecimalContext *context) {
  return (Calc){.ev = ev,
                .prec = context->prec,
                .emin = context->emin,
                .emax = context->emax,
                .rounding = context->rounding,
                .clamp = context->clamp};
}
// What operations have found: kept as flags; raises what is trapped.
void decimal_report(Eval *ev, DecimalContext *context, unsigned status);
DecimalRounding take_rounding(Eval *ev, Value v);
// A number that has been computed, once all has been reported.
static inline Value decimal_result(DecimalContext *context, Calc *c, const Num *n) {
  if (c->status) decimal_report(c->ev, context, c->status);
  return make_decimal(c->ev, n);
}
// The methods of contexts that compute: std_decimal.c has them.
extern const NativeDef decimal_context_operations[];
extern const NativeDef decimal_functions[]; // of the module
