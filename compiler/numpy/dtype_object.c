// SPDX-License-Identifier: Apache-2.0
// Element types as objects: dtype('float32'), the scalar types jnp.float32 …, and what may be said
// in their place.
#include "dtype_object.h"
#include <string.h>

typedef struct DTypeObject {
  Object base;
  DType dtype;
} DTypeObject;
typedef struct ScalarType { // jnp.float32
  Object base;
  DType dtype;
} ScalarType;

Value make_dtype(Eval *ev, DType dtype) { return ev->trace->types.dtypes[dtype]; }

// ---- reading a dtype ----------------------------------------------------------------------------
// NumPy's one-letter codes.
static bool dtype_from_code(Str text, DType *out) {
  static const struct {
    const char *code;
    DType dtype;
  } codes[] = {
      {"?", DT_BOOL},       {"b1", DT_BOOL},       {"b", DT_I8},       {"i1", DT_I8},
      {"h", DT_I16},        {"i2", DT_I16},        {"i", DT_I32},      {"i4", DT_I32},
      {"l", DT_I64},        {"q", DT_I64},         {"i8", DT_I64},     {"B", DT_U8},
      {"u1", DT_U8},        {"H", DT_U16},         {"u2", DT_U16},     {"I", DT_U32},
      {"u4", DT_U32},       {"L", DT_U64},         {"Q", DT_U64},      {"u8", DT_U64},
      {"e", DT_F16},        {"f2", DT_F16},        {"f", DT_F32},      {"f4", DT_F32},
      {"d", DT_F64},        {"f8", DT_F64},        {"float", DT_F64},  {"int", DT_I64},
      {"uint", DT_U64},     {"double", DT_F64},    {"single", DT_F32}, {"half", DT_F16},
      {"byte", DT_I8},      {"ubyte", DT_U8},      {"short", DT_I16},  {"ushort", DT_U16},
      {"intc", DT_I32},     {"uintc", DT_U32},     {"long", DT_I64},   {"ulong", DT_U64},
      {"longlong", DT_I64}, {"ulonglong", DT_U64}, {"intp", DT_I64},   {"uintp", DT_U64},
  };
  if (text.len > 1 && (text.data[0] == '<' || text.data[0] == '=' || text.data[0] == '|')) {
    text.data++;
    text.len--;
  }
  for (size_t i = 0; i < COUNT_OF(codes); i++)
    if (str_equal(text, str_from_c(codes[i].code))) {
      *out = codes[i].dtype;
      return true;
    }
  return false;
}

static bool dtype_from_text(Str text, DType *out) {
  if (dtype_from_code(text, out)) return true;
  if (!dtype_from_name(text, out)) return false;
  // The short names (f32) are this language's own in annotations; NumPy does not know them.
  return str_equal(text, str_from_c(dtype_name(*out))) || str_equal(text, STR("bool_")) ||
         str_equal(text, STR("float_")) || str_equal(text, STR("int_"));
}

