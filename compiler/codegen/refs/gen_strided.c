// SPDX-License-Identifier: Apache-2.0
// Copies between refs, one of them a virtual one (gen_virtual.c), as copies of strided memory. In:
// the bindings. Out: dimensions and strides that find the same elements, more of them than the refs
// have dimensions.
//
// A dimension of a virtual ref is made of axes: memory with one stride each. One of 16 rows, in
// which a ref of 8 rows of words is seen as halves, has an axis of the two halves and one of the 8
// rows. An element may have parts, which are axes as well: a word that is made of two rows of
// halves. So a reshape splits axes and puts them together anew, and what both ends have in common
// is found by splitting each until they agree.
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "gen_strided.h"
#include "codegen/emit/emit.h"
#include "ir/analysis/access.h"
#include "ir/analysis/bounds.h"

// A choice: each bitcast and each reshape adds one or two.
enum { MOST_AXES = 8 };

typedef struct Axis {
  int64_t size, stride; // in bytes
} Axis;

// The innermost one first.
typedef struct Axes {
  int count;
  Axis items[MOST_AXES];
} Axes;

typedef struct Strided {
  Value base;
  int rank;
  Axes dims[IR_MAX_RANK];
  Axes parts; // of an element, the one with the lowest bits first
  int64_t unit;
} Strided;

// ---- axes ---------------------------------------------------------------------------------------
static bool add_axis(Axes *axes, int64_t size, int64_t stride) {
  if (size == 1) return true;
  if (axes->count == MOST_AXES) return false;
  axes->items[axes->count++] = (Axis){size, stride};
  return true;
}

static int64_t size_of(const Axes *axes) {
  int64_t size = 1;
  for (int i = 0; i < axes->count; i++) size *= axes->items[i].size;
  return size;
}

static void drop_inner(Axes *axes, int64_t size) {
  Axis *inner = &axes->items[0];
  inner->size /= size;
  inner->stride *= size;
  if (inner->size > 1) return;
  axes->count--;
  for (int i = 0; i < axes->count; i++) axes->items[i] = axes->items[i + 1];
}

// Moves the innermost elements, `size` of them, behind those that `to` has.
static bool take(Axes *from, int64_t size, Axes *to) {
  while (size > 1) {
    if (!from->count) return false;
    Axis inner = from->items[0];
    int64_t part = inner.size < size ? inner.size : size;
    if (size % part || inner.size % part || !add_axis(to, part, inner.stride)) return false;
    drop_inner(from, part);
    size /= part;
  }
  return true;
}

static bool take_all(Axes *from, Axes *to) { return take(from, size_of(from), to); }

// ---- refs ---------------------------------------------------------------------------------------
static bool has_whole_bytes(DType dtype) { return dtype_bits(dtype) == 8 * dtype_size(dtype); }

static void move_base(LlvmGen *g, Strided *s, Value steps, int64_t stride) {
  Value bytes = emit_mul(g, steps, gen_i64(g, stride));
  s->base = LLVMBuildGEP2(g->builder, g->i8, s->base, &bytes, 1, "");
}

// How many of an axis's steps the start is, each of `inner` elements, if that is known.
static bool start_in_steps(LlvmGen *g, const IrOp *op, const IndexDim *by, Value start,
                           int64_t inner, Value *steps) {
  bool is_const = LLVMIsAConstantInt(start);
  if (is_const ? LLVMConstIntGetSExtValue(start) % inner != 0
               : !bounds_is_multiple(op->operands[by->start_operand], inner))
    return false;
  *steps = LLVMBuildExactSDiv(g->builder, start, gen_i64(g, inner), "");
  return true;
}

static bool narrow_dim(LlvmGen *g, Strided *s, const IrOp *op, int dim, Value start, Axes *axes) {
  const IndexDim *by = &ir_attr_index(op)->dims[dim];
  int64_t size = by->kind == INDEX_SCALAR ? 1 : by->size;
  if (axes->count > 1) { // all of it, or what begins and ends between two of its outermost steps
    int64_t whole = size_of(axes), inner = whole / axes->items[axes->count - 1].size;
    Value steps;
    if (by->stride != 1 || size % inner || !start_in_steps(g, op, by, start, inner, &steps))
      return false;
    Axis *outer = &axes->items[axes->count - 1];
    move_base(g, s, steps, outer->stride);
    outer->size = size / inner;
    if (outer->size == 1) axes->count--;
    return true;
  }
  Axis axis = axes->count ? axes->items[0] : (Axis){1, 0};
  move_base(g, s, start, axis.stride);
  axes->count = 0;
  return add_axis(axes, size, axis.stride * (by->kind == INDEX_SLICE ? by->stride : 1));
}

