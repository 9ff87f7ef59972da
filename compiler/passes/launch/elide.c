// SPDX-License-Identifier: Apache-2.0
// elide: copies that a program starts itself are not made where nobody sees a difference.
//   takes:  copy.start, and copies that settle made of it; launches are loops already
//   makes:  loads and stores of the arrays that were copied from and to, and signals in place of
//           the copies
//   breaks: nothing
//   not:    anything under check or at -O0; copies to or from other cores and devices
//
// A copy may land when it is started: that is one of the times at which a chip may do it. So a
// scratch array that only copies write, all from windows of one array that nobody writes meanwhile,
// may be read in that array: a small table says where the window of each slot starts. And what is
// stored to a slot only to be copied from there, right behind, may be stored where the copy takes
// it. The semaphores count the same bytes, so that who waits for what, and who waits for ever, does
// not change.
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/core/mesh.h"
#include "ir/core/region.h"
#include "ir/analysis/access.h"
#include "ir/analysis/effects.h"
#include "launch.h"
#include "ir/analysis/alias.h"

// MOST_ACCESSES is a choice: pairs of them are compared. MOST_BYTES: of a wait, which
// takes an i32.
enum { MOST_ACCESSES = 64, MOST_BYTES = 1 << 30 };

typedef struct SlotUse {
  IrOp *op;
  uint32_t operand;
} SlotUse;

// What becomes of a ref's memory: an alloc, or a parameter of the function.
typedef struct RefUses {
  IrValue *root;
  bool is_odd;       // used in a way that is not looked into
  bool is_done;      // its copies are gone
  Reason why;        // its copies are made
  VEC(SlotUse) uses; // loads, stores and copies, of the root or of a view of it
  VEC(IrOp *) writers;
} RefUses;

typedef struct Elide {
  PassContext *ctx;
  IrFunc *func;
  Map *refs; // root -> RefUses *
  VEC(RefUses *) order;
} Elide;

// ---- who uses what ------------------------------------------------------------------------------
// Of the program's own: those of blocks have been decided on.
static bool is_copy(const IrOp *op) {
  return op->code == OP_COPY_START ||
         (op->code == OP_COPY && ir_attr_int(op, ATTR_MOVE) == MOVE_OWN);
}

static bool is_local_copy(const IrOp *op) {
  return is_copy(op) && (op->code == OP_COPY || !ir_attr_int(op, ATTR_TARGET));
}

static RefUses *uses_of(Elide *e, IrValue *root) {
  RefUses *uses = map_get(e->refs, root);
  if (uses) return uses;
  uses = ARENA_NEW(e->ctx->arena, RefUses);
  uses->root = root;
  map_set(e->refs, root, uses);
  VEC_PUSH(e->ctx->arena, &e->order, uses);
  return uses;
}

static bool is_direct_view(const IrValue *ref, const IrValue *root) {
  return ref == root || (ref->def->code == OP_VIEW && ref->def->operands[0] == root);
}

static void note_op(IrOp *op, void *data) {
  Elide *e = data;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    IrValue *ref = op->operands[i];
    if (!ref->type->is_ref || ref->type->space == SPACE_SEM) continue;
    IrValue *root = ir_ref_root(ref);
    RefUses *uses = uses_of(e, root);
    if (effects_writes(op, i)) VEC_PUSH(e->ctx->arena, &uses->writers, op);
    bool is_access =
        op->code == OP_LOAD || op->code == OP_STORE || is_copy(op) || op->code == OP_COPY_WAIT;
    if (!is_direct_view(ref, root) || (!is_access && !(op->code == OP_VIEW && ref == root)))
      uses->is_odd = true;
    if (is_access) VEC_PUSH(e->ctx->arena, &uses->uses, ((SlotUse){op, i}));
  }
}

// The first reason is the one.
static bool refuse(RefUses *uses, ReasonId id, const IrOp *op) {
  if (uses->why.id == REASON_NONE) uses->why = (Reason){.id = id, .span = op->span};
  return false;
}

