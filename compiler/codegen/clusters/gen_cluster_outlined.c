// SPDX-License-Identifier: Apache-2.0
// Identical clusters, where the source was unrolled: they are calls of one function, whose
// parameters are the memory of what the cluster reads and makes, scalars, and the constants that
// whole arrays are filled with. Which clusters do the same is counted before there is code.
#include "gen_cluster_outlined.h"
#include "codegen/emit/debug.h"
#include "codegen/emit/gen_const.h"
#include "codegen/emit/gen_function.h"
#include "codegen/values/gen_destination.h"
#include "codegen/values/gen_value.h"
#include "gen_cluster_parallel.h"

enum { MOST_PARAMS = 24 };

// What a cluster gives, in memory.
typedef struct Result {
  const IrValue *value;
  Mem mem;
  Buffer *buffer;
} Result;

typedef struct Inputs {
  LlvmGen *g;
  Arena *arena;
  IrOp *const *ops;
  size_t count, rows;
  Buf key;
  Map *numbers; // IrValue * -> 1 + its number
  size_t value_count;
  VEC(IrValue *) inputs;
  VEC(Binding *) bindings; // of the inputs: what the calls pass
  VEC(Result) results;     // of the cluster that are used outside
} Inputs;

// The function of identical clusters.
typedef struct OutlinedCluster {
  Value function;
  Type type;
} OutlinedCluster;

// ---- what a cluster does, wherever its operands are ---------------------------------------------
static void put_type(Inputs *a, const IrType *type) {
  buf_c(&a->key, dtype_name(type->dtype));
  for (int i = 0; i < type->rank; i++) buf_printf(&a->key, ".%lld", (long long)type->dims[i]);
}

static void number(Inputs *a, const IrValue *value) {
  map_set(a->numbers, value, (void *)++a->value_count);
}

static bool add_input(Inputs *a, IrValue *value) {
  if (value->type->is_ref) return false;
  number(a, value);
  VEC_PUSH(a->arena, &a->inputs, value);
  buf_c(&a->key, "(");
  put_type(a, value->type);
  buf_c(&a->key, ")");
  return true;
}

static bool put_attr(Inputs *a, const IrAttr *attr) {
  buf_printf(&a->key, ",%d:", attr->name);
  switch (attr_kind(attr->name)) {
  case KIND_BOOL:
  case KIND_INT: buf_printf(&a->key, "%lld", (long long)attr->i); return true;
  case KIND_INTS:
    for (size_t i = 0; i < attr->ints.count; i++)
      buf_printf(&a->key, "_%lld", (long long)attr->ints.items[i]);
    return true;
  case KIND_NAME:
  case KIND_STR: buf_printf(&a->key, "%.*s", (int)attr->str.len, attr->str.data); return true;
  default: return false;
  }
}

static bool put_op(Inputs *a, const IrOp *op) {
  if (op->code == OP_CONST || op->code == OP_LOAD || op->code == OP_STORE) return false;
  for (size_t i = 0; i < op->operand_count; i++)
    if (!map_has(a->numbers, op->operands[i]) && !add_input(a, op->operands[i])) return false;
  buf_printf(&a->key, ";%d", op->code);
  for (size_t i = 0; i < op->operand_count; i++)
    buf_printf(&a->key, " %zu", (size_t)map_get(a->numbers, op->operands[i]));
  for (size_t i = 0; i < op->attr_count; i++)
    if (!put_attr(a, &op->attrs[i])) return false;
  for (size_t i = 0; i < op->result_count; i++) {
    number(a, op->results[i]);
    buf_c(&a->key, "=");
    put_type(a, op->results[i]->type);
  }
  return true;
}

// NULL if it does something that is not to be shared. Sets the inputs.
static Name shape_of(Inputs *a) {
  buf_printf(&a->key, "%zu", a->rows);
  for (size_t i = 0; i < a->count; i++)
    if (!put_op(a, a->ops[i])) return NULL;
  return name_intern(a->g->session->interner, buf_view(&a->key));
}

static Inputs inputs_of(LlvmGen *g, Arena *arena, IrOp *const *ops, size_t count, size_t rows) {
  Inputs a = {
      .g = g, .arena = arena, .ops = ops, .count = count, .rows = rows, .numbers = map_new(arena)};
  buf_init(&a.key, arena);
  return a;
}

