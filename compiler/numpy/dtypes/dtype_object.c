// SPDX-License-Identifier: Apache-2.0
// Element types as objects: dtype('float32'), and what may be said in their place.
#include "dtype_object.h"
#include "numpy/numpy_state.h"
#include "python/modules/module.h"
#include "python/objects/attribute.h"
#include "python/objects/generic.h"
#include "python/values/suggest.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include <string.h>

Value make_dtype(Eval *ev, DType dtype) { return ev->numpy->dtypes[dtype]; }

// ---- reading a dtype ----------------------------------------------------------------------------
// NumPy's one-letter codes.
static bool dtype_from_code(Str text, DType *out) {
  static const struct {
    const char *code;
    DType dtype;
  } codes[] = {
      {"?", DT_BOOL},        {"b1", DT_BOOL},      {"b", DT_I8},         {"i1", DT_I8},
      {"h", DT_I16},         {"i2", DT_I16},       {"i", DT_I32},        {"i4", DT_I32},
      {"l", DT_I64},         {"q", DT_I64},        {"i8", DT_I64},       {"B", DT_U8},
      {"u1", DT_U8},         {"H", DT_U16},        {"u2", DT_U16},       {"I", DT_U32},
      {"u4", DT_U32},        {"L", DT_U64},        {"Q", DT_U64},        {"u8", DT_U64},
      {"e", DT_F16},         {"f2", DT_F16},       {"f", DT_F32},        {"f4", DT_F32},
      {"d", DT_F64},         {"f8", DT_F64},       {"float", DT_F64},    {"int", DT_I64},
      {"uint", DT_U64},      {"double", DT_F64},   {"single", DT_F32},   {"half", DT_F16},
      {"byte", DT_I8},       {"ubyte", DT_U8},     {"short", DT_I16},    {"ushort", DT_U16},
      {"intc", DT_I32},      {"uintc", DT_U32},    {"long", DT_I64},     {"ulong", DT_U64},
      {"F", DT_C64},         {"c8", DT_C64},       {"D", DT_C128},       {"c16", DT_C128},
      {"csingle", DT_C64},   {"complex", DT_C128}, {"cdouble", DT_C128}, {"longlong", DT_I64},
      {"ulonglong", DT_U64}, {"intp", DT_I64},     {"uintp", DT_U64},
  };
  if (text.len > 1 && (text.data[0] == '<' || text.data[0] == '=' || text.data[0] == '|')) {
    text.data++;
    text.len--;
  }
  for (size_t i = 0; i < COUNT_OF(codes); i++)
    if (str_is(text, codes[i].code)) {
      *out = codes[i].dtype;
      return true;
    }
  return false;
}

// The short names (f32) are this language's own in annotations; NumPy does not know them.
static bool dtype_from_text(Str text, DType *out) {
  static const char *const names[DT_COUNT] = {
#define DTYPE(id, name, ...) [DT_##id] = name,
#include "base/dtype.def"
#undef DTYPE
  };
  for (int d = 0; d < DT_COUNT; d++)
    if (str_is(text, names[d])) {
      *out = (DType)d;
      return true;
    }
  if (str_is(text, "bool_") || str_is(text, "float_") || str_is(text, "int_"))
    return dtype_from_name(text, out);
  return dtype_from_code(text, out);
}

static bool dtype_of_class(Eval *ev, Type *type, DType *out) {
  if (type == ev->types.floating)
    *out = DT_F64;
  else if (type == ev->types.integer)
    *out = DT_I64;
  else if (type == ev->types.boolean)
    *out = DT_BOOL;
  else if (type == ev->types.complex)
    *out = DT_C128;
  else {
    const NumpyState *types = ev->numpy;
    for (int d = 0; d < DT_COUNT; d++) {
      if (types->nd_scalars[d] != type) continue;
      *out = (DType)d;
      return true;
    }
    return false;
  }
  return true;
}

bool value_as_dtype(Eval *ev, Value v, DType *out) {
  const NumpyState *types = ev->numpy;
  Str text;
  if (v.kind != V_OBJECT) return false;
  if (v.o->type == types->dtype || v.o->type == types->dtype_alias) {
    *out = ((const DTypeObject *)v.o)->dtype;
    return true;
  }
  if (value_as_str(v, &text)) return dtype_from_text(text, out);
  if (value_is_type(ev, v)) return dtype_of_class(ev, (Type *)v.o, out);
  return false;
}

