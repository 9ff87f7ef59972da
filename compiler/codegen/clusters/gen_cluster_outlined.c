// SPDX-License-Identifier: Apache-2.0
// Identical clusters, where the source was unrolled: they are calls of one function, whose
// parameters are the memory of what the cluster reads and makes, scalars, and the constants that
// whole arrays are filled with. Which clusters do the same is counted before there is code.
#include "base/buf.h"
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "gen_cluster_outlined.h"
#include "codegen/emit/debug.h"
#include "codegen/emit/gen_const.h"
#include "codegen/emit/gen_function.h"
#include "codegen/values/gen_destination.h"
#include "codegen/values/gen_value.h"
#include "gen_cluster_parallel.h"
#include "ir/core/place.h"

enum { MOST_PARAMS = 24 }; // a choice: a call stores all but six

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
// In the key stand numbers, each as its bytes, and how many come before a list of them.
static void put(Inputs *a, int64_t number) {
  buf_str(&a->key, (Str){(const char *)&number, sizeof number});
}

static void put_str(Inputs *a, Str text) {
  put(a, (int64_t)text.len);
  buf_str(&a->key, text);
}

static void put_ints(Inputs *a, const int64_t *items, size_t count) {
  put(a, (int64_t)count);
  for (size_t i = 0; i < count; i++) put(a, items[i]);
}

static void put_type(Inputs *a, const IrType *type) {
  put(a, type->dtype);
  put_ints(a, type->dims, (size_t)type->rank);
}

static void number(Inputs *a, const IrValue *value) {
  map_set(a->numbers, value, (void *)++a->value_count);
}

static bool add_input(Inputs *a, IrValue *value) {
  if (value->type->is_ref) return false;
  number(a, value);
  VEC_PUSH(a->arena, &a->inputs, value);
  put_type(a, value->type);
  return true;
}

static bool put_attr(Inputs *a, const IrAttr *attr) {
  put(a, attr->name);
  switch (attr_kind(attr->name)) {
  case KIND_BOOL:
  case KIND_WORD:
  case KIND_INT: put(a, attr->i); return true;
  case KIND_WORDS:
  case KIND_INTS: put_ints(a, attr->ints.items, attr->ints.count); return true;
  case KIND_NAME:
  case KIND_STR: put_str(a, attr->str); return true;
  default: return false;
  }
}

// A debugger shows the scalars of one function by one set of names.
static void put_variables(Inputs *a, const IrValue *value) {
  if (!a->g->options->debug_info || value->type->rank) return;
  for (const IrPlace *place = value->places; place; place = place->next)
    if (place->variable) put_str(a, name_str(place->variable));
}

static bool put_op(Inputs *a, const IrOp *op) {
  if (op->code == OP_CONST || op->code == OP_LOAD || op->code == OP_STORE) return false;
  for (size_t i = 0; i < op->operand_count; i++)
    if (!map_has(a->numbers, op->operands[i]) && !add_input(a, op->operands[i])) return false;
  put(a, op->code);
  for (size_t i = 0; i < op->operand_count; i++)
    put(a, (int64_t)(size_t)map_get(a->numbers, op->operands[i]));
  put(a, (int64_t)op->attr_count);
  for (size_t i = 0; i < op->attr_count; i++)
    if (!put_attr(a, &op->attrs[i])) return false;
  for (size_t i = 0; i < op->result_count; i++) {
    number(a, op->results[i]);
    put_type(a, op->results[i]->type);
    put_variables(a, op->results[i]);
  }
  return true;
}

// NULL if it does something that is not to be shared. Sets the inputs.
static Name shape_of(Inputs *a) {
  put(a, (int64_t)a->rows);
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

// The clusters of a function, counted.
typedef struct Counting {
  LlvmGen *g;
  Arena *arena;
} Counting;

static void count_cluster(IrOp *op, void *data) {
  Counting *c = data;
  const IrOp *outer = op->parent->parent;
  bool is_fused = op->code == OP_FUSE;
  if ((op->region_count && !is_fused) || (outer && outer->code == OP_FUSE)) return;
  ClusterOps ops = is_fused ? cluster_fused_ops(c->arena, op) : (ClusterOps){&op, 1};
  size_t rows = is_fused ? ir_attr_ints(op, ATTR_AXES).count : 0;
  Inputs a = inputs_of(c->g, c->arena, ops.items, ops.count, rows);
  Name shape = shape_of(&a);
  if (shape) map_set(c->g->twins, shape, (char *)map_get(c->g->twins, shape) + 1);
}

void cluster_count_twins(LlvmGen *g, IrFunc *func) {
  g->twins = map_new(g->arena);
  if (!g->shares.all) return;
  Counting counting = {g, arena_new_child(g->arena)};
  ir_walk(func->body, count_cluster, &counting);
  arena_free(counting.arena);
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
                                                   ir_attr_data(value->def, ATTR_DATA)->bytes)};
  return binding;
}

static void put_mem(Inputs *a, const Mem *mem) { put_str(a, str_from_c(mem_key(a->g, mem))); }

// Where the inputs are.
static bool put_bindings(Inputs *a) {
  put(a, a->g->frame->parallel);
  for (size_t i = 0; i < a->inputs.count; i++) {
    IrValue *value = a->inputs.items[i];
    Binding *binding = input_binding(a, value);
    if (!binding || binding->kind == BIND_REF || (is_splat(value) && !is_passed(a, value)))
      return false;
    VEC_PUSH(a->arena, &a->bindings, binding);
    put(a, binding->kind);
    if (binding->kind != BIND_SCALAR) put_mem(a, &binding->mem);
  }
  return true;
}

// ---- calls --------------------------------------------------------------------------------------
// Memory for the results that are arrays, where they will stay however the cluster is emitted.
static void take_results(Inputs *a, ClusterCode *c) {
  PlanResults results = plan_results(c->arena, a->ops, a->count);
  for (size_t i = 0; i < results.count; i++) {
    Result result = {.value = results.items[i]};
    put(a, (int64_t)(size_t)map_get(a->numbers, result.value));
    if (result.value->type->rank) {
      result.buffer = destination_take(a->g, result.value, &result.mem);
      cluster_place(c, result.value, &(KeptPlace){.mem = result.mem, .buffer = result.buffer});
      put_mem(a, &result.mem);
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
    if (mem.rank) cluster_place(&c, a->results.items[i].value, &(KeptPlace){.mem = mem});
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
    value_bind_result(g, result->value, &result->mem, result->buffer);
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
  if (!LLVMGetFirstUse(LLVMGetParam(known->function, 0))) args[0] = LLVMGetUndef(g->ptr);
  LLVMBuildCall2(g->builder, known->type, known->function, args, count, "");
  bind_results(&a);
  return true;
}
