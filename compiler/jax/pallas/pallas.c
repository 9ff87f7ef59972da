// SPDX-License-Identifier: Apache-2.0
// The primitives behind jax.experimental.pallas: launches, and the table of all of them. What can
// be said in the language is in library/jax/experimental/pallas.pk and pallas/tpu.pk.
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/region.h"
#include "pallas.h"
#include "ir/analysis/access.h"
#include "python/modules/module.h"
#include "ir/analysis/effects.h"
#include "ir/core/chip.h"
#include "jax/array/ref.h"
#include "jax/array/dynamic_slice.h"
#include "jax/trace/pending.h"
#include "jax/trace/frozen.h"
#include "in_kernel.h"
#include "kernel_memory.h"
#include "python/modules/report.h"
#include "python/objects/bind.h"
#include "python/objects/convert.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "jax/array/array_shape.h"

// ---- operands -----------------------------------------------------------------------------------
static bool is_unwritten(Eval *ev, const IrValue *ref) {
  return ev->trace->unwritten && map_has(ev->trace->unwritten, ref);
}

// A fresh ref with the elements of an array; without them if they are unspecified.
static IrValue *fresh_memory(Eval *ev, IrBuilder *b, IrValue *array) {
  const IrType *type =
      ir_ref_type(b->module, SPACE_HBM, array->type->dtype, array->type->rank, array->type->dims);
  IrValue *ref = ir_alloc(b, type, STR(""));
  const IrOp *def = array->def;
  if (def && def->code == OP_LOAD && is_unwritten(ev, def->operands[0]))
    map_set(ev->trace->unwritten, ref, ref);
  else
    ir_store_all(b, array, ref);
  return ref;
}

// The ref in HBM that holds an array's elements: the one it was loaded from, or a fresh one.
static IrValue *array_in_memory(Eval *ev, Value array, bool fresh) {
  IrValue *ir = array_ir(ev, array, DT_COUNT);
  const IrOp *def = ir->def;
  if (!fresh && def && def->code == OP_LOAD && !access_is_masked(def)) {
    IrValue *ref = def->operands[0];
    if (access_is_whole(def) && frozen_has(ev, ref) && frozen_is_latest(ev, def)) return ref;
  }
  IrValue *ref = fresh_memory(ev, trace_builder(ev), ir);
  frozen_add(ev, ref, NULL);
  return ref;
}

static IrValue *operand_ref(Eval *ev, Value operand) {
  if (value_is_ref(ev, operand)) return ref_ir(ev, operand);
  return array_in_memory(ev, operand, false);
}

// ---- what the prelude hands over ----------------------------------------------------------------

static Value item(Eval *ev, Value sequence, size_t i) {
  const Tuple *t = value_as_tuple(sequence);
  if (t) return t->items[i];
  const List *l = value_as_list(sequence);
  if (!l)
    eval_raise(ev, ev->types.TypeError, "a list or tuple is expected, got %s",
               value_type_name(ev, sequence));
  return l->items[i];
}

static size_t item_count(Eval *ev, Value sequence) { return (size_t)value_len(ev, sequence); }

static MemSpace take_space(Eval *ev, Value v) {
  Str name = take_str(ev, v, "memory space");
  for (int s = 0; s < SPACE_COUNT; s++)
    if (str_equal(name, str_from_c(mem_space_name((MemSpace)s)))) return (MemSpace)s;
  eval_raise(ev, ev->types.ValueError, "unknown memory space '%.*s'", STR_FMT(name));
}

static BlockDimKind take_block_kind(Eval *ev, Value v) {
  Str name = take_str(ev, v, "kind of block dimension");
  if (str_equal(name, STR("squeezed"))) return BLOCK_SQUEEZED;
  if (str_equal(name, STR("element"))) return BLOCK_ELEMENT;
  if (str_equal(name, STR("bounded"))) return BLOCK_BOUNDED;
  return BLOCK_BLOCKED;
}

static const IrType *checked_ref_type(Eval *ev, MemSpace space, DType dtype, size_t rank,
                                      const int64_t *dims) {
  const IrType *type = ir_ref_type(trace_module(ev), space, dtype, rank, dims);
  if (!type)
    eval_raise(ev, ev->types.ValueError, "a buffer of this shape does not fit the address space");
  return type;
}

// (space, shape, dtype or kind of semaphore) as a ref type.
static const IrType *take_memory_type(Eval *ev, Value spec) {
  int64_t dims[IR_MAX_RANK];
  MemSpace space = take_space(ev, item(ev, spec, 0));
  size_t rank = take_array_shape(ev, item(ev, spec, 1), dims, "shape of a buffer");
  for (size_t i = 0; i < rank; i++)
    if (dims[i] < 0)
      eval_raise(ev, ev->types.ValueError, "the shape of a buffer must not be negative, got %.*s",
                 STR_FMT(value_repr(ev, item(ev, spec, 1))));
  Value what = item(ev, spec, 2);
  if (space != SPACE_SEM)
    return checked_ref_type(ev, space, take_dtype(ev, what, "dtype of a buffer"), rank, dims);
  Str kind = take_str(ev, what, "kind of semaphore");
  SemKind sem = str_equal(kind, STR("dma"))       ? SEM_DMA
                : str_equal(kind, STR("barrier")) ? SEM_BARRIER
                                                  : SEM_REGULAR;
  const IrType *type = ir_sem_type(trace_module(ev), sem, rank, dims);
  if (!type)
    eval_raise(ev, ev->types.ValueError,
               "an array of this many semaphores does not fit the address space");
  return type;
}

