// SPDX-License-Identifier: Apache-2.0
// DWARF line tables of the .pk source: every instruction has the line and column of the operation
// it came from, and the calls it was traced through as inlined functions, so that a debugger's
// backtrace reads as the program does. Scalars are variables of the functions that bound them: each
// has a place in the stack, which the value is stored to when it is made.
#include "base/map.h"
#include "debug.h"
#include <llvm-c/DebugInfo.h>
#include <string.h>
#include <unistd.h>
#include "debug_lines.h"
#include "gen_const.h"
#include "ir/core/place.h"

typedef struct DebugInfo {
  LLVMDIBuilderRef builder;
  LLVMMetadataRef unit;
  Map *files;     // SourceFile * -> its metadata
  Map *scopes;    // Name of a function of the source -> its metadata
  Map *variables; // function -> scope or call -> name -> type -> Variable
  DebugLines *lines;
  LLVMMetadataRef no_file;
  unsigned function_line;
} DebugInfo;

// As the user named it, from the folder the compiler runs in.
static LLVMMetadataRef make_file(DebugInfo *d, Str path) {
  char folder[4096];
  if (!getcwd(folder, sizeof folder)) folder[0] = '.', folder[1] = '\0';
  return LLVMDIBuilderCreateFile(d->builder, path.data, path.len, folder, strlen(folder));
}

static LLVMMetadataRef file_of(LlvmGen *g, uint32_t id) {
  DebugInfo *d = g->debug;
  SourceFile *file = source_get(g->session, id);
  if (!file) return d->no_file;
  LLVMMetadataRef found = map_get(d->files, file);
  if (found) return found;
  LLVMMetadataRef made = make_file(d, file->path);
  map_set(d->files, file, made);
  return made;
}

static void add_flag(LlvmGen *g, const char *name, unsigned value) {
  LLVMAddModuleFlag(g->module, LLVMModuleFlagBehaviorWarning, name, strlen(name),
                    LLVMValueAsMetadata(gen_i32(g, value)));
}

void debug_open(LlvmGen *g) {
  if (!g->options->debug_info) return;
  DebugInfo *d = g->debug = ARENA_NEW(g->arena, DebugInfo);
  d->builder = LLVMCreateDIBuilder(g->module);
  d->files = map_new(g->arena);
  d->scopes = map_new(g->arena);
  d->variables = map_new(g->arena);
  d->lines = debug_lines_new(g->arena);
  d->no_file = make_file(d, STR("<built-in>"));
  add_flag(g, "Debug Info Version", LLVMDebugMetadataVersion());
  add_flag(g, "Dwarf Version", 4);
}

static void open_unit(LlvmGen *g, LLVMMetadataRef file) {
  DebugInfo *d = g->debug;
  static const char producer[] = "pallasc";
  if (!d->unit)
    d->unit = LLVMDIBuilderCreateCompileUnit(d->builder, LLVMDWARFSourceLanguagePython, file,
                                             producer, sizeof producer - 1, true, "", 0, 0, "", 0,
                                             LLVMDWARFEmissionFull, 0, false, false, "", 0, "", 0);
}

void debug_function(LlvmGen *g, Value function, const char *name, Span span) {
  DebugInfo *d = g->debug;
  if (!d) return;
  LLVMMetadataRef file = file_of(g, span.file);
  open_unit(g, file);
  const SourceFile *source = source_get(g->session, span.file);
  d->function_line = source ? source_line_col(source, span.begin).line : 0;
  LLVMMetadataRef type =
      LLVMDIBuilderCreateSubroutineType(d->builder, file, NULL, 0, LLVMDIFlagZero);
  LLVMMetadataRef scope = LLVMDIBuilderCreateFunction(
      d->builder, file, name, strlen(name), name, strlen(name), file, d->function_line, type, true,
      true, d->function_line, LLVMDIFlagZero, true);
  LLVMSetSubprogram(function, scope);
  g->frame->scope = scope;
  debug_at(g, NULL);
}

// The scope of a function of the source that was traced into this one.
static LLVMMetadataRef inlined_scope(LlvmGen *g, Name function, LLVMMetadataRef file) {
  DebugInfo *d = g->debug;
  const void *key = function ? (const void *)function : "";
  LLVMMetadataRef found = map_get(d->scopes, key);
  if (found) return found;
  Str name = function ? name_str(function) : STR("<module>");
  LLVMMetadataRef type =
      LLVMDIBuilderCreateSubroutineType(d->builder, file, NULL, 0, LLVMDIFlagZero);
  LLVMMetadataRef scope =
      LLVMDIBuilderCreateFunction(d->builder, file, name.data, name.len, "", 0, file, 0, type, true,
                                  true, 0, LLVMDIFlagZero, true);
  map_set(d->scopes, key, scope);
  return scope;
}

