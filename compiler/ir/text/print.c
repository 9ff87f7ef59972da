// SPDX-License-Identifier: Apache-2.0
// The IR as text that read.c reads back:
//   func @add(%x: hbm f32[512,512], out %out: hbm f32[512,512]) {
//     launch "add_kernel" grid [4] {parallel} {
//       block %xb: vmem f32[128,512] of %x at (%i, 0) buffers 2
//       block %ob: vmem f32[128,512] to %out at (%i, 0) buffers 2
//     } body (%i, %xb, %ob) {
//       %0 = load %xb[:, :] : f32[128,512]
//       store %0, %ob[:, :]
//     }
//   }
// A yield of nothing at a region's end is left out. IR that is not well-formed is printed as well
// as it goes, without its own syntax, since messages about it show it.
#include "base/buf.h"
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/index.h"
#include "ir/core/constant.h"
#include "print.h"
#include "text.h"

typedef struct Printer {
  const IrModule *module;
  Buf *out;
  Arena *arena;
  Interner *interner;
  Map *names;    // value -> Name of its text, without %
  Map *counters; // Name -> last suffix tried; names that are taken are in it
  uint32_t next_number;
  int indent;
  bool spans;
  bool brief; // one op: no regions, no long constants
} Printer;

// ---- names -------------------------------------------------------------------------------------
// A hint becomes a word that is no other value's.
static Name unique_name(Printer *p, Name hint) {
  Buf text;
  buf_init(&text, p->arena);
  if (!text_is_word_start(hint->text[0])) buf_char(&text, '_');
  for (uint32_t i = 0; i < hint->len; i++)
    buf_char(&text, text_is_word_byte(hint->text[i]) ? hint->text[i] : '_');
  Name base = name_intern(p->interner, buf_view(&text)), name = base;
  uintptr_t count = (uintptr_t)map_get(p->counters, base);
  while (map_has(p->counters, name)) {
    Str next = str_format(p->arena, "%s_%zu", base->text, (size_t)++count);
    name = name_intern(p->interner, next);
  }
  map_set(p->counters, base, (void *)count);
  if (name != base) map_set(p->counters, name, NULL);
  return name;
}

static void name_value(Printer *p, const IrValue *value) {
  Name name = value->name && value->name->len
                  ? unique_name(p, value->name)
                  : name_intern(p->interner, str_format(p->arena, "%u", p->next_number++));
  map_set(p->names, value, name);
}

static const char *value_text(Printer *p, const IrValue *value) {
  Name name = map_get(p->names, value);
  return name ? name->text : "?";
}

static void put_value(Printer *p, const IrValue *value) {
  buf_printf(p->out, "%%%s", value_text(p, value));
}

static void put_values(Printer *p, size_t count, IrValue *const *values) {
  for (size_t i = 0; i < count; i++) {
    if (i) buf_c(p->out, ", ");
    put_value(p, values[i]);
  }
}

static void put_typed(Printer *p, const IrValue *value) {
  put_value(p, value);
  buf_c(p->out, ": ");
  text_print_type(p->out, value->type);
}

static void put_string(Printer *p, Str s) {
  buf_char(p->out, '"');
  for (size_t i = 0; i < s.len; i++) {
    unsigned char c = (unsigned char)s.data[i];
    if (c == '"' || c == '\\')
      buf_printf(p->out, "\\%c", c);
    else if (c == '\n')
      buf_c(p->out, "\\n");
    else if (c == '\t')
      buf_c(p->out, "\\t");
    else if (c < 0x20 || c == 0x7f)
      buf_printf(p->out, "\\x%02x", c);
    else
      buf_char(p->out, (char)c);
  }
  buf_char(p->out, '"');
}

static void put_name_or_string(Printer *p, Str s) {
  if (text_is_word(s))
    buf_str(p->out, s);
  else
    put_string(p, s);
}

static void start_line(Printer *p) { buf_pad(p->out, ' ', (size_t)p->indent * 2); }

