// SPDX-License-Identifier: Apache-2.0
// budget: what each launch keeps in VMEM, SMEM and semaphores, against the chip.
//   takes:  launches, and launches of cores
//   makes:  diagnostics: a table, largest first, if a launch needs more than the chip (or its own
//           vmem_limit_bytes) has
//   breaks: nothing
//   not:    registers, spills, the compiler's own scratch on a real chip
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "base/checked.h"
#include "base/map.h"
#include "ir/analysis/effects.h"
#include "ir/core/attr.h"
#include "ir/core/chip.h"
#include "ir/core/family.h"
#include "ir/core/ir.h"
#include "ir/core/place.h"
#include "ir/core/mesh.h"
#include "ir/core/region.h"
#include "passes/launch/launch.h"

// What all launches of a module are held to.
typedef struct Budgets {
  PassContext *ctx;
  const Chip *chip;
} Budgets;

typedef struct Item {
  MemSpace space;
  int64_t bytes;
  int slots;
  size_t number; // in the order they were added, so that the table has one order
  const IrType *type;
  Str what;
  Span span;
  bool is_block; // of an array: the program chooses its size
} Item;

typedef struct Budget {
  PassContext *ctx;
  const Chip *chip;
  bool is_flat; // memory without tiles: a SparseCore's
  VEC(Item) items;
  int64_t totals[SPACE_COUNT];
  Diag *diag; // of the first space that is too small
} Budget;

static int64_t padded_bytes(const Budget *budget, const IrType *type) {
  bool is_tiled = !budget->is_flat || type->space == SPACE_SEM;
  return is_tiled ? chip_padded_bytes(budget->chip, type) : ir_type_bytes(type);
}

// NULL: it is in memory that is not counted.
static Item *add(Budget *budget, const IrType *type, int slots, Str what, Span span) {
  if (type->space == SPACE_HBM || type->space == SPACE_HOST) return NULL;
  int64_t bytes;
  if (!mul_i64(padded_bytes(budget, type), slots, &bytes)) bytes = INT64_MAX;
  Item item = {type->space, bytes, slots, budget->items.count, type, what, span, false};
  VEC_PUSH(budget->ctx->arena, &budget->items, item);
  if (!add_i64(budget->totals[type->space], bytes, &budget->totals[type->space]))
    budget->totals[type->space] = INT64_MAX;
  return &budget->items.items[budget->items.count - 1];
}

// ---- memory of run_scoped -----------------------------------------------------------------------
// What is alive at a place of the body, and where most of one space is: an alloc lives until the
// last op that gets at it.
typedef struct Scoped {
  Budget *budget;
  MemSpace space;
  VEC(const IrOp *) alive, most;
  int64_t alive_bytes, most_bytes;
  // of the region that is walked
  const IrRegion *region;
  const IrOp *at;     // an op of it
  Map *last;          // alloc of it -> the op of it that uses it last
  const Map *counted; // allocs that are counted already
} Scoped;

static void note_use(IrOp *op, void *data) {
  Scoped *s = data;
  for (size_t i = 0; i < op->operand_count; i++) {
    if (!op->operands[i]->type->is_ref) continue;
    const IrOp *alloc = ir_ref_root(op->operands[i])->def;
    if (alloc && alloc->code == OP_ALLOC && alloc->parent == s->region)
      map_set(s->last, alloc, s->at);
  }
}

static Map *last_uses(Scoped *s, const IrRegion *region) {
  s->region = region;
  s->last = map_new(s->budget->ctx->arena);
  for (IrOp *op = region->first; op; op = op->next) {
    s->at = op;
    note_use(op, s);
    for (size_t i = 0; i < op->region_count; i++) ir_walk(op->regions[i], note_use, s);
  }
  return s->last;
}

static void begin_life(Scoped *s, const IrOp *alloc) {
  Arena *arena = s->budget->ctx->arena;
  VEC_PUSH(arena, &s->alive, alloc);
  if (!add_i64(s->alive_bytes, padded_bytes(s->budget, alloc->results[0]->type), &s->alive_bytes))
    s->alive_bytes = INT64_MAX;
  if (s->alive_bytes <= s->most_bytes) return;
  s->most_bytes = s->alive_bytes;
  s->most.count = 0;
  for (size_t i = 0; i < s->alive.count; i++) VEC_PUSH(arena, &s->most, s->alive.items[i]);
}

