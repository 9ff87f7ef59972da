// SPDX-License-Identifier: Apache-2.0
// The kernel IR: SSA over arrays of static shape, refs to memory, nested regions. One IR from trace
// to codegen;
// docs/ir.md and ops.def say what each operation means. print(read(print(m))) == print(m) at every
// stage.
//
// Ownership: everything lives in the module's arena. Ops are in doubly linked lists in regions (one
// block a region).
// Threads: a module belongs to one thread at a time.
#pragma once
#include "base/dtype.h"
#include "base/session.h"
#include "ir/core/attr_words.h"

// ---- types -----------------------------------------------------------------------------------
typedef enum MemSpace {
  SPACE_HBM,
  SPACE_VMEM,
  SPACE_SMEM,
  SPACE_VMEM_SHARED,
  SPACE_SEM,
  SPACE_HOST,
  SPACE_CMEM,
  SPACE_COUNT
} MemSpace;
typedef enum SemKind { SEM_DMA, SEM_REGULAR, SEM_BARRIER } SemKind;
#define IR_MAX_RANK  16
#define IR_MAX_SIZES 16 // of a family

// Interned in the module: equal types are equal pointers.
typedef struct IrType {
  bool is_ref;
  MemSpace space; // of a ref
  SemKind sem;    // of a ref in SPACE_SEM, whose dtype is then unused (DT_I32)
  DType dtype;
  uint8_t rank;
  int64_t dims[IR_MAX_RANK];
} IrType;

const char *mem_space_name(MemSpace space); // "hbm"
int64_t ir_type_count(const IrType *type);  // number of elements; checked when the type is made
int64_t ir_type_bytes(const IrType *type);  // elements * dtype_size

// ---- operations ------------------------------------------------------------------------------
typedef enum OpCode {
#define OP(id, ...) OP_##id,
#include "ops.def"
#undef OP
  OP_COUNT
} OpCode;
typedef enum OpClass {
  CLASS_CONST,
  CLASS_UNARY,
  CLASS_BINARY,
  CLASS_COMPARE,
  CLASS_ELEMENTWISE,
  CLASS_SHAPE,
  CLASS_REDUCE,
  CLASS_CUMULATIVE,
  CLASS_HEAVY,
  CLASS_REF,
  CLASS_CONTROL,
  CLASS_EFFECTFUL
} OpClass;
// Bits of OpInfo.effects, as ops.def explains them. ir/analysis/effects.h asks them.
#define EFFECT_READS(operand)   (1u << (operand))
#define EFFECT_WRITES(operand)  (16u << (operand))
#define EFFECT_SIGNALS(operand) (256u << (operand))
typedef enum OpEffect {
  EFFECT_VIEWS = 1 << 12,
  EFFECT_ALLOCATES = 1 << 13,
  EFFECT_LATER = 1 << 14,
  EFFECT_WAITS = 1 << 15,
  EFFECT_COMMUNICATES = 1 << 16,
  EFFECT_ORDERED = 1 << 17,
  EFFECT_TERMINATOR = 1 << 18,
} OpEffect;
enum { EFFECT_MAX_OPERAND = 3 }; // whose memory an effect can be on
typedef enum AttrName {
#define ATTR(id, name, kind) ATTR_##id,
#include "attrs.def"
#undef ATTR
  ATTR_COUNT
} AttrName;
typedef enum AttrKind {
  KIND_INT,
  KIND_INTS,
  KIND_FLOAT,
  KIND_BOOL,
  KIND_WORD,
  KIND_WORDS,
  KIND_NAME,
  KIND_STR,
  KIND_STRS,
  KIND_DTYPE,
  KIND_DATA,
  KIND_TYPES,
  KIND_INDEX,
  KIND_BLOCKS,
  KIND_MESHES
} AttrKind;

#define OP_VARIADIC  (-1)
#define OP_MAX_ATTRS 11
typedef struct OpInfo {
  const char *name;
  int operands, results, regions; // or OP_VARIADIC
  OpClass op_class;
  unsigned effects; // EFFECT_… together
  AttrName attrs[OP_MAX_ATTRS];
  int attr_count;
  const char *meaning;
} OpInfo;
const OpInfo *op_info(OpCode code);
bool op_from_name(Str name, OpCode *out);
// What a reduction does to two elements; OP_COUNT of what is no such reduction.
OpCode op_of_reduction(OpCode code);
static inline bool op_is_elementwise(OpCode code) {
  OpClass c = op_info(code)->op_class;
  return c == CLASS_UNARY || c == CLASS_BINARY || c == CLASS_COMPARE || c == CLASS_ELEMENTWISE;
}

