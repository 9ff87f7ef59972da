// SPDX-License-Identifier: Apache-2.0
// Takes a callable and the arguments that an entry point is traced with; gives diagnostics where an
// annotation would not hold of them. Annotations are array types (f32[8, 128], jaxtyping's with
// names for sizes), int, float, bool and str, and tuples of those; whatever else one may write
// promises nothing here.
#include "base/buf.h"
#include "base/map.h"
#include "ir/core/ir.h"
#include "annotation.h"
#include <string.h>
#include "jax/array/array.h"
#include "jax/array/promote.h"
#include "jax/array/scalar_type.h"
#include "python/core/function.h"
#include "python/objects/attribute.h"
#include "python/objects/bind.h"
#include "python/objects/convert.h"
#include "python/values/dict.h"
#include "python/objects/generic.h"
#include "python/values/new_value.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"
#include "python/objects/protocol.h"

// ---- what is called -----------------------------------------------------------------------------
Callee callee_of(Eval *ev, Value v) {
  Interner *names = ev->session->interner;
  Name wrapped = name_intern_c(names, "__wrapped__"),
       maps = name_intern_c(names, "_maps_arguments"), body = name_intern_c(names, "_body");
  Callee callee = {0};
  for (int depth = 0; depth < 100 && v.kind == V_OBJECT && value_is_callable(ev, v); depth++) {
    if (is_a(v, ev->types.partial)) {
      const Partial *partial = (const Partial *)v.o;
      callee.bound += partial->args->count;
      callee.is_bound = true;
      v = partial->function;
      continue;
    }
    if (v.o->type == ev->types.method) {
      callee.bound++;
      callee.is_bound = true;
      v = ((const BoundMethod *)v.o)->function;
      continue;
    }
    Value inner = v_unbound();
    if (v.o->type == ev->types.function) {
      Function *f = (Function *)v.o;
      callee.maps |= f->dict && !v_is_unbound(dict_get_name(f->dict, maps));
      if (f->dict) inner = dict_get_name(f->dict, wrapped);
      if (v_is_unbound(inner)) {
        callee.function = f;
        return callee;
      }
    } else {
      inner = value_getattr_opt(ev, v, wrapped);
      if (v_is_unbound(inner)) {
        inner = value_getattr_opt(ev, v, body);
        callee.is_kernel = true;
      }
    }
    v = inner;
  }
  return callee;
}

Function *callee_function(Eval *ev, Value callable) {
  Callee callee = callee_of(ev, callable);
  return callee.is_bound || callee.is_kernel ? NULL : callee.function;
}

size_t callee_param(const Callee *callee, size_t position, Name keyword) {
  const Params *params = callee->function->params;
  if (!keyword) {
    size_t at = callee->bound + position;
    return at < params->positional ? at : params->has_varargs ? params->positional : SIZE_MAX;
  }
  for (size_t i = params->positional_only; i < params->count; i++)
    if (params->items[i].name == keyword) return i;
  return params->has_kwargs ? params->count - 1 : SIZE_MAX;
}

// ---- types as arguments -------------------------------------------------------------------------
// Whether the function that jax.jit gave has this argument among the static ones.
static bool is_static(Eval *ev, Value callable, size_t position, Name keyword) {
  const Tuple *own = value_as_tuple(
      value_getattr_opt(ev, callable, name_intern_c(ev->session->interner, "_static")));
  if (!own || own->count != 3 || !value_is(own->items[0], callable)) return false;
  const Tuple *given = value_as_tuple(own->items[keyword ? 2 : 1]);
  for (size_t i = 0; given && i < given->count; i++) {
    Str name;
    int64_t number;
    if (keyword ? value_as_str(given->items[i], &name) && str_equal(name, name_str(keyword))
                : value_as_int(ev, given->items[i], &number) && number == (int64_t)position)
      return true;
  }
  return false;
}

bool annotation_takes_type(Eval *ev, Value callable, size_t position, Name keyword) {
  if (is_static(ev, callable, position, keyword)) return true;
  Callee callee = callee_of(ev, callable);
  const Function *f = callee.function;
  size_t param = f ? callee_param(&callee, position, keyword) : SIZE_MAX;
  DType dtype;
  return f && f->defaults && param < f->params->count && !v_is_unbound(f->defaults[param]) &&
         value_as_dtype(ev, f->defaults[param], &dtype);
}

// ---- array types --------------------------------------------------------------------------------
// A size that an annotation does not say, and any number of dimensions ("...").
enum { ANY_SIZE = -1, ANY_RANK = -2 };