static LLVMMetadataRef location(LlvmGen *g, Span span, const IrFrames *frames) {
  const SourceFile *source = source_get(g->session, span.file);
  LineCol at = source ? source_line_col(source, span.begin) : (LineCol){g->debug->function_line, 0};
  LLVMMetadataRef scope = g->frame->scope, called_at = NULL,
                  file = source ? file_of(g, span.file) : LLVMDIScopeGetFile(scope);
  if (frames) {
    called_at = location(g, frames->call, frames->caller);
    scope = inlined_scope(g, frames->function, file);
  }
  if (file != LLVMDIScopeGetFile(scope))
    scope = LLVMDIBuilderCreateLexicalBlockFile(g->debug->builder, scope, file, 0);
  return LLVMDIBuilderCreateDebugLocation(g->context, at.line, at.column, scope, called_at);
}

void debug_at(LlvmGen *g, const IrOp *op) {
  if (!g->debug) return;
  LLVMMetadataRef here = op ? location(g, op->span, op->frames) : location(g, (Span){0}, NULL);
  LLVMSetCurrentDebugLocation2(g->builder, here);
}

// Variables stay in memory, for a debugger: a store of one is kept.
static bool is_in_order(const LlvmGen *g) { return g->options->opt_level <= 1; }

// ---- lines of ops -------------------------------------------------------------------------------
static void add_lines(LlvmGen *g, const IrOp *op) {
  DebugLines *lines = g->debug->lines;
  debug_lines_add(lines, g, location(g, op->span, op->frames));
  for (size_t i = 0; i < op->result_count; i++)
    for (const IrPlace *place = op->results[i]->places; place; place = place->next)
      if (!place->variable) debug_lines_add(lines, g, location(g, place->span, place->frames));
  if (op->code != OP_FUSE) return;
  for (const IrOp *inner = op->regions[0]->first; inner; inner = inner->next) add_lines(g, inner);
}

void debug_op(LlvmGen *g, const IrOp *op) {
  if (!g->debug) return;
  add_lines(g, op);
  // What prepares fused loops is of the first: at the lines of the others their scalars are there.
  bool is_prepared = op->code == OP_FUSE && is_in_order(g);
  debug_at(g, is_prepared ? op->regions[0]->first : op);
}

// ---- variables ----------------------------------------------------------------------------------
// How a debugger sees a scalar's memory, and the LLVM type of it; false: it has no words.
static bool variable_type(LlvmGen *g, DType dtype, LLVMMetadataRef *described, Type *type) {
  // DWARF's DW_ATE_….
  enum { ENCODING_BOOL = 2, ENCODING_FLOAT = 4, ENCODING_SIGNED = 5, ENCODING_UNSIGNED = 7 };
  unsigned encoding, bits;
  if (dtype == DT_BOOL)
    encoding = ENCODING_BOOL, bits = 8, *type = LLVMInt8TypeInContext(g->context);
  else if (dtype_is_integer(dtype))
    encoding = dtype_is_signed(dtype) ? ENCODING_SIGNED : ENCODING_UNSIGNED,
    bits = 8 * (unsigned)dtype_size(dtype), *type = LLVMIntTypeInContext(g->context, bits);
  else if (dtype_is_float(dtype))
    encoding = ENCODING_FLOAT, bits = dtype == DT_F64 ? 64 : 32,
    *type = dtype == DT_F64 ? g->f64 : g->f32;
  else
    return false;
  const char *name = dtype_name(dtype);
  *described = LLVMDIBuilderCreateBasicType(g->debug->builder, name, strlen(name), bits, encoding,
                                            LLVMDIFlagZero);
  return true;
}

static Value as_variable(LlvmGen *g, Value emitted, DType dtype, Type type) {
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return emitted;
  return LLVMBuildIntCast2(g->builder, emitted, type, dtype_is_signed(dtype), "");
}

// How a debugger sees a variable: it is in its memory, from the store on. Before that
// it has no value, and not the one that the turn of a loop before has left there, since optimised
// code is not in the source's order. Without optimisation it is in its memory throughout, as C has
// it.
typedef struct Variable {
  Value memory;
  LLVMMetadataRef described, at;
} Variable;