// For cores.c.
Value pallas_item(Eval *ev, Value sequence, size_t i) { return item(ev, sequence, i); }
IrValue *pallas_operand(Eval *ev, Value operand) { return operand_ref(ev, operand); }
const IrType *pallas_memory_type(Eval *ev, Value spec) { return take_memory_type(ev, spec); }

// One operand's block as pl.pk's _block gives it.
typedef struct BlockArg {
  IrBlock block;
  Str who, shape;  // "Index map function f at add.py:3 for args[0]", "block_shape=(…)"
  Value index_map; // or None
  bool whole;      // no window
} BlockArg;

static BlockArg take_block(Eval *ev, Value spec, BlockDir dir, const IrType *array) {
  BlockArg out = {.index_map = item(ev, spec, 2)};
  IrBlock *block = &out.block;
  block->dir = dir;
  block->space = take_space(ev, item(ev, spec, 0));
  block->rank = array->rank;
  int64_t buffers = take_int(ev, item(ev, spec, 3), "buffer count");
  if (buffers > INT32_MAX)
    eval_raise(ev, ev->types.ValueError, "a block has %lld buffers, which no chip has room for",
               (long long)buffers);
  block->buffers = (int)buffers;
  block->lookahead = value_truth(ev, item(ev, spec, 4));
  block->revisit_any = value_truth(ev, item(ev, spec, 5));
  block->name =
      name_intern(ev->session->interner, take_str(ev, item(ev, spec, 6), "name of an operand"));
  if (block->space == SPACE_SEM)
    eval_raise(ev, ev->types.ValueError,
               "%s is an array of %s: memory of semaphores holds nothing else", block->name->text,
               dtype_name(array->dtype));
  block->span = trace_builder(ev)->span;
  out.who = take_str(ev, item(ev, spec, 8), "index map");
  out.shape = take_str(ev, item(ev, spec, 9), "block shape");
  Value dims = item(ev, spec, 1);
  for (int i = 0; i < array->rank; i++) {
    BlockDim *d = &block->dims[i];
    *d = (BlockDim){BLOCK_BLOCKED, array->dims[i], 0, 0};
    if (v_is_none(dims)) continue;
    Value dim = item(ev, dims, (size_t)i);
    d->kind = take_block_kind(ev, item(ev, dim, 0));
    d->size = take_int(ev, item(ev, dim, 1), "block size");
    d->pad_lo = take_int(ev, item(ev, dim, 2), "padding");
    d->pad_hi = take_int(ev, item(ev, dim, 3), "padding");
  }
  bool in_hbm = block->space == SPACE_HBM || block->space == SPACE_HOST;
  bool windowed = !v_is_none(out.index_map) && !v_is_none(dims);
  if (in_hbm && windowed)
    eval_raise(ev, ev->types.NotImplementedError,
               "%s is in ANY or HBM and has a block shape: such operands are not windowed, slice "
               "the ref with .at[…] instead",
               block->name->text);
  block->mode = in_hbm ? BLOCK_WHOLE : BLOCK_COPIED;
  return out;
}

// The type of the ref that the body gets.
static const IrType *block_ref_type(Eval *ev, const IrBlock *block, const IrType *array) {
  int64_t dims[IR_MAX_RANK];
  size_t rank = 0;
  for (int i = 0; i < block->rank; i++)
    if (block->dims[i].kind != BLOCK_SQUEEZED) dims[rank++] = block->dims[i].size;
  return checked_ref_type(ev, block->space, array->dtype, rank, dims);
}

// ---- launch -------------------------------------------------------------------------------------

typedef struct Launch {
  Eval *ev;
  LaunchState state;
  IrOp *op;
  IrRegion *region; // being traced
  size_t prefetch_count;
  Preset preset;
  bool passes_semaphores; // to other launches, or from them
  bool is_pipeline;       // emit_pipeline, inside of a kernel
  IrValue **prefetch;     // refs outside
  VEC(BlockArg) blocks;
  VEC(IrValue *) arrays; // refs in HBM, one for each block
  VEC(const IrType *) scratch;
  Value grid_names;
  Value body;
  Str who;           // for messages: "The kernel function in the pallas_call add at add.py:3"
  BlockArg *current; // whose index map is being traced
  IrValue *offsets[IR_MAX_RANK]; // of this core's part of the grid, or NULL
} Launch;