static void count_cluster(IrOp *op, void *data) {
  LlvmGen *g = data;
  const IrOp *outer = op->parent->parent;
  if (op->code == OP_YIELD || (outer && outer->code == OP_FUSE)) return;
  Arena *arena = arena_new_child(g->arena);
  VEC(IrOp *) ops = {0};
  if (op->code == OP_FUSE)
    for (IrOp *inner = op->regions[0]->first; inner->next; inner = inner->next)
      VEC_PUSH(arena, &ops, inner);
  else if (!op->region_count)
    VEC_PUSH(arena, &ops, op);
  Inputs a = inputs_of(g, arena, ops.items, ops.count,
                       op->code == OP_FUSE ? ir_attr_ints(op, ATTR_AXES).count : 0);
  Name shape = ops.count ? shape_of(&a) : NULL;
  if (shape) map_set(g->twins, shape, (char *)map_get(g->twins, shape) + 1);
  arena_free(arena);
}

void cluster_count_twins(LlvmGen *g, IrFunc *func) {
  g->twins = map_new(g->arena);
  if (g->shares.all) ir_walk(func->body, count_cluster, g);
}

// ---- the key: all that the code depends on ------------------------------------------------------
static bool is_splat(const IrValue *value) {
  return value->def && value->def->code == OP_CONST &&
         ir_attr_data(value->def, ATTR_DATA)->count == 1;
}

// Constants that only element by element operations use are passed.
static bool is_passed(const Inputs *a, const IrValue *value) {
  for (size_t i = 0; i < a->count; i++)
    for (size_t k = 0; k < a->ops[i]->operand_count; k++)
      if (a->ops[i]->operands[k] == value && !op_is_elementwise(a->ops[i]->code)) return false;
  return true;
}

static Binding *input_binding(Inputs *a, const IrValue *value) {
  LlvmGen *g = a->g;
  if (!is_splat(value)) return map_get(g->bindings, value);
  Binding *binding = ARENA_NEW(g->arena, Binding);
  *binding = (Binding){.kind = BIND_SCALAR,
                       .scalar = gen_const_element(g, value->type->dtype,
                                                   ir_attr_data(value->def, ATTR_DATA)->bytes, 1)};
  return binding;
}

// Where the inputs are.
static bool put_bindings(Inputs *a) {
  buf_printf(&a->key, "/%d", a->g->frame->parallel);
  for (size_t i = 0; i < a->inputs.count; i++) {
    IrValue *value = a->inputs.items[i];
    Binding *binding = input_binding(a, value);
    if (!binding || binding->kind == BIND_REF || (is_splat(value) && !is_passed(a, value)))
      return false;
    VEC_PUSH(a->arena, &a->bindings, binding);
    if (binding->kind == BIND_SCALAR)
      buf_c(&a->key, "@");
    else
      buf_printf(&a->key, "@%s.%u", mem_key(a->g, &binding->mem), binding->mem.align);
  }
  return true;
}

// ---- calls --------------------------------------------------------------------------------------
// Memory for the results that are arrays, where they will stay however the cluster is emitted.
static void take_results(Inputs *a, ClusterCode *c) {
  PlanResults results = plan_results(c->arena, a->ops, a->count);
  for (size_t i = 0; i < results.count; i++) {
    Result result = {.value = results.items[i]};
    buf_printf(&a->key, ">%zu", (size_t)map_get(a->numbers, result.value));
    if (result.value->type->rank) {
      result.buffer = destination_take(a->g, result.value, &result.mem);
      cluster_place(c, result.value, &result.mem, result.buffer);
      buf_printf(&a->key, ":%s@%u", mem_key(a->g, &result.mem), result.mem.align);
    }
    VEC_PUSH(a->arena, &a->results, result);
  }
}

// The arguments, without those that are the same in all calls; a scalar result comes back through
// memory.
static unsigned list_args(Inputs *a, Value *args) {
  unsigned count = 0;
  args[count++] = frame_worker(a->g);
  for (size_t i = 0; i < a->bindings.count; i++) {
    const Binding *binding = a->bindings.items[i];
    args[count++] = binding->kind == BIND_SCALAR ? binding->scalar : binding->mem.base;
  }
  for (size_t i = 0; i < a->results.count; i++) {
    Result *result = &a->results.items[i];
    if (!result->value->type->rank)
      result->buffer = frame_take_array(a->g, result->value->type->dtype, 0, NULL, &result->mem);
    args[count++] = result->mem.base;
  }
  return count;
}

static void bind_params(Inputs *a, Value function, Binding **old) {
  LlvmGen *g = a->g;
  for (size_t i = 0; i < a->inputs.count; i++) {
    Binding *binding = ARENA_NEW(g->arena, Binding);
    Value param = LLVMGetParam(function, (unsigned)i + 1);
    *binding = *a->bindings.items[i];
    binding->buffer = NULL;
    if (binding->kind == BIND_SCALAR)
      binding->scalar = param;
    else
      binding->mem.base = param;
    old[i] = map_get(g->bindings, a->inputs.items[i]);
    map_set(g->bindings, a->inputs.items[i], binding);
  }
}