static void end_line(Printer *p, Span span) {
  const SourceFile *file = p->spans ? source_get(p->module->session, span.file) : NULL;
  if (file) {
    LineCol at = source_line_col(file, span.begin);
    buf_printf(p->out, "  ; %.*s:%u:%u", STR_FMT(file->path), at.line, at.column);
  }
  buf_char(p->out, '\n');
}

// ---- attributes --------------------------------------------------------------------------------
static void put_ints(Printer *p, IrInts ints) {
  buf_char(p->out, '[');
  for (size_t i = 0; i < ints.count; i++)
    buf_printf(p->out, "%s%lld", i ? ", " : "", (long long)ints.items[i]);
  buf_char(p->out, ']');
}

static void put_data(Printer *p, const IrData *data) {
  size_t size = dtype_size(data->dtype);
  int64_t shown = p->brief && data->count > 16 ? 16 : data->count;
  if (data->count != 1) buf_char(p->out, '{');
  for (int64_t i = 0; i < shown; i++) {
    if (i) buf_c(p->out, ", ");
    text_print_element(p->out, data->dtype, (const char *)data->bytes + (size_t)i * size);
  }
  if (shown < data->count) buf_c(p->out, ", …");
  if (data->count != 1) buf_char(p->out, '}');
}

// " name value", nothing if the value is the one that the reader supplies.
static void put_attr(Printer *p, const IrAttr *attr) {
  int64_t usual;
  const char *name = attr_name(attr->name);
  switch (attr_kind(attr->name)) {
  case KIND_BOOL:
    if (attr->i) buf_printf(p->out, " %s", name);
    return;
  case KIND_INT:
    if (!text_default_int(attr->name, &usual) || usual != attr->i)
      buf_printf(p->out, " %s %lld", name, (long long)attr->i);
    return;
  case KIND_INTS:
    if (!attr->ints.count) return;
    buf_printf(p->out, " %s ", name);
    put_ints(p, attr->ints);
    return;
  case KIND_WORD: {
    Str word = str_from_c(attr_word(attr->name, attr->i));
    if (word.len) buf_printf(p->out, " %s %.*s", name, STR_FMT(word));
    return;
  }
  case KIND_NAME:
  case KIND_STR:
    if (!attr->str.len) return;
    buf_printf(p->out, " %s ", name);
    if (attr_kind(attr->name) == KIND_NAME)
      put_name_or_string(p, attr->str);
    else
      put_string(p, attr->str);
    return;
  case KIND_STRS:
    for (size_t i = 0; i < attr->strs.count; i++) {
      if (i == 0) buf_printf(p->out, " %s", name);
      buf_c(p->out, i ? ", " : " [");
      put_string(p, attr->strs.items[i]);
    }
    if (attr->strs.count) buf_char(p->out, ']');
    return;
  case KIND_MESHES:
    buf_printf(p->out, " %s ", name);
    put_string(p, text_of_meshes(p->arena, attr->meshes));
    return;
  case KIND_DATA:
    buf_printf(p->out, " %s ", name);
    put_data(p, attr->data);
    return;
  default: buf_printf(p->out, " %s …", name);
  }
}

// In the order of the table, whatever the order in which they were set.
static void put_attrs(Printer *p, const IrOp *op) {
  const OpInfo *info = op_info(op->code);
  for (int i = 0; i < info->attr_count; i++) {
    const IrAttr *attr = ir_attr_find(op, info->attrs[i]);
    if (attr && !text_attr_is_inline(op->code, attr->name)) put_attr(p, attr);
  }
}

static void put_result_types(Printer *p, const IrOp *op) {
  if (!op->result_count) return;
  buf_c(p->out, " : ");
  if (op->result_count > 1) buf_char(p->out, '(');
  for (uint32_t i = 0; i < op->result_count; i++) {
    if (i) buf_c(p->out, ", ");
    text_print_type(p->out, op->results[i]->type);
  }
  if (op->result_count > 1) buf_char(p->out, ')');
}

// ---- regions -----------------------------------------------------------------------------------
static void print_op(Printer *p, const IrOp *op);