// Grid indices and prefetch refs become arguments of a region; the level's names for them are set.
static void bind_grid(Launch *l, IrRegion *region, List *refs) {
  Eval *ev = l->ev;
  IrModule *m = trace_module(ev);
  const IrType *i32 = ir_array_type(m, DT_I32, 0, NULL);
  IrBuilder b = {.module = m, .region = region};
  for (size_t i = 0; i < l->state.rank; i++)
    l->state.indices[i] = ir_region_add_arg(region, i32, NULL);
  for (size_t i = 0; i < l->state.rank; i++)
    if (l->offsets[i])
      l->state.indices[i] = ir_binary(&b, OP_ADD, l->state.indices[i], l->offsets[i]);
  for (size_t i = 0; i < l->prefetch_count; i++) {
    const IrType *t = l->prefetch[i]->type;
    IrValue *arg =
        ir_region_add_arg(region, ir_ref_type(m, SPACE_SMEM, t->dtype, t->rank, t->dims), NULL);
    list_push(ev, refs, ref_new(ev, arg, NULL));
  }
}

static void enter_launch(Launch *l) {
  Eval *ev = l->ev;
  Level *level = ev->trace->level;
  level->launch = &l->state;
  if (v_is_none(l->grid_names)) return;
  for (size_t i = 0; i < l->state.rank; i++) {
    AxisName *axis = ARENA_NEW(ev->arena, AxisName);
    *axis = (AxisName){.next = level->axes,
                       .name = item(ev, l->grid_names, i),
                       .size = l->state.sizes[i],
                       .size_ir = l->state.dynamic[i],
                       .index = l->state.indices[i]};
    level->axes = axis;
  }
}

static void trace_body(Eval *ev, void *data) {
  Launch *l = data;
  List *refs = list_new(ev, l->prefetch_count + l->blocks.count + l->scratch.count);
  bind_grid(l, l->region, refs);
  for (size_t i = 0; i < l->blocks.count; i++) {
    const IrType *type = block_ref_type(ev, &l->blocks.items[i].block, l->arrays.items[i]->type);
    IrValue *arg = ir_region_add_arg(l->region, type, NULL);
    list_push(ev, refs, ref_new(ev, arg, l->blocks.items[i].block.name));
  }
  for (size_t i = 0; i < l->scratch.count; i++)
    list_push(ev, refs, ref_new(ev, ir_region_add_arg(l->region, l->scratch.items[i], NULL), NULL));
  enter_launch(l);
  ev->trace->level->who = l->who;
  l->state.has_variables = false;
  Value arg = v_object(refs);
  value_call_n(ev, l->body, 1, &arg);
  ir_yield(trace_builder(ev), 0, NULL);
  if (!l->is_pipeline) dead_loops_drop(ev, &l->state.dead_loops, l->region);
}

static IrValue *take_block_index(Launch *l, Value v, size_t position) {
  Eval *ev = l->ev;
  Aval aval;
  if (!value_aval(ev, v, false, &aval) || aval.rank != 0 || !dtype_is_integer(aval.dtype))
    eval_raise(
        ev, ev->types.ValueError, "%.*s must return integer scalars. Output[%zu] has type %s.%s",
        STR_FMT(l->current->who), position,
        value_is_arraylike(ev, v) ? aval_text(ev->arena, &aval).data : value_type_name(ev, v),
        value_is_arraylike(ev, v) && dtype_is_float(aval.dtype)
            ? " Integers are divided by '//', and scalar-prefetch arguments that are indices are "
              "of int32"
            : "");
  return index_as_i32(ev, array_ir(ev, v, DT_I32));
}

// A bounded dimension's start; its size is appended. One that is always of the block's size is as
// good as an element index.
static IrValue *take_bounded(Launch *l, Value v, size_t dim, IrValue **sizes, size_t *count) {
  Eval *ev = l->ev;
  Value start, size, stride;
  if (!value_as_dynamic_slice(ev, v, &start, &size, &stride))
    eval_raise(ev, ev->types.ValueError,
               "Must return a ds from the index_map for a BoundedSlice dimension. Output[%zu] of "
               "the index map for %s is %.*s",
               dim, l->current->block.name->text, STR_FMT(value_repr(ev, v)));
  BlockDim *d = &l->current->block.dims[dim];
  int64_t known;
  if (value_as_int(ev, size, &known) && known == d->size)
    d->kind = BLOCK_ELEMENT;
  else
    sizes[(*count)++] = take_block_index(l, size, dim);
  return take_block_index(l, start, dim);
}

static Value call_index_map(Launch *l, List *refs) {
  Eval *ev = l->ev;
  Value args[2];
  Tuple *indices = tuple_new(ev, l->state.rank);
  for (size_t i = 0; i < l->state.rank; i++)
    indices->items[i] = array_new(ev, l->state.indices[i], false);
  args[0] = v_object(indices);
  args[1] = v_object(refs);
  return value_call_n(ev, l->current->index_map, 2, args);
}

