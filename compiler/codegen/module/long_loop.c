// SPDX-License-Identifier: Apache-2.0
// Loops around long code, as a grid whose body has a thousand branches. In: a function. Out: such a
// loop has two entries, and so is none for LLVM's code generator. That would move the constants and
// addresses of all its inner loops out in front of it, where they have to be spilled, and allocate
// registers in time that grows with their square. As it is they go to the front of the inner loop
// that uses them.
#include "base/map.h"
#include "long_loop.h"
#include "ir/core/cpu.h"

// LLVM writes a copy out as that many loads and stores of vectors at the most (MaxStoresPerMemcpy
// of its X86TargetLowering); a longer one is a call.
enum { MOST_STORES = 8 };

typedef VEC(LLVMBasicBlockRef) Blocks;

typedef struct Search {
  Arena *arena;
  Map *reached; // LLVMBasicBlockRef -> itself: those that the search came to
  Map *open;    // those of them whose successors it is at
} Search;

// An edge back to a loop's first block, which has one other predecessor.
typedef struct BackEdge {
  LLVMBasicBlockRef header, latch, before;
} BackEdge;

static Blocks predecessors_of(Arena *arena, LLVMBasicBlockRef block) {
  Blocks found = {0};
  for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsATerminatorInst(user)) VEC_PUSH(arena, &found, LLVMGetInstructionParent(user));
  }
  return found;
}

unsigned long_loop_size(LLVMValueRef instruction) {
  if (!LLVMIsAMemIntrinsic(instruction)) return 1;
  LLVMValueRef bytes = LLVMGetOperand(instruction, 2);
  bool is_inline =
      LLVMIsAConstantInt(bytes) && LLVMConstIntGetZExtValue(bytes) <= MOST_STORES * WIDEST_VECTOR;
  return is_inline ? 2 * MOST_STORES : 1;
}

unsigned long_loop_block_size(LLVMBasicBlockRef block) {
  unsigned size = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    size += long_loop_size(i);
  return size;
}

// Whether that many instructions are in the loop.
static bool is_long(Arena *arena, const BackEdge *edge) {
  Map *seen = map_new(arena);
  Blocks open = {0};
  unsigned size = long_loop_block_size(edge->header);
  map_set(seen, edge->header, edge->header);
  VEC_PUSH(arena, &open, edge->latch);
  while (open.count && size < LONG_LOOP) {
    LLVMBasicBlockRef block = open.items[--open.count];
    if (map_has(seen, block)) continue;
    map_set(seen, block, block);
    size += long_loop_block_size(block);
    Blocks before = predecessors_of(arena, block);
    for (size_t i = 0; i < before.count; i++) VEC_PUSH(arena, &open, before.items[i]);
  }
  return size >= LONG_LOOP;
}

typedef struct Place {
  LLVMBasicBlockRef block;
  unsigned next; // of its successors
} Place;

// Depth first: an edge to a block whose successors are being searched is one back to a loop.
static void find_back_edges(Search *s, LLVMValueRef function, Blocks *headers, Blocks *latches) {
  VEC(Place) path = {0};
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  VEC_PUSH(s->arena, &path, ((Place){entry, 0}));
  map_set(s->reached, entry, entry);
  map_set(s->open, entry, entry);
  while (path.count) {
    Place *place = &path.items[path.count - 1];
    LLVMBasicBlockRef block = place->block;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (place->next == LLVMGetNumSuccessors(end)) {
      map_remove(s->open, block);
      path.count--;
      continue;
    }
    LLVMBasicBlockRef next = LLVMGetSuccessor(end, place->next++);
    if (map_has(s->open, next)) {
      VEC_PUSH(s->arena, headers, next);
      VEC_PUSH(s->arena, latches, block);
    }
    if (map_has(s->reached, next)) continue;
    map_set(s->reached, next, next);
    map_set(s->open, next, next);
    VEC_PUSH(s->arena, &path, ((Place){next, 0}));
  }
}

static void redirect(LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef new_to) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
    if (LLVMGetSuccessor(end, i) == to) LLVMSetSuccessor(end, i, new_to);
}