static void end_life(Scoped *s, size_t which) {
  s->alive_bytes -= padded_bytes(s->budget, s->alive.items[which]->results[0]->type);
  s->alive.items[which] = s->alive.items[--s->alive.count];
}

static void walk_lives(Scoped *s, const IrRegion *region) {
  const Map *last = last_uses(s, region);
  size_t outer = s->alive.count;
  for (const IrOp *op = region->first; op; op = op->next) {
    if (op->code == OP_ALLOC && op->results[0]->type->space == s->space && !map_has(s->counted, op))
      begin_life(s, op);
    for (size_t i = 0; i < op->region_count; i++) walk_lives(s, op->regions[i]);
    for (size_t i = s->alive.count; i-- > outer;)
      if (map_get(last, s->alive.items[i]) == op) end_life(s, i);
  }
  while (s->alive.count > outer) end_life(s, s->alive.count - 1);
}

static void add_scoped(Budget *budget, MemSpace space, const IrRegion *body, const Map *counted) {
  Scoped s = {.budget = budget, .space = space, .counted = counted};
  walk_lives(&s, body);
  for (size_t i = 0; i < s.most.count; i++)
    add(budget, s.most.items[i]->results[0]->type, 1, STR("run_scoped buffer"),
        s.most.items[i]->span);
}

// ---- the table ----------------------------------------------------------------------------------
static int largest_first(const void *x, const void *y) {
  const Item *a = x, *b = y;
  if (a->bytes != b->bytes) return a->bytes < b->bytes ? 1 : -1;
  return a->number < b->number ? -1 : 1;
}

static Str type_text(Arena *arena, const IrType *type) {
  Buf buf;
  buf_init(&buf, arena);
  buf_printf(&buf, "%s[", type->space == SPACE_SEM ? "sem" : dtype_short_name(type->dtype));
  for (int i = 0; i < type->rank; i++)
    buf_printf(&buf, "%s%lld", i ? "," : "", (long long)type->dims[i]);
  buf_char(&buf, ']');
  return buf_view(&buf);
}

// ---- the largest block that fits ----------------------------------------------------------------
static int64_t rows_of(const IrType *type) {
  return type->rank == 0 ? 1 : type->dims[type->rank == 1 ? 0 : type->rank - 2];
}

static const IrType *with_rows(const Budget *budget, const IrType *type, int64_t rows) {
  int64_t dims[IR_MAX_RANK];
  memcpy(dims, type->dims, type->rank * sizeof *dims);
  dims[type->rank == 1 ? 0 : type->rank - 2] = rows;
  return ir_type_with_dims(budget->ctx->module, type, type->rank, dims);
}

static bool is_of_rows(const Item *item, MemSpace space, int64_t rows) {
  return item->space == space && item->type->rank > 0 && rows_of(item->type) == rows;
}

// What a space holds if all that has `rows` rows had so many.
static int64_t bytes_with(const Budget *budget, MemSpace space, int64_t rows, int64_t now) {
  int64_t total = budget->totals[space];
  for (size_t i = 0; i < budget->items.count; i++) {
    const Item *item = &budget->items.items[i];
    if (is_of_rows(item, space, rows))
      total += padded_bytes(budget, with_rows(budget, item->type, now)) * item->slots - item->bytes;
  }
  return total;
}

// The most rows with which it fits that the largest block may have; 0: it does not with any.
// Beyond 8, the least rows of a tile, by eights.
static int64_t most_rows(const Budget *budget, MemSpace space, int64_t rows, int64_t limit) {
  int64_t step = rows > 8 ? 8 : 1, low = 0, high = (rows - 1) / step; // in steps
  while (low < high) {
    int64_t middle = low + (high - low + 1) / 2;
    if (bytes_with(budget, space, rows, middle * step) <= limit)
      low = middle;
    else
      high = middle - 1;
  }
  return low * step;
}