static void trace_index_map(Eval *ev, void *data) {
  Launch *l = data;
  List *refs = list_new(ev, l->prefetch_count);
  bind_grid(l, l->region, refs);
  enter_launch(l);
  ev->trace->level->who = l->current->who;
  ev->trace->level->is_index_map = true;
  size_t rank = l->current->block.rank;
  IrValue *starts[2 * IR_MAX_RANK], *sizes[IR_MAX_RANK];
  size_t bounded = 0;
  if (v_is_none(l->current->index_map)) {
    for (size_t i = 0; i < rank; i++) starts[i] = ir_i32(trace_builder(ev), 0);
  } else {
    Value result = call_index_map(l, refs);
    if (!value_as_tuple(result) && !value_as_list(result)) result = make_tuple(ev, 1, &result);
    size_t count = item_count(ev, result);
    if (count != rank)
      eval_raise(ev, ev->types.ValueError,
                 "%.*s must return %zu values to match %.*s. Currently returning %zu values: %.*s",
                 STR_FMT(l->current->who), rank, STR_FMT(l->current->shape), count,
                 STR_FMT(value_repr(ev, result)));
    for (size_t i = 0; i < rank; i++) {
      bool is_bounded = l->current->block.dims[i].kind == BLOCK_BOUNDED;
      starts[i] = is_bounded ? take_bounded(l, item(ev, result, i), i, sizes, &bounded)
                             : take_block_index(l, item(ev, result, i), i);
    }
  }
  for (size_t i = 0; i < bounded; i++) starts[rank + i] = sizes[i];
  ir_yield(trace_builder(ev), rank + bounded, starts);
}

static void take_grid(Launch *l, Value grid) {
  Eval *ev = l->ev;
  size_t rank = item_count(ev, grid);
  if (rank > IR_MAX_RANK)
    eval_raise(ev, ev->types.ValueError, "a grid has at most %d dimensions, got %zu", IR_MAX_RANK,
               rank);
  l->state.rank = rank;
  for (size_t i = 0; i < rank; i++) {
    Value size = item(ev, grid, i);
    int64_t known;
    if (value_as_int(ev, size, &known)) {
      l->state.sizes[i] = known;
    } else {
      l->state.sizes[i] = -1;
      l->state.dynamic[i] = index_as_i32(ev, array_ir(ev, size, DT_I32));
    }
  }
}

static Preset take_preset(Eval *ev, Value v) {
  static const char *const words[PRESET_COUNT] = {
      [PRESET_LEAST] = "least", [PRESET_MOST] = "most", [PRESET_ZERO] = "zero"};
  if (v_is_none(v)) return PRESET_NONE;
  Str word = take_str(ev, v, "preset");
  for (int i = PRESET_NONE + 1; i < PRESET_COUNT; i++)
    if (str_equal(word, str_from_c(words[i]))) return (Preset)i;
  eval_raise(ev, ev->types.ValueError, "preset must be least, most or zero, got %.*s",
             STR_FMT(word));
}

// Inputs, then outputs; an aliased output shares a fresh copy of its input's memory with it. Under
// interpret=True (PRESET_LEAST) it has a copy of its own: inputs stay what they are.
static bool parts_aliases(const Launch *l) {
  return l->preset == PRESET_LEAST && !l->passes_semaphores;
}

static void take_operands(Launch *l, Value ins, Value in_blocks, Value outs, Value out_blocks,
                          Value aliases) {
  Eval *ev = l->ev;
  size_t in_count = item_count(ev, ins), out_count = item_count(ev, outs);
  bool *copied = ARENA_ARRAY(ev->arena, bool, in_count + 1);
  for (size_t o = 0; o < out_count; o++) {
    int64_t in = take_int(ev, item(ev, aliases, o), "alias");
    if (in >= 0) copied[in] = true;
  }
  for (size_t i = 0; i < in_count; i++) {
    Value in = item(ev, ins, i);
    bool fresh = copied[i] && !value_is_ref(ev, in) && !l->passes_semaphores && !parts_aliases(l);
    IrValue *ref = fresh ? array_in_memory(ev, in, true) : operand_ref(ev, in);
    VEC_PUSH(ev->arena, &l->arrays, ref);
    VEC_PUSH(ev->arena, &l->blocks, take_block(ev, item(ev, in_blocks, i), BLOCK_IN, ref->type));
  }
  for (size_t o = 0; o < out_count; o++) {
    int64_t in = take_int(ev, item(ev, aliases, o), "alias"), dims[IR_MAX_RANK];
    Value out = item(ev, outs, o);
    if (value_is_ref(ev, out)) { // a pipeline writes into its destination
      IrValue *target = ref_ir(ev, out);
      VEC_PUSH(ev->arena, &l->arrays, target);
      BlockArg block = take_block(ev, item(ev, out_blocks, o), BLOCK_OUT, target->type);
      block.block.partly = true;
      VEC_PUSH(ev->arena, &l->blocks, block);
      continue;
    }
    size_t rank = take_array_shape(ev, item(ev, out, 0), dims, "shape of an output");
    DType dtype = take_dtype(ev, item(ev, out, 1), "dtype of an output");
    IrValue *ref;
    if (in < 0)
      ref = pallas_begin(ev, ir_alloc(trace_builder(ev),
                                      checked_ref_type(ev, SPACE_HBM, dtype, rank, dims), STR("")));
    else if (parts_aliases(l) && !value_is_ref(ev, item(ev, ins, (size_t)in)))
      ref = array_in_memory(ev, item(ev, ins, (size_t)in), true);
    else
      ref = l->arrays.items[in];
    BlockArg block = take_block(ev, item(ev, out_blocks, o), BLOCK_OUT, ref->type);
    block.block.partly = in >= 0 && ref != l->arrays.items[in];
    VEC_PUSH(ev->arena, &l->arrays, ref);
    VEC_PUSH(ev->arena, &l->blocks, block);
  }
}

