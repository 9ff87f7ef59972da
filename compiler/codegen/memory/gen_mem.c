// SPDX-License-Identifier: Apache-2.0
// Memory of arrays: strided descriptions, copies and fills, vector accesses, loops over all
// coordinates.
#include "ir/core/ir.h"
#include "gen_mem.h"
#include "gen_vector.h"
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_const.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/emit/gen_outlined.h"
#include "codegen/emit/gen_type.h"
#include "plan/plan_layout.h"

int64_t mem_count(const Mem *mem) {
  int64_t count = 1;
  for (int i = 0; i < mem->rank; i++) count *= mem->dims[i];
  return count;
}

Layout mem_layout(const Mem *mem) {
  Layout layout = {.dtype = mem->dtype, .rank = mem->rank};
  for (int i = 0; i < mem->rank; i++) {
    layout.dims[i] = mem->dims[i];
    layout.strides[i] = mem->strides[i];
  }
  return layout;
}

bool mem_is_dense(const Mem *mem) {
  Layout layout = mem_layout(mem);
  return layout_is_dense(&layout);
}

Mem mem_at(Value base, const Layout *layout) {
  Mem mem = {.base = base, .dtype = layout->dtype, .rank = layout->rank};
  for (int i = 0; i < layout->rank; i++) {
    mem.dims[i] = layout->dims[i];
    mem.strides[i] = layout->strides[i];
  }
  return mem;
}

bool mem_reshape(const Mem *mem, size_t rank, const int64_t *dims, Mem *out) {
  Layout layout = mem_layout(mem), reshaped;
  if (!layout_reshape(&layout, rank, dims, &reshaped)) return false;
  *out = mem_at(mem->base, &reshaped);
  return true;
}

Mem mem_dense(Value base, DType dtype, size_t rank, const int64_t *dims) {
  Layout layout = layout_dense(dtype, rank, dims);
  return mem_at(base, &layout);
}

Mem mem_slice(LlvmGen *g, const Mem *mem, const int64_t *starts, const int64_t *sizes,
              const int64_t *strides) {
  Mem out = *mem;
  int64_t offset = 0;
  bool is_empty = mem_count(mem) == 0;
  for (int i = 0; i < mem->rank; i++) {
    offset += starts[i] * mem->strides[i];
    out.dims[i] = sizes[i];
    if (sizes[i] == 0) is_empty = true;
    out.strides[i] = mem->strides[i] * (strides ? strides[i] : 1);
  }
  if (is_empty || offset == 0) return out;
  out.base = gen_offset_const(g, mem->base, mem->dtype, offset);
  return out;
}

// ---- elements -----------------------------------------------------------------------------------
Value mem_address(LlvmGen *g, const Mem *mem, Value const *index) {
  Value offset = NULL;
  for (int i = 0; i < mem->rank; i++)
    offset = gen_add(g, offset, gen_mul_const(g, index[i], mem->strides[i]));
  return gen_offset(g, mem->base, mem->dtype, offset);
}

Value mem_load_raw(LlvmGen *g, Value address, DType dtype) {
  Value raw = LLVMBuildLoad2(g->builder, gen_storage_type(g, dtype, 1), address, "");
  gen_set_align(raw, (unsigned)dtype_size(dtype));
  return raw;
}

Value mem_load(LlvmGen *g, const Mem *mem, Value const *index) {
  return convert_from_storage(g, mem->dtype,
                              mem_load_raw(g, mem_address(g, mem, index), mem->dtype));
}

void mem_store_raw(LlvmGen *g, Value raw, Value address, DType dtype) {
  Value store = LLVMBuildStore(g->builder, raw, address);
  gen_set_align(store, (unsigned)dtype_size(dtype));
}

void mem_store(LlvmGen *g, const Mem *mem, Value const *index, Value element) {
  mem_store_raw(g, convert_to_storage(g, mem->dtype, element), mem_address(g, mem, index),
                mem->dtype);
}

// ---- loops over coordinates ---------------------------------------------------------------------
static void each_from(LlvmGen *g, size_t at, size_t rank, Value const *sizes, bool is_guarded,
                      Value *index, EachElement body, void *data) {
  if (at == rank) {
    body(g, index, data);
    return;
  }
  if (LLVMIsAConstantInt(sizes[at]) && LLVMConstIntGetSExtValue(sizes[at]) == 1) {
    index[at] = gen_i64(g, 0);
    each_from(g, at + 1, rank, sizes, is_guarded, index, body, data);
    return;
  }
  Loop loop;
  loop_begin(g, &loop, gen_i64(g, 0), sizes[at], 1, 0, NULL, !LLVMIsAConstantInt(sizes[at]));
  index[at] = loop.index;
  each_from(g, at + 1, rank, sizes, is_guarded, index, body, data);
  loop_end(g, &loop, NULL);
}

void mem_each_dynamic(LlvmGen *g, size_t rank, Value const *sizes, EachElement body, void *data) {
  Value index[IR_MAX_RANK] = {0};
  each_from(g, 0, rank, sizes, true, index, body, data);
}

