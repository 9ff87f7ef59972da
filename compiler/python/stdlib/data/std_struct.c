// SPDX-License-Identifier: Apache-2.0
// The module _struct: for struct.pk, floating-point numbers as their bytes, the lowest first, and
// what is in the formats that it has read.
#include <math.h>
#include <string.h>
#include "python/builtins/text/builtin_bytes.h"
#include "python/builtins/builtin_index.h"
#include "python/modules/module.h"
#include "python/numbers/bigint.h"
#include "python/objects/convert.h"
#include "python/objects/mapping.h"
#include "python/objects/value_call.h"
#include "python/values/builtin_state.h"
#include "python/values/bytes_like.h"
#include "python/values/dict.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"

static Value float_bytes(Eval *ev, Value *a) {
  double value = take_float(ev, a[0], "value");
  int64_t size = take_index64(ev, a[1]);
  char bytes[8];
  if (size == 8) {
    memcpy(bytes, &value, sizeof value);
  } else if (size == 4) {
    float narrow = (float)value;
    if (isinf(narrow) && !isinf(value))
      eval_raise(ev, ev->types.OverflowError, "float too large to pack with f format");
    memcpy(bytes, &narrow, sizeof narrow);
  } else {
    _Float16 narrow = (_Float16)value;
    if (isinf((float)narrow) && !isinf(value))
      eval_raise(ev, ev->types.OverflowError, "float too large to pack with e format");
    memcpy(bytes, &narrow, sizeof narrow);
  }
  return make_bytes(ev, (Str){bytes, (size_t)size});
}

static Value float_value(Eval *ev, Value *a) {
  Str data = take_bytes(ev, a[0]);
  if (data.len == 8) {
    double value;
    memcpy(&value, data.data, sizeof value);
    return v_float(value);
  }
  if (data.len == 4) {
    float value;
    memcpy(&value, data.data, sizeof value);
    return v_float((double)value);
  }
  _Float16 value = 0;
  if (data.len == sizeof value) memcpy(&value, data.data, sizeof value);
  return v_float((double)value);
}

// ---- plans --------------------------------------------------------------------------------------
// A format as struct.pk reads it: PlanFields in a bytes object, kept by the format. What is out of
// the ordinary, errors among it, is left to struct.pk.
typedef struct PlanField {
  char code;
  uint8_t size; // of a value
  uint8_t is_big, padding;
  uint8_t is_native, unused[3]; // native floats may overflow to infinity
  int64_t count;                // of values; of s, p and x of bytes
} PlanField;

typedef struct Plan {
  const PlanField *fields;
  size_t count, size; // of fields; of bytes
  size_t values;
} Plan;

static bool is_bytes_field(const PlanField *f) { return strchr("spx", f->code) != NULL; }

static Plan plan_of(Eval *ev, Value format) {
  enum { MOST_PLANS = 100 };
  Dict **known = &ev->builtin->struct_plans;
  Value made = *known ? dict_get(ev, *known, format) : v_unbound();
  if (v_is_unbound(made)) {
    made = value_call_n(ev, module_lookup(ev, "struct", "_plan"), 1, &format);
    if (!*known || (*known)->count == MOST_PLANS) *known = dict_new(ev);
    dict_set(ev, *known, format, made);
  }
  Str bytes = ((const BytesObject *)made.o)->text;
  Plan plan = {.fields = (const PlanField *)(const void *)bytes.data,
               .count = bytes.len / sizeof(PlanField)};
  for (size_t i = 0; i < plan.count; i++) {
    const PlanField *f = &plan.fields[i];
    plan.size += f->padding + (size_t)f->count * f->size;
    plan.values += f->code == 'x' ? 0 : is_bytes_field(f) ? 1 : (size_t)f->count;
  }
  return plan;
}

static void put_word(const PlanField *f, uint64_t word, char *to) {
  for (unsigned k = 0; k < f->size; k++)
    to[f->is_big ? f->size - 1u - k : k] = (char)(word >> 8 * k);
}

static uint64_t take_word(const PlanField *f, const char *from) {
  uint64_t word = 0;
  for (unsigned k = 0; k < f->size; k++)
    word |= (uint64_t)(unsigned char)from[f->is_big ? f->size - 1u - k : k] << 8 * k;
  return word;
}

// ---- packing ------------------------------------------------------------------------------------
static bool put_integer(const Eval *ev, const PlanField *f, Value v, char *to) {
  bool is_signed = f->code >= 'a';
  uint64_t word;
  if (v.kind == V_OBJECT) {
    if (!is_a(v, ev->types.integer) || is_signed || f->size < 8 || !big_as_u64(v, &word))
      return false;
  } else {
    if (v.kind != V_INT && v.kind != V_BOOL) return false;
    int64_t most = f->size < 8 ? (int64_t)1 << (8 * f->size - is_signed) : 0;
    if (is_signed ? most && (v.i < -most || v.i >= most) : v.i < 0 || (most && v.i >= most))
      return false;
    word = (uint64_t)v.i;
  }
  put_word(f, word, to);
  return true;
}

static bool put_float(const PlanField *f, Value v, char *to) {
  if (v.kind != V_FLOAT && v.kind != V_INT && v.kind != V_BOOL) return false;
  double x = v.kind == V_FLOAT ? v.f : (double)v.i;
  uint64_t word = 0;
  if (f->size == 8) {
    memcpy(&word, &x, sizeof x);
  } else if (f->size == 4) {
    float narrow = (float)x;
    uint32_t bits;
    if (isinf(narrow) && !isinf(x) && !f->is_native) return false;
    memcpy(&bits, &narrow, sizeof bits);
    word = bits;
  } else {
    _Float16 narrow = (_Float16)x;
    uint16_t bits;
    if (isinf((float)narrow) && !isinf(x)) return false;
    memcpy(&bits, &narrow, sizeof bits);
    word = bits;
  }
  put_word(f, word, to);
  return true;
}