static void set_blocks(Launch *l) {
  IrBlock *blocks = ARENA_ARRAY(l->ev->arena, IrBlock, l->blocks.count);
  for (size_t i = 0; i < l->blocks.count; i++) blocks[i] = l->blocks.items[i].block;
  ir_set_blocks(trace_module(l->ev), l->op, l->blocks.count, blocks);
}

// A word for each dimension of the grid.
static void set_semantics(Launch *l, Value words) {
  int64_t semantics[IR_MAX_RANK];
  for (size_t i = 0; i < l->state.rank; i++)
    if (!attr_from_word(ATTR_SEMANTICS, take_str(l->ev, item(l->ev, words, i), "semantics"),
                        &semantics[i]))
      BUG("no such semantics");
  ir_set_ints(trace_module(l->ev), l->op, ATTR_SEMANTICS, l->state.rank, semantics);
}

static void build_launch(Launch *l, Str name, Value semantics, int64_t vmem_limit,
                         int64_t collective_id) {
  Eval *ev = l->ev;
  IrModule *m = trace_module(ev);
  VEC(IrValue *) operands = {0};
  for (size_t i = 0; i < l->state.rank; i++)
    if (l->state.dynamic[i]) VEC_PUSH(ev->arena, &operands, l->state.dynamic[i]);
  for (size_t i = 0; i < l->prefetch_count; i++) VEC_PUSH(ev->arena, &operands, l->prefetch[i]);
  for (size_t i = 0; i < l->arrays.count; i++) VEC_PUSH(ev->arena, &operands, l->arrays.items[i]);
  IrOp *op = l->op =
      ir_build(trace_builder(ev), OP_LAUNCH, operands.count, operands.items, 0, NULL);
  ir_set_str(m, op, ATTR_NAME, name);
  ir_set_ints(m, op, ATTR_GRID, l->state.rank, l->state.sizes);
  size_t named = v_is_none(l->grid_names) ? 0 : l->state.rank;
  Str *names = ARENA_ARRAY(ev->arena, Str, named);
  for (size_t i = 0; i < named; i++) names[i] = value_str(ev, item(ev, l->grid_names, i));
  ir_set_strs(m, op, ATTR_GRID_NAMES, named, names);
  set_semantics(l, semantics);
  ir_set_int(m, op, ATTR_PREFETCH, (int64_t)l->prefetch_count);
  ir_set_types(m, op, ATTR_SCRATCH, l->scratch.count, l->scratch.items);
  ir_set_int(m, op, ATTR_VMEM_LIMIT, vmem_limit);
  ir_set_int(m, op, ATTR_COLLECTIVE_ID, collective_id);
  ir_set_int(m, op, ATTR_PRESET, l->preset);
  ir_set_int(m, op, ATTR_RAISES, 0);
  set_blocks(l);
  for (size_t i = 0; i < l->blocks.count + 1; i++) ir_add_region(m, op);
}

static void trace_regions(Eval *ev, void *data) {
  Launch *l = data;
  for (size_t i = 0; i < l->blocks.count; i++) {
    l->current = &l->blocks.items[i];
    l->region = l->op->regions[i + 1];
    level_run(ev, LEVEL_KERNEL, l->region, trace_index_map, l);
  }
  set_blocks(l); // bounded dimensions may have turned out otherwise
  l->region = l->op->regions[0];
  level_run(ev, LEVEL_KERNEL, l->region, trace_body, l);
}

// ---- inputs that a kernel writes to -------------------------------------------------------------

typedef VEC(IrValue *) RefList;

typedef struct Writes {
  Eval *ev;
  RefList refs; // that are written, each once
} Writes;

static void add_write(IrValue *ref, void *data) {
  Writes *w = data;
  ref = ir_ref_root(ref);
  for (size_t i = 0; i < w->refs.count; i++)
    if (w->refs.items[i] == ref) return;
  VEC_PUSH(w->ev->arena, &w->refs, ref);
}

static void find_writes(IrOp *op, void *data) { effects_visit_written(op, add_write, data); }

static RefList written_refs(Eval *ev, const IrOp *op) {
  Writes w = {.ev = ev};
  for (size_t i = 0; i < op->region_count; i++) ir_walk(op->regions[i], find_writes, &w);
  return w.refs;
}

// Memory with the same elements, made before the launch.
static IrValue *own_memory(Eval *ev, IrOp *op, IrValue *given) {
  IrBuilder b = *trace_builder(ev);
  b.region = op->parent;
  b.before = op;
  return fresh_memory(ev, &b, ir_load_all(&b, given));
}