static void unbind_params(Inputs *a, Binding *const *old) {
  for (size_t i = 0; i < a->inputs.count; i++) {
    if (old[i])
      map_set(a->g->bindings, a->inputs.items[i], old[i]);
    else
      map_remove(a->g->bindings, a->inputs.items[i]);
  }
}

static void store_scalars(const Inputs *a, const ClusterCode *c, Value function) {
  for (size_t i = 0; i < a->results.count; i++) {
    Mem mem = a->results.items[i].mem;
    mem.base = LLVMGetParam(function, (unsigned)(a->inputs.count + 1 + i));
    if (!mem.rank)
      mem_store(a->g, &mem, NULL, cluster_place_of(c, a->results.items[i].value)->scalar);
  }
}

static void emit_body(Inputs *a, Value function) {
  LlvmGen *g = a->g;
  Arena *arena = arena_new_child(g->arena);
  ClusterCode c;
  cluster_open(g, arena, a->ops, a->count, a->rows, &c);
  unsigned first = (unsigned)a->inputs.count + 1;
  for (size_t i = 0; i < a->results.count; i++) {
    Mem mem = a->results.items[i].mem;
    mem.base = LLVMGetParam(function, first + (unsigned)i);
    if (mem.rank) cluster_place(&c, a->results.items[i].value, &mem, NULL);
  }
  if (!cluster_emit_pieces(&c)) {
    cluster_plan(&c);
    cluster_prepare(&c);
    cluster_emit_walks(&c);
    store_scalars(a, &c, function);
    cluster_give_back(&c);
  }
  cluster_report(&c);
  arena_free(arena);
}

static OutlinedCluster *make_function(Inputs *a, Value const *args, unsigned count) {
  LlvmGen *g = a->g;
  OutlinedCluster *made = ARENA_NEW(g->arena, OutlinedCluster);
  Type types[MOST_PARAMS];
  for (unsigned i = 0; i < count; i++) types[i] = LLVMTypeOf(args[i]);
  LLVMBasicBlockRef here = gen_here(g);
  LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(g->builder);
  made->type = LLVMFunctionType(g->void_type, types, count, false);
  made->function = gen_new_function(
      g, str_format(g->arena, "%s.outlined%u", g->func->name->text, ++g->counter).data, made->type,
      true);
  bool parallel = g->frame->parallel;
  Frame frame;
  Binding **old = ARENA_ARRAY(g->arena, Binding *, a->inputs.count + 1);
  frame_open(g, &frame, made->function, LLVMGetParam(made->function, 0));
  frame.parallel = parallel;
  debug_function(g, made->function, "outlined", g->func->span);
  bind_params(a, made->function, old);
  emit_body(a, made->function);
  unbind_params(a, old);
  frame_close(g);
  gen_move_to(g, here);
  LLVMSetCurrentDebugLocation2(g->builder, location);
  return made;
}

static void bind_results(Inputs *a) {
  LlvmGen *g = a->g;
  for (size_t i = 0; i < a->results.count; i++) {
    const Result *result = &a->results.items[i];
    if (result->value->type->rank) {
      value_bind_mem(g, result->value, &result->mem, result->buffer);
    } else {
      value_bind_scalar(g, result->value, mem_load(g, &result->mem, NULL));
      frame_give(g, result->buffer);
    }
  }
}

bool cluster_call_outlined(ClusterCode *c) {
  LlvmGen *g = c->g;
  const PlanRequest *request = &c->request;
  if (!g->shares.all || g->options->check || g->frame->task) return false;
  Inputs a = inputs_of(g, c->arena, request->ops, request->count, request->rows);
  Name shape = shape_of(&a);
  if (!shape || (size_t)map_get(g->twins, shape) < 2 || !put_bindings(&a)) return false;
  take_results(&a, c);
  if (1 + a.inputs.count + a.results.count > MOST_PARAMS) return false;
  Name key = name_intern(g->session->interner, buf_view(&a.key));
  Value args[MOST_PARAMS];
  unsigned count = list_args(&a, args);
  OutlinedCluster *known = map_get(g->outlined, key);
  if (known)
    cluster_report_reuse(c);
  else
    map_set(g->outlined, key, known = make_function(&a, args, count));
  LLVMBuildCall2(g->builder, known->type, known->function, args, count, "");
  bind_results(&a);
  return true;
}