static void suggest_rows(Budget *budget, Diag *diag, const Item *of, int64_t rows, int64_t most) {
  Buf text;
  buf_init(&text, budget->ctx->session->arena);
  buf_printf(&text, "it fits with %lld in place of %lld %s:", (long long)most, (long long)rows,
             of->type->rank == 1 ? "elements" : "rows");
  const char *comma = "";
  for (size_t k = 0; k < budget->items.count; k++) {
    const Item *item = &budget->items.items[k];
    if (!is_of_rows(item, of->space, rows)) continue;
    Str type = type_text(budget->ctx->arena, with_rows(budget, item->type, most));
    buf_printf(&text, "%s %.*s %.*s", comma, STR_FMT(item->what), STR_FMT(type));
    comma = ",";
  }
  diag_help(diag, buf_view(&text));
}

// Blocks and scratch of as many rows as a block, the largest block first, get fewer together; if
// that is of no use, those of as many as the largest scratch.
static void suggest(Budget *budget, Diag *diag, MemSpace space, int64_t limit) {
  if (budget->totals[space] == INT64_MAX || space == SPACE_SEM) return;
  for (int is_block = 1; is_block >= 0; is_block--) {
    for (size_t i = 0; i < budget->items.count; i++) {
      const Item *item = &budget->items.items[i];
      if (item->is_block != is_block || item->space != space || item->type->rank == 0) continue;
      int64_t rows = rows_of(item->type), most = most_rows(budget, space, rows, limit);
      if (!most) continue;
      suggest_rows(budget, diag, item, rows, most);
      return;
    }
  }
}

// How many buffers there are of it, and how much of it the chip's tiles add.
static Str parts_text(const Budget *budget, const Item *item) {
  Arena *arena = budget->ctx->arena;
  int64_t asked;
  Str buffers = item->slots > 1 ? str_format(arena, ", %d buffers", item->slots) : STR("");
  bool is_known = item->space != SPACE_SEM && item->bytes < INT64_MAX &&
                  mul_i64(ir_type_bytes(item->type), item->slots, &asked);
  if (!is_known || asked >= item->bytes) return buffers;
  return str_format(arena, "%.*s, %lld of it padding", STR_FMT(buffers),
                    (long long)(item->bytes - asked));
}

// One error for a launch, with all of its spaces that are too small: `budget->diag` is the first's.
static void report(Budget *budget, const IrOp *launch, MemSpace space, int64_t limit, Str whose) {
  Session *session = budget->ctx->session;
  Str name = ir_attr_str(launch, ATTR_NAME);
  static const char *const units[SPACE_COUNT] = {[SPACE_SEM] = "semaphores",
                                                 [SPACE_SMEM] = "bytes of SMEM",
                                                 [SPACE_CMEM] = "bytes of CMEM",
                                                 [SPACE_VMEM] = "bytes of VMEM",
                                                 [SPACE_VMEM_SHARED] = "bytes of VMEM_SHARED"};
  const char *unit = units[space];
  Str needs = str_format(budget->ctx->arena, "%lld %s, %.*s %lld", (long long)budget->totals[space],
                         unit, STR_FMT(whose), (long long)limit);
  if (budget->diag) {
    diag_note(session, budget->diag, launch->span, "and %.*s", STR_FMT(needs));
  } else {
    budget->diag = diag_error(session, launch->span, "kernel '%.*s' needs %.*s", STR_FMT(name),
                              STR_FMT(needs));
    ir_diag_frames(budget->ctx->session, budget->diag, launch->frames);
    diag_exception(budget->diag, CATCH_JAX_RUNTIME_ERROR,
                   str_format(session->arena,
                              "RESOURCE_EXHAUSTED: Ran out of memory in memory space %s:",
                              mem_space_name(space)));
  }
  qsort(budget->items.items, budget->items.count, sizeof(Item), largest_first);
  for (size_t i = 0; i < budget->items.count; i++) {
    const Item *item = &budget->items.items[i];
    if (item->space != space) continue;
    Str type = type_text(budget->ctx->arena, item->type), parts = parts_text(budget, item);
    diag_note(session, budget->diag, item->span, "%12lld  %.*s %.*s%.*s", (long long)item->bytes,
              STR_FMT(item->what), STR_FMT(type), STR_FMT(parts));
  }
  if (budget->diag && !budget->diag->help.len) suggest(budget, budget->diag, space, limit);
}

