// SPDX-License-Identifier: Apache-2.0
// Function objects, bound methods and natives: making, attributes, annotations.
#include "base/map.h"
#include "python/values/evaluator_state.h"
#include "python/modules/module.h"
#include "call.h"
#include "closure_cell.h"
#include "class.h"
#include "expr.h"
#include "function.h"
#include "python/objects/attribute.h"
#include "python/values/dict.h"
#include "python/values/frame.h"
#include "python/values/new_value.h"
#include "python/objects/mapping.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/signature.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"

// ---- making -------------------------------------------------------------------------------------
static Name qualified_name(Eval *ev, Name name, const void *key) {
  const Frame *frame = ev->frame;
  if (!frame || (!frame->body && !frame->code)) return name;
  Name known = map_get(ev->core->qualnames, key);
  if (known) return known;
  Str text = frame->body
                 ? str_format(ev->arena, "%s.%s", frame->body->qualname->text, name->text)
                 : str_format(ev->arena, "%s.<locals>.%s", frame->code->qualname->text, name->text);
  Name made = name_intern(ev->session->interner, text);
  map_set(ev->core->qualnames, key, made);
  return made;
}

Name scope_qualname(Eval *ev, Name name, const void *key) { return qualified_name(ev, name, key); }

static Value *eval_defaults(Eval *ev, const Params *params) {
  Value *defaults = NULL;
  for (size_t i = 0; i < params->count; i++) {
    if (!params->items[i].default_value) continue;
    if (!defaults) defaults = ARENA_ARRAY(ev->arena, Value, params->count);
    defaults[i] = eval_expr(ev, params->items[i].default_value);
  }
  return defaults;
}

static bool has_annotations(const Params *params) {
  for (size_t i = 0; i < params->count; i++)
    if (params->items[i].annotation) return true;
  return false;
}

void function_keep_around(Eval *ev, Function *f) {
  f->closure = ev->frame->env;
  env_keep(f->closure);
}

Function *function_new(Eval *ev, Name name, const Params *params, const Scope *scope,
                       const void *key) {
  Function *f = ARENA_NEW(ev->arena, Function);
  Frame *frame = ev->frame;
  f->base.type = ev->types.function;
  f->name = name;
  f->qualname = qualified_name(ev, name, key);
  f->params = params;
  f->scope = scope;
  f->module = frame->module;
  // Annotations are evaluated later, where closures are resolved at once.
  if (frame->env && (frame->env->scope->is_captured || has_annotations(params)))
    function_keep_around(ev, f);
  f->doc = v_none();
  f->defaults = eval_defaults(ev, params);
  if (frame->body)
    VEC_PUSH(ev->arena, &frame->body->functions, f);
  else if (frame->code)
    f->owner = frame->code->owner;
  return f;
}

// ---- annotations --------------------------------------------------------------------------------
typedef struct Annotation {
  Expr *expr;
  Frame frame;
  Value result;
} Annotation;

static void eval_annotation(Eval *ev, void *data) {
  Annotation *a = data;
  frame_push(ev, &a->frame);
  a->result = eval_expr(ev, a->expr);
  frame_pop(ev, &a->frame);
}

static Value annotation_text(Eval *ev, Expr *expr) {
  return make_str(ev, expr_text(ev->arena, expr));
}

// Its text if it cannot be evaluated.
static Value annotation_value(Eval *ev, Expr *expr, Frame frame) {
  if (!expr) return v_unbound();
  Annotation a = {.expr = expr, .frame = frame};
  Value exception;
  return eval_try(ev, eval_annotation, &a, &exception) ? a.result : annotation_text(ev, expr);
}

static void eval_annotation_here(Eval *ev, void *data) {
  Annotation *a = data;
  a->result = eval_expr(ev, a->expr);
}

// What Python raises where the annotation stands. Other exceptions may be for want of a module
// that only types need, and a TypeError for want of what a class of ours can not be asked for, such
// as Queue[int].
static bool is_mistake_in_annotation(Eval *ev, Value exception) {
  const Type *const kinds[] = {ev->types.NameError, ev->types.ValueError, ev->types.ArithmeticError,
                               ev->types.LookupError};
  for (size_t i = 0; i < COUNT_OF(kinds); i++)
    if (value_is_instance(ev, exception, kinds[i])) return true;
  return false;
}

