// SPDX-License-Identifier: Apache-2.0
// What the files of the code generator share: the state of one module's generation (LlvmGen, passed
// first), how values of the IR are bound to LLVM values, and the helpers that emit. Each gen_*.c
// emits what its name says.
//
// How an array lives. A scalar (rank 0) is an LLVM value. Any other array is memory (Mem): a
// pointer and a stride for each dimension, in elements; often somebody else's memory, so that
// loads, slices, transposes and broadcasts cost nothing. Elementwise chains never become memory: a
// cluster (gen_plan.c) evaluates them inside the loops of what consumes them.
//
// In registers an element has its compute type: bool is i1, int4 is i4, integers are themselves,
// f32 and all narrower floats are float (after each operation rounded to what the narrower type can
// represent).
#pragma once
#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include "codegen.h"
#include "codegen/module/target.h"

typedef LLVMValueRef Value;
typedef LLVMTypeRef Type;

// SUM_LANES: partial sums of a float sum along the last dimension (gen_reduce.c).
enum { MAX_LANES = 64, SUM_LANES = 64 };

// ---- memory of arrays ---------------------------------------------------------------------------
// Memory that the function's frame owns; given back when its last user is done.
typedef struct Buffer {
  size_t offset, size;
  unsigned users;
} Buffer;

typedef struct Mem {
  Value base;     // of element 0, 0, …
  unsigned align; // what base is known to be a multiple of, in bytes
  DType dtype;
  uint8_t rank;
  int64_t dims[IR_MAX_RANK], strides[IR_MAX_RANK]; // strides in elements
} Mem;

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

// ---- one LLVM function under construction -------------------------------------------------------
typedef struct FreeRange {
  size_t offset, size;
  struct FreeRange *next;
} FreeRange;

typedef struct Frame {
  Value function;
  Value worker;            // its prt_worker
  LLVMBasicBlockRef entry; // ends with a branch to the code, made when the frame is closed
  LLVMBasicBlockRef code, leave;
  Value base;            // placeholder of the frame's memory until it is closed
  size_t size;           // bytes, so far
  FreeRange *free;       // by offset
  LLVMMetadataRef scope; // debug info
  bool parallel;         // the body of a parallel loop
  // Of a coroutine (gen_task.c); `worker` is then NULL, since it changes.
  Value task, handle;
  Value semaphores; // placeholder of the memory of its semaphores, which are in front of all other
  int64_t semaphore_bytes;
  LLVMBasicBlockRef cleanup, suspend;
  struct TaskBuffers *task_buffers;
  struct Frame *outer;
} Frame;

// A grid step that has been entered (gen_check.c).
typedef struct Step {
  Value record; // prt_step
  struct Step *outer;
} Step;

typedef struct LlvmGen {
  Session *session;
  Arena *arena; // of this generation
  const CodegenOptions *options;
  const Target *target;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  Type void_type, i1, i4, i8, i16, i32, i64, f32, f64, ptr;
  IrFunc *func;  // being generated
  Map *bindings; // IrValue * -> Binding *
  Map *homes;    // values, concatenations -> Home * (gen_home.c)
  Map *kinds;    // Name -> Kind *: clusters that there have been (gen_alike.c)
  Map *globals;  // IrData *, Name *: constants already emitted
  Frame *frame;
  struct DebugInfo *debug;
  struct Region *region; // gen_region.c
  Step *step;            // under check
  Value prng_state;      // address of the function's generator, or NULL
  const char *suffix;    // of all symbols, "" in an object
  unsigned counter;      // for names of constants and functions
  bool many_products, many_polynomials,
      many_reductions; // so many that each is a call of a function, which those that are alike
                       // share
  bool many_ops;       // the source was unrolled: loops are not
  bool has_tasks;      // there are coroutines, which LLVM has to split
  bool failed;
} LlvmGen;

// ---- gen_type.c: types, constants, small things -------------------------------------------------
Type gen_compute_type(LlvmGen *g, DType dtype, unsigned lanes); // lanes 1: scalar
Type gen_storage_type(LlvmGen *g, DType dtype,
                      unsigned lanes);        // integers of the element's size; float for f32
