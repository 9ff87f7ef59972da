// SPDX-License-Identifier: Apache-2.0
// The ops of a region one after another; where values live, and until when.
#include "codegen/functions/check.h"
#include "codegen/products/dot.h"
#include "codegen/memory/stream.h"
#include "ir/analysis/alias.h"
#include "passes/arrays/fuse.h"

// What the region that is being emitted knows of each of its ops.
typedef struct OpNote {
  size_t position;
  VEC(IrValue *) dead; // values of the region whose last user the op is
} OpNote;

typedef struct Region {
  IrRegion *ir;
  Map *last_use; // IrValue * -> IrOp *
  struct Region *outer;
} Region;

// ---- bindings -----------------------------------------------------------------------------------
static Binding *new_binding(LlvmGen *g, const IrValue *value, BindKind kind) {
  Binding *binding = ARENA_NEW(g->arena, Binding);
  binding->kind = kind;
  map_set(g->bindings, value, binding);
  return binding;
}

void value_bind_scalar(LlvmGen *g, IrValue *value, Value scalar) {
  new_binding(g, value, BIND_SCALAR)->scalar = scalar;
}

void value_bind_mem(LlvmGen *g, IrValue *value, const Mem *mem, Buffer *buffer) {
  Binding *binding = new_binding(g, value, BIND_MEM);
  binding->mem = *mem;
  binding->buffer = buffer;
}

void value_bind_ref(LlvmGen *g, IrValue *value, const Mem *mem, Value *sizes, Buffer *buffer) {
  Binding *binding = new_binding(g, value, BIND_REF);
  binding->mem = *mem;
  binding->sizes = sizes;
  binding->buffer = buffer;
}

Mem value_bind_new(LlvmGen *g, IrValue *value) {
  Mem mem;
  const IrType *type = value->type;
  Buffer *buffer = frame_take_array(g, type->dtype, type->rank, type->dims, &mem);
  value_bind_mem(g, value, &mem, buffer);
  return mem;
}

void value_drop(LlvmGen *g, IrValue *value) {
  Binding *binding = map_get(g->bindings, value);
  if (!binding) return;
  frame_give(g, binding->buffer);
  map_remove(g->bindings, value);
}

// Constants are bound when they are first asked for; nothing is emitted for them. A splat is one
// element with strides of zero.
static const Binding *bind_const(LlvmGen *g, const IrValue *value) {
  const IrData *data = ir_attr_data(value->def, ATTR_DATA);
  const IrType *type = value->type;
  if (type->rank == 0) {
    Binding *binding = new_binding(g, value, BIND_SCALAR);
    binding->scalar = gen_const_element(g, type->dtype, data->bytes, 1);
    return binding;
  }
  Value global = map_get(g->globals, data);
  size_t size = dtype_size(type->dtype);
  if (!global) {
    global = gen_global_data(g, data->bytes, (size_t)data->count * size, 64);
    map_set(g->globals, data, global);
  }
  Binding *binding = new_binding(g, value, BIND_MEM);
  binding->mem = mem_dense(global, (unsigned)size, type->dtype, type->rank, type->dims);
  if (data->count == 1)
    for (int i = 0; i < type->rank; i++) binding->mem.strides[i] = 0;
  return binding;
}

const Binding *value_binding(LlvmGen *g, const IrValue *value) {
  const Binding *binding = map_get(g->bindings, value);
  if (binding) return binding;
  if (value->def && value->def->code == OP_CONST) return bind_const(g, value);
  BUG("a value has no binding");
}

Value value_scalar(LlvmGen *g, const IrValue *value) {
  const Binding *binding = value_binding(g, value);
  if (binding->kind == BIND_SCALAR) return binding->scalar;
  Value zeros[IR_MAX_RANK];
  for (int i = 0; i < binding->mem.rank; i++) zeros[i] = gen_i64(g, 0);
  return mem_load(g, &binding->mem, zeros);
}