// ---- what there is ------------------------------------------------------------------------------
// The kind of core whose program the op is in: CORE_DEVICE if it is in none's.
static CoreKind core_around(const IrOp *op) {
  const IrRegion *program = ir_program_around(op->parent);
  return program ? ir_program_mesh(program)->kind : CORE_DEVICE;
}

// ---- launches -----------------------------------------------------------------------------------
// What the kernel calls it, or if it has no name of its own, what it is.
static Str called(const PassContext *ctx, const IrValue *ref, Str what) {
  return ref->name ? str_format(ctx->arena, "'%s'", name_str(ref->name).data) : what;
}

static void check_launch(PassContext *ctx, const IrOp *launch, void *data) {
  const Chip *chip = ((const Budgets *)data)->chip;
  Budget budget = {.ctx = ctx, .chip = chip};
  LaunchParts parts;
  launch_parts(ctx->arena, launch, &parts);
  for (size_t i = 0; i < parts.prefetch_count; i++) {
    const IrValue *ref = parts.body->args[parts.rank + i];
    add(&budget, ref->type, 1, called(ctx, ref, STR("scalar-prefetch operand")), launch->span);
  }
  for (size_t i = 0; i < parts.block_count; i++) {
    const IrBlock *block = &parts.blocks[i];
    if (block->mode == BLOCK_WHOLE) continue;
    bool moves = !launch_map_is_constant(launch, ir_launch_index_map(launch, i), 0);
    const IrValue *ref = parts.body->args[parts.first_block + i];
    Item *item =
        add(&budget, ref->type, moves ? block->buffers : 1, called(ctx, ref, name_str(block->name)),
            block->span.file ? block->span : launch->span);
    if (item) item->is_block = true;
  }
  for (size_t i = 0; i < parts.scratch_count; i++) {
    const IrValue *ref = parts.body->args[parts.first_scratch + i];
    add(&budget, ref->type, 1, called(ctx, ref, STR("scratch")), launch->span);
  }
  int64_t asked = ir_attr_int(launch, ATTR_VMEM_LIMIT);
  CoreKind kind = core_around(launch);
  budget.is_flat = kind == CORE_VECTOR;
  int64_t vmem = chip_vmem_limit(chip, kind, asked);
  bool is_asked = vmem < chip_capacity(chip, kind, SPACE_VMEM);
  const struct {
    MemSpace space;
    int64_t limit;
  } limits[] = {{SPACE_VMEM, vmem},
                {SPACE_SMEM, chip_capacity(chip, kind, SPACE_SMEM)},
                {SPACE_CMEM, chip_capacity(chip, kind, SPACE_CMEM)},
                {SPACE_SEM, chip_capacity(chip, kind, SPACE_SEM)}};
  for (size_t i = 0; i < COUNT_OF(limits); i++) {
    add_scoped(&budget, limits[i].space, parts.body, map_new(ctx->arena));
    if (budget.totals[limits[i].space] <= limits[i].limit) continue;
    Str whose = limits[i].space == SPACE_VMEM && is_asked
                    ? STR("its vmem_limit_bytes is")
                    : str_format(ctx->arena, "%s of %s has",
                                 kind == CORE_VECTOR ? "a vector subcore" : "a core", chip->name);
    report(&budget, launch, limits[i].space, limits[i].limit, whose);
  }
}

// ---- programs of cores --------------------------------------------------------------------------
// The scratch of a program is made before it does anything, and lives as long.
static void add_scratch(Budget *budget, const IrRegion *program, Map *counted) {
  for (IrOp *op = program->first; op && (op->code == OP_ALLOC || effects_is_pure(op->code));
       op = op->next) {
    if (op->code != OP_ALLOC) continue;
    add(budget, op->results[0]->type, 1, STR("scratch"), op->span);
    map_set(counted, op, op);
  }
}

