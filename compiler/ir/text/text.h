// SPDX-License-Identifier: Apache-2.0
// What the printer and the reader of the IR's text share. Private to compiler/ir.
#pragma once
#include "base/buf.h"
#include "ir/core/ir.h"

// Bytes of names after % and @ and of bare words. Others are quoted or, in hints, replaced.
static inline bool text_is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}
static inline bool text_is_word_byte(char c) {
  return text_is_word_start(c) || (c >= '0' && c <= '9') || c == '.';
}
bool text_is_word(Str s);

// The dtype's value in the shortest spelling that text_element reads back to the same bytes.
void text_print_element(Buf *out, DType dtype, const void *element);
// The element that `text` writes: a decimal number, true, false, inf, nan, or for floats 0x and all
// bits. False if it is not a value of the dtype.
bool text_element(Arena *arena, DType dtype, Str text, void *element);

// Meshes, such as "tensor core:2; vector core:4 subcore:16"; their names lie in `text`. False if
// that is malformed.
bool text_meshes(Arena *arena, Str text, IrMeshes *out);
Str text_of_meshes(Arena *arena, IrMeshes meshes);

const char *text_sem_kind(SemKind kind);
void text_print_type(Buf *out, const IrType *type);

// Attributes that are left out of the text when they have this value: empty lists and texts, false,
// and these numbers.
bool text_default_int(AttrName name, int64_t *value);
// The attribute's text stands in the op's own syntax instead of behind its name.
bool text_attr_is_inline(OpCode code, AttrName name);