// Whether the op computes nothing: its result is another view of its operand.
static inline bool op_is_view(OpCode code) {
  return code == OP_BROADCAST || code == OP_RESHAPE || code == OP_TRANSPOSE || code == OP_SLICE ||
         code == OP_REV || code == OP_DYNAMIC_SLICE;
}

// Whether equal elements of every operand give equal elements of the result.
static inline bool op_keeps_splats(OpCode code) {
  return op_is_elementwise(code) || op_is_view(code);
}
// Which operand of an access, or of a view, is the ref.
static inline uint32_t op_ref_position(OpCode code) {
  return op_info(code)->effects & EFFECT_WRITES(1) ? 1 : 0;
}
const char *attr_name(AttrName name);
AttrKind attr_kind(AttrName name);
// Of an attribute of kind WORD: the word of a value, NULL if there is none; the value of a word.
const char *attr_word(AttrName name, int64_t value);
bool attr_from_word(AttrName name, Str word, int64_t *out);

typedef struct IrValue IrValue;
typedef struct IrOp IrOp;
typedef struct IrRegion IrRegion;
typedef struct IrFunc IrFunc;
typedef struct IrModule IrModule;

typedef struct IrInts {
  const int64_t *items;
  size_t count;
} IrInts;

// Elements of a constant. `count` is 1 (splat) or the type's count; dtype_size bytes each.
typedef struct IrData {
  DType dtype;
  int64_t count;
  const void *bytes;
} IrData;

// How one dimension of a ref is indexed. Numbers that vary are operands: `…_operand` is a position
// in the op's operands, or -1.
typedef enum IndexKind {
  INDEX_SCALAR, // start; the dimension goes away
  INDEX_SLICE,  // start : start + size * stride : stride
  INDEX_ARRAY,  // an integer array operand (start_operand); all arrays of one index have one shape,
                // as NumPy's advanced indexing
} IndexKind;
typedef struct IndexDim {
  IndexKind kind;
  int64_t start;
  int start_operand;
  int64_t size; // of a slice; the greatest size if size_operand >= 0
  int size_operand;
  int64_t stride;
} IndexDim;
// One entry for each dimension of the ref; an omitted index is the full slice.
typedef struct IrIndex {
  uint8_t rank;
  IndexDim dims[IR_MAX_RANK];
} IrIndex;

// The cores that a program of `cores` runs on.
// CORE_DEVICE: a device's own program.
typedef enum CoreKind {
  CORE_TENSOR,
  CORE_SCALAR,
  CORE_VECTOR,
  CORE_DEVICE,
  CORE_KIND_COUNT
} CoreKind;
#define IR_MESH_AXES 4
typedef struct IrMesh {
  CoreKind kind;
  uint8_t rank;
  Str names[IR_MESH_AXES];
  int64_t sizes[IR_MESH_AXES];
} IrMesh;
const char *core_kind_name(CoreKind kind); // "tensor"
typedef struct IrMeshes {
  const IrMesh *items;
  size_t count;
} IrMeshes;
typedef struct IrStrs {
  const Str *items;
  size_t count;
} IrStrs;
int64_t ir_mesh_size(const IrMesh *mesh); // how many cores it has; 1 without axes
bool ir_runs_devices(const IrOp *op);     // OP_CORES of a mesh of devices
// The program of cores or devices, a region of OP_CORES, that a region is in, itself maybe; NULL:
// it is in none.
const IrRegion *ir_program_around(const IrRegion *region);
const IrMesh *ir_program_mesh(const IrRegion *program); // whose cores run it