Mem value_mem(LlvmGen *g, const IrValue *value) {
  const Binding *binding = value_binding(g, value);
  if (binding->kind != BIND_SCALAR) return binding->mem;
  Mem mem;
  frame_take_array(g, value->type->dtype, 0, NULL, &mem);
  mem_store(g, &mem, NULL, binding->scalar);
  return mem;
}

Value value_index(LlvmGen *g, const IrValue *value) {
  Value scalar = value_scalar(g, value);
  DType dtype = value->type->dtype;
  return dtype_is_signed(dtype) ? emit_sext(g, scalar, g->i64) : emit_zext(g, scalar, g->i64);
}

// ---- lives --------------------------------------------------------------------------------------
static IrRegion *home_of(const IrValue *value) {
  return value->def ? value->def->parent : value->region;
}

// Copies that may be under way beyond the last op that names their ends, in order.
typedef VEC(const IrOp *) StartedCopies;

static bool is_semaphore(const IrValue *value) {
  return value->type->is_ref && value->type->space == SPACE_SEM;
}

static void note_uses(LlvmGen *g, Region *region, const IrOp *op, IrOp *top,
                      StartedCopies *copies) {
  if (op->code == OP_COPY_START) VEC_PUSH(g->arena, copies, op);
  for (size_t i = 0; i < op->operand_count; i++) {
    const IrValue *value = op->operands[i];
    if (home_of(value) == region->ir) map_set(region->last_use, value, top);
    const IrValue *root = is_semaphore(value) ? ir_ref_root(value) : value;
    if (root != value && home_of(root) == region->ir) map_set(region->last_use, root, top);
  }
  for (size_t i = 0; i < op->region_count; i++)
    for (const IrOp *inner = op->regions[i]->first; inner; inner = inner->next)
      note_uses(g, region, inner, top, copies);
}

static OpNote *note_of(const IrOp *op) { return op->scratch; }

static size_t last_use_position(const Region *region, const IrValue *value) {
  const IrOp *op = map_get(region->last_use, value);
  return op ? note_of(op)->position : 0;
}

// The last op of the region behind which a value can end.
static IrOp *last_op(const Region *region) {
  IrOp *last = region->ir->last;
  return last->code == OP_YIELD ? last->prev : last;
}

static bool is_inside(const IrRegion *region, const IrRegion *outer) {
  while (region && region != outer) region = region->parent ? region->parent->parent : NULL;
  return region;
}

// Until when a copy may be under way: whoever knows that it is done has waited for one of its
// semaphores. NULL: one of them ends before the op of this region that the copy is in does.
static IrOp *end_of_copy(const Region *region, const IrOp *copy) {
  IrOp *end = NULL;
  for (size_t i = 2; i < copy->operand_count; i++) {
    if (!is_semaphore(copy->operands[i])) continue;
    const IrValue *root = ir_ref_root(copy->operands[i]);
    if (!is_inside(home_of(root), region->ir)) return last_op(region);
    IrOp *last = map_get(region->last_use, root);
    if (last && (!end || note_of(last)->position > note_of(end)->position)) end = last;
  }
  return end;
}

// Both ends of a copy keep their memory while it may be under way.
static void hold_ends(Region *region, const IrOp *copy) {
  for (size_t i = 0; i < 2; i++) {
    const IrValue *root = ir_ref_root(copy->operands[i]);
    if (home_of(root) != region->ir) continue;
    IrOp *end = end_of_copy(region, copy);
    if (end && last_use_position(region, root) < note_of(end)->position)
      map_set(region->last_use, root, end);
  }
}

static void find_lives(LlvmGen *g, Region *region) {
  size_t position = 0;
  StartedCopies copies = {0};
  for (IrOp *op = region->ir->first; op; op = op->next) {
    OpNote *note = ARENA_NEW(g->arena, OpNote);
    note->position = position++;
    op->scratch = note;
    note_uses(g, region, op, op, &copies);
  }
  for (size_t i = 0; i < copies.count; i++) hold_ends(region, copies.items[i]);
  const void *value;
  void *op;
  for (size_t it = 0; map_next(region->last_use, &it, &value, &op);)
    VEC_PUSH(g->arena, &note_of(op)->dead, (IrValue *)value);
}