// "{", the ops, and "}" without a newline. The arguments have their names already.
static void put_region(Printer *p, const IrRegion *region, Span span) {
  if (p->brief) {
    buf_c(p->out, "{ … }");
    return;
  }
  buf_char(p->out, '{');
  end_line(p, span);
  p->indent++;
  for (const IrOp *op = region->first; op; op = op->next) {
    if (op->code == OP_YIELD && !op->operand_count && !op->next) break;
    print_op(p, op);
  }
  p->indent--;
  start_line(p);
  buf_char(p->out, '}');
}

static void name_args(Printer *p, const IrRegion *region) {
  if (p->brief) return;
  for (uint32_t i = 0; i < region->arg_count; i++) name_value(p, region->args[i]);
}

static bool is_trivial(const IrRegion *region) {
  return region->first && region->first == region->last && region->first->code == OP_YIELD &&
         !region->first->operand_count && !region->arg_count;
}

// (%a = %x : f32[8], %b = %y : f32) for the region's arguments from `first` on
static void put_carries(Printer *p, const IrRegion *region, uint32_t first,
                        IrValue *const *initial) {
  buf_char(p->out, '(');
  for (uint32_t i = first; i < region->arg_count; i++) {
    if (i > first) buf_c(p->out, ", ");
    put_value(p, region->args[i]);
    buf_c(p->out, " = ");
    put_value(p, initial[i - first]);
    buf_c(p->out, " : ");
    text_print_type(p->out, region->args[i]->type);
  }
  buf_char(p->out, ')');
}

// ---- ops with a syntax of their own ------------------------------------------------------------
static void put_index_number(Printer *p, const IrOp *op, int operand, int64_t number) {
  if (operand < 0)
    buf_printf(p->out, "%lld", (long long)number);
  else if ((uint32_t)operand < op->operand_count)
    put_value(p, op->operands[operand]);
  else
    buf_c(p->out, "%?");
}

// [3, %i, 0 : 128, %i : 8 : 2, %i : %n max 8, :]
static void put_index(Printer *p, const IrOp *op, const IrType *ref, const IrIndex *index) {
  buf_char(p->out, '[');
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *dim = &index->dims[i];
    if (i) buf_c(p->out, ", ");
    bool whole = dim->kind == INDEX_SLICE && dim->start_operand < 0 && dim->size_operand < 0 &&
                 dim->start == 0 && i < ref->rank && dim->size == ref->dims[i] && dim->stride == 1;
    if (whole) {
      buf_char(p->out, ':');
      continue;
    }
    put_index_number(p, op, dim->start_operand, dim->start);
    if (dim->kind != INDEX_SLICE) continue;
    buf_c(p->out, " : ");
    put_index_number(p, op, dim->size_operand, dim->size);
    if (dim->size_operand >= 0) buf_printf(p->out, " max %lld", (long long)dim->size);
    if (dim->stride != 1) buf_printf(p->out, " : %lld", (long long)dim->stride);
  }
  buf_char(p->out, ']');
}

// load %x[:, 0] mask %m other %o   store %v, %x[:] mask %m   view %x[%i, :]
static bool print_access(Printer *p, const IrOp *op) {
  const IrAttr *index = ir_attr_find(op, ATTR_INDEX), *masked = ir_attr_find(op, ATTR_MASKED);
  const IrAttr *origin = ir_attr_find(op, ATTR_ORIGIN);
  uint32_t ref = op_ref_position(op->code);
  uint32_t masks = !masked || !masked->i ? 0 : op->code == OP_LOAD ? 2 : 1;
  if (!index || op->operand_count < ref + 1 + masks) return false;
  buf_char(p->out, ' ');
  if (ref) {
    put_value(p, op->operands[0]);
    buf_c(p->out, ", ");
  }
  put_value(p, op->operands[ref]);
  put_index(p, op, op->operands[ref]->type, index->index);
  if (masks)
    buf_printf(p->out, " mask %%%s", value_text(p, op->operands[op->operand_count - masks]));
  if (masks == 2)
    buf_printf(p->out, " other %%%s", value_text(p, op->operands[op->operand_count - 1]));
  if (origin) buf_printf(p->out, " origin %lld", (long long)origin->i);
  put_result_types(p, op);
  return true;
}