typedef struct ArrayNote {
  Value dtype; // a dtype or a category (jnp.floating)
  size_t count;
  int64_t sizes[IR_MAX_RANK];
  Name names[IR_MAX_RANK]; // of dimensions whose size is ANY_SIZE, or NULL
} ArrayNote;

static bool struct_aval(Eval *ev, Value v, Aval *out) {
  if (v.kind != V_OBJECT) return false;
  *out = (Aval){0};
  if (value_is_scalar_type(ev, v)) {
    if (!value_as_dtype(ev, v, &out->dtype)) return false;
  } else if (v.o->type != trace_types(ev)->shape_dtype_struct || !value_aval(ev, v, true, out)) {
    return false;
  }
  out->dtype = canonical_dtype(ev, out->dtype);
  return true;
}

bool annotation_aval(Eval *ev, Function *f, size_t param, Aval *out) {
  return f->params->items[param].annotation &&
         struct_aval(ev, function_annotation_type(ev, f, param), out);
}

// One dimension of _array_dims (jaxtyping.pk): a size, a name, None for any, ... for any number.
static void read_dim(Eval *ev, Value dim, ArrayNote *note) {
  Str text;
  int64_t size;
  size_t at = note->count++;
  note->names[at] = NULL;
  note->sizes[at] = dim.kind == V_ELLIPSIS ? ANY_RANK : ANY_SIZE;
  if (value_as_int(ev, dim, &size)) note->sizes[at] = size;
  if (value_as_str(dim, &text)) note->names[at] = name_intern(ev->session->interner, text);
}

static bool read_note(Eval *ev, Value annotation, ArrayNote *note) {
  Aval aval;
  *note = (ArrayNote){0};
  if (struct_aval(ev, annotation, &aval)) {
    note->dtype = make_dtype(ev, aval.dtype);
    for (int i = 0; i < aval.rank; i++) note->sizes[note->count++] = aval.dims[i];
    return true;
  }
  if (annotation.kind != V_OBJECT) return false;
  Value dims =
      value_getattr_opt(ev, annotation, name_intern_c(ev->session->interner, "_array_dims"));
  const Tuple *tuple = v_is_unbound(dims) ? NULL : value_as_tuple(dims);
  if (!tuple || tuple->count > IR_MAX_RANK) return false;
  note->dtype = value_getattr_c(ev, annotation, "_array_dtype");
  for (size_t i = 0; i < tuple->count; i++) read_dim(ev, tuple->items[i], note);
  return true;
}

// n of f32[n, 512], as it is written.
static Name written_dim_name(Expr *annotation, size_t dim, size_t rank) {
  if (annotation->kind != EX_SUBSCRIPT) return NULL;
  Expr *index = annotation->subscript.index;
  bool is_tuple = index->kind == EX_TUPLE;
  if ((is_tuple ? index->elements.count : 1) != rank) return NULL;
  Expr *size = is_tuple ? index->elements.items[dim] : index;
  return size->kind == EX_NAME ? size->name.name : NULL;
}

Name annotation_dim_name(Eval *ev, Function *f, size_t param, size_t dim, size_t rank) {
  ArrayNote note;
  Expr *expr = f->params->items[param].annotation;
  if (!expr || !read_note(ev, function_annotation_type(ev, f, param), &note)) return NULL;
  size_t front = 0, at = dim;
  while (front < note.count && note.sizes[front] != ANY_RANK) front++;
  bool is_any_rank = front < note.count;
  if (is_any_rank ? rank + 1 < note.count : rank != note.count) return NULL;
  if (is_any_rank && dim >= front) { // counted from the end
    if (rank - dim > note.count - front - 1) return NULL;
    at = note.count - (rank - dim);
  }
  return note.names[at] ? note.names[at] : written_dim_name(expr, dim, rank);
}

// ---- whether they hold --------------------------------------------------------------------------
typedef struct Checker {
  Eval *ev;
  Map *sizes; // Name of a dimension -> its size, a boxed int64_t
} Checker;

static bool dim_holds(const Checker *c, const ArrayNote *note, size_t at, int64_t size) {
  if (note->sizes[at] >= 0) return note->sizes[at] == size;
  if (!note->names[at]) return true;
  const int64_t *known = map_get(c->sizes, note->names[at]);
  if (known) return *known == size;
  int64_t *boxed = ARENA_NEW(c->ev->arena, int64_t);
  *boxed = size;
  map_set(c->sizes, note->names[at], boxed);
  return true;
}

static bool dtype_holds(Eval *ev, Value wanted, DType dtype) {
  DType exact;
  if (value_as_dtype(ev, wanted, &exact) && !value_is_type(ev, wanted)) return exact == dtype;
  return dtype_is_subdtype(ev, make_dtype(ev, dtype), wanted);
}