// ---- types that are not numbers -----------------------------------------------------------------
bool value_is_text(Eval *ev, Value v) {
  Str text;
  return value_as_str(v, &text) || (v.kind == V_OBJECT && v.o->type == ev->types.bytes);
}

static bool text_says_objects(Str text) {
  if (text.len > 1 && strchr("<>=|", text.data[0])) text.data++, text.len--;
  if (str_is(text, "str") || str_is(text, "bytes") || str_is(text, "object") || str_is(text, "O"))
    return true;
  if (!text.len || (text.data[0] != 'U' && text.data[0] != 'S')) return false;
  size_t digits = 1;
  while (digits < text.len && text.data[digits] >= '0' && text.data[digits] <= '9') digits++;
  return digits == text.len;
}

bool dtype_says_objects(Eval *ev, Value v) {
  if (v.kind != V_OBJECT || v.o->type == ev->numpy->dtype) return false;
  Str text;
  if (value_as_str(v, &text)) return text_says_objects(text);
  if (value_is_type(ev, v)) {
    const Type *type = (const Type *)v.o;
    return type == ev->types.object || type_is_subtype(type, ev->types.string) ||
           type_is_subtype(type, ev->types.bytes) || str_is(name_str(type->name), "object_");
  }
  return v.o->type->is_heap && str_is(name_str(v.o->type->name), "_ObjectDType");
}

// Whether what is behind the first characters is a size ("8", "[D]", "8[ns]") or nothing.
static bool is_size(Str text, size_t first) {
  while (first < text.len && text.data[first] >= '0' && text.data[first] <= '9') first++;
  return first == text.len || text.data[first] == '[';
}

// 'float32' is meant by "flaot32", by "f32" and by "fp32".
static Str near_dtype_hint(Eval *ev, Str name) {
  Suggestion near;
  suggestion_init(&near, name);
  for (int i = 0; i < DT_COUNT; i++) {
    const char *full = dtype_name((DType)i);
    bool has_short_word = str_starts_with(name, STR("fp")) && name.len > 2 &&
                          strncmp(full, "float", 5) == 0 &&
                          str_starts_with(str_from_c(full + 5), (Str){name.data + 2, name.len - 2});
    if (has_short_word || str_is(name, dtype_short_name((DType)i)))
      return str_format(ev->arena, "did you mean '%s'?", full);
    suggestion_try(&near, str_from_c(full));
  }
  return suggestion_hint(ev, &near);
}

// Types of elements that NumPy has and that are not here.
static NORETURN void raise_unknown(Eval *ev, Str name, const char *what) {
  static const char *const kinds[] = {"str",        "bytes",       "object",
                                      "datetime64", "timedelta64", "void"};
  Str plain = name;
  if (plain.len > 1 && strchr("<>=|", plain.data[0])) plain.data++, plain.len--;
  DType dtype;
  if (plain.len < name.len && dtype_from_text(plain, &dtype))
    eval_raise(ev, ev->types.NotImplementedError,
               "%s: data type '%.*s' is not supported: elements lie in this machine's byte order",
               what, STR_FMT(name));
  bool is_known = plain.len && strchr("USaOMmV", plain.data[0]) && is_size(plain, 1);
  for (size_t i = 0; i < COUNT_OF(kinds); i++)
    is_known |= str_starts_with(plain, str_from_c(kinds[i])) && is_size(plain, strlen(kinds[i]));
  if (is_known)
    eval_raise(ev, ev->types.NotImplementedError,
               "%s: data type '%.*s' is not supported: elements are numbers and truth values", what,
               STR_FMT(name));
  Str hint = near_dtype_hint(ev, name);
  raise_hinted(ev, ev->types.TypeError, hint.len ? hint.data : "",
               "data type '%.*s' not understood", STR_FMT(name));
}