Value annotation_here(Eval *ev, Expr *expr, bool is_generic) {
  if (ev->frame->module->has_postponed) return annotation_text(ev, expr);
  Annotation a = {.expr = expr};
  Value exception;
  if (eval_try(ev, eval_annotation_here, &a, &exception)) return a.result;
  if (!is_generic && is_mistake_in_annotation(ev, exception)) eval_raise_value(ev, exception);
  return annotation_text(ev, expr);
}

// What is written at parameter `i`, or behind the arrow; NULL if nothing is.
static Expr *annotation_expr(const Function *f, size_t i) {
  if (i < f->params->count) return f->params->items[i].annotation;
  return f->def ? f->def->function.returns : NULL;
}

static Frame annotation_frame(const Function *f) {
  Frame frame = {.function = f->name, .module = f->module, .env = f->closure, .code = NULL};
  if (f->owner && f->owner->body && f->owner->body->env == f->closure)
    frame.class_dict = f->owner->dict;
  return frame;
}

static Name annotation_name(Eval *ev, const Function *f, size_t i) {
  return i < f->params->count ? f->params->items[i].name : intern(ev, "return");
}

static void keep_annotations(Eval *ev, Function *f, Dict *annotations) {
  f->annotations = ARENA_NEW(ev->arena, Value);
  *f->annotations = v_object(annotations);
}

void function_annotate(Eval *ev, Function *f) {
  // Those of a generic function name its own parameters, too.
  if (f->annotations || f->module->has_postponed || f->def->function.is_generic) return;
  Dict *annotations = NULL;
  for (size_t i = 0; i <= f->params->count; i++) {
    Expr *expr = annotation_expr(f, i);
    if (!expr) continue;
    if (!annotations) annotations = dict_new(ev);
    dict_set_name(ev, annotations, annotation_name(ev, f, i), annotation_here(ev, expr, false));
  }
  if (annotations) keep_annotations(ev, f, annotations);
}

void function_check_types(Eval *ev, const Function *f) {
  if (f->module->has_postponed || f->def->function.is_generic) return;
  for (size_t i = 0; i < f->params->count; i++) {
    Annotation a = {.expr = annotation_expr(f, i), .frame = annotation_frame(f)};
    Value exception;
    if (a.expr && !eval_try(ev, eval_annotation, &a, &exception) &&
        value_is_instance(ev, exception, ev->types.TypeError))
      eval_raise_value(ev, exception);
  }
}

// As it is written: the text if it is one, or cannot be evaluated.
static Value function_annotation(Eval *ev, const Function *f, size_t i) {
  const Dict *known = f->annotations ? value_as_dict(*f->annotations) : NULL;
  Value value = known ? dict_get_name(known, annotation_name(ev, f, i)) : v_unbound();
  return v_is_unbound(value) ? annotation_value(ev, annotation_expr(f, i), annotation_frame(f))
                             : value;
}

// f32[8] of "f32[8]", not any text.
static bool is_type_text(Str text) {
  size_t at = 0;
  while (at < text.len && (text.data[at] == '_' || text.data[at] == '.' ||
                           (text.data[at] >= '0' && text.data[at] <= '9' && at) ||
                           ((text.data[at] | 0x20) >= 'a' && (text.data[at] | 0x20) <= 'z')))
    at++;
  return at && at < text.len && text.data[at] == '[' && text.data[text.len - 1] == ']';
}

Value function_annotation_type(Eval *ev, Function *f, size_t i) {
  Value written = function_annotation(ev, f, i), exception;
  Str text;
  if (!value_as_str(written, &text) || !is_type_text(text)) return written;
  SourceFile *file = source_add(ev->session, STR("<annotation>"), text, false);
  Annotation a = {
      .expr = syntax_parse_expression(ev->session, file),
      .frame = {.function = f->name, .module = f->module, .env = f->closure, .code = NULL}};
  return a.expr && eval_try(ev, eval_annotation, &a, &exception) ? a.result : written;
}

static Dict *function_dict(Eval *ev, Function *f) {
  if (!f->dict) f->dict = dict_new(ev);
  return f->dict;
}

static Value function_annotations(Eval *ev, Function *f) {
  Dict *annotations = dict_new(ev);
  for (size_t i = 0; i <= f->params->count; i++) {
    Expr *expr = annotation_expr(f, i);
    if (!expr) continue;
    Value value =
        f->module->has_postponed ? annotation_text(ev, expr) : function_annotation(ev, f, i);
    dict_set_name(ev, annotations, annotation_name(ev, f, i), value);
  }
  keep_annotations(ev, f, annotations);
  return *f->annotations;
}

