// SPDX-License-Identifier: Apache-2.0
// DWARF line tables of the .pk source: every instruction has the line and column of the operation
// it came from, and the calls it was traced through as inlined functions, so that a debugger's
// backtrace reads as the program does.
#include "debug.h"
#include <llvm-c/DebugInfo.h>
#include <string.h>
#include <unistd.h>
#include "gen_const.h"

typedef struct DebugInfo {
  LLVMDIBuilderRef builder;
  LLVMMetadataRef unit;
  Map *files;  // SourceFile * -> its metadata
  Map *scopes; // Name of a function of the source -> its metadata
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
  d->no_file = make_file(d, STR("<built-in>"));
  add_flag(g, "Debug Info Version", LLVMDebugMetadataVersion());
  add_flag(g, "Dwarf Version", 4);
}

static LLVMMetadataRef unit_of(LlvmGen *g, LLVMMetadataRef file) {
  DebugInfo *d = g->debug;
  static const char producer[] = "pallasc";
  if (!d->unit)
    d->unit = LLVMDIBuilderCreateCompileUnit(d->builder, LLVMDWARFSourceLanguagePython, file,
                                             producer, sizeof producer - 1, true, "", 0, 0, "", 0,
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
  if (!g->debug || !g->frame) return;
  LLVMMetadataRef here = op ? location(g, op->span, op->frames) : location(g, (Span){0}, NULL);
  LLVMSetCurrentDebugLocation2(g->builder, here);
}

void debug_close(LlvmGen *g) {
  if (!g->debug) return;
  if (g->debug->unit) LLVMDIBuilderFinalize(g->debug->builder);
  LLVMDisposeDIBuilder(g->debug->builder);
}
