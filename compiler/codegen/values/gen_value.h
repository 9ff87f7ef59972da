// SPDX-License-Identifier: Apache-2.0
// Where the values of the IR are: bindings to LLVM values and to memory.
#pragma once
#include "codegen/memory/gen_frame.h"
#include "ir/core/ir.h"

typedef enum BindKind { BIND_SCALAR, BIND_MEM, BIND_REF } BindKind;
typedef struct Binding {
  BindKind kind;
  Value scalar; // BIND_SCALAR: in the compute type
  Mem mem;
  Value *sizes;   // of a ref with dynamic sizes: an i64 for each dimension; else NULL
  Buffer *buffer; // that mem lies in, or NULL
  // A ref that strides cannot describe (a bitcast between widths, a reshape of a part): its
  // elements are reached one by one through the ref it was made from (gen_virtual.c). NULL for all
  // others.
  const struct VirtualRef *virtual_ref;
  // Of a view that may reach out of bounds, for masked accesses; else NULL.
  const struct LooseRef *loose;
} Binding;

// A view as its index names it: `mem` is where it would start, of dimension i only [low[i],
// high[i]) exists, and nothing if not `exists`.
typedef struct LooseRef {
  Mem mem;
  Value low[IR_MAX_RANK], high[IR_MAX_RANK];
  Value exists; // or NULL: it does
} LooseRef;

// A ref that is reached through another one.
typedef struct VirtualRef {
  OpCode code;
  const IrOp *op;
  const Binding *source;
  const IrType *type, *source_type;
  Value starts[IR_MAX_RANK]; // of a view
} VirtualRef;

const Binding *value_binding(LlvmGen *g, const IrValue *value);
Value value_scalar(LlvmGen *g, const IrValue *value); // of rank 0
Mem value_mem(LlvmGen *g,
              const IrValue *value); // an array's or ref's memory; a scalar is put into memory
Value value_index(LlvmGen *g, const IrValue *value); // an integer scalar, as i64
void value_bind_scalar(LlvmGen *g, const IrValue *value, Value scalar);
// Takes the caller's use of the buffer over.
void value_bind_mem(LlvmGen *g, const IrValue *value, const Mem *mem, Buffer *buffer);
// The value that was made in the memory; one of rank 0 is loaded, and the buffer given back.
void value_bind_result(LlvmGen *g, const IrValue *value, const Mem *mem, Buffer *buffer);
// The binding, for what else is known of the ref.
Binding *value_bind_ref(LlvmGen *g, const IrValue *value, const Mem *mem, Value *sizes,
                        Buffer *buffer);
void value_bind_like(LlvmGen *g, const IrValue *value, const IrValue *other); // to the same
// Fresh memory for a result of an op.
Mem value_bind_new(LlvmGen *g, const IrValue *value);
void value_drop(LlvmGen *g, const IrValue *value);
