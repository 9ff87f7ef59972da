// SPDX-License-Identifier: Apache-2.0
// Families: see family.h. In: functions of a module. Out: what they are as one, in words and
// numbers.
#include "base/compare.h"
#include "base/buf.h"
#include "family.h"
#include <stdlib.h>
#include <string.h>

enum { SHOWN_SIZES = 8 };

// ---- making -------------------------------------------------------------------------------------
IrFamily *ir_family_new(IrModule *module, Name name, size_t count, const Name *sizes) {
  IrFamily *family = ARENA_NEW(module->arena, IrFamily);
  *family = (IrFamily){.name = name, .count = count};
  family->sizes = ARENA_ARRAY(module->arena, Name, count + 1);
  memcpy(family->sizes, sizes, count * sizeof *sizes);
  return family;
}

void ir_family_add(IrFunc *func, IrFamily *family, const int64_t *sizes) {
  func->family = family;
  func->sizes = arena_dup(func->module->arena, sizes, family->count * sizeof *sizes);
}

// ---- asking -------------------------------------------------------------------------------------
bool ir_family_is_first(const IrFunc *func) {
  if (!func->family) return true;
  for (const IrFunc *f = func->module->first; f; f = f->next)
    if (f->family == func->family) return f == func;
  return false;
}

IrFunc *ir_family_next(const IrFunc *func) {
  return func->family && func->next && func->next->family == func->family ? func->next : NULL;
}

size_t ir_family_count(const IrFunc *first) {
  size_t count = 0;
  for (const IrFunc *f = first; f; f = ir_family_next(f)) count++;
  return count;
}

Name ir_family_name(const IrFunc *func) { return func->family ? func->family->name : func->name; }

bool ir_name_is_taken(const IrModule *module, Name name) {
  for (const IrFunc *f = module->first; f; f = f->next)
    if (f->name == name || ir_family_name(f) == name) return true;
  return false;
}

static const IrType *param_type(const IrFunc *func, uint32_t param) {
  return func->body->args[param]->type;
}

static const char *param_name(const IrParam *param) { return param->name ? param->name->text : ""; }

static bool params_agree(Arena *arena, const IrFunc *a, const IrFunc *b, uint32_t i, Str *why) {
  const IrParam *p = &a->params[i], *q = &b->params[i];
  const IrType *t = param_type(a, i), *u = param_type(b, i);
  if (p->role != q->role || p->name != q->name)
    *why = str_format(arena, "parameter %u is '%s' of one, '%s' of the other", i + 1, param_name(p),
                      param_name(q));
  else if (t->dtype != u->dtype)
    *why = str_format(arena, "'%s' is of %s in one, of %s in the other", param_name(p),
                      dtype_name(t->dtype), dtype_name(u->dtype));
  else if (t->rank != u->rank)
    *why = str_format(arena, "'%s' has %d dimensions in one, %d in the other", param_name(p),
                      t->rank, u->rank);
  else
    return true;
  return false;
}

bool ir_family_agrees(Arena *arena, const IrFunc *a, const IrFunc *b, Str *why) {
  if (a->param_count != b->param_count) {
    *why = str_format(arena, "one has %u parameters, the other %u", a->param_count, b->param_count);
    return false;
  }
  for (uint32_t i = 0; i < a->param_count; i++)
    if (!params_agree(arena, a, b, i, why)) return false;
  return true;
}

static IrInts sorted_values(int64_t *values, size_t count) {
  qsort(values, count, sizeof *values, compare_i64);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (kept == 0 || values[kept - 1] != values[i]) values[kept++] = values[i];
  return (IrInts){values, kept};
}

IrInts ir_family_values(Arena *arena, const IrFunc *first, size_t size) {
  int64_t *values = ARENA_ARRAY(arena, int64_t, ir_family_count(first) + 1);
  size_t count = 0;
  for (const IrFunc *f = first; f; f = ir_family_next(f)) values[count++] = f->sizes[size];
  return sorted_values(values, count);
}

Str ir_sizes_text(Arena *arena, const IrFamily *family, const int64_t *sizes) {
  Buf buf;
  buf_init(&buf, arena);
  for (size_t i = 0; i < family->count; i++)
    buf_printf(&buf, "%s%s = %lld", i ? ", " : "", family->sizes[i]->text, (long long)sizes[i]);
  return buf_view(&buf);
}

DiagCase ir_func_case(const IrFunc *func) {
  DiagCase result = {0};
  if (!func->family) return result;
  result.text = ir_sizes_text(func->module->session->arena, func->family, func->sizes);
  for (const IrFunc *f = func->module->first; f; f = f->next)
    result.total += f->family == func->family;
  return result;
}

// ---- dimensions ---------------------------------------------------------------------------------
typedef struct DimOf {
  const IrFunc *first;
  uint32_t param;
  int dim;
} DimOf;

static int64_t dim_in(const DimOf *d, const IrFunc *func) {
  return param_type(func, d->param)->dims[d->dim];
}

int64_t ir_family_max_dim(const IrFunc *first, uint32_t param, int dim, bool *is_fixed) {
  DimOf d = {first, param, dim};
  int64_t most = dim_in(&d, first);
  *is_fixed = true;
  for (const IrFunc *f = first; f; f = ir_family_next(f)) {
    *is_fixed &= dim_in(&d, f) == dim_in(&d, first);
    if (dim_in(&d, f) > most) most = dim_in(&d, f);
  }
  return most;
}

// The factor, divisor or difference between the dimension and one size.
typedef enum Relation { IS_MULTIPLE, IS_PART, IS_SUM } Relation;

