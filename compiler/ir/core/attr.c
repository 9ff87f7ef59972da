// SPDX-License-Identifier: Apache-2.0
// Attributes of ops. Setting one again replaces it; what it points to is copied and not changed
// afterwards.
#include "attr.h"

#include <string.h>

typedef struct AttrInfo {
  const char *name;
  AttrKind kind;
} AttrInfo;

static const AttrInfo *attr_info(AttrName name) {
  static const AttrInfo infos[ATTR_COUNT] = {
#define ATTR(id, name, kind) [ATTR_##id] = {name, KIND_##kind},
#include "attrs.def"
#undef ATTR
  };
  if ((unsigned)name >= ATTR_COUNT) BUG("no attribute %d", (int)name);
  return &infos[name];
}

const char *attr_name(AttrName name) { return attr_info(name)->name; }

AttrKind attr_kind(AttrName name) { return attr_info(name)->kind; }

// ---- words --------------------------------------------------------------------------------------
// Of an attribute, each at its value.
typedef struct Words {
  const char *const *items;
  size_t count;
} Words;

static Words words_of(AttrName name) {
  static const char *const mode_words[] = {
#define MODE_WORD(id, word) [WINDOW_##id] = word,
#include "attr_words.def"
  };
  static const char *const precision_words[] = {
#define PRECISION_WORD(id, word) [PRECISION_##id] = word,
#include "attr_words.def"
  };
  static const char *const combine_words[] = {
#define COMBINE_WORD(id, word) [COMBINE_##id] = word,
#include "attr_words.def"
  };
  static const char *const stage_words[] = {
#define STAGE_WORD(id, word) [TURN_##id] = word,
#include "attr_words.def"
  };
  static const char *const move_words[] = {
#define MOVE_WORD(id, word) [MOVE_##id] = word,
#include "attr_words.def"
  };
  static const char *const finding_words[] = {
#define FINDING_WORD(id, word, kind, everywhere) [FINDING_##id] = word,
#include "attr_words.def"
  };
  static const char *const semantics_words[] = {
#define SEMANTICS_WORD(id, word) [SEMANTICS_##id] = word,
#include "attr_words.def"
  };
  static const char *const target_words[] = {
#define TARGET_WORD(id, word) [id] = word,
#include "attr_words.def"
  };
  switch (name) {
  case ATTR_MODE: return (Words){mode_words, COUNT_OF(mode_words)};
  case ATTR_PRECISION: return (Words){precision_words, COUNT_OF(precision_words)};
  case ATTR_COMBINE: return (Words){combine_words, COUNT_OF(combine_words)};
  case ATTR_STAGE: return (Words){stage_words, COUNT_OF(stage_words)};
  case ATTR_MOVE: return (Words){move_words, COUNT_OF(move_words)};
  case ATTR_FINDING: return (Words){finding_words, COUNT_OF(finding_words)};
  case ATTR_SEMANTICS: return (Words){semantics_words, COUNT_OF(semantics_words)};
  case ATTR_TARGET: return (Words){target_words, COUNT_OF(target_words)};
  default: BUG("'%s' is not one of some words", attr_name(name));
  }
}

const char *attr_word(AttrName name, int64_t value) {
  Words words = words_of(name);
  return value >= 0 && (uint64_t)value < words.count ? words.items[value] : NULL;
}

bool attr_from_word(AttrName name, Str word, int64_t *out) {
  Words words = words_of(name);
  for (size_t i = 0; i < words.count; i++) {
    if (!str_equal(word, str_from_c(words.items[i]))) continue;
    *out = (int64_t)i;
    return true;
  }
  return false;
}

// ---- attributes of an op ------------------------------------------------------------------------

const IrAttr *ir_attr_find(const IrOp *op, AttrName name) {
  for (int i = 0; i < op->attr_count; i++)
    if (op->attrs[i].name == name) return &op->attrs[i];
  return NULL;
}

static const IrAttr *get(const IrOp *op, AttrName name) {
  const IrAttr *attr = ir_attr_find(op, name);
  if (!attr) BUG("'%s' has no attribute '%s'", op_info(op->code)->name, attr_name(name));
  return attr;
}

