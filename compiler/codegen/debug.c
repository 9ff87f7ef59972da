// SPDX-License-Identifier: Apache-2.0
// DWARF line tables of the .pk source: every instruction has the line and column of the operation it came from.
#include <llvm-c/DebugInfo.h>
#include <string.h>
#include "gen.h"

typedef struct DebugInfo {
  LLVMDIBuilderRef builder;
  LLVMMetadataRef unit;
  Map *files; // SourceFile * -> its metadata
  LLVMMetadataRef no_file;
  unsigned function_line;
} DebugInfo;

static LLVMMetadataRef make_file(DebugInfo *d, Str path) {
  size_t slash = path.len;
  while (slash > 0 && path.data[slash - 1] != '/') slash--;
  Str folder = slash > 1 ? (Str){path.data, slash - 1} : slash == 1 ? STR("/") : STR(".");
  return LLVMDIBuilderCreateFile(d->builder, path.data + slash, path.len - slash, folder.data, folder.len);
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
  LLVMAddModuleFlag(g->module, LLVMModuleFlagBehaviorWarning, name, strlen(name), LLVMValueAsMetadata(gen_i32(g, value)));
}

void debug_open(LlvmGen *g) {
  if (!g->options->debug_info) return;
  DebugInfo *d = g->debug = ARENA_NEW(g->arena, DebugInfo);
  d->builder = LLVMCreateDIBuilder(g->module);
  d->files = map_new(g->arena);
  d->no_file = make_file(d, STR("<built-in>"));
  add_flag(g, "Debug Info Version", LLVMDebugMetadataVersion());
  add_flag(g, "Dwarf Version", 4);
}

static LLVMMetadataRef unit_of(LlvmGen *g, LLVMMetadataRef file) {
  DebugInfo *d = g->debug;
  static const char producer[] = "pallasc";
  if (!d->unit)
    d->unit = LLVMDIBuilderCreateCompileUnit(d->builder, LLVMDWARFSourceLanguagePython, file, producer, sizeof producer - 1, true, "", 0, 0, "", 0,
                                             LLVMDWARFEmissionFull, 0, false, false, "", 0, "", 0);
  return d->unit;
}

void debug_function(LlvmGen *g, Value function, const char *name, Span span) {
  DebugInfo *d = g->debug;
  if (!d) return;
  LLVMMetadataRef file = file_of(g, span.file);
  unit_of(g, file);
  const SourceFile *source = source_get(g->session, span.file);
  d->function_line = source ? source_line_col(source, span.begin).line : 0;
  LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(d->builder, file, NULL, 0, LLVMDIFlagZero);
  LLVMMetadataRef scope = LLVMDIBuilderCreateFunction(d->builder, file, name, strlen(name), name, strlen(name), file, d->function_line, type, true, true,
                                                      d->function_line, LLVMDIFlagZero, true);
  LLVMSetSubprogram(function, scope);
  g->frame->scope = scope;
  debug_at(g, NULL);
}

void debug_at(LlvmGen *g, const IrOp *op) {
  DebugInfo *d = g->debug;
  if (!d || !g->frame) return;
  unsigned line = d->function_line, column = 0;
  LLVMMetadataRef scope = g->frame->scope;
  const SourceFile *source = op ? source_get(g->session, op->span.file) : NULL;
  if (source) {
    LineCol at = source_line_col(source, op->span.begin);
    line = at.line;
    column = at.column;
    LLVMMetadataRef file = file_of(g, op->span.file);
    if (file != LLVMDIScopeGetFile(scope)) scope = LLVMDIBuilderCreateLexicalBlockFile(d->builder, scope, file, 0);
  }
  LLVMSetCurrentDebugLocation2(g->builder, LLVMDIBuilderCreateDebugLocation(g->context, line, column, scope, NULL));
}

void debug_close(LlvmGen *g) {
  if (!g->debug) return;
  if (g->debug->unit) LLVMDIBuilderFinalize(g->debug->builder);
  LLVMDisposeDIBuilder(g->debug->builder);
}