unsigned gen_compute_bits(DType dtype);       // 1 for bool, 32 for all floats
bool gen_is_float_type(Type type);            // float, or a vector of it
unsigned gen_lanes(Value value);              // 1 for a scalar
Type gen_type_like(Type element, Value like); // element, in as many lanes as `like` has
Value gen_i64(LlvmGen *g, int64_t value);
Value gen_i32(LlvmGen *g, int64_t value);
// A constant of like's integer type, in all lanes.
Value gen_int_like(LlvmGen *g, Value like, int64_t value);
Value gen_const_int(Type type, int64_t value); // the same, of a type
Value gen_const_f32(LlvmGen *g, unsigned lanes, double value);
// A float constant in as many lanes as `like`.
Value gen_float_like(LlvmGen *g, Value like, double value);
Value gen_splat(LlvmGen *g, Value scalar, unsigned lanes);
// In the compute type.
Value gen_const_element(LlvmGen *g, DType dtype, const void *element, unsigned lanes);
// Address of element `index` (i64).
Value gen_offset(LlvmGen *g, Value base, DType dtype, Value index);
Value gen_offset_const(LlvmGen *g, Value base, DType dtype, int64_t index);
Value gen_address(LlvmGen *g, Value base, int64_t bytes);
Value gen_add(LlvmGen *g, Value a, Value b); // i64s; folds constants and NULL (zero)
Value gen_mul_const(LlvmGen *g, Value a, int64_t factor);
Value gen_bitcast(LlvmGen *g, Value value, Type type);
// Intrinsics by their names, overloaded on `type` (NULL: none).
Value gen_intrinsic(LlvmGen *g, const char *name, Type type, unsigned count, Value *args);
Value gen_intrinsic1(LlvmGen *g, const char *name, Value x);
Value gen_intrinsic2(LlvmGen *g, const char *name, Value x, Value y);
Value gen_call_runtime(LlvmGen *g, const char *name, Type result, unsigned count, Value *args);
// Address of a NUL-terminated constant.
Value gen_string(LlvmGen *g, Str text);
// Address of constant bytes.
Value gen_global_data(LlvmGen *g, const void *bytes, size_t size, unsigned align);
Value gen_i64_array(LlvmGen *g, size_t count, const int64_t *items);
Value gen_private_constant(LlvmGen *g, Value initializer, const char *name);
void gen_set_align(Value access, unsigned align);
void gen_prefetch(LlvmGen *g, Value address, bool to_write); // into all levels
LLVMBasicBlockRef gen_block(LlvmGen *g, const char *name);   // appended to the current function
void gen_move_to(LlvmGen *g, LLVMBasicBlockRef block);
LLVMBasicBlockRef gen_here(LlvmGen *g);

// ---- gen_loop.c ---------------------------------------------------------------------------------
// for (index = lower; index < upper; index += step) with values carried around. The trip count must
// not be zero, unless `guarded`.
typedef struct Loop {
  LLVMBasicBlockRef before, body, after;
  Value index, upper;
  Value *carried; // phis, in the body; after loop_end: the final values
  unsigned carry_count;
  Value guard_skipped; // not NULL: the loop is guarded
  int64_t step;
} Loop;
void loop_begin(LlvmGen *g, Loop *loop, Value lower, Value upper, int64_t step,
                unsigned carry_count, Value const *initial, bool guarded);
void loop_end(LlvmGen *g, Loop *loop, Value const *next);
// Static counts; a count of 1 makes no loop.
void loop_begin_count(LlvmGen *g, Loop *loop, int64_t count, int64_t step, unsigned carry_count,
                      Value const *initial);
// Code in `then` is emitted between these two.
typedef struct Branch {
  LLVMBasicBlockRef then_block, else_block, after;
} Branch;
void branch_begin(LlvmGen *g, Branch *branch, Value condition, bool likely);
void branch_else(LlvmGen *g, Branch *branch);
void branch_end(LlvmGen *g, Branch *branch);

// ---- gen_frame.c --------------------------------------------------------------------------------
void frame_open(LlvmGen *g, Frame *frame, Value function, Value worker);
void frame_close(LlvmGen *g);   // the builder stands at the end of the code
Value frame_worker(LlvmGen *g); // the prt_worker of the thread that runs the code
Buffer *frame_take(LlvmGen *g, size_t bytes);
void frame_keep(Buffer *buffer); // one more user; NULL is ignored
void frame_give(LlvmGen *g, Buffer *buffer);
Value frame_address(LlvmGen *g, const Buffer *buffer);
// Dense, in the buffer.
Mem frame_mem(LlvmGen *g, Buffer *buffer, DType dtype, size_t rank, const int64_t *dims);
Buffer *frame_take_array(LlvmGen *g, DType dtype, size_t rank, const int64_t *dims, Mem *mem);

// ---- gen_home.c: memory that a value will be copied to ------------------------------------------
typedef struct Home Home;
// What makes `value`, an op of the region, is to put it there: all of a buffer that somebody else
// has a use of.
void home_set(LlvmGen *g, const IrValue *value, const IrRegion *region, const Mem *mem,
              Buffer *buffer);