// ---- slots --------------------------------------------------------------------------------------
// How many leading dimensions an index picks one element of, if it takes all of the others; else
// -1.
static int slot_rank(const IrOp *op, const IrType *type) {
  const IrIndex *index = ir_attr_index(op);
  int rank = 0;
  while (rank < index->rank && index->dims[rank].kind == INDEX_SCALAR) rank++;
  for (int i = rank; i < index->rank; i++)
    if (!access_dim_is_whole(&index->dims[i], type->dims[i])) return -1;
  return rank;
}

// The op whose index says which slot: the view that the ref is, or the access to the root; NULL:
// the whole root is the slot.
static const IrOp *slot_op(const RefUses *slots, const SlotUse *use) {
  const IrValue *ref = use->op->operands[use->operand];
  if (ref != slots->root) return ref->def;
  return use->op->code == OP_LOAD || use->op->code == OP_STORE ? use->op : NULL;
}

static const IrValue *start_of(const IrOp *op, const IndexDim *d) {
  return d->start_operand < 0 ? NULL : op->operands[d->start_operand];
}

static bool same_slot(const IrOp *a, const IrOp *b, int rank) {
  for (int i = 0; i < rank; i++) {
    const IndexDim *x = &ir_attr_index(a)->dims[i], *y = &ir_attr_index(b)->dims[i];
    if (x->start != y->start || start_of(a, x) != start_of(b, y)) return false;
  }
  return true;
}

// The slots' rank as all copies have it, -1 if they differ or are not local; the copies use the
// scratch as operand `side`.
static int find_slots(RefUses *slots, uint32_t side) {
  int rank = -1;
  const IrValue *root = slots->root;
  if (!root->def || root->def->code != OP_ALLOC || root->type->space != SPACE_VMEM) return -1;
  if (slots->is_odd || slots->uses.count > MOST_ACCESSES) {
    refuse(slots, REASON_STARTED_USES, root->def);
    return -1;
  }
  for (size_t i = 0; i < slots->uses.count; i++) {
    const SlotUse *use = &slots->uses.items[i];
    if (!is_copy(use->op)) continue;
    const IrOp *slot = slot_op(slots, use);
    int own = slot ? slot_rank(slot, root->type) : 0;
    if (use->operand != side) return -1;
    const IrType *type = use->op->operands[0]->type;
    if (!is_local_copy(use->op) || own < 0 || (rank >= 0 && own != rank) ||
        ir_type_count(type) * (int64_t)dtype_size(type->dtype) > MOST_BYTES) {
      refuse(slots, REASON_STARTED_TARGET, use->op);
      return -1;
    }
    rank = own;
  }
  return rank;
}

// The copy's bytes arrive, if somebody may wait for them; it is gone.
static void signal_instead(IrOp *copy) {
  if (copy->code == OP_COPY) {
    ir_op_remove(copy);
    return;
  }
  IrBuilder b = ir_builder_before(copy);
  const IrType *type = copy->operands[0]->type;
  IrValue *operands[] = {
      copy->operands[2],
      ir_i32(&b, (int32_t)(ir_type_count(type) * (int64_t)dtype_size(type->dtype)))};
  ir_set_int(b.module, ir_build(&b, OP_SEM_SIGNAL, 2, operands, 0, NULL), ATTR_TARGET, 0);
  ir_op_remove(copy);
}

// ---- what is copied in and out ------------------------------------------------------------------
// A scratch array that is copied into, read, stored to as a whole and copied from holds two things,
// one after the other, if all of that is one run of ops: where the second begins; 0 if that is not
// what its uses are.
static size_t second_begins(const RefUses *uses) {
  const IrValue *root = uses->root;
  if (!root->def || root->def->code != OP_ALLOC || root->type->space != SPACE_VMEM) return 0;
  if (uses->is_odd || uses->uses.count == 0 || uses->uses.count > MOST_ACCESSES) return 0;
  const IrOp *first = uses->uses.items[0].op;
  if (!is_local_copy(first) || uses->uses.items[0].operand != 1) return 0;
  size_t begin = 0;
  bool is_copied_out = false;
  for (size_t i = 0; i < uses->uses.count; i++) {
    const SlotUse *use = &uses->uses.items[i];
    if (use->op->operands[use->operand] != root || use->op->parent != first->parent) return 0;
    if (is_copy(use->op) && !is_local_copy(use->op)) return 0;
    bool is_in = is_copy(use->op) && use->operand == 1;
    if (use->op->code == OP_STORE && !begin) begin = i;
    if (begin && is_in) return 0;
    if (is_copy(use->op) && !is_in) is_copied_out = true;
    if (!begin && is_copied_out) return 0;
  }
  const IrOp *store = uses->uses.items[begin].op;
  bool is_whole = begin && slot_rank(store, root->type) == 0 && !access_is_masked(store);
  return is_whole && is_copied_out ? begin : 0;
}

