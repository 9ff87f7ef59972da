// SPDX-License-Identifier: Apache-2.0
// uncovered: reports outputs of launches that no step of a static grid writes all of (-Wunwritten).
//   takes:  launches as they were recorded, before anything folds or removes an op
//   makes:  warnings, one an output: blocks that no step has, or a part of every block that
//           the body never writes
//   breaks: nothing
//   not:    grids and blocks that depend on data, writes under a condition (they may happen),
//           results whose elements that are missing are cut off, or that go where it cannot be seen
//           whether they matter; under check, where the runtime finds what was not written
#include <string.h>
#include "base/plural.h"
#include "base/buf.h"
#include "base/map.h"
#include "ir/analysis/access.h"
#include "ir/analysis/effects.h"
#include "ir/core/arithmetic.h"
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "ir/core/place.h"
#include "ir/core/region.h"
#include "passes/launch/coverage.h"

enum { SHOWN_BLOCKS = 4 }; // as many names of blocks as a line of a message holds

// Part of an array: low <= index < high in each dimension.
typedef struct Box {
  int64_t low[IR_MAX_RANK], high[IR_MAX_RANK];
} Box;

typedef struct Output {
  PassContext *ctx;
  BlockOf of;
  Box missing;   // holds all that is not written …
  bool is_exact; // … and only that
} Output;

// ---- what becomes of the result -----------------------------------------------------------------
typedef struct Uses {
  const Output *out;
  const IrValue *array; // the memory of the output
  size_t writers;
  bool is_seen; // by who calls the function
  Map *whole;   // values that have the missing elements where the array has them
  Map *some;    // values that have some of them, somewhere
} Uses;

static bool slice_has(const IrOp *slice, const Box *box) {
  IrInts starts = ir_attr_ints(slice, ATTR_STARTS), strides = ir_attr_ints(slice, ATTR_STRIDES);
  const IrType *type = slice->results[0]->type;
  for (size_t i = 0; i < starts.count; i++) {
    if (strides.items[i] != 1) return false;
    int64_t last = starts.items[i] + type->dims[i] - 1;
    if (last < box->low[i] || starts.items[i] >= box->high[i]) return false;
  }
  return true;
}

// Ops whose result has an element of the operand as it is, or something made of it, for each one,
// whatever the other operand is.
static bool hands_on(const IrOp *op) {
  OpClass op_class = op_info(op->code)->op_class;
  if (op_class == CLASS_UNARY || op_class == CLASS_BINARY)
    return arithmetic_of(op->code)->absorbing == ELEMENT_NONE;
  return op->code == OP_RESHAPE || op->code == OP_TRANSPOSE || op->code == OP_BROADCAST ||
         op->code == OP_REV;
}

static bool is_out_param(const IrValue *ref) {
  const IrValue *root = ir_ref_root(ref);
  const IrFunc *func = root->region ? root->region->func : NULL;
  return func && root->region == func->body && func->params[root->index].role == PARAM_OUT;
}

static void follow(IrOp *op, void *data) {
  Uses *u = data;
  if (op->code == OP_LOAD && op->operands[0] == u->array && access_is_whole(op)) {
    map_set(u->whole, op->results[0], op);
    return;
  }
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const IrValue *from = op->operands[i];
    bool is_whole = map_has(u->whole, from);
    if (from->type->is_ref && ir_ref_root(from) == u->array && effects_writes(op, i)) u->writers++;
    if (!is_whole && !map_has(u->some, from)) continue;
    if (op->code == OP_STORE && i == 0 && is_out_param(op->operands[1])) u->is_seen = true;
    if (op->code == OP_SLICE && is_whole && u->out->is_exact && slice_has(op, &u->out->missing))
      map_set(u->some, op->results[0], op);
    if (hands_on(op))
      map_set(is_whole && op_is_elementwise(op->code) ? u->whole : u->some, op->results[0], op);
  }
}