// The value itself may be there before the store is: the instruction that uses it need not wait.
static void give_value(LlvmGen *g, const Variable *v, Value value) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(g->builder);
  LLVMDIBuilderRef d = g->debug->builder;
  uint64_t deref[] = {6}; // DW_OP_deref
  LLVMMetadataRef plain = LLVMDIBuilderCreateExpression(d, NULL, 0),
                  in_memory = LLVMDIBuilderCreateExpression(d, deref, 1);
  if (!is_in_order(g))
    LLVMDIBuilderInsertDbgValueRecordAtEnd(d, value, v->described, plain, v->at, here);
  Value store = LLVMBuildStore(g->builder, value, v->memory);
  if (is_in_order(g)) LLVMSetVolatile(store, true);
  if (!is_in_order(g))
    LLVMDIBuilderInsertDbgValueRecordAtEnd(d, v->memory, v->described, in_memory, v->at, here);
}

static void has_no_value(LlvmGen *g, const Variable *v, Type type, LLVMBasicBlockRef block) {
  LLVMMetadataRef plain = LLVMDIBuilderCreateExpression(g->debug->builder, NULL, 0);
  Value first = LLVMGetFirstInstruction(block), none = LLVMGetPoison(type);
  while (first && LLVMIsAPHINode(first)) first = LLVMGetNextInstruction(first);
  if (first)
    LLVMDIBuilderInsertDbgValueRecordBefore(g->debug->builder, none, v->described, plain, v->at,
                                            first);
  else
    LLVMDIBuilderInsertDbgValueRecordAtEnd(g->debug->builder, none, v->described, plain, v->at,
                                           block);
}

// Its memory is in the block that the function begins with.
static Variable *variable_declare(LlvmGen *g, const IrPlace *place, LLVMMetadataRef at, Type type,
                                  LLVMMetadataRef described) {
  LLVMMetadataRef scope = LLVMDILocationGetScope(at), file = LLVMDIScopeGetFile(scope);
  LLVMBasicBlockRef here = LLVMGetInsertBlock(g->builder);
  Variable *v = ARENA_NEW(g->arena, Variable);
  LLVMPositionBuilderAtEnd(g->builder, g->frame->entry);
  v->memory = LLVMBuildAlloca(g->builder, type, "");
  LLVMPositionBuilderAtEnd(g->builder, here);
  v->described = LLVMDIBuilderCreateAutoVariable(
      g->debug->builder, scope, place->variable->text, place->variable->len, file,
      LLVMDILocationGetLine(at), described, true, LLVMDIFlagZero, 0);
  v->at = at;
  if (is_in_order(g))
    LLVMDIBuilderInsertDeclareRecordAtEnd(g->debug->builder, v->memory, v->described,
                                          LLVMDIBuilderCreateExpression(g->debug->builder, NULL, 0),
                                          at, g->frame->entry);
  else
    has_no_value(g, v, type, here);
  return v;
}

static Map *map_in(LlvmGen *g, Map *map, const void *key) {
  Map *inner = map_get(map, key);
  if (!inner) map_set(map, key, inner = map_new(g->arena));
  return inner;
}

// A variable that is assigned again keeps its memory, unless its type differs.
static const Variable *variable_of(LlvmGen *g, const IrPlace *place, Type type,
                                   LLVMMetadataRef described) {
  LLVMMetadataRef at = location(g, place->span, place->frames),
                  call = LLVMDILocationGetInlinedAt(at);
  Map *in_function = map_in(g, g->debug->variables, g->frame->function),
      *in_scope = map_in(g, in_function, call ? call : LLVMDILocationGetScope(at)),
      *named = map_in(g, in_scope, place->variable);
  Variable *known = map_get(named, described);
  if (!known) map_set(named, described, known = variable_declare(g, place, at, type, described));
  return known;
}

// A coroutine is split later on, and its memory with it: LLVM loses the scopes of variables then.
bool debug_has_variables(const LlvmGen *g, const IrValue *value) {
  if (!g->debug || !g->frame || g->frame->task || value->type->rank || value->type->is_ref)
    return false;
  for (const IrPlace *place = value->places; place; place = place->next)
    if (place->variable) return true;
  return false;
}

void debug_scalar(LlvmGen *g, const IrValue *value, Value emitted) {
  DType dtype = value->type->dtype;
  LLVMMetadataRef described;
  Type type;
  if (!debug_has_variables(g, value) || !variable_type(g, dtype, &described, &type)) return;
  Value stored = as_variable(g, emitted, dtype, type);
  for (const IrPlace *place = value->places; place; place = place->next)
    if (place->variable) give_value(g, variable_of(g, place, type, described), stored);
}

void debug_close(LlvmGen *g) {
  if (!g->debug) return;
  debug_lines_place(g->debug->lines, g);
  if (g->debug->unit) LLVMDIBuilderFinalize(g->debug->builder);
  LLVMDisposeDIBuilder(g->debug->builder);
}