static IrAttr *put(IrModule *module, IrOp *op, AttrName name) {
  for (int i = 0; i < op->attr_count; i++)
    if (op->attrs[i].name == name) return &op->attrs[i];
  const OpInfo *info = op_info(op->code);
  bool known = false;
  for (int i = 0; i < info->attr_count; i++) known |= info->attrs[i] == name;
  if (!known) BUG("'%s' does not take the attribute '%s'", info->name, attr_name(name));
  if (!op->attrs) op->attrs = ARENA_ARRAY(module->arena, IrAttr, info->attr_count);
  IrAttr *attr = &op->attrs[op->attr_count++];
  attr->name = name;
  return attr;
}

int64_t ir_attr_int(const IrOp *op, AttrName name) { return get(op, name)->i; }

IrInts ir_attr_ints(const IrOp *op, AttrName name) { return get(op, name)->ints; }

Str ir_attr_str(const IrOp *op, AttrName name) { return get(op, name)->str; }

IrStrs ir_attr_strs(const IrOp *op, AttrName name) { return get(op, name)->strs; }

IrMeshes ir_attr_meshes(const IrOp *op) { return get(op, ATTR_MESHES)->meshes; }

const IrData *ir_attr_data(const IrOp *op, AttrName name) { return get(op, name)->data; }

const IrIndex *ir_attr_index(const IrOp *op) { return get(op, ATTR_INDEX)->index; }

void ir_set_int(IrModule *module, IrOp *op, AttrName name, int64_t value) {
  put(module, op, name)->i = value;
}

void ir_set_ints(IrModule *module, IrOp *op, AttrName name, size_t count, const int64_t *items) {
  const int64_t *copy = arena_dup(module->arena, items, count * sizeof *items);
  put(module, op, name)->ints = (IrInts){copy, count};
}

void ir_set_str(IrModule *module, IrOp *op, AttrName name, Str value) {
  put(module, op, name)->str = str_copy(module->arena, value);
}

void ir_set_strs(IrModule *module, IrOp *op, AttrName name, size_t count, const Str *items) {
  Str *copy = ARENA_ARRAY(module->arena, Str, count);
  for (size_t i = 0; i < count; i++) copy[i] = str_copy(module->arena, items[i]);
  put(module, op, name)->strs = (IrStrs){copy, count};
}

void ir_set_data(IrModule *module, IrOp *op, AttrName name, DType dtype, int64_t count,
                 const void *bytes) {
  size_t size = dtype_size(dtype);
  char *copy = arena_dup(module->arena, bytes, (size_t)count * size);
  // One byte pattern for each value.
  if (dtype == DT_BOOL || (dtype_bits(dtype) < 8 && !dtype_is_float(dtype)))
    for (int64_t i = 0; i < count; i++)
      dtype_store_i64(dtype, copy + i, dtype_load_i64(dtype, copy + i));
  IrData *data = ARENA_NEW(module->arena, IrData);
  *data = (IrData){.dtype = dtype, .count = count, .bytes = copy};
  put(module, op, name)->data = data;
}

void ir_set_types(IrModule *module, IrOp *op, AttrName name, size_t count,
                  const IrType *const *types) {
  IrAttr *attr = put(module, op, name);
  attr->types.items = arena_dup(module->arena, types, count * sizeof *types);
  attr->types.count = count;
}

void ir_set_meshes(IrModule *module, IrOp *op, size_t count, const IrMesh *meshes) {
  IrMesh *copy = arena_dup(module->arena, meshes, count * sizeof *meshes);
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < copy[i].rank; k++)
      copy[i].names[k] = str_copy(module->arena, copy[i].names[k]);
  put(module, op, ATTR_MESHES)->meshes = (IrMeshes){copy, count};
}

void ir_set_index(IrModule *module, IrOp *op, const IrIndex *index) {
  put(module, op, ATTR_INDEX)->index = arena_dup(module->arena, index, sizeof *index);
}

void ir_set_blocks(IrModule *module, IrOp *op, size_t count, const IrBlock *blocks) {
  IrAttr *attr = put(module, op, ATTR_BLOCKS);
  attr->blocks.items = arena_dup(module->arena, blocks, count * sizeof *blocks);
  attr->blocks.count = count;
}