// Whether nobody else writes the output, and it is seen that elements which are missing come out.
static bool matters(const Output *out) {
  const IrValue *array = out->of.parts->arrays[out->of.number];
  Uses u = {.out = out,
            .array = array,
            .whole = map_new(out->ctx->arena),
            .some = map_new(out->ctx->arena)};
  IrRegion *body = out->of.launch->parent->func->body;
  if (is_out_param(array)) u.is_seen = true;
  ir_walk(body, follow, &u);
  return u.is_seen && u.writers == 1;
}

// ---- messages -----------------------------------------------------------------------------------
static const char *kernel_name(const Output *out) {
  return ir_attr_str(out->of.launch, ATTR_NAME).data;
}

// "[8:16, :]" of an array of that shape.
static void put_box(Buf *buf, const Box *box, const IrType *type, const int64_t *extents) {
  buf_char(buf, '[');
  for (int i = 0; i < type->rank; i++) {
    if (i) buf_c(buf, ", ");
    if (box->low[i] == 0 && box->high[i] == extents[i])
      buf_char(buf, ':');
    else
      buf_printf(buf, "%lld:%lld", (long long)box->low[i], (long long)box->high[i]);
  }
  buf_char(buf, ']');
}

static const char *output_name(const Output *out) {
  const IrValue *ref = out->of.parts->body->args[out->of.parts->first_block + out->of.number];
  return ref->name ? ref->name->text : "the output";
}

static void warn_uncovered(const Output *out, const Buf *what) {
  Session *session = out->ctx->session;
  Str message = str_copy(session->arena, buf_view(what));
  Span span = out->of.launch->span;
  if (diag_is_reported(session, span, message)) return;
  Diag *diag = diag_warning(session, WARN_UNWRITTEN, span, "%.*s", STR_FMT(message));
  ir_diag_frames(out->ctx->session, diag, out->of.launch->frames);
}

// ---- blocks that no step has --------------------------------------------------------------------
static void put_index(Buf *buf, const Coverage *c, int64_t cell) {
  int64_t at[IR_MAX_RANK];
  for (int i = c->rank - 1; i >= 0; i--) at[i] = cell % c->cells[i], cell /= c->cells[i];
  buf_char(buf, '(');
  for (int dim = 0, i = 0; dim < c->of->block->rank; dim++) {
    if (dim) buf_c(buf, ", ");
    if (i < c->rank && c->dims[i] == dim)
      buf_printf(buf, "%lld", (long long)at[i++]);
    else
      buf_char(buf, ':');
  }
  buf_char(buf, ')');
}

// The missing cells as indices, and all that holds them as a box of the array.
static int64_t find_missing(Output *out, const Coverage *c, Buf *indices) {
  int64_t missing = 0;
  for (int dim = 0; dim < out->of.block->rank; dim++)
    out->missing.low[dim] = 0, out->missing.high[dim] = out->of.type->dims[dim];
  for (int i = 0; i < c->rank; i++)
    out->missing.low[c->dims[i]] = INT64_MAX, out->missing.high[c->dims[i]] = 0;
  for (int64_t cell = 0; cell < c->total; cell++) {
    if (c->has[cell]) continue;
    if (missing < SHOWN_BLOCKS) {
      buf_c(indices, missing ? ", " : "");
      put_index(indices, c, cell);
    }
    missing++;
    int64_t rest = cell;
    for (int i = c->rank - 1; i >= 0; i--) {
      int dim = c->dims[i];
      int64_t at = rest % c->cells[i], size = coverage_cell_size(&out->of, dim),
              end = (at + 1) * size;
      rest /= c->cells[i];
      if (at * size < out->missing.low[dim]) out->missing.low[dim] = at * size;
      if (end > out->of.type->dims[dim]) end = out->of.type->dims[dim];
      if (end > out->missing.high[dim]) out->missing.high[dim] = end;
    }
  }
  return missing;
}

// Whether the box around the missing cells holds no others.
static bool fills_box(const Output *out, const Coverage *c, int64_t missing) {
  int64_t cells = 1;
  for (int i = 0; i < c->rank; i++) {
    int dim = c->dims[i];
    int64_t size = coverage_cell_size(&out->of, dim);
    cells *= (out->missing.high[dim] + size - 1) / size - out->missing.low[dim] / size;
  }
  return cells == missing;
}

