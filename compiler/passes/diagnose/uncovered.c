// SPDX-License-Identifier: Apache-2.0
// uncovered: reports outputs of launches that no step of a static grid writes all of (-Wunwritten).
//   takes:  launches as they were recorded, before anything folds or removes an op
//   makes:  warnings, one an output: blocks that no step has, or a part of every block that the
//   body
//           never writes
//   breaks: nothing
//   not:    grids and blocks that depend on data, writes under a condition (they may happen),
//           results whose elements that are missing are cut off, or that go where it cannot be seen
//           whether they matter; under check, where the runtime finds what was not written
#include <string.h>
#include "ir/analysis/access.h"
#include "ir/analysis/effects.h"
#include "ir/core/family.h"
#include "passes/launch/launch.h"

// Beyond, nothing is told: what a launch costs to look at, in steps, cells and index maps
// evaluated.
enum { MAX_STEPS = 1 << 20, MAX_CELLS = 1 << 20, MAX_EVALUATED = 1 << 14, SHOWN_BLOCKS = 4 };

// Part of an array: low <= index < high in each dimension.
typedef struct Box {
  int64_t low[IR_MAX_RANK], high[IR_MAX_RANK];
} Box;

typedef struct Output {
  PassContext *ctx;
  const IrOp *launch;
  const LaunchParts *parts;
  size_t number; // of the block
  const IrBlock *block;
  const IrRegion *map;
  const IrType *type; // of the array
  Box missing;        // holds all that is not written …
  bool is_exact;      // … and only that
} Output;

// ---- which blocks the grid has ------------------------------------------------------------------
// A dimension's blocks are counted in cells: blocks, or elements where windows may start anywhere.
static int64_t cell_size(const Output *out, int dim) {
  const BlockDim *d = &out->block->dims[dim];
  return d->kind == BLOCK_BLOCKED ? d->size : 1;
}

static int64_t cell_count(const Output *out, int dim) {
  int64_t size = cell_size(out, dim);
  return (out->type->dims[dim] + size - 1) / size;
}

// A set of dimensions of the array whose indices depend on the same dimensions of the grid: what
// blocks of them there are has nothing to do with the others.
typedef struct Group {
  uint32_t dims, grid; // sets of numbers
} Group;

typedef struct Dependence {
  const IrRegion *map;
  size_t rank;
  bool is_known; // made of grid indices and constants alone
  uint32_t grid;
  Map *seen; // values that have been looked at
} Dependence;

static void depend(Dependence *d, const IrValue *value, int depth) {
  if (!value->def) {
    if (value->region == d->map && value->index < d->rank)
      d->grid |= 1u << value->index;
    else
      d->is_known = false;
    return;
  }
  if (map_has(d->seen, value)) return;
  map_set(d->seen, value, d);
  const IrOp *op = value->def;
  bool is_const = op_info(op->code)->op_class == CLASS_CONST;
  if (depth > 100 || value->type->rank != 0 || (!is_const && !op_is_elementwise(op->code))) {
    d->is_known = false;
    return;
  }
  for (uint32_t i = 0; i < op->operand_count && d->is_known; i++)
    depend(d, op->operands[i], depth + 1);
}

// Parts the array's dimensions into groups; one whose blocks are not known is left out.
static size_t find_groups(const Output *out, Group *groups) {
  size_t count = 0;
  uint32_t unknown_grid = 0, unknown_dims = 0;
  for (int dim = 0; dim < out->block->rank; dim++) {
    Dependence d = {out->map, out->parts->rank, true, 0, map_new(out->ctx->arena)};
    depend(&d, out->map->last->operands[dim], 0);
    if (out->block->dims[dim].kind == BLOCK_BOUNDED) d.is_known = false;
    if (!d.is_known) unknown_dims |= 1u << dim;
    if (!d.is_known) unknown_grid |= d.grid;
    Group group = {1u << dim, d.grid};
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
      if (groups[i].grid & group.grid) {
        group.dims |= groups[i].dims;
        group.grid |= groups[i].grid;
      } else {
        groups[kept++] = groups[i];
      }
    }
    groups[kept++] = group;
    count = kept;
  }
  size_t known = 0;
  for (size_t i = 0; i < count; i++)
    if (!(groups[i].dims & unknown_dims) && !(groups[i].grid & unknown_grid))
      groups[known++] = groups[i];
  return known;
}

typedef struct Coverage {
  const Output *out;
  Group group;
  int rank; // of the group: its dimensions of the array
  int dims[IR_MAX_RANK];
  int64_t cells[IR_MAX_RANK], total;
  bool *has; // by cell, row-major
  AffineIndex affine[IR_MAX_RANK];
  bool is_affine;
  int64_t work;
} Coverage;