DType take_dtype(Eval *ev, Value v, const char *what) {
  DType dtype;
  if (value_as_dtype(ev, v, &dtype)) return dtype;
  if (v.kind == V_OBJECT && !value_is_type(ev, v)) { // anything with a dtype: an array, a ref
    Value inner = value_getattr_opt(ev, v, ev->numpy->names.dtype);
    if (!v_is_unbound(inner) && value_as_dtype(ev, inner, &dtype)) return dtype;
  }
  Str text;
  if (value_as_str(v, &text)) raise_unknown(ev, text, what);
  if (v.kind == V_OBJECT && (v.o == (Object *)ev->types.string ||
                             v.o == (Object *)ev->types.bytes || v.o == (Object *)ev->types.object))
    raise_unknown(ev, str_from_c(((const Type *)v.o)->name->text), what);
  const char *hint = v.kind == V_INT     ? "the sizes of a shape are one argument, a tuple"
                     : value_as_tuple(v) ? "is it the shape, which is another argument?"
                                         : "";
  raise_hinted(ev, ev->types.TypeError, hint, "Cannot interpret '%.*s' as a data type",
               STR_FMT(value_repr(ev, v)));
}

NdCasting take_casting(Eval *ev, Value v) {
  NdCasting casting;
  Str name;
  if (!value_as_str(v, &name)) name = STR("");
  if (nd_casting_from_name(name, &casting)) return casting;
  if (str_equal(name, STR("same_value")))
    eval_raise(ev, ev->types.NotImplementedError, "casting='same_value' is not supported");
  eval_raise(ev, ev->types.ValueError,
             "casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe', 'same_value' "
             "(got %.*s)",
             STR_FMT(value_repr(ev, v)));
}

// ---- dtype objects ------------------------------------------------------------------------------
static Value scalar_class(Eval *ev, DType dtype) { return v_object(ev->numpy->nd_scalars[dtype]); }

const char *dtype_code(DType dtype) {
  static const char *const codes[DT_COUNT] = {
      [DT_BOOL] = "?",      [DT_I2] = "c",       [DT_U2] = "C",         [DT_I4] = "a",
      [DT_I8] = "b",        [DT_I16] = "h",      [DT_I32] = "i",        [DT_I64] = "l",
      [DT_U4] = "A",        [DT_U8] = "B",       [DT_U16] = "H",        [DT_U32] = "I",
      [DT_U64] = "L",       [DT_F8E4M3FN] = "4", [DT_F8E5M2] = "5",     [DT_F8E4M3B11FNUZ] = "L",
      [DT_F8E3M4] = "3",    [DT_F8E4M3] = "7",   [DT_F8E4M3FNUZ] = "G", [DT_F8E5M2FNUZ] = "C",
      [DT_F8E8M0FNU] = "W", [DT_F4E2M1FN] = "0", [DT_BF16] = "E",       [DT_F16] = "e",
      [DT_F32] = "f",       [DT_F64] = "d",      [DT_C64] = "F",        [DT_C128] = "D",
  };
  return codes[dtype];
}

// NumPy's number of a type of its own: the place of its code in its list.
static int number_of(DType dtype) {
  static const char codes[] = "?bBhHiIlLqQfdgFDGOSUVMme";
  return (int)(strchr(codes, dtype_code(dtype)[0]) - codes);
}

// What tells a type of numbers from records and objects.
static Value simple_type_attribute(const NdNames *n, Value self, Name name) {
  if (name == n->fields || name == n->names || name == n->subdtype || name == n->metadata)
    return v_none();
  if (name == n->hasobject) return v_bool(false);
  if (name == n->isnative) return v_bool(true);
  if (name == n->isbuiltin) return v_int(dtype_is_extension(dtype_of_object(self)) ? 2 : 1);
  return name == n->base ? self : v_unbound();
}

static Value dtype_getattr(Eval *ev, Value self, Name name) {
  const NdNames *n = &ev->numpy->names;
  DType dtype = dtype_of_object(self);
  if (name == n->name) return make_str_c(ev, dtype_name(dtype));
  if (name == n->itemsize) return v_int((int64_t)dtype_size(dtype));
  if (name == n->alignment) return v_int((int64_t)dtype_size(dtype_of_parts(dtype)));
  if (name == n->kind)
    return make_str_fmt(ev, "%c", dtype_is_extension(dtype) ? 'V' : dtype_kind(dtype));
  if (name == n->type) return scalar_class(ev, dtype);
  if (name == n->shape) return make_tuple(ev, 0, NULL);
  if (name == n->ndim) return v_int(0);
  if (name == n->byteorder) return make_str_c(ev, dtype_size(dtype) == 1 ? "|" : "=");
  if (name == n->char_) return make_str_c(ev, dtype_code(dtype));
  if (name == n->num && !dtype_is_extension(dtype)) return v_int(number_of(dtype));
  if (name == n->str)
    return make_str_fmt(ev, "%c%c%zu", dtype_size(dtype) == 1 ? '|' : '<',
                        dtype_is_extension(dtype) ? 'V' : dtype_kind(dtype), dtype_size(dtype));
  return simple_type_attribute(n, self, name);
}