// A block spec of a launch: how the refs of the body follow the grid.
// The index map yields a number for each dimension, then the size of each bounded one.
typedef enum BlockDimKind {
  BLOCK_BLOCKED,
  BLOCK_SQUEEZED,
  BLOCK_ELEMENT,
  BLOCK_BOUNDED
} BlockDimKind;
typedef struct BlockDim {
  BlockDimKind kind;
  int64_t size;           // of the block; 1 for squeezed
  int64_t pad_lo, pad_hi; // of Element
} BlockDim;
typedef enum BlockDir { BLOCK_IN, BLOCK_OUT, BLOCK_IN_OUT } BlockDir;
// What memory of a launch holds until it is written, as JAX's interpreters promise it: NaN in
// floating point but for ZERO, in integers the least (interpret=True; 0 in int16) or the largest
// (InterpretParams), False or True in bools.
typedef enum Preset { PRESET_NONE, PRESET_LEAST, PRESET_MOST, PRESET_ZERO } Preset;
enum { PRESET_COUNT = PRESET_ZERO + 1 };
typedef enum BlockMode {
  BLOCK_COPIED,   // through a buffer in the block's space, as on the chip
  BLOCK_IN_PLACE, // the body works on the array itself (the forward pass proved that nobody sees
                  // a difference)
  BLOCK_WHOLE,    // no window: the body gets the array's own ref (ANY, HBM, or whole array in SMEM)
} BlockMode;
typedef struct IrBlock {
  BlockDir dir;
  BlockMode mode;
  MemSpace space; // of the body's ref
  uint8_t rank;   // of the array
  BlockDim dims[IR_MAX_RANK];
  int buffers; // slots: 2 unless pl.Buffered says otherwise
  bool lookahead, revisit_any;
  // An output whose other elements keep what they held: a pipeline's, inside a kernel.
  bool partly;
  Span span; // of the block spec
  Name name; // of the kernel's parameter, for reports
} IrBlock;

typedef struct IrAttr {
  AttrName name;
  union {
    int64_t i; // INT, BOOL, WORD
    double f;
    IrInts ints; // INTS, WORDS
    IrMeshes meshes;
    Str str; // NAME, STR
    IrStrs strs;
    DType dtype;
    const IrData *data;
    struct {
      const IrType **items;
      size_t count;
    } types;
    const IrIndex *index;
    struct {
      IrBlock *items;
      size_t count;
    } blocks;
  };
} IrAttr;

// The calls an op was traced through, innermost first; shared between ops.
typedef struct IrFrames {
  Name function;
  Span call;
  const struct IrFrames *caller;
} IrFrames;

typedef struct IrUse {
  IrOp *op;
  uint32_t operand;
} IrUse;

struct IrValue {
  const IrType *type;
  IrOp *def;                    // NULL for a region's argument
  IrRegion *region;             // of an argument; else NULL (the op's)
  uint32_t index;               // among the op's results or the region's arguments
  uint32_t use_count;           // kept by ir_set_operand and ir_add/remove
  Name name;                    // a hint for the printer, or NULL
  const struct IrPlace *places; // for debuggers (place.h)
};

struct IrOp {
  OpCode code;
  uint16_t attr_count, region_count;
  uint32_t operand_count, result_count;
  IrValue **operands;
  IrValue **results;
  IrAttr *attrs;
  IrRegion **regions;
  Span span;
  const IrFrames *frames;
  IrRegion *parent;
  IrOp *prev, *next;
  void *scratch; // for the pass that is running
};

struct IrRegion {
  IrOp *parent; // NULL for a function's body
  IrFunc *func;
  IrValue **args;
  uint32_t arg_count;
  IrOp *first, *last;
};

typedef enum ParamRole { PARAM_IN, PARAM_OUT, PARAM_IN_OUT } ParamRole;
typedef struct IrParam {
  ParamRole role;
  Name name;
  Str label;    // for C: where the value stands in a pytree, such as "params['w']"; else the name
  Str sharding; // for C: how the array lies on the devices, in words; else empty. Not in the IR's
                // text
} IrParam;

// A C function that takes sizes (family.h).
typedef struct IrFamily {
  Name name;
  size_t count; // of its sizes
  Name *sizes;  // what they are called
} IrFamily;

struct IrFunc {
  IrModule *module;
  Name name;
  IrFamily *family;     // that it is a specialisation of, or NULL
  const int64_t *sizes; // that it is for, one for each of the family's
  IrParam *params;      // one for each of body->args, all refs in hbm
  uint32_t param_count;
  IrRegion *body;
  Span span;
  // "add(x: f32[512,512], y: f32[512,512]) -> f32[512,512]", for headers and descriptors.
  Str signature;
  IrFunc *next;
};