static const IrData *evaluate(Arena *arena, Map *known, const IrValue *value, const int64_t *step);

static const IrData *evaluate_op(Arena *arena, Map *known, const IrValue *value,
                                 const int64_t *step) {
  const IrOp *op = value->def;
  if (!op_is_elementwise(op->code)) return NULL;
  const IrData **operands = ARENA_ARRAY(arena, const IrData *, op->operand_count + 1);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    operands[i] = evaluate(arena, known, op->operands[i], step);
    if (!operands[i]) return NULL;
  }
  const IrData *results = ir_evaluate(arena, op, operands);
  return results ? &results[value->index] : NULL;
}

// The constant that a scalar of the map is at a step; NULL: it cannot be had. `known`: those of
// values that it is made of, each of which may be used many times.
static const IrData *evaluate(Arena *arena, Map *known, const IrValue *value, const int64_t *step) {
  int64_t constant = 0;
  if (!value->def || ir_const_int(value, &constant)) {
    if (!value->def) constant = step[value->index];
    char *bytes = arena_alloc(arena, sizeof(int64_t));
    dtype_store_i64(value->type->dtype, bytes, constant);
    IrData *data = ARENA_NEW(arena, IrData);
    *data = (IrData){value->type->dtype, 1, bytes};
    return data;
  }
  IrData *kept = map_get(known, value);
  if (kept) return kept;
  const IrData *data = evaluate_op(arena, known, value, step);
  if (!data) return NULL;
  kept = ARENA_NEW(arena, IrData);
  *kept = *data;
  map_set(known, value, kept);
  return kept;
}

// The result `at` of the group at a step of the grid.
static bool index_at(Coverage *c, int at, const int64_t *step, int64_t *out) {
  if (c->is_affine) {
    const AffineIndex *a = &c->affine[at];
    int64_t product = 0;
    if (a->dim >= 0 && !mul_i64(a->scale, step[a->dim], &product)) return false;
    return add_i64(product, a->offset, out);
  }
  if (++c->work > MAX_EVALUATED) return false;
  Arena *arena = c->out->ctx->arena;
  const IrValue *index = c->out->map->last->operands[c->dims[at]];
  const IrData *data = evaluate(arena, map_new(arena), index, step);
  if (data) *out = dtype_load_i64(data->dtype, data->bytes);
  return data != NULL;
}

// Marks the cells of the block at a step. False: it is not known, or too much work.
static bool mark_block(Coverage *c, const int64_t *step) {
  int64_t low[IR_MAX_RANK], high[IR_MAX_RANK], at[IR_MAX_RANK];
  for (int i = 0; i < c->rank; i++) {
    const BlockDim *dim = &c->out->block->dims[c->dims[i]];
    if (!index_at(c, i, step, &low[i])) return false;
    if (dim->kind == BLOCK_ELEMENT) low[i] -= dim->pad_lo;
    if (!add_i64(low[i], dim->kind == BLOCK_ELEMENT ? dim->size : 1, &high[i])) return false;
    if (low[i] < 0) low[i] = 0;
    if (high[i] > c->cells[i]) high[i] = c->cells[i];
    if (low[i] >= high[i]) return true; // outside
    at[i] = low[i];
  }
  for (;;) {
    if (++c->work > MAX_STEPS) return false;
    int64_t cell = 0;
    for (int i = 0; i < c->rank; i++) cell = cell * c->cells[i] + at[i];
    c->has[cell] = true;
    int i = c->rank - 1;
    while (i >= 0 && ++at[i] == high[i]) at[i] = low[i], i--;
    if (i < 0) return true;
  }
}

static bool mark_all(Coverage *c) {
  const LaunchParts *parts = c->out->parts;
  int64_t step[IR_MAX_RANK] = {0}, steps = 1;
  for (size_t i = 0; i < parts->rank; i++) {
    if (parts->grid[i] == 0) return true;
    if (!(c->group.grid >> i & 1)) continue;
    if (parts->grid[i] < 0 || !mul_i64(steps, parts->grid[i], &steps) || steps > MAX_STEPS)
      return false;
  }
  for (;;) {
    if (!mark_block(c, step)) return false;
    size_t i = parts->rank;
    while (i > 0) {
      i--;
      if (c->group.grid >> i & 1 && ++step[i] < parts->grid[i]) break;
      step[i] = 0;
      if (i == 0) return true;
    }
    if (parts->rank == 0) return true;
  }
}