void home_clear(LlvmGen *g, const IrValue *value);
// Its operands, before the ops that make them are emitted.
void home_set_parts(LlvmGen *g, const IrOp *concat);
// Memory for a result: its home, or fresh.
Buffer *home_take(LlvmGen *g, const IrValue *value, Mem *mem);
// What some operands are in already; NULL if none is.
Buffer *home_take_whole(LlvmGen *g, const IrOp *concat, Mem *mem);
// Whether an operand is in its part of that.
bool home_holds(LlvmGen *g, const IrValue *value, const Buffer *buffer);

// ---- gen_mem.c: memory of arrays ----------------------------------------------------------------
const char *mem_key(LlvmGen *g, const Mem *mem); // equal for memory that differs in its base alone
Mem mem_dense(Value base, unsigned align, DType dtype, size_t rank, const int64_t *dims);
bool mem_is_dense(const Mem *mem);
int64_t mem_count(const Mem *mem);
// False if strides cannot say it.
bool mem_reshape(const Mem *mem, size_t rank, const int64_t *dims, Mem *out);
Mem mem_slice(LlvmGen *g, const Mem *mem, const int64_t *starts, const int64_t *sizes,
              const int64_t *strides);
void mem_copy(LlvmGen *g, const Mem *to, const Mem *from); // same dims; must not overlap
void mem_fill(LlvmGen *g, const Mem *to, Value element);   // element in the compute type
// One element, in the compute type; `index`: an i64 for each dimension.
Value mem_address(LlvmGen *g, const Mem *mem, Value const *index);
Value mem_load(LlvmGen *g, const Mem *mem, Value const *index);
void mem_store(LlvmGen *g, const Mem *mem, Value const *index, Value element);
// Vectors of `lanes` consecutive elements from an address; the first `active` of them if that is
// fewer.
Value mem_load_vector(LlvmGen *g, Value address, DType dtype, unsigned align, unsigned lanes,
                      unsigned active);
Value gen_masked_load(LlvmGen *g, Value address, Type type, unsigned align, Value mask,
                      Value other);
void gen_masked_store(LlvmGen *g, Value value, Value address, unsigned align, Value mask);
void mem_store_vector(LlvmGen *g, Value value, Value address, DType dtype, unsigned align,
                      unsigned active);
// A loop over all coordinates: body gets an i64 for each dimension.
typedef void (*EachElement)(LlvmGen *g, Value const *index, void *data);
void mem_each(LlvmGen *g, size_t rank, const int64_t *dims, EachElement body, void *data);
void mem_each_dynamic(LlvmGen *g, size_t rank, Value const *sizes, EachElement body, void *data);

// ---- gen_convert.c: element types ---------------------------------------------------------------
Value convert_from_storage(LlvmGen *g, DType dtype, Value stored);
Value convert_to_storage(LlvmGen *g, DType dtype, Value value);
// A float that was computed in f32, rounded to what `dtype` can represent.
Value convert_round(LlvmGen *g, DType dtype, Value value);
Value convert_dtype(LlvmGen *g, Value value, DType from, DType to);
// Between the bits of an element and its value: integers of dtype_bits.
Value convert_to_bits(LlvmGen *g, DType dtype, Value value);
Value convert_from_bits(LlvmGen *g, DType dtype, Value bits);
Value convert_reduce_precision(LlvmGen *g, DType dtype, Value value, int exponent_bits,
                               int mantissa_bits);

// ---- gen_elem.c, gen_int.c, gen_math.c: elementwise operations ----------------------------------
// The op on one vector (or scalar) of elements: operands and result in their compute types, all
// with the same lanes.
Value elem_op(LlvmGen *g, const IrOp *op, Value const *operands);
Value elem_binary(LlvmGen *g, OpCode code, DType dtype, Value x, Value y);
Value elem_unary(LlvmGen *g, OpCode code, DType dtype, Value x);
Value elem_compare(LlvmGen *g, OpCode code, DType dtype, Value x, Value y); // i1s
Value elem_max(LlvmGen *g, DType dtype, Value x, Value y, bool least);      // NaN wins
void elem_threefry(LlvmGen *g, Value const key_counter[4], Value out[2]);
int elem_cost(const IrOp *op); // of one element, in additions
Value int_unary(LlvmGen *g, OpCode code, DType dtype, Value x);
Value int_binary(LlvmGen *g, OpCode code, DType dtype, Value x, Value y);
Value math_unary(LlvmGen *g, OpCode code, Value x); // f32
bool math_is_polynomial(OpCode code); // one long chain of dependent operations, in f32 and inline
Value math_binary(LlvmGen *g, OpCode code, Value x, Value y);

