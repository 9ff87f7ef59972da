// SPDX-License-Identifier: Apache-2.0
// Attributes of ops: their names, kinds and words; what an op has, and setting it.
#pragma once
#include "ir.h"
#include "ops.h"

const char *attr_name(AttrName name);
AttrKind attr_kind(AttrName name);
// Of an attribute of kind WORD: the word of a value, NULL if there is none; the value of a word.
const char *attr_word(AttrName name, int64_t value);
bool attr_from_word(AttrName name, Str word, int64_t *out);

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