static bool coverage_of(const Output *out, Group group, Coverage *c) {
  *c = (Coverage){.out = out, .group = group, .total = 1, .is_affine = true};
  for (int dim = 0; dim < out->block->rank; dim++) {
    if (!(group.dims >> dim & 1)) continue;
    int at = c->rank++;
    c->dims[at] = dim;
    c->cells[at] = cell_count(out, dim);
    if (!mul_i64(c->total, c->cells[at], &c->total) || c->total > MAX_CELLS) return false;
    c->is_affine &= launch_affine_index(out->launch, out->map, (size_t)dim, &c->affine[at]);
  }
  c->has = ARENA_ARRAY(out->ctx->arena, bool, (size_t)c->total + 1);
  return mark_all(c);
}

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

// Ops whose result has an element of the operand as it is, or something made of it, for each one.
static bool hands_on(const IrOp *op) {
  OpClass op_class = op_info(op->code)->op_class;
  switch (op->code) {
  case OP_SELECT:
  case OP_MUL:
  case OP_AND:
  case OP_OR:
  case OP_MAX:
  case OP_MIN: return false;
  case OP_RESHAPE:
  case OP_TRANSPOSE:
  case OP_BROADCAST:
  case OP_REV: return true;
  default: return op_class == CLASS_UNARY || op_class == CLASS_BINARY;
  }
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
  const IrValue *array = out->parts->arrays[out->number];
  Uses u = {.out = out,
            .array = array,
            .whole = map_new(out->ctx->arena),
            .some = map_new(out->ctx->arena)};
  IrRegion *body = out->launch->parent->func->body;
  if (is_out_param(array)) u.is_seen = true;
  ir_walk(body, follow, &u);
  return u.is_seen && u.writers == 1;
}

// ---- messages -----------------------------------------------------------------------------------
static const char *kernel_name(const Output *out) {
  return ir_attr_str(out->launch, ATTR_NAME).data;
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
  const IrValue *ref = out->parts->body->args[out->parts->first_block + out->number];
  return ref->name ? ref->name->text : "the output";
}

static void tell(const Output *out, const Buf *what) {
  Session *session = out->ctx->session;
  Str message = str_copy(session->arena, buf_view(what));
  Span span = out->launch->span;
  if (diag_is_told(session, span, message)) return;
  Diag *diag = diag_warning(session, WARN_UNWRITTEN, span, "%.*s", STR_FMT(message));
  launch_diag_frames(out->ctx, diag, out->launch->frames);
}

// ---- blocks that no step has --------------------------------------------------------------------
static void put_index(Buf *buf, const Coverage *c, int64_t cell) {
  int64_t at[IR_MAX_RANK];
  for (int i = c->rank - 1; i >= 0; i--) at[i] = cell % c->cells[i], cell /= c->cells[i];
  buf_char(buf, '(');
  for (int dim = 0, i = 0; dim < c->out->block->rank; dim++) {
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
  for (int dim = 0; dim < out->block->rank; dim++)
    out->missing.low[dim] = 0, out->missing.high[dim] = out->type->dims[dim];
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
      int64_t at = rest % c->cells[i], size = cell_size(out, dim), end = (at + 1) * size;
      rest /= c->cells[i];
      if (at * size < out->missing.low[dim]) out->missing.low[dim] = at * size;
      if (end > out->type->dims[dim]) end = out->type->dims[dim];
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
    int64_t size = cell_size(out, dim);
    cells *= (out->missing.high[dim] + size - 1) / size - out->missing.low[dim] / size;
  }
  return cells == missing;
}

static bool is_by_element(const Coverage *c) {
  for (int i = 0; i < c->rank; i++)
    if (c->out->block->dims[c->dims[i]].kind == BLOCK_ELEMENT) return true;
  return false;
}

static void put_grid(Buf *buf, const LaunchParts *parts) {
  buf_char(buf, '(');
  for (size_t i = 0; i < parts->rank; i++)
    buf_printf(buf, parts->grid[i] < 0 ? "%s?" : "%s%lld", i ? ", " : "",
               (long long)parts->grid[i]);
  buf_c(buf, parts->rank == 1 ? ",)" : ")");
}