static bool put_bytes(Eval *ev, const PlanField *f, Value v, char *to) {
  Str bytes;
  if (f->code == 'p' || v.kind != V_OBJECT || !value_as_bytes(ev, v, &bytes)) return false;
  size_t count = f->code == 'c' ? 1 : (size_t)f->count;
  if (f->code == 'c' && bytes.len != 1) return false;
  if (bytes.len) memcpy(to, bytes.data, bytes.len < count ? bytes.len : count);
  return true;
}

static bool put_value(Eval *ev, const PlanField *f, Value v, char *to) {
  switch (f->code) {
  case 's':
  case 'p':
  case 'c': return put_bytes(ev, f, v, to);
  case 'e':
  case 'f':
  case 'd': return put_float(f, v, to);
  case '?': *to = (char)(v.i != 0); return v.kind == V_BOOL || v.kind == V_INT;
  default: return put_integer(ev, f, v, to);
  }
}

static bool put_all(Eval *ev, const Plan *plan, const Value *values, char *to) {
  for (size_t i = 0; i < plan->count; i++) {
    const PlanField *f = &plan->fields[i];
    to += f->padding;
    if (f->code != 'x') {
      int64_t count = is_bytes_field(f) ? 1 : f->count;
      for (int64_t k = 0; k < count; k++)
        if (!put_value(ev, f, *values++, to + k * f->size)) return false;
    }
    to += f->count * f->size;
  }
  return true;
}

static Value s_pack(Eval *ev, Value *a) {
  const Tuple *values = (const Tuple *)a[1].o;
  Plan plan = plan_of(ev, a[0]);
  if (values->count == plan.values) {
    char *bytes;
    demand_memory(ev, plan.size);
    Value made = make_bytes_unset(ev, plan.size, &bytes);
    memset(bytes, 0, plan.size);
    if (put_all(ev, &plan, values->items, bytes)) return made;
  }
  return value_call_n(ev, module_lookup(ev, "struct", "_pack"), 2, a);
}

// ---- unpacking ----------------------------------------------------------------------------------
static Value integer_of(Eval *ev, const PlanField *f, uint64_t word) {
  unsigned spare = 64 - 8u * f->size;
  if (f->code >= 'a') return v_int((int64_t)(word << spare) >> spare);
  return word >> 63 ? big_from_u64(ev, word) : v_int((int64_t)word);
}

static Value float_of(const PlanField *f, uint64_t word) {
  if (f->size == 8) {
    double x;
    memcpy(&x, &word, sizeof x);
    return v_float(x);
  }
  if (f->size == 4) {
    uint32_t bits = (uint32_t)word;
    float x;
    memcpy(&x, &bits, sizeof x);
    return v_float((double)x);
  }
  uint16_t bits = (uint16_t)word;
  _Float16 x;
  memcpy(&x, &bits, sizeof x);
  return v_float((double)x);
}

static Value value_at(Eval *ev, const PlanField *f, const char *from) {
  switch (f->code) {
  case 's': return make_bytes(ev, (Str){from, (size_t)f->count});
  case 'p': {
    size_t most = f->count ? (size_t)f->count - 1 : 0;
    size_t len = f->count ? (size_t)(unsigned char)*from : 0;
    return make_bytes(ev, (Str){from + (f->count != 0), len < most ? len : most});
  }
  case 'c': return make_bytes(ev, (Str){from, 1});
  case '?': return v_bool(*from != 0);
  case 'e':
  case 'f':
  case 'd': return float_of(f, take_word(f, from));
  default: return integer_of(ev, f, take_word(f, from));
  }
}

static Value unpacked(Eval *ev, const Plan *plan, const char *from) {
  Tuple *values = tuple_new(ev, plan->values);
  Value *to = values->items;
  for (size_t i = 0; i < plan->count; i++) {
    const PlanField *f = &plan->fields[i];
    from += f->padding;
    if (f->code != 'x') {
      int64_t count = is_bytes_field(f) ? 1 : f->count;
      for (int64_t k = 0; k < count; k++) *to++ = value_at(ev, f, from + k * f->size);
    }
    from += f->count * f->size;
  }
  return v_object(values);
}

static Value s_unpack(Eval *ev, Value *a) {
  Plan plan = plan_of(ev, a[0]);
  Str bytes = take_bytes_like(ev, a[1]);
  if (bytes.len == plan.size) return unpacked(ev, &plan, bytes.data);
  return value_call_n(ev, module_lookup(ev, "struct", "_unpack"), 2, a);
}

static Value s_unpack_from(Eval *ev, Value *a) {
  Plan plan = plan_of(ev, a[0]);
  Str bytes = take_bytes_like(ev, a[1]);
  if (a[2].kind == V_INT && a[2].i >= 0 && (uint64_t)a[2].i <= bytes.len &&
      bytes.len - (uint64_t)a[2].i >= plan.size)
    return unpacked(ev, &plan, bytes.data + a[2].i);
  return value_call_n(ev, module_lookup(ev, "struct", "_unpack_from"), 3, a);
}

static const NativeDef natives[] = {{"float_bytes(value, size)", float_bytes},
                                    {"float_value(data)", float_value},
                                    {"pack(format, /, *values)", s_pack},
                                    {"unpack(format, buffer, /)", s_unpack},
                                    {"unpack_from(format, /, buffer, offset=0)", s_unpack_from},
                                    {0}};

const ModuleDef module_struct = {.name = "_struct", .functions = natives};