static bool print_const(Printer *p, const IrOp *op) {
  const IrAttr *data = ir_attr_find(op, ATTR_DATA);
  if (!data || op->operand_count) return false;
  buf_char(p->out, ' ');
  put_data(p, data->data);
  put_result_types(p, op);
  return true;
}

static bool print_alloc(Printer *p, const IrOp *op) {
  const IrAttr *name = ir_attr_find(op, ATTR_NAME);
  if (!name || op->operand_count) return false;
  if (name->str.len) {
    buf_char(p->out, ' ');
    put_string(p, name->str);
  }
  put_attrs(p, op);
  put_result_types(p, op);
  return true;
}

// for %i = %lo to %hi step %st carry (%a = %x : f32[8]) parallel unroll 4 { … }
static bool print_for(Printer *p, const IrOp *op) {
  if (op->operand_count < 3 || op->region_count != 1) return false;
  const IrRegion *body = op->regions[0];
  if (body->arg_count != op->operand_count - 2) return false;
  name_args(p, body);
  buf_c(p->out, " ");
  put_value(p, body->args[0]);
  buf_printf(p->out, " = %%%s to %%%s step %%%s", value_text(p, op->operands[0]),
             value_text(p, op->operands[1]), value_text(p, op->operands[2]));
  if (body->arg_count > 1) {
    buf_c(p->out, " carry ");
    put_carries(p, body, 1, op->operands + 3);
  }
  put_attrs(p, op);
  buf_char(p->out, ' ');
  put_region(p, body, op->span);
  return true;
}

// while (%a = %x : f32[8]) { … yield %p } do (%b) { … yield %c }
static bool print_while(Printer *p, const IrOp *op) {
  if (op->region_count != 2) return false;
  const IrRegion *test = op->regions[0], *body = op->regions[1];
  if (test->arg_count != op->operand_count || body->arg_count != op->operand_count) return false;
  name_args(p, test);
  buf_char(p->out, ' ');
  put_carries(p, test, 0, op->operands);
  buf_char(p->out, ' ');
  put_region(p, test, op->span);
  name_args(p, body);
  buf_c(p->out, " do (");
  put_values(p, body->arg_count, body->args);
  buf_c(p->out, ") ");
  put_region(p, body, (Span){0});
  return true;
}

static bool no_args(const IrOp *op) {
  for (int i = 0; i < op->region_count; i++)
    if (op->regions[i]->arg_count) return false;
  return true;
}

// if %p : f32[8] { … } else { … }
static bool print_if(Printer *p, const IrOp *op) {
  if (op->operand_count != 1 || op->region_count != 2 || !no_args(op)) return false;
  buf_printf(p->out, " %%%s", value_text(p, op->operands[0]));
  put_result_types(p, op);
  buf_char(p->out, ' ');
  put_region(p, op->regions[0], op->span);
  if (is_trivial(op->regions[1])) return true;
  buf_c(p->out, " else ");
  put_region(p, op->regions[1], (Span){0});
  return true;
}

// switch %i : f32[8] case { … } case { … }
static bool print_switch(Printer *p, const IrOp *op) {
  if (op->operand_count != 1 || !op->region_count || !no_args(op)) return false;
  buf_printf(p->out, " %%%s", value_text(p, op->operands[0]));
  put_result_types(p, op);
  for (int i = 0; i < op->region_count; i++) {
    buf_c(p->out, " case ");
    put_region(p, op->regions[i], i ? (Span){0} : op->span);
  }
  return true;
}

