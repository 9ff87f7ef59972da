// SPDX-License-Identifier: Apache-2.0
// Values that long code uses far from where they are made. In: a function. Out: no number or
// address is in one register from one stretch of its code to another; it is stored where it is
// made, and read where a stretch that uses it begins. LLVM 19's pass that moves values to mask
// registers (X86DomainReassignment) goes from each general register through all that depend on it,
// whatever their number: what is in memory ends its way. The register allocator would keep most of
// them there too, but takes longer to find out.
//
// A stretch begins where every way to the code behind it comes by: at a block that no branch
// forward, in the order of the blocks, leaps over. Nor is it in a short loop, where reading again
// would cost in each turn.
#include "base/map.h"
#include "long_values.h"
#include "long_loop.h"

typedef struct Place {
  LLVMBasicBlockRef block;
  unsigned first;   // its first instruction's number in the function
  bool in_order;    // it is come to without a branch back
  int leapt, loops; // branches over it, and short loops that hold it: differences to the one before
} Place;

typedef VEC(LLVMValueRef) Values;

typedef struct Keeping {
  Arena *arena;
  LLVMValueRef function;
  LLVMBuilderRef builder;
  unsigned stretch;
  bool with_allocas;
  VEC(Place) places;
  Map *numbers;    // LLVMBasicBlockRef -> its place's number and one
  Map *stretches;  // LLVMValueRef, an instruction -> its stretch and one
  Values begins;   // of each stretch, the instruction it begins with
  VEC(Map *) read; // of each stretch: LLVMValueRef -> what stands for it there
  Map *slots;      // LLVMValueRef -> where it is kept
} Keeping;

bool long_values_is_offset(LLVMValueRef value) {
  if (!LLVMIsAGetElementPtrInst(value)) return false;
  for (int i = 1; i < LLVMGetNumOperands(value); i++)
    if (!LLVMIsAConstantInt(LLVMGetOperand(value, (unsigned)i))) return false;
  return true;
}

// ---- stretches ----------------------------------------------------------------------------------
static unsigned number_of(const Keeping *k, LLVMBasicBlockRef block) {
  return (unsigned)((uintptr_t)map_get(k->numbers, block) - 1);
}

static void list_places(Keeping *k) {
  unsigned count = 0;
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(k->function);
  for (; block; block = LLVMGetNextBasicBlock(block)) {
    VEC_PUSH(k->arena, &k->places, ((Place){block, count, false, 0, 0}));
    map_set(k->numbers, block, (void *)(uintptr_t)k->places.count);
    count += long_loop_block_size(block);
  }
  VEC_PUSH(k->arena, &k->places, ((Place){NULL, count, false, 0, 0}));
}

static void mark_branch(const Keeping *k, unsigned from, unsigned to) {
  Place *places = k->places.items;
  if (to > from) {
    places[to].in_order |= places[from].in_order;
    places[from + 1].leapt++;
    places[to].leapt--;
  } else if (places[from + 1].first - places[to].first < LONG_LOOP) {
    places[to].loops++;
    places[from + 1].loops--;
  }
}

static void mark_branches(const Keeping *k) {
  k->places.items[0].in_order = true;
  for (unsigned from = 0; from + 1 < k->places.count; from++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(k->places.items[from].block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
      mark_branch(k, from, number_of(k, LLVMGetSuccessor(end, i)));
  }
}

// Nothing is stored between these and the ones of their kind.
static bool is_of_the_front(LLVMValueRef instruction) {
  return LLVMIsAPHINode(instruction) || LLVMIsAAllocaInst(instruction);
}

static void begin_stretch(Keeping *k, LLVMValueRef instruction) {
  VEC_PUSH(k->arena, &k->begins, instruction);
  VEC_PUSH(k->arena, &k->read, map_new(k->arena));
}

static void find_stretches(Keeping *k) {
  unsigned count = 0;
  int leapt = 0, loops = 0;
  begin_stretch(k, NULL);
  for (size_t p = 0; p + 1 < k->places.count; p++) {
    const Place *place = &k->places.items[p];
    leapt += place->leapt;
    loops += place->loops;
    LLVMValueRef i = LLVMGetFirstInstruction(place->block);
    for (; i; i = LLVMGetNextInstruction(i)) {
      bool may_begin = leapt == 0 && loops == 0 && place->in_order && !is_of_the_front(i);
      if (count >= k->stretch && may_begin) {
        begin_stretch(k, i);
        count = 0;
      }
      map_set(k->stretches, i, (void *)(uintptr_t)k->begins.count);
      count += long_loop_size(i);
    }
  }
}

// ---- values -------------------------------------------------------------------------------------
// The stretch of an argument or of an instruction that was there before, and one; else 0.
static unsigned stretch_of(const Keeping *k, LLVMValueRef value) {
  return LLVMIsAArgument(value) ? 1 : (unsigned)(uintptr_t)map_get(k->stretches, value);
}

static bool is_kept(const Keeping *k, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind != LLVMPointerTypeKind &&
      !(kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64))
    return false;
  if (LLVMIsAArgument(value)) return true;
  if (LLVMIsAAllocaInst(value) && !k->with_allocas) return false;
  return LLVMIsAInstruction(value) && stretch_of(k, value) &&
         k->places.items[number_of(k, LLVMGetInstructionParent(value))].in_order;
}

