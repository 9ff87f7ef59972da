// SPDX-License-Identifier: Apache-2.0
// What is known of an array while tracing, its text, and the type of the IR that it has.
#include "base/buf.h"
#include "aval.h"
#include "jax/trace/tracing.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/values/suggest.h"
#include "python/objects/type_lookup.h"
#include "numpy/arrays/nd_shape.h"
#include <string.h>

int64_t aval_count(const Aval *aval) {
  int64_t count = 1;
  for (int i = 0; i < aval->rank; i++) count *= aval->dims[i];
  return count;
}

static Str text(Arena *arena, const char *dtype, const Aval *aval) {
  Buf buf;
  buf_init(&buf, arena);
  if (aval->weak) buf_char(&buf, '~');
  buf_printf(&buf, "%s[", dtype);
  for (int i = 0; i < aval->rank; i++)
    buf_printf(&buf, i ? ",%lld" : "%lld", (long long)aval->dims[i]);
  buf_char(&buf, ']');
  return buf_view(&buf);
}

Str aval_text(Arena *arena, const Aval *aval) { return text(arena, dtype_name(aval->dtype), aval); }

Str aval_repr(Arena *arena, const Aval *aval) {
  Aval plain = *aval;
  plain.weak = false;
  return str_format(arena, "ShapedArray(%.*s%s)", STR_FMT(aval_text(arena, &plain)),
                    aval->weak ? ", weak_type=True" : "");
}

Str aval_plain_text(Arena *arena, const Aval *aval) {
  Aval plain = *aval;
  plain.weak = false;
  return aval_text(arena, &plain);
}

Str aval_short_text(Arena *arena, const Aval *aval) {
  return text(arena, dtype_short_name(aval->dtype), aval);
}

Aval aval_of(const IrValue *ir, bool weak) {
  Aval aval = {.dtype = ir->type->dtype, .weak = weak, .rank = ir->type->rank};
  memcpy(aval.dims, ir->type->dims, aval.rank * sizeof *aval.dims);
  return aval;
}

const IrType *aval_type(Eval *ev, const Aval *aval) {
  return array_type_checked(ev, aval->dtype, aval->rank, aval->dims);
}

DType canonical_dtype(const Eval *ev, DType dtype) {
  if (ev->trace->x64) return dtype;
  switch (dtype) {
  case DT_F64: return DT_F32;
  case DT_I64: return DT_I32;
  case DT_U64: return DT_U32;
  case DT_C128: return DT_C64;
  default: return dtype;
  }
}

DType default_int(const Eval *ev) { return canonical_dtype(ev, DT_I64); }

DType default_uint(const Eval *ev) { return canonical_dtype(ev, DT_U64); }

DType default_float(const Eval *ev) { return canonical_dtype(ev, DT_F64); }

const IrType *array_type_checked(Eval *ev, DType dtype, size_t rank, const int64_t *dims) {
  if (dtype_is_complex(dtype))
    eval_raise(ev, ev->types.NotImplementedError,
               "arrays of %s are not supported outside of NumPy: complex numbers are not in the "
               "kernel IR",
               dtype_name(dtype));
  const IrType *type = ir_array_type(trace_module(ev), dtype, rank, dims);
  if (!type) {
    if (rank > IR_MAX_RANK)
      eval_raise(ev, ev->types.ValueError,
                 "arrays of %zu dimensions are not supported (at most %d)", rank, IR_MAX_RANK);
    eval_raise(ev, ev->types.ValueError, "an array of %s of shape %.*s is too large",
               dtype_name(dtype), STR_FMT(shape_text(ev->arena, rank, dims)));
  }
  return type;
}

void check_python_int(Eval *ev, Value v) {
  if (v.kind == V_OBJECT && v.o->type == ev->types.integer)
    eval_raise(ev, ev->types.OverflowError, "Python int %.*s too large to convert to %s",
               STR_FMT(value_repr(ev, v)), dtype_name(default_int(ev)));
  if (v.kind == V_INT && !ev->trace->x64 && (v.i > INT32_MAX || v.i < INT32_MIN))
    raise_hinted(ev, ev->types.OverflowError, "give it a type, as jnp.uint32(n) does",
                 "Python int %lld too large to convert to int32", (long long)v.i);
}