void mem_each(LlvmGen *g, size_t rank, const int64_t *dims, EachElement body, void *data) {
  Value sizes[IR_MAX_RANK], index[IR_MAX_RANK] = {0};
  for (size_t i = 0; i < rank; i++) {
    if (dims[i] == 0) return;
    sizes[i] = gen_i64(g, dims[i]);
  }
  each_from(g, 0, rank, sizes, false, index, body, data);
}

void mem_each_within(LlvmGen *g, size_t rank, const int64_t *dims, size_t at, Value begin,
                     Value end, EachElement body, void *data) {
  Value sizes[IR_MAX_RANK], index[IR_MAX_RANK] = {0};
  for (size_t i = 0; i < rank; i++) sizes[i] = gen_i64(g, dims[i]);
  for (size_t i = 0; i < at; i++) index[i] = gen_i64(g, 0);
  Loop loop;
  loop_begin(g, &loop, begin, end, 1, 0, NULL, true);
  index[at] = loop.index;
  each_from(g, at + 1, rank, sizes, false, index, body, data);
  loop_end(g, &loop, NULL);
}

// ---- copies and fills ---------------------------------------------------------------------------
static void store_splat(LlvmGen *g, const Mem *to, Value raw, unsigned lanes, Value at) {
  Value store =
      LLVMBuildStore(g->builder, gen_splat(g, raw, lanes), gen_offset(g, to->base, to->dtype, at));
  gen_set_align(store, (unsigned)dtype_size(to->dtype));
}

// What is left behind whole vectors is part of one more, which ends with it; what has no whole
// vector goes by halves of one.
static void fill_dense(LlvmGen *g, const Mem *to, Value raw) {
  unsigned lanes = g->target->vector_bytes / (unsigned)dtype_size(to->dtype);
  int64_t count = mem_count(to), whole = count / lanes * lanes, done = 0;
  if (whole) {
    Loop loop;
    loop_begin_count(g, &loop, whole, lanes, 0, NULL);
    store_splat(g, to, raw, lanes, loop.index);
    loop_end(g, &loop, NULL);
    if (whole < count) store_splat(g, to, raw, lanes, gen_i64(g, count - lanes));
    return;
  }
  for (; lanes >= 1; lanes /= 2) {
    if (count - done < lanes) continue;
    store_splat(g, to, raw, lanes, gen_i64(g, done));
    done += lanes;
  }
}

typedef struct Copy {
  Mem to, from;
  int64_t run;   // bytes that both sides have in a row
  int64_t times; // elements in a row that are one element of the source
  int64_t row; // elements in a row of the destination that lie `step` apart in the source; 0: none
  int64_t step;
  unsigned lanes; // of the vectors that such a row goes by
} Copy;

static void deal_vector(LlvmGen *g, Value to, Value from, const Copy *copy, Value at) {
  DType dtype = copy->to.dtype;
  Value first = gen_offset(g, from, dtype, gen_mul_const(g, at, copy->step));
  Type element = gen_storage_type(g, dtype, 1);
  Value part = gen_load_dealt(g, first, element, copy->lanes, copy->lanes, copy->step);
  mem_store_raw(g, part, gen_offset(g, to, dtype, at), dtype);
}

// The last vector ends with the row.
static void deal_row(LlvmGen *g, Value to, Value from, const Copy *copy) {
  int64_t whole = copy->row / copy->lanes * copy->lanes;
  Loop loop;
  loop_begin_count(g, &loop, whole, copy->lanes, 0, NULL);
  deal_vector(g, to, from, copy, loop.index);
  loop_end(g, &loop, NULL);
  if (whole < copy->row) deal_vector(g, to, from, copy, gen_i64(g, copy->row - copy->lanes));
}

// A row in vectors, the last of which ends with it: rows are many, and too short for a call each.
// Above, the C library's copy knows more of the CPU; one vector is a copy of LLVM's.
static bool copy_vectors(LlvmGen *g, Value to, Value from, const Copy *copy) {
  enum { MOST_VECTORS = 16 }; // the vector registers of the smallest target
  int64_t width = g->target->vector_bytes, run = copy->run;
  if (copy->to.rank == 0 || run <= width || run > MOST_VECTORS * width) return false;
  Type type = LLVMVectorType(g->i8, (unsigned)width);
  unsigned align = (unsigned)dtype_size(copy->to.dtype);
  for (int64_t at = 0; at < run; at += width) {
    int64_t start = at + width <= run ? at : run - width;
    Value part = LLVMBuildLoad2(g->builder, type, gen_address(g, from, start), "");
    gen_set_align(part, align);
    gen_set_align(LLVMBuildStore(g->builder, part, gen_address(g, to, start)), align);
  }
  return true;
}