static bool narrow(LlvmGen *g, const VirtualRef *v, Strided *s) {
  const IrIndex *index = ir_attr_index(v->op);
  int kept = 0;
  if (!access_index_is_strided(index)) return false;
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *by = &index->dims[i];
    Axes axes = s->dims[i];
    if (!narrow_dim(g, s, v->op, i, v->starts[i], &axes)) return false;
    if (by->kind == INDEX_SLICE) s->dims[kept++] = axes;
  }
  s->rank = kept;
  return true;
}

static bool reshape(const IrType *type, Strided *s) {
  Axes all = {.count = 0}, dims[IR_MAX_RANK] = {0};
  for (int i = s->rank; i-- > 0;)
    if (!take_all(&s->dims[i], &all)) return false;
  s->rank = type->rank;
  for (int i = type->rank; i-- > 0;)
    if (!take(&all, type->dims[i], &dims[i])) return false;
  for (int i = 0; i < type->rank; i++) s->dims[i] = dims[i];
  return true;
}

// Each element in parts of `unit` bytes.
static bool split_unit(Strided *s, int64_t unit) {
  Axes parts = {.count = 0};
  if (!add_axis(&parts, s->unit / unit, unit) || !take_all(&s->parts, &parts)) return false;
  s->parts = parts;
  s->unit = unit;
  return true;
}

// Rows are packed, as gen_virtual.c says.
static bool see_as(const VirtualRef *v, Strided *s) {
  DType now = v->type->dtype, before = v->source_type->dtype;
  if (!has_whole_bytes(now) || !has_whole_bytes(before)) return false;
  if (dtype_size(now) == dtype_size(before)) return true;
  Axes *rows = &s->dims[s->rank >= 2 ? s->rank - 2 : s->rank - 1];
  if (dtype_size(now) > dtype_size(before))
    return take(rows, (int64_t)(dtype_size(now) / dtype_size(before)), &s->parts);
  int64_t ratio = (int64_t)(dtype_size(before) / dtype_size(now)), parts = size_of(&s->parts);
  Axes all = {.count = 0}, kept = {.count = 0};
  if (parts < ratio) {
    if (ratio % parts || !split_unit(s, s->unit * parts / ratio)) return false;
    parts = ratio;
  }
  if (parts % ratio || !take(&s->parts, parts / ratio, &kept) || !take_all(&s->parts, &all))
    return false;
  if (!take_all(rows, &all)) return false;
  *rows = all;
  s->parts = kept;
  return true;
}

static bool find_strides(LlvmGen *g, const Binding *ref, Strided *out) {
  const VirtualRef *v = ref->virtual_ref;
  if (ref->sizes) return false;
  if (!v) {
    int64_t unit = (int64_t)dtype_size(ref->mem.dtype);
    *out = (Strided){.base = ref->mem.base, .rank = ref->mem.rank, .unit = unit};
    for (int i = 0; i < out->rank; i++)
      add_axis(&out->dims[i], ref->mem.dims[i], ref->mem.strides[i] * unit);
    return true;
  }
  if (!find_strides(g, v->source, out)) return false;
  switch (v->code) {
  case OP_VIEW: return narrow(g, v, out);
  case OP_REF_RESHAPE: return reshape(v->type, out);
  default: return see_as(v, out);
  }
}

// ---- both ends ----------------------------------------------------------------------------------
// Dimensions that are so long on both sides, behind those that there are.
static bool add_common(Axes *to, Axes *from, StridedCopy *out) {
  while (to->count && from->count) {
    Axis a = to->items[0], b = from->items[0];
    int64_t part = a.size < b.size ? a.size : b.size;
    if (a.size % part || b.size % part || out->rank == IR_MAX_RANK) return false;
    out->dims[out->rank] = part;
    out->to_strides[out->rank] = a.stride;
    out->from_strides[out->rank++] = b.stride;
    drop_inner(to, part);
    drop_inner(from, part);
  }
  return !to->count && !from->count;
}

static void swap(int64_t *numbers, int a, int b) {
  int64_t first = numbers[a];
  numbers[a] = numbers[b];
  numbers[b] = first;
}

bool ref_strided_copy(LlvmGen *g, const Binding *to, const Binding *from, StridedCopy *out) {
  Strided t, f;
  for (int i = 0; i < to->mem.rank; i++)
    if (!to->mem.dims[i]) return false;
  if (!find_strides(g, to, &t) || !find_strides(g, from, &f)) return false;
  int64_t unit = t.unit < f.unit ? t.unit : f.unit;
  if (!split_unit(&t, unit) || !split_unit(&f, unit)) return false;
  *out = (StridedCopy){.to = t.base, .from = f.base, .unit = unit};
  if (!add_common(&t.parts, &f.parts, out)) return false;
  for (int i = t.rank; i-- > 0;)
    if (!add_common(&t.dims[i], &f.dims[i], out)) return false;
  for (int i = 0, k = out->rank - 1; i < k; i++, k--) { // the outermost one first
    swap(out->dims, i, k);
    swap(out->to_strides, i, k);
    swap(out->from_strides, i, k);
  }
  return true;
}