Dict *value_annotations(Eval *ev, Value v) {
  if (is_type(ev, v)) return ((Type *)v.o)->is_heap ? type_annotations(ev, (Type *)v.o) : NULL;
  return value_as_dict(value_getattr_opt(ev, v, ev->names->annotations));
}

// ---- attributes of functions --------------------------------------------------------------------
static Value defaults_tuple(Eval *ev, const Function *f) {
  size_t begin = f->params->positional;
  while (begin && f->defaults && f->defaults[begin - 1].kind != V_UNBOUND) begin--;
  if (begin == f->params->positional) return v_none();
  return make_tuple(ev, f->params->positional - begin, f->defaults + begin);
}

static Value keyword_defaults(Eval *ev, const Function *f) {
  Dict *dict = dict_new(ev);
  size_t end = f->params->count - f->params->has_kwargs;
  for (size_t i = f->params->positional + f->params->has_varargs; f->defaults && i < end; i++)
    if (f->defaults[i].kind != V_UNBOUND)
      dict_set_name(ev, dict, f->params->items[i].name, f->defaults[i]);
  return dict->count ? v_object(dict) : v_none();
}

static void set_member(Eval *ev, Instance *object, const char *name, Value value) {
  dict_set_name(ev, object->dict, intern(ev, name), value);
}

Value function_code(Eval *ev, const Function *f) {
  Instance *code = instance_new(ev, ev->core->code);
  const Params *p = f->params;
  Tuple *names = tuple_new(ev, f->scope->slot_count);
  size_t at = 0, only = p->count - p->positional - p->has_varargs - p->has_kwargs;
  // CPython's order: *args and **kwargs come after the keyword-only ones.
  for (size_t i = 0; i < p->positional; i++) names->items[at++] = make_name(ev, p->items[i].name);
  for (size_t i = 0; i < only; i++)
    names->items[at++] = make_name(ev, p->items[p->positional + p->has_varargs + i].name);
  if (p->has_varargs) names->items[at++] = make_name(ev, p->items[p->positional].name);
  if (p->has_kwargs) names->items[at++] = make_name(ev, p->items[p->count - 1].name);
  for (; at < f->scope->slot_count; at++) names->items[at] = make_name(ev, f->scope->slots[at]);
  const SourceFile *file = source_get(ev->session, f->span.file);
  uint32_t begin = f->def ? stmt_decorated_span(f->def).begin : f->span.begin;
  set_member(ev, code, "co_name", make_name(ev, f->def ? f->def->function.name : f->name));
  set_member(ev, code, "co_qualname", make_name(ev, f->qualname));
  set_member(ev, code, "co_argcount", v_int((int64_t)p->positional));
  set_member(ev, code, "co_posonlyargcount", v_int((int64_t)p->positional_only));
  set_member(ev, code, "co_kwonlyargcount", v_int((int64_t)only));
  set_member(ev, code, "co_nlocals", v_int(f->scope->slot_count));
  set_member(ev, code, "co_varnames", v_object(names));
  Tuple *free = tuple_new(ev, f->scope->free_count);
  for (size_t i = 0; i < free->count; i++) free->items[i] = make_name(ev, f->scope->free[i]);
  set_member(ev, code, "co_freevars", v_object(free));
  int flags = 3 | (p->has_varargs ? 4 : 0) | (p->has_kwargs ? 8 : 0);
  set_member(ev, code, "co_flags", v_int(flags | (f->scope->is_generator ? 32 : 0)));
  set_member(ev, code, "co_filename", file ? make_str(ev, file->absolute) : make_str_c(ev, ""));
  set_member(ev, code, "co_firstlineno", v_int(file ? source_line_col(file, begin).line : 0));
  return v_object(code);
}

static Value function_getattr(Eval *ev, Value self, Name name) {
  Function *f = (Function *)self.o;
  const EvalNames *names = ev->names;
  if (f->dict) {
    Value own = dict_get_name(f->dict, name);
    if (own.kind != V_UNBOUND) return own;
  }
  if (!is_dunder(name)) return v_unbound();
  if (name == names->name) return make_name(ev, f->name);
  if (name == names->qualname) return make_name(ev, f->qualname);
  if (name == names->doc) return f->doc;
  if (name == names->module) return dict_get_name(f->module->dict, names->name);
  if (name == names->dict) return v_object(function_dict(ev, f));
  if (name == names->annotations)
    return f->annotations ? *f->annotations : function_annotations(ev, f);
  if (name == names->defaults) return defaults_tuple(ev, f);
  if (name == names->kwdefaults) return keyword_defaults(ev, f);
  if (name == names->globals) return v_object(f->module->dict);
  if (name == names->closure) return function_cells(ev, f);
  if (name == names->code_dunder) return function_code(ev, f);
  if (name == names->type_params) return make_tuple(ev, 0, NULL);
  return v_unbound();
}