static bool is_by_element(const Coverage *c) {
  for (int i = 0; i < c->rank; i++)
    if (c->of->block->dims[c->dims[i]].kind == BLOCK_ELEMENT) return true;
  return false;
}

static void put_grid(Buf *buf, const LaunchParts *parts) {
  buf_char(buf, '(');
  for (size_t i = 0; i < parts->rank; i++)
    buf_printf(buf, parts->grid[i] < 0 ? "%s?" : "%s%lld", i ? ", " : "",
               (long long)parts->grid[i]);
  buf_c(buf, parts->rank == 1 ? ",)" : ")");
}

// True if it was reported.
static bool check_blocks(Output *out, Group group) {
  Coverage c;
  Buf text, indices;
  buf_init(&text, out->ctx->arena);
  buf_init(&indices, out->ctx->arena);
  if (!coverage_of(&out->of, group, &c)) return false;
  int64_t missing = find_missing(out, &c, &indices);
  out->is_exact = missing > 0 && fills_box(out, &c, missing);
  if (missing == 0 || !matters(out)) return false;
  bool is_all = missing == c.total, is_by_block = !is_by_element(&c);
  buf_printf(&text, "'%s' of kernel '%s' is never written %s", output_name(out), kernel_name(out),
             is_all          ? ""
             : out->is_exact ? "at "
                             : "in parts of ");
  if (!is_all) put_box(&text, &out->missing, out->of.type, out->of.type->dims);
  buf_printf(&text, "%s: no step of the grid ", is_all ? "anywhere" : "");
  put_grid(&text, out->of.parts);
  if (is_all)
    buf_c(&text, " has a block of it");
  else if (is_by_block)
    buf_printf(&text, " has block%s %.*s", PLURAL(missing), STR_FMT(buf_view(&indices)));
  else
    buf_c(&text, " has a block there");
  if (!is_all && is_by_block && missing > SHOWN_BLOCKS)
    buf_printf(&text, " and %lld more", (long long)(missing - SHOWN_BLOCKS));
  warn_uncovered(out, &text);
  return true;
}

// ---- what the body writes -----------------------------------------------------------------------
typedef struct Writes {
  const IrValue *ref; // the body's argument
  bool is_unknown;    // anything may be written
  Arena *arena;
  VEC(Box) boxes;
} Writes;

// The elements that a store may write, if its index is static.
static bool store_box(const IrOp *op, Box *box) {
  const IrIndex *index = ir_attr_index(op);
  if (!index) return false;
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *d = &index->dims[i];
    if (d->kind == INDEX_ARRAY || d->start_operand >= 0) return false;
    if (d->kind == INDEX_SLICE && (d->size_operand >= 0 || d->stride != 1)) return false;
    box->low[i] = d->start;
    box->high[i] = d->start + (d->kind == INDEX_SLICE ? d->size : 1);
  }
  return true;
}

static void note_write(IrOp *op, void *data) {
  Writes *w = data;
  for (uint32_t i = 0; i < op->operand_count && !w->is_unknown; i++) {
    const IrValue *operand = op->operands[i];
    if (!operand->type->is_ref || ir_ref_root(operand) != w->ref || !effects_writes(op, i))
      continue;
    Box box;
    if (op->code == OP_STORE && operand == w->ref && store_box(op, &box))
      VEC_PUSH(w->arena, &w->boxes, box);
    else
      w->is_unknown = true;
  }
}