// cores "k" meshes "tensor core:2; vector core:4 subcore:16" (%c) { … } and (%a, %b) { … }
static bool print_cores(Printer *p, const IrOp *op) {
  const IrAttr *name = ir_attr_find(op, ATTR_NAME);
  if (!name || !op->region_count) return false;
  buf_char(p->out, ' ');
  put_string(p, name->str);
  put_attrs(p, op);
  for (int i = 0; i < op->region_count && !p->brief; i++) {
    buf_c(p->out, i ? " and (" : " (");
    name_args(p, op->regions[i]);
    put_values(p, op->regions[i]->arg_count, op->regions[i]->args);
    buf_c(p->out, ") ");
    put_region(p, op->regions[i], i ? (Span){0} : op->span);
  }
  return true;
}

static bool print_fuse(Printer *p, const IrOp *op) {
  if (op->operand_count || op->region_count != 1 || !no_args(op)) return false;
  put_attrs(p, op);
  put_result_types(p, op);
  buf_char(p->out, ' ');
  put_region(p, op->regions[0], op->span);
  return true;
}

// ---- launches ----------------------------------------------------------------------------------
// The operands of a launch: dynamic grid sizes, prefetch refs, one array for each block.
typedef struct Launch {
  const IrOp *op;
  IrInts grid;
  uint32_t dynamic, prefetch, block_count, scratch_count;
  const IrBlock *blocks;
  const IrRegion *body;
} Launch;

static bool launch_parts(const IrOp *op, Launch *l) {
  const IrAttr *grid = ir_attr_find(op, ATTR_GRID), *blocks = ir_attr_find(op, ATTR_BLOCKS);
  const IrAttr *prefetch = ir_attr_find(op, ATTR_PREFETCH), *name = ir_attr_find(op, ATTR_NAME);
  const IrAttr *scratch = ir_attr_find(op, ATTR_SCRATCH),
               *semantics = ir_attr_find(op, ATTR_SEMANTICS);
  if (!grid || !blocks || !prefetch || !name || !scratch || !semantics) return false;
  *l = (Launch){.op = op, .grid = grid->ints, .prefetch = (uint32_t)prefetch->i};
  for (size_t i = 0; i < grid->ints.count; i++) l->dynamic += grid->ints.items[i] == -1;
  l->block_count = (uint32_t)blocks->blocks.count;
  l->blocks = blocks->blocks.items;
  l->scratch_count = (uint32_t)scratch->types.count;
  if (prefetch->i < 0 || prefetch->i > op->operand_count) return false;
  if (op->operand_count != l->dynamic + l->prefetch + l->block_count) return false;
  if (op->region_count != 1 + l->block_count) return false;
  if (semantics->ints.count != grid->ints.count) return false;
  for (size_t i = 0; i < semantics->ints.count; i++)
    if (!attr_word(ATTR_SEMANTICS, semantics->ints.items[i])) return false;
  l->body = op->regions[0];
  for (uint32_t i = 0; i < l->block_count; i++) // index maps
    if (op->regions[1 + i]->arg_count != l->grid.count + l->prefetch) return false;
  return l->body->arg_count == l->grid.count + l->prefetch + l->block_count + l->scratch_count;
}

// Whether the block's shape is that of the body's ref, so that it need not be printed.
static bool is_plain_shape(const IrBlock *block, const IrType *type) {
  if (block->rank != type->rank) return false;
  for (int i = 0; i < block->rank; i++)
    if (block->dims[i].kind != BLOCK_BLOCKED || block->dims[i].size != type->dims[i]) return false;
  return true;
}

// shape [128, squeezed, element 64 pad 1 2, bounded 16]
static void put_block_shape(Printer *p, const IrBlock *block) {
  buf_c(p->out, " shape [");
  for (int i = 0; i < block->rank; i++) {
    const BlockDim *dim = &block->dims[i];
    if (i) buf_c(p->out, ", ");
    switch (dim->kind) {
    case BLOCK_BLOCKED: buf_printf(p->out, "%lld", (long long)dim->size); break;
    case BLOCK_SQUEEZED: buf_c(p->out, "squeezed"); break;
    case BLOCK_BOUNDED: buf_printf(p->out, "bounded %lld", (long long)dim->size); break;
    case BLOCK_ELEMENT:
      buf_printf(p->out, "element %lld", (long long)dim->size);
      if (dim->pad_lo || dim->pad_hi)
        buf_printf(p->out, " pad %lld %lld", (long long)dim->pad_lo, (long long)dim->pad_hi);
    }
  }
  buf_char(p->out, ']');
}