static void set_defaults(Eval *ev, Function *f, Value value) {
  const Params *p = f->params;
  Value *defaults = ARENA_ARRAY(ev->arena, Value, p->count);
  for (size_t i = p->positional; f->defaults && i < p->count; i++) defaults[i] = f->defaults[i];
  const Tuple *items = value_as_tuple(value);
  if (!items && !v_is_none(value) && value.kind != V_UNBOUND)
    eval_raise(ev, ev->types.TypeError, "__defaults__ must be set to a tuple object");
  size_t count = items ? items->count : 0;
  for (size_t i = 0; i < count && i < p->positional; i++)
    defaults[p->positional - 1 - i] = items->items[count - 1 - i];
  f->defaults = defaults;
}

static void set_keyword_defaults(Eval *ev, Function *f, Value value) {
  const Params *p = f->params;
  const Dict *dict = value_as_dict(value);
  if (!dict && !v_is_none(value) && value.kind != V_UNBOUND)
    eval_raise(ev, ev->types.TypeError, "__kwdefaults__ must be set to a dict object");
  Value *defaults = ARENA_ARRAY(ev->arena, Value, p->count);
  for (size_t i = 0; f->defaults && i < p->positional; i++) defaults[i] = f->defaults[i];
  for (size_t i = p->positional + p->has_varargs; dict && i < p->count - p->has_kwargs; i++)
    defaults[i] = dict_get_name(dict, p->items[i].name);
  f->defaults = defaults;
}

static bool function_setattr(Eval *ev, Value self, Name name, Value value) {
  Function *f = (Function *)self.o;
  const EvalNames *names = ev->names;
  if (name == names->name || name == names->qualname) {
    Str text;
    if (!value_as_str(value, &text))
      eval_raise(ev, ev->types.TypeError, "%s must be set to a string object", name->text);
    *(name == names->name ? &f->name : &f->qualname) = name_intern(ev->session->interner, text);
    return true;
  }
  if (name == names->doc) {
    f->doc = value.kind == V_UNBOUND ? v_none() : value;
    return true;
  }
  if (name == names->defaults) {
    set_defaults(ev, f, value);
    return true;
  }
  if (name == names->kwdefaults) {
    set_keyword_defaults(ev, f, value);
    return true;
  }
  if (name == names->dict) {
    Dict *dict = value_as_dict(value);
    if (!dict) eval_raise(ev, ev->types.TypeError, "__dict__ must be set to a dictionary");
    f->dict = dict;
    return true;
  }
  if (name == names->annotations) {
    f->annotations = ARENA_NEW(ev->arena, Value);
    *f->annotations = value.kind == V_UNBOUND ? v_object(dict_new(ev)) : value;
    return true;
  }
  if (name == names->globals || name == names->closure)
    raise_attribute(ev, self, name, "readonly attribute");
  if (value.kind != V_UNBOUND) {
    dict_set_name(ev, function_dict(ev, f), name, value);
    return true;
  }
  return f->dict && dict_remove(ev, f->dict, make_name(ev, name));
}

static Str function_repr(Eval *ev, Value self) {
  return str_format(ev->arena, "<function %s at %p>", ((Function *)self.o)->qualname->text,
                    (void *)self.o);
}

static Value bind_function(Eval *ev, Value self, Value instance, Type *owner) {
  return attribute_bind(ev, self, instance, owner);
}

static uint64_t function_hash(Eval *ev UNUSED, Value self) { return object_identity_hash(self); }

// ---- bound methods ------------------------------------------------------------------------------
static Value method_getattr(Eval *ev, Value self, Name name) {
  const BoundMethod *method = (const BoundMethod *)self.o;
  if (name == ev->names->func) return method->function;
  if (name == ev->names->self_dunder) return method->self;
  return value_getattr_opt(ev, method->function, name);
}

static Value method_call(Eval *ev, Value self, const Args *args) {
  return value_call(ev, self, args);
}