// Gives the second an array of its own: then each is looked at for itself.
static bool separate(const RefUses *uses) {
  size_t begin = second_begins(uses);
  if (!begin) return false;
  IrBuilder b = ir_builder_before(uses->root->def);
  IrValue *own = ir_alloc(&b, uses->root->type, remark_name(uses->root));
  for (size_t i = begin; i < uses->uses.count; i++)
    ir_set_operand(uses->uses.items[i].op, uses->uses.items[i].operand, own);
  return true;
}

// ---- what is copied in --------------------------------------------------------------------------
// The window of an array that a slot holds: where it starts is known, or stands in the table.
typedef struct Window {
  RefUses *slots;
  int slot_rank;
  IrValue *array, *table;
  IrIndex index;           // of a view of the array
  int column[IR_MAX_RANK]; // of the table, or -1: index.dims[i].start
  int columns;
} Window;

static bool same_form(const IndexDim *a, const IndexDim *b) {
  return a->kind == b->kind && (a->kind == INDEX_SCALAR || a->size == b->size);
}

static IrIndex window_index(const IrValue *ref, const IrValue *array) {
  IrIndex index;
  if (ref == array)
    ir_index_full(array->type, &index);
  else
    index = *ir_attr_index(ref->def);
  return index;
}

// The array that a window is cut out of: what the view is of.
static IrValue *array_of(IrValue *window) {
  return window->def && window->def->code == OP_VIEW ? window->def->operands[0] : window;
}

static bool add_window(Window *w, IrOp *copy) {
  IrValue *from = copy->operands[0], *array = array_of(from);
  if (array->type->space != SPACE_HBM || (w->array && w->array != array)) return false;
  IrIndex index = window_index(from, array);
  for (int i = 0; i < index.rank; i++) {
    const IndexDim *d = &index.dims[i];
    if (d->kind == INDEX_ARRAY ||
        (d->kind == INDEX_SLICE && (d->size_operand >= 0 || d->stride != 1)))
      return false;
    if (w->array && !same_form(d, &w->index.dims[i])) return false;
    bool is_known = d->start_operand < 0 && (!w->array || d->start == w->index.dims[i].start);
    if (!is_known && w->column[i] < 0) w->column[i] = w->columns++;
    if (!w->array) w->index.dims[i] = *d;
  }
  w->index.rank = index.rank;
  w->array = array;
  return true;
}

// Whether what `op` makes can be used wherever `later` stands.
static bool is_made_before(const IrOp *op, const IrOp *later) {
  later = ir_op_in(later, op->parent);
  while (later && later != op) later = later->prev;
  return later;
}

// Whether nobody writes the array, all of a memory in some shape, from the alloc to the end of its
// region.
static bool is_constant_after(Elide *e, const IrOp *alloc, IrValue *array) {
  if (array->def && !is_made_before(array->def, alloc)) return false;
  while (array->def && array->def->code == OP_REF_RESHAPE) array = array->def->operands[0];
  bool is_memory = array->def ? array->def->code == OP_ALLOC : array->region == e->func->body;
  if (!is_memory || !ir_region_is_in(alloc->parent, ir_value_region(array))) return false;
  const RefUses *uses = uses_of(e, array);
  if (uses->writers.count && ir_program_around(alloc->parent)) return false;
  for (size_t i = 0; i < uses->writers.count; i++) {
    const IrOp *writer = ir_op_in(uses->writers.items[i], alloc->parent), *op = alloc;
    while (op && op != writer) op = op->prev;
    if (!writer || !op) return false;
  }
  return true;
}