static bool is_aliased(Eval *ev, Value aliases, size_t in) {
  for (size_t o = 0; o < item_count(ev, aliases); o++)
    if (take_int(ev, item(ev, aliases, o), "alias") == (int64_t)in) return true;
  return false;
}

// Those that the body has asked for while it was traced included.
static size_t scratch_count(const Launch *l) {
  return ir_attr_find(l->op, ATTR_SCRATCH)->types.count;
}

static IrValue *read_only_memory(Eval *ev, IrOp *op, IrValue *given) {
  IrValue *own = own_memory(ev, op, given);
  ir_set_int(trace_module(ev), own->def, ATTR_READ_ONLY, !is_unwritten(ev, own));
  return own;
}

// What a kernel writes to an input in HBM is seen by that launch alone: it gets memory of its own,
// on each device.
static void part_from_inputs(Launch *l, Value ins, Value aliases) {
  const IrRegion *body = l->op->regions[0];
  size_t first_arg = body->arg_count - scratch_count(l) - l->blocks.count;
  size_t first_operand = l->op->operand_count - l->blocks.count, in_count = item_count(l->ev, ins);
  RefList written = written_refs(l->ev, l->op);
  for (size_t w = 0; w < written.count; w++) {
    const IrValue *ref = written.items[w];
    if (ref->def || ref->region != body || ref->index < first_arg ||
        ref->index - first_arg >= in_count)
      continue;
    size_t i = ref->index - first_arg;
    if (l->blocks.items[i].block.mode != BLOCK_WHOLE || is_aliased(l->ev, aliases, i) ||
        value_is_ref(l->ev, item(l->ev, ins, i)))
      continue;
    ir_set_operand(l->op, first_operand + i, read_only_memory(l->ev, l->op, l->arrays.items[i]));
  }
}

// Of launches that pass semaphores on, an aliased input is its array's memory itself, where a copy
// may be on its way to. It gets memory of its own if the kernel writes to it, and no launch before
// has handed it on.
static void part_aliased(Launch *l, Value aliases) {
  const IrRegion *body = l->op->regions[0];
  size_t arg_count = body->arg_count - scratch_count(l), count = l->blocks.count;
  size_t in_count = count - item_count(l->ev, aliases);
  RefList written = written_refs(l->ev, l->op);
  for (size_t o = in_count; o < count; o++) {
    int64_t in = take_int(l->ev, item(l->ev, aliases, o - in_count), "alias");
    if (in < 0) continue;
    const IrValue *args[] = {body->args[arg_count - count + (size_t)in],
                             body->args[arg_count - count + o]};
    bool is_written = l->blocks.items[o].block.mode != BLOCK_WHOLE;
    for (size_t w = 0; w < written.count; w++)
      is_written |= written.items[w] == args[0] || written.items[w] == args[1];
    if (!is_written || frozen_by(l->ev, l->arrays.items[in])) continue;
    IrValue *own = own_memory(l->ev, l->op, l->arrays.items[in]);
    uint32_t first = (uint32_t)(l->op->operand_count - count);
    ir_set_operand(l->op, first + (uint32_t)in, own);
    ir_set_operand(l->op, first + (uint32_t)o, own);
    l->arrays.items[o] = own;
  }
}

static bool is_made_in(const IrValue *ref, const IrOp *op) {
  const IrRegion *region = ir_value_region(ref);
  while (region && region->parent != op) region = ir_region_outer(region);
  return region != NULL;
}

// Programs of devices write where their launches have aliases.
void pallas_part_inputs(Eval *ev, IrOp *cores) {
  bool is_of_devices = ir_attr_meshes(cores).items[0].kind == CORE_DEVICE;
  RefList written = written_refs(ev, cores);
  for (size_t w = 0; w < written.count; w++) {
    if (!frozen_has(ev, written.items[w]) || is_made_in(written.items[w], cores)) continue;
    IrValue *own = is_of_devices ? own_memory(ev, cores, written.items[w])
                                 : read_only_memory(ev, cores, written.items[w]);
    if (!own->name) own->name = written.items[w]->name;
    for (size_t i = 0; i < cores->region_count; i++)
      ir_replace_uses(cores->regions[i], written.items[w], own);
  }
}

