// SPDX-License-Identifier: Apache-2.0
// Functions written in C: their signatures, which are read from text when first needed, and their
// calls.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "python/values/evaluator_state.h"
#include "bind.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "protocol.h"
#include "signature.h"
#include "type_lookup.h"

// ---- reading the text ---------------------------------------------------------------------------
typedef struct Reader {
  Eval *ev;
  const char *at;
  const char *text; // for messages
} Reader;

static void skip_blanks(Reader *r) {
  while (*r->at == ' ' || *r->at == '\n') r->at++;
}

static bool accept(Reader *r, const char *token) {
  skip_blanks(r);
  size_t len = strlen(token);
  if (strncmp(r->at, token, len) != 0) return false;
  r->at += len;
  return true;
}

static Str read_identifier(Reader *r) {
  skip_blanks(r);
  const char *begin = r->at;
  while (isalnum((unsigned char)*r->at) || *r->at == '_') r->at++;
  if (r->at == begin) BUG("a parameter is missing in the signature '%s'", r->text);
  return (Str){begin, (size_t)(r->at - begin)};
}

static Value read_number(Reader *r) {
  char *end;
  double real = strtod(r->at, &end);
  bool is_int = true;
  for (const char *p = r->at; p < end; p++)
    if (!isdigit((unsigned char)*p) && *p != '-') is_int = false;
  if (end == r->at) BUG("no literal in the signature '%s'", r->text);
  Value value = is_int ? v_int(strtoll(r->at, NULL, 10)) : v_float(real);
  r->at = end;
  return value;
}

// The literals that defaults are made of.
static Value read_default(Reader *r) {
  Eval *ev = r->ev;
  skip_blanks(r);
  if (accept(r, "None")) return v_none();
  if (accept(r, "True")) return v_bool(true);
  if (accept(r, "False")) return v_bool(false);
  if (accept(r, "...")) return v_ellipsis();
  if (*r->at == '\'' || *r->at == '"') {
    char quote = *r->at++;
    const char *begin = r->at;
    while (*r->at && *r->at != quote) r->at++;
    Value text = make_str(ev, (Str){begin, (size_t)(r->at - begin)});
    if (*r->at) r->at++;
    return text;
  }
  if (accept(r, "(")) {
    List *items = list_new(ev, 0);
    while (!accept(r, ")")) {
      list_push(ev, items, read_default(r));
      accept(r, ",");
    }
    return make_tuple(ev, items->count, items->items);
  }
  return read_number(r);
}

static size_t count_parameters(const char *text) {
  size_t count = 1;
  for (; *text; text++) count += *text == ',';
  return count;
}

static NativeSignature *parse(Eval *ev, const NativeDef *def) {
  Reader r = {ev, def->signature, def->signature};
  NativeSignature *s = ARENA_NEW(ev->arena, NativeSignature);
  size_t most = count_parameters(def->signature);
  Params *params = &s->params;
  params->items = ARENA_ARRAY(ev->arena, Param, most);
  s->defaults = ARENA_ARRAY(ev->arena, Value, most);
  s->may_lack = ARENA_ARRAY(ev->arena, bool, most);
  read_identifier(&r);
  if (!accept(&r, "(")) BUG("no parameters in the signature '%s'", r.text);
  bool after_star = false;
  while (!accept(&r, ")")) {
    size_t i = params->count;
    if (accept(&r, "**")) {
      params->has_kwargs = true;
    } else if (accept(&r, "*")) {
      after_star = true;
      if (accept(&r, ",")) continue;
      params->has_varargs = true;
    } else if (accept(&r, "/")) {
      params->positional_only = i;
      accept(&r, ",");
      continue;
    } else if (!after_star) {
      params->positional++;
    }
    params->items[i].name = name_intern(ev->session->interner, read_identifier(&r));
    params->count++;
    if (accept(&r, "=")) {
      skip_blanks(&r);
      if (*r.at == ',' || *r.at == ')')
        s->may_lack[i] = s->has_lacking = true;
      else
        s->defaults[i] = read_default(&r);
    }
    if (!accept(&r, ",") && *r.at != ')') BUG("bad signature '%s'", r.text);
  }
  s->is_positional = params->positional_only == params->count;
  s->required = params->count;
  while (s->required && (s->may_lack[s->required - 1] || s->defaults[s->required - 1].kind))
    s->required--;
  bool is_simple = params->count <= NATIVE_SLOTS && !params->has_varargs && !params->has_kwargs;
  s->least = is_simple ? s->required : 1;
  s->most = is_simple ? params->positional : 0;
  return s;
}

static NativeSignature *signature_of(Eval *ev, NativeFunction *f) {
  if (!f->signature) f->signature = parse(ev, f->def);
  return f->signature;
}