// ---- gen_region.c: ops in order, values and their lives -----------------------------------------
// Without its terminator's meaning; bindings of its args are made by the caller.
void region_emit(LlvmGen *g, IrRegion *region);
void region_drop_yielded(LlvmGen *g, const IrRegion *region); // after the yield has been dealt with
bool region_load_can_alias(LlvmGen *g,
                           const IrOp *load); // whether the value may be the ref's own memory
const Binding *value_binding(LlvmGen *g, const IrValue *value);
Value value_scalar(LlvmGen *g, const IrValue *value); // of rank 0
Mem value_mem(LlvmGen *g,
              const IrValue *value); // an array's or ref's memory; a scalar is put into memory
Value value_index(LlvmGen *g, const IrValue *value); // an integer scalar, as i64
void value_bind_scalar(LlvmGen *g, IrValue *value, Value scalar);
// Takes the caller's use of the buffer over.
void value_bind_mem(LlvmGen *g, IrValue *value, const Mem *mem, Buffer *buffer);
void value_bind_ref(LlvmGen *g, IrValue *value, const Mem *mem, Value *sizes, Buffer *buffer);
// Fresh memory for a result of an op.
Mem value_bind_new(LlvmGen *g, IrValue *value);
void value_drop(LlvmGen *g, IrValue *value);
// The buffer of a dense value that nothing needs after `op`, which may write its result there; NULL
// if there is none.
Buffer *value_take_over(LlvmGen *g, const IrValue *value, const IrOp *op, Mem *mem);

// ---- gen_plan.c, gen_walk.c: clusters of ops as loop nests --------------------------------------
// Emits the ops as walks; results that are used outside get bindings. `rows`: how many leading
// dimensions all have in common.
void cluster_emit(LlvmGen *g, IrOp *const *ops, size_t count, size_t rows);
bool cluster_takes(const IrOp *op); // whether the op can be in a cluster

// ---- the other families -------------------------------------------------------------------------
void gen_control(LlvmGen *g, IrOp *op);
void gen_ref_op(LlvmGen *g, IrOp *op);
// A shape op as a view of its operand's memory; false if it must move elements.
bool gen_shape_view(LlvmGen *g, IrOp *op);
void gen_shape_move(LlvmGen *g, IrOp *op);
// Concat, pad, dynamic_update_slice: into memory that no operand lies in.
void gen_shape_move_to(LlvmGen *g, const IrOp *op, const Mem *to);
Mem gen_store_target(LlvmGen *g, const IrOp *store); // of a store with a plain index
void gen_cumulative(LlvmGen *g, IrOp *op);
void gen_arg_extreme(LlvmGen *g, IrOp *op);
void gen_dot(LlvmGen *g, IrOp *op);
void gen_sort(LlvmGen *g, IrOp *op);
void gen_gather(LlvmGen *g, IrOp *op);
void gen_scatter(LlvmGen *g, IrOp *op);
void gen_prng(LlvmGen *g, IrOp *op);
void gen_prng_open(LlvmGen *g, const IrFunc *func);
void gen_message_op(LlvmGen *g, IrOp *op);  // debug_print, check
Value gen_site(LlvmGen *g, const IrOp *op); // address of its prt_site

// ---- gen_module.c, debug.c ----------------------------------------------------------------------
Value gen_new_function(LlvmGen *g, const char *name, Type type,
                       bool for_target); // internal if for the target
// A function that pieces of code which are alike share (gen_common.c).
enum { COMMON_PARAMS = 32 };
typedef struct Common {
  Value function;
  Type signature;
  Frame frame;
  LLVMBasicBlockRef here;
  LLVMMetadataRef location;
} Common;
// Finds the function of that name, or makes it: true then, and what is emitted until common_end is
// its body.
bool common_begin(LlvmGen *g, Common *c, const char *name, Type result, unsigned count,
                  Value const *args);
void common_end(LlvmGen *g, Common *c, Value result); // NULL: none
Value common_call(LlvmGen *g, const Common *c, unsigned count, Value *args);
int gen_dtype_number(DType dtype);                    // prt_dtype
void gen_check_adopt(LlvmGen *g, const IrFunc *func); // gen_check.c: outputs, when checks are on
void sanitize_threads(LlvmGen *g); // gen_sanitize.c: the whole module, when all else is done
void debug_open(LlvmGen *g);
void debug_function(LlvmGen *g, Value function, const char *name, Span span); // the frame's scope
void debug_at(LlvmGen *g, const IrOp *op); // NULL: nowhere in particular
void debug_close(LlvmGen *g);