static LLVMValueRef behind(const Keeping *k, LLVMValueRef value) {
  LLVMValueRef i = LLVMIsAArgument(value)
                       ? LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(k->function))
                       : LLVMGetNextInstruction(value);
  while (is_of_the_front(i)) i = LLVMGetNextInstruction(i);
  return i;
}

static LLVMValueRef slot_of(Keeping *k, LLVMValueRef value) {
  LLVMValueRef slot = map_get(k->slots, value);
  if (slot) return slot;
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(k->function);
  LLVMPositionBuilderBefore(k->builder, LLVMGetFirstInstruction(entry));
  slot = LLVMBuildAlloca(k->builder, LLVMTypeOf(value), "");
  LLVMPositionBuilderBefore(k->builder, behind(k, value));
  LLVMBuildStore(k->builder, value, slot);
  map_set(k->slots, value, slot);
  return slot;
}

static LLVMValueRef value_in(Keeping *k, unsigned stretch, LLVMValueRef value);

// Reading is volatile: within one block LLVM would take what was stored.
static LLVMValueRef read_in(Keeping *k, unsigned stretch, LLVMValueRef value) {
  LLVMValueRef begin = k->begins.items[stretch - 1], made;
  if (long_values_is_offset(value)) {
    LLVMValueRef base = value_in(k, stretch, LLVMGetOperand(value, 0));
    made = LLVMInstructionClone(value);
    LLVMSetOperand(made, 0, base);
    LLVMPositionBuilderBefore(k->builder, begin);
    LLVMInsertIntoBuilder(k->builder, made);
    return made;
  }
  LLVMValueRef slot = slot_of(k, value);
  LLVMPositionBuilderBefore(k->builder, begin);
  made = LLVMBuildLoad2(k->builder, LLVMTypeOf(value), slot, "");
  LLVMSetVolatile(made, true);
  return made;
}

// What stands for a value in a stretch.
static LLVMValueRef value_in(Keeping *k, unsigned stretch, LLVMValueRef value) {
  if (!is_kept(k, value) || stretch_of(k, value) >= stretch) return value;
  Map *read = k->read.items[stretch - 1];
  LLVMValueRef made = map_get(read, value);
  if (!made) {
    made = read_in(k, stretch, value);
    map_set(read, value, made);
  }
  return made;
}

// A phi uses a value at the end of the block that it comes from.
static unsigned stretch_of_use(const Keeping *k, LLVMValueRef user, unsigned operand) {
  if (!LLVMIsAPHINode(user)) return stretch_of(k, user);
  return stretch_of(k, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, operand)));
}

static void read_operands(Keeping *k, LLVMValueRef user) {
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(user); i++) {
    LLVMValueRef value = LLVMGetOperand(user, i);
    if (!value || !(LLVMIsAInstruction(value) || LLVMIsAArgument(value))) continue;
    unsigned stretch = stretch_of_use(k, user, i);
    LLVMValueRef there = stretch ? value_in(k, stretch, value) : value;
    if (there != value) LLVMSetOperand(user, i, there);
  }
}

void long_values_keep(LLVMModuleRef module, LLVMValueRef function, unsigned stretch,
                      bool with_allocas, Arena *arena) {
  Keeping k = {.arena = arena,
               .function = function,
               .stretch = stretch,
               .with_allocas = with_allocas,
               .numbers = map_new(arena),
               .stretches = map_new(arena),
               .slots = map_new(arena)};
  list_places(&k);
  mark_branches(&k);
  find_stretches(&k);
  k.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (size_t p = 0; k.begins.count > 1 && p + 1 < k.places.count; p++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(k.places.items[p].block); i;
         i = LLVMGetNextInstruction(i))
      if (stretch_of(&k, i)) read_operands(&k, i);
  LLVMDisposeBuilder(k.builder);
}