// Whether the load's value can be the ref's own memory: nothing writes there while the value, or a
// view of it, is needed.
bool region_load_can_alias(LlvmGen *g, const IrOp *load) {
  const Region *region = g->region;
  if (load->parent != region->ir) return false;
  VEC(const IrValue *) alive = {0};
  VEC_PUSH(g->arena, &alive, load->results[0]);
  size_t end = last_use_position(region, load->results[0]);
  for (const IrOp *op = load->next; op && note_of(op)->position <= end; op = op->next) {
    if (op->code == OP_YIELD || alias_op_may_write(op, load)) return false;
    if (op_info(op->code)->op_class != CLASS_SHAPE) continue;
    for (size_t i = 0; i < alive.count; i++) {
      if (op->operands[0] != alive.items[i]) continue;
      VEC_PUSH(g->arena, &alive, op->results[0]);
      size_t last = last_use_position(region, op->results[0]);
      if (last > end) end = last;
    }
  }
  return true;
}

// A value that a loop carries has a buffer of its own, which the loop holds as well.
static bool is_carried(const IrValue *value) {
  if (value->def || !value->region->parent) return false;
  OpCode code = value->region->parent->code;
  return code == OP_FOR || code == OP_WHILE;
}

Buffer *value_take_over(LlvmGen *g, const IrValue *value, const IrOp *op, Mem *mem) {
  const Binding *binding = value_binding(g, value);
  if (home_of(value) != g->region->ir || map_get(g->region->last_use, value) != op) return NULL;
  if (binding->kind != BIND_MEM || !binding->buffer || !mem_is_dense(&binding->mem)) return NULL;
  if (binding->buffer->users != (is_carried(value) ? 2u : 1u)) return NULL;
  int64_t bytes = mem_count(&binding->mem) * (int64_t)dtype_size(value->type->dtype);
  if ((size_t)bytes > binding->buffer->size) return NULL; // the array was broadcast
  *mem = binding->mem;
  return binding->buffer;
}

// ---- dispatch -----------------------------------------------------------------------------------
typedef VEC(IrOp *) OpList;

static OpList ops_of_fuse(LlvmGen *g, const IrOp *op) {
  OpList ops = {0};
  for (IrOp *inner = op->regions[0]->first; inner != op->regions[0]->last; inner = inner->next)
    VEC_PUSH(g->arena, &ops, inner);
  return ops;
}

// Once the ops of a cluster are emitted: what it yields becomes the results of the fuse op.
static void finish_fuse(LlvmGen *g, IrOp *op) {
  const IrRegion *body = op->regions[0];
  OpList ops = ops_of_fuse(g, op);
  for (size_t i = 0; i < op->result_count; i++) {
    IrValue *from = body->last->operands[i];
    Binding *binding = new_binding(g, op->results[i], BIND_MEM);
    *binding = *value_binding(g, from);
    frame_keep(binding->buffer);
  }
  for (size_t i = 0; i < ops.count; i++)
    for (size_t k = 0; k < ops.items[i]->result_count; k++) value_drop(g, ops.items[i]->results[k]);
}

static void emit_fuse(LlvmGen *g, IrOp *op) {
  OpList ops = ops_of_fuse(g, op);
  cluster_emit(g, ops.items, ops.count, ir_attr_ints(op, ATTR_AXES).count);
  finish_fuse(g, op);
}

static bool is_scalar_op(const IrOp *op) {
  for (size_t i = 0; i < op->operand_count; i++)
    if (op->operands[i]->type->rank) return false;
  return true;
}

static void emit_scalar_op(LlvmGen *g, IrOp *op) {
  Value operands[4], results[2];
  for (size_t i = 0; i < op->operand_count; i++) operands[i] = value_scalar(g, op->operands[i]);
  if (op->code == OP_THREEFRY)
    elem_threefry(g, operands, results);
  else
    results[0] = elem_op(g, op, operands);
  for (size_t i = 0; i < op->result_count; i++) value_bind_scalar(g, op->results[i], results[i]);
}