// What is behind the last element written in the one dimension where the boxes end early, or in
// front of the first: the bounding box of what is missing where the boxes form one.
static bool find_gap(const Writes *w, const int64_t *extents, int rank, Box *gap) {
  Box all;
  for (int i = 0; i < rank; i++) {
    gap->low[i] = 0, gap->high[i] = extents[i];
    all.low[i] = INT64_MAX, all.high[i] = 0;
    for (size_t j = 0; j < w->boxes.count; j++) {
      const Box *box = &w->boxes.items[j];
      if (box->low[i] < all.low[i]) all.low[i] = box->low[i];
      if (box->high[i] > all.high[i]) all.high[i] = box->high[i];
    }
  }
  if (w->boxes.count == 0) return true;
  for (int i = 0; i < rank; i++) {
    if (all.high[i] < extents[i])
      gap->low[i] = all.high[i];
    else if (all.low[i] > 0)
      gap->high[i] = all.low[i];
    else
      continue;
    return true;
  }
  return false;
}

// A part of each block that the body leaves out, where blocks do not overlap.
static void check_body(Output *out) {
  const IrValue *ref = out->of.parts->body->args[out->of.parts->first_block + out->of.number];
  Writes w = {.ref = ref, .arena = out->ctx->arena};
  int64_t extents[IR_MAX_RANK];
  Box gap;
  int rank = 0;
  for (int dim = 0; dim < out->of.block->rank; dim++) {
    const BlockDim *d = &out->of.block->dims[dim];
    if (out->of.block->mode != BLOCK_WHOLE && d->kind != BLOCK_BLOCKED && d->kind != BLOCK_SQUEEZED)
      return;
    if (out->of.block->mode != BLOCK_WHOLE && d->kind == BLOCK_SQUEEZED) continue;
    int64_t size = out->of.block->mode == BLOCK_WHOLE ? out->of.type->dims[dim] : d->size;
    extents[rank++] = size < out->of.type->dims[dim] ? size : out->of.type->dims[dim];
  }
  if (rank != ref->type->rank) return;
  ir_walk(out->of.parts->body, note_write, &w);
  if (w.is_unknown || !find_gap(&w, extents, rank, &gap)) return;
  for (int dim = 0; dim < out->of.block->rank; dim++)
    out->missing.low[dim] = 0, out->missing.high[dim] = out->of.type->dims[dim];
  out->is_exact = out->of.block->rank == rank;
  for (int dim = 0; dim < rank && out->of.block->rank == rank; dim++) {
    out->is_exact &= extents[dim] == out->of.type->dims[dim];
    if (extents[dim] == out->of.type->dims[dim])
      out->missing.low[dim] = gap.low[dim], out->missing.high[dim] = gap.high[dim];
  }
  if (!matters(out)) return;
  Buf text;
  buf_init(&text, out->ctx->arena);
  buf_printf(&text, "'%s' of kernel '%s' is never written", output_name(out), kernel_name(out));
  if (w.boxes.count) {
    buf_c(&text, " at ");
    put_box(&text, &gap, ref->type, extents);
    if (out->of.block->mode != BLOCK_WHOLE) buf_c(&text, " of its blocks");
  }
  warn_uncovered(out, &text);
}

// ---- launches -----------------------------------------------------------------------------------
static void check_output(Output *out) {
  Group groups[IR_MAX_RANK];
  if (out->of.block->mode != BLOCK_WHOLE) {
    size_t count = coverage_groups(&out->of, groups);
    for (size_t i = 0; i < count; i++)
      if (check_blocks(out, groups[i])) return;
  }
  check_body(out);
}

static void check_launch(PassContext *ctx, const IrOp *launch, void *unused UNUSED) {
  LaunchParts parts;
  launch_parts(ctx->arena, launch, &parts);
  for (size_t i = 0; i < parts.block_count; i++) {
    const IrBlock *block = &parts.blocks[i];
    const IrValue *array = parts.arrays[i];
    bool is_fresh = array->def ? array->def->code == OP_ALLOC : is_out_param(array);
    if (block->dir != BLOCK_OUT || block->partly || !is_fresh) continue;
    Output out = {.ctx = ctx, .of = coverage_block(ctx->arena, launch, &parts, i)};
    if (ir_type_count(out.of.type) > 0) check_output(&out);
  }
}

bool pass_uncovered(PassContext *ctx) {
  return !ctx->session->warning_on[WARN_UNWRITTEN] ||
         launches_visit(ctx, &(LaunchVisit){.launch = check_launch});
}
