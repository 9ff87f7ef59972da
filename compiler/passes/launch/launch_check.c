// SPDX-License-Identifier: Apache-2.0
// Under check: what a launch's loops look for beside their work. In: a launch while it is lowered.
// Out: ops `check`, memory for them, copies of memory that was never written.
#include "launch_check.h"

enum { MAX_PLACES = 1 << 26 };

void check_block(Lowering *l, IrBuilder *b, const Window *w, size_t count, IrValue *const *operands,
                 const char *kind, Str format) {
  IrBuilder at = *b;
  if (w->block->span.end > w->block->span.begin) at.span = w->block->span;
  IrOp *check = ir_build(&at, OP_CHECK, count, operands, 0, NULL);
  ir_set_str(l->ctx->module, check, ATTR_FORMAT, format);
  ir_set_str(l->ctx->module, check, ATTR_FINDING, str_from_c(kind));
}

Str check_index_format(Lowering *l, const Window *w) {
  Buf text;
  buf_init(&text, l->ctx->arena);
  for (int i = 0; i < w->block->rank; i++) buf_printf(&text, "%s{}", i ? ", " : "(");
  buf_printf(&text, w->block->rank == 1 ? ",)" : ")");
  return buf_view(&text);
}

IrValue *check_places(Lowering *l, IrBuilder *b, const Window *w, DType dtype, Str name) {
  int64_t dims[IR_MAX_RANK], count = 1;
  if (window_values(w) > w->block->rank) return NULL;
  for (int i = 0; i < w->block->rank; i++) {
    const BlockDim *dim = &w->block->dims[i];
    int64_t extent = w->array->type->dims[i] + dim->pad_lo + dim->pad_hi;
    dims[i] =
        dim->kind == BLOCK_BLOCKED && dim->size ? (extent + dim->size - 1) / dim->size : extent;
    if (!dims[i] || !mul_i64(count, dims[i], &count) || count > MAX_PLACES) return NULL;
  }
  IrModule *m = l->ctx->module;
  IrValue *places = ir_alloc(b, ir_ref_type(m, SPACE_VMEM, dtype, w->block->rank, dims), name);
  ir_store_all(b, ir_const_i64(b, ir_array_type(m, dtype, w->block->rank, dims), 0), places);
  return places;
}

void check_place(IrBuilder *b, const Window *w, const IrValue *memory, IrIndex *index,
                 IrValue **places) {
  *index = (IrIndex){.rank = w->block->rank};
  for (int i = 0; i < w->block->rank; i++) {
    int64_t last = memory->type->dims[i] - 1;
    places[i] = ir_binary(b, OP_MAX, ir_binary(b, OP_MIN, w->starts[i], ir_i32(b, (int32_t)last)),
                          ir_i32(b, 0));
    index->dims[i] = (IndexDim){INDEX_SCALAR, 0, i, 1, -1, 1};
  }
}

// ---- parallel dimensions ------------------------------------------------------------------------
static bool is_parallel(const Lowering *l, size_t dim) {
  Str semantics = ir_attr_str(l->launch, ATTR_SEMANTICS);
  return dim < semantics.len && semantics.data[dim] != 'a' && l->parts.grid[dim] != 1;
}

static bool has_parallel(const Lowering *l) {
  for (size_t i = 0; i < l->parts.rank; i++)
    if (is_parallel(l, i)) return l->ctx->options->check;
  return false;
}

// Which of the steps that may run beside each other this one belongs to.
static IrValue *parallel_number(Lowering *l, IrBuilder *b) {
  IrValue *number = NULL;
  for (size_t i = 0; i < l->parts.rank; i++) {
    if (!is_parallel(l, i)) continue;
    number = number ? ir_binary(b, OP_ADD, ir_binary(b, OP_MUL, number, l->sizes[i]), l->indices[i])
                    : l->indices[i];
  }
  return number;
}

