// SPDX-License-Identifier: Apache-2.0
// Common subexpressions: a hash table of the pure ops that are visible, with a stack so that a
// region's end takes its own off again.
#include <string.h>

#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "simplify.h"

typedef struct Entry {
  IrOp *op;
  uint64_t hash;
  struct Entry *next; // in the bucket, newer ones first
} Entry;

struct Cse {
  Arena *arena;
  Entry **buckets; // a power of two
  size_t size;
  VEC(Entry *) stack;
};

struct Cse *simplify_cse_new(Simplifier *s) {
  struct Cse *table = ARENA_NEW(s->arena, struct Cse);
  table->arena = s->arena;
  table->size = 64;
  table->buckets = ARENA_ARRAY(s->arena, Entry *, table->size);
  return table;
}

size_t simplify_cse_mark(const struct Cse *table) { return table->stack.count; }

void simplify_cse_release(struct Cse *table, size_t mark) {
  while (table->stack.count > mark) {
    const Entry *entry = table->stack.items[--table->stack.count];
    table->buckets[entry->hash & (table->size - 1)] = entry->next;
  }
}

// ---- equality ----------------------------------------------------------------------------------
static bool same_data(const IrData *a, const IrData *b) {
  return a->dtype == b->dtype && a->count == b->count &&
         memcmp(a->bytes, b->bytes, (size_t)a->count * dtype_size(a->dtype)) == 0;
}

// The values that dims name are compared, not their positions.
static bool same_number(const IrOp *a, int a_operand, int64_t a_number, const IrOp *b,
                        int b_operand, int64_t b_number) {
  if ((a_operand < 0) != (b_operand < 0)) return false;
  return a_operand < 0 ? a_number == b_number : a->operands[a_operand] == b->operands[b_operand];
}

bool simplify_same_index(const IrOp *a, const IrOp *b) {
  const IrIndex *x = ir_attr_index(a), *y = ir_attr_index(b);
  if (x->rank != y->rank) return false;
  for (int i = 0; i < x->rank; i++) {
    const IndexDim *p = &x->dims[i], *q = &y->dims[i];
    if (p->kind != q->kind) return false;
    if (!same_number(a, p->start_operand, p->start, b, q->start_operand, q->start)) return false;
    if (p->kind != INDEX_SLICE) continue;
    if (!same_number(a, p->size_operand, 0, b, q->size_operand, 0)) return false;
    if (p->size != q->size || p->stride != q->stride) return false;
  }
  return true;
}

static bool same_attr(const IrOp *a, const IrOp *b, AttrName name) {
  const IrAttr *x = ir_attr_find(a, name), *y = ir_attr_find(b, name);
  switch (attr_kind(name)) {
  case KIND_BOOL:
  case KIND_WORD:
  case KIND_INT: return x->i == y->i;
  case KIND_WORDS:
  case KIND_INTS:
    return x->ints.count == y->ints.count &&
           memcmp(x->ints.items, y->ints.items, x->ints.count * sizeof *x->ints.items) == 0;
  case KIND_NAME:
  case KIND_STR: return str_equal(x->str, y->str);
  case KIND_DATA: return same_data(x->data, y->data);
  case KIND_INDEX: return simplify_same_index(a, b);
  default: return false;
  }
}

static bool is_same(const IrOp *a, const IrOp *b) {
  if (a->code != b->code || a->operand_count != b->operand_count ||
      a->result_count != b->result_count)
    return false;
  for (uint32_t i = 0; i < a->operand_count; i++)
    if (a->operands[i] != b->operands[i]) return false;
  for (uint32_t i = 0; i < a->result_count; i++)
    if (a->results[i]->type != b->results[i]->type) return false;
  const OpInfo *info = op_info(a->code);
  for (int i = 0; i < info->attr_count; i++)
    if (!same_attr(a, b, info->attrs[i])) return false;
  return true;
}

// ---- the table ---------------------------------------------------------------------------------
static uint64_t mix(uint64_t hash, uint64_t word) {
  return (hash ^ word) * 0x9E3779B97F4A7C15u + (hash >> 31);
}

// Attributes other than small numbers and the first bytes of data are left to is_same.
static uint64_t hash_op(const IrOp *op) {
  uint64_t hash = op->code;
  for (uint32_t i = 0; i < op->operand_count; i++) hash = mix(hash, (uintptr_t)op->operands[i]);
  for (uint32_t i = 0; i < op->result_count; i++) hash = mix(hash, (uintptr_t)op->results[i]->type);
  for (int i = 0; i < op->attr_count; i++) {
    const IrAttr *attr = &op->attrs[i];
    switch (attr_kind(attr->name)) {
    case KIND_INT:
    case KIND_WORD:
    case KIND_BOOL: hash += mix(attr->name, (uint64_t)attr->i); break;
    case KIND_WORDS:
    case KIND_INTS:
      for (size_t j = 0; j < attr->ints.count; j++)
        hash += mix(attr->name + 64 * j, (uint64_t)attr->ints.items[j]);
      break;
    case KIND_DATA: {
      const unsigned char *bytes = attr->data->bytes;
      size_t count = (size_t)attr->data->count * dtype_size(attr->data->dtype);
      for (size_t j = 0; j < count && j < 256; j++) hash = mix(hash, bytes[j]);
      break;
    }
    case KIND_INDEX:
      for (int j = 0; j < attr->index->rank; j++)
        hash = mix(hash, (uint64_t)attr->index->dims[j].start);
      break;
    default: break;
    }
  }
  return hash ^ hash >> 32;
}

// Older entries are put in first, so that the newest stays in front of its bucket.
static void grow(struct Cse *table) {
  table->size *= 2;
  table->buckets = ARENA_ARRAY(table->arena, Entry *, table->size);
  for (size_t i = 0; i < table->stack.count; i++) {
    Entry *entry = table->stack.items[i];
    Entry **bucket = &table->buckets[entry->hash & (table->size - 1)];
    entry->next = *bucket;
    *bucket = entry;
  }
}

IrOp *simplify_cse_find(Simplifier *s, IrOp *op) {
  struct Cse *table = s->cse;
  uint64_t hash = hash_op(op);
  for (Entry *entry = table->buckets[hash & (table->size - 1)]; entry; entry = entry->next)
    if (entry->hash == hash && is_same(entry->op, op)) return entry->op;
  if (table->stack.count >= table->size) grow(table);
  Entry *entry = ARENA_NEW(table->arena, Entry);
  Entry **bucket = &table->buckets[hash & (table->size - 1)];
  *entry = (Entry){.op = op, .hash = hash, .next = *bucket};
  *bucket = entry;
  VEC_PUSH(table->arena, &table->stack, entry);
  return NULL;
}
