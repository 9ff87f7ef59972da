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
#include "base/map.h"
#include "base/session.h"
#include "attr_words.h"
#include "ir_type.h"
#include "ops.h"

typedef struct IrValue IrValue;
typedef struct IrOp IrOp;
typedef struct IrRegion IrRegion;
typedef struct IrFunc IrFunc;

typedef struct IrInts {
  const int64_t *items;
  size_t count;
} IrInts;

static inline bool ir_ints_have(IrInts ints, int64_t item) {
  for (size_t i = 0; i < ints.count; i++)
    if (ints.items[i] == item) return true;
  return false;
}

// Elements of a constant. `count` is 1 (splat) or the type's count; dtype_size bytes each.
typedef struct IrData {
  DType dtype;
  int64_t count;
  const void *bytes;
} IrData;

// How one dimension of a ref is indexed. Numbers that vary are operands: `…_operand` is a position
// in the op's operands, which nothing else of the index names, or -1.
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
typedef struct IrMeshes {
  const IrMesh *items;
  size_t count;
} IrMeshes;
typedef struct IrStrs {
  const Str *items;
  size_t count;
} IrStrs;

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
// With the place of `op` in the source.
IrBuilder ir_builder_before(IrOp *op);
IrBuilder ir_builder_behind(const IrOp *op);
IrBuilder ir_builder_for(const IrOp *op, IrOp *before);

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
bool ir_op_is_unused(const IrOp *op); // whether none of its results has a use
void ir_op_remove(IrOp *op);          // unlinks; its results must have no uses left
void ir_op_move(IrOp *op, IrRegion *region, IrOp *before);
// Copies an op with its regions; `values` maps old to new values and is extended (operands absent
// from it stay).
IrOp *ir_op_clone(IrBuilder *b, const IrOp *op, Map *values);
// Gives the op the attributes of another one of its kind, instead of those that it has.
void ir_copy_attrs(IrModule *module, IrOp *copy, const IrOp *op);
