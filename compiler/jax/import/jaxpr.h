// SPDX-License-Identifier: Apache-2.0
// A jaxpr as its text says it (docs/jaxpr.md): a tree in the session's arena. The parser makes it,
// jaxpr_eval.c gives it its meaning.
#pragma once
#include "base/dtype.h"
#include "base/session.h"

#define JAXPR_VERSION  1
#define JAXPR_MAX_RANK 16

typedef struct JaxprTree JaxprTree;
typedef struct JaxprValue JaxprValue;
typedef VEC(JaxprValue *) JaxprValues;
typedef VEC(int64_t) JaxprInts;

// Of an array, of a Ref (space is its memory) or of semaphores (sem is their kind).
typedef struct JaxprType {
  Name space;   // NULL: not a Ref
  Name element; // as it is written: f32, dma_sem, key<fry>
  DType dtype;  // DT_COUNT: element is no number
  bool weak;
  size_t rank;
  int64_t dims[JAXPR_MAX_RANK];
} JaxprType;

typedef struct JaxprField {
  Name name; // NULL: of an entry of a map, whose key is a value
  JaxprValue *key, *value;
  Span span;
} JaxprField;
typedef VEC(JaxprField) JaxprFields;

typedef enum JaxprKind {
  JAXPR_NONE,
  JAXPR_ELLIPSIS,
  JAXPR_BOOL,
  JAXPR_INT,
  JAXPR_FLOAT,
  JAXPR_STRING,
  JAXPR_TUPLE,
  JAXPR_LIST,
  JAXPR_MAP,
  JAXPR_RECORD, // Blocked(block_size = 8)
  JAXPR_SLICE,  // slice(start = 0, stop = 8, step = None)
  JAXPR_ENUM,   // DeviceIdType.MESH
  JAXPR_DTYPE,
  JAXPR_TYPE,
  JAXPR_LEAF, // #2: operand 2 of what the tree is of
  JAXPR_DATA, // an array
  JAXPR_TREE,
  JAXPR_OPAQUE, // something that has no text
} JaxprKind;

struct JaxprValue {
  JaxprKind kind;
  Span span;
  union {
    int64_t i; // also of a bool and of a leaf
    double f;
    Str text; // of strings, of what is opaque, the bytes of data
    Name name;
    JaxprTree *tree;
  };
  Name member; // of an enum
  JaxprValues items;
  JaxprFields fields;
  JaxprType type; // of types and data
};

// An operand: a variable, or a number with its type.
typedef struct JaxprAtom {
  bool is_literal;
  size_t slot;         // of the variable in the tree's environment
  JaxprValue *literal; // JAXPR_DATA
} JaxprAtom;
typedef VEC(JaxprAtom) JaxprAtoms;

typedef struct JaxprVar {
  int64_t number;
  JaxprType type;
  Name name;    // of a parameter, or NULL
  bool dropped; // nobody reads it
  size_t slot;
  Span span;
} JaxprVar;
typedef VEC(JaxprVar) JaxprVars;

typedef struct JaxprLoc JaxprLoc;
typedef struct JaxprEquation {
  Name primitive;
  JaxprVars outs;
  JaxprAtoms operands;
  JaxprFields params;
  const JaxprLoc *loc; // or NULL
  Span span;           // in the text
} JaxprEquation;

typedef struct JaxprConst {
  JaxprVar var;
  JaxprValue *data;
} JaxprConst;

struct JaxprTree {
  Name name; // of the function it was made of, or NULL
  VEC(JaxprConst) consts;
  JaxprVars params;
  VEC(JaxprEquation *) equations;
  JaxprAtoms results;
  size_t slots; // of the environment
  Span span;
};

// Where an equation comes from: in the program's own files if their lines are in the text.
struct JaxprLoc {
  Span span;
  Name function;
  const JaxprLoc *caller; // or NULL
};

// A result that takes the place of a parameter's array, which is then input and output.
typedef struct JaxprInPlace {
  size_t param, result;
} JaxprInPlace;

typedef struct JaxprEntry {
  Name name;
  VEC(Name) params; // names of the parameters
  VEC(JaxprInPlace) in_place;
  JaxprTree *tree;
  Span span;
} JaxprEntry;

typedef struct JaxprProgram {
  VEC(JaxprEntry *) entries;
  bool x64; // it has arrays of 64-bit elements: it was traced under jax_enable_x64
} JaxprProgram;

// NULL after diagnostics.
JaxprProgram *jaxpr_read(Session *session, SourceFile *file);