static bool array_holds(const Checker *c, const ArrayNote *note, const Aval *aval) {
  if (!dtype_holds(c->ev, note->dtype, aval->dtype)) return false;
  size_t front = 0;
  while (front < note->count && note->sizes[front] != ANY_RANK) front++;
  size_t back = front < note->count ? note->count - front - 1 : 0;
  if (front == note->count ? aval->rank != front : aval->rank < front + back) return false;
  for (size_t i = 0; i < front; i++)
    if (!dim_holds(c, note, i, aval->dims[i])) return false;
  for (size_t i = 0; i < back; i++)
    if (!dim_holds(c, note, front + 1 + i, aval->dims[aval->rank - back + i])) return false;
  return true;
}

// A Python number may stand for a scalar array of its kind.
static bool number_holds(Eval *ev, const ArrayNote *note, Value v) {
  bool is_scalar = note->count == 0 || (note->count == 1 && note->sizes[0] == ANY_RANK);
  if (!is_scalar) return false;
  if (v.kind == V_BOOL) return dtype_holds(ev, note->dtype, DT_BOOL);
  DType exact;
  bool is_exact = value_as_dtype(ev, note->dtype, &exact) && !value_is_type(ev, note->dtype);
  if (v.kind == V_FLOAT)
    return is_exact ? dtype_is_float(exact) : dtype_holds(ev, note->dtype, DT_F32);
  return is_exact ? exact != DT_BOOL
                  : dtype_holds(ev, note->dtype, DT_I32) || dtype_holds(ev, note->dtype, DT_F32);
}

// int, float, bool and str; an array of rank 0 may stand for a number.
static bool builtin_holds(Eval *ev, const Type *wanted, Value v) {
  Aval aval;
  bool is_float = wanted == ev->types.floating, is_int = wanted == ev->types.integer;
  if (value_aval(ev, v, true, &aval) && v.kind == V_OBJECT) {
    if (aval.rank != 0 || wanted == ev->types.string) return false;
    if (is_float) return aval.dtype != DT_BOOL;
    return is_int ? !dtype_is_float(aval.dtype) : aval.dtype == DT_BOOL;
  }
  if (value_is_instance(ev, v, wanted)) return true;
  return is_float && value_is_instance(ev, v, ev->types.integer);
}

static bool holds(Checker *c, Value annotation, Value v);

// tuple[A, B], and tuple[A, ...]; pallas_call gives a list where out_shape is one.
static bool tuple_holds(Checker *c, const Tuple *wanted, Value v) {
  const Tuple *tuple = value_as_tuple(v);
  const List *list = value_as_list(v);
  if (!tuple && !list) return false;
  const Value *items = tuple ? tuple->items : list->items;
  size_t count = tuple ? tuple->count : list->count;
  bool is_any = wanted->count == 2 && wanted->items[1].kind == V_ELLIPSIS;
  if (!is_any && count != wanted->count) return false;
  for (size_t i = 0; i < count; i++)
    if (!holds(c, wanted->items[is_any ? 0 : i], items[i])) return false;
  return true;
}

static bool holds(Checker *c, Value annotation, Value v) {
  Eval *ev = c->ev;
  ArrayNote note;
  Aval aval;
  if (v_is_none(annotation)) return v_is_none(v);
  if (annotation.kind != V_OBJECT) return true;
  if (read_note(ev, annotation, &note)) {
    if (v.kind == V_OBJECT && value_aval(ev, v, true, &aval)) return array_holds(c, &note, &aval);
    bool is_number = v.kind == V_BOOL || v.kind == V_INT || v.kind == V_FLOAT;
    return is_number && number_holds(ev, &note, v);
  }
  if (is_generic_alias(ev, annotation)) {
    const GenericAlias *alias = (const GenericAlias *)annotation.o;
    return !value_is(alias->origin, v_object(ev->types.tuple)) || tuple_holds(c, alias->args, v);
  }
  const Type *const builtins[] = {ev->types.integer, ev->types.floating, ev->types.boolean,
                                  ev->types.string};
  for (size_t i = 0; i < COUNT_OF(builtins); i++)
    if ((const void *)annotation.o == (const void *)builtins[i])
      return builtin_holds(ev, builtins[i], v);
  return true;
}