// What the program asks to have reported (jax_debug_nans, jax_debug_infs,
// InterpretParams(detect_races=True)).
enum { WATCH_NAN = 1, WATCH_INF = 2, WATCH_RACES = 4 };
struct IrModule {
  Session *session;
  Arena *arena;
  IrFunc *first, *last;
  struct TypeTable *types;
  Name tpu; // the chip: "v5p"
  int devices;
  bool keeps_places; // of the program, for debuggers (place.h)
  unsigned watch;    // WATCH_…, or of them
};

// ---- ir.c: building and changing ---------------------------------------------------------------
IrModule *ir_module_new(Session *session);
void ir_module_free(IrModule *module); // frees the module's arena
// NULL if the number of bytes does not fit an int64 or the rank is too large.
const IrType *ir_array_type(IrModule *module, DType dtype, size_t rank, const int64_t *dims);
const IrType *ir_ref_type(IrModule *module, MemSpace space, DType dtype, size_t rank,
                          const int64_t *dims);
const IrType *ir_sem_type(IrModule *module, SemKind kind, size_t rank, const int64_t *dims);
const IrType *ir_type_with_dtype(IrModule *module, const IrType *type, DType dtype);
const IrType *ir_type_with_dims(IrModule *module, const IrType *type, size_t rank,
                                const int64_t *dims);

IrFunc *ir_func_new(IrModule *module, Name name, Span span);
IrValue *ir_func_add_param(IrFunc *func, const IrType *type, ParamRole role, Name name);
IrFunc *ir_func_find(const IrModule *module, Name name);
void ir_func_remove(IrFunc *func);

// Where new ops go: at the end of `region`, or before `before` if that is not NULL.
typedef struct IrBuilder {
  IrModule *module;
  IrRegion *region;
  IrOp *before;
  Span span; // given to new ops, with frames
  const IrFrames *frames;
} IrBuilder;

IrRegion *ir_region_new(IrModule *module, IrOp *parent, IrFunc *func);
IrValue *ir_region_add_arg(IrRegion *region, const IrType *type, Name name);
// Makes and inserts an op with its results; attributes and regions are added to it afterwards.
IrOp *ir_build(IrBuilder *b, OpCode code, size_t operand_count, IrValue *const *operands,
               size_t result_count, const IrType *const *result_types);
IrRegion *ir_add_region(IrModule *module, IrOp *op);
IrValue *ir_add_result(IrModule *module, IrOp *op, const IrType *type);
void ir_add_operand(IrModule *module, IrOp *op, IrValue *value);
void ir_set_operand(IrOp *op, size_t position, IrValue *value);
// In `within` and all regions inside.
void ir_replace_uses(IrRegion *within, IrValue *old, IrValue *with);
void ir_op_remove(IrOp *op); // unlinks; its results must have no uses left
void ir_op_move(IrOp *op, IrRegion *region, IrOp *before);
// Copies an op with its regions; `values` maps old to new values and is extended (operands absent
// from it stay).
IrOp *ir_op_clone(IrBuilder *b, const IrOp *op, Map *values);

// Attributes. Getters BUG() if the op has none of that name; ir_attr_find gives NULL.
const IrAttr *ir_attr_find(const IrOp *op, AttrName name);
int64_t ir_attr_int(const IrOp *op, AttrName name);
IrInts ir_attr_ints(const IrOp *op, AttrName name); // of INTS and WORDS
IrMeshes ir_attr_meshes(const IrOp *op);            // of OP_CORES, one a region
Str ir_attr_str(const IrOp *op, AttrName name);
IrStrs ir_attr_strs(const IrOp *op, AttrName name);
const IrData *ir_attr_data(const IrOp *op, AttrName name);
const IrIndex *ir_attr_index(const IrOp *op);
void ir_set_int(IrModule *module, IrOp *op, AttrName name, int64_t value);
// Copied.
void ir_set_ints(IrModule *module, IrOp *op, AttrName name, size_t count, const int64_t *items);
// Copied.
void ir_set_str(IrModule *module, IrOp *op, AttrName name, Str value);
// Copied.
void ir_set_data(IrModule *module, IrOp *op, AttrName name, DType dtype, int64_t count,
                 const void *bytes);