static bool dtype_of_class(Eval *ev, Type *type, DType *out) {
  if (type == ev->types.floating)
    *out = DT_F64;
  else if (type == ev->types.integer)
    *out = DT_I64;
  else if (type == ev->types.boolean)
    *out = DT_BOOL;
  else {
    const ArrayTypes *types = trace_types(ev);
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
  const ArrayTypes *types = trace_types(ev);
  Str text;
  if (v.kind != V_OBJECT) return false;
  if (v.o->type == types->dtype || v.o->type == types->scalar_meta) {
    *out = ((const DTypeObject *)v.o)->dtype;
    return true;
  }
  if (value_as_str(v, &text)) return dtype_from_text(text, out);
  if (value_is_type(ev, v)) return dtype_of_class(ev, (Type *)v.o, out);
  return false;
}

static bool is_complex_name(Eval *ev, Value v) {
  Str text;
  if (value_is_type(ev, v)) {
    if ((Type *)v.o == ev->types.complex) return true;
    text = name_str(((Type *)v.o)->name);
  } else if (!value_as_str(v, &text))
    return false;
  return str_starts_with(text, STR("complex"));
}

DType take_dtype(Eval *ev, Value v, const char *what) {
  DType dtype;
  if (value_as_dtype(ev, v, &dtype)) return dtype;
  if (v.kind == V_OBJECT && !value_is_type(ev, v)) { // anything with a dtype: an array, a ref
    Value inner = value_getattr_opt(ev, v, array_names(ev)->dtype);
    if (!v_is_unbound(inner) && value_as_dtype(ev, inner, &dtype)) return dtype;
  }
  Str text;
  if (is_complex_name(ev, v))
    eval_raise(ev, ev->types.NotImplementedError, "%s: complex numbers are not supported", what);
  if (value_as_str(v, &text))
    eval_raise(ev, ev->types.TypeError, "%s: data type '%.*s' not understood", what, STR_FMT(text));
  eval_raise(ev, ev->types.TypeError, "%s: Cannot interpret '%.*s' as a data type", what,
             STR_FMT(value_repr(ev, v)));
}

DType take_canonical_dtype(Eval *ev, Value v, const char *what) {
  return canonical_dtype(take_dtype(ev, v, what));
}

DType take_requested_dtype(Eval *ev, Value v, const char *what) {
  DType dtype = take_dtype(ev, v, what);
  DType narrow = canonical_dtype(dtype);
  if (narrow != dtype && !value_is(v, v_object(ev->types.floating)) &&
      !value_is(v, v_object(ev->types.integer)))
    eval_warn(ev, WARN_HINT, "%s: dtype %s is not available (x64 is off); it becomes %s", what,
              dtype_name(dtype), dtype_name(narrow));
  return narrow;
}

// ---- dtype objects ------------------------------------------------------------------------------
static DType self_dtype(Value self) { return ((const DTypeObject *)self.o)->dtype; }

static Value scalar_class(Eval *ev, DType dtype) {
  return v_object(ev->trace->types.nd_scalars[dtype]);
}

static const char *type_code(DType dtype) {
  static const char *const codes[DT_COUNT] = {
      [DT_BOOL] = "?",       [DT_I4] = "a",
      [DT_I8] = "b",         [DT_I16] = "h",
      [DT_I32] = "i",        [DT_I64] = "l",
      [DT_U4] = "A",         [DT_U8] = "B",
      [DT_U16] = "H",        [DT_U32] = "I",
      [DT_U64] = "L",        [DT_F8E4M3FN] = "4",
      [DT_F8E5M2] = "5",     [DT_F8E4M3B11FNUZ] = "L",
      [DT_F8E3M4] = "3",     [DT_F8E4M3] = "7",
      [DT_F8E4M3FNUZ] = "G", [DT_F8E5M2FNUZ] = "C",
      [DT_F8E8M0FNU] = "W",  [DT_F4E2M1FN] = "0",
      [DT_BF16] = "E",       [DT_F16] = "e",
      [DT_F32] = "f",        [DT_F64] = "d",
  };
  return codes[dtype];
}

static Value dtype_getattr(Eval *ev, Value self, Name name) {
  const ArrayNames *n = array_names(ev);
  DType dtype = self_dtype(self);
  if (name == n->name) return make_str_c(ev, dtype_name(dtype));
  if (name == n->itemsize) return v_int((int64_t)dtype_size(dtype));
  if (name == n->alignment) return v_int((int64_t)dtype_size(dtype));
  if (name == n->kind)
    return make_str_fmt(ev, "%c", dtype_is_extension(dtype) ? 'V' : dtype_kind(dtype));
  if (name == n->type) return scalar_class(ev, dtype);
  if (name == n->shape) return make_tuple(ev, 0, NULL);
  if (name == n->ndim) return v_int(0);
  if (name == n->byteorder) return make_str_c(ev, dtype_size(dtype) == 1 ? "|" : "=");
  if (name == n->char_) return make_str_c(ev, type_code(dtype));
  if (name == n->str)
    return make_str_fmt(ev, "%c%c%zu", dtype_size(dtype) == 1 ? '|' : '<',
                        dtype_is_extension(dtype) ? 'V' : dtype_kind(dtype), dtype_size(dtype));
  return v_unbound();
}

static Str dtype_repr(Eval *ev, Value self) {
  DType dtype = self_dtype(self);
  const char *quote = dtype_is_extension(dtype) ? "" : "'";
  return str_format(ev->arena, "dtype(%s%s%s)", quote, dtype_name(dtype), quote);
}

static Str dtype_str(Eval *ev, Value self) {
  (void)ev;
  return str_from_c(dtype_name(self_dtype(self)));
}

static Value dtype_compare(Eval *ev, CompareOp op, Value left, Value right) {
  DType a, b;
  if (op > CMP_GE) return v_not_implemented();
  bool known = value_as_dtype(ev, left, &a) && value_as_dtype(ev, right, &b);
  switch (op) {
  case CMP_EQ: return v_bool(known && a == b);
  case CMP_NE: return v_bool(!known || a != b);
  default: return v_not_implemented();
  }
}

static uint64_t dtype_hash(Eval *ev, Value self) {
  (void)ev;
  return 0x6474797065u + (uint64_t)self_dtype(self) * 0x9e3779b97f4a7c15u;
}

static Value dtype_new(Eval *ev, Value *a) {
  if (v_is_none(a[1])) return make_dtype(ev, DT_F64);
  return make_dtype(ev, take_dtype(ev, a[1], "dtype"));
}

// ---- scalar types: jnp.float32 ------------------------------------------------------------------
static Value scalar_getattr(Eval *ev, Value self, Name name) {
  const ArrayNames *n = array_names(ev);
  DType dtype = self_dtype(self);
  if (name == n->dtype) return make_dtype(ev, dtype);
  if (name == n->__name__ || name == n->__qualname__) return make_str_c(ev, dtype_name(dtype));
  if (name == n->__module__) return make_str_c(ev, "jax.numpy");
  return v_unbound();
}

static Str scalar_repr(Eval *ev, Value self) {
  return str_format(ev->arena, "<class 'jax.numpy.%s'>", dtype_name(self_dtype(self)));
}

static Value scalar_call(Eval *ev, Value self, const Args *args) {
  if (args->kw_count || args->count != 1)
    eval_raise(ev, ev->types.TypeError, "%s() takes one argument (%zu given)",
               dtype_name(self_dtype(self)), args->count + args->kw_count);
  return array_make(ev, args->items[0], canonical_dtype(self_dtype(self)), 0);
}

// f32[512, 512], the type of an array: what annotations of entry points and --entry are written
// with. f32[()] is a scalar's.
static Value scalar_getitem(Eval *ev, Value self, Value index) {
  Aval aval = {.dtype = self_dtype(self)};
  aval.rank = (uint8_t)take_shape(ev, index, aval.dims, "shape in an array type");
  for (int d = 0; d < aval.rank; d++)
    if (aval.dims[d] < 0)
      eval_raise(ev, ev->types.ValueError, "dimension %d of an array type is negative: %lld", d,
                 (long long)aval.dims[d]);
  return shape_dtype_struct_new(ev, &aval);
}

Value scalar_type(Eval *ev, DType dtype) {
  ScalarType *s = ARENA_NEW(ev->arena, ScalarType);
  *s = (ScalarType){{ev->trace->types.scalar_meta}, dtype};
  return v_object(s);
}

// ---- issubdtype ---------------------------------------------------------------------------------
static bool category_has(Str category, DType dtype, bool *known) {
  char kind = dtype_kind(dtype);
  bool integer = kind == 'i' || kind == 'u';
  *known = true;
  if (str_equal(category, STR("generic"))) return true;
  if (str_equal(category, STR("number"))) return kind != 'b';
  if (str_equal(category, STR("integer"))) return integer;
  if (str_equal(category, STR("signedinteger"))) return kind == 'i';
  if (str_equal(category, STR("unsignedinteger"))) return kind == 'u';
  if (str_equal(category, STR("inexact")) || str_equal(category, STR("floating")))
    return kind == 'f';
  if (str_equal(category, STR("complexfloating")) || str_equal(category, STR("character")) ||
      str_equal(category, STR("flexible")) || str_equal(category, STR("extended")) ||
      str_equal(category, STR("prng_key")))
    return false;
  *known = false;
  return false;
}

static Str class_name(Eval *ev, Value v) {
  if (value_is_type(ev, v)) return name_str(((Type *)v.o)->name);
  Value name = value_getattr_opt(ev, v, array_names(ev)->__name__);
  Str text = STR("");
  if (!v_is_unbound(name)) value_as_str(name, &text);
  return text;
}

bool dtype_is_subdtype(Eval *ev, Value a, Value b) {
  DType x, y;
  bool known;
  if (!value_as_dtype(ev, a, &x)) {
    if (value_is_type(ev, a) || value_is_key_dtype(ev, a)) { // categories among themselves
      Str sub = class_name(ev, a), super = class_name(ev, b);
      if (str_equal(sub, super) || str_equal(super, STR("generic"))) return true;
      if (str_equal(sub, STR("prng_key"))) return str_equal(super, STR("extended"));
      static const struct {
        const char *sub, *super;
      } above[] = {{"floating", "inexact"},        {"floating", "number"},
                   {"integer", "number"},          {"inexact", "number"},
                   {"signedinteger", "integer"},   {"signedinteger", "number"},
                   {"unsignedinteger", "integer"}, {"unsignedinteger", "number"}};
      for (size_t i = 0; i < COUNT_OF(above); i++)
        if (str_equal(sub, str_from_c(above[i].sub)) &&
            str_equal(super, str_from_c(above[i].super)))
          return true;
      return false;
    }
    x = take_dtype(ev, a, "issubdtype");
  }
  bool in_category = category_has(class_name(ev, b), x, &known);
  if (known) return in_category;
  return value_as_dtype(ev, b, &y) && x == y;
}

static const NativeDef dtype_methods[] = {
    {"__new__(cls, dtype, align=False, copy=False)", dtype_new},
    {NULL, NULL},
};

void dtype_object_init(Eval *ev) {
  static const TypeSlots dtype = {.getattr = dtype_getattr,
                                  .repr = dtype_repr,
                                  .str = dtype_str,
                                  .compare = dtype_compare,
                                  .hash = dtype_hash};
  static const TypeSlots scalar = {.getattr = scalar_getattr,
                                   .repr = scalar_repr,
                                   .call = scalar_call,
                                   .getitem = scalar_getitem,
                                   .compare = dtype_compare,
                                   .hash = dtype_hash};
  ArrayTypes *types = &ev->trace->types;
  types->dtype = type_new_native(ev, "numpy", "dtype", NULL, &dtype, dtype_methods);
  types->scalar_meta = type_new_native(ev, "jax.numpy", "_ScalarMeta", NULL, &scalar, NULL);
  for (int d = 0; d < DT_COUNT; d++) {
    DTypeObject *object = ARENA_NEW(ev->arena, DTypeObject);
    *object = (DTypeObject){{types->dtype}, (DType)d};
    types->dtypes[d] = v_object(object);
  }
  types->promotion_error = error_type_new(ev, "TypePromotionError", ev->types.ValueError);
  types->mask_error = error_type_new(ev, "NonConcreteBooleanIndexError", ev->types.IndexError);
}

Type *error_type_new(Eval *ev, const char *name, Type *base) {
  Value bases = v_object(base);
  Tuple *tuple = (Tuple *)make_tuple(ev, 1, &bases).o;
  const Args none = {0};
  return type_new(ev, name_intern_c(ev->session->interner, name), tuple, dict_new(ev), &none);
}