// True if it was told of.
static bool check_blocks(Output *out, Group group) {
  Coverage c;
  Buf text, indices;
  buf_init(&text, out->ctx->arena);
  buf_init(&indices, out->ctx->arena);
  if (!coverage_of(out, group, &c)) return false;
  int64_t missing = find_missing(out, &c, &indices);
  out->is_exact = missing > 0 && fills_box(out, &c, missing);
  if (missing == 0 || !matters(out)) return false;
  bool is_all = missing == c.total, is_by_block = !is_by_element(&c);
  buf_printf(&text, "'%s' of kernel '%s' is never written %s", output_name(out), kernel_name(out),
             is_all          ? ""
             : out->is_exact ? "at "
                             : "in parts of ");
  if (!is_all) put_box(&text, &out->missing, out->type, out->type->dims);
  buf_printf(&text, "%s: no step of the grid ", is_all ? "anywhere" : "");
  put_grid(&text, out->parts);
  if (is_all)
    buf_c(&text, " has a block of it");
  else if (is_by_block)
    buf_printf(&text, " has block%s %.*s", missing == 1 ? "" : "s", STR_FMT(buf_view(&indices)));
  else
    buf_c(&text, " has a block there");
  if (!is_all && is_by_block && missing > SHOWN_BLOCKS)
    buf_printf(&text, " and %lld more", (long long)(missing - SHOWN_BLOCKS));
  tell(out, &text);
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
static bool check_body(Output *out) {
  const IrValue *ref = out->parts->body->args[out->parts->first_block + out->number];
  Writes w = {.ref = ref, .arena = out->ctx->arena};
  int64_t extents[IR_MAX_RANK];
  Box gap;
  int rank = 0;
  for (int dim = 0; dim < out->block->rank; dim++) {
    const BlockDim *d = &out->block->dims[dim];
    if (out->block->mode != BLOCK_WHOLE && d->kind != BLOCK_BLOCKED && d->kind != BLOCK_SQUEEZED)
      return false;
    if (out->block->mode != BLOCK_WHOLE && d->kind == BLOCK_SQUEEZED) continue;
    int64_t size = out->block->mode == BLOCK_WHOLE ? out->type->dims[dim] : d->size;
    extents[rank++] = size < out->type->dims[dim] ? size : out->type->dims[dim];
  }
  if (rank != ref->type->rank) return false;
  ir_walk(out->parts->body, note_write, &w);
  if (w.is_unknown || !find_gap(&w, extents, rank, &gap)) return false;
  for (int dim = 0; dim < out->block->rank; dim++)
    out->missing.low[dim] = 0, out->missing.high[dim] = out->type->dims[dim];
  out->is_exact = out->block->rank == rank;
  for (int dim = 0; dim < rank && out->block->rank == rank; dim++) {
    out->is_exact &= extents[dim] == out->type->dims[dim];
    if (extents[dim] == out->type->dims[dim])
      out->missing.low[dim] = gap.low[dim], out->missing.high[dim] = gap.high[dim];
  }
  if (!matters(out)) return false;
  Buf text;
  buf_init(&text, out->ctx->arena);
  buf_printf(&text, "'%s' of kernel '%s' is never written", output_name(out), kernel_name(out));
  if (w.boxes.count) {
    buf_c(&text, " at ");
    put_box(&text, &gap, ref->type, extents);
    if (out->block->mode != BLOCK_WHOLE) buf_c(&text, " of its blocks");
  }
  tell(out, &text);
  return true;
}

// ---- launches -----------------------------------------------------------------------------------
static void check_output(Output *out) {
  Group groups[IR_MAX_RANK];
  if (out->block->mode != BLOCK_WHOLE) {
    size_t count = find_groups(out, groups);
    for (size_t i = 0; i < count; i++)
      if (check_blocks(out, groups[i])) return;
  }
  check_body(out);
}

static void check_launch(PassContext *ctx, const IrOp *launch) {
  LaunchParts parts;
  launch_parts(ctx->arena, launch, &parts);
  for (size_t i = 0; i < parts.block_count; i++) {
    const IrBlock *block = &parts.blocks[i];
    const IrValue *array = parts.arrays[i];
    bool is_fresh = array->def ? array->def->code == OP_ALLOC : is_out_param(array);
    if (block->dir != BLOCK_OUT || block->partly || !is_fresh) continue;
    Output out = {.ctx = ctx,
                  .launch = launch,
                  .parts = &parts,
                  .number = i,
                  .block = block,
                  .map = ir_launch_index_map(launch, i),
                  .type = array->type};
    if (ir_type_count(out.type) > 0) check_output(&out);
  }
}

bool pass_uncovered(PassContext *ctx) {
  Session *session = ctx->session;
  if (!session->warning_on[WARN_UNWRITTEN] || ctx->options->check) return true;
  size_t errors = session->error_count;
  for (IrFunc *func = ctx->module->first; func; func = func->next) {
    LaunchList list = {.arena = ctx->arena};
    launches_of(func, &list);
    session->diag_case = ir_func_case(func);
    for (size_t i = 0; i < list.ops.count; i++) check_launch(ctx, list.ops.items[i]);
  }
  session->diag_case = (DiagCase){0};
  return session->error_count == errors;
}
