// SPDX-License-Identifier: Apache-2.0
// Identical clusters, where the source was unrolled: from the second one on they are calls of
// one function, whose parameters are the memory of what the cluster reads and makes, scalars, and
// the constants that whole arrays are filled with.
#include "gen_cluster_outlined.h"
#include "codegen/emit/debug.h"
#include "codegen/emit/gen_const.h"
#include "codegen/emit/gen_function.h"
#include "codegen/values/gen_destination.h"
#include "codegen/values/gen_value.h"

enum { MOST_PARAMS = 24 };

// What a cluster gives, in memory.
typedef struct Result {
  const IrValue *value;
  Mem mem;
  Buffer *buffer;
} Result;

typedef struct Inputs {
  LlvmGen *g;
  IrOp *const *ops;
  size_t count, rows;
  Buf key;
  Map *numbers; // IrValue * -> 1 + its number
  size_t value_count;
  VEC(IrValue *) inputs;
  VEC(Binding *) bindings; // of the inputs: what the calls pass
  VEC(Result) results;     // of the cluster that are used outside
} Inputs;

// What is known of identical clusters.
typedef struct OutlinedCluster {
  Value function; // NULL: there has been only one
  Type type;
} OutlinedCluster;

// ---- the key: all that the code depends on ------------------------------------------------------
static void number(Inputs *a, const IrValue *value) {
  map_set(a->numbers, value, (void *)++a->value_count);
}

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

static bool add_input(Inputs *a, IrValue *value) {
  number(a, value);
  Binding *binding = input_binding(a, value);
  if (!binding || binding->kind == BIND_REF || (is_splat(value) && !is_passed(a, value)))
    return false;
  VEC_PUSH(a->g->arena, &a->inputs, value);
  VEC_PUSH(a->g->arena, &a->bindings, binding);
  if (binding->kind == BIND_SCALAR)
    buf_printf(&a->key, "(%s/%d)", dtype_name(value->type->dtype), value->type->rank);
  else
    buf_printf(&a->key, "(%s@%u)", mem_key(a->g, &binding->mem), binding->mem.align);
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
    const IrType *type = op->results[i]->type;
    number(a, op->results[i]);
    buf_printf(&a->key, "=%s", dtype_name(type->dtype));
    for (size_t k = 0; k < type->rank; k++) buf_printf(&a->key, ".%lld", (long long)type->dims[k]);
  }
  return true;
}

static bool put_ops(Inputs *a) {
  buf_printf(&a->key, "%zu/%d", a->rows, a->g->frame->parallel);
  for (size_t i = 0; i < a->count; i++)
    if (!put_op(a, a->ops[i])) return false;
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
    VEC_PUSH(a->g->arena, &a->results, result);
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
  cluster_plan(&c);
  cluster_prepare(&c);
  cluster_emit_walks(&c);
  for (size_t i = 0; i < a->results.count; i++) {
    Mem mem = a->results.items[i].mem;
    mem.base = LLVMGetParam(function, first + (unsigned)i);
    if (!mem.rank)
      mem_store(g, &mem, NULL, cluster_place_of(&c, a->results.items[i].value)->scalar);
  }
  cluster_give_back(&c);
  arena_free(arena);
}

static void make_function(Inputs *a, OutlinedCluster *known, Value const *args, unsigned count) {
  LlvmGen *g = a->g;
  Type types[MOST_PARAMS];
  for (unsigned i = 0; i < count; i++) types[i] = LLVMTypeOf(args[i]);
  LLVMBasicBlockRef here = gen_here(g);
  LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(g->builder);
  known->type = LLVMFunctionType(g->void_type, types, count, false);
  known->function = gen_new_function(
      g, str_format(g->arena, "%s.outlined%u", g->func->name->text, ++g->counter).data, known->type,
      true);
  bool parallel = g->frame->parallel;
  Frame frame;
  Binding **old = ARENA_ARRAY(g->arena, Binding *, a->inputs.count + 1);
  frame_open(g, &frame, known->function, LLVMGetParam(known->function, 0));
  frame.parallel = parallel;
  debug_function(g, known->function, "outlined", g->func->span);
  bind_params(a, known->function, old);
  emit_body(a, known->function);
  unbind_params(a, old);
  frame_close(g);
  gen_move_to(g, here);
  LLVMSetCurrentDebugLocation2(g->builder, location);
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
  if (!g->shares.all || g->options->check || g->frame->task) return false;
  Inputs a = {.g = g,
              .ops = c->request.ops,
              .count = c->request.count,
              .rows = c->request.rows,
              .numbers = map_new(c->arena)};
  buf_init(&a.key, c->arena);
  if (!put_ops(&a)) return false;
  take_results(&a, c);
  if (1 + a.inputs.count + a.results.count > MOST_PARAMS) return false;
  Name key = name_intern(g->session->interner, buf_view(&a.key));
  OutlinedCluster *known = map_get(g->outlined, key);
  if (!known) {
    map_set(g->outlined, key, ARENA_NEW(g->arena, OutlinedCluster));
    return false;
  }
  Value args[MOST_PARAMS];
  unsigned count = list_args(&a, args);
  if (!known->function) make_function(&a, known, args, count);
  LLVMBuildCall2(g->builder, known->type, known->function, args, count, "");
  bind_results(&a);
  return true;
}