static bool plan_window(Elide *e, RefUses *slots, Window *w) {
  *w = (Window){.slots = slots, .slot_rank = find_slots(slots, 1)};
  for (int i = 0; i < IR_MAX_RANK; i++) w->column[i] = -1;
  if (w->slot_rank < 0 || slots->root->type->rank >= IR_MAX_RANK) return false;
  for (size_t i = 0; i < slots->uses.count; i++) {
    const SlotUse *use = &slots->uses.items[i];
    const IrOp *slot = slot_op(slots, use);
    if (use->op->code == OP_STORE || (is_copy(use->op) && !add_window(w, use->op)))
      return refuse(slots, REASON_STARTED_WINDOWS, use->op);
    if (use->op->code != OP_LOAD) continue;
    bool fits = slot != NULL; // its index has all dimensions of the root
    for (int d = 0; fits && d < w->slot_rank; d++)
      fits = ir_attr_index(slot)->dims[d].kind == INDEX_SCALAR;
    if (fits && slot != use->op) fits = slot_rank(slot, slots->root->type) == w->slot_rank;
    if (!fits) return refuse(slots, REASON_STARTED_WINDOWS, use->op);
  }
  if (w->array && is_constant_after(e, slots->root->def, w->array)) return true;
  return refuse(slots, REASON_STARTED_WRITTEN, slots->root->def);
}

static void make_table(Window *w) {
  if (w->columns == 0) return;
  int64_t dims[IR_MAX_RANK];
  for (int i = 0; i < w->slot_rank; i++) dims[i] = w->slots->root->type->dims[i];
  dims[w->slot_rank] = w->columns;
  size_t rank = (size_t)w->slot_rank + 1;
  IrBuilder b = ir_builder_before(w->slots->root->def);
  w->table = ir_alloc(&b, ir_ref_type(b.module, SPACE_SMEM, DT_I32, rank, dims), STR("windows"));
  ir_store_all(&b, ir_const_i64(&b, ir_array_type(b.module, DT_I32, rank, dims), 0), w->table);
}

// The table's element of the slot that an op's index names. `extra`: what varies of it.
static IrIndex table_index(const Window *w, const IrOp *slot, int column, IrValue **extra,
                           size_t *count) {
  IrIndex index = {.rank = (uint8_t)(w->slot_rank + 1)};
  *count = 0;
  for (int i = 0; i < w->slot_rank; i++) {
    index.dims[i] = ir_attr_index(slot)->dims[i];
    if (index.dims[i].start_operand < 0) continue;
    extra[*count] = slot->operands[index.dims[i].start_operand];
    index.dims[i].start_operand = (int)(*count)++;
  }
  index.dims[w->slot_rank] = (IndexDim){.kind = INDEX_SCALAR,
                                        .start = column,
                                        .start_operand = -1,
                                        .size = 1,
                                        .size_operand = -1,
                                        .stride = 1};
  return index;
}

static void note_window(const Window *w, const SlotUse *use) {
  IrOp *copy = use->op;
  IrBuilder b = ir_builder_before(copy);
  const IrValue *from = copy->operands[0];
  IrIndex index = window_index(from, w->array);
  for (int i = 0; i < index.rank; i++) {
    if (w->column[i] < 0) continue;
    const IndexDim *d = &index.dims[i];
    IrValue *start = d->start_operand < 0
                         ? ir_i32(&b, (int32_t)d->start)
                         : ir_convert(&b, from->def->operands[d->start_operand], DT_I32);
    IrValue *extra[IR_MAX_RANK];
    size_t count;
    IrIndex place = table_index(w, slot_op(w->slots, use), w->column[i], extra, &count);
    ir_store(&b, start, w->table, &place, count, extra, NULL);
  }
  signal_instead(copy);
}

static IrValue *view_window(IrBuilder *b, const Window *w, const IrOp *slot) {
  IrIndex index = w->index;
  IrValue *starts[IR_MAX_RANK] = {NULL};
  size_t count = 0;
  for (int i = 0; i < index.rank; i++) {
    index.dims[i].start_operand = -1;
    if (w->column[i] < 0) continue;
    IrValue *extra[IR_MAX_RANK];
    size_t extra_count;
    IrIndex place = table_index(w, slot, w->column[i], extra, &extra_count);
    starts[count] = ir_load(b, w->table, &place, extra_count, extra, NULL, NULL);
    index.dims[i].start = 0;
    index.dims[i].start_operand = (int)count++;
  }
  return ir_view(b, w->array, &index, count, starts);
}