// ---- messages -----------------------------------------------------------------------------------
// "float32[8,128]"; of what is no array its Python text.
static Str type_text(Eval *ev, Value v) {
  Aval aval;
  if (v.kind == V_OBJECT && value_aval(ev, v, true, &aval)) {
    aval.weak = false;
    return aval_text(ev->arena, &aval);
  }
  const Tuple *tuple = value_as_tuple(v);
  if (!tuple) return value_repr(ev, v);
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = 0; i < tuple->count; i++)
    buf_printf(&buf, "%s%.*s", i ? ", " : "(", STR_FMT(type_text(ev, tuple->items[i])));
  buf_c(&buf, tuple->count == 0 ? "()" : tuple->count == 1 ? ",)" : ")");
  return buf_view(&buf);
}

// Sizes that names have already, as " with batch = 8".
static Str known_sizes(const Checker *c, Value annotation) {
  ArrayNote note;
  Buf buf;
  buf_init(&buf, c->ev->arena);
  if (!read_note(c->ev, annotation, &note)) return STR("");
  for (size_t i = 0; i < note.count; i++) {
    const int64_t *size = note.names[i] ? map_get(c->sizes, note.names[i]) : NULL;
    if (size)
      buf_printf(&buf, "%s%s = %lld", buf.len ? ", " : " with ", note.names[i]->text,
                 (long long)*size);
  }
  return buf_view(&buf);
}

static Str annotation_text(Eval *ev, Value annotation, Expr *expr) {
  Aval aval;
  return struct_aval(ev, annotation, &aval) ? aval_text(ev->arena, &aval)
                                            : expr_text(ev->arena, expr);
}

static bool is_default(const Function *f, size_t param, Value v) {
  return f->defaults && !v_is_unbound(f->defaults[param]) && value_is(f->defaults[param], v);
}

static bool check_arg(Checker *c, Function *f, size_t param, Span span, Value v) {
  Eval *ev = c->ev;
  if (param == SIZE_MAX || !f->params->items[param].annotation) return true;
  const Param *p = &f->params->items[param];
  if (is_default(f, param, v)) return true;
  Value annotation = function_annotation_type(ev, f, param);
  Str known = known_sizes(c, annotation);
  if (holds(c, annotation, v)) return true;
  Diag *diag = diag_error(
      ev->session, span,
      "parameter '%s' of '%s' is annotated %.*s%.*s, and the entry point gives it %.*s",
      p->name->text, f->name->text, STR_FMT(annotation_text(ev, annotation, p->annotation)),
      STR_FMT(known), STR_FMT(type_text(ev, v)));
  diag_note(ev->session, diag, p->annotation->span, "the parameter is annotated here");
  return false;
}

// Arguments that are missing, or that there is no parameter for, are reported beside those that are
// of another type: an exception, as the call raises it.
static void check_names(Eval *ev, const Function *f, const Args *args) {
  Value *slots = ARENA_ARRAY(ev->arena, Value, f->params->count + 1);
  for (size_t i = 0; i < f->params->count; i++) slots[i] = v_unbound();
  params_bind(ev, name_str(f->qualname), f->params, f->defaults, args, slots, false);
}

bool annotation_check_args(Eval *ev, Value callable, const WrittenArgs *written, Map *sizes) {
  Callee callee = callee_of(ev, callable);
  if (!callee.function || callee.maps || callee.is_kernel) return true;
  Checker c = {ev, sizes};
  const Args *args = &written->args;
  bool ok = true;
  for (size_t i = 0; i < args->count; i++)
    ok &= check_arg(&c, callee.function, callee_param(&callee, i, NULL), written->spans[i],
                    args->items[i]);
  for (size_t i = 0; i < args->kw_count; i++)
    ok &= check_arg(&c, callee.function, callee_param(&callee, 0, args->kw_names[i]),
                    written->kw_spans[i], args->kw_values[i]);
  if (!ok && !callee.is_bound) check_names(ev, callee.function, args);
  return ok;
}

bool annotation_check_result(Eval *ev, Value callable, Span span, Value result, Map *sizes) {
  Callee callee = callee_of(ev, callable);
  Function *f = callee.function;
  if (!f || callee.maps || callee.is_kernel || !f->def || !f->def->function.returns) return true;
  Checker c = {ev, sizes};
  Value annotation = function_annotation_type(ev, f, f->params->count);
  if (holds(&c, annotation, result)) return true;
  Expr *expr = f->def->function.returns;
  Diag *diag = diag_error(ev->session, span,
                          "the result of '%s' is annotated %.*s, and this entry point returns %.*s",
                          f->name->text, STR_FMT(annotation_text(ev, annotation, expr)),
                          STR_FMT(type_text(ev, result)));
  diag_note(ev->session, diag, expr->span, "the result is annotated here");
  return false;
}
