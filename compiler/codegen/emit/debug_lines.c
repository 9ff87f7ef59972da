// SPDX-License-Identifier: Apache-2.0
// A line table has rows for instructions alone. A line without any gets an empty piece of inline
// assembly in front of the instruction that stands for it: a row, and not a byte of code.
#include "base/map.h"
#include "debug_lines.h"
#include <llvm-c/DebugInfo.h>

typedef struct Line {
  Value function;
  LLVMMetadataRef location;
} Line;

struct DebugLines {
  Arena *arena;
  VEC(Line) items;
};

DebugLines *debug_lines_new(Arena *arena) {
  DebugLines *lines = ARENA_NEW(arena, DebugLines);
  lines->arena = arena;
  return lines;
}

void debug_lines_add(DebugLines *lines, LlvmGen *g, LLVMMetadataRef location) {
  Line line = {g->frame->function, location};
  const Line *last = lines->items.count ? &lines->items.items[lines->items.count - 1] : NULL;
  if (last && last->function == line.function && last->location == location) return;
  VEC_PUSH(lines->arena, &lines->items, line);
}

// ---- which lines have code ----------------------------------------------------------------------
// By function, scope and line: the first instruction.
static Map *map_in(Arena *arena, Map *map, const void *key) {
  Map *inner = map_get(map, key);
  if (!inner) map_set(map, key, inner = map_new(arena));
  return inner;
}

static const void *line_key(LLVMMetadataRef location) {
  return (const void *)((uintptr_t)LLVMDILocationGetLine(location) + 1);
}

static void find_code(Arena *arena, Map *scopes, Value function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (Value i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
      LLVMMetadataRef at = LLVMIsAPHINode(i) ? NULL : LLVMInstructionGetDebugLoc(i);
      if (!at) continue;
      Map *in_scope = map_in(arena, scopes, LLVMDILocationGetScope(at));
      if (!map_has(in_scope, line_key(at))) map_set(in_scope, line_key(at), i);
    }
}

static Map *find_all_code(const DebugLines *lines) {
  Map *functions = map_new(lines->arena);
  for (size_t i = 0; i < lines->items.count; i++) {
    Value function = lines->items.items[i].function;
    if (map_has(functions, function)) continue;
    find_code(lines->arena, map_in(lines->arena, functions, function), function);
  }
  return functions;
}

// ---- where the others go ------------------------------------------------------------------------
static void put_row(LlvmGen *g, Value before, LLVMMetadataRef location) {
  Type type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), NULL, 0, false);
  Value nothing = LLVMGetInlineAsm(type, "", 0, "", 0, true, false, LLVMInlineAsmDialectATT, false);
  LLVMPositionBuilderBefore(g->builder, before);
  LLVMSetCurrentDebugLocation2(g->builder, location);
  LLVMBuildCall2(g->builder, type, nothing, NULL, 0, "");
}

// Goes over the lines in one direction; `near` is by function and scope the code passed last.
static void place_by(const DebugLines *lines, LlvmGen *g, Map *functions, bool backwards) {
  Map *near = map_new(lines->arena);
  for (size_t k = 0, count = lines->items.count; k < count; k++) {
    const Line *line = &lines->items.items[backwards ? count - 1 - k : k];
    LLVMMetadataRef scope = LLVMDILocationGetScope(line->location);
    Map *in_function = map_get(functions, line->function),
        *passed = map_in(lines->arena, near, line->function),
        *in_scope = map_in(lines->arena, in_function, scope);
    Value code = map_get(in_scope, line_key(line->location)), other = map_get(passed, scope);
    if (code) map_set(passed, scope, code);
    if (code || !other) continue;
    put_row(g, other, line->location);
    map_set(in_scope, line_key(line->location), other);
  }
}

void debug_lines_place(const DebugLines *lines, LlvmGen *g) {
  Map *functions = find_all_code(lines);
  place_by(lines, g, functions, true);
  place_by(lines, g, functions, false);
}