// The load's index without the slot, on the window.
static void load_window(Elide *e, const Window *w, const SlotUse *use) {
  IrOp *load = use->op;
  IrBuilder b = ir_builder_before(load);
  const IrOp *slot = slot_op(w->slots, use);
  IrValue *window = view_window(&b, w, slot);
  if (slot != load) {
    ir_set_operand(load, 0, window);
    return;
  }
  const IrIndex *old = ir_attr_index(load);
  IrIndex index = {.rank = (uint8_t)(old->rank - w->slot_rank)};
  IrValue *extra[3 * IR_MAX_RANK];
  size_t count = 0;
  for (int i = 0; i < index.rank; i++) {
    IndexDim *d = &index.dims[i];
    *d = old->dims[i + w->slot_rank];
    int *places[] = {&d->start_operand, &d->size_operand};
    for (int k = 0; k < 2; k++) {
      if (*places[k] < 0) continue;
      extra[count] = load->operands[*places[k]];
      *places[k] = (int)count++;
    }
  }
  bool is_masked = access_is_masked(load);
  IrValue *mask = is_masked ? load->operands[load->operand_count - 2] : NULL,
          *other = is_masked ? load->operands[load->operand_count - 1] : NULL;
  IrValue *loaded = ir_load(&b, window, &index, count, extra, mask, other);
  ir_replace_uses(e->func->body, load->results[0], loaded);
  ir_op_remove(load);
}

static void read_in_place(Elide *e, Window *w) {
  make_table(w);
  for (size_t i = 0; i < w->slots->uses.count; i++) {
    const SlotUse *use = &w->slots->uses.items[i];
    if (use->op->code == OP_LOAD) load_window(e, w, use);
    if (is_copy(use->op)) note_window(w, use);
  }
}

// ---- what is copied out -------------------------------------------------------------------------
// The store that fills the slot right before the copy takes it; NULL if there may be something in
// between.
static IrOp *store_before(const RefUses *slots, const SlotUse *copy, int rank) {
  const IrOp *slot = slot_op(slots, copy);
  for (IrOp *op = copy->op->prev; op; op = op->prev) {
    if (op->code == OP_STORE && ir_ref_root(op->operands[1]) == slots->root) {
      const SlotUse use = {op, 1};
      const IrOp *own = slot_op(slots, &use);
      bool is_full = own == op ? slot_rank(op, slots->root->type) == rank
                               : slot_rank(own, slots->root->type) == rank && access_is_whole(op);
      return is_full && !access_is_masked(op) && (rank == 0 || same_slot(own, slot, rank)) ? op
                                                                                           : NULL;
    }
    if (!effects_is_pure(op->code) && op->code != OP_LOAD && !is_local_copy(op)) return NULL;
  }
  return NULL;
}

// Whether every store is copied out once, and nobody reads it otherwise. The stores, one for each
// copy, in their order.
static bool find_stores(RefUses *slots, IrOp **stores) {
  int rank = find_slots(slots, 0);
  size_t copy_count = 0, store_count = 0;
  if (rank < 0) return false;
  for (size_t i = 0; i < slots->uses.count; i++) {
    const SlotUse *use = &slots->uses.items[i];
    if (use->op->code == OP_LOAD) return refuse(slots, REASON_STARTED_STORES, use->op);
    store_count += use->op->code == OP_STORE;
    if (!is_copy(use->op)) continue;
    IrOp *store = store_before(slots, use, rank);
    bool fits = store && ir_ref_root(use->op->operands[1]) != slots->root;
    for (size_t k = 0; k < copy_count; k++) fits &= stores[k] != store;
    if (!fits) return refuse(slots, REASON_STARTED_STORES, use->op);
    stores[copy_count++] = store;
  }
  return copy_count == store_count || refuse(slots, REASON_STARTED_STORES, slots->root->def);
}