static bool holds(const DimOf *d, size_t size, Relation relation, int64_t number) {
  for (const IrFunc *f = d->first; f; f = ir_family_next(f)) {
    int64_t dim = dim_in(d, f), of = f->sizes[size], wanted;
    bool overflows = relation == IS_MULTIPLE ? __builtin_mul_overflow(of, number, &wanted)
                     : relation == IS_PART   ? __builtin_mul_overflow(dim, number, &wanted)
                                             : __builtin_add_overflow(of, number, &wanted);
    if (overflows || wanted != (relation == IS_PART ? of : dim)) return false;
  }
  return true;
}

// Where the size is not 0: any factor would do there.
static const IrFunc *member_with_size(const IrFunc *first, size_t size) {
  for (const IrFunc *f = first; f; f = ir_family_next(f))
    if (f->sizes[size] != 0) return f;
  return first;
}

static bool put_relation(const DimOf *d, size_t size, Buf *out) {
  const IrFunc *member = member_with_size(d->first, size);
  const char *name = member->family->sizes[size]->text;
  int64_t dim = dim_in(d, member), of = member->sizes[size];
  if (of > 0 && dim > 0 && dim % of == 0 && holds(d, size, IS_MULTIPLE, dim / of)) {
    if (dim != of) buf_printf(out, "%lld*", (long long)(dim / of));
    buf_c(out, name);
  } else if (of > 0 && dim > 0 && of % dim == 0 && holds(d, size, IS_PART, of / dim)) {
    buf_printf(out, "%s/%lld", name, (long long)(of / dim));
  } else if (holds(d, size, IS_SUM, dim - of)) {
    buf_printf(out, dim < of ? "%s-%lld" : "%s+%lld", name,
               (long long)(dim < of ? of - dim : dim - of));
  } else {
    return false;
  }
  return true;
}

static bool is_product(const DimOf *d, size_t a, size_t b) {
  for (const IrFunc *f = d->first; f; f = ir_family_next(f)) {
    int64_t product;
    if (__builtin_mul_overflow(f->sizes[a], f->sizes[b], &product) || product != dim_in(d, f))
      return false;
  }
  return true;
}

static bool put_product(const DimOf *d, Buf *out) {
  const IrFamily *family = d->first->family;
  for (size_t a = 0; a < family->count; a++) {
    for (size_t b = a + 1; b < family->count; b++) {
      if (!is_product(d, a, b)) continue;
      buf_printf(out, "%s*%s", family->sizes[a]->text, family->sizes[b]->text);
      return true;
    }
  }
  return false;
}

static void put_values(IrInts values, Buf *out) {
  buf_char(out, '{');
  for (size_t i = 0; i < values.count && i < SHOWN_SIZES; i++)
    buf_printf(out, i ? ",%lld" : "%lld", (long long)values.items[i]);
  buf_c(out, values.count > SHOWN_SIZES ? ",…}" : "}");
}

static void put_dim(Arena *arena, const DimOf *d, Buf *out) {
  bool is_fixed;
  int64_t most = ir_family_max_dim(d->first, d->param, d->dim, &is_fixed);
  if (is_fixed) {
    buf_printf(out, "%lld", (long long)most);
    return;
  }
  for (size_t i = 0; i < d->first->family->count; i++)
    if (put_relation(d, i, out)) return;
  if (put_product(d, out)) return;
  int64_t *values = ARENA_ARRAY(arena, int64_t, ir_family_count(d->first) + 1);
  size_t count = 0;
  for (const IrFunc *f = d->first; f; f = ir_family_next(f)) values[count++] = dim_in(d, f);
  put_values(sorted_values(values, count), out);
}

Str ir_family_dim(Arena *arena, const IrFunc *first, uint32_t param, int dim) {
  DimOf d = {first, param, dim};
  Buf buf;
  buf_init(&buf, arena);
  put_dim(arena, &d, &buf);
  return buf_view(&buf);
}

// ---- signatures ---------------------------------------------------------------------------------
static void put_types(Arena *arena, const IrFunc *first, bool outputs, bool follows, Buf *out) {
  for (uint32_t i = 0; i < first->param_count; i++) {
    const IrType *type = param_type(first, i);
    if ((first->params[i].role == PARAM_OUT) != outputs) continue;
    if (follows) buf_c(out, ", ");
    follows = true;
    if (!outputs) buf_printf(out, "%s: ", param_name(&first->params[i]));
    buf_printf(out, "%s[", dtype_short_name(type->dtype));
    for (int d = 0; d < type->rank; d++)
      buf_printf(out, d ? ",%.*s" : "%.*s", STR_FMT(ir_family_dim(arena, first, i, d)));
    buf_char(out, ']');
  }
}

Str ir_family_signature(Arena *arena, const IrFunc *first) {
  size_t outputs = 0, sizes = first->family ? first->family->count : 0;
  for (uint32_t i = 0; i < first->param_count; i++) outputs += first->params[i].role == PARAM_OUT;
  Buf buf;
  buf_init(&buf, arena);
  buf_printf(&buf, "%s(", ir_family_name(first)->text);
  for (size_t i = 0; i < sizes; i++) {
    buf_printf(&buf, "%s%s: ", i ? ", " : "", first->family->sizes[i]->text);
    put_values(ir_family_values(arena, first, i), &buf);
  }
  put_types(arena, first, false, sizes > 0, &buf);
  buf_c(&buf, outputs == 1 ? ") -> " : ") -> (");
  put_types(arena, first, true, false, &buf);
  if (outputs != 1) buf_char(&buf, ')');
  return buf_view(&buf);
}