void ir_set_types(IrModule *module, IrOp *op, AttrName name, size_t count,
                  const IrType *const *types);
void ir_set_strs(IrModule *module, IrOp *op, AttrName name, size_t count, const Str *items);
void ir_set_meshes(IrModule *module, IrOp *op, size_t count, const IrMesh *meshes);
void ir_set_index(IrModule *module, IrOp *op, const IrIndex *index);
void ir_set_blocks(IrModule *module, IrOp *op, size_t count, const IrBlock *blocks);

// ---- build.c: ops with their result types worked out. Shapes must already agree (BUG otherwise).
// ----
// Count 1: splat.
IrValue *ir_const(IrBuilder *b, const IrType *type, const void *element_bytes, int64_t count);
IrValue *ir_const_f64(IrBuilder *b, const IrType *type, double value); // splat, rounded to the type
IrValue *ir_const_i64(IrBuilder *b, const IrType *type, int64_t value);
IrValue *ir_i32(IrBuilder *b, int32_t value); // scalar
IrValue *ir_unary(IrBuilder *b, OpCode code, IrValue *x);
IrValue *ir_binary(IrBuilder *b, OpCode code, IrValue *x, IrValue *y); // BINARY and COMPARE
IrValue *ir_select(IrBuilder *b, IrValue *pred, IrValue *x, IrValue *y);
IrValue *ir_convert(IrBuilder *b, IrValue *x, DType dtype); // x itself if it is of that type
IrValue *ir_bitcast(IrBuilder *b, IrValue *x, DType dtype); // of any widths
IrValue *ir_iota(IrBuilder *b, const IrType *type, int dim);
IrValue *ir_broadcast(IrBuilder *b, IrValue *x, const IrType *type, const int64_t *dims);
// NumPy's rule; x itself if equal.
IrValue *ir_broadcast_to(IrBuilder *b, IrValue *x, size_t rank, const int64_t *dims);
IrValue *ir_reshape(IrBuilder *b, IrValue *x, size_t rank, const int64_t *dims);
IrValue *ir_transpose(IrBuilder *b, IrValue *x, const int64_t *perm);
IrValue *ir_slice(IrBuilder *b, IrValue *x, const int64_t *starts, const int64_t *limits,
                  const int64_t *strides);
IrValue *ir_pad(IrBuilder *b, IrValue *x, IrValue *value, const int64_t *low, const int64_t *high,
                const int64_t *interior);
IrValue *ir_concat(IrBuilder *b, size_t count, IrValue *const *xs, int dim);
IrValue *ir_rev(IrBuilder *b, IrValue *x, size_t count, const int64_t *dims);
IrValue *ir_dynamic_slice(IrBuilder *b, IrValue *x, IrValue *const *starts, const int64_t *sizes);
IrValue *ir_dynamic_update_slice(IrBuilder *b, IrValue *x, IrValue *update, IrValue *const *starts);
// Argmax/argmin give i32.
IrValue *ir_reduce(IrBuilder *b, OpCode code, IrValue *x, size_t count, const int64_t *axes);
IrValue *ir_cumulative(IrBuilder *b, OpCode code, IrValue *x, int dim, bool reverse);
// What a scatter does with an element and its update; OP_COUNT: it takes the update.
OpCode ir_combine_op(ScatterCombine how);
// What a product's sums are kept in.
DType ir_dot_summed_in(const IrOp *dot);
// Terms of each of a dot's sums, which are then added up; INT64_MAX: there is one sum.
enum { DOT_SUM_BLOCK = 512 };
int64_t ir_dot_sum_block(const IrOp *dot);
IrValue *ir_dot(IrBuilder *b, IrValue *x, IrValue *y, IrInts lhs_contract, IrInts rhs_contract,
                IrInts lhs_batch, IrInts rhs_batch, DType result, DotPrecision precision);
IrValue *ir_alloc(IrBuilder *b, const IrType *ref_type, Str name);
void ir_index_full(const IrType *ref_type, IrIndex *out); // every element
// Operand positions in `index` are those of `extra` plus base, base being 1 for load and view, 2
// for store: pass index dims whose …_operand fields count from 0 into `extra`; these functions
// shift them.
IrValue *ir_load(IrBuilder *b, IrValue *ref, const IrIndex *index, size_t extra_count,
                 IrValue *const *extra, IrValue *mask, IrValue *other);
