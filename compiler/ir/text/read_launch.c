// SPDX-License-Identifier: Apache-2.0
// A launch in the IR's text: its grid, blocks with their index maps, and the body.
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/build_memory.h"
#include "reader.h"
#include "text.h"

// An index map in one line is resolved when the names of the grid's indices are known, behind
// "body".
typedef struct InlineMap {
  IrRegion *region;
  VEC(ScanToken) items; // values and numbers
  int zeros;            // of an omitted map
} InlineMap;

typedef struct LaunchReader {
  IrOp *op;
  IrRegion *body;
  Numbers grid;
  int64_t prefetch;
  VEC(IrBlock) blocks;
  VEC(InlineMap) maps; // one for each block; region is NULL if it was not in one line
  Types scratch;
} LaunchReader;

static void read_grid(Reader *r, LaunchReader *l, Values *operands) {
  scan_expect_word(SCAN(r), "grid");
  scan_expect(SCAN(r), '[');
  if (scan_accept(SCAN(r), ']')) return;
  do {
    if (r->scan.token.kind == TOKEN_VALUE) {
      VEC_PUSH(r->arena, operands, reader_value(r));
      VEC_PUSH(r->arena, &l->grid, (int64_t)-1);
    } else {
      ScanToken token = r->scan.token;
      VEC_PUSH(r->arena, &l->grid, scan_int(SCAN(r)));
      if (l->grid.items[l->grid.count - 1] < 0)
        scan_fail(SCAN(r), token, "a grid size is negative");
    }
  } while (scan_accept(SCAN(r), ','));
  scan_expect(SCAN(r), ']');
}

// {parallel, arbitrary}: a GridSemantics each
static void read_semantics(Reader *r, size_t rank, Numbers *out) {
  if (rank) scan_expect(SCAN(r), '{');
  for (size_t i = 0; i < rank; i++) {
    if (i) scan_expect(SCAN(r), ',');
    PendingAttr one = {.name = ATTR_SEMANTICS};
    reader_word(r, &one);
    VEC_PUSH(r->arena, out, one.number);
  }
  if (rank) scan_expect(SCAN(r), '}');
}

// %x: type, a new argument of the body
static ScanToken read_body_arg(Reader *r, LaunchReader *l) {
  ScanToken name = reader_new_name(r);
  scan_expect(SCAN(r), ':');
  reader_define(r, name, ir_region_add_arg(l->body, reader_type(r), NULL));
  return name;
}

static void read_block_shape(Reader *r, IrBlock *block) {
  block->rank = 0;
  scan_expect(SCAN(r), '[');
  if (scan_accept(SCAN(r), ']')) return;
  do {
    if (block->rank == IR_MAX_RANK) scan_expected(SCAN(r), "']'");
    BlockDim *dim = &block->dims[block->rank++];
    *dim = (BlockDim){.kind = BLOCK_BLOCKED, .size = 1};
    if (scan_accept_word(SCAN(r), "squeezed")) {
      dim->kind = BLOCK_SQUEEZED;
      continue;
    }
    if (scan_accept_word(SCAN(r), "element"))
      dim->kind = BLOCK_ELEMENT;
    else if (scan_accept_word(SCAN(r), "bounded"))
      dim->kind = BLOCK_BOUNDED;
    dim->size = scan_int(SCAN(r));
    if (dim->kind == BLOCK_ELEMENT && scan_accept_word(SCAN(r), "pad")) {
      dim->pad_lo = scan_int(SCAN(r));
      dim->pad_hi = scan_int(SCAN(r));
    }
  } while (scan_accept(SCAN(r), ','));
  scan_expect(SCAN(r), ']');
}

// Arguments of an index map: the grid's indices and the prefetch refs, as in the body.
static void add_map_args(IrRegion *map, const LaunchReader *l) {
  for (size_t i = 0; i < l->grid.count + (size_t)l->prefetch; i++)
    ir_region_add_arg(map, l->body->args[i]->type, l->body->args[i]->name);
}