static void emit_shape(LlvmGen *g, IrOp *op) {
  if (!gen_shape_view(g, op)) gen_shape_move(g, op);
}

static void emit_heavy(LlvmGen *g, IrOp *op) {
  switch (op->code) {
  case OP_DYNAMIC_UPDATE_SLICE: gen_shape_move(g, op); return;
  case OP_DOT: gen_dot(g, op); return;
  case OP_SORT: gen_sort(g, op); return;
  case OP_GATHER: gen_gather(g, op); return;
  case OP_SCATTER: gen_scatter(g, op); return;
  default: BUG("no code for %s", op_info(op->code)->name);
  }
}

static void emit_effectful(LlvmGen *g, IrOp *op) {
  if (op->code == OP_PRNG_SEED || op->code == OP_PRNG_BITS)
    gen_prng(g, op);
  else if (op->code == OP_STEP_ENTER || op->code == OP_STEP_LEAVE || op->code == OP_CHECK_USED)
    gen_check_op(g, op);
  else
    gen_message_op(g, op);
}

static void emit_op(LlvmGen *g, IrOp *op) {
  if (op_is_elementwise(op->code)) {
    if (is_scalar_op(op))
      emit_scalar_op(g, op);
    else
      cluster_emit(g, &op, 1, 0);
    return;
  }
  switch (op_info(op->code)->op_class) {
  case CLASS_CONST:
    if (op->code == OP_IOTA) cluster_emit(g, &op, 1, 0);
    return;
  case CLASS_SHAPE: emit_shape(g, op); return;
  case CLASS_REDUCE:
    if (op->code == OP_ARGMAX || op->code == OP_ARGMIN)
      gen_arg_extreme(g, op);
    else
      cluster_emit(g, &op, 1, 0);
    return;
  case CLASS_CUMULATIVE: gen_cumulative(g, op); return;
  case CLASS_HEAVY: emit_heavy(g, op); return;
  case CLASS_REF: gen_ref_op(g, op); return;
  case CLASS_EFFECTFUL: emit_effectful(g, op); return;
  case CLASS_CONTROL:
    if (op->code == OP_FUSE)
      emit_fuse(g, op);
    else
      gen_control(g, op);
    return;
  default: BUG("no code for %s", op_info(op->code)->name);
  }
}

// ---- products with what follows them ------------------------------------------------------------
static bool uses_value(const IrOp *op, const IrValue *value) {
  for (size_t i = 0; i < op->operand_count; i++)
    if (op->operands[i] == value) return true;
  for (size_t i = 0; i < op->region_count; i++)
    for (const IrOp *inner = op->regions[i]->first; inner; inner = inner->next)
      if (uses_value(inner, value)) return true;
  return false;
}

static bool may_stand_between(const IrOp *op) {
  OpEffect effect = op_info(op->code)->effect;
  return op->region_count == 0 &&
         (effect == EFFECT_PURE || effect == EFFECT_READ || op->code == OP_ALLOC);
}

// The cluster, or single store, that alone consumes the product's result, with nothing but reads
// between them.
static IrOp *consumer_of(const IrOp *dot) {
  const IrValue *result = dot->results[0];
  for (IrOp *op = dot->next; op; op = op->next) {
    if (uses_value(op, result)) {
      bool is_cluster = op->code == OP_FUSE && ir_attr_ints(op, ATTR_AXES).count == 0;
      if (!is_cluster && !(op->code == OP_STORE && fuse_takes(op))) return NULL;
      size_t uses = 0;
      for (const IrOp *inner = is_cluster ? op->regions[0]->first : op; inner;
           inner = is_cluster ? inner->next : NULL)
        for (size_t i = 0; i < inner->operand_count; i++) uses += inner->operands[i] == result;
      return uses == result->use_count && !(is_cluster && uses_value(op->regions[0]->last, result))
                 ? op
                 : NULL;
    }
    if (!may_stand_between(op)) return NULL;
  }
  return NULL;
}

