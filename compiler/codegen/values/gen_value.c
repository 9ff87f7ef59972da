// SPDX-License-Identifier: Apache-2.0
// Where the values of the IR are: bindings to LLVM values and to memory.
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "gen_value.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_convert.h"

static Binding *new_binding(LlvmGen *g, const IrValue *value, BindKind kind) {
  Binding *binding = ARENA_NEW(g->arena, Binding);
  binding->kind = kind;
  map_set(g->bindings, value, binding);
  return binding;
}

void value_bind_scalar(LlvmGen *g, const IrValue *value, Value scalar) {
  new_binding(g, value, BIND_SCALAR)->scalar = scalar;
}

void value_bind_mem(LlvmGen *g, const IrValue *value, const Mem *mem, Buffer *buffer) {
  Binding *binding = new_binding(g, value, BIND_MEM);
  binding->mem = *mem;
  binding->buffer = buffer;
}

void value_bind_result(LlvmGen *g, const IrValue *value, const Mem *mem, Buffer *buffer) {
  if (value->type->rank) {
    value_bind_mem(g, value, mem, buffer);
    return;
  }
  value_bind_scalar(g, value, mem_load(g, mem, NULL));
  frame_give(g, buffer);
}

Binding *value_bind_ref(LlvmGen *g, const IrValue *value, const Mem *mem, Value *sizes,
                        Buffer *buffer) {
  Binding *binding = new_binding(g, value, BIND_REF);
  binding->mem = *mem;
  binding->sizes = sizes;
  binding->buffer = buffer;
  return binding;
}

Mem value_bind_new(LlvmGen *g, const IrValue *value) {
  Mem mem;
  const IrType *type = value->type;
  Buffer *buffer = frame_take_array(g, type->dtype, type->rank, type->dims, &mem);
  value_bind_mem(g, value, &mem, buffer);
  return mem;
}

void value_drop(LlvmGen *g, const IrValue *value) {
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
    binding->scalar = gen_const_element(g, type->dtype, data->bytes);
    return binding;
  }
  Value global = map_get(g->globals, data);
  size_t size = dtype_size(type->dtype);
  if (!global) {
    global = gen_global_data(g, data->bytes, (size_t)data->count * size, 64);
    map_set(g->globals, data, global);
  }
  Binding *binding = new_binding(g, value, BIND_MEM);
  binding->mem = mem_dense(global, type->dtype, type->rank, type->dims);
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

void value_bind_like(LlvmGen *g, const IrValue *value, const IrValue *other) {
  const Binding *binding = value_binding(g, other);
  *new_binding(g, value, BIND_MEM) = *binding;
  frame_keep(binding->buffer);
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
  return convert_dtype(g, value_scalar(g, value), value->type->dtype, DT_I64);
}