// at (%i, 0)   at (%i, %j) { … yield … }
static void read_index_map(Reader *r, LaunchReader *l, IrRegion *region) {
  InlineMap map = {.region = region};
  scan_expect(SCAN(r), '(');
  if (!scan_accept(SCAN(r), ')')) {
    do {
      ScanTokenKind kind = r->scan.token.kind;
      if (kind != TOKEN_VALUE && kind != TOKEN_NUMBER)
        scan_expected(SCAN(r), "a grid index or a number");
      VEC_PUSH(r->arena, &map.items, scan_take(SCAN(r)));
    } while (scan_accept(SCAN(r), ','));
    scan_expect(SCAN(r), ')');
  }
  if (r->scan.token.kind == TOKEN_PUNCT && r->scan.token.text.data[0] == '{') {
    add_map_args(region, l);
    if (map.items.count != region->arg_count)
      scan_fail(SCAN(r), r->scan.token, "the index map takes %u arguments, %zu are named",
                region->arg_count, map.items.count);
    for (size_t i = 0; i < map.items.count; i++) {
      if (map.items.items[i].kind != TOKEN_VALUE)
        scan_fail(SCAN(r), map.items.items[i], "expected a value's name");
      reader_define(r, map.items.items[i], region->args[i]);
    }
    reader_region(r, region);
    map.region = NULL;
  }
  VEC_PUSH(r->arena, &l->maps, map);
}

static BlockDir read_direction(Reader *r) {
  if (scan_accept_word(SCAN(r), "of")) return BLOCK_IN;
  if (scan_accept_word(SCAN(r), "to")) return BLOCK_OUT;
  if (scan_accept_word(SCAN(r), "inout")) return BLOCK_IN_OUT;
  scan_expected(SCAN(r), "'of', 'to' or 'inout'");
}

static void read_block(Reader *r, LaunchReader *l) {
  IrBlock block = {.mode = BLOCK_COPIED, .buffers = 2};
  if (l->op->region_count == UINT16_MAX) scan_expected(SCAN(r), "fewer blocks");
  block.span = scan_span(SCAN(r), r->scan.token);
  ScanToken name = read_body_arg(r, l);
  const IrType *type = l->body->args[l->body->arg_count - 1]->type;
  block.name = text_is_word(name.text) ? reader_intern(r, name.text) : NULL;
  block.space = type->space;
  block.dir = read_direction(r);
  ir_add_operand(r->module, l->op, reader_value(r));
  block.rank = type->rank;
  for (int i = 0; i < type->rank; i++)
    block.dims[i] = (BlockDim){.kind = BLOCK_BLOCKED, .size = type->dims[i]};
  if (scan_accept_word(SCAN(r), "shape")) read_block_shape(r, &block);
  if (scan_accept_word(SCAN(r), "in_place"))
    block.mode = BLOCK_IN_PLACE;
  else if (scan_accept_word(SCAN(r), "whole"))
    block.mode = BLOCK_WHOLE;
  IrRegion *map = ir_add_region(r->module, l->op);
  if (block.mode != BLOCK_WHOLE ||
      (r->scan.token.kind == TOKEN_WORD && str_equal(r->scan.token.text, STR("at")))) {
    scan_expect_word(SCAN(r), "at");
    read_index_map(r, l, map);
  } else {
    InlineMap zeros = {.region = map, .zeros = block.rank};
    VEC_PUSH(r->arena, &l->maps, zeros);
  }
  if (scan_accept_word(SCAN(r), "buffers")) block.buffers = reader_small(r);
  block.lookahead = scan_accept_word(SCAN(r), "lookahead");
  block.revisit_any = scan_accept_word(SCAN(r), "revisit_any");
  block.partly = scan_accept_word(SCAN(r), "partly");
  if (scan_accept_word(SCAN(r), "name")) block.name = reader_intern(r, scan_string(SCAN(r)));
  VEC_PUSH(r->arena, &l->blocks, block);
}