IrOp *ir_store(IrBuilder *b, IrValue *value, IrValue *ref, const IrIndex *index, size_t extra_count,
               IrValue *const *extra, IrValue *mask);
IrValue *ir_view(IrBuilder *b, IrValue *ref, const IrIndex *index, size_t extra_count,
                 IrValue *const *extra);
IrValue *ir_load_all(IrBuilder *b, IrValue *ref);
void ir_store_all(IrBuilder *b, IrValue *value, IrValue *ref);
// The type that indexing a ref (or array) of this type gives; advanced-index dimensions as NumPy
// places them. NULL if it does not fit.
const IrType *ir_index_result(IrModule *module, const IrType *type, const IrIndex *index,
                              const IrValue *const *operands);
void ir_yield(IrBuilder *b, size_t count, IrValue *const *values);
// Region made, with its args.
IrOp *ir_for(IrBuilder *b, IrValue *lower, IrValue *upper, IrValue *step, size_t carry_count,
             IrValue *const *carries);
IrOp *ir_if(IrBuilder *b, IrValue *pred, size_t result_count,
            const IrType *const *result_types); // both regions made, empty
// The body region of a launch and index map i.
IrRegion *ir_launch_body(const IrOp *launch);
IrRegion *ir_launch_index_map(const IrOp *launch, size_t block);
// What a value is a broadcast of, however often; else itself.
const IrValue *ir_broadcast_source(const IrValue *value);
// The elements of a constant, one for all or each; NULL if the value is none.
const IrData *ir_const_data(const IrValue *value);
// The one element of a constant that is stored as one for all, broadcast or not; else NULL.
const IrData *ir_const_splat(const IrValue *value);
// The scalar constant a value is, if it is one.
bool ir_const_int(const IrValue *value, int64_t *out);
bool ir_const_float(const IrValue *value, double *out);

// ---- print.c, read.c, verify.c ------------------------------------------------------------------
// Deterministic text; `spans`: a comment `; file:line:column` behind each op that has a span.
void ir_print(const IrModule *module, bool spans, Buf *out);
void ir_print_op(const IrOp *op, Buf *out); // one op, for messages
// A region that is being recorded; values from outside of it print as %?.
void ir_print_region(const IrModule *module, const IrRegion *region, Buf *out);
// IrValue * -> Name: what the values are called in the text, without the %.
Map *ir_value_names(const IrFunc *func, Arena *arena);
// NULL after diagnostics. Spans in comments are not read back.
IrModule *ir_read(Session *session, SourceFile *file);
// Checks arities, types, attributes, dominance and region rules of every op. False, with a
// description of the first violation in *what (which may be NULL), if the module is not
// well-formed.
bool ir_verify(const IrModule *module, Str *what);
// The fold of one op on constant data, used by simplify and by the tests as the meaning of the
// elementwise, shape, reduce ops (evaluate.c): an array of one for each result; NULL if the op is
// not one of those or too large.
const IrData *ir_evaluate(Arena *arena, const IrOp *op, const IrData *const *operands);

// The region that the region's op is in; NULL: it is the outermost one, or not in an op yet.
static inline IrRegion *ir_region_outer(const IrRegion *region) {
  return region->parent ? region->parent->parent : NULL;
}
static inline IrRegion *ir_value_region(const IrValue *value) {
  return value->def ? value->def->parent : value->region;
}
bool ir_region_is_in(const IrRegion *region, const IrRegion *outer); // or is it
// The op itself, or the op around it, that stands in the region; NULL: none does.
IrOp *ir_op_in(const IrOp *op, const IrRegion *region);
// The ref behind views, reshapes and bitcasts: of an alloc, a part, a parameter, an argument.
IrValue *ir_ref_root(const IrValue *ref);
// Calls visit(op, data) for every op of a region and the regions inside, in order; visit may remove
// the op it is given.
void ir_walk(IrRegion *region, void (*visit)(IrOp *, void *), void *data);
// The same for the functions of a module, one after the other.
void ir_walk_module(IrModule *module, void (*visit)(IrOp *, void *), void *data);
void ir_walk_const(const IrRegion *region, void (*visit)(const IrOp *, void *), void *data);