// An index map prints in one line if it only yields grid indices and i32 constants that nothing
// else uses.
static bool is_inline_map(const IrRegion *map) {
  const IrOp *yield = map->last;
  if (!yield || yield->code != OP_YIELD) return false;
  for (const IrOp *op = map->first; op != yield; op = op->next)
    if (op->code != OP_CONST) return false;
  for (uint32_t i = 0; i < yield->operand_count; i++) {
    const IrValue *value = yield->operands[i];
    int64_t number;
    bool is_index = value->region == map;
    bool is_number =
        value->type->dtype == DT_I32 && ir_const_int(value, &number) && value->def->parent == map;
    if (!is_index && !is_number) return false;
  }
  return true;
}

static bool is_zero_map(const IrRegion *map) {
  if (!is_inline_map(map)) return false;
  for (uint32_t i = 0; i < map->last->operand_count; i++) {
    int64_t number;
    if (!ir_const_int(map->last->operands[i], &number) || number) return false;
  }
  return true;
}

static void put_index_map(Printer *p, const Launch *l, const IrRegion *map) {
  buf_c(p->out, " at (");
  if (is_inline_map(map)) {
    const IrOp *yield = map->last;
    for (uint32_t i = 0; i < yield->operand_count; i++) {
      int64_t number;
      if (i) buf_c(p->out, ", ");
      if (ir_const_int(yield->operands[i], &number))
        buf_printf(p->out, "%lld", (long long)number);
      else
        put_value(p, l->body->args[yield->operands[i]->index]);
    }
    buf_char(p->out, ')');
    return;
  }
  name_args(p, map);
  put_values(p, map->arg_count, map->args);
  buf_c(p->out, ") ");
  put_region(p, map, (Span){0});
}

static void print_block(Printer *p, const Launch *l, uint32_t i) {
  static const char *const directions[] = {" of ", " to ", " inout "};
  const IrBlock *block = &l->blocks[i];
  const IrValue *ref = l->body->args[l->grid.count + l->prefetch + i];
  const IrRegion *map = l->op->regions[1 + i];
  start_line(p);
  buf_c(p->out, "block ");
  put_typed(p, ref);
  buf_c(p->out, directions[block->dir]);
  put_value(p, l->op->operands[l->dynamic + l->prefetch + i]);
  if (!is_plain_shape(block, ref->type)) put_block_shape(p, block);
  if (block->mode == BLOCK_IN_PLACE) buf_c(p->out, " in_place");
  if (block->mode == BLOCK_WHOLE) buf_c(p->out, " whole");
  bool is_implied =
      block->mode == BLOCK_WHOLE && is_zero_map(map) && map->last->operand_count == block->rank;
  if (!is_implied) put_index_map(p, l, map);
  if (block->mode != BLOCK_WHOLE || block->buffers != 2)
    buf_printf(p->out, " buffers %d", block->buffers);
  if (block->lookahead) buf_c(p->out, " lookahead");
  if (block->revisit_any) buf_c(p->out, " revisit_any");
  if (block->partly) buf_c(p->out, " partly");
  if (block->name && !str_equal(name_str(block->name), str_from_c(value_text(p, ref)))) {
    buf_c(p->out, " name ");
    put_string(p, name_str(block->name));
  }
  end_line(p, block->span);
}

static void put_grid(Printer *p, const Launch *l) {
  uint32_t dynamic = 0;
  IrInts semantics = ir_attr_ints(l->op, ATTR_SEMANTICS);
  buf_c(p->out, " grid [");
  for (size_t i = 0; i < l->grid.count; i++) {
    if (i) buf_c(p->out, ", ");
    if (l->grid.items[i] == -1)
      put_value(p, l->op->operands[dynamic++]);
    else
      buf_printf(p->out, "%lld", (long long)l->grid.items[i]);
  }
  buf_char(p->out, ']');
  if (!l->grid.count) return;
  buf_c(p->out, " {");
  for (size_t i = 0; i < semantics.count; i++)
    buf_printf(p->out, "%s%s", i ? ", " : "", attr_word(ATTR_SEMANTICS, semantics.items[i]));
  buf_char(p->out, '}');
}

