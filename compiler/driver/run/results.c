// SPDX-License-Identifier: Apache-2.0
// What makes the results of a function, found in its ops before the passes change them. In: a
// function, later its buffers. Out: ops and places; the first NaN or infinity, in words.
#include <math.h>
#include <string.h>
#include "base/source.h"
#include "ir/core/ops.h"
#include "ir/core/region.h"
#include "results.h"

typedef struct Maker {
  const IrValue *array;
  const IrOp *op;
} Maker;

// The op that makes what an array is given: the one behind a store, or what writes to it itself.
static void find_maker(const IrOp *op, void *data) {
  Maker *m = data;
  if (op->code == OP_LOAD) return;
  for (size_t i = 0; i < op->operand_count; i++) {
    if (!op->operands[i]->type->is_ref || ir_ref_root(op->operands[i]) != m->array) continue;
    m->op = op->code == OP_STORE && op->operands[0]->def ? op->operands[0]->def : op;
  }
}

// What a Ref holds goes to its parameter without a place in the program: then the op is the one
// that made what the Ref's memory has. NULL: there is none.
const IrOp *result_maker(const IrFunc *func, const IrValue *array) {
  Maker maker = {.array = array};
  for (const IrOp *op = func->body->first; op; op = op->next) {
    find_maker(op, &maker);
    for (size_t r = 0; r < op->region_count; r++) ir_walk_const(op->regions[r], find_maker, &maker);
  }
  const IrOp *op = maker.op;
  bool is_placed = !op || op->span.file || !op->operand_count || !op->operands[0]->type->is_ref;
  if (is_placed) return op;
  const IrValue *from = ir_ref_root(op->operands[0]);
  return from == array ? op : result_maker(func, from);
}

Span result_place(const Session *session, const IrOp *op) {
  Span place = op->span;
  for (const IrFrames *frames = op->frames; frames; frames = frames->caller) {
    if (source_is_users(session, place)) break;
    place = frames->call;
  }
  return place;
}

// ---- what jax_debug_nans asks for ---------------------------------------------------------------
static DType part_of(DType complex) { return dtype_size(complex) == 8 ? DT_F32 : DT_F64; }

// What the program calls it; what a launch has written is loaded from its memory.
static const char *name_of(const IrFunc *func, const IrOp *maker) {
  if (maker && maker->code == OP_LOAD) maker = result_maker(func, ir_ref_root(maker->operands[0]));
  if (!maker) return "a result";
  if (maker->code == OP_CONST) return "a constant";
  bool is_kernel = maker->code == OP_LAUNCH || maker->code == OP_CORES;
  return is_kernel ? "a kernel's output" : op_info(maker->code)->name;
}

void results_watch(const Session *session, Arena *arena, const IrFunc *func, WatchedResults *out) {
  for (uint32_t i = 0; i < func->param_count; i++) {
    const IrType *type = func->body->args[i]->type;
    bool is_complex = dtype_is_complex(type->dtype);
    if (func->params[i].role == PARAM_IN || !(dtype_is_float(type->dtype) || is_complex)) continue;
    const IrOp *maker = result_maker(func, func->body->args[i]);
    WatchedResult result = {.param = i,
                            .dtype = is_complex ? part_of(type->dtype) : type->dtype,
                            .count = ir_type_count(type) * (is_complex ? 2 : 1),
                            .op = name_of(func, maker),
                            .place = maker ? result_place(session, maker) : func->span};
    VEC_PUSH(arena, out, result);
  }
}

// "nan", "inf", or NULL.
static const char *find_invalid(const WatchedResult *r, unsigned watch, const char *numbers) {
  size_t size = dtype_size(r->dtype);
  for (int64_t i = 0; i < r->count; i++) {
    double x = dtype_load_f64(r->dtype, numbers + (size_t)i * size);
    if (isnan(x) && watch & WATCH_NAN) return "nan";
    if (isinf(x) && watch & WATCH_INF) return "inf";
  }
  return NULL;
}

Str results_invalid(const Session *session, const WatchedResults *results, unsigned watch,
                    void *const *buffers) {
  for (size_t i = 0; i < results->count; i++) {
    const WatchedResult *r = &results->items[i];
    const char *found = find_invalid(r, watch, buffers[r->param]);
    if (!found) continue;
    Str text = str_format(session->arena, "invalid value (%s) encountered in %s", found, r->op);
    const SourceFile *file = source_get(session, r->place.file);
    if (!file) return text;
    return str_format(session->arena, "%.*s (%.*s:%u)", STR_FMT(text), STR_FMT(file->path),
                      source_line_col(file, r->place.begin).line);
  }
  return (Str){0};
}