// True if the product was emitted together with `consumer`; all ops between them have been emitted.
static bool emit_dot_fused(LlvmGen *g, IrOp *dot, IrOp *consumer) {
  if (consumer->code == OP_STORE)
    return gen_dot_stored(g, dot, consumer) || gen_dot_fused(g, dot, &consumer, 1, NULL);
  OpList ops = ops_of_fuse(g, consumer);
  if (!gen_dot_fused(g, dot, ops.items, ops.count, consumer->regions[0])) return false;
  finish_fuse(g, consumer);
  return true;
}

// ---- moves into an output -----------------------------------------------------------------------
// The store that alone takes what a concat or a pad gives, to an output that is only written: the
// parts may go there at once.
static IrOp *store_of_move(const LlvmGen *g, const IrOp *move) {
  if ((move->code != OP_CONCAT && move->code != OP_PAD) || g->options->check ||
      move->results[0]->use_count != 1)
    return NULL;
  for (IrOp *op = move->next; op; op = op->next) {
    if (uses_value(op, move->results[0])) {
      bool is_plain = op->code == OP_STORE && op->operands[0] == move->results[0] &&
                      fuse_takes(op) && !ir_attr_int(op, ATTR_MASKED);
      return is_plain && op->operands[0]->type->rank && stream_is_only_written(g, op->operands[1])
                 ? op
                 : NULL;
    }
    if (!may_stand_between(op)) return NULL;
  }
  return NULL;
}

// ---- regions ------------------------------------------------------------------------------------
static void drop_dead(LlvmGen *g, const Region *region, const IrOp *op) {
  OpNote *note = note_of(op);
  for (size_t i = 0; i < note->dead.count; i++) value_drop(g, note->dead.items[i]);
  for (size_t i = 0; i < op->result_count; i++)
    if (!map_has(region->last_use, op->results[i])) value_drop(g, op->results[i]);
}

// Emits an op, or a product with all up to its consumer; returns the last op emitted.
static IrOp *emit_next(LlvmGen *g, IrOp *op) {
  IrOp *store = store_of_move(g, op);
  if (store) {
    for (IrOp *between = op->next; between != store; between = between->next) {
      debug_at(g, between);
      emit_op(g, between);
    }
    debug_at(g, op);
    Mem to = gen_store_target(g, store);
    gen_shape_move_to(g, op, &to);
    return store;
  }
  IrOp *consumer = op->code == OP_DOT ? consumer_of(op) : NULL;
  if (!consumer) {
    emit_op(g, op);
    return op;
  }
  for (IrOp *between = op->next; between != consumer; between = between->next) {
    debug_at(g, between);
    emit_op(g, between);
  }
  debug_at(g, op);
  if (!emit_dot_fused(g, op, consumer)) {
    emit_op(g, op);
    debug_at(g, consumer);
    emit_op(g, consumer);
  }
  return consumer;
}

void region_emit(LlvmGen *g, IrRegion *ir) {
  Region region = {.ir = ir, .last_use = map_new(g->arena), .outer = g->region};
  g->region = &region;
  find_lives(g, &region);
  for (IrOp *op = ir->first; op; op = op->next)
    if (op->code == OP_CONCAT && !store_of_move(g, op)) home_set_parts(g, op);
  // What is yielded is the business of who emits the region.
  for (IrOp *op = ir->first; op && op->code != OP_YIELD;) {
    debug_at(g, op);
    IrOp *last = emit_next(g, op), *end = last->next;
    for (; op != end; op = op->next) drop_dead(g, &region, op);
  }
  g->region = region.outer;
}

// After a region's yield has been dealt with: its values end.
void region_drop_yielded(LlvmGen *g, const IrRegion *ir) {
  const IrOp *yield = ir->last;
  if (!yield || yield->code != OP_YIELD) return;
  for (size_t i = 0; i < yield->operand_count; i++)
    if (home_of(yield->operands[i]) == ir) value_drop(g, yield->operands[i]);
  for (size_t i = 0; i < ir->arg_count; i++) value_drop(g, ir->args[i]);
}