static LLVMValueRef incoming_from(LLVMValueRef phi, LLVMBasicBlockRef block) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingBlock(phi, i) == block) return LLVMGetIncomingValue(phi, i);
  BUG("a phi has no value for one of its block's predecessors");
}

static LLVMValueRef merge(LLVMBuilderRef builder, LLVMValueRef a, LLVMBasicBlockRef from_a,
                          LLVMValueRef b, LLVMBasicBlockRef from_b) {
  LLVMValueRef phi = LLVMBuildPhi(builder, LLVMTypeOf(a), "");
  LLVMAddIncoming(phi, &a, &from_a, 1);
  LLVMAddIncoming(phi, &b, &from_b, 1);
  return phi;
}

// The value of a carried phi at the second entry is the first or the next one; the loop's own phi
// takes it from there.
static void carry(LLVMBuilderRef builder, const BackEdge *edge, LLVMValueRef phi,
                  LLVMBasicBlockRef enter, LLVMBasicBlockRef again) {
  LLVMValueRef first = incoming_from(phi, edge->before), next = incoming_from(phi, edge->latch);
  LLVMPositionBuilderBefore(builder, phi);
  LLVMValueRef placeholder = LLVMGetUndef(LLVMTypeOf(phi));
  LLVMValueRef carried = merge(builder, first, enter, placeholder, again);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(again));
  LLVMValueRef second = merge(builder, first, enter, next, edge->latch);
  LLVMSetOperand(carried, 1, second);
  LLVMReplaceAllUsesWith(phi, carried);
  LLVMInstructionEraseFromParent(phi);
}

// Before the loop stands a branch on what LLVM cannot know: to the loop, or to a block between its
// end and its begin. Both ways are the same.
static void add_entry(LLVMBuilderRef builder, LLVMModuleRef module, const BackEdge *edge,
                      LLVMValueRef unknown,
                      void (*mark)(LLVMBuilderRef builder, LLVMModuleRef module)) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMBasicBlockRef enter = LLVMInsertBasicBlockInContext(context, edge->header, "enter");
  LLVMBasicBlockRef again = LLVMInsertBasicBlockInContext(context, edge->header, "again");
  redirect(edge->before, edge->header, enter);
  redirect(edge->latch, edge->header, again);
  LLVMPositionBuilderAtEnd(builder, enter);
  LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, unknown, ""), again, edge->header);
  LLVMPositionBuilderAtEnd(builder, again);
  mark(builder, module);
  LLVMBuildBr(builder, edge->header);
  LLVMValueRef next;
  unsigned count = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(edge->header); LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i))
    count++;
  for (LLVMValueRef i = LLVMGetFirstInstruction(edge->header); count--; i = next) {
    next = LLVMGetNextInstruction(i);
    carry(builder, edge, i, enter, again);
  }
}

static LLVMValueRef pointer_param(LLVMValueRef function) {
  for (LLVMValueRef p = LLVMGetFirstParam(function); p; p = LLVMGetNextParam(p))
    if (LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMPointerTypeKind) return p;
  return NULL;
}

void long_loop_hide(LLVMModuleRef module, LLVMValueRef function, Arena *arena,
                    void (*mark)(LLVMBuilderRef builder, LLVMModuleRef module)) {
  LLVMValueRef unknown = pointer_param(function);
  if (!unknown || !LLVMGetFirstBasicBlock(function)) return;
  Search search = {.arena = arena, .reached = map_new(arena), .open = map_new(arena)};
  Blocks headers = {0}, latches = {0};
  find_back_edges(&search, function, &headers, &latches);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (size_t i = 0; i < headers.count; i++) {
    BackEdge edge = {.header = headers.items[i], .latch = latches.items[i]};
    Blocks before = predecessors_of(arena, edge.header);
    if (before.count != 2 || !is_long(arena, &edge)) continue;
    edge.before = before.items[before.items[0] == edge.latch];
    if (edge.before != edge.latch) add_entry(builder, module, &edge, unknown, mark);
  }
  LLVMDisposeBuilder(builder);
}