static void read_launch_lines(Reader *r, LaunchReader *l) {
  scan_expect(SCAN(r), '{');
  while (scan_accept_word(SCAN(r), "prefetch")) {
    read_body_arg(r, l);
    scan_expect_word(SCAN(r), "of");
    ir_add_operand(r->module, l->op, reader_value(r));
    l->prefetch++;
  }
  while (scan_accept_word(SCAN(r), "block")) read_block(r, l);
  while (scan_accept_word(SCAN(r), "scratch")) {
    read_body_arg(r, l);
    VEC_PUSH(r->arena, &l->scratch, l->body->args[l->body->arg_count - 1]->type);
  }
  scan_expect(SCAN(r), '}');
}

// body (%i, %x, …): the first are the grid's indices, which get their names here; the others have
// theirs.
static void read_body_names(Reader *r, LaunchReader *l) {
  scan_expect_word(SCAN(r), "body");
  scan_expect(SCAN(r), '(');
  for (uint32_t i = 0; i < l->body->arg_count; i++) {
    if (i) scan_expect(SCAN(r), ',');
    ScanToken token = r->scan.token;
    if (i < l->grid.count) {
      reader_define(r, reader_new_name(r), l->body->args[i]);
    } else if (reader_value(r) != l->body->args[i]) {
      scan_fail(SCAN(r), token, "the body's arguments are named in another order than above");
    }
  }
  scan_expect(SCAN(r), ')');
}

static void resolve_map(Reader *r, LaunchReader *l, const InlineMap *map) {
  Values yields = {0};
  IrBuilder b = {.module = r->module, .region = map->region};
  add_map_args(map->region, l);
  for (int i = 0; i < map->zeros; i++) VEC_PUSH(r->arena, &yields, ir_i32(&b, 0));
  for (size_t i = 0; i < map->items.count; i++) {
    ScanToken token = map->items.items[i];
    if (token.kind == TOKEN_NUMBER) {
      int32_t number;
      if (!text_element(r->arena, DT_I32, token.text, &number))
        scan_fail(SCAN(r), token, "expected an i32");
      VEC_PUSH(r->arena, &yields, ir_i32(&b, number));
      continue;
    }
    const IrValue *index = map_get(r->values, reader_intern(r, token.text));
    if (!index || index->region != l->body || index->index >= l->grid.count)
      scan_fail(SCAN(r), token, "'%%%.*s' is not an index of the grid", STR_FMT(token.text));
    VEC_PUSH(r->arena, &yields, map->region->args[index->index]);
  }
  ir_yield(&b, yields.count, yields.items);
}

IrOp *reader_launch(Reader *r, Head *head) {
  LaunchReader l = {.prefetch = 0};
  Values operands = {0};
  Types types = {0};
  PendingAttrs attrs = {.count = 0};
  Str name = scan_string(SCAN(r));
  read_grid(r, &l, &operands);
  Numbers semantics = {0};
  read_semantics(r, l.grid.count, &semantics);
  reader_attrs(r, head->code, &operands, &attrs);
  l.op = reader_build(r, head, &operands, &types);
  reader_set_attrs(r, head->name, l.op, &attrs);
  l.body = ir_add_region(r->module, l.op);
  const IrType *i32 = ir_array_type(r->module, DT_I32, 0, NULL);
  for (size_t i = 0; i < l.grid.count; i++) ir_region_add_arg(l.body, i32, NULL);
  read_launch_lines(r, &l);
  read_body_names(r, &l);
  for (size_t i = 0; i < l.maps.count; i++)
    if (l.maps.items[i].region) resolve_map(r, &l, &l.maps.items[i]);
  reader_region(r, l.body);
  ir_set_str(r->module, l.op, ATTR_NAME, name);
  ir_set_ints(r->module, l.op, ATTR_GRID, l.grid.count, l.grid.items);
  ir_set_ints(r->module, l.op, ATTR_SEMANTICS, semantics.count, semantics.items);
  ir_set_int(r->module, l.op, ATTR_PREFETCH, l.prefetch);
  ir_set_types(r->module, l.op, ATTR_SCRATCH, l.scratch.count, l.scratch.items);
  ir_set_blocks(r->module, l.op, l.blocks.count, l.blocks.items);
  return l.op;
}