// Memory from before the launch that a program uses: what its SparseCore shares, and outputs that
// do not lie in HBM. Memory that is bound to the cores of one of several meshes is that one's,
// whoever uses it.
typedef struct Captured {
  Budget *budget;
  const IrOp *cores;
  Map *counted;
  int64_t program; // from 1
  bool is_own;     // whether it is this program that is looked at
} Captured;

static bool is_made_before(const IrOp *alloc, const IrOp *cores) {
  const IrRegion *region = alloc->parent;
  while (region && region->parent != cores) region = ir_region_outer(region);
  return !region;
}

static void add_captured(IrOp *op, void *data) {
  Captured *c = data;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const IrType *type = op->operands[i]->type;
    const IrOp *alloc = type->is_ref ? ir_ref_root(op->operands[i])->def : NULL;
    if (!alloc || alloc->code != OP_ALLOC || map_has(c->counted, alloc) ||
        !is_made_before(alloc, c->cores))
      continue;
    type = alloc->results[0]->type;
    bool is_part = ir_attr_int(alloc, ATTR_PER_CORE),
         is_bound = ir_attr_int(alloc, ATTR_OWNER) == c->program;
    if (is_part && type->space != SPACE_VMEM_SHARED ? !is_bound : !c->is_own) continue;
    map_set(c->counted, alloc, alloc);
    if (is_part)
      type = ir_type_with_dims(c->budget->ctx->module, type, type->rank - 1u, type->dims + 1);
    add(c->budget, type, 1,
        is_bound  ? STR("scratch")
        : is_part ? STR("shared scratch")
                  : STR("output"),
        alloc->span);
  }
}

static void check_program(PassContext *ctx, const Chip *chip, const IrOp *cores, size_t which,
                          CoreKind kind) {
  static const char *const names[] = {[CORE_TENSOR] = "a core",
                                      [CORE_SCALAR] = "a scalar subcore",
                                      [CORE_VECTOR] = "a vector subcore"};
  static const MemSpace spaces[] = {SPACE_VMEM, SPACE_VMEM_SHARED, SPACE_SMEM, SPACE_CMEM,
                                    SPACE_SEM};
  Budget budget = {.ctx = ctx, .chip = chip, .is_flat = kind != CORE_TENSOR};
  Map *scratch = map_new(ctx->arena);
  add_scratch(&budget, cores->regions[which], scratch);
  Captured captured = {&budget, cores, map_new(ctx->arena), (int64_t)which + 1, false};
  for (size_t i = 0; i < cores->region_count; i++) {
    captured.is_own = i == which;
    ir_walk(cores->regions[i], add_captured, &captured);
  }
  for (size_t i = 0; i < COUNT_OF(spaces); i++) {
    int64_t limit = chip_capacity(chip, kind, spaces[i]);
    if (!limit && spaces[i] != SPACE_CMEM) continue; // the tracer says so
    add_scoped(&budget, spaces[i], cores->regions[which], scratch);
    if (budget.totals[spaces[i]] <= limit) continue;
    const char *whose = spaces[i] == SPACE_VMEM_SHARED ? "a SparseCore" : names[kind];
    report(&budget, cores, spaces[i], limit,
           str_format(ctx->arena, "%s of %s has", whose, chip->name));
  }
}

static void check_programs(IrOp *op, void *data) {
  const Budgets *all = data;
  if (op->code != OP_CORES) return;
  IrMeshes meshes = ir_attr_meshes(op);
  for (size_t i = 0; i < meshes.count; i++)
    if (meshes.items[i].kind != CORE_DEVICE)
      check_program(all->ctx, all->chip, op, i, meshes.items[i].kind);
}

bool pass_budget(PassContext *ctx) {
  const Chip *chip = chip_find(name_str(ctx->module->tpu));
  if (!chip) {
    diag_error(ctx->session, (Span){0}, "unknown chip '%s'", ctx->module->tpu->text);
    return false;
  }
  Budgets all = {ctx, chip};
  return launches_visit(ctx, &(LaunchVisit){check_launch, check_programs, &all});
}