static Value native_launch(Eval *ev, Value *a) {
  if (!value_truth(ev, a[15])) pending_settle(ev); // else the counts would be gone
  Launch l = {.ev = ev, .grid_names = a[2], .body = a[11], .is_pipeline = trace_in_kernel(ev)};
  take_grid(&l, a[1]);
  for (size_t i = 0; !v_is_none(a[14]) && i < l.state.rank; i++)
    l.offsets[i] = index_as_i32(ev, array_ir(ev, item(ev, a[14], i), DT_I32));
  l.prefetch_count = item_count(ev, a[4]);
  l.prefetch = ARENA_ARRAY(ev->arena, IrValue *, l.prefetch_count);
  for (size_t i = 0; i < l.prefetch_count; i++) l.prefetch[i] = operand_ref(ev, item(ev, a[4], i));
  l.passes_semaphores = value_truth(ev, a[15]);
  l.who = take_str(ev, a[16], "who");
  if (!ev->options.check) l.preset = take_preset(ev, a[17]); // there it is a finding
  take_operands(&l, a[5], a[6], a[7], a[8], a[9]);
  for (size_t i = 0; i < item_count(ev, a[10]); i++)
    VEC_PUSH(ev->arena, &l.scratch, take_memory_type(ev, item(ev, a[10], i)));
  build_launch(&l, take_str(ev, a[0], "name"), a[3],
               v_is_none(a[12]) ? 0 : take_int(ev, a[12], "vmem_limit_bytes"),
               v_is_none(a[13]) ? -1 : take_int(ev, a[13], "collective_id"));
  Value exception;
  if (!eval_try(ev, trace_regions, &l, &exception)) {
    ir_op_remove(l.op); // the program may catch the exception and go on
    eval_raise_value(ev, exception);
  }
  if (l.passes_semaphores) part_aliased(&l, a[9]);
  part_from_inputs(&l, a[5], a[9]);
  size_t in_count = item_count(ev, a[5]), out_count = item_count(ev, a[7]);
  List *results = list_new(ev, out_count);
  for (size_t o = 0; o < out_count; o++) {
    IrValue *ref = l.arrays.items[in_count + o];
    if (value_is_ref(ev, item(ev, a[7], o))) continue;
    frozen_add(ev, ref, l.passes_semaphores && ref->def ? l.op : NULL);
    list_push(ev, results, array_new(ev, ir_load_all(trace_builder(ev), ref), false));
  }
  if (kernel_memory_is_short(ev, l.op)) pending_settle(ev); // the exception is of this call
  return v_object(results);
}

// ---- small services of the prelude --------------------------------------------------------------

static Value native_as_int(Eval *ev, Value *a) {
  int64_t i;
  return value_as_int(ev, a[0], &i) ? v_int(i) : v_none();
}

static Value native_check_grid_size(Eval *ev, Value *a) {
  int64_t size;
  if (value_as_int(ev, a[0], &size)) {
    if (size < 0)
      eval_raise(ev, ev->types.ValueError, "the sizes of a grid must not be negative, got %lld",
                 (long long)size);
    if (size > INT32_MAX)
      eval_raise(ev, ev->types.OverflowError,
                 "the sizes of a grid must fit int32, as program ids do, got %lld",
                 (long long)size);
    return v_none();
  }
  Aval aval;
  if (!value_aval(ev, a[0], false, &aval) || aval.rank != 0 || !dtype_is_integer(aval.dtype))
    eval_raise(ev, ev->types.TypeError, "the sizes of a grid must be integers, got %.*s",
               STR_FMT(value_repr(ev, a[0])));
  return v_none();
}

static Value native_warn_deprecated(Eval *ev, Value *a) {
  eval_warn(ev, WARN_DEPRECATED, "%.*s", STR_FMT(take_str(ev, a[0], "message")));
  return v_none();
}

static Value native_warn_ignored(Eval *ev, Value *a) {
  eval_warn(ev, WARN_IGNORED, "%.*s", STR_FMT(take_str(ev, a[0], "message")));
  return v_none();
}

static Value native_hint(Eval *ev, Value *a) {
  eval_warn(ev, WARN_HINT, "%.*s", STR_FMT(take_str(ev, a[0], "message")));
  return v_none();
}

static Value native_debug_checks(Eval *ev, Value *a UNUSED) {
  return v_bool(ev->trace->debug_checks);
}

// Whether pl.debug_check is done: wherever anything is checked.
static Value native_checks(Eval *ev, Value *a UNUSED) {
  return v_bool(ev->trace->debug_checks || ev->options.check);
}

// The launch that is recorded next is watched for races, if it is run here. False: it is not.
static Value native_detect_races(Eval *ev, Value *a UNUSED) {
  if (!ev->options.run && !ev->options.check) return v_bool(false);
  pending_has_raced(ev, true);
  trace_module(ev)->watch |= WATCH_RACES;
  return v_bool(true);
}

static Value native_races_found(Eval *ev, Value *a UNUSED) {
  return v_bool(pending_has_raced(ev, false));
}

static Value native_set_debug_checks(Eval *ev, Value *a) {
  bool on = value_truth(ev, a[0]);
  if (on != ev->trace->debug_checks) ev->trace->jit_calls = NULL; // they were traced otherwise
  ev->trace->debug_checks = on;
  return v_none();
}