static IrValue *allocate_number(Lowering *l, IrBuilder *b) {
  IrValue *number =
      ir_alloc(b, ir_ref_type(l->ctx->module, SPACE_SMEM, DT_I32, 0, NULL), STR("parallel step"));
  ir_store_all(b, ir_i32(b, -1), number);
  return number;
}

typedef struct Looks {
  const IrValue *array;
  const IrOp *launch;
  bool found;
} Looks;

static void find_look(const IrOp *op, void *data) {
  Looks *looks = data;
  bool is_dropped = op->code == OP_LOAD && op->results[0]->use_count == 0;
  for (size_t i = 0; i < op->operand_count && op != looks->launch && !is_dropped; i++)
    looks->found |= op->operands[i] == looks->array;
}

// Whether somebody but the launch looks at the output: kernels have outputs that are their scratch.
static bool is_looked_at(const Lowering *l, const Window *w) {
  Looks looks = {w->array, l->launch, !w->array->def || w->array->def->code != OP_ALLOC};
  ir_walk_const(l->launch->parent, find_look, &looks);
  return looks.found;
}

void check_parallel_allocate(Lowering *l, IrBuilder *b) {
  if (!has_parallel(l)) return;
  l->last_parallel = allocate_number(l, b);
  l->pristine_scratch = ARENA_ARRAY(l->ctx->arena, IrValue *, l->parts.scratch_count + 1);
  for (size_t i = 0; i < l->parts.scratch_count; i++)
    if (l->scratch[i]->type->space != SPACE_SEM)
      l->pristine_scratch[i] = ir_alloc(b, l->scratch[i]->type, STR("unwritten"));
  for (size_t i = 0; i < l->parts.block_count; i++) {
    Window *w = &l->windows[i];
    if (window_is_output(w) && is_looked_at(l, w) && w->block->mode != BLOCK_WHOLE &&
        w->block->rank > 0)
      w->owner = check_places(l, b, w, DT_I32, STR("owner"));
  }
}

static void forget_scratch(Lowering *l, IrBuilder *b, IrValue *number) {
  IrValue *last = ir_load_all(b, l->last_parallel);
  IrBuilder inside = lower_open_if(b, ir_binary(b, OP_NE, number, last));
  for (size_t i = 0; i < l->parts.scratch_count; i++) {
    if (!l->pristine_scratch[i]) continue;
    IrValue *operands[] = {l->pristine_scratch[i], l->scratch[i]};
    ir_build(&inside, OP_COPY, 2, operands, 0, NULL);
  }
  ir_store_all(&inside, number, l->last_parallel);
  ir_yield(&inside, 0, NULL);
}

static void check_owner(Lowering *l, IrBuilder *b, const Window *w, IrValue *number) {
  IrIndex index;
  IrValue *places[IR_MAX_RANK], *operands[IR_MAX_RANK + 1];
  check_place(b, w, w->owner, &index, places);
  for (int i = 0; i < w->block->rank; i++) operands[i + 1] = w->starts[i];
  IrValue *own = lower_i32(b, OP_ADD, number, 1);
  IrValue *owner = ir_load(b, w->owner, &index, w->block->rank, places, NULL, NULL);
  operands[0] = ir_binary(b, OP_OR, lower_i32(b, OP_EQ, owner, 0), ir_binary(b, OP_EQ, owner, own));
  check_block(l, b, w, w->block->rank + 1u, operands, "race",
              str_format(l->ctx->arena,
                         "race: block %.*s of output '%s' belongs to several steps of parallel "
                         "dimensions, which may run at once: make them 'arbitrary'",
                         STR_FMT(check_index_format(l, w)), lower_block_name(l, w)));
  ir_store(b, own, w->owner, &index, w->block->rank, places, NULL);
}

void check_parallel_step(Lowering *l, IrBuilder *b) {
  if (!has_parallel(l)) return;
  IrValue *number = parallel_number(l, b);
  forget_scratch(l, b, number);
  for (size_t i = 0; i < l->parts.block_count; i++)
    if (l->windows[i].owner) check_owner(l, b, &l->windows[i], number);
}
