// SPDX-License-Identifier: Apache-2.0
// Equations that are not as JAX writes them: too few operands, a parameter left out, a record
// without a field. In: what the library's function for the equation has raised, which speaks of
// that function. Out: an exception that speaks of the primitive, its operands and its parameters.
#include "base/plural.h"
#include "base/buf.h"
#include "jaxpr_refusal.h"
#include <string.h>
#include "jaxpr_value.h"
#include "python/objects/protocol.h"
#include "python/objects/signature.h"
#include "python/objects/type_lookup.h"
#include "python/values/raise.h"
#include "python/values/values.h"

// ---- operands and parameters --------------------------------------------------------------------
// What the function takes in front: `least` to `most` operands.
typedef struct Taken {
  size_t least, most;
  Str lacking; // a parameter of the equation that is not given and must be, or empty
} Taken;

static const Params *params_of(Eval *ev, Value function, const Value **defaults) {
  if (function.kind != V_OBJECT) return NULL;
  if (function.o->type == ev->types.native)
    return native_params(ev, (NativeFunction *)function.o, defaults);
  if (function.o->type != ev->types.function) return NULL;
  *defaults = ((const Function *)function.o)->defaults;
  return ((const Function *)function.o)->params;
}

// The equation's own name of the parameter that the function knows by this keyword; else empty.
static Str own_name(const Primitive *row, Name keyword) {
  PrimitiveParam param;
  for (const char *rest = row->params; primitive_param(&rest, &param);)
    if (!param.dropped && str_equal(param.keyword, name_str(keyword))) return param.name;
  return (Str){0};
}

static bool is_given(const Args *args, Name keyword) {
  for (size_t i = 0; i < args->kw_count; i++)
    if (args->kw_names[i] == keyword) return true;
  return false;
}

static Taken taken_by(const Primitive *row, const Params *params, const Value *defaults,
                      const Args *args) {
  Taken taken = {0};
  for (size_t i = 0; i < params->count; i++) {
    bool is_rest = (params->has_varargs && i == params->positional) ||
                   (params->has_kwargs && i == params->count - 1);
    if (is_rest) continue;
    bool must = !defaults || defaults[i].kind == V_UNBOUND;
    Str own = own_name(row, params->items[i].name);
    if (!own.len && i < params->positional) {
      taken.most++;
      taken.least += must;
    } else if (own.len && must && !taken.lacking.len && !is_given(args, params->items[i].name)) {
      taken.lacking = own;
    }
  }
  if (params->has_varargs) taken.most = SIZE_MAX;
  return taken;
}

// Returns if the operands and parameters are those that the function takes.
static void refuse_arguments(Eval *ev, const Primitive *row, Value function, const Args *args) {
  const Value *defaults = NULL;
  const Params *params = params_of(ev, function, &defaults);
  if (!params || row->params[0] == '*') return;
  Taken taken = taken_by(row, params, defaults, args);
  if (taken.lacking.len)
    eval_raise(ev, ev->types.ValueError, "the primitive '%s' lacks the parameter '%.*s'", row->name,
               STR_FMT(taken.lacking));
  if (args->count >= taken.least && args->count <= taken.most) return;
  bool is_few = args->count < taken.least;
  size_t bound = is_few ? taken.least : taken.most;
  const char *range = taken.least == taken.most ? "" : is_few ? "at least " : "at most ";
  eval_raise(ev, ev->types.ValueError, "the primitive '%s' has %zu operand%s, where it takes %s%zu",
             row->name, args->count, PLURAL(args->count), range, bound);
}

// ---- values of parameters -----------------------------------------------------------------------
static bool has_field(const JaxprValue *record, Name name) {
  for (size_t i = 0; i < record->fields.count; i++)
    if (record->fields.items[i].name == name) return true;
  return false;
}

// A record in the value, or the value itself, that lacks the field; NULL: there is none.
static const JaxprValue *find_lacking(Eval *ev, const JaxprValue *value, Str kind, Name field) {
  eval_check_stack(ev);
  if (!value) return NULL;
  if (value->kind == JAXPR_RECORD && str_equal(name_str(value->name), kind) &&
      !has_field(value, field))
    return value;
  const JaxprValue *found = NULL;
  for (size_t i = 0; !found && i < value->items.count; i++)
    found = find_lacking(ev, value->items.items[i], kind, field);
  for (size_t i = 0; !found && i < value->fields.count; i++)
    found = find_lacking(ev, value->fields.items[i].value, kind, field);
  return found;
}

// 'a', 'b': the parameters that the function gets.
static Str parameter_names(Eval *ev, const Args *args, const Primitive *row) {
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = 0; i < args->kw_count; i++)
    buf_printf(&buf, "%s'%.*s'", i ? ", " : "", STR_FMT(own_name(row, args->kw_names[i])));
  return buf_view(&buf);
}

// Something was read as a record with the attribute, and is not one.
NORETURN static void refuse_attribute(Eval *ev, const JaxprEquation *e, const Primitive *row,
                                      const Args *args, const ExceptionObject *exception) {
  Str kind;
  if (jaxpr_record_kind(ev, exception->object, &kind))
    for (size_t i = 0; i < e->params.count; i++)
      if (find_lacking(ev, e->params.items[i].value, kind, exception->name))
        eval_raise(ev, ev->types.ValueError,
                   "the primitive '%s' has %.*s without the field '%s' in its parameter '%s'",
                   row->name, STR_FMT(kind), exception->name->text, e->params.items[i].name->text);
  bool is_class = strcmp(exception->name->text, "kind_") == 0; // what any record is asked for
  Str wanted =
      is_class ? STR("a record") : str_format(ev->arena, "one with '%s'", exception->name->text);
  Str names = parameter_names(ev, args, row);
  eval_raise(ev, ev->types.ValueError,
             "the primitive '%s' has a value of type '%s' where it takes %.*s, among its "
             "operands%s%.*s",
             row->name, value_type_name(ev, exception->object), STR_FMT(wanted),
             names.len ? " and in its parameters " : "", STR_FMT(names));
}

void jaxpr_refuse(Eval *ev, const JaxprEquation *e, const Primitive *row, Value function,
                  const Args *args, Value value) {
  const ExceptionObject *exception = (const ExceptionObject *)value.o;
  const Type *type = exception->instance.base.type;
  if (type == ev->types.TypeError) refuse_arguments(ev, row, function, args);
  if (type == ev->types.AttributeError && exception->name)
    refuse_attribute(ev, e, row, args, exception);
  if (type == ev->types.KeyError || type == ev->types.IndexError ||
      type == ev->types.AssertionError || type == ev->types.AttributeError) {
    Str names = parameter_names(ev, args, row);
    eval_raise(ev, ev->types.ValueError,
               "the operands of the primitive '%s' do not fit together%s%.*s", row->name,
               names.len ? " with its parameters " : "", STR_FMT(names));
  }
  eval_raise_value(ev, value);
}