NativeFunction *native_new(Eval *ev, const NativeDef *def, Type *owner) {
  NativeFunction *f = ARENA_NEW(ev->arena, NativeFunction);
  f->base.type = ev->types.native;
  f->def = def;
  f->owner = owner;
  const char *open = strchr(def->signature, '(');
  if (!open) BUG("no parameters in the signature '%s'", def->signature);
  f->name =
      name_intern(ev->session->interner, (Str){def->signature, (size_t)(open - def->signature)});
  const char *first = open + 1;
  size_t len = strcspn(first, ",)=/ ");
  if (f->name == ev->names->new_)
    f->binding = NATIVE_STATIC;
  else if (len == 4 && memcmp(first, "self", 4) == 0)
    f->binding = NATIVE_METHOD;
  else if (len == 3 && memcmp(first, "cls", 3) == 0)
    f->binding = NATIVE_CLASS;
  return f;
}

// Constructors go by the name of their class, as CPython's do.
static bool is_constructor(const NativeFunction *f) {
  return f->owner &&
         (strcmp(f->name->text, "__new__") == 0 || strcmp(f->name->text, "__init__") == 0);
}

Str native_display_name(const NativeFunction *f, Arena *arena) {
  if (!f->owner) return name_str(f->name);
  if (is_constructor(f)) return name_str(f->owner->name);
  return str_format(arena, "%s.%s", f->owner->name->text, f->name->text);
}

const Params *native_params(Eval *ev, NativeFunction *f, const Value **defaults) {
  const NativeSignature *s = signature_of(ev, f);
  if (defaults) *defaults = s->defaults;
  return &s->params;
}

// ---- calls --------------------------------------------------------------------------------------
// CPython's messages for functions of C whose parameters are only positional; JAX's are no such
// functions. `hidden` is 1 if self was
// given by binding.
static void check_positional(Eval *ev, const NativeFunction *f, const NativeSignature *s,
                             const Args *args, size_t hidden) {
  const Params *params = &s->params;
  size_t most = params->count - hidden, least = most, given = args->count - hidden;
  while (least &&
         (s->may_lack[least + hidden - 1] || s->defaults[least + hidden - 1].kind != V_UNBOUND))
    least--;
  if (!args->kw_count && given >= least && given <= most) return;
  Str name = native_display_name(f, ev->arena);
  if (args->kw_count)
    eval_raise(ev, ev->types.TypeError, "%.*s() takes no keyword arguments", STR_FMT(name));
  if (most == 0)
    eval_raise(ev, ev->types.TypeError, "%.*s() takes no arguments (%zu given)", STR_FMT(name),
               given);
  if (least == 1 && most == 1)
    eval_raise(ev, ev->types.TypeError, "%.*s() takes exactly one argument (%zu given)",
               STR_FMT(name), given);
  size_t bound = given < least ? least : most;
  eval_raise(ev, ev->types.TypeError, "%s expected %s%zu argument%s, got %zu",
             is_constructor(f) ? f->owner->name->text : f->name->text,
             least == most   ? ""
             : given < least ? "at least "
                             : "at most ",
             bound, PLURAL(bound), given);
}

Type *class_argument(Eval *ev, Value cls, const Type *own) {
  const char *name = own->name->text;
  if (!value_is_type(ev, cls))
    eval_raise(ev, ev->types.TypeError, "%s.__new__(X): X is not a type object (%s)", name,
               value_type_name(ev, cls));
  Type *type = (Type *)cls.o;
  if (!type_is_subtype(type, own))
    eval_raise(ev, ev->types.TypeError, "%s.__new__(%s): %s is not a subtype of %s", name,
               type->name->text, type->name->text, name);
  return type;
}

void native_check_self(Eval *ev, const NativeFunction *f, const Value *self) {
  bool is_new = f->owner && f->name == ev->names->new_;
  if (is_new && self && self->o != &f->owner->base) class_argument(ev, *self, f->owner);
  if (f->binding != NATIVE_METHOD || !f->owner || (self && type_of(ev, *self) == f->owner)) return;
  if (!self)
    eval_raise(ev, ev->types.TypeError, "unbound method %s.%s() needs an argument",
               f->owner->name->text, f->name->text);
  type_check_self(ev, *self, f->owner, f->name->text);
}