// The facts of a chip (None: the one compiled for) under the names of JAX's TpuInfo, and what the
// device is called.
static Value native_chip(Eval *ev, Value *a) {
  Str name = v_is_none(a[0]) ? ev->options.tpu : take_str(ev, a[0], "chip");
  const Chip *chip = chip_find(name);
  if (!chip) eval_raise(ev, ev->types.ValueError, "unknown chip '%.*s'", STR_FMT(name));
  Dict *facts = dict_new(ev);
  Interner *names = ev->session->interner;
  dict_set_name(ev, facts, name_intern_c(names, "chip_version"), make_str_c(ev, chip->name));
  dict_set_name(ev, facts, name_intern_c(names, "device_kind"), make_str_c(ev, chip->device_kind));
  const struct {
    const char *name;
    int64_t value;
  } numbers[] = {
      {"generation", chip->generation},
      {"num_cores", chip->cores},
      {"num_lanes", chip->lanes},
      {"num_sublanes", chip->sublanes},
      {"mxu_column_size", chip->mxu_size},
      {"vmem_capacity_bytes", chip->vmem_bytes},
      {"smem_capacity_bytes", chip->smem_bytes},
      {"hbm_capacity_bytes", chip->hbm_bytes / chip->cores},
      {"num_mxus", chip->mxus},
      {"num_accumulators", chip->accumulators},
      {"cmem_capacity_bytes", chip->cmem_bytes},
      {"mem_bw_bytes_per_second", chip->hbm_mb_per_s * 1000000},
      {"bf16_ops_per_second", chip->bf16_gops * 1000000000},
      {"int8_ops_per_second", chip->int8_gops * 1000000000},
      {"fp8_ops_per_second", chip->fp8_gops * 1000000000},
      {"int4_ops_per_second", chip->int4_gops * 1000000000},
  };
  for (size_t i = 0; i < COUNT_OF(numbers); i++)
    dict_set_name(ev, facts, name_intern_c(names, numbers[i].name), v_int(numbers[i].value));
  int64_t sparse[] = {chip->sparse_cores, chip->subcores, chip->sparse_lanes,
                      chip->subcore_vmem_bytes, chip->sparse_granule};
  dict_set_name(ev, facts, name_intern_c(names, "sparse"),
                chip->sparse_cores ? make_tuple_i64(ev, COUNT_OF(sparse), sparse) : v_none());
  return v_object(facts);
}

// takes(f, count, keywords): false if a call of f with so many positional arguments and so many by
// keyword certainly fails.
static Value native_takes(Eval *ev, Value *a) {
  size_t count = (size_t)take_int(ev, a[1], "count"),
         named = (size_t)take_int(ev, a[2], "keywords");
  return v_bool(function_takes(ev, a[0], count, named));
}

static const NativeDef pallas_natives[] = {
    {"launch(name, grid, grid_names, semantics, prefetch, ins, in_blocks, outs, out_blocks, "
     "aliases, scratch, body, vmem_limit, "
     "collective_id, offsets=None, passes_semaphores=False, who='', preset=None)",
     native_launch},
    {"program_id(axis)", pallas_program_id},
    {"num_programs(axis)", pallas_num_programs},
    {"begin_scope(refs, shared)", pallas_begin_scope},
    {"end_scope(refs, shared)", pallas_end_scope},
    {"grid_step(indices, grid, f)", pallas_grid_step},
    {"is_constant_map(index_map, rank, dims)", pallas_is_constant_map},
    {"debug_print(fmt, args)", pallas_debug_print},
    {"check(condition, message)", pallas_check},
    {"reciprocal(x, approx)", pallas_reciprocal},
    {"multiple_of(x, values)", pallas_multiple_of},
    {"ref_load(ref, index, mask, other)", pallas_ref_load},
    {"ref_store(ref, index, value, mask)", pallas_ref_store},
    {"prng_seed(seeds)", pallas_prng_seed},
    {"prng_bits(shape)", pallas_prng_bits},
    {"takes(f, count, keywords)", native_takes},
    {"as_int(x)", native_as_int},
    {"check_grid_size(size)", native_check_grid_size},
    {"warn_deprecated(message)", native_warn_deprecated},
    {"warn_ignored(message)", native_warn_ignored},
    {"hint(message)", native_hint},
    {"checks()", native_checks},
    {"debug_checks()", native_debug_checks},
    {"detect_races()", native_detect_races},
    {"races_found()", native_races_found},
    {"set_debug_checks(on)", native_set_debug_checks},
    {"chip(name)", native_chip},
    {NULL, NULL},
};

const ModuleDef module_pallas_primitives = {.name = "_pallas", .functions = pallas_natives};

#define OF_NEWER_JAX "it is of versions of JAX after 0.10.2"
// Known names, with their place in the language kept.
static const NotSupported pl_not_supported[] = {
    {"get_global", "in JAX too it is for GPUs alone; a semaphore that outlives a kernel is "
                   "pltpu.get_barrier_semaphore()"},
    {"fuser", "pallasc fuses what stands around a kernel by itself"},
    {"pallas_call_p", "primitives cannot be bound by hand"},
    {"pallas_export_experimental", "shapes are static"},
    {"BlockDim", OF_NEWER_JAX},
    {NULL, NULL},
};
static const NotSupported pltpu_not_supported[] = {
    {"conv", OF_NEWER_JAX},
    {"emit_pipeline_with_async_prefetch", OF_NEWER_JAX},
    {"has_memory_space", OF_NEWER_JAX},
    {"join_bits", OF_NEWER_JAX},
    {"split_bits", OF_NEWER_JAX},
    {NULL, NULL},
};
const ModuleDef module_pl = {.name = "jax.experimental.pallas", .not_supported = pl_not_supported};
const ModuleDef module_pltpu = {.name = "jax.experimental.pallas.tpu",
                                .not_supported = pltpu_not_supported};