static Str dtype_repr(Eval *ev, Value self) {
  DType dtype = dtype_of_object(self);
  const char *quote = dtype_is_extension(dtype) ? "" : "'";
  return str_format(ev->arena, "dtype(%s%s%s)", quote, dtype_name(dtype), quote);
}

static Str dtype_str(Eval *ev UNUSED, Value self) {
  return str_from_c(dtype_name(dtype_of_object(self)));
}

Value dtype_compare(Eval *ev, CompareOp op, Value left, Value right) {
  DType a, b;
  if (op > CMP_GE) return v_not_implemented();
  bool known = value_as_dtype(ev, left, &a) && value_as_dtype(ev, right, &b);
  switch (op) {
  case CMP_EQ: return v_bool(known && a == b);
  case CMP_NE: return v_bool(!known || a != b);
  default: return v_not_implemented();
  }
}

uint64_t dtype_hash(Eval *ev UNUSED, Value self) {
  return 0x6474797065u + (uint64_t)dtype_of_object(self) * 0x9e3779b97f4a7c15u;
}

static Value dtype_new(Eval *ev, Value *a) {
  if (v_is_none(a[1])) return make_dtype(ev, DT_F64);
  if (dtype_says_objects(ev, a[1]))
    return value_call_n(ev, module_lookup(ev, "numpy", "_dtype_of_objects"), 1, &a[1]);
  return make_dtype(ev, take_dtype(ev, a[1], "dtype"));
}

// ndarray, dtype and the abstract scalars with types in brackets, for annotations. NumPy counts
// what stands there, and the scalars of one element type take none.
Value nd_class_getitem(Eval *ev, Value *a) {
  const NumpyState *types = ev->numpy;
  const Type *type = (const Type *)a[0].o;
  const Tuple *items = value_as_tuple(a[1]);
  size_t count = items ? items->count : 1, most = type == types->nd_array ? 2 : 1;
  for (int d = 0; d < DT_COUNT; d++)
    if (type == types->nd_scalars[d] && d != DT_BOOL)
      eval_raise(ev, ev->types.TypeError, "There are no type variables left in %s",
                 type_shown(type));
  if (type == types->nd_generic)
    eval_raise(ev, ev->types.TypeError, "type '%s' is not subscriptable", type_shown(type));
  if (type == types->nd_categories[ND_complexfloating]) most = 2;
  if (count == 0 || count > most)
    eval_raise(ev, ev->types.TypeError, "Too %s arguments for %s", count ? "many" : "few",
               type_shown(type));
  return make_generic_alias(ev, a[0], a[1]);
}

static const NativeDef dtype_methods[] = {
    {"__class_getitem__(cls, item, /)", nd_class_getitem},
    {"__new__(cls, dtype, align=False, copy=False)", dtype_new},
    {NULL, NULL},
};

void dtype_object_init(Eval *ev) {
  static const TypeSlots dtype = {.getattr = dtype_getattr,
                                  .attributes = "name itemsize alignment kind type shape ndim "
                                                "byteorder char num str base fields hasobject "
                                                "isbuiltin isnative metadata names subdtype",
                                  .repr = dtype_repr,
                                  .str = dtype_str,
                                  .compare = dtype_compare,
                                  .hash = dtype_hash};
  NumpyState *types = ev->numpy;
  types->dtype = type_new_native(ev, "numpy", "dtype", NULL, &dtype, dtype_methods);
  for (int d = 0; d < DT_COUNT; d++) {
    DTypeObject *object = ARENA_NEW(ev->arena, DTypeObject);
    *object = (DTypeObject){{types->dtype}, (DType)d};
    types->dtypes[d] = v_object(object);
  }
}