// Refs without a name of their own have that of the kernel's parameter.
static void name_body_args(Printer *p, const Launch *l) {
  size_t first = l->grid.count + l->prefetch;
  for (uint32_t i = 0; i < l->body->arg_count; i++) {
    const IrValue *arg = l->body->args[i];
    bool is_block = i >= first && i < first + l->block_count;
    Name name = is_block && !arg->name ? l->blocks[i - first].name : NULL;
    if (name && name->len)
      map_set(p->names, arg, unique_name(p, name));
    else
      name_value(p, arg);
  }
}

static bool print_launch(Printer *p, const IrOp *op) {
  Launch l;
  if (!launch_parts(op, &l)) return false;
  name_body_args(p, &l);
  buf_char(p->out, ' ');
  put_string(p, ir_attr_str(op, ATTR_NAME));
  put_grid(p, &l);
  put_attrs(p, op);
  if (p->brief) return true;
  buf_c(p->out, " {");
  end_line(p, op->span);
  p->indent++;
  size_t at = l.grid.count; // among the body's arguments
  for (uint32_t i = 0; i < l.prefetch; i++) {
    start_line(p);
    buf_c(p->out, "prefetch ");
    put_typed(p, l.body->args[at++]);
    buf_printf(p->out, " of %%%s\n", value_text(p, op->operands[l.dynamic + i]));
  }
  for (uint32_t i = 0; i < l.block_count; i++) print_block(p, &l, i);
  at += l.block_count;
  for (uint32_t i = 0; i < l.scratch_count; i++) {
    start_line(p);
    buf_c(p->out, "scratch ");
    put_typed(p, l.body->args[at++]);
    buf_char(p->out, '\n');
  }
  p->indent--;
  start_line(p);
  buf_c(p->out, "} body (");
  put_values(p, l.body->arg_count, l.body->args);
  buf_c(p->out, ") ");
  put_region(p, l.body, (Span){0});
  return true;
}

// ---- ops ---------------------------------------------------------------------------------------
static bool print_special(Printer *p, const IrOp *op) {
  if (op_has_index(op->code)) return print_access(p, op);
  switch (op->code) {
  case OP_CONST: return print_const(p, op);
  case OP_ALLOC: return print_alloc(p, op);
  case OP_FOR: return print_for(p, op);
  case OP_WHILE: return print_while(p, op);
  case OP_IF: return print_if(p, op);
  case OP_SWITCH: return print_switch(p, op);
  case OP_LAUNCH: return print_launch(p, op);
  case OP_CORES: return print_cores(p, op);
  case OP_FUSE: return print_fuse(p, op);
  default: return false;
  }
}

// op %a, %b attribute value : type
static void print_generic(Printer *p, const IrOp *op) {
  if (op->operand_count) buf_char(p->out, ' ');
  put_values(p, op->operand_count, op->operands);
  put_attrs(p, op);
  put_result_types(p, op);
  for (int i = 0; i < op->region_count; i++) { // malformed: the reader does not take it
    buf_char(p->out, ' ');
    name_args(p, op->regions[i]);
    put_region(p, op->regions[i], (Span){0});
  }
}

static void put_op(Printer *p, const IrOp *op) {
  if (op->result_count) {
    put_values(p, op->result_count, op->results);
    buf_c(p->out, " = ");
  }
  buf_c(p->out, op_info(op->code)->name);
  if (!print_special(p, op)) print_generic(p, op);
}

static void print_op(Printer *p, const IrOp *op) {
  for (uint32_t i = 0; i < op->result_count; i++) name_value(p, op->results[i]);
  start_line(p);
  put_op(p, op);
  end_line(p, op->region_count ? (Span){0} : op->span);
}