static void copy_run(LlvmGen *g, Value const *index, void *data) {
  const Copy *copy = data;
  Value to = mem_address(g, &copy->to, index), from = mem_address(g, &copy->from, index);
  DType dtype = copy->to.dtype;
  if (copy->row) {
    deal_row(g, to, from, copy);
    return;
  }
  if (copy->times > 1) {
    Mem line = mem_dense(to, dtype, 1, &copy->times);
    fill_dense(g, &line, mem_load_raw(g, from, dtype));
    return;
  }
  if (copy->run == (int64_t)dtype_size(dtype)) {
    mem_store_raw(g, mem_load_raw(g, from, dtype), to, dtype);
    return;
  }
  if (copy_vectors(g, to, from, copy)) return;
  LLVMBuildMemCpy(g->builder, to, (unsigned)dtype_size(dtype), from, (unsigned)dtype_size(dtype),
                  gen_i64(g, copy->run));
}

const char *mem_key(LlvmGen *g, const Mem *mem) {
  const char *key = dtype_name(mem->dtype);
  for (int i = 0; i < mem->rank; i++)
    key = str_format(g->arena, "%s.%lld_%lld", key, (long long)mem->dims[i],
                     (long long)mem->strides[i])
              .data;
  return key;
}

// The copy in a function that all copies between such memory share.
static void call_copy(LlvmGen *g, Copy *copy) {
  const char *name = str_format(g->arena, "copy.%lld.%lld.%lld.%lld.%s.%s", (long long)copy->run,
                                (long long)copy->times, (long long)copy->row, (long long)copy->step,
                                mem_key(g, &copy->to), mem_key(g, &copy->from))
                         .data;
  Value args[] = {copy->to.base, copy->from.base};
  Outlined outlined;
  if (outlined_begin(g, &outlined, name, g->void_type, 2, args)) {
    copy->to.base = LLVMGetParam(outlined.function, 0);
    copy->from.base = LLVMGetParam(outlined.function, 1);
    mem_each(g, copy->to.rank, copy->to.dims, copy_run, copy);
    outlined_end(g, &outlined, NULL);
  }
  outlined_call(g, &outlined, 2, args);
}

// How many of the last dimensions are dense in `to`, and in `from` as well or, if `repeats`, one
// element; and their elements.
static int dims_in_a_row(const Mem *to, const Mem *from, bool repeats, int64_t *count) {
  int rank = to->rank;
  *count = 1;
  for (; rank > 0; rank--) {
    int64_t dim = to->dims[rank - 1], wanted = repeats ? 0 : *count;
    if (dim != 1 && (to->strides[rank - 1] != *count || from->strides[rank - 1] != wanted)) break;
    *count *= dim;
  }
  return to->rank - rank;
}

// Whether the last of the dimensions that are walked goes by vectors, into which elements of the
// source that lie apart are put together.
static bool goes_dealt(const LlvmGen *g, Copy *copy, int rank) {
  if (rank == 0 || copy->times > 1 || copy->to.strides[rank - 1] != 1) return false;
  unsigned bytes = (unsigned)dtype_size(copy->to.dtype);
  copy->step = copy->from.strides[rank - 1];
  copy->lanes = g->target->vector_bytes / bytes;
  while (copy->lanes > copy->to.dims[rank - 1]) copy->lanes /= 2;
  return copy->lanes > 1 && gen_can_deal(g, copy->lanes, copy->lanes, bytes, copy->step);
}

void mem_copy(LlvmGen *g, const Mem *to, const Mem *from) {
  if (mem_count(to) == 0) return;
  Copy copy = {.to = *to, .from = *from};
  int dense = dims_in_a_row(to, from, false, &copy.run);
  copy.run *= (int64_t)dtype_size(to->dtype);
  int repeated = dims_in_a_row(to, from, true, &copy.times);
  if (repeated <= dense) copy.times = 1;
  int rank = to->rank - (repeated > dense ? repeated : dense);
  if (goes_dealt(g, &copy, rank)) copy.row = to->dims[--rank];
  copy.to.rank = copy.from.rank = (uint8_t)rank;
  if (g->shares.all && rank > 0)
    call_copy(g, &copy);
  else
    mem_each(g, (size_t)rank, to->dims, copy_run, &copy);
}

typedef struct Fill {
  const Mem *to;
  Value element;
  int64_t run; // elements in a row
} Fill;

static void fill_run(LlvmGen *g, Value const *index, void *data) {
  const Fill *fill = data;
  Value address = mem_address(g, fill->to, index);
  Mem line = mem_dense(address, fill->to->dtype, 1, &fill->run);
  fill_dense(g, &line, fill->element);
}

void mem_fill(LlvmGen *g, const Mem *to, Value element) {
  if (mem_count(to) == 0) return;
  Mem outer = *to;
  Fill fill = {.to = &outer, .element = convert_to_storage(g, to->dtype, element), .run = 1};
  while (outer.rank > 0 &&
         (outer.dims[outer.rank - 1] == 1 || outer.strides[outer.rank - 1] == fill.run))
    fill.run *= outer.dims[--outer.rank];
  mem_each(g, outer.rank, outer.dims, fill_run, &fill);
}