static Value method_compare(Eval *ev, CompareOp op, Value left, Value right) {
  if (!is_a(right, ev->types.method) || (op != CMP_EQ && op != CMP_NE)) return v_not_implemented();
  const BoundMethod *a = (const BoundMethod *)left.o, *b = (const BoundMethod *)right.o;
  bool equal = value_is(a->self, b->self) && value_equal(ev, a->function, b->function);
  return v_bool(equal == (op == CMP_EQ));
}

static uint64_t method_hash(Eval *ev, Value self) {
  const BoundMethod *method = (const BoundMethod *)self.o;
  uint64_t of_self = method->self.kind == V_OBJECT ? object_identity_hash(method->self)
                                                   : value_hash(ev, method->self);
  return of_self ^ value_hash(ev, method->function);
}

static Str method_repr(Eval *ev, Value self) {
  const BoundMethod *method = (const BoundMethod *)self.o;
  if (is_a(method->function, ev->types.native))
    return str_format(ev->arena, "<built-in method %s of %s object at %p>",
                      ((const NativeFunction *)method->function.o)->name->text,
                      value_type_name(ev, method->self), (void *)method->self.o);
  Str name;
  if (!value_as_str(value_getattr_opt(ev, method->function, ev->names->qualname), &name))
    name = STR("?");
  return str_format(ev->arena, "<bound method %.*s of %.*s>", STR_FMT(name),
                    STR_FMT(value_repr(ev, method->self)));
}

static Value method_new(Eval *ev, Value *a) {
  if (!value_is_callable(ev, a[1]))
    eval_raise(ev, ev->types.TypeError, "first argument must be callable");
  BoundMethod *method = ARENA_NEW(ev->arena, BoundMethod);
  *method = (BoundMethod){{ev->types.method}, a[1], a[2]};
  return v_object(method);
}

// ---- natives ------------------------------------------------------------------------------------
static Value native_getattr(Eval *ev, Value self, Name name) {
  const NativeFunction *f = (const NativeFunction *)self.o;
  const EvalNames *names = ev->names;
  if (name == names->name) return make_name(ev, f->name);
  if (name == names->qualname) return make_str(ev, native_display_name(f, ev->arena));
  if (name == names->doc) return v_none();
  if (name == names->module)
    return f->owner && f->owner->module ? make_name(ev, f->owner->module)
                                        : make_str_c(ev, "builtins");
  if (name == names->objclass && f->owner) return v_object(f->owner);
  if (name == names->text_signature) {
    Str text = str_from_c(f->def->signature);
    return make_str(ev, (Str){text.data + f->name->len, text.len - f->name->len});
  }
  if (f->attributes && name->text[0] != '_') {
    Value args[2] = {self, make_name(ev, name)};
    Value found = value_call_n(ev, module_lookup(ev, f->attributes, "attribute_of"), 2, args);
    return found.kind == V_NOT_IMPLEMENTED ? v_unbound() : found;
  }
  return v_unbound();
}

static Str native_repr(Eval *ev, Value self) {
  const NativeFunction *f = (const NativeFunction *)self.o;
  if (f->owner && f->binding == NATIVE_METHOD)
    return str_format(ev->arena, "<method '%s' of '%s' objects>", f->name->text,
                      f->owner->name->text);
  return str_format(ev->arena, "<built-in function %s>", f->name->text);
}

static Value native_call_slot(Eval *ev, Value self, const Args *args) {
  return native_call(ev, (NativeFunction *)self.o, NULL, args);
}

static Value function_call_slot(Eval *ev, Value self, const Args *args) {
  return function_call(ev, (Function *)self.o, args);
}

static const NativeDef method_methods[] = {
    {"__new__(cls, function, instance, /)", method_new},
    {NULL, NULL},
};

void function_init(Eval *ev) {
  ev->types.function->slots = (TypeSlots){.getattr = function_getattr,
                                          .setattr = function_setattr,
                                          .repr = function_repr,
                                          .call = function_call_slot,
                                          .hash = function_hash,
                                          .descr_get = bind_function};
  ev->types.method->slots = (TypeSlots){.getattr = method_getattr,
                                        .call = method_call,
                                        .compare = method_compare,
                                        .hash = method_hash,
                                        .repr = method_repr};
  ev->types.method->methods = method_methods;
  ev->types.native->slots = (TypeSlots){.getattr = native_getattr,
                                        .repr = native_repr,
                                        .call = native_call_slot,
                                        .hash = function_hash,
                                        .descr_get = bind_function};
}