// The stores go where the copies go.
static void write_in_place(const RefUses *slots, IrOp *const *stores) {
  for (size_t i = 0, at = 0; i < slots->uses.count; i++) {
    IrOp *copy = slots->uses.items[i].op;
    if (!is_copy(copy)) continue;
    IrBuilder b = ir_builder_before(copy);
    b.span = stores[at]->span;
    b.frames = stores[at]->frames;
    ir_store_all(&b, stores[at]->operands[0], copy->operands[1]);
    ir_op_remove(stores[at++]);
    signal_instead(copy);
  }
}

// ---- what is left -------------------------------------------------------------------------------
// A wait for a number of bytes that is known does not need the ref: nothing then says that it is
// used.
static void wait_for_bytes(IrOp *op, void *data UNUSED) {
  if (op->code != OP_COPY_WAIT || access_has_dynamic_size(op->operands[1])) return;
  const IrType *type = op->operands[1]->type;
  int64_t bytes = ir_type_count(type) * (int64_t)dtype_size(type->dtype);
  if (bytes > MOST_BYTES) return;
  IrBuilder b = ir_builder_before(op);
  IrValue *operands[] = {op->operands[0], ir_i32(&b, (int32_t)bytes)};
  ir_set_int(b.module, ir_build(&b, OP_SEM_WAIT, 2, operands, 0, NULL), ATTR_KEEP, false);
  ir_op_remove(op);
}

static void remove_unused_view(IrOp *op, void *data UNUSED) {
  if (op->code == OP_VIEW && op->results[0]->use_count == 0) ir_op_remove(op);
}

// What became of the copies to and from a scratch array; before they are gone.
static void report_copies(Elide *e, const RefUses *uses, const char *place) {
  const IrValue *root = uses->root;
  const IrOp *first = NULL;
  for (size_t i = 0; i < uses->uses.count && !first; i++)
    if (is_copy(uses->uses.items[i].op)) first = uses->uses.items[i].op;
  if (!first || !root->def || root->def->code != OP_ALLOC || root->type->space != SPACE_VMEM)
    return;
  Session *session = e->ctx->session;
  RemarkItem *item = remark_item(session, REMARK_COPY, first, remark_name(root));
  remark_number(session, item, FACT_WINDOW_BYTES, ir_type_bytes(root->type));
  remark_text(session, item, FACT_PLACE, str_from_c(place ? place : "made"));
  const Reason both = {.id = REASON_STARTED_USES, .span = root->def->span}; // in and out
  if (!place) remark_reason(session, item, uses->why.id ? &uses->why : &both);
}

static Elide look_at(PassContext *ctx, IrFunc *func) {
  Elide e = {.ctx = ctx, .func = func, .refs = map_new(ctx->arena)};
  ir_walk(func->body, note_op, &e);
  return e;
}

static void elide_in(PassContext *ctx, IrFunc *func) {
  Elide e = look_at(ctx, func);
  bool is_separated = false;
  for (size_t i = 0; i < e.order.count; i++) is_separated |= separate(e.order.items[i]);
  if (is_separated) e = look_at(ctx, func);
  size_t count = e.order.count;
  VEC(Window *) windows = {0};
  for (size_t i = 0; i < count; i++) {
    Window *w = ARENA_NEW(ctx->arena, Window);
    if (plan_window(&e, e.order.items[i], w)) VEC_PUSH(ctx->arena, &windows, w);
  }
  bool is_changed = windows.count > 0;
  for (size_t i = 0; i < windows.count; i++) {
    report_copies(&e, windows.items[i]->slots, "read in place");
    read_in_place(&e, windows.items[i]);
    windows.items[i]->slots->is_done = true;
  }
  for (size_t i = 0; i < count; i++) {
    RefUses *uses = e.order.items[i];
    if (uses->is_done) continue;
    IrOp *stores[MOST_ACCESSES];
    bool is_written = find_stores(uses, stores);
    report_copies(&e, uses, is_written ? "written in place" : NULL);
    if (is_written) write_in_place(uses, stores);
    is_changed |= is_written;
  }
  if (!is_changed) return;
  ir_walk(func->body, wait_for_bytes, NULL);
  ir_walk(func->body, remove_unused_view, NULL);
}

bool pass_elide(PassContext *ctx) {
  for (IrFunc *func = ctx->module->first; func; func = func->next) elide_in(ctx, func);
  return true;
}
