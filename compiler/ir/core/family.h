// SPDX-License-Identifier: Apache-2.0
// Families: functions of a module that are one C function, which takes sizes and picks one of them.
//
//   func @softmax.256(%x: hbm f32[256,1024], …) … sizes softmax(n = 256) {
//   func @softmax.512(%x: hbm f32[512,1024], …) … sizes softmax(n = 512) {
//
// The functions of a family stand one behind the other, one for each combination of sizes. Their
// parameters differ in nothing but shapes of one rank.
#pragma once
#include "ir.h"

// `sizes` are copied.
IrFamily *ir_family_new(IrModule *module, Name name, size_t count, const Name *sizes);
// Makes a function the specialisation of a family for these sizes, which are copied.
void ir_family_add(IrFunc *func, IrFamily *family, const int64_t *sizes);
// The first of a family, or a function of its own: those that C functions are made of.
bool ir_family_is_first(const IrFunc *func);
// The next function of the same family; NULL: there is none.
IrFunc *ir_family_next(const IrFunc *func);
size_t ir_family_count(const IrFunc *first); // of its functions; 1 without a family
// What the C function is called.
Name ir_family_name(const IrFunc *func);
// Whether a function of the module, or a family, has the name.
bool ir_name_is_taken(const IrModule *module, Name name);
// Whether the C functions of both could be one, but for shapes. If not, why: "one has 2 parameters,
// the other 3", in `arena`.
bool ir_family_agrees(Arena *arena, const IrFunc *a, const IrFunc *b, Str *why);
// The values that a size takes, ascending; in `arena`.
IrInts ir_family_values(Arena *arena, const IrFunc *first, size_t size);

// "n = 256, m = 8"
Str ir_sizes_text(Arena *arena, const IrFamily *family, const int64_t *sizes);
// What diagnostics about the function are given for.
DiagCase ir_func_case(const IrFunc *func);

// A dimension of a parameter over all functions: "1024", "n", "2*n", "n*m", or the sizes there are,
// "{3,7,9}".
Str ir_family_dim(Arena *arena, const IrFunc *first, uint32_t param, int dim);
// Its largest size, and whether it has that everywhere.
int64_t ir_family_max_dim(const IrFunc *first, uint32_t param, int dim, bool *is_fixed);
// "softmax(n: {256,512}, x: f32[n,1024]) -> f32[n,1024]"
Str ir_family_signature(Arena *arena, const IrFunc *first);