// What CPython's constructors say when there is no class, or too much behind it.
static void check_new(Eval *ev, const NativeFunction *f, const Params *params, const Args *args) {
  const char *name = f->owner->name->text;
  size_t most = params->count - 1;
  if (args->count == 0)
    eval_raise(ev, ev->types.TypeError, "%s.__new__(): not enough arguments", name);
  if (params->has_varargs || args->count <= params->positional) return;
  bool has_keyword_only = params->positional < params->count;
  if (has_keyword_only) most = params->positional - 1;
  size_t given = args->count - 1 + (has_keyword_only ? 0 : args->kw_count);
  Str message = str_format(ev->arena, "%s() takes at most %zu %sargument%s (%zu given)", name, most,
                           has_keyword_only ? "positional " : "", PLURAL(most), given);
  ExceptionObject *exception = exception_new(ev, ev->types.TypeError, message);
  if (ev->hooks.foreign_position)
    exception->hint = ev->hooks.foreign_position(ev, params, args->items);
  eval_raise_value(ev, v_object(exception));
}

// Positional arguments alone, of which those beyond the parameters for them become the tuple of the
// rest if there is one, and defaults behind them.
static bool bind_plainly(Eval *ev, const NativeFunction *f, const NativeSignature *s,
                         const Value *self, const Args *args, Value *out) {
  const Params *params = &s->params;
  size_t hidden = self != NULL, given = args->count + hidden;
  if (args->kw_count || (given > params->positional && !params->has_varargs) ||
      given < s->required || params->has_kwargs || (f->owner && !self) ||
      hidden > params->positional)
    return false;
  size_t taken = given < params->positional ? given : params->positional;
  if (self) out[0] = *self;
  if (taken > hidden) memcpy(out + hidden, args->items, (taken - hidden) * sizeof *out);
  memcpy(out + taken, s->defaults + taken, (params->count - taken) * sizeof *out);
  if (params->has_varargs)
    out[params->positional] = make_tuple(ev, given - taken, args->items + (taken - hidden));
  return true;
}

static Str shown_name(Eval *ev, const NativeFunction *f, NativeSignature *s) {
  if (!s->shown.data) s->shown = native_display_name(f, ev->arena);
  return s->shown;
}

static void bind_all(Eval *ev, NativeFunction *f, NativeSignature *s, const Args *args,
                     size_t hidden, Value *out) {
  if (!hidden) native_check_self(ev, f, args->count ? args->items : NULL);
  bool is_method = f->owner && f->binding == NATIVE_METHOD;
  if (s->is_positional && !f->rule) check_positional(ev, f, s, args, is_method ? 1 : hidden);
  const Params *params = &s->params;
  if (f->name == ev->names->new_ && f->owner) check_new(ev, f, params, args);
  if (is_method && params->positional == 1 && params->count > 1 && !params->has_varargs &&
      args->count > 1)
    eval_raise(ev, ev->types.TypeError, "%s() takes no positional arguments", f->name->text);
  params_bind(ev, shown_name(ev, f, s), &s->params, s->defaults, args, out, s->has_lacking);
  if (!s->has_lacking) return;
  // Only what is written `name=` may stay absent: the others are checked with stand-ins for it.
  size_t count = s->params.count;
  Value *checked = ARENA_ARRAY(ev->arena, Value, count);
  for (size_t i = 0; i < count; i++)
    checked[i] = s->may_lack[i] && out[i].kind == V_UNBOUND ? v_none() : out[i];
  params_check(ev, shown_name(ev, f, s), &s->params, checked);
}

static void bind_with_self(Eval *ev, NativeFunction *f, NativeSignature *s, Value self,
                           const Args *args, Value *out) {
  Value few[MANY_ARGUMENTS + 1];
  Args all = args_with_self(ev, self, args, few);
  bind_all(ev, f, s, &all, 1, out);
}

Value native_call(Eval *ev, NativeFunction *f, const Value *self, const Args *args) {
  NativeSignature *s = signature_of(ev, f);
  const Params *params = &s->params;
  size_t hidden = self != NULL;
  Value few[MANY_ARGUMENTS], *slots = few;
  if (params->count > MANY_ARGUMENTS) slots = ARENA_ARRAY(ev->arena, Value, params->count);
  if (self) native_check_self(ev, f, self);
  if (args->kw_count == 0 && args->count + hidden == params->count &&
      params->positional == params->count) {
    if (self)
      slots[0] = *self;
    else
      native_check_self(ev, f, args->count ? args->items : NULL);
    if (args->count) memcpy(slots + hidden, args->items, args->count * sizeof *slots);
  } else if (!bind_plainly(ev, f, s, self, args, slots)) {
    memset(slots, 0, params->count * sizeof *slots);
    if (self)
      bind_with_self(ev, f, s, *self, args, slots);
    else
      bind_all(ev, f, s, args, 0, slots);
  }
  Value result = native_run(ev, f, slots);
  values_leave(slots, params->count);
  return result;
}

Value make_native(Eval *ev, const NativeDef *def) { return v_object(native_new(ev, def, NULL)); }