// ---- functions and modules ---------------------------------------------------------------------
static void print_params(Printer *p, const IrFunc *func) {
  static const char *const roles[] = {"", "out ", "inout "};
  for (uint32_t i = 0; i < func->param_count; i++) {
    const IrParam *param = &func->params[i];
    const IrValue *value = func->body->args[i];
    if (i) buf_c(p->out, ", ");
    buf_c(p->out, roles[param->role]);
    put_typed(p, value);
    if (str_equal(param->label, str_from_c(value_text(p, value)))) continue;
    if (!param->label.len && !value->name) continue; // the number of an unnamed one
    buf_char(p->out, ' ');
    put_string(p, param->label);
  }
}

// "sizes softmax(n = 256) "
static void print_sizes(Printer *p, const IrFunc *func) {
  const IrFamily *family = func->family;
  if (!family) return;
  buf_c(p->out, "sizes ");
  put_name_or_string(p, name_str(family->name));
  for (size_t i = 0; i < family->count; i++) {
    buf_c(p->out, i ? ", " : "(");
    put_name_or_string(p, name_str(family->sizes[i]));
    buf_printf(p->out, " = %lld", (long long)func->sizes[i]);
  }
  buf_c(p->out, ") ");
}

static void print_func(Printer *p, const IrFunc *func) {
  p->names = map_new(p->arena);
  p->counters = map_new(p->arena);
  p->next_number = 0;
  bool brief = p->brief;
  p->brief = false;
  name_args(p, func->body);
  p->brief = brief;
  buf_c(p->out, "func @");
  put_name_or_string(p, name_str(func->name));
  buf_char(p->out, '(');
  print_params(p, func);
  buf_c(p->out, ") ");
  if (func->signature.len) {
    put_string(p, func->signature);
    buf_char(p->out, ' ');
  }
  print_sizes(p, func);
  put_region(p, func->body, func->span);
  buf_char(p->out, '\n');
}

static Printer printer_new(const IrModule *module, Buf *out) {
  Printer p = {.module = module, .out = out, .arena = arena_new_child(module->session->arena)};
  p.interner = interner_new(p.arena);
  return p;
}

void ir_print(const IrModule *module, bool spans, Buf *out) {
  Printer p = printer_new(module, out);
  p.spans = spans;
  buf_c(out, "module tpu ");
  put_name_or_string(&p, name_str(module->tpu));
  buf_printf(out, " devices %d\n", module->devices);
  for (const IrFunc *func = module->first; func; func = func->next) {
    buf_char(out, '\n');
    print_func(&p, func);
  }
  arena_free(p.arena);
}

void ir_print_region(const IrModule *module, const IrRegion *region, Buf *out) {
  Printer p = printer_new(module, out);
  p.names = map_new(p.arena);
  p.counters = map_new(p.arena);
  name_args(&p, region);
  for (uint32_t i = 0; i < region->arg_count; i++) {
    buf_c(out, i ? ", " : "(");
    put_typed(&p, region->args[i]);
  }
  buf_c(out, region->arg_count ? ") " : "() ");
  put_region(&p, region, (Span){0});
  buf_char(out, '\n');
  arena_free(p.arena);
}

// The names are those that the whole function's text has.
void ir_print_op(const IrOp *op, Buf *out) {
  if (!op->parent || !op->parent->func) {
    buf_printf(out, "%s …", op_info(op->code)->name);
    return;
  }
  const IrFunc *func = op->parent->func;
  Printer p = printer_new(func->module, NULL);
  Buf whole;
  buf_init(&whole, p.arena);
  p.out = &whole;
  print_func(&p, func);
  p.out = out;
  p.brief = true;
  put_op(&p, op);
  arena_free(p.arena);
}

Map *ir_value_names(const IrFunc *func, Arena *arena) {
  Buf text;
  buf_init(&text, arena);
  Printer p = {.module = func->module, .out = &text, .arena = arena};
  p.interner = interner_new(arena);
  print_func(&p, func);
  return p.names;
}
